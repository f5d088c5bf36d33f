#include "lab/runs.h"

#include <math.h>

// Wilson, 1927: the shares p whose binomial deviation z sqrt(p (1 - p) / n) reaches what was seen.
share_interval share_of(int64_t count, int64_t of)
{
    const double z = 1.959963984540054;
    double n = (double)of, p = (double)count / n, wide = 1 + z * z / n;
    double middle = (p + z * z / (2 * n)) / wide;
    double half = z / wide * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (share_interval){count == 0 ? 0 : middle - half, count == of ? 1 : middle + half};
}

void run_totals_add(run_totals *totals, const cr_run_result *result)
{
    totals->trials++;
    totals->reached += result->goal;
    totals->clean += result->goal && !result->rule;
    totals->plannings += result->plannings;
    totals->collided += result->collided;
    totals->helpless += result->helpless;
    totals->planner_steps += result->planner_steps;
    totals->planner_seconds += result->planner_seconds;
    totals->seconds += result->seconds;
    totals->turning += result->turning;
}
