// Workers: threads that run the attempts of a round. The caller's thread is the first of them.
#include "plan/planner.h"

#include "base/report.h"

static void *serve(void *argument)
{
    cri_worker *worker = argument;
    cri_pool *pool = &worker->planner->pool;
    int64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->quit) {
            pthread_cond_wait(&pool->work, &pool->lock);
        }
        if (pool->quit) {
            break;
        }
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        cri_worker_run(worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static cr_status make_worker(cr_planner *planner, cri_worker *worker, cr_report *report)
{
    const cr_model *model = planner->model;
    worker->planner = planner;
    cr_status status =
        cr_engine_create(planner->library, planner->def.engine, model, &worker->engine, report);
    if (status != CR_OK) {
        return status;
    }
    int lanes = cr_engine_lanes(worker->engine);
    lanes = lanes < planner->def.round ? lanes : planner->def.round;
    cri_arena *arena = &planner->arena;
    worker->lane_count = lanes;
    worker->lanes = cri_arena_alloc(arena, (size_t)lanes, sizeof *worker->lanes);
    worker->batch = cri_arena_alloc(arena, (size_t)lanes, sizeof *worker->batch);
    if (!worker->lanes || !worker->batch) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < lanes; i++) {
        cri_lane *lane = &worker->lanes[i];
        lane->actions = cri_arena_alloc(arena, (size_t)model->moving_count, sizeof *lane->actions);
        lane->contacts = cri_arena_alloc(arena, (size_t)model->contact_max, sizeof *lane->contacts);
        lane->next = cri_arena_alloc(arena, 1, model->state_size);
        if (!lane->actions || !lane->contacts || !lane->next) {
            return cri_fail_memory(report);
        }
    }
    return CR_OK;
}

static cr_status start_threads(cri_pool *pool, cr_report *report)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->ready = true;
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
        pthread_cond_destroy(&pool->done);
    }
    for (int i = 0; i < pool->count; i++) {
        cr_engine_destroy(pool->workers[i].engine);
    }
}

void cri_pool_run(cri_pool *pool)
{
    atomic_store(&pool->next, 0);
    atomic_store(&pool->winner, INT64_MAX);
    if (pool->started > 0) {
        pthread_mutex_lock(&pool->lock);
        pool->round++;
        pool->busy = pool->started;
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->lock);
    }
    cri_worker_run(&pool->workers[0]);
    if (pool->started > 0) {
        pthread_mutex_lock(&pool->lock);
        while (pool->busy > 0) {
            pthread_cond_wait(&pool->done, &pool->lock);
        }
        pthread_mutex_unlock(&pool->lock);
    }
}
