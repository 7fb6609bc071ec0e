/*
 * The peer of bench_handshake.py: handshakes over memory with OpenSSL's API alone, as its manual
 * shows it, with the reuse of contexts that tlsmeter has. Prints nanoseconds per handshake, a line
 * a batch.
 *
 * Usage: bare_handshake PROTOCOL CERTIFICATE KEY ROOT SECONDS
 */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 20 };

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void need(int good, const char *what)
{
    if (good)
        return;
    (void)fprintf(stderr, "bare_handshake: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static SSL_CTX *context(int version)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    need(ctx != NULL && SSL_CTX_set_min_proto_version(ctx, version) &&
             SSL_CTX_set_max_proto_version(ctx, version) && SSL_CTX_set1_groups_list(ctx, "P-256"),
         "context");
    need(version == TLS1_3_VERSION ? SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256")
                                   : SSL_CTX_set_cipher_list(ctx, "ECDHE-ECDSA-AES128-GCM-SHA256"),
         "suite");
    (void)SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET);
    (void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_num_tickets(ctx, 0);
    return ctx;
}

/* What one side wrote becomes what the other reads. */
static void pass(BIO *from, BIO *to)
{
    char bytes[16384];
    int length;
    while ((length = BIO_read(from, bytes, sizeof bytes)) > 0)
        need(BIO_write(to, bytes, length) == length, "BIO_write");
}

static void handshake(SSL_CTX *client_ctx, SSL_CTX *server_ctx)
{
    SSL *client = SSL_new(client_ctx), *server = SSL_new(server_ctx);
    BIO *client_in = BIO_new(BIO_s_mem()), *client_out = BIO_new(BIO_s_mem());
    BIO *server_in = BIO_new(BIO_s_mem()), *server_out = BIO_new(BIO_s_mem());
    need(client != NULL && server != NULL && server_out != NULL, "SSL_new");
    SSL_set_bio(client, client_in, client_out);
    SSL_set_bio(server, server_in, server_out);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    need(SSL_set_tlsext_host_name(client, "localhost") && SSL_set1_host(client, "localhost"),
         "name");
    for (int i = 0; i < 10 && !(SSL_is_init_finished(client) && SSL_is_init_finished(server));
         i++) {
        int done = SSL_do_handshake(client);
        need(done == 1 || SSL_get_error(client, done) == SSL_ERROR_WANT_READ, "client");
        pass(client_out, server_in);
        done = SSL_do_handshake(server);
        need(done == 1 || SSL_get_error(server, done) == SSL_ERROR_WANT_READ, "server");
        pass(server_out, client_in);
    }
    need(SSL_is_init_finished(client) && SSL_is_init_finished(server), "unfinished");
    SSL_free(client);
    SSL_free(server);
}

int main(int argc, char **argv)
{
    need(argc == 6, "five arguments");
    int version = strcmp(argv[1], "tls1.3") == 0 ? TLS1_3_VERSION : TLS1_2_VERSION;
    double seconds = strtod(argv[5], NULL), start_ns = now_ns();
    SSL_CTX *client = context(version), *server = context(version);
    need(SSL_CTX_use_certificate_chain_file(server, argv[2]) == 1 &&
             SSL_CTX_use_PrivateKey_file(server, argv[3], SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_load_verify_locations(client, argv[4], NULL) == 1,
         "certificates");
    SSL_CTX_set_verify(client, SSL_VERIFY_PEER, NULL);
    for (int i = 0; i < 3 * BATCH; i++)
        handshake(client, server);
    while (now_ns() - start_ns < seconds * 1e9) {
        double batch_ns = now_ns();
        for (int i = 0; i < BATCH; i++)
            handshake(client, server);
        (void)printf("%.0f\n", (now_ns() - batch_ns) / BATCH);
    }
    SSL_CTX_free(client);
    SSL_CTX_free(server);
    return 0;
}
