// Experiments beside chapter 6: the papers' own tables, the kicks and the corner that are only
// drawn, algorithm 1 as a baseline, and sweeps of what the published text leaves open. A sweep
// changes one word of a frozen scene.
#include "lab/experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void name_method(cell *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->method, sizeof c->method, format, arguments);
    va_end(arguments);
}

// uniform, rrt, and bgt against rrt; the lines of a figure are theirs.
static void add_selects(cells *list, const domain *d, int runs, bool quick, const cell *like)
{
    static const char *const selects[] = {"uniform", "rrt", "bgt"};
    for (int i = 0; i < 3; i++) {
        cell *c = cell_add(list, d, runs, "-");
        name_method(c, "%s%s", selects[i], like->method);
        cell_set(c, quick, "select=%s mu=%s", selects[i], d->mu);
        c->x = like->x;
        c->edit = like->edit;
        c->against = i == 2;
        snprintf(c->line, sizeof c->line, "%s", selects[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// The papers.

void fill_paper_table(int variant, bool quick, cells *list)
{
    (void)variant;
    static const struct {
        int domain;
        const char *mu, *rrt, *bgt;
    } rows[] = {
        {SOCCER, "100", "9.6 s, 9752 nodes", "11.1 s, 11088 nodes"},
        {MINIGOLF, "1000", "5.3 s, 13042 nodes", "2.5 s, 8094 nodes"},
        {POOL, "1000", "2.7 s, 451 nodes", "0.4 s, 191 nodes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const domain *d = &domains[rows[i].domain];
        cell *c = cell_add(list, d, quick ? 2 : 100, rows[i].rrt);
        name_method(c, "rrt");
        cell_set(c, quick, "select=rrt");
        c = cell_add(list, d, quick ? 2 : 100, rows[i].bgt);
        name_method(c, "bgt, mu %s", rows[i].mu);
        cell_set(c, quick, "select=bgt mu=%s", rows[i].mu);
        c->against = 1;
    }
    cells_add_free(list, 0);
}

void fill_paper_starts(int variant, bool quick, cells *list)
{
    (void)variant;
    static const domain reactive = {"soccer", "soccer/attack-1v2-reactive", ""};
    static const domain planned = {"soccer", "soccer/attack-1v2", ""};
    static const struct {
        int nodes;
        const char *published;
    } sizes[] = {{1000, "25%"}, {2500, "40%"}, {5000, "50%"}, {10000, "65%"}};
    for (int part = 0; part < 2; part++) {
        int runs = quick ? 2 * (part + 1) : (part ? 200 : 20);
        cell *c = cell_add(list, &reactive, runs, "30%");
        c->by_start = true;
        name_method(c, "linear Tactic, %d starts", runs);
        snprintf(c->settings, sizeof c->settings, "nodes=2000");
        for (int i = 0; i < (quick ? 1 : 4); i++) {
            c = cell_add(list, &planned, runs, sizes[i].published);
            c->by_start = true;
            name_method(c, "rrt, %d nodes, %d starts", sizes[i].nodes, runs);
            snprintf(c->settings, sizeof c->settings, "select=rrt nodes=%d", sizes[i].nodes);
            c->against = i + 1; // the linear one
            c->x = sizes[i].nodes;
            snprintf(c->line, sizeof c->line, part ? "200 starts" : "20 starts");
        }
    }
    cells_add_free(list, 0);
}

// 60 random starts; the Tactic may choose, or is told.
void fill_kicks(int variant, bool quick, cells *list)
{
    (void)variant;
    static const domain kicks = {"soccer", "soccer/flat-or-chip", "100"};
    static const struct {
        const char *name;
        edit edit;
    } rows[] = {{"flat or chip", {"", "", ""}},
                {"flat alone", {"{flat: 1, chip: 1}", "", "{flat: 1}"}},
                {"chip alone", {"{flat: 1, chip: 1}", "", "{chip: 1}"}}};
    for (int i = 0; i < 3; i++) {
        cell *c = cell_add(list, &kicks, quick ? 2 : 60, "a picture");
        c->by_start = true;
        c->edit = rows[i].edit;
        name_method(c, "rrt, %s", rows[i].name);
        snprintf(c->settings, sizeof c->settings, "select=rrt nodes=%d", quick ? 500 : 2500);
        c->against = i;
    }
    cells_add_free(list, 0);
}

void fill_corner(int variant, bool quick, cells *list)
{
    (void)variant;
    static const domain corner = {"a ball", "navigation/corner", "100"};
    add_selects(list, &corner, quick ? 1 : 100, quick, &(cell){0});
    cells_add_free(list, 0);
}

// ---------------------------------------------------------------------------------------------
// Algorithm 1: any node, and any force for a step; the body is pushed as hard as its limits let it.

void fill_basic(int variant, bool quick, cells *list)
{
    (void)variant;
#define FORCE(who, newton)                                                                         \
    "    controls: " who "\n    skills: {push: {do: random_force, force: {uniform: [0, " newton    \
    "]}}}\n"
    static const struct {
        edit edit;
        const char *force;
    } rows[DOMAINS] = {
        {{"    controls: robot\n", "goal:", FORCE("robot", "7.5")}, "7.5 N"},
        {{"    controls: robot\n", "goal:", FORCE("robot", "7.5")}, "7.5 N"},
        {{"    controls: attacker\n", "goal:", FORCE("attacker", "7.5")}, "7.5 N"},
        {{"    controls: cue\n", "  chain:", FORCE("cue", "20")}, "20 N"},
    };
#undef FORCE
    for (int i = 0; i < DOMAINS; i++) {
        int runs = quick ? 1 : 100;
        cell *c = cell_add(list, &domains[i], runs, "-");
        name_method(c, "any node, any force up to %s", rows[i].force);
        cell_set(c, quick, "select=uniform");
        c->edit = rows[i].edit;
        c = cell_add(list, &domains[i], runs, "-");
        name_method(c, "uniform, with the Tactics");
        cell_set(c, quick, "select=uniform");
        c->against = 1;
    }
    cells_add_free(list, 0);
}

// ---------------------------------------------------------------------------------------------
// Sweeps.

enum { SWEEP_RUNS = 50 };

void fill_extension(int variant, bool quick, cells *list)
{
    (void)variant;
    static const double lengths[] = {0.1, 0.3, 1, 3};
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        cell like = {.x = lengths[i], .edit = {"look: keep, seconds: 1}", "", ""}};
        snprintf(like.method, sizeof like.method, ", %g s", lengths[i]);
        snprintf(like.edit.text, sizeof like.edit.text, "look: keep, seconds: %g}", lengths[i]);
        add_selects(list, &domains[NAVIGATION], quick ? 1 : SWEEP_RUNS, quick, &like);
    }
    cells_add_free(list, 0);
}

void fill_opponents(int variant, bool quick, cells *list)
{
    (void)variant;
    static const double speeds[] = {0.65, 1, 1.3, 2};
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        cell like = {.x = speeds[i], .edit = {"limits: {speed: 1.3, acceleration: 1.4}", "", ""}};
        snprintf(like.method, sizeof like.method, ", %g m/s", speeds[i]);
        snprintf(like.edit.text, sizeof like.edit.text, "limits: {speed: %g, acceleration: %g}",
                 speeds[i], 1.4 * speeds[i] / 1.3);
        add_selects(list, &domains[SOCCER], quick ? 1 : SWEEP_RUNS, quick, &like);
    }
    cells_add_free(list, 0);
}

// The region of the aim, grown and shrunk about its middle.
void fill_aim(int variant, bool quick, cells *list)
{
    (void)variant;
    static const double widths[] = {0.5, 1, 2};
    for (int i = 0; i < (quick ? 1 : 3); i++) {
        cell like = {.x = widths[i], .edit = {"{box: [2.2, 1.4], at:", "", ""}};
        snprintf(like.method, sizeof like.method, ", %g times", widths[i]);
        snprintf(like.edit.text, sizeof like.edit.text, "{box: [%g, %g], at:", 2.2 * widths[i],
                 1.4 * widths[i]);
        add_selects(list, &domains[MINIGOLF], quick ? 1 : SWEEP_RUNS, quick, &like);
    }
    cells_add_free(list, 0);
}

// The body whose arrival is the metric of rrt: the scene's own, and the others that play.
void fill_body(int variant, bool quick, cells *list)
{
    (void)variant;
    static const struct {
        int domain, against;
        const char *own, *body;
    } rows[] = {
        {MINIGOLF, 0, "ball", "ball"}, {MINIGOLF, 1, "ball", "robot"},
        {SOCCER, 0, "ball", "ball"},   {SOCCER, 1, "ball", "attacker"},
        {POOL, 0, "cue", "cue"},       {POOL, 1, "cue", "yellow"},
        {POOL, 2, "cue", "blue"},
    };
    for (size_t i = 0; i < (quick ? 2 : sizeof rows / sizeof rows[0]); i++) {
        cell *c = cell_add(list, &domains[rows[i].domain], quick ? 1 : 100, "-");
        name_method(c, "rrt, sampled: %s", rows[i].body);
        cell_set(c, quick, "select=rrt");
        c->against = rows[i].against;
        snprintf(c->edit.find, sizeof c->edit.find, "sample: {body: %s,", rows[i].own);
        snprintf(c->edit.text, sizeof c->edit.text, "sample: {body: %s,", rows[i].body);
    }
    cells_add_free(list, 0);
}

// 003, 5.3.4: "using a Euclidean nearest neighbor distance approach will fail".
void fill_metric(int variant, bool quick, cells *list)
{
    (void)variant;
    for (int i = 0; i < (quick ? 1 : DOMAINS); i++) {
        for (int k = 0; k < 2; k++) {
            cell *c = cell_add(list, &domains[i], quick ? 1 : 100, "-");
            name_method(c, "rrt, by %s", k ? "distance" : "time");
            cell_set(c, quick, "select=rrt");
            c->against = k;
            snprintf(c->edit.find, sizeof c->edit.find, "sample: {body:");
            snprintf(c->edit.text, sizeof c->edit.text,
                     "sample: {%sbody:", k ? "metric: distance, " : "");
        }
    }
    cells_add_free(list, 0);
}
