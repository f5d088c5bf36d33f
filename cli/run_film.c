// The film of a run. World 0 is the true one. Each further world is a plan: until the plan begins
// it is where the true one was, then it goes as planned, so that all play side by side and part
// where truth and plan do.
#include "run_film.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS_MAX = 40 }; // of a run that are shown

typedef struct reel {
    int count, capacity; // frames
    cr_pose *frames;
    cr_vec3 *velocities, *spins;
} reel;

struct run_film {
    const cr_model *model;
    int tracks, reels;
    reel reel[PLANS_MAX + 1];
    char titles[PLANS_MAX + 1][40];
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

// What was, and from there on what is planned.
static bool add_plan(run_film *film, const cr_plan *plan)
{
    const reel *truth = &film->reel[0];
    reel *r = &film->reel[film->reels];
    if (!reserve(r, truth->count + 1, film->tracks)) {
        return false;
    }
    size_t n = (size_t)truth->count * (size_t)film->tracks;
    for (size_t i = 0; i < n; i++) {
        r->frames[i] = truth->frames[i];
        r->velocities[i] = truth->velocities[i];
        r->spins[i] = truth->spins[i];
    }
    r->count = truth->count;
    snprintf(film->titles[film->reels], sizeof film->titles[0], "plan at %.2f s",
             (double)truth->count * cr_model_dt(film->model));
    if (cr_plan_replay(plan, 0, add_planned, film, NULL) != CR_OK || film->failed) {
        return false;
    }
    film->reels++;
    return film->stage || cr_plan_playback(plan, NULL, &film->stage, NULL) == CR_OK;
}

bool film_run_frame(run_film *film, const cr_run_frame *frame)
{
    if (frame->plan && film->reels <= PLANS_MAX && !add_plan(film, frame->plan)) {
        film->failed = true;
    }
    return add_frame(film, &film->reel[0], frame->truth) && !film->failed;
}

static int write_film(run_film *film, const char *path)
{
    if (!film->stage) {
        fprintf(stderr, "carom: %s is not written: no plan was found\n", shown(path));
        return EXIT_PART;
    }
    cr_report report = {0};
    cr_playback playback = *film->stage;
    cr_playback_world worlds[PLANS_MAX + 1] = {0};
    snprintf(film->titles[0], sizeof film->titles[0], "as it happened");
    for (int i = 0; i < film->reels; i++) {
        const reel *r = &film->reel[i];
        worlds[i] = (cr_playback_world){.title = film->titles[i],
                                        .frame_count = r->count,
                                        .frames = r->frames,
                                        .velocities = r->velocities,
                                        .spins = r->spins};
    }
    playback.world_count = film->reels;
    playback.worlds = worlds;
    playback.node_count = 0;
    return report_print(cr_playback_write(&playback, path, &report), &report);
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
    cr_playback_destroy(film->stage);
    free(film);
    return code;
}
