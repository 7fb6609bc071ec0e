/*
 * Small pieces of parsing that every format shares: slices, words and decimal numbers.
 *
 * A slice points into someone else's text and is never NUL-terminated by itself. Numbers are
 * plain decimals as printf writes them ("12", "-0.1", "5291.37"); the locale plays no part.
 */
#ifndef TLSMETER_IMPORT_SCAN_H
#define TLSMETER_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
    const char *text;
    size_t length;
};

struct slice slice_of(const char *text);
struct slice slice_trim(struct slice slice);
bool slice_is(struct slice slice, const char *text);        /* same bytes */
bool slice_is_nocase(struct slice slice, const char *text); /* ASCII case ignored */
bool slice_starts(struct slice slice, const char *prefix);
bool slice_ends(struct slice slice, const char *suffix);

/* Takes the next blank-separated word off the front; false when none is left. */
bool slice_word(struct slice *rest, struct slice *word);
/* Takes what stands before the next `separator` off the front (the whole rest when there is none);
 * false when nothing is left. */
bool slice_field(struct slice *rest, char separator, struct slice *field);

/* A decimal number at the front of `text`: its length in characters, 0 when there is none. */
size_t scan_number(struct slice text, double *value);
/* The whole slice is one number. */
bool slice_number(struct slice slice, double *value);
/* The whole slice is decimal digits, at most 18 of them, with a sign. */
bool slice_integer(struct slice slice, int64_t *value);
/* Digits behind the decimal point of a whole-slice number; -1 without a point. */
int slice_decimals(struct slice slice);

/* First occurrence of `needle`; NULL when there is none. The second form ignores ASCII case. */
const char *find_text(const char *text, const char *needle);
const char *find_nocase(const char *text, const char *needle);
bool has_prefix(const char *text, const char *prefix);

#endif
