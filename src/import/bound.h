/*
 * What a core can do at most: bytes per clock cycle and algorithm class.
 *
 * A figure above the bound is no measurement of that algorithm on one core. The bounds are
 * deliberately generous (a third to a factor of two above the best published figures):
 *  - AES-CBC encryption is serial: a block costs 10, 12 or 14 rounds, and no core finishes a
 *    dependent AES round in less than 2 cycles (Intel optimization manual: AESENC latency 3 to 7;
 *    Arm software optimization guides: AESE+AESMC pair 2 to 4).
 *  - Parallel AES modes: two 512-bit VAES instructions per cycle at best, 10 rounds a block.
 *  - SHA-1, SHA-256: SHA extensions, two rounds per 2 (SHA-1: four per 2) cycles at best.
 *  - MD5: 64 dependent steps a block, at least 3 cycles each.
 *  - DES, Blowfish, CAST, IDEA, RC2, RC4: table-driven, published figures are 0.05 to 0.4.
 * docs/check.md repeats the table with its sources.
 */
#ifndef TLSMETER_IMPORT_BOUND_H
#define TLSMETER_IMPORT_BOUND_H

#include <stdbool.h>

/* The fastest clock assumed where a log states none: 6.5 GHz. */
#define BOUND_CLOCK_HZ 6.5e9

/* Bytes per cycle of one core; infinite for algorithms without a bound. */
double bound_bytes_per_cycle(const char *algorithm, const char *operation);
/* The most one core can do in bytes per second; `clock_hz` NaN: BOUND_CLOCK_HZ. */
double bound_bytes_per_s(const char *algorithm, const char *operation, double clock_hz);

#endif
