/* The server's own application: it discards, and tells its figures when asked first of all. */
#include <string.h>

#include "handshake/server_internal.h"

enum { QUESTION_BYTES = 16, ANSWER_BYTES = 4096 };

struct question {
    char asked[QUESTION_BYTES]; /* the first bytes that the client sent */
    size_t asked_length;
    struct buffer answer;
    size_t answer_sent;
};

static bool begin(void *state, struct server_connection *connection, struct error *error)
{
    struct question *question = state;
    (void)connection;
    (void)error;
    buffer_init(&question->answer, ANSWER_BYTES);
    return true;
}

static void end(void *state)
{
    struct question *question = state;
    buffer_free(&question->answer);
}

static void listen_to(struct question *question, struct server_connection *connection,
                      const unsigned char *bytes, size_t length)
{
    struct server *server = server_of(connection);
    size_t room = sizeof question->asked - question->asked_length;
    size_t kept = length < room ? length : room;
    memcpy(question->asked + question->asked_length, bytes, kept);
    question->asked_length += kept;
    server_set_limit(connection, clock_wall_ns(clock_real()) + server->settings.idle_time_out_ns);
    if (question->asked_length != strlen(SERVER_QUESTION) ||
        memcmp(question->asked, SERVER_QUESTION, strlen(SERVER_QUESTION)) != 0 ||
        question->answer.length > 0)
        return;
    struct server_stats stats;
    server_figures(server, &stats);
    server_describe(&stats, &question->answer);
    buffer_append_char(&question->answer, '\n');
}

static enum tls_progress send_answer(struct question *question, const struct channel *channel,
                                     struct error *error)
{
    while (question->answer_sent < question->answer.length) {
        size_t length = 0;
        enum tls_progress progress =
            channel_write(channel, question->answer.data + question->answer_sent,
                          question->answer.length - question->answer_sent, &length, error);
        if (progress != TLS_DONE)
            return progress;
        question->answer_sent += length;
    }
    return TLS_DONE;
}

static enum tls_progress step(void *state, struct server_connection *connection,
                              struct error *error)
{
    struct question *question = state;
    const struct channel *channel = server_channel(connection);
    unsigned char bytes[4096];
    for (;;) {
        size_t length = 0;
        enum tls_progress progress = send_answer(question, channel, error);
        if (progress == TLS_DONE)
            progress = channel_read(channel, bytes, sizeof bytes, &length, error);
        if (progress != TLS_DONE)
            return progress;
        listen_to(question, connection, bytes, length);
    }
}

const struct server_application server_question = {
    .state_bytes = sizeof(struct question), .begin = begin, .step = step, .end = end};
