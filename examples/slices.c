// Grow in slices with a deadline of one's own: a robot's loop has 1/60 s a turn, and other things
// to do. Usage: slices SCENE.yaml
#include <carom/carom.h>

#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Asked every few steps: true once the deadline has passed.
static bool is_late(void *context)
{
    return now() > *(const double *)context;
}

// One turn of the loop after the other, until the search ends or the turns are used up.
static cr_outcome loop(cr_planner *planner, int turns)
{
    cr_outcome outcome = CR_OUTCOME_STOPPED;
    for (int turn = 0; turn < turns && outcome == CR_OUTCOME_STOPPED; turn++) {
        double deadline = now() + 1.0 / 60;
        cr_slice slice = {.stop = is_late, .context = &deadline};
        outcome = cr_planner_grow(planner, &slice); // the same tree as in one go
        cr_planner_stats stats = cr_planner_get_stats(planner);
        printf("turn %d: %lld nodes, %s\n", turn, (long long)stats.nodes, cr_outcome_name(outcome));
    }
    return outcome;
}

int main(int argc, char **argv)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_outcome outcome = CR_OUTCOME_GROWING;
    if (argc == 2 && cr_scene_read(argv[1], &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        if (cr_planner_create(model, &def, &planner, &report) == CR_OK) {
            outcome = loop(planner, 10000);
        }
    }
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", report.errors[i].message);
    }
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return outcome == CR_OUTCOME_SOLVED ? 0 : 1;
}
