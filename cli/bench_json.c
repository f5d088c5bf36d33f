// A bench as JSON: a run has the columns of the table.
#include "bench.h"
#include "terminal/json.h"

static void print_begin(const bench_table *table)
{
    json_text("scene", cr_scene_name(cr_model_scene(table->model)));
    json_count("wanted", bench_wanted(table));
    json_open("runs", JSON_LIST);
}

static void print_run(const bench_run *run)
{
    const cr_planner_stats *s = &run->stats;
    json_open(NULL, JSON_OBJECT);
    json_count("seed", (int64_t)run->def.seed);
    json_text("select", run->def.select);
    json_text("engine", run->def.engine);
    json_text("outcome", cr_outcome_name(run->outcome));
    json_count("nodes", s->nodes);
    json_count("steps", s->steps);
    json_count("attempts", s->attempts);
    json_number("seconds", s->seconds);
    json_number("select_seconds", s->select_seconds);
    json_number("behavior_seconds", s->behavior_seconds);
    json_number("engine_seconds", s->engine_seconds);
    json_hash("tree", s->tree_hash);
    if (run->drawn > 0) {
        json_open("varied", JSON_OBJECT);
        json_count("drawn", run->drawn);
        json_count("refused", run->refused);
        json_close();
    }
    json_close();
}

static void print_end(const bench_table *table)
{
    int solved = 0;
    for (int i = 0; i < table->count; i++) {
        solved += table->runs[i].outcome == CR_OUTCOME_SOLVED;
    }
    json_close();
    json_count("solved", solved);
    if (table->asked->vary > 0) {
        json_number("vary", table->asked->vary);
    }
}

const bench_format bench_json = {"json", print_begin, print_run, print_end};
