#include "export/export.h"

#include <string.h>

#include "base/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"

// What a character with a meaning in the format is written as; NULL if it has none.
static const char *escape(cri_name_style style, char c)
{
    switch (style) {
    case CRI_NAME_JSON:
        return c == '"'    ? "\\\""
               : c == '\\' ? "\\\\"
               : c == '\n' ? "\\n"
               : c == '\t' ? "\\t"
                           : NULL;
    case CRI_NAME_XML:
        return c == '&'    ? "&amp;"
               : c == '<'  ? "&lt;"
               : c == '>'  ? "&gt;"
               : c == '"'  ? "&quot;"
               : c == '\'' ? "&#39;"
                           : NULL;
    case CRI_NAME_CSV:
        return c == '"' ? "\"\"" : NULL;
    }
    return NULL;
}

static void add_character(cri_text *text, cri_name_style style, const char *at, size_t length)
{
    unsigned char c = (unsigned char)*at;
    bool control = (c < 32 && c != '\n' && c != '\t') || c == 127;
    const char *escaped = escape(style, *at);
    if (length == 0 || control) {
        cri_text_add_bytes(text, REPLACEMENT, 3);
    } else if (escaped) {
        cri_text_add_bytes(text, escaped, strlen(escaped));
    } else {
        cri_text_add_bytes(text, at, length);
    }
}

void cri_text_add_name(cri_text *text, cri_name_style style, const char *name)
{
    name = name ? name : "";
    bool quoted = style == CRI_NAME_JSON || (style == CRI_NAME_CSV && strpbrk(name, ",\"\r\n"));
    cri_text_add_bytes(text, "\"", quoted ? 1 : 0);
    while (*name) {
        size_t length = cri_utf8_length(name);
        add_character(text, style, name, length);
        name += length ? length : 1;
    }
    cri_text_add_bytes(text, "\"", quoted ? 1 : 0);
}
