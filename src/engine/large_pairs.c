// Which solids of a large world may come near each other: boxes about them, sorted and swept along
// the axis along which they are spread most.
//
// Pairs are listed for some time ahead, in which each body may stray by a leash from where its
// velocity takes it; when one strays farther, or the time is over, they are listed anew. Nothing
// depends on when that was but the time it takes.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "engine/large.h"
#include "engine/large_scratch.h"

// How far a body may stray before pairs are listed anew.
static const float LEASH = 1e-3f; // m
// Pairs are listed for so much of the time in which bodies go as far as they are large.
static const float AHEAD = 0.5f;

// ---------------------------------------------------------------------------------------------
// Time ahead.

static float length_of(float *const field[3], int i)
{
    return sqrtf(field[0][i] * field[0][i] + field[1][i] * field[1][i] + field[2][i] * field[2][i]);
}

static void look_ahead(cri_large *w)
{
    float rate = 0, left = w->h * (float)(w->model->substeps - w->substep);
    for (int i = 0; i < w->body_count; i++) {
        rate += length_of(w->b.velocity, i) / w->b.radius[i];
        for (int k = 0; k < 3; k++) {
            w->b.from[k][i] = w->b.place[k][i];
            w->b.drift[k][i] = w->b.velocity[k][i];
        }
    }
    float ahead = AHEAD * (float)w->body_count / fmaxf(rate, 1e-6f);
    w->horizon = fminf(fmaxf(ahead, w->h), left) + 0.01f * w->h;
    w->listed = w->substep;
}

bool cri_large_is_astray(const cri_large *w)
{
    float t = w->h * (float)(w->substep - w->listed);
    bool any = t + w->h > w->horizon;
    for (int i = 0; i < w->body_count && !any; i++) {
        float sum = 0;
        for (int k = 0; k < 3; k++) {
            float off = w->b.place[k][i] - w->b.from[k][i] - w->b.drift[k][i] * t;
            off = fabsf(off) + fabsf(w->b.next_velocity[k][i] - w->b.drift[k][i]) * w->h;
            sum += off * off;
        }
        any = sum > LEASH * LEASH;
    }
    return any;
}

// ---------------------------------------------------------------------------------------------
// Boxes.

static void box_around(const cri_large *w, int solid, cri_span *box)
{
    const cri_large_solid *s = &w->solids[solid];
    const float *at = &w->stances[(size_t)solid * CRI_STANCE_ROW];
    box->solid = solid;
    if (s->mover == w->body_count) {
        memcpy(box->low, s->low, sizeof box->low);
        memcpy(box->high, s->high, sizeof box->high);
        return;
    }
    float turn = length_of(w->b.spin, s->mover) * w->b.radius[s->mover] * w->horizon;
    for (int k = 0; k < 3; k++) {
        float reach = s->reach, way = w->b.velocity[k][s->mover] * w->horizon;
        if (s->shape->kind == CR_SHAPE_BOX) {
            reach =
                fabsf(at[7 + k]) * at[3] + fabsf(at[10 + k]) * at[4] + fabsf(at[13 + k]) * at[5];
        }
        float room = reach + turn + LEASH + 0.5f * CRI_SEE;
        box->low[k] = at[k] - room + fminf(way, 0);
        box->high[k] = at[k] + room + fmaxf(way, 0);
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

// Whether the spheres about two solids that move come together within the time ahead.
static bool come_near(const cri_large *w, int i, int k)
{
    const cri_large_solid *a = &w->solids[i], *b = &w->solids[k];
    const float *one = &w->stances[(size_t)i * CRI_STANCE_ROW];
    const float *two = &w->stances[(size_t)k * CRI_STANCE_ROW];
    float apart = 0, between = 0;
    if (a->mover == w->body_count || b->mover == w->body_count) {
        return true;
    }
    for (int d = 0; d < 3; d++) {
        float v = w->b.velocity[d][b->mover] - w->b.velocity[d][a->mover];
        apart += (two[d] - one[d]) * (two[d] - one[d]);
        between += v * v;
    }
    // Parts turn about the centers of their bodies.
    float reach = w->b.radius[a->mover] + w->b.radius[b->mover];
    reach = a->whole && b->whole ? a->reach + b->reach : 2 * reach;
    float within = reach + sqrtf(between) * w->horizon + 2 * LEASH + CRI_SEE;
    return apart < within * within;
}

// i < k.
static void add_pair(cri_large *w, int i, int k)
{
    if (!come_near(w, i, k) || !may_meet(w, &w->solids[i], &w->solids[k])) {
        return;
    }
    if (w->pair_count < w->pair_max) {
        w->scratch->keys[w->pair_count] =
            (cri_sort_key){(uint64_t)i << w->solid_bits | (uint64_t)k, 0};
    }
    w->pair_count++;
}

static void make_pair(cri_large *w, int index, int i, int k)
{
    bool order = comes_second(&w->solids[i], &w->solids[k]);
    const int both[2] = {order ? i : k, order ? k : i};
    const cri_large_solid *a = &w->solids[both[0]], *b = &w->solids[both[1]];
    w->pairs[index] = (cri_large_pair){
        .solids = {both[0], both[1]},
        .movers = {a->mover, b->mover},
        .manner = a->material * w->model->material_count + b->material,
        .kind = (unsigned char)kind_of(a, b),
        .silent = !a->pushed && !b->pushed,
        .grained = a->grained || b->grained,
    };
}

static void found(void *arg, int a, int b)
{
    add_pair(arg, a < b ? a : b, a < b ? b : a);
}

static void meet_planes(cri_large *w, const cri_span *boxes, int count)
{
    for (int p = 0; p < w->plane_count; p++) {
        const float *at = &w->stances[(size_t)p * CRI_STANCE_ROW], *n = &at[13];
        for (int i = 0; i < count; i++) {
            float depth = 0;
            for (int k = 0; k < 3; k++) {
                float nearest = n[k] > 0 ? boxes[i].low[k] : boxes[i].high[k];
                depth += n[k] * (nearest - at[k]);
            }
            if (depth <= 0) {
                add_pair(w, p, boxes[i].solid);
            }
        }
    }
}

// What is remembered of pairs that are listed again.
static void carry_over(cri_large *w)
{
    int old = 0;
    for (int i = 0; i < w->pair_count; i++) {
        const int *key = w->pairs[i].solids;
        int low = key[0] < key[1] ? key[0] : key[1], high = key[0] < key[1] ? key[1] : key[0];
        for (; old < w->old_count; old++) {
            const int *was = w->old_pairs[old].solids;
            int first = was[0] < was[1] ? was[0] : was[1], second = was[0] + was[1] - first;
            if (first > low || (first == low && second >= high)) {
                break;
            }
        }
        float *kept = &w->kept[(size_t)i * CRI_KEPT_ROW];
        memset(kept, 0, CRI_KEPT_ROW * sizeof *kept);
        kept[8] = -1;
        if (old < w->old_count && w->old_pairs[old].solids[0] == key[0] &&
            w->old_pairs[old].solids[1] == key[1]) {
            memcpy(kept, &w->old_kept[(size_t)old * CRI_KEPT_ROW], CRI_KEPT_ROW * sizeof *kept);
        }
    }
}

static void swap_lists(cri_large *w)
{
    cri_large_pair *pairs = w->pairs;
    float *kept = w->kept;
    w->pairs = w->old_pairs, w->old_pairs = pairs;
    w->kept = w->old_kept, w->old_kept = kept;
    w->old_count = w->substep > 0 ? w->pair_count : 0;
    w->pair_count = 0;
}

// The pair that stands for none.
static void end_list(cri_large *w)
{
    float *found = &w->found[(size_t)w->pair_count * CRI_FOUND_ROW];
    w->pairs[w->pair_count] = (cri_large_pair){.movers = {w->body_count, w->body_count}};
    memset(&w->kept[(size_t)w->pair_count * CRI_KEPT_ROW], 0, CRI_KEPT_ROW * sizeof(float));
    memset(found, 0, CRI_FOUND_ROW * sizeof *found);
    found[2] = 1;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        found[4 + i] = CRI_NO_POINT;
    }
}

bool cri_large_list_pairs(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    int count = w->solid_count - w->plane_count;
    swap_lists(w);
    look_ahead(w);
    for (int i = 0; i < count; i++) {
        box_around(w, w->plane_count + i, &s->boxes[i]);
    }
    cri_columns_sweep(&s->columns, s->boxes, count, found, w);
    meet_planes(w, s->boxes, count);
    if (w->pair_count >= w->pair_max) {
        w->pair_count = 0;
        return false;
    }
    cri_sort_keys(s->keys, s->keys_spare, w->pair_count, 2 * w->solid_bits);
    for (int i = 0; i < w->pair_count; i++) {
        uint64_t key = s->keys[i].key, first = key >> w->solid_bits;
        make_pair(w, i, (int)first, (int)(key - (first << w->solid_bits)));
    }
    carry_over(w);
    end_list(w);
    return true;
}
