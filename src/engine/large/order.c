// The order in which the patches of a large world are solved, and what they begin with.
//
//     guess    bodies from the top down: each hands its weight, and what it was handed, to what it
//              rests on, in equal shares. Only what rests on the ground in the end is guessed, and
//              what is fast less than what is slow.
//     slabs    a world of many patches is cut by upright planes into slabs of about as many each,
//              for threads to work on. How many there are, and where, depends on the state alone.
//              Patches between two slabs are solved after those within. Slabs, and who is above
//              whom, are those of the step's first substep.
//     levels   of a slab: patches by how far above the ground they lie, the top first
//     colours  of a level: a patch has the first colour that no patch before it has given to one of
//              its bodies, so patches of a colour share none. Pairs come in a fixed order, so
//              colours do.
#include <math.h>
#include <string.h>

#include "engine/contact.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

// Patches beyond so many colours come one by one.
enum { COLOURS = 64 };
// Levels beyond this are not told apart.
enum { LEVELS = CRI_LEVELS };
// It is looked for where to cut in so many steps.
enum { CUTS = 256 };
// Patches and bodies that are worth a piece of work.
enum { PIECE = 512 };

// ---------------------------------------------------------------------------------------------
// Guess.

// Of a near pair that is no patch: it has no points, or is not solved.
enum { NO_PATCH = -2 };

static bool touches(const cri_large *w, int pair)
{
    return cri_large_least_gap(w, pair) < (float)SUPPORT_GAP;
}

// Which mover rests on the other in a patch.
static cri_lean lean_of(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    const float *up = w->numbers->pull.up;
    if (p->silent || cri_large_least_gap(w, pair) >= CRI_NO_POINT / 2) {
        return (cri_lean){.upper = NO_PATCH};
    }
    float cosine = found[0] * up[0] + found[1] * up[1] + found[2] * up[2];
    int side = cosine > (float)SUPPORT_COS ? 1 : 0;
    float rise = fabsf(cosine);
    bool near = touches(w, pair), rests = near && rise > (float)SUPPORT_COS;
    int upper = rests && w->b.pushed[p->movers[side]] ? p->movers[side] : -1;
    int walled = near && !w->b.pushed[p->movers[0]] ? p->movers[1] : -1;
    return (cri_lean){upper, p->movers[1 - side], walled, rise};
}

static void find_leans(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        w->scratch->leans[i] = lean_of(w, w->patches[i]);
    }
}

// Of the near pairs those that are patches.
static void list_patches(cri_large *w)
{
    cri_lean *leans = w->scratch->leans;
    int count = 0;
    for (int i = 0; i < w->patch_count; i++) {
        if (leans[i].upper != NO_PATCH) {
            leans[count] = leans[i];
            w->patches[count++] = w->patches[i];
        }
    }
    w->patch_count = count;
}

// The patches with what each body rests on, body by body.
static void list_below(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int bodies = w->body_count;
    memset(s->first_below, 0, ((size_t)bodies + 2) * sizeof *s->first_below);
    for (int i = 0; i < w->patch_count; i++) {
        int upper = s->leans[i].upper;
        s->first_below[upper + 2] += upper >= 0;
    }
    s->first_below[1] = 0;
    for (int i = 0; i < bodies; i++) {
        s->first_below[i + 2] += s->first_below[i + 1];
    }
    for (int i = 0; i < w->patch_count; i++) {
        if (s->leans[i].upper >= 0) {
            s->below[s->first_below[s->leans[i].upper + 1]++] = i;
        }
    }
}

// Bodies by height, lowest first; what differs by a ten thousandth does not.
static void sort_by_height(cri_large *w)
{
    enum { FINE = 10 };
    cri_large_scratch *s = w->scratch;
    const float *up = w->numbers->pull.up;
    for (int i = 0; i < w->body_count; i++) {
        float height =
            w->b.place[0][i] * up[0] + w->b.place[1][i] * up[1] + w->b.place[2][i] * up[2];
        s->order[i] = (cri_sort_key){cri_key_of(height) >> FINE, i};
    }
    cri_sort_keys(s->order, s->order_spare, w->body_count, 32 - FINE);
}

static bool is_ground(const cri_large *w, int mover)
{
    return !w->b.pushed[mover] || w->b.lift_mass[mover] == 0;
}

static void find_support(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    for (int i = 0; i <= w->body_count; i++) {
        s->supported[i] = is_ground(w, i);
    }
    for (int n = 0; n < w->body_count; n++) {
        int body = s->order[n].index;
        for (int k = s->first_below[body]; k < s->first_below[body + 1]; k++) {
            s->supported[body] = s->supported[body] || s->supported[s->leans[s->below[k]].lower];
        }
    }
}

// What a body has to carry of itself in a substep, N s.
static float own_load(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    const float *up = w->numbers->pull.up;
    float push = b->push[0][i] * up[0] + b->push[1][i] * up[1] + b->push[2][i] * up[2];
    return w->b.pushed[i] ? fmaxf(-push, 0) * b->mass[i] * w->span : 0;
}

static float slowness(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    float sum = 0, turn = b->radius[i] * b->radius[i], slow = (float)SLOW;
    for (int k = 0; k < 3; k++) {
        sum += b->velocity[k][i] * b->velocity[k][i] + turn * b->spin[k][i] * b->spin[k][i];
    }
    return slow * slow / (sum + slow * slow);
}

// Hand a body's load on to what it rests on.
static void hand_down(cri_large *w, int body)
{
    cri_large_scratch *s = w->scratch;
    int first = s->first_below[body], end = s->first_below[body + 1];
    float sum = 0;
    for (int k = first; k < end; k++) {
        const cri_lean *on = &s->leans[s->below[k]];
        sum += s->supported[on->lower] ? on->rise : 0;
    }
    if (sum == 0) {
        return;
    }
    float each = s->load[body] * slowness(w, body) / sum;
    for (int k = first; k < end; k++) {
        const cri_lean *on = &s->leans[s->below[k]];
        if (s->supported[on->lower]) {
            float *kept = &w->kept[(size_t)w->patches[s->below[k]] * CRI_KEPT_ROW];
            kept[0] = each;
            s->load[on->lower] += each * on->rise;
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
    for (int i = 0; i <= w->body_count; i++) {
        s->level[i] = 0;
        s->supports[i] = 0;
    }
    for (int n = 0; n < w->body_count; n++) {
        int body = s->order[n].index, level = 0;
        for (int k = s->first_below[body]; k < s->first_below[body + 1]; k++) {
            int lower = s->leans[s->below[k]].lower;
            if (s->supported[lower] && s->level[lower] + 1 > level) {
                level = s->level[lower] + 1;
            }
            s->supports[body] += s->supported[lower];
        }
        s->level[body] = level < LEVELS ? level : LEVELS - 1;
    }
}

static bool is_pushed(const cri_large *w, int mover)
{
    return w->b.pushed[mover] != 0;
}

// The slab of a patch: that of its bodies, or the one after the last.
static int slab_of(const cri_large *w, const cri_large_pair *p)
{
    const uint8_t *slab = w->scratch->slab;
    int a = p->movers[0], b = p->movers[1];
    if (!is_pushed(w, a) || !is_pushed(w, b)) {
        return slab[is_pushed(w, a) ? a : b];
    }
    return slab[a] == slab[b] ? slab[a] : w->slab_count;
}

// The patches with what does not give way, body by body.
static void list_walls(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    for (int i = 0; i < w->body_count; i++) {
        s->first_wall[i] = -1;
    }
    for (int i = 0; i < w->patch_count; i++) {
        int walled = s->leans[i].walled;
        if (walled >= 0) {
            s->next_wall[i] = s->first_wall[walled];
            s->first_wall[walled] = i;
        }
    }
}

// Whether an end of a patch is caught between the other, which is much heavier, and something that
// does not give way. As is_caught of small worlds.
static bool is_caught(const cri_large *w, int pair, int end)
{
    const cri_large_scratch *s = w->scratch;
    const cri_large_pair *p = &w->pairs[pair];
    int mover = p->movers[end], other = p->movers[1 - end];
    if (w->b.mass[mover] * (float)HEAVY >= w->b.mass[other] || is_ground(w, mover) ||
        !is_pushed(w, other) || !touches(w, pair)) {
        return false;
    }
    const float *a = &w->found[(size_t)pair * CRI_FOUND_ROW];
    for (int i = s->first_wall[mover]; i >= 0; i = s->next_wall[i]) {
        const float *b = &w->found[(size_t)w->patches[i] * CRI_FOUND_ROW];
        float along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        if ((end == 1 ? along : -along) < -(float)SUPPORT_COS) {
            return true;
        }
    }
    return false;
}

// Who carries whom, and the slab and level of each patch.
static void find_carriers(cri_large *w, int first, int end)
{
    cri_large_scratch *s = w->scratch;
    for (int i = first; i < end; i++) {
        cri_large_pair *p = &w->pairs[w->patches[i]];
        int a = s->level[p->movers[0]], b = s->level[p->movers[1]];
        int upper = s->leans[i].upper, lower = s->leans[i].lower;
        bool carries = upper >= 0 && s->supported[lower];
        bool still = carries && !is_ground(w, lower);
        bool caught[2] = {!carries && is_caught(w, w->patches[i], 0),
                          !carries && is_caught(w, w->patches[i], 1)};
        bool first_still = (still && lower == p->movers[0]) || caught[0];
        bool second_still = (still && lower == p->movers[1]) || caught[1];
        bool alone = !carries || s->supports[upper] < 2;
        // What is not written stays in the caches of all threads.
        if (p->still[0] != first_still || p->still[1] != second_still || p->alone != alone) {
            p->still[0] = first_still;
            p->still[1] = second_still;
            p->alone = alone;
        }
        int level = carries ? s->level[upper] : a > b ? a : b;
        level = caught[0] ? a + 1 : caught[1] ? b + 1 : level;
        level = level < LEVELS ? level : LEVELS - 1;
        s->rank[i] = slab_of(w, p) * LEVELS + (LEVELS - 1 - level);
    }
}

// ---------------------------------------------------------------------------------------------
// Slabs.

// The axis along which bodies are spread most, looked at from above.
static int axis_of_cuts(const cri_large *w)
{
    const float *up = w->numbers->pull.up;
    float best = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        float sum = 0, square = 0, count = (float)w->body_count;
        for (int i = 0; i < w->body_count; i++) {
            sum += w->b.place[k][i];
            square += w->b.place[k][i] * w->b.place[k][i];
        }
        float spread = (square - sum * sum / count) * (1 - up[k] * up[k]);
        if (spread > best) {
            best = spread;
            axis = k;
        }
    }
    return axis;
}

static int step_of(float place, float low, float scale)
{
    int at = (int)((place - low) * scale);
    return at < 0 ? 0 : at >= CUTS ? CUTS - 1 : at;
}

// Which steps belong to which slab, so that each has about as many patches.
static void share_steps(const cri_large *w, const float *places, float low, float scale,
                        uint8_t slab_of_step[CUTS])
{
    int counts[CUTS] = {0}, before = 0;
    for (int i = 0; i < w->patch_count; i++) {
        counts[step_of(places[w->pairs[w->patches[i]].movers[1]], low, scale)]++;
    }
    for (int c = 0; c < CUTS; c++) {
        long long middle = 2LL * before + counts[c];
        int slab = (int)(middle * w->slab_count / (2LL * w->patch_count));
        slab_of_step[c] = (uint8_t)(slab < w->slab_count ? slab : w->slab_count - 1);
        before += counts[c];
    }
}

static void cut_slabs(cri_large *w)
{
    uint8_t slab_of_step[CUTS], *slab = w->scratch->slab;
    int count = w->patch_count / w->slab_patches;
    w->slab_count = count < 1 ? 1 : count > CRI_SLABS ? CRI_SLABS : count;
    memset(slab, 0, (size_t)w->body_count + 1);
    if (w->slab_count == 1) {
        return;
    }
    const float *places = w->b.place[axis_of_cuts(w)];
    float low = places[0], high = places[0];
    for (int i = 1; i < w->body_count; i++) {
        low = places[i] < low ? places[i] : low;
        high = places[i] > high ? places[i] : high;
    }
    float scale = CUTS / (high - low + 1e-6f);
    share_steps(w, places, low, scale, slab_of_step);
    for (int i = 0; i < w->body_count; i++) {
        slab[i] = slab_of_step[step_of(places[i], low, scale)];
    }
}

// ---------------------------------------------------------------------------------------------
// Colours.

static int colour_of(cri_large *w, const cri_large_pair *p)
{
    uint64_t *used = w->scratch->used, taken = 0;
    for (int k = 0; k < 2; k++) {
        taken |= is_pushed(w, p->movers[k]) ? used[p->movers[k]] : 0;
    }
    if (~taken == 0) {
        return COLOURS;
    }
    int colour = __builtin_ctzll(~taken);
    for (int k = 0; k < 2; k++) {
        if (is_pushed(w, p->movers[k])) {
            used[p->movers[k]] |= UINT64_C(1) << colour;
        }
    }
    return colour;
}

// Patches by slab and level, the top first.
static void sort_by_rank(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int *starts = s->rank_starts, ranks = (w->slab_count + 1) * LEVELS, sum = 0;
    memset(starts, 0, ((size_t)ranks + 1) * sizeof *starts);
    for (int i = 0; i < w->patch_count; i++) {
        starts[s->rank[i]]++;
    }
    for (int i = 0; i <= ranks; i++) {
        int count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    for (int i = 0; i < w->patch_count; i++) {
        s->by_rank[starts[s->rank[i]]++] = w->patches[i];
    }
    memmove(&starts[1], starts, (size_t)ranks * sizeof *starts);
    starts[0] = 0;
}

// Of patches first .. end - 1 those that carry alone, or the others, each into the next place of
// its colour. The sweep passes lots of the former once, so they keep to themselves.
static void put_patches(const cri_large *w, int first, int end, bool alone, int next[COLOURS + 1],
                        cri_large_lot *lots)
{
    const cri_large_scratch *s = w->scratch;
    for (int i = first; i < end; i++) {
        if (w->pairs[s->by_rank[i]].alone == alone) {
            int place = next[s->colour[i]];
            next[s->colour[i]] += s->colour[i] == COLOURS ? CRI_LOT : 1;
            lots[place / CRI_LOT].patches[place % CRI_LOT] = s->by_rank[i];
        }
    }
}

// The lots of patches first .. end - 1, of one level, from lot `lot` on; returns how many.
static int fill_level(cri_large *w, int first, int end, cri_large_lot *lots)
{
    cri_large_scratch *s = w->scratch;
    int next[COLOURS + 1], size[COLOURS + 1] = {0}, count = 0;
    for (int i = first; i < end; i++) {
        const cri_large_pair *p = &w->pairs[s->by_rank[i]];
        for (int k = 0; k < 2; k++) {
            if (is_pushed(w, p->movers[k])) {
                s->used[p->movers[k]] = 0;
            }
        }
    }
    for (int i = first; i < end; i++) {
        s->colour[i] = colour_of(w, &w->pairs[s->by_rank[i]]);
        size[s->colour[i]]++;
    }
    for (int c = 0; c < COLOURS; c++) {
        next[c] = count * CRI_LOT;
        count += (size[c] + CRI_LOT - 1) / CRI_LOT;
    }
    next[COLOURS] = count * CRI_LOT;
    count += size[COLOURS];
    for (int i = 0; i < count * CRI_LOT; i++) {
        lots[i / CRI_LOT].patches[i % CRI_LOT] = w->pair_count;
    }
    put_patches(w, first, end, false, next, lots);
    put_patches(w, first, end, true, next, lots);
    return count;
}

// Drafts of slabs: a slab has no more lots than patches.
static void fill_slabs(cri_large *w, int first, int end)
{
    cri_large_scratch *s = w->scratch;
    for (int slab = first; slab < end; slab++) {
        const int *starts = &s->rank_starts[slab * LEVELS];
        cri_large_lot *lots = &s->drafts[starts[0]];
        for (int level = 0; level < LEVELS; level++) {
            int count = 0;
            if (starts[level] < starts[level + 1]) {
                count = fill_level(w, starts[level], starts[level + 1], lots);
            }
            s->rank_lots[slab * LEVELS + level] = count;
            lots += count;
        }
    }
}

// All drafts in one list.
static bool fill_lots(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    w->lot_count = w->level_count = 0;
    for (int slab = 0; slab <= w->slab_count; slab++) {
        const cri_large_lot *lots = &s->drafts[s->rank_starts[slab * LEVELS]];
        w->slabs[slab] = (cri_large_slab){w->lot_count, w->level_count};
        for (int level = 0; level < LEVELS; level++) {
            int count = s->rank_lots[slab * LEVELS + level];
            if (w->lot_count + count > w->lot_max) {
                return false;
            }
            if (count > 0) {
                w->levels[w->level_count++] = w->lot_count;
                memcpy(&w->lots[w->lot_count], lots, (size_t)count * sizeof *lots);
            }
            w->lot_count += count;
            lots += count;
        }
    }
    w->slabs[w->slab_count + 1] = (cri_large_slab){w->lot_count, w->level_count};
    w->levels[w->level_count] = w->lot_count;
    return true;
}

bool cri_large_order(cri_large *w)
{
    cri_large_each(w, w->patch_count, PIECE, find_leans);
    list_patches(w);
    list_below(w);
    if (w->piece == 0) {
        sort_by_height(w);
        cut_slabs(w);
    }
    find_support(w);
    if (w->piece == 0 && !cri_large_recall(w)) {
        guess(w);
    }
    find_levels(w);
    list_walls(w);
    cri_large_each(w, w->patch_count, PIECE, find_carriers);
    sort_by_rank(w);
    cri_large_each(w, w->slab_count, 1, fill_slabs);
    fill_slabs(w, w->slab_count, w->slab_count + 1); // these share bodies with the others
    return fill_lots(w);
}
