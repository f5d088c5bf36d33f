// Sleep: bodies at rest cost little.
//
// An island is all that is near each other, through bodies that can be pushed. It sleeps while each
// of its bodies has been slow for half a second or so, nothing acts on them and no driven body
// moves near them; its bodies then do not move at all. How long a body has been slow is part of the
// state, and islands are found anew in each step, so there is nothing else to remember: what comes
// near an island that sleeps belongs to it, and wakes it because it is not slow itself.
#include <math.h>
#include <string.h>

#include "engine/large/large.h"
#include "engine/large/scratch.h"

static const float SLOW_SPEED = 0.01f; // m/s, of any point of a body
static const double SLOW_TIME = 0.5;   // s
// What is faster in one step loses so many of those that it was slow for, and all of them beyond
// FAST_SPEED: among a thousand bodies one twitches in most steps, and all have to be slow at once.
enum { SETBACK = 4 };
static const float FAST_SPEED = 0.05f; // m/s

static int steps_to_sleep(const cri_large *w)
{
    double steps = ceil(SLOW_TIME / w->model->dt);
    return steps < 1 ? 1 : steps > 250 ? 250 : (int)steps;
}

// ---------------------------------------------------------------------------------------------
// Islands: each body knows an earlier one of its island, or is the first.

static int first_of(int *island, int body)
{
    while (island[body] != body) {
        island[body] = island[island[body]];
        body = island[body];
    }
    return body;
}

static void join(int *island, int a, int b)
{
    a = first_of(island, a), b = first_of(island, b);
    island[a > b ? a : b] = a > b ? b : a;
}

static bool is_zero(cr_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

bool cri_large_acts(const cr_action *a)
{
    return !is_zero(a->force) || !is_zero(a->torque) || !is_zero(a->impulse) || !is_zero(a->twist);
}

static bool is_driven_on(const cr_action *a)
{
    return !is_zero(a->velocity) || !is_zero(a->spin);
}

// Mark the islands of bodies that are not at rest, by their first ones.
static void wake(cri_large *w, bool *awake)
{
    int *island = w->scratch->island, enough = steps_to_sleep(w);
    const uint8_t *slow = cri_traces(w->model, w->step->to);
    for (int i = 0; i < w->body_count; i++) {
        bool rests = slow[i] >= enough && !cri_large_acts(&w->step->actions[i]);
        if (w->can_sleep[i] && !rests) {
            awake[first_of(island, i)] = true;
        }
    }
    for (int n = 0; n < w->pair_count; n++) {
        const int *movers = w->pairs[n].movers;
        if (w->pairs[n].near && movers[0] < w->body_count && !w->can_sleep[movers[0]] &&
            w->can_sleep[movers[1]] && is_driven_on(&w->step->actions[movers[0]])) {
            awake[first_of(island, movers[1])] = true;
        }
    }
}

bool cri_large_put_to_sleep(cri_large *w)
{
    int *island = w->scratch->island;
    bool *awake = w->scratch->awake, changed = false;
    if (!w->sleeps) {
        return false;
    }
    for (int i = 0; i < w->body_count; i++) {
        island[i] = i;
        awake[i] = false;
    }
    for (int n = 0; n < w->pair_count; n++) {
        const int *movers = w->pairs[n].movers;
        if (w->pairs[n].near && movers[0] < w->body_count && w->can_sleep[movers[0]] &&
            w->can_sleep[movers[1]]) {
            join(island, movers[0], movers[1]);
        }
    }
    wake(w, awake);
    for (int i = 0; i < w->body_count; i++) {
        if (w->can_sleep[i]) {
            // Within a step bodies wake, but do not fall asleep.
            bool was = w->piece > 0 && w->b.turns[i];
            int32_t moves = was || awake[first_of(island, i)] ? -1 : 0;
            changed = changed || w->b.turns[i] != moves;
            w->b.pushed[i] = w->b.turns[i] = moves;
            for (int k = 0; k < 3 && !moves; k++) {
                w->b.velocity[k][i] = w->b.spin[k][i] = 0;
            }
        }
    }
    return changed;
}

// Whoever is driven is asked about even where nothing moves.
bool cri_large_all_asleep(const cri_large *w)
{
    const uint8_t *slow = cri_traces(w->model, w->step->to);
    int enough = steps_to_sleep(w);
    bool all = w->sleeps;
    for (int i = 0; i < w->body_count && all; i++) {
        all = w->can_sleep[i] && slow[i] >= enough && !cri_large_acts(&w->step->actions[i]);
    }
    return all;
}

void cri_large_count_slow(cri_large *w)
{
    if (w->model->traces_size == 0) {
        return;
    }
    const uint8_t *before = cri_traces(w->model, w->step->to);
    int enough = steps_to_sleep(w);
    for (int i = 0; i < w->body_count; i++) {
        float sum = 0, turn = w->b.radius[i] * w->b.radius[i];
        for (int k = 0; k < 3; k++) {
            float v = w->b.velocity[k][i], spin = w->b.spin[k][i];
            sum += v * v + turn * spin * spin;
        }
        bool slow = sum<SLOW_SPEED * SLOW_SPEED, fast = sum> FAST_SPEED * FAST_SPEED;
        int steps = slow ? before[i] + 1 : before[i] - SETBACK;
        steps = steps < 0 || fast ? 0 : steps;
        w->slow[i] = (uint8_t)(steps < enough ? steps : enough);
    }
}
