// carom replay: step through a plan again and check that it holds.
#include "terminal/json.h"
#include "search.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// One event each, as a line or as an object.

static void say_skill(double time, const char *tactic, const char *skill)
{
    if (!json_wanted()) {
        printf("%8.3f  %s: %s\n", time, shown(tactic), shown(skill));
        return;
    }
    json_open(NULL, JSON_OBJECT);
    json_number("time", time);
    json_text("tactic", tactic);
    json_text("skill", skill);
    json_close();
}

static void say_contact(double time, const cr_model *model, const cr_contact *c)
{
    const char *a = cr_model_body(model, c->a)->name, *b = cr_model_body(model, c->b)->name;
    if (!json_wanted()) {
        printf("%8.3f  %s touches %s at (%.3f, %.3f, %.3f), %.4f N s\n", time, shown(a), shown(b),
               c->point.x, c->point.y, c->point.z, c->impulse);
        return;
    }
    json_open(NULL, JSON_OBJECT);
    json_number("time", time);
    json_open("touch", JSON_LIST);
    json_text(NULL, a);
    json_text(NULL, b);
    json_close();
    json_vector("point", c->point);
    json_number("impulse", c->impulse);
    json_close();
}

// rule: the one that is broken; NULL: the goal is reached.
static void say_mark(double time, const char *rule)
{
    if (!json_wanted()) {
        printf(rule ? "%8.3f  breaks the rule %s\n" : "%8.3f  goal reached%s\n", time,
               rule ? shown(rule) : "");
        return;
    }
    json_open(NULL, JSON_OBJECT);
    json_number("time", time);
    if (rule) {
        json_text("rule", rule);
    } else {
        json_flag("goal", true);
    }
    json_close();
}

void events_begin(void)
{
    if (json_wanted()) {
        json_open("events", JSON_LIST);
    }
}

void events_end(void)
{
    if (json_wanted()) {
        json_close();
    }
}

// ---------------------------------------------------------------------------------------------

static void print_event(const cr_model *model, const cr_event *e)
{
    switch (e->kind) {
    case CR_EVENT_SKILL:
        say_skill(e->time, cr_model_tactic(model, e->tactic)->name,
                  cr_model_skill_name(model, e->tactic, e->skill));
        break;
    case CR_EVENT_CONTACT:
        say_contact(e->time, model, &e->contact);
        break;
    }
}

// Rules and the goal, as they change.
static void print_marks(const cr_replay_step *step, events *e)
{
    double time = cr_state_time(step->model, step->state);
    if (step->rule && (!e->rule || strcmp(step->rule, e->rule) != 0)) {
        say_mark(time, step->rule);
    }
    if (step->goal && !e->goal) {
        say_mark(time, NULL);
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

static void print_held(const cr_plan *plan, int solution)
{
    if (json_wanted()) {
        json_solution(plan, solution);
        return;
    }
    char end[400];
    cr_solution s = cr_plan_solution(plan, solution);
    printf("solution %d: replayed %lld steps (%.3f s) to hash %016llx, %s, score %.4g\n",
           solution + 1, (long long)s.steps, s.seconds, (unsigned long long)s.hash,
           shown(cr_plan_print_end(plan, solution, end, sizeof end)), s.score);
}

static int replay(const cr_plan *plan, int solution, bool show_events)
{
    cr_report report = {0};
    events before = {0};
    if (show_events) {
        events_begin();
    }
    cr_status status =
        cr_plan_replay(plan, solution, show_events ? events_print : watch, &before, &report);
    if (show_events) {
        events_end();
    }
    if (stop_asked(NULL)) {
        return interrupted("solution %d was not replayed to its end", solution + 1);
    }
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    print_held(plan, solution);
    return judge(plan, solution);
}

// The same, as one object of a list.
static int replay_json(const cr_plan *plan, int solution, bool show_events)
{
    json_open(NULL, JSON_OBJECT);
    json_count("solution", solution + 1);
    int code = replay(plan, solution, show_events);
    json_flag("held", code <= EXIT_PART);
    json_close();
    return code;
}

// One of a plan's solutions, or, with 0, all of them. Returns the exit code.
static int replay_plan(const cr_plan *plan, int64_t solution, bool show_events)
{
    int code = EXIT_DONE;
    if (json_wanted()) {
        json_text("scene", cr_scene_name(cr_model_scene(cr_plan_model(plan))));
        json_open("solutions", JSON_LIST);
    }
    for (int i = 0; i < cr_plan_solution_count(plan) && code <= EXIT_PART && stdout_good(); i++) {
        if (solution == 0 || solution == i + 1) {
            int one =
                json_wanted() ? replay_json(plan, i, show_events) : replay(plan, i, show_events);
            code = one > code ? one : code;
        }
    }
    if (json_wanted()) {
        json_close();
    }
    return code;
}

static int replay_file(const char *path, const cr_library *library, int64_t solution,
                       bool show_events)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read(path, library, &plan, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    int count = cr_plan_solution_count(plan), code = EXIT_USAGE;
    if (solution > count) {
        fprintf(stderr, "carom: %s has %d solutions, not %lld\n", shown(path), count,
                (long long)solution);
    } else {
        code = replay_plan(plan, solution, show_events);
    }
    cr_plan_destroy(plan);
    return code;
}

int command_replay(int argc, char **argv)
{
    bool show_events = false;
    int64_t solution = 0;
    cr_library *library = NULL;
    const option_row rows[] = {
        {0, "events", NULL, OPTION_FLAG, &show_events, "print Skill changes and contacts", 0, 0,
         NULL},
        {0, "solution", "K", OPTION_INT, &solution, "only the K-th (default: all)", 1, 1e6, NULL},
        load_option(&library),
        json_option(),
    };
    usage how = {"carom replay PLAN [options]",
                 "Step through a plan again: it must keep its rules and reach the state it "
                 "recorded, bit for bit.\n"
                 "A plan that misses the goal, or breaks a rule as it says, ends with exit code 1.",
                 rows,
                 4,
                 1,
                 1};
    const char *path = NULL;
    load_words words = {&library, &path, 0};
    int code = load_options(&how, argc, argv, &words);
    if (code >= 0) {
        return code;
    }
    code = replay_file(path, library, solution, show_events);
    cr_library_destroy(library);
    return code;
}
