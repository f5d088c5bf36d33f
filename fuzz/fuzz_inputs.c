// Any bytes as a table of inputs, a person's or a drive's: driven, and made a graph of, which must
// be one that can always be driven on, or say why not.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "drive/graph.h"
#include "drive/inputs.h"

enum { FRAMES_MAX = 6000 }; // a graph of more is slow under sanitizers

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const cr_moves *moves)
{
    for (int i = 0; i < moves->clips.frame_count; i++) {
        const cri_clip_frame *f = &moves->clips.frames[i];
        if (!isfinite(f->x) || !isfinite(f->heading) || !isfinite(f->motion.u) ||
            !isfinite(f->motion.v) || !isfinite(f->motion.w)) {
            abort();
        }
    }
}

static void check_graph(const cr_moves *moves)
{
    for (int i = 0; i < moves->node_count; i++) {
        const cri_move_node *node = &moves->nodes[i];
        if (node->way_count < 1 || node->way + node->way_count > moves->way_count) {
            abort();
        }
        for (int k = node->way; k < node->way + node->way_count; k++) {
            if (moves->moves[moves->ways[k].move].node >= moves->node_count) {
                abort();
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    cr_moves *moves = calloc(1, sizeof *moves);
    if (!text || !moves) {
        abort();
    }
    memcpy(text, data, size);
    text[size] = 0;
    moves->car = cr_default_car();
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cr_report report = {0};
    cr_status status = cri_inputs_parse(text, size, "fuzz.csv", &driver, &report);
    if ((status == CR_OK) != (moves->clips.clip_count > 0)) {
        abort();
    }
    check(moves);
    if (status == CR_OK && moves->clips.frame_count < FRAMES_MAX) {
        cr_graph_def def = cr_default_graph_def();
        def.threshold = 0.5;
        status = cri_graph_build(moves, &def, &report);
        if (status == CR_OK) {
            check_graph(moves);
        }
    }
    if (status != CR_OK && report.count == 0) {
        abort();
    }
    cr_moves_destroy(moves);
    free(text);
    return 0;
}
