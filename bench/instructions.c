// A fixed number of steps of one course by the lanes engine, for instructions.sh. Not a test.
//     build/bench/bench_instructions COURSE BATCHES [WORLDS A BATCH]
#include <stdio.h>

#include "courses.h"

enum { BATCH = 8 };

static void run(const cr_model *model, int batches, int worlds)
{
    cr_step steps[BATCH];
    cr_action *actions = calloc((size_t)model->moving_count, sizeof *actions);
    void *engine;
    assert_int_equal(cri_engine_lanes.create(model, &engine, NULL), CR_OK);
    for (int i = 0; i < BATCH; i++) {
        cr_state *state = cr_state_create(model);
        assert_true(state && actions);
        steps[i] = (cr_step){.from = state, .to = state, .actions = actions};
        begin_episode(model, state, i);
    }
    for (int k = 0; k < batches; k++) {
        for (int slot = 0; slot < model->moving_count; slot++) {
            if (model->bodies[model->moving[slot]].upright) {
                actions[slot].force = drive(slot, k);
            }
        }
        cri_engine_lanes.step(engine, steps, worlds);
    }
    printf("%016llx\n", (unsigned long long)cr_state_hash(model, steps[0].to));
    for (int i = 0; i < BATCH; i++) {
        free(steps[i].to);
    }
    cri_engine_lanes.destroy(engine);
    free(actions);
}

int main(int argc, char **argv)
{
    int worlds = argc > 3 ? atoi(argv[3]) : BATCH;
    for (int i = 0; argc >= 3 && worlds >= 1 && worlds <= BATCH && i < COURSE_COUNT; i++) {
        if (strcmp(argv[1], COURSES[i].name) == 0) {
            world w = world_make();
            COURSES[i].make(&w);
            world_finish(&w);
            run(&w.model, atoi(argv[2]), worlds);
            world_free(&w);
        }
    }
    return 0;
}
