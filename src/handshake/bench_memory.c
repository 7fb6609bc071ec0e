/* Both sides in this process, a pipe between them. */
#include <stdlib.h>

#include "handshake/bench_internal.h"
#include "handshake/cells.h"

static bool explain(struct bench_entry *entry, struct error *error)
{
    entry->explanations = calloc(2, sizeof *entry->explanations);
    if (entry->explanations == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for traces");
    if (explain_handshake(entry->config, entry->explanations, &entry->no_explanation))
        return true;
    free(entry->explanations);
    entry->explanations = NULL;
    return true;
}

static bool open_entry(struct bench_entry *entry, const struct handshake_bench_settings *settings,
                       struct sampler_task *task, struct error *error)
{
    if (!pair_open(&entry->pair, entry->config, false, error))
        return false;
    entry->traced = settings->trace;
    bool good = pair_observe(&entry->pair, &entry->view, error) &&
                footprint_measure(&entry->pair, entry->footprints, error) &&
                (!entry->traced || explain(entry, error));
    if (!good) {
        pair_close(&entry->pair);
        return false;
    }
    *task = (struct sampler_task){
        .context = &entry->pair,
        .run = pair_run,
        .readings = entry->pair.readings,
        .reading_count = PAIR_READINGS,
    };
    return true;
}

static void fill(const struct bench_entry *entry, enum tls_role side,
                 const struct sampler_result *result, struct cell *cell)
{
    handshake_cell_result(cell, side, result);
    if (result->end == SAMPLER_FAILED)
        return;
    handshake_cell_view(cell, side, &entry->view);
    handshake_cell_footprint(cell, &entry->footprints[side]);
    if (entry->explanations != NULL)
        handshake_cell_explanation(cell, &entry->explanations[side]);
    else if (entry->traced)
        handshake_cell_no_explanation(cell, &entry->no_explanation);
}

static void close_entry(struct bench_entry *entry)
{
    free(entry->explanations);
    pair_close(&entry->pair);
}

const struct bench_transport bench_memory = {
    .over = "memory", .has_server = true, .open = open_entry, .fill = fill, .close = close_entry};
