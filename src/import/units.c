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

double unit_bytes(struct slice unit, bool binary)
{
    unit = without_rate(unit);
    if (slice_is(unit, "B") || slice_is(unit, "bytes") || slice_is(unit, "byte"))
        return 1;
    if (unit.length == 4 && slice_is_nocase(unit, "megs"))
        return 1024.0 * 1024;
    bool explicit_binary = unit.length == 3 && unit.text[1] == 'i';
    if (unit.length != 2 && !explicit_binary)
        return 0;
    if (unit.text[unit.length - 1] != 'B' && unit.text[unit.length - 1] != 'b')
        return 0;
    double step = explicit_binary || binary ? 1024 : 1000;
    static const char PREFIXES[] = "kmg";
    const char *prefix = strchr(PREFIXES, tolower((unsigned char)unit.text[0]));
    if (prefix == NULL || *prefix == '\0')
        return 0;
    double bytes = 1;
    for (const char *power = PREFIXES; power <= prefix; power++)
        bytes *= step;
    return bytes;
}

bool unit_is_open(struct slice unit)
{
    unit = without_rate(unit);
    return unit.length == 2 &&
           (unit.text[0] == 'K' || unit.text[0] == 'M' || unit.text[0] == 'G') &&
           unit.text[1] == 'B';
}
