/// @file playback.h
/// A playback is something to look at: bodies, and one or more worlds in which they move. Plans,
/// drives and reaches are all turned into one, which belongs to the caller, and every picture and
/// animation file is made from one: `.html`, `.glb`, `.csv`, `.svg`.
///
/// Frame f is the state at the time f x frame_seconds. What is done (actions, inputs, spans) is
/// held from a frame on, up to the next; what happened on the way to a frame (contacts) is noted
/// there.
///
/// Threads: a playback is memory that nothing changes: any number of threads may write files from
/// it.
#ifndef CAROM_PLAYBACK_H
#define CAROM_PLAYBACK_H

#include "decor.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body as it looks. A fixed body has one pose; the poses of the others are in the worlds.
typedef struct cr_playback_body {
    const char *name;
    uint32_t color; ///< 0xRRGGBB
    bool moving;
    int track;    ///< index among the moving bodies
    cr_pose pose; ///< at the start
    int part_count;
    const cr_part *parts; ///< in the body's frame; `material` is not looked at
} cr_playback_body;

/// A line on the ground or in the air: a track's edge, a race line, the outline of a region.
typedef struct cr_playback_line {
    const char *name;
    uint32_t color;
    bool closed;
    int point_count;
    const cr_vec3 *points;
} cr_playback_line;

/// Something that lasts: "putt" in the row of the Tactic "golfer", from the time of frame `from` to
/// that of frame `to`. The last one ends with the last frame.
typedef struct cr_playback_span {
    const char *row, *label;
    int from, to;
} cr_playback_span;

/// Two bodies that begin to touch; a touch that lasts is one contact. Planes are left out
/// (cr_event).
typedef struct cr_playback_contact {
    int frame; ///< the first after the touch
    int a, b;  ///< bodies
    cr_vec3 point;
    double impulse; ///< N s
} cr_playback_contact;

/// A quantity over time: one value a frame.
typedef struct cr_playback_channel {
    const char *name, *unit;
    const double *values; ///< frame_count of them
} cr_playback_channel;

/// A point of a search tree: where a body is in a node. A node has a point for each body that the
/// search moves.
typedef struct cr_playback_node {
    int parent; ///< index of an earlier point of the same body, or -1: that of the nearest node on
                ///< the way to the root which is shown
    int body;
    float x, y, z;
    int order; ///< points appear in this order: that in which the search kept their branches
} cr_playback_node;

/// Why branches of the search ended.
typedef struct cr_playback_reason {
    const char *kind; ///< "goal", "rule", "engine", "skill" or "time"
    const char *text; ///< "broke the rule never: {touching: [ball, water]}"
    int count;        ///< branches among the ends that ended so
} cr_playback_reason;

/// Where a branch ended and why, for a body that it moved; or a point on the way there of a branch
/// that died, which is not in the tree.
typedef struct cr_playback_end {
    cr_playback_node at; ///< its parent is a point of the tree, or node_count + an earlier one of
                         ///< these, or -1
    int reason;          ///< -1: a point on the way
} cr_playback_end;

/// A Tactic as a graph: its Skills, and which may follow which.
typedef struct cr_playback_tactic {
    const char *name; ///< as the row of its spans
    int body;         ///< that it controls
    int start;        ///< the Skill it starts in
    int skill_count;
    const char *const *skills; ///< as the labels of its spans
    int way_count;
    const int *ways; ///< from, to; from, to; ...
} cr_playback_tactic;

/// What was put in from frame to frame, as a table that can be fed back: `.inputs.csv`.
typedef struct cr_playback_inputs {
    const char *about; ///< comment lines above it, parted by newlines
    int column_count;
    const char *const *columns;
    const double *values; ///< frame_count rows
} cr_playback_inputs;

/// One future. frames[f * track_count + t] is the pose of the moving body with track t in frame f.
typedef struct cr_playback_world {
    const char *title; ///< "solution 3"
    double score;      ///< larger is better; 0 if there is none
    int frame_count;
    const cr_pose *frames;
    const cr_vec3 *velocities; ///< like frames; NULL if unknown
    const cr_vec3 *spins;      ///< rad/s, like frames; NULL if unknown
    const cr_action *actions;  ///< like frames: what is done from the frame on, nothing in the last
                               ///< one; NULL if unknown
    const cr_playback_inputs *inputs; ///< NULL if unknown
    int span_count;
    const cr_playback_span *spans;
    int contact_count;
    const cr_playback_contact *contacts;
    int channel_count;
    const cr_playback_channel *channels;
    const char *failed; ///< why it is no solution, as the last row of a table says; NULL: it is one
    bool planned; ///< what a plan foretold of the first world, and no world of its own: a page
                  ///< shows it as a ghost there. Such come after all others
    int from;     ///< planned: the frame of the first world that its frame 0 is
} cr_playback_world;

typedef struct cr_playback {
    const char *title, *about;
    double frame_seconds; ///< time between two frames
    int body_count, track_count;
    const cr_playback_body *bodies;
    int line_count;
    const cr_playback_line *lines;
    int region_count;
    const cr_region *regions; ///< drawn as tinted volumes or floor marks
    int goal_count;
    const int *goals; ///< regions that the goal asks for
    int tactic_count;
    const cr_playback_tactic *tactics;
    cr_decor decor; ///< how it is dressed
    int world_count;
    const cr_playback_world *worlds; ///< best first
    int node_count;
    const cr_playback_node *nodes; ///< points of the search tree; may be none
    int64_t tree_nodes;            ///< nodes of the whole tree
    int64_t tree_shown; ///< those of them that have points: all, or every so many a branch
    int reason_count;
    const cr_playback_reason *reasons;
    int end_count;
    const cr_playback_end *ends;           ///< of branches: of many, some spread over the search
    int64_t dead_rule, dead_engine, ended; ///< branches, as cr_planner_stats counts them
} cr_playback;

/// Free a playback that cr_plan_playback, cr_drive_playback or cr_reach_playback made, with all
/// that it points to; NULL is allowed. One that you filled yourself is yours.
CR_API void cr_playback_destroy(cr_playback *playback);

/// Whether cr_playback_write could write there, asked before long work for it: the ending is known,
/// this build has that format, and the file can be made (cr_file_try). Leaves all as it was.
CR_API cr_status cr_playback_try(const char *path, cr_report *report);

/// Write a playback in the format that the path's ending names: .html, .glb, .svg or .csv
/// (states; .actions.csv, .contacts.csv, .channels.csv, .skills.csv and .inputs.csv for these). The
/// first world is written where the format holds only one. The file is complete or not there.
CR_API cr_status cr_playback_write(const cr_playback *playback, const char *path,
                                   cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
