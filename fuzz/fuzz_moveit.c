// Any bytes as a MoveIt scene, and what follows a zero byte as its request, for a small arm.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "reach/moveit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char robot[] =
    "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='0.1'/>"
    "</geometry></collision></link><link name='c'><collision><geometry><box size='0.1 0.2 0.3'/>"
    "</geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
    "<limit lower='-2' upper='2'/></joint>"
    "<joint name='push' type='prismatic'><parent link='b'/><child link='c'/>"
    "<origin xyz='0.5 0 0'/><limit lower='0' upper='0.4'/></joint></robot>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t length = strnlen(text, size);
    cri_moveit_text scene = {text, length, "scene.yaml"}, request = {NULL, 0, "request.yaml"};
    if (length < size) {
        request.text = text + length + 1;
        request.length = size - length - 1;
    }
    cr_arm *arm = NULL;
    cr_arm_text source = {.urdf = robot, .urdf_length = sizeof robot - 1, .urdf_name = "r.urdf"};
    cr_report report = {0};
    cr_reach_tasks *tasks = NULL;
    if (cr_arm_parse(&source, &arm, NULL) != CR_OK) {
        abort();
    }
    cr_status status = cri_moveit_parse(arm, scene, request, &tasks, &report);
    if ((status == CR_OK) != (tasks != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (tasks) {
        cr_reach_task_check(cr_reach_task_at(tasks, 0), NULL);
    }
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
    return 0;
}
