/*
 * Text that users type and read: globs, near misses, and quantities with units.
 *
 * Parsers take the whole string and refuse trailing characters; the error says what would be right.
 */
#ifndef TLSMETER_CORE_TEXT_H
#define TLSMETER_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"
#include "core/error.h"

/* `*` any run of characters, `?` one character; case is ignored; the whole of `text` must match.
 * Linear in practice, quadratic at worst, no recursion. */
bool text_glob(const char *pattern, const char *text);
bool text_has_glob(const char *pattern); /* holds a `*` or `?` */

/* Appends up to three of `names` that are nearest to `typed` (edit distance at most a third of its
 * length, or containing it) as "a, b, c"; nothing when none is near. */
void text_nearest(const char *typed, const char *const *names, size_t count, struct buffer *out);

/* "250ms", "1.5s", "2us", "30 s" -> nanoseconds. Units ns, us, ms, s, min. A unit is required. */
MUST_USE bool text_parse_duration(const char *text, uint64_t *ns, struct error *error);
/* "16384", "16KiB", "1MiB", "1GiB" -> bytes. */
MUST_USE bool text_parse_size(const char *text, uint64_t *bytes, struct error *error);
/* "1%" or "0.01" -> 0.01; 0 < value <= 1. */
MUST_USE bool text_parse_ratio(const char *text, double *ratio, struct error *error);
MUST_USE bool text_parse_u64(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value,
                             struct error *error);

/* Numbers for people, to three or four significant digits: "12.3 µs", "1.73 GB/s" (decimal), "16
 * KiB". Each appends to `out`. */
void text_format_ns(double ns, struct buffer *out);
void text_format_bytes_per_s(double bytes_per_s, struct buffer *out);
void text_format_per_s(double per_s, struct buffer *out);  /* "40.2 k/s" */
void text_format_size(uint64_t bytes, struct buffer *out); /* 16384 -> "16 KiB", 1420 -> "1420 B" */

#endif
