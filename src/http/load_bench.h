/*
 * HTTP and HTTPS under load: requests per second, latencies, and whose core is full.
 *
 * One configuration after another, each for the duration given, with its own server process, or the
 * server of a URL. A configuration gives a client cell and, of our own server, a server cell.
 */
#ifndef TLSMETER_HTTP_LOAD_BENCH_H
#define TLSMETER_HTTP_LOAD_BENCH_H

#include "http/bench.h"

struct http_load_bench_settings {
    unsigned connections;
    double rate_per_s; /* 0: closed loop */
    uint64_t duration_ns;
    struct http_bench_settings bench;
};

/* A configuration that is not kept makes so many requests per connection; a kept one as many as the
 * server takes. */
MUST_USE bool http_load_bench_run(const struct http_config *configs, size_t count,
                                  const struct http_load_bench_settings *settings,
                                  const struct http_bench_events *events, struct error *error);

#endif
