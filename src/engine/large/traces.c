// What a large world remembers from step to step, in its state: 24 bytes a body.
//
//     slow    a byte a body: for how many steps it has been slow
//     count   a byte a body: how many of the words are of its patches
//     words   8 bytes a patch that presses, body by body of its second end
//
//         key 16 | load 12 | shares 4 x 4 | friction 2 x 7 | twist 6
//
// A heap is held by friction in many places at once, which rounds of impulses find anew only in the
// long run: a step that began from nothing would let it creep. So a patch begins with what pressed
// on it at the end of the last step. Words are a hint and need not be exact: the load is a float of
// seven bits over the body's mass, points have shares of it, friction and twist are shares of the
// most that they can be. Where there are more patches than words, those of the largest loads of
// each body are kept.
#include <math.h>
#include <string.h>

#include "engine/large/large.h"
#include "engine/large/scratch.h"

// Patches and bodies that are worth a piece of work.
enum { PATCHES = 256, BODIES = 64 };

enum { COUNT_MAX = 15, SHARE_MAX = 15, RUB_MAX = 63, TWIST_MAX = 31 };
// Exponents of loads that are told apart.
enum { EXPONENT_LEAST = 127 - 21, EXPONENTS = 32 };

static int word_max(const cri_large *w)
{
    size_t heads = (2 * (size_t)w->body_count + 7) / 8 * 8;
    return (int)((w->model->traces_size - heads) / 8);
}

static uint8_t *counts_of(const cri_large *w)
{
    return cri_traces(w->model, w->step->to) + w->body_count;
}

static uint8_t *words_of(const cri_large *w)
{
    return cri_traces(w->model, w->step->to) + (2 * (size_t)w->body_count + 7) / 8 * 8;
}

// ---------------------------------------------------------------------------------------------
// Words.

static uint64_t key_of(const cri_large_pair *p)
{
    return ((uint64_t)p->solids[0] + 7919 * (uint64_t)p->solids[1]) & 0xffff;
}

static uint64_t load_code(float load)
{
    uint32_t bits;
    memcpy(&bits, &load, sizeof bits);
    bits = (bits + (1u << 15)) >> 16; // exponent, and seven bits
    uint32_t least = EXPONENT_LEAST << 7;
    return bits <= least ? 0 : bits - least >= EXPONENTS << 7 ? (EXPONENTS << 7) - 1 : bits - least;
}

static float load_of(uint64_t code)
{
    uint32_t bits = ((uint32_t)code + (EXPONENT_LEAST << 7)) << 16;
    float load;
    memcpy(&load, &bits, sizeof load);
    return load;
}

// A share between -1 and 1, in so many steps each way.
static uint64_t signed_code(float share, int most)
{
    float steps = fminf(fmaxf(share * (float)most, (float)-most), (float)most);
    return (uint64_t)((int)(steps + (float)most + 0.5f));
}

static float signed_of(uint64_t code, int most)
{
    return ((float)(int)code - (float)most) / (float)most;
}

// Two directions across a normal that stay as they are while it turns a little; none of them turns
// over where bodies lie against upright walls.
static void across(const float n[3], float one[3], float two[3])
{
    bool x = fabsf(n[0]) < 0.9f;
    float t[3] = {x ? 0 : n[2], x ? -n[2] : 0, x ? n[1] : -n[0]};
    float length = sqrtf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++) {
        one[k] = t[k] / length;
    }
    two[0] = n[1] * one[2] - n[2] * one[1];
    two[1] = n[2] * one[0] - n[0] * one[2];
    two[2] = n[0] * one[1] - n[1] * one[0];
}

static float most_friction(const cri_large *w, const cri_large_pair *p)
{
    const cri_manner *m = &w->numbers->manners[p->manner];
    return fmaxf(fmaxf(m->friction, m->static_friction), fmaxf(m->along, 1e-6f));
}

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float sum_of(const float *kept)
{
    return kept[0] + kept[1] + kept[2] + kept[3];
}

static uint64_t word_of(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    const float *kept = &w->kept[(size_t)pair * CRI_KEPT_ROW];
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    float load = sum_of(kept), one[3], two[3], scale = 1 / (load * most_friction(w, p));
    float most = fmaxf(fmaxf(kept[0], kept[1]), fmaxf(kept[2], kept[3]));
    uint64_t word = key_of(p) << 48 | load_code(load * w->b.inverse_mass[p->movers[1]]) << 36;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        word |= (uint64_t)(int)(kept[i] / most * SHARE_MAX + 0.5f) << (20 + 4 * i);
    }
    across(found, one, two);
    word |= signed_code(dot3(&kept[4], one) * scale, RUB_MAX) << 13;
    word |= signed_code(dot3(&kept[4], two) * scale, RUB_MAX) << 6;
    return word | signed_code(kept[7], TWIST_MAX);
}

static void read_word(cri_large *w, int pair, uint64_t word)
{
    cri_large_pair *p = &w->pairs[pair];
    float *kept = &w->kept[(size_t)pair * CRI_KEPT_ROW], one[3], two[3], sum = 0;
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    float load = load_of((word >> 36) & 0xfff) * w->b.mass[p->movers[1]];
    float friction = load * most_friction(w, p);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        kept[i] = (float)((word >> (20 + 4 * i)) & 15);
        sum += kept[i];
    }
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        kept[i] *= load / sum;
    }
    across(found, one, two);
    float a = friction * signed_of((word >> 13) & 0x7f, RUB_MAX);
    float b = friction * signed_of((word >> 6) & 0x7f, RUB_MAX);
    for (int k = 0; k < 3; k++) {
        kept[4 + k] = a * one[k] + b * two[k];
    }
    kept[7] = signed_of(word & 0x3f, TWIST_MAX);
    p->feature = found[3];
}

// ---------------------------------------------------------------------------------------------
// Remembering and recalling.

static void recall_patches(cri_large *w, int from, int end)
{
    const int *first = w->scratch->first_word;
    const uint8_t *words = words_of(w);
    for (int n = from; n < end; n++) {
        const cri_large_pair *p = &w->pairs[w->patches[n]];
        int owner = p->movers[1];
        for (int k = first[owner]; k < first[owner + 1]; k++) {
            uint64_t word;
            memcpy(&word, words + 8 * (size_t)k, sizeof word);
            if (word >> 48 == key_of(p) && (word >> 20 & 0xffff) != 0) {
                read_word(w, w->patches[n], word);
            }
        }
    }
}

bool cri_large_recall(cri_large *w)
{
    if (w->model->traces_size == 0) {
        return false;
    }
    const uint8_t *counts = counts_of(w);
    int *first = w->scratch->first_word, total = 0;
    for (int i = 0; i < w->body_count; i++) {
        first[i] = total;
        total += counts[i];
    }
    first[w->body_count] = total;
    bool sound = total > 0 && total <= word_max(w);
    if (sound) {
        cri_large_each(w, w->patch_count, PATCHES, recall_patches);
    }
    return sound;
}

static void find_loads(cri_large *w, int from, int end)
{
    for (int n = from; n < end; n++) {
        w->scratch->loads[n] = sum_of(&w->kept[(size_t)w->patches[n] * CRI_KEPT_ROW]);
    }
}

// Patches that press, body by body, those with the largest loads first.
static void list_pressing(cri_large *w, int *first, int *list)
{
    const float *loads = w->scratch->loads;
    int bodies = w->body_count, *starts = w->scratch->supports;
    memset(first, 0, ((size_t)bodies + 2) * sizeof *first);
    for (int n = 0; n < w->patch_count; n++) {
        first[w->pairs[w->patches[n]].movers[1] + 2] += loads[n] > 0;
    }
    for (int i = 0; i < bodies; i++) {
        first[i + 2] += first[i + 1];
        starts[i] = first[i + 1];
    }
    for (int n = 0; n < w->patch_count; n++) {
        int owner = w->pairs[w->patches[n]].movers[1];
        if (loads[n] > 0) {
            int at = first[owner + 1]++;
            for (; at > starts[owner] && loads[list[at - 1]] < loads[n]; at--) {
                list[at] = list[at - 1];
            }
            list[at] = n;
        }
    }
}

// Counts of a state that somebody else has made may say anything.
static bool are_sound(const cri_large *w, const uint8_t *counts)
{
    int sum = 0;
    for (int i = 0; i < w->body_count; i++) {
        sum += counts[i];
    }
    return sum <= word_max(w);
}

// Of a body that sleeps nothing was found in this step: its words stay as they are.
static bool is_asleep(const cri_large *w, int body)
{
    return w->can_sleep[body] && !w->b.turns[body];
}

static int count_of(const cri_large *w, const int *first, int body, int most)
{
    int count = is_asleep(w, body) ? w->scratch->old_counts[body] : first[body + 1] - first[body];
    return count < most ? count : most;
}

// How many words of a body are kept, so that all have room.
static int most_of_each(const cri_large *w, const int *first)
{
    for (int most = COUNT_MAX; most > 0; most--) {
        int sum = 0;
        for (int i = 0; i < w->body_count; i++) {
            sum += count_of(w, first, i, most);
        }
        if (sum <= word_max(w)) {
            return most;
        }
    }
    return 0;
}

// The words of some bodies, from where they begin.
static void write_words(cri_large *w, int from, int end)
{
    const cri_large_scratch *s = w->scratch;
    const uint8_t *counts = counts_of(w);
    uint8_t *words = words_of(w);
    for (int i = from; i < end; i++) {
        for (int k = 0; k < counts[i]; k++) {
            uint64_t word;
            if (is_asleep(w, i)) {
                memcpy(&word, s->old_words + 8 * (size_t)(s->old_first[i] + k), sizeof word);
            } else {
                word = word_of(w, w->patches[s->below[s->first_word[i] + k]]);
            }
            memcpy(words + 8 * (size_t)(s->new_first[i] + k), &word, sizeof word);
        }
    }
}

// How many words each body has, and where they begin; returns how many there are.
static int count_words(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    uint8_t *slow = cri_traces(w->model, w->step->to), *counts = counts_of(w);
    int most = most_of_each(w, s->first_word), sum = 0, old = 0;
    for (int i = 0; i < w->body_count; i++) {
        counts[i] = (uint8_t)count_of(w, s->first_word, i, most);
        slow[i] = w->slow[i];
        s->old_first[i] = old;
        s->new_first[i] = sum;
        old += s->old_counts[i];
        sum += counts[i];
    }
    return sum;
}

void cri_large_remember(cri_large *w)
{
    if (w->model->traces_size == 0) {
        return;
    }
    cri_large_scratch *s = w->scratch;
    uint8_t *counts = counts_of(w), *words = words_of(w);
    memcpy(s->old_counts, counts, (size_t)w->body_count);
    memcpy(s->old_words, words, 8 * (size_t)word_max(w));
    if (!are_sound(w, counts)) {
        memset(s->old_counts, 0, (size_t)w->body_count);
    }
    cri_large_each(w, w->patch_count, PATCHES, find_loads);
    list_pressing(w, s->first_word, s->below);
    size_t end = (size_t)count_words(w);
    cri_large_each(w, w->body_count, BODIES, write_words);
    memset(words + 8 * end, 0, 8 * ((size_t)word_max(w) - end));
}
