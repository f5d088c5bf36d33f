#include "lab/fit_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/hidden.h"
#include "lab/statistics.h"
#include "terminal/scenes.h"

enum { WORLDS = 10, QUICK_WORLDS = 1, TRIALS = 100, QUICK_TRIALS = 1, COURSES = 5 };

// ---------------------------------------------------------------------------------------------
// Table 8.1: ten hidden worlds, and the other engine.

static double off_by(double value, double truth)
{
    return 100 * (value / truth - 1);
}

// What 003 asks for of a fit, as deviations in percent: pair frictions, restitution, decay.
static void deviations(const double *v, const double *t, double out[4])
{
    out[0] = off_by(v[HIDDEN_BALL_FRICTION] + v[HIDDEN_CARPET_FRICTION],
                    t[HIDDEN_BALL_FRICTION] + t[HIDDEN_CARPET_FRICTION]);
    out[1] = off_by(v[HIDDEN_BALL_FRICTION] + v[HIDDEN_WOOD_FRICTION],
                    t[HIDDEN_BALL_FRICTION] + t[HIDDEN_WOOD_FRICTION]);
    out[2] = off_by(v[HIDDEN_BALL_RESTITUTION] + v[HIDDEN_WOOD_RESTITUTION],
                    t[HIDDEN_BALL_RESTITUTION] + t[HIDDEN_WOOD_RESTITUTION]);
    out[3] = off_by(v[HIDDEN_LINEAR] + 0.4 * v[HIDDEN_ANGULAR],
                    t[HIDDEN_LINEAR] + 0.4 * t[HIDDEN_ANGULAR]);
}

static void print_world(FILE *file, const char *name, const hidden_fit *fit, const double *truth)
{
    double d[4];
    deviations(fit->values, truth, d);
    fprintf(file, "%s,%d,%.4f,%.4f,%.3f,%.2f,%.2f,%.2f,%.2f,%d,%lld,%.2f\n", name, fit->recordings,
            fit->held_before, fit->held_after, fit->held_after / fit->held_before, d[0], d[1], d[2],
            d[3], fit->directions, (long long)fit->evaluations, fit->seconds);
}

static int run_worlds(const run_tables_def *def, FILE *file)
{
    int worlds = def->trials > 0 ? (int)def->trials : def->quick ? QUICK_WORLDS : WORLDS;
    progress bar = {0};
    int code = -1;
    fprintf(file,
            "world,recordings,held_out_before_m,held_out_after_m,share,ball_carpet_friction_%%,"
            "ball_wood_friction_%%,ball_wood_restitution_%%,rolling_decay_%%,"
            "ill_determined_directions,evaluations,seconds\n");
    for (int i = 0; i <= worlds && code < 0 && goes_on(); i++) {
        if (progress_due(&bar)) {
            progress_show(&bar, "world %d of %d", i + 1, worlds + 1);
        }
        char name[24];
        bool other = i == worlds; // the published column, in the other engine
        hidden_def world = {.seed = other ? 0 : (uint64_t)i + 1,
                            .engine = other ? "ode" : "lanes",
                            .every = def->quick ? 6 : 1};
        double truth[HIDDEN_COUNT];
        hidden_fit fit;
        snprintf(name, sizeof name, other ? "ode" : "%d", i + 1);
        code = hidden_run(&world, truth, &fit);
        if (code < 0) {
            print_world(file, name, &fit, truth);
        }
    }
    progress_end(&bar);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Figures 8.2 and 8.3: values and error over the search, as the thesis's Nelder-Mead has it and by
// least squares.

typedef struct tracing {
    FILE *file;
    const char *method;
    bool values;
} tracing;

static bool trace(int64_t evaluations, const cr_fit_error *error, const double *values,
                  void *context)
{
    const tracing *t = context;
    fprintf(t->file, "%s,%lld", t->method, (long long)evaluations);
    if (t->values) {
        for (int i = 0; i < HIDDEN_COUNT; i++) {
            fprintf(t->file, ",%.4f", values[i]);
        }
    } else {
        fprintf(t->file, ",%.5f,%.5f,%.5f", error->total, error->velocity, error->angle);
    }
    fputc('\n', t->file);
    return goes_on();
}

static int run_traces(const run_tables_def *def, bool values, FILE *file)
{
    static const char *const methods[] = {"nelder-mead", "least-squares"};
    fprintf(file, "method,evaluations");
    for (int i = 0; i < HIDDEN_COUNT && values; i++) {
        fprintf(file, ",%s", hidden_names[i]);
    }
    fprintf(file, values ? "\n" : ",error,velocity,angle\n");
    int code = -1;
    for (int i = cr_fit_has_nlopt() ? 0 : 1; i < 2 && code < 0; i++) {
        tracing t = {file, methods[i], values};
        hidden_def world = {.every = def->quick ? 6 : 1,
                            .engine = "lanes",
                            .method = methods[i],
                            .evaluations = def->quick ? 60 : 1000,
                            .show = trace,
                            .context = &t};
        double truth[HIDDEN_COUNT];
        hidden_fit fit;
        code = hidden_run(&world, truth, &fit);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Table 8.2: hole-in-one on five courses in a hidden world, planned with the initial, the fitted
// and the true numbers.

typedef struct course {
    const char *scene, *tee_x, *tee_y; // NULL: the scene's own
    int human, initial, optimized;     // percent, published
} course;

static const course courses[COURSES] = {{"banks", "-1.4", "-0.4", 43, 60, 80},
                                        {"banks", "-1.5", "0.3", 13, 40, 60},
                                        {"banks", "-1.0", "-0.6", 47, 80, 100},
                                        {"banks", "-0.8", "0.2", 33, 50, 90},
                                        {"double-bank", NULL, NULL, 40, 10, 50}};

static cr_status read_course(const course *c, cr_scene **scene, cr_report *report)
{
    char *path = scene_find(c->scene);
    cr_status status = path ? cr_scene_read(path, scene, report) : CR_ERR_MEMORY;
    free(path);
    if (status == CR_OK && c->tee_x) {
        status = cr_scene_set(*scene, "tee_x", c->tee_x, report);
        status = status ? status : cr_scene_set(*scene, "tee_y", c->tee_y, report);
    }
    return status;
}

// Some trials of a course: how many holes in one.
static int play(const course *c, const double *believed, const double *truth, int trials, int *hits)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_numbers *numbers = NULL;
    cr_status status = read_course(c, &scene, &report);
    status = status ? status : hidden_model(scene, believed, &model, &report);
    status = status ? status : cr_numbers_create(model, &numbers, &report);
    status = status ? status : hidden_set(model, truth, numbers, &report);
    *hits = 0;
    for (int i = 1; i <= trials && status == CR_OK && goes_on(); i++) {
        cr_run_result result;
        cr_run_def def = cr_default_run_def(model);
        def.planner.seed = def.truth.seed = (uint64_t)i;
        def.truth.engine = "lanes";
        def.truth.given = numbers;
        status = cr_run_execute(model, &def, NULL, &result, &report);
        *hits += status == CR_OK && result.goal && !result.rule;
    }
    cr_numbers_destroy(numbers);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return status == CR_OK ? -1 : report_print(status, &report);
}

static void print_share(FILE *file, int hits, int trials)
{
    bounds b = share_bounds(hits, trials);
    fprintf(file, ",%.1f,%.1f,%.1f", 100.0 * hits / trials, 100 * b.low, 100 * b.high);
}

// One row: the three columns, and how likely chance alone makes initial and fitted differ so.
static void print_course(FILE *file, const char *name, const int hits[3], int trials,
                         const int published[3])
{
    fprintf(file, "%s,%d", name, trials);
    for (int k = 0; k < 3; k++) {
        print_share(file, hits[k], trials);
    }
    fprintf(file, ",%.4f,%d,%d,%d\n", same_share(hits[0], trials, hits[1], trials), published[0],
            published[1], published[2]);
}

static int run_courses(const run_tables_def *def, FILE *file)
{
    int trials = def->trials > 0 ? (int)def->trials : def->quick ? QUICK_TRIALS : TRIALS;
    hidden_def world = {.seed = 1, .engine = "lanes", .every = def->quick ? 6 : 1};
    double truth[HIDDEN_COUNT];
    hidden_fit fit;
    int code = hidden_run(&world, truth, &fit), sums[3] = {0};
    const double *columns[] = {hidden_initial, fit.values, truth};
    progress bar = {0};
    fprintf(file, "course,trials,initial_%%,low,high,fitted_%%,low,high,true_%%,low,high,"
                  "p_initial_fitted,human_%%,published_initial_%%,published_optimized_%%\n");
    for (int i = 0; i < COURSES && code < 0 && goes_on(); i++) {
        char name[16];
        int hits[3] = {0};
        for (int k = 0; k < 3 && code < 0; k++) {
            progress_show(&bar, "course %d of %d", i + 1, COURSES);
            code = play(&courses[i], columns[k], truth, trials, &hits[k]);
            sums[k] += hits[k];
        }
        const course *c = &courses[i];
        snprintf(name, sizeof name, "%d", i + 1);
        if (code < 0 && goes_on()) {
            print_course(file, name, hits, trials, (int[]){c->human, c->initial, c->optimized});
        }
    }
    progress_end(&bar);
    if (code < 0 && goes_on()) {
        print_course(file, "all", sums, COURSES * trials, (int[]){35, 48, 76});
    }
    return code;
}

// ---------------------------------------------------------------------------------------------

bool fit_table_is(const char *name)
{
    return strcmp(name, "table-8.1") == 0 || strcmp(name, "table-8.2") == 0 ||
           strcmp(name, "figure-8.2") == 0 || strcmp(name, "figure-8.3") == 0;
}

int fit_table(const char *name, const run_tables_def *def)
{
    char path[1000];
    mkdir(def->folder, 0777); // it may be there
    snprintf(path, sizeof path, "%s/%s.csv", def->folder, name);
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    bool table = name[0] == 't';
    int code = table && name[8] == '1' ? run_worlds(def, file)
               : table                 ? run_courses(def, file)
                                       : run_traces(def, name[9] == '2', file);
    fflush(file);
    fwrite(out.data, 1, out.length, stdout);
    int written = outfile_close(&out);
    code = code >= 0 ? code : written;
    if (code < 0 && stop_asked(NULL)) {
        return interrupted("the rows that are whole are printed");
    }
    return code < 0 ? EXIT_DONE : code;
}
