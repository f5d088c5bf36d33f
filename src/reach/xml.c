#include "reach/xml.h"

#include <assert.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { DEPTH_MAX = 64, VALUE_MAX = 4096, KINDS_MAX = 64, ROWS_MAX = 32 };

// An open element that is read.
typedef struct level {
    const cri_xml_row *row;
    uint32_t seen; // bit i: row i of row->inside stood here
} level;

typedef struct reader {
    const cri_xml_def *def;
    XML_Parser parser;
    cr_report *report;
    cr_status status;
    int depth;   // open elements
    int skipped; // of these, the innermost that are passed over
    level levels[DEPTH_MAX];
    // Kinds of things that were warned about.
    char kinds[KINDS_MAX][96];
    int kind_count;
} reader;

static cri_location here(const reader *r)
{
    return (cri_location){r->def->name, (int)XML_GetCurrentLineNumber(r->parser),
                          (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(reader *r, cr_status status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

// False if an attribute is too long.
static bool check_lengths(reader *r, const char **attributes)
{
    for (int i = 0; attributes[i]; i++) {
        if (strlen(attributes[i]) > VALUE_MAX) {
            stop(r, cri_fail(r->report, CR_ERR_RANGE, here(r),
                             "an attribute must be at most %d bytes long", VALUE_MAX));
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// What no table names.

// Warn about a thing that has no effect, once for each kind; kind and parent name it.
static void warn_once(reader *r, const char *sort, const char *kind, const char *parent)
{
    char text[96];
    snprintf(text, sizeof text, "%s \"%.40s\" in <%.40s>", sort, kind, parent);
    for (int i = 0; i < r->kind_count; i++) {
        if (strcmp(r->kinds[i], text) == 0) {
            return;
        }
    }
    if (r->kind_count < KINDS_MAX) {
        memcpy(r->kinds[r->kind_count++], text, sizeof text);
    }
    cri_warn(r->report, here(r), "unknown %s has no effect", text);
}

// A word that nobody knows: an error where it is a misspelling of one that counts.
static bool report_unknown(reader *r, const char *sort, const cri_suggestion *near,
                           const char *parent)
{
    if (!near->best) {
        warn_once(r, sort, near->word, parent);
        return true;
    }
    char hint[160];
    stop(r, cri_fail(r->report, CR_ERR_NAME, here(r), "unknown %s \"%.60s\" in <%.60s>%s", sort,
                     near->word, parent, cri_suggestion_print(near, hint, sizeof hint)));
    return false;
}

static bool is_word_of(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, word, n) == 0) {
            return true;
        }
        at += n;
    }
    return false;
}

static bool was_asked(const cri_element *e, const char *name)
{
    for (int i = 0; i < e->asked_count; i++) {
        if (strcmp(e->asked[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Attributes that nobody asked for.
static bool check_attributes(reader *r, const cri_element *e, const cri_xml_row *row)
{
    for (const char **a = e->attributes; *a; a += 2) {
        if (was_asked(e, *a) || is_word_of(row->idle, *a) || strncmp(*a, "xmlns", 5) == 0) {
            continue;
        }
        cri_suggestion near = {.word = *a};
        for (int i = 0; i < e->asked_count; i++) {
            cri_suggest(&near, e->asked[i]);
        }
        if (!report_unknown(r, "attribute", &near, e->name)) {
            return false;
        }
    }
    return true;
}

static bool matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    bool open = length && pattern[length - 1] == '*';
    return open ? strncmp(pattern, name, length - 1) == 0 : strcmp(pattern, name) == 0;
}

static bool report_element(reader *r, const cri_xml_row *table, const char *name)
{
    cri_suggestion near = {.word = name};
    for (const cri_xml_row *row = table; row && row->name; row++) {
        if (row->kind == CRI_XML_READ) {
            cri_suggest(&near, row->name);
        }
    }
    return report_unknown(r, "element", &near, r->levels[r->depth - 1].row->name);
}

// ---------------------------------------------------------------------------------------------
// The walk.

static bool check_once(reader *r, const cri_xml_row *table, const cri_xml_row *row)
{
    if (r->depth == 0 || !row->once) {
        return true;
    }
    level *parent = &r->levels[r->depth - 1];
    uint32_t bit = (uint32_t)1 << (row - table);
    if (parent->seen & bit) {
        stop(r, cri_fail(r->report, CR_ERR_SYNTAX, here(r), "<%s> has a second <%s>",
                         parent->row->name, row->name));
        return false;
    }
    parent->seen |= bit;
    return true;
}

static void open_row(reader *r, const cri_xml_row *row, const char *name, const char **attributes)
{
    cri_element element = {.name = name, .attributes = attributes, .place = here(r)};
    r->levels[r->depth++] = (level){.row = row};
    if (!row->open(r->def->context, &element)) {
        stop(r, CR_ERR_SYNTAX);
    } else {
        check_attributes(r, &element, row);
    }
}

static void open_element(reader *r, const char *name, const char **attributes)
{
    const cri_xml_row *table = r->depth ? r->levels[r->depth - 1].row->inside : r->def->root;
    const cri_xml_row *row = table;
    while (row && row->name && !matches(row->name, name)) {
        row++;
    }
    assert(!row || row - table < ROWS_MAX);
    if (!row || !row->name) {
        r->skipped = report_element(r, table, name);
        return;
    }
    switch (row->kind) {
    case CRI_XML_READ:
        if (check_once(r, table, row)) {
            open_row(r, row, name, attributes);
        }
        return;
    case CRI_XML_IDLE:
        break;
    case CRI_XML_REFUSED:
        stop(r, cri_fail(r->report, CR_ERR_NAME, here(r), "<%.60s>: %s", name, row->why));
        break;
    }
    r->skipped = 1;
}

static void XMLCALL on_open(void *context, const XML_Char *name, const XML_Char **attributes)
{
    reader *r = context;
    if (r->status != CR_OK || !check_lengths(r, attributes)) {
        return;
    }
    if (r->depth + r->skipped == DEPTH_MAX) {
        stop(r,
             cri_fail(r->report, CR_ERR_RANGE, here(r), "elements nest deeper than %d", DEPTH_MAX));
    } else if (r->skipped) {
        r->skipped++;
    } else {
        open_element(r, name, attributes);
    }
}

static void XMLCALL on_close(void *context, const XML_Char *name)
{
    (void)name;
    reader *r = context;
    if (r->status != CR_OK) {
        return;
    }
    if (r->skipped) {
        r->skipped--;
        return;
    }
    const cri_xml_row *row = r->levels[--r->depth].row;
    if (row->close && !row->close(r->def->context)) {
        stop(r, CR_ERR_SYNTAX);
    }
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length)
{
    reader *r = context;
    if (r->status != CR_OK || r->skipped || r->depth == 0) {
        return;
    }
    for (int i = 0; i < length; i++) {
        if (!strchr(" \t\r\n", text[i])) {
            warn_once(r, "text", "between the elements", r->levels[r->depth - 1].row->name);
            return;
        }
    }
}

static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int internal)
{
    (void)name, (void)system_id, (void)public_id, (void)internal;
    reader *r = context;
    stop(r, cri_fail(r->report, CR_ERR_SYNTAX, here(r), "a document type is not allowed here"));
}

static void parse(reader *r)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_open, on_close);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    bool good = r->def->length < (1u << 30) &&
                XML_Parse(r->parser, r->def->text, (int)r->def->length, 1) == XML_STATUS_OK;
    if (!good && r->status == CR_OK) {
        r->status = cri_fail(r->report, CR_ERR_SYNTAX, here(r), "not well-formed XML: %s",
                             XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
}

cr_status cri_xml_read(const cri_xml_def *def, cr_report *report)
{
    reader r = {.def = def, .report = report, .parser = XML_ParserCreate(NULL)};
    if (!r.parser) {
        return cri_fail_memory(report);
    }
    parse(&r);
    XML_ParserFree(r.parser);
    return r.status;
}

// ---------------------------------------------------------------------------------------------
// Attributes.

const char *cri_attribute(cri_element *element, const char *name)
{
    if (!was_asked(element, name)) {
        assert(element->asked_count < CRI_XML_ASKED_MAX);
        element->asked[element->asked_count++] = name;
    }
    for (const char **a = element->attributes; *a; a += 2) {
        if (strcmp(a[0], name) == 0) {
            return a[1];
        }
    }
    return NULL;
}

const char *cri_attribute_needed(cri_element *element, const char *name, cr_report *report)
{
    const char *value = cri_attribute(element, name);
    if (!value || !*value) {
        cri_fail(report, CR_ERR_NAME, element->place, "<%s> needs the attribute \"%s\"",
                 element->name, name);
        return NULL;
    }
    return value;
}

static bool read_numbers(const char *text, double *values, int count)
{
    const double largest = 1e6; // nothing of an arm is larger
    const char *const blanks = " \t\r\n";
    for (int i = 0; i < count; i++) {
        const char *end;
        text += strspn(text, blanks);
        values[i] = cri_number_read(text, &end);
        if (end == text || !strchr(blanks, *end) || !(fabs(values[i]) <= largest)) {
            return false;
        }
        text = end;
    }
    return text[strspn(text, blanks)] == 0;
}

bool cri_attribute_numbers(cri_element *element, const char *name, double *values, int count,
                           cr_report *report)
{
    const char *text = cri_attribute(element, name);
    if (!text) {
        return true;
    }
    double read[8];
    if (!read_numbers(text, read, count)) {
        cri_fail(report, CR_ERR_TYPE, element->place,
                 "<%s>: %s must be %d number%s up to 1e6 in size, got \"%.60s\"", element->name,
                 name, count, count == 1 ? "" : "s", text);
        return false;
    }
    memcpy(values, read, (size_t)count * sizeof *values);
    return true;
}
