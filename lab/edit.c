#include "lab/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + strlen(word), word)) {
        count++;
    }
    return count;
}

// One part of the text, from `find` up to `until`.
static char *edit_part(const edit *e, const char *text)
{
    const char *begin = strstr(text, e->find), *end = begin ? strstr(begin, e->until) : NULL;
    size_t size = strlen(text) + strlen(e->text) + 1;
    char *result = end ? malloc(size) : NULL;
    if (result) {
        snprintf(result, size, "%.*s%s%s", (int)(begin - text), text, e->text, end);
    }
    return result;
}

static char *edit_words(const edit *e, const char *text)
{
    int count = count_of(text, e->find);
    char *result = count > 0 ? malloc(strlen(text) + (size_t)count * strlen(e->text) + 1) : NULL;
    char *out = result;
    for (const char *at = text; result && *at;) {
        bool here = strncmp(at, e->find, strlen(e->find)) == 0;
        const char *from = here ? e->text : at;
        size_t length = here ? strlen(e->text) : 1;
        memcpy(out, from, length);
        out += length;
        at += here ? strlen(e->find) : 1;
    }
    if (result) {
        *out = 0;
    }
    return result;
}

char *edit_text(const edit *e, const char *text)
{
    if (!e->find[0]) {
        return strdup(text);
    }
    return e->until[0] ? edit_part(e, text) : edit_words(e, text);
}
