/*
 * Slots against sums by hand.
 *
 * Hand times: slots of 10 ms; a frame is told at the end of its slot, so in slot n at (n + 1) 10 ms
 * less 1 ns.
 */
#include "tsch_net.h"

/* The dedicated cell is in slot 4. 10 bytes make a frame of 33 bytes (21 + 10 + 2), 39 with the
 * physical header: 1248 us. It starts at 40 ms + 2120 us, its acknowledgement 1000 us after its
 * end. The channel is 11 + hopping[4] = 11 + 15. The acknowledgement of 27 bytes is on air for 1056
 * us. */
static void one_frame_takes_its_slot(void **state)
{
    (void)state;
    struct net *net = quiet(1);
    uint64_t slots[TSCH_SLOT_KINDS];
    open_net(net, ONE_WAY, 2);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 7));
    assert_int_equal(tsch_queued(net->tsch, 1), 1);
    run_ms(net, 330); /* three slotframes: node 0 listens in slots 4, 15 and 26 */
    assert_int_equal(net->received, 1);
    assert_int_equal(net->received_ns, 50 * SIM_NS_PER_MS - 1);
    assert_int_equal(net->last_length, 10);
    assert_memory_equal(net->last_payload, PAYLOAD, 10);
    assert_int_equal(net->acked, 1);
    assert_int_equal(net->last.asn, 4);
    assert_int_equal(net->last.channel, 26);
    assert_int_equal(net->last.handle, 7);
    assert_int_equal(net->last.frame_bytes, 33);
    assert_int_equal(net->last.frame_ns, 42120000);
    assert_int_equal(net->last.ack_ns, 42120000 + 1248000 + 1000000);
    assert_int_equal(frame_air_ns(FRAME_ACK_BYTES), 1056000);
    assert_int_equal(frame_air_ns(FRAME_LARGEST_BYTES), 4256000);
    tsch_slots(net->tsch, 0, slots);
    assert_int_equal(slots[TSCH_IDLE_LISTEN], 2);
    assert_int_equal(slots[TSCH_RX_ACKED], 1);
    tsch_slots(net->tsch, 1, slots);
    assert_int_equal(slots[TSCH_IDLE_LISTEN], 0);
    assert_int_equal(slots[TSCH_TX_ACKED], 1);
    assert_int_equal(tsch_counts(net->tsch, 1)->transmission_bytes, 33);
    assert_int_equal(tsch_queued(net->tsch, 1), 0);
    close_net(net);
}

/* The study's cells are slots 4, 5, 9 and 10 of 11: frames go at 4, 5, 9, 10, 15, 16. Queued in the
 * middle of slot 4, the first would go at 5. */
static void a_train_goes_through_the_cells_in_order(void **state)
{
    (void)state;
    const uint64_t asns[] = {4, 5, 9, 10, 15, 16, 26};
    struct net *net = quiet(1);
    open_chain(net, STUDY);
    for (uint64_t i = 0; i < 6; i++)
        assert_true(tsch_send(net->tsch, 0, 1, PAYLOAD, 104, i));
    run_ms(net, 255);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 104, 6));
    run_ms(net, 1000);
    assert_int_equal(net->received, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(net->asns[i], asns[i]);
        assert_int_equal(net->handles[i], i);
    }
    close_net(net);
}

/* Every acknowledgement is lost: four attempts in slots 4, 15, 26 and 37, all received. */
static void a_lost_acknowledgement_repeats_the_frame(void **state)
{
    (void)state;
    for (int rejects = 0; rejects < 2; rejects++) {
        const struct loss_model perfect = {.pdr = 1}, deaf = {.pdr = 0};
        struct net *net = quiet(1);
        uint64_t slots[TSCH_SLOT_KINDS];
        tsch_set_loss(&net->settings, &perfect, &deaf);
        net->settings.rejects_duplicates = rejects;
        open_net(net, ONE_WAY, 2);
        assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
        run_ms(net, 1000);
        assert_int_equal(net->received, rejects ? 1 : 4);
        assert_int_equal(tsch_counts(net->tsch, 0)->duplicates, 3);
        assert_int_equal(tsch_counts(net->tsch, 0)->acks_sent, 4);
        assert_int_equal(net->dropped, 1);
        for (uint64_t i = 0; i < 4; i++)
            assert_int_equal(net->asns[i], 4 + 11 * i);
        assert_int_equal(net->transmissions, 4);
        assert_int_equal(net->last.attempt, 4);
        assert_false(net->last.is_acked);
        assert_true(net->last.is_received);
        tsch_slots(net->tsch, 1, slots);
        assert_int_equal(slots[TSCH_TX_UNACKED], 4);
        tsch_slots(net->tsch, 0, slots);
        assert_int_equal(slots[TSCH_RX_ACKED], 4);
        assert_int_equal(slots[TSCH_IDLE_LISTEN], 5); /* slots 4 + 11 k below 100: nine */
        close_net(net);
    }
}

/* Refused once more than 15 - 5 are taken: 11 go in. A frame that left makes room again. */
static void a_full_queue_refuses(void **state)
{
    (void)state;
    struct net *net = quiet(1);
    open_chain(net, STUDY);
    for (uint64_t i = 0; i < 20; i++)
        assert_int_equal(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, i), i < 11);
    assert_false(tsch_send(net->tsch, 0, 1, PAYLOAD, 105, 0)); /* larger than a frame holds */
    run_ms(net, 50);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 30));
    assert_false(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 31));
    assert_int_equal(tsch_counts(net->tsch, 1)->refused, 10);
    assert_int_equal(tsch_counts(net->tsch, 1)->queue_peak, 11);
    assert_int_equal(tsch_forget(net->tsch, 1, 30), 1);
    assert_int_equal(tsch_queued(net->tsch, 1), 10);
    run_ms(net, 2000);
    assert_int_equal(net->received, 11);
    assert_int_equal(net->acked, 11);
    close_net(net);
}

/* Nodes 0 and 2 do not hear each other and both send to 1 in one slot: a collision there. On
 * different channels, or when the listener hears one of them only, there is none. */
static void hidden_senders_collide_at_who_hears_both(void **state)
{
    (void)state;
    for (int apart = 0; apart < 3; apart++) {
        struct net *net = quiet(3);
        uint8_t second_offset = apart == 1 ? 5 : 0;
        if (apart == 2)
            net->settings.radio[2][1].in_range = false;
        const struct tsch_cell cells[] = {
            {1, 0, 0, 1, TSCH_TX}, {1, second_offset, 2, 1, TSCH_TX}, {1, 0, 1, 0, TSCH_RX}};
        net->settings.attempts = 1;
        open_net(net, cells, 3);
        assert_true(tsch_send(net->tsch, 0, 1, PAYLOAD, 10, 0));
        assert_true(tsch_send(net->tsch, 2, 1, PAYLOAD, 10, 1));
        run_ms(net, 1000);
        assert_int_equal(net->received, apart > 0);
        assert_int_equal(net->acked, apart > 0);
        assert_int_equal(net->dropped, apart > 0 ? 1 : 2);
        assert_int_equal(tsch_counts(net->tsch, 1)->collisions, apart == 0);
        uint64_t slots[TSCH_SLOT_KINDS];
        tsch_slots(net->tsch, 1, slots);
        assert_int_equal(slots[TSCH_RX_NOT_ACKED], apart == 0);
        assert_int_equal(slots[TSCH_IDLE_LISTEN], 8); /* slots 1, 12, ... 89: nine */
        close_net(net);
    }
}

/* A frame goes in a minimal cell only to a neighbour without cells of its own. DIOs do: two nodes,
 * one every 20 s each, 1000 s: 50 each. Slot 0 comes 9091 times in 100 000 slots (99 999 / 11 + 1);
 * a node listens there unless it sends. */
static void broadcasts_take_minimal_cells(void **state)
{
    (void)state;
    struct net *net = quiet(1);
    net->settings.dio_period_us = 20000000;
    open_chain(net, STUDY);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
    run_ms(net, 1000000);
    assert_int_equal(net->received, 1);
    for (unsigned node = 0; node < 2; node++) {
        uint64_t slots[TSCH_SLOT_KINDS], sum = 0;
        tsch_slots(net->tsch, node, slots);
        assert_int_equal(tsch_counts(net->tsch, node)->dios, 50);
        assert_int_equal(slots[TSCH_TX_BROADCAST], 50);
        assert_int_equal(slots[TSCH_RX_NOT_ACKED], 50);
        for (int kind = 0; kind < TSCH_SLOT_KINDS; kind++)
            sum += slots[kind];
        assert_int_equal(sum, 5 * 9091 - 1); /* slots 0, 4, 5, 9 and 10; 10 comes once less */
    }
    close_net(net);
}

static void a_frame_without_cells_of_its_own_takes_the_minimal_cell(void **state)
{
    (void)state;
    struct net *net = quiet(1);
    const struct tsch_cell cells[] = {{0, 0, 0, TSCH_ANY, TSCH_TX | TSCH_RX | TSCH_SHARED},
                                      {0, 0, 1, TSCH_ANY, TSCH_TX | TSCH_RX | TSCH_SHARED}};
    const struct tsch_cell own = {7, 0, 1, 0, TSCH_TX}, same = {7, 0, 0, 1, TSCH_RX};
    open_net(net, cells, 2);
    run_ms(net, 5);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
    run_ms(net, 120);
    assert_int_equal(net->asns[0], 11); /* slot 0 of the start had begun */
    assert_true(tsch_add_cell(net->tsch, &own, NULL));
    assert_true(tsch_add_cell(net->tsch, &same, NULL));
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 1));
    run_ms(net, 300);
    assert_int_equal(net->asns[1], 18);
    assert_true(tsch_remove_cell(net->tsch, &own));
    assert_false(tsch_remove_cell(net->tsch, &own));
    assert_true(tsch_remove_cell(net->tsch, &same));
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 2));
    run_ms(net, 1000);
    assert_int_equal(net->asns[2], 33);
    uint64_t slots[TSCH_SLOT_KINDS];
    tsch_slots(net->tsch, 0, slots);
    assert_int_equal(slots[TSCH_RX_ACKED], 3);
    /* slots 0 + 11 k below 100 but 11 and 33: eight; slot 7 from ASN 12 to 29: 18 was used, 29 not
     */
    assert_int_equal(slots[TSCH_IDLE_LISTEN], 10 - 2 + 1);
    close_net(net);
}

/* Node 0 computes from 20 ms to 200 ms: the frame of node 1 is unheard in slots 4 and 15 and
 * received in 26; node 0 does not listen in its RX slots 4 and 15. */
static void computing_blocks_the_radio(void **state)
{
    (void)state;
    struct net *net = quiet(1);
    uint64_t slots[TSCH_SLOT_KINDS];
    open_net(net, ONE_WAY, 2);
    run_ms(net, 20);
    tsch_block(net->tsch, 0, 200 * SIM_NS_PER_MS);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
    run_ms(net, 500);
    assert_int_equal(net->asns[2], 26);
    assert_int_equal(net->received, 1);
    tsch_slots(net->tsch, 0, slots);
    assert_int_equal(slots[TSCH_RX_ACKED], 1);
    assert_int_equal(slots[TSCH_IDLE_LISTEN], 2); /* 37 and 48 */
    tsch_block(net->tsch, 1, 700 * SIM_NS_PER_MS);
    assert_true(tsch_send(net->tsch, 1, 0, PAYLOAD, 10, 0));
    run_ms(net, 2000);
    assert_int_equal(net->asns[3], 70); /* 4 + 11 * 6: the first from slot 70 on */
    close_net(net);
}

static uint64_t play(uint64_t seed, double pdr)
{
    const struct loss_model lossy = {.pdr = pdr};
    struct net *net = quiet(1);
    kernel_init(&net->kernel, seed);
    tsch_set_loss(&net->settings, &lossy, &lossy);
    net->settings.beacon_period_us = 110000;
    open_chain(net, STUDY);
    uint64_t digest = 0;
    for (uint64_t i = 0; i < 200; i++) {
        (void)!tsch_send(net->tsch, i % 3 != 0, i % 3 == 0, PAYLOAD, 50, i);
        run_ms(net, 20 * i);
        digest = digest * 31 + net->last.asn * 2 + net->last.is_acked;
    }
    close_net(net);
    return digest;
}

static void the_same_seed_plays_the_same_run(void **state)
{
    (void)state;
    assert_true(play(5, 0.7) == play(5, 0.7));
    assert_true(play(5, 0.7) != play(6, 0.7));
}

static void chains_have_room_for_each_link(void **state)
{
    (void)state;
    struct tsch_settings settings;
    struct tsch_cell cells[200];
    struct error error;
    tsch_baseline(&settings, 1);
    assert_int_equal(tsch_chain_cells(&settings, &STUDY, cells, 200, &error), 2 + 8);
    const uint16_t slots[] = {4, 5, 9, 10};
    for (int i = 0; i < 4; i++)
        assert_int_equal(cells[2 + 2 * i].slot, slots[i]);
    const struct tsch_chain dedicated = {3, true, false};
    for (unsigned hops = 1; hops <= 8; hops++) {
        tsch_baseline(&settings, hops);
        settings.slotframe_length = 101;
        size_t count = tsch_chain_cells(&settings, &dedicated, cells, 200, &error);
        assert_int_equal(count, hops + 1 + hops * 6 * 2);
        for (size_t i = 0; i < count; i++) /* no node has two cells in one slot */
            for (size_t j = 0; j < i; j++)
                assert_false(cells[i].node == cells[j].node && cells[i].slot == cells[j].slot);
    }
    tsch_baseline(&settings, 2);
    assert_int_equal(tsch_chain_cells(&settings, &STUDY, cells, 200, &error), 0);
    assert_non_null(strstr(error.text, "4 cells for each of 2 links do not fit in 4 slots"));
}

static void nonsense_is_refused_with_the_reason(void **state)
{
    (void)state;
    struct tsch_settings wrong[10];
    const char *const texts[10] = {"2 to 9 nodes, not 1",
                                   "slot of 8000 us is too short",
                                   "1 to 1000 slots, not 0",
                                   "1 to 16 channels",
                                   "from node 0 to 1: pdr is 1.2",
                                   "queue holds 1 to 64 frames, not 0",
                                   "reserve of 15 leaves",
                                   "attempts is 0",
                                   "exponents 3 to 2",
                                   "residual_loss is -1"};
    for (size_t i = 0; i < 10; i++)
        tsch_baseline(&wrong[i], 1);
    wrong[0].node_count = 1;
    wrong[1].times.slot_us = 8000; /* 2120 + 4256 + 1000 + 1056 = 8432 */
    wrong[2].slotframe_length = 0;
    wrong[3].hopping_length = 17;
    wrong[4].radio[0][1].loss.pdr = 1.2;
    wrong[5].queue_length = 0;
    wrong[6].queue_reserve = 15;
    wrong[7].attempts = 0;
    wrong[8].min_be = 3;
    wrong[8].max_be = 2;
    wrong[9].residual_loss = -1;
    struct kernel kernel;
    struct error error;
    struct tsch_user user = {NULL, on_receive, on_sent, NULL};
    kernel_init(&kernel, 1);
    for (size_t i = 0; i < 10; i++) {
        assert_null(tsch_open(&kernel, &wrong[i], ONE_WAY, 2, &user, &error));
        if (strstr(error.text, texts[i]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.text, texts[i]);
    }
    struct tsch_settings settings;
    tsch_baseline(&settings, 1);
    const struct tsch_cell far = {11, 0, 0, 1, TSCH_TX}, self = {1, 0, 1, 1, TSCH_TX};
    assert_null(tsch_open(&kernel, &settings, &far, 1, &user, &error));
    assert_non_null(strstr(error.text, "slot 11 of a slotframe of 11"));
    assert_null(tsch_open(&kernel, &settings, &self, 1, &user, &error));
    assert_null(tsch_open(&kernel, &settings, NULL, 0, &user, &error));
    assert_non_null(strstr(error.text, "without cells"));
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_frame_takes_its_slot),
        cmocka_unit_test(a_train_goes_through_the_cells_in_order),
        cmocka_unit_test(a_lost_acknowledgement_repeats_the_frame),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(hidden_senders_collide_at_who_hears_both),
        cmocka_unit_test(broadcasts_take_minimal_cells),
        cmocka_unit_test(a_frame_without_cells_of_its_own_takes_the_minimal_cell),
        cmocka_unit_test(computing_blocks_the_radio),
        cmocka_unit_test(the_same_seed_plays_the_same_run),
        cmocka_unit_test(chains_have_room_for_each_link),
        cmocka_unit_test(nonsense_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
