#include "reach/task.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

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

static cr_status outside_limits(const cr_arm *arm, const char *end, const double *q,
                                cr_report *report)
{
    for (int i = 0; i < arm->dof_count; i++) {
        const cr_arm_dof *dof = &arm->dofs[i];
        if (!(q[i] >= dof->low && q[i] <= dof->high)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                            "the %s is out of limits: joint \"%s\" must be from %g to %g, got %g",
                            end, dof->name, dof->low, dof->high, q[i]);
        }
    }
    return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                    "the %s is out of limits: a swing leaves its ellipse", end);
}

static const char *group_name(const cri_checker *checker, int group)
{
    return group >= checker->arm_groups ? "held object"
                                        : checker->arm->links[checker->groups[group].link].name;
}

static cr_status in_collision(const cri_checker *checker, const cr_reach_task *task,
                              const char *end, cri_touch touch, cr_report *report)
{
    const char *other = touch.wall >= 0 ? task->obstacles[checker->walls[touch.wall].obstacle].name
                                        : group_name(checker, touch.other);
    return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                    "the %s is in collision: \"%s\" touches \"%s\"", end,
                    group_name(checker, touch.group), other);
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
    cri_touch touch;
    return kernel->clear(checker, values, &touch)
               ? CR_OK
               : in_collision(checker, task, name, touch, report);
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
