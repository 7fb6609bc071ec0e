/*
 * Response times of HTTP and HTTPS, layer by layer, one request after another.
 *
 * Configurations are measured in groups whose members take turns (measure/sampler.h), plain HTTP
 * among them: what is compared is compared in the same minutes. Without a URL one process of our
 * own serves all of a group on the loopback, each on a port of its own. An operation is one new
 * connection with its requests, or one request on a kept connection; figures are per request. A
 * configuration gives a client cell and, of our own server, a server cell.
 */
#ifndef TLSMETER_HTTP_BENCH_H
#define TLSMETER_HTTP_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "http/config.h"
#include "measure/sampler.h"
#include "net/namespace.h"
#include "record/cell.h"

enum { HTTP_GROUP_MAXIMUM = 16 };

struct http_bench_settings {
    struct sampler_settings sampler;
    uint64_t time_out_ns;       /* of connecting, and of each exchange */
    const char *run_id;         /* borrowed */
    int pinned_cpu;             /* kept in the subject; -1: not pinned */
    int server_cpu;             /* -1: not pinned */
    struct net_address address; /* of a URL's server */
    double resolve_ns;          /* how long its name took; NaN: no URL */
    /* An emulated link between client and server of our own; borrowed, NULL: the loopback. */
    const struct net_namespaces *namespaces;
    const char *link; /* its name, kept in the subject */
};

struct http_bench_events {
    void *context;
    bool (*wanted)(void *context, const struct cell *cell);
    bool (*cell)(void *context, const struct cell *cell, const struct http_config *config,
                 struct error *error);
    void (*progress)(void *context, const char *label, size_t done, size_t total);
};

/* `group_sizes`: how many neighbours of `configs` are measured in turn, each at most
 * HTTP_GROUP_MAXIMUM. False with ERROR_INTERRUPTED when the stop flag was set, or with what an
 * event said. */
MUST_USE bool http_bench_run(const struct http_config *configs, const size_t *group_sizes,
                             size_t group_count, const struct http_bench_settings *settings,
                             const struct http_bench_events *events, struct error *error);

#endif
