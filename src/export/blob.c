// The playback as the page reads it: a JSON header for what has names, then columns of numbers.
//
//   "CRPB" | u32 version | u32 length of the header | header | column | column | ...
//   column: f64 step | u32 count | u32 order | low bytes | 2nd bytes | 3rd bytes | high bytes
//
// A number is step times a 32-bit integer. Motion is smooth, so each integer is stored as its
// difference to what the `order` (0, 1 or 2) integers before it foretell; differences are small, so
// their high bytes are nearly all alike, and with equal bytes side by side deflate shrinks the
// whole several times. The order of the columns is fixed: docs/playback-format.md.
//
// Sums and differences are taken modulo 2^32, so coding loses nothing that rounding to the step has
// not lost.

#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define VERSION 4

// The finest steps: 10 um, 4e-6 of a quaternion's part, 0.1 mm/s. All well below what a screen
// shows, and each bit saved is a bit a number.
#define STEP_PLACE    1e-5
#define STEP_ROTATION (1.0 / 262144)
#define STEP_VELOCITY 1e-4

#define NO_VALUE INT32_MIN

static void put_f64(cri_text *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    cri_text_add_u32(out, (uint32_t)bits);
    cri_text_add_u32(out, (uint32_t)(bits >> 32));
}

// ---------------------------------------------------------------------------------------------
// Columns.

// Numbers on their way into a column; the same memory serves one column after the other.
typedef struct column {
    size_t count, capacity;
    double *values;
    uint32_t *residues;
    bool failed;
} column;

static void column_start(column *c, size_t count)
{
    c->count = 0;
    if (count <= c->capacity) {
        return;
    }
    free(c->values);
    free(c->residues);
    c->values = malloc(count * sizeof *c->values);
    c->residues = malloc(count * sizeof *c->residues);
    c->capacity = count;
    if (!c->values || !c->residues || count > UINT32_MAX) {
        c->failed = true;
        c->capacity = 0;
    }
}

static void column_add(column *c, double value)
{
    if (!c->failed) {
        c->values[c->count++] = value;
    }
}

static void column_free(column *c)
{
    free(c->values);
    free(c->residues);
}

// The wanted step, or a coarser one if the largest number would not fit; 22 bits of the largest
// number if no step is wanted.
static double choose_step(const column *c, double wanted)
{
    double largest = 0;
    for (size_t i = 0; i < c->count; i++) {
        largest = isfinite(c->values[i]) ? fmax(largest, fabs(c->values[i])) : largest;
    }
    double step = wanted > 0 ? fmax(wanted, largest / 1073741824.0) : largest / 4194304.0;
    return step > 0 ? step : 1;
}

static int32_t quantise(double value, double step)
{
    return isfinite(value) ? (int32_t)lround(value / step) : NO_VALUE;
}

static void find_residues(column *c, double step, uint32_t order)
{
    uint32_t last = 0, before = 0;
    for (size_t i = 0; i < c->count; i++) {
        uint32_t now = (uint32_t)quantise(c->values[i], step);
        uint32_t foretold = order == 0 ? 0 : (order == 1 ? last : 2 * last - before);
        uint32_t residue = now - foretold;
        // Zigzag: small negative numbers have zero high bytes too.
        c->residues[i] = (residue << 1) ^ (residue >> 31 ? UINT32_MAX : 0);
        before = last;
        last = now;
    }
}

static void column_put(column *c, cri_text *out, double wanted_step, uint32_t order)
{
    if (c->failed) {
        out->failed = true;
        return;
    }
    double step = choose_step(c, wanted_step);
    find_residues(c, step, order);
    put_f64(out, step);
    cri_text_add_u32(out, (uint32_t)c->count);
    cri_text_add_u32(out, order);
    for (int shift = 0; shift < 32; shift += 8) {
        for (size_t i = 0; i < c->count; i++) {
            char byte = (char)((c->residues[i] >> shift) & 255);
            cri_text_add_bytes(out, &byte, 1);
        }
    }
}

// One number of many things of the same sort.
typedef double (*getter)(const void *things, size_t i, int axis);

static double axis_of(cr_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

// ---------------------------------------------------------------------------------------------
// The header.

static void add_list(cri_text *out, const double *values, int count)
{
    cri_text_add(out, "[");
    for (int i = 0; i < count; i++) {
        cri_text_add(out, i ? "," : "");
        if (isfinite(values[i])) {
            cri_text_add_number(out, values[i]);
        } else {
            cri_text_add(out, "null");
        }
    }
    cri_text_add(out, "]");
}

static void add_pose(cri_text *out, cr_pose pose)
{
    cr_vec3 p = pose.position;
    cr_quat q = pose.rotation;
    cri_text_add(out, "\"pose\":");
    add_list(out, (double[]){p.x, p.y, p.z, q.x, q.y, q.z, q.w}, 7);
}

static const char *shape_name(cr_shape_kind kind)
{
    switch (kind) {
    case CR_SHAPE_PLANE:
        return "plane";
    case CR_SHAPE_SPHERE:
        return "sphere";
    case CR_SHAPE_BOX:
        return "box";
    case CR_SHAPE_CYLINDER:
        return "cylinder";
    case CR_SHAPE_PRISM:
        return "prism";
    case CR_SHAPE_CAPSULE:
        return "capsule";
    case CR_SHAPE_HULL:
        return "hull";
    }
    return "";
}

// The faces of a hull in triangles, three corners each.
static void add_triangles(cri_text *out, const cr_hull *hull)
{
    const char *comma = "";
    for (int f = 0; f < hull->face_count; f++) {
        const int *ring = &hull->ring[hull->faces[f].first];
        for (int i = 1; i + 1 < hull->faces[f].count; i++) {
            const int corners[3] = {ring[0], ring[i], ring[i + 1]};
            for (int k = 0; k < 3; k++, comma = ",") {
                cr_vec3 p = hull->corners[corners[k]];
                cri_text_add(out, "%s", comma);
                add_list(out, (double[]){p.x, p.y, p.z}, 3);
            }
        }
    }
}

static void add_shape(cri_text *out, const cr_shape *shape)
{
    cri_text_add(out, "\"kind\":\"%s\",\"radius\":", shape_name(shape->kind));
    cri_text_add_number(out, isfinite(shape->radius) ? shape->radius : 0);
    cri_text_add(out, ",\"half\":");
    add_list(out, (double[]){shape->half.x, shape->half.y, shape->half.z}, 3);
    cri_text_add(out, ",\"points\":[");
    for (int i = 0; shape->kind == CR_SHAPE_PRISM && i < shape->point_count; i++) {
        cri_text_add(out, i ? "," : "");
        add_list(out, (double[]){shape->points[i].x, shape->points[i].y}, 2);
    }
    if (shape->kind == CR_SHAPE_HULL) {
        add_triangles(out, shape->hull);
    }
    cri_text_add(out, "],");
}

static void add_body(cri_text *out, const cr_playback_body *body)
{
    cri_text_add(out, "{\"name\":");
    cri_text_add_name(out, CRI_NAME_JSON, body->name);
    cri_text_add(out, ",\"color\":%u,\"track\":%d,", (unsigned)body->color & 0xFFFFFFu,
                 body->moving ? body->track : -1);
    add_pose(out, body->pose);
    cri_text_add(out, ",\"parts\":[");
    for (int i = 0; i < body->part_count; i++) {
        cri_text_add(out, i ? ",{\"name\":" : "{\"name\":");
        cri_text_add_name(out, CRI_NAME_JSON, body->parts[i].name);
        cri_text_add(out, ",");
        add_shape(out, &body->parts[i].shape);
        add_pose(out, body->parts[i].pose);
        cri_text_add(out, "}");
    }
    cri_text_add(out, "]}");
}

static void add_bodies(cri_text *out, const cr_playback *playback)
{
    cri_text_add(out, ",\"bodies\":[");
    for (int b = 0; b < playback->body_count; b++) {
        cri_text_add(out, b ? "," : "");
        add_body(out, &playback->bodies[b]);
    }
    cri_text_add(out, "]");
}

static void add_places(cri_text *out, const cr_playback *playback)
{
    cri_text_add(out, ",\"lines\":[");
    for (int l = 0; l < playback->line_count; l++) {
        const cr_playback_line *line = &playback->lines[l];
        cri_text_add(out, l ? ",{\"name\":" : "{\"name\":");
        cri_text_add_name(out, CRI_NAME_JSON, line->name);
        cri_text_add(out, ",\"color\":%u,\"closed\":%s,\"count\":%d}",
                     (unsigned)line->color & 0xFFFFFFu, line->closed ? "true" : "false",
                     line->point_count);
    }
    cri_text_add(out, "],\"regions\":[");
    for (int r = 0; r < playback->region_count; r++) {
        const cr_region *region = &playback->regions[r];
        cri_text_add(out, r ? ",{\"name\":" : "{\"name\":");
        cri_text_add_name(out, CRI_NAME_JSON, region->name);
        cri_text_add(out, ",");
        add_shape(out, &region->shape);
        add_pose(out, region->pose);
        cri_text_add(out, "}");
    }
    cri_text_add(out, "],\"tree\":{\"points\":%d,\"nodes\":%" PRId64 ",\"shown\":%" PRId64,
                 playback->node_count, playback->tree_nodes, playback->tree_shown);
    cri_text_add(out, ",\"dead\":[%" PRId64 ",%" PRId64 ",%" PRId64 "],\"ends\":%d,\"reasons\":[",
                 playback->dead_rule, playback->dead_engine, playback->ended, playback->end_count);
    for (int r = 0; r < playback->reason_count; r++) {
        cri_text_add(out, r ? ",{\"kind\":" : "{\"kind\":");
        cri_text_add_name(out, CRI_NAME_JSON, playback->reasons[r].kind);
        cri_text_add(out, ",\"text\":");
        cri_text_add_name(out, CRI_NAME_JSON, playback->reasons[r].text);
        cri_text_add(out, ",\"count\":%d}", playback->reasons[r].count);
    }
    cri_text_add(out, "]}");
}

static void add_spans(cri_text *out, const cr_playback_world *world)
{
    cri_text_add(out, ",\"spans\":[");
    for (int i = 0; i < world->span_count; i++) {
        const cr_playback_span *span = &world->spans[i];
        cri_text_add(out, i ? ",{\"row\":" : "{\"row\":");
        cri_text_add_name(out, CRI_NAME_JSON, span->row);
        cri_text_add(out, ",\"label\":");
        cri_text_add_name(out, CRI_NAME_JSON, span->label);
        cri_text_add(out, ",\"from\":%d,\"to\":%d}", span->from, span->to);
    }
    cri_text_add(out, "]");
}

static void add_world(cri_text *out, const cr_playback_world *world)
{
    cri_text_add(out, "{\"title\":");
    cri_text_add_name(out, CRI_NAME_JSON, world->title);
    cri_text_add(out, ",\"score\":");
    cri_text_add_number(out, world->score);
    cri_text_add(out, ",\"frames\":%d,\"velocities\":%s,\"contacts\":%d", world->frame_count,
                 world->velocities ? "true" : "false", world->contact_count);
    if (world->planned) {
        cri_text_add(out, ",\"from\":%d", world->from);
    }
    add_spans(out, world);
    cri_text_add(out, ",\"channels\":[");
    for (int c = 0; c < world->channel_count; c++) {
        cri_text_add(out, c ? ",{\"name\":" : "{\"name\":");
        cri_text_add_name(out, CRI_NAME_JSON, world->channels[c].name);
        cri_text_add(out, ",\"unit\":");
        cri_text_add_name(out, CRI_NAME_JSON, world->channels[c].unit);
        cri_text_add(out, "}");
    }
    cri_text_add(out, "]}");
}

static void add_header(cri_text *out, const cr_playback *playback)
{
    cri_bounds bounds = cri_playback_bounds(playback, playback->world_count);
    cri_text_add(out, "{\"title\":");
    cri_text_add_name(out, CRI_NAME_JSON, playback->title);
    cri_text_add(out, ",\"about\":");
    cri_text_add_name(out, CRI_NAME_JSON, playback->about);
    cri_text_add(out, ",\"frameSeconds\":");
    cri_text_add_number(out, playback->frame_seconds);
    cri_text_add(out, ",\"tracks\":%d,\"bounds\":", playback->track_count);
    add_list(out,
             (double[]){bounds.low.x, bounds.low.y, bounds.low.z, bounds.high.x, bounds.high.y,
                        bounds.high.z},
             6);
    add_bodies(out, playback);
    add_places(out, playback);
    cri_blob_add_decor(out, playback);
    cri_text_add(out, ",\"worlds\":[");
    for (int w = 0; w < playback->world_count; w++) {
        cri_text_add(out, w ? "," : "");
        add_world(out, &playback->worlds[w]);
    }
    cri_text_add(out, "]}");
}

// ---------------------------------------------------------------------------------------------
// The columns, in their fixed order.

static void put_lines(cri_text *out, column *c, const cr_playback *playback)
{
    size_t count = 0;
    for (int l = 0; l < playback->line_count; l++) {
        count += (size_t)playback->lines[l].point_count;
    }
    for (int axis = 0; axis < 3; axis++) {
        column_start(c, count);
        for (int l = 0; l < playback->line_count; l++) {
            for (int i = 0; i < playback->lines[l].point_count; i++) {
                column_add(c, axis_of(playback->lines[l].points[i], axis));
            }
        }
        column_put(c, out, STEP_PLACE, 2);
    }
}

static double node_number(const void *nodes, size_t i, int field)
{
    const cr_playback_node *node = (const cr_playback_node *)nodes + i;
    switch (field) {
    case 0:
        return node->parent;
    case 1:
        return node->body;
    case 2:
        return node->order;
    case 3:
        return (double)node->x;
    case 4:
        return (double)node->y;
    default:
        return (double)node->z;
    }
}

static double end_number(const void *ends, size_t i, int field)
{
    const cr_playback_end *end = (const cr_playback_end *)ends + i;
    return field < 6 ? node_number(&end->at, 0, field) : end->reason;
}

static double contact_number(const void *contacts, size_t i, int field)
{
    const cr_playback_contact *contact = (const cr_playback_contact *)contacts + i;
    switch (field) {
    case 0:
        return contact->frame;
    case 1:
        return contact->a;
    case 2:
        return contact->b;
    case 6:
        return contact->impulse;
    default:
        return axis_of(contact->point, field - 3);
    }
}

// A table of things, one column a field, each with its own step.
typedef struct table {
    const void *things;
    int count, field_count;
    getter get;
    const double *steps;
} table;

static void put_table(cri_text *out, column *c, table t)
{
    for (int field = 0; field < t.field_count; field++) {
        column_start(c, (size_t)t.count);
        for (size_t i = 0; i < (size_t)t.count; i++) {
            column_add(c, t.get(t.things, i, field));
        }
        column_put(c, out, t.steps[field], 1);
    }
}

static double pose_number(cr_pose pose, double sign, int field)
{
    switch (field) {
    case 3:
        return sign * pose.rotation.x;
    case 4:
        return sign * pose.rotation.y;
    case 5:
        return sign * pose.rotation.z;
    case 6:
        return sign * pose.rotation.w;
    default:
        return axis_of(pose.position, field);
    }
}

static double quat_dot(cr_quat a, cr_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// One field of all poses, a track after the other. q and -q are the same rotation; the sign that
// continues the frame before keeps the differences small.
static void put_motion(cri_text *out, column *c, const cr_playback *playback,
                       const cr_playback_world *world, int field)
{
    size_t tracks = (size_t)playback->track_count, frames = (size_t)world->frame_count;
    column_start(c, tracks * frames);
    for (size_t t = 0; t < tracks; t++) {
        double sign = 1;
        for (size_t f = 0; f < frames; f++) {
            const cr_pose *pose = &world->frames[f * tracks + t];
            bool flipped = f > 0 && quat_dot(pose->rotation, pose[-(ptrdiff_t)tracks].rotation) < 0;
            sign = flipped ? -sign : sign;
            column_add(c, pose_number(*pose, sign, field));
        }
    }
    column_put(c, out, field < 3 ? STEP_PLACE : STEP_ROTATION, 2);
}

static void put_velocities(cri_text *out, column *c, const cr_playback *playback,
                           const cr_playback_world *world)
{
    size_t tracks = (size_t)playback->track_count, frames = (size_t)world->frame_count;
    for (int axis = 0; world->velocities && axis < 3; axis++) {
        column_start(c, tracks * frames);
        for (size_t t = 0; t < tracks; t++) {
            for (size_t f = 0; f < frames; f++) {
                column_add(c, axis_of(world->velocities[f * tracks + t], axis));
            }
        }
        column_put(c, out, STEP_VELOCITY, 1);
    }
}

static void put_world(cri_text *out, column *c, const cr_playback *playback,
                      const cr_playback_world *world)
{
    static const double steps[] = {1, 1, 1, STEP_PLACE, STEP_PLACE, STEP_PLACE, 0};
    for (int field = 0; field < 7; field++) {
        put_motion(out, c, playback, world, field);
    }
    put_velocities(out, c, playback, world);
    put_table(out, c, (table){world->contacts, world->contact_count, 7, contact_number, steps});
    for (int i = 0; i < world->channel_count; i++) {
        column_start(c, (size_t)world->frame_count);
        for (int f = 0; f < world->frame_count; f++) {
            column_add(c, world->channels[i].values[f]);
        }
        column_put(c, out, 0, 1);
    }
}

void cri_blob_make(const cr_playback *playback, cri_text *out)
{
    static const double node_steps[] = {1, 1, 1, STEP_PLACE, STEP_PLACE, STEP_PLACE, 1};
    cri_text header = {0};
    add_header(&header, playback);
    cri_text_add_bytes(out, "CRPB", 4);
    cri_text_add_u32(out, VERSION);
    cri_text_add_u32(out, (uint32_t)header.length);
    cri_text_add_bytes(out, header.data, header.length);
    out->failed = out->failed || header.failed;
    cri_text_free(&header);

    column c = {0};
    put_lines(out, &c, playback);
    put_table(out, &c, (table){playback->nodes, playback->node_count, 6, node_number, node_steps});
    put_table(out, &c, (table){playback->ends, playback->end_count, 7, end_number, node_steps});
    for (int w = 0; w < playback->world_count; w++) {
        put_world(out, &c, playback, &playback->worlds[w]);
    }
    column_free(&c);
}
