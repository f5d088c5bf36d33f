#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t cri_utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
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

// Controls of the first and second kind, ends of lines and paragraphs, and marks that turn the
// direction of what follows. All but the first kind are two or three bytes long.
static bool is_control(const unsigned char *at, size_t length)
{
    if (length == 1) {
        return at[0] < 0x20 || at[0] == 0x7F;
    }
    if (length == 2) {
        return (at[0] == 0xC2 && at[1] < 0xA0) || // U+0080 .. U+009F
               (at[0] == 0xD8 && at[1] == 0x9C);  // U+061C
    }
    bool general = length == 3 && at[0] == 0xE2;                            // U+2000 .. U+2FFF
    return general && ((at[1] == 0x80 && at[2] >= 0x8E && at[2] <= 0x8F) || // U+200E, U+200F
                       (at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE) || // U+2028 .. U+202E
                       (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));  // U+2066 .. U+2069
}

// Print the character at `at` as it is shown, at most 16 bytes; returns the bytes it took.
static size_t show_character(const char *at, char shown[17])
{
    size_t length = cri_utf8_length(at);
    if (length > 0 && !is_control((const unsigned char *)at, length)) {
        memcpy(shown, at, length);
        shown[length] = 0;
        return length;
    }
    size_t took = length > 0 ? length : 1;
    if (*at == '\n' || *at == '\t') {
        snprintf(shown, 17, *at == '\n' ? "\\n" : "\\t");
        return took;
    }
    for (size_t i = 0; i < took; i++) {
        snprintf(shown + 4 * i, 17 - 4 * i, "\\x%02x", (unsigned)(unsigned char)at[i]);
    }
    return took;
}

const char *cr_text_show(const char *text, char *out, size_t size)
{
    size_t used = 0, cut = 0; // cut: the last place where "..." has room
    out[0] = 0;
    while (*text) {
        char shown[17];
        text += show_character(text, shown);
        size_t length = strlen(shown);
        if (used + length >= size) {
            snprintf(out + cut, size - cut, "...");
            break;
        }
        memcpy(out + used, shown, length + 1);
        used += length;
        cut = used + 3 < size ? used : cut;
    }
    return out;
}
