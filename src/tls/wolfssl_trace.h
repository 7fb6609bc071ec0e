/* What the tracing files of wolfSSL share. */
#ifndef TLSMETER_TLS_WOLFSSL_TRACE_H
#define TLSMETER_TLS_WOLFSSL_TRACE_H

#include "tls/trace_interpose.h"

/* Each says whether the functions of its file are seen: NULL, or why not. */
const char *tls_wolfssl_trace_symmetric_unavailable(void);
/* wolfssl_trace_v5_5.c and wolfssl_trace_v5_7.c */
const char *tls_wolfssl_trace_version_unavailable(void);

#endif
