// A step in lanes: load, run the pieces, store. The file that includes it names the stepper, or its
// step for plain courses.
#include "engine/lanes/load.h"
#include "engine/lanes/mend.h"
#include "engine/lanes/record.h"

// ---------------------------------------------------------------------------------------------
// Scratch memory.

typedef struct layout {
    size_t bodies, sights, pressures, pressed, neighbours, is_neighbour, points, records, open,
        touched, is_touched, end;
    size_t weights, manners; // where lanes have numbers of their own
    size_t stands;           // where bodies stand still
    // Where the course has free bodies.
    size_t hefts, turnings, stances, encounters, patches, grips, visits, motions, rests;
} layout;

static size_t add_room(size_t *end, size_t count, size_t size)
{
    size_t start = *end;
    *end += (count * size + 63) / 64 * 64;
    return start;
}

// A patch has one visit for each of its levels, at most one a lane.
static void lay_out_free(const cri_course *c, layout *l)
{
    size_t meets = (size_t)c->meet_count, movers = (size_t)c->mover_count + 1;
    l->hefts = add_room(&l->end, movers, sizeof(heft));
    l->turnings = add_room(&l->end, movers, sizeof(turning));
    l->stances = add_room(&l->end, (size_t)c->solid_count, sizeof(stance));
    l->encounters = add_room(&l->end, meets, sizeof(encounter));
    l->patches = add_room(&l->end, meets, sizeof(patch));
    l->grips = add_room(&l->end, (size_t)c->point_max, sizeof(grip));
    l->visits = add_room(&l->end, meets * CRI_LANES, sizeof(visit));
    l->motions = add_room(&l->end, movers, sizeof(motion));
    l->rests = add_room(&l->end, movers, sizeof(rest));
}

static layout lay_out(const cri_course *c)
{
    size_t pairs = (size_t)c->model->pair_count;
    layout l = {0};
    l.bodies = add_room(&l.end, (size_t)c->mover_count + 1, sizeof(body)); // the ground is last
    l.sights = add_room(&l.end, (size_t)c->meet_count, sizeof(sight));
    l.pressures = add_room(&l.end, (size_t)c->meet_count, sizeof(pressure));
    l.pressed = add_room(&l.end, (size_t)c->meet_count, sizeof(int));
    l.neighbours = add_room(&l.end, (size_t)c->meet_count, sizeof(int));
    l.is_neighbour = add_room(&l.end, (size_t)c->meet_count, 1);
    l.points = add_room(&l.end, (size_t)c->point_max, sizeof(point));
    l.records = add_room(&l.end, pairs, sizeof(record));
    l.open = add_room(&l.end, pairs, sizeof(cri_mask));
    l.touched = add_room(&l.end, pairs, sizeof(int));
    l.is_touched = add_room(&l.end, pairs, 1);
#ifdef OWN_NUMBERS
    l.weights = add_room(&l.end, (size_t)c->mover_count, sizeof(weight));
    l.manners = add_room(&l.end, (size_t)c->manner_count, sizeof(manner));
#endif
    if (has_free(c)) {
        lay_out_free(c, &l);
    }
    const cri_course *calm = c->calm ? c->calm : c;
    l.stands = add_room(&l.end, (size_t)calm->still_count, sizeof(stand));
    return l;
}

static void open_free(batch *w, char *base, const layout *l)
{
    int ground = w->course->mover_count;
    w->hefts = (heft *)(void *)(base + l->hefts);
    w->turnings = (turning *)(void *)(base + l->turnings);
    w->stances = (stance *)(void *)(base + l->stances);
    w->encounters = (encounter *)(void *)(base + l->encounters);
    w->patches = (patch *)(void *)(base + l->patches);
    w->grips = (grip *)(void *)(base + l->grips);
    w->visits = (visit *)(void *)(base + l->visits);
    w->motions = (motion *)(void *)(base + l->motions);
    w->rests = (rest *)(void *)(base + l->rests);
    w->bodies[ground] = (body){0};
    w->hefts[ground] = (heft){0};
    w->motions[ground] = (motion){0};
    w->rests[ground] = (rest){0};
    w->energy_free = cri_lanes_all(0);
}

// Field by field: to clear the whole of it first takes longer.
static void open_batch(batch *w, const cri_course *c, void *scratch)
{
    layout l = lay_out(c);
    char *base = scratch;
    w->course = c;
    w->bodies = (body *)(void *)(base + l.bodies);
    w->sights = (sight *)(void *)(base + l.sights);
    w->pressures = (pressure *)(void *)(base + l.pressures);
    w->pressed = (int *)(void *)(base + l.pressed);
    w->neighbours = (int *)(void *)(base + l.neighbours);
    w->is_neighbour = (unsigned char *)(base + l.is_neighbour);
    w->points = (point *)(void *)(base + l.points);
    w->point_max = c->point_max;
    w->records = (record *)(void *)(base + l.records);
    w->open = (cri_mask *)(void *)(base + l.open);
    w->touched = (int *)(void *)(base + l.touched);
    w->is_touched = (unsigned char *)(base + l.is_touched);
    w->stands = (stand *)(void *)(base + l.stands);
    w->piece = w->neighbour_count = w->point_count = w->touched_count = 0;
    w->patch_count = w->visit_count = 0;
    w->reports = false;
#ifdef OWN_NUMBERS
    w->weights = (weight *)(void *)(base + l.weights);
    w->manners = (manner *)(void *)(base + l.manners);
#endif
    for (int i = 0; i < c->meet_count; i++) {
        w->pressed[i] = -2; // long ago
    }
    if (has_free(c)) {
        open_free(w, base, &l);
    }
    memset(w->is_neighbour, 0, (size_t)c->meet_count);
    memset(w->is_touched, 0, (size_t)c->model->pair_count);
}

// ---------------------------------------------------------------------------------------------
// Pieces.

// Without damping it stays as it is, down to the sign of a zero.
INLINE cri_lanes3 damped(cri_lanes3 v, quantity damping, cri_lanes t)
{
    if (!is_some(damping)) {
        return v;
    }
    return cri_lanes3_pick(where_some(damping), cri_lanes3_mad(v, -loss_of(t * damping), v), v);
}

// Friction of an upright on its floor.
static void brake_upright(const batch *w, int slot)
{
    const weight *m = weight_of(w, slot);
    body *b = &w->bodies[slot];
    cri_lanes most = w->t * m->floor_friction * load_of(w);
    cri_lanes reach2 = in_lanes(m->inertia * m->inverse_mass) * FLOOR_SHARE;
    cri_lanes3 v = b->next_velocity;
    cri_lanes spin = b->next_spin.z;
    brake_foot(&v, &spin, spin * spin * reach2, most);
    cri_mask where = where_some(m->floor_friction);
    b->next_velocity = cri_lanes3_pick(where, v, b->next_velocity);
    b->next_spin.z = cri_lanes_pick(where, spin, b->next_spin.z);
}

// Velocities at the end of the piece if nothing is in the way.
static void predict(batch *w)
{
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        const weight *m = weight_of(w, slot);
        body *b = &w->bodies[slot];
        b->met = cri_mask_all(0);
        b->late = cri_lanes_all(0);
        if (w->course->movers[slot].class == CRI_DRIVEN) {
            b->next_velocity = b->velocity;
            b->next_spin = b->spin;
            continue;
        }
        b->next_velocity = damped(b->velocity, m->damping, w->t);
        b->next_spin = damped(b->spin, m->spin_damping, w->t);
        b->next_velocity = cri_lanes3_mad(b->next_velocity, w->t, b->push);
        cri_lanes3 twist = b->twist;
        if (is_free(w, slot)) {
            twist = sym_mul(&w->hefts[slot].inertia, twist);
        }
        b->next_spin = cri_lanes3_mad(b->next_spin, w->t, twist);
        if (w->course->movers[slot].class == CRI_UPRIGHT && is_some(m->floor_friction)) {
            brake_upright(w, slot);
        }
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

// Until it is struck a body spins on as before.
static cri_lanes3 mean_spin(const batch *w, const body *b)
{
    return has_free(w->course)
               ? cri_lanes3_mad(b->next_spin, b->late, cri_lanes3_sub(b->spin, b->next_spin))
               : b->next_spin;
}

// A body that is held back, and stands for the rest of the piece, is not made faster by forces in
// that time: falling without coming down would gain energy.
static void forget_push(const batch *w, body *b, cri_lanes t)
{
    cri_lanes idle = w->t - t, along = cri_lanes3_dot(b->next_velocity, b->push);
    cri_mask gains = is_less(idle * cri_lanes3_dot(b->push, b->push), along);
    cri_lanes lost = cri_lanes_keep(gains & is_less(cri_lanes_all(0), idle), idle);
    b->next_velocity = cri_lanes3_mad(b->next_velocity, -lost, b->push);
}

static void move(batch *w)
{
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        body *b = &w->bodies[slot];
        cri_lanes t = w->t;
        cri_class class = w->course->movers[slot].class;
        if (class >= CRI_BALL) { // or free
            t = lanes_min(t, b->free);
        } else if (cri_mask_any(is_less(cri_lanes_all(0), cri_lanes_abs(b->next_spin.z)))) {
            turn_heading(b, t);
        }
        cri_lanes3 way = cri_lanes3_scale(t, mean_velocity(b));
        cri_lanes length = cri_lanes3_length(way);
        b->gone = b->gone + length;
        b->path = b->path + length;
        b->way = cri_lanes3_add(b->way, way);
        b->turned = cri_lanes3_mad(b->turned, t, mean_spin(w, b));
        b->place = cri_lanes3_add(b->start, b->way);
        if (is_free(w, slot)) {
            forget_push(w, b, t);
            turn_late(w, slot, t);
        }
    }
    if (has_free(w->course)) {
        end_turns(w);
    }
}

static void take_velocities(batch *w)
{
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        body *b = &w->bodies[slot];
        b->velocity = settle(b->next_velocity);
        b->spin = settle(b->next_spin);
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

static void solve_any(batch *w)
{
    if (has_free(w->course)) {
        solve_patches(w);
    } else {
        solve(w);
    }
}

// Sweep with the solved velocities; the lanes in which that shows an impact are solved once more up
// to there. That may leave free bodies faster than they were: they go no farther than they may.
static void sweep_and_solve(batch *w)
{
    cri_mask last = ~is_less(w->cuts, cri_lanes_all(CUTS_MAX));
    cri_lanes first = first_impact(w), whole = w->t;
    if (shorten(w, cri_lanes_pick(last, w->t, first))) {
        w->fresh = is_less(w->t, whole);
        predict(w);
        solve_any(w);
        if (has_free(w->course)) {
            first_impact(w);
        }
    }
}

// Where nothing is free.
static void finish_plain(batch *w)
{
    keep_pressures(w);
    record_points(w);
    move(w);
    take_velocities(w);
}

static void finish_free(batch *w)
{
    note_way(w);
    move(w);
    relax_patches(w);
    resist_rolling(w);
    record_points(w);
    take_velocities(w);
}

static void piece(batch *w)
{
    w->t = cri_lanes_keep(w->run, w->left);
    predict(w);
    find_points(w);
    cri_lanes sooner;
    if (has_free(w->course)) {
        cri_mask last = ~is_less(w->cuts, cri_lanes_all(CUTS_MAX));
        sooner = cri_lanes_pick(last, w->t, first_near(w));
    } else {
        sooner = first_bounce(w);
    }
    if (shorten(w, sooner)) {
        predict(w);
    }
    w->fresh = cri_mask_all(-1);
    solve_any(w);
    sweep_and_solve(w);
    if (has_free(w->course)) {
        finish_free(w);
    } else {
        finish_plain(w);
    }
    advance(w);
    w->piece++;
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

// Lanes to rows: the way and nothing, rotation, velocity and the spin's x, the velocity's z and
// spin. Each four goes to a quad of the state.
static void store_rows(const body *b, float rows[][CRI_ROW])
{
    const cri_lanes *q = b->rotation;
    cri_lanes norm = cri_lanes_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    cri_lanes columns[CRI_ROW] = {
        b->way.x,      b->way.y,    b->way.z,      cri_lanes_all(0), q[0] / norm,   q[1] / norm,
        q[2] / norm,   q[3] / norm, b->velocity.x, b->velocity.y,    b->velocity.z, b->spin.x,
        b->velocity.z, b->spin.x,   b->spin.y,     b->spin.z,
    };
    drop_signs(columns);
    cri_lanes_to_rows(columns, rows, CRI_ROW);
}

INLINE void store_pushed(const float *row, bool turned, cr_body_state *s)
{
    double *out = &s->position.x;
    cri_floats_add(&row[0], out);
    if (turned) {
        cri_floats_widen(&row[4], &out[3]);
    }
    cri_floats_widen(&row[8], &out[7]);
    cri_floats_widen(&row[12], &out[STATE_SIZE - 4]);
}

// Nothing but the action changes a driven body: its place is as good as doubles are.
static void store_driven(const batch *w, const float *row, bool turned, const cr_action *action,
                         cr_body_state *s)
{
    cr_vec3 place = cri_mad(s->position, w->course->model->dt, action->velocity);
    store_pushed(row, turned, s);
    s->position = place;
    s->velocity = action->velocity;
    s->spin = action->spin;
}

// In these lanes, one bit each.
static void store_body(const batch *w, int mover, cr_step *steps, unsigned lanes)
{
    int slot = w->course->movers[mover].slot;
    const body *b = &w->bodies[mover];
    float rows[CRI_LANES][CRI_ROW];
    store_rows(b, rows);
    cri_lanes turn = cri_lanes3_dot(b->turned, b->turned);
    unsigned turned = cri_mask_bits(is_less(cri_lanes_all(0), turn));
    bool driven = w->course->movers[mover].class == CRI_DRIVEN;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        cr_body_state *s = &cri_bodies(w->course->model, steps[lane].to)[slot];
        if (driven) {
            store_driven(w, rows[lane], (turned >> lane) & 1, &steps[lane].actions[slot], s);
        } else {
            store_pushed(rows[lane], (turned >> lane) & 1, s);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static void run_lanes(batch *w)
{
    w->left = cri_lanes_all(w->course->h);
    w->substep = w->cuts = cri_lanes_all(0);
    cri_mask all = w->run;
    if (has_free(w->course)) {
        note_energy(w);
    }
    while (cri_mask_any(w->run)) {
        piece(w);
    }
    if (has_free(w->course)) {
        mend_overlaps(w, all);
        mend_energy(w);
    }
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        if (w->course->movers[i].class == CRI_BALL) {
            turn_ball(b);
        }
        w->lost = w->lost | ~is_fine(b);
    }
    if (w->course->still_count) {
        w->lost = w->lost | strays(w);
    }
}

// What stands still has no speed.
static void store_stills(const cri_course *c, cr_state *state)
{
    for (int i = 0; i < c->still_count; i++) {
        cr_body_state *s = &cri_bodies(c->model, state)[c->stills[i].slot];
        s->velocity = s->spin = cri_vec3(0, 0, 0);
    }
}

static void store(const batch *w, cr_step *steps, int count, unsigned refused)
{
    unsigned lanes = ((1u << count) - 1) & ~refused;
    for (int i = 0; i < w->course->mover_count; i++) {
        store_body(w, i, steps, lanes);
    }
    for (unsigned left = lanes; left; left &= left - 1) {
        cr_step *step = &steps[__builtin_ctz(left)];
        store_stills(w->course, step->to);
        step->to->step++;
        step->alive = true;
        step->fault = CR_FAULT_NONE;
        step->fault_body = -1;
    }
    store_contacts(w, steps, lanes);
}

static unsigned step_batch(const cri_course *c, void *scratch, cr_step *steps, int count)
{
    batch w;
    open_batch(&w, c, scratch);
#ifdef OWN_NUMBERS
    load_blocks(&w, steps, count);
#endif
    load(&w, steps, count);
    load_masks(&w, steps, count);
    cri_mask good = fits(&w);
    if (has_free(c)) {
        good = good & sane_actions(&w, steps, count);
    }
    w.run = w.lost = cri_mask_all(0);
    for (int lane = 0; lane < count; lane++) {
        cri_mask_set(&w.run, lane, -1);
        w.reports = w.reports || steps[lane].contacts;
    }
    if (c->still_count) {
        load_stands(&w, steps, count);
        good = good & find_calm(&w);
    }
    cri_mask all = w.run;
    w.run = all & good;
    run_lanes(&w);
    // Nothing is stored before it is known who is refused: `to` may be all there is of `from`.
    unsigned refused = cri_mask_bits(all & (~good | w.lost));
    store(&w, steps, count, refused);
    return refused;
}

// A stepper is compiled three times: as STEPPER with everything, and, where that is not defined, as
// PLAIN_STEP for courses in which nothing is free (has_free): scenes of balls and uprights are
// spared the questions; once more with OWN_NUMBERS, for batches in which a world has some.
#ifdef STEPPER
static size_t room(const cri_course *course)
{
    return lay_out(course).end + 64;
}

static bool any_own(const cr_step *steps, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || steps[i].numbers;
    }
    return any;
}

static unsigned step_plain(const cri_course *c, void *scratch, cr_step *steps, int count)
{
    if (!any_own(steps, count) && c->own_fit) {
        return PLAIN_STEP(c, scratch, steps, count);
    }
    return OWN_STEP(c, scratch, steps, count);
}

// Some of the worlds, one bit each, step by one of these. Returns those that are refused.
typedef unsigned step_fn(const cri_course *c, void *scratch, cr_step *steps, int count);

static unsigned step_some(step_fn *fn, const cri_course *c, void *scratch, cr_step *steps,
                          unsigned which)
{
    cr_step some[CRI_LANES];
    int count = 0;
    for (unsigned left = which; left; left &= left - 1) {
        some[count++] = steps[__builtin_ctz(left)];
    }
    unsigned refused = count ? fn(c, scratch, some, count) : 0, out = 0;
    for (unsigned left = which, i = 0; left; left &= left - 1, i++) {
        if ((refused >> i) & 1) {
            out |= left & -left;
        } else {
            steps[__builtin_ctz(left)] = some[i];
        }
    }
    return out;
}

static unsigned calm_worlds(const cri_course *c, const cr_step *steps, int count)
{
    unsigned calm = 0;
    for (int i = 0; i < count; i++) {
        bool may = may_be_calm(c, &steps[i]) && are_sane(c, &steps[i]);
        calm |= may ? 1u << i : 0;
    }
    return calm;
}

// Calm worlds are plain ones; those in which something comes near to what stands still are not.
static unsigned step(const cri_course *c, void *scratch, cr_step *steps, int count)
{
    if (!c->has_free) {
        return step_plain(c, scratch, steps, count);
    }
    unsigned all = (1u << count) - 1, calm = c->calm ? calm_worlds(c->calm, steps, count) : 0;
    if (!calm) {
        return step_batch(c, scratch, steps, count);
    }
    calm &= ~step_some(step_plain, c->calm, scratch, steps, calm);
    return step_some(step_batch, c, scratch, steps, all & ~calm);
}

const cri_stepper STEPPER = {STEPPER_NAME, CRI_LANES, STATE_SIZE *(int)sizeof(float), room, step};
#else
#ifdef OWN_NUMBERS
#define THIS_STEP OWN_STEP
#else
#define THIS_STEP PLAIN_STEP
#endif
unsigned THIS_STEP(const cri_course *c, void *scratch, cr_step *steps, int count)
{
    return step_batch(c, scratch, steps, count);
}
#endif
