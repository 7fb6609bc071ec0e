#include <stdio.h>
#include <string.h>

#include "cli/list_tables.h"
#include "core/attributes.h"
#include "handshake/config.h"
#include "handshake/suite.h"

enum { PROTOCOLS = 4, MOST_LIBRARIES = 8, REASON_BYTES = 256 };

static const char *const protocol_marks[PROTOCOLS] = {"1.2", "1.3", "d1.2", "d1.3"};
static const char *const key_exchanges[] = {"ecdhe", "dhe", "rsa", "psk", "ecdhe-psk", NULL};
static const char *const resumptions[] = {"ticket", "session-id", "psk", NULL};
static const char *const others[] = {"mutual", "max-fragment-length", "early-data", NULL};

static bool is_1_3(enum tls_protocol protocol)
{
    return protocol == TLS_1_3 || protocol == DTLS_1_3;
}

/* An ordinary handshake of that version. */
static struct handshake_config plain(const struct tls_library *library, enum tls_protocol protocol)
{
    return (struct handshake_config){
        .libraries = {library, library},
        .protocol = protocol,
        .key = "ecdsa-p256",
        .key_exchange = TLS_KX_ECDHE,
        .hello_verify = tls_protocol_is_datagram(protocol),
    };
}

/* NULL, or why not; "" when there is no such thing in that version. */
static const char *ask(const struct handshake_config *config, char text[REASON_BYTES])
{
    return handshake_refusal(config, text);
}

static const char *ask_cipher(struct handshake_config config, const char *cipher,
                              char text[REASON_BYTES])
{
    size_t count;
    const struct suite *suites = suite_list(&count);
    const char *reason = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(suites[i].cipher, cipher) != 0 || suites[i].tls_1_3 != is_1_3(config.protocol))
            continue;
        config.suite = suites[i].iana;
        if (!suites[i].tls_1_3)
            config.key_exchange = suites[i].key_exchange;
        config.key = suites[i].authentication == SUITE_PSK   ? NULL
                     : suites[i].authentication == SUITE_RSA ? "rsa-2048"
                                                             : "ecdsa-p256";
        const char *refusal = ask(&config, text);
        if (refusal == NULL)
            return NULL;
        reason = refusal;
    }
    return reason;
}

static const char *ask_group(struct handshake_config config, const char *group,
                             char text[REASON_BYTES])
{
    bool is_finite_field = strncmp(group, "ffdhe", 5) == 0;
    bool is_hybrid = strstr(group, "mlkem") != NULL;
    if (is_hybrid && !is_1_3(config.protocol))
        return "";
    if (is_finite_field && !is_1_3(config.protocol)) {
        config.key_exchange = TLS_KX_DHE;
        config.key = "rsa-2048";
    }
    config.group = group;
    return ask(&config, text);
}

static const char *ask_key_exchange(struct handshake_config config, const char *name,
                                    char text[REASON_BYTES])
{
    for (int i = 0; i <= TLS_KX_ECDHE_PSK; i++)
        if (strcmp(tls_key_exchange_name((enum tls_key_exchange)i), name) == 0)
            config.key_exchange = (enum tls_key_exchange)i;
    if (is_1_3(config.protocol) && config.key_exchange != TLS_KX_ECDHE &&
        config.key_exchange != TLS_KX_ECDHE_PSK)
        return "";
    bool is_psk = config.key_exchange == TLS_KX_PSK || config.key_exchange == TLS_KX_ECDHE_PSK;
    config.key = is_psk ? NULL : config.key_exchange == TLS_KX_ECDHE ? config.key : "rsa-2048";
    return ask(&config, text);
}

static const char *ask_key(struct handshake_config config, const char *key, char text[REASON_BYTES])
{
    config.key = key;
    return ask(&config, text);
}

static const char *ask_resumption(struct handshake_config config, const char *name,
                                  char text[REASON_BYTES])
{
    for (int i = 0; i <= TLS_RESUME_PSK; i++)
        if (strcmp(tls_resumption_name((enum tls_resumption)i), name) == 0)
            config.resumption = (enum tls_resumption)i;
    bool fits = is_1_3(config.protocol) ? config.resumption != TLS_RESUME_SESSION_ID
                                        : config.resumption != TLS_RESUME_PSK;
    return fits ? ask(&config, text) : "";
}

static const char *ask_other(struct handshake_config config, const char *name,
                             char text[REASON_BYTES])
{
    config.mutual = strcmp(name, "mutual") == 0;
    config.max_fragment_length = strcmp(name, "max-fragment-length") == 0 ? 1024 : 0;
    if (strcmp(name, "early-data") == 0) {
        if (config.protocol != TLS_1_3)
            return "";
        config.early_data_bytes = 100;
        config.resumption = TLS_RESUME_TICKET;
    }
    return ask(&config, text);
}

struct section {
    const char *title;
    const char *const *names;
    const char *(*ask)(struct handshake_config config, const char *name, char text[REASON_BYTES]);
};

/* One library's cell: the versions that have it, or "-" and the reasons kept. */
static void answer(const struct section *section, const char *name,
                   const struct tls_library *library, struct buffer *cell,
                   struct list_reasons *reasons)
{
    char text[REASON_BYTES];
    for (int i = 0; i < PROTOCOLS; i++) {
        struct handshake_config config = plain(library, (enum tls_protocol)i);
        if (ask(&config, text) != NULL)
            continue; /* it lacks the version: said once, in the first rows */
        const char *reason = section->ask(config, name, text);
        if (reason == NULL)
            buffer_printf(cell, "%s%s", cell->length == 0 ? "" : " ", protocol_marks[i]);
        else if (reason[0] != '\0')
            list_keep_reason(reasons, library->name, reason);
    }
}

/* A table under way: sections are headings, or in CSV a column. */
struct listing {
    struct table table;
    bool csv;
    const struct tls_library *const *libraries;
    size_t library_count;
    struct list_reasons *reasons;
};

static void add_row(struct listing *listing, const char *section, const char *name)
{
    char label[64];
    (void)snprintf(label, sizeof label, "%s%s", listing->csv ? "" : "  ", name);
    table_row(&listing->table);
    table_set(&listing->table, 0, label, NULL, MARK_NONE);
    if (listing->csv)
        table_set(&listing->table, 1, section, NULL, MARK_NONE);
}

static void add_answer(struct listing *listing, size_t library, const char *text)
{
    bool none = text[0] == '\0';
    table_set(&listing->table, library + (listing->csv ? 2 : 1), none ? "-" : text, NULL,
              none ? MARK_DIM : MARK_NONE);
}

static void add_versions(struct listing *listing)
{
    static const char section[] = "protocol";
    char text[REASON_BYTES];
    table_heading(&listing->table, section);
    for (int i = 0; i < PROTOCOLS; i++) {
        add_row(listing, section, tls_protocol_name((enum tls_protocol)i));
        for (size_t j = 0; j < listing->library_count; j++) {
            const struct tls_library *library = listing->libraries[j];
            struct handshake_config config = plain(library, (enum tls_protocol)i);
            const char *reason = ask(&config, text);
            add_answer(listing, j, reason == NULL ? protocol_marks[i] : "");
            if (reason != NULL && library->unavailable() == NULL)
                list_keep_reason(listing->reasons, library->name, reason);
        }
    }
}

static void add_section(struct listing *listing, const struct section *section)
{
    table_heading(&listing->table, section->title);
    for (const char *const *name = section->names; *name != NULL; name++) {
        add_row(listing, section->title, *name);
        for (size_t j = 0; j < listing->library_count; j++) {
            struct buffer cell;
            buffer_init(&cell, 64);
            if (listing->libraries[j]->unavailable() == NULL)
                answer(section, *name, listing->libraries[j], &cell, listing->reasons);
            add_answer(listing, j, buffer_text(&cell));
            buffer_free(&cell);
        }
    }
}

bool list_tls(const struct table_style *style, struct buffer *out, struct list_reasons *reasons,
              struct error *error)
{
    const struct section sections[] = {
        {"cipher", suite_ciphers(), ask_cipher},
        {"key exchange", key_exchanges, ask_key_exchange},
        {"group", group_names(), ask_group},
        {"key", pki_key_names(), ask_key},
        {"resumption", resumptions, ask_resumption},
        {"further", others, ask_other},
    };
    struct table_column columns[2 + MOST_LIBRARIES] = {{.title = "TLS", .key = true}};
    struct listing listing = {.csv = style->format == TABLE_CSV, .reasons = reasons};
    size_t column_count = 1;
    if (listing.csv)
        columns[column_count++].title = "kind";
    listing.libraries = tls_libraries(&listing.library_count);
    if (listing.library_count > MOST_LIBRARIES)
        listing.library_count = MOST_LIBRARIES;
    for (size_t i = 0; i < listing.library_count; i++)
        columns[column_count++].title = listing.libraries[i]->name;
    table_init(&listing.table, columns, column_count);
    add_versions(&listing);
    for (size_t i = 0; i < COUNT_OF(sections); i++)
        add_section(&listing, &sections[i]);
    bool good = table_render(&listing.table, style, out, error);
    table_free(&listing.table);
    return good;
}
