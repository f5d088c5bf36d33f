// The inside of a model: everything compiled from a scene, const once made. See
// include/carom/model.h.
#ifndef CRI_MODEL_H
#define CRI_MODEL_H

#include <assert.h>

#include "base/arena.h"
#include "base/trust.h"
#include "carom/decor.h"
#include "carom/library.h"
#include "carom/select.h"
#include "scene/pairs.h"

// ---------------------------------------------------------------------------------------------
// Values: what Skills, conditions, samples and starts are given. A value is drawn once or constant.

typedef enum cri_number_kind {
    CRI_NUMBER_CONSTANT, // a
    CRI_NUMBER_UNIFORM,  // in [a, b)
    CRI_NUMBER_NORMAL,   // mean a, deviation b, redrawn outside of the parameter's range
    CRI_NUMBER_CHOOSE,   // one of the choices, all alike
    CRI_NUMBER_SAMPLE,   // the heading of the sample
} cri_number_kind;

typedef struct cri_number {
    cri_number_kind kind;
    double a, b;
    double min, max; // of the parameter: normal draws keep to it
    int choice_count;
    const double *choices;
} cri_number;

typedef enum cri_place_kind {
    CRI_PLACE_POINT,  // constant
    CRI_PLACE_BODY,   // where a body is, followed as it moves, plus point
    CRI_PLACE_CENTER, // the centre of a region
    CRI_PLACE_REGION, // drawn in a region
    CRI_PLACE_AROUND, // drawn around a body: distance and angle, fixed when drawn
    CRI_PLACE_SAMPLE, // the sample
    CRI_PLACE_GHOST,  // where a ball must be when it meets body, for body to go to inner
    CRI_PLACE_MIRROR, // the image of inner in the wall body
} cri_place_kind;

typedef struct cri_where {
    cri_place_kind kind;
    cr_vec3 point;
    int body, region;
    cri_number distance, angle; // around
    int with;                   // ghost, mirror: the ball that goes there, or -1
    double spread;              // ghost, mirror: m; drawn in a disc of that radius round it
    const struct cri_where *inner;
} cri_where;

// A compiled parameter.
typedef struct cri_value {
    cr_param_type type;
    int drawn; // where its draws are kept (numbers 1, places 3 doubles), or -1 if nothing is drawn
    int index; // body, region or choice; for a thing: body, or -1 - region
    cri_number number; // CR_PARAM_NUMBER
    cri_where place;   // CR_PARAM_PLACE
} cri_value;

// What rrt takes for near (003, 5.3.4).
typedef enum cri_metric { CRI_METRIC_TIME, CRI_METRIC_DISTANCE } cri_metric;

typedef struct cri_sampling {
    bool present;
    int body;          // whose arrival time is the metric
    int region;        // drawn from here ...
    int goal;          // ... or with probability goal_share from this region
    double goal_share; // 0 without a goal region
    bool has_heading;
    cri_number heading;
    cri_metric metric;
    double deceleration; // m/s2, of the metric; 0: as the body accelerates
    cr_vec3 velocity;    // m/s, wanted at the sample; z = 0
} cri_sampling;

// ---------------------------------------------------------------------------------------------
// Conditions and scores: small trees.

typedef enum cri_condition_op {
    CRI_CONDITION_ALL,
    CRI_CONDITION_ANY,
    CRI_CONDITION_NOT,
    CRI_CONDITION_SKILL, // a Tactic is in a Skill
    CRI_CONDITION_COUNT, // of the children least to most hold
    CRI_CONDITION_ONCE,  // the child has held: a memory of the state
    CRI_CONDITION_STAYS, // the child has held for a while
    CRI_CONDITION_TIMES, // the child has begun to hold so often
    CRI_CONDITION_TYPE,
} cri_condition_op;

typedef struct cri_condition {
    cri_condition_op op;
    int tactic, skill;
    int least, most; // count: of the children
    int child_count;
    const struct cri_condition *children;
    int memory;    // once, stays, times: its word in the state ...
    int64_t limit; // ... and what it counts up to
    int since;     // once, times: the Tactic whose next Skill makes it forget; -1: never
    const cr_condition_type *type;
    const cri_value *values;
} cri_condition;

typedef enum cri_score_op {
    CRI_SCORE_CONSTANT, // a
    CRI_SCORE_ADD,
    CRI_SCORE_MULTIPLY,
    CRI_SCORE_RAMP,   // 0 at a, 1 at b, of a quantity, clamped
    CRI_SCORE_SQUARE, // of a quantity
    CRI_SCORE_WHEN,   // 1 if the condition holds, else 0
} cri_score_op;

typedef struct cri_score {
    cri_score_op op;
    double a, b;
    const cr_quantity_type *quantity;
    const cri_value *values; // of its parameters
    const cri_condition *condition;
    int child_count;
    const struct cri_score *children;
} cri_score;

typedef struct cri_rule {
    bool never; // the condition must never hold; else it must always hold
    cri_condition condition;
    const char *text; // as in the file, for messages
    int line, column; // in the file
} cri_rule;

// ---------------------------------------------------------------------------------------------
// Tactics.

enum { CRI_SKILLS_MAX = 64 }; // of one Tactic

typedef struct cri_transition {
    int to;
    double weight;                  // 1 where it depends on the state ...
    const cri_score *score;         // ... as this does; NULL: it does not
    const cri_condition *condition; // NULL: always
} cri_transition;

typedef struct cri_skill {
    const char *name;
    const cr_skill_type *type;
    const cri_value *values; // type->param_count of them
    int drawn_count;         // doubles drawn when it is entered; they come first among the Tactic's
                             // variables
    int transition_count;
    const cri_transition *transitions; // in the order of the file
} cri_skill;

typedef struct cri_tactic {
    cr_tactic info;
    const char *entry; // its name in the scene, which those of a crowd share
    int member;        // of the crowd; 0 for a body by itself
    const cri_skill *skills;
    bool stays;         // a sum of weights below 1 leaves the rest to the present Skill
    bool awaited;       // a memory goes back to where it entered its Skill
    bool settled;       // it has one Skill that draws nothing: it never decides
    int variable_count; // of its part of the state: the most any of its Skills needs
    size_t offset;      // of its cr_tactic_state in the state
} cri_tactic;

// ---------------------------------------------------------------------------------------------

// Bodies that are alike, from one line of the scene; they stand side by side among the bodies.
typedef struct cri_crowd {
    const char *name; // the members are called name.1, name.2, ...
    int first, count;
} cri_crowd;

// Regions of one line, the cells of a picture: one for each member of a crowd, in its order.
typedef struct cri_cells {
    const char *name; // the regions are called name.1, name.2, ...
    int first, count; // regions
    int crowd;
} cri_cells;

// A meeting that is still to be worked out.
#define CRI_MEETING_UNSET ((cr_meeting){-1, -1, -1, -1, -1, -1})

struct cr_model {
    cri_arena arena;
    cr_scene *scene; // a copy of its own
    const cr_library *library;
    int start;

    cr_vec3 gravity;
    double dt;
    int substeps;

    int body_count, moving_count;
    cr_body *bodies;
    int crowd_count;
    cri_crowd *crowds;
    int *tactic_of; // by body: the Tactic that controls it, or -1
    int *moving;    // body of each slot
    int material_count;
    cr_material *materials;
    cr_meeting *given;    // material_count x material_count: what the scene overrides, else -1
    cr_meeting *meetings; // the same, worked out
    int pair_count, watched_count;
    cri_pairs who;   // may collide with whom
    cri_pair *pairs; // the same as a list sorted by (a, b), where the model is not large, else NULL
    int *pair_of;    // and as a table, body_count x body_count: index into pairs or -1
    int contact_max;
    int joint_count;
    cr_joint *joints;
    uint64_t *far_mask; // a bit for each pair that collides beyond t_lod

    int region_count;
    cr_region *regions;
    int cells_count;
    cri_cells *cells;
    int tactic_count;
    cri_tactic *tactics;
    bool *steered; // by Tactic: its body is not foreign
    cri_sampling sampling;
    int memory_count;
    const cri_condition **memories; // inner ones before those that ask about them
    bool has_goal, has_score;
    cri_condition goal;
    cri_score score;
    int rule_count;
    cri_rule *rules;
    cr_planner_def def;
    cr_decor decor;

    // Layout of a state, in bytes.
    size_t bodies_offset, traces_offset, touched_offset, joints_offset, tactics_offset;
    size_t memory_offset, state_size;
    size_t traces_size;    // 0: the model is not large
    uint64_t *start_state; // state_size bytes
};

// Complete a model whose bodies (with parts, poses, masses, inertias), materials, regions, Tactics,
// gravity, dt and substeps are set: slots, radii, meetings not overridden (friction < 0 marks an
// unset one; meetings may be NULL: all unset), pairs, layout and the start state.
cr_status cri_model_finish(cr_model *model, const cri_pair_wish *wishes, int wish_count,
                           cr_report *report);

// The crowd of that name, or -1; and the crowd that a body belongs to, or -1.
int cri_find_crowd(const cr_model *model, const char *name);
int cri_crowd_of(const cr_model *model, int body);

// What a body is called in the scene's text: its crowd's name, or its own.
const char *cri_body_entry(const cr_model *model, int body);

// True if it has so many free bodies (of any shape, in any attitude) that one world of it is work
// for all lanes of an engine: hundreds of them, or more than CRI_SMALL_MAX of any kind; and no
// joints.
enum { CRI_SMALL_MAX = 1024 };
bool cri_model_is_large(const cr_model *model);

// What a large world remembers of a body, beside its motion: bytes of a state, a body. See
// engine/large/traces.c.
enum { CRI_TRACE = 24 };

// What holds where two materials meet: their mean, but for what is given.
cr_meeting cri_meeting_of(const cr_meeting *given, const cr_material *a, const cr_material *b);

// cr_model_body without the call: Skills and conditions ask at every step.
static inline const cr_body *cri_body(const cr_model *model, int body)
{
    cri_trust(body >= 0 && body < model->body_count);
    return &model->bodies[body];
}

static inline bool cri_is_plane(const cr_body *body)
{
    return body->part_count > 0 && body->parts[0].shape.kind == CR_SHAPE_PLANE;
}

static inline cr_body_state *cri_bodies(const cr_model *model, cr_state *state)
{
    return (cr_body_state *)(void *)((char *)state + model->bodies_offset);
}

static inline const cr_body_state *cri_bodies_const(const cr_model *model, const cr_state *state)
{
    return (const cr_body_state *)(const void *)((const char *)state + model->bodies_offset);
}

static inline uint8_t *cri_traces(const cr_model *model, cr_state *state)
{
    return (uint8_t *)state + model->traces_offset;
}

static inline uint64_t *cri_touched(const cr_model *model, cr_state *state)
{
    return (uint64_t *)(void *)((char *)state + model->touched_offset);
}

static inline const uint64_t *cri_touched_const(const cr_model *model, const cr_state *state)
{
    return (const uint64_t *)(const void *)((const char *)state + model->touched_offset);
}

static inline cr_joint_state *cri_joint_states(const cr_model *model, cr_state *state)
{
    return (cr_joint_state *)(void *)((char *)state + model->joints_offset);
}

static inline const cr_joint_state *cri_joint_states_const(const cr_model *model,
                                                           const cr_state *state)
{
    return (const cr_joint_state *)(const void *)((const char *)state + model->joints_offset);
}

static inline cr_tactic_state *cri_tactic_state(const cr_model *model, cr_state *state, int tactic)
{
    return (cr_tactic_state *)(void *)((char *)state + model->tactics[tactic].offset);
}

static inline const cr_tactic_state *cri_tactic_state_const(const cr_model *model,
                                                            const cr_state *state, int tactic)
{
    return (const cr_tactic_state *)(const void *)((const char *)state +
                                                   model->tactics[tactic].offset);
}

// What conditions remember, a word each.
static inline int64_t *cri_memory(const cr_model *model, cr_state *state)
{
    return (int64_t *)(void *)((char *)state + model->memory_offset);
}

static inline const int64_t *cri_memory_const(const cr_model *model, const cr_state *state)
{
    return (const int64_t *)(const void *)((const char *)state + model->memory_offset);
}

// The variables of a Tactic: first what was drawn, then the Skill's own.
static inline double *cri_variables(const cr_model *model, cr_state *state, int tactic)
{
    return (double *)(void *)(cri_tactic_state(model, state, tactic) + 1);
}

// True if the two bodies touched during the last step; the pair must be watched.
static inline bool cri_state_touched(const cr_model *model, const cr_state *state, int a, int b)
{
    cri_trust(a >= 0 && a < model->body_count && b >= 0 && b < model->body_count);
    int bit = -1;
    if (model->pair_of) {
        int pair = model->pair_of[a * model->body_count + b];
        bit = pair < 0 ? -1 : model->pairs[pair].watched;
        cri_trust(pair < 0 || bit >= 0);
    } else {
        bit = cri_pairs_bit(&model->who, a, b);
    }
    return bit >= 0 && (cri_touched_const(model, state)[bit / 64] >> (bit % 64)) & 1;
}

static inline cri_pair cri_pair_at(const cr_model *model, int pair)
{
    assert(pair >= 0 && pair < model->pair_count);
    return model->pairs ? model->pairs[pair] : cri_pairs_at(&model->who, pair);
}

// The angle about z from one frame of a hinge to the other, in (-pi, pi].
double cri_hinge_angle(cr_quat a, cr_quat b);

// Where a thing (cri_value.index of a CR_PARAM_THING) is.
cr_vec3 cri_thing_position(const cr_model *model, const cr_state *state, int thing);

#endif
