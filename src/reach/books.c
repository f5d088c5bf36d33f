// Book relocations: a shelf in front of the human, its books thrown about anew for each task.
//
// Seen from above (x forward, y left), one of three boards:
//
//        y
//        |   +-------- back ------+   x = FRONT + DEPTH
//        |   | ||  [] |||   |  || |   books stand with their spines at the front edge
//        |   +--------------------+   x = FRONT
//     human (0, 0)
//
// The held book starts in one gap and ends in another: a place is drawn, the hand's pose follows,
// inverse kinematics gives the configuration; whatever touches is drawn again. The books that would
// be in the way of either place are not put there.
#include "reach/task.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

#define FRONT      0.5 // of the shelf: far enough to draw a book out before the chest
#define DEPTH      0.28
#define LEFT       0.35 // the inner faces of its sides
#define RIGHT      -0.75
#define BOARD      0.02  // thickness
#define LOWEST     0.78  // top of the lowest board
#define RISE       0.42  // from board to board
#define BOOK_THICK 0.035 // the held book
#define BOOK_DEPTH 0.12
#define BOOK_TALL  0.18
#define ROOM       0.25 // free to each side of the held book

enum { BOARDS = 3, MAX_OBSTACLES = 96, PLACE_TRIES = 400, TASK_TRIES = 200 };

typedef struct shelf {
    int count;
    cr_obstacle obstacles[MAX_OBSTACLES];
} shelf;

static void add_box(shelf *s, const char *name, cr_vec3 low, cr_vec3 high, uint32_t color)
{
    if (s->count < MAX_OBSTACLES) {
        s->obstacles[s->count++] = (cr_obstacle){
            .name = name,
            .shape = {.kind = CR_SHAPE_BOX, .half = cri_scale(0.5, cri_sub(high, low))},
            .pose = {cri_scale(0.5, cri_add(low, high)), {0, 0, 0, 1}},
            .color = color,
        };
    }
}

static double board_top(int board)
{
    return LOWEST + RISE * board;
}

static void add_frame(shelf *s)
{
    const uint32_t wood = 0xb08a5a;
    const double back = FRONT + DEPTH, high = board_top(BOARDS);
    for (int i = 0; i <= BOARDS; i++) {
        double z = board_top(i);
        add_box(s, "board", cri_vec3(FRONT, RIGHT, z - BOARD), cri_vec3(back, LEFT, z), wood);
    }
    add_box(s, "left side", cri_vec3(FRONT, LEFT, 0), cri_vec3(back, LEFT + BOARD, high), wood);
    add_box(s, "right side", cri_vec3(FRONT, RIGHT - BOARD, 0), cri_vec3(back, RIGHT, high), wood);
    add_box(s, "back", cri_vec3(back, RIGHT - BOARD, 0), cri_vec3(back + BOARD, LEFT + BOARD, high),
            wood);
}

// A place for the held book: the middle of its foot.
typedef struct spot {
    int board;
    double x, y;
} spot;

static spot draw_spot(cr_rng *rng)
{
    return (spot){.board = (int)cr_rng_index(rng, BOARDS),
                  .x = FRONT + BOOK_DEPTH / 2 + cr_rng_uniform(rng, 0.0, 0.06),
                  .y = cr_rng_uniform(rng, RIGHT + 0.08, LEFT - 0.08)};
}

static bool in_the_way(const spot *places, int board, double low, double high)
{
    for (int i = 0; i < 2; i++) {
        double half = BOOK_THICK / 2 + ROOM;
        if (places[i].board == board && high > places[i].y - half && low < places[i].y + half) {
            return true;
        }
    }
    return false;
}

// A row of books with gaps, from the right to the left.
static void add_row(shelf *s, int board, const spot *places, cr_rng *rng)
{
    static const uint32_t colors[] = {0x8c2f39, 0x2f5d8c, 0x3c7a4a, 0xc9a227, 0x6b4c9a, 0x4a4a4a};
    double y = RIGHT + cr_rng_uniform(rng, 0.005, 0.1);
    while (y < LEFT - 0.06) {
        double thick = cr_rng_uniform(rng, 0.02, 0.05), tall = cr_rng_uniform(rng, 0.17, 0.27);
        double deep = cr_rng_uniform(rng, 0.14, 0.22), in = cr_rng_uniform(rng, 0, 0.04);
        if (!in_the_way(places, board, y, y + thick)) {
            add_box(s, "book", cri_vec3(FRONT + in, y, board_top(board) + 0.001),
                    cri_vec3(FRONT + in + deep, y + thick, board_top(board) + tall),
                    colors[cr_rng_index(rng, 6)]);
        }
        y += thick + (cr_rng_unit(rng) < 0.5 ? cr_rng_uniform(rng, 0.1, 0.35) : 0.002);
    }
}

// The hand holds the book by its spine, z of the grip towards the shelf, the book standing; x of
// the grip points down.
static cr_pose hand_at(const spot *place)
{
    cr_quat forward = cri_quat_axis(cri_vec3(0, 1, 0), CRI_PI / 2);
    return (cr_pose){
        {place->x - BOOK_DEPTH / 2, place->y, board_top(place->board) + 0.004 + BOOK_TALL / 2},
        forward};
}

static void hold_book(cr_reach_task *task)
{
    task->holds = true;
    task->held = (cr_part){
        .shape = {.kind = CR_SHAPE_BOX, .half = {BOOK_TALL / 2, BOOK_THICK / 2, BOOK_DEPTH / 2}},
        .pose = {{0, 0, BOOK_DEPTH / 2}, {0, 0, 0, 1}},
        .name = "held book",
    };
}

typedef struct maker {
    const cr_arm *arm;
    cri_checker checker;
    shelf shelf;
    cr_reach_task task;
} maker;

// One draw of everything. False if it makes no valid task.
static bool draw_task(maker *m, cr_rng *rng)
{
    spot places[2] = {draw_spot(rng), draw_spot(rng)};
    bool apart = places[0].board != places[1].board || fabs(places[0].y - places[1].y) > 0.15;
    if (!apart) {
        return false;
    }
    m->shelf.count = 0;
    add_frame(&m->shelf);
    for (int board = 0; board < BOARDS; board++) {
        add_row(&m->shelf, board, places, rng);
    }
    m->task.obstacle_count = m->shelf.count;
    return cri_checker_set(&m->checker, &m->task, NULL) == CR_OK &&
           cri_solve(&m->checker, hand_at(&places[0]), rng, m->task.start) == CR_IK_FOUND &&
           cri_solve(&m->checker, hand_at(&places[1]), rng, m->task.goal) == CR_IK_FOUND &&
           cri_task_valid(&m->checker, cri_kernel_best(), &m->task, NULL) == CR_OK;
}

// Task k draws from streams of its own: no task depends on those before it.
static bool make_task(maker *m, uint64_t seed, int k)
{
    m->task = (cr_reach_task){.arm = m->arm, .obstacles = m->shelf.obstacles};
    hold_book(&m->task);
    for (int i = 0; i < TASK_TRIES; i++) {
        cr_rng rng = cr_rng_make(seed, CR_RNG_START, (uint64_t)k * TASK_TRIES + (uint64_t)i);
        if (draw_task(m, &rng)) {
            return true;
        }
    }
    return false;
}

static bool keep_task(maker *m, cr_reach_tasks *tasks)
{
    size_t count = (size_t)m->shelf.count;
    cr_obstacle *copy = cri_arena_alloc(&tasks->arena, count, sizeof *copy);
    char name[32];
    int length = snprintf(name, sizeof name, "book %d", tasks->count + 1);
    m->task.name = cri_arena_text(&tasks->arena, name, (size_t)length);
    if (!copy || !m->task.name) {
        return false;
    }
    memcpy(copy, m->shelf.obstacles, count * sizeof *copy);
    m->task.obstacles = copy;
    tasks->tasks[tasks->count++] = m->task;
    return true;
}

static cr_status fill_tasks(maker *m, uint64_t seed, int count, cr_reach_tasks *tasks,
                            cr_report *report)
{
    for (int k = 0; k < count; k++) {
        if (!make_task(m, seed, k)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "no valid book relocation in %d draws for task %d of seed %llu",
                            TASK_TRIES, k + 1, (unsigned long long)seed);
        }
        if (!keep_task(m, tasks)) {
            return cri_fail_memory(report);
        }
    }
    return CR_OK;
}

cr_status cr_books_create(const cr_arm *human, uint64_t seed, int count, cr_reach_tasks **result,
                          cr_report *report)
{
    assert(count >= 0);
    *result = NULL;
    if (!human->human.is) {
        return cri_fail(report, CR_ERR_TYPE, (cri_location){0},
                        "book relocations need the human arm, got \"%s\"", human->name);
    }
    maker *m = calloc(1, sizeof *m);
    cr_reach_tasks *tasks = cri_tasks_new(count);
    if (!m || !tasks) {
        free(m);
        cr_reach_tasks_destroy(tasks);
        return cri_fail_memory(report);
    }
    m->arm = human;
    cr_status status = fill_tasks(m, seed, count, tasks, report);
    cri_checker_free(&m->checker);
    free(m);
    if (status != CR_OK) {
        cr_reach_tasks_destroy(tasks);
        return status;
    }
    *result = tasks;
    return CR_OK;
}
