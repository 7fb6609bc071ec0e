/* Early data of TLS 1.3 through the endpoint contract, OpenSSL with itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tls/endpoint.h"
#include "tls/pipe.h"
#include "tls/pki.h"

static const char request[] = "GET / HTTP/1.1\r\n\r\n";
static const char answer[] = "HTTP/1.1 204 No Content\r\n\r\n";

struct scene {
    const struct tls_library *library;
    struct pki_set pki;
    struct tls_context *contexts[2];
    struct tls_endpoint *endpoints[2];
    struct pipe pipe;
    struct error error;
};

static void open_scene(struct scene *scene, size_t client_bytes, size_t server_bytes)
{
    struct pki_request certificates = {"ecdsa-p256", 1};
    scene->library = tls_library_find("openssl");
    assert_true(pki_make(&certificates, PKI_SOUND, NULL, &scene->pki, &scene->error));
    for (int role = 0; role < 2; role++) {
        struct tls_settings settings = {
            .role = (enum tls_role)role,
            .protocol = TLS_1_3,
            .resumption = TLS_RESUME_TICKET,
            .early_data = {(const unsigned char *)request,
                           role == TLS_CLIENT ? client_bytes : server_bytes},
            .clock = clock_real(),
        };
        if (role == TLS_SERVER)
            settings.credentials = scene->pki.server;
        scene->contexts[role] = scene->library->context_open(&settings, &scene->error);
        assert_non_null(scene->contexts[role]);
    }
}

static void begin(struct scene *scene)
{
    pipe_init(&scene->pipe, false);
    for (int role = 0; role < 2; role++) {
        struct tls_io io = pipe_io(&scene->pipe, (enum tls_role)role);
        scene->endpoints[role] = scene->library->open(scene->contexts[role], &io, &scene->error);
        assert_non_null(scene->endpoints[role]);
    }
}

static void end(struct scene *scene)
{
    for (int role = 0; role < 2; role++)
        scene->library->close(scene->endpoints[role]);
}

static void close_scene(struct scene *scene)
{
    for (int role = 0; role < 2; role++)
        scene->library->context_close(scene->contexts[role]);
    pki_free(&scene->pki);
}

static enum tls_progress step(struct scene *scene, enum tls_role role)
{
    return scene->library->handshake(scene->endpoints[role], &scene->error);
}

/* A full handshake whose ticket the client keeps. */
static void take_ticket(struct scene *scene)
{
    char byte;
    size_t length;
    begin(scene);
    assert_int_equal(step(scene, TLS_CLIENT), TLS_WANT_READ);
    assert_int_equal(step(scene, TLS_SERVER), TLS_WANT_READ);
    assert_int_equal(step(scene, TLS_CLIENT), TLS_DONE);
    assert_int_equal(step(scene, TLS_SERVER), TLS_DONE);
    assert_int_equal(
        scene->library->read(scene->endpoints[TLS_CLIENT], &byte, 1, &length, &scene->error),
        TLS_WANT_READ);
    assert_true(scene->library->keep_session(scene->endpoints[TLS_CLIENT]));
    end(scene);
}

static void read_exactly(struct scene *scene, enum tls_role role, const char *expected)
{
    char text[256];
    size_t length;
    assert_int_equal(
        scene->library->read(scene->endpoints[role], text, sizeof text - 1, &length, &scene->error),
        TLS_DONE);
    text[length] = '\0';
    assert_string_equal(text, expected);
}

static bool accepted(struct scene *scene, enum tls_role role)
{
    struct tls_negotiated negotiated;
    scene->library->negotiated(scene->endpoints[role], &negotiated);
    assert_true(negotiated.resumed);
    return negotiated.early_data;
}

/* The request reaches the server in the client's first flight, and its answer the client in the
 * server's first: before the client's Finished has left. The same ticket serves again. */
static void a_request_is_answered_in_one_round_trip(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, strlen(request), 1024);
    take_ticket(&scene);
    for (int turn = 0; turn < 2; turn++) {
        size_t length;
        char byte;
        begin(&scene);
        assert_int_equal(step(&scene, TLS_CLIENT), TLS_WANT_READ);
        assert_int_equal(step(&scene, TLS_SERVER), TLS_EARLY);
        read_exactly(&scene, TLS_SERVER, request);
        assert_int_equal(
            scene.library->read(scene.endpoints[TLS_SERVER], &byte, 1, &length, &scene.error),
            TLS_WANT_READ);
        assert_int_equal(scene.library->write(scene.endpoints[TLS_SERVER], answer, strlen(answer),
                                              &length, &scene.error),
                         TLS_DONE);
        assert_int_equal(step(&scene, TLS_CLIENT), TLS_DONE);
        read_exactly(&scene, TLS_CLIENT, answer);
        assert_int_equal(step(&scene, TLS_SERVER), TLS_DONE);
        assert_true(accepted(&scene, TLS_CLIENT));
        assert_true(accepted(&scene, TLS_SERVER));
        end(&scene);
    }
    close_scene(&scene);
}

/* A server that takes none gives tickets that allow none: resumed, without early data. */
static void a_server_may_take_none(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, strlen(request), 0);
    take_ticket(&scene);
    begin(&scene);
    assert_int_equal(step(&scene, TLS_CLIENT), TLS_WANT_READ);
    assert_int_equal(step(&scene, TLS_SERVER), TLS_WANT_READ);
    assert_int_equal(step(&scene, TLS_CLIENT), TLS_DONE);
    assert_int_equal(step(&scene, TLS_SERVER), TLS_DONE);
    assert_false(accepted(&scene, TLS_CLIENT));
    assert_false(accepted(&scene, TLS_SERVER));
    end(&scene);
    close_scene(&scene);
}

static void where_there_is_none_a_reason_is_given(void **state)
{
    (void)state;
    size_t count;
    struct tls_settings settings = {.protocol = TLS_1_2,
                                    .resumption = TLS_RESUME_TICKET,
                                    .early_data = {(const unsigned char *)request, 1},
                                    .clock = clock_real()};
    const struct tls_library *const *list = tls_libraries(&count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(list[i]->supports(&settings));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered_in_one_round_trip),
        cmocka_unit_test(a_server_may_take_none),
        cmocka_unit_test(where_there_is_none_a_reason_is_given),
    };
    if (tls_library_find("openssl") == NULL || tls_library_find("openssl")->unavailable() != NULL)
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
