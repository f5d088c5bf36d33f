// The step of every engine but for its solver. See world.h for the order of things.
#include "engine/world.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "engine/contact_kernel.h"
#include "engine/joints/joints.h"

// Bodies that are not balls cut a substep in a world with so few contact points; else they bounce
// where they are, up to a substep's way early. A heap of falling dice would take all cuts, always.
enum { BOUNCE_POINTS_MAX = 64 };

// ---------------------------------------------------------------------------------------------
// Making a world.

static bool is_ball(const cr_body *body)
{
    return body->slot >= 0 && body->part_count == 1 &&
           body->parts[0].shape.kind == CR_SHAPE_SPHERE &&
           cri_length(body->parts[0].pose.position) < 1e-9;
}

static void give_mass(cri_rigid *r)
{
    const cr_vec3 inertia = r->numbers.inertia;
    if (!r->pushed) {
        return;
    }
    r->inverse_mass = 1 / r->numbers.mass;
    r->inverse_inertia = cri_vec3(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    if (r->body->upright) {
        r->inverse_inertia.x = r->inverse_inertia.y = 0;
    }
    r->tumbles = !r->body->upright && (inertia.x != inertia.y || inertia.y != inertia.z);
}

static void place_parts(cri_rigid *r, cr_pose *parts)
{
    for (int i = 0; i < r->body->part_count; i++) {
        parts[i] = cri_pose_mul(r->pose, r->body->parts[i].pose);
    }
    cr_vec3 p = r->pose.position;
    double radius = r->body->radius;
    r->low = cri_vec3(p.x - radius, p.y - radius, p.z - radius);
    r->high = cri_vec3(p.x + radius, p.y + radius, p.z + radius);
}

// Static bodies get a tight box: a long board's sphere would reach over the whole field.
static void tighten_box(cri_rigid *r)
{
    r->low = cri_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    r->high = cri_neg(r->low);
    for (int i = 0; i < r->body->part_count; i++) {
        const cr_shape *shape = &r->body->parts[i].shape;
        const cr_pose pose = r->parts[i];
        r->low.x = fmin(r->low.x, -cri_shape_support(shape, pose, cri_vec3(-1, 0, 0)));
        r->low.y = fmin(r->low.y, -cri_shape_support(shape, pose, cri_vec3(0, -1, 0)));
        r->low.z = fmin(r->low.z, -cri_shape_support(shape, pose, cri_vec3(0, 0, -1)));
        r->high.x = fmax(r->high.x, cri_shape_support(shape, pose, cri_vec3(1, 0, 0)));
        r->high.y = fmax(r->high.y, cri_shape_support(shape, pose, cri_vec3(0, 1, 0)));
        r->high.z = fmax(r->high.z, cri_shape_support(shape, pose, cri_vec3(0, 0, 1)));
    }
}

// Make the numbers of the step those of its block, which may be another one at each step, or the
// same with other values; NULL: the model's.
static void use_numbers(cri_world *w, const cr_numbers *numbers)
{
    const cr_model *model = w->model;
    double h = model->dt / model->substeps;
    assert(!numbers || numbers->model == model);
    w->numbers = numbers;
    w->gravity = numbers ? numbers->gravity : model->gravity;
    w->meetings = numbers ? numbers->meetings : model->meetings;
    for (int i = 0; i < model->body_count; i++) {
        cri_rigid *r = &w->rigids[i];
        r->numbers = numbers ? numbers->bodies[i] : cri_body_numbers(r->body);
        r->decay = cri_exp(-r->numbers.linear_damping * h);
        r->spin_decay = cri_exp(-r->numbers.angular_damping * h);
        give_mass(r);
    }
}

static void make_rigids(cri_world *w)
{
    cr_pose *parts = w->part_poses;
    for (int i = 0; i < w->model->body_count; i++) {
        cri_rigid *r = &w->rigids[i];
        r->body = &w->model->bodies[i];
        r->pushed = r->body->slot >= 0 && !r->body->driven;
        r->ball = is_ball(r->body);
        r->pose = r->body->pose;
        r->free = HUGE_VAL;
        r->parts = parts;
        place_parts(r, parts);
        if (r->body->slot < 0) {
            tighten_box(r);
        }
        parts += r->body->part_count;
    }
}

// Room for contact points: a face against a face for each two parts of a pair. That would be a
// gigabyte for a thousand bodies, of which each touches a dozen: from ENOUGH_POINTS on it is what a
// heap of parts has room for, a dozen neighbours a part.
enum { ENOUGH_POINTS = 4096 };
static int points_max(const cr_model *model)
{
    double all = model->pairs ? 0 : HUGE_VAL, heap = ENOUGH_POINTS;
    for (int i = 0; i < model->pair_count && model->pairs; i++) {
        const cri_pair *pair = &model->pairs[i];
        all += (double)CRI_TOUCH_MAX * model->bodies[pair->a].part_count *
               model->bodies[pair->b].part_count;
    }
    for (int i = 0; i < model->moving_count; i++) {
        heap += 12.0 * CRI_TOUCH_MAX * model->bodies[model->moving[i]].part_count;
    }
    return (int)fmin(all, heap);
}

static cr_status check_bodies(const cr_model *model, cr_report *report)
{
    for (int i = 0; i < model->body_count; i++) {
        const cr_body *b = &model->bodies[i];
        if (b->slot < 0 || b->driven) {
            continue;
        }
        if (!(b->mass > 0 && b->inertia.x > 0 && b->inertia.y > 0 && b->inertia.z > 0) ||
            !isfinite(b->mass) || !cri_finite3(b->inertia)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "body \"%s\": mass and inertia must be > 0, got mass %g", b->name,
                            b->mass);
        }
    }
    return CR_OK;
}

cr_status cri_world_init(cri_world *w, const cr_model *model, cr_report *report)
{
    *w = (cri_world){.model = model, .point_max = points_max(model)};
    cr_status status = check_bodies(model, report);
    if (status != CR_OK) {
        return status;
    }
    size_t part_count = 0;
    size_t contacts = (size_t)model->contact_max;
    for (int i = 0; i < model->body_count; i++) {
        part_count += (size_t)model->bodies[i].part_count;
    }
    w->rigids = cri_arena_alloc(&w->arena, (size_t)model->body_count, sizeof *w->rigids);
    w->part_poses = cri_arena_alloc(&w->arena, part_count, sizeof *w->part_poses);
    w->points = cri_arena_alloc(&w->arena, (size_t)w->point_max, sizeof *w->points);
    w->table_size = 16;
    while (w->table_size < 2 * model->contact_max) {
        w->table_size *= 2;
    }
    w->contact_table = cri_arena_alloc(&w->arena, (size_t)w->table_size, sizeof *w->contact_table);
    w->contact_pair = cri_arena_alloc(&w->arena, contacts, sizeof *w->contact_pair);
    w->contact_best = cri_arena_alloc(&w->arena, contacts, sizeof *w->contact_best);
    w->unasked = cri_arena_alloc(&w->arena, contacts, sizeof *w->unasked);
    if (!w->rigids || !w->part_poses || !w->points || !w->contact_table || !w->contact_pair ||
        !w->contact_best || !w->unasked || !cri_joints_init(w)) {
        cri_world_free(w);
        return cri_fail_memory(report);
    }
    make_rigids(w);
    use_numbers(w, NULL);
    if (!cri_near_init(w)) {
        cri_world_free(w);
        return cri_fail_memory(report);
    }
    for (int i = 0; i < w->table_size; i++) {
        w->contact_table[i] = -1;
    }
    return CR_OK;
}

void cri_world_free(cri_world *w)
{
    cri_arena_free(&w->arena);
    *w = (cri_world){0};
}

// ---------------------------------------------------------------------------------------------
// Loading and storing.

static bool below(cr_vec3 v, double limit)
{
    // Written so that a NaN fails.
    return fabs(v.x) <= limit && fabs(v.y) <= limit && fabs(v.z) <= limit;
}

bool cri_world_fail(cri_world *w, cr_fault fault, int body)
{
    w->fault = fault;
    w->fault_body = body;
    return false;
}

static cr_fault fault_of_motion(cr_vec3 velocity, cr_vec3 spin)
{
    if (!cri_finite3(velocity) || !cri_finite3(spin)) {
        return CR_FAULT_NOT_FINITE;
    }
    return !below(velocity, CRI_SPEED_MAX) ? CR_FAULT_TOO_FAST
           : !below(spin, CRI_SPIN_MAX)    ? CR_FAULT_SPIN
                                           : CR_FAULT_NONE;
}

static cr_fault fault_of_state(const cr_body_state *s)
{
    cr_quat q = s->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    cr_fault fault = fault_of_motion(s->velocity, s->spin);
    if (!cri_finite3(s->position) || !isfinite(norm) || fault == CR_FAULT_NOT_FINITE) {
        return CR_FAULT_NOT_FINITE;
    }
    if (fabs(norm - 1) > 1e-3) {
        return CR_FAULT_ROTATION;
    }
    return fault ? fault : below(s->position, CRI_PLACE_MAX) ? CR_FAULT_NONE : CR_FAULT_TOO_FAR;
}

static cr_fault fault_of_action(const cr_action *a)
{
    bool finite = cri_finite3(a->force) && cri_finite3(a->torque) && cri_finite3(a->impulse) &&
                  cri_finite3(a->twist);
    return finite ? fault_of_motion(a->velocity, a->spin) : CR_FAULT_NOT_FINITE;
}

// What an upright body cannot do.
static void keep_upright(const cr_body *body, cr_vec3 *velocity, cr_vec3 *spin)
{
    if (body->upright) {
        velocity->z = 0;
        spin->x = spin->y = 0;
    }
}

static void take_action(cri_rigid *r, const cr_action *action, cr_vec3 gravity)
{
    if (!r->pushed) {
        r->velocity = action->velocity;
        r->spin = action->spin;
    } else {
        r->velocity = cri_mad(r->velocity, r->inverse_mass, action->impulse);
        r->spin = cri_add(r->spin, cri_turn_by(r, action->twist));
        r->push =
            cri_mad(r->body->upright ? cri_vec3(0, 0, 0) : gravity, r->inverse_mass, action->force);
        r->torque = action->torque;
    }
    keep_upright(r->body, &r->velocity, &r->spin);
}

static bool load(cri_world *w, const cr_step *step)
{
    const cr_body_state *states = cri_bodies_const(w->model, step->to);
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        const cr_body_state *s = &states[slot];
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        cr_fault fault = fault_of_state(s);
        fault = fault ? fault : fault_of_action(&step->actions[slot]);
        if (fault) {
            return cri_world_fail(w, fault, w->model->moving[slot]);
        }
        r->pose = (cr_pose){s->position, s->rotation};
        r->velocity = s->velocity;
        r->spin = s->spin;
        cr_action action = step->actions[slot];
        action.impulse = cri_kicked(step->numbers, slot, action.impulse);
        take_action(r, &action, w->gravity);
        place_parts(r, w->part_poses + (r->parts - w->part_poses));
    }
    if (w->joints) {
        cri_joints_load(w, step->from);
    }
    return true;
}

static bool store(cri_world *w, cr_state *to)
{
    cr_body_state *states = cri_bodies(w->model, to);
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        const cri_rigid *r = &w->rigids[w->model->moving[slot]];
        states[slot] = (cr_body_state){r->pose.position, r->pose.rotation, r->velocity, r->spin};
        cr_fault fault = fault_of_state(&states[slot]);
        if (fault) {
            return cri_world_fail(w, fault, w->model->moving[slot]);
        }
    }
    if (w->joints) {
        cri_joints_store(w, to);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// A piece.

// Friction of an upright on the floor that it stands on.
static void brake_upright(cri_rigid *r, double load, double t)
{
    double most = r->numbers.floor_friction * fmax(load, 0) * t, *spin = &r->next_spin.z;
    double reach2 = FLOOR_SHARE * r->numbers.inertia.z / r->numbers.mass;
    brake_foot(&r->next_velocity, spin, reach2 * *spin * *spin, most);
}

static void predict_body(cri_rigid *r, double t, bool whole)
{
    double decay = r->decay, spin_decay = r->spin_decay;
    if (!whole && (decay != 1 || spin_decay != 1)) {
        decay = cri_exp(-r->numbers.linear_damping * t);
        spin_decay = cri_exp(-r->numbers.angular_damping * t);
    }
    r->next_velocity = cri_mad(cri_scale(decay, r->velocity), t, r->push);
    r->next_spin = cri_scale(spin_decay, r->spin);
    if (r->torque.x != 0 || r->torque.y != 0 || r->torque.z != 0) {
        r->next_spin = cri_mad(r->next_spin, t, cri_turn_by(r, r->torque));
    }
    keep_upright(r->body, &r->next_velocity, &r->next_spin);
}

// Velocities at the end of t seconds if nothing is in the way. whole: t is a whole substep.
static void predict(cri_world *w, double t, bool whole)
{
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        r->met = false;
        r->offset = cri_vec3(0, 0, 0);
        if (r->pushed) {
            predict_body(r, t, whole);
            if (r->numbers.floor_friction > 0) {
                brake_upright(r, -w->gravity.z, t);
            }
        } else {
            r->next_velocity = r->velocity;
            r->next_spin = r->spin;
        }
    }
}

static bool solve(cri_world *w, double t)
{
    cri_ask_points(w, t);
    bool any = w->joints != NULL;
    for (int i = 0; i < w->point_count; i++) {
        w->points[i].impulse = 0;
        any = any || !w->points[i].silent;
    }
    if (any && !w->solve(w, t)) {
        return cri_world_fail(w, CR_FAULT_SOLVER, -1);
    }
    cri_resist_rolling(w);
    for (int i = 0; i < w->point_count; i++) {
        const cri_point *p = &w->points[i];
        if (p->impulse > 0) {
            w->rigids[p->a].met = w->rigids[p->a].body->slot >= 0;
            w->rigids[p->b].met = w->rigids[p->b].body->slot >= 0;
        }
    }
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        r->met = r->met || (w->joints && cri_joints_hold_body(w, slot));
        keep_upright(r->body, &r->next_velocity, &r->next_spin);
        cr_fault fault = fault_of_motion(r->next_velocity, r->next_spin);
        if (fault) {
            return cri_world_fail(w, fault, w->model->moving[slot]);
        }
    }
    return true;
}

// Turning keeps the angular momentum of a tumbling body, not its spin.
static void turn(cri_rigid *r, double t)
{
    if (r->next_spin.x == 0 && r->next_spin.y == 0 && r->next_spin.z == 0) {
        return;
    }
    cr_vec3 local = cri_unrotate(r->pose.rotation, r->next_spin), inertia = r->numbers.inertia;
    cr_vec3 momentum = {inertia.x * local.x, inertia.y * local.y, inertia.z * local.z};
    momentum = cri_rotate(r->pose.rotation, momentum);
    r->pose.rotation = cri_quat_turn(r->pose.rotation, r->next_spin, t);
    if (r->tumbles) {
        r->next_spin = cri_turn_by(r, momentum);
    }
}

// The same for a body that a joint holds, in one part: what swings for long must not gain by it.
static void turn_held(cri_rigid *r, double t)
{
    cr_quat rotation = r->pose.rotation;
    cr_vec3 spin = cri_unrotate(rotation, r->next_spin), inertia = r->numbers.inertia;
    const double i[3] = {inertia.x, inertia.y, inertia.z};
    double m[3] = {i[0] * spin.x, i[1] * spin.y, i[2] * spin.z};
    double q[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    const real_rate rates[3] = {{1, i[0]}, {1, i[1]}, {1, i[2]}};
    turn_part(rates, t, q, m);
    r->pose.rotation = cri_quat_unit((cr_quat){q[0], q[1], q[2], q[3]});
    r->next_spin = cri_rotate(r->pose.rotation, cri_vec3(m[0] / i[0], m[1] / i[1], m[2] / i[2]));
}

static void move(cri_world *w, double t)
{
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        double time = r->ball ? fmin(t, r->free) : t;
        r->pose.position = cri_mad(r->pose.position, time, cri_mean_velocity(r));
        if (w->joints && r->tumbles && cri_joints_hold_body(w, slot)) {
            turn_held(r, time);
        } else {
            turn(r, time);
        }
    }
    if (w->joints) {
        cri_joints_settle(w, t);
    }
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        r->velocity = r->next_velocity;
        r->spin = r->next_spin;
        place_parts(r, w->part_poses + (r->parts - w->part_poses));
    }
}

static bool any_ball_met(const cri_world *w)
{
    for (int i = 0; i < w->near_count; i++) {
        const cri_near *pair = &w->near[i];
        if (pair->swept && (w->rigids[pair->a].met || w->rigids[pair->b].met)) {
            return true;
        }
    }
    return false;
}

// Sweep with the solved velocities; where that shows an earlier impact, solve once more up to
// there. Returns how long the piece lasts, 0 if the world blew up.
static double solve_again(cri_world *w, double t, bool last)
{
    double sooner = fmax(cri_first_impact(w, t), PIECE_MIN);
    if (last || sooner >= t) {
        return t;
    }
    predict(w, sooner, false);
    if (!solve(w, sooner)) {
        return 0;
    }
    cri_first_impact(w, sooner);
    return sooner;
}

// Up to `left` seconds, after so many cuts of the substep; 0 if the world blew up.
static double piece(cri_world *w, double left, int cuts)
{
    bool last = cuts >= CUTS_MAX;
    double whole = left;
    if (w->joints) {
        left = cri_joints_pace(w, left, cuts);
    }
    predict(w, left, cuts == 0 && left == whole);
    double t = cri_first_impact(w, left);
    t = last ? left : fmin(left, fmax(t, PIECE_MIN));
    if (t < left) {
        predict(w, t, false);
    }
    if (!cri_find_points(w, t)) {
        return 0;
    }
    bool may_cut = cuts < BOUNCE_CUTS_MAX && w->point_count <= BOUNCE_POINTS_MAX;
    double bounce = may_cut ? fmax(cri_first_bounce(w, t), PIECE_MIN) : t;
    if (bounce < t) {
        t = bounce;
        predict(w, t, false);
    }
    if (!solve(w, t)) {
        return 0;
    }
    if (any_ball_met(w)) {
        t = solve_again(w, t, last);
    }
    if (t > 0) {
        cri_record_points(w);
        move(w, t);
    }
    return t;
}

static bool substep(cri_world *w, double h)
{
    double left = h;
    for (int cuts = 0; left > 0; cuts++) {
        double t = piece(w, left, cuts);
        if (t <= 0) {
            return false;
        }
        left = t < left ? left - t : 0;
    }
    if (w->joints) {
        cri_joints_break(w, h);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

static bool step_alive(cri_world *w, cr_step *step)
{
    if (!load(w, step)) {
        return false;
    }
    for (int i = 0; i < w->model->substeps; i++) {
        if (!substep(w, w->model->dt / w->model->substeps)) {
            return false;
        }
    }
    return store(w, step->to);
}

void cri_world_step(cri_world *w, cr_step *step)
{
    if (step->to != step->from) {
        memcpy(step->to, step->from, w->model->state_size);
    }
    if (step->numbers || w->numbers) {
        use_numbers(w, step->numbers);
    }
    w->mask = step->mask;
    w->contacts = step->contacts ? step->contacts : w->unasked;
    w->contact_count = 0;
    cri_world_fail(w, CR_FAULT_NONE, -1);
    step->alive = step_alive(w, step);
    step->fault = w->fault;
    step->fault_body = w->fault_body;
    cri_record_finish(w, step->to);
    step->contact_count = step->alive ? w->contact_count : 0;
    step->to->step++;
}
