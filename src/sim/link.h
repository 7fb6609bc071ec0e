/*
 * One constrained link between two ends, in virtual time: rate, delay, jitter, loss, bursts, small
 * frames, half or full duplex, duty cycle.
 *
 * A datagram is sent as frames of at most frame_payload_bytes, each with frame_overhead_bytes
 * around it; it arrives when its last frame does, if none was lost (the link repeats nothing: what
 * a real link repeats belongs into `loss`, which is what remains). A link with frames below 1280
 * bytes thus still presents the MTU that IPv6 demands (RFC 8200 section 5).
 *
 * Sending: an end sends one frame after the other, first come first served; a frame takes its bytes
 * over the rate. Full duplex: the ends do not disturb each other. Half duplex: one frame at a time;
 * next is the end that has waited longer, so that two busy ends take turns; there are no
 * collisions. With a duty cycle d an end is silent for t (1/d - 1) after a frame of t (LoRaWAN
 * L2 1.0.4, ETSI EN 300 220: the time off after each transmission); the other end may use that
 * time.
 *
 * Loss: each frame is lost with probability `loss`, and in a burst always (struct loss_model,
 * LOSS_BURST with burst_pdr 0; burst_p 0: no bursts); each direction has states of its own.
 * Delay: a datagram arrives delay_us after its last frame was sent, plus jitter drawn evenly from 0
 * to jitter_us, but never before an earlier one of its direction: the link keeps order.
 */
#ifndef TLSMETER_SIM_LINK_H
#define TLSMETER_SIM_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "sim/kernel.h"
#include "sim/loss.h"

enum { LINK_SMALLEST_MTU_BYTES = 1280, LINK_LARGEST_FRAME_BYTES = 65535 };

struct link_settings {
    uint64_t rate_bit_per_s; /* at least 1 */
    uint32_t delay_us, jitter_us;
    double loss, burst_p, burst_r; /* per frame, 0 to 1; burst_r is not read when burst_p is 0 */
    uint32_t frame_payload_bytes;  /* 1 to LINK_LARGEST_FRAME_BYTES */
    uint32_t
        frame_overhead_bytes; /* header, trailer, preamble: what the rate is spent on besides */
    bool is_half_duplex;
    double duty_cycle; /* above 0, at most 1; 1: no limit */
};

/* What one end has sent. */
struct link_counts {
    uint64_t datagrams, datagrams_lost, frames, frames_lost;
    uint64_t datagram_bytes; /* without overhead */
    uint64_t frame_bytes;    /* with overhead */
    uint64_t air_ns;         /* time spent sending */
};

/* One frame, told when it has been sent. */
struct link_frame {
    unsigned sender; /* 0 or 1 */
    uint64_t start_ns, end_ns;
    const uint8_t *bytes; /* its part of the datagram; valid during the call */
    size_t length, offset, datagram_length;
    bool is_lost;
};

struct link_user {
    void *context;
    /* A datagram has arrived at `receiver`; the bytes are valid during the call. */
    void (*deliver)(void *context, unsigned receiver, const uint8_t *bytes, size_t length);
    void (*watch)(void *context, const struct link_frame *frame); /* may be NULL */
};

struct link;

/* NULL when a setting is out of its range (the error says which) or memory ran out. The kernel
 * outlives the link. `name` tells the random sources of several links apart. */
MUST_USE struct link *link_open(struct kernel *kernel, const struct link_settings *settings,
                                const char *name, const struct link_user *user,
                                struct error *error);
void link_close(struct link *link); /* what is under way is forgotten; NULL is allowed */
/* Largest datagram: frame_payload_bytes, at least LINK_SMALLEST_MTU_BYTES. */
size_t link_mtu_bytes(const struct link *link);
/* Queues a copy. False when it is empty or larger than the MTU, or memory ran out (then kernel_run
 * fails too): it will not arrive. */
MUST_USE bool link_send(struct link *link, unsigned sender, const uint8_t *bytes, size_t length);
const struct link_counts *link_sent(const struct link *link, unsigned sender);
/* Datagrams queued or being sent by an end. */
size_t link_queued(const struct link *link, unsigned sender);
MUST_USE bool link_check(const struct link_settings *settings, struct error *error);

#endif
