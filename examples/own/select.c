// A select: of a few decisions drawn at random, the one that was tried least. It counts the
// attempts itself.
#include "own.h"

#include <stdlib.h>

enum { DRAWS = 4 };

// How often each branch was grown from; there are never more branches than nodes.
static cr_status make_counts(const cr_model *model, const cr_planner_def *def, void **data,
                             cr_report *report)
{
    (void)model;
    *data = calloc((size_t)def->nodes + 1, sizeof(int));
    return *data ? CR_OK : cr_report_fail(report, CR_ERR_MEMORY, "no memory for the counts");
}

static int64_t choose_least_tried(const cr_select_call *call)
{
    const int *tried = call->data;
    int64_t best = -1, count = call->leaf_count + call->inner_count;
    for (int draw = 0; draw < DRAWS; draw++) {
        int64_t i = (int64_t)cr_rng_index(call->rng, (uint64_t)count);
        int64_t branch = i < call->leaf_count ? cr_select_leaf(call, i)
                                              : cr_select_inner(call, i - call->leaf_count);
        best = best < 0 || tried[branch] < tried[best] ? branch : best;
    }
    return best;
}

static void count_attempt(const cr_select_call *call, int64_t parent, int64_t branch)
{
    (void)branch; // -1 where it led nowhere: that counts too
    ((int *)call->data)[parent]++;
}

const cr_select_type own_least_tried = {.name = "least_tried",
                                        .about = "of four at random the one tried least",
                                        .choose = choose_least_tried,
                                        .create = make_counts,
                                        .destroy = free,
                                        .kept = count_attempt};
