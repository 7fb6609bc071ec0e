/* Key agreement: curves by mbedtls_ecdh, finite fields by mbedtls_dhm. */
#include <mbedtls/dhm.h>
#include <mbedtls/ecdh.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/known_answer.h"
#include "crypto/libraries.h"
#include "crypto/mbedtls_internal.h"

enum { MOST_BYTES = 512, DH_PRIVATE_BYTES = 32 };

/* One side of an agreement. */
struct side {
    mbedtls_ecp_group group;
    mbedtls_mpi secret;
    mbedtls_ecp_point point;
    mbedtls_dhm_context dhm;
    unsigned char public_bytes[MOST_BYTES];
    size_t public_length;
};

struct exchange_operation {
    struct crypto_operation head;
    bool dh;
    struct side own_side, peer_side;
    mbedtls_ecp_point peer; /* read and checked already, for a known peer */
    unsigned char secret[MOST_BYTES];
    size_t secret_length;
};

static const unsigned char ffdhe2048_p[] = MBEDTLS_DHM_RFC7919_FFDHE2048_P_BIN;
static const unsigned char ffdhe2048_g[] = MBEDTLS_DHM_RFC7919_FFDHE2048_G_BIN;
static const unsigned char ffdhe3072_p[] = MBEDTLS_DHM_RFC7919_FFDHE3072_P_BIN;
static const unsigned char ffdhe3072_g[] = MBEDTLS_DHM_RFC7919_FFDHE3072_G_BIN;

static bool is_dh(const struct crypto_algorithm *algorithm)
{
    return strncmp(algorithm->name, "ffdhe", 5) == 0;
}

static const char *supports(const struct crypto_request *request)
{
    if (!is_dh(request->algorithm) &&
        mbedtls_ecp_curve_info_from_grp_id(crypto_mbedtls_group(request->algorithm)) == NULL)
        return crypto_reason("this build of Mbed TLS has no %s", request->algorithm->name);
    return NULL;
}

static void side_init(struct side *side)
{
    mbedtls_ecp_group_init(&side->group);
    mbedtls_mpi_init(&side->secret);
    mbedtls_ecp_point_init(&side->point);
    mbedtls_dhm_init(&side->dhm);
}

static void side_free(struct side *side)
{
    mbedtls_ecp_group_free(&side->group);
    mbedtls_mpi_free(&side->secret);
    mbedtls_ecp_point_free(&side->point);
    mbedtls_dhm_free(&side->dhm);
}

static int set_dh_group(struct side *side, const struct crypto_algorithm *algorithm)
{
    bool large = algorithm->key_bits > 2048;
    mbedtls_mpi p;
    mbedtls_mpi g;
    mbedtls_mpi_init(&p);
    mbedtls_mpi_init(&g);
    int code = mbedtls_mpi_read_binary(&p, large ? ffdhe3072_p : ffdhe2048_p,
                                       large ? sizeof ffdhe3072_p : sizeof ffdhe2048_p);
    if (code == 0)
        code = mbedtls_mpi_read_binary(&g, large ? ffdhe3072_g : ffdhe2048_g,
                                       large ? sizeof ffdhe3072_g : sizeof ffdhe2048_g);
    if (code == 0)
        code = mbedtls_dhm_set_group(&side->dhm, &p, &g);
    mbedtls_mpi_free(&p);
    mbedtls_mpi_free(&g);
    return code;
}

/* The group's own parameters once, before keys are made. */
static int side_start(struct side *side, const struct crypto_algorithm *algorithm)
{
    return is_dh(algorithm) ? set_dh_group(side, algorithm)
                            : mbedtls_ecp_group_load(&side->group, crypto_mbedtls_group(algorithm));
}

static int side_generate(struct side *side, const struct crypto_algorithm *algorithm)
{
    if (is_dh(algorithm)) {
        side->public_length = mbedtls_mpi_size(&side->dhm.P);
        /* Exponents of 256 bits suffice for these groups (RFC 7919 appendix A). */
        return mbedtls_dhm_make_public(&side->dhm, DH_PRIVATE_BYTES, side->public_bytes,
                                       side->public_length, crypto_mbedtls_random, NULL);
    }
    return mbedtls_ecdh_gen_public(&side->group, &side->secret, &side->point, crypto_mbedtls_random,
                                   NULL);
}

static int side_encode(struct side *side, const struct crypto_algorithm *algorithm)
{
    if (is_dh(algorithm))
        return 0;
    return mbedtls_ecp_point_write_binary(&side->group, &side->point, MBEDTLS_ECP_PF_UNCOMPRESSED,
                                          &side->public_length, side->public_bytes,
                                          sizeof side->public_bytes);
}

static bool is_montgomery(const struct crypto_algorithm *algorithm)
{
    return algorithm->curve != NULL && algorithm->curve[0] == 'x';
}

static int derive_from(struct exchange_operation *own, const mbedtls_ecp_point *peer)
{
    struct side *side = &own->own_side;
    mbedtls_mpi z;
    mbedtls_mpi_init(&z);
    int code = mbedtls_ecdh_compute_shared(&side->group, &z, peer, &side->secret,
                                           crypto_mbedtls_random, NULL);
    own->secret_length = (side->group.pbits + 7) / 8;
    if (code == 0)
        code = is_montgomery(own->head.request.algorithm)
                   ? mbedtls_mpi_write_binary_le(&z, own->secret, own->secret_length)
                   : mbedtls_mpi_write_binary(&z, own->secret, own->secret_length);
    mbedtls_mpi_free(&z);
    return code;
}

/* What a handshake pays: the peer's key is read from its encoding and checked first. */
static int derive_fresh(struct exchange_operation *own)
{
    const struct side *peer = &own->peer_side;
    mbedtls_ecp_point point;
    mbedtls_ecp_point_init(&point);
    int code = mbedtls_ecp_point_read_binary(&own->own_side.group, &point, peer->public_bytes,
                                             peer->public_length);
    if (code == 0)
        code = mbedtls_ecp_check_pubkey(&own->own_side.group, &point);
    if (code == 0)
        code = derive_from(own, &point);
    mbedtls_ecp_point_free(&point);
    return code;
}

static int derive_dh(struct exchange_operation *own, bool fresh)
{
    struct side *peer = &own->peer_side;
    int code = 0;
    if (fresh)
        code = mbedtls_dhm_read_public(&own->own_side.dhm, peer->public_bytes, peer->public_length);
    if (code == 0)
        code = mbedtls_dhm_calc_secret(&own->own_side.dhm, own->secret, sizeof own->secret,
                                       &own->secret_length, crypto_mbedtls_random, NULL);
    return code;
}

static int step(struct exchange_operation *own)
{
    const struct crypto_request *request = &own->head.request;
    bool fresh = request->peer_key != CRYPTO_PEER_KNOWN;
    if (request->operation == CRYPTO_KEYGEN)
        return side_generate(&own->own_side, request->algorithm);
    if (own->dh)
        return derive_dh(own, fresh);
    return fresh ? derive_fresh(own) : derive_from(own, &own->peer);
}

static bool run(struct crypto_operation *operation, uint64_t count, struct error *error)
{
    struct exchange_operation *own = (struct exchange_operation *)operation;
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < count; i++)
        code = step(own);
    return code == 0 || crypto_mbedtls_failed(error, code, operation->request.algorithm->name);
}

static void close_operation(struct crypto_operation *operation)
{
    struct exchange_operation *own = (struct exchange_operation *)operation;
    side_free(&own->own_side);
    side_free(&own->peer_side);
    mbedtls_ecp_point_free(&own->peer);
    free(own);
}

static int know_peer(struct exchange_operation *own)
{
    const struct side *peer = &own->peer_side;
    if (own->dh)
        return mbedtls_dhm_read_public(&own->own_side.dhm, peer->public_bytes, peer->public_length);
    return mbedtls_ecp_point_read_binary(&own->own_side.group, &own->peer, peer->public_bytes,
                                         peer->public_length);
}

static int prepare(struct exchange_operation *own)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    int code = side_start(&own->own_side, algorithm);
    if (code == 0)
        code = side_start(&own->peer_side, algorithm);
    if (code == 0)
        code = side_generate(&own->own_side, algorithm);
    if (code == 0)
        code = side_generate(&own->peer_side, algorithm);
    if (code == 0)
        code = side_encode(&own->own_side, algorithm);
    if (code == 0)
        code = side_encode(&own->peer_side, algorithm);
    return code != 0 ? code : know_peer(own);
}

static struct exchange_operation *make(const struct crypto_request *request, struct error *error)
{
    struct exchange_operation *own = calloc(1, sizeof *own);
    if (own == NULL) {
        (void)error_set(error, ERROR_MEMORY, "no memory for an operation");
        return NULL;
    }
    own->head = (struct crypto_operation){.library = &crypto_mbedtls, .request = *request};
    own->dh = is_dh(request->algorithm);
    side_init(&own->own_side);
    side_init(&own->peer_side);
    mbedtls_ecp_point_init(&own->peer);
    int code = prepare(own);
    if (code == 0)
        return own;
    (void)crypto_mbedtls_failed(error, code, request->algorithm->name);
    close_operation(&own->head);
    return NULL;
}

static struct crypto_operation *open_operation(const struct crypto_request *request,
                                               struct error *error)
{
    struct exchange_operation *own = make(request, error);
    return own == NULL ? NULL : &own->head;
}

/* A scalar as the algorithm writes it: X25519 and X448 little-endian with bits cleared and set (RFC
 * 7748 section 5), the others big-endian. */
static int read_scalar(mbedtls_mpi *scalar, const struct crypto_algorithm *algorithm,
                       const struct known_bytes *bytes)
{
    struct known_bytes copy = *bytes;
    if (!is_montgomery(algorithm))
        return mbedtls_mpi_read_binary(scalar, bytes->bytes, bytes->length);
    bool small = algorithm->key_bits == 255;
    copy.bytes[0] &= small ? 0xf8 : 0xfc;
    copy.bytes[copy.length - 1] &= small ? 0x7f : 0xff;
    copy.bytes[copy.length - 1] |= small ? 0x40 : 0x80;
    return mbedtls_mpi_read_binary_le(scalar, copy.bytes, copy.length);
}

static bool check_answer(const struct exchange_operation *own, const struct known_answer *answer,
                         struct error *error)
{
    const struct crypto_algorithm *algorithm = own->head.request.algorithm;
    struct known_values values;
    known_answer_decode(answer, &values);
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_DERIVE;
    struct exchange_operation *known = make(&request, error);
    if (known == NULL)
        return false;
    memcpy(known->peer_side.public_bytes, values.input.bytes, values.input.length);
    known->peer_side.public_length = values.input.length;
    int code = read_scalar(&known->own_side.secret, algorithm, &values.key);
    if (code == 0)
        code = know_peer(known);
    if (code == 0)
        code = step(known);
    bool good = code == 0 || crypto_mbedtls_failed(error, code, algorithm->name);
    good = good && known_answer_compare(answer, known->secret, known->secret_length,
                                        values.output.bytes, values.output.length, error);
    close_operation(&known->head);
    return good;
}

/* For finite fields nothing is published here: two independent sides must do. */
static bool check_published(const struct exchange_operation *own, struct error *error)
{
    const char *name = own->head.request.algorithm->name;
    const struct known_answer *answer = known_answer_find(name);
    for (; answer != NULL; answer = known_answer_next(name, answer))
        if (!check_answer(own, answer, error))
            return false;
    return true;
}

/* The two sides, each with the other's public key, must agree. */
static bool check_agreement(const struct exchange_operation *own, struct error *error)
{
    struct crypto_request request = own->head.request;
    request.operation = CRYPTO_DERIVE;
    request.peer_key = CRYPTO_PEER_FRESH;
    struct exchange_operation *one = make(&request, error);
    if (one == NULL)
        return false;
    unsigned char first[MOST_BYTES];
    int code = step(one);
    size_t length = one->secret_length;
    memcpy(first, one->secret, length);
    struct side swapped = one->own_side;
    one->own_side = one->peer_side;
    one->peer_side = swapped;
    if (code == 0)
        code = step(one);
    bool good =
        code == 0 && one->secret_length == length && memcmp(first, one->secret, length) == 0;
    close_operation(&one->head);
    return good || error_set(error, ERROR_KNOWN_ANSWER, "%s: the two sides do not agree",
                             request.algorithm->name);
}

static bool verify(struct crypto_operation *operation, struct error *error)
{
    const struct exchange_operation *own = (const struct exchange_operation *)operation;
    return check_published(own, error) && check_agreement(own, error);
}

const struct crypto_family crypto_mbedtls_exchange = {
    .supports = supports,
    .open = open_operation,
    .run = run,
    .verify = verify,
    .once = crypto_once_nothing,
    .close = close_operation,
};
