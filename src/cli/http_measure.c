#include "cli/http_measure.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/network.h"
#include "cli/sampling.h"
#include "core/text.h"
#include "http/bench.h"
#include "http/client.h"
#include "http/content.h"
#include "http/load_bench.h"
#include "sim/emulation.h"

enum { MOST_REQUESTS = 10000, MOST_REDIRECTS = 10, OPEN_LOOP_CONNECTIONS = 200 };

struct measuring {
    struct session *session;
    const struct http_options *options;
    struct handshake_configs tls;
    struct http_config *configs;
    size_t count;
    size_t *group_sizes;
    size_t group_count;
    struct http_bench_settings bench;
    struct http_url url;
    struct handshake_peer peer;
    struct pki_set files;
    struct net_namespaces namespaces; /* where a link is emulated */
    struct emulation emulation;
};

/* ---- what is measured ---- */

static bool is_listed(const struct text_list *list, const char *name, bool otherwise)
{
    if (list->count == 0)
        return otherwise;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return true;
    return false;
}

static struct http_config *add(struct measuring *measuring, const struct http_config *journey,
                               const struct handshake_config *tls)
{
    struct http_config *config = &measuring->configs[measuring->count++];
    *config = *journey;
    config->tls = tls;
    return config;
}

/* Plain HTTP and each TLS, in groups that are measured in turn. A kept connection has its handshake
 * behind it: how that was resumed makes no difference. */
static void add_journey(struct measuring *measuring, const struct http_config *journey)
{
    bool own = measuring->options->url == NULL;
    size_t in_group = 0;
    size_t *size = &measuring->group_sizes[measuring->group_count++];
    if (own ? measuring->options->plain : !measuring->url.tls) {
        (void)add(measuring, journey, NULL);
        in_group++;
    }
    for (size_t i = 0; i < measuring->tls.count && (own || measuring->url.tls); i++) {
        const struct handshake_config *tls = &measuring->tls.items[i];
        if (journey->kept && tls->resumption != TLS_RESUME_NONE)
            continue;
        if (in_group == HTTP_GROUP_MAXIMUM) {
            *size = in_group;
            size = &measuring->group_sizes[measuring->group_count++];
            in_group = 0;
        }
        (void)add(measuring, journey, tls);
        in_group++;
    }
    *size = in_group;
}

static void add_connections(struct measuring *measuring, struct http_config journey)
{
    static const uint64_t one = 1;
    const struct http_options *options = measuring->options;
    const uint64_t *requests = options->requests.count > 0 ? options->requests.items : &one;
    size_t count = options->requests.count > 0 ? options->requests.count : 1;
    if (is_listed(&options->connections, "new", true))
        for (size_t i = 0; i < count; i++) {
            journey.requests = (unsigned)requests[i];
            add_journey(measuring, &journey);
        }
    if (is_listed(&options->connections, "kept", true)) {
        journey.kept = true;
        journey.requests = 1;
        add_journey(measuring, &journey);
    }
}

static void add_payloads(struct measuring *measuring, struct http_config journey)
{
    static const uint64_t kibibyte = 1024;
    const struct size_list *payloads = &measuring->options->payloads;
    const uint64_t *items = payloads->count > 0 ? payloads->items : &kibibyte;
    size_t count = payloads->count > 0 ? payloads->count : 1;
    for (size_t i = 0; i < count; i++) {
        journey.payload_bytes = items[i];
        add_connections(measuring, journey);
    }
}

static bool make_configs(struct measuring *measuring, struct error *error)
{
    const struct http_options *options = measuring->options;
    size_t journeys = 2 * (options->payloads.count + 1) * (options->requests.count + 2);
    size_t most = journeys * (measuring->tls.count + 1);
    measuring->configs = calloc(most, sizeof *measuring->configs);
    measuring->group_sizes = calloc(most, sizeof *measuring->group_sizes);
    if (measuring->configs == NULL || measuring->group_sizes == NULL)
        return error_set(error, ERROR_MEMORY, "no memory to measure");
    struct http_config journey = {.requests = 1};
    if (options->url != NULL) {
        journey.url = &measuring->url;
        add_connections(measuring, journey);
        return true;
    }
    if (is_listed(&options->directions, "download", true))
        add_payloads(measuring, journey);
    journey.upload = true;
    if (is_listed(&options->directions, "upload", false))
        add_payloads(measuring, journey);
    return true;
}

static bool select_tls(const struct http_options *options, struct handshake_configs *configs,
                       struct error *error)
{
    static const char *const openssl = "openssl";
    struct handshake_selection selection;
    if (!tls_options_selection(&options->tls, &selection, error))
        return false;
    if (selection.libraries.count + selection.client_libraries.count +
            selection.server_libraries.count ==
        0)
        selection.libraries = (struct handshake_names){&openssl, 1};
    if (!handshake_select(&selection, configs, error))
        return false;
    for (size_t i = 0; i < configs->count; i++)
        if (tls_protocol_is_datagram(configs->items[i].protocol)) {
            handshake_configs_free(configs);
            return error_set(error, ERROR_USAGE, "HTTP runs over TLS, not over DTLS");
        }
    return true;
}

static bool check_numbers(const struct http_options *options, struct error *error)
{
    for (size_t i = 0; i < options->requests.count; i++)
        if (options->requests.items[i] < 1 || options->requests.items[i] > MOST_REQUESTS)
            return error_set(error, ERROR_USAGE, "--requests: 1 to %d on a connection",
                             MOST_REQUESTS);
    for (size_t i = 0; i < options->payloads.count; i++)
        if (options->payloads.items[i] > HTTP_CONTENT_MOST)
            return error_set(error, ERROR_USAGE, "--payload: at most 1 GiB");
    return true;
}

/* Where to: a URL, or our own server, perhaps over a link. */
static bool check_target(const struct http_options *options, struct error *error)
{
    struct http_url url;
    struct link_settings link;
    if (options->url == NULL)
        return options->link == NULL || network_read(options->link, &link, error);
    if (options->payloads.given || options->directions.given)
        return error_set(error, ERROR_USAGE,
                         "--payload and --direction are of our own server, not of a URL");
    if (options->link != NULL)
        return error_set(error, ERROR_USAGE, "--link is between our own client and server");
    return http_url_parse(options->url, &url, error);
}

bool http_check_options(const struct http_options *options, struct error *error)
{
    struct handshake_configs configs;
    if (!check_numbers(options, error) || !check_target(options, error) ||
        !cpus_check(&options->cpus, error) || !select_tls(options, &configs, error))
        return false;
    handshake_configs_free(&configs);
    return true;
}

/* ---- a URL ---- */

static bool resolve(struct measuring *measuring, struct error *error)
{
    const struct http_url *url = &measuring->url;
    uint64_t start_ns = clock_wall_ns(clock_real());
    bool good = net_resolve(url->host, url->port, false, &measuring->bench.address, error);
    measuring->bench.resolve_ns = (double)(clock_wall_ns(clock_real()) - start_ns);
    return good;
}

/* One fetch, for where it leads to. */
static bool probe(struct measuring *measuring, char location[HTTP_TARGET_BYTES],
                  struct error *error)
{
    struct http_client client;
    struct handshake_config tls = measuring->tls.items[0];
    tls.resumption = TLS_RESUME_NONE;
    tls.early_data_bytes = 0;
    struct tls_settings settings = handshake_settings(&tls, TLS_CLIENT, &measuring->files);
    struct attempt_setting attempt = {.config = measuring->url.tls ? &tls : NULL,
                                      .address = measuring->bench.address,
                                      .time_out_ns = measuring->options->time_out_ns};
    char head[HTTP_TARGET_BYTES + 512];
    int length = snprintf(head, sizeof head,
                          "HEAD %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: tlsmeter\r\n"
                          "Connection: close\r\n\r\n",
                          measuring->url.target, measuring->url.authority);
    struct http_request request = {.head = head, .head_length = (size_t)length, .is_head = true};
    const struct tls_library *library = tls.libraries[TLS_CLIENT];
    if (attempt.config != NULL &&
        (attempt.context = library->context_open(&settings, error)) == NULL)
        return false;
    bool good = http_client_open(&client, error);
    if (good) {
        good = http_client_connect(&client, &attempt, error) &&
               http_client_fetch(&client, &request, error);
        bool leads = client.exchange.status >= 300 && client.exchange.status < 400;
        (void)snprintf(location, HTTP_TARGET_BYTES, "%s",
                       good && leads ? client.exchange.location : "");
        http_client_close(&client);
    }
    if (attempt.context != NULL)
        library->context_close(attempt.context);
    return good;
}

/* A Location is a URL, or a path on the same server. */
static bool go_to(struct measuring *measuring, const char *location, struct error *error)
{
    struct http_url *url = &measuring->url;
    char text[HTTP_TARGET_BYTES + NET_HOST_BYTES + 32];
    if (location[0] == '/' && location[1] != '/')
        (void)snprintf(text, sizeof text, "%s://%s%s", url->tls ? "https" : "http", url->authority,
                       location);
    else
        (void)snprintf(text, sizeof text, "%s%s",
                       location[0] == '/' ? (url->tls ? "https:" : "http:") : "", location);
    session_say(measuring->session, "redirected to %s", text);
    return (http_url_parse(text, url, error) && resolve(measuring, error)) ||
           error_prefix(error, "the redirect");
}

static bool find_server(struct measuring *measuring, struct error *error)
{
    const struct http_options *options = measuring->options;
    char location[HTTP_TARGET_BYTES] = "";
    if (!http_url_parse(options->url, &measuring->url, error) ||
        !pki_load(options->peer.certificate, options->peer.key_file, options->peer.ca,
                  &measuring->files, error) ||
        !resolve(measuring, error))
        return false;
    measuring->peer = (struct handshake_peer){.host = measuring->url.host,
                                              .address = measuring->url.authority,
                                              .verify = options->peer.verify,
                                              .files = &measuring->files};
    tls_options_towards(&options->tls, &measuring->peer, options->peer.certificate != NULL,
                        &measuring->tls);
    for (int i = 0; options->follow; i++) {
        if (!probe(measuring, location, error))
            return false;
        if (location[0] == '\0')
            return true;
        if (i == MOST_REDIRECTS)
            return error_set(error, ERROR_PEER, "more than %d redirects", MOST_REDIRECTS);
        if (!go_to(measuring, location, error))
            return false;
    }
    return true;
}

/* ---- measuring ---- */

static bool wanted(void *context, const struct cell *cell)
{
    const struct measuring *measuring = context;
    return session_wants(measuring->session, cell);
}

static bool take(void *context, const struct cell *cell, const struct http_config *config,
                 struct error *error)
{
    const struct measuring *measuring = context;
    bool named = config->tls != NULL && config->tls->named && !measuring->options->planned;
    return session_take(measuring->session, cell, named, error);
}

static void progress(void *context, const char *label, size_t done, size_t total)
{
    const struct measuring *measuring = context;
    session_progress(measuring->session, label, done, total);
}

static bool run_on(void *context, int cpu, struct error *error)
{
    struct measuring *measuring = context;
    struct http_bench_events events = {measuring, wanted, take, progress};
    const struct http_options *options = measuring->options;
    measuring->bench.pinned_cpu = cpu;
    if (options->load_connections > 0 || options->rate_per_s > 0) {
        struct http_load_bench_settings load = {
            .connections = options->load_connections > 0 ? (unsigned)options->load_connections
                                                         : OPEN_LOOP_CONNECTIONS,
            .rate_per_s = (double)options->rate_per_s,
            .duration_ns = options->duration_ns,
            .bench = measuring->bench};
        return http_load_bench_run(measuring->configs, measuring->count, &load, &events, error);
    }
    return http_bench_run(measuring->configs, measuring->group_sizes, measuring->group_count,
                          &measuring->bench, &events, error);
}

static bool emulate(struct measuring *measuring, struct error *error)
{
    const struct http_options *options = measuring->options;
    struct link_settings settings;
    if (options->link == NULL)
        return true;
    if (!network_read(options->link, &settings, error))
        return false;
    unsigned mtu_bytes = settings.frame_payload_bytes > LINK_SMALLEST_MTU_BYTES
                             ? settings.frame_payload_bytes
                             : LINK_SMALLEST_MTU_BYTES;
    measuring->bench.namespaces = &measuring->namespaces;
    measuring->bench.link = options->link;
    return net_namespaces_open(&measuring->namespaces, mtu_bytes, error) &&
           emulation_start(&measuring->emulation, measuring->namespaces.tunnels, &settings,
                           options->seed, error);
}

static bool prepare(struct measuring *measuring, struct error *error)
{
    const struct http_options *options = measuring->options;
    struct sampling sampling = {options->target, options->max_time_ns, options->seed,
                                options->quick};
    uint64_t server_cpu = 0;
    if (options->server_cpu != NULL &&
        !text_parse_u64(options->server_cpu, 0, INT_MAX, &server_cpu, error))
        return error_prefix(error, "--server-cpu");
    measuring->bench = (struct http_bench_settings){
        .sampler = sampling_settings(&sampling),
        .time_out_ns = options->time_out_ns,
        .resolve_ns = NAN,
        .run_id = measuring->session->run.id,
        .server_cpu = options->server_cpu == NULL ? -1 : (int)server_cpu};
    return (options->url == NULL || find_server(measuring, error)) && emulate(measuring, error);
}

bool http_measure(struct session *session, const struct http_options *options, struct error *error)
{
    struct measuring measuring = {
        .session = session, .options = options, .namespaces = {-1, {-1, -1}, {-1, -1}}};
    if (!select_tls(options, &measuring.tls, error))
        return false;
    if (measuring.tls.left_out > 0 && !options->planned)
        session_say(session, "%zu combinations cannot exist and are left out; the first: %s",
                    measuring.tls.left_out, measuring.tls.left_out_reason);
    bool good = prepare(&measuring, error) && make_configs(&measuring, error) &&
                cpus_each(&options->cpus, &session->machine, run_on, &measuring, error);
    emulation_stop(&measuring.emulation);
    net_namespaces_close(&measuring.namespaces);
    free(measuring.configs);
    free(measuring.group_sizes);
    handshake_configs_free(&measuring.tls);
    pki_free(&measuring.files);
    return good;
}
