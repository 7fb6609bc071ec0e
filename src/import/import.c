#include "import/import.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/clean.h"
#include "import/collect.h"
#include "import/importer.h"
#include "import/lines.h"
#include "import/machine_facts.h"

/* The order matters only for a line that two formats could claim. */
static const struct importer *const IMPORTERS[] = {
    &importer_openssl_speed, &importer_wolfcrypt, &importer_mbedtls_benchmark, &importer_cryptsetup,
    &importer_kcapi,         &importer_s_time,    &importer_securemark,        &importer_curl_w,
};

enum { IMPORTER_COUNT = COUNT_OF(IMPORTERS) };

struct driver {
    struct collector collector;
    void *states[IMPORTER_COUNT];
    int active; /* index of the importer that read the last line; -1: none yet */
};

static bool states_allocate(struct driver *driver, int index)
{
    if (driver->states[index] != NULL)
        return true;
    driver->states[index] = calloc(1, IMPORTERS[index]->state_size);
    if (driver->states[index] != NULL)
        return true;
    driver->collector.stopped = true;
    return error_set(driver->collector.error, ERROR_MEMORY, "memory ran out");
}

static void finish_active(struct driver *driver)
{
    if (driver->active >= 0)
        IMPORTERS[driver->active]->finish(driver->states[driver->active], &driver->collector);
    else
        collect_finish(&driver->collector);
    driver->active = -1;
}

static void take_line(struct driver *driver, const struct import_line *line)
{
    struct collector *collector = &driver->collector;
    collector->now_line = line->number;
    if (line->length == 0)
        return;
    if (driver->active >= 0 &&
        IMPORTERS[driver->active]->parse(driver->states[driver->active], collector, line))
        return;
    for (int i = 0; i < IMPORTER_COUNT && !collector->stopped; i++) {
        if (i == driver->active || !IMPORTERS[i]->probe(line) || !states_allocate(driver, i))
            continue;
        if (driver->active >= 0)
            finish_active(driver);
        driver->active = i;
        collector->now_line = line->number;
        (void)IMPORTERS[i]->parse(driver->states[i], collector, line);
        return;
    }
    (void)machine_facts_line(collector, line);
}

static void driver_free(struct driver *driver)
{
    for (int i = 0; i < IMPORTER_COUNT; i++) {
        if (driver->states[i] != NULL && IMPORTERS[i]->free != NULL)
            IMPORTERS[i]->free(driver->states[i]);
        free(driver->states[i]);
    }
    collect_free(&driver->collector);
}

static bool import_lines(struct line_source *source, const char *name,
                         const struct import_sink *sink, struct import_result *result,
                         struct error *error)
{
    struct driver driver = {.active = -1};
    *result = (struct import_result){0};
    collect_init(&driver.collector, name, sink, result, error);
    while (!driver.collector.stopped && lines_next(source)) {
        struct clean_line cleaned = clean(source->text, source->text_length);
        if (source->number == 1)
            driver.collector.first_line_bare = cleaned.text == source->text;
        struct import_line line = {
            .text = cleaned.text,
            .length = cleaned.length,
            .number = source->number,
            .cut = source->cut,
            .last = !source->ended,
            .stars = cleaned.stars_only,
            .kernel = cleaned.kernel,
        };
        take_line(&driver, &line);
    }
    if (!driver.collector.stopped)
        finish_active(&driver);
    bool ok = !driver.collector.stopped;
    result->lines = source->number;
    result->bytes = source->total_bytes;
    driver_free(&driver);
    if (ok && source->failed)
        return error_set_errno(error, source->errno_value, "%s cannot be read", name);
    return ok;
}

static struct line_source *new_source(struct error *error)
{
    struct line_source *source = malloc(sizeof *source);
    if (source == NULL)
        error_set(error, ERROR_MEMORY, "memory ran out");
    return source;
}

bool import_stream(FILE *stream, const char *name, const struct import_sink *sink,
                   struct import_result *result, struct error *error)
{
    struct line_source *source = new_source(error);
    if (source == NULL)
        return false;
    lines_from_stream(source, stream);
    bool ok = import_lines(source, name, sink, result, error);
    free(source);
    return ok;
}

bool import_file(const char *path, const struct import_sink *sink, struct import_result *result,
                 struct error *error)
{
    if (strcmp(path, "-") == 0)
        return import_stream(stdin, "-", sink, result, error);
    *result = (struct import_result){0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return error_set_errno(error, errno, "%s cannot be opened", path);
    setvbuf(stream, NULL, _IONBF, 0); /* the line source has its own buffer */
    bool ok = import_stream(stream, path, sink, result, error);
    fclose(stream);
    return ok;
}

bool import_memory(const void *bytes, size_t length, const char *name,
                   const struct import_sink *sink, struct import_result *result,
                   struct error *error)
{
    struct line_source *source = new_source(error);
    if (source == NULL)
        return false;
    lines_from_memory(source, bytes, length);
    bool ok = import_lines(source, name, sink, result, error);
    free(source);
    return ok;
}

const struct import_format *import_formats(size_t *count)
{
    static struct import_format formats[IMPORTER_COUNT];
    for (size_t i = 0; i < IMPORTER_COUNT; i++)
        formats[i] = (struct import_format){IMPORTERS[i]->tool, IMPORTERS[i]->description};
    *count = IMPORTER_COUNT;
    return formats;
}

const char *reading_metric_name(enum reading_metric metric)
{
    static const char *const NAMES[] = {
        [METRIC_BYTES_PER_S] = "bytes_per_s",
        [METRIC_OPS_PER_S] = "ops_per_s",
        [METRIC_ITERATIONS_PER_S] = "iterations_per_s",
        [METRIC_CONNECTIONS_PER_S] = "connections_per_s",
        [METRIC_CYCLES_PER_BYTE] = "cycles_per_byte",
        [METRIC_SECONDS] = "seconds",
        [METRIC_MARKS] = "marks",
    };
    return NAMES[metric];
}

const char *reading_flag_name(unsigned bit)
{
    static const char *const NAMES[] = {
#define READING_FLAG_NAME(bit, name) name,
        READING_FLAGS(READING_FLAG_NAME)
#undef READING_FLAG_NAME
    };
    return bit < COUNT_OF(NAMES) ? NAMES[bit] : NULL;
}
