#include "sim/loss.h"

#include "core/attributes.h"

/* PDR at -96, -95, ... -79 dBm: see loss_rssi_pdr. */
static const double RSSI_PDR[] = {.1494, .2340, .4071, .6359, .6866, .7476, .8603, .8702, .9324,
                                  .9427, .9562, .9611, .9739, .9745, .9844, .9854, .9903, 1};
#define RSSI_FIRST_DBM (-96.0)

static bool is_probability(double value)
{
    return value >= 0 && value <= 1; /* false for NaN */
}

static bool check_probability(double value, const char *name, struct error *error)
{
    return is_probability(value) ||
           error_set(error, ERROR_USAGE, "%s is %g; it must be from 0 to 1", name, value);
}

bool loss_check(const struct loss_model *model, struct error *error)
{
    switch (model->kind) {
    case LOSS_PDR:
        return check_probability(model->pdr, "pdr", error);
    case LOSS_BURST:
        if (!(model->burst_r > 0))
            return error_set(error, ERROR_USAGE,
                             "burst_r is %g; it must be above 0, else a burst never ends",
                             model->burst_r);
        return check_probability(model->pdr, "pdr", error) &&
               check_probability(model->burst_p, "burst_p", error) &&
               check_probability(model->burst_r, "burst_r", error) &&
               check_probability(model->burst_pdr, "burst_pdr", error);
    case LOSS_CHANNEL:
        for (unsigned channel = 0; channel < LOSS_CHANNELS; channel++)
            if (!check_probability(model->channel_pdr[channel], "channel_pdr", error))
                return false;
        return true;
    case LOSS_RSSI:
        return (model->rssi_dbm >= -200 && model->rssi_dbm <= 50) ||
               error_set(error, ERROR_USAGE, "rssi_dbm is %g; it must be from -200 to 50",
                         model->rssi_dbm);
    }
    return error_set(error, ERROR_USAGE, "no such loss model");
}

static double stationary_bad(const struct loss_model *model)
{
    return model->burst_p / (model->burst_p + model->burst_r);
}

void loss_start(struct loss_state *state, const struct loss_model *model,
                const struct random_source *random)
{
    *state = (struct loss_state){.random = *random};
    if (model->kind == LOSS_BURST)
        state->is_bad = random_unit(&state->random) < stationary_bad(model);
}

static bool burst_delivers(struct loss_state *state, const struct loss_model *model)
{
    double pdr = state->is_bad ? model->burst_pdr : model->pdr;
    bool delivers = random_unit(&state->random) < pdr;
    double change = state->is_bad ? model->burst_r : model->burst_p;
    if (random_unit(&state->random) < change)
        state->is_bad = !state->is_bad;
    return delivers;
}

bool loss_delivers(struct loss_state *state, const struct loss_model *model, unsigned channel)
{
    switch (model->kind) {
    case LOSS_BURST:
        return burst_delivers(state, model);
    case LOSS_CHANNEL:
        return random_unit(&state->random) < model->channel_pdr[channel % LOSS_CHANNELS];
    case LOSS_RSSI:
        return random_unit(&state->random) < loss_rssi_pdr(model->rssi_dbm);
    case LOSS_PDR:
        break;
    }
    return random_unit(&state->random) < model->pdr;
}

double loss_mean_pdr(const struct loss_model *model)
{
    double sum = 0;
    switch (model->kind) {
    case LOSS_BURST:
        return model->pdr + stationary_bad(model) * (model->burst_pdr - model->pdr);
    case LOSS_CHANNEL:
        for (unsigned channel = 0; channel < LOSS_CHANNELS; channel++)
            sum += model->channel_pdr[channel];
        return sum / LOSS_CHANNELS;
    case LOSS_RSSI:
        return loss_rssi_pdr(model->rssi_dbm);
    case LOSS_PDR:
        break;
    }
    return model->pdr;
}

double loss_rssi_pdr(double rssi_dbm)
{
    double place = rssi_dbm - RSSI_FIRST_DBM;
    if (!(place >= 0))
        return 0;
    const size_t last = COUNT_OF(RSSI_PDR) - 1;
    if (place >= (double)last)
        return 1;
    unsigned row = (unsigned)place;
    double part = place - row;
    return RSSI_PDR[row] + part * (RSSI_PDR[row + 1] - RSSI_PDR[row]);
}
