// How well the lanes engine agrees with ODE. Not a test.
//     build/bench/bench_agree [roll-outs [outcomes [scene.yaml ...]]]
// Without scenes: the courses that benchmarks run. Two tables, ready for docs/engines.md:
//
//   places    open-loop roll-outs with at most two bounces: how far apart the ball ends, or the
//             robot where there is no ball
//   outcomes  roll-outs of the scene's own Tactics up to its horizon: how many reach the goal, and
//             how many break a rule, and how long they last; none may differ by more than chance
#include <stdio.h>

#include "behavior/behavior.h"
#include "rollout.h"
#include "scene/evaluate.h"

// ---------------------------------------------------------------------------------------------
// Places.

static void print_places(const char *name, const cr_model *model, int rollouts)
{
    agreement a = compare_engines(model, rollouts);
    if (a.count == 0) {
        printf("| %s | 0 of %d | | | | | | not compared |\n", name, a.tried);
        return;
    }
    printf("| %s | %d of %d | %d | %.1f | %.1f | %.1f | %.1f | %s |\n", name, a.count, a.tried,
           a.bounced, 1e3 * a.error, 1e3 * a.error_most, 1e3 * a.spread, 1e3 * a.spread_most,
           a.error <= fmax(0.01, a.spread) ? "agrees" : "DIFFERS");
    fflush(stdout);
}

// ---------------------------------------------------------------------------------------------
// Outcomes.

typedef enum outcome { OUTCOME_NONE, OUTCOME_GOAL, OUTCOME_RULE } outcome;

// A player of one engine: random Tactics, as an attempt of the planner that never ends at a
// decision.
typedef struct player {
    const cr_model *model;
    cr_planner_def def;
    const cr_engine_type *type;
    void *engine;
    cr_state *state, *next;
    cr_action *actions;
    cr_contact *contacts;
} player;

static player open_player(const cr_model *model, const cr_engine_type *type)
{
    player p = {.model = model, .def = cr_model_planner_def(model), .type = type};
    assert_int_equal(type->create(model, &p.engine, NULL), CR_OK);
    p.state = cr_state_create(model);
    p.next = cr_state_create(model);
    p.actions = calloc((size_t)model->moving_count, sizeof *p.actions);
    p.contacts = calloc((size_t)model->contact_max + 1, sizeof *p.contacts);
    assert_true(p.state && p.next && p.actions && p.contacts);
    return p;
}

static void close_player(player *p)
{
    p->type->destroy(p->engine);
    free(p->state);
    free(p->next);
    free(p->actions);
    free(p->contacts);
}

static outcome play(player *p, int number)
{
    cr_rng rng = cr_rng_make(17, CR_RNG_USER, (uint64_t)number);
    cr_sample sample = cri_draw_sample(p->model, &rng);
    cri_source source = {.rng = &rng, .sample = &sample};
    cr_state_start(p->model, p->state);
    while ((double)p->state->step * p->model->dt < p->def.horizon) {
        if (cri_is_decision(p->model, p->state, p->def.free_tactics)) {
            sample = cri_draw_sample(p->model, &rng);
        }
        if (!cri_act(p->model, p->state, p->def.free_tactics, &source, p->actions)) {
            return OUTCOME_NONE;
        }
        cr_step step = {
            .from = p->state, .to = p->next, .actions = p->actions, .contacts = p->contacts};
        p->type->step(p->engine, &step, 1);
        if (!step.alive || cri_broken_rule(p->model, p->next)) {
            return OUTCOME_RULE;
        }
        if (cri_goal_reached(p->model, p->next)) {
            return OUTCOME_GOAL;
        }
        cr_state *before = p->state;
        p->state = p->next;
        p->next = before;
    }
    return OUTCOME_NONE;
}

typedef struct counts {
    int all, by[3];
    double seconds, seconds2; // how long they last: sum, and sum of squares
} counts;

static void play_all(counts *c, const cr_model *model, const cr_engine_type *type, int first,
                     int plays)
{
    player p = open_player(model, type);
    for (int i = 0; i < plays; i++) {
        c->by[play(&p, first + i)]++;
        c->all++;
        double seconds = (double)p.state->step * model->dt;
        c->seconds += seconds;
        c->seconds2 += seconds * seconds;
    }
    close_player(&p);
}

// The difference of two shares in standard errors.
static double errors_apart(const counts *a, const counts *b, outcome which)
{
    double share = (double)(a->by[which] + b->by[which]) / (a->all + b->all);
    double error = sqrt(share * (1 - share) * (1.0 / a->all + 1.0 / b->all));
    double apart = fabs((double)a->by[which] / a->all - (double)b->by[which] / b->all);
    return error > 0 ? apart / error : 0;
}

static double mean_seconds(const counts *c)
{
    return c->seconds / c->all;
}

// The same for how long they last.
static double times_apart(const counts *a, const counts *b)
{
    double error2 = 0;
    for (int i = 0; i < 2; i++) {
        const counts *c = i ? b : a;
        error2 += (c->seconds2 / c->all - mean_seconds(c) * mean_seconds(c)) / c->all;
    }
    return error2 > 0 ? fabs(mean_seconds(a) - mean_seconds(b)) / sqrt(error2) : 0;
}

static void print_outcomes(const char *name, const counts *ode, const counts *lanes)
{
    double goal = errors_apart(ode, lanes, OUTCOME_GOAL);
    double rule = errors_apart(ode, lanes, OUTCOME_RULE), time = times_apart(ode, lanes);
    printf(
        "| %s | %d | %.1f%% | %.1f%% | %.1f | %.1f%% | %.1f%% | %.1f | %.2f | %.2f | %.1f | %s |\n",
        name, ode->all, 100.0 * ode->by[OUTCOME_GOAL] / ode->all,
        100.0 * lanes->by[OUTCOME_GOAL] / lanes->all, goal,
        100.0 * ode->by[OUTCOME_RULE] / ode->all, 100.0 * lanes->by[OUTCOME_RULE] / lanes->all,
        rule, mean_seconds(ode), mean_seconds(lanes), time,
        fmax(fmax(goal, rule), time) <= 3 ? "agrees" : "DIFFERS");
    fflush(stdout);
}

// ---------------------------------------------------------------------------------------------
// Courses and scenes.

static cr_scene *open_scene(const char *path)
{
    cr_scene *scene = NULL;
    cr_report report = {0};
    if (cr_scene_read(path, &scene, &report) != CR_OK) {
        printf("%s: %s\n", path, report.errors[0].message);
        exit(1);
    }
    return scene;
}

static void measure_places(const char *path, int rollouts)
{
    cr_scene *scene = open_scene(path);
    cr_model *model = NULL;
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, NULL), CR_OK);
    print_places(cr_scene_name(scene), model, rollouts);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

// Each from a start of its own where the scene draws them: without anything to decide, roll-outs
// from the same start are all one.
static void measure_outcomes(const char *path, int plays)
{
    cr_scene *scene = open_scene(path);
    counts ode = {0}, lanes = {0};
    cr_model *model = NULL;
    bool draws = cr_model_create(scene, NULL, 1, &model, NULL) == CR_OK;
    cr_model_destroy(model);
    int starts = draws ? plays : 1;
    for (int start = 0; start < starts; start++) {
        assert_int_equal(cr_model_create(scene, NULL, start, &model, NULL), CR_OK);
        play_all(&ode, model, &cri_engine_ode, start, plays / starts);
        play_all(&lanes, model, &cri_engine_lanes, start, plays / starts);
        cr_model_destroy(model);
    }
    print_outcomes(cr_scene_name(scene), &ode, &lanes);
    cr_scene_destroy(scene);
}

static void measure_courses(int rollouts)
{
    for (int i = 0; i < COURSE_COUNT; i++) {
        world w = world_make();
        COURSES[i].make(&w);
        world_finish(&w);
        print_places(COURSES[i].name, &w.model, rollouts);
        world_free(&w);
    }
}

int main(int argc, char **argv)
{
    int rollouts = argc > 1 ? atoi(argv[1]) : 200, plays = argc > 2 ? atoi(argv[2]) : 1000;
    if (rollouts > 0) {
        printf("| %d steps, at most two bounces | roll-outs | with bounces | lanes - ODE: median, "
               "mm | 90%% | "
               "ODE 1/240 - 1/960: median, mm | 90%% | |\n|---|---|---:|---:|---:|---:|---:|---|\n",
               ROLLOUT_STEPS);
    }
    if (argc <= 3) {
        measure_courses(rollouts);
    }
    for (int i = 3; i < argc && rollouts > 0; i++) {
        measure_places(argv[i], rollouts);
    }
    if (argc > 3 && plays > 0) {
        printf("\n| random Tactics | roll-outs | goal: ODE | lanes | errors apart | rule broken: "
               "ODE | lanes | errors apart | seconds: ODE | lanes | errors apart | "
               "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
    }
    for (int i = 3; i < argc && plays > 0; i++) {
        measure_outcomes(argv[i], plays);
    }
    return 0;
}
