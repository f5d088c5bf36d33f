// Real circuits with the automatic graph: three laps without touching a wall. The tracks are found
// through the environment variable CAROM_REFERENCE; without it the test says so and passes.
#include "redrive.h"

#include "drive/drive.h"

static cr_moves *moves;

static int record(void **state)
{
    (void)state;
    cr_moves_def def = cr_default_moves_def();
    def.tree = CR_MOVE_TREE_AUTO;
    def.threads = 1;
    return cr_moves_create(&def, &moves, NULL) == CR_OK ? 0 : -1;
}

static int forget(void **state)
{
    (void)state;
    cr_moves_destroy(moves);
    return 0;
}

static void any_number_of_threads_records_the_same(void **state)
{
    (void)state;
    cr_moves_def def = cr_default_moves_def();
    def.tree = CR_MOVE_TREE_AUTO;
    def.threads = 3;
    cr_moves *again = NULL;
    assert_int_equal(cr_moves_create(&def, &again, NULL), CR_OK);
    assert_int_equal(again->clips.clip_count, moves->clips.clip_count);
    assert_int_equal(again->clips.frame_count, moves->clips.frame_count);
    assert_memory_equal(again->clips.frames, moves->clips.frames,
                        (size_t)moves->clips.frame_count * sizeof *moves->clips.frames);
    cr_moves_destroy(again);
}

static void the_graph_is_sound(void **state)
{
    (void)state;
    cr_moves_facts f = cr_moves_describe(moves);
    assert_true(f.moves > 1000 && f.ways > f.moves);
    assert_true(f.largest_jump < cr_default_graph_def().threshold);
    for (int i = 0; i < moves->node_count; i++) {
        assert_true(moves->nodes[i].way_count > 0);
    }
}

// Three laps that touch nothing.
static cr_drive_result three_laps(const cr_track *track)
{
    cr_drive_def def = cr_default_drive_def();
    def.laps = 3;
    cr_drive *drive = NULL;
    assert_int_equal(cr_drive_run(track, moves, &def, &drive, NULL), CR_OK);
    cr_drive_result r = cr_drive_outcome(drive);
    assert_int_equal(r.end, CR_DRIVE_FINISHED);
    assert_int_equal(r.laps, 3);
    assert_true(r.clearance > 0);
    assert_redrives(drive, true);
    cr_drive_destroy(drive);
    return r;
}

static void an_oval_in_good_time(void **state)
{
    (void)state;
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin("oval", &track, NULL), CR_OK);
    cr_line_bound bound;
    assert_int_equal(cr_track_bound(track, &bound, NULL), CR_OK);
    assert_true(three_laps(track).best_lap < 1.12 * bound.car);
    cr_track_destroy(track);
}

static void drive_laps(const char *folder, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/tracks/%s.csv", folder, name);
    cr_track *track = NULL;
    assert_int_equal(cr_track_read(path, true, &track, NULL), CR_OK);
    snprintf(path, sizeof path, "%s/tracks/%s.raceline.csv", folder, name);
    cr_line_bound bound;
    assert_int_equal(cr_line_bound_read(path, &bound, NULL), CR_OK);
    cr_drive_result r = three_laps(track);
    assert_true(r.largest_jump < cr_default_graph_def().threshold);
    assert_true(r.best_lap < 1.08 * bound.car);
    cr_track_destroy(track);
}

static void three_laps_on_real_tracks(void **state)
{
    (void)state;
    const char *folder = getenv("CAROM_REFERENCE");
    if (!folder || !folder[0]) {
        print_message("skipped: CAROM_REFERENCE does not name a folder with tracks/*.csv\n");
        return;
    }
    drive_laps(folder, "Norisring");
    drive_laps(folder, "BrandsHatch");
    drive_laps(folder, "Spielberg");
    drive_laps(folder, "Monza");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_records_the_same),
        cmocka_unit_test(the_graph_is_sound),
        cmocka_unit_test(an_oval_in_good_time),
        cmocka_unit_test(three_laps_on_real_tracks),
    };
    return cmocka_run_group_tests(tests, record, forget);
}
