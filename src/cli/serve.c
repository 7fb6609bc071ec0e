#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/output.h"
#include "core/attributes.h"
#include "core/text.h"
#include "handshake/selection.h"
#include "handshake/server.h"
#include "http/parse.h"
#include "http/server.h"
#include "net/socket.h"

struct serve_options {
    uint64_t tls_port, dtls_port, http_port, https_port;
    const char *address;
    const char *library, *protocol, *suite, *group, *key, *key_exchange, *auth, *resumption;
    uint64_t chain;
    bool hello_verify, early_data, quiet;
    const char *certificate, *key_file, *ca;
    uint64_t most_connections, handshake_time_out_ns, idle_time_out_ns;
};

enum { FIGURES_BYTES = 8192 };

static volatile int serve_stop;

static void on_signal(int number)
{
    (void)number;
    serve_stop = 1;
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* What one port serves. */
struct port {
    bool plain; /* no TLS: there is no configuration */
    bool http;
    struct handshake_config config;
    struct handshake_peer peer;
    struct pki_set pki;
};

static struct handshake_names one(const char *const *name)
{
    return (struct handshake_names){name, *name == NULL ? 0 : 1};
}

/* The one configuration of a port. */
static bool configure(const struct serve_options *options, const char *protocol, struct port *port,
                      struct error *error)
{
    struct handshake_selection selection = {
        .libraries = one(&options->library),
        .protocols = one(&protocol),
        .suites = one(&options->suite),
        .groups = one(&options->group),
        .keys = one(&options->key),
        .key_exchanges = one(&options->key_exchange),
        .auths = one(&options->auth),
        .resumptions = one(&options->resumption),
        .chain_lengths = &options->chain,
        .chain_length_count = 1,
        .hello_verify = options->hello_verify,
        .early_data_bytes = options->early_data ? HANDSHAKE_MOST_EARLY_BYTES : 0,
    };
    struct handshake_configs configs;
    char refusal[256];
    if (!handshake_select(&selection, &configs, error))
        return false;
    port->config = configs.items[0];
    handshake_configs_free(&configs);
    if (handshake_refusal(&port->config, refusal) != NULL)
        return error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
    if (options->certificate == NULL && options->key_file == NULL)
        return handshake_pki(&port->config, &port->pki, error);
    port->peer = (struct handshake_peer){.files = &port->pki};
    port->config.peer = &port->peer;
    port->config.suite = options->suite == NULL ? NULL : port->config.suite;
    return pki_load(options->certificate, options->key_file, options->ca, &port->pki, error);
}

static void announce(const struct port *port, const struct net_address *address)
{
    char text[NET_TEXT_BYTES];
    char label[160] = "";
    char path[PKI_PATH_BYTES];
    struct pki_request request = {port->config.key, port->config.chain_length};
    net_format(address, text);
    if (!port->plain)
        handshake_label(&port->config, label);
    (void)fprintf(stderr, "tlsmeter serve: %s%s on %s\n",
                  !port->http   ? ""
                  : port->plain ? "http"
                                : "https, ",
                  label, text);
    if (!port->plain && port->config.peer == NULL && port->config.key != NULL &&
        pki_root_path(&request, path))
        (void)fprintf(stderr, "tlsmeter serve: clients trust it with --ca %s\n", path);
}

static bool open_port(const struct serve_options *options, struct server *server, uint64_t number,
                      const char *protocol, struct port *port, struct error *error)
{
    struct net_address address;
    if (!port->plain && !configure(options, protocol, port, error))
        return false;
    int fd = net_listen(options->address, (uint16_t)number,
                        !port->plain && tls_protocol_is_datagram(port->config.protocol), error);
    struct server_port served = {.config = port->plain ? NULL : &port->config,
                                 .pki = &port->pki,
                                 .application = port->http ? &http_server : NULL};
    if (fd < 0 || !net_local(fd, &address, error) || !server_add(server, fd, &served, error))
        return false;
    if (!options->quiet)
        announce(port, &address);
    return true;
}

enum { PORTS = 4 };

static bool open_ports(const struct serve_options *options, struct server *server,
                       struct port ports[PORTS], struct error *error)
{
    const struct {
        uint64_t number;
        const char *protocol; /* NULL: plain */
        bool http;
    } wanted[PORTS] = {{options->tls_port, options->protocol, false},
                       {options->dtls_port, tls_protocol_name(DTLS_1_2), false},
                       {options->http_port, NULL, true},
                       {options->https_port, options->protocol, true}};
    bool any = false;
    for (int i = 0; i < PORTS; i++) {
        if (wanted[i].number == 0)
            continue;
        any = true;
        ports[i].plain = wanted[i].protocol == NULL;
        ports[i].http = wanted[i].http;
        if (wanted[i].http && http_unavailable() != NULL)
            return error_set(error, ERROR_UNAVAILABLE, "%s", http_unavailable());
        if (!open_port(options, server, wanted[i].number, wanted[i].protocol, &ports[i], error))
            return false;
    }
    return any || error_set(error, ERROR_USAGE,
                            "one of --tls, --dtls, --http, --https with a PORT is needed");
}

static void print_figures(const struct server *server)
{
    struct server_stats stats;
    struct buffer text;
    buffer_init(&text, FIGURES_BYTES);
    server_figures(server, &stats);
    server_describe(&stats, &text);
    buffer_append_char(&text, '\n');
    output_buffer(&text);
    buffer_free(&text);
}

static int run(const void *settings, const char *const *operands, size_t operand_count)
{
    static struct server server; /* large */
    const struct serve_options *options = settings;
    struct server_settings server_settings = {
        .most_connections = options->most_connections,
        .handshake_time_out_ns = options->handshake_time_out_ns,
        .idle_time_out_ns = options->idle_time_out_ns,
        .stop = &serve_stop,
    };
    struct port ports[PORTS];
    struct error error;
    (void)operands;
    (void)operand_count;
    memset(ports, 0, sizeof ports);
    catch_signals();
    (void)net_allow_files(options->most_connections + 64);
    if (!server_open(&server, &server_settings, &error))
        return output_error("serve", error.text, EXIT_NOT_MEASURED);
    bool good = open_ports(options, &server, ports, &error) && server_run(&server, &error);
    if (good)
        print_figures(&server);
    server_close(&server);
    for (int i = 0; i < PORTS; i++)
        pki_free(&ports[i].pki);
    if (good)
        return EXIT_DONE;
    return output_error("serve", error.text,
                        error.code == ERROR_USAGE ? EXIT_WRONG_USE : EXIT_NOT_MEASURED);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): initialisers and a field's name */
#define TEXT(NAME, FIELD, ARGUMENT, OTHERWISE, HELP)                                               \
    {                                                                                              \
        .name = NAME, .kind = OPTION_TEXT, .offset = offsetof(struct serve_options, FIELD),        \
        .argument = ARGUMENT, .otherwise = OTHERWISE, .help = HELP                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct option options[] = {
    {.name = "tls",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, tls_port),
     .argument = "PORT",
     .help = "Serve TLS over TCP on this port.",
     .maximum = UINT16_MAX},
    {.name = "dtls",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, dtls_port),
     .argument = "PORT",
     .help = "Serve DTLS 1.2 over UDP on this port.",
     .maximum = UINT16_MAX},
    {.name = "http",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, http_port),
     .argument = "PORT",
     .help = "Serve HTTP/1.1 on this port: /bytes/N, /echo, /discard, /delay/MS.",
     .maximum = UINT16_MAX},
    {.name = "https",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, https_port),
     .argument = "PORT",
     .help = "The same over TLS.",
     .maximum = UINT16_MAX},
    TEXT("address", address, "HOST", NULL, "Listen on this address only; otherwise on all."),
    TEXT("library", library, "NAME", "openssl", "The TLS library: openssl, mbedtls, wolfssl."),
    TEXT("protocol", protocol, "NAME", "tls1.3",
         "The version of --tls and --https: tls1.2 or tls1.3."),
    TEXT("suite", suite, "NAME", NULL, "The one cipher suite, or cipher, as for handshake."),
    TEXT("group", group, "NAME", NULL, "The one key exchange group; otherwise secp256r1."),
    TEXT("key", key, "NAME", NULL, "The key of the test certificate; otherwise ecdsa-p256."),
    TEXT("kx", key_exchange, "NAME", NULL, "ecdhe, dhe, rsa, psk, ecdhe-psk; otherwise ecdhe."),
    TEXT("auth", auth, "NAME", "server", "server, or mutual: demand a client certificate."),
    TEXT("resumption", resumption, "NAME", "ticket",
         "none, ticket, session-id: what clients may resume by."),
    {.name = "chain",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, chain),
     .argument = "N",
     .help = "Certificates sent: 1 to 3.",
     .otherwise = "1",
     .minimum = 1,
     .maximum = 3},
    {.name = "hello-verify",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct serve_options, hello_verify),
     .help =
         "DTLS: without the cookie request (HelloVerifyRequest). A client's address is then not "
         "verified before the server answers at length.",
     .otherwise = "true"},
    {.name = "early-data",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct serve_options, early_data),
     .help =
         "Take early data (0-RTT) of clients that resume in TLS 1.3. It can be replayed: a ticket "
         "is taken more than once here."},
    TEXT("cert", certificate, "FILE.pem", NULL, "Your own certificate chain, with --key-file."),
    TEXT("key-file", key_file, "FILE.pem", NULL, "The key of --cert."),
    TEXT("ca", ca, "FILE.pem", NULL,
         "Roots of client certificates, with --cert and --auth mutual."),
    {.name = "max-connections",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct serve_options, most_connections),
     .argument = "N",
     .help = "So many connections at once; more must wait.",
     .otherwise = "4096",
     .minimum = 1,
     .maximum = 1000000},
    {.name = "handshake-time-out",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct serve_options, handshake_time_out_ns),
     .argument = "TIME",
     .help = "End a connection whose handshake takes longer.",
     .otherwise = "10s"},
    {.name = "idle-time-out",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct serve_options, idle_time_out_ns),
     .argument = "TIME",
     .help = "End a connection that says nothing for so long.",
     .otherwise = "60s"},
    OPTION_QUIET(struct serve_options, quiet),
};

static const char *const examples[] = {
    "tlsmeter serve --tls 4433 --dtls 4433",
    "Serve TLS 1.3 and DTLS 1.2; measure from another machine with tlsmeter handshake HOST:4433.",
    "tlsmeter serve --tls 4433 --protocol tls1.2 --key rsa-2048 --library mbedtls",
    "What an ECU with an RSA certificate and Mbed TLS would be.",
    NULL,
};

const struct command command_serve = {
    .name = "serve",
    .summary = "serve TLS and DTLS for measurements from elsewhere",
    .maximum_operands = 0,
    .description =
        "Serves handshakes until it is interrupted, then prints its figures as one line of JSON: "
        "connections, handshakes, resumed ones, CPU time, failures by class. Certificates come "
        "from the test PKI unless --cert and --key-file name your own. Limits on connections and "
        "time keep slow and hostile clients from harming it. One thread: one core.",
    .examples = examples,
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct serve_options),
    .run = run,
};
