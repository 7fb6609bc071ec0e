/* Shares and lengths of bursts against their expectation, within 4.5 standard deviations (two-sided
 * p = 7e-6) of the distribution; the seeds are fixed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/loss.h"

#define SIGMAS 4.5
enum { FRAMES = 200000 };

static void assert_share(double count, double n, double p)
{
    double deviation = sqrt(n * p * (1 - p));
    if (!(fabs(count - n * p) <= SIGMAS * deviation))
        fail_msg("%g of %g, expected %g +- %g", count, n, n * p, SIGMAS * deviation);
}

static void start(struct loss_state *state, const struct loss_model *model, uint64_t seed)
{
    struct random_source random;
    random_seed(&random, seed);
    assert_true(loss_check(model, NULL));
    loss_start(state, model, &random);
}

static void frames_get_through_with_the_pdr(void **state)
{
    (void)state;
    const double pdrs[] = {0, 0.1, 0.5, 0.9, 0.999, 1};
    for (size_t i = 0; i < COUNT_OF(pdrs); i++) {
        struct loss_model model = {.kind = LOSS_PDR, .pdr = pdrs[i]};
        struct loss_state loss;
        double through = 0;
        start(&loss, &model, i);
        for (int frame = 0; frame < FRAMES; frame++)
            through += loss_delivers(&loss, &model, 0);
        assert_share(through, FRAMES, pdrs[i]);
        assert_true(loss_mean_pdr(&model) == pdrs[i]);
    }
}

/* p = 0.02, r = 0.25: the bad share is 0.02 / 0.27, a burst lasts 1 / r = 4 frames in the mean with
 * variance (1 - r) / r^2 = 12 (geometric), and n frames hold about n p (1 - bad) bursts. The number
 * lost has the binomial variance times (1 + k) / (1 - k), k = 1 - p - r (the autocorrelation of a
 * two-state chain is k to the lag). */
static void bursts_are_as_many_and_as_long_as_the_chain_says(void **state)
{
    (void)state;
    struct loss_model model = {.kind = LOSS_BURST, .pdr = 1, .burst_p = 0.02, .burst_r = 0.25};
    struct loss_state loss;
    double lost = 0, bursts = 0;
    bool was_lost = false;
    start(&loss, &model, 5);
    for (int frame = 0; frame < FRAMES; frame++) {
        bool is_lost = !loss_delivers(&loss, &model, 0);
        lost += is_lost;
        bursts += is_lost && !was_lost;
        was_lost = is_lost;
    }
    double bad = 0.02 / 0.27, k = 1 - 0.27;
    double deviation = sqrt(FRAMES * bad * (1 - bad) * (1 + k) / (1 - k));
    assert_true(fabs(lost - FRAMES * bad) <= SIGMAS * deviation);
    assert_true(fabs(lost / bursts - 4) <= SIGMAS * sqrt(12 / bursts));
    assert_true(fabs(loss_mean_pdr(&model) - (1 - bad)) < 1e-12);
}

/* Elliott's channel: 0.9 in the good state, 0.3 in the bad one, both half of the time. */
static void both_states_may_lose(void **state)
{
    (void)state;
    struct loss_model model = {
        .kind = LOSS_BURST, .pdr = 0.9, .burst_p = 0.5, .burst_r = 0.5, .burst_pdr = 0.3};
    struct loss_state loss;
    double through = 0;
    start(&loss, &model, 6);
    for (int frame = 0; frame < FRAMES; frame++)
        through += loss_delivers(&loss, &model, 0);
    assert_share(through, FRAMES, 0.6); /* p + r = 1: frames are independent */
    assert_true(fabs(loss_mean_pdr(&model) - 0.6) < 1e-12);
}

static void each_channel_has_its_own_pdr(void **state)
{
    (void)state;
    struct loss_model model = {.kind = LOSS_CHANNEL};
    struct loss_state loss;
    double through[LOSS_CHANNELS] = {0};
    for (unsigned channel = 0; channel < LOSS_CHANNELS; channel++)
        model.channel_pdr[channel] = channel / 15.0;
    start(&loss, &model, 7);
    for (unsigned frame = 0; frame < FRAMES; frame++)
        through[frame % 16] += loss_delivers(&loss, &model, frame % 16);
    for (unsigned channel = 0; channel < LOSS_CHANNELS; channel++)
        assert_share(through[channel], FRAMES / 16.0, channel / 15.0);
    assert_true(fabs(loss_mean_pdr(&model) - 0.5) < 1e-12);
}

/* The rows of the simulator's table, and the middle of two rows: (0.8603 + 0.7476) / 2. */
static void strength_gives_a_pdr(void **state)
{
    (void)state;
    assert_true(loss_rssi_pdr(-96) == 0.1494);
    assert_true(loss_rssi_pdr(-90) == 0.8603);
    assert_true(fabs(loss_rssi_pdr(-90.5) - 0.80395) < 1e-12);
    assert_true(loss_rssi_pdr(-80) == 0.9903);
    assert_true(loss_rssi_pdr(-79) == 1);
    assert_true(loss_rssi_pdr(-40) == 1);
    assert_true(loss_rssi_pdr(-96.1) == 0);
    struct loss_model model = {.kind = LOSS_RSSI, .rssi_dbm = -88};
    struct loss_state loss;
    double through = 0;
    start(&loss, &model, 8);
    for (int frame = 0; frame < FRAMES; frame++)
        through += loss_delivers(&loss, &model, 3);
    assert_share(through, FRAMES, 0.9324);
}

static void nonsense_is_refused_with_its_name(void **state)
{
    (void)state;
    const struct {
        struct loss_model model;
        const char *text;
    } cases[] = {
        {{.kind = LOSS_PDR, .pdr = 1.2}, "pdr is 1.2"},
        {{.kind = LOSS_PDR, .pdr = NAN}, "pdr is"},
        {{.kind = LOSS_BURST, .pdr = 1, .burst_p = -0.1, .burst_r = 1}, "burst_p is -0.1"},
        {{.kind = LOSS_BURST, .pdr = 1, .burst_p = 0.1}, "burst_r is 0"},
        {{.kind = LOSS_BURST, .pdr = 1, .burst_r = 0.1, .burst_pdr = 7}, "burst_pdr is 7"},
        {{.kind = LOSS_CHANNEL, .channel_pdr = {[3] = 2}}, "channel_pdr is 2"},
        {{.kind = LOSS_RSSI, .rssi_dbm = 80}, "rssi_dbm is 80"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {0};
        assert_false(loss_check(&cases[i].model, &error));
        assert_non_null(strstr(error.text, cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_get_through_with_the_pdr),
        cmocka_unit_test(bursts_are_as_many_and_as_long_as_the_chain_says),
        cmocka_unit_test(both_states_may_lose),
        cmocka_unit_test(each_channel_has_its_own_pdr),
        cmocka_unit_test(strength_gives_a_pdr),
        cmocka_unit_test(nonsense_is_refused_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
