/* The functions of Mbed TLS 3.6 that 2.28 has otherwise or not at all. */
#include "tls/mbedtls_trace.h"

#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR >= 3

#include <mbedtls/psa_util.h>
#include <psa/crypto.h>

const char *tls_mbedtls_trace_version_unavailable(void)
{
    return tls_trace_interposed("mbedtls_pk_sign_restartable",
                                (void (*)(void))mbedtls_pk_sign_restartable);
}

size_t tls_mbedtls_trace_dh_bits(const mbedtls_dhm_context *context)
{
    return mbedtls_dhm_get_bitlen(context);
}

static mbedtls_md_type_t hash_of(psa_algorithm_t algorithm)
{
    return mbedtls_md_type_from_psa_alg(algorithm);
}

static const struct tls_trace_point *key_point(const psa_key_attributes_t *attributes,
                                               const char *what)
{
    psa_key_type_t type = psa_get_key_type(attributes);
    size_t bits = psa_get_key_bits(attributes);
    if (PSA_KEY_TYPE_IS_DH(type))
        return tls_mbedtls_trace_dh(bits, what);
    if (PSA_KEY_TYPE_IS_ECC(type))
        return tls_mbedtls_trace_ec(
            mbedtls_ecc_group_from_psa(PSA_KEY_TYPE_ECC_GET_FAMILY(type), bits), what);
    return tls_trace_point(TRACE_KEYS, what);
}

static const struct tls_trace_point *stored_key_point(mbedtls_svc_key_id_t key, const char *what)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    (void)psa_get_key_attributes(key, &attributes); /* left as it is when there is no such key */
    const struct tls_trace_point *point = key_point(&attributes, what);
    psa_reset_key_attributes(&attributes);
    return point;
}

TRACED(int, mbedtls_pk_sign_restartable,
       (mbedtls_pk_context * ctx, mbedtls_md_type_t md_alg, const unsigned char *hash,
        size_t hash_len, unsigned char *sig, size_t sig_size, size_t *sig_len,
        mbedtls_f_rng_t *f_rng, void *p_rng, mbedtls_pk_restart_ctx *rs_ctx),
       (ctx, md_alg, hash, hash_len, sig, sig_size, sig_len, f_rng, p_rng, rs_ctx),
       tls_mbedtls_trace_pk(ctx, "sign"));
TRACED(int, mbedtls_pk_sign_ext,
       (mbedtls_pk_type_t pk_type, mbedtls_pk_context *ctx, mbedtls_md_type_t md_alg,
        const unsigned char *hash, size_t hash_len, unsigned char *sig, size_t sig_size,
        size_t *sig_len, mbedtls_f_rng_t *f_rng, void *p_rng),
       (pk_type, ctx, md_alg, hash, hash_len, sig, sig_size, sig_len, f_rng, p_rng),
       tls_mbedtls_trace_pk(ctx, "sign"));
TRACED(int, mbedtls_pk_parse_key,
       (mbedtls_pk_context * ctx, const unsigned char *key, size_t keylen, const unsigned char *pwd,
        size_t pwdlen, mbedtls_f_rng_t *f_rng, void *p_rng),
       (ctx, key, keylen, pwd, pwdlen, f_rng, p_rng), FIXED(TRACE_KEYS, "private key"));

/* What TLS 1.3 does through PSA. A generated key keeps its private half only: its public half is
 * computed when it is exported. */
TRACED(psa_status_t, psa_generate_key,
       (const psa_key_attributes_t *attributes, mbedtls_svc_key_id_t *key), (attributes, key),
       key_point(attributes, "keygen"));
TRACED(psa_status_t, psa_export_public_key,
       (mbedtls_svc_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length),
       (key, data, data_size, data_length), stored_key_point(key, "public key"));
TRACED(psa_status_t, psa_raw_key_agreement,
       (psa_algorithm_t alg, mbedtls_svc_key_id_t private_key, const uint8_t *peer_key,
        size_t peer_key_length, uint8_t *output, size_t output_size, size_t *output_length),
       (alg, private_key, peer_key, peer_key_length, output, output_size, output_length),
       stored_key_point(private_key, "derive"));
TRACED(psa_status_t, psa_import_key,
       (const psa_key_attributes_t *attributes, const uint8_t *data, size_t data_length,
        mbedtls_svc_key_id_t *key),
       (attributes, data, data_length, key), FIXED(TRACE_KEYS, "import"));
TRACED(psa_status_t, psa_destroy_key, (mbedtls_svc_key_id_t key), (key), FIXED(TRACE_KEYS, "free"));
TRACED(psa_status_t, psa_hash_compute,
       (psa_algorithm_t alg, const uint8_t *input, size_t input_length, uint8_t *hash,
        size_t hash_size, size_t *hash_length),
       (alg, input, input_length, hash, hash_size, hash_length),
       tls_mbedtls_trace_hash(hash_of(alg)));
TRACED(psa_status_t, psa_mac_compute,
       (mbedtls_svc_key_id_t key, psa_algorithm_t alg, const uint8_t *input, size_t input_length,
        uint8_t *mac, size_t mac_size, size_t *mac_length),
       (key, alg, input, input_length, mac, mac_size, mac_length),
       tls_mbedtls_trace_hmac(hash_of(PSA_ALG_HMAC_GET_HASH(alg))));
TRACED(psa_status_t, psa_key_derivation_setup,
       (psa_key_derivation_operation_t * operation, psa_algorithm_t alg), (operation, alg),
       FIXED(TRACE_DIGEST, "hkdf"));
TRACED(psa_status_t, psa_key_derivation_input_bytes,
       (psa_key_derivation_operation_t * operation, psa_key_derivation_step_t step,
        const uint8_t *data, size_t data_length),
       (operation, step, data, data_length), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(psa_status_t, psa_key_derivation_output_bytes,
       (psa_key_derivation_operation_t * operation, uint8_t *output, size_t output_length),
       (operation, output, output_length), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(psa_status_t, psa_key_derivation_abort, (psa_key_derivation_operation_t * operation),
       (operation), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(psa_status_t, psa_generate_random, (uint8_t * output, size_t output_size),
       (output, output_size), FIXED(TRACE_RANDOM, "psa random"));

#endif
