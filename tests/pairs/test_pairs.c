/*
 * The same handshake suite over every pair of client and server library, every protocol both have:
 * what is asked for is what both sides report, bytes echo, sessions resume when asked to and not
 * otherwise, and bad certificates are refused.
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

/* One configuration that both sides get. */
struct scene {
    enum tls_protocol protocol;
    const char *key, *suite, *group;
    unsigned chain_length;
    enum tls_key_exchange key_exchange;
    enum tls_resumption resumption;
    bool mutual, hello_verify;
    uint16_t mtu_bytes, max_fragment_length;
    enum pki_flaw flaw;
};

struct side {
    const struct tls_library *library;
    struct tls_context *context;
    struct tls_endpoint *endpoint;
    enum tls_progress progress;
    struct error error;
    struct tls_negotiated negotiated;
};

struct pair {
    struct side sides[2]; /* by enum tls_role */
    struct pki_set pki;
    struct pipe *pipe;
};

static const unsigned char psk[16] = {0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37,
                                      0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f};

static bool needs_psk(const struct scene *scene)
{
    return scene->key_exchange == TLS_KX_PSK || scene->key_exchange == TLS_KX_ECDHE_PSK;
}

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
        .hello_verify = scene->hello_verify,
        .mtu_bytes = scene->mtu_bytes,
        .max_fragment_length = scene->max_fragment_length,
        .clock = clock_real(),
    };
    if (needs_psk(scene)) {
        settings.psk = (struct tls_bytes){psk, sizeof psk};
        settings.psk_identity = "tlsmeter";
        return settings;
    }
    settings.ca = pki->root;
    settings.verify_peer = role == TLS_CLIENT || scene->mutual;
    if (role == TLS_CLIENT)
        settings.server_name = "localhost";
    if (role == TLS_SERVER)
        settings.credentials = pki->server;
    else if (scene->mutual)
        settings.credentials = pki->client;
    return settings;
}

/* NULL, or why one of the two cannot do this scene. */
static const char *refusal(const struct scene *scene, const struct tls_library *client,
                           const struct tls_library *server, const struct pki_set *pki)
{
    const struct tls_library *libraries[2] = {client, server};
    for (int role = 0; role < 2; role++) {
        const char *reason = libraries[role]->unavailable();
        struct tls_settings settings = settings_of(scene, (enum tls_role)role, pki);
        if (reason == NULL)
            reason = libraries[role]->supports(&settings);
        if (reason != NULL)
            return reason;
    }
    return NULL;
}

static void pair_open(struct pair *pair, const struct scene *scene)
{
    for (int role = 0; role < 2; role++) {
        struct side *side = &pair->sides[role];
        struct tls_settings settings = settings_of(scene, (enum tls_role)role, &pair->pki);
        side->context = side->library->context_open(&settings, &side->error);
        if (side->context == NULL)
            fail_msg("%s: %s", side->library->name, side->error.text);
    }
}

static void pair_connect(struct pair *pair, const struct scene *scene)
{
    pipe_init(pair->pipe, tls_protocol_is_datagram(scene->protocol));
    for (int role = 0; role < 2; role++) {
        struct side *side = &pair->sides[role];
        struct tls_io io = pipe_io(pair->pipe, (enum tls_role)role);
        side->endpoint = side->library->open(side->context, &io, &side->error);
        if (side->endpoint == NULL)
            fail_msg("%s: %s", side->library->name, side->error.text);
        side->progress = TLS_WANT_READ;
    }
}

static bool running(const struct side *side)
{
    return side->progress == TLS_WANT_READ || side->progress == TLS_WANT_WRITE;
}

/* Drives both sides until neither goes on; true when both are done. */
static bool pair_handshake(struct pair *pair)
{
    for (int turn = 0; turn < 200; turn++) {
        for (int role = 0; role < 2; role++) {
            struct side *side = &pair->sides[role];
            if (running(side))
                side->progress = side->library->handshake(side->endpoint, &side->error);
            if (side->progress == TLS_FAILED)
                pipe_close(pair->pipe, (enum tls_role)role);
        }
        if (!running(&pair->sides[0]) && !running(&pair->sides[1]))
            break;
    }
    for (int role = 0; role < 2; role++) {
        struct side *side = &pair->sides[role];
        if (side->progress == TLS_DONE)
            side->library->negotiated(side->endpoint, &side->negotiated);
    }
    return pair->sides[0].progress == TLS_DONE && pair->sides[1].progress == TLS_DONE;
}

static void send_all(struct pair *pair, int from, const unsigned char *bytes, size_t length)
{
    struct side *sender = &pair->sides[from];
    struct side *receiver = &pair->sides[1 - from];
    unsigned char got[2048];
    size_t sent = 0;
    size_t received = 0;
    for (int turn = 0; turn < 100 && received < length; turn++) {
        size_t step = 0;
        if (sent < length) {
            enum tls_progress progress = sender->library->write(
                sender->endpoint, bytes + sent, length - sent, &step, &sender->error);
            if (progress == TLS_FAILED)
                fail_msg("%s: write: %s", sender->library->name, sender->error.text);
            sent += step;
        }
        enum tls_progress progress = receiver->library->read(
            receiver->endpoint, got + received, sizeof got - received, &step, &receiver->error);
        if (progress == TLS_FAILED)
            fail_msg("%s: read: %s", receiver->library->name, receiver->error.text);
        received += progress == TLS_DONE ? step : 0;
    }
    assert_int_equal(received, length);
    assert_memory_equal(got, bytes, length);
}

static void pair_echo(struct pair *pair)
{
    unsigned char bytes[1000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7);
    send_all(pair, TLS_CLIENT, bytes, sizeof bytes);
    send_all(pair, TLS_SERVER, bytes, sizeof bytes); /* the client reads its ticket on the way */
}

static void pair_disconnect(struct pair *pair)
{
    for (int role = 0; role < 2; role++)
        pair->sides[role].library->close(pair->sides[role].endpoint);
}

static void pair_close(struct pair *pair)
{
    for (int role = 0; role < 2; role++)
        pair->sides[role].library->context_close(pair->sides[role].context);
    pki_free(&pair->pki);
    free(pair->pipe);
}

static struct pair pair_new(const struct tls_library *client, const struct tls_library *server,
                            const struct scene *scene)
{
    struct pair pair = {.sides = {{.library = client}, {.library = server}}};
    struct error error;
    pair.pipe = malloc(sizeof *pair.pipe);
    assert_non_null(pair.pipe);
    struct pki_request request = {scene->key == NULL ? "ecdsa-p256" : scene->key,
                                  scene->chain_length == 0 ? 1 : scene->chain_length};
    if (!pki_make(&request, scene->flaw, NULL, &pair.pki, &error))
        fail_msg("%s", error.text);
    return pair;
}

static void check_negotiated(const struct scene *scene, const struct pair *pair, bool resumed)
{
    for (int role = 0; role < 2; role++) {
        const struct tls_negotiated *negotiated = &pair->sides[role].negotiated;
        assert_int_equal(negotiated->protocol, scene->protocol);
        if (scene->suite != NULL)
            assert_string_equal(negotiated->suite, scene->suite);
        if (scene->group != NULL && !resumed && negotiated->group[0] != '\0')
            assert_string_equal(negotiated->group, scene->group);
        assert_int_equal(negotiated->resumed, resumed);
    }
    assert_string_equal(pair->sides[0].negotiated.suite, pair->sides[1].negotiated.suite);
    if (!resumed && !needs_psk(scene))
        assert_true(pair->sides[TLS_CLIENT].negotiated.peer_verified);
    if (scene->mutual && !resumed)
        assert_true(pair->sides[TLS_SERVER].negotiated.peer_verified);
}

static void must_handshake(const struct scene *scene, struct pair *pair)
{
    if (pair_handshake(pair))
        return;
    fail_msg("%s %s %s, %s -> %s: client %d \"%s\", server %d \"%s\"",
             tls_protocol_name(scene->protocol), scene->suite == NULL ? "" : scene->suite,
             scene->key == NULL ? "" : scene->key, pair->sides[0].library->name,
             pair->sides[1].library->name, (int)pair->sides[0].progress, pair->sides[0].error.text,
             (int)pair->sides[1].progress, pair->sides[1].error.text);
}

/* One full handshake with an echo and, when the scene resumes, a second one that must be resumed.
 */
static void play(const struct scene *scene, const struct tls_library *client,
                 const struct tls_library *server)
{
    struct pair pair = pair_new(client, server, scene);
    const char *reason = refusal(scene, client, server, &pair.pki);
    if (reason != NULL) {
        print_message("%s -> %s %s %s: not played: %s\n", client->name, server->name,
                      tls_protocol_name(scene->protocol), scene->suite == NULL ? "" : scene->suite,
                      reason);
        pki_free(&pair.pki);
        free(pair.pipe);
        return;
    }
    pair_open(&pair, scene);
    pair_connect(&pair, scene);
    must_handshake(scene, &pair);
    check_negotiated(scene, &pair, false);
    pair_echo(&pair);
    for (int role = 0; scene->mtu_bytes != 0 && role < 2; role++)
        assert_in_range(pair.pipe->queues[role].largest_bytes, 1, scene->mtu_bytes);
    bool kept = client->keep_session(pair.sides[TLS_CLIENT].endpoint);
    pair_disconnect(&pair);
    if (scene->resumption != TLS_RESUME_NONE) {
        assert_true(kept);
        pair_connect(&pair, scene);
        must_handshake(scene, &pair);
        check_negotiated(scene, &pair, true);
        pair_echo(&pair);
        pair_disconnect(&pair);
        client->forget_session(pair.sides[TLS_CLIENT].context);
        pair_connect(&pair, scene);
        must_handshake(scene, &pair);
        check_negotiated(scene, &pair, false);
        pair_disconnect(&pair);
    }
    pair_close(&pair);
}

static void play_pairs(const struct scene *scenes, size_t count)
{
    size_t libraries;
    const struct tls_library *const *list = tls_libraries(&libraries);
    for (size_t scene = 0; scene < count; scene++)
        for (size_t client = 0; client < libraries; client++)
            for (size_t server = 0; server < libraries; server++)
                play(&scenes[scene], list[client], list[server]);
}

static void test_full_handshakes(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
         .group = "secp256r1"},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
         .group = "secp384r1",
         .key = "ecdsa-p384"},
        {.protocol = TLS_1_2, .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", .group = "secp256r1"},
        {.protocol = TLS_1_2, .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", .group = "secp256r1"},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
         .group = "x25519"},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
         .group = "secp256r1",
         .key = "rsa-2048"},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
         .group = "secp256r1",
         .key = "rsa-2048"},
        {.protocol = TLS_1_2,
         .suite = "TLS_RSA_WITH_AES_128_GCM_SHA256",
         .key = "rsa-2048",
         .key_exchange = TLS_KX_RSA},
        {.protocol = TLS_1_2,
         .suite = "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
         .key = "rsa-2048",
         .key_exchange = TLS_KX_DHE},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
         .group = "brainpoolp256r1",
         .key = "ecdsa-brainpoolp256r1"},
        {.protocol = TLS_1_3, .suite = "TLS_AES_128_GCM_SHA256", .group = "secp256r1"},
        {.protocol = TLS_1_3,
         .suite = "TLS_AES_256_GCM_SHA384",
         .group = "x25519",
         .key = "rsa-2048"},
        {.protocol = TLS_1_3,
         .suite = "TLS_CHACHA20_POLY1305_SHA256",
         .group = "x25519",
         .key = "ed25519"},
        {.protocol = TLS_1_3,
         .suite = "TLS_AES_128_GCM_SHA256",
         .group = "secp384r1",
         .key = "ecdsa-p384"},
        {.protocol = DTLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
         .group = "secp256r1"},
        {.protocol = DTLS_1_2,
         .suite = "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8",
         .group = "secp256r1",
         .hello_verify = true},
    };
    play_pairs(scenes, COUNT_OF(scenes));
}

static void test_psk(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {.protocol = TLS_1_2, .suite = "TLS_PSK_WITH_AES_128_CCM_8", .key_exchange = TLS_KX_PSK},
        {.protocol = TLS_1_2,
         .suite = "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256",
         .key_exchange = TLS_KX_ECDHE_PSK},
        {.protocol = DTLS_1_2,
         .suite = "TLS_PSK_WITH_AES_128_CCM_8",
         .key_exchange = TLS_KX_PSK,
         .hello_verify = true},
    };
    play_pairs(scenes, COUNT_OF(scenes));
}

static void test_mutual_and_chains(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {.protocol = TLS_1_2, .mutual = true, .chain_length = 2},
        {.protocol = TLS_1_3, .mutual = true, .chain_length = 3, .key = "rsa-2048"},
        {.protocol = DTLS_1_2, .mutual = true, .chain_length = 2, .hello_verify = true},
    };
    play_pairs(scenes, COUNT_OF(scenes));
}

static void test_resumption(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {.protocol = TLS_1_2, .resumption = TLS_RESUME_TICKET},
        {.protocol = TLS_1_2, .resumption = TLS_RESUME_SESSION_ID},
        {.protocol = TLS_1_3, .resumption = TLS_RESUME_TICKET},
        {.protocol = DTLS_1_2, .resumption = TLS_RESUME_SESSION_ID, .hello_verify = true},
    };
    play_pairs(scenes, COUNT_OF(scenes));
}

static void test_small_datagrams(void **state)
{
    (void)state;
    static const struct scene scene = {.protocol = DTLS_1_2, .mtu_bytes = 512, .mutual = true};
    play_pairs(&scene, 1);
}

/* A client must not accept these, whichever library serves them. */
static void test_bad_certificates(void **state)
{
    (void)state;
    static const enum pki_flaw flaws[] = {PKI_EXPIRED, PKI_NOT_YET_VALID, PKI_WRONG_NAME,
                                          PKI_OTHER_ROOT};
    static const enum tls_protocol protocols[] = {TLS_1_2, TLS_1_3, DTLS_1_2};
    size_t libraries;
    const struct tls_library *const *list = tls_libraries(&libraries);
    for (size_t i = 0; i < libraries * COUNT_OF(flaws) * COUNT_OF(protocols); i++) {
        struct scene scene = {.flaw = flaws[i % COUNT_OF(flaws)],
                              .protocol = protocols[i / COUNT_OF(flaws) % COUNT_OF(protocols)]};
        const struct tls_library *library = list[i / COUNT_OF(flaws) / COUNT_OF(protocols)];
        struct pair pair = pair_new(library, library, &scene);
        if (refusal(&scene, library, library, &pair.pki) != NULL) {
            pki_free(&pair.pki);
            free(pair.pipe);
            continue;
        }
        pair_open(&pair, &scene);
        pair_connect(&pair, &scene);
        (void)pair_handshake(&pair);
        assert_int_equal(pair.sides[TLS_CLIENT].progress, TLS_FAILED);
        print_message("%s flaw %d: \"%s\"\n", library->name, (int)scene.flaw,
                      pair.sides[TLS_CLIENT].error.text);
        assert_true(strlen(pair.sides[TLS_CLIENT].error.text) > 0);
        pair_disconnect(&pair);
        pair_close(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_handshakes),   cmocka_unit_test(test_psk),
        cmocka_unit_test(test_mutual_and_chains), cmocka_unit_test(test_resumption),
        cmocka_unit_test(test_small_datagrams),   cmocka_unit_test(test_bad_certificates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
