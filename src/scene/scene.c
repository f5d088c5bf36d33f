#include "scene/scene.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scene/hulls.h"

enum { DEPTH_MAX = 64, NODES_MAX = 500000 };

// ---------------------------------------------------------------------------------------------
// Reading.

// The file's name without folder and ending.
static const char *name_of_path(cr_scene *scene)
{
    const char *slash = strrchr(scene->path, '/');
    const char *start = slash ? slash + 1 : scene->path;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    return cri_arena_text(&scene->arena, start, length);
}

static const char *scalar_text(const cri_node *node)
{
    bool text = node && node->kind == CRI_NODE_SCALAR && !cri_node_is_null(node);
    return text ? node->text : NULL;
}

// A text and its name, and what was replaced in it.
typedef struct whole {
    const char *text;
    size_t length;
    const char *name;
    cri_splices splices;
} whole;

static bool keep_splices(cr_scene *scene, const cri_splices *splices)
{
    if (splices->count == 0) {
        return true;
    }
    cri_splice *copy = cri_arena_alloc(&scene->arena, (size_t)splices->count, sizeof *copy);
    if (copy) {
        memcpy(copy, splices->items, (size_t)splices->count * sizeof *copy);
        scene->splices = copy;
        scene->splice_count = splices->count;
    }
    return copy;
}

static cr_status fill(cr_scene *scene, const whole *from, cr_report *report)
{
    scene->text = cri_arena_text(&scene->arena, from->text, from->length);
    scene->path = cri_arena_text(&scene->arena, from->name, strlen(from->name));
    if (!scene->text || !scene->path || !keep_splices(scene, &from->splices)) {
        return cri_fail_memory(report);
    }
    scene->length = from->length;
    cri_node_source source = {.text = scene->text,
                              .length = scene->length,
                              .name = scene->path,
                              .depth = DEPTH_MAX,
                              .nodes = NODES_MAX,
                              .splices = scene->splices,
                              .splice_count = scene->splice_count};
    cr_status status = cri_node_read(&source, &scene->arena, &scene->root, report);
    if (status != CR_OK) {
        return status;
    }
    if (scene->root->kind != CRI_NODE_MAP) {
        return cri_fail(report, CR_ERR_TYPE,
                        (cri_location){scene->path, scene->root->line, scene->root->column},
                        "a scene must be a mapping, got %s", cri_node_sort(scene->root));
    }
    const char *title = scalar_text(cri_node_get(scene->root, "name"));
    const char *about = scalar_text(cri_node_get(scene->root, "about"));
    scene->name = title ? title : name_of_path(scene);
    scene->about = about ? about : "";
    const cri_node *parameters = cri_node_get(scene->root, "parameters");
    scene->parameters = parameters && parameters->kind == CRI_NODE_MAP ? parameters : NULL;
    return scene->name ? CR_OK : cri_fail_memory(report);
}

static cr_status read_source(const whole *from, cr_scene **scene, cr_report *report)
{
    *scene = NULL;
    if (from->length > CR_SCENE_MAX_BYTES) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){.file = from->name},
                        "is %zu bytes long; at most %d are read", from->length, CR_SCENE_MAX_BYTES);
    }
    cr_scene *made = calloc(1, sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    cr_status status = fill(made, from, report);
    if (status != CR_OK) {
        cr_scene_destroy(made);
        return status;
    }
    *scene = made;
    return CR_OK;
}

cr_status cr_scene_read_text(const char *text, size_t length, const char *name, cr_scene **scene,
                             cr_report *report)
{
    return read_source(&(whole){text, length, name, {0}}, scene, report);
}

// Points take the place of files: the scene is read again with them.
static cr_status take_hulls(cr_scene **scene, const char *path, cr_report *report)
{
    cri_text text = {0};
    whole with = {.name = path};
    cr_status status = cri_scene_take_hulls(*scene, &text, &with.splices, report);
    if (status != CR_OK || with.splices.count > 0) {
        cr_scene_destroy(*scene);
        *scene = NULL;
    }
    if (status == CR_OK && with.splices.count > 0) {
        with.text = text.data, with.length = text.length;
        status = read_source(&with, scene, report);
    }
    free(with.splices.items);
    cri_text_free(&text);
    return status;
}

cr_status cr_scene_read(const char *path, cr_scene **scene, cr_report *report)
{
    char *text = NULL;
    size_t length = 0;
    *scene = NULL;
    cr_status status = cri_file_read(path, CR_SCENE_MAX_BYTES, &text, &length, report);
    if (status == CR_OK) {
        status = cr_scene_read_text(text, length, path, scene, report);
        free(text);
    }
    return status == CR_OK ? take_hulls(scene, path, report) : status;
}

void cr_scene_destroy(cr_scene *scene)
{
    if (scene) {
        free(scene->settings);
        cri_arena_free(&scene->arena);
        free(scene);
    }
}

cri_location cri_scene_location(const cr_scene *scene, const char *key, const char *inner)
{
    const cri_node *node = cri_node_get(scene->root, key);
    const cri_node *value = node && inner ? cri_node_get(node, inner) : NULL;
    node = value ? value : node ? node : scene->root;
    return (cri_location){scene->path, node->line, node->column};
}

bool cri_scene_has(const cr_scene *scene, const char *key, const char *inner)
{
    const cri_node *node = cri_node_get(scene->root, key);
    return node && cri_node_get(node, inner);
}

// ---------------------------------------------------------------------------------------------
// Settings.

static cri_setting *find_setting(const cr_scene *scene, const char *name)
{
    for (int i = 0; i < scene->setting_count; i++) {
        if (strcmp(scene->settings[i].name, name) == 0) {
            return &scene->settings[i];
        }
    }
    return NULL;
}

const char *cri_scene_setting(const cr_scene *scene, const char *name)
{
    const cri_setting *setting = find_setting(scene, name);
    return setting ? setting->value : NULL;
}

static cri_setting *add_setting(cr_scene *scene, const char *name)
{
    if (scene->setting_count == scene->setting_capacity) {
        int capacity = scene->setting_capacity ? 2 * scene->setting_capacity : 8;
        cri_setting *settings = realloc(scene->settings, (size_t)capacity * sizeof *settings);
        if (!settings) {
            return NULL;
        }
        scene->settings = settings;
        scene->setting_capacity = capacity;
    }
    const char *copy = cri_arena_text(&scene->arena, name, strlen(name));
    if (!copy) {
        return NULL;
    }
    cri_setting *setting = &scene->settings[scene->setting_count++];
    *setting = (cri_setting){copy, ""};
    return setting;
}

cr_status cri_scene_set(cr_scene *scene, const char *name, const char *value, cr_report *report)
{
    const char *copy = cri_arena_text(&scene->arena, value, strlen(value));
    if (!copy) {
        return cri_fail_memory(report);
    }
    cri_setting *setting = find_setting(scene, name);
    setting = setting ? setting : add_setting(scene, name);
    if (!setting) {
        return cri_fail_memory(report);
    }
    setting->value = copy;
    return CR_OK;
}

cr_status cri_scene_copy(const cr_scene *scene, cr_scene **copy, cr_report *report)
{
    whole from = {scene->text, scene->length, scene->path, {scene->splices, scene->splice_count}};
    cr_status status = read_source(&from, copy, report);
    for (int i = 0; status == CR_OK && i < scene->setting_count; i++) {
        status = cri_scene_set(*copy, scene->settings[i].name, scene->settings[i].value, report);
    }
    if (status != CR_OK) {
        cr_scene_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Queries.

const char *cr_scene_name(const cr_scene *scene)
{
    return scene->name;
}

const char *cr_scene_about(const cr_scene *scene)
{
    return scene->about;
}

const char *cr_scene_text(const cr_scene *scene, size_t *length)
{
    if (length) {
        *length = scene->length;
    }
    return scene->text;
}

const char *cr_scene_path(const cr_scene *scene)
{
    return scene->path;
}

int cr_scene_setting_count(const cr_scene *scene)
{
    return scene->setting_count;
}

const char *cr_scene_setting_name(const cr_scene *scene, int index)
{
    assert(index >= 0 && index < scene->setting_count);
    return scene->settings[index].name;
}

const char *cr_scene_setting_value(const cr_scene *scene, int index)
{
    assert(index >= 0 && index < scene->setting_count);
    return scene->settings[index].value;
}

int cr_scene_parameter_count(const cr_scene *scene)
{
    return scene->parameters ? scene->parameters->count : 0;
}

const char *cr_scene_parameter_name(const cr_scene *scene, int index)
{
    assert(index >= 0 && index < cr_scene_parameter_count(scene));
    return cri_node_key(scene->parameters, index)->text;
}

const char *cr_scene_parameter_text(const cr_scene *scene, int index)
{
    assert(index >= 0 && index < cr_scene_parameter_count(scene));
    const char *text = scalar_text(cri_node_value(scene->parameters, index));
    return text ? text : "";
}
