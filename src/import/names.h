/*
 * Labels of foreign tools into the vocabulary of the records.
 *
 * Every function writes a NUL-terminated name of at most NAME_BYTES - 1 characters and says whether
 * the label is one it knows. An unknown label is still given a regular form (lower case, hyphens),
 * so that the same label always gives the same name.
 */
#ifndef TLSMETER_IMPORT_NAMES_H
#define TLSMETER_IMPORT_NAMES_H

#include <stdbool.h>

#include "import/scan.h"

#define NAME_BYTES 64

/* What an algorithm does by itself. */
enum name_kind { NAME_CIPHER, NAME_DIGEST, NAME_MAC, NAME_RANDOM };

struct name {
    char text[NAME_BYTES];
    enum name_kind kind;
    bool known;
};

/* "aes-128 cbc", "AES-128-CBC", "id-aes128-GCM" -> aes-128-cbc, ...; "hmac(md5)" -> hmac-md5. */
struct name name_symmetric(struct slice label);
/* The operation of a bulk measurement: encrypt, digest, mac or random. */
const char *name_operation(enum name_kind kind);
/* "nistp256", "secp256r1", "prime256v1" -> p256; "brainpoolP256r1" -> brainpoolp256r1. */
struct name name_curve(struct slice curve);
/* "rsa2048" -> rsa-2048, "ECP-256" -> ecdh-p256, "mlkem768" -> ml-kem-768, "X25519" -> x25519. */
struct name name_key(struct slice label);
/* Whether a name of name_key is a key encapsulation or a signature algorithm. */
bool name_is_kem(const char *name);
bool name_is_signature(const char *name);

#endif
