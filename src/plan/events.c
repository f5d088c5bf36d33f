// What happens in a plan: the Skills and the contacts that begin. Whoever shows or counts them
// takes them from here, so that no two places can differ.
//
//     root ----step 1--> state 1 --step 2--> state 2     time of state k: k dt, from the root
//        Skill acts ->       contact in (0, dt]
//        event at 0          event at dt
//
// A pair that touches in one step after the other is one contact.
#include "plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/report.h"

enum { NEVER = -2 }; // no step is one later

cr_status cri_events_create(const cr_model *model, int64_t root_step, cri_events *events,
                            cr_report *report)
{
    size_t tactics = (size_t)model->tactic_count, pairs = (size_t)model->pair_count;
    *events = (cri_events){.model = model, .root_step = root_step};
    events->skills = malloc((tactics + 1) * sizeof *events->skills);
    events->last = malloc((pairs + 1) * sizeof *events->last);
    events->items = malloc((tactics + (size_t)model->contact_max + 1) * sizeof *events->items);
    if (!events->skills || !events->last || !events->items) {
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < tactics; i++) {
        events->skills[i] = -1;
    }
    for (size_t i = 0; i < pairs; i++) {
        events->last[i] = NEVER;
    }
    return CR_OK;
}

void cri_events_free(cri_events *events)
{
    free(events->skills);
    free(events->last);
    free(events->items);
}

static cr_event *add(cri_events *events, cr_event_kind kind, int64_t step)
{
    cr_event *event = &events->items[events->count++];
    double time = (double)step * events->model->dt;
    *event = (cr_event){.kind = kind, .step = step, .time = time, .tactic = -1, .skill = -1};
    return event;
}

// The Skill that a state names acted in the step that led to it.
static void find_skills(cri_events *events, const cr_state *state, int64_t step)
{
    for (int i = 0; i < events->model->tactic_count; i++) {
        int32_t skill = cr_state_tactic_const(events->model, state, i)->skill;
        if (skill != events->skills[i]) {
            events->skills[i] = skill;
            cr_event *event = add(events, CR_EVENT_SKILL, step - 1);
            event->tactic = i;
            event->skill = skill;
        }
    }
}

static bool is_plane(const cr_model *model, int body)
{
    return model->bodies[body].radius == HUGE_VAL;
}

static void find_contacts(cri_events *events, int64_t step, const cr_contact *contacts, int count)
{
    const cr_model *model = events->model;
    for (int i = 0; i < count; i++) {
        int64_t *last = &events->last[cr_model_pair(model, contacts[i].a, contacts[i].b)];
        bool plane = is_plane(model, contacts[i].a) || is_plane(model, contacts[i].b);
        if (*last < step - 1 && !plane) {
            add(events, CR_EVENT_CONTACT, step)->contact = contacts[i];
        }
        *last = step;
    }
}

void cri_events_step(cri_events *events, const cr_state *state, const cr_contact *contacts,
                     int contact_count)
{
    int64_t step = state->step - events->root_step;
    assert(step > 0);
    events->count = 0;
    find_skills(events, state, step);
    find_contacts(events, step, contacts, contact_count);
}
