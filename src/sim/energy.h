/*
 * Charge from what a radio did: microcoulombs per slot of each kind, from tables that were
 * measured.
 *
 * A table holds for its own board, slot length and supply; slots are charged whole, whatever the
 * frame's length, as the tables were made. Sleep costs nothing in them.
 */
#ifndef TLSMETER_SIM_ENERGY_H
#define TLSMETER_SIM_ENERGY_H

#include "sim/tsch.h"

struct energy_table {
    const char *name, *source;
    double slot_uc[TSCH_SLOT_KINDS];
};

/* "6tisch-simulator": MoteDefines.py of the 6TiSCH simulator. "vilajosana-2014": X. Vilajosana et
 * al., "A realistic energy consumption model for TSCH networks", IEEE Sensors Journal 14(2), 2014,
 * as coded in an earlier version of that simulator. NULL: no such table. */
const struct energy_table *energy_table_find(const char *name);
double energy_slots_uc(const struct energy_table *table, const uint64_t slots[TSCH_SLOT_KINDS]);
/* Charge at a supply voltage as energy: 1 uC at 1 V is 1 uJ. */
static inline double energy_mj(double charge_uc, double supply_v)
{
    return charge_uc * supply_v / 1000;
}

#endif
