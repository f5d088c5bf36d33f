// What a planning scene says about collisions: pairs that may touch, and padding.
//
// The scene's allowed collision matrix adds to the pairs that the arm has from its SRDF. In their
// place it would forbid the starts of many problems: matrices are often written down before the
// last pairs are known.
#include "reach/moveit_read.h"

#include <string.h>

#include "reach/variant.h"

// ---------------------------------------------------------------------------------------------
// The allowed collision matrix.

typedef struct matrix {
    const cri_node *node, *names, *values, *default_names, *default_values;
    int count, default_count;
    int entries[CRI_ARM_MAX_LINKS];  // of each link, or -1
    int defaults[CRI_ARM_MAX_LINKS]; // 1 and 0: allowed or not by default; -1: no default
} matrix;

// A row of values: a list, or a mapping with a list.
static const cri_node *matrix_row(const matrix *m, int i)
{
    const cri_node *row = &m->values->items[i];
    return row->kind == CRI_NODE_MAP ? cri_node_get(row, "enabled") : row;
}

// Every name is a text, every row as long as there are names, every value a flag.
static bool check_rows(cri_moveit *r, const matrix *m)
{
    for (int i = 0; i < m->count; i++) {
        int length;
        const char *name;
        const cri_node *row = matrix_row(m, i);
        if (!cri_moveit_text_of(r, &m->names->items[i], "an entry's name", &name) ||
            !cri_moveit_list(r, row, "a row of entry_values", &length)) {
            return false;
        }
        if (length != m->count) {
            return cri_moveit_fail(r, CR_ERR_TYPE, row ? row : m->values,
                                   "row %d of entry_values must have %d values, got %d", i + 1,
                                   m->count, length);
        }
        for (int k = 0; k < length; k++) {
            bool flag;
            if (!cri_moveit_flag(r, &row->items[k], "a value of entry_values", &flag)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_defaults(cri_moveit *r, const matrix *m)
{
    for (int i = 0; i < m->default_count; i++) {
        const char *name;
        bool flag;
        if (!cri_moveit_text_of(r, &m->default_names->items[i], "a default's name", &name) ||
            !cri_moveit_flag(r, &m->default_values->items[i], "a default", &flag)) {
            return false;
        }
    }
    return true;
}

static bool open_matrix(cri_moveit *r, matrix *m)
{
    const cri_node *node = cri_node_get(r->scene, "allowed_collision_matrix");
    *m = (matrix){.node = node,
                  .names = cri_node_get(node, "entry_names"),
                  .values = cri_node_get(node, "entry_values"),
                  .default_names = cri_node_get(node, "default_entry_names"),
                  .default_values = cri_node_get(node, "default_entry_values")};
    int rows, defaults;
    if (!cri_moveit_list(r, m->names, "entry_names", &m->count) ||
        !cri_moveit_list(r, m->values, "entry_values", &rows) ||
        !cri_moveit_list(r, m->default_names, "default_entry_names", &m->default_count) ||
        !cri_moveit_list(r, m->default_values, "default_entry_values", &defaults)) {
        return false;
    }
    if (m->count != rows || m->default_count != defaults) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node,
                               "allowed_collision_matrix: %d names must have as many rows, got %d; "
                               "%d defaults as many values, got %d",
                               m->count, rows, m->default_count, defaults);
    }
    return check_rows(r, m) && check_defaults(r, m);
}

static bool flag_of(const cri_node *node)
{
    return node->text[0] == 't' || node->text[0] == 'T' || node->text[0] == '1';
}

static bool value_at(const matrix *m, int i, int k)
{
    return flag_of(&matrix_row(m, i)->items[k]);
}

static bool is_object(const cri_moveit *r, const char *name)
{
    for (int i = 0; i < r->object_count; i++) {
        if (strcmp(r->objects[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Find the links that entries and defaults speak of, and warn about names that are nobody's.
static void find_links(cri_moveit *r, matrix *m)
{
    int strangers = 0;
    const cri_node *first = NULL;
    memset(m->entries, -1, sizeof m->entries);
    memset(m->defaults, -1, sizeof m->defaults);
    for (int i = 0; i < m->count + m->default_count; i++) {
        bool entry = i < m->count;
        const cri_node *name = entry ? &m->names->items[i] : &m->default_names->items[i - m->count];
        int link = cr_arm_find_link(r->arm, name->text);
        if (link >= 0 && entry) {
            m->entries[link] = i;
        } else if (link >= 0) {
            m->defaults[link] = flag_of(&m->default_values->items[i - m->count]);
        } else if (!is_object(r, name->text)) {
            first = first ? first : name;
            strangers++;
        }
    }
    if (strangers) {
        cri_warn(r->report, cri_moveit_place(r, first),
                 "allowed_collision_matrix: names without effect, neither link nor object: %d, the "
                 "first \"%.80s\"",
                 strangers, first->text);
    }
}

// An entry for the pair, else the defaults of the two.
static bool allows(const matrix *m, int a, int b)
{
    if (m->entries[a] >= 0 && m->entries[b] >= 0) {
        int i = m->entries[a], k = m->entries[b];
        return value_at(m, i < k ? i : k, i < k ? k : i);
    }
    if (m->defaults[a] >= 0 && m->defaults[b] >= 0) {
        return m->defaults[a] && m->defaults[b];
    }
    return m->defaults[a] == 1 || m->defaults[b] == 1;
}

static bool has_solids(const cr_arm *arm, int link)
{
    for (int i = 0; i < arm->solid_count; i++) {
        if (arm->solids[i].link == link) {
            return true;
        }
    }
    return false;
}

// How many pairs differ, and the first of them.
typedef struct difference {
    int count, a, b;
} difference;

static void add_difference(difference *d, int a, int b)
{
    if (d->count++ == 0) {
        d->a = a;
        d->b = b;
    }
}

static void warn_of_differences(const cri_moveit *r, const matrix *m, const difference *robot,
                                const difference *scene)
{
    const cri_link *links = r->arm->links;
    if (robot->count) {
        cri_warn(
            r->report, cri_moveit_place(r, m->node),
            "allowed_collision_matrix: pairs that the robot allows and the scene does not: %d, "
            "the first \"%.60s\" and \"%.60s\"; they stay allowed",
            robot->count, links[robot->a].name, links[robot->b].name);
    }
    if (scene->count) {
        cri_warn(
            r->report, cri_moveit_place(r, m->node),
            "allowed_collision_matrix: pairs that the scene allows and the robot does not: %d, "
            "the first \"%.60s\" and \"%.60s\"; they are allowed",
            scene->count, links[scene->a].name, links[scene->b].name);
    }
}

// Only pairs that can meet count: those that have solids and do not move as one.
static void add_pairs(cri_moveit *r, const matrix *m)
{
    const cr_arm *arm = r->arm;
    difference robot = {0}, scene = {0};
    for (int a = 0; a < arm->link_count; a++) {
        for (int b = 0; b < a && has_solids(arm, a); b++) {
            if (arm->links[a].frame == arm->links[b].frame || !has_solids(arm, b)) {
                continue;
            }
            bool here = allows(m, a, b), there = arm->allowed[a][b];
            if (there && !here) {
                add_difference(&robot, b, a);
            } else if (here && !there) {
                add_difference(&scene, b, a);
                cr_arm *own = cri_moveit_own_arm(r);
                if (own) {
                    cri_arm_allow(own, a, b);
                }
            }
        }
    }
    warn_of_differences(r, m, &robot, &scene);
}

// Links that may touch an object are kept clear of it all the same.
static void warn_of_objects(const cri_moveit *r, const matrix *m)
{
    for (int i = 0; i < m->count; i++) {
        if (!is_object(r, m->names->items[i].text)) {
            continue;
        }
        for (int link = 0; link < r->arm->link_count; link++) {
            int k = m->entries[link];
            if (k >= 0 && value_at(m, i < k ? i : k, i < k ? k : i)) {
                cri_warn(r->report, cri_moveit_place(r, &m->names->items[i]),
                         "allowed_collision_matrix: link \"%.80s\" is kept clear of object "
                         "\"%.80s\" all the same",
                         r->arm->links[link].name, m->names->items[i].text);
                return;
            }
        }
    }
}

static void read_matrix(cri_moveit *r)
{
    matrix m;
    if (!open_matrix(r, &m) || m.count + m.default_count == 0) {
        return;
    }
    find_links(r, &m);
    add_pairs(r, &m);
    warn_of_objects(r, &m);
}

// ---------------------------------------------------------------------------------------------
// Padding.

// Scale and padding of each link.
typedef struct paddings {
    double scale[CRI_ARM_MAX_LINKS], padding[CRI_ARM_MAX_LINKS];
    const cri_node *nodes[CRI_ARM_MAX_LINKS]; // that named the link last
} paddings;

static bool read_padding(cri_moveit *r, const cri_node *node, const char *key, paddings *p)
{
    const cri_node *value = cri_node_get(node, key);
    const char *name;
    double number;
    bool scales = strcmp(key, "scale") == 0;
    if (!cri_moveit_text_of(r, cri_node_get(node, "link_name"), "link_name", &name) ||
        !cri_moveit_number(r, value ? value : node, key, &number)) {
        return false;
    }
    if (number < (scales ? 1 : 0)) {
        return cri_moveit_fail(r, CR_ERR_RANGE, value, "%s must be at least %d, got %g", key,
                               scales ? 1 : 0, number);
    }
    int link = cr_arm_find_link(r->arm, name);
    if (link < 0) {
        cri_warn(r->report, cri_moveit_place(r, node),
                 "the robot has no link \"%.80s\": its %s has no effect", name, key);
        return true;
    }
    *(scales ? &p->scale[link] : &p->padding[link]) = number;
    p->nodes[link] = node;
    return true;
}

static bool read_paddings(cri_moveit *r, const char *list_key, const char *key, paddings *p)
{
    const cri_node *list = cri_node_get(r->scene, list_key);
    int count;
    if (!cri_moveit_list(r, list, list_key, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!read_padding(r, &list->items[i], key, p)) {
            return false;
        }
    }
    return true;
}

static void pad_links(cri_moveit *r, const paddings *p)
{
    for (int link = 0; link < r->arm->link_count && r->status == CR_OK; link++) {
        if (p->scale[link] == 1 && p->padding[link] == 0) {
            continue;
        }
        cr_arm *own = cri_moveit_own_arm(r);
        const char *problem = own ? cri_arm_pad(own, link, p->scale[link], p->padding[link]) : NULL;
        if (problem) {
            cri_moveit_fail(r, CR_ERR_RANGE, p->nodes[link], "link \"%.80s\": %s",
                            r->arm->links[link].name, problem);
        }
    }
}

void cri_moveit_read_pairs(cri_moveit *r)
{
    paddings p = {0};
    for (int i = 0; i < CRI_ARM_MAX_LINKS; i++) {
        p.scale[i] = 1;
    }
    r->file = r->scene_file;
    read_matrix(r);
    if (read_paddings(r, "link_padding", "padding", &p) &&
        read_paddings(r, "link_scale", "scale", &p)) {
        pad_links(r, &p);
    }
}
