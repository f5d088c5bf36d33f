// Binary glTF 2.0: a chunk of JSON that describes, a chunk of numbers that is described.
//
//   "glTF" | u32 2 | u32 length || u32 length | "JSON" | {...} || u32 length | "BIN\0" | numbers
//
// glTF is y up: (x, y, z) becomes (x, z, -y), for places, normals and the axes of rotations alike,
// so no node carries a turn that an animator would trip over. A body is a node, its parts are one
// mesh, a colour is a material; bodies that look alike share. The animation holds a translation
// and a rotation a frame of each moving body of the first world.

#include "export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"
#include "export/mesh.h"

enum { FLOAT = 5126, UINT = 5125 };                       // component types
enum { NO_TARGET = 0, CORNERS = 34962, INDICES = 34963 }; // buffer view targets
enum { LINE_LOOP = 2, LINE_STRIP = 3 };

// The file as it grows: each list is the inside of the JSON array of its name.
typedef struct glb {
    const cr_playback *playback;
    double plane_half;
    cri_text views, accessors, materials, meshes, nodes, samplers, channels;
    int view_count, material_count, mesh_count, node_count, sampler_count;
    cri_text numbers;
    cri_text studio; // members of the file for camera and light
} glb;

// What a body that looks alike can take over. -1 where there is none.
typedef struct look {
    int place, normal, index; // accessors
    int mesh;
} look;

static void begin(cri_text *list, int *count)
{
    cri_text_add(list, (*count)++ ? "," : "");
}

static void put_float(cri_text *out, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, 4);
    cri_text_add_u32(out, bits);
}

static cr_vec3 turn(cr_vec3 v)
{
    return cri_vec3(v.x, v.z, -v.y);
}

static cr_quat turn_rotation(cr_quat q)
{
    q = cri_quat_unit(q);
    return (cr_quat){q.x, q.z, -q.y, q.w};
}

// ---------------------------------------------------------------------------------------------
// Accessors: a run of numbers at the end of the chunk, with a view of its own.

typedef struct run {
    size_t start; // where in the numbers
    int type;     // FLOAT or UINT
    int target;
    int count;
    const char *shape;  // "SCALAR", "VEC3", "VEC4"
    const char *limits; // more JSON, as `,"min":[0],"max":[1]`
} run;

static int add_accessor(glb *g, run r)
{
    cri_text_add(&g->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                 g->view_count ? "," : "", r.start, g->numbers.length - r.start);
    if (r.target) {
        cri_text_add(&g->views, ",\"target\":%d", r.target);
    }
    cri_text_add(&g->views, "}");
    cri_text_add(&g->accessors,
                 "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
                 g->view_count ? "," : "", g->view_count, r.type, r.count, r.shape, r.limits);
    return g->view_count++;
}

static int add_places(glb *g, const cr_vec3 *places, int count)
{
    size_t start = g->numbers.length;
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF},
          high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int i = 0; i < count; i++) {
        cr_vec3 p = turn(places[i]);
        float axes[3] = {(float)p.x, (float)p.y, (float)p.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], axes[k]);
            high[k] = fmaxf(high[k], axes[k]);
            put_float(&g->numbers, (double)axes[k]);
        }
    }
    char limits[256];
    cri_format(limits, sizeof limits, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]",
               (double)low[0], (double)low[1], (double)low[2], (double)high[0], (double)high[1],
               (double)high[2]);
    return add_accessor(g, (run){start, FLOAT, CORNERS, count, "VEC3", limits});
}

static int add_normals(glb *g, const cri_mesh *mesh)
{
    size_t start = g->numbers.length;
    for (int i = 0; i < mesh->corner_count; i++) {
        cr_vec3 n = turn(mesh->normals[i]);
        put_float(&g->numbers, n.x);
        put_float(&g->numbers, n.y);
        put_float(&g->numbers, n.z);
    }
    return add_accessor(g, (run){start, FLOAT, CORNERS, mesh->corner_count, "VEC3", ""});
}

static int add_indices(glb *g, const cri_mesh *mesh)
{
    size_t start = g->numbers.length;
    for (int i = 0; i < mesh->index_count; i++) {
        cri_text_add_u32(&g->numbers, mesh->indices[i]);
    }
    return add_accessor(g, (run){start, UINT, INDICES, mesh->index_count, "SCALAR", ""});
}

// ---------------------------------------------------------------------------------------------
// Bodies and lines.

// glTF's colours are linear; ours, as everybody's, are sRGB.
static double linear(uint32_t byte)
{
    double c = (byte & 255) / 255.0;
    return c <= 0.04045 ? c / 12.92 : cri_exp(2.4 * cri_log((c + 0.055) / 1.055));
}

static int add_material(glb *g, uint32_t color)
{
    begin(&g->materials, &g->material_count);
    cri_text_add(&g->materials,
                 "{\"name\":\"#%06x\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
                 "[%.6f,%.6f,%.6f,1],\"metallicFactor\":0,\"roughnessFactor\":0.6}}",
                 (unsigned)color & 0xFFFFFFu, linear(color >> 16), linear(color >> 8),
                 linear(color));
    return g->material_count - 1;
}

// The car, or NULL: it is small on its road, so the picture is of it.
static const cr_playback_body *find_car(const cr_playback *playback)
{
    for (int i = 0; i < playback->decor.dress_count; i++) {
        if (playback->decor.dresses[i].finish == CR_FINISH_CAR) {
            return &playback->bodies[playback->decor.dresses[i].body];
        }
    }
    return NULL;
}

#define GLASS       0x11161b
#define FIELD_GREEN 0x55743f // beside a road

static bool is_car(const glb *g, const cr_playback_body *body)
{
    return body == find_car(g->playback) && body->part_count > 0;
}

static bool same_shape(const cr_shape *a, const cr_shape *b)
{
    bool same = a->kind == b->kind && a->radius == b->radius && a->half.x == b->half.x &&
                a->half.y == b->half.y && a->half.z == b->half.z;
    if (same && a->kind == CR_SHAPE_HULL) {
        return a->hull == b->hull || memcmp(a->hull, b->hull, sizeof *a->hull) == 0;
    }
    if (!same || a->kind != CR_SHAPE_PRISM) {
        return same;
    }
    return a->point_count == b->point_count &&
           memcmp(a->points, b->points, (size_t)a->point_count * sizeof *a->points) == 0;
}

static bool same_parts(const cr_playback_body *a, const cr_playback_body *b)
{
    bool same = a->part_count == b->part_count;
    for (int i = 0; same && i < a->part_count; i++) {
        same = same_shape(&a->parts[i].shape, &b->parts[i].shape) &&
               memcmp(&a->parts[i].pose, &b->parts[i].pose, sizeof(cr_pose)) == 0;
    }
    return same;
}

static look add_mesh(glb *g, cri_mesh *mesh)
{
    look made = {-1, -1, -1, -1};
    if (mesh->failed) {
        g->numbers.failed = true;
    } else if (mesh->index_count > 0) {
        made.place = add_places(g, mesh->corners, mesh->corner_count);
        made.normal = add_normals(g, mesh);
        made.index = add_indices(g, mesh);
    }
    cri_mesh_free(mesh);
    return made;
}

static look add_triangles(glb *g, const cr_playback_body *body)
{
    cri_mesh mesh = {0};
    if (is_car(g, body)) {
        cri_mesh_add_car(&mesh, body->parts[0].shape.half, CRI_CAR_PAINT);
        return add_mesh(g, &mesh);
    }
    for (int i = 0; i < body->part_count; i++) {
        cri_mesh_add_part(&mesh, &body->parts[i], g->plane_half);
    }
    return add_mesh(g, &mesh);
}

// Windows and tyres of a car, as a second primitive of its mesh.
static void add_glass(glb *g, const cr_playback_body *body)
{
    cri_mesh mesh = {0};
    cri_mesh_add_car(&mesh, body->parts[0].shape.half, CRI_CAR_DARK);
    look dark = add_mesh(g, &mesh);
    if (dark.place >= 0) {
        cri_text_add(&g->meshes,
                     ",{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,"
                     "\"material\":%d}",
                     dark.place, dark.normal, dark.index, add_material(g, GLASS));
    }
}

// The first body that looks the same gives its colour's material, its triangles, or its whole mesh.
static look find_look(glb *g, const look *looks, int b)
{
    const cr_playback_body *bodies = g->playback->bodies;
    look found = {-1, -1, -1, -1};
    for (int e = 0; e < b && found.mesh < 0; e++) {
        if (looks[e].place >= 0 && same_parts(&bodies[e], &bodies[b])) {
            found = looks[e];
            found.mesh = bodies[e].color == bodies[b].color ? looks[e].mesh : -1;
        }
    }
    return found;
}

static int find_material(glb *g, int b, int *materials)
{
    const cr_playback_body *bodies = g->playback->bodies;
    for (int e = 0; e < b; e++) {
        if (materials[e] >= 0 && bodies[e].color == bodies[b].color) {
            return materials[b] = materials[e];
        }
    }
    return materials[b] = add_material(g, bodies[b].color);
}

static look add_look(glb *g, const look *looks, int *materials, int b)
{
    const cr_playback_body *body = &g->playback->bodies[b];
    look found = find_look(g, looks, b);
    if (found.place < 0) {
        found = add_triangles(g, body);
    }
    if (found.place >= 0 && found.mesh < 0) {
        begin(&g->meshes, &g->mesh_count);
        cri_text_add(&g->meshes, "{\"name\":");
        cri_text_add_name(&g->meshes, CRI_NAME_JSON, body->name);
        cri_text_add(&g->meshes,
                     ",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                     "\"indices\":%d,\"material\":%d}",
                     found.place, found.normal, found.index, find_material(g, b, materials));
        if (is_car(g, body)) {
            add_glass(g, body);
        }
        cri_text_add(&g->meshes, "]}");
        found.mesh = g->mesh_count - 1;
    }
    return found;
}

static void add_node(glb *g, const char *name, int mesh, cr_pose pose)
{
    cr_vec3 p = turn(pose.position);
    cr_quat q = turn_rotation(pose.rotation);
    begin(&g->nodes, &g->node_count);
    cri_text_add(&g->nodes, "{\"name\":");
    cri_text_add_name(&g->nodes, CRI_NAME_JSON, name);
    if (mesh >= 0) {
        cri_text_add(&g->nodes, ",\"mesh\":%d", mesh);
    }
    cri_text_add(&g->nodes, ",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]}",
                 p.x, p.y, p.z, q.x, q.y, q.z, q.w);
}

static void add_bodies(glb *g)
{
    size_t count = (size_t)g->playback->body_count + 1;
    look *looks = malloc(count * sizeof *looks);
    int *materials = malloc(count * sizeof *materials);
    if (looks && materials) {
        for (int b = 0; b < g->playback->body_count; b++) {
            const cr_playback_body *body = &g->playback->bodies[b];
            materials[b] = -1;
            looks[b] = add_look(g, looks, materials, b);
            add_node(g, body->name, looks[b].mesh,
                     cri_playback_pose(g->playback, body, &g->playback->worlds[0], 0));
        }
    } else {
        g->numbers.failed = true;
    }
    free(looks);
    free(materials);
}

static void add_lines(glb *g)
{
    for (int l = 0; l < g->playback->line_count; l++) {
        const cr_playback_line *line = &g->playback->lines[l];
        if (line->point_count < 2) {
            continue;
        }
        int places = add_places(g, line->points, line->point_count);
        begin(&g->meshes, &g->mesh_count);
        cri_text_add(&g->meshes, "{\"name\":");
        cri_text_add_name(&g->meshes, CRI_NAME_JSON, line->name);
        cri_text_add(&g->meshes,
                     ",\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"mode\":%d,"
                     "\"material\":%d}]}",
                     places, line->closed ? LINE_LOOP : LINE_STRIP, add_material(g, line->color));
        add_node(g, line->name, g->mesh_count - 1, (cr_pose){.rotation = {0, 0, 0, 1}});
    }
}

// ---------------------------------------------------------------------------------------------
// Roads: their surface, and a low wall along both edges, seen from both sides.

#define WALL_HEIGHT 0.7 // m

static void add_face(glb *g, const uint32_t corner[4])
{
    static const int order[12] = {0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0};
    for (int i = 0; i < 12; i++) {
        cri_text_add_u32(&g->numbers, corner[order[i]]);
    }
}

// Four corners a gate: left, right, and above them the tops of the walls.
static int add_road_indices(glb *g, uint32_t gates, bool closed)
{
    size_t start = g->numbers.length;
    uint32_t pieces = closed ? gates : gates - 1;
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t a = 4 * i, b = 4 * ((i + 1) % gates);
        add_face(g, (uint32_t[]){a + 1, b + 1, b, a});
        add_face(g, (uint32_t[]){a, b, b + 2, a + 2});
        add_face(g, (uint32_t[]){a + 1, b + 1, b + 3, a + 3});
    }
    return add_accessor(g, (run){start, UINT, INDICES, (int)(36 * pieces), "SCALAR", ""});
}

static void add_road(glb *g, const cr_mark *road)
{
    int gates = road->point_count / 2;
    cr_vec3 *corners = malloc(4 * (size_t)gates * sizeof *corners);
    if (!corners) {
        g->numbers.failed = true;
        return;
    }
    for (int i = 0; i < gates; i++) {
        for (int side = 0; side < 2; side++) {
            cr_vec3 edge = road->points[i + side * gates];
            corners[4 * i + side] = edge;
            corners[4 * i + side + 2] = cri_vec3(edge.x, edge.y, edge.z + WALL_HEIGHT);
        }
    }
    int places = add_places(g, corners, 4 * gates);
    int indices = add_road_indices(g, (uint32_t)gates, road->closed);
    free(corners);
    begin(&g->meshes, &g->mesh_count);
    cri_text_add(&g->meshes,
                 "{\"name\":\"road\",\"primitives\":[{\"attributes\":{\"POSITION\":%d},"
                 "\"indices\":%d,\"material\":%d}]}",
                 places, indices, add_material(g, road->color));
    add_node(g, "road", g->mesh_count - 1, (cr_pose){.rotation = {0, 0, 0, 1}});
}

// Grass far around, a little below the road.
static void add_field(glb *g)
{
    cri_bounds bounds = cri_playback_bounds(g->playback, 1);
    cr_vec3 center = cri_scale(0.5, cri_add(bounds.low, bounds.high));
    cri_mesh mesh = {0};
    cr_part plane = {.shape = {.kind = CR_SHAPE_PLANE},
                     .pose = {{center.x, center.y, -0.03}, {0, 0, 0, 1}}};
    cri_mesh_add_part(&mesh, &plane, 4 * fmax(bounds.high.x - center.x, bounds.high.y - center.y));
    look made = add_mesh(g, &mesh);
    if (made.place >= 0) {
        begin(&g->meshes, &g->mesh_count);
        cri_text_add(&g->meshes,
                     "{\"name\":\"field\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
                     "\"NORMAL\":%d},\"indices\":%d,\"material\":%d}]}",
                     made.place, made.normal, made.index, add_material(g, FIELD_GREEN));
        add_node(g, "field", g->mesh_count - 1, (cr_pose){.rotation = {0, 0, 0, 1}});
    }
}

static void add_roads(glb *g)
{
    bool road = false;
    for (int i = 0; i < g->playback->decor.mark_count; i++) {
        const cr_mark *mark = &g->playback->decor.marks[i];
        if (mark->kind == CR_MARK_ROAD && mark->point_count >= 4) {
            add_road(g, mark);
            road = true;
        }
    }
    if (road) {
        add_field(g);
    }
}

// ---------------------------------------------------------------------------------------------
// A camera that sees the scene as the page first does, and a sun, so that a first render is a
// picture. Both look along -z of their nodes.

#define FIELD      0.5585 // rad, from top to bottom: 32 degrees, as of the page
#define SUN        2000   // lx: 3 W/m2 of light in Blender
#define FAR_ENOUGH 2.3    // radii of the scene, at which it fits into the field
#define CAR_AWAY   14.0   // m

// A node at a place (z up) whose z axis points back along `back`.
static void add_looking(glb *g, const char *name, const char *what, cr_vec3 at, cr_vec3 back)
{
    cr_vec3 p = turn(at), z = turn(cri_scale(1 / sqrt(cri_dot(back, back)), back));
    cr_vec3 side = {z.z, 0, -z.x}; // across: y x z
    cr_vec3 x = cri_scale(1 / sqrt(cri_dot(side, side)), side);
    cr_vec3 y = {z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x};
    begin(&g->nodes, &g->node_count);
    cri_text_add(&g->nodes,
                 "{\"name\":\"%s\",%s,\"matrix\":[%.9g,%.9g,%.9g,0,%.9g,%.9g,%.9g,0,%.9g,%.9g,"
                 "%.9g,0,%.9g,%.9g,%.9g,1]}",
                 name, what, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, p.x, p.y, p.z);
}

// Behind and beside the car where it starts; else where the whole scene is seen, as the page sees
// it.
static void add_camera(glb *g, cr_vec3 center, double radius)
{
    cr_vec3 view = {-0.314, -0.748, 0.584};
    const cr_playback_body *car = find_car(g->playback);
    if (car) {
        cr_pose pose = cri_playback_pose(g->playback, car, &g->playback->worlds[0], 0);
        cr_vec3 back = cri_rotate(pose.rotation, cri_vec3(-0.82, -0.46, 0.34));
        add_looking(g, "camera", "\"camera\":0", cri_mad(pose.position, CAR_AWAY, back), back);
    } else {
        add_looking(g, "camera", "\"camera\":0", cri_mad(center, FAR_ENOUGH * radius, view), view);
    }
}

static void add_studio(glb *g, cri_bounds bounds)
{
    cr_vec3 center = cri_scale(0.5, cri_add(bounds.low, bounds.high));
    cr_vec3 half = cri_scale(0.5, cri_sub(bounds.high, bounds.low));
    double radius = fmax(sqrt(cri_dot(half, half)), 1e-3);
    cr_vec3 sun = {-0.665, -0.111, 0.739}; // as the page is lit
    add_camera(g, center, radius);
    add_looking(g, "sun", "\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}",
                cri_mad(center, 2 * radius, sun), sun);
    cri_text_add(&g->studio,
                 ",\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":%.9g,"
                 "\"aspectRatio\":1.7777778,\"znear\":%.9g,\"zfar\":%.9g}}],"
                 "\"extensionsUsed\":[\"KHR_lights_punctual\"],\"extensions\":{"
                 "\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"directional\",\"name\":\"sun\","
                 "\"color\":[1,0.97,0.92],\"intensity\":%d}]}}",
                 FIELD, fmin(radius / 100, 1), radius * 20, SUN);
}

// ---------------------------------------------------------------------------------------------
// The animation.

static int add_times(glb *g, int count)
{
    size_t start = g->numbers.length;
    for (int f = 0; f < count; f++) {
        put_float(&g->numbers, f * g->playback->frame_seconds);
    }
    char limits[64];
    float last = (float)((count - 1) * g->playback->frame_seconds);
    cri_format(limits, sizeof limits, ",\"min\":[0],\"max\":[%.9g]", (double)last);
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, count, "SCALAR", limits});
}

// A rope whose ends are so much farther apart than it is long is broken.
#define ROPE_STRETCH 1.05

static void put_vector(cri_text *numbers, cr_vec3 v)
{
    put_float(numbers, v.x);
    put_float(numbers, v.y);
    put_float(numbers, v.z);
}

static int add_translations(glb *g, const cr_playback_body *body)
{
    const cr_playback_world *world = &g->playback->worlds[0];
    size_t start = g->numbers.length;
    for (int f = 0; f < world->frame_count; f++) {
        put_vector(&g->numbers, turn(cri_playback_pose(g->playback, body, world, f).position));
    }
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, world->frame_count, "VEC3", ""});
}

// Programs that blend the four numbers one by one need the sign that continues the last frame.
static int add_rotations(glb *g, const cr_playback_body *body)
{
    const cr_playback_world *world = &g->playback->worlds[0];
    size_t start = g->numbers.length;
    cr_quat last = {0, 0, 0, 0};
    for (int f = 0; f < world->frame_count; f++) {
        cr_quat q = turn_rotation(cri_playback_pose(g->playback, body, world, f).rotation);
        if (q.x * last.x + q.y * last.y + q.z * last.z + q.w * last.w < 0) {
            q = (cr_quat){-q.x, -q.y, -q.z, -q.w};
        }
        put_float(&g->numbers, q.x);
        put_float(&g->numbers, q.y);
        put_float(&g->numbers, q.z);
        put_float(&g->numbers, q.w);
        last = q;
    }
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, world->frame_count, "VEC4", ""});
}

static void add_channel(glb *g, int times, int values, int node, const char *path)
{
    cri_text_add(&g->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                 g->sampler_count ? "," : "", g->sampler_count, node, path);
    begin(&g->samplers, &g->sampler_count);
    cri_text_add(&g->samplers, "{\"input\":%d,\"output\":%d}", times, values);
}

// Where an end of a rope is.
static cr_vec3 rope_end(const glb *g, int body, cr_vec3 at, int frame)
{
    if (body < 0) {
        return at;
    }
    const cr_playback *p = g->playback;
    return cri_pose_point(cri_playback_pose(p, &p->bodies[body], &p->worlds[0], frame), at);
}

// The pose of a cylinder of unit length that stands for a rope in a frame, and how long it is; 0:
// the rope is broken.
static double rope_pose(const glb *g, const cr_mark *rope, int frame, cr_pose *pose)
{
    cr_vec3 a = rope_end(g, rope->body, rope->points[0], frame);
    cr_vec3 b = rope_end(g, rope->other, rope->points[1], frame);
    double length = cri_length(cri_sub(b, a));
    cr_vec3 d = length > 0 ? cri_scale(1 / length, cri_sub(b, a)) : cri_vec3(0, 0, 1);
    bool down = d.z < -0.999999;
    pose->position = cri_scale(0.5, cri_add(a, b));
    pose->rotation = cri_quat_unit(down ? (cr_quat){1, 0, 0, 0} : (cr_quat){-d.y, d.x, 0, 1 + d.z});
    return length > rope->size.x * ROPE_STRETCH ? 0 : length;
}

static int add_rope_places(glb *g, const cr_mark *rope)
{
    int frames = g->playback->worlds[0].frame_count;
    size_t start = g->numbers.length;
    for (int f = 0; f < frames; f++) {
        cr_pose pose;
        rope_pose(g, rope, f, &pose);
        put_vector(&g->numbers, turn(pose.position));
    }
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, frames, "VEC3", ""});
}

static int add_rope_turns(glb *g, const cr_mark *rope)
{
    int frames = g->playback->worlds[0].frame_count;
    size_t start = g->numbers.length;
    for (int f = 0; f < frames; f++) {
        cr_pose pose;
        rope_pose(g, rope, f, &pose);
        cr_quat q = turn_rotation(pose.rotation);
        put_vector(&g->numbers, cri_vec3(q.x, q.y, q.z));
        put_float(&g->numbers, q.w);
    }
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, frames, "VEC4", ""});
}

static int add_rope_sizes(glb *g, const cr_mark *rope)
{
    int frames = g->playback->worlds[0].frame_count;
    size_t start = g->numbers.length;
    for (int f = 0; f < frames; f++) {
        cr_pose pose;
        double length = rope_pose(g, rope, f, &pose), wide = length > 0 ? 1 : 0;
        put_vector(&g->numbers, cri_vec3(wide, length, wide)); // y is up
    }
    return add_accessor(g, (run){start, FLOAT, NO_TARGET, frames, "VEC3", ""});
}

// A node that is moved, turned and stretched.
static void add_rope(glb *g, const cr_mark *rope, int times)
{
    cri_mesh mesh = {0};
    cr_part part = {
        .shape = {.kind = CR_SHAPE_CYLINDER, .radius = rope->width / 2, .half = {0, 0, 0.5}},
        .pose = {.rotation = {0, 0, 0, 1}}};
    cr_pose pose;
    cri_mesh_add_part(&mesh, &part, 0);
    look made = add_mesh(g, &mesh);
    begin(&g->meshes, &g->mesh_count);
    cri_text_add(&g->meshes,
                 "{\"name\":\"rope\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
                 "\"NORMAL\":%d},\"indices\":%d,\"material\":%d}]}",
                 made.place, made.normal, made.index, add_material(g, rope->color));
    rope_pose(g, rope, 0, &pose);
    add_node(g, "rope", g->mesh_count - 1, pose);
    int node = g->node_count - 1;
    add_channel(g, times, add_rope_places(g, rope), node, "translation");
    add_channel(g, times, add_rope_turns(g, rope), node, "rotation");
    add_channel(g, times, add_rope_sizes(g, rope), node, "scale");
}

static void add_ropes(glb *g, int times)
{
    for (int i = 0; i < g->playback->decor.mark_count; i++) {
        const cr_mark *mark = &g->playback->decor.marks[i];
        if (mark->kind == CR_MARK_ROPE && mark->width > 0) {
            add_rope(g, mark, times);
        }
    }
}

static void add_animation(glb *g)
{
    if (g->playback->track_count < 1) {
        return;
    }
    int times = add_times(g, g->playback->worlds[0].frame_count);
    for (int b = 0; b < g->playback->body_count; b++) {
        const cr_playback_body *body = &g->playback->bodies[b];
        if (body->moving) {
            add_channel(g, times, add_translations(g, body), b, "translation");
            add_channel(g, times, add_rotations(g, body), b, "rotation");
        }
    }
    add_ropes(g, times);
}

// ---------------------------------------------------------------------------------------------
// Putting it together.

// glTF forbids empty lists: a list that holds nothing is left out.
static void add_list(cri_text *json, const char *name, const cri_text *list)
{
    if (list->length > 0) {
        cri_text_add(json, ",\"%s\":[", name);
        cri_text_add_bytes(json, list->data, list->length);
        cri_text_add(json, "]");
    }
}

static void describe_scene(const glb *g, cri_text *json)
{
    cri_text_add(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"carom %d.%d.%d\"}",
                 CR_VERSION_MAJOR, CR_VERSION_MINOR, CR_VERSION_PATCH);
    cri_text_add(json, ",\"scene\":0,\"scenes\":[{\"name\":");
    cri_text_add_name(json, CRI_NAME_JSON, g->playback->title);
    for (int n = 0; n < g->node_count; n++) {
        cri_text_add(json, n ? ",%d" : ",\"nodes\":[%d", n);
    }
    cri_text_add(json, g->node_count ? "]}]" : "}]");
}

static void describe(const glb *g, cri_text *json)
{
    describe_scene(g, json);
    add_list(json, "nodes", &g->nodes);
    add_list(json, "meshes", &g->meshes);
    add_list(json, "materials", &g->materials);
    add_list(json, "accessors", &g->accessors);
    add_list(json, "bufferViews", &g->views);
    cri_text_add_bytes(json, g->studio.data, g->studio.length);
    if (g->sampler_count > 0) {
        cri_text_add(json, ",\"animations\":[{\"name\":");
        cri_text_add_name(json, CRI_NAME_JSON, g->playback->worlds[0].title);
        add_list(json, "samplers", &g->samplers);
        add_list(json, "channels", &g->channels);
        cri_text_add(json, "}]");
    }
    if (g->numbers.length > 0) {
        cri_text_add(json, ",\"buffers\":[{\"byteLength\":%zu}]", g->numbers.length);
    }
    cri_text_add(json, "}");
    while (json->length % 4 && !json->failed) {
        cri_text_add(json, " ");
    }
}

static cr_status put_chunks(const cri_text *json, const cri_text *numbers, cri_text *out,
                            cr_report *report)
{
    size_t chunks = numbers->length > 0 ? 2 : 1;
    size_t length = 12 + 8 * chunks + json->length + numbers->length;
    if (length > UINT32_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a .glb may have at most %u bytes, this one would have %zu", UINT32_MAX,
                        length);
    }
    cri_text_add_bytes(out, "glTF", 4);
    cri_text_add_u32(out, 2);
    cri_text_add_u32(out, (uint32_t)length);
    cri_text_add_u32(out, (uint32_t)json->length);
    cri_text_add_bytes(out, "JSON", 4);
    cri_text_add_bytes(out, json->data, json->length);
    if (chunks == 2) {
        cri_text_add_u32(out, (uint32_t)numbers->length);
        cri_text_add_bytes(out, "BIN\0", 4);
        cri_text_add_bytes(out, numbers->data, numbers->length);
    }
    return CR_OK;
}

static bool failed(const glb *g, const cri_text *json)
{
    return g->views.failed || g->accessors.failed || g->materials.failed || g->meshes.failed ||
           g->nodes.failed || g->samplers.failed || g->channels.failed || g->numbers.failed ||
           g->studio.failed || json->failed;
}

static void free_lists(glb *g)
{
    cri_text *lists[] = {&g->views,    &g->accessors, &g->materials, &g->meshes, &g->nodes,
                         &g->samplers, &g->channels,  &g->numbers,   &g->studio};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        cri_text_free(lists[i]);
    }
}

cr_status cri_write_glb(const cr_playback *playback, cri_text *out, cr_report *report)
{
    glb g = {.playback = playback, .plane_half = cri_plane_half(cri_playback_bounds(playback, 1))};
    add_bodies(&g);
    add_lines(&g);
    add_roads(&g);
    add_studio(&g, cri_playback_bounds(playback, 1));
    add_animation(&g);
    cri_text json = {0};
    describe(&g, &json);
    cr_status status =
        failed(&g, &json) ? cri_fail_memory(report) : put_chunks(&json, &g.numbers, out, report);
    cri_text_free(&json);
    free_lists(&g);
    return status;
}
