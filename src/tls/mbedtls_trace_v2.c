/* The functions of Mbed TLS 2.28 that 3.6 has otherwise or hides. */
#include "tls/mbedtls_trace.h"

#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR < 3

#include <mbedtls/md5.h>
#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>
#include <mbedtls/sha512.h>
#include <mbedtls/ssl_internal.h>

const char *tls_mbedtls_trace_version_unavailable(void)
{
    return tls_trace_interposed("mbedtls_pk_sign_restartable",
                                (void (*)(void))mbedtls_pk_sign_restartable);
}

size_t tls_mbedtls_trace_dh_bits(const mbedtls_dhm_context *context)
{
    return mbedtls_mpi_bitlen(&context->P);
}

TRACED(int, mbedtls_pk_sign_restartable,
       (mbedtls_pk_context * ctx, mbedtls_md_type_t md_alg, const unsigned char *hash,
        size_t hash_len, unsigned char *sig, size_t *sig_len,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng, mbedtls_pk_restart_ctx *rs_ctx),
       (ctx, md_alg, hash, hash_len, sig, sig_len, f_rng, p_rng, rs_ctx),
       tls_mbedtls_trace_pk(ctx, "sign"));
TRACED(int, mbedtls_pk_parse_key,
       (mbedtls_pk_context * ctx, const unsigned char *key, size_t keylen, const unsigned char *pwd,
        size_t pwdlen),
       (ctx, key, keylen, pwd, pwdlen), FIXED(TRACE_KEYS, "private key"));

/* The transcript: hashes by their own names. */
TRACED(int, mbedtls_sha1_starts_ret, (mbedtls_sha1_context * ctx), (ctx),
       tls_mbedtls_trace_hash(MBEDTLS_MD_SHA1));
TRACED(int, mbedtls_sha1_update_ret,
       (mbedtls_sha1_context * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hash(MBEDTLS_MD_SHA1));
TRACED(int, mbedtls_sha1_finish_ret, (mbedtls_sha1_context * ctx, unsigned char output[20]),
       (ctx, output), tls_mbedtls_trace_hash(MBEDTLS_MD_SHA1));
TRACED(int, mbedtls_md5_starts_ret, (mbedtls_md5_context * ctx), (ctx),
       tls_mbedtls_trace_hash(MBEDTLS_MD_MD5));
TRACED(int, mbedtls_md5_update_ret,
       (mbedtls_md5_context * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hash(MBEDTLS_MD_MD5));
TRACED(int, mbedtls_md5_finish_ret, (mbedtls_md5_context * ctx, unsigned char output[16]),
       (ctx, output), tls_mbedtls_trace_hash(MBEDTLS_MD_MD5));
TRACED(int, mbedtls_sha256_starts_ret, (mbedtls_sha256_context * ctx, int is224), (ctx, is224),
       tls_mbedtls_trace_hash(is224 ? MBEDTLS_MD_SHA224 : MBEDTLS_MD_SHA256));
TRACED(int, mbedtls_sha256_update_ret,
       (mbedtls_sha256_context * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hash(ctx->is224 ? MBEDTLS_MD_SHA224 : MBEDTLS_MD_SHA256));
TRACED(int, mbedtls_sha256_finish_ret, (mbedtls_sha256_context * ctx, unsigned char output[32]),
       (ctx, output), tls_mbedtls_trace_hash(ctx->is224 ? MBEDTLS_MD_SHA224 : MBEDTLS_MD_SHA256));
TRACED(int, mbedtls_sha256_ret,
       (const unsigned char *input, size_t ilen, unsigned char output[32], int is224),
       (input, ilen, output, is224),
       tls_mbedtls_trace_hash(is224 ? MBEDTLS_MD_SHA224 : MBEDTLS_MD_SHA256));
TRACED(int, mbedtls_sha512_starts_ret, (mbedtls_sha512_context * ctx, int is384), (ctx, is384),
       tls_mbedtls_trace_hash(is384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA512));
TRACED(int, mbedtls_sha512_update_ret,
       (mbedtls_sha512_context * ctx, const unsigned char *input, size_t ilen), (ctx, input, ilen),
       tls_mbedtls_trace_hash(ctx->is384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA512));
TRACED(int, mbedtls_sha512_finish_ret, (mbedtls_sha512_context * ctx, unsigned char output[64]),
       (ctx, output), tls_mbedtls_trace_hash(ctx->is384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA512));
TRACED(int, mbedtls_sha512_ret,
       (const unsigned char *input, size_t ilen, unsigned char output[64], int is384),
       (input, ilen, output, is384),
       tls_mbedtls_trace_hash(is384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA512));
TRACED_VOID(mbedtls_sha1_clone, (mbedtls_sha1_context * dst, const mbedtls_sha1_context *src),
            (dst, src), tls_mbedtls_trace_hash(MBEDTLS_MD_SHA1));
TRACED_VOID(mbedtls_md5_clone, (mbedtls_md5_context * dst, const mbedtls_md5_context *src),
            (dst, src), tls_mbedtls_trace_hash(MBEDTLS_MD_MD5));
TRACED_VOID(mbedtls_sha256_clone, (mbedtls_sha256_context * dst, const mbedtls_sha256_context *src),
            (dst, src), tls_mbedtls_trace_hash(MBEDTLS_MD_SHA256));
TRACED_VOID(mbedtls_sha512_clone, (mbedtls_sha512_context * dst, const mbedtls_sha512_context *src),
            (dst, src), tls_mbedtls_trace_hash(MBEDTLS_MD_SHA512));

/* The library's own code. */
TRACED(int, mbedtls_ssl_handshake_client_step, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "client's messages"));
TRACED(int, mbedtls_ssl_handshake_server_step, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "server's messages"));
TRACED(int, mbedtls_ssl_parse_certificate, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "read Certificate"));
TRACED(int, mbedtls_ssl_write_certificate, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "write Certificate"));
TRACED(int, mbedtls_ssl_parse_finished, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "read Finished"));
TRACED(int, mbedtls_ssl_write_finished, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "write Finished"));
TRACED(int, mbedtls_ssl_derive_keys, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "derive keys"));
TRACED(int, mbedtls_ssl_read_record, (mbedtls_ssl_context * ssl, unsigned update_hs_digest),
       (ssl, update_hs_digest), FIXED(TRACE_MESSAGES, "read records"));
TRACED(int, mbedtls_ssl_write_record, (mbedtls_ssl_context * ssl, uint8_t force_flush),
       (ssl, force_flush), FIXED(TRACE_MESSAGES, "write records"));
TRACED(int, mbedtls_ssl_write_handshake_msg, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "write records"));
TRACED(int, mbedtls_ssl_decrypt_buf,
       (mbedtls_ssl_context const *ssl, mbedtls_ssl_transform *transform, mbedtls_record *rec),
       (ssl, transform, rec), FIXED(TRACE_MESSAGES, "read records"));
TRACED(int, mbedtls_ssl_encrypt_buf,
       (mbedtls_ssl_context * ssl, mbedtls_ssl_transform *transform, mbedtls_record *rec,
        int (*f_rng)(void *, unsigned char *, size_t), void *p_rng),
       (ssl, transform, rec, f_rng, p_rng), FIXED(TRACE_MESSAGES, "write records"));
TRACED(int, mbedtls_ssl_fetch_input, (mbedtls_ssl_context * ssl, size_t nb_want), (ssl, nb_want),
       FIXED(TRACE_MESSAGES, "transport"));
TRACED(int, mbedtls_ssl_flush_output, (mbedtls_ssl_context * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "transport"));
TRACED_VOID(mbedtls_ssl_handshake_free, (mbedtls_ssl_context * ssl), (ssl),
            FIXED(TRACE_MESSAGES, "handshake free"));
TRACED_VOID(mbedtls_ssl_transform_free, (mbedtls_ssl_transform * transform), (transform),
            FIXED(TRACE_MESSAGES, "connection free"));
TRACED_VOID(mbedtls_ssl_handshake_wrapup, (mbedtls_ssl_context * ssl), (ssl),
            FIXED(TRACE_MESSAGES, "handshake end"));

#endif
