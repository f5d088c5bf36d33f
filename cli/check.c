// carom check: look for errors in a scene file.
#include "terminal/json.h"
#include "search.h"

#include <stdio.h>

static void print_summary(const cr_model *model)
{
    printf("%s: %d bodies (%d move), %d regions, %d Tactics, %d pairs may collide, %zu bytes a "
           "state\n",
           shown(cr_scene_name(cr_model_scene(model))), cr_model_body_count(model),
           cr_model_moving_count(model), cr_model_region_count(model), cr_model_tactic_count(model),
           cr_model_pair_count(model), cr_state_size(model));
}

static void print_json(const cr_model *model)
{
    json_text("scene", cr_scene_name(cr_model_scene(model)));
    json_count("bodies", cr_model_body_count(model));
    json_count("moving", cr_model_moving_count(model));
    json_count("regions", cr_model_region_count(model));
    json_count("tactics", cr_model_tactic_count(model));
    json_count("pairs", cr_model_pair_count(model));
    json_count("state_bytes", (int64_t)cr_state_size(model));
}

int command_check(int argc, char **argv)
{
    search asked = {0};
    option_row rows[SEARCH_OPTIONS];
    int count = search_options(&asked, rows);
    usage how = {"carom check SCENE [options]",
                 "Read and compile a scene and make a planner for it, as `carom plan` would, and\n"
                 "report every error: what passes here, `carom plan` begins to search.",
                 rows,
                 count,
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_status status = search_planner(&scene, &planner, &report);
    code = report_print(status, &report);
    if (status == CR_OK && json_wanted()) {
        print_json(scene.model);
    } else if (status == CR_OK) {
        print_summary(scene.model);
    }
    cr_planner_destroy(planner);
    search_end(&asked, &scene);
    return code;
}
