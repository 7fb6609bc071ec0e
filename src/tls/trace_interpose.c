#include "tls/trace_interpose.h"

#include <dlfcn.h>

static const char *unresolved; /* the first function that no library has */

void tls_trace_resolve(const char *name, void **next)
{
    *next = dlsym(RTLD_NEXT, name);
    if (*next == NULL && unresolved == NULL)
        unresolved = name;
}

const char *tls_trace_interposed(const char *name, void (*ours)(void))
{
    void *preferred = dlsym(RTLD_DEFAULT, name);
    void *next = dlsym(RTLD_NEXT, name);
    if (preferred == NULL || next == NULL)
        return "the operations of a statically linked library cannot be traced";
    if (preferred != *(void **)(void *)&ours || next == preferred)
        return "another definition of the library's functions is preferred to the tracing one";
    return unresolved == NULL ? NULL : "the library lacks a function that would be traced";
}

bool tls_trace_in_operation(void)
{
    enum tls_trace_kind kind = tls_trace_top_kind();
    return kind != TRACE_CERTIFICATE && kind != TRACE_MESSAGES;
}

const struct tls_trace_point *tls_trace_fixed(const struct tls_trace_point **kept,
                                              enum tls_trace_kind kind, const char *name)
{
    if (*kept == NULL)
        *kept = tls_trace_point(kind, name);
    return *kept;
}
