// The film of a run. World 0 is the true one; each further world is a plan, from the frame on in
// which it begins. How far the true bodies are from where the plan of the moment has them is a
// channel a body; plans and broken rules are rows of the time line.
#include "run_film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS_MAX = 60, OFF_MAX = 24 }; // plans of a run, and bodies' channels, that are shown

static const char off_row[] = "off plan: ";

typedef struct reel {
    int from, count, capacity; // frames
    cr_pose *frames;
    cr_vec3 *velocities, *spins;
} reel;

struct run_film {
    const cr_model *model;
    int tracks, reels;
    reel reel[PLANS_MAX + 1];
    char titles[PLANS_MAX + 1][40];
    double *off; // m, off[frame * tracks + track]; NaN: there is no plan
    int off_capacity;
    cr_playback_span *broken;
    int broken_count, broken_capacity;
    cr_playback *stage; // bodies and regions, from the first plan
    bool failed;
};

run_film *film_run_open(const cr_model *model)
{
    run_film *film = calloc(1, sizeof *film);
    if (film) {
        film->model = model;
        film->tracks = cr_model_moving_count(model);
        film->reels = 1;
    }
    return film;
}

static bool reserve(reel *r, int frames, int tracks)
{
    if (frames > r->capacity) {
        int capacity = 2 * frames;
        size_t n = (size_t)capacity * (size_t)tracks;
        cr_pose *poses = realloc(r->frames, n * sizeof *poses);
        r->frames = poses ? poses : r->frames;
        cr_vec3 *velocities = realloc(r->velocities, n * sizeof *velocities);
        r->velocities = velocities ? velocities : r->velocities;
        cr_vec3 *spins = realloc(r->spins, n * sizeof *spins);
        r->spins = spins ? spins : r->spins;
        if (!poses || !velocities || !spins) {
            return false;
        }
        r->capacity = capacity;
    }
    return true;
}

static bool add_frame(run_film *film, reel *r, const cr_state *state)
{
    if (!reserve(r, r->count + 1, film->tracks)) {
        film->failed = true;
        return false;
    }
    const cr_body_state *bodies = cr_state_bodies_const(film->model, state);
    size_t at = (size_t)r->count++ * (size_t)film->tracks;
    for (size_t i = 0; i < (size_t)film->tracks; i++) {
        r->frames[at + i] = (cr_pose){bodies[i].position, bodies[i].rotation};
        r->velocities[at + i] = bodies[i].velocity;
        r->spins[at + i] = bodies[i].spin;
    }
    return true;
}

static bool add_planned(const cr_replay_step *step, void *context)
{
    run_film *film = context;
    return add_frame(film, &film->reel[film->reels], step->state);
}

static bool add_plan(run_film *film, const cr_plan *plan)
{
    reel *r = &film->reel[film->reels];
    r->from = film->reel[0].count;
    snprintf(film->titles[film->reels], sizeof film->titles[0], "plan %d", film->reels);
    if (cr_plan_replay(plan, 0, add_planned, film, NULL) != CR_OK || film->failed) {
        return false;
    }
    film->reels++;
    return film->stage || cr_plan_playback(plan, NULL, &film->stage, NULL) == CR_OK;
}

// How far each body is from where the plan has it; before the frame itself is added.
static bool add_off(run_film *film, const cr_run_frame *frame)
{
    int at = film->reel[0].count;
    if (at >= film->off_capacity) {
        int capacity = 2 * at + 64;
        double *off = realloc(film->off, (size_t)capacity * (size_t)film->tracks * sizeof *off);
        if (!off) {
            return false;
        }
        film->off = off;
        film->off_capacity = capacity;
    }
    const cr_body_state *is = cr_state_bodies_const(film->model, frame->truth);
    const cr_body_state *meant =
        frame->planned ? cr_state_bodies_const(film->model, frame->planned) : NULL;
    for (int i = 0; i < film->tracks; i++) {
        cr_vec3 a = is[i].position, b = meant ? meant[i].position : a;
        double away =
            sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
        film->off[(size_t)at * (size_t)film->tracks + (size_t)i] = meant ? away : NAN;
    }
    return true;
}

// Frames in which the same rule is broken are one span.
static bool add_broken(run_film *film, const char *rule)
{
    int at = film->reel[0].count;
    cr_playback_span *last = film->broken_count ? &film->broken[film->broken_count - 1] : NULL;
    if (!rule || (last && last->to == at - 1 && last->label == rule)) {
        if (rule) {
            last->to = at;
        }
        return true;
    }
    if (film->broken_count == film->broken_capacity) {
        int capacity = 2 * film->broken_capacity + 8;
        cr_playback_span *broken = realloc(film->broken, (size_t)capacity * sizeof *broken);
        if (!broken) {
            return false;
        }
        film->broken = broken;
        film->broken_capacity = capacity;
    }
    film->broken[film->broken_count++] = (cr_playback_span){"broken rules", rule, at, at};
    return true;
}

bool film_run_frame(run_film *film, const cr_run_frame *frame)
{
    if (frame->plan && film->reels <= PLANS_MAX && !add_plan(film, frame->plan)) {
        film->failed = true;
    }
    film->failed = film->failed || !add_off(film, frame) || !add_broken(film, frame->rule);
    return add_frame(film, &film->reel[0], frame->truth) && !film->failed;
}

// ---------------------------------------------------------------------------------------------
// Writing.

// A plan lasts until the next one begins.
static cr_playback_span *make_spans(const run_film *film, int *count)
{
    int last = film->reel[0].count - 1;
    cr_playback_span *spans = malloc((size_t)(film->reels + film->broken_count) * sizeof *spans);
    *count = 0;
    for (int i = 1; spans && i < film->reels; i++) {
        int to = i + 1 < film->reels ? film->reel[i + 1].from : last;
        int from = film->reel[i].from < last ? film->reel[i].from : last;
        spans[(*count)++] =
            (cr_playback_span){"plans", film->titles[i], from, to < last ? to : last};
    }
    for (int i = 0; spans && i < film->broken_count; i++) {
        spans[(*count)++] = film->broken[i];
    }
    return spans;
}

// What the channels point into.
typedef struct channels {
    int count;
    cr_playback_channel list[OFF_MAX];
    char names[OFF_MAX][80];
    double *values;
} channels;

static bool make_channels(const run_film *film, channels *c)
{
    size_t frames = (size_t)film->reel[0].count, tracks = (size_t)film->tracks;
    c->count = film->tracks < OFF_MAX ? film->tracks : OFF_MAX;
    c->values = malloc((frames * (size_t)c->count + 1) * sizeof *c->values);
    for (int b = 0; c->values && b < film->stage->body_count; b++) {
        const cr_playback_body *body = &film->stage->bodies[b];
        if (!body->moving || body->track >= c->count) {
            continue;
        }
        size_t track = (size_t)body->track;
        double *values = c->values + track * frames;
        for (size_t f = 0; f < frames; f++) {
            values[f] = film->off[f * tracks + track];
        }
        snprintf(c->names[track], sizeof c->names[0], "%s%s", off_row, body->name);
        c->list[track] = (cr_playback_channel){c->names[track], "m", values};
    }
    return c->values != NULL;
}

static void make_worlds(const run_film *film, cr_playback_world *worlds)
{
    for (int i = 0; i < film->reels; i++) {
        const reel *r = &film->reel[i];
        worlds[i] = (cr_playback_world){.title = film->titles[i],
                                        .frame_count = r->count,
                                        .frames = r->frames,
                                        .velocities = i == 0 ? r->velocities : NULL,
                                        .spins = i == 0 ? r->spins : NULL,
                                        .planned = i > 0,
                                        .from = r->from};
    }
}

static int write_run(run_film *film, const char *path)
{
    cr_report report = {0};
    cr_playback playback = *film->stage;
    cr_playback_world worlds[PLANS_MAX + 1] = {0};
    channels off = {0};
    snprintf(film->titles[0], sizeof film->titles[0], "as it happened");
    make_worlds(film, worlds);
    cr_playback_span *spans = make_spans(film, &worlds[0].span_count);
    bool whole = make_channels(film, &off) && spans;
    worlds[0].spans = spans;
    worlds[0].channel_count = off.count;
    worlds[0].channels = off.list;
    playback.world_count = film->reels;
    playback.worlds = worlds;
    playback.node_count = 0;
    playback.end_count = playback.reason_count = 0;
    cr_status status = whole ? cr_playback_write(&playback, path, &report) : CR_ERR_MEMORY;
    free(off.values);
    free(spans);
    return report_print(status, &report);
}

static int write_film(run_film *film, const char *path)
{
    if (!film->stage) {
        fprintf(stderr, "carom: %s is not written: no plan was found\n", shown(path));
        return EXIT_PART;
    }
    return write_run(film, path);
}

int film_run_close(run_film *film, const char *path)
{
    if (!film) {
        return EXIT_DONE;
    }
    int code = path ? write_film(film, path) : EXIT_DONE;
    for (int i = 0; i <= PLANS_MAX; i++) {
        free(film->reel[i].frames);
        free(film->reel[i].velocities);
        free(film->reel[i].spins);
    }
    free(film->off);
    free(film->broken);
    cr_playback_destroy(film->stage);
    free(film);
    return code;
}
