/*
 * A simulated link in real time: a process that carries IP packets between two tunnels as the link
 * would, so that the kernel's own TCP runs over it.
 *
 * The model is sim/link.h, its clock the machine's: a packet that a tunnel gives is sent at that
 * moment, and written to the other when it has arrived. Where more than EMULATION_QUEUE packets
 * wait to be sent, the newest is dropped, as at a full interface. The process's own delay, some
 * tens of microseconds a packet, adds to the link's: links slower than 100 Mbit/s hide it.
 */
#ifndef TLSMETER_SIM_EMULATION_H
#define TLSMETER_SIM_EMULATION_H

#include <sys/types.h>

#include "sim/link.h"

enum { EMULATION_QUEUE = 256 };

struct emulation {
    pid_t pid; /* 0: none */
};

/* The descriptors stay the caller's. `seed` repeats losses and jitter, as far as the packets' times
 * repeat. */
MUST_USE bool emulation_start(struct emulation *emulation, const int tunnels[2],
                              const struct link_settings *settings, uint64_t seed,
                              struct error *error);
void emulation_stop(struct emulation *emulation);

#endif
