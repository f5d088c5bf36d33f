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

cr_status cri_events_create(const cr_model *model, int64_t root_step, cri_events *events,
                            cr_report *report)
{
    size_t tactics = (size_t)model->tactic_count, contacts = (size_t)model->contact_max;
    *events = (cri_events){.model = model, .root_step = root_step};
    events->skills = malloc((tactics + 1) * sizeof *events->skills);
    events->touching = malloc((contacts + 1) * sizeof *events->touching);
    events->items = malloc((tactics + contacts + 1) * sizeof *events->items);
    if (!events->skills || !events->touching || !events->items) {
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < tactics; i++) {
        events->skills[i] = -1;
    }
    return CR_OK;
}

void cri_events_free(cri_events *events)
{
    free(events->skills);
    free(events->touching);
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

static uint64_t pair_key(const cr_contact *c)
{
    return (uint64_t)c->a << 32 | (uint64_t)c->b;
}

// Contacts come sorted, those of the step before as well.
static void find_contacts(cri_events *events, int64_t step, const cr_contact *contacts, int count)
{
    const cr_model *model = events->model;
    int old = 0, old_count = events->touch_step == step - 1 ? events->touch_count : 0;
    for (int i = 0; i < count; i++) {
        uint64_t key = pair_key(&contacts[i]);
        bool plane = is_plane(model, contacts[i].a) || is_plane(model, contacts[i].b);
        while (old < old_count && events->touching[old] < key) {
            old++;
        }
        if ((old == old_count || events->touching[old] != key) && !plane) {
            add(events, CR_EVENT_CONTACT, step)->contact = contacts[i];
        }
    }
    for (int i = 0; i < count; i++) {
        events->touching[i] = pair_key(&contacts[i]);
    }
    events->touch_count = count;
    events->touch_step = step;
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
