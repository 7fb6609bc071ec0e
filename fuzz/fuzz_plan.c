/* Any bytes as a plan: no crash, no leak, bounded; what is accepted has jobs with settings. */
#include <stdint.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/plan.h"

struct fuzz_settings {
    const char *text, *choice;
    struct text_list list, chosen;
    struct size_list sizes;
    uint64_t number, duration;
    double ratio;
    bool flag;
};

static const char *const choices[] = {"openssl", "mbedtls", "wolfssl", NULL};

static const struct option options[] = {
    {.name = "output", .kind = OPTION_TEXT, .offset = offsetof(struct fuzz_settings, text)},
    {.name = "mode",
     .kind = OPTION_CHOICE,
     .offset = offsetof(struct fuzz_settings, choice),
     .choices = choices},
    {.name = "algorithm", .kind = OPTION_LIST, .offset = offsetof(struct fuzz_settings, list)},
    {.name = "library",
     .kind = OPTION_LIST,
     .offset = offsetof(struct fuzz_settings, chosen),
     .choices = choices},
    {.name = "sizes", .kind = OPTION_SIZES, .offset = offsetof(struct fuzz_settings, sizes)},
    {.name = "threads",
     .kind = OPTION_NUMBER,
     .offset = offsetof(struct fuzz_settings, number),
     .minimum = 1,
     .maximum = 64},
    {.name = "max-time",
     .kind = OPTION_DURATION,
     .offset = offsetof(struct fuzz_settings, duration),
     .otherwise = "1s"},
    {.name = "target", .kind = OPTION_RATIO, .offset = offsetof(struct fuzz_settings, ratio)},
    {.name = "quick", .kind = OPTION_FLAG, .offset = offsetof(struct fuzz_settings, flag)},
};

static bool measure_nothing(struct session *session, const void *settings, struct error *error)
{
    (void)session;
    (void)settings;
    (void)error;
    return true;
}

static const struct command command_fuzz = {
    .name = "crypto",
    .options = options,
    .option_count = COUNT_OF(options),
    .settings_size = sizeof(struct fuzz_settings),
    .measure = measure_nothing,
};

const struct command *const commands[] = {&command_fuzz, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan plan;
    struct error error;
    if (plan_read_text(&plan, (const char *)data, size, "plan.ini", &error)) {
        if (plan.job_count == 0)
            abort();
        for (size_t i = 0; i < plan.job_count; i++)
            if (plan.jobs[i].command != &command_fuzz || plan.jobs[i].settings == NULL)
                abort();
    }
    plan_free(&plan);
    options_forget();
    return 0;
}
