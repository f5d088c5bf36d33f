// A text of the outside world (YAML, or JSON, which is a part of it) as a tree of nodes.
//
// Everything that comes from a file passes through here, so the rules against hostile texts are
// here: limits of size, depth and number of nodes; valid UTF-8 without control characters; one
// document; no anchors, aliases and tags; keys are words, none twice. Nothing else sees libfyaml.
// Nodes and their texts live in the caller's arena. Every node knows its line and column,
// and where in the text it begins.
#ifndef CRI_DOCUMENT_H
#define CRI_DOCUMENT_H

#include "base/arena.h"
#include "base/report.h"

typedef enum cri_node_kind {
    CRI_NODE_SCALAR,
    CRI_NODE_LIST,
    CRI_NODE_MAP,
} cri_node_kind;

typedef struct cri_node {
    cri_node_kind kind;
    bool quoted; // scalar: it stood in quotes or in a block, so it is a text and never a number
    int line, column; // from 1; 0 for a node that was made and not read
    int count;        // bytes of a scalar, items of a list, entries of a map
    int offset;       // bytes before it in the text that was read; -1 for a node that was made
    union {
        const char *text;             // scalar; zero-terminated, no zero inside
        const struct cri_node *items; // list: count items; map: key, value, key, value ...
    };
} cri_node;

// A part of a text that took the place of another one. Columns are those of the text before.
typedef struct cri_splice {
    int offset, length; // bytes, in the text
    int cut;            // how many bytes were there
} cri_splice;

// What to read, and how much of it at most.
typedef struct cri_node_source {
    const char *text;
    size_t length;
    const char *name;          // stands for the file in messages
    int depth;                 // most lists and maps inside each other
    int nodes;                 // most nodes
    const cri_splice *splices; // in the order of the text
    int splice_count;
} cri_node_source;

// Read a text. All errors found are reported; *root is NULL unless there are none.
cr_status cri_node_read(const cri_node_source *source, cri_arena *arena, const cri_node **root,
                        cr_report *report);

// The value of a key, or NULL if node is no map or has no such key.
const cri_node *cri_node_get(const cri_node *node, const char *key);

static inline const cri_node *cri_node_key(const cri_node *map, int entry)
{
    return &map->items[2 * entry];
}

static inline const cri_node *cri_node_value(const cri_node *map, int entry)
{
    return &map->items[2 * entry + 1];
}

// True for a scalar with that text.
bool cri_node_is(const cri_node *node, const char *word);

// True for a value that is not there: `key:` or `key: null`.
bool cri_node_is_null(const cri_node *node);

// Plain values as JSON has them, without expressions. False if the node is something else or does
// not fit.
bool cri_node_number(const cri_node *node, double *value);
bool cri_node_integer(const cri_node *node, int64_t *value);
bool cri_node_flag(const cri_node *node, bool *value);

// An order of nodes by what they say, wherever they stand; 0 if they say the same.
int cri_node_compare(const cri_node *a, const cri_node *b);

// A scalar that needs no reading, as for defaults.
cri_node cri_node_word(const char *text);

// "a number or word", "a list", "a mapping" or "nothing", for messages.
const char *cri_node_sort(const cri_node *node);

// The node as one line of YAML, cut with "..." when it does not fit; returns text.
const char *cri_node_print(const cri_node *node, char *text, size_t size);

#endif
