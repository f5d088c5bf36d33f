// Writing playbacks: every format is whole, holds what the playback says, survives hostile names,
// and leaves nothing behind when it cannot be written.

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/trig.h"
#include "base/vec.h"
#include "export/export.h"
#include "export/page.h"
#include "playbacks.h"

#define MAX_FILE ((size_t)1 << 28)

typedef struct place {
    char folder[64];
    cri_arena arena;
} place;

static int set_up(void **state)
{
    place *p = calloc(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/test_export.XXXXXX");
    *state = p;
    return mkdtemp(p->folder) ? 0 : -1;
}

static int count_files(const char *folder, bool remove)
{
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] != '.') {
            count++;
            if (remove) {
                unlinkat(dirfd(dir), entry->d_name, 0);
            }
        }
    }
    closedir(dir);
    return count;
}

static int tear_down(void **state)
{
    place *p = *state;
    count_files(p->folder, true);
    rmdir(p->folder);
    cri_arena_free(&p->arena);
    free(p);
    return 0;
}

static const char *path_in(const place *p, const char *name, char *path)
{
    snprintf(path, 256, "%s/%s", p->folder, name);
    return path;
}

// Write and read again.
static char *written(const place *p, const cr_playback *playback, const char *name, size_t *length)
{
    char path[256], *text = NULL;
    assert_int_equal(cr_playback_write(playback, path_in(p, name, path), NULL), CR_OK);
    assert_int_equal(cri_file_read(path, MAX_FILE, &text, length, NULL), CR_OK);
    return text;
}

static int count_char(const char *text, char c)
{
    int count = 0;
    for (; *text; text++) {
        count += *text == c;
    }
    return count;
}

static cr_quat random_rotation(cr_rng *rng)
{
    double q[4], square = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = cr_rng_normal(rng, 0, 1);
        square += q[k] * q[k];
    }
    double s = 1 / sqrt(square);
    return (cr_quat){q[0] * s, q[1] * s, q[2] * s, q[3] * s};
}

// ---------------------------------------------------------------------------------------------

static void states_are_a_row_a_frame_and_body(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    size_t length;
    char *text = written(p, &golf, "a.csv", &length);
    assert_int_equal(count_char(text, '\n'), 1 + 3 * golf.worlds[0].frame_count);
    static const char heading[] = "time,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,spin_x,spin_y,spin_z\n";
    assert_memory_equal(text, heading, sizeof heading - 1);
    // The ball's row of the last frame.
    char *row = text;
    for (int i = 0; i < 1 + 3 * (golf.worlds[0].frame_count - 1); i++) {
        row = strchr(row, '\n') + 1;
    }
    double time, x, y, z;
    assert_int_equal(sscanf(row, "%lf,ball,%lf,%lf,%lf", &time, &x, &y, &z), 4);
    cr_vec3 at = golf.worlds[0].frames[3 * (golf.worlds[0].frame_count - 1)].position;
    assert_true(time == 419 * golf.frame_seconds);
    assert_true(x == at.x && y == at.y && z == at.z); // the same bits
    free(text);
}

static void unknown_velocities_are_empty_cells(void **state)
{
    place *p = *state;
    cr_playback race = race_playback(&p->arena);
    size_t length;
    char *text = written(p, &race, "a.csv", &length);
    char *row = strchr(text, '\n') + 1;
    *strchr(row, '\n') = 0;
    assert_int_equal(count_char(row, ','), 14);
    assert_string_equal(row + strlen(row) - 6, ",,,,,,");
    free(text);
}

static void contacts_channels_and_skills_have_tables(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1), race = race_playback(&p->arena);
    size_t length;
    char *contacts = written(p, &golf, "a.contacts.csv", &length);
    assert_non_null(
        strstr(contacts, "time,a,b,x,y,z,impulse\n2,ball,robot,-1.6,-0.5,0.0215,0.12\n"));
    assert_non_null(strstr(contacts, ",ball,windmill,"));
    char *channels = written(p, &race, "a.channels.csv", &length);
    assert_memory_equal(channels, "time,speed [m/s],slip angle [rad]\n", 34);
    assert_int_equal(count_char(channels, '\n'), 601);
    char *skills = written(p, &golf, "a.skills.csv", &length);
    assert_memory_equal(skills, "tactic,skill,start,end\ngolfer,wait,0,0.5\n", 41);
    free(contacts);
    free(channels);
    free(skills);
}

// Comments above, one row a frame; who has none says so.
static void inputs_have_a_table(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    cr_playback_world world = golf.worlds[0];
    golf.worlds = &world;
    char path[256];
    cr_report report = {0};
    assert_int_equal(cr_playback_write(&golf, path_in(p, "a.inputs.csv", path), &report),
                     CR_ERR_TYPE);
    assert_non_null(strstr(report.errors[0].message, "no inputs"));
    static const char *const columns[] = {"seconds", "turn"};
    static const double values[] = {0, 0.1, 0.5, 1.0 / 3};
    cr_playback_inputs inputs = {"two\nlines", 2, columns, values};
    world.inputs = &inputs;
    world.frame_count = 2;
    world.span_count = world.contact_count = 0;
    size_t length;
    char *text = written(p, &golf, "a.inputs.csv", &length);
    assert_string_equal(text, "# two\n# lines\n# seconds,turn\n0,0.1\n0.5,0.3333333333333333\n");
    free(text);
}

static void names_in_tables_are_quoted(void **state)
{
    place *p = *state;
    cr_playback hostile = hostile_playback(&p->arena);
    size_t length;
    char *text = written(p, &hostile, "a.csv", &length);
    assert_non_null(strstr(text, ",\"a,b\"\"c\nd\xEF\xBF\xBD\xEF\xBF\xBD\","));
    char *skills = written(p, &hostile, "a.skills.csv", &length);
    assert_non_null(strstr(skills, "\"row\"\",\n\"\"x\","));
    free(text);
    free(skills);
}

// ---------------------------------------------------------------------------------------------

static uint32_t u32_at(const char *data, size_t at)
{
    const unsigned char *b = (const unsigned char *)data + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void glb_has_two_whole_chunks(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    size_t length;
    char *data = written(p, &golf, "a.glb", &length);
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(u32_at(data, 4), 2);
    assert_int_equal(u32_at(data, 8), length);
    uint32_t json = u32_at(data, 12);
    assert_memory_equal(data + 16, "JSON{", 5);
    assert_int_equal(json % 4, 0);
    assert_memory_equal(data + 20 + json + 4, "BIN", 4);
    assert_int_equal(20 + json + 8 + u32_at(data, 20 + json), length);
    free(data);
}

// Bodies that look alike share their triangles: 400 dice are not 400 meshes.
static void glb_shares_meshes(void **state)
{
    place *p = *state;
    cr_playback dice = dice_playback(&p->arena, 400, 2);
    size_t length;
    char *data = written(p, &dice, "a.glb", &length);
    data[20 + u32_at(data, 12)] = 0;
    int meshes = 0;
    for (char *at = data + 20; (at = strstr(at, "\"primitives\"")); at++) {
        meshes++;
    }
    assert_int_equal(meshes, 1 + 2 + 1 + 4); // floor, two sorts of wall, pegs, four colours of dice
    free(data);
}

// A ring of a road, or a piece of one: points on the left, then on the right.
static cr_mark make_road(cr_vec3 *points, int gates, bool closed)
{
    for (int i = 0; i < 2 * gates; i++) {
        double angle = 2 * CRI_PI * (i % gates) / (closed ? gates : 2 * gates);
        double radius = i < gates ? 30 : 40;
        points[i] = cri_vec3(radius * cri_cos(angle), radius * cri_sin(angle), 0.25);
    }
    return (cr_mark){.kind = CR_MARK_ROAD,
                     .body = -1,
                     .closed = closed,
                     .point_count = 2 * gates,
                     .points = points};
}

static cr_vec3 corner_at(const char *numbers, uint32_t corner)
{
    float p[3];
    memcpy(p, numbers + 12 * (size_t)corner, sizeof p);
    return cri_vec3((double)p[0], (double)p[1], (double)p[2]);
}

// Twice the area of a triangle, as far as it lies flat (y is up) and as far as it stands.
static void add_area(const char *numbers, const char *indices, double *flat, double *standing)
{
    cr_vec3 a = corner_at(numbers, u32_at(indices, 0)), b = corner_at(numbers, u32_at(indices, 4)),
            c = corner_at(numbers, u32_at(indices, 8));
    cr_vec3 n = cri_cross(cri_sub(b, a), cri_sub(c, a));
    *flat += fabs(n.y);
    *standing += sqrt(n.x * n.x + n.z * n.z);
}

// A road's surface and its two walls, 0.7 m high, each seen from both sides: twice their areas,
// which are those of quadrangles between chords of two circles.
static void glb_roads_have_their_areas(void **state)
{
    place *p = *state;
    for (int gates = 2; gates < 60; gates += 3) {
        bool closed = gates % 2;
        cr_vec3 points[120];
        cr_mark road = make_road(points, gates, closed);
        cr_playback_world world = {.frame_count = 1};
        cr_playback playback = {.frame_seconds = 0.1, .world_count = 1, .worlds = &world};
        playback.decor = (cr_decor){.mark_count = 1, .marks = &road};
        size_t length;
        char *data = written(p, &playback, "a.glb", &length);
        const char *numbers = data + 20 + u32_at(data, 12) + 8, *indices = numbers + 48 * gates;
        int pieces = closed ? gates : gates - 1;
        double flat = 0, standing = 0, step = 2 * CRI_PI / (closed ? gates : 2 * gates);
        assert_true((size_t)(indices - data) + 144 * (size_t)pieces <= length);
        for (int i = 0; i < 12 * pieces; i++) {
            add_area(numbers, indices + 12 * i, &flat, &standing);
        }
        double surface = pieces * cri_sin(step) * (40 * 40 - 30 * 30) / 2;
        double walls = pieces * 2 * cri_sin(step / 2) * (40 + 30) * 0.7;
        assert_true(fabs(flat / 2 - 2 * surface) < 1e-4 * surface);
        assert_true(fabs(standing / 2 - 2 * walls) < 1e-4 * walls);
        free(data);
    }
}

// A rope is stretched from end to end, and gone where these are farther apart than it is long: the
// last numbers of the file are its sizes, frame by frame.
static void glb_ropes_reach_from_end_to_end(void **state)
{
    place *p = *state;
    const cr_pose frames[3] = {
        {{0, 0, 0}, {0, 0, 0, 1}}, {{1, 0, 0}, {0, 0, 0.6, 0.8}}, {{2, 0, 0}, {0, 0, 0, 1}}};
    const double lengths[3] = {2, sqrt(5), 0};
    const cr_vec3 ends[2] = {{0, 0, 2}, {0, 0, 0}};
    const cr_part ball = {.shape = {.kind = CR_SHAPE_SPHERE, .radius = 0.1},
                          .pose = {.rotation = {0, 0, 0, 1}}};
    const cr_playback_body body = {
        .name = "ball", .moving = true, .pose = frames[0], .part_count = 1, .parts = &ball};
    const cr_mark rope = {.kind = CR_MARK_ROPE,
                          .body = -1,
                          .other = 0,
                          .size = {2.3, 0, 0},
                          .width = 0.01,
                          .point_count = 2,
                          .points = ends};
    const cr_playback_world world = {.frame_count = 3, .frames = frames};
    cr_playback playback = {.frame_seconds = 0.1,
                            .body_count = 1,
                            .bodies = &body,
                            .track_count = 1,
                            .world_count = 1,
                            .worlds = &world,
                            .decor = {.mark_count = 1, .marks = &rope}};
    size_t length;
    char *data = written(p, &playback, "a.glb", &length);
    for (int f = 0; f < 3; f++) {
        float size[3];
        memcpy(size, data + length - 12 * (size_t)(3 - f), sizeof size);
        assert_true(fabs((double)size[1] - lengths[f]) < 1e-6);
        assert_true((size[0] > 0) == (lengths[f] > 0) && size[0] == size[2]);
    }
    free(data);
}

static void glb_of_nothing_is_whole(void **state)
{
    place *p = *state;
    static const cr_playback_world world = {.frame_count = 1};
    cr_playback empty = {.frame_seconds = 0.1, .world_count = 1, .worlds = &world};
    size_t length;
    char *data = written(p, &empty, "a.glb", &length);
    assert_int_equal(u32_at(data, 8), length);
    assert_null(strstr(data + 20, "[]"));
    free(data);
    char *svg = written(p, &empty, "a.svg", &length);
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
}

// ---------------------------------------------------------------------------------------------

static void svg_shows_bodies_paths_and_regions(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    size_t length;
    char *text = written(p, &golf, "a.svg", &length);
    assert_non_null(strstr(text, "<title>windmill</title>"));
    assert_non_null(strstr(text, "<title>hole</title>"));
    assert_non_null(strstr(text, "<title>tee</title>"));
    assert_non_null(strstr(text, "stroke=\"#f2a541\""));
    assert_non_null(strstr(text, "<circle"));
    assert_non_null(strstr(text, " m</text>"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

// A scene of one body with one part, in which nothing moves.
typedef struct still {
    cr_part part;
    cr_playback_body body;
    cr_playback_world world;
    cr_playback playback;
} still;

static const cr_playback *stand_still(still *s, cr_shape shape, cr_pose pose)
{
    *s = (still){.part = {.shape = shape, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .name = ""},
                 .body = {.name = "thing", .pose = pose, .part_count = 1},
                 .world = {.frame_count = 1}};
    s->body.parts = &s->part;
    s->playback = (cr_playback){.frame_seconds = 0.1,
                                .body_count = 1,
                                .bodies = &s->body,
                                .world_count = 1,
                                .worlds = &s->world};
    return &s->playback;
}

// The corners of the first outline in a drawing.
static int read_outline(const char *svg, cr_vec2 *corners, int most)
{
    const char *at = strstr(svg, "<path d=\"");
    assert_non_null(at);
    int count = 0, used = 0;
    for (at += strlen("<path d=\""); *at != 'Z'; at += used, count++) {
        assert_true(count < most);
        assert_int_equal(sscanf(at, count ? "L%lf %lf%n" : "M%lf %lf%n", &corners[count].x,
                                &corners[count].y, &used),
                         2);
    }
    return count;
}

// Area of a polygon; 0 unless all its corners turn the same way.
static double convex_area(const cr_vec2 *p, int count)
{
    double area = 0;
    int ways = 0;
    for (int i = 0; i < count; i++) {
        const cr_vec2 *a = &p[i], *b = &p[(i + 1) % count], *c = &p[(i + 2) % count];
        double bend = (b->x - a->x) * (c->y - b->y) - (b->y - a->y) * (c->x - b->x);
        ways |= bend > 1 ? 1 : bend < -1 ? 2 : 0; // a corner is written to 0.01
        area += (a->x * b->y - a->y * b->x) / 2;
    }
    return ways == 3 ? 0 : fabs(area);
}

// From above a box shows as much as its sides do: the sum of their areas, each times the upward
// part of its normal. It fills the drawing, of which the longer side is 800.
static void svg_outlines_are_shadows(void **state)
{
    place *p = *state;
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    for (int i = 0; i < 60; i++) {
        cr_vec3 h = {cr_rng_uniform(&rng, 0.1, 2), cr_rng_uniform(&rng, 0.1, 2),
                     cr_rng_uniform(&rng, 0.1, 2)};
        cr_pose pose = {{cr_rng_uniform(&rng, -9, 9), cr_rng_uniform(&rng, -9, 9), 1},
                        i % 3 ? random_rotation(&rng) : (cr_quat){0, 0, 0, 1}};
        still s;
        size_t length;
        cr_shape box = {.kind = CR_SHAPE_BOX, .half = h};
        char *text = written(p, stand_still(&s, box, pose), "a.svg", &length);
        cr_vec3 x = cri_rotate(pose.rotation, cri_vec3(h.x, 0, 0)),
                y = cri_rotate(pose.rotation, cri_vec3(0, h.y, 0)),
                z = cri_rotate(pose.rotation, cri_vec3(0, 0, h.z));
        double wide = 2 * (fabs(x.x) + fabs(y.x) + fabs(z.x));
        double high = 2 * (fabs(x.y) + fabs(y.y) + fabs(z.y)), scale = 800 / fmax(wide, high);
        double shadow = 4 * (fabs(x.x * y.y - x.y * y.x) + fabs(y.x * z.y - y.y * z.x) +
                             fabs(z.x * x.y - z.y * x.x));
        cr_vec2 corners[16];
        int count = read_outline(text, corners, 16);
        assert_true(i % 3 ? count == 6 : count == 4);
        assert_true(fabs(convex_area(corners, count) - shadow * scale * scale) < 0.01 * 3200);
        free(text);
    }
}

static void include_corner(cri_bounds *b, cr_vec3 p)
{
    b->low = cri_vec3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = cri_vec3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

// Boxes, as a body and as a region, with a height and without: around their corners.
static void bounds_are_around_corners(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    for (int i = 0; i < 200; i++) {
        bool endless = i % 4 == 3; // only regions are
        cr_shape box = {.kind = CR_SHAPE_BOX,
                        .half = {cr_rng_uniform(&rng, 0.1, 2), cr_rng_uniform(&rng, 0.1, 2),
                                 endless ? HUGE_VAL : cr_rng_uniform(&rng, 0.1, 2)}};
        cr_region region = {.name = "here", .shape = box};
        region.pose = (cr_pose){{cr_rng_uniform(&rng, -9, 9), cr_rng_uniform(&rng, -9, 9), 1},
                                random_rotation(&rng)};
        cri_bounds around = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        for (int k = 0; k < 8; k++) {
            cr_vec3 corner = {k & 1 ? box.half.x : -box.half.x, k & 2 ? box.half.y : -box.half.y,
                              endless ? 0
                              : k & 4 ? box.half.z
                                      : -box.half.z};
            include_corner(&around, cri_pose_point(region.pose, corner));
        }
        still s;
        stand_still(&s, box, region.pose);
        s.playback.body_count = i % 2 ? 0 : 1;
        s.playback.region_count = i % 2;
        s.playback.regions = &region;
        cri_bounds found = cri_playback_bounds(&s.playback, 1);
        assert_true(cri_length(cri_sub(found.low, around.low)) < 1e-9);
        assert_true(cri_length(cri_sub(found.high, around.high)) < 1e-9);
    }
}

static void svg_escapes_names(void **state)
{
    place *p = *state;
    cr_playback hostile = hostile_playback(&p->arena);
    size_t length;
    char *text = written(p, &hostile, "a.svg", &length);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "<img"));
    assert_non_null(strstr(text, "&lt;script&gt;"));
    free(text);
}

// ---------------------------------------------------------------------------------------------

static void page_holds_no_name_of_the_scene(void **state)
{
    place *p = *state;
    cr_playback hostile = hostile_playback(&p->arena);
    cr_report report = {0};
    char path[256];
    path_in(p, "a.html", path);
    cr_status status = cr_playback_write(&hostile, path, &report);
    if (!cri_page[0]) {
        assert_int_equal(status, CR_ERR_FILE);
        assert_non_null(strstr(report.errors[0].message, "install nodejs"));
        assert_int_equal(count_files(p->folder, false), 0);
        return;
    }
    assert_int_equal(status, CR_OK);
    char *text;
    size_t length;
    assert_int_equal(cri_file_read(path, MAX_FILE, &text, &length, NULL), CR_OK);
    assert_null(strstr(text, "window.broken=1</script>"));
    assert_null(strstr(text, "onerror=window"));
    assert_non_null(strstr(text, "<title>&lt;/title&gt;&lt;script&gt;window.broken=1"));
    assert_null(strstr(text, "%CAROM_TITLE%"));
    free(text);
}

// No motion is worse to compress than one without any order in it.
static void page_of_400_bodies_is_small(void **state)
{
    place *p = *state;
    cr_playback dice = dice_playback(&p->arena, 400, 600);
    size_t count = 400 * 600;
    cr_pose *frames = cri_arena_alloc(&p->arena, count, sizeof *frames);
    cr_vec3 *velocities = cri_arena_alloc(&p->arena, count, sizeof *velocities);
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 5);
    for (size_t i = 0; i < count; i++) {
        cr_quat rotation = random_rotation(&rng);
        double v[6];
        for (int k = 0; k < 6; k++) {
            v[k] = cr_rng_uniform(&rng, -2, 2);
        }
        frames[i] = (cr_pose){{v[0], v[1], v[2]}, rotation};
        velocities[i] = (cr_vec3){v[3], v[4], v[5]};
    }
    cr_playback_world world = dice.worlds[0];
    world.frames = frames;
    world.velocities = velocities;
    dice.worlds = &world;
    cri_text blob = {0};
    cri_blob_make(&dice, &blob);
    assert_false(blob.failed);
    // 40 bytes a pose before compression: ten columns of four bytes.
    assert_true(blob.length < count * 40 + 400000);
    cri_text_free(&blob);
    if (cri_page[0]) {
        size_t length;
        free(written(p, &dice, "a.html", &length));
        print_message("a page of 400 bodies and 600 frames of noise has %zu bytes\n", length);
        assert_true(length <= 12000000);
    }
}

static void same_playback_same_bytes(void **state)
{
    place *p = *state;
    static const char *const names[] = {"a.glb", "a.svg", "a.csv"};
    cr_playback one = golf_playback(&p->arena, 2), two = golf_playback(&p->arena, 2);
    for (int i = 0; i < 3; i++) {
        size_t a, b;
        char *first = written(p, &one, names[i], &a), *second = written(p, &two, names[i], &b);
        assert_int_equal(a, b);
        assert_memory_equal(first, second, a);
        free(first);
        free(second);
    }
}

// ---------------------------------------------------------------------------------------------

static void unwritable_paths_leave_nothing(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    static const char *const names[] = {"none/a.csv", "none/a.glb", "none/a.svg"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        cr_report report = {0};
        path_in(p, names[i], path);
        assert_int_equal(cr_playback_write(&golf, path, &report), CR_ERR_FILE);
        assert_int_equal(report.count, 1);
        assert_non_null(strstr(report.errors[0].message, "cannot be written"));
        assert_int_equal(cr_playback_write(&golf, path, NULL), CR_ERR_FILE);
    }
    char folder[256];
    mkdir(path_in(p, "b.csv", folder), 0700);
    assert_int_equal(cr_playback_write(&golf, folder, NULL), CR_ERR_FILE);
    rmdir(folder);
    assert_int_equal(count_files(p->folder, false), 0);
}

static void unknown_endings_are_named(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    cr_report report = {0};
    char path[256];
    path_in(p, "a.gltf", path);
    assert_int_equal(cr_playback_write(&golf, path, &report), CR_ERR_NAME);
    assert_non_null(strstr(report.errors[0].message, ".glb"));
    assert_int_equal(cr_playback_write(&golf, "", NULL), CR_ERR_NAME);
    assert_int_equal(count_files(p->folder, false), 0);
}

// A playback with one thing wrong is refused, whatever the format.
static void refused(const place *p, const cr_playback *playback, const char *word)
{
    char path[256];
    cr_report report = {0};
    cr_status status = cr_playback_write(playback, path_in(p, "a.csv", path), &report);
    assert_int_equal(status, CR_ERR_RANGE);
    assert_non_null(strstr(report.errors[0].message, word));
    assert_int_equal(count_files(p->folder, false), 0);
}

static void broken_worlds_are_refused(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    cr_playback_world world = golf.worlds[0];
    golf.worlds = &world;
    cr_playback_contact contact = {.frame = 0, .a = 99};
    world.contacts = &contact;
    world.contact_count = 1;
    refused(p, &golf, "contacts");
    contact = (cr_playback_contact){.frame = world.frame_count};
    refused(p, &golf, "contacts");
    world.contact_count = 0;
    cr_playback_span span = {"a", "b", 0, world.frame_count};
    world.spans = &span;
    world.span_count = 1;
    refused(p, &golf, "spans");
    world.span_count = 0;
    world.frame_count = 0;
    refused(p, &golf, "at least one frame");
    cr_pose poses[3] = {
        {{NAN, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 1}}};
    world.frame_count = 1;
    world.frames = poses;
    refused(p, &golf, "finite poses");
    poses[0] = (cr_pose){0};
    refused(p, &golf, "finite poses");
    poses[0] = poses[1];
    cr_vec3 spins[3] = {{0, 0, 0}, {0, INFINITY, 0}, {0, 0, 0}};
    world.spins = spins;
    refused(p, &golf, "finite poses");
    world.spins = NULL;
    static const char *const columns[] = {"seconds", "turn"};
    double values[2] = {0, NAN};
    cr_playback_inputs inputs = {"about", 2, columns, values};
    world.inputs = &inputs;
    refused(p, &golf, "inputs");
    values[1] = 1;
    inputs.column_count = 0;
    refused(p, &golf, "inputs");
    world.inputs = NULL;
    golf.world_count = 0;
    refused(p, &golf, "at least one world");
}

static void broken_scenes_are_refused(void **state)
{
    place *p = *state;
    cr_playback golf = golf_playback(&p->arena, 1);
    cr_playback_body bodies[16];
    memcpy(bodies, golf.bodies, (size_t)golf.body_count * sizeof *bodies);
    golf.bodies = bodies;
    bodies[5].track = 3;
    refused(p, &golf, "track");
    bodies[5].track = 0;
    golf.track_count = 4;
    refused(p, &golf, "got 4 for 3");
    golf.track_count = 3;
    cr_part part = bodies[5].parts[0];
    bodies[5].parts = &part;
    part.shape.radius = 0;
    refused(p, &golf, "finite size");
    part.shape.radius = 0.1;
    cr_playback_node node = {.parent = 0};
    golf.nodes = &node;
    golf.node_count = 1;
    refused(p, &golf, "earlier parent");
    golf.node_count = 0;
    golf.frame_seconds = 0;
    refused(p, &golf, "frame_seconds");
    golf.frame_seconds = 0.1;
    char path[256];
    assert_int_equal(cr_playback_write(&golf, path_in(p, "a.csv", path), NULL), CR_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(states_are_a_row_a_frame_and_body),
        TEST(unknown_velocities_are_empty_cells),
        TEST(contacts_channels_and_skills_have_tables),
        TEST(inputs_have_a_table),
        TEST(names_in_tables_are_quoted),
        TEST(glb_has_two_whole_chunks),
        TEST(glb_shares_meshes),
        TEST(glb_roads_have_their_areas),
        TEST(glb_ropes_reach_from_end_to_end),
        TEST(glb_of_nothing_is_whole),
        TEST(svg_shows_bodies_paths_and_regions),
        TEST(svg_outlines_are_shadows),
        TEST(bounds_are_around_corners),
        TEST(svg_escapes_names),
        TEST(page_holds_no_name_of_the_scene),
        TEST(page_of_400_bodies_is_small),
        TEST(same_playback_same_bytes),
        TEST(unwritable_paths_leave_nothing),
        TEST(unknown_endings_are_named),
        TEST(broken_worlds_are_refused),
        TEST(broken_scenes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
