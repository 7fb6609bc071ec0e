/* What the tests of the importers share: a log from a string or a file into kept readings. */
#ifndef TLSMETER_TESTS_IMPORT_LOG_H
#define TLSMETER_TESTS_IMPORT_LOG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "import/verdict.h"

enum { LOG_READINGS = 2048, LOG_BYTES = 256 * 1024 };

struct kept {
    unsigned run;
    char algorithm[64], operation[16], variant[64];
    int64_t size_bytes;
    enum reading_metric metric;
    enum cell_status status;
    uint32_t flags, line;
    double printed, value;
};

struct log {
    struct kept readings[LOG_READINGS];
    size_t count;
    unsigned runs, findings;
    enum verdict worst;
    struct import_result result;
};

static inline bool log_keep_run(void *context, const struct import_run *run, struct error *error)
{
    struct log *log = context;
    struct arena arena = {0};
    struct verdict_report report;
    log->runs++;
    log->findings += (unsigned)run->finding_count;
    for (size_t i = 0; i < run->reading_count && log->count < LOG_READINGS; i++) {
        const struct reading *reading = &run->readings[i];
        struct kept *kept = &log->readings[log->count++];
        *kept = (struct kept){
            .run = run->number,
            .size_bytes = reading->size_bytes,
            .metric = reading->metric,
            .status = reading->status,
            .flags = reading->flags,
            .line = reading->line,
            .printed = reading->printed,
            .value = reading->value,
        };
        snprintf(kept->algorithm, sizeof kept->algorithm, "%s", reading->algorithm);
        snprintf(kept->operation, sizeof kept->operation, "%s", reading->operation);
        snprintf(kept->variant, sizeof kept->variant, "%s", reading->variant);
    }
    bool judged = verdict_judge(run, &arena, &report, error);
    if (judged && report.verdict > log->worst)
        log->worst = report.verdict;
    arena_free(&arena);
    return judged;
}

static inline struct log *log_read_bytes(const char *text, size_t length)
{
    struct log *log = calloc(1, sizeof *log);
    assert_non_null(log);
    struct import_sink sink = {.context = log, .run = log_keep_run};
    struct error error = {0};
    assert_true(import_memory(text, length, "test.log", &sink, &log->result, &error));
    return log;
}

static inline struct log *log_read(const char *text)
{
    return log_read_bytes(text, strlen(text));
}

/* The nth reading of this description, counted from 0. */
static inline const struct kept *log_nth(const struct log *log, const char *algorithm,
                                         const char *operation, int64_t size, unsigned nth)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct kept *kept = &log->readings[i];
        if (strcmp(kept->algorithm, algorithm) == 0 && strcmp(kept->operation, operation) == 0 &&
            kept->size_bytes == size && nth-- == 0)
            return kept;
    }
    fail_msg("no reading %s %s %lld", algorithm, operation, (long long)size);
    return NULL;
}

static inline const struct kept *log_find(const struct log *log, const char *algorithm,
                                          const char *operation, int64_t size)
{
    return log_nth(log, algorithm, operation, size, 0);
}

static inline bool log_same(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= 1e-6 * fabs(b);
}

#define assert_near(actual, expected) assert_true(log_same((actual), (expected)))

#endif
