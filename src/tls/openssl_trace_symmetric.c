/* Trampolines of digests, MACs, key derivation and ciphers. */
#include <openssl/core_dispatch.h>

#include "tls/openssl_trace.h"

#define BIT(number) (UINT64_C(1) << (number))
#define ENTRY(name) (traced_function) name

/* Numbers that OpenSSL 3.0's core_dispatch.h does not have. */
enum { DIGEST_SQUEEZE = 14, DIGEST_COPYCTX = 15 };

TRACED_CALL(digest_init, OSSL_FUNC_DIGEST_INIT, false, (void *ctx, const OSSL_PARAM parameters[]),
            (INNER, parameters))
TRACED_CALL(digest_update, OSSL_FUNC_DIGEST_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(digest_final, OSSL_FUNC_DIGEST_FINAL, true,
            (void *ctx, unsigned char *out, size_t *length, size_t size),
            (INNER, out, length, size))
TRACED_CALL(digest_squeeze, DIGEST_SQUEEZE, true,
            (void *ctx, unsigned char *out, size_t *length, size_t size),
            (INNER, out, length, size))
TRACED_CALL(digest_set, OSSL_FUNC_DIGEST_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(digest_get, OSSL_FUNC_DIGEST_GET_CTX_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_FREE(digest_free, OSSL_FUNC_DIGEST_FREECTX)
TRACED_COPY(digest_copy, OSSL_FUNC_DIGEST_DUPCTX)

static void digest_copy_into(void *to, void *from)
{
    const struct traced_context *target = to;
    const struct traced_context *source = from;
    void (*inner)(void *, void *) =
        (void (*)(void *, void *))source->algorithm->inner[DIGEST_COPYCTX];
    traced_begin(source->points[TRACED_ONLY], false);
    inner(target->inner, source->inner);
    traced_end();
}

static const traced_function digest_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_DIGEST_INIT] = ENTRY(digest_init),
    [OSSL_FUNC_DIGEST_UPDATE] = ENTRY(digest_update),
    [OSSL_FUNC_DIGEST_FINAL] = ENTRY(digest_final),
    [DIGEST_SQUEEZE] = ENTRY(digest_squeeze),
    [OSSL_FUNC_DIGEST_SET_CTX_PARAMS] = ENTRY(digest_set),
    [OSSL_FUNC_DIGEST_GET_CTX_PARAMS] = ENTRY(digest_get),
    [OSSL_FUNC_DIGEST_FREECTX] = ENTRY(digest_free),
    [OSSL_FUNC_DIGEST_DUPCTX] = ENTRY(digest_copy),
    [DIGEST_COPYCTX] = ENTRY(digest_copy_into),
};

TRACED_CALL(mac_init, OSSL_FUNC_MAC_INIT, false,
            (void *ctx, const unsigned char *key, size_t length, const OSSL_PARAM parameters[]),
            (INNER, key, length, parameters))
TRACED_CALL(mac_update, OSSL_FUNC_MAC_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(mac_final, OSSL_FUNC_MAC_FINAL, out != NULL,
            (void *ctx, unsigned char *out, size_t *length, size_t size),
            (INNER, out, length, size))
TRACED_CALL(mac_set, OSSL_FUNC_MAC_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(mac_get, OSSL_FUNC_MAC_GET_CTX_PARAMS, false, (void *ctx, OSSL_PARAM parameters[]),
            (INNER, parameters))
TRACED_FREE(mac_free, OSSL_FUNC_MAC_FREECTX)
TRACED_COPY(mac_copy, OSSL_FUNC_MAC_DUPCTX)

static const traced_function mac_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_MAC_INIT] = ENTRY(mac_init),
    [OSSL_FUNC_MAC_UPDATE] = ENTRY(mac_update),
    [OSSL_FUNC_MAC_FINAL] = ENTRY(mac_final),
    [OSSL_FUNC_MAC_SET_CTX_PARAMS] = ENTRY(mac_set),
    [OSSL_FUNC_MAC_GET_CTX_PARAMS] = ENTRY(mac_get),
    [OSSL_FUNC_MAC_FREECTX] = ENTRY(mac_free),
    [OSSL_FUNC_MAC_DUPCTX] = ENTRY(mac_copy),
};

TRACED_CALL(kdf_derive, OSSL_FUNC_KDF_DERIVE, true,
            (void *ctx, unsigned char *key, size_t length, const OSSL_PARAM parameters[]),
            (INNER, key, length, parameters))
TRACED_CALL(kdf_set, OSSL_FUNC_KDF_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(kdf_get, OSSL_FUNC_KDF_GET_CTX_PARAMS, false, (void *ctx, OSSL_PARAM parameters[]),
            (INNER, parameters))
TRACED_FREE(kdf_free, OSSL_FUNC_KDF_FREECTX)
TRACED_COPY(kdf_copy, OSSL_FUNC_KDF_DUPCTX)

static void kdf_reset(void *ctx)
{
    const struct traced_context *traced = ctx;
    void (*inner)(void *) = (void (*)(void *))traced->algorithm->inner[OSSL_FUNC_KDF_RESET];
    traced_begin(traced->points[TRACED_ONLY], false);
    inner(traced->inner);
    traced_end();
}

static const traced_function kdf_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_KDF_RESET] = ENTRY(kdf_reset),
    [OSSL_FUNC_KDF_DERIVE] = ENTRY(kdf_derive),
    [OSSL_FUNC_KDF_SET_CTX_PARAMS] = ENTRY(kdf_set),
    [OSSL_FUNC_KDF_GET_CTX_PARAMS] = ENTRY(kdf_get),
    [OSSL_FUNC_KDF_FREECTX] = ENTRY(kdf_free),
    [OSSL_FUNC_KDF_DUPCTX] = ENTRY(kdf_copy),
};

TRACED_CALL(cipher_encrypt_init, OSSL_FUNC_CIPHER_ENCRYPT_INIT, false,
            (void *ctx, const unsigned char *key, size_t key_length, const unsigned char *iv,
             size_t iv_length, const OSSL_PARAM parameters[]),
            (INNER, key, key_length, iv, iv_length, parameters))
TRACED_CALL(cipher_decrypt_init, OSSL_FUNC_CIPHER_DECRYPT_INIT, false,
            (void *ctx, const unsigned char *key, size_t key_length, const unsigned char *iv,
             size_t iv_length, const OSSL_PARAM parameters[]),
            (INNER, key, key_length, iv, iv_length, parameters))
/* A record is one update with an output; additional data has none, and the tag comes after. */
TRACED_CALL(cipher_update, OSSL_FUNC_CIPHER_UPDATE, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size,
             const unsigned char *in, size_t length),
            (INNER, out, out_length, size, in, length))
TRACED_CALL(cipher_final, OSSL_FUNC_CIPHER_FINAL, false,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size),
            (INNER, out, out_length, size))
TRACED_CALL(cipher_at_once, OSSL_FUNC_CIPHER_CIPHER, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size,
             const unsigned char *in, size_t length),
            (INNER, out, out_length, size, in, length))
TRACED_CALL(cipher_set, OSSL_FUNC_CIPHER_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(cipher_get, OSSL_FUNC_CIPHER_GET_CTX_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_FREE(cipher_free, OSSL_FUNC_CIPHER_FREECTX)
TRACED_COPY(cipher_copy, OSSL_FUNC_CIPHER_DUPCTX)

static const traced_function cipher_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_CIPHER_ENCRYPT_INIT] = ENTRY(cipher_encrypt_init),
    [OSSL_FUNC_CIPHER_DECRYPT_INIT] = ENTRY(cipher_decrypt_init),
    [OSSL_FUNC_CIPHER_UPDATE] = ENTRY(cipher_update),
    [OSSL_FUNC_CIPHER_FINAL] = ENTRY(cipher_final),
    [OSSL_FUNC_CIPHER_CIPHER] = ENTRY(cipher_at_once),
    [OSSL_FUNC_CIPHER_SET_CTX_PARAMS] = ENTRY(cipher_set),
    [OSSL_FUNC_CIPHER_GET_CTX_PARAMS] = ENTRY(cipher_get),
    [OSSL_FUNC_CIPHER_FREECTX] = ENTRY(cipher_free),
    [OSSL_FUNC_CIPHER_DUPCTX] = ENTRY(cipher_copy),
};

const struct traced_operation traced_digest = {
    .id = OSSL_OP_DIGEST,
    .kinds = {TRACE_DIGEST, TRACE_DIGEST},
    .constructor = OSSL_FUNC_DIGEST_NEWCTX,
    .settable = OSSL_FUNC_DIGEST_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_DIGEST_GETTABLE_CTX_PARAMS,
    .trampolines = digest_trampolines,
    .passed = BIT(OSSL_FUNC_DIGEST_GET_PARAMS) | BIT(OSSL_FUNC_DIGEST_GETTABLE_PARAMS),
};

const struct traced_operation traced_mac = {
    .id = OSSL_OP_MAC,
    .kinds = {TRACE_DIGEST, TRACE_DIGEST},
    .constructor = OSSL_FUNC_MAC_NEWCTX,
    .settable = OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS,
    .trampolines = mac_trampolines,
    .passed = BIT(OSSL_FUNC_MAC_GET_PARAMS) | BIT(OSSL_FUNC_MAC_GETTABLE_PARAMS),
};

const struct traced_operation traced_kdf = {
    .id = OSSL_OP_KDF,
    .kinds = {TRACE_DIGEST, TRACE_DIGEST},
    .constructor = OSSL_FUNC_KDF_NEWCTX,
    .settable = OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS,
    .trampolines = kdf_trampolines,
    .passed = BIT(OSSL_FUNC_KDF_GET_PARAMS) | BIT(OSSL_FUNC_KDF_GETTABLE_PARAMS),
};

const struct traced_operation traced_cipher = {
    .id = OSSL_OP_CIPHER,
    .kinds = {TRACE_RECORD, TRACE_RECORD},
    .constructor = OSSL_FUNC_CIPHER_NEWCTX,
    .settable = OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS,
    .trampolines = cipher_trampolines,
    .passed = BIT(OSSL_FUNC_CIPHER_GET_PARAMS) | BIT(OSSL_FUNC_CIPHER_GETTABLE_PARAMS),
};
