// Running an experiment: what its cells ask for, less what runs.csv has already.
#include "lab/experiment.h"

#include "cluster/journal.h"
#include "terminal/scenes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cr_scene *cell_scene(const cell *c)
{
    char *path = scene_find(c->scene);
    cr_scene *scene = NULL, *changed = NULL;
    cr_report report = {0};
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    size_t length;
    char *text = status == CR_OK ? edit_text(&c->edit, cr_scene_text(scene, &length)) : NULL;
    if (text) {
        status = cr_scene_read_text(text, strlen(text), path, &changed, &report);
    } else if (status == CR_OK) {
        fprintf(stderr, "carom: %s has no \"%s\" to be changed\n", c->scene, c->edit.find);
    }
    if (status != CR_OK) {
        report_print(status, &report);
    }
    free(text);
    free(path);
    cr_scene_destroy(scene);
    return changed;
}

uint32_t scene_hash(const cr_scene *scene)
{
    size_t length;
    const char *text = cr_scene_text(scene, &length);
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash;
}

// The text of a scene is part of the key: another scene, another record.
bool cell_key(const cell *c, const char *extra, char key[KEY_MAX])
{
    cr_scene *scene = cell_scene(c);
    if (scene) {
        snprintf(key, KEY_MAX, "%s@%08x %s%s%s", c->scene, scene_hash(scene), c->settings,
                 *extra ? " " : "", extra);
    }
    cr_scene_destroy(scene);
    return scene != NULL;
}

summary summarize(const records *all, const cell *c, const char *key, int runs)
{
    summary s = {0};
    double nodes2 = 0, steps2 = 0, seconds2 = 0;
    for (int i = 1; i <= runs; i++) {
        const record *r = find_record(all, key, c->by_start ? 1 : i, c->by_start ? i : 0);
        if (!r) {
            continue;
        }
        s.runs++;
        s.solved += strcmp(r->outcome, "solved") == 0;
        s.nodes += r->nodes, nodes2 += r->nodes * r->nodes;
        s.steps += r->steps, steps2 += r->steps * r->steps;
        s.seconds += r->seconds, seconds2 += r->seconds * r->seconds;
    }
    int n = s.runs > 0 ? s.runs : 1;
    s.nodes /= n, s.steps /= n, s.seconds /= n;
    double scale = n > 1 ? (double)n / (n - 1) : 0;
    s.nodes_spread = sqrt(fmax(0, scale * (nodes2 / n - s.nodes * s.nodes)));
    s.steps_spread = sqrt(fmax(0, scale * (steps2 / n - s.steps * s.steps)));
    s.seconds_spread = sqrt(fmax(0, scale * (seconds2 / n - s.seconds * s.seconds)));
    return s;
}

// ---------------------------------------------------------------------------------------------
// Running.

// A search of an experiment: that of a cell with a seed or a start.
typedef struct unit {
    int cell, index; // the latter from 1
} unit;

typedef struct laboratory {
    records all;     // the lead's, as the file
    char path[1100]; // of runs.csv
    FILE *file;
    double synced; // for journal_sync
    const char *extra;
    int64_t threads, runs;
    int kept; // searches that this run added
    // The experiment that is run.
    cells *list;
    char (*keys)[KEY_MAX]; // of its cells
    unit *units;
    int count;
} laboratory;

static cr_status apply(cr_scene *scene, const char *settings, cr_report *report)
{
    char text[KEY_MAX], *rest = NULL;
    snprintf(text, sizeof text, "%s", settings);
    cr_status status = CR_OK;
    for (char *word = strtok_r(text, " ", &rest); word && status == CR_OK;
         word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        *equals = 0;
        status = cr_scene_set(scene, word, equals + 1, report);
    }
    return status;
}

static cr_status load(const laboratory *lab, const cell *c, int64_t start, cr_model **model,
                      cr_report *report)
{
    cr_scene *scene = cell_scene(c);
    cr_status status = scene ? apply(scene, c->settings, report) : CR_ERR_NAME;
    if (status == CR_OK) {
        status = apply(scene, lab->extra, report);
    }
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, (int)start, model, report);
    }
    cr_scene_destroy(scene);
    return status;
}

static void note(record *r, const cr_planner *planner, cr_outcome outcome)
{
    cr_planner_stats s = cr_planner_get_stats(planner);
    snprintf(r->outcome, sizeof r->outcome, "%s", cr_outcome_name(outcome));
    r->nodes = (double)s.nodes, r->steps = (double)s.steps, r->attempts = (double)s.attempts;
    r->select = s.select_seconds;
    r->behavior = s.behavior_seconds, r->engine = s.engine_seconds;
}

static int fail_records(const laboratory *lab)
{
    fprintf(stderr, "carom: %s cannot be written: %s\n", shown(lab->path), strerror(errno));
    return EXIT_FILE;
}

// Grow; a growth cell leaves records on the way.
static int grow(const cell *c, cr_planner *planner, record *r, FILE *result)
{
    double every = (double)cr_planner_get_def(planner)->nodes / 50, next = every;
    double begin = processor_seconds(NULL); // the machine may be busy with others
    cr_slice slice = {.stop = cluster_stop, .attempts = c->growth ? 32 : 0};
    for (;;) {
        cr_outcome outcome = cr_planner_grow(planner, &slice);
        note(r, planner, outcome);
        r->seconds = processor_seconds(NULL) - begin;
        if (outcome == CR_OUTCOME_STOPPED) {
            return CLUSTER_CUT;
        }
        if (outcome != CR_OUTCOME_GROWING) {
            print_record(result, r);
            return CLUSTER_ON;
        }
        if (r->nodes >= next) {
            print_record(result, r);
            next = r->nodes + every;
        }
    }
}

// The record of a unit, before anything is known of it.
static record record_of(const laboratory *lab, int64_t index)
{
    unit u = lab->units[index];
    bool by_start = lab->list->items[u.cell].by_start;
    record r = {.seed = by_start ? 1 : u.index, .start = by_start ? u.index : 0};
    snprintf(r.key, sizeof r.key, "%s", lab->keys[u.cell]);
    return r;
}

// One search; its records are the result.
static int run_unit(int64_t index, FILE *result, void *context)
{
    const laboratory *lab = context;
    const cell *c = &lab->list->items[lab->units[index].cell];
    record r = record_of(lab, index);
    cr_report report = {0};
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_status status = load(lab, c, r.start, &model, &report);
    if (status == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        def.seed = (uint64_t)r.seed;
        def.threads = cluster_threads(lab->threads);
        status = cr_planner_create(model, &def, &planner, &report);
    }
    int code = status == CR_OK ? grow(c, planner, &r, result) : report_print(status, &report);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    return code;
}

static bool recall_unit(int64_t index, cluster_result *result, void *context)
{
    const laboratory *lab = context;
    record r = record_of(lab, index);
    *result = (cluster_result){"", 0}; // it is in lab->all
    return find_record(&lab->all, r.key, r.seed, r.start) != NULL;
}

// The records of a search, from the lines of a result. Returns -1 or an exit code.
static int add_lines(laboratory *lab, const record *wanted, cluster_result result)
{
    char line[512];
    record r;
    for (const char *at = result.text; *at;) {
        const char *end = strchr(at, '\n');
        size_t length = end ? (size_t)(end - at) + 1 : strlen(at);
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (!read_record(line, &r) || strcmp(r.key, wanted->key) != 0 || r.seed != wanted->seed ||
            r.start != wanted->start) {
            fprintf(stderr,
                    "carom: \"%s\" was searched for, and the answer is \"%s\": do all "
                    "processes have the same scenes?\n",
                    shown(wanted->key), shown(line));
            return EXIT_FILE;
        }
        if (!add_record(&lab->all, &r)) {
            fprintf(stderr, "carom: memory ran out\n");
            return EXIT_INTERNAL;
        }
        at += length;
    }
    return -1;
}

// Keep the records of a search, in memory and in the file.
static int keep_unit(int64_t index, cluster_result result, void *context)
{
    laboratory *lab = context;
    record wanted = record_of(lab, index);
    int code = add_lines(lab, &wanted, result);
    if (code >= 0) {
        return code;
    }
    fwrite(result.text, 1, result.length, lab->file);
    bool good = fflush(lab->file) == 0 && !ferror(lab->file) &&
                journal_sync(lab->file, &lab->synced, JOURNAL_PAUSE);
    lab->kept += good;
    return good ? CLUSTER_ON : fail_records(lab);
}

// Whether an earlier cell has the same search: it is done once.
static bool is_covered(const laboratory *lab, int index, int run)
{
    for (int i = 0; i < index; i++) {
        const cell *c = &lab->list->items[i];
        if (run <= c->runs && c->by_start == lab->list->items[index].by_start &&
            strcmp(lab->keys[i], lab->keys[index]) == 0) {
            return true;
        }
    }
    return false;
}

static int add_units(laboratory *lab, int index)
{
    const cell *c = &lab->list->items[index];
    if (!cell_key(c, lab->extra, lab->keys[index])) {
        return EXIT_FILE;
    }
    unit *units = realloc(lab->units, (size_t)(lab->count + c->runs + 1) * sizeof *units);
    if (!units) {
        return EXIT_INTERNAL;
    }
    lab->units = units;
    for (int run = 1; run <= c->runs; run++) {
        if (!is_covered(lab, index, run)) {
            lab->units[lab->count++] = (unit){index, run};
        }
    }
    return -1;
}

// The searches of an experiment, the same ones in every process. Returns -1 or an exit code.
static int fill_units(laboratory *lab, const experiment *e, bool quick)
{
    lab->list = calloc(1, sizeof *lab->list);
    lab->keys = calloc(CELLS_MAX, sizeof *lab->keys);
    lab->count = 0;
    if (!lab->list || !lab->keys) {
        return EXIT_INTERNAL;
    }
    e->fill(e->variant, quick, lab->list);
    int code = -1;
    for (int i = 0; i < lab->list->count && code < 0; i++) {
        cell *c = &lab->list->items[i];
        c->runs = lab->runs > 0 && c->runs > lab->runs ? (int)lab->runs : c->runs;
        code = add_units(lab, i);
    }
    return code;
}

static void free_units(laboratory *lab)
{
    free(lab->list);
    free(lab->keys);
    free(lab->units);
    lab->list = NULL;
    lab->keys = NULL;
    lab->units = NULL;
}

static int run_experiment(laboratory *lab, const experiment *e, bool quick, const char *folder)
{
    int code = fill_units(lab, e, quick);
    if (code < 0) {
        code = cluster_run(&(cluster_work){.count = lab->count,
                                           .what = "searches",
                                           .run = run_unit,
                                           .recall = recall_unit,
                                           .keep = keep_unit,
                                           .context = lab});
    }
    if (code == CLUSTER_CUT) {
        code = interrupted("%d searches of this run are in %s; the same command goes on from there",
                           lab->kept, shown(lab->path));
    }
    if (code < 0 && cluster_leads()) {
        code = experiment_report(e, lab->list, &lab->all, lab->extra, folder);
    }
    free_units(lab);
    return code;
}

static bool is_meant(const char *name, const experiment *e)
{
    return strcmp(name, "all") == 0 || strcmp(name, e->name) == 0;
}

static int run_named(laboratory *lab, const char *name, bool quick, const char *folder)
{
    int code = -1;
    for (int i = 0; i < experiment_count && code < 0 && stdout_good(); i++) {
        if (is_meant(name, &experiments[i])) {
            code = run_experiment(lab, &experiments[i], quick, folder);
        }
    }
    return code;
}

// Whether there is one of that name; if not, it is said which there are.
static bool is_known(const char *name)
{
    for (int i = 0; i < experiment_count; i++) {
        if (is_meant(name, &experiments[i])) {
            return true;
        }
    }
    fprintf(stderr, "carom: no experiment \"%s\"; there are all", shown(name));
    for (int i = 0; i < experiment_count; i++) {
        fprintf(stderr, ", %s", experiments[i].name);
    }
    fputc('\n', stderr);
    return false;
}

// ---------------------------------------------------------------------------------------------
// The folder and its runs.csv.

// One writer a folder: whoever has runs.csv open holds its lock, which ends with the process.
static int lock_records(const laboratory *lab)
{
    int error = journal_lock(lab->file);
    errno = error;
    if (error == 0) {
        return -1;
    }
    if (error != EAGAIN) {
        return fail_records(lab);
    }
    fprintf(stderr,
            "carom: another experiment writes to %s; wait for it, or choose another folder with "
            "-o\n",
            shown(lab->path));
    return EXIT_FILE;
}

// Read what is there, and say what is not as it was written.
static int read_all(laboratory *lab)
{
    if (!read_records(lab->file, &lab->all)) {
        fprintf(stderr, "carom: memory ran out\n");
        return EXIT_INTERNAL;
    }
    if (lab->all.passed > 0) {
        fprintf(stderr,
                "carom: %s has %d lines that are no whole records (torn, damaged, or of an older "
                "carom); what they said is done again\n",
                shown(lab->path), lab->all.passed);
    }
    fseek(lab->file, 0, SEEK_END);
    fputs(ftell(lab->file) == 0 ? records_head : lab->all.cut ? "\n" : "", lab->file);
    return fflush(lab->file) == 0 ? -1 : fail_records(lab);
}

// Open runs.csv, with its lock, and read what is there. Returns -1 or an exit code.
static int open_records(laboratory *lab, const char *folder)
{
    mkdir(folder, 0777);
    snprintf(lab->path, sizeof lab->path, "%s/runs.csv", folder);
    lab->file = fopen(lab->path, "a+");
    int code = lab->file ? lock_records(lab) : fail_records(lab);
    struct stat info;
    if (code < 0 && (fstat(fileno(lab->file), &info) != 0 || !S_ISREG(info.st_mode))) {
        fprintf(stderr, "carom: %s is not a regular file\n", shown(lab->path));
        return EXIT_FILE;
    }
    return code >= 0 ? code : read_all(lab);
}

// Put runs.csv on the disk; code: -1 or the exit code so far.
static int close_records(laboratory *lab, int code)
{
    bool good = true;
    if (lab->file) {
        good = journal_sync(lab->file, &lab->synced, 0);
        good = fclose(lab->file) == 0 && good;
    }
    free(lab->all.items);
    return good || code >= 0 ? code : fail_records(lab);
}

int experiment_run(const experiment_def *def)
{
    laboratory lab = {.threads = def->threads, .runs = def->runs, .extra = def->extra};
    if (!is_known(def->name)) {
        return EXIT_USAGE;
    }
    int code = cluster_leads() ? open_records(&lab, def->folder) : -1;
    code = code >= 0 ? code : run_named(&lab, def->name, def->quick, def->folder);
    code = close_records(&lab, code);
    return code < 0 ? EXIT_DONE : code;
}
