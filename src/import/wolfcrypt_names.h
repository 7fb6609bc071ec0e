/* Labels of wolfCrypt's benchmark. */
#ifndef TLSMETER_IMPORT_WOLFCRYPT_NAMES_H
#define TLSMETER_IMPORT_WOLFCRYPT_NAMES_H

#include "import/collect.h"

enum { WOLFCRYPT_WORDS = 24 };

struct wolfcrypt_words {
    struct slice word[WOLFCRYPT_WORDS];
    unsigned count;
};

void wolfcrypt_split(struct slice text, struct wolfcrypt_words *words);
/* Words `first` up to but not with `end` as one slice. */
struct slice wolfcrypt_join(const struct wolfcrypt_words *words, unsigned first, unsigned end);
/* Names, operation and variant of "AES-128-GCM-enc-no_AAD"; `device` -1: none was named. */
void wolfcrypt_name_bulk(struct collector *collector, int device, struct slice label,
                         struct reading *reading);
/* The same of the first `end` words of "ECDSA [ SECP256R1] 256 sign 10 ops took ...". */
void wolfcrypt_name_key(struct collector *collector, int device,
                        const struct wolfcrypt_words *words, unsigned end, struct reading *reading);

#endif
