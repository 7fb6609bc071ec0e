#include "handshake/wire.h"

#include <stdio.h>
#include <string.h>

#include "core/attributes.h"

enum {
    TLS_HEADER_BYTES = 5,
    DTLS_HEADER_BYTES = 13,
    TLS_MESSAGE_HEADER_BYTES = 4,
    DTLS_MESSAGE_HEADER_BYTES = 12,
    TYPE_CHANGE_CIPHER_SPEC = 20,
    TYPE_HANDSHAKE = 22,
    TYPE_APPLICATION_DATA = 23,
    MOST_RECORD_BYTES = 16384 + 2048, /* RFC 5246 section 6.2.3 */
    MESSAGE_SERVER_HELLO = 2,
};

/* IANA registry "TLS HandshakeType". */
static const char *const message_names[] = {
    [0] = "hello_request",
    [1] = "client_hello",
    [2] = "server_hello",
    [3] = "hello_verify_request",
    [4] = "new_session_ticket",
    [8] = "encrypted_extensions",
    [11] = "certificate",
    [12] = "server_key_exchange",
    [13] = "certificate_request",
    [14] = "server_hello_done",
    [15] = "certificate_verify",
    [16] = "client_key_exchange",
    [20] = "finished",
    [22] = "certificate_status",
};

static const char *const record_names[] = {
    [TYPE_CHANGE_CIPHER_SPEC] = "change_cipher_spec",
    [21] = "alert",
    [TYPE_HANDSHAKE] = "handshake",
    [TYPE_APPLICATION_DATA] = "application_data",
};

const char *wire_message_name(uint8_t type)
{
    return type < COUNT_OF(message_names) ? message_names[type] : NULL;
}

void wire_init(struct wire *wire, bool datagram)
{
    memset(wire, 0, sizeof *wire);
    wire->datagram = datagram;
}

static size_t header_bytes(const struct wire *wire)
{
    return wire->datagram ? DTLS_HEADER_BYTES : TLS_HEADER_BYTES;
}

static size_t big_endian(const unsigned char *bytes, size_t count)
{
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void append_name(struct wire_record *record, const char *name)
{
    size_t length = strlen(record->name);
    (void)snprintf(record->name + length, sizeof record->name - length, "%s%s",
                   length == 0 ? "" : ", ", name);
}

/* The version a server_hello chose is TLS 1.3 when the supported_versions extension (43) is there
 * with 0x0304 (RFC 8446 section 4.2.1). */
static bool chooses_tls_1_3(const unsigned char *body, size_t length)
{
    static const unsigned char extension[] = {0x00, 0x2b, 0x00, 0x02, 0x03, 0x04};
    return memmem(body, length, extension, sizeof extension) != NULL;
}

/* Names the messages of a record in the clear, as far as its body was kept. */
static void name_messages(struct wire *wire, struct wire_direction *direction,
                          struct wire_record *record)
{
    size_t header = wire->datagram ? DTLS_MESSAGE_HEADER_BYTES : TLS_MESSAGE_HEADER_BYTES;
    size_t body_length = record->length_bytes - header_bytes(wire);
    size_t at = direction->message_left;
    if (at > 0)
        append_name(record, "(continued)");
    if (at >= body_length) {
        direction->message_left = at - body_length;
        return;
    }
    while (at + header <= direction->body_filled) {
        const unsigned char *message = direction->body + at;
        const char *name = wire_message_name(message[0]);
        append_name(record, name == NULL ? "unknown message" : name);
        size_t fragment = wire->datagram ? big_endian(message + 9, 3) : big_endian(message + 1, 3);
        if (message[0] == MESSAGE_SERVER_HELLO &&
            chooses_tls_1_3(message, direction->body_filled - at))
            wire->tls_1_3 = true;
        at += header + fragment;
    }
    direction->message_left = !wire->datagram && at > body_length ? at - body_length : 0;
    if (at < body_length && at + header > direction->body_filled)
        append_name(record, "...");
}

static void finish_record(struct wire *wire, enum tls_role sender)
{
    struct wire_direction *direction = &wire->directions[sender];
    size_t header = header_bytes(wire);
    struct wire_record record = {
        .sender = sender,
        .flight = wire->flights,
        .type = direction->head[0],
        .encrypted = direction->encrypted || direction->head[0] == TYPE_APPLICATION_DATA,
        .length_bytes = (uint32_t)(header + big_endian(direction->head + header - 2, 2)),
    };
    if (wire->datagram && big_endian(direction->head + 3, 2) > 0)
        record.encrypted = true; /* epoch 1 and on */
    direction->records++;
    if (record.type == TYPE_HANDSHAKE && !record.encrypted)
        name_messages(wire, direction, &record);
    else
        append_name(&record, record_names[record.type]);
    if (record.type == TYPE_CHANGE_CIPHER_SPEC && !wire->datagram && !wire->tls_1_3)
        direction->encrypted = true;
    if (wire->record_count < WIRE_RECORDS)
        wire->records[wire->record_count++] = record;
    direction->head_filled = 0;
    direction->body_filled = 0;
}

static bool is_header(const struct wire *wire, const unsigned char *head)
{
    size_t length = big_endian(head + header_bytes(wire) - 2, 2);
    bool version = wire->datagram ? head[1] == 0xfe : head[1] == 0x03;
    return head[0] >= TYPE_CHANGE_CIPHER_SPEC && head[0] <= TYPE_APPLICATION_DATA && version &&
           length <= MOST_RECORD_BYTES;
}

/* Takes one byte or more of the record under way; returns how many. */
static size_t take(struct wire *wire, enum tls_role sender, const unsigned char *bytes,
                   size_t length)
{
    struct wire_direction *direction = &wire->directions[sender];
    size_t header = header_bytes(wire);
    if (direction->head_filled < header) {
        direction->head[direction->head_filled++] = bytes[0];
        if (direction->head_filled < header)
            return 1;
        if (!is_header(wire, direction->head)) {
            wire->unknown_bytes += header;
            direction->head_filled = 0;
            return 1;
        }
        direction->body_left = big_endian(direction->head + header - 2, 2);
        if (direction->body_left == 0)
            finish_record(wire, sender);
        return 1;
    }
    size_t part = length < direction->body_left ? length : direction->body_left;
    size_t room = sizeof direction->body - direction->body_filled;
    size_t kept = part < room ? part : room;
    memcpy(direction->body + direction->body_filled, bytes, kept);
    direction->body_filled += kept;
    direction->body_left -= part;
    if (direction->body_left == 0)
        finish_record(wire, sender);
    return part;
}

void wire_feed(void *context, enum tls_role sender, const void *bytes, size_t length)
{
    struct wire *wire = context;
    struct wire_direction *direction = &wire->directions[sender];
    const unsigned char *next = bytes;
    if (length == 0)
        return;
    if (wire->flights == 0 || sender != wire->last_sender)
        wire->flights++;
    wire->last_sender = sender;
    direction->bytes += length;
    direction->datagrams++;
    if (wire->datagram) /* a record never crosses datagrams */
        direction->head_filled = direction->body_left = direction->body_filled = 0;
    while (length > 0) {
        size_t taken = take(wire, sender, next, length);
        next += taken;
        length -= taken;
    }
}
