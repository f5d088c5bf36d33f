#include "export/export.h"

#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

// The length of the well-formed UTF-8 sequence at `at`, or 0. Overlong forms, surrogates and
// values above U+10FFFF are not well-formed (Unicode 15, table 3-7). A zero byte ends every test,
// so nothing behind the text is read.
static size_t sequence_length(const unsigned char *at)
{
    if (at[0] < 0x80) {
        return 1;
    }
    size_t length = at[0] >= 0xF0 ? 4 : (at[0] >= 0xE0 ? 3 : 2);
    unsigned char low = 0x80, high = 0xBF;
    switch (at[0]) {
    case 0xE0:
        low = 0xA0;
        break;
    case 0xED:
        high = 0x9F;
        break;
    case 0xF0:
        low = 0x90;
        break;
    case 0xF4:
        high = 0x8F;
        break;
    default:
        break;
    }
    if (at[0] < 0xC2 || at[0] > 0xF4 || at[1] < low || at[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

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
        size_t length = sequence_length((const unsigned char *)name);
        add_character(text, style, name, length);
        name += length ? length : 1;
    }
    cri_text_add_bytes(text, "\"", quoted ? 1 : 0);
}
