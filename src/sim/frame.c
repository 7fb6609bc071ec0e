#include "sim/frame.h"

#include <string.h>

enum {
    TYPE_DATA = 1,
    TYPE_ACK = 2,
    ACK_REQUEST = 1 << 5,
    IES_PRESENT = 1 << 9,
    LONG_DESTINATION = 3 << 10,
    VERSION_2 = 2 << 12,
    LONG_SOURCE = 3 << 14,
    /* Header IE: length 2, element ID 0x1e, type 0 (7.4.2.1, table 7-7). */
    TIME_CORRECTION_IE = 2 | 0x1e << 7,
};

static uint8_t *put16(uint8_t *out, unsigned value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    return out + 2;
}

void frame_address(unsigned node, uint8_t address[FRAME_ADDRESS_BYTES])
{
    const uint8_t bytes[FRAME_ADDRESS_BYTES] = {0x02, 't', 'l', 's', 0, 0, 0, (uint8_t)node};
    memcpy(address, bytes, sizeof bytes);
}

static uint8_t *put_address(uint8_t *out, unsigned node)
{
    uint8_t address[FRAME_ADDRESS_BYTES];
    frame_address(node, address);
    for (int i = FRAME_ADDRESS_BYTES - 1; i >= 0; i--)
        *out++ = address[i];
    return out;
}

uint16_t frame_fcs(const uint8_t *bytes, size_t length)
{
    unsigned crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x8408u : 0);
    }
    return (uint16_t)crc;
}

static uint8_t *put_header(uint8_t *out, unsigned control, unsigned source, unsigned destination,
                           uint8_t sequence)
{
    out = put16(out, control | LONG_DESTINATION | VERSION_2 | LONG_SOURCE);
    *out++ = sequence;
    out = put16(out, FRAME_PAN);
    out = put_address(out, destination);
    return put_address(out, source);
}

static size_t finish(uint8_t *frame, uint8_t *end)
{
    return (size_t)(put16(end, frame_fcs(frame, (size_t)(end - frame))) - frame);
}

size_t frame_data(uint8_t *frame, unsigned source, unsigned destination, uint8_t sequence,
                  const uint8_t *payload, size_t payload_bytes)
{
    uint8_t *out = put_header(frame, TYPE_DATA | ACK_REQUEST, source, destination, sequence);
    memcpy(out, payload, payload_bytes);
    return finish(frame, out + payload_bytes);
}

size_t frame_ack(uint8_t *frame, unsigned source, unsigned destination, uint8_t sequence)
{
    uint8_t *out = put_header(frame, TYPE_ACK | IES_PRESENT, source, destination, sequence);
    out = put16(out, TIME_CORRECTION_IE);
    return finish(frame, put16(out, 0));
}
