// A scene with other numbers. scene/groups.h says what belongs together, scene/rewrite.h how a text
// is changed; here is what is drawn, and what is refused.
#include "carom/vary.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"
#include "plan/planner.h"
#include "scene/evaluate.h"
#include "scene/rewrite.h"
#include "scene/scene.h"

enum { DRAWS_MAX = 1000 };

#define SEED_MAX    0x1p53
#define OVERLAP_MAX 0.001 // m, as for starts: rounding in files

typedef struct variation {
    const cr_scene *scene;
    const cr_library *library;
    const cr_vary_def *def;
    cr_model *model; // of the scene as it is
    cri_arena arena;
    cri_groups groups;
    cri_change *changes;                 // by group
    bool overlaps, keeps_rules, at_goal; // what the scene as it is has already
    char *key;                           // `varied: ...`
} variation;

cr_vary_def cr_default_vary_def(void)
{
    return (cr_vary_def){.share = 0.05, .seed = 1};
}

bool cr_scene_varied(const cr_scene *scene, cr_vary_def *def)
{
    const cri_node *varied = cri_node_get(scene->root, "varied");
    const cri_node *share = varied ? cri_node_get(varied, "share") : NULL;
    const cri_node *seed = varied ? cri_node_get(varied, "seed") : NULL;
    int64_t number;
    if (!share || !seed || !cri_node_number(share, &def->share) ||
        !cri_node_integer(seed, &number)) {
        return false;
    }
    def->seed = (uint64_t)number;
    return true;
}

// ---------------------------------------------------------------------------------------------
// A draw.

// A move, evenly over the disc of the longest, and a size. The ground stays and keeps its height,
// because others stand on it; one that leans could only be changed in all directions.
static cri_change draw_change(const variation *v, const cri_bundle *group, cr_rng *rng)
{
    double radius = v->groups.reach * sqrt(cr_rng_unit(rng));
    double angle = cr_rng_uniform(rng, 0, 2 * CRI_PI);
    double scale = cr_rng_uniform(rng, 1 - v->def->share, 1 + v->def->share);
    cr_vec3 middle = group->middle, move = {radius * cri_cos(angle), radius * cri_sin(angle), 0};
    if (group->ground) {
        move = cri_vec3(0, 0, 0);
        scale = group->tilted ? 1 : scale;
    }
    double rise = group->ground ? 1 : scale;
    return (cri_change){
        scale,
        rise,
        {middle.x * (1 - scale) + move.x, middle.y * (1 - scale) + move.y, middle.z * (1 - rise)}};
}

static void draw(variation *v, int attempt)
{
    cr_rng rng = cr_rng_make(v->def->seed, CR_RNG_VARY, (uint64_t)attempt);
    for (int i = 0; i < v->groups.count; i++) {
        v->changes[i] = draw_change(v, &v->groups.items[i], &rng);
    }
}

static cr_status read_draw(const variation *v, cr_scene **scene, cr_report *report)
{
    cri_text text = {0};
    bool good = cri_rewrite(v->model, &v->groups, v->changes, v->key, &text, report);
    cr_status status =
        good ? cr_scene_read_text(text.data, text.length, v->scene->path, scene, report)
             : CR_ERR_RANGE;
    for (int i = 0; status == CR_OK && i < v->scene->setting_count; i++) {
        const cri_setting *setting = &v->scene->settings[i];
        status = cri_scene_set(*scene, setting->name, setting->value, report);
    }
    cri_text_free(&text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// What is refused.

// A body that was inside of the area is not any more, or the middle of a region is not.
static bool is_in(const cr_model *model, int thing, int area)
{
    return thing < model->body_count
               ? cri_thing_inside(model, thing, area, 0)
               : cr_region_contains(&model->regions[area],
                                    model->regions[thing - model->body_count].pose.position);
}

static bool leaves(const variation *v, const cr_model *model)
{
    int area = v->groups.area;
    for (int i = 0; area >= 0 && i < v->groups.thing_count; i++) {
        int group = v->groups.of[i];
        if (group >= 0 && !v->groups.items[group].ground && is_in(v->model, i, area) &&
            !is_in(model, i, area)) {
            return true;
        }
    }
    return false;
}

static const cr_state *start_of(const cr_model *model)
{
    return (const cr_state *)(const void *)model->start_state;
}

static bool fits(const variation *v, const cr_model *model)
{
    return (v->overlaps || !cri_groups_overlap(model, &v->groups, OVERLAP_MAX)) &&
           !leaves(v, model) && (!v->keeps_rules || !cri_broken_rule(model, start_of(model))) &&
           (v->at_goal || !cri_goal_reached(model, start_of(model)));
}

// CR_OK with a scene, CR_OK without one for a draw that is refused, or what failed.
static cr_status try_draw(variation *v, int attempt, cr_scene **varied, cr_report *report)
{
    cr_model *model = NULL;
    cr_report why = {0}; // a refusal is no error
    draw(v, attempt);
    cr_status status = read_draw(v, varied, report);
    if (status == CR_OK) {
        status = cr_model_create(*varied, v->library, 0, &model, &why);
        bool good = status == CR_OK && fits(v, model);
        status = status == CR_ERR_MEMORY ? status : CR_OK;
        if (!good) {
            cr_scene_destroy(*varied);
            *varied = NULL;
        }
    }
    cr_model_destroy(model);
    return status;
}

// ---------------------------------------------------------------------------------------------

static cr_status check_def(const cr_scene *scene, const cr_vary_def *def, cr_report *report)
{
    cri_location place = {.file = scene->path};
    if (!(def->share >= 0 && def->share <= CR_VARY_MAX_SHARE)) {
        return cri_fail(report, CR_ERR_RANGE, place, "the share to vary by must be 0 to %g, got %g",
                        CR_VARY_MAX_SHARE, def->share);
    }
    if ((double)def->seed > SEED_MAX) {
        return cri_fail(report, CR_ERR_RANGE, place, "the seed to vary by must be at most 2^53");
    }
    cr_vary_def before;
    if (cr_scene_varied(scene, &before) &&
        (before.share != def->share || before.seed != def->seed) && def->share > 0) {
        return cri_fail(report, CR_ERR_RANGE, place,
                        "the scene is varied already, by %g with seed %ju", before.share,
                        (uintmax_t)before.seed);
    }
    return CR_OK;
}

static cr_status prepare(variation *v, cr_report *report)
{
    cr_status status = cr_model_create(v->scene, v->library, 0, &v->model, report);
    if (status != CR_OK) {
        return status;
    }
    if (v->model->cells_count > 0) { // who goes to which cell depends on where all stand
        return cri_fail(report, CR_ERR_TYPE, (cri_location){.file = v->scene->path},
                        "a scene with a picture cannot be varied");
    }
    char number[32];
    cri_text key = {0};
    cri_text_add(&key, "\"varied\": {\"share\": %s, \"seed\": %ju}",
                 cri_number_print(v->def->share, number, sizeof number), (uintmax_t)v->def->seed);
    v->key = key.data;
    bool found = !key.failed && cri_groups_find(v->model, v->def->share, &v->arena, &v->groups);
    v->changes =
        found ? cri_arena_alloc(&v->arena, (size_t)v->groups.count + 1, sizeof *v->changes) : NULL;
    if (!v->changes) {
        return cri_fail_memory(report);
    }
    v->overlaps = cri_groups_overlap(v->model, &v->groups, OVERLAP_MAX);
    v->keeps_rules = !cri_broken_rule(v->model, start_of(v->model));
    v->at_goal = cri_goal_reached(v->model, start_of(v->model));
    return CR_OK;
}

static cr_status vary(variation *v, cr_scene **varied, cr_vary_stats *stats, cr_report *report)
{
    cr_status status = prepare(v, report);
    int drawn = 0;
    while (status == CR_OK && !*varied && drawn < DRAWS_MAX) {
        status = try_draw(v, drawn++, varied, report);
    }
    if (status == CR_OK && !*varied) {
        status = cri_fail(report, CR_ERR_RANGE, (cri_location){.file = v->scene->path},
                          "no variation by %g fits: all of %d draws were refused", v->def->share,
                          DRAWS_MAX);
    }
    if (stats) {
        *stats =
            (cr_vary_stats){v->groups.reach, v->groups.count, drawn, drawn > 0 ? drawn - 1 : 0};
    }
    free(v->key);
    cri_arena_free(&v->arena);
    cr_model_destroy(v->model);
    return status;
}

cr_status cr_scene_vary(const cr_scene *scene, const cr_library *library, const cr_vary_def *def,
                        cr_scene **varied, cr_vary_stats *stats, cr_report *report)
{
    cr_vary_def before;
    *varied = NULL;
    if (stats) {
        *stats = (cr_vary_stats){0};
    }
    cr_status status = check_def(scene, def, report);
    if (status != CR_OK) {
        return status;
    }
    if (def->share == 0 || cr_scene_varied(scene, &before)) {
        return cri_scene_copy(scene, varied, report);
    }
    variation v = {.scene = scene, .library = library, .def = def};
    status = vary(&v, varied, stats, report);
    if (status != CR_OK) {
        cr_scene_destroy(*varied);
        *varied = NULL;
    }
    return status;
}
