// A step in lanes: load, run the pieces, store. The file that includes it names the stepper.
#include "engine/lanes_meet.h"
#include "engine/lanes_record.h"
#include "engine/lanes_solve.h"

// ---------------------------------------------------------------------------------------------
// Scratch memory.

typedef struct layout {
    size_t bodies, sights, neighbours, points, records, open, touched, is_touched, end;
} layout;

static size_t add_room(size_t *end, size_t count, size_t size)
{
    size_t start = *end;
    *end += (count * size + 63) / 64 * 64;
    return start;
}

static int points_max(const cri_course *c)
{
    int count = 0;
    for (int i = 0; i < c->meet_count; i++) {
        count += c->meets[i].kind == CRI_MEET_FLAT ? 4 : 1;
    }
    return count;
}

static layout lay_out(const cri_course *c)
{
    size_t pairs = (size_t)c->model->pair_count;
    layout l = {0};
    l.bodies = add_room(&l.end, (size_t)c->mover_count, sizeof(body));
    l.sights = add_room(&l.end, (size_t)c->meet_count, sizeof(sight));
    l.neighbours = add_room(&l.end, (size_t)c->meet_count, sizeof(int));
    l.points = add_room(&l.end, (size_t)points_max(c), sizeof(point));
    l.records = add_room(&l.end, pairs, sizeof(record));
    l.open = add_room(&l.end, pairs, sizeof(cri_mask));
    l.touched = add_room(&l.end, pairs, sizeof(int));
    l.is_touched = add_room(&l.end, pairs, 1);
    return l;
}

static size_t room(const cri_course *course)
{
    return lay_out(course).end + 64;
}

static batch open_batch(const cri_course *c, void *scratch)
{
    layout l = lay_out(c);
    char *base = scratch;
    batch w = {.course = c,
               .bodies = (body *)(void *)(base + l.bodies),
               .sights = (sight *)(void *)(base + l.sights),
               .neighbours = (int *)(void *)(base + l.neighbours),
               .points = (point *)(void *)(base + l.points),
               .point_max = points_max(c),
               .records = (record *)(void *)(base + l.records),
               .open = (cri_mask *)(void *)(base + l.open),
               .touched = (int *)(void *)(base + l.touched),
               .is_touched = (unsigned char *)(base + l.is_touched)};
    for (int i = 0; i < c->meet_count; i++) {
        w.sights[i].listed = false;
    }
    memset(w.is_touched, 0, (size_t)c->model->pair_count);
    return w;
}

// ---------------------------------------------------------------------------------------------
// Loading. Sums of the state and the action are made in double.

static void set3(cri_lanes3 *v, int lane, cr_vec3 value)
{
    cri_lanes_set(&v->x, lane, (float)value.x);
    cri_lanes_set(&v->y, lane, (float)value.y);
    cri_lanes_set(&v->z, lane, (float)value.z);
}

static void load_motion(const cri_mover *m, body *b, int lane, const cr_body_state *s,
                        const cr_action *a)
{
    double mass = (double)m->inverse_mass, inertia = (double)m->inverse_inertia;
    cr_vec3 gravity = {(double)m->gravity[0], (double)m->gravity[1], (double)m->gravity[2]};
    cr_vec3 velocity = cri_mad(s->velocity, mass, a->impulse),
            push = cri_mad(gravity, mass, a->force);
    cr_vec3 spin = cri_mad(s->spin, inertia, a->twist), twist = cri_scale(inertia, a->torque);
    if (m->class == CRI_DRIVEN) {
        velocity = a->velocity, spin = a->spin;
        push = twist = cri_vec3(0, 0, 0);
    } else if (m->class == CRI_UPRIGHT) {
        velocity.z = spin.x = spin.y = push.z = twist.x = twist.y = 0;
    }
    set3(&b->velocity, lane, velocity);
    set3(&b->spin, lane, spin);
    set3(&b->push, lane, push);
    set3(&b->twist, lane, twist);
}

static void load_body(const cri_mover *m, body *b, int lane, const cr_body_state *s,
                      const cr_action *a)
{
    set3(&b->start, lane, s->position);
    cri_lanes_set(&b->rotation[0], lane, (float)s->rotation.x);
    cri_lanes_set(&b->rotation[1], lane, (float)s->rotation.y);
    cri_lanes_set(&b->rotation[2], lane, (float)s->rotation.z);
    cri_lanes_set(&b->rotation[3], lane, (float)s->rotation.w);
    load_motion(m, b, lane, s, a);
}

static void set_heading(body *b)
{
    cri_lanes z = b->rotation[2], w = b->rotation[3];
    b->cos = w * w - z * z;
    b->sin = w * z * 2.0f;
}

// Lanes without a world repeat the last one and do not run.
static void load(batch *w, const cr_step *steps, int count)
{
    const cri_course *c = w->course;
    for (int slot = 0; slot < c->mover_count; slot++) {
        body *b = &w->bodies[slot];
        for (int lane = 0; lane < CRI_LANES; lane++) {
            const cr_step *step = &steps[lane < count ? lane : count - 1];
            load_body(&c->movers[slot], b, lane, &cri_bodies_const(c->model, step->to)[slot],
                      &step->actions[slot]);
        }
        b->way = b->turned = cri_lanes3_zero();
        b->leash = b->gone = cri_lanes_all(0); // torn: neighbours are to be listed
        b->place = b->start;
        set_heading(b);
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
    return below(b->place, PLACE_MAX) & below(b->velocity, SPEED_MAX) & below(b->spin, SPIN_MAX);
}

// The lanes whose worlds this stepper can take.
static cri_mask fits(const batch *w)
{
    cri_mask good = cri_mask_all(-1);
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        const body *b = &w->bodies[slot];
        const cri_lanes *q = b->rotation;
        cri_lanes norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        good = good & is_fine(b) & below(b->push, 1e9f) & below(b->twist, 1e9f) &
               is_less(cri_lanes_abs(norm - 1.0f), cri_lanes_all(1e-3f));
        if (w->course->movers[slot].class != CRI_BALL) {
            cri_lanes tilt = cri_lanes_abs(q[0]) + cri_lanes_abs(q[1]);
            tilt = tilt + (cri_lanes_abs(b->spin.x) + cri_lanes_abs(b->spin.y));
            good = good & ~is_less(cri_lanes_all(0), tilt);
        }
    }
    return good;
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

// ---------------------------------------------------------------------------------------------
// Pieces.

// 1 - exp(-x) for 0 <= x <= 0.1.
static cri_lanes loss_of(cri_lanes x)
{
    return x * (1.0f - x * (0.5f - x * ((1.0f / 6) - x * ((1.0f / 24) - x * (1.0f / 120)))));
}

// Velocities at the end of the piece if nothing is in the way.
static void predict(batch *w)
{
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        const cri_mover *m = &w->course->movers[slot];
        body *b = &w->bodies[slot];
        b->met = cri_mask_all(0);
        b->next_velocity = b->velocity;
        b->next_spin = b->spin;
        if (m->class == CRI_DRIVEN) {
            continue;
        }
        if (m->damping > 0) {
            cri_lanes loss = loss_of(w->t * m->damping);
            b->next_velocity = cri_lanes3_mad(b->velocity, -loss, b->velocity);
        }
        if (m->spin_damping > 0) {
            cri_lanes loss = loss_of(w->t * m->spin_damping);
            b->next_spin = cri_lanes3_mad(b->spin, -loss, b->spin);
        }
        b->next_velocity = cri_lanes3_mad(b->next_velocity, w->t, b->push);
        b->next_spin = cri_lanes3_mad(b->next_spin, w->t, b->twist);
    }
}

static void turn_heading(body *b, cri_lanes t)
{
    cri_sincos half = cri_lanes_sincos(b->next_spin.z * t * 0.5f);
    cri_lanes z = b->rotation[2], w = b->rotation[3];
    b->rotation[2] = z * half.cos + w * half.sin;
    b->rotation[3] = w * half.cos - z * half.sin;
    set_heading(b);
}

static void move(batch *w)
{
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        body *b = &w->bodies[slot];
        cri_lanes t = w->t;
        if (w->course->movers[slot].class == CRI_BALL) {
            t = lanes_min(t, b->free);
        } else if (cri_mask_any(is_less(cri_lanes_all(0), cri_lanes_abs(b->next_spin.z)))) {
            turn_heading(b, t);
        }
        cri_lanes3 way = cri_lanes3_scale(t, mean_velocity(b));
        b->gone = b->gone + cri_lanes3_length(way);
        b->way = cri_lanes3_add(b->way, way);
        b->turned = cri_lanes3_mad(b->turned, t, b->next_spin);
        b->place = cri_lanes3_add(b->start, b->way);
        b->velocity = b->next_velocity;
        b->spin = b->next_spin;
    }
}

// Each lane's clock: to the rest of its substep, to the next one, or to the end.
static void advance(batch *w)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    cri_lanes left = w->left - w->t;
    cri_mask goes_on = w->run & is_less(zero, left);
    w->substep = w->substep + cri_lanes_keep(~goes_on, one);
    w->left = cri_lanes_pick(goes_on, left, cri_lanes_all(w->course->h));
    w->cuts = cri_lanes_keep(goes_on, w->cuts + 1.0f);
    w->run = w->run & is_less(w->substep, cri_lanes_all((float)w->course->model->substeps));
}

// Shorten the piece; true if some lane's is shorter now.
static bool shorten(batch *w, cri_lanes sooner)
{
    sooner = lanes_max(sooner, cri_lanes_all(PIECE_MIN));
    cri_mask shorter = w->run & is_less(sooner, w->t);
    w->t = cri_lanes_pick(shorter, sooner, w->t);
    return cri_mask_any(shorter);
}

// Sweep with the solved velocities; where that shows an impact, solve once more up to there.
static void sweep_and_solve(batch *w)
{
    cri_mask last = ~is_less(w->cuts, cri_lanes_all(CUTS_MAX));
    cri_lanes first = first_impact(w);
    if (shorten(w, cri_lanes_pick(last, w->t, first))) {
        predict(w);
        solve(w);
    }
}

static void piece(batch *w)
{
    w->t = cri_lanes_keep(w->run, w->left);
    predict(w);
    find_points(w);
    if (shorten(w, first_bounce(w))) {
        predict(w);
    }
    solve(w);
    sweep_and_solve(w);
    record_points(w);
    move(w);
    advance(w);
}

// ---------------------------------------------------------------------------------------------
// Storing.

// Balls: turn by `turned` as a whole.
static void turn_ball(body *b)
{
    cri_lanes angle = cri_lanes3_length(b->turned), one = cri_lanes_all(1);
    cri_mask turns = is_less(cri_lanes_all(1e-12f), angle);
    cri_sincos half = cri_lanes_sincos(angle * 0.5f);
    cri_lanes share = cri_lanes_keep(turns, half.sin / cri_lanes_pick(turns, angle, one));
    cri_lanes3 d = cri_lanes3_scale(share, b->turned);
    cri_lanes c = half.cos, x = b->rotation[0], y = b->rotation[1], z = b->rotation[2],
              s = b->rotation[3];
    b->rotation[0] = c * x + d.x * s + d.y * z - d.z * y;
    b->rotation[1] = c * y - d.x * z + d.y * s + d.z * x;
    b->rotation[2] = c * z + d.x * y - d.y * x + d.z * s;
    b->rotation[3] = c * s - d.x * x - d.y * y - d.z * z;
}

// Adding 0 makes a zero of either sign the same: its sign may depend on the other lanes.
static cr_vec3 clean(cr_vec3 v)
{
    return cri_vec3(v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

static bool has_turned(const body *b, int lane)
{
    cr_vec3 turned = lane_of(&b->turned, lane);
    return turned.x != 0 || turned.y != 0 || turned.z != 0;
}

static void store_body(const batch *w, int slot, int lane, const cr_action *action,
                       cr_body_state *s)
{
    const body *b = &w->bodies[slot];
    if (has_turned(b, lane)) {
        cr_quat q = {(double)cri_lanes_get(&b->rotation[0], lane) + 0.0,
                     (double)cri_lanes_get(&b->rotation[1], lane) + 0.0,
                     (double)cri_lanes_get(&b->rotation[2], lane) + 0.0,
                     (double)cri_lanes_get(&b->rotation[3], lane) + 0.0};
        s->rotation = cri_quat_unit(q);
    }
    if (w->course->movers[slot].class == CRI_DRIVEN) {
        s->position = cri_mad(s->position, w->course->model->dt, action->velocity);
        s->velocity = action->velocity;
        s->spin = action->spin;
        return;
    }
    s->position = cri_add(s->position, clean(lane_of(&b->way, lane)));
    s->velocity = clean(lane_of(&b->velocity, lane));
    s->spin = clean(lane_of(&b->spin, lane));
}

static void store(const batch *w, int lane, cr_step *step)
{
    cr_body_state *states = cri_bodies(w->course->model, step->to);
    step->alive = true;
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        store_body(w, slot, lane, &step->actions[slot], &states[slot]);
    }
    store_contacts(w, lane, step);
    step->contact_count = step->alive ? step->contact_count : 0;
    step->to->step++;
}

// ---------------------------------------------------------------------------------------------

static void run_lanes(batch *w)
{
    w->left = cri_lanes_all(w->course->h);
    w->substep = w->cuts = cri_lanes_all(0);
    while (cri_mask_any(w->run)) {
        piece(w);
    }
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        body *b = &w->bodies[slot];
        if (w->course->movers[slot].class == CRI_BALL) {
            turn_ball(b);
        }
        w->full = w->full | ~is_fine(b);
    }
}

static void store_all(const batch *w, cr_step *steps, int count, unsigned refused)
{
    unsigned dead = cri_mask_bits(w->full);
    for (int lane = 0; lane < count; lane++) {
        if ((refused >> lane) & 1) {
            continue;
        }
        store(w, lane, &steps[lane]);
        if ((dead >> lane) & 1) {
            steps[lane].alive = false;
            steps[lane].contact_count = 0;
        }
    }
}

static unsigned step_batch(const cri_course *c, void *scratch, cr_step *steps, int count)
{
    batch w = open_batch(c, scratch);
    load(&w, steps, count);
    load_masks(&w, steps, count);
    cri_mask good = fits(&w);
    w.run = w.full = cri_mask_all(0);
    for (int lane = 0; lane < count; lane++) {
        cri_mask_set(&w.run, lane, -1);
    }
    unsigned refused = cri_mask_bits(w.run & ~good);
    w.run = w.run & good;
    run_lanes(&w);
    store_all(&w, steps, count, refused);
    return refused;
}

const cri_stepper STEPPER = {STEPPER_NAME, CRI_LANES, room, step_batch};
