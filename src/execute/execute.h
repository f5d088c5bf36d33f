// The parts of a run: what is believed of the world, and the plan that is being executed.
#ifndef CRI_EXECUTE_H
#define CRI_EXECUTE_H

#include "carom/execute.h"
#include "scene/model.h"

// ---------------------------------------------------------------------------------------------
// A step of a true world in two parts, so that many worlds are stepped at once (truth.c).

cr_step cri_truth_begin(cr_truth *truth, const cr_command *command);
bool cri_truth_end(cr_truth *truth, const cr_command *command, const cr_step *step);

// Noise, as a camera would add it.
void cri_truth_blur(const cr_truth_def *def, const cr_model *model, cr_state *state, cr_rng *rng);
void cri_truth_blur_body(const cr_truth_def *def, const cr_model *model, cr_state *state, int slot,
                         cr_rng *rng);

// ---------------------------------------------------------------------------------------------
// What is believed (belief.c). A state is seen a latency after it was; what has been commanded
// since is known, so the model's own engine tells what has become of it:
//
//    seen (step t - late)  --command-->  ...  --command-->  now (step t)
//      ^
//      +--- predicted from the seen before, and drawn to the observation by `trust`

typedef struct cri_belief {
    const cr_model *model;
    cr_engine *engine;
    cr_rng rng;  // for foreign Tactics that draw
    bool *acts;  // by Tactic: its body is foreign, and acts as it says
    bool linear; // foreign bodies go on as they move
    double trust;
    int late, sent;  // steps; commands under way, <= late
    cr_action *past; // the last `late` commands, oldest first, and one under way
    cr_action *actions;
    int *rests; // by slot: frames that the body has been seen at rest for
    cr_state *seen, *now, *observed;
} cri_belief;

// Begin with what is seen now. Free it also after a failure.
cr_status cri_belief_create(const cr_truth *truth, const cr_run_def *def, const cr_model *model,
                            cri_belief *belief, cr_report *report);
void cri_belief_free(cri_belief *belief);

// These actions were commanded, and the truth made a step: believe what can be believed of now.
void cri_belief_step(cri_belief *belief, const cr_action *actions, const cr_truth *truth);

// The actions that a state's next step has as far as is known, in belief->actions: foreign Tactics
// act, and go on in the state; the others do what they are told.
void cri_belief_act(cri_belief *belief, cr_state *state, const cr_action *command);

// Take a state one step on, as the planner would.
void cri_belief_predict(cri_belief *belief, cr_state *state, const cr_action *command);

// ---------------------------------------------------------------------------------------------
// What lies ahead of a belief (ahead.c).

typedef struct cri_ahead {
    const cr_model *model;
    cr_state *state;
    cr_action *still; // nobody is told anything
    cr_action *brakes;
    cr_contact *contacts;
    uint64_t *mask;
} cri_ahead;

// Free it also after a failure.
cr_status cri_ahead_create(const cr_model *model, cri_ahead *ahead, cr_report *report);
void cri_ahead_free(cri_ahead *ahead);

// The mask of a search from a root where even braking breaks a rule at once: all pairs but those of
// controlled bodies with foreign and passive ones that touch then. NULL where that is not so.
const uint64_t *cri_ahead_pinned(cri_ahead *ahead, cri_belief *belief, const cr_state *root);

// In how many steps, `most` at the most, foreign bodies will be nearest to where a state has them,
// if all others stand still.
int64_t cri_ahead_meet(cri_ahead *ahead, cri_belief *belief, const cr_state *state, int64_t most);

// ---------------------------------------------------------------------------------------------
// The plan under way (track.c): its states and actions, step by step.

typedef struct cri_track {
    const cr_model *model;
    int64_t capacity; // states that there is room for
    int64_t length;   // steps of the plan
    int64_t at;       // steps done
    char *states;     // length + 1
    cr_action *actions;
} cri_track;

// Room for a plan of so many steps. Free it also after a failure.
cr_status cri_track_create(const cr_model *model, int64_t steps, cri_track *track,
                           cr_report *report);
void cri_track_free(cri_track *track);

// Take a solution of a plan; what is longer than the room is left out.
cr_status cri_track_take(cri_track *track, const cr_plan *plan, int solution, cr_report *report);

static inline bool cri_track_goes_on(const cri_track *track)
{
    return track->at < track->length;
}

static inline const cr_state *cri_track_state(const cri_track *track, int64_t step)
{
    return (const cr_state *)(const void *)(track->states +
                                            (size_t)step * track->model->state_size);
}

static inline const cr_action *cri_track_actions(const cri_track *track, int64_t step)
{
    return track->actions + step * track->model->moving_count;
}

// True for a body that commands steer: upright, controlled, pushed by forces.
bool cri_is_steered(const cr_body *body);

// The commands that bring upright controlled bodies back to the plan, added to its own actions.
void cri_control(const cri_track *track, const cr_state *believed, cr_action *actions);

// The commands that stop all controlled bodies.
void cri_brake(const cr_model *model, const cr_state *believed, cr_action *actions);

#endif
