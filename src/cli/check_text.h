/* How verdicts are printed for people. */
#ifndef TLSMETER_CLI_CHECK_TEXT_H
#define TLSMETER_CLI_CHECK_TEXT_H

#include "core/buffer.h"
#include "core/error.h"
#include "core/table.h"
#include "import/verdict.h"
#include "import/versus.h"

/* A run: title, verdict, reasons with lines, true figures, what to run instead. Appends. */
MUST_USE bool check_print_run(const struct import_run *run, const struct verdict_report *report,
                              const struct table_style *style, bool quiet, struct buffer *out,
                              struct error *error);
/* The comparison of two logs. Appends. */
MUST_USE bool check_print_versus(const struct versus *versus, const struct table_style *style,
                                 struct buffer *out, struct error *error);

#endif
