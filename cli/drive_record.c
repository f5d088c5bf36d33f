// carom drive record: the clips that a tree is made of, and the tree as a picture.
#include "drive.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INPUTS = 32 };

typedef struct request {
    const char *tree, *out;
    double threshold;
    const char *inputs[MOST_INPUTS];
    int input_count;
} request;

static int add_input(const char *value, void *context)
{
    request *ask = context;
    if (ask->input_count == MOST_INPUTS) {
        fprintf(stderr, "carom: at most %d tables of inputs\n", MOST_INPUTS);
        return EXIT_USAGE;
    }
    ask->inputs[ask->input_count++] = value;
    return 0;
}

static void print_facts(const cr_moves *moves)
{
    cr_moves_facts f = cr_moves_describe(moves);
    printf("%d clips, %d frames (%.0f s of driving)\n", f.clips, f.frames,
           (double)f.frames / CR_DRIVE_RATE);
    printf("%d nodes, %d moves, %d ways (%.1f a node), largest jump of velocity %.2g\n", f.nodes,
           f.moves, f.ways, f.nodes ? (double)f.ways / f.nodes : 0, f.largest_jump);
    if (f.similar > 0) {
        printf("%d alike pairs of frames; %d redundant ways and %d unconnected moves dropped\n",
               f.similar, f.redundant, f.unconnected);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static int try_output(const char *path)
{
    if (path && !ends_with(path, ".svg") && !ends_with(path, ".csv")) {
        fprintf(stderr, "carom: %s: the ending must be .csv or .svg\n", shown(path));
        return EXIT_FILE;
    }
    return output_try(path);
}

static int record(const request *ask)
{
    cr_report report = {0};
    cr_moves *moves = NULL;
    cr_moves_def def = cr_default_moves_def();
    def.tree =
        ask->input_count > 0 ? CR_MOVE_TREE_AUTO : (cr_move_tree)cr_move_tree_find(ask->tree);
    def.graph.threshold = ask->threshold;
    def.inputs = ask->inputs;
    def.input_count = ask->input_count;
    cr_status status = cr_moves_create(&def, &moves, &report);
    if (status == CR_OK) {
        print_facts(moves);
    }
    if (status == CR_OK && ask->out) {
        status = ends_with(ask->out, ".svg") ? cr_moves_write_svg(moves, ask->out, &report)
                                             : cr_moves_write_clips(moves, ask->out, &report);
    }
    cr_moves_destroy(moves);
    return report_print(status, &report);
}

int drive_record(int argc, char **argv)
{
    request ask = {.tree = "auto", .threshold = cr_default_graph_def().threshold};
    const option_row options[] = {
        {0, "tree", "NAME", OPTION_TEXT, &ask.tree, "small5, small7, large or auto", 0, 0, NULL},
        {0, "inputs", "FILE", OPTION_CALL, &ask,
         "a table of seconds,steering,throttle,brake, or an .inputs.csv; may be repeated", 0, 0,
         add_input},
        {0, "threshold", "D", OPTION_NUMBER, &ask.threshold, "how alike frames must be", 1e-6, 10,
         NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask.out, "clips as .csv or the graph as .svg", 0, 0,
         NULL},
    };
    const usage how = {.line = "carom drive record [options]",
                       .about =
                           "Records clips with the scripted driver, or drives tables of a person's "
                           "inputs, and makes a tree of them.",
                       .options = options,
                       .option_count = sizeof options / sizeof options[0]};
    int code = drive_options(how, argc, argv);
    if (code >= 0) {
        return code;
    }
    if (!drive_tree_known(ask.tree)) {
        return EXIT_USAGE;
    }
    code = try_output(ask.out);
    return code >= 0 ? code : record(&ask);
}
