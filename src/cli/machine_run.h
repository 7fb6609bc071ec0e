/* The machine as part of a run line: measure/ knows no records, and record/ measures nothing. */
#ifndef TLSMETER_CLI_MACHINE_RUN_H
#define TLSMETER_CLI_MACHINE_RUN_H

#include "measure/machine.h"
#include "record/run.h"

/* Every fact under its name; a fact that is not available under "unavailable.NAME", with the
 * reason as its text. */
void machine_into_run(const struct machine *machine, struct run *run);
/* "library.NAME" for each crypto library: its version; or "unavailable.library.NAME". */
void libraries_into_run(struct run *run);

#endif
