#include "search.h"

#include "cluster/cluster.h"
#include "terminal/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_setting(search *s, const char *name, size_t length, const char *value)
{
    if (s->setting_count == SETTINGS_MAX) {
        fprintf(stderr, "carom: more than %d settings\n", SETTINGS_MAX);
        return EXIT_USAGE;
    }
    if (length >= sizeof s->names[0]) {
        fprintf(stderr, "carom: no parameter has a name that long: \"%s\"\n", shown(name));
        return EXIT_FILE;
    }
    memcpy(s->names[s->setting_count], name, length);
    s->values[s->setting_count++] = value;
    return 0;
}

// How often solutions hold in disturbed futures is no rank of the library: it takes a world.
// Without a choice of solutions it would be none either.
static int ask_robust(search *s)
{
    bool chosen = false;
    s->robust = true;
    for (int i = 0; i < s->setting_count; i++) {
        chosen = chosen || strcmp(s->names[i], "solutions") == 0;
    }
    return chosen ? 0 : add_setting(s, "solutions", strlen("solutions"), "15");
}

int64_t search_futures(const search *s, int64_t asked)
{
    return asked == 0 && s->robust ? 100 : asked;
}

static int on_named(const char *value, void *context)
{
    const struct setter *setter = context;
    if (setter->search->ranks_robust && strcmp(setter->name, "rank") == 0 &&
        strcmp(value, "robust") == 0) {
        return ask_robust(setter->search);
    }
    return add_setting(setter->search, setter->name, strlen(setter->name), value);
}

// --set name=value
static int on_set(const char *value, void *context)
{
    const struct setter *setter = context;
    const char *equals = strchr(value, '=');
    if (!equals || equals == value) {
        fprintf(stderr, "carom: --set wants name=value, got \"%s\"\n", shown(value));
        return EXIT_USAGE;
    }
    return add_setting(setter->search, value, (size_t)(equals - value), equals + 1);
}

// --vary 5%
static int on_vary(const char *value, void *context)
{
    char *end = NULL;
    double percent = strtod(value, &end);
    bool number = end != value && value[0] != ' ' && percent == percent;
    if (!number || strcmp(end, "%") != 0) {
        bool bare = number && *end == 0;
        fprintf(stderr, "carom: --vary wants a percentage, as 5%%, got \"%s\"%s%s%s\n",
                shown(value), bare ? "; did you mean \"" : "", bare ? shown(value) : "",
                bare ? "%\"?" : "");
        return EXIT_USAGE;
    }
    if (!(percent >= 0 && percent <= 100 * CR_VARY_MAX_SHARE)) {
        fprintf(stderr, "carom: --vary must be from 0%% to %g%%, got \"%s\"\n",
                100 * CR_VARY_MAX_SHARE, shown(value));
        return EXIT_USAGE;
    }
    *(double *)context = percent / 100;
    return 0;
}

int on_seed_range(const char *value, void *context)
{
    seed_range *r = context;
    char *end = NULL;
    long long first = strtoll(value, &end, 10), last = first;
    if (end != value && *end == '-') {
        const char *second = end + 1;
        last = strtoll(second, &end, 10);
        end = end == second ? NULL : end;
    }
    if (end == value || !end || *end || first < 0 || last < first || last - first > 1000000) {
        fprintf(stderr, "carom: a range is wanted, as 1-100, got \"%s\"\n", shown(value));
        return EXIT_USAGE;
    }
    *r = (seed_range){first, last};
    return 0;
}

// "how decisions are chosen: uniform, rrt, ..."
static void add_name(char *text, size_t size, const char *name, bool first)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", first ? "" : ", ", name);
}

static void print_names(search *s)
{
    snprintf(s->selects, sizeof s->selects, "how decisions are chosen: ");
    for (int i = 0; i < cr_library_select_count(NULL); i++) {
        add_name(s->selects, sizeof s->selects, cr_library_select(NULL, i)->name, i == 0);
    }
    snprintf(s->ranks, sizeof s->ranks, "best first by ");
    for (int i = 0; i < cr_library_rank_count(NULL); i++) {
        add_name(s->ranks, sizeof s->ranks, cr_library_rank(NULL, i)->name, i == 0);
    }
    if (s->ranks_robust) {
        add_name(s->ranks, sizeof s->ranks, "robust (of 15 solutions, --robust 100)", false);
    }
}

// What is no parameter of the planner, or any of them.
static int other_options(search *s, struct setter *any, option_row *rows)
{
    *any = (struct setter){s, NULL};
    const option_row rest[] = {
        {0, "set", "NAME=VALUE", OPTION_CALL, any,
         "any parameter, the scene's own too (`carom list parameters`)", 0, 0, on_set},
        {0, "start", "N", OPTION_INT, &s->start, "N-th random start; 0: as written", 0, 1e9, NULL},
        {0, "vary", "P%", OPTION_CALL, &s->vary,
         "move and resize what the scene has by up to that share, as 5%", 0, 0, on_vary},
        {0, "vary-seed", "N", OPTION_INT, &s->vary_seed,
         "which of the variations (default 1; bench: that of the search's seed)", 1, 0x1p53, NULL},
        {0, "seconds", "S", OPTION_NUMBER, &s->seconds,
         "most time for a search, with ranking and writing what it found", 0, 1e9, NULL},
        {0, "keep-dead", NULL, OPTION_FLAG, &s->keep_dead,
         "keep what was valid of dead branches (no RollBack)", 0, 0, NULL},
        {0, "free-tactics", NULL, OPTION_FLAG, &s->free_tactics, "any Skill may follow any Skill",
         0, 0, NULL},
        {0, "threads", "N", OPTION_INT, &s->threads, "0: all cores; changes nothing but time", 0,
         256, NULL},
    };
    memcpy(rows, rest, sizeof rest);
    return (int)(sizeof rest / sizeof rest[0]);
}

int search_options(search *s, option_row rows[SEARCH_OPTIONS])
{
    s->begin = now_seconds();
    print_names(s);
    const struct {
        const char *name, *value, *parameter, *about;
    } named[] = {
        {"select", "HOW", "select", s->selects},
        {"mu", "X", "mu", "bgt: leaf depth over branching factor"},
        {"bgt-share", "P", "bgt_share", "hybrid: share of bgt choices"},
        {"seed", "N", "seed", "names the random streams"},
        {"nodes", "N", "nodes", "most nodes in the tree"},
        {"steps", "N", "steps", "most steps simulated (default: twice the nodes)"},
        {"attempts", "N", "attempts", "most attempts"},
        {"t-lod", "S", "t_lod", "from so far ahead on, pass through what others move; 0: never"},
        {"predict", "HOW", "predict", "how foreign bodies go on: tactics, or linear, as they move"},
        {"round", "N", "round", "attempts that are made side by side"},
        {"solutions", "N", "solutions", "keep planning until there are N, then rank them"},
        {"rank", "BY", "rank", s->ranks},
        {"engine", "NAME", "engine", "physics engine"},
    };
    int n = 0;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++, n++) {
        s->setters[n] = (struct setter){s, named[i].parameter};
        rows[n] = (option_row){.name = named[i].name,
                               .value = named[i].value,
                               .kind = OPTION_CALL,
                               .target = &s->setters[n],
                               .call = on_named,
                               .about = named[i].about};
    }
    n += other_options(s, &s->setters[n], rows + n);
    rows[n++] = load_option(&s->library);
    rows[n++] = json_option();
    return n;
}

static cr_status apply(const search *s, cr_scene *scene, cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < s->setting_count && status == CR_OK; i++) {
        status = cr_scene_set(scene, s->names[i], s->values[i], report);
    }
    if (status == CR_OK && s->keep_dead) {
        status = cr_scene_set(scene, "keep_dead", "true", report);
    }
    if (status == CR_OK && s->free_tactics) {
        status = cr_scene_set(scene, "free_tactics", "true", report);
    }
    return status;
}

cr_status search_vary(const search *s, const cr_scene *scene, uint64_t seed, cr_scene **varied,
                      cr_vary_stats *stats, cr_report *report)
{
    cr_vary_def def = cr_default_vary_def();
    def.share = s->vary;
    def.seed = seed;
    return cr_scene_vary(scene, s->library, &def, varied, stats, report);
}

// Put the scene in place of itself.
static cr_status vary(const search *s, cr_scene **scene, cr_report *report)
{
    cr_scene *varied = NULL;
    cr_status status = search_vary(s, *scene, s->vary_seed > 0 ? (uint64_t)s->vary_seed : 1,
                                   &varied, NULL, report);
    if (status == CR_OK) {
        cr_scene_destroy(*scene);
        *scene = varied;
    }
    return status;
}

bool search_varies_each(const search *s)
{
    return s->vary > 0 && s->vary_each && s->vary_seed == 0;
}

int search_load(const search *s, const char *word, cr_model **model, cr_planner_def *def)
{
    char *path = scene_find(word);
    if (!path) {
        return EXIT_INTERNAL;
    }
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_status status = cr_scene_read(path, &scene, &report);
    if (status == CR_OK) {
        status = apply(s, scene, &report);
    }
    if (status == CR_OK && s->vary > 0 && !search_varies_each(s)) {
        status = vary(s, &scene, &report);
    }
    if (status == CR_OK) {
        status = cr_model_create(scene, s->library, (int)s->start, model, &report);
    }
    cr_scene_destroy(scene);
    free(path);
    if (status != CR_OK) {
        return scene_refuse(word, status, &report);
    }
    report_print(status, &report);
    *def = cr_model_planner_def(*model);
    def->threads = cluster_threads(s->threads);
    return -1;
}

cr_status search_planner(const search_scene *scene, cr_planner **planner, cr_report *report)
{
    cr_status status = cr_planner_check(scene->model, &scene->def, report);
    return status == CR_OK ? cr_planner_create(scene->model, &scene->def, planner, report) : status;
}

search_counts search_count(const cr_planner *planner, cr_outcome outcome)
{
    return (search_counts){outcome, cr_planner_get_stats(planner),
                           cr_planner_branch_count(planner) - 1};
}

int search_begin(search *s, const usage *how, int argc, char **argv, search_scene *scene)
{
    *scene = (search_scene){.argc = argc, .argv = argv};
    load_words words = {&s->library, &scene->word, 0};
    int code = load_options(how, argc, argv, &words);
    code = code >= 0 ? code : search_load(s, scene->word, &scene->model, &scene->def);
    if (code >= 0) {
        search_end(s, scene);
    }
    return code;
}

int search_journal(journal *j, const char *path, const search_scene *scene, int64_t units)
{
    size_t length;
    const char *text = cr_scene_text(cr_model_scene(scene->model), &length);
    path = cluster_leads() ? path : NULL;
    char *work = journal_work(scene->argc, scene->argv, journal_check(text, length));
    int code = work ? journal_open(j, path, work, units) : EXIT_INTERNAL;
    free(work);
    return code;
}

void search_end(search *s, search_scene *scene)
{
    cr_model_destroy(scene->model);
    cr_library_destroy(s->library);
    scene->model = NULL;
    s->library = NULL;
}
