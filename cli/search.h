// What `plan` and `bench` share: the options of a search, and finding and compiling its scene.
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include "cluster/journal.h"
#include "load.h"
#include "terminal/scenes.h"

enum { SETTINGS_MAX = 64, SEARCH_OPTIONS = 24 };

// A search as asked for on the command line. Every parameter is a setting of the scene, so that the
// scene's own checks apply to it.
typedef struct search {
    int setting_count;
    char names[SETTINGS_MAX][64];
    const char *values[SETTINGS_MAX];
    bool keep_dead, free_tactics;
    bool ranks_robust; // the command knows --rank robust: set before search_options
    bool robust;       // and it is asked for
    int64_t start, threads;
    double vary;                   // share by which the scene is varied; 0: it is not
    int64_t vary_seed;             // 0: none was given
    bool vary_each;                // without a seed, searches are varied one by one; see bench
    double seconds;                // 0: no limit
    double begin;                  // now_seconds() when the command began
    cr_library *library;           // what --load has loaded, or NULL; search_end lets go of it
    char selects[120], ranks[120]; // words for the help
    struct setter {
        struct search *search;
        const char *name;
    } setters[SEARCH_OPTIONS];
} search;

// Fill rows with the options of a search; returns how many. The search must stay where it is.
int search_options(search *search, option_row rows[SEARCH_OPTIONS]);

// How many futures --rank robust and --robust N come to: N, or 100 where only the former is given.
int64_t search_futures(const search *search, int64_t asked);

// Seeds, as 1-100; on_seed_range is the call of an option whose target is one.
typedef struct seed_range {
    int64_t first, last;
} seed_range;
int on_seed_range(const char *value, void *context);

// Vary a scene as --vary says, whatever the seed of the command line is.
cr_status search_vary(const search *search, const cr_scene *scene, uint64_t seed, cr_scene **varied,
                      cr_vary_stats *stats, cr_report *report);

// True if every search is to have a variation of its own, so that the scene is read as it is.
bool search_varies_each(const search *search);

// Read and compile a scene. Returns -1, or an exit code after printing what is wrong.
int search_load(const search *search, const char *scene, cr_model **model, cr_planner_def *def);

// Read the arguments of a command that takes one scene, and read and compile that scene; word is
// what named it. Returns -1 to go on, or an exit code after printing help or what is wrong.
typedef struct search_scene {
    const char *word;
    cr_model *model;
    cr_planner_def def;
    int argc; // of the command
    char **argv;
} search_scene;
int search_begin(search *search, const usage *how, int argc, char **argv, search_scene *scene);

// Open the journal of a command with that scene; path NULL: none is wanted, and but for the lead
// nobody has one. Returns -1 or an exit code.
int search_journal(journal *j, const char *path, const search_scene *scene, int64_t units);

// After it went on: free the model and the library.
void search_end(search *search, search_scene *scene);

// Whether a plan can be written there: a plan file (.json), or something to look at. NULL: none is
// wanted. Returns -1, or the exit code after a message.
int plan_output_try(const char *path);

// Write a plan by the path's ending, as a plan file or as something to look at; planner: the search
// it came from, for the tree in a page, or NULL. Returns an exit code.
int plan_write(const cr_plan *plan, const cr_planner *planner, const char *path);

// True for the ending of a plan file, and of a page, which alone shows the tree.
bool is_plan_file(const char *path);
bool is_page(const char *path);

// Watch a replay: print what happens, Skill changes and contacts, as it happens. (replay.c)
typedef struct events {
    const char *rule; // broken in the step before, or NULL
    bool goal;        // reached in the step before
} events;
bool events_print(const cr_replay_step *step, void *context); // a cr_replay_function

// What a search has come to, beside its plan.
typedef struct search_counts {
    cr_outcome outcome;
    cr_planner_stats stats;
    int64_t branches; // kept, the root not counted
} search_counts;
search_counts search_count(const cr_planner *planner, cr_outcome outcome);

// Check a scene for planning and make a planner for it: what `check` and `plan` refuse.
cr_status search_planner(const search_scene *scene, cr_planner **planner, cr_report *report);

// Around events: as JSON they are a list.
void events_begin(void);
void events_end(void);

// JSON of a plan: members for one of its solutions; a line that makes it again, word being what
// named the scene; and what a search came to. (plan_json.c)
void json_solution(const cr_plan *plan, int solution);
void json_repeat(const cr_plan *plan, const char *verb, const char *word);
void json_search(const search_counts *counts, const cr_plan *plan);

// What the first solution is worth if foreign Tactics draw otherwise; nothing where futures is 0.
void json_luck(const cr_plan *plan, cr_chance chance, const cr_robustness *luck);

// The first Tactic from that on that draws and is of a foreign body, or -1. (plan.c)
int luck_tactic(const cr_model *model, int from);

#endif
