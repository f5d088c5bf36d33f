// What a step in lanes begins with. A state and an action are rows of doubles; they become rows of
// floats, then lanes.
#ifndef CRI_LANES_LOAD_H
#define CRI_LANES_LOAD_H

#include "engine/lanes/still.h"

enum { STATE_SIZE = sizeof(cr_body_state) / sizeof(double) };

// The places in a row of doubles of the four quads that become lanes, four columns each. Quads
// overlap where a row ends, so nothing beyond it is read: the numbers of the last are its end.
typedef struct quads {
    int at[CRI_ROW / 4];
} quads;

#if CRI_LANES == 1

INLINE void load_columns(const double *const in[CRI_LANES], quads q, cri_lanes columns[CRI_ROW])
{
    for (int i = 0; i < CRI_ROW; i++) {
        columns[i] = (float)in[0][q.at[i / 4] + i % 4];
    }
}

#else

INLINE void load_columns(const double *const in[CRI_LANES], quads q, cri_lanes columns[CRI_ROW])
{
    for (int block = 0; block < 2; block++) {
        cri_lanes m[CRI_LANES];
        for (int i = 0; i < CRI_LANES; i++) {
            m[i] = cri_lanes_narrow(in[i] + q.at[2 * block], in[i] + q.at[2 * block + 1]);
        }
        cri_lanes_transpose(m);
        memcpy(&columns[block * CRI_LANES], m, sizeof m);
    }
}

#endif

static cri_lanes3 three(const cri_lanes *columns)
{
    return cri_lanes3_of(columns[0], columns[1], columns[2]);
}

// Adding 0 makes a zero of either sign the same. What is added to such a zero, masked to 0 because
// other lanes need it, leaves it as it is; to a -0 it would not, and the sides of solids that
// something lies right between depend on that sign.
INLINE void drop_signs(cri_lanes columns[CRI_ROW])
{
    for (int i = 0; i < CRI_ROW; i++) {
        columns[i] = columns[i] + 0.0f;
    }
}

#ifdef OWN_NUMBERS

// A row of floats of each lane's block becomes rows of lanes; lanes without a block, or without a
// world, have the model's own numbers.
typedef struct blocks {
    const cr_numbers *of[CRI_LANES];
} blocks;

static blocks blocks_of(const cri_course *c, const cr_step *steps, int count)
{
    blocks b;
    for (int lane = 0; lane < CRI_LANES; lane++) {
        bool own = lane < count && steps[lane].numbers;
        b.of[lane] = own ? steps[lane].numbers : c->own;
        assert(b.of[lane]->model == c->model);
    }
    return b;
}

// `lanes` is a struct of `count` lanes, 8 or 16, each of `in` one of as many floats.
INLINE void load_numbers(const void *const in[CRI_LANES], void *lanes, int count)
{
    float rows[CRI_LANES][CRI_ROW];
    for (int lane = 0; lane < CRI_LANES; lane++) {
        memcpy(rows[lane], in[lane], (size_t)count * sizeof(float));
    }
    cri_rows_to_lanes((const float(*)[CRI_ROW])rows, lanes, count);
}

static void load_weight(batch *w, int mover, const blocks *b)
{
    const void *in[CRI_LANES];
    for (int lane = 0; lane < CRI_LANES; lane++) {
        in[lane] = &b->of[lane]->weights[w->course->movers[mover].slot];
    }
    if (is_free(w, mover)) {
        load_numbers(in, &w->weights[mover], 16);
    } else {
        load_numbers(in, &w->weights[mover], 8);
    }
}

static void load_blocks(batch *w, const cr_step *steps, int count)
{
    blocks b = blocks_of(w->course, steps, count);
    const void *in[CRI_LANES];
    for (int i = 0; i < w->course->mover_count; i++) {
        load_weight(w, i, &b);
    }
    for (int i = 0; i < w->course->manner_count; i++) {
        for (int lane = 0; lane < CRI_LANES; lane++) {
            in[lane] = &b.of[lane]->manners[w->course->manners[i]];
        }
        load_numbers(in, &w->manners[i], 8);
    }
    for (int lane = 0; lane < CRI_LANES; lane++) {
        in[lane] = &b.of[lane]->pull;
    }
    load_numbers(in, &w->pull, 8);
}

// An action, with its impulse as it is where kicks err.
static const cr_action *kicked_action(const cr_step *step, int slot, cr_action *kicked)
{
    if (!step->numbers || !step->numbers->kicks_err) {
        return &step->actions[slot];
    }
    *kicked = step->actions[slot];
    kicked->impulse = cri_kicked(step->numbers, slot, kicked->impulse);
    return kicked;
}

#endif

// The lanes whose numbers of this body are for steppers.
static cri_mask numbers_fit(const batch *w, int mover)
{
#ifdef OWN_NUMBERS
    return ~is_less(cri_lanes_all(0), w->weights[mover].unfit);
#else
    (void)w, (void)mover;
    return cri_mask_all(-1);
#endif
}

// Lanes without a world have the first one, and do not run.
INLINE const cr_step *step_of(const cr_step *steps, int count, int lane)
{
    return &steps[lane < count ? lane : 0];
}

// Place, rotation, velocity, and spin from the 13th column on.
INLINE void load_row(const batch *w, int slot, const cr_step *steps, int count,
                     cri_lanes columns[CRI_ROW])
{
    const double *in[CRI_LANES];
    for (int lane = 0; lane < CRI_LANES; lane++) {
        const cr_state *state = step_of(steps, count, lane)->to;
        in[lane] = &cri_bodies_const(w->course->model, state)[slot].position.x;
    }
    load_columns(in, (quads){{0, 4, 8, STATE_SIZE - 4}}, columns);
    drop_signs(columns);
}

static void load_state(batch *w, int mover, const cr_step *steps, int count)
{
    body *b = &w->bodies[mover];
    cri_lanes columns[CRI_ROW];
    load_row(w, w->course->movers[mover].slot, steps, count, columns);
    b->place = b->start = three(columns);
    memcpy(b->rotation, &columns[3], sizeof b->rotation);
    b->velocity = three(&columns[7]);
    b->spin = three(&columns[13]);
}

static void load_driven(batch *w, int mover, const cr_step *steps, int count)
{
    int slot = w->course->movers[mover].slot;
    body *b = &w->bodies[mover];
    const double *in[CRI_LANES];
    cri_lanes columns[CRI_ROW];
    for (int lane = 0; lane < CRI_LANES; lane++) {
        in[lane] = &step_of(steps, count, lane)->actions[slot].velocity.x;
    }
    load_columns(in, (quads){{0, 2, 2, 2}}, columns);
    b->velocity = three(columns);
    b->spin = three(&columns[5]);
    b->push = b->twist = cri_lanes3_zero();
}

static void load_pushed(batch *w, int mover, const cr_step *steps, int count)
{
    int slot = w->course->movers[mover].slot;
    const weight *m = weight_of(w, mover);
    body *b = &w->bodies[mover];
    const double *in[CRI_LANES];
    cri_lanes columns[CRI_ROW], mass = in_lanes(m->inverse_mass);
    cri_lanes inertia = in_lanes(m->inverse_inertia);
    cri_lanes3 gravity = gravity_of(w, mover);
#ifdef OWN_NUMBERS
    cr_action kicked[CRI_LANES];
#endif
    for (int lane = 0; lane < CRI_LANES; lane++) {
        const cr_step *step = step_of(steps, count, lane);
#ifdef OWN_NUMBERS
        in[lane] = &kicked_action(step, slot, &kicked[lane])->force.x;
#else
        in[lane] = &step->actions[slot].force.x;
#endif
    }
    load_columns(in, (quads){{0, 4, 8, 8}}, columns);
    b->push = cri_lanes3_mad(gravity, mass, three(columns));
    b->velocity = cri_lanes3_mad(b->velocity, mass, three(&columns[6]));
    if (is_free(w, mover)) {
        // A torque turns it differently as it turns: see predict.
        b->twist = three(&columns[3]);
        b->spin = cri_lanes3_add(b->spin, sym_mul(&w->hefts[mover].inertia, three(&columns[9])));
        return;
    }
    b->twist = cri_lanes3_scale(inertia, three(&columns[3]));
    b->spin = cri_lanes3_mad(b->spin, inertia, three(&columns[9]));
}

static void keep_upright(body *b)
{
    cri_lanes zero = cri_lanes_all(0);
    b->velocity.z = b->spin.x = b->spin.y = b->push.z = b->twist.x = b->twist.y = zero;
}

static void set_heading(body *b)
{
    cri_lanes z = b->rotation[2], w = b->rotation[3];
    b->cos = w * w - z * z;
    b->sin = w * z * 2.0f;
}

static void load(batch *w, const cr_step *steps, int count)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        cri_class class = w->course->movers[i].class;
        body *b = &w->bodies[i];
        load_state(w, i, steps, count);
        if (has_free(w->course)) {
            set_heft(w, i);
        }
        if (class == CRI_DRIVEN) {
            load_driven(w, i, steps, count);
        } else {
            load_pushed(w, i, steps, count);
        }
        if (class == CRI_UPRIGHT) {
            keep_upright(b);
        }
        b->way = b->turned = cri_lanes3_zero();
        b->leash = b->gone = b->path = cri_lanes_all(0); // torn: neighbours are to be listed
        set_heading(b);
    }
}

// What a body that stands still presses on its floor with, N s in a step.
static cri_lanes step_weight(const cri_course *c, int slot, const cr_step *steps, int count)
{
    float row[CRI_LANES] = {0};
    for (int lane = 0; lane < count; lane++) {
        const cr_numbers *own = steps[lane].numbers ? steps[lane].numbers : c->own;
        row[lane] = own->weights[slot].mass * -own->pull.gravity[2] * (float)c->model->dt;
    }
    return cri_lanes_load(row);
}

static void load_stands(batch *w, const cr_step *steps, int count)
{
    for (int i = 0; i < w->course->still_count; i++) {
        const cri_still *still = &w->course->stills[i];
        stand *s = &w->stands[i];
        cri_lanes columns[CRI_ROW];
        load_row(w, still->slot, steps, count, columns);
        s->place = three(columns);
        set_stand(still, &columns[3], s);
        s->weight = cri_lanes_all(0);
        if (w->reports) {
            s->weight = step_weight(w->course, still->slot, steps, count);
        }
    }
}

static cri_mask below(cri_lanes3 v, float limit)
{
    // A NaN is not below.
    cri_lanes most = cri_lanes_all(limit);
    return is_less(cri_lanes_abs(v.x), most) & is_less(cri_lanes_abs(v.y), most) &
           is_less(cri_lanes_abs(v.z), most);
}

static cri_mask is_fine(const body *b)
{
    return below(b->place, FLOAT_PLACE_MAX) & below(b->velocity, (float)CRI_SPEED_MAX) &
           below(b->spin, (float)CRI_SPIN_MAX);
}

// The lanes whose worlds this stepper can take.
static cri_mask fits(const batch *w)
{
    // A push that blows its body up within a substep is for the way in double to report.
    float push_max = has_free(w->course) ? (float)CRI_SPEED_MAX / w->course->h : 1e9f;
    cri_mask good = cri_mask_all(-1);
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        const cri_lanes *q = b->rotation;
        cri_lanes norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        good = good & numbers_fit(w, i) & is_fine(b) & below(b->push, push_max) &
               below(b->twist, 1e9f) & is_less(cri_lanes_abs(norm - 1.0f), cri_lanes_all(1e-3f));
        if (w->course->movers[i].class < CRI_BALL) { // neither ball nor free
            cri_lanes tilt = cri_lanes_abs(q[0]) + cri_lanes_abs(q[1]);
            tilt = tilt + (cri_lanes_abs(b->spin.x) + cri_lanes_abs(b->spin.y));
            good = good & ~is_less(cri_lanes_all(0), tilt);
        }
    }
    return good;
}

// What no body reads may still be nonsense, which the way in double knows how to report. Among
// balls and uprights alone it would cost more than it is worth.
static bool is_sane(const cr_action *a)
{
    // A NaN is not below.
    return fabs(a->velocity.x) <= CRI_SPEED_MAX && fabs(a->velocity.y) <= CRI_SPEED_MAX &&
           fabs(a->velocity.z) <= CRI_SPEED_MAX && fabs(a->spin.x) <= CRI_SPIN_MAX &&
           fabs(a->spin.y) <= CRI_SPIN_MAX && fabs(a->spin.z) <= CRI_SPIN_MAX;
}

static bool are_sane(const cri_course *c, const cr_step *step)
{
    bool sane = true;
    for (int slot = 0; slot < c->model->moving_count && sane; slot++) {
        sane = is_sane(&step->actions[slot]);
    }
    return sane;
}

static cri_mask sane_actions(const batch *w, const cr_step *steps, int count)
{
    cri_mask sane = cri_mask_all(-1);
    for (int lane = 0; lane < count; lane++) {
        cri_mask_set(&sane, lane, are_sane(w->course, &steps[lane]) ? -1 : 0);
    }
    return sane;
}

static void load_masks(batch *w, const cr_step *steps, int count)
{
    bool any = false;
    for (int lane = 0; lane < count; lane++) {
        any = any || steps[lane].mask;
    }
    if (!any) {
        w->open = NULL;
        return;
    }
    for (int pair = 0; pair < w->course->model->pair_count; pair++) {
        w->open[pair] = cri_mask_all(-1);
        for (int lane = 0; lane < count; lane++) {
            const uint64_t *mask = steps[lane].mask;
            if (mask && !((mask[pair / 64] >> (pair % 64)) & 1)) {
                cri_mask_set(&w->open[pair], lane, 0);
            }
        }
    }
}

#endif
