// carom replay: step through a plan again and check that it holds.
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What was the case at the step before, so that only changes are printed.
typedef struct events {
    int *skills;             // per Tactic
    unsigned char *touching; // per pair, 2: in the present step, 1: in the one before
} events;

static void print_skills(const cr_replay_step *step, events *e)
{
    for (int i = 0; i < cr_model_tactic_count(step->model); i++) {
        int skill = cr_state_tactic_const(step->model, step->state, i)->skill;
        if (step->actions && skill != e->skills[i]) {
            printf("%8.3f  %s: %s\n",
                   cr_state_time(step->model, step->state) - cr_model_dt(step->model),
                   cr_model_tactic(step->model, i)->name,
                   cr_model_skill_name(step->model, i, skill));
            e->skills[i] = skill;
        }
    }
}

static void print_contacts(const cr_replay_step *step, events *e)
{
    for (int i = 0; i < step->contact_count; i++) {
        const cr_contact *c = &step->contacts[i];
        int pair = cr_model_pair(step->model, c->a, c->b);
        if (!e->touching[pair]) {
            printf("%8.3f  %s touches %s at (%.3f, %.3f, %.3f), %.4f N s\n",
                   cr_state_time(step->model, step->state), cr_model_body(step->model, c->a)->name,
                   cr_model_body(step->model, c->b)->name, c->point.x, c->point.y, c->point.z,
                   c->impulse);
        }
        e->touching[pair] = 2;
    }
    for (int i = 0; i < cr_model_pair_count(step->model); i++) {
        e->touching[i] = e->touching[i] == 2;
    }
}

static bool print_step(const cr_replay_step *step, void *context)
{
    if (context) {
        print_skills(step, context);
        print_contacts(step, context);
    }
    return true;
}

static int replay(const cr_plan *plan, int solution, bool show_events)
{
    const cr_model *model = cr_plan_model(plan);
    events e = {calloc((size_t)cr_model_tactic_count(model) + 1, sizeof(int)),
                calloc((size_t)cr_model_pair_count(model) + 1, 1)};
    if (!e.skills || !e.touching) {
        free(e.skills);
        free(e.touching);
        return EXIT_INTERNAL;
    }
    for (int i = 0; i < cr_model_tactic_count(model); i++) {
        e.skills[i] = -1;
    }
    cr_report report = {0};
    cr_status status = cr_plan_replay(plan, solution, print_step, show_events ? &e : NULL, &report);
    free(e.skills);
    free(e.touching);
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
