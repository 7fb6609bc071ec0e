/* What the kernel offers for crypto, and what the environment forbids the libraries. */
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/machine_internal.h"

enum { TEXT_BYTES = 8192, MOST_LISTED = 24 };

/* Algorithms of the kernel that devices with TLS, IPsec, dm-crypt or SecOC use. */
static const char *const interesting[] = {"gcm(aes)",
                                          "rfc4106(gcm(aes))",
                                          "ccm(aes)",
                                          "cbc(aes)",
                                          "ctr(aes)",
                                          "xts(aes)",
                                          "ecb(aes)",
                                          "cmac(aes)",
                                          "rfc7539(chacha20,poly1305)",
                                          "sha1",
                                          "sha256",
                                          "sha384",
                                          "sha512",
                                          "hmac(sha256)",
                                          "rsa",
                                          "ecdh-nist-p256"};

struct driver {
    const char *algorithm, *name;
    long priority;
    bool asynchronous, internal;
};

/* Reads the block at *text, which moves to the next; false at the end. */
static bool next_driver(const struct probe *probe, const char **text, struct driver *driver)
{
    if (*text == NULL || **text == '\0')
        return false;
    const char *end = strstr(*text, "\n\n");
    size_t length = end == NULL ? strlen(*text) : (size_t)(end - *text);
    const char *block = arena_copy(&probe->machine->arena, *text, length);
    *text += length + strspn(*text + length, "\n");
    if (block == NULL)
        return false;
    const char *at = block;
    driver->algorithm = probe_field(probe, &at, "name");
    at = block;
    driver->name = probe_field(probe, &at, "driver");
    at = block;
    const char *priority = probe_field(probe, &at, "priority");
    at = block;
    const char *asynchronous = probe_field(probe, &at, "async");
    at = block;
    const char *internal = probe_field(probe, &at, "internal");
    driver->priority = priority == NULL ? 0 : strtol(priority, NULL, 10);
    driver->asynchronous = asynchronous != NULL && strcmp(asynchronous, "yes") == 0;
    driver->internal = internal != NULL && strcmp(internal, "yes") == 0;
    return true;
}

static bool contains_any(const char *text, const char *const *parts)
{
    for (; *parts != NULL; parts++)
        if (strstr(text, *parts) != NULL)
            return true;
    return false;
}

/* A device answers later, so its driver is asynchronous. Some drivers that compute on the CPU say
 * so too: they bear these in their names. */
static bool is_device(const struct driver *driver)
{
    static const char *const on_cpu[] = {"generic", "cryptd", "simd",  "aesni", "avx",
                                         "-ce",     "neon",   "vaes",  "ssse3", "sse2",
                                         "-ni",     "pcrypt", "arm64", "-lib",  NULL};
    return driver->asynchronous && !contains_any(driver->name, on_cpu);
}

struct listing {
    struct buffer best, devices;
    unsigned drivers, device_count;
};

/* The driver with the highest priority for each algorithm of interest. */
static void list_best(const struct probe *probe, const char *text, struct buffer *out)
{
    struct driver best[COUNT_OF(interesting)] = {0};
    struct driver driver;
    while (next_driver(probe, &text, &driver))
        for (size_t i = 0; i < COUNT_OF(interesting); i++)
            if (driver.algorithm != NULL && driver.name != NULL && !driver.internal &&
                strcmp(driver.algorithm, interesting[i]) == 0 &&
                (best[i].name == NULL || driver.priority > best[i].priority))
                best[i] = driver;
    for (size_t i = 0; i < COUNT_OF(interesting); i++)
        if (best[i].name != NULL)
            buffer_printf(out, "%s%s by %s", out->length > 0 ? ", " : "", interesting[i],
                          best[i].name);
}

static void list_devices(const struct probe *probe, const char *text, struct listing *listing)
{
    struct driver driver;
    while (next_driver(probe, &text, &driver)) {
        if (driver.algorithm == NULL || driver.name == NULL)
            continue;
        listing->drivers++;
        if (driver.internal || !is_device(&driver))
            continue;
        if (listing->device_count++ < MOST_LISTED)
            buffer_printf(&listing->devices, "%s%s by %s", listing->devices.length > 0 ? ", " : "",
                          driver.algorithm, driver.name);
    }
    if (listing->device_count > MOST_LISTED)
        buffer_printf(&listing->devices, ", and %u more", listing->device_count - MOST_LISTED);
}

static void kernel_drivers(const struct probe *probe)
{
    const char *text = probe_read(probe, "proc/crypto");
    if (text == NULL) {
        fact_unavailable(probe, "kernel_crypto.drivers", "/proc/crypto cannot be read");
        return;
    }
    struct listing listing = {.drivers = 0};
    buffer_init(&listing.best, TEXT_BYTES);
    buffer_init(&listing.devices, TEXT_BYTES);
    list_best(probe, text, &listing.best);
    list_devices(probe, text, &listing);
    fact_integer(probe, "kernel_crypto.driver_count", listing.drivers);
    const char *best = probe_take(probe, &listing.best);
    const char *devices = probe_take(probe, &listing.devices);
    fact_text_or(probe, "kernel_crypto.drivers", *best == '\0' ? NULL : best,
                 "/proc/crypto lists none of interest (modules load when first used)");
    fact_text(probe, "kernel_crypto.accelerators",
              *devices == '\0' ? "none in /proc/crypto" : devices);
}

static void interfaces(const struct probe *probe)
{
    struct error error;
    if (probe->view->af_alg(&error))
        fact_text(probe, "kernel_crypto.af_alg", "usable");
    else
        fact_unavailable(probe, "kernel_crypto.af_alg", error.text);
    if (probe_exists(probe, "dev/crypto"))
        fact_text(probe, "kernel_crypto.dev_crypto", "present");
    else
        fact_unavailable(probe, "kernel_crypto.dev_crypto", "no /dev/crypto (module cryptodev)");
}

/* Variables that change what OpenSSL computes with: OPENSSL_ia32cap(3), and crypto/armcap.c,
 * ppccap.c, s390xcap.c, riscvcap.c of its sources. */
static void environment(const struct probe *probe)
{
    static const struct {
        const char *variable, *name;
        bool is_path; /* names a user's folder: not for records */
    } rows[] = {{"OPENSSL_ia32cap", "environment.openssl_ia32cap", false},
                {"OPENSSL_armcap", "environment.openssl_armcap", false},
                {"OPENSSL_ppccap", "environment.openssl_ppccap", false},
                {"OPENSSL_s390xcap", "environment.openssl_s390xcap", false},
                {"OPENSSL_riscvcap", "environment.openssl_riscvcap", false},
                {"OPENSSL_CONF", "environment.openssl_conf", true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *value = probe->view->environment(rows[i].variable);
        if (value != NULL)
            fact_text(probe, rows[i].name, rows[i].is_path ? "set" : value);
    }
}

void probe_crypto(struct probe *probe)
{
    kernel_drivers(probe);
    interfaces(probe);
    environment(probe);
}
