/* Units as tools spell them. */
#ifndef TLSMETER_IMPORT_UNITS_H
#define TLSMETER_IMPORT_UNITS_H

#include "import/scan.h"

/* Bytes of "MiB", "KB", "GB", "bytes", ... with or without "/s" behind; 0: no such unit.
 * `binary` says what the spellings without an i mean: 1024 (true) or 1000. */
double unit_bytes(struct slice unit, bool binary);
/* The spelling leaves open whether it is 1000 or 1024: "KB", "MB", "GB". */
bool unit_is_open(struct slice unit);

#endif
