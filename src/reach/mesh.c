#include "reach/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"

static const size_t mesh_max = 64 << 20;

typedef struct points {
    cri_bounds bounds;
    long count;
    bool bad;
} points;

static void add_point(points *p, double x, double y, double z)
{
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6 && fabs(z) < 1e6)) {
        p->bad = true;
        return;
    }
    cri_bounds *b = &p->bounds;
    b->low = cri_vec3(fmin(b->low.x, x), fmin(b->low.y, y), fmin(b->low.z, z));
    b->high = cri_vec3(fmax(b->high.x, x), fmax(b->high.y, y), fmax(b->high.z, z));
    p->count++;
}

// The next three numbers of a line.
static void read_point(const char *text, points *p)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        const char *end;
        text += strspn(text, " \t");
        v[i] = cri_number_read(text, &end);
        if (end == text) {
            p->bad = true;
            return;
        }
        text = end;
    }
    add_point(p, v[0], v[1], v[2]);
}

// Lines that start with the word are points: "v" in .obj, "vertex" in .stl as text.
static void read_lines(const char *text, const char *word, points *p)
{
    size_t length = strlen(word);
    while (*text) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\t')) {
            read_point(text + length, p);
        }
        text += strcspn(text, "\n");
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

cr_status cri_mesh_bounds(const char *path, cri_place place, cri_bounds *bounds, cr_report *report)
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
        read_lines(text, obj ? "v" : "vertex", &p);
    }
    free(text);
    if (p.bad || p.count == 0) {
        return cri_fail(report, CR_ERR_SYNTAX, place,
                        "mesh \"%.200s\" has no points, or some that are no numbers below 1e6",
                        path);
    }
    *bounds = p.bounds;
    return CR_OK;
}
