/* A small network that notes what happens: for the tests of sim/tsch.h. */
#ifndef TLSMETER_TESTS_TSCH_NET_H
#define TLSMETER_TESTS_TSCH_NET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/tsch.h"
#include "sim/tsch_settings.h"

enum { MOST_NOTES = 64 };

struct net {
    struct kernel kernel;
    struct tsch_settings settings;
    struct tsch *tsch;
    uint64_t received, acked, dropped, transmissions;
    uint64_t asns[MOST_NOTES], handles[MOST_NOTES]; /* of transmissions */
    struct tsch_transmission last;
    uint64_t received_ns;
    uint8_t last_payload[FRAME_LARGEST_BYTES];
    size_t last_length;
    bool refills; /* queue another frame whenever one ends */
};

static const uint8_t PAYLOAD[FRAME_LARGEST_PAYLOAD_BYTES] = {0x41, 1, 2, 3};

static inline void on_receive(void *context, unsigned node, unsigned sender, const uint8_t *payload,
                              size_t length)
{
    struct net *net = context;
    assert_true(node != sender);
    net->received++;
    net->received_ns = net->kernel.now_ns;
    net->last_length = length;
    memcpy(net->last_payload, payload, length);
}

static inline void on_sent(void *context, unsigned node, uint64_t handle, bool is_acked)
{
    struct net *net = context;
    net->acked += is_acked;
    net->dropped += !is_acked;
    if (net->refills)
        assert_true(tsch_send(net->tsch, node, 0, PAYLOAD, 10, handle));
}

static inline void on_watch(void *context, const struct tsch_transmission *transmission)
{
    struct net *net = context;
    if (net->transmissions < MOST_NOTES) {
        net->asns[net->transmissions] = transmission->asn;
        net->handles[net->transmissions] = transmission->handle;
    }
    net->transmissions++;
    net->last = *transmission;
}

/* Quiet: no beacons and no DIOs. */
static inline struct net *quiet(unsigned hops)
{
    struct net *net = calloc(1, sizeof *net);
    assert_non_null(net);
    kernel_init(&net->kernel, 11);
    tsch_baseline(&net->settings, hops);
    net->settings.beacon_period_us = net->settings.dio_period_us = 0;
    return net;
}

static inline void open_net(struct net *net, const struct tsch_cell *cells, size_t count)
{
    struct error error;
    struct tsch_user user = {net, on_receive, on_sent, on_watch};
    net->tsch = tsch_open(&net->kernel, &net->settings, cells, count, &user, &error);
    if (net->tsch == NULL)
        fail_msg("%s", error.text);
}

static inline void open_chain(struct net *net, struct tsch_chain chain)
{
    struct tsch_cell cells[TSCH_MOST_CELLS];
    size_t count = tsch_chain_cells(&net->settings, &chain, cells, COUNT_OF(cells), NULL);
    assert_true(count > 0);
    open_net(net, cells, count);
}

static inline void close_net(struct net *net)
{
    tsch_close(net->tsch);
    assert_int_equal(net->kernel.count, 0); /* nothing is left behind */
    kernel_free(&net->kernel);
    free(net);
}

static inline void stop(void *context)
{
    kernel_stop(context);
}

/* Time goes on to `until_ms` even if nothing happens. */
static inline void run_ms(struct net *net, uint64_t until_ms)
{
    struct event end;
    event_init(&end, stop, &net->kernel);
    kernel_at(&net->kernel, &end, until_ms * SIM_NS_PER_MS);
    (void)kernel_run(&net->kernel, until_ms * SIM_NS_PER_MS, NULL);
}

__attribute__((unused)) static const struct tsch_cell ONE_WAY[] = {{4, 0, 1, 0, TSCH_TX},
                                                                   {4, 0, 0, 1, TSCH_RX}};
__attribute__((unused)) static const struct tsch_chain STUDY = {4, false, true};

#endif
