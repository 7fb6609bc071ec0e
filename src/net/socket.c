#include "net/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/text.h"

#define NS_PER_S UINT64_C(1000000000)

enum { BACKLOG = 4096, DATAGRAM_BUFFER_BYTES = 4 << 20 };

static bool parse_port(const char *text, uint16_t *port, struct error *error)
{
    uint64_t number;
    if (!text_parse_u64(text, 1, UINT16_MAX, &number, error))
        return error_prefix(error, "port %s", text);
    *port = (uint16_t)number;
    return true;
}

bool net_split(const char *text, char host[NET_HOST_BYTES], uint16_t *port, struct error *error)
{
    const char *end = text + strlen(text);
    const char *colon = strrchr(text, ':');
    if (text[0] == '[') {
        const char *bracket = strchr(text, ']');
        if (bracket == NULL)
            return error_set(error, ERROR_USAGE, "%s: the ] is missing", text);
        if (bracket[1] != ':' && bracket[1] != '\0')
            return error_set(error, ERROR_USAGE, "%s: after the ] only :PORT is right", text);
        colon = bracket[1] == ':' ? bracket + 1 : NULL;
        end = bracket;
        text++;
    } else if (colon != NULL && strchr(text, ':') != colon) {
        colon = NULL; /* an IPv6 address without brackets */
    } else if (colon != NULL) {
        end = colon;
    }
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= NET_HOST_BYTES)
        return error_set(error, ERROR_USAGE, "\"%s\" names no host; HOST or HOST:PORT is right",
                         text);
    memcpy(host, text, length);
    host[length] = '\0';
    return colon == NULL || parse_port(colon + 1, port, error);
}

bool net_resolve(const char *host, uint16_t port, bool datagram, struct net_address *address,
                 struct error *error)
{
    char service[8];
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = datagram ? SOCK_DGRAM : SOCK_STREAM,
                             .ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    (void)snprintf(service, sizeof service, "%u", port);
    int code = getaddrinfo(host, service, &hints, &found);
    if (code != 0)
        return error_set(error, ERROR_SYSTEM, "the host %s cannot be found: %s", host,
                         code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
    memcpy(&address->storage, found->ai_addr, found->ai_addrlen);
    address->length = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

uint16_t net_port(const struct net_address *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address->storage;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->storage;
    return ntohs(address->storage.ss_family == AF_INET6 ? six->sin6_port : four->sin_port);
}

void net_format(const struct net_address *address, char text[NET_TEXT_BYTES])
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address->storage;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->storage;
    char number[INET6_ADDRSTRLEN] = "?";
    bool is_six = address->storage.ss_family == AF_INET6;
    if (is_six)
        (void)inet_ntop(AF_INET6, &six->sin6_addr, number, sizeof number);
    else
        (void)inet_ntop(AF_INET, &four->sin_addr, number, sizeof number);
    (void)snprintf(text, NET_TEXT_BYTES, is_six ? "[%s]:%u" : "%s:%u", number, net_port(address));
}

static bool refused(const struct net_address *address, int number, const char *what,
                    struct error *error)
{
    char text[NET_TEXT_BYTES];
    net_format(address, text);
    if (number == EADDRNOTAVAIL)
        return error_set_errno(error, number, "%s %s: all local ports to it are taken (TIME-WAIT)",
                               what, text);
    return error_set_errno(error, number, "%s %s", what, text);
}

int net_connect(const struct net_address *address, bool datagram, struct error *error)
{
    int one = 1;
    int kind = (datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int fd = socket(address->storage.ss_family, kind, 0);
    if (fd < 0) {
        (void)error_set_errno(error, errno, "no socket");
        return -1;
    }
    if (!datagram)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(fd, (const struct sockaddr *)&address->storage, address->length) == 0 ||
        errno == EINPROGRESS)
        return fd;
    (void)refused(address, errno, "cannot connect to", error);
    (void)close(fd);
    return -1;
}

bool net_connected(int fd, const struct net_address *address, struct error *error)
{
    int number = 0;
    socklen_t length = sizeof number;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length) != 0)
        number = errno;
    return number == 0 || refused(address, number, "cannot connect to", error);
}

static bool any_address(uint16_t port, struct net_address *address)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    memcpy(&address->storage, &six, sizeof six);
    address->length = sizeof six;
    return true;
}

static bool bind_socket(int fd, const struct net_address *address, bool datagram)
{
    int one = 1;
    int zero = 0;
    int bytes = DATAGRAM_BUFFER_BYTES;
    if (datagram)
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    else
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (address->storage.ss_family == AF_INET6) /* IPv4 as well */
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    return bind(fd, (const struct sockaddr *)&address->storage, address->length) == 0 &&
           (datagram || listen(fd, BACKLOG) == 0);
}

int net_listen(const char *host, uint16_t port, bool datagram, struct error *error)
{
    struct net_address address = {.length = 0};
    int kind = (datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
    if (!(host == NULL ? any_address(port, &address)
                       : net_resolve(host, port, datagram, &address, error)))
        return -1;
    int fd = socket(address.storage.ss_family, kind, 0);
    if (fd < 0 && host == NULL && errno == EAFNOSUPPORT) { /* a kernel without IPv6 */
        struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
        memcpy(&address.storage, &four, sizeof four);
        address.length = sizeof four;
        fd = socket(AF_INET, kind, 0);
    }
    if (fd < 0) {
        (void)error_set_errno(error, errno, "no socket");
        return -1;
    }
    if (bind_socket(fd, &address, datagram))
        return fd;
    (void)refused(&address, errno, "cannot listen on", error);
    (void)close(fd);
    return -1;
}

bool net_local(int fd, struct net_address *address, struct error *error)
{
    address->length = sizeof address->storage;
    return getsockname(fd, (struct sockaddr *)&address->storage, &address->length) == 0 ||
           error_set_errno(error, errno, "a socket does not tell its address");
}

uint64_t net_allow_files(uint64_t files)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1024;
    if (limit.rlim_cur < files) {
        rlim_t before = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max < files ? limit.rlim_max : files;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            limit.rlim_cur = before;
    }
    return limit.rlim_cur;
}

int net_wait(int fd, bool for_writing, uint64_t deadline_ns, struct error *error)
{
    struct pollfd poll_fd = {.fd = fd, .events = for_writing ? POLLOUT : POLLIN};
    for (;;) {
        uint64_t now_ns = clock_wall_ns(clock_real());
        uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
        struct timespec left = {.tv_sec = (time_t)(left_ns / NS_PER_S),
                                .tv_nsec = (long)(left_ns % NS_PER_S)};
        int ready = ppoll(&poll_fd, 1, &left, NULL);
        if (ready >= 0)
            return ready;
        if (errno != EINTR) {
            (void)error_set_errno(error, errno, "waiting for the peer");
            return -1;
        }
    }
}
