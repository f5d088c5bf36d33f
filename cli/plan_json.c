// What `plan`, `simulate` and `replay` print, as JSON. Keys that plan files have too mean the same.
#include "terminal/json.h"
#include "search.h"

// Why a world blew up, and through which body.
static void json_fault(const char *key, const cr_model *model, cr_fault fault, int body)
{
    json_open(key, JSON_OBJECT);
    json_text("why", cr_fault_name(fault));
    if (body >= 0) {
        json_text("body", cr_model_body(model, body)->name);
    }
    json_close();
}

void json_solution(const cr_plan *plan, int solution)
{
    char end[400];
    cr_solution s = cr_plan_solution(plan, solution);
    json_flag("goal", s.goal);
    json_text("ended_by", cr_end_name(s.end));
    json_text("says", cr_plan_print_end(plan, solution, end, sizeof end));
    if (s.rule) {
        json_open("broken", JSON_OBJECT);
        json_count("step", s.broken_step);
        json_text("rule", s.rule);
        json_close();
    }
    if (s.end == CR_END_ENGINE && s.fault != CR_FAULT_NONE) {
        json_fault("blown", cr_plan_model(plan), s.fault, s.fault_body);
    }
    json_count("steps", s.steps);
    json_number("seconds", s.seconds);
    json_number("score", s.score);
    json_number("turning", s.turning);
    json_count("contacts", s.contacts);
    json_count("branches", s.branches);
    json_hash("hash", s.hash);
}

void json_repeat(const cr_plan *plan, const char *verb, const char *word)
{
    char line[4096];
    snprintf(line, sizeof line, "carom %s %s%s", verb, shown_word(word),
             cr_plan_repeat_options(plan));
    json_text("repeat", line);
}

static void json_counts(const search_counts *counts, const cr_model *model)
{
    cr_planner_stats s = counts->stats;
    json_count("nodes", s.nodes);
    json_count("steps", s.steps);
    json_count("attempts", s.attempts);
    json_number("seconds", s.seconds);
    json_open("branches", JSON_OBJECT);
    json_count("kept", counts->branches);
    json_count("ended", s.ended);
    json_count("broke_rule", s.dead_rule);
    json_count("blew_up", s.dead_engine);
    json_close();
    if (s.fault != CR_FAULT_NONE) {
        json_fault("blown", model, s.fault, s.fault_body);
    }
    json_hash("tree", s.tree_hash);
}

void json_search(const search_counts *counts, const cr_plan *plan)
{
    json_text("scene", cr_scene_name(cr_model_scene(cr_plan_model(plan))));
    json_text("outcome", cr_outcome_name(cr_plan_outcome(plan)));
    json_counts(counts, cr_plan_model(plan));
    json_count("found", counts->stats.solutions);
    json_count("left_out", cr_plan_left_out(plan));
    json_open("solutions", JSON_LIST);
    for (int i = 0; i < cr_plan_solution_count(plan); i++) {
        json_open(NULL, JSON_OBJECT);
        json_solution(plan, i);
        json_close();
    }
    json_close();
}

void json_luck(const cr_plan *plan, cr_chance chance, const cr_robustness *luck)
{
    const cr_model *model = cr_plan_model(plan);
    if (luck->futures == 0) {
        return;
    }
    json_open("luck", JSON_OBJECT);
    json_text("picked_by", chance == CR_CHANCE_PLANNER ? "planner" : "nature");
    json_open("tactics", JSON_LIST);
    for (int i = 0; (i = luck_tactic(model, i)) >= 0; i++) {
        json_text(NULL, cr_model_tactic(model, i)->name);
    }
    json_close();
    json_count("futures", luck->futures);
    json_count("held", luck->held);
    json_number("low", luck->low);
    json_number("high", luck->high);
    json_close();
}
