// Any bytes as a scene: read, compile, and if that works, evaluate
// everything once. What breaks here breaks for a stranger's file.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "scene/evaluate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Everything that a model offers without stepping it.
static void use(const cr_model *model)
{
    cr_state *state = cr_state_create(model);
    if (!state) {
        return;
    }
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    cr_sample sample = cri_draw_sample(model, &rng);
    double score = cri_score_of(model, state);
    if (isnan(score) || isnan(sample.place.x)) {
        abort();
    }
    cri_goal_reached(model, state);
    cri_broken_rule(model, state);
    for (int t = 0; t < model->tactic_count; t++) {
        double *drawn = calloc((size_t)model->tactics[t].variable_count + 1, sizeof *drawn);
        for (int s = 0; drawn && s < model->tactics[t].info.skill_count; s++) {
            cri_draw_values(model, &model->tactics[t].skills[s], state, &sample, &rng, drawn);
        }
        free(drawn);
    }
    const cr_body_state *bodies = cr_state_bodies_const(model, state);
    for (int i = 0; i < cr_model_moving_count(model); i++) {
        if (!isfinite(bodies[i].position.z) || !isfinite(cr_state_heading(model, state, 0))) {
            abort();
        }
    }
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_status status = cr_scene_read_text((const char *)data, size, "fuzz.yaml", &scene, &report);
    for (int start = 0; status == CR_OK && start < 2; start++) {
        cr_model *model = NULL;
        cr_status made = cr_model_create(scene, NULL, start, &model, &report);
        if ((made == CR_OK) != (model != NULL) || (made != CR_OK && report.count == 0)) {
            abort();
        }
        if (model) {
            use(model);
        }
        cr_model_destroy(model);
    }
    if ((status == CR_OK) != (scene != NULL)) {
        abort();
    }
    cr_scene_destroy(scene);
    return 0;
}
