#include "crypto/libraries.h"

#include <string.h>

#include "core/attributes.h"

static const struct crypto_library *const libraries[] = {&crypto_null, &crypto_openssl,
                                                         &crypto_mbedtls, &crypto_wolfssl};

const struct crypto_library *const *crypto_libraries(size_t *count)
{
    *count = COUNT_OF(libraries);
    return libraries;
}

const struct crypto_library *crypto_library_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (strcmp(libraries[i]->name, name) == 0)
            return libraries[i];
    return NULL;
}
