// What a selection costs at 1k, 10k, 100k and 1M decisions: rrt's index beside a plain scan of the
// same decisions, and bgt; and what a decision takes of memory. All in one run. Usage: bench_select
// [QUERIES]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/vec.h"
#include "plan/select.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A crowd like that of a search in a room of 6 x 4 m: any place, any velocity up to 2 m/s.
static cr_body_state random_body(cr_rng *rng)
{
    cr_body_state body = {.rotation = {0, 0, 0, 1}};
    body.position.x = cr_rng_uniform(rng, -3, 3);
    body.position.y = cr_rng_uniform(rng, -2, 2);
    body.velocity.x = cr_rng_uniform(rng, -1.4, 1.4);
    body.velocity.y = cr_rng_uniform(rng, -1.4, 1.4);
    return body;
}

static cr_sample random_sample(cr_rng *rng)
{
    cr_sample sample = {0};
    sample.place.x = cr_rng_uniform(rng, -3, 3);
    sample.place.y = cr_rng_uniform(rng, -2, 2);
    return sample;
}

// A tree in which branch b hangs from a random earlier one, by way of its lists alone.
static cr_status grow_tree(cri_tree *tree, const cr_model *model, int32_t count, cr_rng *rng)
{
    cr_status status = cri_tree_create(model, count + 1, tree, NULL);
    cr_state *start = cr_state_create(model);
    if (status != CR_OK || !start) {
        free(start);
        return CR_ERR_MEMORY;
    }
    cri_tree_restart(tree, start, true);
    free(start);
    for (int32_t i = 0; i < count && status == CR_OK; i++) {
        cri_new_branch branch = {
            .parent = (int32_t)cr_rng_index(rng, (uint64_t)tree->count),
            .attempt = i + 1,
            .steps = 1,
            .end = cri_tree_state(tree, 0),
        };
        cri_tree_add(tree, &branch);
    }
    return status;
}

typedef struct costs {
    double add, find, scan, bgt; // s for one
    int differ;                  // queries that index and scan answered differently
} costs;

// alike: all end in the same state, as before a shot.
static cr_status measure(const cr_model *model, int32_t count, bool alike, int queries, int scans,
                         costs *c)
{
    cr_planner_def def = {.mu = 10};
    cri_tree tree;
    static const cr_select_type rrt = {.name = "rrt", .samples = true, .choose = cri_choose_rrt};
    static const cr_select_type bgt = {.name = "bgt", .choose = cri_choose_bgt};
    cr_selection s = {.type = &rrt, .tree = &tree};
    s.call = (cr_select_call){.model = model, .def = &def, .selection = &s};
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, (uint64_t)count);
    if (cri_neighbours_create(&s.neighbours, model, count) != CR_OK ||
        grow_tree(&tree, model, count, &rng) != CR_OK) {
        return CR_ERR_MEMORY;
    }
    double begin = now();
    for (int32_t i = 0; i < count; i++) {
        cr_body_state body = alike ? (cr_body_state){.rotation = {0, 0, 0, 1}} : random_body(&rng);
        cri_neighbours_add(&s.neighbours, &body, i);
    }
    c->add = (now() - begin) / count;
    // A scan of a million takes most of a second: fewer of them.
    scans = count >= 1000000 ? 20 : scans;
    int32_t *answers = malloc((size_t)queries * sizeof *answers);
    if (!answers) {
        return CR_ERR_MEMORY;
    }
    cr_rng first = rng;
    begin = now();
    for (int i = 0; i < queries; i++) {
        cr_sample sample = random_sample(&rng);
        answers[i] = cri_selection_choose(&s, &sample, &rng);
    }
    c->find = (now() - begin) / queries;
    begin = now();
    for (int i = 0; i < scans; i++) {
        cr_sample sample = random_sample(&first);
        c->differ += cri_neighbours_scan(&s.neighbours, &sample, &first) != answers[i];
    }
    c->scan = (now() - begin) / scans;
    s.type = &bgt;
    begin = now();
    int64_t sum = 0;
    for (int i = 0; i < 1000000; i++) {
        cri_selection_update(&s);
        sum += cri_selection_choose(&s, NULL, &rng);
    }
    c->bgt = (now() - begin) / 1000000 + (sum < 0 ? 1 : 0);
    free(answers);
    cri_neighbours_free(&s.neighbours);
    cri_tree_free(&tree);
    return CR_OK;
}

int main(int argc, char **argv)
{
    int queries = argc > 1 ? atoi(argv[1]) : 10000;
    int scans = argc > 2 ? atoi(argv[2]) : queries / 10;
    cr_body body = {.name = "robot", .limits = {2, 3, 10, 40}};
    uint64_t start[16] = {0};
    cr_model model = {.bodies = &body,
                      .body_count = 1,
                      .sampling = {.present = true},
                      .state_size = sizeof start,
                      .start_state = start};
    printf("| decisions | rrt, index (us) | rrt, scan (us) | ratio | differ | add (us) | bgt (ns) "
           "|\n");
    printf("|---|---|---|---|---|---|---|\n");
    static const int32_t counts[] = {1000, 10000, 100000, 1000000, 100000};
    for (int i = 0; i < 5; i++) {
        costs c = {0};
        bool alike = i == 4;
        if (scans < 1 || scans > queries ||
            measure(&model, counts[i], alike, queries, scans, &c) != CR_OK) {
            fprintf(stderr, "bench_select: no memory, or not 1 to QUERIES scans\n");
            return 1;
        }
        printf("| %d%s | %.2f | %.1f | %.0f | %d | %.2f | %.1f |\n", counts[i],
               alike ? " alike" : "", c.find * 1e6, c.scan * 1e6, c.scan / c.find, c.differ,
               c.add * 1e6, c.bgt * 1e9);
        fflush(stdout);
    }
    printf("\nmemory of a decision: %zu bytes and its state in the tree, %zu in the index\n",
           sizeof(cri_tree_branch) + 2 * sizeof(int32_t),
           sizeof(cri_nearest_entry) + 2 * sizeof(cri_nearest_box) / 32 + sizeof(cri_place) +
               2 * (sizeof(int32_t) + sizeof(cri_member)));
    return 0;
}
