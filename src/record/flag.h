/* The one list of flags: what a flag means and what to do about it. docs/flags.md is checked
 * against it by a test. Names are those of the record format; a reader keeps flags it does not
 * know. */
#ifndef TLSMETER_RECORD_FLAG_H
#define TLSMETER_RECORD_FLAG_H

#include <stddef.h>

struct flag {
    const char *name;
    const char *meaning; /* one line */
    const char *advice;  /* what to do, one line */
};

const struct flag *flag_find(const char *name); /* NULL: not known here */
const struct flag *flag_list(size_t *count);

#endif
