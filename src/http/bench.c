#include "http/bench.h"

#include <stdlib.h>
#include <string.h>

#include "http/bench_entry.h"
#include "http/server.h"

struct bench {
    const struct http_bench_settings *settings;
    const struct http_bench_events *events;
    struct sampler_settings sampler;
    struct server_process process;
    struct http_entry *group; /* HTTP_GROUP_MAXIMUM */
    size_t entry_count;
    struct http_entry *measured[HTTP_GROUP_MAXIMUM]; /* of these, by task */
    struct sampler_task tasks[HTTP_GROUP_MAXIMUM];
    size_t task_count;
    size_t done, total; /* configurations */
    struct cell cell;   /* reused */
};

static bool stopped(const struct bench *bench)
{
    return bench->sampler.stop != NULL && *bench->sampler.stop != 0;
}

static bool has_server(const struct http_config *config)
{
    return config->url == NULL;
}

static void start_cell(struct bench *bench, const struct http_config *config, enum tls_role side)
{
    struct cell *cell = &bench->cell;
    cell_clear(cell);
    cell_copy_text(cell, &cell->run, bench->settings->run_id);
    http_subject(config, side, cell);
    http_put_settings(bench->settings, cell);
}

/* Both sides' cells, from a result or from the reason why there is none. */
static bool hand_out(struct bench *bench, const struct http_entry *entry,
                     const struct sampler_result *result, const struct error *failure,
                     struct error *error)
{
    bench->done++;
    for (int role = 0; role < 2; role++) {
        if (!entry->wanted[role])
            continue;
        start_cell(bench, entry->config, (enum tls_role)role);
        if (failure != NULL)
            cell_fail(&bench->cell, failure);
        else
            http_entry_fill(entry, (enum tls_role)role, result, &bench->cell);
        if (!bench->events->cell(bench->events->context, &bench->cell, entry->config, error))
            return false;
    }
    return true;
}

static bool on_done(void *context, size_t index, const struct sampler_result *result,
                    struct error *error)
{
    struct bench *bench = context;
    return hand_out(bench, bench->measured[index], result, NULL, error);
}

static void tell_progress(struct bench *bench, const struct http_config *config)
{
    char label[HTTP_LABEL_BYTES];
    if (bench->events->progress == NULL)
        return;
    http_label(config, label);
    bench->events->progress(bench->events->context, label, bench->done, bench->total);
}

static void on_progress(void *context, size_t finished, size_t total)
{
    struct bench *bench = context;
    (void)finished;
    (void)total;
    tell_progress(bench, bench->measured[0]->config);
}

static bool is_wanted(struct bench *bench, struct http_entry *entry)
{
    for (int role = 0; role < 2; role++) {
        if (role == TLS_SERVER && !has_server(entry->config))
            continue;
        start_cell(bench, entry->config, (enum tls_role)role);
        entry->wanted[role] = bench->events->wanted == NULL ||
                              bench->events->wanted(bench->events->context, &bench->cell);
    }
    return entry->wanted[0] || entry->wanted[1];
}

/* Keeps those of a group that are wanted and possible. */
static bool gather(struct bench *bench, const struct http_config *configs, size_t count,
                   struct error *error)
{
    bench->entry_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct http_entry *entry = &bench->group[bench->entry_count];
        struct error failure = {.code = ERROR_NONE};
        memset(entry, 0, sizeof *entry);
        entry->config = &configs[i];
        if (!is_wanted(bench, entry))
            bench->done++;
        else if (http_entry_possible(entry->config, &failure) && http_entry_pki(entry, &failure))
            bench->entry_count++;
        else if (!hand_out(bench, entry, NULL, &failure, error))
            return false;
    }
    return true;
}

/* One process serves them all, each on its own port. */
static bool serve(struct bench *bench, struct error *error)
{
    struct server_port ports[HTTP_GROUP_MAXIMUM];
    if (bench->entry_count == 0 || !has_server(bench->group[0].config))
        return true;
    for (size_t i = 0; i < bench->entry_count; i++)
        ports[i] = (struct server_port){.config = bench->group[i].config->tls,
                                        .pki = &bench->group[i].pki,
                                        .application = &http_server};
    return http_serve(&bench->process, ports, bench->entry_count, bench->settings, error);
}

static bool open_entries(struct bench *bench, struct error *error)
{
    bench->task_count = 0;
    for (size_t i = 0; i < bench->entry_count && !stopped(bench); i++) {
        struct http_entry *entry = &bench->group[i];
        struct error failure = {.code = ERROR_NONE};
        bool ours = bench->process.pid > 0;
        tell_progress(bench, entry->config);
        entry->process = ours ? &bench->process : NULL;
        if (http_entry_open(entry, bench->settings,
                            ours ? &bench->process.addresses[i] : &bench->settings->address,
                            &failure)) {
            bench->tasks[bench->task_count] = (struct sampler_task){.context = entry,
                                                                    .run = http_entry_run,
                                                                    .readings = entry->readings,
                                                                    .reading_count = HTTP_READINGS};
            bench->measured[bench->task_count++] = entry;
        } else if (!hand_out(bench, entry, NULL, &failure, error)) {
            return false;
        }
    }
    return true;
}

static bool run_group(struct bench *bench, const struct http_config *configs, size_t count,
                      struct error *error)
{
    struct sampler_events events = {bench, on_done, on_progress};
    bool good =
        gather(bench, configs, count, error) && serve(bench, error) && open_entries(bench, error);
    if (good && stopped(bench))
        good = error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is kept");
    if (good && bench->task_count > 0)
        good = sampler_run(bench->tasks, bench->task_count, &bench->sampler, clock_real(), &events,
                           error);
    for (size_t i = 0; i < bench->entry_count; i++)
        http_entry_close(&bench->group[i]);
    if (bench->process.pid > 0)
        (void)server_process_stop(&bench->process, NULL);
    bench->sampler.seed++; /* another order for every group */
    return good;
}

bool http_bench_run(const struct http_config *configs, const size_t *group_sizes,
                    size_t group_count, const struct http_bench_settings *settings,
                    const struct http_bench_events *events, struct error *error)
{
    struct reference reference;
    struct bench *bench = calloc(1, sizeof *bench);
    struct http_entry *group = calloc(HTTP_GROUP_MAXIMUM, sizeof *group);
    if (bench == NULL || group == NULL || !reference_init(&reference, 8192, error)) {
        free(bench);
        free(group);
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    }
    bench->settings = settings;
    bench->events = events;
    bench->sampler = settings->sampler;
    bench->sampler.reference = &reference;
    bench->sampler.watch = NULL; /* waiting for a server is no preemption */
    bench->group = group;
    for (size_t i = 0; i < group_count; i++)
        bench->total += group_sizes[i];
    bool good = true;
    for (size_t i = 0; good && i < group_count; configs += group_sizes[i], i++)
        good = run_group(bench, configs, group_sizes[i], error);
    cell_free(&bench->cell);
    reference_free(&reference);
    free(group);
    free(bench);
    return good;
}
