#include "export/mesh.h"

#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"

#define AROUND 32 // corners around a sphere or cylinder
#define RINGS  16 // of a sphere, pole to pole

static int larger(int capacity, int need)
{
    return need > 2 * capacity ? need : 2 * capacity;
}

static void grow_corners(cri_mesh *mesh, int need)
{
    int capacity = larger(mesh->corner_capacity, need);
    cr_vec3 *corners = realloc(mesh->corners, (size_t)capacity * sizeof *corners);
    mesh->corners = corners ? corners : mesh->corners;
    cr_vec3 *normals = realloc(mesh->normals, (size_t)capacity * sizeof *normals);
    mesh->normals = normals ? normals : mesh->normals;
    mesh->failed = mesh->failed || !corners || !normals;
    mesh->corner_capacity = mesh->failed ? mesh->corner_capacity : capacity;
}

static void grow_indices(cri_mesh *mesh, int need)
{
    int capacity = larger(mesh->index_capacity, need);
    uint32_t *indices = realloc(mesh->indices, (size_t)capacity * sizeof *indices);
    mesh->indices = indices ? indices : mesh->indices;
    mesh->failed = mesh->failed || !indices;
    mesh->index_capacity = indices ? capacity : mesh->index_capacity;
}

// Room for more corners and indices; false, and nothing is to be added, once memory ran out.
static bool reserve(cri_mesh *mesh, int corners, int indices)
{
    if (mesh->corner_count + corners > mesh->corner_capacity) {
        grow_corners(mesh, mesh->corner_count + corners);
    }
    if (mesh->index_count + indices > mesh->index_capacity) {
        grow_indices(mesh, mesh->index_count + indices);
    }
    return !mesh->failed;
}

static void add_corner(cri_mesh *mesh, cr_pose pose, cr_vec3 corner, cr_vec3 normal)
{
    mesh->corners[mesh->corner_count] = cri_pose_point(pose, corner);
    mesh->normals[mesh->corner_count++] = cri_unit(cri_rotate(pose.rotation, normal), normal);
}

static void add_triangle(cri_mesh *mesh, int a, int b, int c)
{
    mesh->indices[mesh->index_count++] = (uint32_t)a;
    mesh->indices[mesh->index_count++] = (uint32_t)b;
    mesh->indices[mesh->index_count++] = (uint32_t)c;
}

static void add_quad(cri_mesh *mesh, int a, int b, int c, int d)
{
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, a, c, d);
}

static void add_plane(cri_mesh *mesh, cr_pose pose, double half)
{
    if (!reserve(mesh, 4, 6)) {
        return;
    }
    int first = mesh->corner_count;
    cr_vec3 up = {0, 0, 1};
    add_corner(mesh, pose, cri_vec3(-half, -half, 0), up);
    add_corner(mesh, pose, cri_vec3(half, -half, 0), up);
    add_corner(mesh, pose, cri_vec3(half, half, 0), up);
    add_corner(mesh, pose, cri_vec3(-half, half, 0), up);
    add_quad(mesh, first, first + 1, first + 2, first + 3);
}

// A sphere whose upper half is moved up by `half`, and the lower one down: a capsule. The equator
// is there twice, and between the two is the straight part.
static void add_capsule(cri_mesh *mesh, cr_pose pose, double radius, double half)
{
    if (!reserve(mesh, (RINGS + 2) * (AROUND + 1), (RINGS + 1) * AROUND * 6)) {
        return;
    }
    int first = mesh->corner_count, row = AROUND + 1;
    for (int ring = 0; ring <= RINGS + 1; ring++) {
        bool upper = ring <= RINGS / 2;
        double polar = CRI_PI * (upper ? ring : ring - 1) / RINGS;
        for (int i = 0; i <= AROUND; i++) {
            double angle = 2 * CRI_PI * i / AROUND;
            cr_vec3 normal = {cri_sin(polar) * cri_cos(angle), cri_sin(polar) * cri_sin(angle),
                              cri_cos(polar)};
            cr_vec3 corner = cri_scale(radius, normal);
            corner.z += upper ? half : -half;
            add_corner(mesh, pose, corner, normal);
        }
    }
    for (int ring = 0; ring <= RINGS; ring++) {
        for (int i = 0; i < AROUND; i++) {
            int a = first + ring * row + i;
            if (ring > 0) {
                add_triangle(mesh, a, a + row, a + 1);
            }
            if (ring < RINGS) {
                add_triangle(mesh, a + 1, a + row, a + row + 1);
            }
        }
    }
}

static void add_hull(cri_mesh *mesh, cr_pose pose, const cr_hull *hull)
{
    const cr_hull_face *last = &hull->faces[hull->face_count - 1];
    int corners = last->first + last->count;
    if (!reserve(mesh, corners, 3 * (corners - 2 * hull->face_count))) {
        return;
    }
    for (int f = 0; f < hull->face_count; f++) {
        const cr_hull_face *face = &hull->faces[f];
        int first = mesh->corner_count;
        for (int i = 0; i < face->count; i++) {
            add_corner(mesh, pose, hull->corners[hull->ring[face->first + i]], face->normal);
        }
        for (int i = 1; i + 1 < face->count; i++) {
            add_triangle(mesh, first, first + i, first + i + 1);
        }
    }
}

static void add_sphere(cri_mesh *mesh, cr_pose pose, double radius)
{
    if (!reserve(mesh, (RINGS + 1) * (AROUND + 1), RINGS * AROUND * 6)) {
        return;
    }
    int first = mesh->corner_count;
    for (int ring = 0; ring <= RINGS; ring++) {
        double polar = CRI_PI * ring / RINGS;
        for (int i = 0; i <= AROUND; i++) {
            double angle = 2 * CRI_PI * i / AROUND;
            cr_vec3 normal = {cri_sin(polar) * cri_cos(angle), cri_sin(polar) * cri_sin(angle),
                              cri_cos(polar)};
            add_corner(mesh, pose, cri_scale(radius, normal), normal);
        }
    }
    int row = AROUND + 1;
    for (int ring = 0; ring < RINGS; ring++) {
        for (int i = 0; i < AROUND; i++) {
            int a = first + ring * row + i;
            // At the poles one of the two triangles has no area.
            if (ring > 0) {
                add_triangle(mesh, a, a + row, a + 1);
            }
            if (ring < RINGS - 1) {
                add_triangle(mesh, a + 1, a + row, a + row + 1);
            }
        }
    }
}

// An outline pulled up and down: sides with a normal at each corner, and two lids.
typedef struct outline {
    int count;
    cr_vec2 points[CR_PRISM_MAX_POINTS > AROUND ? CR_PRISM_MAX_POINTS : AROUND];
    double half;
    bool round; // normals point away from the axis, not from the side's middle
} outline;

static cr_vec3 side_normal(const outline *o, int side, int corner)
{
    cr_vec2 a = o->points[side % o->count], b = o->points[(side + 1) % o->count];
    cr_vec2 at = o->points[corner % o->count];
    cr_vec3 flat = {b.y - a.y, a.x - b.x, 0};
    return cri_unit(o->round ? cri_vec3(at.x, at.y, 0) : flat, cri_vec3(1, 0, 0));
}

static void add_sides(cri_mesh *mesh, cr_pose pose, const outline *o)
{
    for (int side = 0; side < o->count; side++) {
        int first = mesh->corner_count;
        for (int end = 0; end < 2; end++) {
            cr_vec2 at = o->points[(side + end) % o->count];
            cr_vec3 normal = side_normal(o, side, side + end);
            add_corner(mesh, pose, cri_vec3(at.x, at.y, -o->half), normal);
            add_corner(mesh, pose, cri_vec3(at.x, at.y, o->half), normal);
        }
        add_quad(mesh, first, first + 2, first + 3, first + 1);
    }
}

static void add_lid(cri_mesh *mesh, cr_pose pose, const outline *o, double sign)
{
    int first = mesh->corner_count;
    for (int i = 0; i < o->count; i++) {
        cr_vec2 at = o->points[sign > 0 ? i : o->count - 1 - i];
        add_corner(mesh, pose, cri_vec3(at.x, at.y, sign * o->half), cri_vec3(0, 0, sign));
    }
    for (int i = 1; i + 1 < o->count; i++) {
        add_triangle(mesh, first, first + i, first + i + 1);
    }
}

static void add_outline(cri_mesh *mesh, cr_pose pose, const outline *o)
{
    if (reserve(mesh, o->count * 6, o->count * 12)) {
        add_sides(mesh, pose, o);
        add_lid(mesh, pose, o, 1);
        add_lid(mesh, pose, o, -1);
    }
}

static outline make_outline(const cr_shape *shape)
{
    outline o = {.half = shape->half.z, .round = shape->kind == CR_SHAPE_CYLINDER};
    if (shape->kind == CR_SHAPE_CYLINDER) {
        o.count = AROUND;
        for (int i = 0; i < AROUND; i++) {
            double angle = 2 * CRI_PI * i / AROUND;
            o.points[i] = (cr_vec2){shape->radius * cri_cos(angle), shape->radius * cri_sin(angle)};
        }
    } else if (shape->kind == CR_SHAPE_BOX) {
        cr_vec3 h = shape->half;
        o.count = 4;
        o.points[0] = (cr_vec2){-h.x, -h.y};
        o.points[1] = (cr_vec2){h.x, -h.y};
        o.points[2] = (cr_vec2){h.x, h.y};
        o.points[3] = (cr_vec2){-h.x, h.y};
    } else {
        o.count = shape->point_count;
        for (int i = 0; i < shape->point_count; i++) {
            o.points[i] = shape->points[i];
        }
    }
    return o;
}

void cri_mesh_add_part(cri_mesh *mesh, const cr_part *part, double plane_half)
{
    outline o;
    switch (part->shape.kind) {
    case CR_SHAPE_PLANE:
        add_plane(mesh, part->pose, plane_half);
        break;
    case CR_SHAPE_SPHERE:
        add_sphere(mesh, part->pose, part->shape.radius);
        break;
    case CR_SHAPE_CAPSULE:
        add_capsule(mesh, part->pose, part->shape.radius, part->shape.half.z);
        break;
    case CR_SHAPE_HULL:
        add_hull(mesh, part->pose, part->shape.hull);
        break;
    case CR_SHAPE_BOX:
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_PRISM:
        o = make_outline(&part->shape);
        add_outline(mesh, part->pose, &o);
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// Cars. A profile, seen from the left and in shares of the half size, is pulled to both sides.

typedef struct profile {
    cri_car_piece piece;
    double width; // share of the half width
    int count;
    cr_vec2 points[8]; // forward and up, convex, counter-clockwise
} profile;

static const profile profiles[] = {
    {CRI_CAR_PAINT,
     0.94,
     8,
     {{-0.85, -0.68},
      {0.8, -0.68},
      {0.98, -0.5},
      {0.97, -0.16},
      {0.8, 0.02},
      {0.3, 0.16},
      {-0.9, 0.16},
      {-0.98, -0.45}}},
    {CRI_CAR_PAINT, 0.7, 4, {{-0.46, 0.8}, {0.06, 0.8}, {-0.02, 0.92}, {-0.4, 0.92}}},
    {CRI_CAR_PAINT, 0.85, 4, {{-0.98, 0.4}, {-0.82, 0.4}, {-0.82, 0.46}, {-0.98, 0.46}}},
    {CRI_CAR_DARK, 0.76, 4, {{-0.74, 0.16}, {0.42, 0.16}, {0.02, 0.82}, {-0.46, 0.82}}},
};

// About x, so that what was up in the outline is up, and its depth goes to the side.
static const cr_quat on_edge = {0.70710678118654752, 0, 0, 0.70710678118654752};

static void add_profile(cri_mesh *mesh, const profile *p, cr_vec3 half)
{
    outline o = {.count = p->count, .half = p->width * half.y};
    for (int i = 0; i < p->count; i++) {
        o.points[i] = (cr_vec2){half.x * p->points[i].x, half.z * p->points[i].y};
    }
    add_outline(mesh, (cr_pose){{0, 0, 0}, on_edge}, &o);
}

static void add_wheels(cri_mesh *mesh, cr_vec3 half)
{
    cr_part wheel = {
        .shape = {.kind = CR_SHAPE_CYLINDER, .radius = 0.44 * half.z, .half.z = 0.14 * half.y},
        .pose.rotation = on_edge};
    for (int i = 0; i < 4; i++) {
        wheel.pose.position = cri_vec3((i < 2 ? 0.6 : -0.62) * half.x,
                                       (i % 2 ? 0.84 : -0.84) * half.y, -0.56 * half.z);
        cri_mesh_add_part(mesh, &wheel, 0);
    }
}

void cri_mesh_add_car(cri_mesh *mesh, cr_vec3 half, cri_car_piece piece)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        if (profiles[i].piece == piece) {
            add_profile(mesh, &profiles[i], half);
        }
    }
    if (piece == CRI_CAR_DARK) {
        add_wheels(mesh, half);
    }
}

void cri_mesh_free(cri_mesh *mesh)
{
    free(mesh->corners);
    free(mesh->normals);
    free(mesh->indices);
    *mesh = (cri_mesh){0};
}
