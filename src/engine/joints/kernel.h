// Joints: rows of what they hold, solved exactly for all that hangs together, in the words of
// "one world in double" (base/real.h): `real` is a number, `real3` a vector, `real_mask`
// what is true of it. Other words would make lanes of it.
//
//     start   lay     rows, and the matrix of each island, factored, where the bodies are
//     piece   visit   impulses that let no row move: velocities after forces, as contacts change
//                     them
//             move
//             mend    impulses along the same rows that put the joints together where the bodies
//                     are now; they move the bodies at once, and count as velocity
//             lay     once more, where the bodies are now
//             relax   impulses that let no row of these move
//
// That is the method of Andersen (RATTLE, 1983): the velocity that carries a body round its joint
// is the chord, held by the rows of its start; the end's rows take from it what points out of the
// circle. It keeps the energy of what swings for ever, and no joint opens by more than rounding.
// A body on which forces alone act moves with its velocity less half of what forces gave to it in
// the piece, as free bodies do on their parabola; where something touches, rubs or stops it, with
// the whole (`offset`).
//
// A row has a direction: `along` for the places of its two limbs, `turn` for their spins. Rows of
// an island are solved together: K x = b, with K = J W J^T, b the speeds to be, x the impulses, W
// the inverse masses, by elimination in an envelope (linkage.h). A pure step starts without
// impulses to go on from, and elimination needs none. Rows that say what others say already, as in
// a closed chain in a plane, make K singular: its diagonal is larger by SOFT, which a second visit
// mends.
//
// What is held within bounds only is a box: limits, motors, friction, ropes. It is visited one by
// one, with the speed that an impulse makes while all rows hold; so a door that slams is stopped in
// one visit, and rows need none after it.
#ifndef CRI_JOINT_KERNEL_H
#define CRI_JOINT_KERNEL_H

#include "engine/joints/linkage.h"

// A mover as joints see it, by slot; the ground is behind the last.
typedef struct limb {
    real3 way; // its place, from somewhere: see bond
    real rotation[4];
    real3 velocity, spin;
    real3 mass;   // inverse, by direction
    real heft[6]; // inverse inertia in the world: xx, yy, zz, xy, xz, yz
    real3 offset; // m/s: its middle moves with velocity - offset
} limb;

typedef struct joint_row {
    real3 along, turn[2];
    real3 response[2]; // of the spins to a unit of impulse
    real error;        // m or rad, when the piece begins
    real impulse;
} joint_row;

// How a limb answers to a unit of impulse.
typedef struct limb_motion {
    real3 velocity, spin;
} limb_motion;

typedef struct joint_box {
    joint_row row;
    real_mask on;
    real *answers;      // of the rows of its island, that hold against a unit of its impulse
    limb_motion *moves; // what that gives to the limbs of its island
    real yield;         // impulse a speed, while all rows hold
    real slow, fast;    // the speed stays between these ...
    real most;          // ... as far as an impulse of so much does it
} joint_box;

// A joint at work, by link.
typedef struct bond {
    real_mask on; // not broken
    real3 gap;    // from where the way of its first limb begins to where that of its second does
    real3 force, twist; // N s and N m s since the substep began
    real start, way;    // rad or m: when the step began, and now
    real friction, motor_speed, motor_force, breaking_force, breaking_torque;
} bond;

typedef struct joints {
    const cri_linkage *linkage;
    limb *limbs;
    bond *bonds;
    joint_row *rows;
    joint_box *boxes;
    real *factor, *inverse; // L by envelopes, and the inverse of D: K = L D L^T
    real *impulses;         // by row, while they are worked out
    limb_motion *before;    // by limb
} joints;

// Shares of the diagonal: SOFT is added, and what is left of it, if less than that, is none.
#define SOFT REAL(JOINT_SOFT)
// An error goes in one piece, but no faster than this.
#define MEND_MAX 2.0 // m/s, rad/s
// A piece that an impact cut to next to nothing mends as slowly as if it were this long: rounding
// over so short a time would be a blow.
#define MEND_TIME 1e-4 // s
// Mending ends where no row is off by more than this, or after so many times.
#define MEND_ENOUGH 1e-8 // m, rad
enum { MENDS = 6 };

// ---------------------------------------------------------------------------------------------
// Where a joint is.

typedef struct joint_view {
    real3 lever[2];   // from the middles of the limbs
    real3 axes[2][3]; // of its two frames
    real3 apart;      // from where it holds the first to where it holds the second
    real turn[2][4];
} joint_view;

static inline real3 constant3(cr_vec3 v)
{
    return real3_of(REAL(v.x), REAL(v.y), REAL(v.z));
}

static inline void quat_times(const real a[4], cr_quat b, real out[4])
{
    real x = REAL(b.x), y = REAL(b.y), z = REAL(b.z), w = REAL(b.w);
    out[0] = a[3] * x + a[0] * w + a[1] * z - a[2] * y;
    out[1] = a[3] * y - a[0] * z + a[1] * w + a[2] * x;
    out[2] = a[3] * z + a[0] * y - a[1] * x + a[2] * w;
    out[3] = a[3] * w - a[0] * x - a[1] * y - a[2] * z;
}

static inline real3 quat_turn(const real q[4], real3 v)
{
    real3 u = real3_of(q[0], q[1], q[2]);
    real3 t = real3_scale(REAL(2), real3_cross(u, v));
    return real3_add(real3_mad(v, q[3], t), real3_cross(u, t));
}

static inline void look_at(const joints *j, const cri_tie *link, joint_view *v)
{
    const bond *b = &j->bonds[link - j->linkage->links];
    v->apart = b->gap;
    for (int i = 0; i < 2; i++) {
        const limb *m = &j->limbs[link->limbs[i]];
        v->lever[i] = quat_turn(m->rotation, constant3(link->levers[i]));
        quat_times(m->rotation, link->turns[i], v->turn[i]);
        v->axes[i][0] = quat_turn(v->turn[i], constant3((cr_vec3){1, 0, 0}));
        v->axes[i][1] = quat_turn(v->turn[i], constant3((cr_vec3){0, 1, 0}));
        v->axes[i][2] = quat_turn(v->turn[i], constant3((cr_vec3){0, 0, 1}));
        real3 held = real3_add(m->way, v->lever[i]);
        v->apart = real3_mad(v->apart, REAL(i ? 1 : -1), held);
    }
}

// The small turn from the first frame to the second, as a vector.
static inline real3 turn_between(const joint_view *v)
{
    const real *a = v->turn[0], *b = v->turn[1];
    real x = a[3] * b[0] - b[3] * a[0] - (b[1] * a[2] - b[2] * a[1]);
    real y = a[3] * b[1] - b[3] * a[1] - (b[2] * a[0] - b[0] * a[2]);
    real z = a[3] * b[2] - b[3] * a[2] - (b[0] * a[1] - b[1] * a[0]);
    real w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    real two = real_pick(real_less(w, REAL(0)), REAL(-2), REAL(2));
    return real3_scale(two, real3_of(x, y, z));
}

static inline real part_of(real3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static inline real3 world_axis(int k)
{
    return constant3((cr_vec3){k == 0, k == 1, k == 2});
}

// What is wrong with each of its rows.
static inline void find_errors(const cri_tie *link, const joint_view *v, real *errors)
{
    real3 turn = turn_between(v), tilt = real3_cross(v->axes[0][2], v->axes[1][2]);
    bool slides = link->joint->kind == CR_JOINT_SLIDER;
    int points = slides ? 2 : 3;
    for (int k = 0; k < link->row_count; k++) {
        if (k < points) {
            errors[k] = slides ? real3_dot(v->axes[0][k], v->apart) : part_of(v->apart, k);
        } else if (link->joint->kind == CR_JOINT_HINGE) {
            errors[k] = real3_dot(v->axes[0][k - 3], tilt);
        } else {
            errors[k] = part_of(turn, k - points);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Rows.

static inline real3 heft_of(const limb *m, real3 twist)
{
    const real *h = m->heft;
    return real3_of(h[0] * twist.x + h[3] * twist.y + h[4] * twist.z,
                    h[3] * twist.x + h[1] * twist.y + h[5] * twist.z,
                    h[4] * twist.x + h[5] * twist.y + h[2] * twist.z);
}

static inline real3 by_mass(const limb *m, real3 push)
{
    return real3_of(m->mass.x * push.x, m->mass.y * push.y, m->mass.z * push.z);
}

// A row of places along a direction. A slider holds the first limb where the second one is.
static inline void lay_push(const joints *j, const cri_tie *link, const joint_view *v, real3 along,
                            joint_row *row)
{
    bool slides = link->joint->kind == CR_JOINT_SLIDER;
    real3 first = slides ? real3_add(v->lever[0], v->apart) : v->lever[0];
    *row = (joint_row){.along = along};
    row->turn[0] = real3_cross(along, first);
    row->turn[1] = real3_cross(v->lever[1], along);
    for (int i = 0; i < 2; i++) {
        row->response[i] = heft_of(&j->limbs[link->limbs[i]], row->turn[i]);
    }
}

// A row of turns about a direction.
static inline void lay_turn(const joints *j, const cri_tie *link, real3 about, joint_row *row)
{
    *row = (joint_row){.along = constant3((cr_vec3){0, 0, 0})};
    row->turn[0] = real3_scale(REAL(-1), about);
    row->turn[1] = about;
    for (int i = 0; i < 2; i++) {
        row->response[i] = heft_of(&j->limbs[link->limbs[i]], row->turn[i]);
    }
}

// What is broken has rows that are 0.
static inline void keep_row(real_mask on, joint_row *row)
{
    row->along = real3_keep(on, row->along);
    for (int i = 0; i < 2; i++) {
        row->turn[i] = real3_keep(on, row->turn[i]);
        row->response[i] = real3_keep(on, row->response[i]);
    }
}

static inline void lay_rows(joints *j, const cri_tie *link)
{
    joint_view v;
    real errors[CRI_JOINT_ROWS_MAX];
    bool slides = link->joint->kind == CR_JOINT_SLIDER;
    bool hinge = link->joint->kind == CR_JOINT_HINGE;
    int points = slides ? 2 : 3;
    look_at(j, link, &v);
    find_errors(link, &v, errors);
    for (int k = 0; k < link->row_count; k++) {
        joint_row *row = &j->rows[link->row + k];
        if (k < points) {
            lay_push(j, link, &v, slides ? v.axes[0][k] : world_axis(k), row);
        } else {
            lay_turn(j, link, hinge ? v.axes[0][k - points] : world_axis(k - points), row);
        }
        row->error = errors[k];
        keep_row(j->bonds[link - j->linkage->links].on, row);
    }
}

// The speed along one row that a unit of impulse along another gives.
static inline real coupling(const joints *j, const cri_tie *p, const joint_row *a, const cri_tie *q,
                            const joint_row *b)
{
    real sum = REAL(0);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (p->limbs[i] != q->limbs[k] || p->limbs[i] == j->linkage->ground) {
                continue;
            }
            real push = real3_dot(a->along, by_mass(&j->limbs[p->limbs[i]], b->along));
            sum = sum + (i == k ? push : -push) + real3_dot(a->turn[i], b->response[k]);
        }
    }
    return sum;
}

static inline real speed_of(const joints *j, const cri_tie *link, const joint_row *row)
{
    const limb *a = &j->limbs[link->limbs[0]], *b = &j->limbs[link->limbs[1]];
    real3 v = real3_sub(real3_sub(b->velocity, b->offset), real3_sub(a->velocity, a->offset));
    return real3_dot(row->along, v) + real3_dot(row->turn[0], a->spin) +
           real3_dot(row->turn[1], b->spin);
}

static inline void give(joints *j, const cri_tie *link, const joint_row *row, real impulse)
{
    for (int i = 0; i < 2; i++) {
        limb *m = &j->limbs[link->limbs[i]];
        real push = i ? impulse : -impulse;
        m->velocity = real3_mad(m->velocity, push, by_mass(m, row->along));
        m->spin = real3_mad(m->spin, impulse, row->response[i]);
    }
}

// What an impulse along a row adds to the motions of its limbs, by their number in the island.
static inline void move_limbs(const joints *j, const cri_tie *link, const joint_row *row,
                              real impulse, limb_motion *moves)
{
    for (int i = 0; i < 2; i++) {
        const limb *m = &j->limbs[link->limbs[i]];
        if (link->places[i] >= 0) {
            limb_motion *out = &moves[link->places[i]];
            out->velocity =
                real3_mad(out->velocity, i ? impulse : -impulse, by_mass(m, row->along));
            out->spin = real3_mad(out->spin, impulse, row->response[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Elimination.

static inline void fill_row(joints *j, const cri_tie *link, int row, int first_link)
{
    const cri_linkage *l = j->linkage;
    real *out = &j->factor[l->row_at[row]];
    for (const cri_tie *other = &l->links[first_link]; other <= link; other++) {
        for (int k = other->row; k < other->row + other->row_count && k <= row; k++) {
            if (k >= l->row_start[row]) {
                out[k] = coupling(j, link, &j->rows[row], other, &j->rows[k]);
            }
        }
    }
}

// K = L D L^T, row by row: what stands left of the diagonal is first L D, then L.
static inline void eliminate(joints *j, int row)
{
    const cri_linkage *l = j->linkage;
    real *own = &j->factor[l->row_at[row]];
    real whole = own[row] + own[row] * SOFT, left = whole;
    for (int k = l->row_start[row]; k < row; k++) {
        const real *other = &j->factor[l->row_at[k]];
        int first = l->row_start[k] > l->row_start[row] ? l->row_start[k] : l->row_start[row];
        for (int i = first; i < k; i++) {
            own[k] = own[k] - own[i] * other[i];
        }
    }
    for (int k = l->row_start[row]; k < row; k++) {
        real scaled = own[k] * j->inverse[k];
        left = left - own[k] * scaled;
        own[k] = scaled;
    }
    real_mask some = real_less(whole * SOFT * REAL(0.1), left);
    j->inverse[row] = real_keep(some, REAL(1) / real_pick(some, left, REAL(1)));
}

// Rows of all joints where their limbs are now.
static inline void lay_joints(joints *j)
{
    const cri_linkage *l = j->linkage;
    for (int i = 0; i < l->count; i++) {
        lay_rows(j, &l->links[i]);
    }
    for (int i = 0; i < l->count; i++) {
        const cri_tie *link = &l->links[i];
        for (int row = link->row; row < link->row + link->row_count; row++) {
            fill_row(j, link, row, l->island_link[link->island]);
            eliminate(j, row);
        }
    }
}

// Speeds that the rows of an island are to have become impulses, in place.
static inline void solve_island(joints *j, int island)
{
    const cri_linkage *l = j->linkage;
    int first = l->island_row[island], end = l->island_row[island + 1];
    real *x = j->impulses;
    for (int row = first; row < end; row++) {
        const real *own = &j->factor[l->row_at[row]];
        for (int k = l->row_start[row]; k < row; k++) {
            x[row] = x[row] - own[k] * x[k];
        }
    }
    for (int row = first; row < end; row++) {
        x[row] = x[row] * j->inverse[row];
    }
    for (int row = end - 1; row >= first; row--) {
        const real *own = &j->factor[l->row_at[row]];
        for (int k = l->row_start[row]; k < row; k++) {
            x[k] = x[k] - own[k] * x[row];
        }
    }
}

static inline void give_island(joints *j, int island)
{
    const cri_linkage *l = j->linkage;
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *link = &l->links[i];
        for (int row = link->row; row < link->row + link->row_count; row++) {
            give(j, link, &j->rows[row], j->impulses[row]);
            j->rows[row].impulse = j->rows[row].impulse + j->impulses[row];
        }
    }
}

// Let no row of an island move, in the lanes of the mask. Returns how fast one did at most.
static inline real visit_rows(joints *j, int island, real_mask lanes)
{
    const cri_linkage *l = j->linkage;
    real most = REAL(0);
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *link = &l->links[i];
        for (int row = link->row; row < link->row + link->row_count; row++) {
            j->impulses[row] = -real_keep(lanes, speed_of(j, link, &j->rows[row]));
            most = real_max(most, real_abs(j->impulses[row]));
        }
    }
    solve_island(j, island);
    give_island(j, island);
    return most;
}

// ---------------------------------------------------------------------------------------------
// Boxes.

// What a unit of a box's impulse does while all rows hold. Returns the speed that it gives to the
// box.
static inline real answer_box(joints *j, const cri_tie *link, joint_box *box)
{
    const cri_linkage *l = j->linkage;
    int island = link->island, first = l->island_row[island], end = l->island_row[island + 1];
    real speed = coupling(j, link, &box->row, link, &box->row);
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *other = &l->links[i];
        for (int row = other->row; row < other->row + other->row_count; row++) {
            box->answers[row - first] = coupling(j, other, &j->rows[row], link, &box->row);
            j->impulses[row] = -box->answers[row - first];
        }
    }
    solve_island(j, island);
    for (int row = first; row < end; row++) {
        speed = speed + j->impulses[row] * box->answers[row - first];
        box->answers[row - first] = j->impulses[row];
    }
    return speed;
}

// The same for the limbs: an impulse given from rest.
static inline void move_box(joints *j, const cri_tie *link, joint_box *box)
{
    const cri_linkage *l = j->linkage;
    int first = l->island_limb[link->island], end = l->island_limb[link->island + 1];
    for (int i = first; i < end; i++) {
        box->moves[i - first] =
            (limb_motion){constant3((cr_vec3){0, 0, 0}), constant3((cr_vec3){0, 0, 0})};
    }
    for (int k = l->island_link[link->island]; k < l->island_link[link->island + 1]; k++) {
        const cri_tie *other = &l->links[k];
        for (int row = other->row; row < other->row + other->row_count; row++) {
            move_limbs(j, other, &j->rows[row], box->answers[row - l->island_row[link->island]],
                       box->moves);
        }
    }
    move_limbs(j, link, &box->row, REAL(1), box->moves);
}

static inline void give_box(joints *j, const cri_tie *link, joint_box *box, real impulse)
{
    const cri_linkage *l = j->linkage;
    int first = l->island_limb[link->island], end = l->island_limb[link->island + 1];
    for (int i = first; i < end; i++) {
        limb *m = &j->limbs[l->limbs[i]];
        m->velocity = real3_mad(m->velocity, impulse, box->moves[i - first].velocity);
        m->spin = real3_mad(m->spin, impulse, box->moves[i - first].spin);
    }
    for (int row = l->island_row[link->island]; row < l->island_row[link->island + 1]; row++) {
        real answer = box->answers[row - l->island_row[link->island]];
        j->rows[row].impulse = j->rows[row].impulse + impulse * answer;
    }
    box->row.impulse = box->row.impulse + impulse;
}

static inline void find_yield(joints *j, const cri_tie *link, joint_box *box)
{
    real own = coupling(j, link, &box->row, link, &box->row);
    real speed = answer_box(j, link, box);
    // What the rows hold already moves by rounding alone.
    real_mask some = real_less(own * REAL(1e-4), speed);
    box->yield = real_keep(some, REAL(1) / real_pick(some, speed, REAL(1)));
    move_box(j, link, box);
}

// How far it has gone: angle, way or length.
static inline real way_of(const cri_tie *link, const bond *b, const joint_view *v)
{
    if (link->joint->kind != CR_JOINT_HINGE) {
        return link->joint->kind == CR_JOINT_SLIDER ? real3_dot(v->axes[0][2], v->apart)
                                                    : real3_length(v->apart);
    }
    // The nearest to what it was when the step began.
    real3 x = v->axes[1][0];
    real angle = real_atan2(real3_dot(x, v->axes[0][1]), real3_dot(x, v->axes[0][0]));
    real turns = (angle - b->start) * REAL(0.5 / CRI_PI);
    return angle - real_round(turns) * REAL(2 * CRI_PI);
}

static inline void lay_limit(const cri_tie *link, const bond *b, real rate, joint_box *box)
{
    bool rope = link->joint->kind == CR_JOINT_ROPE;
    real low = rope ? REAL(-1e6) : REAL(link->joint->low);
    real high = REAL(rope ? link->joint->length : link->joint->high);
    box->on = b->on;
    // What is beyond comes back slowly; what is within may go all the way.
    real back = real_min(rate, REAL(1 / MEND_TIME)), below = low - b->way, above = high - b->way;
    real slow = real_pick(real_less(REAL(0), below), below * back, below * rate);
    real fast = real_pick(real_less(above, REAL(0)), above * back, above * rate);
    box->slow = real_min(slow, REAL(MEND_MAX));
    box->fast = real_max(fast, REAL(-MEND_MAX));
    box->most = REAL(1e9);
}

static inline void lay_drive(const bond *b, real t, joint_box *box)
{
    real_mask motor = real_less(REAL(0), b->motor_force);
    real most = real_pick(motor, b->motor_force, b->friction);
    box->on = b->on & real_less(REAL(0), most);
    box->slow = box->fast = real_keep(motor, b->motor_speed);
    box->most = most * t;
}

static inline bool has_limit(const cri_tie *link, int k)
{
    return k == 0 && (link->joint->limited || link->joint->kind == CR_JOINT_ROPE);
}

static inline void lay_box_row(const joints *j, const cri_tie *link, const joint_view *v, int k,
                               joint_box *box)
{
    real3 axis = v->axes[0][2];
    switch (link->joint->kind) {
    case CR_JOINT_HINGE:
        lay_turn(j, link, axis, &box->row);
        break;
    case CR_JOINT_BALL:
        lay_turn(j, link, world_axis(k), &box->row);
        break;
    case CR_JOINT_ROPE:
        axis = real3_scale(REAL(1) / real_max(real3_length(v->apart), REAL(1e-9)), v->apart);
        lay_push(j, link, v, axis, &box->row);
        break;
    case CR_JOINT_SLIDER:
    case CR_JOINT_WELD:
        lay_push(j, link, v, axis, &box->row);
        break;
    }
}

// The boxes of a joint for a piece of t seconds.
static inline void lay_boxes(joints *j, const cri_tie *link, real t)
{
    bond *b = &j->bonds[link - j->linkage->links];
    joint_view v;
    real rate = REAL(1) / t;
    look_at(j, link, &v);
    b->way = way_of(link, b, &v);
    for (int k = 0; k < link->box_count; k++) {
        joint_box *box = &j->boxes[link->box + k];
        bool drive = link->joint->kind == CR_JOINT_BALL || k == 1;
        box->on = b->on & real_less(REAL(1), REAL(0));
        if (drive) {
            lay_drive(b, t, box);
        } else if (has_limit(link, k)) {
            lay_limit(link, b, rate, box);
        }
        if (real_any(box->on)) {
            lay_box_row(j, link, &v, k, box);
            find_yield(j, link, box);
        }
    }
}

// One visit: the impulse that keeps its speed within bounds, as far as it may. Returns how much
// that changes a speed.
static inline real visit_box(joints *j, const cri_tie *link, joint_box *box, real_mask lanes)
{
    real speed = speed_of(j, link, &box->row);
    // As it would be without it. What cannot yield has no speed to change.
    real_mask some = box->on & lanes & real_less(REAL(0), box->yield);
    real mobility = REAL(1) / real_pick(some, box->yield, REAL(1));
    real alone = speed - box->row.impulse * mobility;
    real wanted = real_min(real_max(alone, box->slow), box->fast);
    real impulse = (wanted - alone) * box->yield;
    impulse = real_max(real_min(impulse, box->most), -box->most);
    real change = real_keep(some, impulse - box->row.impulse);
    if (real_any(real_less(REAL(0), real_abs(change)))) {
        give_box(j, link, box, change);
    }
    return real_abs(change) * mobility;
}

static inline real visit_boxes(joints *j, int island, real_mask lanes)
{
    const cri_linkage *l = j->linkage;
    real most = REAL(0);
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *link = &l->links[i];
        for (int k = 0; k < link->box_count; k++) {
            joint_box *box = &j->boxes[link->box + k];
            if (real_any(box->on & lanes)) {
                most = real_max(most, visit_box(j, link, box, lanes));
            }
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Mending.

// An error that goes: all of what the piece made, and as much of what was there as may go.
static inline real error_left(real error, real before, real t)
{
    real most = REAL(MEND_MAX) * t;
    real stays = before - real_max(real_min(before, most), -most);
    return error - stays;
}

// Returns the largest of them.
static inline real mend_rows(joints *j, int island, real t, real_mask lanes)
{
    const cri_linkage *l = j->linkage;
    real rate = REAL(1) / real_max(t, REAL(MEND_TIME)), most = REAL(0);
    for (int i = l->island_link[island]; i < l->island_link[island + 1]; i++) {
        const cri_tie *link = &l->links[i];
        real errors[CRI_JOINT_ROWS_MAX];
        joint_view v;
        look_at(j, link, &v);
        find_errors(link, &v, errors);
        for (int k = 0; k < link->row_count; k++) {
            int row = link->row + k;
            real left = error_left(errors[k], j->rows[row].error, t);
            left = real_keep(lanes & j->bonds[i].on, left);
            most = real_max(most, real_abs(left));
            j->impulses[row] = -(left * rate);
        }
    }
    solve_island(j, island);
    give_island(j, island);
    return most;
}

// Limits and ropes: what is beyond comes back.
static inline void mend_box(joints *j, const cri_tie *link, real t, real_mask lanes)
{
    bond *b = &j->bonds[link - j->linkage->links];
    joint_box *box = &j->boxes[link->box];
    joint_view v;
    look_at(j, link, &v);
    bool rope = link->joint->kind == CR_JOINT_ROPE;
    real before = b->way, way = way_of(link, b, &v);
    real low = rope ? REAL(-1e6) : REAL(link->joint->low);
    real high = REAL(rope ? link->joint->length : link->joint->high);
    real beyond = real_max(way - high, REAL(0)) + real_min(way - low, REAL(0));
    real was = real_max(before - high, REAL(0)) + real_min(before - low, REAL(0));
    real left = error_left(beyond, was, t);
    real_mask back = lanes & box->on & real_less(REAL(0), left * beyond);
    real impulse = -real_keep(back, left * box->yield / real_max(t, REAL(MEND_TIME)));
    if (real_any(real_less(REAL(0), real_abs(impulse)))) {
        give_box(j, link, box, impulse);
    }
}

// The limb goes on by what its velocity has changed.
static inline void follow(limb *m, const limb_motion *before, real t)
{
    m->way = real3_mad(m->way, t, real3_sub(m->velocity, before->velocity));
    real3 half = real3_scale(t * REAL(0.5), real3_sub(m->spin, before->spin));
    const real *q = m->rotation;
    real x = q[0] + half.x * q[3] + half.y * q[2] - half.z * q[1];
    real y = q[1] + half.y * q[3] + half.z * q[0] - half.x * q[2];
    real z = q[2] + half.z * q[3] + half.x * q[1] - half.y * q[0];
    real w = q[3] - half.x * q[0] - half.y * q[1] - half.z * q[2];
    real scale = REAL(1) / real_sqrt(x * x + y * y + z * z + w * w);
    m->rotation[0] = x * scale, m->rotation[1] = y * scale;
    m->rotation[2] = z * scale, m->rotation[3] = w * scale;
}

#endif
