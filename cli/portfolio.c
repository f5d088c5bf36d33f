// Which seed wins, where the limits are counts, depends on neither time nor the number of
// processes: the fewest steps, or the best rank, and of equal ones the lowest seed. In a race by
// steps a seed that has made more steps than the best so far can only lose: it is ended there,
// sooner or later, and so the first solution bounds the rest.
#include "portfolio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/wire.h"

static const char *const winner_names[] = {"steps", "time", "rank"};

const char *winner_name(winner_by by)
{
    return winner_names[by];
}

static int on_winner(const char *value, void *context)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, winner_names[i]) == 0) {
            *(winner_by *)context = (winner_by)i;
            return 0;
        }
    }
    fprintf(stderr, "carom: --winner must be steps, time or rank, got \"%s\"\n", shown(value));
    return EXIT_USAGE;
}

option_row portfolio_winner_option(winner_by *by)
{
    return (option_row){.name = "winner",
                        .value = "BY",
                        .kind = OPTION_CALL,
                        .target = by,
                        .call = on_winner,
                        .about = "portfolio: steps, the fewest to a solution (default); time, "
                                 "the first; rank, the best of all"};
}

int portfolio_options(portfolio_def *def, option_row rows[PORTFOLIO_OPTIONS])
{
    *def = (portfolio_def){.seeds = {1, 0}};
    rows[0] = (option_row){.name = "portfolio",
                           .value = "A-B",
                           .kind = OPTION_CALL,
                           .target = &def->seeds,
                           .call = on_seed_range,
                           .about = "search with each of these seeds, over all processes of an "
                                    "mpirun; one wins"};
    rows[1] = portfolio_winner_option(&def->by);
    rows[2] = journal_option(&def->journal);
    return PORTFOLIO_OPTIONS;
}

// ---------------------------------------------------------------------------------------------
// A seed's search, in any process.

typedef struct portfolio {
    const portfolio_def *def;
    const search *asked;
    const search_scene *scene;
    journal journal;
    portfolio_result *result; // the lead's
} portfolio;

#define FIELD(kind, name)                                                                          \
    {                                                                                              \
        kind, offsetof(portfolio_entry, name)                                                      \
    }
static const wire_row fields[] = {
    FIELD(WIRE_INT, grade),
    FIELD(WIRE_NUMBER, worth),
    FIELD(WIRE_COUNT, steps),
    FIELD(WIRE_INT, counts.outcome),
    FIELD(WIRE_COUNT, counts.branches),
    FIELD(WIRE_COUNT, counts.stats.nodes),
    FIELD(WIRE_COUNT, counts.stats.decisions),
    FIELD(WIRE_COUNT, counts.stats.steps),
    FIELD(WIRE_COUNT, counts.stats.attempts),
    FIELD(WIRE_COUNT, counts.stats.dead_rule),
    FIELD(WIRE_COUNT, counts.stats.dead_engine),
    FIELD(WIRE_INT, counts.stats.fault),
    FIELD(WIRE_INT, counts.stats.fault_body),
    FIELD(WIRE_COUNT, counts.stats.ended),
    FIELD(WIRE_INT, counts.stats.solutions),
    FIELD(WIRE_NUMBER, counts.stats.best_score),
    FIELD(WIRE_NUMBER, counts.stats.seconds),
    FIELD(WIRE_HASH, counts.stats.tree_hash),
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

enum { SLICE = 64 }; // attempts between two looks at what the others have come to

static bool time_is_up(const portfolio *p)
{
    // A tenth is for ranking and writing.
    return p->asked->seconds > 0 && now_seconds() > p->asked->begin + 0.9 * p->asked->seconds;
}

// Grow to the limits, or until it can only lose.
static cr_outcome grow(const portfolio *p, cr_planner *planner)
{
    cr_slice slice = {.attempts = SLICE, .stop = cluster_stop};
    cr_outcome outcome = CR_OUTCOME_GROWING;
    while (outcome == CR_OUTCOME_GROWING && !time_is_up(p)) {
        outcome = cr_planner_grow(planner, &slice);
        if (outcome == CR_OUTCOME_GROWING && cr_planner_get_stats(planner).steps > cluster_told()) {
            return outcome;
        }
    }
    return outcome == CR_OUTCOME_GROWING ? CR_OUTCOME_SECONDS : outcome;
}

static portfolio_grade grade_of(const cr_plan *plan, cr_outcome outcome)
{
    if (outcome == CR_OUTCOME_SOLVED) {
        return GRADE_SOLVED;
    }
    bool part = plan && (cr_plan_solution(plan, 0).goal || outcome == CR_OUTCOME_BEST);
    return part ? GRADE_PART : GRADE_NONE;
}

// What the search has come to: the words, and its plan behind them.
static cr_status print_entry(const cr_planner *planner, cr_outcome outcome, FILE *file,
                             cr_report *report)
{
    cr_plan *plan = NULL;
    char *text = NULL;
    size_t length = 0;
    portfolio_entry e = {.counts = search_count(planner, outcome)};
    cr_status status = CR_OK;
    if (outcome != CR_OUTCOME_GROWING) {
        status = cr_plan_create(planner, outcome, &plan, report);
        e.grade = grade_of(plan, outcome);
    }
    if (status == CR_OK && e.grade >= GRADE_PART) {
        e.worth = cr_plan_worth(plan, 0);
        e.steps = cr_plan_solution(plan, 0).steps;
        status = cr_plan_print(plan, &text, &length, report);
    }
    wire_print(file, fields, FIELD_COUNT, &e);
    fputc('\n', file);
    if (length > 0) {
        fwrite(text, 1, length, file);
    }
    free(text);
    cr_plan_destroy(plan);
    return status;
}

static int run_seed(int64_t unit, FILE *result, void *context)
{
    const portfolio *p = context;
    cr_report report = {0};
    cr_planner *planner = NULL;
    search_scene scene = *p->scene;
    scene.def.seed = (uint64_t)(p->def->seeds.first + unit);
    cr_status status = search_planner(&scene, &planner, &report);
    int code = status == CR_OK ? CLUSTER_ON : report_print(status, &report);
    if (status == CR_OK) {
        cr_outcome outcome = grow(p, planner);
        status =
            outcome == CR_OUTCOME_STOPPED ? CR_OK : print_entry(planner, outcome, result, &report);
        code = outcome == CR_OUTCOME_STOPPED ? CLUSTER_CUT
               : status == CR_OK             ? CLUSTER_ON
                                             : report_own(status, &report);
    }
    cr_planner_destroy(planner);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Who wins: the lead's.

// Larger is better, then fewer steps, then the lower seed.
static double merit(const portfolio_entry *e, winner_by by)
{
    switch (e->grade) {
    case GRADE_SOLVED:
        return by == WINNER_RANK ? e->worth : -(double)e->counts.stats.steps;
    case GRADE_PART:
        return e->worth;
    case GRADE_NONE:
        return e->counts.stats.best_score;
    case GRADE_BEATEN:
        return 0;
    }
    return 0;
}

static bool is_better(const portfolio_entry *a, const portfolio_entry *b, winner_by by)
{
    if (a->grade != b->grade) {
        return a->grade > b->grade;
    }
    if (a->grade == GRADE_SOLVED && by == WINNER_TIME) {
        return false; // b was first
    }
    double x = merit(a, by), y = merit(b, by);
    if (x != y) {
        return x > y;
    }
    return a->steps != b->steps ? a->steps < b->steps : a->seed < b->seed;
}

// Keep the better one of the winner so far and this one.
static int compare(portfolio *p, const portfolio_entry *e, const char *text, size_t length)
{
    portfolio_result *r = p->result;
    if (r->any && !is_better(e, &r->winner, p->def->by)) {
        return CLUSTER_ON;
    }
    char *copy = malloc(length + 1);
    if (!copy) {
        return EXIT_INTERNAL;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    free(r->text);
    r->any = true;
    r->winner = *e;
    r->text = copy;
    r->length = length;
    return CLUSTER_ON;
}

static int hear_seed(int64_t unit, cluster_result result, void *context)
{
    portfolio *p = context;
    const char *at = result.text;
    portfolio_entry e = {.seed = (uint64_t)(p->def->seeds.first + unit)};
    if (!wire_read(&at, fields, FIELD_COUNT, &e) || *at != '\n') {
        fprintf(stderr, "carom: the result of seed %llu cannot be read\n",
                (unsigned long long)e.seed);
        return EXIT_FILE;
    }
    at++;
    p->result->steps += e.counts.stats.steps;
    int code = compare(p, &e, at, (size_t)(result.text + result.length - at));
    if (e.grade == GRADE_SOLVED && p->def->by == WINNER_STEPS) {
        cluster_tell(e.counts.stats.steps);
    }
    bool first = e.grade == GRADE_SOLVED && p->def->by == WINNER_TIME;
    return code == CLUSTER_ON && first ? CLUSTER_ENOUGH : code;
}

static bool recall_seed(int64_t unit, cluster_result *result, void *context)
{
    return journal_recall(&((portfolio *)context)->journal, unit, result);
}

static int keep_seed(int64_t unit, cluster_result result, void *context)
{
    return journal_keep(&((portfolio *)context)->journal, unit, result);
}

int portfolio_run(const portfolio_def *def, const search *asked, const search_scene *scene,
                  portfolio_result *result)
{
    portfolio p = {.def = def, .asked = asked, .scene = scene, .result = result};
    int64_t count = def->seeds.last - def->seeds.first + 1;
    *result = (portfolio_result){0};
    int code = search_journal(&p.journal, def->journal, scene, count);
    if (code >= 0) {
        return code;
    }
    result->code = cluster_run(&(cluster_work){.count = count,
                                               .what = "seeds",
                                               .together = true,
                                               .run = run_seed,
                                               .recall = recall_seed,
                                               .keep = keep_seed,
                                               .hear = hear_seed,
                                               .context = &p});
    code = result->code < 0 ? -1 : result->code;
    return journal_close(&p.journal, code);
}
