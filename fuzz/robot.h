// A small arm of two joints, for what is read beside a robot.
#ifndef FUZZ_ROBOT_H
#define FUZZ_ROBOT_H

#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

static const char robot_text[] =
    "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='0.1'/>"
    "</geometry></collision></link><link name='c'><collision><geometry><box size='0.1 0.2 0.3'/>"
    "</geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
    "<limit lower='-2' upper='2'/></joint>"
    "<joint name='push' type='prismatic'><parent link='b'/><child link='c'/>"
    "<origin xyz='0.5 0 0'/><limit lower='0' upper='0.4'/></joint></robot>";

// The arm of that text, made once: nothing changes an arm.
static inline const cr_arm *robot(void)
{
    static cr_arm *arm;
    cr_arm_text source = {
        .urdf = robot_text, .urdf_length = sizeof robot_text - 1, .urdf_name = "r.urdf"};
    if (!arm && cr_arm_parse(&source, &arm, NULL) != CR_OK) {
        abort();
    }
    return arm;
}

#endif
