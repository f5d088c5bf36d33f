// Tactics at work: deciding, entering Skills, filling actions (003, algorithms 3 and 6).
#ifndef CRI_BEHAVIOR_H
#define CRI_BEHAVIOR_H

#include "behavior/steering.h"
#include "scene/model.h"

// What a Tactic decided at a step: the Skill that it entered. Its draws are then the first
// variables in the state.
typedef struct cri_choice {
    int tactic, skill;
    const double *drawn; // skill's drawn_count doubles
} cri_choice;

// Where decisions come from: a random stream and the sample of the attempt, or, when choices is
// set, a record.
typedef struct cri_source {
    cr_rng *rng;
    const cr_sample *sample;
    const cri_choice *choices; // NULL: draw
    int choice_count;
    const bool *acts; // by Tactic: the others are left as they are, and do nothing. NULL: all act
} cri_source;

// True if acting on this state would consume randomness for that Tactic: it is not busy, and has
// more than one possible transition or enters a Skill that has something to draw.
bool cri_tactic_decides(const cr_model *model, const cr_state *state, int tactic,
                        bool free_tactics);

// True if the Skill may be what that Tactic does next.
bool cri_tactic_may_choose(const cr_model *model, const cr_state *state, int tactic, int skill,
                           bool free_tactics);

// True if some Tactic decides; controlled: of a controlled body.
bool cri_is_decision(const cr_model *model, const cr_state *state, bool free_tactics,
                     bool controlled);

// True if a controlled body's Tactic is busy.
bool cri_is_busy(const cr_model *model, const cr_state *state);

// The Skills of controlled bodies that are busy are over.
void cri_interrupt(const cr_model *model, cr_state *state);

// One step of all Tactics: transitions, draws, operators. Changes the Tactics' part of the state
// and fills actions (all zeroed first). Returns false if a Skill ended the branch.
bool cri_act(const cr_model *model, cr_state *state, bool free_tactics, const cri_source *source,
             cr_action *actions);

// The same, but that how bodies are steered is gathered for cri_steering_finish, which completes
// the actions.
bool cri_act_later(const cr_model *model, cr_state *state, bool free_tactics,
                   const cri_source *source, cr_action *actions, cri_steering *steering);

// The Skill that ends a branch.
extern const cr_skill_type cri_skill_end;

#endif
