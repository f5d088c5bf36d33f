// Shapes against closed forms, against each other, against brute force, and contacts against ODE's
// own.
#include "world.h"

#include <ode/ode.h>

static const cr_vec2 WEDGE[] = {{-0.3, -0.2}, {0.4, -0.2}, {-0.3, 0.3}};
static const cr_vec2 HEXAGON[] = {{0.3, 0},  {0.2, 0.25},  {-0.1, 0.3},
                                  {-0.3, 0}, {-0.2, -0.2}, {0.1, -0.25}};

// Twelve points with a volume, none of them special.
static cr_shape hull_of_points(void)
{
    static cr_hull hull;
    cr_vec3 points[12];
    cr_rng rng = cr_rng_make(77, CR_RNG_USER, 0);
    for (int i = 0; i < 12; i++) {
        double x = cr_rng_uniform(&rng, -0.3, 0.3), y = cr_rng_uniform(&rng, -0.3, 0.3);
        points[i] = cri_vec3(x, y, cr_rng_uniform(&rng, -0.3, 0.3));
    }
    return hull_of(points, 12, &hull);
}

static cr_shape hull_of_box(void)
{
    static cr_hull hull;
    return box_hull_of(0.6, 0.4, 0.5, &hull);
}

enum { SHAPES = 9 };
static cr_shape shape_of(int i)
{
    switch (i % SHAPES) {
    case 0:
        return box_of(0.6, 0.4, 0.5);
    case 1:
        return prism_of(WEDGE, 3, 0.4);
    case 2:
        return prism_of(HEXAGON, 6, 0.6);
    case 3:
        return cylinder_of(0.25, 0.6);
    case 4:
        return box_of(1.2, 0.1, 0.3);
    case 5:
        return capsule_of(0.12, 0.4);
    case 6:
        return hull_of_points();
    case 7:
        return hull_of_box();
    default:
        return sphere_of(0.3);
    }
}

// One after the other: the order in which arguments are evaluated is the compiler's.
static cr_vec3 draw_direction(cr_rng *rng)
{
    double x = cr_rng_normal(rng, 0, 1), y = cr_rng_normal(rng, 0, 1);
    double z = cr_rng_normal(rng, 0, 1);
    return cri_unit(cri_vec3(x, y, z), cri_vec3(0, 0, 1));
}

static cr_vec3 draw_point(cr_rng *rng, double reach)
{
    double x = cr_rng_uniform(rng, -reach, reach), y = cr_rng_uniform(rng, -reach, reach);
    double z = cr_rng_uniform(rng, -reach, reach);
    return cri_vec3(x, y, z);
}

static cr_pose draw_pose(cr_rng *rng, double reach)
{
    cr_vec3 position = draw_point(rng, reach), axis = draw_direction(rng);
    return (cr_pose){position, cri_quat_axis(axis, cr_rng_uniform(rng, 0, 6))};
}

static cr_pose draw_upright(cr_rng *rng, double reach)
{
    cr_vec3 position = draw_point(rng, reach);
    return (cr_pose){position, cri_quat_heading(cr_rng_uniform(rng, -3, 3))};
}

// ---------------------------------------------------------------------------------------------
// Single shapes.

// The support function is exact by definition; the signed distance must agree with it: outside, the
// normal is a direction along which the shape ends that far away, and no direction shows more room.
static void test_nearest_agrees_with_support(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 6000; i++) {
        cr_shape shape = shape_of(i);
        cr_pose pose = draw_pose(&rng, 1);
        cr_vec3 p = cri_add(pose.position, draw_point(&rng, 0.8));
        cri_nearest near = cri_shape_nearest(&shape, pose, p);
        assert_near(cri_length(near.normal), 1, 1e-12);
        double room = cri_dot(near.normal, p) - cri_shape_support(&shape, pose, near.normal);
        assert_near(near.distance, room, 1e-12);
        for (int k = 0; k < 20; k++) {
            cr_vec3 d = draw_direction(&rng);
            double other = cri_dot(d, p) - cri_shape_support(&shape, pose, d);
            assert_true(other <= near.distance + 1e-12);
        }
        // The nearest point is on the surface, and on the way from p along the normal.
        assert_near(cri_shape_nearest(&shape, pose, near.point).distance, 0, 1e-12);
        assert_near(cri_length(cri_sub(p, near.point)), fabs(near.distance), 1e-12);
    }
}

static void test_nearest_of_plane(void **state)
{
    (void)state;
    cr_shape plane = plane_of();
    cr_pose pose = {{1, 2, 3}, cri_quat_axis(cri_vec3(0, 1, 0), CRI_PI / 2)}; // faces +x
    cri_nearest near = cri_shape_nearest(&plane, pose, cri_vec3(3.5, -7, 9));
    assert_near(near.distance, 2.5, 1e-12);
    assert_near(near.normal.x, 1, 1e-12);
    assert_near(near.point.x, 1, 1e-12);
    assert_near(cri_shape_nearest(&plane, pose, cri_vec3(0, 0, 0)).distance, -1, 1e-12);
}

static void test_ties_have_an_order(void **state)
{
    (void)state;
    cr_shape cube = box_of(2, 2, 2), can = cylinder_of(1, 2), ball = sphere_of(1);
    cr_vec3 o = {0, 0, 0};
    assert_near(cri_shape_nearest(&cube, pose_at(0, 0, 0), o).normal.x, 1, 0);
    assert_near(cri_shape_nearest(&can, pose_at(0, 0, 0), o).normal.x, 1, 0);
    assert_near(cri_shape_nearest(&ball, pose_at(0, 0, 0), o).normal.z, 1, 0);
    assert_near(cri_shape_nearest(&ball, pose_at(0, 0, 0), o).distance, -1, 0);
}

static void test_nearest_agrees_with_ode_box(void **state)
{
    (void)state;
    dInitODE2(0);
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    dGeomID box = dCreateBox(NULL, 0.6, 0.4, 0.5);
    cr_shape shape = shape_of(0);
    for (int i = 0; i < 1000; i++) {
        cr_pose pose = draw_pose(&rng, 1);
        cr_vec3 p = cri_add(pose.position, draw_point(&rng, 0.25));
        cr_quat q = pose.rotation;
        dGeomSetPosition(box, pose.position.x, pose.position.y, pose.position.z);
        dGeomSetQuaternion(box, (const dQuaternion){q.w, q.x, q.y, q.z});
        double depth = dGeomBoxPointDepth(box, p.x, p.y, p.z),
               ours = cri_shape_nearest(&shape, pose, p).distance;
        // Outside, ODE gives another measure.
        assert_true(depth >= 0 ? fabs(depth + ours) < 1e-12 : ours > 0);
    }
    dGeomDestroy(box);
    dCloseODE();
}

static void test_radius_holds_the_shape(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    for (int i = 0; i < 600; i++) {
        cr_shape shape = shape_of(i);
        cr_pose pose = draw_pose(&rng, 0.5);
        double radius = cri_shape_radius(&shape, pose), most = 0;
        // Walk uphill, in ever smaller strides, to the direction in which it reaches farthest.
        cr_vec3 best = draw_direction(&rng);
        for (int k = 0; k < 1000; k++) {
            double stride = k < 400 ? 10 : (k < 700 ? 0.3 : 0.05);
            cr_vec3 d = cri_unit(cri_mad(best, stride, draw_direction(&rng)), best);
            double reach = cri_shape_support(&shape, pose, d);
            if (reach > most) {
                most = reach, best = d;
            }
        }
        assert_true(most <= radius + 1e-12);
        assert_near(most, radius, 0.01); // what the walk may miss
    }
    cr_shape plane = plane_of();
    assert_true(cri_shape_radius(&plane, pose_at(0, 0, 0)) == HUGE_VAL);
}

static void test_masses(void **state)
{
    (void)state;
    cr_shape box = box_of(1, 2, 3), ball = sphere_of(2), can = cylinder_of(1, 3);
    const cr_vec2 corners[] = {{1.5, 3}, {0.5, 3}, {0.5, 1}, {1.5, 1}};
    cr_shape prism = prism_of(corners, 4, 3), wedge = prism_of(WEDGE, 3, 0.4);
    cri_mass b = cri_shape_mass(&box), p = cri_shape_mass(&prism), s = cri_shape_mass(&ball);
    cri_mass c = cri_shape_mass(&can), w = cri_shape_mass(&wedge);
    assert_near(b.volume, 6, 1e-12);
    assert_near(b.inertia.x, 6 * (4 + 9) / 12.0, 1e-12);
    assert_near(b.inertia.z, 6 * (1 + 4) / 12.0, 1e-12);
    // The same box as a prism beside its origin.
    assert_near(p.volume, b.volume, 1e-12);
    assert_near(p.center.x, 1, 1e-12);
    assert_near(p.center.y, 2, 1e-12);
    assert_near(cri_length(cri_sub(p.inertia, b.inertia)), 0, 1e-11);
    assert_near(s.volume, CRI_PI * 32 / 3, 1e-12);
    assert_near(s.inertia.y, 0.4 * s.volume * 4, 1e-11);
    assert_near(c.volume, 3 * CRI_PI, 1e-12);
    assert_near(c.inertia.z, c.volume / 2, 1e-12);
    assert_near(c.inertia.x, c.volume * (1 / 4.0 + 9 / 12.0), 1e-12);
    assert_near(w.volume, 0.7 * 0.5 / 2 * 0.4, 1e-12);
    assert_near(w.center.x, -0.2 / 3, 1e-12);
    assert_near(w.center.y, -0.1 / 3, 1e-12);
    cr_shape plane = plane_of();
    assert_near(cri_shape_mass(&plane).volume, 0, 0);
}

// ---------------------------------------------------------------------------------------------
// Capsules and hulls.

// A capsule against its own slices: discs of thickness dz, each with its inertia.
static void test_capsule_mass(void **state)
{
    (void)state;
    cr_shape shape = capsule_of(0.1, 0.3);
    cri_mass m = cri_shape_mass(&shape), sum = {0};
    enum { SLICES = 200000 };
    for (int i = 0; i < SLICES; i++) {
        double dz = 0.5 / SLICES, z = -0.25 + (i + 0.5) * dz, over = fmax(fabs(z) - 0.15, 0);
        double r2 = 0.01 - over * over, v = CRI_PI * r2 * dz;
        sum.volume += v;
        sum.inertia.z += v * r2 / 2;
        sum.inertia.x += v * (r2 / 4 + z * z);
    }
    assert_near(m.volume / sum.volume, 1, 1e-8);
    assert_near(m.inertia.x / sum.inertia.x, 1, 1e-8);
    assert_near(m.inertia.y / sum.inertia.x, 1, 1e-8);
    assert_near(m.inertia.z / sum.inertia.z, 1, 1e-8);
}

// A box as a hull is the box; a tetrahedron has the closed form.
static void test_hull_masses(void **state)
{
    (void)state;
    cr_shape box = box_of(0.6, 0.4, 0.5), same = hull_of_box();
    cri_mass b = cri_shape_mass(&box), h = cri_shape_mass(&same);
    assert_int_equal(same.hull->corner_count, 8);
    assert_int_equal(same.hull->face_count, 6);
    assert_near(h.volume, b.volume, 1e-15);
    assert_near(cri_length(h.center), 0, 1e-15);
    assert_near(cri_length(cri_sub(h.inertia, b.inertia)), 0, 1e-15);
    cr_hull tetra;
    const cr_vec3 corners[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    assert_int_equal(cri_hull_make(corners, 4, &tetra), CR_OK);
    cr_pose frame = cri_hull_settle(&tetra);
    cri_mass t = cri_hull_mass(&tetra);
    assert_near(t.volume, 1 / 6.0, 1e-15);
    assert_near(cri_length(cri_sub(frame.position, cri_vec3(0.25, 0.25, 0.25))), 0, 1e-15);
    assert_near(cri_length(t.center), 0, 1e-15);
    // Second moments: diagonal v/10 - v/16 = v 3/80, off it v/20 - v/16 = -v/80. Eigenvalues: v/80
    // along the diagonal of the cube, v/20 across it, twice.
    double v = 1 / 6.0, along = v / 80, across = v / 20, about = 2 * across, aside = along + across;
    double sum = t.inertia.x + t.inertia.y + t.inertia.z;
    double most = fmax(t.inertia.x, fmax(t.inertia.y, t.inertia.z));
    assert_near(sum, about + 2 * aside, 1e-12);
    assert_near(most, about, 1e-12);
}

// The frame of a settled hull has no products of inertia, and is where the hull was.
static void test_hulls_settle(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(21, CR_RNG_USER, 0);
    for (int n = 0; n < 200; n++) {
        cr_vec3 points[20];
        cr_hull hull, settled;
        for (int i = 0; i < 20; i++) {
            points[i] = cri_add(draw_point(&rng, 0.5), cri_vec3(3, 1, -2));
        }
        assert_int_equal(cri_hull_make(points, 20, &hull), CR_OK);
        settled = hull;
        cr_pose frame = cri_hull_settle(&settled);
        double xy = 0, xz = 0, yz = 0;
        for (int f = 0; f < settled.face_count; f++) {
            const int *ring = &settled.ring[settled.faces[f].first];
            for (int i = 1; i + 1 < settled.faces[f].count; i++) {
                cr_vec3 a = settled.corners[ring[0]], b = settled.corners[ring[i]];
                cr_vec3 c = settled.corners[ring[i + 1]], s = cri_add(a, cri_add(b, c));
                double det = cri_dot(a, cri_cross(b, c));
                xy += det * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
                xz += det * (s.x * s.z + a.x * a.z + b.x * b.z + c.x * c.z);
                yz += det * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
            }
        }
        assert_near(fabs(xy) + fabs(xz) + fabs(yz), 0, 1e-7);
        for (int i = 0; i < hull.corner_count; i++) {
            cr_vec3 back = cri_pose_point(frame, settled.corners[i]);
            assert_near(cri_length(cri_sub(back, hull.corners[i])), 0, 1e-13);
        }
    }
}

// All points are inside of their hull; each face is flat and has its corners in order; Euler.
static void check_hull(const cr_vec3 *points, int count, double slack)
{
    cr_hull h;
    assert_int_equal(cri_hull_make(points, (size_t)count, &h), CR_OK);
    int rings = 0;
    for (int f = 0; f < h.face_count; f++) {
        const cr_hull_face *face = &h.faces[f];
        assert_int_equal(face->first, rings);
        rings += face->count;
        for (int i = 0; i < face->count; i++) {
            const int *ring = &h.ring[face->first];
            cr_vec3 a = h.corners[ring[i]], b = h.corners[ring[(i + 1) % face->count]];
            cr_vec3 out = cri_cross(cri_sub(b, a), face->normal);
            assert_near(cri_dot(face->normal, a), face->offset, 1e-4);
            for (int k = 0; k < face->count; k++) {
                assert_true(cri_dot(out, cri_sub(h.corners[ring[k]], a)) < 1e-5);
            }
        }
    }
    assert_int_equal(h.corner_count - rings / 2 + h.face_count, 2);
    for (int i = 0; i < count; i++) {
        assert_true(cri_hull_nearest(&h, points[i]).distance < slack);
    }
}

static void test_hulls_hold_their_points(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(22, CR_RNG_USER, 0);
    for (int n = 0; n < 300; n++) {
        cr_vec3 points[60];
        int count = 4 + (int)cr_rng_index(&rng, 56);
        for (int i = 0; i < count; i++) {
            points[i] = draw_point(&rng, 0.5);
            if (n % 3 == 1) { // on a grid: many in one plane, many twice
                points[i] = cri_vec3(round(4 * points[i].x), round(4 * points[i].y),
                                     round(4 * points[i].z));
            }
        }
        if (n % 3 == 1 && count < 20) {
            continue; // these may well be flat
        }
        check_hull(points, count, 1e-4);
    }
    // More corners than there is room for: those left out stick out a little.
    static cr_vec3 ball[2000];
    for (int i = 0; i < 2000; i++) {
        ball[i] = draw_direction(&rng);
    }
    check_hull(ball, 2000, 0.15);
}

static void test_flat_points_have_no_hull(void **state)
{
    (void)state;
    cr_hull h;
    const cr_vec3 flat[] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 0.2, 1}};
    const cr_vec3 line[] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    const cr_vec3 dot[] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    assert_int_equal(cri_hull_make(flat, 5, &h), CR_ERR_RANGE);
    assert_int_equal(cri_hull_make(line, 4, &h), CR_ERR_RANGE);
    assert_int_equal(cri_hull_make(dot, 4, &h), CR_ERR_RANGE);
    assert_int_equal(cri_hull_make(flat, 3, &h), CR_ERR_RANGE);
}

// A box as a hull meets everything as the box does.
static void test_hulls_of_boxes_are_boxes(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(23, CR_RNG_USER, 0);
    cr_shape box = shape_of(0), hull = hull_of_box();
    for (int i = 0; i < 1500; i++) {
        cr_shape other = shape_of(i % 5);
        cr_pose pa = draw_pose(&rng, 0.1), pb = draw_pose(&rng, 0.5);
        cri_touch one[CRI_TOUCH_MAX], two[CRI_TOUCH_MAX];
        int n = cri_collide(&box, pa, &other, pb, 0, one);
        int m = cri_collide(&hull, pa, &other, pb, 0, two);
        double d = 0, e = 0;
        for (int k = 0; k < n; k++) {
            d = fmax(d, one[k].depth);
        }
        for (int k = 0; k < m; k++) {
            e = fmax(e, two[k].depth);
        }
        assert_near(d, e, 2e-6);
    }
}

// Two capsules are as far apart as their axes, less the radii; side by side they touch twice.
static void test_capsules_are_round(void **state)
{
    (void)state;
    cr_shape a = capsule_of(0.05, 0.3), b = capsule_of(0.03, 0.1), plane = plane_of();
    cri_touch touches[CRI_TOUCH_MAX];
    const cr_quat lies = cri_quat_axis(cri_vec3(0, 1, 0), CRI_PI / 2);
    assert_int_equal(cri_collide(&a, pose_at(0, 0, 0), &b, pose_at(0.079, 0, 0.02), 0, touches), 2);
    assert_near(touches[0].depth, 0.001, 1e-12);
    assert_near(touches[0].normal.x, 1, 1e-12);
    assert_near(fabs(touches[0].point.z - touches[1].point.z), 0.1, 1e-12);
    // Crossed, and end to end.
    assert_int_equal(
        cri_collide(&a, pose_at(0, 0, 0), &b, (cr_pose){{0, 0.078, 0.1}, lies}, 0, touches), 1);
    assert_near(touches[0].depth, 0.002, 1e-12);
    assert_near(touches[0].point.z, 0.1, 1e-12);
    assert_int_equal(cri_collide(&a, pose_at(0, 0, 0), &b, pose_at(0, 0, 0.277), 0, touches), 1);
    assert_near(touches[0].depth, 0.003, 1e-12);
    assert_near(touches[0].normal.z, 1, 1e-12);
    // Lying on the ground.
    assert_int_equal(
        cri_collide(&plane, pose_at(0, 0, 0), &a, (cr_pose){{0, 0, 0.05}, lies}, 1e-4, touches), 2);
    assert_near(fabs(touches[0].point.x - touches[1].point.x), 0.3, 1e-12);
    assert_near(touches[0].depth, 0, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Contacts.

// How far two shapes overlap along a direction from a to b; negative: a gap.
static double overlap(const cr_shape *a, cr_pose pa, const cr_shape *b, cr_pose pb, cr_vec3 d)
{
    return cri_shape_support(a, pa, d) + cri_shape_support(b, pb, cri_neg(d));
}

typedef struct tally {
    int touching, apart;
} tally;

// Contacts of two bounded shapes: the normal is the direction of least overlap, the deepest contact
// is that deep, and every point lies between the two surfaces. slack: cylinders are polygons with a
// radius off by up to 0.5 % when they meet polyhedra, and borders of hulls are 1 um wide.
static void check_contacts(int i, cr_pose pa, cr_pose pb, cr_rng *rng, tally *seen)
{
    cr_shape a = shape_of(i), b = shape_of(i / SHAPES);
    double slack = a.kind == CR_SHAPE_CYLINDER || b.kind == CR_SHAPE_CYLINDER ? 0.005 : 5e-6;
    cri_touch touches[CRI_TOUCH_MAX];
    int count = cri_collide(&a, pa, &b, pb, 0, touches);
    double deepest = 0, least = HUGE_VAL;
    assert_in_range(count, 0, CRI_TOUCH_MAX);
    for (int k = 0; k < count; k++) {
        cr_vec3 n = touches[k].normal;
        assert_near(cri_length(n), 1, 1e-9);
        assert_true(touches[k].depth >= -1e-12);
        deepest = fmax(deepest, touches[k].depth);
        double to_a = cri_shape_nearest(&a, pa, touches[k].point).distance;
        double to_b = cri_shape_nearest(&b, pb, touches[k].point).distance;
        // Midway between two faces that overlap far, a point may lie beside one of them.
        double beside = slack + touches[k].depth;
        assert_true(to_a <= beside && to_b <= beside);
        assert_true(cri_dot(n, touches[0].normal) > 1 - 1e-12);
    }
    for (int k = 0; k < 300; k++) {
        least = fmin(least, overlap(&a, pa, &b, pb, draw_direction(rng)));
    }
    if (count == 0) {
        // Nothing says they overlap: some direction shows a gap. Found by walking downhill.
        seen->apart++;
        return;
    }
    seen->touching++;
    double along = overlap(&a, pa, &b, pb, touches[0].normal);
    assert_near(deepest, along, slack);
    assert_true(least >= deepest - slack);
}

static void test_contacts_show_the_least_overlap(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    tally seen = {0, 0};
    for (int i = 0; i < SHAPES * SHAPES * 150; i++) {
        cr_pose pa = draw_pose(&rng, 0.1), pb = draw_pose(&rng, 0.45);
        if (i % 3 == 0) { // both upright, or one on its head
            pa.rotation = cri_quat_heading(cr_rng_uniform(&rng, -3, 3));
            pb.rotation = cri_quat_heading(cr_rng_uniform(&rng, -3, 3));
            if (i % 2) {
                pb.rotation = cri_quat_mul(pb.rotation, (cr_quat){1, 0, 0, 0});
            }
        }
        check_contacts(i, pa, pb, &rng, &seen);
    }
    assert_true(seen.touching > 3000 && seen.apart > 1000);
}

// Where no contact is reported, there is a direction with a gap; where there is one, none.
static void test_no_contact_means_a_gap(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    for (int i = 0; i < 3000; i++) {
        cr_shape a = shape_of(i), b = shape_of(i / SHAPES);
        cr_pose pa = draw_pose(&rng, 0.2), pb = draw_pose(&rng, 0.6);
        cri_touch touches[CRI_TOUCH_MAX];
        if (cri_collide(&a, pa, &b, pb, 0, touches) > 0) {
            continue;
        }
        cr_vec3 best = cri_unit(cri_sub(pb.position, pa.position), cri_vec3(0, 0, 1));
        double least = overlap(&a, pa, &b, pb, best);
        for (int k = 0; k < 3000 && least > 0; k++) {
            cr_vec3 d = cri_unit(cri_mad(best, k % 2 ? 0.3 : 0.03, draw_direction(&rng)), best);
            double o = overlap(&a, pa, &b, pb, d);
            if (o < least) {
                least = o, best = d;
            }
        }
        // 0.5 % of the cylinder's radius, as above; the rest is what a walk can miss.
        assert_true(least < 3e-3);
    }
}

static void test_both_orders_agree(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(6, CR_RNG_USER, 0);
    for (int i = 0; i < 3600; i++) {
        cr_shape a = shape_of(i), b = shape_of(i / SHAPES);
        cr_pose pa = draw_pose(&rng, 0.1), pb = draw_pose(&rng, 0.45);
        cri_touch one[CRI_TOUCH_MAX], two[CRI_TOUCH_MAX];
        int count = cri_collide(&a, pa, &b, pb, 0.01, one);
        assert_int_equal(count > 0, cri_collide(&b, pb, &a, pa, 0.01, two) > 0);
        if (count > 0 && a.kind != b.kind) {
            assert_near(cri_length(cri_add(one[0].normal, two[0].normal)), 0, 0);
            assert_near(one[0].depth, two[0].depth, 0);
        }
    }
}

// A gap within the margin is reported as a negative depth, a wider one not at all.
static void test_margin(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        cr_shape a = shape_of(i), b = shape_of(i / SHAPES);
        cr_vec3 x = {1, 0, 0};
        // A cylinder is a polygon to capsules and hulls, off by up to 0.5 %.
        bool can = a.kind == CR_SHAPE_CYLINDER || b.kind == CR_SHAPE_CYLINDER;
        if (can && (a.kind >= CR_SHAPE_CAPSULE || b.kind >= CR_SHAPE_CAPSULE)) {
            continue;
        }
        double reach = overlap(&a, pose_at(0, 0, 0), &b, pose_at(0, 0, 0), x);
        cri_touch touches[CRI_TOUCH_MAX];
        assert_int_equal(
            cri_collide(&a, pose_at(0, 0, 0), &b, pose_at(reach + 0.004, 0, 0), 0.003, touches), 0);
        cr_pose near = pose_at(reach + 0.002, 0, 0);
        int count = cri_collide(&a, pose_at(0, 0, 0), &b, near, 0.003, touches);
        // Wedge and hexagon end in corners that may pass each other diagonally.
        bool box_like = b.kind != CR_SHAPE_PRISM && b.hull != shape_of(6).hull;
        if (a.kind != CR_SHAPE_PRISM && a.hull != shape_of(6).hull && box_like) {
            assert_true(count > 0);
            assert_near(touches[0].depth, -0.002, 1e-9);
            assert_near(touches[0].normal.x, 1, 1e-9);
        }
    }
}

// Upright cylinders, as exact as spheres.
static void test_upright_cylinders_are_round(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(7, CR_RNG_USER, 0);
    cr_shape a = cylinder_of(0.09, 0.15), b = cylinder_of(0.05, 0.3), c = box_of(1, 0.2, 0.2);
    for (int i = 0; i < 500; i++) {
        double angle = cr_rng_uniform(&rng, -3, 3), gap = cr_rng_uniform(&rng, -0.02, 0.01);
        double d = 0.14 + gap;
        cr_pose at = {{d * cri_cos(angle), d * cri_sin(angle), 0.05}, cri_quat_heading(angle)};
        cri_touch touches[CRI_TOUCH_MAX];
        assert_int_equal(cri_collide(&a, pose_at(0, 0, 0), &b, at, 0.02, touches), 2);
        assert_near(touches[0].depth, -gap, 1e-12);
        assert_near(touches[0].normal.x, cri_cos(angle), 1e-12);
        // The common height is -0.075 .. 0.075.
        assert_near(touches[0].point.z, -0.075, 1e-12);
        assert_near(touches[1].point.z, 0.075, 1e-12);
        // Against the long side of a box.
        double turn = cr_rng_uniform(&rng, -3, 3);
        cr_pose beside = {{0.2 * cri_cos(turn) - (0.19 + gap) * cri_sin(turn),
                           0.2 * cri_sin(turn) + (0.19 + gap) * cri_cos(turn), 0},
                          {0, 0, 0, 1}};
        cr_pose box = {{0, 0, 0}, cri_quat_heading(turn)};
        assert_int_equal(cri_collide(&c, box, &a, beside, 0.02, touches), 2);
        assert_near(touches[0].depth, -gap, 1e-12);
        assert_near(touches[0].normal.x, -cri_sin(turn), 1e-12);
    }
}

// Faces that lie on each other: contacts all around, so that nothing tips over.
static void test_faces_have_all_their_corners(void **state)
{
    (void)state;
    cri_touch touches[CRI_TOUCH_MAX];
    cr_shape box = box_of(0.1, 0.1, 0.1), can = cylinder_of(0.05, 0.1), plane = plane_of();
    assert_int_equal(
        cri_collide(&plane, pose_at(0, 0, 0), &box, pose_at(0, 0, 0.05), 1e-4, touches), 4);
    assert_int_equal(
        cri_collide(&plane, pose_at(0, 0, 0), &can, pose_at(0, 0, 0.05), 1e-4, touches), 8);
    assert_int_equal(cri_collide(&box, pose_at(0, 0, 0), &box, pose_at(0, 0, 0.1), 1e-4, touches),
                     4);
    cr_pose turned = {{0, 0, 0.1}, cri_quat_heading(CRI_PI / 4)};
    assert_int_equal(cri_collide(&box, pose_at(0, 0, 0), &box, turned, 1e-4, touches), 8);
    for (int i = 0; i < 8; i++) {
        assert_near(touches[i].normal.z, 1, 1e-12);
        assert_near(touches[i].point.z, 0.05, 1e-12);
    }
    assert_int_equal(cri_collide(&can, pose_at(0, 0, 0), &can, pose_at(0, 0, 0.1), 1e-4, touches),
                     8);
    cr_pose lying = {{0, 0, 0.05}, cri_quat_axis(cri_vec3(1, 0, 0), CRI_PI / 2)};
    assert_int_equal(cri_collide(&plane, pose_at(0, 0, 0), &can, lying, 1e-4, touches), 2);
    assert_near(fabs(touches[0].point.y - touches[1].point.y), 0.1, 1e-12);
    assert_int_equal(cri_collide(&plane, pose_at(0, 0, 0), &plane, pose_at(0, 0, 0), 1, touches),
                     0);
}

// Slightly tilted, the general method takes over and must find the same.
static void test_tilted_agrees_with_upright(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(8, CR_RNG_USER, 0);
    int compared = 0;
    for (int i = 0; i < 2500; i++) {
        cr_shape a = shape_of(i % 5), b = shape_of(i / 5 % 5);
        cr_pose pa = draw_upright(&rng, 0.1);
        cr_pose pb = draw_upright(&rng, 0.45);
        cr_pose tilted = pb;
        tilted.rotation = cri_quat_mul(pb.rotation, cri_quat_axis(draw_direction(&rng), 1e-5));
        cri_touch one[CRI_TOUCH_MAX], two[CRI_TOUCH_MAX];
        int n = cri_collide(&a, pa, &b, pb, 0, one), m = cri_collide(&a, pa, &b, tilted, 0, two);
        double d = 0, e = 0;
        for (int k = 0; k < n; k++) {
            d = fmax(d, one[k].depth);
        }
        for (int k = 0; k < m; k++) {
            e = fmax(e, two[k].depth);
        }
        // Cylinders are round in one and have 24 sides in the other, off by up to 0.5 % of 0.25 m.
        double slack = a.kind == CR_SHAPE_CYLINDER || b.kind == CR_SHAPE_CYLINDER ? 5e-3 : 2e-5;
        assert_near(d, e, slack);
        compared += n > 0 && m > 0;
    }
    assert_true(compared > 500);
}

// ---------------------------------------------------------------------------------------------
// Contacts of ODE.

static dGeomID ode_geom(const cr_shape *shape, cr_pose pose)
{
    cr_quat q = pose.rotation;
    dGeomID geom;
    if (shape->kind == CR_SHAPE_PLANE) {
        cr_vec3 n = cri_rotate(q, cri_vec3(0, 0, 1));
        return dCreatePlane(NULL, n.x, n.y, n.z, cri_dot(n, pose.position));
    }
    if (shape->kind == CR_SHAPE_SPHERE) {
        geom = dCreateSphere(NULL, shape->radius);
    } else if (shape->kind == CR_SHAPE_CYLINDER) {
        geom = dCreateCylinder(NULL, shape->radius, 2 * shape->half.z);
    } else if (shape->kind == CR_SHAPE_CAPSULE) {
        geom = dCreateCapsule(NULL, shape->radius, 2 * shape->half.z);
    } else {
        geom = dCreateBox(NULL, 2 * shape->half.x, 2 * shape->half.y, 2 * shape->half.z);
    }
    dGeomSetPosition(geom, pose.position.x, pose.position.y, pose.position.z);
    dGeomSetQuaternion(geom, (const dQuaternion){q.w, q.x, q.y, q.z});
    return geom;
}

typedef struct deepest_touch {
    int count;
    cri_touch touch;
} deepest_touch;

static deepest_touch ode_deepest(const cr_shape *a, cr_pose pa, const cr_shape *b, cr_pose pb)
{
    dContactGeom contacts[8];
    dGeomID ga = ode_geom(a, pa), gb = ode_geom(b, pb);
    deepest_touch out = {dCollide(ga, gb, 8, contacts, sizeof *contacts), {.depth = -1}};
    for (int i = 0; i < out.count; i++) {
        if (contacts[i].depth > out.touch.depth) {
            const dReal *n = contacts[i].normal, *p = contacts[i].pos;
            out.touch = (cri_touch){{p[0], p[1], p[2]}, {-n[0], -n[1], -n[2]}, contacts[i].depth};
        }
    }
    dGeomDestroy(ga);
    dGeomDestroy(gb);
    return out;
}

static deepest_touch our_deepest(const cr_shape *a, cr_pose pa, const cr_shape *b, cr_pose pb)
{
    cri_touch touches[CRI_TOUCH_MAX];
    deepest_touch out = {cri_collide(a, pa, b, pb, 0, touches), {.depth = -1}};
    for (int i = 0; i < out.count; i++) {
        if (touches[i].depth > out.touch.depth) {
            out.touch = touches[i];
        }
    }
    return out;
}

// slack: of the depth. Returns how many pairs touched.
static int compare_with_ode(cr_shape a, cr_shape b, double slack)
{
    cr_rng rng = cr_rng_make(9, CR_RNG_USER, (uint64_t)(a.kind * 8 + b.kind));
    int touching = 0;
    for (int i = 0; i < 1500; i++) {
        cr_pose pa = draw_pose(&rng, 0.1), pb = draw_pose(&rng, 0.5);
        deepest_touch ours = our_deepest(&a, pa, &b, pb), theirs = ode_deepest(&a, pa, &b, pb);
        if (ours.count == 0 || theirs.count == 0) {
            // They may differ on a hair's breadth only.
            assert_true(ours.touch.depth <= 1e-6 && theirs.touch.depth <= 1e-6);
            continue;
        }
        touching++;
        double allowed = 1e-9 + slack * theirs.touch.depth;
        assert_near(ours.touch.depth, theirs.touch.depth, allowed);
        // ODE prefers faces over edges by 5 %; the normal may then differ, but not the depth.
        if (slack == 0) {
            assert_near(cri_length(cri_sub(ours.touch.normal, theirs.touch.normal)), 0, 1e-6);
        }
    }
    return touching;
}

static void test_contacts_agree_with_ode(void **state)
{
    (void)state;
    dInitODE2(0);
    cr_shape plane = plane_of(), ball = sphere_of(0.3), box = box_of(0.6, 0.4, 0.5);
    cr_shape can = cylinder_of(0.25, 0.6);
    assert_true(compare_with_ode(plane, ball, 0) > 300);
    assert_true(compare_with_ode(plane, box, 0) > 300);
    assert_true(compare_with_ode(ball, box, 0) > 300);
    assert_true(compare_with_ode(box, box, 0.06) > 300);
    assert_true(compare_with_ode(ball, can, 0) > 300);
    assert_true(compare_with_ode(ball, ball, 0) > 300);
    cr_shape round = capsule_of(0.2, 0.4);
    assert_true(compare_with_ode(plane, round, 0) > 300);
    assert_true(compare_with_ode(ball, round, 0) > 300);
    dCloseODE();
}

// ---------------------------------------------------------------------------------------------
// Sweeps.

static void test_sweep_closed_forms(void **state)
{
    (void)state;
    cr_shape wall = box_of(0.02, 2, 2), ball = sphere_of(0.1), plane = plane_of();
    cri_motion still = {.pose = pose_at(1, 0, 0)}, ground = {.pose = pose_at(0, 0, 0)};
    cr_pose here = pose_at(0, 0, 0);
    cr_vec3 o = {0, 0, 0};
    // From 0 with radius 0.1 to the wall's face at 0.99, less the gap of 0.01: 0.88 m.
    assert_near(cri_sweep_sphere(o, 0.1, cri_vec3(2, 0, 0), &wall, here, still, 0.01, 1), 0.44,
                1e-7);
    assert_near(cri_sweep_sphere(o, 0.1, cri_vec3(2, 0, 0), &wall, here, still, 0.01, 0.4), 0.4, 0);
    assert_near(cri_sweep_sphere(o, 0.1, cri_vec3(-2, 0, 0), &wall, here, still, 0.01, 1), 1, 0);
    // Two balls at 3 m/s against each other: 1 - 0.2 - 0.01.
    cri_motion coming = {.pose = pose_at(1, 0, 0), .velocity = {-1, 0, 0}};
    assert_near(cri_sweep_sphere(o, 0.1, cri_vec3(2, 0, 0), &ball, here, coming, 0.01, 1), 0.79 / 3,
                1e-7);
    // Past each other by a hair, and by less.
    coming.pose.position.y = 0.2101;
    assert_near(cri_sweep_sphere(o, 0.1, cri_vec3(2, 0, 0), &ball, here, coming, 0.01, 1), 1, 0);
    coming.pose.position.y = 0.2099;
    double t = cri_sweep_sphere(o, 0.1, cri_vec3(2, 0, 0), &ball, here, coming, 0.01, 1);
    assert_near(t, (1 - sqrt(0.21 * 0.21 - 0.2099 * 0.2099)) / 3, 1e-7);
    // Already within the gap: not new.
    cr_vec3 low = {0, 0, 0.105};
    assert_near(cri_sweep_sphere(low, 0.1, cri_vec3(5, 0, -1), &plane, here, ground, 0.01, 1), 1,
                0);
    low.z = 0.12;
    assert_near(cri_sweep_sphere(low, 0.1, cri_vec3(5, 0, -1), &plane, here, ground, 0.01, 1), 0.01,
                1e-7);
}

static double gap_at(const cr_shape *shape, cr_pose part, cri_motion of, cr_vec3 center, double t)
{
    cr_pose pose = {cri_mad(of.pose.position, t, of.velocity),
                    cri_quat_turn(of.pose.rotation, of.spin, t)};
    return cri_shape_nearest(shape, cri_pose_mul(pose, part), center).distance;
}

// Moving, turning shapes: never late, and not early without reason.
static void test_sweep_is_never_late(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(10, CR_RNG_USER, 0);
    const double r = 0.0215, gap = 1e-5, h = 1.0 / 60;
    int hits = 0;
    for (int i = 0; i < 4000; i++) {
        cr_shape shape = shape_of(i);
        cr_pose part = draw_pose(&rng, 0.1);
        cri_motion of = {.pose = draw_pose(&rng, 0.3)};
        of.velocity = draw_point(&rng, 5);
        of.spin = draw_point(&rng, i % 2 ? 0 : 20);
        cr_vec3 center = draw_point(&rng, 0.8);
        cr_vec3 velocity = cri_mad(draw_point(&rng, 10), 25, cri_sub(of.pose.position, center));
        if (gap_at(&shape, part, of, center, 0) < r + gap) {
            continue;
        }
        double t = cri_sweep_sphere(center, r, velocity, &shape, part, of, gap, h);
        assert_true(t > 0 && t <= h);
        double rate = cri_length(cri_sub(velocity, of.velocity)) + cri_length(of.spin);
        for (int k = 0; k <= 50; k++) {
            double at = t * k / 50;
            double d = gap_at(&shape, part, of, cri_mad(center, at, velocity), at) - r;
            assert_true(d > gap - rate * 1e-7);
        }
        if (t < h) {
            hits++;
            double d = gap_at(&shape, part, of, cri_mad(center, t, velocity), t) - r;
            assert_true(d < gap + 1e-6);
        }
    }
    assert_true(hits > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_agrees_with_support),
        cmocka_unit_test(test_nearest_of_plane),
        cmocka_unit_test(test_ties_have_an_order),
        cmocka_unit_test(test_nearest_agrees_with_ode_box),
        cmocka_unit_test(test_radius_holds_the_shape),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_capsule_mass),
        cmocka_unit_test(test_hull_masses),
        cmocka_unit_test(test_hulls_settle),
        cmocka_unit_test(test_hulls_hold_their_points),
        cmocka_unit_test(test_flat_points_have_no_hull),
        cmocka_unit_test(test_hulls_of_boxes_are_boxes),
        cmocka_unit_test(test_capsules_are_round),
        cmocka_unit_test(test_contacts_show_the_least_overlap),
        cmocka_unit_test(test_no_contact_means_a_gap),
        cmocka_unit_test(test_both_orders_agree),
        cmocka_unit_test(test_margin),
        cmocka_unit_test(test_upright_cylinders_are_round),
        cmocka_unit_test(test_faces_have_all_their_corners),
        cmocka_unit_test(test_tilted_agrees_with_upright),
        cmocka_unit_test(test_contacts_agree_with_ode),
        cmocka_unit_test(test_sweep_closed_forms),
        cmocka_unit_test(test_sweep_is_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
