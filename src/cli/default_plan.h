/* data/plans/default.ini, built into the program. */
#ifndef TLSMETER_CLI_DEFAULT_PLAN_H
#define TLSMETER_CLI_DEFAULT_PLAN_H

#include <stddef.h>

extern const char default_plan[]; /* NUL-terminated */
extern const size_t default_plan_length;

#endif
