#include "lab/run_tables.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cluster/journal.h"
#include "lab/run_cells.h"
#include "terminal/scenes.h"

// ---------------------------------------------------------------------------------------------
// Words: how a cell is run.

typedef struct word {
    const char *name;
    size_t offset; // in cr_run_def
} word;

#define OF_RUN(field)                                                                              \
    {                                                                                              \
#field, offsetof(cr_run_def, field)                                                        \
    }
#define OF_TRUTH(field)                                                                            \
    {                                                                                              \
#field, offsetof(cr_run_def, truth) + offsetof(cr_truth_def, field)                        \
    }
static const word words[] = {
    OF_RUN(interval), OF_RUN(seconds), OF_RUN(watch),  OF_RUN(think),
    OF_RUN(wait),     OF_TRUTH(drive), OF_TRUTH(slip), OF_TRUTH(uncertainty),
};
#undef OF_RUN
#undef OF_TRUTH

enum { WORDS = sizeof words / sizeof words[0] };

// What the words of a cell come to. What is no setting of a run is one of the scene.
typedef struct setup {
    const char *strategy, *follow;
    double values[WORDS];
    bool given[WORDS];
    int futures;
    bool measure; // the period of the bar is what is seen of it
    double noise; // and that deviates by this share more
} setup;

static bool take_word(setup *s, const char *name, const char *value)
{
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(name, words[i].name) == 0) {
            s->values[i] = atof(value);
            s->given[i] = true;
            return true;
        }
    }
    if (strcmp(name, "strategy") == 0) {
        s->strategy = strcmp(value, "actions") == 0 ? "actions" : "states";
    } else if (strcmp(name, "follow") == 0) {
        s->follow = strcmp(value, "tree") == 0 ? "tree" : "cold";
    } else if (strcmp(name, "futures") == 0) {
        s->futures = atoi(value);
    } else if (strcmp(name, "measure") == 0) {
        s->measure = atoi(value) != 0;
    } else if (strcmp(name, "noise") == 0) {
        s->noise = atof(value);
    } else {
        return false;
    }
    return true;
}

static cr_status read_words(const char *text, setup *s, cr_scene *scene, cr_report *report)
{
    char copy[RUN_WORDS_MAX], *rest = NULL;
    cr_status status = CR_OK;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *one = strtok_r(copy, " ", &rest); one && status == CR_OK;
         one = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(one, '=');
        *equals = 0;
        if (!take_word(s, one, equals + 1)) {
            status = cr_scene_set(scene, one, equals + 1, report);
        }
    }
    return status;
}

static cr_run_def make_def(const setup *s, const cr_model *model, int64_t index)
{
    cr_run_def def = cr_default_run_def(model);
    for (int i = 0; i < WORDS; i++) {
        if (s->given[i]) {
            *(double *)(void *)((char *)&def + words[i].offset) = s->values[i];
        }
    }
    def.planner.threads = 1; // short searches: more would only wait for each other
    def.planner.seed = def.truth.seed = (uint64_t)index;
    def.futures = s->futures;
    bool open = s->strategy && strcmp(s->strategy, "actions") == 0;
    def.strategy = open ? CR_STRATEGY_ACTIONS : CR_STRATEGY_STATES;
    def.follow = s->follow && strcmp(s->follow, "tree") == 0 ? CR_FOLLOW_TREE : CR_FOLLOW_COLD;
    return def;
}

// ---------------------------------------------------------------------------------------------
// The bar's speed, as a line through what is seen of its heading in a second tells it (003, 7.4.2).

enum { WINDOW = 60 };

static double slope(const double *y, int count, double dt)
{
    double middle = (count - 1) / 2.0, up = 0, down = 0;
    for (int i = 0; i < count; i++) {
        up += (i - middle) * y[i];
        down += (i - middle) * (i - middle);
    }
    return up / down / dt;
}

// The headings of a body in the frames of a second.
static cr_status watch(const cr_model *world, const cr_truth_def *def, int body, double *headings,
                       cr_report *report)
{
    cr_truth *truth = NULL;
    cr_state *seen = cr_state_create(world);
    cr_action *still = calloc((size_t)cr_model_moving_count(world) + 1, sizeof *still);
    cr_status status = seen && still ? CR_OK : CR_ERR_MEMORY;
    status = status == CR_OK ? cr_truth_create(world, def, NULL, &truth, report) : status;
    for (int i = 0; i < WINDOW && status == CR_OK; i++) {
        const cr_state *now = cr_truth_state(truth);
        cr_truth_step(truth, &(cr_command){still, now, now});
        cr_truth_observe(truth, seen);
        double last = i > 0 ? headings[i - 1] : 0;
        headings[i] = last + remainder(cr_state_heading(world, seen, body) - last, 8 * atan(1));
    }
    cr_truth_destroy(truth);
    free(seen);
    free(still);
    return status;
}

// Set the scene's period to what is seen of the windmill's.
static cr_status measure(const setup *s, const cr_model *world, const cr_truth_def *def,
                         cr_scene *scene, cr_report *report)
{
    double headings[WINDOW];
    cr_truth_def at_once = *def;
    at_once.latency = 0; // a second, whenever it is seen
    int body = cr_model_find_body(world, "windmill");
    cr_status status = watch(world, &at_once, body, headings, report);
    cr_rng rng = cr_rng_make(def->seed, CR_RNG_TRUTH, UINT64_MAX - 1);
    double factor = fmax(0.1, cr_rng_normal(&rng, 1, s->noise));
    double rate = status == CR_OK ? slope(headings, WINDOW, cr_model_dt(world)) * factor : 1;
    char text[32];
    snprintf(text, sizeof text, "%.17g", 8 * atan(1) / rate);
    return status == CR_OK ? cr_scene_set(scene, "period", text, report) : status;
}

// ---------------------------------------------------------------------------------------------
// One trial.

static bool look(const cr_run_frame *frame, void *context)
{
    (void)frame;
    return !cluster_stop(context);
}

static cr_status open_cell(const run_cell *c, setup *s, cr_scene **scene, cr_report *report)
{
    char *path = scene_find(c->scene);
    cr_status status = path ? cr_scene_read(path, scene, report) : CR_ERR_MEMORY;
    free(path);
    return status == CR_OK ? read_words(c->words, s, *scene, report) : status;
}

static cr_status run_trial(const run_cell *c, int64_t index, cr_run_result *result,
                           cr_report *report)
{
    setup s = {0};
    cr_scene *scene = NULL;
    cr_model *world = NULL, *model = NULL;
    int start = c->starts ? (int)index : 0;
    cr_status status = open_cell(c, &s, &scene, report);
    status = status == CR_OK ? cr_model_create(scene, NULL, start, &world, report) : status;
    if (status == CR_OK && s.measure) {
        cr_truth_def truth = make_def(&s, world, index).truth;
        status = measure(&s, world, &truth, scene, report);
    }
    status = status == CR_OK ? cr_model_create(scene, NULL, start, &model, report) : status;
    if (status == CR_OK) {
        cr_run_def def = make_def(&s, model, index);
        def.world = world;
        def.show = look;
        status = cr_run_execute(model, &def, NULL, result, report);
    }
    cr_model_destroy(model);
    cr_model_destroy(world);
    cr_scene_destroy(scene);
    return status;
}

// ---------------------------------------------------------------------------------------------
// All trials of a table.

typedef struct bench {
    const run_tables_def *def;
    run_cells list;
    int64_t units;
    char path[1100];
    FILE *file;
    double synced;
    int kept;
} bench;

static run_cell *cell_of(bench *b, int64_t unit, int64_t *index)
{
    run_cell *c = b->list.items;
    for (; unit >= c->trials; c++) {
        unit -= c->trials;
    }
    *index = unit + 1;
    return c;
}

static int run_unit(int64_t unit, FILE *out, void *context)
{
    trial t = {0};
    cr_report report = {0};
    cr_run_result result = {0};
    const run_cell *c = cell_of(context, unit, &t.index);
    cr_status status = run_trial(c, t.index, &result, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    if (result.stopped) {
        return CLUSTER_CUT;
    }
    snprintf(t.key, sizeof t.key, "%s", c->key);
    trial_take(&t, &result);
    trial_print(out, &t);
    return CLUSTER_ON;
}

static bool recall_unit(int64_t unit, cluster_result *result, void *context)
{
    int64_t index;
    const run_cell *c = cell_of(context, unit, &index);
    *result = (cluster_result){"", 0}; // the cell has it
    return c->done[index - 1].index > 0;
}

static int fail_file(const bench *b)
{
    fprintf(stderr, "carom: %s cannot be written: %s\n", shown(b->path), strerror(errno));
    return EXIT_FILE;
}

static int keep_unit(int64_t unit, cluster_result result, void *context)
{
    bench *b = context;
    trial t;
    int64_t index;
    run_cell *c = cell_of(b, unit, &index);
    if (!trial_read(result.text, &t) || t.index != index || strcmp(t.key, c->key) != 0) {
        fprintf(stderr, "carom: \"%s\" was run, and the answer is \"%s\"\n", shown(c->key),
                shown(result.text));
        return EXIT_FILE;
    }
    c->done[index - 1] = t;
    fwrite(result.text, 1, result.length, b->file);
    bool good = fflush(b->file) == 0 && !ferror(b->file) &&
                journal_sync(b->file, &b->synced, JOURNAL_PAUSE);
    b->kept += good;
    return good ? CLUSTER_ON : fail_file(b);
}

// The text of a scene is part of the key: another scene, another trial.
static int make_key(run_cell *c)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    setup s = {0};
    cr_status status = open_cell(c, &s, &scene, &report);
    if (status == CR_OK) {
        size_t length;
        const char *text = cr_scene_text(scene, &length);
        unsigned long long hash = journal_check(text, length);
        snprintf(c->key, sizeof c->key, "%s@%08llx %s", c->scene, hash & 0xffffffffu, c->words);
        c->done = calloc((size_t)c->trials, sizeof *c->done);
        status = c->done ? CR_OK : CR_ERR_MEMORY;
    }
    cr_scene_destroy(scene);
    return status == CR_OK ? -1 : report_print(status, &report);
}

static int fill(bench *b, const run_table_row *row)
{
    int code = -1;
    row->fill(b->def->quick, &b->list);
    for (int i = 0; i < b->list.count && code < 0; i++) {
        run_cell *c = &b->list.items[i];
        int64_t most = b->def->trials;
        c->trials = most > 0 && c->trials > most ? (int)most : c->trials;
        b->units += c->trials;
        code = make_key(c);
    }
    return code;
}

// Take what trials.csv has of this table's cells.
static void read_trials(bench *b)
{
    char line[512];
    trial t;
    bool ends = true;
    rewind(b->file);
    while (fgets(line, sizeof line, b->file)) {
        ends = strchr(line, '\n') != NULL;
        for (int i = 0; trial_read(line, &t) && i < b->list.count; i++) {
            run_cell *c = &b->list.items[i];
            if (t.index <= c->trials && strcmp(c->key, t.key) == 0) {
                c->done[t.index - 1] = t;
            }
        }
    }
    fseek(b->file, 0, SEEK_END);
    fputs(ftell(b->file) == 0 ? trials_head : (ends ? "" : "\n"), b->file);
}

static int open_trials(bench *b)
{
    mkdir(b->def->folder, 0777); // it may be there
    snprintf(b->path, sizeof b->path, "%s/trials.csv", b->def->folder);
    b->file = fopen(b->path, "a+");
    errno = b->file ? journal_lock(b->file) : errno;
    if (b->file && errno == EAGAIN) {
        fprintf(stderr,
                "carom: another experiment writes to %s; wait for it, or choose another folder "
                "with -o\n",
                shown(b->path));
        return EXIT_FILE;
    }
    if (!b->file || errno != 0) {
        return fail_file(b);
    }
    read_trials(b);
    return fflush(b->file) == 0 ? -1 : fail_file(b);
}

static int run_one(const run_table_row *row, const run_tables_def *def)
{
    bench *b = calloc(1, sizeof *b);
    if (!b) {
        return EXIT_INTERNAL;
    }
    b->def = def;
    int code = fill(b, row);
    code = code < 0 && cluster_leads() ? open_trials(b) : code;
    if (code < 0) {
        code = cluster_run(&(cluster_work){.count = b->units,
                                           .what = "trials",
                                           .run = run_unit,
                                           .recall = recall_unit,
                                           .keep = keep_unit,
                                           .context = b});
    }
    if (code == CLUSTER_CUT) {
        code = interrupted("%d trials of this run are in %s; the same command goes on from there",
                           b->kept, shown(b->path));
    }
    if (b->file) {
        fclose(b->file);
    }
    if (code < 0 && cluster_leads()) {
        code = run_table_report(row, &b->list, def->folder);
    }
    for (int i = 0; i < b->list.count; i++) {
        free(b->list.items[i].done);
    }
    free(b);
    return code;
}

static bool is_meant(const char *name, const run_table_row *row)
{
    return strcmp(name, "all") == 0 || strcmp(name, row->name) == 0;
}

bool run_table_is(const char *name)
{
    for (int i = 0; i < run_table_count; i++) {
        if (strcmp(name, run_table_rows[i].name) == 0) {
            return true;
        }
    }
    return false;
}

int run_table(const char *name, const run_tables_def *def)
{
    int code = -1;
    for (int i = 0; i < run_table_count && code < 0 && stdout_good(); i++) {
        if (is_meant(name, &run_table_rows[i])) {
            code = run_one(&run_table_rows[i], def);
        }
    }
    return code < 0 ? EXIT_DONE : code;
}
