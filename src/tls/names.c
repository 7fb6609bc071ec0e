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

const char *tls_alert_name(int64_t number)
{
    static const struct {
        int number;
        const char *name;
    } alerts[] = {{0, "close_notify"},
                  {10, "unexpected_message"},
                  {20, "bad_record_mac"},
                  {22, "record_overflow"},
                  {40, "handshake_failure"},
                  {42, "bad_certificate"},
                  {43, "unsupported_certificate"},
                  {44, "certificate_revoked"},
                  {45, "certificate_expired"},
                  {46, "certificate_unknown"},
                  {47, "illegal_parameter"},
                  {48, "unknown_ca"},
                  {49, "access_denied"},
                  {50, "decode_error"},
                  {51, "decrypt_error"},
                  {70, "protocol_version"},
                  {71, "insufficient_security"},
                  {80, "internal_error"},
                  {86, "inappropriate_fallback"},
                  {90, "user_canceled"},
                  {100, "no_renegotiation"},
                  {109, "missing_extension"},
                  {110, "unsupported_extension"},
                  {112, "unrecognized_name"},
                  {113, "bad_certificate_status_response"},
                  {115, "unknown_psk_identity"},
                  {116, "certificate_required"},
                  {120, "no_application_protocol"}};
    for (size_t i = 0; i < COUNT_OF(alerts); i++)
        if (alerts[i].number == number)
            return alerts[i].name;
    return NULL;
}

bool tls_alert_received(struct error *error, int number)
{
    const char *name = tls_alert_name(number);
    (void)error_set(error, ERROR_PEER, "the peer sent alert %d%s%s", number,
                    name == NULL ? "" : ", ", name == NULL ? "" : name);
    if (error != NULL) {
        error->origin = ORIGIN_PEER;
        error->origin_code = number;
    }
    return false;
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
