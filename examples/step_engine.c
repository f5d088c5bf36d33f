// Step an engine by hand: two balls on a floor, one is kicked at the other. A step is a pure
// function, so a future that is not liked is forgotten by keeping the state before it.
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "materials: {m: {friction: 0.2, restitution: 0.8}}\n"
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: m}\n"
    "  cue:   {kind: controlled, shape: {sphere: 0.03}, mass: 0.2, material: m, at: [0, 0]}\n"
    "  ball:  {kind: passive, shape: {sphere: 0.03}, mass: 0.2, material: m, at: [0.5, 0]}\n";

// Kick the cue ball at that speed and look a second ahead; returns how far the other ball gets.
static double look_ahead(cr_engine *engine, const cr_model *model, double speed)
{
    int cue = cr_model_find_body(model, "cue"), ball = cr_model_find_body(model, "ball");
    const cr_body *body = cr_model_body(model, cue);
    cr_state *state = cr_state_create(model); // the start
    cr_action *actions = calloc((size_t)cr_model_moving_count(model), sizeof *actions);
    cr_contact *contacts = calloc((size_t)cr_model_contact_max(model), sizeof *contacts);
    bool alive = state && actions && contacts;
    for (int i = 0; i < 60 && alive; i++) {
        memset(actions, 0, (size_t)cr_model_moving_count(model) * sizeof *actions);
        if (i == 0) {
            actions[body->slot].impulse.x = body->mass * speed;
        }
        cr_step step = {.from = state, .actions = actions, .to = state, .contacts = contacts};
        cr_engine_step(engine, &step, 1);
        alive = step.alive;
        for (int c = 0; c < step.contact_count; c++) {
            if (contacts[c].a == cue && contacts[c].b == ball) {
                printf("  hit at %.3f s, %.3f N s\n", cr_state_time(model, state),
                       contacts[c].impulse);
            }
        }
    }
    double x = alive ? cr_state_pose(model, state, ball).position.x : 0;
    free(contacts);
    free(actions);
    free(state);
    return x;
}

int main(void)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_engine *engine = NULL;
    double far = 0;
    if (cr_scene_read_text(text, strlen(text), "balls", &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK &&
        cr_engine_create(model, "ode", &engine, &report) == CR_OK) {
        for (double speed = 1; speed <= 3; speed++) { // three futures from one start
            far = look_ahead(engine, model, speed);
            printf("kicked at %g m/s, the ball is at %.3f m\n", speed, far);
        }
    }
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", report.errors[i].message);
    }
    cr_engine_destroy(engine);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return far > 0.5 ? 0 : 1;
}
