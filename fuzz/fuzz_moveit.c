// Any bytes as a MoveIt scene, and what follows a zero byte as its request, for a small arm.
#include <stdint.h>

#include "reach/moveit.h"
#include "robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t length = strnlen(text, size);
    cri_moveit_text scene = {text, length, "scene.yaml"}, request = {NULL, 0, "request.yaml"};
    if (length < size) {
        request.text = text + length + 1;
        request.length = size - length - 1;
    }
    const cr_arm *arm = robot();
    cr_report report = {0};
    cr_reach_tasks *tasks = NULL;
    cr_status status = cri_moveit_parse(arm, scene, request, &tasks, &report);
    if ((status == CR_OK) != (tasks != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (tasks) {
        cr_reach_task_check(cr_reach_task_at(tasks, 0), NULL);
    }
    cr_reach_tasks_destroy(tasks);
    return 0;
}
