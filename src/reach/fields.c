#include "reach/fields.h"

#include <stdio.h>
#include <string.h>

typedef struct walk {
    const char *file;
    cr_report *report;
    cr_status status; // of the first error
    char idle[240];   // keys without effect, separated by commas
    cri_location idle_place;
} walk;

// A mapping on the way down.
typedef struct spot {
    const cri_field *table;
    const char *key; // that it stands below; NULL for the root
    bool used;       // false below a key that has no effect
} spot;

static cri_location place_of(const walk *w, const cri_node *node)
{
    return (cri_location){w->file, node->line, node->column};
}

static void fail(walk *w, cr_status status)
{
    w->status = w->status == CR_OK ? status : w->status;
}

bool cri_field_blank(const cri_node *node)
{
    if (!node || cri_node_is_null(node)) {
        return true;
    }
    if (node->kind == CRI_NODE_SCALAR) {
        double value;
        return node->count == 0 || cri_word_alike(node->text, "false") ||
               (cri_node_number(node, &value) && value == 0);
    }
    bool map = node->kind == CRI_NODE_MAP;
    for (int i = 0; i < node->count; i++) {
        if (!cri_field_blank(map ? cri_node_value(node, i) : &node->items[i])) {
            return false;
        }
    }
    return true;
}

static void report_unknown(walk *w, spot at, const cri_node *key)
{
    cri_suggestion near = {.word = key->text};
    for (const cri_field *row = at.table; row && row->key; row++) {
        cri_suggest(&near, row->key);
    }
    char hint[160];
    fail(w, cri_fail(w->report, CR_ERR_NAME, place_of(w, key), "unknown key \"%.80s\"%s%s%s",
                     key->text, at.key ? " in " : "", at.key ? at.key : "",
                     cri_suggestion_print(&near, hint, sizeof hint)));
}

// Keep the name of a key without effect, once.
static void note_idle(walk *w, spot at, const cri_node *key)
{
    char name[100];
    snprintf(name, sizeof name, "%s%s%s", at.key ? at.key : "", at.key ? "." : "", key->text);
    size_t length = strlen(w->idle);
    if (length == 0) {
        w->idle_place = place_of(w, key);
    }
    if (!strstr(w->idle, name) && length + strlen(name) + 3 < sizeof w->idle) {
        snprintf(w->idle + length, sizeof w->idle - length, "%s%s", length ? ", " : "", name);
    }
}

static void walk_node(walk *w, const cri_node *node, spot at);

static void walk_entry(walk *w, const cri_node *key, const cri_node *value, spot at)
{
    const cri_field *row = at.table;
    while (row && row->key && strcmp(row->key, key->text) != 0) {
        row++;
    }
    if (!row || !row->key) {
        report_unknown(w, at, key);
        return;
    }
    bool counts = at.used && !cri_field_blank(value);
    if (counts && row->kind == CRI_FIELD_REFUSED) {
        fail(w,
             cri_fail(w->report, CR_ERR_TYPE, place_of(w, key), "\"%s\": %s", row->key, row->why));
        return;
    }
    if (counts && row->kind == CRI_FIELD_IDLE) {
        note_idle(w, at, key);
    }
    walk_node(w, value, (spot){row->inside, row->key, at.used && row->kind == CRI_FIELD_USED});
}

static void walk_node(walk *w, const cri_node *node, spot at)
{
    switch (node->kind) {
    case CRI_NODE_SCALAR:
        break;
    case CRI_NODE_LIST:
        for (int i = 0; i < node->count; i++) {
            walk_node(w, &node->items[i], at);
        }
        break;
    case CRI_NODE_MAP:
        for (int i = 0; i < node->count; i++) {
            walk_entry(w, cri_node_key(node, i), cri_node_value(node, i), at);
        }
        break;
    }
}

cr_status cri_fields_check(const cri_node *root, const char *file, const cri_field *table,
                           cr_report *report)
{
    walk w = {.file = file, .report = report};
    if (root->kind != CRI_NODE_MAP) {
        return cri_fail(report, CR_ERR_TYPE, place_of(&w, root),
                        "the file must be a mapping, got %s", cri_node_sort(root));
    }
    walk_node(&w, root, (spot){table, NULL, true});
    if (w.idle[0]) {
        cri_warn(report, w.idle_place, "without effect here: %s", w.idle);
    }
    return w.status;
}
