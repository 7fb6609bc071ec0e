/*
 * What a handshake looks like on the wire: its records, messages and flights, with their bytes.
 *
 * A wire is fed every byte either side sends, in order, and keeps one entry per record. A record in
 * the clear is named after the handshake messages in it; one that is encrypted is named by its
 * record type alone, since nothing here holds keys. A flight is what one side sends before the
 * other answers.
 *
 * Formats: RFC 5246 and RFC 8446 section 5 (TLS records), RFC 6347 section 4.1 (DTLS records), RFC
 * 8446 section 4 and RFC 6347 section 4.2.2 (handshake messages). Any bytes are safe input: what is
 * no record is counted in `unknown_bytes`. The caller owns the wire; it holds no memory outside its
 * struct.
 */
#ifndef TLSMETER_HANDSHAKE_WIRE_H
#define TLSMETER_HANDSHAKE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tls/endpoint.h"

enum { WIRE_RECORDS = 96, WIRE_NAME_BYTES = 96 };

struct wire_record {
    enum tls_role sender;
    unsigned flight; /* from 1 */
    uint8_t type;    /* RFC 8446 section B.1: 20 ccs, 21 alert, 22 handshake, 23 data */
    bool encrypted;
    uint32_t length_bytes;      /* with the record's header */
    char name[WIRE_NAME_BYTES]; /* "server_hello, certificate, server_hello_done" */
};

struct wire_direction {
    unsigned char head[13]; /* of the record under way */
    size_t head_filled;
    size_t body_left;
    unsigned char body[512]; /* of it, as far as names are read from */
    size_t body_filled;
    size_t message_left; /* bytes of a message that goes on in the next record */
    bool encrypted;      /* everything from here on */
    uint64_t bytes, records, datagrams;
};

struct wire {
    bool datagram;
    bool tls_1_3;                        /* seen in a server_hello */
    struct wire_direction directions[2]; /* by sender */
    struct wire_record records[WIRE_RECORDS];
    size_t record_count; /* kept; more are counted in `directions` only */
    unsigned flights;
    enum tls_role last_sender;
    uint64_t unknown_bytes;
};

void wire_init(struct wire *wire, bool datagram);
/* One write of a stream or one whole datagram. Fits struct pipe's tap. */
void wire_feed(void *wire, enum tls_role sender, const void *bytes, size_t length);

/* "client_hello"; "message 42" has no name and gives NULL. */
const char *wire_message_name(uint8_t type);

#endif
