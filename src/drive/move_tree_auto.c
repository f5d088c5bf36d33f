// The automatic tree: the sweep's clips, cut and joined by comparing frames.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "drive/graph.h"
#include "drive/inputs.h"
#include "drive/large.h"
#include "drive/sweep.h"

cr_graph_def cr_default_graph_def(void)
{
    return (cr_graph_def){.threshold = 0.02,
                          .source_window = 12,
                          .target_window = 12,
                          .shortest = 5,
                          .same_place = 0.05,
                          .same_heading = 0.005};
}

static cr_status check(const cr_graph_def *def, cr_report *report)
{
    if (!(def->threshold > 0 && def->threshold <= 10)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "the threshold must be above 0 and up to 10, got %g", def->threshold);
    }
    if (def->source_window < 0 || def->target_window < 0 || def->shortest < 1 ||
        def->source_window > 1000 || def->target_window > 1000 || def->shortest > 1000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "windows must be 0 to 1000 frames and the shortest move 1 to 1000, got %d, "
                        "%d and %d",
                        def->source_window, def->target_window, def->shortest);
    }
    return CR_OK;
}

// The scripted driver's recording, by several at once. Each job has clips of its own, which are put
// together in the order of jobs: who did which does not show.
typedef struct crew {
    const cr_car *car;
    cri_sweep_speeds speeds;
    int jobs;
    atomic_int next;
    cri_clips *clips; // one a job
} crew;

enum { MOST_THREADS = 64 };

static void *work(void *argument)
{
    crew *c = argument;
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->jobs;) {
        int job = c->jobs - 1 - i; // the last, the large tree, takes longest
        cri_driver driver = {.car = c->car, .clips = &c->clips[job]};
        if (job < c->jobs - 1) {
            cri_sweep_record(&driver, &c->speeds, job);
        } else if (cri_large_record(&driver, NULL) != CR_OK) {
            c->clips[job].failed = true;
        }
    }
    return NULL;
}

static void work_together(crew *c, int threads)
{
    pthread_t helpers[MOST_THREADS];
    int started = 0;
    while (started < threads - 1 && started < MOST_THREADS &&
           pthread_create(&helpers[started], NULL, work, c) == 0) {
        started++;
    }
    work(c);
    for (int i = 0; i < started; i++) {
        pthread_join(helpers[i], NULL);
    }
}

static cr_status record_script(cri_driver *driver, int threads, cr_report *report)
{
    crew c = {.car = driver->car};
    cri_sweep_lay(driver->car, &c.speeds);
    c.jobs = cri_sweep_parts(&c.speeds) + 1;
    c.clips = calloc((size_t)c.jobs, sizeof *c.clips);
    if (!c.clips) {
        return cri_fail_memory(report);
    }
    work_together(&c, threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < c.jobs; i++) {
        cri_clips_append(driver->clips, &c.clips[i]);
        cri_clips_free(&c.clips[i]);
    }
    free(c.clips);
    return driver->clips->failed ? cri_fail_memory(report) : CR_OK;
}

static cr_status record(cri_driver *driver, const cr_moves_def *def, cr_report *report)
{
    for (int i = 0; i < def->input_count; i++) {
        cr_status status = cri_inputs_read(def->inputs[i], driver, report);
        if (status != CR_OK) {
            return status;
        }
    }
    return def->input_count > 0 ? CR_OK : record_script(driver, def->threads, report);
}

cr_status cri_move_tree_auto(cr_moves *moves, const cr_moves_def *def, cr_report *report)
{
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cr_status status = check(&def->graph, report);
    status = status ? status : record(&driver, def, report);
    status = status ? status : cri_graph_build(moves, &def->graph, report);
    if (status == CR_OK) {
        cri_moves_count(moves);
    }
    return status;
}
