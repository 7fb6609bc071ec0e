#include "crypto/workers.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/clock.h"

struct worker {
    struct crypto_workers *all;
    struct crypto_operation *operation;
    pthread_t thread;
    bool started;
    bool good;
    uint64_t operations, wall_ns; /* of its own, without waiting for the others */
    struct error error;
};

struct crypto_workers {
    const struct crypto_library *library;
    unsigned threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t batch;   /* number of the batch under way; raised to start one */
    uint64_t count;   /* operations of it; 0: go home */
    unsigned working; /* threads that have not finished it */
    struct worker workers[];
};

static bool run_own(struct worker *worker, uint64_t count, struct error *error)
{
    const struct clock *clock = clock_real();
    uint64_t start_ns = clock_wall_ns(clock);
    bool good = worker->all->library->run(worker->operation, count, error);
    worker->wall_ns += clock_wall_ns(clock) - start_ns;
    worker->operations += count;
    return good;
}

/* Waits for a batch after `seen`; returns its operations. */
static uint64_t wait_for_batch(struct crypto_workers *all, uint64_t *seen)
{
    (void)pthread_mutex_lock(&all->lock);
    while (all->batch == *seen)
        (void)pthread_cond_wait(&all->changed, &all->lock);
    *seen = all->batch;
    uint64_t count = all->count;
    (void)pthread_mutex_unlock(&all->lock);
    return count;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct crypto_workers *all = worker->all;
    uint64_t seen = 0;
    uint64_t count;
    while ((count = wait_for_batch(all, &seen)) > 0) {
        worker->good = run_own(worker, count, &worker->error);
        (void)pthread_mutex_lock(&all->lock);
        if (--all->working == 0)
            (void)pthread_cond_broadcast(&all->changed);
        (void)pthread_mutex_unlock(&all->lock);
    }
    return NULL;
}

static void start_batch(struct crypto_workers *all, uint64_t count)
{
    (void)pthread_mutex_lock(&all->lock);
    all->count = count;
    all->working = all->threads - 1;
    all->batch++;
    (void)pthread_cond_broadcast(&all->changed);
    (void)pthread_mutex_unlock(&all->lock);
}

static void wait_for_end(struct crypto_workers *all)
{
    (void)pthread_mutex_lock(&all->lock);
    while (all->working > 0)
        (void)pthread_cond_wait(&all->changed, &all->lock);
    (void)pthread_mutex_unlock(&all->lock);
}

static bool start_threads(struct crypto_workers *all, struct error *error)
{
    for (unsigned i = 1; i < all->threads; i++) {
        int code = pthread_create(&all->workers[i].thread, NULL, work, &all->workers[i]);
        if (code != 0)
            return error_set_errno(error, code, "thread %u of %u could not be started", i + 1,
                                   all->threads);
        all->workers[i].started = true;
    }
    return true;
}

struct crypto_workers *crypto_workers_open(const struct crypto_library *library,
                                           const struct crypto_request *request, unsigned threads,
                                           struct error *error)
{
    struct crypto_workers *all = calloc(1, sizeof *all + threads * sizeof all->workers[0]);
    if (all == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for %u threads", threads);
        return NULL;
    }
    all->library = library;
    all->threads = threads;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->changed, NULL);
    bool good = true;
    for (unsigned i = 0; good && i < threads; i++) {
        all->workers[i].all = all;
        all->workers[i].operation = library->open(request, error);
        good = all->workers[i].operation != NULL;
    }
    if (good && start_threads(all, error))
        return all;
    crypto_workers_close(all);
    return NULL;
}

struct crypto_operation *crypto_workers_first(struct crypto_workers *workers)
{
    return workers->workers[0].operation;
}

bool crypto_workers_verify(struct crypto_workers *workers, struct error *error)
{
    for (unsigned i = 0; i < workers->threads; i++)
        if (!workers->library->verify(workers->workers[i].operation, error))
            return false;
    return true;
}

bool crypto_workers_run(void *context, uint64_t count, struct error *error)
{
    struct crypto_workers *all = context;
    if (all->threads == 1)
        return all->library->run(all->workers[0].operation, count, error);
    start_batch(all, count);
    bool good = run_own(&all->workers[0], count, error);
    wait_for_end(all);
    for (unsigned i = 1; i < all->threads; i++)
        if (good && !all->workers[i].good) {
            if (error != NULL)
                *error = all->workers[i].error;
            good = false;
        }
    return good;
}

size_t crypto_workers_times(const struct crypto_workers *workers,
                            double wall_ns[CRYPTO_MOST_THREADS])
{
    size_t count = 0;
    for (unsigned i = 0; i < workers->threads; i++)
        if (workers->workers[i].operations > 0)
            wall_ns[count++] =
                (double)workers->workers[i].wall_ns / (double)workers->workers[i].operations;
    return count;
}

static void end_threads(struct crypto_workers *all)
{
    start_batch(all, 0);
    for (unsigned i = 1; i < all->threads; i++)
        if (all->workers[i].started)
            (void)pthread_join(all->workers[i].thread, NULL);
}

void crypto_workers_close(struct crypto_workers *workers)
{
    if (workers == NULL)
        return;
    end_threads(workers);
    for (unsigned i = 0; i < workers->threads; i++)
        if (workers->workers[i].operation != NULL)
            workers->library->close(workers->workers[i].operation);
    (void)pthread_cond_destroy(&workers->changed);
    (void)pthread_mutex_destroy(&workers->lock);
    free(workers);
}
