/* One connection after another over a socket, to a server process of our own or to any server. */
#include <stdio.h>
#include <string.h>

#include "handshake/bench_internal.h"
#include "handshake/cells.h"
#include "record/sampled.h"

static bool run(void *context, uint64_t count, struct error *error)
{
    struct bench_entry *entry = context;
    double *readings = entry->readings;
    bool has_process = entry->process.pid > 0;
    uint64_t client_ns = clock_cpu_ns(clock_real());
    uint64_t server_ns = has_process ? server_process_cpu_ns(&entry->process) : 0;
    for (uint64_t i = 0; i < count; i++) {
        struct attempt attempt;
        if (!attempt_drive(&attempt, &entry->attempts, NULL, error))
            return false;
        double handshake_ns = (double)(attempt.done_ns - attempt.connected_ns);
        readings[NETWORK_CONNECT_NS] += (double)(attempt.connected_ns - attempt.start_ns);
        readings[NETWORK_HANDSHAKE_NS] += handshake_ns;
        readings[NETWORK_COMPUTE_NS] += (double)attempt.compute_ns;
        readings[NETWORK_WAIT_NS] += handshake_ns - (double)attempt.compute_ns;
        readings[NETWORK_SENT_BYTES] += (double)attempt.handshake_sent_bytes;
        readings[NETWORK_RECEIVED_BYTES] += (double)attempt.handshake_received_bytes;
        attempt_close(&attempt);
    }
    readings[NETWORK_CLIENT_CPU_NS] += (double)(clock_cpu_ns(clock_real()) - client_ns);
    if (has_process)
        readings[NETWORK_SERVER_CPU_NS] +=
            (double)(server_process_cpu_ns(&entry->process) - server_ns);
    return true;
}

static void copy_view(const struct attempt *attempt, struct pair_view *view)
{
    const struct tls_library *library = attempt->setting->config->libraries[TLS_CLIENT];
    struct tls_negotiated negotiated;
    library->negotiated(attempt->endpoint, &negotiated);
    pair_view_keep(view, TLS_CLIENT, &negotiated);
    pair_view_keep(view, TLS_SERVER, &negotiated); /* the server's own report is not seen */
    view->round_trips = view->wire.flights / 2;
}

/* The session that all others resume, and one handshake that is looked at. */
static bool prime(struct bench_entry *entry, struct error *error)
{
    struct attempt attempt;
    struct attempt_setting first = entry->attempts;
    struct attempt_setting looked_at = entry->attempts;
    if (entry->config->resumption != TLS_RESUME_NONE) {
        first.keep_session = first.expect_full = true;
        if (!attempt_drive(&attempt, &first, NULL, error))
            return error->code == ERROR_TIMEOUT
                       ? error_set(error, ERROR_PEER, "the server gave no session to resume")
                       : false;
        attempt_close(&attempt);
    }
    wire_init(&entry->view.wire, tls_protocol_is_datagram(entry->config->protocol));
    looked_at.confirm = true;
    if (!attempt_drive(&attempt, &looked_at, &entry->view.wire, error))
        return false;
    copy_view(&attempt, &entry->view);
    attempt_close(&attempt);
    return true;
}

static bool open_client(struct bench_entry *entry, struct sampler_task *task, struct error *error)
{
    const struct handshake_config *config = entry->config;
    const struct tls_library *library = config->libraries[TLS_CLIENT];
    struct tls_settings settings = handshake_settings(config, TLS_CLIENT, &entry->pki);
    entry->attempts.config = config;
    entry->attempts.context = library->context_open(&settings, error);
    if (entry->attempts.context == NULL || !prime(entry, error))
        return false;
    *task = (struct sampler_task){.context = entry,
                                  .run = run,
                                  .readings = entry->readings,
                                  .reading_count = NETWORK_READINGS};
    return true;
}

static void close_entry(struct bench_entry *entry)
{
    if (entry->attempts.context != NULL)
        entry->config->libraries[TLS_CLIENT]->context_close(entry->attempts.context);
    entry->attempts.context = NULL;
    if (entry->process.pid > 0)
        (void)server_process_stop(&entry->process, NULL);
    pki_free(&entry->pki);
}

static bool refused(const struct bench_entry *entry, struct error *error)
{
    char refusal[256];
    return handshake_refusal(entry->config, refusal) != NULL &&
           !error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
}

static bool open_loopback(struct bench_entry *entry,
                          const struct handshake_bench_settings *settings,
                          struct sampler_task *task, struct error *error)
{
    if (refused(entry, error) || !handshake_pki(entry->config, &entry->pki, error))
        return false;
    struct server_port port = {.config = entry->config, .pki = &entry->pki};
    bool good = server_process_start(&entry->process, &port, 1, NULL, settings->server_cpu, error);
    entry->attempts.address = entry->process.addresses[0];
    entry->attempts.time_out_ns = settings->time_out_ns;
    good = good && open_client(entry, task, error);
    if (!good)
        close_entry(entry);
    return good;
}

static bool open_remote(struct bench_entry *entry, const struct handshake_bench_settings *settings,
                        struct sampler_task *task, struct error *error)
{
    if (refused(entry, error))
        return false;
    entry->attempts.address = tls_protocol_is_datagram(entry->config->protocol)
                                  ? settings->datagram_address
                                  : settings->address;
    entry->attempts.time_out_ns = settings->time_out_ns;
    bool good = open_client(entry, task, error);
    if (!good)
        close_entry(entry);
    return good;
}

static void put(struct cell *cell, const char *name, const struct sampler_result *result,
                enum network_reading reading, bool samples)
{
    cell_summary(cell, name, &result->readings[reading], result->ops_per_sample,
                 samples ? result->reading_values[reading] : NULL, result->value_count);
}

static void fill(const struct bench_entry *entry, enum tls_role side,
                 const struct sampler_result *result, struct cell *cell)
{
    bool client = side == TLS_CLIENT;
    if (!cell_sampled(cell, result))
        return;
    put(cell, "wall_ns", result, NETWORK_HANDSHAKE_NS, true);
    put(cell, "cpu_ns", result, client ? NETWORK_CLIENT_CPU_NS : NETWORK_SERVER_CPU_NS, true);
    if (client) {
        put(cell, "connect_ns", result, NETWORK_CONNECT_NS, false);
        put(cell, "compute_ns", result, NETWORK_COMPUTE_NS, true);
        put(cell, "wait_ns", result, NETWORK_WAIT_NS, true);
        cell_summary(cell, "latency_ns", &result->latency_ns, 1, NULL, 0);
    }
    put(cell, "bytes_sent", result, client ? NETWORK_SENT_BYTES : NETWORK_RECEIVED_BYTES, false);
    put(cell, "bytes_received", result, client ? NETWORK_RECEIVED_BYTES : NETWORK_SENT_BYTES,
        false);
    cell_set_text(cell, &cell->checks, "negotiated", "as asked for, in every handshake");
    handshake_cell_view(cell, side, &entry->view);
}

const struct bench_transport bench_loopback = {.over = "loopback",
                                               .has_server = true,
                                               .open = open_loopback,
                                               .fill = fill,
                                               .close = close_entry};
const struct bench_transport bench_remote = {.over = "network",
                                             .has_server = false,
                                             .open = open_remote,
                                             .fill = fill,
                                             .close = close_entry};
