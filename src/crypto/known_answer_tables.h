/* The tables behind known_answer_next(). */
#ifndef TLSMETER_CRYPTO_KNOWN_ANSWER_TABLES_H
#define TLSMETER_CRYPTO_KNOWN_ANSWER_TABLES_H

#include "crypto/known_answer.h"

struct known_answer_table {
    const struct known_answer *rows;
    size_t count;
};

extern const struct known_answer_table known_answers_symmetric;
extern const struct known_answer_table known_answers_curve;
extern const struct known_answer_table known_answers_key; /* RSA, Brainpool, ML-KEM, ML-DSA */

#endif
