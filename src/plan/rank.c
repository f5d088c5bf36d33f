// Which of several solutions is better (003, 5.5.2): the built-in ranks, what they measure, and the
// order. src/library/built_in.c lists the ranks.
#include "plan/plan.h"

#include <assert.h>
#include <math.h>

#include "base/trig.h"
#include "base/vec.h"
#include "carom/rank.h"
#include "scene/lookup.h"

// The body whose path is measured: the sampled one, else the first controlled one, else the first
// that moves.
static int measured_body(const cr_model *model)
{
    if (model->sampling.present) {
        return model->sampling.body;
    }
    for (int i = 0; i < model->moving_count; i++) {
        if (model->bodies[model->moving[i]].kind == CR_KIND_CONTROLLED) {
            return model->moving[i];
        }
    }
    return model->moving_count > 0 ? model->moving[0] : -1;
}

cri_measure cri_measure_begin(const cr_model *model)
{
    return (cri_measure){.model = model, .body = measured_body(model)};
}

// The angle between the way the body went before and the way it goes now. Below 1 cm/s a direction
// is noise.
static void measure_turning(cri_measure *m, const cr_replay_step *step)
{
    if (m->body < 0) {
        return;
    }
    cr_vec3 v = cr_state_velocity(step->model, step->state, m->body);
    v.z = 0;
    if (cri_length(v) > 0.01) {
        if (m->moving) {
            double sine = cri_length(cri_cross(m->way, v)), cosine = cri_dot(m->way, v);
            m->turning += cri_atan2(sine, cosine);
        }
        m->way = v;
        m->moving = true;
    }
}

void cri_measure_step(cri_measure *measure, const cr_replay_step *step)
{
    measure_turning(measure, step);
    for (int i = 0; i < step->event_count; i++) {
        measure->contacts += step->events[i].kind == CR_EVENT_CONTACT;
    }
    if (measure->rank && measure->rank->measure) {
        measure->rank->measure(step, measure->values);
    }
}

// ---------------------------------------------------------------------------------------------
// The built-in ranks.

static double score_worth(const cr_rank_call *call)
{
    return call->solution->score;
}

const cr_rank_type cri_rank_score = {
    .name = "score", .about = "larger score", .worth = score_worth};

static double time_worth(const cr_rank_call *call)
{
    return -call->solution->seconds;
}

const cr_rank_type cri_rank_time = {.name = "time", .about = "sooner", .worth = time_worth};

static double curvature_worth(const cr_rank_call *call)
{
    return -call->solution->turning;
}

const cr_rank_type cri_rank_curvature = {
    .name = "curvature",
    .about = "less turning of the path of the sampled body, or of the first controlled one",
    .worth = curvature_worth};

static double contacts_worth(const cr_rank_call *call)
{
    return -call->solution->contacts;
}

const cr_rank_type cri_rank_contacts = {.name = "contacts",
                                        .about = "fewer contacts between bodies other than planes",
                                        .worth = contacts_worth};

static double sum_worth(const cr_rank_call *call)
{
    const cr_solution *s = call->solution;
    const cr_planner_def *def = call->def;
    return def->weight_score * s->score - def->weight_time * s->seconds -
           def->weight_curvature * s->turning - def->weight_contacts * s->contacts;
}

const cr_rank_type cri_rank_sum = {
    .name = "sum",
    .about = "larger sum: weight_score x score - weight_time x seconds - weight_curvature x "
             "turning - weight_contacts x contacts",
    .worth = sum_worth};

// ---------------------------------------------------------------------------------------------
// The order.

static bool is_better(const cri_plan_solution *a, const cri_plan_solution *b)
{
    if (a->worth != b->worth) {
        return a->worth > b->worth;
    }
    return a->info.steps != b->info.steps ? a->info.steps < b->info.steps : a->attempt < b->attempt;
}

// A heap sort: in place, and the same on every platform.
static void sift(cri_plan_solution *s, int root, int count)
{
    for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        if (child + 1 < count && is_better(&s[child], &s[child + 1])) {
            child++;
        }
        if (!is_better(&s[root], &s[child])) {
            return;
        }
        cri_plan_solution swap = s[root];
        s[root] = s[child];
        s[child] = swap;
    }
}

void cri_rank(const cr_plan *plan, cri_plan_solution *solutions, int count)
{
    const cr_rank_type *rank = cri_find_rank(plan->model->library, plan->def.rank, NULL);
    assert(rank);
    for (int i = 0; i < count; i++) {
        cr_rank_call call = {plan->model, &plan->def, &solutions[i].info, solutions[i].measures};
        solutions[i].worth = rank->worth(&call);
    }
    for (int root = count / 2 - 1; root >= 0; root--) {
        sift(solutions, root, count);
    }
    for (int last = count - 1; last > 0; last--) {
        cri_plan_solution swap = solutions[0];
        solutions[0] = solutions[last];
        solutions[last] = swap;
        sift(solutions, 0, last);
    }
}
