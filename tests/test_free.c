// Free bodies in the lanes, held to closed forms and to what every such body keeps: rest, friction
// angle, energy, angular momentum, walls, and the same bits from every stepper beside any
// neighbours.
#include <stdio.h>

#include "engine/lanes/stepper.h"
#include "world.h"

enum { LANES = 8 };

// Eight worlds of one model.
typedef struct flock {
    world w;
    cri_course course;
    void *scratch;
    cr_action *actions;
    cr_state *states[LANES];
} flock;

static int flock_make(flock *f, double friction, double restitution)
{
    *f = (flock){.w = world_make()};
    return world_material(&f->w, friction, friction, restitution);
}

static int add_free(flock *f, cr_shape shape, int material, double mass, cr_vec3 place)
{
    return world_add(&f->w, shape, material,
                     (cr_body){.kind = CR_KIND_PASSIVE,
                               .mass = mass,
                               .pose = pose_at(place.x, place.y, place.z)});
}

static void flock_open(flock *f)
{
    world_finish(&f->w);
    assert_true(cri_course_fits(&f->w.model));
    assert_int_equal(cri_course_init(&f->course, &f->w.model, NULL), CR_OK);
    f->scratch = aligned_alloc(64, cri_stepper_best()->room(&f->course));
    f->actions = calloc((size_t)f->w.model.moving_count, sizeof *f->actions);
    assert_true(f->scratch && f->actions);
    for (int i = 0; i < LANES; i++) {
        f->states[i] = cr_state_create(&f->w.model);
        assert_non_null(f->states[i]);
    }
}

static void flock_close(flock *f)
{
    for (int i = 0; i < LANES; i++) {
        free(f->states[i]);
    }
    free(f->actions);
    free(f->scratch);
    cri_course_free(&f->course);
    world_free(&f->w);
}

static cr_body_state *body_of(const flock *f, int lane, int slot)
{
    return &cri_bodies(&f->w.model, f->states[lane])[slot];
}

static void flock_step(flock *f)
{
    cr_step steps[LANES];
    for (int i = 0; i < LANES; i++) {
        steps[i] = (cr_step){.from = f->states[i], .to = f->states[i], .actions = f->actions};
    }
    assert_int_equal(cri_stepper_best()->step(&f->course, f->scratch, steps, LANES), 0);
    for (int i = 0; i < LANES; i++) {
        assert_true(steps[i].alive);
    }
}

// Each lane but the first stands a little aside and turned.
static void disturb(flock *f, double by, cr_rng *rng)
{
    for (int lane = 1; lane < LANES; lane++) {
        for (int i = 0; i < f->w.model.moving_count; i++) {
            cr_body_state *b = body_of(f, lane, i);
            b->position.x += by * (2 * cr_rng_unit(rng) - 1);
            b->position.y += by * (2 * cr_rng_unit(rng) - 1);
            cr_pose turn = {{0, 0, 0}, cri_quat_heading(10 * by * (cr_rng_unit(rng) - 0.5))};
            b->rotation = cri_pose_mul(turn, (cr_pose){{0, 0, 0}, b->rotation}).rotation;
        }
    }
}

static cr_quat any_turn(cr_rng *rng)
{
    for (;;) {
        cr_quat q = {2 * cr_rng_unit(rng) - 1, 2 * cr_rng_unit(rng) - 1, 2 * cr_rng_unit(rng) - 1,
                     2 * cr_rng_unit(rng) - 1};
        double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (norm > 0.01 && norm < 1) {
            return cri_quat_unit(q);
        }
    }
}

static cr_vec3 momentum_of(const cr_body *body, const cr_body_state *s)
{
    cr_vec3 w = cri_unrotate(s->rotation, s->spin), i = body->inertia;
    return cri_rotate(s->rotation, cri_vec3(i.x * w.x, i.y * w.y, i.z * w.z));
}

static double energy_of(const flock *f, int lane)
{
    const cr_model *model = &f->w.model;
    double sum = 0;
    for (int i = 0; i < model->moving_count; i++) {
        const cr_body *body = &model->bodies[model->moving[i]];
        const cr_body_state *s = body_of(f, lane, i);
        sum += body->mass *
               (cri_dot(s->velocity, s->velocity) / 2 - cri_dot(model->gravity, s->position));
        sum += cri_dot(momentum_of(body, s), s->spin) / 2;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Rest.

// Between the first second and the tenth nothing moves by more than `most` or turns by 0.2 degrees.
static void assert_rests(flock *f, double most)
{
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    flock_open(f);
    disturb(f, 0.004, &rng);
    int count = f->w.model.moving_count;
    cr_body_state *then = calloc((size_t)(LANES * count), sizeof *then);
    assert_non_null(then);
    for (int step = 0; step < 600; step++) {
        for (int i = 0; i < LANES * count && step == 60; i++) {
            then[i] = *body_of(f, i / count, i % count);
        }
        flock_step(f);
    }
    for (int i = 0; i < LANES * count; i++) {
        const cr_body_state *b = body_of(f, i / count, i % count), *a = &then[i];
        cr_quat p = a->rotation, q = b->rotation;
        double same = fabs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
        assert_near(cri_length(cri_sub(b->position, a->position)), 0, most);
        assert_true(same > cri_cos(0.1 * CRI_PI / 180)); // half of the angle
    }
    free(then);
    flock_close(f);
}

static void test_a_stack_of_eight_rests(void **state)
{
    (void)state;
    flock f;
    int m = flock_make(&f, 0.5, 0.1);
    world_add(&f.w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < 8; i++) {
        add_free(&f, box_of(0.2, 0.2, 0.2), m, 1, cri_vec3(0, 0, 0.1 + 0.2 * i));
    }
    assert_rests(&f, 0.5e-3);
}

// The order in which bodies are named does not matter.
static void test_a_stack_named_from_above_rests(void **state)
{
    (void)state;
    flock f;
    int m = flock_make(&f, 0.5, 0.1);
    for (int i = 7; i >= 0; i--) {
        add_free(&f, box_of(0.2, 0.2, 0.2), m, 1, cri_vec3(0, 0, 0.1 + 0.2 * i));
    }
    world_add(&f.w, plane_of(), m, (cr_body){0});
    assert_rests(&f, 0.5e-3);
}

static void test_heavy_rests_on_light(void **state)
{
    (void)state;
    const double ratios[] = {1, 10, 100, 500};
    for (int i = 0; i < 4; i++) {
        flock f;
        int m = flock_make(&f, 0.5, 0.1);
        world_add(&f.w, plane_of(), m, (cr_body){0});
        add_free(&f, box_of(0.2, 0.2, 0.2), m, 0.1, cri_vec3(8, 0, 0.1));
        add_free(&f, box_of(0.2, 0.2, 0.2), m, 0.1 * ratios[i], cri_vec3(8, 0, 0.3));
        assert_rests(&f, 1e-3);
    }
}

static void test_a_pyramid_and_cylinders_rest(void **state)
{
    (void)state;
    flock f;
    int m = flock_make(&f, 0.5, 0.1);
    world_add(&f.w, plane_of(), m, (cr_body){0});
    for (int row = 0; row < 4; row++) {
        for (int i = 0; i < 4 - row; i++) {
            add_free(&f, box_of(0.2, 0.2, 0.2), m, 1,
                     cri_vec3(0.22 * i + 0.11 * row, 0, 0.1 + 0.2 * row));
        }
    }
    for (int i = 0; i < 3; i++) {
        add_free(&f, cylinder_of(0.1, 0.2), m, 1, cri_vec3(3, 0, 0.1 + 0.2 * i));
    }
    int lying = add_free(&f, cylinder_of(0.1, 0.4), m, 1, cri_vec3(8, 0, 0.1));
    f.w.bodies[lying].pose.rotation = cri_quat_axis(cri_vec3(1, 0, 0), CRI_PI / 2);
    assert_rests(&f, 1e-3);
}

// A cylinder stands and another lies on a box, a box stands on a cylinder, and one overhangs by
// less than half.
static void test_cylinders_and_boxes_rest_on_each_other(void **state)
{
    (void)state;
    flock f;
    int m = flock_make(&f, 0.5, 0.1);
    world_add(&f.w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < 3; i++) {
        add_free(&f, box_of(0.3, 0.4, 0.2), m, 1, cri_vec3(i, 0, 0.1));
    }
    add_free(&f, cylinder_of(0.1, 0.2), m, 1, cri_vec3(0, 0, 0.3));
    int lying = add_free(&f, cylinder_of(0.1, 0.3), m, 1, cri_vec3(1, 0, 0.3));
    f.w.bodies[lying].pose.rotation = cri_quat_axis(cri_vec3(1, 0, 0), CRI_PI / 2);
    add_free(&f, cylinder_of(0.1, 0.2), m, 1, cri_vec3(2 + 0.15 - 0.04, 0, 0.3));
    add_free(&f, cylinder_of(0.1, 0.2), m, 1, cri_vec3(3, 0, 0.1));
    add_free(&f, box_of(0.2, 0.1, 0.2), m, 1, cri_vec3(3, 0, 0.3));
    assert_rests(&f, 1e-3);
}

// One whose middle is beyond the edge of the box falls.
static void test_an_overhanging_cylinder_falls(void **state)
{
    (void)state;
    flock f;
    int m = flock_make(&f, 0.5, 0.1);
    world_add(&f.w, plane_of(), m, (cr_body){0});
    world_add(&f.w, box_of(0.3, 0.4, 0.2), m, (cr_body){.pose = pose_at(0, 0, 0.1)});
    add_free(&f, cylinder_of(0.1, 0.2), m, 1, cri_vec3(0.15 + 0.02, 0, 0.3));
    flock_open(&f);
    for (int i = 0; i < 120; i++) {
        flock_step(&f);
    }
    assert_true(body_of(&f, 0, 0)->position.z < 0.15);
    flock_close(&f);
}

// ---------------------------------------------------------------------------------------------
// Friction: a box slides if and only if the slope is steeper than the coefficient.

static double slid_on(double steepness)
{
    flock f;
    int m = flock_make(&f, 0.5, 0);
    world_add(&f.w, plane_of(), m, (cr_body){0});
    add_free(&f, box_of(0.2, 0.2, 0.2), m, 1, cri_vec3(0, 0, 0.1));
    double angle = cri_atan2(0.5 * steepness, 1);
    f.w.model.gravity = cri_vec3(9.81 * cri_sin(angle), 0, -9.81 * cri_cos(angle));
    flock_open(&f);
    for (int i = 0; i < 60; i++) {
        flock_step(&f);
    }
    double from = body_of(&f, 0, 0)->position.x;
    for (int i = 0; i < 120; i++) {
        flock_step(&f);
    }
    double way = body_of(&f, 0, 0)->position.x - from;
    flock_close(&f);
    return way;
}

static void test_a_slope_holds_or_lets_go(void **state)
{
    (void)state;
    assert_true(slid_on(0.99) < 3e-3);
    // From rest, seconds 1 to 3 under g (sin - 0.5 cos).
    for (int i = 0; i < 2; i++) {
        double steepness = i ? 1.05 : 1.01, angle = cri_atan2(0.5 * steepness, 1);
        double a = 9.81 * (cri_sin(angle) - 0.5 * cri_cos(angle));
        assert_near(slid_on(steepness) / (a / 2 * (9 - 1)), 1, 0.03);
    }
}

// ---------------------------------------------------------------------------------------------
// Free motion.

static void test_spin_keeps_energy_and_momentum(void **state)
{
    (void)state;
    const cr_shape shapes[] = {box_of(0.1, 0.2, 0.3), box_of(0.1, 0.1, 1), box_of(0.1, 1, 0.5)};
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    for (int k = 0; k < 3; k++) {
        flock f;
        flock_make(&f, 0, 0);
        f.w.model.gravity = cri_vec3(0, 0, 0);
        add_free(&f, shapes[k], 0, 1, cri_vec3(0, 0, 0));
        flock_open(&f);
        double energy[LANES];
        cr_vec3 momentum[LANES];
        for (int i = 0; i < LANES; i++) {
            cr_body_state *b = body_of(&f, i, 0);
            b->rotation = any_turn(&rng);
            cr_vec3 axis = cri_rotate(any_turn(&rng), cri_vec3(1, 0, 0));
            b->spin = cri_scale(i < 4 ? 20 : 60, axis);
            energy[i] = energy_of(&f, i);
            momentum[i] = momentum_of(&f.w.bodies[0], b);
        }
        for (int step = 0; step < 3600; step++) {
            flock_step(&f);
        }
        for (int i = 0; i < LANES; i++) {
            cr_vec3 now = momentum_of(&f.w.bodies[0], body_of(&f, i, 0));
            assert_near(energy_of(&f, i) / energy[i], 1, 0.01);
            // A thousandth is 0.06 degrees.
            assert_near(cri_length(cri_sub(now, momentum[i])) / cri_length(momentum[i]), 0, 1e-3);
        }
        flock_close(&f);
    }
}

static void test_nothing_passes_a_wall(void **state)
{
    (void)state;
    static const cr_vec2 wedge[] = {{-0.04, -0.03}, {0.05, -0.03}, {-0.04, 0.04}};
    cr_hull stone;
    const cr_shape shapes[] = {box_of(0.2, 0.2, 0.2),    box_of(0.2, 0.2, 0.005),
                               box_of(0.01, 0.01, 0.3),  cylinder_of(0.05, 0.1),
                               prism_of(wedge, 3, 0.06), capsule_of(0.005, 0.3),
                               stone_of(0.05, &stone)};
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    for (int k = 0; k < 7; k++) {
        flock f;
        int m = flock_make(&f, 0.5, 0.3);
        f.w.model.gravity = cri_vec3(0, 0, 0);
        world_add(&f.w, box_of(0.01, 20, 20), m, (cr_body){0});
        add_free(&f, shapes[k], m, 0.5, cri_vec3(-1, 0, 0));
        flock_open(&f);
        for (int round = 0; round < 16; round++) {
            for (int i = 0; i < LANES; i++) {
                double slant = CRI_PI / 3 * cr_rng_unit(&rng), about = 7 * cr_rng_unit(&rng);
                cr_vec3 way = {cri_cos(slant), cri_sin(slant) * cri_cos(about),
                               cri_sin(slant) * cri_sin(about)};
                *body_of(&f, i, 0) = (cr_body_state){
                    .position = {-0.4 - 0.5 * cr_rng_unit(&rng), 0, 0},
                    .rotation = any_turn(&rng),
                    .velocity = cri_scale(50, way),
                    .spin = cri_scale(30, cri_rotate(any_turn(&rng), cri_vec3(1, 0, 0)))};
            }
            for (int step = 0; step < 12; step++) {
                flock_step(&f);
            }
            for (int i = 0; i < LANES; i++) {
                assert_true(body_of(&f, i, 0)->position.x < 0);
            }
        }
        flock_close(&f);
    }
}

// ---------------------------------------------------------------------------------------------
// Heaps: energy, and the same bits.

// Of boxes and cylinders, balls and a prism; or of everything that has a side to lie on.
static void drop_heap(flock *f, cr_rng *rng, bool odd)
{
    static const cr_vec2 wedge[] = {{-0.04, -0.03}, {0.05, -0.03}, {-0.04, 0.04}};
    static cr_hull stone;
    int m = flock_make(f, 0.5, 0.2);
    const cr_shape plain[] = {box_of(0.1, 0.08, 0.06), cylinder_of(0.05, 0.1), sphere_of(0.05),
                              box_of(0.02, 0.1, 0.12), prism_of(wedge, 3, 0.06)};
    const cr_shape other[] = {stone_of(0.06, &stone), capsule_of(0.03, 0.08),
                              cylinder_of(0.05, 0.1), prism_of(wedge, 3, 0.06),
                              box_of(0.1, 0.08, 0.06)};
    const cr_shape *shapes = odd ? other : plain;
    world_add(&f->w, plane_of(), m, (cr_body){0});
    world_add(&f->w, box_of(0.3, 0.3, 0.1), m, (cr_body){.pose = pose_at(0.05, 0, 0.05)});
    for (int i = 0; i < 10; i++) {
        add_free(f, shapes[i % 5], m, 0.1 + 0.2 * i, cri_vec3(0, 0, 0.3 + 0.18 * i));
    }
    flock_open(f);
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < 10; i++) {
            cr_body_state *b = body_of(f, lane, i);
            b->position.x = 0.2 * cr_rng_unit(rng) - 0.1;
            b->position.y = 0.2 * cr_rng_unit(rng) - 0.1;
            b->rotation = any_turn(rng);
        }
    }
}

static void test_heaps_gain_no_energy(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    for (int round = 0; round < 4; round++) {
        flock f;
        drop_heap(&f, &rng, round == 3);
        double start[LANES];
        for (int i = 0; i < LANES; i++) {
            start[i] = energy_of(&f, i);
        }
        for (int step = 0; step < 180; step++) {
            flock_step(&f);
            for (int i = 0; i < LANES; i++) {
                assert_true(energy_of(&f, i) < start[i] + fmax(1e-3, 1e-3 * start[i]));
            }
        }
        flock_close(&f);
    }
}

// One world of the flock, alone, by a stepper; true if it becomes what it became beside the others.
static bool same_alone(const flock *f, const cri_stepper *stepper, const cr_state *from, int lane)
{
    size_t size = cr_state_size(&f->w.model);
    void *scratch = aligned_alloc(64, stepper->room(&f->course));
    cr_state *to = cr_state_create(&f->w.model);
    assert_true(scratch && to);
    memcpy(to, from, size);
    cr_step step = {.from = to, .to = to, .actions = f->actions};
    bool same =
        stepper->step(&f->course, scratch, &step, 1) == 0 && memcmp(to, f->states[lane], size) == 0;
    free(scratch);
    free(to);
    return same;
}

static void compare_steppers(bool odd)
{
    const cri_stepper *steppers[] = {&cri_stepper_scalar, &cri_stepper_base, cri_stepper_best()};
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    flock f;
    drop_heap(&f, &rng, odd);
    size_t size = cr_state_size(&f.w.model);
    cr_state *before = cr_state_create(&f.w.model);
    assert_non_null(before);
    for (int step = 0; step < 120; step++) {
        int lane = step % LANES;
        memcpy(before, f.states[lane], size);
        flock_step(&f);
        for (int i = 0; i < 3; i++) {
            assert_true(same_alone(&f, steppers[i], before, lane));
        }
    }
    free(before);
    flock_close(&f);
}

static void test_steppers_give_the_same_bits(void **state)
{
    (void)state;
    compare_steppers(false);
    compare_steppers(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stack_of_eight_rests),
        cmocka_unit_test(test_a_stack_named_from_above_rests),
        cmocka_unit_test(test_heavy_rests_on_light),
        cmocka_unit_test(test_a_pyramid_and_cylinders_rest),
        cmocka_unit_test(test_cylinders_and_boxes_rest_on_each_other),
        cmocka_unit_test(test_an_overhanging_cylinder_falls),
        cmocka_unit_test(test_a_slope_holds_or_lets_go),
        cmocka_unit_test(test_spin_keeps_energy_and_momentum),
        cmocka_unit_test(test_nothing_passes_a_wall),
        cmocka_unit_test(test_heaps_gain_no_energy),
        cmocka_unit_test(test_steppers_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
