// Any bytes as a plan: read it, and if that works, ask for everything in it and replay the
// beginning of each solution. A plan that is read may still fail to replay, but only with a
// message.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

enum {
    STEPS_MAX = 40, // of a replay: engines are slow under sanitizers
    BODIES_MAX = 40,
    SOLUTIONS_MAX = 3,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count_steps(const cr_replay_step *step, void *context)
{
    int *left = context;
    if (step->contact_count > cr_model_contact_max(step->model)) {
        abort();
    }
    return --*left > 0;
}

static void use(const cr_plan *plan)
{
    const cr_model *model = cr_plan_model(plan);
    if (!model || !cr_plan_repeat(plan) || cr_plan_attempts(plan) < 0 ||
        cr_plan_solution_count(plan) < 1) {
        abort();
    }
    for (int i = 0; i < cr_plan_solution_count(plan) && i < SOLUTIONS_MAX; i++) {
        cr_report report = {0};
        int left = STEPS_MAX;
        if (cr_model_body_count(model) <= BODIES_MAX && cr_model_substeps(model) <= 8 &&
            cr_plan_replay(plan, i, count_steps, &left, &report) != CR_OK && report.count == 0) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status =
        cr_plan_read_text((const char *)data, size, "fuzz.json", NULL, &plan, &report);
    if ((status == CR_OK) != (plan != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (plan) {
        use(plan);
    }
    cr_plan_destroy(plan);
    return 0;
}
