// carom drive tables: the thesis's tables 4.1 to 4.8, ours beside the published figures, and lap
// times on real tracks beside their bound. Markdown on stdout.
//
// Every row is driven on the track as it stands (seed 0) with the thesis's guess and with the race
// line's; where there are other cars, also with a number of seeds that shift them, because one
// drive past traffic is a matter of luck.
#include "lab/drive_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/journal.h"
#include "terminal/terminal.h"

typedef struct row {
    const char *table, *track;
    cr_move_tree tree;
    int horizon, nodes;
    const char *published;
} row;

static const row rows[] = {
    {"4.1", "straight-cars", CR_MOVE_TREE_SMALL5, 24, 15000, "10 s crash"},
    {"4.1", "straight-cars", CR_MOVE_TREE_SMALL5, 49, 15000, "17 s crash"},
    {"4.1", "straight-cars", CR_MOVE_TREE_SMALL5, 74, 15000, "57 s crash"},
    {"4.1", "straight-cars", CR_MOVE_TREE_SMALL5, 99, 15000, "110 s crash"},
    {"4.1", "straight-cars", CR_MOVE_TREE_SMALL5, 124, 15000, "no crash in 2 min"},
    {"4.2", "cornered", CR_MOVE_TREE_SMALL5, 149, 15000, "33 s"},
    {"4.2", "cornered", CR_MOVE_TREE_SMALL5, 299, 45000, "39 s"},
    {"4.2", "cornered", CR_MOVE_TREE_SMALL7, 49, 15000, "35.5 s"},
    {"4.2", "cornered", CR_MOVE_TREE_SMALL7, 99, 15000, "31.5 s"},
    {"4.2", "cornered", CR_MOVE_TREE_SMALL7, 149, 15000, "35 s"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL5, 149, 45000, "crash"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL5, 199, 45000, "crash"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL5, 299, 15000, "crash"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL5, 299, 45000, "crash"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL7, 49, 15000, "crash"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL7, 99, 15000, "41 s"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL7, 149, 15000, "38 s"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL7, 299, 15000, "33.5 s"},
    {"4.3", "cornered-cars", CR_MOVE_TREE_SMALL7, 299, 45000, "35 s"},
    {"4.4", "straight-cars", CR_MOVE_TREE_LARGE, 299, 45000, "still going after 2 min"},
    {"4.5", "cornered", CR_MOVE_TREE_LARGE, 49, 45000, "44 s"},
    {"4.6", "cornered-cars", CR_MOVE_TREE_LARGE, 400, 15000, "45.5 s"},
    {"4.6", "cornered-cars", CR_MOVE_TREE_LARGE, 400, 45000, "50 s"},
    {"4.6", "cornered-cars", CR_MOVE_TREE_LARGE, 400, 250000, "46 s"},
    {"4.6", "cornered-cars", CR_MOVE_TREE_LARGE, 700, 250000, "45.5 s"},
    {"4.7", "sharp", CR_MOVE_TREE_LARGE, 200, 15000, "skids in every corner"},
    {"4.7", "sharp", CR_MOVE_TREE_LARGE, 400, 15000, "skids in every corner"},
    {"4.8", "final", CR_MOVE_TREE_LARGE, 200, 5000, "48.5 s (5 s of computing a frame)"},
    {"4.8", "final", CR_MOVE_TREE_LARGE, 400, 250000, "51 s"},
    {"default", "cornered", CR_MOVE_TREE_LARGE, 150, 2500, "-"},
    {"default", "cornered-cars", CR_MOVE_TREE_LARGE, 150, 2500, "-"},
    {"default", "sharp", CR_MOVE_TREE_LARGE, 150, 2500, "-"},
    {"default", "final", CR_MOVE_TREE_LARGE, 150, 2500, "-"},
    {"default", "cornered", CR_MOVE_TREE_AUTO, 150, 2500, "-"},
    {"default", "cornered-cars", CR_MOVE_TREE_AUTO, 150, 2500, "-"},
    {"default", "sharp", CR_MOVE_TREE_AUTO, 150, 2500, "-"},
    {"default", "final", CR_MOVE_TREE_AUTO, 150, 2500, "-"},
};

enum {
    ROW_COUNT = sizeof rows / sizeof rows[0],
    TREES = CR_MOVE_TREE_AUTO + 1,
    QUICK_NODES = 20000
};

#define LONGEST 120.0 // s of driving, as in the thesis

static const char *const real_tracks[] = {"BrandsHatch", "Monza", "Norisring", "Spielberg"};

enum { REAL_COUNT = sizeof real_tracks / sizeof real_tracks[0] };

typedef struct bench {
    cr_moves *moves[TREES]; // recorded when first needed, in the process that needs them
    bool quick;
    int seeds;
    int64_t most_nodes; // rows with more are skipped
    const char *only;   // the one table wanted, or NULL
    progress bar;
    const row *row;               // being driven
    int number, count, replans;   // of the row, of all, of its present drive
    int done;                     // rows that are whole
    const row *wanted[ROW_COUNT]; // the rows of the published tables
    const char *folder;           // of the real tracks
    journal journal;
    int64_t first; // the journal's unit of this table's first row
    cr_report report;
} bench;

// Show where the tables have got to; true once the user has had enough.
static bool watch(void *context)
{
    bench *b = context;
    b->replans++;
    if (cluster_size() == 1 && progress_due(&b->bar)) {
        progress_show(&b->bar, "row %d of %d: %s, %s, %s tree, %d nodes; %d replans", b->number,
                      b->count, b->row->table, b->row->track, cr_move_tree_name(b->row->tree),
                      b->row->nodes, b->replans);
    }
    return cluster_stop(NULL);
}

static cr_status need_moves(bench *b, cr_move_tree tree)
{
    if (b->moves[tree]) {
        return CR_OK;
    }
    cr_moves_def def = cr_default_moves_def();
    def.tree = tree;
    return cr_moves_create(&def, &b->moves[tree], &b->report);
}

static cr_status run(bench *b, const cr_track *track, const row *r, const cr_drive_def *def,
                     cr_drive_result *result)
{
    cr_drive *drive = NULL;
    cr_drive_def watched = *def;
    watched.clock = processor_seconds;
    watched.stop = watch;
    watched.context = b;
    b->row = r;
    b->replans = 0;
    cr_status status = cr_drive_run(track, b->moves[r->tree], &watched, &drive, &b->report);
    if (status == CR_OK) {
        *result = cr_drive_outcome(drive);
    }
    cr_drive_destroy(drive);
    return status;
}

static cr_drive_def row_def(const row *r, cr_guess guess)
{
    cr_drive_def def = cr_default_drive_def();
    def.horizon = r->horizon;
    def.nodes = r->nodes;
    def.guess = guess;
    def.greed = strcmp(r->table, "default") == 0 ? def.greed : 1;
    def.seconds = LONGEST;
    return def;
}

static void print_end(FILE *file, const cr_drive_result *r)
{
    if (r->end == CR_DRIVE_FINISHED) {
        fprintf(file, " %.1f s |", r->seconds);
    } else {
        fprintf(file, " %.1f s %s |", r->seconds,
                r->end == CR_DRIVE_CRASHED ? "crash" : "no crash");
    }
}

// Drives with shifted cars: how many crashed, and when; when the others finished.
typedef struct shifted {
    int crashed, finished;
    double crash_time, finish_time; // s, of all together
} shifted;

static cr_status run_shifted(bench *b, const cr_track *track, const row *r, shifted *out)
{
    *out = (shifted){0};
    for (int seed = 1; seed <= b->seeds && !cluster_stop(NULL); seed++) {
        cr_drive_def def = row_def(r, CR_GUESS_GOAL);
        cr_drive_result result;
        def.seed = (uint64_t)seed;
        cr_status status = run(b, track, r, &def, &result);
        if (status != CR_OK) {
            return status;
        }
        out->crashed += result.end == CR_DRIVE_CRASHED;
        out->crash_time += result.end == CR_DRIVE_CRASHED ? result.seconds : 0;
        out->finished += result.end == CR_DRIVE_FINISHED;
        out->finish_time += result.end == CR_DRIVE_FINISHED ? result.seconds : 0;
    }
    return CR_OK;
}

static void print_shifted(FILE *file, const bench *b, const shifted *s)
{
    fprintf(file, " %d of %d", s->crashed, b->seeds);
    if (s->crashed > 0) {
        fprintf(file, ", after %.1f s", s->crash_time / s->crashed);
    }
    if (s->finished > 0) {
        fprintf(file, "; the others %.1f s", s->finish_time / s->finished);
    }
    fprintf(file, " |");
}

static cr_status print_row(bench *b, const row *r, FILE *file)
{
    cr_track *track = NULL;
    cr_status status = need_moves(b, r->tree);
    status = status ? status : cr_track_builtin(r->track, &track, &b->report);
    cr_drive_result goal, line;
    cr_drive_def by_goal = row_def(r, CR_GUESS_GOAL), by_line = row_def(r, CR_GUESS_LINE);
    status = status ? status : run(b, track, r, &by_goal, &goal);
    status = status ? status : run(b, track, r, &by_line, &line);
    bool many = strstr(r->track, "-cars") && r->tree <= CR_MOVE_TREE_SMALL7;
    shifted others;
    status = status || !many ? status : run_shifted(b, track, r, &others);
    if (status == CR_OK && !cluster_stop(NULL)) {
        fprintf(file, "| %s | %s | %s | %d | %d | %s |", r->table, r->track,
                cr_move_tree_name(r->tree), r->horizon, r->nodes, r->published);
        print_end(file, &goal);
        print_end(file, &line);
        many ? print_shifted(file, b, &others) : (void)fprintf(file, " - |");
        fprintf(file, " %.2g | %.0f | %.2f | %.2f |\n", line.largest_jump,
                line.largest_slip * 57.29577951308232, line.median_ms,
                line.frames ? line.mean_ms * line.replans / line.frames : 0);
    }
    cr_track_destroy(track);
    return status;
}

// ---------------------------------------------------------------------------------------------
// A row is a unit of work, and its line the result.

static int end_unit(bench *b, cr_status status)
{
    if (status != CR_OK) {
        return report_print(status, &b->report);
    }
    return cluster_stop(NULL) ? CLUSTER_CUT : CLUSTER_ON;
}

static bool recall_row(int64_t unit, cluster_result *result, void *context)
{
    const bench *b = context;
    return journal_recall(&b->journal, b->first + unit, result);
}

static int keep_row(int64_t unit, cluster_result result, void *context)
{
    bench *b = context;
    return journal_keep(&b->journal, b->first + unit, result);
}

static int take_row(int64_t unit, cluster_result result, void *context)
{
    bench *b = context;
    (void)unit;
    progress_end(&b->bar);
    fwrite(result.text, 1, result.length, stdout);
    b->done++;
    return stdout_good() ? CLUSTER_ON : CLUSTER_ENOUGH;
}

// The rows of a table, over all processes. Returns what cluster_run does.
static int run_rows(bench *b, int (*run_row)(int64_t unit, FILE *result, void *context))
{
    return cluster_run(&(cluster_work){.count = b->count,
                                       .what = "rows",
                                       .run = run_row,
                                       .recall = recall_row,
                                       .keep = keep_row,
                                       .take = take_row,
                                       .context = b});
}

static bool wanted(const bench *b, const row *r)
{
    return r->nodes <= b->most_nodes && !(b->quick && r->tree == CR_MOVE_TREE_AUTO) &&
           (!b->only || strcmp(r->table, b->only) == 0);
}

static int count_rows(bench *b)
{
    int count = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (wanted(b, &rows[i])) {
            b->wanted[count++] = &rows[i];
        }
    }
    return count;
}

static int run_published_row(int64_t unit, FILE *result, void *context)
{
    bench *b = context;
    b->number = (int)unit + 1;
    return end_unit(b, print_row(b, b->wanted[unit], result));
}

static int print_published(bench *b)
{
    printf("| table | track | tree | frames | nodes | published | thesis's guess | race line's "
           "guess | crashes with shifted cars | jump | slip, deg | replan, median ms | a frame, ms "
           "|\n|---|---|---|---:|---:|---|---|---|---|---:|---:|---:|---:|\n");
    b->count = count_rows(b);
    return run_rows(b, run_published_row);
}

static cr_status print_real_row(bench *b, const char *name, FILE *file)
{
    char path[600], line_path[600];
    snprintf(path, sizeof path, "%s/tracks/%s.csv", b->folder, name);
    snprintf(line_path, sizeof line_path, "%s/tracks/%s.raceline.csv", b->folder, name);
    cr_track *track = NULL;
    cr_line_bound bound, own;
    cr_status status = cr_track_read(path, true, &track, &b->report);
    status = status ? status : cr_line_bound_read(line_path, &bound, &b->report);
    status = status ? status : cr_track_bound(track, &own, &b->report);
    cr_drive_def def = cr_default_drive_def();
    def.laps = b->quick ? 1 : 3;
    row r = {"real", name, CR_MOVE_TREE_AUTO, def.horizon, def.nodes, ""};
    cr_drive_result result;
    status = status ? status : run(b, track, &r, &def, &result);
    if (status == CR_OK && !cluster_stop(NULL)) {
        fprintf(
            file,
            "| %s | %.0f | %s, %d laps | %.2f | %.2f | %.2f | %+.1f%% | %.2f | %+.1f%% | %.2f | "
            "%.2g | %.2f | %.1f | %.1f |\n",
            name, cr_track_length(track), cr_drive_end_name(result.end), result.laps,
            result.first_lap, result.best_lap, bound.car, 100 * (result.best_lap / bound.car - 1),
            bound.point_mass, 100 * (result.best_lap / bound.point_mass - 1), own.car,
            result.largest_jump, result.clearance, result.median_ms, result.worst_ms);
    }
    cr_track_destroy(track);
    return status;
}

static int run_real_row(int64_t unit, FILE *result, void *context)
{
    bench *b = context;
    b->number = (int)unit + 1;
    cr_status status = need_moves(b, CR_MOVE_TREE_AUTO);
    return end_unit(b, status ? status : print_real_row(b, real_tracks[unit], result));
}

static int print_real(bench *b)
{
    printf(
        "\n| track | m | end | first lap | best lap | bound: car, TUM's line | over it | bound: "
        "point mass, 3 g | over it | bound: car, own line | jump | clearance, m | replan, median "
        "ms | worst |\n|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    b->first = ROW_COUNT;
    b->count = REAL_COUNT;
    b->done = 0;
    return run_rows(b, run_real_row);
}

static int print_tables(bench *b, bool only_real)
{
    int code = only_real ? CLUSTER_ON : print_published(b);
    if (code != CLUSTER_ON) {
        return code;
    }
    if (b->folder && b->folder[0]) {
        return print_real(b);
    }
    fprintf(stderr, "carom: real tracks skipped: neither --reference nor CAROM_REFERENCE\n");
    return CLUSTER_ON;
}

// The last words, where a table has fewer rows than it should.
static int print_cut(const bench *b)
{
    printf("\nInterrupted: %d of %d rows of this table.\n", b->done, b->count);
    return interrupted("%d of %d rows are in the last table", b->done, b->count);
}

static bool is_there(bench *b)
{
    if (count_rows(b) == 0) {
        fprintf(stderr, "carom: there is no such row; --table is 4.1 to 4.8 or default\n");
        return false;
    }
    return true;
}

static void print_heading(const drive_tables_def *def, const bench *b)
{
    printf("Written by `carom drive tables");
    for (int i = 0; i < def->word_count; i++) {
        printf(" %s", shown_word(def->words[i]));
    }
    printf("`; %d shifts of the other cars.\n\n", b->seeds);
}

int drive_tables(const drive_tables_def *def)
{
    bench b = {.quick = def->quick, .only = def->table, .folder = def->reference};
    b.most_nodes = def->most_nodes > 0 ? def->most_nodes : (b.quick ? QUICK_NODES : INT64_MAX);
    b.seeds = def->seeds > 0 ? (int)def->seeds : (b.quick ? 4 : 20);
    if (!def->only_real && !is_there(&b)) {
        return EXIT_USAGE;
    }
    char *work = journal_work(def->word_count, def->words, 0);
    const char *path = cluster_leads() ? def->journal : NULL;
    int code = work ? journal_open(&b.journal, path, work, ROW_COUNT + REAL_COUNT) : EXIT_INTERNAL;
    free(work);
    if (code < 0) {
        print_heading(def, &b);
        code = print_tables(&b, def->only_real);
        progress_end(&b.bar);
        code = code == CLUSTER_CUT ? print_cut(&b) : code;
        code = journal_close(&b.journal, code < 0 ? EXIT_DONE : code);
    }
    for (int i = 0; i < TREES; i++) {
        cr_moves_destroy(b.moves[i]);
    }
    return code;
}
