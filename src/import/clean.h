/*
 * Takes a line out of what mail, forums, terminals and loggers wrapped around it.
 *
 * Removed are: terminal escapes and control characters, quoting (`> `, nested), comment marks
 * (`#`, `//`), list and table marks of Markdown, emphasis and code marks (`**`, back-quotes),
 * HTML entities, and the prefixes that loggers put before a message (time stamps, `logcat`,
 * syslog, ESP-IDF, Zephyr). No-break spaces and tabs become blanks, typographic quotes plain
 * ones. Words and numbers are never changed, only what stands around them.
 */
#ifndef TLSMETER_IMPORT_CLEAN_H
#define TLSMETER_IMPORT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

struct clean_line {
    char *text; /* inside the buffer given, NUL-terminated; no blanks at the end */
    size_t length;
    bool stars_only; /* a progress line of s_time: stars and letters, kept as it is */
    bool kernel;     /* carried the time stamp of a kernel message: "[   43.5] " */
};

/* Cleans in place. `text` holds `length` bytes and a NUL. */
struct clean_line clean(char *text, size_t length);

#endif
