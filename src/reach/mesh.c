#include "reach/mesh.h"

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

typedef struct points {
    cri_reach_bounds bounds;
    long count;
    long line;           // of a text
    const char *problem; // with that line
} points;

static void add_point(points *p, double x, double y, double z)
{
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6 && fabs(z) < 1e6)) {
        p->problem = "a point must be numbers below 1e6 in size";
        return;
    }
    cri_reach_bounds *b = &p->bounds;
    b->low = cri_vec3(fmin(b->low.x, x), fmin(b->low.y, y), fmin(b->low.z, z));
    b->high = cri_vec3(fmax(b->high.x, x), fmax(b->high.y, y), fmax(b->high.z, z));
    p->count++;
}

// The point of a line, which is at most as long as size: three numbers; weights and colours of .obj
// may follow.
static void read_point(const char *line, size_t size, points *p)
{
    double values[8];
    int count = 0;
    const char *at = line + strspn(line, " \t\r"), *end = line + size;
    while (at < end) {
        const char *next;
        double value = cri_number_read(at, &next);
        if (next == at || next > end || count == 8) {
            p->problem = "a point must be three numbers";
            return;
        }
        values[count++] = value;
        at = next + strspn(next, " \t\r");
    }
    if (count < 3) {
        p->problem = "a point must be three numbers";
    } else {
        add_point(p, values[0], values[1], values[2]);
    }
}

static void read_line(const char *line, size_t size, const char *const *words, points *p)
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
        read_point(line + length, size - length, p);
    } else if (!words[word]) {
        p->problem = "it starts with an unknown word";
    }
}

static void read_lines(const char *text, const char *const *words, points *p)
{
    while (*text && !p->problem) {
        size_t blank = strspn(text, " \t\r"), size = strcspn(text, "\n");
        p->line++;
        read_line(text + blank, size > blank ? size - blank : 0, words, p);
        text += size + (text[size] == '\n');
    }
}

// 80 bytes of anything, a count, then 50 bytes a triangle: normal, three points, two bytes.
static bool read_binary_stl(const char *text, size_t length, points *p)
{
    uint32_t count;
    if (length < 84) {
        return false;
    }
    memcpy(&count, text + 80, sizeof count);
    if (length != 84 + 50 * (size_t)count) {
        return false;
    }
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        float v[3];
        memcpy(v, text + 84 + 50 * (i / 3) + 12 + 12 * (i % 3), sizeof v);
        add_point(p, (double)v[0], (double)v[1], (double)v[2]);
    }
    return true;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

cr_status cri_mesh_bounds(const char *path, cri_location place, cri_reach_bounds *bounds,
                          cr_report *report)
{
    bool obj = ends_with(path, ".obj") || ends_with(path, ".OBJ");
    bool stl = ends_with(path, ".stl") || ends_with(path, ".STL");
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
    points p = {.bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}};
    if (obj || !read_binary_stl(text, length, &p)) {
        read_lines(text, obj ? obj_words : stl_words, &p);
    }
    free(text);
    if (p.problem && p.line == 0) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\": %s", path, p.problem);
    }
    if (p.problem) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\", line %ld: %s", path, p.line,
                        p.problem);
    }
    if (p.count == 0) {
        return cri_fail(report, CR_ERR_SYNTAX, place, "mesh \"%.200s\" has no points", path);
    }
    *bounds = p.bounds;
    return CR_OK;
}
