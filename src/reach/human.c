// The built-in human: 1.75 m tall, facing +x, z up, y to the left; the right arm reaches.
//
//     feet -x-> -y-> ankle(a) -> knee(-2a) -> hip(a) -> torso -> shoulder swing, twist -> elbow
//          -> wrist swing, twist -> hand (tip)
//
// One leg angle a bends ankle, knee and hip so that the torso stays upright and sinks by
// 2 l (1 - cos a). The arm's rest direction is z of the shoulder frame and points forward and down;
// swing and twist are measured from there. Lengths follow common anthropometric tables.
#include "reach/arm.h"

#include "base/trig.h"
#include "base/vec.h"

#define LEG       0.44 // hip to knee, knee to ankle
#define ANKLE     0.08
#define TORSO     0.46 // hip to shoulder height
#define SHOULDER  0.19 // to the side
#define UPPER_ARM 0.30
#define FOREARM   0.26
#define HAND      0.10 // wrist to the middle of the grip

enum {
    SLIDE_X,
    SLIDE_Y,
    LEGS,
    SHOULDER_X,
    SHOULDER_Y,
    SHOULDER_TWIST,
    ELBOW,
    WRIST_X,
    WRIST_Y,
    WRIST_TWIST
};

// High limits; low ones are their negatives but for legs and elbow.
static const cr_arm_dof dofs[] = {
    {"root_x", -0.12, 0.12, true, false},    {"root_y", -0.15, 0.15, true, false},
    {"legs", 0, 0.6, false, false},          {"shoulder_x", -2.2, 2.2, false, true},
    {"shoulder_y", -2.0, 2.0, false, false}, {"shoulder_twist", -2.0, 2.0, false, false},
    {"elbow", 0.05, 2.5, false, false},      {"wrist_x", -0.7, 0.7, false, true},
    {"wrist_y", -1.2, 1.2, false, false},    {"wrist_twist", -1.6, 1.6, false, false},
};

static cr_pose at(double x, double y, double z)
{
    return (cr_pose){{x, y, z}, {0, 0, 0, 1}};
}

static int add(cr_arm *arm, const char *name, int parent, cr_pose rest)
{
    return cri_arm_add_link(arm, &(cri_link_def){.name = name, .parent = parent, .rest = rest});
}

typedef struct moving {
    const char *name;
    int parent;
    cri_reach_motion motion;
    int dof;
    double scale;
    cr_vec3 axis;
} moving;

static int add_moving(cr_arm *arm, moving joint, cr_pose rest)
{
    return cri_arm_add_link(arm, &(cri_link_def){.name = joint.name,
                                                 .parent = joint.parent,
                                                 .rest = rest,
                                                 .motion = joint.motion,
                                                 .axis = joint.axis,
                                                 .dof = joint.dof,
                                                 .scale = joint.scale});
}

// A capsule from one point of a link to another.
static void add_capsule(cr_arm *arm, int link, cr_vec3 from, cr_vec3 to, double radius)
{
    cr_vec3 along = cri_sub(to, from);
    cr_vec3 unit = cri_unit(along, cri_vec3(0, 0, 1));
    cr_vec3 turn = cri_cross(cri_vec3(0, 0, 1), unit);
    cr_pose pose = {cri_scale(0.5, cri_add(from, to)),
                    cri_quat_axis(turn, cri_atan2(cri_length(turn), unit.z))};
    if (unit.z < -1 + 1e-9) {
        pose.rotation = (cr_quat){1, 0, 0, 0};
    }
    cri_arm_add_solid(arm,
                      (cri_reach_solid){.kind = CRI_REACH_SOLID_CAPSULE,
                                        .link = link,
                                        .radius = radius,
                                        .half = {0, 0, 0.5 * cri_length(along)}},
                      pose);
}

static void add_ball(cr_arm *arm, int link, cr_vec3 centre, double radius)
{
    cri_arm_add_solid(
        arm, (cri_reach_solid){.kind = CRI_REACH_SOLID_BALL, .link = link, .radius = radius},
        (cr_pose){centre, {0, 0, 0, 1}});
}

// Both legs follow one chain in the middle; what one sees stands to its sides.
static int add_legs(cr_arm *arm)
{
    const cr_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    int ground = add(arm, "ground", -1, at(0, 0, 0));
    int root = add_moving(arm, (moving){"root", ground, CRI_REACH_MOTION_SLIDE, SLIDE_X, 1, x},
                          at(0, 0, 0));
    int feet =
        add_moving(arm, (moving){"feet", root, CRI_REACH_MOTION_SLIDE, SLIDE_Y, 1, y}, at(0, 0, 0));
    int shins = add_moving(arm, (moving){"shins", feet, CRI_REACH_MOTION_TURN, LEGS, 1, y},
                           at(0, 0, ANKLE));
    int thighs = add_moving(arm, (moving){"thighs", shins, CRI_REACH_MOTION_TURN, LEGS, -2, y},
                            at(0, 0, LEG));
    int torso = add_moving(arm, (moving){"torso", thighs, CRI_REACH_MOTION_TURN, LEGS, 1, y},
                           at(0, 0, LEG));
    for (double side = -0.1; side < 0.15; side += 0.2) {
        add_capsule(arm, feet, cri_vec3(-0.03, side, 0.05), cri_vec3(0.14, side, 0.05), 0.045);
        add_capsule(arm, shins, cri_vec3(0, side, 0.02), cri_vec3(0, side, LEG), 0.055);
        add_capsule(arm, thighs, cri_vec3(0, side, 0), cri_vec3(0, side, LEG), 0.075);
    }
    return torso;
}

static void add_body(cr_arm *arm, int torso)
{
    add_capsule(arm, torso, cri_vec3(0, -0.07, 0.02), cri_vec3(0, 0.07, 0.02), 0.11);
    add_capsule(arm, torso, cri_vec3(0, -0.06, 0.2), cri_vec3(0, 0.06, 0.2), 0.1);
    add_capsule(arm, torso, cri_vec3(0, -0.07, 0.36), cri_vec3(0, 0.07, 0.36), 0.11);
    add_capsule(arm, torso, cri_vec3(0, 0, TORSO), cri_vec3(0, 0, TORSO + 0.12), 0.05);
    add_capsule(arm, torso, cri_vec3(0, 0.19, TORSO), cri_vec3(0, 0.25, TORSO - 0.3), 0.048);
    add_capsule(arm, torso, cri_vec3(0, 0.25, TORSO - 0.3), cri_vec3(0.06, 0.25, TORSO - 0.58),
                0.04);
    add_ball(arm, torso, cri_vec3(0.02, 0, TORSO + 0.22), 0.1);
}

static void add_arm(cr_arm *arm, int torso)
{
    const cr_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    // 50 degrees down from forward, 45 outward: the middle of what a shoulder can do
    cr_quat down = cri_quat_axis(y, CRI_PI / 2 + 0.87);
    cr_quat out = cri_quat_axis(z, -0.8);
    cr_pose rest = {{0, -SHOULDER, TORSO}, cri_quat_mul(out, down)};
    int swing = add_moving(
        arm, (moving){"shoulder", torso, CRI_REACH_MOTION_SWING, SHOULDER_X, 1, z}, rest);
    arm->human.shoulder = arm->links[swing].frame;
    int upper =
        add_moving(arm, (moving){"upper_arm", swing, CRI_REACH_MOTION_TURN, SHOULDER_TWIST, 1, z},
                   at(0, 0, 0));
    int fore = add_moving(arm, (moving){"forearm", upper, CRI_REACH_MOTION_TURN, ELBOW, -1, y},
                          at(0, 0, UPPER_ARM));
    arm->human.elbow = arm->links[fore].frame;
    int wrist = add_moving(arm, (moving){"wrist", fore, CRI_REACH_MOTION_SWING, WRIST_X, 1, z},
                           at(0, 0, FOREARM));
    arm->human.wrist = arm->links[wrist].frame;
    int hand = add_moving(arm, (moving){"hand", wrist, CRI_REACH_MOTION_TURN, WRIST_TWIST, 1, z},
                          at(0, 0, 0));
    arm->tip = add(arm, "grip", hand, at(0, 0, HAND));
    add_capsule(arm, upper, cri_vec3(0, 0, 0.02), cri_vec3(0, 0, UPPER_ARM), 0.048);
    add_capsule(arm, fore, cri_vec3(0, 0, 0.03), cri_vec3(0, 0, FOREARM - 0.02), 0.04);
    add_capsule(arm, hand, cri_vec3(0, 0, 0.03), cri_vec3(0, 0, HAND - 0.02), 0.034);
}

// What cannot be told apart from touching at rest: a joint's two sides, across the thin links.
static void allow_pairs(cr_arm *arm)
{
    static const char *const pairs[][2] = {
        {"feet", "thighs"},  {"shins", "torso"},  {"torso", "upper_arm"},
        {"forearm", "hand"}, {"torso", "thighs"},
    };
    cri_arm_allow_neighbours(arm);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        cri_arm_allow(arm, cr_arm_find_link(arm, pairs[i][0]), cr_arm_find_link(arm, pairs[i][1]));
    }
}

cr_status cr_arm_create_human(cr_arm **result, cr_report *report)
{
    *result = NULL;
    cr_arm *arm = cri_arm_new("human");
    if (!arm) {
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < sizeof dofs / sizeof dofs[0]; i++) {
        int dof = cri_arm_add_dof(arm, dofs[i]);
        cri_arm_add_joint(arm,
                          (cri_joint){.name = dofs[i].name, .link = -1, .dof = dof, .scale = 1});
    }
    int torso = add_legs(arm);
    add_body(arm, torso);
    add_arm(arm, torso);
    arm->human.is = true;
    arm->human.upper = UPPER_ARM;
    arm->human.fore = FOREARM;
    arm->human.hand = HAND;
    if (arm->tip < 0) {
        cr_arm_destroy(arm);
        return cri_fail_memory(report);
    }
    allow_pairs(arm);
    static const double rest[] = {0, 0, 0, 0, 0, 0, 1.6, 0, 0, 0};
    for (int i = 0; i < arm->dof_count; i++) {
        arm->rest[i] = rest[i];
    }
    cri_arm_seal(arm);
    *result = arm;
    return CR_OK;
}
