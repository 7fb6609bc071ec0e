#include <stddef.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/endpoint.h"

static const char *const protocol_names[] = {
    [TLS_1_2] = "tls1.2", [TLS_1_3] = "tls1.3", [DTLS_1_2] = "dtls1.2", [DTLS_1_3] = "dtls1.3"};

static const char *const key_exchange_names[] = {[TLS_KX_ECDHE] = "ecdhe",
                                                 [TLS_KX_DHE] = "dhe",
                                                 [TLS_KX_RSA] = "rsa",
                                                 [TLS_KX_PSK] = "psk",
                                                 [TLS_KX_ECDHE_PSK] = "ecdhe-psk"};

static const char *const resumption_names[] = {[TLS_RESUME_NONE] = "none",
                                               [TLS_RESUME_TICKET] = "ticket",
                                               [TLS_RESUME_SESSION_ID] = "session-id",
                                               [TLS_RESUME_PSK] = "psk"};

const char *tls_protocol_name(enum tls_protocol protocol)
{
    return protocol_names[protocol];
}

bool tls_protocol_parse(const char *name, enum tls_protocol *protocol)
{
    for (size_t i = 0; i < COUNT_OF(protocol_names); i++)
        if (strcmp(protocol_names[i], name) == 0) {
            *protocol = (enum tls_protocol)i;
            return true;
        }
    return false;
}

bool tls_protocol_is_datagram(enum tls_protocol protocol)
{
    return protocol == DTLS_1_2 || protocol == DTLS_1_3;
}

const char *tls_key_exchange_name(enum tls_key_exchange key_exchange)
{
    return key_exchange_names[key_exchange];
}

const char *tls_resumption_name(enum tls_resumption resumption)
{
    return resumption_names[resumption];
}

struct alert_row {
    int number;
    const char *name;
    const char *meaning; /* to whom it was sent; NULL: the name says all there is */
};

static const struct alert_row alert_rows[] = {
    {0, "close_notify", NULL},
    {10, "unexpected_message", NULL},
    {20, "bad_record_mac", NULL},
    {22, "record_overflow", NULL},
    {40, "handshake_failure",
     "it accepts no suite, group or signature of ours, or misses a certificate"},
    {42, "bad_certificate", "it refuses our certificate"},
    {43, "unsupported_certificate", "it cannot use our kind of certificate"},
    {44, "certificate_revoked", "our certificate is revoked"},
    {45, "certificate_expired", "our certificate has expired"},
    {46, "certificate_unknown", "it refuses our certificate"},
    {47, "illegal_parameter", NULL},
    {48, "unknown_ca", "it does not trust who signed our certificate"},
    {49, "access_denied", NULL},
    {50, "decode_error", NULL},
    {51, "decrypt_error", NULL},
    {70, "protocol_version", "it does not speak this version"},
    {71, "insufficient_security", "it demands stronger cryptography"},
    {80, "internal_error", "the fault is on its side"},
    {86, "inappropriate_fallback", NULL},
    {90, "user_canceled", NULL},
    {100, "no_renegotiation", NULL},
    {109, "missing_extension", NULL},
    {110, "unsupported_extension", NULL},
    {112, "unrecognized_name", "it serves nothing under this name"},
    {113, "bad_certificate_status_response", NULL},
    {115, "unknown_psk_identity", "it does not know our pre-shared key's name"},
    {116, "certificate_required", "it demands a certificate of ours"},
    {120, "no_application_protocol", "it speaks no application protocol of ours"},
};

static const struct alert_row *find_alert(int64_t number)
{
    for (size_t i = 0; i < COUNT_OF(alert_rows); i++)
        if (alert_rows[i].number == number)
            return &alert_rows[i];
    return NULL;
}

const char *tls_alert_name(int64_t number)
{
    const struct alert_row *row = find_alert(number);
    return row == NULL ? NULL : row->name;
}

bool tls_alert_received(struct error *error, int number)
{
    const struct alert_row *row = find_alert(number);
    const char *meaning = row == NULL ? NULL : row->meaning;
    (void)error_set(error, ERROR_PEER, "the peer sent alert %d%s%s%s%s", number,
                    row == NULL ? "" : ", ", row == NULL ? "" : row->name,
                    meaning == NULL ? "" : ": ", meaning == NULL ? "" : meaning);
    if (error != NULL) {
        error->origin = ORIGIN_PEER;
        error->origin_code = number;
    }
    return false;
}

static const char closed_text[] = "the peer closed the connection";

bool tls_peer_closed(struct error *error, enum error_origin origin, int64_t code)
{
    (void)error_set(error, ERROR_PEER, "%s without a TLS closure", closed_text);
    if (error != NULL && code != 0) {
        error->origin = origin;
        error->origin_code = code;
    }
    return false;
}

bool tls_is_closed(const struct error *error)
{
    return error->code == ERROR_PEER && error->origin != ORIGIN_PEER &&
           strstr(error->text, "closed the connection") != NULL;
}

bool tls_no_record(struct error *error, enum error_origin origin, int64_t code,
                   const char *library_text)
{
    return error_set_library(error, origin, code, "what the peer sent is no TLS record (%s)",
                             library_text);
}

bool tls_certificate_refused(struct error *error, enum tls_certificate_fault fault,
                             enum error_origin origin, int64_t code, const char *library_text)
{
    static const char *const faults[] = {
        [TLS_CERTIFICATE_EXPIRED] = "it has expired",
        [TLS_CERTIFICATE_NOT_YET_VALID] = "it is not yet valid",
        [TLS_CERTIFICATE_UNTRUSTED] = "no trusted root stands behind it",
        [TLS_CERTIFICATE_OTHER_NAME] = "it is for another name",
        [TLS_CERTIFICATE_OTHER_FAULT] = "the library says why",
    };
    return error_set_library(error, origin, code, "the peer's certificate is refused: %s (%s)",
                             faults[fault], library_text);
}
