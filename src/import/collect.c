#include "import/collect.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "import/names.h"

enum { FINDING_TEXT_BYTES = 200 };

static void empty(struct collector *collector)
{
    const char *file = collector->run.file;
    arena_clear(&collector->arena);
    collector->reading_count = 0;
    collector->finding_count = 0;
    collector->open = false;
    collector->run = (struct import_run){.file = file, .format = "", .tool = ""};
    collector->run.facts = (struct run_facts){
        .version = "",
        .built = "",
        .options = "",
        .compiler = "",
        .cpu_info = "",
        .command = "",
        .block_size = "",
        .engine = "",
        .clock_hz = NAN,
        .cpu_percent = NAN,
        .elapsed_s = NAN,
        .user_s = NAN,
        .system_s = NAN,
    };
}

void collect_init(struct collector *collector, const char *file, const struct import_sink *sink,
                  struct import_result *result, struct error *error)
{
    *collector = (struct collector){.sink = sink, .result = result, .error = error};
    collector->run.file = file;
    empty(collector);
}

void collect_free(struct collector *collector)
{
    arena_free(&collector->arena);
    free(collector->readings);
    free(collector->findings);
    free(collector->table);
    *collector = (struct collector){.stopped = true};
}

static void no_memory(struct collector *collector)
{
    if (!collector->stopped)
        error_set(collector->error, ERROR_MEMORY, "memory ran out while reading the log");
    collector->stopped = true;
}

static void touch(struct collector *collector, uint32_t line)
{
    if (!collector->open)
        collector->run.first_line = line;
    collector->open = true;
    if (line < collector->run.first_line)
        collector->run.first_line = line;
    if (line > collector->run.last_line)
        collector->run.last_line = line;
}

void collect_begin(struct collector *collector, const char *format, const char *tool)
{
    collector->run.format = format;
    collector->run.tool = tool;
    touch(collector, collector->now_line);
}

/* Doubles an array until it has room for one more. */
static bool grow(struct collector *collector, void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room == 0 ? 64 : *room * 2;
    void *larger = realloc(*items, wanted * size);
    if (larger == NULL) {
        no_memory(collector);
        return false;
    }
    *items = larger;
    *room = wanted;
    return true;
}

static void hand_out(struct collector *collector);

/* A run that has become too long is handed out in parts that share its facts; its texts stay where
 * they are, because the importer still uses them. */
static void hand_out_part(struct collector *collector)
{
    collect_finding(collector, FINDING_NOTE, collector->now_line,
                    "the run is longer than tlsmeter holds at once and is split here");
    hand_out(collector);
    collector->reading_count = 0;
    collector->finding_count = 0;
}

struct reading *collect_reading(struct collector *collector, uint32_t line)
{
    if (collector->reading_count >= IMPORT_RUN_READINGS)
        hand_out_part(collector);
    if (collector->stopped ||
        !grow(collector, (void **)&collector->readings, collector->reading_count,
              &collector->reading_room, sizeof *collector->readings))
        return NULL;
    touch(collector, line);
    struct reading *reading = &collector->readings[collector->reading_count++];
    *reading = (struct reading){
        .algorithm = "",
        .operation = "",
        .label = "",
        .variant = "",
        .size_bytes = -1,
        .line = line,
        .printed = NAN,
        .value = NAN,
        .count = NAN,
        .counted_s = NAN,
        .nominal_s = NAN,
    };
    return reading;
}

void collect_finding(struct collector *collector, enum finding_kind kind, uint32_t line,
                     const char *text)
{
    if (kind == FINDING_UNREAD)
        collector->result->unaccounted++;
    if (collector->stopped || collector->finding_count >= IMPORT_RUN_FINDINGS)
        return;
    if (!grow(collector, (void **)&collector->findings, collector->finding_count,
              &collector->finding_room, sizeof *collector->findings))
        return;
    size_t length = strnlen(text, FINDING_TEXT_BYTES);
    const char *copy = collect_slice(collector, (struct slice){text, length});
    touch(collector, line);
    collector->findings[collector->finding_count++] = (struct finding){kind, line, copy};
}

void collect_finding_text(struct collector *collector, enum finding_kind kind, uint32_t line,
                          const char *format, ...)
{
    char text[FINDING_TEXT_BYTES + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    collect_finding(collector, kind, line, text);
}

const char *collect_slice(struct collector *collector, struct slice slice)
{
    char *copy = arena_copy(&collector->arena, slice.text, slice.length);
    if (copy == NULL) {
        no_memory(collector);
        return "";
    }
    return copy;
}

const char *collect_text(struct collector *collector, const char *format, ...)
{
    char text[IMPORT_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return collect_slice(collector, slice_of(text));
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u; /* FNV-1a, 32 bits */
    return hash * 16777619u;
}

static uint32_t hash_reading(const struct reading *reading)
{
    uint32_t hash = hash_text(2166136261u, reading->algorithm);
    hash = hash_text(hash, reading->operation);
    hash = hash_text(hash, reading->variant);
    hash = (hash ^ (uint32_t)reading->size_bytes) * 16777619u;
    return (hash ^ (uint32_t)reading->metric) * 16777619u;
}

static bool same_subject(const struct reading *a, const struct reading *b)
{
    return a->size_bytes == b->size_bytes && a->metric == b->metric &&
           strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->operation, b->operation) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

static void mark_duplicates(struct collector *collector)
{
    size_t room = 64;
    while (room < collector->reading_count * 2)
        room *= 2;
    if (room > collector->table_room) {
        uint32_t *larger = realloc(collector->table, room * sizeof *larger);
        if (larger == NULL) {
            no_memory(collector);
            return;
        }
        collector->table = larger;
        collector->table_room = room;
    }
    memset(collector->table, 0, room * sizeof *collector->table);
    for (size_t i = 0; i < collector->reading_count; i++) {
        struct reading *reading = &collector->readings[i];
        size_t slot = hash_reading(reading) & (room - 1);
        while (collector->table[slot] != 0) {
            struct reading *other = &collector->readings[collector->table[slot] - 1];
            if (same_subject(reading, other)) {
                reading->flags |= FLAG_DUPLICATE;
                other->flags |= FLAG_DUPLICATE;
                break;
            }
            slot = (slot + 1) & (room - 1);
        }
        if (collector->table[slot] == 0)
            collector->table[slot] = (uint32_t)i + 1;
    }
}

static bool worth_telling(const struct collector *collector)
{
    if (collector->reading_count > 0)
        return true;
    for (size_t i = 0; i < collector->finding_count; i++) {
        if (collector->findings[i].kind < FINDING_NOTE)
            return collector->run.format[0] != '\0';
    }
    return false;
}

static void count_unaccounted(struct collector *collector)
{
    for (size_t i = 0; i < collector->reading_count; i++) {
        const struct reading *reading = &collector->readings[i];
        if (reading->status == CELL_UNKNOWN && reading->flags == 0)
            collector->result->unaccounted++;
    }
}

/* What is left of a label or a number whose front was cut away: "HA-256", or "SHA-256" of
 * "HMAC SHA-256", or "20 connections" of "520 connections". */
static bool may_be_a_rest(const struct import_run *run, const struct reading *reading)
{
    static const char *const RESTS[] = {"sha",  "md5",  "sm3",  "des-", "dsa-",
                                        "drbg", "poly", "cmac", "dh-"};
    const char *algorithm = reading->algorithm;
    if (strcmp(run->format, "openssl-speed") == 0) /* its other lines begin with a fixed word */
        return has_prefix(algorithm, "ffdhe") && !isnan(reading->printed);
    if (strcmp(run->format, "s_time") == 0)
        return true;
    if (strcmp(run->format, "curl-w") == 0 || strcmp(run->format, "securemark-tls") == 0)
        return false;
    if (strpbrk(algorithm, "[]|") != NULL)
        return true;
    for (size_t i = 0; i < COUNT_OF(RESTS); i++) {
        if (has_prefix(algorithm, RESTS[i]))
            return true;
    }
    return !name_symmetric(slice_of(algorithm)).known && !name_key(slice_of(algorithm)).known &&
           !has_prefix(algorithm, "ec") && !has_prefix(algorithm, "pbkdf2-");
}

static void doubt_first_line(struct collector *collector)
{
    /* these two indent their rows, so a row with blanks before it is whole */
    bool indents = strcmp(collector->run.format, "mbedtls-benchmark") == 0 ||
                   strcmp(collector->run.format, "cryptsetup") == 0;
    if (indents && !collector->first_line_bare)
        return;
    for (size_t i = 0; i < collector->reading_count; i++) {
        struct reading *reading = &collector->readings[i];
        if (reading->line != 1 || reading->status == CELL_FAILED ||
            !may_be_a_rest(&collector->run, reading))
            continue;
        reading->status = CELL_UNKNOWN;
        reading->value = NAN;
        reading->flags |= FLAG_TRUNCATED;
    }
}

static void hand_out(struct collector *collector)
{
    if (collector->stopped || !worth_telling(collector))
        return;
    doubt_first_line(collector);
    count_unaccounted(collector);
    mark_duplicates(collector);
    collector->run.number = ++collector->runs;
    collector->run.readings = collector->readings;
    collector->run.reading_count = collector->reading_count;
    collector->run.findings = collector->findings;
    collector->run.finding_count = collector->finding_count;
    collector->result->runs += collector->reading_count > 0;
    collector->result->readings += collector->reading_count;
    if (!collector->stopped &&
        !collector->sink->run(collector->sink->context, &collector->run, collector->error))
        collector->stopped = true;
}

void collect_finish(struct collector *collector)
{
    hand_out(collector);
    empty(collector);
}
