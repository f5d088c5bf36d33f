// A rank: the solution whose hardest knock is the softest.
#include "own.h"

static void note_hardest(const cr_replay_step *step, double *measures)
{
    for (int i = 0; i < step->contact_count; i++) {
        double impulse = step->contacts[i].impulse;
        measures[0] = impulse > measures[0] ? impulse : measures[0];
    }
}

static double softness(const cr_rank_call *call)
{
    return -call->measures[0];
}

const cr_rank_type own_gentle = {.name = "gentle",
                                 .about = "the softest hardest knock",
                                 .worth = softness,
                                 .measures = 1,
                                 .measure = note_hardest};
