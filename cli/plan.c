// carom plan: search a scene for a plan.
#include "terminal/json.h"
#include "cluster/cluster.h"
#include "portfolio.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A search, and what is to come of it.
typedef struct job {
    const search *asked;
    const search_scene *scene;
    cr_planner *planner;  // NULL: another process searched
    search_counts counts; // once the search has ended
    const char *path;     // of the output, or NULL
    int futures;          // > 0: solutions are ranked by them
    cr_robustness *rates; // by solution, or NULL
    cr_robustness luck;   // of the first solution; no futures: nobody draws
} job;

// ---------------------------------------------------------------------------------------------
// Time. --seconds bounds the search, ranking what it found, and writing it.

enum { AFTER_STOP = 5 }; // s that an interrupted search still takes for ranking and writing

static bool draws_tree(const job *j)
{
    return j->path && is_page(j->path);
}

static double seconds_left(const job *j)
{
    return j->asked->seconds > 0 ? j->asked->begin + j->asked->seconds - now_seconds() : 1e9;
}

// What to keep of the time for after the search: a share where there is much to rank or to draw,
// and always three times what a replay to the horizon may take, a step of it costing what one of
// the search's does; at most half of all.
static double seconds_to_keep(const job *j)
{
    cr_planner_stats s = cr_planner_get_stats(j->planner);
    double all = j->asked->seconds;
    double share = draws_tree(j) ? 0.4 * all : (s.solutions > 1 ? 0.25 * all : 0);
    double step = s.steps > 0 ? (s.engine_seconds + s.behavior_seconds) / (double)s.steps : 0;
    double replay = step * j->scene->def.horizon / cr_model_dt(j->scene->model);
    return fmin(fmax(share, 3 * replay), all / 2);
}

static void show_progress(progress *bar, const cr_planner_stats *stats, const cr_planner_def *def)
{
    char best[40] = "";
    if (stats->best_score > -HUGE_VAL) {
        snprintf(best, sizeof best, ", best %.4g", stats->best_score);
    }
    double rate = stats->seconds > 0 ? (double)stats->nodes / stats->seconds : 0;
    progress_show(bar, "%lld of %lld nodes, %.0f nodes/s, %lld attempts, %d found%s",
                  (long long)stats->nodes, (long long)def->nodes, rate, (long long)stats->attempts,
                  stats->solutions, best);
}

// Grow until something ends it, showing how it goes.
static cr_outcome grow(const job *j)
{
    progress bar = {0};
    cr_outcome outcome = CR_OUTCOME_GROWING;
    while (outcome == CR_OUTCOME_GROWING) {
        double left = seconds_left(j) - seconds_to_keep(j);
        cr_slice slice = {.seconds = fmin(fmax(left, 0.001), 0.1), .stop = stop_asked};
        outcome = cr_planner_grow(j->planner, &slice);
        if (outcome == CR_OUTCOME_GROWING && left <= 0) {
            outcome = CR_OUTCOME_SECONDS;
        }
        if (progress_due(&bar)) {
            cr_planner_stats stats = cr_planner_get_stats(j->planner);
            show_progress(&bar, &stats, cr_planner_get_def(j->planner));
        }
    }
    progress_end(&bar);
    return outcome;
}

// ---------------------------------------------------------------------------------------------
// What came of it.

// Why branches blow up: what is known of the last one.
static void print_fault(const cr_model *model, const cr_planner_stats *s)
{
    if (s->fault != CR_FAULT_NONE && s->fault_body >= 0) {
        printf("  the last one blew up because body \"%s\" %s\n",
               shown(cr_model_body(model, s->fault_body)->name), cr_fault_about(s->fault));
    } else if (s->fault != CR_FAULT_NONE) {
        printf("  the last one blew up because a body %s\n", cr_fault_about(s->fault));
    }
}

static void print_counts(const job *j)
{
    cr_planner_stats s = j->counts.stats;
    printf("%s: %lld nodes, %lld steps, %lld attempts in %.3f s (%.0f nodes/s)\n",
           cr_outcome_name(j->counts.outcome), (long long)s.nodes, (long long)s.steps,
           (long long)s.attempts, s.seconds, s.seconds > 0 ? (double)s.nodes / s.seconds : 0);
    printf("branches: %lld kept, %lld ended, %lld broke a rule, %lld blew up\n",
           (long long)j->counts.branches, (long long)s.ended, (long long)s.dead_rule,
           (long long)s.dead_engine);
    print_fault(j->scene->model, &s);
}

static const char *solution_word(const cr_plan *plan, const cr_solution *s)
{
    if (s->goal) {
        return "solution";
    }
    bool goal = cr_model_has_goal(cr_plan_model(plan));
    if (s->end == CR_END_BEST) {
        return goal ? "best so far (the goal is not reached)" : "best";
    }
    return goal ? "failed future" : "best, though no better than the start";
}

static void print_solutions(const cr_plan *plan, const cr_robustness *rates)
{
    int count = cr_plan_solution_count(plan);
    for (int i = 0; i < count; i++) {
        char end[400];
        cr_solution s = cr_plan_solution(plan, i);
        printf("%s %d: %.3f s, %lld steps in %d branches, score %.4g, turning %.0f deg, "
               "%d contacts, hash %016llx\n",
               solution_word(plan, &s), i + 1, s.seconds, (long long)s.steps, s.branches, s.score,
               s.turning * 57.29577951308232, s.contacts, (unsigned long long)s.hash);
        if (rates) {
            printf("  holds in %d of %d disturbed futures, %.1f%% (95%%: %.1f to %.1f)\n",
                   rates[i].held, rates[i].futures, 100.0 * rates[i].held / rates[i].futures,
                   100 * rates[i].low, 100 * rates[i].high);
        }
        if (s.end != CR_END_GOAL && s.end != CR_END_BEST) {
            printf("  %s\n", shown(cr_plan_print_end(plan, i, end, sizeof end)));
        }
    }
}

int luck_tactic(const cr_model *model, int from)
{
    for (int i = from; i < cr_model_tactic_count(model); i++) {
        const cr_tactic *tactic = cr_model_tactic(model, i);
        if (tactic->draws && cr_model_body(model, tactic->body)->kind == CR_KIND_FOREIGN) {
            return i;
        }
    }
    return -1;
}

// Where foreign Tactics draw: how often the plan holds if they draw otherwise. A search that picked
// their luck takes for certain what is not.
static void print_luck(const job *j, const cr_plan *plan)
{
    const cr_robustness *r = &j->luck;
    if (r->futures == 0) {
        return;
    }
    const char *before = "luck: ";
    for (int i = 0; (i = luck_tactic(cr_plan_model(plan), i)) >= 0; i++) {
        printf("%s\"%s\"", before, shown(cr_model_tactic(cr_plan_model(plan), i)->name));
        before = ", ";
    }
    if (j->scene->def.chance == CR_CHANCE_PLANNER) {
        printf(": the search picked what suits it, so that solution 1 is certain\noptimism: with "
               "other draws solution 1 holds");
    } else {
        printf(" may draw otherwise: solution 1 then holds");
    }
    printf(" in %d of %d futures, %.1f%% (95%%: %.1f to %.1f)\n", r->held, r->futures,
           100.0 * r->held / r->futures, 100 * r->low, 100 * r->high);
}

// The plan of what was found, or of a future that shows why nothing was: never of no step at all,
// if there is any.
static int make_plan(const job *j, cr_outcome outcome, cr_plan **plan)
{
    cr_report report = {0};
    double left = outcome == CR_OUTCOME_STOPPED ? AFTER_STOP : seconds_left(j);
    double share = j->path && !is_plan_file(j->path) ? 0.4 : 0.8; // a picture replays them again
    cr_status status =
        cr_plan_create_within(j->planner, outcome, fmax(left * share, 1e-3), plan, &report);
    bool empty =
        !*plan || (!cr_plan_solution(*plan, 0).goal && cr_plan_solution(*plan, 0).steps == 0);
    if (status == CR_OK && empty) {
        cr_plan_destroy(*plan);
        status = cr_plan_create_failed(j->planner, outcome, plan, &report);
    }
    return status == CR_OK ? -1 : report_own(status, &report);
}

// The search, if its tree is to be drawn and there is time for it; spent: what it took to replay
// the plan once.
static const cr_planner *tree_to_draw(const job *j, const cr_plan *plan, cr_outcome outcome,
                                      double spent)
{
    double steps = 1, nodes = (double)cr_planner_get_stats(j->planner).nodes;
    double left = outcome == CR_OUTCOME_STOPPED ? AFTER_STOP : seconds_left(j);
    if (!draws_tree(j)) {
        return NULL;
    }
    for (int i = 0; i < cr_plan_solution_count(plan); i++) {
        steps += (double)cr_plan_solution(plan, i).steps;
    }
    if (spent + spent / steps * nodes <= left) {
        return j->planner;
    }
    fprintf(stderr,
            "carom: the tree is left out of the page: it takes longer than there is time\n");
    return NULL;
}

// Where less than all came out of it, say so.
static int judge(const job *j, const cr_plan *plan)
{
    int found = j->counts.stats.solutions, wanted = j->scene->def.solutions;
    cr_outcome outcome = j->counts.outcome;
    if (cr_plan_left_out(plan) > 0) {
        fprintf(stderr,
                "carom: %d of %d solutions were ranked in the time there was; the others are left "
                "out\n",
                cr_plan_solution_count(plan), found);
    }
    if (outcome == CR_OUTCOME_STOPPED) {
        return interrupted("after %lld attempts; %s%s", (long long)cr_plan_attempts(plan),
                           j->path ? "what there is is in " : "with -o FILE it would be saved",
                           j->path ? shown(j->path) : "");
    }
    if (found > 0 && found < wanted) {
        fprintf(stderr, "carom: %d of %d solutions were found within the budget\n", found, wanted);
        return EXIT_PART;
    }
    bool reached = found > 0 || outcome == CR_OUTCOME_BEST;
    return !reached || cr_plan_left_out(plan) > 0 ? EXIT_PART : EXIT_DONE;
}

static void say(const job *j, const cr_plan *plan)
{
    cr_outcome outcome = j->counts.outcome;
    if (json_wanted()) {
        json_search(&j->counts, plan);
        json_luck(plan, j->scene->def.chance, &j->luck);
        json_repeat(plan, "plan", j->scene->word);
        return;
    }
    print_counts(j);
    if (!cr_plan_solution(plan, 0).goal && outcome != CR_OUTCOME_BEST) {
        printf("no plan within the budget; try another --seed, or more --nodes\n");
    }
    print_solutions(plan, j->rates);
    print_luck(j, plan);
    printf("repeat: carom plan %s%s", shown_word(j->scene->word),
           shown(cr_plan_repeat_options(plan)));
    if (j->futures > 0) {
        printf(" --robust %d", j->futures);
    }
    printf("\n");
}

// Put first what holds in most disturbed futures, where that is asked for.
static int rank_robust(job *j, cr_plan *plan)
{
    if (j->futures == 0 || !cr_plan_solution(plan, 0).goal) {
        return -1;
    }
    cr_report report = {0};
    cr_robust_def def = cr_default_robust_def();
    def.futures = j->futures;
    def.truth.seed = j->scene->def.seed;
    j->rates = calloc((size_t)cr_plan_solution_count(plan), sizeof *j->rates);
    if (!j->rates) {
        return EXIT_INTERNAL;
    }
    cr_status status = cr_plan_rank_robust(plan, &def, j->rates, &report);
    return status == CR_OK ? -1 : report_own(status, &report);
}

// What the first solution is worth against the luck of foreign bodies.
static int try_luck(job *j, const cr_plan *plan)
{
    if (luck_tactic(cr_plan_model(plan), 0) < 0 || !cr_plan_solution(plan, 0).goal) {
        return -1;
    }
    cr_report report = {0};
    cr_robust_def def = cr_luck_def();
    def.truth.seed = j->scene->def.seed;
    cr_status status = cr_plan_try(plan, 0, &def, &j->luck, &report);
    return status == CR_OK ? -1 : report_own(status, &report);
}

// What the search has come to, written and said, in this order: a reader of stdout that goes away
// early must not cost the file. Returns the exit code.
static int finish(job *j, cr_outcome outcome)
{
    cr_plan *plan = NULL;
    double begin = now_seconds();
    j->counts = search_count(j->planner, outcome);
    int code = make_plan(j, outcome, &plan);
    code = code >= 0 ? code : rank_robust(j, plan);
    code = code >= 0 ? code : try_luck(j, plan);
    if (code >= 0) {
        cr_plan_destroy(plan);
        return code;
    }
    if (j->path) {
        const cr_planner *tree = tree_to_draw(j, plan, outcome, now_seconds() - begin);
        code = plan_write(plan, tree, j->path);
    }
    say(j, plan);
    int end = judge(j, plan);
    cr_plan_destroy(plan);
    return code > EXIT_DONE ? code : end;
}

static int plan_scene(const search *asked, const search_scene *scene, const char *path,
                      int64_t futures)
{
    cr_report report = {0};
    job j = {.asked = asked, .scene = scene, .path = path, .futures = (int)futures};
    cr_status status = search_planner(scene, &j.planner, &report);
    int code = report_print(status, &report);
    code = status == CR_OK ? finish(&j, grow(&j)) : code;
    cr_planner_destroy(j.planner);
    free(j.rates);
    return code;
}

// ---------------------------------------------------------------------------------------------
// A portfolio: many seeds over all processes.

// Who won, and by what.
static void say_winner(const portfolio_def *def, const portfolio_result *r)
{
    static const char *const why[] = {"the fewest steps to a solution", "the first solution",
                                      "the best by rank"};
    bool solved = r->winner.grade == GRADE_SOLVED;
    const char *reason = solved ? why[def->by] : "no other came further";
    if (json_wanted()) {
        json_open("portfolio", JSON_OBJECT);
        json_count("first", def->seeds.first);
        json_count("last", def->seeds.last);
        json_text("by", winner_name(def->by));
        json_count("winner", (int64_t)r->winner.seed);
        json_count("processes", cluster_size());
        json_count("steps", r->steps);
        json_close();
        return;
    }
    printf("winner: seed %llu of %lld-%lld, %s\n", (unsigned long long)r->winner.seed,
           (long long)def->seeds.first, (long long)def->seeds.last, reason);
    fprintf(stderr, "%lld steps in all that ended; %d processes\n", (long long)r->steps,
            cluster_size());
}

// The winner's plan, as it came from the process that found it.
static int finish_winner(job *j, const portfolio_result *r)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(r->text, r->length, "the winner's plan", j->asked->library,
                                         &plan, &report);
    if (status != CR_OK) {
        return report_own(status, &report);
    }
    int code = try_luck(j, plan);
    if (code < 0 && j->path) {
        code = plan_write(plan, NULL, j->path);
    }
    say(j, plan);
    int end = judge(j, plan);
    cr_plan_destroy(plan);
    return code > EXIT_DONE ? code : end;
}

// The plan of the seed that won. A page shows the tree, which is in the process that grew it, and a
// seed without a plan shows why: these are searched again here.
static int plan_winner(const portfolio_def *def, const search *asked, search_scene *scene,
                       const char *path)
{
    portfolio_result result;
    int code = portfolio_run(def, asked, scene, &result);
    if (code >= 0 || !cluster_leads()) {
        free(result.text);
        return code >= 0 ? code : EXIT_DONE;
    }
    bool cut = result.code == CLUSTER_CUT;
    if (!result.any || (cut && result.length == 0)) {
        code = interrupted("no seed has a plan yet");
    } else {
        say_winner(def, &result);
        scene->def.seed = result.winner.seed;
        job j = {.asked = asked, .scene = scene, .counts = result.winner.counts, .path = path};
        bool again = result.length == 0 || (path && is_page(path));
        code = again ? plan_scene(asked, scene, path, 0) : finish_winner(&j, &result);
        code = cut ? interrupted("the winner is the best of the seeds that had ended") : code;
    }
    free(result.text);
    return code;
}

int command_plan(int argc, char **argv)
{
    search asked = {.ranks_robust = true};
    portfolio_def seeds;
    const char *output = NULL;
    int64_t futures = 0;
    option_row rows[SEARCH_OPTIONS + PORTFOLIO_OPTIONS + 2];
    int count = search_options(&asked, rows);
    count += portfolio_options(&seeds, rows + count);
    rows[count++] = (option_row){
        'o',         "output", "FILE",
        OPTION_TEXT, &output,  "write the plan to FILE: .json, or .html, .glb, .svg, .csv",
        0,           0,        NULL};
    rows[count++] = (option_row){
        0,          "robust", "N",
        OPTION_INT, &futures, "rank solutions by how many of N disturbed futures they hold in",
        0,          1e6,      NULL};
    usage how = {"carom plan SCENE [options]",
                 "Search a scene for a plan: a future that reaches the goal and breaks no rule. "
                 "SCENE is a file,\n"
                 "or the name of a scene that came with carom (`carom list scenes`). Without a "
                 "solution, FILE\n"
                 "shows the best future, or the last one that failed and why.",
                 rows,
                 count,
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    futures = search_futures(&asked, futures);
    bool many = seeds.seeds.last >= seeds.seeds.first;
    if (!many && (seeds.journal || seeds.by != WINNER_STEPS)) {
        fprintf(stderr, "carom: --winner and --journal go with --portfolio\n");
        code = EXIT_USAGE;
    } else if (many && futures > 0) {
        fprintf(stderr, "carom: --robust does not go with --portfolio\n");
        code = EXIT_USAGE;
    } else {
        code = cluster_leads() ? plan_output_try(output) : many ? -1 : EXIT_DONE;
    }
    if (code < 0) {
        code = many ? plan_winner(&seeds, &asked, &scene, output)
                    : plan_scene(&asked, &scene, output, futures);
    }
    search_end(&asked, &scene);
    return code;
}
