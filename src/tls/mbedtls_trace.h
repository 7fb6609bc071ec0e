/* What the tracing files of Mbed TLS share: the names of its operations. */
#ifndef TLSMETER_TLS_MBEDTLS_TRACE_H
#define TLSMETER_TLS_MBEDTLS_TRACE_H

#include <mbedtls/cipher.h>
#include <mbedtls/dhm.h>
#include <mbedtls/ecp.h>
#include <mbedtls/md.h>
#include <mbedtls/pk.h>

#include "tls/trace_interpose.h"

/* mbedtls_trace_names.c */
/* "ecdsa-p256 sign", "rsa-2048 verify" */
const struct tls_trace_point *tls_mbedtls_trace_pk(const mbedtls_pk_context *key, const char *what);
/* "ec-p256 keygen", "ecdh-p256 derive", "x25519 derive" */
const struct tls_trace_point *tls_mbedtls_trace_ec(mbedtls_ecp_group_id group, const char *what);
/* "dh-2048 derive" */
const struct tls_trace_point *tls_mbedtls_trace_dh(size_t bits, const char *what);
/* "sha256" */
const struct tls_trace_point *tls_mbedtls_trace_hash(mbedtls_md_type_t type);
/* "hmac-sha256" */
const struct tls_trace_point *tls_mbedtls_trace_hmac(mbedtls_md_type_t type);
/* "aes-128-gcm" */
const struct tls_trace_point *tls_mbedtls_trace_cipher(const mbedtls_cipher_context_t *cipher);

/* mbedtls_trace_v2.c and mbedtls_trace_v3.c: NULL when the functions of that version are seen. */
const char *tls_mbedtls_trace_version_unavailable(void);
size_t tls_mbedtls_trace_dh_bits(const mbedtls_dhm_context *context);

#endif
