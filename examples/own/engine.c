// An engine: balls that bounce off planes and off each other, without turning. It shows what every
// engine has to do: actions, gravity, damping, pairs that the scene treats differently, the mask,
// touched bits, contacts.
#include "own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a pair did during the step.
typedef struct knock {
    bool touched;
    cr_contact contact;
    double hardest; // impulse of one substep so far
} knock;

// One body of a pair, as a ball or a plane.
typedef struct side {
    const cr_part *part;
    cr_body_state *ball; // NULL: a plane
    double inverse_mass;
    cr_pose pose;
} side;

typedef struct bouncer {
    const cr_model *model;
    knock *knocks; // by pair
} bouncer;

static cr_vec3 add(cr_vec3 a, double scale, cr_vec3 b)
{
    return (cr_vec3){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static double dot(cr_vec3 a, cr_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// ---------------------------------------------------------------------------------------------
// Making one.

static bool is_known(const cr_body *body)
{
    cr_shape_kind kind = body->kind == CR_KIND_STATIC ? CR_SHAPE_PLANE : CR_SHAPE_SPHERE;
    return body->part_count == 1 && body->parts[0].shape.kind == kind && !body->driven;
}

static cr_status create_bouncer(const cr_model *model, void **world, cr_report *report)
{
    for (int i = 0; i < cr_model_body_count(model); i++) {
        const cr_body *body = cr_model_body(model, i);
        if (!is_known(body)) {
            return cr_report_fail(report, CR_ERR_TYPE,
                                  "engine bouncer: body \"%s\" is neither a ball nor a plane",
                                  body->name);
        }
    }
    bouncer *made = malloc(sizeof *made);
    knock *knocks = calloc((size_t)cr_model_pair_count(model) + 1, sizeof *knocks);
    if (!made || !knocks) {
        free(made);
        free(knocks);
        return cr_report_fail(report, CR_ERR_MEMORY, "engine bouncer: no memory");
    }
    *made = (bouncer){model, knocks};
    *world = made;
    return CR_OK;
}

static void destroy_bouncer(void *world)
{
    free(((bouncer *)world)->knocks);
    free(world);
}

// ---------------------------------------------------------------------------------------------
// Contacts.

static side side_of(const bouncer *b, cr_state *state, int body)
{
    const cr_body *info = cr_model_body(b->model, body);
    cr_body_state *bodies = cr_state_bodies(b->model, state);
    return (side){.part = &info->parts[0],
                  .ball = info->slot >= 0 ? &bodies[info->slot] : NULL,
                  .inverse_mass = info->slot >= 0 ? 1 / info->mass : 0,
                  .pose = cr_state_pose(b->model, state, body)};
}

// A plane's normal: z of its frame, turned by the body's rotation and by the part's own.
static cr_vec3 turned(cr_quat q, cr_vec3 v)
{
    cr_vec3 u = {q.x, q.y, q.z};
    cr_vec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                 2 * (u.x * v.y - u.y * v.x)};
    cr_vec3 w = {u.y * t.z - u.z * t.y, u.z * t.x - u.x * t.z, u.x * t.y - u.y * t.x};
    return add(add(v, q.w, t), 1, w);
}

// How far the ball is in the other, and the unit vector from that to it.
static double depth_in(const side *ball, const side *other, cr_vec3 *normal)
{
    if (!other->ball) {
        cr_vec3 up = turned(other->part->pose.rotation, (cr_vec3){0, 0, 1});
        cr_vec3 origin = turned(other->pose.rotation, other->part->pose.position);
        *normal = turned(other->pose.rotation, up);
        origin = add(origin, 1, other->pose.position);
        return ball->part->shape.radius - dot(*normal, add(ball->pose.position, -1, origin));
    }
    cr_vec3 gap = add(ball->pose.position, -1, other->pose.position);
    double distance = sqrt(dot(gap, gap));
    *normal = distance > 0 ? add((cr_vec3){0, 0, 0}, 1 / distance, gap) : (cr_vec3){0, 0, 1};
    return ball->part->shape.radius + other->part->shape.radius - distance;
}

static void push(side *s, double impulse, cr_vec3 along)
{
    if (s->ball) {
        s->ball->velocity = add(s->ball->velocity, impulse * s->inverse_mass, along);
    }
}

// Coulomb friction: against the sliding, and at most so much that it stops.
static void rub(side *ball, side *other, cr_vec3 sliding, double most)
{
    double speed = sqrt(dot(sliding, sliding));
    double stops = speed / (ball->inverse_mass + other->inverse_mass);
    if (speed > 0) {
        double impulse = stops < most ? stops : most;
        push(ball, -impulse / speed, sliding);
        push(other, impulse / speed, sliding);
    }
}

// Bounce as the scene says that these two surfaces meet; returns the impulse.
static double bounce(const bouncer *b, side *ball, side *other, cr_vec3 normal)
{
    cr_meeting how = cr_model_meeting(b->model, ball->part->material, other->part->material);
    cr_vec3 still = {0, 0, 0};
    cr_vec3 v = add(ball->ball->velocity, -1, other->ball ? other->ball->velocity : still);
    double closing = -dot(v, normal);
    if (closing <= 0) {
        return 0;
    }
    double impulse = (1 + how.restitution) * closing / (ball->inverse_mass + other->inverse_mass);
    push(ball, impulse, normal);
    push(other, -impulse, normal);
    rub(ball, other, add(v, closing, normal), how.friction * impulse);
    return impulse;
}

static void note(knock *k, cr_pair pair, cr_vec3 point, cr_vec3 normal, double impulse)
{
    if (!k->touched || impulse > k->hardest) {
        double sum = k->touched ? k->contact.impulse : 0;
        k->contact = (cr_contact){pair.a, pair.b, point, normal, sum};
        k->hardest = impulse;
    }
    k->touched = true;
    k->contact.impulse += impulse;
}

static void meet(const bouncer *b, cr_state *state, int index)
{
    cr_pair pair = cr_model_pair_info(b->model, index);
    side one = side_of(b, state, pair.a), two = side_of(b, state, pair.b);
    bool swapped = one.ball == NULL; // a plane comes before the ball
    side *ball = swapped ? &two : &one, *other = swapped ? &one : &two;
    cr_vec3 normal;
    double depth = depth_in(ball, other, &normal);
    if (depth < 0) {
        return;
    }
    double impulse = pair.responds ? bounce(b, ball, other, normal) : 0;
    cr_vec3 point = add(ball->pose.position, -ball->part->shape.radius, normal);
    cr_vec3 away = add((cr_vec3){0, 0, 0}, swapped ? 1 : -1, normal); // from a to b
    note(&b->knocks[index], pair, point, away, impulse);
    if (pair.responds) {
        double share = ball->inverse_mass / (ball->inverse_mass + other->inverse_mass);
        ball->ball->position = add(ball->ball->position, depth * share, normal);
        if (other->ball) {
            other->ball->position = add(other->ball->position, -depth * (1 - share), normal);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// A step.

// What happens at the start of a step.
static void strike(const bouncer *b, cr_state *state, const cr_action *actions)
{
    cr_body_state *bodies = cr_state_bodies(b->model, state);
    for (int slot = 0; slot < cr_model_moving_count(b->model); slot++) {
        double mass = cr_model_body(b->model, cr_model_moving_body(b->model, slot))->mass;
        bodies[slot].velocity = add(bodies[slot].velocity, 1 / mass, actions[slot].impulse);
    }
}

static void fly(const bouncer *b, cr_state *state, const cr_action *actions, double h)
{
    cr_body_state *bodies = cr_state_bodies(b->model, state);
    for (int slot = 0; slot < cr_model_moving_count(b->model); slot++) {
        const cr_body *info = cr_model_body(b->model, cr_model_moving_body(b->model, slot));
        cr_vec3 v = add(bodies[slot].velocity, h / info->mass, actions[slot].force);
        v = info->upright ? v : add(v, h, cr_model_gravity(b->model));
        v = add((cr_vec3){0, 0, 0}, exp(-info->linear_damping * h), v);
        bodies[slot].velocity = v;
        bodies[slot].position = add(bodies[slot].position, h, v);
    }
}

// The pairs are sorted as contacts have to be.
static void report(const bouncer *b, cr_step *step)
{
    step->contact_count = 0;
    cr_state_clear_touched(b->model, step->to);
    for (int i = 0; i < cr_model_pair_count(b->model); i++) {
        if (b->knocks[i].touched) {
            cr_state_set_touched(b->model, step->to, i);
            if (step->contacts) {
                step->contacts[step->contact_count] = b->knocks[i].contact;
            }
            step->contact_count++;
        }
    }
}

static bool is_finite(const bouncer *b, const cr_state *state)
{
    double sum = 0;
    const cr_body_state *bodies = cr_state_bodies_const(b->model, state);
    for (int slot = 0; slot < cr_model_moving_count(b->model); slot++) {
        sum += dot(bodies[slot].position, bodies[slot].position);
        sum += dot(bodies[slot].velocity, bodies[slot].velocity);
    }
    return isfinite(sum);
}

static void step_one(const bouncer *b, cr_step *step)
{
    int pairs = cr_model_pair_count(b->model), substeps = cr_model_substeps(b->model);
    if (step->to != step->from) {
        cr_state_copy(b->model, step->to, step->from);
    }
    memset(b->knocks, 0, (size_t)pairs * sizeof *b->knocks);
    strike(b, step->to, step->actions);
    for (int k = 0; k < substeps; k++) {
        fly(b, step->to, step->actions, cr_model_dt(b->model) / substeps);
        for (int i = 0; i < pairs; i++) {
            if (!step->mask || (step->mask[i / 64] >> (i % 64)) & 1) {
                meet(b, step->to, i);
            }
        }
    }
    report(b, step);
    step->to->step++;
    step->alive = is_finite(b, step->to);
}

static void step_all(void *world, cr_step *steps, int count)
{
    for (int i = 0; i < count; i++) {
        step_one(world, &steps[i]);
    }
}

const cr_engine_type own_bouncer = {.name = "bouncer",
                                    .about = "balls that bounce and do not turn",
                                    .lanes = 1,
                                    .create = create_bouncer,
                                    .destroy = destroy_bouncer,
                                    .step = step_all};
