// Skills that move the controlled body by itself: drive_to and turn.
#include "behavior/skills/skills.h"

#include "base/trig.h"

enum {
    DRIVE_PLACE,
    DRIVE_LOOK,
    DRIVE_SPEED,
    DRIVE_WITHIN,
    DRIVE_SECONDS,
    DRIVE_DRIVE,
    DRIVE_RADIUS
};
enum { LOOK_AHEAD, LOOK_KEEP };

static const cr_param drive_params[] = {
    {"place", CR_PARAM_PLACE, "", 0, 0, NULL, "where to"},
    {"look", CR_PARAM_CHOICE, "ahead|keep", 0, 0, "ahead",
     "turn toward the place while driving, or keep the heading"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 100, "0", "top speed; 0: the body's limit"},
    {"within", CR_PARAM_NUMBER, "m", 0.001, 100, "0.02", "arrived when that near"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "0",
     "stop being busy after this time, arrived or not; 0: only on arrival"},
    {"drive", CR_PARAM_CHOICE, "omni|differential|car", 0, 0, "omni",
     "what it rolls on: wheels that go any way; two that also turn it on the spot; or those of a "
     "car, which backs up where a place is too near aside. The last two look where they drive"},
    {"radius", CR_PARAM_NUMBER, "m", 0.01, 1000, "0.5", "of the tightest bend of a car"},
};

static bool drive_any_way(const cr_skill_call *call, cr_vec3 place, double speed, double within)
{
    cr_vec3 offset = cri_sub(place, cri_self_position(call));
    bool there = cri_steer_to(call, place, speed, within);
    if (cri_skill_choice(call, DRIVE_LOOK) == LOOK_AHEAD &&
        offset.x * offset.x + offset.y * offset.y > within * within) {
        cri_steer_toward(call, offset);
    }
    return there;
}

// 003, algorithm 2. With `place: sample` and a short `seconds` this is the extension of standard
// RRT (5.3.3).
static cr_skill_result drive_act(const cr_skill_call *call)
{
    cr_vec3 place = cri_skill_place(call, DRIVE_PLACE);
    double speed = cri_skill_number(call, DRIVE_SPEED);
    double within = cri_skill_number(call, DRIVE_WITHIN);
    int drive = cri_skill_choice(call, DRIVE_DRIVE);
    cri_wheels wheels = {(cri_drive)drive, speed, within, cri_skill_number(call, DRIVE_RADIUS)};
    bool there = drive == CRI_DRIVE_OMNI ? drive_any_way(call, place, speed, within)
                                         : cri_wheel_to(call, place, wheels);
    bool up = cri_time_is_up(call, cri_skill_number(call, DRIVE_SECONDS), &call->variables[0]);
    return there || up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_drive_to = {
    .name = "drive_to",
    .about = "drive to a place with trapezoidal motion and stand there",
    .param_count = 7,
    .params = drive_params,
    .variables = 1,
    .act = drive_act,
};

enum { TURN_BY, TURN_SECONDS };

static const cr_param turn_params[] = {
    {"by", CR_PARAM_NUMBER, "rad", -100, 100, NULL, "how far, counter-clockwise"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "5", "give up after this time; 0: never"},
};

static cr_skill_result turn_act(const cr_skill_call *call)
{
    double *target = &call->variables[1];
    if (call->entered) {
        *target = cri_self_heading(call) + cri_skill_number(call, TURN_BY);
    }
    bool there = cri_steer_heading(call, *target);
    bool up = cri_time_is_up(call, cri_skill_number(call, TURN_SECONDS), &call->variables[0]);
    return there || up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_turn = {
    .name = "turn",
    .about = "turn on the spot by an angle (the shorter way round)",
    .param_count = 2,
    .params = turn_params,
    .variables = 2,
    .act = turn_act,
};
