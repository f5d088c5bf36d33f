// The tables of runs: 003, table 7.3 and figures 7.10, 9.6 and 9.7, and what they leave open.
#include "lab/run_cells.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct values {
    double items[10];
    int count;
} values;

static run_cell *add(run_cells *list, const char *scene, int trials, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static run_cell *add(run_cells *list, const char *scene, int trials, const char *format, ...)
{
    run_cell *c = &list->items[list->count++];
    *c = (run_cell){.scene = scene, .trials = trials, .published = "-"};
    c->starts = strcmp(scene, "hallway") == 0 || strcmp(scene, "horseshoes") == 0;
    va_list args;
    va_start(args, format);
    vsnprintf(c->words, sizeof c->words, format, args);
    va_end(args);
    return c;
}

// ---------------------------------------------------------------------------------------------
// 003, 9.2: `rrt` with the navigation Tactic. An attempt knows all before it, as in the thesis. The
// iterations are bounded, as in algorithm 17: a search in the hallway that finds the goal at all
// takes 1300 steps in the mean and 8500 at the most (200 searches in full detail).

#define DRIVEN "round=1 steps=10000"

static void fill_9_6(bool quick, run_cells *list)
{
    const values u = quick ? (values){{0, 1}, 2} : (values){{0, 0.25, 0.5, 0.75, 1}, 5};
    const values interval =
        quick ? (values){{0.25, 2}, 2} : (values){{0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}, 9};
    for (int i = 0; i < u.count; i++) {
        for (int k = 0; k < interval.count; k++) {
            double s = interval.items[k];
            run_cell *c = add(list, "hallway", quick ? 1 : 120,
                              DRIVEN " uncertainty=%g interval=%g", u.items[i], s);
            snprintf(c->line, sizeof c->line, "uncertainty %g", u.items[i]);
            c->x = s;
        }
    }
}

static void add_detail(run_cells *list, const char *scene, double uncertainty, values intervals,
                       bool quick)
{
    const values t_lods = {{0.3, 0.5, 0.7, 1.1, 1.7, 2.5, 3.3, 4.5, 5.7}, 9}, few = {{0.7, 5.7}, 2};
    const values *t_lod = quick ? &few : &t_lods;
    for (int i = 0; i < intervals.count; i++) {
        for (int k = 0; k < t_lod->count; k++) {
            run_cell *c =
                add(list, scene, quick ? 1 : 120, DRIVEN " uncertainty=%g interval=%g t_lod=%g",
                    uncertainty, intervals.items[i], t_lod->items[k]);
            snprintf(c->line, sizeof c->line, "interval %g s", intervals.items[i]);
            c->x = t_lod->items[k];
        }
    }
}

// What level of detail saves: points of figure 9.7. The thesis takes t_LOD down to the interval.
static void fill_detail(bool quick, run_cells *list)
{
    const double t_lods[] = {5.7, 0.7, 0.5};
    for (int i = 0; i < (quick ? 2 : 3); i++) {
        run_cell *c = add(list, "hallway", quick ? 1 : 120,
                          DRIVEN " uncertainty=0.75 interval=0.5 t_lod=%g", t_lods[i]);
        c->against = i;
    }
}

static void fill_9_7(bool quick, run_cells *list)
{
    const values some = {{0.5}, 1}, all = {{0.25, 0.5, 1, 1.5, 2, 3}, 6};
    add_detail(list, "hallway", 0.75, quick ? some : all, quick);
}

static void fill_9_7_maze(bool quick, run_cells *list)
{
    const values some = {{0.5}, 1}, all = {{0.5, 1, 2}, 3};
    add_detail(list, "horseshoes", 0.5, quick ? some : all, quick);
}

// Where posts stray less, what is predicted of them is worth more.
static void fill_9_7_calm(bool quick, run_cells *list)
{
    const values some = {{1}, 1}, all = {{0.5, 1, 2}, 3};
    add_detail(list, "hallway", 0.25, quick ? some : all, quick);
}

// A search that looks no farther than it goes (finite horizon) stands before the walls of a
// horseshoe; one that looks to the goal without the posts (VLOD) goes round.
static void fill_stuck(bool quick, run_cells *list)
{
    const char *const how[] = {"horizon=0.7 steps=2000", "horizon=1.5 steps=2000",
                               "steps=10000 t_lod=0.7", "steps=10000"};
    for (int i = 0; i < (quick ? 3 : 4); i += quick ? 2 : 1) {
        run_cell *c =
            add(list, "horseshoes", quick ? 1 : 100,
                "round=1 uncertainty=0.25 interval=0.5 seconds=%d %s", quick ? 4 : 30, how[i]);
        c->against = i > 0 ? list->count - 1 : 0;
    }
}

// ---------------------------------------------------------------------------------------------
// 003, 7.4: past a turning bar whose speed is measured over a second; the plan takes a second to
// think out, and waits for the bar to come round.

static const struct {
    double period, distance;
    const char *published;
} gates[] = {{5, 1.4, "90%"}, {5, 2.4, "80%"}, {3, 1.4, "70%"}, {3, 2.4, "50%"}};

#define RANKED "nodes=240000 steps=600000 solutions=40 futures=200"
#define FIRST  "nodes=240000 steps=600000 solutions=1"

static run_cell *add_gate(run_cells *list, int gate, bool quick, const char *how, double noise)
{
    return add(list, "gate", quick ? 1 : 100,
               "period=%g distance=%g measure=1 noise=%g watch=1 think=1 wait=%g %s",
               gates[gate].period, gates[gate].distance, noise, gates[gate].period,
               quick ? "nodes=20000 solutions=2 futures=10" : how);
}

static void fill_7_3(bool quick, run_cells *list)
{
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        add_gate(list, i, quick, FIRST, 0)->published = gates[i].published;
    }
    for (int i = 0; i < (quick ? 0 : 4); i++) {
        run_cell *c = add_gate(list, i, quick, RANKED, 0);
        c->published = gates[i].published;
        c->against = 4;
    }
}

static void fill_7_10(bool quick, run_cells *list)
{
    const double noises[] = {0, 0.1, 0.2, 0.3};
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        for (int k = 0; k < (quick ? 2 : 4); k++) {
            double noise = noises[k];
            run_cell *c = add_gate(list, i, quick, RANKED, noise);
            c->trials = quick ? 1 : 120;
            snprintf(c->line, sizeof c->line, "%g s, %g m", gates[i].period, gates[i].distance);
            c->x = 100 * noise;
            c->against = k;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// 7.2.3: what is executed, under noise of the drive.

static void fill_strategies(bool quick, run_cells *list)
{
    const char *const scenes[] = {"bank", "windmill", "gate", "hallway"};
    const double noises[] = {0.05, 0};
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        for (int k = 0; k < (quick ? 1 : 2); k++) {
            for (int s = 0; s < 2; s++) {
                run_cell *c = add(list, scenes[i], quick ? 1 : 200, "drive=%g slip=%g strategy=%s",
                                  noises[k], noises[k], s ? "states" : "actions");
                c->against = s;
            }
        }
    }
}

static void fill_following(bool quick, run_cells *list)
{
    const char *const scenes[] = {"hallway", "bank", "windmill", "gate"};
    for (int i = 0; i < (quick ? 1 : 4); i++) {
        for (int s = 0; s < 2; s++) {
            run_cell *c = add(list, scenes[i], quick ? 1 : 200, "interval=0.5 seconds=8 follow=%s",
                              s ? "tree" : "cold");
            c->against = s;
        }
    }
}

#define RANKED_FEW "nodes=150000 steps=300000 solutions=20 futures=100"
#define FIRST_FEW  "nodes=150000 steps=300000 solutions=1"

static void fill_robust(bool quick, run_cells *list)
{
    const char *const scenes[] = {"bank", "double-bank", "windmill"};
    for (int i = 0; i < (quick ? 1 : 3); i++) {
        for (int s = 0; s < 2; s++) {
            const char *many = s ? RANKED_FEW : FIRST_FEW;
            const char *few = s ? "nodes=50000 solutions=2 futures=10" : "nodes=50000";
            run_cell *c = add(list, scenes[i], quick ? 1 : 200, "%s", quick ? few : many);
            c->against = s;
        }
    }
}

const run_table_row run_table_rows[] = {
    {"table-7.3", "Past a turning bar, first solutions and robust ones (003, table 7.3)", "",
     "003: the robot", RUN_HELD, fill_7_3},
    {"figure-7.10", "Noise on the speed of the bar (003, figure 7.10)", "noise of the speed (%)",
     "003", RUN_HELD, fill_7_10},
    {"strategies", "Actions and states executed under noise of the drive (003, 7.2.3)", "", "003",
     RUN_HELD, fill_strategies},
    {"following", "Planning from nothing and re-rooting", "", "003", RUN_FOLLOW, fill_following},
    {"robust", "First solutions and robust ones", "", "003", RUN_HELD, fill_robust},
    {"figure-9.6", "Replanning interval and uncertainty (003, figure 9.6)",
     "replanning interval (s)", "003", RUN_DETAIL, fill_9_6},
    {"figure-9.7", "Level of detail and replanning interval (003, figure 9.7)", "t_LOD (s)", "003",
     RUN_DETAIL, fill_9_7},
    {"figure-9.7-maze", "Level of detail in a maze of horseshoes (003, figure 9.7)", "t_LOD (s)",
     "003", RUN_DETAIL, fill_9_7_maze},
    {"figure-9.7-calm", "Level of detail where posts stray less (beside 003, figure 9.7)",
     "t_LOD (s)", "003", RUN_DETAIL, fill_9_7_calm},
    {"detail", "What level of detail saves at an interval of half a second (003, 9.2.3)", "",
     "003: steps", RUN_DETAIL, fill_detail},
    {"stuck", "Finite horizon and level of detail among horseshoes (003, 9.2)", "", "003",
     RUN_STUCK, fill_stuck},
};

const int run_table_count = sizeof run_table_rows / sizeof run_table_rows[0];
