// A fixed number of steps of one course by the lanes engine, for instructions.sh. Not a test.
//     build/bench/bench_instructions COURSE BATCHES [WORLDS A BATCH [own]]
// own: each world has a block of numbers, all with the model's values, so that it goes where the
// others go: what differs is what blocks cost.
#include <stdio.h>

#include "courses.h"

enum { BATCH = 8 };

static void run(const cr_model *model, int batches, int worlds, bool own)
{
    cr_numbers *blocks[BATCH] = {NULL};
    cr_step steps[BATCH];
    cr_action *actions = calloc((size_t)model->moving_count, sizeof *actions);
    void *engine;
    assert_int_equal(cri_engine_lanes.create(model, &engine, NULL), CR_OK);
    for (int i = 0; i < BATCH; i++) {
        cr_state *state = cr_state_create(model);
        assert_true(state && actions);
        if (own) {
            assert_int_equal(cr_numbers_create(model, &blocks[i], NULL), CR_OK);
        }
        steps[i] = (cr_step){.from = state, .to = state, .actions = actions, .numbers = blocks[i]};
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
        cr_numbers_destroy(blocks[i]);
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
            run(&w.model, atoi(argv[2]), worlds, argc > 4 && strcmp(argv[4], "own") == 0);
            world_free(&w);
        }
    }
    return 0;
}
