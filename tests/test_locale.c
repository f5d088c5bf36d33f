// A host program's locale changes nothing: everything that the library reads, writes and says, once
// in the C locale and once with another decimal point, must be the same bytes. The locales come
// from LOCPATH (locales.sh makes them); without them the tests are skipped, and say so.
#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "carom/carom.h"
#include "drive/line.h"
#include "export/page.h"
#include "playbacks.h"

// ---------------------------------------------------------------------------------------------
// Files.

static char home[] = "/tmp/carom-locale-XXXXXX"; // made and removed by the group
static const char plain_folder[] = "plain";

typedef struct path {
    char text[256];
} path;

static path path_of(const char *folder, const char *name)
{
    path p;
    int length = snprintf(p.text, sizeof p.text, "%s/%s/%s", home, folder, name);
    assert_true(length > 0 && length < (int)sizeof p.text);
    return p;
}

static path put(const char *folder, const char *name, const char *text)
{
    path p = path_of(folder, name);
    assert_int_equal(cr_file_write(p.text, text, strlen(text), NULL), CR_OK);
    return p;
}

static void expect_same_file(const char *a, const char *b)
{
    char *texts[2];
    size_t lengths[2];
    assert_int_equal(cri_file_read(a, 64 << 20, &texts[0], &lengths[0], NULL), CR_OK);
    assert_int_equal(cri_file_read(b, 64 << 20, &texts[1], &lengths[1], NULL), CR_OK);
    if (lengths[0] != lengths[1] || memcmp(texts[0], texts[1], lengths[0]) != 0) {
        fail_msg("%s and %s differ", a, b);
    }
    free(texts[0]);
    free(texts[1]);
}

static int each_file(const char *folder, void (*use)(const char *name, const char *folder))
{
    path p = path_of(folder, "");
    DIR *files = opendir(p.text);
    assert_non_null(files);
    int count = 0;
    for (struct dirent *file; (file = readdir(files));) {
        if (file->d_name[0] != '.') {
            use(file->d_name, folder);
            count++;
        }
    }
    closedir(files);
    return count;
}

static void compare_file(const char *name, const char *folder)
{
    path a = path_of(plain_folder, name), b = path_of(folder, name);
    expect_same_file(a.text, b.text);
}

static void remove_file(const char *name, const char *folder)
{
    path p = path_of(folder, name);
    unlink(p.text);
}

static void good(cr_status status, const cr_report *report)
{
    if (status != CR_OK) {
        char text[640];
        fail_msg("%s", cr_error_print(&report->errors[0], text, sizeof text));
    }
}

static void write_playback(const cr_playback *playback, const char *folder, const char *stem)
{
    static const char *const endings[] = {".csv",        ".contacts.csv", ".channels.csv",
                                          ".skills.csv", ".actions.csv",  ".svg",
                                          ".glb",        ".html"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        bool without = strcmp(endings[i], ".html") == 0 ? !cri_page[0]
                                                        : strcmp(endings[i], ".actions.csv") == 0 &&
                                                              !playback->worlds[0].actions;
        if (without) {
            continue;
        }
        char name[64];
        cr_report report = {0};
        snprintf(name, sizeof name, "%s%s", stem, endings[i]);
        path p = path_of(folder, name);
        good(cr_playback_write(playback, p.text, &report), &report);
    }
}

// ---------------------------------------------------------------------------------------------
// Trips: each goes all the way, from files that are read to files that are written.

static bool watch(const cr_replay_step *step, void *context)
{
    double *last = context;
    *last = cr_state_time(step->model, step->state);
    return true;
}

static void reread_plan(const char *file)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    double last = 0;
    good(cr_plan_read(file, NULL, &plan, &report), &report);
    good(cr_plan_replay(plan, 0, watch, &last, &report), &report);
    assert_true(last > 0);
    cr_plan_destroy(plan);
}

static void plan_trip(const char *folder)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_playback *playback = NULL;
    good(cr_scene_read(CAROM_SCENES "/minigolf/bank.yaml", &scene, &report), &report);
    good(cr_scene_set(scene, "mu", "12.5", &report), &report);
    good(cr_model_create(scene, NULL, 0, &model, &report), &report);
    cr_planner_def def = cr_model_planner_def(model);
    assert_true(def.mu == 12.5);
    good(cr_planner_create(model, &def, &planner, &report), &report);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(outcome, CR_OUTCOME_SOLVED);
    good(cr_plan_create(planner, outcome, &plan, &report), &report);
    path file = path_of(folder, "golf.plan.json");
    good(cr_plan_write(plan, file.text, &report), &report);
    good(cr_plan_playback(plan, planner, &playback, &report), &report);
    write_playback(playback, folder, "golf");
    put(folder, "repeat.txt", cr_plan_repeat(plan));
    reread_plan(file.text);
    cr_playback_destroy(playback);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

// A stadium of two half circles.
static void put_track(const char *folder)
{
    cri_text text = {0};
    cri_text_add(&text, "# x_m,y_m,w_tr_right_m,w_tr_left_m\n");
    for (int i = 0; i < 40; i++) {
        double a = i * 0.157079632679, side = i < 20 ? 60.5 : -60.5;
        cri_text_add(&text, "%.4f,%.4f,6.25,6.5\n", side + 80 * cos(a - 1.5), 80 * sin(a - 1.5));
    }
    put(folder, "track.csv", text.data);
    cri_text_free(&text);
}

static cr_moves *read_moves(const char *folder)
{
    cri_text text = {0};
    for (int i = 0; i < 60; i++) {
        cri_text_add(&text, "%.1f,%.2f,%.1f,0\n", i * 0.5, 12.5 * sin(0.4 * i), 60.5);
    }
    path inputs = put(folder, "inputs.csv", text.data);
    cri_text_free(&text);
    cr_report report = {0};
    cr_moves *moves = NULL;
    cr_moves_def def = cr_default_moves_def();
    const char *const files[] = {inputs.text};
    def.tree = CR_MOVE_TREE_AUTO;
    def.graph.threshold = 0.5;
    def.inputs = files;
    def.input_count = 1;
    good(cr_moves_create(&def, &moves, &report), &report);
    return moves;
}

static void drive_trip(const char *folder)
{
    cr_report report = {0};
    cr_track *track = NULL;
    cr_drive *drive = NULL;
    cri_line *line = NULL;
    const char square[] = "0.5,0\n90.25,0\n90,90.75\n0,90\n";
    good(cri_line_parse(square, strlen(square), "square", &line, &report), &report);
    assert_true(line->x[1] == 90.25 && line->y[2] == 90.75);
    cri_line_destroy(line);
    put_track(folder);
    path file = path_of(folder, "track.csv");
    good(cr_track_read(file.text, true, &track, &report), &report);
    cr_moves *moves = read_moves(folder);
    path clips = path_of(folder, "clips.csv"), graph = path_of(folder, "graph.svg");
    good(cr_moves_write_clips(moves, clips.text, &report), &report);
    good(cr_moves_write_svg(moves, graph.text, &report), &report);
    cr_drive_def def = cr_default_drive_def();
    def.seconds = 2.5;
    def.nodes = 300;
    def.guess = CR_GUESS_SPEED; // makes no table of the car's limits, which takes long
    good(cr_drive_run(track, moves, &def, &drive, &report), &report);
    assert_true(cr_drive_outcome(drive).frames > 10);
    cr_playback *playback = NULL;
    good(cr_drive_playback(drive, &playback, &report), &report);
    write_playback(playback, folder, "drive");
    cr_playback_destroy(playback);
    cr_drive_destroy(drive);
    cr_moves_destroy(moves);
    cr_track_destroy(track);
}

static cr_arm *read_arm(const char *folder)
{
    put(folder, "hand.obj", "v -0.05 -0.05 -0.15\nv 0.05 0.05 0.15\n");
    put(folder, "foot.stl", "solid s\nvertex -0.05 -0.05 0\nvertex 0.05 0.05 0.125\n");
    path urdf = put(folder, "arm.urdf",
                    "<robot name='r'><link name='a'><collision><geometry><mesh "
                    "filename='foot.stl'/></geometry></collision></link><link name='b'/>"
                    "<link name='c'><collision><geometry><mesh filename='hand.obj' "
                    "scale='0.5 0.5 0.5'/></geometry></collision></link>"
                    "<joint name='turn' type='revolute'><parent link='a'/><child link='b'/>"
                    "<axis xyz='0 0 1'/><limit lower='-2.5' upper='2.5'/></joint>"
                    "<joint name='push' type='prismatic'><parent link='b'/><child link='c'/>"
                    "<origin xyz='0.5 0 0'/><limit lower='0' upper='0.45'/></joint></robot>");
    path srdf = put(folder, "arm.srdf",
                    "<robot name='r'><group name='g'><chain base_link='a' tip_link='c'/></group>"
                    "<group_state group='g' name='s'><joint name='turn' value='0.5'/>"
                    "</group_state></robot>");
    cr_report report = {0};
    cr_arm *arm = NULL;
    good(cr_arm_read(urdf.text, srdf.text, &arm, &report), &report);
    return arm;
}

static cr_reach_tasks *read_tasks(const cr_arm *arm, const char *folder)
{
    path scene = put(folder, "scene.yaml",
                     "world: {collision_objects: [{id: wall, primitives: [{type: box, dimensions: "
                     "[0.2, 0.2, 1.5]}], primitive_poses: [{position: [0.75, 0, 0], orientation: "
                     "[0, 0, 0, 1]}]}]}\n");
    path request = put(folder, "request.yaml",
                       "start_state: {joint_state: {name: [turn, push], position: [-1.25, 0.1]}}\n"
                       "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1.25}"
                       "]}]\n");
    cr_report report = {0};
    cr_reach_tasks *tasks = NULL;
    good(cr_moveit_read(arm, scene.text, request.text, &tasks, &report), &report);
    return tasks;
}

static void reach_trip(const char *folder)
{
    cr_report report = {0};
    cr_arm *arm = read_arm(folder);
    cr_reach_tasks *tasks = read_tasks(arm, folder);
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    cr_reach_def def = cr_quick_reach_def();
    cr_cache_def kind = cr_default_cache_def(CR_CACHE_PAPER);
    cr_cache *cache = NULL, *again = NULL;
    cr_reach *reach = NULL;
    cr_reach_result result;
    cr_playback *playback = NULL;
    good(cr_cache_create(arm, &kind, &cache, &report), &report);
    good(cr_reach_create(&def, &reach, &report), &report);
    good(cr_reach_plan(reach, task, 1, cache, &result, &report), &report);
    assert_int_equal(result.outcome, CR_OUTCOME_SOLVED);
    good(cr_reach_playback(task, result.path, result.count, "t", &playback, &report), &report);
    write_playback(playback, folder, "reach");
    path first = path_of(folder, "first.cache"), second = path_of(folder, "second.cache");
    good(cr_cache_write(cache, first.text, &report), &report);
    good(cr_cache_read(arm, first.text, &again, &report), &report);
    good(cr_cache_write(again, second.text, &report), &report);
    expect_same_file(first.text, second.text);
    cr_cache_destroy(again);
    cr_cache_destroy(cache);
    cr_playback_destroy(playback);
    cr_reach_destroy(reach);
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

// What is said about numbers, and those that the parameter table shows.
static void message_trip(const char *folder)
{
    static const char *const scenes[] = {
        "materials: {m: {friction: -0.5}}\n",
        "materials: {m: {friction: 0,5}}\n",
        "materials: {m: {friction: (1.5 + 0x2) / 2}}\n",
        "plan: {nodes: 2.5, mu: -1.5}\n",
    };
    cri_text all = {0};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        cr_report report = {0};
        cr_scene *scene = NULL;
        cr_model *model = NULL;
        if (cr_scene_read_text(scenes[i], strlen(scenes[i]), "s", &scene, &report) == CR_OK) {
            cr_model_create(scene, NULL, 0, &model, &report);
        }
        assert_true(report.count > 0);
        for (int k = 0; k < report.count; k++) {
            cri_text_add(&all, "%s\n", report.errors[k].message);
        }
        cr_model_destroy(model);
        cr_scene_destroy(scene);
    }
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        cri_text_add(&all, "%s %g %g %s\n", p->name, p->min, p->max, p->fallback);
    }
    put(folder, "messages.txt", all.data);
    cri_text_free(&all);
}

static void playback_trip(const char *folder)
{
    cri_arena arena = {0};
    cr_playback golf = golf_playback(&arena, 2), race = race_playback(&arena);
    cr_playback still = still_playback(&arena), tree = tree_playback(&arena, 500);
    write_playback(&golf, folder, "made");
    write_playback(&race, folder, "race");
    write_playback(&still, folder, "still");
    write_playback(&tree, folder, "tree");
    cri_arena_free(&arena);
}

static void all_trips(const char *folder)
{
    path p = path_of(folder, "");
    assert_int_equal(mkdir(p.text, 0700), 0);
    plan_trip(folder);
    drive_trip(folder);
    reach_trip(folder);
    message_trip(folder);
    playback_trip(folder);
}

static void remove_trips(const char *folder)
{
    path p = path_of(folder, "");
    each_file(folder, remove_file);
    assert_int_equal(rmdir(p.text), 0);
}

// ---------------------------------------------------------------------------------------------
// The locales.

static void same_trips(const char *folder)
{
    char point[16];
    snprintf(point, sizeof point, "%s", localeconv()->decimal_point);
    assert_string_not_equal(point, ".");
    all_trips(folder);
    // The program's locale is as it was.
    assert_string_equal(localeconv()->decimal_point, point);
    assert_true(each_file(folder, compare_file) > 25);
    assert_int_equal(each_file(plain_folder, compare_file), each_file(folder, compare_file));
    remove_trips(folder);
}

static void need_locale(const void *locale, const char *name)
{
    if (!locale) {
        print_message("no locale %s: localedef and the package locales make it\n", name);
        skip();
    }
}

static void program_locale(int category, const char *name)
{
    need_locale(setlocale(category, name), name);
    same_trips(name);
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    program_locale(LC_ALL, "comma.UTF-8");
}

// U+066B, two bytes.
static void a_long_decimal_point_changes_nothing(void **state)
{
    (void)state;
    program_locale(LC_NUMERIC, "long.UTF-8");
}

// A program may also give one thread a locale of its own.
static void a_threads_locale_changes_nothing(void **state)
{
    (void)state;
    need_locale(setlocale(LC_ALL, "comma.UTF-8"), "comma.UTF-8");
    locale_t comma = duplocale(LC_GLOBAL_LOCALE);
    assert_true(comma != (locale_t)0);
    setlocale(LC_ALL, "C");
    uselocale(comma);
    same_trips("thread");
    assert_true(uselocale((locale_t)0) == comma);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(comma);
}

static int restore(void **state)
{
    (void)state;
    uselocale(LC_GLOBAL_LOCALE);
    return setlocale(LC_ALL, "C") ? 0 : 1;
}

static int make_plain(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(home));
    all_trips(plain_folder);
    return 0;
}

static int remove_plain(void **state)
{
    (void)state;
    remove_trips(plain_folder);
    return rmdir(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_decimal_comma_changes_nothing, restore),
        cmocka_unit_test_teardown(a_long_decimal_point_changes_nothing, restore),
        cmocka_unit_test_teardown(a_threads_locale_changes_nothing, restore),
    };
    return cmocka_run_group_tests(tests, make_plain, remove_plain);
}
