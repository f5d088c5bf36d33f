// The crew, a thread pool: workers, each a thread that runs attempts. The caller's thread is the
// first of them.
#include "plan/planner.h"

#include <assert.h>

#include "base/report.h"

// Tries before a thread that finds the lock taken goes to sleep, some 0.3 ms: the lock is held for
// a microsecond or two, where rrt selects from a large tree for a hundred, and waking up takes
// tens.
enum { SPINS = 20000 };

static void *serve(void *argument)
{
    cri_worker *worker = argument;
    cri_crew *crew = &worker->planner->crew;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (atomic_load(&crew->paused) && !crew->quit) {
            cri_crew_wait(crew);
        }
        if (crew->quit) {
            break;
        }
        crew->busy++;
        pthread_mutex_unlock(&crew->lock);
        cri_grow(worker);
        pthread_mutex_lock(&crew->lock);
        assert(crew->busy > 0);
        if (--crew->busy == 0) {
            pthread_cond_signal(&crew->idle);
        }
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static cr_status make_worker(cr_planner *planner, cri_worker *worker, cr_report *report)
{
    worker->planner = planner;
    cr_status status =
        cr_engine_create(planner->model, planner->def.engine, &worker->engine, report);
    if (status != CR_OK) {
        return status;
    }
    worker->lanes = cr_engine_lanes(worker->engine);
    int most = CRI_WORKER_BATCHES * worker->lanes;
    worker->runner_max = most < planner->def.round ? most : planner->def.round;
    size_t n = (size_t)worker->runner_max;
    worker->runners = cri_arena_alloc(&planner->arena, n, sizeof(cri_runner *));
    worker->numbers = cri_arena_alloc(&planner->arena, n, sizeof *worker->numbers);
    worker->batch = cri_arena_alloc(&planner->arena, n, sizeof *worker->batch);
    const void *gap = cri_arena_alloc(&planner->arena, 1, sizeof(cri_gap));
    bool made = worker->runners && worker->numbers && worker->batch && gap;
    return made ? CR_OK : cri_fail_memory(report);
}

static cr_status start_threads(cri_crew *crew, cr_report *report)
{
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->idle, NULL);
    crew->ready = true;
    atomic_store(&crew->paused, true);
    for (int i = 1; i < crew->count; i++) {
        if (pthread_create(&crew->workers[i].thread, NULL, serve, &crew->workers[i]) != 0) {
            return cri_fail(report, CR_ERR_MEMORY, (cri_location){0},
                            "cannot start thread %d; ask for fewer with --threads", i + 1);
        }
        crew->started++;
    }
    return CR_OK;
}

cr_status cri_crew_create(cr_planner *planner, int threads, cr_report *report)
{
    cri_crew *crew = &planner->crew;
    crew->workers = cri_arena_alloc(&planner->arena, (size_t)threads, sizeof *crew->workers);
    if (!crew->workers) {
        return cri_fail_memory(report);
    }
    crew->count = threads;
    for (int i = 0; i < threads; i++) {
        cr_status status = make_worker(planner, &crew->workers[i], report);
        if (status != CR_OK) {
            return status;
        }
    }
    return start_threads(crew, report);
}

void cri_crew_free(cri_crew *crew)
{
    if (crew->ready) {
        pthread_mutex_lock(&crew->lock);
        crew->quit = true;
        pthread_cond_broadcast(&crew->work);
        pthread_mutex_unlock(&crew->lock);
        for (int i = 1; i <= crew->started; i++) {
            pthread_join(crew->workers[i].thread, NULL);
        }
        pthread_mutex_destroy(&crew->lock);
        pthread_cond_destroy(&crew->work);
        pthread_cond_destroy(&crew->idle);
    }
    for (int i = 0; i < crew->count; i++) {
        cr_engine_destroy(crew->workers[i].engine);
    }
}

void cri_crew_lock(cri_crew *crew)
{
    for (int i = 0; i < SPINS; i++) {
        if (pthread_mutex_trylock(&crew->lock) == 0) {
            return;
        }
    }
    pthread_mutex_lock(&crew->lock);
}

void cri_crew_unlock(cri_crew *crew)
{
    pthread_mutex_unlock(&crew->lock);
}

void cri_crew_wake(cri_crew *crew)
{
    if (crew->waiting > 0) {
        pthread_cond_broadcast(&crew->work);
    }
    if (crew->away) { // it comes as soon as it has a core
        crew->away = false;
        atomic_store(&crew->asked, cri_seconds());
    }
}

void cri_crew_pause(cri_crew *crew)
{
    atomic_store(&crew->paused, true);
    cri_crew_wake(crew);
}

void cri_crew_wait(cri_crew *crew)
{
    crew->waiting++;
    pthread_cond_wait(&crew->work, &crew->lock);
    crew->waiting--;
}

void cri_crew_rest(cri_worker *worker)
{
    cri_crew *crew = &worker->planner->crew;
    if (worker == crew->workers) {
        cri_crew_wake(crew); // who waits for it to ask waits in vain
        crew->away = true;
    }
    cri_crew_wait(crew);
}

// Whether a slice goes on is asked on the caller's thread alone. Where that has no core, the others
// would grow on past every deadline: they wait for it. A turn of its own tells a worker how long
// the caller's may take.
bool cri_crew_is_unasked(const cri_worker *worker)
{
    static const double MOMENT = 2e-4; // s
    const cri_crew *crew = &worker->planner->crew;
    const cr_slice *slice = worker->planner->slice;
    bool asks = slice->stop || slice->seconds > 0;
    return asks && worker != crew->workers && !crew->away &&
           cri_seconds() - atomic_load(&crew->asked) > MOMENT + 3 * worker->turn_seconds;
}

// Asked and held are written by one side and then read by the other, so one of them sees the other.
void cri_crew_hold(cri_worker *worker)
{
    cri_crew *crew = &worker->planner->crew;
    atomic_fetch_add(&crew->held, 1);
    if (cri_crew_is_unasked(worker)) {
        cri_crew_wait(crew);
    }
    atomic_fetch_sub(&crew->held, 1);
}

void cri_crew_asked(cri_crew *crew)
{
    atomic_store(&crew->asked, cri_seconds());
    if (atomic_load(&crew->held) > 0) {
        cri_crew_lock(crew);
        cri_crew_wake(crew);
        cri_crew_unlock(crew);
    }
}

void cri_crew_run(cri_crew *crew)
{
    assert(atomic_load(&crew->paused)); // nobody runs between two slices
    pthread_mutex_lock(&crew->lock);
    crew->away = false;
    atomic_store(&crew->asked, cri_seconds());
    atomic_store(&crew->paused, false);
    cri_crew_wake(crew);
    pthread_mutex_unlock(&crew->lock);
    cri_grow(&crew->workers[0]);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0) {
        pthread_cond_wait(&crew->idle, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
}
