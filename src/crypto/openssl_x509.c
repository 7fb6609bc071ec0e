/* What a client does with a server's certificate: parsing it with its key, and verifying a chain of
 * two. */
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/libraries.h"
#include "crypto/openssl_internal.h"
#include "crypto/test_key.h"

/* 2030-01-01: inside the validity of the test certificates, whatever a board's clock says. */
static const time_t verification_time = 1893456000;

struct x509_operation {
    struct crypto_operation head;
    struct crypto_bytes leaf_der, root_der;
    X509 *leaf, *root;
    X509_STORE *store;
};

static const char *supports(const struct crypto_request *request)
{
    (void)request;
    return NULL;
}

static X509 *parse(const struct crypto_bytes *der)
{
    const unsigned char *next = der->data;
    X509 *certificate = d2i_X509(NULL, &next, (long)der->length);
    if (certificate != NULL && X509_get0_pubkey(certificate) != NULL)
        return certificate;
    X509_free(certificate);
    return NULL;
}

static bool verify_chain(struct x509_operation *own, X509 *leaf)
{
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    bool good = false;
    if (ctx != NULL && X509_STORE_CTX_init(ctx, own->store, leaf, NULL) == 1) {
        X509_STORE_CTX_set_time(ctx, 0, verification_time);
        good = X509_verify_cert(ctx) == 1;
    }
    X509_STORE_CTX_free(ctx);
    return good;
}

static bool step(struct x509_operation *own)
{
    if (own->head.request.operation == CRYPTO_VERIFY_CHAIN)
        return verify_chain(own, own->leaf);
    X509 *certificate = parse(&own->leaf_der);
    X509_free(certificate);
    return certificate != NULL;
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    for (uint64_t i = 0; i < count; i++)
        if (!step(own))
            return crypto_openssl_failed(error, operation->request.algorithm->name);
    return true;
}

static void close_operation(struct crypto_operation *operation)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    X509_free(own->leaf);
    X509_free(own->root);
    X509_STORE_free(own->store);
    free(own);
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct x509_operation *own = calloc(1, sizeof *own);
    bool rsa = request->algorithm->curve == NULL;
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_openssl, .request = *request};
    own->leaf_der = crypto_test_leaf(rsa);
    own->root_der = crypto_test_root(rsa);
    own->leaf = parse(&own->leaf_der);
    own->root = parse(&own->root_der);
    own->store = X509_STORE_new();
    if (own->leaf != NULL && own->root != NULL && own->store != NULL &&
        X509_STORE_add_cert(own->store, own->root) == 1 &&
        X509_STORE_set_purpose(own->store, X509_PURPOSE_SSL_SERVER) == 1)
        return &own->head;
    (void)crypto_openssl_failed(error, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

/* The sound chain verifies; one whose signature has a changed bit does not. */
static bool verify(struct crypto_operation *operation, struct error *error)
{
    struct x509_operation *own = (struct x509_operation *)operation;
    const char *name = operation->request.algorithm->name;
    unsigned char changed[2048];
    struct crypto_bytes der = {changed, own->leaf_der.length};
    if (!verify_chain(own, own->leaf))
        return error_set(error, ERROR_KNOWN_ANSWER, "%s: a sound chain is refused", name);
    memcpy(changed, own->leaf_der.data, der.length);
    changed[der.length - 1] ^= 1; /* the last byte of the signature */
    X509 *bad = parse(&der);
    bool refused = bad == NULL || !verify_chain(own, bad);
    X509_free(bad);
    ERR_clear_error();
    return refused || error_set(error, ERROR_KNOWN_ANSWER, "%s: a forged chain is accepted", name);
}

static const char *provider(const struct crypto_operation *operation)
{
    const struct x509_operation *own = (const struct x509_operation *)operation;
    return OSSL_PROVIDER_get0_name(EVP_PKEY_get0_provider(X509_get0_pubkey(own->leaf)));
}

const struct crypto_family crypto_openssl_x509 = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .provider = provider,
    .close = close_operation,
};
