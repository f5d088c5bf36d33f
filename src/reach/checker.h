// A checker: an arm, what it holds and the obstacles of one task, flattened to floats for the
// kernel.
//
// Balls and capsules of the arm become balls (a capsule is covered by a row of slightly larger
// ones); boxes and cylinders become bricks. The solids of one link make up a group with a bounding
// ball; obstacles become walls, sorted by kind. All covers are conservative: what the checker calls
// clear is clear for the exact solids.
#ifndef CRI_REACH_CHECKER_H
#define CRI_REACH_CHECKER_H

#include "reach/arm.h"

enum {
    CRI_MAX_GROUPS = 96,
    CRI_MAX_BALLS = 1536,
    CRI_MAX_BRICKS = 128,
    CRI_MAX_PAIRS = CRI_MAX_GROUPS * (CRI_MAX_GROUPS - 1) / 2,
    CRI_MAX_PLACES = CRI_ARM_MAX_FRAMES + 1,
};

// Rounding of floats, twice over, so that exact arithmetic agrees.
#define CRI_CHECKER_PADDING 2e-5f

typedef struct cri_flat_frame {
    int parent;
    int motion; // cri_reach_motion
    int dof;
    float scale, offset;
    float rotation[9]; // rows
    float position[3];
} cri_flat_frame;

typedef struct cri_ball {
    float centre[3], radius;
} cri_ball;

typedef struct cri_brick {
    float rotation[9]; // columns are the box's axes: rows of the matrix, as in cri_flat_frame
    float centre[3], half[3];
} cri_brick;

typedef struct cri_group {
    int frame, link;
    bool shell;              // padding: it counts against obstacles only
    float centre[3], radius; // bounding ball, in the frame
    int ball_from, ball_to, brick_from, brick_to;
} cri_group;

typedef enum cri_reach_wall_kind {
    CRI_REACH_WALL_UPRIGHT_BOX, // turned about z only
    CRI_REACH_WALL_BOX,
    CRI_REACH_WALL_UPRIGHT_CYLINDER,
    CRI_REACH_WALL_CYLINDER,
    CRI_REACH_WALL_BALL,
} cri_reach_wall_kind;

typedef struct cri_reach_wall {
    cri_reach_wall_kind kind;
    int obstacle;     // index in the task
    float axes[3][3]; // of the wall, in the world
    float centre[3], half[3];
    float radius; // ball and cylinder
} cri_reach_wall;

typedef struct cri_reach_pair {
    int a, b; // groups
} cri_reach_pair;

typedef struct cri_checker {
    const cr_arm *arm;
    uint64_t arm_hash;
    int dof_count, frame_count, group_count, ball_count, brick_count, pair_count, place_count;
    int wall_count, wall_capacity;
    cri_reach_wall *walls; // owned
    // Boxes around the walls: low x, y, z, then high x, y, z, each wall_stride floats; owned.
    // Filled up to a multiple of 8 with boxes that are nowhere.
    float *bounds;
    int wall_stride;
    cri_flat_frame frames[CRI_ARM_MAX_FRAMES];
    cri_group groups[CRI_MAX_GROUPS];
    cri_ball balls[CRI_MAX_BALLS];
    cri_brick bricks[CRI_MAX_BRICKS];
    cri_reach_pair pairs[CRI_MAX_PAIRS];
    // Places whose displacement is the paper's metric: origins of frames, and the tip.
    int place_frames[CRI_MAX_PLACES];
    float place_points[CRI_MAX_PLACES][3];
    // How far a point of group g moves at most when the joint of frame f changes by 1: reach[g][f];
    // 0 where the frame does not move the group.
    float reach[CRI_MAX_GROUPS][CRI_ARM_MAX_FRAMES];
    // What the arm alone has, without what it holds.
    int arm_balls, arm_bricks, arm_groups, arm_pairs;
} cri_checker;

// Make a checker ready for a task; start with a zeroed one, and use it again for the next task.
cr_status cri_checker_set(cri_checker *checker, const cr_reach_task *task, cr_report *report);
void cri_checker_free(cri_checker *checker);

// What the kernel found to touch, for messages. wall >= 0: obstacle; else other is a group.
typedef struct cri_reach_touch {
    int group, wall, other;
} cri_reach_touch;

// Points of a metric space. triples: the distance is the largest one of 3-D points, else Euclidean.
typedef struct cri_reach_keys {
    const float *values;
    int count, size;
    bool triples;
} cri_reach_keys;

// Kernels: the same functions compiled for several instruction sets; all give the same bits.
typedef struct cri_kernel {
    const char *name;
    // True if the configuration is clear, else *touch says what touches.
    bool (*clear)(const cri_checker *checker, const float *q, cri_reach_touch *touch);
    // Bit i set: configuration i is clear. q[d * 8 + i] is value d of configuration i.
    unsigned (*clear8)(const cri_checker *checker, const float *q);
    // True if `points` configurations evenly spaced between a and b, without a, with b, are clear;
    // those checked are added to *checks. Spread points come first: recursive bisection, 8 at a
    // time.
    bool (*edge)(const cri_checker *checker, const float *a, const float *b, int points,
                 int64_t *checks);
    // True if the whole edge is clear, between the points too: no group can move farther than its
    // distance to what it must not touch. (Schwarzer, Saha, Latombe 2002.)
    bool (*prove)(const cri_checker *checker, const float *a, const float *b, int64_t *checks);
    // 3 floats for each place.
    void (*places)(const cri_checker *checker, const float *q, float *places);
    // The key nearest to `key` among count, ties to the older. Keys lie in blocks of 8: value d of
    // key i is keys[i / 8 * size * 8 + d * 8 + i % 8]; the last block is filled up with 1e18.
    int (*nearest)(const cri_reach_keys *keys, const float *key, float *distance);
} cri_kernel;

extern const cri_kernel cri_kernel_base;   // any machine
extern const cri_kernel cri_kernel_avx2;   // x86 with AVX2; its functions are NULL elsewhere
extern const cri_kernel cri_kernel_scalar; // one lane

// The best kernel for this machine.
const cri_kernel *cri_kernel_best(void);

#endif
