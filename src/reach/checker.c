#include "reach/checker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

// Room that was not there is found at the end: counts run on, writes stop.
static void add_ball(cri_checker *c, cr_vec3 centre, double radius)
{
    if (c->ball_count < CRI_MAX_BALLS) {
        c->balls[c->ball_count] = (cri_ball){{(float)centre.x, (float)centre.y, (float)centre.z},
                                             (float)radius + CRI_CHECKER_PADDING};
    }
    c->ball_count++;
}

static void set_rotation(float *rows, cr_quat q)
{
    cr_vec3 x = cri_rotate(q, cri_vec3(1, 0, 0));
    cr_vec3 y = cri_rotate(q, cri_vec3(0, 1, 0));
    cr_vec3 z = cri_rotate(q, cri_vec3(0, 0, 1));
    const double values[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    for (int i = 0; i < 9; i++) {
        rows[i] = (float)values[i];
    }
}

static void add_brick(cri_checker *c, cr_pose pose, cr_vec3 half)
{
    if (c->brick_count < CRI_MAX_BRICKS) {
        cri_brick *brick = &c->bricks[c->brick_count];
        set_rotation(brick->rotation, pose.rotation);
        brick->centre[0] = (float)pose.position.x;
        brick->centre[1] = (float)pose.position.y;
        brick->centre[2] = (float)pose.position.z;
        brick->half[0] = (float)half.x + CRI_CHECKER_PADDING;
        brick->half[1] = (float)half.y + CRI_CHECKER_PADDING;
        brick->half[2] = (float)half.z + CRI_CHECKER_PADDING;
    }
    c->brick_count++;
}

// Balls at distance s along the axis, of radius sqrt(r^2 + (s/2)^2), hold the capsule between them.
static void cover_capsule(cri_checker *c, const cri_reach_solid *solid)
{
    double length = 2 * solid->half.z;
    double pieces = cri_clamp(ceil(length / (0.75 * solid->radius + 1e-9)), 1, 256);
    double spacing = length / pieces;
    double radius = sqrt(solid->radius * solid->radius + 0.25 * spacing * spacing);
    for (int i = 0; i <= (int)pieces; i++) {
        double z = -solid->half.z + i * spacing;
        add_ball(c, cri_pose_point(solid->pose, cri_vec3(0, 0, z)), radius);
    }
}

static void add_solid(cri_checker *c, const cri_reach_solid *solid)
{
    switch (solid->kind) {
    case CRI_REACH_SOLID_BALL:
        add_ball(c, solid->pose.position, solid->radius);
        break;
    case CRI_REACH_SOLID_CAPSULE:
        cover_capsule(c, solid);
        break;
    case CRI_REACH_SOLID_BOX:
        add_brick(c, solid->pose, solid->half);
        break;
    case CRI_REACH_SOLID_CYLINDER:
        add_brick(c, solid->pose, cri_vec3(solid->radius, solid->radius, solid->half.z));
        break;
    }
}

static cr_vec3 of_floats(const float *v)
{
    return cri_vec3((double)v[0], (double)v[1], (double)v[2]);
}

static double brick_radius(const cri_brick *brick)
{
    return cri_length(of_floats(brick->half));
}

// A ball around the i-th solid of a group: balls first, then bricks.
static double solid_bound(const cri_checker *c, const cri_group *g, int i, cr_vec3 *centre)
{
    int balls = g->ball_to - g->ball_from;
    if (i < balls) {
        const cri_ball *ball = &c->balls[g->ball_from + i];
        *centre = of_floats(ball->centre);
        return (double)ball->radius;
    }
    const cri_brick *brick = &c->bricks[g->brick_from + i - balls];
    *centre = of_floats(brick->centre);
    return brick_radius(brick);
}

// The bounding ball: around the middle of the solids' bounding box.
static void bound_group(cri_checker *c, cri_group *g)
{
    cr_vec3 low = {1e30, 1e30, 1e30}, high = {-1e30, -1e30, -1e30}, at;
    int count = g->ball_to - g->ball_from + g->brick_to - g->brick_from;
    for (int i = 0; i < count; i++) {
        double r = solid_bound(c, g, i, &at);
        low = cri_vec3(fmin(low.x, at.x - r), fmin(low.y, at.y - r), fmin(low.z, at.z - r));
        high = cri_vec3(fmax(high.x, at.x + r), fmax(high.y, at.y + r), fmax(high.z, at.z + r));
    }
    cr_vec3 middle = cri_scale(0.5, cri_add(low, high));
    double radius = 0;
    for (int i = 0; i < count; i++) {
        double r = solid_bound(c, g, i, &at);
        radius = fmax(radius, cri_length(cri_sub(at, middle)) + r);
    }
    g->centre[0] = (float)middle.x;
    g->centre[1] = (float)middle.y;
    g->centre[2] = (float)middle.z;
    g->radius = (float)radius + CRI_CHECKER_PADDING;
}

// An upper bound: the lengths of all bones from the joint to the group's farthest point.
static void bound_reach(cri_checker *c, int g)
{
    const cri_group *group = &c->groups[g];
    double length = cri_length(of_floats(group->centre)) + (double)group->radius;
    memset(c->reach[g], 0, sizeof c->reach[g]);
    for (int f = group->frame; f > 0; f = c->arm->frames[f].parent) {
        const cri_reach_frame *frame = &c->arm->frames[f];
        bool slides = frame->motion == CRI_REACH_MOTION_SLIDE;
        c->reach[g][f] = (float)(slides ? 1 : length);
        if (slides) {
            const cr_arm_dof *dof = &c->arm->dofs[frame->dof];
            length +=
                fabs(frame->scale) * fmax(fabs(dof->low), fabs(dof->high)) + fabs(frame->offset);
        }
        length += cri_length(frame->rest.position);
    }
}

// Open a group, add what `add` says, close it if anything came.
static void close_group(cri_checker *c, cri_group g)
{
    g.ball_to = c->ball_count;
    g.brick_to = c->brick_count;
    bool room = c->ball_count <= CRI_MAX_BALLS && c->brick_count <= CRI_MAX_BRICKS &&
                c->group_count < CRI_MAX_GROUPS;
    if (g.ball_to == g.ball_from && g.brick_to == g.brick_from) {
        return;
    }
    if (room) {
        bound_group(c, &g);
        c->groups[c->group_count] = g;
        bound_reach(c, c->group_count);
    }
    c->group_count++;
}

static cri_group open_group(const cri_checker *c, int link)
{
    return (cri_group){.frame = c->arm->links[link].frame,
                       .link = link,
                       .ball_from = c->ball_count,
                       .brick_from = c->brick_count};
}

static void flatten_frames(cri_checker *c)
{
    c->frame_count = c->arm->frame_count;
    c->dof_count = c->arm->dof_count;
    for (int i = 0; i < c->frame_count; i++) {
        const cri_reach_frame *frame = &c->arm->frames[i];
        cri_flat_frame *flat = &c->frames[i];
        *flat = (cri_flat_frame){.parent = frame->parent,
                                 .motion = (int)frame->motion,
                                 .dof = frame->dof,
                                 .scale = (float)frame->scale,
                                 .offset = (float)frame->offset};
        set_rotation(flat->rotation, frame->rest.rotation);
        flat->position[0] = (float)frame->rest.position.x;
        flat->position[1] = (float)frame->rest.position.y;
        flat->position[2] = (float)frame->rest.position.z;
    }
}

static void add_place(cri_checker *c, int frame, cr_vec3 point)
{
    c->place_frames[c->place_count] = frame;
    c->place_points[c->place_count][0] = (float)point.x;
    c->place_points[c->place_count][1] = (float)point.y;
    c->place_points[c->place_count][2] = (float)point.z;
    c->place_count++;
}

// Origins of the joints, once where several share one, and the tip.
static void choose_places(cri_checker *c)
{
    c->place_count = 0;
    for (int i = 1; i < c->arm->frame_count; i++) {
        const cri_reach_frame *frame = &c->arm->frames[i];
        bool moves = frame->parent > 0;
        if (moves && cri_length(frame->rest.position) > 1e-9) {
            add_place(c, i, cri_vec3(0, 0, 0));
        }
    }
    const cri_link *tip = &c->arm->links[c->arm->tip];
    add_place(c, tip->frame, tip->pose.position);
}

static void add_pair(cri_checker *c, int a, int b)
{
    const cri_group *g = &c->groups[a], *h = &c->groups[b];
    if (g->shell || h->shell) {
        return;
    }
    if (g->frame != h->frame && !c->arm->allowed[g->link][h->link]) {
        c->pairs[c->pair_count++] = (cri_reach_pair){a, b};
    }
}

// The solids of a link, or its shells, are a group.
static void add_link(cri_checker *c, int link, bool shell)
{
    cri_group group = open_group(c, link);
    group.shell = shell;
    for (int i = 0; i < c->arm->solid_count; i++) {
        if (c->arm->solids[i].link == link && c->arm->solids[i].shell == shell) {
            add_solid(c, &c->arm->solids[i]);
        }
    }
    close_group(c, group);
}

static void flatten_arm(cri_checker *c, const cr_arm *arm)
{
    c->arm = arm;
    c->ball_count = c->brick_count = c->group_count = c->pair_count = 0;
    flatten_frames(c);
    choose_places(c);
    for (int link = 0; link < arm->link_count; link++) {
        add_link(c, link, false);
        add_link(c, link, true);
    }
    int groups = c->group_count < CRI_MAX_GROUPS ? c->group_count : CRI_MAX_GROUPS;
    for (int b = 1; b < groups; b++) {
        for (int a = 0; a < b; a++) {
            add_pair(c, a, b);
        }
    }
    c->arm_balls = c->ball_count;
    c->arm_bricks = c->brick_count;
    c->arm_groups = c->group_count;
    c->arm_pairs = c->pair_count;
}

static cri_reach_solid held_solid(const cr_reach_task *task)
{
    const cri_link *tip = &task->arm->links[task->arm->tip];
    cri_reach_solid solid = {.link = task->arm->tip,
                             .radius = task->held.shape.radius,
                             .half = task->held.shape.half,
                             .pose = cri_pose_mul(tip->pose, task->held.pose)};
    solid.kind = task->held.shape.kind == CR_SHAPE_BOX        ? CRI_REACH_SOLID_BOX
                 : task->held.shape.kind == CR_SHAPE_CYLINDER ? CRI_REACH_SOLID_CYLINDER
                                                              : CRI_REACH_SOLID_BALL;
    return solid;
}

// The held object is a group of its own; it may touch what holds it: the links of the tip's frame
// and of the frames within a hand's reach before it that the tip itself may touch.
static void add_held(cri_checker *c, const cr_reach_task *task)
{
    c->ball_count = c->arm_balls;
    c->brick_count = c->arm_bricks;
    c->group_count = c->arm_groups;
    c->pair_count = c->arm_pairs;
    if (!task->holds) {
        return;
    }
    cri_reach_solid solid = held_solid(task);
    cri_group group = open_group(c, task->arm->tip);
    add_solid(c, &solid);
    close_group(c, group);
    for (int a = 0; a < c->arm_groups && c->group_count <= CRI_MAX_GROUPS; a++) {
        add_pair(c, a, c->group_count - 1);
    }
}

static bool stands_upright(cr_quat q)
{
    return fabs(q.x) < 1e-9 && fabs(q.y) < 1e-9;
}

static cri_reach_wall make_wall(const cr_obstacle *obstacle, int index)
{
    cri_reach_wall wall = {.obstacle = index, .radius = (float)obstacle->shape.radius};
    float rows[9];
    set_rotation(rows, obstacle->pose.rotation);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            wall.axes[axis][k] = rows[3 * k + axis];
        }
    }
    const cr_vec3 *at = &obstacle->pose.position, *half = &obstacle->shape.half;
    wall.centre[0] = (float)at->x, wall.centre[1] = (float)at->y, wall.centre[2] = (float)at->z;
    wall.half[0] = (float)half->x, wall.half[1] = (float)half->y, wall.half[2] = (float)half->z;
    bool upright = stands_upright(obstacle->pose.rotation);
    if (obstacle->shape.kind == CR_SHAPE_BOX) {
        wall.kind = upright ? CRI_REACH_WALL_UPRIGHT_BOX : CRI_REACH_WALL_BOX;
    } else if (obstacle->shape.kind == CR_SHAPE_CYLINDER) {
        wall.kind = upright ? CRI_REACH_WALL_UPRIGHT_CYLINDER : CRI_REACH_WALL_CYLINDER;
    } else {
        wall.kind = CRI_REACH_WALL_BALL;
    }
    return wall;
}

// Half the width of a wall along a coordinate axis.
static float wall_reach(const cri_reach_wall *w, int k)
{
    if (w->kind == CRI_REACH_WALL_BALL) {
        return w->radius;
    }
    if (w->kind == CRI_REACH_WALL_UPRIGHT_CYLINDER || w->kind == CRI_REACH_WALL_CYLINDER) {
        float z = w->axes[2][k];
        return fabsf(z) * w->half[2] + sqrtf(fmaxf(1 - z * z, 0)) * w->radius;
    }
    return fabsf(w->axes[0][k]) * w->half[0] + fabsf(w->axes[1][k]) * w->half[1] +
           fabsf(w->axes[2][k]) * w->half[2];
}

static void bound_walls(cri_checker *c)
{
    int stride = c->wall_stride;
    for (int i = 0; i < stride; i++) {
        for (int k = 0; k < 3; k++) {
            bool is = i < c->wall_count;
            float at = is ? c->walls[i].centre[k] : 1e30f;
            float reach = is ? wall_reach(&c->walls[i], k) + CRI_CHECKER_PADDING : 0;
            c->bounds[k * stride + i] = at - reach;
            c->bounds[(k + 3) * stride + i] = at + reach;
        }
    }
}

static cr_status reserve_walls(cri_checker *c, int count, cr_report *report)
{
    c->wall_stride = (count + 7) / 8 * 8;
    if (c->wall_stride <= c->wall_capacity) {
        return CR_OK;
    }
    size_t stride = (size_t)c->wall_stride;
    cri_reach_wall *walls = realloc(c->walls, stride * sizeof *walls);
    c->walls = walls ? walls : c->walls;
    float *bounds = realloc(c->bounds, 6 * stride * sizeof *bounds);
    c->bounds = bounds ? bounds : c->bounds;
    if (!walls || !bounds) {
        return cri_fail_memory(report);
    }
    c->wall_capacity = c->wall_stride;
    return CR_OK;
}

static cr_status add_walls(cri_checker *c, const cr_reach_task *task, cr_report *report)
{
    cr_status status = reserve_walls(c, task->obstacle_count, report);
    if (status != CR_OK) {
        return status;
    }
    c->wall_count = 0;
    for (int kind = CRI_REACH_WALL_UPRIGHT_BOX; kind <= CRI_REACH_WALL_BALL; kind++) {
        for (int i = 0; i < task->obstacle_count; i++) {
            cri_reach_wall wall = make_wall(&task->obstacles[i], i);
            if ((int)wall.kind == kind) {
                c->walls[c->wall_count++] = wall;
            }
        }
    }
    bound_walls(c);
    return CR_OK;
}

cr_status cri_checker_set(cri_checker *checker, const cr_reach_task *task, cr_report *report)
{
    // An arm may lie where a destroyed one lay: the pointer alone does not tell them apart.
    if (checker->arm != task->arm || checker->arm_hash != task->arm->hash) {
        flatten_arm(checker, task->arm);
        checker->arm_hash = task->arm->hash;
    }
    add_held(checker, task);
    if (checker->ball_count > CRI_MAX_BALLS || checker->brick_count > CRI_MAX_BRICKS ||
        checker->group_count > CRI_MAX_GROUPS) {
        checker->arm = NULL;
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "arm \"%s\": at most %d balls, %d boxes and %d links with solids are "
                        "supported, got %d, %d and %d",
                        task->arm->name, CRI_MAX_BALLS, CRI_MAX_BRICKS, CRI_MAX_GROUPS,
                        checker->ball_count, checker->brick_count, checker->group_count);
    }
    return add_walls(checker, task, report);
}

void cri_checker_free(cri_checker *checker)
{
    free(checker->walls);
    free(checker->bounds);
    *checker = (cri_checker){0};
}
