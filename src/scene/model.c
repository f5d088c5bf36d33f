// The compiled model: what follows from its bodies and Tactics, and the layout of its states.
#include "scene/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"
#include "geom/geom.h"
#include "scene/calls.h"

// ---------------------------------------------------------------------------------------------
// Completion.

static void measure_body(cr_body *body)
{
    body->radius = body->reach = 0;
    for (int i = 0; i < body->part_count; i++) {
        const cr_part *part = &body->parts[i];
        double radius = cri_shape_radius(&part->shape, part->pose);
        double reach = radius < HUGE_VAL
                           ? cri_shape_support(&part->shape, part->pose, cri_vec3(1, 0, 0))
                           : HUGE_VAL;
        body->radius = radius > body->radius ? radius : body->radius;
        body->reach = reach > body->reach ? reach : body->reach;
    }
}

static cr_status give_slots(cr_model *model)
{
    model->moving_count = 0;
    for (int i = 0; i < model->body_count; i++) {
        cr_body *body = &model->bodies[i];
        body->slot = body->kind == CR_KIND_STATIC ? -1 : model->moving_count++;
        measure_body(body);
    }
    model->moving = cri_arena_alloc(&model->arena, (size_t)model->moving_count, sizeof(int));
    if (!model->moving) {
        return CR_ERR_MEMORY;
    }
    for (int i = 0; i < model->body_count; i++) {
        if (model->bodies[i].slot >= 0) {
            model->moving[model->bodies[i].slot] = i;
        }
    }
    return CR_OK;
}

static double mean_if_unset(double given, double a, double b)
{
    return given < 0 ? (a + b) / 2 : given;
}

// Along the grain a grained material has its own coefficient, the other its plain one.
static double along_grain(const cr_material *m)
{
    return cri_dot(m->grain, m->grain) > 0 ? m->grain_friction : m->friction;
}

cr_meeting cri_meeting_of(const cr_meeting *m, const cr_material *a, const cr_material *b)
{
    return (cr_meeting){
        .friction = mean_if_unset(m->friction, a->friction, b->friction),
        .static_friction =
            mean_if_unset(m->static_friction, a->static_friction, b->static_friction),
        .restitution = mean_if_unset(m->restitution, a->restitution, b->restitution),
        .rolling = mean_if_unset(m->rolling, a->rolling, b->rolling),
        .spinning = mean_if_unset(m->spinning, a->spinning, b->spinning),
        .along = mean_if_unset(m->along, along_grain(a), along_grain(b)),
    };
}

static cr_status fill_meetings(cr_model *model)
{
    size_t n = (size_t)model->material_count;
    const cr_meeting *scene = model->meetings; // what the compiler has read, if anything
    model->given = cri_arena_alloc(&model->arena, n * n, sizeof *model->given);
    model->meetings = cri_arena_alloc(&model->arena, n * n, sizeof *model->meetings);
    if (!model->given || !model->meetings) {
        return CR_ERR_MEMORY;
    }
    for (size_t i = 0; i < n * n; i++) {
        model->given[i] = scene ? scene[i] : CRI_MEETING_UNSET;
        model->meetings[i] =
            cri_meeting_of(&model->given[i], &model->materials[i / n], &model->materials[i % n]);
    }
    return CR_OK;
}

static bool can_be_pushed(const cr_body *body)
{
    return body->kind != CR_KIND_STATIC && !body->driven;
}

static bool is_free(const cr_body *body)
{
    bool round = body->part_count == 1 && body->parts[0].shape.kind == CR_SHAPE_SPHERE;
    return can_be_pushed(body) && !body->upright && !round;
}

// A course makes room for a face on a face of any two parts, 3 kB a point and eight worlds abreast:
// with more than so many of these, a hundred free bodies, a world is large. Boxes and balls meet in
// lanes there, too, eight pairs of one world at a time: a run of 50 dominoes takes less than half
// of the time, one of ten more. With more parts than this they go the large way.
static const double MEETS_MAX = 5000, SHARP_MAX = 32;

static bool is_sharp_or_ball(const cr_body *body)
{
    bool known = true;
    for (int i = 0; i < body->part_count; i++) {
        cr_shape_kind kind = body->parts[i].shape.kind;
        known = known && (kind == CR_SHAPE_BOX || kind == CR_SHAPE_SPHERE);
    }
    return known;
}

bool cri_model_is_large(const cr_model *model)
{
    double moving = 0, fixed = 0, squares = 0;
    bool free = false, known = true;
    for (int i = 0; i < model->body_count; i++) {
        const cr_body *body = &model->bodies[i];
        double parts = body->part_count;
        free = free || is_free(body);
        known = known && (body->kind == CR_KIND_STATIC || is_sharp_or_ball(body));
        fixed += body->kind == CR_KIND_STATIC ? parts : 0;
        moving += body->kind == CR_KIND_STATIC ? 0 : parts;
        squares += body->kind == CR_KIND_STATIC ? 0 : parts * parts;
    }
    double meets = (moving * moving - squares) / 2 + moving * fixed;
    bool crowded = free && (meets > MEETS_MAX || (known && moving > SHARP_MAX));
    return model->joint_count == 0 && (crowded || model->body_count > CRI_SMALL_MAX);
}

// Of all bodies on the average: each contact is of two of them, and bodies of one size have room
// for a dozen neighbours.
enum { CONTACTS_A_BODY = 32 };

// The list and the table of pairs, for models of which there are not too many.
static bool list_pairs(cr_model *model)
{
    size_t n = (size_t)model->body_count;
    model->pair_of = cri_arena_alloc(&model->arena, n * n, sizeof(int));
    model->pairs =
        cri_arena_alloc(&model->arena, (size_t)model->pair_count + 1, sizeof *model->pairs);
    if (!model->pair_of || !model->pairs) {
        return false;
    }
    int count = 0;
    for (int a = 0; a < model->body_count; a++) {
        model->pair_of[(size_t)a * n + (size_t)a] = -1;
        for (int b = a + 1; b < model->body_count; b++) {
            int index = cri_pairs_meet(&model->who, a, b) ? count++ : -1;
            if (index >= 0) {
                model->pairs[index] = (cri_pair){
                    .a = a,
                    .b = b,
                    .watched = cri_pairs_bit(&model->who, a, b),
                    .responds =
                        can_be_pushed(&model->bodies[a]) || can_be_pushed(&model->bodies[b]),
                };
            }
            model->pair_of[(size_t)a * n + (size_t)b] = index;
            model->pair_of[(size_t)b * n + (size_t)a] = index;
        }
    }
    assert(count == model->pair_count);
    return true;
}

static cr_status make_pairs(cr_model *model, const cri_pair_wish *wishes, int wish_count)
{
    if (!cri_pairs_init(&model->who, &model->arena, model->bodies, model->body_count, wishes,
                        wish_count)) {
        return CR_ERR_MEMORY;
    }
    model->pair_count = model->who.count;
    model->watched_count = model->who.watched_count;
    if (!cri_model_is_large(model) && !list_pairs(model)) {
        return CR_ERR_MEMORY;
    }
    // A pair is reported once: a step never has more contacts than that; nor has one of a large
    // world so many a body.
    int most = CONTACTS_A_BODY * model->moving_count;
    bool fewer = cri_model_is_large(model) && most < model->pair_count;
    model->contact_max = fewer ? most : model->pair_count;
    return CR_OK;
}

static cr_status lay_out(cr_model *model)
{
    size_t offset = sizeof(cr_state);
    model->bodies_offset = offset;
    offset += (size_t)model->moving_count * sizeof(cr_body_state);
    model->traces_offset = offset;
    model->traces_size = cri_model_is_large(model) ? (size_t)model->moving_count * CRI_TRACE : 0;
    offset += model->traces_size;
    model->touched_offset = offset;
    offset += ((size_t)model->watched_count + 63) / 64 * sizeof(uint64_t);
    model->joints_offset = offset;
    offset += (size_t)model->joint_count * sizeof(cr_joint_state);
    model->tactics_offset = offset;
    for (int i = 0; i < model->tactic_count; i++) {
        model->tactics[i].offset = offset;
        offset +=
            sizeof(cr_tactic_state) + (size_t)model->tactics[i].variable_count * sizeof(double);
    }
    model->memory_offset = offset;
    offset += (size_t)model->memory_count * sizeof(int64_t);
    model->state_size = offset;
    model->start_state = cri_arena_alloc(&model->arena, 1, offset);
    return model->start_state ? CR_OK : CR_ERR_MEMORY;
}

static void fill_start(cr_model *model)
{
    cr_state *state = (cr_state *)(void *)model->start_state;
    state->step = 0;
    cr_body_state *bodies = cri_bodies(model, state);
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        bodies[slot] =
            (cr_body_state){body->pose.position, body->pose.rotation, body->velocity, body->spin};
    }
    for (int i = 0; i < model->tactic_count; i++) {
        *cri_tactic_state(model, state, i) =
            (cr_tactic_state){.skill = model->tactics[i].info.start, .phase = CR_SKILL_ENTER};
    }
}

cr_status cri_model_finish(cr_model *model, const cri_pair_wish *wishes, int wish_count,
                           cr_report *report)
{
    if (give_slots(model) != CR_OK || fill_meetings(model) != CR_OK ||
        make_pairs(model, wishes, wish_count) != CR_OK || lay_out(model) != CR_OK) {
        return cri_fail_memory(report);
    }
    fill_start(model);
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Queries.

int cr_model_body_count(const cr_model *model)
{
    return model->body_count;
}

const cr_body *cr_model_body(const cr_model *model, int body)
{
    return cri_body(model, body);
}

int cr_model_find_body(const cr_model *model, const char *name)
{
    for (int i = 0; i < model->body_count; i++) {
        if (strcmp(model->bodies[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cri_find_crowd(const cr_model *model, const char *name)
{
    for (int i = 0; i < model->crowd_count; i++) {
        if (strcmp(model->crowds[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cri_crowd_of(const cr_model *model, int body)
{
    for (int i = 0; i < model->crowd_count; i++) {
        const cri_crowd *crowd = &model->crowds[i];
        if (body >= crowd->first && body < crowd->first + crowd->count) {
            return i;
        }
    }
    return -1;
}

const char *cri_body_entry(const cr_model *model, int body)
{
    int crowd = cri_crowd_of(model, body);
    return crowd >= 0 ? model->crowds[crowd].name : model->bodies[body].name;
}

int cr_model_moving_count(const cr_model *model)
{
    return model->moving_count;
}

int cr_model_moving_body(const cr_model *model, int slot)
{
    assert(slot >= 0 && slot < model->moving_count);
    return model->moving[slot];
}

int cr_model_material_count(const cr_model *model)
{
    return model->material_count;
}

const cr_material *cr_model_material(const cr_model *model, int material)
{
    assert(material >= 0 && material < model->material_count);
    return &model->materials[material];
}

int cr_model_find_material(const cr_model *model, const char *name)
{
    for (int i = 0; i < model->material_count; i++) {
        if (strcmp(model->materials[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int cr_model_joint_count(const cr_model *model)
{
    return model->joint_count;
}

const cr_joint *cr_model_joint(const cr_model *model, int joint)
{
    assert(joint >= 0 && joint < model->joint_count);
    return &model->joints[joint];
}

int cr_model_find_joint(const cr_model *model, const char *name)
{
    for (int i = 0; i < model->joint_count; i++) {
        if (strcmp(model->joints[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *cr_joint_kind_name(cr_joint_kind kind)
{
    static const char *const names[] = {"hinge", "slider", "ball", "weld", "rope"};
    assert((unsigned)kind < sizeof names / sizeof names[0]);
    return names[kind];
}

int cr_model_region_count(const cr_model *model)
{
    return model->region_count;
}

const cr_region *cr_model_region(const cr_model *model, int region)
{
    assert(region >= 0 && region < model->region_count);
    return &model->regions[region];
}

int cr_model_find_region(const cr_model *model, const char *name)
{
    for (int i = 0; i < model->region_count; i++) {
        if (strcmp(model->regions[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// What must not hold is no goal.
static bool asks_for(const cri_condition *condition, int region)
{
    if (condition->op == CRI_CONDITION_ALL || condition->op == CRI_CONDITION_ANY) {
        for (int i = 0; i < condition->child_count; i++) {
            if (asks_for(&condition->children[i], region)) {
                return true;
            }
        }
    }
    for (int i = 0; condition->op == CRI_CONDITION_TYPE && i < condition->type->param_count; i++) {
        const cri_value *value = &condition->values[i];
        if ((value->type == CR_PARAM_REGION && value->index == region) ||
            (value->type == CR_PARAM_THING && value->index == -1 - region)) {
            return true;
        }
    }
    return false;
}

bool cr_model_region_is_goal(const cr_model *model, int region)
{
    assert(region >= 0 && region < model->region_count);
    return model->has_goal && asks_for(&model->goal, region);
}

bool cr_region_contains(const cr_region *region, cr_vec3 point)
{
    return cri_region_contains(region, point);
}

int cr_model_tactic_count(const cr_model *model)
{
    return model->tactic_count;
}

const cr_tactic *cr_model_tactic(const cr_model *model, int tactic)
{
    assert(tactic >= 0 && tactic < model->tactic_count);
    return &model->tactics[tactic].info;
}

static const cri_skill *skill_at(const cr_model *model, int tactic, int skill)
{
    assert(tactic >= 0 && tactic < model->tactic_count);
    assert(skill >= 0 && skill < model->tactics[tactic].info.skill_count);
    return &model->tactics[tactic].skills[skill];
}

const char *cr_model_skill_name(const cr_model *model, int tactic, int skill)
{
    return skill_at(model, tactic, skill)->name;
}

const char *cr_model_skill_does(const cr_model *model, int tactic, int skill)
{
    return skill_at(model, tactic, skill)->type->name;
}

int cr_model_transition_count(const cr_model *model, int tactic, int skill)
{
    return skill_at(model, tactic, skill)->transition_count;
}

cr_transition cr_model_transition(const cr_model *model, int tactic, int skill, int index)
{
    const cri_skill *from = skill_at(model, tactic, skill);
    assert(index >= 0 && index < from->transition_count);
    const cri_transition *t = &from->transitions[index];
    return (cr_transition){t->to, t->weight, t->condition != NULL};
}

double cr_model_dt(const cr_model *model)
{
    return model->dt;
}

int cr_model_substeps(const cr_model *model)
{
    return model->substeps;
}

cr_vec3 cr_model_gravity(const cr_model *model)
{
    return model->gravity;
}

int cr_model_start(const cr_model *model)
{
    return model->start;
}

bool cr_model_has_goal(const cr_model *model)
{
    return model->has_goal;
}

bool cr_model_has_score(const cr_model *model)
{
    return model->has_score;
}

const cr_scene *cr_model_scene(const cr_model *model)
{
    return model->scene;
}

cr_planner_def cr_model_planner_def(const cr_model *model)
{
    return model->def;
}

int cr_model_pair_count(const cr_model *model)
{
    return model->pair_count;
}

int cr_model_pair(const cr_model *model, int a, int b)
{
    assert(a >= 0 && a < model->body_count && b >= 0 && b < model->body_count);
    return model->pair_of ? model->pair_of[a * model->body_count + b]
                          : cri_pairs_find(&model->who, a, b);
}

cr_pair cr_model_pair_info(const cr_model *model, int pair)
{
    cri_pair p = cri_pair_at(model, pair);
    return (cr_pair){.a = p.a, .b = p.b, .watched = p.watched >= 0, .responds = p.responds};
}

cr_meeting cr_model_meeting(const cr_model *model, int a, int b)
{
    int count = model->material_count;
    assert(a >= 0 && a < count && b >= 0 && b < count);
    return model->meetings[a * count + b];
}

const uint64_t *cr_model_far_mask(const cr_model *model)
{
    return model->far_mask;
}

int cr_model_contact_max(const cr_model *model)
{
    return model->contact_max;
}

// ---------------------------------------------------------------------------------------------
// States.

size_t cr_state_size(const cr_model *model)
{
    return model->state_size;
}

cr_state *cr_state_create(const cr_model *model)
{
    cr_state *state = malloc(model->state_size);
    if (state) {
        cr_state_start(model, state);
    }
    return state;
}

void cr_state_start(const cr_model *model, cr_state *state)
{
    memcpy(state, model->start_state, model->state_size);
}

void cr_state_copy(const cr_model *model, cr_state *to, const cr_state *from)
{
    memcpy(to, from, model->state_size);
}

uint64_t cr_state_hash(const cr_model *model, const cr_state *state)
{
    return cri_hash_words(CRI_HASH_START, state, model->state_size);
}

double cr_state_time(const cr_model *model, const cr_state *state)
{
    return (double)state->step * model->dt;
}

// Who may write where bodies are may move what others rest on: nothing is remembered, and all wake.
static void forget(const cr_model *model, cr_state *state)
{
    memset(cri_traces(model, state), 0, model->traces_size);
}

cr_body_state *cr_state_bodies(const cr_model *model, cr_state *state)
{
    forget(model, state);
    return cri_bodies(model, state);
}

const cr_body_state *cr_state_bodies_const(const cr_model *model, const cr_state *state)
{
    return cri_bodies_const(model, state);
}

cr_pose cr_state_pose(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cri_body(model, body);
    if (b->slot < 0) {
        return b->pose;
    }
    const cr_body_state *s = &cri_bodies_const(model, state)[b->slot];
    return (cr_pose){s->position, s->rotation};
}

cr_vec3 cr_state_velocity(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cri_body(model, body);
    return b->slot < 0 ? (cr_vec3){0, 0, 0} : cri_bodies_const(model, state)[b->slot].velocity;
}

cr_vec3 cr_state_spin(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cri_body(model, body);
    return b->slot < 0 ? (cr_vec3){0, 0, 0} : cri_bodies_const(model, state)[b->slot].spin;
}

static cr_body_state *moving_state(const cr_model *model, cr_state *state, int body)
{
    int slot = cri_body(model, body)->slot;
    assert(slot >= 0);
    forget(model, state);
    return &cri_bodies(model, state)[slot];
}

void cr_state_set_pose(const cr_model *model, cr_state *state, int body, cr_pose pose)
{
    cr_body_state *s = moving_state(model, state, body);
    s->position = pose.position;
    s->rotation = pose.rotation;
}

void cr_state_set_velocity(const cr_model *model, cr_state *state, int body, cr_vec3 velocity,
                           cr_vec3 spin)
{
    cr_body_state *s = moving_state(model, state, body);
    s->velocity = velocity;
    s->spin = spin;
}

double cr_state_heading(const cr_model *model, const cr_state *state, int body)
{
    return cri_heading(cr_state_pose(model, state, body).rotation);
}

cr_tactic_state *cr_state_tactic(const cr_model *model, cr_state *state, int tactic)
{
    assert(tactic >= 0 && tactic < model->tactic_count);
    return cri_tactic_state(model, state, tactic);
}

const cr_tactic_state *cr_state_tactic_const(const cr_model *model, const cr_state *state,
                                             int tactic)
{
    assert(tactic >= 0 && tactic < model->tactic_count);
    return cri_tactic_state_const(model, state, tactic);
}

const double *cr_state_variables(const cr_model *model, const cr_state *state, int tactic,
                                 int *count)
{
    assert(tactic >= 0 && tactic < model->tactic_count);
    *count = model->tactics[tactic].variable_count;
    return (const double *)(const void *)(cri_tactic_state_const(model, state, tactic) + 1);
}

// The frame of a joint on one of its bodies, in the world.
static cr_pose joint_frame(const cr_model *model, const cr_state *state, const cr_joint *j, int end)
{
    return j->bodies[end] < 0
               ? j->frames[end]
               : cri_pose_mul(cr_state_pose(model, state, j->bodies[end]), j->frames[end]);
}

double cri_hinge_angle(cr_quat a, cr_quat b)
{
    cr_vec3 x = cri_unrotate(a, cri_rotate(b, cri_vec3(1, 0, 0)));
    return cri_atan2(x.y, x.x);
}

bool cr_state_joint_broken(const cr_model *model, const cr_state *state, int joint)
{
    assert(joint >= 0 && joint < model->joint_count);
    return cri_joint_states_const(model, state)[joint].broken != 0;
}

double cr_state_joint_way(const cr_model *model, const cr_state *state, int joint)
{
    const cr_joint *j = cr_model_joint(model, joint);
    cr_pose a = joint_frame(model, state, j, 0), b = joint_frame(model, state, j, 1);
    cr_vec3 apart = cri_sub(b.position, a.position);
    switch (j->kind) {
    case CR_JOINT_HINGE:
        return cri_hinge_angle(a.rotation, b.rotation) +
               2 * CRI_PI * cri_joint_states_const(model, state)[joint].turns;
    case CR_JOINT_SLIDER:
        return cri_dot(apart, cri_rotate(a.rotation, cri_vec3(0, 0, 1)));
    case CR_JOINT_ROPE:
        return cri_length(apart);
    case CR_JOINT_BALL:
    case CR_JOINT_WELD:
        break;
    }
    return 0;
}

cr_joint_state *cr_state_joints(const cr_model *model, cr_state *state)
{
    return cri_joint_states(model, state);
}

const cr_joint_state *cr_state_joints_const(const cr_model *model, const cr_state *state)
{
    return cri_joint_states_const(model, state);
}

void cr_state_clear_touched(const cr_model *model, cr_state *state)
{
    memset(cri_touched(model, state), 0, (size_t)(model->watched_count + 63) / 64 * 8);
}

void cr_state_set_touched(const cr_model *model, cr_state *state, int pair)
{
    int bit = cri_pair_at(model, pair).watched;
    if (bit >= 0) {
        cri_touched(model, state)[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

bool cr_state_touched(const cr_model *model, const cr_state *state, int pair)
{
    int bit = cri_pair_at(model, pair).watched;
    return bit >= 0 && ((cri_touched_const(model, state)[bit / 64] >> (bit % 64)) & 1);
}

cr_vec3 cri_thing_position(const cr_model *model, const cr_state *state, int thing)
{
    return thing >= 0 ? cr_state_pose(model, state, thing).position
                      : model->regions[-1 - thing].pose.position;
}
