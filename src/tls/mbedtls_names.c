#include <mbedtls/error.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/mbedtls_internal.h"

struct group_row {
    const char *iana; /* lower case */
    mbedtls_ecp_group_id id;
};

static const struct group_row group_rows[] = {
    {"secp256r1", MBEDTLS_ECP_DP_SECP256R1},     {"secp384r1", MBEDTLS_ECP_DP_SECP384R1},
    {"secp521r1", MBEDTLS_ECP_DP_SECP521R1},     {"brainpoolp256r1", MBEDTLS_ECP_DP_BP256R1},
    {"brainpoolp384r1", MBEDTLS_ECP_DP_BP384R1}, {"brainpoolp512r1", MBEDTLS_ECP_DP_BP512R1},
    {"x25519", MBEDTLS_ECP_DP_CURVE25519},
};

/* Mbed TLS's names of the suites of a key exchange begin so. */
static const char *const key_exchange_prefixes[] = {
    [TLS_KX_ECDHE] = "TLS-ECDHE-",         [TLS_KX_DHE] = "TLS-DHE-RSA-",
    [TLS_KX_RSA] = "TLS-RSA-WITH-",        [TLS_KX_PSK] = "TLS-PSK-",
    [TLS_KX_ECDHE_PSK] = "TLS-ECDHE-PSK-",
};

bool tls_mbedtls_failed(struct error *error, int code, const char *what)
{
    char text[160];
    mbedtls_strerror(code, text, sizeof text);
    return error_set_library(error, ORIGIN_MBEDTLS, code, "%s: %s", what, text);
}

/* TLS_AES_128_GCM_SHA256 is TLS1-3-AES-128-GCM-SHA256 there; else underscores are hyphens. */
static int suite_id(const char *iana)
{
    char name[96];
    bool old_form = strstr(iana, "_WITH_") != NULL;
    const char *rest = strncmp(iana, "TLS_", 4) == 0 ? iana + 4 : iana;
    (void)snprintf(name, sizeof name, "%s%s", old_form ? "TLS-" : "TLS1-3-", rest);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '_')
            *c = '-';
    return mbedtls_ssl_get_ciphersuite_id(name);
}

bool tls_mbedtls_knows_suite(const char *iana)
{
    return suite_id(iana) != 0;
}

static mbedtls_ecp_group_id group_id(const char *iana)
{
    for (size_t i = 0; i < COUNT_OF(group_rows); i++)
        if (strcmp(group_rows[i].iana, iana) == 0)
            return group_rows[i].id;
    return MBEDTLS_ECP_DP_NONE;
}

bool tls_mbedtls_knows_group(const char *iana)
{
    return group_id(iana) != MBEDTLS_ECP_DP_NONE;
}

bool tls_mbedtls_configure_suites(struct tls_context *context, const struct tls_settings *settings,
                                  struct error *error)
{
    size_t count = 0;
    if (settings->suite != NULL) {
        context->suites[count++] = suite_id(settings->suite);
    } else if (settings->protocol == TLS_1_3) {
        return true; /* the library's own order */
    } else {
        const char *prefix = key_exchange_prefixes[settings->key_exchange];
        for (const int *id = mbedtls_ssl_list_ciphersuites(); *id != 0; id++) {
            const char *name = mbedtls_ssl_get_ciphersuite_name(*id);
            bool psk = strstr(name, "-PSK-") != NULL && settings->key_exchange == TLS_KX_ECDHE;
            if (count < TLS_MBEDTLS_SUITES - 1 && !psk &&
                strncmp(name, prefix, strlen(prefix)) == 0)
                context->suites[count++] = *id;
        }
    }
    context->suites[count] = 0;
    if (count == 0 || context->suites[0] == 0)
        return error_set(error, ERROR_UNAVAILABLE, "Mbed TLS has no suite %s",
                         settings->suite == NULL ? "of this key exchange" : settings->suite);
    mbedtls_ssl_conf_ciphersuites(&context->config, context->suites);
    return true;
}

bool tls_mbedtls_configure_groups(struct tls_context *context, const struct tls_settings *settings,
                                  struct error *error)
{
    if (settings->group == NULL || strncmp(settings->group, "ffdhe", 5) == 0)
        return true;
    mbedtls_ecp_group_id wanted = group_id(settings->group);
    if (wanted == MBEDTLS_ECP_DP_NONE)
        return error_set(error, ERROR_UNAVAILABLE, "Mbed TLS has no group %s", settings->group);
    size_t count = 0;
    context->groups[count++] = wanted;
    /* The list also restricts certificates' curves, so that they follow the one that is wanted. */
    for (size_t i = 0; settings->protocol != TLS_1_3 && i < COUNT_OF(group_rows); i++)
        if (group_rows[i].id != wanted && group_rows[i].id != MBEDTLS_ECP_DP_CURVE25519)
            context->groups[count++] = group_rows[i].id;
    context->groups[count] = MBEDTLS_ECP_DP_NONE;
    tls_mbedtls_set_groups(context);
    return true;
}

/* The reverse of suite_id. */
static void copy_iana(const char *name, char *iana, size_t size)
{
    const char *rest = strncmp(name, "TLS1-3-", 7) == 0 ? name + 7 : name + 4;
    (void)snprintf(iana, size, "TLS_%s", rest);
    for (char *c = iana; *c != '\0'; c++)
        if (*c == '-')
            *c = '_';
}

void tls_mbedtls_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated)
{
    struct tls_endpoint *scratch = (struct tls_endpoint *)(uintptr_t)endpoint;
    const char *suite = mbedtls_ssl_get_ciphersuite(&endpoint->ssl);
    if (suite != NULL)
        copy_iana(suite, scratch->suite, sizeof scratch->suite);
    const char *group = "";
    for (size_t i = 0; i < COUNT_OF(group_rows); i++)
        if (endpoint->group == group_rows[i].id)
            group = group_rows[i].iana;
    const struct tls_settings *settings = &endpoint->context->settings;
    bool resumed = !endpoint->saw_certificate_step;
    const char *alpn = mbedtls_ssl_get_alpn_protocol(&endpoint->ssl);
    *negotiated = (struct tls_negotiated){
        .protocol = strcmp(mbedtls_ssl_get_version(&endpoint->ssl), "TLSv1.3") == 0
                        ? TLS_1_3
                        : (tls_protocol_is_datagram(settings->protocol) ? DTLS_1_2 : TLS_1_2),
        .suite = scratch->suite,
        .group = resumed ? "" : group,
        .signature = "", /* Mbed TLS does not keep it */
        .alpn = alpn == NULL ? "" : alpn,
        .resumed = resumed,
        .peer_verified =
            settings->verify_peer && !resumed && mbedtls_ssl_get_verify_result(&endpoint->ssl) == 0,
    };
}
