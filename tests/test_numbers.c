// Numbers as data: a world stepped with a block gives what a model compiled with these numbers
// gives, bit for bit, with every engine and every stepper; blocks of other worlds in the batch, and
// of earlier steps, change nothing.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/lanes/stepper.h"
#include "scenes.h"

// Balls that roll, bounce and meet, a box that slides and tumbles, an upright that is pushed.
static const char scene_text[] =
    "parameters: {mass: 1, load: 2, rub: 0.3, hold: 0.4, bounce: 0.5, roll: 0.01, twist: 0.02,\n"
    "             along: 0.1, damp: 0.1, turn: 0.2, pull: 9.81, slide: 0.1}\n"
    "gravity: pull\n"
    "materials:\n"
    "  felt: {friction: rub, static_friction: hold, restitution: bounce, rolling: roll,\n"
    "         spinning: twist, damping: {linear: damp, angular: turn}}\n"
    "  wood: {friction: 0.2, restitution: 0.3, grain: {along: [1, 0, 0], friction: along}}\n"
    "  rubber: {friction: 0.8, restitution: 0.6}\n"
    "  tar: {friction: 0.8, damping: {linear: 30, angular: 30}}\n"
    "pairs:\n"
    "  - {between: [felt, rubber], restitution: 0.9}\n"
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: wood}\n"
    "  wall: {kind: static, shape: {box: [0.1, 4, 1]}, material: rubber, at: [2, 0]}\n"
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: mass, material: felt, at: [0, 0, 0.3],\n"
    "         velocity: [3, 0.4, 0]}\n"
    "  other: {kind: passive, shape: {sphere: 0.15}, mass: load, material: rubber,\n"
    "          at: [1, 0.05, 0.15]}\n"
    // Damping is nothing to what is driven.
    "  bar: {kind: foreign, shape: {box: [0.5, 0.1, 0.1]}, material: tar, at: [3, 3]}\n"
    "MORE"
    "  bot: {kind: controlled, upright: true, shape: {box: [0.3, 0.3, 0.2]}, mass: 3,\n"
    "        material: felt, at: [1, 1], floor_friction: slide}\n";

// A crate lies on a ramp that static friction alone decides about: 0.6 of it, or 0.66 where hold is
// more, and the tangent of the ramp is 0.63.
static const char box_text[] =
    "  ramp: {kind: static, shape: {box: [1, 1, 0.1]}, material: rubber, at: [-4, 0, 1],\n"
    "         rotation: [0, 0.277413, 0, 0.960751]}\n"
    "  crate: {kind: passive, shape: {box: [0.2, 0.2, 0.2]}, mass: load, material: felt,\n"
    "          at: [-3.920046, 0, 1.126914], rotation: [0, 0.277413, 0, 0.960751]}\n"
    "  box: {kind: passive, shape: {box: [0.2, 0.3, 0.1]}, mass: load, material: felt,\n"
    "        at: [-1, 0, 0.4], velocity: [1, 1, 0], spin: [3, 5, 1]}\n";

static const char drop_text[] =
    "  drop: {kind: passive, shape: {sphere: 0.05}, mass: 1, material: tar, at: [-3, 0, 0.05]}\n";

static const char *const names[] = {"mass",  "load",  "rub",  "hold", "bounce", "roll",
                                    "twist", "along", "damp", "turn", "pull",   "slide"};
enum { NAMES = 12, STEPS = 90, ROUNDS = 15 };

// The scene, one with a free body, and one with a drop that is damped like nothing in lanes may be:
// it goes one by one in double.
typedef enum variant { PLAIN, BOX, DROP, VARIANTS } variant;

// values NULL: as written.
static cr_model *make_model(variant which, const double *values)
{
    static const char *const more[VARIANTS] = {"", box_text, drop_text};
    char text[4000], value[40];
    const char *at = strstr(scene_text, "MORE");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scene_text), scene_text, more[which],
             at + 4);
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    assert_int_equal(cr_scene_read_text(text, strlen(text), "t", &scene, &report), CR_OK);
    for (int i = 0; values && i < NAMES; i++) {
        snprintf(value, sizeof value, "%.17g", values[i]);
        assert_int_equal(cr_scene_set(scene, names[i], value, &report), CR_OK);
    }
    if (cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    cr_scene_destroy(scene);
    return model;
}

static void draw_values(uint64_t index, double *values)
{
    static const double low[NAMES] = {0.1, 0.5, 0, 0.5, 0, 0, 0, 0, 0, 0, 2, 0};
    static const double high[NAMES] = {4, 5, 0.5, 0.9, 1, 0.05, 0.05, 0.6, 1, 1, 15, 0.4};
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, index);
    for (int i = 0; i < NAMES; i++) {
        // None at times, where there may be none.
        bool none = low[i] == 0 && cr_rng_index(&rng, 4) == 0;
        values[i] = none ? 0 : cr_rng_uniform(&rng, low[i], high[i]);
    }
}

static bool is_pushed(const cr_body *body)
{
    return body->slot >= 0 && !body->driven;
}

// A block of `model` with the numbers that another model was compiled with.
static cr_numbers *numbers_of(const cr_model *model, const cr_model *other)
{
    cr_numbers *numbers = NULL;
    assert_int_equal(cr_numbers_create(model, &numbers, NULL), CR_OK);
    for (int i = 0; i < cr_model_body_count(model); i++) {
        const cr_body *b = cr_model_body(other, i);
        cr_body_numbers value = {b->mass, b->inertia, b->linear_damping, b->angular_damping,
                                 b->floor_friction};
        if (is_pushed(b)) {
            assert_int_equal(cr_numbers_set_body(numbers, i, &value, NULL), CR_OK);
        }
    }
    for (int i = 0; i < cr_model_material_count(model); i++) {
        assert_int_equal(cr_numbers_set_material(numbers, i, cr_model_material(other, i), NULL),
                         CR_OK);
    }
    assert_int_equal(cr_numbers_set_gravity(numbers, cr_model_gravity(other), NULL), CR_OK);
    return numbers;
}

typedef struct run {
    const cr_model *model;
    const cr_numbers *numbers;
    cr_engine *engine;
    cr_state *state;
    cr_action *actions;
} run;

static run open_run(const cr_model *model, const cr_numbers *numbers, const char *engine)
{
    run r = {.model = model, .numbers = numbers, .state = cr_state_create(model)};
    r.actions = calloc((size_t)cr_model_moving_count(model), sizeof *r.actions);
    assert_true(r.state && r.actions);
    int slot = cr_model_body(model, cr_model_find_body(model, "bot"))->slot;
    r.actions[slot].force = (cr_vec3){4, -6, 0};
    r.actions[slot].torque = (cr_vec3){0, 0, 0.5};
    assert_int_equal(cr_engine_create(model, engine, &r.engine, NULL), CR_OK);
    assert_true(cr_engine_takes_numbers(r.engine));
    return r;
}

static cr_step step_of(run *r)
{
    return (cr_step){
        .from = r->state, .to = r->state, .actions = r->actions, .numbers = r->numbers};
}

static void step(run *r)
{
    cr_step s = step_of(r);
    cr_engine_step(r->engine, &s, 1);
    assert_true(s.alive);
}

static void close_run(run *r)
{
    cr_engine_destroy(r->engine);
    free(r->state);
    free(r->actions);
}

// ---------------------------------------------------------------------------------------------

static void compare_with_compiled(variant which, const double *values, const char *engine)
{
    cr_model *model = make_model(which, NULL), *wanted = make_model(which, values);
    cr_numbers *numbers = numbers_of(model, wanted);
    run one = open_run(model, numbers, engine), two = open_run(wanted, NULL, engine);
    assert_int_equal(cr_state_size(model), cr_state_size(wanted));
    for (int i = 0; i < STEPS; i++) {
        step(&one);
        step(&two);
        assert_memory_equal(one.state, two.state, cr_state_size(model));
    }
    close_run(&one);
    close_run(&two);
    cr_numbers_destroy(numbers);
    cr_model_destroy(model);
    cr_model_destroy(wanted);
}

static void a_block_is_as_good_as_a_model(void **state)
{
    (void)state;
    for (int e = 0; e < cr_library_engine_count(NULL); e++) {
        for (int i = 0; i < ROUNDS; i++) {
            double values[NAMES];
            draw_values((uint64_t)i, values);
            compare_with_compiled((variant)(i % VARIANTS), values,
                                  cr_library_engine(NULL, e)->name);
        }
    }
}

// Each number by itself, so that none is forgotten: it changes something, and what it should.
static void every_number_counts(void **state)
{
    (void)state;
    for (int e = 0; e < cr_library_engine_count(NULL); e++) {
        const char *engine = cr_library_engine(NULL, e)->name;
        cr_model *plain = make_model(BOX, NULL);
        for (int k = 0; k < NAMES; k++) {
            double values[NAMES] = {1, 2, 0.3, 0.4, 0.5, 0.01, 0.02, 0.1, 0.1, 0.2, 9.81, 0.1};
            values[k] *= 1.3;
            compare_with_compiled(BOX, values, engine);
            cr_model *other = make_model(BOX, values);
            cr_numbers *numbers = numbers_of(plain, other);
            run one = open_run(plain, NULL, engine), two = open_run(plain, numbers, engine);
            bool differs = false;
            for (int i = 0; i < 2 * STEPS && !differs; i++) {
                step(&one);
                step(&two);
                differs = memcmp(one.state, two.state, cr_state_size(plain)) != 0;
            }
            if (!differs) {
                fail_msg("%s changes nothing in %s", names[k], engine);
            }
            close_run(&one);
            close_run(&two);
            cr_numbers_destroy(numbers);
            cr_model_destroy(other);
        }
        cr_model_destroy(plain);
    }
}

// With the model's own numbers in a block, the bits are the same as without.
static void own_numbers_change_nothing(void **state)
{
    (void)state;
    for (int e = 0; e < VARIANTS * cr_library_engine_count(NULL); e++) {
        cr_model *model = make_model((variant)(e % VARIANTS), NULL);
        cr_numbers *own = NULL;
        assert_int_equal(cr_numbers_create(model, &own, NULL), CR_OK);
        const char *engine = cr_library_engine(NULL, e / VARIANTS)->name;
        run one = open_run(model, NULL, engine), two = open_run(model, own, engine);
        for (int i = 0; i < STEPS; i++) {
            step(&one);
            step(&two);
            assert_memory_equal(one.state, two.state, cr_state_size(model));
        }
        close_run(&one);
        close_run(&two);
        cr_numbers_destroy(own);
        cr_model_destroy(model);
    }
}

// A batch of worlds, some with blocks and some without, all in one engine that steps them in turn:
// each goes as it goes alone.
static void worlds_do_not_see_each_others_numbers(void **state)
{
    (void)state;
    enum { WORLDS = 11 };
    for (int e = 0; e < VARIANTS * cr_library_engine_count(NULL); e++) {
        const char *engine = cr_library_engine(NULL, e / VARIANTS)->name;
        const variant which = (variant)(e % VARIANTS);
        cr_model *model = make_model(which, NULL);
        cr_numbers *blocks[WORLDS] = {NULL};
        run alone[WORLDS], among[WORLDS];
        cr_step batch[WORLDS];
        for (int i = 0; i < WORLDS; i++) {
            double values[NAMES];
            draw_values(100 + (uint64_t)i, values);
            cr_model *other = make_model(which, values);
            blocks[i] = i % 3 == 1 ? NULL : numbers_of(model, other);
            cr_model_destroy(other);
            alone[i] = open_run(model, blocks[i], engine);
            among[i] = open_run(model, blocks[i], engine);
        }
        for (int k = 0; k < STEPS; k++) {
            for (int i = 0; i < WORLDS; i++) {
                step(&alone[i]);
                batch[i] = step_of(&among[i]);
            }
            cr_engine_step(among[0].engine, batch, WORLDS);
            for (int i = 0; i < WORLDS; i++) {
                assert_memory_equal(alone[i].state, among[i].state, cr_state_size(model));
            }
        }
        for (int i = 0; i < WORLDS; i++) {
            close_run(&alone[i]);
            close_run(&among[i]);
            cr_numbers_destroy(blocks[i]);
        }
        cr_model_destroy(model);
    }
}

// The steppers themselves: eight worlds with blocks, or some with and some without, refuse nothing
// and give what a course of each compiled model gives to the scalar twin.
typedef struct lane {
    cr_model *model;
    cr_numbers *block; // of the first model
    cri_course course;
    void *scratch;
    cr_state *alone, *among;
} lane;

enum { LANES = 8 };

static void *scratch_of(const cri_stepper *stepper, const cri_course *course)
{
    void *scratch = aligned_alloc(64, (stepper->room(course) + 63) / 64 * 64);
    assert_non_null(scratch);
    return scratch;
}

static void open_lane(lane *l, const cr_model *model, variant which, uint64_t index)
{
    double values[NAMES];
    draw_values(index, values);
    bool own = index % 3 != 1;
    l->model = make_model(which, own ? values : NULL);
    l->block = own ? numbers_of(model, l->model) : NULL;
    assert_true(cri_course_fits(l->model));
    assert_int_equal(cri_course_init(&l->course, l->model, NULL), CR_OK);
    l->scratch = scratch_of(&cri_stepper_scalar, &l->course);
    l->alone = cr_state_create(l->model);
    l->among = cr_state_create(l->model);
}

static void close_lane(lane *l)
{
    free(l->alone);
    free(l->among);
    free(l->scratch);
    cri_course_free(&l->course);
    cr_numbers_destroy(l->block);
    cr_model_destroy(l->model);
}

static void step_lanes(const cri_stepper *stepper, const cri_course *course, lane *lanes)
{
    const cr_action actions[8] = {0};
    void *scratch = scratch_of(stepper, course);
    for (int k = 0; k < STEPS; k++) {
        cr_step batch[LANES];
        for (int i = 0; i < LANES; i++) {
            lane *l = &lanes[i];
            cr_step alone = {.from = l->alone, .to = l->alone, .actions = actions};
            assert_int_equal(cri_stepper_scalar.step(&l->course, l->scratch, &alone, 1), 0);
            batch[i] = (cr_step){
                .from = l->among, .to = l->among, .actions = actions, .numbers = l->block};
        }
        for (int i = 0; i < LANES; i += stepper->lanes) {
            assert_int_equal(stepper->step(course, scratch, &batch[i], stepper->lanes), 0);
        }
        for (int i = 0; i < LANES; i++) {
            assert_memory_equal(lanes[i].alone, lanes[i].among, cr_state_size(lanes[i].model));
        }
    }
    free(scratch);
}

static void each_stepper_heeds_blocks(void **state)
{
    (void)state;
    const cri_stepper *steppers[] = {&cri_stepper_scalar, &cri_stepper_base, cri_stepper_best()};
    for (int which = PLAIN; which <= BOX; which++) {
        for (int s = 0; s < 3; s++) {
            cr_model *model = make_model((variant)which, NULL);
            cri_course course;
            lane lanes[LANES];
            assert_int_equal(cri_course_init(&course, model, NULL), CR_OK);
            for (int i = 0; i < LANES; i++) {
                open_lane(&lanes[i], model, (variant)which, 200 + (uint64_t)(s * LANES + i));
            }
            step_lanes(steppers[s], &course, lanes);
            for (int i = 0; i < LANES; i++) {
                close_lane(&lanes[i]);
            }
            cri_course_free(&course);
            cr_model_destroy(model);
        }
    }
}

// Numbers decide whether lanes are good enough for a world: a drop of tar that is damped less goes
// there, one that is damped as written, or a ball that is heavier about one axis, in double.
static void numbers_choose_the_way(void **state)
{
    (void)state;
    cr_model *model = make_model(DROP, NULL);
    int drop = cr_model_find_body(model, "drop"), ball = cr_model_find_body(model, "ball");
    cr_numbers *thin = NULL, *egg = NULL;
    assert_int_equal(cr_numbers_create(model, &thin, NULL), CR_OK);
    cr_body_numbers value = cr_numbers_body(thin, drop);
    value.linear_damping = value.angular_damping = 1;
    assert_int_equal(cr_numbers_set_body(thin, drop, &value, NULL), CR_OK);
    assert_int_equal(cr_numbers_create(model, &egg, NULL), CR_OK);
    cr_numbers_copy(egg, thin);
    value = cr_numbers_body(egg, ball);
    value.inertia.x *= 1.5;
    assert_int_equal(cr_numbers_set_body(egg, ball, &value, NULL), CR_OK);
    cri_course course;
    assert_int_equal(cri_course_init(&course, model, NULL), CR_OK);
    const cr_action actions[8] = {0};
    const cri_stepper *steppers[] = {&cri_stepper_scalar, &cri_stepper_base, cri_stepper_best()};
    for (int s = 0; s < 3; s++) {
        const cr_numbers *blocks[] = {NULL, thin, egg};
        void *scratch = scratch_of(steppers[s], &course);
        for (int i = 0; i < 3; i++) {
            cr_state *world = cr_state_create(model);
            cr_step one = {.from = world, .to = world, .actions = actions, .numbers = blocks[i]};
            assert_int_equal(steppers[s]->step(&course, scratch, &one, 1), blocks[i] != thin);
            free(world);
        }
        free(scratch);
    }
    cri_course_free(&course);
    cr_numbers_destroy(thin);
    cr_numbers_destroy(egg);
    cr_model_destroy(model);
}

// A block may change between two steps: the next one heeds it. Without contacts, force / mass and
// gravity give the closed form.
static void closed_forms(void **state)
{
    (void)state;
    for (int e = 0; e < cr_library_engine_count(NULL); e++) {
        cr_model *model =
            load_text("bodies:\n"
                      "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0, 20]}\n"
                      "  bot: {kind: controlled, upright: true, shape: {sphere: 0.1}, mass: 3, at: "
                      "[9, 9]}\n");
        cr_numbers *numbers = NULL;
        assert_int_equal(cr_numbers_create(model, &numbers, NULL), CR_OK);
        run r = open_run(model, numbers, cr_library_engine(NULL, e)->name);
        memset(r.actions, 0, 2 * sizeof *r.actions);
        r.actions[0].force = (cr_vec3){6, 0, 0};
        double speed = 0, fall = 0;
        for (int i = 0; i < 60; i++) {
            double mass = 1 + i % 4, pull = 1.5 * (i % 3);
            assert_int_equal(cr_numbers_set_mass(numbers, 0, mass, NULL), CR_OK);
            assert_int_equal(cr_numbers_set_gravity(numbers, (cr_vec3){0, 0, -pull}, NULL), CR_OK);
            speed += 6 / mass * cr_model_dt(model);
            fall += pull * cr_model_dt(model);
            step(&r);
        }
        cr_vec3 v = cr_state_velocity(model, r.state, 0);
        double near = strcmp(cr_library_engine(NULL, e)->name, "lanes") == 0 ? 1e-5 : 1e-9;
        assert_float_equal(v.x, speed, near); // lanes are floats
        assert_float_equal(v.z, -fall, near);
        close_run(&r);
        cr_numbers_destroy(numbers);
        cr_model_destroy(model);
    }
}

// A kick of a body is as much harder and goes as much astray as its block says; who has a block
// without errors, or another body, is kicked as meant.
static void kicks_err(void **state)
{
    (void)state;
    static const cr_kick_numbers errors[] = {{1, 0}, {1.5, 0}, {1, 0.3}, {0.25, -2}, {0, 1}};
    enum { ERRORS = 5 };
    for (int e = 0; e < cr_library_engine_count(NULL); e++) {
        cr_model *model =
            load_text("gravity: 0\n"
                      "bodies:\n"
                      "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 2, at: [0, 0, 20]}\n"
                      "  bot: {kind: controlled, upright: true, shape: {sphere: 0.1}, mass: 4, at: "
                      "[9, 9]}\n");
        cr_numbers *blocks[ERRORS];
        run runs[ERRORS];
        cr_step steps[ERRORS];
        const char *engine = cr_library_engine(NULL, e)->name;
        for (int i = 0; i < ERRORS; i++) {
            assert_int_equal(cr_numbers_create(model, &blocks[i], NULL), CR_OK);
            assert_int_equal(cr_numbers_set_kick(blocks[i], 0, errors[i], NULL), CR_OK);
            cr_numbers *copy = blocks[i];
            assert_int_equal(cr_numbers_create(model, &blocks[i], NULL), CR_OK);
            cr_numbers_copy(blocks[i], copy);
            cr_numbers_destroy(copy);
            runs[i] = open_run(model, blocks[i], engine);
            runs[i].actions[0] = (cr_action){.impulse = {3, 1, 0.5}};
            runs[i].actions[1] = (cr_action){.impulse = {3, 1, 0}};
            steps[i] = step_of(&runs[i]);
        }
        cr_engine_step(runs[0].engine, steps, ERRORS);
        for (int i = 0; i < ERRORS; i++) {
            double gain = errors[i].gain, c = cos(errors[i].turn), s = sin(errors[i].turn);
            cr_vec3 v = cr_state_velocity(model, runs[i].state, 0);
            assert_float_equal(v.x, (gain * (c * 3 - s) / 2), 1e-6);
            assert_float_equal(v.y, (gain * (s * 3 + c) / 2), 1e-6);
            assert_float_equal(v.z, (gain * 0.25), 1e-6);
            v = cr_state_velocity(model, runs[i].state, 1);
            assert_float_equal(v.x, 0.75, 1e-6);
            assert_float_equal(v.y, 0.25, 1e-6);
            assert_float_equal(cr_numbers_kick(blocks[i], 0).turn, errors[i].turn, 0);
            close_run(&runs[i]);
            cr_numbers_destroy(blocks[i]);
        }
        cr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// The block itself.

static void assert_surface(const cr_material *m, double friction, double restitution)
{
    assert_float_equal(m->friction, friction, 1e-12);
    assert_float_equal(m->restitution, restitution, 1e-12);
}

// The scene overrides the restitution of felt on rubber.
static void pairs_follow_their_materials(void **state)
{
    (void)state;
    cr_model *model = make_model(PLAIN, NULL);
    int on_felt = cr_model_find_material(model, "felt");
    int on_wood = cr_model_find_material(model, "wood");
    int on_rubber = cr_model_find_material(model, "rubber");
    assert_int_equal(cr_model_find_material(model, "feld"), -1);
    cr_numbers *numbers = NULL;
    assert_int_equal(cr_numbers_create(model, &numbers, NULL), CR_OK);
    cr_material felt = cr_numbers_material(numbers, on_felt);
    assert_string_equal(felt.name, "felt");
    felt.friction = 0.6;
    felt.restitution = 0.1;
    felt.name = "other";
    assert_int_equal(cr_numbers_set_material(numbers, on_felt, &felt, NULL), CR_OK);
    assert_string_equal(cr_numbers_material(numbers, on_felt).name, "felt");
    cr_material pair = cr_numbers_pair(numbers, on_wood, on_felt);
    assert_surface(&pair, (0.6 + 0.2) / 2, (0.1 + 0.3) / 2);
    pair = cr_numbers_pair(numbers, on_felt, on_rubber);
    assert_surface(&pair, (0.6 + 0.8) / 2, 0.9);
    pair.friction = 0.05;
    assert_int_equal(cr_numbers_set_pair(numbers, on_rubber, on_felt, &pair, NULL), CR_OK);
    felt.friction = 0.7;
    assert_int_equal(cr_numbers_set_material(numbers, on_felt, &felt, NULL), CR_OK);
    pair = cr_numbers_pair(numbers, on_felt, on_rubber);
    assert_surface(&pair, 0.05, 0.9);
    cr_numbers *copy = NULL;
    assert_int_equal(cr_numbers_create(model, &copy, NULL), CR_OK);
    cr_numbers_copy(copy, numbers);
    cr_numbers_copy(numbers, NULL);
    pair = cr_numbers_pair(copy, on_rubber, on_felt);
    assert_surface(&pair, 0.05, 0.9);
    pair = cr_numbers_pair(numbers, on_rubber, on_felt);
    assert_surface(&pair, (0.3 + 0.8) / 2, 0.9);
    cr_numbers_destroy(copy);
    cr_numbers_destroy(numbers);
    cr_model_destroy(model);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    cr_model *model = make_model(PLAIN, NULL);
    cr_numbers *numbers = NULL;
    assert_int_equal(cr_numbers_create(model, &numbers, NULL), CR_OK);
    int ball = cr_model_find_body(model, "ball");
    static const double bad[] = {0, -1, NAN, HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        cr_report report = {0};
        cr_body_numbers b = cr_numbers_body(numbers, ball);
        assert_int_equal(cr_numbers_set_mass(numbers, ball, bad[i], &report), CR_ERR_RANGE);
        assert_int_equal(report.count, 1);
        b.inertia.y = bad[i];
        assert_int_equal(cr_numbers_set_body(numbers, ball, &b, NULL), CR_ERR_RANGE);
        cr_material m = cr_numbers_material(numbers, 1);
        m.friction = bad[i];
        cr_status wanted = i == 0 ? CR_OK : CR_ERR_RANGE;
        assert_int_equal(cr_numbers_set_material(numbers, 1, &m, NULL), wanted);
        m.friction = 1;
        m.restitution = i == 0 ? 1.01 : bad[i];
        assert_int_equal(cr_numbers_set_pair(numbers, 1, 1, &m, NULL), CR_ERR_RANGE);
        b.inertia.y = 1;
        b.floor_friction = i == 0 ? 1 : bad[i]; // a ball has none
        assert_int_equal(cr_numbers_set_body(numbers, ball, &b, NULL), CR_ERR_RANGE);
        b = cr_numbers_body(numbers, ball);
        b.angular_damping = bad[i];
        assert_int_equal(cr_numbers_set_body(numbers, ball, &b, NULL), wanted);
    }
    assert_int_equal(cr_numbers_set_kick(numbers, ball, (cr_kick_numbers){-1, 0}, NULL),
                     CR_ERR_RANGE);
    assert_int_equal(cr_numbers_set_kick(numbers, ball, (cr_kick_numbers){1, NAN}, NULL),
                     CR_ERR_RANGE);
    cr_vec3 wrong = {0, NAN, 0};
    assert_int_equal(cr_numbers_set_gravity(numbers, wrong, NULL), CR_ERR_RANGE);
    assert_float_equal(cr_numbers_body(numbers, ball).mass, 1, 0); // nothing was taken
    cr_numbers_destroy(numbers);
    cr_numbers_destroy(NULL);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_as_good_as_a_model),
        cmocka_unit_test(every_number_counts),
        cmocka_unit_test(own_numbers_change_nothing),
        cmocka_unit_test(worlds_do_not_see_each_others_numbers),
        cmocka_unit_test(each_stepper_heeds_blocks),
        cmocka_unit_test(numbers_choose_the_way),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(kicks_err),
        cmocka_unit_test(pairs_follow_their_materials),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
