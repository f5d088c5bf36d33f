// A playback becomes a file: check it, pick the writer by the path's ending, write all or nothing.

#include "export/export.h"

#include <string.h>

#include "base/vec.h"
#include "export/page.h"

typedef struct format {
    const char *ending;
    cr_status (*write)(const cr_playback *, cri_text *, cr_report *);
} format;

// Longer endings first: x.contacts.csv is not a table of states.
static const format formats[] = {
    {".actions.csv", cri_write_actions},
    {".contacts.csv", cri_write_contacts},
    {".channels.csv", cri_write_channels},
    {".skills.csv", cri_write_skills},
    {".inputs.csv", cri_write_inputs},
    {".csv", cri_write_states},
    {".html", cri_write_html},
    {".glb", cri_write_glb},
    {".svg", cri_write_svg},
};

static const format *find_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length >= ending && strcmp(path + length - ending, formats[i].ending) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

// Set *found to the format of a path that this build can write.
static cr_status choose_format(const char *path, const format **found, cr_report *report)
{
    *found = find_format(path);
    if (!*found) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){.file = path},
                        "the ending must be .html, .glb, .svg or .csv (.actions.csv, "
                        ".contacts.csv, .channels.csv, .skills.csv, .inputs.csv)");
    }
    if ((*found)->write == cri_write_html && !cri_page[0]) {
        return cri_fail(
            report, CR_ERR_FILE, (cri_location){.file = path},
            "this build has no page: install nodejs and npm and build again with CAROM_PAGE=ON");
    }
    return CR_OK;
}

cr_status cr_playback_try(const char *path, cr_report *report)
{
    const format *found = NULL;
    cr_status status = choose_format(path, &found, report);
    return status == CR_OK ? cr_file_try(path, report) : status;
}

cr_status cr_playback_write(const cr_playback *playback, const char *path, cr_report *report)
{
    const format *found = NULL;
    cr_status status = choose_format(path, &found, report);
    if (status == CR_OK) {
        status = cri_playback_check(playback, report);
    }
    if (status != CR_OK) {
        return status;
    }
    cri_text out = {0};
    status = found->write(playback, &out, report);
    if (status == CR_OK && out.failed) {
        status = cri_fail_memory(report);
    }
    if (status == CR_OK) {
        status = cr_file_write(path, out.data, out.length, report);
    }
    cri_text_free(&out);
    return status;
}

cr_pose cri_playback_pose(const cr_playback *playback, const cr_playback_body *body,
                          const cr_playback_world *world, int frame)
{
    if (!body->moving) {
        return body->pose;
    }
    return world->frames[(size_t)frame * (size_t)playback->track_count + (size_t)body->track];
}

// ---------------------------------------------------------------------------------------------
// The box around everything.

static void include_point(cri_bounds *bounds, cr_vec3 p)
{
    bounds->low =
        cri_vec3(fmin(bounds->low.x, p.x), fmin(bounds->low.y, p.y), fmin(bounds->low.z, p.z));
    bounds->high =
        cri_vec3(fmax(bounds->high.x, p.x), fmax(bounds->high.y, p.y), fmax(bounds->high.z, p.z));
}

// Half the size of a shape along the axes of its own frame.
static cr_vec3 shape_half(const cr_shape *shape)
{
    cr_vec3 half = shape->half;
    if (shape->kind == CR_SHAPE_SPHERE) {
        return cri_vec3(shape->radius, shape->radius, shape->radius);
    }
    if (shape->kind == CR_SHAPE_CYLINDER) {
        return cri_vec3(shape->radius, shape->radius, half.z);
    }
    if (shape->kind == CR_SHAPE_CAPSULE) {
        return cri_vec3(shape->radius, shape->radius, half.z + shape->radius);
    }
    if (shape->kind == CR_SHAPE_PRISM) {
        half.x = half.y = 0;
        for (int i = 0; i < shape->point_count; i++) {
            half.x = fmax(half.x, fabs(shape->points[i].x));
            half.y = fmax(half.y, fabs(shape->points[i].y));
        }
    }
    return half;
}

static void include_part(cri_bounds *bounds, const cr_part *part, cr_pose body)
{
    if (part->shape.kind == CR_SHAPE_PLANE) {
        return;
    }
    cr_pose pose = cri_pose_mul(body, part->pose);
    cr_vec3 half = shape_half(&part->shape);
    if (part->shape.kind == CR_SHAPE_SPHERE) {
        pose.rotation = (cr_quat){0, 0, 0, 1};
    }
    cr_vec3 x = cri_rotate(pose.rotation, cri_vec3(half.x, 0, 0));
    cr_vec3 y = cri_rotate(pose.rotation, cri_vec3(0, half.y, 0));
    cr_vec3 z = cri_rotate(pose.rotation, cri_vec3(0, 0, half.z));
    cr_vec3 reach = {fabs(x.x) + fabs(y.x) + fabs(z.x), fabs(x.y) + fabs(y.y) + fabs(z.y),
                     fabs(x.z) + fabs(y.z) + fabs(z.z)};
    include_point(bounds, cri_add(pose.position, reach));
    include_point(bounds, cri_sub(pose.position, reach));
}

static void include_body(cri_bounds *bounds, const cr_playback_body *body, cr_pose pose)
{
    for (int i = 0; i < body->part_count; i++) {
        include_part(bounds, &body->parts[i], pose);
    }
}

// A region without a height is a mark on its floor.
static void include_region(cri_bounds *bounds, const cr_region *region)
{
    cr_part part = {.shape = region->shape, .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    part.shape.half.z = isinf(part.shape.half.z) ? 0 : part.shape.half.z;
    include_part(bounds, &part, region->pose);
}

static void include_world(cri_bounds *bounds, const cr_playback *playback,
                          const cr_playback_world *world)
{
    for (int b = 0; b < playback->body_count; b++) {
        const cr_playback_body *body = &playback->bodies[b];
        for (int f = 0; body->moving && f < world->frame_count; f++) {
            include_body(bounds, body, cri_playback_pose(playback, body, world, f));
        }
    }
}

cri_bounds cri_playback_bounds(const cr_playback *playback, int world_count)
{
    cri_bounds bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int b = 0; b < playback->body_count; b++) {
        include_body(&bounds, &playback->bodies[b], playback->bodies[b].pose);
    }
    for (int l = 0; l < playback->line_count; l++) {
        for (int i = 0; i < playback->lines[l].point_count; i++) {
            include_point(&bounds, playback->lines[l].points[i]);
        }
    }
    for (int r = 0; r < playback->region_count; r++) {
        include_region(&bounds, &playback->regions[r]);
    }
    for (int w = 0; w < world_count; w++) {
        include_world(&bounds, playback, &playback->worlds[w]);
    }
    if (bounds.low.x > bounds.high.x) {
        include_point(&bounds, cri_vec3(-1, -1, 0));
        include_point(&bounds, cri_vec3(1, 1, 0));
    }
    return bounds;
}

double cri_plane_half(cri_bounds bounds)
{
    double reach = fmax(fmax(fabs(bounds.low.x), fabs(bounds.high.x)),
                        fmax(fabs(bounds.low.y), fabs(bounds.high.y)));
    return fmax(1, 1.25 * reach);
}
