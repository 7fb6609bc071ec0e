/* What a client does with a server's certificate: parsing it with its key, and verifying a chain of
 * two. */
#include <mbedtls/x509_crt.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"
#include "crypto/test_key.h"

struct x509_operation {
    struct crypto_operation head;
    struct crypto_bytes leaf_der;
    mbedtls_x509_crt leaf, root;
};

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return NULL;
}

/* Whatever a board's clock says: the certificates' dates are not what is measured. */
static int verify_chain(struct x509_operation *own, mbedtls_x509_crt *leaf)
{
    uint32_t flags = 0;
    int code = mbedtls_x509_crt_verify(leaf, &own->root, NULL, NULL, &flags, NULL, NULL);
    uint32_t dates = MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE;
    return code == MBEDTLS_ERR_X509_CERT_VERIFY_FAILED && (flags & ~dates) == 0 ? 0 : code;
}

static int step(struct x509_operation *own)
{
    mbedtls_x509_crt parsed;
    if (own->head.request.operation == CRYPTO_VERIFY_CHAIN)
        return verify_chain(own, &own->leaf);
    mbedtls_x509_crt_init(&parsed);
    int code = mbedtls_x509_crt_parse_der(&parsed, own->leaf_der.data, own->leaf_der.length);
    mbedtls_x509_crt_free(&parsed);
    return code;
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    mbedtls_x509_crt_free(&own->leaf);
    mbedtls_x509_crt_free(&own->root);
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
    own->head = (struct crypto_operation){.library = &crypto_mbedtls, .request = *request};
    own->leaf_der = crypto_test_leaf(rsa);
    mbedtls_x509_crt_init(&own->leaf);
    mbedtls_x509_crt_init(&own->root);
    int code = mbedtls_x509_crt_parse_der(&own->leaf, own->leaf_der.data, own->leaf_der.length);
    if (code == 0)
        code = mbedtls_x509_crt_parse_der(&own->root, root.data, root.length);
    if (code == 0)
        return &own->head;
    (void)crypto_mbedtls_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* The sound chain verifies; one whose signature has a changed bit does not. */
static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    const char *name = operation->request.algorithm->name;
    unsigned char changed[2048];
    mbedtls_x509_crt bad;
    if (verify_chain(own, &own->leaf) != 0)
        return error_set(error, ERROR_KNOWN_ANSWER, "%s: a sound chain is refused", name);
    memcpy(changed, own->leaf_der.data, own->leaf_der.length);
    changed[own->leaf_der.length - 1] ^= 1; /* the last byte of the signature */
    mbedtls_x509_crt_init(&bad);
    bool refused = mbedtls_x509_crt_parse_der(&bad, changed, own->leaf_der.length) != 0 ||
                   verify_chain(own, &bad) != 0;
    mbedtls_x509_crt_free(&bad);
    return refused || error_set(error, ERROR_KNOWN_ANSWER, "%s: a forged chain is accepted", name);
}

const struct crypto_family crypto_mbedtls_x509 = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
