#include "cli/plan.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "core/buffer.h"
#include "core/text.h"

enum {
    COMMANDS_MAXIMUM = 32,
    NEAREST_BYTES_MAXIMUM = 200,
    SECTION_BYTES_MAXIMUM = 48, /* what inih keeps of a section's name */
};

static const char global_name[] = "global";
static const char instrument_key[] = "instrument";

struct entry {
    size_t section;
    const char *key;
    const char *value;
    unsigned line;
    bool known; /* to an instrument that uses it */
};

struct section {
    const char *name;
    unsigned line;
};

/* What the file says, before anything is looked up. */
struct reading {
    struct plan *plan;
    const char *name; /* of the file */
    const char *next; /* the line to be read next */
    const char *end;
    unsigned line;                                  /* number of the line read last, from 1 */
    bool indented;                                  /* that line begins with a blank */
    struct section sections[PLAN_JOBS_MAXIMUM + 1]; /* the jobs and [global] */
    size_t section_count;
    struct entry entries[PLAN_ENTRIES_MAXIMUM];
    size_t entry_count;
    bool failed;
    struct error *error;
};

/* Says where. Returns false, so that it ends a handler. */
static bool place(struct reading *reading, unsigned line)
{
    reading->failed = true;
    return error_prefix(reading->error, "%s:%u", reading->name, line);
}

static bool refuse(struct reading *reading, unsigned line, const char *text)
{
    error_set(reading->error, ERROR_INPUT, "%s", text);
    return place(reading, line);
}

static bool add_section(struct reading *reading, const char *name, size_t length)
{
    if (length == 0 || length > SECTION_BYTES_MAXIMUM)
        return refuse(reading, reading->line, "a section's name has 1 to 48 characters");
    if (reading->section_count == COUNT_OF(reading->sections))
        return refuse(reading, reading->line, "a plan has at most 64 jobs");
    for (size_t i = 0; i < reading->section_count; i++) {
        const struct section *other = &reading->sections[i];
        if (strlen(other->name) != length || memcmp(other->name, name, length) != 0)
            continue;
        error_set(reading->error, ERROR_INPUT, "[%s] stands in line %u already", other->name,
                  other->line);
        return place(reading, reading->line);
    }
    const char *copy = arena_copy(&reading->plan->arena, name, length);
    if (copy == NULL)
        return refuse(reading, reading->line, "memory ran out");
    reading->sections[reading->section_count++] =
        (struct section){.name = copy, .line = reading->line};
    return true;
}

/* Notes a section by its heading: inih tells of a section only with its first key, and a job may
 * have none of its own. */
static bool note_section(struct reading *reading, const char *line, size_t length)
{
    if (length == 0 || line[0] != '[')
        return true;
    const char *closing = memchr(line, ']', length);
    if (closing == NULL)
        return refuse(reading, reading->line, "a section is [NAME]: the ] is missing");
    return add_section(reading, line + 1, (size_t)(closing - line - 1));
}

/* Hands inih a line; NULL at the end or after an error. */
static char *read_line(char *into, int room, void *context)
{
    struct reading *reading = context;
    if (reading->failed || reading->next == reading->end)
        return NULL;
    size_t left = (size_t)(reading->end - reading->next);
    const char *newline = memchr(reading->next, '\n', left);
    size_t length = newline == NULL ? left : (size_t)(newline - reading->next) + 1;
    reading->line++;
    if (memchr(reading->next, '\0', length) != NULL) {
        refuse(reading, reading->line, "a zero byte: this is no plan");
        return NULL;
    }
    if (length + 2 > (size_t)room) {
        refuse(reading, reading->line,
               "the line is too long; a value may go on in indented lines below");
        return NULL;
    }
    reading->indented = reading->next[0] == ' ' || reading->next[0] == '\t';
    if (!note_section(reading, reading->next, length))
        return NULL;
    memcpy(into, reading->next, length);
    into[length] = '\0';
    reading->next += length;
    return into;
}

/* The length of a value without a comment behind it, which inih leaves on indented lines. */
static size_t value_length(const char *value)
{
    size_t length = 0;
    while (value[length] != '\0' &&
           !(value[length] == ';' && length > 0 && strchr(" \t", value[length - 1]) != NULL))
        length++;
    while (length > 0 && strchr(" \t", value[length - 1]) != NULL)
        length--;
    return length;
}

/* An indented line goes on with the value of the entry before it. */
static bool continue_value(struct reading *reading, struct entry *entry, const char *value)
{
    if (strchr(value, '=') != NULL)
        return refuse(reading, reading->line,
                      "an indented line goes on with the value above; keys start a line");
    struct buffer joined;
    buffer_init(&joined, PLAN_BYTES_MAXIMUM);
    buffer_append_text(&joined, entry->value);
    if (joined.length > 0 && joined.data[joined.length - 1] != ',')
        buffer_append_char(&joined, ',');
    buffer_append(&joined, value, value_length(value));
    entry->value = arena_text(&reading->plan->arena, buffer_text(&joined));
    bool failed = joined.failed || entry->value == NULL;
    buffer_free(&joined);
    return failed ? refuse(reading, reading->line, "memory ran out") : true;
}

static struct entry *find_entry(struct reading *reading, size_t section, const char *key)
{
    for (size_t i = 0; i < reading->entry_count; i++)
        if (reading->entries[i].section == section && strcmp(reading->entries[i].key, key) == 0)
            return &reading->entries[i];
    return NULL;
}

/* inih's handler: a key and its value, or one more line of the value. */
static int read_entry(void *context, const char *inih_section, const char *key, const char *value)
{
    (void)inih_section; /* cut at 49 bytes, where ours is whole */
    struct reading *reading = context;
    if (reading->failed)
        return false;
    if (reading->section_count == 0)
        return refuse(reading, reading->line, "a key stands before the first [section]");
    size_t section = reading->section_count - 1;
    struct entry *before = find_entry(reading, section, key);
    if (before != NULL && reading->indented &&
        before == &reading->entries[reading->entry_count - 1])
        return continue_value(reading, before, value);
    if (before != NULL) {
        error_set(reading->error, ERROR_INPUT, "%s stands in line %u already", key, before->line);
        return place(reading, reading->line);
    }
    if (reading->entry_count == PLAN_ENTRIES_MAXIMUM)
        return refuse(reading, reading->line, "the plan has too many keys");
    struct entry entry = {.section = section,
                          .key = arena_text(&reading->plan->arena, key),
                          .value = arena_text(&reading->plan->arena, value),
                          .line = reading->line};
    if (entry.key == NULL || entry.value == NULL)
        return refuse(reading, reading->line, "memory ran out");
    reading->entries[reading->entry_count++] = entry;
    return true;
}

/* ---- from text to jobs ---- */

static bool refuse_instrument(struct reading *reading, const struct entry *entry)
{
    const char *names[COMMANDS_MAXIMUM];
    size_t count = 0;
    for (size_t i = 0; commands[i] != NULL && count < COMMANDS_MAXIMUM; i++)
        if (commands[i]->measure != NULL)
            names[count++] = commands[i]->name;
    struct buffer near;
    buffer_init(&near, NEAREST_BYTES_MAXIMUM);
    text_nearest(entry->value, names, count, &near);
    bool is_near = near.length > 0;
    for (size_t i = 0; !is_near && i < count; i++)
        buffer_printf(&near, "%s%s", i == 0 ? "" : ", ", names[i]);
    error_set(reading->error, ERROR_INPUT,
              is_near ? "there is no instrument \"%s\"; did you mean %s?"
                      : "there is no instrument \"%s\"; choose from %s",
              entry->value, buffer_text(&near));
    buffer_free(&near);
    return place(reading, entry->line);
}

static const struct command *find_instrument(struct reading *reading, size_t section, size_t global)
{
    struct entry *entry = find_entry(reading, section, instrument_key);
    if (entry == NULL)
        entry = find_entry(reading, global, instrument_key);
    if (entry == NULL) {
        refuse(reading, reading->sections[section].line,
               "the job has no \"instrument =\", and [global] has none");
        return NULL;
    }
    entry->known = true;
    for (size_t i = 0; commands[i] != NULL; i++)
        if (commands[i]->measure != NULL && strcmp(commands[i]->name, entry->value) == 0)
            return commands[i];
    refuse_instrument(reading, entry);
    return NULL;
}

/* Sets the section's keys in the job's settings. Of [global], only those the command has. */
static bool apply(struct reading *reading, size_t section, bool is_global,
                  const struct plan_job *job)
{
    for (size_t i = 0; i < reading->entry_count; i++) {
        struct entry *entry = &reading->entries[i];
        if (entry->section != section || strcmp(entry->key, instrument_key) == 0)
            continue;
        const struct option *option = option_find(job->command, entry->key);
        bool unfit = option != NULL && (option->hidden || option->of_session);
        if (unfit && (!is_global || option->of_session)) {
            error_set(reading->error, ERROR_INPUT, "%s may not stand in a plan%s", entry->key,
                      option->of_session ? "; give it to tlsmeter run" : "");
            return place(reading, entry->line);
        }
        if (is_global && (option == NULL || unfit))
            continue;
        if (!option_set(job->command, job->settings, entry->key, entry->value, reading->error)) {
            reading->error->code = ERROR_INPUT;
            return place(reading, entry->line);
        }
        entry->known = true;
    }
    return true;
}

static bool make_job(struct reading *reading, size_t section, size_t global)
{
    struct plan *plan = reading->plan;
    if (plan->job_count == PLAN_JOBS_MAXIMUM)
        return refuse(reading, reading->sections[section].line, "a plan has at most 64 jobs");
    struct plan_job job = {.name = reading->sections[section].name,
                           .line = reading->sections[section].line,
                           .command = find_instrument(reading, section, global)};
    if (job.command == NULL)
        return false;
    job.settings = arena_take(&plan->arena, job.command->settings_size);
    if (job.settings == NULL)
        return refuse(reading, job.line, "memory ran out");
    if (!options_default(job.command, job.settings, reading->error))
        return place(reading, job.line);
    if (!apply(reading, global, true, &job) || !apply(reading, section, false, &job))
        return false;
    plan->jobs[plan->job_count++] = job;
    return true;
}

/* A key of [global] that no job's instrument has: the error of the first job's is the one to show.
 */
static bool check_global(struct reading *reading, size_t global)
{
    for (size_t i = 0; i < reading->entry_count; i++) {
        const struct entry *entry = &reading->entries[i];
        if (entry->section != global || entry->known)
            continue;
        if (strcmp(entry->key, instrument_key) == 0)
            continue; /* every job names its own */
        const struct plan_job *job = &reading->plan->jobs[0];
        if (!option_set(job->command, job->settings, entry->key, entry->value, reading->error))
            return place(reading, entry->line);
    }
    return true;
}

static bool make_jobs(struct reading *reading)
{
    struct plan *plan = reading->plan;
    size_t global = reading->section_count; /* of no section: matches nothing */
    for (size_t i = 0; i < reading->section_count; i++)
        if (strcmp(reading->sections[i].name, global_name) == 0)
            global = i;
    plan->jobs = arena_take(&plan->arena, (reading->section_count + 1) * sizeof *plan->jobs);
    if (plan->jobs == NULL)
        return error_set(reading->error, ERROR_MEMORY, "%s: memory ran out", reading->name);
    for (size_t i = 0; i < reading->section_count; i++)
        if (i != global && !make_job(reading, i, global))
            return false;
    if (plan->job_count == 0)
        return error_set(reading->error, ERROR_INPUT,
                         "%s: the plan has no job; a job is a [section] with \"instrument =\"",
                         reading->name);
    return check_global(reading, global);
}

static bool parse(struct reading *reading)
{
    int line = ini_parse_stream(read_line, reading, read_entry, reading);
    if (reading->failed)
        return false;
    if (line > 0)
        return refuse(reading, (unsigned)line, "expected [section], key = value, or a ; comment");
    if (line < 0)
        return error_set(reading->error, ERROR_MEMORY, "%s: memory ran out", reading->name);
    return make_jobs(reading);
}

bool plan_read_text(struct plan *plan, const char *text, size_t length, const char *name,
                    struct error *error)
{
    *plan = (struct plan){0};
    struct error mine; /* so that a code can be set and a place added when the caller wants none */
    if (length > PLAN_BYTES_MAXIMUM)
        return error_set(error, ERROR_LIMIT, "%s: a plan has at most %u KiB", name,
                         PLAN_BYTES_MAXIMUM / 1024);
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL)
        return error_set(error, ERROR_MEMORY, "%s: memory ran out", name);
    reading->plan = plan;
    reading->name = name;
    bool has_mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* of byte order */
    reading->next = has_mark ? text + 3 : text;
    reading->end = text + length;
    reading->error = &mine;
    bool done = parse(reading);
    free(reading);
    if (done)
        return true;
    plan_free(plan);
    if (error != NULL)
        *error = mine;
    return false;
}

/* The whole file, or one byte more than a plan may have. */
static bool read_whole(FILE *file, const char *path, struct buffer *text, struct error *error)
{
    char chunk[4096];
    size_t got = 0;
    while (text->length <= PLAN_BYTES_MAXIMUM && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        buffer_append(text, chunk, got);
    if (ferror(file) != 0)
        return error_set_errno(error, errno, "cannot read %s", path);
    if (text->failed)
        return error_set(error, ERROR_MEMORY, "%s: memory ran out", path);
    return true;
}

bool plan_read_file(struct plan *plan, const char *path, struct error *error)
{
    *plan = (struct plan){0};
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rbe");
    if (file == NULL)
        return error_set_errno(error, errno, "cannot open %s", path);
    struct buffer text;
    buffer_init(&text, PLAN_BYTES_MAXIMUM + 4096);
    bool done = read_whole(file, path, &text, error) &&
                plan_read_text(plan, buffer_text(&text), text.length,
                               is_input ? "standard input" : path, error);
    buffer_free(&text);
    if (!is_input)
        (void)fclose(file);
    return done;
}

void plan_free(struct plan *plan)
{
    arena_free(&plan->arena);
    *plan = (struct plan){0};
}
