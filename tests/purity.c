#include "purity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/large/large.h"
#include "engine/lanes/stepper.h"
#include "generate.h"

// Worlds from OWN on have numbers of their own, one of SETS sets.
enum { WORLDS = 24, OWN = 12, SETS = 2, BATCH_MAX = 11, SHUFFLES = 4 };

// The worlds of one model, each with what it became alone.
typedef struct gate {
    uint64_t number;
    cr_model *model;
    cr_model *models[SETS]; // the same scene, compiled with other numbers
    cr_numbers *sets[SETS]; // these, beside `model`
    size_t size;
    int moving, contact_max, words; // of a mask
    cr_rng rng;
    unsigned char *from, *became;
    cr_action *actions, *kicked; // kicked: of one world, with the errors of its kicks
    uint64_t *masks;
    bool masked[WORLDS];
    cr_contact *contacts; // by world
    cr_step alone[WORLDS];
    unsigned char *to; // by place in a batch
    cr_contact *asked;
    purity_counts *counts;
} gate;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size + 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static cr_state *state_at(const gate *g, unsigned char *states, int index)
{
    return (cr_state *)(void *)(states + (size_t)index * g->size);
}

// ---------------------------------------------------------------------------------------------
// Making it.

static cr_status compile_set(uint64_t seed, uint64_t number, uint64_t set, cr_model **model,
                             cr_report *report)
{
    cri_text text = {0};
    cr_scene *scene = NULL;
    generate_scene(seed, number, set, &text);
    cr_status status = text.failed
                           ? CR_ERR_MEMORY
                           : cr_scene_read_text(text.data, text.length, "made", &scene, report);
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, model, report);
    }
    cr_scene_destroy(scene);
    cri_text_free(&text);
    return status;
}

static bool compile(gate *g, uint64_t seed)
{
    cr_report report = {0};
    cr_status status = compile_set(seed, g->number, 0, &g->model, &report);
    if (status != CR_OK) {
        printf("model %llu is refused: %s\n", (unsigned long long)g->number,
               report.errors[0].message);
    }
    g->counts->models += status == CR_OK;
    g->counts->refused += status != CR_OK;
    return status == CR_OK;
}

// Kicks of the last set err.
static void err_kicks(gate *g, cr_rng rng)
{
    for (int i = 0; i < cr_model_moving_count(g->model); i++) {
        int body = cr_model_moving_body(g->model, i);
        cr_kick_numbers kick = {cr_rng_uniform(&rng, 0.5, 2), cr_rng_uniform(&rng, -1, 1)};
        if (!cr_model_body(g->model, body)->driven) {
            cr_numbers_set_kick(g->sets[SETS - 1], body, kick, NULL);
        }
    }
}

static void compile_sets(gate *g, uint64_t seed)
{
    for (int i = 0; i < SETS; i++) {
        cr_report report = {0};
        if (compile_set(seed, g->number, (uint64_t)i + 1, &g->models[i], &report) != CR_OK) {
            printf("model %llu, other numbers: %s\n", (unsigned long long)g->number,
                   report.errors[0].message);
            exit(1);
        }
        g->sets[i] = numbers_like(g->model, g->models[i]);
        if (!g->sets[i] || cr_state_size(g->models[i]) != cr_state_size(g->model)) {
            printf("model %llu: no block like another model\n", (unsigned long long)g->number);
            exit(1);
        }
    }
    err_kicks(g, cr_rng_make(seed + 2, CR_RNG_USER, g->number));
}

static void draw_world(gate *g, int world)
{
    generate_state(g->model, &g->rng, state_at(g, g->from, world));
    g->masked[world] = cr_rng_index(&g->rng, 4) == 0;
    for (int i = 0; i < g->words; i++) {
        // Most pairs stay open.
        g->masks[world * g->words + i] = cr_rng_bits(&g->rng) | cr_rng_bits(&g->rng);
    }
}

static bool open_gate(gate *g, uint64_t seed, uint64_t number, purity_counts *counts)
{
    *g = (gate){.number = number, .counts = counts};
    if (!compile(g, seed)) {
        return false;
    }
    compile_sets(g, seed);
    g->rng = cr_rng_make(seed + 1, CR_RNG_USER, number);
    g->size = cr_state_size(g->model);
    g->moving = cr_model_moving_count(g->model);
    g->contact_max = cr_model_contact_max(g->model);
    g->words = (cr_model_pair_count(g->model) + 63) / 64;
    g->from = take(WORLDS, g->size);
    g->became = take(WORLDS, g->size);
    g->to = take(BATCH_MAX, g->size);
    g->actions = take(WORLDS * (size_t)g->moving, sizeof *g->actions);
    g->kicked = take((size_t)g->moving, sizeof *g->kicked);
    g->masks = take(WORLDS * (size_t)g->words, sizeof *g->masks);
    g->contacts = take(WORLDS * (size_t)g->contact_max, sizeof *g->contacts);
    g->asked = take(BATCH_MAX * (size_t)g->contact_max, sizeof *g->asked);
    for (int i = 0; i < WORLDS; i++) {
        draw_world(g, i);
    }
    return true;
}

static void close_gate(gate *g)
{
    free(g->from);
    free(g->became);
    free(g->to);
    free(g->actions);
    free(g->kicked);
    free(g->masks);
    free(g->contacts);
    free(g->asked);
    for (int i = 0; i < SETS; i++) {
        cr_numbers_destroy(g->sets[i]);
        cr_model_destroy(g->models[i]);
    }
    cr_model_destroy(g->model);
}

// ---------------------------------------------------------------------------------------------
// Alone.

// The set of a world; 0: the model's own numbers.
static int set_of(int world)
{
    return world < OWN ? 0 : 1 + world % SETS;
}

static cr_step step_of(const gate *g, int world)
{
    return (cr_step){.from = state_at(g, g->from, world),
                     .actions = g->actions + world * g->moving,
                     .numbers = set_of(world) > 0 ? g->sets[set_of(world) - 1] : NULL,
                     .mask = g->masked[world] ? g->masks + world * g->words : NULL};
}

// engines: by set
static void step_alone(gate *g, cr_engine *const *engines)
{
    for (int i = 0; i < WORLDS; i++) {
        cr_step step = step_of(g, i);
        // The engine's model was compiled with them, but for kicks.
        for (int slot = 0; slot < g->moving; slot++) {
            g->kicked[slot] = step.actions[slot];
            g->kicked[slot].impulse = cri_kicked(step.numbers, slot, step.actions[slot].impulse);
        }
        step.numbers = NULL;
        step.actions = g->kicked;
        step.to = state_at(g, g->became, i);
        step.contacts = g->contacts + i * g->contact_max;
        cr_engine_step(engines[set_of(i)], &step, 1);
        g->alone[i] = step;
        g->counts->alone++;
        g->counts->dead += !step.alive;
        g->counts->touches += step.contact_count;
    }
}

// The next round begins where this one ended; what blew up begins anew, and so does one more.
static void go_on(gate *g)
{
    for (int i = 0; i < WORLDS; i++) {
        if (g->alone[i].alive) {
            memcpy(state_at(g, g->from, i), state_at(g, g->became, i), g->size);
        } else {
            draw_world(g, i);
        }
    }
    draw_world(g, (int)cr_rng_index(&g->rng, WORLDS));
}

// ---------------------------------------------------------------------------------------------
// In batches.

static bool is_same(const gate *g, const cr_step *step, int world)
{
    const cr_step *alone = &g->alone[world];
    if (step->alive != alone->alive || step->contact_count != alone->contact_count ||
        step->fault != alone->fault || step->fault_body != alone->fault_body) {
        return false;
    }
    size_t bytes = (size_t)step->contact_count * sizeof(cr_contact);
    return !step->alive || (memcmp(step->to, alone->to, g->size) == 0 &&
                            (!step->contacts || !memcmp(step->contacts, alone->contacts, bytes)));
}

static void compare(gate *g, const cr_step *step, int world, const char *who, int lane, int count)
{
    g->counts->batched++;
    g->counts->own += step->numbers != NULL;
    if (is_same(g, step, world)) {
        return;
    }
    if (g->counts->differ++ < 5) {
        printf("model %llu: a world with set %d differs in lane %d of %d with %s: alive %d, alone "
               "%d\n",
               (unsigned long long)g->number, set_of(world), lane, count, who, step->alive,
               g->alone[world].alive);
    }
}

// Worlds drawn at random into the first `count` places; some in place, some asking for contacts.
static void fill_batch(gate *g, cr_step *steps, int *worlds, int count, bool in_place)
{
    bool any = cr_rng_index(&g->rng, 3) > 0;
    uint64_t among = cr_rng_index(&g->rng, 3) > 0 ? WORLDS : OWN;
    for (int i = 0; i < count; i++) {
        worlds[i] = (int)cr_rng_index(&g->rng, among);
        steps[i] = step_of(g, worlds[i]);
        steps[i].to = state_at(g, g->to, i);
        if (any && cr_rng_index(&g->rng, 3) > 0) {
            steps[i].contacts = g->asked + i * g->contact_max;
        }
        if (in_place || cr_rng_index(&g->rng, 2) == 0) {
            memcpy(steps[i].to, steps[i].from, g->size);
            steps[i].from = steps[i].to;
        }
    }
}

static void step_batches(gate *g, cr_engine *engine, const char *name)
{
    int most = cri_model_is_large(g->model) ? WORLDS : SHUFFLES * WORLDS; // these take long
    for (int done = 0; done < most;) {
        cr_step steps[BATCH_MAX];
        int worlds[BATCH_MAX], count = 1 + (int)cr_rng_index(&g->rng, BATCH_MAX);
        fill_batch(g, steps, worlds, count, false);
        cr_engine_step(engine, steps, count);
        for (int i = 0; i < count; i++) {
            compare(g, &steps[i], worlds[i], name, i, count);
        }
        done += count;
    }
}

// What a stepper refuses it leaves as it is.
static void compare_refused(gate *g, const cr_step *step, int world, const char *who)
{
    g->counts->exact++;
    if (memcmp(step->to, state_at(g, g->from, world), g->size) != 0) {
        g->counts->differ++;
        printf("model %llu: %s changes a world that it refuses\n", (unsigned long long)g->number,
               who);
    }
}

static void step_course(gate *g, const cri_course *course, const cri_stepper *stepper)
{
    // What lies in the scratch memory is nobody's business: zeros, large numbers, not numbers at
    // all (and masks that are all set).
    static const unsigned char leavings[] = {0x00, 0x7e, 0xff, 0x3f, 0xbf};
    size_t room = stepper->room(course);
    void *scratch = aligned_alloc(64, (room + 63) / 64 * 64);
    for (int done = 0; scratch && done < WORLDS;) {
        cr_step steps[BATCH_MAX];
        memset(scratch, leavings[cr_rng_index(&g->rng, sizeof leavings)], room);
        int worlds[BATCH_MAX], count = 1 + (int)cr_rng_index(&g->rng, (uint64_t)stepper->lanes);
        fill_batch(g, steps, worlds, count, true);
        unsigned refused = stepper->step(course, scratch, steps, count);
        for (int i = 0; i < count; i++) {
            if ((refused >> i) & 1) {
                compare_refused(g, &steps[i], worlds[i], stepper->name);
            } else {
                compare(g, &steps[i], worlds[i], stepper->name, i, count);
                g->counts->own_lanes += steps[i].numbers != NULL;
            }
        }
        done += count;
    }
    free(scratch);
}

// A build of a large world's lanes, with some threads: worlds one by one, in any order.
static void step_large(gate *g, const cri_large_lanes *lanes, int threads)
{
    cri_large large;
    if (cri_large_init(&large, g->model, lanes, NULL) != CR_OK ||
        !cri_team_resize(&large.team, threads)) {
        g->counts->failed++;
        return;
    }
    for (int done = 0; done < WORLDS; done++) {
        cr_step step;
        int world;
        fill_batch(g, &step, &world, 1, true);
        if (cri_large_step(&large, &step)) {
            compare(g, &step, world, lanes->name, 0, 1);
            g->counts->large++;
        } else {
            compare_refused(g, &step, world, lanes->name);
        }
    }
    cri_large_free(&large);
}

static void step_large_builds(gate *g)
{
    step_large(g, &cri_large_scalar, 1);
    step_large(g, &cri_large_base, 1);
    step_large(g, cri_large_best(), 1);
    step_large(g, cri_large_best(), 2);
    step_large(g, cri_large_best(), 8);
}

// ---------------------------------------------------------------------------------------------

static bool create_engines(gate *g, const char *name, cr_engine *engines[SETS + 1])
{
    bool made = true;
    for (int i = 0; i <= SETS; i++) {
        const cr_model *model = i > 0 ? g->models[i - 1] : g->model;
        made = cr_engine_create(model, name, &engines[i], NULL) == CR_OK && made;
    }
    if (!made) {
        printf("model %llu: no memory for %s\n", (unsigned long long)g->number, name);
        g->counts->failed++;
    }
    return made;
}

static void step_rounds(gate *g, const char *name, int rounds)
{
    cr_engine *engines[SETS + 1] = {NULL};
    cri_course course = {0};
    bool large = cri_model_is_large(g->model), ours = strcmp(name, "lanes") == 0;
    bool lanes = ours && !large && cri_course_fits(g->model) &&
                 cri_course_init(&course, g->model, NULL) == CR_OK;
    const cri_stepper *steppers[] = {&cri_stepper_scalar, &cri_stepper_base, cri_stepper_best()};
    bool made = create_engines(g, name, engines);
    for (int round = 0; round < rounds && made; round++) {
        for (int i = 0; i < WORLDS; i++) {
            generate_actions(g->model, &g->rng, g->actions + i * g->moving);
        }
        step_alone(g, engines);
        step_batches(g, engines[0], name);
        for (int i = 0; i < 3 && lanes; i++) {
            step_course(g, &course, steppers[i]);
        }
        if (large && ours) {
            step_large_builds(g);
        }
        go_on(g);
    }
    cri_course_free(&course);
    for (int i = 0; i <= SETS; i++) {
        cr_engine_destroy(engines[i]);
    }
}

void purity_steps(uint64_t seed, uint64_t number, int rounds, purity_counts *counts)
{
    gate g;
    if (!open_gate(&g, seed, number, counts)) {
        return;
    }
    step_rounds(&g, "lanes", rounds);
    if (number % 16 == 0) {
        step_rounds(&g, "ode", (rounds + 3) / 4);
    }
    close_gate(&g);
}

static uint64_t grow(const cr_model *model, const char *engine, int threads)
{
    cr_planner_def def = cr_model_planner_def(model);
    def.engine = engine;
    def.threads = threads;
    cr_planner *planner = NULL;
    if (cr_planner_create(model, &def, &planner, NULL) != CR_OK) {
        printf("no memory, or no thread, for a planner with %d threads and %s\n", threads, engine);
        return 0;
    }
    cr_planner_grow(planner, NULL);
    cr_planner_stats s = cr_planner_get_stats(planner);
    cr_planner_destroy(planner);
    const int64_t counts[] = {s.nodes,       s.steps,      s.attempts,       s.dead_rule,
                              s.dead_engine, s.fault_body, (int64_t)s.fault, s.solutions};
    uint64_t hash = s.tree_hash;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)counts[i];
    }
    return hash;
}

void purity_trees(uint64_t seed, uint64_t number, purity_counts *counts)
{
    gate g = {.number = number, .counts = counts};
    for (int e = 0; e < 2 && compile(&g, seed); e++) {
        const char *engine = e ? "ode" : "lanes";
        uint64_t one = grow(g.model, engine, 1);
        for (int threads = 2; threads <= 8; threads += e ? 3 : 1) { // ode takes long
            uint64_t other = grow(g.model, engine, threads);
            counts->trees++;
            counts->failed += one == 0 || other == 0;
            if (one != 0 && other != 0 && other != one) {
                counts->differ++;
                printf("model %llu: another tree with %d threads and %s\n",
                       (unsigned long long)number, threads, engine);
            }
        }
        cr_model_destroy(g.model);
    }
}
