#include "http/bench_entry.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/sampled.h"

bool http_entry_possible(const struct http_config *config, struct error *error)
{
    char refusal[256];
    if (http_unavailable() != NULL)
        return error_set(error, ERROR_UNAVAILABLE, "%s", http_unavailable());
    return config->tls == NULL || handshake_refusal(config->tls, refusal) == NULL ||
           error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
}

bool http_entry_pki(struct http_entry *entry, struct error *error)
{
    return entry->config->tls == NULL || handshake_pki(entry->config->tls, &entry->pki, error);
}

static void write_request(struct http_entry *entry)
{
    const struct http_config *config = entry->config;
    bool last = !config->kept && config->requests == 1;
    const char *close = last ? "Connection: close\r\n" : "";
    int length;
    if (config->url != NULL)
        length = snprintf(entry->head, sizeof entry->head,
                          "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: tlsmeter\r\nAccept: */*\r\n"
                          "%s\r\n",
                          config->url->target, config->url->authority, close);
    else if (config->upload)
        length = snprintf(entry->head, sizeof entry->head,
                          "POST /discard HTTP/1.1\r\nHost: localhost\r\nUser-Agent: tlsmeter\r\n"
                          "Accept: */*\r\nContent-Length: %" PRIu64 "\r\n%s\r\n",
                          config->payload_bytes, close);
    else
        length = snprintf(entry->head, sizeof entry->head,
                          "GET /bytes/%" PRIu64 " HTTP/1.1\r\nHost: localhost\r\n"
                          "User-Agent: tlsmeter\r\nAccept: */*\r\n%s\r\n",
                          config->payload_bytes, close);
    bool is_content = config->url == NULL && !config->upload;
    entry->request = (struct http_request){
        .head = entry->head,
        .head_length = (size_t)length,
        .upload_bytes = config->upload ? config->payload_bytes : 0,
        .checks_content = is_content,
        .content_bytes = is_content ? config->payload_bytes : 0,
    };
}

bool http_serve(struct server_process *process, const struct server_port *ports, size_t count,
                const struct http_bench_settings *settings, struct error *error)
{
    const struct net_namespaces *namespaces = settings->namespaces;
    if (namespaces == NULL)
        return server_process_start(process, ports, count, NULL, settings->server_cpu, error);
    return net_namespaces_enter(namespaces, TLS_SERVER, error) &&
           server_process_start(process, ports, count, net_namespaces_address(TLS_SERVER),
                                settings->server_cpu, error) &&
           net_namespaces_enter(namespaces, TLS_CLIENT, error);
}

void http_put_settings(const struct http_bench_settings *settings, struct cell *cell)
{
    if (settings->link != NULL) {
        cell_set_text(cell, &cell->subject, "over", "emulated link");
        cell_set_text(cell, &cell->subject, "link", settings->link);
    }
    if (settings->pinned_cpu >= 0)
        cell_set_integer(cell, &cell->subject, "cpu", settings->pinned_cpu);
}

/* ---- one operation ---- */

static void add_connection(struct http_entry *entry)
{
    const struct attempt *attempt = &entry->client.attempt;
    double *readings = entry->readings;
    double per_request = 1.0 / entry->config->requests;
    double tls_ns = (double)(attempt->done_ns - attempt->connected_ns);
    readings[HTTP_CONNECT_NS] += (double)(attempt->connected_ns - attempt->start_ns) * per_request;
    readings[HTTP_TLS_NS] += tls_ns * per_request;
    readings[HTTP_TLS_COMPUTE_NS] += (double)attempt->compute_ns * per_request;
    readings[HTTP_WALL_NS] += (double)(attempt->done_ns - attempt->start_ns) * per_request;
}

static void add_exchange(struct http_entry *entry)
{
    const struct http_exchange *exchange = &entry->client.exchange;
    double *readings = entry->readings;
    double per_request = 1.0 / entry->config->requests;
    readings[HTTP_WALL_NS] += (double)(exchange->end_ns - exchange->start_ns) * per_request;
    readings[HTTP_REQUEST_NS] += (double)(exchange->sent_ns - exchange->start_ns) * per_request;
    if (exchange->first_byte_ns > 0) { /* an answer can come before the request is sent whole */
        uint64_t first_ns = exchange->first_byte_ns > exchange->sent_ns ? exchange->first_byte_ns
                                                                        : exchange->sent_ns;
        readings[HTTP_FIRST_BYTE_NS] += (double)(first_ns - exchange->sent_ns) * per_request;
        readings[HTTP_BODY_NS] += (double)(exchange->end_ns - first_ns) * per_request;
    }
    readings[HTTP_TLS_BYTES] -=
        (double)(exchange->sent_bytes + exchange->received_bytes) * per_request;
    entry->status = exchange->status;
    entry->errors += exchange->status >= 400;
    memcpy(entry->location, exchange->location, sizeof entry->location);
}

static void add_bytes(struct http_entry *entry, uint64_t sent, uint64_t received)
{
    double per_request = 1.0 / entry->config->requests;
    entry->readings[HTTP_SENT_BYTES] += (double)sent * per_request;
    entry->readings[HTTP_RECEIVED_BYTES] += (double)received * per_request;
    entry->readings[HTTP_TLS_BYTES] += (double)(sent + received) * per_request;
}

/* Early data holds the first request of a resumed connection. */
static bool fetch(struct http_entry *entry, bool is_sent, struct error *error)
{
    struct http_request request = entry->request;
    request.is_sent = is_sent;
    return http_client_fetch(&entry->client, &request, error);
}

static bool on_new_connection(struct http_entry *entry, struct error *error)
{
    struct http_client *client = &entry->client;
    bool early = entry->config->tls != NULL && entry->config->tls->early_data_bytes > 0;
    if (!http_client_connect(client, &entry->attempts, error))
        return false;
    add_connection(entry);
    for (unsigned i = 0; i < entry->config->requests; i++) {
        if (!client->connected)
            return error_set(error, ERROR_PEER,
                             "the server ended the connection after %u of %u requests", i,
                             entry->config->requests);
        if (!fetch(entry, early && i == 0, error))
            return false;
        add_exchange(entry);
    }
    http_client_disconnect(client);
    add_bytes(entry, client->attempt.link.sent_bytes, client->attempt.link.received_bytes);
    entry->readings[HTTP_CLOSE_NS] += (double)client->close_ns / entry->config->requests;
    return true;
}

static bool on_kept_connection(struct http_entry *entry, struct error *error)
{
    struct http_client *client = &entry->client;
    if (!client->connected && !http_client_connect(client, &entry->attempts, error))
        return false;
    uint64_t sent = client->attempt.link.sent_bytes;
    uint64_t received = client->attempt.link.received_bytes;
    if (!fetch(entry, false, error))
        return false;
    add_exchange(entry);
    add_bytes(entry, client->attempt.link.sent_bytes - sent,
              client->attempt.link.received_bytes - received);
    return true;
}

bool http_entry_run(void *context, uint64_t count, struct error *error)
{
    struct http_entry *entry = context;
    uint64_t client_ns = clock_cpu_ns(clock_real());
    uint64_t server_ns = entry->process == NULL ? 0 : server_process_cpu_ns(entry->process);
    for (uint64_t i = 0; i < count; i++)
        if (!(entry->config->kept ? on_kept_connection(entry, error)
                                  : on_new_connection(entry, error)))
            return false;
    double requests = (double)entry->config->requests;
    entry->readings[HTTP_CLIENT_CPU_NS] +=
        (double)(clock_cpu_ns(clock_real()) - client_ns) / requests;
    if (entry->process != NULL)
        entry->readings[HTTP_SERVER_CPU_NS] +=
            (double)(server_process_cpu_ns(entry->process) - server_ns) / requests;
    return true;
}

/* ---- opening ---- */

static bool open_context(struct http_entry *entry, struct error *error)
{
    const struct handshake_config *tls = entry->config->tls;
    if (tls == NULL)
        return true;
    struct tls_settings settings = handshake_settings(tls, TLS_CLIENT, &entry->pki);
    if (tls->early_data_bytes > 0)
        settings.early_data =
            (struct tls_bytes){(const unsigned char *)entry->head, entry->request.head_length};
    entry->context = tls->libraries[TLS_CLIENT]->context_open(&settings, error);
    entry->attempts.context = entry->context;
    return entry->context != NULL;
}

/* The session that all others resume. */
static bool take_session(struct http_entry *entry, struct error *error)
{
    const struct handshake_config *tls = entry->config->tls;
    if (tls == NULL || tls->resumption == TLS_RESUME_NONE)
        return true;
    struct attempt attempt;
    struct attempt_setting first = entry->attempts;
    first.keep_session = first.expect_full = true;
    if (!attempt_drive(&attempt, &first, NULL, error))
        return error->code == ERROR_TIMEOUT
                   ? error_set(error, ERROR_PEER, "the server gave no session to resume")
                   : false;
    attempt_close(&attempt);
    return true;
}

bool http_entry_open(struct http_entry *entry, const struct http_bench_settings *settings,
                     const struct net_address *address, struct error *error)
{
    write_request(entry);
    entry->resolve_ns = settings->resolve_ns;
    entry->attempts = (struct attempt_setting){
        .config = entry->config->tls, .address = *address, .time_out_ns = settings->time_out_ns};
    return http_client_open(&entry->client, error) && open_context(entry, error) &&
           take_session(entry, error) && http_entry_run(entry, 1, error);
}

void http_entry_close(struct http_entry *entry)
{
    if (entry->client.parser != NULL)
        http_client_close(&entry->client);
    if (entry->context != NULL)
        entry->config->tls->libraries[TLS_CLIENT]->context_close(entry->context);
    entry->context = NULL;
    pki_free(&entry->pki);
}

/* ---- cells ---- */

static void put(struct cell *cell, const char *name, const struct sampler_result *result,
                enum http_reading reading)
{
    cell_summary(cell, name, &result->readings[reading], result->ops_per_sample,
                 result->reading_values[reading], result->value_count);
}

static void put_layers(const struct http_entry *entry, const struct sampler_result *result,
                       struct cell *cell)
{
    if (isfinite(entry->resolve_ns))
        cell_value(cell, "resolve_ns", entry->resolve_ns);
    if (!entry->config->kept)
        put(cell, "connect_ns", result, HTTP_CONNECT_NS);
    if (!entry->config->kept && entry->config->tls != NULL) {
        put(cell, "tls_ns", result, HTTP_TLS_NS);
        put(cell, "tls_compute_ns", result, HTTP_TLS_COMPUTE_NS);
    }
    put(cell, "request_ns", result, HTTP_REQUEST_NS);
    put(cell, "first_byte_ns", result, HTTP_FIRST_BYTE_NS);
    put(cell, "body_ns", result, HTTP_BODY_NS);
    if (!entry->config->kept)
        put(cell, "close_ns", result, HTTP_CLOSE_NS);
}

void http_entry_fill(const struct http_entry *entry, enum tls_role side,
                     const struct sampler_result *result, struct cell *cell)
{
    bool client = side == TLS_CLIENT;
    if (!cell_sampled(cell, result))
        return;
    put(cell, "wall_ns", result, HTTP_WALL_NS);
    put(cell, "cpu_ns", result, client ? HTTP_CLIENT_CPU_NS : HTTP_SERVER_CPU_NS);
    if (client) {
        put_layers(entry, result, cell);
        cell_summary(cell, "latency_ns", &result->latency_ns, 1, NULL, 0);
    }
    put(cell, "bytes_sent", result, client ? HTTP_SENT_BYTES : HTTP_RECEIVED_BYTES);
    put(cell, "bytes_received", result, client ? HTTP_RECEIVED_BYTES : HTTP_SENT_BYTES);
    if (entry->config->tls != NULL)
        put(cell, "tls_bytes", result, HTTP_TLS_BYTES);
    cell_set_integer(cell, &cell->checks, "status", entry->status);
    if (entry->location[0] != '\0')
        cell_set_text(cell, &cell->checks, "location", entry->location);
    if (entry->request.checks_content)
        cell_set_text(cell, &cell->checks, "body", "right in every byte");
    if (entry->errors > 0)
        cell_flag(cell, "http-error");
    if (entry->config->tls != NULL)
        cell_set_text(cell, &cell->checks, "negotiated", "as asked for, in every handshake");
}
