/*
 * wolfSSL's operations under keys, random numbers, certificates and connections. The reading of a
 * certificate is hidden in the library, so that its time is part of the messages.
 */
#include "tls/wolfssl_internal.h"

#include "tls/wolfssl_trace.h"

#include <stdio.h>
#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/curve448.h>
#include <wolfssl/wolfcrypt/dh.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/ed448.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/rsa.h>

const char *tls_wolfssl_trace_unavailable(void)
{
    const char *reason =
        tls_trace_interposed("wc_ecc_shared_secret", (void (*)(void))wc_ecc_shared_secret);
    if (reason == NULL)
        reason = tls_wolfssl_trace_symmetric_unavailable();
    return reason != NULL ? reason : tls_wolfssl_trace_version_unavailable();
}

static const char *curve_name(int id)
{
    switch (id) {
    case ECC_SECP256R1:
        return "p256";
    case ECC_SECP384R1:
        return "p384";
    case ECC_SECP521R1:
        return "p521";
    case ECC_BRAINPOOLP256R1:
        return "brainpoolp256r1";
    case ECC_BRAINPOOLP384R1:
        return "brainpoolp384r1";
    case ECC_BRAINPOOLP512R1:
        return "brainpoolp512r1";
    default:
        return "other-curve";
    }
}

static const struct tls_trace_point *asymmetric(const char *family, const char *which,
                                                const char *what)
{
    char name[TRACE_NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s-%s %s", family, which, what);
    return tls_trace_point(TRACE_ASYMMETRIC, name);
}

static const struct tls_trace_point *sized(const char *family, int bits, const char *what)
{
    char which[16];
    (void)snprintf(which, sizeof which, "%d", bits);
    return asymmetric(family, which, what);
}

static const struct tls_trace_point *ec(const ecc_key *key, const char *family, const char *what)
{
    return asymmetric(
        family, key == NULL || key->dp == NULL ? "other-curve" : curve_name(key->dp->id), what);
}

/* Without a curve, wolfSSL takes the NIST curve of that size. */
static const struct tls_trace_point *keygen(int curve, int bytes)
{
    if (curve == ECC_CURVE_DEF)
        curve = bytes == 32   ? ECC_SECP256R1
                : bytes == 48 ? ECC_SECP384R1
                : bytes == 66 ? ECC_SECP521R1
                              : ECC_CURVE_DEF;
    return asymmetric("ec", curve_name(curve), "keygen");
}

static const struct tls_trace_point *rsa(const RsaKey *key, const char *what)
{
    return sized("rsa", 8 * wc_RsaEncryptSize(key), what);
}

static const struct tls_trace_point *dh(DhKey *key, const char *what)
{
    return sized("dh", mp_count_bits(&key->p), what);
}

/* Elliptic curves. */
TRACED(int, wc_ecc_make_key_ex, (WC_RNG * rng, int keysize, ecc_key *key, int curve_id),
       (rng, keysize, key, curve_id), keygen(curve_id, keysize));
TRACED(int, wc_ecc_make_key_ex2, (WC_RNG * rng, int keysize, ecc_key *key, int curve_id, int flags),
       (rng, keysize, key, curve_id, flags), keygen(curve_id, keysize));
TRACED(int, wc_ecc_make_key, (WC_RNG * rng, int keysize, ecc_key *key), (rng, keysize, key),
       keygen(ECC_CURVE_DEF, keysize));
TRACED(int, wc_ecc_shared_secret,
       (ecc_key * private_key, ecc_key *public_key, byte *out, word32 *outlen),
       (private_key, public_key, out, outlen), ec(private_key, "ecdh", "derive"));
TRACED(int, wc_ecc_shared_secret_ex,
       (ecc_key * private_key, ecc_point *point, byte *out, word32 *outlen),
       (private_key, point, out, outlen), ec(private_key, "ecdh", "derive"));
TRACED(int, wc_ecc_sign_hash,
       (const byte *in, word32 inlen, byte *out, word32 *outlen, WC_RNG *rng, ecc_key *key),
       (in, inlen, out, outlen, rng, key), ec(key, "ecdsa", "sign"));
TRACED(int, wc_ecc_verify_hash,
       (const byte *sig, word32 siglen, const byte *hash, word32 hashlen, int *res, ecc_key *key),
       (sig, siglen, hash, hashlen, res, key), ec(key, "ecdsa", "verify"));
TRACED(int, wc_ecc_verify_hash_ex,
       (mp_int * r, mp_int *s, const byte *hash, word32 hashlen, int *res, ecc_key *key),
       (r, s, hash, hashlen, res, key), ec(key, "ecdsa", "verify"));
TRACED(int, wc_curve25519_make_key, (WC_RNG * rng, int keysize, curve25519_key *key),
       (rng, keysize, key), FIXED(TRACE_ASYMMETRIC, "x25519 keygen"));
TRACED(int, wc_curve25519_shared_secret,
       (curve25519_key * private_key, curve25519_key *public_key, byte *out, word32 *outlen),
       (private_key, public_key, out, outlen), FIXED(TRACE_ASYMMETRIC, "x25519 derive"));
TRACED(int, wc_curve25519_shared_secret_ex,
       (curve25519_key * private_key, curve25519_key *public_key, byte *out, word32 *outlen,
        int endian),
       (private_key, public_key, out, outlen, endian), FIXED(TRACE_ASYMMETRIC, "x25519 derive"));
TRACED(int, wc_curve448_make_key, (WC_RNG * rng, int keysize, curve448_key *key),
       (rng, keysize, key), FIXED(TRACE_ASYMMETRIC, "x448 keygen"));
TRACED(int, wc_curve448_shared_secret,
       (curve448_key * private_key, curve448_key *public_key, byte *out, word32 *outlen),
       (private_key, public_key, out, outlen), FIXED(TRACE_ASYMMETRIC, "x448 derive"));
TRACED(int, wc_curve448_shared_secret_ex,
       (curve448_key * private_key, curve448_key *public_key, byte *out, word32 *outlen,
        int endian),
       (private_key, public_key, out, outlen, endian), FIXED(TRACE_ASYMMETRIC, "x448 derive"));
TRACED(int, wc_ed25519_make_public, (ed25519_key * key, unsigned char *pubKey, word32 pubKeySz),
       (key, pubKey, pubKeySz), FIXED(TRACE_ASYMMETRIC, "ed25519 public key"));
TRACED(int, wc_ed25519_sign_msg,
       (const byte *in, word32 inLen, byte *out, word32 *outLen, ed25519_key *key),
       (in, inLen, out, outLen, key), FIXED(TRACE_ASYMMETRIC, "ed25519 sign"));
TRACED(int, wc_ed25519_sign_msg_ex,
       (const byte *in, word32 inLen, byte *out, word32 *outLen, ed25519_key *key, byte type,
        const byte *context, byte contextLen),
       (in, inLen, out, outLen, key, type, context, contextLen),
       FIXED(TRACE_ASYMMETRIC, "ed25519 sign"));
TRACED(int, wc_ed25519_verify_msg,
       (const byte *sig, word32 sigLen, const byte *msg, word32 msgLen, int *res, ed25519_key *key),
       (sig, sigLen, msg, msgLen, res, key), FIXED(TRACE_ASYMMETRIC, "ed25519 verify"));
TRACED(int, wc_ed25519_verify_msg_ex,
       (const byte *sig, word32 sigLen, const byte *msg, word32 msgLen, int *res, ed25519_key *key,
        byte type, const byte *context, byte contextLen),
       (sig, sigLen, msg, msgLen, res, key, type, context, contextLen),
       FIXED(TRACE_ASYMMETRIC, "ed25519 verify"));
TRACED(int, wc_ed448_sign_msg,
       (const byte *in, word32 inLen, byte *out, word32 *outLen, ed448_key *key,
        const byte *context, byte contextLen),
       (in, inLen, out, outLen, key, context, contextLen), FIXED(TRACE_ASYMMETRIC, "ed448 sign"));
TRACED(int, wc_ed448_verify_msg,
       (const byte *sig, word32 sigLen, const byte *msg, word32 msgLen, int *res, ed448_key *key,
        const byte *context, byte contextLen),
       (sig, sigLen, msg, msgLen, res, key, context, contextLen),
       FIXED(TRACE_ASYMMETRIC, "ed448 verify"));

/* RSA and Diffie-Hellman. */
TRACED(int, wc_RsaSSL_Sign,
       (const byte *in, word32 inLen, byte *out, word32 outLen, RsaKey *key, WC_RNG *rng),
       (in, inLen, out, outLen, key, rng), rsa(key, "sign"));
TRACED(int, wc_RsaPSS_Sign,
       (const byte *in, word32 inLen, byte *out, word32 outLen, enum wc_HashType hash, int mgf,
        RsaKey *key, WC_RNG *rng),
       (in, inLen, out, outLen, hash, mgf, key, rng), rsa(key, "sign"));
TRACED(int, wc_RsaPSS_Sign_ex,
       (const byte *in, word32 inLen, byte *out, word32 outLen, enum wc_HashType hash, int mgf,
        int saltLen, RsaKey *key, WC_RNG *rng),
       (in, inLen, out, outLen, hash, mgf, saltLen, key, rng), rsa(key, "sign"));
TRACED(int, wc_RsaSSL_Verify, (const byte *in, word32 inLen, byte *out, word32 outLen, RsaKey *key),
       (in, inLen, out, outLen, key), rsa(key, "verify"));
TRACED(int, wc_RsaSSL_VerifyInline, (byte * in, word32 inLen, byte **out, RsaKey *key),
       (in, inLen, out, key), rsa(key, "verify"));
TRACED(int, wc_RsaPSS_Verify,
       (byte * in, word32 inLen, byte *out, word32 outLen, enum wc_HashType hash, int mgf,
        RsaKey *key),
       (in, inLen, out, outLen, hash, mgf, key), rsa(key, "verify"));
TRACED(int, wc_RsaPSS_Verify_ex,
       (byte * in, word32 inLen, byte *out, word32 outLen, enum wc_HashType hash, int mgf,
        int saltLen, RsaKey *key),
       (in, inLen, out, outLen, hash, mgf, saltLen, key), rsa(key, "verify"));
TRACED(int, wc_RsaPSS_VerifyInline,
       (byte * in, word32 inLen, byte **out, enum wc_HashType hash, int mgf, RsaKey *key),
       (in, inLen, out, hash, mgf, key), rsa(key, "verify"));
TRACED(int, wc_RsaPSS_VerifyInline_ex,
       (byte * in, word32 inLen, byte **out, enum wc_HashType hash, int mgf, int saltLen,
        RsaKey *key),
       (in, inLen, out, hash, mgf, saltLen, key), rsa(key, "verify"));
TRACED(int, wc_RsaPublicEncrypt,
       (const byte *in, word32 inLen, byte *out, word32 outLen, RsaKey *key, WC_RNG *rng),
       (in, inLen, out, outLen, key, rng), rsa(key, "encrypt"));
TRACED(int, wc_RsaPrivateDecrypt,
       (const byte *in, word32 inLen, byte *out, word32 outLen, RsaKey *key),
       (in, inLen, out, outLen, key), rsa(key, "decrypt"));
TRACED(int, wc_RsaPrivateDecryptInline, (byte * in, word32 inLen, byte **out, RsaKey *key),
       (in, inLen, out, key), rsa(key, "decrypt"));
TRACED(int, wc_DhGenerateKeyPair,
       (DhKey * key, WC_RNG *rng, byte *priv, word32 *privSz, byte *pub, word32 *pubSz),
       (key, rng, priv, privSz, pub, pubSz), dh(key, "keygen"));
TRACED(int, wc_DhAgree,
       (DhKey * key, byte *agree, word32 *agreeSz, const byte *priv, word32 privSz,
        const byte *otherPub, word32 pubSz),
       (key, agree, agreeSz, priv, privSz, otherPub, pubSz), dh(key, "derive"));

/* Random numbers. */
TRACED(int, wc_RNG_GenerateBlock, (WC_RNG * rng, byte *b, word32 sz), (rng, b, sz),
       FIXED(TRACE_RANDOM, "hash-drbg"));
TRACED(int, wc_InitRng_ex, (WC_RNG * rng, void *heap, int devId), (rng, heap, devId),
       FIXED(TRACE_RANDOM, "hash-drbg seed"));
TRACED(int, wc_InitRng, (WC_RNG * rng), (rng), FIXED(TRACE_RANDOM, "hash-drbg seed"));
TRACED(int, wc_FreeRng, (WC_RNG * rng), (rng), FIXED(TRACE_RANDOM, "hash-drbg free"));
TRACED(WC_RNG *, wc_rng_new, (byte * nonce, word32 nonceSz, void *heap), (nonce, nonceSz, heap),
       FIXED(TRACE_RANDOM, "hash-drbg seed"));
TRACED_VOID(wc_rng_free, (WC_RNG * rng), (rng), FIXED(TRACE_RANDOM, "hash-drbg free"));

/* Certificates. */
TRACED_VOID(InitDecodedCert, (DecodedCert * cert, const byte *source, word32 inSz, void *heap),
            (cert, source, inSz, heap), FIXED(TRACE_CERTIFICATE, "parse"));
TRACED(int, ParseCert, (DecodedCert * cert, int type, int verify, void *cm),
       (cert, type, verify, cm), FIXED(TRACE_CERTIFICATE, "parse"));
TRACED_VOID(FreeDecodedCert, (DecodedCert * cert), (cert), FIXED(TRACE_CERTIFICATE, "free"));

/* Keys. */
TRACED(int, wc_ecc_import_x963, (const byte *in, word32 inLen, ecc_key *key), (in, inLen, key),
       FIXED(TRACE_KEYS, "import"));
TRACED(int, wc_ecc_import_x963_ex, (const byte *in, word32 inLen, ecc_key *key, int curve_id),
       (in, inLen, key, curve_id), FIXED(TRACE_KEYS, "import"));
TRACED(int, wc_ecc_export_x963, (ecc_key * key, byte *out, word32 *outLen), (key, out, outLen),
       FIXED(TRACE_KEYS, "export"));
TRACED(int, wc_curve25519_import_public, (const byte *in, word32 inLen, curve25519_key *key),
       (in, inLen, key), FIXED(TRACE_KEYS, "import"));
TRACED(int, wc_curve25519_import_public_ex,
       (const byte *in, word32 inLen, curve25519_key *key, int endian), (in, inLen, key, endian),
       FIXED(TRACE_KEYS, "import"));
TRACED(int, wc_curve25519_check_public, (const byte *pub, word32 pubSz, int endian),
       (pub, pubSz, endian), FIXED(TRACE_KEYS, "check"));
TRACED(int, wc_curve25519_export_public, (curve25519_key * key, byte *out, word32 *outLen),
       (key, out, outLen), FIXED(TRACE_KEYS, "export"));
TRACED(int, wc_curve25519_export_public_ex,
       (curve25519_key * key, byte *out, word32 *outLen, int endian), (key, out, outLen, endian),
       FIXED(TRACE_KEYS, "export"));
TRACED(int, wc_EccPublicKeyDecode, (const byte *input, word32 *inOutIdx, ecc_key *key, word32 inSz),
       (input, inOutIdx, key, inSz), FIXED(TRACE_KEYS, "public key of a certificate"));
TRACED(int, wc_RsaPublicKeyDecode, (const byte *input, word32 *inOutIdx, RsaKey *key, word32 inSz),
       (input, inOutIdx, key, inSz), FIXED(TRACE_KEYS, "public key of a certificate"));
TRACED(int, wc_EccPrivateKeyDecode,
       (const byte *input, word32 *inOutIdx, ecc_key *key, word32 inSz),
       (input, inOutIdx, key, inSz), FIXED(TRACE_KEYS, "private key"));
TRACED(int, wc_RsaPrivateKeyDecode, (const byte *input, word32 *inOutIdx, RsaKey *key, word32 inSz),
       (input, inOutIdx, key, inSz), FIXED(TRACE_KEYS, "private key"));
TRACED(int, wc_Ed25519PrivateKeyDecode,
       (const byte *input, word32 *inOutIdx, ed25519_key *key, word32 inSz),
       (input, inOutIdx, key, inSz), FIXED(TRACE_KEYS, "private key"));
TRACED(int, wc_ed25519_import_public, (const byte *in, word32 inLen, ed25519_key *key),
       (in, inLen, key), FIXED(TRACE_KEYS, "import"));
TRACED(int, wc_ecc_init_ex, (ecc_key * key, void *heap, int devId), (key, heap, devId),
       FIXED(TRACE_KEYS, "init and free"));
TRACED(int, wc_ecc_free, (ecc_key * key), (key), FIXED(TRACE_KEYS, "init and free"));
TRACED(int, wc_InitRsaKey_ex, (RsaKey * key, void *heap, int devId), (key, heap, devId),
       FIXED(TRACE_KEYS, "init and free"));
TRACED(int, wc_FreeRsaKey, (RsaKey * key), (key), FIXED(TRACE_KEYS, "init and free"));
TRACED(int, wc_curve25519_init_ex, (curve25519_key * key, void *heap, int devId),
       (key, heap, devId), FIXED(TRACE_KEYS, "init and free"));
TRACED_VOID(wc_curve25519_free, (curve25519_key * key), (key), FIXED(TRACE_KEYS, "init and free"));
TRACED(int, wc_ecc_check_key, (ecc_key * key), (key), FIXED(TRACE_KEYS, "check"));
TRACED(int, wc_DhSetKey, (DhKey * key, const byte *p, word32 pSz, const byte *g, word32 gSz),
       (key, p, pSz, g, gSz), FIXED(TRACE_KEYS, "group"));

/* The library's own code that its public interface shows. */
TRACED(WOLFSSL *, wolfSSL_new, (WOLFSSL_CTX * ctx), (ctx),
       FIXED(TRACE_MESSAGES, "connection setup"));
TRACED_VOID(wolfSSL_free, (WOLFSSL * ssl), (ssl), FIXED(TRACE_MESSAGES, "connection free"));
TRACED(int, wolfSSL_connect, (WOLFSSL * ssl), (ssl), FIXED(TRACE_MESSAGES, "client's messages"));
TRACED(int, wolfSSL_accept, (WOLFSSL * ssl), (ssl), FIXED(TRACE_MESSAGES, "server's messages"));
TRACED(int, wolfSSL_connect_TLSv13, (WOLFSSL * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "client's messages"));
TRACED(int, wolfSSL_accept_TLSv13, (WOLFSSL * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "server's messages"));
TRACED(int, wolfSSL_read, (WOLFSSL * ssl, void *data, int sz), (ssl, data, sz),
       FIXED(TRACE_MESSAGES, "read application data"));
TRACED(int, wolfSSL_write, (WOLFSSL * ssl, const void *data, int sz), (ssl, data, sz),
       FIXED(TRACE_MESSAGES, "write application data"));
TRACED(int, wolfSSL_set_session, (WOLFSSL * ssl, WOLFSSL_SESSION *session), (ssl, session),
       FIXED(TRACE_MESSAGES, "session"));
TRACED(WOLFSSL_SESSION *, wolfSSL_get1_session, (WOLFSSL * ssl), (ssl),
       FIXED(TRACE_MESSAGES, "session"));
TRACED_VOID(wolfSSL_SESSION_free, (WOLFSSL_SESSION * session), (session),
            FIXED(TRACE_MESSAGES, "session"));
