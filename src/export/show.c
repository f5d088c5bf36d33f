// From a plan to a playback: replay each solution and note what there is to see.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "export/show.h"

bool cri_show_add(cri_show_list *list, const void *item, size_t size)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        void *items = realloc(list->items, (size_t)capacity * size);
        if (!items) {
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    memcpy((char *)list->items + (size_t)list->count++ * size, item, size);
    return true;
}

void *cri_show_settle(cri_playback *show, cri_show_list *list, size_t size)
{
    void *items = cri_arena_alloc(&show->arena, (size_t)list->count, size);
    if (items && list->count > 0) {
        memcpy(items, list->items, (size_t)list->count * size);
    }
    free(list->items);
    *list = (cri_show_list){0};
    return items;
}

const char *cri_show_text(cri_playback *show, const char *text)
{
    return cri_arena_text(&show->arena, text, strlen(text));
}

typedef cri_playback show;

// ---------------------------------------------------------------------------------------------
// What stays the same: bodies and regions.

static bool copy_shape(show *s, cr_shape *shape)
{
    if (shape->point_count > 0) {
        cr_vec2 *points = cri_arena_alloc(&s->arena, (size_t)shape->point_count, sizeof *points);
        if (!points) {
            return false;
        }
        memcpy(points, shape->points, (size_t)shape->point_count * sizeof *points);
        shape->points = points;
    }
    if (shape->hull) {
        cr_hull *hull = cri_arena_alloc(&s->arena, 1, sizeof *hull);
        if (!hull) {
            return false;
        }
        memcpy(hull, shape->hull, sizeof *hull);
        shape->hull = hull;
    }
    return true;
}

static bool copy_body(show *s, const cr_body *from, cr_playback_body *to)
{
    cr_part *parts = cri_arena_alloc(&s->arena, (size_t)from->part_count, sizeof *parts);
    const char *name = cri_show_text(s, from->name);
    if (!parts || !name) {
        return false;
    }
    for (int i = 0; i < from->part_count; i++) {
        parts[i] = from->parts[i];
        parts[i].name = cri_show_text(s, from->parts[i].name);
        if (!parts[i].name || !copy_shape(s, &parts[i].shape)) {
            return false;
        }
    }
    *to = (cr_playback_body){.name = name,
                             .color = from->color,
                             .moving = from->slot >= 0,
                             .track = from->slot,
                             .pose = from->pose,
                             .part_count = from->part_count,
                             .parts = parts};
    return true;
}

// The scene's decor, and the pins and ropes of its joints.
static bool copy_decor(show *s, const cr_model *model)
{
    const cr_decor *decor = cr_model_decor(model);
    size_t count = (size_t)decor->mark_count, dressed = (size_t)decor->dress_count;
    size_t joints = (size_t)cr_model_joint_count(model);
    cr_dress *dresses = cri_arena_alloc(&s->arena, dressed, sizeof *dresses);
    cr_mark *marks = cri_arena_alloc(&s->arena, count + joints, sizeof *marks);
    cr_vec3 *ends = cri_arena_alloc(&s->arena, 2 * joints, sizeof *ends);
    if (!dresses || !marks || !ends) {
        return false;
    }
    for (size_t i = 0; i < dressed; i++) {
        dresses[i] = decor->dresses[i];
    }
    for (size_t i = 0; i < count; i++) {
        marks[i] = decor->marks[i];
        size_t points = (size_t)marks[i].point_count;
        cr_vec3 *copy = cri_arena_alloc(&s->arena, points, sizeof *copy);
        if (!copy) {
            return false;
        }
        for (size_t k = 0; k < points; k++) {
            copy[k] = marks[i].points[k];
        }
        marks[i].points = copy;
    }
    cri_show_joints(model, marks + count, ends);
    s->playback.decor = (cr_decor){decor->dress_count, dresses, (int)(count + joints), marks};
    return true;
}

static bool copy_goals(show *s, const cr_model *model)
{
    int *goals = cri_arena_alloc(&s->arena, (size_t)cr_model_region_count(model), sizeof *goals);
    for (int i = 0; goals && i < cr_model_region_count(model); i++) {
        if (cr_model_region_is_goal(model, i)) {
            goals[s->playback.goal_count++] = i;
        }
    }
    s->playback.goals = goals;
    return goals != NULL;
}

static int count_ways(const cr_model *model, int tactic)
{
    int count = 0;
    for (int k = 0; k < cr_model_tactic(model, tactic)->skill_count; k++) {
        count += cr_model_transition_count(model, tactic, k);
    }
    return count;
}

static bool copy_tactic(show *s, const cr_model *model, int index, cr_playback_tactic *to)
{
    const cr_tactic *from = cr_model_tactic(model, index);
    int count = from->skill_count, way = 0;
    const char **skills = cri_arena_alloc(&s->arena, (size_t)count, sizeof *skills);
    int *ways = cri_arena_alloc(&s->arena, 2 * (size_t)count_ways(model, index), sizeof *ways);
    *to = (cr_playback_tactic){cri_show_text(s, from->name), from->body, from->start, count, skills,
                               count_ways(model, index),     ways};
    bool good = skills && ways && to->name;
    for (int k = 0; good && k < count; k++) {
        skills[k] = cri_show_text(s, cr_model_skill_name(model, index, k));
        good = skills[k];
        for (int t = 0; good && t < cr_model_transition_count(model, index, k); t++) {
            ways[way++] = k;
            ways[way++] = cr_model_transition(model, index, k, t).to;
        }
    }
    return good;
}

static bool copy_tactics(show *s, const cr_model *model)
{
    int count = cr_model_tactic_count(model);
    cr_playback_tactic *tactics = cri_arena_alloc(&s->arena, (size_t)count, sizeof *tactics);
    bool good = tactics != NULL;
    for (int i = 0; good && i < count; i++) {
        good = copy_tactic(s, model, i, &tactics[i]);
    }
    s->playback.tactics = tactics;
    s->playback.tactic_count = good ? count : 0;
    return good;
}

static bool copy_scene(show *s, const cr_model *model)
{
    cr_playback *p = &s->playback;
    const cr_scene *scene = cr_model_scene(model);
    p->title = cri_show_text(s, cr_scene_name(scene));
    p->about = cri_show_text(s, cr_scene_about(scene));
    p->frame_seconds = cr_model_dt(model);
    p->body_count = cr_model_body_count(model);
    p->track_count = cr_model_moving_count(model);
    p->region_count = cr_model_region_count(model);
    cr_playback_body *bodies = cri_arena_alloc(&s->arena, (size_t)p->body_count, sizeof *bodies);
    cr_region *regions = cri_arena_alloc(&s->arena, (size_t)p->region_count, sizeof *regions);
    bool good = p->title && p->about && bodies && regions;
    for (int i = 0; good && i < p->body_count; i++) {
        good = copy_body(s, cr_model_body(model, i), &bodies[i]);
    }
    for (int i = 0; good && i < p->region_count; i++) {
        regions[i] = *cr_model_region(model, i);
        regions[i].name = cri_show_text(s, regions[i].name);
        good = regions[i].name && copy_shape(s, &regions[i].shape);
    }
    p->bodies = bodies;
    p->regions = regions;
    return good && copy_decor(s, model) && copy_goals(s, model) && copy_tactics(s, model);
}

// ---------------------------------------------------------------------------------------------
// What happens in a solution.

typedef struct recorder {
    show *show;
    const cr_model *model;
    int frame, tracks;
    cr_pose *frames;
    cr_vec3 *velocities, *spins;
    cr_action *actions;
    double *scores;
    cri_show_list spans, contacts;
    int *open; // per Tactic: its last span, or -1
    bool failed;
} recorder;

static void record_bodies(recorder *r, const cr_replay_step *step)
{
    const cr_body_state *bodies = cr_state_bodies_const(step->model, step->state);
    size_t at = (size_t)r->frame * (size_t)r->tracks;
    for (int i = 0; i < r->tracks; i++) {
        r->frames[at + (size_t)i] = (cr_pose){bodies[i].position, bodies[i].rotation};
        r->velocities[at + (size_t)i] = bodies[i].velocity;
        r->spins[at + (size_t)i] = bodies[i].spin;
        if (step->actions) { // held from the frame before
            r->actions[at + (size_t)i - (size_t)r->tracks] = step->actions[i];
        }
    }
    r->scores[r->frame] = step->score;
}

static void record_skill(recorder *r, const cr_event *e, int frame)
{
    cr_playback_span span = {
        cri_show_text(r->show, cr_model_tactic(r->model, e->tactic)->name),
        cri_show_text(r->show, cr_model_skill_name(r->model, e->tactic, e->skill)), frame, frame};
    r->open[e->tactic] = r->spans.count;
    r->failed |= !span.row || !span.label || !cri_show_add(&r->spans, &span, sizeof span);
}

static void record_events(recorder *r, const cr_replay_step *step)
{
    for (int i = 0; i < step->event_count && !r->failed; i++) {
        const cr_event *e = &step->events[i];
        const cr_contact *c = &e->contact;
        int frame = (int)e->step; // both count from the root
        if (e->kind == CR_EVENT_SKILL) {
            record_skill(r, e, frame);
        } else {
            cr_playback_contact contact = {frame, c->a, c->b, c->point, c->impulse};
            r->failed |= !cri_show_add(&r->contacts, &contact, sizeof contact);
        }
    }
    for (int i = 0; i < cr_model_tactic_count(r->model) && !r->failed; i++) {
        if (r->open[i] >= 0) {
            ((cr_playback_span *)r->spans.items)[r->open[i]].to = r->frame;
        }
    }
}

static bool record(const cr_replay_step *step, void *context)
{
    recorder *r = context;
    record_bodies(r, step);
    record_events(r, step);
    r->frame++;
    return !r->failed;
}

static bool open_recorder(recorder *r, show *s, const cr_model *model, int64_t frames)
{
    size_t n = (size_t)frames, tracks = (size_t)cr_model_moving_count(model);
    size_t tactics = (size_t)cr_model_tactic_count(model);
    *r = (recorder){.show = s, .model = model, .tracks = (int)tracks};
    r->frames = cri_arena_alloc(&s->arena, n * tracks, sizeof *r->frames);
    r->velocities = cri_arena_alloc(&s->arena, n * tracks, sizeof *r->velocities);
    r->spins = cri_arena_alloc(&s->arena, n * tracks, sizeof *r->spins);
    r->actions = cri_arena_alloc(&s->arena, n * tracks, sizeof *r->actions);
    r->scores = cri_arena_alloc(&s->arena, n, sizeof *r->scores);
    r->open = cri_arena_alloc(&s->arena, tactics, sizeof *r->open);
    if (!r->frames || !r->velocities || !r->spins || !r->actions || !r->scores || !r->open) {
        return false;
    }
    for (size_t i = 0; i < tactics; i++) {
        r->open[i] = -1;
    }
    return true;
}

// Neither a way to the goal nor the best of what was found: there to show what goes wrong.
static bool is_failed(const cr_model *model, const cr_solution *info)
{
    bool missed = cr_model_has_goal(model) && !info->goal && info->end != CR_END_BEST;
    return missed || info->rule || info->end == CR_END_ENGINE;
}

// "solution 3", "best so far", or how a future that is neither ended.
static void make_title(const cr_plan *plan, int index, char *title, size_t size)
{
    cr_end end = cr_plan_solution(plan, index).end;
    if (end == CR_END_GOAL) {
        snprintf(title, size, "solution %d", index + 1);
    } else if (end == CR_END_BEST) {
        snprintf(title, size, "best so far");
    } else {
        cr_plan_print_end(plan, index, title, size);
    }
}

static bool close_world(recorder *r, const cr_plan *plan, int index, cr_playback_world *world)
{
    char title[400];
    make_title(plan, index, title, sizeof title);
    cr_solution info = cr_plan_solution(plan, index);
    cr_playback_channel *score = cri_arena_alloc(&r->show->arena, 1, sizeof *score);
    *world = (cr_playback_world){
        .title = cri_show_text(r->show, title),
        .score = info.score,
        .frame_count = r->frame,
        .frames = r->frames,
        .velocities = r->velocities,
        .spins = r->spins,
        .actions = r->actions,
        .span_count = r->spans.count,
        .spans = cri_show_settle(r->show, &r->spans, sizeof(cr_playback_span)),
        .contact_count = r->contacts.count,
        .contacts = cri_show_settle(r->show, &r->contacts, sizeof(cr_playback_contact)),
        .channel_count = cr_model_has_score(r->model) ? 1 : 0,
        .channels = score,
    };
    world->failed = is_failed(r->model, &info) ? world->title : NULL;
    if (score) {
        *score = (cr_playback_channel){"score", "", r->scores};
    }
    return score && world->title && world->spans && world->contacts;
}

static cr_status record_solution(show *s, const cr_plan *plan, int index, cr_playback_world *world,
                                 cr_report *report)
{
    cr_solution info = cr_plan_solution(plan, index);
    recorder r;
    if (!open_recorder(&r, s, cr_plan_model(plan), info.steps + 1)) {
        return cri_fail_memory(report);
    }
    cr_status status = cr_plan_replay(plan, index, record, &r, report);
    bool whole = close_world(&r, plan, index, world);
    if (status == CR_OK && (r.failed || !whole)) {
        status = cri_fail_memory(report);
    }
    return status;
}

// What shows one world only shows with the title that it failed.
static const char *failed_title(show *s)
{
    char title[600];
    snprintf(title, sizeof title, "%s: %s", s->playback.title, s->playback.worlds[0].failed);
    return cri_show_text(s, title);
}

cr_status cr_plan_playback(const cr_plan *plan, const cr_planner *planner, cr_playback **playback,
                           cr_report *report)
{
    *playback = NULL;
    show *s = calloc(1, sizeof *s);
    if (!s) {
        return cri_fail_memory(report);
    }
    cr_playback *p = &s->playback;
    int count = cr_plan_solution_count(plan);
    cr_playback_world *worlds = cri_arena_alloc(&s->arena, (size_t)count, sizeof *worlds);
    cr_status status = worlds && copy_scene(s, cr_plan_model(plan)) ? CR_OK : CR_ERR_MEMORY;
    if (status != CR_OK) {
        cri_fail_memory(report);
    }
    p->worlds = worlds;
    for (; p->world_count < count && status == CR_OK; p->world_count++) {
        status = record_solution(s, plan, p->world_count, &worlds[p->world_count], report);
    }
    if (status == CR_OK && worlds[0].failed) {
        p->title = failed_title(s);
        status = p->title ? CR_OK : cri_fail_memory(report);
    }
    if (status == CR_OK && planner) {
        status = cri_show_tree(s, planner, cr_plan_model(plan), report);
    }
    if (status != CR_OK) {
        cr_playback_destroy(p);
        return status;
    }
    *playback = p;
    return CR_OK;
}
