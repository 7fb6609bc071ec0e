#include "crypto/request.h"

static size_t add_peer_keys(struct crypto_request request, struct crypto_request *variants)
{
    bool with_peer = request.operation == CRYPTO_VERIFY || request.operation == CRYPTO_DERIVE;
    if (!with_peer) {
        variants[0] = request;
        return 1;
    }
    request.peer_key = CRYPTO_PEER_FRESH;
    variants[0] = request;
    request.peer_key = CRYPTO_PEER_KNOWN;
    variants[1] = request;
    return 2;
}

static size_t add_paddings(struct crypto_request request, struct crypto_request *variants)
{
    if (request.algorithm->kind != CRYPTO_RSA || request.operation == CRYPTO_KEYGEN)
        return add_peer_keys(request, variants);
    bool signing = request.operation == CRYPTO_SIGN || request.operation == CRYPTO_VERIFY;
    request.padding = signing ? CRYPTO_PKCS1 : CRYPTO_OAEP;
    size_t count = add_peer_keys(request, variants);
    if (!signing)
        return count;
    request.padding = CRYPTO_PSS;
    return count + add_peer_keys(request, variants + count);
}

size_t crypto_request_variants(const struct crypto_algorithm *algorithm,
                               struct crypto_request variants[CRYPTO_MOST_VARIANTS])
{
    uint32_t operations = crypto_kind_operations(algorithm->kind);
    size_t count = 0;
    for (unsigned operation = 0; operation < CRYPTO_OPERATION_KINDS; operation++) {
        struct crypto_request request = {.algorithm = algorithm,
                                         .operation = (enum crypto_operation_kind)operation};
        if ((operations >> operation & 1) != 0)
            count += add_paddings(request, variants + count);
    }
    return count;
}
