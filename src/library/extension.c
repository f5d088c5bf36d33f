// Extensions: shared objects with types of their own. The only place that calls dlopen.
#include "library/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/report.h"

// ---------------------------------------------------------------------------------------------
// What an extension says of itself.

// Name and version stand in plans and messages.
static bool is_word(const char *text)
{
    enum { LENGTH_MAX = 40 };
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = text ? strnlen(text, LENGTH_MAX + 1) : 0;
    return length > 0 && length <= LENGTH_MAX && strspn(text, letters) == length;
}

// While the major version is 0 every minor one may change what the headers declare; later none
// does, but an older carom may lack what a newer one has.
static bool is_compatible(const cr_extension *e)
{
    return CR_VERSION_MAJOR == 0 ? e->major == 0 && e->minor == CR_VERSION_MINOR
                                 : e->major == CR_VERSION_MAJOR && e->minor <= CR_VERSION_MINOR;
}

static cr_status check(const cr_extension *e, cri_location place, cr_report *report)
{
    if (e->mark != CR_EXTENSION_MARK) {
        return cri_fail(report, CR_ERR_FILE, place,
                        "is no extension: its " CR_EXTENSION_SYMBOL " is something else");
    }
    if (!is_compatible(e)) {
        return cri_fail(report, CR_ERR_VERSION, place,
                        "was compiled for carom %d.%d, and this is carom %s; compile it again",
                        e->major, e->minor, cr_version());
    }
    if (!is_word(e->name) || !is_word(e->version) || !e->add) {
        return cri_fail(report, CR_ERR_NAME, place,
                        "an extension must have a name, a version (up to 40 letters, digits, _, - "
                        "and .) and a function that registers what it has");
    }
    return CR_OK;
}

static cr_status check_new(const cr_library *library, const cr_extension *e, cri_location place,
                           cr_report *report)
{
    for (int i = 0; i < cr_library_extension_count(library); i++) {
        if (strcmp(cr_library_extension(library, i)->name, e->name) == 0) {
            return cri_fail(report, CR_ERR_NAME, place, "the extension \"%s\" is there already",
                            e->name);
        }
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Registration.

void cri_loaded_free(cri_loaded *loaded)
{
    if (loaded->handle) {
        dlclose(loaded->handle);
    }
    free(loaded->path);
    free(loaded);
}

// All of it or nothing; handle and path are the library's from then on, unless it fails.
static cr_status register_extension(cr_library *library, const cri_loaded *what, cr_report *report)
{
    int counts[CRI_SORT_COUNT];
    for (int i = 0; i < CRI_SORT_COUNT; i++) {
        counts[i] = library->added[i].count;
    }
    cri_loaded *loaded = malloc(sizeof *loaded);
    cr_status status = CR_ERR_MEMORY;
    if (loaded) {
        *loaded = *what;
        status = what->extension->add(library, report);
    }
    if (loaded && status == CR_OK && cri_list_add(&library->loaded, loaded)) {
        return CR_OK;
    }
    cri_library_cut(library, counts);
    free(loaded);
    return status == CR_OK || !loaded ? cri_fail_memory(report) : status;
}

cr_status cr_library_add_extension(cr_library *library, const cr_extension *extension,
                                   cr_report *report)
{
    cri_location nowhere = {0};
    cr_status status = check(extension, nowhere, report);
    if (status == CR_OK) {
        status = check_new(library, extension, nowhere, report);
    }
    cri_loaded own = {.extension = extension};
    return status == CR_OK ? register_extension(library, &own, report) : status;
}

// ---------------------------------------------------------------------------------------------
// Loading.

// Without a slash the system would look for it among its own libraries.
static char *path_to_open(const char *path)
{
    size_t size = strlen(path) + 3;
    char *text = malloc(size);
    if (text) {
        text[0] = 0;
        strcat(strchr(path, '/') ? text : strcpy(text, "./"), path);
    }
    return text;
}

// True if the file has all that its program headers speak of: the system maps it without looking,
// and the program would die of what is missing.
static bool is_whole(FILE *file, off_t size)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof part || head.e_phoff > (size_t)size ||
        fseeko(file, (off_t)head.e_phoff, SEEK_SET) != 0) {
        return false;
    }
    for (int i = 0; i < head.e_phnum; i++) {
        if (fread(&part, sizeof part, 1, file) != 1 || part.p_offset > (size_t)size ||
            part.p_filesz > (size_t)size - part.p_offset) {
            return false;
        }
    }
    return true;
}

static cr_status check_file(const char *path, const char *opened, cr_report *report)
{
    cri_location place = {path, 0, 0};
    struct stat about;
    if (stat(opened, &about) != 0) {
        return cri_fail(report, CR_ERR_FILE, place, "cannot be opened: %s", strerror(errno));
    }
    FILE *file = S_ISREG(about.st_mode) ? fopen(opened, "rb") : NULL;
    bool whole = file && is_whole(file, about.st_size);
    if (file) {
        fclose(file);
    }
    return whole ? CR_OK
                 : cri_fail(report, CR_ERR_FILE, place, "is no shared object, or not whole");
}

// The system's message begins with the path, which the report says already.
static cr_status fail_open(const char *path, const char *opened, cr_report *report)
{
    const char *why = dlerror();
    size_t length = strlen(opened);
    why = why ? why : "it cannot be loaded";
    if (strncmp(why, opened, length) == 0 && why[length] == ':') {
        why += length + 1 + strspn(why + length + 1, " ");
    }
    bool lacks = strstr(why, "undefined symbol") != NULL;
    return cri_fail(report, CR_ERR_FILE, (cri_location){path, 0, 0}, "%s%s", why,
                    lacks ? "; was it made for another version of carom?" : "");
}

static cr_status check_symbol(const cr_library *library, const cr_extension *extension,
                              const char *path, cr_report *report)
{
    cri_location place = {path, 0, 0};
    if (!extension) {
        return cri_fail(report, CR_ERR_FILE, place,
                        "is no extension: it has no symbol " CR_EXTENSION_SYMBOL
                        " (CR_EXTENSION in carom/extension.h defines it)");
    }
    cr_status status = check(extension, place, report);
    return status == CR_OK ? check_new(library, extension, place, report) : status;
}

cr_status cr_library_load(cr_library *library, const char *path, cr_report *report)
{
    char *copy = strdup(path), *opened = path_to_open(path);
    if (!copy || !opened) {
        free(copy);
        free(opened);
        return cri_fail_memory(report);
    }
    void *handle = NULL;
    cr_status status = check_file(path, opened, report);
    if (status == CR_OK) {
        handle = dlopen(opened, RTLD_NOW | RTLD_LOCAL);
        status = handle ? CR_OK : fail_open(path, opened, report);
    }
    free(opened);
    if (status == CR_OK) {
        cri_loaded loaded = {dlsym(handle, CR_EXTENSION_SYMBOL), handle, copy};
        status = check_symbol(library, loaded.extension, path, report);
        status = status == CR_OK ? register_extension(library, &loaded, report) : status;
    }
    if (status != CR_OK) {
        if (handle) {
            dlclose(handle);
        }
        free(copy);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Queries.

static const cri_loaded *loaded_at(const cr_library *library, int index)
{
    assert(index >= 0 && index < cr_library_extension_count(library));
    return library->loaded.items[index];
}

int cr_library_extension_count(const cr_library *library)
{
    return library ? library->loaded.count : 0;
}

const cr_extension *cr_library_extension(const cr_library *library, int index)
{
    return loaded_at(library, index)->extension;
}

const char *cr_library_extension_path(const cr_library *library, int index)
{
    return loaded_at(library, index)->path;
}
