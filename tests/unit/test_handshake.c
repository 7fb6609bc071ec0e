/* The handshake instrument over memory: what users select, what pairs do, what cells hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "handshake/bench.h"
#include "handshake/pair.h"
#include "handshake/selection.h"
#include "handshake/suite.h"
#include "measure/heap.h"
#include "measure/stack.h"

/* ---- suites ---- */

static void suites_are_found_by_every_spelling(void **state)
{
    (void)state;
    /* IANA; OpenSSL and wolfSSL; Mbed TLS. From each library's list of ciphers. */
    static const struct {
        const char *spelling, *iana;
    } names[] = {
        {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
        {"ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
        {"TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
        {"ECDHE-ECDSA-AES128-CCM8", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8"},
        {"ECDHE-ECDSA-AES128-CCM-8", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8"},
        {"ECDHE-RSA-CHACHA20-POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
        {"AES128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"},
        {"TLS-RSA-WITH-AES-128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"},
        {"TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"},
        {"TLS13-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"},
        {"tls13-chacha20-poly1305-sha256", "TLS_CHACHA20_POLY1305_SHA256"},
        {"PSK-AES128-CCM8", "TLS_PSK_WITH_AES_128_CCM_8"},
        {"ECDHE-ECDSA-AES128-SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct suite *suite = suite_find(names[i].spelling);
        assert_string_equal(suite == NULL ? names[i].spelling : suite->iana, names[i].iana);
    }
    assert_null(suite_find("TLS_NULL_WITH_NULL_NULL"));
    assert_null(suite_find(""));
    assert_string_equal(group_find("P-256"), "secp256r1");
    assert_string_equal(group_find("prime256v1"), "secp256r1");
    assert_string_equal(group_find("brainpoolP256r1"), "brainpoolp256r1");
    assert_null(group_find("P-255"));
}

/* ---- selection ---- */

#define NAMES(...)                                                                                 \
    {                                                                                              \
        (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) \
    }

static void lists_become_every_combination(void **state)
{
    (void)state;
    struct handshake_configs configs;
    struct error error;
    struct handshake_selection selection = {
        .libraries = NAMES("openssl", "wolfssl"),
        .protocols = NAMES("tls1.2", "tls1.3"),
        .keys = NAMES("ecdsa-p256", "rsa-2048"),
        .resumptions = NAMES("none", "ticket"),
    };
    assert_true(handshake_select(&selection, &configs, &error));
    assert_int_equal(configs.count, 2 * 2 * 2 * 2);
    assert_int_equal(configs.left_out, 0);
    /* Libraries stand side by side, each with itself; the suite follows protocol and key. */
    for (size_t i = 0; i < configs.count; i += 2) {
        const struct handshake_config *config = &configs.items[i];
        assert_string_equal(config[0].libraries[TLS_CLIENT]->name, "openssl");
        assert_string_equal(config[0].libraries[TLS_SERVER]->name, "openssl");
        assert_string_equal(config[1].libraries[TLS_CLIENT]->name, "wolfssl");
        assert_string_equal(config[0].suite, config[1].suite);
        const char *expected = config->protocol == TLS_1_3 ? "TLS_AES_128_GCM_SHA256"
                               : config->key[0] == 'r'     ? "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
                                                       : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
        assert_string_equal(config->suite, expected);
        assert_string_equal(config->group, "secp256r1");
        assert_true(config->named);
    }
    handshake_configs_free(&configs);
}

static void libraries_named_apart_meet_each_other(void **state)
{
    (void)state;
    struct handshake_configs configs;
    struct error error;
    struct handshake_selection selection = {.client_libraries = NAMES("openssl"),
                                            .server_libraries = NAMES("*"),
                                            .protocols = NAMES("dtls1.2"),
                                            .hello_verify = true};
    size_t libraries;
    (void)tls_libraries(&libraries);
    assert_true(handshake_select(&selection, &configs, &error));
    assert_int_equal(configs.count, libraries);
    for (size_t i = 0; i < configs.count; i++) {
        assert_string_equal(configs.items[i].libraries[TLS_CLIENT]->name, "openssl");
        assert_true(configs.items[i].hello_verify);
        assert_false(configs.items[i].named);
    }
    handshake_configs_free(&configs);
}

static void what_cannot_exist_is_left_out_or_refused(void **state)
{
    (void)state;
    struct handshake_configs configs;
    struct error error;
    struct handshake_selection selection = {
        .libraries = NAMES("openssl"),
        .protocols = NAMES("tls1.2", "tls1.3"),
        .suites = NAMES("TLS_AES_128_GCM_SHA256"),
    };
    assert_true(handshake_select(&selection, &configs, &error));
    assert_int_equal(configs.count, 1);
    assert_int_equal(configs.left_out, 1);
    assert_non_null(strstr(configs.left_out_reason, "this suite is for TLS 1.3 only"));
    handshake_configs_free(&configs);

    /* A cipher becomes the suite of each key exchange, though OpenSSL calls an RSA suite so. */
    struct handshake_selection ciphers = {.libraries = NAMES("openssl"),
                                          .protocols = NAMES("dtls1.2"),
                                          .suites = NAMES("aes-128-ccm-8"),
                                          .key_exchanges = NAMES("ecdhe", "psk", "rsa")};
    assert_true(handshake_select(&ciphers, &configs, &error));
    assert_int_equal(configs.count, 3);
    assert_string_equal(configs.items[0].suite, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8");
    assert_string_equal(configs.items[1].suite, "TLS_PSK_WITH_AES_128_CCM_8");
    assert_string_equal(configs.items[2].suite, "TLS_RSA_WITH_AES_128_CCM_8");
    assert_null(configs.items[1].key);
    handshake_configs_free(&configs);

    struct handshake_selection impossible = {.protocols = NAMES("tls1.3"),
                                             .key_exchanges = NAMES("rsa")};
    assert_false(handshake_select(&impossible, &configs, &error));
    assert_int_equal(error.code, ERROR_USAGE);
    assert_non_null(strstr(error.text, "TLS 1.3 has no such key exchange"));

    struct handshake_selection unknown = {.groups = NAMES("secp256r2")};
    assert_false(handshake_select(&unknown, &configs, &error));
    assert_non_null(strstr(error.text, "no group is called \"secp256r2\""));
    assert_non_null(strstr(error.text, "secp256r1"));
}

/* ---- pairs ---- */

static struct handshake_config config_of(const char *library, enum tls_protocol protocol)
{
    struct handshake_config config = {
        .libraries = {tls_library_find(library), tls_library_find(library)},
        .protocol = protocol,
        .suite = protocol == TLS_1_3 ? "TLS_AES_128_GCM_SHA256"
                                     : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        .group = "secp256r1",
        .key = "ecdsa-p256",
        .chain_length = 1,
        .hello_verify = protocol == DTLS_1_2,
    };
    return config;
}

static void open_observed(struct pair *pair, const struct handshake_config *config,
                          struct pair_view *view)
{
    struct error error;
    *view = (struct pair_view){.round_trips = 0};
    if (!pair_open(pair, config, false, &error) || !pair_observe(pair, view, &error))
        fail_msg("%s: %s", config->libraries[0]->name, error.text);
}

/* Round trips before the client may send: two in TLS 1.2 (RFC 5246 section 7.3), one resumed and in
 * TLS 1.3 (RFC 8446 section 2), one more for DTLS's cookie (RFC 6347 section 4.2.1). */
static void round_trips_are_those_of_the_protocol(void **state)
{
    (void)state;
    static const struct {
        enum tls_protocol protocol;
        enum tls_resumption resumption;
        unsigned round_trips;
    } cases[] = {{TLS_1_2, TLS_RESUME_NONE, 2},       {TLS_1_2, TLS_RESUME_TICKET, 1},
                 {TLS_1_2, TLS_RESUME_SESSION_ID, 1}, {TLS_1_3, TLS_RESUME_NONE, 1},
                 {TLS_1_3, TLS_RESUME_TICKET, 1},     {DTLS_1_2, TLS_RESUME_NONE, 3}};
    size_t libraries;
    size_t played = 0;
    const struct tls_library *const *list = tls_libraries(&libraries);
    for (size_t i = 0; i < COUNT_OF(cases) * libraries; i++) {
        struct handshake_config config =
            config_of(list[i % libraries]->name, cases[i / libraries].protocol);
        struct pair pair;
        struct pair_view view;
        char refusal[256];
        config.resumption = cases[i / libraries].resumption;
        if (handshake_refusal(&config, refusal) != NULL)
            continue;
        open_observed(&pair, &config, &view);
        assert_int_equal(view.round_trips, cases[i / libraries].round_trips);
        assert_int_equal(view.wire.unknown_bytes, 0);
        for (int role = 0; role < 2; role++) {
            assert_string_equal(view.negotiated[role].suite, config.suite);
            assert_int_equal(view.negotiated[role].resumed, config.resumption != TLS_RESUME_NONE);
        }
        pair_close(&pair);
        played++;
    }
    assert_true(played >= COUNT_OF(cases) || libraries == 0);
}

/* What is charged to the sides and turns adds up, and bytes are those that the observer counts. */
static void readings_add_up(void **state)
{
    (void)state;
    struct handshake_config config = config_of("openssl", TLS_1_3);
    struct pair pair;
    struct pair_view view;
    struct error error;
    if (config.libraries[0]->unavailable() != NULL)
        skip();
    config.key = "rsa-2048"; /* whose signatures have one length */
    open_observed(&pair, &config, &view);
    memset(pair.readings, 0, sizeof pair.readings);
    assert_true(pair_run(&pair, 3, &error));
    double turns = 0;
    for (unsigned i = 0; i < PAIR_MOST_TURNS; i++)
        turns += pair.readings[PAIR_TURN_CPU_NS + i];
    double sides = pair.readings[PAIR_CPU_NS] + pair.readings[PAIR_CPU_NS + 1];
    assert_true(sides > 0);
    assert_true(fabs(turns - sides) < 1e-9 * sides);
    assert_true(pair.readings[PAIR_TURN_CPU_NS + 4] == 0); /* client, server, twice */
    for (int role = 0; role < 2; role++)
        assert_true(pair.readings[PAIR_BYTES + role] ==
                    3 * (double)view.wire.directions[role].bytes);
    pair_close(&pair);
}

/* A chain of n has n certificates on the wire, mutual or not: about one certificate more for each
 * step, and none because a side trusts a root. */
static void chains_have_the_length_asked_for(void **state)
{
    (void)state;
    size_t libraries;
    const struct tls_library *const *list = tls_libraries(&libraries);
    for (size_t i = 0; i < libraries; i++) {
        uint64_t sent[2][4] = {{0}}; /* by the server: mutual, chain */
        for (unsigned j = 0; j < 6; j++) {
            struct handshake_config config = config_of(list[i]->name, TLS_1_2);
            struct pair pair;
            struct pair_view view;
            config.mutual = j >= 3;
            config.chain_length = j % 3 + 1;
            if (list[i]->unavailable() != NULL)
                continue;
            open_observed(&pair, &config, &view);
            sent[config.mutual][config.chain_length] = view.wire.directions[TLS_SERVER].bytes;
            pair_close(&pair);
        }
        for (int mutual = 0; mutual < 2 && list[i]->unavailable() == NULL; mutual++)
            for (unsigned chain = 2; chain <= 3; chain++) {
                uint64_t step = sent[mutual][chain] - sent[mutual][chain - 1];
                assert_in_range(step, 300, 500); /* a P-256 certificate of the test PKI */
            }
        if (list[i]->unavailable() == NULL) /* the request for a certificate, no certificate */
            assert_in_range(sent[1][1] - sent[0][1], 1, 150);
    }
}

static void a_wrong_group_is_a_failure(void **state)
{
    (void)state;
    struct handshake_config config = config_of("openssl", TLS_1_3);
    struct error error;
    struct tls_negotiated negotiated = {.protocol = TLS_1_3,
                                        .suite = "TLS_AES_128_GCM_SHA256",
                                        .group = "x25519",
                                        .signature = "",
                                        .alpn = ""};
    assert_false(handshake_check(&config, &negotiated, &error));
    assert_non_null(strstr(error.text, "asked for group secp256r1, negotiated x25519"));
    negotiated.group = "secp256r1";
    assert_true(handshake_check(&config, &negotiated, &error));
    config.resumption = TLS_RESUME_TICKET;
    assert_false(handshake_check(&config, &negotiated, &error));
    assert_non_null(strstr(error.text, "was not resumed"));
    negotiated.resumed = true;
    assert_true(handshake_check(&config, &negotiated, &error));
    config.resumption = TLS_RESUME_NONE;
    assert_false(handshake_check(&config, &negotiated, &error));
    negotiated.resumed = false;
    negotiated.suite = "TLS_AES_256_GCM_SHA384";
    assert_false(handshake_check(&config, &negotiated, &error));
    negotiated.protocol = TLS_1_2;
    assert_false(handshake_check(&config, &negotiated, &error));
}

/* ---- cells ---- */

struct taken {
    unsigned cells[2];
    unsigned ok;
    bool wanted;
    char reason[ERROR_TEXT_BYTES];
    double heap_peak, heap_idle, stack_peak, bytes_sent[2], bytes_received[2];
};

static double median(const struct cell *cell, const char *name)
{
    const struct metric *metric = cell_find_metric(cell, name);
    return metric == NULL ? NAN : metric->median;
}

static bool take(void *context, const struct cell *cell, const struct handshake_config *config,
                 struct error *error)
{
    struct taken *taken = context;
    (void)config;
    (void)error;
    int side = strcmp(cell->side, "server") == 0;
    taken->cells[side]++;
    taken->ok += cell->status == CELL_OK;
    if (cell->status != CELL_OK) {
        (void)snprintf(taken->reason, sizeof taken->reason, "%s", cell->reason.text);
        return true;
    }
    assert_true(median(cell, "cpu_ns") > 0);
    assert_true(median(cell, "compute_ns") > 0);
    assert_true(median(cell, "wall_ns") > median(cell, "compute_ns"));
    taken->bytes_sent[side] = median(cell, "bytes_sent");
    taken->bytes_received[side] = median(cell, "bytes_received");
    taken->heap_peak = median(cell, "heap_peak_bytes");
    taken->heap_idle = median(cell, "heap_idle_bytes");
    taken->stack_peak = median(cell, "stack_peak_bytes");
    return true;
}

static bool wanted(void *context, const struct cell *cell)
{
    const struct taken *taken = context;
    (void)cell;
    return taken->wanted;
}

static struct taken measure(const struct handshake_config *config, bool is_wanted)
{
    struct taken taken = {.wanted = is_wanted};
    struct handshake_bench_settings settings = {
        .sampler = sampler_defaults(), .run_id = "r", .pinned_cpu = -1};
    struct handshake_bench_events events = {&taken, wanted, take, NULL};
    struct error error;
    settings.sampler.max_time_ns = settings.sampler.min_time_ns = 20000000;
    if (!handshake_bench_run(config, 1, &settings, &events, &error))
        fail_msg("%s", error.text);
    return taken;
}

static void each_side_has_a_cell(void **state)
{
    (void)state;
    size_t libraries;
    const struct tls_library *const *list = tls_libraries(&libraries);
    for (size_t i = 0; i < libraries; i++) {
        struct handshake_config config = config_of(list[i]->name, TLS_1_2);
        if (list[i]->unavailable() != NULL)
            continue;
        struct taken taken = measure(&config, true);
        assert_int_equal(taken.cells[0], 1);
        assert_int_equal(taken.cells[1], 1);
        assert_int_equal(taken.ok, 2);
        assert_true(taken.bytes_sent[0] == taken.bytes_received[1]);
        assert_true(taken.bytes_sent[1] == taken.bytes_received[0]);
        if (heap_unavailable() == NULL) {
            /* A record buffer of 16 KiB is the least that each of them holds (RFC 5246). */
            assert_true(taken.heap_peak >= 16 * 1024);
            assert_true(taken.heap_idle > 0 && taken.heap_idle <= taken.heap_peak);
        }
        if (stack_unavailable() == NULL)
            assert_true(taken.stack_peak > 1024 && taken.stack_peak < 512 * 1024);
    }
}

static void what_is_there_is_not_measured_again(void **state)
{
    (void)state;
    struct handshake_config config = config_of("openssl", TLS_1_3);
    struct taken taken = measure(&config, false);
    assert_int_equal(taken.cells[0] + taken.cells[1], 0);
}

static void what_a_library_lacks_is_unavailable(void **state)
{
    (void)state;
    struct handshake_config config = config_of("openssl", DTLS_1_3);
    struct taken taken = measure(&config, true);
    assert_int_equal(taken.cells[0] + taken.cells[1], 2);
    assert_int_equal(taken.ok, 0);
    assert_true(taken.reason[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_are_found_by_every_spelling),
        cmocka_unit_test(lists_become_every_combination),
        cmocka_unit_test(libraries_named_apart_meet_each_other),
        cmocka_unit_test(what_cannot_exist_is_left_out_or_refused),
        cmocka_unit_test(round_trips_are_those_of_the_protocol),
        cmocka_unit_test(readings_add_up),
        cmocka_unit_test(chains_have_the_length_asked_for),
        cmocka_unit_test(a_wrong_group_is_a_failure),
        cmocka_unit_test(each_side_has_a_cell),
        cmocka_unit_test(what_is_there_is_not_measured_again),
        cmocka_unit_test(what_a_library_lacks_is_unavailable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
