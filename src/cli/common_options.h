/*
 * Options that mean the same in every command: name, kind, help and default stand here once.
 *
 * Each macro is one initialiser for a command's option table; FIELD is the settings struct's field,
 * SETTINGS its type. A flag whose default is "true" is shown and typed as --no-NAME.
 */
#ifndef TLSMETER_CLI_COMMON_OPTIONS_H
#define TLSMETER_CLI_COMMON_OPTIONS_H

#include <stddef.h>

#include "cli/option.h"

/* const char *: NULL when not given. */
#define OPTION_OUTPUT(SETTINGS, FIELD)                                                             \
    {                                                                                              \
        .of_session = true, .name = "output", .kind = OPTION_TEXT,                                 \
        .offset = offsetof(SETTINGS, FIELD), .argument = "FILE.jsonl",                             \
        .help = "Append the records to this file, which show, check and --resume read."            \
    }

/* const char * */
#define OPTION_RESUME(SETTINGS, FIELD)                                                             \
    {                                                                                              \
        .of_session = true, .name = "resume", .kind = OPTION_TEXT,                                 \
        .offset = offsetof(SETTINGS, FIELD), .argument = "FILE.jsonl",                             \
        .help = "Measure only what this file does not hold yet, and append to it."                 \
    }

/* uint64_t: 0 when not given, a seed is drawn then and recorded. Below 2^53, so that
 * every JSON reader keeps it. */
#define OPTION_SEED(SETTINGS, FIELD)                                                               \
    {                                                                                              \
        .name = "seed", .kind = OPTION_NUMBER, .offset = offsetof(SETTINGS, FIELD),                \
        .argument = "N",                                                                           \
        .help = "Repeat the order of an earlier run. Otherwise a seed is drawn and recorded.",     \
        .maximum = (UINT64_C(1) << 53) - 1                                                         \
    }

/* bool */
#define OPTION_QUICK(SETTINGS, FIELD)                                                              \
    {                                                                                              \
        .name = "quick", .kind = OPTION_FLAG, .offset = offsetof(SETTINGS, FIELD),                 \
        .help = "Measure for a first impression: a wider interval, less time."                     \
    }

/* double */
#define OPTION_TARGET(SETTINGS, FIELD)                                                             \
    {                                                                                              \
        .name = "target", .kind = OPTION_RATIO, .offset = offsetof(SETTINGS, FIELD),               \
        .argument = "P%",                                                                          \
        .help =                                                                                    \
            "Stop a cell when the 95\u00a0% interval of its median is within this part of it.",    \
        .otherwise = "1%"                                                                          \
    }

/* uint64_t nanoseconds */
#define OPTION_MAX_TIME(SETTINGS, FIELD)                                                           \
    {                                                                                              \
        .name = "max-time", .kind = OPTION_DURATION, .offset = offsetof(SETTINGS, FIELD),          \
        .argument = "TIME",                                                                        \
        .help = "Stop a cell after this much measured time, whatever its interval.",               \
        .otherwise = "1s"                                                                          \
    }

/* bool */
#define OPTION_SAMPLES(SETTINGS, FIELD)                                                            \
    {                                                                                              \
        .of_session = true, .name = "samples", .kind = OPTION_FLAG,                                \
        .offset = offsetof(SETTINGS, FIELD),                                                       \
        .help = "Leave the raw samples out of the records: smaller files, weaker comparisons.",    \
        .otherwise = "true"                                                                        \
    }

/* bool */
#define OPTION_CSV(SETTINGS, FIELD)                                                                \
    {                                                                                              \
        .of_session = true, .name = "csv", .kind = OPTION_FLAG,                                    \
        .offset = offsetof(SETTINGS, FIELD),                                                       \
        .help = "Print comma-separated values (RFC 4180), a line per cell, plain units."           \
    }

/* bool */
#define OPTION_MARKDOWN(SETTINGS, FIELD)                                                           \
    {                                                                                              \
        .of_session = true, .name = "markdown", .kind = OPTION_FLAG,                               \
        .offset = offsetof(SETTINGS, FIELD), .help = "Print the tables as Markdown."               \
    }

/* bool */
#define OPTION_QUIET(SETTINGS, FIELD)                                                              \
    {                                                                                              \
        .of_session = true, .name = "quiet", .kind = OPTION_FLAG,                                  \
        .offset = offsetof(SETTINGS, FIELD),                                                       \
        .help = "Print results and errors only: no progress, machine summary or advice."           \
    }

#endif
