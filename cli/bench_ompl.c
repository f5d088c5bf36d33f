// OMPL's benchmark log. The format is given as a grammar in OMPL's documentation ("The benchmark
// logfile format"): a preamble, then for each planner its settings, the names and types of what was
// measured, and one line a run, each value followed by "; ". It counts its parts before it lists
// them, so all is printed at the end.
//
// Names that OMPL uses keep its meaning, so that our runs stand beside those of OMPL's planners in
// one database; but `solved` is true only where the goal was reached, never for an approximate
// solution.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The values of ompl::base::PlannerStatus that our outcomes come to.
enum { STATUS_TIMEOUT = 4, STATUS_APPROXIMATE = 5, STATUS_EXACT = 6 };

static bool is_exact(const bench_run *run)
{
    return run->has_plan && run->solution.goal;
}

static double status_of(const bench_run *run)
{
    return is_exact(run) ? STATUS_EXACT : run->has_plan ? STATUS_APPROXIMATE : STATUS_TIMEOUT;
}

static double outcome_of(const bench_run *run)
{
    return run->outcome;
}

static double solved(const bench_run *run)
{
    return is_exact(run);
}

static double approximate(const bench_run *run)
{
    return run->has_plan && !is_exact(run);
}

static double correct(const bench_run *run)
{
    return run->has_plan ? (double)run->replayed : NAN;
}

static double plan_seconds(const bench_run *run)
{
    return run->has_plan ? run->solution.seconds : NAN;
}

static double plan_score(const bench_run *run)
{
    return run->has_plan ? run->solution.score : NAN;
}

static double plan_turning(const bench_run *run)
{
    return run->has_plan ? run->solution.turning : NAN;
}

static double plan_contacts(const bench_run *run)
{
    return run->has_plan ? (double)run->solution.contacts : NAN;
}

static double plan_branches(const bench_run *run)
{
    return run->has_plan ? (double)run->solution.branches : NAN;
}

static double seed(const bench_run *run)
{
    return (double)run->def.seed;
}

static double nodes(const bench_run *run)
{
    return (double)run->stats.nodes;
}

static double branches(const bench_run *run)
{
    return (double)run->branches;
}

static double attempts(const bench_run *run)
{
    return (double)run->stats.attempts;
}

static double steps(const bench_run *run)
{
    return (double)run->stats.steps;
}

static double seconds(const bench_run *run)
{
    return run->stats.seconds;
}

static double engine_seconds(const bench_run *run)
{
    return run->stats.engine_seconds;
}

static double select_seconds(const bench_run *run)
{
    return run->stats.select_seconds;
}

static double behavior_seconds(const bench_run *run)
{
    return run->stats.behavior_seconds;
}

static double megabytes(const bench_run *run)
{
    return (double)run->stats.bytes / 1e6;
}

// What is measured of each run; not a number: unknown, an empty field.
static const struct {
    const char *name_and_type;
    double (*value)(const bench_run *run);
} properties[] = {
    {"approximate solution BOOLEAN", approximate},
    {"correct solution BOOLEAN", correct},
    {"graph motions INTEGER", branches},
    {"graph states INTEGER", nodes},
    {"iterations INTEGER", attempts},
    {"memory REAL", megabytes},
    {"outcome ENUM", outcome_of},
    {"seed INTEGER", seed},
    {"simulated steps INTEGER", steps},
    {"solution contacts INTEGER", plan_contacts},
    {"solution score REAL", plan_score},
    {"solution seconds REAL", plan_seconds},
    {"solution segments INTEGER", plan_branches},
    {"solution turning REAL", plan_turning},
    {"solved BOOLEAN", solved},
    {"status ENUM", status_of},
    {"time REAL", seconds},
    {"time in behavior REAL", behavior_seconds},
    {"time in engine REAL", engine_seconds},
    {"time in select REAL", select_seconds},
};

enum { PROPERTY_COUNT = sizeof properties / sizeof properties[0] };

// A part of a text of any length, shown piece by piece, none of which ends within a character.
static void print_part(const char *text, size_t length)
{
    char piece[256];
    while (length > 0) {
        size_t size = length < sizeof piece - 1 ? length : sizeof piece - 1;
        for (int i = 0; i < 3 && size < length && (text[size] & 0xC0) == 0x80; i++) {
            size--;
        }
        memcpy(piece, text, size);
        piece[size] = 0;
        printf("%s", shown(piece));
        text += size;
        length -= size;
    }
}

// The scene's text, each line moved in: a line must not end the block.
static void print_setup(const bench_table *table)
{
    const cr_scene *scene = cr_model_scene(table->model);
    size_t length;
    const char *text = cr_scene_text(scene, &length);
    printf("<<<|\nscene %s\n", shown(cr_scene_name(scene)));
    if (table->interrupted) {
        printf("interrupted: %d of %lld searches\n", table->count, (long long)bench_wanted(table));
    }
    for (int i = 0; i < cr_scene_setting_count(scene); i++) {
        printf("set %s = %s\n", shown(cr_scene_setting_name(scene, i)),
               shown(cr_scene_setting_value(scene, i)));
    }
    for (size_t i = 0, line = 0; i < length; i = line + 1) {
        const char *end = memchr(text + i, '\n', length - i);
        line = end ? (size_t)(end - text) : length;
        printf("  ");
        print_part(text + i, line - i);
        printf("\n");
    }
    printf("|>>>\n");
}

static void print_enums(void)
{
    printf("2 enum types\noutcome");
    for (int i = CR_OUTCOME_GROWING; i <= CR_OUTCOME_STOPPED; i++) {
        printf("|%s", cr_outcome_name((cr_outcome)i));
    }
    printf("\nstatus|Unknown status|Invalid start|Invalid goal|Unrecognized goal type|Timeout|"
           "Approximate solution|Exact solution|Crash|Abort\n");
}

static void print_preamble(const bench_table *table)
{
    char host[256] = "unknown", date[64] = "";
    double most = 0;
    double spent = now_seconds() - table->began;
    time_t began = time(NULL) - (time_t)spent;
    struct tm local;
    gethostname(host, sizeof host - 1);
    if (localtime_r(&began, &local)) {
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
    }
    for (int i = 0; i < table->count; i++) {
        most = fmax(most, megabytes(&table->runs[i]));
    }
    const cr_scene *scene = cr_model_scene(table->model);
    printf("carom version %s\nExperiment ", cr_version());
    for (const char *c = shown(cr_scene_name(scene)); *c; c++) {
        putchar(*c == ' ' ? '_' : *c); // a name is one word
    }
    printf("\nRunning on %s\nStarting at %s\n", host, date);
    print_setup(table);
    printf("%lld is the random seed\n", (long long)table->seeds.first);
    printf("%g seconds per run\n", table->limit > 0 ? table->limit : HUGE_VAL);
    printf("%g MB per run\n%d runs per planner\n", most, table->count);
    printf("%g seconds spent to collect the data\n", spent);
    print_enums();
}

static void print_settings(const cr_planner_def *def)
{
    printf("carom_%s\n11 common properties\n", def->select);
    printf("bgt_share = %g\nengine = %s\nfree_tactics = %d\nhorizon = %g\nkeep_dead = %d\n"
           "longest = %lld\nmu = %g\nnodes = %lld\nround = %d\nsolutions = %d\nsteps = %lld\n",
           def->bgt_share, def->engine, def->free_tactics, def->horizon, def->keep_dead,
           (long long)def->longest, def->mu, (long long)def->nodes, def->round, def->solutions,
           (long long)def->steps);
}

static void print_run(const bench_run *run)
{
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        double value = properties[i].value(run);
        if (!isnan(value)) {
            printf("%.15g", value);
        }
        printf("; ");
    }
    printf("\n");
}

static void print_log(const bench_table *table)
{
    print_preamble(table);
    printf("%d planners\n", table->count > 0);
    if (table->count == 0) {
        return;
    }
    print_settings(&table->runs[0].def);
    printf("%d properties for each run\n", PROPERTY_COUNT);
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        printf("%s\n", properties[i].name_and_type);
    }
    printf("%d runs\n", table->count);
    for (int i = 0; i < table->count; i++) {
        print_run(&table->runs[i]);
    }
    printf(".\n");
}

const bench_format bench_ompl = {"ompl", NULL, NULL, print_log};
