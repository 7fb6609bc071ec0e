#include "http/content.h"

#include <string.h>

enum { PERIOD = 65521 };

const unsigned char *http_content(uint64_t offset)
{
    static unsigned char table[PERIOD + HTTP_CONTENT_PIECE];
    static bool made;
    if (!made)
        for (uint32_t i = 0; i < sizeof table; i++)
            table[i] = (unsigned char)(i % PERIOD * 167 >> 3);
    made = true;
    return table + offset % PERIOD;
}

bool http_content_is(uint64_t offset, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    while (length > 0) {
        size_t piece = length < HTTP_CONTENT_PIECE ? length : HTTP_CONTENT_PIECE;
        if (memcmp(http_content(offset), next, piece) != 0)
            return false;
        offset += piece;
        next += piece;
        length -= piece;
    }
    return true;
}
