#include "reach/xml.h"

#include <expat.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

enum { DEPTH_MAX = 64, VALUE_MAX = 4096 };

typedef struct reader {
    const cri_xml_def *def;
    XML_Parser parser;
    cr_report *report;
    cr_status status;
    int depth;
} reader;

static cri_place here(const reader *r)
{
    return (cri_place){r->def->name, (int)XML_GetCurrentLineNumber(r->parser),
                       (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(reader *r, cr_status status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

// False if an attribute is too long.
static bool check_attributes(reader *r, const char **attributes)
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

static void XMLCALL on_open(void *context, const XML_Char *name, const XML_Char **attributes)
{
    reader *r = context;
    if (r->status != CR_OK || !check_attributes(r, attributes)) {
        return;
    }
    if (r->depth == DEPTH_MAX) {
        stop(r,
             cri_fail(r->report, CR_ERR_RANGE, here(r), "elements nest deeper than %d", DEPTH_MAX));
        return;
    }
    cri_element element = {name, attributes, here(r), r->depth++};
    if (!r->def->open(r->def->context, &element)) {
        stop(r, CR_ERR_SYNTAX);
    }
}

static void XMLCALL on_close(void *context, const XML_Char *name)
{
    reader *r = context;
    if (r->status == CR_OK && !r->def->close(r->def->context, name, --r->depth)) {
        stop(r, CR_ERR_SYNTAX);
    }
}

static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int internal)
{
    (void)name, (void)system_id, (void)public_id, (void)internal;
    reader *r = context;
    stop(r, cri_fail(r->report, CR_ERR_SYNTAX, here(r), "a document type is not allowed here"));
}

cr_status cri_xml_read(const cri_xml_def *def, cr_report *report)
{
    reader r = {.def = def, .report = report, .parser = XML_ParserCreate(NULL)};
    if (!r.parser) {
        return cri_fail_memory(report);
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_open, on_close);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    bool good = def->length < (1u << 30) &&
                XML_Parse(r.parser, def->text, (int)def->length, 1) == XML_STATUS_OK;
    if (!good && r.status == CR_OK) {
        r.status = cri_fail(report, CR_ERR_SYNTAX, here(&r), "not well-formed XML: %s",
                            XML_ErrorString(XML_GetErrorCode(r.parser)));
    }
    XML_ParserFree(r.parser);
    return r.status;
}

const char *cri_attribute(const cri_element *element, const char *name)
{
    for (const char **a = element->attributes; *a; a += 2) {
        if (strcmp(a[0], name) == 0) {
            return a[1];
        }
    }
    return NULL;
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

bool cri_attribute_numbers(const cri_element *element, const char *name, double *values, int count,
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
