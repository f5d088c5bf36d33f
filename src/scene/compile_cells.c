// Pictures, and regions that are their cells: one for each member of a crowd.
//
//     pictures: {target: logo.pbm}
//     regions:  {cell: {picture: target, for: die, pitch: 0.0256}}
//
// makes cell.1, cell.2, ...; where `die` stands for a member, `cell` is that member's own.
#include "scene/compile.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "scene/pictures.h"
#include "scene/scene.h"

// A picture of the scene, as it was set or stands in the file. False after a report.
static bool read_picture(cri_compiler *c, const cri_node *key, const cri_node *value,
                         cri_bitmap *bitmap)
{
    const char *setting = cri_scene_setting(c->model->scene, key->text);
    const char *text = setting ? setting : value->text;
    if (!setting && (value->kind != CRI_NODE_SCALAR || cri_node_is_null(value))) {
        return cri_compile_fail(c, CR_ERR_TYPE, value,
                                "a picture must be the name of a .pbm or .png file or a word, got "
                                "%s",
                                cri_node_sort(value));
    }
    if (cri_bitmap_is_file(text)) {
        return cri_compile_fail(c, CR_ERR_FILE, value,
                                "picture \"%.200s\" is a file, and a scene that is read from "
                                "memory has no folder",
                                text);
    }
    cr_report report = {0};
    cr_status status = cri_bitmap_parse(text, (cri_location){0}, bitmap, &report);
    if (status == CR_ERR_MEMORY) {
        c->status = cri_fail_memory(c->report);
    } else if (status != CR_OK) {
        cri_compile_fail(c, status, setting ? NULL : value, "%s%s", setting ? "setting: " : "",
                         report.errors[0].message);
    }
    return status == CR_OK;
}

// All of them are looked at, whoever has a use for them.
void cri_compile_pictures(cri_compiler *c)
{
    const cri_node *map = c->top[CRI_TOP_PICTURES], *regions = c->top[CRI_TOP_REGIONS];
    if (!map || !cri_read_names(c, map, "pictures", CRI_REGIONS_MAX)) {
        return;
    }
    for (int i = 0; i < map->count; i++) {
        const cri_node *key = cri_node_key(map, i);
        cri_bitmap bitmap;
        bool used = false;
        cri_compile_subject(c, "picture \"%s\"", key->text);
        if (c->plan->has(key->text) || cri_node_get(c->top[CRI_TOP_PARAMETERS], key->text)) {
            cri_compile_fail(c, CR_ERR_NAME, key, "a parameter has the same name");
        }
        if (read_picture(c, key, cri_node_value(map, i), &bitmap)) {
            cri_bitmap_free(&bitmap);
        }
        for (int k = 0; regions && regions->kind == CRI_NODE_MAP && k < regions->count; k++) {
            const cri_node *name = cri_node_get(cri_node_value(regions, k), "picture");
            used = used || (name && cri_node_is(name, key->text));
        }
        if (!used) {
            cri_compile_warn(c, key, "no region is made of it");
        }
    }
    cri_compile_subject(c, "%s", "");
}

static const cri_node *find_picture(cri_compiler *c, const cri_node *name)
{
    const cri_node *map = c->top[CRI_TOP_PICTURES];
    cri_suggestion suggestion = {.word = name->text};
    if (name->kind != CRI_NODE_SCALAR || cri_node_is_null(name)) {
        cri_compile_fail(c, CR_ERR_TYPE, name, "picture must be the name of a picture, got %s",
                         cri_node_sort(name));
        return NULL;
    }
    for (int i = 0; map && map->kind == CRI_NODE_MAP && i < map->count; i++) {
        if (cri_node_is(name, cri_node_key(map, i)->text)) {
            return cri_node_key(map, i);
        }
        cri_suggest(&suggestion, cri_node_key(map, i)->text);
    }
    cri_compile_unknown(c, name, "picture", &suggestion);
    return NULL;
}

// Places of the cells in units of the pitch, in the order of the crowd. NULL after a report.
static cr_vec3 *lay_cells(cri_compiler *c, const cri_node *node, const cri_node *key,
                          const cri_cells *cells)
{
    cri_bitmap bitmap;
    const cri_node *value = cri_node_get(c->top[CRI_TOP_PICTURES], key->text);
    cr_vec3 *places = cri_compile_alloc(c, (size_t)cells->count, sizeof *places);
    if (!places || !read_picture(c, key, value, &bitmap)) {
        return NULL;
    }
    cr_status status = cri_picture_cells(&bitmap, cells->count, places);
    cri_bitmap_free(&bitmap);
    if (status == CR_ERR_MEMORY) {
        c->status = cri_fail_memory(c->report);
    } else if (status != CR_OK) {
        cri_compile_fail(c, status, node, "picture \"%s\" has too little that is dark for %d cells",
                         key->text, cells->count);
    }
    return status == CR_OK ? places : NULL;
}

// Nothing more than a square of the pitch's size where no shape is given.
static cr_shape shape_of_cell(const cr_shape *given, double pitch)
{
    cr_shape square = {.kind = CR_SHAPE_BOX, .half = {pitch / 2, pitch / 2, HUGE_VAL}};
    return given ? *given : square;
}

static void place_cells(cri_compiler *c, const cri_cells *cells, const cr_vec3 *places,
                        const cr_region *like)
{
    for (int i = 0; i < cells->count; i++) {
        cr_region *region = &c->model->regions[cells->first + i];
        region->shape = like->shape;
        region->pose.rotation = like->pose.rotation;
        region->pose.position = places[i];
    }
}

// Who goes where depends on where they stand as the file has them.
static void assign(cri_compiler *c, const cri_cells *cells, cr_vec3 *places)
{
    const cr_body *first = &c->model->bodies[c->model->crowds[cells->crowd].first];
    cr_vec3 *from = cri_compile_alloc(c, (size_t)cells->count, sizeof *from);
    for (int i = 0; from && i < cells->count; i++) {
        from[i] = first[i].pose.position;
    }
    if (!from || cri_assign_cells(from, places, cells->count) != CR_OK) {
        c->status = cri_fail_memory(c->report);
    }
}

void cri_read_cells(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                    const cri_cells *cells, bool shaped, const cr_region *like)
{
    const cri_node *pitch = values[CRI_REGION_PITCH], *name = values[CRI_REGION_PICTURE];
    const cri_node *key = find_picture(c, name);
    double size = 1;
    if (!pitch) {
        cri_compile_fail(c, CR_ERR_NAME, node, "key \"pitch\" is missing beside \"picture\"");
        return;
    }
    if (!cri_read_number(c, pitch, "pitch", &cri_range_length, &size) || cells->crowd < 0 || !key) {
        return;
    }
    cr_vec3 *places = lay_cells(c, name, key, cells);
    if (!places) {
        return;
    }
    for (int i = 0; i < cells->count; i++) {
        cr_vec3 offset = cri_rotate(like->pose.rotation, cri_scale(size, places[i]));
        places[i] = cri_add(like->pose.position, offset);
    }
    assign(c, cells, places);
    cr_region one = *like;
    one.shape = shape_of_cell(shaped ? &like->shape : NULL, size);
    place_cells(c, cells, places, &one);
}

// How many regions an entry makes.
int cri_count_cells(cri_compiler *c, const cri_node *node, cri_cells *cells)
{
    const cri_node *picture = cri_node_get(node, "picture"), *crowd = cri_node_get(node, "for");
    *cells = (cri_cells){.crowd = -1, .count = 1};
    if (!picture && (crowd || cri_node_get(node, "pitch"))) {
        cri_compile_fail(c, CR_ERR_NAME, crowd ? crowd : cri_node_get(node, "pitch"),
                         "\"%s\" goes with \"picture\"", crowd ? "for" : "pitch");
    } else if (picture && !crowd) {
        cri_compile_fail(c, CR_ERR_NAME, node, "key \"for\" is missing beside \"picture\"");
    } else if (picture) {
        cells->crowd = cri_read_crowd(c, crowd, "for");
        cells->count = cells->crowd >= 0 ? c->model->crowds[cells->crowd].count : 1;
    }
    return cells->count;
}

int cri_find_cell(const cri_compiler *c, const char *name)
{
    for (int k = 0; k < c->model->cells_count; k++) {
        const cri_cells *cells = &c->model->cells[k];
        for (int i = c->scope_count - 1; i >= 0 && strcmp(cells->name, name) == 0; i--) {
            if (c->scopes[i].crowd == cells->crowd) {
                return cells->first + c->scopes[i].member;
            }
        }
    }
    return -1;
}

// Cells of a crowd, named where no member is spoken of. False after a report.
bool cri_check_cell(cri_compiler *c, const cri_node *node)
{
    for (int k = 0; k < c->model->cells_count; k++) {
        const cri_cells *cells = &c->model->cells[k];
        if (cri_node_is(node, cells->name)) {
            const char *crowd = c->model->crowds[cells->crowd].name;
            return cri_compile_fail(c, CR_ERR_NAME, node,
                                    "each \"%s\" has a \"%s\"; name one, as \"%s.1\", or speak of "
                                    "all by {each: %s, is: ...}",
                                    crowd, cells->name, cells->name, crowd);
        }
    }
    return true;
}
