// Any bytes as a URDF, and what follows a zero byte as its SRDF. An arm that comes out must move
// and be checked for collisions.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const cr_arm *arm)
{
    cr_reach_task task = {.arm = arm, .name = "fuzz"};
    cr_arm_rest(arm, task.start);
    cr_arm_rest(arm, task.goal);
    for (int link = 0; link < cr_arm_link_count(arm); link++) {
        cr_pose pose = cr_arm_link_pose(arm, task.start, link);
        if (!isfinite(pose.position.x) || !isfinite(pose.rotation.w)) {
            abort();
        }
    }
    if (!cr_arm_within(arm, task.start)) {
        abort();
    }
    cr_reach_task_check(&task, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t length = strnlen(text, size);
    cr_arm_text source = {
        .urdf = text, .urdf_length = length, .urdf_name = "fuzz.urdf", .srdf_name = "fuzz.srdf"};
    if (length < size) {
        source.srdf = text + length + 1;
        source.srdf_length = size - length - 1;
    }
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
