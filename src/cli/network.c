#include "cli/network.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/text.h"

enum { FILE_BYTES = 65536, KEYS = 10 };

enum kind { WHOLE, REAL, DUPLEX };

/* One key, and where its value goes. */
struct key {
    const char *name;
    enum kind kind;
    size_t offset, bytes; /* of a whole number */
    uint64_t maximum;
};

static const struct key keys[KEYS] = {
    {"rate_bit_per_s", WHOLE, offsetof(struct link_settings, rate_bit_per_s), 8, UINT64_MAX},
    {"delay_us", WHOLE, offsetof(struct link_settings, delay_us), 4, UINT32_MAX},
    {"jitter_us", WHOLE, offsetof(struct link_settings, jitter_us), 4, UINT32_MAX},
    {"loss", REAL, offsetof(struct link_settings, loss), 0, 0},
    {"burst_p", REAL, offsetof(struct link_settings, burst_p), 0, 0},
    {"burst_r", REAL, offsetof(struct link_settings, burst_r), 0, 0},
    {"frame_payload_bytes", WHOLE, offsetof(struct link_settings, frame_payload_bytes), 4,
     LINK_LARGEST_FRAME_BYTES},
    {"frame_overhead_bytes", WHOLE, offsetof(struct link_settings, frame_overhead_bytes), 4,
     LINK_LARGEST_FRAME_BYTES},
    {"duplex", DUPLEX, offsetof(struct link_settings, is_half_duplex), 0, 0},
    {"duty_cycle", REAL, offsetof(struct link_settings, duty_cycle), 0, 0},
};

struct reading {
    struct link_settings *settings;
    bool given[KEYS], sourced[KEYS];
    struct error *error;
    bool failed;
};

static int refuse(struct reading *reading, const char *key, const char *why)
{
    if (!reading->failed)
        (void)error_set(reading->error, ERROR_INPUT, "%s: %s", key, why);
    reading->failed = true;
    return 0;
}

static bool set_whole(struct reading *reading, const struct key *key, const char *value)
{
    char *place = (char *)reading->settings + key->offset;
    uint64_t number = 0;
    struct error why;
    if (!text_parse_u64(value, 0, key->maximum, &number, &why))
        return refuse(reading, key->name, why.text) != 0;
    uint32_t small = (uint32_t)number;
    if (key->bytes == sizeof number)
        memcpy(place, &number, sizeof number);
    else
        memcpy(place, &small, sizeof small);
    return true;
}

static bool set_real(struct reading *reading, const struct key *key, const char *value)
{
    char *end = NULL;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number >= 0 && number <= 1))
        return refuse(reading, key->name, "a number from 0 to 1 is right") != 0;
    memcpy((char *)reading->settings + key->offset, &number, sizeof number);
    return true;
}

static bool set_duplex(struct reading *reading, const char *value)
{
    reading->settings->is_half_duplex = strcmp(value, "half") == 0;
    if (strcmp(value, "half") != 0 && strcmp(value, "full") != 0)
        return refuse(reading, "duplex", "full or half is right") != 0;
    return true;
}

static int read_key(void *context, const char *section, const char *name, const char *value)
{
    static const char source[] = "_source";
    struct reading *reading = context;
    size_t length = strlen(name);
    size_t bare = length > strlen(source) ? length - strlen(source) : 0;
    bool is_source = bare > 0 && strcmp(name + bare, source) == 0;
    (void)section;
    for (size_t i = 0; i < KEYS; i++) {
        const struct key *key = &keys[i];
        if (is_source && strlen(key->name) == bare && strncmp(name, key->name, bare) == 0) {
            reading->sourced[i] = value[0] != '\0';
            return 1;
        }
        if (is_source || strcmp(name, key->name) != 0)
            continue;
        if (reading->given[i])
            return refuse(reading, name, "it stands here twice");
        reading->given[i] = true;
        return key->kind == WHOLE  ? set_whole(reading, key, value)
               : key->kind == REAL ? set_real(reading, key, value)
                                   : set_duplex(reading, value);
    }
    return refuse(reading, name, "a network has no such key");
}

static bool check_sources(const struct reading *reading, struct error *error)
{
    for (size_t i = 0; i < KEYS; i++)
        if (reading->given[i] && !reading->sourced[i])
            return error_set(error, ERROR_INPUT, "%s has no %s_source: where is it from?",
                             keys[i].name, keys[i].name);
    return reading->given[0] || error_set(error, ERROR_INPUT, "rate_bit_per_s is missing");
}

static bool parse(const char *text, const char *place, struct link_settings *settings,
                  struct error *error)
{
    struct reading reading = {.settings = settings, .error = error};
    *settings = (struct link_settings){.burst_r = 1, .frame_payload_bytes = 1500, .duty_cycle = 1};
    int line = ini_parse_string(text, read_key, &reading);
    if (line > 0 && !reading.failed)
        (void)error_set(error, ERROR_INPUT, "KEY = VALUE is right");
    if (line != 0)
        return error_prefix(error, "%s:%d", place, line);
    return (check_sources(&reading, error) && link_check(settings, error)) ||
           error_prefix(error, "%s", place);
}

static bool read_file(const char *path, struct link_settings *settings, struct error *error)
{
    static char text[FILE_BYTES];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return error_set_errno(error, errno, "%s", path);
    size_t length = fread(text, 1, sizeof text - 1, file);
    bool whole = ferror(file) == 0 && length < sizeof text - 1;
    (void)fclose(file);
    if (!whole)
        return error_set(error, ERROR_INPUT, "%s cannot be read, or is too large", path);
    text[length] = '\0';
    return parse(text, path, settings, error);
}

void network_names(struct buffer *out)
{
    for (const struct network_preset *preset = network_presets; preset->name != NULL; preset++)
        buffer_printf(out, "%s%s", preset == network_presets ? "" : ", ", preset->name);
}

bool network_read(const char *name_or_file, struct link_settings *settings, struct error *error)
{
    for (const struct network_preset *preset = network_presets; preset->name != NULL; preset++)
        if (strcmp(preset->name, name_or_file) == 0)
            return parse(preset->text, name_or_file, settings, error);
    if (strchr(name_or_file, '.') != NULL || strchr(name_or_file, '/') != NULL)
        return read_file(name_or_file, settings, error);
    struct buffer names;
    buffer_init(&names, 1024);
    network_names(&names);
    (void)error_set(error, ERROR_USAGE, "there is no network '%s': %s, or a FILE.ini", name_or_file,
                    buffer_text(&names));
    buffer_free(&names);
    return false;
}
