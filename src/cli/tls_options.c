#include "cli/tls_options.h"

#include "core/text.h"

const char *const tls_fragment_choices[] = {"0", "512", "1024", "2048", "4096", NULL};

bool tls_options_select(const struct tls_options *options)
{
    return options->libraries.given || options->client_libraries.given ||
           options->server_libraries.given || options->protocols.given || options->suites.given ||
           options->groups.given || options->keys.given || options->key_exchanges.given ||
           options->auths.given || options->resumptions.given || options->chains.given ||
           options->max_fragment_length[0] != '0' || options->early_data_bytes > 0;
}

static struct handshake_names names_of(const struct text_list *list)
{
    return (struct handshake_names){list->items, list->count};
}

bool tls_options_selection(const struct tls_options *options, struct handshake_selection *selection,
                           struct error *error)
{
    uint64_t fragment = 0;
    *selection = (struct handshake_selection){
        .libraries = names_of(&options->libraries),
        .client_libraries = names_of(&options->client_libraries),
        .server_libraries = names_of(&options->server_libraries),
        .protocols = names_of(&options->protocols),
        .suites = names_of(&options->suites),
        .groups = names_of(&options->groups),
        .keys = names_of(&options->keys),
        .key_exchanges = names_of(&options->key_exchanges),
        .auths = names_of(&options->auths),
        .resumptions = names_of(&options->resumptions),
        .chain_lengths = options->chains.items,
        .chain_length_count = options->chains.count,
        .hello_verify = options->hello_verify,
    };
    if (!text_parse_u64(options->max_fragment_length, 0, 4096, &fragment, error))
        return error_prefix(error, "--max-fragment-length");
    selection->max_fragment_length = (uint16_t)fragment;
    selection->early_data_bytes = (uint16_t)options->early_data_bytes;
    for (size_t i = 0; i < options->chains.count; i++)
        if (options->chains.items[i] < 1 || options->chains.items[i] > 3)
            return error_set(error, ERROR_USAGE, "--chain: a chain has 1 to 3 certificates");
    return true;
}

void tls_options_towards(const struct tls_options *options, const struct handshake_peer *peer,
                         bool has_certificate, struct handshake_configs *configs)
{
    for (size_t i = 0; i < configs->count; i++) {
        struct handshake_config *config = &configs->items[i];
        config->peer = peer;
        config->libraries[TLS_SERVER] = NULL;
        config->key = NULL; /* the server's own: not chosen here */
        config->chain_length = 0;
        config->suite = options->suites.given ? config->suite : NULL;
        config->group = options->groups.given ? config->group : NULL;
        config->mutual = has_certificate;
    }
}
