// A step of one large world. See large.h for the order of things.
#include "engine/large/large.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "engine/contact.h"
#include "engine/large/scratch.h"

// Rounds of impulses: in the first substep, which begins with a guess, and in the others, which
// begin with the impulses of the one before.
enum { FIRST_ROUNDS = 8, ROUNDS = 4 };

// Patches that are worth a slab.
enum { SLAB_PATCHES = 2000 };

// ---------------------------------------------------------------------------------------------
// Making.

static bool has_grain(const cr_model *model, const cr_part *part)
{
    cr_vec3 grain = model->materials[part->material].grain;
    return cri_dot(grain, grain) > 0;
}

// The box around what is fixed; those of others follow from how they stand.
static void box_in(const cri_large_solid *s, float row[CRI_NEAR_ROW])
{
    for (int k = 0; k < 3; k++) {
        cr_vec3 axis = {k == 0, k == 1, k == 2};
        // Rounded out, so that the box holds the solid.
        row[k] = (float)-cri_shape_support(s->shape, s->pose, cri_neg(axis)) - 1e-5f;
        row[3 + k] = (float)cri_shape_support(s->shape, s->pose, axis) + 1e-5f;
    }
}

static void make_solid(cri_large *w, int body, const cr_part *part)
{
    const cr_body *of = &w->model->bodies[body];
    int index = w->solid_count++;
    cri_large_solid *s = &w->solids[index];
    cr_pose pose = of->slot < 0 ? cri_pose_mul(of->pose, part->pose) : part->pose;
    bool plane = part->shape.kind == CR_SHAPE_PLANE;
    *s = (cri_large_solid){.shape = &part->shape,
                           .body = body,
                           .mover = of->slot < 0 ? w->body_count : of->slot,
                           .material = part->material,
                           .pushed = of->slot >= 0 && !of->driven,
                           .upright = of->upright,
                           .ball = cri_body_is_sphere(of) && of->slot >= 0,
                           .grained = has_grain(w->model, part),
                           .pose = pose};
    if (!plane) {
        cr_pose here = {{0, 0, 0}, pose.rotation};
        w->reaches[index] = (float)cri_shape_radius(s->shape, here) + 1e-6f;
        box_in(s, &w->near_rows[(size_t)index * CRI_NEAR_ROW]);
    }
    float *row = &w->solid_rows[(size_t)index * CRI_STANCE_ROW];
    const cr_vec3 at[5] = {
        pose.position, part->shape.half, cri_rotate(pose.rotation, cri_vec3(1, 0, 0)),
        cri_rotate(pose.rotation, cri_vec3(0, 1, 0)), cri_rotate(pose.rotation, cri_vec3(0, 0, 1))};
    for (int i = 0; i < 5; i++) {
        float *to = &row[i < 2 ? 3 * i : 3 * i + 1];
        to[0] = (float)at[i].x, to[1] = (float)at[i].y, to[2] = (float)at[i].z;
    }
    row[6] = (float)part->shape.radius;
    w->solid_movers[index] = s->mover;
    w->solid_bodies[index] = body;
    w->thins[index] = (float)cri_shape_thin(&part->shape);
    w->thinnest = of->slot >= 0 ? fminf(w->thinnest, w->thins[index]) : w->thinnest;
    w->sharp[index] = part->shape.kind == CR_SHAPE_BOX;
    w->whole[index] = cri_length(part->pose.position) < 1e-9;
    w->any_ball = w->any_ball || s->ball;
}

// Planes come first.
static void make_solids(cri_large *w)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < w->model->body_count; i++) {
            const cr_body *body = &w->model->bodies[i];
            for (int k = 0; k < body->part_count; k++) {
                if ((body->parts[k].shape.kind == CR_SHAPE_PLANE) == (pass == 0)) {
                    make_solid(w, i, &body->parts[k]);
                }
            }
        }
        w->plane_count = pass == 0 ? w->solid_count : w->plane_count;
    }
    while ((1 << w->solid_bits) < w->solid_count) {
        w->solid_bits++;
    }
}

static size_t whole_lots(size_t count)
{
    return (count + CRI_LOT - 1) / CRI_LOT * CRI_LOT;
}

// Room of `count` things of some bytes, aligned for lanes; NULL: no memory.
static void *room(cri_large *w, size_t count, size_t size)
{
    size_t bytes = (count * size + 63) / 64 * 64 + 64;
    char *made = cri_arena_alloc(&w->arena, 1, bytes);
    return made ? made + (64 - (uintptr_t)made % 64) % 64 : NULL;
}

static bool make_fields(cri_large *w)
{
    float ***all = (float **[]){
        w->b.place,   w->b.start,         w->b.way,       w->b.velocity,
        w->b.spin,    w->b.next_velocity, w->b.next_spin, w->b.swing,
        w->b.push,    w->b.twist,         w->b.inertias,  w->b.inverse_inertias,
        w->b.unroots, w->b.roots,         w->b.rotation,
    };
    float **single[] = {&w->b.inverse_mass, &w->b.lift_mass, &w->b.mass,        &w->b.damping,
                        &w->b.spin_damping, &w->b.brake,     &w->b.reach2,      &w->b.stir,
                        &w->b.radius,       &w->b.late,      &w->b.rotation[3], &w->b.pace,
                        &w->b.hold};
    bool good = true;
    for (size_t i = 0; i < 15; i++) {
        for (int k = 0; k < 3; k++) {
            all[i][k] = room(w, (size_t)w->body_room, sizeof(float));
            good = good && all[i][k];
        }
    }
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        *single[i] = room(w, (size_t)w->body_room, sizeof(float));
        good = good && *single[i];
    }
    w->b.pushed = room(w, (size_t)w->body_room, sizeof(int32_t));
    w->b.turns = room(w, (size_t)w->body_room, sizeof(int32_t));
    return good && w->b.pushed && w->b.turns;
}

// Room for large/mend.c.
static bool make_mending(cri_large *w, cri_large_scratch *s)
{
    size_t pairs = 2 * (size_t)w->pair_max;
    s->near = room(w, pairs, sizeof *s->near);
    s->lying = room(w, pairs, sizeof *s->lying);
    s->turns = room(w, pairs, sizeof *s->turns);
    s->ends = room(w, (size_t)w->body_room, sizeof *s->ends);
    s->lying_found = room(w, (pairs + 1) * CRI_FOUND_ROW, sizeof(float));
    s->lying_arms = room(w, (pairs + 1) * CRI_ARMS_ROW, sizeof(float));
    s->shoved = room(w, (size_t)w->body_room, sizeof *s->shoved);
    s->shoves = room(w, (size_t)w->body_room, sizeof *s->shoves);
    return s->near && s->lying && s->turns && s->ends && s->lying_found && s->lying_arms &&
           s->shoved && s->shoves;
}

struct cri_large_scratch *cri_large_scratch_make(cri_large *w)
{
    size_t pairs = 2 * (size_t)w->pair_max, bodies = (size_t)w->body_room + 2;
    size_t solids = (size_t)w->solid_count;
    cri_large_scratch *s = room(w, 1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->wide = room(w, solids, sizeof *s->wide);
    s->astray = room(w, solids, sizeof *s->astray);
    s->order = room(w, bodies, sizeof *s->order);
    s->order_spare = room(w, bodies, sizeof *s->order_spare);
    s->keys = room(w, pairs, sizeof *s->keys);
    s->keys_spare = room(w, pairs, sizeof *s->keys_spare);
    s->chunks = room(w, pairs / CRI_CHUNK + 1, sizeof *s->chunks);
    s->used = room(w, bodies, sizeof *s->used);
    s->load = room(w, bodies, sizeof *s->load);
    s->supported = room(w, bodies, sizeof *s->supported);
    s->first_below = room(w, bodies, sizeof *s->first_below);
    s->below = room(w, pairs, sizeof *s->below);
    s->colour = room(w, pairs, sizeof *s->colour);
    s->old_counts = room(w, bodies, 1);
    s->old_words = room(w, w->model->traces_size + 8, 1);
    s->first_word = room(w, bodies, sizeof *s->first_word);
    s->old_first = room(w, bodies, sizeof *s->old_first);
    s->new_first = room(w, bodies, sizeof *s->new_first);
    s->loads = room(w, pairs, sizeof *s->loads);
    s->level = room(w, bodies, sizeof *s->level);
    s->supports = room(w, bodies, sizeof *s->supports);
    s->first_wall = room(w, bodies, sizeof *s->first_wall);
    s->next_wall = room(w, pairs, sizeof *s->next_wall);
    s->slab = room(w, bodies, sizeof *s->slab);
    s->leans = room(w, pairs, sizeof *s->leans);
    s->rank = room(w, pairs, sizeof *s->rank);
    s->by_rank = room(w, pairs, sizeof *s->by_rank);
    s->drafts = room(w, pairs, sizeof *s->drafts);
    s->island = room(w, bodies, sizeof *s->island);
    s->awake = room(w, bodies, sizeof *s->awake);
    bool good = s->wide && s->astray && cri_columns_init(&s->columns, &w->arena, w->solid_count) &&
                s->order && s->order_spare && s->keys && s->keys_spare && s->chunks && s->used &&
                s->load && s->supported && s->first_below && s->below && s->colour &&
                s->old_counts && s->old_words && s->first_word && s->old_first && s->new_first &&
                s->loads && s->level && s->supports && s->first_wall && s->next_wall && s->slab &&
                s->leans && s->rank && s->by_rank && s->drafts && s->island && s->awake &&
                make_mending(w, s);
    return good ? s : NULL;
}

static bool make_rows(cri_large *w)
{
    size_t bodies = (size_t)w->body_room, solids = whole_lots((size_t)w->solid_count);
    size_t pairs = 2 * (size_t)w->pair_max + 1;
    w->speeds = room(w, bodies * CRI_SPEED_ROW, sizeof(float));
    w->rests = room(w, bodies * CRI_SPEED_ROW, sizeof(float));
    w->body_rows = room(w, bodies * CRI_BODY_ROW, sizeof(float));
    w->axes_rows = room(w, bodies * CRI_STANCE_ROW, sizeof(float));
    w->stances = room(w, solids * CRI_STANCE_ROW, sizeof(float));
    w->pairs = room(w, pairs, sizeof *w->pairs);
    w->old_pairs = room(w, pairs, sizeof *w->old_pairs);
    w->notes = room(w, pairs, sizeof *w->notes);
    w->old_notes = room(w, pairs, sizeof *w->old_notes);
    w->found = room(w, pairs * CRI_FOUND_ROW, sizeof(float));
    w->arms = room(w, pairs * CRI_ARMS_ROW, sizeof(float));
    w->kept = room(w, pairs * CRI_KEPT_ROW, sizeof(float));
    w->old_kept = room(w, pairs * CRI_KEPT_ROW, sizeof(float));
    w->patches = room(w, pairs, sizeof *w->patches);
    w->slow = room(w, bodies, sizeof *w->slow);
    w->can_sleep = room(w, bodies, sizeof *w->can_sleep);
    w->natures = room(w, bodies, sizeof *w->natures);
    bool good = w->speeds && w->rests && w->body_rows && w->axes_rows && w->stances && w->pairs &&
                w->old_pairs && w->notes && w->old_notes && w->found && w->arms && w->kept &&
                w->old_kept && w->patches && w->slow && w->can_sleep && w->natures;
    for (int k = 0; k < CRI_LARGE_KINDS; k++) {
        w->near[k] = room(w, pairs, sizeof *w->near[k]);
        good = good && w->near[k];
    }
    return good;
}

static bool make_lots(cri_large *w)
{
    // Lots that are not full: some of each level of each slab.
    size_t lots = (size_t)w->pair_max / CRI_LOT + 64 + 4 * (size_t)w->body_count;
    w->lot_max = (int)lots;
    w->lots = room(w, lots, sizeof *w->lots);
    w->levels = room(w, CRI_RANKS + 1, sizeof *w->levels);
    w->bundles = room(w, lots, w->lanes->lot_bytes);
    w->record_max = 2 * w->pair_max;
    w->records = room(w, (size_t)w->record_max, sizeof *w->records);
    w->record_notes = room(w, (size_t)w->record_max, sizeof *w->record_notes);
    return w->lots && w->levels && w->bundles && w->records && w->record_notes;
}

static bool fill(cri_large *w)
{
    size_t solids = 0;
    for (int i = 0; i < w->model->body_count; i++) {
        solids += (size_t)w->model->bodies[i].part_count;
    }
    size_t whole = whole_lots(solids);
    w->solids = room(w, solids, sizeof *w->solids);
    w->solid_rows = room(w, whole * CRI_STANCE_ROW, sizeof(float));
    w->solid_movers = room(w, whole, sizeof *w->solid_movers);
    w->solid_bodies = room(w, whole, sizeof *w->solid_bodies);
    w->reaches = room(w, whole, sizeof *w->reaches);
    w->thins = room(w, whole, sizeof *w->thins);
    w->sharp = room(w, whole, sizeof *w->sharp);
    w->whole = room(w, whole, sizeof *w->whole);
    w->near_rows = room(w, whole * CRI_NEAR_ROW, sizeof(float));
    if (!w->solids || !w->solid_rows || !w->solid_movers || !w->solid_bodies || !w->reaches ||
        !w->thins || !w->sharp || !w->whole || !w->near_rows) {
        return false;
    }
    for (size_t i = 0; i < whole; i++) {
        w->solid_movers[i] = w->body_count;
    }
    make_solids(w);
    // Neighbours of a solid in a heap, each of which counts for two.
    w->pair_max = 24 * w->solid_count + 256;
    w->scratch = cri_large_scratch_make(w);
    bool good = w->scratch && make_fields(w) && make_rows(w) && make_lots(w);
    for (int i = 0; i < w->body_count && good; i++) {
        const cr_body *body = &w->model->bodies[w->model->moving[i]];
        w->b.radius[i] = (float)body->radius;
        w->natures[i] = (uint8_t)((body->driven ? CRI_LARGE_DRIVEN : 0) |
                                  (body->upright ? CRI_LARGE_UPRIGHT : 0));
    }
    return good;
}

cr_status cri_large_init(cri_large *w, const cr_model *model, const cri_large_lanes *lanes,
                         cr_report *report)
{
    *w = (cri_large){.model = model,
                     .lanes = lanes,
                     .h = (float)(model->dt / model->substeps),
                     .span = (float)(model->dt / model->substeps),
                     .body_count = model->moving_count,
                     .thinnest = HUGE_VALF,
                     .slab_patches = SLAB_PATCHES};
    w->body_room = (int)whole_lots((size_t)model->moving_count + 1);
    w->sleeps = model->traces_size > 0;
    cri_team_init(&w->team);
    if (cr_numbers_create(model, &w->own, NULL) != CR_OK || !fill(w)) {
        cri_large_free(w);
        return cri_fail_memory(report);
    }
    return CR_OK;
}

void cri_large_free(cri_large *w)
{
    if (w->model) {
        cri_team_free(&w->team);
        cr_numbers_destroy(w->own);
        cri_arena_free(&w->arena);
        *w = (cri_large){0};
    }
}

const cri_large_lanes *cri_large_best(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2") && cri_large_avx2.name) {
        return &cri_large_avx2;
    }
#endif
    return &cri_large_base;
}

static void do_piece(void *arg, int first, int end)
{
    cri_large *w = arg;
    w->work(w, first, end);
}

void cri_large_each(cri_large *w, int count, int least, cri_large_work *work)
{
    w->work = work;
    cri_team_do(&w->team, count, w->finely ? 1 : least, do_piece, w);
}

// ---------------------------------------------------------------------------------------------
// Loading.

static void set3(float *const field[3], int i, cr_vec3 v)
{
    // Adding 0 makes a zero of either sign the same.
    field[0][i] = (float)v.x + 0.0f;
    field[1][i] = (float)v.y + 0.0f;
    field[2][i] = (float)v.z + 0.0f;
}

static bool below(cr_vec3 v, double limit)
{
    // A NaN is not below.
    return fabs(v.x) < limit && fabs(v.y) < limit && fabs(v.z) < limit;
}

static bool is_sane(const cri_large *w, const cr_body_state *s, const cr_action *a)
{
    cr_quat q = s->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return below(s->position, FLOAT_PLACE_MAX) && below(s->velocity, CRI_SPEED_MAX) &&
           below(s->spin, CRI_SPIN_MAX) && fabs(norm - 1) < 1e-3 &&
           below(a->velocity, CRI_SPEED_MAX) && below(a->spin, CRI_SPIN_MAX) &&
           below(a->force, 1e9) && below(a->torque, 1e9) && below(a->impulse, 1e9) &&
           below(a->twist, 1e9) && w->model->substeps > 0;
}

static void load_weight(cri_large *w, int i)
{
    const cri_weight *m = &w->numbers->weights[i];
    cri_large_bodies *b = &w->b;
    bool driven = w->natures[i] & CRI_LARGE_DRIVEN, upright = w->natures[i] & CRI_LARGE_UPRIGHT;
    b->mass[i] = m->mass;
    b->inverse_mass[i] = m->inverse_mass;
    b->lift_mass[i] = upright ? 0 : m->inverse_mass;
    b->damping[i] = driven ? 0 : m->damping;
    b->spin_damping[i] = driven ? 0 : m->spin_damping;
    float load = fmaxf(-w->numbers->pull.gravity[2], 0);
    b->brake[i] = upright && !driven ? m->floor_friction * load : 0;
    b->reach2[i] = m->inertia * m->inverse_mass * (float)FLOOR_SHARE;
    for (int k = 0; k < 3; k++) {
        bool turns = !upright || k == 2;
        b->inertias[k][i] = driven ? 1 : turns ? m->inertias[k] : 0;
        b->inverse_inertias[k][i] = driven ? 1 : turns ? m->inverse_inertias[k] : 0;
        b->roots[k][i] = !driven && turns ? sqrtf(m->inertias[k]) : 0;
        b->unroots[k][i] = !driven && turns ? 1 / sqrtf(m->inertias[k]) : 0;
    }
}

// What acts on a body that is pushed; most often nothing does but its weight.
static void load_action(cri_large *w, int i, const cr_action *action)
{
    cri_large_bodies *b = &w->b;
    const cr_body_state *s = &cri_bodies_const(w->model, w->step->to)[i];
    bool upright = w->natures[i] & CRI_LARGE_UPRIGHT;
    cr_vec3 velocity = s->velocity, spin = s->spin, torque = action->torque, none = {0, 0, 0};
    cr_vec3 push = upright ? none : w->numbers->gravity;
    if (cri_large_acts(action)) {
        const cr_body_numbers *n = &w->numbers->bodies[w->model->moving[i]];
        cr_vec3 impulse = cri_kicked(w->step->numbers, i, action->impulse);
        cr_vec3 twist = cri_unrotate(s->rotation, action->twist);
        double x = upright ? 0 : 1;
        twist = cri_vec3(x * twist.x / n->inertia.x, x * twist.y / n->inertia.y,
                         twist.z / n->inertia.z);
        velocity = cri_mad(velocity, 1 / n->mass, impulse);
        spin = cri_add(spin, cri_rotate(s->rotation, twist));
        push = cri_mad(push, 1 / n->mass, action->force);
    }
    if (upright) {
        velocity.z = push.z = spin.x = spin.y = torque.x = torque.y = 0;
    }
    set3(b->velocity, i, velocity);
    set3(b->spin, i, spin);
    set3(b->push, i, push);
    set3(b->twist, i, torque);
}

static void load_driven(cri_large *w, int i, const cr_action *action)
{
    set3(w->b.velocity, i, action->velocity);
    set3(w->b.spin, i, action->spin);
    set3(w->b.push, i, cri_vec3(0, 0, 0));
    set3(w->b.twist, i, cri_vec3(0, 0, 0));
}

static bool load_body(cri_large *w, int i)
{
    const cr_body_state *s = &cri_bodies_const(w->model, w->step->to)[i];
    const cr_action *action = &w->step->actions[i];
    bool driven = w->natures[i] & CRI_LARGE_DRIVEN;
    if (!is_sane(w, s, action) || (!w->weighed && w->numbers->weights[i].unfit != 0)) {
        return false;
    }
    if (!w->weighed) {
        load_weight(w, i);
    }
    set3(w->b.start, i, s->position);
    set3(w->b.place, i, s->position);
    set3(w->b.way, i, cri_vec3(0, 0, 0));
    const double q[4] = {s->rotation.x, s->rotation.y, s->rotation.z, s->rotation.w};
    for (int k = 0; k < 4; k++) {
        w->b.rotation[k][i] = (float)q[k] + 0.0f;
    }
    w->b.pushed[i] = driven ? 0 : -1;
    w->b.turns[i] = -1;
    w->can_sleep[i] = w->b.pushed[i];
    if (driven) {
        load_driven(w, i, action);
    } else {
        load_action(w, i, action);
    }
    return true;
}

static void load_bodies(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (!load_body(w, i)) {
            atomic_store(&w->unfit, true);
        }
    }
}

// Bodies that are worth a piece of work.
enum { BODIES = 128 };

static bool load(cri_large *w)
{
    atomic_store(&w->unfit, false);
    w->weighed = w->weighed && w->numbers == w->own;
    cri_large_each(w, w->body_count, BODIES, load_bodies);
    w->weighed = !w->unfit && w->numbers == w->own;
    // The ground, and what fills the last lot.
    for (int i = w->body_count; i < w->body_room; i++) {
        w->b.rotation[3][i] = 1;
    }
    return !w->unfit;
}

// ---------------------------------------------------------------------------------------------
// Storing.

static bool is_fine(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        good = good && fabsf(b->place[k][i]) < (float)FLOAT_PLACE_MAX &&
               fabsf(b->velocity[k][i]) < (float)CRI_SPEED_MAX &&
               fabsf(b->spin[k][i]) < (float)CRI_SPIN_MAX;
    }
    return good;
}

static cr_vec3 wide3(float *const field[3], int i)
{
    return cri_vec3((double)(field[0][i] + 0.0f), (double)(field[1][i] + 0.0f),
                    (double)(field[2][i] + 0.0f));
}

static cr_quat rotation_of(const cri_large *w, int i)
{
    float q[4];
    for (int k = 0; k < 4; k++) {
        q[k] = w->b.rotation[k][i] + 0.0f;
    }
    float norm = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (cr_quat){(double)(q[0] / norm), (double)(q[1] / norm), (double)(q[2] / norm),
                     (double)(q[3] / norm)};
}

static bool has_turned(const cri_large *w, int i, const cr_body_state *s)
{
    const cri_large_bodies *b = &w->b;
    return b->rotation[0][i] != (float)s->rotation.x || b->rotation[1][i] != (float)s->rotation.y ||
           b->rotation[2][i] != (float)s->rotation.z || b->rotation[3][i] != (float)s->rotation.w;
}

static void store_body(const cri_large *w, int i)
{
    cr_body_state *s = &cri_bodies(w->model, w->step->to)[i];
    if (!w->b.turns[i]) {
        s->velocity = s->spin = cri_vec3(0, 0, 0);
        return; // it sleeps
    }
    if (has_turned(w, i, s)) {
        s->rotation = rotation_of(w, i);
    }
    if (w->b.pushed[i]) {
        s->position = cri_add(s->position, wide3(w->b.way, i));
        s->velocity = wide3(w->b.velocity, i);
        s->spin = wide3(w->b.spin, i);
        return;
    }
    // Nothing but the action changes a driven body: its place is as good as doubles are.
    const cr_action *action = &w->step->actions[i];
    s->position = cri_mad(s->position, w->model->dt, action->velocity);
    s->velocity = action->velocity;
    s->spin = action->spin;
}

static void store_bodies(cri_large *w, int first, int end)
{
    for (int i = first; i < end; i++) {
        store_body(w, i);
    }
}

// ---------------------------------------------------------------------------------------------
// A step.

// Things a piece, some ten microseconds of work.
enum {
    LOTS = 16,
    NEAR_LOTS = 8,
    BODY_LOTS = 8,
    SOLIDS = 64,
    PAIRS = 256,
    PAIR_LOTS = 32,
    OTHERS = 8
};

static void find_kind(cri_large *w, int first, int end)
{
    w->lanes->find(w, w->kind, first, end);
}

void cri_large_find_points(cri_large *w)
{
    for (int k = 0; k < CRI_LARGE_OTHER; k++) {
        w->kind = (cri_large_kind)k;
        cri_large_each(w, (w->near_count[k] + CRI_LOT - 1) / CRI_LOT, NEAR_LOTS, find_kind);
    }
    cri_large_each(w, w->near_count[CRI_LARGE_OTHER], OTHERS, cri_large_find_others);
}

// ---------------------------------------------------------------------------------------------
// Solving, slab by slab: what lies within slabs side by side, then what joins them.

static void for_slabs(cri_large *w, cri_large_work *work)
{
    cri_large_each(w, w->slab_count, 1, work);
    work(w, w->slab_count, w->slab_count + 1);
}

static void recall_slabs(cri_large *w, int first, int end)
{
    w->lanes->recall(w, w->slabs[first].lot, w->slabs[end].lot);
}

static void open_slabs(cri_large *w, int first, int end)
{
    w->lanes->open(w, w->slabs[first].lot, w->slabs[end].lot);
}

static void visit_slabs(cri_large *w, int first, int end)
{
    w->lanes->visit(w, w->slabs[first].lot, w->slabs[end].lot);
}

static void relax_slabs(cri_large *w, int first, int end)
{
    w->lanes->relax(w, w->slabs[first].lot, w->slabs[end].lot);
}

// The load passed down, level by level from the top: see lanes/patch.h.
static void sweep_slabs(cri_large *w, int first, int end)
{
    for (int level = w->slabs[first].level; level < w->slabs[end].level; level++) {
        for (int n = 0; n < SHARED_ROUNDS; n++) {
            cri_large_pass how = {n == 0, n == SHARED_ROUNDS - 1};
            w->lanes->pass(w, w->levels[level], w->levels[level + 1], how);
        }
    }
}

// Impulses for the piece as long as it is.
static void press(cri_large *w)
{
    int rounds = w->piece == 0 ? FIRST_ROUNDS : ROUNDS;
    // A thread alone takes a lot from memory once, several share all lots evenly.
    if (w->team.started == 0) {
        for_slabs(w, open_slabs);
    } else {
        cri_large_each(w, w->lot_count, LOTS, w->lanes->prepare);
        for_slabs(w, recall_slabs);
    }
    for_slabs(w, sweep_slabs);
    for (int i = 0; i < rounds; i++) {
        for_slabs(w, visit_slabs);
    }
    w->lanes->strike(w, 0, w->lot_count);
    cri_large_each(w, w->body_room / CRI_LOT, BODY_LOTS, w->lanes->pace);
}

static bool list(cri_large *w)
{
    cri_large_each(w, w->solid_count - w->plane_count, SOLIDS, cri_large_look_for_strays);
    if (!cri_large_list_pairs(w)) {
        return false;
    }
    cri_large_each(w, (w->pair_count + CRI_LOT - 1) / CRI_LOT, PAIR_LOTS, w->lanes->mark_near);
    if (cri_large_put_to_sleep(w)) {
        w->lanes->predict(w, 0, w->body_room / CRI_LOT);
    }
    return cri_large_list_near(w);
}

void cri_large_stand(cri_large *w)
{
    int bodies = w->body_room / CRI_LOT;
    int solids = (int)(whole_lots((size_t)w->solid_count) / CRI_LOT);
    cri_large_each(w, bodies, BODY_LOTS, w->lanes->predict);
    cri_large_each(w, solids, BODY_LOTS, w->lanes->stand);
}

// What pressed for some time presses more in a longer one; but in one that is much longer, a blow
// would be taken for a weight that it is not.
#define LONGER_MAX 2.0f

static void keep_for(cri_large *w, float span)
{
    float by = fminf(span / w->kept_span, LONGER_MAX);
    for (int i = 0; i < w->pair_count && w->kept_span != span; i++) {
        for (int k = 0; k < CRI_KEPT_ROW - 1; k++) {
            w->kept[(size_t)i * CRI_KEPT_ROW + (size_t)k] *= by;
        }
    }
    w->kept_span = span;
}

// End the piece sooner, where that may be; true if it does. A large world is cut more often than a
// small one, for all of its bodies share one clock.
static bool shorten(cri_large *w, float sooner)
{
    sooner = fmaxf(sooner, (float)PIECE_MIN);
    if (w->cuts == 2 * CUTS_MAX || sooner >= w->h - (float)PIECE_MIN) {
        return false;
    }
    w->h = sooner;
    w->cuts++;
    cri_large_each(w, w->body_room / CRI_LOT, BODY_LOTS, w->lanes->predict);
    return true;
}

// A piece ends where solved velocities would take two through each other, and is solved again up to
// there. Once it may not be shorter, these are held back.
static void solve(cri_large *w)
{
    keep_for(w, w->h);
    press(w);
    while (shorten(w, cri_large_first_pass(w))) {
        keep_for(w, w->h);
        press(w);
    }
    cri_large_each(w, w->body_room / CRI_LOT, BODY_LOTS, w->lanes->move);
    for_slabs(w, relax_slabs);
}

static bool run_piece(cri_large *w)
{
    cri_large_find_points(w);
    shorten(w, cri_large_first_near(w));
    if (!cri_large_order(w)) {
        return false;
    }
    solve(w);
    cri_large_resist_rolling(w);
    if (w->step->contacts) {
        cri_large_each(w, w->patch_count, PAIRS, cri_large_note_contacts);
    }
    cri_large_note_silent(w);
    cri_large_each(w, w->body_room / CRI_LOT, BODY_LOTS, w->lanes->take);
    w->piece++;
    return true;
}

static bool substep(cri_large *w)
{
    float left = w->span;
    bool good = true;
    w->cuts = 0;
    while (good && left > 0) {
        w->h = left;
        cri_large_stand(w);
        good = list(w) && run_piece(w);
        left -= w->h;
    }
    w->h = w->span;
    return good;
}

static bool run(cri_large *w)
{
    bool good = true;
    w->piece = 0;
    w->kept_span = w->span;
    for (int i = 0; i < w->model->substeps && good; i++) {
        good = substep(w);
    }
    keep_for(w, w->span);
    return good;
}

static void finish(cr_step *step)
{
    step->to->step++;
    step->alive = true;
    step->fault = CR_FAULT_NONE;
    step->fault_body = -1;
}

// A step in which nothing moves: the state stays as it is, but for its time.
static void rest(cri_large *w)
{
    for (int i = 0; i < w->body_count; i++) {
        cr_body_state *s = &cri_bodies(w->model, w->step->to)[i];
        s->velocity = s->spin = cri_vec3(0, 0, 0);
    }
    w->step->contact_count = 0;
    finish(w->step);
}

// False: there is a body that is not for floats.
static bool mend(cri_large *w)
{
    for (int i = 0; i < w->body_count; i++) {
        if (!is_fine(w, i)) {
            return false;
        }
    }
    cri_large_mend_overlaps(w);
    cri_large_mend_energy(w);
    return true;
}

static bool store(cri_large *w)
{
    for (int i = 0; i < w->body_count; i++) {
        if (!is_fine(w, i)) {
            return false;
        }
    }
    if (!cri_large_tell_contacts(w)) {
        return false;
    }
    cri_large_each(w, w->body_count, BODIES, store_bodies);
    cri_large_count_slow(w);
    cri_large_remember(w);
    finish(w->step);
    return true;
}

bool cri_large_step(cri_large *w, cr_step *step)
{
    assert(!step->numbers || step->numbers->model == w->model);
    w->step = step;
    w->numbers = step->numbers ? step->numbers : w->own;
    w->mask = step->mask;
    w->record_count = 0;
    cri_team_begin(&w->team);
    bool good = load(w);
    if (good && cri_large_all_asleep(w)) {
        rest(w);
    } else if (good) {
        cri_large_each(w, w->pair_count, PAIRS, cri_large_begin_pairs);
        cri_large_note_energy(w);
        good = run(w) && mend(w) && store(w);
    }
    cri_team_end(&w->team);
    return good;
}
