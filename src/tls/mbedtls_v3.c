/* What is particular to Mbed TLS 3.6. */
#include "tls/mbedtls_internal.h"

#if MBEDTLS_VERSION_MAJOR >= 3

#include <psa/crypto.h>

bool tls_mbedtls_start(struct error *error)
{
    psa_status_t status = psa_crypto_init();
    return status == PSA_SUCCESS
               ? true
               : error_set_library(error, ORIGIN_MBEDTLS, status, "PSA could not be started");
}

bool tls_mbedtls_has_tls_1_3(void)
{
    return true;
}

void tls_mbedtls_set_version(mbedtls_ssl_config *config, enum tls_protocol protocol)
{
    mbedtls_ssl_protocol_version version =
        protocol == TLS_1_3 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2;
    mbedtls_ssl_conf_min_tls_version(config, version);
    mbedtls_ssl_conf_max_tls_version(config, version);
}

void tls_mbedtls_set_groups(struct tls_context *context)
{
    size_t count = 0;
    for (size_t i = 0; context->groups[i] != MBEDTLS_ECP_DP_NONE; i++) {
        const mbedtls_ecp_curve_info *curve =
            mbedtls_ecp_curve_info_from_grp_id(context->groups[i]);
        if (curve != NULL)
            context->group_numbers[count++] = curve->MBEDTLS_PRIVATE(tls_id);
    }
    context->group_numbers[count] = MBEDTLS_SSL_IANA_TLS_GROUP_NONE;
    mbedtls_ssl_conf_groups(&context->config, context->group_numbers);
}

int tls_mbedtls_parse_key(struct tls_context *context, const struct tls_bytes *pem)
{
    return mbedtls_pk_parse_key(&context->key, pem->data, pem->length, NULL, 0, tls_mbedtls_random,
                                context);
}

void tls_mbedtls_want_tickets(mbedtls_ssl_config *config)
{
    mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
        config, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
}

bool tls_mbedtls_took_ticket(struct tls_endpoint *endpoint, int code)
{
    if (code != MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
        return false;
    mbedtls_ssl_session_free(&endpoint->ticket);
    mbedtls_ssl_session_init(&endpoint->ticket);
    endpoint->has_ticket = mbedtls_ssl_get_session(&endpoint->ssl, &endpoint->ticket) == 0;
    return true;
}

mbedtls_ecp_group_id tls_mbedtls_group(const mbedtls_ssl_context *ssl)
{
    (void)ssl; /* 3.x keeps its handshake parameters in a header that is not installed */
    return MBEDTLS_ECP_DP_NONE;
}

#endif
