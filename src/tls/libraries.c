#include "tls/libraries.h"

#include <string.h>

#include "core/attributes.h"

static const struct tls_library *const libraries[] = {&tls_openssl, &tls_mbedtls, &tls_wolfssl};

const struct tls_library *const *tls_libraries(size_t *count)
{
    *count = COUNT_OF(libraries);
    return libraries;
}

const struct tls_library *tls_library_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (strcmp(libraries[i]->name, name) == 0)
            return libraries[i];
    return NULL;
}
