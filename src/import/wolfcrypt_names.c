#include "import/wolfcrypt_names.h"

#include <string.h>

#include "core/attributes.h"
#include "import/names.h"

void wolfcrypt_split(struct slice text, struct wolfcrypt_words *words)
{
    words->count = 0;
    while (words->count < WOLFCRYPT_WORDS && slice_word(&text, &words->word[words->count]))
        words->count++;
}

struct slice wolfcrypt_join(const struct wolfcrypt_words *words, unsigned first, unsigned end)
{
    if (first >= end)
        return (struct slice){"", 0};
    const char *from = words->word[first].text;
    const char *to = words->word[end - 1].text + words->word[end - 1].length;
    return (struct slice){from, (size_t)(to - from)};
}

/* --- labels -------------------------------------------------------------------------------- */

/* Cuts `part` (with the hyphen before it) out of a label; true when it was there. */
static bool cut_part(char *label, const char *part)
{
    char *at = strstr(label, part);
    if (at == NULL)
        return false;
    size_t length = strlen(part);
    if (at[length] != '\0' && at[length] != '-' && at[length] != ' ')
        return false;
    memmove(at, at + length, strlen(at + length) + 1);
    return true;
}

/* Spellings of 3.x ("AES-128 enc"), 4.x ("AES-CCM-Enc") and since. */
static const char *const ENCRYPTS[] = {"-enc", "-Enc", " enc"};
static const char *const DECRYPTS[] = {"-dec", "-Dec", " dec"};

static bool cut_any(char *label, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cut_part(label, parts[i]))
            return true;
    }
    return false;
}

static const char *device_variant(struct collector *collector, int device)
{
    return device >= 0 ? collect_text(collector, "device:%d", device) : "";
}

/* "AES-128-GCM-enc-no_AAD" -> aes-128-gcm, encrypt, no-aad. */
void wolfcrypt_name_bulk(struct collector *collector, int device, struct slice label,
                         struct reading *reading)
{
    char text[NAME_BYTES];
    size_t length = label.length < sizeof text - 1 ? label.length : sizeof text - 1;
    memcpy(text, label.text, length);
    text[length] = '\0';
    const char *variant = device_variant(collector, device);
    if (cut_part(text, "-no_AAD"))
        variant = "no-aad";
    if (cut_part(text, "-STREAM"))
        variant = "stream";
    if (cut_part(text, "-HW") || cut_part(text, " HW"))
        variant = "device:1";
    if (cut_part(text, "-SW") || cut_part(text, " SW"))
        variant = "device:0";
    bool encrypts = cut_any(text, ENCRYPTS, COUNT_OF(ENCRYPTS));
    bool decrypts = !encrypts && cut_any(text, DECRYPTS, COUNT_OF(DECRYPTS));
    if (has_prefix(text, "GMAC"))
        text[4] = '\0';
    if (has_prefix(text, "RNG"))
        text[3] = '\0';
    struct name name = name_symmetric(slice_of(text));
    bool derives = has_prefix(name.text, "pbkdf") || has_prefix(name.text, "scrypt");
    reading->label = collect_slice(collector, label);
    reading->algorithm = collect_text(collector, "%s", name.text);
    reading->operation = decrypts   ? "decrypt"
                         : encrypts ? "encrypt"
                         : derives  ? "kdf"
                                    : name_operation(name.kind);
    reading->variant = variant;
}

static const struct {
    const char *words;
    const char *operation;
} KEY_OPERATIONS[] = {
    {"public", "encrypt"},       {"private", "decrypt"},    {"key gen", "keygen"},
    {"agree", "derive"},         {"sign", "sign"},          {"verify", "verify"},
    {"encrypt", "encrypt"},      {"decrypt", "decrypt"},    {"encap", "encaps"},
    {"decap", "decaps"},         {"encaps", "encaps"},      {"decaps", "decaps"},
    {"encryption", "encrypt"},   {"decryption", "decrypt"}, {"gen", "keygen"},
    {"derive", "derive"},        {"keygen", "keygen"},      {"key generation", "keygen"},
    {"key agreement", "derive"},
};

/* The operation whose words begin at `at`; the number of words, 0: none. */
static unsigned key_operation(const struct wolfcrypt_words *words, unsigned at,
                              const char **operation)
{
    for (size_t i = 0; i < COUNT_OF(KEY_OPERATIONS); i++) {
        struct slice rest = slice_of(KEY_OPERATIONS[i].words), wanted;
        unsigned matched = 0;
        bool same = true;
        while (slice_word(&rest, &wanted)) {
            unsigned here = at + matched++;
            same = same && here < words->count && words->word[here].length == wanted.length &&
                   memcmp(words->word[here].text, wanted.text, wanted.length) == 0;
        }
        if (same) {
            *operation = KEY_OPERATIONS[i].operation;
            return matched;
        }
    }
    return 0;
}

/* "[", "SECP256R1]" among the words. */
static struct slice bracketed(const struct wolfcrypt_words *words, unsigned end)
{
    const char *open = NULL;
    for (unsigned i = 0; i < end; i++) {
        struct slice word = words->word[i];
        if (open == NULL && word.text[0] == '[')
            open = word.text + 1;
        if (open != NULL && word.text[word.length - 1] == ']') {
            const char *close = word.text + word.length - 1;
            return slice_trim((struct slice){open, (size_t)(close - open)});
        }
    }
    return (struct slice){"", 0};
}

static const char *curve_of_bits(int64_t bits)
{
    static const struct {
        int64_t bits;
        const char *curve;
    } CURVES[] = {{192, "p192"}, {224, "p224"}, {256, "p256"}, {384, "p384"}, {521, "p521"}};
    for (size_t i = 0; i < COUNT_OF(CURVES); i++) {
        if (CURVES[i].bits == bits)
            return CURVES[i].curve;
    }
    return NULL;
}

/* "RSA", "ECDHE" with a curve or bits, "ED" 25519, "ML-KEM 768", ... */
static const char *name_key_algorithm(struct collector *collector,
                                      const struct wolfcrypt_words *words, unsigned end,
                                      int64_t bits)
{
    static const struct {
        const char *label, *ours;
        bool curve; /* followed by the curve, else by the number of bits */
    } FAMILIES[] = {
        {"RSA", "rsa-", false},     {"DH", "dh-", false},      {"DSA", "dsa-", false},
        {"ED", "ed", false},        {"CURVE", "x", false},     {"ECDSA", "ecdsa-", true},
        {"EC-DSA", "ecdsa-", true}, {"ECC", "ecdh-", true},    {"ECDHE", "ecdh-", true},
        {"ECDH", "ecdh-", true},    {"EC-DHE", "ecdh-", true},
    };
    const char *curve = curve_of_bits(bits);
    struct slice named = bracketed(words, end);
    struct name name;
    if (named.length > 0) {
        name = name_curve(named);
        curve = name.text;
    }
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (!slice_is(words->word[0], FAMILIES[i].label))
            continue;
        if (FAMILIES[i].curve && curve == NULL) /* 3.x did not say which: "ecdsa" */
            return collect_text(collector, "%.*s", (int)strcspn(FAMILIES[i].ours, "-"),
                                FAMILIES[i].ours);
        if (FAMILIES[i].curve)
            return collect_text(collector, "%s%s", FAMILIES[i].ours, curve);
        return collect_text(collector, "%s%lld", FAMILIES[i].ours, (long long)bits);
    }
    struct slice whole = wolfcrypt_join(words, 0, end);
    if (whole.length == 0)
        return "";
    return collect_text(collector, "%s", name_key(whole).text);
}

/* "ML-KEM 768" "192 key gen": a name with a number of its own, then the strength. */
void wolfcrypt_name_key(struct collector *collector, int device,
                        const struct wolfcrypt_words *words, unsigned end, struct reading *reading)
{
    unsigned at = 0, length = 0;
    const char *operation = "";
    for (at = 1; at < end && length == 0; at++)
        length = key_operation(words, at, &operation);
    at = length > 0 ? at - 1 : end;
    int64_t bits = -1;
    unsigned name_end = at;
    if (at > 1 && slice_integer(words->word[at - 1], &bits)) {
        name_end = at - 1;
        int64_t own;
        bool numbered = name_end > 1 && slice_integer(words->word[name_end - 1], &own);
        bool post_quantum = slice_starts(words->word[0], "ML-") ||
                            slice_starts(words->word[0], "KYBER") ||
                            slice_starts(words->word[0], "DILITHIUM");
        if (!numbered && post_quantum)
            name_end = at;
    }
    const char *variant = device_variant(collector, device);
    for (unsigned i = at + length; i < end; i++) {
        if (slice_is(words->word[i], "HW"))
            variant = "device:1";
        else if (slice_is(words->word[i], "SW"))
            variant = "device:0";
    }
    reading->label = collect_slice(collector, wolfcrypt_join(words, 0, end));
    reading->algorithm = name_key_algorithm(collector, words, name_end, bits);
    if (strcmp(reading->algorithm, "scrypt") == 0)
        operation = "kdf";
    reading->operation = operation;
    reading->variant = variant;
    reading->metric = METRIC_OPS_PER_S;
}
