#include "lab/trials.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/journal.h"

const char trials_head[] = "run,trial,goal,clean,plannings,solved,helpless,intervals,collided,"
                           "steps,solved_steps,ranking_steps,"
                           "seconds,turning,moving,planner_seconds,check\n";

void trial_take(trial *t, const cr_run_result *r)
{
    const double values[TRIAL_VALUES] = {
        r->goal,
        r->goal && !r->rule,
        r->plannings,
        r->solved,
        r->helpless,
        r->intervals,
        r->collided,
        (double)r->planner_steps,
        (double)r->solved_steps,
        (double)r->ranking_steps,
        r->seconds,
        r->turning,
        r->moving,
        r->planner_seconds,
    };
    memcpy(t->values, values, sizeof values);
}

bool trial_read(const char *line, trial *t)
{
    size_t length = strcspn(line, ",");
    if (!journal_is_whole(line) || length >= sizeof t->key) {
        return false;
    }
    snprintf(t->key, sizeof t->key, "%.*s", (int)length, line);
    char *at = NULL;
    t->index = strtoll(line + length + 1, &at, 10);
    for (int i = 0; i < TRIAL_VALUES; i++) {
        if (*at != ',') {
            return false;
        }
        t->values[i] = strtod(at + 1, &at);
        if (!(t->values[i] >= 0 && t->values[i] <= 1e15)) {
            return false;
        }
    }
    return t->index >= 1 && *at == ',' && !strchr(at + 1, ',');
}

void trial_print(FILE *file, const trial *t)
{
    char line[512];
    int n = snprintf(line, sizeof line, "%s,%lld", t->key, (long long)t->index);
    for (int i = 0; i < TRIAL_VALUES && n > 0 && (size_t)n < sizeof line; i++) {
        n += snprintf(line + n, sizeof line - (size_t)n, ",%.10g", t->values[i]);
    }
    fprintf(file, "%s,%016" PRIx64 "\n", line, journal_check(line, strlen(line)));
}
