// What a step reports, in lanes. See record.c.
#ifndef CRI_LANES_RECORD_H
#define CRI_LANES_RECORD_H

#include "engine/lanes/world.h"

static inline record *record_of(batch *w, int pair)
{
    record *r = &w->records[pair];
    if (!w->is_touched[pair]) {
        int i = w->touched_count++;
        for (; i > 0 && w->touched[i - 1] > pair; i--) {
            w->touched[i] = w->touched[i - 1];
        }
        w->touched[i] = pair;
        w->is_touched[pair] = 1;
        r->touched = cri_mask_all(0);
        r->impulse = cri_lanes_all(0);
        r->best = cri_lanes_all(-1);
        r->place = r->normal = cri_lanes3_zero();
    }
    return r;
}

static inline cri_mask touches(const batch *w, const point *p)
{
    return w->run & p->near & is_touching(cri_lanes_keep(p->solve, p->impulse), p->gap);
}

// Note that the points first .. end - 1, all of one pair, touch.
static inline void note_touch(batch *w, int first, int end)
{
    cri_mask touched = cri_mask_all(0);
    for (int i = first; i < end; i++) {
        touched = touched | touches(w, &w->points[i]);
    }
    if (cri_mask_any(touched)) {
        record *r = record_of(w, w->points[first].meet->pair);
        r->touched = r->touched | touched;
    }
}

// The same, with what is to be reported: the point with the largest impulse, then the smallest gap.
static inline void record_pair(batch *w, int first, int end)
{
    const point *p = &w->points[first];
    cri_mask touched = touches(w, p);
    cri_lanes sum = cri_lanes_keep(p->solve, p->impulse), gap = p->gap;
    cri_lanes most = cri_lanes_pick(touched, sum, cri_lanes_all(-1));
    cri_lanes3 place = p->place, normal = p->normal;
    for (int i = first + 1; i < end; i++) {
        p = &w->points[i];
        cri_lanes impulse = cri_lanes_keep(p->solve, p->impulse);
        cri_mask same = ~is_less(impulse, most) & ~is_less(most, impulse);
        cri_mask better = touches(w, p) & (is_less(most, impulse) | (same & is_less(p->gap, gap)));
        sum = sum + impulse;
        most = cri_lanes_pick(better, impulse, most);
        gap = cri_lanes_pick(better, p->gap, gap);
        place = cri_lanes3_pick(better, p->place, place);
        normal = cri_lanes3_pick(better, p->normal, normal);
        touched = touched | better;
    }
    if (cri_mask_any(touched)) {
        record *r = record_of(w, w->points[first].meet->pair);
        cri_mask better = touched & is_less(r->best, sum);
        r->touched = r->touched | touched;
        r->impulse = r->impulse + cri_lanes_keep(touched, sum);
        r->best = cri_lanes_pick(better, sum, r->best);
        r->place = cri_lanes3_pick(better, place, r->place);
        r->normal = cri_lanes3_pick(better, normal, r->normal);
    }
}

static inline void record_points(batch *w)
{
    for (int i = 0; i < w->point_count;) {
        int first = i, pair = w->points[i].meet->pair;
        while (i < w->point_count && w->points[i].meet->pair == pair) {
            i++;
        }
        if (w->reports) {
            record_pair(w, first, i);
        } else {
            note_touch(w, first, i);
        }
    }
}

static inline cr_vec3 lane_of(const cri_lanes3 *v, int lane)
{
    return cri_vec3((double)cri_lanes_get(&v->x, lane), (double)cri_lanes_get(&v->y, lane),
                    (double)cri_lanes_get(&v->z, lane));
}

static inline void store_contact(const batch *w, int pair, int lane, cr_contact *contact)
{
    const cri_pair *p = &w->course->model->pairs[pair];
    const record *r = &w->records[pair];
    // Points run from solids to balls, pairs from the lower number to the higher.
    bool swapped = w->course->swapped[pair];
    cr_vec3 normal = cri_unit(lane_of(&r->normal, lane), cri_vec3(0, 0, 1));
    *contact =
        (cr_contact){p->a, p->b, lane_of(&r->place, lane), swapped ? cri_neg(normal) : normal,
                     (double)cri_lanes_get(&r->impulse, lane)};
}

// Of a pair that touched in this lane.
static inline void store_touch(const batch *w, int pair, int lane, cr_step *step)
{
    const cr_model *model = w->course->model;
    int watched = model->pairs[pair].watched;
    if (step->contacts) {
        store_contact(w, pair, lane, &step->contacts[step->contact_count]);
    }
    step->contact_count++;
    if (watched >= 0) {
        cri_touched(model, step->to)[watched / 64] |= (uint64_t)1 << (watched % 64);
    }
}

// In these lanes, one bit each.
static inline void store_contacts(const batch *w, cr_step *steps, unsigned lanes)
{
    const cr_model *model = w->course->model;
    size_t words = (size_t)(model->watched_count + 63) / 64;
    for (unsigned left = lanes; left; left &= left - 1) {
        cr_step *step = &steps[__builtin_ctz(left)];
        memset(cri_touched(model, step->to), 0, words * sizeof(uint64_t));
        step->contact_count = 0;
    }
    for (int i = 0; i < w->touched_count; i++) {
        int pair = w->touched[i];
        unsigned left = lanes & cri_mask_bits(w->records[pair].touched);
        for (; left; left &= left - 1) {
            store_touch(w, pair, __builtin_ctz(left), &steps[__builtin_ctz(left)]);
        }
    }
}

#endif
