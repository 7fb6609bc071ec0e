/*
 * Frames of IEEE 802.15.4 as they are on air: data frames with 64-bit addresses, and the enhanced
 * acknowledgements of TSCH.
 *
 * Layout (IEEE 802.15.4-2015 section 7.2; frame version 2, so that PAN ID compression 0 with two
 * 64-bit addresses means that the destination's PAN only is there, table 7-2): frame control 2,
 * sequence number 1, destination PAN 2, destination 8, source 8, payload, FCS 2. Addresses and
 * numbers are little-endian on air. The acknowledgement carries the ACK/NACK Time Correction IE
 * (7.4.2.7: 4 bytes with its header), here with a correction of 0. The FCS is the ITU-T CRC-16
 * of 7.2.10 (x^16
 * + x^12 + x^5 + 1, bits reflected, start 0).
 *
 * A broadcast (beacon, DIO) goes to the short address 0xffff: 6 bytes less.
 */
#ifndef TLSMETER_SIM_FRAME_H
#define TLSMETER_SIM_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_LARGEST_BYTES = 127, /* aMaxPhyPacketSize, table 11-1 */
    FRAME_HEADER_BYTES = 21,
    FRAME_FCS_BYTES = 2,
    FRAME_LARGEST_PAYLOAD_BYTES = FRAME_LARGEST_BYTES - FRAME_HEADER_BYTES - FRAME_FCS_BYTES,
    FRAME_ACK_BYTES = 27,
    FRAME_PHY_BYTES = 6,       /* preamble 4, SFD 1, length 1: 12.1 */
    FRAME_NS_PER_BYTE = 32000, /* O-QPSK at 250 kbit/s, 2450 MHz: 12.2 */
    FRAME_ADDRESS_BYTES = 8,
    FRAME_PAN = 0xcafe,
};

/* A node's EUI-64 in the order of writing, most significant byte first. Locally administered: 02,
 * 't', 'l', 's', 0, 0, 0, node. */
void frame_address(unsigned node, uint8_t address[FRAME_ADDRESS_BYTES]);
/* Both return the frame's length with FCS; `frame` holds FRAME_LARGEST_BYTES. */
size_t frame_data(uint8_t *frame, unsigned source, unsigned destination, uint8_t sequence,
                  const uint8_t *payload, size_t payload_bytes);
size_t frame_ack(uint8_t *frame, unsigned source, unsigned destination, uint8_t sequence);
uint16_t frame_fcs(const uint8_t *bytes, size_t length);
/* Time on air of a frame of `bytes`, FCS included. */
static inline uint64_t frame_air_ns(size_t bytes)
{
    return (uint64_t)(bytes + FRAME_PHY_BYTES) * FRAME_NS_PER_BYTE;
}

#endif
