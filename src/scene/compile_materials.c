// Materials and how they meet.
#include "scene/compile.h"

#include <string.h>

#include "base/vec.h"

// What a part is made of when nobody says: middling in everything.
static const cr_material plain = {
    .name = "default", .friction = 0.5, .static_friction = 0.5, .restitution = 0.5};

static const cri_range friction_range = {0, 1000, false};
static const cri_range damping_range = {0, 1e6, false};

void cri_read_damping(cri_compiler *c, const cri_node *node, cri_damping *damping)
{
    const cri_node *values[CRI_DAMPING_COUNT];
    cri_read_map(c, node, &cri_keys_damping, values);
    if (values[CRI_DAMPING_LINEAR]) {
        cri_read_number(c, values[CRI_DAMPING_LINEAR], "linear damping", &damping_range,
                        &damping->linear);
    }
    if (values[CRI_DAMPING_ANGULAR]) {
        cri_read_number(c, values[CRI_DAMPING_ANGULAR], "angular damping", &damping_range,
                        &damping->angular);
    }
}

static void read_if_given(cri_compiler *c, const cri_node *node, const char *what,
                          const cri_range *range, double *value)
{
    if (node) {
        cri_read_number(c, node, what, range, value);
    }
}

static void read_grain(cri_compiler *c, const cri_node *node, cr_material *material)
{
    const cri_node *values[CRI_GRAIN_COUNT];
    cr_vec3 grain = {0};
    int count;
    if (!cri_read_map(c, node, &cri_keys_grain, values) ||
        !cri_read_vector(c, values[CRI_GRAIN_ALONG], "along", 3, &count, &grain)) {
        return;
    }
    if (!(cri_length(grain) > 1e-6)) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_GRAIN_ALONG], "along must not be zero");
        return;
    }
    material->grain = cri_unit(grain, grain);
    read_if_given(c, values[CRI_GRAIN_FRICTION], "friction", &friction_range,
                  &material->grain_friction);
}

static void read_material(cri_compiler *c, const cri_node *node, cr_material *material,
                          cri_damping *damping)
{
    const cri_node *values[CRI_MATERIAL_COUNT];
    cri_compile_subject(c, "material \"%s\"", material->name);
    cri_read_map(c, node, &cri_keys_material, values);
    if (values[CRI_MATERIAL_FRICTION]) {
        cri_read_number(c, values[CRI_MATERIAL_FRICTION], "friction", &friction_range,
                        &material->friction);
    }
    material->static_friction = material->friction;
    if (values[CRI_MATERIAL_STATIC_FRICTION]) {
        cri_read_number(c, values[CRI_MATERIAL_STATIC_FRICTION], "static_friction", &friction_range,
                        &material->static_friction);
    }
    if (values[CRI_MATERIAL_RESTITUTION]) {
        cri_read_number(c, values[CRI_MATERIAL_RESTITUTION], "restitution", &cri_range_share,
                        &material->restitution);
    }
    read_if_given(c, values[CRI_MATERIAL_ROLLING], "rolling", &friction_range, &material->rolling);
    read_if_given(c, values[CRI_MATERIAL_SPINNING], "spinning", &friction_range,
                  &material->spinning);
    if (values[CRI_MATERIAL_GRAIN]) {
        read_grain(c, values[CRI_MATERIAL_GRAIN], material);
    }
    if (values[CRI_MATERIAL_DAMPING]) {
        cri_read_damping(c, values[CRI_MATERIAL_DAMPING], damping);
    }
}

static void read_materials(cri_compiler *c, const cri_node *node)
{
    cr_model *model = c->model;
    int count = node && cri_read_names(c, node, "materials", CRI_MATERIALS_MAX) ? node->count : 0;
    model->materials = cri_compile_alloc(c, (size_t)count + 1, sizeof *model->materials);
    c->dampings = cri_compile_alloc(c, (size_t)count + 1, sizeof *c->dampings);
    if (!model->materials || !c->dampings) {
        return;
    }
    model->materials[0] = plain;
    model->material_count = 1;
    for (int i = 0; i < count; i++) {
        const char *name = cri_node_key(node, i)->text;
        // A scene may say what "default" is.
        int index = strcmp(name, plain.name) == 0 ? 0 : model->material_count++;
        model->materials[index] = plain;
        model->materials[index].name = name;
        read_material(c, cri_node_value(node, i), &model->materials[index], &c->dampings[index]);
    }
    cri_compile_subject(c, "%s", "");
}

// Both halves of the symmetric table.
static void set_meeting(cr_model *model, int a, int b, cr_meeting meeting)
{
    model->meetings[a * model->material_count + b] = meeting;
    model->meetings[b * model->material_count + a] = meeting;
}

static void read_pair(cri_compiler *c, const cri_node *node)
{
    const cri_node *values[CRI_PAIR_COUNT];
    if (!cri_read_map(c, node, &cri_keys_pair, values) ||
        !cri_read_list(c, values[CRI_PAIR_BETWEEN], "between", 2, 2)) {
        return;
    }
    if (node->count == 1) {
        cri_compile_fail(c, CR_ERR_NAME, node, "a pair must have a coefficient beside \"between\"");
    }
    const cri_node *names = values[CRI_PAIR_BETWEEN]->items;
    int a = cri_read_material(c, &names[0], "between");
    int b = cri_read_material(c, &names[1], "between");
    cr_meeting meeting = CRI_MEETING_UNSET;
    if (values[CRI_PAIR_FRICTION] && cri_read_number(c, values[CRI_PAIR_FRICTION], "friction",
                                                     &friction_range, &meeting.friction)) {
        meeting.static_friction = meeting.friction;
    }
    if (values[CRI_PAIR_STATIC_FRICTION]) {
        cri_read_number(c, values[CRI_PAIR_STATIC_FRICTION], "static_friction", &friction_range,
                        &meeting.static_friction);
    }
    if (values[CRI_PAIR_RESTITUTION]) {
        cri_read_number(c, values[CRI_PAIR_RESTITUTION], "restitution", &cri_range_share,
                        &meeting.restitution);
    }
    read_if_given(c, values[CRI_PAIR_ROLLING], "rolling", &friction_range, &meeting.rolling);
    read_if_given(c, values[CRI_PAIR_SPINNING], "spinning", &friction_range, &meeting.spinning);
    read_if_given(c, values[CRI_PAIR_GRAIN], "grain_friction", &friction_range, &meeting.along);
    if (a < 0 || b < 0) {
        return;
    }
    const cr_meeting *old = &c->model->meetings[a * c->model->material_count + b];
    if (old->friction >= 0 || old->static_friction >= 0 || old->restitution >= 0 ||
        old->rolling >= 0 || old->spinning >= 0 || old->along >= 0) {
        cri_compile_fail(c, CR_ERR_NAME, node, "the pair \"%s\", \"%s\" stands here twice",
                         names[0].text, names[1].text);
        return;
    }
    set_meeting(c->model, a, b, meeting);
}

static bool is_used(const cr_model *model, int material)
{
    for (int i = 0; i < model->body_count; i++) {
        for (int j = 0; j < model->bodies[i].part_count; j++) {
            if (model->bodies[i].parts[j].material == material) {
                return true;
            }
        }
    }
    return false;
}

void cri_warn_materials(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_MATERIALS];
    for (int i = 0; node && i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        int material = cri_read_material(c, key, "materials");
        if (!is_used(c->model, material)) {
            cri_compile_warn(c, key, "no part is of material \"%s\"", key->text);
        }
    }
}

static void read_pairs(cri_compiler *c, const cri_node *node)
{
    cr_model *model = c->model;
    size_t count = (size_t)model->material_count * (size_t)model->material_count;
    model->meetings = cri_compile_alloc(c, count, sizeof *model->meetings);
    if (!model->meetings) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        model->meetings[i] = CRI_MEETING_UNSET;
    }
    if (node && cri_read_list(c, node, "pairs", 0, CRI_MATERIALS_MAX * CRI_MATERIALS_MAX)) {
        cri_compile_subject(c, "pairs");
        for (int i = 0; i < node->count; i++) {
            read_pair(c, &node->items[i]);
        }
        cri_compile_subject(c, "%s", "");
    }
}

void cri_compile_materials(cri_compiler *c)
{
    read_materials(c, c->top[CRI_TOP_MATERIALS]);
    if (c->model->materials && c->dampings) {
        read_pairs(c, c->top[CRI_TOP_PAIRS]);
    }
}
