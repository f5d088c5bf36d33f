#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cr_status fail_file(cr_report *report, const char *path, const char *what)
{
    return cri_fail(report, CR_ERR_FILE, (cri_location){.file = path}, "%s: %s", what,
                    strerror(errno));
}

static cr_status read_all(int file, const char *path, size_t length, char **text, cr_report *report)
{
    char *data = malloc(length + 1);
    if (!data) {
        return cri_fail_memory(report);
    }
    size_t done = 0;
    while (done < length) {
        ssize_t n = read(file, data + done, length - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            free(data);
            return fail_file(report, path, "cannot be read");
        }
        if (n == 0) {
            free(data);
            return cri_fail(report, CR_ERR_FILE, (cri_location){.file = path},
                            "became shorter while it was read");
        }
        done += (size_t)n;
    }
    data[length] = 0;
    *text = data;
    return CR_OK;
}

cr_status cri_file_read(const char *path, size_t max, char **text, size_t *length,
                        cr_report *report)
{
    cri_location place = {.file = path};
    // O_NONBLOCK: opening a pipe without a writer must not hang.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return fail_file(report, path, "cannot be opened");
    }
    struct stat info;
    cr_status status = CR_OK;
    if (fstat(file, &info) != 0) {
        status = fail_file(report, path, "cannot be looked at");
    } else if (S_ISDIR(info.st_mode)) {
        status = cri_fail(report, CR_ERR_FILE, place, "is a folder, not a file");
    } else if (!S_ISREG(info.st_mode)) {
        status = cri_fail(report, CR_ERR_FILE, place, "is not a regular file");
    } else if ((uintmax_t)info.st_size > max) {
        status = cri_fail(report, CR_ERR_RANGE, place, "is %jd bytes long; at most %zu are read",
                          (intmax_t)info.st_size, max);
    } else {
        *length = (size_t)info.st_size;
        status = read_all(file, path, *length, text, report);
    }
    close(file);
    return status;
}

static bool reserve(cri_text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    size_t need = text->length + more + 1;
    if (need > text->capacity) {
        size_t capacity = need > 2 * text->capacity ? need : 2 * text->capacity;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return false;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return true;
}

void cri_text_add(cri_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = cri_format_list(NULL, 0, format, arguments);
    text->failed = text->failed || length < 0;
    if (length >= 0 && reserve(text, (size_t)length)) {
        cri_format_list(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void cri_text_add_bytes(cri_text *text, const void *data, size_t length)
{
    if (reserve(text, length)) {
        memcpy(text->data + text->length, data, length);
        text->length += length;
        text->data[text->length] = 0;
    }
}

void cri_text_add_number(cri_text *text, double value)
{
    char number[40];
    cri_text_add(text, "%s", cri_number_print(value, number, sizeof number));
}

void cri_text_add_string(cri_text *text, const char *string, size_t length)
{
    cri_text_add(text, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)string[i];
        if (c == '"' || c == '\\') {
            cri_text_add(text, "\\%c", c);
        } else if (c == '\n') {
            cri_text_add(text, "\\n");
        } else if (c == '\t') {
            cri_text_add(text, "\\t");
        } else if (c < 32 || c == 127) {
            cri_text_add(text, "\\u%04x", c);
        } else if (c == 0xC2 && i + 1 < length && (unsigned char)string[i + 1] < 0xA0) {
            cri_text_add(text, "\\u%04x", (unsigned char)string[++i]); // controls of two bytes
        } else {
            cri_text_add_bytes(text, &string[i], 1);
        }
    }
    cri_text_add(text, "\"");
}

void cri_text_free(cri_text *text)
{
    free(text->data);
    *text = (cri_text){0};
}
