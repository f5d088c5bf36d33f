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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_have_their_names),
        cmocka_unit_test(tracks_have_their_lengths),
        cmocka_unit_test(clearance_counts_cars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
