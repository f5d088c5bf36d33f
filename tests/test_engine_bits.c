// The same bits from every compiler, at every optimisation level: golden hashes. A change of these
// numbers is a change of what every stored plan replays to; make it on purpose.
#include "engines.h"
#include "field.h"
#include "goldens.h"

typedef struct golden {
    const char *engine;
    uint64_t after[4]; // the hash of the state after 15, 30, 60 and 120 steps
} golden;

// Bodies of all sorts.
static const golden GOLDEN[] = {
    {"ode", {0xf3a02c394a06f935, 0xd3a2613bc8ffefb9, 0x12afa6f9a60cac9a, 0xbeda703cc8dfb714}},
    {"lanes", {0x3eae4bf0243cf058, 0x5b1561b88e36f4a1, 0xf350c9b565e52398, 0x30cb552636c3ee71}},
};

// Balls and robots.
static const golden GOLDEN_FIELD[] = {
    {"ode", {0x6296db45340895fd, 0xd58a994d390b2d0c, 0x623e8de60a31a526, 0xa30e88023392206c}},
    {"lanes", {0x19498e79481377f3, 0xb378f9e36884b74d, 0x0a138df39031fa86, 0xd47b71c830d7b1c6}},
};

// A ball among boards, a robot that turns and drives, a driven bar, boxes, a can and a wedge that
// tumble.
static void all_sorts(world *w, cr_vec2 outline[ROBOT_POINTS])
{
    static const cr_vec2 wedge[] = {{-0.04, -0.03}, {0.05, -0.03}, {-0.04, 0.04}};
    int m = world_material(w, 0.3, 0.4, 0.6);
    world_add(w, plane_of(), m, (cr_body){0});
    world_add(w, box_of(0.05, 2, 0.2), m, (cr_body){.pose = pose_at(0.8, 0, 0.1)});
    world_add(w, box_of(0.05, 2, 0.2), m, (cr_body){.pose = pose_at(-0.8, 0, 0.1)});
    world_add(w, sphere_of(0.0215), m,
              (cr_body){.kind = CR_KIND_PASSIVE,
                        .mass = 0.046,
                        .linear_damping = 0.15,
                        .angular_damping = 0.2,
                        .pose = pose_at(0, 0.02, 0.0215),
                        .velocity = {6, 0.4, 0}});
    world_add(w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), m,
              (cr_body){.kind = CR_KIND_CONTROLLED,
                        .upright = true,
                        .mass = 2.5,
                        .pose = pose_at(-0.4, 0, 0.08)});
    world_add(w, box_of(0.6, 0.03, 0.1), m,
              (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0.3, 0.5, 0.06)});
    const cr_shape shapes[] = {box_of(0.06, 0.05, 0.04), cylinder_of(0.03, 0.05),
                               prism_of(wedge, 3, 0.06)};
    for (int i = 0; i < 9; i++) {
        cr_quat turn = cri_quat_axis(cri_vec3(1, i % 5, i % 3), 0.7 * i);
        world_add(w, shapes[i % 3], m,
                  (cr_body){.kind = CR_KIND_PASSIVE,
                            .mass = 0.1,
                            .pose = {{0.3 + 0.05 * (i % 2), 0.45, 0.2 + 0.08 * i}, turn},
                            .spin = {i, -i, 3}});
    }
    world_finish(w);
}

static void check_golden(const golden *rows, const cr_engine_type *type, const uint64_t hashes[4])
{
    if (getenv("CAROM_PRINT_GOLDEN")) {
        print_message("    {\"%s\", {0x%016llx, 0x%016llx, 0x%016llx, 0x%016llx}},\n", type->name,
                      (unsigned long long)hashes[0], (unsigned long long)hashes[1],
                      (unsigned long long)hashes[2], (unsigned long long)hashes[3]);
    }
    const golden *row = rows;
    while (strcmp(row->engine, type->name) != 0) {
        row++;
    }
    for (int k = 0; k < 4; k++) {
        assert_int_equal(hashes[k], row->after[k]);
    }
}

static const int TIMES[] = {15, 30, 60, 120};

static void test_golden_hashes(void **state)
{
    SKIP_WITHOUT_GOLDENS();
    const cr_engine_type *type = *state;
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    all_sorts(&w, outline);
    bench b = bench_open(&w, type);
    b.actions[1] = (cr_action){.force = {8, 1, 0}, .torque = {0, 0, 0.02}};
    b.actions[2].spin.z = 4;
    uint64_t hashes[4];
    for (int i = 0, step = 0; i < 4; i++) {
        bench_run(&b, TIMES[i] - step);
        step = TIMES[i];
        hashes[i] = cr_state_hash(b.model, b.state);
    }
    check_golden(GOLDEN, type, hashes);
    bench_close(&b);
    world_free(&w);
}

static void test_golden_hashes_of_a_field(void **state)
{
    SKIP_WITHOUT_GOLDENS();
    const cr_engine_type *type = *state;
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    crowded_field(&w, outline);
    bench b = bench_open(&w, type);
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    uint64_t hashes[4];
    for (int i = 0, step = 0; i < 4; i++) {
        for (; step < TIMES[i]; step++) {
            crowded_actions(b.model, b.actions, &rng);
            bench_run(&b, 1);
        }
        hashes[i] = cr_state_hash(b.model, b.state);
    }
    check_golden(GOLDEN_FIELD, type, hashes);
    bench_close(&b);
    world_free(&w);
}

int main(void)
{
    struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_hashes),
                                 cmocka_unit_test(test_golden_hashes_of_a_field)};
    return RUN_FOR_ENGINES(tests);
}
