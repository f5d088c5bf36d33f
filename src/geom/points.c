#include "geom/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"

static const size_t mesh_max = 64 << 20;

// Words that lines of a text may start with, the first being that of points.
static const char *const obj_words[] = {
    "v",    "vt",     "vn",     "vp",     "f",      "l",        "p",        "o",     "g",
    "s",    "mg",     "usemtl", "mtllib", "usemap", "maplib",   "lod",      "deg",   "bmat",
    "step", "curv",   "curv2",  "surf",   "parm",   "trim",     "hole",     "scrv",  "sp",
    "end",  "cstype", "con",    "bevel",  "ctech",  "c_interp", "d_interp", "stech", NULL,
};
static const char *const stl_words[] = {
    "vertex", "solid", "facet", "outer", "endloop", "endfacet", "endsolid", NULL,
};

typedef struct reader {
    cri_points *to;
    bool keep;
    size_t capacity;
    long line;           // of a text
    const char *problem; // with that line
    bool no_memory;
} reader;

static bool make_room(reader *r)
{
    if (r->to->count < r->capacity) {
        return true;
    }
    size_t capacity = r->capacity ? 2 * r->capacity : 256;
    cr_vec3 *items = realloc(r->to->items, capacity * sizeof *items);
    if (!items) {
        r->no_memory = true;
        r->problem = "memory ran out";
        return false;
    }
    r->to->items = items;
    r->capacity = capacity;
    return true;
}

static void keep_point(reader *r, cr_vec3 p)
{
    if (r->to->count == CRI_POINTS_MAX) {
        r->problem = "a hull is made of at most 1000000 points";
    } else if (make_room(r)) {
        r->to->items[r->to->count] = p;
    }
}

static void add_point(reader *r, double x, double y, double z)
{
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6 && fabs(z) < 1e6)) {
        r->problem = "a point must be numbers below 1e6 in size";
        return;
    }
    cri_points *to = r->to;
    to->low = cri_vec3(fmin(to->low.x, x), fmin(to->low.y, y), fmin(to->low.z, z));
    to->high = cri_vec3(fmax(to->high.x, x), fmax(to->high.y, y), fmax(to->high.z, z));
    if (r->keep) {
        keep_point(r, cri_vec3(x, y, z));
    }
    to->count++;
}

// The point of a line, which is at most as long as size: three numbers; weights and colours of .obj
// may follow.
static void read_point(const char *line, size_t size, reader *r)
{
    double values[8];
    int count = 0;
    const char *at = line + strspn(line, " \t\r"), *end = line + size;
    while (at < end) {
        const char *next;
        double value = cri_number_read(at, &next);
        if (next == at || next > end || count == 8) {
            r->problem = "a point must be three numbers";
            return;
        }
        values[count++] = value;
        at = next + strspn(next, " \t\r");
    }
    if (count < 3) {
        r->problem = "a point must be three numbers";
    } else {
        add_point(r, values[0], values[1], values[2]);
    }
}

static void read_line(const char *line, size_t size, const char *const *words, reader *r)
{
    size_t length = strcspn(line, " \t\r\n");
    if (length == 0 || line[0] == '#') {
        return;
    }
    int word = 0;
    while (words[word] &&
           (strlen(words[word]) != length || strncmp(words[word], line, length) != 0)) {
        word++;
    }
    if (word == 0) {
        read_point(line + length, size - length, r);
    } else if (!words[word]) {
        r->problem = "it starts with an unknown word";
    }
}

static void read_lines(const char *text, const char *const *words, reader *r)
{
    while (*text && !r->problem) {
        size_t blank = strspn(text, " \t\r"), size = strcspn(text, "\n");
        r->line++;
        read_line(text + blank, size > blank ? size - blank : 0, words, r);
        text += size + (text[size] == '\n');
    }
}

// 80 bytes of anything, a count, then 50 bytes a triangle: normal, three points, two bytes.
static bool read_binary_stl(const char *text, size_t length, reader *r)
{
    uint32_t count;
    if (length < 84) {
        return false;
    }
    memcpy(&count, text + 80, sizeof count);
    if (length != 84 + 50 * (size_t)count) {
        return false;
    }
    for (size_t i = 0; i < 3 * (size_t)count && !r->problem; i++) {
        float v[3];
        memcpy(v, text + 84 + 50 * (i / 3) + 12 + 12 * (i % 3), sizeof v);
        add_point(r, (double)v[0], (double)v[1], (double)v[2]);
    }
    return true;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static cr_status judge(const reader *r, const char *path, cri_location place, cr_report *report)
{
    if (r->no_memory) {
        return cri_fail_memory(report);
    }
    if (r->problem && r->line == 0) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\": %s", path, r->problem);
    }
    if (r->problem) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\", line %ld: %s", path,
                        r->line, r->problem);
    }
    if (r->to->count == 0) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\" has no points", path);
    }
    return CR_OK;
}

cr_status cri_points_read(const char *path, cri_location place, bool keep, cri_points *points,
                          cr_report *report)
{
    bool obj = ends_with(path, ".obj") || ends_with(path, ".OBJ");
    bool stl = ends_with(path, ".stl") || ends_with(path, ".STL");
    *points = (cri_points){.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                           .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    if (!obj && !stl) {
        return cri_fail(report, CR_ERR_TYPE, place, "mesh \"%.200s\" must be an .obj or .stl file",
                        path);
    }
    char *text;
    size_t length;
    if (cri_file_read(path, mesh_max, &text, &length, NULL) != CR_OK) {
        return cri_fail(report, CR_ERR_FILE, place,
                        "mesh \"%.200s\" is not there, is no regular file or is larger than %zu MB",
                        path, mesh_max >> 20);
    }
    reader r = {.to = points, .keep = keep};
    if (obj || !read_binary_stl(text, length, &r)) {
        read_lines(text, obj ? obj_words : stl_words, &r);
    }
    free(text);
    cr_status status = judge(&r, path, place, report);
    if (status != CR_OK) {
        cri_points_free(points);
    }
    return status;
}

void cri_points_free(cri_points *points)
{
    free(points->items);
    *points = (cri_points){0};
}
