/*
 * The crypto instrument: measures targets and hands out finished cells.
 *
 * Targets are measured in groups, an algorithm at a time (at most CRYPTO_GROUP_MAXIMUM open
 * operations), so that what is compared is interleaved. Before anything is timed its known answer
 * is checked; what fails is a failed cell with its reason, never a number, and what a library lacks
 * is an unavailable cell. A cell is handed out as soon as it is final. Nothing is printed here.
 */
#ifndef TLSMETER_CRYPTO_BENCH_H
#define TLSMETER_CRYPTO_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/clock.h"
#include "core/error.h"
#include "crypto/selection.h"
#include "measure/accounting.h"
#include "measure/sampler.h"
#include "record/cell.h"

enum { CRYPTO_GROUP_MAXIMUM = 64 };

struct crypto_bench_settings {
    struct sampler_settings sampler;
    unsigned threads;   /* 1 to CRYPTO_MOST_THREADS */
    bool accounting;    /* a block per cell that tells user, system and the whole machine's time */
    const char *run_id; /* borrowed */
    int pinned_cpu;     /* kept in the subject; -1: not pinned */
    const struct clock *clock;
};

struct crypto_bench_events {
    void *context;
    /* True: this cell is wanted (not in a file that is resumed). Only its key is filled. NULL: all.
     */
    bool (*wanted)(void *context, const struct cell *cell);
    /* A final cell, valid until it returns. False with an error ends everything. */
    bool (*cell)(void *context, const struct cell *cell, const struct crypto_target *target,
                 struct error *error);
    /* `done` of `total` targets are final; label is the algorithm under way. May be NULL. */
    void (*progress)(void *context, const char *label, size_t done, size_t total);
};

/* False with ERROR_INTERRUPTED when the stop flag of the sampler's settings was set, or with what
 * an event said. */
MUST_USE bool crypto_bench_run(const struct crypto_targets *targets,
                               const struct crypto_bench_settings *settings,
                               const struct crypto_bench_events *events, struct error *error);

/* What measuring so many targets will take at most, in seconds, key generation and set-up apart. */
double crypto_bench_estimate_s(const struct crypto_targets *targets,
                               const struct crypto_bench_settings *settings);

#endif
