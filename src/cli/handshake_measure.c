#include "cli/handshake_measure.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/sampling.h"
#include "core/text.h"
#include "handshake/load_bench.h"
#include "net/socket.h"
#include "tls/pki.h"

enum { HTTPS_PORT = 443 };

/* What a whole measurement needs at hand. */
struct measuring {
    struct session *session;
    const struct handshake_options *options;
    struct handshake_configs configs;
    struct handshake_bench_settings bench;
    char host[NET_HOST_BYTES];
    char address[NET_HOST_BYTES + 8];
    struct handshake_peer peer;
    struct pki_set files;
};

static bool select_configs(const struct handshake_options *options,
                           struct handshake_configs *configs, struct error *error)
{
    struct handshake_selection selection;
    return tls_options_selection(&options->tls, &selection, error) &&
           handshake_select(&selection, configs, error);
}

bool handshake_check_options(const struct handshake_options *options, struct error *error)
{
    struct handshake_configs configs;
    if (!cpus_check(&options->cpus, error))
        return false;
    if (!tls_options_select(&options->tls) && !options->planned)
        return true; /* the default plan's part */
    if (!select_configs(options, &configs, error))
        return false;
    handshake_configs_free(&configs);
    return true;
}

static bool wanted(void *context, const struct cell *cell)
{
    const struct measuring *measuring = context;
    return session_wants(measuring->session, cell);
}

static bool take(void *context, const struct cell *cell, const struct handshake_config *config,
                 struct error *error)
{
    const struct measuring *measuring = context;
    return session_take(measuring->session, cell, config->named && !measuring->options->planned,
                        error);
}

static void progress(void *context, const char *label, size_t done, size_t total)
{
    const struct measuring *measuring = context;
    session_progress(measuring->session, label, done, total);
}

static bool is_load(const struct handshake_options *options)
{
    return options->connections > 0 || options->rate_per_s > 0;
}

enum { OPEN_LOOP_CONNECTIONS = 1000, REQUEST_BYTES = 1024 };

static bool run_load(struct measuring *measuring, const struct handshake_bench_events *events,
                     struct error *error)
{
    const struct handshake_options *options = measuring->options;
    char request[REQUEST_BYTES];
    if (options->request != NULL)
        (void)snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", options->request,
                       measuring->host[0] == '\0' ? "localhost" : measuring->host);
    struct load_bench_settings load = {
        .connections =
            options->connections > 0 ? (unsigned)options->connections : OPEN_LOOP_CONNECTIONS,
        .rate_per_s = (double)options->rate_per_s,
        .duration_ns = options->duration_ns,
        .request = options->request == NULL ? NULL : request,
        .server_figures = options->server_figures,
        .bench = measuring->bench,
    };
    return load_bench_run(measuring->configs.items, measuring->configs.count, &load, events, error);
}

static bool run_on(void *context, int cpu, struct error *error)
{
    struct measuring *measuring = context;
    struct handshake_bench_events events = {measuring, wanted, take, progress};
    measuring->bench.pinned_cpu = cpu;
    if (is_load(measuring->options))
        return run_load(measuring, &events, error);
    return handshake_bench_run(measuring->configs.items, measuring->configs.count,
                               &measuring->bench, &events, error);
}

/* The server that the user named becomes the peer of every configuration. */
static bool find_server(struct measuring *measuring, struct error *error)
{
    const struct handshake_options *options = measuring->options;
    struct handshake_bench_settings *bench = &measuring->bench;
    uint16_t port = HTTPS_PORT;
    if (!net_split(options->server, measuring->host, &port, error) ||
        !pki_load(options->peer.certificate, options->peer.key_file, options->peer.ca,
                  &measuring->files, error) ||
        !net_resolve(measuring->host, port, false, &bench->address, error) ||
        !net_resolve(measuring->host, port, true, &bench->datagram_address, error))
        return false;
    (void)snprintf(measuring->address, sizeof measuring->address, "%s:%u", measuring->host, port);
    measuring->peer = (struct handshake_peer){.host = measuring->host,
                                              .address = measuring->address,
                                              .verify = options->peer.verify,
                                              .files = &measuring->files};
    tls_options_towards(&options->tls, &measuring->peer, options->peer.certificate != NULL,
                        &measuring->configs);
    bench->over = OVER_NETWORK;
    return true;
}

static bool prepare(struct measuring *measuring, struct error *error)
{
    const struct handshake_options *options = measuring->options;
    struct sampling sampling = {options->target, options->max_time_ns, options->seed,
                                options->quick};
    uint64_t server_cpu = 0;
    if (options->server_cpu != NULL &&
        !text_parse_u64(options->server_cpu, 0, INT_MAX, &server_cpu, error))
        return error_prefix(error, "--server-cpu");
    measuring->bench = (struct handshake_bench_settings){
        .sampler = sampling_settings(&sampling),
        .over = strcmp(options->over, "loopback") == 0 || is_load(options) ? OVER_LOOPBACK
                                                                           : OVER_MEMORY,
        .time_out_ns = options->time_out_ns,
        .trace = options->trace,
        .run_id = measuring->session->run.id,
        .server_cpu = options->server_cpu == NULL ? -1 : (int)server_cpu};
    return options->server == NULL || find_server(measuring, error);
}

bool handshake_measure(struct session *session, const struct handshake_options *options,
                       struct error *error)
{
    struct measuring measuring = {.session = session, .options = options};
    if (!select_configs(options, &measuring.configs, error))
        return false;
    if (measuring.configs.left_out > 0 && !options->planned)
        session_say(session, "%zu combinations cannot exist and are left out; the first: %s",
                    measuring.configs.left_out, measuring.configs.left_out_reason);
    bool good = prepare(&measuring, error) &&
                cpus_each(&options->cpus, &session->machine, run_on, &measuring, error);
    handshake_configs_free(&measuring.configs);
    pki_free(&measuring.files);
    return good;
}
