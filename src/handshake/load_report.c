#include "handshake/load_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/sampled.h"

enum { SMALLEST_CAPACITY = 4096 };
/* A side whose core is busier than this has no more to give. */
#define FULL_CORE 0.90

bool load_values_keep(struct load_values *values, double value)
{
    if (values->count == values->capacity) {
        size_t capacity = values->capacity == 0 ? SMALLEST_CAPACITY : 2 * values->capacity;
        double *items = reallocarray(values->items, capacity, sizeof *items);
        if (items == NULL)
            return false;
        values->items = items;
        values->capacity = capacity;
    }
    values->items[values->count++] = value;
    return true;
}

void load_put_values(struct cell *cell, const char *name, struct load_values *values)
{
    struct summary summary;
    statistics_summarise(values->items, values->count, &summary);
    summary.ci95_low = summary.ci95_high = NAN; /* neighbours are not independent */
    cell_summary(cell, name, &summary, 1, NULL, 0);
}

void load_put_failures(struct cell *cell, const struct failures *failures)
{
    char name[FAILURE_NAME_BYTES + 16];
    if (failures->total == 0)
        return;
    cell_set_integer(cell, &cell->checks, "failed", (int64_t)failures->total);
    for (size_t i = 0; i < failures->class_count; i++) {
        const struct failure_class *class = &failures->classes[i];
        (void)snprintf(name, sizeof name, "failed_%s", class->name);
        for (char *c = name; *c != '\0'; c++)
            if (*c == ' ')
                *c = '_';
        cell_set_integer(cell, &cell->checks, name, (int64_t) class->count);
        (void)snprintf(name + strlen(name), sizeof name - strlen(name), "_text");
        cell_set_text(cell, &cell->checks, name, class->first.text);
    }
}

/* The second number of a process's schedstat (Linux, Documentation/scheduler/sched-stats); NaN
 * where the kernel keeps none. */
double load_run_delay_ns(pid_t pid)
{
    char text[128];
    double delay_ns = NAN;
    (void)snprintf(text, sizeof text, "/proc/%d/schedstat", (int)pid);
    FILE *file = pid > 0 ? fopen(text, "re") : NULL;
    if (file == NULL)
        return NAN;
    if (fgets(text, sizeof text, file) != NULL && strchr(text, ' ') != NULL)
        delay_ns = strtod(strchr(text, ' '), NULL);
    (void)fclose(file);
    return delay_ns;
}

const char *load_bottleneck(const struct load_cores *cores)
{
    double client = cores->client_cpu_ns / cores->elapsed_ns;
    double server = cores->server_cpu_ns / cores->elapsed_ns;
    if (client >= FULL_CORE && !(server >= FULL_CORE))
        return "client core";
    if (server >= FULL_CORE && client < FULL_CORE)
        return "server core";
    if (server >= FULL_CORE)
        return "both cores";
    if (client + cores->client_delay_ns / cores->elapsed_ns >= FULL_CORE ||
        server + cores->server_delay_ns / cores->elapsed_ns >= FULL_CORE)
        return "other processes";
    if (cores->has_rate)
        return "the rate";
    return isfinite(server) ? "waiting" : "not the client";
}
