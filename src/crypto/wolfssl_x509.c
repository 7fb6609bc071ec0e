/*
 * What a client does with a server's certificate: parsing it with its key, and verifying a chain of
 * two. wolfSSL's certificate manager takes certificates as bytes: its verify-chain includes parsing
 * the leaf.
 */
#include "crypto/wolfssl_internal.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/ssl.h>

#include "crypto/libraries.h"
#include "crypto/test_key.h"

struct x509_operation {
    struct crypto_operation head;
    struct crypto_bytes leaf;
    WOLFSSL_CERT_MANAGER *manager;
};

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return NULL;
}

static int verify_chain(const struct x509_operation *own, const unsigned char *der, size_t length)
{
    int code =
        wolfSSL_CertManagerVerifyBuffer(own->manager, der, (long)length, WOLFSSL_FILETYPE_ASN1);
    return code == WOLFSSL_SUCCESS ? 0 : code;
}

static int step(const struct x509_operation *own)
{
    if (own->head.request.operation == CRYPTO_VERIFY_CHAIN)
        return verify_chain(own, own->leaf.data, own->leaf.length);
    WOLFSSL_X509 *parsed = wolfSSL_X509_load_certificate_buffer(
        own->leaf.data, (int)own->leaf.length, WOLFSSL_FILETYPE_ASN1);
    wolfSSL_X509_free(parsed);
    return parsed == NULL ? ASN_PARSE_E : 0;
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    const struct x509_operation *own = (const struct x509_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_wolfssl_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    wolfSSL_CertManagerFree(own->manager);
    free(own);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct x509_operation *own = calloc(1, sizeof *own);
    bool rsa = request->algorithm->curve == NULL;
    struct crypto_bytes root = crypto_test_root(rsa);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_wolfssl, .request = *request};
    own->leaf = crypto_test_leaf(rsa);
    own->manager = wolfSSL_CertManagerNew();
    int code = own->manager == NULL
                   ? MEMORY_E
                   : wolfSSL_CertManagerLoadCABuffer(own->manager, root.data, (long)root.length,
                                                     WOLFSSL_FILETYPE_ASN1);
    if (code == WOLFSSL_SUCCESS)
        return &own->head;
    (void)crypto_wolfssl_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* The sound chain verifies; one whose signature has a changed bit does not. */
static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct x509_operation *own = (const struct x509_operation *)operation;
    const char *name = operation->request.algorithm->name;
    unsigned char changed[2048];
    int code = verify_chain(own, own->leaf.data, own->leaf.length);
    if (code != 0)
        return crypto_wolfssl_failed(error, code, name);
    memcpy(changed, own->leaf.data, own->leaf.length);
    changed[own->leaf.length - 1] ^= 1; /* the last byte of the signature */
    return verify_chain(own, changed, own->leaf.length) != 0 ||
           error_set(error, ERROR_KNOWN_ANSWER, "%s: a forged chain is accepted", name);
}

const struct crypto_family crypto_wolfssl_x509 = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
