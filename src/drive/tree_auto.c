// The automatic tree: the sweep's clips, cut and joined by comparing frames.
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
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                        "the threshold must be above 0 and up to 10, got %g", def->threshold);
    }
    if (def->source_window < 0 || def->target_window < 0 || def->shortest < 1 ||
        def->source_window > 1000 || def->target_window > 1000 || def->shortest > 1000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                        "windows must be 0 to 1000 frames and the shortest move 1 to 1000, got %d, "
                        "%d and %d",
                        def->source_window, def->target_window, def->shortest);
    }
    return CR_OK;
}

static cr_status record(cri_driver *driver, const cr_moves_def *def, cr_report *report)
{
    for (int i = 0; i < def->input_count; i++) {
        cr_status status = cri_inputs_read(def->inputs[i], driver, report);
        if (status != CR_OK) {
            return status;
        }
    }
    if (def->input_count > 0) {
        return CR_OK;
    }
    cri_sweep_record(driver);
    return cri_large_record(driver, report);
}

cr_status cri_tree_auto(cr_moves *moves, const cr_moves_def *def, cr_report *report)
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
