// Writing whole files. A file is made aside, in the folder where it will be, put on the disk, and
// only then given its name: whoever looks finds the old one or the new one, whole, also after the
// power failed.
//
//   look at what is there -> make aside -> write -> fsync -> rename -> fsync of the folder
//
// Nothing of the process is changed on the way (its umask, its working folder): the library may
// run in many threads.
#define _XOPEN_SOURCE 700 // realpath

#include "carom/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"

// A file on its way.
typedef struct draft {
    char *path;         // where it goes, links followed
    char *aside;        // where it is made
    size_t folder;      // length of the folder's part of both, its last slash included
    bool exists;        // there is one already,
    struct stat before; // whose owner and rights it keeps
    int file;           // -1: not open
} draft;

static cr_status fail_write(cr_report *report, const char *path)
{
    return cri_fail(report, CR_ERR_FILE, (cri_location){.file = path}, "cannot be written: %s",
                    strerror(errno));
}

static bool write_all(int file, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t n = write(file, data, length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        data += n;
        length -= (size_t)n;
    }
    return true;
}

// Some file systems cannot; then there is nothing to wait for.
static bool put_on_disk(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// A pipe or a device cannot be renamed onto, and a name in /dev (/dev/stdout) must not be.
static bool is_stream(const char *path, const struct stat *info)
{
    return strncmp(path, "/dev/", 5) == 0 || !S_ISREG(info->st_mode);
}

static cr_status write_stream(const char *path, const void *data, size_t length, cr_report *report)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write_all(file, data, length);
    if (file >= 0 && close(file) != 0) {
        done = false;
    }
    return done ? CR_OK : fail_write(report, path);
}

// The file that a link leads to is written, not the link.
static char *follow(const char *path)
{
    struct stat link;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    return is_link ? realpath(path, NULL) : strdup(path);
}

// The first free name beside the file. As short as it is, it fits wherever the file's own does.
static bool make_aside(draft *d)
{
    enum { TRIES = 10000 };
    mode_t mode = d->exists ? 0600 : 0666; // the rights of what is there follow
    d->file = -1;
    for (int i = 0; i < TRIES && d->file < 0; i++) {
        snprintf(d->aside + d->folder, 32, ".carom-%ld-%d", (long)getpid(), i);
        d->file = open(d->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (d->file < 0 && errno != EEXIST) {
            return false;
        }
    }
    return d->file >= 0;
}

static void forget(draft *d)
{
    free(d->path);
    free(d->aside);
}

// Open the file aside. A file that its owner has made read-only stays as it is.
static cr_status begin(draft *d, const char *path, cr_report *report)
{
    *d = (draft){.path = follow(path), .file = -1};
    if (!d->path) {
        return errno == ENOMEM ? cri_fail_memory(report) : fail_write(report, path);
    }
    d->aside = malloc(strlen(d->path) + 33);
    if (!d->aside) {
        forget(d);
        return cri_fail_memory(report);
    }
    const char *slash = strrchr(d->path, '/');
    d->folder = slash ? (size_t)(slash - d->path) + 1 : 0;
    memcpy(d->aside, d->path, d->folder);
    d->exists = stat(d->path, &d->before) == 0;
    bool free_name = errno == ENOENT && d->path[d->folder] != 0; // not too long, not below a file
    bool writable = d->exists ? access(d->path, W_OK) == 0 : free_name;
    if (!writable || !make_aside(d)) {
        cr_status status = fail_write(report, path);
        forget(d);
        return status;
    }
    return CR_OK;
}

// The owner before the rights: a change of owner takes rights away. Who may not give a file away
// keeps it.
static bool keep_rights(const draft *d)
{
    const struct stat *before = &d->before;
    if (!d->exists) {
        return true;
    }
    bool owned = fchown(d->file, before->st_uid, before->st_gid) == 0 || errno == EPERM;
    return owned && fchmod(d->file, before->st_mode & 0777) == 0;
}

// A folder that may not be read cannot be waited for.
static bool put_folder_on_disk(const draft *d)
{
    d->aside[d->folder] = 0;
    int folder = open(d->folder > 0 ? d->aside : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return true;
    }
    bool done = put_on_disk(folder);
    close(folder);
    return done;
}

static bool finish(draft *d, const void *data, size_t length)
{
    bool done = keep_rights(d) && write_all(d->file, data, length) && put_on_disk(d->file);
    done = close(d->file) == 0 && done;
    if (!done || rename(d->aside, d->path) != 0) {
        int why = errno;
        unlink(d->aside);
        errno = why;
        return false;
    }
    return put_folder_on_disk(d);
}

cr_status cr_file_write(const char *path, const void *data, size_t length, cr_report *report)
{
    struct stat info;
    if (stat(path, &info) == 0 && is_stream(path, &info)) {
        return write_stream(path, data, length, report);
    }
    draft d;
    cr_status status = begin(&d, path, report);
    if (status == CR_OK) {
        status = finish(&d, data, length) ? CR_OK : fail_write(report, path);
        forget(&d);
    }
    return status;
}

cr_status cr_file_try(const char *path, cr_report *report)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail_write(report, path);
    }
    if (exists && is_stream(path, &info)) {
        return access(path, W_OK) == 0 ? CR_OK : fail_write(report, path);
    }
    draft d;
    cr_status status = begin(&d, path, report);
    if (status == CR_OK) {
        close(d.file);
        unlink(d.aside);
        forget(&d);
    }
    return status;
}
