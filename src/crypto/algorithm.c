#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "crypto/crypto.h"

/* Sizes from FIPS 197, SP 800-38A to 38E, RFC 5288, RFC 6655, RFC 8439, FIPS 180-4, FIPS 202, RFC
 * 2104, RFC 4493. Strengths from SP 800-57 part 1 rev. 5: table 2 (between two rows the lower one:
 * RSA-4096 is 128), table 3 (digests against collisions, where SHA-1 is below every row and stands
 * as 0; HMAC and HKDF); RFC 5639, RFC 7748, RFC 7919, FIPS 203 and FIPS 204 (category 1 counts as
 * 128, 3 as 192, 5 as 256; ML-DSA-44 is of category 2). IEEE 1619 has no XTS with AES-192. */
#define CIPHER(name, key, block, least, nonce)                                                     \
    {                                                                                              \
        name, CRYPTO_CIPHER, key, block, least, nonce, 0, key, NULL                                \
    }
#define AEAD(name, key)                                                                            \
    {                                                                                              \
        name, CRYPTO_AEAD, key, 1, 0, 12, 16, key, NULL                                            \
    }
#define DIGEST(name, bytes, strength)                                                              \
    {                                                                                              \
        name, CRYPTO_DIGEST, 0, 1, 0, 0, bytes, strength, NULL                                     \
    }
#define CURVE(name, kind, bits, strength, curve)                                                   \
    {                                                                                              \
        name, kind, bits, 1, 0, 0, 0, strength, curve                                              \
    }

static const struct crypto_algorithm algorithms[] = {
    CIPHER("aes-128-ecb", 128, 16, 16, 0),
    CIPHER("aes-192-ecb", 192, 16, 16, 0),
    CIPHER("aes-256-ecb", 256, 16, 16, 0),
    CIPHER("aes-128-cbc", 128, 16, 16, 16),
    CIPHER("aes-192-cbc", 192, 16, 16, 16),
    CIPHER("aes-256-cbc", 256, 16, 16, 16),
    CIPHER("aes-128-ctr", 128, 1, 1, 16),
    CIPHER("aes-192-ctr", 192, 1, 1, 16),
    CIPHER("aes-256-ctr", 256, 1, 1, 16),
    AEAD("aes-128-gcm", 128),
    AEAD("aes-192-gcm", 192),
    AEAD("aes-256-gcm", 256),
    AEAD("aes-128-ccm", 128),
    AEAD("aes-192-ccm", 192),
    AEAD("aes-256-ccm", 256),
    CIPHER("aes-128-xts", 128, 1, 16, 16),
    CIPHER("aes-256-xts", 256, 1, 16, 16),
    CIPHER("chacha20", 256, 1, 1, 12),
    AEAD("chacha20-poly1305", 256),
    DIGEST("sha1", 20, 0),
    DIGEST("sha256", 32, 128),
    DIGEST("sha384", 48, 192),
    DIGEST("sha512", 64, 256),
    DIGEST("sha3-256", 32, 128),
    {"hmac-sha256", CRYPTO_MAC, 256, 1, 0, 0, 32, 256, NULL},
    {"hmac-sha384", CRYPTO_MAC, 384, 1, 0, 0, 48, 256, NULL},
    {"aes-128-cmac", CRYPTO_MAC, 128, 1, 0, 0, 16, 128, NULL},
    {"hkdf-sha256", CRYPTO_KDF, 256, 1, 0, 0, 32, 256, NULL},
    {"random", CRYPTO_RANDOM, 0, 1, 1, 0, 0, 0, NULL},
    {"rsa-2048", CRYPTO_RSA, 2048, 1, 0, 0, 0, 112, NULL},
    {"rsa-3072", CRYPTO_RSA, 3072, 1, 0, 0, 0, 128, NULL},
    {"rsa-4096", CRYPTO_RSA, 4096, 1, 0, 0, 0, 128, NULL},
    CURVE("ecdsa-p256", CRYPTO_ECDSA, 256, 128, "secp256r1"),
    CURVE("ecdsa-p384", CRYPTO_ECDSA, 384, 192, "secp384r1"),
    CURVE("ecdsa-p521", CRYPTO_ECDSA, 521, 256, "secp521r1"),
    CURVE("ecdsa-brainpoolp256r1", CRYPTO_ECDSA, 256, 128, "brainpoolp256r1"),
    CURVE("ecdsa-brainpoolp384r1", CRYPTO_ECDSA, 384, 192, "brainpoolp384r1"),
    CURVE("ecdsa-brainpoolp512r1", CRYPTO_ECDSA, 512, 256, "brainpoolp512r1"),
    CURVE("ed25519", CRYPTO_EDDSA, 255, 128, "ed25519"),
    CURVE("ed448", CRYPTO_EDDSA, 448, 224, "ed448"),
    CURVE("ecdh-p256", CRYPTO_ECDH, 256, 128, "secp256r1"),
    CURVE("ecdh-p384", CRYPTO_ECDH, 384, 192, "secp384r1"),
    CURVE("ecdh-p521", CRYPTO_ECDH, 521, 256, "secp521r1"),
    CURVE("ecdh-brainpoolp256r1", CRYPTO_ECDH, 256, 128, "brainpoolp256r1"),
    CURVE("ecdh-brainpoolp384r1", CRYPTO_ECDH, 384, 192, "brainpoolp384r1"),
    CURVE("ecdh-brainpoolp512r1", CRYPTO_ECDH, 512, 256, "brainpoolp512r1"),
    CURVE("x25519", CRYPTO_ECDH, 255, 128, "x25519"),
    CURVE("x448", CRYPTO_ECDH, 448, 224, "x448"),
    CURVE("ffdhe2048", CRYPTO_ECDH, 2048, 112, "ffdhe2048"),
    CURVE("ffdhe3072", CRYPTO_ECDH, 3072, 128, "ffdhe3072"),
    {"ml-kem-512", CRYPTO_KEM, 512, 1, 0, 0, 0, 128, NULL},
    {"ml-kem-768", CRYPTO_KEM, 768, 1, 0, 0, 0, 192, NULL},
    {"ml-kem-1024", CRYPTO_KEM, 1024, 1, 0, 0, 0, 256, NULL},
    {"ml-dsa-44", CRYPTO_SIGNATURE, 44, 1, 0, 0, 0, 128, NULL},
    {"ml-dsa-65", CRYPTO_SIGNATURE, 65, 1, 0, 0, 0, 192, NULL},
    {"ml-dsa-87", CRYPTO_SIGNATURE, 87, 1, 0, 0, 0, 256, NULL},
    {"x509-ecdsa-p256", CRYPTO_X509, 256, 1, 0, 0, 0, 128, "secp256r1"},
    {"x509-rsa-2048", CRYPTO_X509, 2048, 1, 0, 0, 0, 112, NULL},
};

#define BIT(operation) (1u << (operation))

static const uint32_t kind_operations[] = {
    [CRYPTO_CIPHER] = BIT(CRYPTO_ENCRYPT) | BIT(CRYPTO_DECRYPT),
    [CRYPTO_AEAD] = BIT(CRYPTO_ENCRYPT) | BIT(CRYPTO_DECRYPT),
    [CRYPTO_DIGEST] = BIT(CRYPTO_HASH),
    [CRYPTO_MAC] = BIT(CRYPTO_AUTHENTICATE),
    [CRYPTO_KDF] = BIT(CRYPTO_EXPAND),
    [CRYPTO_RANDOM] = BIT(CRYPTO_GENERATE),
    [CRYPTO_RSA] = BIT(CRYPTO_SIGN) | BIT(CRYPTO_VERIFY) | BIT(CRYPTO_ENCRYPT) |
                   BIT(CRYPTO_DECRYPT) | BIT(CRYPTO_KEYGEN),
    [CRYPTO_ECDSA] = BIT(CRYPTO_SIGN) | BIT(CRYPTO_VERIFY) | BIT(CRYPTO_KEYGEN),
    [CRYPTO_ECDH] = BIT(CRYPTO_DERIVE) | BIT(CRYPTO_KEYGEN),
    [CRYPTO_EDDSA] = BIT(CRYPTO_SIGN) | BIT(CRYPTO_VERIFY) | BIT(CRYPTO_KEYGEN),
    [CRYPTO_KEM] = BIT(CRYPTO_KEYGEN) | BIT(CRYPTO_ENCAPS) | BIT(CRYPTO_DECAPS),
    [CRYPTO_SIGNATURE] = BIT(CRYPTO_SIGN) | BIT(CRYPTO_VERIFY) | BIT(CRYPTO_KEYGEN),
    [CRYPTO_X509] = BIT(CRYPTO_PARSE) | BIT(CRYPTO_VERIFY_CHAIN),
};

static const char *const operation_names[] = {
    [CRYPTO_ENCRYPT] = "encrypt", [CRYPTO_DECRYPT] = "decrypt",
    [CRYPTO_HASH] = "digest",     [CRYPTO_AUTHENTICATE] = "mac",
    [CRYPTO_EXPAND] = "kdf",      [CRYPTO_GENERATE] = "random",
    [CRYPTO_SIGN] = "sign",       [CRYPTO_VERIFY] = "verify",
    [CRYPTO_DERIVE] = "derive",   [CRYPTO_KEYGEN] = "keygen",
    [CRYPTO_ENCAPS] = "encaps",   [CRYPTO_DECAPS] = "decaps",
    [CRYPTO_PARSE] = "parse",     [CRYPTO_VERIFY_CHAIN] = "verify-chain",
};

static const char *const mode_names[] = {[CRYPTO_MODE_RECORD] = "record",
                                         [CRYPTO_MODE_MESSAGE] = "message",
                                         [CRYPTO_MODE_STREAM] = "stream",
                                         [CRYPTO_MODE_OPENSSL_SPEED] = "openssl-speed"};

static const char *const padding_names[] = {[CRYPTO_PADDING_NONE] = "none",
                                            [CRYPTO_PKCS1] = "pkcs1",
                                            [CRYPTO_PSS] = "pss",
                                            [CRYPTO_OAEP] = "oaep"};

static const char *const peer_key_names[] = {
    [CRYPTO_PEER_NONE] = "none", [CRYPTO_PEER_FRESH] = "fresh", [CRYPTO_PEER_KNOWN] = "known"};

const struct crypto_algorithm *crypto_algorithms(size_t *count)
{
    *count = COUNT_OF(algorithms);
    return algorithms;
}

const struct crypto_algorithm *crypto_algorithm_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(algorithms); i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

bool crypto_kind_has_size(enum crypto_kind kind)
{
    return kind <= CRYPTO_MAC || kind == CRYPTO_RANDOM;
}

uint32_t crypto_kind_operations(enum crypto_kind kind)
{
    return kind_operations[kind];
}

/* CCM with a 12-byte nonce has 3 bytes for the length (RFC 3610 section 2). */
static uint64_t largest_bytes(const struct crypto_algorithm *algorithm)
{
    size_t length = strlen(algorithm->name);
    bool ccm = length > 4 && strcmp(algorithm->name + length - 4, "-ccm") == 0;
    return ccm ? (1u << 24) - 1 : CRYPTO_LARGEST_BYTES;
}

const char *crypto_size_refusal(const struct crypto_algorithm *algorithm, uint64_t size_bytes,
                                char reason[128])
{
    if (!crypto_kind_has_size(algorithm->kind))
        return NULL;
    uint64_t largest = largest_bytes(algorithm);
    if (size_bytes > largest)
        (void)snprintf(reason, 128, "%s is measured up to %u bytes", algorithm->name,
                       (unsigned)largest);
    else if (size_bytes < algorithm->minimum_bytes || size_bytes == 0)
        (void)snprintf(reason, 128, "%s takes at least %d bytes", algorithm->name,
                       algorithm->minimum_bytes > 1 ? algorithm->minimum_bytes : 1);
    else if (size_bytes % algorithm->block_bytes != 0)
        (void)snprintf(reason, 128, "%s takes multiples of %d bytes", algorithm->name,
                       algorithm->block_bytes);
    else
        return NULL;
    return reason;
}

const char *crypto_operation_name(enum crypto_operation_kind operation)
{
    return operation_names[operation];
}

const char *crypto_mode_name(enum crypto_mode mode)
{
    return mode_names[mode];
}

const char *crypto_padding_name(enum crypto_padding padding)
{
    return padding_names[padding];
}

const char *crypto_peer_key_name(enum crypto_peer_key peer_key)
{
    return peer_key_names[peer_key];
}
