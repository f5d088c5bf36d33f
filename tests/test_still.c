// Calm worlds in the lanes: free bodies that stand still on the floor, out of the reach of all
// else, do not take part in a step. Nobody may notice.
#include "engine/lanes/stepper.h"
#include "field.h"

// A floor with a wall, a ball, a crate and a can.
typedef struct yard {
    world w;
    int floor, wall, ball, crate, can;
    bench b;
} yard;

static const double RADIUS = 0.02, SIZE = 0.1;

static void yard_open(yard *y, double friction)
{
    *y = (yard){.w = world_make()};
    int m = world_material(&y->w, friction, friction, 0.4);
    y->floor = world_add(&y->w, plane_of(), m, (cr_body){0});
    y->wall = world_add(&y->w, box_of(0.1, 2, 0.2), m, (cr_body){.pose = pose_at(2, 0, 0.1)});
    y->ball = world_add(&y->w, sphere_of(RADIUS), m,
                        (cr_body){.kind = CR_KIND_PASSIVE,
                                  .mass = 0.05,
                                  .pose = pose_at(-1, 0, RADIUS),
                                  .velocity = {2, 0, 0}});
    y->crate = world_add(
        &y->w, box_of(SIZE, SIZE, SIZE), m,
        (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.2, .pose = pose_at(0, 0.3, SIZE / 2)});
    y->can =
        world_add(&y->w, cylinder_of(0.03, 0.12), m,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.3, .pose = pose_at(0.5, 0.5, 0.06)});
    world_finish(&y->w);
    y->b = bench_open(&y->w, &cri_engine_lanes);
}

static void yard_close(yard *y)
{
    bench_close(&y->b);
    world_free(&y->w);
}

// How far the crate is from where it stood.
static double crate_went(yard *y)
{
    return cri_length(
        cri_sub(bench_body(&y->b, y->crate)->position, y->w.bodies[y->crate].pose.position));
}

// ---------------------------------------------------------------------------------------------

// Beside a crate that stands still a ball rolls as if it were alone in the world, to the bit.
static void test_the_ball_rolls_as_without_them(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.4);
    world alone = world_make();
    int m = world_material(&alone, 0.4, 0.4, 0.4);
    world_add(&alone, plane_of(), m, (cr_body){0});
    world_add(&alone, box_of(0.1, 2, 0.2), m, (cr_body){.pose = pose_at(2, 0, 0.1)});
    int ball = world_add(&alone, sphere_of(RADIUS), m, y.w.bodies[y.ball]);
    world_finish(&alone);
    bench b = bench_open(&alone, &cri_engine_lanes);
    for (int i = 0; i < 240; i++) {
        bench_step(&y.b);
        bench_step(&b);
        assert_memory_equal(bench_body(&y.b, y.ball), bench_body(&b, ball), sizeof(cr_body_state));
        assert_true(crate_went(&y) == 0);
    }
    bench_close(&b);
    world_free(&alone);
    yard_close(&y);
}

// Contacts are those of bodies that lie on the floor: with their weight, from a to b.
static void test_their_contacts_are_reported(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.4);
    for (int i = 0; i < 30; i++) {
        bench_step(&y.b);
        assert_int_equal(y.b.contact_count, 3);
        const cr_contact *crate = bench_contact(&y.b, y.floor, y.crate);
        const cr_contact *can = bench_contact(&y.b, y.floor, y.can);
        assert_true(crate && can);
        assert_near(crate->impulse, 0.2 * 9.81 / 60, 1e-4 * 0.2);
        assert_near(can->impulse, 0.3 * 9.81 / 60, 1e-4 * 0.3);
        assert_near(crate->normal.z, 1, 1e-6);
        assert_near(crate->point.z, 0, 1e-5);
        assert_near(can->point.x, 0.5, 0.031);
    }
    yard_close(&y);
}

// A ball that comes along is not missed, however fast, from wherever a step begins.
static void test_a_ball_strikes_the_crate(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        yard y;
        yard_open(&y, 0.4);
        cr_body_state *ball = bench_body(&y.b, y.ball);
        double speed = 1 + i * i * 0.02;
        ball->position.y = 0.3 + 0.0005 * i;
        ball->position.x -= 0.003 * i;
        ball->velocity = cri_vec3(speed, 0, 0);
        bench_run(&y.b, 120);
        assert_true(crate_went(&y) > 1e-3);
        yard_close(&y);
    }
}

// One that is kicked at the crate in this step is seen before it has a speed.
static void test_a_kick_from_nearby_strikes_the_crate(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.4);
    cr_body_state *ball = bench_body(&y.b, y.ball);
    ball->position = cri_vec3(-0.15, 0.3, RADIUS);
    ball->velocity = cri_vec3(0, 0, 0);
    bench_run(&y.b, 10);
    assert_true(crate_went(&y) == 0);
    bench_action(&y.b, y.ball)->impulse = cri_vec3(0.05 * 10, 0, 0);
    bench_step(&y.b);
    assert_true(crate_went(&y) > 1e-3);
    yard_close(&y);
}

// It comes to rest, stands still, and can be struck again.
static void test_it_stands_still_again(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.4);
    cr_body_state *crate = bench_body(&y.b, y.crate);
    crate->velocity = cri_vec3(0.5, 0.2, 0);
    crate->spin = cri_vec3(0, 0, 3);
    bench_body(&y.b, y.ball)->velocity = cri_vec3(0, 0, 0);
    bench_run(&y.b, 120);
    assert_true(crate_went(&y) > 0.01);
    cr_vec3 place = crate->position;
    assert_true(cri_length(crate->velocity) == 0 && cri_length(crate->spin) == 0);
    bench_run(&y.b, 60);
    assert_true(cri_length(cri_sub(crate->position, place)) == 0);
    bench_action(&y.b, y.crate)->impulse = cri_vec3(0.1, 0, 0);
    bench_step(&y.b);
    assert_true(crate->velocity.x > 0.3);
    yard_close(&y);
}

// What is not at rest on the floor is not taken to be, although it has no speed yet.
static void test_what_has_no_speed_yet_falls(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.4);
    cr_body_state *crate = bench_body(&y.b, y.crate);
    crate->position.z += 0.01;
    bench_run(&y.b, 2);
    assert_true(crate->velocity.z < -0.1);
    yard_close(&y);

    yard_open(&y, 0.4);
    crate = bench_body(&y.b, y.crate);
    crate->rotation = cri_quat_unit((cr_quat){0.1, 0, 0, 1});
    crate->position.z = SIZE / 2 * (fabs(cri_cos(0.2)) + fabs(cri_sin(0.2)));
    bench_run(&y.b, 2);
    assert_true(cri_length(crate->spin) > 0.01);
    yard_close(&y);
}

// Forces, a floor that it does not touch in this world, and gravity that leans set it in motion.
static void test_what_acts_on_it_moves_it(void **state)
{
    (void)state;
    yard y;
    yard_open(&y, 0.1);
    bench_action(&y.b, y.crate)->force = cri_vec3(1, 0, 0);
    bench_run(&y.b, 2);
    assert_true(crate_went(&y) > 1e-4);
    yard_close(&y);

    yard_open(&y, 0.1);
    uint64_t mask[4];
    memset(mask, 0xff, sizeof mask);
    int pair = y.w.model.pair_of[y.floor * y.w.model.body_count + y.crate];
    mask[pair / 64] &= ~((uint64_t)1 << (pair % 64));
    y.b.mask = mask;
    bench_run(&y.b, 2);
    assert_true(bench_body(&y.b, y.crate)->velocity.z < -0.3);
    yard_close(&y);

    yard_open(&y, 0.1);
    cr_numbers *numbers;
    assert_int_equal(cr_numbers_create(&y.w.model, &numbers, NULL), CR_OK);
    assert_int_equal(cr_numbers_set_gravity(numbers, cri_vec3(3, 0, -9), NULL), CR_OK);
    y.b.numbers = numbers;
    bench_run(&y.b, 2);
    assert_true(crate_went(&y) > 1e-4);
    cr_numbers_destroy(numbers);
    yard_close(&y);
}

// ---------------------------------------------------------------------------------------------

// Eight worlds abreast, some calm and some not, step as each of them does alone.
static void test_calm_worlds_beside_others_keep_their_bits(void **state)
{
    (void)state;
    enum { LANES = 8 };
    yard y;
    yard_open(&y, 0.4);
    const cr_model *model = &y.w.model;
    size_t size = cr_state_size(model);
    cr_step steps[LANES];
    cr_state *alone = cr_state_create(model);
    cr_contact *contacts = calloc(LANES * (size_t)model->contact_max, sizeof *contacts);
    assert_true(alone && contacts);
    for (int i = 0; i < LANES; i++) {
        cr_state *to = cr_state_create(model);
        assert_non_null(to);
        cr_body_state *ball = &cri_bodies(model, to)[model->bodies[y.ball].slot];
        ball->position.y = 0.1 * i;
        ball->velocity.x = 1 + 0.5 * i;
        steps[i] = (cr_step){.from = to, .to = to, .actions = y.b.actions};
    }
    for (int i = 0; i < 120; i++) {
        int lane = i % LANES;
        cr_step own = {.from = steps[lane].to, .to = alone, .actions = y.b.actions};
        own.contacts = i % 3 ? y.b.contacts : NULL;
        y.b.type->step(y.b.engine, &own, 1);
        for (int k = 0; k < LANES; k++) {
            steps[k].contacts = (i + k) % 2 ? &contacts[k * model->contact_max] : NULL;
        }
        y.b.type->step(y.b.engine, steps, LANES);
        assert_memory_equal(alone, steps[lane].to, size);
        assert_int_equal(own.contact_count, steps[lane].contact_count);
        if (own.contacts && steps[lane].contacts) {
            assert_memory_equal(own.contacts, steps[lane].contacts,
                                (size_t)own.contact_count * sizeof(cr_contact));
        }
    }
    for (int i = 0; i < LANES; i++) {
        free(steps[i].to);
    }
    free(alone);
    free(contacts);
    yard_close(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_ball_rolls_as_without_them),
        cmocka_unit_test(test_their_contacts_are_reported),
        cmocka_unit_test(test_a_ball_strikes_the_crate),
        cmocka_unit_test(test_a_kick_from_nearby_strikes_the_crate),
        cmocka_unit_test(test_it_stands_still_again),
        cmocka_unit_test(test_what_has_no_speed_yet_falls),
        cmocka_unit_test(test_what_acts_on_it_moves_it),
        cmocka_unit_test(test_calm_worlds_beside_others_keep_their_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
