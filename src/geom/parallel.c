// Outlined shapes whose z axes are parallel: upright robots, boards, boxes that stand on each
// other.
//
// Everything happens in the frame of a. The two touch either with a side, which is a contact of two
// outlines in the plane, spread over the common height; or with a cap, which is the common area of
// the outlines. The larger separation decides. Circles against circles and polygons are exact.
#include "geom/shape.h"

// b seen from a.
typedef struct view {
    const cr_shape *a, *b;
    cr_pose pose_a;
    double x, y, z;   // where b is
    double c, s;      // cosine and sine of its turn
    bool flipped;     // its z axis points down
    double low, high; // common height; low > high where there is none
} view;

typedef struct polygon {
    int count;
    cr_vec2 points[2 * CRI_OUTLINE_MAX];
} polygon;

// A contact in the plane: the point on b, the normal from a to b, the gap.
typedef struct flat_touch {
    cr_vec2 point, normal;
    double gap;
} flat_touch;

typedef struct flat_touches {
    double separation; // of the outlines; negative if they overlap
    int count;
    flat_touch touches[2];
} flat_touches;

static double dot2(cr_vec2 a, cr_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static cr_vec2 sub2(cr_vec2 a, cr_vec2 b)
{
    return (cr_vec2){a.x - b.x, a.y - b.y};
}

static cr_vec2 mad2(cr_vec2 a, double s, cr_vec2 b)
{
    return (cr_vec2){a.x + s * b.x, a.y + s * b.y};
}

static cr_vec2 corner(const polygon *p, int i)
{
    return p->points[i < p->count ? i : i - p->count];
}

static cr_vec2 edge_normal(const polygon *p, int i)
{
    cr_vec2 e = sub2(corner(p, i + 1), p->points[i]);
    double s = 1 / sqrt(dot2(e, e));
    return (cr_vec2){s * e.y, -s * e.x};
}

// ---------------------------------------------------------------------------------------------
// Views.

static view make_view(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b)
{
    cr_vec3 p = cri_pose_local(pose_a, pose_b.position);
    cr_vec3 x_axis = cri_unrotate(pose_a.rotation, cri_rotate(pose_b.rotation, cri_vec3(1, 0, 0)));
    cr_vec3 z_axis = cri_unrotate(pose_a.rotation, cri_rotate(pose_b.rotation, cri_vec3(0, 0, 1)));
    return (view){
        .a = a,
        .b = b,
        .pose_a = pose_a,
        .x = p.x,
        .y = p.y,
        .z = p.z,
        .c = x_axis.x,
        .s = x_axis.y,
        .flipped = z_axis.z < 0,
        .low = fmax(-a->half.z, p.z - b->half.z),
        .high = fmin(a->half.z, p.z + b->half.z),
    };
}

// From b's plane into a's. A flipped outline is mirrored: y' is -y before the turn.
static cr_vec2 from_b(const view *v, cr_vec2 p)
{
    double y = v->flipped ? -p.y : p.y;
    return (cr_vec2){v->x + v->c * p.x - v->s * y, v->y + v->s * p.x + v->c * y};
}

static void polygon_of_a(const view *v, polygon *p)
{
    p->count = cri_outline_polygon(v->a, p->points);
}

static void polygon_of_b(const view *v, polygon *p)
{
    cr_vec2 own[CRI_OUTLINE_MAX];
    p->count = cri_outline_polygon(v->b, own);
    for (int i = 0; i < p->count; i++) {
        // Mirroring turns the order round.
        p->points[v->flipped ? p->count - 1 - i : i] = from_b(v, own[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// Sides.

// The edge of p that q is farthest in front of.
static int farthest_edge(const polygon *p, const polygon *q, double *separation)
{
    int best = 0;
    *separation = -HUGE_VAL;
    for (int i = 0; i < p->count; i++) {
        cr_vec2 n = edge_normal(p, i);
        double nearest = HUGE_VAL;
        for (int j = 0; j < q->count; j++) {
            double along = dot2(n, q->points[j]);
            nearest = along < nearest ? along : nearest;
        }
        double s = nearest - dot2(n, p->points[i]);
        if (s > *separation) {
            *separation = s, best = i;
        }
    }
    return best;
}

static int facing_edge(const polygon *p, cr_vec2 normal)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < p->count; i++) {
        double d = dot2(edge_normal(p, i), normal);
        if (d < least) {
            least = d, best = i;
        }
    }
    return best;
}

// A corner of p against the segment e0-e1 of q: the exact distance where neither lies in front of
// the other's edge.
static void corner_contact(cr_vec2 p, cr_vec2 e0, cr_vec2 e1, double margin, flat_touches *out)
{
    cr_vec2 e = sub2(e1, e0);
    double u = cri_clamp(dot2(sub2(p, e0), e) / dot2(e, e), 0, 1);
    cr_vec2 point = mad2(e0, u, e), d = sub2(point, p);
    double gap = sqrt(dot2(d, d));
    out->count = 0;
    out->separation = gap;
    if (gap <= margin && gap > 1e-12) {
        out->touches[out->count++] = (flat_touch){point, {d.x / gap, d.y / gap}, gap};
    }
}

// The part of q's edge j that lies in front of p's edge i.
static void edge_contact(const polygon *p, int i, const polygon *q, int j, double margin,
                         flat_touches *out)
{
    cr_vec2 p0 = p->points[i], p1 = corner(p, i + 1), n = edge_normal(p, i);
    cr_vec2 q0 = q->points[j], q1 = corner(q, j + 1), along = {-n.y, n.x};
    double end = dot2(along, sub2(p1, p0));
    double u0 = dot2(along, sub2(q0, p0)), u1 = dot2(along, sub2(q1, p0));
    double g0 = dot2(n, sub2(q0, p0)), g1 = dot2(n, sub2(q1, p0));
    double nearest = g0 < g1 || (g0 == g1 && fabs(u0) < fabs(u1)) ? u0 : u1;
    if (fmin(g0, g1) > 0 && (fmax(u0, u1) < 0 || fmin(u0, u1) > end)) {
        corner_contact(nearest < 0 ? p0 : p1, q0, q1, margin, out);
        return;
    }
    double us[2] = {cri_clamp(u0, 0, end), cri_clamp(u1, 0, end)};
    for (int k = 0; k < 2; k++) {
        double share = u1 == u0 ? k : cri_clamp((us[k] - u0) / (u1 - u0), 0, 1);
        cr_vec2 point = mad2(q0, share, sub2(q1, q0));
        double gap = dot2(n, sub2(point, p0));
        if (gap <= margin && !(k == 1 && fabs(us[1] - us[0]) < 1e-6)) {
            out->touches[out->count++] = (flat_touch){point, n, gap};
        }
    }
}

static void flip_flat(flat_touches *out)
{
    for (int i = 0; i < out->count; i++) {
        flat_touch *t = &out->touches[i];
        t->point = mad2(t->point, -t->gap, t->normal); // the other surface
        t->normal = (cr_vec2){-t->normal.x, -t->normal.y};
    }
}

static flat_touches polygons_touch(const view *v, double margin)
{
    polygon a, b;
    polygon_of_a(v, &a);
    polygon_of_b(v, &b);
    flat_touches out = {.count = 0};
    double from_a, from_b_side;
    int i = farthest_edge(&a, &b, &from_a);
    if (from_a > margin) {
        out.separation = from_a;
        return out;
    }
    int j = farthest_edge(&b, &a, &from_b_side);
    // A tie goes to a; the slack keeps rounding from flipping the choice.
    bool by_b = from_b_side > from_a + 1e-9;
    out.separation = by_b ? from_b_side : from_a;
    if (out.separation > margin) {
        return out;
    }
    if (by_b) {
        edge_contact(&b, j, &a, facing_edge(&a, edge_normal(&b, j)), margin, &out);
        flip_flat(&out);
    } else {
        edge_contact(&a, i, &b, facing_edge(&b, edge_normal(&a, i)), margin, &out);
    }
    return out;
}

// A circle (center, radius) of b against the outline of a, in a's plane.
static flat_touches outline_circle(const cr_shape *a, cr_vec2 center, double radius)
{
    cri_flat flat = cri_outline_nearest(a, center.x, center.y);
    double gap = flat.distance - radius;
    return (flat_touches){gap, 1, {{mad2(center, -radius, flat.normal), flat.normal, gap}}};
}

// a is a circle, b a polygon: seen from b, and back.
static flat_touches circle_outline(const view *v)
{
    double x = -v->c * v->x - v->s * v->y, y = v->s * v->x - v->c * v->y;
    cr_vec2 center = {x, v->flipped ? -y : y};
    cri_flat flat = cri_outline_nearest(v->b, center.x, center.y);
    double gap = flat.distance - v->a->radius;
    cr_vec2 on_b = from_b(v, mad2(center, -flat.distance, flat.normal));
    cr_vec2 tip = from_b(v, (cr_vec2){flat.normal.x, flat.normal.y});
    cr_vec2 normal = {v->x - tip.x, v->y - tip.y};
    return (flat_touches){gap, 1, {{on_b, normal, gap}}};
}

static flat_touches outlines_touch(const view *v, double margin)
{
    if (v->b->kind == CR_SHAPE_CYLINDER) {
        return outline_circle(v->a, (cr_vec2){v->x, v->y}, v->b->radius);
    }
    if (v->a->kind == CR_SHAPE_CYLINDER) {
        return circle_outline(v);
    }
    return polygons_touch(v, margin);
}

// Each contact of the outlines, at both ends of the common height.
static int side_contacts(const view *v, const flat_touches *flat, double margin, cri_touch *touches)
{
    bool thin = v->high - v->low < 1e-6;
    double heights[2] = {thin ? (v->low + v->high) / 2 : v->low, v->high};
    int count = 0;
    for (int i = 0; i < flat->count; i++) {
        const flat_touch *t = &flat->touches[i];
        if (t->gap > margin) {
            continue;
        }
        cr_vec2 middle = mad2(t->point, -t->gap / 2, t->normal);
        cr_vec3 normal = cri_rotate(v->pose_a.rotation, cri_vec3(t->normal.x, t->normal.y, 0));
        for (int k = 0; k < (thin ? 1 : 2); k++) {
            cr_vec3 local = {middle.x, middle.y, heights[k]};
            touches[count++] = (cri_touch){cri_pose_point(v->pose_a, local), normal, -t->gap};
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Caps.

// Cut away what lies in front of an edge (Sutherland and Hodgman).
static void clip(polygon *p, cr_vec2 on_edge, cr_vec2 normal)
{
    polygon out = {.count = 0};
    for (int i = 0; i < p->count && out.count + 2 <= 2 * CRI_OUTLINE_MAX; i++) {
        cr_vec2 from = p->points[i], to = corner(p, i + 1);
        double d0 = dot2(normal, sub2(from, on_edge)), d1 = dot2(normal, sub2(to, on_edge));
        if (d0 <= 0) {
            out.points[out.count++] = from;
        }
        if ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0)) {
            out.points[out.count++] = mad2(from, d0 / (d0 - d1), sub2(to, from));
        }
    }
    *p = out;
}

static int cap_contacts(const view *v, double gap, cri_touch *touches)
{
    polygon area, a;
    polygon_of_b(v, &area);
    polygon_of_a(v, &a);
    for (int i = 0; i < a.count && area.count > 0; i++) {
        clip(&area, a.points[i], edge_normal(&a, i));
    }
    double up = v->z < 0 ? -1 : 1;
    cr_vec3 normal = cri_rotate(v->pose_a.rotation, cri_vec3(0, 0, up));
    double z = v->z - up * v->b->half.z; // of b's surface
    cri_candidates set = {.count = 0};
    for (int i = 0; i < area.count; i++) {
        cr_vec3 local = {area.points[i].x, area.points[i].y, z};
        cri_candidate_add(&set, cri_pose_point(v->pose_a, local), normal, gap);
    }
    return cri_candidates_reduce(&set, touches);
}

int cri_collide_parallel(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                         double margin, cri_touch touches[CRI_TOUCH_MAX])
{
    view v = make_view(a, pose_a, b, pose_b);
    double above = fabs(v.z) - a->half.z - b->half.z; // the gap between the caps
    if (above > margin) {
        return 0;
    }
    flat_touches flat = outlines_touch(&v, margin);
    // Neither beside nor above each other: edges that pass diagonally do not touch.
    if (flat.separation > margin || (flat.separation > 0 && above > 0)) {
        return 0;
    }
    if (above > flat.separation) {
        return cap_contacts(&v, above, touches);
    }
    return side_contacts(&v, &flat, margin, touches);
}
