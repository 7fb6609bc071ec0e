/*
 * A TSCH network (IEEE 802.15.4-2015, time-slotted channel hopping), slot by slot in virtual time.
 *
 * Time is cut into slots; slot number n since the start is its ASN. Cells repeat every slotframe: a
 * cell of a node says that in this slot, on this channel offset, it may transmit to a neighbour,
 * listen, or both (TX|RX|SHARED: it transmits when it has something and its backoff allows, else it
 * listens). The channel is hopping[(ASN + offset) mod length] (6.2.6). Only slots in which someone
 * has something to send cost an event; listening in all others is counted, not played.
 *
 * A unicast frame is acknowledged in the same slot. The frame gets through by the loss model from
 * sender to receiver, the acknowledgement, on its own, by the one of the way back. Without an
 * acknowledgement the frame is sent again, `attempts` times in all, and then dropped. So with p and
 * q, a frame reaches the receiver with 1 - (1 - p)^n and is known to with 1 - (1 - p q)^n.
 *
 * Contention (6.2.5.3): in shared cells an unacknowledged frame makes its sender wait a random
 * number of shared cells to this neighbour, out of 2^BE; BE starts at min_be, grows by one per
 * failure up to max_be and starts anew after a success. There is no carrier sensing. Two senders in
 * range of a listener on one channel destroy each other's frames for it (no capture), likewise two
 * acknowledgements; range is given link by link.
 *
 * What is sent where: a frame to a neighbour goes into cells with this neighbour; into a minimal
 * cell (peer TSCH_ANY, RFC 8180) only if there is no TX cell with it. Beacons and DIOs, which are
 * broadcast and unacknowledged, go into minimal cells only and wait for no backoff.
 *
 * Not modelled: clock drift and loss of synchronisation (6.5.4; beacons are sent, nobody needs
 * them), joining, the queue entry a received frame takes for a moment, time-outs inside a slot.
 *
 * Sources of figures: facts named at sim/tsch_settings.c. A network allocates when it is opened and
 * never after.
 */
#ifndef TLSMETER_SIM_TSCH_H
#define TLSMETER_SIM_TSCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "sim/frame.h"
#include "sim/kernel.h"
#include "sim/loss.h"

enum {
    TSCH_MOST_NODES = 9,   /* the root and eight hops */
    TSCH_MOST_CELLS = 128, /* of one node */
    TSCH_MOST_QUEUED = 64,
    TSCH_LONGEST_SLOTFRAME = 1000,
    TSCH_ANY = 255, /* peer of a minimal cell; destination of a broadcast */
};

enum tsch_cell_option { TSCH_TX = 1, TSCH_RX = 2, TSCH_SHARED = 4 };

struct tsch_cell {
    uint16_t slot; /* below the slotframe's length */
    uint8_t channel_offset;
    uint8_t node; /* whose cell it is */
    uint8_t peer; /* another node, or TSCH_ANY */
    uint8_t options;
};

/* Times within a slot (macTimeslotTemplate, 8.4.3.3), from its start. Only those that decide what
 * fits; guard times decide charge, which has a table of its own (sim/energy.h). */
struct tsch_template {
    uint32_t slot_us;
    uint32_t tx_offset_us; /* start of a frame */
    uint32_t ack_delay_us; /* end of a frame to start of its acknowledgement */
};

/* Both draw k evenly from 0 to 2^BE - 1. STANDARD skips k shared cells. OPENWSN counts down
 * before it looks, so that 0 and 1 both mean the next one (schedule_getOkToSend). After a success
 * in a cell that is not shared, STANDARD starts anew if nothing more is queued for the neighbour;
 * OPENWSN leaves backoff alone. */
enum tsch_backoff { TSCH_BACKOFF_STANDARD, TSCH_BACKOFF_OPENWSN };

struct tsch_radio {
    bool in_range; /* frames of one disturb the other and can get through */
    struct loss_model loss;
};

struct tsch_settings {
    unsigned node_count; /* 2 to TSCH_MOST_NODES; node 0 is the root */
    struct tsch_template times;
    unsigned slotframe_length;
    unsigned hopping_length;        /* 1 to 16 */
    uint8_t hopping[LOSS_CHANNELS]; /* 0 is channel 11 */
    unsigned attempts;              /* per frame: 1 + retries; 1 to 255 */
    unsigned min_be, max_be;        /* 0 to 8 */
    enum tsch_backoff backoff;
    /* Frames a node's queue holds; of these the last `queue_reserve` are for beacons and DIOs: data
     * is refused once more than queue_length - queue_reserve are taken (openqueue.c). */
    unsigned queue_length, queue_reserve;
    unsigned security_bytes; /* added to each data frame on air: 6 with a MIC-32, else 0 */
    bool
        rejects_duplicates; /* drops a frame with the sequence number of the last from its sender */
    /* Delivered by the MAC and acknowledged, yet lost before the layer above: 0 to 1. */
    double residual_loss;
    /* Each node makes one every period (0: none), sends it with the probability, and makes no other
     * while one waits. The first of a node comes at a random time of its first period. */
    uint64_t beacon_period_us, dio_period_us;
    double beacon_probability;
    unsigned beacon_bytes, dio_bytes;                          /* whole frames, FCS included */
    struct tsch_radio radio[TSCH_MOST_NODES][TSCH_MOST_NODES]; /* [sender][receiver] */
};

/* What a node did in a slot, as tables of charge tell them apart. */
enum tsch_slot_kind {
    TSCH_IDLE_LISTEN,  /* listened, heard nothing */
    TSCH_TX_ACKED,     /* sent, got the acknowledgement */
    TSCH_TX_UNACKED,   /* sent, waited for it in vain */
    TSCH_TX_BROADCAST, /* sent, expected none */
    TSCH_RX_ACKED,     /* received, acknowledged */
    TSCH_RX_NOT_ACKED, /* heard a broadcast, a frame for another, or a collision */
    TSCH_SLOT_KINDS,   /* all else is sleep */
};

enum tsch_frame_kind { TSCH_DATA, TSCH_BEACON, TSCH_DIO };

/* One transmission, told at the end of its slot. */
struct tsch_transmission {
    uint64_t asn, frame_ns, ack_ns; /* when the frame and its acknowledgement start */
    unsigned channel;               /* 11 to 26 */
    unsigned sender, destination;   /* destination TSCH_ANY: broadcast */
    enum tsch_frame_kind kind;
    unsigned attempt;     /* from 1 */
    const uint8_t *frame; /* data: the whole frame with FCS; others: NULL */
    size_t frame_bytes;   /* on air, security included */
    uint8_t sequence;
    uint64_t handle;
    bool is_received, is_acked, is_collision;
};

/* Per node. */
struct tsch_counts {
    uint64_t queued, refused, delivered, duplicates, residual_losses; /* delivered: to the user */
    uint64_t acknowledged, dropped;                                   /* ends of queued frames */
    uint64_t transmissions, transmission_bytes;    /* data with retries, MAC and FCS */
    uint64_t acks_sent, beacons, dios, collisions; /* collisions: heard as a listener */
    unsigned queue_peak;
};

struct tsch_user {
    void *context;
    /* A frame's payload has come to `node`; valid during the call, which may send. */
    void (*receive)(void *context, unsigned node, unsigned sender, const uint8_t *payload,
                    size_t length);
    /* What became of a frame; is_acked false: dropped. May be NULL. */
    void (*sent)(void *context, unsigned node, uint64_t handle, bool is_acked);
    void (*watch)(void *context, const struct tsch_transmission *transmission); /* may be NULL */
};

struct tsch;

/* NULL when settings or cells make no sense (the error says which) or memory ran out. Copies the
 * settings and cells; the kernel outlives the network. */
MUST_USE struct tsch *tsch_open(struct kernel *kernel, const struct tsch_settings *settings,
                                const struct tsch_cell *cells, size_t cell_count,
                                const struct tsch_user *user, struct error *error);
void tsch_close(struct tsch *tsch); /* NULL is allowed */
/* Queues a copy at `node`. False: its queue is full, or the payload is larger than a frame holds.
 */
MUST_USE bool tsch_send(struct tsch *tsch, unsigned node, unsigned destination,
                        const uint8_t *payload, size_t length, uint64_t handle);
/* Forgets frames of `node` with this handle that are queued and not being sent right now. */
size_t tsch_forget(struct tsch *tsch, unsigned node, uint64_t handle);
unsigned tsch_queued(const struct tsch *tsch, unsigned node);
/* The largest payload: FRAME_LARGEST_PAYLOAD_BYTES less security. */
size_t tsch_payload_bytes(const struct tsch *tsch);

/* From the next slot on. False: the cell makes no sense, or the node has too many. */
MUST_USE bool tsch_add_cell(struct tsch *tsch, const struct tsch_cell *cell, struct error *error);
/* False: there is no such cell. */
bool tsch_remove_cell(struct tsch *tsch, const struct tsch_cell *cell);

/* The node's radio is off until `until_ns` from the next slot on: it computes. */
void tsch_block(struct tsch *tsch, unsigned node, uint64_t until_ns);

const struct tsch_counts *tsch_counts(const struct tsch *tsch, unsigned node);
/* Slots of each kind from the start to now. */
void tsch_slots(struct tsch *tsch, unsigned node, uint64_t slots[TSCH_SLOT_KINDS]);

#endif
