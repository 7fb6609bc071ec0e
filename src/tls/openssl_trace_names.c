/* What the points of OpenSSL's operations are called: "sha256", "ecdsa-p256 sign". */
#include <ctype.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "tls/openssl_trace.h"

struct name_pair {
    const char *openssl; /* lower case */
    const char *ours;
};

static const struct name_pair algorithm_names[] = {
    {"sha2-224", "sha224"}, {"sha2-256", "sha256"}, {"sha2-384", "sha384"}, {"sha2-512", "sha512"}};

static const struct name_pair group_names[] = {{"prime256v1", "p256"}, {"p-256", "p256"},
                                               {"secp384r1", "p384"},  {"p-384", "p384"},
                                               {"secp521r1", "p521"},  {"p-521", "p521"}};

/* Signature algorithms whose names go on with a digest. */
static const char *const signature_families[] = {"ecdsa", "rsa", "dsa"};

/* MACs and key derivation functions that OpenSSL also offers as signatures and key exchanges. */
static const char *const keyed_digests[] = {"hmac",     "siphash", "poly1305", "cmac",
                                            "tls1-prf", "hkdf",    "scrypt"};

/* Algorithms whose cost depends on the key, by the key management that can tell its size. */
static struct key_family {
    const char *key_management;
    const char *algorithms[4];
    int (*get_params)(void *key, OSSL_PARAM parameters[]); /* NULL: not met yet */
} key_families[] = {
    {"ec", {"ec", "ecdsa", "ecdh"}, NULL},
    {"rsa", {"rsa", "rsa-pss"}, NULL},
    {"dh", {"dh"}, NULL},
};

static const char *renamed(const struct name_pair *pairs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i].openssl, name) == 0)
            return pairs[i].ours;
    return name;
}

static void lower(char *text, size_t size, const char *from)
{
    size_t length = 0;
    for (; length + 1 < size && from[length] != '\0' && from[length] != ':'; length++)
        text[length] = (char)tolower((unsigned char)from[length]);
    text[length] = '\0';
}

static void find_points(const struct traced_algorithm *algorithm, const char *subject,
                        const struct tls_trace_point *points[TRACED_ROLES])
{
    const struct traced_operation *operation = algorithm->operation;
    bool keyed_digest = false;
    for (size_t i = 0; i < COUNT_OF(keyed_digests); i++)
        keyed_digest = keyed_digest || strcmp(keyed_digests[i], algorithm->name) == 0;
    for (int role = 0; role < TRACED_ROLES; role++) {
        char name[TRACE_NAME_BYTES];
        const char *verb = keyed_digest ? NULL : operation->verbs[role];
        (void)snprintf(name, sizeof name, "%s%s%s", subject, verb == NULL ? "" : " ",
                       verb == NULL ? "" : verb);
        points[role] = tls_trace_point(keyed_digest ? TRACE_DIGEST : operation->kinds[role], name);
    }
}

static struct key_family *family_of(const char *algorithm)
{
    for (size_t i = 0; i < COUNT_OF(key_families); i++)
        for (size_t j = 0; key_families[i].algorithms[j] != NULL; j++)
            if (strcmp(key_families[i].algorithms[j], algorithm) == 0)
                return &key_families[i];
    return NULL;
}

void traced_name_algorithm(struct traced_algorithm *algorithm, const char *aliases)
{
    char name[TRACED_NAME_BYTES];
    lower(name, sizeof name, aliases);
    for (size_t i = 0;
         algorithm->operation->id == OSSL_OP_SIGNATURE && i < COUNT_OF(signature_families); i++) {
        size_t length = strlen(signature_families[i]);
        if (strncmp(name, signature_families[i], length) == 0 && name[length] == '-')
            name[length] = '\0';
    }
    (void)snprintf(algorithm->name, sizeof algorithm->name, "%s",
                   renamed(algorithm_names, COUNT_OF(algorithm_names), name));
    struct key_family *family = family_of(algorithm->name);
    if (algorithm->operation->id == OSSL_OP_KEYMGMT && family != NULL &&
        strcmp(family->key_management, algorithm->name) == 0)
        family->get_params =
            (int (*)(void *, OSSL_PARAM[]))algorithm->inner[OSSL_FUNC_KEYMGMT_GET_PARAMS];
}

void traced_find_points(struct traced_algorithm *algorithm)
{
    find_points(algorithm, algorithm->name, algorithm->points);
}

/* Sets the context's points to those of the algorithm with that size: "p256", "2048". */
static void name_by_size(struct traced_context *context, const char *size)
{
    struct traced_algorithm *algorithm = context->algorithm;
    char subject[TRACED_NAME_BYTES];
    (void)snprintf(subject, sizeof subject, "%.23s-%.23s", algorithm->name, size);
    if (strcmp(subject, algorithm->subject) != 0) {
        (void)snprintf(algorithm->subject, sizeof algorithm->subject, "%s", subject);
        find_points(algorithm, subject, algorithm->subject_points);
    }
    memcpy(context->points, algorithm->subject_points, sizeof context->points);
}

void traced_name_by_group(struct traced_context *context, const char *group)
{
    if (family_of(context->algorithm->name) == NULL)
        return; /* "x25519" says it all */
    char size[TRACED_NAME_BYTES];
    lower(size, sizeof size, group);
    name_by_size(context, renamed(group_names, COUNT_OF(group_names), size));
}

void traced_name_by_key(struct traced_context *context, void *key)
{
    const struct key_family *family = family_of(context->algorithm->name);
    if (key == NULL || family == NULL || family->get_params == NULL)
        return;
    char group[TRACED_NAME_BYTES] = "";
    int bits = 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group),
        OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_BITS, &bits), OSSL_PARAM_construct_end()};
    if (family->get_params(key, parameters) != 1)
        return;
    if (group[0] != '\0') {
        traced_name_by_group(context, group);
        return;
    }
    char size[16];
    (void)snprintf(size, sizeof size, "%d", bits);
    name_by_size(context, size);
}
