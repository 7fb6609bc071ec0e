/* Names and meanings that only the whole run of `openssl speed` gives away. */
#ifndef TLSMETER_IMPORT_OPENSSL_SPEED_NAMES_H
#define TLSMETER_IMPORT_OPENSSL_SPEED_NAMES_H

#include "import/openssl_speed.h"

/* "evp", "plain" or "": which interface a row of the bulk table was measured through. */
const char *speed_interface(const struct run_facts *facts, const struct speed_row *row);
/* The engine or provider that was asked for hands work to the kernel or a device. */
bool speed_offloads(const struct run_facts *facts);
/* "rsa-2048", "ecdsa-p256", ...; "" when it cannot be told. */
const char *speed_row_algorithm(struct speed_run *run, struct collector *collector,
                                const struct speed_row *row);
const char *speed_count_algorithm(struct speed_run *run, struct collector *collector,
                                  const struct speed_count *count);

enum speed_mr_meaning { MR_UNKNOWN, MR_RATES, MR_SECONDS };
/* What the +F lines of keys hold, judged by all of them. */
enum speed_mr_meaning speed_mr_meaning(const struct speed_run *run);

/* The parent of -multi calls its total "evp": names it after the children, when all did the same.
 */
void speed_name_evp_totals(struct speed_run *run);
/* Adds the totals of children that were printed without any. */
void speed_sum_workers(struct speed_run *run, struct collector *collector);

#endif
