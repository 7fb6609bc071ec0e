/* Stands in for the tracing files where Mbed TLS is linked statically. */
#include "tls/mbedtls_internal.h"

const char *tls_mbedtls_trace_unavailable(void)
{
    return "the operations of a statically linked library cannot be traced";
}
