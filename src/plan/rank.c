// Which of several solutions is better (003, 5.5.2): by score, time, curvature, contacts, or a
// weighted sum.
#include "plan/plan.h"

#include <assert.h>
#include <math.h>

#include "base/trig.h"
#include "base/vec.h"

const char *cr_rank_name(cr_rank rank)
{
    static const char *const names[] = {"score", "time", "curvature", "contacts", "sum"};
    assert(rank <= CR_RANK_SUM);
    return names[rank];
}

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
}

static double worth(const cr_solution *s, const cr_planner_def *def)
{
    switch (def->rank) {
    case CR_RANK_SCORE:
        return s->score;
    case CR_RANK_TIME:
        return -s->seconds;
    case CR_RANK_CURVATURE:
        return -s->turning;
    case CR_RANK_CONTACTS:
        return -s->contacts;
    case CR_RANK_SUM:
        return def->weight_score * s->score - def->weight_time * s->seconds -
               def->weight_curvature * s->turning - def->weight_contacts * s->contacts;
    }
    return 0;
}

static bool is_better(const cri_plan_solution *a, const cri_plan_solution *b,
                      const cr_planner_def *def)
{
    double x = worth(&a->info, def), y = worth(&b->info, def);
    if (x != y) {
        return x > y;
    }
    return a->info.steps != b->info.steps ? a->info.steps < b->info.steps : a->attempt < b->attempt;
}

// A heap sort: in place, and without the globals that qsort would need to know the def.
static void sift(cri_plan_solution *s, int root, int count, const cr_planner_def *def)
{
    for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        if (child + 1 < count && is_better(&s[child], &s[child + 1], def)) {
            child++;
        }
        if (!is_better(&s[root], &s[child], def)) {
            return;
        }
        cri_plan_solution swap = s[root];
        s[root] = s[child];
        s[child] = swap;
    }
}

void cri_rank(cri_plan_solution *solutions, int count, const cr_planner_def *def)
{
    for (int root = count / 2 - 1; root >= 0; root--) {
        sift(solutions, root, count, def);
    }
    for (int last = count - 1; last > 0; last--) {
        cri_plan_solution swap = solutions[0];
        solutions[0] = solutions[last];
        solutions[last] = swap;
        sift(solutions, 0, last, def);
    }
}
