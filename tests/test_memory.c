// Memory: the search loop asks for none, and every failure to get some is survived without a leak.
//
// Leaks are found by the address sanitizer's build of this test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes.h"

#include "allocations.h"

static cr_model *model; // of the present test

static void the_loop_allocates_nothing(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "navigation/maze"};
    for (int i = 0; i < 2; i++) {
        model = load_scene(scenes[i], NULL);
        for (int s = 0; s < cr_library_select_count(NULL); s++) {
            cr_planner_def def = cr_model_planner_def(model);
            def.select = cr_library_select(NULL, s)->name;
            def.steps = 2000;
            cr_planner *planner = NULL;
            assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
            long before = calls;
            cr_planner_grow(planner, NULL);
            assert_int_equal(calls, before);
            assert_true(cr_planner_get_stats(planner).steps > 1000);
            cr_root root = {.state = cr_planner_state(planner, 0)};
            assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
            cr_planner_grow(planner, NULL);
            assert_int_equal(calls, before);
            assert_true(cr_planner_get_stats(planner).steps > 1000);
            cr_planner_destroy(planner);
        }
        cr_model_destroy(model);
    }
}

// Everything from a file to a plan file and back. Returns the worst status.
static cr_status whole_way(const char *path)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_planner *planner = NULL;
    cr_plan *plan = NULL, *again = NULL;
    model = NULL;
    cr_status status = cr_scene_read(CAROM_SCENES "/minigolf/bank.yaml", &scene, &report);
    status = status ? status : cr_scene_set(scene, "seed", "3", &report);
    status = status ? status : cr_model_create(scene, NULL, 0, &model, &report);
    if (status == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        def.threads = 2;
        def.steps = 1500;
        status = cr_planner_create(model, &def, &planner, &report);
    }
    if (status == CR_OK) {
        static const uint64_t all[8] = {~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};
        cr_root root = {.mask = all}; // so that the plan's file has a root in it
        status = cr_planner_restart(planner, &root, &report);
    }
    if (status == CR_OK) {
        cr_outcome outcome = cr_planner_grow(planner, NULL);
        status = cr_plan_create(planner, outcome, &plan, &report);
    }
    status = status ? status : cr_plan_write(plan, path, &report);
    status = status ? status : cr_plan_read(path, NULL, &again, &report);
    status = status ? status : cr_plan_replay(again, 0, NULL, NULL, &report);
    assert_true(status == CR_OK || report.count > 0);
    cr_plan_destroy(again);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return status;
}

// A future that is no solution, to a file and back.
static cr_status look_at(cr_plan *plan, const char *path, cr_report *report)
{
    cr_plan *again = NULL;
    cr_playback *playback = NULL;
    cr_status status = cr_plan_write(plan, path, report);
    status = status ? status : cr_plan_read(path, NULL, &again, report);
    status = status ? status : cr_plan_replay(again, 0, NULL, NULL, report);
    status = status ? status : cr_plan_playback(plan, NULL, &playback, report);
    cr_playback_destroy(playback);
    cr_plan_destroy(again);
    cr_plan_destroy(plan);
    return status;
}

static cr_status failed_way(const char *path)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(model);
    def.threads = 1;
    def.nodes = 100;
    def.steps = 1000;
    cr_status status = cr_planner_create(model, &def, &planner, &report);
    if (status == CR_OK) {
        status = cr_plan_create_failed(planner, cr_planner_grow(planner, NULL), &plan, &report);
    }
    status = status ? status : look_at(plan, path, &report);
    assert_true(status == CR_OK || report.count > 0);
    cr_planner_destroy(planner);
    return status;
}

static cr_status simulated_way(const char *path)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(model);
    cr_simulate_def how = cr_default_simulate_def();
    how.seconds = 2;
    cr_status status = cr_plan_simulate(model, &def, &how, &plan, &report);
    status = status ? status : look_at(plan, path, &report);
    assert_true(status == CR_OK || report.count > 0);
    return status;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    char path[] = "/tmp/carom-memory-XXXXXX";
    close(mkstemp(path));
    fail_every_allocation(whole_way, path);
    model = load_start("soccer/attack-1v2-reactive", 7, NULL);
    fail_every_allocation(failed_way, path);
    fail_every_allocation(simulated_way, path);
    cr_model_destroy(model);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_allocates_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
