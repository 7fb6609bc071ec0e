#include "handshake/load_bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "handshake/bench_internal.h"
#include "handshake/cells.h"
#include "handshake/load.h"
#include "handshake/load_report.h"
#include "record/sampled.h"

struct load_bench {
    const struct load_bench_settings *settings;
    const struct handshake_bench_events *events;
    const struct bench_transport *transport;
    struct bench_entry entry;
    struct load_result result;
    struct load_cores cores;
    struct cell cell;
};

static void start_cell(struct load_bench *bench, enum tls_role side)
{
    const struct load_bench_settings *settings = bench->settings;
    struct cell *cell = &bench->cell;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, settings->bench.run_id);
    handshake_subject(bench->entry.config, side, bench->transport->over, cell);
    cell_set_integer(cell, &cell->subject, "connections", settings->connections);
    if (settings->rate_per_s > 0)
        cell_set_real(cell, &cell->subject, "rate_per_s", settings->rate_per_s);
    if (settings->request != NULL)
        cell_set_boolean(cell, &cell->subject, "request", true);
    if (settings->bench.pinned_cpu >= 0)
        cell_set_integer(cell, &cell->subject, "cpu", settings->bench.pinned_cpu);
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
    struct load_result *result = &bench->result;
    double handshakes = (double)result->handshakes;
    load_put_values(cell, "wall_ns", &result->handshake_ns);
    load_put_values(cell, "latency_ns", &result->latency_ns);
    load_put_values(cell, "connect_ns", &result->connect_ns);
    cell_value(cell, "handshakes_per_s", handshakes * 1e9 / (double)result->elapsed_ns);
    cell_value(cell, "cpu_ns", (double)result->client_cpu_ns / handshakes);
    cell_value(cell, "core_percent",
               (double)result->client_cpu_ns / (double)result->elapsed_ns * 100);
    if (bench->settings->server_figures && isfinite(bench->cores.server_cpu_ns)) {
        cell_value(cell, "server_cpu_ns", bench->cores.server_cpu_ns / handshakes);
        cell_value(cell, "server_core_percent",
                   bench->cores.server_cpu_ns / (double)result->elapsed_ns * 100);
    }
    cell_value(cell, "bytes_sent", (double)result->sent_bytes / handshakes);
    cell_value(cell, "bytes_received", (double)result->received_bytes / handshakes);
    if (bench->settings->rate_per_s > 0)
        cell_value(cell, "late", (double)result->late);
    load_put_failures(cell, &result->failures);
}

static void fill_server(struct load_bench *bench)
{
    struct cell *cell = &bench->cell;
    const struct load_result *result = &bench->result;
    cell_value(cell, "cpu_ns", bench->cores.server_cpu_ns / (double)result->handshakes);
    cell_value(cell, "core_percent", bench->cores.server_cpu_ns / (double)result->elapsed_ns * 100);
    cell_value(cell, "handshakes_per_s",
               (double)result->handshakes * 1e9 / (double)result->elapsed_ns);
}

static bool hand_out_result(struct load_bench *bench, struct error *error)
{
    for (int role = 0; role < 2; role++) {
        if (!bench->entry.wanted[role] || (role == TLS_SERVER && isnan(bench->cores.server_cpu_ns)))
            continue;
        start_cell(bench, (enum tls_role)role);
        if (role == TLS_CLIENT)
            fill_client(bench);
        else
            fill_server(bench);
        cell_set_text(&bench->cell, &bench->cell.checks, "bottleneck",
                      load_bottleneck(&bench->cores));
        handshake_cell_view(&bench->cell, (enum tls_role)role, &bench->entry.view);
        if (bench->result.failures.total > 0)
            cell_flag(&bench->cell, "failures");
        if (!hand_out(bench, error))
            return false;
    }
    return true;
}

/* "cpu_ns":123 of the server's answer; NaN: there is none. */
static double asked_cpu_ns(const struct bench_entry *entry)
{
    struct attempt_setting question = entry->attempts;
    struct attempt attempt;
    struct error ignored;
    question.request = SERVER_QUESTION;
    question.one_line = true;
    double cpu_ns = NAN;
    if (attempt_drive(&attempt, &question, NULL, &ignored)) {
        attempt.answer[sizeof attempt.answer - 1] = '\0';
        const char *found = strstr(attempt.answer, "\"cpu_ns\":");
        cpu_ns = found == NULL ? NAN : strtod(found + strlen("\"cpu_ns\":"), NULL);
        attempt_close(&attempt);
    }
    return cpu_ns;
}

static double server_cpu_ns(const struct load_bench *bench)
{
    if (bench->entry.process.pid > 0)
        return (double)server_process_cpu_ns(&bench->entry.process);
    return bench->settings->server_figures ? asked_cpu_ns(&bench->entry) : NAN;
}

static bool put_load(struct load_bench *bench, struct error *error)
{
    struct bench_entry *entry = &bench->entry;
    entry->attempts.request = bench->settings->request;
    struct load_settings load = {
        .attempts = &entry->attempts,
        .connections = bench->settings->connections,
        .rate_per_s = bench->settings->rate_per_s,
        .duration_ns = bench->settings->duration_ns,
        .stop = bench->settings->bench.sampler.stop,
    };
    double before_ns = server_cpu_ns(bench);
    double server_delay_ns = load_run_delay_ns(entry->process.pid);
    double client_delay_ns = load_run_delay_ns(getpid());
    bool good = load_run(&load, &bench->result, error);
    bench->cores = (struct load_cores){
        .elapsed_ns = (double)bench->result.elapsed_ns,
        .client_cpu_ns = (double)bench->result.client_cpu_ns,
        .server_cpu_ns = server_cpu_ns(bench) - before_ns,
        .server_delay_ns = load_run_delay_ns(entry->process.pid) - server_delay_ns,
        .client_delay_ns = load_run_delay_ns(getpid()) - client_delay_ns,
        .has_rate = bench->settings->rate_per_s > 0,
    };
    entry->attempts.request = NULL;
    if (good && bench->result.handshakes == 0) {
        struct error failure = bench->result.failures.classes[0].first;
        if (bench->result.failures.total == 0)
            (void)error_set(&failure, ERROR_TIMEOUT, "no handshake ended in time");
        good = hand_out_failure(bench, &failure, error);
    } else if (good) {
        good = hand_out_result(bench, error);
    }
    load_free(&bench->result);
    return good;
}

static bool is_wanted(struct load_bench *bench)
{
    bool any = false;
    for (int role = 0; role < 2; role++) {
        if (role == TLS_SERVER && bench->entry.config->libraries[TLS_SERVER] == NULL)
            continue;
        start_cell(bench, (enum tls_role)role);
        bench->entry.wanted[role] = bench->events->wanted(bench->events->context, &bench->cell);
        any = any || bench->entry.wanted[role];
    }
    return any;
}

static bool measure_one(struct load_bench *bench, struct error *error)
{
    struct error failure = {.code = ERROR_NONE};
    struct sampler_task unused;
    if (!is_wanted(bench))
        return true;
    if (!bench->transport->open(&bench->entry, &bench->settings->bench, &unused, &failure))
        return hand_out_failure(bench, &failure, error);
    bool good = put_load(bench, error);
    bench->transport->close(&bench->entry);
    return good;
}

bool load_bench_run(const struct handshake_config *configs, size_t count,
                    const struct load_bench_settings *settings,
                    const struct handshake_bench_events *events, struct error *error)
{
    struct load_bench *bench = calloc(1, sizeof *bench);
    const volatile int *stop = settings->bench.sampler.stop;
    bool good = true;
    if (bench == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    (void)net_allow_files((uint64_t)settings->connections + 64);
    for (size_t i = 0; good && i < count; i++) {
        char label[160];
        memset(&bench->entry, 0, sizeof bench->entry);
        bench->settings = settings;
        bench->events = events;
        bench->transport = settings->bench.over == OVER_NETWORK ? &bench_remote : &bench_loopback;
        bench->entry.config = &configs[i];
        handshake_label(&configs[i], label);
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
