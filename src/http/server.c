#include "http/server.h"

#include <string.h>

#include "http/session.h"

#define DRAIN_NS UINT64_C(2000000000) /* for a client to read a last answer */

static const struct http_limits limits = {.header_bytes = HTTP_MOST_HEADER_BYTES,
                                          .headers = HTTP_MOST_HEADERS};

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

static bool begin(void *state, struct server_connection *connection, struct error *error)
{
    struct http_session *session = state;
    session->connection = connection;
    session->parser = http_parser_new(HTTP_OF_CLIENT, &limits, error);
    return session->parser != NULL;
}

static void end(void *state)
{
    struct http_session *session = state;
    http_parser_free(session->parser);
}

/* Between requests and within bodies patience begins anew with every byte; within headers not. */
static void be_patient(struct http_session *session)
{
    const struct server_settings *settings = &server_of(session->connection)->settings;
    bool in_headers = session->under_way && !session->in_body;
    server_set_limit(session->connection, now_ns() + (in_headers ? settings->handshake_time_out_ns
                                                                 : settings->idle_time_out_ns));
}

/* ---- writing ---- */

static enum tls_progress write_some(struct http_session *session, const unsigned char *bytes,
                                    size_t length, size_t *written, struct error *error)
{
    enum tls_progress progress =
        channel_write(server_channel(session->connection), bytes, length, written, error);
    if (progress == TLS_DONE)
        be_patient(session);
    return progress;
}

static enum tls_progress write_output(struct http_session *session, struct error *error)
{
    while (session->output_at < session->output_end) {
        size_t written = 0;
        enum tls_progress progress =
            write_some(session, session->output + session->output_at,
                       session->output_end - session->output_at, &written, error);
        if (progress != TLS_DONE)
            return progress;
        session->output_at += written;
    }
    session->output_at = session->output_end = 0;
    return TLS_DONE;
}

static enum tls_progress write_content(struct http_session *session, struct error *error)
{
    while (session->content_at < session->content_end) {
        uint64_t left = session->content_end - session->content_at;
        size_t written = 0;
        enum tls_progress progress = write_some(
            session, http_content(session->content_at),
            left < HTTP_CONTENT_PIECE ? (size_t)left : HTTP_CONTENT_PIECE, &written, error);
        if (progress != TLS_DONE)
            return progress;
        session->content_at += written;
    }
    session->source = BODY_NONE;
    return TLS_DONE;
}

static enum tls_progress write_echo(struct http_session *session, struct error *error)
{
    while (session->echo.length > 0) {
        size_t written = 0;
        enum tls_progress progress =
            write_some(session, session->echo.bytes, session->echo.length, &written, error);
        if (progress != TLS_DONE)
            return progress;
        session->echo.bytes += written;
        session->echo.length -= written;
        if (session->echo.length == 0 && session->echo_chunked) {
            memcpy(session->output, "\r\n", 2);
            session->output_end = 2;
        }
    }
    return write_output(session, error);
}

static enum tls_progress write_all(struct http_session *session, struct error *error)
{
    enum tls_progress progress = write_output(session, error);
    if (progress == TLS_DONE && session->source == BODY_CONTENT)
        progress = write_content(session, error);
    if (progress == TLS_DONE && session->source == BODY_ECHO)
        progress = write_echo(session, error);
    return progress;
}

/* ---- reading ---- */

static void take_body(struct http_session *session)
{
    struct http_piece piece = http_body(session->parser);
    session->received_bytes += piece.length;
    if (session->source == BODY_ECHO)
        http_respond_echo(session, piece);
    if (session->received_bytes > HTTP_CONTENT_MOST && !session->answered)
        http_respond_text(session, 413, "a body has at most 1073741824 bytes\n");
}

/* Until there is something to write, or no more input. */
static void parse_some(struct http_session *session, struct error *error)
{
    size_t taken = 0;
    enum http_event event = http_parse(session->parser, session->input + session->input_at,
                                       session->input_end - session->input_at, &taken, error);
    session->input_at += taken;
    session->may_tell = event != HTTP_MORE && event != HTTP_BROKEN;
    if (event == HTTP_HEADERS) {
        session->in_body = true;
        be_patient(session);
        http_respond_headers(session);
    } else if (event == HTTP_BODY) {
        take_body(session);
    } else if (event == HTTP_COMPLETE) {
        server_of(session->connection)->stats.requests++;
        http_respond_complete(session);
        session->under_way = session->in_body = false;
        session->over = session->over || session->ending;
        be_patient(session);
    } else if (event == HTTP_BROKEN) {
        char text[sizeof error->text + 2];
        size_t length = strlen(error->text);
        memcpy(text, error->text, length);
        memcpy(text + length, "\n", 2);
        http_respond_text(session, http_refusal(session->parser), text);
    }
}

static enum tls_progress read_some(struct http_session *session, struct error *error)
{
    session->input_at = session->input_end = 0;
    enum tls_progress progress = channel_read(server_channel(session->connection), session->input,
                                              sizeof session->input, &session->input_end, error);
    bool begins = progress == TLS_DONE && !session->under_way;
    session->under_way = session->under_way || begins;
    if (begins || session->in_body)
        be_patient(session);
    return progress;
}

/* The last answer is written: goodbye is said, and what still comes is thrown away for a while,
 * because closing with unread bytes resets the connection and may take the answer with it. */
static enum tls_progress drain(struct http_session *session, struct error *error)
{
    const struct channel *channel = server_channel(session->connection);
    enum tls_progress progress = TLS_DONE;
    if (!session->said_goodbye && !channel_shutdown(channel))
        return TLS_WANT_WRITE;
    if (!session->said_goodbye)
        server_set_limit(session->connection, now_ns() + DRAIN_NS);
    session->said_goodbye = true;
    while (progress == TLS_DONE) {
        size_t length = 0;
        progress = channel_read(channel, session->input, sizeof session->input, &length, error);
    }
    return progress == TLS_FAILED ? TLS_CLOSED : progress;
}

static enum tls_progress step(void *state, struct server_connection *connection,
                              struct error *error)
{
    struct http_session *session = state;
    for (;;) {
        enum tls_progress progress = write_all(session, error);
        if (progress != TLS_DONE)
            return progress;
        if (session->due_ns != 0 && now_ns() < session->due_ns) {
            server_set_wake(connection, session->due_ns);
            return TLS_WANT_READ;
        }
        if (session->due_ns != 0) {
            server_set_wake(connection, UINT64_MAX);
            http_respond_due(session);
        } else if (session->over) {
            return drain(session, error);
        } else if (session->input_at < session->input_end || session->may_tell) {
            parse_some(session, error);
        } else {
            progress = read_some(session, error);
            if (progress != TLS_DONE)
                return progress;
        }
    }
}

const struct server_application http_server = {
    .state_bytes = sizeof(struct http_session), .begin = begin, .step = step, .end = end};
