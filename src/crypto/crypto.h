/*
 * The contract between the crypto instrument and a library that computes.
 *
 * A library is one const symbol (`crypto_openssl`, ...) listed in crypto/libraries.c. Nothing of
 * the library leaves its own files. "Not available here, because ..." is an answer, never a
 * failure: unavailable() speaks for the whole library, supports() for one request.
 *
 * Life of an operation: open -> verify -> run ... run -> close. open makes every context, key and
 * buffer, so that run allocates nothing of ours. run performs n operations in one tight loop inside
 * the library's file; it is the only timed call. verify computes the known answer with the same
 * code path and compares it, and must pass before a number is published. An operation belongs to
 * one thread at a time; two operations may run in two threads. All buffers belong to the operation.
 */
#ifndef TLSMETER_CRYPTO_CRYPTO_H
#define TLSMETER_CRYPTO_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "record/cell.h"

enum crypto_kind {
    CRYPTO_CIPHER, /* ECB, CBC, CTR, XTS, ChaCha20 */
    CRYPTO_AEAD,   /* GCM, CCM, ChaCha20-Poly1305 */
    CRYPTO_DIGEST,
    CRYPTO_MAC, /* HMAC, CMAC */
    CRYPTO_KDF, /* HKDF: 32 bytes from 32 bytes */
    CRYPTO_RANDOM,
    CRYPTO_RSA,   /* sign, verify, encrypt, decrypt, keygen */
    CRYPTO_ECDSA, /* sign, verify, keygen */
    CRYPTO_ECDH,  /* derive, keygen; curves, X25519, X448, ffdhe groups */
    CRYPTO_EDDSA,
    CRYPTO_KEM,       /* keygen, encaps, decaps */
    CRYPTO_SIGNATURE, /* ML-DSA: keygen, sign, verify */
    CRYPTO_X509,      /* parse, verify-chain */
};

enum crypto_operation_kind {
    CRYPTO_ENCRYPT,
    CRYPTO_DECRYPT,
    CRYPTO_HASH,
    CRYPTO_AUTHENTICATE,
    CRYPTO_EXPAND,
    CRYPTO_GENERATE,
    CRYPTO_SIGN,
    CRYPTO_VERIFY,
    CRYPTO_DERIVE,
    CRYPTO_KEYGEN,
    CRYPTO_ENCAPS,
    CRYPTO_DECAPS,
    CRYPTO_PARSE,
    CRYPTO_VERIFY_CHAIN,
    CRYPTO_OPERATION_KINDS
};

/* What is done per message; only for kinds that take a size. */
enum crypto_mode {
    CRYPTO_MODE_RECORD, /* as TLS: fixed key, new nonce, additional data and tag (13 bytes, AEAD) */
    CRYPTO_MODE_MESSAGE,       /* the same with a new key */
    CRYPTO_MODE_STREAM,        /* one key, one long run of updates */
    CRYPTO_MODE_OPENSSL_SPEED, /* bench only: the calls of `openssl speed -evp`; openssl library
                                  only */
};

/* Const descriptors; the table is in crypto/algorithm.c. */
struct crypto_algorithm {
    const char *name; /* "aes-128-gcm": the vocabulary of docs/vocabulary.md */
    enum crypto_kind kind;
    uint16_t key_bits;      /* symmetric key; modulus; curve size */
    uint16_t block_bytes;   /* sizes must be a multiple of this; 1 for stream modes */
    uint16_t minimum_bytes; /* smallest message (XTS: 16) */
    uint16_t nonce_bytes;
    uint16_t tag_bytes;     /* tag, digest or MAC length */
    uint16_t security_bits; /* classical strength, NIST SP 800-57 part 1 rev. 5 table 2; 0: none */
    const char *curve;      /* IANA group name in lower case, or NULL */
};

enum crypto_padding { CRYPTO_PADDING_NONE, CRYPTO_PKCS1, CRYPTO_PSS, CRYPTO_OAEP };
enum crypto_peer_key { CRYPTO_PEER_NONE, CRYPTO_PEER_FRESH, CRYPTO_PEER_KNOWN };

/* The largest message measured, and the additional data of a TLS 1.2 record (RFC 5246
 * section 6.2.3.3). */
enum { CRYPTO_LARGEST_BYTES = 16 * 1024 * 1024, CRYPTO_AAD_BYTES = 13 };

/* One thing to measure. */
struct crypto_request {
    const struct crypto_algorithm *algorithm;
    enum crypto_operation_kind operation;
    enum crypto_mode mode;       /* symmetric kinds only */
    uint32_t size_bytes;         /* 0 for kinds without a size */
    enum crypto_padding padding; /* RSA */
    /* fresh: the peer's encoded key is imported and checked each time (what a handshake pays);
     * known: the key object exists already. verify and derive only. */
    enum crypto_peer_key peer_key;
};

struct crypto_family;

/* The head of every library's own operation: its first member. */
struct crypto_operation {
    const struct crypto_library *library;
    struct crypto_request request;
    const struct crypto_family *family; /* crypto/family.h; NULL in a library without families */
};

struct crypto_library {
    const char *name;             /* "openssl" */
    const char *(*version)(void); /* of the library that is loaded, "3.0.22" */
    /* NULL when usable; else one line: "built without libmbedtls-dev". */
    const char *(*unavailable)(void);
    /* NULL when the request can be opened; else the reason. Cheap: opens nothing. */
    const char *(*supports)(const struct crypto_request *request);
    MUST_USE struct crypto_operation *(*open)(const struct crypto_request *request,
                                              struct error *error);
    MUST_USE bool (*run)(struct crypto_operation *operation, uint64_t count, struct error *error);
    MUST_USE bool (*verify)(struct crypto_operation *operation, struct error *error);
    /* Adds who really does the work: provider, interface, CPU features in effect. NULL: what holds
     * for every operation, without the provider. */
    void (*describe)(const struct crypto_operation *operation, struct cell *cell);
    /* Computes the operation once on the given input, for the cross-check between libraries;
     * returns the output length, 0 when the operation has no comparable output. */
    size_t (*once)(struct crypto_operation *operation, unsigned char *output, size_t capacity);
    void (*close)(struct crypto_operation *operation); /* NULL is allowed */
    /* "NAME=VALUE" for the environment of a process that must not use the CPU's crypto
     * instructions; NULL when there is no way, with the reason in *why. */
    const char *(*features_off)(const char **why);
};

/* The built-in libraries, in the order they are listed: null first, for the harness's own cost. */
const struct crypto_library *const *crypto_libraries(size_t *count);
const struct crypto_library *crypto_library_find(const char *name);

const struct crypto_algorithm *crypto_algorithms(size_t *count);
const struct crypto_algorithm *crypto_algorithm_find(const char *name);
/* True for kinds measured in bytes per second. */
bool crypto_kind_has_size(enum crypto_kind kind);
/* The operations of a kind as a bit set (1u << enum crypto_operation_kind). */
uint32_t crypto_kind_operations(enum crypto_kind kind);
/* NULL, or why this algorithm cannot take this size ("aes-128-cbc takes multiples of 16 bytes"). */
const char *crypto_size_refusal(const struct crypto_algorithm *algorithm, uint64_t size_bytes,
                                char reason[128]);

const char *crypto_operation_name(enum crypto_operation_kind operation); /* "verify-chain" */
const char *crypto_mode_name(enum crypto_mode mode);
const char *crypto_padding_name(enum crypto_padding padding);
const char *crypto_peer_key_name(enum crypto_peer_key peer_key);

#endif
