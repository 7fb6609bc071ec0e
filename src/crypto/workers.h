/*
 * N threads doing the same operation at once, each on contexts of its own.
 *
 * The caller is the first thread; run returns when all have done `count` operations, so that its
 * time is the time of the slowest. Workers sleep between batches. One owner; it gives the
 * operations back.
 */
#ifndef TLSMETER_CRYPTO_WORKERS_H
#define TLSMETER_CRYPTO_WORKERS_H

#include "crypto/crypto.h"

enum { CRYPTO_MOST_THREADS = 256 };

struct crypto_workers;

/* Opens `threads` operations of the request, the first included. NULL with an error. */
struct crypto_workers *crypto_workers_open(const struct crypto_library *library,
                                           const struct crypto_request *request, unsigned threads,
                                           struct error *error);
/* The caller's own operation. */
struct crypto_operation *crypto_workers_first(struct crypto_workers *workers);
/* Every thread's known answer. */
MUST_USE bool crypto_workers_verify(struct crypto_workers *workers, struct error *error);
/* Fits struct sampler_task: `context` is the workers. */
bool crypto_workers_run(void *context, uint64_t count, struct error *error);
/* Each thread's own time per operation, without waiting for the others, over all it did; returns
 * how many threads have any. One thread alone is not timed here. */
size_t crypto_workers_times(const struct crypto_workers *workers,
                            double wall_ns[CRYPTO_MOST_THREADS]);
void crypto_workers_close(struct crypto_workers *workers); /* NULL is allowed */

#endif
