// The race line: the smoothest way round a track, how fast the car can follow it, and the time that
// is left from any place and speed. Also the quasi-steady-state bound on a given line.
#ifndef CRI_DRIVE_LINE_H
#define CRI_DRIVE_LINE_H

#include "drive/track.h"

// One point a gate.
typedef struct cri_line {
    int count; // closed: gate_count, and the first again at the end
    bool closed;
    double *offset;    // m left of the centre line
    double *x, *y;     //
    double *along;     // m along the line
    double *curvature; // 1/m, left positive
    double length;
} cri_line;

cr_status cri_line_create(const cr_track *track, cri_line **out, cr_report *report);
void cri_line_destroy(cri_line *line);

// A closed line through points.
cr_status cri_line_through(const cr_vec2 *points, int count, cri_line **out, cr_report *report);

// The same from a table of points; text[length] is zero. path: named in messages.
cr_status cri_line_parse(const char *text, size_t length, const char *path, cri_line **line,
                         cr_report *report);

// Along which speeds and sideways accelerations the car can gain or lose how much speed: a table
// over speed and sideways acceleration.
typedef struct cri_envelope {
    int speeds, sideways;
    double speed_step, sideways_step;
    float *most;  // m/s2 along; -HUGE_VALF where the tyres do not hold
    float *least; // the hardest slowing, below zero
    double top;   // m/s
} cri_envelope;

// Which limits hold.
typedef enum cri_limits_kind {
    CRI_LIMITS_POINT, // a point mass: grip g sideways and pedals along, independent of each other
    CRI_LIMITS_CAR,   // the car sliding steadily, at any angle up to broadside
    CRI_LIMITS_TIDY,  // the same up to the angles at which the tyres still steer
} cri_limits_kind;

cr_status cri_envelope_create(const cr_car *car, cri_limits_kind kind, cri_envelope **out,
                              cr_report *report);
void cri_envelope_destroy(cri_envelope *envelope);

// The fastest speeds along a line, from the limits: corners, then gaining forwards, then losing
// backwards. speeds: line->count + 1 values. start: m/s at the first point of an open line. Returns
// the time from end to end, s.
double cri_line_speeds(const cri_line *line, const cri_envelope *envelope, double start,
                       double *speeds);

// Time to go: for each gate and speed, how long the rest of the lap (or of the track) takes.
typedef struct cri_togo {
    int gates, speeds;
    double step;  // m/s
    double lap;   // s for a flying lap; 0 for open tracks
    float *time;  // gates * speeds
    float *limit; // the profile's speed at each gate
} cri_togo;

cr_status cri_togo_create(const cr_track *track, const cr_car *car, cri_togo **out,
                          cr_report *report);
void cri_togo_destroy(cri_togo *togo);

#endif
