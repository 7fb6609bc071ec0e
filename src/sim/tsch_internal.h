/*
 * Inside of sim/tsch.h: the network's state, shared by tsch.c (life, queues, cells, what is next)
 * and tsch_slot.c (what happens in a slot).
 */
#ifndef TLSMETER_SIM_TSCH_INTERNAL_H
#define TLSMETER_SIM_TSCH_INTERNAL_H

#include "sim/tsch.h"

enum { TSCH_KEYS = TSCH_MOST_NODES + 1 }; /* neighbours, and TSCH_ANY as the last */

struct tsch_packet {
    struct tsch_packet *next; /* in the queue or among the free ones */
    uint64_t handle;
    enum tsch_frame_kind kind;
    unsigned destination; /* or TSCH_ANY */
    unsigned attempts;    /* made so far */
    uint8_t sequence;
    bool is_on_air;
    size_t payload_bytes, frame_bytes; /* frame: without security */
    uint8_t frame[FRAME_LARGEST_BYTES];
};

/* Towards one neighbour. `wait` counts shared cells from ASN `since` on. */
struct tsch_contention {
    unsigned exponent, wait;
    uint64_t since_asn;
};

struct tsch_timer {
    struct event event;
    struct tsch *tsch;
    unsigned node;
    enum tsch_frame_kind kind;
    bool is_waiting; /* its frame is queued */
};

struct tsch_node {
    struct tsch_packet *first, *unused;
    unsigned queued, queued_for[TSCH_KEYS];
    struct tsch_cell cells[TSCH_MOST_CELLS];
    unsigned cell_count, tx_cells[TSCH_KEYS];
    unsigned rx_cells[TSCH_LONGEST_SLOTFRAME]; /* by slot */
    struct tsch_contention contention[TSCH_KEYS];
    uint64_t blocked_from_asn, blocked_until_asn;
    uint64_t settled_asn, listening_slots; /* slots with an RX cell before settled_asn */
    uint64_t busy_slots;                   /* of these, not idle */
    uint64_t slots[TSCH_SLOT_KINDS];       /* TSCH_IDLE_LISTEN is not kept here */
    int last_sequence[TSCH_MOST_NODES];    /* by sender; -1: none */
    uint8_t next_sequence;
    struct tsch_timer beacon, dio;
    struct random_source backoff_random, beacon_random, residual_random;
    struct tsch_counts counts;
    struct tsch_packet packets[TSCH_MOST_QUEUED];
};

/* What a node does in the slot that is played. */
enum tsch_action_kind { TSCH_SLEEP, TSCH_SEND, TSCH_LISTEN };
struct tsch_action {
    enum tsch_action_kind kind;
    unsigned channel; /* from 0 */
    unsigned key;     /* of the contention it sends under */
    bool is_shared;
    struct tsch_packet *packet;
    int heard; /* the sender, or -1 */
    bool is_acked, is_collision;
};

struct tsch {
    struct kernel *kernel;
    struct tsch_settings settings;
    struct tsch_user user;
    uint64_t slot_ns;
    struct event slot_start, slot_end;
    uint64_t asn;      /* of the slot that is, or was last, played */
    uint64_t next_asn; /* first that may still be played */
    bool is_in_slot;
    struct tsch_action actions[TSCH_MOST_NODES];
    struct loss_state loss[TSCH_MOST_NODES][TSCH_MOST_NODES];
    struct tsch_node nodes[TSCH_MOST_NODES];
};

static inline unsigned tsch_key(unsigned peer)
{
    return peer == TSCH_ANY ? TSCH_MOST_NODES : peer;
}

/* True if a node may send this packet in a cell with this peer. */
bool tsch_fits_cell(const struct tsch_node *node, const struct tsch_packet *packet, unsigned peer);
/* Takes a packet out of its queue. */
void tsch_remove(struct tsch_node *node, struct tsch_packet *packet);
/* How often a slot comes in ASN from..to-1. */
uint64_t tsch_occurrences(const struct tsch *tsch, unsigned slot, uint64_t from_asn,
                          uint64_t to_asn);
/* Sets the event of the next slot in which someone may send. */
void tsch_plan(struct tsch *tsch);
/* The events of a slot. */
void tsch_slot_start(void *context);
void tsch_slot_end(void *context);

#endif
