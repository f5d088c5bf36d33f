#include "lab/runs.h"

void run_totals_add(run_totals *totals, const cr_run_result *result)
{
    totals->trials++;
    totals->reached += result->goal;
    totals->clean += result->goal && !result->rule;
    totals->plannings += result->plannings;
    totals->intervals += result->intervals;
    totals->collided += result->collided;
    totals->helpless += result->helpless;
    totals->planner_steps += result->planner_steps;
    totals->planner_seconds += result->planner_seconds;
    totals->futures += result->futures;
    totals->held += result->held;
    totals->seconds += result->seconds;
    totals->turning += result->turning;
}
