#include "tls/mbedtls_trace.h"

#include <stdio.h>
#include <string.h>

static const char *curve_name(mbedtls_ecp_group_id group)
{
    switch (group) {
    case MBEDTLS_ECP_DP_SECP256R1:
        return "p256";
    case MBEDTLS_ECP_DP_SECP384R1:
        return "p384";
    case MBEDTLS_ECP_DP_SECP521R1:
        return "p521";
    case MBEDTLS_ECP_DP_BP256R1:
        return "brainpoolp256r1";
    case MBEDTLS_ECP_DP_BP384R1:
        return "brainpoolp384r1";
    case MBEDTLS_ECP_DP_BP512R1:
        return "brainpoolp512r1";
    default:
        break;
    }
    const mbedtls_ecp_curve_info *curve = mbedtls_ecp_curve_info_from_grp_id(group);
    return curve == NULL ? "other curve" : curve->name;
}

static const struct tls_trace_point *asymmetric(const char *family, const char *which,
                                                const char *what)
{
    char name[TRACE_NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s%s %s", family, which, what);
    return tls_trace_point(TRACE_ASYMMETRIC, name);
}

static const struct tls_trace_point *sized(const char *family, size_t bits, const char *what)
{
    char which[16];
    (void)snprintf(which, sizeof which, "%u", (unsigned)bits);
    return asymmetric(family, which, what);
}

const struct tls_trace_point *tls_mbedtls_trace_pk(const mbedtls_pk_context *key, const char *what)
{
    switch (mbedtls_pk_get_type(key)) {
    case MBEDTLS_PK_ECKEY:
    case MBEDTLS_PK_ECDSA:
    case MBEDTLS_PK_ECKEY_DH:
        return asymmetric("ecdsa-", curve_name(mbedtls_pk_ec(*key)->grp.id), what);
    case MBEDTLS_PK_RSA:
    case MBEDTLS_PK_RSA_ALT:
    case MBEDTLS_PK_RSASSA_PSS:
        return sized("rsa-", mbedtls_pk_get_bitlen(key), what);
    default:
        return asymmetric("other key", "", what);
    }
}

const struct tls_trace_point *tls_mbedtls_trace_ec(mbedtls_ecp_group_id group, const char *what)
{
    if (group == MBEDTLS_ECP_DP_CURVE25519)
        return asymmetric("x25519", "", what);
    if (group == MBEDTLS_ECP_DP_CURVE448)
        return asymmetric("x448", "", what);
    return asymmetric(strcmp(what, "derive") == 0 ? "ecdh-" : "ec-", curve_name(group), what);
}

const struct tls_trace_point *tls_mbedtls_trace_dh(size_t bits, const char *what)
{
    return sized("dh-", bits, what);
}

static const char *hash_name(mbedtls_md_type_t type)
{
    switch (type) {
    case MBEDTLS_MD_MD5:
        return "md5";
    case MBEDTLS_MD_SHA1:
        return "sha1";
    case MBEDTLS_MD_SHA224:
        return "sha224";
    case MBEDTLS_MD_SHA256:
        return "sha256";
    case MBEDTLS_MD_SHA384:
        return "sha384";
    case MBEDTLS_MD_SHA512:
        return "sha512";
    default:
        return "other hash";
    }
}

enum { TYPES = 96 }; /* above every number of a hash or a cipher; the last one stands for others */

const struct tls_trace_point *tls_mbedtls_trace_hash(mbedtls_md_type_t type)
{
    static const struct tls_trace_point *kept[TYPES];
    size_t index = (size_t)type < TYPES ? (size_t)type : TYPES - 1;
    return tls_trace_fixed(&kept[index], TRACE_DIGEST, hash_name(type));
}

const struct tls_trace_point *tls_mbedtls_trace_hmac(mbedtls_md_type_t type)
{
    static const struct tls_trace_point *kept[TYPES];
    size_t index = (size_t)type < TYPES ? (size_t)type : TYPES - 1;
    if (kept[index] != NULL)
        return kept[index];
    char name[TRACE_NAME_BYTES];
    (void)snprintf(name, sizeof name, "hmac-%s", hash_name(type));
    return tls_trace_fixed(&kept[index], TRACE_DIGEST, name);
}

const struct tls_trace_point *tls_mbedtls_trace_cipher(const mbedtls_cipher_context_t *cipher)
{
    static const struct tls_trace_point *kept[TYPES];
    mbedtls_cipher_type_t type = mbedtls_cipher_get_type(cipher);
    size_t index = (size_t)type < TYPES ? (size_t)type : TYPES - 1;
    if (kept[index] != NULL)
        return kept[index];
    const char *own = mbedtls_cipher_get_name(cipher); /* "AES-128-GCM", "CHACHA20-POLY1305" */
    char name[TRACE_NAME_BYTES] = "other cipher";
    for (size_t i = 0; own != NULL && i < sizeof name && (i == 0 || own[i - 1] != '\0'); i++)
        name[i] = (char)(own[i] >= 'A' && own[i] <= 'Z' ? own[i] - 'A' + 'a' : own[i]);
    name[sizeof name - 1] = '\0';
    return tls_trace_fixed(&kept[index], TRACE_RECORD, name);
}
