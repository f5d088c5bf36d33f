// The search tree in a playback: a point for each body that the search moves in each node, and
// where and why branches ended, those that died among them, which are not in the tree.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "export/show.h"

// The most points of the tree in a playback, and about the most of the ways to what died.
enum { TREE_POINTS = 100000, DEAD_POINTS = 20000 };

#define STILL 1e-3 // m: what moves less far in a branch stays where it is

typedef struct tree_recorder {
    cri_playback *show;
    const cr_model *model;
    const cr_planner *planner;
    int64_t stride; // every so many steps of a branch a node is shown
    int64_t branch, step, shown;
    int64_t ended;     // branches of the tree that ended, but for those at the goal
    int64_t end_every; // of these, one in so many is noted
    int32_t *ends;     // per branch and slot: the last node
    int32_t *last;     // per slot: the node that the next one follows
    cr_vec3 *starts;   // per slot: where it was when the branch began
    int64_t *parents;  // per branch
    cri_show_list nodes, marks, reasons;
    bool failed;
} tree_recorder;

// Foreign bodies do the same in every branch; they only clutter the picture.
static bool is_drawn(const cr_model *model, int slot)
{
    return cr_model_body(model, cr_model_moving_body(model, slot))->kind != CR_KIND_FOREIGN;
}

static int64_t count_drawn(const cr_model *model)
{
    int64_t count = 0;
    for (int i = 0; i < cr_model_moving_count(model); i++) {
        count += is_drawn(model, i);
    }
    return count;
}

// Where the body in a slot is; it follows its last node.
static cr_playback_node point_at(const tree_recorder *t, const cr_replay_step *step, int slot,
                                 int64_t order)
{
    cr_vec3 at = cr_state_bodies_const(t->model, step->state)[slot].position;
    return (cr_playback_node){.parent = t->last[slot],
                              .body = cr_model_moving_body(t->model, slot),
                              .x = (float)at.x,
                              .y = (float)at.y,
                              .z = (float)at.z,
                              .order = (int)(order < INT_MAX ? order : INT_MAX)};
}

static void add_points(tree_recorder *t, const cr_replay_step *step)
{
    t->shown++;
    for (int i = 0; i < cr_model_moving_count(t->model); i++) {
        if (is_drawn(t->model, i)) {
            cr_playback_node node = point_at(t, step, i, t->branch);
            t->last[i] = t->nodes.count;
            t->failed |= !cri_show_add(&t->nodes, &node, sizeof node);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Why branches ended.

// The number of a reason; one that is new is added.
static int reason(tree_recorder *t, const char *kind, const char *text)
{
    const cr_playback_reason *known = t->reasons.items;
    for (int i = 0; i < t->reasons.count; i++) {
        if (strcmp(known[i].kind, kind) == 0 && strcmp(known[i].text, text) == 0) {
            return i;
        }
    }
    cr_playback_reason added = {kind, cri_show_text(t->show, text), 0};
    t->failed |= !added.text || !cri_show_add(&t->reasons, &added, sizeof added);
    return t->reasons.count - 1;
}

static int reason_of_death(tree_recorder *t, const cr_death *death)
{
    char text[400];
    if (death->rule) {
        snprintf(text, sizeof text, "broke the rule %s", death->rule);
        return reason(t, "rule", text);
    }
    const char *who =
        death->fault_body >= 0 ? cr_model_body(t->model, death->fault_body)->name : "a body";
    bool known = death->fault != CR_FAULT_NONE;
    snprintf(text, sizeof text, known ? "blew up: %s %s" : "blew up", who,
             cr_fault_about(death->fault));
    return reason(t, "engine", text);
}

// Why a branch of the tree ended, or -1: it goes on, might go on, or what was kept of it might.
static int reason_of_end(tree_recorder *t, const cr_branch *branch)
{
    const cr_planner_def *def = cr_planner_get_def(t->planner);
    if (branch->goal) {
        return reason(t, "goal", "reached the goal");
    }
    if (!branch->ended || branch->cut || def->keep_dead) {
        return -1;
    }
    bool late = (double)branch->depth * cr_model_dt(t->model) > def->horizon - STILL;
    return late ? reason(t, "time", "the horizon came") : reason(t, "skill", "a Skill ended it");
}

static bool has_moved(cr_vec3 from, const cr_playback_node *to)
{
    double x = (double)to->x - from.x, y = (double)to->y - from.y, z = (double)to->z - from.z;
    return x * x + y * y + z * z > STILL * STILL;
}

// Mark where the bodies that the branch has moved are, or, if it moved none, the first. why: a
// reason, or -1: on the way, and what comes next starts here.
static void add_marks(tree_recorder *t, const cr_replay_step *step, int64_t order, int why)
{
    int first = -1, added = 0, nodes = t->show->playback.node_count;
    for (int i = 0; i < cr_model_moving_count(t->model); i++) {
        if (!is_drawn(t->model, i)) {
            continue;
        }
        first = first < 0 ? i : first;
        cr_playback_end mark = {point_at(t, step, i, order), why};
        if (has_moved(t->starts[i], &mark.at)) {
            t->last[i] = why < 0 ? nodes + t->marks.count : t->last[i];
            t->failed |= !cri_show_add(&t->marks, &mark, sizeof mark);
            added++;
        }
    }
    if (why >= 0 && why < t->reasons.count) {
        ((cr_playback_reason *)t->reasons.items)[why].count++;
    }
    if (why >= 0 && added == 0 && first >= 0) {
        cr_playback_end mark = {point_at(t, step, first, order), why};
        t->failed |= !cri_show_add(&t->marks, &mark, sizeof mark);
    }
}

static void begin_branch(tree_recorder *t, const cr_replay_step *step, int64_t parent)
{
    size_t slots = (size_t)cr_model_moving_count(t->model);
    const cr_body_state *bodies = cr_state_bodies_const(t->model, step->state);
    t->step = 0;
    memcpy(t->last, t->ends + (size_t)parent * slots, slots * sizeof *t->last);
    for (size_t i = 0; i < slots; i++) {
        t->starts[i] = bodies[i].position;
    }
}

static void end_branch(tree_recorder *t, const cr_replay_step *step, const cr_branch *branch)
{
    bool noted = branch->goal || (branch->ended && t->ended++ % t->end_every == 0);
    int why = noted ? reason_of_end(t, branch) : -1;
    if (why >= 0) {
        add_marks(t, step, t->branch, why);
    }
}

static bool record_tree(const cr_replay_step *step, void *context)
{
    tree_recorder *t = context;
    int64_t slots = cr_model_moving_count(t->model);
    size_t size = (size_t)slots * sizeof *t->last;
    t->branch = step->branch;
    cr_branch branch = cr_planner_branch(t->planner, t->branch);
    if (!step->actions) { // a branch begins, in the state at its parent's end
        begin_branch(t, step, t->parents[t->branch]);
        if (t->nodes.count == 0) {
            add_points(t, step);
            memcpy(t->ends, t->last, size);
        }
    } else if (++t->step % t->stride == 0) {
        add_points(t, step);
    }
    if (t->step == branch.steps) {
        end_branch(t, step, &branch);
    }
    memcpy(t->ends + t->branch * slots, t->last, size);
    return !t->failed;
}

static bool record_death(const cr_replay_step *step, void *context)
{
    tree_recorder *t = context;
    cr_death death = cr_planner_death(t->planner, step->branch);
    if (!step->actions) {
        begin_branch(t, step, death.parent);
    } else {
        t->step++;
    }
    if (t->step == death.steps) {
        add_marks(t, step, death.branches, reason_of_death(t, &death));
    } else if (t->step > 0 && t->step % t->stride == 0) {
        add_marks(t, step, death.branches, -1);
    }
    return !t->failed;
}

// ---------------------------------------------------------------------------------------------
// The whole.

static bool open_tree(tree_recorder *t)
{
    int64_t count = cr_planner_branch_count(t->planner);
    size_t slots = (size_t)cr_model_moving_count(t->model), n = (size_t)count;
    t->ends = malloc((n * slots + 1) * sizeof *t->ends);
    t->last = malloc((slots + 1) * sizeof *t->last);
    t->starts = malloc((slots + 1) * sizeof *t->starts);
    t->parents = malloc((n + 1) * sizeof *t->parents);
    if (!t->ends || !t->last || !t->starts || !t->parents) {
        return false;
    }
    memset(t->ends, 0xff, n * slots * sizeof *t->ends); // -1: no node yet
    for (int64_t b = 0; b < count; b++) {
        t->parents[b] = b > 0 ? cr_planner_branch(t->planner, b).parent : 0;
    }
    return true;
}

static cr_status record_deaths(tree_recorder *t, cr_report *report)
{
    int64_t steps = 0;
    for (int64_t d = 0; d < cr_planner_death_count(t->planner); d++) {
        steps += cr_planner_death(t->planner, d).steps;
    }
    t->stride = 1 + steps * count_drawn(t->model) / DEAD_POINTS;
    return cr_planner_retrace_deaths(t->planner, record_death, t, report);
}

// Points first: the ways to what died follow on them.
static cr_status record_all(tree_recorder *t, const cr_planner_stats *stats, cr_report *report)
{
    cr_playback *p = &t->show->playback;
    t->stride = 1 + stats->nodes * count_drawn(t->model) / TREE_POINTS;
    t->end_every = 1 + stats->ended / CR_DEATHS_MAX;
    cr_status status = cr_planner_retrace(t->planner, record_tree, t, report);
    p->tree_nodes = stats->nodes;
    p->tree_shown = t->shown;
    p->dead_rule = stats->dead_rule;
    p->dead_engine = stats->dead_engine;
    p->ended = stats->ended;
    p->node_count = t->nodes.count;
    p->nodes = cri_show_settle(t->show, &t->nodes, sizeof(cr_playback_node));
    t->failed |= !p->nodes;
    return status == CR_OK && !t->failed ? record_deaths(t, report) : status;
}

cr_status cri_show_tree(cri_playback *show, const cr_planner *planner, const cr_model *model,
                        cr_report *report)
{
    cr_playback *p = &show->playback;
    const cr_planner_stats stats = cr_planner_get_stats(planner);
    tree_recorder t = {.show = show, .model = model, .planner = planner};
    cr_status status = open_tree(&t) ? record_all(&t, &stats, report) : CR_ERR_MEMORY;
    p->end_count = t.marks.count;
    p->ends = cri_show_settle(show, &t.marks, sizeof(cr_playback_end));
    p->reason_count = t.reasons.count;
    p->reasons = cri_show_settle(show, &t.reasons, sizeof(cr_playback_reason));
    t.failed |= !p->ends || !p->reasons;
    free(t.ends);
    free(t.last);
    free(t.starts);
    free(t.parents);
    free(t.nodes.items);
    return t.failed || status == CR_ERR_MEMORY ? cri_fail_memory(report) : status;
}
