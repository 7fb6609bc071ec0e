/*
 * Whether one frame gets through: the loss models of radio and wire.
 *
 * LOSS_PDR      every frame gets through with probability pdr (Bernoulli).
 * LOSS_BURST    two states that change after each frame with probability burst_p (good to bad) and
 *               burst_r (bad to good); frames get through with `pdr` in the good state and with
 *               `burst_pdr` in the bad one. E. N. Gilbert, "Capacity of a burst-noise channel",
 * Bell System Technical Journal 39 (1960): pdr 1 and burst_pdr 0 are the simple channel; E. O.
 * Elliott, BSTJ 42 (1963): the general one. The first state is drawn from the stationary
 * distribution. The states are counted in frames, not in time: a pause does not end a burst.
 * LOSS_CHANNEL  a pdr for each of the 16 channels of IEEE 802.15.4 at 2.4 GHz.
 * LOSS_RSSI     a pdr from the signal's strength at the receiver, by loss_rssi_pdr.
 *
 * PDR is the packet delivery ratio, 0 to 1. A model is settings; a state belongs to one direction
 * of one link and has a random source of its own. Each frame takes as many draws whatever its fate,
 * so that a model's figures may change without moving the draws of later frames.
 */
#ifndef TLSMETER_SIM_LOSS_H
#define TLSMETER_SIM_LOSS_H

#include <stdbool.h>

#include "core/attributes.h"
#include "core/error.h"
#include "core/random.h"

enum { LOSS_CHANNELS = 16 };
enum loss_kind { LOSS_PDR, LOSS_BURST, LOSS_CHANNEL, LOSS_RSSI };

struct loss_model {
    enum loss_kind kind;
    double pdr;                        /* LOSS_PDR, and the good state of LOSS_BURST */
    double burst_p, burst_r;           /* per frame; burst_r > 0 */
    double burst_pdr;                  /* the bad state */
    double channel_pdr[LOSS_CHANNELS]; /* index 0 is channel 11 */
    double rssi_dbm;
};

struct loss_state {
    struct random_source random;
    bool is_bad;
};

/* False when a figure is no probability or a burst would never end. */
MUST_USE bool loss_check(const struct loss_model *model, struct error *error);
/* Takes a copy of `random`. */
void loss_start(struct loss_state *state, const struct loss_model *model,
                const struct random_source *random);
/* Draws one frame's fate; `channel` from 0, below LOSS_CHANNELS. */
bool loss_delivers(struct loss_state *state, const struct loss_model *model, unsigned channel);
/* Mean share of frames that get through, all channels used alike. */
double loss_mean_pdr(const struct loss_model *model);
/* The table of the 6TiSCH simulator (Connectivity.py), linear between its rows: 0.1494 at -96 dBm,
 * 1 from -79 dBm on. Below -96 dBm it says nothing; 0 is assumed there. */
double loss_rssi_pdr(double rssi_dbm);

#endif
