// The tables of what is built in. A line here is all that a new file needs beside itself: it
// declares the type, which the file defines as cri_<sort>_<name>, and lists it.
#include "library/built_in.h"

#include <stddef.h>

#define SKILLS(X)                                                                                  \
    X(wait)                                                                                        \
    X(stand)                                                                                       \
    X(idle)                                                                                        \
    X(end)                                                                                         \
    X(drive_to)                                                                                    \
    X(turn)                                                                                        \
    X(kick)                                                                                        \
    X(push)                                                                                        \
    X(kick_held)                                                                                   \
    X(shoot)                                                                                       \
    X(get_ball)                                                                                    \
    X(dribble)                                                                                     \
    X(block)                                                                                       \
    X(strike)                                                                                      \
    X(nudge)                                                                                       \
    X(spin)                                                                                        \
    X(oscillate)                                                                                   \
    X(random_force)

#define CONDITIONS(X)                                                                              \
    X(touch)                                                                                       \
    X(inside)                                                                                      \
    X(near)                                                                                        \
    X(speed)                                                                                       \
    X(after)                                                                                       \
    X(clear_line)                                                                                  \
    X(facing)                                                                                      \
    X(still)

#define ENGINES(X)                                                                                 \
    X(ode)                                                                                         \
    X(lanes)

#define DECLARE_SKILL(name)     extern const cr_skill_type cri_skill_##name;
#define DECLARE_CONDITION(name) extern const cr_condition_type cri_condition_##name;
#define DECLARE_ENGINE(name)    extern const cr_engine_type cri_engine_##name;

SKILLS(DECLARE_SKILL)
CONDITIONS(DECLARE_CONDITION)
ENGINES(DECLARE_ENGINE)

#define LIST_SKILL(name)     &cri_skill_##name,
#define LIST_CONDITION(name) &cri_condition_##name,
#define LIST_ENGINE(name)    &cri_engine_##name,

const cr_skill_type *const cri_built_in_skills[] = {SKILLS(LIST_SKILL) NULL};
const cr_condition_type *const cri_built_in_conditions[] = {CONDITIONS(LIST_CONDITION) NULL};
const cr_engine_type *const cri_built_in_engines[] = {ENGINES(LIST_ENGINE) NULL};
