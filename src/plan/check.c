// What a search asks of its scene beyond what a simulation does: something to look for, somebody to
// act, a start that keeps the rules, settings that fit. `carom check` and `carom plan` both come by
// here, so they refuse the same scenes. Every error is reported, not the first alone.
#include "plan/planner.h"

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "scene/evaluate.h"
#include "plan/parameters.h"
#include "scene/lookup.h"
#include "scene/scene.h"

typedef struct checker {
    const cr_model *model;
    const cr_planner_def *def;
    cr_report *report;
    cr_status status; // of the first error
} checker;

static void note(checker *c, cr_status status)
{
    c->status = c->status == CR_OK ? status : c->status;
}

// Where the scene gives a parameter its value; nowhere if the value came from elsewhere.
static cri_location parameter_place(const checker *c, const char *name, bool from_scene)
{
    const cr_scene *scene = c->model->scene;
    bool given = from_scene && !cri_scene_setting(scene, name);
    return given ? cri_scene_location(scene, "plan", name) : (cri_location){0};
}

static void check_def(checker *c)
{
    note(c, cri_planner_def_check(c->def, c->model->library, c->report));
}

static void check_purpose(checker *c)
{
    const cr_model *model = c->model;
    if (!model->has_goal && !model->has_score) {
        note(c, cri_fail(c->report, CR_ERR_NAME, cri_scene_location(model->scene, "goal", NULL),
                         "a search needs a \"goal:\" or a \"score:\"; `carom simulate` runs a "
                         "scene that has neither"));
    }
    if (model->tactic_count == 0) {
        note(c, cri_fail(c->report, CR_ERR_NAME, cri_scene_location(model->scene, "tactics", NULL),
                         "a search needs somebody to act: one of \"tactics:\" at least; `carom "
                         "simulate` runs a scene that has none"));
    }
}

// Without a sample, rrt takes any decision for as near as any other.
static void check_sample(checker *c)
{
    const cr_planner_def *def = c->def;
    const cr_select_type *type =
        def->select ? cri_find_select(c->model->library, def->select, NULL) : NULL;
    if (type && type->samples && !c->model->sampling.present) {
        bool from_scene = strcmp(def->select, c->model->def.select) == 0;
        cri_warn(c->report, parameter_place(c, "select", from_scene),
                 "select %s without a \"sample:\" in the scene chooses like uniform", type->name);
    }
}

// A plan in which a foreign Tactic draws holds for some of its draws only: nobody should get that
// without knowing.
static void check_chance(checker *c)
{
    const cr_model *model = c->model;
    const cr_scene *scene = model->scene;
    bool said = cri_scene_setting(scene, "chance") || cri_scene_has(scene, "plan", "chance");
    for (int i = 0; i < model->tactic_count && !said; i++) {
        const cr_tactic *tactic = &model->tactics[i].info;
        if (tactic->draws && model->bodies[tactic->body].kind == CR_KIND_FOREIGN &&
            model->tactics[i].member == 0) {
            cri_warn(
                c->report, cri_scene_location(scene, "tactics", model->tactics[i].entry),
                "tactic \"%s\" of the foreign body \"%s\" draws, so that a plan holds for some "
                "of its draws only; say \"chance: nature\" if that is meant, or \"chance: "
                "planner\" if the search may pick its luck",
                tactic->name, model->bodies[tactic->body].name);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Time.

int64_t cri_horizon_steps(const cr_model *model, const cr_planner_def *def)
{
    return (int64_t)(def->horizon / model->dt + 0.5);
}

// The least time at which a condition may hold, as far as `after` and `stays` say so.
static double earliest(const cr_model *model, const cri_condition *condition)
{
    double time = condition->op == CRI_CONDITION_ANY ? HUGE_VAL : 0;
    switch (condition->op) {
    case CRI_CONDITION_ALL:
        for (int i = 0; i < condition->child_count; i++) {
            time = fmax(time, earliest(model, &condition->children[i]));
        }
        return time;
    case CRI_CONDITION_ANY:
        for (int i = 0; i < condition->child_count; i++) {
            time = fmin(time, earliest(model, &condition->children[i]));
        }
        return time;
    case CRI_CONDITION_ONCE:
    case CRI_CONDITION_TIMES:
        return earliest(model, &condition->children[0]);
    case CRI_CONDITION_STAYS:
        return earliest(model, &condition->children[0]) +
               (double)(condition->limit - 1) * model->dt;
    case CRI_CONDITION_COUNT:
    case CRI_CONDITION_NOT:
    case CRI_CONDITION_SKILL:
        return 0;
    case CRI_CONDITION_TYPE:
        break;
    }
    bool after = strcmp(condition->type->name, "after") == 0;
    return after ? condition->values[0].number.a : 0;
}

static void check_horizon(checker *c)
{
    const cr_model *model = c->model;
    double horizon = c->def->horizon;
    if (cri_horizon_steps(model, c->def) < 1) {
        note(c, cri_fail(c->report, CR_ERR_RANGE,
                         parameter_place(c, "horizon", horizon == model->def.horizon),
                         "horizon must be at least a step of %g s, got %g s", model->dt, horizon));
    }
}

static void check_goal(checker *c)
{
    const cr_model *model = c->model;
    double wait = model->has_goal ? earliest(model, &model->goal) : 0;
    if (wait > c->def->horizon + model->dt / 2) {
        note(c, cri_fail(c->report, CR_ERR_RANGE, cri_scene_location(model->scene, "goal", NULL),
                         "the goal cannot be reached before %g s, and the horizon is %g s", wait,
                         c->def->horizon));
    }
}

// ---------------------------------------------------------------------------------------------

cr_status cri_check_rules(const cr_model *model, const cr_state *root, cr_report *report)
{
    cr_status status = CR_OK;
    const cr_state *state = root ? root : (const cr_state *)(const void *)model->start_state;
    for (int i = 0; i < model->rule_count; i++) {
        const cri_rule *rule = &model->rules[i];
        if (cri_rule_is_broken(model, rule, state)) {
            cri_location place = {cr_scene_path(model->scene), rule->line, rule->column};
            status = cri_fail(report, CR_ERR_RANGE, place, "the %s breaks the rule %s",
                              root ? "root" : "start", rule->text);
        }
    }
    return status;
}

cr_status cri_planner_check(const cr_model *model, const cr_planner_def *def, cr_report *report)
{
    checker c = {.model = model, .def = def, .report = report};
    check_def(&c);
    check_horizon(&c);
    note(&c, cri_check_rules(model, NULL, report));
    return c.status;
}

cr_status cr_planner_check(const cr_model *model, const cr_planner_def *def, cr_report *report)
{
    checker c = {.model = model, .def = def, .report = report};
    note(&c, cri_planner_check(model, def, report));
    check_purpose(&c);
    check_goal(&c);
    check_sample(&c);
    check_chance(&c);
    return c.status;
}
