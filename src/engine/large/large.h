// One large world: hundreds to thousands of bodies in one state.
//
// In a small world a lane is a world (lanes/world.h). Here all lanes work on one: a lane is one of
// eight bodies while they are predicted and moved, one of eight pairs of solids while their contact
// points are found, and one of eight patches (the points of two solids) while these are solved. The
// patches of a bundle share no body that can be pushed, so they do not depend on each other.
//
//     step      load, pairs, substeps, mend, store
//     pairs     solids that may come near during the step: boxes about them, sorted and swept along
//               one axis; islands of what is near each other, which sleep and wake as one
//     substep   in pieces, where bodies turn fast (large/ahead.c); most have one:
//     piece     predict velocities by forces and damping                    lanes are bodies
//               find contact points of the pairs that are near              lanes are pairs
//               order: guess the load, colour the patches, fill bundles     one by one
//               solve: rounds of impulses, colour by colour                 lanes are patches
//               move, then relax: rounds without undoing overlaps           lanes are bodies,
//               patches
//
// The method is that of small worlds (lanes/patch.h, contact_kernel.h): sequential impulses
// over patches, Baumgarte's term and a relaxation without it, Coulomb's cone, restitution. Three
// things are a large pile's own:
//
//   guess     the load is handed down the pile once, body by body from the top, as a first guess of
//             the impulses along the normals; rounds then only settle what is left, which is local.
//   memory    a substep begins with the impulses of the one before, and the first of a step with
//             those that the state holds (large/traces.c). Where it holds none, with the guess.
//   friction  acts on a patch as a whole, at the middle of its points: two directions and a twist.
//
// Everything that decides an order (pairs, colours, bundles) depends on the state alone, and what
// runs at the same time shares nothing, so any number of threads gives the same bits. As with the
// steppers there are three builds of the lanes, with the same bits.
#ifndef CRI_LARGE_H
#define CRI_LARGE_H

#include "engine/large/team.h"
#include "engine/world.h"

enum { CRI_LOT = 8, CRI_LARGE_POINTS = 4, CRI_SLABS = 8 };

// A point that is not there has this gap.
#define CRI_NO_POINT 1e30f
// Points are looked for within what bodies move in a substep and this.
#define CRI_SEE 1e-3f // m

// How two solids meet: who finds their points.
typedef enum cri_large_kind {
    CRI_LARGE_BOXES,
    CRI_LARGE_PLANE_BOX,
    CRI_LARGE_PLANE_BALL,
    CRI_LARGE_BOX_BALL,
    CRI_LARGE_BALLS,
    CRI_LARGE_OTHER, // cri_collide, one by one
    CRI_LARGE_KINDS,
} cri_large_kind;

// What a body is by its scene.
typedef enum cri_large_nature {
    CRI_LARGE_DRIVEN = 1,
    CRI_LARGE_UPRIGHT = 2,
} cri_large_nature;

// Rows of floats that lanes gather, in blocks of eight.
enum {
    CRI_SPEED_ROW = 8,   // velocity 3, inverse mass, swing 3, inverse mass along z
    CRI_BODY_ROW = 24,   // unroot 6, inverse masses 2 | place 3, stir, velocity 3, swing z |
                         // spin 3, next velocity 3, swing x, y
    CRI_STANCE_ROW = 16, // place 3, half 3, radius, axes 9
    CRI_NEAR_ROW = 16,   // box around it 6, reach, stir | place 3, velocity 3, 1 if it is fixed, -
    CRI_FOUND_ROW = 8,   // normal 3, feature, gaps 4
    CRI_ARMS_ROW = 12,   // levers of the second body to the points
    CRI_KEPT_ROW = 8,    // impulses 4, friction 3, twist
};

// A part of a body.
typedef struct cri_large_solid {
    const cr_shape *shape;
    int body, mover; // mover: slot; the ground's if it is fixed
    int material;
    bool pushed, upright, ball;
    bool grained;
    float grain[3]; // in the frame of its mover, unit
    cr_pose pose;   // in that frame
} cri_large_solid;

// Two solids that may come near during the step. The second is of a pushed body, unless neither is.
typedef struct cri_large_pair {
    int solids[2], movers[2];
    int manner;    // index into the numbers' manners
    float feature; // of the points that its impulses are kept for: see CRI_BOUNCED
    unsigned char kind;
    bool silent;   // reported only
    bool grained;  // friction has directions
    bool near;     // in this substep
    bool touched;  // in this step
    bool still[2]; // which end stands still in the sweep
    bool alone;    // what it carries rests on nothing else
} cri_large_pair;

// What is told of a pair that touched, for those who ask.
typedef struct cri_large_note {
    float impulse, best;       // N s along the normal: over the step, and of the best substep
    float point[3], normal[3]; // of that; in the world
} cri_large_note;

// A contact of a pair that is no longer near, or at the end of the step.
typedef struct cri_large_record {
    int solids[2];
} cri_large_record;

// Bodies, field by field, by slot; the ground is the one after the last, and fields are as long as
// whole lots.
typedef struct cri_large_bodies {
    float *place[3], *start[3], *way[3]; // place = start + way
    float *rotation[4], *velocity[3], *spin[3];
    float *next_velocity[3], *next_spin[3]; // predicted, then solved
    float *swing[3];                        // before a solve: root spin
    float *push[3], *twist[3];              // m/s2; N m
    float *inverse_mass, *lift_mass;        // the second along z: 0 of uprights
    float *mass, *inertias[3], *inverse_inertias[3], *unroots[3], *roots[3];
    float *damping, *spin_damping, *brake; // brake: m/s2 of a floor's friction
    float *reach2;                         // of an upright's foot, m2
    float *stir;     // m/s: how fast a point of it moves at most, seen from its center as it began
    float *radius;   // around its center
    float *late;     // the share of the piece before it is struck
    float *pace;     // m/s: its stir once the piece is solved, with what struck it
    float *hold;     // the share of the piece that it goes: see large/ahead.c
    int32_t *pushed; // -1: forces and contacts move it; 0: not, or it sleeps
    int32_t *turns;  // -1: it moves at all
} cri_large_bodies;

// A lot: eight patches of one colour, by pair; the pair after the last stands for none.
typedef struct cri_large_lot {
    int patches[CRI_LOT];
} cri_large_lot;

struct cri_large;

// Work on things first .. end - 1, which do not depend on each other.
typedef void cri_large_work(struct cri_large *w, int first, int end);

// Where a slab's lots and levels begin; the next one's begin where they end.
typedef struct cri_large_slab {
    int lot, level;
} cri_large_slab;

// Which patches of a level the sweep passes on, and how.
typedef struct cri_large_pass {
    bool first; // all, with friction where a patch carries alone; else those that share a load
    bool last;  // with friction
} cri_large_pass;

// What is done in lanes, in three builds.
typedef struct cri_large_lanes {
    const char *name; // NULL: not built for this kind of machine
    int lanes;
    size_t lot_bytes;                                                           // of a lot at work
    cri_large_work *predict;                                                    // bodies, by eights
    cri_large_work *stand;                                                      // solids, by eights
    cri_large_work *mark_near;                                                  // pairs, by eights
    void (*find)(struct cri_large *w, cri_large_kind kind, int first, int end); // near, by eights
    cri_large_work *prepare, *recall, *open; // lots; open: both at once
    void (*pass)(struct cri_large *w, int first, int end, cri_large_pass how);
    cri_large_work *visit, *strike, *relax;
    cri_large_work *pace, *move, *take; // bodies, by eights
} cri_large_lanes;

extern const cri_large_lanes cri_large_base, cri_large_avx2, cri_large_scalar;

typedef struct cri_large {
    const cr_model *model;
    const cri_large_lanes *lanes;
    cri_arena arena;
    cri_team team;
    cri_large_work *work; // that is handed out
    cri_large_kind kind;
    cr_numbers *own;           // the model's
    const cr_numbers *numbers; // of the present step
    bool weighed;              // bodies have the model's own weights
    uint8_t *natures;          // by slot: see cri_large_nature
    const uint64_t *mask;
    cr_step *step;
    float h;           // s, of a piece: a substep, or what ends before two that turn fast meet
    float span;        // s, of a substep
    float kept_span;   // s, in which what is kept of patches pressed
    int piece;         // so many of the step are over
    int cuts;          // of the substep, so far
    bool holds;        // some body goes for a part of the piece only
    atomic_bool unfit; // a body is not for floats
    bool passive;      // nothing but weight acts in this step
    double energy;     // J, in motion as it began
    bool sleeps;       // bodies may fall asleep
    bool any_ball;

    int body_count, body_room; // that move; with the ground, in whole lots
    int solid_count, plane_count;
    int solid_bits;          // that it takes to tell solids apart
    cri_large_solid *solids; // planes come first
    float *solid_rows;       // as stances, in the frames of their movers
    int *solid_movers, *solid_bodies;
    float *reaches;       // by solid: of a sphere about its own middle that holds it; 0 of planes
    float *thins;         // by solid: see cri_shape_thin
    float thinnest;       // of solids that move
    float *sharp, *whole; // 1: it is a box; its middle is that of its body
    float *near_rows;     // by solid, planes aside
    cri_large_bodies b;
    uint8_t *slow;      // by slot: steps that it has been slow for
    int32_t *can_sleep; // by slot: it is pushed when it is awake
    float *speeds, *body_rows, *axes_rows, *stances;
    float *rests; // as speeds: how a body stands in the sweep

    bool listed;                       // pairs are, with wider boxes: see large/pairs.c
    int pair_count, pair_max;          // there is room for twice the most that may be near
    cri_large_pair *pairs, *old_pairs; // sorted by solids
    cri_large_note *notes, *old_notes; // by pair; of use where it touched and the step asks
    float *found, *arms;               // rows by pair
    float *kept, *old_kept;
    int *near[CRI_LARGE_KINDS], near_count[CRI_LARGE_KINDS];
    int patch_count;
    int *patches; // pairs with points, in order
    int lot_count, lot_max, level_count;
    cri_large_lot *lots;
    int *levels;      // the first lot of each, and one more
    int slab_patches; // a slab has at least so many
    bool finely;      // work is handed out in as many pieces as there can be
    int slab_count;   // without the patches between slabs, which come last
    cri_large_slab slabs[CRI_SLABS + 2];
    void *bundles; // lots at work
    struct cri_large_scratch *scratch;
    // Contacts of pairs that are no longer listed.
    int record_count, record_max;
    cri_large_record *records;
    cri_large_note *record_notes; // of use where the step asks
} cri_large;

// The world of a model; any model has one.
cr_status cri_large_init(cri_large *w, const cr_model *model, const cri_large_lanes *lanes,
                         cr_report *report);
void cri_large_free(cri_large *w);

// A step of one world; `from` is `to`. False: it is not for floats, or too crowded, and is left as
// it was. Which ones are depends on their own state, actions and numbers alone.
bool cri_large_step(cri_large *w, cr_step *step);

// The fastest lanes on this machine.
const cri_large_lanes *cri_large_best(void);

// Do so many things side by side, in pieces of at least `least`.
void cri_large_each(cri_large *w, int count, int least, cri_large_work *work);

// Whether the boxes about solids, planes aside, are within the wider ones that pairs were listed
// with. (large/pairs.c)
cri_large_work cri_large_look_for_strays;

// List the pairs of solids that may come near, where some strayed. False: too many. (large/pairs.c)
bool cri_large_list_pairs(cri_large *w);

// Nothing is remembered of the pairs at the start of a step, or of one. (large/pairs.c)
cri_large_work cri_large_begin_pairs;
void cri_large_forget(cri_large *w, int pair);

// What a pair remembers as its feature: that of its points; none, also of a guess; or, of points
// that bounced, so that their impulses do not last, CRI_BOUNCED less that.
#define CRI_NO_FEATURE (-1.0f)
#define CRI_BOUNCED    (-1.5f)

// The pairs that may have points in this substep (large/near.h): those of planes, and all of them
// by kind. (large/near.c)
bool cri_large_near_plane(const cri_large *w, int pair);
bool cri_large_list_near(cri_large *w);

// Points of the near pairs that no lanes know. (large/near.c)
cri_large_work cri_large_find_others;

// When two that turn fast come near each other in this piece, once points are found; else when it
// ends. s. (large/ahead.c)
float cri_large_first_near(const cri_large *w);

// When two would come to overlap by more than they may, or one meet what it has not been looked for
// with, once the piece is solved; else when it ends. Sets `hold`. (large/ahead.c)
float cri_large_first_pass(cri_large *w);

// Where bodies and solids are, and where they would go; then the points of the pairs that are
// listed as near. (large/large.c)
void cri_large_stand(cri_large *w);
void cri_large_find_points(cri_large *w);

// Take apart what the step leaves deep in each other; and take from what met something the energy
// that came from nowhere since it was noted. (large/mend.c)
void cri_large_mend_overlaps(cri_large *w);
void cri_large_note_energy(cri_large *w);
void cri_large_mend_energy(cri_large *w);

// List the patches, guess the load, colour them and fill lots. False: too many. (large/order.c)
bool cri_large_order(cri_large *w);

// Room for the two files above; NULL: no memory.
struct cri_large_scratch *cri_large_scratch_make(cri_large *w);

// Let islands sleep of which all bodies have been slow for long, and wake the others. True: it may
// have changed who moves. (large/sleep.c)
bool cri_large_put_to_sleep(cri_large *w);

// Whether an action pushes a body. (large/sleep.c)
bool cri_large_acts(const cr_action *action);

// True if nothing moves in this step. (large/sleep.c)
bool cri_large_all_asleep(const cri_large *w);

// For how many steps bodies have been slow. (large/sleep.c)
void cri_large_count_slow(cri_large *w);

// The impulses that patches begin a step with, as the state has them. False: it has none.
// (large/traces.c)
bool cri_large_recall(cri_large *w);

// Write them into the state, and for how long bodies have been slow. (large/traces.c)
void cri_large_remember(cri_large *w);

// What a step reports. (large/record.c)
cri_large_work cri_large_note_contacts; // patches
void cri_large_note_silent(cri_large *w);
bool cri_large_save_contact(cri_large *w, int pair); // of one that moved away
bool cri_large_tell_contacts(cri_large *w);
void cri_large_resist_rolling(cri_large *w);

// Where a solid is. (large/near.c)
cr_pose cri_large_pose(const cri_large *w, int solid);

// The spin of a body in a solve. (large/record.c)
cr_vec3 cri_large_spin(const cri_large *w, int mover);

// The direction in which a grained pair has a friction of its own, in the world. (large/near.c)
cr_vec3 cri_large_grain(const cri_large *w, const cri_large_pair *pair);

static inline cr_vec3 cri_large_place(const cri_large *w, int slot)
{
    return cri_vec3((double)w->b.place[0][slot], (double)w->b.place[1][slot],
                    (double)w->b.place[2][slot]);
}

// The least gap of a pair's points; CRI_NO_POINT if it has none.
static inline float cri_large_least_gap(const cri_large *w, int pair)
{
    const float *gaps = &w->found[(size_t)pair * CRI_FOUND_ROW + 4];
    float a = gaps[0] < gaps[1] ? gaps[0] : gaps[1], b = gaps[2] < gaps[3] ? gaps[2] : gaps[3];
    return a < b ? a : b;
}

#endif
