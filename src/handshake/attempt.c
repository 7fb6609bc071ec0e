#include "handshake/attempt.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONFIRM_NS UINT64_C(1000000000)

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

static const struct tls_library *library_of(const struct attempt *attempt)
{
    const struct handshake_config *config = attempt->setting->config;
    return config == NULL ? NULL : config->libraries[TLS_CLIENT];
}

static bool is_datagram(const struct attempt *attempt)
{
    const struct handshake_config *config = attempt->setting->config;
    return config != NULL && tls_protocol_is_datagram(config->protocol);
}

/* The link's buffers need no clearing, which would cost more than many a system call. */
static void attempt_reset(struct attempt *attempt, const struct attempt_setting *setting)
{
    attempt->setting = setting;
    attempt->state = ATTEMPT_IDLE;
    attempt->endpoint = NULL;
    attempt->start_ns = now_ns();
    attempt->connected_ns = attempt->done_ns = attempt->compute_ns = 0;
    attempt->handshake_sent_bytes = attempt->handshake_received_bytes = 0;
    attempt->answer_bytes = attempt->request_sent = 0;
    attempt->answer[0] = '\0';
}

bool attempt_start(struct attempt *attempt, const struct attempt_setting *setting,
                   struct error *error)
{
    attempt_reset(attempt, setting);
    int fd = net_connect(&setting->address, is_datagram(attempt), error);
    if (fd < 0)
        return false;
    link_init(&attempt->link, fd, is_datagram(attempt), TLS_CLIENT);
    attempt->state = ATTEMPT_CONNECTING;
    return true;
}

static bool begin_handshake(struct attempt *attempt, struct error *error)
{
    struct tls_io io = link_io(&attempt->link);
    if (!is_datagram(attempt) &&
        !net_connected(attempt->link.fd, &attempt->setting->address, error))
        return false;
    attempt->connected_ns = now_ns();
    attempt->channel = (struct channel){library_of(attempt), NULL, &attempt->link};
    attempt->state = ATTEMPT_HANDSHAKING;
    if (library_of(attempt) == NULL)
        return true;
    attempt->endpoint = library_of(attempt)->open(attempt->setting->context, &io, error);
    attempt->channel.endpoint = attempt->endpoint;
    attempt->compute_ns += now_ns() - attempt->connected_ns;
    return attempt->endpoint != NULL;
}

static bool check(struct attempt *attempt, struct error *error)
{
    struct tls_negotiated negotiated;
    struct handshake_config expected = *attempt->setting->config;
    if (attempt->setting->expect_full) {
        expected.resumption = TLS_RESUME_NONE;
        expected.early_data_bytes = 0;
    }
    library_of(attempt)->negotiated(attempt->endpoint, &negotiated);
    return handshake_check(&expected, &negotiated, error);
}

static bool must_confirm(const struct attempt *attempt)
{
    return attempt->setting->confirm && library_of(attempt) != NULL &&
           attempt->setting->config->protocol == TLS_1_3;
}

/* Whoever looks on looks at the handshake alone. */
static enum tls_progress begin_confirming(struct attempt *attempt)
{
    attempt->link.tap = NULL;
    (void)channel_shutdown(&attempt->channel);
    attempt->state = ATTEMPT_CONFIRMING;
    return TLS_WANT_READ;
}

static enum tls_progress confirm(struct attempt *attempt, struct error *error)
{
    unsigned char bytes[1024];
    size_t length = 0;
    struct error end;
    enum tls_progress progress;
    do
        progress = channel_read(&attempt->channel, bytes, sizeof bytes, &length, &end);
    while (progress == TLS_DONE);
    if (progress == TLS_WANT_READ || progress == TLS_WANT_WRITE)
        return progress;
    if (progress == TLS_FAILED && end.origin == ORIGIN_PEER) {
        *error = end;
        (void)error_prefix(error, "the server refused after the handshake");
        return TLS_FAILED;
    }
    attempt->state = ATTEMPT_OVER;
    return TLS_DONE;
}

static enum tls_progress after_handshake(struct attempt *attempt, struct error *error)
{
    attempt->handshake_sent_bytes = attempt->link.sent_bytes;
    attempt->handshake_received_bytes = attempt->link.received_bytes;
    if (library_of(attempt) != NULL && !check(attempt, error))
        return TLS_FAILED;
    if (attempt->setting->request != NULL) {
        attempt->state = ATTEMPT_REQUESTING;
        return TLS_WANT_WRITE;
    }
    if (must_confirm(attempt))
        return begin_confirming(attempt);
    bool waits = attempt->setting->keep_session && attempt->setting->config->protocol == TLS_1_3;
    attempt->state = waits ? ATTEMPT_READING : ATTEMPT_OVER;
    if (!waits && attempt->setting->keep_session &&
        !library_of(attempt)->keep_session(attempt->endpoint)) {
        (void)error_set(error, ERROR_PEER, "the server gave no session to resume");
        return TLS_FAILED;
    }
    return waits ? TLS_WANT_READ : TLS_DONE;
}

static enum tls_progress shake_hands(struct attempt *attempt, struct error *error)
{
    uint64_t start_ns = now_ns();
    if (library_of(attempt) == NULL) {
        attempt->done_ns = attempt->connected_ns;
        return after_handshake(attempt, error);
    }
    enum tls_progress progress = tls_handshake(library_of(attempt), attempt->endpoint, error);
    uint64_t end_ns = now_ns();
    attempt->compute_ns += end_ns - start_ns;
    if (progress != TLS_DONE)
        return progress;
    attempt->done_ns = end_ns;
    return after_handshake(attempt, error);
}

static enum tls_progress send_request(struct attempt *attempt, struct error *error)
{
    const char *request = attempt->setting->request;
    size_t length = strlen(request);
    while (attempt->request_sent < length) {
        size_t step = 0;
        enum tls_progress progress =
            channel_write(&attempt->channel, request + attempt->request_sent,
                          length - attempt->request_sent, &step, error);
        if (progress != TLS_DONE)
            return progress;
        attempt->request_sent += step;
    }
    attempt->state = ATTEMPT_READING;
    return TLS_WANT_READ;
}

static void keep_answer(struct attempt *attempt, const unsigned char *bytes, size_t length)
{
    if (attempt->answer_bytes < sizeof attempt->answer) {
        size_t room = sizeof attempt->answer - attempt->answer_bytes;
        memcpy(attempt->answer + attempt->answer_bytes, bytes, length < room ? length : room);
    }
    attempt->answer_bytes += length;
}

/* To the end of the answer, or until there is a session to keep. */
static enum tls_progress read_answer(struct attempt *attempt, struct error *error)
{
    unsigned char bytes[16384];
    for (;;) {
        size_t length = 0;
        enum tls_progress progress =
            channel_read(&attempt->channel, bytes, sizeof bytes, &length, error);
        keep_answer(attempt, bytes, length);
        if (attempt->setting->keep_session &&
            library_of(attempt)->keep_session(attempt->endpoint)) {
            attempt->state = ATTEMPT_OVER;
            return TLS_DONE;
        }
        size_t kept = attempt->answer_bytes < sizeof attempt->answer ? (size_t)attempt->answer_bytes
                                                                     : sizeof attempt->answer;
        if (attempt->setting->one_line && memchr(attempt->answer, '\n', kept) != NULL) {
            attempt->state = ATTEMPT_OVER;
            return TLS_DONE;
        }
        if (progress == TLS_DONE)
            continue;
        /* Many servers end an answer without close_notify: with all of it there, that is the end.
         */
        bool ended = progress == TLS_CLOSED ||
                     (progress == TLS_FAILED && attempt->link.closed &&
                      attempt->link.error_number == 0 && attempt->answer_bytes > 0);
        if (!ended)
            return progress;
        attempt->state = ATTEMPT_OVER;
        return TLS_DONE;
    }
}

static enum tls_progress step(struct attempt *attempt, struct error *error)
{
    enum tls_progress progress = TLS_DONE;
    if (attempt->state == ATTEMPT_CONNECTING && !begin_handshake(attempt, error))
        return TLS_FAILED;
    if (attempt->state == ATTEMPT_HANDSHAKING)
        progress = shake_hands(attempt, error);
    if (attempt->state == ATTEMPT_REQUESTING)
        progress = send_request(attempt, error);
    if (attempt->state == ATTEMPT_READING)
        progress = read_answer(attempt, error);
    if (attempt->state == ATTEMPT_CONFIRMING)
        progress = confirm(attempt, error);
    return progress;
}

enum tls_progress attempt_step(struct attempt *attempt, struct error *error)
{
    enum tls_progress progress = step(attempt, error);
    if (!link_flush(&attempt->link) && progress == TLS_WANT_READ)
        progress = attempt->link.error_number == 0
                       ? TLS_WANT_WRITE        /* the rest of the flight first */
                       : step(attempt, error); /* what the peer said before it closed */
    if (progress == TLS_DONE)
        return TLS_DONE;
    if (progress == TLS_CLOSED)
        (void)error_set(error, ERROR_PEER, "the peer closed the connection");
    bool failed = link_explain(&attempt->link, progress, error) || progress == TLS_FAILED ||
                  progress == TLS_CLOSED;
    if (failed && attempt->done_ns == 0 && library_of(attempt) != NULL)
        link_name_stranger(&attempt->link, error);
    return failed ? TLS_FAILED : progress;
}

uint64_t attempt_deadline_ns(const struct attempt *attempt)
{
    uint64_t deadline_ns = attempt->start_ns + attempt->setting->time_out_ns;
    if (attempt->state == ATTEMPT_CONFIRMING && attempt->done_ns + CONFIRM_NS < deadline_ns)
        return attempt->done_ns + CONFIRM_NS;
    if (attempt->endpoint == NULL || !is_datagram(attempt))
        return deadline_ns;
    uint64_t timer_ns = library_of(attempt)->deadline_ns(attempt->endpoint);
    return timer_ns < deadline_ns ? timer_ns : deadline_ns;
}

static const char *missing(const struct attempt *attempt)
{
    if (attempt->state == ATTEMPT_CONNECTING)
        return "the connection was not answered";
    if (attempt->state == ATTEMPT_READING)
        return "the answer did not come";
    return attempt->link.received_bytes == 0 ? "the server never answered the ClientHello"
                                             : "the handshake did not get on";
}

enum tls_progress attempt_due(struct attempt *attempt, struct error *error)
{
    if (attempt->state == ATTEMPT_CONFIRMING && now_ns() >= attempt_deadline_ns(attempt)) {
        attempt->state = ATTEMPT_OVER;
        return TLS_DONE;
    }
    if (now_ns() >= attempt->start_ns + attempt->setting->time_out_ns) {
        (void)error_set(error, ERROR_TIMEOUT, "%s within %.3g s", missing(attempt),
                        (double)attempt->setting->time_out_ns / 1e9);
        return TLS_FAILED;
    }
    if (attempt->endpoint == NULL || !is_datagram(attempt) ||
        now_ns() < library_of(attempt)->deadline_ns(attempt->endpoint))
        return TLS_WANT_READ;
    if (library_of(attempt)->on_deadline(attempt->endpoint, error) == TLS_FAILED)
        return TLS_FAILED;
    return attempt_step(attempt, error);
}

void attempt_close(struct attempt *attempt)
{
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct error ignored;
    if (attempt->state == ATTEMPT_IDLE)
        return;
    if (attempt->endpoint != NULL) {
        if (attempt->done_ns > 0 && attempt->link.error_number == 0)
            (void)library_of(attempt)->shutdown(attempt->endpoint, &ignored);
        (void)link_flush(&attempt->link);
        library_of(attempt)->close(attempt->endpoint);
    }
    if (!is_datagram(attempt))
        (void)setsockopt(attempt->link.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    (void)close(attempt->link.fd);
    link_free(&attempt->link);
    attempt->endpoint = NULL;
    attempt->state = ATTEMPT_IDLE;
}

static enum tls_progress drive(struct attempt *attempt, struct error *error)
{
    enum tls_progress progress = TLS_WANT_WRITE; /* what a connecting socket waits for */
    while (progress == TLS_WANT_READ || progress == TLS_WANT_WRITE) {
        int ready = net_wait(attempt->link.fd, progress == TLS_WANT_WRITE,
                             attempt_deadline_ns(attempt), error);
        if (ready < 0)
            return TLS_FAILED;
        progress = ready > 0 ? attempt_step(attempt, error) : attempt_due(attempt, error);
    }
    return progress;
}

bool attempt_drive(struct attempt *attempt, const struct attempt_setting *setting,
                   struct wire *wire, struct error *error)
{
    if (!attempt_start(attempt, setting, error))
        return false;
    if (wire != NULL) {
        attempt->link.tap = wire_feed;
        attempt->link.tap_context = wire;
    }
    bool good = drive(attempt, error) == TLS_DONE;
    attempt->link.tap = NULL; /* the goodbye is no part of the handshake */
    if (!good)
        attempt_close(attempt);
    return good;
}
