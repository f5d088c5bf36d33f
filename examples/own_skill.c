// A Skill and a condition of one's own, used by a scene: a body that hops until it is high enough.
// docs/adding.md walks through it.
#include <carom/carom.h>

#include <stdio.h>

enum { HOP_AFTER, HOP_SPEED };
static const cr_param hop_params[] = {
    {"after", CR_PARAM_NUMBER, "s", 0, 60, NULL, "how long to wait"}, // NULL: must be given
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 10, "2", "speed of the jump"},
};

static cr_skill_result hop(const cr_skill_call *call)
{
    double now = cr_state_time(call->model, call->state);
    if (call->entered) {
        call->variables[0] = now;
    }
    if (now - call->variables[0] < cr_skill_number(call, HOP_AFTER)) {
        return CR_SKILL_IS_BUSY; // called again next step, with the same draws
    }
    double mass = cr_model_body(call->model, call->body)->mass;
    cr_skill_action(call, call->body)->impulse.z = mass * cr_skill_number(call, HOP_SPEED);
    return CR_SKILL_IS_DONE; // the Tactic moves on
}

static const cr_skill_type hop_type = {.name = "hop",
                                       .about = "wait, then jump",
                                       .param_count = 2,
                                       .params = hop_params,
                                       .variables = 1,
                                       .act = hop};

static const cr_param above_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "which"},
    {"height", CR_PARAM_NUMBER, "m", -100, 100, NULL, "above this"},
};

static bool above(const cr_condition_call *call)
{
    cr_pose pose = cr_state_pose(call->model, call->state, cr_condition_body(call, 0));
    return pose.position.z > cr_condition_number(call, 1);
}

static const cr_condition_type above_type = {
    "above", "a body is high up", 2, above_params, above, false, true, NULL};

static const char text[] =
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
    "  frog:  {kind: controlled, shape: {sphere: 0.05}, mass: 0.1, at: [0, 0]}\n"
    "tactics:\n"
    "  frog: {controls: frog, skills: {jump: {do: hop, after: 0.1, speed: {uniform: [1, 4]}}}}\n"
    "goal: {above: [frog, 0.6]}\n";

int main(void)
{
    cr_library *library = cr_library_create(); // the built-in ones are in it
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_report report = {0};
    cr_outcome outcome = CR_OUTCOME_GROWING;
    if (library && cr_library_add_skill(library, &hop_type, &report) == CR_OK &&
        cr_library_add_condition(library, &above_type, &report) == CR_OK &&
        cr_scene_read_text(text, sizeof text - 1, "hop", &scene, &report) == CR_OK &&
        cr_model_create(scene, library, 0, &model, &report) == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        if (cr_planner_create(model, &def, &planner, &report) == CR_OK) {
            outcome = cr_planner_grow(planner, NULL);
        }
    }
    printf("%s%s\n", cr_outcome_name(outcome), report.errors[0].message);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    cr_library_destroy(library); // after those who use it
    return outcome != CR_OUTCOME_SOLVED;
}
