// What a drive writes can be fed back: a car driven by its files keeps to its path, and its table
// of inputs is one that trees are made of.
#include "redrive.h"

#include "base/file.h"
#include "drive/drive.h"
#include "drive/inputs.h"

static cr_moves *trees[CR_MOVE_TREE_AUTO];

static int record(void **state)
{
    (void)state;
    for (int tree = 0; tree < CR_MOVE_TREE_AUTO; tree++) {
        cr_moves_def def = cr_default_moves_def();
        def.tree = (cr_move_tree)tree;
        if (cr_moves_create(&def, &trees[tree], NULL) != CR_OK) {
            return -1;
        }
    }
    return 0;
}

static int forget(void **state)
{
    (void)state;
    for (int tree = 0; tree < CR_MOVE_TREE_AUTO; tree++) {
        cr_moves_destroy(trees[tree]);
    }
    return 0;
}

static cr_drive *drive_on(const cr_track *track, int tree, uint64_t seed)
{
    cr_drive_def def = cr_default_drive_def();
    def.seed = seed;
    def.laps = 4;
    def.seconds = 62;
    def.nodes = 400; // few: how good a drive is does not matter here
    def.guess = tree == CR_MOVE_TREE_LARGE && seed == 0 ? CR_GUESS_LINE : CR_GUESS_TRACK;
    cr_drive *drive = NULL;
    assert_int_equal(cr_drive_run(track, trees[tree], &def, &drive, NULL), CR_OK);
    return drive;
}

static void check_track(const cr_track *track, uint64_t seed)
{
    for (int tree = 0; tree < CR_MOVE_TREE_AUTO; tree++) {
        cr_drive *drive = drive_on(track, tree, seed);
        assert_redrives(drive, tree == CR_MOVE_TREE_LARGE);
        cr_drive_destroy(drive);
    }
}

// Drives that finish, crash, or are cut off in the middle of a move.
static void a_car_follows_its_file(void **state)
{
    (void)state;
    for (int i = 0; cr_track_name(i); i++) {
        cr_track *track = NULL;
        assert_int_equal(cr_track_builtin(cr_track_name(i), &track, NULL), CR_OK);
        check_track(track, (uint64_t)i % 3);
        cr_track_destroy(track);
    }
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cr_track_recipe recipe = cr_default_track_recipe();
        recipe.seed = seed;
        recipe.closed = seed == 2;
        recipe.sharpness = 0.3 * (double)seed;
        cr_track *track = NULL;
        assert_int_equal(cr_track_generate(&recipe, &track, NULL), CR_OK);
        check_track(track, seed);
        cr_track_destroy(track);
    }
}

// A minute of states and channels, as others read them: the car's rows of the one, the steering and
// pedals of the other. An input that is a frame off would show at once.
static void states_and_channels_agree(void **state)
{
    (void)state;
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin("oval", &track, NULL), CR_OK);
    cr_drive *drive = drive_on(track, CR_MOVE_TREE_LARGE, 0);
    char path[64];
    redrive_write(drive, ".inputs.csv", path);
    redrive_rows r = redrive_read(path, R_ALL, false);
    assert_true(r.count > 60 * CR_DRIVE_RATE);
    remove(path);
    redrive_write(drive, ".channels.csv", path);
    redrive_rows c = redrive_read(path, 7, true);
    remove(path);
    assert_int_equal(c.count, r.count);
    cr_playback *p = NULL;
    assert_int_equal(cr_drive_playback(drive, &p, NULL), CR_OK);
    for (int f = 0; f < r.count; f++) {
        double *row = r.row[f], *channel = c.row[f];
        assert_true(channel[0] == row[R_TIME] && fabs(channel[3] - row[R_STEER]) < 1e-12);
        assert_true(f == 0 || channel[6] >= c.row[f - 1][6]); // the way along the track grows
        assert_true(channel[4] == row[R_THROTTLE] && channel[5] == row[R_BRAKE]);
        assert_true(p->worlds[0].frames[f].position.x == row[R_X]);
        assert_true(p->worlds[0].velocities[f].y == row[R_VY]);
        assert_true(p->worlds[0].spins[f].z == row[R_SPIN]);
    }
    assert_true(redrive(r, false, 1) > 1); // inputs a frame early: a metre off
    free(r.row);
    free(c.row);
    cr_playback_destroy(p);
    cr_drive_destroy(drive);
    cr_track_destroy(track);
}

// Clips made of the file move as the drive did.
static void a_file_is_a_table_of_inputs(void **state)
{
    (void)state;
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin("final", &track, NULL), CR_OK);
    for (int tree = CR_MOVE_TREE_SMALL7; tree <= CR_MOVE_TREE_LARGE; tree++) {
        cr_drive *drive = drive_on(track, tree, 0);
        char path[64];
        redrive_write(drive, ".inputs.csv", path);
        cr_car car = cr_default_car();
        cri_clips clips = {0};
        cri_driver driver = {.car = &car, .clips = &clips};
        assert_int_equal(cri_inputs_read(path, &driver, NULL), CR_OK);
        assert_int_equal(clips.frame_count, drive->frame_count + clips.clip_count - 1);
        assert_true(tree == CR_MOVE_TREE_LARGE ? clips.clip_count == 1 : clips.clip_count > 5);
        for (int i = 0, frame = 0; i < clips.clip_count; i++, frame--) {
            for (int k = 0; k < clips.clips[i].count; k++, frame++) {
                const cri_drive_frame *f = &drive->frames[frame];
                cri_drive_motion m = clips.frames[clips.clips[i].first + k].motion, jump = f->jump;
                cri_drive_motion to = {f->motion.u + jump.u, f->motion.v + jump.v,
                                       f->motion.w + jump.w};
                assert_true(cri_drive_motion_distance(m, k == 0 ? to : f->motion) < 1e-8);
            }
        }
        cri_clips_free(&clips);
        cr_drive_destroy(drive);
        remove(path);
    }
    cr_track_destroy(track);
}

// Each row of a table of clips leads to the next of its clip.
static void clips_lead_on(void **state)
{
    (void)state;
    char path[64], line[600], label[32];
    snprintf(path, sizeof path, "/tmp/carom-redrive-%ld.csv", (long)getpid());
    assert_int_equal(cr_moves_write_clips(trees[CR_MOVE_TREE_LARGE], path, NULL), CR_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    const cr_car car = cr_default_car();
    cr_car_state next = {0};
    int last = -1, rows = 0;
    for (; fgets(line, sizeof line, file); rows++) {
        int clip;
        double t, x, y, turn, u, v, w, steer, throttle, brake;
        assert_int_equal(sscanf(line, "%d,%31[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &clip,
                                label, &t, &x, &y, &turn, &u, &v, &w, &steer, &throttle, &brake),
                         12);
        cr_car_state at = {x, y, turn, cos(turn) * u - sin(turn) * v, sin(turn) * u + cos(turn) * v,
                           w};
        double away = hypot(at.x - next.x, at.y - next.y) + hypot(at.vx - next.vx, at.vy - next.vy);
        assert_true(clip != last || away + fabs(turn - next.heading) + fabs(w - next.spin) < 1e-10);
        next = cr_car_step(&car, at, (cr_car_input){steer * REDRIVE_DEGREE, throttle, brake});
        last = clip;
    }
    assert_int_equal(rows, cr_moves_describe(trees[CR_MOVE_TREE_LARGE]).frames);
    fclose(file);
    remove(path);
}

static void expect_error(const char *text, cr_status wanted, const char *message)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/carom-redrive-%ld.csv", (long)getpid());
    assert_int_equal(cr_file_write(path, text, strlen(text), NULL), CR_OK);
    cr_report report = {0};
    cr_drive_deviation d;
    assert_int_equal(cr_drive_replay(path, &d, &report), wanted);
    assert_non_null(strstr(report.errors[0].message, message));
    remove(path);
}

static void bad_tables_get_a_message(void **state)
{
    (void)state;
    static const char row[] = ",0,0,0,0,0,0,0,0,0,0,0,0\n";
    char text[200];
    expect_error("", CR_ERR_SYNTAX, "at least two rows");
    expect_error("0,0,0,0\n1,0,0,0\n", CR_ERR_TYPE, "does not say where it leads");
    expect_error("0,0,0,0,0\n", CR_ERR_SYNTAX, "a comma is missing here");
    snprintf(text, sizeof text, "1%s0.5%s", row, row);
    expect_error(text, CR_ERR_RANGE, "times must grow");
    snprintf(text, sizeof text, "1%s1.01%s", row, row);
    expect_error(text, CR_ERR_RANGE, "1/25 s apart");
    snprintf(text, sizeof text, "1%s2,46%s", row, row + 2);
    expect_error(text, CR_ERR_RANGE, "the steering angle");
    snprintf(text, sizeof text, "1%s2,0,0,0\n", row);
    expect_error(text, CR_ERR_SYNTAX, "a comma is missing here");
}

// A drive of so many seconds has one frame for each of them and the start.
static void seconds_are_frames(void **state)
{
    (void)state;
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin("straight-cars", &track, NULL), CR_OK);
    static const double seconds[] = {0.02, 0.04, 1, 7.3, 20};
    for (int i = 0; i < 5; i++) {
        cr_drive_def def = cr_default_drive_def();
        def.seconds = seconds[i];
        def.guess = CR_GUESS_TRACK;
        cr_drive *drive = NULL;
        assert_int_equal(cr_drive_run(track, trees[CR_MOVE_TREE_SMALL7], &def, &drive, NULL),
                         CR_OK);
        cr_drive_result r = cr_drive_outcome(drive);
        assert_int_equal(r.end, CR_DRIVE_TIMEOUT);
        assert_int_equal(r.frames, (int)ceil(seconds[i] * CR_DRIVE_RATE) + 1);
        assert_true(r.seconds == (double)(r.frames - 1) / CR_DRIVE_RATE);
        cr_drive_destroy(drive);
    }
    cr_track_destroy(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_follows_its_file),      cmocka_unit_test(states_and_channels_agree),
        cmocka_unit_test(a_file_is_a_table_of_inputs), cmocka_unit_test(bad_tables_get_a_message),
        cmocka_unit_test(seconds_are_frames),          cmocka_unit_test(clips_lead_on),
    };
    return cmocka_run_group_tests(tests, record, forget);
}
