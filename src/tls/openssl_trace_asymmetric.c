/* Trampolines of signatures, key exchange, key encapsulation, RSA encryption, key generation. */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "tls/openssl_trace.h"

#define BIT(number) (UINT64_C(1) << (number))
#define ENTRY(name) (traced_function) name

/* Numbers that OpenSSL 3.0's core_dispatch.h does not have. */
enum {
    QUERY_KEY_TYPES = 26,
    SIGN_MESSAGE_INIT = 27,
    SIGN_MESSAGE_UPDATE = 28,
    SIGN_MESSAGE_FINAL = 29,
    VERIFY_MESSAGE_INIT = 30,
    VERIFY_MESSAGE_UPDATE = 31,
    VERIFY_MESSAGE_FINAL = 32,
    AUTH_ENCAPSULATE_INIT = 12,
    AUTH_DECAPSULATE_INIT = 13,
    GEN_GET_PARAMS = 15,
    GEN_GETTABLE_PARAMS = 16,
    IMPORT_TYPES_EX = 45,
    EXPORT_TYPES_EX = 46,
};

TRACED_INIT(sign_init, OSSL_FUNC_SIGNATURE_SIGN_INIT, TRACED_FORTH,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(verify_init, OSSL_FUNC_SIGNATURE_VERIFY_INIT, TRACED_BACK,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(recover_init, OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, TRACED_BACK,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(digest_sign_init, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, TRACED_FORTH,
            (void *ctx, const char *digest, void *key, const OSSL_PARAM parameters[]),
            (INNER, digest, key, parameters))
TRACED_INIT(digest_verify_init, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, TRACED_BACK,
            (void *ctx, const char *digest, void *key, const OSSL_PARAM parameters[]),
            (INNER, digest, key, parameters))
TRACED_INIT(sign_message_init, SIGN_MESSAGE_INIT, TRACED_FORTH,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(verify_message_init, VERIFY_MESSAGE_INIT, TRACED_BACK,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))

TRACED_CALL(sign, OSSL_FUNC_SIGNATURE_SIGN, signature != NULL,
            (void *ctx, unsigned char *signature, size_t *length, size_t size,
             const unsigned char *in, size_t in_length),
            (INNER, signature, length, size, in, in_length))
TRACED_CALL(verify, OSSL_FUNC_SIGNATURE_VERIFY, true,
            (void *ctx, const unsigned char *signature, size_t length, const unsigned char *in,
             size_t in_length),
            (INNER, signature, length, in, in_length))
TRACED_CALL(recover, OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size,
             const unsigned char *signature, size_t length),
            (INNER, out, out_length, size, signature, length))
TRACED_CALL(digest_sign_update, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(digest_sign_final, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, signature != NULL,
            (void *ctx, unsigned char *signature, size_t *length, size_t size),
            (INNER, signature, length, size))
TRACED_CALL(digest_sign, OSSL_FUNC_SIGNATURE_DIGEST_SIGN, signature != NULL,
            (void *ctx, unsigned char *signature, size_t *length, size_t size,
             const unsigned char *in, size_t in_length),
            (INNER, signature, length, size, in, in_length))
TRACED_CALL(digest_verify_update, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(digest_verify_final, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, true,
            (void *ctx, const unsigned char *signature, size_t length), (INNER, signature, length))
TRACED_CALL(digest_verify, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, true,
            (void *ctx, const unsigned char *signature, size_t length, const unsigned char *in,
             size_t in_length),
            (INNER, signature, length, in, in_length))
TRACED_CALL(sign_message_update, SIGN_MESSAGE_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(sign_message_final, SIGN_MESSAGE_FINAL, signature != NULL,
            (void *ctx, unsigned char *signature, size_t *length, size_t size),
            (INNER, signature, length, size))
TRACED_CALL(verify_message_update, VERIFY_MESSAGE_UPDATE, false,
            (void *ctx, const unsigned char *in, size_t length), (INNER, in, length))
TRACED_CALL(verify_message_final, VERIFY_MESSAGE_FINAL, true, (void *ctx), (INNER))
TRACED_CALL(signature_set, OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(signature_get, OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(signature_set_digest, OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(signature_get_digest, OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_FREE(signature_free, OSSL_FUNC_SIGNATURE_FREECTX)
TRACED_COPY(signature_copy, OSSL_FUNC_SIGNATURE_DUPCTX)

static const OSSL_PARAM *digest_parameters(void *ctx, int number)
{
    const struct traced_context *traced = ctx;
    const OSSL_PARAM *(*inner)(void *) =
        (const OSSL_PARAM *(*)(void *))traced->algorithm->inner[number];
    return inner(traced->inner);
}

static const OSSL_PARAM *signature_settable_digest(void *ctx)
{
    return digest_parameters(ctx, OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS);
}

static const OSSL_PARAM *signature_gettable_digest(void *ctx)
{
    return digest_parameters(ctx, OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS);
}

static const traced_function signature_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_SIGNATURE_SIGN_INIT] = ENTRY(sign_init),
    [OSSL_FUNC_SIGNATURE_SIGN] = ENTRY(sign),
    [OSSL_FUNC_SIGNATURE_VERIFY_INIT] = ENTRY(verify_init),
    [OSSL_FUNC_SIGNATURE_VERIFY] = ENTRY(verify),
    [OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT] = ENTRY(recover_init),
    [OSSL_FUNC_SIGNATURE_VERIFY_RECOVER] = ENTRY(recover),
    [OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT] = ENTRY(digest_sign_init),
    [OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE] = ENTRY(digest_sign_update),
    [OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL] = ENTRY(digest_sign_final),
    [OSSL_FUNC_SIGNATURE_DIGEST_SIGN] = ENTRY(digest_sign),
    [OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT] = ENTRY(digest_verify_init),
    [OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE] = ENTRY(digest_verify_update),
    [OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL] = ENTRY(digest_verify_final),
    [OSSL_FUNC_SIGNATURE_DIGEST_VERIFY] = ENTRY(digest_verify),
    [OSSL_FUNC_SIGNATURE_FREECTX] = ENTRY(signature_free),
    [OSSL_FUNC_SIGNATURE_DUPCTX] = ENTRY(signature_copy),
    [OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS] = ENTRY(signature_get),
    [OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS] = ENTRY(signature_set),
    [OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS] = ENTRY(signature_get_digest),
    [OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS] = ENTRY(signature_gettable_digest),
    [OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS] = ENTRY(signature_set_digest),
    [OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS] = ENTRY(signature_settable_digest),
    [SIGN_MESSAGE_INIT] = ENTRY(sign_message_init),
    [SIGN_MESSAGE_UPDATE] = ENTRY(sign_message_update),
    [SIGN_MESSAGE_FINAL] = ENTRY(sign_message_final),
    [VERIFY_MESSAGE_INIT] = ENTRY(verify_message_init),
    [VERIFY_MESSAGE_UPDATE] = ENTRY(verify_message_update),
    [VERIFY_MESSAGE_FINAL] = ENTRY(verify_message_final),
};

TRACED_INIT(exchange_init, OSSL_FUNC_KEYEXCH_INIT, TRACED_ONLY,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_CALL(exchange_derive, OSSL_FUNC_KEYEXCH_DERIVE, secret != NULL,
            (void *ctx, unsigned char *secret, size_t *length, size_t size),
            (INNER, secret, length, size))
TRACED_CALL(exchange_set_peer, OSSL_FUNC_KEYEXCH_SET_PEER, false, (void *ctx, void *key),
            (INNER, key))
TRACED_CALL(exchange_set, OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(exchange_get, OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_FREE(exchange_free, OSSL_FUNC_KEYEXCH_FREECTX)
TRACED_COPY(exchange_copy, OSSL_FUNC_KEYEXCH_DUPCTX)

static const traced_function exchange_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_KEYEXCH_INIT] = ENTRY(exchange_init),
    [OSSL_FUNC_KEYEXCH_DERIVE] = ENTRY(exchange_derive),
    [OSSL_FUNC_KEYEXCH_SET_PEER] = ENTRY(exchange_set_peer),
    [OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS] = ENTRY(exchange_set),
    [OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS] = ENTRY(exchange_get),
    [OSSL_FUNC_KEYEXCH_FREECTX] = ENTRY(exchange_free),
    [OSSL_FUNC_KEYEXCH_DUPCTX] = ENTRY(exchange_copy),
};

TRACED_INIT(encapsulate_init, OSSL_FUNC_KEM_ENCAPSULATE_INIT, TRACED_FORTH,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(decapsulate_init, OSSL_FUNC_KEM_DECAPSULATE_INIT, TRACED_BACK,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(auth_encapsulate_init, AUTH_ENCAPSULATE_INIT, TRACED_FORTH,
            (void *ctx, void *key, void *sender, const OSSL_PARAM parameters[]),
            (INNER, key, sender, parameters))
TRACED_INIT(auth_decapsulate_init, AUTH_DECAPSULATE_INIT, TRACED_BACK,
            (void *ctx, void *key, void *sender, const OSSL_PARAM parameters[]),
            (INNER, key, sender, parameters))
TRACED_CALL(encapsulate, OSSL_FUNC_KEM_ENCAPSULATE, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, unsigned char *secret,
             size_t *length),
            (INNER, out, out_length, secret, length))
TRACED_CALL(decapsulate, OSSL_FUNC_KEM_DECAPSULATE, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, const unsigned char *in,
             size_t length),
            (INNER, out, out_length, in, length))
TRACED_CALL(kem_set, OSSL_FUNC_KEM_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(kem_get, OSSL_FUNC_KEM_GET_CTX_PARAMS, false, (void *ctx, OSSL_PARAM parameters[]),
            (INNER, parameters))
TRACED_FREE(kem_free, OSSL_FUNC_KEM_FREECTX)
TRACED_COPY(kem_copy, OSSL_FUNC_KEM_DUPCTX)

static const traced_function kem_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_KEM_ENCAPSULATE_INIT] = ENTRY(encapsulate_init),
    [OSSL_FUNC_KEM_ENCAPSULATE] = ENTRY(encapsulate),
    [OSSL_FUNC_KEM_DECAPSULATE_INIT] = ENTRY(decapsulate_init),
    [OSSL_FUNC_KEM_DECAPSULATE] = ENTRY(decapsulate),
    [OSSL_FUNC_KEM_FREECTX] = ENTRY(kem_free),
    [OSSL_FUNC_KEM_DUPCTX] = ENTRY(kem_copy),
    [OSSL_FUNC_KEM_GET_CTX_PARAMS] = ENTRY(kem_get),
    [OSSL_FUNC_KEM_SET_CTX_PARAMS] = ENTRY(kem_set),
    [AUTH_ENCAPSULATE_INIT] = ENTRY(auth_encapsulate_init),
    [AUTH_DECAPSULATE_INIT] = ENTRY(auth_decapsulate_init),
};

TRACED_INIT(encrypt_init, OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, TRACED_FORTH,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_INIT(decrypt_init, OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, TRACED_BACK,
            (void *ctx, void *key, const OSSL_PARAM parameters[]), (INNER, key, parameters))
TRACED_CALL(encrypt, OSSL_FUNC_ASYM_CIPHER_ENCRYPT, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size,
             const unsigned char *in, size_t length),
            (INNER, out, out_length, size, in, length))
TRACED_CALL(decrypt, OSSL_FUNC_ASYM_CIPHER_DECRYPT, out != NULL,
            (void *ctx, unsigned char *out, size_t *out_length, size_t size,
             const unsigned char *in, size_t length),
            (INNER, out, out_length, size, in, length))
TRACED_CALL(asymmetric_set, OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, false,
            (void *ctx, const OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_CALL(asymmetric_get, OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, false,
            (void *ctx, OSSL_PARAM parameters[]), (INNER, parameters))
TRACED_FREE(asymmetric_free, OSSL_FUNC_ASYM_CIPHER_FREECTX)
TRACED_COPY(asymmetric_copy, OSSL_FUNC_ASYM_CIPHER_DUPCTX)

static const traced_function asymmetric_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT] = ENTRY(encrypt_init),
    [OSSL_FUNC_ASYM_CIPHER_ENCRYPT] = ENTRY(encrypt),
    [OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT] = ENTRY(decrypt_init),
    [OSSL_FUNC_ASYM_CIPHER_DECRYPT] = ENTRY(decrypt),
    [OSSL_FUNC_ASYM_CIPHER_FREECTX] = ENTRY(asymmetric_free),
    [OSSL_FUNC_ASYM_CIPHER_DUPCTX] = ENTRY(asymmetric_copy),
    [OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS] = ENTRY(asymmetric_get),
    [OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS] = ENTRY(asymmetric_set),
};

static int generation_set(void *ctx, const OSSL_PARAM parameters[])
{
    struct traced_context *traced = ctx;
    int (*inner)(void *, const OSSL_PARAM[]) = (int (*)(
        void *, const OSSL_PARAM[]))traced->algorithm->inner[OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS];
    const OSSL_PARAM *group = OSSL_PARAM_locate_const(parameters, OSSL_PKEY_PARAM_GROUP_NAME);
    const char *name = NULL;
    if (group != NULL && OSSL_PARAM_get_utf8_string_ptr(group, &name) == 1)
        traced_name_by_group(traced, name);
    traced_begin(traced->points[traced->role], false);
    int result = inner(traced->inner, parameters);
    traced_end();
    return result;
}

static int generation_template(void *ctx, void *key)
{
    struct traced_context *traced = ctx;
    __typeof__(generation_template) *inner =
        (__typeof__(generation_template) *)
            traced->algorithm->inner[OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE];
    traced_name_by_key(traced, key);
    traced_begin(traced->points[traced->role], false);
    int result = inner(traced->inner, key);
    traced_end();
    return result;
}

static void *generate(void *ctx, OSSL_CALLBACK *progress, void *argument)
{
    const struct traced_context *traced = ctx;
    __typeof__(generate) *inner =
        (__typeof__(generate) *)traced->algorithm->inner[OSSL_FUNC_KEYMGMT_GEN];
    traced_begin(traced->points[traced->role], true);
    void *key = inner(traced->inner, progress, argument);
    traced_end();
    return key;
}

TRACED_CALL(generation_get, GEN_GET_PARAMS, false, (void *ctx, OSSL_PARAM parameters[]),
            (INNER, parameters))
TRACED_FREE(generation_free, OSSL_FUNC_KEYMGMT_GEN_CLEANUP)

static const traced_function generation_trampolines[TRACED_FUNCTIONS] = {
    [OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE] = ENTRY(generation_template),
    [OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS] = ENTRY(generation_set),
    [OSSL_FUNC_KEYMGMT_GEN] = ENTRY(generate),
    [OSSL_FUNC_KEYMGMT_GEN_CLEANUP] = ENTRY(generation_free),
    [GEN_GET_PARAMS] = ENTRY(generation_get),
};

const struct traced_operation traced_signature = {
    .id = OSSL_OP_SIGNATURE,
    .kinds = {TRACE_ASYMMETRIC, TRACE_ASYMMETRIC},
    .verbs = {"sign", "verify"},
    .constructor = OSSL_FUNC_SIGNATURE_NEWCTX,
    .settable = OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS,
    .trampolines = signature_trampolines,
    .passed = BIT(QUERY_KEY_TYPES),
};

const struct traced_operation traced_key_exchange = {
    .id = OSSL_OP_KEYEXCH,
    .kinds = {TRACE_ASYMMETRIC, TRACE_ASYMMETRIC},
    .verbs = {"derive", "derive"},
    .constructor = OSSL_FUNC_KEYEXCH_NEWCTX,
    .settable = OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS,
    .trampolines = exchange_trampolines,
};

const struct traced_operation traced_kem = {
    .id = OSSL_OP_KEM,
    .kinds = {TRACE_ASYMMETRIC, TRACE_ASYMMETRIC},
    .verbs = {"encapsulate", "decapsulate"},
    .constructor = OSSL_FUNC_KEM_NEWCTX,
    .settable = OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_KEM_GETTABLE_CTX_PARAMS,
    .trampolines = kem_trampolines,
};

const struct traced_operation traced_asymmetric_cipher = {
    .id = OSSL_OP_ASYM_CIPHER,
    .kinds = {TRACE_ASYMMETRIC, TRACE_ASYMMETRIC},
    .verbs = {"encrypt", "decrypt"},
    .constructor = OSSL_FUNC_ASYM_CIPHER_NEWCTX,
    .settable = OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS,
    .gettable = OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS,
    .trampolines = asymmetric_trampolines,
};

const struct traced_operation traced_key_generation = {
    .id = OSSL_OP_KEYMGMT,
    .kinds = {TRACE_ASYMMETRIC, TRACE_KEYS},
    .verbs = {"keygen", "parameters"},
    .constructor = OSSL_FUNC_KEYMGMT_GEN_INIT,
    .settable = OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS,
    .gettable = GEN_GETTABLE_PARAMS,
    .trampolines = generation_trampolines,
    .passed = BIT(OSSL_FUNC_KEYMGMT_NEW) | BIT(OSSL_FUNC_KEYMGMT_LOAD) |
              BIT(OSSL_FUNC_KEYMGMT_FREE) | BIT(OSSL_FUNC_KEYMGMT_GET_PARAMS) |
              BIT(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS) | BIT(OSSL_FUNC_KEYMGMT_SET_PARAMS) |
              BIT(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS) | BIT(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME) |
              BIT(OSSL_FUNC_KEYMGMT_HAS) | BIT(OSSL_FUNC_KEYMGMT_VALIDATE) |
              BIT(OSSL_FUNC_KEYMGMT_MATCH) | BIT(OSSL_FUNC_KEYMGMT_IMPORT) |
              BIT(OSSL_FUNC_KEYMGMT_IMPORT_TYPES) | BIT(OSSL_FUNC_KEYMGMT_EXPORT) |
              BIT(OSSL_FUNC_KEYMGMT_EXPORT_TYPES) | BIT(OSSL_FUNC_KEYMGMT_DUP) |
              BIT(IMPORT_TYPES_EX) | BIT(EXPORT_TYPES_EX),
};
