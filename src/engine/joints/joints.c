#include "engine/joints/joints.h"

#include "base/real.h"

#define JOINT_SOFT 1e-9 // what a double resolves of a diagonal, and some
#include "engine/joints/kernel.h"

// What a solver of its own says that a joint holds.
typedef struct cri_felt {
    cr_vec3 force, twist;
} cri_felt;

struct cri_joints {
    joints at; // work
    cri_linkage linkage;
    int *link_of;                    // by joint
    const cr_joint_numbers *numbers; // by joint, of the present step
    double *angles;                  // by link: of a hinge, in (-pi, pi], when the step began
    const cr_joint_state *states;    // when the step began
    cri_felt *felt;                  // by link
    double *moved;                   // by island: m/s or rad/s, at most in its last visit
    cr_joint_numbers *own;           // the model's
};

// ---------------------------------------------------------------------------------------------
// Making.

static bool take_room(cri_world *w, cri_joints *s)
{
    cri_arena *arena = &w->arena;
    size_t count = (size_t)w->model->joint_count, limbs = (size_t)w->model->moving_count + 1;
    joints *j = &s->at;
    j->linkage = &s->linkage;
    j->limbs = cri_arena_alloc(arena, limbs, sizeof *j->limbs);
    j->bonds = cri_arena_alloc(arena, count, sizeof *j->bonds);
    j->rows = cri_arena_alloc(arena, (size_t)s->linkage.row_count, sizeof *j->rows);
    j->boxes = cri_arena_alloc(arena, (size_t)s->linkage.box_count, sizeof *j->boxes);
    j->factor = cri_arena_alloc(arena, s->linkage.factor_size, sizeof *j->factor);
    j->inverse = cri_arena_alloc(arena, (size_t)s->linkage.row_count, sizeof *j->inverse);
    j->impulses = cri_arena_alloc(arena, (size_t)s->linkage.row_count, sizeof *j->impulses);
    s->link_of = cri_arena_alloc(arena, count, sizeof *s->link_of);
    j->before = cri_arena_alloc(arena, limbs, sizeof *j->before);
    s->angles = cri_arena_alloc(arena, count, sizeof *s->angles);
    s->own = cri_arena_alloc(arena, count, sizeof *s->own);
    s->felt = cri_arena_alloc(arena, count, sizeof *s->felt);
    s->moved = cri_arena_alloc(arena, count, sizeof *s->moved);
    return j->limbs && j->bonds && j->rows && j->boxes && j->factor && j->inverse && j->impulses &&
           s->link_of && j->before && s->angles && s->own && s->felt && s->moved;
}

// Each box has its part of one block.
static bool take_boxes(cri_world *w, cri_joints *s)
{
    const cri_linkage *l = &s->linkage;
    real *answers = cri_arena_alloc(&w->arena, l->answer_size, sizeof *answers);
    limb_motion *moves = cri_arena_alloc(&w->arena, l->move_size, sizeof *moves);
    for (int i = 0; answers && moves && i < l->count; i++) {
        const cri_tie *link = &l->links[i];
        for (int k = 0; k < link->box_count; k++) {
            s->at.boxes[link->box + k].answers = answers;
            s->at.boxes[link->box + k].moves = moves;
            answers += l->island_row[link->island + 1] - l->island_row[link->island];
            moves += l->island_limb[link->island + 1] - l->island_limb[link->island];
        }
    }
    return answers && moves;
}

bool cri_joints_init(cri_world *w)
{
    if (w->model->joint_count == 0) {
        return true;
    }
    cri_joints *s = cri_arena_alloc(&w->arena, 1, sizeof *s);
    if (!s || !cri_linkage_make(&s->linkage, w->model, &w->arena) || !take_room(w, s) ||
        !take_boxes(w, s)) {
        return false;
    }
    for (int i = 0; i < s->linkage.count; i++) {
        s->link_of[s->linkage.links[i].index] = i;
        s->own[i] = w->model->joints[i].numbers;
    }
    s->at.limbs[s->linkage.ground] = (limb){.rotation = {0, 0, 0, 1}};
    w->joints = s;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Limbs.

static void set_heft(const cri_rigid *r, limb *m)
{
    m->mass = cri_vec3(r->inverse_mass, r->inverse_mass, r->body->upright ? 0 : r->inverse_mass);
    if (!r->pushed) {
        m->mass = cri_vec3(0, 0, 0);
        return;
    }
    cr_vec3 x = cri_turn_by(r, cri_vec3(1, 0, 0)), y = cri_turn_by(r, cri_vec3(0, 1, 0));
    cr_vec3 z = cri_turn_by(r, cri_vec3(0, 0, 1));
    m->heft[0] = x.x, m->heft[1] = y.y, m->heft[2] = z.z;
    m->heft[3] = x.y, m->heft[4] = x.z, m->heft[5] = y.z;
}

static void take_pose(const cri_rigid *r, limb *m)
{
    cr_quat q = r->pose.rotation;
    m->way = r->pose.position;
    m->rotation[0] = q.x, m->rotation[1] = q.y, m->rotation[2] = q.z, m->rotation[3] = q.w;
    set_heft(r, m);
}

// All that joints hold, where it is now.
static void take_poses(cri_world *w)
{
    cri_joints *s = w->joints;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        if (s->linkage.held[slot]) {
            take_pose(&w->rigids[w->model->moving[slot]], &s->at.limbs[slot]);
        }
    }
}

static void take_velocities(cri_world *w)
{
    cri_joints *s = w->joints;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        const cri_rigid *r = &w->rigids[w->model->moving[slot]];
        limb *m = &s->at.limbs[slot];
        m->velocity = r->next_velocity;
        m->spin = r->next_spin;
        m->offset = r->offset;
    }
}

static void give_velocities(cri_world *w)
{
    const cri_joints *s = w->joints;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        if (s->linkage.held[slot] && r->pushed) {
            r->next_velocity = s->at.limbs[slot].velocity;
            r->next_spin = s->at.limbs[slot].spin;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// A step.

static void load_bond(cri_world *w, const cri_tie *link, bond *b)
{
    cri_joints *s = w->joints;
    const cr_joint_numbers *n = &s->numbers[link->index];
    const cr_joint_state *state = &s->states[link->index];
    int number = (int)(link - s->linkage.links);
    joint_view v;
    *b = (bond){.on = state->broken ? 0 : -1,
                .gap = cri_sub(link->anchors[1], link->anchors[0]),
                .friction = n->friction,
                .motor_speed = n->motor_speed,
                .motor_force = n->motor_force,
                .breaking_force = n->breaking_force,
                .breaking_torque = n->breaking_torque};
    look_at(&s->at, link, &v);
    if (link->joint->kind == CR_JOINT_HINGE) {
        s->angles[number] = way_of(link, b, &v); // next to 0: in (-pi, pi]
        b->start = s->angles[number] + 2 * CRI_PI * state->turns;
    }
    b->way = way_of(link, b, &v);
}

void cri_joints_load(cri_world *w, const cr_state *from)
{
    cri_joints *s = w->joints;
    s->numbers = w->numbers ? w->numbers->joints : s->own;
    s->states = cri_joint_states_const(w->model, from);
    take_poses(w);
    for (int i = 0; i < s->linkage.count; i++) {
        load_bond(w, &s->linkage.links[i], &s->at.bonds[i]);
    }
    lay_joints(&s->at);
}

void cri_joints_store(const cri_world *w, cr_state *to)
{
    const cri_joints *s = w->joints;
    cr_joint_state *states = cri_joint_states(w->model, to);
    for (int i = 0; i < s->linkage.count; i++) {
        const cri_tie *link = &s->linkage.links[i];
        cr_joint_state *state = &states[link->index];
        joint_view v;
        state->broken = s->at.bonds[i].on ? 0 : 1;
        if (link->joint->kind == CR_JOINT_HINGE) {
            look_at(&s->at, link, &v);
            bond apart = {.start = 0};
            double went = way_of(link, &apart, &v) - s->angles[i];
            state->turns += went > CRI_PI ? -1 : went < -CRI_PI ? 1 : 0;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// A piece.

// Rows that move less do not move.
static const double STILL = 1e-11; // m/s, rad/s
// Rows are good for the neighbourhood of where they were laid.
static const double TURN_MAX = 0.15; // rad
enum { PACES_MAX = 32 };

double cri_joints_pace(const cri_world *w, double left, int cuts)
{
    double fastest = 0;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        const cri_rigid *r = &w->rigids[w->model->moving[slot]];
        if (r->pushed && w->joints->linkage.held[slot]) {
            fastest = fmax(fastest, cri_length(r->spin));
        }
    }
    double pieces = ceil(fastest * left / TURN_MAX);
    return pieces > 1 && cuts < PACES_MAX ? left / fmin(pieces, PACES_MAX) : left;
}

// Islands on which something but forces acts move with the velocity of the end.
static bool is_swinging(const cri_world *w, int island)
{
    const cri_joints *s = w->joints;
    const cri_linkage *l = &s->linkage;
    for (int i = 0; i < w->point_count; i++) {
        const cri_point *p = &w->points[i];
        int a = w->rigids[p->a].body->slot, b = w->rigids[p->b].body->slot;
        if (!p->silent &&
            ((a >= 0 && l->limb_island[a] == island) || (b >= 0 && l->limb_island[b] == island))) {
            return false;
        }
    }
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *link = &l->links[i];
        for (int k = 0; k < link->box_count; k++) {
            const joint_box *box = &s->at.boxes[link->box + k];
            double speed = box->on ? speed_of(&s->at, link, &box->row) : 0;
            if (box->on &&
                (box->slow == box->fast || 2 * speed < box->slow || 2 * speed > box->fast)) {
                return false;
            }
        }
    }
    return true;
}

void cri_joints_swing(cri_world *w, double t)
{
    cri_joints *s = w->joints;
    for (int island = 0; island < s->linkage.island_count; island++) {
        bool swings = is_swinging(w, island);
        for (int slot = 0; swings && slot < w->model->moving_count; slot++) {
            cri_rigid *r = &w->rigids[w->model->moving[slot]];
            if (s->linkage.limb_island[slot] == island) {
                r->offset = cri_scale(t / 2, r->push);
                s->at.limbs[slot].offset = r->offset;
            }
        }
    }
}

void cri_joints_prepare(cri_world *w, double t)
{
    cri_joints *s = w->joints;
    const cri_linkage *l = &s->linkage;
    take_velocities(w);
    for (int i = 0; i < l->row_count; i++) {
        s->at.rows[i].impulse = 0;
    }
    for (int i = 0; i < l->island_count; i++) {
        s->moved[i] = HUGE_VAL;
    }
    for (int i = 0; i < l->count; i++) {
        lay_boxes(&s->at, &l->links[i], t);
        s->felt[i] = (cri_felt){0};
    }
}

static bool is_same(cr_vec3 a, cr_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The velocities of an island as contacts left them. False: contacts changed none.
static bool take_island(const cri_world *w, int island)
{
    cri_joints *s = w->joints;
    bool moved = false;
    for (int i = s->linkage.island_limb[island]; i < s->linkage.island_limb[island + 1]; i++) {
        int slot = s->linkage.limbs[i];
        const cri_rigid *r = &w->rigids[w->model->moving[slot]];
        limb *m = &s->at.limbs[slot];
        moved = moved || !is_same(m->velocity, r->next_velocity) || !is_same(m->spin, r->next_spin);
        m->velocity = r->next_velocity;
        m->spin = r->next_spin;
    }
    return moved;
}

static void return_island(cri_world *w, int island)
{
    const cri_joints *s = w->joints;
    for (int i = s->linkage.island_limb[island]; i < s->linkage.island_limb[island + 1]; i++) {
        int slot = s->linkage.limbs[i];
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        r->next_velocity = s->at.limbs[slot].velocity;
        r->next_spin = s->at.limbs[slot].spin;
    }
}

// An island that held still in its last visit, and that no contact moved since, still does.
double cri_joints_visit(cri_world *w)
{
    cri_joints *s = w->joints;
    double most = 0;
    for (int island = 0; island < s->linkage.island_count; island++) {
        if (take_island(w, island) || s->moved[island] > STILL) {
            s->moved[island] = visit_rows(&s->at, island, -1);
            s->moved[island] = fmax(s->moved[island], visit_boxes(&s->at, island, -1));
            most = fmax(most, s->moved[island]);
            return_island(w, island);
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// After the move.

// What the rows of a joint held.
static void feel(cri_joints *s)
{
    for (int i = 0; i < s->linkage.count; i++) {
        const cri_tie *link = &s->linkage.links[i];
        bond *b = &s->at.bonds[i];
        b->force = cri_add(b->force, s->felt[i].force);
        b->twist = cri_add(b->twist, s->felt[i].twist);
        s->felt[i] = (cri_felt){0};
        for (int row = link->row; row < link->row + link->row_count; row++) {
            joint_row *held = &s->at.rows[row];
            bool turns = held->along.x == 0 && held->along.y == 0 && held->along.z == 0;
            b->force = cri_mad(b->force, held->impulse, held->along);
            b->twist = cri_mad(b->twist, turns ? held->impulse : 0, held->turn[1]);
            held->impulse = 0;
        }
        if (link->joint->kind == CR_JOINT_ROPE && s->at.boxes[link->box].on) {
            joint_box *box = &s->at.boxes[link->box];
            b->force = cri_mad(b->force, box->row.impulse, box->row.along);
            box->row.impulse = 0;
        }
    }
}

void cri_joints_feel(cri_world *w, int joint, cr_vec3 impulse, cr_vec3 twist)
{
    w->joints->felt[w->joints->link_of[joint]] = (cri_felt){impulse, twist};
}

bool cri_joints_hold_body(const cri_world *w, int slot)
{
    const cri_joints *s = w->joints;
    for (int i = 0; s->linkage.held[slot] && i < s->linkage.count; i++) {
        const cri_tie *link = &s->linkage.links[i];
        if (s->at.bonds[i].on && (link->limbs[0] == slot || link->limbs[1] == slot)) {
            return true;
        }
    }
    return false;
}

bool cri_joints_hold(const cri_world *w, int joint)
{
    return w->joints->at.bonds[w->joints->link_of[joint]].on;
}

double cri_joints_way(const cri_world *w, int joint)
{
    return w->joints->at.bonds[w->joints->link_of[joint]].way;
}

const cr_joint_numbers *cri_joints_numbers(const cri_world *w, int joint)
{
    return &w->joints->numbers[joint];
}

// Returns what was wrong with a row at most.
static double mend(cri_world *w, double t)
{
    double most = 0;
    cri_joints *s = w->joints;
    const cri_linkage *l = &s->linkage;
    for (int slot = 0; slot < l->ground; slot++) {
        s->at.before[slot] = (limb_motion){s->at.limbs[slot].velocity, s->at.limbs[slot].spin};
    }
    for (int island = 0; island < l->island_count; island++) {
        most = fmax(most, mend_rows(&s->at, island, t, -1));
        for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
            if (has_limit(&l->links[i], 0)) {
                mend_box(&s->at, &l->links[i], t, -1);
            }
        }
    }
    for (int slot = 0; slot < l->ground; slot++) {
        if (l->held[slot] && w->rigids[w->model->moving[slot]].pushed) {
            follow(&s->at.limbs[slot], &s->at.before[slot], t);
        }
    }
    return most;
}

static void give_poses(cri_world *w)
{
    const cri_joints *s = w->joints;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        const limb *m = &s->at.limbs[slot];
        const real *q = m->rotation;
        if (s->linkage.held[slot] && r->pushed) {
            r->pose = (cr_pose){m->way, {q[0], q[1], q[2], q[3]}};
        }
    }
}

void cri_joints_settle(cri_world *w, double t)
{
    cri_joints *s = w->joints;
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        w->rigids[w->model->moving[slot]].offset = cri_vec3(0, 0, 0);
    }
    take_velocities(w);
    take_poses(w);
    for (int i = 0; i < MENDS && mend(w, t) > MEND_ENOUGH; i++) {
    }
    give_poses(w);
    feel(s);
    take_poses(w);
    lay_joints(&s->at);
    for (int island = 0; island < s->linkage.island_count; island++) {
        visit_rows(&s->at, island, -1);
    }
    feel(s);
    give_velocities(w);
}

void cri_joints_break(cri_world *w, double h)
{
    cri_joints *s = w->joints;
    bool any = false;
    for (int i = 0; i < s->linkage.count; i++) {
        bond *b = &s->at.bonds[i];
        bool breaks = b->on && (cri_length(b->force) > b->breaking_force * h ||
                                cri_length(b->twist) > b->breaking_torque * h);
        b->on = breaks ? 0 : b->on;
        b->force = b->twist = cri_vec3(0, 0, 0);
        any = any || breaks;
    }
    if (any) {
        lay_joints(&s->at);
    }
}
