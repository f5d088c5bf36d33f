// carom tune: make a scene's Tactics solve it in fewer steps.
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/json.h"
#include "terminal/scenes.h"

typedef struct request {
    const char *scene, *output;
    cr_tune_def def;
    int64_t runs, held_out, candidates, seed, threads;
} request;

static bool watch(int candidates, const cr_tune_score *best, void *context)
{
    progress *bar = context;
    if (progress_due(bar)) {
        progress_show(bar, "%d candidates, best %.0f steps, %d of %d solved", candidates,
                      best->steps, best->solved, best->runs);
    }
    return !stop_asked(NULL);
}

// ---------------------------------------------------------------------------------------------

static void print_score(const char *what, const cr_tune_score *seen, const cr_tune_score *held)
{
    printf("%-8s %9.0f +- %-7.0f %3d of %-4d  held out: %9.0f +- %-7.0f %3d of %d\n", what,
           seen->steps, seen->deviation, seen->solved, seen->runs, held->steps, held->deviation,
           held->solved, held->runs);
}

static void print_text(const request *ask, const cr_tuning *t)
{
    cr_tune_result r = cr_tuning_result(t);
    printf("steps to solve, and searches that did:\n");
    print_score("scene", &r.before, &r.held_before);
    if (ask->def.equal) {
        print_score("equal", &r.begun, &r.held_begun);
    }
    print_score("tuned", &r.after, &r.held_after);
    for (int i = 0; i < cr_tuning_parameter_count(t); i++) {
        cr_tune_parameter p = cr_tuning_parameter(t, i);
        if (fabs(p.after - p.before) > 0) {
            printf("%-40s %10.4g -> %.4g%s\n", shown(p.name), p.before, p.after,
                   !(p.after > 0) && strstr(p.name, ".next.") ? "  (dropped)" : "");
        }
    }
    printf("%d candidates; %s\n", r.candidates,
           r.better ? "held out, it needs fewer steps than the scene as it is"
                    : "held out, no improvement of the scene as it is shows");
    if (ask->output) {
        printf("wrote %s\n", shown(ask->output));
    }
}

static void json_score(const char *key, const cr_tune_score *s)
{
    json_open(key, JSON_OBJECT);
    json_number("steps", s->steps);
    json_number("deviation", s->deviation);
    json_count("solved", s->solved);
    json_count("runs", s->runs);
    json_close();
}

static void print_json(const request *ask, const cr_tuning *t, const cr_scene *scene)
{
    cr_tune_result r = cr_tuning_result(t);
    json_text("scene", cr_scene_name(scene));
    json_count("candidates", r.candidates);
    json_score("before", &r.before);
    json_score("begun", &r.begun);
    json_score("after", &r.after);
    json_score("held_before", &r.held_before);
    json_score("held_begun", &r.held_begun);
    json_score("held_after", &r.held_after);
    json_flag("better", r.better);
    json_open("parameters", JSON_LIST);
    for (int i = 0; i < cr_tuning_parameter_count(t); i++) {
        cr_tune_parameter p = cr_tuning_parameter(t, i);
        json_open(NULL, JSON_OBJECT);
        json_text("name", p.name);
        json_number("before", p.before);
        json_number("after", p.after);
        json_close();
    }
    json_close();
    json_text("output", ask->output);
}

// ---------------------------------------------------------------------------------------------

static int tune_scene(request *ask, const cr_scene *scene)
{
    cr_report report = {0};
    cr_tuning *tuning = NULL;
    progress bar = {0};
    ask->def.show = watch;
    ask->def.context = &bar;
    cr_status status = cr_tune_run(scene, &ask->def, &tuning, &report);
    progress_end(&bar);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    size_t length;
    const char *text = cr_tuning_text(tuning, &length);
    status = ask->output ? cr_file_write(ask->output, text, length, &report) : CR_OK;
    int code = status == CR_OK ? EXIT_DONE : report_print(status, &report);
    if (code == EXIT_DONE && json_wanted()) {
        print_json(ask, tuning, scene);
    } else if (code == EXIT_DONE) {
        print_text(ask, tuning);
    }
    cr_tuning_destroy(tuning);
    return code == EXIT_DONE && stop_asked(NULL) ? interrupted("the best so far is told") : code;
}

static int run(request *ask)
{
    ask->def.runs = (int)ask->runs;
    ask->def.held_out = (int)ask->held_out;
    ask->def.candidates = (int)ask->candidates;
    ask->def.seed = (uint64_t)ask->seed;
    ask->def.threads = (int)ask->threads;
    int code = output_try(ask->output);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_scene *scene = NULL;
    char *path = scene_find(ask->scene);
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    code = status == CR_OK ? tune_scene(ask, scene) : scene_refuse(ask->scene, status, &report);
    cr_scene_destroy(scene);
    free(path);
    return code;
}

int command_tune(int argc, char **argv)
{
    request ask = {
        .def = cr_default_tune_def(), .runs = 64, .held_out = 100, .candidates = 120, .seed = 1};
    const option_row rows[] = {
        {0, "parameters", "PATTERN", OPTION_TEXT, &ask.def.pattern,
         "what may change, as attack.next.* or plan.mu (default: all)", 0, 0, NULL},
        {0, "equal", NULL, OPTION_FLAG, &ask.def.equal, "begin with all weights 1", 0, 0, NULL},
        {0, "runs", "N", OPTION_INT, &ask.runs,
         "searches that a candidate is judged by (default: 64)", 1, 1e5, NULL},
        {0, "held-out", "N", OPTION_INT, &ask.held_out,
         "searches that none is judged by (default: 100)", 1, 1e5, NULL},
        {0, "candidates", "N", OPTION_INT, &ask.candidates,
         "that are tried, in generations of 12 (default: 120)", 0, 1e5, NULL},
        {0, "seed", "N", OPTION_INT, &ask.seed, "of the candidates (default: 1)", 0, 1e15, NULL},
        {0, "threads", "N", OPTION_INT, &ask.threads, "0: all cores; changes nothing but time", 0,
         64, NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask.output, "write the scene as tuned, comments kept",
         0, 0, NULL},
        json_option(),
    };
    usage how = {
        "carom tune SCENE [options]",
        "Change weights of transitions, ranges that are drawn from, and mu, so that searches\n"
        "solve the scene in fewer steps. Searches that no candidate met tell what it is\n"
        "worth. A search that finds nothing counts for twice its limit.",
        rows,
        sizeof rows / sizeof rows[0],
        1,
        1};
    int words, code = options_read(&how, argc, argv, &ask.scene, &words);
    return code >= 0 ? code : run(&ask);
}
