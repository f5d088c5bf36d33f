// Any bytes as the SRDF of a small robot. An arm that comes out has the robot's joints, rests
// within its limits and is checked for collisions.
#include <stdint.h>

#include "robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const cr_arm *arm)
{
    cr_reach_task task = {.arm = arm, .name = "fuzz"};
    cr_arm_rest(arm, task.start);
    cr_arm_rest(arm, task.goal);
    if (cr_arm_link_count(arm) != 3 || cr_arm_dof_count(arm) > 2 ||
        !cr_arm_within(arm, task.start)) {
        abort();
    }
    cr_arm_link_pose(arm, task.start, cr_arm_tip(arm));
    cr_reach_task_check(&task, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cr_arm_text source = {.urdf = robot_text,
                          .urdf_length = sizeof robot_text - 1,
                          .urdf_name = "r.urdf",
                          .srdf = (const char *)data,
                          .srdf_length = size,
                          .srdf_name = "fuzz.srdf"};
    cr_report report = {0};
    cr_arm *arm = NULL;
    cr_status status = cr_arm_parse(&source, &arm, &report);
    if ((status == CR_OK) != (arm != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (arm) {
        use(arm);
    }
    cr_arm_destroy(arm);
    return 0;
}
