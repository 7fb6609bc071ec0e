#include "handshake/link.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void link_init(struct link *link, int fd, bool datagram, enum tls_role role)
{
    link->fd = fd;
    link->datagram = datagram;
    link->read_at = link->read_end = link->written = 0;
    link->sent_bytes = link->received_bytes = 0;
    link->buffers = NULL;
    link->error_number = 0;
    link->closed = false;
    link->tap = NULL;
    link->tap_context = NULL;
    link->role = role;
    link->first_length = 0;
}

void link_free(struct link *link)
{
    free(link->buffers);
    link->buffers = NULL;
}

/* A connection that says nothing needs none. */
static bool has_buffers(struct link *link)
{
    if (link->buffers == NULL)
        link->buffers = malloc(sizeof *link->buffers);
    if (link->buffers == NULL)
        link->error_number = ENOMEM;
    return link->buffers != NULL;
}

static bool is_later(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR || number == ENOBUFS;
}

static void look(struct link *link, enum tls_role sender, const void *bytes, size_t length)
{
    if (link->tap != NULL && length > 0)
        link->tap(link->tap_context, sender, bytes, length);
}

static size_t send_now(struct link *link, const void *bytes, size_t length)
{
    ssize_t sent = link->error_number != 0 ? -1 : send(link->fd, bytes, length, MSG_NOSIGNAL);
    if (sent >= 0)
        return (size_t)sent;
    if (link->error_number == 0 && !is_later(errno))
        link->error_number = errno;
    return 0;
}

bool link_flush(struct link *link)
{
    unsigned char *output = link->written == 0 ? NULL : link->buffers->output;
    size_t sent = link->written == 0 ? 0 : send_now(link, output, link->written);
    if (sent > 0) {
        memmove(output, output + sent, link->written - sent);
        link->written -= sent;
    }
    return link->written == 0;
}

static size_t link_send(void *context, const void *bytes, size_t length)
{
    struct link *link = context;
    size_t taken = 0;
    if (link->datagram) {
        taken = send_now(link, bytes, length);
    } else if (has_buffers(link)) {
        if (length > LINK_BYTES - link->written)
            (void)link_flush(link);
        size_t room = LINK_BYTES - link->written;
        taken = length < room ? length : room;
        memcpy(link->buffers->output + link->written, bytes, taken);
        link->written += taken;
    }
    link->sent_bytes += taken;
    look(link, link->role, bytes, taken);
    return taken;
}

static void keep_first(struct link *link, const void *bytes, size_t length)
{
    size_t room = sizeof link->first - link->first_length;
    size_t kept = length < room ? length : room;
    memcpy(link->first + link->first_length, bytes, kept);
    link->first_length += kept;
}

/* Also after sending failed: what came before the peer closed may say why. */
static size_t receive_now(struct link *link, void *bytes, size_t capacity)
{
    ssize_t got;
    do
        got = recv(link->fd, bytes, capacity, 0);
    while (got == 0 && link->datagram); /* an empty datagram says nothing and ends nothing */
    if (got < 0 && link->error_number == 0 && !is_later(errno))
        link->error_number = errno;
    if (got == 0 || (got < 0 && link->error_number != 0))
        link->closed = true;
    if (got <= 0)
        return 0;
    link->received_bytes += (uint64_t)got;
    if (link->first_length < sizeof link->first && !link->datagram)
        keep_first(link, bytes, (size_t)got);
    look(link, link->role == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT, bytes, (size_t)got);
    return (size_t)got;
}

static size_t link_receive(void *context, void *bytes, size_t capacity, bool *closed)
{
    struct link *link = context;
    size_t given = 0;
    if (link->datagram) {
        given = receive_now(link, bytes, capacity);
    } else if (has_buffers(link)) {
        if (link->read_at == link->read_end) {
            link->read_at = 0;
            link->read_end = receive_now(link, link->buffers->input, LINK_BYTES);
        }
        given = link->read_end - link->read_at;
        given = given < capacity ? given : capacity;
        memcpy(bytes, link->buffers->input + link->read_at, given);
        link->read_at += given;
    }
    if (given == 0 && (link->closed || link->error_number != 0))
        *closed = true;
    return given;
}

size_t link_read(struct link *link, void *bytes, size_t capacity)
{
    return receive_now(link, bytes, capacity);
}

size_t link_write(struct link *link, const void *bytes, size_t length)
{
    if (!link_flush(link))
        return 0;
    size_t sent = send_now(link, bytes, length);
    link->sent_bytes += sent;
    look(link, link->role, bytes, sent);
    return sent;
}

struct tls_io link_io(struct link *link)
{
    return (struct tls_io){link, link_send, link_receive};
}

static const char *name_of(int number)
{
    switch (number) {
    case EPIPE:
        return "the peer closed the connection";
    case ECONNRESET:
        return "the peer reset the connection";
    case ECONNREFUSED:
        return "nobody listens at the peer's port";
    default:
        return "the connection";
    }
}

bool link_failed(const struct link *link, struct error *error)
{
    if (link->error_number == 0)
        return false;
    (void)error_set_errno(error, link->error_number, "%s", name_of(link->error_number));
    return true;
}

bool link_explain(const struct link *link, enum tls_progress progress, struct error *error)
{
    bool library_says_why = progress == TLS_FAILED && !tls_is_closed(error);
    return !library_says_why && link_failed(link, error);
}

/* Types of records are 20 to 24, and their major version is 3 (RFC 8446 section 5.1). */
static bool is_tls(const struct link *link)
{
    return link->first[0] >= 20 && link->first[0] <= 24 &&
           (link->first_length < 2 || link->first[1] == 3);
}

/* As text up to the end of a line if that is what it is, else in hexadecimal. */
static void show_first(const struct link *link, char *text, size_t size)
{
    size_t length = 0;
    while (length < link->first_length && isprint(link->first[length]) != 0)
        length++;
    bool is_text = length == link->first_length ||
                   (length > 0 && (link->first[length] == '\r' || link->first[length] == '\n'));
    if (is_text) {
        (void)snprintf(text, size, "\"%.*s\"", (int)length, (const char *)link->first);
        return;
    }
    size_t used = 0;
    for (size_t i = 0; i < link->first_length && i < 8 && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%02x", i == 0 ? "" : " ", link->first[i]);
}

void link_name_stranger(const struct link *link, struct error *error)
{
    char text[2 * LINK_FIRST_BYTES + 3] = "";
    if (link->first_length == 0 || is_tls(link))
        return;
    show_first(link, text, sizeof text);
    (void)error_prefix(error, "the peer does not speak TLS, its answer begins %s", text);
}
