/*
 * Mbed TLS decides at run time whether to use AES-NI by asking mbedtls_aesni_has_support. The
 * question goes through the dynamic linker, where this definition comes first: it answers as the
 * library does, from CPUID leaf 1 ECX (Intel SDM volume 2, CPUID), or no, when the environment says
 * so.
 */
#include "crypto/mbedtls_internal.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdlib.h>

/* Not in a header that Mbed TLS 3.6 installs. */
int mbedtls_aesni_has_support(unsigned int what);

enum { CPUID_AES = 1 << 25, CPUID_CLMUL = 1 << 1 };

static const char variable[] = "TLSMETER_MBEDTLS_NO_AESNI";

int mbedtls_aesni_has_support(unsigned int what)
{
    static int known;
    static unsigned int features;
    if (known == 0) {
        unsigned int a;
        unsigned int b;
        unsigned int d;
        if (getenv(variable) != NULL || __get_cpuid(1, &a, &b, &features, &d) == 0)
            features = 0;
        known = 1;
    }
    return (features & what) != 0;
}

const char *crypto_mbedtls_features(void)
{
    bool aes = mbedtls_aesni_has_support(CPUID_AES) != 0;
    bool clmul = mbedtls_aesni_has_support(CPUID_CLMUL) != 0;
    if (aes && clmul)
        return "aes,pclmul";
    return aes ? "aes" : clmul ? "pclmul" : "none";
}

const char *crypto_mbedtls_features_off(const char **why)
{
    *why = NULL;
    return "TLSMETER_MBEDTLS_NO_AESNI=1";
}

#else

const char *crypto_mbedtls_features(void)
{
    return "none";
}

const char *crypto_mbedtls_features_off(const char **why)
{
    *why = "this build of Mbed TLS uses no crypto instructions on this architecture";
    return NULL;
}

#endif
