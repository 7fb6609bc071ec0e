/* Times against sums by hand; losses against the binomial distribution with fixed seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/link.h"

struct seen {
    struct kernel *kernel;
    struct link *link;
    uint64_t arrivals[2]; /* by receiver */
    uint64_t last_ns[2];
    size_t last_length;
    uint8_t last_number[2];
    bool in_order;
    double delay_sum_ns;
    uint64_t sent_ns;
    uint64_t frames, frame_ns_sum;
};

static void note(void *context, unsigned receiver, const uint8_t *bytes, size_t length)
{
    struct seen *seen = context;
    if (seen->arrivals[receiver]++ > 0)
        seen->in_order &= (uint8_t)(bytes[0] - seen->last_number[receiver]) < 128;
    seen->last_number[receiver] = bytes[0];
    seen->last_ns[receiver] = seen->kernel->now_ns;
    seen->last_length = length;
    seen->delay_sum_ns += (double)(seen->kernel->now_ns - seen->sent_ns);
    for (size_t i = 1; i < length; i++)
        assert_int_equal(bytes[i], (uint8_t)(bytes[0] + i));
}

static void watch(void *context, const struct link_frame *frame)
{
    struct seen *seen = context;
    seen->frames++;
    seen->frame_ns_sum += frame->end_ns - frame->start_ns;
}

static void send(struct seen *seen, unsigned sender, uint8_t number, size_t length)
{
    uint8_t bytes[2000];
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(number + i);
    assert_true(link_send(seen->link, sender, bytes, length));
}

static void open_link(struct seen *seen, struct kernel *kernel,
                      const struct link_settings *settings)
{
    struct error error;
    struct link_user user = {seen, note, watch};
    kernel_init(kernel, 3);
    *seen = (struct seen){.kernel = kernel, .in_order = true};
    seen->link = link_open(kernel, settings, "test", &user, &error);
    assert_non_null(seen->link);
}

static void run_to_the_end(struct kernel *kernel)
{
    assert_int_equal(kernel_run(kernel, SIM_NEVER, NULL), KERNEL_EMPTY);
}

/* 10 kbit/s, frames of 50 + 10 bytes, 1 ms of delay: the base of the cases by hand. */
static const struct link_settings SLOW = {.rate_bit_per_s = 10000,
                                          .delay_us = 1000,
                                          .frame_payload_bytes = 50,
                                          .frame_overhead_bytes = 10,
                                          .duty_cycle = 1};

/* 120 bytes go as 60 + 60 + 30 bytes with overhead: 1200 bits, 120 ms, + 1 ms. A second datagram of
 * 1 byte, 11 with overhead, takes 8.8 ms more. */
static void a_datagram_takes_its_frames_and_the_delay(void **state)
{
    (void)state;
    struct kernel kernel;
    struct seen seen;
    open_link(&seen, &kernel, &SLOW);
    send(&seen, 0, 1, 120);
    assert_int_equal(link_queued(seen.link, 0), 1);
    assert_int_equal(kernel_run(&kernel, 121 * SIM_NS_PER_MS - 1, NULL), KERNEL_LIMIT);
    assert_int_equal(seen.arrivals[1], 0);
    send(&seen, 0, 2, 1);
    run_to_the_end(&kernel);
    assert_int_equal(seen.arrivals[1], 2);
    assert_int_equal(seen.last_ns[1], 121 * SIM_NS_PER_MS - 1 + 8800000 + SIM_NS_PER_MS);
    const struct link_counts *counts = link_sent(seen.link, 0);
    assert_int_equal(counts->datagrams, 2);
    assert_int_equal(counts->frames, 4);
    assert_int_equal(counts->datagram_bytes, 121);
    assert_int_equal(counts->frame_bytes, 161);
    assert_int_equal(counts->air_ns, 128800000);
    assert_int_equal(seen.frames, 4);
    assert_int_equal(seen.frame_ns_sum, 128800000);
    assert_int_equal(link_queued(seen.link, 0), 0);
    assert_int_equal(link_mtu_bytes(seen.link), 1280);
    link_close(seen.link);
    kernel_free(&kernel);
}

/* Both ends send 120 bytes at once. Full duplex: both arrive after 121 ms. Half duplex: frames in
 * turn, 48 ms each: end 0 sends at 0, 96 and 192 (24 ms), end 1 at 48, 144 and 216 (24 ms). */
static void half_duplex_takes_turns(void **state)
{
    (void)state;
    const uint64_t expected_ms[2][2] = {{121, 121}, {241, 217}}; /* [half duplex][receiver] */
    for (int half = 0; half < 2; half++) {
        struct kernel kernel;
        struct seen seen;
        struct link_settings settings = SLOW;
        settings.is_half_duplex = half;
        open_link(&seen, &kernel, &settings);
        send(&seen, 0, 1, 120);
        send(&seen, 1, 1, 120);
        run_to_the_end(&kernel);
        for (int receiver = 0; receiver < 2; receiver++)
            assert_int_equal(seen.last_ns[receiver], expected_ms[half][receiver] * SIM_NS_PER_MS);
        link_close(seen.link);
        kernel_free(&kernel);
    }
}

/* A duty cycle of 10 %: after 48 ms of frame 432 ms of silence, so the frames start at 0, 480 and
 * 960 ms; the last takes 24 ms. At half duplex the other end's 24 ms frame (20 + 10 bytes) goes in
 * the silence, from 48 ms on. */
static void a_duty_cycle_silences_its_sender_only(void **state)
{
    (void)state;
    struct kernel kernel;
    struct seen seen;
    struct link_settings settings = SLOW;
    settings.is_half_duplex = true;
    settings.duty_cycle = 0.1;
    open_link(&seen, &kernel, &settings);
    send(&seen, 0, 1, 120);
    send(&seen, 1, 1, 20);
    run_to_the_end(&kernel);
    assert_int_equal(seen.last_ns[1], 985 * SIM_NS_PER_MS);
    assert_int_equal(seen.last_ns[0], 73 * SIM_NS_PER_MS);
    link_close(seen.link);
    kernel_free(&kernel);
}

/* Uniform over 0 to 10 ms has mean 5 ms and standard deviation 10 / sqrt(12) ms. */
static void jitter_is_even_and_keeps_order(void **state)
{
    (void)state;
    enum { DATAGRAMS = 20000 };
    struct kernel kernel;
    struct seen seen;
    struct link_settings settings = {.rate_bit_per_s = 8000000000,
                                     .delay_us = 2000,
                                     .jitter_us = 10000,
                                     .frame_payload_bytes = 1500,
                                     .duty_cycle = 1};
    open_link(&seen, &kernel, &settings);
    for (int i = 0; i < DATAGRAMS; i++) {
        seen.sent_ns = kernel.now_ns;
        send(&seen, 0, (uint8_t)i, 1);
        run_to_the_end(&kernel);
    }
    double mean_ms = seen.delay_sum_ns / DATAGRAMS / 1e6;
    assert_true(fabs(mean_ms - 7.000001) <= 4.5 * 10 / sqrt(12.0 * DATAGRAMS));
    for (int i = 0; i < 100; i++)
        send(&seen, 0, (uint8_t)i, 1);
    uint64_t start_ns = kernel.now_ns;
    seen.arrivals[1] = 0;
    run_to_the_end(&kernel);
    assert_int_equal(seen.arrivals[1], 100);
    assert_true(seen.in_order);
    assert_true(seen.last_ns[1] > start_ns + 10 * SIM_NS_PER_MS); /* the latest of 100 draws */
    link_close(seen.link);
    kernel_free(&kernel);
}

/* A datagram of three frames arrives with (1 - loss)^3; frames are lost with `loss`. */
static void losses_follow_the_binomial_distribution(void **state)
{
    (void)state;
    enum { DATAGRAMS = 30000 };
    struct kernel kernel;
    struct seen seen;
    struct link_settings settings = SLOW;
    settings.loss = 0.2;
    open_link(&seen, &kernel, &settings);
    for (int i = 0; i < DATAGRAMS; i++) {
        send(&seen, (unsigned)i % 2, (uint8_t)i, 120);
        run_to_the_end(&kernel);
    }
    for (unsigned side = 0; side < 2; side++) {
        const struct link_counts *counts = link_sent(seen.link, side);
        double n = DATAGRAMS / 2.0, p = 0.8 * 0.8 * 0.8;
        assert_true(fabs((double)seen.arrivals[1 - side] - n * p) <= 4.5 * sqrt(n * p * (1 - p)));
        assert_int_equal(counts->datagrams_lost, DATAGRAMS / 2 - seen.arrivals[1 - side]);
        assert_true(fabs((double)counts->frames_lost - 3 * n * 0.2) <=
                    4.5 * sqrt(3 * n * 0.2 * 0.8));
    }
    link_close(seen.link);
    kernel_free(&kernel);
}

/* p = 0.1, r = 0.5 and 10 % of loss besides: lost 1/6 + 5/6 * 0.1 = 0.25; the variance is at most
 * the binomial one times (1 + k) / (1 - k) with k = 0.4. */
static void bursts_and_losses_add_up(void **state)
{
    (void)state;
    enum { FRAMES = 50000 };
    struct kernel kernel;
    struct seen seen;
    struct link_settings settings = SLOW;
    settings.loss = 0.1;
    settings.burst_p = 0.1;
    settings.burst_r = 0.5;
    open_link(&seen, &kernel, &settings);
    for (int i = 0; i < FRAMES; i++) {
        send(&seen, 0, (uint8_t)i, 50);
        run_to_the_end(&kernel);
    }
    double lost = (double)link_sent(seen.link, 0)->frames_lost;
    assert_true(fabs(lost - FRAMES * 0.25) <= 4.5 * sqrt(FRAMES * 0.25 * 0.75 * 1.4 / 0.6));
    link_close(seen.link);
    kernel_free(&kernel);
}

static void the_same_seed_gives_the_same_arrivals(void **state)
{
    (void)state;
    uint64_t last_ns[2], arrivals[2];
    for (int run = 0; run < 2; run++) {
        struct kernel kernel;
        struct seen seen;
        struct link_settings settings = SLOW;
        settings.loss = 0.3;
        settings.jitter_us = 5000;
        open_link(&seen, &kernel, &settings);
        for (int i = 0; i < 500; i++)
            send(&seen, 0, (uint8_t)i, 60);
        if (run == 1)
            send(&seen, 1, 1, 60); /* the other direction draws from its own source */
        run_to_the_end(&kernel);
        last_ns[run] = seen.last_ns[1];
        arrivals[run] = seen.arrivals[1];
        link_close(seen.link);
        kernel_free(&kernel);
    }
    assert_int_equal(arrivals[0], arrivals[1]);
    assert_int_equal(last_ns[0], last_ns[1]);
}

static void what_cannot_be_sent_is_refused(void **state)
{
    (void)state;
    struct kernel kernel;
    struct seen seen;
    struct link_settings settings = SLOW;
    uint8_t bytes[1501] = {0};
    open_link(&seen, &kernel, &settings);
    assert_false(link_send(seen.link, 0, bytes, 0));
    assert_false(link_send(seen.link, 0, bytes, 1281));
    send(&seen, 0, 0, 1280);
    link_close(seen.link); /* with a frame on the way */
    assert_int_equal(kernel.count, 0);
    settings.frame_payload_bytes = 1500;
    struct link_user user = {&seen, note, NULL};
    struct link *wide = link_open(&kernel, &settings, "wide", &user, NULL);
    assert_int_equal(link_mtu_bytes(wide), 1500);
    assert_false(link_send(wide, 0, bytes, 1501));
    link_close(wide);
    link_close(NULL);
    kernel_free(&kernel);
}

static void nonsense_is_refused_with_its_name(void **state)
{
    (void)state;
    struct link_settings wrong[7];
    const char *const texts[7] = {
        "rate_bit_per_s is 0", "frame_payload_bytes is 0", "frame_overhead_bytes is 70000",
        "loss is 1.5",         "duty_cycle is 0;",         "duty_cycle is 1.1",
        "burst_r is 0"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        wrong[i] = SLOW;
    wrong[0].rate_bit_per_s = 0;
    wrong[1].frame_payload_bytes = 0;
    wrong[2].frame_overhead_bytes = 70000;
    wrong[3].loss = 1.5;
    wrong[4].duty_cycle = 0;
    wrong[5].duty_cycle = 1.1;
    wrong[6].burst_p = 0.1;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct error error = {0};
        assert_false(link_check(&wrong[i], &error));
        assert_non_null(strstr(error.text, texts[i]));
    }
    assert_true(link_check(&SLOW, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_datagram_takes_its_frames_and_the_delay),
        cmocka_unit_test(half_duplex_takes_turns),
        cmocka_unit_test(a_duty_cycle_silences_its_sender_only),
        cmocka_unit_test(jitter_is_even_and_keeps_order),
        cmocka_unit_test(losses_follow_the_binomial_distribution),
        cmocka_unit_test(bursts_and_losses_add_up),
        cmocka_unit_test(the_same_seed_gives_the_same_arrivals),
        cmocka_unit_test(what_cannot_be_sent_is_refused),
        cmocka_unit_test(nonsense_is_refused_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
