// Bytes as a file, for readers that open one by its path.
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct fuzz_file {
    char path[64];
} fuzz_file;

static inline fuzz_file file_of(const uint8_t *data, size_t size, const char *ending)
{
    fuzz_file file;
    snprintf(file.path, sizeof file.path, "/tmp/carom-fuzz-%ld%s", (long)getpid(), ending);
    FILE *out = fopen(file.path, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0) {
        abort();
    }
    return file;
}

static inline void remove_file(const fuzz_file *file)
{
    unlink(file->path);
}

#endif
