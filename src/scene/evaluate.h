// Using what a scene says: conditions, scores, values and draws, on states.
#ifndef CRI_EVALUATE_H
#define CRI_EVALUATE_H

#include "base/vec.h"
#include "scene/model.h"

// Of a condition that is made of others, or remembers.
bool cri_compound_holds(const cr_model *model, const cri_condition *condition,
                        const cr_state *state);

// Most conditions are of a type, and a search asks several at every step.
static inline bool cri_condition_holds(const cr_model *model, const cri_condition *condition,
                                       const cr_state *state)
{
    if (condition->op != CRI_CONDITION_TYPE) {
        return cri_compound_holds(model, condition, state);
    }
    cr_condition_call call = {model, state, condition->values, condition->type->param_count};
    return condition->type->holds(&call);
}

// True if the state breaks the rule.
bool cri_rule_is_broken(const cr_model *model, const cri_rule *rule, const cr_state *state);

// The first rule that the state breaks, or NULL.
const cri_rule *cri_broken_rule(const cr_model *model, const cr_state *state);

// The model's goal; false if it has none.
bool cri_goal_reached(const cr_model *model, const cr_state *state);

// The model's score; 0 if it has none.
double cri_score_of(const cr_model *model, const cr_state *state);

// A score by itself.
double cri_score_value(const cr_model *model, const cri_score *score, const cr_state *state);

// The sample of an attempt: always drawn first, so that every select sees the same stream. Zero
// where the scene samples nothing.
cr_sample cri_draw_sample(const cr_model *model, cr_rng *rng);

// Draw all of a Skill's distributions, in the order of its parameters, into drawn
// (skill->drawn_count doubles).
void cri_draw_values(const cr_model *model, const cri_skill *skill, const cr_state *state,
                     const cr_sample *sample, cr_rng *rng, double *drawn);

// One draw of a number, and of a place.
double cri_draw_number(const cri_number *number, const cr_sample *sample, cr_rng *rng);
cr_vec3 cri_draw_region(const cr_region *region, cr_rng *rng);
cr_vec3 cri_draw_place(const cr_model *model, const cri_where *place, const cr_state *state,
                       const cr_sample *sample, cr_rng *rng);

// A value's number or place now: what was drawn for it, or what it is by itself.
static inline double cri_value_number(const cri_value *value, const double *drawn)
{
    return value->drawn >= 0 ? drawn[value->drawn] : value->number.a;
}

static inline cr_vec3 cri_value_place(const cr_model *model, const cr_state *state,
                                      const cri_value *value, const double *drawn)
{
    if (value->drawn >= 0) {
        const double *at = &drawn[value->drawn];
        return (cr_vec3){at[0], at[1], at[2]};
    }
    const cri_where *place = &value->place;
    if (place->kind == CRI_PLACE_CENTER) {
        return cri_add(model->regions[place->region].pose.position, place->point);
    }
    return place->kind == CRI_PLACE_POINT ? place->point
                                          : cri_draw_place(model, place, state, NULL, NULL);
}

#endif
