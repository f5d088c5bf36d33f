// Taking a plan from a search: its solutions, the better ones first, and the line that repeats it.
#include "plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "carom/extension.h"
#include "carom/vary.h"
#include "plan/planner.h"
#include "scene/evaluate.h"
#include "scene/lookup.h"
#include "plan/parameters.h"

// Compare the end of a solution with the tree's own state, where that has one.
static cr_status compare(const cr_plan *plan, const cri_tree *tree,
                         const cri_plan_solution *solution, cr_report *report)
{
    bool whole = solution->info.steps == tree->branches[solution->last].depth;
    const cr_state *state = cri_tree_state(tree, solution->last);
    if (!whole || solution->info.hash == cr_state_hash(plan->model, state)) {
        return CR_OK;
    }
    return cri_fail(report, CR_ERR_REPLAY, (cri_location){0},
                    "the solution of attempt %jd does not replay to the tree's state",
                    (intmax_t)solution->attempt);
}

// ---------------------------------------------------------------------------------------------
// The line that repeats it.

// As a shell takes it for one word: in quotes, unless it is plain.
static void add_word(cri_text *text, const char *word)
{
    static const char plain[] = "0123456789.+-_:/=abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (word[0] && !word[strspn(word, plain)]) {
        cri_text_add(text, "%s", word);
        return;
    }
    cri_text_add(text, "'");
    for (const char *c = word; *c; c++) {
        cri_text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    }
    cri_text_add(text, "'");
}

static void add_argument(cri_text *text, const char *name, const char *value)
{
    char word[600];
    snprintf(word, sizeof word, "%s=%s", name, value);
    cri_text_add(text, " --set ");
    add_word(text, word);
}

// What the scene's own parameters are, and the search's where they are not the default. A search
// that was ended by the clock or by hand is repeated by its attempts.
static void add_settings(cri_text *text, const cr_plan *plan)
{
    const cr_scene *scene = plan->model->scene;
    for (int i = 0; i < cr_scene_setting_count(scene); i++) {
        if (cri_parameter_find(cr_scene_setting_name(scene, i), NULL) < 0) {
            add_argument(text, cr_scene_setting_name(scene, i), cr_scene_setting_value(scene, i));
        }
    }
    cr_planner_def def = plan->def;
    if (plan->outcome == CR_OUTCOME_SECONDS || plan->outcome == CR_OUTCOME_STOPPED) {
        def.attempts = plan->attempts > 0 ? plan->attempts : 1; // 0 would be no limit
    }
    for (int i = 0; i < cr_parameter_count(); i++) {
        char value[64];
        cri_parameter_print(&def, i, value, sizeof value);
        const cr_parameter *row = cr_parameter_at(i);
        if (strcmp(row->name, "threads") != 0 && strcmp(value, row->fallback) != 0) {
            add_argument(text, row->name, value);
        }
    }
}

// The shared objects that it needs, as they were named.
static void add_loads(cri_text *text, const cr_library *library)
{
    for (int i = 0; i < cr_library_extension_count(library); i++) {
        const char *path = cr_library_extension_path(library, i);
        if (path) {
            cri_text_add(text, " --load ");
            add_word(text, path);
        }
    }
}

cr_status cri_plan_repeat(cr_plan *plan, const char *more)
{
    cri_text text = {0};
    add_word(&text, cr_scene_name(plan->model->scene));
    add_loads(&text, plan->model->library);
    cr_vary_def vary;
    if (cr_scene_varied(plan->model->scene, &vary)) {
        char percent[40];
        cri_format(percent, sizeof percent, "%.15g%%", 100 * vary.share);
        cri_text_add(&text, " --vary %s --vary-seed %ju", percent, (uintmax_t)vary.seed);
    }
    if (plan->model->start > 0) {
        cri_text_add(&text, " --start %d", plan->model->start);
    }
    add_settings(&text, plan);
    cri_text_add(&text, "%s", more);
    plan->repeat = text.failed ? NULL : cri_arena_text(&plan->arena, text.data, text.length);
    cri_text_free(&text);
    return plan->repeat ? CR_OK : CR_ERR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// The solutions of a search.

// What the tree knows of the ends without a replay: enough to put the best first, by score or time.
static void note_ends(cr_plan *plan, const cr_planner *planner)
{
    const cri_tree *tree = &planner->tree;
    bool best = planner->stats.solutions == 0;
    for (int i = 0; i < plan->solution_count; i++) {
        cri_plan_solution *solution = &plan->solutions[i];
        int32_t last = best ? planner->best_branch : planner->solutions[i];
        solution->last = last;
        solution->attempt = tree->branches[last].attempt;
        solution->info = (cr_solution){
            .goal = !best,
            .end = best ? CR_END_BEST : CR_END_GOAL,
            .steps = tree->branches[last].depth,
            .seconds = tree->branches[last].depth * plan->model->dt,
            .score = cri_score_of(plan->model, cri_tree_state(tree, last)),
        };
    }
    cri_rank(plan, plan->solutions, plan->solution_count);
}

static cr_status add_solution(cr_plan *plan, const cr_planner *planner, cri_plan_solution *solution,
                              cr_report *report)
{
    const cri_tree_branch *last = &planner->tree.branches[solution->last];
    bool best = solution->info.end == CR_END_BEST;
    cri_trail trail = {last->parent, last->attempt, best ? planner->best_step : last->steps};
    cr_status status = cri_plan_trace(plan, &planner->tree, &trail, solution, report);
    return status == CR_OK ? compare(plan, &planner->tree, solution, report) : status;
}

static cr_status fill(cr_plan *plan, const cr_planner *planner, double seconds, cr_report *report)
{
    double begin = cri_seconds();
    int found = planner->stats.solutions > 0 ? planner->stats.solutions : 1;
    plan->solution_count = found;
    plan->solutions = cri_arena_alloc(&plan->arena, (size_t)found, sizeof *plan->solutions);
    if (!plan->solutions || cri_plan_repeat(plan, "") != CR_OK) {
        return cri_fail_memory(report);
    }
    note_ends(plan, planner);
    cr_status status = CR_OK;
    int made = 0;
    do {
        status = add_solution(plan, planner, &plan->solutions[made++], report);
    } while (status == CR_OK && made < found && !(seconds > 0 && cri_seconds() - begin >= seconds));
    plan->solution_count = made;
    plan->left_out = found - made;
    cri_rank(plan, plan->solutions, made);
    return status;
}

cr_status cri_plan_begin(const cr_planner *planner, cr_outcome outcome, cr_plan **plan)
{
    cr_plan *p = calloc(1, sizeof *p);
    *plan = p;
    if (!p) {
        return CR_ERR_MEMORY;
    }
    p->model = planner->model;
    p->def = planner->def;
    p->outcome = outcome;
    p->nodes = planner->tree.node_count;
    p->steps = planner->stats.steps;
    p->attempts = planner->stats.attempts;
    p->tree_hash = planner->tree.hash;
    if (cri_root_create(p->model, &p->arena, &p->root) != CR_OK) {
        return CR_ERR_MEMORY;
    }
    cr_root root = cr_planner_root(planner);
    cri_root_set(p->model, &p->root, &root);
    return CR_OK;
}

cr_status cr_plan_create_within(const cr_planner *planner, cr_outcome outcome, double seconds,
                                cr_plan **plan, cr_report *report)
{
    *plan = NULL;
    if (planner->stats.solutions == 0 && planner->best_branch < 0) {
        return CR_OK;
    }
    cr_status status = cri_plan_begin(planner, outcome, plan);
    status = status == CR_OK ? fill(*plan, planner, seconds, report) : cri_fail_memory(report);
    if (status != CR_OK) {
        cr_plan_destroy(*plan);
        *plan = NULL;
    }
    return status;
}

cr_status cr_plan_create(const cr_planner *planner, cr_outcome outcome, cr_plan **plan,
                         cr_report *report)
{
    return cr_plan_create_within(planner, outcome, 0, plan, report);
}

void cr_plan_destroy(cr_plan *plan)
{
    if (plan) {
        cr_model_destroy(plan->owned);
        cri_arena_free(&plan->arena);
        free(plan);
    }
}

int cr_plan_solution_count(const cr_plan *plan)
{
    return plan->solution_count;
}

cr_solution cr_plan_solution(const cr_plan *plan, int solution)
{
    assert(solution >= 0 && solution < plan->solution_count);
    return plan->solutions[solution].info;
}

double cr_plan_worth(const cr_plan *plan, int solution)
{
    assert(solution >= 0 && solution < plan->solution_count);
    return plan->owned ? NAN : plan->solutions[solution].worth;
}

cr_root cr_plan_root(const cr_plan *plan)
{
    return cri_root_view(plan->model, &plan->root);
}

const cr_model *cr_plan_model(const cr_plan *plan)
{
    return plan->model;
}

const cr_planner_def *cr_plan_def(const cr_plan *plan)
{
    return &plan->def;
}

cr_outcome cr_plan_outcome(const cr_plan *plan)
{
    return plan->outcome;
}

int cr_plan_left_out(const cr_plan *plan)
{
    return plan->left_out;
}

int64_t cr_plan_attempts(const cr_plan *plan)
{
    return plan->attempts;
}

const char *cr_plan_repeat(const cr_plan *plan)
{
    return plan->repeat;
}

const char *cr_plan_repeat_options(const cr_plan *plan)
{
    const char *at = plan->repeat;
    for (bool quoted = false; *at && (quoted || *at != ' '); at++) {
        quoted ^= *at == '\'';
        at += !quoted && at[0] == '\\' && at[1]; // a quote by itself, between two quoted parts
    }
    return at;
}
