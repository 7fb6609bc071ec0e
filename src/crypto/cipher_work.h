/*
 * What the cipher files of all libraries have in common: the bytes an operation works on, and how
 * it is verified. A library's own struct begins with a struct cipher_work and adds its contexts.
 *
 * Ciphertext and tag lie one behind the other: `tag` points behind the data, in the output when
 * encrypting and in the input when decrypting. All memory belongs to the operation.
 */
#ifndef TLSMETER_CRYPTO_CIPHER_WORK_H
#define TLSMETER_CRYPTO_CIPHER_WORK_H

#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "crypto/crypto.h"
#include "crypto/known_answer.h"

enum { CIPHER_KEY_BYTES = 64, CIPHER_NONCE_BYTES = 16, CIPHER_TAG_BYTES = 16 };

struct cipher_hooks;

struct cipher_work {
    struct crypto_operation head;
    const struct cipher_hooks *hooks;
    bool aead, encrypt;
    unsigned char key[CIPHER_KEY_BYTES], nonce[CIPHER_NONCE_BYTES], aad[KNOWN_ANSWER_BYTES];
    size_t key_bytes, nonce_bytes, tag_bytes, aad_bytes, size;
    unsigned char *input, *output, *tag;
};

/* The library's part. Each fills the error when it fails. */
struct cipher_hooks {
    const struct crypto_library *library;
    size_t operation_bytes; /* of the library's own struct */
    /* Makes and keys the contexts; the bytes are there. */
    bool (*prepare)(struct cipher_work *work, struct error *error);
    /* One message from nonce to tag with the key that was set; a wrong tag is a failure. */
    bool (*message)(struct cipher_work *work, struct error *error);
    /* As struct crypto_library's. */
    bool (*run)(struct crypto_operation *operation, uint64_t count, struct error *error);
    /* Frees the contexts of a prepared or half prepared operation. */
    void (*release)(struct cipher_work *work);
};

struct crypto_operation *cipher_work_open(const struct cipher_hooks *hooks,
                                          const struct crypto_request *request,
                                          struct error *error);
/* Every published answer by run() in the request's own mode; then what is encrypted at this size
 * decrypts to itself, and a changed tag is refused. */
MUST_USE bool cipher_work_verify(struct crypto_operation *operation, struct error *error);
size_t cipher_work_once(struct crypto_operation *operation, unsigned char *output, size_t capacity);
void cipher_work_close(struct crypto_operation *operation);

/* Between two messages a new nonce. RFC 5116 section 3.2 counts nonces up; the library's own
 * counter bytes stay below (CTR). A ciphertext belongs to its nonce: decryption keeps it. */
static inline void cipher_work_next_nonce(struct cipher_work *work)
{
    uint32_t counter;
    if (!work->encrypt)
        return;
    memcpy(&counter, work->nonce + 4, sizeof counter);
    counter++;
    memcpy(work->nonce + 4, &counter, sizeof counter);
}

/* Between two messages a new key, in mode message; decryption sets the same one again. */
static inline void cipher_work_next_key(struct cipher_work *work)
{
    work->key[0] = (unsigned char)(work->key[0] + work->encrypt);
}

#endif
