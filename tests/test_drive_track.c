// Tracks: malformed ones get one clear sentence with a place; good ones lead round.
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
#include "drive/line.h"
#include "drive/track.h"

#define assert_close(a, b, margin) assert_true(fabs((a) - (b)) <= (margin))

static char path[64];

static void write_file(const char *text)
{
    strcpy(path, "/tmp/carom-track-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

// Read a text as a track; returns its status, with the error in `error`.
static cr_status read_text(const char *text, bool closed, cr_error *error)
{
    write_file(text);
    cr_report report = {0};
    cr_track *track = NULL;
    cr_status status = cr_track_read(path, closed, &track, &report);
    unlink(path);
    assert_true((status == CR_OK) == (track != NULL));
    assert_int_equal(status != CR_OK, report.count);
    *error = report.errors[0];
    cr_track_destroy(track);
    return status;
}

static char *circle(int count, double share, const char *width)
{
    char *text = malloc((size_t)count * 80 + 1);
    int length = 0;
    for (int i = 0; i < count; i++) {
        double angle = 2 * CRI_PI * share * i / count;
        length += sprintf(text + length, "%.3f,%.3f,%s,6\n", 100 * cri_cos(angle),
                          100 * cri_sin(angle), width);
    }
    return text;
}

static void expect(const char *text, bool closed, cr_status status, int line, const char *words)
{
    cr_error error;
    assert_int_equal(read_text(text, closed, &error), status);
    assert_int_equal(error.line, line);
    if (!strstr(error.message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
    }
}

static void malformed_tracks_are_refused(void **state)
{
    (void)state;
    char *half = circle(40, 0.5, "6"), *whole = circle(40, 1, "6"), *flat = circle(40, 1, "0");
    expect(half, true, CR_ERR_RANGE, 40, "said to be closed");
    expect(flat, true, CR_ERR_RANGE, 1, "widths must be > 0");
    expect("# x,y\nhello,world,1,1\n", true, CR_ERR_SYNTAX, 2, "x must be a number");
    expect("1,2,3\n", true, CR_ERR_SYNTAX, 1, "comma is missing");
    expect("1,2,3,4,5\n", true, CR_ERR_SYNTAX, 1, "there is more here");
    expect("1,nan,3,4\n", true, CR_ERR_SYNTAX, 1, "y must be a number");
    expect("1,0x2,3,4\n", true, CR_ERR_SYNTAX, 1, "y must be a number");
    expect("1,2,3,\n4\n", true, CR_ERR_SYNTAX, 1, "width to the left");
    expect("1,2,-3,4\n", true, CR_ERR_RANGE, 1, "width to the right");
    expect("1,1e999,3,4\n", true, CR_ERR_RANGE, 1, "y must be a number");
    expect("0,0,5,5\n5,0,5,5\n", true, CR_ERR_RANGE, 0, "4 to 100000 points");
    expect("", true, CR_ERR_RANGE, 0, "4 to 100000 points");
    expect("0,0,5,5\n9,0,5,5\n9,0,5,5\n9,9,5,5\n", false, CR_ERR_RANGE, 3, "from the point before");
    expect("0,0,5,5\n9,0,5,5\n99999,0,5,5\n9,9,5,5\n", false, CR_ERR_RANGE, 3,
           "from -20000 to 20000");
    cr_error error;
    assert_int_equal(read_text(whole, true, &error), CR_OK);
    assert_int_equal(read_text(half, false, &error), CR_OK);
    free(half);
    free(whole);
    free(flat);
}

static void a_figure_of_eight_is_refused(void **state)
{
    (void)state;
    char text[8000];
    int length = 0;
    for (int i = 0; i < 100; i++) {
        double t = 2 * CRI_PI * i / 100;
        length += sprintf(text + length, "%.3f,%.3f,3,3\n", 100 * cri_sin(t), 60 * cri_sin(2 * t));
    }
    cr_error error;
    assert_int_equal(read_text(text, true, &error), CR_ERR_RANGE);
    assert_non_null(strstr(error.message, "cross"));
    assert_true(error.line > 0);
}

// East past `over`, round, and north again half way between two points of the first stretch, every
// 10 m a point. The walls cross between those two points and the two next to y = 0 on the way
// north, and nowhere else. Returns the number, from 1, of the point south of that.
static int add_crossing(char *text, int over, int below)
{
    int length = 0, count = 0, turn = over + 3;
    for (int i = 0; i <= turn; i++, count++) {
        length += sprintf(text + length, "%d,0,3,3\n", 10 * i);
    }
    for (int i = 1; i <= below; i++, count++) {
        length += sprintf(text + length, "%d,%d,3,3\n", 10 * turn, -5 - 10 * i);
    }
    for (int i = turn - 1; i > over; i--, count++) {
        length += sprintf(text + length, "%d,%d,3,3\n", 10 * i, -5 - 10 * below);
    }
    for (int i = below; i > -3; i--, count++) {
        length += sprintf(text + length, "%d,%d,3,3\n", 10 * over + 5, -5 - 10 * i);
    }
    return count - 2;
}

static void a_crossing_is_where_it_is_said(void **state)
{
    (void)state;
    for (int over = 1; over < 9; over++) {
        for (int below = 1; below < 7; below++) {
            char text[4000], words[80];
            int second = add_crossing(text, over, below);
            snprintf(words, sizeof words, "the walls after track points %d and %d cross near",
                     over + 1, second);
            expect(text, false, CR_ERR_RANGE, over + 1, words);
        }
    }
}

static void ten_million_points_are_refused(void **state)
{
    (void)state;
    strcpy(path, "/tmp/carom-track-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)10000000 * 30), 0); // a hole: costs no disk
    close(file);
    cr_report report = {0};
    cr_track *track = NULL;
    assert_int_not_equal(cr_track_read(path, true, &track, &report), CR_OK);
    assert_int_equal(report.count, 1);
    unlink(path);
    // Small enough as a file, too many as points.
    size_t size = (size_t)(CR_TRACK_MAX_POINTS + 1) * 12;
    char *text = malloc(size + 1);
    for (int i = 0; i <= CR_TRACK_MAX_POINTS; i++) {
        memcpy(text + (size_t)i * 12, "1.000,2,3,4\n", 12);
    }
    text[size] = 0;
    cr_error error;
    assert_int_equal(read_text(text, true, &error), CR_ERR_RANGE);
    assert_non_null(strstr(error.message, "at most 100000 points"));
    assert_int_equal(error.line, CR_TRACK_MAX_POINTS + 1);
    free(text);
}

static void unknown_names_get_a_suggestion(void **state)
{
    (void)state;
    cr_report report = {0};
    cr_track *track;
    assert_int_equal(cr_track_builtin("sharpp", &track, &report), CR_ERR_NAME);
    assert_non_null(strstr(report.errors[0].message, "did you mean \"sharp\""));
}

static cr_track *builtin(const char *name)
{
    cr_track *track = NULL;
    assert_int_equal(cr_track_builtin(name, &track, NULL), CR_OK);
    return track;
}

static void all_builtin_tracks_are_sound(void **state)
{
    (void)state;
    for (int i = 0; cr_track_name(i); i++) {
        cr_track *track = builtin(cr_track_name(i));
        assert_true(cr_track_length(track) > 100 && track->shortest <= track->length);
        // A point driven along its middle is followed to the end.
        cri_spot spot = cri_track_spot(track, 1);
        for (double along = 1; along < track->length - 1; along += 3) {
            cri_drive_pose p = cri_track_pose(track, along, 1.5);
            cri_track_follow(track, &spot, p.x, p.y);
            assert_close(spot.along, along, 1.0);
            assert_close(spot.aside, 1.5, 0.3);
            assert_true(cri_track_inside(track, &spot));
        }
        cr_track_destroy(track);
    }
}

static void laps_are_counted_both_ways(void **state)
{
    (void)state;
    cr_track *track = builtin("oval");
    cri_spot spot = cri_track_spot(track, 10);
    for (double along = 10; along < 2.5 * track->length; along += 4) {
        cri_drive_pose p = cri_track_pose(track, along, 0);
        cri_track_follow(track, &spot, p.x, p.y);
    }
    assert_int_equal(spot.lap, 2);
    for (double along = 2.4 * track->length; along > -0.5 * track->length; along -= 4) {
        cri_drive_pose p = cri_track_pose(track, along, 0);
        cri_track_follow(track, &spot, p.x, p.y);
    }
    assert_int_equal(spot.lap, -1);
    cr_track_destroy(track);
}

// The slow and sure way: the box's sides and the wall, or an end of the wall inside the box.
static bool hits_slowly(const cr_track *track, const cri_box *b)
{
    double x[4], y[4];
    for (int i = 0; i < 4; i++) {
        double u = i == 0 || i == 3 ? b->half_length : -b->half_length;
        double v = i < 2 ? b->half_width : -b->half_width;
        x[i] = b->x + b->c * u - b->s * v;
        y[i] = b->y + b->s * u + b->c * v;
    }
    for (int w = 0; w < track->wall_count; w++) {
        const cri_drive_wall *wall = &track->walls[w];
        double du = wall->x0 - b->x, dv = wall->y0 - b->y;
        if (fabs(b->c * du + b->s * dv) <= b->half_length &&
            fabs(b->c * dv - b->s * du) <= b->half_width) {
            return true;
        }
        for (int i = 0; i < 4; i++) {
            int j = (i + 1) % 4;
            double dx = wall->x1 - wall->x0, dy = wall->y1 - wall->y0;
            double a = dx * (y[i] - wall->y0) - dy * (x[i] - wall->x0);
            double c = dx * (y[j] - wall->y0) - dy * (x[j] - wall->x0);
            double ex = x[j] - x[i], ey = y[j] - y[i];
            double d = ex * (wall->y0 - y[i]) - ey * (wall->x0 - x[i]);
            double e = ex * (wall->y1 - y[i]) - ey * (wall->x1 - x[i]);
            if (a * c <= 0 && d * e <= 0) {
                return true;
            }
        }
    }
    return false;
}

static void the_grid_agrees_with_all_walls(void **state)
{
    (void)state;
    cr_track *track = builtin("sharp");
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    int hits = 0, misses = 0;
    for (int i = 0; i < 20000; i++) {
        cri_drive_pose p = cri_track_pose(track, cr_rng_uniform(&rng, 0, track->length),
                                          cr_rng_uniform(&rng, -9, 9));
        double turn = cr_rng_uniform(&rng, -3, 3);
        cri_box box = {p.x,
                       p.y,
                       cri_cos(turn),
                       cri_sin(turn),
                       cr_rng_uniform(&rng, 0.1, 4),
                       cr_rng_uniform(&rng, 0.1, 2)};
        bool hit = cri_track_hits(track, &box);
        assert_int_equal(hit, hits_slowly(track, &box));
        assert_int_equal(hit, cri_track_clearance(track, &box, 2) == 0);
        hits += hit;
        misses += !hit;
    }
    assert_true(hits > 2000 && misses > 2000);
    cr_track_destroy(track);
}

static void generated_tracks_repeat(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        cr_track_recipe recipe = cr_default_track_recipe();
        recipe.seed = (uint64_t)i;
        recipe.closed = i % 2;
        recipe.corners = 4 + i;
        recipe.sharpness = i / 12.0 * 0.8;
        cr_track *a = NULL, *b = NULL, *c = NULL;
        assert_int_equal(cr_track_generate(&recipe, &a, NULL), CR_OK);
        assert_int_equal(cr_track_generate(&recipe, &b, NULL), CR_OK);
        recipe.seed += 100;
        assert_int_equal(cr_track_generate(&recipe, &c, NULL), CR_OK);
        assert_int_equal(a->gate_count, b->gate_count);
        size_t size = (size_t)a->gate_count * sizeof *a->gates;
        assert_memory_equal(a->gates, b->gates, size);
        assert_true(a->length != c->length);
        cr_track_destroy(a);
        cr_track_destroy(b);
        cr_track_destroy(c);
    }
    cr_track_recipe bad = cr_default_track_recipe();
    cr_track *track;
    bad.width = 1;
    assert_int_equal(cr_track_generate(&bad, &track, NULL), CR_ERR_RANGE);
    bad = cr_default_track_recipe();
    bad.length = 200; // 100 corners do not fit
    bad.corners = 100;
    bad.closed = true;
    bad.width = 40;
    assert_int_equal(cr_track_generate(&bad, &track, NULL), CR_ERR_RANGE);
}

// ---------------------------------------------------------------------------------------------
// Nothing is passed over.

// The text with one line (from 1) followed by something, cut after a number of commas, or twice.
typedef enum row_change { ROW_LONGER, ROW_SHORTER, ROW_TWICE } row_change;

static char *change_row(const char *text, int line, row_change kind, const char *tail)
{
    char *changed = malloc(2 * strlen(text) + 100);
    const char *row = text;
    for (int i = 1; i < line; i++) {
        row = strchr(row, '\n') + 1;
    }
    int length = (int)strcspn(row, "\n"), kept = length;
    while (kind == ROW_SHORTER && row[kept] != ',') {
        kept--;
    }
    sprintf(changed, "%.*s%.*s%s\n%s", (int)(row - text), text, kept, row, tail,
            kind == ROW_TWICE ? row : row + length + 1);
    return changed;
}

static void rows_are_read_whole(void **state)
{
    (void)state;
    static const struct {
        row_change kind;
        const char *tail, *words;
        cr_status status;
        int below; // the line at fault, from the changed one
    } changes[] = {
        {ROW_LONGER, ",1", "there is more here", CR_ERR_SYNTAX, 0},
        {ROW_LONGER, " 1", "there is more here", CR_ERR_SYNTAX, 0},
        {ROW_LONGER, ",", "there is more here", CR_ERR_SYNTAX, 0},
        {ROW_LONGER, "x", "there is more here", CR_ERR_SYNTAX, 0},
        {ROW_LONGER, " # wide", "there is more here", CR_ERR_SYNTAX, 0},
        {ROW_SHORTER, "", "a comma is missing", CR_ERR_SYNTAX, 0},
        {ROW_SHORTER, ",", "the width to the left", CR_ERR_SYNTAX, 0},
        {ROW_TWICE, "", "from the point before", CR_ERR_RANGE, 1},
    };
    char *text = circle(40, 1, "6");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (int line = 1; line <= 40; line += 13) {
            char *changed = change_row(text, line, changes[i].kind, changes[i].tail);
            expect(changed, true, changes[i].status, line + changes[i].below, changes[i].words);
            free(changed);
        }
    }
    free(text);
}

static void headers_must_name_the_columns(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        int line; // of the error, or 0
    } heads[] = {
        {"# x_m,y_m,w_tr_right_m,w_tr_left_m\n", 0},
        {"# x_m, y_m, w_tr_right_m, w_tr_left_m\r\n", 0},
        {"# a ring, drawn by hand\n#\n", 0},
        {"# x_m,y_m\n", 0},
        {"# x_m,y_m,w_tr_left_m,w_tr_right_m\n", 1},
        {"# a ring\n\n#y_m,x_m,w_tr_right_m,w_tr_left_m\n", 3},
        {"# w_tr_right_m,w_tr_left_m,x_m,y_m\n", 1},
        {"# x_m,y_m,width_m\n", 1},
    };
    char *ring = circle(40, 1, "6");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char *text = malloc(strlen(ring) + 200);
        sprintf(text, "%s%s", heads[i].header, ring);
        cr_error error = {0};
        cr_status status = read_text(text, true, &error);
        assert_int_equal(status, heads[i].line ? CR_ERR_NAME : CR_OK);
        assert_int_equal(error.line, heads[i].line);
        free(text);
    }
    free(ring);
}

// A race line has two columns, or a track's four.
static void lines_have_no_columns_of_their_own(void **state)
{
    (void)state;
    static const char *const tails[] = {"", ",5,6", ",5", ",5,6,7", ",5,x"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char text[4000];
        int length = 0;
        for (int k = 0; k < 60; k++) {
            double angle = 2 * CRI_PI * k / 60;
            length += sprintf(text + length, "%.3f,%.3f%s\n", 100 * cri_cos(angle),
                              100 * cri_sin(angle), k == 20 ? tails[i] : "");
        }
        write_file(text);
        cr_line_bound bound;
        cr_report report = {0};
        cr_status status = cr_line_bound_read(path, &bound, &report);
        unlink(path);
        assert_int_equal(status == CR_OK, i < 2);
        assert_int_equal(report.errors[0].line, i < 2 ? 0 : 21);
    }
}

// ---------------------------------------------------------------------------------------------
// Walls.

typedef struct ring {
    double radius, inner, outer;
    int count;
    double share; // of the whole circle; less is an open track
    bool clockwise;
} ring;

static cr_status make_ring(const ring *r, cr_track **track, cr_report *report)
{
    cr_track_point points[200];
    for (int i = 0; i < r->count; i++) {
        double angle = 2 * CRI_PI * r->share * i / r->count * (r->clockwise ? -1 : 1);
        points[i] = (cr_track_point){r->radius * cri_cos(angle), r->radius * cri_sin(angle),
                                     r->clockwise ? r->inner : r->outer,
                                     r->clockwise ? r->outer : r->inner};
    }
    cr_track_def def = cr_default_track_def();
    def.closed = r->share == 1;
    def.point_count = r->count;
    def.points = points;
    return cr_track_create(&def, track, report);
}

// Rings and arcs either way round: what is wider inside than its radius is folded over, whether or
// not its walls cross each other.
static void folded_rings_are_refused(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    int good = 0, bad = 0;
    for (int i = 0; i < 250; i++) {
        ring r = {.radius = cr_rng_uniform(&rng, 20, 200),
                  .count = 12 + (int)cr_rng_index(&rng, 180)};
        double ratio = cr_rng_uniform(&rng, 0.05, 2);
        // The end gates of an arc lean a little, so it must keep off its middle by more.
        ratio = i % 7 == 0 ? 1 : fabs(ratio - 1) < 0.3 ? (ratio < 1 ? 0.7 : 1.3) : ratio;
        r.inner = ratio * r.radius;
        r.outer = cr_rng_uniform(&rng, 2, 50);
        r.share = i % 3 ? 1 : cr_rng_uniform(&rng, 0.4, 0.9);
        r.clockwise = i % 2;
        cr_track *track = NULL;
        cr_report report = {0};
        cr_status status = make_ring(&r, &track, &report);
        if (status != (ratio < 1 ? CR_OK : CR_ERR_RANGE)) {
            fail_msg("radius %g, inner %g, outer %g, %d points, %g of a circle: %s", r.radius,
                     r.inner, r.outer, r.count, r.share, report.errors[0].message);
        }
        const char *said = report.errors[0].message;
        assert_true(status == CR_OK || strstr(said, "backwards") || strstr(said, "cross"));
        good += status == CR_OK;
        bad += status != CR_OK;
        cr_track_destroy(track);
    }
    assert_true(good > 60 && bad > 60);
}

// Loops of random arms and widths: whatever is accepted can be followed along its middle.
static void accepted_tracks_can_be_followed(void **state)
{
    (void)state;
    int good = 0, bad = 0;
    for (int i = 0; i < 120; i++) {
        cr_rng rng = cr_rng_make(6, CR_RNG_USER, (uint64_t)i);
        cr_track_point points[120];
        double phase = cr_rng_uniform(&rng, 0, 6), wave = cr_rng_uniform(&rng, 0, 0.5);
        double left = cr_rng_uniform(&rng, 2, 70), right = cr_rng_uniform(&rng, 2, 30);
        for (int k = 0; k < 120; k++) {
            double angle = 2 * CRI_PI * k / 120;
            double arm = 80 * (1 + wave * cri_sin(3 * angle + phase));
            points[k] = (cr_track_point){arm * cri_cos(angle), arm * cri_sin(angle), right, left};
        }
        cr_track_def def = cr_default_track_def();
        def.point_count = 120;
        def.points = points;
        cr_track *track = NULL;
        if (cr_track_create(&def, &track, NULL) == CR_OK) {
            cri_spot spot = cri_track_spot(track, 0);
            for (double along = 0; along < track->length; along += 2) {
                cri_drive_pose p = cri_track_pose(track, along, 0);
                cri_track_follow(track, &spot, p.x, p.y);
                assert_close(spot.along, along, 0.5);
            }
        }
        good += track != NULL;
        bad += track == NULL;
        cr_track_destroy(track);
    }
    assert_true(good > 20 && bad > 20);
}

static void a_track_must_be_wider_than_the_car(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    cr_moves_def what = cr_default_moves_def();
    what.tree = CR_MOVE_TREE_SMALL5;
    cr_moves *moves = NULL;
    assert_int_equal(cr_moves_create(&what, &moves, NULL), CR_OK);
    char text[8000];
    for (int i = 0; i < 40; i++) {
        double half = 0.2 + 0.05 * i; // of the width at one point
        int length = 0;
        for (int k = 0; k < 100; k++) {
            double angle = 2 * CRI_PI * k / 100, width = k == 30 + i ? half : 6;
            length += sprintf(text + length, "%.4f,%.4f,%g,%g\n", 100 * cri_cos(angle),
                              100 * cri_sin(angle), width, width);
        }
        cr_track *track = NULL;
        assert_int_equal(cri_track_parse(text, strlen(text), "ring.csv", true, &track, NULL),
                         CR_OK);
        cr_report report = {0};
        bool passes = half > car.half_width + 0.01, stuck = half <= car.half_width;
        cr_status status = cri_track_check_car(track, &car, &report);
        assert_true((!passes || status == CR_OK) && (!stuck || status == CR_ERR_RANGE));
        if (stuck) {
            cr_drive_def def = cr_default_drive_def();
            cr_drive *drive = NULL;
            assert_int_equal(cr_drive_run(track, moves, &def, &drive, &report), CR_ERR_RANGE);
            assert_null(drive);
            const cr_error *error = &report.errors[1];
            assert_true(strcmp(error->file, "ring.csv") == 0 && abs(error->line - (31 + i)) <= 1);
            assert_non_null(strstr(error->message, "the car is 1.7 m"));
        }
        cr_track_destroy(track);
    }
    cr_moves_destroy(moves);
}

static void nonsense_in_a_def_is_refused(void **state)
{
    (void)state;
    cr_track_point points[40];
    for (int i = 0; i < 40; i++) {
        points[i] = (cr_track_point){2.0 * i, 0, 5, 5};
    }
    for (int i = 0; i < 9; i++) {
        cr_track_car car = {.along = i == 1   ? NAN
                                     : i == 2 ? 1e9
                                              : 0,
                            .aside = i == 3   ? NAN
                                     : i == 4 ? 1e4
                                              : 0,
                            .speed = i == 5 ? HUGE_VAL : 0};
        cr_track_def def = cr_default_track_def();
        def.closed = false;
        def.points = points;
        def.point_count = i == 8 ? 18 : 40; // 34 m, of which 30 are behind the finish line
        def.cars = &car;
        def.car_count = 1;
        def.start_speed = i == 6 ? NAN : 0;
        def.start_along = i == 7 ? NAN : -1;
        cr_report report = {0};
        cr_track *track = NULL;
        assert_int_equal(cr_track_create(&def, &track, &report), i == 0 ? CR_OK : CR_ERR_RANGE);
        assert_int_equal(report.count, i > 0);
        cr_track_destroy(track);
    }
}

// A circle of 100 m: at 3 g a point mass does not slow down for it, the car holds what its own
// balance allows, which is less; and nobody beats top speed.
static void bounds_are_in_order(void **state)
{
    (void)state;
    char *text = circle(120, 1, "6");
    write_file(text);
    cr_line_bound bound;
    assert_int_equal(cr_line_bound_read(path, &bound, NULL), CR_OK);
    unlink(path);
    free(text);
    cr_car car = cr_default_car();
    assert_close(bound.length, 2 * CRI_PI * 100, 1);
    assert_close(bound.point_mass, bound.length / cr_car_top_speed(&car), 0.05);
    assert_true(bound.car > bound.point_mass * 1.1 && bound.car < bound.point_mass * 1.6);
}

// Where a track lies, and which way it points.
typedef struct lie {
    double x, y, turn;
} lie;

static cr_track *lay(const cr_track_point *points, int count, bool closed, lie at)
{
    cr_track_point laid[200];
    double c = cri_cos(at.turn), s = cri_sin(at.turn);
    for (int i = 0; i < count; i++) {
        laid[i] = points[i];
        laid[i].x = at.x + c * points[i].x - s * points[i].y;
        laid[i].y = at.y + s * points[i].x + c * points[i].y;
    }
    cr_track_def def = cr_default_track_def();
    def.closed = closed;
    def.points = laid;
    def.point_count = count;
    cr_track *track = NULL;
    assert_int_equal(cr_track_create(&def, &track, NULL), CR_OK);
    return track;
}

static const lie lies[] = {{0, 0, 0}, {900, -400, 0}, {-3000, 5000, 2}, {15000, 15000, -1}};

// Nothing bends less than a straight: the race line of one is its middle, wherever it lies.
static void the_line_of_a_straight_is_its_middle(void **state)
{
    (void)state;
    for (int count = 20; count < 200; count += 23) {
        cr_track_point points[200];
        for (int i = 0; i < count; i++) {
            points[i] = (cr_track_point){4.0 * i, 0, 5, 7};
        }
        for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
            cr_track *track = lay(points, count, false, lies[k]);
            cri_line *line = NULL;
            assert_int_equal(cri_line_create(track, &line, NULL), CR_OK);
            assert_close(line->length, 4.0 * (count - 1), 1e-6);
            for (int i = 0; i < count; i++) {
                assert_close(line->offset[i], 0, 1e-6);
                assert_close(line->x[i], track->gates[i].x, 1e-6);
                assert_close(line->y[i], track->gates[i].y, 1e-6);
            }
            cri_line_destroy(line);
            cr_track_destroy(track);
        }
    }
}

// Waves, open and closed: moved and turned, a track has the same race line.
static void the_line_moves_with_its_track(void **state)
{
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        cr_rng rng = cr_rng_make(8, CR_RNG_USER, (uint64_t)trial);
        cr_track_point points[200];
        bool closed = trial % 2;
        int count = 30 + (int)cr_rng_index(&rng, 170);
        double wave = cr_rng_uniform(&rng, 0.1, 0.3), phase = cr_rng_uniform(&rng, 0, 6);
        for (int i = 0; i < count; i++) {
            double angle = (closed ? 2 : 1.5) * CRI_PI * i / count;
            double arm = 150 * (1 + wave * cri_sin(3 * angle + phase));
            points[i] = (cr_track_point){arm * cri_cos(angle), arm * cri_sin(angle), 5, 7};
        }
        cri_line *first = NULL;
        for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
            cr_track *track = lay(points, count, closed, lies[k]);
            cri_line *line = NULL;
            assert_int_equal(cri_line_create(track, &line, NULL), CR_OK);
            for (int i = 0; first && i < count; i++) {
                assert_close(line->offset[i], first->offset[i], 1e-5);
                assert_close(line->curvature[i], first->curvature[i], 1e-5);
            }
            cri_line_destroy(first);
            first = line;
            cr_track_destroy(track);
        }
        cri_line_destroy(first);
    }
}

// Race lines that are none, and what is said about them.
static void malformed_lines_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "at least 4 points, got 0"},
        {"0,0\n9,0\n9,9\n", "at least 4 points, got 3"},
        {"0,0\n9,0\n9,9\n0 9\n", "a comma is missing"},
        {"0,0\n9,0\n9,9\n0,x\n", "must be a number"},
        {"0,0\n9,0\n9,9\n0,1e7\n", "must be a number from"},
        {"5,5\n5,5\n5,5\n5,5\n", "at least 1 m long, got 0 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_line_bound bound;
        cr_report report = {0};
        write_file(cases[i][0]);
        assert_int_not_equal(cr_line_bound_read(path, &bound, &report), CR_OK);
        unlink(path);
        assert_int_equal(report.count, 1);
        assert_non_null(strstr(report.errors[0].message, cases[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_tracks_are_refused),
        cmocka_unit_test(a_figure_of_eight_is_refused),
        cmocka_unit_test(a_crossing_is_where_it_is_said),
        cmocka_unit_test(ten_million_points_are_refused),
        cmocka_unit_test(unknown_names_get_a_suggestion),
        cmocka_unit_test(all_builtin_tracks_are_sound),
        cmocka_unit_test(laps_are_counted_both_ways),
        cmocka_unit_test(the_grid_agrees_with_all_walls),
        cmocka_unit_test(generated_tracks_repeat),
        cmocka_unit_test(rows_are_read_whole),
        cmocka_unit_test(headers_must_name_the_columns),
        cmocka_unit_test(lines_have_no_columns_of_their_own),
        cmocka_unit_test(folded_rings_are_refused),
        cmocka_unit_test(accepted_tracks_can_be_followed),
        cmocka_unit_test(a_track_must_be_wider_than_the_car),
        cmocka_unit_test(nonsense_in_a_def_is_refused),
        cmocka_unit_test(bounds_are_in_order),
        cmocka_unit_test(the_line_of_a_straight_is_its_middle),
        cmocka_unit_test(the_line_moves_with_its_track),
        cmocka_unit_test(malformed_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
