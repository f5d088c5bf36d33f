// Built-in tracks are what their tables say, and a drive among other cars tells how near it came:
// each figure is found again another way.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/trig.h"
#include "drive/drive.h"

static cr_track *open_track(const char *name)
{
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin(name, &track, NULL), CR_OK);
    return track;
}

static void tracks_have_their_names(void **state)
{
    (void)state;
    for (int i = 0; cr_track_name(i); i++) {
        cr_track *track = open_track(cr_track_name(i));
        assert_string_equal(cr_track_title(track), cr_track_name(i));
        cr_track_destroy(track);
    }
}

// Straights by their metres, arcs by radius and angle; arcs are laid as chords, which are shorter
// by a thousandth at most.
static void tracks_have_their_lengths(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double straights, arcs;
    } rows[] = {{"straight-cars", 5200, 0},
                {"dead-end", 90 + 90, 30 * CRI_PI / 3},
                {"oval", 400, 2 * CRI_PI * 60}};
    for (int i = 0; i < 3; i++) {
        cr_track *track = open_track(rows[i].name);
        double length = cr_track_length(track), whole = rows[i].straights + rows[i].arcs;
        assert_true(length < whole + 1e-6);
        assert_true(length > whole - 1e-3 * rows[i].arcs - 1e-6);
        cr_track_destroy(track);
    }
}

// How much the box must grow to touch one of the cars of a frame, up to 2 m.
static double growth(const cr_drive *drive, const cri_box *box, int frame)
{
    int cars = drive->track->car_count;
    for (double more = 0; more < 2; more += 0.005) {
        cri_box wide = *box;
        wide.half_length += more;
        wide.half_width += more;
        for (int i = 0; i < cars; i++) {
            if (cri_boxes_touch(&wide, &drive->cars[frame * cars + i])) {
                return more;
            }
        }
    }
    return 2;
}

static void clearance_counts_cars(void **state)
{
    (void)state;
    cr_track *track = open_track("cornered-cars");
    cr_moves_def moves_def = cr_default_moves_def();
    moves_def.tree = CR_MOVE_TREE_LARGE;
    cr_moves *moves = NULL;
    cr_drive *drive = NULL;
    cr_drive_def def = cr_default_drive_def();
    assert_int_equal(cr_moves_create(&moves_def, &moves, NULL), CR_OK);
    assert_int_equal(cr_drive_run(track, moves, &def, &drive, NULL), CR_OK);
    double walls = 2, cars = 2;
    for (int i = 0; i < drive->frame_count; i++) {
        const cri_drive_frame *f = &drive->frames[i];
        cri_box box = {f->x,
                       f->y,
                       cri_cos(f->heading),
                       cri_sin(f->heading),
                       moves->car.half_length,
                       moves->car.half_width};
        walls = fmin(walls, cri_track_clearance(track, &box, 2));
        cars = fmin(cars, growth(drive, &box, i));
    }
    print_message("%.3f m to walls, %.3f m to cars\n", walls, cars);
    assert_true(cars < walls); // it is the cars that count
    assert_true(fabs(cr_drive_outcome(drive).clearance - cars) < 0.012);
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

// ---------------------------------------------------------------------------------------------
// Traffic.

enum { CARS = 12, FRAMES = 90 };

// Cars that cross the place each in its own direction, at up to 40 m/s.
static void draw_traffic(cr_rng *rng, const cri_drive_step *at, cri_box *boxes)
{
    for (int i = 0; i < CARS; i++) {
        double heading = cr_rng_uniform(rng, -3.2, 3.2), speed = cr_rng_uniform(rng, 0, 40);
        double c = cri_cos(heading), s = cri_sin(heading);
        double x = at->x + cr_rng_uniform(rng, -60, 60), y = at->y + cr_rng_uniform(rng, -60, 60);
        for (int f = 0; f < FRAMES; f++) {
            double way = speed * f / CR_DRIVE_RATE;
            boxes[f * CARS + i] = (cri_box){x + c * way, y + s * way, c, s, 2.2, 0.85};
        }
    }
}

// The slow and sure way: each car at each frame. After the last frame cars stand.
static bool touches_slowly(const cri_drive_task *task, const cri_drive_step *from,
                           const cri_move *move)
{
    for (int k = 0; k < move->sweep_count; k++) {
        const cri_sweep *sweep = &task->moves->sweeps[move->sweep + k];
        cri_box b = sweep->box;
        b.x = from->x + from->c * sweep->box.x - from->s * sweep->box.y;
        b.y = from->y + from->s * sweep->box.x + from->c * sweep->box.y;
        b.c = from->c * sweep->box.c - from->s * sweep->box.s;
        b.s = from->s * sweep->box.c + from->c * sweep->box.s;
        bool touches = cri_track_hits(task->track, &b);
        for (int f = sweep->from; f <= sweep->to; f++) {
            int frame = from->time + f < FRAMES ? from->time + f : FRAMES - 1;
            for (int i = 0; i < CARS; i++) {
                touches = touches || cri_boxes_touch(&b, &task->cars[frame * CARS + i]);
            }
        }
        if (touches) {
            return true;
        }
    }
    return false;
}

// A search looks only at cars that are near. None that a move touches is passed over.
static void no_car_is_passed_over(void **state)
{
    (void)state;
    cr_track *track = open_track("straight-cars");
    cr_moves_def def = cr_default_moves_def();
    def.tree = CR_MOVE_TREE_LARGE;
    cr_moves *moves = NULL;
    assert_int_equal(cr_moves_create(&def, &moves, NULL), CR_OK);
    cri_box boxes[FRAMES * CARS];
    cri_drive_task task = {.track = track,
                           .moves = moves,
                           .car_count = CARS,
                           .frame_count = FRAMES,
                           .cars = boxes,
                           .car_radius = sqrt(2.2 * 2.2 + 0.85 * 0.85),
                           .car_step = 40.0 / CR_DRIVE_RATE};
    int touched = 0, clear = 0;
    for (int i = 0; i < 3000; i++) {
        cr_rng rng = cr_rng_make(12, CR_RNG_USER, (uint64_t)i);
        cri_drive_pose p = cri_track_pose(track, 500, cr_rng_uniform(&rng, -2, 2));
        cri_drive_step from = {.x = p.x, .y = p.y, .c = p.c, .s = p.s};
        from.time = (int)cr_rng_index(&rng, FRAMES + 10);
        draw_traffic(&rng, &from, boxes);
        int move = (int)cr_rng_index(&rng, (uint64_t)moves->move_count);
        bool touches = touches_slowly(&task, &from, &moves->moves[move]);
        assert_int_equal(cri_drive_step_touches(&task, &from, move) >= 0, touches);
        touched += touches;
        clear += !touches;
    }
    print_message("%d of %d moves touch something\n", touched, touched + clear);
    assert_true(touched > 300 && clear > 300);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_have_their_names),
        cmocka_unit_test(tracks_have_their_lengths),
        cmocka_unit_test(clearance_counts_cars),
        cmocka_unit_test(no_car_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
