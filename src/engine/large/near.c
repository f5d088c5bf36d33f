// Which pairs of a large world may have points in a substep, and the points of shapes that no lanes
// know.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

// ---------------------------------------------------------------------------------------------
// Near pairs.

static bool is_moving(const cri_large *w, int mover)
{
    return w->b.turns[mover] != 0;
}

static float margin_of(const cri_large *w, const cri_large_pair *p)
{
    const float *one = &w->body_rows[(size_t)p->movers[0] * CRI_BODY_ROW + 8];
    const float *two = &w->body_rows[(size_t)p->movers[1] * CRI_BODY_ROW + 8];
    float sum = 0;
    for (int k = 4; k < 7; k++) {
        float v = two[k] - one[k];
        sum += v * v;
    }
    return (sqrtf(sum) + one[3] + two[3]) * w->h + CRI_SEE;
}

bool cri_large_near_plane(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    const float *one = &w->stances[(size_t)p->solids[0] * CRI_STANCE_ROW];
    const float *two = &w->stances[(size_t)p->solids[1] * CRI_STANCE_ROW];
    const float *box = &w->near_rows[(size_t)p->solids[1] * CRI_NEAR_ROW];
    return cri_large_meets_plane(w, p->solids[0], box, &box[3]) &&
           one[13] * (two[0] - one[0]) + one[14] * (two[1] - one[1]) + one[15] * (two[2] - one[2]) <
               margin_of(w, p) + w->reaches[p->solids[1]];
}

// A near pair is looked at where one of the two moves.
static bool is_looked_at(const cri_large *w, const cri_large_pair *p)
{
    return p->near && (is_moving(w, p->movers[0]) || is_moving(w, p->movers[1]));
}

static int kind_of(const cri_large_pair *p)
{
    return p->silent ? CRI_LARGE_OTHER : p->kind;
}

static int chunk_end(const cri_large *w, int chunk)
{
    int end = (chunk + 1) * CRI_CHUNK;
    return end < w->pair_count ? end : w->pair_count;
}

// A chunk's own lists begin where its pairs do.
static void fill_near(cri_large *w, int first, int end)
{
    for (int n = first; n < end; n++) {
        cri_chunk *c = &w->scratch->chunks[n];
        *c = (cri_chunk){0};
        for (int i = n * CRI_CHUNK; i < chunk_end(w, n); i++) {
            const cri_large_pair *p = &w->pairs[i];
            c->left = c->left || (p->touched && !p->near);
            if (is_looked_at(w, p)) {
                int kind = kind_of(p);
                w->near[kind][n * CRI_CHUNK + c->near[kind]++] = i;
                w->patches[n * CRI_CHUNK + c->patches++] = i;
            }
        }
    }
}

// One more chunk of a list that has `count` so far; returns how many it has then.
static int close_up(int *list, int count, int chunk, int more)
{
    memmove(&list[count], &list[chunk * CRI_CHUNK], (size_t)more * sizeof *list);
    return count + more;
}

static void join_chunks(cri_large *w, int chunks)
{
    int *counts = w->near_count;
    w->patch_count = 0;
    memset(counts, 0, sizeof w->near_count);
    for (int n = 0; n < chunks; n++) {
        const cri_chunk *c = &w->scratch->chunks[n];
        for (int k = 0; k < CRI_LARGE_KINDS; k++) {
            counts[k] = close_up(w->near[k], counts[k], n, c->near[k]);
        }
        w->patch_count = close_up(w->patches, w->patch_count, n, c->patches);
    }
}

// Contacts of pairs that are no longer near.
static bool save_left(cri_large *w, int chunk)
{
    bool good = true;
    for (int i = chunk * CRI_CHUNK; i < chunk_end(w, chunk) && good; i++) {
        const cri_large_pair *p = &w->pairs[i];
        good = !p->touched || p->near || cri_large_save_contact(w, i);
    }
    return good;
}

bool cri_large_list_near(cri_large *w)
{
    int chunks = (w->pair_count + CRI_CHUNK - 1) / CRI_CHUNK;
    bool good = true;
    cri_large_each(w, chunks, 1, fill_near);
    for (int n = 0; n < chunks && good; n++) {
        good = !w->scratch->chunks[n].left || save_left(w, n);
    }
    join_chunks(w, chunks);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Other shapes.

static cr_pose pose_of(const cri_large *w, const cri_large_solid *s)
{
    if (s->mover == w->body_count) {
        return s->pose;
    }
    const cri_large_bodies *b = &w->b;
    int i = s->mover;
    cr_quat turn = {(double)b->rotation[0][i], (double)b->rotation[1][i], (double)b->rotation[2][i],
                    (double)b->rotation[3][i]};
    double scale = 1 / sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w);
    turn = (cr_quat){turn.x * scale, turn.y * scale, turn.z * scale, turn.w * scale};
    return cri_pose_mul((cr_pose){cri_large_place(w, i), turn}, s->pose);
}

cr_pose cri_large_pose(const cri_large *w, int solid)
{
    return pose_of(w, &w->solids[solid]);
}

cr_vec3 cri_large_grain(const cri_large *w, const cri_large_pair *p)
{
    for (int i = 0; i < 2; i++) {
        const cri_large_solid *s = &w->solids[p->solids[i]];
        if (s->grained) {
            cr_vec3 grain = w->model->materials[s->material].grain;
            return cri_rotate(pose_of(w, s).rotation, grain);
        }
    }
    return cri_vec3(0, 0, 0);
}

static double distance2(const cri_touch *a, const cri_touch *b)
{
    cr_vec3 d = cri_sub(a->point, b->point);
    return cri_dot(d, d);
}

// Four of up to eight: the deepest, then each time the one farthest from those that are taken.
static int pick_touches(cri_touch *t, int count)
{
    for (int n = 0; n < CRI_LARGE_POINTS && n < count; n++) {
        int best = n;
        double most = -HUGE_VAL;
        for (int i = n; i < count; i++) {
            double score = n == 0 ? t[i].depth : HUGE_VAL;
            for (int k = 0; k < n; k++) {
                score = fmin(score, distance2(&t[i], &t[k]));
            }
            if (score > most) {
                most = score;
                best = i;
            }
        }
        cri_touch swap = t[n];
        t[n] = t[best];
        t[best] = swap;
    }
    return count < CRI_LARGE_POINTS ? count : CRI_LARGE_POINTS;
}

static void put_arm(const cri_large *w, const cri_large_pair *p, const cri_touch *t, float arm[3])
{
    cr_vec3 center = cri_large_place(w, p->movers[1]);
    // On the surface of a ball, so that the lever of friction is its radius.
    double shift = w->solids[p->solids[1]].ball ? -0.5 : w->solids[p->solids[0]].ball ? 0.5 : 0;
    cr_vec3 lever = cri_sub(cri_mad(t->point, shift * t->depth, t->normal), center);
    arm[0] = (float)lever.x;
    arm[1] = (float)lever.y;
    arm[2] = (float)lever.z;
}

static void find_other(cri_large *w, int index)
{
    const cri_large_pair *p = &w->pairs[index];
    const cri_large_solid *a = &w->solids[p->solids[0]], *b = &w->solids[p->solids[1]];
    float *found = &w->found[(size_t)index * CRI_FOUND_ROW];
    float *arms = &w->arms[(size_t)index * CRI_ARMS_ROW];
    cri_touch touches[CRI_TOUCH_MAX];
    double margin = (double)margin_of(w, p);
    int count = cri_collide(a->shape, pose_of(w, a), b->shape, pose_of(w, b), margin, touches);
    memset(found, 0, CRI_FOUND_ROW * sizeof *found);
    memset(arms, 0, CRI_ARMS_ROW * sizeof *arms);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        found[4 + i] = CRI_NO_POINT;
    }
    if (count > 0) {
        found[0] = (float)touches[0].normal.x;
        found[1] = (float)touches[0].normal.y;
        found[2] = (float)touches[0].normal.z;
        found[3] = 1000;
    }
    count = pick_touches(touches, count);
    for (int i = 0; i < count; i++) {
        found[4 + i] = (float)-touches[i].depth;
        put_arm(w, p, &touches[i], &arms[3 * i]);
    }
}

void cri_large_find_others(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        find_other(w, w->near[CRI_LARGE_OTHER][i]);
    }
}
