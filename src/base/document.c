// Texts into nodes. libfyaml is asked for events, one by one, and the tree is built on a stack of
// our own: neither side recurses, so the depth limit holds before anything can overflow.
//
//     stack:  [ map | key | value | key | list | item | item ...      (nodes not yet placed)
//               ^frame 0            ^frame 1
//
// When a list or map ends, its items leave the stack for an array in the arena.
#include "base/document.h"

#include <errno.h>
#include <libfyaml.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { DEPTH_MAX = 256, TEXT_CHUNK = 8 << 10, LINE_MAX_BYTES = 256 << 10 };

typedef struct reader {
    const cri_node_source *source;
    cri_arena *arena;
    cr_report *report;
    cr_status status;  // of the first error
    bool stop;         // no use in going on
    int line, column;  // of the last node, for those without a place of their own
    int offset;        // of the last node
    int documents;     // begun
    cri_node *stack;   // nodes that are not yet in an array
    int top, capacity; // of the stack
    int frames[DEPTH_MAX];
    int depth;
    int nodes;
    char *chunk; // texts are packed: plans have millions of short ones
    size_t chunk_left;
} reader;

static void fail_at(reader *r, cr_status status, int line, int column, const char *message)
{
    cri_location place = {r->source->name, line, column};
    cri_fail(r->report, status, place, "%s", message);
    if (r->status == CR_OK) {
        r->status = status;
    }
}

static void fail_memory(reader *r)
{
    cri_fail_memory(r->report);
    r->status = CR_ERR_MEMORY;
    r->stop = true;
}

// ---------------------------------------------------------------------------------------------
// The bytes.

// The length of the UTF-8 character at p, or 0 if it is none or is not printable. Overlong forms,
// surrogates and values above U+10FFFF are none.
static int character_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80) {
        bool blank = p[0] == '\t' || p[0] == '\n' || p[0] == '\r';
        return (p[0] >= 0x20 && p[0] != 0x7f) || blank ? 1 : 0;
    }
    int length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || left < (size_t)length) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
               (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90) ||
               (p[0] == 0xc2 && p[1] < 0xa0);
    return bad ? 0 : length;
}

// libfyaml keeps all tokens of a line until its end, because any of them may turn out to belong to
// a key: some 400 bytes for each number of a list. So lines are limited. The strings of a JSON text
// do not count (a plan holds its scene as one string): as long as a text has no characters outside
// of its strings but JSON's, where strings begin and end is beyond doubt.
typedef struct line_scan {
    bool json, in_string, escaped;
    char last;                     // character outside of strings, blanks aside
    size_t bytes, plain;           // of this line, and those outside of strings
    size_t most_bytes, most_plain; // of any line yet
    int line, line_bytes, line_plain;
} line_scan;

static void scan_json(line_scan *s, char c)
{
    if (s->in_string) {
        s->in_string = s->escaped || c != '"';
        s->escaped = !s->escaped && c == '\\';
        return;
    }
    s->plain++;
    if (strchr(" \t\r\n", c)) {
        return;
    }
    bool first = s->last == 0, fits = strchr("{}[]:,\"0123456789+-.eEtrufalsn", c) != NULL;
    fits = fits && (!first || c == '{' || c == '[') && (c != ':' || s->last == '"') &&
           (c != '"' || strchr("{[,:", s->last));
    s->json = s->json && fits;
    s->in_string = c == '"';
    s->last = c;
}

static void scan_byte(line_scan *s, char c)
{
    s->bytes++;
    scan_json(s, c);
    s->line_bytes = s->bytes > s->most_bytes ? s->line : s->line_bytes;
    s->most_bytes = s->bytes > s->most_bytes ? s->bytes : s->most_bytes;
    s->line_plain = s->plain > s->most_plain ? s->line : s->line_plain;
    s->most_plain = s->plain > s->most_plain ? s->plain : s->most_plain;
    if (c == '\n') {
        s->bytes = s->plain = 0;
        s->line++;
    }
}

static bool check_lines(reader *r)
{
    line_scan s = {.json = true, .line = 1};
    for (size_t i = 0; i < r->source->length; i++) {
        scan_byte(&s, r->source->text[i]);
    }
    size_t most = s.json ? s.most_plain : s.most_bytes;
    if (most <= LINE_MAX_BYTES) {
        return true;
    }
    char message[120];
    snprintf(message, sizeof message, "a line must be at most %d bytes long%s, got %zu",
             LINE_MAX_BYTES, s.json ? " but for its strings" : "", most);
    fail_at(r, CR_ERR_RANGE, s.json ? s.line_plain : s.line_bytes, 1, message);
    return false;
}

static bool check_bytes(reader *r)
{
    const unsigned char *text = (const unsigned char *)r->source->text;
    int line = 1, column = 1, quotes = 0;
    for (size_t i = 0; i < r->source->length;) {
        int length = character_length(text + i, r->source->length - i);
        if (length == 0) {
            char message[80];
            snprintf(message, sizeof message,
                     "the text must be UTF-8 without control characters, got byte 0x%02x", text[i]);
            fail_at(r, CR_ERR_SYNTAX, line, column, message);
            return false;
        }
        // libfyaml 0.7.12 leaks memory where escaped quotes ('') are neighbours.
        quotes = text[i] == '\'' ? quotes + 1 : 0;
        if (quotes > 3) {
            fail_at(r, CR_ERR_SYNTAX, line, column, "at most three ' may stand in a row");
            return false;
        }
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
        i += (size_t)length;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The tree.

static cri_node *push(reader *r, cri_node_kind kind)
{
    if (r->nodes++ >= r->source->nodes) {
        char message[80];
        snprintf(message, sizeof message, "at most %d values are read", r->source->nodes);
        fail_at(r, CR_ERR_RANGE, r->line, r->column, message);
        r->stop = true;
        return NULL;
    }
    if (r->top == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 64;
        cri_node *stack = realloc(r->stack, (size_t)capacity * sizeof *stack);
        if (!stack) {
            fail_memory(r);
            return NULL;
        }
        r->stack = stack;
        r->capacity = capacity;
    }
    cri_node *node = &r->stack[r->top++];
    *node = (cri_node){.kind = kind, .line = r->line, .column = r->column, .offset = r->offset};
    return node;
}

static const char *keep_text(reader *r, const char *text, size_t length)
{
    if (length + 1 > TEXT_CHUNK / 4) {
        const char *copy = cri_arena_text(r->arena, text, length);
        if (!copy) {
            fail_memory(r);
        }
        return copy;
    }
    if (r->chunk_left < length + 1) {
        r->chunk = cri_arena_alloc(r->arena, TEXT_CHUNK, 1);
        r->chunk_left = r->chunk ? TEXT_CHUNK : 0;
        if (!r->chunk) {
            fail_memory(r);
            return NULL;
        }
    }
    char *copy = r->chunk;
    memcpy(copy, text, length);
    copy[length] = 0;
    r->chunk += length + 1;
    r->chunk_left -= length + 1;
    return copy;
}

// The column that a place had before parts of its line were replaced.
static int column_before(const cri_node_source *source, int offset, int column)
{
    int start = offset - column + 1, moved = 0;
    for (int i = 0; i < source->splice_count; i++) {
        const cri_splice *s = &source->splices[i];
        if (s->offset < start || s->offset > offset) {
            continue;
        }
        if (offset < s->offset + s->length) {
            return s->offset - start + 1 - moved;
        }
        moved += s->length - s->cut;
    }
    return column - moved;
}

// Tokens may be missing or have no mark; the last place known stands in.
static void move_to(reader *r, struct fy_token *token)
{
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    if (mark && mark->line >= 0 && mark->column >= 0) {
        r->line = mark->line + 1;
        r->offset = (int)mark->input_pos;
        r->column = column_before(r->source, r->offset, mark->column + 1);
    }
}

static void refuse_extras(reader *r, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor) {
        move_to(r, anchor);
        r->column -= r->column > 1; // the mark is behind the sign
        fail_at(r, CR_ERR_SYNTAX, r->line, r->column, "anchors (&name) are not allowed");
    }
    if (tag) {
        move_to(r, tag);
        fail_at(r, CR_ERR_SYNTAX, r->line, r->column, "tags (!name) are not allowed");
    }
}

// When memory runs out, libfyaml gives an empty text for a token that is not empty. Blanks and the
// ends of lines may fold to nothing. Blocks are left out: their extent is more than their text.
static bool lost_text(const reader *r, struct fy_token *token)
{
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_LITERAL;
    if (!start || !end || style == FYSS_LITERAL || style == FYSS_FOLDED) {
        return false;
    }
    for (size_t i = start->input_pos; i < end->input_pos && i < r->source->length; i++) {
        if (!strchr(" \t\r\n\\", r->source->text[i])) {
            return true;
        }
    }
    return false;
}

static void add_scalar(reader *r, struct fy_token *token)
{
    move_to(r, token);
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    // libfyaml's mark is behind the quote.
    int quote = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    r->column -= quote;
    r->offset -= quote;
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (!text || (length == 0 && lost_text(r, token))) {
        fail_memory(r);
        return;
    }
    if (memchr(text, 0, length)) {
        fail_at(r, CR_ERR_SYNTAX, r->line, r->column, "a text must not contain the character 0");
        length = 0;
    }
    cri_node *node = push(r, CRI_NODE_SCALAR);
    if (node) {
        node->quoted = style != FYSS_PLAIN;
        node->count = (int)length;
        node->text = keep_text(r, text, length);
    }
}

static void open_frame(reader *r, cri_node_kind kind, struct fy_token *token)
{
    move_to(r, token);
    if (r->depth >= r->source->depth || r->depth >= DEPTH_MAX) {
        char message[80];
        snprintf(message, sizeof message, "lists and mappings are nested more than %d deep",
                 r->depth);
        fail_at(r, CR_ERR_RANGE, r->line, r->column, message);
        r->stop = true;
        return;
    }
    r->frames[r->depth++] = r->top;
    push(r, kind);
}

static int compare_keys(const void *a, const void *b)
{
    const cri_node *x = *(const cri_node *const *)a, *y = *(const cri_node *const *)b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x < y ? -1 : x > y);
}

// Sorted, equal keys are neighbours; the later one in the file is at fault.
static void check_keys(reader *r, const cri_node *map)
{
    if (map->count == 0) {
        return;
    }
    const cri_node **keys = malloc((size_t)map->count * sizeof *keys);
    if (!keys) {
        fail_memory(r);
        return;
    }
    int count = 0;
    for (int i = 0; i < map->count; i++) {
        const cri_node *key = cri_node_key(map, i);
        if (key->kind == CRI_NODE_SCALAR && key->count > 0) {
            keys[count++] = key;
        } else {
            fail_at(r, CR_ERR_SYNTAX, key->line, key->column, "a key must be a word");
        }
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int i = 1; i < count; i++) {
        if (strcmp(keys[i - 1]->text, keys[i]->text) == 0) {
            char message[160];
            snprintf(message, sizeof message, "key \"%.100s\" stands here for the second time",
                     keys[i]->text);
            fail_at(r, CR_ERR_SYNTAX, keys[i]->line, keys[i]->column, message);
        }
    }
    free(keys);
}

static void close_frame(reader *r)
{
    int base = r->frames[--r->depth];
    cri_node *node = &r->stack[base];
    int count = r->top - base - 1;
    cri_node *items = cri_arena_alloc(r->arena, (size_t)count, sizeof *items);
    if (!items) {
        fail_memory(r);
        return;
    }
    if (count > 0) {
        memcpy(items, node + 1, (size_t)count * sizeof *items);
    }
    r->top = base + 1;
    node->items = items;
    node->count = node->kind == CRI_NODE_MAP ? count / 2 : count;
    if (node->kind == CRI_NODE_MAP) {
        check_keys(r, node);
    }
}

static void begin_document(reader *r, const struct fy_event *event)
{
    if (r->documents++ > 0) {
        move_to(r, event->document_start.document_start);
        fail_at(r, CR_ERR_SYNTAX, r->line, r->column,
                "the text must be one document, got a second");
        r->stop = true;
    }
}

static void take_event(reader *r, const struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        begin_document(r, event);
        break;
    case FYET_MAPPING_START:
        refuse_extras(r, event->mapping_start.anchor, event->mapping_start.tag);
        open_frame(r, CRI_NODE_MAP, event->mapping_start.mapping_start);
        break;
    case FYET_SEQUENCE_START:
        refuse_extras(r, event->sequence_start.anchor, event->sequence_start.tag);
        open_frame(r, CRI_NODE_LIST, event->sequence_start.sequence_start);
        break;
    case FYET_SCALAR:
        refuse_extras(r, event->scalar.anchor, event->scalar.tag);
        add_scalar(r, event->scalar.value);
        break;
    case FYET_ALIAS:
        move_to(r, event->alias.anchor);
        r->column -= r->column > 1;
        fail_at(r, CR_ERR_SYNTAX, r->line, r->column, "aliases (*name) are not allowed");
        push(r, CRI_NODE_SCALAR);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        close_frame(r);
        break;
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_END:
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// libfyaml.

static void drop_output(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static struct fy_diag *create_diag(void)
{
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.output_fn = drop_output;
    config.colorize = false;
    config.show_source = false;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag) {
        fy_diag_set_collect_errors(diag, true);
    }
    return diag;
}

static void report_diag(reader *r, struct fy_diag *diag)
{
    void *at = NULL;
    int found = 0;
    for (const struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &at));) {
        // Below the first, libfyaml only says how it gave up.
        if (e->type == FYET_ERROR && found++ == 0) {
            fail_at(r, CR_ERR_SYNTAX, e->line > 0 ? e->line : r->line,
                    e->column > 0 ? e->column : r->column, e->msg ? e->msg : "cannot be read");
        }
    }
    if (found == 0) { // it says nothing when memory runs out
        fail_memory(r);
    }
}

static void take_events(reader *r, struct fy_parser *parser, struct fy_diag *diag)
{
    // libfyaml takes a length of 0 for "up to the zero behind it".
    if (fy_parser_set_string(parser, r->source->text, r->source->length) != 0) {
        fail_memory(r);
        return;
    }
    bool ended = false;
    for (struct fy_event *event; !r->stop && (event = fy_parser_parse(parser));) {
        ended = event->type == FYET_STREAM_END;
        take_event(r, event);
        fy_parser_event_free(parser, event);
    }
    if (!ended && !r->stop) {
        report_diag(r, diag);
    }
}

static void parse(reader *r)
{
    struct fy_diag *diag = create_diag();
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&config) : NULL;
    if (parser) {
        take_events(r, parser, diag);
        fy_parser_destroy(parser);
    } else {
        fail_memory(r);
    }
    if (diag) {
        fy_diag_destroy(diag);
    }
}

static const cri_node *finish(reader *r)
{
    if (r->status != CR_OK) {
        return NULL;
    }
    if (r->top == 0) {
        fail_at(r, CR_ERR_SYNTAX, 1, 1, "the text is empty, or all comments");
        return NULL;
    }
    cri_node *root = cri_arena_alloc(r->arena, 1, sizeof *root);
    if (!root) {
        fail_memory(r);
        return NULL;
    }
    *root = r->stack[0];
    return root;
}

cr_status cri_node_read(const cri_node_source *source, cri_arena *arena, const cri_node **root,
                        cr_report *report)
{
    reader r = {.source = source, .arena = arena, .report = report, .line = 1, .column = 1};
    *root = NULL;
    if (check_bytes(&r) && check_lines(&r)) {
        if (source->length > 0) {
            parse(&r);
        }
        *root = finish(&r);
    }
    free(r.stack);
    return r.status;
}

// ---------------------------------------------------------------------------------------------
// Use.

const cri_node *cri_node_get(const cri_node *node, const char *key)
{
    if (!node || node->kind != CRI_NODE_MAP) {
        return NULL;
    }
    for (int i = 0; i < node->count; i++) {
        if (strcmp(cri_node_key(node, i)->text, key) == 0) {
            return cri_node_value(node, i);
        }
    }
    return NULL;
}

bool cri_node_is(const cri_node *node, const char *word)
{
    return node && node->kind == CRI_NODE_SCALAR && strcmp(node->text, word) == 0;
}

bool cri_node_is_null(const cri_node *node)
{
    return node->kind == CRI_NODE_SCALAR && !node->quoted &&
           (node->count == 0 || strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0);
}

// Numbers begin at once: strtoll alone would take leading blanks.
static bool looks_like_number(const cri_node *node)
{
    return node && node->kind == CRI_NODE_SCALAR && !node->quoted && node->count > 0 &&
           strspn(node->text, "0123456789+-.eE") == (size_t)node->count;
}

bool cri_node_number(const cri_node *node, double *value)
{
    if (!looks_like_number(node)) {
        return false;
    }
    const char *end;
    double number = cri_number_read(node->text, &end);
    if (*end || !isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}

bool cri_node_integer(const cri_node *node, int64_t *value)
{
    if (!looks_like_number(node)) {
        return false;
    }
    char *end;
    errno = 0;
    long long number = strtoll(node->text, &end, 10);
    if (*end || errno) {
        return false;
    }
    *value = number;
    return true;
}

bool cri_node_flag(const cri_node *node, bool *value)
{
    bool yes = cri_node_is(node, "true"), no = cri_node_is(node, "false");
    *value = yes ? true : no ? false : *value;
    return yes || no;
}

// Recursion: as deep as the depth limit at most.
int cri_node_compare(const cri_node *a, const cri_node *b)
{
    int order = a->kind != b->kind ? (int)a->kind - (int)b->kind : a->count - b->count;
    if (order || a->kind == CRI_NODE_SCALAR) {
        return order ? order : strcmp(a->text, b->text);
    }
    int items = a->kind == CRI_NODE_MAP ? 2 * a->count : a->count;
    for (int i = 0; i < items && order == 0; i++) {
        order = cri_node_compare(&a->items[i], &b->items[i]);
    }
    return order;
}

cri_node cri_node_word(const char *text)
{
    return (cri_node){
        .kind = CRI_NODE_SCALAR, .count = (int)strlen(text), .offset = -1, .text = text};
}

const char *cri_node_sort(const cri_node *node)
{
    if (cri_node_is_null(node)) {
        return "nothing";
    }
    switch (node->kind) {
    case CRI_NODE_SCALAR:
        return node->quoted ? "a text" : "a word or number";
    case CRI_NODE_LIST:
        return "a list";
    case CRI_NODE_MAP:
        return "a mapping";
    }
    return "";
}

typedef struct printer {
    char *text;
    size_t size, length;
} printer;

static void print_text(printer *p, const char *text)
{
    size_t length = strlen(text);
    if (p->length < p->size) {
        size_t room = p->size - p->length;
        memcpy(p->text + p->length, text, length < room ? length : room);
    }
    p->length += length;
}

// Recursion: as deep as the depth limit at most.
static void print_node(printer *p, const cri_node *node)
{
    if (p->length >= p->size) {
        return;
    }
    if (node->kind == CRI_NODE_SCALAR) {
        print_text(p, node->quoted ? "\"" : "");
        print_text(p, node->text);
        print_text(p, node->quoted ? "\"" : "");
        return;
    }
    bool map = node->kind == CRI_NODE_MAP;
    print_text(p, map ? "{" : "[");
    for (int i = 0; i < node->count; i++) {
        print_text(p, i > 0 ? ", " : "");
        if (map) {
            print_node(p, cri_node_key(node, i));
            print_text(p, ": ");
        }
        print_node(p, map ? cri_node_value(node, i) : &node->items[i]);
    }
    print_text(p, map ? "}" : "]");
}

const char *cri_node_print(const cri_node *node, char *text, size_t size)
{
    printer p = {.text = text, .size = size};
    print_node(&p, node);
    if (p.length < size) {
        text[p.length] = 0;
    } else {
        memcpy(text + size - 4, "...", 4);
    }
    return text;
}
