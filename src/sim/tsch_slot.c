#include "sim/tsch_internal.h"

static uint64_t passed_cells(const struct tsch *tsch, const struct tsch_node *node, unsigned key,
                             uint64_t from_asn)
{
    uint64_t passed = 0;
    for (unsigned i = 0; i < node->cell_count; i++) {
        const struct tsch_cell *cell = &node->cells[i];
        if (tsch_key(cell->peer) == key && (cell->options & TSCH_TX) != 0 &&
            (cell->options & TSCH_SHARED) != 0)
            passed += tsch_occurrences(tsch, cell->slot, from_asn, tsch->asn);
    }
    return passed;
}

static bool backoff_allows(const struct tsch *tsch, struct tsch_node *node, unsigned key)
{
    struct tsch_contention *contention = &node->contention[key];
    if (contention->wait == 0)
        return true;
    uint64_t passed = passed_cells(tsch, node, key, contention->since_asn);
    contention->wait = passed < contention->wait ? contention->wait - (unsigned)passed : 0;
    contention->since_asn = tsch->asn;
    return contention->wait == 0;
}

/* The first packet that may go in this cell now. */
static struct tsch_packet *choose(const struct tsch *tsch, struct tsch_node *node,
                                  const struct tsch_cell *cell)
{
    bool is_shared = (cell->options & TSCH_SHARED) != 0;
    for (struct tsch_packet *packet = node->first; packet != NULL; packet = packet->next) {
        if (!tsch_fits_cell(node, packet, cell->peer))
            continue;
        if (!is_shared || packet->destination == TSCH_ANY ||
            backoff_allows(tsch, node, tsch_key(cell->peer)))
            return packet;
    }
    return NULL;
}

static unsigned channel_of(const struct tsch *tsch, const struct tsch_cell *cell)
{
    return tsch->settings
        .hopping[(tsch->asn + cell->channel_offset) % tsch->settings.hopping_length];
}

/* Sending comes before listening, and the cell that was given first before a later one. */
static void decide(const struct tsch *tsch, struct tsch_node *node, struct tsch_action *action)
{
    unsigned slot = (unsigned)(tsch->asn % tsch->settings.slotframe_length);
    *action = (struct tsch_action){.kind = TSCH_SLEEP, .heard = -1};
    if (tsch->asn >= node->blocked_from_asn && tsch->asn < node->blocked_until_asn)
        return;
    for (unsigned i = 0; i < node->cell_count; i++) {
        const struct tsch_cell *cell = &node->cells[i];
        if (cell->slot != slot)
            continue;
        struct tsch_packet *packet =
            (cell->options & TSCH_TX) != 0 ? choose(tsch, node, cell) : NULL;
        if (packet != NULL) {
            *action = (struct tsch_action){.kind = TSCH_SEND,
                                           .channel = channel_of(tsch, cell),
                                           .key = tsch_key(cell->peer),
                                           .is_shared = (cell->options & TSCH_SHARED) != 0,
                                           .packet = packet,
                                           .heard = -1};
            return;
        }
        if (action->kind == TSCH_SLEEP && (cell->options & TSCH_RX) != 0) {
            action->kind = TSCH_LISTEN;
            action->channel = channel_of(tsch, cell);
        }
    }
}

static bool can_hear(const struct tsch *tsch, unsigned listener, unsigned sender)
{
    return tsch->actions[sender].kind == TSCH_SEND &&
           tsch->actions[sender].channel == tsch->actions[listener].channel &&
           tsch->settings.radio[sender][listener].in_range;
}

static bool gets_through(struct tsch *tsch, unsigned sender, unsigned receiver, unsigned channel)
{
    return loss_delivers(&tsch->loss[sender][receiver],
                         &tsch->settings.radio[sender][receiver].loss, channel);
}

static void listen(struct tsch *tsch, unsigned listener)
{
    struct tsch_action *action = &tsch->actions[listener];
    unsigned senders = 0, sender = 0;
    for (unsigned other = 0; other < tsch->settings.node_count; other++)
        if (other != listener && can_hear(tsch, listener, other)) {
            sender = other;
            senders++;
        }
    action->is_collision = senders > 1;
    if (senders == 1 && gets_through(tsch, sender, listener, action->channel))
        action->heard = (int)sender;
}

static bool acknowledges(const struct tsch *tsch, unsigned receiver)
{
    const struct tsch_action *action = &tsch->actions[receiver];
    return action->kind == TSCH_LISTEN && action->heard >= 0 &&
           tsch->actions[action->heard].packet->destination == receiver;
}

static bool hears_acknowledgement(struct tsch *tsch, unsigned sender)
{
    const struct tsch_action *action = &tsch->actions[sender];
    unsigned receiver = action->packet->destination;
    if (receiver == TSCH_ANY || !acknowledges(tsch, receiver) ||
        tsch->actions[receiver].heard != (int)sender)
        return false;
    bool is_alone = true;
    for (unsigned other = 0; other < tsch->settings.node_count; other++)
        if (other != receiver && other != sender && acknowledges(tsch, other) &&
            tsch->actions[other].channel == action->channel &&
            tsch->settings.radio[other][sender].in_range)
            is_alone = false;
    return gets_through(tsch, receiver, sender, action->channel) && is_alone;
}

static enum tsch_slot_kind kind_of(const struct tsch *tsch, unsigned number)
{
    const struct tsch_action *action = &tsch->actions[number];
    if (action->kind == TSCH_SEND && action->packet->destination == TSCH_ANY)
        return TSCH_TX_BROADCAST;
    if (action->kind == TSCH_SEND)
        return action->is_acked ? TSCH_TX_ACKED : TSCH_TX_UNACKED;
    if (acknowledges(tsch, number))
        return TSCH_RX_ACKED;
    return action->heard >= 0 || action->is_collision ? TSCH_RX_NOT_ACKED : TSCH_IDLE_LISTEN;
}

static void count(struct tsch *tsch, unsigned number)
{
    struct tsch_node *node = &tsch->nodes[number];
    const struct tsch_action *action = &tsch->actions[number];
    if (action->kind == TSCH_SLEEP)
        return;
    enum tsch_slot_kind kind = kind_of(tsch, number);
    if (kind == TSCH_IDLE_LISTEN)
        return; /* counted by settle, like all that are not played */
    node->slots[kind]++;
    node->busy_slots += node->rx_cells[tsch->asn % tsch->settings.slotframe_length] > 0;
    node->counts.collisions += action->is_collision;
    node->counts.acks_sent += kind == TSCH_RX_ACKED;
    if (action->kind != TSCH_SEND)
        return;
    action->packet->attempts++;
    action->packet->is_on_air = true;
    if (action->packet->kind == TSCH_DATA) {
        node->counts.transmissions++;
        node->counts.transmission_bytes +=
            action->packet->frame_bytes + tsch->settings.security_bytes;
    }
    node->counts.beacons += action->packet->kind == TSCH_BEACON;
    node->counts.dios += action->packet->kind == TSCH_DIO;
}

void tsch_slot_start(void *context)
{
    struct tsch *tsch = context;
    unsigned nodes = tsch->settings.node_count, senders = 0;
    tsch->asn = tsch->kernel->now_ns / tsch->slot_ns;
    tsch->next_asn = tsch->asn + 1;
    for (unsigned i = 0; i < nodes; i++) {
        decide(tsch, &tsch->nodes[i], &tsch->actions[i]);
        senders += tsch->actions[i].kind == TSCH_SEND;
    }
    if (senders == 0) {
        tsch_plan(tsch);
        return;
    }
    for (unsigned i = 0; i < nodes; i++)
        if (tsch->actions[i].kind == TSCH_LISTEN)
            listen(tsch, i);
    for (unsigned i = 0; i < nodes; i++)
        if (tsch->actions[i].kind == TSCH_SEND)
            tsch->actions[i].is_acked = hears_acknowledgement(tsch, i);
    for (unsigned i = 0; i < nodes; i++)
        count(tsch, i);
    tsch->is_in_slot = true;
    kernel_at(tsch->kernel, &tsch->slot_end, tsch->next_asn * tsch->slot_ns - 1);
}

static void tell_watcher(struct tsch *tsch, unsigned sender)
{
    const struct tsch_action *action = &tsch->actions[sender];
    const struct tsch_packet *packet = action->packet;
    bool is_unicast = packet->destination != TSCH_ANY;
    size_t bytes =
        packet->frame_bytes + (packet->kind == TSCH_DATA ? tsch->settings.security_bytes : 0);
    uint64_t frame_ns =
        tsch->asn * tsch->slot_ns + tsch->settings.times.tx_offset_us * SIM_NS_PER_US;
    struct tsch_transmission told = {
        .asn = tsch->asn,
        .frame_ns = frame_ns,
        .ack_ns =
            frame_ns + frame_air_ns(bytes) + tsch->settings.times.ack_delay_us * SIM_NS_PER_US,
        .channel = 11 + action->channel,
        .sender = sender,
        .destination = packet->destination,
        .kind = packet->kind,
        .attempt = packet->attempts,
        .frame = packet->kind == TSCH_DATA ? packet->frame : NULL,
        .frame_bytes = bytes,
        .sequence = packet->sequence,
        .handle = packet->handle,
        .is_acked = action->is_acked,
    };
    if (is_unicast) {
        const struct tsch_action *receiver = &tsch->actions[packet->destination];
        told.is_received = receiver->heard == (int)sender;
        told.is_collision = receiver->is_collision && can_hear(tsch, packet->destination, sender);
    }
    tsch->user.watch(tsch->user.context, &told);
}

static void deliver(struct tsch *tsch, unsigned receiver)
{
    struct tsch_node *node = &tsch->nodes[receiver];
    unsigned sender = (unsigned)tsch->actions[receiver].heard;
    const struct tsch_packet *packet = tsch->actions[sender].packet;
    if (packet->kind != TSCH_DATA || packet->destination != receiver)
        return;
    bool is_duplicate = node->last_sequence[sender] == packet->sequence;
    bool is_lost = random_unit(&node->residual_random) < tsch->settings.residual_loss;
    node->last_sequence[sender] = packet->sequence;
    node->counts.duplicates += is_duplicate;
    if (is_duplicate && tsch->settings.rejects_duplicates)
        return;
    node->counts.residual_losses += is_lost;
    if (is_lost)
        return;
    node->counts.delivered++;
    tsch->user.receive(tsch->user.context, receiver, sender, packet->frame + FRAME_HEADER_BYTES,
                       packet->payload_bytes);
}

static void start_anew(const struct tsch *tsch, struct tsch_contention *contention)
{
    contention->exponent = tsch->settings.min_be;
    contention->wait = 0;
}

static void back_off(const struct tsch *tsch, struct tsch_node *node,
                     struct tsch_contention *contention)
{
    uint64_t drawn = random_below(&node->backoff_random, UINT64_C(1) << contention->exponent);
    if (tsch->settings.backoff == TSCH_BACKOFF_OPENWSN && drawn > 0)
        drawn--;
    contention->wait = (unsigned)drawn;
    contention->since_asn = tsch->next_asn;
    if (contention->exponent < tsch->settings.max_be)
        contention->exponent++;
}

static void contend(const struct tsch *tsch, struct tsch_node *node,
                    const struct tsch_action *action)
{
    struct tsch_contention *contention = &node->contention[action->key];
    bool is_last = node->queued_for[tsch_key(action->packet->destination)] == 1;
    if (action->is_shared && !action->is_acked)
        back_off(tsch, node, contention);
    else if (action->is_shared ||
             (action->is_acked && is_last && tsch->settings.backoff == TSCH_BACKOFF_STANDARD))
        start_anew(tsch, contention);
}

static void finish(struct tsch *tsch, unsigned sender)
{
    struct tsch_node *node = &tsch->nodes[sender];
    const struct tsch_action *action = &tsch->actions[sender];
    struct tsch_packet *packet = action->packet;
    packet->is_on_air = false;
    if (packet->destination == TSCH_ANY) {
        struct tsch_timer *timer = packet->kind == TSCH_BEACON ? &node->beacon : &node->dio;
        timer->is_waiting = false;
        tsch_remove(node, packet);
        return;
    }
    contend(tsch, node, action);
    if (!action->is_acked && packet->attempts < tsch->settings.attempts)
        return;
    uint64_t handle = packet->handle;
    node->counts.acknowledged += action->is_acked;
    node->counts.dropped += !action->is_acked;
    tsch_remove(node, packet);
    if (tsch->user.sent != NULL)
        tsch->user.sent(tsch->user.context, sender, handle, action->is_acked);
}

/* The slot is over: first who watches is told, then frames come to those who heard them, then their
 * senders learn what became of them. What these send in turn goes in later slots. */
void tsch_slot_end(void *context)
{
    struct tsch *tsch = context;
    unsigned nodes = tsch->settings.node_count;
    if (tsch->user.watch != NULL)
        for (unsigned i = 0; i < nodes; i++)
            if (tsch->actions[i].kind == TSCH_SEND)
                tell_watcher(tsch, i);
    for (unsigned i = 0; i < nodes; i++)
        if (tsch->actions[i].heard >= 0)
            deliver(tsch, i);
    for (unsigned i = 0; i < nodes; i++)
        if (tsch->actions[i].kind == TSCH_SEND)
            finish(tsch, i);
    tsch->is_in_slot = false;
    tsch_plan(tsch);
}
