#include "plan/parameters.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/report.h"
#include "carom/rank.h"
#include "scene/scene.h"

// How a parameter is kept in a cr_planner_def.
typedef enum kept {
    KEPT_NAME, // const char *: of something in the library
    KEPT_DOUBLE,
    KEPT_UINT64,
    KEPT_INT64,
    KEPT_INT,
    KEPT_BOOL,
    KEPT_WORD, // an enum: one of the words that stand as its unit
} kept;

typedef struct row {
    cr_parameter info;
    kept kept;
    size_t offset;
} row;

#define FIELD(kept, field) kept, offsetof(cr_planner_def, field)

static const row rows[] = {
    {{"engine", "name", "engine", 0, 0, "lanes", "the engine that computes steps"},
     FIELD(KEPT_NAME, engine)},
    {{"select", "name", "select", 0, 0, "bgt", "how the decision to grow from is chosen"},
     FIELD(KEPT_NAME, select)},
    {{"mu", "number", "", 1e-9, 1e9, "100",
      "bgt: wanted ratio of mean leaf depth to mean branching factor"},
     FIELD(KEPT_DOUBLE, mu)},
    {{"bgt_share", "number", "", 0, 1, "0.5", "hybrid: share of bgt choices"},
     FIELD(KEPT_DOUBLE, bgt_share)},
    {{"seed", "count", "", 0, 0x1p53, "1", "names the random streams"}, FIELD(KEPT_UINT64, seed)},
    {{"nodes", "count", "", 1, 1e7, "25000", "most nodes in the tree"}, FIELD(KEPT_INT64, nodes)},
    {{"steps", "count", "", 0, 1e12, "0", "most steps simulated; 0: twice the nodes"},
     FIELD(KEPT_INT64, steps)},
    {{"attempts", "count", "", 0, 1e12, "0", "most attempts; 0: no limit"},
     FIELD(KEPT_INT64, attempts)},
    {{"horizon", "number", "s", 1e-3, 1e6, "20", "a branch that gets there ends"},
     FIELD(KEPT_DOUBLE, horizon)},
    {{"t_lod", "number", "s", 0, 1e6, "0",
      "VLOD: from so far ahead on, controlled bodies pass through foreign and passive ones; 0: "
      "never"},
     FIELD(KEPT_DOUBLE, t_lod)},
    {{"longest", "count", "steps", 1, 1e7, "2000",
      "of a branch, behind which Skills that are still busy are over"},
     FIELD(KEPT_INT64, longest)},
    {{"round", "count", "", 1, 1024, "18", "attempts that are made side by side"},
     FIELD(KEPT_INT, round)},
    {{"solutions", "count", "", 1, 1e6, "1", "goals to reach before the search counts as solved"},
     FIELD(KEPT_INT, solutions)},
    {{"rank", "name", "rank", 0, 0, "score", "what makes one solution better than another"},
     FIELD(KEPT_NAME, rank)},
    {{"weight_score", "number", "", -1e9, 1e9, "1", "rank sum: of the score"},
     FIELD(KEPT_DOUBLE, weight_score)},
    {{"weight_time", "number", "1/s", -1e9, 1e9, "0", "rank sum: of the seconds, taken off"},
     FIELD(KEPT_DOUBLE, weight_time)},
    {{"weight_curvature", "number", "1/rad", -1e9, 1e9, "0",
      "rank sum: of the path's turning, taken off"},
     FIELD(KEPT_DOUBLE, weight_curvature)},
    {{"weight_contacts", "number", "", -1e9, 1e9, "0", "rank sum: of the contacts, taken off"},
     FIELD(KEPT_DOUBLE, weight_contacts)},
    {{"keep_dead", "flag", "false|true", 0, 1, "false",
      "keep the valid prefix of branches that broke a rule"},
     FIELD(KEPT_BOOL, keep_dead)},
    {{"grow_from", "word", "decisions|free", 0, 1, "decisions",
      "states to grow from: where somebody draws, or where no controlled Tactic is busy"},
     FIELD(KEPT_WORD, grow_from)},
    {{"chance", "word", "planner|nature", 0, 1, "nature",
      "who picks what foreign Tactics draw: the search, or nobody"},
     FIELD(KEPT_WORD, chance)},
    {{"predict", "word", "tactics|linear", 0, 1, "tactics",
      "how foreign bodies go on: as their Tactics say, or as they move at the root"},
     FIELD(KEPT_WORD, predict)},
    {{"free_tactics", "flag", "false|true", 0, 1, "false",
      "controlled bodies: any Skill may follow any Skill"},
     FIELD(KEPT_BOOL, free_tactics)},
    {{"threads", "count", "", 0, 256, "0",
      "0: as many as there are cores; changes nothing but time"},
     FIELD(KEPT_INT, threads)},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

int cr_parameter_count(void)
{
    return ROW_COUNT;
}

const cr_parameter *cr_parameter_at(int index)
{
    assert(index >= 0 && index < cr_parameter_count());
    return &rows[index].info;
}

// Whether it is one of a few words, which stand as its unit: "false|true".
static bool is_word(const row *r)
{
    return r->kept == KEPT_BOOL || r->kept == KEPT_WORD;
}

// Where the index-th of such words begins.
static const char *word_at(const char *words, int index)
{
    for (int i = 0; i < index; i++) {
        words += strcspn(words, "|") + 1;
    }
    return words;
}

// How many names there are for a parameter in the library, and one of them.
static int name_count(const cr_library *library, const row *r)
{
    switch (r->offset) {
    case offsetof(cr_planner_def, engine):
        return cr_library_engine_count(library);
    case offsetof(cr_planner_def, select):
        return cr_library_select_count(library);
    default:
        assert(r->offset == offsetof(cr_planner_def, rank));
        return cr_library_rank_count(library);
    }
}

static const char *name_at(const cr_library *library, const row *r, int index)
{
    switch (r->offset) {
    case offsetof(cr_planner_def, engine):
        return cr_library_engine(library, index)->name;
    case offsetof(cr_planner_def, select):
        return cr_library_select(library, index)->name;
    default:
        return cr_library_rank(library, index)->name;
    }
}

const char *cr_parameter_words(int index, const cr_library *library, char *text, size_t size)
{
    assert(index >= 0 && index < cr_parameter_count());
    const row *r = &rows[index];
    snprintf(text, size, "%s", is_word(r) ? r->info.unit : "");
    size_t length = 0;
    for (int i = 0; r->kept == KEPT_NAME && i < name_count(library, r) && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? "|" : "",
                                   name_at(library, r, i));
    }
    return text;
}

int cri_parameter_find(const char *name, cri_suggestion *suggestion)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].info.name, name) == 0) {
            return i;
        }
    }
    for (int i = 0; suggestion && i < ROW_COUNT; i++) {
        cri_suggest(suggestion, rows[i].info.name);
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Reading into a def.

static void store(cr_planner_def *def, const row *r, double value)
{
    char *field = (char *)def + r->offset;
    switch (r->kept) {
    case KEPT_NAME:
        break;
    case KEPT_DOUBLE:
        *(double *)(void *)field = value;
        break;
    case KEPT_UINT64:
        *(uint64_t *)(void *)field = (uint64_t)value;
        break;
    case KEPT_INT64:
        *(int64_t *)(void *)field = (int64_t)value;
        break;
    case KEPT_INT:
        *(int *)(void *)field = (int)value;
        break;
    case KEPT_BOOL:
        *(bool *)(void *)field = value != 0;
        break;
    case KEPT_WORD:
        *(int *)(void *)field = (int)value;
        break;
    }
}

// The field of a KEPT_NAME.
static const char **name_field(cr_planner_def *def, const row *r)
{
    return (const char **)(void *)((char *)def + r->offset);
}

// The name as the library has it, or NULL; then suggestion, unless NULL, knows the nearest.
static const char *find_name(const cr_library *library, const row *r, const char *name,
                             cri_suggestion *suggestion)
{
    int count = name_count(library, r);
    for (int i = 0; i < count; i++) {
        if (strcmp(name_at(library, r, i), name) == 0) {
            return name_at(library, r, i);
        }
    }
    for (int i = 0; suggestion && i < count; i++) {
        cri_suggest(suggestion, name_at(library, r, i));
    }
    return NULL;
}

static void read_name(cri_compiler *c, const cri_node *node, const row *r)
{
    if (node->kind != CRI_NODE_SCALAR) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a name, got %s", r->info.name,
                         cri_node_sort(node));
        return;
    }
    cri_suggestion suggestion = {.word = node->text};
    const char *name = find_name(c->library, r, node->text, &suggestion);
    if (name) {
        *name_field(&c->model->def, r) = name;
    } else {
        cri_compile_unknown(c, node, r->info.name, &suggestion);
    }
}

static bool read_row(cri_compiler *c, const cri_node *node, const row *r, double *value)
{
    const char *name = r->info.name;
    if (is_word(r)) {
        int index = 0;
        bool good = cri_read_word(c, node, name, r->info.unit, &index);
        *value = index;
        return good;
    }
    cri_range range = {r->info.min, r->info.max, false};
    if (!cri_read_number(c, node, name, &range, value)) {
        return false;
    }
    if (r->kept != KEPT_DOUBLE && *value != floor(*value)) {
        return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a whole number, got %g", name,
                                *value);
    }
    return true;
}

static void read_parameter(cri_compiler *c, const cri_node *node, int index)
{
    const row *r = &rows[index];
    double value;
    if (r->kept == KEPT_NAME) {
        read_name(c, node, r);
    } else if (read_row(c, node, r, &value)) {
        store(&c->model->def, r, value);
    }
}

static void read_section(cri_compiler *c, const cri_node *node)
{
    if (node->kind != CRI_NODE_MAP) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "plan must be a mapping, got %s",
                         cri_node_sort(node));
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        cri_suggestion suggestion = {.word = key->text};
        int index = cri_parameter_find(key->text, &suggestion);
        if (index < 0) {
            cri_compile_unknown(c, key, "key", &suggestion);
        } else {
            read_parameter(c, cri_node_value(node, i), index);
        }
    }
}

static void read_all(cri_compiler *c)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        cri_node node = cri_node_word(rows[i].info.fallback);
        cri_compile_subject(c, "default");
        read_parameter(c, &node, i);
    }
    if (c->top[CRI_TOP_PLAN]) {
        cri_compile_subject(c, "plan");
        read_section(c, c->top[CRI_TOP_PLAN]);
    }
    const cr_scene *scene = c->model->scene;
    for (int i = 0; i < scene->setting_count; i++) {
        int index = cri_parameter_find(scene->settings[i].name, NULL);
        if (index >= 0) {
            cri_node node = cri_node_word(scene->settings[i].value);
            cri_compile_subject(c, "setting");
            read_parameter(c, &node, index);
        }
    }
    cri_compile_subject(c, "%s", "");
}

static bool has(const char *name)
{
    return cri_parameter_find(name, NULL) >= 0;
}

const cri_plan_reader cri_plan_parameters = {has, read_all};

// ---------------------------------------------------------------------------------------------
// Printing and checking a def.

static double load(const cr_planner_def *def, const row *r)
{
    const char *field = (const char *)def + r->offset;
    switch (r->kept) {
    case KEPT_NAME:
        break;
    case KEPT_DOUBLE:
        return *(const double *)(const void *)field;
    case KEPT_UINT64:
        return (double)*(const uint64_t *)(const void *)field;
    case KEPT_INT64:
        return (double)*(const int64_t *)(const void *)field;
    case KEPT_INT:
        return *(const int *)(const void *)field;
    case KEPT_BOOL:
        return *(const bool *)(const void *)field;
    case KEPT_WORD:
        return *(const int *)(const void *)field;
    }
    return 0;
}

static const char *load_name(const cr_planner_def *def, const row *r)
{
    return *(const char *const *)(const void *)((const char *)def + r->offset);
}

const char *cri_parameter_print(const cr_planner_def *def, int index, char *text, size_t size)
{
    const row *r = &rows[index];
    if (r->kept == KEPT_NAME) {
        snprintf(text, size, "%s", load_name(def, r));
        return text;
    }
    if (is_word(r)) {
        const char *word = word_at(r->info.unit, (int)load(def, r));
        snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
        return text;
    }
    return cri_number_print(load(def, r), text, size);
}

cr_status cri_planner_def_check(const cr_planner_def *def, const cr_library *library,
                                cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < ROW_COUNT; i++) {
        const cr_parameter *info = &rows[i].info;
        const char *name = rows[i].kept == KEPT_NAME ? load_name(def, &rows[i]) : NULL;
        if (rows[i].kept == KEPT_NAME && (!name || !find_name(library, &rows[i], name, NULL))) {
            status = cri_fail(report, CR_ERR_NAME, (cri_location){0}, "unknown %s \"%s\"",
                              info->name, name ? name : "");
        }
        double value = load(def, &rows[i]);
        // Written so that it is also false for what is not a number.
        if (!(value >= info->min && value <= info->max)) {
            status = cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                              "%s must be from %g to %g, got %g", info->name, info->min, info->max,
                              value);
        }
    }
    return status;
}
