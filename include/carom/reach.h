/// @file reach.h
/// Arms among shelves: planning reaching motions, after Kallmann, "A Simple Experiment on the
/// Effect of Biasing Sampling Distributions for Planning Reaching Motions with RRTs".
///
///     arm + obstacles + start + goal = task -> two trees that grow together -> path -> playback
///
/// An arm is a tree of links with joint limits and collision solids: a built-in human one, or any
/// URDF file. A planner solves one task after the other in memory that it keeps, and may be given a
/// cache that learns from each path where to sample next time. Same task, seed and cache: same
/// path, bit for bit, on any machine, as long as no time limit strikes.
///
/// Threads: arms and tasks never change once they are made and may be shared; a planner of reaches
/// (cr_reach) and a cache that is being filled are used by one thread at a time.
#ifndef CAROM_REACH_H
#define CAROM_REACH_H

#include "planner.h"
#include "playback.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Arms. Never change after creation; any number of tasks and threads share one.

#define CR_ARM_MAX_DOFS 32

typedef struct cr_arm cr_arm;

/// A degree of freedom. Two neighbours that swing together (shoulder, wrist) are limited by an
/// ellipse with half axes `high`; see cr_arm_within.
typedef struct cr_arm_dof {
    const char *name;
    double low, high; ///< rad, or m where it slides; low <= high
    bool slides;
    bool swings; ///< the first of a pair that makes up a swing
} cr_arm_dof;

/// The built-in human: facing +x, feet at the origin, right arm with 7 degrees of freedom (shoulder
/// swing and twist, elbow, wrist swing and twist), small root translation, leg flexion. 10 in all.
CR_API cr_status cr_arm_create_human(cr_arm **arm, cr_report *report);

/// Read a URDF file, and what an SRDF file adds: the collisions that are allowed (NULL: none but
/// those between a link and its parent), groups, passive joints, the virtual joint to the world.
/// The arm holds things with the tip of the SRDF's first chain, else with the deepest link.
/// Elements and attributes that have no effect and are not known to have none are warned about, as
/// are names in the SRDF that the robot has not; misspellings of those that count, and shapes and
/// joints that are not supported, are errors. On failure *arm is NULL.
CR_API cr_status cr_arm_read(const char *urdf, const char *srdf, cr_arm **arm, cr_report *report);

/// The same from texts; names are for messages. Meshes are looked for beside urdf_name.
typedef struct cr_arm_text {
    const char *urdf, *srdf; ///< srdf may be NULL
    size_t urdf_length, srdf_length;
    const char *urdf_name, *srdf_name;
} cr_arm_text;
CR_API cr_status cr_arm_parse(const cr_arm_text *text, cr_arm **arm, cr_report *report);

/// Free an arm; NULL is fine.
CR_API void cr_arm_destroy(cr_arm *arm);

/// What an arm is made of: its name, its degrees of freedom and its links. Finding answers -1 for
/// an unknown name.
CR_API const char *cr_arm_name(const cr_arm *arm);
CR_API int cr_arm_dof_count(const cr_arm *arm);
CR_API const cr_arm_dof *cr_arm_dof_at(const cr_arm *arm, int dof);
CR_API int cr_arm_find_dof(const cr_arm *arm, const char *name); ///< or -1
CR_API int cr_arm_link_count(const cr_arm *arm);
CR_API const char *cr_arm_link_name(const cr_arm *arm, int link);
CR_API int cr_arm_find_link(const cr_arm *arm, const char *name); ///< or -1

/// The link that holds things and that inverse kinematics moves.
CR_API int cr_arm_tip(const cr_arm *arm);

/// A configuration to start from: the first state that the SRDF has for the group of its first
/// chain, else the middle of all limits.
CR_API void cr_arm_rest(const cr_arm *arm, double *q);

/// True if q keeps all limits.
CR_API bool cr_arm_within(const cr_arm *arm, const double *q);

/// Where a link is.
CR_API cr_pose cr_arm_link_pose(const cr_arm *arm, const double *q, int link);

// ---------------------------------------------------------------------------------------------
// Tasks.

/// Something to keep clear of: a sphere, box or cylinder.
typedef struct cr_obstacle {
    const char *name;
    cr_shape shape;
    cr_pose pose;
    uint32_t color; ///< 0xRRGGBB
} cr_obstacle;

/// From one configuration to another among obstacles.
typedef struct cr_reach_task {
    const char *name;
    const cr_arm *arm;
    int obstacle_count;
    const cr_obstacle *obstacles;
    bool holds;   ///< an object is in the hand
    cr_part held; ///< in the tip's frame; moves with it
    double start[CR_ARM_MAX_DOFS], goal[CR_ARM_MAX_DOFS];
} cr_reach_task;

/// A list of tasks that owns what they point to, but for the arm that it was made with.
typedef struct cr_reach_tasks cr_reach_tasks;

/// The tasks of a set, and freeing it.
CR_API int cr_reach_task_count(const cr_reach_tasks *tasks);
CR_API const cr_reach_task *cr_reach_task_at(const cr_reach_tasks *tasks, int index);
CR_API void cr_reach_tasks_destroy(cr_reach_tasks *tasks);

/// Random book relocations for the human arm: the shelf's books, the held book's first place and
/// its last are drawn anew for each task, until the task is valid. Task k of a seed is always the
/// same.
CR_API cr_status cr_books_create(const cr_arm *human, uint64_t seed, int count,
                                 cr_reach_tasks **tasks, cr_report *report);

/// One task from a MoveIt planning scene and motion plan request in YAML, which mean what MoveIt
/// means by them: docs/reach.md lists each key. Keys that have no effect are named in warnings,
/// those that are not supported or not known are errors. Joints without a start are where the
/// scene's robot_state has them, else at 0 (at the middle of limits without 0), and warned about;
/// joints without a goal keep their start. NULL request: the arm at rest, start = goal. Where the
/// files make the arm differ (its base, joints that are held, allowed pairs, padding) the task has
/// an arm of its own, which the list owns; `arm` must outlive both.
CR_API cr_status cr_moveit_read(const cr_arm *arm, const char *scene, const char *request,
                                cr_reach_tasks **tasks, cr_report *report);

/// Check what a planner relies on: limits that hold and ends that do not collide. The message names
/// what touches what, and the pairs of links that touch in every pose.
CR_API cr_status cr_reach_task_check(const cr_reach_task *task, cr_report *report);

// ---------------------------------------------------------------------------------------------
// Inverse kinematics.

typedef enum cr_ik {
    CR_IK_FOUND,
    CR_IK_UNREACHABLE, ///< no configuration within limits brings the tip there
    CR_IK_COLLIDES,    ///< there are some, and all that were tried collide
} cr_ik;

/// A configuration, clear of obstacles, that brings the tip to the target. Closed form with a
/// search over swivel angle and root for the human (Tolani and Badler), damped least squares with
/// random restarts for others. The task's start and goal are not looked at.
CR_API cr_ik cr_arm_solve(const cr_reach_task *task, cr_pose target, uint64_t seed, double *q);

/// Set every task's goal to a configuration that brings the tip to the target. turned: the target's
/// rotation counts; else the tip keeps the one it has at the start. Fails with CR_ERR_RANGE where
/// the target cannot be reached.
CR_API cr_status cr_reach_tasks_aim(cr_reach_tasks *tasks, cr_pose target, bool turned,
                                    uint64_t seed, cr_report *report);

// ---------------------------------------------------------------------------------------------
// The sampling cache (algorithm 2), and one that learns more.

typedef enum cr_cache_kind {
    CR_CACHE_PAPER, ///< n, p, r as published: entries in random places, no memory of their worth
    CR_CACHE_BRED,  ///< entries are steps that led away from starts and goals; samples are bred
                    ///< from those of ends like the present ones
} cr_cache_kind;

/// Each default is that of CR_CACHE_PAPER; that of CR_CACHE_BRED follows.
typedef struct cr_cache_def {
    cr_cache_kind kind; ///< default CR_CACHE_PAPER, bred: CR_CACHE_BRED
    int size;           ///< n, 1 .. 100000. default 80, bred: 400
    double share;       ///< p, 0 .. 1: samples that come from the cache. default 0.8, bred: 0.9
    double update; ///< r, 0 .. 1: share of a path's nodes that are stored. default 1/3, bred: 1
} cr_cache_def;

/// A cache def with the defaults of its kind.
CR_API cr_cache_def cr_default_cache_def(cr_cache_kind kind);

typedef struct cr_cache cr_cache;

/// An empty cache for one type of task.
CR_API cr_status cr_cache_create(const cr_arm *arm, const cr_cache_def *def, cr_cache **cache,
                                 cr_report *report);
CR_API void cr_cache_destroy(cr_cache *cache);
CR_API int cr_cache_count(const cr_cache *cache); ///< entries
CR_API const cr_cache_def *cr_cache_get_def(const cr_cache *cache);

/// A cache as a file, one for each type of task. Reading checks that it was made with this arm,
/// that its entries keep the arm's limits and that nothing else is in the file.
CR_API cr_status cr_cache_write(const cr_cache *cache, const char *path, cr_report *report);
CR_API cr_status cr_cache_read(const cr_arm *arm, const char *path, cr_cache **cache,
                               cr_report *report);

// ---------------------------------------------------------------------------------------------
// Planning.

typedef enum cr_reach_method {
    CR_REACH_STEP,    ///< algorithm 1: one step of epsilon an iteration, then try to join
    CR_REACH_CONNECT, ///< steps of epsilon for as long as they are valid, in both trees
} cr_reach_method;

typedef enum cr_reach_metric {
    CR_REACH_PLACES, ///< the paper's: largest displacement of a joint's position, m
    CR_REACH_ANGLES, ///< Euclidean distance of the configurations, rad and m
} cr_reach_metric;

/// Each default is that of cr_default_reach_def; where cr_quick_reach_def has another, it follows.
typedef struct cr_reach_def {
    cr_reach_method method;      ///< default CR_REACH_STEP, quick: CR_REACH_CONNECT
    cr_reach_metric metric;      ///< default CR_REACH_PLACES, quick: CR_REACH_ANGLES
    double epsilon;              ///< length of a step in the metric. default 0.5, quick: 0.32
    double resolution;           ///< between two checked configurations, rad. default 0.04
    double seconds;              ///< limit of time for one task; 0: none. default 5
    int64_t iterations;          ///< limit of iterations for one task; 0: none. default 0
    int nodes;                   ///< most nodes of a tree. default 50000
    int smooth;                  ///< linearisation steps after the search. default 64, quick: 12
    bool flexed;                 ///< the hand-made heuristic: samples have the elbow nearly flexed.
                                 ///< default false
    bool scalar;                 ///< one configuration at a time instead of lanes; the same bits.
                                 ///< default false
    bool (*stop)(void *context); ///< asked now and then; NULL: never. default NULL
    void *context;               ///< of stop. default NULL
} cr_reach_def;

/// The paper's planner, with smoothing.
CR_API cr_reach_def cr_default_reach_def(void);

/// Settings that are quick for robot arms: connect, plain joint distance.
CR_API cr_reach_def cr_quick_reach_def(void);

typedef struct cr_reach_result {
    cr_outcome outcome;    ///< SOLVED, FULL, ATTEMPTS (iterations), SECONDS or STOPPED
    int64_t iterations;    ///< passes of the main loop
    int64_t samples;       ///< configurations drawn, rejected ones too (algorithm 2's inner loop)
    int64_t checks;        ///< configurations checked for collisions in the search
    int64_t smooth_checks; ///< and while smoothing and proving the path
    int64_t edges;         ///< interpolations checked in the search
    int nodes;             ///< in both trees
    double seconds;        ///< of the search, without smoothing; processor time
    double smooth_seconds; ///< of smoothing and proving; processor time
    int raw_count;         ///< configurations of the path before smoothing
    int count;             ///< configurations of the path; 0 if none
    const double *path;    ///< count times dof_count values; owned by the planner, until next time
    double length;         ///< of the path, rad: Euclidean
} cr_reach_result;

typedef struct cr_reach cr_reach;

/// Create a planner with its memory set aside.
CR_API cr_status cr_reach_create(const cr_reach_def *def, cr_reach **reach, cr_report *report);
CR_API void cr_reach_destroy(cr_reach *reach);

/// Plan a task. cache: NULL, or what guides the sampling and learns from the path. Fails where
/// cr_reach_task_check would.
CR_API cr_status cr_reach_plan(cr_reach *reach, const cr_reach_task *task, uint64_t seed,
                               cr_cache *cache, cr_reach_result *result, cr_report *report);

/// What an independent, dense test finds on a path.
typedef struct cr_reach_proof {
    bool holds;       ///< all of the below is as it should be
    bool ends;        ///< starts at the start and ends at the goal
    bool within;      ///< keeps all limits
    double clearance; ///< m, the least distance between two solids that must not touch; 0 when they
                      ///< overlap
    int64_t configurations; ///< looked at
    char text[160];         ///< what is wrong, or empty
} cr_reach_proof;

/// Walk along a path in steps of at most `step` (rad) and measure every distance anew: exact solids
/// instead of spheres, doubles instead of lanes, another algorithm (GJK).
CR_API cr_reach_proof cr_reach_verify(const cr_reach_task *task, const double *path, int count,
                                      double step);

// ---------------------------------------------------------------------------------------------
// To look at.

/// A path as a playback, at a speed that people and arms move with; free it with
/// cr_playback_destroy. task and title must outlive it.
CR_API cr_status cr_reach_playback(const cr_reach_task *task, const double *path, int count,
                                   const char *title, cr_playback **playback, cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
