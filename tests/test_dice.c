// Dice that come to lie as a picture: reading pictures, who goes where, and how little it takes.
#include "texts.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <zlib.h>

#include "base/bitmap.h"
#include "base/vec.h"
#include "lab/dice_measure.h"
#include "scene/model.h"
#include "scene/pictures.h"

// ---------------------------------------------------------------------------------------------
// Files.

typedef struct bytes {
    unsigned char data[20000];
    size_t length;
} bytes;

static void put(bytes *b, const void *data, size_t length)
{
    assert_true(b->length + length <= sizeof b->data);
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

static void put_long(bytes *b, unsigned long value)
{
    unsigned char four[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                             (unsigned char)(value >> 8), (unsigned char)value};
    put(b, four, 4);
}

static void put_chunk(bytes *b, const char *name, const void *data, size_t length)
{
    size_t from = b->length + 4;
    put_long(b, length);
    put(b, name, 4);
    put(b, data, length);
    put_long(b, crc32(0, b->data + from, (uInt)(length + 4)));
}

typedef struct sort {
    int color, depth, interlaced;
} sort;

// A PNG of rows that have their filters in front of them.
static void make_png(bytes *b, int width, int height, sort s, const bytes *rows,
                     const bytes *palette, const bytes *alphas)
{
    unsigned char header[13] = {0,
                                0,
                                (unsigned char)(width >> 8),
                                (unsigned char)width,
                                0,
                                0,
                                (unsigned char)(height >> 8),
                                (unsigned char)height,
                                (unsigned char)s.depth,
                                (unsigned char)s.color,
                                0,
                                0,
                                (unsigned char)s.interlaced};
    unsigned char packed[20000];
    uLongf size = sizeof packed;
    assert_int_equal(compress(packed, &size, rows->data, rows->length), Z_OK);
    b->length = 0;
    put(b, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(b, "IHDR", header, 13);
    if (palette) {
        put_chunk(b, "PLTE", palette->data, palette->length);
    }
    if (alphas) {
        put_chunk(b, "tRNS", alphas->data, alphas->length);
    }
    put_chunk(b, "tEXt", "note", 4); // what is not needed is passed over
    put_chunk(b, "IDAT", packed, size / 2);
    put_chunk(b, "IDAT", packed + size / 2, size - size / 2);
    put_chunk(b, "IEND", "", 0);
}

// Its cells as a text, or the message.
static const char *read_as(const bytes *b, const char *ending)
{
    static char said[40000];
    char path[64];
    snprintf(path, sizeof path, "/tmp/carom-dice-%ld%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->data, 1, b->length, file), b->length);
    fclose(file);
    cr_report report = {0};
    cri_bitmap bitmap;
    cr_status status = cri_bitmap_read(path, (cri_location){"t.yaml", 3, 7}, &bitmap, &report);
    unlink(path);
    if (status != CR_OK) {
        char line[640];
        const char *colon = strstr(cr_error_print(&report.errors[0], line, sizeof line), "\": ");
        assert_int_equal(strncmp(line, "t.yaml:3:7: picture \"", 21), 0);
        snprintf(said, sizeof said, "%s", colon ? colon + 3 : line);
        return said;
    }
    cri_text text = {0};
    cri_bitmap_print(&bitmap, &text);
    snprintf(said, sizeof said, "%s", text.data);
    cri_text_free(&text);
    cri_bitmap_free(&bitmap);
    return said;
}

static void pbm_files(void **state)
{
    (void)state;
    bytes b = {.length = 0};
    const char *text = "P1 # a comment\n3 2\n101\n0 1 0\n";
    put(&b, text, strlen(text));
    assert_string_equal(read_as(&b, ".pbm"), "cells:909/090");
    b.length = 0;
    put(&b, "P4\n10 2\n\xff\x40\x00\x80", 12);
    assert_string_equal(read_as(&b, ".pbm"), "cells:9999999909/0000000090");
    b.length--;
    assert_string_equal(read_as(&b, ".PBM"), "it ends before its last row");
    b.length = 0;
    put(&b, "P1 2 2 1 0 2 0", 14);
    assert_string_equal(read_as(&b, ".pbm"), "it must have a 0 or 1 for each pixel");
    const char *wrong[] = {"P1 0 3 ", "P1 4097 3 ", "P4 999999999999999999999 1 ", "P1 "};
    for (int i = 0; i < 4; i++) {
        b.length = 0;
        put(&b, wrong[i], strlen(wrong[i]));
        assert_non_null(strstr(read_as(&b, ".pbm"), "1 to 4096 pixels a side"));
    }
    b.length = 0;
    put(&b, "P5 1 1 255 0", 12);
    assert_string_equal(read_as(&b, ".pbm"), "it must begin with P1 or P4");
}

// The same four by three cells in every kind of PNG.
static const unsigned char lights[12] = {255, 0, 255, 0, 0, 0, 0, 255, 255, 255, 0, 0};
static const char lights_cells[] = "cells:0909/9990/0099";

static void put_pixel(bytes *rows, sort s, int light)
{
    unsigned char pixel[8];
    size_t used = 0, wide = s.depth == 16 ? 2 : 1;
    int colors = s.color == 2 || s.color == 6 ? 3 : 1;
    bool alpha = s.color == 4 || s.color == 6;
    // Where it is white, and there is an alpha, it is black that nobody sees.
    for (int i = 0; i < colors; i++, used += wide) {
        memset(pixel + used, alpha && light == 255 ? 0 : light, wide);
    }
    if (alpha) {
        memset(pixel + used, light == 255 ? 0 : 255, wide);
        used += wide;
    }
    put(rows, pixel, used);
}

static void png_colors(void **state)
{
    (void)state;
    static const sort sorts[] = {{0, 8, 0}, {0, 16, 0}, {2, 8, 0}, {2, 16, 0},
                                 {4, 8, 0}, {4, 16, 0}, {6, 8, 0}, {6, 16, 0}};
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        bytes rows = {.length = 0}, b;
        for (int k = 0; k < 12; k++) {
            if (k % 4 == 0) {
                put(&rows, "", 1);
            }
            put_pixel(&rows, sorts[i], lights[k]);
        }
        make_png(&b, 4, 3, sorts[i], &rows, NULL, NULL);
        assert_string_equal(read_as(&b, ".png"), lights_cells);
    }
}

static void png_few_bits(void **state)
{
    (void)state;
    bytes b, gray = {.length = 0}, two = {.length = 0}, palette = {.length = 0},
             alphas = {.length = 0};
    put(&gray, "\0\xa0\0\x10\0\xc0", 6);
    make_png(&b, 4, 3, (sort){0, 1, 0}, &gray, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), lights_cells);
    // Shades: 0, 85, 170 and 255 of 255.
    put(&two, "\0\x1b", 2);
    make_png(&b, 4, 1, (sort){0, 2, 0}, &two, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "cells:9630");
    // White, black, a green that is as dark as 150, and a black that shows half of what is below.
    put(&palette, "\xff\xff\xff\0\0\0\0\xff\0\0\0\0", 12);
    put(&alphas, "\xff\xff\xff\x80", 4);
    make_png(&b, 4, 1, (sort){3, 2, 0}, &two, &palette, &alphas);
    assert_string_equal(read_as(&b, ".png"), "cells:0945");
}

static int paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Rows written with each filter, as the standard has them.
static void png_filters(void **state)
{
    (void)state;
    enum { W = 9, H = 10 };
    int pixel[H][W];
    bytes rows = {.length = 0}, plain = {.length = 0}, b;
    for (int y = 0; y < H; y++) {
        unsigned char filter = (unsigned char)(y % 5);
        put(&rows, &filter, 1);
        put(&plain, "", 1);
        for (int x = 0; x < W; x++) {
            pixel[y][x] = (x * 37 + y * 101 + x * y * 13) % 256;
            int left = x ? pixel[y][x - 1] : 0, up = y ? pixel[y - 1][x] : 0;
            int corner = x && y ? pixel[y - 1][x - 1] : 0;
            int known[5] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
            unsigned char raw = (unsigned char)pixel[y][x];
            unsigned char off = (unsigned char)(pixel[y][x] - known[filter]);
            put(&plain, &raw, 1);
            put(&rows, &off, 1);
        }
    }
    char expected[1000];
    make_png(&b, W, H, (sort){0, 8, 0}, &plain, NULL, NULL);
    snprintf(expected, sizeof expected, "%s", read_as(&b, ".png"));
    make_png(&b, W, H, (sort){0, 8, 0}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), expected);
    rows.data[0] = 5;
    make_png(&b, W, H, (sort){0, 8, 0}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "its data are broken");
}

static void broken_pngs(void **state)
{
    (void)state;
    bytes rows = {.length = 0}, b;
    put(&rows, "\0\xa0\0\x10\0\xc0", 6);
    make_png(&b, 4, 3, (sort){0, 1, 1}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "it is interlaced; write it without");
    make_png(&b, 4, 3, (sort){0, 3, 0}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "its colours are of no kind that PNG has");
    make_png(&b, 4, 4, (sort){0, 1, 0}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "it ends before its last row");
    make_png(&b, 4, 3, (sort){3, 1, 0}, &rows, NULL, NULL);
    assert_string_equal(read_as(&b, ".png"), "its palette is missing");
    make_png(&b, 5000, 3, (sort){0, 1, 0}, &rows, NULL, NULL);
    assert_non_null(strstr(read_as(&b, ".png"), "1 to 4096 pixels a side"));
    make_png(&b, 4, 3, (sort){0, 1, 0}, &rows, NULL, NULL);
    for (size_t length = 0; length < b.length - 12; length += 7) { // IEND may be cut
        bytes cut = b;
        cut.length = length;
        assert_true(strncmp(read_as(&cut, ".png"), "cells", 5) != 0);
    }
    b.data[20]++; // a checksum does not hold any more
    assert_string_equal(read_as(&b, ".png"), "a checksum in it is wrong");
}

// Large pictures become smaller by a whole factor, and shades of what was there.
static void large_pictures_shrink(void **state)
{
    (void)state;
    enum { SIDE = 256 };
    static bytes rows, b;
    rows.length = 0;
    for (int y = 0; y < 4; y++) {
        put(&rows, "", 1);
        for (int x = 0; x < SIDE / 8; x++) {
            put(&rows, y % 2 ? "\xff" : "\x55", 1); // white, and every other black
        }
    }
    make_png(&b, SIDE, 4, (sort){0, 1, 0}, &rows, NULL, NULL);
    const char *got = read_as(&b, ".png");
    assert_int_equal(strlen(got), strlen("cells:") + 2 * 128 + 1);
    assert_int_equal(strspn(got + 6, "2/"), 2 * 128 + 1); // a quarter of 9, and a half is rounded
}

// ---------------------------------------------------------------------------------------------
// Cells.

static cri_bitmap bitmap_of(const char *text)
{
    cri_bitmap bitmap;
    assert_int_equal(cri_bitmap_parse(text, (cri_location){0}, &bitmap, NULL), CR_OK);
    return bitmap;
}

static void words_are_drawn(void **state)
{
    (void)state;
    cri_bitmap b = bitmap_of("Hi_!");
    cri_text text = {0};
    cri_bitmap_print(&b, &text);
    assert_string_equal(text.data, "cells:90009009990/90009000900/90009000900/99999000900/"
                                   "90009000900/90009000900/90009009990/00000000000/00000000000/"
                                   "00000900000/00000900000/00000900000/00000900000/00000900000/"
                                   "00000000000/00000900000");
    cri_bitmap again = bitmap_of(text.data);
    assert_int_equal(again.width, 11);
    assert_int_equal(again.height, 16);
    assert_memory_equal(again.dark, b.dark, 11 * 16);
    cri_text_free(&text);
    cri_bitmap_free(&again);
    cri_bitmap_free(&b);
    const char *wrong[] = {"",
                           "é",
                           "   ",
                           "___",
                           "cells:",
                           "cells:1/",
                           "cells:12/1",
                           "cells:12/1x",
                           "cells:1//1",
                           "cells:/11",
                           "TWENTY-TWO LETTERS ARE TOO MANY"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_report report = {0};
        assert_int_not_equal(cri_bitmap_parse(wrong[i], (cri_location){0}, &b, &report), CR_OK);
        assert_int_equal(report.count, 1);
    }
}

// As many cells as are asked for: those that are dark, or a finer or coarser lattice of them.
static void cells_of_pictures(void **state)
{
    (void)state;
    cri_bitmap b = bitmap_of("cells:990/009");
    cr_vec3 cells[12], expected[3] = {{-1, 0.5, 0}, {0, 0.5, 0}, {1, -0.5, 0}};
    assert_int_equal(cri_picture_cells(&b, 3, cells), CR_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(cells[i].x == expected[i].x && cells[i].y == expected[i].y);
    }
    assert_int_equal(cri_picture_cells(&b, 12, cells), CR_OK); // four of each
    for (int i = 0; i < 12; i++) {
        double x = cells[i].x / 2, y = cells[i].y / 2; // in cells of the picture
        assert_true(y > 0 ? x < 0.5 : x > 0.5);
    }
    cri_bitmap_free(&b);
    b = bitmap_of("cells:000/000");
    assert_int_equal(cri_picture_cells(&b, 2, cells), CR_ERR_RANGE);
    cri_bitmap_free(&b);
}

static double sum_of_squares(const cr_vec3 *from, const cr_vec3 *cells, const int *order, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        cr_vec3 off = cri_sub(from[i], cells[order ? order[i] : i]);
        sum += off.x * off.x + off.y * off.y;
    }
    return sum;
}

static double best_order(const cr_vec3 *from, const cr_vec3 *cells, int *order, int fixed,
                         int count)
{
    double best = fixed == count ? sum_of_squares(from, cells, order, count) : HUGE_VAL;
    for (int i = fixed; i < count; i++) {
        int other = order[i];
        order[i] = order[fixed], order[fixed] = other;
        best = fmin(best, best_order(from, cells, order, fixed + 1, count));
        order[fixed] = order[i], order[i] = other;
    }
    return best;
}

// All orders are tried: none has a smaller sum.
static void assignment_is_best(void **state)
{
    (void)state;
    enum { COUNT = 7 };
    cr_rng rng = cr_rng_make(5, CR_RNG_START, 1);
    for (int trial = 0; trial < 20; trial++) {
        cr_vec3 from[COUNT], cells[COUNT], before[COUNT];
        int order[COUNT];
        for (int i = 0; i < COUNT; i++) {
            from[i] = cri_vec3(cr_rng_unit(&rng), cr_rng_unit(&rng), i);
            before[i] = cells[i] =
                cri_vec3(cr_rng_unit(&rng), trial % 2 ? 0 : cr_rng_unit(&rng), 0);
            order[i] = i;
        }
        assert_int_equal(cri_assign_cells(from, cells, COUNT), CR_OK);
        double best = best_order(from, before, order, 0, COUNT);
        double got = sum_of_squares(from, cells, NULL, COUNT);
        assert_true(fabs(got - best) < 1e-12);
    }
}

// ---------------------------------------------------------------------------------------------
// Scenes.

#define DICE(more)                                                                                 \
    "parameters: {flight: 2.943, bounce: 9.81}\n"                                                  \
    "pictures: {target: CAROM}\n"                                                                  \
    "materials: {bone: {friction: 0.2, restitution: 0.2}}\n"                                       \
    "bodies:\n"                                                                                    \
    "  tray: {kind: static, shape: {box: [2, 1, 0.1]}, at: [0, 0, -0.05], material: bone}\n"       \
    "  ball: {kind: static, shape: {sphere: 0.02}, grid: [9, 3], pitch: [0.09, 0.09], material: "  \
    "bone, at: [-0.36, -0.09, 0.2]}\n"                                                             \
    "  die: {kind: controlled, shape: {box: [0.016, 0.016, 0.016]}, mass: 0.0045, material: "      \
    "bone, grid: [11, 11], pitch: [0.08, 0.03], at: [-0.4, -0.15, 0.3]}\n"                         \
    "regions: {cell: {picture: target, for: die, pitch: 0.0256, at: [0, 0, 0.008]}}\n"             \
    "start: {die: {at: {around: die, distance: {uniform: [0, 0.001]}}, rotation: any}}\n" more

static const char tossed[] =
    DICE("tactics:\n"
         "  toss:\n"
         "    controls: {each: die}\n"
         "    skills:\n"
         "      fall: {do: biased_fall, to: {center: cell}, most: flight}\n"
         "      bounce: {do: biased_bounce, to: {center: cell}, most: bounce}\n"
         "      settle: {do: idle}\n"
         "    next:\n"
         "      fall:\n"
         "        bounce: {when: {all: [{speed: [die, above, 0.02]}, {not: {once: {stays: [{speed: "
         "[die, below, 0.02]}, 0.2]}}}]}}\n"
         "        settle: {when: {once: {stays: [{speed: [die, below, 0.02]}, 0.2]}}}\n"
         "      bounce: {fall: 1}\n"
         "score: {multiply: [-1, {add: {each: die, is: {square: {distance: [die, cell]}}}}]}\n"
         "plan: {nodes: 200, steps: 200, horizon: 1.6, mu: 1000}\n");

// Each has a cell of its own, and none could swap with another to shorten both ways.
static void cells_of_a_crowd(void **state)
{
    (void)state;
    cr_model *m = compile_text(tossed);
    int first = cr_model_find_body(m, "die.1"), cell = cr_model_find_region(m, "cell.1");
    assert_int_equal(cr_model_region_count(m), 121);
    cr_vec3 from[121], to[121];
    for (int i = 0; i < 121; i++) {
        from[i] = m->bodies[first + i].pose.position;
        to[i] = m->regions[cell + i].pose.position;
        assert_true(fabs(to[i].z - 0.008) < 1e-12);
    }
    double sum = sum_of_squares(from, to, NULL, 121);
    for (int a = 0; a < 121; a++) {
        for (int b = 0; b < a; b++) {
            assert_true(cri_length(cri_sub(to[a], to[b])) > 0.0255);
            cr_vec3 kept = to[a];
            to[a] = to[b], to[b] = kept;
            assert_true(sum_of_squares(from, to, NULL, 121) >= sum - 1e-12);
            to[b] = to[a], to[a] = kept;
        }
    }
    cr_model_destroy(m);
}

static void errors_are_located(void **state)
{
    (void)state;
    expect_errors(DICE("goal: {near: [die.1, cell, 1]}\n"),
                  "t.yaml:10:22: goal: each \"die\" has a \"cell\"; name one, as \"cell.1\", or "
                  "speak of all by {each: die, is: ...}\n");
    expect_errors(
        "pictures: {a: logo.png, b: \"#\", c: [1]}\n"
        "bodies: {d: {kind: static, shape: {sphere: 1}, count: 2, pitch: 3}}\n"
        "regions:\n"
        "  x: {picture: a, for: d, pitch: 1}\n"
        "  y: {picture: aa, for: d, pitch: 1}\n"
        "  z: {picture: a, for: e, pitch: 1}\n"
        "  w: {box: [1, 1], pitch: 1}\n"
        "  v: {picture: a, pitch: 1}\n"
        "  u: {picture: a, for: d}\n",
        "t.yaml:1:15: picture \"a\": picture \"logo.png\" is a file, and a scene that is "
        "read from memory has no folder\n"
        "t.yaml:1:15: region \"x\": picture \"logo.png\" is a file, and a scene that is "
        "read from memory has no folder\n"
        "t.yaml:1:28: picture \"b\": a picture's word is made of A to Z, digits, blanks "
        "and any of .,:!?+-*/, got \"#\"\n"
        "t.yaml:1:36: picture \"c\": a picture must be the name of a .pbm or .png file or "
        "a word, got a list\n"
        "t.yaml:5:16: region \"y\": unknown picture \"aa\"; did you mean \"a\"?\n"
        "t.yaml:6:24: region \"z\": unknown crowd \"e\"; did you mean \"d\"?\n"
        "t.yaml:7:27: region \"w\": \"pitch\" goes with \"picture\"\n"
        "t.yaml:8:6: region \"v\": key \"for\" is missing beside \"picture\"\n"
        "t.yaml:9:6: region \"u\": key \"pitch\" is missing beside \"picture\"\n");
    expect_errors(
        "pictures: {a: X}\n"
        "bodies: {d: {kind: static, shape: {sphere: 1}, count: 2, pitch: 3}}\n"
        "regions: {x.2: {sphere: 1}, x: {picture: a, for: d, pitch: 1}, x.1: {sphere: 1}}\n",
        "t.yaml:3:29: region \"x\": another region is called \"x.2\"\n"
        "t.yaml:3:64: region \"x.1\": another region is called \"x.1\"\n");
    expect_errors("bodies: {d: {kind: passive, shape: {sphere: 1}, mass: 1, at: [0, 0, 9]}}\n"
                  "start: {d: {rotation: some, heading: 1}}\n",
                  "t.yaml:2:38: start of \"d\": \"heading\" or \"rotation\", not both\n");
}

static bool replays(const cr_plan *plan)
{
    cr_report report = {0};
    return cr_plan_replay(plan, 0, NULL, NULL, &report) == CR_OK;
}

static cr_plan *search(const cr_model *m, int threads)
{
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(m);
    def.threads = threads;
    assert_int_equal(cr_planner_create(m, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_non_null(plan);
    cr_planner_destroy(planner);
    return plan;
}

// Pushes keep to what the scene allows, and dice come to where they are pushed.
static void pushes_keep_to_their_limits(void **state)
{
    (void)state;
    // Of the starts 1 to 24 about half lie still by the end; this is the first of them.
    cr_model *m = compile_start(tossed, NULL, 3);
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(m);
    cr_simulate_def how = cr_default_simulate_def();
    assert_int_equal(cr_plan_simulate(m, &def, &how, &plan, NULL), CR_OK);
    static dice_result r;
    assert_int_equal(dice_measure(plan, 0, 0.0256, &r, NULL), CR_OK);
    assert_int_equal(r.dice, 121);
    // To the last bit or so: a push that is cut to the limit is as long as that.
    assert_true(r.in_flight > 2.9 && r.in_flight < 2.943 * (1 + 1e-12));
    assert_true(r.after_contact > 9.8 && r.after_contact < 9.81 * (1 + 1e-12));
    assert_true(r.late == 0);
    assert_true(r.rest && r.deepest < 0.0005);
    assert_true(r.in_place >= 100);
    assert_true(fabs(r.sum + cr_plan_solution(plan, 0).score) < 1e-9);
    cr_plan_destroy(plan);
    cr_model_destroy(m);
}

// Without pushes they lie anywhere.
static void unpushed_dice_lie_anywhere(void **state)
{
    (void)state;
    cr_scene *scene = NULL;
    cr_model *m = NULL;
    assert_int_equal(cr_scene_read_text(tossed, strlen(tossed), "t.yaml", &scene, NULL), CR_OK);
    assert_int_equal(cr_scene_set(scene, "flight", "0", NULL), CR_OK);
    assert_int_equal(cr_scene_set(scene, "bounce", "0", NULL), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 1, &m, NULL), CR_OK);
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(m);
    cr_simulate_def how = cr_default_simulate_def();
    assert_int_equal(cr_plan_simulate(m, &def, &how, &plan, NULL), CR_OK);
    static dice_result r;
    assert_int_equal(dice_measure(plan, 0, 0.0256, &r, NULL), CR_OK);
    assert_true(r.in_flight == 0 && r.after_contact == 0 && r.in_place < 60);
    cr_plan_destroy(plan);
    cr_model_destroy(m);
    cr_scene_destroy(scene);
}

// The same plan with any number of threads; its file replays to its hash.
static void plans_of_dice_replay(void **state)
{
    (void)state;
    cr_model *m = compile_start(tossed, NULL, 2);
    static const int threads[] = {1, 2, 8};
    char *first = NULL;
    for (int i = 0; i < 3; i++) {
        cr_plan *plan = search(m, threads[i]), *again = NULL;
        char *text = NULL;
        size_t length = 0;
        assert_int_equal(cr_plan_print(plan, &text, &length, NULL), CR_OK);
        assert_true(length < 1000000);
        if (first) {
            assert_string_equal(text, first);
            free(text);
        } else {
            assert_int_equal(cr_plan_read_text(text, length, "p.json", NULL, &again, NULL), CR_OK);
            assert_true(replays(again));
            cr_plan_destroy(again);
            first = text;
        }
        cr_plan_destroy(plan);
    }
    free(first);
    cr_model_destroy(m);
}

// What a picture was set to is part of the scene: no file is asked for again.
static void set_pictures_need_no_file(void **state)
{
    (void)state;
    cr_scene *scene = NULL;
    cr_report report = {0};
    char path[64];
    snprintf(path, sizeof path, "/tmp/carom-dice-set-%ld.pbm", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("P1 3 1 1 0 1\n", file);
    fclose(file);
    assert_int_equal(cr_scene_read_text(tossed, strlen(tossed), "t.yaml", &scene, NULL), CR_OK);
    assert_int_equal(cr_scene_set(scene, "target", path, &report), CR_OK);
    unlink(path);
    assert_string_equal(cr_scene_setting_value(scene, 0), "cells:909");
    cr_model *m = NULL;
    assert_int_equal(cr_model_create(scene, NULL, 0, &m, NULL), CR_OK);
    cr_model_destroy(m);
    assert_int_equal(cr_scene_set(scene, "target", path, &report), CR_ERR_FILE);
    assert_int_equal(cr_scene_set(scene, "target", "what?#", NULL), CR_OK);
    report = (cr_report){0};
    assert_int_equal(cr_model_create(scene, NULL, 0, &m, &report), CR_ERR_TYPE);
    assert_non_null(strstr(report.errors[0].message, "got \"what?#\""));
    cr_scene_destroy(scene);
}

// The scenes that are shipped have their four hundred cells as their pictures have them.
static void shipped_scenes(void **state)
{
    (void)state;
    static const char *const paths[] = {CAROM_SCENES "/dice/logo.yaml",
                                        CAROM_SCENES "/dice/word.yaml"};
    for (int i = 0; i < 2; i++) {
        cr_scene *scene = NULL;
        cr_model *m = NULL;
        assert_int_equal(cr_scene_read(paths[i], &scene, NULL), CR_OK);
        if (i == 0) {
            assert_non_null(strstr(cr_scene_text(scene, NULL), "target: cells:99999"));
        }
        assert_int_equal(cr_model_create(scene, NULL, 1, &m, NULL), CR_OK);
        assert_true(cr_model_find_region(m, "cell.400") >= 0);
        assert_int_equal(cr_model_find_region(m, "cell.401"), -1);
        cr_model_destroy(m);
        cr_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pbm_files),
        cmocka_unit_test(png_colors),
        cmocka_unit_test(png_few_bits),
        cmocka_unit_test(png_filters),
        cmocka_unit_test(broken_pngs),
        cmocka_unit_test(large_pictures_shrink),
        cmocka_unit_test(words_are_drawn),
        cmocka_unit_test(cells_of_pictures),
        cmocka_unit_test(assignment_is_best),
        cmocka_unit_test(cells_of_a_crowd),
        cmocka_unit_test(errors_are_located),
        cmocka_unit_test(pushes_keep_to_their_limits),
        cmocka_unit_test(unpushed_dice_lie_anywhere),
        cmocka_unit_test(plans_of_dice_replay),
        cmocka_unit_test(set_pictures_need_no_file),
        cmocka_unit_test(shipped_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
