// The index of decisions against a plain scan: the same choice for every query, at every size, for
// every kind of crowd.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/trig.h"
#include "base/vec.h"
#include "plan/nearest.h"

enum { MOST = 3000 };

static cr_body body = {.name = "robot", .limits = {2, 3, 10, 40}};
static cr_model model = {.bodies = &body, .body_count = 1, .sampling = {.present = true}};

static cr_body_state random_body(cr_rng *rng, double spread, double speed)
{
    return (cr_body_state){
        .position = {cr_rng_uniform(rng, -spread, spread), cr_rng_uniform(rng, -spread, spread), 0},
        .rotation = cri_quat_heading(cr_rng_uniform(rng, -3, 3)),
        .velocity = {cr_rng_uniform(rng, -speed, speed), cr_rng_uniform(rng, -speed, speed), 0},
        .spin = {0, 0, cr_rng_uniform(rng, -speed, speed)},
    };
}

// Anywhere, or where the body comes to rest when it does nothing but brake.
static cr_sample random_sample(cr_rng *rng, double spread, const cr_body_state *braking)
{
    cr_sample sample = {
        {cr_rng_uniform(rng, -spread, spread), cr_rng_uniform(rng, -spread, spread), 0},
        cr_rng_uniform(rng, -3, 3)};
    if (braking) {
        cr_vec3 v = braking->velocity;
        double way = cri_length(v) / (2 * body.limits.acceleration);
        sample.place = cri_add(braking->position, cri_scale(way, v));
    }
    return sample;
}

// Add one body after another; after some of them, ask and compare. Returns the number of queries.
static int compare(double spread, double speed, uint64_t stream)
{
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, &model, MOST), CR_OK);
    cr_rng rng = cr_rng_make(11, CR_RNG_USER, stream);
    int queries = 0;
    for (int i = 0; i < MOST; i++) {
        cr_body_state state = random_body(&rng, spread, speed);
        cri_neighbours_add(&neighbours, &state, i);
        for (int k = 0; k < (i < 150 || i % 500 == 0 ? 12 : 0); k++) {
            cr_sample sample =
                random_sample(&rng, spread > 3 ? spread : 3, k % 4 == 0 ? &state : NULL);
            assert_int_equal(cri_neighbours_find(&neighbours, &sample),
                             cri_neighbours_scan(&neighbours, &sample));
            queries++;
        }
    }
    cri_neighbours_free(&neighbours);
    return queries;
}

static void the_index_agrees_with_a_scan(void **state)
{
    (void)state;
    int queries = 0;
    queries += compare(3, 2, 1);    // a room full of driving robots
    queries += compare(3, 4, 2);    // faster than they should be
    queries += compare(200, 0, 7);  // far apart: they go at top speed
    queries += compare(3, 0, 3);    // all at rest
    queries += compare(0.05, 1, 4); // all in one corner
    queries += compare(0, 0, 5);    // all alike: every choice is a tie
    model.sampling.has_heading = true;
    queries += compare(3, 2, 6);
    model.sampling.has_heading = false;
    assert_true(queries >= 10000);
}

static void ties_go_to_the_oldest(void **state)
{
    (void)state;
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, &model, MOST), CR_OK);
    cr_body_state same = {.rotation = {0, 0, 0, 1}};
    for (int i = 0; i < 500; i++) {
        cri_neighbours_add(&neighbours, &same, i + 7);
    }
    cr_sample sample = {{1, 1, 0}, 0};
    assert_int_equal(cri_neighbours_find(&neighbours, &sample), 7);
    cri_neighbours_free(&neighbours);
}

static void an_empty_index_has_no_answer(void **state)
{
    (void)state;
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, &model, 1), CR_OK);
    cr_sample sample = {{1, 1, 0}, 0};
    assert_int_equal(cri_neighbours_find(&neighbours, &sample), -1);
    cri_neighbours_free(&neighbours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_index_agrees_with_a_scan),
        cmocka_unit_test(ties_go_to_the_oldest),
        cmocka_unit_test(an_empty_index_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
