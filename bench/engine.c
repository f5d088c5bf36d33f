// The engine `lanes` against what it is made for, in one run; each line ends in "met" or "NOT MET".
// Not a test. bench/engine.sh runs it, and the same bits from all compilers besides.
//     build/bench/bench_engine ATTACK.yaml [scene.yaml ...]
//
// The machine may be shared: what is compared runs in turns, a slice each, and the ratio is the
// median over the turns. Times of one core are processor time.
#include <carom/carom.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "bare_ode.h"
#include "courses.h"
#include "engine/lanes/stepper.h"
#include "measure.h"

enum { BATCH = 8, TURNS = 9, SEARCHES = 25, SEEDS = 100, TREE_NODES = 100000 };
static const double THESIS_MS = 550, FRAME_MS = 1000.0 / 60;

// ---------------------------------------------------------------------------------------------
// Steps of courses: bare ODE and the engines.

// Something that runs episodes of a course.
typedef struct runner {
    const char *name;
    const cr_model *model;
    bare_ode *bare;             // this, or
    const cr_engine_type *type; // that
    void *engine;
    cr_step steps[BATCH];
    cr_numbers *blocks[BATCH]; // NULL: none
    cr_action *actions;
    int episode;
    double rates[TURNS];
} runner;

static runner open_runner(const char *name, const cr_model *model, const cr_engine_type *type,
                          bool quick)
{
    runner r = {.name = name, .model = model, .type = type};
    r.actions = calloc((size_t)model->moving_count, sizeof *r.actions);
    bare_def bare = bare_default_def();
    bare.solver = quick ? BARE_QUICK : BARE_STEP;
    r.bare = type ? NULL : bare_create(model, &bare);
    assert_true(!type || type->create(model, &r.engine, NULL) == CR_OK);
    for (int i = 0; i < BATCH; i++) {
        cr_state *state = cr_state_create(model);
        assert_true(state && r.actions);
        // As in a search, contacts are not asked for; bare ODE reports none either.
        r.steps[i] = (cr_step){.from = state, .to = state, .actions = r.actions};
    }
    return r;
}

// Give each of its worlds a block of its own. All have the model's values, so that the worlds go
// where those without blocks go: what differs is what blocks cost.
static void give_blocks(runner *r)
{
    for (int i = 0; i < BATCH; i++) {
        assert_int_equal(cr_numbers_create(r->model, &r->blocks[i], NULL), CR_OK);
        r->steps[i].numbers = r->blocks[i];
    }
}

static void close_runner(runner *r)
{
    for (int i = 0; i < BATCH; i++) {
        free(r->steps[i].to);
        cr_numbers_destroy(r->blocks[i]);
    }
    free(r->actions);
    if (r->type) {
        r->type->destroy(r->engine);
    } else {
        bare_destroy(r->bare);
    }
}

// One episode; returns its steps.
static int run_episode(runner *r)
{
    int worlds = r->type ? BATCH : 1;
    for (int i = 0; i < worlds; i++) {
        begin_episode(r->model, r->steps[i].to, r->episode++);
    }
    if (r->bare) {
        bare_set(r->bare, cri_bodies(r->model, r->steps[0].to));
    }
    for (int step = 0; step < EPISODE; step++) {
        for (int slot = 0; slot < r->model->moving_count; slot++) {
            bool drives = r->model->bodies[r->model->moving[slot]].upright;
            r->actions[slot].force = drives ? drive(slot, step) : cri_vec3(0, 0, 0);
        }
        if (r->bare) {
            bare_step(r->bare, r->actions);
        } else {
            r->type->step(r->engine, r->steps, worlds);
        }
    }
    return EPISODE * worlds;
}

static void run_turn(runner *r, int turn, double seconds)
{
    double begin = clock_of(CLOCK_PROCESS_CPUTIME_ID), now = begin;
    for (int steps = 0; now - begin < seconds || steps == 0;) {
        steps += run_episode(r);
        now = clock_of(CLOCK_PROCESS_CPUTIME_ID);
        r->rates[turn] = steps / (now - begin);
    }
}

enum { QUICK, STEP, ODE, LANES, OWN, RUNNERS };

// How much of the speed of worlds without blocks those with them have.
static double own_share(const runner *runners)
{
    double shares[TURNS];
    for (int i = 0; i < TURNS; i++) {
        shares[i] = runners[OWN].rates[i] / runners[LANES].rates[i];
    }
    return median(shares, TURNS);
}

static void print_course(const char *course, runner *runners)
{
    double ratios[TURNS], share = own_share(runners);
    for (int k = 0; k < RUNNERS; k++) {
        for (int i = 0; i < TURNS; i++) {
            ratios[i] = runners[k].rates[i] / fmax(runners[QUICK].rates[i], runners[STEP].rates[i]);
        }
        double ratio = median(ratios, TURNS);
        printf("| %s | %s | %.0f | %.1f (%.1f - %.1f) | ", course, runners[k].name,
               median(runners[k].rates, TURNS), ratio, ratios[0], ratios[TURNS - 1]);
        if (k == LANES) {
            printf("%s |\n", verdict(ratio >= 10));
        } else if (k == OWN) {
            printf("%.2f of the row above (bar 0.9): %s |\n", share, verdict(share >= 0.9));
        } else {
            printf("|\n");
        }
    }
    fflush(stdout);
}

static void measure_course(const course_def *def)
{
    world w = world_make();
    def->make(&w);
    world_finish(&w);
    runner runners[RUNNERS] = {
        [QUICK] = open_runner("bare ODE, QuickStep", &w.model, NULL, true),
        [STEP] = open_runner("bare ODE, Step", &w.model, NULL, false),
        [ODE] = open_runner("engine ode", &w.model, &cri_engine_ode, false),
        [LANES] = open_runner("engine lanes", &w.model, &cri_engine_lanes, false),
        [OWN] = open_runner("engine lanes, own numbers", &w.model, &cri_engine_lanes, false)};
    give_blocks(&runners[OWN]);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < RUNNERS; k++) {
            run_turn(&runners[k], turn, 0.1);
        }
    }
    print_course(def->name, runners);
    for (int k = 0; k < RUNNERS; k++) {
        close_runner(&runners[k]);
    }
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Searches.

typedef struct result {
    double cpu, wall; // s
    cr_planner_stats stats;
    bool solved;
} result;

static result search(const cr_model *model, const cr_planner_def *def)
{
    cr_planner *planner;
    result r = {0};
    assert_int_equal(cr_planner_create(model, def, &planner, NULL), CR_OK);
    double cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID), wall = clock_of(CLOCK_MONOTONIC);
    r.solved = cr_planner_grow(planner, NULL) == CR_OUTCOME_SOLVED;
    r.cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    r.wall = clock_of(CLOCK_MONOTONIC) - wall;
    r.stats = cr_planner_get_stats(planner);
    cr_planner_destroy(planner);
    return r;
}

static void measure_shots(const char *name, const cr_model *model)
{
    double times[SEEDS], engine = 0, steps = 0;
    int solved = 0;
    cr_planner_def def = cr_model_planner_def(model);
    def.engine = "lanes";
    def.threads = 1;
    for (int i = 0; i < SEEDS; i++) {
        def.seed = (uint64_t)i + 1;
        result r = search(model, &def);
        times[i] = 1e3 * r.cpu;
        engine += r.stats.engine_seconds / r.wall * r.cpu;
        steps += (double)r.stats.steps;
        solved += r.solved;
    }
    double ms = median(times, SEEDS);
    printf("%s, single shot, one core, seeds 1-%d: %d solved, median %.1f ms (bar %.1f ms: %s), "
           "%.0f times the thesis's %.0f ms; engine %.2f us a step\n",
           name, SEEDS, solved, ms, FRAME_MS, verdict(ms < FRAME_MS), THESIS_MS / ms, THESIS_MS,
           1e6 * engine / steps);
    fflush(stdout);
}

static double rate_of(const result *r)
{
    return (double)r->stats.steps / r->wall;
}

// Two searches at once that share nothing, a core each: the most that the machine's second core can
// give, which is little where two cores are one of the machine's own.
typedef struct solo {
    const cr_model *model;
    const cr_planner_def *def;
    result result;
} solo;

static void *search_alone(void *argument)
{
    solo *s = argument;
    s->result = search(s->model, s->def);
    return NULL;
}

static double rate_apart(const cr_model *model, const cr_planner_def *def)
{
    solo other = {.model = model, .def = def};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, search_alone, &other), 0);
    result mine = search(model, def);
    pthread_join(thread, NULL);
    return rate_of(&mine) + rate_of(&other.result);
}

// Steps a second of a search that goes on, on one core and on two, in turns; their ratio is that of
// the nodes, because the tree is the same. Returns those of one core; `other` are those of the
// engine to compare it with, 0: none, and no bar.
static double measure_cores(const char *name, const cr_model *model, const char *engine,
                            double other)
{
    double ones[SEARCHES], twos[SEARCHES], ratios[SEARCHES], aparts[SEARCHES];
    bool same = true, grew = true;
    cr_planner_def def = cr_model_planner_def(model);
    def.engine = engine;
    def.nodes = TREE_NODES;
    def.steps = 0;
    def.solutions = 1000000;
    int turns = other > 0 ? SEARCHES : 1;
    for (int i = 0; i < turns; i++) {
        def.threads = 1;
        result one = search(model, &def);
        def.threads = 2;
        result two = search(model, &def);
        def.threads = 1;
        aparts[i] = rate_apart(model, &def);
        ones[i] = rate_of(&one);
        twos[i] = rate_of(&two);
        ratios[i] = twos[i] / ones[i];
        aparts[i] /= ones[i];
        same = same && one.stats.tree_hash == two.stats.tree_hash;
        grew = grew && one.stats.attempts > 1;
    }
    double one = median(ones, turns), ratio = median(ratios, turns);
    printf("| %s | %s | %.0f | %.1f | %.0f | %.2f (%.2f - %.2f) | %.2f | %s | %s |\n", name, engine,
           one, other > 0 ? one / other : 1, median(twos, turns), ratio, ratios[0],
           ratios[turns - 1], median(aparts, turns), same ? "same tree" : "ANOTHER TREE",
           !grew       ? "nothing to choose"
           : other > 0 ? verdict(ratio >= 1.7 && same)
                       : "");
    fflush(stdout);
    return one;
}

// ---------------------------------------------------------------------------------------------

static void measure_scene(const char *path, bool shots)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    if (cr_scene_read(path, &scene, &report) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        printf("%s: %s\n", path, report.errors[0].message);
        exit(1);
    }
    if (shots) {
        measure_shots(cr_scene_name(scene), model);
    } else {
        double ode = measure_cores(cr_scene_name(scene), model, "ode", 0);
        measure_cores(cr_scene_name(scene), model, "lanes", ode);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    const cri_stepper *stepper = cri_stepper_best();
    printf("stepper: %s; %d bytes of kernel state a body (bar 64: %s); %ld cores\n\n",
           stepper->name, stepper->body_bytes, verdict(stepper->body_bytes <= 64),
           sysconf(_SC_NPROCESSORS_ONLN));
    printf("| course, one core | | steps/s | ratio to the faster bare ODE (range) | bar 10 |\n"
           "|---|---|---:|---:|---|\n");
    for (int i = 0; i < COURSE_COUNT; i++) {
        measure_course(&COURSES[i]);
    }
    printf("\n");
    if (argc > 1) {
        measure_scene(argv[1], true);
        printf("\n| scene, %d nodes | engine | steps/s, one core | times ode | two cores | "
               "ratio (range) | two searches apart | | bar 1.7 |\n"
               "|---|---|---:|---:|---:|---:|---:|---|---|\n",
               TREE_NODES);
    }
    for (int i = 1; i < argc; i++) {
        measure_scene(argv[i], false);
    }
    return 0;
}
