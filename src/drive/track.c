// Making a track from its cross-sections, checking it, and finding one's way on it.
//
//          left wall   o-----------o-----------o
//                      |           |           |       -> along
//     gate i, i+1, ..  +-----------+-----------+   centre line
//                      |           |           |
//          right wall  o-----------o-----------o
//
// A point lies between gate i and i+1 when it is ahead of the line through gate i and behind the
// line through gate i+1. Moving points are followed from where they were, so no search is needed
// and a hairpin's two arms are never mixed up.
#include "drive/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"
#include "drive/line.h"

#define MAX_STEP    1000.0 // m
#define FINISH_ROOM 30.0   // m of open track behind the finish line
#define FOLD_BACK   0.5    // m that a wall may go back within a bend
#define FOLD_TURN   0.8    // rad that a bend may turn while its inner wall stands
#define MAX_ALONG   1e6    // m
#define MAX_SPEED   1e3    // m/s

cr_track_def cr_default_track_def(void)
{
    return (cr_track_def){.name = "track", .closed = true, .start_along = -1};
}

const char *cr_track_title(const cr_track *track)
{
    return track->name;
}

double cr_track_length(const cr_track *track)
{
    return track->length;
}

bool cr_track_closed(const cr_track *track)
{
    return track->closed;
}

void cr_track_destroy(cr_track *track)
{
    if (track) {
        cri_line_destroy(track->line);
        cri_grid_free(&track->grid);
        free(track->gates);
        free(track->walls);
        free(track->cars);
        free(track);
    }
}

// ---------------------------------------------------------------------------------------------
// Checks

static cri_location point_place(const cri_track_source *source, int point)
{
    if (!source || !source->lines) {
        return (cri_location){source ? source->file : NULL, 0, 0};
    }
    return (cri_location){source->file, source->lines[point], 1};
}

static cr_status check_point(const cr_track_def *def, int i, const cri_track_source *source,
                             cr_report *report)
{
    const cr_track_point *p = &def->points[i];
    cri_location place = point_place(source, i);
    if (!(fabs(p->x) <= CRI_TRACK_EXTENT && fabs(p->y) <= CRI_TRACK_EXTENT)) {
        return cri_fail(report, CR_ERR_RANGE, place,
                        "track point %d: x and y must be within %g m of zero, got %g, %g", i + 1,
                        CRI_TRACK_EXTENT, p->x, p->y);
    }
    if (!(p->left > 0 && p->right > 0 && p->left <= CRI_TRACK_WIDTH &&
          p->right <= CRI_TRACK_WIDTH)) {
        return cri_fail(report, CR_ERR_RANGE, place,
                        "track point %d: widths must be > 0 and up to %g m, got %g right, %g left",
                        i + 1, CRI_TRACK_WIDTH, p->right, p->left);
    }
    return CR_OK;
}

static double step_length(const cr_track_def *def, int i)
{
    const cr_track_point *a = &def->points[i], *b = &def->points[(i + 1) % def->point_count];
    double dx = b->x - a->x, dy = b->y - a->y;
    return sqrt(dx * dx + dy * dy);
}

static cr_status check_steps(const cr_track_def *def, const cri_track_source *source,
                             cr_report *report)
{
    double longest = 0;
    for (int i = 0; i + 1 < def->point_count; i++) {
        double step = step_length(def, i);
        if (!(step > 0.01 && step < MAX_STEP)) {
            return cri_fail(report, CR_ERR_RANGE, point_place(source, i + 1),
                            "track point %d: must be 0.01 to %g m from the point before, got %g m",
                            i + 2, MAX_STEP, step);
        }
        longest = fmax(longest, step);
    }
    double gap = step_length(def, def->point_count - 1);
    if (def->closed && gap > 3 * longest) {
        return cri_fail(
            report, CR_ERR_RANGE, point_place(source, def->point_count - 1),
            "the track is said to be closed, but its last point is %g m from its first, "
            "more than three times the longest step (%g m)",
            gap, longest);
    }
    return CR_OK;
}

// The car's own start, and the other cars.
static cr_status check_traffic(const cr_track_def *def, cri_location place, cr_report *report)
{
    if (!(fabs(def->start_speed) <= MAX_SPEED) || !(fabs(def->start_along) <= MAX_ALONG)) {
        return cri_fail(report, CR_ERR_RANGE, place,
                        "the start must be up to %g m along at up to %g m/s, got %g m, %g m/s",
                        MAX_ALONG, MAX_SPEED, def->start_along, def->start_speed);
    }
    for (int i = 0; i < def->car_count; i++) {
        const cr_track_car *car = &def->cars[i];
        if (!(fabs(car->along) <= MAX_ALONG) || !(fabs(car->aside) <= CRI_TRACK_WIDTH) ||
            !(fabs(car->speed) <= MAX_SPEED)) {
            return cri_fail(report, CR_ERR_RANGE, place,
                            "car %d must be up to %g m along, %g m aside and %g m/s fast, got %g, "
                            "%g, %g",
                            i + 1, MAX_ALONG, CRI_TRACK_WIDTH, MAX_SPEED, car->along, car->aside,
                            car->speed);
        }
    }
    return CR_OK;
}

static cr_status check_def(const cr_track_def *def, const cri_track_source *source,
                           cr_report *report)
{
    cri_location place = {source ? source->file : NULL, 0, 0};
    if (def->point_count < 4 || def->point_count > CR_TRACK_MAX_POINTS) {
        return cri_fail(report, CR_ERR_RANGE, place, "a track needs 4 to %d points, got %d",
                        CR_TRACK_MAX_POINTS, def->point_count);
    }
    if (def->car_count < 0 || def->car_count > CR_TRACK_MAX_CARS) {
        return cri_fail(report, CR_ERR_RANGE, place, "a track holds up to %d cars, got %d",
                        CR_TRACK_MAX_CARS, def->car_count);
    }
    cr_status status = check_traffic(def, place, report);
    for (int i = 0; i < def->point_count && status == CR_OK; i++) {
        status = check_point(def, i, source, report);
    }
    return status ? status : check_steps(def, source, report);
}

// ---------------------------------------------------------------------------------------------
// Gates and walls

// A file may repeat its first point at the end; a closed track here does not.
static int distinct_points(const cr_track_def *def)
{
    bool repeats = def->closed && step_length(def, def->point_count - 1) <= 0.01;
    return def->point_count - (repeats ? 1 : 0);
}

static void make_gate(cr_track *track, const cr_track_def *def, int i)
{
    int n = track->gate_count;
    int before = i > 0 ? i - 1 : (track->closed ? n - 1 : 0);
    int after = i + 1 < n ? i + 1 : (track->closed ? 0 : n - 1);
    const cr_track_point *p = &def->points[i], *a = &def->points[before], *b = &def->points[after];
    cr_vec3 t = cri_unit((cr_vec3){b->x - a->x, b->y - a->y, 0}, (cr_vec3){1, 0, 0});
    track->gates[i] = (cri_gate){p->x, p->y, t.x, t.y, p->left, p->right, 0, 0};
}

static double point_segment(double px, double py, const cri_drive_wall *w)
{
    double dx = w->x1 - w->x0, dy = w->y1 - w->y0;
    double t = ((px - w->x0) * dx + (py - w->y0) * dy) / (dx * dx + dy * dy);
    t = cri_clamp(t, 0, 1);
    double ex = px - w->x0 - t * dx, ey = py - w->y0 - t * dy;
    return sqrt(ex * ex + ey * ey);
}

static cri_drive_wall gate_segment(const cri_gate *g)
{
    return (cri_drive_wall){g->x - g->ty * g->left, g->y + g->tx * g->left, g->x + g->ty * g->right,
                            g->y - g->tx * g->right};
}

// The smallest distance between two gates. They do not cross: check_walls sees to it.
static double gate_distance(const cri_gate *a, const cri_gate *b)
{
    cri_drive_wall wa = gate_segment(a), wb = gate_segment(b);
    return fmin(fmin(point_segment(wa.x0, wa.y0, &wb), point_segment(wa.x1, wa.y1, &wb)),
                fmin(point_segment(wb.x0, wb.y0, &wa), point_segment(wb.x1, wb.y1, &wa)));
}

static void measure(cr_track *track)
{
    int n = track->gate_count;
    if (track->closed) {
        track->gates[n] = track->gates[0];
    }
    int last = track->closed ? n : n - 1;
    for (int i = 1; i <= last; i++) {
        cri_gate *a = &track->gates[i - 1], *b = &track->gates[i];
        double dx = b->x - a->x, dy = b->y - a->y;
        b->along = a->along + sqrt(dx * dx + dy * dy);
        b->shortest = a->shortest + gate_distance(a, b);
    }
    track->length = track->gates[last].along;
    track->shortest = track->gates[last].shortest;
    track->goal = track->length - (track->closed ? 0 : FINISH_ROOM);
}

static void make_walls(cr_track *track)
{
    int n = track->gate_count, steps = track->closed ? n : n - 1;
    for (int i = 0; i < steps; i++) {
        cri_drive_wall a = gate_segment(&track->gates[i]),
                       b = gate_segment(&track->gates[(i + 1) % n]);
        track->walls[track->wall_count++] = (cri_drive_wall){a.x0, a.y0, b.x0, b.y0};
        track->walls[track->wall_count++] = (cri_drive_wall){a.x1, a.y1, b.x1, b.y1};
    }
    if (!track->closed) {
        track->walls[track->wall_count++] = gate_segment(&track->gates[0]);
    }
}

// How far a wall leads on along the step of the centre line that it goes with; less than nothing
// where the inner side of a bend is folded over: neighbouring gates cross there, though the walls
// need not. A ring as wide as its radius has all of its inner wall in one point.
static double wall_advance(const cr_track *track, int wall)
{
    const cri_drive_wall *w = &track->walls[wall];
    const cri_gate *a = &track->gates[wall / 2], *b = a + 1;
    double dx = b->x - a->x, dy = b->y - a->y;
    return ((w->x1 - w->x0) * dx + (w->y1 - w->y0) * dy) / sqrt(dx * dx + dy * dy);
}

static double step_turn(const cr_track *track, int step)
{
    const cri_gate *a = &track->gates[step], *b = a + 1;
    return fabs(cri_atan2(a->tx * b->ty - a->ty * b->tx, a->tx * b->tx + a->ty * b->ty));
}

// The first point at which one wall (side 0: left, 1: right) is folded over, or -1. Surveyed tracks
// have hairpins nearly as tight as they are wide, so a step that goes back a little is let pass; a
// bend in which the wall comes to nothing, or back by more than a hand, is not.
static int find_fold(const cr_track *track, int side)
{
    int steps = track->closed ? track->gate_count : track->gate_count - 1;
    double back = 0, turn = 0;
    for (int i = 0; i < steps; i++) {
        double advance = wall_advance(track, 2 * i + side);
        bool stands = advance < 1e-6;
        back = stands ? back - advance : 0;
        turn = stands ? turn + step_turn(track, i) : 0;
        if (back > FOLD_BACK || turn > FOLD_TURN) {
            return i;
        }
    }
    return -1;
}

static cr_status check_folds(const cr_track *track, const cri_track_source *source,
                             cr_report *report)
{
    for (int side = 0; side < 2; side++) {
        int fold = find_fold(track, side);
        if (fold >= 0) {
            const cri_gate *g = &track->gates[fold];
            return cri_fail(report, CR_ERR_RANGE, point_place(source, fold),
                            "the %s wall runs backwards after track point %d: the track bends "
                            "tighter there than it is wide to that side (%g m)",
                            side ? "right" : "left", fold + 1, side ? g->right : g->left);
        }
    }
    return CR_OK;
}

static cr_status check_cut(const cr_track *track, const cri_track_source *source, cr_report *report)
{
    cri_crossing cut = cri_grid_cut(track);
    return cut.a < 0 ? CR_OK
                     : cri_fail(report, CR_ERR_RANGE, point_place(source, cut.a),
                                "the wall after track point %d crosses the centre line after "
                                "point %d",
                                cut.b / 2 + 1, cut.a + 1);
}

static cr_status check_crossing(const cr_track *track, const cri_track_source *source,
                                cr_report *report)
{
    cri_crossing crossing = cri_grid_crossing(track);
    if (crossing.a < 0) {
        return CR_OK;
    }
    int a = crossing.a / 2, b = crossing.b / 2;
    const cri_drive_wall *w = &track->walls[crossing.a];
    return cri_fail(report, CR_ERR_RANGE, point_place(source, a),
                    "the walls after track points %d and %d cross near %.1f, %.1f: a track may not "
                    "cross itself (no bridges), nor bend tighter than its half width",
                    a + 1, b + 1, w->x0, w->y0);
}

static cr_status check_walls(const cr_track *track, const cri_track_source *source,
                             cr_report *report)
{
    cr_status status = check_crossing(track, source, report);
    status = status ? status : check_cut(track, source, report);
    return status ? status : check_folds(track, source, report);
}

// Between the two walls of one step: they do not cross, so an end is nearest.
static double step_width(const cr_track *track, int step)
{
    const cri_drive_wall *left = &track->walls[2 * step], *right = left + 1;
    return fmin(
        fmin(point_segment(left->x0, left->y0, right), point_segment(left->x1, left->y1, right)),
        fmin(point_segment(right->x0, right->y0, left), point_segment(right->x1, right->y1, left)));
}

static void find_narrow(cr_track *track, const cri_track_source *source)
{
    int steps = track->closed ? track->gate_count : track->gate_count - 1, narrowest = 0;
    for (int i = 1; i < steps; i++) {
        narrowest = step_width(track, i) < step_width(track, narrowest) ? i : narrowest;
    }
    cri_location place = point_place(source, narrowest);
    track->narrow = (cri_narrow){
        .width = step_width(track, narrowest), .point = narrowest + 1, .line = place.line};
    snprintf(track->narrow.file, sizeof track->narrow.file, "%s", place.file ? place.file : "");
}

cr_status cri_track_check_car(const cr_track *track, const cr_car *car, cr_report *report)
{
    const cri_narrow *narrow = &track->narrow;
    if (narrow->width > 2 * car->half_width) {
        return CR_OK;
    }
    return cri_fail(report, CR_ERR_RANGE,
                    (cri_location){narrow->file, narrow->line, narrow->line ? 1 : 0},
                    "the track is %.3g m wide at point %d, the car is %.3g m: it cannot pass",
                    narrow->width, narrow->point, 2 * car->half_width);
}

// An open track has a finish line, and the car begins before it.
static cr_status check_start(const cr_track *track, const cri_track_source *source,
                             cr_report *report)
{
    if (track->closed || track->start_along < track->goal) {
        return CR_OK;
    }
    cri_location place = {source ? source->file : NULL, 0, 0};
    return cri_fail(report, CR_ERR_RANGE, place,
                    "an open track must be longer than %g m (the start and %g m behind the finish "
                    "line), got %.4g m",
                    track->start_along + FINISH_ROOM, FINISH_ROOM, track->length);
}

static cr_status allocate(cr_track *track, const cr_track_def *def, cr_report *report)
{
    track->gate_count = distinct_points(def);
    track->gates = calloc((size_t)track->gate_count + 1, sizeof *track->gates);
    track->walls = calloc(2 * (size_t)track->gate_count + 1, sizeof *track->walls);
    track->cars = calloc((size_t)def->car_count + 1, sizeof *track->cars);
    return track->gates && track->walls && track->cars ? CR_OK : cri_fail_memory(report);
}

static void fill(cr_track *track, const cr_track_def *def)
{
    snprintf(track->name, sizeof track->name, "%s", def->name);
    for (int i = 0; i < track->gate_count; i++) {
        make_gate(track, def, i);
    }
    measure(track);
    make_walls(track);
    track->car_count = def->car_count;
    for (int i = 0; i < def->car_count; i++) {
        track->cars[i] = def->cars[i];
    }
    track->start_speed = def->start_speed;
    track->start_backwards = def->start_backwards;
    track->start_along = def->start_along >= 0 ? def->start_along : (def->closed ? 0 : 5);
}

cr_status cri_track_make(const cr_track_def *def, const cri_track_source *source, cr_track **out,
                         cr_report *report)
{
    *out = NULL;
    cr_status status = check_def(def, source, report);
    if (status != CR_OK) {
        return status;
    }
    cr_track *track = calloc(1, sizeof *track);
    if (!track) {
        return cri_fail_memory(report);
    }
    track->closed = def->closed;
    status = allocate(track, def, report);
    if (status == CR_OK) {
        fill(track, def);
        status = cri_grid_build(track, report);
    }
    status = status ? status : check_walls(track, source, report);
    status = status ? status : check_start(track, source, report);
    if (status == CR_OK) {
        find_narrow(track, source);
        status = cri_line_create(track, &track->line, report);
    }
    if (status != CR_OK) {
        cr_track_destroy(track);
        return status;
    }
    *out = track;
    return CR_OK;
}

cr_status cr_track_create(const cr_track_def *def, cr_track **track, cr_report *report)
{
    return cri_track_make(def, NULL, track, report);
}

// ---------------------------------------------------------------------------------------------
// Finding one's way

static double ahead_of(const cri_gate *g, double x, double y)
{
    return (x - g->x) * g->tx + (y - g->y) * g->ty;
}

// Where in its pair of gates the point is.
static void finish_spot(const cr_track *track, cri_spot *spot, double x, double y)
{
    const cri_gate *a = &track->gates[spot->gate], *b = a + 1;
    double da = ahead_of(a, x, y), db = -ahead_of(b, x, y);
    da = da > 0 ? da : 0;
    db = db > 0 ? db : 0;
    double share = da + db > 0 ? da / (da + db) : 0;
    double ex = x - a->x - share * (b->x - a->x), ey = y - a->y - share * (b->y - a->y);
    spot->along = spot->lap * track->length + a->along + share * (b->along - a->along);
    spot->ahead = db;
    spot->share = share;
    spot->aside = ey * a->tx - ex * a->ty;
}

bool cri_track_inside(const cr_track *track, const cri_spot *spot)
{
    const cri_gate *a = &track->gates[spot->gate], *b = a + 1;
    return (spot->aside < a->left || spot->aside < b->left) &&
           (-spot->aside < a->right || -spot->aside < b->right);
}

void cri_track_follow(const cr_track *track, cri_spot *spot, double x, double y)
{
    int gate = spot->gate, lap = spot->lap;
    int last = track->closed ? track->gate_count - 1 : track->gate_count - 2;
    int limit = track->gate_count;
    while (limit-- > 0 && ahead_of(&track->gates[gate + 1], x, y) >= 0) {
        if (gate < last) {
            gate++;
        } else if (track->closed) {
            gate = 0;
            lap++;
        } else {
            break;
        }
    }
    while (limit-- > 0 && ahead_of(&track->gates[gate], x, y) < 0) {
        if (gate > 0) {
            gate--;
        } else if (track->closed) {
            gate = last;
            lap--;
        } else {
            break;
        }
    }
    spot->gate = gate;
    spot->lap = lap;
    finish_spot(track, spot, x, y);
}

cri_spot cri_track_spot(const cr_track *track, double along)
{
    int lap = track->closed ? (int)floor(along / track->length) : 0;
    double rest = along - lap * track->length;
    int low = 0, high = track->closed ? track->gate_count : track->gate_count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (track->gates[middle].along <= rest) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const cri_gate *a = &track->gates[low], *b = a + 1;
    return (cri_spot){low, lap, along, b->along - rest, (rest - a->along) / (b->along - a->along),
                      0};
}

cri_drive_pose cri_track_pose(const cr_track *track, double along, double aside)
{
    cri_spot spot = cri_track_spot(track, along);
    const cri_gate *a = &track->gates[spot.gate], *b = a + 1;
    double t = 1 - spot.ahead / (b->along - a->along); // beyond an open end: straight on
    cr_vec3 d = {a->tx + t * (b->tx - a->tx), a->ty + t * (b->ty - a->ty), 0};
    d = cri_unit(d, (cr_vec3){1, 0, 0});
    return (cri_drive_pose){a->x + t * (b->x - a->x) - aside * d.y,
                            a->y + t * (b->y - a->y) + aside * d.x, d.x, d.y};
}

cri_drive_pose cri_track_car_pose(const cr_track *track, int car, double seconds)
{
    const cr_track_car *c = &track->cars[car];
    cri_drive_pose place = cri_track_pose(track, c->along + c->speed * seconds, c->aside);
    if (c->speed < 0) {
        place.c = -place.c;
        place.s = -place.s;
    }
    return place;
}
