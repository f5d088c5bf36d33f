#include "reach/variant.h"

#include <string.h>

#include "base/vec.h"

cr_arm *cri_arm_copy(const cr_arm *arm, cri_arena *arena)
{
    cr_arm *copy = cri_arena_alloc(arena, 1, sizeof *copy);
    if (copy) {
        memcpy(copy, arm, sizeof *copy);
        copy->arena = (cri_arena){0};
    }
    return copy;
}

// Frame 0 stays in the world's origin; what hangs on it moves.
void cri_arm_stand(cr_arm *arm, cr_pose base)
{
    for (int i = 1; i < arm->frame_count; i++) {
        if (arm->frames[i].parent == 0) {
            arm->frames[i].rest = cri_pose_mul(base, arm->frames[i].rest);
        }
    }
    for (int i = 0; i < arm->solid_count; i++) {
        if (arm->links[arm->solids[i].link].frame == 0) {
            arm->solids[i].pose = cri_pose_mul(base, arm->solids[i].pose);
        }
    }
    for (int i = 0; i < arm->link_count; i++) {
        if (arm->links[i].frame == 0) {
            arm->links[i].pose = cri_pose_mul(base, arm->links[i].pose);
        }
    }
}

void cri_arm_hold(cr_arm *arm, int dof, double value)
{
    arm->dofs[dof].low = arm->dofs[dof].high = arm->rest[dof] = value;
}

static cri_reach_solid make_shell(cri_reach_solid solid, double scale, double padding)
{
    solid.shell = true;
    switch (solid.kind) {
    case CRI_REACH_SOLID_BALL:
        solid.radius = scale * solid.radius + padding;
        break;
    case CRI_REACH_SOLID_CAPSULE:
        solid.radius = scale * solid.radius + padding;
        solid.half.z = scale * solid.half.z;
        break;
    case CRI_REACH_SOLID_BOX:
        solid.half = cri_add(cri_scale(scale, solid.half), cri_vec3(padding, padding, padding));
        break;
    case CRI_REACH_SOLID_CYLINDER:
        solid.radius = scale * solid.radius + padding;
        solid.half.z = scale * solid.half.z + padding;
        break;
    }
    return solid;
}

const char *cri_arm_pad(cr_arm *arm, int link, double scale, double padding)
{
    int count = arm->solid_count;
    for (int i = 0; i < count; i++) {
        const cri_reach_solid *solid = &arm->solids[i];
        if (solid->link != link || solid->shell) {
            continue;
        }
        if (solid->bounds && scale != 1) {
            return "meshes cannot be scaled";
        }
        if (arm->solid_count == CRI_ARM_MAX_SOLIDS) {
            return "there is no room for padding";
        }
        arm->solids[arm->solid_count++] = make_shell(*solid, scale, padding);
    }
    return NULL;
}
