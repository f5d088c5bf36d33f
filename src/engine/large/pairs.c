// Which solids of a large world may come near each other.
//
// Each solid has a box about it and about where it may go in a substep. Pairs are listed with wider
// boxes, for some time ahead, and the list holds while each box stays within its wider one, from
// step to step too. Two are near in a substep if their boxes of that substep meet (large/near.h),
// so nothing depends on when pairs were listed but the time it takes. Where few stray, their own
// pairs are added, and others that they had stay in the list until all are listed anew.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

// How far a body may stray before pairs are listed anew, and over its radius.
static const float LEASH = 3e-4f; // m
static const float LEASH_SHARE = 0.08f;
// What is struck strays: for so many substeps it may go the other way.
static const float STRUCK = 2;
// Pairs are listed for so much of the time in which bodies go as far as they are large, at most for
// so many substeps.
static const float AHEAD = 0.5f;
static const float AHEAD_MAX = 8;
// Solids that are worth a piece of work.
enum { SOLIDS = 128 };
// Each stray is compared with all: beyond so many at once, or this share of all since pairs were
// listed, it pays to list them anew.
enum { STRAYS = 32, STRAY_SHARE = 8 };

// ---------------------------------------------------------------------------------------------
// Boxes.

static float length_of(float *const field[3], int i)
{
    return sqrtf(field[0][i] * field[0][i] + field[1][i] * field[1][i] + field[2][i] * field[2][i]);
}

// How far a solid reaches along an axis when its points turn by so much, m. One whose middle is
// that of its body stays within the sphere about it however fast it spins.
static float reach_along(const cri_large *w, int solid, const float *at, int k, float turn)
{
    float reach = w->reaches[solid];
    if (w->sharp[solid] > 0) {
        reach = fabsf(at[7 + k]) * at[3] + fabsf(at[10 + k]) * at[4] + fabsf(at[13 + k]) * at[5];
    }
    reach += turn;
    return w->whole[solid] > 0 && reach > w->reaches[solid] ? w->reaches[solid] : reach;
}

// How fast forces change the velocity of a body within a substep, m/s; the rest of its stir is
// turning.
static float change_of(const cri_large *w, int mover)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float d = w->b.next_velocity[k][mover] - w->b.velocity[k][mover];
        sum += d * d;
    }
    return sqrtf(sum);
}

static bool is_within(const float box[6], const cri_span *wide)
{
    return box[0] >= wide->low[0] && box[1] >= wide->low[1] && box[2] >= wide->low[2] &&
           box[3] <= wide->high[0] && box[4] <= wide->high[1] && box[5] <= wide->high[2];
}

static const float *box_of(const cri_large *w, int solid)
{
    return &w->near_rows[(size_t)solid * CRI_NEAR_ROW];
}

void cri_large_look_for_strays(cri_large *w, int first, int end)
{
    cri_large_scratch *s = w->scratch;
    for (int i = first; i < end; i++) {
        s->astray[i] = !is_within(box_of(w, w->plane_count + i), &s->wide[i]);
    }
}

// s: how far ahead pairs are listed.
static float look_ahead(const cri_large *w)
{
    float rate = 0;
    for (int i = 0; i < w->body_count; i++) {
        rate += length_of(w->b.velocity, i) / w->b.radius[i];
    }
    float ahead = AHEAD * (float)w->body_count / fmaxf(rate, 1e-6f);
    return fminf(fmaxf(ahead, w->h), AHEAD_MAX * w->h);
}

// The boxes of this substep.
static void take_boxes(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        cri_span *span = &w->scratch->wide[i];
        const float *box = box_of(w, w->plane_count + i);
        memcpy(span->low, box, sizeof span->low);
        memcpy(span->high, &box[3], sizeof span->high);
        span->solid = w->plane_count + i;
    }
}

// Wider ones hold them.
static void widen_box(const cri_large *w, float ahead, cri_span *wide)
{
    const cri_large_solid *s = &w->solids[wide->solid];
    const float *at = &w->stances[(size_t)wide->solid * CRI_STANCE_ROW];
    int mover = s->mover;
    if (mover == w->body_count) {
        return;
    }
    float radius = w->b.radius[mover], turn = length_of(w->b.spin, mover) * radius * ahead;
    float room = LEASH + LEASH_SHARE * radius + 0.5f * CRI_SEE +
                 STRUCK * w->h * length_of(w->b.velocity, mover) + change_of(w, mover) * w->h;
    for (int k = 0; k < 3; k++) {
        float way = w->b.velocity[k][mover] * ahead;
        float reach = reach_along(w, wide->solid, at, k, turn) + room;
        wide->low[k] = fminf(wide->low[k], at[k] - reach + (way < 0 ? way : 0));
        wide->high[k] = fmaxf(wide->high[k], at[k] + reach + (way > 0 ? way : 0));
    }
}

static void widen(cri_large *w, int first, int end)
{
    take_boxes(w, first, end);
    for (int i = first; i < end; i++) {
        widen_box(w, w->scratch->ahead, &w->scratch->wide[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// Pairs.

static bool is_open(const cri_large *w, int pair)
{
    return (w->mask[pair / 64] >> (pair % 64)) & 1;
}

static cri_large_kind kind_of(const cri_large_solid *a, const cri_large_solid *b)
{
    cr_shape_kind one = a->shape->kind, two = b->shape->kind;
    if (two == CR_SHAPE_BOX) {
        return one == CR_SHAPE_BOX     ? CRI_LARGE_BOXES
               : one == CR_SHAPE_PLANE ? CRI_LARGE_PLANE_BOX
                                       : CRI_LARGE_OTHER;
    }
    if (two != CR_SHAPE_SPHERE) {
        return CRI_LARGE_OTHER;
    }
    return one == CR_SHAPE_BOX      ? CRI_LARGE_BOX_BALL
           : one == CR_SHAPE_PLANE  ? CRI_LARGE_PLANE_BALL
           : one == CR_SHAPE_SPHERE ? CRI_LARGE_BALLS
                                    : CRI_LARGE_OTHER;
}

// What is pushed comes second, and of two that are a ball does; else the later one.
static bool comes_second(const cri_large_solid *a, const cri_large_solid *b)
{
    if (a->pushed != b->pushed) {
        return b->pushed;
    }
    bool one = a->shape->kind == CR_SHAPE_SPHERE, two = b->shape->kind == CR_SHAPE_SPHERE;
    return one != two ? two : true;
}

static bool may_meet(const cri_large *w, const cri_large_solid *a, const cri_large_solid *b)
{
    if (a->mover == b->mover || (a->mover == w->body_count && b->mover == w->body_count)) {
        return false;
    }
    return cri_pairs_meet(&w->model->who, a->body, b->body) &&
           (!w->mask || is_open(w, cri_pairs_find(&w->model->who, a->body, b->body)));
}

// Who looks for pairs, with keys that are not in the list yet. In which order they come there does
// not matter, because they are sorted.
enum { SEEKER_KEYS = 64 };

typedef struct seeker {
    cri_large *w;
    int count;
    uint64_t keys[SEEKER_KEYS];
} seeker;

static void hand_in(seeker *who)
{
    cri_large_scratch *s = who->w->scratch;
    int first = atomic_fetch_add(&s->key_count, who->count);
    for (int i = 0; i < who->count && first + i < who->w->pair_max; i++) {
        s->keys[first + i] = (cri_sort_key){who->keys[i], 0};
    }
    who->count = 0;
}

static void add_pair(void *arg, int i, int k)
{
    seeker *who = arg;
    const cri_large *w = who->w;
    if (may_meet(w, &w->solids[i], &w->solids[k])) {
        uint64_t a = (uint64_t)(i < k ? i : k), b = (uint64_t)(i < k ? k : i);
        who->keys[who->count++] = a << w->solid_bits | b;
        if (who->count == SEEKER_KEYS) {
            hand_in(who);
        }
    }
}

static cri_large_pair make_pair(const cri_large *w, uint64_t key)
{
    int i = (int)(key >> w->solid_bits), k = (int)(key - ((uint64_t)i << w->solid_bits));
    bool order = comes_second(&w->solids[i], &w->solids[k]);
    const int both[2] = {order ? i : k, order ? k : i};
    const cri_large_solid *a = &w->solids[both[0]], *b = &w->solids[both[1]];
    return (cri_large_pair){
        .solids = {both[0], both[1]},
        .movers = {a->mover, b->mover},
        .manner = a->material * w->model->material_count + b->material,
        .kind = (unsigned char)kind_of(a, b),
        .silent = !a->pushed && !b->pushed,
        .grained = a->grained || b->grained,
    };
}

bool cri_large_meets_plane(const cri_large *w, int plane, const float low[3], const float high[3])
{
    const float *at = &w->stances[(size_t)plane * CRI_STANCE_ROW], *n = &at[13];
    float depth = 0;
    for (int k = 0; k < 3; k++) {
        float nearest = n[k] > 0 ? low[k] : high[k];
        depth += n[k] * (nearest - at[k]);
    }
    return depth <= 0;
}

// The planes that wider boxes first .. end - 1 reach into.
static void meet_planes(cri_large *w, int first, int end, seeker *who)
{
    for (int p = 0; p < w->plane_count; p++) {
        for (int i = first; i < end; i++) {
            const cri_span *box = &w->scratch->wide[i];
            if (cri_large_meets_plane(w, p, box->low, box->high)) {
                add_pair(who, p, box->solid);
            }
        }
    }
}

static void seek(cri_large *w, int first, int end)
{
    seeker who = {.w = w};
    for (int i = first; i < end; i++) {
        cri_columns_seek(&w->scratch->columns, i, add_pair, &who);
    }
    hand_in(&who);
}

static uint64_t key_of(const cri_large *w, const cri_large_pair *p)
{
    uint64_t a = (uint64_t)p->solids[0], b = (uint64_t)p->solids[1];
    return a < b ? a << w->solid_bits | b : b << w->solid_bits | a;
}

static float *append(cri_large *w, const cri_large_pair *pair)
{
    w->pairs[w->pair_count] = *pair;
    return &w->kept[(size_t)w->pair_count++ * CRI_KEPT_ROW];
}

// One that was listed before, with what is remembered of it.
static void append_old(cri_large *w, int old)
{
    if (w->old_pairs[old].touched) {
        w->notes[w->pair_count] = w->old_notes[old];
    }
    memcpy(append(w, &w->old_pairs[old]), &w->old_kept[(size_t)old * CRI_KEPT_ROW],
           CRI_KEPT_ROW * sizeof *w->kept);
}

static void append_new(cri_large *w, uint64_t key)
{
    cri_large_pair pair = make_pair(w, key);
    append(w, &pair);
    cri_large_forget(w, w->pair_count - 1);
}

static void trade(cri_large *w)
{
    cri_large_pair *pairs = w->pairs;
    cri_large_note *notes = w->notes;
    float *kept = w->kept;
    w->pairs = w->old_pairs, w->old_pairs = pairs;
    w->notes = w->old_notes, w->old_notes = notes;
    w->kept = w->old_kept, w->old_kept = kept;
}

// The pairs of the keys in order, with what is remembered of those that were listed before; and
// those that touched, until it is seen that they are no longer near.
static void merge(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int old = 0, old_count = w->pair_count, key_count = s->key_count;
    trade(w);
    w->pair_count = 0;
    const cri_large_pair *pairs = w->old_pairs;
    for (int i = 0; i <= key_count; i++) {
        uint64_t key = i < key_count ? s->keys[i].key : UINT64_MAX;
        for (; old < old_count && key_of(w, &pairs[old]) < key; old++) {
            if (pairs[old].touched) {
                append_old(w, old);
            }
        }
        if (i < key_count && old < old_count && key_of(w, &pairs[old]) == key) {
            append_old(w, old++);
        } else if (i < key_count) {
            append_new(w, key);
        }
    }
}

// The pair that stands for none.
static void end_list(cri_large *w)
{
    float *found = &w->found[(size_t)w->pair_count * CRI_FOUND_ROW];
    w->pairs[w->pair_count] =
        (cri_large_pair){.movers = {w->body_count, w->body_count}, .alone = true};
    memset(&w->kept[(size_t)w->pair_count * CRI_KEPT_ROW], 0, CRI_KEPT_ROW * sizeof(float));
    memset(found, 0, CRI_FOUND_ROW * sizeof *found);
    memset(&w->arms[(size_t)w->pair_count * CRI_ARMS_ROW], 0, CRI_ARMS_ROW * sizeof(float));
    found[2] = 1;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        found[4 + i] = CRI_NO_POINT;
    }
}

// Keys of the solids whose boxes meet. False: there are too many.
static bool find_keys(cri_large *w)
{
    enum { COLUMNS = 8 };
    cri_large_scratch *s = w->scratch;
    seeker who = {.w = w};
    atomic_store(&s->key_count, 0);
    cri_columns_stand(&s->columns, s->wide, w->solid_count - w->plane_count);
    cri_large_each(w, s->columns.column_count + 1, COLUMNS, seek);
    meet_planes(w, 0, w->solid_count - w->plane_count, &who);
    hand_in(&who);
    return s->key_count <= w->pair_max;
}

// ---------------------------------------------------------------------------------------------
// Strays.

// Where a key is in the list, or would be.
static int place_of(const cri_large *w, uint64_t key)
{
    int low = 0, high = w->pair_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (key_of(w, &w->pairs[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Sort keys, and leave out those that are listed, or come twice; returns how many are left.
static int pick_new(const cri_large *w, int count)
{
    cri_sort_key *keys = w->scratch->keys;
    int left = 0;
    cri_sort_keys(keys, w->scratch->keys_spare, count, 2 * w->solid_bits);
    for (int i = 0; i < count; i++) {
        uint64_t key = keys[i].key;
        int place = place_of(w, key);
        bool listed = place < w->pair_count && key_of(w, &w->pairs[place]) == key;
        if (!listed && (left == 0 || keys[left - 1].key != key)) {
            keys[left++] = (cri_sort_key){key, place};
        }
    }
    return left;
}

// Make room: pairs from `from` on, and what is remembered of them, go so many places up.
static void shift(cri_large *w, int from, int end, int by)
{
    size_t count = (size_t)(end - from);
    memmove(&w->pairs[from + by], &w->pairs[from], count * sizeof *w->pairs);
    memmove(&w->notes[from + by], &w->notes[from],
            w->step->contacts ? count * sizeof *w->notes : 0);
    memmove(&w->kept[(size_t)(from + by) * CRI_KEPT_ROW], &w->kept[(size_t)from * CRI_KEPT_ROW],
            count * CRI_KEPT_ROW * sizeof *w->kept);
}

static void insert(cri_large *w, int count)
{
    const cri_sort_key *keys = w->scratch->keys;
    int end = w->pair_count;
    w->pair_count += count;
    for (int i = count - 1; i >= 0; i--) {
        int pair = keys[i].index + i;
        shift(w, keys[i].index, end, i + 1);
        end = keys[i].index;
        w->pairs[pair] = make_pair(w, keys[i].key);
        cri_large_forget(w, pair);
    }
}

// All that the wider box of a solid meets.
static void seek_for(cri_large *w, int stray, seeker *who)
{
    const cri_span *wide = w->scratch->wide, *own = &wide[stray];
    meet_planes(w, stray, stray + 1, who);
    for (int i = 0; i < w->solid_count - w->plane_count; i++) {
        if (i != stray && cri_spans_meet(own, &wide[i])) {
            add_pair(who, own->solid, wide[i].solid);
        }
    }
}

// Those that strayed; returns how many, or one more than are worth it.
static int find_strays(const cri_large *w, int strays[STRAYS])
{
    int count = 0;
    for (int i = 0; i < w->solid_count - w->plane_count && count <= STRAYS; i++) {
        if (w->scratch->astray[i]) {
            if (count < STRAYS) {
                strays[count] = i;
            }
            count++;
        }
    }
    return count;
}

// Add the pairs of those that strayed. False: list all.
static bool add_strays(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    seeker who = {.w = w};
    int strays[STRAYS], count = find_strays(w, strays);
    s->stray_count += count;
    if (!w->listed || w->mask || count > STRAYS ||
        s->stray_count > (w->solid_count - w->plane_count) / STRAY_SHARE) {
        return false;
    }
    atomic_store(&s->key_count, 0);
    for (int i = 0; i < count; i++) {
        widen(w, strays[i], strays[i] + 1);
    }
    for (int i = 0; i < count; i++) {
        seek_for(w, strays[i], &who);
    }
    hand_in(&who);
    int more = s->key_count <= w->pair_max ? pick_new(w, s->key_count) : w->pair_max;
    if (w->pair_count + more > w->pair_max) {
        return false;
    }
    insert(w, more);
    end_list(w);
    return true;
}

static bool list_all(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    s->ahead = look_ahead(w) + w->h;
    s->stray_count = 0;
    cri_large_each(w, w->solid_count - w->plane_count, SOLIDS, widen);
    w->listed = !w->mask;
    // Whether it is too crowded may not depend on how wide the boxes are.
    if (!find_keys(w)) {
        w->listed = false;
        take_boxes(w, 0, w->solid_count - w->plane_count);
        if (!find_keys(w)) {
            w->pair_count = 0;
            return false;
        }
    }
    cri_sort_keys(s->keys, s->keys_spare, s->key_count, 2 * w->solid_bits);
    merge(w);
    end_list(w);
    return true;
}

bool cri_large_list_pairs(cri_large *w)
{
    size_t solids = (size_t)(w->solid_count - w->plane_count);
    bool listed = w->listed && !w->mask && !memchr(w->scratch->astray, 1, solids);
    return listed || add_strays(w) || list_all(w);
}

void cri_large_forget(cri_large *w, int pair)
{
    memset(&w->kept[(size_t)pair * CRI_KEPT_ROW], 0, CRI_KEPT_ROW * sizeof *w->kept);
    w->pairs[pair].feature = CRI_NO_FEATURE;
}

// What is not near has been forgotten before.
void cri_large_begin_pairs(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        cri_large_pair *p = &w->pairs[i];
        if (p->near) {
            cri_large_forget(w, i);
        }
        p->near = p->touched = false;
    }
}
