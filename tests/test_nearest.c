// The index of decisions against a plain scan: the same choice for every query, at every size, for
// every kind of crowd.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

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
static int compare(int most, double spread, double speed, uint64_t stream)
{
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, &model, most), CR_OK);
    cr_rng rng = cr_rng_make(11, CR_RNG_USER, stream);
    int queries = 0;
    for (int i = 0; i < most; i++) {
        cr_body_state state = random_body(&rng, spread, speed);
        cri_neighbours_add(&neighbours, &state, i);
        bool asks = most == MOST ? i < 150 || i % 500 == 0 : i % 20 == 3;
        for (int k = 0; k < (!asks ? 0 : most == MOST ? 12 : 4); k++) {
            cr_sample sample =
                random_sample(&rng, spread > 3 ? spread : 3, k % 4 == 0 ? &state : NULL);
            cr_rng one = rng, same = rng;
            assert_int_equal(cri_neighbours_find(&neighbours, &sample, &one),
                             cri_neighbours_scan(&neighbours, &sample, &same));
            assert_memory_equal(&one, &same, sizeof one);
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
    queries += compare(MOST, 3, 2, 1);    // a room full of driving robots
    queries += compare(MOST, 3, 4, 2);    // faster than they should be
    queries += compare(MOST, 200, 0, 7);  // far apart: they go at top speed
    queries += compare(MOST, 3, 0, 3);    // all at rest
    queries += compare(MOST, 0.05, 1, 4); // all in one corner
    queries += compare(MOST, 0, 0, 5);    // all alike: every choice is a tie
    model.sampling.has_heading = true;
    queries += compare(MOST, 3, 2, 6);
    model.sampling.has_heading = false;
    assert_true(queries >= 10000);
}

// The same where the scene says what is near.
static void other_metrics_agree_with_a_scan(void **state)
{
    (void)state;
    static const cri_sampling metrics[] = {
        {.present = true, .metric = CRI_METRIC_DISTANCE},
        {.present = true, .metric = CRI_METRIC_DISTANCE, .has_heading = true},
        {.present = true, .deceleration = 9},
        {.present = true, .deceleration = 0.7},
        {.present = true, .velocity = {1, -0.5, 0}},
        {.present = true, .velocity = {-3, 0, 0}, .deceleration = 5, .has_heading = true},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        model.sampling = metrics[i];
        compare(MOST / 10, 3, 2, 20 + i);
        compare(MOST / 10, 0.05, 1, 40 + i);
        compare(MOST / 10, 3, 0, 60 + i);
    }
    model.sampling = (cri_sampling){.present = true};
}

// How often each of so many branches is found. Their bodies stand on a circle round the sample, in
// as many spots: as far away as each other, to the last bit.
static void find_often(int branches, int spots, int *found, int queries)
{
    cri_neighbours neighbours;
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, (uint64_t)spots);
    assert_int_equal(cri_neighbours_create(&neighbours, &model, branches), CR_OK);
    for (int i = 0; i < branches; i++) {
        double x = i % spots & 1 ? -1 : 1, y = i % spots & 2 ? -0.5 : 0.5;
        cr_body_state stands = {.position = {x, y, 0}, .rotation = {0, 0, 0, 1}};
        cri_neighbours_add(&neighbours, &stands, i);
    }
    assert_int_equal(neighbours.count, spots); // who ends alike costs one entry
    cr_sample sample = {{0, 0, 0}, 0};
    for (int i = 0; i < queries; i++) {
        found[cri_neighbours_find(&neighbours, &sample, &rng)]++;
    }
    cri_neighbours_free(&neighbours);
}

// Each is found as often as the others: Pearson's test at a probability of 1e-6.
static void ties_go_to_anyone(void **state)
{
    (void)state;
    for (int spots = 1; spots <= 4; spots *= 2) {
        enum { BRANCHES = 20, QUERIES = 20000 };
        int found[BRANCHES] = {0};
        find_often(BRANCHES, spots, found, QUERIES);
        double sum = 0, mean = (double)QUERIES / BRANCHES;
        for (int i = 0; i < BRANCHES; i++) {
            sum += (found[i] - mean) * (found[i] - mean) / mean;
        }
        assert_true(sum < 64); // 19 degrees of freedom
    }
}

static void a_crowd_that_ends_alike_is_one_entry(void **state)
{
    (void)state;
    enum { CROWD = 100000, QUERIES = 1000 };
    int *found = calloc(CROWD, sizeof *found);
    assert_non_null(found);
    find_often(CROWD, 1, found, QUERIES);
    int different = 0;
    for (int i = 0; i < CROWD; i++) {
        different += found[i] > 0;
    }
    assert_true(different > QUERIES * 95 / 100);
    free(found);
}

static void a_cleared_index_is_a_new_one(void **state)
{
    (void)state;
    cri_neighbours neighbours;
    cr_rng rng = cr_rng_make(6, CR_RNG_USER, 0);
    assert_int_equal(cri_neighbours_create(&neighbours, &model, 100), CR_OK);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            cr_body_state stands = random_body(&rng, 1, 0);
            stands.position.x = i / 2; // half of them again
            stands.position.y = 0;
            stands.velocity = cri_vec3(0, 0, 0);
            cri_neighbours_add(&neighbours, &stands, 100 * round + i);
        }
        assert_int_equal(neighbours.count, 50);
        cr_sample sample = {{20, 0, 0}, 0};
        int32_t found = cri_neighbours_find(&neighbours, &sample, &rng);
        assert_true(found == 100 * round + 40 || found == 100 * round + 41);
        cri_neighbours_clear(&neighbours);
        assert_int_equal(cri_neighbours_find(&neighbours, &sample, &rng), -1);
    }
    cri_neighbours_free(&neighbours);
}

static void an_empty_index_has_no_answer(void **state)
{
    (void)state;
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, &model, 1), CR_OK);
    cr_sample sample = {{1, 1, 0}, 0};
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    assert_int_equal(cri_neighbours_find(&neighbours, &sample, &rng), -1);
    cri_neighbours_free(&neighbours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_index_agrees_with_a_scan),
        cmocka_unit_test(other_metrics_agree_with_a_scan),
        cmocka_unit_test(ties_go_to_anyone),
        cmocka_unit_test(a_crowd_that_ends_alike_is_one_entry),
        cmocka_unit_test(a_cleared_index_is_a_new_one),
        cmocka_unit_test(an_empty_index_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
