/*
 * The body that the server makes and the client checks: every byte follows from its offset, so that
 * a piece that is lost, repeated or moved is seen.
 *
 * Byte i is ((i mod 65521) * 167 >> 3) mod 256, bits of a product: 65521 is the largest prime below
 * 2^16, so that the content does not repeat with any buffer or record size. Nothing is generated
 * while serving: pieces point into one table, made by the first call.
 */
#ifndef TLSMETER_HTTP_CONTENT_H
#define TLSMETER_HTTP_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_CONTENT_PIECE = 16384 };
#define HTTP_CONTENT_MOST (UINT64_C(1) << 30) /* bytes of a body */

/* HTTP_CONTENT_PIECE bytes of the content from `offset` on. */
const unsigned char *http_content(uint64_t offset);
/* Whether `bytes` are the content from `offset` on. */
bool http_content_is(uint64_t offset, const void *bytes, size_t length);

#endif
