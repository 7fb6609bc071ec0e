/* The tables of `tlsmeter list`. */
#ifndef TLSMETER_CLI_LIST_TABLES_H
#define TLSMETER_CLI_LIST_TABLES_H

#include <stddef.h>

#include "core/table.h"

/* Reasons that stand under a table, each once. */
struct list_reasons {
    struct {
        char text[160];
        const char *library;
    } items[64];
    size_t count;
};

void list_keep_reason(struct list_reasons *reasons, const char *library, const char *text);

/* What each TLS library can negotiate, and in which versions. */
MUST_USE bool list_tls(const struct table_style *style, struct buffer *out,
                       struct list_reasons *reasons, struct error *error);

#endif
