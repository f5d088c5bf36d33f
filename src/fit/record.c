// Making recordings: a ball that lies still is kicked, and a camera with noise looks on.
#include "fit/recording.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

enum { REST = 6 };    // steps before the kick: a camera sees where the ball lies
#define AWAY      1.0 // m from the bar's face to the ball
#define HELD_SEED 19  // of the held-out shots: the same ones everywhere

static const double DEGREE = CRI_PI / 180;

cr_record_def cr_default_record_def(void)
{
    return (cr_record_def){
        .seed = 1, .noise = 0.002, .rate = 60, .seconds = 4, .slow = 0.1, .actions = true};
}

// ---------------------------------------------------------------------------------------------
// Sets of shots (003, 8.2.2).

// The side of the bar that the x axis of its frame points out of.
typedef struct face {
    cr_vec3 middle, normal, along;
    double height; // of the ball's centre
} face;

static face find_face(const cr_model *model, int ball, int bar)
{
    const cr_body *b = cr_model_body(model, bar);
    const cr_body *sphere = cr_model_body(model, ball);
    cr_vec3 normal = cri_rotate(b->pose.rotation, cri_vec3(1, 0, 0));
    double thick = b->part_count > 0 ? b->parts[0].shape.half.x : 0;
    double out = thick + (sphere->part_count > 0 ? sphere->parts[0].shape.radius : 0);
    face f = {.middle = cri_mad(b->pose.position, out, normal),
              .normal = normal,
              .along = {-normal.y, normal.x, 0},
              .height = sphere->pose.position.z};
    f.middle.z = f.height;
    return f;
}

// From the face outwards.
static cr_shot roll(const face *f, int ball, double speed)
{
    return (cr_shot){ball, cri_mad(f->middle, AWAY, f->normal), cri_scale(speed, f->normal)};
}

// To the middle of the face, at an angle to its normal.
static cr_shot bounce(const face *f, int ball, double angle, double speed)
{
    double sine, cosine;
    cri_sin_cos(angle, &sine, &cosine);
    cr_vec3 out = cri_mad(cri_scale(cosine, f->normal), sine, f->along);
    return (cr_shot){ball, cri_mad(f->middle, AWAY, out), cri_scale(-speed, out)};
}

// By number: the shot of that place in the set.
static cr_shot roll_at(const face *f, int ball, int i)
{
    return roll(f, ball, 2 + 0.5 * (i % 12));
}

static cr_shot bounce_at(const face *f, int ball, int i)
{
    return bounce(f, ball, 11.25 * DEGREE * (1 + i / 10), 3 + 0.5 * (i % 10));
}

static cr_shot held_at(const face *f, int ball, int i)
{
    cr_rng rng = cr_rng_make(HELD_SEED, CR_RNG_USER, (uint64_t)i);
    double speed = cr_rng_uniform(&rng, 2, 7.5);
    double angle = cr_rng_uniform(&rng, -75, 75) * DEGREE;
    return i % 3 == 0 ? roll(f, ball, speed) : bounce(f, ball, angle, speed);
}

static const struct {
    const char *name;
    int count;
    cr_shot (*at)(const face *f, int ball, int i);
} sets[] = {{"rolls", 36, roll_at}, {"bounces", 70, bounce_at}, {"held-out", 20, held_at}};

int cr_shot_set(const cr_model *model, const char *name, int ball, int bar, cr_shot *shots,
                int room)
{
    assert(ball >= 0 && ball < cr_model_body_count(model));
    assert(bar >= 0 && bar < cr_model_body_count(model) && room >= 0);
    face f = find_face(model, ball, bar);
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        if (strcmp(sets[k].name, name) == 0) {
            for (int i = 0; shots && i < sets[k].count && i < room; i++) {
                shots[i] = sets[k].at(&f, ball, i);
            }
            return sets[k].count;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Playing one.

typedef struct player {
    const cr_model *model;
    const cr_record_def *def;
    const cr_shot *shot;
    cr_engine *engine;
    cr_state *state;
    cr_action *actions;
    cr_rng rng;
    cr_vec3 kick; // N s, as it is recorded
    cr_recording *recording;
} player;

static cr_status check(const cr_model *model, const cr_shot *shot, const cr_record_def *def,
                       cr_report *report)
{
    bool good = def->noise >= 0 && def->noise <= 1 && def->rate > 0 && def->rate <= 1e4 &&
                def->seconds > 0 && def->seconds <= 3600 && def->slow >= 0 &&
                def->kick_speed >= 0 && def->kick_aim >= 0;
    if (!good) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a recording's noise, rate, seconds or deviations are out of range");
    }
    if (cr_model_body(model, shot->body)->kind != CR_KIND_PASSIVE) {
        return cri_fail(report, CR_ERR_TYPE, (cri_location){0},
                        "body \"%s\" is not passive: it cannot be shot",
                        cr_model_body(model, shot->body)->name);
    }
    if (!cri_finite3(shot->position) || !cri_finite3(shot->velocity)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0}, "a shot must be finite");
    }
    return CR_OK;
}

static cr_status see(player *p, int step)
{
    cr_sighting s = {.time = step * cr_model_dt(p->model), .body = p->shot->body};
    s.pose = cr_state_pose(p->model, p->state, s.body);
    s.pose.position.x += cr_rng_normal(&p->rng, 0, p->def->noise);
    s.pose.position.y += cr_rng_normal(&p->rng, 0, p->def->noise);
    if (step == REST && p->def->actions) {
        s.action.impulse = p->kick;
    }
    return cri_recording_add(p->recording, &s, NULL);
}

// The kick as it happens: a little stronger or weaker, and not quite where it was aimed.
static cr_vec3 real_kick(player *p)
{
    double gain = cr_rng_normal(&p->rng, 1, p->def->kick_speed);
    double turn = cr_rng_normal(&p->rng, 0, p->def->kick_aim);
    return cri_scale(gain, cri_rotate(cri_quat_heading(turn), p->kick));
}

static bool step_once(player *p, int step)
{
    int slot = cr_model_body(p->model, p->shot->body)->slot;
    p->actions[slot].impulse = step == REST ? real_kick(p) : (cr_vec3){0};
    cr_step world = {
        .from = p->state, .actions = p->actions, .numbers = p->def->numbers, .to = p->state};
    cr_engine_step(p->engine, &world, 1);
    return world.alive;
}

static cr_status play(player *p)
{
    double dt = cr_model_dt(p->model);
    int stride = (int)fmax(1, floor(1 / (p->def->rate * dt) + 0.5));
    int last = REST + (int)(p->def->seconds / dt + 0.5);
    cr_status status = CR_OK;
    for (int step = 0; step <= last && status == CR_OK; step++) {
        if ((step - REST) % stride == 0) {
            status = see(p, step);
        }
        if (!step_once(p, step)) {
            break;
        }
        cr_vec3 v = cr_state_velocity(p->model, p->state, p->shot->body);
        if (step > REST && cri_length(v) < p->def->slow) {
            break;
        }
    }
    return status;
}

static cr_status begin(player *p, int index, cr_report *report)
{
    char name[32];
    cri_format(name, sizeof name, "shot-%03d", index + 1);
    p->rng = cr_rng_make(p->def->seed, CR_RNG_USER, (uint64_t)index);
    p->recording = cri_recording_create(p->model, name);
    p->state = cr_state_create(p->model);
    p->actions = calloc((size_t)cr_model_moving_count(p->model) + 1, sizeof *p->actions);
    if (!p->recording || !p->state || !p->actions) {
        return cri_fail_memory(report);
    }
    int body = p->shot->body;
    cr_pose pose = cr_state_pose(p->model, p->state, body);
    pose.position = p->shot->position;
    cr_state_set_pose(p->model, p->state, body, pose);
    double mass = p->def->numbers ? cr_numbers_body(p->def->numbers, body).mass
                                  : cr_model_body(p->model, body)->mass;
    p->kick = cri_scale(mass, p->shot->velocity);
    p->recording->actions = p->def->actions;
    return cr_engine_create(p->model, p->def->engine ? p->def->engine : "lanes", &p->engine,
                            report);
}

cr_status cr_shot_record(const cr_model *model, const cr_shot *shot, int index,
                         const cr_record_def *def, cr_recording **recording, cr_report *report)
{
    assert(index >= 0);
    *recording = NULL;
    cr_status status = check(model, shot, def, report);
    if (status != CR_OK) {
        return status;
    }
    player p = {.model = model, .def = def, .shot = shot};
    status = begin(&p, index, report);
    status = status ? status : play(&p);
    free(p.state);
    free(p.actions);
    cr_engine_destroy(p.engine);
    if (status != CR_OK) {
        cr_recording_destroy(p.recording);
        return status;
    }
    p.recording->notes.samples = p.recording->count;
    *recording = p.recording;
    return CR_OK;
}
