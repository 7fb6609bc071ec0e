#include "handshake/server.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handshake/server_internal.h"

enum { MOST_CONNECTIONS = 4096, ACCEPTS_AT_ONCE = 64 };
#define NS_PER_S        UINT64_C(1000000000)
#define LONGEST_TURN_NS (NS_PER_S / 5) /* so that the stop flag is seen */
#define ACCEPT_AGAIN_NS (NS_PER_S / 10)

static void on_accept_again(void *context)
{
    server_room(context);
}

bool server_open(struct server *server, const struct server_settings *settings, struct error *error)
{
    memset(server, 0, sizeof *server);
    server->settings = *settings;
    if (server->settings.most_connections == 0)
        server->settings.most_connections = MOST_CONNECTIONS;
    if (server->settings.handshake_time_out_ns == 0)
        server->settings.handshake_time_out_ns = 10 * NS_PER_S;
    if (server->settings.idle_time_out_ns == 0)
        server->settings.idle_time_out_ns = 60 * NS_PER_S;
    server->accept_timer = (struct loop_timer){.context = server, .due = on_accept_again};
    server->start_cpu_ns = clock_cpu_ns(clock_real());
    server->accepting = true;
    return loop_open(&server->loop, clock_real(), error);
}

/* Accepting stops and goes on for all stream services at once. */
static void accept_or_not(struct server *server, bool accepting)
{
    struct error error;
    server->accepting = accepting;
    for (size_t i = 0; i < server->service_count; i++)
        if (!server->services[i].datagram && !loop_watch(&server->loop, &server->services[i].watch,
                                                         accepting ? LOOP_READ : 0, &error))
            failures_add(&server->stats.failures, &error);
}

void server_room(struct server *server)
{
    if (!server->accepting && server->stats.open < server->settings.most_connections)
        accept_or_not(server, true);
}

static void stop_accepting(struct server *server)
{
    struct error error;
    server->stats.kept_waiting++;
    accept_or_not(server, false);
    if (!loop_set_timer(&server->loop, &server->accept_timer,
                        clock_wall_ns(clock_real()) + ACCEPT_AGAIN_NS, &error))
        failures_add(&server->stats.failures, &error);
}

static void on_stream_ready(void *context, unsigned events)
{
    struct server_service *service = context;
    struct server *server = service->server;
    (void)events;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        struct error error;
        if (server->stats.open >= server->settings.most_connections) {
            stop_accepting(server);
            return;
        }
        int fd = accept4(service->watch.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        int one = 1;
        if (fd >= 0) /* some libraries write a flight in several pieces: Nagle would hold them */
            (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
                stop_accepting(server);
            return;
        }
        struct server_connection *connection = server_connection_new(service, fd);
        if (connection == NULL) {
            (void)close(fd);
            return;
        }
        if (!loop_set_timer(&server->loop, &connection->timer, connection->limit_ns, &error) ||
            !loop_watch(&server->loop, &connection->watch, LOOP_READ, &error))
            server_connection_fail(connection, &error);
    }
}

static bool open_context(struct server_service *service, const struct server_port *port,
                         struct error *error)
{
    if (port->config == NULL)
        return true;
    struct tls_settings settings = handshake_settings(port->config, TLS_SERVER, port->pki);
    service->context = port->config->libraries[TLS_SERVER]->context_open(&settings, error);
    return service->context != NULL;
}

static void close_context(struct server_service *service)
{
    if (service->context != NULL)
        service->config->libraries[TLS_SERVER]->context_close(service->context);
}

bool server_add(struct server *server, int fd, const struct server_port *port, struct error *error)
{
    struct server_service *service = &server->services[server->service_count];
    bool datagram = port->config != NULL && tls_protocol_is_datagram(port->config->protocol);
    if (server->service_count == SERVER_SERVICES) {
        (void)close(fd);
        return error_set(error, ERROR_LIMIT, "a server has at most %d ports", SERVER_SERVICES);
    }
    *service = (struct server_service){.server = server,
                                       .config = port->config,
                                       .datagram = datagram,
                                       .application = port->application == NULL ? &server_question
                                                                                : port->application,
                                       .application_context = port->application_context};
    service->watch = (struct loop_watch){
        .fd = fd, .context = service, .ready = datagram ? server_datagram_ready : on_stream_ready};
    if (open_context(service, port, error) &&
        loop_watch(&server->loop, &service->watch, LOOP_READ, error)) {
        server->service_count++;
        return true;
    }
    close_context(service);
    (void)close(fd);
    return false;
}

bool server_run(struct server *server, struct error *error)
{
    while (server->settings.stop == NULL || *server->settings.stop == 0)
        if (!loop_turn(&server->loop, LONGEST_TURN_NS, error))
            return false;
    return true;
}

void server_close(struct server *server)
{
    while (server->connections != NULL)
        server_connection_free(server->connections);
    for (size_t i = 0; i < server->service_count; i++) {
        struct server_service *service = &server->services[i];
        loop_unwatch(&server->loop, &service->watch);
        close_context(service);
        (void)close(service->watch.fd);
    }
    server->service_count = 0;
    loop_cancel_timer(&server->loop, &server->accept_timer);
    loop_close(&server->loop);
}

void server_figures(const struct server *server, struct server_stats *stats)
{
    *stats = server->stats;
    stats->cpu_ns = clock_cpu_ns(clock_real()) - server->start_cpu_ns;
}

void server_describe(const struct server_stats *stats, struct buffer *out)
{
    buffer_printf(out,
                  "{\"accepted\":%" PRIu64 ",\"handshakes\":%" PRIu64 ",\"resumed\":%" PRIu64
                  ",\"requests\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",\"compute_ns\":%" PRIu64
                  ",\"open\":%zu"
                  ",\"most_open\":%zu,\"kept_waiting\":%" PRIu64 ",\"dropped_datagrams\":%" PRIu64
                  ",\"failures\":{",
                  stats->accepted, stats->handshakes, stats->resumed, stats->requests,
                  stats->cpu_ns, stats->compute_ns, stats->open, stats->most_open,
                  stats->kept_waiting, stats->dropped_datagrams);
    for (size_t i = 0; i < stats->failures.class_count; i++)
        buffer_printf(out, "%s\"%s\":%" PRIu64, i == 0 ? "" : ",", stats->failures.classes[i].name,
                      stats->failures.classes[i].count);
    buffer_append_text(out, "}}");
}
