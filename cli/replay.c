// carom replay: step through a plan again and check that it holds.
#include "cli.h"

#include <stdio.h>

static void print_event(const cr_model *model, const cr_event *e)
{
    const cr_contact *c = &e->contact;
    switch (e->kind) {
    case CR_EVENT_SKILL:
        printf("%8.3f  %s: %s\n", e->time, cr_model_tactic(model, e->tactic)->name,
               cr_model_skill_name(model, e->tactic, e->skill));
        break;
    case CR_EVENT_CONTACT:
        printf("%8.3f  %s touches %s at (%.3f, %.3f, %.3f), %.4f N s\n", e->time,
               cr_model_body(model, c->a)->name, cr_model_body(model, c->b)->name, c->point.x,
               c->point.y, c->point.z, c->impulse);
        break;
    }
}

static bool print_events(const cr_replay_step *step, void *context)
{
    (void)context;
    for (int i = 0; i < step->event_count; i++) {
        print_event(step->model, &step->events[i]);
    }
    return true;
}

static int replay(const cr_plan *plan, int solution, bool show_events)
{
    cr_report report = {0};
    cr_status status =
        cr_plan_replay(plan, solution, show_events ? print_events : NULL, NULL, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    cr_solution s = cr_plan_solution(plan, solution);
    printf("solution %d: replayed %lld steps (%.3f s) to hash %016llx, %s, score %.4g\n",
           solution + 1, (long long)s.steps, s.seconds, (unsigned long long)s.hash,
           s.goal ? "goal reached" : "goal not reached", s.score);
    return EXIT_DONE;
}

int command_replay(int argc, char **argv)
{
    bool show_events = false;
    int64_t solution = 0;
    const option_row rows[] = {
        {0, "events", NULL, OPTION_FLAG, &show_events, "print Skill changes and contacts", 0, 0,
         NULL},
        {0, "solution", "K", OPTION_INT, &solution, "only the K-th (default: all)", 1, 1e6, NULL},
    };
    usage how = {"carom replay PLAN [options]",
                 "Step through a plan again: it must keep its rules and reach the state it "
                 "recorded, bit for bit.",
                 rows,
                 2,
                 1,
                 1};
    const char *path;
    int words;
    int code = options_read(&how, argc, argv, &path, &words);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read(path, NULL, &plan, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    int count = cr_plan_solution_count(plan);
    if (solution > count) {
        fprintf(stderr, "carom: %s has %d solutions, not %lld\n", path, count, (long long)solution);
        cr_plan_destroy(plan);
        return EXIT_USAGE;
    }
    code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        if (solution == 0 || solution == i + 1) {
            code = replay(plan, i, show_events);
        }
    }
    cr_plan_destroy(plan);
    return code;
}
