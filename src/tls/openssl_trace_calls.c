/*
 * Functions of libcrypto that are no operations of a provider but take their time in a handshake.
 * They hold the operations that libcrypto then asks the provider for; within an operation they are
 * not seen.
 */
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "tls/openssl_trace.h"
#include "tls/trace_interpose.h"

#define CERTIFICATE_PARSE        FIXED(TRACE_CERTIFICATE, "parse certificate")
#define CERTIFICATE_ENCODE       FIXED(TRACE_CERTIFICATE, "encode certificate")
#define CERTIFICATE_OBJECT       FIXED(TRACE_CERTIFICATE, "make and free certificates")
#define CERTIFICATE_VERIFY       FIXED(TRACE_CERTIFICATE, "verify chain")
#define CERTIFICATE_VERIFY_SETUP FIXED(TRACE_CERTIFICATE, "prepare verification")
#define CERTIFICATE_KEY          FIXED(TRACE_CERTIFICATE, "certificate's key")
#define CERTIFICATE_READ         FIXED(TRACE_CERTIFICATE, "read certificate")
#define KEY_ENCODE               FIXED(TRACE_KEYS, "encode public key")
#define KEY_DECODE               FIXED(TRACE_KEYS, "decode public key")
#define KEY_CHECK                FIXED(TRACE_KEYS, "check public key")
#define KEY_OBJECT               FIXED(TRACE_KEYS, "make and free keys")
#define KEY_OPERATION            FIXED(TRACE_KEYS, "around key operations")
#define LOOKUP                   FIXED(TRACE_FETCH, "fetch")
#define SETUP                    FIXED(TRACE_FETCH, "set up operation")
#define TRANSPORT                FIXED(TRACE_MESSAGES, "bytes in and out")
#define RANDOM_PUBLIC            FIXED(TRACE_RANDOM, "random bytes")
#define RANDOM_PRIVATE           FIXED(TRACE_RANDOM, "private random bytes")

#define CALL(point, result, name, parameters, arguments)                                           \
    TRACED(result, name, parameters, arguments, point)
/* For what frees `object`: often there is nothing to free. */
#define CALL_FREE(point, name, parameters)                                                         \
    TRACED_NEXT(name)                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        static const struct tls_trace_point *trace_kept;                                           \
        bool traced = object != NULL && tls_trace_current != NULL && !tls_trace_in_operation();    \
        if (traced)                                                                                \
            tls_trace_push(point);                                                                 \
        next_##name(object);                                                                       \
        if (traced)                                                                                \
            tls_trace_pop();                                                                       \
    }                                                                                              \
    static void resolve_##name(void)

CALL(CERTIFICATE_PARSE, X509 *, d2i_X509, (X509 * *out, const unsigned char **in, long length),
     (out, in, length));
CALL(CERTIFICATE_ENCODE, int, i2d_X509, (const X509 *certificate, unsigned char **out),
     (certificate, out));
CALL_FREE(CERTIFICATE_OBJECT, X509_free, (X509 * object));
CALL(CERTIFICATE_OBJECT, X509 *, X509_new_ex, (OSSL_LIB_CTX * library, const char *query),
     (library, query));
CALL(CERTIFICATE_VERIFY, int, X509_verify_cert, (X509_STORE_CTX * context), (context));
CALL(CERTIFICATE_VERIFY_SETUP, X509_STORE_CTX *, X509_STORE_CTX_new_ex,
     (OSSL_LIB_CTX * library, const char *query), (library, query));
CALL(CERTIFICATE_VERIFY_SETUP, int, X509_STORE_CTX_init,
     (X509_STORE_CTX * context, X509_STORE *store, X509 *leaf, STACK_OF(X509) * chain),
     (context, store, leaf, chain));
CALL(CERTIFICATE_VERIFY_SETUP, int, X509_STORE_CTX_set_default,
     (X509_STORE_CTX * context, const char *name), (context, name));
CALL_FREE(CERTIFICATE_VERIFY_SETUP, X509_STORE_CTX_free, (X509_STORE_CTX * object));
CALL(CERTIFICATE_VERIFY_SETUP, X509_VERIFY_PARAM *, X509_VERIFY_PARAM_new, (void), ());
CALL(CERTIFICATE_VERIFY_SETUP, int, X509_VERIFY_PARAM_inherit,
     (X509_VERIFY_PARAM * to, const X509_VERIFY_PARAM *from), (to, from));
CALL(CERTIFICATE_VERIFY_SETUP, int, X509_VERIFY_PARAM_set1,
     (X509_VERIFY_PARAM * to, const X509_VERIFY_PARAM *from), (to, from));
CALL_FREE(CERTIFICATE_VERIFY_SETUP, X509_VERIFY_PARAM_free, (X509_VERIFY_PARAM * object));
CALL(CERTIFICATE_KEY, EVP_PKEY *, X509_get_pubkey, (X509 * certificate), (certificate));
CALL(CERTIFICATE_KEY, EVP_PKEY *, X509_get0_pubkey, (const X509 *certificate), (certificate));
CALL(CERTIFICATE_READ, uint32_t, X509_get_key_usage, (X509 * certificate), (certificate));
CALL(CERTIFICATE_READ, uint32_t, X509_get_extension_flags, (X509 * certificate), (certificate));

CALL(KEY_ENCODE, size_t, EVP_PKEY_get1_encoded_public_key, (EVP_PKEY * key, unsigned char **out),
     (key, out));
CALL(KEY_DECODE, int, EVP_PKEY_set1_encoded_public_key,
     (EVP_PKEY * key, const unsigned char *in, size_t length), (key, in, length));
CALL(KEY_CHECK, int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX * context, EVP_PKEY *peer),
     (context, peer));
CALL(KEY_CHECK, int, EVP_PKEY_public_check, (EVP_PKEY_CTX * context), (context));
CALL(KEY_OBJECT, int, EVP_PKEY_copy_parameters, (EVP_PKEY * to, const EVP_PKEY *from), (to, from));
CALL(KEY_OBJECT, EVP_PKEY *, EVP_PKEY_new, (void), ());
CALL_FREE(KEY_OBJECT, EVP_PKEY_free, (EVP_PKEY * object));
CALL(KEY_OBJECT, int, EVP_PKEY_fromdata,
     (EVP_PKEY_CTX * context, EVP_PKEY **key, int selection, OSSL_PARAM parameters[]),
     (context, key, selection, parameters));
CALL(KEY_OBJECT, int, EVP_PKEY_eq, (const EVP_PKEY *one, const EVP_PKEY *other), (one, other));
CALL(KEY_OPERATION, int, EVP_PKEY_generate, (EVP_PKEY_CTX * context, EVP_PKEY **key),
     (context, key));
CALL(KEY_OPERATION, int, EVP_PKEY_keygen, (EVP_PKEY_CTX * context, EVP_PKEY **key), (context, key));
CALL(KEY_OPERATION, int, EVP_PKEY_paramgen, (EVP_PKEY_CTX * context, EVP_PKEY **key),
     (context, key));
CALL(KEY_OPERATION, int, EVP_PKEY_derive,
     (EVP_PKEY_CTX * context, unsigned char *secret, size_t *length), (context, secret, length));

CALL(KEY_OPERATION, int, EVP_DigestSignFinal,
     (EVP_MD_CTX * context, unsigned char *signature, size_t *length),
     (context, signature, length));
CALL(KEY_OPERATION, int, EVP_DigestSign,
     (EVP_MD_CTX * context, unsigned char *signature, size_t *length, const unsigned char *in,
      size_t in_length),
     (context, signature, length, in, in_length));
CALL(KEY_OPERATION, int, EVP_DigestVerifyFinal,
     (EVP_MD_CTX * context, const unsigned char *signature, size_t length),
     (context, signature, length));
CALL(KEY_OPERATION, int, EVP_DigestVerify,
     (EVP_MD_CTX * context, const unsigned char *signature, size_t length, const unsigned char *in,
      size_t in_length),
     (context, signature, length, in, in_length));
CALL(KEY_OBJECT, int, EVP_PKEY_get_utf8_string_param,
     (const EVP_PKEY *key, const char *name, char *text, size_t size, size_t *length),
     (key, name, text, size, length));

CALL(SETUP, int, EVP_PKEY_CTX_set_group_name, (EVP_PKEY_CTX * context, const char *name),
     (context, name));
CALL(SETUP, int, EVP_CIPHER_CTX_ctrl,
     (EVP_CIPHER_CTX * context, int command, int number, void *pointer),
     (context, command, number, pointer));
CALL_FREE(SETUP, EVP_MD_CTX_free, (EVP_MD_CTX * object));
CALL(SETUP, int, EVP_MD_CTX_copy_ex, (EVP_MD_CTX * to, const EVP_MD_CTX *from), (to, from));
CALL(SETUP, EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name,
     (OSSL_LIB_CTX * library, const char *name, const char *query), (library, name, query));
CALL(SETUP, EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_pkey,
     (OSSL_LIB_CTX * library, EVP_PKEY *key, const char *query), (library, key, query));
CALL_FREE(SETUP, EVP_PKEY_CTX_free, (EVP_PKEY_CTX * object));
CALL(SETUP, int, EVP_PKEY_digestsign_supports_digest,
     (EVP_PKEY * key, OSSL_LIB_CTX *library, const char *name, const char *query),
     (key, library, name, query));
CALL(SETUP, EVP_KDF_CTX *, EVP_KDF_CTX_new, (EVP_KDF * kdf), (kdf));
CALL_FREE(SETUP, EVP_KDF_CTX_free, (EVP_KDF_CTX * object));
CALL(SETUP, unsigned char *, EVP_Q_mac,
     (OSSL_LIB_CTX * library, const char *name, const char *query, const char *subalg,
      const OSSL_PARAM *parameters, const void *key, size_t key_length, const unsigned char *in,
      size_t length, unsigned char *out, size_t size, size_t *out_length),
     (library, name, query, subalg, parameters, key, key_length, in, length, out, size,
      out_length));
CALL(SETUP, int, EVP_CipherInit_ex,
     (EVP_CIPHER_CTX * context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key,
      const unsigned char *iv, int encrypts),
     (context, cipher, engine, key, iv, encrypts));
CALL(SETUP, int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX * context), (context));
CALL(SETUP, int, EVP_PKEY_paramgen_init, (EVP_PKEY_CTX * context), (context));
CALL(SETUP, int, EVP_PKEY_derive_init, (EVP_PKEY_CTX * context), (context));
CALL(SETUP, int, EVP_PKEY_encrypt_init, (EVP_PKEY_CTX * context), (context));
CALL(SETUP, int, EVP_PKEY_decrypt_init, (EVP_PKEY_CTX * context), (context));
CALL(SETUP, int, EVP_DigestSignInit,
     (EVP_MD_CTX * context, EVP_PKEY_CTX **key_context, const EVP_MD *digest, ENGINE *engine,
      EVP_PKEY *key),
     (context, key_context, digest, engine, key));
CALL(SETUP, int, EVP_DigestVerifyInit,
     (EVP_MD_CTX * context, EVP_PKEY_CTX **key_context, const EVP_MD *digest, ENGINE *engine,
      EVP_PKEY *key),
     (context, key_context, digest, engine, key));
CALL(SETUP, int, EVP_DigestSignInit_ex,
     (EVP_MD_CTX * context, EVP_PKEY_CTX **key_context, const char *digest, OSSL_LIB_CTX *library,
      const char *query, EVP_PKEY *key, const OSSL_PARAM parameters[]),
     (context, key_context, digest, library, query, key, parameters));
CALL(SETUP, int, EVP_DigestVerifyInit_ex,
     (EVP_MD_CTX * context, EVP_PKEY_CTX **key_context, const char *digest, OSSL_LIB_CTX *library,
      const char *query, EVP_PKEY *key, const OSSL_PARAM parameters[]),
     (context, key_context, digest, library, query, key, parameters));

CALL(TRANSPORT, BIO *, BIO_new, (const BIO_METHOD *method), (method));
CALL(TRANSPORT, int, BIO_free, (BIO * bio), (bio));
CALL(TRANSPORT, long, BIO_ctrl, (BIO * bio, int command, long number, void *pointer),
     (bio, command, number, pointer));
CALL(TRANSPORT, int, BIO_read, (BIO * bio, void *out, int length), (bio, out, length));
CALL(TRANSPORT, int, BIO_write, (BIO * bio, const void *in, int length), (bio, in, length));

#define FETCH(type)                                                                                \
    CALL(LOOKUP, EVP_##type *, EVP_##type##_fetch,                                                 \
         (OSSL_LIB_CTX * library, const char *name, const char *query), (library, name, query))
FETCH(MD);
FETCH(CIPHER);
FETCH(MAC);
FETCH(KDF);
FETCH(RAND);
FETCH(SIGNATURE);
FETCH(KEYMGMT);
FETCH(KEYEXCH);
FETCH(KEM);
FETCH(ASYM_CIPHER);

CALL(RANDOM_PUBLIC, int, RAND_bytes_ex,
     (OSSL_LIB_CTX * library, unsigned char *out, size_t length, unsigned strength),
     (library, out, length, strength));
CALL(RANDOM_PRIVATE, int, RAND_priv_bytes_ex,
     (OSSL_LIB_CTX * library, unsigned char *out, size_t length, unsigned strength),
     (library, out, length, strength));

const char *tls_openssl_trace_calls(void)
{
    return tls_trace_interposed("d2i_X509", (traced_function)d2i_X509);
}
