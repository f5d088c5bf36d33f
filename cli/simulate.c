// carom simulate: run one future of a scene by its seed.
#include "terminal/json.h"
#include "search.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    search asked;
    double seconds; // simulated
    const char *until, *output;
    bool quiet;
} request;

// What ends it: -1, or an exit code after a message.
static int choose_end(const request *ask, const cr_model *model, cr_simulate_def *how)
{
    *how = cr_default_simulate_def();
    how->seconds = ask->seconds;
    how->stop = stop_asked;
    if (!ask->until) {
        return -1;
    }
    how->past_rule = strcmp(ask->until, "rule") != 0;
    how->past_goal = strcmp(ask->until, "goal") != 0;
    if (how->past_rule && how->past_goal && strcmp(ask->until, "horizon") != 0) {
        fprintf(stderr, "carom: --until is goal, rule or horizon, got \"%s\"\n", shown(ask->until));
        return EXIT_USAGE;
    }
    if (!how->past_goal && !cr_model_has_goal(model)) {
        fprintf(stderr, "carom: --until goal: the scene has no goal\n");
        return EXIT_USAGE;
    }
    return -1;
}

static int print_events(const cr_plan *plan)
{
    cr_report report = {0};
    events before = {0};
    events_begin();
    cr_status status = cr_plan_replay(plan, 0, events_print, &before, &report);
    events_end();
    if (status != CR_OK) {
        return report_own(status, &report);
    }
    return stop_asked(NULL) ? interrupted("not all that happens is printed") : -1;
}

static void print_future(const cr_plan *plan, const char *word)
{
    if (json_wanted()) {
        json_text("scene", cr_scene_name(cr_model_scene(cr_plan_model(plan))));
        json_solution(plan, 0);
        json_repeat(plan, "simulate", word);
        return;
    }
    char end[400];
    cr_solution s = cr_plan_solution(plan, 0);
    printf("simulated %.3f s, %lld steps in %d branches, score %.4g, %d contacts, hash %016llx\n",
           s.seconds, (long long)s.steps, s.branches, s.score, s.contacts,
           (unsigned long long)s.hash);
    printf("%s\n", shown(cr_plan_print_end(plan, 0, end, sizeof end)));
    printf("repeat: carom simulate %s%s\n", shown_word(word), shown(cr_plan_repeat_options(plan)));
}

// One future is all that was asked for, however it ends, unless it blows up or was asked to reach
// the goal.
static int judge(const request *ask, const cr_plan *plan)
{
    cr_solution s = cr_plan_solution(plan, 0);
    if (s.end == CR_END_OPEN) {
        return interrupted("after %.3f s of the future%s%s", s.seconds,
                           ask->output ? ", which are in " : "",
                           ask->output ? shown(ask->output) : "");
    }
    bool missed = ask->until && strcmp(ask->until, "goal") == 0 && !s.goal;
    return missed || s.end == CR_END_ENGINE ? EXIT_PART : EXIT_DONE;
}

static int show(const request *ask, const cr_plan *plan, const char *word)
{
    int code = ask->output ? plan_write(plan, NULL, ask->output) : EXIT_DONE;
    if (code == EXIT_DONE && !ask->quiet && !stop_asked(NULL)) {
        code = print_events(plan);
    }
    print_future(plan, word);
    return code > EXIT_DONE ? code : judge(ask, plan);
}

static int simulate(const request *ask, const search_scene *scene)
{
    cr_simulate_def how;
    int code = choose_end(ask, scene->model, &how);
    code = code >= 0 ? code : plan_output_try(ask->output);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_simulate(scene->model, &scene->def, &how, &plan, &report);
    code = status == CR_OK ? show(ask, plan, scene->word) : report_print(status, &report);
    cr_plan_destroy(plan);
    return code;
}

// Of a search's options those that one future has a use for; returns how many.
static int choose_options(request *ask, option_row rows[SEARCH_OPTIONS])
{
    static const char *const wanted[] = {"seed",      "engine",       "set",  "start", "vary",
                                         "vary-seed", "free-tactics", "load", "json"};
    option_row all[SEARCH_OPTIONS];
    int count = search_options(&ask->asked, all), kept = 0;
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
            if (strcmp(all[i].name, wanted[k]) == 0) {
                rows[kept++] = all[i];
            }
        }
    }
    return kept;
}

int command_simulate(int argc, char **argv)
{
    request ask = {0};
    option_row rows[SEARCH_OPTIONS + 4];
    int count = choose_options(&ask, rows);
    const option_row own[] = {
        {0, "seconds", "S", OPTION_NUMBER, &ask.seconds,
         "how much of the future (default: the scene's horizon)", 0, 1e9, NULL},
        {0, "until", "goal|rule|horizon", OPTION_TEXT, &ask.until,
         "what ends it before (default: a reached goal or a broken rule)", 0, 0, NULL},
        {0, "quiet", NULL, OPTION_FLAG, &ask.quiet, "do not print Skill changes and contacts", 0, 0,
         NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask.output,
         "write the future to FILE: .json, or .html, .glb, .svg, .csv", 0, 0, NULL},
    };
    memcpy(rows + count, own, sizeof own);
    usage how = {"carom simulate SCENE [options]",
                 "Run one future of a scene and say what happens in it. Where the Tactics have a "
                 "choice, the\n"
                 "seed decides. No goal, score or Tactic is needed. FILE is a plan that replays.",
                 rows,
                 count + (int)(sizeof own / sizeof own[0]),
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&ask.asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    code = simulate(&ask, &scene);
    search_end(&ask.asked, &scene);
    return code;
}
