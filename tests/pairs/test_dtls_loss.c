/*
 * DTLS over a pipe that loses one chosen datagram, in virtual time: each library against each, each
 * datagram of the handshake lost once. Time moves only to the next deadline of either side, so a
 * handshake must complete after one or two timers (RFC 6347 section 4.2.4: 1 s, doubling).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "tls/endpoint.h"
#include "tls/pipe.h"
#include "tls/pki.h"

#define NS_PER_S UINT64_C(1000000000)

struct loss {
    enum tls_role sender;
    uint64_t number;
    bool dropped;
};

struct run {
    const struct tls_library *libraries[2];
    struct tls_context *contexts[2];
    struct tls_endpoint *endpoints[2];
    enum tls_progress progress[2];
    struct error errors[2];
    struct manual_clock clock;
    struct random_source random[2];
    struct pipe *pipe;
    struct loss loss;
    uint64_t expiries;
};

static bool drop_one(void *context, enum tls_role sender, uint64_t number)
{
    struct loss *loss = context;
    bool drop = sender == loss->sender && number == loss->number;
    loss->dropped = loss->dropped || drop;
    return drop;
}

static void open_side(struct run *run, enum tls_role role, const struct pki_set *pki)
{
    random_seed(&run->random[role], 7 + (uint64_t)role);
    struct tls_settings settings = {
        .role = role,
        .protocol = DTLS_1_2,
        .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        .group = "secp256r1",
        .hello_verify = true,
        .verify_peer = role == TLS_CLIENT,
        .ca = pki->root,
        .server_name = role == TLS_CLIENT ? "localhost" : NULL,
        .clock = &run->clock.clock,
        .random = &run->random[role],
    };
    if (role == TLS_SERVER)
        settings.credentials = pki->server;
    run->contexts[role] = run->libraries[role]->context_open(&settings, &run->errors[role]);
    if (run->contexts[role] == NULL)
        fail_msg("%s", run->errors[role].text);
    struct tls_io io = pipe_io(run->pipe, role);
    run->endpoints[role] = run->libraries[role]->open(run->contexts[role], &io, &run->errors[role]);
    assert_non_null(run->endpoints[role]);
    run->progress[role] = TLS_WANT_READ;
}

/* Both sides go on as far as what was delivered allows. A finished side keeps reading: only so does
 * it answer a peer that lost its last flight. */
static void drive(struct run *run)
{
    unsigned char scratch[64];
    size_t length;
    for (int turn = 0; turn < 40; turn++)
        for (int role = 0; role < 2; role++) {
            if (run->progress[role] == TLS_DONE)
                (void)run->libraries[role]->read(run->endpoints[role], scratch, sizeof scratch,
                                                 &length, &run->errors[role]);
            else if (run->progress[role] != TLS_FAILED)
                run->progress[role] =
                    run->libraries[role]->handshake(run->endpoints[role], &run->errors[role]);
        }
}

static bool complete(const struct run *run)
{
    return run->progress[0] == TLS_DONE && run->progress[1] == TLS_DONE;
}

/* Moves time to the next deadline and tells its owner; false when no timer runs. */
static bool expire(struct run *run)
{
    uint64_t deadlines[2];
    for (int role = 0; role < 2; role++)
        deadlines[role] = run->libraries[role]->deadline_ns(run->endpoints[role]);
    int next = deadlines[1] < deadlines[0];
    if (deadlines[next] == UINT64_MAX)
        return false;
    if (deadlines[next] > run->clock.wall_ns)
        manual_clock_advance(&run->clock, deadlines[next] - run->clock.wall_ns, 0);
    run->expiries++;
    if (run->libraries[next]->on_deadline(run->endpoints[next], &run->errors[next]) == TLS_FAILED)
        run->progress[next] = TLS_FAILED;
    return true;
}

static bool play(struct run *run, const struct pki_set *pki)
{
    manual_clock_init(&run->clock);
    pipe_init(run->pipe, true);
    run->pipe->drop = drop_one;
    run->pipe->drop_context = &run->loss;
    open_side(run, TLS_CLIENT, pki);
    open_side(run, TLS_SERVER, pki);
    drive(run);
    for (int i = 0; i < 6 && !complete(run) && expire(run); i++)
        drive(run);
    bool completed = complete(run);
    for (int role = 0; role < 2; role++) {
        run->libraries[role]->close(run->endpoints[role]);
        run->libraries[role]->context_close(run->contexts[role]);
    }
    return completed;
}

/* wolfSSL 5.5.4 as a server never resends a lost last flight (mended in 5.7.2): shown, not hidden.
 */
static bool may_fail(const struct run *run)
{
    bool old = strcmp(run->libraries[TLS_SERVER]->name, "wolfssl") == 0 &&
               strcmp(run->libraries[TLS_SERVER]->version(), "5.7") < 0;
    return old && run->loss.sender == TLS_SERVER;
}

static void check_run(const struct run *run, bool completed)
{
    const char *sender = run->loss.sender == TLS_CLIENT ? "client" : "server";
    if (!completed && may_fail(run)) {
        print_message("%s -> %s: %s's datagram %d lost: never completes (a known weakness)\n",
                      run->libraries[0]->name, run->libraries[1]->name, sender,
                      (int)run->loss.number);
        return;
    }
    if (!completed)
        fail_msg("%s -> %s: %s's datagram %d lost: client %d \"%s\", server %d \"%s\"",
                 run->libraries[0]->name, run->libraries[1]->name, sender, (int)run->loss.number,
                 (int)run->progress[0], run->errors[0].text, (int)run->progress[1],
                 run->errors[1].text);
    if (!run->loss.dropped) {
        assert_int_equal(run->expiries, 0);
        assert_int_equal(run->clock.wall_ns, 0);
        return;
    }
    assert_in_range(run->expiries, 1, 4);
    assert_in_range(run->clock.wall_ns, NS_PER_S * 99 / 100, NS_PER_S * 8);
}

static void lose_each(const struct tls_library *client, const struct tls_library *server,
                      const struct pki_set *pki, struct pipe *pipe)
{
    for (int sender = 0; sender < 2; sender++)
        for (uint64_t number = 0; number < 32; number++) {
            struct run run = {.libraries = {client, server}, .pipe = pipe};
            run.loss = (struct loss){.sender = (enum tls_role)sender, .number = number};
            check_run(&run, play(&run, pki));
            if (!run.loss.dropped)
                break; /* the handshake had no such datagram: all were tried */
        }
}

static void test_one_lost_datagram(void **state)
{
    (void)state;
    struct pki_set pki;
    struct error error;
    struct pki_request request = {"ecdsa-p256", 1};
    assert_true(pki_make(&request, PKI_SOUND, NULL, &pki, &error));
    struct pipe *pipe = malloc(sizeof *pipe);
    assert_non_null(pipe);
    size_t count;
    const struct tls_library *const *list = tls_libraries(&count);
    for (size_t client = 0; client < count; client++)
        for (size_t server = 0; server < count; server++)
            if (list[client]->unavailable() == NULL && list[server]->unavailable() == NULL)
                lose_each(list[client], list[server], &pki, pipe);
    free(pipe);
    pki_free(&pki);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_lost_datagram)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
