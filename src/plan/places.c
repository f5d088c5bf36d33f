#include "plan/places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

cr_status cri_places_create(cri_places *places, int64_t capacity)
{
    uint64_t slots = 4;
    while (slots < 2 * (uint64_t)capacity) {
        slots *= 2;
    }
    *places = (cri_places){
        .capacity = (int32_t)capacity,
        .items = calloc((size_t)capacity, sizeof *places->items),
        .mask = slots - 1,
        .values = calloc(slots, sizeof *places->values),
        .members = calloc(slots, sizeof *places->members),
    };
    return places->items && places->values && places->members ? CR_OK : CR_ERR_MEMORY;
}

void cri_places_free(cri_places *places)
{
    free(places->items);
    free(places->values);
    free(places->members);
    *places = (cri_places){0};
}

void cri_places_clear(cri_places *places)
{
    places->count = 0;
    memset(places->values, 0, (places->mask + 1) * sizeof *places->values);
    memset(places->members, 0, (places->mask + 1) * sizeof *places->members);
}

// Where the table has the value, or where it would have it.
static uint64_t value_slot(const cri_places *p, const double at[CRI_PLACE_SIZE])
{
    uint64_t slot = cri_hash_words(1, at, CRI_PLACE_SIZE * sizeof *at) & p->mask;
    while (p->values[slot] &&
           memcmp(p->items[p->values[slot] - 1].at, at, CRI_PLACE_SIZE * sizeof *at) != 0) {
        slot = (slot + 1) & p->mask;
    }
    return slot;
}

static uint64_t member_slot(const cri_places *p, int32_t place, int32_t rank)
{
    uint64_t slot = cri_hash_word(cri_hash_word(2, (uint64_t)place), (uint64_t)rank) & p->mask;
    const cri_member *m = &p->members[slot];
    while (m->rank != 0 && (m->place != place || m->rank != rank)) {
        slot = (slot + 1) & p->mask;
        m = &p->members[slot];
    }
    return slot;
}

int32_t cri_places_add(cri_places *p, const double at[CRI_PLACE_SIZE], int32_t branch, bool *fresh)
{
    double value[CRI_PLACE_SIZE];
    for (int i = 0; i < CRI_PLACE_SIZE; i++) {
        value[i] = at[i] + 0.0; // -0 is 0
    }
    uint64_t slot = value_slot(p, value);
    *fresh = p->values[slot] == 0;
    if (*fresh) {
        assert(p->count < p->capacity);
        cri_place *place = &p->items[p->count];
        memcpy(place->at, value, sizeof value);
        place->first = branch;
        place->count = 1;
        p->values[slot] = ++p->count;
        return p->count - 1;
    }
    int32_t number = p->values[slot] - 1, rank = p->items[number].count++;
    p->members[member_slot(p, number, rank)] = (cri_member){number, rank, branch};
    return number;
}

int32_t cri_places_member(const cri_places *p, int32_t place, int32_t rank)
{
    assert(place >= 0 && place < p->count && rank >= 0 && rank < p->items[place].count);
    return rank == 0 ? p->items[place].first : p->members[member_slot(p, place, rank)].branch;
}
