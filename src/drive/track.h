// A track ready to drive on: cross-sections (gates) in order, walls in a grid, other cars.
#ifndef CRI_DRIVE_TRACK_H
#define CRI_DRIVE_TRACK_H

#include "base/report.h"
#include "drive/moves.h"

// A cross-section. `along` runs from 0; `shortest` is a lower bound of the way from gate 0, the sum
// of the smallest distances between gates.
typedef struct cri_gate {
    double x, y;        // on the centre line
    double tx, ty;      // unit tangent
    double left, right; // m to the walls
    double along, shortest;
} cri_gate;

typedef struct cri_drive_wall {
    double x0, y0, x1, y1;
} cri_drive_wall;

// Square cells. Each lists the walls that touch it, and knows how far every point of it is from
// any wall at least, up to CRI_GRID_SEES.
typedef struct cri_grid {
    double x, y, size; // corner and cell size, m
    int columns, rows;
    int *first; // columns * rows + 1 of them: where the list of a cell begins in `walls`
    int *walls;
    float *clear;
} cri_grid;

#define CRI_GRID_SEES 12.0

// Where the walls are nearest to each other.
typedef struct cri_narrow {
    double width;    // m
    int point, line; // from 1: the track's point, and its line in the file; 0 without a file
    char file[128];
} cri_narrow;

struct cr_track {
    char name[64];
    bool closed;
    int gate_count;
    cri_gate *gates; // closed: gate_count + 1, the last is the first again, one length on
    double length, shortest;
    double goal; // open: where the finish line is, m along
    int wall_count;
    cri_drive_wall *walls;
    cri_grid grid;
    int car_count;
    cr_track_car *cars;
    double start_speed, start_along;
    bool start_backwards;
    struct cri_line *line; // the race line; made with the track
    cri_narrow narrow;
};

// A place on the track: between gate `gate` and the next, after `lap` laps.
typedef struct cri_spot {
    int gate, lap;
    double along; // m from the start of the first lap
    double ahead; // m to the line of the next gate, >= 0
    double share; // 0 .. 1 of the way from its gate to the next
    double aside; // m to the left of the centre line
} cri_spot;

// Follow a point that has moved a little from where `spot` was found. Only its gate and lap are
// looked at; all of it is filled in.
void cri_track_follow(const cr_track *track, cri_spot *spot, double x, double y);

// The spot at this many metres along; and the point there, `aside` metres to the left.
cri_spot cri_track_spot(const cr_track *track, double along);
typedef struct cri_drive_pose {
    double x, y, c, s;
} cri_drive_pose;
cri_drive_pose cri_track_pose(const cr_track *track, double along, double aside);

// Where the other car is at a time.
cri_drive_pose cri_track_car_pose(const cr_track *track, int car, double seconds);

// Whether a car whose middle is there is still between the walls.
bool cri_track_inside(const cr_track *track, const cri_spot *spot);

// True if the box touches a wall.
bool cri_track_hits(const cr_track *track, const cri_box *box);

// Distance from the box to the nearest wall, 0 if they touch, at most `most`.
double cri_track_clearance(const cr_track *track, const cri_box *box, double most);

bool cri_boxes_touch(const cri_box *a, const cri_box *b);

// grid.c
cr_status cri_grid_build(cr_track *track, cr_report *report);
void cri_grid_free(cri_grid *grid);

// A pair of walls that cross, or {-1, -1}. Walls that share an end do not cross.
typedef struct cri_crossing {
    int a, b;
} cri_crossing;
cri_crossing cri_grid_crossing(const cr_track *track);

// A step of the centre line, by its gate, and a wall that cross, or {-1, -1}.
cri_crossing cri_grid_cut(const cr_track *track);

// Refuse a car that is wider than the track somewhere.
cr_status cri_track_check_car(const cr_track *track, const cr_car *car, cr_report *report);

// Where a track's points come from, for messages: `lines` may be NULL.
typedef struct cri_track_source {
    const char *file;
    const int *lines; // line of each point
} cri_track_source;

#define CRI_TRACK_HEADER "x_m,y_m,w_tr_right_m,w_tr_left_m"
#define CRI_TRACK_EXTENT 20000.0 // m from zero
#define CRI_TRACK_WIDTH  500.0   // m to either side

cr_status cri_track_make(const cr_track_def *def, const cri_track_source *source, cr_track **out,
                         cr_report *report);

// A track file's text; text[length] is zero.
cr_status cri_track_parse(const char *text, size_t length, const char *path, bool closed,
                          cr_track **track, cr_report *report);

#endif
