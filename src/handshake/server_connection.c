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
    const struct handshake_config *config = connection->service->config;
    return config == NULL ? NULL : config->libraries[TLS_SERVER];
}

struct server *server_of(const struct server_connection *connection)
{
    return connection->service->server;
}

const struct channel *server_channel(const struct server_connection *connection)
{
    return &connection->channel;
}

void *server_application_context(const struct server_connection *connection)
{
    return connection->service->application_context;
}

void server_set_limit(struct server_connection *connection, uint64_t at_ns)
{
    connection->limit_ns = at_ns;
}

void server_set_wake(struct server_connection *connection, uint64_t at_ns)
{
    connection->wake_ns = at_ns;
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
    if (connection->endpoint != NULL && connection->service->datagram &&
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
    connection->wake_ns = UINT64_MAX;
    connection->channel = (struct channel){library_of(connection), NULL, &connection->link};
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
    if (connection->state != NULL)
        connection->service->application->end(connection->state);
    free(connection->state);
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
    connection->channel.endpoint = connection->endpoint;
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

static bool begin_application(struct server_connection *connection, struct error *error)
{
    const struct server_application *application = connection->service->application;
    if (connection->state != NULL)
        return true;
    connection->state = calloc(1, application->state_bytes);
    if (connection->state == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for a connection");
    if (application->begin(connection->state, connection, error))
        return true;
    free(connection->state);
    connection->state = NULL;
    return false;
}

static enum tls_progress speak(struct server_connection *connection, struct error *error)
{
    if (!begin_application(connection, error))
        return TLS_FAILED;
    return connection->service->application->step(connection->state, connection, error);
}

/* Early data is the application's before the handshake is done. */
static enum tls_progress shake_hands(struct server_connection *connection, struct error *error)
{
    enum tls_progress progress;
    if (connection->endpoint == NULL && !open_endpoint(connection, error))
        return TLS_FAILED;
    while ((progress = library_of(connection)->handshake(connection->endpoint, error)) ==
           TLS_EARLY) {
        progress = speak(connection, error);
        if (progress != TLS_WANT_READ)
            break;
    }
    return progress;
}

static enum tls_progress advance(struct server_connection *connection, struct error *error)
{
    if (!connection->established && library_of(connection) != NULL) {
        enum tls_progress progress = shake_hands(connection, error);
        if (progress != TLS_DONE)
            return progress;
        count_handshake(connection);
    }
    connection->established = true;
    return speak(connection, error);
}

/* An established connection that the client drops is an end like any other. */
static bool end(struct server_connection *connection, enum tls_progress progress,
                struct error *error)
{
    bool broken = progress == TLS_FAILED || connection->link.error_number != 0;
    if (progress == TLS_CLOSED && connection->established && library_of(connection) != NULL)
        (void)library_of(connection)->shutdown(connection->endpoint, error);
    (void)link_flush(&connection->link); /* an alert or the goodbye */
    if (broken && !connection->established) {
        (void)link_explain(&connection->link, progress, error);
        server_connection_fail(connection, error);
    } else if (!connection->established) {
        (void)error_set(error, ERROR_PEER, "the client closed the connection");
        server_connection_fail(connection, error);
    } else {
        server_connection_free(connection);
    }
    return false;
}

/* The next event, and the time after which it is waited for no longer. */
static bool wait_for(struct server_connection *connection, enum tls_progress progress,
                     struct error *error)
{
    struct server *server = server_of(connection);
    /* Until it wakes, the application takes nothing: what comes must not wake it either. */
    bool sleeps = connection->wake_ns != UINT64_MAX && progress == TLS_WANT_READ;
    unsigned events = sleeps ? 0 : progress == TLS_WANT_WRITE ? LOOP_WRITE : LOOP_READ;
    uint64_t due_ns =
        connection->limit_ns < connection->wake_ns ? connection->limit_ns : connection->wake_ns;
    if (connection->service->datagram) {
        uint64_t timer_ns = library_of(connection)->deadline_ns(connection->endpoint);
        due_ns = timer_ns < due_ns ? timer_ns : due_ns;
    }
    return loop_set_timer(&server->loop, &connection->timer, due_ns, error) &&
           (connection->service->datagram ||
            loop_watch(&server->loop, &connection->watch, events, error));
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
    bool good = wait_for(connection, progress, &error);
    if (!good)
        server_connection_fail(connection, &error);
    return good;
}
