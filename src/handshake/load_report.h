/*
 * What loads have in common: values kept, failures told, and whose core was full.
 */
#ifndef TLSMETER_HANDSHAKE_LOAD_REPORT_H
#define TLSMETER_HANDSHAKE_LOAD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "handshake/failure.h"
#include "record/cell.h"

/* Owned by who keeps them; freed with free(values->items). */
struct load_values {
    double *items;
    size_t count, capacity;
};

MUST_USE bool load_values_keep(struct load_values *values, double value);
/* Sorts them. Percentiles, but no interval: neighbours are not independent. */
void load_put_values(struct cell *cell, const char *name, struct load_values *values);
/* "refused: 12" under the check "failed_refused", and the first message of each class. */
void load_put_failures(struct cell *cell, const struct failures *failures);

/* CPU time of both sides during a load. */
struct load_cores {
    double elapsed_ns, client_cpu_ns;
    double server_cpu_ns;                    /* NaN: not known */
    double client_delay_ns, server_delay_ns; /* ready to run while others had the core; NaN */
    bool has_rate;                           /* the load was held to a rate */
};

/* How long a process has been ready to run while others had its core; NaN where the kernel keeps no
 * count. */
double load_run_delay_ns(pid_t pid);
/* Who limits the rate, by the shares of one core each: "client core", "server core", "both cores";
 * "other processes": one side was ready to run while others had its core; "waiting": neither, so
 * the network or too few connections; "the rate"; without the server's figures "not the client". */
const char *load_bottleneck(const struct load_cores *cores);

#endif
