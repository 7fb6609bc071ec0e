#include "record/flag.h"

#include <string.h>

#include "core/attributes.h"

static const struct flag flags[] = {
    {"noisy", "the reference loop scattered while this was measured",
     "measure again on a quiet machine, or pin with --cpu"},
    {"throttled", "the reference loop became slower for good while this was measured",
     "check cooling, governor and neighbours on the host, then measure again"},
    {"too-few-samples", "the time cap came before enough rounds for an interval",
     "raise --max-time"},
    {"wide-interval", "the time cap came before the target interval was reached",
     "raise --max-time or accept the interval shown"},
    {"cpu-moved", "the thread was moved between CPUs of unequal speed",
     "pin with --cpu LIST or --cpu each-cluster"},
    {"history-dependent", "the library keeps tables that make later operations cheaper",
     "compare with first-use figures before sizing a cold start"},
    {"not-repeatable", "this library draws randomness that cannot be injected",
     "do not expect the same bytes again"},
    {"replayable", "early data can be sent again by whoever recorded it (RFC 8446 section 8)",
     "use it only for requests that may happen twice"},
    {"failures", "some handshakes or requests failed; they are in no figure",
     "see the classes in the checks of the record"},
    {"http-error", "answers had a status of 400 or above",
     "see checks.status; measure a target that exists"},
    {"software-fallback", "an accelerator was asked for and software did the work",
     "see which driver or provider served; do not count it as hardware"},
    {"engine-not-used", "the engine or provider was loaded but did not do the work",
     "use -evp with openssl speed, or fetch the algorithm from the provider"},
    {"engine-not-used-suspected", "labelled as accelerated, but the numbers look like software",
     "run it again with -elapsed and beside a software run"},
    {"engine-failed", "the engine or driver could not be set up",
     "mend the set-up, see the reason"},
    {"errors-timed", "operations that failed were counted as work", "do not use these numbers"},
    {"cpu-time", "the rate was computed from CPU seconds, not from elapsed time",
     "use the value computed from elapsed time; run with -elapsed"},
    {"infinite", "the printed rate is infinite: it was divided by no CPU time",
     "use the value computed from elapsed time; run with -elapsed"},
    {"table-disagrees", "the table and the counts of the same log differ",
     "use the value computed from the counts; run again with one version of the tool"},
    {"total-of-workers", "the sum over several workers, not one core",
     "divide by the workers only if they had a core each"},
    {"duplicate", "the same row stands more than once in the log",
     "look at the spread; it may be two clusters of cores"},
    {"counter-saturated", "a counter stands at its largest value",
     "use a version of the tool with wider counters"},
    {"below-resolution", "the value is below what the tool can print",
     "use a tool with more digits; do not rank by it"},
    {"truncated", "the log is cut at this place", "get the whole log"},
    {"exceeds-clock", "faster than this clock and core can be", "check clock, timer and unit"},
    {"duration-off", "measured for a time far from the nominal one",
     "check the timer and the load of the machine"},
    {"user-seconds", "per second of the client's user CPU time, not of elapsed time",
     "use the rate per real second"},
    {"not-resumed", "labelled as resumed, but no session was", "do not use it as resumption"},
    {"unit-unclear", "the unit as printed can be read in two ways",
     "use the reading that clock and cycles confirm"},
};

const struct flag *flag_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(flags[i].name, name) == 0)
            return &flags[i];
    return NULL;
}

const struct flag *flag_list(size_t *count)
{
    *count = COUNT_OF(flags);
    return flags;
}
