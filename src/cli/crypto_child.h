/* Measures in a process of its own with another environment: the same program, the same settings.
 */
#ifndef TLSMETER_CLI_CRYPTO_CHILD_H
#define TLSMETER_CLI_CRYPTO_CHILD_H

#include "cli/crypto_measure.h"

/* `variable` is "NAME=VALUE". The child's cells arrive in the session one by one. */
MUST_USE bool crypto_child_measure(struct session *session, const struct crypto_settings *settings,
                                   const char *library, const char *variable, struct error *error);

#endif
