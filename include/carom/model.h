/// @file model.h
/// A model is a scene made ready to compute with: names are indices, masses and pairs are worked
/// out, conditions and Tactics are compiled. It never changes after creation, so any number of
/// planners, engines and threads share it.
///
/// Threads: a model may be used by any number of them at once.
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "base.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cr_model cr_model;
typedef struct cr_library cr_library; // library.h

/// Compile a scene. library: the Skills, conditions and engines that the scene may name; NULL for
/// the built-in ones; it must outlive the model. start: 0 for the start state as written, N > 0 for
/// the N-th draw of the scene's `start:` distributions. On failure *model is NULL and the report
/// lists every error found.
CR_API cr_status cr_model_create(const cr_scene *scene, const cr_library *library, int start,
                                 cr_model **model, cr_report *report);

/// Free it; NULL is allowed. Planners, engines and plans that use it must be gone.
CR_API void cr_model_destroy(cr_model *model);

// ---------------------------------------------------------------------------------------------
// Bodies. Indices run in the order of the file.

typedef enum cr_kind {
    CR_KIND_STATIC,     ///< never moves
    CR_KIND_PASSIVE,    ///< moves by physics alone
    CR_KIND_CONTROLLED, ///< the planner chooses for it
    CR_KIND_FOREIGN,    ///< a Tactic predicts it
} cr_kind;

typedef enum cr_shape_kind {
    CR_SHAPE_PLANE,    ///< the half space below z = 0 of its own frame; static bodies only
    CR_SHAPE_SPHERE,   ///< radius
    CR_SHAPE_BOX,      ///< half: half the size along each axis
    CR_SHAPE_CYLINDER, ///< radius and half.z, along z
    CR_SHAPE_PRISM,    ///< a convex outline (points) in the xy plane, half.z up and down
    CR_SHAPE_CAPSULE,  ///< all points within radius of the line from -half.z to half.z on z
    CR_SHAPE_HULL,     ///< a convex polyhedron (hull) about its centre of mass; half: of a box
                       ///< about the frame's origin that holds it
} cr_shape_kind;

#define CR_PRISM_MAX_POINTS 32
#define CR_HULL_MAX_CORNERS 64
#define CR_HULL_MAX_FACES   (2 * CR_HULL_MAX_CORNERS - 4)
#define CR_HULL_MAX_RING    (6 * CR_HULL_MAX_CORNERS - 12)

/// A flat side of a hull: the points p with dot(normal, p) = offset between its corners.
typedef struct cr_hull_face {
    cr_vec3 normal; ///< unit, outward
    double offset;  ///< m
    int first;      ///< its corners are ring[first] ..., counter-clockwise seen from outside
    int count;      ///< 3 or more
} cr_hull_face;

/// A convex polyhedron with a volume.
typedef struct cr_hull {
    int corner_count; ///< 4 .. CR_HULL_MAX_CORNERS
    int face_count;   ///< 4 .. CR_HULL_MAX_FACES
    cr_vec3 corners[CR_HULL_MAX_CORNERS];
    cr_hull_face faces[CR_HULL_MAX_FACES];
    int ring[CR_HULL_MAX_RING]; ///< indices of corners, face after face
} cr_hull;

typedef struct cr_shape {
    cr_shape_kind kind;
    double radius;         ///< m
    cr_vec3 half;          ///< m
    int point_count;       ///< prism: 3 .. CR_PRISM_MAX_POINTS
    const cr_vec2 *points; ///< prism: counter-clockwise, convex; owned by the model
    const cr_hull *hull;   ///< hull: owned by the model
} cr_shape;

/// What a surface is like. A pair of surfaces takes the mean of the two, unless the scene's
/// `pairs:` says otherwise.
typedef struct cr_material {
    const char *name;
    double friction;        ///< dynamic (sliding) coefficient
    double static_friction; ///< at rest; default: friction
    double restitution;     ///< 0 .. 1
    double rolling;         ///< rolling resistance of balls: force over load. default 0
    double spinning; ///< resistance of balls to spin about the normal: torque over load and radius.
                     ///< default 0
    cr_vec3 grain;   ///< direction in the part's frame with a friction of its own; 0: none
    double grain_friction; ///< sliding coefficient along the grain
} cr_material;

/// A shape of a body with its own material.
typedef struct cr_part {
    cr_shape shape;
    cr_pose pose;     ///< in the body's frame, whose origin is the body's centre of mass
    int material;     ///< index into the model's materials
    const char *name; ///< "" if it has none
} cr_part;

/// How fast a body can drive and turn by itself; Skills and the time metric of rrt keep to it.
typedef struct cr_limits {
    double speed;             ///< m/s. default 2
    double acceleration;      ///< m/s2. default 3
    double turn_speed;        ///< rad/s. default 10
    double turn_acceleration; ///< rad/s2. default 40
} cr_limits;

typedef struct cr_body {
    const char *name;
    cr_kind kind;
    bool driven;            ///< infinite mass; its action is a velocity
    bool upright;           ///< x, y and heading only; no gravity, no floor contact
    int slot;               ///< index among the moving bodies, or -1 if static
    double mass;            ///< kg; 0 for static and driven bodies
    cr_vec3 inertia;        ///< kg m2, the diagonal in the body's frame
    double linear_damping;  ///< 1/s; v becomes v exp(-c t)
    double angular_damping; ///< 1/s
    double floor_friction;  ///< upright: its coefficient on the floor that it stands on. default 0
    cr_pose pose;           ///< of the body's frame at the start
    cr_vec3 velocity, spin; ///< at the start
    cr_limits limits;
    double radius; ///< of the sphere around its centre of mass that holds all its parts; HUGE_VAL
                   ///< for planes
    double reach;  ///< how far it reaches ahead (+x of its frame) from its centre of mass
    int part_count;
    const cr_part *parts;
    uint32_t color; ///< 0xRRGGBB, for pictures
} cr_body;

/// All bodies, static ones too. What is returned belongs to the model.
CR_API int cr_model_body_count(const cr_model *model);
CR_API const cr_body *cr_model_body(const cr_model *model, int body);

/// The index of the body with that name, or -1.
CR_API int cr_model_find_body(const cr_model *model, const char *name);

/// The bodies that are not static have slots 0 .. moving_count-1, in the order of the file.
CR_API int cr_model_moving_count(const cr_model *model);
CR_API int cr_model_moving_body(const cr_model *model, int slot);

/// The materials; cr_part.material is an index into them.
CR_API int cr_model_material_count(const cr_model *model);
CR_API const cr_material *cr_model_material(const cr_model *model, int material);

/// The index of the material with that name, or -1. "default" is what parts without one have.
CR_API int cr_model_find_material(const cr_model *model, const char *name);

/// How two surfaces meet: the means of their materials, or what the scene's `pairs:` says.
typedef struct cr_meeting {
    double friction, static_friction, restitution;
    double rolling, spinning;
    double along; ///< friction along the grain; 0 where neither material has one
} cr_meeting;

/// How two materials meet, in either order.
CR_API cr_meeting cr_model_meeting(const cr_model *model, int a, int b);

// ---------------------------------------------------------------------------------------------
// Joints: what holds two bodies together, or one to the world. docs/joints.md draws them.

typedef enum cr_joint_kind {
    CR_JOINT_HINGE,  ///< turns about one axis
    CR_JOINT_SLIDER, ///< slides along one axis, and does not turn
    CR_JOINT_BALL,   ///< turns any way about one point
    CR_JOINT_WELD,   ///< neither
    CR_JOINT_ROPE,   ///< two points are never farther apart than its length
} cr_joint_kind;

/// What of a joint a world may have otherwise (numbers.h).
typedef struct cr_joint_numbers {
    double friction;       ///< N m (hinge, ball) or N (slider): what it resists, at most. default 0
    double motor_speed;    ///< rad/s or m/s, of the second body seen from the first
    double motor_force;    ///< N m or N that the motor has for it, at most; 0: no motor
    double breaking_force; ///< N that it holds, over a substep; HUGE_VAL: any
    double breaking_torque; ///< N m beside the axis that it holds; HUGE_VAL: any
} cr_joint_numbers;

typedef struct cr_joint {
    const char *name;
    cr_joint_kind kind;
    int bodies[2]; ///< -1: the world
    /// Where it holds each body, in that body's frame: the origin is the point, z the axis. At the
    /// start both are at the same place in the world, but for ropes.
    cr_pose frames[2];
    double length;    ///< m, of a rope
    bool limited;     ///< it goes from low to high: rad (hinge) or m (slider), 0 at the start
    double low, high; ///< low <= 0 <= high
    cr_joint_numbers numbers;
} cr_joint;

/// The joints, in the order of the file.
CR_API int cr_model_joint_count(const cr_model *model);
CR_API const cr_joint *cr_model_joint(const cr_model *model, int joint);

/// The index of the joint with that name, or -1.
CR_API int cr_model_find_joint(const cr_model *model, const char *name);

/// As a scene has it: "hinge", "slider", "ball", "weld" or "rope".
CR_API const char *cr_joint_kind_name(cr_joint_kind kind);

// ---------------------------------------------------------------------------------------------
// Regions, Tactics and the rest.

/// A place with an extent: a box, cylinder or sphere that nothing bumps into.
typedef struct cr_region {
    const char *name;
    cr_shape shape; ///< half.z is HUGE_VAL where the scene gives no height
    cr_pose pose;
} cr_region;

/// The regions, in the order of the file.
CR_API int cr_model_region_count(const cr_model *model);
CR_API const cr_region *cr_model_region(const cr_model *model, int region);

/// The index of the region with that name, or -1.
CR_API int cr_model_find_region(const cr_model *model, const char *name);

/// True if the goal asks for something in the region: pictures mark it.
CR_API bool cr_model_region_is_goal(const cr_model *model, int region);

/// True if the point lies in the region.
CR_API bool cr_region_contains(const cr_region *region, cr_vec3 point);

/// A Tactic: a probabilistic state machine of Skills that controls one body.
typedef struct cr_tactic {
    const char *name;
    int body;        ///< the body it controls
    int skill_count; ///< its Skills have indices 0 .. skill_count-1
    int start;       ///< the Skill it starts in
    bool draws;      ///< it may draw: a Skill that it comes to has something to draw, or two
                     ///< transitions may be possible at once. false: it never does
} cr_tactic;

/// The Tactics, in the order of the file, and the names of their Skills.
CR_API int cr_model_tactic_count(const cr_model *model);
CR_API const cr_tactic *cr_model_tactic(const cr_model *model, int tactic);
CR_API const char *cr_model_skill_name(const cr_model *model, int tactic, int skill);

/// The type of a Skill, as in `do:`.
CR_API const char *cr_model_skill_does(const cr_model *model, int tactic, int skill);

/// A way from one Skill of a Tactic to another.
typedef struct cr_transition {
    int to;           ///< Skill
    double weight;    ///< in the draw among those that are possible
    bool conditional; ///< only while its condition holds
} cr_transition;

/// The transitions from a Skill, in the order of the file.
CR_API int cr_model_transition_count(const cr_model *model, int tactic, int skill);
CR_API cr_transition cr_model_transition(const cr_model *model, int tactic, int skill, int index);

/// The length of a step in s.
CR_API double cr_model_dt(const cr_model *model);

/// How many parts an engine cuts a step into.
CR_API int cr_model_substeps(const cr_model *model);

/// In m/s2.
CR_API cr_vec3 cr_model_gravity(const cr_model *model);

/// The start that it was created with.
CR_API int cr_model_start(const cr_model *model);

/// True if the scene has a goal.
CR_API bool cr_model_has_goal(const cr_model *model);

/// True if the scene has a score.
CR_API bool cr_model_has_score(const cr_model *model);

/// The scene it was made of: a copy, which belongs to the model.
CR_API const cr_scene *cr_model_scene(const cr_model *model);

#ifdef __cplusplus
}
#endif

#endif
