// A path as a playback: each link that has solids is a moving body, the held object is one more,
// and obstacles stand still. The path is walked with a speed that no joint exceeds.
#include "reach/arm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/playback.h"
#include "base/vec.h"

#define FRAME_SECONDS (1.0 / 30)
#define JOINT_SPEED   1.2 // rad/s
#define SLIDE_SPEED   0.4 // m/s
#define PAUSE         0.4 // s at both ends

// The playback and what it points to.
typedef struct show {
    cri_playback made; // first: a pointer to its playback is one to the show
    const cr_reach_task *task;
    cr_playback_body *bodies;
    int *links; // of each track; -1: held
    cr_pose *frames;
    double *values; // joint values, channel by channel
} show;

static const uint32_t skin = 0xd8a47f, cloth = 0x4c6a92, metal = 0xd0d4d8;

static uint32_t link_color(const cr_arm *arm, const char *name)
{
    if (!arm->human.is) {
        return metal;
    }
    bool bare = strcmp(name, "forearm") == 0 || strcmp(name, "hand") == 0;
    return bare ? skin : cloth;
}

static cr_part solid_part(const cri_reach_solid *solid)
{
    cr_part part = {.pose = solid->pose, .name = ""};
    part.shape.radius = solid->radius;
    part.shape.half = solid->half;
    part.shape.kind = solid->kind == CRI_REACH_SOLID_BALL  ? CR_SHAPE_SPHERE
                      : solid->kind == CRI_REACH_SOLID_BOX ? CR_SHAPE_BOX
                                                           : CR_SHAPE_CYLINDER;
    return part;
}

// A capsule is drawn as a cylinder and two balls.
static int add_parts(const cri_reach_solid *solid, cr_part *parts)
{
    parts[0] = solid_part(solid);
    if (solid->kind != CRI_REACH_SOLID_CAPSULE) {
        return 1;
    }
    for (int i = 1; i < 3; i++) {
        double z = i == 1 ? solid->half.z : -solid->half.z;
        parts[i] = parts[0];
        parts[i].shape.kind = CR_SHAPE_SPHERE;
        parts[i].pose.position = cri_pose_point(solid->pose, cri_vec3(0, 0, z));
    }
    return 3;
}

static cr_part *link_parts(show *s, int link, int *count)
{
    const cr_arm *arm = s->task->arm;
    cr_part *parts =
        cri_arena_alloc(&s->made.arena, 3 * (size_t)arm->solid_count + 1, sizeof *parts);
    *count = 0;
    for (int i = 0; i < arm->solid_count && parts; i++) {
        if (arm->solids[i].link == link && !arm->solids[i].shell) {
            *count += add_parts(&arm->solids[i], parts + *count);
        }
    }
    return parts;
}

static void add_body(show *s, cr_playback_body body, int link)
{
    if (body.moving) {
        body.track = s->made.playback.track_count;
        s->links[s->made.playback.track_count++] = link;
    }
    s->bodies[s->made.playback.body_count++] = body;
}

static bool add_obstacles(show *s)
{
    const cr_reach_task *task = s->task;
    cr_part *parts =
        cri_arena_alloc(&s->made.arena, (size_t)task->obstacle_count + 1, sizeof *parts);
    for (int i = 0; i < task->obstacle_count && parts; i++) {
        const cr_obstacle *o = &task->obstacles[i];
        parts[i] = (cr_part){.shape = o->shape, .pose = {.rotation = {0, 0, 0, 1}}, .name = ""};
        add_body(s,
                 (cr_playback_body){.name = o->name,
                                    .color = o->color,
                                    .track = -1,
                                    .pose = o->pose,
                                    .part_count = 1,
                                    .parts = &parts[i]},
                 -1);
    }
    return parts != NULL;
}

// Parts are in the frame's coordinates, so the body's pose is that of the frame.
static bool add_links(show *s)
{
    const cr_arm *arm = s->task->arm;
    for (int link = 0; link < arm->link_count; link++) {
        int count;
        cr_part *parts = link_parts(s, link, &count);
        if (!parts) {
            return false;
        }
        if (count) {
            const char *name = arm->links[link].name;
            add_body(s,
                     (cr_playback_body){.name = name,
                                        .color = link_color(arm, name),
                                        .moving = true,
                                        .part_count = count,
                                        .parts = parts},
                     link);
        }
    }
    return true;
}

static bool add_held(show *s)
{
    if (!s->task->holds) {
        return true;
    }
    const cri_link *tip = &s->task->arm->links[s->task->arm->tip];
    cr_part *part = cri_arena_alloc(&s->made.arena, 1, sizeof *part);
    if (!part) {
        return false;
    }
    *part = s->task->held;
    part->pose = cri_pose_mul(tip->pose, s->task->held.pose);
    part->name = "";
    add_body(s,
             (cr_playback_body){.name = s->task->held.name ? s->task->held.name : "held object",
                                .color = 0xe07a1f,
                                .moving = true,
                                .part_count = 1,
                                .parts = part},
             s->task->arm->tip);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Time.

// How long an edge takes: its slowest joint decides.
static double edge_seconds(const cr_arm *arm, const double *a, const double *b)
{
    double seconds = 1e-3;
    for (int d = 0; d < arm->dof_count; d++) {
        double speed = arm->dofs[d].slides ? SLIDE_SPEED : JOINT_SPEED;
        seconds = fmax(seconds, fabs(b[d] - a[d]) / speed);
    }
    return seconds;
}

typedef struct way {
    const double *path;
    int count;
    double seconds;
} way;

static double way_seconds(const cr_arm *arm, const way *w)
{
    double seconds = 2 * PAUSE;
    for (int i = 0; i + 1 < w->count; i++) {
        seconds +=
            edge_seconds(arm, w->path + i * arm->dof_count, w->path + (i + 1) * arm->dof_count);
    }
    return seconds;
}

// The configuration at a time.
static void way_at(const cr_arm *arm, const way *w, double time, double *q)
{
    int dofs = arm->dof_count, i = 0;
    double t = 0;
    time -= PAUSE;
    for (; i + 1 < w->count; i++) {
        double piece = edge_seconds(arm, w->path + i * dofs, w->path + (i + 1) * dofs);
        t = cri_clamp(time / piece, 0, 1);
        if (time < piece) {
            break;
        }
        time -= piece;
    }
    i = i + 1 < w->count ? i : w->count - 2;
    const double *a = w->path + i * dofs, *b = w->path + (i + 1) * dofs;
    for (int d = 0; d < dofs; d++) {
        q[d] = a[d] + t * (b[d] - a[d]);
    }
}

static void fill_frame(show *s, int frame, int frame_count, const double *q)
{
    const cr_arm *arm = s->task->arm;
    cr_pose poses[CRI_ARM_MAX_FRAMES];
    cri_arm_frames(arm, q, poses);
    for (int t = 0; t < s->made.playback.track_count; t++) {
        s->frames[frame * s->made.playback.track_count + t] = poses[arm->links[s->links[t]].frame];
    }
    for (int d = 0; d < arm->dof_count; d++) {
        s->values[d * frame_count + frame] = q[d];
    }
}

static cr_playback_channel *make_channels(show *s, int frame_count)
{
    const cr_arm *arm = s->task->arm;
    cr_playback_channel *channels =
        cri_arena_alloc(&s->made.arena, (size_t)arm->dof_count, sizeof *channels);
    for (int d = 0; d < arm->dof_count && channels; d++) {
        channels[d] = (cr_playback_channel){arm->dofs[d].name, arm->dofs[d].slides ? "m" : "rad",
                                            s->values + d * frame_count};
    }
    return channels;
}

static bool add_world(show *s, way w, const char *title)
{
    const cr_arm *arm = s->task->arm;
    int count = (int)fmin(way_seconds(arm, &w) / FRAME_SECONDS, 100000) + 1;
    size_t tracks = (size_t)s->made.playback.track_count;
    cr_playback_world *world = cri_arena_alloc(&s->made.arena, 1, sizeof *world);
    s->frames = cri_arena_alloc(&s->made.arena, (size_t)count * tracks, sizeof *s->frames);
    s->values =
        cri_arena_alloc(&s->made.arena, (size_t)(count * arm->dof_count), sizeof *s->values);
    if (!world || !s->frames || !s->values) {
        return false;
    }
    for (int f = 0; f < count; f++) {
        double q[CR_ARM_MAX_DOFS];
        way_at(arm, &w, f * FRAME_SECONDS, q);
        fill_frame(s, f, count, q);
    }
    *world = (cr_playback_world){.title = title,
                                 .frame_count = count,
                                 .frames = s->frames,
                                 .channel_count = arm->dof_count,
                                 .channels = make_channels(s, count)};
    s->made.playback.worlds = world;
    s->made.playback.world_count = 1;
    return world->channels != NULL;
}

// The line that the tip draws.
static bool add_trace(show *s, const way *w)
{
    const cr_arm *arm = s->task->arm;
    enum { POINTS = 120 };
    cr_playback_line *line = cri_arena_alloc(&s->made.arena, 1, sizeof *line);
    cr_vec3 *points = cri_arena_alloc(&s->made.arena, POINTS, sizeof *points);
    if (!line || !points) {
        return false;
    }
    for (int i = 0; i < POINTS; i++) {
        double q[CR_ARM_MAX_DOFS];
        way_at(arm, w, way_seconds(arm, w) * i / (POINTS - 1), q);
        points[i] = cr_arm_link_pose(arm, q, arm->tip).position;
    }
    *line = (cr_playback_line){"way of the hand", 0x1f7a4d, false, POINTS, points};
    s->made.playback.lines = line;
    s->made.playback.line_count = 1;
    return true;
}

// Links of robots are of metal.
static bool add_looks(show *s)
{
    cr_dress *dresses =
        cri_arena_alloc(&s->made.arena, (size_t)s->made.playback.track_count + 1, sizeof *dresses);
    int count = 0;
    for (int i = 0; i < s->made.playback.body_count && dresses; i++) {
        if (s->bodies[i].moving && !s->task->arm->human.is) {
            dresses[count++] = (cr_dress){.body = i, .finish = CR_FINISH_METAL};
        }
    }
    s->made.playback.decor.dresses = dresses;
    s->made.playback.decor.dress_count = dresses ? count : 0;
    return dresses != NULL;
}

static void start_poses(show *s)
{
    for (int i = 0; i < s->made.playback.body_count; i++) {
        if (s->bodies[i].moving) {
            s->bodies[i].pose = s->frames[s->bodies[i].track];
        }
    }
}

cr_status cr_reach_playback(const cr_reach_task *task, const double *path, int count,
                            const char *title, cr_playback **playback, cr_report *report)
{
    *playback = NULL;
    show *s = calloc(1, sizeof *s);
    if (!s) {
        return cri_fail_memory(report);
    }
    size_t most = (size_t)(task->arm->link_count + task->obstacle_count + 1);
    s->task = task;
    s->bodies = cri_arena_alloc(&s->made.arena, most, sizeof *s->bodies);
    s->links = cri_arena_alloc(&s->made.arena, most, sizeof *s->links);
    s->made.playback.title = title;
    s->made.playback.about = task->name ? task->name : "";
    s->made.playback.frame_seconds = FRAME_SECONDS;
    s->made.playback.bodies = s->bodies;
    way w = {path, count, 0};
    if (count < 2 || !s->bodies || !s->links || !add_obstacles(s) || !add_links(s) ||
        !add_held(s) || !add_world(s, w, title) || !add_trace(s, &w) || !add_looks(s)) {
        cr_playback_destroy(&s->made.playback);
        return count < 2 ? cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                                    "a path to show needs 2 configurations, got %d", count)
                         : cri_fail_memory(report);
    }
    start_poses(s);
    *playback = &s->made.playback;
    return CR_OK;
}
