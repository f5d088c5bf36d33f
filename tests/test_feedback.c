// What leaves the program is what the plan does, everywhere the same: command line, tables and page
// are compared with a replay that the test listens to itself, for plans of all domains; and tables
// lead on when they are given back to the engine.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "export/export.h"
#include "export/page.h"
#include "feedback.h"

typedef struct scene {
    const char *name, *more; // arguments of `carom plan`
} scene;

static const scene SCENES[] = {
    {"windmill", "--solutions 2"}, {"bank", "--engine ode"},
    {"gate", "--set period=3"},    {"maze", ""},
    {"u-shape", "--select rrt"},   {"trick-shot", ""},
    {"double", "--solutions 2"},   {"out-dribble", ""},
    {"attack-1v2", "--start 3"},
};
enum { SCENE_COUNT = sizeof SCENES / sizeof SCENES[0] };

// A plan that the command line made, and a folder for what it exports.
typedef struct place {
    char folder[64];
    char path[128];
    cr_plan *plan;
    told *told; // of the first solution
} place;

static const char *path_of(place *p, const char *ending)
{
    snprintf(p->path, sizeof p->path, "%.63s/plan%.40s", p->folder, ending);
    return p->path;
}

static void run(const char *format, ...)
{
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0) {
        fail_msg("failed: %s", command);
    }
}

static const char *export(place *p, const char *ending)
{
    run("'%s' export '%s/plan.json' '%s/plan%s' >'%s/out'", CAROM_CLI, p->folder, p->folder, ending,
        p->folder);
    return path_of(p, ending);
}

static place places[SCENE_COUNT];

static int open_places(void **state)
{
    (void)state;
    for (int i = 0; i < SCENE_COUNT; i++) {
        place *p = &places[i];
        snprintf(p->folder, sizeof p->folder, "/tmp/test_feedback.XXXXXX");
        assert_non_null(mkdtemp(p->folder));
        run("'%s' plan %s %s -o '%s/plan.json' >'%s/out'", CAROM_CLI, SCENES[i].name,
            SCENES[i].more, p->folder, p->folder);
        assert_int_equal(cr_plan_read(path_of(p, ".json"), NULL, &p->plan, NULL), CR_OK);
        p->told = told_by_replay(p->plan, 0);
    }
    return 0;
}

static int close_places(void **state)
{
    (void)state;
    for (int i = 0; i < SCENE_COUNT; i++) {
        told_free(places[i].told);
        cr_plan_destroy(places[i].plan);
        run("rm -r '%s'", places[i].folder);
    }
    return 0;
}

static void for_all(void (*check)(place *p))
{
    for (int i = 0; i < SCENE_COUNT; i++) {
        check(&places[i]);
    }
}

static double time_of(const told *t, int frame)
{
    return frame * cr_model_dt(t->model);
}

static const char *body_name(const told *t, int body)
{
    return cr_model_body(t->model, body)->name;
}

// ---------------------------------------------------------------------------------------------
// Tables: the same bits.

static const char STATES[] = "time,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,spin_x,spin_y,spin_z";
static const char ACTIONS[] = "time,body,force_x,force_y,force_z,torque_x,torque_y,torque_z,"
                              "impulse_x,impulse_y,impulse_z,twist_x,twist_y,twist_z,velocity_x,"
                              "velocity_y,velocity_z,spin_x,spin_y,spin_z";

static cr_vec3 read_vector(sheet *s)
{
    double x = sheet_number(s), y = sheet_number(s);
    return (cr_vec3){x, y, sheet_number(s)};
}

// All states of a table, for a plan's bodies.
static cr_body_state *read_states(place *p, const char *path)
{
    const told *t = p->told;
    cr_body_state *bodies = calloc((size_t)(t->frames * t->tracks), sizeof *bodies);
    sheet s = sheet_open(path, STATES);
    for (int i = 0; i < t->frames * t->tracks; i++) {
        assert_true(sheet_number(&s) == time_of(t, i / t->tracks));
        assert_string_equal(sheet_word(&s),
                            body_name(t, cr_model_moving_body(t->model, i % t->tracks)));
        bodies[i].position = read_vector(&s);
        cr_vec3 q = read_vector(&s);
        bodies[i].rotation = (cr_quat){q.x, q.y, q.z, sheet_number(&s)};
        bodies[i].velocity = read_vector(&s);
        bodies[i].spin = read_vector(&s);
    }
    assert_true(sheet_ended(&s));
    sheet_close(&s);
    return bodies;
}

static cr_action read_action(sheet *s)
{
    cr_action a;
    a.force = read_vector(s);
    a.torque = read_vector(s);
    a.impulse = read_vector(s);
    a.twist = read_vector(s);
    a.velocity = read_vector(s);
    a.spin = read_vector(s);
    return a;
}

static cr_action *read_actions(place *p, const char *path)
{
    const told *t = p->told;
    cr_action *actions = calloc((size_t)(t->frames * t->tracks), sizeof *actions);
    sheet s = sheet_open(path, ACTIONS);
    while (!sheet_ended(&s)) {
        double frame = sheet_number(&s) / cr_model_dt(t->model);
        int slot = cr_model_body(t->model, cr_model_find_body(t->model, sheet_word(&s)))->slot;
        int at = (int)lround(frame) * t->tracks + slot;
        assert_true(at >= 0 && at < (t->frames - 1) * t->tracks);
        actions[at] = read_action(&s);
    }
    sheet_close(&s);
    return actions;
}

// -0 and 0 are equal and are both written: compare bits.
static void states_are_the_replays(place *p)
{
    const told *t = p->told;
    size_t count = (size_t)(t->frames * t->tracks);
    cr_body_state *bodies = read_states(p, export(p, ".csv"));
    assert_memory_equal(bodies, t->bodies, count * sizeof *bodies);
    free(bodies);
}

// Actions of nothing are left out, whatever the sign of their zeros.
static bool same_vector(cr_vec3 a, cr_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void actions_are_the_replays(place *p)
{
    const told *t = p->told;
    cr_action *actions = read_actions(p, export(p, ".actions.csv"));
    for (int i = 0; i < t->frames * t->tracks; i++) {
        const cr_action *a = &actions[i], *b = &t->actions[i];
        assert_true(same_vector(a->force, b->force) && same_vector(a->torque, b->torque));
        assert_true(same_vector(a->impulse, b->impulse) && same_vector(a->twist, b->twist));
        assert_true(same_vector(a->velocity, b->velocity) && same_vector(a->spin, b->spin));
    }
    free(actions);
}

// Each row of states, with the actions of its time, leads to the next one, bit for bit.
static void tables_lead_on(place *p)
{
    const told *t = p->told;
    const cr_model *model = t->model;
    cr_body_state *bodies = read_states(p, export(p, ".csv"));
    cr_action *actions = read_actions(p, export(p, ".actions.csv"));
    cr_engine *engine = NULL;
    assert_int_equal(cr_engine_create(model, cr_plan_def(p->plan)->engine, &engine, NULL), CR_OK);
    cr_state *from = cr_state_create(model), *to = cr_state_create(model);
    size_t size = (size_t)t->tracks * sizeof *bodies;
    for (int f = 0; f + 1 < t->frames; f++) {
        memcpy(cr_state_bodies(model, from), bodies + f * t->tracks, size);
        cr_step step = {.from = from, .actions = actions + f * t->tracks, .to = to};
        cr_engine_step(engine, &step, 1);
        assert_true(step.alive);
        assert_memory_equal(cr_state_bodies(model, to), bodies + (f + 1) * t->tracks, size);
    }
    cr_engine_destroy(engine);
    free(from);
    free(to);
    free(bodies);
    free(actions);
}

static void skills_are_the_replays(place *p)
{
    const told *t = p->told;
    sheet s = sheet_open(export(p, ".skills.csv"), "tactic,skill,start,end");
    for (int i = 0; i < t->skill_count; i++) {
        const told_skill *k = &t->skills[i];
        assert_string_equal(sheet_word(&s), cr_model_tactic(t->model, k->tactic)->name);
        assert_string_equal(sheet_word(&s), cr_model_skill_name(t->model, k->tactic, k->skill));
        assert_true(sheet_number(&s) == time_of(t, k->from));
        assert_true(sheet_number(&s) == time_of(t, k->to));
    }
    assert_true(sheet_ended(&s));
    sheet_close(&s);
}

static void contacts_are_the_replays(place *p)
{
    const told *t = p->told;
    sheet s = sheet_open(export(p, ".contacts.csv"), "time,a,b,x,y,z,impulse");
    for (int i = 0; i < t->contact_count; i++) {
        const cr_contact *c = &t->contacts[i].contact;
        assert_true(sheet_number(&s) == time_of(t, t->contacts[i].frame));
        assert_string_equal(sheet_word(&s), body_name(t, c->a));
        assert_string_equal(sheet_word(&s), body_name(t, c->b));
        assert_true(same_vector(read_vector(&s), c->point));
        assert_true(sheet_number(&s) == c->impulse);
    }
    assert_true(sheet_ended(&s));
    sheet_close(&s);
    assert_int_equal(cr_plan_solution(p->plan, 0).contacts, t->contact_count);
}

static void scores_are_the_replays(place *p)
{
    const told *t = p->told;
    bool scored = cr_model_has_score(t->model);
    sheet s = sheet_open(export(p, ".channels.csv"), scored ? "time,score" : "time");
    for (int f = 0; f < t->frames; f++) {
        assert_true(sheet_number(&s) == time_of(t, f));
        assert_true(!scored || sheet_number(&s) == t->scores[f]);
    }
    assert_true(sheet_ended(&s));
    sheet_close(&s);
}

static void check_tables(place *p)
{
    states_are_the_replays(p);
    actions_are_the_replays(p);
    tables_lead_on(p);
    skills_are_the_replays(p);
    contacts_are_the_replays(p);
    scores_are_the_replays(p);
}

static void the_tables_are_the_replay(void **state)
{
    (void)state;
    for_all(check_tables);
}

// ---------------------------------------------------------------------------------------------
// The command line: every event, in the order of time.

static void expect_line(FILE *file, const char *format, ...)
{
    char wanted[512], line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wanted, sizeof wanted, format, arguments);
    va_end(arguments);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, wanted);
}

static void expect_contact(FILE *file, const told *t, const told_contact *k)
{
    const cr_contact *c = &k->contact;
    expect_line(file, "%8.3f  %s touches %s at (%.3f, %.3f, %.3f), %.4f N s\n",
                time_of(t, k->frame), body_name(t, c->a), body_name(t, c->b), c->point.x,
                c->point.y, c->point.z, c->impulse);
}

static void check_events(place *p)
{
    const told *t = p->told;
    run("'%s' replay '%s/plan.json' --events --solution 1 >'%s/plan.events'", CAROM_CLI, p->folder,
        p->folder);
    FILE *file = fopen(path_of(p, ".events"), "r");
    assert_non_null(file);
    int contact = 0;
    for (int i = 0; i < t->skill_count; i++) {
        const told_skill *k = &t->skills[i];
        for (; contact < t->contact_count && t->contacts[contact].frame <= k->from; contact++) {
            expect_contact(file, t, &t->contacts[contact]);
        }
        expect_line(file, "%8.3f  %s: %s\n", time_of(t, k->from),
                    cr_model_tactic(t->model, k->tactic)->name,
                    cr_model_skill_name(t->model, k->tactic, k->skill));
    }
    for (; contact < t->contact_count; contact++) {
        expect_contact(file, t, &t->contacts[contact]);
    }
    char line[512];
    if (cr_plan_solution(p->plan, 0).goal) {
        expect_line(file, "%8.3f  goal reached\n", cr_plan_solution(p->plan, 0).seconds);
    }
    assert_non_null(fgets(line, sizeof line, file));
    assert_memory_equal(line, "solution 1: replayed ", 21);
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

static void the_command_line_prints_the_events(void **state)
{
    (void)state;
    for_all(check_events);
}

// ---------------------------------------------------------------------------------------------
// The page: the same, to the steps of its columns.

// The search's tree again: nodes in the order of retracing, the root first.
typedef struct tree {
    const cr_model *model;
    int count, capacity;
    int *parents, *branches; // per node
    int *ends;               // per branch: its last node
    cr_vec3 *places;         // count * slots
    cr_planner *planner;
} tree;

static bool add_node(const cr_replay_step *step, void *context)
{
    tree *t = context;
    int slots = cr_model_moving_count(t->model), branch = (int)step->branch;
    if (!step->actions) {
        t->ends[branch] = t->ends[cr_planner_branch(t->planner, branch).parent];
        if (t->count > 0) {
            return true;
        }
    }
    assert_true(t->count < t->capacity);
    const cr_body_state *bodies = cr_state_bodies_const(step->model, step->state);
    for (int i = 0; i < slots; i++) {
        t->places[t->count * slots + i] = bodies[i].position;
    }
    t->parents[t->count] = t->count > 0 ? t->ends[branch] : -1;
    t->branches[t->count] = branch;
    t->ends[branch] = t->count++;
    return true;
}

static tree grow_again(const cr_plan *plan)
{
    tree t = {.model = cr_plan_model(plan)};
    cr_planner_def def = *cr_plan_def(plan);
    def.attempts = cr_plan_attempts(plan);
    assert_int_equal(cr_planner_create(t.model, &def, &t.planner, NULL), CR_OK);
    cr_planner_grow(t.planner, NULL);
    t.capacity = (int)cr_planner_get_stats(t.planner).nodes + 1;
    t.parents = calloc((size_t)t.capacity, sizeof *t.parents);
    t.branches = calloc((size_t)t.capacity, sizeof *t.branches);
    t.ends = calloc((size_t)cr_planner_branch_count(t.planner), sizeof *t.ends);
    t.places = calloc((size_t)(t.capacity * cr_model_moving_count(t.model)), sizeof *t.places);
    assert_int_equal(cr_planner_retrace(t.planner, add_node, &t, NULL), CR_OK);
    return t;
}

static void cut_down(tree *t)
{
    cr_planner_destroy(t->planner);
    free(t->parents);
    free(t->branches);
    free(t->ends);
    free(t->places);
}

static double axis_of(cr_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Rounded to the column's step. Points of the tree were floats before, which have 24 bits.
static void assert_rounded(const blob_column *c, int i, double exact)
{
    double bits = 1.0 / (1 << 24);
    assert_true(fabs(c->values[i] - exact) <= 0.5 * c->step * (1 + 1e-9) + bits * fabs(exact));
}

// Every shown node is one of the tree, in its order, and follows the nearest shown one.
static void check_tree(blob *b, const tree *t)
{
    blob_column parent = blob_next(b), body = blob_next(b), order = blob_next(b);
    blob_column at[3] = {blob_next(b), blob_next(b), blob_next(b)};
    int slots = cr_model_moving_count(t->model), point = 0;
    int *drawn = calloc((size_t)(t->count * slots), sizeof *drawn);
    for (int n = 0; n < t->count; n++) {
        for (int i = 0; i < slots; i++) {
            int owner = cr_model_moving_body(t->model, i);
            if (cr_model_body(t->model, owner)->kind == CR_KIND_FOREIGN) {
                continue;
            }
            assert_true(point < parent.count);
            int above = t->parents[n] < 0 ? -1 : drawn[t->parents[n] * slots + i];
            assert_true(parent.values[point] == above && body.values[point] == owner);
            assert_true(order.values[point] == t->branches[n]);
            for (int axis = 0; axis < 3; axis++) {
                assert_rounded(&at[axis], point, axis_of(t->places[n * slots + i], axis));
            }
            drawn[n * slots + i] = point++;
        }
    }
    assert_int_equal(point, parent.count);
    assert_true(blob_number(b, "tree\":{\"points", 0) == point);
    assert_true(blob_number(b, "nodes", 0) == t->count && blob_number(b, "shown", 0) == t->count);
    free(drawn);
    free(parent.values), free(body.values), free(order.values);
    free(at[0].values), free(at[1].values), free(at[2].values);
}

// The ends of branches are the playback's.
static void check_ends(blob *b, const cr_playback *playback)
{
    for (int field = 0; field < 7; field++) {
        blob_column c = blob_next(b);
        assert_int_equal(c.count, playback->end_count);
        for (int i = 0; i < c.count; i++) {
            const cr_playback_node *at = &playback->ends[i].at;
            const double numbers[] = {at->parent,
                                      at->body,
                                      at->order,
                                      (double)at->x,
                                      (double)at->y,
                                      (double)at->z,
                                      playback->ends[i].reason};
            assert_rounded(&c, i, numbers[field]);
        }
        free(c.values);
    }
    assert_true(blob_number(b, "ends", 0) == playback->end_count);
}

static double motion_of(const cr_body_state *s, int field)
{
    const double numbers[] = {s->position.x, s->position.y, s->position.z, s->rotation.x,
                              s->rotation.y, s->rotation.z, s->rotation.w, s->velocity.x,
                              s->velocity.y, s->velocity.z};
    return numbers[field];
}

// Poses and velocities; the whole rotation may have the other sign.
static void check_motion(blob *b, const told *t)
{
    static const double finest[] = {1e-5, 1.0 / 262144, 1e-4};
    blob_column columns[10];
    for (int field = 0; field < 10; field++) {
        columns[field] = blob_next(b);
        assert_int_equal(columns[field].count, t->frames * t->tracks);
        assert_true(columns[field].step == finest[field < 3 ? 0 : field < 7 ? 1 : 2]);
    }
    for (int i = 0; i < t->frames * t->tracks; i++) {
        const cr_body_state *s = &t->bodies[i % t->frames * t->tracks + i / t->frames];
        double dot = 0;
        for (int field = 3; field < 7; field++) {
            dot += columns[field].values[i] * motion_of(s, field);
        }
        for (int field = 0; field < 10; field++) {
            double sign = field >= 3 && field < 7 && dot < 0 ? -1 : 1;
            assert_rounded(&columns[field], i, sign * motion_of(s, field));
        }
    }
    for (int field = 0; field < 10; field++) {
        free(columns[field].values);
    }
}

static void check_contacts(blob *b, const told *t)
{
    blob_column c[7];
    for (int field = 0; field < 7; field++) {
        c[field] = blob_next(b);
        assert_int_equal(c[field].count, t->contact_count);
    }
    for (int i = 0; i < t->contact_count; i++) {
        const cr_contact *k = &t->contacts[i].contact;
        assert_true(c[0].values[i] == t->contacts[i].frame);
        assert_true(c[1].values[i] == k->a && c[2].values[i] == k->b);
        for (int axis = 0; axis < 3; axis++) {
            assert_rounded(&c[3 + axis], i, axis_of(k->point, axis));
        }
        assert_rounded(&c[6], i, k->impulse);
    }
    for (int field = 0; field < 7; field++) {
        free(c[field].values);
    }
}

static const char *check_spans(const char *header, const told *t)
{
    const char *at = strstr(header, "\"spans\":[");
    assert_non_null(at);
    at += 9;
    for (int i = 0; i < t->skill_count; i++) {
        const told_skill *k = &t->skills[i];
        char wanted[300];
        int length = snprintf(wanted, sizeof wanted,
                              "%s{\"row\":\"%s\",\"label\":\"%s\",\"from\":%d,\"to\":%d}",
                              i ? "," : "", cr_model_tactic(t->model, k->tactic)->name,
                              cr_model_skill_name(t->model, k->tactic, k->skill), k->from, k->to);
        assert_memory_equal(at, wanted, (size_t)length);
        at += length;
    }
    assert_true(*at == ']');
    return at;
}

static void check_world(blob *b, const told *t)
{
    check_motion(b, t);
    check_contacts(b, t);
    if (cr_model_has_score(t->model)) {
        blob_column score = blob_next(b);
        for (int f = 0; f < t->frames; f++) {
            assert_rounded(&score, f, t->scores[f]);
        }
        free(score.values);
    }
}

// The bytes of the page that the command line wrote are those of the library.
static void check_file(place *p, const cri_text *bytes)
{
    if (!cri_page[0]) {
        print_message("skipped: this build has no page\n");
        return;
    }
    blob page = blob_of_page(export(p, ".html"));
    assert_int_equal(page.length, bytes->length);
    assert_memory_equal(page.bytes, bytes->data, page.length);
    blob_free(&page);
}

static void check_page(place *p)
{
    tree grown = grow_again(p->plan);
    cr_playback *playback = NULL;
    assert_int_equal(cr_plan_playback(p->plan, grown.planner, &playback, NULL), CR_OK);
    cri_text bytes = {0};
    cri_blob_make(playback, &bytes);
    check_file(p, &bytes);
    blob b = blob_take(bytes.data, bytes.length);
    for (int i = 0; i < 3; i++) {
        free(blob_next(&b).values); // lines: none
    }
    check_tree(&b, &grown);
    check_ends(&b, playback);
    const char *header = strstr(b.header, "\"worlds\":[");
    for (int w = 0; w < cr_plan_solution_count(p->plan); w++) {
        told *t = told_by_replay(p->plan, w);
        check_world(&b, t);
        assert_true(blob_number(&b, "frames", w) == t->frames);
        assert_true(blob_number(&b, "contacts", w) == cr_plan_solution(p->plan, w).contacts);
        header = check_spans(header, t);
        told_free(t);
    }
    assert_true(b.at == b.length);
    blob_free(&b);
    cri_text_free(&bytes);
    cr_playback_destroy(playback);
    cut_down(&grown);
}

static void the_page_holds_the_replay(void **state)
{
    (void)state;
    for_all(check_page);
}

// ---------------------------------------------------------------------------------------------
// A plan that says of itself what is not so does not replay.

// The plan's file with the first digit of a solution's value made another one; NULL if it is
// refused as it is read, because it contradicts itself.
static cr_plan *altered(place *p, const char *key)
{
    char *text = NULL, name[32];
    size_t length;
    assert_int_equal(cri_file_read(path_of(p, ".json"), (size_t)1 << 24, &text, &length, NULL),
                     CR_OK);
    snprintf(name, sizeof name, "\"%s\": ", key);
    char *at = strstr(strstr(text, "\"solutions\": ["), name);
    assert_non_null(at);
    at += strlen(name);
    at += strcspn(at, "0123456789");
    *at = *at == '7' ? '6' : '7';
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(text, length, "altered", NULL, &plan, NULL);
    assert_true((status == CR_OK) == (plan != NULL));
    free(text);
    return plan;
}

static void check_claims(place *p)
{
    static const char *const keys[] = {"seconds", "score", "turning", "contacts", "hash"};
    for (int i = 0; i < 5; i++) {
        cr_plan *plan = altered(p, keys[i]);
        bool contradicts = strcmp(keys[i], "seconds") == 0 || strcmp(keys[i], "hash") == 0;
        assert_true(contradicts == (plan == NULL));
        if (!plan) {
            continue;
        }
        cr_report report = {0};
        assert_int_equal(cr_plan_replay(plan, 0, NULL, NULL, &report), CR_ERR_REPLAY);
        assert_non_null(strstr(report.errors[0].message, i < 4 ? keys[i] : "ends in state"));
        cr_playback *playback = NULL;
        assert_int_equal(cr_plan_playback(plan, NULL, &playback, NULL), CR_ERR_REPLAY);
        assert_null(playback);
        cr_plan_destroy(plan);
    }
}

static void claims_are_checked(void **state)
{
    (void)state;
    for_all(check_claims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_are_the_replay),
        cmocka_unit_test(the_command_line_prints_the_events),
        cmocka_unit_test(the_page_holds_the_replay),
        cmocka_unit_test(claims_are_checked),
    };
    return cmocka_run_group_tests(tests, open_places, close_places);
}
