#include "sim/tsch_settings.h"

const struct tsch_template tsch_times_10ms = {10000, 2120, 1000};
const struct tsch_template tsch_times_15ms = {15000, 4000, 4606};
const struct tsch_template tsch_times_20ms = {20000, 5215, 5521};

/* The default sequence of macHoppingSequenceList for 16 channels as OpenWSN carries it. */
static const uint8_t HOPPING[LOSS_CHANNELS] = {5, 6, 12, 7, 15, 4, 14, 11,
                                               8, 0, 1,  2, 13, 3, 9,  10};

void tsch_baseline(struct tsch_settings *settings, unsigned hops)
{
    *settings = (struct tsch_settings){
        .node_count = hops + 1,
        .times = tsch_times_10ms,
        .slotframe_length = 11,
        .hopping_length = LOSS_CHANNELS,
        .attempts = 4,
        .min_be = 2,
        .max_be = 4,
        .backoff = TSCH_BACKOFF_OPENWSN,
        .queue_length = 15,
        .queue_reserve = 5,
        .beacon_period_us = 110000,
        .dio_period_us = 20000000,
        .beacon_probability = 1.0 / (hops + 1),
        .beacon_bytes = 46,
        .dio_bytes = 97,
    };
    for (unsigned i = 0; i < LOSS_CHANNELS; i++)
        settings->hopping[i] = HOPPING[i];
    const struct loss_model perfect = {.kind = LOSS_PDR, .pdr = 1};
    tsch_set_loss(settings, &perfect, &perfect);
}

void tsch_set_loss(struct tsch_settings *settings, const struct loss_model *towards_root,
                   const struct loss_model *from_root)
{
    for (unsigned i = 0; i + 1 < settings->node_count && i + 1 < TSCH_MOST_NODES; i++) {
        settings->radio[i + 1][i] = (struct tsch_radio){true, *towards_root};
        settings->radio[i][i + 1] = (struct tsch_radio){true, *from_root};
    }
}

static unsigned usable_slots(const struct tsch_settings *settings, const struct tsch_chain *chain,
                             uint16_t *slots)
{
    unsigned count = 0;
    for (unsigned slot = 1; slot < settings->slotframe_length; slot++) {
        bool is_serial = (slot >= 1 && slot <= 3) || (slot >= 6 && slot <= 8);
        if (!(chain->has_serial_slots && is_serial))
            slots[count++] = (uint16_t)slot;
    }
    return count;
}

/* Both ends' cells of one slot; of a dedicated pair the even ones lead to the root. */
static void put_pair(const struct tsch_chain *chain, unsigned link, unsigned turn, uint16_t slot,
                     struct tsch_cell *pair)
{
    uint8_t near = (uint8_t)link, far = (uint8_t)(link + 1);
    uint8_t offset = (uint8_t)(1 + link); /* 0 is the minimal cell's */
    uint8_t both = TSCH_TX | TSCH_RX | TSCH_SHARED;
    uint8_t near_options = turn % 2 == 0 ? TSCH_RX : TSCH_TX;
    uint8_t far_options = turn % 2 == 0 ? TSCH_TX : TSCH_RX;
    pair[0] =
        (struct tsch_cell){slot, offset, near, far, chain->is_dedicated ? near_options : both};
    pair[1] = (struct tsch_cell){slot, offset, far, near, chain->is_dedicated ? far_options : both};
}

size_t tsch_chain_cells(const struct tsch_settings *settings, const struct tsch_chain *chain,
                        struct tsch_cell *cells, size_t most, struct error *error)
{
    uint16_t slots[TSCH_LONGEST_SLOTFRAME] = {0};
    unsigned links = settings->node_count - 1, groups = links > 1 ? 2 : 1;
    unsigned turns = chain->cells_per_link * (chain->is_dedicated ? 2 : 1);
    if (settings->slotframe_length > TSCH_LONGEST_SLOTFRAME || turns == 0) {
        (void)error_set(error, ERROR_USAGE, "a chain needs cells and at most %d slots",
                        TSCH_LONGEST_SLOTFRAME);
        return 0;
    }
    unsigned usable = usable_slots(settings, chain, slots);
    if ((uint64_t)turns * groups > usable) {
        (void)error_set(error, ERROR_USAGE, "%u cells for each of %u links do not fit in %u slots",
                        chain->cells_per_link, links, usable);
        return 0;
    }
    if (settings->node_count + 2 * (size_t)links * turns > most) {
        (void)error_set(error, ERROR_LIMIT, "no room for the cells of %u links", links);
        return 0;
    }
    size_t count = 0;
    for (unsigned node = 0; node < settings->node_count; node++)
        cells[count++] =
            (struct tsch_cell){0, 0, (uint8_t)node, TSCH_ANY, TSCH_TX | TSCH_RX | TSCH_SHARED};
    for (unsigned link = 0; link < links; link++)
        for (unsigned turn = 0; turn < turns; turn++) {
            unsigned place = (turn * groups + link % 2) * usable / (turns * groups);
            put_pair(chain, link, turn, slots[place], &cells[count]);
            count += 2;
        }
    return count;
}
