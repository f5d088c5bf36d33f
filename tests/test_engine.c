// Conformance of engines: purity, free flight, actions, masks, and the form of what a step returns.
#include "engines.h"

#include <pthread.h>

// ---------------------------------------------------------------------------------------------
// Purity.

enum { HISTORY = 120 };

// A world with something of everything: balls, an upright robot, boards, boxes, a driven bar.
// dice: more bodies, so that an engine that has a coarser method for many contacts uses it.
static void busy_world(world *w, cr_vec2 outline[ROBOT_POINTS], int dice)
{
    int rough = world_material(w, 0.3, 0.4, 0.6);
    int floor = world_add(w, plane_of(), rough, (cr_body){0});
    world_add(w, box_of(0.05, 2, 0.2), rough, (cr_body){.pose = pose_at(0.8, 0, 0.1)});
    world_add(w, box_of(0.05, 2, 0.2), rough, (cr_body){.pose = pose_at(-0.8, 0, 0.1)});
    int ball = world_add(w, sphere_of(0.0215), rough,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.046,
                                   .linear_damping = 0.15,
                                   .angular_damping = 0.2,
                                   .pose = pose_at(0, 0.02, 0.0215),
                                   .velocity = {6, 0.4, 0}});
    int robot = world_add(w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), rough,
                          (cr_body){.kind = CR_KIND_CONTROLLED,
                                    .upright = true,
                                    .mass = 2.5,
                                    .pose = pose_at(-0.4, 0, 0.08)});
    world_add(w, box_of(0.6, 0.03, 0.1), rough,
              (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0.3, 0.5, 0.06)});
    for (int i = 0; i < dice; i++) {
        world_add(w, box_of(0.04, 0.04, 0.04), rough,
                  (cr_body){.kind = CR_KIND_PASSIVE,
                            .mass = 0.05,
                            .pose = pose_at(0.3 + 0.03 * (i % 2), -0.3 + 0.03 * (i / 2 % 2),
                                            0.03 + 0.05 * i),
                            .spin = {1, 2, i % 5 - 2.0}});
    }
    world_wish(w, floor, ball, true);
    world_wish(w, ball, robot, true);
    world_finish(w);
}

typedef struct history {
    world w;
    cr_vec2 outline[ROBOT_POINTS];
    size_t size;           // of a state
    unsigned char *states; // HISTORY + 1
    cr_action *actions;    // HISTORY x moving_count
    cr_contact *contacts;  // HISTORY x contact_max
    int counts[HISTORY];
} history;

static cr_state *state_of(const history *h, int i)
{
    return (cr_state *)(void *)(h->states + (size_t)i * h->size);
}

static cr_action *actions_of(const history *h, int i)
{
    return h->actions + i * h->w.model.moving_count;
}

static void draw_actions(history *h)
{
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < HISTORY; i++) {
        cr_action *a = actions_of(h, i);
        a[1].force.x = cr_rng_uniform(&rng, -20, 20);
        a[1].force.y = cr_rng_uniform(&rng, -20, 20);
        a[1].torque.z = cr_rng_uniform(&rng, -0.5, 0.5);
        a[0].impulse.x = i % 40 == 39 ? 0.2 : 0;
        a[2].spin.z = 6;
    }
}

static cr_step step_of(const history *h, int i, cr_state *to, cr_contact *contacts)
{
    return (cr_step){
        .from = state_of(h, i), .to = to, .actions = actions_of(h, i), .contacts = contacts};
}

static void record(history *h, const cr_engine_type *type, int dice)
{
    h->w = world_make();
    busy_world(&h->w, h->outline, dice);
    const cr_model *model = &h->w.model;
    h->size = cr_state_size(model);
    h->states = calloc(HISTORY + 1, h->size);
    h->actions = calloc(HISTORY * (size_t)model->moving_count, sizeof *h->actions);
    h->contacts = calloc(HISTORY * (size_t)model->contact_max, sizeof *h->contacts);
    assert_true(h->states && h->actions && h->contacts);
    draw_actions(h);
    void *engine;
    assert_int_equal(type->create(model, &engine, NULL), CR_OK);
    cr_state_start(model, state_of(h, 0));
    for (int i = 0; i < HISTORY; i++) {
        cr_step step = step_of(h, i, state_of(h, i + 1), h->contacts + i * model->contact_max);
        type->step(engine, &step, 1);
        assert_true(step.alive);
        h->counts[i] = step.contact_count;
    }
    type->destroy(engine);
}

static void forget(history *h)
{
    free(h->states);
    free(h->actions);
    free(h->contacts);
    world_free(&h->w);
}

static int differs(const history *h, int i, const cr_step *step)
{
    size_t bytes = (size_t)h->counts[i] * sizeof(cr_contact);
    return !step->alive || memcmp(step->to, state_of(h, i + 1), h->size) != 0 ||
           step->contact_count != h->counts[i] ||
           (step->contacts &&
            memcmp(step->contacts, h->contacts + i * h->w.model.contact_max, bytes) != 0);
}

// Steps in a shuffled order, in batches of all sizes up to 7, in place and not, some or all without
// asking for contacts. Returns how many differ from the history.
static int replay(const history *h, const cr_engine_type *type, uint64_t seed)
{
    enum { BATCH = 7 };
    const cr_model *model = &h->w.model;
    cr_rng rng = cr_rng_make(seed, CR_RNG_USER, 1);
    unsigned char *to = calloc(BATCH, h->size);
    cr_contact *contacts = calloc(BATCH * (size_t)model->contact_max, sizeof *contacts);
    void *engine;
    int wrong = !to || !contacts || type->create(model, &engine, NULL) != CR_OK;
    for (int round = 0; round < 60 && wrong == 0; round++) {
        int count = 1 + round % BATCH, which[BATCH];
        cr_step steps[BATCH];
        for (int k = 0; k < count; k++) {
            cr_state *out = (cr_state *)(void *)(to + (size_t)k * h->size);
            which[k] = (int)cr_rng_index(&rng, HISTORY);
            steps[k] = step_of(h, which[k], out, contacts + k * model->contact_max);
            if (k % 3 == 2 || round % 5 == 4) {
                steps[k].contacts = NULL;
            }
            if (round % 2) {
                memcpy(out, steps[k].from, h->size);
                steps[k].from = out;
            }
        }
        type->step(engine, steps, count);
        for (int k = 0; k < count; k++) {
            wrong += differs(h, which[k], &steps[k]);
        }
    }
    type->destroy(engine);
    free(to);
    free(contacts);
    return wrong;
}

static void test_same_bits_after_any_history(void **state)
{
    const cr_engine_type *type = *state;
    for (int dice = 0; dice <= 24; dice += 12) {
        history h = {0};
        record(&h, type, dice);
        assert_int_equal(replay(&h, type, 1), 0);
        assert_int_equal(replay(&h, type, 2), 0);
        forget(&h);
    }
}

typedef struct job {
    const history *h;
    const cr_engine_type *type;
    uint64_t seed;
    int wrong;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    j->wrong = replay(j->h, j->type, j->seed);
    return NULL;
}

static void test_same_bits_on_any_thread(void **state)
{
    enum { THREADS = 4 };
    const cr_engine_type *type = *state;
    for (int dice = 0; dice <= 24; dice += 24) {
        history h = {0};
        record(&h, type, dice);
        pthread_t threads[THREADS];
        job jobs[THREADS];
        for (int i = 0; i < THREADS; i++) {
            jobs[i] = (job){&h, type, (uint64_t)i, -1};
            assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(jobs[i].wrong, 0);
        }
        forget(&h);
    }
}

// An engine made on one thread and used on another.
typedef struct errand {
    bench *b;
    int steps;
} errand;

static void *run_errand(void *argument)
{
    errand *e = argument;
    for (int i = 0; i < e->steps; i++) {
        bench_step(e->b);
    }
    return NULL;
}

static void test_engine_moves_between_threads(void **state)
{
    const cr_engine_type *type = *state;
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    busy_world(&w, outline, 4);
    bench here = bench_open(&w, type), there = bench_open(&w, type);
    errand e = {&there, 30};
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        bench_run(&here, 30);
        assert_int_equal(pthread_create(&thread, NULL, run_errand, &e), 0);
        pthread_join(thread, NULL);
        assert_memory_equal(here.state, there.state, cr_state_size(&w.model));
    }
    bench_close(&here);
    bench_close(&there);
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Flight and actions.

static void test_flies_on_a_parabola(void **state)
{
    world w = world_make();
    int ball = world_add(&w, sphere_of(0.02), 0,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.05,
                                   .pose = pose_at(0, 0, 10),
                                   .velocity = {3, 0, 0}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 60);
    // Followed exactly; what remains is the rounding of 240 sums.
    assert_near(bench_body(&b, ball)->position.x, 3, 1e-12);
    assert_near(bench_body(&b, ball)->position.z, 10 - 9.81 / 2, 1e-12);
    assert_near(bench_body(&b, ball)->velocity.z, -9.81, 1e-12);
    assert_int_equal(b.state->step, 60);
    bench_close(&b);
    world_free(&w);
}

static void test_damping_is_exponential(void **state)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    const double c = 0.7, spin_c = 1.3;
    int ball = world_add(&w, sphere_of(0.02), 0,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.05,
                                   .linear_damping = c,
                                   .angular_damping = spin_c,
                                   .velocity = {2, -1, 0},
                                   .spin = {0, 0, 9}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 120);
    const cr_body_state *s = bench_body(&b, ball);
    // 480 factors, each right to a rounding.
    assert_near(s->velocity.x, 2 * cri_exp(-2 * c), 1e-12);
    assert_near(s->velocity.y, -cri_exp(-2 * c), 1e-12);
    assert_near(s->spin.z, 9 * cri_exp(-2 * spin_c), 1e-11);
    // The mean of two speeds is the trapezoid rule: off by (c h)^2 / 12 of the way.
    assert_near(s->position.x, 2 / c * (1 - cri_exp(-2 * c)), 2e-6);
    bench_close(&b);
    world_free(&w);
}

static void test_forces_and_impulses(void **state)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int box =
        world_add(&w, box_of(0.1, 0.1, 0.1), 0, (cr_body){.kind = CR_KIND_CONTROLLED, .mass = 2});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    double inertia = w.bodies[box].inertia.x; // a cube's
    *bench_action(&b, box) = (cr_action){.impulse = {1, 0, 0}, .twist = {0, 0, 0.01}};
    bench_run(&b, 1);
    assert_near(bench_body(&b, box)->velocity.x, 0.5, 1e-15);
    assert_near(bench_body(&b, box)->position.x, 0.5 / 60, 1e-15);
    assert_near(bench_body(&b, box)->spin.z, 0.01 / inertia, 1e-12);
    *bench_action(&b, box) = (cr_action){.force = {0, 4, 0}, .torque = {0, 0, 0.03}};
    bench_run(&b, 60);
    assert_near(bench_body(&b, box)->velocity.y, 2, 1e-12);
    assert_near(bench_body(&b, box)->position.y, 1, 1e-12);
    assert_near(bench_body(&b, box)->spin.z, 0.04 / inertia, 1e-11);
    bench_close(&b);
    world_free(&w);
}

static cr_vec3 angular_momentum(const cr_body *body, const cr_body_state *s)
{
    cr_vec3 w = cri_unrotate(s->rotation, s->spin), i = body->inertia;
    return cri_rotate(s->rotation, cri_vec3(i.x * w.x, i.y * w.y, i.z * w.z));
}

static void test_tumbling_keeps_angular_momentum(void **state)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int box = world_add(&w, box_of(0.3, 0.2, 0.05), 0,
                        (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .spin = {0.1, 10, 0.1}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    cr_vec3 before = angular_momentum(&w.bodies[box], bench_body(&b, box));
    bench_run(&b, 300);
    cr_vec3 after = angular_momentum(&w.bodies[box], bench_body(&b, box));
    // Turned about the middle axis it tumbles over, which no body that keeps its spin would do.
    assert_true(cri_length(cri_sub(bench_body(&b, box)->spin, cri_vec3(0.1, 10, 0.1))) > 0.5);
    // Rounding of 1200 turns, in double or in float.
    double rounding = *near_slack() > 0 ? 1200 * 5e-8 : 1e-10;
    assert_near(cri_length(cri_sub(after, before)) / cri_length(before), 0, rounding);
    bench_close(&b);
    world_free(&w);
}

static void test_driven_body_obeys(void **state)
{
    world w = world_make();
    int bar =
        world_add(&w, box_of(1, 0.1, 0.1), 0, (cr_body){.kind = CR_KIND_FOREIGN, .driven = true});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    *bench_action(&b, bar) = (cr_action){.velocity = {1, 2, 3}, .spin = {0, 0, 1}};
    bench_run(&b, 60);
    const cr_body_state *s = bench_body(&b, bar);
    assert_near(cri_length(cri_sub(s->position, cri_vec3(1, 2, 3))), 0, 1e-12);
    // Turning to first order and back to unit length loses (w h)^2 / 12 of the angle.
    assert_near(cri_heading(s->rotation), 1, 1e-5);
    assert_near(s->velocity.y, 2, 0);
    bench_close(&b);
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Masks, touches, contacts.

// A ball, then a board in its way.
static void ball_and_board(world *w, int *ball, int *board)
{
    int hard = world_material(w, 0, 0, 1);
    w->model.gravity = cri_vec3(0, 0, 0);
    *ball = world_add(w, sphere_of(0.02), hard,
                      (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.05, .velocity = {3, 0, 0}});
    *board = world_add(w, box_of(0.02, 1, 1), hard, (cr_body){.pose = pose_at(0.5, 0, 0)});
}

static void test_masked_pair_passes_through(void **state)
{
    world w = world_make();
    int ball, board;
    ball_and_board(&w, &ball, &board);
    world_wish(&w, ball, board, true);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    const uint64_t none = 0, all = ~(uint64_t)0;
    b.mask = &none;
    for (int i = 0; i < 30; i++) {
        bench_run(&b, 1);
        assert_int_equal(b.contact_count, 0);
        assert_false(cri_state_touched(b.model, b.state, ball, board));
    }
    assert_near(bench_body(&b, ball)->position.x, 1.5, 1e-12);
    cr_state_start(b.model, b.state);
    b.mask = &all;
    bench_run(&b, 30);
    assert_true(bench_body(&b, ball)->velocity.x < 0);
    bench_close(&b);
    world_free(&w);
}

static void test_touched_bit_lasts_one_step(void **state)
{
    world w = world_make();
    int ball, board, touched = 0;
    ball_and_board(&w, &ball, &board);
    world_wish(&w, ball, board, true);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 0; i < 30; i++) {
        double before = bench_body(&b, ball)->velocity.x;
        bench_run(&b, 1);
        bool bounced = bench_body(&b, ball)->velocity.x != before;
        assert_int_equal(cri_state_touched(b.model, b.state, ball, board), bounced);
        touched += bounced;
    }
    assert_int_equal(touched, 1);
    bench_close(&b);
    world_free(&w);
}

// A ball slides along a board, `gap` away, past its end; true if that touched.
static bool passes(const cr_engine_type *type, double gap)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int ball = world_add(&w, sphere_of(0.02), 0,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.05,
                                   .pose = pose_at(-0.19, 0.03 + gap, 0),
                                   .velocity = {2, 0, 0}});
    int board = world_add(&w, box_of(0.4, 0.02, 0.2), 0, (cr_body){0});
    world_wish(&w, ball, board, true);
    world_finish(&w);
    bench b = bench_open(&w, type);
    bool touched = false;
    for (int i = 0; i < 18; i++) {
        bench_run(&b, 1);
        touched = touched || cri_state_touched(b.model, b.state, ball, board);
    }
    assert_near(bench_body(&b, ball)->velocity.x, 2, 1e-9);
    bench_close(&b);
    world_free(&w);
    return touched;
}

static void test_touch_is_near(void **state)
{
    assert_true(passes(*state, 1e-6));
    assert_true(passes(*state, 5e-5));
    assert_false(passes(*state, 5e-4));
    assert_false(passes(*state, 2e-3));
}

static void test_resting_ball_touches(void **state)
{
    world w = world_make();
    int floor = world_add(&w, plane_of(), 0, (cr_body){0});
    int ball =
        world_add(&w, sphere_of(0.02), 0,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.05, .pose = pose_at(0, 0, 0.02)});
    world_wish(&w, floor, ball, true);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 0; i < 60; i++) {
        bench_run(&b, 1);
        assert_true(cri_state_touched(b.model, b.state, floor, ball));
        const cr_contact *contact = bench_contact(&b, floor, ball);
        assert_non_null(contact);
        // The weight over a step, but for the solver's softness and gaps of micrometres.
        assert_near(contact->impulse, 0.05 * 9.81 / 60, 1e-5);
        assert_near(contact->normal.z, 1, 1e-12);
    }
    bench_close(&b);
    world_free(&w);
}

// Two driven bodies neither of which can be pushed.
static void test_silent_pair_is_reported(void **state)
{
    world w = world_make();
    int bar =
        world_add(&w, box_of(1, 0.1, 0.1), 0, (cr_body){.kind = CR_KIND_FOREIGN, .driven = true});
    int wall = world_add(&w, box_of(0.1, 1, 1), 0, (cr_body){.pose = pose_at(1, 0, 0)});
    world_wish(&w, bar, wall, true);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, bar)->velocity.x = 1; // reaches the wall after 0.45 m
    bench_run(&b, 26);
    assert_false(cri_state_touched(b.model, b.state, bar, wall));
    bench_run(&b, 4);
    assert_true(cri_state_touched(b.model, b.state, bar, wall));
    assert_near(bench_contact(&b, bar, wall)->impulse, 0, 0);
    assert_near(bench_body(&b, bar)->position.x, 0.5, 1e-12);
    bench_close(&b);
    world_free(&w);
}

static void test_contacts_are_sorted(void **state)
{
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    busy_world(&w, outline, 12);
    bench b = bench_open(&w, *state);
    int seen = 0;
    for (int i = 0; i < 120; i++) {
        bench_run(&b, 1);
        for (int k = 0; k < b.contact_count; k++) {
            const cr_contact *c = &b.contacts[k], *last = k > 0 ? &b.contacts[k - 1] : NULL;
            assert_true(c->a < c->b);
            assert_true(!last || last->a < c->a || (last->a == c->a && last->b < c->b));
            assert_true(c->impulse >= 0);
            assert_near(cri_length(c->normal), 1, 1e-9);
            seen++;
        }
    }
    assert_true(seen > 120);
    bench_close(&b);
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Worlds that blow up.

// What is changed of a body's state or action, and what that is.
typedef struct blow {
    cr_body_state state; // added; rotation: multiplied
    cr_action action;
    cr_fault fault;
} blow;

static void expect_dead(bench *b, int body, const blow *how)
{
    cr_state_start(b->model, b->state);
    cr_body_state *s = bench_body(b, body);
    cr_action keep = *bench_action(b, body);
    s->position = cri_add(s->position, how->state.position);
    s->velocity = cri_add(s->velocity, how->state.velocity);
    s->spin = cri_add(s->spin, how->state.spin);
    s->rotation.w *= how->state.rotation.w;
    *bench_action(b, body) = how->action;
    bench_step(b);
    assert_false(b->alive);
    assert_int_equal(b->contact_count, 0);
    assert_int_equal(b->fault, how->fault);
    assert_int_equal(b->fault_body, body);
    *bench_action(b, body) = keep;
}

static void test_blown_up_world_is_dead(void **state)
{
    const cr_quat same = {.w = 1};
    const blow blows[] = {
        {.state = {.rotation = same, .position.x = NAN}, .fault = CR_FAULT_NOT_FINITE},
        {.state = {.rotation = same, .position.y = -HUGE_VAL}, .fault = CR_FAULT_NOT_FINITE},
        {.state = {.rotation = same, .position.z = 1e6}, .fault = CR_FAULT_TOO_FAR},
        {.state = {.rotation = same, .velocity.y = HUGE_VAL}, .fault = CR_FAULT_NOT_FINITE},
        {.state = {.rotation = same, .velocity.y = -1e4}, .fault = CR_FAULT_TOO_FAST},
        {.state = {.rotation = same, .spin.z = NAN}, .fault = CR_FAULT_NOT_FINITE},
        {.state = {.rotation = same, .spin.z = -2e5}, .fault = CR_FAULT_SPIN},
        {.state = {.rotation = {.w = 0}}, .fault = CR_FAULT_ROTATION},
        {.state = {.rotation = {.w = 1.01}}, .fault = CR_FAULT_ROTATION},
        {.state = {.rotation = {.w = NAN}}, .fault = CR_FAULT_NOT_FINITE},
        {.state.rotation = same, .action.impulse.x = 1e9, .fault = CR_FAULT_TOO_FAST},
        {.state.rotation = same, .action.force.y = NAN, .fault = CR_FAULT_NOT_FINITE},
        {.state.rotation = same, .action.force.x = 1e7, .fault = CR_FAULT_TOO_FAST},
        {.state.rotation = same, .action.torque.z = 1e12, .fault = CR_FAULT_SPIN},
        {.state.rotation = same, .action.twist.z = 1e9, .fault = CR_FAULT_SPIN},
        {.state.rotation = same, .action.velocity.x = 2e3, .fault = CR_FAULT_TOO_FAST},
    };
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    busy_world(&w, outline, 4);
    bench b = bench_open(&w, *state), fresh = bench_open(&w, *state);
    for (size_t i = 0; i < sizeof blows / sizeof *blows; i++) {
        expect_dead(&b, 3, &blows[i]); // a ball
    }
    // And nothing of it is left in the engine.
    cr_state_start(b.model, b.state);
    bench_run(&b, 20);
    bench_run(&fresh, 20);
    assert_int_equal(b.fault, CR_FAULT_NONE);
    assert_int_equal(b.fault_body, -1);
    assert_memory_equal(b.state, fresh.state, cr_state_size(&w.model));
    bench_close(&b);
    bench_close(&fresh);
    world_free(&w);
}

static void test_bodies_without_mass_are_refused(void **state)
{
    const cr_engine_type *type = *state;
    world w = world_make();
    world_add(&w, sphere_of(0.1), 0, (cr_body){.kind = CR_KIND_PASSIVE});
    world_finish(&w);
    cr_report report = {0};
    void *engine = &w;
    assert_int_equal(type->create(&w.model, &engine, &report), CR_ERR_RANGE);
    assert_null(engine);
    assert_int_equal(report.count, 1);
    world_free(&w);
}

static void test_engine_by_name(void **state)
{
    const cr_engine_type *type = *state;
    world w = world_make();
    cr_vec2 outline[ROBOT_POINTS];
    busy_world(&w, outline, 2);
    bench b = bench_open(&w, type);
    cr_engine *engine;
    assert_int_equal(cr_engine_create(&w.model, type->name, &engine, NULL), CR_OK);
    assert_int_equal(cr_engine_lanes(engine), type->lanes);
    cr_state *start = cr_state_create(&w.model);
    assert_non_null(start);
    cr_step step = {.from = start, .to = start, .actions = b.actions, .contacts = b.contacts};
    cr_engine_step(engine, &step, 1);
    bench_step(&b);
    assert_memory_equal(start, b.state, cr_state_size(&w.model));
    cr_engine_destroy(engine);
    cr_engine_destroy(NULL);
    cr_report report = {0};
    assert_int_equal(cr_engine_create(&w.model, "odd", &engine, &report), CR_ERR_NAME);
    assert_null(engine);
    assert_string_equal(report.errors[0].message,
                        "there is no engine \"odd\"; did you mean \"ode\"?");
    free(start);
    bench_close(&b);
    world_free(&w);
}

// A planner would wait for ever for an engine that steps no world at a time.
static void test_engine_steps_at_least_one_world(void **state)
{
    const cr_engine_type *type = *state;
    for (int lanes = -1; lanes <= 1; lanes++) {
        cr_engine_type own = *type;
        own.name = "own";
        own.lanes = lanes;
        cr_library *library = cr_library_create();
        assert_non_null(library);
        cr_report report = {0};
        cr_status status = cr_library_add_engine(library, &own, &report);
        assert_int_equal(status, lanes < 1 ? CR_ERR_RANGE : CR_OK);
        if (lanes == 0) {
            assert_string_equal(report.errors[0].message,
                                "engine \"own\": lanes must be >= 1, got 0");
        }
        cr_library_destroy(library);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_after_any_history),
        cmocka_unit_test(test_same_bits_on_any_thread),
        cmocka_unit_test(test_engine_moves_between_threads),
        cmocka_unit_test(test_flies_on_a_parabola),
        cmocka_unit_test(test_damping_is_exponential),
        cmocka_unit_test(test_forces_and_impulses),
        cmocka_unit_test(test_tumbling_keeps_angular_momentum),
        cmocka_unit_test(test_driven_body_obeys),
        cmocka_unit_test(test_masked_pair_passes_through),
        cmocka_unit_test(test_touched_bit_lasts_one_step),
        cmocka_unit_test(test_touch_is_near),
        cmocka_unit_test(test_resting_ball_touches),
        cmocka_unit_test(test_silent_pair_is_reported),
        cmocka_unit_test(test_contacts_are_sorted),
        cmocka_unit_test(test_blown_up_world_is_dead),
        cmocka_unit_test(test_engine_by_name),
        cmocka_unit_test(test_bodies_without_mass_are_refused),
        cmocka_unit_test(test_engine_steps_at_least_one_world),
    };
    return RUN_FOR_ENGINES(tests);
}
