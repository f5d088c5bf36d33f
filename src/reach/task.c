#include "reach/task.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

cr_reach_tasks *cri_tasks_new(int count)
{
    cr_reach_tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks) {
        return NULL;
    }
    tasks->tasks = cri_arena_alloc(&tasks->arena, (size_t)count, sizeof *tasks->tasks);
    if (!tasks->tasks) {
        free(tasks);
        return NULL;
    }
    return tasks;
}

void cr_reach_tasks_destroy(cr_reach_tasks *tasks)
{
    if (tasks) {
        cri_arena_free(&tasks->arena);
        free(tasks);
    }
}

int cr_reach_task_count(const cr_reach_tasks *tasks)
{
    return tasks->count;
}

const cr_reach_task *cr_reach_task_at(const cr_reach_tasks *tasks, int index)
{
    assert(index >= 0 && index < tasks->count);
    return &tasks->tasks[index];
}

int cri_digits_apart(double value, double low, double high)
{
    char a[40], b[40], c[40];
    int digits = 6;
    for (; digits < 17; digits++) {
        cri_format(a, sizeof a, "%.*g", digits, value);
        cri_format(b, sizeof b, "%.*g", digits, low);
        cri_format(c, sizeof c, "%.*g", digits, high);
        if (strcmp(a, b) != 0 && strcmp(a, c) != 0) {
            break;
        }
    }
    return digits;
}

static cr_status outside_limits(const cr_arm *arm, const char *end, const double *q,
                                cr_report *report)
{
    for (int i = 0; i < arm->dof_count; i++) {
        const cr_arm_dof *dof = &arm->dofs[i];
        if (!(q[i] >= dof->low && q[i] <= dof->high)) {
            int digits = cri_digits_apart(q[i], dof->low, dof->high);
            return cri_fail(
                report, CR_ERR_RANGE, (cri_location){0},
                "the %s is out of limits: joint \"%s\" must be from %.*g to %.*g, got %.*g", end,
                dof->name, digits, dof->low, digits, dof->high, digits, q[i]);
        }
    }
    return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                    "the %s is out of limits: a swing leaves its ellipse", end);
}

static const char *group_name(const cri_checker *checker, int group)
{
    return group >= checker->arm_groups ? "held object"
                                        : checker->arm->links[checker->groups[group].link].name;
}

// ---------------------------------------------------------------------------------------------
// Links that touch each other.

// A checker that looks at one pair of links at a time.
typedef struct pair_test {
    cri_checker *checker; // without walls, with one pair
    const cri_kernel *kernel;
} pair_test;

static bool pair_touches(const pair_test *t, cri_reach_pair pair, const double *q)
{
    float values[CR_ARM_MAX_DOFS];
    for (int d = 0; d < t->checker->dof_count; d++) {
        values[d] = (float)q[d];
    }
    cri_reach_touch touch;
    t->checker->pairs[0] = pair;
    return !t->kernel->clear(t->checker, values, &touch);
}

// True if no random pose parts the two: such a pair has to be allowed, for no arm could move.
static bool always_touches(const pair_test *t, cri_reach_pair pair)
{
    enum { POSES = 500 };
    cr_rng rng = cr_rng_make(0, CR_RNG_USER, 0);
    for (int i = 0; i < POSES; i++) {
        double q[CR_ARM_MAX_DOFS];
        for (int d = 0; d < t->checker->dof_count; d++) {
            const cr_arm_dof *dof = &t->checker->arm->dofs[d];
            q[d] = cr_rng_uniform(&rng, dof->low, dof->high);
        }
        if (!pair_touches(t, pair, q)) {
            return false;
        }
    }
    return true;
}

// The names of all pairs that touch at q and in every other pose, as far as there is room.
static void list_always(const cri_checker *checker, const pair_test *t, const double *q, char *text,
                        size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = checker->pair_count - 1; i >= 0 && length < size; i--) {
        cri_reach_pair pair = checker->pairs[i];
        if (pair_touches(t, pair, q) && always_touches(t, pair)) {
            length += (size_t)snprintf(text + length, size - length, "%s\"%s\" and \"%s\"",
                                       length ? ", " : "", group_name(checker, pair.b),
                                       group_name(checker, pair.a));
        }
    }
}

static cr_status links_touch(const cri_checker *checker, const cri_kernel *kernel, const double *q,
                             const char *end, cri_reach_touch touch, cr_report *report)
{
    char always[240] = "";
    cri_checker *single = malloc(sizeof *single);
    if (single) {
        *single = *checker;
        single->wall_count = single->wall_stride = 0;
        single->pair_count = 1;
        list_always(checker, &(pair_test){single, kernel}, q, always, sizeof always);
        free(single);
    }
    return cri_fail(
        report, CR_ERR_RANGE, (cri_location){0},
        "the %s is in collision: links \"%s\" and \"%s\" touch%s%s", end,
        group_name(checker, touch.group), group_name(checker, touch.other),
        *always ? "; these touch in every pose and should be disabled in the SRDF: " : "", always);
}

static cr_status in_collision(const cri_checker *checker, const cr_reach_task *task,
                              const char *end, cri_reach_touch touch, cr_report *report)
{
    return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                    "the %s is in collision: \"%s\" touches \"%s\"", end,
                    group_name(checker, touch.group),
                    task->obstacles[checker->walls[touch.wall].obstacle].name);
}

static cr_status check_end(const cri_checker *checker, const cri_kernel *kernel,
                           const cr_reach_task *task, bool goal, cr_report *report)
{
    const char *name = goal ? "goal" : "start";
    const double *q = goal ? task->goal : task->start;
    if (!cr_arm_within(task->arm, q)) {
        return outside_limits(task->arm, name, q, report);
    }
    float values[CR_ARM_MAX_DOFS];
    for (int d = 0; d < task->arm->dof_count; d++) {
        values[d] = (float)q[d];
    }
    cri_reach_touch touch;
    if (kernel->clear(checker, values, &touch)) {
        return CR_OK;
    }
    return touch.wall >= 0 ? in_collision(checker, task, name, touch, report)
                           : links_touch(checker, kernel, q, name, touch, report);
}

cr_status cri_task_valid(const cri_checker *checker, const cri_kernel *kernel,
                         const cr_reach_task *task, cr_report *report)
{
    cr_status start = check_end(checker, kernel, task, false, report);
    cr_status goal = check_end(checker, kernel, task, true, report);
    return start != CR_OK ? start : goal;
}

// The checker is too large for the stack of a thread.
cr_status cr_reach_task_check(const cr_reach_task *task, cr_report *report)
{
    cri_checker *checker = calloc(1, sizeof *checker);
    if (!checker) {
        return cri_fail_memory(report);
    }
    cr_status status = cri_checker_set(checker, task, report);
    if (status == CR_OK) {
        status = cri_task_valid(checker, cri_kernel_best(), task, report);
    }
    cri_checker_free(checker);
    free(checker);
    return status;
}
