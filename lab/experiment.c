// Running an experiment: what its cells ask for, less what runs.csv has already.
#include "lab/experiment.h"

#include "terminal/scenes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The text of a scene is part of the key: another scene, another record.
bool cell_key(const cell *c, const char *extra, char key[KEY_MAX])
{
    char *path = scene_find(c->scene);
    cr_scene *scene = NULL;
    bool found = path && cr_scene_read(path, &scene, NULL) == CR_OK;
    free(path);
    if (!found) {
        return false;
    }
    size_t length;
    const char *text = cr_scene_text(scene, &length);
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    snprintf(key, KEY_MAX, "%s@%08x %s%s%s", c->scene, hash, c->settings, *extra ? " " : "", extra);
    cr_scene_destroy(scene);
    return true;
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

typedef struct laboratory {
    records all;
    char path[1100]; // of runs.csv
    FILE *file;
    const char *extra;
    int64_t threads, runs;
    progress bar;
    int done, left; // runs
    int kept;       // searches that this run added
    double begin;
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
    char *path = scene_find(c->scene);
    cr_scene *scene = NULL;
    cr_status status = path ? cr_scene_read(path, &scene, report) : CR_ERR_MEMORY;
    free(path);
    if (status == CR_OK) {
        status = apply(scene, c->settings, report);
    }
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
    r->seconds = s.seconds, r->select = s.select_seconds;
    r->behavior = s.behavior_seconds, r->engine = s.engine_seconds;
}

static int fail_records(const laboratory *lab)
{
    fprintf(stderr, "carom: %s cannot be written: %s\n", shown(lab->path), strerror(errno));
    return EXIT_FILE;
}

// Keep a record, in memory and in the file. Returns -1 or an exit code.
static int keep_record(laboratory *lab, const record *r)
{
    if (!add_record(&lab->all, r)) {
        fprintf(stderr, "carom: memory ran out\n");
        return EXIT_INTERNAL;
    }
    return write_record(lab->file, r) ? -1 : fail_records(lab);
}

// Grow; a growth cell leaves records on the way. Returns -1 or an exit code.
static int grow(laboratory *lab, const cell *c, cr_planner *planner, record *r)
{
    double every = (double)cr_planner_get_def(planner)->nodes / 50, next = every;
    cr_slice slice = {.stop = stop_asked, .attempts = c->growth ? 32 : 0};
    int code = -1;
    while (code < 0) {
        cr_outcome outcome = cr_planner_grow(planner, &slice);
        note(r, planner, outcome);
        if (outcome == CR_OUTCOME_STOPPED) {
            return interrupted("%d searches of this run are in %s; the same command goes on from "
                               "there",
                               lab->kept, shown(lab->path));
        }
        if (outcome != CR_OUTCOME_GROWING) {
            lab->kept++;
            return keep_record(lab, r);
        }
        if (r->nodes >= next) {
            code = keep_record(lab, r);
            next = r->nodes + every;
        }
    }
    return code;
}

// One search. Returns -1 or an exit code.
static int run(laboratory *lab, const cell *c, record *r)
{
    cr_report report = {0};
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_status status = load(lab, c, r->start, &model, &report);
    if (status == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        def.seed = (uint64_t)r->seed;
        def.threads = (int)lab->threads;
        status = cr_planner_create(model, &def, &planner, &report);
    }
    int code = status == CR_OK ? grow(lab, c, planner, r) : report_print(status, &report);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    return code;
}

static void show_left(laboratory *lab, const cell *c)
{
    if (progress_due(&lab->bar)) {
        double spent = now_seconds() - lab->begin;
        double rest = lab->done > 0 ? spent / lab->done * lab->left : 0;
        progress_show(&lab->bar, "%s, %s: %d searches done, %d left, about %.0f min %02.0f s",
                      c->domain, c->method, lab->done, lab->left, floor(rest / 60), fmod(rest, 60));
    }
}

static int run_cell(laboratory *lab, const cell *c, bool only_count)
{
    char key[KEY_MAX];
    if (!cell_key(c, lab->extra, key)) {
        fprintf(stderr, "carom: there is no scene \"%s\"\n", c->scene);
        return EXIT_FILE;
    }
    int code = -1;
    for (int i = 1; i <= c->runs && code < 0; i++) {
        record r = {.seed = c->by_start ? 1 : i, .start = c->by_start ? i : 0};
        snprintf(r.key, sizeof r.key, "%s", key);
        if (find_record(&lab->all, key, r.seed, r.start)) {
            continue;
        }
        if (only_count) {
            lab->left++;
            continue;
        }
        show_left(lab, c);
        code = run(lab, c, &r);
        lab->done++, lab->left--;
    }
    return code;
}

static int run_experiment(laboratory *lab, const experiment *e, bool quick, const char *folder)
{
    cells *list = calloc(1, sizeof *list);
    if (!list) {
        return EXIT_INTERNAL;
    }
    e->fill(e->variant, quick, list);
    for (int i = 0; i < list->count && lab->runs > 0; i++) {
        cell *c = &list->items[i];
        c->runs = c->runs < lab->runs ? c->runs : (int)lab->runs;
    }
    int code = -1;
    lab->done = lab->left = 0;
    lab->begin = now_seconds();
    for (int pass = 0; pass < 2 && code < 0; pass++) {
        for (int i = 0; i < list->count && code < 0; i++) {
            code = run_cell(lab, &list->items[i], pass == 0);
        }
    }
    progress_end(&lab->bar);
    if (code < 0) {
        code = experiment_report(e, list, &lab->all, lab->extra, folder);
    }
    free(list);
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
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(lab->file), F_SETLK, &lock) == 0) {
        return -1;
    }
    if (errno != EACCES && errno != EAGAIN) {
        return fail_records(lab);
    }
    fprintf(stderr,
            "carom: another experiment writes to %s; wait for it, or choose another folder with "
            "-o\n",
            shown(lab->path));
    return EXIT_FILE;
}

// Open runs.csv, with its lock, and read what is there. Returns -1 or an exit code.
static int open_records(laboratory *lab, const char *folder)
{
    bool cut = false;
    mkdir(folder, 0777);
    snprintf(lab->path, sizeof lab->path, "%s/runs.csv", folder);
    lab->file = fopen(lab->path, "a+");
    int code = lab->file ? lock_records(lab) : fail_records(lab);
    struct stat info;
    if (code < 0 && (fstat(fileno(lab->file), &info) != 0 || !S_ISREG(info.st_mode))) {
        fprintf(stderr, "carom: %s is not a regular file\n", shown(lab->path));
        return EXIT_FILE;
    }
    if (code >= 0) {
        return code;
    }
    if (!read_records(lab->file, &lab->all, &cut)) {
        fprintf(stderr, "carom: memory ran out\n");
        return EXIT_INTERNAL;
    }
    fseek(lab->file, 0, SEEK_END);
    if (ftell(lab->file) == 0) {
        fputs("search,seed,start,outcome,nodes,steps,attempts,seconds,select_seconds,"
              "behavior_seconds,engine_seconds\n",
              lab->file);
    }
    if (cut) {
        fputc('\n', lab->file);
    }
    return fflush(lab->file) == 0 ? -1 : fail_records(lab);
}

// Put runs.csv on the disk; code: -1 or the exit code so far.
static int close_records(laboratory *lab, int code)
{
    bool good = true;
    if (lab->file) {
        good = fsync(fileno(lab->file)) == 0 || errno == EINVAL;
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
    int code = open_records(&lab, def->folder);
    code = code >= 0 ? code : run_named(&lab, def->name, def->quick, def->folder);
    code = close_records(&lab, code);
    return code < 0 ? EXIT_DONE : code;
}
