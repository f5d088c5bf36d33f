// Recordings: a table (.csv) of what a vision system saw. Its first line names the columns, in any
// order; every message has the line and the column of the cell it is about.
//
//     time,body,x,y,z,ix,iy,iz
//     0,ball,1.0215,0,0.0215,0,0,0
//     0.016667,ball,1.0211,0.0016,0.0215,0.092,0,0      <- kicked here
#include "fit/recording.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

// No camera sees farther, and no engine steps farther.
#define FARTHEST 1e4
#define LONGEST  1e6 // s

enum { SAMPLES_MAX = 1 << 20, COLUMNS_MAX = 32 };

typedef enum column {
    TIME,
    BODY,
    X,
    Y,
    Z,
    HEADING,
    QX,
    QY,
    QZ,
    QW,
    CAMERA,
    IX,
    IY,
    IZ,
    FX,
    FY,
    FZ,
    TX,
    TY,
    TZ,
    COLUMN_COUNT
} column; // clang-format off: as the table below

static const struct {
    const char *name;
    bool needed;
    double low, high;
} columns[COLUMN_COUNT] = {
    [TIME] = {"time", true, -LONGEST, LONGEST},
    [BODY] = {"body", true, 0, 0},
    [X] = {"x", true, -FARTHEST, FARTHEST},
    [Y] = {"y", true, -FARTHEST, FARTHEST},
    [Z] = {"z", false, -FARTHEST, FARTHEST},
    [HEADING] = {"heading", false, -1e3, 1e3},
    [QX] = {"qx", false, -1.01, 1.01},
    [QY] = {"qy", false, -1.01, 1.01},
    [QZ] = {"qz", false, -1.01, 1.01},
    [QW] = {"qw", false, -1.01, 1.01},
    [CAMERA] = {"camera", false, 0, 1e6},
    [IX] = {"ix", false, -1e6, 1e6},
    [IY] = {"iy", false, -1e6, 1e6},
    [IZ] = {"iz", false, -1e6, 1e6},
    [FX] = {"fx", false, -1e6, 1e6},
    [FY] = {"fy", false, -1e6, 1e6},
    [FZ] = {"fz", false, -1e6, 1e6},
    [TX] = {"tx", false, -1e6, 1e6},
    [TY] = {"ty", false, -1e6, 1e6},
    [TZ] = {"tz", false, -1e6, 1e6},
};
// clang-format on

// ---------------------------------------------------------------------------------------------
// Making and asking.

cr_recording *cri_recording_create(const cr_model *model, const char *name)
{
    cr_recording *r = calloc(1, sizeof *r);
    if (r) {
        r->model = model;
        r->name = strdup(name);
    }
    if (r && !r->name) {
        free(r);
        return NULL;
    }
    return r;
}

void cr_recording_destroy(cr_recording *recording)
{
    if (recording) {
        free(recording->name);
        free(recording->samples);
        free(recording);
    }
}

cr_status cri_recording_add(cr_recording *r, const cr_sighting *sample, cr_report *report)
{
    if (r->count == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 512;
        cr_sighting *samples = realloc(r->samples, (size_t)capacity * sizeof *samples);
        if (!samples) {
            return cri_fail_memory(report);
        }
        r->samples = samples;
        r->capacity = capacity;
    }
    r->samples[r->count++] = *sample;
    return CR_OK;
}

const char *cr_recording_name(const cr_recording *recording)
{
    return recording->name;
}

cr_recording_notes cr_recording_get_notes(const cr_recording *recording)
{
    return recording->notes;
}

int cr_recording_sample_count(const cr_recording *recording)
{
    return recording->count;
}

cr_sighting cr_recording_sample(const cr_recording *recording, int sample)
{
    assert(sample >= 0 && sample < recording->count);
    return recording->samples[sample];
}

// ---------------------------------------------------------------------------------------------
// Reading.

// Where the reader is: a cell of a line.
typedef struct reader {
    const char *file;
    const char *line, *at; // the line's first byte; the cell's
    const char *end;       // of the text
    int row;
    int kinds[COLUMNS_MAX]; // by position: a column
    int kind_count;
    const char *cells[COLUMN_COUNT]; // of this line; NULL: there is none
    size_t lengths[COLUMN_COUNT];
    cr_recording *recording;
    cr_report *report;
} reader;

static cri_location place(const reader *r, const char *at)
{
    return (cri_location){r->file, r->row, (int)(at - r->line) + 1};
}

// The cell at `at` without blanks around it.
static size_t trim(const char **at, size_t length)
{
    while (length > 0 && (**at == ' ' || **at == '\t')) {
        (*at)++;
        length--;
    }
    while (length > 0 && strchr(" \t\r", (*at)[length - 1])) {
        length--;
    }
    return length;
}

static size_t line_length(const reader *r)
{
    const char *end = memchr(r->line, '\n', (size_t)(r->end - r->line));
    return (size_t)((end ? end : r->end) - r->line);
}

static size_t cell_length(const char *at, const char *end)
{
    const char *comma = memchr(at, ',', (size_t)(end - at));
    return (size_t)((comma ? comma : end) - at);
}

static bool is_blank(const reader *r)
{
    const char *at = r->line;
    size_t length = trim(&at, line_length(r));
    return length == 0 || *at == '#';
}

// To the next line that says something; false at the end.
static bool next_line(reader *r)
{
    do {
        if (r->row > 0) {
            r->line += line_length(r);
            r->line += r->line < r->end;
        }
        r->row++;
    } while (r->line < r->end && is_blank(r));
    return r->line < r->end;
}

static int find_column(const char *at, size_t length)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (strlen(columns[i].name) == length && memcmp(columns[i].name, at, length) == 0) {
            return i;
        }
    }
    return -1;
}

static cr_status add_column(reader *r, const char *at, size_t length)
{
    char name[64], text[120];
    size_t kept = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, at, kept);
    name[kept] = 0;
    int kind = find_column(at, length);
    if (kind < 0) {
        cri_suggestion near = {.word = name};
        for (int i = 0; i < COLUMN_COUNT; i++) {
            cri_suggest(&near, columns[i].name);
        }
        return cri_fail(r->report, CR_ERR_NAME, place(r, at), "no column is called \"%s\"%s", name,
                        cri_suggestion_print(&near, text, sizeof text));
    }
    for (int i = 0; i < r->kind_count; i++) {
        if (r->kinds[i] == kind) {
            return cri_fail(r->report, CR_ERR_NAME, place(r, at), "the column \"%s\" stands twice",
                            name);
        }
    }
    if (r->kind_count == COLUMNS_MAX) {
        return cri_fail(r->report, CR_ERR_RANGE, place(r, at), "too many columns");
    }
    r->kinds[r->kind_count++] = kind;
    return CR_OK;
}

static bool has(const reader *r, int kind)
{
    for (int i = 0; i < r->kind_count; i++) {
        if (r->kinds[i] == kind) {
            return true;
        }
    }
    return false;
}

static cr_status check_head(const reader *r)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (columns[i].needed && !has(r, i)) {
            return cri_fail(r->report, CR_ERR_NAME, place(r, r->line),
                            "there is no column \"%s\"; a recording needs time, body, x and y",
                            columns[i].name);
        }
    }
    bool all = has(r, QX) && has(r, QY) && has(r, QZ) && has(r, QW);
    bool some = has(r, QX) || has(r, QY) || has(r, QZ) || has(r, QW);
    if (some != all || (some && has(r, HEADING))) {
        return cri_fail(r->report, CR_ERR_NAME, place(r, r->line),
                        "an orientation is heading, or qx, qy, qz and qw");
    }
    return CR_OK;
}

static cr_status read_head(reader *r)
{
    if (!next_line(r)) {
        return cri_fail(r->report, CR_ERR_SYNTAX, (cri_location){r->file, 1, 1},
                        "is empty: a recording begins with the names of its columns");
    }
    const char *end = r->line + line_length(r);
    for (const char *at = r->line; at <= end;) {
        size_t whole = cell_length(at, end);
        const char *name = at;
        size_t length = trim(&name, whole);
        cr_status status = add_column(r, name, length);
        if (status != CR_OK) {
            return status;
        }
        at += whole + 1;
    }
    return check_head(r);
}

// Cut the line into its cells.
static cr_status cut_line(reader *r)
{
    const char *end = r->line + line_length(r), *at = r->line;
    memset(r->cells, 0, sizeof r->cells);
    int found = 0;
    for (; at <= end; found++) {
        size_t whole = cell_length(at, end);
        if (found == r->kind_count) {
            return cri_fail(r->report, CR_ERR_SYNTAX, place(r, at),
                            "more cells than the %d columns", r->kind_count);
        }
        const char *cell = at;
        size_t length = trim(&cell, whole);
        r->cells[r->kinds[found]] = cell;
        r->lengths[r->kinds[found]] = length;
        at += whole + 1;
    }
    if (found < r->kind_count) {
        return cri_fail(r->report, CR_ERR_SYNTAX, place(r, end),
                        "%d cells where there are %d columns", found, r->kind_count);
    }
    return CR_OK;
}

// A number; fallback where the column is not there. An empty cell is an error but in columns that
// need not be there.
static cr_status read_number(const reader *r, column kind, double fallback, double *value)
{
    *value = fallback;
    const char *cell = r->cells[kind], *end;
    if (!cell || (r->lengths[kind] == 0 && !columns[kind].needed)) {
        return CR_OK;
    }
    char text[40];
    size_t length = r->lengths[kind];
    size_t kept = length < sizeof text - 1 ? length : sizeof text - 1;
    memcpy(text, cell, kept);
    text[kept] = 0;
    *value = cri_number_read(text, &end);
    if (end == text || *end || kept < length) {
        return cri_fail(r->report, CR_ERR_TYPE, place(r, cell), "%s must be a number, got \"%s\"",
                        columns[kind].name, text);
    }
    if (!(*value >= columns[kind].low && *value <= columns[kind].high)) {
        return cri_fail(r->report, CR_ERR_RANGE, place(r, cell), "%s must be %g to %g, got %g",
                        columns[kind].name, columns[kind].low, columns[kind].high, *value);
    }
    return CR_OK;
}

static cr_status read_three(const reader *r, column first, cr_vec3 fallback, cr_vec3 *value)
{
    cr_status status = read_number(r, first, fallback.x, &value->x);
    status = status ? status : read_number(r, first + 1, fallback.y, &value->y);
    return status ? status : read_number(r, first + 2, fallback.z, &value->z);
}

static cr_status read_body(const reader *r, int *body)
{
    char name[120], text[160];
    const char *cell = r->cells[BODY];
    size_t length = r->lengths[BODY];
    size_t kept = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, cell, kept);
    name[kept] = 0;
    const cr_model *model = r->recording->model;
    *body = memchr(name, 0, kept) ? -1 : cr_model_find_body(model, name);
    if (*body < 0) {
        cri_suggestion near = {.word = name};
        for (int i = 0; i < cr_model_body_count(model); i++) {
            cri_suggest(&near, cr_model_body(model, i)->name);
        }
        return cri_fail(r->report, CR_ERR_NAME, place(r, cell), "the scene has no body \"%s\"%s",
                        name, cri_suggestion_print(&near, text, sizeof text));
    }
    if (cr_model_body(model, *body)->slot < 0) {
        return cri_fail(r->report, CR_ERR_NAME, place(r, cell),
                        "body \"%s\" is static: it is where the scene has it", name);
    }
    return CR_OK;
}

static cr_status read_rotation(const reader *r, cr_quat rest, cr_quat *rotation)
{
    *rotation = rest;
    if (r->cells[HEADING] && r->lengths[HEADING] > 0) {
        double heading;
        cr_status status = read_number(r, HEADING, 0, &heading);
        *rotation = cri_quat_heading(heading);
        return status;
    }
    if (!r->cells[QW] || r->lengths[QW] == 0) {
        return CR_OK;
    }
    cr_vec3 v;
    double w;
    cr_status status = read_three(r, QX, (cr_vec3){0}, &v);
    status = status ? status : read_number(r, QW, 1, &w);
    if (status != CR_OK) {
        return status;
    }
    double length2 = cri_dot(v, v) + w * w;
    if (!(length2 > 0.9 && length2 < 1.1)) {
        return cri_fail(r->report, CR_ERR_RANGE, place(r, r->cells[QX]),
                        "qx, qy, qz, qw must be of length 1, got %g", sqrt(length2));
    }
    *rotation = cri_quat_unit((cr_quat){v.x, v.y, v.z, w});
    return CR_OK;
}

static cr_status read_sample(const reader *r, cr_sighting *s)
{
    double camera = 0;
    *s = (cr_sighting){0};
    cr_status status = read_number(r, TIME, 0, &s->time);
    status = status ? status : read_body(r, &s->body);
    if (status != CR_OK) {
        return status;
    }
    cr_pose start = cr_model_body(r->recording->model, s->body)->pose;
    cr_vec3 none = {0};
    status = read_three(r, X, start.position, &s->pose.position);
    status = status ? status : read_rotation(r, start.rotation, &s->pose.rotation);
    status = status ? status : read_number(r, CAMERA, 0, &camera);
    status = status ? status : read_three(r, IX, none, &s->action.impulse);
    status = status ? status : read_three(r, FX, none, &s->action.force);
    status = status ? status : read_three(r, TX, none, &s->action.torque);
    s->camera = status == CR_OK ? (int)camera : 0;
    return status;
}

static cr_status read_row(reader *r)
{
    cr_recording *recording = r->recording;
    cr_sighting sample;
    cr_status status = cut_line(r);
    status = status ? status : read_sample(r, &sample);
    if (status != CR_OK) {
        return status;
    }
    if (recording->count > 0 && sample.time < recording->samples[recording->count - 1].time) {
        return cri_fail(r->report, CR_ERR_RANGE, place(r, r->cells[TIME]),
                        "time must not go backwards: %g s after %g s", sample.time,
                        recording->samples[recording->count - 1].time);
    }
    if (recording->count == SAMPLES_MAX) {
        return cri_fail(r->report, CR_ERR_RANGE, place(r, r->line), "more than %d samples",
                        SAMPLES_MAX);
    }
    return cri_recording_add(recording, &sample, r->report);
}

// Every body must be seen twice: a way has two ends.
static cr_status check_counts(const reader *r)
{
    const cr_recording *recording = r->recording;
    for (int slot = 0; slot < cr_model_moving_count(recording->model); slot++) {
        int body = cr_model_moving_body(recording->model, slot), seen = 0;
        for (int i = 0; i < recording->count; i++) {
            seen += recording->samples[i].body == body;
        }
        if (seen == 1) {
            return cri_fail(r->report, CR_ERR_RANGE, (cri_location){r->file, r->row - 1, 1},
                            "one sample of body \"%s\": at least two are needed",
                            cr_model_body(recording->model, body)->name);
        }
    }
    if (recording->count == 0) {
        return cri_fail(r->report, CR_ERR_RANGE, (cri_location){r->file, r->row, 1},
                        "no samples: at least two are needed");
    }
    return CR_OK;
}

static cr_status read_all(reader *r)
{
    cr_status status = read_head(r);
    while (status == CR_OK && next_line(r)) {
        status = read_row(r);
    }
    status = status ? status : check_counts(r);
    status = status ? status : cri_recording_mend(r->recording, r->report);
    return status ? status : check_counts(r);
}

cr_status cr_recording_read_text(const cr_model *model, const char *text, size_t length,
                                 const char *name, cr_recording **recording, cr_report *report)
{
    *recording = NULL;
    cr_recording *made = cri_recording_create(model, name);
    if (!made) {
        return cri_fail_memory(report);
    }
    reader r = {
        .file = name, .line = text, .end = text + length, .recording = made, .report = report};
    cr_status status = read_all(&r);
    if (status != CR_OK) {
        cr_recording_destroy(made);
        return status;
    }
    *recording = made;
    return CR_OK;
}

cr_status cr_recording_read(const cr_model *model, const char *path, cr_recording **recording,
                            cr_report *report)
{
    *recording = NULL;
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, CR_RECORDING_MAX_BYTES, &text, &length, report);
    status = status ? status : cr_recording_read_text(model, text, length, path, recording, report);
    free(text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Writing.

static void print_three(cri_text *text, cr_vec3 v)
{
    cri_text_add(text, ",%.7g,%.7g,%.7g", v.x, v.y, v.z);
}

static void print_sample(const cr_recording *r, const cr_sighting *s, cri_text *text)
{
    const cr_body *body = cr_model_body(r->model, s->body);
    cri_text_add(text, "%.9g,%s", s->time, body->name);
    cri_text_add(text, ",%.7g,%.7g,%.7g", s->pose.position.x, s->pose.position.y,
                 s->pose.position.z);
    cri_text_add(text, ",%.7g", body->upright ? cri_heading(s->pose.rotation) : 0.0);
    if (r->actions) {
        print_three(text, s->action.impulse);
        print_three(text, s->action.force);
        print_three(text, s->action.torque);
    }
    cri_text_add(text, "\n");
}

void cri_recording_print(const cr_recording *r, cri_text *text)
{
    cri_text_add(text, "time,body,x,y,z,heading%s\n",
                 r->actions ? ",ix,iy,iz,fx,fy,fz,tx,ty,tz" : "");
    for (int i = 0; i < r->count; i++) {
        print_sample(r, &r->samples[i], text);
    }
}

cr_status cr_recording_write(const cr_recording *recording, const char *path, cr_report *report)
{
    cri_text text = {0};
    cri_recording_print(recording, &text);
    cr_status status =
        text.failed ? cri_fail_memory(report) : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}
