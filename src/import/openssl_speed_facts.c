/* Commands and messages around a run of `openssl speed`. */
#include "import/openssl_speed.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "openssl" or "/usr/bin/openssl.exe" followed by "speed". */
static const char *command_at(const char *text)
{
    for (const char *at = text; (at = find_text(at, "openssl")) != NULL; at++) {
        const char *after = at + 7;
        while (isalnum((unsigned char)*after) || *after == '.' || *after == '-' || *after == '_')
            after++;
        if (*after == '"')
            after++;
        if (has_prefix(after, " speed") && (after[6] == '\0' || !isalnum((unsigned char)after[6])))
            return after + 6;
    }
    return NULL;
}

bool speed_is_command(const char *text)
{
    return command_at(text) != NULL;
}

static bool digest_or_cipher_option(struct slice word)
{
    return slice_is(word, "-evp") || slice_is(word, "-hmac") || slice_is(word, "-cmac");
}

/* The library's own providers are no accelerators. */
static void set_provider(struct run_facts *facts, struct collector *collector, struct slice name)
{
    if (slice_is(name, "default") || slice_is(name, "legacy") || slice_is(name, "base"))
        return;
    facts->engine = collect_slice(collector, name);
    facts->engine_is_provider = true;
}

static void read_option(struct slice word, struct slice *rest, struct collector *collector)
{
    struct run_facts *facts = &collector->run.facts;
    struct slice value = {"", 0};
    int64_t number;
    if (slice_starts(word, "--"))
        word = (struct slice){word.text + 1, word.length - 1};
    if (slice_is(word, "-elapsed")) {
        facts->elapsed = true;
    } else if (slice_is(word, "-decrypt")) {
        facts->decrypt = true;
    } else if (slice_is(word, "-multi") && slice_word(rest, &value)) {
        if (slice_integer(value, &number) && number > 0 && number < 100000)
            facts->workers = (unsigned)number;
    } else if (slice_is(word, "-engine") && slice_word(rest, &value)) {
        facts->engine = collect_slice(collector, value);
        facts->engine_is_provider = false;
    } else if (slice_is(word, "-provider") && slice_word(rest, &value)) {
        set_provider(facts, collector, value);
    } else if (digest_or_cipher_option(word)) {
        facts->evp_asked = true;
    }
}

void speed_read_command(const char *text, struct collector *collector)
{
    const char *options = command_at(text);
    if (options == NULL)
        return;
    struct run_facts *facts = &collector->run.facts;
    const char *start = options;
    while (start > text && start[-1] != '#' && start[-1] != '$' && start[-1] != '"')
        start--;
    facts->command = collect_slice(collector, slice_trim(slice_of(start)));
    facts->command_known = true;
    struct slice rest = slice_of(options), word;
    while (slice_word(&rest, &word)) {
        if (slice_is(word, "|") || slice_is(word, ";") || slice_is(word, "&&"))
            break;
        read_option(word, &rest, collector);
    }
}

bool speed_is_version(const char *text)
{
    if (has_prefix(text, "version: "))
        return isdigit((unsigned char)text[9]) != 0;
    const char *at = has_prefix(text, "OpenSSL") ? text + 7 : NULL;
    if (at == NULL && has_prefix(text, "LibreSSL"))
        at = text + 8;
    if (at == NULL && has_prefix(text, "BoringSSL"))
        return false;
    if (at == NULL)
        return false;
    if (has_prefix(at, " (version "))
        at += 9;
    return *at == ' ' && isdigit((unsigned char)at[1]) && at[2] == '.';
}

static bool contains_any(const char *text, const char *const *needles)
{
    for (; *needles != NULL; needles++) {
        if (find_nocase(text, *needles) != NULL)
            return true;
    }
    return false;
}

/* The engine was there and failed at each operation. */
static const char *const ENGINE_ERRORS[] = {
    "failed to bind socket",
    "socket bind failed",
    "afalg_create_sk",
    "failed to open socket",
    "failed to accept",
    "ALG_PERR",
    NULL,
};
static const char *const ENGINE_FAILURES[] = {
    "invalid engine",
    "no such engine",
    "can't use that engine",
    "cannot use that engine",
    "not enabling devcrypto",
    "/dev/crypto not present",
    "could not open /dev/crypto",
    "cannot open /dev/crypto",
    "could not open(/dev/crypto",
    "failed to load provider",
    "unable to load provider",
    "could not load provider",
    "could not load the shared library",
    "dynamic_load",
    "engine_by_id",
    "engine routines",
    "DSO support routines",
    "no such provider",
    "afalg not supported",
    "ALG_ERR",
    "ALG_WARN",
    "error loading provider",
    NULL,
};
static const char *const KEY_ERRORS[] = {
    "elliptic curve routines",
    "rsa routines",
    "dsa routines",
    "bignum routines",
    "unknown group",
    "public key routines",
    "diffie-hellman",
    "ECDSA",
    "ECDH",
    "RSA ",
    "DSA ",
    "EdDSA",
    "SM2",
    NULL,
};
static const char *const HARMLESS_ERRORS[] = {
    "configuration file routines",
    "fopen",
    "BIO routines",
    ":unsupported:",
    "no such file",
    "inner_evp_generic_fetch",
    "random number generator",
    "asn1 encoding routines",
    NULL,
};

/* Every text of the lists below holds one of these, and hardly another line does. */
static bool may_be_error(const char *text)
{
    static const char *const HINTS[] = {"rror", "ngine", "crypto", "rovider", "ALG_",
                                        "ail",  "afalg", "DSO",    "dynamic", NULL};
    for (const char *const *hint = HINTS; *hint != NULL; hint++) {
        if (find_text(text, *hint) != NULL)
            return true;
    }
    return false;
}

/* "140735:error:25066067:library:function:reason:file:line:" */
static bool is_error_stack(const char *text)
{
    const char *error = find_text(text, ":error:");
    if (error == NULL)
        return false;
    size_t digits = strspn(error + 7, "0123456789ABCDEFabcdef");
    return digits >= 7 && error[7 + digits] == ':';
}

/* The library an error code names, where it is one of keys: its first byte is the library in 1.x
 * (EC, RSA, DSA, ECDSA, ECDH) and twice the library in 3.x (EC, RSA, DSA). */
static bool is_key_code(const char *text)
{
    static const char *const CODES[] = {"10", "04", "0A", "2A", "2B", "08", "02", "05", NULL};
    const char *error = find_text(text, ":error:");
    for (const char *const *code = CODES; error != NULL && *code != NULL; code++) {
        if (has_prefix(error + 7, *code))
            return true;
    }
    return false;
}

static enum speed_message engine_set(const char *text, struct collector *collector)
{
    struct run_facts *facts = &collector->run.facts;
    const char *name = strchr(text, '"');
    const char *end = name != NULL ? strchr(name + 1, '"') : NULL;
    if (end == NULL || !has_prefix(end + 1, " set"))
        return MESSAGE_NONE;
    facts->engine = collect_slice(collector, (struct slice){name + 1, (size_t)(end - name - 1)});
    facts->engine_set = true;
    return MESSAGE_ENGINE_SET;
}

static enum speed_message read_fact(const char *text, struct collector *collector)
{
    struct run_facts *facts = &collector->run.facts;
    static const char *const IGNORED[] = {"To get the most accurate results",
                                          "program when this computer is idle",
                                          "First we calculate the approximate speed",
                                          "available timing options",
                                          "timing function used",
                                          "The 'numbers' are in",
                                          NULL};
    if (has_prefix(text, "You have chosen to measure elapsed time"))
        facts->elapsed = true;
    else if (has_prefix(text, "built on:"))
        facts->built = collect_slice(collector, slice_trim(slice_of(text + 9)));
    else if (has_prefix(text, "options:"))
        facts->options = collect_slice(collector, slice_trim(slice_of(text + 8)));
    else if (has_prefix(text, "compiler:"))
        facts->compiler = collect_slice(collector, slice_trim(slice_of(text + 9)));
    else if (has_prefix(text, "CPUINFO:"))
        facts->cpu_info = collect_slice(collector, slice_trim(slice_of(text + 8)));
    else if (has_prefix(text, "ALGO: "))
        facts->evp_asked = find_text(text, "-evp ") != NULL;
    else if (!contains_any(text, IGNORED))
        return MESSAGE_NONE;
    return MESSAGE_FACT;
}

static enum speed_message read_error(const char *text)
{
    if (contains_any(text, ENGINE_ERRORS))
        return MESSAGE_ENGINE_ERROR;
    if (contains_any(text, ENGINE_FAILURES))
        return MESSAGE_ENGINE_FAILED;
    bool stack = is_error_stack(text);
    if (stack && contains_any(text, HARMLESS_ERRORS))
        return MESSAGE_HARMLESS;
    bool operation = find_text(text, " error!") != NULL;
    bool said = stack || operation || find_text(text, "failure") != NULL;
    if ((stack && is_key_code(text)) || (said && contains_any(text, KEY_ERRORS)))
        return MESSAGE_KEY_ERROR;
    return stack || operation ? MESSAGE_ERROR : MESSAGE_NONE;
}

enum speed_message speed_read_message(const char *text, struct collector *collector)
{
    if (has_prefix(text, "engine \"") || has_prefix(text, "Engine \"")) {
        enum speed_message message = engine_set(text, collector);
        if (message != MESSAGE_NONE)
            return message;
    }
    if (speed_is_version(text)) {
        const char *version = has_prefix(text, "version: ") ? text + 9 : text;
        collector->run.facts.version = collect_slice(collector, slice_of(version));
        return MESSAGE_FACT;
    }
    enum speed_message fact = read_fact(text, collector);
    if (fact != MESSAGE_NONE)
        return fact;
    return may_be_error(text) ? read_error(text) : MESSAGE_NONE;
}
