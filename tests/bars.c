#include "bars.h"

#include <stdio.h>

#include "bare_ode.h"
#include "overlap.h"
#include "turnover.h"
#include "world.h"

enum { CROWD = 8, PILE_BODIES = 8, SECOND = 60 };

bar_sizes bars_full(const char *cases)
{
    return (bar_sizes){1000, 1000, 96, 60, 10, 30, 16, cases, 0};
}

bar_sizes bars_quick(const char *cases)
{
    return (bar_sizes){8, 16, 8, 6, 2, 14, 8, cases, 0};
}

static void add(figures *out, const char *name, double value, double most, const char *unit)
{
    assert_true(out->count < FIGURES_MAX);
    out->all[out->count++] = (figure){name, unit, value, most};
}

// ---------------------------------------------------------------------------------------------
// Worlds of one model abreast, each from a start of its own, without actions.

typedef struct crowd {
    const cr_model *model;
    const cr_engine_type *type;
    void *engine;
    cr_action *actions;
    cr_step steps[CROWD];
} crowd;

static crowd open_crowd(const cr_model *model, const cr_engine_type *type)
{
    crowd c = {.model = model, .type = type};
    assert_int_equal(type->create(model, &c.engine, NULL), CR_OK);
    c.actions = calloc((size_t)model->moving_count + 1, sizeof *c.actions);
    assert_non_null(c.actions);
    for (int i = 0; i < CROWD; i++) {
        cr_state *state = cr_state_create(model);
        assert_non_null(state);
        c.steps[i] = (cr_step){.from = state, .to = state, .actions = c.actions};
    }
    return c;
}

static void close_crowd(crowd *c)
{
    for (int i = 0; i < CROWD; i++) {
        free(c->steps[i].to);
    }
    free(c->actions);
    c->type->destroy(c->engine);
}

static cr_body_state *bodies_of(const crowd *c, int index)
{
    return cri_bodies(c->model, c->steps[index].to);
}

// A world that blew up is met by no bar.
static bool step_crowd(crowd *c, int worlds)
{
    bool alive = true;
    c->type->step(c->engine, c->steps, worlds);
    for (int i = 0; i < worlds; i++) {
        alive = alive && c->steps[i].alive;
    }
    return alive;
}

// ---------------------------------------------------------------------------------------------
// Rest: how far anything moves and turns between the first second and the last.

static double angle_between(cr_quat a, cr_quat b)
{
    cr_quat d = cri_quat_mul(cri_quat_conj(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

typedef struct creep {
    double way, angle; // m, rad
} creep;

static creep measure_creep(const cr_model *model, const cr_engine_type *type, double seconds)
{
    crowd c = open_crowd(model, type);
    creep most = {0, 0};
    size_t bytes = (size_t)model->moving_count * sizeof(cr_body_state);
    cr_body_state *then = malloc(bytes);
    assert_non_null(then);
    for (int step = 1; step <= lround(seconds * SECOND); step++) {
        if (!step_crowd(&c, 1)) {
            most = (creep){HUGE_VAL, HUGE_VAL};
        }
        const cr_body_state *now = bodies_of(&c, 0);
        if (step == SECOND) {
            memcpy(then, now, bytes);
        }
        for (int i = 0; step > SECOND && i < model->moving_count; i++) {
            double way = cri_length(cri_sub(now[i].position, then[i].position));
            most.way = fmax(most.way, way);
            most.angle = fmax(most.angle, angle_between(now[i].rotation, then[i].rotation));
        }
    }
    free(then);
    close_crowd(&c);
    return most;
}

static cr_model *open_case(const bar_sizes *sizes, const char *name)
{
    char path[1024];
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", sizes->cases, name);
    assert_int_equal(cr_scene_read(path, &scene, NULL), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, NULL), CR_OK);
    cr_scene_destroy(scene);
    return model;
}

static creep case_creep(const cr_engine_type *type, const bar_sizes *sizes, const char *name)
{
    cr_model *model = open_case(sizes, name);
    creep found = measure_creep(model, type, sizes->rest);
    cr_model_destroy(model);
    return found;
}

static void measure_rest(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    creep c = case_creep(type, sizes, "heavy-on-light");
    add(out, "heavy-on-light moves", 1e3 * c.way, 1, "mm");
    add(out, "heavy-on-light turns", c.angle * 180 / CRI_PI, 0.2, "deg");
    c = case_creep(type, sizes, "mass-ratio");
    add(out, "mass-ratio moves", 1e3 * c.way, 1, "mm");
    add(out, "mass-ratio turns", c.angle * 180 / CRI_PI, 0.2, "deg");
    c = case_creep(type, sizes, "rest");
    add(out, "rest moves", 1e3 * c.way, 1, "mm");
    add(out, "rest turns", c.angle * 180 / CRI_PI, 0.2, "deg");
}

static void measure_stack(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0.1);
    world_add(&w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < 8; i++) {
        world_add(
            &w, box_of(0.2, 0.2, 0.2), m,
            (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(0, 0, 0.1 + 0.2 * i)});
    }
    world_finish(&w);
    add(out, "stack of eight moves", 1e3 * measure_creep(&w.model, type, sizes->rest).way, 0.5,
        "mm");
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Slopes: a box slides if and only if tan(angle) > friction. Down the slope it has
//
//     a = g (sin(angle) - friction cos(angle)),   way = a t^2 / 2

typedef struct slope {
    double friction, lean; // lean: tan(angle) / friction
    cr_vec3 size;
    double heading; // of the box
} slope;

// The way down after some seconds.
static double slide(const cr_engine_type *type, const slope *s, double seconds)
{
    world w = world_make();
    int m = world_material(&w, s->friction, s->friction, 0);
    double angle = atan(s->lean * s->friction), sine = sin(angle), cosine = cos(angle);
    cr_quat tilt = {0, sin(angle / 2), 0, cos(angle / 2)}; // down is +x
    world_add(&w, plane_of(), m, (cr_body){.pose = {{0, 0, 0}, tilt}});
    double lift = s->size.z / 2;
    int box = world_add(&w, box_of(s->size.x, s->size.y, s->size.z), m,
                        (cr_body){.kind = CR_KIND_PASSIVE,
                                  .mass = 1,
                                  .pose = {{lift * sine, 0, lift * cosine},
                                           cri_quat_mul(tilt, cri_quat_heading(s->heading))}});
    world_finish(&w);
    bench b = bench_open(&w, type);
    cr_vec3 from = bench_body(&b, box)->position;
    for (int i = 0; i < lround(seconds * SECOND); i++) {
        bench_step(&b);
    }
    cr_vec3 way = cri_sub(bench_body(&b, box)->position, from);
    double down = b.alive ? way.x * cosine - way.z * sine : NAN;
    bench_close(&b);
    world_free(&w);
    return down;
}

static const slope SLOPES[] = {{0.2, 1, {0.2, 0.2, 0.2}, 0},
                               {0.5, 1, {0.2, 0.2, 0.2}, 0.4},
                               {0.8, 1, {0.2, 0.2, 0.1}, 0.8},
                               {0.5, 1, {0.3, 0.1, 0.02}, 1.2},
                               {0.3, 1, {0.05, 0.05, 0.1}, 0.1}};

static void measure_slopes(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    (void)sizes;
    double held = 0, missing = 0, seconds = 2;
    for (size_t i = 0; i < sizeof SLOPES / sizeof *SLOPES; i++) {
        slope s = SLOPES[i];
        s.lean = 0.99;
        held = fmax(held, fabs(slide(type, &s, seconds)));
        s.lean = 1.01;
        double angle = atan(s.lean * s.friction);
        double way = 9.81 * (sin(angle) - s.friction * cos(angle)) * seconds * seconds / 2;
        missing = fmax(missing, fabs(1 - slide(type, &s, seconds) / way));
    }
    add(out, "slope 1% below friction: slides in 2 s", 1e3 * held, 1, "mm");
    add(out, "slope 1% above friction: way off by", 100 * missing, 50, "%");
}

// ---------------------------------------------------------------------------------------------
// Energy, and overlaps of random piles.

static double energy_of(const cr_model *model, const cr_body_state *states)
{
    double sum = 0;
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        const cr_body_state *s = &states[slot];
        cr_vec3 spin = cri_unrotate(s->rotation, s->spin), i = body->inertia;
        sum += body->mass *
               (cri_dot(s->velocity, s->velocity) / 2 - cri_dot(model->gravity, s->position));
        sum += (i.x * spin.x * spin.x + i.y * spin.y * spin.y + i.z * spin.z * spin.z) / 2;
    }
    return sum;
}

// What is allowed on top of the start: 0.1%, or 1 mJ. Any state may be a start: one is also taken
// every half second, so that what is lost in the fall does not hide what is won in the heap.
static double energy_slack(double start)
{
    return fmax(1e-3 * fabs(start), 1e-3);
}

// One draw a statement: the order in which a compiler evaluates arguments is its own, and all are
// to see the same worlds.
static double draw(cr_rng *rng, double low, double high)
{
    return cr_rng_uniform(rng, low, high);
}

static cr_quat draw_rotation(cr_rng *rng)
{
    cr_quat q;
    double norm;
    do {
        q.x = draw(rng, -1, 1);
        q.y = draw(rng, -1, 1);
        q.z = draw(rng, -1, 1);
        q.w = draw(rng, -1, 1);
        norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    } while (norm > 1 || norm < 0.01);
    return cri_quat_unit(q);
}

static cr_vec3 draw_vector(cr_rng *rng, double most)
{
    cr_vec3 v;
    do {
        v.z = draw(rng, -1, 1);
        v.y = draw(rng, -1, 1);
        v.x = draw(rng, -1, 1);
    } while (cri_dot(v, v) > 1);
    return cri_scale(most, v);
}

enum { HEXAGON = 6 };
static const cr_vec2 *hexagon(cr_vec2 points[HEXAGON], double radius)
{
    for (int i = 0; i < HEXAGON; i++) {
        points[i] = (cr_vec2){radius * cos(i * CRI_PI / 3), radius * sin(i * CRI_PI / 3)};
    }
    return points;
}

static cr_shape draw_shape(cr_rng *rng, cr_vec2 points[HEXAGON])
{
    double size = draw(rng, 0.08, 0.2), high;
    switch ((int)cr_rng_index(rng, 6)) {
    case 0:
        return sphere_of(size / 2);
    case 1:
        return cylinder_of(size / 2, draw(rng, 0.05, 0.25));
    case 2:
        return prism_of(hexagon(points, size / 2), HEXAGON, draw(rng, 0.05, 0.25));
    case 3:
        return box_of(size, draw(rng, 0.08, 0.2), 0.03);
    default:
        high = draw(rng, 0.08, 0.2);
        return box_of(size, draw(rng, 0.08, 0.2), high);
    }
}

// Eight bodies above each other over a floor: numbers differ from world to world, shapes from pile
// to pile.
typedef struct pile {
    world w;
    cr_vec2 points[PILE_BODIES][HEXAGON];
} pile;

static void make_pile(pile *p, cr_rng *rng)
{
    p->w = world_make();
    double bounce = draw(rng, 0, 0.6), friction = draw(rng, 0, 0.8);
    int m = world_material(&p->w, friction, 0, bounce);
    p->w.materials[m].static_friction = p->w.materials[m].friction;
    world_add(&p->w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < PILE_BODIES; i++) {
        cr_body body = {.kind = CR_KIND_PASSIVE, .mass = draw(rng, 0.2, 2)};
        world_add(&p->w, draw_shape(rng, p->points[i]), m, body);
    }
    world_finish(&p->w);
}

static void drop_pile(const crowd *c, int index, cr_rng *rng)
{
    cr_state_start(c->model, c->steps[index].to);
    double height = 0.01;
    for (int slot = 0; slot < c->model->moving_count; slot++) {
        double radius = c->model->bodies[c->model->moving[slot]].radius;
        height += radius;
        cr_body_state *s = &bodies_of(c, index)[slot];
        s->position.x = draw(rng, -0.1, 0.1);
        s->position.y = draw(rng, -0.1, 0.1);
        s->position.z = height;
        s->rotation = draw_rotation(rng);
        s->velocity = draw_vector(rng, 0.5);
        s->spin = draw_vector(rng, 5);
        height += radius;
    }
}

typedef struct pile_figures {
    double gain; // the worst over some half second, over what is allowed
    int broken;  // worlds that gained more than that
    int raised;  // that had more than they began with, or blew up
    int worlds;
    double *depths; // of every world and step
    int depth_count;
} pile_figures;

static void run_piles(crowd *c, pile_figures *found)
{
    double first[CROWD], start[CROWD], most[CROWD] = {0}, worst[CROWD] = {0};
    for (int i = 0; i < CROWD; i++) {
        first[i] = start[i] = energy_of(c->model, bodies_of(c, i));
    }
    for (int step = 0; step < 2 * SECOND; step++) {
        step_crowd(c, CROWD);
        for (int i = 0; i < CROWD; i++) {
            double now = energy_of(c->model, bodies_of(c, i)), gain = now - start[i];
            bool alive = c->steps[i].alive && isfinite(gain);
            worst[i] = fmax(worst[i], alive ? gain / energy_slack(start[i]) : HUGE_VAL);
            most[i] = fmax(most[i], alive ? (now - first[i]) / energy_slack(first[i]) : HUGE_VAL);
            start[i] = step % (SECOND / 2) == 0 ? now : start[i];
            found->depths[found->depth_count++] =
                alive ? overlap_deepest(c->model, c->steps[i].to) : HUGE_VAL;
        }
    }
    for (int i = 0; i < CROWD; i++) {
        found->gain = fmax(found->gain, worst[i]);
        found->broken += worst[i] > 1;
        found->raised += most[i] > 1;
        found->worlds++;
    }
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void measure_piles(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    int groups = sizes->piles / CROWD;
    pile_figures found = {.depths = malloc((size_t)groups * CROWD * 2 * SECOND * sizeof(double))};
    assert_non_null(found.depths);
    for (int k = 0; k < groups; k++) {
        cr_rng rng = cr_rng_make(23 + (uint64_t)sizes->draw * 1000, CR_RNG_USER, (uint64_t)k);
        pile p;
        make_pile(&p, &rng);
        crowd c = open_crowd(&p.w.model, type);
        for (int i = 0; i < CROWD; i++) {
            drop_pile(&c, i, &rng);
        }
        run_piles(&c, &found);
        close_crowd(&c);
        world_free(&p.w);
    }
    qsort(found.depths, (size_t)found.depth_count, sizeof(double), by_size);
    add(out, "piles that gain more than 0.1% or 1 mJ", found.raised, 0, "");
    add(out, "the same, of any half second", found.broken, 0, "");
    add(out, "piles: largest gain of a half second over what is allowed", found.gain, 1, "times");
    add(out, "piles: overlap, 99.9th percentile",
        1e3 * found.depths[(int)(0.999 * (found.depth_count - 1))], 1, "mm");
    free(found.depths);
}

static void measure_gas(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    cr_model *model = open_case(sizes, "gas");
    crowd c = open_crowd(model, type);
    double start = energy_of(model, bodies_of(&c, 0)), most = -HUGE_VAL;
    for (int step = 0; step < lround(sizes->rest * SECOND); step++) {
        bool alive = step_crowd(&c, 1);
        most = fmax(most, alive ? energy_of(model, bodies_of(&c, 0)) - start : HUGE_VAL);
    }
    add(out, "gas: largest gain over what is allowed", most / energy_slack(start), 1, "times");
    close_crowd(&c);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Free spins.

static cr_vec3 momentum_of(const cr_body *body, const cr_body_state *s)
{
    cr_vec3 spin = cri_unrotate(s->rotation, s->spin), i = body->inertia;
    return cri_rotate(s->rotation, cri_vec3(i.x * spin.x, i.y * spin.y, i.z * spin.z));
}

// A box alone, without weight.
static void make_lone_box(world *w, cr_vec3 size)
{
    *w = world_make();
    w->model.gravity = cri_vec3(0, 0, 0);
    world_add(w, box_of(size.x, size.y, size.z), 0,
              (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(0, 0, 1)});
    world_finish(w); // which points into it
}

typedef struct spin_figures {
    double energy, momentum, direction; // shares, and rad
} spin_figures;

static void compare_spin(const crowd *c, int i, cr_vec3 before, double energy, spin_figures *most)
{
    const cr_body *body = &c->model->bodies[c->model->moving[0]];
    cr_vec3 now = momentum_of(body, bodies_of(c, i));
    double length = cri_length(before), turned = cri_length(cri_cross(before, now));
    most->energy = fmax(most->energy, fabs(energy_of(c->model, bodies_of(c, i)) / energy - 1));
    most->momentum = fmax(most->momentum, fabs(cri_length(now) / length - 1));
    most->direction = fmax(most->direction, atan2(turned, cri_dot(before, now)));
}

static void spin_freely(const cr_model *model, const cr_engine_type *type, double seconds,
                        cr_rng *rng, spin_figures *most)
{
    crowd c = open_crowd(model, type);
    const cr_body *body = &model->bodies[model->moving[0]];
    cr_vec3 before[CROWD];
    double energy[CROWD];
    for (int i = 0; i < CROWD; i++) {
        cr_body_state *s = bodies_of(&c, i);
        s->rotation = draw_rotation(rng);
        cr_vec3 axis = cri_unit(draw_vector(rng, 1), cri_vec3(1, 0, 0));
        s->spin = cri_scale(draw(rng, 5, 60), axis);
        before[i] = momentum_of(body, s);
        energy[i] = energy_of(model, s);
    }
    for (int step = 0; step < lround(seconds * SECOND); step++) {
        step_crowd(&c, CROWD);
        for (int i = 0; i < CROWD; i++) {
            compare_spin(&c, i, before[i], energy[i], most);
        }
    }
    close_crowd(&c);
}

// The mean time between the turn-overs that are seen, or NaN where there are fewer than two.
typedef struct turnovers {
    double last, first, seen; // spin about the middle axis one step ago; times
    int count;
} turnovers;

static void watch_turnover(turnovers *t, double spin, double time)
{
    if (t->last * spin < 0) {
        double when = time - spin / (spin - t->last) / SECOND;
        t->first = t->count == 0 ? when : t->first;
        t->seen = when;
        t->count++;
    }
    t->last = spin;
}

// Boxes whose y is the middle axis: sizes fall along x, y, z, so inertias rise.
static const cr_vec3 MIDDLE_SIZES[] = {
    {0.3, 0.2, 0.1}, {0.5, 0.3, 0.05}, {0.2, 0.15, 0.02}, {0.4, 0.3, 0.2}};
// Off the axis by so much of the spin: nearer to it, rounding decides when it turns over.
static const double MIDDLE_OFF = 0.05;

static double middle_error(cr_vec3 size, const cr_engine_type *type, double seconds, cr_rng *rng)
{
    world w;
    make_lone_box(&w, size);
    crowd c = open_crowd(&w.model, type);
    turnovers seen[CROWD] = {{0}};
    double wanted[CROWD], most = 0;
    for (int i = 0; i < CROWD; i++) {
        cr_body_state *s = bodies_of(&c, i);
        double rate = draw(rng, 5, 60);
        cr_vec3 spin = cri_vec3(MIDDLE_OFF * rate, rate, MIDDLE_OFF * rate / 2);
        s->rotation = draw_rotation(rng);
        s->spin = cri_rotate(s->rotation, spin);
        wanted[i] = turnover_time(w.model.bodies[0].inertia, spin);
    }
    for (int step = 1; step <= lround(seconds * SECOND); step++) {
        step_crowd(&c, CROWD);
        for (int i = 0; i < CROWD; i++) {
            const cr_body_state *s = bodies_of(&c, i);
            watch_turnover(&seen[i], cri_unrotate(s->rotation, s->spin).y, (double)step / SECOND);
        }
    }
    for (int i = 0; i < CROWD; i++) {
        double mean = (seen[i].seen - seen[i].first) / (seen[i].count - 1);
        bool enough = seen[i].count > 1 || wanted[i] > seconds / 3;
        most = fmax(most, seen[i].count > 1 ? fabs(mean / wanted[i] - 1) : enough ? 0 : HUGE_VAL);
    }
    close_crowd(&c);
    world_free(&w);
    return most;
}

static void measure_spins(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    spin_figures most = {0};
    double period = 0;
    cr_rng rng = cr_rng_make(29, CR_RNG_USER, 0);
    for (int k = 0; k < sizes->spins / CROWD; k++) {
        world w;
        double high = draw(&rng, 0.1, 1);
        make_lone_box(&w, cri_vec3(0.1, draw(&rng, 0.1, 1), high));
        spin_freely(&w.model, type, sizes->spin, &rng, &most);
        world_free(&w);
        int size = k % (int)(sizeof MIDDLE_SIZES / sizeof *MIDDLE_SIZES);
        period = fmax(period, middle_error(MIDDLE_SIZES[size], type, sizes->spin, &rng));
    }
    add(out, "free spin: energy off by", 100 * most.energy, 1, "%");
    add(out, "free spin: angular momentum off by", 100 * most.momentum, 1, "%");
    add(out, "free spin: its direction off by", most.direction * 180 / CRI_PI, 0.5, "deg");
    add(out, "middle axis: time to turn over off by", 100 * period, 3, "%");
}

// ---------------------------------------------------------------------------------------------
// Throws at a wall of 1 cm.

static const double WALL = 0.01, THROW = 50; // m, m/s

typedef struct thrown {
    const char *name;
    cr_shape shape;
} thrown;

static void throw_one(const crowd *c, int i, cr_rng *rng)
{
    cr_state_start(c->model, c->steps[i].to);
    cr_body_state *s = bodies_of(c, i);
    double radius = c->model->bodies[c->model->moving[0]].radius;
    double off = acos(draw(rng, cos(CRI_PI / 3), 1)), about = draw(rng, -CRI_PI, CRI_PI);
    cr_vec3 way = cri_vec3(cos(off), sin(off) * cos(about), sin(off) * sin(about));
    // From up to a step's way before the wall, so that impacts come at any part of a substep.
    double before = radius + WALL / 2 + draw(rng, 0.001, THROW / SECOND);
    s->position.x = -before;
    s->position.z = draw(rng, -0.5, 0.5);
    s->position.y = draw(rng, -0.5, 0.5);
    s->velocity = cri_scale(THROW, way);
    s->rotation = draw_rotation(rng);
    s->spin = draw_vector(rng, 30);
}

// How many of the throws are behind the wall at any of thirty steps.
static int count_behind(const cr_engine_type *type, const cr_shape *shape, const bar_sizes *sizes)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int m = world_material(&w, 0.4, 0.4, 0.4), behind = 0;
    world_add(&w, box_of(WALL, 60, 60), m, (cr_body){0});
    world_add(&w, *shape, m,
              (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(-5, 0, 0)});
    world_finish(&w);
    crowd c = open_crowd(&w.model, type);
    cr_rng rng = cr_rng_make(31, CR_RNG_USER, (uint64_t)sizes->draw);
    for (int k = 0; k < sizes->throws; k += CROWD) {
        bool passed[CROWD] = {false};
        for (int i = 0; i < CROWD; i++) {
            throw_one(&c, i, &rng);
        }
        for (int step = 0; step < 30; step++) {
            step_crowd(&c, CROWD);
            for (int i = 0; i < CROWD; i++) {
                // Written so that a NaN, or a world that blew up, has passed.
                bool before = c.steps[i].alive && bodies_of(&c, i)->position.x < WALL / 2;
                passed[i] = passed[i] || !before;
            }
        }
        for (int i = 0; i < CROWD && k + i < sizes->throws; i++) {
            behind += passed[i];
        }
    }
    close_crowd(&c);
    world_free(&w);
    return behind;
}

static void measure_throws(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    cr_vec2 points[HEXAGON];
    cr_hull stone;
    const thrown all[] = {{"balls behind the wall", sphere_of(0.03)},
                          {"cubes behind the wall", box_of(0.1, 0.1, 0.1)},
                          {"plates of 5 mm behind the wall", box_of(0.3, 0.2, 0.005)},
                          {"rods of 1 cm behind the wall", box_of(0.3, 0.01, 0.01)},
                          {"round rods of 1 cm behind the wall", cylinder_of(0.005, 0.3)},
                          {"cylinders behind the wall", cylinder_of(0.05, 0.1)},
                          {"prisms behind the wall", prism_of(hexagon(points, 0.06), HEXAGON, 0.1)},
                          {"capsules of 1 cm behind the wall", capsule_of(0.005, 0.3)},
                          {"hulls behind the wall", stone_of(0.06, &stone)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        add(out, all[i].name, count_behind(type, &all[i].shape, sizes), 0, "");
    }
}

// ---------------------------------------------------------------------------------------------
// The wave of a row of dominoes.

static const double DOMINO_HEIGHT = 0.2, DOMINO_THICK = 0.02, TILT = 0.1; // m, m, rad

static double tilt_of(cr_quat q)
{
    return acos(fmin(1, cri_rotate(q, cri_vec3(0, 0, 1)).z));
}

// The speed between a third of the row and its last but one.
static double wave_speed(const cr_model *model, const cr_engine_type *type, double gap)
{
    crowd c = open_crowd(model, type);
    int count = model->moving_count, from = count / 3, to = count - 2;
    double times[2] = {0}, before[2] = {0};
    cr_body_state *first = bodies_of(&c, 0);
    first->spin = cri_vec3(0, 3, 0); // about its lower edge
    first->velocity = cri_vec3(3 * DOMINO_HEIGHT / 2, 0, 0);
    for (int step = 1; step <= 10 * SECOND && times[1] == 0; step++) {
        step_crowd(&c, 1);
        for (int i = 0; i < 2; i++) {
            double tilt = tilt_of(bodies_of(&c, 0)[i ? to : from].rotation);
            if (times[i] == 0 && tilt > TILT) {
                times[i] = (step - (tilt - TILT) / (tilt - before[i])) / SECOND;
            }
            before[i] = tilt;
        }
    }
    close_crowd(&c);
    return times[1] > 0 ? (to - from) * gap / (times[1] - times[0]) : NAN;
}

static double wave_error(const cr_engine_type *type, const bar_sizes *sizes, double gap)
{
    world w = world_make();
    int m = world_material(&w, 0.4, 0.4, 0.1);
    world_add(&w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < sizes->dominoes; i++) {
        world_add(&w, box_of(DOMINO_THICK, 0.1, DOMINO_HEIGHT), m,
                  (cr_body){.kind = CR_KIND_PASSIVE,
                            .mass = 0.1,
                            .pose = pose_at(gap * i, 0, DOMINO_HEIGHT / 2)});
    }
    world_finish(&w);
    cr_model fine = w.model;
    fine.substeps *= sizes->wave_finer;
    double speed = wave_speed(&w.model, type, gap);
    double referee = wave_speed(&fine, &bare_engine_quick, gap);
    world_free(&w);
    return fabs(speed / referee - 1);
}

static void measure_wave(const cr_engine_type *type, const bar_sizes *sizes, figures *out)
{
    add(out, "wave of dominoes 6 cm apart: speed off by", 100 * wave_error(type, sizes, 0.06), 5,
        "%");
    add(out, "wave of dominoes 10 cm apart: speed off by", 100 * wave_error(type, sizes, 0.1), 5,
        "%");
}

// ---------------------------------------------------------------------------------------------

const bar BARS[] = {{"rest", measure_rest},     {"stack", measure_stack},
                    {"slopes", measure_slopes}, {"piles", measure_piles},
                    {"gas", measure_gas},       {"spins", measure_spins},
                    {"throws", measure_throws}, {"wave", measure_wave}};
const int BAR_COUNT = sizeof BARS / sizeof *BARS;
