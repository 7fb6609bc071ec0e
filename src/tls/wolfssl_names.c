#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/wolfssl_internal.h"

enum { SUITE_LIST_BYTES = 16384 };

struct group_row {
    const char *iana; /* lower case */
    int number;
    unsigned short bytes;
};

static const struct group_row group_rows[] = {
    {"secp256r1", WOLFSSL_ECC_SECP256R1, 32},
    {"secp384r1", WOLFSSL_ECC_SECP384R1, 48},
    {"secp521r1", WOLFSSL_ECC_SECP521R1, 66},
    {"brainpoolp256r1", WOLFSSL_ECC_BRAINPOOLP256R1, 32},
    {"brainpoolp384r1", WOLFSSL_ECC_BRAINPOOLP384R1, 48},
    {"brainpoolp512r1", WOLFSSL_ECC_BRAINPOOLP512R1, 64},
    {"x25519", WOLFSSL_ECC_X25519, 32},
    {"x448", WOLFSSL_ECC_X448, 56},
    {"ffdhe2048", WOLFSSL_FFDHE_2048, 256},
    {"ffdhe3072", WOLFSSL_FFDHE_3072, 384},
};

/* What wolfSSL's own names of the suites of a key exchange begin with. */
static const char *const key_exchange_prefixes[] = {
    [TLS_KX_ECDHE] = "ECDHE-", [TLS_KX_DHE] = "DHE-RSA-",         [TLS_KX_RSA] = "AES",
    [TLS_KX_PSK] = "PSK-",     [TLS_KX_ECDHE_PSK] = "ECDHE-PSK-",
};

bool tls_wolfssl_failed(struct error *error, int code, const char *what)
{
    char text[WOLFSSL_MAX_ERROR_SZ];
    wolfSSL_ERR_error_string((unsigned long)code, text);
    return error_set_library(error, ORIGIN_WOLFSSL, code, "%s: %s", what, text);
}

/* The library prints two lists in the same order, its own names and IANA's; but the first also
 * holds second spellings ("CCM8" for "CCM-8"), which are taken out. */
struct suite_lists {
    char own[SUITE_LIST_BYTES];
    char iana[SUITE_LIST_BYTES];
};

static void remove_second_spellings(char *list)
{
    char *out = list;
    for (const char *name = list; *name != '\0';) {
        size_t length = strcspn(name, ":");
        size_t step = length + (name[length] == ':');
        bool second = memmem(name, length, "CCM8", 4) != NULL;
        if (!second) {
            memmove(out, name, step);
            out += step;
        }
        name += step;
    }
    *out = '\0';
}

static size_t count_names(const char *list)
{
    size_t count = *list != '\0';
    for (; *list != '\0'; list++)
        count += *list == ':';
    return count;
}

static const struct suite_lists *suite_lists(void)
{
    static struct suite_lists lists; /* the same for the process's life */
    if (lists.own[0] != '\0')
        return &lists;
    if (wolfSSL_get_ciphers(lists.own, sizeof lists.own) == WOLFSSL_SUCCESS &&
        wolfSSL_get_ciphers_iana(lists.iana, sizeof lists.iana) == WOLFSSL_SUCCESS)
        remove_second_spellings(lists.own);
    if (count_names(lists.own) != count_names(lists.iana))
        lists.own[0] = lists.iana[0] = '\0'; /* no suite is better than a wrong one */
    return &lists;
}

/* Finds `wanted` in `from` and copies what stands at the same place in `to`. */
static const char *translate(const char *wanted, const char *from, const char *to, char *out,
                             size_t size)
{
    size_t wanted_length = strlen(wanted);
    while (*from != '\0' && *to != '\0') {
        size_t from_length = strcspn(from, ":");
        size_t to_length = strcspn(to, ":");
        if (from_length == wanted_length && strncmp(from, wanted, wanted_length) == 0 &&
            to_length < size) {
            memcpy(out, to, to_length);
            out[to_length] = '\0';
            return out;
        }
        from += from_length + (from[from_length] == ':');
        to += to_length + (to[to_length] == ':');
    }
    return NULL;
}

const char *tls_wolfssl_suite(const char *iana, char name[TLS_WOLFSSL_NAME_BYTES])
{
    const struct suite_lists *lists = suite_lists();
    return translate(iana, lists->iana, lists->own, name, TLS_WOLFSSL_NAME_BYTES);
}

static const struct group_row *find_group(const char *iana)
{
    for (size_t i = 0; i < COUNT_OF(group_rows); i++)
        if (strcmp(group_rows[i].iana, iana) == 0)
            return &group_rows[i];
    return NULL;
}

int tls_wolfssl_group(const char *iana)
{
    const struct group_row *row = find_group(iana);
    return row == NULL ? 0 : row->number;
}

unsigned short tls_wolfssl_group_bytes(const char *iana)
{
    const struct group_row *row = find_group(iana);
    return row == NULL ? 0 : row->bytes;
}

/* All suites of a key exchange as wolfSSL's list. */
static void list_of(enum tls_key_exchange key_exchange, char *list, size_t size)
{
    const char *prefix = key_exchange_prefixes[key_exchange];
    size_t length = 0;
    for (const char *name = suite_lists()->own; *name != '\0';) {
        size_t name_length = strcspn(name, ":");
        if (strncmp(name, prefix, strlen(prefix)) == 0 && length + name_length + 2 < size)
            length += (size_t)snprintf(list + length, size - length, "%s%.*s",
                                       length == 0 ? "" : ":", (int)name_length, name);
        name += name_length + (name[name_length] == ':');
    }
    list[length] = '\0';
}

bool tls_wolfssl_configure_suites(WOLFSSL_CTX *ctx, const struct tls_settings *settings,
                                  struct error *error)
{
    char list[4096] = "";
    if (settings->suite != NULL)
        (void)tls_wolfssl_suite(settings->suite, list);
    else if (settings->protocol == TLS_1_3 || settings->key_exchange == TLS_KX_ECDHE)
        return true; /* the library's own order */
    else
        list_of(settings->key_exchange, list, sizeof list);
    if (list[0] == '\0' || wolfSSL_CTX_set_cipher_list(ctx, list) != WOLFSSL_SUCCESS)
        return error_set(error, ERROR_UNAVAILABLE, "wolfSSL has no suite %s",
                         settings->suite == NULL ? "of this key exchange" : settings->suite);
    return true;
}

void tls_wolfssl_negotiated(const struct tls_endpoint *endpoint, struct tls_negotiated *negotiated)
{
    struct tls_endpoint *scratch = (struct tls_endpoint *)(uintptr_t)endpoint;
    const struct tls_settings *settings = &endpoint->context->settings;
    const struct suite_lists *lists = suite_lists();
    const char *own = wolfSSL_get_cipher_name(endpoint->ssl);
    if (own == NULL ||
        translate(own, lists->own, lists->iana, scratch->suite, sizeof scratch->suite) == NULL)
        (void)snprintf(scratch->suite, sizeof scratch->suite, "%s", own == NULL ? "" : own);
    const char *curve = wolfSSL_get_curve_name(endpoint->ssl);
    (void)snprintf(scratch->group, sizeof scratch->group, "%s", curve == NULL ? "" : curve);
    for (char *c = scratch->group; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    if (strncmp(scratch->group, "ffdhe_", 6) == 0) /* ffdhe2048 is IANA's spelling */
        memmove(scratch->group + 5, scratch->group + 6, strlen(scratch->group + 5));
    bool resumed = wolfSSL_session_reused(endpoint->ssl) == 1;
    char *alpn = NULL;
    unsigned short alpn_length = 0;
    (void)wolfSSL_ALPN_GetProtocol(endpoint->ssl, &alpn, &alpn_length);
    int version = wolfSSL_version(endpoint->ssl);
    *negotiated = (struct tls_negotiated){
        .protocol = version == TLS1_3_VERSION                      ? TLS_1_3
                    : tls_protocol_is_datagram(settings->protocol) ? DTLS_1_2
                                                                   : TLS_1_2,
        .suite = scratch->suite,
        .group = scratch->group,
        .signature = "", /* wolfSSL does not tell it */
        .alpn = alpn == NULL ? "" : alpn,
        .resumed = resumed,
        .peer_verified = settings->verify_peer && !resumed, /* else the handshake had failed */
    };
}
