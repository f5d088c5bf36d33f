// Files that a command writes: tried before the work, whole or not at all.
#include "terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>

FILE *outfile_open(outfile *out, const char *path)
{
    *out = (outfile){.path = path};
    out->file = open_memstream(&out->data, &out->length);
    if (!out->file) {
        fprintf(stderr, "carom: memory ran out\n");
    }
    return out->file;
}

int outfile_close(outfile *out)
{
    cr_report report = {0};
    bool whole = !ferror(out->file);
    whole = fclose(out->file) == 0 && whole;
    cr_status status = CR_ERR_MEMORY;
    if (whole) {
        status = cr_file_write(out->path, out->data, out->length, &report);
    } else {
        fprintf(stderr, "carom: memory ran out\n");
    }
    free(out->data);
    return status == CR_OK ? -1 : report_print(status, &report);
}

int output_try(const char *path)
{
    cr_report report = {0};
    cr_status status = path ? cr_file_try(path, &report) : CR_OK;
    return status == CR_OK ? -1 : report_print(status, &report);
}

int output_try_playback(const char *path)
{
    cr_report report = {0};
    cr_status status = path ? cr_playback_try(path, &report) : CR_OK;
    return status == CR_OK ? -1 : report_print(status, &report);
}
