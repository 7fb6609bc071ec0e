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
