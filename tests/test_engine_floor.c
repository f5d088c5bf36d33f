// Conformance of engines: the friction of upright bodies on the floor that they stand on.
#include "engines.h"

static const double G = 9.81, MU = 0.3, RADIUS = 0.1;

// A disc that slides and spins.
static bench open_disc(world *w, const cr_engine_type *type, cr_body body)
{
    *w = world_make();
    int m = world_material(w, 0.5, 0.5, 0);
    world_add(w, plane_of(), m, (cr_body){0});
    body.kind = CR_KIND_CONTROLLED;
    body.upright = true;
    body.mass = 2;
    body.pose = pose_at(0, 0, 0.05);
    world_add(w, cylinder_of(RADIUS, 0.1), m, body);
    world_finish(w);
    return bench_open(w, type);
}

static void close_disc(bench *b, world *w)
{
    bench_close(b);
    world_free(w);
}

// It stops after v^2 / (2 mu g), on a straight line, in v / (mu g).
static void check_slide(const cr_engine_type *type, double speed, double heading)
{
    world w;
    cr_vec3 along = {cri_cos(heading), cri_sin(heading), 0}, side = {-along.y, along.x, 0};
    bench b =
        open_disc(&w, type, (cr_body){.floor_friction = MU, .velocity = cri_scale(speed, along)});
    const cr_body_state *s = bench_body(&b, 1);
    int steps = (int)(60 * speed / (MU * G));
    bench_run(&b, steps);
    assert_near(cri_dot(s->velocity, along), speed - MU * G * steps / 60, 1e-5);
    bench_run(&b, 2);
    assert_near(cri_length(s->velocity), 0, 1e-12);
    // What is left of the last substep is treated as a whole: mu g h^2 / 8 at most.
    assert_near(cri_dot(s->position, along), speed * speed / (2 * MU * G), 1e-5);
    assert_near(cri_dot(s->position, side), 0, 1e-6);
    close_disc(&b, &w);
}

static void sliding_stops_where_it_should(void **state)
{
    check_slide(*state, 2, 0);
    check_slide(*state, 0.7, 2.5);
    check_slide(*state, 3.3, -1);
}

// Each ring of a disc of even pressure has its share of the torque: mu m g 2/3 R in all, so the
// spin is braked by 4/3 mu g / R.
static void spinning_stops_when_it_should(void **state)
{
    const double spin = 20, loss = 4.0 / 3 * MU * G / RADIUS;
    world w;
    bench b = open_disc(&w, *state, (cr_body){.floor_friction = MU, .spin = {0, 0, spin}});
    const cr_body_state *s = bench_body(&b, 1);
    int steps = (int)(60 * spin / loss);
    bench_run(&b, steps);
    assert_near(s->spin.z, spin - loss * steps / 60, 1e-4);
    bench_run(&b, 2);
    assert_near(s->spin.z, 0, 1e-12);
    assert_near(cri_length(s->position), 0.05, 1e-9);
    close_disc(&b, &w);
}

// What spins slides farther, because friction has both to brake, and both stop together: while
// either goes on, the other is braked in proportion.
static void sliding_and_spinning_share_the_friction(void **state)
{
    world w;
    bench b = open_disc(&w, *state,
                        (cr_body){.floor_friction = MU, .velocity = {1, 0, 0}, .spin = {0, 0, 15}});
    const cr_body_state *s = bench_body(&b, 1);
    // Just after the start: the slip is that of the disc's mean ring, 2/3 R from its middle.
    double turn = 15 * RADIUS * 2 / 3, slip = sqrt(1 + turn * turn);
    bench_run(&b, 1);
    assert_near(s->velocity.x, 1 - MU * G / 60 / slip, 1e-3);
    assert_near(s->spin.z, 15 * (1 - 8.0 / 9 * MU * G / 60 / slip), 1e-2);
    int moving = 0, turning = 0;
    for (int i = 1; i < 120; i++) {
        moving = cri_length(s->velocity) > 1e-4 ? i : moving;
        turning = fabs(s->spin.z) > 1e-3 ? i : turning;
        bench_run(&b, 1);
    }
    assert_true(moving > 60 / (MU * G) && turning < 119);
    assert_true(abs(moving - turning) <= 1);
    assert_true(s->position.x > 1.2 / (2 * MU * G));
    close_disc(&b, &w);
}

// A force of less than mu m g moves nothing; a larger one leaves the rest.
static void a_push_must_overcome_it(void **state)
{
    for (int strong = 0; strong < 2; strong++) {
        world w;
        bench b = open_disc(&w, *state, (cr_body){.floor_friction = MU});
        double push = (strong ? 1.5 : 0.99) * MU * G;
        b.actions[0].force = (cr_vec3){2 * push, 0, 0};
        bench_run(&b, 60);
        const cr_body_state *s = bench_body(&b, 1);
        assert_near(s->velocity.x, strong ? push - MU * G : 0, 1e-5);
        close_disc(&b, &w);
    }
}

// Unless a scene asks for it, or where nothing weighs anything, there is none.
static void without_it_nothing_brakes(void **state)
{
    for (int i = 0; i < 2; i++) {
        world w;
        bench b = open_disc(
            &w, *state,
            (cr_body){.floor_friction = i ? MU : 0, .velocity = {1, 2, 0}, .spin = {0, 0, 3}});
        cr_numbers *none = NULL;
        assert_int_equal(cr_numbers_create(&w.model, &none, NULL), CR_OK);
        cr_numbers_set_gravity(none, (cr_vec3){0, 0, i ? 5 : -9.81}, NULL); // i: it falls up
        b.numbers = none;
        bench_run(&b, 60);
        const cr_body_state *s = bench_body(&b, 1);
        assert_near(s->velocity.x, 1, 1e-6);
        assert_near(s->velocity.y, 2, 1e-6);
        assert_near(s->spin.z, 3, 1e-6);
        cr_numbers_destroy(none);
        close_disc(&b, &w);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_stops_where_it_should),
        cmocka_unit_test(spinning_stops_when_it_should),
        cmocka_unit_test(sliding_and_spinning_share_the_friction),
        cmocka_unit_test(a_push_must_overcome_it),
        cmocka_unit_test(without_it_nothing_brakes),
    };
    return RUN_FOR_ENGINES(tests);
}
