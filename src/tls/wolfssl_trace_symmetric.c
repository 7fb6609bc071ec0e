/* wolfSSL's hashes, MACs, key derivation and ciphers. */
#include "tls/wolfssl_internal.h"

#include "tls/wolfssl_trace.h"

#include <stdio.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/kdf.h>
#include <wolfssl/wolfcrypt/md5.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha512.h>

const char *tls_wolfssl_trace_symmetric_unavailable(void)
{
    return tls_trace_interposed("wc_Sha256Update", (void (*)(void))wc_Sha256Update);
}

static const struct tls_trace_point *hmac_of(int type)
{
    static const struct tls_trace_point *kept[5];
    switch (type) {
    case WC_SHA:
        return tls_trace_fixed(&kept[0], TRACE_DIGEST, "hmac-sha1");
    case WC_SHA256:
        return tls_trace_fixed(&kept[1], TRACE_DIGEST, "hmac-sha256");
    case WC_SHA384:
        return tls_trace_fixed(&kept[2], TRACE_DIGEST, "hmac-sha384");
    case WC_SHA512:
        return tls_trace_fixed(&kept[3], TRACE_DIGEST, "hmac-sha512");
    default:
        return tls_trace_fixed(&kept[4], TRACE_DIGEST, "other hmac");
    }
}

enum aes_mode { GCM, CCM, CBC, MODES };

static const struct tls_trace_point *aes_of(enum aes_mode mode, word32 key_bytes)
{
    static const char *const modes[MODES] = {"gcm", "ccm", "cbc"};
    static const struct tls_trace_point *kept[MODES][3]; /* 128, 192, 256 bits */
    size_t size = key_bytes <= 16 ? 0 : key_bytes <= 24 ? 1 : 2;
    if (kept[mode][size] != NULL)
        return kept[mode][size];
    char name[TRACE_NAME_BYTES];
    (void)snprintf(name, sizeof name, "aes-%u-%s", 128 + 64 * (unsigned)size, modes[mode]);
    return tls_trace_fixed(&kept[mode][size], TRACE_RECORD, name);
}

/* Hashes. */
TRACED(int, wc_Md5Update, (wc_Md5 * md5, const byte *data, word32 len), (md5, data, len),
       FIXED(TRACE_DIGEST, "md5"));
TRACED(int, wc_Md5Final, (wc_Md5 * md5, byte *hash), (md5, hash), FIXED(TRACE_DIGEST, "md5"));
TRACED(int, wc_Md5Copy, (wc_Md5 * src, wc_Md5 *dst), (src, dst), FIXED(TRACE_DIGEST, "md5"));
TRACED(int, wc_Md5GetHash, (wc_Md5 * md5, byte *hash), (md5, hash), FIXED(TRACE_DIGEST, "md5"));
TRACED(int, wc_ShaUpdate, (wc_Sha * sha, const byte *data, word32 len), (sha, data, len),
       FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_ShaFinal, (wc_Sha * sha, byte *hash), (sha, hash), FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_ShaCopy, (wc_Sha * src, wc_Sha *dst), (src, dst), FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_ShaGetHash, (wc_Sha * sha, byte *hash), (sha, hash), FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_Sha224Update, (wc_Sha224 * sha224, const byte *data, word32 len),
       (sha224, data, len), FIXED(TRACE_DIGEST, "sha224"));
TRACED(int, wc_Sha224Final, (wc_Sha224 * sha224, byte *hash), (sha224, hash),
       FIXED(TRACE_DIGEST, "sha224"));
TRACED(int, wc_Sha224Copy, (wc_Sha224 * src, wc_Sha224 *dst), (src, dst),
       FIXED(TRACE_DIGEST, "sha224"));
TRACED(int, wc_Sha224GetHash, (wc_Sha224 * sha224, byte *hash), (sha224, hash),
       FIXED(TRACE_DIGEST, "sha224"));
TRACED(int, wc_Sha256Update, (wc_Sha256 * sha, const byte *data, word32 len), (sha, data, len),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_Sha256Final, (wc_Sha256 * sha256, byte *hash), (sha256, hash),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_Sha256Copy, (wc_Sha256 * src, wc_Sha256 *dst), (src, dst),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_Sha256GetHash, (wc_Sha256 * sha256, byte *hash), (sha256, hash),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_Sha384Update, (wc_Sha384 * sha, const byte *data, word32 len), (sha, data, len),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_Sha384Final, (wc_Sha384 * sha384, byte *hash), (sha384, hash),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_Sha384Copy, (wc_Sha384 * src, wc_Sha384 *dst), (src, dst),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_Sha384GetHash, (wc_Sha384 * sha384, byte *hash), (sha384, hash),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_Sha512Update, (wc_Sha512 * sha, const byte *data, word32 len), (sha, data, len),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED(int, wc_Sha512Final, (wc_Sha512 * sha512, byte *hash), (sha512, hash),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED(int, wc_Sha512Copy, (wc_Sha512 * src, wc_Sha512 *dst), (src, dst),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED(int, wc_Sha512GetHash, (wc_Sha512 * sha512, byte *hash), (sha512, hash),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED(int, wc_Sha256Hash, (const byte *data, word32 len, byte *hash), (data, len, hash),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_Sha384Hash, (const byte *data, word32 len, byte *hash), (data, len, hash),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_Sha512Hash, (const byte *data, word32 len, byte *hash), (data, len, hash),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED(int, wc_ShaHash, (const byte *data, word32 len, byte *hash), (data, len, hash),
       FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_InitMd5_ex, (wc_Md5 * md5, void *heap, int devId), (md5, heap, devId),
       FIXED(TRACE_DIGEST, "md5"));
TRACED_VOID(wc_Md5Free, (wc_Md5 * md5), (md5), FIXED(TRACE_DIGEST, "md5"));
TRACED(int, wc_InitSha_ex, (wc_Sha * sha, void *heap, int devId), (sha, heap, devId),
       FIXED(TRACE_DIGEST, "sha1"));
TRACED_VOID(wc_ShaFree, (wc_Sha * sha), (sha), FIXED(TRACE_DIGEST, "sha1"));
TRACED(int, wc_InitSha224_ex, (wc_Sha224 * sha224, void *heap, int devId), (sha224, heap, devId),
       FIXED(TRACE_DIGEST, "sha224"));
TRACED_VOID(wc_Sha224Free, (wc_Sha224 * sha224), (sha224), FIXED(TRACE_DIGEST, "sha224"));
TRACED(int, wc_InitSha256_ex, (wc_Sha256 * sha, void *heap, int devId), (sha, heap, devId),
       FIXED(TRACE_DIGEST, "sha256"));
TRACED_VOID(wc_Sha256Free, (wc_Sha256 * sha256), (sha256), FIXED(TRACE_DIGEST, "sha256"));
TRACED(int, wc_InitSha384_ex, (wc_Sha384 * sha, void *heap, int devId), (sha, heap, devId),
       FIXED(TRACE_DIGEST, "sha384"));
TRACED_VOID(wc_Sha384Free, (wc_Sha384 * sha), (sha), FIXED(TRACE_DIGEST, "sha384"));
TRACED(int, wc_InitSha512_ex, (wc_Sha512 * sha, void *heap, int devId), (sha, heap, devId),
       FIXED(TRACE_DIGEST, "sha512"));
TRACED_VOID(wc_Sha512Free, (wc_Sha512 * sha), (sha), FIXED(TRACE_DIGEST, "sha512"));

/* MACs and key derivation. */
TRACED(int, wc_HmacSetKey, (Hmac * hmac, int type, const byte *key, word32 keySz),
       (hmac, type, key, keySz), hmac_of(type));
TRACED(int, wc_HmacUpdate, (Hmac * hmac, const byte *in, word32 sz), (hmac, in, sz),
       hmac_of(hmac->macType));
TRACED(int, wc_HmacFinal, (Hmac * hmac, byte *out), (hmac, out), hmac_of(hmac->macType));
TRACED(int, wc_HmacInit, (Hmac * hmac, void *heap, int devId), (hmac, heap, devId),
       FIXED(TRACE_DIGEST, "hmac contexts"));
TRACED_VOID(wc_HmacFree, (Hmac * hmac), (hmac), FIXED(TRACE_DIGEST, "hmac contexts"));
TRACED(int, wc_PRF_TLS,
       (byte * digest, word32 digLen, const byte *secret, word32 secLen, const byte *label,
        word32 labLen, const byte *seed, word32 seedLen, int useAtLeastSha256, int hash_type,
        void *heap, int devId),
       (digest, digLen, secret, secLen, label, labLen, seed, seedLen, useAtLeastSha256, hash_type,
        heap, devId),
       FIXED(TRACE_DIGEST, "tls1-prf"));
TRACED(int, wc_PRF,
       (byte * result, word32 resLen, const byte *secret, word32 secLen, const byte *seed,
        word32 seedLen, int hash, void *heap, int devId),
       (result, resLen, secret, secLen, seed, seedLen, hash, heap, devId),
       FIXED(TRACE_DIGEST, "tls1-prf"));
TRACED(int, wc_HKDF_Extract,
       (int type, const byte *salt, word32 saltSz, const byte *inKey, word32 inKeySz, byte *out),
       (type, salt, saltSz, inKey, inKeySz, out), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(int, wc_HKDF_Expand,
       (int type, const byte *inKey, word32 inKeySz, const byte *info, word32 infoSz, byte *out,
        word32 outSz),
       (type, inKey, inKeySz, info, infoSz, out, outSz), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(int, wc_HKDF,
       (int type, const byte *inKey, word32 inKeySz, const byte *salt, word32 saltSz,
        const byte *info, word32 infoSz, byte *out, word32 outSz),
       (type, inKey, inKeySz, salt, saltSz, info, infoSz, out, outSz), FIXED(TRACE_DIGEST, "hkdf"));

/* Record protection. */
TRACED(int, wc_AesGcmSetKey, (Aes * aes, const byte *key, word32 len), (aes, key, len),
       aes_of(GCM, len));
TRACED(int, wc_AesGcmEncrypt,
       (Aes * aes, byte *out, const byte *in, word32 sz, const byte *iv, word32 ivSz, byte *authTag,
        word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, sz, iv, ivSz, authTag, authTagSz, authIn, authInSz),
       aes_of(GCM, (word32)aes->keylen));
TRACED(int, wc_AesGcmEncrypt_ex,
       (Aes * aes, byte *out, const byte *in, word32 sz, byte *ivOut, word32 ivOutSz, byte *authTag,
        word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, sz, ivOut, ivOutSz, authTag, authTagSz, authIn, authInSz),
       aes_of(GCM, (word32)aes->keylen));
TRACED(int, wc_AesGcmDecrypt,
       (Aes * aes, byte *out, const byte *in, word32 sz, const byte *iv, word32 ivSz,
        const byte *authTag, word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, sz, iv, ivSz, authTag, authTagSz, authIn, authInSz),
       aes_of(GCM, (word32)aes->keylen));
TRACED(int, wc_AesGcmSetExtIV, (Aes * aes, const byte *iv, word32 ivSz), (aes, iv, ivSz),
       aes_of(GCM, (word32)aes->keylen));
TRACED(int, wc_AesGcmSetIV,
       (Aes * aes, word32 ivSz, const byte *ivFixed, word32 ivFixedSz, WC_RNG *rng),
       (aes, ivSz, ivFixed, ivFixedSz, rng), aes_of(GCM, (word32)aes->keylen));
TRACED(int, wc_AesCcmSetKey, (Aes * aes, const byte *key, word32 keySz), (aes, key, keySz),
       aes_of(CCM, keySz));
TRACED(int, wc_AesCcmSetNonce, (Aes * aes, const byte *nonce, word32 nonceSz),
       (aes, nonce, nonceSz), aes_of(CCM, (word32)aes->keylen));
TRACED(int, wc_AesCcmEncrypt,
       (Aes * aes, byte *out, const byte *in, word32 inSz, const byte *nonce, word32 nonceSz,
        byte *authTag, word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, inSz, nonce, nonceSz, authTag, authTagSz, authIn, authInSz),
       aes_of(CCM, (word32)aes->keylen));
TRACED(int, wc_AesCcmEncrypt_ex,
       (Aes * aes, byte *out, const byte *in, word32 sz, byte *ivOut, word32 ivOutSz, byte *authTag,
        word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, sz, ivOut, ivOutSz, authTag, authTagSz, authIn, authInSz),
       aes_of(CCM, (word32)aes->keylen));
TRACED(int, wc_AesCcmDecrypt,
       (Aes * aes, byte *out, const byte *in, word32 inSz, const byte *nonce, word32 nonceSz,
        const byte *authTag, word32 authTagSz, const byte *authIn, word32 authInSz),
       (aes, out, in, inSz, nonce, nonceSz, authTag, authTagSz, authIn, authInSz),
       aes_of(CCM, (word32)aes->keylen));
TRACED(int, wc_AesSetKey, (Aes * aes, const byte *key, word32 len, const byte *iv, int dir),
       (aes, key, len, iv, dir), aes_of(CBC, len));
TRACED(int, wc_AesCbcEncrypt, (Aes * aes, byte *out, const byte *in, word32 sz), (aes, out, in, sz),
       aes_of(CBC, (word32)aes->keylen));
TRACED(int, wc_AesCbcDecrypt, (Aes * aes, byte *out, const byte *in, word32 sz), (aes, out, in, sz),
       aes_of(CBC, (word32)aes->keylen));
TRACED(int, wc_ChaCha20Poly1305_Encrypt,
       (const byte inKey[CHACHA20_POLY1305_AEAD_KEYSIZE],
        const byte inIV[CHACHA20_POLY1305_AEAD_IV_SIZE], const byte *inAAD, word32 inAADLen,
        const byte *inPlaintext, word32 inPlaintextLen, byte *outCiphertext,
        byte outAuthTag[CHACHA20_POLY1305_AEAD_AUTHTAG_SIZE]),
       (inKey, inIV, inAAD, inAADLen, inPlaintext, inPlaintextLen, outCiphertext, outAuthTag),
       FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_ChaCha20Poly1305_Decrypt,
       (const byte inKey[CHACHA20_POLY1305_AEAD_KEYSIZE],
        const byte inIV[CHACHA20_POLY1305_AEAD_IV_SIZE], const byte *inAAD, word32 inAADLen,
        const byte *inCiphertext, word32 inCiphertextLen,
        const byte inAuthTag[CHACHA20_POLY1305_AEAD_AUTHTAG_SIZE], byte *outPlaintext),
       (inKey, inIV, inAAD, inAADLen, inCiphertext, inCiphertextLen, inAuthTag, outPlaintext),
       FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Chacha_SetKey, (ChaCha * ctx, const byte *key, word32 keySz), (ctx, key, keySz),
       FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Chacha_SetIV, (ChaCha * ctx, const byte *inIv, word32 counter), (ctx, inIv, counter),
       FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Chacha_Process, (ChaCha * ctx, byte *cipher, const byte *plain, word32 msglen),
       (ctx, cipher, plain, msglen), FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Poly1305SetKey, (Poly1305 * poly1305, const byte *key, word32 kySz),
       (poly1305, key, kySz), FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Poly1305_MAC,
       (Poly1305 * ctx, const byte *additional, word32 addSz, const byte *input, word32 sz,
        byte *tag, word32 tagSz),
       (ctx, additional, addSz, input, sz, tag, tagSz), FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Poly1305Update, (Poly1305 * poly1305, const byte *m, word32 bytes),
       (poly1305, m, bytes), FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_Poly1305Final, (Poly1305 * poly1305, byte *tag), (poly1305, tag),
       FIXED(TRACE_RECORD, "chacha20-poly1305"));
TRACED(int, wc_AesInit, (Aes * aes, void *heap, int devId), (aes, heap, devId),
       FIXED(TRACE_RECORD, "cipher contexts"));
TRACED_VOID(wc_AesFree, (Aes * aes), (aes), FIXED(TRACE_RECORD, "cipher contexts"));
