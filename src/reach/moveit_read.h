// Reading MoveIt's files, shared by its parts.
//
//     scene.yaml   robot_state -> state     fixed_frame_transforms, objects -> frames
//                  world -> objects and pieces      allowed_collision_matrix, padding -> arm
//     request.yaml start_state -> start     goal_constraints -> goal     group_name -> joints held
//
// Both files are first checked against the tables of moveit_fields.c, so what is read here has no
// keys that nobody knows. The task shares the caller's arm until something in the files makes it
// differ; then it has one of its own.
#ifndef CRI_REACH_MOVEIT_READ_H
#define CRI_REACH_MOVEIT_READ_H

#include "reach/fields.h"
#include "reach/moveit.h"
#include "reach/task.h"

enum { CRI_MOVEIT_PIECES_MAX = 10000, CRI_MOVEIT_FRAMES_MAX = 256 };

// A configuration of the robot and where its root stands, as far as a file says.
typedef struct cri_moveit_state {
    double q[CR_ARM_MAX_DOFS];
    cri_location places[CR_ARM_MAX_DOFS]; // of the values; line 0: not given
    uint32_t read;                        // bit d: the file being read gave value d
    cr_pose base;
    bool based; // base was given
} cri_moveit_state;

typedef struct cri_moveit_object {
    const char *name;
    cr_pose pose; // in the world
    bool gone;    // removed again
} cri_moveit_object;

// A shape of an object.
typedef struct cri_moveit_piece {
    int object;
    cr_shape shape;
    cr_pose pose; // in the object
} cri_moveit_piece;

// A name for a place in the world.
typedef struct cri_moveit_frame {
    const char *name;
    cr_pose pose;
} cri_moveit_frame;

typedef struct cri_moveit {
    const cr_arm *arm; // the caller's
    cr_arm *own;       // the task's own; NULL as long as nothing differs
    cr_reach_tasks *tasks;
    cr_reach_task *task;
    const cri_node *scene, *request; // roots; request may be NULL
    const char *scene_file, *request_file;
    const char *file; // the one being read
    cr_report *report;
    cr_status status;                    // of the first error
    cri_moveit_state state, start, goal; // of scene and request
    uint32_t held;                       // bit d: degree of freedom d keeps its start
    int object_count, piece_count, frame_count;
    cri_moveit_object *objects; // owned, as are the pieces
    cri_moveit_piece *pieces;
    cri_moveit_frame frames[CRI_MOVEIT_FRAMES_MAX];
} cri_moveit;

extern const cri_field cri_moveit_scene_fields[], cri_moveit_request_fields[];

// ---------------------------------------------------------------------------------------------
// Values.

cri_location cri_moveit_place(const cri_moveit *r, const cri_node *node);

// Report an error at a node; returns false.
bool cri_moveit_fail(cri_moveit *r, cr_status status, const cri_node *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// All of these answer false after an error. What is not there (NULL or null) is a list of nothing,
// the text "", no flag, and the pose of no motion.
bool cri_moveit_list(cri_moveit *r, const cri_node *node, const char *what, int *count);
bool cri_moveit_text_of(cri_moveit *r, const cri_node *node, const char *what, const char **text);
bool cri_moveit_flag(cri_moveit *r, const cri_node *node, const char *what, bool *flag);
bool cri_moveit_number(cri_moveit *r, const cri_node *node, const char *what, double *value);
bool cri_moveit_pose(cri_moveit *r, const cri_node *node, cr_pose *pose); // position, orientation
bool cri_moveit_transform(cri_moveit *r, const cri_node *node,
                          cr_pose *pose); // translation, rotation

// header: frame_id: of a message.
bool cri_moveit_frame_id(cri_moveit *r, const cri_node *message, const char **frame);

// ---------------------------------------------------------------------------------------------
// Parts, in the order they are called. They report errors and set r->status.

// The states of scene and request: joints, bases, limits; the goal; the group.
void cri_moveit_read_states(cri_moveit *r);

// Frames and objects of the scene.
void cri_moveit_read_world(cri_moveit *r);

// The scene's allowed collisions and padding.
void cri_moveit_read_pairs(cri_moveit *r);

// The task's own arm; NULL when memory ran out, which is reported.
cr_arm *cri_moveit_own_arm(cri_moveit *r);

#endif
