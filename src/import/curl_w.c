/*
 * `curl -w` timings: time_namelookup, time_connect, ... in any layout and as JSON.
 *
 * All are seconds since the start, so each has to be at least as large as the one before it. Known
 * faults of the tool: appconnect of a reused connection although nothing was negotiated, appconnect
 * above total (7.87), both counted twice through a TLS proxy. An appconnect of zero is no TLS, not
 * TLS in no time.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "import/importer.h"

enum timing { NAMELOOKUP, CONNECT, APPCONNECT, PRETRANSFER, STARTTRANSFER, TOTAL, REDIRECT };

static const char *const TIMINGS[] = {"namelookup",    "connect", "appconnect", "pretransfer",
                                      "starttransfer", "total",   "redirect"};

struct curl {
    double seconds[COUNT_OF(TIMINGS)]; /* NaN: not seen */
    uint32_t lines[COUNT_OF(TIMINGS)];
    unsigned seen;
    int decimals;                  /* of the first figure; -1: none yet */
    bool units;                    /* something stands behind the figures: "s", "ms" */
    bool cut[COUNT_OF(TIMINGS)];   /* the file ends in the figure */
    bool whole[COUNT_OF(TIMINGS)]; /* no decimals: the tool prints six, or three */
    bool https, http;
};

static void forget(struct curl *state)
{
    *state = (struct curl){.decimals = -1};
    for (size_t i = 0; i < COUNT_OF(TIMINGS); i++)
        state->seconds[i] = NAN;
}

static void begin(struct curl *state, struct collector *collector)
{
    if (collector->run.format[0] != '\0')
        return;
    collect_begin(collector, importer_curl_w.name, importer_curl_w.tool);
    forget(state);
}

/* --- verdict on a group of timings --------------------------------------------------------- */

static struct reading *add(const struct curl *state, struct collector *collector,
                           enum timing timing)
{
    struct reading *reading = collect_reading(collector, state->lines[timing]);
    if (reading == NULL)
        return NULL;
    bool tls = state->https || (!state->http && state->seconds[APPCONNECT] > 0);
    bool known = state->http || !isnan(state->seconds[APPCONNECT]);
    reading->algorithm = tls ? "https" : known ? "http" : "transfer";
    reading->operation = TIMINGS[timing];
    reading->label = collect_text(collector, "time_%s", TIMINGS[timing]);
    reading->metric = METRIC_SECONDS;
    reading->printed = state->seconds[timing];
    reading->value = state->seconds[timing];
    return reading;
}

/* A time that is smaller than one that came before it, or larger than the total. */
static bool out_of_order(const struct curl *state, enum timing timing)
{
    double now = state->seconds[timing];
    if (timing == REDIRECT || now < 0)
        return now < 0;
    if (now > state->seconds[TOTAL] + 1e-6)
        return true;
    for (int before = NAMELOOKUP; before < (int)timing; before++) {
        bool later_is_wrong = state->seconds[before] > state->seconds[TOTAL] + 1e-6;
        if (!later_is_wrong && state->seconds[before] > now + 1e-6 && now > 0)
            return true;
    }
    return false;
}

static void set_unknown(struct reading *reading, uint32_t flag)
{
    reading->status = CELL_UNKNOWN;
    reading->value = NAN;
    reading->flags |= flag;
}

static void judge_appconnect(const struct curl *state, struct collector *collector,
                             struct reading *reading)
{
    uint32_t line = reading->line;
    if (state->seconds[APPCONNECT] == 0) {
        reading->value = NAN;
        reading->status = state->https ? CELL_UNKNOWN : CELL_UNAVAILABLE;
        collect_finding(collector, state->https ? FINDING_NOTE : FINDING_REMARK, line,
                        state->https ? "no handshake was timed: the connection failed or was reused"
                                     : "appconnect 0 means that there was no TLS");
        if (state->https)
            reading->flags |= FLAG_BELOW_RESOLUTION;
    } else if (state->seconds[CONNECT] == 0) {
        set_unknown(reading, FLAG_DURATION_OFF);
        collect_finding(collector, FINDING_NOTE, line,
                        "appconnect on a reused connection: no handshake happened");
    }
}

static void flush(struct curl *state, struct collector *collector)
{
    for (unsigned i = 0; i < COUNT_OF(TIMINGS); i++) {
        if (isnan(state->seconds[i]))
            continue;
        struct reading *reading = add(state, collector, (enum timing)i);
        if (reading == NULL)
            return;
        if (state->cut[i]) {
            set_unknown(reading, FLAG_TRUNCATED);
        } else if (state->whole[i]) {
            uint32_t line = reading->line;
            set_unknown(reading, 0);
            collect_finding(collector, FINDING_NOTE, line,
                            "a time without decimals: its unit is not certain");
        } else if (out_of_order(state, (enum timing)i)) {
            uint32_t line = reading->line;
            set_unknown(reading, FLAG_DURATION_OFF);
            collect_finding_text(collector, FINDING_NOTE, line,
                                 "time_%s is out of order with the others", TIMINGS[i]);
        } else if (i == APPCONNECT) {
            judge_appconnect(state, collector, reading);
        }
    }
}

static void finish(void *memory, struct collector *collector)
{
    struct curl *state = memory;
    if (state->seen > 0)
        flush(state, collector);
    collect_finish(collector);
    forget(state);
}

/* --- reading ------------------------------------------------------------------------------- */

/* Digits with a point, or with the comma of a locale, as digits with a point; their number. */
static size_t copy_number(const char *text, char *copy, size_t room)
{
    size_t length = 0;
    bool point = false;
    for (; length < room - 1; length++) {
        char c = text[length];
        bool comma = c == ',' && !point && isdigit((unsigned char)text[length + 1]);
        if (!isdigit((unsigned char)c) && c != '.' && !comma)
            break;
        point = point || c == '.' || comma;
        copy[length] = comma ? '.' : c;
    }
    return length;
}

/* What the unit behind a figure makes of seconds: "ms", " ms", " milliseconds", "us". */
static double time_divisor(const char *text)
{
    text += strspn(text, " ");
    if (has_prefix(text, "ms") || has_prefix(text, "milliseconds"))
        return 1e3;
    if (has_prefix(text, "us") || has_prefix(text, "microseconds") ||
        has_prefix(text, "\xc2\xb5s") || has_prefix(text, "\xce\xbcs"))
        return 1e6;
    return 1;
}

/* "0.005352s", "0,005352", "12.5 ms": seconds. False when it is none. */
static bool time_value(const char *text, double *seconds, int *decimals, bool *at_end)
{
    text += strspn(text, " :=\"'");
    char copy[32] = "";
    size_t length = copy_number(text, copy, sizeof copy);
    text += length;
    if (length == 0 || scan_number((struct slice){copy, length}, seconds) == 0)
        return false;
    *decimals = slice_decimals((struct slice){copy, length});
    const char *unit = text + strspn(text, " ");
    *at_end = strcmp(unit, "") == 0 || strcmp(unit, "m") == 0 || strcmp(unit, "u") == 0;
    double divisor = time_divisor(text);
    *seconds /= divisor;
    if (divisor > 1) /* of a second */
        *decimals += 3;
    return true;
}

static bool take_timing(struct curl *state, struct collector *collector,
                        const struct import_line *line, const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(TIMINGS); i++) {
        size_t length = strlen(TIMINGS[i]);
        if (strncmp(name, TIMINGS[i], length) != 0 || isalnum((unsigned char)name[length]) ||
            name[length] == '_')
            continue;
        double seconds;
        int decimals;
        bool at_end;
        if (!time_value(name + length, &seconds, &decimals, &at_end))
            return false;
        if (!isnan(state->seconds[i])) {
            bool https = state->https, http = state->http;
            finish(state, collector);
            begin(state, collector);
            state->https = https;
            state->http = http;
        }
        state->whole[i] = decimals < 1 && seconds > 0;
        state->seconds[i] = seconds;
        state->lines[i] = line->number;
        state->cut[i] = line->last && at_end && (decimals != state->decimals || state->units);
        state->units = state->units || !at_end;
        if (state->decimals < 0)
            state->decimals = decimals;
        state->seen++;
        return true;
    }
    return false;
}

static bool is_command(const char *text)
{
    const char *curl = find_text(text, "curl ");
    return curl != NULL &&
           (find_text(curl, " -w") != NULL || find_text(curl, "--write-out") != NULL) &&
           find_text(curl, "://") != NULL;
}

static void take_command(struct curl *state, struct collector *collector, const char *text)
{
    if (state->seen > 0)
        finish(state, collector);
    begin(state, collector);
    state->https = find_text(text, "https://") != NULL;
    state->http = !state->https && find_text(text, "http://") != NULL;
    /* with -L the request may have been sent on to another scheme */
    if (find_text(text, " -L") != NULL || find_text(text, "--location") != NULL)
        state->http = false;
    collector->run.facts.command = collect_slice(collector, slice_of(text));
}

static bool has_timing(const char *text)
{
    double seconds;
    int decimals;
    bool at_end;
    for (const char *at = text; (at = find_text(at, "time_")) != NULL; at++) {
        for (unsigned i = 0; i < COUNT_OF(TIMINGS); i++) {
            size_t length = strlen(TIMINGS[i]);
            if (strncmp(at + 5, TIMINGS[i], length) == 0 && at[5 + length] != '_' &&
                time_value(at + 5 + length, &seconds, &decimals, &at_end))
                return true;
        }
    }
    return false;
}

static bool probe(const struct import_line *line)
{
    return is_command(line->text) || has_timing(line->text);
}

static bool parse(void *memory, struct collector *collector, const struct import_line *line)
{
    struct curl *state = memory;
    if (line->stars)
        return false;
    if (is_command(line->text)) {
        take_command(state, collector, line->text);
        return true;
    }
    if (!has_timing(line->text))
        return line->length > 0 && strspn(line->text, "-=") == line->length;
    begin(state, collector);
    for (const char *at = line->text; (at = find_text(at, "time_")) != NULL; at += 5)
        (void)take_timing(state, collector, line, at + 5);
    return true;
}

const struct importer importer_curl_w = {
    .name = "curl-w",
    .tool = "curl -w",
    .description = "curl -w timings, any layout, JSON",
    .state_size = sizeof(struct curl),
    .probe = probe,
    .parse = parse,
    .finish = finish,
};
