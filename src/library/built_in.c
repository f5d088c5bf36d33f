// The tables of what is built in. A line here is all that a new file needs beside itself: it
// declares the type, which the file defines as cri_<sort>_<name>, and lists it.
#include "library/built_in.h"

#include "carom/carom.h"

#define SKILLS(X)                                                                                  \
    X(skill, wait)                                                                                 \
    X(skill, stand)                                                                                \
    X(skill, idle)                                                                                 \
    X(skill, end)                                                                                  \
    X(skill, drive_to)                                                                             \
    X(skill, turn)                                                                                 \
    X(skill, kick)                                                                                 \
    X(skill, push)                                                                                 \
    X(skill, kick_held)                                                                            \
    X(skill, shoot)                                                                                \
    X(skill, get_ball)                                                                             \
    X(skill, dribble)                                                                              \
    X(skill, block)                                                                                \
    X(skill, strike)                                                                               \
    X(skill, nudge)                                                                                \
    X(skill, lob)                                                                                  \
    X(skill, spin)                                                                                 \
    X(skill, oscillate)                                                                            \
    X(skill, random_force)                                                                         \
    X(skill, biased_fall)                                                                          \
    X(skill, biased_bounce)

#define CONDITIONS(X)                                                                              \
    X(condition, touch)                                                                            \
    X(condition, inside)                                                                           \
    X(condition, near)                                                                             \
    X(condition, speed)                                                                            \
    X(condition, after)                                                                            \
    X(condition, clear_line)                                                                       \
    X(condition, facing)                                                                           \
    X(condition, still)                                                                            \
    X(condition, tilt)                                                                             \
    X(condition, fallen)                                                                           \
    X(condition, touches)                                                                          \
    X(condition, angle)                                                                            \
    X(condition, slide)                                                                            \
    X(condition, broken)

#define QUANTITIES(X)                                                                              \
    X(quantity, distance)                                                                          \
    X(quantity, speed)                                                                             \
    X(quantity, height)                                                                            \
    X(quantity, tilt)                                                                              \
    X(quantity, effort)                                                                            \
    X(quantity, time)                                                                              \
    X(quantity, angle)                                                                             \
    X(quantity, slide)

#define SELECTS(X)                                                                                 \
    X(select, uniform)                                                                             \
    X(select, rrt)                                                                                 \
    X(select, bgt)                                                                                 \
    X(select, hybrid)

#define RANKS(X)                                                                                   \
    X(rank, score)                                                                                 \
    X(rank, time)                                                                                  \
    X(rank, curvature)                                                                             \
    X(rank, contacts)                                                                              \
    X(rank, sum)

#define ENGINES(X)                                                                                 \
    X(engine, ode)                                                                                 \
    X(engine, lanes)

#define DECLARE(sort, name) extern const cr_##sort##_type cri_##sort##_##name;
#define LIST(sort, name)    &cri_##sort##_##name,

SKILLS(DECLARE)
CONDITIONS(DECLARE)
QUANTITIES(DECLARE)
SELECTS(DECLARE)
RANKS(DECLARE)
ENGINES(DECLARE)

static const void *const skills[] = {SKILLS(LIST)};
static const void *const conditions[] = {CONDITIONS(LIST)};
static const void *const quantities[] = {QUANTITIES(LIST)};
static const void *const selects[] = {SELECTS(LIST)};
static const void *const ranks[] = {RANKS(LIST)};
static const void *const engines[] = {ENGINES(LIST)};

#define TABLE(types)                                                                               \
    {                                                                                              \
        types, (int)(sizeof(types) / sizeof((types)[0]))                                           \
    }

const cri_type_table cri_built_in[CRI_SORT_COUNT] = {
    [CRI_SORT_SKILL] = TABLE(skills),        [CRI_SORT_CONDITION] = TABLE(conditions),
    [CRI_SORT_QUANTITY] = TABLE(quantities), [CRI_SORT_SELECT] = TABLE(selects),
    [CRI_SORT_RANK] = TABLE(ranks),          [CRI_SORT_ENGINE] = TABLE(engines),
};
