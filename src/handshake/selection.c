#include "handshake/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/buffer.h"
#include "core/text.h"
#include "handshake/suite.h"

enum { MOST_ITEMS = 64, NEAREST_BYTES = 300 };

/* Names resolved to what they stand for. */
struct resolved {
    const char *items[MOST_ITEMS];
    size_t count;
};

struct selecting {
    const struct handshake_selection *selection;
    struct handshake_configs *configs;
    struct resolved protocols, suites, groups, keys, key_exchanges, auths, resumptions, clients,
        servers;
    bool pairs; /* clients and servers were named apart: every one with every one */
    bool named; /* the libraries were named, without a glob */
};

static const char *const auth_names[] = {"server", "mutual", NULL};

static const char *protocol_name(size_t i)
{
    return i <= DTLS_1_3 ? tls_protocol_name((enum tls_protocol)i) : NULL;
}

static const char *key_exchange_name(size_t i)
{
    return i <= TLS_KX_ECDHE_PSK ? tls_key_exchange_name((enum tls_key_exchange)i) : NULL;
}

static const char *resumption_name(size_t i)
{
    return i <= TLS_RESUME_PSK ? tls_resumption_name((enum tls_resumption)i) : NULL;
}

static const char *auth_name(size_t i)
{
    return auth_names[i];
}

static const char *key_name(size_t i)
{
    return pki_key_names()[i];
}

static const char *group_name(size_t i)
{
    return group_names()[i];
}

static const char *cipher_name(size_t i)
{
    return suite_ciphers()[i];
}

static const char *library_name(size_t i)
{
    size_t count;
    const struct tls_library *const *list = tls_libraries(&count);
    return i < count ? list[i]->name : NULL;
}

static bool refuse(const char *what, const char *typed, const char *(*name)(size_t i),
                   struct error *error)
{
    const char *known[MOST_ITEMS];
    size_t count = 0;
    struct buffer near;
    while (count < MOST_ITEMS && name(count) != NULL) {
        known[count] = name(count);
        count++;
    }
    buffer_init(&near, NEAREST_BYTES);
    text_nearest(typed, known, count, &near);
    if (near.length == 0)
        for (size_t i = 0; i < count; i++)
            buffer_printf(&near, "%s%s", i == 0 ? "" : ", ", known[i]);
    (void)error_set(error, ERROR_USAGE, "no %s is called \"%s\"; there are: %s", what, typed,
                    buffer_text(&near));
    buffer_free(&near);
    return false;
}

static bool keep(struct resolved *resolved, const char *item)
{
    for (size_t i = 0; i < resolved->count; i++)
        if (resolved->items[i] == item)
            return true;
    if (resolved->count < MOST_ITEMS)
        resolved->items[resolved->count++] = item;
    return true;
}

/* Every pattern must match; globs take what they match. `find` (NULL: none) knows other spellings
 * of a name that matches nothing. */
static bool resolve(const struct handshake_names *names, const char *what,
                    const char *(*name)(size_t i), const char *(*find)(const char *spelling),
                    struct resolved *resolved, struct error *error)
{
    for (size_t i = 0; i < names->count; i++) {
        bool found = false;
        for (size_t j = 0; name(j) != NULL; j++)
            if (text_glob(names->items[i], name(j)))
                found = keep(resolved, name(j));
        if (!found && find != NULL && find(names->items[i]) != NULL)
            found = keep(resolved, find(names->items[i]));
        if (!found)
            return refuse(what, names->items[i], name, error);
    }
    return true;
}

static const char *find_suite(const char *spelling)
{
    const struct suite *suite = suite_find(spelling);
    return suite == NULL ? NULL : suite->iana;
}

static bool without_globs(const struct handshake_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (text_has_glob(names->items[i]))
            return false;
    return true;
}

static bool resolve_libraries(struct selecting *selecting, struct error *error)
{
    static const char *const all[] = {"*"};
    const struct handshake_selection *selection = selecting->selection;
    struct handshake_names both = selection->libraries;
    if (both.count == 0)
        both = (struct handshake_names){all, 1};
    struct handshake_names clients =
        selection->client_libraries.count > 0 ? selection->client_libraries : both;
    struct handshake_names servers =
        selection->server_libraries.count > 0 ? selection->server_libraries : both;
    selecting->pairs =
        selection->client_libraries.count > 0 || selection->server_libraries.count > 0;
    selecting->named = without_globs(&clients) && without_globs(&servers);
    return resolve(&clients, "library", library_name, NULL, &selecting->clients, error) &&
           resolve(&servers, "library", library_name, NULL, &selecting->servers, error);
}

static void otherwise(struct resolved *resolved, const char *item)
{
    if (resolved->count == 0)
        (void)keep(resolved, item);
}

static bool resolve_all(struct selecting *selecting, struct error *error)
{
    const struct handshake_selection *selection = selecting->selection;
    bool good =
        resolve(&selection->protocols, "protocol", protocol_name, NULL, &selecting->protocols,
                error) &&
        resolve(&selection->suites, "suite or cipher", cipher_name, find_suite, &selecting->suites,
                error) &&
        resolve(&selection->groups, "group", group_name, group_find, &selecting->groups, error) &&
        resolve(&selection->keys, "key", key_name, NULL, &selecting->keys, error) &&
        resolve(&selection->key_exchanges, "key exchange", key_exchange_name, NULL,
                &selecting->key_exchanges, error) &&
        resolve(&selection->auths, "authentication", auth_name, NULL, &selecting->auths, error) &&
        resolve(&selection->resumptions, "resumption", resumption_name, NULL,
                &selecting->resumptions, error) &&
        resolve_libraries(selecting, error);
    if (selecting->protocols.count == 0) {
        (void)keep(&selecting->protocols, tls_protocol_name(TLS_1_3));
        (void)keep(&selecting->protocols, tls_protocol_name(TLS_1_2));
    }
    otherwise(&selecting->suites, suite_ciphers()[0]);
    otherwise(&selecting->key_exchanges, tls_key_exchange_name(TLS_KX_ECDHE));
    otherwise(&selecting->auths, auth_names[0]);
    otherwise(&selecting->resumptions, tls_resumption_name(TLS_RESUME_NONE));
    return good;
}

static int index_of(const char *(*name)(size_t i), const char *item)
{
    int i = 0;
    while (name((size_t)i) != item)
        i++;
    return i;
}

static void leave_out(struct selecting *selecting, const struct handshake_config *config,
                      const char *suite, const char *reason)
{
    struct handshake_configs *configs = selecting->configs;
    if (configs->left_out++ == 0)
        (void)snprintf(configs->left_out_reason, sizeof configs->left_out_reason, "%s, %s%s%s: %s",
                       tls_protocol_name(config->protocol), suite, config->key == NULL ? "" : ", ",
                       config->key == NULL ? "" : config->key, reason);
}

static bool add(struct selecting *selecting, const struct handshake_config *config,
                struct error *error)
{
    struct handshake_configs *configs = selecting->configs;
    if (configs->count == configs->capacity) {
        size_t capacity = configs->capacity == 0 ? 64 : 2 * configs->capacity;
        struct handshake_config *items = realloc(configs->items, capacity * sizeof *items);
        if (items == NULL)
            return error_set(error, ERROR_MEMORY, "no memory for the list of configurations");
        configs->items = items;
        configs->capacity = capacity;
    }
    configs->items[configs->count++] = *config;
    return true;
}

static bool add_libraries(struct selecting *selecting, struct handshake_config config,
                          struct error *error)
{
    config.named = selecting->named;
    for (size_t i = 0; i < selecting->clients.count; i++)
        for (size_t j = 0; j < selecting->servers.count; j++) {
            if (!selecting->pairs && i != j)
                continue;
            config.libraries[TLS_CLIENT] = tls_library_find(selecting->clients.items[i]);
            config.libraries[TLS_SERVER] = tls_library_find(selecting->servers.items[j]);
            if (!add(selecting, &config, error))
                return false;
        }
    return true;
}

static bool uses_psk(enum tls_key_exchange key_exchange)
{
    return key_exchange == TLS_KX_PSK || key_exchange == TLS_KX_ECDHE_PSK;
}

static const char *resumption_misfit(const struct handshake_config *config, bool is_1_3)
{
    if (is_1_3 && config->resumption == TLS_RESUME_SESSION_ID)
        return "TLS 1.3 resumes by ticket, not by session id (RFC 8446 section 2.2)";
    if (!is_1_3 && config->resumption == TLS_RESUME_PSK)
        return "TLS 1.2 resumes by ticket or session id; there psk is a key exchange (--kx psk)";
    if (config->early_data_bytes > 0 && (!is_1_3 || config->resumption != TLS_RESUME_TICKET))
        return "early data needs TLS 1.3 resumed by ticket: --protocol tls1.3 --resumption ticket";
    return NULL;
}

static const char *misfit(const struct handshake_config *config)
{
    bool is_1_3 = config->protocol == TLS_1_3 || config->protocol == DTLS_1_3;
    if (is_1_3 && (config->key_exchange == TLS_KX_DHE || config->key_exchange == TLS_KX_RSA))
        return "TLS 1.3 has no such key exchange";
    if (is_1_3 && config->key_exchange == TLS_KX_PSK)
        return "with a pre-shared key TLS 1.3 is measured with ECDHE: --kx ecdhe-psk";
    if (uses_psk(config->key_exchange) && config->mutual)
        return "a pre-shared key authenticates both sides already";
    if (uses_psk(config->key_exchange) && config->resumption != TLS_RESUME_NONE)
        return "resumption after a pre-shared key is not measured";
    return resumption_misfit(config, is_1_3);
}

/* A Diffie-Hellman group for DHE, a curve or hybrid for ECDHE. */
static bool group_fits(const struct handshake_config *config, const char *group)
{
    bool finite_field = strncmp(group, "ffdhe", 5) == 0;
    if (strstr(group, "mlkem") != NULL) /* key encapsulation, which TLS 1.2 has not */
        return config->protocol == TLS_1_3 || config->protocol == DTLS_1_3;
    if (config->key_exchange == TLS_KX_DHE)
        return finite_field;
    return !finite_field || config->protocol == TLS_1_3;
}

static bool has_group(enum tls_key_exchange key_exchange)
{
    return key_exchange != TLS_KX_RSA && key_exchange != TLS_KX_PSK;
}

static bool add_groups(struct selecting *selecting, struct handshake_config config,
                       const char *suite, struct error *error)
{
    const struct resolved *groups = &selecting->groups;
    config.group = NULL;
    if (!has_group(config.key_exchange))
        return add_libraries(selecting, config, error);
    if (groups->count == 0) {
        config.group = config.key_exchange == TLS_KX_DHE ? "ffdhe2048" : "secp256r1";
        return add_libraries(selecting, config, error);
    }
    for (size_t i = 0; i < groups->count; i++) {
        config.group = groups->items[i];
        if (!group_fits(&config, config.group))
            leave_out(selecting, &config, suite,
                      "this group does not fit the version and key exchange");
        else if (!add_libraries(selecting, config, error))
            return false;
    }
    return true;
}

/* OpenSSL calls TLS_RSA_WITH_AES_128_CCM_8 "AES128-CCM8": a cipher's name means the cipher. */
static const struct suite *suite_named(const char *name)
{
    for (const char *const *cipher = suite_ciphers(); *cipher != NULL; cipher++)
        if (*cipher == name)
            return NULL;
    return suite_find(name);
}

static bool add_suites(struct selecting *selecting, struct handshake_config config,
                       struct error *error)
{
    const char *reason = misfit(&config);
    for (size_t i = 0; i < selecting->suites.count; i++) {
        const char *name = selecting->suites.items[i];
        const struct suite *suite = suite_named(name);
        const char *why = reason;
        if (why == NULL && suite != NULL)
            why = suite_misfit(suite, config.protocol, config.key_exchange, config.key);
        if (suite == NULL)
            suite = suite_of_cipher(name, config.protocol, config.key_exchange, config.key);
        if (why == NULL && suite == NULL)
            why = "there is no suite of this cipher, key exchange and key";
        if (why != NULL) {
            leave_out(selecting, &config, name, why);
            continue;
        }
        config.suite = suite->iana;
        if (!add_groups(selecting, config, name, error))
            return false;
    }
    return true;
}

static bool add_chains(struct selecting *selecting, struct handshake_config config,
                       struct error *error)
{
    const struct handshake_selection *selection = selecting->selection;
    config.chain_length = config.key == NULL ? 0 : 1;
    if (config.key == NULL || selection->chain_length_count == 0)
        return add_suites(selecting, config, error);
    for (size_t i = 0; i < selection->chain_length_count; i++) {
        config.chain_length = (unsigned)selection->chain_lengths[i];
        if (!add_suites(selecting, config, error))
            return false;
    }
    return true;
}

static bool add_keys(struct selecting *selecting, struct handshake_config config,
                     struct error *error)
{
    const struct resolved *keys = &selecting->keys;
    config.key = NULL;
    if (uses_psk(config.key_exchange))
        return add_chains(selecting, config, error);
    if (keys->count == 0) {
        bool rsa = config.key_exchange == TLS_KX_DHE || config.key_exchange == TLS_KX_RSA;
        config.key = rsa ? "rsa-2048" : "ecdsa-p256";
        return add_chains(selecting, config, error);
    }
    for (size_t i = 0; i < keys->count; i++) {
        config.key = keys->items[i];
        if (!add_chains(selecting, config, error))
            return false;
    }
    return true;
}

static bool add_all(struct selecting *selecting, struct error *error)
{
    const struct resolved *auths = &selecting->auths;
    const struct resolved *resumptions = &selecting->resumptions;
    const struct resolved *exchanges = &selecting->key_exchanges;
    size_t each = exchanges->count * auths->count * resumptions->count;
    for (size_t i = 0; i < selecting->protocols.count * each; i++) {
        size_t rest = i % each;
        struct handshake_config config = {
            .protocol =
                (enum tls_protocol)index_of(protocol_name, selecting->protocols.items[i / each]),
            .max_fragment_length = selecting->selection->max_fragment_length,
            .early_data_bytes = selecting->selection->early_data_bytes,
        };
        config.hello_verify =
            selecting->selection->hello_verify && tls_protocol_is_datagram(config.protocol);
        config.resumption = (enum tls_resumption)index_of(
            resumption_name, resumptions->items[rest % resumptions->count]);
        rest /= resumptions->count;
        config.mutual = auths->items[rest % auths->count] == auth_names[1];
        rest /= auths->count;
        config.key_exchange =
            (enum tls_key_exchange)index_of(key_exchange_name, exchanges->items[rest]);
        if (!add_keys(selecting, config, error))
            return false;
    }
    return true;
}

bool handshake_select(const struct handshake_selection *selection,
                      struct handshake_configs *configs, struct error *error)
{
    struct selecting selecting = {.selection = selection, .configs = configs};
    *configs = (struct handshake_configs){.items = NULL};
    if (!resolve_all(&selecting, error))
        return false;
    if (!add_all(&selecting, error)) {
        handshake_configs_free(configs);
        return false;
    }
    if (configs->count == 0)
        return error_set(error, ERROR_USAGE, "nothing to measure: %s", configs->left_out_reason);
    return true;
}

void handshake_configs_free(struct handshake_configs *configs)
{
    free(configs->items);
    *configs = (struct handshake_configs){.items = NULL};
}
