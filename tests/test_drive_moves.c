// Trees and graphs: moves begin and end as their nodes say, sweeps cover the car, and graphs made
// from clips can always be driven on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trig.h"
#include "drive/graph.h"
#include "drive/inputs.h"

static cr_moves *make(cr_move_tree tree)
{
    cr_moves_def def = cr_default_moves_def();
    def.tree = tree;
    cr_moves *moves = NULL;
    assert_int_equal(cr_moves_create(&def, &moves, NULL), CR_OK);
    return moves;
}

static const cri_clip_frame *first_frame(const cr_moves *moves, const cri_move *m)
{
    return &moves->clips.frames[m->frame];
}

// Every frame of a clip follows from the one before by the car's own step.
static void clips_are_what_the_car_does(void **state)
{
    (void)state;
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    for (int i = 0; i < moves->clips.clip_count; i++) {
        const cri_clip *clip = &moves->clips.clips[i];
        const cri_clip_frame *f = &moves->clips.frames[clip->first];
        cr_car_state s = cri_car_at_origin(f[0].motion);
        for (int k = 0; k + 1 < clip->count; k++) {
            assert_true(fabs(f[k].input.steer) <= CR_CAR_MAX_STEER);
            assert_true(fabs(f[k].input.throttle) <= 100 && f[k].input.brake <= 100);
            assert_true(f[k].input.throttle == 0 || f[k].input.brake == 0);
            s = cr_car_step(&moves->car, s, f[k].input);
            assert_true(s.x == f[k + 1].x && s.y == f[k + 1].y && s.heading == f[k + 1].heading);
        }
    }
    cr_moves_destroy(moves);
}

static void small_trees_have_their_branches(void **state)
{
    (void)state;
    for (int branches = 5; branches <= 7; branches += 2) {
        cr_moves *moves = make(branches == 5 ? CR_MOVE_TREE_SMALL5 : CR_MOVE_TREE_SMALL7);
        assert_int_equal(moves->node_count, 1);
        assert_int_equal(moves->move_count, branches);
        assert_int_equal(moves->nodes[0].way_count, branches);
        for (int i = 0; i < branches; i++) {
            const cri_clip_frame *f = first_frame(moves, &moves->moves[i]);
            assert_int_equal(moves->moves[i].frames, 25);
            // Sideways nothing jumps; forwards it may.
            assert_true(fabs(f[0].motion.v) + fabs(f[0].motion.w) < 1e-9);
            assert_true(fabs(f[25].motion.v) + fabs(f[25].motion.w) < 1e-5);
        }
        cr_moves_destroy(moves);
    }
}

static void the_large_tree_has_no_jumps(void **state)
{
    (void)state;
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    double largest = 0, slip = 0;
    int skids = 0, back = 0;
    for (int n = 0; n < moves->node_count; n++) {
        assert_true(moves->nodes[n].way_count >= 3);
        for (int i = 0; i < moves->nodes[n].way_count; i++) {
            const cri_move *m = &moves->moves[moves->ways[moves->nodes[n].way + i].move];
            const cri_clip_frame *f = first_frame(moves, m);
            double begin = cri_drive_motion_distance(f[0].motion, moves->nodes[n].motion);
            double end =
                cri_drive_motion_distance(f[m->frames].motion, moves->nodes[m->node].motion);
            largest = fmax(largest, begin + end);
            skids += strcmp(moves->clips.clips[m->clip].label, "skid") == 0;
            back += f[m->frames / 2].motion.u < -1;
            for (int k = 0; k < m->frames; k++) {
                if (f[k].motion.u > 3) {
                    slip = fmax(slip, fabs(cri_atan2(f[k].motion.v, f[k].motion.u)));
                }
            }
        }
    }
    assert_true(largest < 1e-5);
    assert_true(skids >= 10);
    assert_true(back >= 5);
    assert_true(slip > 0.6); // more than 34 degrees: a skid
    cr_moves_destroy(moves);
}

// Between any two frames the car's corners lie in the sweep's box, also half way.
static void sweeps_cover_the_car(void **state)
{
    (void)state;
    cr_moves *moves = make(CR_MOVE_TREE_LARGE);
    const cr_car *car = &moves->car;
    for (int i = 0; i < moves->move_count; i++) {
        const cri_move *m = &moves->moves[i];
        const cri_clip_frame *f = first_frame(moves, m);
        int covered = 0;
        for (int k = 0; k < m->sweep_count; k++) {
            const cri_sweep *sweep = &moves->sweeps[m->sweep + k];
            assert_int_equal(sweep->from, covered);
            for (int q = 4 * sweep->from; q <= 4 * sweep->to; q++) {
                const cri_clip_frame *a = &f[q / 4], *b = q / 4 < m->frames ? a + 1 : a;
                double t = (q % 4) / 4.0;
                double h = a->heading + t * (b->heading - a->heading);
                for (int corner = 0; corner < 4; corner++) {
                    double u = (corner & 1 ? 1 : -1) * car->half_length;
                    double v = (corner & 2 ? 1 : -1) * car->half_width;
                    double x = a->x + t * (b->x - a->x) + cri_cos(h) * u - cri_sin(h) * v;
                    double y = a->y + t * (b->y - a->y) + cri_sin(h) * u + cri_cos(h) * v;
                    double dx = x - sweep->box.x, dy = y - sweep->box.y;
                    const cri_box *box = &sweep->box;
                    assert_true(fabs(box->c * dx + box->s * dy) <= box->half_length);
                    assert_true(fabs(box->c * dy - box->s * dx) <= box->half_width);
                    double ex = x - m->middle_x, ey = y - m->middle_y;
                    assert_true(sqrt(ex * ex + ey * ey) <= m->radius);
                }
            }
            covered = sweep->to;
        }
        assert_int_equal(covered, m->frames);
    }
    cr_moves_destroy(moves);
}

// ---------------------------------------------------------------------------------------------
// Graphs from clips

// A person who weaves about: a table of inputs.
static void write_inputs(char *path, double seconds)
{
    strcpy(path, "/tmp/carom-inputs-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out, "# seconds,steering,throttle,brake\n");
    for (int i = 0; i < seconds * 5; i++) {
        double t = i / 5.0;
        fprintf(out, "%.1f,%.1f,%d,%d\n", t, 12 * cri_sin(0.9 * t) * cri_sin(0.21 * t),
                i % 60 < 40 ? 60 : 0, i % 60 >= 50 ? 30 : 0);
    }
    fclose(out);
}

static cr_status make_from(const char *path, double threshold, cr_moves **moves, cr_report *report)
{
    cr_moves_def def = cr_default_moves_def();
    def.tree = CR_MOVE_TREE_AUTO;
    def.graph.threshold = threshold;
    def.inputs = &path;
    def.input_count = 1;
    return cr_moves_create(&def, moves, report);
}

static void check_graph(const cr_moves *moves, double threshold)
{
    bool *reached = calloc((size_t)moves->node_count, 1);
    int *queue = calloc((size_t)moves->node_count, sizeof *queue);
    // From node 0 all nodes are reached; and from each the component leads back, since in a finite
    // graph where all are reached from every one of a few samples nothing else is possible.
    for (int start = 0; start < moves->node_count; start += 1 + moves->node_count / 7) {
        memset(reached, 0, (size_t)moves->node_count);
        int count = 0;
        queue[count++] = start;
        reached[start] = true;
        for (int i = 0; i < count; i++) {
            const cri_move_node *node = &moves->nodes[queue[i]];
            assert_true(node->way_count > 0);
            for (int k = 0; k < node->way_count; k++) {
                const cri_way *way = &moves->ways[node->way + k];
                int to = moves->moves[way->move].node;
                assert_true((double)way->jump < threshold);
                if (!reached[to]) {
                    reached[to] = true;
                    queue[count++] = to;
                }
            }
        }
        assert_int_equal(count, moves->node_count);
    }
    free(reached);
    free(queue);
}

static void a_graph_from_inputs_can_always_be_driven_on(void **state)
{
    (void)state;
    char path[64];
    write_inputs(path, 300);
    cr_moves *moves = NULL;
    assert_int_equal(make_from(path, 0.6, &moves, NULL), CR_OK);
    cr_moves_facts facts = cr_moves_describe(moves);
    assert_int_equal(facts.clips, 1);
    assert_true(facts.similar > 50 && facts.nodes > 10 && facts.ways > facts.nodes);
    assert_true(facts.largest_jump < 0.6);
    check_graph(moves, 0.6);
    // A tighter threshold finds fewer.
    cr_moves *tight = NULL;
    assert_int_equal(make_from(path, 0.3, &tight, NULL), CR_OK);
    assert_true(cr_moves_describe(tight).similar < facts.similar);
    cr_moves_destroy(tight);
    cr_moves_destroy(moves);
    unlink(path);
}

// What comes faster than the car is driven is not lost without a word.
static void lines_within_a_frame_are_warned_of(void **state)
{
    (void)state;
    static const char text[] =
        "0,0,50,0\n# half a frame\n0.5,1,50,0\n# and\n0.51,2,50,0\n1,3,50,0\n"
        "1.01,4,50,0\n2,0,50,0\n";
    cr_moves *moves = calloc(1, sizeof *moves);
    moves->car = cr_default_car();
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cr_report report = {0};
    assert_int_equal(cri_inputs_parse(text, strlen(text), "drive.csv", &driver, &report), CR_OK);
    assert_int_equal(report.warning_count, 1);
    assert_int_equal(report.warnings[0].line, 3);
    assert_non_null(strstr(report.warnings[0].message, "2 lines"));
    cr_moves_destroy(moves);
}

static void hopeless_inputs_get_a_message(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
        int line;
    } bad[] = {
        {"0,0,0,0\n", "at least two lines", 0},
        {"0,0,100,0\n1,0,100,0\n", "alike", 0}, // speeding up: nothing meets again
        {"0,90,0,0\n", "steering angle", 1},
        {"0,0,0,0\n0,0,0,0\n", "times must grow", 2},
        {"# x\nzero,0,0,0\n", "the time", 2},
        {"0,0,0,0\n1e9,0,0,0\n", "the time", 2},
        {"0,0,0,0\n1,0,0,\n2,0,0,0\n", "the brake", 2}, // not taken from the next line
        {"0,0,0,0\n1 0 0 0\n", "comma", 2},
        {"0,0,0,0\n1,0,0,0,0\n", "there is more here", 2},
        {"0,0,0,0\n1,0,0,0 x\n", "there is more here", 2},
        {"0,0,0\n", "comma", 1},
        {"0,0,0,0\n1,0,9e9,0\n", "the throttle", 2},
        {"0,0,0,0\n1,0,0,0\n2,0,0x1,0\n", "the throttle", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char path[] = "/tmp/carom-inputs-XXXXXX";
        int file = mkstemp(path);
        assert_int_equal(write(file, bad[i].text, strlen(bad[i].text)),
                         (ssize_t)strlen(bad[i].text));
        close(file);
        cr_report report = {0};
        cr_moves *moves = NULL;
        assert_int_not_equal(make_from(path, 0.02, &moves, &report), CR_OK);
        assert_null(moves);
        assert_int_equal(report.errors[0].line, bad[i].line);
        if (!strstr(report.errors[0].message, bad[i].words)) {
            fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, bad[i].words);
        }
        unlink(path);
    }
}

// Three clips: two that meet in the middle, and one that nothing leads back from.
static void only_the_strong_component_stays(void **state)
{
    (void)state;
    cr_moves *moves = calloc(1, sizeof *moves);
    moves->car = cr_default_car();
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    for (int i = 0; i < 3; i++) {
        cri_drive_motion begin = {10, 0, 0};
        cri_driver_begin(&driver, begin, i == 0 ? "loop" : (i == 1 ? "other" : "away"));
        cri_target target = {.motion = {i == 2 ? 14 : 10, 0, 0},
                             .heading = i == 1 ? 0.2 : 0,
                             .frames = 24,
                             .knots = 6,
                             .pedals = 2};
        assert_true(cri_driver_reach(&driver, &target));
        cri_driver_keep(&driver);
    }
    cr_graph_def def = cr_default_graph_def();
    assert_int_equal(cri_graph_build(moves, &def, NULL), CR_OK);
    check_graph(moves, def.threshold);
    for (int i = 0; i < moves->move_count; i++) {
        assert_string_not_equal(moves->clips.clips[moves->moves[i].clip].label, "away");
    }
    assert_true(moves->move_count >= 2);
    cr_moves_destroy(moves);
}

// Two clips that do the same: the second way is dropped.
static void redundant_ways_go(void **state)
{
    (void)state;
    cr_moves *moves = calloc(1, sizeof *moves);
    moves->car = cr_default_car();
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    for (int i = 0; i < 4; i++) {
        cri_driver_begin(&driver, (cri_drive_motion){10, 0, 0}, "same");
        cri_target target = {
            .motion = {10, 0, 0}, .any_heading = true, .frames = 12, .knots = 4, .pedals = 1};
        assert_true(cri_driver_reach(&driver, &target));
        cri_driver_keep(&driver);
    }
    cr_graph_def def = cr_default_graph_def();
    assert_int_equal(cri_graph_build(moves, &def, NULL), CR_OK);
    assert_true(moves->facts.redundant >= 3);
    assert_int_equal(moves->way_count, moves->node_count); // one way each is left
    cr_moves_destroy(moves);
}

static void pictures_and_tables_are_written(void **state)
{
    (void)state;
    cr_moves *moves = make(CR_MOVE_TREE_SMALL7);
    assert_int_equal(cr_moves_write_svg(moves, "/tmp/carom-moves-test.svg", NULL), CR_OK);
    assert_int_equal(cr_moves_write_clips(moves, "/tmp/carom-moves-test.csv", NULL), CR_OK);
    FILE *file = fopen("/tmp/carom-moves-test.csv", "r");
    int lines = 0;
    for (int c; (c = fgetc(file)) != EOF;) {
        lines += c == '\n';
    }
    fclose(file);
    assert_int_equal(lines, 1 + moves->clips.frame_count);
    unlink("/tmp/carom-moves-test.svg");
    unlink("/tmp/carom-moves-test.csv");
    cr_report report = {0};
    assert_int_not_equal(cr_moves_write_svg(moves, "/no/such/folder/x.svg", &report), CR_OK);
    assert_int_equal(report.count, 1);
    cr_moves_destroy(moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_are_what_the_car_does),
        cmocka_unit_test(small_trees_have_their_branches),
        cmocka_unit_test(the_large_tree_has_no_jumps),
        cmocka_unit_test(sweeps_cover_the_car),
        cmocka_unit_test(a_graph_from_inputs_can_always_be_driven_on),
        cmocka_unit_test(lines_within_a_frame_are_warned_of),
        cmocka_unit_test(hopeless_inputs_get_a_message),
        cmocka_unit_test(only_the_strong_component_stays),
        cmocka_unit_test(redundant_ways_go),
        cmocka_unit_test(pictures_and_tables_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
