/* Frames byte by byte, the FCS by its check value, charge by a sum. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/energy.h"
#include "sim/frame.h"

/* The check value of CRC-16/KERMIT, this polynomial and order (Greg Cook's catalogue of CRCs), and
 * the example of IEEE 802.15.4-2015, 7.2.10: the acknowledgement 02 00 6a has, in the
 * order of sending bits r0 to r15 0010 0111 1001 1110, that is 0x79e4. */
static void the_fcs_is_the_standards(void **state)
{
    (void)state;
    const uint8_t ack[] = {0x02, 0x00, 0x6a};
    assert_int_equal(frame_fcs((const uint8_t *)"123456789", 9), 0x2189);
    assert_int_equal(frame_fcs(ack, sizeof ack), 0x79e4);
}

/* Frame control of data: type 1, acknowledgement requested (bit 5), 64-bit destination (bits 10 and
 * 11) and source (14 and 15), version 2 (12 and 13): 0xec21. */
static void a_data_frame_has_its_fields(void **state)
{
    (void)state;
    const uint8_t payload[] = {0xaa, 0xbb};
    const uint8_t expected[] = {0x21, 0xec, 9, 0xfe, 0xca, 3,   0,   0,   0,    's',  'l', 't',
                                0x02, 4,    0, 0,    0,    's', 'l', 't', 0x02, 0xaa, 0xbb};
    uint8_t frame[FRAME_LARGEST_BYTES];
    assert_int_equal(frame_data(frame, 4, 3, 9, payload, 2), sizeof expected + 2);
    assert_memory_equal(frame, expected, sizeof expected);
    unsigned fcs = frame_fcs(expected, sizeof expected);
    assert_int_equal(frame[sizeof expected] | frame[sizeof expected + 1] << 8, fcs);
    assert_int_equal(sizeof expected - 2, FRAME_HEADER_BYTES);
}

/* Type 2, information elements present (bit 9): 0xee02; the IE: length 2, ID 0x1e: 0x0f02. */
static void an_acknowledgement_has_its_fields(void **state)
{
    (void)state;
    const uint8_t start[] = {0x02, 0xee, 200, 0xfe, 0xca, 0};
    const uint8_t element[] = {0x02, 0x0f, 0, 0};
    uint8_t frame[FRAME_LARGEST_BYTES];
    assert_int_equal(frame_ack(frame, 1, 0, 200), FRAME_ACK_BYTES);
    assert_memory_equal(frame, start, sizeof start);
    assert_memory_equal(frame + FRAME_HEADER_BYTES, element, sizeof element);
}

/* 10 x 6.4 + 2 x 54.5 + 1 x 54.5 + 3 x 49.5 + 4 x 32.6 + 5 x 22.6 = 619.4 uC, at 3 V 1.8582 mJ; and
 * 10 x 24.6 + 3 x 64.82 + 3 x 49.37 + 4 x 76.9 + 5 x 64.65 = 1219.42 uC. */
static void charge_adds_up(void **state)
{
    (void)state;
    const uint64_t slots[TSCH_SLOT_KINDS] = {10, 2, 1, 3, 4, 5};
    double charge = energy_slots_uc(energy_table_find("6tisch-simulator"), slots);
    assert_true(fabs(charge - 619.4) < 1e-9);
    assert_true(fabs(energy_mj(charge, 3) - 1.8582) < 1e-9);
    charge = energy_slots_uc(energy_table_find("vilajosana-2014"), slots);
    assert_true(fabs(charge - 1219.42) < 1e-9);
    assert_null(energy_table_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fcs_is_the_standards),
        cmocka_unit_test(a_data_frame_has_its_fields),
        cmocka_unit_test(an_acknowledgement_has_its_fields),
        cmocka_unit_test(charge_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
