// carom experiment: run a published experiment again.
#include "experiment.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    FILE *file;
    const char *extra;
    int64_t threads, runs;
    progress bar;
    int done, left; // runs
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

// Grow; a growth cell leaves records on the way.
static cr_outcome grow(laboratory *lab, const cell *c, cr_planner *planner, record *r)
{
    double every = (double)cr_planner_get_def(planner)->nodes / 50, next = every;
    cr_slice slice = {.stop = stop_asked, .attempts = c->growth ? 32 : 0};
    for (;;) {
        cr_outcome outcome = cr_planner_grow(planner, &slice);
        note(r, planner, outcome);
        if (outcome != CR_OUTCOME_GROWING) {
            return outcome;
        }
        if (r->nodes >= next && add_record(&lab->all, r)) {
            write_record(lab->file, r);
            next = r->nodes + every;
        }
    }
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
        status = cr_planner_create(model, NULL, &def, &planner, &report);
    }
    int code = -1;
    if (status != CR_OK) {
        code = report_print(status, &report);
    } else if (grow(lab, c, planner, r) == CR_OUTCOME_STOPPED) {
        fprintf(stderr, "stopped; the same command goes on from here\n");
        code = EXIT_NO_PLAN;
    } else if (add_record(&lab->all, r)) {
        write_record(lab->file, r);
    }
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
        return EXIT_INPUT;
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
    if (code < 0 && !experiment_report(e, list, &lab->all, lab->extra, folder)) {
        fprintf(stderr, "carom: cannot write to %s\n", folder);
        code = EXIT_INPUT;
    }
    free(list);
    return code;
}

static int run_named(laboratory *lab, const char *name, bool quick, const char *folder)
{
    int code = -1, found = 0;
    for (int i = 0; i < experiment_count && code < 0; i++) {
        if (strcmp(name, "all") == 0 || strcmp(name, experiments[i].name) == 0) {
            found++;
            code = run_experiment(lab, &experiments[i], quick, folder);
        }
    }
    if (!found) {
        fprintf(stderr, "carom: no experiment \"%s\"; there are all", name);
        for (int i = 0; i < experiment_count; i++) {
            fprintf(stderr, ", %s", experiments[i].name);
        }
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    return code < 0 ? EXIT_DONE : code;
}

int command_experiment(int argc, char **argv)
{
    bool quick = false;
    int64_t round = 0;
    const char *folder = "experiments", *name;
    laboratory lab = {0};
    const option_row rows[] = {
        {0, "quick", NULL, OPTION_FLAG, &quick, "few searches with small limits: about a minute", 0,
         0, NULL},
        {0, "round", "N", OPTION_INT, &round, "lanes side by side (default: the scene's)", 1, 1024,
         NULL},
        {0, "runs", "N", OPTION_INT, &lab.runs, "at most N searches a row (default: as published)",
         1, 1e6, NULL},
        {'o', "out", "FOLDER", OPTION_TEXT, &folder,
         "for runs.csv and the figures (default: experiments)", 0, 0, NULL},
        {0, "threads", "N", OPTION_INT, &lab.threads, "0: all cores; changes nothing but time", 0,
         256, NULL},
    };
    usage how = {"carom experiment NAME [options]",
                 "Run a published experiment again and print its table beside the published one:\n"
                 "table-6.1, table-6.2, table-6.3, table-6.4, figure-6.11, figure-6.12, "
                 "figure-6.13, all.\n"
                 "Every search is a line of FOLDER/runs.csv; what is there is not run again.",
                 rows,
                 5,
                 1,
                 1};
    int words, code = options_read(&how, argc, argv, &name, &words);
    if (code >= 0) {
        return code;
    }
    char extra[32] = "", path[1024];
    if (round > 0) {
        snprintf(extra, sizeof extra, "round=%lld", (long long)round);
    }
    lab.extra = extra;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/runs.csv", folder);
    bool cut = false;
    FILE *before = fopen(path, "r");
    bool kept = !before || read_records(before, &lab.all, &cut);
    if (before) {
        fclose(before);
    }
    if (!kept) {
        free(lab.all.items);
        return EXIT_INTERNAL;
    }
    lab.file = fopen(path, "a");
    if (!lab.file) {
        fprintf(stderr, "carom: cannot write %s\n", path);
        free(lab.all.items);
        return EXIT_INPUT;
    }
    if (ftell(lab.file) == 0) {
        fputs("search,seed,start,outcome,nodes,steps,attempts,seconds,select_seconds,"
              "behavior_seconds,engine_seconds\n",
              lab.file);
    }
    if (cut) {
        fputc('\n', lab.file);
    }
    code = run_named(&lab, name, quick, folder);
    fclose(lab.file);
    free(lab.all.items);
    return code;
}
