// What a step of a large world reports: contacts, merged by pairs of bodies, and touched bits; and
// what balls lose by rolling.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/contact_kernel.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

static float sum_of(const float *kept)
{
    return kept[0] + kept[1] + kept[2] + kept[3];
}

// The point to tell of: the one that presses most, then the nearest.
static int best_point(const float *found, const float *kept)
{
    int best = 0;
    for (int i = 1; i < CRI_LARGE_POINTS; i++) {
        if (kept[i] > kept[best] || (kept[i] == kept[best] && found[4 + i] < found[4 + best])) {
            best = i;
        }
    }
    return best;
}

static void note(const cri_large *w, int index, float sum)
{
    const cri_large_pair *p = &w->pairs[index];
    cri_large_note *n = &w->notes[index];
    const float *found = &w->found[(size_t)index * CRI_FOUND_ROW];
    const float *arms = &w->arms[(size_t)index * CRI_ARMS_ROW];
    const float *kept = &w->kept[(size_t)index * CRI_KEPT_ROW];
    if (!p->touched) {
        n->impulse = 0;
        n->best = -1;
    }
    n->impulse += sum;
    if (sum > n->best) {
        int best = best_point(found, kept);
        n->best = sum;
        for (int k = 0; k < 3; k++) {
            // Bodies have moved since the point was found, by less than can be seen.
            n->point[k] = arms[3 * best + k] + w->b.place[k][p->movers[1]];
            n->normal[k] = found[k];
        }
    }
}

static void note_pair(const cri_large *w, int index)
{
    cri_large_pair *p = &w->pairs[index];
    bool asks = w->step->contacts != NULL;
    if (p->touched && !asks) {
        return;
    }
    const float *found = &w->found[(size_t)index * CRI_FOUND_ROW];
    float gap = found[4];
    for (int i = 5; i < 4 + CRI_LARGE_POINTS; i++) {
        gap = found[i] < gap ? found[i] : gap;
    }
    float sum = p->silent ? 0 : sum_of(&w->kept[(size_t)index * CRI_KEPT_ROW]);
    if (gap < CRI_NO_POINT / 2 && (sum > 0 || gap <= (float)TOUCH_GAP)) {
        if (asks) {
            note(w, index, sum);
        }
        p->touched = true;
    }
}

void cri_large_note_contacts(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        note_pair(w, w->patches[i]);
    }
}

void cri_large_note_silent(cri_large *w)
{
    for (int i = 0; i < w->near_count[CRI_LARGE_OTHER]; i++) {
        int index = w->near[CRI_LARGE_OTHER][i];
        if (w->pairs[index].silent) {
            note_pair(w, index);
        }
    }
}

bool cri_large_save_contact(cri_large *w, int pair)
{
    cri_large_pair *p = &w->pairs[pair];
    if (w->record_count == w->record_max) {
        return false;
    }
    if (w->step->contacts) {
        w->record_notes[w->record_count] = w->notes[pair];
    }
    w->records[w->record_count++] = (cri_large_record){{p->solids[0], p->solids[1]}};
    p->touched = false;
    return true;
}

static bool save_contacts(cri_large *w)
{
    for (int i = 0; i < w->pair_count; i++) {
        if (w->pairs[i].touched && !cri_large_save_contact(w, i)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Telling.

static cr_vec3 wide(const float v[3])
{
    return cri_vec3((double)v[0], (double)v[1], (double)v[2]);
}

static int64_t key_of(const cri_large *w, const cri_large_record *p)
{
    int a = w->solid_bodies[p->solids[0]], b = w->solid_bodies[p->solids[1]];
    return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
}

// One more of a pair that may have been told of already.
static void add(const cri_large *w, int record, bool first, double *best, cr_contact *c)
{
    const cri_large_record *p = &w->records[record];
    const cri_large_note *n = &w->record_notes[record];
    int a = w->solid_bodies[p->solids[0]], b = w->solid_bodies[p->solids[1]];
    bool swapped = a > b;
    if (first) {
        *c = (cr_contact){.a = swapped ? b : a, .b = swapped ? a : b};
        *best = -1;
    }
    c->impulse += (double)n->impulse;
    if ((double)n->best > *best) {
        *best = (double)n->best;
        c->point = wide(n->point);
        c->normal = cri_scale(swapped ? -1 : 1, wide(n->normal));
    }
}

static bool rests(const cri_large *w, int body)
{
    int slot = w->model->bodies[body].slot;
    return slot < 0 || !w->b.turns[slot];
}

// Two that sleep, or one that sleeps on what is fixed, touch if they did.
static void clear_touched(cri_large *w, cr_state *to)
{
    uint64_t *bits = cri_touched(w->model, to);
    for (int i = 0; i < w->model->who.names[w->model->body_count]; i++) {
        const cri_named_pair *p = &w->model->who.named[i];
        if (p->watched >= 0 && (!rests(w, p->a) || !rests(w, p->b))) {
            bits[p->watched / 64] &= ~(UINT64_C(1) << (p->watched % 64));
        }
    }
}

static int count_pairs(const cri_sort_key *keys, int count)
{
    int pairs = 0;
    for (int i = 0; i < count; i++) {
        pairs += i == 0 || keys[i].key != keys[i - 1].key;
    }
    return pairs;
}

bool cri_large_tell_contacts(cri_large *w)
{
    cri_sort_key *keys = w->scratch->keys, *spare = w->scratch->keys_spare;
    cr_step *step = w->step;
    if (!save_contacts(w) || w->record_count > w->pair_max) {
        return false;
    }
    int bits = 1, count = 0;
    while ((1 << bits) < w->model->body_count) {
        bits++;
    }
    for (int i = 0; i < w->record_count; i++) {
        int64_t key = key_of(w, &w->records[i]);
        keys[i] = (cri_sort_key){(uint64_t)(key >> 32) << bits | (uint64_t)(key & 0xffffffff), i};
    }
    cri_sort_keys(keys, spare, w->record_count, 2 * bits);
    if (count_pairs(keys, w->record_count) > w->model->contact_max) {
        return false;
    }
    clear_touched(w, step->to);
    double best = -1;
    for (int i = 0; i < w->record_count; i++) {
        const cri_large_record *p = &w->records[keys[i].index];
        bool first = i == 0 || keys[i].key != keys[i - 1].key;
        count += first;
        if (first && w->model->watched_count > 0) {
            int bit = cri_pairs_bit(&w->model->who, w->solid_bodies[p->solids[0]],
                                    w->solid_bodies[p->solids[1]]);
            if (bit >= 0) {
                cri_touched(w->model, step->to)[bit / 64] |= UINT64_C(1) << (bit % 64);
            }
        }
        if (step->contacts) {
            add(w, keys[i].index, first, &best, &step->contacts[count - 1]);
        }
    }
    step->contact_count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Rolling: see roll.c.

// The spin of a body in a solve.
cr_vec3 cri_large_spin(const cri_large *w, int mover)
{
    const float *speed = &w->speeds[(size_t)mover * CRI_SPEED_ROW];
    const float *u = &w->body_rows[(size_t)mover * CRI_BODY_ROW];
    float d[3], out[3];
    for (int k = 0; k < 3; k++) {
        d[k] = speed[4 + k] - w->b.swing[k][mover];
        out[k] = w->b.next_spin[k][mover];
    }
    out[0] += u[0] * d[0] + u[3] * d[1] + u[4] * d[2];
    out[1] += u[3] * d[0] + u[1] * d[1] + u[5] * d[2];
    out[2] += u[4] * d[0] + u[5] * d[1] + u[2] * d[2];
    return wide(out);
}

static void resist(cri_large *w, const cri_large_pair *p, int side, double impulse)
{
    int i = p->movers[side];
    const cri_manner *m = &w->numbers->manners[p->manner];
    const float *found = &w->found[(size_t)(p - w->pairs) * CRI_FOUND_ROW];
    double radius = (double)w->b.radius[i], inertia = (double)w->b.inertias[0][i];
    double lever = rolling_lever(radius, inertia / ((double)w->b.mass[i] * radius * radius));
    cr_vec3 spin = cri_sub(cri_large_spin(w, i), cri_large_spin(w, p->movers[1 - side]));
    double roll = (double)m->rolling * impulse * lever / inertia;
    double twist = (double)m->spinning * impulse * radius / inertia;
    cr_vec3 change = resistance(spin, wide(found), roll, twist);
    // A ball's swing is its spin times one root.
    float *speed = &w->speeds[(size_t)i * CRI_SPEED_ROW], root = w->b.roots[0][i];
    speed[4] += root * (float)change.x;
    speed[5] += root * (float)change.y;
    speed[6] += root * (float)change.z;
}

void cri_large_resist_rolling(cri_large *w)
{
    for (int n = 0; n < w->patch_count && w->any_ball; n++) {
        const cri_large_pair *p = &w->pairs[w->patches[n]];
        const cri_manner *m = &w->numbers->manners[p->manner];
        if (m->rolling <= 0 && m->spinning <= 0) {
            continue;
        }
        double impulse = (double)sum_of(&w->kept[(size_t)w->patches[n] * CRI_KEPT_ROW]);
        for (int side = 0; side < 2 && impulse > 0; side++) {
            if (w->solids[p->solids[side]].ball && w->b.pushed[p->movers[side]]) {
                resist(w, p, side, impulse);
            }
        }
    }
}
