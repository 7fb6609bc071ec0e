#include "handshake/config.h"

#include <stdio.h>
#include <string.h>

/* Not secret: measured with, and in the documentation. */
static const unsigned char test_psk[16] = "tlsmeter-test-k";
static const char test_psk_identity[] = "tlsmeter";

/* The user's own files: for a server its identity, for a client the roots and, if given, its own.
 */
static void apply_peer(const struct handshake_config *config, enum tls_role role,
                       struct tls_settings *settings)
{
    const struct handshake_peer *peer = config->peer;
    const struct pki_set *files = peer->files;
    settings->verify_peer = role == TLS_CLIENT ? peer->verify : config->mutual;
    settings->server_name = role == TLS_CLIENT ? peer->host : NULL;
    if (files == NULL)
        return;
    settings->ca = files->root;
    settings->credentials = files->server;
}

static const unsigned char early_zeros[HANDSHAKE_MOST_EARLY_BYTES];

struct tls_settings handshake_settings(const struct handshake_config *config, enum tls_role role,
                                       const struct pki_set *pki)
{
    struct tls_settings settings = {
        .role = role,
        .protocol = config->protocol,
        .suite = config->suite,
        .group = config->group,
        .key_exchange = config->key_exchange,
        .key = config->key,
        .resumption = config->resumption,
        .hello_verify = config->hello_verify,
        .max_fragment_length = config->max_fragment_length,
        .early_data = {early_zeros, config->early_data_bytes},
        .clock = clock_real(),
    };
    if (config->peer != NULL) {
        apply_peer(config, role, &settings);
        return settings;
    }
    if (config->key == NULL) {
        settings.psk = (struct tls_bytes){test_psk, sizeof test_psk};
        settings.psk_identity = test_psk_identity;
        return settings;
    }
    settings.verify_peer = role == TLS_CLIENT || config->mutual;
    if (role == TLS_CLIENT)
        settings.server_name = "localhost";
    if (pki == NULL)
        return settings;
    settings.ca = pki->root;
    if (role == TLS_SERVER)
        settings.credentials = pki->server;
    else if (config->mutual)
        settings.credentials = pki->client;
    return settings;
}

const char *handshake_refusal(const struct handshake_config *config, char text[256])
{
    for (int role = 0; role < 2; role++) {
        const struct tls_library *library = config->libraries[role];
        if (library == NULL)
            continue;
        struct tls_settings settings = handshake_settings(config, (enum tls_role)role, NULL);
        const char *reason = library->unavailable();
        if (reason == NULL)
            reason = library->supports(&settings);
        if (reason == NULL)
            continue;
        (void)snprintf(text, 256, "%s", reason);
        return text;
    }
    return NULL;
}

bool handshake_pki(const struct handshake_config *config, struct pki_set *pki, struct error *error)
{
    *pki = (struct pki_set){.memory = NULL};
    if (config->key == NULL || config->peer != NULL)
        return true;
    struct pki_request request = {config->key, config->chain_length};
    return pki_make(&request, PKI_SOUND, NULL, pki, error);
}

static void put_numbers(const struct handshake_config *config, struct cell *cell)
{
    struct attributes *subject = &cell->subject;
    if (config->chain_length > 0)
        cell_set_integer(cell, subject, "chain_length", config->chain_length);
    if (config->max_fragment_length > 0)
        cell_set_integer(cell, subject, "max_fragment_length", config->max_fragment_length);
    if (config->early_data_bytes > 0) {
        cell_set_integer(cell, subject, "early_data_bytes", config->early_data_bytes);
        cell_flag(cell, "replayable");
    }
}

void handshake_subject(const struct handshake_config *config, enum tls_role side, const char *over,
                       struct cell *cell)
{
    struct attributes *subject = &cell->subject;
    const struct tls_library *library = config->libraries[side];
    const struct tls_library *peer = config->libraries[1 - (int)side];
    cell_copy_text(cell, &cell->instrument, "handshake");
    cell_copy_text(cell, &cell->side, side == TLS_CLIENT ? "client" : "server");
    cell_set_text(cell, subject, "protocol", tls_protocol_name(config->protocol));
    cell_set_text(cell, subject, "suite", config->suite);
    cell_set_text(cell, subject, "kx", tls_key_exchange_name(config->key_exchange));
    cell_set_text(cell, subject, "group", config->group);
    cell_set_text(cell, subject, "key", config->key);
    cell_set_text(cell, subject, "auth",
                  config->mutual                                ? "mutual"
                  : config->key == NULL && config->peer == NULL ? "psk"
                                                                : "server");
    cell_set_text(cell, subject, "resumption", tls_resumption_name(config->resumption));
    put_numbers(config, cell);
    if (tls_protocol_is_datagram(config->protocol))
        cell_set_boolean(cell, subject, "hello_verify", config->hello_verify);
    cell_set_text(cell, subject, "over", over);
    if (config->peer != NULL)
        cell_set_text(cell, subject, "server", config->peer->address);
    if (peer != NULL && peer != library)
        cell_set_text(cell, subject, "peer_library", peer->name);
    cell_set_text(cell, &cell->implementation, "library", library->name);
    if (library->unavailable() == NULL)
        cell_set_text(cell, &cell->implementation, "version", library->version());
    if (peer != NULL && peer != library && peer->unavailable() == NULL)
        cell_set_text(cell, &cell->implementation, "peer_version", peer->version());
}

bool handshake_check(const struct handshake_config *config, const struct tls_negotiated *negotiated,
                     struct error *error)
{
    bool resumed = config->resumption != TLS_RESUME_NONE;
    if (negotiated->protocol != config->protocol)
        return error_set(error, ERROR_PEER, "asked for %s, negotiated %s",
                         tls_protocol_name(config->protocol),
                         tls_protocol_name(negotiated->protocol));
    if (config->suite != NULL && strcmp(negotiated->suite, config->suite) != 0)
        return error_set(error, ERROR_PEER, "asked for %s, negotiated %s", config->suite,
                         negotiated->suite);
    if (negotiated->resumed != resumed)
        return error_set(error, ERROR_PEER,
                         resumed ? "the session was not resumed: a full handshake took place"
                                 : "a session was resumed where a full handshake was wanted");
    if (negotiated->early_data != (config->early_data_bytes > 0))
        return error_set(error, ERROR_PEER,
                         "the early data was not accepted; a server that asks for another group "
                         "(HelloRetryRequest) never does: see --group");
    if (config->group != NULL && !resumed && negotiated->group[0] != '\0' &&
        strcmp(negotiated->group, config->group) != 0)
        return error_set(error, ERROR_PEER, "asked for group %s, negotiated %s", config->group,
                         negotiated->group);
    return true;
}

void handshake_label(const struct handshake_config *config, char text[160])
{
    const char *resumed = config->resumption == TLS_RESUME_NONE ? ""
                          : config->early_data_bytes == 0       ? ", resumed"
                                                                : ", resumed with early data";
    const char *key = config->key != NULL ? config->key : config->peer != NULL ? "" : "psk";
    (void)snprintf(text, 160, "%s %s %s%s%s", tls_protocol_name(config->protocol),
                   config->suite == NULL ? "" : config->suite, key,
                   config->mutual ? ", mutual" : "", resumed);
}
