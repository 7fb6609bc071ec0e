/* How the writer puts values into a line of JSON (RFC 8259): valid UTF-8 always, numbers that read
 * back as the same double, never a NaN. */
#ifndef TLSMETER_RECORD_JSON_H
#define TLSMETER_RECORD_JSON_H

#include "core/buffer.h"
#include "record/cell.h"

/* Quoted and escaped; bytes that are no UTF-8 become U+FFFD. */
void json_string(struct buffer *out, const char *text);
/* The shortest of %.15g, %.16g, %.17g that reads back the same; the caller keeps NaN away. */
void json_number(struct buffer *out, double value);
/* `"name":` with a comma before it unless the last byte opens an object. */
void json_name(struct buffer *out, const char *name);
void json_attribute(struct buffer *out, const struct attribute *attribute);

#endif
