#include <ctype.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/openssl_internal.h"

struct name_pair {
    const char *iana; /* lower case */
    const char *openssl;
};

/* Groups whose names differ; the others are spelled as IANA does, but for case. */
static const struct name_pair group_names[] = {
    {"secp256r1", "P-256"},
    {"secp384r1", "P-384"},
    {"secp521r1", "P-521"},
    {"x25519", "X25519"},
    {"x448", "X448"},
    {"brainpoolp256r1", "brainpoolP256r1"},
    {"brainpoolp384r1", "brainpoolP384r1"},
    {"brainpoolp512r1", "brainpoolP512r1"},
    {"x25519mlkem768", "X25519MLKEM768"},
    {"secp256r1mlkem768", "SecP256r1MLKEM768"},
    {"secp384r1mlkem1024", "SecP384r1MLKEM1024"},
    {"mlkem512", "MLKEM512"},
    {"mlkem768", "MLKEM768"},
    {"mlkem1024", "MLKEM1024"},
};

/* RFC 8734 gave the Brainpool curves other code points, and OpenSSL other names, in TLS 1.3. */
static const struct name_pair group_names_1_3[] = {
    {"brainpoolp256r1", "brainpoolP256r1tls13"},
    {"brainpoolp384r1", "brainpoolP384r1tls13"},
    {"brainpoolp512r1", "brainpoolP512r1tls13"},
};
static const char suffix_1_3[] = "tls13";

/* Up to TLS 1.2 the list of groups also restricts the certificate's curve (RFC 8422 section 4). */
static const char *const certificate_curves[] = {
    "P-256", "P-384", "P-521", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"};

struct signature_row {
    int type; /* as SSL_get_peer_signature_type_nid */
    int digest;
    const char *iana; /* TLS SignatureScheme registry, RFC 8446 section 4.2.3 */
};

static const struct signature_row signature_rows[] = {
    {NID_X9_62_id_ecPublicKey, NID_sha256, "ecdsa_secp256r1_sha256"},
    {NID_X9_62_id_ecPublicKey, NID_sha384, "ecdsa_secp384r1_sha384"},
    {NID_X9_62_id_ecPublicKey, NID_sha512, "ecdsa_secp521r1_sha512"},
    {NID_rsaEncryption, NID_sha256, "rsa_pkcs1_sha256"},
    {NID_rsaEncryption, NID_sha384, "rsa_pkcs1_sha384"},
    {NID_rsaEncryption, NID_sha512, "rsa_pkcs1_sha512"},
    {NID_rsassaPss, NID_sha256, "rsa_pss_rsae_sha256"},
    {NID_rsassaPss, NID_sha384, "rsa_pss_rsae_sha384"},
    {NID_rsassaPss, NID_sha512, "rsa_pss_rsae_sha512"},
    {NID_ED25519, NID_undef, "ed25519"},
    {NID_ED448, NID_undef, "ed448"},
};

static const char *const key_exchange_suites[] = {
    [TLS_KX_ECDHE] = "kEECDH:!aNULL",
    [TLS_KX_DHE] = "kDHE:!aNULL",
    [TLS_KX_RSA] = "kRSA:!aNULL",
    [TLS_KX_PSK] = "kPSK:!aNULL",
    [TLS_KX_ECDHE_PSK] = "kECDHEPSK:!aNULL",
};

bool tls_openssl_failed(struct error *error, const char *what)
{
    unsigned long code = ERR_get_error();
    const char *reason = ERR_reason_error_string(code);
    ERR_clear_error();
    return error_set_library(error, ORIGIN_OPENSSL, (int64_t)code, "%s: %s", what,
                             reason == NULL ? "no reason given" : reason);
}

static enum tls_certificate_fault fault_of(long verdict)
{
    switch (verdict) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return TLS_CERTIFICATE_EXPIRED;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return TLS_CERTIFICATE_NOT_YET_VALID;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        return TLS_CERTIFICATE_UNTRUSTED;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return TLS_CERTIFICATE_OTHER_NAME;
    default:
        return TLS_CERTIFICATE_OTHER_FAULT;
    }
}

static bool is_no_record(int reason)
{
    return reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
           reason == SSL_R_HTTPS_PROXY_REQUEST || reason == SSL_R_BAD_RECORD_TYPE ||
           reason == SSL_R_PACKET_LENGTH_TOO_LONG;
}

bool tls_openssl_endpoint_failed(const struct tls_endpoint *endpoint, struct error *error)
{
    unsigned long code = ERR_peek_error();
    int reason = ERR_GET_REASON(code);
    long verdict = SSL_get_verify_result(endpoint->ssl);
    if (ERR_GET_LIB(code) == ERR_LIB_SSL && reason >= SSL_AD_REASON_OFFSET) {
        int alert = reason - SSL_AD_REASON_OFFSET;
        ERR_clear_error();
        return tls_alert_received(error, alert);
    }
    if (verdict != X509_V_OK && reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        ERR_clear_error();
        return tls_certificate_refused(error, fault_of(verdict), ORIGIN_OPENSSL, verdict,
                                       X509_verify_cert_error_string(verdict));
    }
    if (ERR_GET_LIB(code) == ERR_LIB_SSL && is_no_record(reason)) {
        ERR_clear_error();
        return tls_no_record(error, ORIGIN_OPENSSL, (int64_t)code, ERR_reason_error_string(code));
    }
    return tls_openssl_failed(error, "TLS failed");
}

bool tls_openssl_knows_suite(const char *iana)
{
    const char *name = OPENSSL_cipher_name(iana);
    return name != NULL && strcmp(name, "(NONE)") != 0;
}

static const char *group_name(const char *iana, enum tls_protocol protocol)
{
    for (size_t i = 0; protocol == TLS_1_3 && i < COUNT_OF(group_names_1_3); i++)
        if (strcmp(group_names_1_3[i].iana, iana) == 0)
            return group_names_1_3[i].openssl;
    for (size_t i = 0; i < COUNT_OF(group_names); i++)
        if (strcmp(iana, group_names[i].iana) == 0)
            return group_names[i].openssl;
    return iana;
}

/* TLS 1.3 has Brainpool groups of their own (RFC 8734), which came with OpenSSL 3.2. */
bool tls_openssl_knows_group(const char *iana, enum tls_protocol protocol)
{
    if (protocol == TLS_1_3 && strncmp(iana, "brainpool", 9) == 0 &&
        OpenSSL_version_num() < 0x30200000)
        return false;
    SSL_CTX *ssl_ctx = SSL_CTX_new(TLS_method());
    bool known =
        ssl_ctx != NULL && SSL_CTX_set1_groups_list(ssl_ctx, group_name(iana, protocol)) == 1;
    SSL_CTX_free(ssl_ctx);
    ERR_clear_error();
    return known;
}

bool tls_openssl_configure_suites(SSL_CTX *ssl_ctx, const struct tls_settings *settings,
                                  struct error *error)
{
    if (settings->protocol == TLS_1_3) {
        /* Level 1 and above refuse CCM-8 from OpenSSL 3.2 on. */
        if (settings->suite != NULL && strstr(settings->suite, "CCM_8") != NULL)
            SSL_CTX_set_security_level(ssl_ctx, 0);
        if (settings->suite != NULL && SSL_CTX_set_ciphersuites(ssl_ctx, settings->suite) != 1)
            return tls_openssl_failed(error, settings->suite);
        return true;
    }
    /* Level 0 admits CCM-8 and SHA-1 MACs: what is offered is the caller's choice here. */
    char list[TLS_OPENSSL_NAME_BYTES];
    const char *suites = settings->suite == NULL ? key_exchange_suites[settings->key_exchange]
                                                 : OPENSSL_cipher_name(settings->suite);
    (void)snprintf(list, sizeof list, "%s:@SECLEVEL=0", suites);
    if (SSL_CTX_set_cipher_list(ssl_ctx, list) != 1)
        return tls_openssl_failed(error, settings->suite == NULL ? "no suite of this key exchange"
                                                                 : settings->suite);
    return true;
}

static bool set_dh_group(SSL_CTX *ssl_ctx, const char *group, OSSL_LIB_CTX *library,
                         struct error *error)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "DH", NULL);
    EVP_PKEY *parameters = NULL;
    OSSL_PARAM group_parameter[] = {
        OSSL_PARAM_construct_utf8_string("group", (char *)(uintptr_t)group, 0),
        OSSL_PARAM_construct_end()};
    bool set = context != NULL && EVP_PKEY_paramgen_init(context) == 1 &&
               EVP_PKEY_CTX_set_params(context, group_parameter) == 1 &&
               EVP_PKEY_paramgen(context, &parameters) == 1 &&
               SSL_CTX_set0_tmp_dh_pkey(ssl_ctx, parameters) == 1;
    EVP_PKEY_CTX_free(context);
    if (set)
        return true;
    EVP_PKEY_free(parameters);
    return tls_openssl_failed(error, group);
}

bool tls_openssl_configure_groups(SSL_CTX *ssl_ctx, const struct tls_settings *settings,
                                  OSSL_LIB_CTX *library, struct error *error)
{
    bool legacy = settings->protocol != TLS_1_3;
    const char *group = settings->group;
    if (group != NULL && legacy && strncmp(group, "ffdhe", 5) == 0)
        return settings->role == TLS_CLIENT || set_dh_group(ssl_ctx, group, library, error);
    if (legacy && settings->role == TLS_SERVER)
        SSL_CTX_set_dh_auto(ssl_ctx, 1);
    if (group == NULL)
        return true;
    group = group_name(group, settings->protocol);
    char list[TLS_OPENSSL_NAME_BYTES];
    size_t length = (size_t)snprintf(list, sizeof list, "%s", group);
    for (size_t i = 0; legacy && length < sizeof list && i < COUNT_OF(certificate_curves); i++)
        if (strcmp(group, certificate_curves[i]) != 0) /* a group named twice is refused */
            length +=
                (size_t)snprintf(list + length, sizeof list - length, ":%s", certificate_curves[i]);
    if (SSL_CTX_set1_groups_list(ssl_ctx, list) != 1)
        return tls_openssl_failed(error, group);
    return true;
}

static void lower(char *text)
{
    for (; *text != '\0'; text++)
        *text = (char)tolower((unsigned char)*text);
}

static void find_signature(const struct tls_endpoint *endpoint, char *text, size_t size)
{
    int digest = NID_undef;
    int type = NID_undef;
    bool server = endpoint->context->settings.role == TLS_SERVER;
    int known = server ? SSL_get_signature_type_nid(endpoint->ssl, &type)
                       : SSL_get_peer_signature_type_nid(endpoint->ssl, &type);
    if (known == 1)
        (void)(server ? SSL_get_signature_nid(endpoint->ssl, &digest)
                      : SSL_get_peer_signature_nid(endpoint->ssl, &digest));
    for (size_t i = 0; known == 1 && i < COUNT_OF(signature_rows); i++)
        if (signature_rows[i].type == type &&
            (signature_rows[i].digest == digest || signature_rows[i].digest == NID_undef))
            (void)snprintf(text, size, "%s", signature_rows[i].iana);
}

void tls_openssl_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated)
{
    struct tls_endpoint *scratch = (struct tls_endpoint *)(uintptr_t)endpoint;
    const SSL_CIPHER *cipher = SSL_get_current_cipher(endpoint->ssl);
    scratch->group[0] = scratch->signature[0] = scratch->alpn[0] = '\0';
    /* An external pre-shared key counts as a session in TLS 1.3. */
    bool resumed = SSL_session_reused(endpoint->ssl) == 1 && endpoint->context->psk_length == 0;
    int group = (int)SSL_get_negotiated_group(endpoint->ssl);
    const char *group_name = group == NID_undef ? NULL : SSL_group_to_name(endpoint->ssl, group);
    if (group_name != NULL)
        (void)snprintf(scratch->group, sizeof scratch->group, "%s", group_name);
    lower(scratch->group);
    char *suffix = strstr(scratch->group, suffix_1_3);
    if (suffix != NULL)
        *suffix = '\0';
    if (!resumed)
        find_signature(endpoint, scratch->signature, sizeof scratch->signature);
    const unsigned char *alpn = NULL;
    unsigned alpn_length = 0;
    SSL_get0_alpn_selected(endpoint->ssl, &alpn, &alpn_length);
    if (alpn_length > 0 && alpn_length < sizeof scratch->alpn)
        (void)snprintf(scratch->alpn, sizeof scratch->alpn, "%.*s", (int)alpn_length,
                       (const char *)alpn);
    int version = SSL_version(endpoint->ssl);
    *negotiated = (struct tls_negotiated){
        .protocol = version == TLS1_3_VERSION    ? TLS_1_3
                    : version == DTLS1_2_VERSION ? DTLS_1_2
                                                 : TLS_1_2,
        .suite = cipher == NULL ? "" : SSL_CIPHER_standard_name(cipher),
        .group = scratch->group,
        .signature = scratch->signature,
        .alpn = scratch->alpn,
        .resumed = resumed,
        .early_data = SSL_get_early_data_status(endpoint->ssl) == SSL_EARLY_DATA_ACCEPTED,
        .peer_verified = SSL_get0_peer_certificate(endpoint->ssl) != NULL &&
                         SSL_get_verify_mode(endpoint->ssl) != SSL_VERIFY_NONE &&
                         SSL_get_verify_result(endpoint->ssl) == X509_V_OK,
    };
}
