#include "scene/memory.h"

#include <assert.h>

#include "scene/evaluate.h"

static int64_t stays_word(int64_t word, int64_t limit, bool holds)
{
    return !holds ? 0 : word < limit ? word + 1 : limit;
}

// The last bit is what held in the state before: a condition that goes on holding begins once.
static int64_t times_word(int64_t word, int64_t limit, bool holds)
{
    int64_t begun = word >> 1, before = word & 1;
    begun += holds && !before && begun < limit;
    return 2 * begun + holds;
}

void cri_remember(const cr_model *model, cr_state *state)
{
    for (int i = 0; i < model->memory_count; i++) {
        const cri_condition *c = model->memories[i];
        int64_t *word = &cri_memory(model, state)[i];
        bool holds = cri_condition_holds(model, &c->children[0], state);
        assert(c->memory == i);
        if (c->op == CRI_CONDITION_STAYS) {
            *word = stays_word(*word, c->limit, holds);
        } else if (c->op == CRI_CONDITION_TIMES) {
            *word = times_word(*word, c->limit, holds);
        } else {
            *word = *word || holds;
        }
    }
}

// What still holds has not begun again.
void cri_forget(const cr_model *model, cr_state *state, int tactic)
{
    for (int i = 0; i < model->memory_count; i++) {
        const cri_condition *c = model->memories[i];
        if (c->since == tactic) {
            int64_t *word = &cri_memory(model, state)[i];
            *word = c->op == CRI_CONDITION_TIMES ? *word & 1 : 0;
        }
    }
}

bool cri_memory_holds(const cr_model *model, const cri_condition *condition, const cr_state *state)
{
    int64_t word = cri_memory_const(model, state)[condition->memory];
    return (condition->op == CRI_CONDITION_TIMES ? word >> 1 : word) >= condition->limit;
}

int64_t cri_memory_most(const cri_condition *condition)
{
    return condition->op == CRI_CONDITION_TIMES ? 2 * condition->limit + 1 : condition->limit;
}
