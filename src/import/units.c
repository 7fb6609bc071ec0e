#include "import/units.h"

#include <ctype.h>
#include <string.h>

static struct slice without_rate(struct slice unit)
{
    while (unit.length > 0 &&
           (unit.text[unit.length - 1] == ',' || unit.text[unit.length - 1] == ';'))
        unit.length--;
    if (slice_ends(unit, "/s"))
        unit.length -= 2;
    else if (slice_ends(unit, "/sec"))
        unit.length -= 4;
    return unit;
}

/* "k" -> step, "M" -> step squared, "G" -> step cubed; 0 for another letter. */
static double prefixed(char letter, double step)
{
    static const char PREFIXES[] = "kmg";
    const char *prefix = memchr(PREFIXES, tolower((unsigned char)letter), 3);
    double bytes = prefix != NULL ? 1 : 0;
    for (const char *power = PREFIXES; prefix != NULL && power <= prefix; power++)
        bytes *= step;
    return bytes;
}

double unit_bytes(struct slice unit, bool binary)
{
    unit = without_rate(unit);
    if (slice_is(unit, "B") || slice_is(unit, "bytes") || slice_is(unit, "byte"))
        return 1;
    if (slice_is_nocase(unit, "megs"))
        return 1024.0 * 1024;
    bool explicit_binary = unit.length == 3 && unit.text[1] == 'i';
    bool byte = slice_ends(unit, "B") || slice_ends(unit, "b");
    if (!byte || (unit.length != 2 && !explicit_binary))
        return 0;
    return prefixed(unit.text[0], explicit_binary || binary ? 1024 : 1000);
}

bool unit_is_open(struct slice unit)
{
    unit = without_rate(unit);
    return unit.length == 2 &&
           (unit.text[0] == 'K' || unit.text[0] == 'M' || unit.text[0] == 'G') &&
           unit.text[1] == 'B';
}
