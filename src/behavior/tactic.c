// Tactics: probabilistic state machines of Skills (003, chapter 4).
//
// A step has three parts. First every Tactic that is not busy chooses its next Skill, all from the
// same state (003, algorithm 3). Then each draws what its new Skill needs and runs the Skill's
// operator (003, algorithm 6). All draws of a Skill happen when it is entered and are kept among
// its variables, so a busy Skill is deterministic.
#include "behavior/behavior.h"

#include <assert.h>
#include <string.h>

#include "scene/evaluate.h"
#include "scene/memory.h"

// The Skills that may come next, by index; algorithm 3 samples over the sum, so weights need not
// add up to one.
typedef struct options {
    double weights[CRI_SKILLS_MAX]; // of the Tactic's Skills; the rest is not set
    double total;
    int count; // with weight > 0
    int last;  // one of them; the present Skill if there is none
} options;

static void offer(options *o, int skill, double weight)
{
    if (weight > 0) {
        o->weights[skill] = weight;
        o->total += weight;
        o->count++;
        o->last = skill;
    }
}

// 000, algorithm 1: what the weights leave of 1 is the present Skill's, as if it led to itself.
static void stay(options *o, int skill)
{
    double rest = 1 - o->total;
    if (o->weights[skill] > 0) {
        o->weights[skill] += rest;
        o->total += rest;
    } else {
        offer(o, skill, rest);
    }
}

static bool is_controlled(const cr_model *model, int tactic)
{
    return model->bodies[model->tactics[tactic].info.body].kind == CR_KIND_CONTROLLED;
}

static bool is_end(const cri_skill *skill)
{
    return skill->type == &cri_skill_end;
}

// 003, 6.2.4: any Skill may follow any Skill, all alike. Ending a branch is not a Skill of the
// thesis and stays out.
static void offer_all(const cri_tactic *tactic, options *o)
{
    for (int i = 0; i < tactic->info.skill_count; i++) {
        offer(o, i, is_end(&tactic->skills[i]) ? 0 : 1);
    }
}

// A Skill that leads nowhere goes on: most of what opponents do is a single Skill.
static bool goes_on(const cr_model *model, int index, int skill, bool free_tactics)
{
    return !free_tactics && model->tactics[index].skills[skill].transition_count == 0;
}

static void find_options(const cr_model *model, const cr_state *state, int index, int skill,
                         bool free_tactics, options *o)
{
    const cri_tactic *tactic = &model->tactics[index];
    o->total = 0;
    o->count = 0;
    o->last = skill;
    if (goes_on(model, index, skill, free_tactics)) {
        return;
    }
    memset(o->weights, 0, (size_t)tactic->info.skill_count * sizeof *o->weights);
    if (free_tactics && is_controlled(model, index)) {
        offer_all(tactic, o);
        return;
    }
    const cri_skill *from = &tactic->skills[skill];
    for (int i = 0; i < from->transition_count; i++) {
        const cri_transition *t = &from->transitions[i];
        if (!t->condition || cri_condition_holds(model, t->condition, state)) {
            offer(o, t->to, t->score ? cri_score_value(model, t->score, state) : t->weight);
        }
    }
    if (tactic->stays && o->total > 0 && o->total < 1) {
        stay(o, skill);
    }
}

bool cri_tactic_decides(const cr_model *model, const cr_state *state, int tactic, bool free_tactics)
{
    const cr_tactic_state *ts = cri_tactic_state_const(model, state, tactic);
    if (ts->phase == CR_SKILL_BUSY) {
        return false;
    }
    int next = ts->skill;
    if (ts->phase == CR_SKILL_FREE && !goes_on(model, tactic, ts->skill, free_tactics)) {
        options o;
        find_options(model, state, tactic, ts->skill, free_tactics, &o);
        if (o.count > 1) {
            return true;
        }
        next = o.last;
    }
    return model->tactics[tactic].skills[next].drawn_count > 0;
}

bool cri_tactic_may_choose(const cr_model *model, const cr_state *state, int tactic, int skill,
                           bool free_tactics)
{
    const cr_tactic_state *ts = cri_tactic_state_const(model, state, tactic);
    if (ts->phase != CR_SKILL_FREE) {
        return skill == ts->skill;
    }
    options o;
    find_options(model, state, tactic, ts->skill, free_tactics, &o);
    return o.count > 0 ? o.weights[skill] > 0 : skill == o.last;
}

bool cri_is_busy(const cr_model *model, const cr_state *state)
{
    for (int i = 0; i < model->tactic_count; i++) {
        if (is_controlled(model, i) &&
            cri_tactic_state_const(model, state, i)->phase == CR_SKILL_BUSY) {
            return true;
        }
    }
    return false;
}

void cri_interrupt(const cr_model *model, cr_state *state)
{
    for (int i = 0; i < model->tactic_count; i++) {
        cr_tactic_state *ts = cri_tactic_state(model, state, i);
        if (is_controlled(model, i) && ts->phase == CR_SKILL_BUSY) {
            ts->phase = CR_SKILL_FREE;
        }
    }
}

bool cri_is_decision(const cr_model *model, const cr_state *state, bool free_tactics,
                     bool controlled)
{
    for (int i = 0; i < model->tactic_count; i++) {
        if (!model->tactics[i].settled && (!controlled || is_controlled(model, i)) &&
            cri_tactic_decides(model, state, i, free_tactics)) {
            return true;
        }
    }
    return false;
}

static int pick(const options *o, int skill_count, cr_rng *rng)
{
    double ball = cr_rng_unit(rng) * o->total;
    for (int i = 0; i < skill_count; i++) {
        if (o->weights[i] > 0) {
            if (ball < o->weights[i]) {
                return i;
            }
            ball -= o->weights[i];
        }
    }
    return o->last; // rounding only
}

static const cri_choice *find_choice(const cri_source *source, int tactic)
{
    for (int i = 0; i < source->choice_count; i++) {
        if (source->choices[i].tactic == tactic) {
            return &source->choices[i];
        }
    }
    return NULL;
}

static int choose_option(const cr_model *model, const cr_state *state, int index, bool free_tactics,
                         const cri_source *source)
{
    int skill = cri_tactic_state_const(model, state, index)->skill;
    options o;
    find_options(model, state, index, skill, free_tactics, &o);
    return o.count > 1 && source->rng
               ? pick(&o, model->tactics[index].info.skill_count, source->rng)
               : o.last;
}

static int choose_next(const cr_model *model, const cr_state *state, int index, bool free_tactics,
                       const cri_source *source)
{
    const cr_tactic_state *ts = cri_tactic_state_const(model, state, index);
    if (model->tactics[index].settled) {
        return ts->skill;
    }
    const cri_choice *record = find_choice(source, index);
    if (record) {
        return record->skill;
    }
    if (ts->phase == CR_SKILL_ENTER || goes_on(model, index, ts->skill, free_tactics)) {
        return ts->skill;
    }
    return choose_option(model, state, index, free_tactics, source);
}

// Enter a Skill: its draws first, then its own variables, zero.
static void enter(const cr_model *model, cr_state *state, int index, const cri_source *source)
{
    const cri_tactic *tactic = &model->tactics[index];
    const cri_skill *skill = &tactic->skills[cri_tactic_state(model, state, index)->skill];
    double *variables = cri_variables(model, state, index);
    for (int i = 0; i < tactic->variable_count; i++) { // a few: a call costs more
        variables[i] = 0;
    }
    if (skill->drawn_count == 0) {
        return;
    }
    const cri_choice *record = find_choice(source, index);
    if (record) {
        memcpy(variables, record->drawn, (size_t)skill->drawn_count * sizeof *variables);
    } else if (source->rng) {
        cri_draw_values(model, skill, state, source->sample, source->rng, variables);
    }
}

static cr_skill_result operate(const cr_model *model, cr_state *state, int index, bool entered,
                               cr_action *actions, cri_steering *steering)
{
    const cri_tactic *tactic = &model->tactics[index];
    const cri_skill *skill = &tactic->skills[cri_tactic_state(model, state, index)->skill];
    double *variables = cri_variables(model, state, index);
    cr_skill_call call = {
        .model = model,
        .state = state,
        .tactic = index,
        .body = tactic->info.body,
        .entered = entered,
        .variables = variables + skill->drawn_count,
        .actions = actions,
        .values = skill->values,
        .value_count = skill->type->param_count,
        .drawn = variables,
        .steering = steering,
    };
    return skill->type->act(&call);
}

// While a step is under way, the phase of a Tactic that changes its Skill holds the next one, so
// that conditions still see the present Skill of every Tactic.
static int32_t phase_of_next(int skill)
{
    return -1 - skill;
}

static bool acts(const cri_source *source, int tactic)
{
    return !source->acts || source->acts[tactic];
}

bool cri_act_later(const cr_model *model, cr_state *state, bool free_tactics,
                   const cri_source *source, cr_action *actions, cri_steering *steering)
{
    memset(actions, 0, (size_t)model->moving_count * sizeof *actions);
    for (int i = 0; i < model->tactic_count; i++) {
        cr_tactic_state *ts = cri_tactic_state(model, state, i);
        if (ts->phase != CR_SKILL_BUSY && acts(source, i)) {
            ts->phase = phase_of_next(choose_next(model, state, i, free_tactics, source));
        }
    }
    bool lives = true;
    for (int i = 0; i < model->tactic_count; i++) {
        cr_tactic_state *ts = cri_tactic_state(model, state, i);
        if (!acts(source, i)) {
            continue;
        }
        bool entered = ts->phase < 0;
        if (entered) {
            // A Skill that is never busy is entered at every step, and goes on all the same.
            if (model->tactics[i].awaited && ts->skill != -1 - ts->phase) {
                cri_forget(model, state, i);
            }
            ts->skill = -1 - ts->phase;
            enter(model, state, i, source);
        }
        cr_skill_result result = operate(model, state, i, entered, actions, steering);
        ts->phase = result == CR_SKILL_IS_BUSY ? CR_SKILL_BUSY : CR_SKILL_FREE;
        lives = lives && result != CR_SKILL_IS_END;
    }
    return lives;
}

bool cri_act(const cr_model *model, cr_state *state, bool free_tactics, const cri_source *source,
             cr_action *actions)
{
    cri_steering steering;
    cri_steering_open(&steering, model);
    bool lives = cri_act_later(model, state, free_tactics, source, actions, &steering);
    cri_steering_finish(&steering);
    return lives;
}
