/* What the probe's files share. Texts that are read live as long as the machine. */
#ifndef TLSMETER_MEASURE_MACHINE_INTERNAL_H
#define TLSMETER_MEASURE_MACHINE_INTERNAL_H

#include "core/buffer.h"
#include "measure/machine.h"

struct probe {
    struct machine *machine;
    const struct machine_view *view;
    const char *cpuinfo; /* never NULL */
    uint64_t online[MACHINE_MOST_CPUS / 64];
    unsigned online_count;
};

/* machine_read.c */
/* The text of a file below root without white space at its end; NULL when it cannot be read. */
const char *probe_read(const struct probe *probe, const char *format, ...) PRINTF_LIKE(2, 3);
bool probe_number(const struct probe *probe, int64_t *number, const char *format, ...)
    PRINTF_LIKE(3, 4);
bool probe_exists(const struct probe *probe, const char *path);
/* The value of the first line "KEY : VALUE" at or after *at, which moves behind it; NULL: none. */
const char *probe_field(const struct probe *probe, const char **at, const char *key);
/* Whether `word` stands in a list separated by blanks. */
bool probe_has_word(const char *list, const char *word);
bool probe_online(const struct probe *probe, int cpu);
/* "0-3,5" of a mask. */
const char *probe_cpus_text(const struct probe *probe, const uint64_t *mask);
/* A copy of the buffer's text, which is freed. */
const char *probe_take(const struct probe *probe, struct buffer *buffer);

/* machine.c */
void fact_text(const struct probe *probe, const char *name, const char *text);
/* The text, or when NULL the reason. */
void fact_text_or(const struct probe *probe, const char *name, const char *text,
                  const char *unavailable);
void fact_integer(const struct probe *probe, const char *name, int64_t value);
void fact_real(const struct probe *probe, const char *name, double value);
void fact_boolean(const struct probe *probe, const char *name, bool value);
void fact_unavailable(const struct probe *probe, const char *name, const char *reason);

/* One per file; each adds its facts. */
void probe_cpu(struct probe *probe);
void probe_clusters(struct probe *probe);
void probe_pace(struct probe *probe);
void probe_system(struct probe *probe);
void probe_crypto(struct probe *probe);
void probe_build(struct probe *probe);
/* Reads the facts. */
void probe_advise(struct probe *probe);

#endif
