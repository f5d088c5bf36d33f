// What a step reports: the contacts, merged per pair, and the touched bits.
//
// Two bodies touch if an impulse passes between them, or if they are nearer than TOUCH_GAP at the
// start of a piece. So a ball that rests on a board or rolls along it touches; one that passes half
// a millimetre away does not.
#include "engine/world.h"

#include "engine/contact_kernel.h"

// The better point to report of one piece: the larger impulse, then the smaller gap.
static bool is_better(const cri_point *p, const cri_point *q)
{
    return p->impulse > q->impulse || (p->impulse == q->impulse && p->gap < q->gap);
}

// Where the contact of a pair stands in the table, or would.
static int *place_in_table(cri_world *w, int pair)
{
    unsigned at = (unsigned)pair * 2654435761u, mask = (unsigned)w->table_size - 1;
    for (at = at >> 7; w->contact_table[at & mask] >= 0; at++) {
        if (w->contact_pair[w->contact_table[at & mask]] == pair) {
            break;
        }
    }
    return &w->contact_table[at & mask];
}

static void add_contact(cri_world *w, const cri_point *best, double impulse)
{
    int *place = place_in_table(w, best->pair), index = *place;
    if (index < 0) {
        if (w->contact_count == w->model->contact_max) {
            return; // a large world in which each body touches more than a score of others
        }
        index = *place = w->contact_count++;
        w->contact_pair[index] = best->pair;
        w->contact_best[index] = -1;
        w->contacts[index] = (cr_contact){.a = best->a, .b = best->b};
    }
    cr_contact *contact = &w->contacts[index];
    contact->impulse += impulse;
    if (impulse > w->contact_best[index]) {
        w->contact_best[index] = impulse;
        contact->point = best->point;
        contact->normal = best->normal;
    }
}

// Points of a pair stand together.
void cri_record_points(cri_world *w)
{
    for (int i = 0; i < w->point_count;) {
        const cri_point *best = NULL;
        double impulse = 0;
        int pair = w->points[i].pair;
        for (; i < w->point_count && w->points[i].pair == pair; i++) {
            const cri_point *p = &w->points[i];
            impulse += p->impulse;
            if (is_touching(p->impulse, p->gap) && (!best || is_better(p, best))) {
                best = p;
            }
        }
        if (best) {
            add_contact(w, best, impulse);
        }
    }
}

// Contacts come in the order in which pairs first touched: nearly sorted.
static void sort_contacts(cri_world *w)
{
    for (int i = 1; i < w->contact_count; i++) {
        cr_contact contact = w->contacts[i];
        int pair = w->contact_pair[i], k = i;
        for (; k > 0 && w->contact_pair[k - 1] > pair; k--) {
            w->contacts[k] = w->contacts[k - 1];
            w->contact_pair[k] = w->contact_pair[k - 1];
        }
        w->contacts[k] = contact;
        w->contact_pair[k] = pair;
    }
}

void cri_record_finish(cri_world *w, cr_state *to)
{
    cr_state_clear_touched(w->model, to);
    for (int i = 0; i < w->contact_count; i++) {
        cr_state_set_touched(w->model, to, w->contact_pair[i]);
    }
    // Those that came later first: what they had to step over is still there.
    for (int i = w->contact_count - 1; i >= 0; i--) {
        *place_in_table(w, w->contact_pair[i]) = -1;
    }
    sort_contacts(w);
}
