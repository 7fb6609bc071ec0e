/* Handshakes under load against a server process of our own: counts, classes, lateness. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "handshake/load.h"
#include "handshake/server_process.h"

enum { MS = 1000000 };

struct scene {
    struct handshake_config config;
    struct pki_set pki;
    struct server_process process;
    struct tls_settings settings;
    struct attempt_setting attempts;
    struct error error;
};

static void open_scene(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    const struct tls_library *library = tls_library_find("openssl");
    scene->config = (struct handshake_config){.libraries = {library, library},
                                              .protocol = TLS_1_3,
                                              .key = "ecdsa-p256",
                                              .group = "secp256r1",
                                              .chain_length = 1};
    assert_true(handshake_pki(&scene->config, &scene->pki, &scene->error));
    struct server_port port = {.config = &scene->config, .pki = &scene->pki};
    assert_true(server_process_start(&scene->process, &port, 1, NULL, -1, &scene->error));
    scene->settings = handshake_settings(&scene->config, TLS_CLIENT, &scene->pki);
    scene->attempts = (struct attempt_setting){
        .config = &scene->config,
        .context = library->context_open(&scene->settings, &scene->error),
        .address = scene->process.addresses[0],
        .time_out_ns = 10000 * (uint64_t)MS,
    };
    assert_non_null(scene->attempts.context);
}

static void close_scene(struct scene *scene)
{
    scene->config.libraries[TLS_CLIENT]->context_close(scene->attempts.context);
    (void)server_process_stop(&scene->process, NULL);
    pki_free(&scene->pki);
}

static void a_closed_loop_keeps_so_many_under_way(void **state)
{
    (void)state;
    struct scene scene;
    struct load_result result;
    open_scene(&scene);
    struct load_settings settings = {
        .attempts = &scene.attempts, .connections = 4, .duration_ns = 60 * MS};
    assert_true(load_run(&settings, &result, &scene.error));
    assert_int_equal(result.most_in_flight, 4);
    assert_true(result.handshakes > 4);
    assert_int_equal(result.started, result.handshakes);
    assert_int_equal(result.latency_ns.count, result.handshakes);
    assert_int_equal(result.failures.total, 0);
    for (size_t i = 0; i < result.latency_ns.count; i++)
        assert_true(result.latency_ns.items[i] >= result.handshake_ns.items[i]);
    load_free(&result);
    close_scene(&scene);
}

/* The server stands still for 200 of 300 ms: an open loop's attempts are due all the same, so that
 * about two thirds of the latencies show the stall; a loop that waits would show it once. */
static void a_stall_is_in_the_latencies_of_all_that_were_due(void **state)
{
    (void)state;
    struct scene scene;
    struct load_result result;
    open_scene(&scene);
    pid_t waker = fork();
    assert_true(waker >= 0);
    if (waker == 0) {
        (void)kill(scene.process.pid, SIGSTOP);
        (void)usleep(200 * 1000);
        (void)kill(scene.process.pid, SIGCONT);
        _exit(0);
    }
    struct load_settings settings = {.attempts = &scene.attempts,
                                     .connections = 2,
                                     .rate_per_s = 100,
                                     .duration_ns = 300 * (uint64_t)MS};
    assert_true(load_run(&settings, &result, &scene.error));
    assert_int_equal(result.failures.total, 0);
    assert_in_range(result.handshakes, 28, 31);
    unsigned stalled = 0;
    for (size_t i = 0; i < result.latency_ns.count; i++)
        stalled += result.latency_ns.items[i] > 20 * MS;
    assert_true(stalled >= 10);
    assert_true(result.late >= 10);
    load_free(&result);
    close_scene(&scene);
}

static void failures_are_counted_and_enter_no_figure(void **state)
{
    (void)state;
    struct scene scene;
    struct load_result result;
    open_scene(&scene);
    (void)server_process_stop(&scene.process, NULL);
    struct load_settings settings = {
        .attempts = &scene.attempts, .connections = 2, .duration_ns = 20 * MS};
    assert_true(load_run(&settings, &result, &scene.error));
    assert_int_equal(result.handshakes, 0);
    assert_int_equal(result.latency_ns.count, 0);
    assert_int_equal(result.failures.class_count, 1);
    assert_string_equal(result.failures.classes[0].name, "refused");
    assert_int_equal(result.failures.total, result.failures.classes[0].count);
    assert_int_equal(result.failures.classes[0].first.origin_code, ECONNREFUSED);
    load_free(&result);
    scene.config.libraries[TLS_CLIENT]->context_close(scene.attempts.context);
    pki_free(&scene.pki);
}

static void classes_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        struct error error;
        const char *name;
    } cases[] = {
        {{ERROR_TIMEOUT, ORIGIN_TLSMETER, 0, "x"}, "timed out"},
        {{ERROR_SYSTEM, ORIGIN_KERNEL, EADDRNOTAVAIL, "x"}, "ports exhausted"},
        {{ERROR_SYSTEM, ORIGIN_KERNEL, EMFILE, "x"}, "files exhausted"},
        {{ERROR_PEER, ORIGIN_PEER, 40, "x"}, "alert handshake_failure"},
        {{ERROR_PEER, ORIGIN_PEER, 250, "x"}, "alert 250"},
        {{ERROR_LIBRARY, ORIGIN_OPENSSL, 10, "the peer's certificate is refused: x"},
         "verification"},
        {{ERROR_PEER, ORIGIN_TLSMETER, 0, "the peer closed the connection"}, "closed"},
        {{ERROR_LIBRARY, ORIGIN_WOLFSSL, -1, "TLS failed"}, "protocol"},
    };
    char name[FAILURE_NAME_BYTES];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        failure_name(&cases[i].error, name);
        assert_string_equal(name, cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_loop_keeps_so_many_under_way),
        cmocka_unit_test(a_stall_is_in_the_latencies_of_all_that_were_due),
        cmocka_unit_test(failures_are_counted_and_enter_no_figure),
        cmocka_unit_test(classes_say_what_to_do),
    };
    if (tls_library_find("openssl") == NULL || tls_library_find("openssl")->unavailable() != NULL)
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
