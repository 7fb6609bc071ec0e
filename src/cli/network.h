/*
 * Networks by name or file: data/networks/NAME.ini is built into the program, other files are read.
 *
 * Keys are those of struct link_settings (sim/link.h), duplex is full or half; each has a
 * KEY_source, the place that its figure is from. What is not named: no delay, no loss, full duplex,
 * frames of 1500 bytes without overhead, no duty cycle.
 */
#ifndef TLSMETER_CLI_NETWORK_H
#define TLSMETER_CLI_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"
#include "sim/link.h"

struct network_preset {
    const char *name, *text;
};

extern const struct network_preset network_presets[]; /* ends with a NULL name */

/* False with ERROR_USAGE for an unknown name, ERROR_INPUT with file and line for a wrong file. */
MUST_USE bool network_read(const char *name_or_file, struct link_settings *settings,
                           struct error *error);
/* "10base-t1s, wifi, ..." */
void network_names(struct buffer *out);

#endif
