// Tasks: a list that owns them, and the check that a planner relies on.
#ifndef CRI_REACH_TASK_H
#define CRI_REACH_TASK_H

#include "reach/checker.h"

struct cr_reach_tasks {
    cri_arena arena;
    int count;
    cr_reach_task *tasks;
};

// An empty list with room for count tasks; NULL when memory runs out.
cr_reach_tasks *cri_tasks_new(int count);

// How many digits (for %.*g) it takes to print a value unlike both bounds.
int cri_digits_apart(double value, double low, double high);

// Limits and collisions of both ends. The checker is set for the task.
cr_status cri_task_valid(const cri_checker *checker, const cri_kernel *kernel,
                         const cr_reach_task *task, cr_report *report);

// Inverse kinematics with a checker that is set: candidates that touch nothing.
cr_ik cri_solve(const cri_checker *checker, cr_pose target, cr_rng *rng, double *q);

#endif
