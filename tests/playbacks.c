#include "playbacks.h"

#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

#define DT (1.0 / 60)

static const cr_quat upright = {0, 0, 0, 1};

static const char *text(cri_arena *arena, const char *format, int number)
{
    char buffer[64];
    int length = snprintf(buffer, sizeof buffer, format, number);
    return cri_arena_text(arena, buffer, (size_t)length);
}

static cr_part *one_part(cri_arena *arena, cr_shape shape)
{
    cr_part *part = cri_arena_alloc(arena, 1, sizeof *part);
    *part = (cr_part){.shape = shape, .pose = {{0, 0, 0}, upright}, .name = ""};
    return part;
}

static cr_shape box(double x, double y, double z)
{
    return (cr_shape){.kind = CR_SHAPE_BOX, .half = {x / 2, y / 2, z / 2}};
}

static cr_shape sphere(double radius)
{
    return (cr_shape){.kind = CR_SHAPE_SPHERE, .radius = radius};
}

static cr_playback_body fixed(cri_arena *arena, const char *name, uint32_t color, cr_shape shape,
                              cr_vec3 at)
{
    return (cr_playback_body){.name = name,
                              .color = color,
                              .pose = {at, upright},
                              .part_count = 1,
                              .parts = one_part(arena, shape)};
}

// ---------------------------------------------------------------------------------------------
// Golf. Bodies: ground, four walls, ball (track 0), robot (1), windmill (2), post.

enum { GROUND, NORTH, SOUTH, WEST, EAST, BALL, ROBOT, MILL, POST, GOLF_BODIES };

#define GOLF_FRAMES 420
#define PUTT_FRAME  120
#define BALL_RADIUS 0.0215

// A cylinder with its front cut flat, as the robots of the small size league are.
static cr_shape robot_shape(cri_arena *arena)
{
    int count = 24;
    cr_vec2 *points = cri_arena_alloc(arena, (size_t)count, sizeof *points);
    for (int i = 0; i < count; i++) {
        double angle = 0.6 + (2 * CRI_PI - 1.2) * i / (count - 1);
        points[i] = (cr_vec2){0.09 * cri_cos(angle), 0.09 * cri_sin(angle)};
    }
    return (cr_shape){
        .kind = CR_SHAPE_PRISM, .half = {0, 0, 0.07}, .point_count = count, .points = points};
}

static cr_playback_body golf_mill(cri_arena *arena)
{
    cr_part *parts = cri_arena_alloc(arena, 2, sizeof *parts);
    parts[0] = (cr_part){.shape = box(1.2, 0.06, 0.1), .pose = {{0, 0, 0}, upright}, .name = "bar"};
    parts[1] = (cr_part){.shape = {.kind = CR_SHAPE_CYLINDER, .radius = 0.06, .half = {0, 0, 0.09}},
                         .pose = {{0, 0, 0.02}, upright},
                         .name = "hub"};
    return (cr_playback_body){.name = "windmill",
                              .color = 0xC8553D,
                              .moving = true,
                              .track = 2,
                              .pose = {{0, 0, 0.06}, upright},
                              .part_count = 2,
                              .parts = parts};
}

static const cr_playback_body *golf_bodies(cri_arena *arena)
{
    cr_playback_body *b = cri_arena_alloc(arena, GOLF_BODIES, sizeof *b);
    b[GROUND] = fixed(arena, "green", 0x7FA878, (cr_shape){.kind = CR_SHAPE_PLANE}, (cr_vec3){0});
    b[NORTH] = fixed(arena, "north wall", 0xB08968, box(4.1, 0.1, 0.1), cri_vec3(0, 1.05, 0.05));
    b[SOUTH] = fixed(arena, "south wall", 0xB08968, box(4.1, 0.1, 0.1), cri_vec3(0, -1.05, 0.05));
    b[WEST] = fixed(arena, "west wall", 0xB08968, box(0.1, 2.2, 0.1), cri_vec3(-2.1, 0, 0.05));
    b[EAST] = fixed(arena, "east wall", 0xB08968, box(0.1, 2.2, 0.1), cri_vec3(2.1, 0, 0.05));
    b[BALL] =
        fixed(arena, "ball", 0xF2A541, sphere(BALL_RADIUS), cri_vec3(-1.6, -0.5, BALL_RADIUS));
    b[ROBOT] = fixed(arena, "robot", 0x35506B, robot_shape(arena), cri_vec3(-1.9, 0.4, 0.07));
    b[MILL] = golf_mill(arena);
    b[POST] = fixed(arena, "post", 0x9C89B8,
                    (cr_shape){.kind = CR_SHAPE_CYLINDER, .radius = 0.08, .half = {0, 0, 0.1}},
                    cri_vec3(1.2, 0.3, 0.1));
    b[BALL].moving = b[ROBOT].moving = true;
    b[ROBOT].track = 1;
    return b;
}

// Where the ball turns, and on what: the way from tee to hole.
typedef struct way {
    int count;
    cr_vec2 points[5];
    int touched[5];
} way;

static way golf_way(int world)
{
    cr_rng rng = cr_rng_make(7, CR_RNG_USER, (uint64_t)world);
    double wobble = world ? cr_rng_uniform(&rng, -0.15, 0.15) : 0;
    cr_vec2 tee = {-1.6, -0.5}, hole = {1.7, -0.7};
    switch (world % 3) {
    case 0:
        return (way){3, {tee, {0.1 + wobble, 0.25}, hole}, {0, MILL, 0}};
    case 1:
        return (way){
            4, {tee, {-0.6 + wobble, 0.97}, {1.97, 0.2 + wobble}, hole}, {0, NORTH, EAST, 0}};
    default:
        return (way){3, {tee, {0.5 + wobble, -0.97}, hole}, {0, SOUTH, 0}};
    }
}

static double way_length(const way *w, int upto)
{
    double length = 0;
    for (int i = 0; i < upto; i++) {
        length += cri_length(
            cri_vec3(w->points[i + 1].x - w->points[i].x, w->points[i + 1].y - w->points[i].y, 0));
    }
    return length;
}

// The share of the way that the ball has rolled in a frame: fast, then slower.
static double rolled(int frame)
{
    double u = cri_clamp((frame - PUTT_FRAME) / (double)(GOLF_FRAMES - PUTT_FRAME - 20), 0, 1);
    return u * (2 - u);
}

static cr_vec3 ball_at(const way *w, int frame)
{
    double length = rolled(frame) * way_length(w, w->count - 1);
    int i = 0;
    while (i + 2 < w->count && way_length(w, i + 1) < length) {
        i++;
    }
    double start = way_length(w, i), end = way_length(w, i + 1),
           s = (length - start) / (end - start);
    return cri_vec3(w->points[i].x + s * (w->points[i + 1].x - w->points[i].x),
                    w->points[i].y + s * (w->points[i + 1].y - w->points[i].y), BALL_RADIUS);
}

static cr_pose robot_at(const way *w, int frame)
{
    double heading = cri_atan2(w->points[1].y + 0.5, w->points[1].x + 1.6);
    cr_vec3 behind = {-1.6 - 0.11 * cri_cos(heading), -0.5 - 0.11 * cri_sin(heading), 0.07};
    double u = cri_clamp((frame - 30) / (double)(PUTT_FRAME - 30), 0, 1);
    u = u * u * (3 - 2 * u);
    cr_vec3 at = cri_add(cri_scale(1 - u, cri_vec3(-1.9, 0.4, 0.07)), cri_scale(u, behind));
    return (cr_pose){at, cri_quat_heading(u * heading)};
}

static cr_pose golf_pose(const way *w, int track, int frame)
{
    if (track == 0) {
        return (cr_pose){ball_at(w, frame),
                         cri_quat_axis(cri_vec3(-0.4, 0.9, 0), 20 * rolled(frame))};
    }
    if (track == 1) {
        return robot_at(w, frame);
    }
    return (cr_pose){{0, 0, 0.06}, cri_quat_heading(1.2566 * frame * DT)};
}

static void fill_frames(cri_arena *arena, cr_playback_world *world, const way *w)
{
    cr_pose *frames = cri_arena_alloc(arena, GOLF_FRAMES * 3, sizeof *frames);
    cr_vec3 *velocities = cri_arena_alloc(arena, GOLF_FRAMES * 3, sizeof *velocities);
    for (int f = 0; f < GOLF_FRAMES; f++) {
        for (int t = 0; t < 3; t++) {
            frames[f * 3 + t] = golf_pose(w, t, f);
            cr_vec3 last = f ? frames[(f - 1) * 3 + t].position : frames[t].position;
            velocities[f * 3 + t] = cri_scale(60, cri_sub(frames[f * 3 + t].position, last));
        }
    }
    world->frame_count = GOLF_FRAMES;
    world->frames = frames;
    world->velocities = velocities;
}

static void fill_contacts(cri_arena *arena, cr_playback_world *world, const way *w)
{
    cr_playback_contact *contacts = cri_arena_alloc(arena, 8, sizeof *contacts);
    double whole = way_length(w, w->count - 1);
    for (int i = 0; i + 1 < w->count; i++) {
        int frame = PUTT_FRAME;
        while (frame < GOLF_FRAMES - 1 && rolled(frame) * whole < way_length(w, i)) {
            frame++;
        }
        contacts[world->contact_count++] =
            (cr_playback_contact){.frame = frame,
                                  .a = BALL,
                                  .b = i ? w->touched[i] : ROBOT,
                                  .point = cri_vec3(w->points[i].x, w->points[i].y, BALL_RADIUS),
                                  .impulse = 0.12 / (i + 1)};
    }
    world->contacts = contacts;
}

static void fill_channel(cri_arena *arena, cr_playback_world *world)
{
    double *values = cri_arena_alloc(arena, GOLF_FRAMES, sizeof *values);
    for (int f = 0; f < GOLF_FRAMES; f++) {
        cr_vec3 to_hole = cri_sub(world->frames[f * 3].position, cri_vec3(1.7, -0.7, 0));
        values[f] = cri_length(to_hole);
    }
    cr_playback_channel *channel = cri_arena_alloc(arena, 1, sizeof *channel);
    *channel = (cr_playback_channel){"distance to hole", "m", values};
    world->channel_count = 1;
    world->channels = channel;
}

static cr_playback_world golf_world(cri_arena *arena, int index)
{
    static const cr_playback_span spans[] = {{"golfer", "wait", 0, 30},
                                             {"golfer", "approach", 30, 114},
                                             {"golfer", "putt", 114, 126},
                                             {"golfer", "watch", 126, GOLF_FRAMES - 1},
                                             {"mill", "spin", 0, GOLF_FRAMES - 1}};
    way w = golf_way(index);
    cr_playback_world world = {.title = text(arena, "solution %d", index + 1),
                               .score = 10.0 / (1 + index),
                               .span_count = 5,
                               .spans = spans};
    fill_frames(arena, &world, &w);
    fill_contacts(arena, &world, &w);
    fill_channel(arena, &world);
    return world;
}

static const cr_playback_line *golf_lines(cri_arena *arena)
{
    cr_vec3 *points = cri_arena_alloc(arena, 33, sizeof *points);
    for (int i = 0; i < 33; i++) {
        double angle = CRI_PI * (i / 32.0 - 0.5);
        points[i] = cri_vec3(-1.6 + 0.35 * cri_cos(angle), -0.5 + 0.35 * cri_sin(angle), 0.002);
    }
    cr_playback_line *line = cri_arena_alloc(arena, 1, sizeof *line);
    *line = (cr_playback_line){"tee", 0xFFFFFF, false, 33, points};
    return line;
}

cr_playback golf_playback(cri_arena *arena, int world_count)
{
    static const cr_region hole = {
        .name = "hole",
        .shape = {.kind = CR_SHAPE_CYLINDER, .radius = 0.15, .half = {0, 0, HUGE_VAL}},
        .pose = {{1.7, -0.7, 0}, {0, 0, 0, 1}}};
    cr_playback_world *worlds = cri_arena_alloc(arena, (size_t)world_count, sizeof *worlds);
    for (int w = 0; w < world_count; w++) {
        worlds[w] = golf_world(arena, w);
    }
    return (cr_playback){.title = "Windmill",
                         .about = "A robot putts a ball past a turning bar into the hole.",
                         .frame_seconds = DT,
                         .body_count = GOLF_BODIES,
                         .track_count = 3,
                         .bodies = golf_bodies(arena),
                         .line_count = 1,
                         .lines = golf_lines(arena),
                         .region_count = 1,
                         .regions = &hole,
                         .world_count = world_count,
                         .worlds = worlds};
}

// ---------------------------------------------------------------------------------------------
// A tree over the golf course: each node goes on a little from an earlier one of its body.

cr_playback tree_playback(cri_arena *arena, int node_count)
{
    static const int bodies[] = {BALL, ROBOT, MILL, POST};
    cr_playback playback = golf_playback(arena, 1);
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    cr_playback_node *nodes = cri_arena_alloc(arena, (size_t)node_count, sizeof *nodes);
    for (int n = 0; n < node_count; n++) {
        int kind = n % 4;
        nodes[n] = (cr_playback_node){.parent = -1, .body = bodies[kind], .order = n / 4};
        cr_vec3 at = playback.bodies[bodies[kind]].pose.position;
        nodes[n].x = (float)at.x, nodes[n].y = (float)at.y, nodes[n].z = (float)at.z;
        if (n >= 4) {
            int back = (int)cr_rng_index(&rng, (uint64_t)(n / 4));
            const cr_playback_node *parent = &nodes[4 * (n / 4 - 1 - back * back / (n / 4)) + kind];
            nodes[n] = *parent;
            nodes[n].parent = (int)(parent - nodes);
            nodes[n].order = n / 4;
            double x = (double)parent->x + cr_rng_normal(&rng, 0.01, 0.05);
            double y = (double)parent->y + cr_rng_normal(&rng, 0, 0.05);
            nodes[n].x = (float)cri_clamp(x, -2, 2);
            nodes[n].y = (float)cri_clamp(y, -1, 1);
        }
    }
    playback.title = "Windmill, with its search tree";
    playback.node_count = node_count;
    playback.nodes = nodes;
    playback.tree_nodes = node_count; // a quarter of it is shown: a point for each of four bodies
    playback.tree_shown = node_count / 4;
    return playback;
}

// ---------------------------------------------------------------------------------------------
// Dice. Bodies: ground, four walls, 25 pegs, then the dice.

enum { DICE_FIRST = 5 + 25 };

#define DIE 0.05

static const cr_playback_body *dice_bodies(cri_arena *arena, int count)
{
    static const uint32_t colors[] = {0xE9E4D8, 0xD95D39, 0x2E6F95, 0xE9C46A};
    cr_playback_body *b = cri_arena_alloc(arena, (size_t)(DICE_FIRST + count), sizeof *b);
    b[0] = fixed(arena, "floor", 0xBFC8C4, (cr_shape){.kind = CR_SHAPE_PLANE}, (cr_vec3){0});
    b[1] = fixed(arena, "north", 0x9FB3B0, box(1.5, 0.04, 0.3), cri_vec3(0, 0.75, 0.15));
    b[2] = fixed(arena, "south", 0x9FB3B0, box(1.5, 0.04, 0.3), cri_vec3(0, -0.75, 0.15));
    b[3] = fixed(arena, "west", 0x9FB3B0, box(0.04, 1.54, 0.3), cri_vec3(-0.77, 0, 0.15));
    b[4] = fixed(arena, "east", 0x9FB3B0, box(0.04, 1.54, 0.3), cri_vec3(0.77, 0, 0.15));
    for (int i = 0; i < 25; i++) {
        b[5 + i] = fixed(arena, text(arena, "peg %d", i), 0x6D7F86, sphere(0.05),
                         cri_vec3(-0.6 + 0.3 * (i % 5), -0.6 + 0.3 * (i / 5), 1));
    }
    for (int i = 0; i < count; i++) {
        b[DICE_FIRST + i] =
            fixed(arena, text(arena, "die %d", i), colors[i % 4], box(DIE, DIE, DIE), (cr_vec3){0});
        b[DICE_FIRST + i].moving = true;
        b[DICE_FIRST + i].track = i;
    }
    return b;
}

// Falls by gravity, bounces lower each time, drifts from a random place to its own place on the
// grid, and tumbles until it lies.
static cr_pose die_at(int die, int count, double t)
{
    cr_rng rng = cr_rng_make(11, CR_RNG_USER, (uint64_t)die);
    cr_vec3 from = {cr_rng_uniform(&rng, -0.7, 0.7), cr_rng_uniform(&rng, -0.7, 0.7),
                    cr_rng_uniform(&rng, 1.5, 4)};
    cr_vec3 axis = {cr_rng_normal(&rng, 0, 1), cr_rng_normal(&rng, 0, 1),
                    cr_rng_normal(&rng, 0, 1)};
    double turns = cr_rng_uniform(&rng, 10, 40);
    int side = 1;
    while (side * side < count) {
        side++;
    }
    cr_vec3 to = {(die % side - (side - 1) / 2.0) * 1.3 / side,
                  (die / side - (side - 1) / 2.0) * 1.3 / side, DIE / 2};
    double height = from.z - to.z, fall = sqrt(2 * height / 9.81), left = t;
    double z = height - 4.905 * left * left;
    for (int bounce = 0; left > fall && bounce < 8; bounce++) {
        left -= fall;
        height *= 0.2;
        fall = 2 * sqrt(2 * height / 9.81);
        z = 4.905 * left * (fall - left);
    }
    double u = cri_clamp(t / 3, 0, 1), rest = 1 - (1 - u) * (1 - u) * (1 - u);
    cr_vec3 at = cri_add(cri_scale(1 - rest, from), cri_scale(rest, to));
    at.z = to.z + fmax(z, 0);
    return (cr_pose){at, cri_quat_axis(axis, turns * (1 - rest))};
}

cr_playback dice_playback(cri_arena *arena, int dice_count, int frame_count)
{
    size_t count = (size_t)dice_count * (size_t)frame_count;
    cr_pose *frames = cri_arena_alloc(arena, count, sizeof *frames);
    cr_vec3 *velocities = cri_arena_alloc(arena, count, sizeof *velocities);
    cr_playback_contact *contacts = cri_arena_alloc(arena, (size_t)dice_count, sizeof *contacts);
    cr_playback_world *world = cri_arena_alloc(arena, 1, sizeof *world);
    *world = (cr_playback_world){.title = "logo", .score = 1, .frame_count = frame_count};
    for (int f = 0; f < frame_count; f++) {
        for (int d = 0; d < dice_count; d++) {
            size_t at = (size_t)f * (size_t)dice_count + (size_t)d;
            frames[at] = die_at(d, dice_count, f * DT);
            cr_vec3 last = f ? frames[at - (size_t)dice_count].position : frames[at].position;
            velocities[at] = cri_scale(60, cri_sub(frames[at].position, last));
            if (f > 0 && velocities[at].z > 0.5 && velocities[at - (size_t)dice_count].z < 0 &&
                world->contact_count < dice_count) {
                contacts[world->contact_count++] = (cr_playback_contact){
                    f, DICE_FIRST + d, 0, cri_vec3(frames[at].position.x, frames[at].position.y, 0),
                    0.01 * velocities[at].z};
            }
        }
    }
    world->frames = frames;
    world->velocities = velocities;
    world->contacts = contacts;
    return (cr_playback){.title = "Many dice",
                         .about = "Dice fall through a grid of pegs and come to rest in order.",
                         .frame_seconds = DT,
                         .body_count = DICE_FIRST + dice_count,
                         .track_count = dice_count,
                         .bodies = dice_bodies(arena, dice_count),
                         .world_count = 1,
                         .worlds = world};
}

// ---------------------------------------------------------------------------------------------
// Race.

#define RACE_FRAMES 600

static cr_vec3 lap(double u, double offset)
{
    double angle = 2 * CRI_PI * u;
    double radius = 30 + 8 * cri_cos(2 * angle) + 3 * cri_sin(3 * angle) + offset;
    return cri_vec3(1.6 * radius * cri_cos(angle), radius * cri_sin(angle), 0.02);
}

static cr_playback_line race_line(cri_arena *arena, const char *name, uint32_t color, double offset)
{
    cr_vec3 *points = cri_arena_alloc(arena, 240, sizeof *points);
    for (int i = 0; i < 240; i++) {
        points[i] = lap(i / 240.0, offset);
    }
    return (cr_playback_line){name, color, true, 240, points};
}

static cr_playback_world race_world(cri_arena *arena)
{
    cr_pose *frames = cri_arena_alloc(arena, RACE_FRAMES, sizeof *frames);
    double *speed = cri_arena_alloc(arena, RACE_FRAMES, sizeof *speed);
    double *slip = cri_arena_alloc(arena, RACE_FRAMES, sizeof *slip);
    for (int f = 0; f < RACE_FRAMES; f++) {
        double u = 0.98 * f / RACE_FRAMES;
        cr_vec3 at = lap(u, cri_sin(20 * u)), ahead = lap(u + 1e-3, cri_sin(20 * u + 0.02));
        cr_vec3 onward = cri_sub(ahead, at);
        slip[f] = 0.3 * cri_sin(25 * u);
        speed[f] = cri_length(onward) * 98;
        at.z = 0.7;
        frames[f] =
            (cr_pose){at, cri_quat_heading(cri_atan2(onward.y, onward.x) + (double)slip[f])};
    }
    cr_playback_channel *channels = cri_arena_alloc(arena, 2, sizeof *channels);
    channels[0] = (cr_playback_channel){"speed", "m/s", speed};
    channels[1] = (cr_playback_channel){"slip angle", "rad", slip};
    static const cr_playback_span spans[] = {{"driver", "straight", 0, 150},
                                             {"driver", "slide left", 150, 330},
                                             {"driver", "straight", 330, RACE_FRAMES - 1}};
    return (cr_playback_world){.title = "lap",
                               .frame_count = RACE_FRAMES,
                               .frames = frames,
                               .span_count = 3,
                               .spans = spans,
                               .channel_count = 2,
                               .channels = channels};
}

cr_playback race_playback(cri_arena *arena)
{
    cr_playback_body *car = cri_arena_alloc(arena, 1, sizeof *car);
    *car = fixed(arena, "car", 0xC8553D, box(4.2, 1.8, 1.4), (cr_vec3){0});
    cr_part *parts = cri_arena_alloc(arena, 2, sizeof *parts);
    parts[0] =
        (cr_part){.shape = box(4.2, 1.8, 0.7), .pose = {{0, 0, -0.25}, upright}, .name = "hull"};
    parts[1] =
        (cr_part){.shape = box(2, 1.6, 0.6), .pose = {{-0.3, 0, 0.4}, upright}, .name = "cabin"};
    car->part_count = 2;
    car->parts = parts;
    car->moving = true;
    cr_playback_line *lines = cri_arena_alloc(arena, 3, sizeof *lines);
    lines[0] = race_line(arena, "inner edge", 0x8A8F98, -4);
    lines[1] = race_line(arena, "outer edge", 0x8A8F98, 4);
    lines[2] = race_line(arena, "race line", 0x2E6F95, 0);
    cr_playback_world *world = cri_arena_alloc(arena, 1, sizeof *world);
    *world = race_world(arena);
    car->pose = world->frames[0];
    return (cr_playback){.title = "One lap",
                         .about = "A car slides through a closed track.",
                         .frame_seconds = 1.0 / 30,
                         .body_count = 1,
                         .track_count = 1,
                         .bodies = car,
                         .line_count = 3,
                         .lines = lines,
                         .world_count = 1,
                         .worlds = world};
}

// ---------------------------------------------------------------------------------------------
// Nothing moves.

cr_playback still_playback(cri_arena *arena)
{
    static const cr_region regions[] = {
        {.name = "room",
         .shape = {.kind = CR_SHAPE_BOX, .half = {1, 0.5, 0.2}},
         .pose = {{0, 0, 0.2}, {0, 0, 0, 1}}},
        {.name = "ball park",
         .shape = {.kind = CR_SHAPE_SPHERE, .radius = 0.3},
         .pose = {{2, 0, 0.3}, {0, 0, 0, 1}}},
        {.name = "court",
         .shape = {.kind = CR_SHAPE_BOX, .half = {0.4, 0.4, HUGE_VAL}},
         .pose = {{0, 1.5, 0}, {0, 0, 0, 1}}}};
    static const cr_playback_world world = {.title = "still", .frame_count = 1};
    cr_playback_body *body = cri_arena_alloc(arena, 1, sizeof *body);
    *body = fixed(arena, "crate", 0xB08968, box(0.5, 0.5, 0.5), cri_vec3(0, 0, 0.25));
    return (cr_playback){.title = "Still life",
                         .frame_seconds = DT,
                         .body_count = 1,
                         .bodies = body,
                         .region_count = 3,
                         .regions = regions,
                         .world_count = 1,
                         .worlds = &world};
}

// ---------------------------------------------------------------------------------------------
// Names of strangers.

cr_playback hostile_playback(cri_arena *arena)
{
    static const cr_playback_span spans[] = {
        {"</script><script>window.broken=1</script>", "<img src=x onerror=window.broken=1>", 0, 40},
        {"row\",\n\"x", "\xFF\xFE\x80 not UTF-8 \xED\xA0\x80", 40, 80}};
    cr_playback playback = golf_playback(arena, 2);
    cr_playback_body *bodies = cri_arena_alloc(arena, GOLF_BODIES, sizeof *bodies);
    memcpy(bodies, playback.bodies, GOLF_BODIES * sizeof *bodies);
    bodies[BALL].name = "</script><script>window.broken=1</script>";
    bodies[ROBOT].name = "\"><img src=x onerror=window.broken=1>";
    bodies[MILL].name = "a,b\"c\nd\x01\x7F";
    bodies[POST].name = NULL;
    cr_playback_world *worlds = cri_arena_alloc(arena, 2, sizeof *worlds);
    memcpy(worlds, playback.worlds, 2 * sizeof *worlds);
    worlds[0].title = "%CAROM_PLAYBACK% <!--";
    worlds[0].spans = spans;
    worlds[0].span_count = 2;
    playback.bodies = bodies;
    playback.worlds = worlds;
    playback.title = "</title><script>window.broken=1</script> %CAROM_PLAYBACK% & 'more' ]]>";
    playback.about = "<!-- <svg onload=window.broken=1> \xC3";
    return playback;
}
