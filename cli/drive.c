// carom drive: a car around a track with recorded moves.
#include "cluster/cluster.h"
#include "drive.h"
#include "film.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    const char *tree, *guess, *out, *inputs;
    int64_t horizon, nodes, laps, seed;
    double seconds, replan_seconds, greed, threshold;
    bool open;
    cr_track_recipe recipe; // of the track "random"
    int64_t corners, track_seed;
} request;

// What a replan may take is meant by the clock on the wall.
static double wall_clock(void *context)
{
    (void)context;
    return now_seconds();
}

static void print_result(const cr_drive_result *r, const char *time)
{
    printf("%s after %.2f s", cr_drive_end_name(r->end), r->seconds);
    if (r->laps > 0) {
        printf(", %d lap%s, the first %.2f s, the best %.2f s", r->laps, r->laps == 1 ? "" : "s",
               r->first_lap, r->best_lap);
    }
    printf("\n%d moves, %.1f nodes a replan, at most %d\n", r->moves,
           r->replans ? (double)r->nodes / r->replans : 0, r->most_nodes);
    printf("top speed %.1f m/s, largest slip angle %.0f deg, clearance %.2f m\n", r->top_speed,
           r->largest_slip * 57.29577951308232, r->clearance);
    printf("largest jump of velocity between two moves %.2g, speed gained by jumps %.2f m/s\n",
           r->largest_jump, r->gained);
    printf("replans: median %.2f ms of %s, mean %.2f, worst %.2f; %.2f ms a frame\n", r->median_ms,
           time, r->mean_ms, r->worst_ms, r->frames ? r->mean_ms * r->replans / r->frames : 0);
    printf("hash %016llx\n", (unsigned long long)r->hash);
}

static cr_status open_track(const request *ask, const char *name, cr_track **track,
                            cr_report *report)
{
    if (strcmp(name, "random") == 0) {
        cr_track_recipe recipe = ask->recipe;
        recipe.corners = (int)ask->corners;
        recipe.seed = (uint64_t)ask->track_seed;
        return cr_track_generate(&recipe, track, report);
    }
    if (strchr(name, '.') || strchr(name, '/')) {
        return cr_track_read(name, !ask->open, track, report);
    }
    return cr_track_builtin(name, track, report);
}

static cr_status open_moves(const request *ask, cr_moves **moves, cr_report *report)
{
    cr_moves_def def = cr_default_moves_def();
    def.tree = (cr_move_tree)cr_move_tree_find(ask->tree);
    def.graph.threshold = ask->threshold;
    def.inputs = &ask->inputs;
    def.input_count = ask->inputs ? 1 : 0;
    return cr_moves_create(&def, moves, report);
}

static cr_drive_def make_def(const request *ask)
{
    cr_drive_def def = cr_default_drive_def();
    def.horizon = (int)ask->horizon;
    def.nodes = (int)ask->nodes;
    def.laps = (int)ask->laps;
    def.seconds = ask->seconds;
    def.seed = (uint64_t)ask->seed;
    def.greed = ask->greed;
    def.guess = (cr_guess)cr_guess_find(ask->guess);
    def.replan_seconds = ask->replan_seconds;
    def.clock = ask->replan_seconds > 0 ? wall_clock : processor_seconds;
    def.stop = stop_asked;
    return def;
}

static void print_repeat(const request *ask, const char *track)
{
    fprintf(stderr,
            "repeat: carom drive %s --tree %s --horizon %lld --nodes %lld --laps %lld --seed %lld "
            "--guess %s --greed %g",
            shown_word(track), ask->tree, (long long)ask->horizon, (long long)ask->nodes,
            (long long)ask->laps, (long long)ask->seed, ask->guess, ask->greed);
    if (ask->seconds > 0) {
        fprintf(stderr, " --seconds %g", ask->seconds);
    }
    if (ask->replan_seconds > 0) {
        fprintf(stderr, " --replan-seconds %g", ask->replan_seconds);
    }
    if (strcmp(track, "random") == 0) {
        fprintf(stderr, " --length %g --corners %lld --sharpness %g --width %g --track-seed %lld%s",
                ask->recipe.length, (long long)ask->corners, ask->recipe.sharpness,
                ask->recipe.width, (long long)ask->track_seed, ask->recipe.closed ? " --loop" : "");
    }
    if (ask->inputs) {
        fprintf(stderr, " --inputs %s --threshold %g", shown_word(ask->inputs), ask->threshold);
    }
    fprintf(stderr, "%s\n", ask->open ? " --open" : "");
}

// -1, or the exit code after a message.
static int write_drive(const cr_drive *drive, const char *path)
{
    film how = film_default();
    cr_report report = {0};
    cr_playback *playback = NULL;
    cr_status status = cr_drive_playback(drive, &playback, &report);
    int code = -1;
    if (status == CR_OK && is_film(path)) {
        code = film_of(playback, path, &how);
    } else if (status == CR_OK) {
        status = cr_playback_write(playback, path, &report);
    }
    cr_playback_destroy(playback);
    return status == CR_OK ? code : report_print(status, &report);
}

// What was driven, written and said; an interrupted drive is as long as it came.
static int finish(const request *ask, const char *name, const cr_drive *drive)
{
    cr_drive_result result = cr_drive_outcome(drive);
    int code = result.end == CR_DRIVE_FINISHED ? EXIT_DONE : EXIT_PART;
    if (ask->out) {
        int failed = write_drive(drive, ask->out);
        code = failed < 0 ? code : failed;
    }
    print_result(&result, ask->replan_seconds > 0 ? "time" : "processor time");
    print_repeat(ask, name);
    if (result.end == CR_DRIVE_TIMEOUT && stop_asked(NULL) && code == EXIT_PART) {
        code = interrupted("after %.2f s of driving%s%s", result.seconds,
                           ask->out ? ", which are in " : "", ask->out ? shown(ask->out) : "");
    }
    return code;
}

static int drive_track(const request *ask, const char *name)
{
    cr_report report = {0};
    cr_track *track = NULL;
    cr_moves *moves = NULL;
    cr_drive *drive = NULL;
    cr_status status = open_track(ask, name, &track, &report);
    if (status == CR_OK) {
        status = open_moves(ask, &moves, &report);
    }
    cr_drive_def def = make_def(ask);
    if (status == CR_OK) {
        status = cr_drive_run(track, moves, &def, &drive, &report);
    }
    int code = status == CR_OK ? finish(ask, name, drive) : report_print(status, &report);
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
    return code;
}

static int list_tracks(void)
{
    for (int i = 0; cr_track_name(i); i++) {
        printf("%-14s %s\n", cr_track_name(i), cr_track_about(i));
    }
    return EXIT_DONE;
}

int drive_options(usage how, int argc, char **argv)
{
    const char *words[1];
    int word_count;
    how.words_min = how.words_max = 0;
    return options_read(&how, argc, argv, words, &word_count);
}

bool drive_tree_known(const char *name)
{
    if (cr_move_tree_find(name) < 0) {
        fprintf(stderr, "carom: --tree is small5, small7, large or auto, got \"%s\"\n",
                shown(name));
        return false;
    }
    return true;
}

static bool names_known(const request *ask)
{
    if (!drive_tree_known(ask->tree)) {
        return false;
    }
    if (cr_guess_find(ask->guess) < 0) {
        fprintf(stderr, "carom: --guess is goal, track, speed or line, got \"%s\"\n",
                shown(ask->guess));
        return false;
    }
    if (ask->inputs && strcmp(ask->tree, "auto") != 0) {
        fprintf(stderr, "carom: --inputs goes with --tree auto\n");
        return false;
    }
    return true;
}

static int run_track(request *ask, int argc, char **argv)
{
    const option_row options[] = {
        {0, "tree", "NAME", OPTION_TEXT, &ask->tree, "small5, small7, large or auto", 0, 0, NULL},
        {0, "horizon", "FRAMES", OPTION_INT, &ask->horizon, "how far to look ahead", 1, 10000,
         NULL},
        {0, "nodes", "N", OPTION_INT, &ask->nodes, "nodes a replan may open", 1, 2000000, NULL},
        {0, "laps", "N", OPTION_INT, &ask->laps, "laps of a closed track", 1, 100, NULL},
        {0, "seed", "N", OPTION_INT, &ask->seed, "shifts the other cars; 0: as they are", 0, 1e15,
         NULL},
        {0, "seconds", "S", OPTION_NUMBER, &ask->seconds, "give up after this much driving", 0, 1e5,
         NULL},
        {0, "replan-seconds", "S", OPTION_NUMBER, &ask->replan_seconds,
         "end a replan after this time; runs then differ", 0, 1e5, NULL},
        {0, "guess", "NAME", OPTION_TEXT, &ask->guess, "time to go: goal, track, speed or line", 0,
         0, NULL},
        {0, "greed", "X", OPTION_NUMBER, &ask->greed, "weight of the guess; 1 is A*", 1, 100, NULL},
        {0, "inputs", "FILE", OPTION_TEXT, &ask->inputs,
         "auto: seconds,steering,throttle,brake of a person, or an .inputs.csv", 0, 0, NULL},
        {0, "threshold", "D", OPTION_NUMBER, &ask->threshold, "auto: how alike frames must be",
         1e-6, 10, NULL},
        {0, "open", NULL, OPTION_FLAG, &ask->open, "the track file is no loop", 0, 0, NULL},
        {0, "length", "M", OPTION_NUMBER, &ask->recipe.length, "random track: metres", 200, 20000,
         NULL},
        {0, "corners", "N", OPTION_INT, &ask->corners, "random track: corners", 1, 100, NULL},
        {0, "sharpness", "X", OPTION_NUMBER, &ask->recipe.sharpness, "random track: 0 to 1", 0, 1,
         NULL},
        {0, "width", "M", OPTION_NUMBER, &ask->recipe.width, "random track: metres", 6, 40, NULL},
        {0, "track-seed", "N", OPTION_INT, &ask->track_seed, "random track: which one", 0, 1e15,
         NULL},
        {0, "loop", NULL, OPTION_FLAG, &ask->recipe.closed, "random track: closed", 0, 0, NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask->out,
         "write .html, a film (.mp4, .webm, .gif, .png), .glb, .svg, .csv or .inputs.csv", 0, 0,
         NULL},
    };
    const usage how = {
        "carom drive TRACK [options]",
        "Drives a car around a track. TRACK is a built-in track (`carom drive list` names them), "
        "`random`,\nor a file of x,y,right width,left width lines. `carom drive record` shows the "
        "moves, `carom drive\nreplay FILE` drives a drive's .inputs.csv again, `carom drive "
        "tables` "
        "repeats the published tables.",
        options,
        sizeof options / sizeof options[0],
        1,
        1};
    const char *words[1];
    int word_count;
    int code = options_read(&how, argc, argv, words, &word_count);
    if (code >= 0) {
        return code;
    }
    film how_filmed = film_default();
    code = !names_known(ask)   ? EXIT_USAGE
           : is_film(ask->out) ? film_try(ask->out, &how_filmed)
                               : output_try_playback(ask->out);
    return code >= 0 ? code : drive_track(ask, words[0]);
}

int command_drive(int argc, char **argv)
{
    bool tables = argc > 1 && strcmp(argv[1], "tables") == 0;
    if (!cluster_leads() && !tables) {
        return EXIT_DONE; // the rest is not shared
    }
    if (argc > 1 && strcmp(argv[1], "record") == 0) {
        return drive_record(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "replay") == 0) {
        return drive_replay(argc - 1, argv + 1);
    }
    if (tables) {
        return drive_command_tables(argc - 1, argv + 1);
    }
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        return list_tracks();
    }
    cr_drive_def defaults = cr_default_drive_def();
    request ask = {.tree = "large",
                   .guess = cr_guess_name(defaults.guess),
                   .horizon = defaults.horizon,
                   .nodes = defaults.nodes,
                   .laps = defaults.laps,
                   .greed = defaults.greed,
                   .threshold = cr_default_graph_def().threshold,
                   .recipe = cr_default_track_recipe()};
    ask.corners = ask.recipe.corners;
    ask.track_seed = (int64_t)ask.recipe.seed;
    return run_track(&ask, argc, argv);
}
