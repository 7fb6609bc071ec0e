/*
 * Requests under load: many connections at once, as fast as they go or so many a second.
 *
 * Closed loop: each of `connections` sends its next request when it has the answer to the one
 * before. Open loop (rate above 0): requests are due at fixed times, whatever became of those
 * before; one that finds no free connection is sent late, and its latency still counts from when it
 * was due (coordinated omission). A connection is closed after requests_per_connection, or when the
 * server says so, and the next request opens another. Failures are counted by class and enter no
 * statistics; answers of 400 and above are counted apart.
 *
 * One thread. The result owns its values.
 */
#ifndef TLSMETER_HTTP_LOAD_H
#define TLSMETER_HTTP_LOAD_H

#include "handshake/attempt.h"
#include "handshake/load_report.h"
#include "http/exchange.h"

struct http_load_settings {
    const struct attempt_setting *attempts;
    const struct http_request *request;
    unsigned connections;             /* at once */
    double rate_per_s;                /* 0: closed loop */
    uint64_t duration_ns;             /* no request begins later */
    unsigned requests_per_connection; /* 0: as many as the server takes */
    const volatile int *stop;
};

struct http_load_result {
    uint64_t due;         /* requests that should have begun */
    uint64_t requests;    /* answered */
    uint64_t connections; /* opened, handshakes included */
    uint64_t http_errors; /* answers of 400 and above, among the requests */
    uint64_t late;        /* open loop: sent more than a millisecond after they were due */
    uint64_t renewed;     /* sent again, because the server had closed a kept connection */
    uint64_t elapsed_ns, client_cpu_ns;
    uint64_t sent_bytes, received_bytes; /* of TCP */
    struct load_values latency_ns; /* from due, or sent, to the last byte; connecting included */
    struct failures failures;
};

/* False only when nothing can go on: memory, epoll. */
MUST_USE bool http_load_run(const struct http_load_settings *settings,
                            struct http_load_result *result, struct error *error);
void http_load_free(struct http_load_result *result);

#endif
