// The built-in conditions, cri_condition_<name> each; src/library/built_in.c lists them.
#define CRI_TRUSTED // see base/trust.h

#include <math.h>
#include <stddef.h>

#include "base/trig.h"
#include "base/vec.h"
#include "geom/geom.h"
#include "scene/calls.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static cr_vec3 velocity_of(const cr_condition_call *call, int param)
{
    return cri_velocity(call->model, call->state, cri_condition_body(call, param));
}

// ---------------------------------------------------------------------------------------------

static const cr_param touch_params[] = {
    {"a", CR_PARAM_BODY, "", 0, 0, NULL, "one body"},
    {"b", CR_PARAM_BODY, "", 0, 0, NULL, "the other"},
};

// Whether any watched pair touched: mostly none did, and rules ask at every step.
static bool something_touched(const cr_condition_call *call)
{
    const uint64_t *touched = cri_touched_const(call->model, call->state);
    uint64_t all = 0;
    for (int i = 0; i < (call->model->watched_count + 63) / 64; i++) {
        all |= touched[i];
    }
    return all != 0;
}

static bool touch_holds(const cr_condition_call *call)
{
    return something_touched(call) &&
           cri_state_touched(call->model, call->state, cri_condition_body(call, 0),
                             cri_condition_body(call, 1));
}

const cr_condition_type cri_condition_touch = {
    .name = "touch",
    .about = "the two bodies touched during the last step",
    .param_count = COUNT(touch_params),
    .params = touch_params,
    .holds = touch_holds,
    .asks_touch = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param inside_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body, by its centre of mass"},
    {"region", CR_PARAM_REGION, "", 0, 0, NULL, "a region"},
};

static bool inside_holds(const cr_condition_call *call)
{
    cr_vec3 place = cri_position(call->model, call->state, cri_condition_body(call, 0));
    return cri_region_contains(&call->model->regions[cri_condition_region(call, 1)], place);
}

const cr_condition_type cri_condition_inside = {
    .name = "inside",
    .about = "the body's centre of mass lies in the region",
    .param_count = COUNT(inside_params),
    .params = inside_params,
    .holds = inside_holds,
    .only_params = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param near_params[] = {
    {"a", CR_PARAM_THING, "", 0, 0, NULL, "a body or region"},
    {"b", CR_PARAM_THING, "", 0, 0, NULL, "another"},
    {"distance", CR_PARAM_NUMBER, "m", 0, 1e6, NULL, "between their centres, at most"},
};

static bool near_holds(const cr_condition_call *call)
{
    cr_vec3 gap = cri_sub(cri_condition_where(call, 0), cri_condition_where(call, 1));
    return cri_length(gap) <= cri_condition_number(call, 2);
}

const cr_condition_type cri_condition_near = {
    .name = "near",
    .about = "the centres of two things are at most so far apart",
    .param_count = COUNT(near_params),
    .params = near_params,
    .holds = near_holds,
    .only_params = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param speed_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body"},
    {"side", CR_PARAM_CHOICE, "below|above", 0, 0, NULL, "which side of the limit"},
    {"limit", CR_PARAM_NUMBER, "m/s", 0, 1e6, NULL, "the limit itself is on neither side"},
};

static bool speed_holds(const cr_condition_call *call)
{
    double speed = cri_length(velocity_of(call, 0)), limit = cri_condition_number(call, 2);
    return cri_condition_choice(call, 1) == 0 ? speed < limit : speed > limit;
}

static const char *speed_why_never(const cr_condition_call *call)
{
    bool below = cri_condition_choice(call, 1) == 0;
    return below && cri_condition_number(call, 2) <= 0 ? "no speed is below 0" : NULL;
}

const cr_condition_type cri_condition_speed = {
    .name = "speed",
    .about = "the body is slower or faster than that",
    .param_count = COUNT(speed_params),
    .params = speed_params,
    .holds = speed_holds,
    .only_params = true,
    .why_never = speed_why_never,
};

// ---------------------------------------------------------------------------------------------

static const cr_param after_params[] = {
    {"seconds", CR_PARAM_NUMBER, "s", 0, 1e6, NULL, "since the start"},
};

// Half a step early: n dt need not be the same number as the seconds in the file.
static bool after_holds(const cr_condition_call *call)
{
    double half_step = call->model->dt / 2;
    return cr_state_time(call->model, call->state) + half_step > cri_condition_number(call, 0);
}

const cr_condition_type cri_condition_after = {
    .name = "after",
    .about = "so much time has passed since the start",
    .param_count = COUNT(after_params),
    .params = after_params,
    .holds = after_holds,
};

// ---------------------------------------------------------------------------------------------

static const cr_param line_params[] = {
    {"from", CR_PARAM_THING, "", 0, 0, NULL, "a body or region"},
    {"to", CR_PARAM_THING, "", 0, 0, NULL, "another"},
    {"width", CR_PARAM_NUMBER, "m", 0, 1e6, NULL, "of the free corridor between them"},
};

// A corridor: what comes nearer than half the width to its middle line blocks it.
typedef struct corridor {
    cr_vec3 from, way;
    double length, half_width;
} corridor;

static double part_gap(const cr_shape *shape, cr_pose pose, const corridor *c, double at)
{
    cr_vec3 point = c->length > 0 ? cri_mad(c->from, at / c->length, c->way) : c->from;
    return cri_shape_nearest(shape, pose, point).distance - c->half_width;
}

// The distance from a convex part is a convex function along a line, so thirds close in on its
// minimum; and it changes no faster than the point moves, so a gap wider than what is left to
// search settles it.
static bool part_blocks(const cr_shape *shape, cr_pose pose, const corridor *c)
{
    double low = 0, high = c->length;
    while (high - low > 1e-6) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        double gap_a = part_gap(shape, pose, c, a), gap_b = part_gap(shape, pose, c, b);
        if (gap_a < 0 || gap_b < 0) {
            return true;
        }
        if (fmin(gap_a, gap_b) > high - low) {
            return false;
        }
        low = gap_a > gap_b ? a : low;
        high = gap_a > gap_b ? high : b;
    }
    return part_gap(shape, pose, c, low) < 0 || part_gap(shape, pose, c, high) < 0;
}

static bool body_blocks(const cr_model *model, const cr_state *state, int body, const corridor *c)
{
    const cr_body *b = &model->bodies[body];
    cr_pose pose = cr_state_pose(model, state, body);
    for (int i = 0; i < b->part_count; i++) {
        if (b->parts[i].shape.kind != CR_SHAPE_PLANE &&
            part_blocks(&b->parts[i].shape, cri_pose_mul(pose, b->parts[i].pose), c)) {
            return true;
        }
    }
    return false;
}

static bool line_holds(const cr_condition_call *call)
{
    const cri_value *values = call->values;
    cr_vec3 from = cri_condition_where(call, 0);
    corridor c = {.from = from, .way = cri_sub(cri_condition_where(call, 1), from)};
    c.length = cri_length(c.way);
    c.half_width = cri_condition_number(call, 2) / 2;
    for (int i = 0; i < call->model->body_count; i++) {
        if (i != values[0].index && i != values[1].index &&
            body_blocks(call->model, call->state, i, &c)) {
            return false;
        }
    }
    return true;
}

const cr_condition_type cri_condition_clear_line = {
    .name = "clear_line",
    .about = "no other body, planes aside, comes into a straight corridor between the two",
    .param_count = COUNT(line_params),
    .params = line_params,
    .holds = line_holds,
};

// ---------------------------------------------------------------------------------------------

static const cr_param facing_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body"},
    {"thing", CR_PARAM_THING, "", 0, 0, NULL, "what it looks at"},
    {"angle", CR_PARAM_NUMBER, "rad", 0, 4, NULL, "off its heading, at most"},
};

static bool facing_holds(const cr_condition_call *call)
{
    int body = cri_condition_body(call, 0);
    cr_vec3 way =
        cri_sub(cri_condition_where(call, 1), cri_position(call->model, call->state, body));
    double off = cri_atan2(way.y, way.x) - cr_state_heading(call->model, call->state, body);
    return fabs(cri_wrap(off)) <= cri_condition_number(call, 2);
}

const cr_condition_type cri_condition_facing = {
    .name = "facing",
    .about = "the body's heading points at the thing, give or take an angle",
    .param_count = COUNT(facing_params),
    .params = facing_params,
    .holds = facing_holds,
    .only_params = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param still_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body"},
};

// Slower than an eye would notice over a few seconds.
#define STILL_SPEED 0.01 // m/s
#define STILL_SPIN  0.05 // rad/s

static bool still_holds(const cr_condition_call *call)
{
    int slot = cri_body(call->model, cri_condition_body(call, 0))->slot;
    if (slot < 0) {
        return true;
    }
    const cr_body_state *body = &cri_bodies_const(call->model, call->state)[slot];
    return cri_length(body->velocity) < STILL_SPEED && cri_length(body->spin) < STILL_SPIN;
}

const cr_condition_type cri_condition_still = {
    .name = "still",
    .about = "the body neither moves nor turns (0.01 m/s, 0.05 rad/s)",
    .param_count = COUNT(still_params),
    .params = still_params,
    .holds = still_holds,
    .only_params = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param tilt_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body"},
    {"side", CR_PARAM_CHOICE, "below|above", 0, 0, NULL, "which side of the limit"},
    {"angle", CR_PARAM_NUMBER, "rad", 0, 4, NULL, "from how it stood at the start"},
};

static bool tilt_holds(const cr_condition_call *call)
{
    double tilt = cri_tilt(call->model, call->state, cri_condition_body(call, 0));
    double limit = cri_condition_number(call, 2);
    return cri_condition_choice(call, 1) == 0 ? tilt < limit : tilt > limit;
}

static const char *tilt_why_never(const cr_condition_call *call)
{
    const char *level = cri_why_level(call->model, cri_condition_body(call, 0));
    bool below = cri_condition_choice(call, 1) == 0;
    double limit = cri_condition_number(call, 2);
    return level                      ? level
           : below && limit <= 0      ? "no tilt is below 0"
           : !below && limit > CRI_PI ? "no tilt is above 180 deg"
                                      : NULL;
}

const cr_condition_type cri_condition_tilt = {
    .name = "tilt",
    .about = "the body leans less or more than that from how it stood at the start",
    .param_count = COUNT(tilt_params),
    .params = tilt_params,
    .holds = tilt_holds,
    .only_params = true,
    .why_never = tilt_why_never,
};

// Half way to lying on its side: what leans that far does not come back.
#define FALLEN_TILT (CRI_PI / 4)

static bool fallen_holds(const cr_condition_call *call)
{
    return cri_tilt(call->model, call->state, cri_condition_body(call, 0)) > FALLEN_TILT;
}

static const char *fallen_why_never(const cr_condition_call *call)
{
    return cri_why_level(call->model, cri_condition_body(call, 0));
}

const cr_condition_type cri_condition_fallen = {
    .name = "fallen",
    .about = "the body leans by more than 45 degrees from how it stood at the start",
    .param_count = COUNT(still_params),
    .params = still_params,
    .holds = fallen_holds,
    .only_params = true,
    .why_never = fallen_why_never,
};

// ---------------------------------------------------------------------------------------------

// The compiler has made a bit for each body that this one may touch.
static bool touches_holds(const cr_condition_call *call)
{
    const cr_model *model = call->model;
    const uint64_t *touched = cri_touched_const(model, call->state);
    int self = cri_condition_body(call, 0);
    int count = something_touched(call) ? model->body_count : 0;
    for (int i = 0; i < count; i++) {
        int bit = i == self ? -1 : cri_pairs_bit(&model->who, self, i);
        if (bit >= 0 && !cri_is_plane(&model->bodies[i]) &&
            ((touched[bit / 64] >> (bit % 64)) & 1)) {
            return true;
        }
    }
    return false;
}

const cr_condition_type cri_condition_touches = {
    .name = "touches",
    .about = "the body touched anything, planes aside, during the last step",
    .param_count = COUNT(still_params),
    .params = still_params,
    .holds = touches_holds,
    .asks_touch = true,
};
