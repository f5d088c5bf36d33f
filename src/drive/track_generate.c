// Tracks by numbers (thesis, section 5.5): length, corners, sharpness, width and a seed.
//
// An open track is straights and arcs in turn, whose heading stays within a quarter turn of where
// it leads. A closed one is a loop around the origin: one corner of a star every few degrees, its
// arms drawn apart by the sharpness, rounded by a spline. A draw whose walls cross is thrown away;
// attempt k draws from a stream of its own.
#include "drive/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"

#define ATTEMPTS 200
#define STEP     3.0 // m between points, about

cr_track_recipe cr_default_track_recipe(void)
{
    return (cr_track_recipe){
        .length = 1500, .corners = 8, .sharpness = 0.5, .width = 12, .seed = 1};
}

static cr_status check(const cr_track_recipe *r, cr_report *report)
{
    if (!(r->length >= 200 && r->length <= 20000)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a track's length must be 200 to 20000 m, got %g", r->length);
    }
    if (r->corners < (r->closed ? 3 : 1) || r->corners > 100) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a track's corners must be %d to 100, got %d", r->closed ? 3 : 1,
                        r->corners);
    }
    if (!(r->sharpness >= 0 && r->sharpness <= 1)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a track's sharpness must be 0 to 1, got %g", r->sharpness);
    }
    if (!(r->width >= 6 && r->width <= 40)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a track's width must be 6 to 40 m, got %g", r->width);
    }
    return CR_OK;
}

typedef struct pen {
    const cr_track_recipe *recipe;
    cr_track_point *points;
    int count, capacity;
    double x, y, heading;
} pen;

static void put(pen *p, double x, double y)
{
    double half = p->recipe->width / 2;
    if (p->count < p->capacity) {
        p->points[p->count++] = (cr_track_point){x, y, half, half};
    }
}

static void draw(pen *p, double way, double turn)
{
    int steps = (int)ceil(way / STEP);
    for (int i = 0; i < steps; i++) {
        p->x += way / steps * cri_cos(p->heading + turn / steps / 2);
        p->y += way / steps * cri_sin(p->heading + turn / steps / 2);
        p->heading += turn / steps;
        put(p, p->x, p->y);
    }
}

// Sharp corners turn far on a small radius, never smaller than the walls allow.
static double corner_radius(const cr_track_recipe *r, cr_rng *rng)
{
    double smallest = r->width * 0.6 + 2;
    double wide = smallest + (1 - r->sharpness) * 100 + 5;
    return cr_rng_uniform(rng, smallest + (1 - r->sharpness) * 20, wide);
}

static void draw_open(pen *p, cr_rng *rng)
{
    const cr_track_recipe *r = p->recipe;
    double straight = r->length / (r->corners + 1) * (0.5 + 0.3 * r->sharpness);
    p->heading = CRI_PI / 2;
    put(p, 0, 0);
    for (int i = 0; i < r->corners; i++) {
        draw(p, straight * cr_rng_uniform(rng, 0.7, 1.3), 0);
        double aside = p->heading - CRI_PI / 2;
        double side = fabs(aside) > 0.2 ? (aside > 0 ? -1 : 1) : (cr_rng_unit(rng) < 0.5 ? -1 : 1);
        double turn = cr_rng_uniform(rng, 0.5, 0.8 + 0.8 * r->sharpness) + fabs(aside) * 0.8;
        draw(p, corner_radius(r, rng) * turn, side * turn);
    }
    draw(p, straight + 40, 0);
}

// A spline through the arms' ends: between b and c, with a before and d behind.
static double spline(double a, double b, double c, double d, double t)
{
    return 0.5 *
           (2 * b + t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * b - a - 3 * c + d))));
}

static void draw_closed(pen *p, cr_rng *rng)
{
    const cr_track_recipe *r = p->recipe;
    double ax[100], ay[100], radius = r->length / (2 * CRI_PI) * (1 - 0.2 * r->sharpness);
    int n = r->corners;
    for (int i = 0; i < n; i++) {
        double angle = 2 * CRI_PI * (i + cr_rng_uniform(rng, -0.2, 0.2)) / n;
        double arm = radius * cr_rng_uniform(rng, 1 - 0.6 * r->sharpness, 1 + 0.4 * r->sharpness);
        ax[i] = arm * cri_cos(angle);
        ay[i] = arm * cri_sin(angle);
    }
    int steps = (int)ceil(r->length / n / STEP) + 1;
    for (int i = 0; i < n; i++) {
        int a = (i + n - 1) % n, c = (i + 1) % n, d = (i + 2) % n;
        for (int k = 0; k < steps; k++) {
            double t = (double)k / steps;
            put(p, spline(ax[a], ax[i], ax[c], ax[d], t), spline(ay[a], ay[i], ay[c], ay[d], t));
        }
    }
}

static cr_status attempt(pen *p, uint64_t index, cr_track **track)
{
    cr_rng rng = cr_rng_make(p->recipe->seed, CR_RNG_START, index);
    p->count = 0;
    p->x = p->y = 0;
    if (p->recipe->closed) {
        draw_closed(p, &rng);
    } else {
        draw_open(p, &rng);
    }
    char name[64];
    snprintf(name, sizeof name, "random %llu", (unsigned long long)p->recipe->seed);
    cr_track_def def = cr_default_track_def();
    def.name = name;
    def.closed = p->recipe->closed;
    def.point_count = p->count;
    def.points = p->points;
    return cr_track_create(&def, track, NULL);
}

cr_status cr_track_generate(const cr_track_recipe *recipe, cr_track **track, cr_report *report)
{
    *track = NULL;
    cr_status status = check(recipe, report);
    if (status != CR_OK) {
        return status;
    }
    pen p = {.recipe = recipe, .capacity = 60000};
    p.points = malloc((size_t)p.capacity * sizeof *p.points);
    if (!p.points) {
        return cri_fail_memory(report);
    }
    status = CR_ERR_RANGE;
    for (uint64_t i = 0; i < ATTEMPTS && status == CR_ERR_RANGE; i++) {
        status = attempt(&p, i, track);
    }
    free(p.points);
    if (status == CR_ERR_RANGE) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "no track of %g m with %d corners of sharpness %g and width %g was found "
                        "that does not cross itself; fewer corners or a narrower one may do",
                        recipe->length, recipe->corners, recipe->sharpness, recipe->width);
    }
    return status == CR_OK ? CR_OK : cri_fail_memory(report);
}
