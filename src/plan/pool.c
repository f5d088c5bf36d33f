// Workers: threads that run attempts. The caller's thread is the first of them.
#include "plan/planner.h"

#include "base/report.h"

// Tries before a thread that finds the lock taken goes to sleep, some 0.3 ms: the lock is held for
// a microsecond or two, where rrt selects from a large tree for a hundred, and waking up takes
// tens.
enum { SPINS = 20000 };

static void *serve(void *argument)
{
    cri_worker *worker = argument;
    cri_pool *pool = &worker->planner->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (atomic_load(&pool->paused) && !pool->quit) {
            cri_pool_wait(pool);
        }
        if (pool->quit) {
            break;
        }
        pool->busy++;
        pthread_mutex_unlock(&pool->lock);
        cri_grow(worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->lock);
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
    int most = cr_engine_lanes(worker->engine);
    worker->lane_max = most < planner->def.round ? most : planner->def.round;
    size_t n = (size_t)worker->lane_max;
    worker->lanes = cri_arena_alloc(&planner->arena, n, sizeof(cri_lane *));
    worker->numbers = cri_arena_alloc(&planner->arena, n, sizeof *worker->numbers);
    worker->batch = cri_arena_alloc(&planner->arena, n, sizeof *worker->batch);
    const void *gap = cri_arena_alloc(&planner->arena, 1, sizeof(cri_gap));
    bool made = worker->lanes && worker->numbers && worker->batch && gap;
    return made ? CR_OK : cri_fail_memory(report);
}

static cr_status start_threads(cri_pool *pool, cr_report *report)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->ready = true;
    atomic_store(&pool->paused, true);
    for (int i = 1; i < pool->count; i++) {
        if (pthread_create(&pool->workers[i].thread, NULL, serve, &pool->workers[i]) != 0) {
            return cri_fail(report, CR_ERR_MEMORY, (cri_place){0},
                            "cannot start thread %d; ask for fewer with --threads", i + 1);
        }
        pool->started++;
    }
    return CR_OK;
}

cr_status cri_pool_create(cr_planner *planner, int threads, cr_report *report)
{
    cri_pool *pool = &planner->pool;
    pool->workers = cri_arena_alloc(&planner->arena, (size_t)threads, sizeof *pool->workers);
    if (!pool->workers) {
        return cri_fail_memory(report);
    }
    pool->count = threads;
    for (int i = 0; i < threads; i++) {
        cr_status status = make_worker(planner, &pool->workers[i], report);
        if (status != CR_OK) {
            return status;
        }
    }
    return start_threads(pool, report);
}

void cri_pool_free(cri_pool *pool)
{
    if (pool->ready) {
        pthread_mutex_lock(&pool->lock);
        pool->quit = true;
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 1; i <= pool->started; i++) {
            pthread_join(pool->workers[i].thread, NULL);
        }
        pthread_mutex_destroy(&pool->lock);
        pthread_cond_destroy(&pool->work);
        pthread_cond_destroy(&pool->idle);
    }
    for (int i = 0; i < pool->count; i++) {
        cr_engine_destroy(pool->workers[i].engine);
    }
}

void cri_pool_lock(cri_pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (pthread_mutex_trylock(&pool->lock) == 0) {
            return;
        }
    }
    pthread_mutex_lock(&pool->lock);
}

void cri_pool_unlock(cri_pool *pool)
{
    pthread_mutex_unlock(&pool->lock);
}

void cri_pool_wake(cri_pool *pool)
{
    if (pool->waiting > 0) {
        pthread_cond_broadcast(&pool->work);
    }
}

void cri_pool_pause(cri_pool *pool)
{
    atomic_store(&pool->paused, true);
    cri_pool_wake(pool);
}

void cri_pool_wait(cri_pool *pool)
{
    pool->waiting++;
    pthread_cond_wait(&pool->work, &pool->lock);
    pool->waiting--;
}

void cri_pool_run(cri_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->paused, false);
    cri_pool_wake(pool);
    pthread_mutex_unlock(&pool->lock);
    cri_grow(&pool->workers[0]);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->idle, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}
