// The loop of section 3.2: at each junction look ahead, take the first move of the best chain.
#include "drive/drive.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/trig.h"
#include "base/vec.h"

// Towards the race line, s/m2 and s3/m2: a metre off it counts 4 ms, a drift of 1 m/s away from it
// 1.5 ms. Found by trial; half as much cost 0.4 s a lap on Norisring and 0.7 s on Spielberg.
#define PULL_PLACE 0.004
#define PULL_DRIFT 0.0015

#define MORE_GREED 1.3

// m/s on average: whoever is slower has lost its way.
#define SLOWEST 12.0

cr_drive_def cr_default_drive_def(void)
{
    return (cr_drive_def){
        .horizon = 150, .nodes = 2500, .laps = 1, .guess = CR_GUESS_LINE, .greed = 1.02};
}

void cr_drive_destroy(cr_drive *drive)
{
    if (drive) {
        free(drive->frames);
        free(drive->cars);
        free(drive);
    }
}

const char *cr_drive_end_name(cr_drive_end end)
{
    static const char *const names[] = {"finished", "crashed", "still going"};
    assert(end <= CR_DRIVE_TIMEOUT);
    return names[end];
}

cr_drive_result cr_drive_outcome(const cr_drive *drive)
{
    return drive->result;
}

static cr_status check_def(const cr_drive_def *def, cr_report *report)
{
    if (def->horizon < 1 || def->horizon > 10000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "horizon must be 1 to 10000 frames, got %d", def->horizon);
    }
    if (def->nodes < 1 || def->nodes > 2000000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "nodes must be 1 to 2000000, got %d", def->nodes);
    }
    if (def->laps < 1 || def->laps > 100) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0}, "laps must be 1 to 100, got %d",
                        def->laps);
    }
    if (!(def->seconds >= 0 && def->seconds <= 100000)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "seconds must be 0 to 100000, got %g", def->seconds);
    }
    if (!(def->replan_seconds >= 0) || (def->replan_seconds > 0 && !def->clock)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a replan's seconds must be 0 or more and need a clock, got %g",
                        def->replan_seconds);
    }
    if (!(def->greed >= 1 && def->greed <= 100)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0}, "greed must be 1 to 100, got %g",
                        def->greed);
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Other cars

// With a seed, each car starts somewhere else along its way, by up to 10 m either way.
static double car_shift(const cr_drive_def *def, int car)
{
    if (def->seed == 0) {
        return 0;
    }
    cr_rng rng = cr_rng_make(def->seed, CR_RNG_USER, (uint64_t)car);
    return cr_rng_uniform(&rng, -10, 10);
}

// Where all cars are in all frames.
static cr_status place_cars(cr_drive *drive, cr_report *report)
{
    const cr_track *track = drive->track;
    const cr_car *car = &drive->moves->car;
    drive->car_frames = drive->frame_capacity + drive->def.horizon + 1;
    size_t count = (size_t)drive->car_frames * (size_t)track->car_count;
    drive->cars = malloc((count + 1) * sizeof *drive->cars);
    if (!drive->cars) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < track->car_count; i++) {
        double shift = car_shift(&drive->def, i);
        double shift_time = track->cars[i].speed != 0 ? shift / track->cars[i].speed : 0;
        for (int f = 0; f < drive->car_frames; f++) {
            cri_drive_pose p = cri_track_car_pose(track, i, (double)f / CR_DRIVE_RATE + shift_time);
            drive->cars[f * track->car_count + i] =
                (cri_box){p.x, p.y, p.c, p.s, car->half_length, car->half_width};
        }
    }
    return CR_OK;
}

// How far a car moves in a frame at most.
static double car_step(const cr_drive *drive)
{
    int n = drive->track->car_count;
    double most = 0;
    for (int i = n; i < n * drive->car_frames; i++) {
        double dx = drive->cars[i].x - drive->cars[i - n].x;
        double dy = drive->cars[i].y - drive->cars[i - n].y;
        most = fmax(most, dx * dx + dy * dy);
    }
    return sqrt(most);
}

// ---------------------------------------------------------------------------------------------
// The loop

typedef struct loop {
    cr_drive *drive;
    cri_drive_task task;
    cri_launch launch;
    cri_drive_search *search;
    cri_drive_step at;
    cri_chain plan; // what is left of the last chain taken
    double heading; // kept apart from c and s, for exact frames
    cri_drive_motion motion;
    double lap_start; // s
    cri_watch watch;  // of the present search, where replans have a budget of time
    double late;      // s: when it is spent
    double *times;    // of replans, ms
    int time_count, time_capacity;
} loop;

static double clock_now(const cr_drive_def *def)
{
    return def->clock ? def->clock(def->context) : 0;
}

// How the next search looks. Of a budget of time it gets half of what is left.
static cri_look make_look(loop *l, int horizon, double greed)
{
    const cr_drive_def *def = &l->drive->def;
    if (def->replan_seconds <= 0) {
        return (cri_look){horizon, greed, NULL};
    }
    l->watch = (cri_watch){def->clock, def->context, 0.5 * (clock_now(def) + l->late)};
    return (cri_look){horizon, greed, &l->watch};
}

// Where a chain ends.
static cri_drive_step end_of(const loop *l, const cri_chain *chain)
{
    cri_drive_step at = l->at;
    for (int i = 0; i < chain->count; i++) {
        cri_drive_step from = at;
        cri_drive_step_move(&l->task, &from, chain->moves[i], &at);
    }
    return at;
}

// The rest of the last chain, led on to the horizon. False if no way on was found.
static bool extend(loop *l, cri_chain *chain, int *opened)
{
    cri_drive_step from = end_of(l, &l->plan);
    const cr_drive_def *def = &l->drive->def;
    cri_chain more;
    cri_drive_search_run(l->search, &from, make_look(l, def->horizon - l->plan.frames, def->greed),
                         &more);
    *opened += more.opened;
    if (!more.complete || l->plan.count + more.count > CRI_CHAIN_MAX) {
        return false;
    }
    *chain = l->plan;
    memcpy(chain->moves + chain->count, more.moves, (size_t)more.count * sizeof more.moves[0]);
    chain->count += more.count;
    chain->frames += more.frames;
    return true;
}

// When the search runs out of nodes before it gets to the horizon: keep to the last chain and lead
// it on; if it cannot be led on and is short by now, look again with more greed, which finds some
// way sooner, if not the best one; else take what leads farthest.
static void look_ahead(loop *l, cri_chain *chain)
{
    const cr_drive_def *def = &l->drive->def;
    cri_drive_search_run(l->search, &l->at, make_look(l, def->horizon, def->greed), chain);
    int opened = chain->opened;
    if (!chain->complete && l->plan.count > 0 && !extend(l, chain, &opened)) {
        if (4 * l->plan.frames < def->horizon) {
            cri_chain second;
            cri_look look = make_look(l, def->horizon, def->greed * MORE_GREED);
            cri_drive_search_run(l->search, &l->at, look, &second);
            opened += second.opened;
            *chain = second.complete || second.frames > chain->frames ? second : *chain;
        }
        if (!chain->complete && chain->frames < l->plan.frames) {
            *chain = l->plan;
        }
    }
    chain->opened = opened;
}

static void replan(loop *l)
{
    cr_drive_result *r = &l->drive->result;
    cri_chain chain;
    double before = clock_now(&l->drive->def);
    l->late = before + l->drive->def.replan_seconds;
    look_ahead(l, &chain);
    if (l->time_count < l->time_capacity) {
        l->times[l->time_count++] = 1000 * (clock_now(&l->drive->def) - before);
    }
    r->replans++;
    r->nodes += chain.opened;
    r->most_nodes = chain.opened > r->most_nodes ? chain.opened : r->most_nodes;
    l->plan = chain;
}

// Frame k of a move, and the input from then on. The input of a move's last frame is the next
// move's to say; until there is one, the last input is held.
static void take_frame(loop *l, const cri_drive_step *from, const cri_move *m, int k)
{
    cr_drive *drive = l->drive;
    const cri_clip_frame *frames = &drive->moves->clips.frames[m->frame];
    double c0 = cri_cos(frames[0].heading), s0 = cri_sin(frames[0].heading);
    double dx = frames[k].x - frames[0].x, dy = frames[k].y - frames[0].y;
    double x = c0 * dx + s0 * dy, y = c0 * dy - s0 * dx;
    if (drive->frame_count < drive->frame_capacity) {
        drive->frames[drive->frame_count++] =
            (cri_drive_frame){.x = from->x + from->c * x - from->s * y,
                              .y = from->y + from->s * x + from->c * y,
                              .heading = l->heading + frames[k].heading - frames[0].heading,
                              .motion = frames[k].motion,
                              .input = frames[k < m->frames ? k : k - 1].input,
                              .move = (int)(m - drive->moves->moves)};
    }
}

// A move begins in the frame where the last one ended: its first input is held from there on, and
// the motion jumps to its first one.
static void begin_move(loop *l, const cri_move *m)
{
    const cri_clip_frame *first = &l->drive->moves->clips.frames[m->frame];
    const cri_drive_motion begin = first->motion, end = l->motion;
    cri_drive_frame *junction = &l->drive->frames[l->drive->frame_count - 1];
    junction->input = first->input;
    junction->jump = (cri_drive_motion){begin.u - end.u, begin.v - end.v, begin.w - end.w};
    junction->move = (int)(m - l->drive->moves->moves);
    junction->begins = true;
    cr_drive_result *r = &l->drive->result;
    r->largest_jump = fmax(r->largest_jump, cri_drive_motion_distance(end, begin));
    r->gained += sqrt(begin.u * begin.u + begin.v * begin.v) - sqrt(end.u * end.u + end.v * end.v);
}

// Laps and finish: at which share of the frame the line was crossed.
static void note_progress(loop *l, const cri_spot *before, const cri_spot *after)
{
    cr_drive_result *r = &l->drive->result;
    double frame = l->drive->frame_count - 2;
    double lap = l->drive->track->length;
    bool closed = l->drive->track->closed;
    double line = closed ? (r->laps + 1) * lap : l->task.goal;
    if (after->along < line || r->end == CR_DRIVE_FINISHED) {
        return;
    }
    double share = (line - before->along) / fmax(after->along - before->along, 1e-9);
    double time = (frame + cri_clamp(share, 0, 1)) / CR_DRIVE_RATE;
    if (closed) {
        double lap_time = time - l->lap_start;
        r->first_lap = r->laps == 0 ? lap_time : r->first_lap;
        r->best_lap = r->laps == 0 ? lap_time : fmin(r->best_lap, lap_time);
        r->laps++;
        l->lap_start = time;
    }
    if (after->along >= l->task.goal) {
        r->end = CR_DRIVE_FINISHED;
        r->seconds = time;
    }
}

// Take a move, up to and with frame `last`.
static void take_move(loop *l, int move, int last)
{
    const cri_move *m = &l->drive->moves->moves[move];
    begin_move(l, m);
    cri_drive_step from = l->at;
    cri_spot spot = from.spot;
    for (int k = 1; k <= last && l->drive->result.end != CR_DRIVE_FINISHED; k++) {
        take_frame(l, &from, m, k);
        const cri_drive_frame *f = &l->drive->frames[l->drive->frame_count - 1];
        cri_spot next = spot;
        cri_track_follow(l->drive->track, &next, f->x, f->y);
        note_progress(l, &spot, &next);
        spot = next;
    }
    l->drive->result.moves++;
    cri_drive_step_move(&l->task, &from, move, &l->at);
    l->heading += m->heading;
    l->at.c = cri_cos(l->heading); // afresh: products of many rotations drift
    l->at.s = cri_sin(l->heading);
    l->motion = l->drive->moves->clips.frames[m->frame + m->frames].motion;
}

static void drop_first(cri_chain *chain, const cr_moves *moves)
{
    chain->frames -= moves->moves[chain->moves[0]].frames;
    chain->count--;
    memmove(chain->moves, chain->moves + 1, (size_t)chain->count * sizeof chain->moves[0]);
}

// No chain at all: drive into what is in the way, by the move that touches last.
static void crash(loop *l)
{
    const cr_moves *moves = l->drive->moves;
    const cri_move_node *node = &moves->nodes[l->at.node];
    int best = -1, latest = -1;
    for (int i = 0; i < node->way_count; i++) {
        int move = moves->ways[node->way + i].move;
        int touch = cri_drive_step_touches(&l->task, &l->at, move);
        if (touch > latest) {
            best = move;
            latest = touch;
        }
    }
    if (best >= 0) {
        take_move(l, best, latest);
    }
    l->drive->result.end = CR_DRIVE_CRASHED;
}

static bool going(const loop *l)
{
    const cr_drive *drive = l->drive;
    return drive->result.end == CR_DRIVE_TIMEOUT && drive->frame_count < drive->frame_capacity &&
           !(drive->def.stop && drive->def.stop(drive->def.context));
}

static void run(loop *l)
{
    while (going(l)) {
        replan(l);
        if (l->plan.count == 0) {
            crash(l);
            break;
        }
        int move = l->plan.moves[0];
        take_move(l, move, l->drive->moves->moves[move].frames);
        drop_first(&l->plan, l->drive->moves);
    }
}

// ---------------------------------------------------------------------------------------------
// Before and after

static void start(loop *l)
{
    cr_drive *drive = l->drive;
    const cr_track *track = drive->track;
    cri_drive_pose p = cri_track_pose(track, track->start_along, 0);
    l->heading = cri_atan2(p.s, p.c) + (track->start_backwards ? CRI_PI : 0);
    l->motion = (cri_drive_motion){track->start_speed, 0, 0};
    int node = cri_moves_nearest(drive->moves, l->motion);
    l->motion = drive->moves->nodes[node].motion;
    l->at = (cri_drive_step){p.x,
                             p.y,
                             cri_cos(l->heading),
                             cri_sin(l->heading),
                             cri_track_spot(track, track->start_along),
                             0,
                             node};
    drive->frames[drive->frame_count++] =
        (cri_drive_frame){.x = p.x, .y = p.y, .heading = l->heading, .motion = l->motion};
    drive->result.end = CR_DRIVE_TIMEOUT;
}

static int compare_doubles(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void note_times(loop *l)
{
    cr_drive_result *r = &l->drive->result;
    double sum = 0;
    for (int i = 0; i < l->time_count; i++) {
        sum += l->times[i];
    }
    if (l->time_count > 0) {
        qsort(l->times, (size_t)l->time_count, sizeof *l->times, compare_doubles);
        r->mean_ms = sum / l->time_count;
        r->median_ms = l->times[l->time_count / 2];
        r->worst_ms = l->times[l->time_count - 1];
    }
}

static double car_clearance(const cr_drive *drive, const cri_box *box, int frame, double most)
{
    // Grown until it touches: to the centimetre, which is enough to print.
    double low = 0, high = most;
    int n = drive->track->car_count;
    for (int i = 0; i < n; i++) {
        const cri_box *other = &drive->cars[frame * n + i];
        double dx = other->x - box->x, dy = other->y - box->y;
        if (dx * dx + dy * dy > 100) {
            continue;
        }
        low = 0;
        for (int k = 0; k < 9; k++) {
            double middle = 0.5 * (low + high);
            cri_box wide = *box;
            wide.half_length += middle;
            wide.half_width += middle;
            if (cri_boxes_touch(&wide, other)) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
    return high;
}

static void note_frame(cr_drive *drive, int frame)
{
    const cri_drive_frame *f = &drive->frames[frame];
    const cr_car *car = &drive->moves->car;
    cr_drive_result *r = &drive->result;
    double speed = sqrt(f->motion.u * f->motion.u + f->motion.v * f->motion.v);
    r->top_speed = fmax(r->top_speed, speed);
    if (speed > 3 && f->motion.u > 0) {
        r->largest_slip = fmax(r->largest_slip, fabs(cri_atan2(f->motion.v, f->motion.u)));
    }
    cri_box box = {f->x,           f->y, cri_cos(f->heading), cri_sin(f->heading), car->half_length,
                   car->half_width};
    r->clearance = fmin(r->clearance, cri_track_clearance(drive->track, &box, 2));
    r->clearance = fmin(r->clearance, car_clearance(drive, &box, frame, 2));
    const double values[] = {f->x, f->y, f->heading, f->motion.u, f->motion.v, f->motion.w};
    r->hash = cri_hash_words(r->hash, values, sizeof values);
}

static void note_result(loop *l)
{
    cr_drive *drive = l->drive;
    cr_drive_result *r = &drive->result;
    r->frames = drive->frame_count;
    r->clearance = 2;
    r->hash = CRI_HASH_START;
    for (int i = 0; i < drive->frame_count; i++) {
        note_frame(drive, i);
    }
    if (r->end != CR_DRIVE_FINISHED) {
        r->seconds = (double)(drive->frame_count - 1) / CR_DRIVE_RATE;
    }
    note_times(l);
}

static cr_status allocate(loop *l, cr_report *report)
{
    cr_drive *drive = l->drive;
    double way = drive->track->length * (drive->track->closed ? drive->def.laps : 1);
    double seconds = drive->def.seconds > 0 ? drive->def.seconds : 60 + way / SLOWEST;
    drive->frame_capacity = (int)ceil(seconds * CR_DRIVE_RATE) + 1;
    drive->frames = malloc((size_t)drive->frame_capacity * sizeof *drive->frames);
    l->time_capacity = drive->def.clock ? drive->frame_capacity : 0;
    l->times = malloc(((size_t)l->time_capacity + 1) * sizeof *l->times);
    if (!drive->frames || !l->times) {
        return cri_fail_memory(report);
    }
    return place_cars(drive, report);
}

static cr_status prepare(loop *l, cri_togo **togo, cr_report *report)
{
    cr_drive *drive = l->drive;
    cr_status status = allocate(l, report);
    if (status == CR_OK && drive->def.guess == CR_GUESS_LINE) {
        status = cri_togo_create(drive->track, &drive->moves->car, togo, report);
    }
    if (status != CR_OK) {
        return status;
    }
    const cr_car *car = &drive->moves->car;
    cri_launch_fill(car, &l->launch);
    l->task = (cri_drive_task){
        .track = drive->track,
        .moves = drive->moves,
        .togo = *togo,
        .guess = drive->def.guess,
        .top_speed = cr_car_top_speed(car),
        .pull_place = PULL_PLACE,
        .pull_drift = PULL_DRIFT,
        .goal = drive->track->closed ? drive->def.laps * drive->track->length : drive->track->goal,
        .car_count = drive->track->car_count,
        .frame_count = drive->car_frames,
        .cars = drive->cars,
        .car_step = car_step(drive),
        .car_radius = sqrt(car->half_length * car->half_length + car->half_width * car->half_width),
        .launch = &l->launch,
    };
    return cri_drive_search_create(&l->task, drive->def.nodes, &l->search, report);
}

cr_status cr_drive_run(const cr_track *track, const cr_moves *moves, const cr_drive_def *def,
                       cr_drive **out, cr_report *report)
{
    *out = NULL;
    cr_status status = check_def(def, report);
    status = status ? status : cri_track_check_car(track, &moves->car, report);
    if (status != CR_OK) {
        return status;
    }
    cr_drive *drive = calloc(1, sizeof *drive);
    if (!drive) {
        return cri_fail_memory(report);
    }
    *drive = (cr_drive){.track = track, .moves = moves, .def = *def};
    loop l = {.drive = drive};
    cri_togo *togo = NULL;
    status = prepare(&l, &togo, report);
    if (status == CR_OK) {
        start(&l);
        run(&l);
        note_result(&l);
    }
    cri_drive_search_destroy(l.search);
    cri_togo_destroy(togo);
    free(l.times);
    if (status != CR_OK) {
        cr_drive_destroy(drive);
        return status;
    }
    *out = drive;
    return CR_OK;
}
