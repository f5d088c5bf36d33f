// The order in which the patches of a large world are solved, and what they begin with.
//
//     guess    bodies from the top down: each hands its weight, and what it was handed, to what it
//              rests on, in equal shares. Only what rests on the ground in the end is guessed, and
//              what is fast less than what is slow.
//     colours  a patch has the first colour that no patch before it has given to one of its bodies:
//              patches of a colour share no body. Pairs come in a fixed order, so colours do.
#include <math.h>
#include <string.h>

#include "engine/lanes_numbers.h"
#include "engine/large.h"
#include "engine/large_scratch.h"

// Patches beyond so many colours come one by one.
enum { COLOURS = 64 };
// Levels beyond this are not told apart.
enum { LEVELS = 64 };

// ---------------------------------------------------------------------------------------------
// Patches.

static float least_gap(const float *found)
{
    return fminf(fminf(found[4], found[5]), fminf(found[6], found[7]));
}

// Of the near pairs those that have points and are solved.
static void list_patches(cri_large *w)
{
    int count = 0;
    for (int i = 0; i < w->patch_count; i++) {
        int pair = w->patches[i];
        const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
        if (!w->pairs[pair].silent && least_gap(found) < CRI_NO_POINT / 2) {
            w->patches[count++] = pair;
        }
    }
    w->patch_count = count;
}

// ---------------------------------------------------------------------------------------------
// Guess.

// The mover that the other rests on in a patch, or -1: neither.
static int upper_of(const cri_large *w, int pair, int *lower, float *rise)
{
    const cri_large_pair *p = &w->pairs[pair];
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    const float *up = w->numbers->pull.up;
    float cosine = found[0] * up[0] + found[1] * up[1] + found[2] * up[2];
    int side = cosine > SUPPORT_COS ? 1 : 0;
    *lower = p->movers[1 - side];
    *rise = fabsf(cosine);
    bool rests = *rise > SUPPORT_COS && least_gap(found) < SUPPORT_GAP;
    return rests && w->b.pushed[p->movers[side]] ? p->movers[side] : -1;
}

// The patches with what each body rests on, body by body.
static void list_below(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int lower, bodies = w->body_count;
    float rise;
    memset(s->first_below, 0, ((size_t)bodies + 2) * sizeof *s->first_below);
    for (int i = 0; i < w->patch_count; i++) {
        int upper = upper_of(w, w->patches[i], &lower, &rise);
        s->first_below[upper + 2] += upper >= 0;
    }
    s->first_below[1] = 0;
    for (int i = 0; i < bodies; i++) {
        s->first_below[i + 2] += s->first_below[i + 1];
    }
    for (int i = 0; i < w->patch_count; i++) {
        int upper = upper_of(w, w->patches[i], &lower, &rise);
        if (upper >= 0) {
            s->below[s->first_below[upper + 1]++] = w->patches[i];
        }
    }
}

// Bodies by height, lowest first.
static void sort_by_height(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    const float *up = w->numbers->pull.up;
    for (int i = 0; i < w->body_count; i++) {
        float height =
            w->b.place[0][i] * up[0] + w->b.place[1][i] * up[1] + w->b.place[2][i] * up[2];
        s->order[i] = (cri_sort_key){cri_key_of(height), i};
    }
    cri_sort_keys(s->order, s->order_spare, w->body_count, 32);
}

static bool is_ground(const cri_large *w, int mover)
{
    return !w->b.pushed[mover] || w->b.lift_mass[mover] == 0;
}

static void find_support(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int lower;
    float rise;
    for (int i = 0; i <= w->body_count; i++) {
        s->supported[i] = is_ground(w, i);
    }
    for (int n = 0; n < w->body_count; n++) {
        int body = s->order[n].index;
        for (int k = s->first_below[body]; k < s->first_below[body + 1]; k++) {
            upper_of(w, s->below[k], &lower, &rise);
            s->supported[body] = s->supported[body] || s->supported[lower];
        }
    }
}

// What a body has to carry of itself, N s.
static float own_load(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    const float *up = w->numbers->pull.up;
    float push = b->push[0][i] * up[0] + b->push[1][i] * up[1] + b->push[2][i] * up[2];
    return w->b.pushed[i] ? fmaxf(-push, 0) * b->mass[i] * w->h : 0;
}

static float slowness(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    float sum = 0, turn = b->radius[i] * b->radius[i];
    for (int k = 0; k < 3; k++) {
        sum += b->velocity[k][i] * b->velocity[k][i] + turn * b->spin[k][i] * b->spin[k][i];
    }
    return SLOW * SLOW / (sum + SLOW * SLOW);
}

// Hand a body's load on to what it rests on.
static void hand_down(cri_large *w, int body)
{
    cri_large_scratch *s = w->scratch;
    int lower, first = s->first_below[body], end = s->first_below[body + 1];
    float rise, sum = 0;
    for (int k = first; k < end; k++) {
        upper_of(w, s->below[k], &lower, &rise);
        sum += s->supported[lower] ? rise : 0;
    }
    if (sum == 0) {
        return;
    }
    float each = s->load[body] * slowness(w, body) / sum;
    for (int k = first; k < end; k++) {
        upper_of(w, s->below[k], &lower, &rise);
        if (s->supported[lower]) {
            float *kept = &w->kept[(size_t)s->below[k] * CRI_KEPT_ROW];
            kept[0] = each;
            s->load[lower] += each * rise;
        }
    }
}

static void guess(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    for (int i = 0; i < w->body_count; i++) {
        s->load[i] = own_load(w, i);
    }
    for (int n = w->body_count - 1; n >= 0; n--) {
        hand_down(w, s->order[n].index);
    }
}

// ---------------------------------------------------------------------------------------------
// Levels.

// How far above the ground a body rests, lowest bodies first.
static void find_levels(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int lower;
    float rise;
    for (int i = 0; i <= w->body_count; i++) {
        s->level[i] = 0;
        s->supports[i] = 0;
    }
    for (int n = 0; n < w->body_count; n++) {
        int body = s->order[n].index, level = 0;
        for (int k = s->first_below[body]; k < s->first_below[body + 1]; k++) {
            upper_of(w, s->below[k], &lower, &rise);
            if (s->supported[lower] && s->level[lower] + 1 > level) {
                level = s->level[lower] + 1;
            }
            s->supports[body] += s->supported[lower];
        }
        s->level[body] = level < LEVELS ? level : LEVELS - 1;
    }
}

// Who carries whom, and the level of each patch.
static void find_carriers(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    for (int i = 0; i < w->patch_count; i++) {
        cri_large_pair *p = &w->pairs[w->patches[i]];
        int a = s->level[p->movers[0]], b = s->level[p->movers[1]], lower;
        float rise;
        int upper = upper_of(w, w->patches[i], &lower, &rise);
        bool carries = upper >= 0 && s->supported[lower];
        p->still[0] = carries && lower == p->movers[0] && !is_ground(w, lower);
        p->still[1] = carries && lower == p->movers[1] && !is_ground(w, lower);
        p->alone = !carries || s->supports[upper] < 2;
        s->patch_level[i] = carries ? s->level[upper] : a > b ? a : b;
    }
}

// ---------------------------------------------------------------------------------------------
// Colours.

static int colour_of(cri_large *w, const cri_large_pair *p)
{
    uint64_t *used = w->scratch->used, taken = 0;
    for (int k = 0; k < 2; k++) {
        taken |= w->b.pushed[p->movers[k]] ? used[p->movers[k]] : 0;
    }
    if (~taken == 0) {
        return COLOURS;
    }
    int colour = __builtin_ctzll(~taken);
    for (int k = 0; k < 2; k++) {
        used[p->movers[k]] |= UINT64_C(1) << colour;
    }
    return colour;
}

// Patches by level, the top first, each level in colours of its own.
static void sort_by_level(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int starts[LEVELS + 1] = {0};
    for (int i = 0; i < w->patch_count; i++) {
        starts[LEVELS - s->patch_level[i]]++;
    }
    for (int i = 0; i < LEVELS; i++) {
        starts[i + 1] += starts[i];
    }
    for (int i = 0; i < w->patch_count; i++) {
        s->by_level[starts[LEVELS - 1 - s->patch_level[i]]++] = i;
    }
}

// The lots of patches first .. end - 1 by level.
static bool fill_level(cri_large *w, int first, int end)
{
    cri_large_scratch *s = w->scratch;
    int next[COLOURS + 1], size[COLOURS + 1] = {0};
    for (int i = first; i < end; i++) {
        const cri_large_pair *p = &w->pairs[w->patches[s->by_level[i]]];
        s->used[p->movers[0]] = s->used[p->movers[1]] = 0;
    }
    for (int i = first; i < end; i++) {
        s->colour[i] = colour_of(w, &w->pairs[w->patches[s->by_level[i]]]);
        size[s->colour[i]]++;
    }
    if (w->colour_count + COLOURS + size[COLOURS] >= w->colour_max) {
        return false;
    }
    for (int c = 0; c < COLOURS && size[c] > 0; c++) {
        next[c] = w->lot_count * CRI_LOT;
        w->colours[w->colour_count++] = w->lot_count;
        w->lot_count += (size[c] + CRI_LOT - 1) / CRI_LOT;
    }
    next[COLOURS] = w->lot_count * CRI_LOT;
    for (int i = 0; i < size[COLOURS]; i++) {
        w->colours[w->colour_count++] = w->lot_count++;
    }
    for (int i = first; i < end; i++) {
        int place = next[s->colour[i]];
        next[s->colour[i]] += s->colour[i] == COLOURS ? CRI_LOT : 1;
        w->lots[place / CRI_LOT].patches[place % CRI_LOT] = w->patches[s->by_level[i]];
    }
    return true;
}

static bool fill_lots(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    bool good = true;
    w->lot_count = w->colour_count = w->level_count = 0;
    for (int i = 0; i < w->lot_max * CRI_LOT; i++) {
        w->lots[i / CRI_LOT].patches[i % CRI_LOT] = w->pair_count;
    }
    for (int first = 0, end; first < w->patch_count && good; first = end) {
        int level = s->patch_level[s->by_level[first]];
        for (end = first; end < w->patch_count && s->patch_level[s->by_level[end]] == level;) {
            end++;
        }
        w->levels[w->level_count++] = w->colour_count;
        good = fill_level(w, first, end);
    }
    w->colours[w->colour_count] = w->lot_count;
    w->levels[w->level_count] = w->colour_count;
    return good;
}

bool cri_large_order(cri_large *w)
{
    list_patches(w);
    list_below(w);
    sort_by_height(w);
    find_support(w);
    if (w->substep == 0 && !cri_large_recall(w)) {
        guess(w);
    }
    find_levels(w);
    find_carriers(w);
    sort_by_level(w);
    return fill_lots(w);
}
