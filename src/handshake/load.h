/*
 * Handshakes under load: many at once, or so many a second.
 *
 * Closed loop: `connections` attempts are always under way, a new one begins when one ends. Open
 * loop (rate above 0): attempts begin when they are due, whatever became of those before; one that
 * finds no free connection begins late, and its latency still counts from when it was due, so that
 * a server that stalls is not spared the attempts it kept from beginning (coordinated omission).
 * Failures are counted by class and enter no statistics.
 *
 * One thread. The result owns its values.
 */
#ifndef TLSMETER_HANDSHAKE_LOAD_H
#define TLSMETER_HANDSHAKE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "handshake/attempt.h"
#include "handshake/failure.h"
#include "handshake/load_report.h"

struct load_settings {
    const struct attempt_setting *attempts;
    unsigned connections; /* at once: 1 or more; open loop: at most */
    double rate_per_s;    /* 0: closed loop */
    uint64_t duration_ns; /* no attempt begins later; those under way are finished */
    const volatile int *stop;
};

struct load_result {
    uint64_t started, handshakes;
    uint64_t elapsed_ns;    /* to the end of the last handshake */
    uint64_t client_cpu_ns; /* of this thread */
    unsigned most_in_flight;
    uint64_t late; /* open loop: began when they were overdue by more than a millisecond */
    struct load_values handshake_ns; /* connected to done */
    struct load_values latency_ns;   /* due, or begun, to done: connection set-up included */
    struct load_values connect_ns;
    uint64_t sent_bytes, received_bytes;
    struct failures failures;
};

/* False only when nothing can go on: memory, epoll. Failed attempts are in the result. */
MUST_USE bool load_run(const struct load_settings *settings, struct load_result *result,
                       struct error *error);
void load_free(struct load_result *result);

#endif
