#include "http/load_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "http/bench_entry.h"
#include "http/load.h"
#include "http/server.h"
#include "record/sampled.h"

struct load_bench {
    const struct http_load_bench_settings *settings;
    const struct http_bench_events *events;
    struct http_entry entry;
    struct server_process process;
    struct http_load_result result;
    struct load_cores cores;
    struct cell cell;
};

static void start_cell(struct load_bench *bench, enum tls_role side)
{
    const struct http_load_bench_settings *settings = bench->settings;
    struct cell *cell = &bench->cell;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, settings->bench.run_id);
    http_subject(bench->entry.config, side, cell);
    cell_set_integer(cell, &cell->subject, "connections", settings->connections);
    if (settings->rate_per_s > 0)
        cell_set_real(cell, &cell->subject, "rate_per_s", settings->rate_per_s);
    http_put_settings(&settings->bench, cell);
}

static bool hand_out(struct load_bench *bench, struct error *error)
{
    return bench->events->cell(bench->events->context, &bench->cell, bench->entry.config, error);
}

static bool hand_out_failure(struct load_bench *bench, const struct error *failure,
                             struct error *error)
{
    for (int role = 0; role < 2; role++) {
        if (!bench->entry.wanted[role])
            continue;
        start_cell(bench, (enum tls_role)role);
        cell_fail(&bench->cell, failure);
        if (!hand_out(bench, error))
            return false;
    }
    return true;
}

static void fill_client(struct load_bench *bench)
{
    struct cell *cell = &bench->cell;
    struct http_load_result *result = &bench->result;
    double requests = (double)result->requests;
    load_put_values(cell, "latency_ns", &result->latency_ns);
    cell_value(cell, "requests_per_s", requests * 1e9 / (double)result->elapsed_ns);
    cell_value(cell, "requests_per_handshake", requests / (double)result->connections);
    cell_value(cell, "cpu_ns", (double)result->client_cpu_ns / requests);
    cell_value(cell, "core_percent",
               (double)result->client_cpu_ns / (double)result->elapsed_ns * 100);
    cell_value(cell, "bytes_sent", (double)result->sent_bytes / requests);
    cell_value(cell, "bytes_received", (double)result->received_bytes / requests);
    if (bench->settings->rate_per_s > 0)
        cell_value(cell, "late", (double)result->late);
    cell_set_integer(cell, &cell->checks, "requests", (int64_t)result->requests);
    cell_set_integer(cell, &cell->checks, "renewed", (int64_t)result->renewed);
    cell_set_integer(cell, &cell->checks, "http_errors", (int64_t)result->http_errors);
    if (result->http_errors > 0)
        cell_flag(cell, "http-error");
    load_put_failures(cell, &result->failures);
}

static void fill_server(struct load_bench *bench)
{
    struct cell *cell = &bench->cell;
    double requests = (double)bench->result.requests;
    cell_value(cell, "cpu_ns", bench->cores.server_cpu_ns / requests);
    cell_value(cell, "core_percent", bench->cores.server_cpu_ns / bench->cores.elapsed_ns * 100);
    cell_value(cell, "requests_per_s", requests * 1e9 / bench->cores.elapsed_ns);
}

static bool hand_out_result(struct load_bench *bench, struct error *error)
{
    for (int role = 0; role < 2; role++) {
        if (!bench->entry.wanted[role])
            continue;
        start_cell(bench, (enum tls_role)role);
        if (role == TLS_CLIENT)
            fill_client(bench);
        else
            fill_server(bench);
        cell_set_text(&bench->cell, &bench->cell.checks, "bottleneck",
                      load_bottleneck(&bench->cores));
        if (bench->result.failures.total > 0)
            cell_flag(&bench->cell, "failures");
        if (!hand_out(bench, error))
            return false;
    }
    return true;
}

static double server_cpu_ns(const struct load_bench *bench)
{
    return bench->process.pid > 0 ? (double)server_process_cpu_ns(&bench->process) : NAN;
}

static bool put_load(struct load_bench *bench, struct error *error)
{
    const struct http_load_bench_settings *settings = bench->settings;
    const struct http_config *config = bench->entry.config;
    struct http_load_settings load = {
        .attempts = &bench->entry.attempts,
        .request = &bench->entry.request,
        .connections = settings->connections,
        .rate_per_s = settings->rate_per_s,
        .duration_ns = settings->duration_ns,
        .requests_per_connection = config->kept ? 0 : config->requests,
        .stop = settings->bench.sampler.stop,
    };
    pid_t server = bench->process.pid;
    double before_ns = server_cpu_ns(bench);
    double server_delay_ns = load_run_delay_ns(server);
    double client_delay_ns = load_run_delay_ns(getpid());
    bool good = http_load_run(&load, &bench->result, error);
    bench->cores = (struct load_cores){
        .elapsed_ns = (double)bench->result.elapsed_ns,
        .client_cpu_ns = (double)bench->result.client_cpu_ns,
        .server_cpu_ns = server_cpu_ns(bench) - before_ns,
        .server_delay_ns = load_run_delay_ns(server) - server_delay_ns,
        .client_delay_ns = load_run_delay_ns(getpid()) - client_delay_ns,
        .has_rate = settings->rate_per_s > 0,
    };
    if (good && bench->result.requests == 0) {
        struct error failure = bench->result.failures.classes[0].first;
        if (bench->result.failures.total == 0)
            (void)error_set(&failure, ERROR_TIMEOUT, "no request was answered in time");
        good = hand_out_failure(bench, &failure, error);
    } else if (good) {
        good = hand_out_result(bench, error);
    }
    http_load_free(&bench->result);
    return good;
}

static bool is_wanted(struct load_bench *bench)
{
    bool any = false;
    for (int role = 0; role < 2; role++) {
        if (role == TLS_SERVER && bench->entry.config->url != NULL)
            continue;
        start_cell(bench, (enum tls_role)role);
        bench->entry.wanted[role] = bench->events->wanted == NULL ||
                                    bench->events->wanted(bench->events->context, &bench->cell);
        any = any || bench->entry.wanted[role];
    }
    return any;
}

static bool open_entry(struct load_bench *bench, struct error *error)
{
    struct http_entry *entry = &bench->entry;
    const struct http_bench_settings *settings = &bench->settings->bench;
    if (!http_entry_possible(entry->config, error) || !http_entry_pki(entry, error))
        return false;
    if (entry->config->url != NULL)
        return http_entry_open(entry, settings, &settings->address, error);
    struct server_port port = {
        .config = entry->config->tls, .pki = &entry->pki, .application = &http_server};
    return http_serve(&bench->process, &port, 1, settings, error) &&
           http_entry_open(entry, settings, &bench->process.addresses[0], error);
}

static bool measure_one(struct load_bench *bench, struct error *error)
{
    struct error failure = {.code = ERROR_NONE};
    if (!is_wanted(bench))
        return true;
    bool good = open_entry(bench, &failure) ? put_load(bench, error)
                                            : hand_out_failure(bench, &failure, error);
    http_entry_close(&bench->entry);
    if (bench->process.pid > 0)
        (void)server_process_stop(&bench->process, NULL);
    return good;
}

bool http_load_bench_run(const struct http_config *configs, size_t count,
                         const struct http_load_bench_settings *settings,
                         const struct http_bench_events *events, struct error *error)
{
    struct load_bench *bench = calloc(1, sizeof *bench);
    const volatile int *stop = settings->bench.sampler.stop;
    bool good = true;
    if (bench == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    (void)net_allow_files((uint64_t)settings->connections + 64);
    bench->settings = settings;
    bench->events = events;
    for (size_t i = 0; good && i < count; i++) {
        char label[HTTP_LABEL_BYTES];
        memset(&bench->entry, 0, sizeof bench->entry);
        bench->entry.config = &configs[i];
        http_label(&configs[i], label);
        if (events->progress != NULL)
            events->progress(events->context, label, i, count);
        good = measure_one(bench, error);
        if (good && stop != NULL && *stop != 0)
            good = error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
    }
    cell_free(&bench->cell);
    free(bench);
    return good;
}
