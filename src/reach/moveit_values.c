// Values in MoveIt's files. Vectors and quaternions come as lists or as mappings of x, y, z, w.
#include "reach/moveit_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/vec.h"

static const double largest = 1e6; // m, rad: nothing of an arm's world is larger

cri_location cri_moveit_place(const cri_moveit *r, const cri_node *node)
{
    return (cri_location){r->file, node ? node->line : 0, node ? node->column : 0};
}

bool cri_moveit_fail(cri_moveit *r, cr_status status, const cri_node *node, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    cri_fail(r->report, status, cri_moveit_place(r, node), "%s", text);
    r->status = r->status == CR_OK ? status : r->status;
    return false;
}

static bool absent(const cri_node *node)
{
    return !node || cri_node_is_null(node);
}

bool cri_moveit_list(cri_moveit *r, const cri_node *node, const char *what, int *count)
{
    *count = 0;
    if (absent(node)) {
        return true;
    }
    if (node->kind != CRI_NODE_LIST) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node, "%s must be a list, got %s", what,
                               cri_node_sort(node));
    }
    *count = node->count;
    return true;
}

bool cri_moveit_text_of(cri_moveit *r, const cri_node *node, const char *what, const char **text)
{
    *text = "";
    if (absent(node)) {
        return true;
    }
    if (node->kind != CRI_NODE_SCALAR) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node, "%s must be a name, got %s", what,
                               cri_node_sort(node));
    }
    *text = node->text;
    return true;
}

bool cri_moveit_flag(cri_moveit *r, const cri_node *node, const char *what, bool *flag)
{
    *flag = false;
    if (absent(node)) {
        return true;
    }
    bool word = node->kind == CRI_NODE_SCALAR;
    *flag = word && (cri_word_alike(node->text, "true") || strcmp(node->text, "1") == 0);
    if (*flag || (word && (cri_word_alike(node->text, "false") || strcmp(node->text, "0") == 0))) {
        return true;
    }
    char text[60];
    return cri_moveit_fail(r, CR_ERR_TYPE, node, "%s must be true or false, got %s", what,
                           cri_node_print(node, text, sizeof text));
}

bool cri_moveit_number(cri_moveit *r, const cri_node *node, const char *what, double *value)
{
    if (node && cri_node_number(node, value) && fabs(*value) < largest) {
        return true;
    }
    char text[60];
    return cri_moveit_fail(r, CR_ERR_TYPE, node, "%s must be a number below 1e6 in size, got %s",
                           what, node ? cri_node_print(node, text, sizeof text) : "nothing");
}

// ---------------------------------------------------------------------------------------------
// Poses.

static bool read_list(const cri_node *node, double *values, int count)
{
    bool good = node->count == count;
    for (int i = 0; i < count && good; i++) {
        good = cri_node_number(&node->items[i], &values[i]) && fabs(values[i]) < largest;
    }
    return good;
}

// What a mapping does not name is 0, as in a message.
static bool read_map(const cri_node *node, double *values, int count)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        const cri_node *value = cri_node_get(node, names[i]);
        values[i] = 0;
        good = !value || (cri_node_number(value, &values[i]) && fabs(values[i]) < largest);
    }
    return good;
}

// Numbers under a key, which stay as they are where it is not there; false after an error.
static bool read_vector(cri_moveit *r, const cri_node *map, const char *key, double *values,
                        int count)
{
    const cri_node *node = cri_node_get(map, key);
    if (absent(node)) {
        return true;
    }
    bool good = node->kind == CRI_NODE_LIST  ? read_list(node, values, count)
                : node->kind == CRI_NODE_MAP ? read_map(node, values, count)
                                             : false;
    if (!good) {
        char text[80];
        cri_moveit_fail(r, CR_ERR_TYPE, node, "%s must be %d numbers below 1e6 in size, got %s",
                        key, count, cri_node_print(node, text, sizeof text));
    }
    return good;
}

// As MoveIt does it: a quaternion of zeros is no rotation, others are made unit.
static bool read_rotation(cri_moveit *r, const cri_node *map, const char *key, cr_quat *rotation)
{
    double q[4] = {0, 0, 0, 1};
    if (!read_vector(r, map, key, q, 4)) {
        return false;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(length - 1) > 1e-3) {
        cri_warn(r->report, cri_moveit_place(r, cri_node_get(map, key)),
                 "%s is not a unit quaternion (its length is %.4g); it is taken as %s", key, length,
                 length < 1e-9 ? "no rotation" : "the unit one along it");
    }
    *rotation = length < 1e-9
                    ? (cr_quat){0, 0, 0, 1}
                    : (cr_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    return true;
}

static bool read_pose(cri_moveit *r, const cri_node *node, const char *const keys[2], cr_pose *pose)
{
    *pose = (cr_pose){{0, 0, 0}, {0, 0, 0, 1}};
    if (absent(node)) {
        return true;
    }
    if (node->kind != CRI_NODE_MAP) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node,
                               "a pose must be a mapping of %s and %s, got %s", keys[0], keys[1],
                               cri_node_sort(node));
    }
    double p[3] = {0, 0, 0};
    if (!read_vector(r, node, keys[0], p, 3)) {
        return false;
    }
    pose->position = cri_vec3(p[0], p[1], p[2]);
    return read_rotation(r, node, keys[1], &pose->rotation);
}

bool cri_moveit_pose(cri_moveit *r, const cri_node *node, cr_pose *pose)
{
    static const char *const keys[] = {"position", "orientation"};
    return read_pose(r, node, keys, pose);
}

bool cri_moveit_transform(cri_moveit *r, const cri_node *node, cr_pose *pose)
{
    static const char *const keys[] = {"translation", "rotation"};
    return read_pose(r, node, keys, pose);
}

bool cri_moveit_frame_id(cri_moveit *r, const cri_node *message, const char **frame)
{
    const cri_node *header = cri_node_get(message, "header");
    return cri_moveit_text_of(r, cri_node_get(header, "frame_id"), "frame_id", frame);
}
