/* The key schedule of TLS 1.3 as wolfSSL 5.7 declares it. */
#include "tls/wolfssl_internal.h"

#include "tls/wolfssl_trace.h"

#if LIBWOLFSSL_VERSION_HEX >= 0x05006000

#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/kdf.h>

const char *tls_wolfssl_trace_version_unavailable(void)
{
    return tls_trace_interposed("wc_Tls13_HKDF_Extract", (void (*)(void))wc_Tls13_HKDF_Extract);
}

TRACED(int, wc_Tls13_HKDF_Extract,
       (byte * prk, const byte *salt, word32 saltLen, byte *ikm, word32 ikmLen, int digest),
       (prk, salt, saltLen, ikm, ikmLen, digest), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(int, wc_Tls13_HKDF_Extract_ex,
       (byte * prk, const byte *salt, word32 saltLen, byte *ikm, word32 ikmLen, int digest,
        void *heap, int devId),
       (prk, salt, saltLen, ikm, ikmLen, digest, heap, devId), FIXED(TRACE_DIGEST, "hkdf"));
TRACED(int, wc_Tls13_HKDF_Expand_Label,
       (byte * okm, word32 okmLen, const byte *prk, word32 prkLen, const byte *protocol,
        word32 protocolLen, const byte *label, word32 labelLen, const byte *info, word32 infoLen,
        int digest),
       (okm, okmLen, prk, prkLen, protocol, protocolLen, label, labelLen, info, infoLen, digest),
       FIXED(TRACE_DIGEST, "hkdf"));
TRACED(int, wc_Tls13_HKDF_Expand_Label_ex,
       (byte * okm, word32 okmLen, const byte *prk, word32 prkLen, const byte *protocol,
        word32 protocolLen, const byte *label, word32 labelLen, const byte *info, word32 infoLen,
        int digest, void *heap, int devId),
       (okm, okmLen, prk, prkLen, protocol, protocolLen, label, labelLen, info, infoLen, digest,
        heap, devId),
       FIXED(TRACE_DIGEST, "hkdf"));

#endif
