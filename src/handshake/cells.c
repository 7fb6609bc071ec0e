#include "handshake/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/heap.h"
#include "measure/stack.h"
#include "record/sampled.h"

enum { TEXT_BYTES = 1024 };

static void put_reading(struct cell *cell, const char *name, const struct sampler_result *result,
                        unsigned reading, bool samples)
{
    cell_summary(cell, name, &result->readings[reading], result->ops_per_sample,
                 samples ? result->reading_values[reading] : NULL, result->value_count);
}

void handshake_cell_result(struct cell *cell, enum tls_role side,
                           const struct sampler_result *result)
{
    unsigned own = (unsigned)side;
    unsigned peer = 1 - own;
    char name[32];
    if (!cell_sampled(cell, result))
        return;
    cell_summary(cell, "wall_ns", &result->wall_ns, result->ops_per_sample, result->wall_values_ns,
                 result->value_count);
    put_reading(cell, "cpu_ns", result, PAIR_CPU_NS + own, true);
    put_reading(cell, "compute_ns", result, PAIR_COMPUTE_NS + own, true);
    cell_summary(cell, "latency_ns", &result->latency_ns, 1, NULL, 0);
    put_reading(cell, "bytes_sent", result, PAIR_BYTES + own, false);
    put_reading(cell, "bytes_received", result, PAIR_BYTES + peer, false);
    for (unsigned turn = own; turn < PAIR_MOST_TURNS; turn += 2) {
        (void)snprintf(name, sizeof name, "turn_%u_cpu_ns", turn + 1);
        if (result->readings[PAIR_TURN_CPU_NS + turn].median > 0)
            put_reading(cell, name, result, PAIR_TURN_CPU_NS + turn, false);
    }
    cell_set_text(cell, &cell->checks, "negotiated", "as asked for, in every handshake");
}

/* "client_hello (260), change_cipher_spec (6)": the records of one flight with their bytes. */
static void describe_flight(const struct wire *wire, unsigned flight, char text[TEXT_BYTES])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < wire->record_count && length < TEXT_BYTES; i++)
        if (wire->records[i].flight == flight)
            length += (size_t)snprintf(text + length, TEXT_BYTES - length, "%s%s%s (%" PRIu32 ")",
                                       length == 0 ? "" : ", ", wire->records[i].name,
                                       wire->records[i].encrypted ? " encrypted" : "",
                                       wire->records[i].length_bytes);
}

static void put_negotiated(struct cell *cell, enum tls_role side, const struct pair_view *view)
{
    struct attributes *checks = &cell->checks;
    cell_set_text(cell, checks, "negotiated_protocol",
                  tls_protocol_name(view->negotiated[side].protocol));
    cell_set_text(cell, checks, "negotiated_suite", view->negotiated[side].suite);
    if (view->negotiated[side].group[0] != '\0')
        cell_set_text(cell, checks, "negotiated_group", view->negotiated[side].group);
    if (view->negotiated[side].signature[0] != '\0')
        cell_set_text(cell, checks, "negotiated_signature", view->negotiated[side].signature);
    cell_set_boolean(cell, checks, "resumed", view->negotiated[side].resumed);
    cell_set_boolean(cell, checks, "peer_verified", view->negotiated[side].peer_verified);
}

void handshake_cell_view(struct cell *cell, enum tls_role side, const struct pair_view *view)
{
    const struct wire *wire = &view->wire;
    const struct wire_direction *own = &wire->directions[side];
    const struct wire_direction *peer = &wire->directions[1 - (int)side];
    char name[32];
    char text[TEXT_BYTES];
    cell_value(cell, "records_sent", (double)own->records);
    cell_value(cell, "records_received", (double)peer->records);
    if (wire->datagram) {
        cell_value(cell, "datagrams_sent", (double)own->datagrams);
        cell_value(cell, "datagrams_received", (double)peer->datagrams);
    }
    cell_value(cell, "flights", wire->flights);
    cell_value(cell, "round_trips", view->round_trips);
    put_negotiated(cell, side, view);
    for (unsigned flight = 1; flight <= wire->flights; flight++) {
        (void)snprintf(name, sizeof name, "flight_%u", flight);
        describe_flight(wire, flight, text);
        cell_set_text(cell, &cell->checks, name, text);
    }
}

void handshake_cell_footprint(struct cell *cell, const struct footprint *footprint)
{
    if (footprint->has_heap) {
        cell_value(cell, "heap_peak_bytes", (double)footprint->heap_peak_bytes);
        cell_value(cell, "heap_allocations", (double)footprint->heap_allocations);
        cell_value(cell, "heap_idle_bytes", (double)footprint->heap_idle_bytes);
    } else {
        cell_set_text(cell, &cell->checks, "heap", heap_unavailable());
    }
    if (footprint->has_stack)
        cell_value(cell, "stack_peak_bytes", (double)footprint->stack_peak_bytes);
    else
        cell_set_text(cell, &cell->checks, "stack", stack_unavailable());
}

void handshake_cell_explanation(struct cell *cell, const struct explanation *explanation)
{
    char name[128];
    cell_value(cell, "traced_ns", explanation->traced_ns);
    cell_value(cell, "untraced_ns", explanation->untraced_ns);
    cell_value(cell, "unattributed_ns", explanation->unattributed_ns);
    for (size_t i = 0; i < explanation->operation_count; i++) {
        const struct explained_operation *operation = &explanation->operations[i];
        const char *kind = tls_trace_kind_name(operation->point->kind);
        (void)snprintf(name, sizeof name, "self_ns/%s/%s", kind, operation->point->name);
        cell_value(cell, name, operation->self_ns);
        (void)snprintf(name, sizeof name, "count/%s/%s", kind, operation->point->name);
        cell_value(cell, name, operation->count);
    }
}

void handshake_cell_no_explanation(struct cell *cell, const struct error *why)
{
    cell_set_text(cell, &cell->checks, "trace", why->text);
}
