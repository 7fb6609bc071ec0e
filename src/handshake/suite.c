#include "handshake/suite.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/attributes.h"

enum { KEY_BYTES = 96 };

#define TLS_1_3_SUITE(IANA, CIPHER)                                                                \
    {                                                                                              \
        "TLS_" IANA, CIPHER, true, TLS_KX_ECDHE, SUITE_ANY_KEY                                     \
    }
#define TLS_1_2_SUITES(NAME, KX, AUTHENTICATION)                                                   \
    {"TLS_" NAME "_WITH_AES_128_GCM_SHA256", "aes-128-gcm", false, KX, AUTHENTICATION},            \
        {"TLS_" NAME "_WITH_AES_256_GCM_SHA384", "aes-256-gcm", false, KX, AUTHENTICATION},        \
        {"TLS_" NAME "_WITH_AES_128_CBC_SHA", "aes-128-cbc-sha", false, KX, AUTHENTICATION},       \
    {                                                                                              \
        "TLS_" NAME "_WITH_AES_256_CBC_SHA", "aes-256-cbc-sha", false, KX, AUTHENTICATION          \
    }
#define CCM_SUITES(NAME, KX, AUTHENTICATION)                                                       \
    {"TLS_" NAME "_WITH_AES_128_CCM", "aes-128-ccm", false, KX, AUTHENTICATION},                   \
    {                                                                                              \
        "TLS_" NAME "_WITH_AES_128_CCM_8", "aes-128-ccm-8", false, KX, AUTHENTICATION              \
    }
#define CHACHA_SUITE(NAME, KX, AUTHENTICATION)                                                     \
    {                                                                                              \
        "TLS_" NAME "_WITH_CHACHA20_POLY1305_SHA256", "chacha20-poly1305", false, KX,              \
            AUTHENTICATION                                                                         \
    }

static const struct suite suites[] = {
    TLS_1_3_SUITE("AES_128_GCM_SHA256", "aes-128-gcm"),
    TLS_1_3_SUITE("AES_256_GCM_SHA384", "aes-256-gcm"),
    TLS_1_3_SUITE("CHACHA20_POLY1305_SHA256", "chacha20-poly1305"),
    TLS_1_3_SUITE("AES_128_CCM_SHA256", "aes-128-ccm"),
    TLS_1_3_SUITE("AES_128_CCM_8_SHA256", "aes-128-ccm-8"),
    TLS_1_2_SUITES("ECDHE_ECDSA", TLS_KX_ECDHE, SUITE_ECDSA),
    CCM_SUITES("ECDHE_ECDSA", TLS_KX_ECDHE, SUITE_ECDSA),
    CHACHA_SUITE("ECDHE_ECDSA", TLS_KX_ECDHE, SUITE_ECDSA),
    TLS_1_2_SUITES("ECDHE_RSA", TLS_KX_ECDHE, SUITE_RSA),
    CHACHA_SUITE("ECDHE_RSA", TLS_KX_ECDHE, SUITE_RSA),
    TLS_1_2_SUITES("DHE_RSA", TLS_KX_DHE, SUITE_RSA),
    CCM_SUITES("DHE_RSA", TLS_KX_DHE, SUITE_RSA),
    CHACHA_SUITE("DHE_RSA", TLS_KX_DHE, SUITE_RSA),
    TLS_1_2_SUITES("RSA", TLS_KX_RSA, SUITE_RSA),
    CCM_SUITES("RSA", TLS_KX_RSA, SUITE_RSA),
    TLS_1_2_SUITES("PSK", TLS_KX_PSK, SUITE_PSK),
    CCM_SUITES("PSK", TLS_KX_PSK, SUITE_PSK),
    CHACHA_SUITE("PSK", TLS_KX_PSK, SUITE_PSK),
    TLS_1_2_SUITES("ECDHE_PSK", TLS_KX_ECDHE_PSK, SUITE_PSK),
    CHACHA_SUITE("ECDHE_PSK", TLS_KX_ECDHE_PSK, SUITE_PSK),
    {"TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256", "aes-128-cbc-sha256", false, TLS_KX_ECDHE_PSK,
     SUITE_PSK},
    {"TLS_ECDHE_PSK_WITH_AES_128_CCM_SHA256", "aes-128-ccm", false, TLS_KX_ECDHE_PSK, SUITE_PSK},
    {"TLS_ECDHE_PSK_WITH_AES_128_CCM_8_SHA256", "aes-128-ccm-8", false, TLS_KX_ECDHE_PSK,
     SUITE_PSK},
};

const struct suite *suite_list(size_t *count)
{
    *count = COUNT_OF(suites);
    return suites;
}

/* What the spellings of all libraries have in common: letters and digits, without "TLS", "TLS13",
 * "WITH", "CBC" and the hash that ChaCha20-Poly1305 suites may leave out. */
static void common_spelling(const char *name, char key[KEY_BYTES])
{
    size_t length = 0;
    if (strncasecmp(name, "TLS13", 5) == 0)
        name += 5;
    else if (strncasecmp(name, "TLS", 3) == 0)
        name += 3;
    for (; *name != '\0' && length < KEY_BYTES - 1; name++) {
        if (isalnum((unsigned char)*name))
            key[length++] = (char)toupper((unsigned char)*name);
        else if (strncasecmp(name + 1, "WITH", 4) == 0 && !isalnum((unsigned char)name[5]))
            name += 4;
        else if (strncasecmp(name + 1, "CBC", 3) == 0 && !isalnum((unsigned char)name[4]))
            name += 3;
    }
    key[length] = '\0';
    if (length > 14 && strcmp(key + length - 14, "POLY1305SHA256") == 0)
        key[length - 6] = '\0';
}

const struct suite *suite_find(const char *name)
{
    char wanted[KEY_BYTES];
    char key[KEY_BYTES];
    common_spelling(name, wanted);
    bool with_prefix = strncasecmp(name, "TLS", 3) == 0;
    for (size_t i = 0; i < COUNT_OF(suites); i++) {
        common_spelling(suites[i].iana, key);
        if (strcmp(key, wanted) == 0 && (with_prefix || !suites[i].tls_1_3))
            return &suites[i];
        /* OpenSSL and wolfSSL leave "RSA" out where it is the key exchange. */
        if (!with_prefix && strncmp(key, "RSAAES", 6) == 0 && strcmp(key + 3, wanted) == 0)
            return &suites[i];
    }
    return NULL;
}

static bool is_1_3(enum tls_protocol protocol)
{
    return protocol == TLS_1_3 || protocol == DTLS_1_3;
}

const char *suite_misfit(const struct suite *suite, enum tls_protocol protocol,
                         enum tls_key_exchange key_exchange, const char *key)
{
    if (suite->tls_1_3 != is_1_3(protocol))
        return suite->tls_1_3 ? "this suite is for TLS 1.3 only" : "this suite is not for TLS 1.3";
    if (suite->tls_1_3)
        return NULL;
    if (suite->key_exchange != key_exchange)
        return "this suite has another key exchange (--kx)";
    bool rsa = key != NULL && strncmp(key, "rsa-", 4) == 0;
    if (suite->authentication == SUITE_RSA && !rsa)
        return "this suite needs an RSA key";
    if (suite->authentication == SUITE_ECDSA && (rsa || key == NULL))
        return "this suite needs an ECDSA or EdDSA key";
    return NULL;
}

const struct suite *suite_of_cipher(const char *cipher, enum tls_protocol protocol,
                                    enum tls_key_exchange key_exchange, const char *key)
{
    for (size_t i = 0; i < COUNT_OF(suites); i++)
        if (strcasecmp(suites[i].cipher, cipher) == 0 &&
            suite_misfit(&suites[i], protocol, key_exchange, key) == NULL)
            return &suites[i];
    return NULL;
}

const char *const *suite_ciphers(void)
{
    static const char *const names[] = {
        "aes-128-gcm",     "aes-256-gcm",     "chacha20-poly1305",  "aes-128-ccm", "aes-128-ccm-8",
        "aes-128-cbc-sha", "aes-256-cbc-sha", "aes-128-cbc-sha256", NULL};
    return names;
}

static const char *const groups[] = {"secp256r1",
                                     "secp384r1",
                                     "secp521r1",
                                     "x25519",
                                     "x448",
                                     "brainpoolp256r1",
                                     "brainpoolp384r1",
                                     "brainpoolp512r1",
                                     "ffdhe2048",
                                     "ffdhe3072",
                                     "ffdhe4096",
                                     "x25519mlkem768",
                                     "secp256r1mlkem768",
                                     "secp384r1mlkem1024",
                                     "mlkem512",
                                     "mlkem768",
                                     "mlkem1024",
                                     NULL};

const char *const *group_names(void)
{
    return groups;
}

const char *group_find(const char *name)
{
    static const struct {
        const char *spelling, *group;
    } others[] = {{"P-256", "secp256r1"},      {"P-384", "secp384r1"},   {"P-521", "secp521r1"},
                  {"p256", "secp256r1"},       {"p384", "secp384r1"},    {"p521", "secp521r1"},
                  {"prime256v1", "secp256r1"}, {"curve25519", "x25519"}, {"curve448", "x448"}};
    for (size_t i = 0; groups[i] != NULL; i++)
        if (strcasecmp(groups[i], name) == 0)
            return groups[i];
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcasecmp(others[i].spelling, name) == 0)
            return others[i].group;
    return NULL;
}
