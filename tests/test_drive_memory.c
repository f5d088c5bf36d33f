// Driving and memory: the search asks for none while it runs, and every failure to get some is
// survived without a leak (which the address sanitizer's build of this test finds).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/trig.h"
#include "drive/drive.h"

#include "allocations.h"

static void the_search_allocates_nothing(void **state)
{
    (void)state;
    cr_track *track = NULL;
    cr_moves *moves = NULL;
    cr_moves_def def = cr_default_moves_def();
    def.tree = CR_MOVE_TREE_SMALL7;
    assert_int_equal(cr_track_builtin("cornered", &track, NULL), CR_OK);
    assert_int_equal(cr_moves_create(&def, &moves, NULL), CR_OK);
    cri_launch launch;
    cri_launch_fill(&moves->car, &launch);
    for (int guess = CR_GUESS_GOAL; guess <= CR_GUESS_SPEED; guess++) {
        cri_drive_task task = {.track = track,
                               .moves = moves,
                               .guess = (cr_guess)guess,
                               .top_speed = cr_car_top_speed(&moves->car),
                               .goal = track->goal,
                               .launch = &launch};
        cri_drive_search *search = NULL;
        assert_int_equal(cri_drive_search_create(&task, 5000, &search, NULL), CR_OK);
        cri_drive_pose p = cri_track_pose(track, 20, 0);
        cri_drive_step from = {p.x, p.y, p.c, p.s, cri_track_spot(track, 20), 0, 0};
        long before = calls;
        cri_chain chain;
        cri_drive_search_run(search, &from, (cri_look){.horizon = 250, .greed = 1}, &chain);
        assert_int_equal(calls, before);
        assert_true(chain.opened > 20);
        cri_drive_search_destroy(search);
    }
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

// A small loop, and a person who weaves about.
static void write_files(const char *track, const char *inputs)
{
    FILE *file = fopen(track, "w");
    assert_non_null(file);
    for (int i = 0; i < 40; i++) {
        double angle = 2 * CRI_PI * i / 40;
        fprintf(file, "%.2f,%.2f,7,7\n", 60 * cri_cos(angle), 60 * cri_sin(angle));
    }
    fclose(file);
    file = fopen(inputs, "w");
    assert_non_null(file);
    for (int i = 0; i < 200; i++) {
        fprintf(file, "%.1f,%.1f,%d,0\n", 0.4 * i, 15 * cri_sin(0.4 * i), i % 20 < 10 ? 30 : 10);
    }
    fclose(file);
}

static const char track_path[] = "/tmp/carom-drive-memory.csv";
static const char inputs_path[] = "/tmp/carom-drive-memory-inputs.csv";

// A track from a file, and what bounds its laps.
static cr_status read_track(const char *out)
{
    (void)out;
    cr_report report = {0};
    cr_track *track = NULL;
    cr_line_bound bound;
    cr_status status = cr_track_read(track_path, true, &track, &report);
    status = status ? status : cr_line_bound_read(track_path, &bound, &report);
    assert_true(status == CR_OK || report.count > 0);
    cr_track_destroy(track);
    return status;
}

// A graph from a person's inputs, drawn and written.
static cr_status make_graph(const char *out)
{
    cr_report report = {0};
    cr_moves *moves = NULL;
    cr_moves_def what = cr_default_moves_def();
    const char *inputs = inputs_path;
    what.tree = CR_MOVE_TREE_AUTO;
    what.graph.threshold = 0.5;
    what.inputs = &inputs;
    what.input_count = 1;
    cr_status status = cr_moves_create(&what, &moves, &report);
    status = status ? status : cr_moves_write_svg(moves, out, &report);
    status = status ? status : cr_moves_write_clips(moves, out, &report);
    assert_true(status == CR_OK || report.count > 0);
    cr_moves_destroy(moves);
    return status;
}

// A drive with the fewest moves, and its table.
static cr_status drive_along(const char *out)
{
    cr_report report = {0};
    cr_track *track = NULL;
    cr_moves *moves = NULL;
    cr_drive *drive = NULL;
    cr_moves_def what = cr_default_moves_def();
    what.tree = CR_MOVE_TREE_SMALL5;
    cr_drive_def def = cr_default_drive_def();
    def.nodes = 50;
    def.seconds = 2;
    cr_status status = cr_track_read(track_path, true, &track, &report);
    status = status ? status : cr_moves_create(&what, &moves, &report);
    status = status ? status : cr_drive_run(track, moves, &def, &drive, &report);
    cr_playback *playback = NULL;
    status = status ? status : cr_drive_playback(drive, &playback, &report);
    status = status ? status : cr_playback_write(playback, out, &report);
    cr_playback_destroy(playback);
    assert_true(status == CR_OK || report.count > 0);
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
    return status;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    const char *out = "/tmp/carom-drive-memory-out.csv";
    write_files(track_path, inputs_path);
    fail_every_allocation(read_track, out);
    fail_every_allocation(make_graph, out);
    fail_every_allocation(drive_along, out);
    unlink(out);
    unlink(track_path);
    unlink(inputs_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_allocates_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
