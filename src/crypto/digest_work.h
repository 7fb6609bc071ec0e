/*
 * What the files of digests, MACs, key derivation and random bytes of all libraries have in common:
 * the bytes an operation works on, and how it is verified. A library's own struct begins with a
 * struct digest_work and adds its contexts. All memory belongs to the operation.
 */
#ifndef TLSMETER_CRYPTO_DIGEST_WORK_H
#define TLSMETER_CRYPTO_DIGEST_WORK_H

#include "core/error.h"
#include "crypto/crypto.h"
#include "crypto/known_answer.h"

/* HKDF derives as much as TLS does for a key: 32 bytes from 32, with salt and info of 32. */
enum { DIGEST_KEY_BYTES = 128, DIGEST_OUTPUT_BYTES = 128, DIGEST_KDF_BYTES = 32 };

struct digest_hooks;

struct digest_work {
    struct crypto_operation head;
    const struct digest_hooks *hooks;
    unsigned char key[DIGEST_KEY_BYTES], salt[DIGEST_KEY_BYTES], info[DIGEST_KEY_BYTES];
    size_t key_bytes, salt_bytes, info_bytes;
    unsigned char output[DIGEST_OUTPUT_BYTES];
    size_t output_bytes;
    unsigned char *input;
    size_t size;
};

/* The library's part. Each fills the error when it fails. */
struct digest_hooks {
    const struct crypto_library *library;
    size_t operation_bytes; /* of the library's own struct */
    /* Makes and keys the contexts; the bytes are there. */
    bool (*prepare)(struct digest_work *work, struct error *error);
    /* As struct crypto_library's. */
    bool (*run)(struct crypto_operation *operation, uint64_t count, struct error *error);
    /* Ends a stream that run() only updated: the answer goes to the output. */
    bool (*finish)(struct digest_work *work, struct error *error);
    /* Frees the contexts of a prepared or half prepared operation. */
    void (*release)(struct digest_work *work);
};

struct crypto_operation *digest_work_open(const struct digest_hooks *hooks,
                                          const struct crypto_request *request,
                                          struct error *error);
/* Every published answer by run() in the request's own mode. Random bytes must move. */
MUST_USE bool digest_work_verify(struct crypto_operation *operation, struct error *error);
size_t digest_work_once(struct crypto_operation *operation, unsigned char *output, size_t capacity);
void digest_work_close(struct crypto_operation *operation);

#endif
