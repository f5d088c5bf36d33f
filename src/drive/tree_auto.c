// The automatic tree: the sweep's clips, cut and joined by comparing frames.
#include "drive/graph.h"
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

cr_status cri_tree_auto(cr_moves *moves, cr_report *report)
{
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cri_sweep_record(&driver);
    cr_status status = cri_large_record(&driver, report);
    if (status != CR_OK) {
        return status;
    }
    cr_graph_def def = cr_default_graph_def();
    moves->threshold = def.threshold;
    status = cri_graph_build(moves, &def, report);
    if (status == CR_OK) {
        cri_moves_count(moves);
    }
    return status;
}
