#include "sim/energy.h"

#include <string.h>

static const struct energy_table TABLES[] = {
    {"6tisch-simulator",
     "6TiSCH simulator, SimEngine/Mote/MoteDefines.py; without acknowledgement as with (its forks)",
     {[TSCH_IDLE_LISTEN] = 6.4,
      [TSCH_TX_ACKED] = 54.5,
      [TSCH_TX_UNACKED] = 54.5,
      [TSCH_TX_BROADCAST] = 49.5,
      [TSCH_RX_ACKED] = 32.6,
      [TSCH_RX_NOT_ACKED] = 22.6}},
    {"vilajosana-2014",
     "Vilajosana et al., IEEE Sensors Journal 14(2), 2014; without acknowledgement assumed as with",
     {[TSCH_IDLE_LISTEN] = 24.60,
      [TSCH_TX_ACKED] = 64.82,
      [TSCH_TX_UNACKED] = 64.82,
      [TSCH_TX_BROADCAST] = 49.37,
      [TSCH_RX_ACKED] = 76.90,
      [TSCH_RX_NOT_ACKED] = 64.65}},
};

const struct energy_table *energy_table_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(TABLES); i++)
        if (strcmp(TABLES[i].name, name) == 0)
            return &TABLES[i];
    return NULL;
}

double energy_slots_uc(const struct energy_table *table, const uint64_t slots[TSCH_SLOT_KINDS])
{
    double sum = 0;
    for (int kind = 0; kind < TSCH_SLOT_KINDS; kind++)
        sum += table->slot_uc[kind] * (double)slots[kind];
    return sum;
}
