#include "sim/tsch_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check_cell(const struct tsch_settings *settings, const struct tsch_cell *cell,
                       struct error *error)
{
    if (cell->slot >= settings->slotframe_length)
        return error_set(error, ERROR_USAGE, "a cell is in slot %u of a slotframe of %u",
                         cell->slot, settings->slotframe_length);
    if (cell->node >= settings->node_count || cell->peer == cell->node ||
        (cell->peer != TSCH_ANY && cell->peer >= settings->node_count))
        return error_set(error, ERROR_USAGE, "a cell joins node %u and %u; there are %u nodes",
                         cell->node, cell->peer, settings->node_count);
    if ((cell->options & (TSCH_TX | TSCH_RX)) == 0)
        return error_set(error, ERROR_USAGE, "a cell of node %u neither sends nor listens",
                         cell->node);
    return true;
}

static bool check_times(const struct tsch_settings *settings, struct error *error)
{
    const struct tsch_template *times = &settings->times;
    uint64_t used_ns = frame_air_ns(FRAME_LARGEST_BYTES) + frame_air_ns(FRAME_ACK_BYTES) +
                       ((uint64_t)times->tx_offset_us + times->ack_delay_us) * SIM_NS_PER_US;
    if (used_ns > times->slot_us * SIM_NS_PER_US)
        return error_set(error, ERROR_USAGE,
                         "a slot of %u us is too short: frame and acknowledgement take %u us",
                         times->slot_us, (unsigned)(used_ns / SIM_NS_PER_US));
    if (settings->slotframe_length < 1 || settings->slotframe_length > TSCH_LONGEST_SLOTFRAME)
        return error_set(error, ERROR_USAGE, "a slotframe has 1 to %d slots, not %u",
                         TSCH_LONGEST_SLOTFRAME, settings->slotframe_length);
    if (settings->hopping_length < 1 || settings->hopping_length > LOSS_CHANNELS)
        return error_set(error, ERROR_USAGE, "a hopping sequence has 1 to %d channels, not %u",
                         LOSS_CHANNELS, settings->hopping_length);
    for (unsigned i = 0; i < settings->hopping_length; i++)
        if (settings->hopping[i] >= LOSS_CHANNELS)
            return error_set(error, ERROR_USAGE, "channel index %u; it must be below %d",
                             settings->hopping[i], LOSS_CHANNELS);
    return true;
}

static bool check_queue(const struct tsch_settings *settings, struct error *error)
{
    if (settings->queue_length < 1 || settings->queue_length > TSCH_MOST_QUEUED)
        return error_set(error, ERROR_USAGE, "a queue holds 1 to %d frames, not %u",
                         TSCH_MOST_QUEUED, settings->queue_length);
    if (settings->queue_reserve >= settings->queue_length)
        return error_set(error, ERROR_USAGE, "a reserve of %u leaves nothing of a queue of %u",
                         settings->queue_reserve, settings->queue_length);
    if (settings->attempts < 1 || settings->attempts > 255)
        return error_set(error, ERROR_USAGE, "attempts is %u; it must be from 1 to 255",
                         settings->attempts);
    if (settings->min_be > settings->max_be || settings->max_be > 8)
        return error_set(error, ERROR_USAGE,
                         "backoff exponents %u to %u; they must be in order and at most 8",
                         settings->min_be, settings->max_be);
    if (settings->security_bytes >= FRAME_LARGEST_PAYLOAD_BYTES)
        return error_set(error, ERROR_USAGE, "%u bytes of security leave no room in a frame",
                         settings->security_bytes);
    return true;
}

static bool check_broadcasts(const struct tsch_settings *settings, struct error *error)
{
    if (settings->beacon_bytes > FRAME_LARGEST_BYTES || settings->dio_bytes > FRAME_LARGEST_BYTES)
        return error_set(error, ERROR_USAGE, "a beacon or DIO has at most %d bytes",
                         FRAME_LARGEST_BYTES);
    if (!(settings->beacon_probability >= 0 && settings->beacon_probability <= 1))
        return error_set(error, ERROR_USAGE, "beacon_probability is %g; it must be from 0 to 1",
                         settings->beacon_probability);
    if (!(settings->residual_loss >= 0 && settings->residual_loss <= 1))
        return error_set(error, ERROR_USAGE, "residual_loss is %g; it must be from 0 to 1",
                         settings->residual_loss);
    return true;
}

static bool check_settings(const struct tsch_settings *settings, struct error *error)
{
    if (settings->node_count < 2 || settings->node_count > TSCH_MOST_NODES)
        return error_set(error, ERROR_USAGE, "a network has 2 to %d nodes, not %u", TSCH_MOST_NODES,
                         settings->node_count);
    for (unsigned i = 0; i < settings->node_count; i++)
        for (unsigned j = 0; j < settings->node_count; j++)
            if (settings->radio[i][j].in_range && !loss_check(&settings->radio[i][j].loss, error))
                return error_prefix(error, "from node %u to %u", i, j);
    return check_times(settings, error) && check_queue(settings, error) &&
           check_broadcasts(settings, error);
}

uint64_t tsch_occurrences(const struct tsch *tsch, unsigned slot, uint64_t from_asn,
                          uint64_t to_asn)
{
    uint64_t length = tsch->settings.slotframe_length;
    if (to_asn <= from_asn)
        return 0;
    return (to_asn + length - 1 - slot) / length - (from_asn + length - 1 - slot) / length;
}

/* Counts the slots before `asn` in which the node could listen. */
static void settle(const struct tsch *tsch, struct tsch_node *node, uint64_t asn)
{
    if (asn <= node->settled_asn)
        return;
    for (unsigned slot = 0; slot < tsch->settings.slotframe_length; slot++)
        if (node->rx_cells[slot] > 0)
            node->listening_slots += tsch_occurrences(tsch, slot, node->settled_asn, asn);
    node->settled_asn = asn;
}

/* The first slot that starts at `ns` or later. */
static uint64_t asn_from(const struct tsch *tsch, uint64_t ns)
{
    return ns / tsch->slot_ns + (ns % tsch->slot_ns != 0);
}

static bool has_for(const struct tsch_node *node, unsigned peer)
{
    if (peer != TSCH_ANY)
        return node->queued_for[peer] > 0;
    if (node->queued_for[tsch_key(TSCH_ANY)] > 0)
        return true;
    for (unsigned other = 0; other < TSCH_MOST_NODES; other++)
        if (node->queued_for[other] > 0 && node->tx_cells[other] == 0)
            return true;
    return false;
}

static uint64_t next_use(const struct tsch *tsch, const struct tsch_node *node)
{
    uint64_t from = tsch->next_asn, next = SIM_NEVER;
    uint64_t soonest = asn_from(tsch, tsch->kernel->now_ns);
    unsigned length = tsch->settings.slotframe_length;
    if (node->queued == 0)
        return SIM_NEVER;
    from = from < soonest ? soonest : from;
    if (from >= node->blocked_from_asn && from < node->blocked_until_asn)
        from = node->blocked_until_asn;
    for (unsigned i = 0; i < node->cell_count; i++) {
        const struct tsch_cell *cell = &node->cells[i];
        if ((cell->options & TSCH_TX) == 0 || !has_for(node, cell->peer))
            continue;
        uint64_t asn = from + (cell->slot + length - from % length) % length;
        next = asn < next ? asn : next;
    }
    return next;
}

void tsch_plan(struct tsch *tsch)
{
    uint64_t next = SIM_NEVER;
    for (unsigned i = 0; i < tsch->settings.node_count; i++) {
        uint64_t asn = next_use(tsch, &tsch->nodes[i]);
        next = asn < next ? asn : next;
    }
    kernel_at(tsch->kernel, &tsch->slot_start, next == SIM_NEVER ? next : next * tsch->slot_ns);
}

bool tsch_fits_cell(const struct tsch_node *node, const struct tsch_packet *packet, unsigned peer)
{
    if (packet->destination == peer)
        return true;
    return peer == TSCH_ANY && node->tx_cells[packet->destination] == 0;
}

static struct tsch_packet *append(struct tsch *tsch, struct tsch_node *node, unsigned destination)
{
    struct tsch_packet *packet = node->unused, **last = &node->first;
    node->unused = packet->next;
    while (*last != NULL)
        last = &(*last)->next;
    *last = packet;
    packet->next = NULL;
    packet->destination = destination;
    packet->attempts = 0;
    packet->is_on_air = false;
    node->queued++;
    node->queued_for[tsch_key(destination)]++;
    if (node->queued > node->counts.queue_peak)
        node->counts.queue_peak = node->queued;
    if (!tsch->is_in_slot)
        tsch_plan(tsch);
    return packet;
}

void tsch_remove(struct tsch_node *node, struct tsch_packet *packet)
{
    struct tsch_packet **place = &node->first;
    while (*place != packet)
        place = &(*place)->next;
    *place = packet->next;
    node->queued--;
    node->queued_for[tsch_key(packet->destination)]--;
    packet->next = node->unused;
    node->unused = packet;
}

bool tsch_send(struct tsch *tsch, unsigned node_number, unsigned destination,
               const uint8_t *payload, size_t length, uint64_t handle)
{
    struct tsch_node *node = &tsch->nodes[node_number];
    const struct tsch_settings *settings = &tsch->settings;
    if (length > tsch_payload_bytes(tsch) || node->queued >= settings->queue_length ||
        node->queued > settings->queue_length - settings->queue_reserve) {
        node->counts.refused++;
        return false;
    }
    struct tsch_packet *packet = append(tsch, node, destination);
    packet->kind = TSCH_DATA;
    packet->handle = handle;
    packet->sequence = node->next_sequence++;
    packet->payload_bytes = length;
    packet->frame_bytes =
        frame_data(packet->frame, node_number, destination, packet->sequence, payload, length);
    node->counts.queued++;
    return true;
}

size_t tsch_forget(struct tsch *tsch, unsigned node_number, uint64_t handle)
{
    struct tsch_node *node = &tsch->nodes[node_number];
    size_t count = 0;
    for (struct tsch_packet *packet = node->first, *next; packet != NULL; packet = next) {
        next = packet->next;
        if (packet->kind != TSCH_DATA || packet->handle != handle || packet->is_on_air)
            continue;
        tsch_remove(node, packet);
        count++;
    }
    if (!tsch->is_in_slot)
        tsch_plan(tsch);
    return count;
}

static void broadcast(void *context)
{
    struct tsch_timer *timer = context;
    struct tsch *tsch = timer->tsch;
    struct tsch_node *node = &tsch->nodes[timer->node];
    const struct tsch_settings *settings = &tsch->settings;
    bool is_beacon = timer->kind == TSCH_BEACON;
    kernel_after(tsch->kernel, &timer->event,
                 (is_beacon ? settings->beacon_period_us : settings->dio_period_us) *
                     SIM_NS_PER_US);
    if (is_beacon && random_unit(&node->beacon_random) >= settings->beacon_probability)
        return;
    if (timer->is_waiting || node->queued >= settings->queue_length)
        return;
    struct tsch_packet *packet = append(tsch, node, TSCH_ANY);
    packet->kind = timer->kind;
    packet->frame_bytes = is_beacon ? settings->beacon_bytes : settings->dio_bytes;
    timer->is_waiting = true;
}

static void start_timer(struct tsch *tsch, struct tsch_timer *timer, unsigned node,
                        enum tsch_frame_kind kind, uint64_t period_us)
{
    *timer = (struct tsch_timer){.tsch = tsch, .node = node, .kind = kind};
    event_init(&timer->event, broadcast, timer);
    if (period_us > 0)
        kernel_after(tsch->kernel, &timer->event,
                     random_below(&tsch->nodes[node].beacon_random, period_us * SIM_NS_PER_US));
}

static void name_random(struct tsch *tsch, const char *purpose, unsigned i, unsigned j,
                        struct random_source *source)
{
    char name[64];
    (void)snprintf(name, sizeof name, "tsch-%s-%u-%u", purpose, i, j);
    kernel_random(tsch->kernel, name, source);
}

static void start_node(struct tsch *tsch, unsigned number)
{
    struct tsch_node *node = &tsch->nodes[number];
    name_random(tsch, "backoff", number, number, &node->backoff_random);
    name_random(tsch, "beacon", number, number, &node->beacon_random);
    name_random(tsch, "residual", number, number, &node->residual_random);
    for (unsigned i = 0; i < tsch->settings.queue_length; i++) {
        node->packets[i].next = node->unused;
        node->unused = &node->packets[i];
    }
    for (unsigned key = 0; key < TSCH_KEYS; key++)
        node->contention[key].exponent = tsch->settings.min_be;
    for (unsigned other = 0; other < tsch->settings.node_count; other++) {
        struct random_source source;
        node->last_sequence[other] = -1;
        name_random(tsch, "loss", number, other, &source);
        loss_start(&tsch->loss[number][other], &tsch->settings.radio[number][other].loss, &source);
    }
    start_timer(tsch, &node->beacon, number, TSCH_BEACON, tsch->settings.beacon_period_us);
    start_timer(tsch, &node->dio, number, TSCH_DIO, tsch->settings.dio_period_us);
}

struct tsch *tsch_open(struct kernel *kernel, const struct tsch_settings *settings,
                       const struct tsch_cell *cells, size_t cell_count,
                       const struct tsch_user *user, struct error *error)
{
    if (!check_settings(settings, error))
        return NULL;
    struct tsch *tsch = calloc(1, sizeof *tsch);
    if (tsch == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for a network");
        return NULL;
    }
    tsch->kernel = kernel;
    tsch->settings = *settings;
    tsch->user = *user;
    tsch->slot_ns = settings->times.slot_us * SIM_NS_PER_US;
    event_init(&tsch->slot_start, tsch_slot_start, tsch);
    event_init(&tsch->slot_end, tsch_slot_end, tsch);
    for (unsigned i = 0; i < settings->node_count; i++)
        start_node(tsch, i);
    for (size_t i = 0; i < cell_count; i++)
        if (!tsch_add_cell(tsch, &cells[i], error)) {
            tsch_close(tsch);
            return NULL;
        }
    if (cell_count > 0)
        return tsch;
    (void)error_set(error, ERROR_USAGE, "a network without cells carries nothing");
    tsch_close(tsch);
    return NULL;
}

void tsch_close(struct tsch *tsch)
{
    if (tsch == NULL)
        return;
    kernel_cancel(tsch->kernel, &tsch->slot_start);
    kernel_cancel(tsch->kernel, &tsch->slot_end);
    for (unsigned i = 0; i < tsch->settings.node_count; i++) {
        kernel_cancel(tsch->kernel, &tsch->nodes[i].beacon.event);
        kernel_cancel(tsch->kernel, &tsch->nodes[i].dio.event);
    }
    free(tsch);
}

/* A change of cells holds from the slot after the current one. */
static uint64_t settle_for_change(const struct tsch *tsch, struct tsch_node *node)
{
    uint64_t soonest = asn_from(tsch, tsch->kernel->now_ns);
    uint64_t asn = tsch->next_asn > soonest ? tsch->next_asn : soonest;
    settle(tsch, node, asn);
    return asn;
}

bool tsch_add_cell(struct tsch *tsch, const struct tsch_cell *cell, struct error *error)
{
    if (!check_cell(&tsch->settings, cell, error))
        return false;
    struct tsch_node *node = &tsch->nodes[cell->node];
    if (node->cell_count == TSCH_MOST_CELLS)
        return error_set(error, ERROR_LIMIT, "node %u has %d cells already", cell->node,
                         TSCH_MOST_CELLS);
    (void)settle_for_change(tsch, node);
    node->cells[node->cell_count++] = *cell;
    node->rx_cells[cell->slot] += (cell->options & TSCH_RX) != 0;
    node->tx_cells[tsch_key(cell->peer)] += (cell->options & TSCH_TX) != 0;
    if (!tsch->is_in_slot)
        tsch_plan(tsch);
    return true;
}

bool tsch_remove_cell(struct tsch *tsch, const struct tsch_cell *cell)
{
    struct tsch_node *node = &tsch->nodes[cell->node];
    for (unsigned i = 0; i < node->cell_count; i++) {
        struct tsch_cell *known = &node->cells[i];
        if (known->slot != cell->slot || known->channel_offset != cell->channel_offset ||
            known->peer != cell->peer || known->options != cell->options)
            continue;
        (void)settle_for_change(tsch, node);
        node->rx_cells[cell->slot] -= (cell->options & TSCH_RX) != 0;
        node->tx_cells[tsch_key(cell->peer)] -= (cell->options & TSCH_TX) != 0;
        memmove(known, known + 1, (node->cell_count - i - 1) * sizeof *known);
        node->cell_count--;
        if (!tsch->is_in_slot)
            tsch_plan(tsch);
        return true;
    }
    return false;
}

void tsch_block(struct tsch *tsch, unsigned node_number, uint64_t until_ns)
{
    struct tsch_node *node = &tsch->nodes[node_number];
    uint64_t from = settle_for_change(tsch, node), until = asn_from(tsch, until_ns);
    if (from > node->blocked_until_asn || from < node->blocked_from_asn)
        node->blocked_from_asn = from;
    if (until > node->blocked_until_asn)
        node->blocked_until_asn = until;
    if (node->settled_asn < until)
        node->settled_asn = until;
    if (!tsch->is_in_slot)
        tsch_plan(tsch);
}

unsigned tsch_queued(const struct tsch *tsch, unsigned node)
{
    return tsch->nodes[node].queued;
}

size_t tsch_payload_bytes(const struct tsch *tsch)
{
    return FRAME_LARGEST_PAYLOAD_BYTES - tsch->settings.security_bytes;
}

const struct tsch_counts *tsch_counts(const struct tsch *tsch, unsigned node)
{
    return &tsch->nodes[node].counts;
}

void tsch_slots(struct tsch *tsch, unsigned node_number, uint64_t slots[TSCH_SLOT_KINDS])
{
    struct tsch_node *node = &tsch->nodes[node_number];
    (void)settle_for_change(tsch, node);
    memcpy(slots, node->slots, sizeof node->slots);
    slots[TSCH_IDLE_LISTEN] = node->listening_slots - node->busy_slots;
}
