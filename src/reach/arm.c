#include "reach/arm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/trig.h"
#include "base/vec.h"

static const cr_pose no_motion = {{0, 0, 0}, {0, 0, 0, 1}};

cr_arm *cri_arm_new(const char *name)
{
    cr_arm *arm = calloc(1, sizeof *arm);
    if (!arm) {
        return NULL;
    }
    arm->name = cri_arena_text(&arm->arena, name, strlen(name));
    if (!arm->name) {
        free(arm);
        return NULL;
    }
    arm->frames[0] = (cri_reach_frame){.parent = -1, .rest = no_motion};
    arm->frame_count = 1;
    arm->tip = -1;
    return arm;
}

void cr_arm_destroy(cr_arm *arm)
{
    if (arm) {
        cri_arena_free(&arm->arena);
        free(arm);
    }
}

// The shortest turn that brings z to the axis.
static cr_quat turn_to(cr_vec3 axis)
{
    cr_vec3 a = cri_unit(axis, cri_vec3(0, 0, 1));
    if (a.z < -1 + 1e-12) {
        return (cr_quat){1, 0, 0, 0};
    }
    return cri_quat_unit((cr_quat){-a.y, a.x, 0, 1 + a.z});
}

static int add_frame(cr_arm *arm, const cri_link_def *def, cr_pose rest, int parent)
{
    if (arm->frame_count == CRI_ARM_MAX_FRAMES) {
        return -1;
    }
    arm->frames[arm->frame_count] = (cri_reach_frame){
        .parent = parent,
        .motion = def->motion,
        .dof = def->dof,
        .scale = def->scale,
        .offset = def->offset,
        .rest = rest,
    };
    return arm->frame_count++;
}

int cri_arm_add_link(cr_arm *arm, const cri_link_def *def)
{
    cri_link link = {.parent = def->parent, .frame = 0, .pose = def->rest};
    if (def->parent >= 0) {
        const cri_link *parent = &arm->links[def->parent];
        link.frame = parent->frame;
        link.pose = cri_pose_mul(parent->pose, def->rest);
    }
    if (def->motion != CRI_REACH_MOTION_FIXED) {
        cr_pose turn = no_motion;
        if (def->motion != CRI_REACH_MOTION_SWING) {
            turn.rotation = turn_to(def->axis);
        }
        link.frame = add_frame(arm, def, cri_pose_mul(link.pose, turn), link.frame);
        link.pose = (cr_pose){{0, 0, 0}, cri_quat_conj(turn.rotation)};
    }
    link.name = cri_arena_text(&arm->arena, def->name, strlen(def->name));
    if (link.frame < 0 || !link.name || arm->link_count == CRI_ARM_MAX_LINKS) {
        return -1;
    }
    arm->links[arm->link_count] = link;
    return arm->link_count++;
}

int cri_arm_add_solid(cr_arm *arm, cri_reach_solid solid, cr_pose in_link)
{
    if (arm->solid_count == CRI_ARM_MAX_SOLIDS) {
        return -1;
    }
    solid.pose = cri_pose_mul(arm->links[solid.link].pose, in_link);
    arm->solids[arm->solid_count] = solid;
    return arm->solid_count++;
}

int cri_arm_add_dof(cr_arm *arm, cr_arm_dof dof)
{
    dof.name = cri_arena_text(&arm->arena, dof.name, strlen(dof.name));
    if (arm->dof_count == CR_ARM_MAX_DOFS || !dof.name) {
        return -1;
    }
    arm->rest[arm->dof_count] = 0.5 * (dof.low + dof.high);
    arm->dofs[arm->dof_count] = dof;
    return arm->dof_count++;
}

bool cri_arm_add_joint(cr_arm *arm, cri_joint joint)
{
    joint.name = cri_arena_text(&arm->arena, joint.name, strlen(joint.name));
    if (arm->joint_count == CRI_ARM_MAX_LINKS || !joint.name) {
        return false;
    }
    arm->joints[arm->joint_count++] = joint;
    return true;
}

int cri_arm_find_joint(const cr_arm *arm, const char *name)
{
    for (int i = 0; i < arm->joint_count; i++) {
        if (strcmp(arm->joints[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cri_arm_find_group(const cr_arm *arm, const char *name)
{
    for (int i = 0; i < arm->group_count; i++) {
        if (strcmp(arm->groups[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void cri_arm_allow(cr_arm *arm, int a, int b)
{
    arm->allowed[a][b] = arm->allowed[b][a] = true;
}

void cri_arm_allow_neighbours(cr_arm *arm)
{
    for (int i = 0; i < arm->link_count; i++) {
        if (arm->links[i].parent >= 0) {
            cri_arm_allow(arm, i, arm->links[i].parent);
        }
    }
}

void cri_arm_seal(cr_arm *arm)
{
    uint64_t hash = CRI_HASH_START;
    hash = cri_hash_words(hash, arm->frames, (size_t)arm->frame_count * sizeof *arm->frames);
    hash = cri_hash_words(hash, arm->solids, (size_t)arm->solid_count * sizeof *arm->solids);
    hash = cri_hash_words(hash, arm->allowed, sizeof arm->allowed);
    arm->hash = cri_hash_word(hash, (uint64_t)arm->tip);
}

static cr_pose joint_motion(const cri_reach_frame *frame, const double *q)
{
    double value = frame->scale * q[frame->dof] + frame->offset;
    switch (frame->motion) {
    case CRI_REACH_MOTION_FIXED:
        break;
    case CRI_REACH_MOTION_TURN:
        return (cr_pose){{0, 0, 0}, cri_quat_heading(value)};
    case CRI_REACH_MOTION_SLIDE:
        return (cr_pose){{0, 0, value}, {0, 0, 0, 1}};
    case CRI_REACH_MOTION_SWING: {
        cr_vec3 axis = {q[frame->dof], q[frame->dof + 1], 0};
        return (cr_pose){{0, 0, 0}, cri_quat_axis(axis, cri_length(axis))};
    }
    }
    return no_motion;
}

void cri_arm_frames(const cr_arm *arm, const double *q, cr_pose *frames)
{
    frames[0] = no_motion;
    for (int i = 1; i < arm->frame_count; i++) {
        const cri_reach_frame *frame = &arm->frames[i];
        cr_pose rest = cri_pose_mul(frames[frame->parent], frame->rest);
        frames[i] = cri_pose_mul(rest, joint_motion(frame, q));
    }
}

const char *cr_arm_name(const cr_arm *arm)
{
    return arm->name;
}

int cr_arm_dof_count(const cr_arm *arm)
{
    return arm->dof_count;
}

const cr_arm_dof *cr_arm_dof_at(const cr_arm *arm, int dof)
{
    assert(dof >= 0 && dof < arm->dof_count);
    return &arm->dofs[dof];
}

int cr_arm_find_dof(const cr_arm *arm, const char *name)
{
    for (int i = 0; i < arm->dof_count; i++) {
        if (strcmp(arm->dofs[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cr_arm_link_count(const cr_arm *arm)
{
    return arm->link_count;
}

const char *cr_arm_link_name(const cr_arm *arm, int link)
{
    assert(link >= 0 && link < arm->link_count);
    return arm->links[link].name;
}

int cr_arm_find_link(const cr_arm *arm, const char *name)
{
    for (int i = 0; i < arm->link_count; i++) {
        if (strcmp(arm->links[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cr_arm_tip(const cr_arm *arm)
{
    return arm->tip;
}

void cr_arm_rest(const cr_arm *arm, double *q)
{
    memcpy(q, arm->rest, (size_t)arm->dof_count * sizeof *q);
}

// Inside the ellipse of a swing, up to rounding.
static bool swing_within(const cr_arm_dof *dof, const double *q)
{
    double x = q[0] / dof[0].high, y = q[1] / dof[1].high;
    return x * x + y * y <= 1 + 1e-6;
}

bool cr_arm_within(const cr_arm *arm, const double *q)
{
    const double slack = 1e-6; // the planner keeps floats
    for (int i = 0; i < arm->dof_count; i++) {
        const cr_arm_dof *dof = &arm->dofs[i];
        if (!(q[i] >= dof->low - slack && q[i] <= dof->high + slack)) {
            return false;
        }
        if (dof->swings && !swing_within(dof, q + i)) {
            return false;
        }
    }
    return true;
}

cr_pose cr_arm_link_pose(const cr_arm *arm, const double *q, int link)
{
    assert(link >= 0 && link < arm->link_count);
    cr_pose frames[CRI_ARM_MAX_FRAMES];
    cri_arm_frames(arm, q, frames);
    return cri_pose_mul(frames[arm->links[link].frame], arm->links[link].pose);
}
