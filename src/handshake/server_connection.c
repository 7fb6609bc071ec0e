#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "handshake/server_internal.h"

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

static const struct tls_library *library_of(const struct server_connection *connection)
{
    return connection->service->config->libraries[TLS_SERVER];
}

static struct server *server_of(const struct server_connection *connection)
{
    return connection->service->server;
}

static void on_ready(void *context, unsigned events)
{
    (void)events;
    (void)server_connection_step(context);
}

static void say_patience_ended(struct server_connection *connection)
{
    struct error error;
    if (connection->established) {
        server_connection_free(connection); /* idle: nothing went wrong */
        return;
    }
    (void)error_set(&error, ERROR_TIMEOUT, "the client did not finish the handshake in time");
    server_connection_fail(connection, &error);
}

static void on_due(void *context)
{
    struct server_connection *connection = context;
    struct error error;
    if (now_ns() >= connection->limit_ns) {
        say_patience_ended(connection);
        return;
    }
    if (connection->endpoint != NULL &&
        now_ns() >= library_of(connection)->deadline_ns(connection->endpoint) &&
        library_of(connection)->on_deadline(connection->endpoint, &error) == TLS_FAILED) {
        server_connection_fail(connection, &error);
        return;
    }
    (void)server_connection_step(connection);
}

struct server_connection *server_connection_new(struct server_service *service, int fd)
{
    struct server *server = service->server;
    struct server_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL)
        return NULL;
    connection->service = service;
    link_init(&connection->link, fd, service->datagram, TLS_SERVER);
    connection->watch = (struct loop_watch){.fd = fd, .context = connection, .ready = on_ready};
    connection->timer = (struct loop_timer){.context = connection, .due = on_due};
    connection->limit_ns = now_ns() + server->settings.handshake_time_out_ns;
    connection->next = server->connections;
    if (connection->next != NULL)
        connection->next->previous = connection;
    server->connections = connection;
    server->stats.accepted++;
    server->stats.open++;
    if (server->stats.open > server->stats.most_open)
        server->stats.most_open = server->stats.open;
    return connection;
}

void server_connection_free(struct server_connection *connection)
{
    struct server *server = server_of(connection);
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        server->connections = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    loop_unwatch(&server->loop, &connection->watch);
    loop_cancel_timer(&server->loop, &connection->timer);
    if (connection->endpoint != NULL)
        library_of(connection)->close(connection->endpoint);
    if (connection->service->datagram)
        server_datagram_forget(connection);
    else
        (void)close(connection->link.fd);
    link_free(&connection->link);
    buffer_free(&connection->answer);
    free(connection);
    server->stats.open--;
    server_room(server);
}

void server_connection_fail(struct server_connection *connection, const struct error *error)
{
    failures_add(&server_of(connection)->stats.failures, error);
    server_connection_free(connection);
}

static bool open_endpoint(struct server_connection *connection, struct error *error)
{
    struct tls_io io =
        connection->service->datagram ? server_datagram_io(connection) : link_io(&connection->link);
    connection->endpoint = library_of(connection)->open(connection->service->context, &io, error);
    return connection->endpoint != NULL;
}

static void count_handshake(struct server_connection *connection)
{
    struct server *server = server_of(connection);
    struct tls_negotiated negotiated;
    library_of(connection)->negotiated(connection->endpoint, &negotiated);
    connection->established = true;
    connection->limit_ns = now_ns() + server->settings.idle_time_out_ns;
    server->stats.handshakes++;
    server->stats.resumed += negotiated.resumed;
}

/* The question must be the first that a client says. */
static void listen_to(struct server_connection *connection, const unsigned char *bytes,
                      size_t length)
{
    struct server *server = server_of(connection);
    size_t room = sizeof connection->question - connection->question_length;
    size_t kept = length < room ? length : room;
    memcpy(connection->question + connection->question_length, bytes, kept);
    connection->question_length += kept;
    connection->limit_ns = now_ns() + server->settings.idle_time_out_ns;
    if (connection->question_length != strlen(SERVER_QUESTION) ||
        memcmp(connection->question, SERVER_QUESTION, strlen(SERVER_QUESTION)) != 0 ||
        connection->answer.length > 0)
        return;
    struct server_stats stats;
    server_figures(server, &stats);
    buffer_init(&connection->answer, ANSWER_BYTES);
    server_describe(&stats, &connection->answer);
    buffer_append_char(&connection->answer, '\n');
}

static enum tls_progress send_answer(struct server_connection *connection, struct error *error)
{
    while (connection->answer_sent < connection->answer.length) {
        size_t length = 0;
        enum tls_progress progress =
            library_of(connection)
                ->write(connection->endpoint, connection->answer.data + connection->answer_sent,
                        connection->answer.length - connection->answer_sent, &length, error);
        if (progress != TLS_DONE)
            return progress;
        connection->answer_sent += length;
    }
    return TLS_DONE;
}

static enum tls_progress converse(struct server_connection *connection, struct error *error)
{
    unsigned char bytes[4096];
    for (;;) {
        size_t length = 0;
        enum tls_progress progress =
            library_of(connection)->read(connection->endpoint, bytes, sizeof bytes, &length, error);
        if (progress != TLS_DONE)
            return progress;
        listen_to(connection, bytes, length);
        progress = send_answer(connection, error);
        if (progress != TLS_DONE)
            return progress;
    }
}

static enum tls_progress advance(struct server_connection *connection, struct error *error)
{
    enum tls_progress progress = TLS_DONE;
    if (connection->endpoint == NULL && !open_endpoint(connection, error))
        return TLS_FAILED;
    if (!connection->established) {
        progress = tls_handshake(library_of(connection), connection->endpoint, error);
        if (progress != TLS_DONE)
            return progress;
        count_handshake(connection);
    }
    progress = send_answer(connection, error);
    return progress == TLS_DONE ? converse(connection, error) : progress;
}

/* An established connection that the client drops is an end like any other. */
static bool end(struct server_connection *connection, enum tls_progress progress,
                struct error *error)
{
    bool broken = progress == TLS_FAILED || connection->link.error_number != 0;
    if (progress == TLS_CLOSED && connection->established)
        (void)library_of(connection)->shutdown(connection->endpoint, error);
    (void)link_flush(&connection->link); /* an alert or the goodbye */
    if (broken && !connection->established) {
        (void)link_failed(&connection->link, error);
        server_connection_fail(connection, error);
    } else if (!connection->established) {
        (void)error_set(error, ERROR_PEER, "the client closed the connection");
        server_connection_fail(connection, error);
    } else {
        server_connection_free(connection);
    }
    return false;
}

bool server_connection_step(struct server_connection *connection)
{
    struct server *server = server_of(connection);
    struct error error = {.code = ERROR_NONE};
    uint64_t start_ns = now_ns();
    enum tls_progress progress = advance(connection, &error);
    if (!connection->service->datagram && !link_flush(&connection->link) &&
        progress == TLS_WANT_READ)
        progress = TLS_WANT_WRITE; /* the rest of the flight first */
    server->stats.compute_ns += now_ns() - start_ns;
    if (progress == TLS_FAILED || progress == TLS_CLOSED || connection->link.error_number != 0)
        return end(connection, progress, &error);
    unsigned events = progress == TLS_WANT_WRITE ? LOOP_WRITE : LOOP_READ;
    uint64_t due_ns = connection->limit_ns;
    if (connection->service->datagram) {
        uint64_t timer_ns = library_of(connection)->deadline_ns(connection->endpoint);
        due_ns = timer_ns < due_ns ? timer_ns : due_ns;
    }
    bool good = loop_set_timer(&server->loop, &connection->timer, due_ns, &error) &&
                (connection->service->datagram ||
                 loop_watch(&server->loop, &connection->watch, events, &error));
    if (!good)
        server_connection_fail(connection, &error);
    return good;
}
