/* What the sampler found out, as metrics, checks and flags of a cell: the same for all instruments.
 */
#ifndef TLSMETER_RECORD_SAMPLED_H
#define TLSMETER_RECORD_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/sampler.h"
#include "record/cell.h"

/* How it ended, the flags it earned, and how the machine behaved meanwhile. False when the task
 * failed: the cell is a failed one then, with the reason. */
bool cell_sampled(struct cell *cell, const struct sampler_result *result);
/* A metric from a summary and its round values (NULL: none); nothing when the summary is empty. */
void cell_summary(struct cell *cell, const char *name, const struct summary *summary,
                  uint64_t ops_per_sample, const double *values, size_t count);
/* A metric of a single value. */
void cell_value(struct cell *cell, const char *name, double value);

#endif
