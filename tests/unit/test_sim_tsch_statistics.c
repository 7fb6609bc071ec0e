/* Delivery, contention and losses against probabilities: within 4.5 standard deviations (two-sided
 * p = 7e-6) of the binomial distribution, with fixed seeds. */
#include <math.h>

#include "tsch_net.h"

static void assert_share(uint64_t count, uint64_t n, double p)
{
    double deviation = sqrt((double)n * p * (1 - p));
    if (!(fabs((double)count - (double)n * p) <= 4.5 * deviation))
        fail_msg("%d of %d, expected %g +- %g", (int)count, (int)n, (double)n * p, 4.5 * deviation);
}

/* Of frames sent up to n times: 1 - (1 - p)^n are received, 1 - (1 - p q)^n are known to be. */
static void delivery_is_what_its_probabilities_say(void **state)
{
    (void)state;
    enum { FRAMES = 20000 };
    const double pdrs[] = {0.3, 0.7, 0.9};
    for (size_t i = 0; i < COUNT_OF(pdrs); i++)
        for (unsigned attempts = 1; attempts <= 4; attempts += 3) {
            double p = pdrs[i], q = 0.8;
            const struct loss_model up = {.pdr = p}, down = {.pdr = q};
            struct net *net = quiet(1);
            tsch_set_loss(&net->settings, &up, &down);
            net->settings.attempts = attempts;
            net->settings.rejects_duplicates = true;
            open_net(net, ONE_WAY, 2);
            for (int frame = 0; frame < FRAMES; frame++) {
                assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
                assert_int_equal(kernel_run(&net->kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
            }
            assert_share(net->received, FRAMES, 1 - pow(1 - p, attempts));
            assert_share(net->acked, FRAMES, 1 - pow(1 - p * q, attempts));
            assert_int_equal(net->acked + net->dropped, FRAMES);
            close_net(net);
        }
}

/* Two nodes and one shared cell, both with a frame at once: they collide until they draw different
 * waits. Waits are drawn evenly from 0 to 2^BE - 1, BE 2, 3, 4. STANDARD: equal with 1/4, 1/8,
 * 1/16; all four attempts collide with 1/4 1/8 1/16... of three draws: 1/4 * 1/8 * 1/16 = 1/512.
 * OPENWSN: 0 and 1 are the same wait, so equal with 3/8 (1/4 + 2/16), 5/32 (1/16 + 6/64), 9/128
 * (1/64 + 14/256): 3/8 * 5/32 * 9/128. With BE 1 to 1 OPENWSN never parts them. */
static void contention_is_resolved_as_often_as_the_chain_says(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    const struct {
        enum tsch_backoff rule;
        unsigned min_be, max_be, attempts;
        double all_collide;
    } cases[] = {
        {TSCH_BACKOFF_STANDARD, 2, 4, 2, 1.0 / 4},
        {TSCH_BACKOFF_STANDARD, 1, 4, 4, 1.0 / 2 / 4 / 8},
        {TSCH_BACKOFF_STANDARD, 1, 1, 4, 1.0 / 2 / 2 / 2},
        {TSCH_BACKOFF_OPENWSN, 2, 4, 2, 3.0 / 8},
        {TSCH_BACKOFF_OPENWSN, 2, 4, 3, 3.0 / 8 * 5 / 32},
        {TSCH_BACKOFF_OPENWSN, 1, 1, 4, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct net *net = quiet(1);
        net->settings.backoff = cases[i].rule;
        net->settings.min_be = cases[i].min_be;
        net->settings.max_be = cases[i].max_be;
        net->settings.attempts = cases[i].attempts;
        const struct tsch_cell cells[] = {{3, 1, 0, 1, TSCH_TX | TSCH_RX | TSCH_SHARED},
                                          {3, 1, 1, 0, TSCH_TX | TSCH_RX | TSCH_SHARED}};
        open_net(net, cells, 2);
        uint64_t lost = 0;
        for (int round = 0; round < ROUNDS; round++) {
            uint64_t before = net->dropped;
            assert_true(tsch_send(net->tsch, 0, 1, PAYLOAD, 10, 0));
            assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
            assert_int_equal(kernel_run(&net->kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
            lost += net->dropped > before;
            run_ms(net, net->kernel.now_ns / SIM_NS_PER_MS + 110 * 20); /* any wait is over */
            /* both were dropped in their last slot together; start anew without their backoff */
            if (net->dropped > before) {
                tsch_close(net->tsch);
                kernel_free(&net->kernel);
                kernel_init(&net->kernel, 1000 + (uint64_t)round);
                open_net(net, cells, 2);
            }
        }
        assert_share(lost, ROUNDS, cases[i].all_collide);
        close_net(net);
    }
}

/* Monte Carlo written apart: three always busy senders in one shared cell per slotframe, a counter
 * each, a collision whenever two counters are 0 at once; a share of successes per batch of cells.
 */
enum { BATCHES = 30, BATCH_CELLS = 1000, SENDERS = 3 };

static double reference_batch(struct random_source *random, unsigned *wait, unsigned *exponent,
                              unsigned *tries)
{
    unsigned successes = 0;
    for (int cell = 0; cell < BATCH_CELLS; cell++) {
        unsigned ready = 0;
        for (int i = 0; i < SENDERS; i++)
            ready += wait[i] == 0;
        for (int i = 0; i < SENDERS; i++) {
            if (wait[i] > 0) {
                wait[i]--;
                continue;
            }
            if (ready == 1) {
                exponent[i] = 1;
                tries[i] = 0;
                successes++;
                continue;
            }
            wait[i] = (unsigned)random_below(random, UINT64_C(1) << exponent[i]);
            exponent[i] += exponent[i] < 5;
            if (++tries[i] == 4)
                tries[i] = 0; /* dropped: the next frame goes on with this backoff */
        }
    }
    return (double)successes / BATCH_CELLS;
}

static void busy_senders_share_a_cell_as_a_plain_loop_says(void **state)
{
    (void)state;
    struct net *net = quiet(3);
    const struct loss_model perfect = {.pdr = 1};
    net->settings.backoff = TSCH_BACKOFF_STANDARD;
    net->settings.min_be = 1;
    net->settings.max_be = 5;
    struct tsch_cell cells[2 * SENDERS];
    for (unsigned i = 0; i < SENDERS; i++) {
        uint8_t sender = (uint8_t)(i + 1);
        cells[2 * i] = (struct tsch_cell){2, 0, sender, 0, TSCH_TX | TSCH_SHARED};
        cells[2 * i + 1] = (struct tsch_cell){2, 0, 0, sender, TSCH_RX | TSCH_SHARED};
        net->settings.radio[sender][0] = net->settings.radio[0][sender] =
            (struct tsch_radio){true, perfect};
    }
    net->refills = true;
    open_net(net, cells, COUNT_OF(cells));
    for (unsigned i = 0; i < SENDERS; i++)
        assert_true(tsch_send(net->tsch, i + 1, 0, PAYLOAD, 10, i));
    struct random_source random;
    random_seed(&random, 77);
    unsigned wait[SENDERS] = {0}, exponent[SENDERS] = {1, 1, 1}, tries[SENDERS] = {0};
    double sum[2] = {0}, squares[2] = {0};
    for (int batch = 0; batch < BATCHES; batch++) {
        uint64_t before = net->acked;
        run_ms(net, (uint64_t)(batch + 1) * BATCH_CELLS * 110);
        double share[2] = {(double)(net->acked - before) / BATCH_CELLS,
                           reference_batch(&random, wait, exponent, tries)};
        for (int i = 0; i < 2; i++) {
            sum[i] += share[i];
            squares[i] += share[i] * share[i];
        }
    }
    double variance = 0;
    for (int i = 0; i < 2; i++)
        variance += (squares[i] - sum[i] * sum[i] / BATCHES) / (BATCHES - 1) / BATCHES;
    assert_true(fabs(sum[0] - sum[1]) / BATCHES <= 4.5 * sqrt(variance));
    assert_true(sqrt(variance) < 0.01); /* the comparison is sharp */
    assert_true(tsch_counts(net->tsch, 0)->collisions > 0);
    close_net(net);
}

/* Bursts of half the time, per channel and residual: what the receiver gets in one attempt. */
static void losses_of_all_models_reach_the_receiver(void **state)
{
    (void)state;
    enum { FRAMES = 20000 };
    struct loss_model models[] = {
        {.kind = LOSS_BURST, .pdr = 1, .burst_p = 0.5, .burst_r = 0.5, .burst_pdr = 0.2},
        {.kind = LOSS_CHANNEL},
        {.kind = LOSS_RSSI, .rssi_dbm = -93},
        {.kind = LOSS_PDR, .pdr = 1},
    };
    for (unsigned channel = 0; channel < 8; channel++)
        models[1].channel_pdr[channel] = 1; /* half of the channels: 11 and 16 share no divisor */
    const double expected[] = {0.6, 0.5, 0.6359, 0.75};
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        struct net *net = quiet(1);
        const struct loss_model perfect = {.pdr = 1};
        tsch_set_loss(&net->settings, &models[i], &perfect);
        net->settings.attempts = 1;
        net->settings.residual_loss = i == 3 ? 0.25 : 0;
        open_net(net, ONE_WAY, 2);
        for (int frame = 0; frame < FRAMES; frame++) {
            assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
            assert_int_equal(kernel_run(&net->kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
        }
        assert_share(net->received, FRAMES, expected[i]);
        assert_int_equal(net->acked, i == 3 ? FRAMES : net->received);
        close_net(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delivery_is_what_its_probabilities_say),
        cmocka_unit_test(contention_is_resolved_as_often_as_the_chain_says),
        cmocka_unit_test(busy_senders_share_a_cell_as_a_plain_loop_says),
        cmocka_unit_test(losses_of_all_models_reach_the_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
