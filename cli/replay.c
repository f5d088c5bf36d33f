// carom replay: step through a plan again and check that it holds.
#include "search.h"

#include <stdio.h>
#include <string.h>

static void print_event(const cr_model *model, const cr_event *e)
{
    const cr_contact *c = &e->contact;
    switch (e->kind) {
    case CR_EVENT_SKILL:
        printf("%8.3f  %s: %s\n", e->time, shown(cr_model_tactic(model, e->tactic)->name),
               shown(cr_model_skill_name(model, e->tactic, e->skill)));
        break;
    case CR_EVENT_CONTACT:
        printf("%8.3f  %s touches %s at (%.3f, %.3f, %.3f), %.4f N s\n", e->time,
               shown(cr_model_body(model, c->a)->name), shown(cr_model_body(model, c->b)->name),
               c->point.x, c->point.y, c->point.z, c->impulse);
        break;
    }
}

// Rules and the goal, as they change.
static void print_marks(const cr_replay_step *step, events *e)
{
    double time = cr_state_time(step->model, step->state);
    if (step->rule && (!e->rule || strcmp(step->rule, e->rule) != 0)) {
        printf("%8.3f  breaks the rule %s\n", time, shown(step->rule));
    }
    if (step->goal && !e->goal) {
        printf("%8.3f  goal reached\n", time);
    }
    e->rule = step->rule;
    e->goal = step->goal;
}

bool events_print(const cr_replay_step *step, void *context)
{
    for (int i = 0; i < step->event_count; i++) {
        print_event(step->model, &step->events[i]);
    }
    print_marks(step, context);
    return !stop_asked(NULL);
}

static bool watch(const cr_replay_step *step, void *context)
{
    (void)step;
    (void)context;
    return !stop_asked(NULL);
}

// All that was asked of a plan: it reaches the goal, or, in a scene without one, breaks no rule and
// does not blow up.
static int judge(const cr_plan *plan, int solution)
{
    cr_solution s = cr_plan_solution(plan, solution);
    bool missed = cr_model_has_goal(cr_plan_model(plan)) && !s.goal;
    return missed || s.rule || s.end == CR_END_ENGINE ? EXIT_PART : EXIT_DONE;
}

static int replay(const cr_plan *plan, int solution, bool show_events)
{
    char end[400];
    cr_report report = {0};
    events before = {0};
    cr_status status =
        cr_plan_replay(plan, solution, show_events ? events_print : watch, &before, &report);
    if (stop_asked(NULL)) {
        return interrupted("solution %d was not replayed to its end", solution + 1);
    }
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    cr_solution s = cr_plan_solution(plan, solution);
    printf("solution %d: replayed %lld steps (%.3f s) to hash %016llx, %s, score %.4g\n",
           solution + 1, (long long)s.steps, s.seconds, (unsigned long long)s.hash,
           shown(cr_plan_print_end(plan, solution, end, sizeof end)), s.score);
    return judge(plan, solution);
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
                 "recorded, bit for bit.\n"
                 "A plan that misses the goal, or breaks a rule as it says, ends with exit code 1.",
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
        fprintf(stderr, "carom: %s has %d solutions, not %lld\n", shown(path), count,
                (long long)solution);
        cr_plan_destroy(plan);
        return EXIT_USAGE;
    }
    code = EXIT_DONE;
    for (int i = 0; i < count && code <= EXIT_PART && stdout_good(); i++) {
        if (solution == 0 || solution == i + 1) {
            int one = replay(plan, i, show_events);
            code = one > code ? one : code;
        }
    }
    cr_plan_destroy(plan);
    return code;
}
