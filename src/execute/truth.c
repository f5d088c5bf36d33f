// The true world (003, 9.2). A step of it is a step of an engine; what is disturbed is what goes
// in (numbers once, actions each step) and what comes out (observations). Each draw comes from a
// stream that the seed, the step and its purpose name, so none depends on how many were made
// before.
#include "execute/execute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"
#include "behavior/behavior.h"
#include "scene/evaluate.h"

static const double DEGREE = CRI_PI / 180;

// A body that strays has a velocity of its own, which forgets within STRAY_TIME, and is drawn back
// to where it should be within STRAY_BACK. At uncertainty 1 and top speed v, in the long run, that
// velocity deviates by v along each axis, and the place by v STRAY_BACK sqrt(STRAY_TIME /
// (STRAY_TIME + STRAY_BACK)): 0.35 s of v.
static const double STRAY_TIME = 0.5, STRAY_BACK = 0.5; // s

// A kicker reaches a ball that is this far from its front, within 45 degrees of where it looks.
static const double KICK_REACH = 0.03;

// What a stream is for.
typedef enum purpose { ONCE, TACTICS, STRAYING, KICKS, SEEING, PURPOSES } purpose;

// A body that does not do quite what it should.
typedef struct drift {
    double gain;             // of the forces of controlled bodies, of the motion of foreign ones
    double top;              // m/s, the fastest that its Tactic has asked for so far
    double stray_x, stray_y; // what it strays by, in units of top speed
    cr_vec3 offset;          // m from where it should be
} drift;

struct cr_truth {
    const cr_model *model;
    cr_truth_def def;
    cr_engine *engine;
    cr_numbers *numbers; // NULL: the model's
    cr_state *state, *next;
    cr_action *actions;
    bool *acts;    // by Tactic: acts here, because its body is foreign
    drift *drifts; // by slot
    int late;      // steps of latency
    char *past;    // the last late + 1 states, by step
    int64_t begin; // step of the first state
};

// ---------------------------------------------------------------------------------------------
// Defs.

cr_truth_def cr_exact_truth_def(void)
{
    return (cr_truth_def){.seed = 1};
}

cr_truth_def cr_default_truth_def(void)
{
    return (cr_truth_def){.seed = 1,
                          .position = 0.002,
                          .angle = 0.5 * DEGREE,
                          .latency = 0.1,
                          .kick_speed = 0.03,
                          .kick_aim = 0.5 * DEGREE};
}

static cr_status check(const cr_truth_def *def, cr_report *report)
{
    const struct {
        const char *name;
        double value, most;
    } rows[] = {
        {"numbers", def->numbers, 1},
        {"position", def->position, 1e3},
        {"angle", def->angle, 10},
        {"velocity", def->velocity, 1e3},
        {"latency", def->latency, 60},
        {"kick_speed", def->kick_speed, 1},
        {"kick_aim", def->kick_aim, 10},
        {"drive", def->drive, 1},
        {"slip", def->slip, 1},
        {"rate", def->rate, 1},
        {"uncertainty", def->uncertainty, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!(rows[i].value >= 0 && rows[i].value <= rows[i].most)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the truth's %s must be 0 to %g, got %g", rows[i].name, rows[i].most,
                            rows[i].value);
        }
    }
    return CR_OK;
}

static cr_rng stream(const cr_truth *truth, purpose what, int64_t step)
{
    uint64_t index = (uint64_t)step * PURPOSES + (uint64_t)what;
    return cr_rng_make(truth->def.seed, CR_RNG_TRUTH, index);
}

// A factor about 1, which stays on the side of zero that it should be on.
static double draw_factor(cr_rng *rng, double deviation)
{
    double factor = cr_rng_normal(rng, 1, deviation);
    return cri_clamp(factor, 0.1, 10);
}

// ---------------------------------------------------------------------------------------------
// Numbers.

static cr_status draw_body(cr_truth *truth, int body, cr_rng *rng, cr_report *report)
{
    double share = truth->def.numbers;
    cr_body_numbers value = cr_numbers_body(truth->numbers, body);
    double mass = draw_factor(rng, share);
    value.mass *= mass;
    value.inertia = cri_scale(mass, value.inertia);
    value.linear_damping *= draw_factor(rng, share);
    value.angular_damping *= draw_factor(rng, share);
    if (value.floor_friction > 0) {
        value.floor_friction *= draw_factor(rng, share);
    }
    return cr_numbers_set_body(truth->numbers, body, &value, report);
}

static cr_status draw_material(cr_truth *truth, int material, cr_rng *rng, cr_report *report)
{
    double share = truth->def.numbers;
    cr_material value = cr_numbers_material(truth->numbers, material);
    double friction = draw_factor(rng, share);
    value.friction *= friction;
    value.static_friction *= friction;
    value.rolling *= draw_factor(rng, share);
    value.restitution = cri_clamp(value.restitution * draw_factor(rng, share), 0, 1);
    return cr_numbers_set_material(truth->numbers, material, &value, report);
}

static cr_status draw_numbers(cr_truth *truth, cr_rng *rng, cr_report *report)
{
    const cr_model *model = truth->model;
    cr_status status = cr_numbers_create(model, &truth->numbers, report);
    if (status == CR_OK) {
        cr_numbers_copy(truth->numbers, truth->def.given);
    }
    for (int slot = 0; slot < model->moving_count && status == CR_OK; slot++) {
        int body = model->moving[slot];
        if (!model->bodies[body].driven) {
            status = draw_body(truth, body, rng, report);
        }
    }
    for (int i = 0; i < model->material_count && status == CR_OK; i++) {
        status = draw_material(truth, i, rng, report);
    }
    return status;
}

// What is drawn once and stays.
static cr_status draw_once(cr_truth *truth, cr_report *report)
{
    const cr_model *model = truth->model;
    cr_rng rng = stream(truth, ONCE, 0);
    for (int slot = 0; slot < model->moving_count; slot++) {
        cr_kind kind = model->bodies[model->moving[slot]].kind;
        double share = kind == CR_KIND_FOREIGN ? truth->def.rate : truth->def.drive;
        truth->drifts[slot].gain = draw_factor(&rng, share);
    }
    bool other = truth->def.numbers > 0 || truth->def.given;
    return other ? draw_numbers(truth, &rng, report) : CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Making one.

static cr_state *past_state(const cr_truth *truth, int64_t step)
{
    size_t place = (size_t)(step % (truth->late + 1));
    return (cr_state *)(void *)(truth->past + place * truth->model->state_size);
}

static cr_status make_room(cr_truth *truth, cr_report *report)
{
    const cr_model *model = truth->model;
    truth->late = (int)(truth->def.latency / model->dt + 0.5);
    truth->state = cr_state_create(model);
    truth->next = cr_state_create(model);
    truth->actions = calloc((size_t)model->moving_count + 1, sizeof *truth->actions);
    truth->acts = calloc((size_t)model->tactic_count + 1, sizeof *truth->acts);
    truth->drifts = calloc((size_t)model->moving_count + 1, sizeof *truth->drifts);
    truth->past = calloc((size_t)truth->late + 1, model->state_size);
    bool made = truth->state && truth->next && truth->actions && truth->acts && truth->drifts &&
                truth->past;
    return made ? CR_OK : cri_fail_memory(report);
}

static cr_status fill(cr_truth *truth, const cr_state *start, cr_report *report)
{
    const cr_model *model = truth->model;
    cr_status status = make_room(truth, report);
    if (status != CR_OK) {
        return status;
    }
    if (start) {
        cr_state_copy(model, truth->state, start);
    }
    truth->begin = truth->state->step;
    cr_state_copy(model, past_state(truth, truth->begin), truth->state);
    for (int i = 0; i < model->tactic_count; i++) {
        truth->acts[i] = model->bodies[model->tactics[i].info.body].kind == CR_KIND_FOREIGN;
    }
    status = draw_once(truth, report);
    const char *engine = truth->def.engine ? truth->def.engine : "ode";
    return status == CR_OK ? cr_engine_create(model, engine, &truth->engine, report) : status;
}

cr_status cr_truth_create(const cr_model *model, const cr_truth_def *def, const cr_state *start,
                          cr_truth **truth, cr_report *report)
{
    *truth = NULL;
    cr_status status = check(def, report);
    if (status != CR_OK) {
        return status;
    }
    cr_truth *t = calloc(1, sizeof *t);
    if (!t) {
        return cri_fail_memory(report);
    }
    t->model = model;
    t->def = *def;
    status = fill(t, start, report);
    if (status == CR_OK && t->numbers && !cr_engine_takes_numbers(t->engine)) {
        status = cri_fail(report, CR_ERR_NAME, (cri_location){0},
                          "the truth's engine takes no numbers of its own");
    }
    if (status != CR_OK) {
        cr_truth_destroy(t);
        return status;
    }
    *truth = t;
    return CR_OK;
}

void cr_truth_destroy(cr_truth *truth)
{
    if (truth) {
        cr_engine_destroy(truth->engine);
        cr_numbers_destroy(truth->numbers);
        free(truth->state);
        free(truth->next);
        free(truth->actions);
        free(truth->acts);
        free(truth->drifts);
        free(truth->past);
        free(truth);
    }
}

// ---------------------------------------------------------------------------------------------
// Foreign bodies: their Tactics act, and they stray.

// A velocity that forgets: its deviation is 1 in the long run, whatever the step. The stream is
// nobody else's, so where nothing strays nothing is drawn.
static void stray_on(cr_truth *truth)
{
    if (truth->def.uncertainty == 0 && truth->def.slip == 0) {
        return;
    }
    cr_rng rng = stream(truth, STRAYING, truth->state->step);
    double keep = cri_exp(-truth->model->dt / STRAY_TIME), fresh = sqrt(1 - keep * keep);
    for (int slot = 0; slot < truth->model->moving_count; slot++) {
        drift *d = &truth->drifts[slot];
        d->stray_x = keep * d->stray_x + fresh * cr_rng_normal(&rng, 0, 1);
        d->stray_y = keep * d->stray_y + fresh * cr_rng_normal(&rng, 0, 1);
    }
}

static void stray_driven(cr_truth *truth, drift *d, cr_action *action)
{
    double u = truth->def.uncertainty, dt = truth->model->dt;
    action->velocity = cri_scale(d->gain, action->velocity);
    action->spin = cri_scale(d->gain * (1 + u * d->stray_x), action->spin);
    if (u == 0) {
        return; // exactly as its Tactic says
    }
    d->top = fmax(d->top, cri_length(action->velocity));
    cr_vec3 own = cri_scale(u * d->top, cri_vec3(d->stray_x, d->stray_y, 0));
    own = cri_mad(own, -1 / STRAY_BACK, d->offset);
    d->offset = cri_mad(d->offset, dt, own);
    action->velocity = cri_add(action->velocity, own);
}

static void stray_pushed(const cr_truth *truth, const drift *d, cr_action *action)
{
    double u = truth->def.uncertainty;
    cr_vec3 f = action->force;
    action->force = cri_scale(d->gain * (1 + u * d->stray_x), f);
    action->force = cri_mad(action->force, u * d->stray_y, cri_vec3(-f.y, f.x, 0));
    action->torque = cri_scale(d->gain * (1 + u * d->stray_x), action->torque);
}

static void act_foreign(cr_truth *truth)
{
    const cr_model *model = truth->model;
    cr_rng rng = stream(truth, TACTICS, truth->state->step);
    cr_sample sample = cri_draw_sample(model, &rng);
    cri_source source = {.rng = &rng, .sample = &sample, .acts = truth->acts};
    cri_act(model, truth->state, false, &source, truth->actions);
    stray_on(truth);
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        drift *d = &truth->drifts[slot];
        if (body->kind == CR_KIND_FOREIGN && body->driven) {
            stray_driven(truth, d, &truth->actions[slot]);
        } else if (body->kind == CR_KIND_FOREIGN) {
            stray_pushed(truth, d, &truth->actions[slot]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Commands.

static cr_vec3 turn(cr_vec3 v, double angle)
{
    double s, c;
    cri_sin_cos(angle, &s, &c);
    return cri_vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}

static bool is_zero(cr_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static void hit(cr_truth *truth, int slot, const cr_action *meant, double angle, cr_rng *rng)
{
    if (is_zero(meant->impulse) && is_zero(meant->twist)) { // the stream goes on all the same
        cr_rng_normal(rng, 0, 0);
        cr_rng_normal(rng, 0, 0);
        return;
    }
    double speed = draw_factor(rng, truth->def.kick_speed);
    angle += cr_rng_normal(rng, 0, truth->def.kick_aim);
    cr_action *action = &truth->actions[slot];
    action->impulse = cri_add(action->impulse, cri_scale(speed, turn(meant->impulse, angle)));
    action->twist = cri_add(action->twist, cri_scale(speed, turn(meant->twist, angle)));
}

// Wheels slip along a force and across it.
static void drive(cr_truth *truth, int slot, const cr_action *meant, cr_rng *rng)
{
    const drift *d = &truth->drifts[slot];
    double slip = truth->def.slip, gain = d->gain;
    cr_action *action = &truth->actions[slot];
    cr_vec3 f = cri_scale(gain, meant->force);
    action->force = f;
    action->torque = cri_scale(gain * (1 + slip * d->stray_x), meant->torque);
    if (slip > 0) { // else exactly as told
        action->force = cri_mad(f, slip * d->stray_x, f);
        action->force = cri_mad(action->force, slip * d->stray_y, cri_vec3(-f.y, f.x, 0));
    }
    action->velocity = cri_scale(gain, meant->velocity);
    action->spin = cri_scale(gain, meant->spin);
    hit(truth, slot, meant, 0, rng); // a cue ball strikes itself
}

// How far the front of a body is from a ball.
static double gap(const cr_model *model, const cr_state *state, int body, int ball)
{
    cr_vec3 away = cri_sub(cr_state_pose(model, state, ball).position,
                           cr_state_pose(model, state, body).position);
    return sqrt(away.x * away.x + away.y * away.y) - model->bodies[body].reach -
           model->bodies[ball].radius;
}

// Who acts on a body that does not act itself: the nearest that does, as it is meant.
static int find_kicker(const cr_model *model, const cr_state *meant, int ball)
{
    int kicker = -1;
    double nearest = HUGE_VAL;
    for (int i = 0; i < model->tactic_count; i++) {
        int body = model->tactics[i].info.body;
        double distance = body == ball ? HUGE_VAL : gap(model, meant, body, ball);
        if (distance < nearest) {
            kicker = body;
            nearest = distance;
        }
    }
    return kicker;
}

static bool in_reach(const cr_truth *truth, int kicker, int ball)
{
    const cr_model *model = truth->model;
    cr_vec3 away = cri_sub(cr_state_pose(model, truth->state, ball).position,
                           cr_state_pose(model, truth->state, kicker).position);
    double heading = cr_state_heading(model, truth->state, kicker);
    double off = cri_wrap(cri_atan2(away.y, away.x) - heading);
    return gap(model, truth->state, kicker, ball) <= KICK_REACH && fabs(off) <= CRI_PI / 4;
}

// A kick, or the pull of a dribbler, turns with whoever gives it.
static void act_on(cr_truth *truth, int slot, const cr_command *command, cr_rng *rng)
{
    const cr_model *model = truth->model;
    const cr_action *meant = &command->actions[slot];
    int ball = model->moving[slot], kicker = find_kicker(model, command->meant, ball);
    bool mine = kicker >= 0 && model->bodies[kicker].kind == CR_KIND_CONTROLLED;
    if (!mine || !in_reach(truth, kicker, ball)) {
        return;
    }
    double angle = cr_state_heading(model, truth->state, kicker) -
                   cr_state_heading(model, command->meant, kicker);
    hit(truth, slot, meant, angle, rng);
    cr_action *action = &truth->actions[slot];
    action->force = cri_add(action->force, turn(meant->force, angle));
    action->torque = cri_add(action->torque, turn(meant->torque, angle));
}

static bool is_nothing(const cr_action *action)
{
    static const cr_action nothing = {0};
    return memcmp(action, &nothing, sizeof nothing) == 0;
}

static void carry_out(cr_truth *truth, const cr_command *command)
{
    const cr_model *model = truth->model;
    cr_rng rng = stream(truth, KICKS, truth->state->step);
    for (int slot = 0; slot < model->moving_count; slot++) {
        cr_kind kind = model->bodies[model->moving[slot]].kind;
        if (kind == CR_KIND_CONTROLLED) {
            drive(truth, slot, &command->actions[slot], &rng);
        } else if (kind == CR_KIND_PASSIVE && !is_nothing(&command->actions[slot])) {
            act_on(truth, slot, command, &rng);
        }
    }
}

// Conditions may ask what a Tactic is doing: those of controlled bodies do what is meant.
static void take_tactics(const cr_truth *truth, cr_state *state, const cr_state *meant)
{
    const cr_model *model = truth->model;
    for (int i = 0; i < model->tactic_count; i++) {
        if (!truth->acts[i]) {
            size_t bytes =
                sizeof(cr_tactic_state) + (size_t)model->tactics[i].variable_count * sizeof(double);
            memcpy(cri_tactic_state(model, state, i), cri_tactic_state_const(model, meant, i),
                   bytes);
        }
    }
}

// A camera looks down: it errs in the plane.
static void blur(const cr_truth_def *def, cr_body_state *body, cr_rng *rng)
{
    body->position.x += cr_rng_normal(rng, 0, def->position);
    body->position.y += cr_rng_normal(rng, 0, def->position);
    double angle = cr_rng_normal(rng, 0, def->angle);
    body->rotation = cri_quat_mul(cri_quat_heading(angle), body->rotation);
    body->velocity.x += cr_rng_normal(rng, 0, def->velocity);
    body->velocity.y += cr_rng_normal(rng, 0, def->velocity);
    body->spin.z += cr_rng_normal(rng, 0, def->velocity);
}

cr_step cri_truth_begin(cr_truth *truth, const cr_command *command)
{
    take_tactics(truth, truth->state, command->meant);
    act_foreign(truth);
    carry_out(truth, command);
    return (cr_step){.from = truth->state,
                     .actions = truth->actions,
                     .numbers = truth->numbers,
                     .to = truth->next};
}

bool cri_truth_end(cr_truth *truth, const cr_command *command, const cr_step *step)
{
    if (step->alive) {
        cr_state *before = truth->state;
        truth->state = truth->next;
        truth->next = before;
        take_tactics(truth, truth->state, command->next);
        cr_state_copy(truth->model, past_state(truth, truth->state->step), truth->state);
    }
    return step->alive;
}

bool cr_truth_step(cr_truth *truth, const cr_command *command)
{
    cr_step step = cri_truth_begin(truth, command);
    cr_engine_step(truth->engine, &step, 1);
    return cri_truth_end(truth, command, &step);
}

void cri_truth_blur_body(const cr_truth_def *def, const cr_model *model, cr_state *state, int slot,
                         cr_rng *rng)
{
    blur(def, &cri_bodies(model, state)[slot], rng);
}

void cri_truth_blur(const cr_truth_def *def, const cr_model *model, cr_state *state, cr_rng *rng)
{
    for (int slot = 0; slot < model->moving_count; slot++) {
        blur(def, &cri_bodies(model, state)[slot], rng);
    }
}

// ---------------------------------------------------------------------------------------------
// What is so, and what is seen.

const cr_state *cr_truth_state(const cr_truth *truth)
{
    return truth->state;
}

const char *cr_truth_rule(const cr_truth *truth)
{
    const cri_rule *rule = cri_broken_rule(truth->model, truth->state);
    return rule ? rule->text : NULL;
}

bool cr_truth_goal(const cr_truth *truth)
{
    return cri_goal_reached(truth->model, truth->state);
}

void cr_truth_observe(const cr_truth *truth, cr_state *seen)
{
    const cr_model *model = truth->model;
    int64_t step = truth->state->step - truth->late;
    const cr_state *past = past_state(truth, step > truth->begin ? step : truth->begin);
    cr_rng rng = stream(truth, SEEING, past->step);
    seen->step = past->step;
    for (int slot = 0; slot < model->moving_count; slot++) {
        cri_bodies(model, seen)[slot] = cri_bodies_const(model, past)[slot];
        blur(&truth->def, &cri_bodies(model, seen)[slot], &rng);
    }
}
