// A drive as a playback: bodies, lines, spans and channels.
#include "drive/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/playback.h"
#include "base/trig.h"
#include "base/vec.h"
#include "drive/inputs.h"

#define NAME_SIZE    24 // of a body: "other" and any number
#define CAR_COLOR    0xd83a2e
#define OTHER_COLOR  0x4a6fa5
#define WALL_COLOR   0x333333
#define CENTRE_COLOR 0xb0b0b0
#define DRIVEN_COLOR 0xe08a1e
#define ROAD_COLOR   0x565a5f
#define CAR_HEIGHT   1.2

typedef struct maker {
    const cr_drive *drive;
    cr_playback *playback;
    cri_arena *arena;
    bool failed;
    cr_playback_body *bodies;
} maker;

static void *take(maker *m, size_t count, size_t size)
{
    void *memory = cri_arena_alloc(m->arena, count ? count : 1, size);
    m->failed = m->failed || !memory;
    return memory;
}

static cr_pose pose_of(double x, double y, double heading)
{
    return (cr_pose){{x, y, CAR_HEIGHT / 2}, cri_quat_heading(heading)};
}

static cr_part box_part(const cr_car *car)
{
    return (cr_part){.shape = {.kind = CR_SHAPE_BOX,
                               .half = {car->half_length, car->half_width, CAR_HEIGHT / 2}},
                     .pose = {{0, 0, 0}, {0, 0, 0, 1}},
                     .name = ""};
}

// A nose, so that one sees which way the car points.
static cr_part nose_part(const cr_car *car)
{
    return (cr_part){.shape = {.kind = CR_SHAPE_BOX, .half = {0.3, car->half_width * 0.8, 0.1}},
                     .pose = {{car->half_length - 0.35, 0, CAR_HEIGHT / 2}, {0, 0, 0, 1}},
                     .name = "nose"};
}

static void make_bodies(maker *m)
{
    const cr_car *car = &m->drive->moves->car;
    int count = m->drive->track->car_count + 1;
    cr_playback_body *bodies = take(m, (size_t)count, sizeof *bodies);
    cr_part *parts = take(m, 2, sizeof *parts);
    char *names = take(m, (size_t)count, NAME_SIZE);
    if (m->failed) {
        return;
    }
    parts[0] = box_part(car);
    parts[1] = nose_part(car);
    for (int i = 0; i < count; i++) {
        char *name = names + NAME_SIZE * i;
        snprintf(name, NAME_SIZE, i == 0 ? "car" : "other %d", i);
        bodies[i] = (cr_playback_body){.name = name,
                                       .color = i == 0 ? CAR_COLOR : OTHER_COLOR,
                                       .moving = true,
                                       .track = i,
                                       .part_count = 2,
                                       .parts = parts};
    }
    m->playback->body_count = m->playback->track_count = count;
    m->playback->bodies = m->bodies = bodies;
}

static cr_pose other_pose(const cr_drive *drive, int frame, int car)
{
    const cri_box *box = &drive->cars[frame * drive->track->car_count + car];
    return pose_of(box->x, box->y, cri_atan2(box->s, box->c));
}

// A motion of the car's own frame, in the world's.
static cr_vec3 turned(double heading, cri_drive_motion motion)
{
    double c = cri_cos(heading), s = cri_sin(heading);
    return (cr_vec3){c * motion.u - s * motion.v, s * motion.u + c * motion.v, 0};
}

// How fast another car turns: from this frame to the next, which its boxes go on to.
static cr_vec3 other_spin(const cr_drive *drive, int frame, int car)
{
    int n = drive->track->car_count;
    const cri_box *a = &drive->cars[frame * n + car], *b = a + n;
    double turn = cri_atan2(a->c * b->s - a->s * b->c, a->c * b->c + a->s * b->s);
    return (cr_vec3){0, 0, turn * CR_DRIVE_RATE};
}

static void make_frames(maker *m, cr_playback_world *world)
{
    const cr_drive *drive = m->drive;
    int tracks = m->playback->track_count;
    size_t count = (size_t)drive->frame_count * (size_t)tracks;
    cr_pose *poses = take(m, count, sizeof *poses);
    cr_vec3 *speeds = take(m, count, sizeof *speeds), *spins = take(m, count, sizeof *spins);
    if (m->failed) {
        return;
    }
    for (int f = 0; f < drive->frame_count; f++) {
        const cri_drive_frame *frame = &drive->frames[f];
        poses[f * tracks] = pose_of(frame->x, frame->y, frame->heading);
        speeds[f * tracks] = turned(frame->heading, frame->motion);
        spins[f * tracks] = (cr_vec3){0, 0, frame->motion.w};
        for (int i = 1; i < tracks; i++) {
            const cri_box *box = &drive->cars[f * (tracks - 1) + i - 1];
            double speed = fabs(drive->track->cars[i - 1].speed);
            poses[f * tracks + i] = other_pose(drive, f, i - 1);
            speeds[f * tracks + i] = (cr_vec3){speed * box->c, speed * box->s, 0};
            spins[f * tracks + i] = other_spin(drive, f, i - 1);
        }
    }
    for (int i = 0; i < tracks; i++) {
        m->bodies[i].pose = poses[i];
    }
    world->frame_count = drive->frame_count;
    world->frames = poses;
    world->velocities = speeds;
    world->spins = spins;
}

// ---------------------------------------------------------------------------------------------
// Channels

static double channel_speed(const cri_drive_frame *f)
{
    return sqrt(f->motion.u * f->motion.u + f->motion.v * f->motion.v);
}

// Between heading and direction of travel; at a standstill there is none.
static double channel_slip(const cri_drive_frame *f)
{
    return channel_speed(f) > 0.5 ? cri_atan2(f->motion.v, fabs(f->motion.u)) * 180 / CRI_PI : 0;
}

static double channel_steer(const cri_drive_frame *f)
{
    return f->input.steer * 180 / CRI_PI;
}

static double channel_throttle(const cri_drive_frame *f)
{
    return f->input.throttle;
}

static double channel_brake(const cri_drive_frame *f)
{
    return f->input.brake;
}

static const struct {
    const char *name, *unit;
    double (*value)(const cri_drive_frame *frame);
} channels[] = {
    {"speed", "m/s", channel_speed},    {"slip angle", "deg", channel_slip},
    {"steering", "deg", channel_steer}, {"throttle", "%", channel_throttle},
    {"brake", "%", channel_brake},
};

enum { CHANNEL_COUNT = sizeof channels / sizeof channels[0] };

// Metres along the centre line since the start of the first lap: what laps are counted by.
static cr_playback_channel along_channel(maker *m)
{
    const cr_drive *drive = m->drive;
    double *values = take(m, (size_t)drive->frame_count, sizeof *values);
    cri_spot spot = cri_track_spot(drive->track, 0);
    for (int f = 0; !m->failed && f < drive->frame_count; f++) {
        cri_track_follow(drive->track, &spot, drive->frames[f].x, drive->frames[f].y);
        values[f] = spot.along;
    }
    return (cr_playback_channel){"along", "m", values};
}

static void make_channels(maker *m, cr_playback_world *world)
{
    const cr_drive *drive = m->drive;
    cr_playback_channel *out = take(m, CHANNEL_COUNT + 1, sizeof *out);
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        double *values = take(m, (size_t)drive->frame_count, sizeof *values);
        if (m->failed) {
            return;
        }
        for (int f = 0; f < drive->frame_count; f++) {
            values[f] = channels[i].value(&drive->frames[f]);
        }
        out[i] = (cr_playback_channel){channels[i].name, channels[i].unit, values};
    }
    out[CHANNEL_COUNT] = along_channel(m);
    world->channel_count = CHANNEL_COUNT + 1;
    world->channels = out;
}

// One span a move, from the frame in which it begins to the one in which the next does.
static void make_spans(maker *m, cr_playback_world *world)
{
    const cr_drive *drive = m->drive;
    cr_playback_span *spans = take(m, (size_t)drive->result.moves + 1, sizeof *spans);
    if (m->failed) {
        return;
    }
    for (int f = 0; f + 1 < drive->frame_count; f++) {
        const cri_drive_frame *frame = &drive->frames[f];
        if (frame->begins) {
            const cri_move *move = &drive->moves->moves[frame->move];
            const char *label = drive->moves->clips.clips[move->clip].label;
            spans[world->span_count++] = (cr_playback_span){"move", label, f, f};
        }
        spans[world->span_count - 1].to = f + 1;
    }
    world->spans = spans;
}

// ---------------------------------------------------------------------------------------------
// Inputs

static void fill_row(const cri_drive_frame *f, double seconds, double *row)
{
    cr_vec3 speed = turned(f->heading, f->motion), jump = turned(f->heading, f->jump);
    row[CRI_INPUTS_SECONDS] = seconds;
    row[CRI_INPUTS_STEERING] = cri_clamp(channel_steer(f), -45, 45); // 45 may round to above
    row[CRI_INPUTS_THROTTLE] = f->input.throttle;
    row[CRI_INPUTS_BRAKE] = f->input.brake;
    row[CRI_INPUTS_X] = f->x;
    row[CRI_INPUTS_Y] = f->y;
    row[CRI_INPUTS_HEADING] = f->heading;
    row[CRI_INPUTS_VX] = speed.x;
    row[CRI_INPUTS_VY] = speed.y;
    row[CRI_INPUTS_SPIN] = f->motion.w;
    row[CRI_INPUTS_JUMP_VX] = jump.x;
    row[CRI_INPUTS_JUMP_VY] = jump.y;
    row[CRI_INPUTS_JUMP_SPIN] = f->jump.w;
}

// What the inputs are of, and the car that they are for.
static const char *make_about(maker *m)
{
    const cr_car *c = &m->drive->moves->car;
    const struct {
        const char *name;
        double value;
    } constants[] = {{"mass", c->mass},
                     {"inertia", c->inertia},
                     {"front", c->front},
                     {"rear", c->rear},
                     {"stiff_front", c->stiff_front},
                     {"stiff_rear", c->stiff_rear},
                     {"grip", c->grip},
                     {"drag", c->drag},
                     {"resistance", c->resistance},
                     {"pedal", c->pedal},
                     {"substeps", c->substeps}};
    cri_text text = {0};
    cri_text_add(&text, "track %s, tree %s; carom drive replay FILE drives it again\ncar:",
                 m->drive->track->name, cr_move_tree_name(m->drive->moves->tree));
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        cri_text_add(&text, "%s %s ", i ? "," : "", constants[i].name);
        cri_text_add_number(&text, constants[i].value);
    }
    const char *about = text.failed ? NULL : cri_arena_text(m->arena, text.data, text.length);
    cri_text_free(&text);
    m->failed = m->failed || !about;
    return about;
}

static void make_inputs(maker *m, cr_playback_world *world)
{
    const cr_drive *drive = m->drive;
    size_t count = (size_t)drive->frame_count * CRI_INPUTS_WHOLE;
    cr_playback_inputs *inputs = take(m, 1, sizeof *inputs);
    double *values = take(m, count, sizeof *values);
    const char *about = make_about(m);
    if (m->failed) {
        return;
    }
    for (int f = 0; f < drive->frame_count; f++) {
        fill_row(&drive->frames[f], f * m->playback->frame_seconds, values + f * CRI_INPUTS_WHOLE);
    }
    *inputs = (cr_playback_inputs){about, CRI_INPUTS_WHOLE, cri_inputs_names, values};
    world->inputs = inputs;
}

// ---------------------------------------------------------------------------------------------
// Lines

static cr_playback_line lane_line(maker *m, const char *name, uint32_t color, double side)
{
    const cr_track *track = m->drive->track;
    int count = track->gate_count;
    cr_vec3 *points = take(m, (size_t)count, sizeof *points);
    for (int i = 0; points && i < count; i++) {
        const cri_gate *g = &track->gates[i];
        double aside = side > 0 ? g->left : (side < 0 ? -g->right : 0);
        points[i] = (cr_vec3){g->x - g->ty * aside, g->y + g->tx * aside, 0};
    }
    return (cr_playback_line){name, color, track->closed, count, points};
}

static cr_playback_line driven_line(maker *m)
{
    const cr_drive *drive = m->drive;
    cr_vec3 *points = take(m, (size_t)drive->frame_count, sizeof *points);
    for (int i = 0; points && i < drive->frame_count; i++) {
        points[i] = (cr_vec3){drive->frames[i].x, drive->frames[i].y, 0};
    }
    return (cr_playback_line){"driven", DRIVEN_COLOR, false, drive->frame_count, points};
}

static void make_lines(maker *m)
{
    cr_playback_line *lines = take(m, 4, sizeof *lines);
    if (m->failed) {
        return;
    }
    lines[0] = lane_line(m, "left wall", WALL_COLOR, 1);
    lines[1] = lane_line(m, "right wall", WALL_COLOR, -1);
    lines[2] = lane_line(m, "centre", CENTRE_COLOR, 0);
    lines[3] = driven_line(m);
    m->playback->line_count = 4;
    m->playback->lines = lines;
}

// ---------------------------------------------------------------------------------------------
// Looks: cars that look like some, on asphalt.

static void make_decor(maker *m)
{
    cr_playback *p = m->playback;
    const cr_playback_line *left = &p->lines[0], *right = &p->lines[1];
    int count = left->point_count;
    cr_dress *dresses = take(m, (size_t)p->body_count, sizeof *dresses);
    cr_mark *road = take(m, 1, sizeof *road);
    cr_vec3 *points = take(m, 2 * (size_t)count, sizeof *points);
    if (m->failed) {
        return;
    }
    for (int i = 0; i < p->body_count; i++) {
        dresses[i] = (cr_dress){.body = i, .finish = CR_FINISH_CAR};
    }
    for (int i = 0; i < count; i++) {
        points[i] = left->points[i];
        points[count + i] = right->points[i];
    }
    *road = (cr_mark){.kind = CR_MARK_ROAD,
                      .finish = CR_FINISH_ASPHALT,
                      .color = ROAD_COLOR,
                      .body = -1,
                      .size = {m->drive->track->length, 0, 0},
                      .closed = left->closed,
                      .point_count = 2 * count,
                      .points = points};
    p->decor = (cr_decor){p->body_count, dresses, 1, road};
}

static void make_all(maker *m)
{
    cr_playback_world *world = take(m, 1, sizeof *world);
    if (!m->failed) {
        world->title = "drive";
        make_bodies(m);
    }
    if (!m->failed) {
        make_frames(m, world);
        make_channels(m, world);
        make_spans(m, world);
        make_inputs(m, world);
        make_lines(m);
    }
    if (!m->failed) {
        make_decor(m);
    }
    m->playback->world_count = 1;
    m->playback->worlds = world;
}

cr_status cr_drive_playback(const cr_drive *drive, cr_playback **playback, cr_report *report)
{
    *playback = NULL;
    cri_playback *made = calloc(1, sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    made->playback = (cr_playback){.title = drive->track->name,
                                   .about = "a car driven with recorded moves",
                                   .frame_seconds = 1.0 / CR_DRIVE_RATE};
    maker m = {.drive = drive, .playback = &made->playback, .arena = &made->arena};
    make_all(&m);
    if (m.failed) {
        cr_playback_destroy(&made->playback);
        return cri_fail_memory(report);
    }
    *playback = &made->playback;
    return CR_OK;
}
