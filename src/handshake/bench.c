#include "handshake/bench.h"

#include <stdlib.h>
#include <string.h>

#include "handshake/bench_internal.h"

struct bench {
    const struct handshake_config *configs;
    size_t count;
    const struct handshake_bench_settings *settings;
    const struct handshake_bench_events *events;
    const struct bench_transport *transport;
    struct sampler_settings sampler;
    struct bench_entry *group; /* HANDSHAKE_GROUP_MAXIMUM */
    struct sampler_task tasks[HANDSHAKE_GROUP_MAXIMUM];
    size_t group_count;
    size_t done;
    struct cell cell; /* reused */
};

static bool stopped(const struct bench *bench)
{
    return bench->sampler.stop != NULL && *bench->sampler.stop != 0;
}

static void start_cell(struct bench *bench, const struct handshake_config *config,
                       enum tls_role side)
{
    struct cell *cell = &bench->cell;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, bench->settings->run_id);
    handshake_subject(config, side, bench->transport->over, cell);
    if (bench->settings->pinned_cpu >= 0)
        cell_set_integer(cell, &cell->subject, "cpu", bench->settings->pinned_cpu);
}

static bool hand_out(struct bench *bench, const struct handshake_config *config,
                     struct error *error)
{
    return bench->events->cell(bench->events->context, &bench->cell, config, error);
}

static bool hand_out_failure(struct bench *bench, const struct bench_entry *entry,
                             const struct error *failure, struct error *error)
{
    bench->done++;
    for (int role = 0; role < 2; role++) {
        if (!entry->wanted[role])
            continue;
        start_cell(bench, entry->config, (enum tls_role)role);
        cell_fail(&bench->cell, failure);
        if (!hand_out(bench, entry->config, error))
            return false;
    }
    return true;
}

static bool on_done(void *context, size_t index, const struct sampler_result *result,
                    struct error *error)
{
    struct bench *bench = context;
    const struct bench_entry *entry = &bench->group[index];
    bench->done++;
    for (int role = 0; role < 2; role++) {
        if (!entry->wanted[role])
            continue;
        start_cell(bench, entry->config, (enum tls_role)role);
        entry->transport->fill(entry, (enum tls_role)role, result, &bench->cell);
        if (!hand_out(bench, entry->config, error))
            return false;
    }
    return true;
}

static void tell_progress(struct bench *bench, const struct handshake_config *config)
{
    char label[160];
    if (bench->events->progress == NULL)
        return;
    handshake_label(config, label);
    bench->events->progress(bench->events->context, label, bench->done, bench->count);
}

static void on_progress(void *context, size_t finished, size_t total)
{
    struct bench *bench = context;
    (void)finished;
    (void)total;
    tell_progress(bench, bench->group[0].config);
}

/* Opens an entry and does all that is not timed. What cannot be measured is handed out at once. */
static bool enter(struct bench *bench, struct bench_entry *entry, struct error *error)
{
    struct error failure = {.code = ERROR_NONE};
    entry->transport = bench->transport;
    if (!entry->transport->open(entry, bench->settings, &bench->tasks[bench->group_count],
                                &failure))
        return hand_out_failure(bench, entry, &failure, error);
    bench->group_count++;
    return true;
}

static bool is_wanted(struct bench *bench, struct bench_entry *entry)
{
    for (int role = 0; role < 2; role++) {
        if (role == TLS_SERVER && !bench->transport->has_server)
            continue;
        start_cell(bench, entry->config, (enum tls_role)role);
        entry->wanted[role] = bench->events->wanted == NULL ||
                              bench->events->wanted(bench->events->context, &bench->cell);
    }
    return entry->wanted[0] || entry->wanted[1];
}

/* Fills the group from configuration `next` on; returns the first that is not in it. */
static size_t fill_group(struct bench *bench, size_t next, bool *good, struct error *error)
{
    bench->group_count = 0;
    while (*good && next < bench->count && !stopped(bench) &&
           bench->group_count < HANDSHAKE_GROUP_MAXIMUM) {
        struct bench_entry *entry = &bench->group[bench->group_count];
        memset(entry, 0, sizeof *entry);
        entry->config = &bench->configs[next++];
        tell_progress(bench, entry->config);
        if (is_wanted(bench, entry))
            *good = enter(bench, entry, error);
        else
            bench->done++;
    }
    return next;
}

static void empty_group(struct bench *bench)
{
    for (size_t i = 0; i < bench->group_count; i++)
        bench->group[i].transport->close(&bench->group[i]);
    bench->group_count = 0;
}

static bool run_groups(struct bench *bench, struct error *error)
{
    struct sampler_events events = {bench, on_done, on_progress};
    bool good = true;
    for (size_t next = 0; good && next < bench->count;) {
        next = fill_group(bench, next, &good, error);
        if (good && stopped(bench))
            good = error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
        good = good && sampler_run(bench->tasks, bench->group_count, &bench->sampler, clock_real(),
                                   &events, error);
        empty_group(bench);
        bench->sampler.seed++; /* another order for every group */
    }
    return good;
}

bool handshake_bench_run(const struct handshake_config *configs, size_t count,
                         const struct handshake_bench_settings *settings,
                         const struct handshake_bench_events *events, struct error *error)
{
    struct reference reference;
    struct watch watch;
    struct bench *bench = calloc(1, sizeof *bench);
    struct bench_entry *group = calloc(HANDSHAKE_GROUP_MAXIMUM, sizeof *group);
    if (bench == NULL || group == NULL || !reference_init(&reference, 8192, error)) {
        free(bench);
        free(group);
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    }
    watch_init(&watch);
    bench->configs = configs;
    bench->count = count;
    bench->settings = settings;
    bench->events = events;
    bench->transport = settings->over == OVER_MEMORY     ? &bench_memory
                       : settings->over == OVER_LOOPBACK ? &bench_loopback
                                                         : &bench_remote;
    bench->sampler = settings->sampler;
    bench->sampler.reference = &reference;
    /* Waiting for a server is no preemption. */
    bench->sampler.watch = settings->over == OVER_MEMORY ? &watch : NULL;
    bench->group = group;
    bool good = run_groups(bench, error);
    cell_free(&bench->cell);
    watch_close(&watch);
    reference_free(&reference);
    free(group);
    free(bench);
    return good;
}
