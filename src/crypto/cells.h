/* From a target and what was measured to a cell of the record: names and order in one place. */
#ifndef TLSMETER_CRYPTO_CELLS_H
#define TLSMETER_CRYPTO_CELLS_H

#include "crypto/selection.h"
#include "measure/accounting.h"
#include "measure/sampler.h"
#include "record/cell.h"

/* Instrument, subject, library and version. `threads` at least 1. */
void crypto_cell_subject(struct cell *cell, const struct crypto_target *target, unsigned threads);
/* Metrics, flags, how it ended. The known answer has passed. */
void crypto_cell_result(struct cell *cell, const struct crypto_target *target,
                        const struct sampler_result *result);
void crypto_cell_accounting(struct cell *cell, const struct accounting *accounting);

#endif
