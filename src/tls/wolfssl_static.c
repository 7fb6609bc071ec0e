/* Stands in for the tracing files where wolfSSL is linked statically. */
#include "tls/wolfssl_internal.h"

const char *tls_wolfssl_trace_unavailable(void)
{
    return "the operations of a statically linked library cannot be traced";
}
