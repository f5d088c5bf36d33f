// Reading of values while a scene is compiled: every sentence about a wrong value is made here.
#include "scene/compile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

// What is > 0 is not below this, so that no product of a few vanishes.
#define TINY 1e-9

// Far beyond what a scene needs, and near enough that no product of a few overflows.
const cri_range cri_range_any = {-1e9, 1e9, false};
const cri_range cri_range_length = {0, 1e6, true};
const cri_range cri_range_positive = {0, 1e9, true};
const cri_range cri_range_share = {0, 1, false};
const cri_range cri_range_not_negative = {0, 1e9, false};

// ---------------------------------------------------------------------------------------------
// Errors and memory.

void cri_compile_subject(cri_compiler *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(c->subject, sizeof c->subject, format, arguments);
    va_end(arguments);
}

// Nodes without a line were made of a setting or a default.
static cri_location place_of(const cri_compiler *c, const cri_node *node)
{
    if (node && node->line == 0) {
        return (cri_location){0};
    }
    return (cri_location){c->file, node ? node->line : 0, node ? node->column : 0};
}

static bool fail_place(cri_compiler *c, cr_status status, cri_location place, const char *message)
{
    cri_fail(c->report, status, place, "%s%s%s", c->subject, c->subject[0] ? ": " : "", message);
    c->errors++;
    if (c->status == CR_OK) {
        c->status = status;
    }
    return false;
}

bool cri_compile_fail(cri_compiler *c, cr_status status, const cri_node *node, const char *format,
                      ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail_place(c, status, place_of(c, node), message);
}

void cri_compile_warn(cri_compiler *c, const cri_node *node, const char *format, ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(message, sizeof message, format, arguments);
    va_end(arguments);
    cri_warn(c->report, place_of(c, node), "%s%s%s", c->subject, c->subject[0] ? ": " : "",
             message);
}

void cri_compile_no_memory(cri_compiler *c)
{
    if (c->status != CR_ERR_MEMORY) {
        cri_fail_memory(c->report);
    }
    c->status = CR_ERR_MEMORY;
}

void *cri_compile_alloc(cri_compiler *c, size_t count, size_t size)
{
    void *memory = cri_arena_alloc(&c->model->arena, count, size);
    if (!memory) {
        cri_compile_no_memory(c);
    }
    return memory;
}

bool cri_compile_unknown(cri_compiler *c, const cri_node *node, const char *what,
                         const cri_suggestion *suggestion)
{
    char hint[100];
    return cri_compile_fail(c, CR_ERR_NAME, node, "unknown %s \"%.80s\"%s", what, suggestion->word,
                            cri_suggestion_print(suggestion, hint, sizeof hint));
}

// ---------------------------------------------------------------------------------------------
// Mappings and lists.

static bool expect(cri_compiler *c, const cri_node *node, cri_node_kind kind, const char *what,
                   const char *sort)
{
    if (node->kind == kind && !cri_node_is_null(node)) {
        return true;
    }
    return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be %s, got %s", what, sort,
                            cri_node_sort(node));
}

static int find_key(const cri_keys *keys, const char *name)
{
    for (int i = 0; i < keys->count; i++) {
        if (strcmp(keys->rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void fail_key(cri_compiler *c, const cri_node *key, const cri_keys *keys)
{
    cri_suggestion suggestion = {.word = key->text};
    for (int i = 0; i < keys->count; i++) {
        cri_suggest(&suggestion, keys->rows[i].name);
    }
    cri_compile_unknown(c, key, "key", &suggestion);
}

bool cri_read_map(cri_compiler *c, const cri_node *node, const cri_keys *keys,
                  const cri_node **values)
{
    memset(values, 0, (size_t)keys->count * sizeof *values);
    if (!expect(c, node, CRI_NODE_MAP, keys->what, "a mapping")) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        int row = find_key(keys, cri_node_key(node, i)->text);
        if (row >= 0) {
            values[row] = cri_node_value(node, i);
        } else {
            fail_key(c, cri_node_key(node, i), keys);
            good = false;
        }
    }
    for (int i = 0; i < keys->count; i++) {
        if (keys->rows[i].required && !values[i]) {
            good = cri_compile_fail(c, CR_ERR_NAME, node, "key \"%s\" is missing in %s",
                                    keys->rows[i].name, keys->what);
        }
    }
    return good;
}

static void list_words(const cri_keys *keys, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < keys->count && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
                                   keys->rows[i].name);
    }
}

// Report the keys of a mapping that no table has; false if there are none.
static bool fail_unknown(cri_compiler *c, const cri_node *node, const cri_keys *keys)
{
    bool any = false;
    for (int i = 0; node->kind == CRI_NODE_MAP && i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        if (find_key(keys, key->text) < 0) {
            fail_key(c, key, keys);
            any = true;
        }
    }
    return any;
}

int cri_read_choice(cri_compiler *c, const cri_node *node, const cri_keys *keys,
                    const cri_node **value)
{
    if (fail_unknown(c, node, keys)) {
        return -1;
    }
    if (node->kind != CRI_NODE_MAP || node->count != 1) {
        char words[200];
        list_words(keys, words, sizeof words);
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a mapping with one key of %s, got %s",
                         keys->what, words, cri_node_sort(node));
        return -1;
    }
    *value = cri_node_value(node, 0);
    return find_key(keys, cri_node_key(node, 0)->text);
}

// Names go into pages, tables and other programs; this keeps them harmless everywhere.
static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-.";
    size_t length = strlen(text);
    return length > 0 && length <= CRI_NAME_MAX && strchr(letters, text[0]) &&
           strspn(text, others) == length;
}

bool cri_read_names(cri_compiler *c, const cri_node *node, const char *what, int max)
{
    if (!expect(c, node, CRI_NODE_MAP, what, "a mapping")) {
        return false;
    }
    if (node->count > max) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must be at most %d, got %d", what, max,
                                node->count);
    }
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        if (!is_name(key->text)) {
            cri_compile_fail(c, CR_ERR_NAME, key,
                             "%s: a name is a letter and up to %d letters, digits, - _ and ., "
                             "got \"%.80s\"",
                             what, CRI_NAME_MAX - 1, key->text);
        }
    }
    return true;
}

bool cri_read_list(cri_compiler *c, const cri_node *node, const char *what, int min, int max)
{
    if (!expect(c, node, CRI_NODE_LIST, what, "a list")) {
        return false;
    }
    if (node->count >= min && node->count <= max) {
        return true;
    }
    if (min == max) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must have %d values, got %d", what, min,
                                node->count);
    }
    return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must have %d to %d values, got %d", what,
                            min, max, node->count);
}

// ---------------------------------------------------------------------------------------------
// Numbers and words.

static bool in_range(cri_compiler *c, const cri_node *node, const char *what,
                     const cri_range *range, double value)
{
    if (range->above && value <= range->min) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must be > %g, got %g", what, range->min,
                                value);
    }
    double least = range->above ? range->min + TINY : range->min;
    if (value < least) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must be at least %g, got %g", what,
                                least, value);
    }
    if (value > range->max) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must be at most %g, got %g", what,
                                range->max, value);
    }
    return true;
}

bool cri_read_number(cri_compiler *c, const cri_node *node, const char *what,
                     const cri_range *range, double *value)
{
    if (!expect(c, node, CRI_NODE_SCALAR, what, "a number")) {
        return false;
    }
    cri_expression_error error;
    double number;
    if (!cri_expression(node->text, &c->constants, &number, &error)) {
        // The offset is exact on one line; a text over several lines is located by its start.
        cri_location place = place_of(c, node);
        place.column +=
            strchr(node->text, '\n') || place.line == 0 ? 0 : error.offset + node->quoted;
        char message[400];
        snprintf(message, sizeof message, "%s must be a number: %s", what, error.message);
        return fail_place(c, error.status, place, message);
    }
    if (!in_range(c, node, what, range, number)) {
        return false;
    }
    *value = number;
    return true;
}

bool cri_read_count(cri_compiler *c, const cri_node *node, const char *what, int min, int max,
                    int *value)
{
    cri_range range = {min, max, false};
    double number;
    if (!cri_read_number(c, node, what, &range, &number)) {
        return false;
    }
    if (number != floor(number)) {
        return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a whole number, got %g", what,
                                number);
    }
    *value = (int)number;
    return true;
}

bool cri_read_flag(cri_compiler *c, const cri_node *node, const char *what, bool *value)
{
    int index = 0;
    if (!cri_read_word(c, node, what, "false|true", &index)) {
        return false;
    }
    *value = index == 1;
    return true;
}

bool cri_read_word(cri_compiler *c, const cri_node *node, const char *what, const char *words,
                   int *index)
{
    if (!expect(c, node, CRI_NODE_SCALAR, what, "a word")) {
        return false;
    }
    size_t length = strlen(node->text);
    int row = 0;
    for (const char *word = words; *word; row++) {
        size_t size = strcspn(word, "|");
        if (size == length && memcmp(word, node->text, size) == 0) {
            *index = row;
            return true;
        }
        word += size + (word[size] == '|');
    }
    return cri_compile_fail(c, CR_ERR_NAME, node, "%s must be one of %s, got \"%.80s\"", what,
                            words, node->text);
}

bool cri_read_vector(cri_compiler *c, const cri_node *node, const char *what, int min, int *count,
                     cr_vec3 *vector)
{
    if (!cri_read_list(c, node, what, min, 3)) {
        return false;
    }
    double v[3] = {0};
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        good = cri_read_number(c, &node->items[i], what, &cri_range_any, &v[i]) && good;
    }
    if (good) {
        *vector = (cr_vec3){v[0], v[1], v[2]};
        if (count) {
            *count = node->count;
        }
    }
    return good;
}

bool cri_read_rotation(cri_compiler *c, const cri_node *heading, const cri_node *rotation,
                       cr_quat *base, double *angle)
{
    if (heading && rotation) {
        return cri_compile_fail(c, CR_ERR_NAME, rotation,
                                "\"heading\" and \"rotation\" exclude each other");
    }
    if (heading) {
        return cri_read_number(c, heading, "heading", &cri_range_any, angle);
    }
    if (!rotation) {
        return true;
    }
    if (!cri_read_list(c, rotation, "rotation", 4, 4)) {
        return false;
    }
    double q[4];
    for (int i = 0; i < 4; i++) {
        if (!cri_read_number(c, &rotation->items[i], "rotation", &cri_range_any, &q[i])) {
            return false;
        }
    }
    if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-12) {
        return cri_compile_fail(c, CR_ERR_RANGE, rotation, "rotation must not be all zero");
    }
    *base = cri_quat_unit((cr_quat){q[0], q[1], q[2], q[3]});
    return true;
}

// ---------------------------------------------------------------------------------------------
// Names.

static bool expect_name(cri_compiler *c, const cri_node *node, const char *what, const char *of)
{
    if (node->kind == CRI_NODE_SCALAR && !cri_node_is_null(node)) {
        return true;
    }
    return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be the name of %s, got %s", what, of,
                            cri_node_sort(node));
}

// Looking for near words is slow, and nobody sees the errors that a report has no room for.
static bool hints_wanted(const cri_compiler *c)
{
    return c->report && c->report->count < CR_REPORT_MAX;
}

static void suggest_bodies(const cri_compiler *c, cri_suggestion *suggestion)
{
    for (int i = 0; hints_wanted(c) && i < c->model->crowd_count; i++) {
        cri_suggest(suggestion, c->model->crowds[i].name);
    }
    for (int i = 0; hints_wanted(c) && i < c->model->body_count; i++) {
        cri_suggest(suggestion, c->model->bodies[i].name);
    }
}

static void suggest_regions(const cri_compiler *c, cri_suggestion *suggestion)
{
    for (int i = 0; hints_wanted(c) && i < c->model->region_count; i++) {
        cri_suggest(suggestion, c->model->regions[i].name);
    }
}

// A body of that name, or the member that a crowd's name stands for; -1 if there is none.
static int find_body(const cri_compiler *c, const char *name)
{
    for (int i = c->scope_count - 1; i >= 0; i--) {
        const cri_crowd *crowd = &c->model->crowds[c->scopes[i].crowd];
        if (strcmp(crowd->name, name) == 0) {
            return crowd->first + c->scopes[i].member;
        }
    }
    return cr_model_find_body(c->model, name);
}

static bool fail_crowd(cri_compiler *c, const cri_node *node, int crowd)
{
    const char *name = c->model->crowds[crowd].name;
    return cri_compile_fail(c, CR_ERR_NAME, node,
                            "\"%s\" is a crowd of %d; name one, as \"%s.1\", or speak of all by "
                            "{each: %s, is: ...}",
                            name, c->model->crowds[crowd].count, name, name);
}

int cri_read_body(cri_compiler *c, const cri_node *node, const char *what)
{
    if (!expect_name(c, node, what, "a body")) {
        return -1;
    }
    int body = find_body(c, node->text), crowd = cri_find_crowd(c->model, node->text);
    if (body < 0 && crowd >= 0) {
        fail_crowd(c, node, crowd);
    } else if (body < 0) {
        cri_suggestion suggestion = {.word = node->text};
        suggest_bodies(c, &suggestion);
        cri_compile_unknown(c, node, "body", &suggestion);
    }
    return body;
}

bool cri_read_bodies(cri_compiler *c, const cri_node *node, const char *what, int *first,
                     int *count)
{
    int crowd = node->kind == CRI_NODE_SCALAR ? cri_find_crowd(c->model, node->text) : -1;
    *first = crowd >= 0 ? c->model->crowds[crowd].first : cri_read_body(c, node, what);
    *count = crowd >= 0 ? c->model->crowds[crowd].count : 1;
    return *first >= 0;
}

// A region of that name, or the cell that is a member's own; -1 if there is none.
static int find_region(const cri_compiler *c, const char *name)
{
    int cell = cri_find_cell(c, name);
    return cell >= 0 ? cell : cr_model_find_region(c->model, name);
}

int cri_read_region(cri_compiler *c, const cri_node *node, const char *what)
{
    if (!expect_name(c, node, what, "a region")) {
        return -1;
    }
    int region = find_region(c, node->text);
    if (region < 0 && cri_check_cell(c, node)) {
        cri_suggestion suggestion = {.word = node->text};
        suggest_regions(c, &suggestion);
        cri_compile_unknown(c, node, "region", &suggestion);
    }
    return region;
}

bool cri_read_thing(cri_compiler *c, const cri_node *node, const char *what, int *thing)
{
    if (!expect_name(c, node, what, "a body or region")) {
        return false;
    }
    int body = find_body(c, node->text), crowd = cri_find_crowd(c->model, node->text);
    int region = body < 0 ? find_region(c, node->text) : -1;
    if (body < 0 && crowd >= 0) {
        return fail_crowd(c, node, crowd);
    }
    if (body < 0 && region < 0 && !cri_check_cell(c, node)) {
        return false;
    }
    if (body < 0 && region < 0) {
        cri_suggestion suggestion = {.word = node->text};
        suggest_bodies(c, &suggestion);
        suggest_regions(c, &suggestion);
        return cri_compile_unknown(c, node, "body or region", &suggestion);
    }
    *thing = body >= 0 ? body : -1 - region;
    return true;
}

int cri_read_material(cri_compiler *c, const cri_node *node, const char *what)
{
    if (!expect_name(c, node, what, "a material")) {
        return -1;
    }
    for (int i = 0; i < c->model->material_count; i++) {
        if (strcmp(c->model->materials[i].name, node->text) == 0) {
            return i;
        }
    }
    cri_suggestion suggestion = {.word = node->text};
    for (int i = 0; hints_wanted(c) && i < c->model->material_count; i++) {
        cri_suggest(&suggestion, c->model->materials[i].name);
    }
    cri_compile_unknown(c, node, "material", &suggestion);
    return -1;
}
