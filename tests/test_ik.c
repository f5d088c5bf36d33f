// Inverse kinematics among obstacles: what is found reaches the target, keeps the limits and
// touches nothing, as the independent test of paths sees it. Targets are those of poses that are
// clear, so that there is something to find, beside shelves that are in the way of most other
// poses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/vec.h"
#include "carom/carom.h"

enum { TASKS = 12, TARGETS = 40 };

static bool is_clear(const cr_reach_task *task, const double *q)
{
    double twice[2 * CR_ARM_MAX_DOFS];
    size_t size = (size_t)cr_arm_dof_count(task->arm) * sizeof *q;
    memcpy(twice, q, size);
    memcpy(twice + cr_arm_dof_count(task->arm), q, size);
    cr_reach_task stay = *task;
    memcpy(stay.start, q, size);
    memcpy(stay.goal, q, size);
    return cr_reach_verify(&stay, twice, 2, 0.1).holds;
}

// A pose between rest and one of the task's ends or beyond, with some noise: near to the shelf.
static void draw_pose(const cr_reach_task *task, cr_rng *rng, double *q)
{
    const double *end = cr_rng_index(rng, 2) ? task->start : task->goal;
    for (int d = 0; d < cr_arm_dof_count(task->arm); d++) {
        const cr_arm_dof *dof = cr_arm_dof_at(task->arm, d);
        double value = end[d] + cr_rng_normal(rng, 0, 0.08 * (dof->high - dof->low));
        q[d] = fmin(fmax(value, dof->low), dof->high);
    }
}

static void expect_there(const cr_arm *arm, cr_pose target, const double *q)
{
    cr_pose there = cr_arm_link_pose(arm, q, cr_arm_tip(arm));
    cr_quat turn = cri_quat_mul(there.rotation, cri_quat_conj(target.rotation));
    assert_true(cr_arm_within(arm, q));
    assert_true(cri_length(cri_sub(there.position, target.position)) < 1e-9);
    assert_true(fabs(turn.w) > 1 - 1e-9);
}

static void what_is_found_is_clear(void **state)
{
    (void)state;
    cr_arm *human;
    cr_reach_tasks *tasks;
    assert_int_equal(cr_arm_create_human(&human, NULL), CR_OK);
    assert_int_equal(cr_books_create(human, 3, TASKS, &tasks, NULL), CR_OK);
    int asked = 0, found = 0;
    for (int i = 0; i < TASKS * TARGETS; i++) {
        const cr_reach_task *task = cr_reach_task_at(tasks, i / TARGETS);
        cr_rng rng = cr_rng_make(9, CR_RNG_USER, (uint64_t)i);
        double q[CR_ARM_MAX_DOFS], back[CR_ARM_MAX_DOFS];
        draw_pose(task, &rng, q);
        if (!cr_arm_within(task->arm, q) || !is_clear(task, q)) {
            continue;
        }
        asked++;
        cr_pose target = cr_arm_link_pose(task->arm, q, cr_arm_tip(task->arm));
        if (cr_arm_solve(task, target, (uint64_t)i, back) == CR_IK_FOUND) {
            found++;
            expect_there(task->arm, target, back);
            assert_true(is_clear(task, back));
        }
    }
    // Most of the targets are found again.
    print_message("%d of %d targets\n", found, asked);
    assert_true(asked > 50 && found > asked / 2);
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(human);
}

// Nothing in the way: all that an arm reaches, behind its back and above its head too, it reaches
// again.
static void all_that_is_reached_is_found(void **state)
{
    (void)state;
    cr_arm *human;
    assert_int_equal(cr_arm_create_human(&human, NULL), CR_OK);
    cr_reach_task task = {.name = "free", .arm = human};
    int asked = 0, found = 0;
    for (int i = 0; i < 2000; i++) {
        cr_rng rng = cr_rng_make(10, CR_RNG_USER, (uint64_t)i);
        double q[CR_ARM_MAX_DOFS], back[CR_ARM_MAX_DOFS];
        for (int d = 0; d < cr_arm_dof_count(human); d++) {
            const cr_arm_dof *dof = cr_arm_dof_at(human, d);
            q[d] = cr_rng_uniform(&rng, dof->low, dof->high);
        }
        if (!cr_arm_within(human, q) || !is_clear(&task, q)) {
            continue;
        }
        asked++;
        cr_pose target = cr_arm_link_pose(human, q, cr_arm_tip(human));
        if (cr_arm_solve(&task, target, (uint64_t)i, back) == CR_IK_FOUND) {
            found++;
            expect_there(human, target, back);
            assert_true(is_clear(&task, back));
        }
    }
    print_message("%d of %d targets\n", found, asked);
    assert_true(asked > 200 && found > asked * 9 / 10);
    cr_arm_destroy(human);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_is_clear),
        cmocka_unit_test(all_that_is_reached_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
