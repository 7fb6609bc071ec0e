/*
 * Mbed TLS and wolfSSL under tls/trace.h: full and resumed handshakes whose asymmetric operations
 * are known beforehand, from the standards' message flows, and times that add up to the whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "tls/endpoint.h"
#include "tls/pipe.h"
#include "tls/pki.h"
#include "tls/trace.h"

struct scene {
    const char *library, *key, *suite, *group;
    enum tls_protocol protocol;
    bool mutual, resumes;
};

struct side {
    const struct tls_library *library;
    struct tls_context *context;
    struct tls_endpoint *endpoint;
    enum tls_progress progress;
    struct error error;
    struct tls_negotiated negotiated;
    struct tls_trace trace;
    uint64_t wall_ns; /* inside the library, read outside the trace */
};

struct pair {
    struct side sides[2]; /* by enum tls_role */
    struct pki_set pki;
    struct pipe pipe;
    uint64_t started_ns;
    bool offers_ech; /* the ClientHello has that extension */
};

/* How often each side does an operation. */
struct expected {
    const char *name;
    uint64_t client, server;
};

static void enter(struct pair *pair, struct side *side)
{
    pair->started_ns = clock_wall_ns(clock_real());
    tls_trace_enter(&side->trace, tls_trace_point(TRACE_MESSAGES, "messages and state"));
}

static void leave(struct pair *pair, struct side *side)
{
    tls_trace_leave();
    side->wall_ns += clock_wall_ns(clock_real()) - pair->started_ns;
}

static struct tls_settings settings_of(const struct scene *scene, enum tls_role role,
                                       const struct pki_set *pki)
{
    struct tls_settings settings = {
        .role = role,
        .protocol = scene->protocol,
        .suite = scene->suite,
        .group = scene->group,
        .resumption = !scene->resumes              ? TLS_RESUME_NONE
                      : scene->protocol == TLS_1_3 ? TLS_RESUME_PSK
                                                   : TLS_RESUME_TICKET,
        .clock = clock_real(),
        .ca = pki->root,
        .verify_peer = role == TLS_CLIENT || scene->mutual,
        .server_name = role == TLS_CLIENT ? "localhost" : NULL,
    };
    if (role == TLS_SERVER)
        settings.credentials = pki->server;
    else if (scene->mutual)
        settings.credentials = pki->client;
    return settings;
}

static struct pair *pair_new(const struct scene *scene)
{
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    struct error error;
    struct pki_request request = {scene->key, 1};
    if (!pki_make(&request, PKI_SOUND, NULL, &pair->pki, &error))
        fail_msg("%s", error.text);
    for (int role = 0; role < 2; role++) {
        struct side *side = &pair->sides[role];
        side->library = tls_library_find(scene->library);
        struct tls_settings settings = settings_of(scene, (enum tls_role)role, &pair->pki);
        side->context = side->library->context_open(&settings, &side->error);
        if (side->context == NULL)
            fail_msg("%s: %s", side->library->name, side->error.text);
    }
    return pair;
}

static void pair_free(struct pair *pair)
{
    for (int role = 0; role < 2; role++)
        pair->sides[role].library->context_close(pair->sides[role].context);
    pki_free(&pair->pki);
    free(pair);
}

static void open_side(struct pair *pair, enum tls_role role)
{
    struct side *side = &pair->sides[role];
    struct tls_io io = pipe_io(&pair->pipe, role);
    tls_trace_clear(&side->trace);
    side->wall_ns = 0;
    side->progress = TLS_WANT_READ;
    enter(pair, side);
    side->endpoint = side->library->open(side->context, &io, &side->error);
    leave(pair, side);
    if (side->endpoint == NULL)
        fail_msg("%s: %s", side->library->name, side->error.text);
}

static void shake(struct pair *pair)
{
    for (int turn = 0; turn < 50; turn++) {
        for (int role = 0; role < 2; role++) {
            struct side *side = &pair->sides[role];
            if (side->progress == TLS_DONE)
                continue;
            enter(pair, side);
            side->progress = side->library->handshake(side->endpoint, &side->error);
            leave(pair, side);
            if (side->progress == TLS_FAILED)
                fail_msg("%s: %s", side->library->name, side->error.text);
        }
    }
    assert_int_equal(pair->sides[TLS_CLIENT].progress, TLS_DONE);
    assert_int_equal(pair->sides[TLS_SERVER].progress, TLS_DONE);
}

/* A byte from the server, before which the client reads TLS 1.3's ticket. */
static void one_byte(struct pair *pair)
{
    struct side *server = &pair->sides[TLS_SERVER];
    struct side *client = &pair->sides[TLS_CLIENT];
    unsigned char byte = 1;
    size_t length = 0;
    enter(pair, server);
    enum tls_progress progress =
        server->library->write(server->endpoint, &byte, 1, &length, &server->error);
    leave(pair, server);
    assert_int_equal(progress, TLS_DONE);
    for (int turn = 0; turn < 10; turn++) {
        enter(pair, client);
        progress = client->library->read(client->endpoint, &byte, 1, &length, &client->error);
        leave(pair, client);
        if (progress == TLS_DONE)
            break;
    }
    assert_int_equal(progress, TLS_DONE);
}

static size_t number(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 8 | bytes[1];
}

/* Looks through a ClientHello, RFC 8446 section 4.1.2, for encrypted_client_hello (RFC 9849). */
static void look_for_ech(void *context, enum tls_role sender, const void *bytes, size_t length)
{
    struct pair *pair = context;
    const unsigned char *at = bytes;
    const unsigned char *end = at + length;
    if (sender != TLS_CLIENT || length < 44 || at[0] != 22 || at[5] != 1)
        return;
    at += 43; /* record and message headers, version, random */
    at += 1 + at[0];
    at += 2 + number(at);
    at += 1 + at[0];
    for (at += 2; at + 4 <= end; at += 4 + number(at + 2))
        pair->offers_ech |= number(at) == 0xfe0d;
}

/* One connection, from its opening to its end, with both sides' traces begun anew. */
static void connect_once(struct pair *pair, bool keep)
{
    pipe_init(&pair->pipe, false);
    pair->pipe.tap = look_for_ech;
    pair->pipe.tap_context = pair;
    open_side(pair, TLS_CLIENT);
    open_side(pair, TLS_SERVER);
    shake(pair);
    one_byte(pair);
    if (keep)
        assert_true(
            pair->sides[TLS_CLIENT].library->keep_session(pair->sides[TLS_CLIENT].endpoint));
    for (int role = 0; role < 2; role++) {
        struct side *side = &pair->sides[role];
        side->library->negotiated(side->endpoint, &side->negotiated);
        enter(pair, side);
        side->library->close(side->endpoint);
        leave(pair, side);
    }
}

static uint64_t calls(const struct tls_trace *trace, enum tls_trace_kind kind, const char *name)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < tls_trace_point_count(); i++) {
        const struct tls_trace_point *point = tls_trace_point_at(i);
        if (point->kind == kind && (name == NULL || strcmp(point->name, name) == 0))
            sum += trace->count[i];
    }
    return sum;
}

static uint64_t whole_ns(const struct tls_trace *trace)
{
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < TRACE_MOST_POINTS; i++)
        sum_ns += trace->self_ns[i];
    return sum_ns;
}

/* The operations are the expected ones and no others. */
static void check_operations(const struct pair *pair, const struct expected *expected)
{
    uint64_t sums[2] = {0, 0};
    for (; expected->name != NULL; expected++) {
        const uint64_t wanted[2] = {expected->client, expected->server};
        for (int role = 0; role < 2; role++) {
            const struct tls_trace *trace = &pair->sides[role].trace;
            uint64_t seen = calls(trace, TRACE_ASYMMETRIC, expected->name);
            if (seen != wanted[role])
                fail_msg("%s %s: %s %u times, expected %u", pair->sides[role].library->name,
                         role == TLS_CLIENT ? "client" : "server", expected->name, (unsigned)seen,
                         (unsigned)wanted[role]);
            sums[role] += wanted[role];
        }
    }
    /* wolfSSL 5.7 sends an X25519 key for it even when it has nothing to encrypt ("GREASE ECH"). */
    if (pair->offers_ech) {
        assert_int_equal(calls(&pair->sides[TLS_CLIENT].trace, TRACE_ASYMMETRIC, "x25519 keygen"),
                         1);
        sums[TLS_CLIENT]++;
    }
    for (int role = 0; role < 2; role++)
        assert_int_equal(calls(&pair->sides[role].trace, TRACE_ASYMMETRIC, NULL), sums[role]);
}

/* Hashes, record protection and random numbers are seen, every frame that was pushed was popped,
 * and what is charged is no more than the time around. */
static void check_times(const struct pair *pair)
{
    for (int role = 0; role < 2; role++) {
        const struct side *side = &pair->sides[role];
        assert_true(calls(&side->trace, TRACE_DIGEST, "sha256") > 0);
        assert_true(calls(&side->trace, TRACE_RECORD, "aes-128-gcm") > 0);
        assert_true(calls(&side->trace, TRACE_RANDOM, NULL) > 0);
        assert_int_equal(side->trace.depth, 1);
        assert_true(whole_ns(&side->trace) > 0);
        assert_true(whole_ns(&side->trace) <= side->wall_ns);
    }
}

/* A library that is here is linked dynamically, and must be traceable. */
static bool traceable(const char *name)
{
    const struct tls_library *library = tls_library_find(name);
    if (library->unavailable() != NULL)
        return false;
    if (library->trace_unavailable() != NULL)
        fail_msg("%s: %s", name, library->trace_unavailable());
    return true;
}

static void play(const struct scene *scene, const struct expected *full,
                 const struct expected *resumed)
{
    if (!traceable(scene->library)) {
        skip();
        return;
    }
    struct pair *pair = pair_new(scene);
    connect_once(pair, scene->resumes);
    check_operations(pair, full);
    check_times(pair);
    if (scene->mutual)
        assert_true(pair->sides[TLS_SERVER].negotiated.peer_verified);
    if (scene->resumes) {
        connect_once(pair, false);
        assert_true(pair->sides[TLS_SERVER].negotiated.resumed);
        check_operations(pair, resumed);
    }
    pair_free(pair);
}

static const char ecdsa_suite[] = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
static const char rsa_suite[] = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
static const char suite_1_3[] = "TLS_AES_128_GCM_SHA256";

/* RFC 8422 section 2: the server signs ServerKeyExchange once; each side makes one ephemeral key
 * and derives once; the client verifies ServerKeyExchange and the leaf's signature by the root. */
static const struct expected ecdsa_1_2[] = {{"ecdsa-p256 sign", 0, 1},
                                            {"ecdsa-p256 verify", 2, 0},
                                            {"ec-p256 keygen", 1, 1},
                                            {"ecdh-p256 derive", 1, 1},
                                            {NULL, 0, 0}};
static const struct expected rsa_1_2[] = {{"rsa-2048 sign", 0, 1},
                                          {"rsa-2048 verify", 2, 0},
                                          {"ec-p256 keygen", 1, 1},
                                          {"ecdh-p256 derive", 1, 1},
                                          {NULL, 0, 0}};
/* RFC 5246 section 7.4.8: the client also signs CertificateVerify, and the server verifies it and
 * the client's leaf. */
static const struct expected mutual_ecdsa[] = {{"ecdsa-p256 sign", 1, 1},
                                               {"ecdsa-p256 verify", 2, 2},
                                               {"ec-p256 keygen", 1, 1},
                                               {"ecdh-p256 derive", 1, 1},
                                               {NULL, 0, 0}};
/* RFC 5077 section 3.1: no key exchange and no signature. */
static const struct expected nothing[] = {{NULL, 0, 0}};
static const struct expected x25519_ecdsa[] = {{"ecdsa-p256 sign", 0, 1},
                                               {"ecdsa-p256 verify", 2, 0},
                                               {"x25519 keygen", 1, 1},
                                               {"x25519 derive", 1, 1},
                                               {NULL, 0, 0}};
/* RFC 8446 section 2.2, psk_dhe_ke: a key exchange without signatures. */
static const struct expected exchange_only[] = {
    {"ec-p256 keygen", 1, 1}, {"ecdh-p256 derive", 1, 1}, {NULL, 0, 0}};

/* wolfSSL verifies each RSA signature of its own before it sends it, against faults in the CRT
 * (Boneh, DeMillo, Lipton 1997). */
static const struct expected rsa_self_checked[] = {{"rsa-2048 sign", 0, 1},
                                                   {"rsa-2048 verify", 2, 1},
                                                   {"ec-p256 keygen", 1, 1},
                                                   {"ecdh-p256 derive", 1, 1},
                                                   {NULL, 0, 0}};
/* Through PSA, Mbed TLS computes an ephemeral key's public half when it exports it. */
static const struct expected ecdsa_1_3_psa[] = {
    {"ecdsa-p256 sign", 0, 1},    {"ecdsa-p256 verify", 2, 0}, {"ec-p256 keygen", 1, 1},
    {"ec-p256 public key", 1, 1}, {"ecdh-p256 derive", 1, 1},  {NULL, 0, 0}};
static const struct expected rsa_1_3_psa[] = {
    {"rsa-2048 sign", 0, 1},      {"rsa-2048 verify", 2, 0},  {"ec-p256 keygen", 1, 1},
    {"ec-p256 public key", 1, 1}, {"ecdh-p256 derive", 1, 1}, {NULL, 0, 0}};
static const struct expected exchange_only_psa[] = {{"ec-p256 keygen", 1, 1},
                                                    {"ec-p256 public key", 1, 1},
                                                    {"ecdh-p256 derive", 1, 1},
                                                    {NULL, 0, 0}};

static void ecdsa(void **state)
{
    struct scene scene = {*state, "ecdsa-p256", ecdsa_suite, "secp256r1", TLS_1_2, false, false};
    play(&scene, ecdsa_1_2, NULL);
}

static void rsa(void **state)
{
    struct scene scene = {*state, "rsa-2048", rsa_suite, "secp256r1", TLS_1_2, false, false};
    play(&scene, strcmp(scene.library, "wolfssl") == 0 ? rsa_self_checked : rsa_1_2, NULL);
}

static void mutual(void **state)
{
    struct scene scene = {*state, "ecdsa-p256", ecdsa_suite, "secp256r1", TLS_1_2, true, false};
    play(&scene, mutual_ecdsa, NULL);
}

static void ticket(void **state)
{
    struct scene scene = {*state, "ecdsa-p256", ecdsa_suite, "secp256r1", TLS_1_2, false, true};
    play(&scene, ecdsa_1_2, nothing);
}

static void x25519(void **state)
{
    struct scene scene = {*state, "ecdsa-p256", ecdsa_suite, "x25519", TLS_1_2, false, false};
    play(&scene, x25519_ecdsa, NULL);
}

static bool has_1_3(const char *name)
{
    struct tls_settings settings = {.protocol = TLS_1_3};
    const struct tls_library *library = tls_library_find(name);
    return library->unavailable() == NULL && library->supports(&settings) == NULL;
}

/* RFC 8446 section 4.4.3: CertificateVerify in place of the signed ServerKeyExchange. */
static void ecdsa_1_3(void **state)
{
    struct scene scene = {*state, "ecdsa-p256", suite_1_3, "secp256r1", TLS_1_3, false, true};
    if (!has_1_3(scene.library))
        skip();
    else if (strcmp(scene.library, "mbedtls") == 0)
        play(&scene, ecdsa_1_3_psa, exchange_only_psa);
    else
        play(&scene, ecdsa_1_2, exchange_only);
}

static void rsa_1_3(void **state)
{
    struct scene scene = {*state, "rsa-2048", suite_1_3, "secp256r1", TLS_1_3, false, false};
    if (!has_1_3(scene.library))
        skip();
    else
        play(&scene, strcmp(scene.library, "mbedtls") == 0 ? rsa_1_3_psa : rsa_self_checked, NULL);
}

#define WITH(library, test)                                                                        \
    {                                                                                              \
        .name = #library " " #test, .test_func = (test), .initial_state = (library)                \
    }

int main(void)
{
    static char mbedtls[] = "mbedtls";
    static char wolfssl[] = "wolfssl";
    const struct CMUnitTest tests[] = {
        WITH(mbedtls, ecdsa),     WITH(mbedtls, rsa),     WITH(mbedtls, mutual),
        WITH(mbedtls, ticket),    WITH(mbedtls, x25519),  WITH(mbedtls, ecdsa_1_3),
        WITH(mbedtls, rsa_1_3),   WITH(wolfssl, ecdsa),   WITH(wolfssl, rsa),
        WITH(wolfssl, mutual),    WITH(wolfssl, ticket),  WITH(wolfssl, x25519),
        WITH(wolfssl, ecdsa_1_3), WITH(wolfssl, rsa_1_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
