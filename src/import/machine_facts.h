/*
 * Facts about the machine and the process that stand in a log beside the numbers, whatever tool
 * printed those: the `time -v` block, `real`/`user`/`sys`, stated clocks, kernel faults.
 */
#ifndef TLSMETER_IMPORT_MACHINE_FACTS_H
#define TLSMETER_IMPORT_MACHINE_FACTS_H

#include "import/importer.h"

/* Notes what the line says in the present run's facts; false when it says nothing. */
bool machine_facts_line(struct collector *collector, const struct import_line *line);

#endif
