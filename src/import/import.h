/*
 * Foreign benchmark logs into readings.
 *
 * import_stream() reads one log of any known tool, recognises the tool by its lines, and hands each
 * run it finds to the sink: the facts of the run (tool, version, command, engine, clock), one
 * reading per number, and the findings that say what is wrong with them. A reading holds what the
 * log prints and what tlsmeter believes; the two differ when the printed figure is wrong. Nothing
 * is guessed silently: a number without a certain meaning has status `unknown` and no value.
 *
 * Ownership: a run and all it points to live until the sink returns. Memory is bounded: a line is
 * kept to IMPORT_LINE_BYTES, a run to IMPORT_RUN_READINGS readings (a longer one is split). Any
 * byte sequence is safe input, and the time is linear in its length.
 *
 * Units: bytes, bytes per second, operations per second, seconds.
 */
#ifndef TLSMETER_IMPORT_IMPORT_H
#define TLSMETER_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/arena.h"
#include "core/error.h"
#include "record/cell.h"
#include "record/run.h"

#define IMPORT_LINE_BYTES   4096
#define IMPORT_RUN_READINGS 16384
#define IMPORT_RUN_FINDINGS 512

enum reading_metric {
    METRIC_BYTES_PER_S,
    METRIC_OPS_PER_S,
    METRIC_ITERATIONS_PER_S,
    METRIC_CONNECTIONS_PER_S,
    METRIC_CYCLES_PER_BYTE,
    METRIC_SECONDS,
    METRIC_MARKS, /* SecureMark-TLS score */
};

/* One row per flag: bit, name in records and CSV (record/flag.h holds meaning and advice). */
#define READING_FLAGS(X)                                                                           \
    X(FLAG_CPU_TIME, "cpu-time")                                                                   \
    X(FLAG_INFINITE, "infinite")                                                                   \
    X(FLAG_ENGINE_FAILED, "engine-failed")                                                         \
    X(FLAG_ENGINE_NOT_USED, "engine-not-used-suspected")                                           \
    X(FLAG_TABLE_DISAGREES, "table-disagrees")                                                     \
    X(FLAG_ERRORS_TIMED, "errors-timed")                                                           \
    X(FLAG_TOTAL_OF_WORKERS, "total-of-workers")                                                   \
    X(FLAG_DUPLICATE, "duplicate")                                                                 \
    X(FLAG_COUNTER_SATURATED, "counter-saturated")                                                 \
    X(FLAG_BELOW_RESOLUTION, "below-resolution")                                                   \
    X(FLAG_TRUNCATED, "truncated")                                                                 \
    X(FLAG_DURATION_OFF, "duration-off")                                                           \
    X(FLAG_EXCEEDS_CLOCK, "exceeds-clock")                                                         \
    X(FLAG_NOT_RESUMED, "not-resumed")

enum reading_flag_bit {
#define READING_FLAG_BIT(bit, name) bit##_BIT,
    READING_FLAGS(READING_FLAG_BIT)
#undef READING_FLAG_BIT
};
enum reading_flag {
#define READING_FLAG_VALUE(bit, name) bit = 1 << bit##_BIT,
    READING_FLAGS(READING_FLAG_VALUE)
#undef READING_FLAG_VALUE
};

/* One number of a log. */
struct reading {
    const char *algorithm; /* our vocabulary, lower case */
    const char *operation; /* our vocabulary */
    const char *label;     /* as the log spells it */
    const char *variant;   /* "evp", "plain", "device:1", "worker:0", "total", ... or "" */
    int64_t size_bytes;    /* -1: the operation has no size */
    enum reading_metric metric;
    enum cell_status status;
    uint32_t flags;      /* of enum reading_flag */
    uint32_t line;       /* where the printed figure stands, counted from 1 */
    uint32_t count_line; /* where the count stands; 0: the log holds none */
    double printed;      /* NaN: the log prints no figure; may be infinite */
    double value;        /* NaN: none that can be believed */
    double count;        /* operations counted by the tool; NaN: unknown */
    double counted_s;    /* the seconds the tool divided by; NaN: unknown */
    double nominal_s;    /* the seconds it meant to run; NaN: unknown */
};

enum finding_kind {
    FINDING_ENGINE_FAILED,   /* an engine or provider that was asked for did not load or bind */
    FINDING_OPERATION_ERROR, /* an operation reported an error */
    FINDING_UNAVAILABLE,     /* the tool says an algorithm cannot be measured here */
    FINDING_UNREAD,          /* a line that holds numbers and could not be read */
    FINDING_CUT,             /* a table or sentence ends in the middle */
    FINDING_NO_SUMMARY,      /* children of a run without a total */
    FINDING_KERNEL,          /* a kernel fault during the run */
    FINDING_NOTE,            /* something the reader should know */
    FINDING_REMARK,          /* the same, of no weight */
};

struct finding {
    enum finding_kind kind;
    uint32_t line;
    const char *text; /* the line or a sentence about it; at most 200 bytes */
};

/* What the log says about the run. Texts are "" and numbers NaN or 0 when it says nothing. */
struct run_facts {
    const char *version, *built, *options, *compiler, *cpu_info, *command, *block_size;
    const char *engine; /* engine or provider asked for */
    bool engine_set;    /* the tool said that it set it */
    bool engine_failed;
    bool engine_is_provider;
    bool elapsed;       /* rates are per elapsed second, not per CPU second */
    bool evp_asked;     /* -evp, so labels without blank are the EVP row */
    bool command_known; /* the command line is in the log */
    bool decrypt;
    unsigned workers; /* 0: not said */
    double clock_hz;
    double cpu_percent; /* of a `time -v` block or of real, user and sys */
    double elapsed_s, user_s, system_s;
};

struct import_run {
    const char *format; /* name of the importer */
    const char *tool;   /* "openssl speed", ... */
    const char *file;   /* as given */
    unsigned number;    /* of the run within the file, from 1 */
    uint32_t first_line, last_line;
    struct run_facts facts;
    const struct reading *readings;
    size_t reading_count;
    const struct finding *findings;
    size_t finding_count;
};

struct import_sink {
    void *context;
    /* One run is complete. False with an error ends the import. */
    bool (*run)(void *context, const struct import_run *run, struct error *error);
};

struct import_result {
    unsigned runs; /* with at least one reading */
    uint64_t readings;
    uint64_t unaccounted; /* numbers that were neither read nor explained */
    uint64_t lines, bytes;
};

/* Reads one log; `name` is the file's name as given, "-" for standard input. False only when the
 * stream cannot be read, memory ran out or the sink said so; a log of no known tool gives a result
 * without runs. */
MUST_USE bool import_stream(FILE *stream, const char *name, const struct import_sink *sink,
                            struct import_result *result, struct error *error);
MUST_USE bool import_file(const char *path, const struct import_sink *sink,
                          struct import_result *result, struct error *error);
/* The same from memory: for tests and the fuzz target. */
MUST_USE bool import_memory(const void *bytes, size_t length, const char *name,
                            const struct import_sink *sink, struct import_result *result,
                            struct error *error);

/* The formats that are read: name and one line about each. */
struct import_format {
    const char *name;
    const char *description;
};
const struct import_format *import_formats(size_t *count);

const char *reading_metric_name(enum reading_metric metric);
/* Name of one flag bit, counted from 0; NULL past the last. */
const char *reading_flag_name(unsigned bit);

/* Fills an empty cell and a run line from a reading. `platform` may be NULL. */
void import_fill_cell(const struct import_run *run, const struct reading *reading,
                      const char *run_id, const char *platform, struct cell *cell);
void import_fill_run(const struct import_run *run, const char *platform, struct run *record);

#endif
