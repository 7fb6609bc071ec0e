/*
 * What tls/trace.h sees of OpenSSL's handshakes. The numbers of operations follow from the
 * protocols: RFC 8446 section 2 and 4.4, RFC 5246 section 7.3, RFC 8422 section 2.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "tls/endpoint.h"
#include "tls/libraries.h"
#include "tls/pipe.h"
#include "tls/pki.h"
#include "tls/trace.h"

struct scene {
    enum tls_protocol protocol;
    const char *key, *suite, *group;
    enum tls_key_exchange key_exchange;
    enum tls_resumption resumption;
    bool mutual, untraced;
    unsigned chain_length;
};

struct side {
    struct tls_context *context;
    struct tls_endpoint *endpoint;
    enum tls_progress progress;
    struct tls_trace trace;
    uint64_t elapsed_ns; /* between enter and leave, by the trace's own readings */
    uint64_t steps;
    unsigned char sent[16384];
    size_t sent_bytes;
};

struct play {
    struct side sides[2];
    struct pki_set pki;
    struct pipe pipe;
    bool datagrams;
    struct error error;
};

enum { CLIENT = TLS_CLIENT, SERVER = TLS_SERVER };

static const struct tls_trace_point *outermost;

static struct tls_settings settings_of(const struct scene *scene, enum tls_role role,
                                       const struct pki_set *pki)
{
    struct tls_settings settings = {
        .role = role,
        .protocol = scene->protocol,
        .suite = scene->suite,
        .group = scene->group,
        .key_exchange = scene->key_exchange,
        .resumption = scene->resumption,
        .ca = pki->root,
        .verify_peer = role == TLS_CLIENT || scene->mutual,
        .server_name = role == TLS_CLIENT ? "localhost" : NULL,
        .trace = !scene->untraced,
        .clock = clock_real(),
    };
    if (role == TLS_SERVER)
        settings.credentials = pki->server;
    else if (scene->mutual)
        settings.credentials = pki->client;
    return settings;
}

static void keep_sent(void *context, enum tls_role sender, const void *bytes, size_t length)
{
    struct side *side = &((struct play *)context)->sides[sender];
    assert_true(length <= sizeof side->sent - side->sent_bytes);
    memcpy(side->sent + side->sent_bytes, bytes, length);
    side->sent_bytes += length;
}

/* Records that a side protected: of TLS 1.2 those after its change_cipher_spec (RFC 5246 section
 * 7.1), of TLS 1.3 those of type application_data (RFC 8446 section 5.2). */
static uint64_t protected_records(const struct scene *scene, const struct side *side)
{
    enum { CHANGE_CIPHER_SPEC = 20, APPLICATION_DATA = 23, HEADER_BYTES = 5 };
    uint64_t count = 0;
    bool changed = false;
    for (size_t at = 0; at + HEADER_BYTES <= side->sent_bytes;) {
        const unsigned char *header = side->sent + at;
        count += scene->protocol == TLS_1_3 ? header[0] == APPLICATION_DATA : changed;
        changed = changed || header[0] == CHANGE_CIPHER_SPEC;
        at += HEADER_BYTES + (size_t)header[3] * 256 + header[4];
    }
    return count;
}

static struct play *play_open(const struct scene *scene)
{
    struct play *play = calloc(1, sizeof *play);
    assert_non_null(play);
    play->datagrams = tls_protocol_is_datagram(scene->protocol);
    struct pki_request request = {scene->key, scene->chain_length == 0 ? 1 : scene->chain_length};
    if (!pki_make(&request, PKI_SOUND, NULL, &play->pki, &play->error))
        fail_msg("%s", play->error.text);
    for (int role = 0; role < 2; role++) {
        struct tls_settings settings = settings_of(scene, (enum tls_role)role, &play->pki);
        play->sides[role].context = tls_openssl.context_open(&settings, &play->error);
        if (play->sides[role].context == NULL)
            fail_msg("%s", play->error.text);
    }
    outermost = tls_trace_point(TRACE_MESSAGES, "messages and state");
    return play;
}

enum step { OPEN, HANDSHAKE, READ };

/* One call into a side's library, traced. */
static void step(struct play *play, int role, enum step what)
{
    struct side *side = &play->sides[role];
    struct tls_io io = pipe_io(&play->pipe, (enum tls_role)role);
    unsigned char bytes[16];
    size_t length;
    tls_trace_enter(&side->trace, outermost);
    uint64_t start_ns = side->trace.last_ns; /* nothing has been pushed since */
    if (what == OPEN) {
        side->endpoint = tls_openssl.open(side->context, &io, &play->error);
        side->progress = side->endpoint == NULL ? TLS_FAILED : TLS_WANT_READ;
    } else if (what == HANDSHAKE) {
        side->progress = tls_openssl.handshake(side->endpoint, &play->error);
    } else {
        side->progress =
            tls_openssl.read(side->endpoint, bytes, sizeof bytes, &length, &play->error);
    }
    tls_trace_leave();
    side->elapsed_ns += side->trace.last_ns - start_ns;
    side->steps++;
    if (side->progress == TLS_FAILED)
        fail_msg("role %d: %s", role, play->error.text);
}

/* A handshake from opening both ends to the ticket, which the client gets by reading. */
static void play_handshake(struct play *play)
{
    pipe_init(&play->pipe, play->datagrams);
    play->pipe.tap = keep_sent;
    play->pipe.tap_context = play;
    for (int role = 0; role < 2; role++) {
        struct side *side = &play->sides[role];
        tls_trace_clear(&side->trace);
        side->elapsed_ns = side->steps = 0;
        side->sent_bytes = 0;
        step(play, role, OPEN);
    }
    for (int turn = 0; turn < 20; turn++)
        for (int role = 0; role < 2; role++)
            if (play->sides[role].progress != TLS_DONE)
                step(play, role, HANDSHAKE);
    for (int role = 0; role < 2; role++)
        assert_int_equal(play->sides[role].progress, TLS_DONE);
    step(play, CLIENT, READ);
    assert_int_equal(play->sides[CLIENT].progress, TLS_WANT_READ);
}

static void play_disconnect(struct play *play)
{
    for (int role = 0; role < 2; role++)
        tls_openssl.close(play->sides[role].endpoint);
}

static void play_close(struct play *play)
{
    for (int role = 0; role < 2; role++)
        tls_openssl.context_close(play->sides[role].context);
    pki_free(&play->pki);
    free(play);
}

/* Calls of the point of that name; no such point: none. */
static uint64_t count_of(const struct side *side, const char *name)
{
    for (size_t i = 0; i < tls_trace_point_count(); i++)
        if (strcmp(tls_trace_point_at(i)->name, name) == 0)
            return side->trace.count[i];
    return 0;
}

static uint64_t count_of_kind(const struct side *side, enum tls_trace_kind kind)
{
    uint64_t count = 0;
    for (size_t i = 0; i < tls_trace_point_count(); i++)
        count += tls_trace_point_at(i)->kind == kind ? side->trace.count[i] : 0;
    return count;
}

/* How often a side did what; what is not named, never. */
struct expectation {
    const char *name;
    uint64_t client, server;
};

static void check_operations(const struct play *play, const struct expectation *expected,
                             size_t count)
{
    uint64_t asymmetric[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        uint64_t client = count_of(&play->sides[CLIENT], expected[i].name);
        uint64_t server = count_of(&play->sides[SERVER], expected[i].name);
        if (client != expected[i].client || server != expected[i].server)
            fail_msg("%s: client %u, server %u", expected[i].name, (unsigned)client,
                     (unsigned)server);
        asymmetric[CLIENT] += client;
        asymmetric[SERVER] += server;
    }
    for (int role = 0; role < 2; role++)
        assert_int_equal(count_of_kind(&play->sides[role], TRACE_ASYMMETRIC), asymmetric[role]);
}

static void check_times(const struct play *play)
{
    for (int role = 0; role < 2; role++) {
        const struct side *side = &play->sides[role];
        uint64_t sum_ns = 0;
        for (size_t i = 0; i < tls_trace_point_count(); i++)
            sum_ns += side->trace.self_ns[i];
        assert_int_equal(sum_ns, side->elapsed_ns);
        assert_int_equal(side->trace.count[outermost->index], side->steps);
    }
}

/* Both ends protect or open every protected record once. */
static void check_records(const struct scene *scene, const struct play *play, const char *cipher)
{
    uint64_t records = protected_records(scene, &play->sides[CLIENT]) +
                       protected_records(scene, &play->sides[SERVER]);
    assert_true(records >= 2); /* both Finished */
    for (int role = 0; role < 2; role++)
        assert_int_equal(count_of(&play->sides[role], cipher), records);
}

static struct play *play_full(const struct scene *scene, const struct expectation *expected,
                              size_t count)
{
    struct play *play = play_open(scene);
    play_handshake(play);
    check_operations(play, expected, count);
    check_times(play);
    return play;
}

static void finish(struct play *play)
{
    play_disconnect(play);
    play_close(play);
}

static const struct scene tls12 = {.protocol = TLS_1_2,
                                   .key = "ecdsa-p256",
                                   .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                                   .group = "secp256r1"};
static const struct scene tls13 = {.protocol = TLS_1_3,
                                   .key = "ecdsa-p256",
                                   .suite = "TLS_AES_128_GCM_SHA256",
                                   .group = "secp256r1"};

/* One signature by the server (ServerKeyExchange or CertificateVerify), which the client verifies;
 * it also verifies the leaf's, made by the root. A trusted root is not verified. */
static const struct expectation full_ecdsa[] = {
    {"ecdsa-p256 sign", 0, 1},
    {"ecdsa-p256 verify", 2, 0},
    {"ec-p256 keygen", 1, 1},
    {"ecdh-p256 derive", 1, 1},
};

/* The server sends its leaf. */
static void check_one_certificate(const struct play *play)
{
    static const char *const names[] = {"parse certificate", "verify chain"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_int_equal(count_of(&play->sides[CLIENT], names[i]), 1);
        assert_int_equal(count_of(&play->sides[SERVER], names[i]), 0);
    }
}

static void test_tls12(void **state)
{
    (void)state;
    struct play *play = play_full(&tls12, full_ecdsa, COUNT_OF(full_ecdsa));
    check_records(&tls12, play, "aes-128-gcm");
    /* Master secret, key block, two Finished (RFC 5246 sections 8.1, 6.3, 7.4.9). */
    for (int role = 0; role < 2; role++)
        assert_int_equal(count_of(&play->sides[role], "tls1-prf"), 4);
    check_one_certificate(play);
    finish(play);
}

static void test_tls13(void **state)
{
    (void)state;
    struct play *play = play_full(&tls13, full_ecdsa, COUNT_OF(full_ecdsa));
    check_records(&tls13, play, "aes-128-gcm");
    /* Two Finished (RFC 8446 section 4.4.4). */
    for (int role = 0; role < 2; role++)
        assert_int_equal(count_of(&play->sides[role], "hmac"), 2);
    check_one_certificate(play);
    finish(play);
}

/* The client signs as well, and the server verifies that and the client's leaf; each intermediate
 * is one more verification. */
static void test_mutual(void **state)
{
    (void)state;
    static const struct expectation expected[] = {
        {"ecdsa-p256 sign", 1, 1},
        {"ecdsa-p256 verify", 3, 3},
        {"ec-p256 keygen", 1, 1},
        {"ecdh-p256 derive", 1, 1},
    };
    struct scene scenes[] = {tls12, tls13};
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        scenes[i].mutual = true;
        scenes[i].chain_length = 2;
        struct play *play = play_full(&scenes[i], expected, COUNT_OF(expected));
        for (int role = 0; role < 2; role++) {
            assert_int_equal(count_of(&play->sides[role], "parse certificate"), 2);
            assert_int_equal(count_of(&play->sides[role], "verify chain"), 1);
        }
        finish(play);
    }
}

static void play_resumed(const struct scene *scene, const struct expectation *expected,
                         size_t count)
{
    struct play *play = play_full(scene, full_ecdsa, COUNT_OF(full_ecdsa));
    assert_true(tls_openssl.keep_session(play->sides[CLIENT].endpoint));
    play_disconnect(play);
    play_handshake(play);
    check_operations(play, expected, count);
    check_times(play);
    check_records(scene, play, "aes-128-gcm");
    finish(play);
}

static void test_resumed(void **state)
{
    (void)state;
    /* RFC 5077 section 3.1: no certificate, no key exchange. */
    struct scene scene = tls12;
    scene.resumption = TLS_RESUME_SESSION_ID;
    play_resumed(&scene, NULL, 0);
    scene.resumption = TLS_RESUME_TICKET;
    play_resumed(&scene, NULL, 0);
    /* RFC 8446 section 2.2: psk_dhe_ke leaves the key exchange. */
    static const struct expectation exchange_only[] = {{"ec-p256 keygen", 1, 1},
                                                       {"ecdh-p256 derive", 1, 1}};
    scene = tls13;
    scene.resumption = TLS_RESUME_TICKET;
    play_resumed(&scene, exchange_only, COUNT_OF(exchange_only));
}

static void test_rsa(void **state)
{
    (void)state;
    /* RFC 5246 section 7.4.7.1: the client encrypts the premaster secret; the one signature is the
     * leaf's. */
    static const struct expectation transport[] = {
        {"rsa-2048 encrypt", 1, 0}, {"rsa-2048 decrypt", 0, 1}, {"rsa-2048 verify", 1, 0}};
    static const struct scene scene = {.protocol = TLS_1_2,
                                       .key = "rsa-2048",
                                       .suite = "TLS_RSA_WITH_AES_128_GCM_SHA256",
                                       .key_exchange = TLS_KX_RSA};
    finish(play_full(&scene, transport, COUNT_OF(transport)));
    static const struct expectation signature[] = {{"rsa-2048 sign", 0, 1},
                                                   {"rsa-2048 verify", 2, 0},
                                                   {"x25519 keygen", 1, 1},
                                                   {"x25519 derive", 1, 1}};
    static const struct scene scene13 = {.protocol = TLS_1_3, .key = "rsa-2048", .group = "x25519"};
    finish(play_full(&scene13, signature, COUNT_OF(signature)));
}

/* The suites whose record protection takes other functions of a provider. */
static void test_other_ciphers(void **state)
{
    (void)state;
    static const struct {
        enum tls_protocol protocol;
        const char *suite, *cipher;
    } rows[] = {
        {TLS_1_3, "TLS_AES_256_GCM_SHA384", "aes-256-gcm"},
        {TLS_1_3, "TLS_CHACHA20_POLY1305_SHA256", "chacha20-poly1305"},
        {TLS_1_2, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "chacha20-poly1305"},
        {TLS_1_2, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", "aes-128-ccm"},
        {TLS_1_2, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "aes-256-cbc"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene scene = tls12;
        scene.protocol = rows[i].protocol;
        scene.suite = rows[i].suite;
        struct play *play = play_full(&scene, full_ecdsa, COUNT_OF(full_ecdsa));
        check_records(&scene, play, rows[i].cipher);
        finish(play);
    }
}

/* Other keys and groups, and DTLS, have the same operations under other names. */
static void test_other_keys(void **state)
{
    (void)state;
    static const struct {
        struct scene scene;
        struct expectation expected[4];
    } rows[] = {
        {{.protocol = TLS_1_3, .key = "ed25519", .group = "x25519"},
         {{"ed25519 sign", 0, 1},
          {"ed25519 verify", 2, 0},
          {"x25519 keygen", 1, 1},
          {"x25519 derive", 1, 1}}},
        {{.protocol = TLS_1_2, .key = "ecdsa-p384", .group = "secp384r1"},
         {{"ecdsa-p384 sign", 0, 1},
          {"ecdsa-p384 verify", 2, 0},
          {"ec-p384 keygen", 1, 1},
          {"ecdh-p384 derive", 1, 1}}},
        {{.protocol = TLS_1_2,
          .key = "rsa-2048",
          .key_exchange = TLS_KX_DHE,
          .suite = "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
          .group = "ffdhe2048"},
         {{"rsa-2048 sign", 0, 1},
          {"rsa-2048 verify", 2, 0},
          {"dh-ffdhe2048 keygen", 1, 1},
          {"dh-ffdhe2048 derive", 1, 1}}},
        {{.protocol = DTLS_1_2, .key = "ecdsa-p256", .group = "secp256r1"},
         {{"ecdsa-p256 sign", 0, 1},
          {"ecdsa-p256 verify", 2, 0},
          {"ec-p256 keygen", 1, 1},
          {"ecdh-p256 derive", 1, 1}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        finish(play_full(&rows[i].scene, rows[i].expected, COUNT_OF(rows[i].expected)));
}

/* draft-ietf-tls-ecdhe-mlkem: the client makes the keys, the server encapsulates. */
static void test_hybrid(void **state)
{
    (void)state;
    if (strncmp(tls_openssl.version(), "3.0", 3) == 0)
        skip(); /* no ML-KEM before 3.5 */
    static const struct expectation expected[] = {{"ecdsa-p256 sign", 0, 1},
                                                  {"ecdsa-p256 verify", 2, 0},
                                                  {"x25519mlkem768 keygen", 1, 0},
                                                  {"x25519mlkem768 encapsulate", 0, 1},
                                                  {"x25519mlkem768 decapsulate", 1, 0}};
    struct scene scene = tls13;
    scene.group = "x25519mlkem768";
    finish(play_full(&scene, expected, COUNT_OF(expected)));
}

/* Without settings.trace OpenSSL's default provider works alone: no operation is seen. */
static void test_untraced(void **state)
{
    (void)state;
    static const enum tls_trace_kind operations[] = {TRACE_ASYMMETRIC, TRACE_DIGEST, TRACE_RECORD};
    struct scene scene = tls13;
    finish(play_full(&scene, full_ecdsa, COUNT_OF(full_ecdsa))); /* the provider is loaded */
    scene.untraced = true;
    struct play *play = play_open(&scene);
    play_handshake(play);
    check_times(play);
    for (int role = 0; role < 2; role++)
        for (size_t i = 0; i < COUNT_OF(operations); i++)
            assert_int_equal(count_of_kind(&play->sides[role], operations[i]), 0);
    finish(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tls12),      cmocka_unit_test(test_tls13),
        cmocka_unit_test(test_mutual),     cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_rsa),        cmocka_unit_test(test_other_ciphers),
        cmocka_unit_test(test_other_keys), cmocka_unit_test(test_hybrid),
        cmocka_unit_test(test_untraced),
    };
    const char *reason = tls_openssl.unavailable();
    if (reason == NULL)
        reason = tls_openssl.trace_unavailable();
    if (reason != NULL) {
        print_message("not traced: %s\n", reason);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
