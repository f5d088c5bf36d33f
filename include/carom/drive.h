/// @file drive.h
/// Driving with move trees: a car that skids, the clips a driver records with it, the move graphs
/// made from clips, tracks, and a search that strings clips together around them.
///
/// A drive is a chain of recorded moves. Each is turned and shifted to begin where the one before
/// ended; at every junction a finite-horizon A* looks ahead along the moves that may follow and the
/// car takes the first one of the best chain. The position is continuous by construction; how far
/// the velocity jumps at a junction depends on the graph, is recorded and printed.
///
///     cr_track *track;  cr_moves *moves;  cr_drive *drive;
///     cr_track_builtin("sharp", &track, &report);
///     cr_moves_def what = cr_default_moves_def();
///     cr_moves_create(&what, &moves, &report);
///     cr_drive_def def = cr_default_drive_def();
///     cr_drive_run(track, moves, &def, &drive, &report);
///     cr_playback *playback;
///     cr_drive_playback(drive, &playback, &report);
///     cr_playback_write(playback, "sharp.html", &report);
///
/// Threads: tracks, moves and finished drives never change: any number of threads may use them at
/// once, and drive at once.
#ifndef CAROM_DRIVE_H
#define CAROM_DRIVE_H

#include "base.h"
#include "playback.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// The car: four wheels seen as two, tyres that give way. x is to the front, y to the left, z up.

/// Frames a second of every clip and drive.
#define CR_DRIVE_RATE 25

/// What the car is made of. The tyres hold up to `grip` times the weight sideways: 3 g, far more
/// than a road car; and they are soft, so that such a force needs a slip of some 40 degrees.
typedef struct cr_car {
    double mass;        ///< kg. default 1500
    double inertia;     ///< kg m2, about z. default 1500
    double front, rear; ///< m, centre of mass to the axles. default 1 and 1
    double stiff_front; ///< sideways force per load and radian of slip. default 4.0
    double stiff_rear;  ///< default 4.2: a little more, so the car runs straight by itself
    double grip;        ///< largest sideways force per load. default 3
    double drag;        ///< N s2/m2, air. default 4
    double resistance;  ///< N s/m, rolling. default 20
    double pedal;       ///< N per percent of throttle or brake. default 100
    double half_length, half_width; ///< m, the rectangle that must not touch. default 1.8 and 0.85
    int substeps;                   ///< per frame. default 4
} cr_car;

/// A car with the defaults above.
CR_API cr_car cr_default_car(void);

/// Where the car is and how it moves. Velocities are the world's.
typedef struct cr_car_state {
    double x, y, heading; ///< m, m, rad from the x axis, counter-clockwise
    double vx, vy, spin;  ///< m/s, m/s, rad/s
} cr_car_state;

/// What the driver does during a frame.
typedef struct cr_car_input {
    double steer;    ///< rad, left is positive, within 45 degrees
    double throttle; ///< 0 .. 100; below zero in reverse gear, down to -100
    double brake;    ///< 0 .. 100
} cr_car_input;

#define CR_CAR_MAX_STEER 0.78539816339744830962

/// The state one frame later. Inputs out of range are brought into it.
CR_API cr_car_state cr_car_step(const cr_car *car, cr_car_state state, cr_car_input input);

/// Forward and leftward speed in the car's own frame, m/s.
CR_API cr_vec2 cr_car_local(const cr_car_state *state);

/// The speed at which full throttle only just beats drag and resistance, m/s: 47.6 by default.
CR_API double cr_car_top_speed(const cr_car *car);

// ---------------------------------------------------------------------------------------------
// Tracks: a line of cross-sections with a width to either side, open (start to finish) or closed
// (laps), and other cars that keep to their lines.

typedef struct cr_track cr_track;

/// One cross-section.
typedef struct cr_track_point {
    double x, y;        ///< of the centre line
    double right, left; ///< m to the walls, > 0
} cr_track_point;

/// Another car: it keeps its line and its speed, whatever happens.
typedef struct cr_track_car {
    double along; ///< m along the centre line at time zero
    double aside; ///< m to the left of the centre line
    double speed; ///< m/s; below zero it comes towards us
} cr_track_car;

typedef struct cr_track_def {
    const char *name;             ///< copied
    bool closed;                  ///< default true
    int point_count;              ///< 4 .. CR_TRACK_MAX_POINTS
    const cr_track_point *points; ///< copied
    int car_count;                ///< up to CR_TRACK_MAX_CARS
    const cr_track_car *cars;     ///< copied
    double start_speed;           ///< m/s. default 0
    bool start_backwards; ///< the car stands the wrong way round: it has to turn. default false
    double start_along;   ///< m. default 0 for closed tracks, 5 for open ones
} cr_track_def;

#define CR_TRACK_MAX_POINTS 100000
#define CR_TRACK_MAX_CARS   512

/// A track def with the defaults above and no points.
CR_API cr_track_def cr_default_track_def(void);

/// Make a track. Refused, with a message that says where: fewer than four points, values that are
/// not finite, a width of zero or less, a step of zero length, a loop that does not close, an open
/// track that ends before its finish line, walls that cross each other or the centre line or run
/// backwards (a bridge, or a bend tighter than the track is wide).
CR_API cr_status cr_track_create(const cr_track_def *def, cr_track **track, cr_report *report);

/// Read `x_m,y_m,w_tr_right_m,w_tr_left_m` lines, as in TUM's race track database. Lines that begin
/// with # are comments; one at the head that names the columns must name these, in this order. The
/// same rules hold, located by line and column.
CR_API cr_status cr_track_read(const char *path, bool closed, cr_track **track, cr_report *report);

/// One of the built-in tracks: cr_track_name(0), cr_track_name(1), ... until NULL. The thesis's
/// five are straight-cars, cornered, cornered-cars, sharp and final; dead-end begins facing a wall;
/// oval is a closed loop.
CR_API cr_status cr_track_builtin(const char *name, cr_track **track, cr_report *report);
CR_API const char *cr_track_name(int index);
CR_API const char *cr_track_about(int index);

/// A track by numbers. The same values give the same track.
typedef struct cr_track_recipe {
    double length;    ///< m, about. 200 .. 20 000. default 1500
    int corners;      ///< 1 .. 100 for open tracks, 3 .. 100 for closed ones. default 8
    double sharpness; ///< 0: wide sweeps .. 1: hairpins. default 0.5
    double width;     ///< m, 6 .. 40. default 12
    uint64_t seed;    ///< default 1
    bool closed;      ///< default false
} cr_track_recipe;

/// A recipe with the defaults above.
CR_API cr_track_recipe cr_default_track_recipe(void);

/// Make the track of a recipe. Fails with CR_ERR_RANGE where no such track fits.
CR_API cr_status cr_track_generate(const cr_track_recipe *recipe, cr_track **track,
                                   cr_report *report);

/// Free a track; NULL is fine.
CR_API void cr_track_destroy(cr_track *track);

/// A track's name, its length along the centre line in metres, and whether it is a loop.
CR_API const char *cr_track_title(const cr_track *track);
CR_API double cr_track_length(const cr_track *track);
CR_API bool cr_track_closed(const cr_track *track);

/// The least time for a flying lap along a given line, were the car always in balance: a
/// quasi-steady-state bound. A car that may leave the line can be faster.
typedef struct cr_line_bound {
    double length;     ///< m
    double point_mass; ///< s: 3 g sideways whatever the pedals do, full throttle, full brake, drag
    double car;        ///< s: the same car with the slip that its tyres need, and what that costs
} cr_line_bound;

/// For a closed line of `x_m,y_m` points in a file, or the centre line of a track's file; and for
/// the track's own race line.
CR_API cr_status cr_line_bound_read(const char *path, cr_line_bound *bound, cr_report *report);
CR_API cr_status cr_track_bound(const cr_track *track, cr_line_bound *bound, cr_report *report);

// ---------------------------------------------------------------------------------------------
// Moves: what the car can do next, given how it moves now.

typedef struct cr_moves cr_moves;

typedef enum cr_move_tree {
    CR_MOVE_TREE_SMALL5, ///< straight on, soft and hard turns; every move follows every other
    CR_MOVE_TREE_SMALL7, ///< and two turns that are sharper still
    CR_MOVE_TREE_LARGE, ///< Stop, Medium, Fast and two speeds between each; turns, skids, reversing
    CR_MOVE_TREE_AUTO,  ///< a motion graph made from clips by comparing frames
} cr_move_tree;

/// The tree with that name ("small5", "small7", "large", "auto"), or -1; and the name of a tree.
CR_API int cr_move_tree_find(const char *name);
CR_API const char *cr_move_tree_name(cr_move_tree tree);

/// What a graph is like.
typedef struct cr_moves_facts {
    int clips, frames;      ///< recorded
    int nodes, moves, ways; ///< kept: ways are pairs (node, move that may follow)
    int similar;            ///< auto: pairs of frames closer than the threshold, after the windows
    int redundant;          ///< auto: ways dropped because another does nearly the same
    int unconnected;        ///< auto: moves dropped because they are outside the strong component
    double largest_jump;    ///< of velocity over all ways: m/s and rad/s added up
} cr_moves_facts;

/// How clips are made into a graph (chapter 5 of the thesis).
typedef struct cr_graph_def {
    double threshold;  ///< frames closer than this in |du| + |dv| + |dw| are alike. default 0.02
    int source_window; ///< frames that are not asked after one that found others. default 12
    int target_window; ///< of alike frames this near to each other only one is taken. default 12
    int shortest;      ///< frames that a move has at least at a clip's ends. default 5
    double same_place, same_heading; ///< m, rad: moves that end closer than this are the same
} cr_graph_def;

/// A graph def with the defaults above.
CR_API cr_graph_def cr_default_graph_def(void);

typedef struct cr_moves_def {
    cr_move_tree tree;  ///< default CR_MOVE_TREE_LARGE
    cr_graph_def graph; ///< auto only
    /// auto only: tables of inputs: a person's, `seconds,steering (degrees),throttle,brake` a line,
    /// each held until the next and driven from rest, or the `.inputs.csv` of a drive, driven from
    /// its first state. Where there are any, the graph is made of them alone.
    int input_count;
    const char *const *inputs;
    int threads; ///< auto only. 0: as many as there are cores. Changes nothing but time
} cr_moves_def;

/// A moves def with the defaults above.
CR_API cr_moves_def cr_default_moves_def(void);

/// Record clips, by the scripted driver or from tables of inputs, and make a tree of them.
CR_API cr_status cr_moves_create(const cr_moves_def *def, cr_moves **moves, cr_report *report);
CR_API void cr_moves_destroy(cr_moves *moves);
CR_API cr_moves_facts cr_moves_describe(const cr_moves *moves);

/// All clips as a table, frame by frame, with every digit: the state of the frame, velocities in
/// the car's own frame, and the input from then on, which is not used in a clip's last frame.
CR_API cr_status cr_moves_write_clips(const cr_moves *moves, const char *path, cr_report *report);

/// The graph as a picture: nodes by speed and yaw rate, and the ways of all moves.
CR_API cr_status cr_moves_write_svg(const cr_moves *moves, const char *path, cr_report *report);

// ---------------------------------------------------------------------------------------------
// Drives.

/// How the search guesses the time still to go. All but CR_GUESS_LINE are admissible: they never
/// guess too much.
typedef enum cr_guess {
    CR_GUESS_GOAL,  ///< straight distance to the goal at top speed: the thesis's
    CR_GUESS_TRACK, ///< shortest way along the track at top speed
    CR_GUESS_SPEED, ///< the same, speeding up from the present speed, and turning round if need be
    CR_GUESS_LINE,  ///< time along a precomputed race line at the speed its corners allow
} cr_guess;

/// The guess with that name, or -1; and the name of a guess.
CR_API int cr_guess_find(const char *name);
CR_API const char *cr_guess_name(cr_guess guess);

typedef struct cr_drive_def {
    int horizon;    ///< frames to look ahead. default 150
    int nodes;      ///< nodes a replan may open. default 2500
    int laps;       ///< closed tracks. default 1
    double seconds; ///< give up after this much driving. default 0: a minute and 12 m/s on average
    cr_guess guess; ///< default CR_GUESS_LINE
    double greed;   ///< weight of the guess, >= 1; 1 is A*. default 1.02
    uint64_t seed;  ///< draws the places of other cars along their lines; 0: as the track has them
    double (*clock)(void *context); ///< s; to measure replanning times. default NULL: none measured
    double replan_seconds; ///< of that clock: a replan ends then, if its nodes last that long. What
                           ///< comes out then differs from run to run. default 0: nodes alone count
    bool (*stop)(void *context); ///< asked before each replan: true ends the drive. default NULL
    void *context;               ///< for both
} cr_drive_def;

/// A drive def with the defaults above.
CR_API cr_drive_def cr_default_drive_def(void);

typedef enum cr_drive_end {
    CR_DRIVE_FINISHED, ///< over the finish line, or all laps done
    CR_DRIVE_CRASHED, ///< no move was left that does not touch: the car touches in the one it takes
    CR_DRIVE_TIMEOUT, ///< still going when the time was over, or when it was stopped
} cr_drive_end;

/// The words for it: "finished", "crashed", "still going".
CR_API const char *cr_drive_end_name(cr_drive_end end);

/// What came out.
typedef struct cr_drive_result {
    cr_drive_end end;
    int frames;     ///< recorded, the start being the first
    double seconds; ///< driven, to the finish line where it was reached
    int moves, replans;
    int64_t nodes;              ///< opened over all replans
    int most_nodes;             ///< in one replan
    double best_lap, first_lap; ///< s; 0 where no lap was finished
    int laps;                   ///< finished
    double largest_jump;        ///< of velocity between two moves, m/s and rad/s added up
    double gained;              ///< m/s: all speed gained by jumps less all speed lost
    double largest_slip;        ///< rad, between heading and direction of travel, above 3 m/s
    double top_speed;           ///< m/s
    double clearance;           ///< m, smallest distance to a wall or car, up to 2
    double mean_ms, median_ms, worst_ms; ///< of replans; 0 without a clock
    uint64_t hash;                       ///< over all frames
} cr_drive_result;

typedef struct cr_drive cr_drive;

/// Drive. A crash or a timeout is a result, not an error; a track that is narrower than the car is
/// refused, with the place.
CR_API cr_status cr_drive_run(const cr_track *track, const cr_moves *moves, const cr_drive_def *def,
                              cr_drive **drive, cr_report *report);
CR_API void cr_drive_destroy(cr_drive *drive);
CR_API cr_drive_result cr_drive_outcome(const cr_drive *drive);

/// The drive as something to look at: the car and the others, the walls, the centre line, the line
/// driven; speed, slip, steering and pedals as channels; moves as spans; the inputs as a table.
/// Free it with cr_playback_destroy. The track must outlive it.
CR_API cr_status cr_drive_playback(const cr_drive *drive, cr_playback **playback,
                                   cr_report *report);

/// How far a car gets from a table of inputs when it is driven by it.
typedef struct cr_drive_deviation {
    int frames;      ///< driven
    double distance; ///< m, at most
    double heading;  ///< rad, at most
    double speed;    ///< m/s, at most
} cr_drive_deviation;

/// Drive the default car by the `.inputs.csv` of a drive, and by nothing else: from its first state
/// on, with its inputs and jumps, and compare with its other states.
CR_API cr_status cr_drive_replay(const char *path, cr_drive_deviation *deviation,
                                 cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
