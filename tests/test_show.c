// From a plan to a playback: the frames are the plan's states, the Skills and contacts its own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "scenes.h"

typedef struct check {
    const cr_playback_world *world;
    int tracks, frame;
} check;

static bool same_bodies(const cr_replay_step *step, void *context)
{
    check *c = context;
    const cr_body_state *bodies = cr_state_bodies_const(step->model, step->state);
    for (int i = 0; i < c->tracks; i++) {
        cr_pose pose = c->world->frames[c->frame * c->tracks + i];
        assert_memory_equal(&pose.position, &bodies[i].position, sizeof pose.position);
        assert_memory_equal(&pose.rotation, &bodies[i].rotation, sizeof pose.rotation);
    }
    c->frame++;
    return true;
}

static void a_playback_shows_the_plan(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_planner_def def = cr_model_planner_def(model);
    def.solutions = 2;
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_playback *playback = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_playback(plan, planner, &playback, NULL), CR_OK);
    assert_int_equal(playback->world_count, 2);
    assert_int_equal(playback->body_count, cr_model_body_count(model));
    for (int w = 0; w < 2; w++) {
        const cr_playback_world *world = &playback->worlds[w];
        assert_int_equal(world->frame_count, cr_plan_solution(plan, w).steps + 1);
        check c = {world, playback->track_count, 0};
        assert_int_equal(cr_plan_replay(plan, w, same_bodies, &c, NULL), CR_OK);
        // approach, putt, watch: end to end, from the first frame to the last.
        assert_int_equal(world->span_count, 3);
        assert_string_equal(world->spans[1].label, "putt");
        assert_int_equal(world->spans[0].to, world->spans[1].from);
        assert_int_equal(world->spans[0].from, 0);
        assert_int_equal(world->spans[2].to, world->frame_count - 1);
        // The putt is one impulse on the ball, at the end of the Skill that gives it.
        int kicks = 0, ball = cr_model_body(model, cr_model_find_body(model, "ball"))->slot;
        for (int f = 0; f < world->frame_count; f++) {
            const cr_action *a = &world->actions[f * playback->track_count + ball];
            kicks += a->impulse.x != 0;
            assert_true(a->impulse.x == 0 || f == world->spans[1].to - 1);
        }
        assert_int_equal(kicks, 1);
        bool north = false;
        for (int i = 0; i < world->contact_count; i++) {
            const char *a = playback->bodies[world->contacts[i].a].name;
            north = north || strcmp(a, "north") == 0;
        }
        assert_true(north);
    }
    // Every node of the tree is there and follows an earlier one of the same body.
    assert_int_equal(playback->tree_nodes, cr_planner_get_stats(planner).nodes);
    assert_int_equal(playback->tree_shown, playback->tree_nodes);
    assert_true(playback->node_count > 1000);
    for (int i = 0; i < playback->node_count; i++) {
        const cr_playback_node *node = &playback->nodes[i];
        assert_true(node->parent < i);
        if (node->parent >= 0) {
            const cr_playback_node *parent = &playback->nodes[node->parent];
            assert_int_equal(parent->body, node->body);
            double x = node->x - parent->x, y = node->y - parent->y;
            assert_true(sqrt(x * x + y * y) < 0.2); // one step, or a few
        }
    }
    cr_playback_destroy(playback);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// Per branch and step of a tree, where one body was.
typedef struct trace {
    const cr_playback *playback;
    int slot, body;
    int found; // points of the playback that were met
} trace;

// Points stand in the order of the tree: the next one of this body is met in its branch, or the
// tree does not have it.
static bool meet(const cr_replay_step *step, void *context)
{
    trace *t = context;
    const cr_playback *p = t->playback;
    while (t->found < p->node_count && p->nodes[t->found].body != t->body) {
        t->found++;
    }
    if (t->found < p->node_count) {
        const cr_playback_node *node = &p->nodes[t->found];
        cr_vec3 at = cr_state_bodies_const(step->model, step->state)[t->slot].position;
        bool here = node->x == (float)at.x && node->y == (float)at.y && node->z == (float)at.z;
        t->found += here && node->order == step->branch;
    }
    return true;
}

// A tree of more points than a page holds is thinned, and says so; what is left is of the tree.
static void a_thinned_tree_says_so(void **state)
{
    (void)state;
    cr_model *model = load_scene("pool/break", NULL);
    cr_planner_def def = cr_model_planner_def(model);
    def.nodes = 9000;
    def.steps = 20000;
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_playback *playback = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_playback(plan, planner, &playback, NULL), CR_OK);
    int64_t nodes = cr_planner_get_stats(planner).nodes, tracks = playback->track_count;
    assert_true(nodes * tracks > 100000);
    assert_int_equal(playback->tree_nodes, nodes);
    assert_true(playback->tree_shown > nodes / 4 && playback->tree_shown < nodes);
    assert_int_equal(playback->node_count, playback->tree_shown * tracks);
    assert_true(playback->node_count <= 100000 + tracks);
    for (int slot = 0; slot < tracks; slot += 15) {
        trace t = {.playback = playback, .slot = slot, .body = cr_model_moving_body(model, slot)};
        assert_int_equal(cr_planner_retrace(planner, meet, &t, NULL), CR_OK);
        while (t.found < playback->node_count && playback->nodes[t.found].body != t.body) {
            t.found++;
        }
        assert_int_equal(t.found, playback->node_count);
    }
    cr_playback_destroy(playback);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// Per death, how far it was stepped through, and whether its end is among those of the playback.
typedef struct deaths {
    const cr_planner *planner;
    const cr_playback *playback;
    int64_t begun, ended, steps;
    int slot, body;
} deaths;

static bool has_end(const deaths *d, cr_vec3 at, const char *rule)
{
    const cr_playback *p = d->playback;
    for (int i = 0; i < p->end_count; i++) {
        const cr_playback_end *end = &p->ends[i];
        bool here = end->at.x == (float)at.x && end->at.y == (float)at.y && end->reason >= 0;
        if (here && end->at.body == d->body && strstr(p->reasons[end->reason].text, rule)) {
            return true;
        }
    }
    return false;
}

// A branch that died broke the rule that it is said to have broken, with its last step and not
// before.
static bool see_death(const cr_replay_step *step, void *context)
{
    deaths *d = context;
    cr_death death = cr_planner_death(d->planner, step->branch);
    if (!step->actions) {
        assert_int_equal(step->branch, d->begun++);
        d->steps = 0;
        return true;
    }
    bool last = ++d->steps == death.steps;
    assert_int_equal(step->rule != NULL, last);
    if (last) {
        assert_string_equal(step->rule, death.rule);
        cr_vec3 at = cr_state_bodies_const(step->model, step->state)[d->slot].position;
        cr_vec3 start = cr_model_body(step->model, d->body)->pose.position;
        bool moved = fabs(at.x - start.x) > 0.1; // in this branch, as it is the first that kicks it
        assert_true(!moved || has_end(d, at, death.rule));
        d->ended++;
    }
    return true;
}

// Of more branches that die than are noted, every second or fourth is: when, where and why.
static void a_playback_says_why_branches_died(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/gate", (const char *const[]){"banks", "0", NULL});
    cr_planner_def def = cr_model_planner_def(model);
    def.solutions = 1000; // so that it goes on
    def.nodes = 150000;
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_playback *playback = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create_failed(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_playback(plan, planner, &playback, NULL), CR_OK);
    cr_planner_stats stats = cr_planner_get_stats(planner);
    int64_t count = cr_planner_death_count(planner), every = 1, noted = 0;
    while ((stats.dead_rule + every - 1) / every > CR_DEATHS_MAX) {
        every *= 2;
    }
    assert_true(every > 1 && stats.dead_engine == 0);
    assert_int_equal(count, (stats.dead_rule + every - 1) / every);
    for (int64_t i = 1; i < count; i++) {
        assert_true(cr_planner_death(planner, i - 1).branches <=
                    cr_planner_death(planner, i).branches);
    }
    for (int r = 0; r < playback->reason_count; r++) {
        bool rule = strcmp(playback->reasons[r].kind, "rule") == 0;
        noted += rule ? playback->reasons[r].count : 0;
    }
    assert_int_equal(noted, count);
    int ball = cr_model_find_body(model, "ball");
    deaths d = {planner, playback, 0, 0, 0, cr_model_body(model, ball)->slot, ball};
    assert_int_equal(cr_planner_retrace_deaths(planner, see_death, &d, NULL), CR_OK);
    assert_true(d.begun == count && d.ended == count);
    cr_playback_destroy(playback);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_playback_shows_the_plan),
        cmocka_unit_test(a_thinned_tree_says_so),
        cmocka_unit_test(a_playback_says_why_branches_died),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
