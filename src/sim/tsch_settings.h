/*
 * The figures of TSCH networks that were built, and the schedule of a chain of nodes.
 *
 * Sources: the public trees of the study of Claeys et al. (Sensors 2021, 21(6), 2192): "G1" is
 * TimothyClaeys/openwsn-fw at 2e5ea20e (March 2019); BERK is openwsn-berkeley/openwsn-fw, develop.
 * What no source gives is named "assumed".
 */
#ifndef TLSMETER_SIM_TSCH_SETTINGS_H
#define TLSMETER_SIM_TSCH_SETTINGS_H

#include "sim/tsch.h"

/* IEEE802154E.h: 10 ms and 15 ms of G1, 20 ms of BERK. */
extern const struct tsch_template tsch_times_10ms, tsch_times_15ms, tsch_times_20ms;

/* The network of the study: 10 ms slots, 11 per slotframe, the default hopping sequence, 4
 * attempts, BE 2 to 4 as OpenWSN counts it (at first 1: MINBE - 1 after a success, one more at each
 * failure, so the first wait is out of 2^2), a queue of 15 with 5 in reserve, no security,
 * duplicates passed on (they are dropped by tag and offset above), beacons every 110 ms and DIOs
 * every 20 s, all links perfect, nodes in a chain of `hops` (1 to 8) where only neighbours hear
 * each other.
 *
 * Assumed: a node uses a beacon's turn with probability 1 / number of nodes (else all would always
 * send at once); a beacon has 46 bytes (sum of the information elements that RFC 8180 section 4.5.4
 * asks for, with one cell), a DIO 97 (base object, configuration and prefix option of RFC 6550, to
 * the short broadcast address). */
void tsch_baseline(struct tsch_settings *settings, unsigned hops);

/* The same loss for all links, from the root and towards it. */
void tsch_set_loss(struct tsch_settings *settings, const struct loss_model *towards_root,
                   const struct loss_model *from_root);

struct tsch_chain {
    unsigned cells_per_link; /* dedicated: in each direction */
    bool is_dedicated;       /* TX at one end and RX at the other; else TX|RX|SHARED at both */
    bool has_serial_slots;   /* slots 1 to 3 and 6 to 8 serve a serial line (G1) */
};

/* A minimal cell for all in slot 0, and cells for each link, spread evenly over the slots that are
 * left; links next to each other take different slots, others share slots on other channel offsets.
 * With four cells per link, serial slots and one hop in 11 slots this gives slots 4, 5, 9 and 10 as
 * in G1 (msf.c). Returns how many cells were written, 0 with an error when slots or room are too
 * few. */
size_t tsch_chain_cells(const struct tsch_settings *settings, const struct tsch_chain *chain,
                        struct tsch_cell *cells, size_t most, struct error *error);

#endif
