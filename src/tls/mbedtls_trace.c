/* The functions of Mbed TLS whose prototypes are the same in 2.28 and 3.6. */
#include <mbedtls/ecdh.h>

#include "tls/mbedtls_internal.h"
#include "tls/mbedtls_trace.h"

const char *tls_mbedtls_trace_unavailable(void)
{
    const char *reason = tls_trace_interposed("mbedtls_pk_verify_restartable",
                                              (void (*)(void))mbedtls_pk_verify_restartable);
    return reason != NULL ? reason : tls_mbedtls_trace_version_unavailable();
}

static mbedtls_md_type_t type_of(const mbedtls_md_context_t *context)
{
    return context->md_info == NULL ? MBEDTLS_MD_NONE : mbedtls_md_get_type(context->md_info);
}

/* Signatures and encryption under the keys of certificates. */
TRACED(int, mbedtls_pk_verify_restartable,
       (mbedtls_pk_context * ctx, mbedtls_md_type_t md_alg, const unsigned char *hash,
        size_t hash_len, const unsigned char *sig, size_t sig_len, mbedtls_pk_restart_ctx *rs_ctx),
       (ctx, md_alg, hash, hash_len, sig, sig_len, rs_ctx), tls_mbedtls_trace_pk(ctx, "verify"));
TRACED(int, mbedtls_pk_verify_ext,
       (mbedtls_pk_type_t type, const void *options, mbedtls_pk_context *ctx,
        mbedtls_md_type_t md_alg, const unsigned char *hash, size_t hash_len,
        const unsigned char *sig, size_t sig_len),
       (type, options, ctx, md_alg, hash, hash_len, sig, sig_len),
       tls_mbedtls_trace_pk(ctx, "verify"));
TRACED(int, mbedtls_pk_decrypt,
       (mbedtls_pk_context * ctx, const unsigned char *input, size_t ilen, unsigned char *output,
        size_t *olen, size_t osize, int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ctx, input, ilen, output, olen, osize, f_rng, p_rng), tls_mbedtls_trace_pk(ctx, "decrypt"));
TRACED(int, mbedtls_pk_encrypt,
       (mbedtls_pk_context * ctx, const unsigned char *input, size_t ilen, unsigned char *output,
        size_t *olen, size_t osize, int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ctx, input, ilen, output, olen, osize, f_rng, p_rng), tls_mbedtls_trace_pk(ctx, "encrypt"));

/* Key exchange. */
TRACED(int, mbedtls_ecdh_gen_public,
       (mbedtls_ecp_group * grp, mbedtls_mpi *d, mbedtls_ecp_point *Q,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (grp, d, Q, f_rng, p_rng), tls_mbedtls_trace_ec(grp->id, "keygen"));
TRACED(int, mbedtls_ecdh_compute_shared,
       (mbedtls_ecp_group * grp, mbedtls_mpi *z, const mbedtls_ecp_point *Q, const mbedtls_mpi *d,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (grp, z, Q, d, f_rng, p_rng), tls_mbedtls_trace_ec(grp->id, "derive"));
TRACED(int, mbedtls_dhm_make_params,
       (mbedtls_dhm_context * ctx, int x_size, unsigned char *output, size_t *olen,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ctx, x_size, output, olen, f_rng, p_rng),
       tls_mbedtls_trace_dh(tls_mbedtls_trace_dh_bits(ctx), "keygen"));
TRACED(int, mbedtls_dhm_make_public,
       (mbedtls_dhm_context * ctx, int x_size, unsigned char *output, size_t olen,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ctx, x_size, output, olen, f_rng, p_rng),
       tls_mbedtls_trace_dh(tls_mbedtls_trace_dh_bits(ctx), "keygen"));
TRACED(int, mbedtls_dhm_calc_secret,
       (mbedtls_dhm_context * ctx, unsigned char *output, size_t output_size, size_t *olen,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ctx, output, output_size, olen, f_rng, p_rng),
       tls_mbedtls_trace_dh(tls_mbedtls_trace_dh_bits(ctx), "derive"));

/* Hashes and MACs by their general interface. */
TRACED(int, mbedtls_md,
       (const mbedtls_md_info_t *md_info, const unsigned char *input, size_t ilen,
        unsigned char *output),
       (md_info, input, ilen, output), tls_mbedtls_trace_hash(mbedtls_md_get_type(md_info)));
TRACED(int, mbedtls_md_starts, (mbedtls_md_context_t * ctx), (ctx),
       tls_mbedtls_trace_hash(type_of(ctx)));
TRACED(int, mbedtls_md_clone, (mbedtls_md_context_t * dst, const mbedtls_md_context_t *src),
       (dst, src), tls_mbedtls_trace_hash(type_of(src)));
TRACED(int, mbedtls_md_update,
       (mbedtls_md_context_t * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hash(type_of(ctx)));
TRACED(int, mbedtls_md_finish, (mbedtls_md_context_t * ctx, unsigned char *output), (ctx, output),
       tls_mbedtls_trace_hash(type_of(ctx)));
TRACED(int, mbedtls_md_hmac_starts,
       (mbedtls_md_context_t * ctx, const unsigned char *key, size_t keylen), (ctx, key, keylen),
       tls_mbedtls_trace_hmac(type_of(ctx)));
TRACED(int, mbedtls_md_hmac_update,
       (mbedtls_md_context_t * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hmac(type_of(ctx)));
TRACED(int, mbedtls_md_hmac_finish, (mbedtls_md_context_t * ctx, unsigned char *output),
       (ctx, output), tls_mbedtls_trace_hmac(type_of(ctx)));
TRACED(int, mbedtls_md_hmac_reset, (mbedtls_md_context_t * ctx), (ctx),
       tls_mbedtls_trace_hmac(type_of(ctx)));
TRACED(int, mbedtls_md_setup,
       (mbedtls_md_context_t * ctx, const mbedtls_md_info_t *md_info, int hmac),
       (ctx, md_info, hmac), FIXED(TRACE_DIGEST, "hash contexts"));
TRACED_VOID(mbedtls_md_free, (mbedtls_md_context_t * ctx), (ctx),
            FIXED(TRACE_DIGEST, "hash contexts"));

/* Record protection. */
TRACED(int, mbedtls_cipher_auth_encrypt_ext,
       (mbedtls_cipher_context_t * ctx, const unsigned char *iv, size_t iv_len,
        const unsigned char *ad, size_t ad_len, const unsigned char *input, size_t ilen,
        unsigned char *output, size_t output_len, size_t *olen, size_t tag_len),
       (ctx, iv, iv_len, ad, ad_len, input, ilen, output, output_len, olen, tag_len),
       tls_mbedtls_trace_cipher(ctx));
TRACED(int, mbedtls_cipher_auth_decrypt_ext,
       (mbedtls_cipher_context_t * ctx, const unsigned char *iv, size_t iv_len,
        const unsigned char *ad, size_t ad_len, const unsigned char *input, size_t ilen,
        unsigned char *output, size_t output_len, size_t *olen, size_t tag_len),
       (ctx, iv, iv_len, ad, ad_len, input, ilen, output, output_len, olen, tag_len),
       tls_mbedtls_trace_cipher(ctx));
TRACED(int, mbedtls_cipher_crypt,
       (mbedtls_cipher_context_t * ctx, const unsigned char *iv, size_t iv_len,
        const unsigned char *input, size_t ilen, unsigned char *output, size_t *olen),
       (ctx, iv, iv_len, input, ilen, output, olen), tls_mbedtls_trace_cipher(ctx));
TRACED(int, mbedtls_cipher_setkey,
       (mbedtls_cipher_context_t * ctx, const unsigned char *key, int key_bitlen,
        const mbedtls_operation_t operation),
       (ctx, key, key_bitlen, operation), tls_mbedtls_trace_cipher(ctx));
TRACED(int, mbedtls_cipher_setup,
       (mbedtls_cipher_context_t * ctx, const mbedtls_cipher_info_t *cipher_info),
       (ctx, cipher_info), FIXED(TRACE_RECORD, "cipher contexts"));
TRACED_VOID(mbedtls_cipher_free, (mbedtls_cipher_context_t * ctx), (ctx),
            FIXED(TRACE_RECORD, "cipher contexts"));

TRACED(int, mbedtls_ctr_drbg_random, (void *p_rng, unsigned char *output, size_t output_len),
       (p_rng, output, output_len), FIXED(TRACE_RANDOM, "ctr-drbg"));
TRACED(int, mbedtls_ctr_drbg_random_with_add,
       (void *p_rng, unsigned char *output, size_t output_len, const unsigned char *additional,
        size_t add_len),
       (p_rng, output, output_len, additional, add_len), FIXED(TRACE_RANDOM, "ctr-drbg"));
TRACED(int, mbedtls_ctr_drbg_seed,
       (mbedtls_ctr_drbg_context * ctx, int (*f_entropy)(void *, unsigned char *, size_t),
        void *p_entropy, const unsigned char *custom, size_t len),
       (ctx, f_entropy, p_entropy, custom, len), FIXED(TRACE_RANDOM, "ctr-drbg seed"));

/* Certificates. */
TRACED(int, mbedtls_x509_crt_parse,
       (mbedtls_x509_crt * chain, const unsigned char *buf, size_t buflen), (chain, buf, buflen),
       FIXED(TRACE_CERTIFICATE, "parse"));
TRACED(int, mbedtls_x509_crt_parse_der,
       (mbedtls_x509_crt * chain, const unsigned char *buf, size_t buflen), (chain, buf, buflen),
       FIXED(TRACE_CERTIFICATE, "parse"));
TRACED(int, mbedtls_x509_crt_verify_restartable,
       (mbedtls_x509_crt * crt, mbedtls_x509_crt *trust_ca, mbedtls_x509_crl *ca_crl,
        const mbedtls_x509_crt_profile *profile, const char *cn, uint32_t *flags,
        int (*f_vrfy)(void *, mbedtls_x509_crt *, int, uint32_t *), void *p_vrfy,
        mbedtls_x509_crt_restart_ctx *rs_ctx),
       (crt, trust_ca, ca_crl, profile, cn, flags, f_vrfy, p_vrfy, rs_ctx),
       FIXED(TRACE_CERTIFICATE, "build and check the chain"));
TRACED(int, mbedtls_x509_crt_check_extended_key_usage,
       (const mbedtls_x509_crt *crt, const char *usage_oid, size_t usage_len),
       (crt, usage_oid, usage_len), FIXED(TRACE_CERTIFICATE, "usage"));
TRACED(int, mbedtls_x509_crt_check_key_usage, (const mbedtls_x509_crt *crt, unsigned int usage),
       (crt, usage), FIXED(TRACE_CERTIFICATE, "usage"));
TRACED_VOID(mbedtls_x509_crt_free, (mbedtls_x509_crt * crt), (crt),
            FIXED(TRACE_CERTIFICATE, "free"));

/* Keys. */
TRACED(int, mbedtls_pk_parse_subpubkey,
       (unsigned char **p, const unsigned char *end, mbedtls_pk_context *pk), (p, end, pk),
       FIXED(TRACE_KEYS, "public key of a certificate"));
TRACED_VOID(mbedtls_pk_free, (mbedtls_pk_context * ctx), (ctx), FIXED(TRACE_KEYS, "free"));
TRACED(int, mbedtls_ecdh_setup, (mbedtls_ecdh_context * ctx, mbedtls_ecp_group_id grp_id),
       (ctx, grp_id), FIXED(TRACE_KEYS, "group"));
TRACED(int, mbedtls_ecdh_get_params,
       (mbedtls_ecdh_context * ctx, const mbedtls_ecp_keypair *key, mbedtls_ecdh_side side),
       (ctx, key, side), FIXED(TRACE_KEYS, "group"));
TRACED_VOID(mbedtls_ecdh_free, (mbedtls_ecdh_context * ctx), (ctx), FIXED(TRACE_KEYS, "free"));
TRACED(int, mbedtls_ecp_group_load, (mbedtls_ecp_group * grp, mbedtls_ecp_group_id id), (grp, id),
       FIXED(TRACE_KEYS, "group"));
TRACED_VOID(mbedtls_ecp_group_free, (mbedtls_ecp_group * grp), (grp), FIXED(TRACE_KEYS, "free"));
TRACED(int, mbedtls_ecdh_read_params,
       (mbedtls_ecdh_context * ctx, const unsigned char **buf, const unsigned char *end),
       (ctx, buf, end), FIXED(TRACE_KEYS, "public key of the peer"));
TRACED(int, mbedtls_ecdh_read_public,
       (mbedtls_ecdh_context * ctx, const unsigned char *buf, size_t blen), (ctx, buf, blen),
       FIXED(TRACE_KEYS, "public key of the peer"));
TRACED(int, mbedtls_ecp_tls_write_point,
       (const mbedtls_ecp_group *grp, const mbedtls_ecp_point *pt, int format, size_t *olen,
        unsigned char *buf, size_t blen),
       (grp, pt, format, olen, buf, blen), FIXED(TRACE_KEYS, "own public key"));
TRACED(int, mbedtls_dhm_read_params,
       (mbedtls_dhm_context * ctx, unsigned char **p, const unsigned char *end), (ctx, p, end),
       FIXED(TRACE_KEYS, "public key of the peer"));
TRACED(int, mbedtls_dhm_read_public,
       (mbedtls_dhm_context * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       FIXED(TRACE_KEYS, "public key of the peer"));
TRACED(int, mbedtls_dhm_set_group,
       (mbedtls_dhm_context * ctx, const mbedtls_mpi *P, const mbedtls_mpi *G), (ctx, P, G),
       FIXED(TRACE_KEYS, "group"));
TRACED_VOID(mbedtls_dhm_free, (mbedtls_dhm_context * ctx), (ctx), FIXED(TRACE_KEYS, "free"));

/* The library's own code that its public interface shows. */
TRACED(int, mbedtls_ssl_setup, (mbedtls_ssl_context * ssl, const mbedtls_ssl_config *conf),
       (ssl, conf), FIXED(TRACE_MESSAGES, "connection setup"));
TRACED_VOID(mbedtls_ssl_free, (mbedtls_ssl_context * ssl), (ssl),
            FIXED(TRACE_MESSAGES, "connection free"));
TRACED(int, mbedtls_ssl_handshake_step, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "handshake steps"));
TRACED(int, mbedtls_ssl_session_save,
       (const mbedtls_ssl_session *session, unsigned char *buf, size_t buf_len, size_t *olen),
       (session, buf, buf_len, olen), FIXED(TRACE_MESSAGES, "session"));
TRACED(int, mbedtls_ssl_session_load,
       (mbedtls_ssl_session * session, const unsigned char *buf, size_t len), (session, buf, len),
       FIXED(TRACE_MESSAGES, "session"));
TRACED_VOID(mbedtls_ssl_session_free, (mbedtls_ssl_session * session), (session),
            FIXED(TRACE_MESSAGES, "session"));
TRACED(int, mbedtls_ssl_get_session, (const mbedtls_ssl_context *ssl, mbedtls_ssl_session *session),
       (ssl, session), FIXED(TRACE_MESSAGES, "session"));
TRACED(int, mbedtls_ssl_set_session,
       (mbedtls_ssl_context * ssl, const mbedtls_ssl_session *session), (ssl, session),
       FIXED(TRACE_MESSAGES, "session"));
TRACED(int, mbedtls_ssl_ticket_write,
       (void *p_ticket, const mbedtls_ssl_session *session, unsigned char *start,
        const unsigned char *end, size_t *tlen, uint32_t *lifetime),
       (p_ticket, session, start, end, tlen, lifetime), FIXED(TRACE_MESSAGES, "session ticket"));
TRACED(int, mbedtls_ssl_ticket_parse,
       (void *p_ticket, mbedtls_ssl_session *session, unsigned char *buf, size_t len),
       (p_ticket, session, buf, len), FIXED(TRACE_MESSAGES, "session ticket"));
