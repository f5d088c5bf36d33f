// How well the lanes engine agrees with ODE. Not a test.
//     build/bench/bench_agree [roll-outs [outcomes [scene.yaml ...]]]
//     build/bench/bench_agree referee|solvers|lanes outcomes scene.yaml ...
// Outcomes may be a range, 200-1000: the roll-outs from number 200 on, so that several processes
// can share a long run.
// Without scenes: the courses that benchmarks run. Tables, ready for docs/engines.md:
//
//   places    open-loop roll-outs with at most two bounces: how far apart the ball ends, or the
//             robot where there is no ball; against the engine ode, and against bare ODE
//   outcomes  roll-outs of the scene's own Tactics up to its horizon: how many reach the goal, and
//             how many break a rule, and how long they last; none may differ by more than chance
//   referee   the same against bare ODE at 1/960 s: no share may differ by more than 5 points, or
//             twice what bare ODE's own changes from the scene's substeps to those
//   solvers   the same, and beside it the two ways of ODE that are no referee (see bare_ode.h)
//   lanes     the shares of the lanes engine alone: the referee takes hours, and its roll-outs stay
//             what they are when only lanes change
#include <stdio.h>

#include "bare_ode.h"
#include "player.h"
#include "rollout.h"

// ---------------------------------------------------------------------------------------------
// Places.

static void print_agreement(const char *name, const char *with, agreement a)
{
    if (a.count == 0) {
        printf("| %s | %s | 0 of %d | | | | | | not compared |\n", name, with, a.tried);
        return;
    }
    printf("| %s | %s | %d of %d | %d | %.1f | %.1f | %.1f | %.1f | %s |\n", name, with, a.count,
           a.tried, a.bounced, 1e3 * a.error, 1e3 * a.error_most, 1e3 * a.spread,
           1e3 * a.spread_most, a.error <= fmax(0.01, a.spread) ? "agrees" : "DIFFERS");
    fflush(stdout);
}

static void print_places(const char *name, const cr_model *model, int rollouts)
{
    print_agreement(name, "ode", compare_engines(model, &cri_engine_ode, rollouts));
    print_agreement(name, "bare ODE", compare_engines(model, &bare_engine_quick, rollouts));
}

// ---------------------------------------------------------------------------------------------
// Outcomes.

typedef struct counts {
    int all, by[3];
    double seconds, seconds2; // how long they last: sum, and sum of squares
} counts;

// An engine whose outcomes are counted.
typedef struct side {
    const cr_engine_type *type;
    int finer; // substeps against the scene's
    counts counts;
} side;

static void play_all(side *s, const cr_model *model, int first, int plays)
{
    player p;
    player_open(&p, model, s->type, s->finer);
    for (int i = 0; i < plays; i++) {
        s->counts.by[player_play(&p, first + i)]++;
        s->counts.all++;
        double seconds = (double)p.state->step * model->dt;
        s->counts.seconds += seconds;
        s->counts.seconds2 += seconds * seconds;
    }
    player_close(&p);
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

static double share(const side *s, outcome which)
{
    return 100.0 * s->counts.by[which] / s->counts.all;
}

// Whose outcomes are compared, the last two if asked for.
enum { OURS, REFEREE, FINER_REFEREE, QUICK, STEP, SIDES };

static void print_referee(const char *name, const side *sides, int count)
{
    static const char *const names[] = {"none", "goal", "rule"};
    for (outcome which = OUTCOME_GOAL; which <= OUTCOME_RULE; which++) {
        double ours = share(&sides[OURS], which), coarse = share(&sides[REFEREE], which);
        double fine = share(&sides[FINER_REFEREE], which), most = fmax(5, 2 * fabs(coarse - fine));
        printf("| %s | %d | %s | %.1f%% | %.1f%% | %.1f%% | %.1f | %.1f | %s |", name,
               sides[OURS].counts.all, names[which], ours, coarse, fine, fabs(ours - fine), most,
               fabs(ours - fine) <= most ? "met" : "NOT MET");
        for (int i = QUICK; i < count; i++) {
            printf(" %.1f%% |", share(&sides[i], which));
        }
        printf("\n");
    }
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

static void tell_progress(const char *name, const side *sides, int count)
{
    fprintf(stderr, "%s %d:", name, sides[0].counts.all);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " %.1f%%/%.1f%%", share(&sides[i], OUTCOME_GOAL),
                share(&sides[i], OUTCOME_RULE));
    }
    fprintf(stderr, " goals/rules broken\n");
}

// The numbers of roll-outs: from the first up to, not including, the last.
typedef struct range {
    int from, to;
} range;

static range read_range(const char *text)
{
    range r = {0, atoi(text)};
    const char *dash = strchr(text, '-');
    return dash ? (range){r.to, atoi(dash + 1)} : r;
}

// Each from a start of its own where the scene draws them: without anything to decide, roll-outs
// from the same start are all one. How far it is stands in stderr.
static void play_scene(const cr_scene *scene, range plays, side *sides, int count)
{
    enum { PORTION = 50 };
    cr_model *model = NULL;
    bool draws = cr_model_create(scene, NULL, 1, &model, NULL) == CR_OK;
    cr_model_destroy(model);
    int portion = draws ? 1 : PORTION;
    for (int first = plays.from; first < plays.to; first += portion) {
        int left = plays.to - first;
        assert_int_equal(cr_model_create(scene, NULL, draws ? first : 0, &model, NULL), CR_OK);
        for (int i = 0; i < count; i++) {
            play_all(&sides[i], model, first, portion < left ? portion : left);
        }
        cr_model_destroy(model);
        if (sides[0].counts.all % PORTION == 0) {
            tell_progress(cr_scene_name(scene), sides, count);
        }
    }
}

static void measure_outcomes(const char *path, range plays)
{
    cr_scene *scene = open_scene(path);
    side sides[] = {{.type = &cri_engine_ode, .finer = 1}, {.type = &cri_engine_lanes, .finer = 1}};
    play_scene(scene, plays, sides, 2);
    print_outcomes(cr_scene_name(scene), &sides[0].counts, &sides[1].counts);
    cr_scene_destroy(scene);
}

static void measure_referee(const char *path, range plays, int count)
{
    cr_scene *scene = open_scene(path);
    side sides[SIDES] = {[OURS] = {.type = &cri_engine_lanes, .finer = 1},
                         [REFEREE] = {.type = &bare_engine_cones, .finer = 1},
                         [FINER_REFEREE] = {.type = &bare_engine_cones, .finer = 4},
                         [QUICK] = {.type = &bare_engine_quick, .finer = 1},
                         [STEP] = {.type = &bare_engine_step, .finer = 1}};
    play_scene(scene, plays, sides, count);
    print_referee(cr_scene_name(scene), sides, count);
    cr_scene_destroy(scene);
}

static int play_lanes(int argc, char **argv)
{
    range plays = read_range(argv[2]);
    printf("| random Tactics | roll-outs | goal | rule broken |\n|---|---:|---:|---:|\n");
    for (int i = 3; i < argc; i++) {
        cr_scene *scene = open_scene(argv[i]);
        side ours = {.type = &cri_engine_lanes, .finer = 1};
        play_scene(scene, plays, &ours, 1);
        printf("| %s | %d | %.1f%% | %.1f%% |\n", cr_scene_name(scene), ours.counts.all,
               share(&ours, OUTCOME_GOAL), share(&ours, OUTCOME_RULE));
        fflush(stdout);
        cr_scene_destroy(scene);
    }
    return 0;
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

static int compare_with_referee(int argc, char **argv, int count)
{
    bool solvers = count == SIDES;
    printf(
        "| random Tactics | roll-outs | outcome | lanes | referee, 1/240 s | 1/960 s | apart | at "
        "most | |%s\n|---|---:|---|---:|---:|---:|---:|---:|---|%s\n",
        solvers ? " QuickStep, 1/240 s | Step, 1/240 s |" : "", solvers ? "---:|---:|" : "");
    for (int i = 3; i < argc; i++) {
        measure_referee(argv[i], read_range(argv[2]), count);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "referee") == 0) {
        return compare_with_referee(argc, argv, FINER_REFEREE + 1);
    }
    if (argc > 3 && strcmp(argv[1], "solvers") == 0) {
        return compare_with_referee(argc, argv, SIDES);
    }
    if (argc > 3 && strcmp(argv[1], "lanes") == 0) {
        return play_lanes(argc, argv);
    }
    int rollouts = argc > 1 ? atoi(argv[1]) : 200;
    range plays = read_range(argc > 2 ? argv[2] : "1000");
    if (rollouts > 0) {
        printf("| %d steps, at most two bounces | with | roll-outs | with bounces | apart: median, "
               "mm | "
               "90%% | the other, 1/240 - 1/960: median, mm | 90%% | "
               "|\n|---|---|---|---:|---:|---:|---:|---:|---|\n",
               ROLLOUT_STEPS);
    }
    if (argc <= 3) {
        measure_courses(rollouts);
    }
    for (int i = 3; i < argc && rollouts > 0; i++) {
        measure_places(argv[i], rollouts);
    }
    if (argc > 3 && plays.to > plays.from) {
        printf("\n| random Tactics | roll-outs | goal: ODE | lanes | errors apart | rule broken: "
               "ODE | lanes | errors apart | seconds: ODE | lanes | errors apart | "
               "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
    }
    for (int i = 3; i < argc && plays.to > plays.from; i++) {
        measure_outcomes(argv[i], plays);
    }
    return 0;
}
