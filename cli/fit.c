// carom fit: find the numbers of a scene that agree best with recordings.
#include "fit.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "terminal/json.h"
#include "terminal/scenes.h"

enum { PATTERNS_MAX = 64, FILES_MAX = 4096 };

typedef struct request {
    const char *scene, *from, *parameters, *output, *picture;
    cr_fit_def def;
    cr_fit_search search;
    int64_t seed, starts, threads, hold_out;
    bool quiet;
} request;

// ---------------------------------------------------------------------------------------------
// Files.

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_table(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".csv") == 0;
}

static int list_folder(const char *folder, char **paths, int *count)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        fprintf(stderr, "carom: %s cannot be opened: %s\n", shown(folder), strerror(errno));
        return EXIT_FILE;
    }
    for (struct dirent *entry; (entry = readdir(dir)) && *count < FILES_MAX;) {
        char path[1100];
        if (is_table(entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            paths[(*count)++] = strdup(path);
        }
    }
    closedir(dir);
    qsort(paths, (size_t)*count, sizeof *paths, compare_paths);
    if (*count == 0) {
        fprintf(stderr, "carom: %s has no recordings (.csv)\n", shown(folder));
        return EXIT_FILE;
    }
    return -1;
}

static int read_files(const cr_model *model, char **paths, int count, fit_data *data)
{
    for (int i = 0; i < count; i++) {
        cr_report report = {0};
        cr_recording *made = NULL;
        cr_status status =
            paths[i] ? cr_recording_read(model, paths[i], &made, &report) : CR_ERR_MEMORY;
        if (status != CR_OK) {
            return report_print(status, &report);
        }
        data->all[data->count++] = made;
    }
    return -1;
}

// All recordings of a folder, in the order of their names, or of one file.
static int read_recordings(const cr_model *model, const char *from, fit_data *data)
{
    char **paths = calloc(FILES_MAX, sizeof *paths);
    data->all = calloc(FILES_MAX, sizeof(cr_recording *));
    int count = 0, code = paths && data->all ? -1 : EXIT_INTERNAL;
    if (code < 0 && is_table(from)) {
        paths[count++] = strdup(from);
    } else if (code < 0) {
        code = list_folder(from, paths, &count);
    }
    code = code >= 0 ? code : read_files(model, paths, count, data);
    for (int i = 0; i < count; i++) {
        free(paths[i]);
    }
    free(paths);
    return code;
}

// Every N-th recording is kept back, to see what the fit says of what it was not made from.
static int split(fit_data *data, int64_t every)
{
    data->used = calloc((size_t)data->count + 1, sizeof(cr_recording *));
    data->held = calloc((size_t)data->count + 1, sizeof(cr_recording *));
    if (!data->used || !data->held) {
        return EXIT_INTERNAL;
    }
    for (int i = 0; i < data->count; i++) {
        if (every > 0 && i % every == every - 1) {
            data->held[data->held_count++] = data->all[i];
        } else {
            data->used[data->used_count++] = data->all[i];
        }
    }
    return -1;
}

static void free_data(fit_data *data)
{
    for (int i = 0; data->all && i < data->count; i++) {
        cr_recording_destroy(data->all[i]);
    }
    free(data->all);
    free(data->used);
    free(data->held);
}

// ---------------------------------------------------------------------------------------------
// The fit.

static int add_parameters(const request *ask, cr_fit *fit)
{
    char patterns[2000];
    cr_report report = {0};
    cr_status status = CR_OK;
    if (!ask->parameters) {
        status = cr_fit_add(fit, NULL, &report);
        return status == CR_OK ? -1 : report_print(status, &report);
    }
    snprintf(patterns, sizeof patterns, "%s", ask->parameters);
    char *rest = NULL;
    for (char *name = strtok_r(patterns, ", ", &rest); name && status == CR_OK;
         name = strtok_r(NULL, ", ", &rest)) {
        status = cr_fit_add(fit, name, &report);
    }
    if (status == CR_OK) {
        return -1;
    }
    report_print(status, &report);
    return EXIT_USAGE;
}

static int make_fit(const request *ask, const cr_model *model, const cr_recording **recordings,
                    int count, cr_fit **fit)
{
    cr_report report = {0};
    cr_status status = cr_fit_create(model, (const cr_recording *const *)recordings, count,
                                     &ask->def, fit, &report);
    return status == CR_OK ? add_parameters(ask, *fit) : report_print(status, &report);
}

typedef struct watching {
    progress bar;
    const cr_fit *fit;
} watching;

// Progress: the error and the values.
static bool watch(int64_t evaluations, const cr_fit_error *error, const double *values,
                  void *context)
{
    watching *w = context;
    if (progress_due(&w->bar)) {
        char text[400] = "";
        for (int i = 0; i < cr_fit_parameter_count(w->fit); i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, " %.3g", values[i]);
        }
        progress_show(&w->bar, "%lld evaluations, error %.4f,%s", (long long)evaluations,
                      error->total, text);
    }
    return !stop_asked(NULL);
}

static int search(request *ask, cr_fit *fit, cr_fit_result *result)
{
    cr_report report = {0};
    watching w = {.fit = fit};
    ask->search.show = watch;
    ask->search.context = &w;
    cr_status status = cr_fit_run(fit, &ask->search, result, &report);
    progress_end(&w.bar);
    if (status == CR_ERR_NAME) {
        report_print(status, &report);
        return EXIT_USAGE;
    }
    return status == CR_OK ? -1 : report_print(status, &report);
}

static int write_scene(const request *ask, const cr_fit *fit, const cr_fit_result *result)
{
    cr_report report = {0};
    char *text = NULL;
    size_t length;
    cr_status status = cr_fit_scene_text(fit, result->values, &text, &length, &report);
    if (status == CR_OK) {
        status = cr_file_write(ask->output, text, length, &report);
    }
    free(text);
    return status == CR_OK ? -1 : report_print(status, &report);
}

static int judge_held(const request *ask, fit_summary *s, const fit_data *data)
{
    cr_fit *held = NULL;
    double before[CR_FIT_PARAMETERS_MAX];
    int code = make_fit(ask, s->model, data->held, data->held_count, &held);
    cr_report report = {0};
    cr_status status = CR_OK;
    for (int i = 0; code < 0 && i < cr_fit_parameter_count(s->fit); i++) {
        before[i] = cr_fit_parameter_at(s->fit, i).value;
    }
    if (code < 0) {
        status = cr_fit_evaluate(held, before, 1, &s->held_before, &report);
    }
    if (code < 0 && status == CR_OK) {
        status = cr_fit_evaluate(held, s->result.values, 1, &s->held_after, &report);
    }
    cr_fit_destroy(held);
    return code >= 0 || status == CR_OK ? code : report_print(status, &report);
}

static int finish(const request *ask, fit_summary *s, const fit_data *data)
{
    cr_report report = {0};
    cr_status status = cr_fit_determine(s->fit, s->result.values, &s->determination, &report);
    int code = status == CR_OK ? -1 : report_print(status, &report);
    if (code < 0 && data->held_count > 0) {
        code = judge_held(ask, s, data);
    }
    if (code < 0 && ask->output) {
        code = write_scene(ask, s->fit, &s->result);
    }
    if (code < 0 && ask->picture) {
        code = fit_picture(s, data, ask->picture);
    }
    if (code < 0) {
        s->output = ask->output;
        fit_print(s, data);
    }
    return code >= 0 ? code : EXIT_DONE;
}

static int fit_model(request *ask, const cr_model *model, fit_data *data)
{
    fit_summary *s = calloc(1, sizeof *s);
    int code = s ? read_recordings(model, ask->from, data) : EXIT_INTERNAL;
    code = code >= 0 ? code : split(data, ask->hold_out);
    if (code < 0) {
        s->model = model;
        s->started = now_seconds();
        code = make_fit(ask, model, data->used, data->used_count, &s->fit);
    }
    code = code >= 0 ? code : search(ask, s->fit, &s->result);
    if (code < 0 && stop_asked(NULL)) {
        code = interrupted("nothing is written");
    }
    code = code >= 0 ? code : finish(ask, s, data);
    if (s) {
        cr_fit_destroy(s->fit);
    }
    free(s);
    return code;
}

static int run(request *ask)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    fit_data data = {0};
    int code = output_try(ask->output);
    code = code >= 0 ? code : output_try(ask->picture);
    if (code >= 0) {
        return code;
    }
    char *path = scene_find(ask->scene);
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    code = status == CR_OK ? -1 : scene_refuse(ask->scene, status, &report);
    if (code < 0) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
        code = status == CR_OK ? fit_model(ask, model, &data) : report_print(status, &report);
    }
    free_data(&data);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    free(path);
    return code;
}

static int read_weights(const char *value, void *context)
{
    cr_fit_def *def = context;
    char *end;
    double *to[] = {&def->velocity, &def->angle, &def->position};
    const char *at = value;
    for (int i = 0; i < 3; i++) {
        *to[i] = strtod(at, &end);
        if (end == at || *end != (i < 2 ? ',' : 0) || !(*to[i] >= 0) || !isfinite(*to[i])) {
            fprintf(stderr, "carom: --weights is VELOCITY,ANGLE,POSITION, got \"%s\"\n",
                    shown(value));
            return EXIT_USAGE;
        }
        at = end + 1;
    }
    return 0;
}

int command_fit(int argc, char **argv)
{
    request ask = {
        .def = cr_default_fit_def(), .search = cr_default_fit_search(), .seed = 1, .starts = 1};
    const option_row rows[] = {
        {0, "from", "FOLDER", OPTION_TEXT, &ask.from, "of recordings (.csv), or one of them", 0, 0,
         NULL},
        {0, "parameters", "NAME,...", OPTION_TEXT, &ask.parameters,
         "what may change, as ball.friction or *.restitution (default: friction, restitution and "
         "damping of what is recorded and what it touches)",
         0, 0, NULL},
        {0, "method", "NAME", OPTION_TEXT, &ask.search.method,
         "least-squares (default), nelder-mead, sbplx or bobyqa", 0, 0, NULL},
        {0, "starts", "N", OPTION_INT, &ask.starts,
         "the scene's values, and N - 1 drawn (default: 1)", 1, 1000, NULL},
        {0, "seed", "N", OPTION_INT, &ask.seed, "of the drawn starts (default: 1)", 0, 1e15, NULL},
        {0, "evaluations", "N", OPTION_INT, &ask.search.evaluations,
         "most candidates from a start (default: 2000)", 1, 1e6, NULL},
        {0, "weights", "V,A,P", OPTION_CALL, &ask.def,
         "of velocity, bounce angle and position (default: 0.5,0.5,0)", 0, 0, read_weights},
        {0, "hold-out", "N", OPTION_INT, &ask.hold_out,
         "keep back every N-th recording, and say how well it is predicted", 2, 1000, NULL},
        {0, "engine", "NAME", OPTION_TEXT, &ask.def.engine, "that predicts (default: lanes)", 0, 0,
         NULL},
        {0, "threads", "N", OPTION_INT, &ask.threads, "0: all cores; changes nothing but time", 0,
         64, NULL},
        {0, "picture", "FILE", OPTION_TEXT, &ask.picture,
         "draw recordings and predictions, before and after (.svg)", 0, 0, NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask.output,
         "write the scene with the new values, comments kept", 0, 0, NULL},
        json_option(),
    };
    usage how = {
        "carom fit SCENE --from FOLDER [options]",
        "Find the numbers of a scene (friction, restitution, damping, mass) with which its\n"
        "engine agrees best with recordings, and say how far they are determined.",
        rows,
        sizeof rows / sizeof rows[0],
        1,
        1};
    int words, code = options_read(&how, argc, argv, &ask.scene, &words);
    if (code >= 0) {
        return code;
    }
    if (!ask.from) {
        fprintf(stderr, "carom: fit needs --from FOLDER, with recordings\n");
        return EXIT_USAGE;
    }
    ask.search.seed = (uint64_t)ask.seed;
    ask.search.starts = (int)ask.starts;
    ask.def.threads = (int)ask.threads;
    return run(&ask);
}
