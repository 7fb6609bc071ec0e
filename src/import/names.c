#include "import/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/attributes.h"

struct entry {
    const char *label; /* in regular form */
    const char *name;
};

/* Labels whose regular form is not the name yet. */
static const struct entry RENAMED[] = {
    {"hmac-drbg-sha-1", "hmac-drbg-sha1"},
    {"hmac-drbg-sha-256", "hmac-drbg-sha256"},
    {"rmd160", "ripemd160"},
    {"ripemd", "ripemd160"},
    {"ripemd-160", "ripemd160"},
    {"ripe-md-160", "ripemd160"},
    {"sha", "sha1"},
    {"sha-1", "sha1"},
    {"sha-224", "sha224"},
    {"sha-256", "sha256"},
    {"sha-384", "sha384"},
    {"sha-512", "sha512"},
    {"sha2-224", "sha224"},
    {"sha2-256", "sha256"},
    {"sha2-384", "sha384"},
    {"sha2-512", "sha512"},
    {"sha-512-224", "sha512-224"},
    {"sha-512-256", "sha512-256"},
    {"sha2-512-224", "sha512-224"},
    {"sha2-512-256", "sha512-256"},
    {"sha512-224", "sha512-224"},
    {"sha512-256", "sha512-256"},
    {"shake-128", "shake128"},
    {"shake-256", "shake256"},
    {"des-ede3", "des-ede3-cbc"},
    {"3des", "des-ede3-cbc"},
    {"des3", "des-ede3-cbc"},
    {"3des-cbc", "des-ede3-cbc"},
    {"des", "des-cbc"},
    {"blowfish", "blowfish-cbc"},
    {"bf-cbc", "blowfish-cbc"},
    {"cast", "cast-cbc"},
    {"cast5-cbc", "cast-cbc"},
    {"rc5-32-12-cbc", "rc5-cbc"},
    {"rc5-32-12", "rc5-cbc"},
    {"rand", "random"},
    {"rng", "random"},
    {"chacha", "chacha20"},
    {"cha-poly", "chacha20-poly1305"},
    {"chacha-poly", "chacha20-poly1305"},
    {"arc4", "rc4"},
    {"blake2b", "blake2b512"},
    {"blake2s", "blake2s256"},
    {"blake2b-512", "blake2b512"},
    {"blake2s-256", "blake2s256"},
    {"sm-3", "sm3"},
    {"md-5", "md5"},
    {"idea", "idea-cbc"},
    {"seed", "seed-cbc"},
    {"rc2", "rc2-cbc"},
};

/* First letters of algorithms that are no ciphers. */
static const struct {
    const char *prefix;
    enum name_kind kind;
} KINDS[] = {
    {"md2", NAME_DIGEST},       {"md4", NAME_DIGEST},       {"md5", NAME_DIGEST},
    {"mdc2", NAME_DIGEST},      {"sha", NAME_DIGEST},       {"ripemd", NAME_DIGEST},
    {"whirlpool", NAME_DIGEST}, {"sm3", NAME_DIGEST},       {"blake", NAME_DIGEST},
    {"keccak", NAME_DIGEST},    {"streebog", NAME_DIGEST},  {"crc32", NAME_DIGEST},
    {"hmac", NAME_MAC},         {"kmac", NAME_MAC},         {"ghash", NAME_MAC},
    {"gmac", NAME_MAC},         {"poly1305", NAME_MAC},     {"siphash", NAME_MAC},
    {"cmac", NAME_MAC},         {"random", NAME_RANDOM},    {"ctr-drbg", NAME_RANDOM},
    {"hmac-drbg", NAME_RANDOM}, {"hash-drbg", NAME_RANDOM}, {"drbg", NAME_RANDOM},
};

/* First words of ciphers. */
static const char *const CIPHERS[] = {
    "aes-",      "aes",    "des-",      "rc2-",  "rc4",  "rc5-",     "idea-",   "seed-",
    "blowfish-", "cast-",  "camellia-", "aria-", "sm4",  "chacha20", "salsa20", "serpent",
    "twofish",   "rabbit", "hc128",     "ascon", "null", "adiantum", "xchacha",
};

static void put(struct name *name, size_t *length, char c)
{
    if (*length < NAME_BYTES - 1)
        name->text[(*length)++] = c;
}

/* Lower case; runs of blanks, '_', '/' and '(' become one hyphen; ')' and quotes vanish. */
static void regular_form(struct slice label, struct name *name)
{
    size_t length = 0;
    label = slice_trim(label);
    for (size_t i = 0; i < label.length; i++) {
        char c = (char)tolower((unsigned char)label.text[i]);
        if (c == ' ' || c == '_' || c == '/' || c == '(' || c == '-') {
            if (length > 0 && name->text[length - 1] != '-')
                put(name, &length, '-');
        } else if (c != ')' && c != '\'' && c != '"' && (unsigned char)c > 32) {
            put(name, &length, c);
        }
    }
    while (length > 0 && name->text[length - 1] == '-')
        length--;
    name->text[length] = '\0';
}

static void set_text(struct name *name, const char *text)
{
    size_t length = strnlen(text, NAME_BYTES - 1);
    memmove(name->text, text, length);
    name->text[length] = '\0';
}

/* "id-aes128-gcm" -> aes-128-gcm; "aes128-cbc", "aes256" -> aes-128-cbc, aes-256. */
static void split_key_size(struct name *name)
{
    static const char *const FAMILIES[] = {"aes", "camellia", "aria"};
    if (has_prefix(name->text, "id-"))
        set_text(name, name->text + 3);
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        size_t family = strlen(FAMILIES[i]);
        if (!has_prefix(name->text, FAMILIES[i]) || !isdigit((unsigned char)name->text[family]))
            continue;
        char rest[NAME_BYTES];
        snprintf(rest, sizeof rest, "%s", name->text + family);
        snprintf(name->text, sizeof name->text, "%s-%.50s", FAMILIES[i], rest);
        return;
    }
}

/* "aes-cbc-128" -> aes-128-cbc (Mbed TLS puts the key size last). */
static void move_key_size(struct name *name)
{
    char family[16], mode[16], size[8], after;
    size_t length = strlen(name->text);
    if (length < 3 || !isdigit((unsigned char)name->text[length - 1]))
        return;
    if (sscanf(name->text, "%15[a-z]-%15[a-z]-%7[0-9]%c", family, mode, size, &after) != 3)
        return;
    if (strcmp(size, "128") != 0 && strcmp(size, "192") != 0 && strcmp(size, "256") != 0)
        return;
    if (strcmp(mode, "cmac") == 0 || strlen(mode) == 3 || strcmp(mode, "xts") == 0)
        snprintf(name->text, sizeof name->text, "%s-%s-%s", family, size, mode);
}

static void rename_from_table(struct name *name)
{
    for (size_t i = 0; i < COUNT_OF(RENAMED); i++) {
        if (strcmp(name->text, RENAMED[i].label) == 0) {
            set_text(name, RENAMED[i].name);
            return;
        }
    }
}

/* "hmac-sha-256" -> hmac-sha256; "cmac-aes-128-cbc" -> aes-128-cmac. */
static void rename_mac(struct name *name)
{
    if (has_prefix(name->text, "hmac-") && !has_prefix(name->text, "hmac-drbg")) {
        struct name inner = name_symmetric(slice_of(name->text + 5));
        snprintf(name->text, sizeof name->text, "hmac-%.57s", inner.text);
    } else if (has_prefix(name->text, "cmac-")) {
        struct name inner = name_symmetric(slice_of(name->text + 5));
        char *mode = strrchr(inner.text, '-');
        if (mode != NULL && strcmp(mode, "-cbc") == 0)
            *mode = '\0';
        snprintf(name->text, sizeof name->text, "%.57s-cmac", inner.text);
    }
}

static void find_kind(struct name *name)
{
    size_t length = strlen(name->text);
    name->kind = NAME_CIPHER;
    name->known = false;
    if (length > 5 && strcmp(name->text + length - 5, "-cmac") == 0) {
        name->kind = NAME_MAC;
        for (size_t i = 0; i < COUNT_OF(CIPHERS) && !name->known; i++)
            name->known = has_prefix(name->text, CIPHERS[i]);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (has_prefix(name->text, KINDS[i].prefix)) {
            name->kind = KINDS[i].kind;
            name->known = true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(CIPHERS) && !name->known; i++)
        name->known = has_prefix(name->text, CIPHERS[i]);
}

struct name name_symmetric(struct slice label)
{
    struct name name = {.text = ""};
    regular_form(label, &name);
    split_key_size(&name);
    move_key_size(&name);
    rename_from_table(&name);
    rename_mac(&name);
    find_kind(&name);
    return name;
}

const char *name_operation(enum name_kind kind)
{
    static const char *const OPERATIONS[] = {"encrypt", "digest", "mac", "random"};
    return OPERATIONS[kind];
}

struct name name_curve(struct slice curve)
{
    static const struct entry CURVES[] = {
        {"nistp192", "p192"},  {"secp192r1", "p192"},    {"prime192v1", "p192"},
        {"nistp224", "p224"},  {"secp224r1", "p224"},    {"nistp256", "p256"},
        {"secp256r1", "p256"}, {"prime256v1", "p256"},   {"nistp384", "p384"},
        {"secp384r1", "p384"}, {"nistp521", "p521"},     {"secp521r1", "p521"},
        {"nistk163", "k163"},  {"nistk233", "k233"},     {"nistk283", "k283"},
        {"nistk409", "k409"},  {"nistk571", "k571"},     {"nistb163", "b163"},
        {"nistb233", "b233"},  {"nistb283", "b283"},     {"nistb409", "b409"},
        {"nistb571", "b571"},  {"curve25519", "x25519"}, {"curve448", "x448"},
        {"curvesm2", "sm2"},   {"p-192", "p192"},        {"p-224", "p224"},
        {"p-256", "p256"},     {"p-384", "p384"},        {"p-521", "p521"},
    };
    static const char *const KEPT[] = {"x25519", "x448", "ed25519", "ed448", "sm2"};
    struct name name = {.text = ""};
    regular_form(curve, &name);
    for (size_t i = 0; i < COUNT_OF(CURVES); i++) {
        if (strcmp(name.text, CURVES[i].label) == 0) {
            set_text(&name, CURVES[i].name);
            name.known = true;
            return name;
        }
    }
    for (size_t i = 0; i < COUNT_OF(KEPT); i++)
        name.known = name.known || strcmp(name.text, KEPT[i]) == 0;
    name.known = name.known || has_prefix(name.text, "secp") || has_prefix(name.text, "sect") ||
                 has_prefix(name.text, "brainpoolp");
    return name;
}

/* "rsa2048" and "rsa-2048" -> rsa-2048; "mlkem768" -> ml-kem-768. False when `prefix` is not it. */
static bool with_number(struct name *name, const char *prefix, const char *ours)
{
    size_t length = strlen(prefix);
    if (!has_prefix(name->text, prefix))
        return false;
    const char *number = name->text + length;
    if (*number == '-')
        number++;
    size_t digits = strspn(number, "0123456789");
    if (digits == 0 || number[digits] != '\0')
        return false;
    char copy[NAME_BYTES];
    snprintf(copy, sizeof copy, "%s-%.40s", ours, number);
    set_text(name, copy);
    name->known = true;
    return true;
}

struct name name_key(struct slice label)
{
    static const char *const KNOWN[] = {"kyber",
                                        "frodo",
                                        "hqc",
                                        "bike",
                                        "ml-",
                                        "slh-dsa",
                                        "falcon",
                                        "dilithium",
                                        "sphincs",
                                        "mayo",
                                        "cross",
                                        "x25519",
                                        "x448",
                                        "ed25519",
                                        "ed448",
                                        "sntrup",
                                        "classic-mceliece",
                                        "p256",
                                        "p384",
                                        "p521",
                                        "secp",
                                        "uov",
                                        "snova",
                                        "sm2"};
    struct name name = {.text = ""};
    regular_form(label, &name);
    if (with_number(&name, "rsa", "rsa") || with_number(&name, "dsa", "dsa") ||
        with_number(&name, "mlkem", "ml-kem") || with_number(&name, "ml-kem", "ml-kem") ||
        with_number(&name, "mldsa", "ml-dsa") || with_number(&name, "ml-dsa", "ml-dsa") ||
        with_number(&name, "dh", "dh") || with_number(&name, "dhe", "dh"))
        return name;
    if (has_prefix(name.text, "ecp-")) {
        char copy[NAME_BYTES];
        snprintf(copy, sizeof copy, "ecdh-p%.50s", name.text + 4);
        set_text(&name, copy);
        name.known = true;
        return name;
    }
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++)
        name.known = name.known || has_prefix(name.text, KNOWN[i]);
    return name;
}

bool name_is_kem(const char *name)
{
    return find_text(name, "kem") != NULL || has_prefix(name, "kyber") || has_prefix(name, "hqc") ||
           has_prefix(name, "frodo") || has_prefix(name, "bike") || has_prefix(name, "x25519") ||
           has_prefix(name, "x448") || has_prefix(name, "ecdh-") || has_prefix(name, "sntrup");
}

bool name_is_signature(const char *name)
{
    return has_prefix(name, "ml-dsa") || has_prefix(name, "slh-dsa") || has_prefix(name, "dsa-") ||
           has_prefix(name, "falcon") || has_prefix(name, "dilithium") ||
           has_prefix(name, "sphincs") || has_prefix(name, "mayo") || has_prefix(name, "ed25519") ||
           has_prefix(name, "ed448");
}
