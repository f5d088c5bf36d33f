// Convex hulls: points are added one after the other, always the one that is farthest out of what
// there is (quickhull; Barber, Dobkin and Huhdanpaa 1996), until none is left or there are enough.
//
//        p  farthest from its triangle          each point outside knows one triangle that it is
//       . .                                     in front of. The triangles that p sees go, and
//      .   .   horizon: the border of what      their points look for a new one among the
//     +-----+  p sees; a new triangle joins     triangles of the horizon alone: a point that saw
//     |     |  p and each of its edges          what p sees and is still outside sees one of these
//
// Then triangles in one plane are joined to faces. What is nearly flat counts as flat: corners of
// files are rounded.
#include "geom/hull.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geom/shape.h"

// Against the size of the whole: a point is outside of a triangle that it is farther away from;
// with less than that in front of it, it sees it. A face holds what is nearer to its plane.
static const double OUTSIDE = 2e-6, SEEN = -1e-9, IN_PLANE = 8e-6, FLAT = 1e-5;
// Nothing smaller is told from a point.
static const double LEAST = 1e-4; // m

enum { CORNERS = CR_HULL_MAX_CORNERS, SLOTS = 2 * CR_HULL_MAX_FACES, INSIDE = UINT8_MAX };

typedef struct triangle {
    int corners[3]; // counter-clockwise seen from outside
    cr_vec3 normal;
    double offset, area;
    bool used, seen;
    int face; // that it is joined to, or -1
} triangle;

typedef struct builder {
    const cr_vec3 *points;
    size_t count;
    double size;
    int corner_count;
    cr_vec3 corners[CORNERS];
    triangle triangles[SLOTS];
    int16_t beyond[CORNERS][CORNERS]; // the triangle with an edge from one corner to another
    uint8_t *seen;                    // by point: a triangle that it is outside of, or INSIDE
    double *far;                      // by point: how far
} builder;

// ---------------------------------------------------------------------------------------------
// Triangles.

static int add_triangle(builder *b, int i, int j, int k)
{
    int slot = 0;
    while (b->triangles[slot].used) {
        slot++;
    }
    cr_vec3 p = b->corners[i];
    cr_vec3 n = cri_cross(cri_sub(b->corners[j], p), cri_sub(b->corners[k], p));
    triangle *t = &b->triangles[slot];
    *t = (triangle){{i, j, k}, cri_unit(n, cri_vec3(0, 0, 1)), 0, cri_length(n), true, false, -1};
    t->offset = cri_dot(t->normal, p);
    b->beyond[i][j] = b->beyond[j][k] = b->beyond[k][i] = (int16_t)slot;
    return slot;
}

static double in_front(const triangle *t, cr_vec3 p)
{
    return cri_dot(t->normal, p) - t->offset;
}

// The triangle of a list that a point is farthest outside of.
static void look_outside(builder *b, size_t point, const int *slots, int count)
{
    b->seen[point] = INSIDE;
    b->far[point] = OUTSIDE * b->size;
    for (int i = 0; i < count; i++) {
        double d = in_front(&b->triangles[slots[i]], b->points[point]);
        if (d > b->far[point]) {
            b->far[point] = d;
            b->seen[point] = (uint8_t)slots[i];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The first four corners.

static double from_line(cr_vec3 p, cr_vec3 a, cr_vec3 b)
{
    return cri_length(cri_cross(cri_sub(p, a), cri_unit(cri_sub(b, a), cri_vec3(1, 0, 0))));
}

// The point that is farthest from the corners so far: one, two or three.
static size_t farthest(const builder *b, double *distance)
{
    const cr_vec3 *c = b->corners;
    size_t best = 0;
    *distance = -1;
    cr_vec3 n = cri_cross(cri_sub(c[1], c[0]), cri_sub(c[2], c[0]));
    n = cri_unit(n, cri_vec3(0, 0, 1));
    for (size_t i = 0; i < b->count; i++) {
        cr_vec3 p = b->points[i];
        double d = b->corner_count == 1   ? cri_length(cri_sub(p, c[0]))
                   : b->corner_count == 2 ? from_line(p, c[0], c[1])
                                          : fabs(cri_dot(n, cri_sub(p, c[0])));
        if (d > *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

static bool begin(builder *b)
{
    double d;
    b->corners[b->corner_count++] = b->points[0];
    b->corners[0] = b->points[farthest(b, &d)];
    while (b->corner_count < 4) {
        b->corners[b->corner_count] = b->points[farthest(b, &d)];
        b->size = b->corner_count == 1 ? d : b->size;
        if (!(d > FLAT * b->size) || !(d > (b->corner_count == 1 ? LEAST : FLAT * LEAST))) {
            return false;
        }
        b->corner_count++;
    }
    const cr_vec3 *c = b->corners;
    cr_vec3 n = cri_cross(cri_sub(c[1], c[0]), cri_sub(c[2], c[0]));
    bool above = cri_dot(n, cri_sub(c[3], c[0])) > 0;
    int j = above ? 2 : 1, k = above ? 1 : 2;
    const int slots[4] = {add_triangle(b, 0, j, k), add_triangle(b, 0, 3, j),
                          add_triangle(b, j, 3, k), add_triangle(b, k, 3, 0)};
    for (size_t i = 0; i < b->count; i++) {
        look_outside(b, i, slots, 4);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// One more.

// All that a corner sees, from one triangle on: what hangs together.
static int mark_seen(builder *b, int slot, cr_vec3 p, int *list)
{
    int count = 0;
    list[count++] = slot;
    b->triangles[slot].seen = true;
    for (int i = 0; i < count; i++) {
        const int *c = b->triangles[list[i]].corners;
        for (int k = 0; k < 3; k++) {
            int next = b->beyond[c[(k + 1) % 3]][c[k]];
            triangle *t = &b->triangles[next];
            if (!t->seen && in_front(t, p) > SEEN * b->size) {
                t->seen = true;
                list[count++] = next;
            }
        }
    }
    return count;
}

// The triangles between a corner and the horizon.
static int join_horizon(builder *b, int corner, const int *seen, int count, int *made)
{
    int from[SLOTS], to[SLOTS], edges = 0;
    for (int i = 0; i < count; i++) {
        const int *c = b->triangles[seen[i]].corners;
        for (int k = 0; k < 3; k++) {
            if (!b->triangles[b->beyond[c[(k + 1) % 3]][c[k]]].seen) {
                from[edges] = c[k];
                to[edges++] = c[(k + 1) % 3];
            }
        }
    }
    for (int i = 0; i < count; i++) {
        b->triangles[seen[i]].used = false;
    }
    for (int i = 0; i < edges; i++) {
        made[i] = add_triangle(b, from[i], to[i], corner);
    }
    return edges;
}

static void add_corner(builder *b, size_t point)
{
    int seen[SLOTS], made[SLOTS];
    bool gone[SLOTS] = {false};
    int corner = b->corner_count++;
    b->corners[corner] = b->points[point];
    int count = mark_seen(b, b->seen[point], b->points[point], seen);
    int edges = join_horizon(b, corner, seen, count, made);
    for (int i = 0; i < count; i++) {
        gone[seen[i]] = true;
    }
    for (size_t i = 0; i < b->count; i++) {
        if (b->seen[i] != INSIDE && gone[b->seen[i]]) {
            look_outside(b, i, made, edges);
        }
    }
    b->seen[point] = INSIDE;
}

static void grow(builder *b)
{
    while (b->corner_count < CORNERS) {
        size_t best = b->count;
        for (size_t i = 0; i < b->count; i++) {
            if (b->seen[i] != INSIDE && (best == b->count || b->far[i] > b->far[best])) {
                best = i;
            }
        }
        if (best == b->count) {
            return;
        }
        add_corner(b, best);
    }
}

// ---------------------------------------------------------------------------------------------
// Faces.

static int largest_left(const builder *b)
{
    int best = -1;
    for (int i = 0; i < SLOTS; i++) {
        const triangle *t = &b->triangles[i];
        if (t->used && t->face < 0 && (best < 0 || t->area > b->triangles[best].area)) {
            best = i;
        }
    }
    return best;
}

static bool in_plane(const builder *b, const triangle *of, const triangle *t)
{
    bool flat = cri_dot(of->normal, t->normal) > 0;
    for (int k = 0; k < 3; k++) {
        flat = flat && fabs(in_front(of, b->corners[t->corners[k]])) < IN_PLANE * b->size;
    }
    return flat;
}

// All triangles that hang together with one and lie in its plane are one face.
static void join_plane(builder *b, int seed, int face)
{
    int list[SLOTS], count = 0;
    list[count++] = seed;
    b->triangles[seed].face = face;
    for (int i = 0; i < count; i++) {
        const int *c = b->triangles[list[i]].corners;
        for (int k = 0; k < 3; k++) {
            int next = b->beyond[c[(k + 1) % 3]][c[k]];
            triangle *t = &b->triangles[next];
            if (t->face < 0 && in_plane(b, &b->triangles[seed], t)) {
                t->face = face;
                list[count++] = next;
            }
        }
    }
}

// The border of a face, from corner to corner. Returns how many.
static int walk_round(const builder *b, int face, int *ring)
{
    int next[CORNERS], first = -1, count = 0;
    for (int i = 0; i < SLOTS; i++) {
        const triangle *t = &b->triangles[i];
        for (int k = 0; t->used && t->face == face && k < 3; k++) {
            int from = t->corners[k], to = t->corners[(k + 1) % 3];
            if (b->triangles[b->beyond[to][from]].face != face) {
                next[from] = to;
                first = first < 0 ? from : first;
            }
        }
    }
    for (int at = first; count < CORNERS && (count == 0 || at != first); at = next[at]) {
        ring[count++] = at;
    }
    return count;
}

// Twice the area as a vector: Newell's sum.
static cr_vec3 ring_normal(const cr_vec3 *corners, const int *ring, int count)
{
    cr_vec3 sum = {0, 0, 0}, o = corners[ring[0]];
    for (int i = 1; i + 1 < count; i++) {
        sum =
            cri_add(sum, cri_cross(cri_sub(corners[ring[i]], o), cri_sub(corners[ring[i + 1]], o)));
    }
    return sum;
}

static void set_offsets(cr_hull *hull)
{
    for (int f = 0; f < hull->face_count; f++) {
        cr_hull_face *face = &hull->faces[f];
        face->offset = -HUGE_VAL;
        for (int i = 0; i < hull->corner_count; i++) {
            face->offset = fmax(face->offset, cri_dot(face->normal, hull->corners[i]));
        }
    }
}

// Corners inside of a face are left out.
static void write(builder *b, cr_hull *hull)
{
    int index[CORNERS], used = 0;
    memset(hull, 0, sizeof *hull);
    for (int i = 0; i < CORNERS; i++) {
        index[i] = -1;
    }
    for (int seed = largest_left(b); seed >= 0; seed = largest_left(b)) {
        int ring[CORNERS];
        join_plane(b, seed, hull->face_count);
        int count = walk_round(b, hull->face_count, ring);
        cr_hull_face *face = &hull->faces[hull->face_count++];
        cr_vec3 n = ring_normal(b->corners, ring, count);
        *face = (cr_hull_face){cri_unit(n, b->triangles[seed].normal), 0, used, count};
        for (int i = 0; i < count; i++) {
            int c = ring[i];
            if (index[c] < 0) {
                index[c] = hull->corner_count;
                hull->corners[hull->corner_count++] = b->corners[c];
            }
            hull->ring[used++] = index[c];
        }
    }
    set_offsets(hull);
}

static bool has_volume(const cr_hull *hull)
{
    cri_mass m = cri_hull_mass(hull);
    return hull->corner_count >= 4 && hull->face_count >= 4 && m.volume > 0 &&
           isfinite(m.inertia.x);
}

// Whether rounding has left a solid that holds its points. Sizes that differ by more than doubles
// resolve do not.
static bool is_sound(const cr_vec3 *points, size_t count, const cr_hull *hull)
{
    cr_hull settled = *hull;
    double size = 0, out = 0;
    for (size_t i = 0; i < count; i++) {
        size = fmax(size, cri_length(cri_sub(points[i], points[0])));
        out = fmax(out, cri_hull_nearest(hull, points[i]).distance);
    }
    bool whole = hull->corner_count < CR_HULL_MAX_CORNERS / 2;
    cri_hull_settle(&settled); // far from its middle it may be flat but for rounding
    return has_volume(hull) && has_volume(&settled) && isfinite(size) &&
           !(whole && out > 1e-5 * size);
}

cr_status cri_hull_make(const cr_vec3 *points, size_t count, cr_hull *hull)
{
    builder *b = calloc(1, sizeof *b);
    uint8_t *seen = malloc(count + 1);
    double *far = malloc((count + 1) * sizeof *far);
    cr_status status = b && seen && far ? CR_OK : CR_ERR_MEMORY;
    if (status == CR_OK) {
        b->points = points, b->count = count, b->seen = seen, b->far = far;
        status = count >= 4 && begin(b) ? CR_OK : CR_ERR_RANGE;
    }
    if (status == CR_OK) {
        grow(b);
        write(b, hull);
        status = is_sound(points, count, hull) ? CR_OK : CR_ERR_RANGE;
    }
    free(far);
    free(seen);
    free(b);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Shapes.

cr_vec3 cri_hull_half(const cr_hull *hull)
{
    cr_vec3 half = {0, 0, 0};
    for (int i = 0; i < hull->corner_count; i++) {
        cr_vec3 p = hull->corners[i];
        half = cri_vec3(fmax(half.x, fabs(p.x)), fmax(half.y, fabs(p.y)), fmax(half.z, fabs(p.z)));
    }
    return half;
}

cr_shape cri_hull_shape(const cr_hull *hull)
{
    return (cr_shape){.kind = CR_SHAPE_HULL, .half = cri_hull_half(hull), .hull = hull};
}

// Corner i of the outline is corner i at the bottom and count + i at the top; the sides come first.
static void draw_out(const cr_vec2 *points, int count, double half, cr_hull *hull)
{
    int used = 0;
    hull->corner_count = 2 * count;
    hull->face_count = count + 2;
    for (int i = 0; i < count; i++) {
        int next = i + 1 < count ? i + 1 : 0;
        double x = points[next].x - points[i].x, y = points[next].y - points[i].y;
        cr_vec3 out = cri_scale(1 / sqrt(x * x + y * y), cri_vec3(y, -x, 0));
        hull->corners[i] = cri_vec3(points[i].x, points[i].y, -half);
        hull->corners[count + i] = cri_vec3(points[i].x, points[i].y, half);
        hull->faces[i] = (cr_hull_face){out, cri_dot(out, hull->corners[i]), used, 4};
        hull->ring[used++] = i, hull->ring[used++] = next;
        hull->ring[used++] = count + next, hull->ring[used++] = count + i;
    }
    hull->faces[count] = (cr_hull_face){{0, 0, 1}, half, used, count};
    hull->faces[count + 1] = (cr_hull_face){{0, 0, -1}, half, used + count, count};
    for (int i = 0; i < count; i++) {
        hull->ring[used + i] = count + i;
        hull->ring[used + count + i] = count - 1 - i;
    }
}

const cr_hull *cri_shape_hull(const cr_shape *shape, cr_hull *made)
{
    cr_vec2 points[CRI_OUTLINE_MAX];
    if (shape->kind == CR_SHAPE_HULL) {
        return shape->hull;
    }
    int count = cri_outline_polygon(shape, points);
    draw_out(points, count, shape->half.z, made);
    return made;
}

// ---------------------------------------------------------------------------------------------
// Nearest points.

// The nearest point of a face's border, if it is nearer than the best so far; true if the point is
// right above the face.
static bool near_border(const cr_hull *hull, const cr_hull_face *face, cr_vec3 p, cr_vec3 *best)
{
    bool above = true;
    for (int i = 0; i < face->count; i++) {
        const int *ring = &hull->ring[face->first];
        cr_vec3 a = hull->corners[ring[i]], b = hull->corners[ring[(i + 1) % face->count]];
        cr_vec3 e = cri_sub(b, a), d = cri_sub(p, a);
        above = above && cri_dot(cri_cross(face->normal, e), d) >= 0;
        cr_vec3 way = cri_mad(d, -cri_clamp(cri_dot(d, e) / cri_dot(e, e), 0, 1), e);
        if (cri_dot(way, way) < cri_dot(*best, *best)) {
            *best = way;
        }
    }
    return above;
}

// Outside: over the face that it is right above, if there is one, or else beside the nearest edge
// of a face that it is in front of. Inside: behind the nearest face.
cri_nearest cri_hull_nearest(const cr_hull *hull, cr_vec3 p)
{
    cri_nearest out = {.distance = -HUGE_VAL};
    cr_vec3 way = {HUGE_VAL, 0, 0};
    bool above = false;
    for (int f = 0; f < hull->face_count && !above; f++) {
        const cr_hull_face *face = &hull->faces[f];
        double d = cri_dot(face->normal, p) - face->offset;
        above = d > 0 && near_border(hull, face, p, &way);
        if (d > out.distance || above) {
            out.distance = d;
            out.normal = face->normal;
        }
    }
    double beside = cri_length(way);
    if (out.distance > 0 && !above && beside > 1e-12) {
        out.distance = beside;
        out.normal = cri_scale(1 / beside, way);
    }
    return out;
}
