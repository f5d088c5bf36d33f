// The search and whole drives: best chains, honest guesses, no touching, same seed same bits, and
// what the page gets to see.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "drive/drive.h"
#include "goldens.h"

// The same on gcc and clang, with and without optimisation.
#define GOLDEN_FINAL 0x476fdbccf3f4f58eu

static cr_track *open_track(const char *name)
{
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin(name, &track, NULL), CR_OK);
    return track;
}

static cr_moves *make(cr_move_tree tree)
{
    cr_moves_def def = cr_default_moves_def();
    def.tree = tree;
    cr_moves *moves = NULL;
    assert_int_equal(cr_moves_create(&def, &moves, NULL), CR_OK);
    return moves;
}

static cr_drive *run(const cr_track *track, const cr_moves *moves, const cr_drive_def *def)
{
    cr_drive *drive = NULL;
    assert_int_equal(cr_drive_run(track, moves, def, &drive, NULL), CR_OK);
    return drive;
}

// ---------------------------------------------------------------------------------------------
// The search against trying everything

typedef struct brute {
    const cri_drive_task *task;
    int horizon;
    double best; // f of the best chain to the horizon
    int tried;
} brute;

static void try_all(brute *b, const cri_drive_step *at, const cri_drive_motion *motion)
{
    if (at->time >= b->horizon) {
        double f = (double)at->time / CR_DRIVE_RATE + cri_guess_time(b->task, at, motion);
        b->best = fmin(b->best, f);
        return;
    }
    const cri_move_node *node = &b->task->moves->nodes[at->node];
    for (int i = 0; i < node->way_count; i++) {
        int move = b->task->moves->ways[node->way + i].move;
        if (cri_drive_step_touches(b->task, at, move) >= 0) {
            continue;
        }
        b->tried++;
        cri_drive_step next;
        cri_drive_step_move(b->task, at, move, &next);
        const cri_move *m = &b->task->moves->moves[move];
        try_all(b, &next, &b->task->moves->clips.frames[m->frame + m->frames].motion);
    }
}

static cri_drive_task make_course(const cr_track *track, const cr_moves *moves, cr_guess guess,
                                  cri_launch *launch)
{
    cri_launch_fill(&moves->car, launch);
    return (cri_drive_task){.track = track,
                            .moves = moves,
                            .guess = guess,
                            .top_speed = cr_car_top_speed(&moves->car),
                            .goal = track->goal,
                            .launch = launch};
}

static cri_drive_step start_of(const cr_track *track, double along)
{
    cri_drive_pose p = cri_track_pose(track, along, 0);
    return (cri_drive_step){p.x, p.y, p.c, p.s, cri_track_spot(track, along), 0, 0};
}

static void the_first_chain_is_the_best(void **state)
{
    (void)state;
    cr_track *track = open_track("cornered");
    cr_moves *moves = make(CR_MOVE_TREE_SMALL7);
    int tried = 0;
    for (int k = 0; k < 28; k++) {
        cri_launch launch;
        cri_drive_task task =
            make_course(track, moves, k % 2 ? CR_GUESS_TRACK : CR_GUESS_GOAL, &launch);
        cri_drive_step from = start_of(track, 20 + 37 * k);
        cri_drive_search *search = NULL;
        assert_int_equal(cri_drive_search_create(&task, 100000, &search, NULL), CR_OK);
        cri_chain chain;
        cri_drive_search_run(search, &from, (cri_look){.horizon = 120, .greed = 1}, &chain);
        brute b = {&task, 120, HUGE_VAL, 0};
        try_all(&b, &from, &moves->nodes[0].motion);
        assert_int_equal(chain.complete, b.best < HUGE_VAL);
        if (chain.complete) {
            // Nodes in one cell count as one, which may cost a little of the best.
            assert_true(chain.value >= b.best - 1e-9 && chain.value <= b.best + 0.02);
            assert_true(chain.opened < b.tried);
        }
        tried += b.tried;
        cri_drive_search_destroy(search);
    }
    assert_true(tried > 2000);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

// No guess that claims to be admissible is larger than the time a drive then took.
static void guesses_never_guess_too_much(void **state)
{
    (void)state;
    static const char *const tracks[] = {"cornered", "sharp", "dead-end", "final"};
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    for (int t = 0; t < 4; t++) {
        cr_track *track = open_track(tracks[t]);
        cr_drive_def def = cr_default_drive_def();
        cr_drive *drive = run(track, moves, &def);
        assert_int_equal(drive->result.end, CR_DRIVE_FINISHED);
        for (int guess = CR_GUESS_TRACK; guess <= CR_GUESS_SPEED; guess++) {
            cri_launch launch;
            cri_drive_task task = make_course(track, moves, (cr_guess)guess, &launch);
            cri_drive_step at = start_of(track, track->start_along);
            for (int i = 0; i < drive->frame_count; i++) {
                const cri_drive_frame *f = &drive->frames[i];
                at.x = f->x;
                at.y = f->y;
                cri_track_follow(track, &at.spot, f->x, f->y);
                double left = drive->result.seconds - (double)i / CR_DRIVE_RATE;
                assert_true(cri_guess_time(&task, &at, &f->motion) <= left + 0.05);
            }
        }
        cr_drive_destroy(drive);
        cr_track_destroy(track);
    }
    cr_moves_destroy(moves);
}

// ---------------------------------------------------------------------------------------------
// Whole drives

static cri_box car_box(const cr_drive *drive, double frame)
{
    int i = (int)frame;
    const cri_drive_frame *a = &drive->frames[i];
    const cri_drive_frame *b = i + 1 < drive->frame_count ? a + 1 : a;
    double t = frame - i, heading = a->heading + t * (b->heading - a->heading);
    const cr_car *car = &drive->moves->car;
    return (cri_box){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), cri_cos(heading),
                     cri_sin(heading),         car->half_length,         car->half_width};
}

// Also between frames.
static void assert_touches_nothing(const cr_drive *drive)
{
    int n = drive->track->car_count;
    for (int q = 0; q < 4 * (drive->frame_count - 1); q++) {
        cri_box box = car_box(drive, q / 4.0);
        for (int w = 0; w < drive->track->wall_count; w++) {
            const cri_drive_wall *wall = &drive->track->walls[w];
            double dx = wall->x0 - box.x, dy = wall->y0 - box.y;
            if (dx * dx + dy * dy < 2500) {
                double length = sqrt((wall->x1 - wall->x0) * (wall->x1 - wall->x0) +
                                     (wall->y1 - wall->y0) * (wall->y1 - wall->y0));
                double c = (wall->x1 - wall->x0) / length, s = (wall->y1 - wall->y0) / length;
                cri_box thin = {
                    (wall->x0 + wall->x1) / 2, (wall->y0 + wall->y1) / 2, c, s, length / 2, 0};
                assert_false(cri_boxes_touch(&box, &thin));
            }
        }
        for (int i = 0; i < n && q % 4 == 0; i++) {
            assert_false(cri_boxes_touch(&box, &drive->cars[q / 4 * n + i]));
        }
    }
}

// Each frame follows from the one before by the car's step, up to the jumps between moves.
static void assert_continuous(const cr_drive *drive)
{
    for (int i = 1; i < drive->frame_count; i++) {
        const cri_drive_frame *a = &drive->frames[i - 1], *b = &drive->frames[i];
        double way = sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y));
        double speed = sqrt(b->motion.u * b->motion.u + b->motion.v * b->motion.v);
        assert_true(way < speed / CR_DRIVE_RATE + 0.05);
        assert_true(fabs(b->heading - a->heading) < 0.3);
    }
}

static void the_large_tree_drives_every_track(void **state)
{
    (void)state;
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    for (int t = 1; cr_track_name(t); t++) { // the first is the long straight
        cr_track *track = open_track(cr_track_name(t));
        cr_drive_def def = cr_default_drive_def();
        def.laps = 2;
        cr_drive *drive = run(track, moves, &def);
        cr_drive_result r = cr_drive_outcome(drive);
        assert_int_equal(r.end, CR_DRIVE_FINISHED);
        assert_true(r.clearance > 0);
        assert_true(r.largest_jump < 1e-5); // velocities are continuous
        assert_true(fabs(r.gained) < 1e-4);
        assert_true(r.most_nodes <= 3 * def.nodes);
        assert_touches_nothing(drive);
        assert_continuous(drive);
        if (strcmp(cr_track_name(t), "sharp") == 0) {
            assert_true(r.largest_slip > 0.5); // skids
        }
        if (strcmp(cr_track_name(t), "dead-end") == 0) {
            int backwards = 0;
            for (int i = 0; i < drive->frame_count; i++) {
                backwards += drive->frames[i].motion.u < -0.5;
            }
            assert_true(backwards > 10 && backwards < drive->frame_count / 2);
        }
        if (track->closed) {
            assert_int_equal(r.laps, 2);
            assert_true(r.best_lap <= r.first_lap && r.best_lap + r.first_lap <= r.seconds + 1e-6);
        }
        cr_drive_destroy(drive);
        cr_track_destroy(track);
    }
    cr_moves_destroy(moves);
}

// Tables 4.1 and 4.3 in short: look-ahead and branches keep the car out of trouble.
static void looking_ahead_avoids_crashes(void **state)
{
    (void)state;
    cr_track *track = open_track("straight-cars");
    cr_moves *moves = make(CR_MOVE_TREE_SMALL5);
    static const int horizons[] = {24, 49, 124};
    double times[3];
    for (int i = 0; i < 3; i++) {
        cr_drive_def def = cr_default_drive_def();
        def.guess = CR_GUESS_GOAL;
        def.greed = 1;
        def.horizon = horizons[i];
        def.seconds = 60;
        cr_drive *drive = run(track, moves, &def);
        times[i] = cr_drive_outcome(drive).seconds;
        assert_int_equal(cr_drive_outcome(drive).end, i < 2 ? CR_DRIVE_CRASHED : CR_DRIVE_TIMEOUT);
        cr_drive_destroy(drive);
    }
    assert_true(times[0] < times[1] && times[1] < times[2]);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

static void two_more_branches_get_through(void **state)
{
    (void)state;
    cr_track *track = open_track("cornered-cars");
    for (int branches = 5; branches <= 7; branches += 2) {
        cr_moves *moves = make(branches == 5 ? CR_MOVE_TREE_SMALL5 : CR_MOVE_TREE_SMALL7);
        cr_drive_def def = cr_default_drive_def();
        def.guess = CR_GUESS_GOAL;
        def.greed = 1;
        def.horizon = 149;
        def.nodes = 15000;
        cr_drive *drive = run(track, moves, &def);
        assert_int_equal(cr_drive_outcome(drive).end,
                         branches == 5 ? CR_DRIVE_CRASHED : CR_DRIVE_FINISHED);
        cr_drive_destroy(drive);
        cr_moves_destroy(moves);
    }
    cr_track_destroy(track);
}

static void same_seed_same_bits(void **state)
{
    (void)state;
    cr_track *track = open_track("final");
    cr_moves *moves = make(CR_MOVE_TREE_LARGE), *again = make(CR_MOVE_TREE_LARGE);
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        cr_drive_def def = cr_default_drive_def();
        def.seed = i < 2 ? 5 : 6;
        cr_drive *drive = run(track, i == 0 ? moves : again, &def);
        hashes[i] = cr_drive_outcome(drive).hash;
        cr_drive_destroy(drive);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
    if (hashes[0] != GOLDEN_FINAL && !goldens_are_off()) {
        fail_msg("the drive on the final track has hash 0x%016llx", (unsigned long long)hashes[0]);
    }
    cr_moves_destroy(moves);
    cr_moves_destroy(again);
    cr_track_destroy(track);
}

static void bad_settings_get_a_message(void **state)
{
    (void)state;
    cr_track *track = open_track("oval");
    cr_moves *moves = make(CR_MOVE_TREE_SMALL5);
    for (int i = 0; i < 6; i++) {
        cr_drive_def def = cr_default_drive_def();
        def.horizon = i == 0 ? 0 : def.horizon;
        def.nodes = i == 1 ? -4 : def.nodes;
        def.laps = i == 2 ? 101 : def.laps;
        def.seconds = i == 3 ? NAN : def.seconds;
        def.greed = i == 4 ? 0.5 : def.greed;
        def.replan_seconds = i == 5 ? 1 : 0; // but no clock
        cr_report report = {0};
        cr_drive *drive = NULL;
        assert_int_equal(cr_drive_run(track, moves, &def, &drive, &report), CR_ERR_RANGE);
        assert_null(drive);
        assert_int_equal(report.count, 1);
    }
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

// A clock that goes on by a millisecond whenever it is asked.
static double ticking(void *context)
{
    double *now = context;
    return *now += 0.001;
}

static bool stop_soon(void *context)
{
    double *now = context;
    return *now > 0.05;
}

// Fewer nodes in less time; without enough time for any look ahead a drive still goes on.
static void a_replan_keeps_to_its_time(void **state)
{
    (void)state;
    cr_track *track = open_track("sharp");
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    int64_t nodes[3];
    static const double seconds[3] = {0, 0.05, 0.01};
    for (int i = 0; i < 3; i++) {
        double now = 0;
        cr_drive_def def = cr_default_drive_def();
        def.clock = ticking;
        def.context = &now;
        def.seconds = 20;
        def.replan_seconds = seconds[i];
        cr_drive *drive = run(track, moves, &def);
        nodes[i] = drive->result.most_nodes;
        assert_true(drive->result.frames > 100);
        assert_true(seconds[i] == 0 || drive->result.worst_ms <= 1000 * seconds[i] + 10);
        cr_drive_destroy(drive);
    }
    assert_true(nodes[0] > nodes[1] && nodes[1] > nodes[2] && nodes[2] > 0);
    double now = 0;
    cr_drive_def def = cr_default_drive_def();
    def.clock = ticking;
    def.stop = stop_soon;
    def.context = &now;
    cr_drive *drive = run(track, moves, &def);
    assert_int_equal(drive->result.end, CR_DRIVE_TIMEOUT);
    assert_int_equal(drive->result.replans, 25); // each asks the time twice
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

static void the_playback_shows_the_drive(void **state)
{
    (void)state;
    cr_track *track = open_track("final");
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    cr_drive_def def = cr_default_drive_def();
    cr_drive *drive = run(track, moves, &def);
    cr_playback *p = NULL;
    assert_int_equal(cr_drive_playback(drive, &p, NULL), CR_OK);
    const cr_playback_world *w = &p->worlds[0];
    assert_int_equal(p->body_count, 1 + track->car_count);
    assert_int_equal(p->track_count, p->body_count);
    assert_int_equal(p->world_count, 1);
    assert_int_equal(p->line_count, 4);
    assert_int_equal(w->frame_count, drive->frame_count);
    assert_true(p->frame_seconds == 0.04);
    for (int f = 0; f < w->frame_count; f++) {
        const cr_pose *pose = &w->frames[f * p->track_count];
        assert_true(pose->position.x == drive->frames[f].x);
        double heading = cri_heading(pose->rotation);
        assert_true(fabs(cri_wrap(heading - drive->frames[f].heading)) < 1e-9);
        assert_true(isfinite((double)w->channels[1].values[f]));
        assert_true(fabs(w->channels[1].values[f]) <= 90);
    }
    assert_string_equal(w->channels[0].name, "speed");
    assert_string_equal(w->channels[1].name, "slip angle");
    assert_string_equal(w->channels[2].name, "steering");
    assert_string_equal(w->channels[3].name, "throttle");
    assert_int_equal(w->span_count, drive->result.moves);
    assert_int_equal(w->spans[0].from, 0);
    for (int i = 1; i < w->span_count; i++) {
        assert_int_equal(w->spans[i].from, w->spans[i - 1].to);
    }
    assert_int_equal(w->spans[w->span_count - 1].to, w->frame_count - 1);
    cr_playback_destroy(p);
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_chain_is_the_best),
        cmocka_unit_test(guesses_never_guess_too_much),
        cmocka_unit_test(the_large_tree_drives_every_track),
        cmocka_unit_test(looking_ahead_avoids_crashes),
        cmocka_unit_test(two_more_branches_get_through),
        cmocka_unit_test(same_seed_same_bits),
        cmocka_unit_test(bad_settings_get_a_message),
        cmocka_unit_test(a_replan_keeps_to_its_time),
        cmocka_unit_test(the_playback_shows_the_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
