// What free bodies cost, in one run: each line ends in "met" or "NOT MET". Not a test.
//     build/bench/bench_free SCENES [NAME ...]
// SCENES: the folder scenes/; with names, such as blocks/pins, only steps of these. What is compared runs in turns, a slice each, and the ratio is the
// median over the turns; times are processor time of one core.
//
//   steps    the default engine as the planner calls it, in batches of its lanes with their worlds
//            apart, states in and out, against the fastest bare ODE (QuickStep with 20 iterations
//            or dWorldStep, simple or hash space, 4 contacts a pair). Episodes begin when the body
//            that the scene controls first touches another moving one; actions are those that the
//            scene's Tactics take in roll-outs of the referee, the same for all.
//   search   steps a second of the planner on windmill, and with a crate that lies on the course
#include <carom/carom.h>
#include <stdio.h>

#include "bare_ode.h"
#include "measure.h"
#include "player.h"

enum { EPISODES = 16, LENGTH = 90, TURNS = 15, LANES_MAX = 64, KINDS = 4, FIRST_MAX = 600 };
static const double SLICE = 0.15; // s of a turn

// ---------------------------------------------------------------------------------------------
// Episodes.

typedef struct episode {
    cr_state *start;    // at the first touch
    cr_action *actions; // LENGTH times the moving bodies
} episode;

static bool has_touched(const player *p)
{
    for (int i = 0; i < p->contact_count; i++) {
        const cr_body *a = &p->model.bodies[p->contacts[i].a];
        const cr_body *b = &p->model.bodies[p->contacts[i].b];
        bool controlled = a->kind == CR_KIND_CONTROLLED || b->kind == CR_KIND_CONTROLLED;
        if (controlled && a->slot >= 0 && b->slot >= 0) {
            return true;
        }
    }
    return false;
}

// Play until the first touch; false where there is none.
static bool play_to_touch(player *p, int number)
{
    player_start(p, number);
    for (int i = 0; i < FIRST_MAX; i++) {
        if (!player_act(p) || !player_step(p)) {
            return false;
        }
        if (has_touched(p)) {
            return true;
        }
    }
    return false;
}

// From there the Tactics go on; where one ends, nothing acts any more.
static void record(player *p, episode *e)
{
    size_t count = (size_t)p->model.moving_count;
    e->start = cr_state_create(&p->model);
    e->actions = calloc(LENGTH * count, sizeof *e->actions);
    assert_true(e->start && e->actions);
    cr_state_copy(&p->model, e->start, p->state);
    for (size_t i = 0; i < LENGTH && player_act(p); i++) {
        memcpy(&e->actions[i * count], p->actions, count * sizeof *p->actions);
        if (!player_step(p)) {
            return;
        }
    }
}

static void record_all(const cr_model *model, episode *episodes)
{
    player p;
    player_open(&p, model, &bare_engine_quick, 1);
    int number = 0;
    for (int i = 0; i < EPISODES; i++) {
        while (!play_to_touch(&p, number)) {
            number++;
        }
        number++;
        record(&p, &episodes[i]);
    }
    player_close(&p);
}

// ---------------------------------------------------------------------------------------------
// Runners: bare ODE in a way, or an engine.

typedef struct runner {
    const char *name;
    const cr_model *model;
    const episode *episodes;
    bare_ode *bare;             // this, or
    const cr_engine_type *type; // that
    void *engine;
    cr_step steps[LANES_MAX];
    int worlds, next;    // abreast; the next episode
    double times[TURNS]; // us a step
} runner;

static runner open_bare(const cr_model *model, const episode *episodes, const bare_def *def,
                        const char *name)
{
    return (runner){.name = name,
                    .model = model,
                    .episodes = episodes,
                    .bare = bare_create(model, def),
                    .worlds = 1};
}

static runner open_engine(const cr_model *model, const episode *episodes,
                          const cr_engine_type *type)
{
    runner r = {.name = type->name, .model = model, .episodes = episodes, .type = type};
    r.worlds = type->lanes < LANES_MAX ? type->lanes : LANES_MAX;
    assert_int_equal(type->create(model, &r.engine, NULL), CR_OK);
    for (int i = 0; i < r.worlds; i++) {
        cr_state *state = cr_state_create(model);
        assert_non_null(state);
        r.steps[i] = (cr_step){.from = state, .to = state};
    }
    return r;
}

static void close_runner(runner *r)
{
    for (int i = 0; i < r->worlds && r->type; i++) {
        free(r->steps[i].to);
    }
    if (r->type) {
        r->type->destroy(r->engine);
    } else {
        bare_destroy(r->bare);
    }
}

static void run_bare(runner *r)
{
    const episode *e = &r->episodes[r->next++ % EPISODES];
    bare_set(r->bare, cri_bodies_const(r->model, e->start));
    for (int i = 0; i < LENGTH; i++) {
        bare_step(r->bare, &e->actions[i * r->model->moving_count]);
    }
}

// Large worlds let sleep what has been slow for some steps: their states count these first.
static void stay_awake(const cr_model *model, cr_state *state)
{
    if (model->traces_size > 0) {
        memset(cri_traces(model, state), 0, (size_t)model->moving_count);
    }
}

static void run_engine(runner *r)
{
    const episode *abreast[LANES_MAX];
    for (int k = 0; k < r->worlds; k++) {
        abreast[k] = &r->episodes[r->next++ % EPISODES];
        cr_state_copy(r->model, r->steps[k].to, abreast[k]->start);
    }
    for (int i = 0; i < LENGTH; i++) {
        for (int k = 0; k < r->worlds; k++) {
            r->steps[k].actions = &abreast[k]->actions[i * r->model->moving_count];
        }
        r->type->step(r->engine, r->steps, r->worlds);
        for (int k = 0; k < r->worlds; k++) {
            stay_awake(r->model, r->steps[k].to);
        }
    }
}

// Processor microseconds a step over a slice, or an episode if that is longer.
static double run(runner *r, double slice)
{
    double begin = processor_time(), spent = 0;
    for (int steps = 0;;) {
        if (r->bare) {
            run_bare(r);
        } else {
            run_engine(r);
        }
        steps += LENGTH * r->worlds;
        spent = processor_time() - begin;
        if (spent >= slice) {
            return 1e6 * spent / steps;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Steps.

static const bare_def BARE[KINDS] = {{BARE_QUICK, BARE_SIMPLE, BARE_CONTACTS, false, 0},
                                     {BARE_QUICK, BARE_HASH, BARE_CONTACTS, false, 0},
                                     {BARE_STEP, BARE_SIMPLE, BARE_CONTACTS, false, 0},
                                     {BARE_STEP, BARE_HASH, BARE_CONTACTS, false, 0}};
static const char *const BARE_NAMES[KINDS] = {"QuickStep, simple", "QuickStep, hash",
                                              "Step, simple", "Step, hash"};

// Ways of bare ODE that take twice the time of the best in a first try do not take part.
static int open_rivals(const cr_model *model, const episode *episodes, runner *rivals)
{
    double first[KINDS], best = HUGE_VAL;
    int kept = 0;
    for (int i = 0; i < KINDS; i++) {
        runner r = open_bare(model, episodes, &BARE[i], BARE_NAMES[i]);
        first[i] = run(&r, 0);
        best = fmin(best, first[i]);
        close_runner(&r);
    }
    for (int i = 0; i < KINDS; i++) {
        if (first[i] <= 2 * best) {
            rivals[kept++] = open_bare(model, episodes, &BARE[i], BARE_NAMES[i]);
        }
    }
    return kept;
}

static void print_steps(const char *scene, runner *rivals, int count, runner *engine)
{
    double best[TURNS], ratios[TURNS];
    const char *name = "";
    for (int turn = 0; turn < TURNS; turn++) {
        best[turn] = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            if (rivals[i].times[turn] < best[turn]) {
                best[turn] = rivals[i].times[turn];
                name = rivals[i].name;
            }
        }
        ratios[turn] = best[turn] / engine->times[turn];
    }
    double ratio = median(ratios, TURNS);
    printf("| %s | %.1f (%s) | %.1f | %.2f (%.2f - %.2f) | %s |\n", scene, median(best, TURNS),
           name, median(engine->times, TURNS), ratio, ratios[0], ratios[TURNS - 1],
           verdict(ratio >= 4));
    fflush(stdout);
}

static void measure_steps(const char *name, const cr_model *model)
{
    episode episodes[EPISODES];
    runner rivals[KINDS];
    record_all(model, episodes);
    int count = open_rivals(model, episodes, rivals);
    runner engine = open_engine(model, episodes, &cri_engine_lanes);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < count; i++) {
            rivals[i].times[turn] = run(&rivals[i], SLICE);
        }
        engine.times[turn] = run(&engine, SLICE);
    }
    print_steps(name, rivals, count, &engine);
    for (int i = 0; i < count; i++) {
        close_runner(&rivals[i]);
    }
    close_runner(&engine);
    for (int i = 0; i < EPISODES; i++) {
        free(episodes[i].start);
        free(episodes[i].actions);
    }
}

// ---------------------------------------------------------------------------------------------
// Searches.

static double search_rate(const cr_model *model, int nodes)
{
    cr_planner *planner;
    cr_planner_def def = cr_model_planner_def(model);
    def.threads = 1;
    def.nodes = nodes;
    def.solutions = 1000000;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    double begin = processor_time();
    cr_planner_grow(planner, NULL);
    double spent = processor_time() - begin;
    cr_planner_stats stats = cr_planner_get_stats(planner);
    cr_planner_destroy(planner);
    return (double)stats.steps / spent;
}

static cr_model *compile(const char *text, const char *path)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    if (cr_scene_read_text(text, strlen(text), path, &scene, &report) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        fprintf(stderr, "%s: %s\n", path, report.errors[0].message);
        exit(1);
    }
    cr_scene_destroy(scene);
    return model;
}

static void read_text(const char *folder, const char *name, char *path, char *text, size_t room)
{
    snprintf(path, 1024, "%s/%s.yaml", folder, name);
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, room - 1, file) : 0;
    text[length] = 0;
    if (length == 0 || length == room - 1 || fclose(file) != 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
}

// The same scene and one body more.
static void add_body(char *text, size_t room, const char *line)
{
    char *bodies = strstr(text, "\nbodies:\n");
    assert_true(bodies && strlen(text) + strlen(line) < room);
    bodies += strlen("\nbodies:\n");
    memmove(bodies + strlen(line), bodies, strlen(bodies) + 1);
    memcpy(bodies, line, strlen(line));
}

static void measure_crate(const char *folder)
{
    static const char CRATE[] = "  box: {kind: passive, shape: {box: [0.1, 0.1, 0.1]}, mass: 0.2, "
                                "material: wood, at: [0.9, 0.4]}\n";
    static char text[1 << 16];
    char path[1024];
    double ratios[TURNS], without[TURNS], with[TURNS];
    read_text(folder, "minigolf/windmill", path, text, sizeof text);
    cr_model *plain = compile(text, path);
    add_body(text, sizeof text, CRATE);
    cr_model *crate = compile(text, path);
    for (int turn = 0; turn < TURNS; turn++) {
        without[turn] = search_rate(plain, 50000);
        with[turn] = search_rate(crate, 5000);
        ratios[turn] = without[turn] / with[turn];
    }
    double ratio = median(ratios, TURNS);
    printf("\nwindmill: %.0f steps/s; with a free crate %.0f: %.2f times slower (%.2f - %.2f; bar "
           "3: %s)\n",
           median(without, TURNS), median(with, TURNS), ratio, ratios[0], ratios[TURNS - 1],
           verdict(ratio < 3));
    cr_model_destroy(plain);
    cr_model_destroy(crate);
}

static void measure_scene(const char *folder, const char *name)
{
    static char text[1 << 16];
    char path[1024];
    read_text(folder, name, path, text, sizeof text);
    cr_model *model = compile(text, path);
    measure_steps(name, model);
    cr_model_destroy(model);
}

int main(int argc, char **argv)
{
    static const char *const scenes[] = {"blocks/crate", "blocks/dominoes", "blocks/domino-run",
                                         "blocks/pins", "blocks/tower"};
    if (argc < 2) {
        fprintf(stderr, "usage: bench_free SCENES [NAME ...]\n");
        return 2;
    }
    printf("| from the first touch, one core | bare ODE at its best, us a step | lanes | ratio "
           "(range) | bar 4 |\n|---|---:|---:|---:|---|\n");
    for (int i = 2; i < argc; i++) {
        measure_scene(argv[1], argv[i]);
    }
    if (argc == 2) {
        for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
            measure_scene(argv[1], scenes[i]);
        }
        measure_crate(argv[1]);
    }
    return 0;
}
