// carom drive: a car around a track with recorded moves.
#include "cli.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    const char *tree, *guess, *out;
    int64_t horizon, nodes, laps, seed;
    double seconds, greed;
    bool open;
} request;

static double wall_clock(void *context)
{
    (void)context;
    return now_seconds();
}

static const char *const end_words[] = {"finished", "crashed", "still going"};

static void print_result(const cr_drive_result *r)
{
    printf("%s after %.2f s", end_words[r->end], r->seconds);
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
    printf("replans: median %.2f ms, mean %.2f ms, worst %.2f ms; %.2f ms a frame\n", r->median_ms,
           r->mean_ms, r->worst_ms, r->frames ? r->mean_ms * r->replans / r->frames : 0);
    printf("hash %016llx\n", (unsigned long long)r->hash);
}

static cr_status open_track(const char *name, bool closed, cr_track **track, cr_report *report)
{
    if (strchr(name, '.') || strchr(name, '/')) {
        return cr_track_read(name, closed, track, report);
    }
    return cr_track_builtin(name, track, report);
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
    def.clock = wall_clock;
    return def;
}

static void print_repeat(const request *ask, const char *track)
{
    fprintf(stderr,
            "repeat: carom drive %s --tree %s --horizon %lld --nodes %lld --laps %lld --seed %lld "
            "--guess %s --greed %g%s\n",
            track, ask->tree, (long long)ask->horizon, (long long)ask->nodes, (long long)ask->laps,
            (long long)ask->seed, ask->guess, ask->greed, ask->open ? " --open" : "");
}

static int drive_track(const request *ask, const char *name)
{
    cr_report report = {0};
    cr_track *track = NULL;
    cr_moves *moves = NULL;
    cr_drive *drive = NULL;
    cr_status status = open_track(name, !ask->open, &track, &report);
    if (status == CR_OK) {
        status = cr_moves_create((cr_tree)cr_tree_find(ask->tree), &moves, &report);
    }
    cr_drive_def def = make_def(ask);
    if (status == CR_OK) {
        status = cr_drive_run(track, moves, &def, &drive, &report);
    }
    int code = report_print(status, &report);
    if (status == CR_OK) {
        cr_drive_result result = cr_drive_outcome(drive);
        print_result(&result);
        print_repeat(ask, name);
        code = result.end == CR_DRIVE_FINISHED ? EXIT_DONE : EXIT_NO_PLAN;
        if (ask->out) {
            status = cr_playback_write(cr_drive_playback(drive), ask->out, &report);
            code = status == CR_OK ? code : report_print(status, &report);
        }
    }
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

int command_drive(int argc, char **argv)
{
    cr_drive_def defaults = cr_default_drive_def();
    request ask = {.tree = "large",
                   .guess = cr_guess_name(defaults.guess),
                   .horizon = defaults.horizon,
                   .nodes = defaults.nodes,
                   .laps = defaults.laps,
                   .greed = defaults.greed};
    const option_row options[] = {
        {0, "tree", "NAME", OPTION_TEXT, &ask.tree, "small5, small7, large or auto", 0, 0, NULL},
        {0, "horizon", "FRAMES", OPTION_INT, &ask.horizon, "how far to look ahead", 1, 10000, NULL},
        {0, "nodes", "N", OPTION_INT, &ask.nodes, "nodes a replan may open", 1, 2000000, NULL},
        {0, "laps", "N", OPTION_INT, &ask.laps, "laps of a closed track", 1, 100, NULL},
        {0, "seed", "N", OPTION_INT, &ask.seed, "shifts the other cars; 0: as they are", 0, 1e15,
         NULL},
        {0, "seconds", "S", OPTION_NUMBER, &ask.seconds, "give up after this much driving", 0, 1e5,
         NULL},
        {0, "guess", "NAME", OPTION_TEXT, &ask.guess, "time to go: goal, track, speed or line", 0,
         0, NULL},
        {0, "greed", "X", OPTION_NUMBER, &ask.greed, "weight of the guess", 1, 100, NULL},
        {0, "open", NULL, OPTION_FLAG, &ask.open, "the track file is no loop", 0, 0, NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask.out, "write .html, .glb, .csv or .svg", 0, 0,
         NULL},
    };
    const usage how = {"carom drive TRACK [options]",
                       "Drives a car around a track. TRACK is a built-in track (`carom drive list` "
                       "names them) or a\nfile of x,y,right width,left width lines.",
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
    if (strcmp(words[0], "list") == 0) {
        return list_tracks();
    }
    if (cr_tree_find(ask.tree) < 0 || cr_guess_find(ask.guess) < 0) {
        fprintf(stderr, "carom: --tree is small5, small7, large or auto; --guess is goal, track, "
                        "speed or line\n");
        return EXIT_USAGE;
    }
    return drive_track(&ask, words[0]);
}
