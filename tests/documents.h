// Documents (scenes, plans) as trees that are written again with one thing changed, each entry and
// item on a line of its own: generators of files that are almost right.
#ifndef TESTS_DOCUMENTS_H
#define TESTS_DOCUMENTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "carom/carom.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/document.h"

// A node and the key that it, or the list that it is in, stands under.
typedef struct spot {
    const cri_node *node;
    const char *under;
} spot;

typedef struct document {
    char *text;
    size_t length;
    cri_arena arena;
    const cri_node *root;
    spot *spots; // all values: of entries and items, and the root; no keys
    int count, capacity;
} document;

static inline void document_collect(document *d, const cri_node *node, const char *under)
{
    if (d->count == d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 256;
        d->spots = realloc(d->spots, (size_t)d->capacity * sizeof *d->spots);
        assert_non_null(d->spots);
    }
    d->spots[d->count++] = (spot){node, under};
    for (int i = 0; node->kind == CRI_NODE_LIST && i < node->count; i++) {
        document_collect(d, &node->items[i], under);
    }
    for (int i = 0; node->kind == CRI_NODE_MAP && i < node->count; i++) {
        document_collect(d, cri_node_value(node, i), cri_node_key(node, i)->text);
    }
}

// The text of a scene, with what its files say in their place.
static inline void document_read_scene(document *d, const char *path)
{
    cr_scene *scene = NULL;
    assert_int_equal(cr_scene_read(path, &scene, NULL), CR_OK);
    const char *text = cr_scene_text(scene, &d->length);
    d->text = malloc(d->length + 1);
    assert_non_null(d->text);
    memcpy(d->text, text, d->length + 1);
    cr_scene_destroy(scene);
}

// Hundreds of dice take their time to compile, and hundreds of times as long; the fuzzers' corpus
// has a few of them.
static inline bool document_is_large(const char *path)
{
    return strstr(path, "/scenes/dice/") != NULL;
}

static inline document document_open(const char *path)
{
    document d = {0};
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".yaml") == 0) {
        document_read_scene(&d, path);
    } else {
        assert_int_equal(cri_file_read(path, 64 << 20, &d.text, &d.length, NULL), CR_OK);
    }
    cri_node_source source = {d.text, d.length, path, 64, 1000000, NULL, 0};
    assert_int_equal(cri_node_read(&source, &d.arena, &d.root, NULL), CR_OK);
    document_collect(&d, d.root, "");
    return d;
}

static inline void document_close(document *d)
{
    cri_arena_free(&d->arena);
    free(d->spots);
    free(d->text);
}

typedef enum change_kind {
    CHANGE_NOTHING,
    CHANGE_KEY,       // a map gets one more entry, first: UNKNOWN_KEY
    CHANGE_ITEM,      // a list gets `times` more items, copies of the last
    CHANGE_DUPLICATE, // entry `index` of a map stands there twice
    CHANGE_DROP,      // entry or item `index` is left away
    CHANGE_WORD,      // a scalar has another text
    CHANGE_SUBTREE,   // another node stands there
} change_kind;

#define UNKNOWN_KEY "qqq_unknown"

typedef struct change {
    change_kind kind;
    const cri_node *target;
    int index, times;
    const char *word;
    const cri_node *other;
    int target_line, line; // found while writing: of the target, and of what is new
} change;

typedef struct writer {
    cri_text text;
    int line;
    change *change;
} writer;

static inline void writer_break(writer *w)
{
    cri_text_add(&w->text, "\n");
    w->line++;
}

static inline void writer_scalar(writer *w, const cri_node *node)
{
    if (node->quoted || node->count == 0 || strpbrk(node->text, ",[]{}:#&*!|>'\"%@`\n")) {
        cri_text_add_string(&w->text, node->text, (size_t)node->count);
    } else {
        cri_text_add(&w->text, "%s", node->text);
    }
}

static inline void writer_node(writer *w, const cri_node *node);

static inline void writer_child(writer *w, const cri_node *node, int index, bool mark)
{
    if (mark) {
        w->change->line = w->line;
    }
    if (node->kind == CRI_NODE_MAP) {
        writer_scalar(w, cri_node_key(node, index));
        cri_text_add(&w->text, ": ");
        writer_node(w, cri_node_value(node, index));
    } else {
        writer_node(w, &node->items[index]);
    }
    cri_text_add(&w->text, ",");
    writer_break(w);
}

static inline void writer_children(writer *w, const cri_node *node)
{
    const change *c = w->change;
    change_kind kind = c->target == node ? c->kind : CHANGE_NOTHING;
    for (int i = 0; i < node->count; i++) {
        if (kind == CHANGE_DROP && i == c->index) {
            continue;
        }
        writer_child(w, node, i, false);
        if (kind == CHANGE_DUPLICATE && i == c->index) {
            writer_child(w, node, i, true);
        }
    }
    for (int i = 0; kind == CHANGE_ITEM && i < c->times; i++) {
        writer_child(w, node, node->count - 1, true);
    }
}

static inline void writer_node(writer *w, const cri_node *node)
{
    change *c = w->change;
    change_kind kind = c->target == node ? c->kind : CHANGE_NOTHING;
    c->target_line = c->target == node ? w->line : c->target_line;
    if (kind == CHANGE_WORD) {
        cri_text_add(&w->text, "%s", c->word);
        return;
    }
    if (kind == CHANGE_SUBTREE) {
        c->target = NULL;
        writer_node(w, c->other);
        return;
    }
    if (node->kind == CRI_NODE_SCALAR) {
        writer_scalar(w, node);
        return;
    }
    bool map = node->kind == CRI_NODE_MAP;
    cri_text_add(&w->text, map ? "{" : "[");
    writer_break(w);
    if (kind == CHANGE_KEY) {
        c->line = w->line;
        cri_text_add(&w->text, UNKNOWN_KEY ": 1,");
        writer_break(w);
    }
    writer_children(w, node);
    cri_text_add(&w->text, map ? "}" : "]");
}

// The document with a change. Free the text's data.
static inline cri_text document_write(const document *d, change *c)
{
    writer w = {.line = 1, .change = c};
    writer_node(&w, d->root);
    writer_break(&w);
    assert_false(w.text.failed);
    return w.text;
}

#endif
