/* What was measured about a handshake, as cells. The names of metrics and checks are described in
 * docs/record-format.md. */
#ifndef TLSMETER_HANDSHAKE_CELLS_H
#define TLSMETER_HANDSHAKE_CELLS_H

#include "handshake/explain.h"
#include "handshake/footprint.h"
#include "handshake/pair.h"
#include "measure/sampler.h"
#include "record/cell.h"

/* Figures of one side from the sampler's result; a failed one fails the cell. */
void handshake_cell_result(struct cell *cell, enum tls_role side,
                           const struct sampler_result *result);
/* What a handshake looked like: negotiated values, messages of each flight, counts. */
void handshake_cell_view(struct cell *cell, enum tls_role side, const struct pair_view *view);
void handshake_cell_footprint(struct cell *cell, const struct footprint *footprint);
/* Operations; an unavailable trace leaves its reason in the checks. */
void handshake_cell_explanation(struct cell *cell, const struct explanation *explanation);
void handshake_cell_no_explanation(struct cell *cell, const struct error *why);

#endif
