/*
 * UTF-8 as a terminal shows it.
 *
 * Decoding follows RFC 3629: overlong forms, surrogates and values above U+10FFFF are invalid.
 * Widths: combining marks and joiners take no column, East Asian wide and fullwidth characters and
 * pictographs two (Unicode Standard Annex #11, by blocks), everything else one.
 */
#ifndef TLSMETER_CORE_UTF8_H
#define TLSMETER_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"

#define UTF8_INVALID UINT32_MAX

/* Decodes the character at `text` (at least one byte before the NUL), puts its length in bytes into
 * *length; an invalid byte gives UTF8_INVALID and length 1. */
uint32_t utf8_decode(const char *text, size_t *length);
/* 0, 1 or 2 terminal columns. */
size_t utf8_character_columns(uint32_t character);
/* Of a whole text; invalid bytes count as one column each. */
size_t utf8_columns(const char *text);
/* Bytes of the longest beginning of `text` that takes at most `columns`. */
size_t utf8_fit(const char *text, size_t columns);
/* Replaces control characters (also C1: U+0080 to U+009F) and invalid bytes by '?', in place. */
void utf8_clean(char *text);
/* Appends the words of `text` wrapped to `width` columns (0: never), and a newline. The first line
 * begins at `column`, where the caller's line stands; later ones are indented by `indent` blanks. A
 * "\n" in the text starts a new line. A word that is too long for a line stands alone on one. */
void utf8_wrap(const char *text, size_t column, size_t indent, size_t width, struct buffer *out);

#endif
