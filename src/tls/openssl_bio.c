#include <openssl/bio.h>
#include <stddef.h>

#include "tls/openssl_internal.h"

/* Octets of IPv6 and UDP headers in front of a datagram (RFC 8200, RFC 768). */
enum { IPV6_UDP_OVERHEAD_BYTES = 48, DEFAULT_MTU_BYTES = 1400 };

static int bio_write(BIO *bio, const char *bytes, int length)
{
    struct tls_endpoint *endpoint = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (length <= 0)
        return 0;
    size_t taken = endpoint->io.send(endpoint->io.context, bytes, (size_t)length);
    if (taken > 0)
        return (int)taken;
    BIO_set_retry_write(bio);
    return -1;
}

static int bio_read(BIO *bio, char *bytes, int capacity)
{
    struct tls_endpoint *endpoint = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (capacity <= 0)
        return 0;
    size_t given = endpoint->io.receive(endpoint->io.context, bytes, (size_t)capacity,
                                        &endpoint->transport_closed);
    if (given > 0)
        return (int)given;
    if (endpoint->transport_closed)
        return 0;
    BIO_set_retry_read(bio);
    return -1;
}

static long bio_ctrl(BIO *bio, int command, long number, void *pointer)
{
    (void)number;
    (void)pointer;
    const struct tls_endpoint *endpoint = BIO_get_data(bio);
    uint16_t mtu_bytes = endpoint->context->settings.mtu_bytes;
    switch (command) {
    case BIO_CTRL_FLUSH:
        return 1;
    case BIO_CTRL_EOF:
        return endpoint->transport_closed;
    case BIO_CTRL_DGRAM_QUERY_MTU:
    case BIO_CTRL_DGRAM_GET_FALLBACK_MTU:
        return mtu_bytes == 0 ? DEFAULT_MTU_BYTES : mtu_bytes;
    case BIO_CTRL_DGRAM_GET_MTU_OVERHEAD:
        return IPV6_UDP_OVERHEAD_BYTES;
    default:
        return 0;
    }
}

static BIO_METHOD *make_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tlsmeter");
    if (method != NULL && BIO_meth_set_write(method, bio_write) == 1 &&
        BIO_meth_set_read(method, bio_read) == 1 && BIO_meth_set_ctrl(method, bio_ctrl) == 1)
        return method;
    BIO_meth_free(method);
    return NULL;
}

BIO *tls_openssl_bio(struct tls_endpoint *endpoint)
{
    static BIO_METHOD *method; /* one for the process, as BIO types are; made by the first user */
    if (method == NULL)
        method = make_method();
    BIO *bio = method == NULL ? NULL : BIO_new(method);
    if (bio == NULL)
        return NULL;
    BIO_set_data(bio, endpoint);
    BIO_set_init(bio, 1);
    return bio;
}
