/*
 * Options of every command that measures TLS: what is negotiated, and a server that is not ours.
 *
 * Macros of initialisers for a command's option table; FIELD is a struct tls_options or
 * peer_options within the command's settings SETTINGS.
 */
#ifndef TLSMETER_CLI_TLS_OPTIONS_H
#define TLSMETER_CLI_TLS_OPTIONS_H

#include <stddef.h>

#include "cli/option.h"
#include "handshake/config.h"
#include "handshake/selection.h"
#include "net/socket.h"

struct tls_options {
    struct text_list libraries, client_libraries, server_libraries;
    struct text_list protocols, suites, groups, keys, key_exchanges, auths, resumptions;
    struct size_list chains;
    const char *max_fragment_length; /* "0", "512", ... */
    uint64_t early_data_bytes;
    bool hello_verify;
};

struct peer_options {
    const char *certificate, *key_file, *ca; /* the user's files; NULL: none */
    bool verify;                             /* the server's certificate */
};

extern const char *const tls_fragment_choices[];

/* Whether anything was selected by name. */
bool tls_options_select(const struct tls_options *options);
/* The selection, pointing into the options. False with ERROR_USAGE. */
MUST_USE bool tls_options_selection(const struct tls_options *options,
                                    struct handshake_selection *selection, struct error *error);
/* Makes a server that the user named the peer of every configuration; what was not named is left to
 * the two sides. `peer` and what it points to are borrowed by the configurations. */
void tls_options_towards(const struct tls_options *options, const struct handshake_peer *peer,
                         bool has_certificate, struct handshake_configs *configs);

/* clang-format off: macros of initialisers */
/* NOLINTBEGIN(bugprone-macro-parentheses): fields' names */

#define TLS_OPTIONS(SETTINGS, FIELD)                                                               \
    {.name = "library",                                                                            \
     .kind = OPTION_LIST,                                                                          \
     .offset = offsetof(SETTINGS, FIELD.libraries),                                                \
     .argument = "GLOB,...",                                                                       \
     .help = "Both sides with these libraries: openssl, mbedtls, wolfssl; each with itself."},     \
        {.name = "client-library",                                                                 \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.client_libraries),                                     \
         .argument = "GLOB,...",                                                                   \
         .help = "The client with these, against every server library."},                          \
        {.name = "server-library",                                                                 \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.server_libraries),                                     \
         .argument = "GLOB,...",                                                                   \
         .help = "The server with these, against every client library."},                          \
        {.name = "protocol",                                                                       \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.protocols),                                            \
         .argument = "GLOB,...",                                                                   \
         .help = "tls1.2, tls1.3, dtls1.2. Otherwise TLS 1.3 and TLS 1.2."},                       \
        {.name = "suite",                                                                          \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.suites),                                               \
         .argument = "NAME,...",                                                                   \
         .help = "Cipher suites by IANA name, by a library's own spelling, or as a cipher: "       \
                 "aes-128-gcm "                                                                    \
                 "(the default), aes-256-gcm, chacha20-poly1305, aes-128-ccm, aes-128-ccm-8, "     \
                 "aes-128-cbc-sha; '*' is every cipher."},                                         \
        {.name = "group",                                                                          \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.groups),                                               \
         .argument = "NAME,...",                                                                   \
         .help = "Key exchange groups: secp256r1 (the default), secp384r1, secp521r1, "            \
                 "brainpoolp256r1, "                                                               \
                 "x25519, x448, ffdhe2048, x25519mlkem768, ..."},                                  \
        {.name = "key",                                                                            \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.keys),                                                 \
         .argument = "NAME,...",                                                                   \
         .help = "Keys of the certificates: ecdsa-p256 (the default), ecdsa-p384, rsa-2048, "      \
                 "rsa-3072, "                                                                      \
                 "rsa-4096, ecdsa-brainpoolp256r1, ed25519, ..."},                                 \
        {.name = "kx",                                                                             \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.key_exchanges),                                        \
         .argument = "NAME,...",                                                                   \
         .help = "Key exchanges: ecdhe (the default), dhe, rsa, psk, ecdhe-psk."},                 \
        {.name = "auth",                                                                           \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.auths),                                                \
         .argument = "NAME,...",                                                                   \
         .help = "Who shows a certificate: server (the default) or mutual, both sides."},          \
        {.name = "resumption",                                                                     \
         .kind = OPTION_LIST,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.resumptions),                                          \
         .argument = "NAME,...",                                                                   \
         .help = "none (the default), ticket, session-id, or psk (TLS 1.3). Every handshake must " \
                 "really "                                                                         \
                 "be resumed; else the cell has failed."},                                         \
        {.name = "chain",                                                                          \
         .kind = OPTION_SIZES,                                                                     \
         .offset = offsetof(SETTINGS, FIELD.chains),                                               \
         .argument = "N,...",                                                                      \
         .help = "Certificates a side sends: 1 (the default) to 3; the root is not among them."},  \
        {.name = "max-fragment-length",                                                            \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(SETTINGS, FIELD.max_fragment_length),                                  \
         .argument = "BYTES",                                                                      \
         .help = "Ask for records of at most so many bytes (RFC 6066). 0 does not ask.",           \
         .otherwise = "0",                                                                         \
         .choices = tls_fragment_choices},                                                         \
        {.name = "early-data",                                                                     \
         .kind = OPTION_NUMBER,                                                                    \
         .offset = offsetof(SETTINGS, FIELD.early_data_bytes),                                     \
         .argument = "BYTES",                                                                      \
         .otherwise = "0",                                                                         \
         .maximum = HANDSHAKE_MOST_EARLY_BYTES,                                                    \
         .help =                                                                                   \
             "Send so many bytes of early data (0-RTT) with the ClientHello; they must be "        \
             "accepted, "                                                                          \
             "else the cell has failed. TLS 1.3 resumed by ticket. Early data can be replayed."},  \
    {                                                                                              \
        .name = "hello-verify", .kind = OPTION_FLAG,                                               \
        .offset = offsetof(SETTINGS, FIELD.hello_verify),                                          \
        .help = "DTLS: without the server's cookie request first (HelloVerifyRequest, RFC 6347 "   \
                "section 4.2.1). wolfSSL's server always asks.",                                   \
        .otherwise = "true"                                                                        \
    }

#define PEER_OPTIONS(SETTINGS, FIELD)                                                              \
    {.name = "ca",                                                                                 \
     .kind = OPTION_TEXT,                                                                          \
     .offset = offsetof(SETTINGS, FIELD.ca),                                                       \
     .argument = "FILE.pem",                                                                       \
     .help = "Roots that the server's certificate is checked against; otherwise the system's."},   \
        {.name = "cert",                                                                           \
         .kind = OPTION_TEXT,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.certificate),                                          \
         .argument = "FILE.pem",                                                                   \
         .help =                                                                                   \
             "The client's own certificate, with --key-file, for a server that asks for one."},    \
        {.name = "key-file",                                                                       \
         .kind = OPTION_TEXT,                                                                      \
         .offset = offsetof(SETTINGS, FIELD.key_file),                                             \
         .argument = "FILE.pem",                                                                   \
         .help = "The key of --cert."},                                                            \
    {                                                                                              \
        .name = "verify", .kind = OPTION_FLAG, .offset = offsetof(SETTINGS, FIELD.verify),         \
        .help = "Do not check the certificate of the server named.", .otherwise = "true"           \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

#endif
