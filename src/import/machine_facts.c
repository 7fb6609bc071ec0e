#include "import/machine_facts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "0m 15.07s", "1:02.5", "0:18.02", "1h 2m 3s", "15.07" -> seconds; NaN when it is none. */
static double clock_text(const char *text)
{
    double total = 0;
    struct slice rest = slice_trim(slice_of(text));
    bool any = false;
    while (rest.length > 0) {
        double part;
        size_t length = scan_number(rest, &part);
        if (length == 0 || part < 0)
            return NAN;
        any = true;
        rest.text += length;
        rest.length -= length;
        char unit = rest.length > 0 ? rest.text[0] : '\0';
        if (unit == ':')
            total = (total + part) * 60;
        else if (unit == 'h')
            total += part * 3600;
        else if (unit == 'm')
            total += part * 60;
        else
            total += part;
        if (unit == ':' || unit == 'h' || unit == 'm' || unit == 's') {
            rest.text++;
            rest.length--;
        }
        rest = slice_trim(rest);
    }
    return any ? total : NAN;
}

static bool labelled(const char *text, const char *label, double *value)
{
    if (!has_prefix(text, label))
        return false;
    struct slice rest = slice_trim(slice_of(text + strlen(label)));
    return scan_number(rest, value) > 0;
}

/* GNU time -v and BusyBox's. */
static bool time_block(struct run_facts *facts, const char *text)
{
    static const char ELAPSED[] = "Elapsed (wall clock) time";
    double value;
    if (labelled(text, "User time (seconds):", &facts->user_s) ||
        labelled(text, "System time (seconds):", &facts->system_s) ||
        labelled(text, "Percent of CPU this job got:", &facts->cpu_percent))
        return true;
    if (has_prefix(text, ELAPSED)) {
        const char *colon = find_text(text, "): ");
        facts->elapsed_s = colon != NULL ? clock_text(colon + 3) : NAN;
        return true;
    }
    static const char *const IGNORED[] = {
        "Command being timed:", "Average ",          "Maximum resident",    "Major (requiring",
        "Minor (reclaim",       "Voluntary context", "Involuntary context", "Swaps:",
        "File system ",         "Socket messages",   "Signals delivered:",  "Page size (bytes):",
        "Exit status:"};
    for (size_t i = 0; i < COUNT_OF(IGNORED); i++) {
        if (has_prefix(text, IGNORED[i]))
            return true;
    }
    (void)value;
    return false;
}

/* "real 0m15.07s" of a shell. */
static bool shell_times(struct run_facts *facts, const char *text)
{
    double *where = has_prefix(text, "real ")   ? &facts->elapsed_s
                    : has_prefix(text, "user ") ? &facts->user_s
                    : has_prefix(text, "sys ")  ? &facts->system_s
                                                : NULL;
    if (where == NULL)
        return false;
    double seconds = clock_text(text + (has_prefix(text, "sys ") ? 4 : 5));
    if (isnan(seconds))
        return false;
    *where = seconds;
    if (facts->elapsed_s > 0 && facts->user_s >= 0 && facts->system_s >= 0)
        facts->cpu_percent = 100 * (facts->user_s + facts->system_s) / facts->elapsed_s;
    return true;
}

static double hertz(char prefix)
{
    switch (prefix) {
    case 'G':
    case 'g':
        return 1e9;
    case 'M':
    case 'm':
        return 1e6;
    case 'k':
    case 'K':
        return 1e3;
    default:
        return 1;
    }
}

/* A number that stands by itself at `at`: its length; 0: none. */
static size_t number_at(const char *text, const char *at, double *value)
{
    *value = 0;
    bool begins = isdigit((unsigned char)*at) &&
                  (at == text || !(isalnum((unsigned char)at[-1]) || strchr(".-", at[-1]) != NULL));
    return begins ? scan_number(slice_of(at), value) : 0;
}

/* The number that ends right before `unit`, else the first behind `after`: the other numbers of the
 * line count cores or name one ("4 x Cortex-A53 @ 1512 MHz"). NaN: none. */
static double clock_number(const char *text, const char *unit, const char *after)
{
    double value;
    const char *end = unit, *from;
    while (end > text && end[-1] == ' ')
        end--;
    for (from = end; from > text && (isdigit((unsigned char)from[-1]) || from[-1] == '.');)
        from--;
    if (from < end && number_at(text, from, &value) == (size_t)(end - from))
        return value;
    while (*after != '\0' && !isdigit((unsigned char)*after))
        after++;
    return number_at(text, after, &value) > 0 ? value : NAN;
}

/* "CPU Frequency 32000403 Hz", "CPU max MHz: 1800.0000", "cpu MHz : 3700.0", "Clock: 160 MHz". */
static bool stated_clock(struct run_facts *facts, const char *text)
{
    const char *unit = find_nocase(text, "hz");
    bool clock = unit != NULL && unit > text &&
                 (find_nocase(text, "cpu") != NULL || find_nocase(text, "clock") != NULL ||
                  find_nocase(text, "freq") != NULL);
    if (!clock)
        return false;
    double scale = hertz(unit[-1]);
    double value = clock_number(text, unit - (scale > 1 ? 1 : 0), unit + 2), stated = value * scale;
    if (!(stated >= 1e6 && stated <= 1e10) || stated <= facts->clock_hz)
        return false;
    facts->clock_hz = stated;
    return true;
}

static bool kernel_fault(const char *text)
{
    return find_text(text, "Internal error:") != NULL || find_text(text, "Kernel panic") != NULL ||
           find_text(text, "Unable to handle kernel") != NULL || find_text(text, "Oops") != NULL ||
           find_text(text, "Unhandled context fault") != NULL;
}

bool machine_facts_line(struct collector *collector, const struct import_line *line)
{
    struct run_facts *facts = &collector->run.facts;
    if (!collector->open && isnan(facts->clock_hz))
        return stated_clock(facts, line->text);
    if (kernel_fault(line->text)) {
        collect_finding(collector, FINDING_KERNEL, line->number, line->text);
        return true;
    }
    return time_block(facts, line->text) || shell_times(facts, line->text) ||
           stated_clock(facts, line->text);
}
