// carom record: make recordings of shots, as a vision system would.
#include "commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal/json.h"
#include "terminal/scenes.h"

enum { SHOTS_MAX = 512, NUMBERS_MAX = 64 };

typedef struct request {
    const char *scene, *sets, *ball, *bar, *folder;
    cr_record_def def;
    double kick_aim; // degrees
    int64_t seed;
    bool no_actions;
    const char *numbers[NUMBERS_MAX]; // NAME=VALUE
    int number_count;
    const char *shots[SHOTS_MAX]; // X,Y,VX,VY
    int shot_count;
} request;

typedef struct series {
    char name[32];
    cr_shot shots[SHOTS_MAX];
    int count;
} series;

static int add_number(const char *value, void *context)
{
    request *ask = context;
    if (ask->number_count == NUMBERS_MAX || !strchr(value, '=')) {
        fprintf(stderr, "carom: --number is NAME=VALUE, as ball.friction=0.1, got \"%s\"\n",
                shown(value));
        return EXIT_USAGE;
    }
    ask->numbers[ask->number_count++] = value;
    return 0;
}

static int add_shot(const char *value, void *context)
{
    request *ask = context;
    if (ask->shot_count == SHOTS_MAX) {
        fprintf(stderr, "carom: at most %d shots\n", SHOTS_MAX);
        return EXIT_USAGE;
    }
    ask->shots[ask->shot_count++] = value;
    return 0;
}

// ---------------------------------------------------------------------------------------------

// The body of that name; without one the first that is fit for it.
static int find_body(const cr_model *model, const char *name, cr_kind kind, cr_shape_kind shape)
{
    for (int i = 0; i < cr_model_body_count(model); i++) {
        const cr_body *b = cr_model_body(model, i);
        bool like = b->kind == kind && b->part_count == 1 && b->parts[0].shape.kind == shape;
        if (name ? strcmp(b->name, name) == 0 : like) {
            return i;
        }
    }
    fprintf(stderr, "carom: the scene has no %s \"%s\"\n", kind == CR_KIND_PASSIVE ? "ball" : "bar",
            shown(name ? name : ""));
    return -1;
}

static int set_numbers(const request *ask, const cr_model *model, cr_numbers *numbers)
{
    for (int i = 0; i < ask->number_count; i++) {
        char name[120], *end;
        const char *equals = strchr(ask->numbers[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - ask->numbers[i]), ask->numbers[i]);
        double value = strtod(equals + 1, &end);
        if (end == equals + 1 || *end || !isfinite(value)) {
            fprintf(stderr, "carom: --number %s: \"%s\" is no number\n", shown(name),
                    shown(equals + 1));
            return EXIT_USAGE;
        }
        cr_report report = {0};
        cr_status status = cr_numbers_set_named(numbers, model, name, value, &report);
        if (status != CR_OK) {
            report_print(status, &report);
            return EXIT_USAGE;
        }
    }
    return -1;
}

static int read_shot(const char *text, int ball, double z, cr_shot *shot)
{
    double v[4];
    const char *at = text;
    for (int i = 0; i < 4; i++) {
        char *end;
        v[i] = strtod(at, &end);
        if (end == at || *end != (i < 3 ? ',' : 0) || !isfinite(v[i])) {
            fprintf(stderr, "carom: --shot is X,Y,VX,VY in m and m/s, got \"%s\"\n", shown(text));
            return EXIT_USAGE;
        }
        at = end + 1;
    }
    *shot = (cr_shot){ball, {v[0], v[1], z}, {v[2], v[3], 0}};
    return -1;
}

// A series by the shots that were given one by one.
static int fill_own(const request *ask, const cr_model *model, int ball, series *s)
{
    snprintf(s->name, sizeof s->name, "shot");
    double z = cr_model_body(model, ball)->pose.position.z;
    for (int i = 0; i < ask->shot_count; i++) {
        int code = read_shot(ask->shots[i], ball, z, &s->shots[s->count++]);
        if (code >= 0) {
            return code;
        }
    }
    return -1;
}

static int fill_set(const request *ask, const cr_model *model, int ball, series *s)
{
    int bar = find_body(model, ask->bar, CR_KIND_STATIC, CR_SHAPE_BOX);
    if (bar < 0) {
        return EXIT_USAGE;
    }
    s->count = cr_shot_set(model, s->name, ball, bar, s->shots, SHOTS_MAX);
    if (s->count < 0) {
        fprintf(stderr, "carom: no set of shots \"%s\"; there are rolls, bounces and held-out\n",
                shown(s->name));
        return EXIT_USAGE;
    }
    return -1;
}

static int write_series(const request *ask, const cr_model *model, const series *s, int *written)
{
    int code = -1;
    for (int i = 0; i < s->count && code < 0 && goes_on(); i++) {
        cr_report report = {0};
        cr_recording *recording = NULL;
        char path[1100];
        snprintf(path, sizeof path, "%s/%s-%03d.csv", ask->folder, s->name, i + 1);
        cr_status status = cr_shot_record(model, &s->shots[i], i, &ask->def, &recording, &report);
        if (status == CR_OK) {
            status = cr_recording_write(recording, path, &report);
        }
        cr_recording_destroy(recording);
        code = status == CR_OK ? -1 : report_print(status, &report);
        *written += code < 0;
    }
    return code;
}

// All sets that were asked for, one after the other.
static int write_sets(const request *ask, const cr_model *model, int ball, int *written)
{
    static series s;
    char sets[200];
    snprintf(sets, sizeof sets, "%s", ask->sets ? ask->sets : "rolls,bounces");
    s.count = 0;
    if (ask->shot_count > 0) {
        int code = fill_own(ask, model, ball, &s);
        code = code >= 0 ? code : write_series(ask, model, &s, written);
        if (code >= 0 || !ask->sets) {
            return code;
        }
    }
    int code = -1;
    char *rest = NULL;
    for (char *name = strtok_r(sets, ",", &rest); name && code < 0;
         name = strtok_r(NULL, ",", &rest)) {
        snprintf(s.name, sizeof s.name, "%s", name);
        code = fill_set(ask, model, ball, &s);
        code = code >= 0 ? code : write_series(ask, model, &s, written);
    }
    return code;
}

static int make_folder(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "carom: %s cannot be made: %s\n", shown(folder), strerror(errno));
        return EXIT_FILE;
    }
    return -1;
}

static int record_model(request *ask, const cr_model *model)
{
    cr_report report = {0};
    cr_numbers *numbers = NULL;
    int ball = find_body(model, ask->ball, CR_KIND_PASSIVE, CR_SHAPE_SPHERE), written = 0;
    if (ball < 0) {
        return EXIT_USAGE;
    }
    cr_status status = cr_numbers_create(model, &numbers, &report);
    int code = status == CR_OK ? set_numbers(ask, model, numbers) : report_print(status, &report);
    ask->def.numbers = numbers;
    code = code >= 0 ? code : make_folder(ask->folder);
    code = code >= 0 ? code : write_sets(ask, model, ball, &written);
    cr_numbers_destroy(numbers);
    if (code >= 0) {
        return code;
    }
    if (json_wanted()) {
        json_text("scene", cr_scene_name(cr_model_scene(model)));
        json_text("folder", ask->folder);
        json_count("recordings", written);
    } else {
        printf("%d recordings in %s\n", written, shown(ask->folder));
    }
    return goes_on() ? EXIT_DONE : interrupted("not all shots are recorded");
}

static int run(request *ask)
{
    ask->def.seed = (uint64_t)ask->seed;
    ask->def.actions = !ask->no_actions;
    ask->def.kick_aim = ask->kick_aim * (3.14159265358979323846 / 180);
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    char *path = scene_find(ask->scene);
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    int code = status == CR_OK ? -1 : scene_refuse(ask->scene, status, &report);
    if (code < 0) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
        code = status == CR_OK ? record_model(ask, model) : report_print(status, &report);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    free(path);
    return code;
}

int command_record(int argc, char **argv)
{
    request ask = {.def = cr_default_record_def(), .folder = "recordings", .seed = 1};
    const option_row rows[] = {
        {0, "shots", "NAME,...", OPTION_TEXT, &ask.sets,
         "sets of shots: rolls, bounces, held-out (default: rolls,bounces)", 0, 0, NULL},
        {0, "shot", "X,Y,VX,VY", OPTION_CALL, &ask, "one shot, in m and m/s (repeatable)", 0, 0,
         add_shot},
        {0, "ball", "BODY", OPTION_TEXT, &ask.ball, "what is shot (default: the first ball)", 0, 0,
         NULL},
        {0, "bar", "BODY", OPTION_TEXT, &ask.bar, "what it bounces off (default: the first box)", 0,
         0, NULL},
        {0, "number", "NAME=VALUE", OPTION_CALL, &ask,
         "another number of the world that is recorded, as ball.friction=0.1 (repeatable)", 0, 0,
         add_number},
        {0, "engine", "NAME", OPTION_TEXT, &ask.def.engine, "that plays it (default: lanes)", 0, 0,
         NULL},
        {0, "seed", "N", OPTION_INT, &ask.seed, "of the noise (default: 1)", 0, 1e15, NULL},
        {0, "noise", "M", OPTION_NUMBER, &ask.def.noise,
         "deviation of each position (default: 0.002)", 0, 1, NULL},
        {0, "rate", "HZ", OPTION_NUMBER, &ask.def.rate, "frames a second (default: 60)", 0.1, 1e4,
         NULL},
        {0, "seconds", "S", OPTION_NUMBER, &ask.def.seconds, "after the kick (default: 4)", 0.01,
         3600, NULL},
        {0, "kick-speed", "SHARE", OPTION_NUMBER, &ask.def.kick_speed,
         "deviation of each kick's speed (default: 0)", 0, 1, NULL},
        {0, "kick-aim", "DEGREES", OPTION_NUMBER, &ask.kick_aim,
         "deviation of each kick's direction (default: 0)", 0, 90, NULL},
        {0, "no-actions", NULL, OPTION_FLAG, &ask.no_actions, "leave out how hard it was kicked", 0,
         0, NULL},
        {'o', "out", "FOLDER", OPTION_TEXT, &ask.folder, "for the files (default: recordings)", 0,
         0, NULL},
        json_option(),
    };
    usage how = {"carom record SCENE [options]",
                 "Play shots and write what a camera with noise sees of them, one table (.csv) a\n"
                 "shot: what `carom fit` reads.",
                 rows,
                 sizeof rows / sizeof rows[0],
                 1,
                 1};
    int words, code = options_read(&how, argc, argv, &ask.scene, &words);
    return code >= 0 ? code : run(&ask);
}
