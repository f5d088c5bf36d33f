// Free bodies that stand still. Most worlds of a search are calm: each free body stands on the
// floor, at rest, and nothing touches it. Such a world is a plain one in which these bodies do not
// take part, at a tenth of what it costs to find anew that they stay where they are.
//
//         leash of the ball            a world is calm if all its free bodies
//        . ---- .
//      .    o    .    |  box |           are boxes or cylinders on a level floor, on a face
//        . ---- .     |      |           move slower than STILL_SPEED, and nothing acts on them
//     ================+======+===        are beyond the reach of all else in this step
//                room |<---->|
//
// The last is a guess when the step begins, and known at its end: a world in which a mover went
// farther than its room steps again with its free bodies free. All of it is told from the world's
// own state, actions and numbers.
#ifndef CRI_LANES_STILL_H
#define CRI_LANES_STILL_H

#include "engine/lanes/box.h"
#include "engine/lanes/record.h"

// As fast as float rounding makes a body that rests, and a little more.
#define STILL_SPEED 1e-5f // m/s
// Such a body is this near to its floor, at the corners of its face,
#define STILL_GAP 2e-6f // m
// this far from all that does not move, and movers do not come nearer than that.
#define STILL_APART 2e-4f // m
#define STILL_ROOM  5e-3f // m

// A body that stands still, in lanes.
typedef struct stand {
    cri_lanes3 place;
    cri_lanes high;   // m, of its middle above the face that it stands on
    cri_lanes round;  // m, of a circle around it, seen from above
    cri_lanes lean;   // m, of its lowest corner below that face's middle
    cri_lanes weight; // N s in a step, where contacts are reported
    cri_mask rests;   // it touches a floor
    cri_mask sound;   // its place and rotation are such as floats are good for
} stand;

// ---------------------------------------------------------------------------------------------
// Whether a world may be calm.

static inline bool is_slow(cr_vec3 v, double most)
{
    // A NaN is not slow.
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

static inline bool is_calm_body(const cr_body_state *s, const cr_action *a, float reach)
{
    return is_slow(s->velocity, STILL_SPEED) && is_slow(s->spin, STILL_SPEED / reach) &&
           is_slow(a->force, 0) && is_slow(a->torque, 0) && is_slow(a->impulse, 0) &&
           is_slow(a->twist, 0);
}

// Weight alone acts on free bodies, straight down, and they are slow.
static inline bool may_be_calm(const cri_course *c, const cr_step *step)
{
    const cr_numbers *numbers = step->numbers ? step->numbers : c->own;
    const float *g = numbers->pull.gravity;
    const cr_body_state *bodies = cri_bodies_const(c->model, step->to);
    for (int i = 0; i < c->still_count; i++) {
        int slot = c->stills[i].slot;
        if (!is_calm_body(&bodies[slot], &step->actions[slot], c->stills[i].reach) ||
            numbers->weights[slot].unfit > 0) {
            return false;
        }
    }
    return g[0] == 0 && g[1] == 0 && g[2] < 0;
}

// ---------------------------------------------------------------------------------------------
// How it stands.

// A box on the face that looks down most, a cylinder on a cap.
INLINE void set_stand(const cri_still *s, const cri_lanes rotation[4], stand *out)
{
    cri_lanes3 axes[3];
    cri_lanes up[3], half[3];
    axes_of(rotation, axes);
    for (int k = 0; k < 3; k++) {
        const float *own = &s->turn[3 * k];
        up[k] = cri_lanes_abs(axes[0].z * own[0] + axes[1].z * own[1] + axes[2].z * own[2]);
        half[k] = cri_lanes_all(k < 2 && s->round ? s->radius : s->half[k]);
    }
    cri_mask third = s->round ? cri_mask_all(-1) : is_less(lanes_max(up[0], up[1]), up[2]);
    cri_mask second = is_less(up[0], up[1]) & ~third;
    const cri_lanes one[3] = {half[1], half[0], half[0]}, two[3] = {half[2], half[2], half[1]};
    const cri_lanes up_one[3] = {up[1], up[0], up[0]}, up_two[3] = {up[2], up[2], up[1]};
    cri_lanes a = pick_one(second, third, one), b = pick_one(second, third, two);
    out->high = pick_one(second, third, half);
    out->lean = pick_one(second, third, up_one) * a + pick_one(second, third, up_two) * b;
    out->round = s->round ? a : cri_lanes_sqrt(a * a + b * b);
    out->rests = cri_mask_all(0);
    const cri_lanes *q = rotation;
    cri_lanes norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    cri_lanes far = lanes_max(cri_lanes_abs(out->place.x), cri_lanes_abs(out->place.y));
    far = lanes_max(far, cri_lanes_abs(out->place.z));
    out->sound = is_less(cri_lanes_abs(norm - 1.0f), cri_lanes_all(1e-3f)) &
                 is_less(far, cri_lanes_all(FLOAT_PLACE_MAX));
}

// ---------------------------------------------------------------------------------------------
// What is near.

// It stands on this floor: that is reported as a contact, with its weight.
static inline void note_stand(batch *w, const cri_beside *beside, cri_mask rests)
{
    stand *s = &w->stands[beside->still];
    cri_lanes zero = cri_lanes_all(0), up = cri_lanes_all(beside->first ? -1 : 1);
    cri_lanes3 place = s->place, normal = {zero, zero, up};
    place.z = place.z - s->high;
    record *r = record_of(w, beside->pair);
    r->touched = r->touched | rests;
    r->impulse = cri_lanes_pick(rests, s->weight, r->impulse);
    r->place = cri_lanes3_pick(rests, place, r->place);
    r->normal = cri_lanes3_pick(rests, normal, r->normal);
    s->rests = s->rests | rests;
}

// The lanes in which it is on this floor, or above it.
static inline cri_mask stands_on(batch *w, const cri_beside *beside, const cri_solid *floor)
{
    const stand *s = &w->stands[beside->still];
    cri_lanes gap = s->place.z - s->high - floor->place[2];
    cri_mask open = beside->silent ? cri_mask_all(0) : w->open ? w->open[beside->pair] : w->run;
    cri_mask rests = open & is_less(cri_lanes_abs(gap) + s->lean, cri_lanes_all(STILL_GAP));
    if (cri_mask_any(rests)) {
        note_stand(w, beside, rests);
    }
    return rests | is_less(s->lean + STILL_APART, gap);
}

// The lanes in which what is beside it is out of the way.
static inline cri_mask stands_clear(batch *w, const cri_beside *beside)
{
    const stand *s = &w->stands[beside->still];
    if (beside->other >= 0) {
        const stand *o = &w->stands[beside->other];
        cri_lanes within = s->round + o->round + STILL_APART;
        return is_less(within * within, flat_distance2(s->place, o->place));
    }
    const cri_solid *solid = &w->course->solids[beside->solid];
    if (solid->floor) {
        return stands_on(w, beside, solid);
    }
    if (solid->shape->kind == CR_SHAPE_PLANE) {
        cri_lanes3 from = cri_lanes3_sub(s->place, lanes3_all(solid->place));
        cri_lanes height = cri_lanes3_dot(from, lanes3_all(&solid->turn[6]));
        float reach = w->course->stills[beside->still].reach;
        return is_less(cri_lanes_all(reach + STILL_APART), height);
    }
    cri_lanes x = cri_lanes_abs(s->place.x - solid->middle[0]) - solid->extent[0];
    cri_lanes y = cri_lanes_abs(s->place.y - solid->middle[1]) - solid->extent[1];
    cri_lanes z = cri_lanes_abs(s->place.z - solid->middle[2]) - solid->extent[2];
    return is_less(s->round + STILL_APART, lanes_max(x, y)) |
           is_less(s->high + s->lean + STILL_APART, z);
}

static inline void keep_away(batch *w, const cri_beside *beside)
{
    const stand *s = &w->stands[beside->still];
    body *b = &w->bodies[beside->mover];
    cri_lanes away = cri_lanes_sqrt(flat_distance2(s->place, b->place)) - s->round;
    b->room = lanes_min(b->room, away - (w->course->movers[beside->mover].radius + STILL_ROOM));
}

// The lanes that are calm, as far as can be told before the step.
static inline cri_mask find_calm(batch *w)
{
    cri_mask calm = cri_mask_all(-1);
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].room = cri_lanes_all(FAR);
    }
    for (int i = 0; i < w->course->beside_count; i++) {
        const cri_beside *beside = &w->course->beside[i];
        if (beside->mover >= 0) {
            keep_away(w, beside);
        } else {
            calm = calm & stands_clear(w, beside);
        }
    }
    for (int i = 0; i < w->course->still_count; i++) {
        calm = calm & w->stands[i].rests & w->stands[i].sound;
    }
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        cri_lanes way = cri_lanes3_length(b->velocity) * (float)w->course->model->dt;
        calm = calm & is_less(way, b->room);
    }
    return calm;
}

// The lanes in which a mover came near to what stands still.
static inline cri_mask strays(const batch *w)
{
    cri_mask astray = cri_mask_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        astray = astray | ~is_less(w->bodies[i].path, w->bodies[i].room);
    }
    return astray;
}

#endif
