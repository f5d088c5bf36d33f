// Built-in tracks, laid like a model railway: straights and arcs one after the other. The thesis
// shows its five tracks only as small pictures; these have their features, not their exact shape.
// They begin at the origin and lead up, towards the thesis's goal at (0, 100 000).
#include "drive/track.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"

// A straight (radius 0, length in m) or an arc (radius in m, angle in degrees, left positive), at
// whose end the track has this width; widths change evenly along a piece.
typedef struct rail {
    double radius, amount, width;
} rail;

// Cars placed evenly: `count` of them, the first at `from` m, one every `every` m, rows in turn.
typedef struct traffic {
    int count;
    double from, every, speed;
    int rows;
    double aside[6]; // m, of each row
} traffic;

enum { FLOWS = 5 };

typedef struct layout {
    const char *name, *about;
    bool closed, backwards;
    double speed; // at the start
    double width; // at the start
    int rail_count;
    const rail *rails;
    traffic traffic[FLOWS];
} layout;

static const rail straight_rails[] = {{0, 5200, 14}};

static const rail cornered_rails[] = {
    {0, 90, 17}, {70, 45, 17},  {0, 50, 17}, {55, -80, 17}, {0, 70, 17},  {60, 85, 17},
    {0, 50, 17}, {80, -60, 17}, {0, 70, 17}, {50, -75, 17}, {0, 60, 17},  {55, 100, 17},
    {0, 50, 17}, {65, -65, 17}, {0, 50, 17}, {90, 50, 17},  {0, 150, 17},
};

static const rail sharp_rails[] = {
    {0, 160, 14}, {9, -90, 14}, {0, 140, 14}, {9, 90, 14},  {0, 130, 14},
    {9, 90, 14},  {0, 170, 14}, {9, -90, 14}, {0, 150, 14}, {9, -120, 14},
    {0, 130, 14}, {9, 120, 14}, {0, 180, 14},
};

static const rail final_rails[] = {
    {0, 90, 13},  {55, 60, 13}, {0, 50, 13},   {50, -100, 13}, {0, 70, 13},  {45, 40, 13},
    {0, 50, 40},  {0, 420, 40}, {0, 50, 13},   {0, 60, 13},    {9, -95, 14}, {0, 120, 14},
    {40, 95, 13}, {0, 60, 13},  {60, -45, 13}, {0, 60, 13},    {60, 45, 13}, {0, 120, 13},
};

static const rail dead_end_rails[] = {{0, 90, 13}, {30, 60, 13}, {0, 90, 13}};

static const rail oval_rails[] = {{0, 200, 14}, {60, 180, 14}, {0, 200, 14}, {60, 180, 14}};

#define RAILS(name) sizeof(name) / sizeof(name)[0], name

static const layout layouts[] = {
    {.name = "straight-cars",
     .about = "a long straight with other cars (thesis, figure 4.2)",
     .speed = 30,
     .width = 14,
     .rail_count = RAILS(straight_rails),
     .traffic = {{25, 90, 190, 8, 1, {-5}},
                 {28, 130, 170, 11, 1, {-2.5}},
                 {24, 70, 200, 10, 1, {0}},
                 {27, 110, 180, 13, 1, {2.5}},
                 {26, 150, 185, 9, 1, {5}}}},
    {.name = "cornered",
     .about = "corners of many angles (figure 4.3)",
     .speed = 30,
     .width = 17,
     .rail_count = RAILS(cornered_rails)},
    {.name = "cornered-cars",
     .about = "the same with other cars",
     .speed = 30,
     .width = 17,
     .rail_count = RAILS(cornered_rails),
     .traffic = {{12, 110, 80, 8, 1, {-4.5}},
                 {12, 150, 80, 9, 1, {0}},
                 {12, 130, 80, 10, 1, {4.5}}}},
    {.name = "sharp",
     .about = "long straights and sharp corners, to skid into (figure 4.5)",
     .speed = 16,
     .width = 14,
     .rail_count = RAILS(sharp_rails)},
    {.name = "final",
     .about = "bends, a sharp corner and a wide field of other cars (figure 4.6)",
     .speed = 16,
     .width = 13,
     .rail_count = RAILS(final_rails),
     .traffic = {{14, 470, 30, 5, 5, {-14, 3, 12, -6, 8}}, {12, 490, 37, 8, 4, {0, -11, 15, -2}}}},
    {.name = "dead-end",
     .about = "begins nose to the wall: the car has to turn in a narrow place",
     .backwards = true,
     .width = 13,
     .rail_count = RAILS(dead_end_rails)},
    {.name = "oval",
     .about = "a closed loop",
     .closed = true,
     .width = 14,
     .rail_count = RAILS(oval_rails)},
};

enum { LAYOUT_COUNT = sizeof layouts / sizeof layouts[0] };

const char *cr_track_name(int index)
{
    assert(index >= 0);
    return index < LAYOUT_COUNT ? layouts[index].name : NULL;
}

const char *cr_track_about(int index)
{
    assert(index >= 0);
    return index < LAYOUT_COUNT ? layouts[index].about : NULL;
}

// Where the laying has got to.
typedef struct layer {
    double x, y, heading, width;
    cr_track_point *points;
    int count;
} layer;

#define STRAIGHT_STEP 4.0 // m between points
#define ARC_STEP      2.0

static int rail_steps(const rail *r)
{
    double way = r->radius > 0 ? r->radius * fabs(r->amount) * CRI_PI / 180 : r->amount;
    return (int)ceil(way / (r->radius > 0 ? ARC_STEP : STRAIGHT_STEP));
}

static void put_point(layer *l)
{
    l->points[l->count++] = (cr_track_point){l->x, l->y, l->width / 2, l->width / 2};
}

static void lay(layer *l, const rail *r)
{
    int steps = rail_steps(r);
    double turn = r->radius > 0 ? r->amount * CRI_PI / 180 / steps : 0;
    double way = r->radius > 0 ? 2 * r->radius * cri_sin(fabs(turn) / 2) : r->amount / steps;
    double widen = (r->width - l->width) / steps;
    for (int i = 0; i < steps; i++) {
        l->x += way * cri_cos(l->heading + turn / 2);
        l->y += way * cri_sin(l->heading + turn / 2);
        l->heading += turn;
        l->width += widen;
        put_point(l);
    }
}

static int place_cars(const layout *lay_out, cr_track_car *cars)
{
    int count = 0;
    for (int t = 0; t < FLOWS; t++) {
        const traffic *flow = &lay_out->traffic[t];
        for (int i = 0; i < flow->count; i++) {
            cars[count++] = (cr_track_car){flow->from + i * flow->every,
                                           flow->aside[i % flow->rows], flow->speed};
        }
    }
    return count;
}

static cr_status build(const layout *what, cr_track **track, cr_report *report)
{
    int count = 1;
    for (int i = 0; i < what->rail_count; i++) {
        count += rail_steps(&what->rails[i]);
    }
    layer l = {.heading = CRI_PI / 2, .width = what->width};
    l.points = malloc((size_t)count * sizeof *l.points);
    cr_track_car *cars = calloc(CR_TRACK_MAX_CARS, sizeof *cars);
    cr_status status = l.points && cars ? CR_OK : cri_fail_memory(report);
    if (status == CR_OK) {
        put_point(&l);
        for (int i = 0; i < what->rail_count; i++) {
            lay(&l, &what->rails[i]);
        }
        cr_track_def def = cr_default_track_def();
        def.name = what->name;
        def.closed = what->closed;
        def.point_count = l.count;
        def.points = l.points;
        def.cars = cars;
        def.car_count = place_cars(what, cars);
        def.start_speed = what->speed;
        def.start_backwards = what->backwards;
        status = cr_track_create(&def, track, report);
    }
    free(l.points);
    free(cars);
    return status;
}

cr_status cr_track_builtin(const char *name, cr_track **track, cr_report *report)
{
    *track = NULL;
    cri_suggestion near = {.word = name};
    for (int i = 0; i < LAYOUT_COUNT; i++) {
        if (strcmp(name, layouts[i].name) == 0) {
            return build(&layouts[i], track, report);
        }
        cri_suggest(&near, layouts[i].name);
    }
    char text[80];
    return cri_fail(report, CR_ERR_NAME, (cri_location){0}, "there is no track \"%s\"%s", name,
                    cri_suggestion_print(&near, text, sizeof text));
}
