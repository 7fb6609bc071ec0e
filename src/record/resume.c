#include "record/resume.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/reader.h"

enum { FIRST_SLOTS = 1024, KEY_BYTES = 4096 };

struct resume_entry {
    struct resume_entry *next; /* in its slot */
    uint64_t hash;
    const char *key;
    const char *version; /* of the library; NULL: not said */
};

static uint64_t hash_of(const char *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, 64 bits */
    for (; *key != '\0'; key++)
        hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
    return hash;
}

static const struct resume_entry *find(const struct resume *resume, const char *key)
{
    uint64_t hash = hash_of(key);
    if (resume->slot_count == 0)
        return NULL;
    const struct resume_entry *entry = resume->slots[hash & (resume->slot_count - 1)];
    while (entry != NULL && (entry->hash != hash || strcmp(entry->key, key) != 0))
        entry = entry->next;
    return entry;
}

static bool grow(struct resume *resume)
{
    size_t count = resume->slot_count == 0 ? FIRST_SLOTS : 2 * resume->slot_count;
    struct resume_entry **slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < resume->slot_count; i++)
        for (struct resume_entry *entry = resume->slots[i]; entry != NULL;) {
            struct resume_entry *next = entry->next;
            struct resume_entry **slot = &slots[entry->hash & (count - 1)];
            entry->next = *slot;
            *slot = entry;
            entry = next;
        }
    free(resume->slots);
    resume->slots = slots;
    resume->slot_count = count;
    return true;
}

static bool insert(struct resume *resume, const char *key, const char *version)
{
    if (find(resume, key) != NULL)
        return true;
    if (resume->count >= resume->slot_count && !grow(resume))
        return false;
    struct resume_entry *entry = arena_take(&resume->arena, sizeof *entry);
    if (entry == NULL)
        return false;
    entry->hash = hash_of(key);
    entry->key = arena_text(&resume->arena, key);
    entry->version = arena_text(&resume->arena, version);
    struct resume_entry **slot = &resume->slots[entry->hash & (resume->slot_count - 1)];
    entry->next = *slot;
    *slot = entry;
    resume->count++;
    return entry->key != NULL;
}

static bool on_run(void *context, const struct run *run, struct error *error)
{
    struct resume *resume = context;
    char scratch[32];
    const char *identity = attributes_text(&run->machine, "identity", scratch);
    if (identity == NULL)
        return true;
    if (resume->machine != NULL) {
        resume->machines_differ = resume->machines_differ || strcmp(resume->machine, identity) != 0;
        return true;
    }
    resume->machine = arena_text(&resume->arena, identity);
    return resume->machine != NULL || error_set(error, ERROR_MEMORY, "no memory to resume");
}

static bool on_cell(void *context, const struct cell *cell, struct error *error)
{
    struct resume *resume = context;
    char scratch[32];
    bool final =
        cell->status == CELL_OK || cell->status == CELL_FAILED || cell->status == CELL_UNAVAILABLE;
    if (!final || (cell->ended != NULL && strcmp(cell->ended, "interrupted") == 0))
        return true;
    struct buffer key;
    buffer_init(&key, KEY_BYTES);
    cell_key(cell, &key);
    bool kept = !key.failed && insert(resume, buffer_text(&key),
                                      attributes_text(&cell->implementation, "version", scratch));
    buffer_free(&key);
    return kept || error_set(error, ERROR_MEMORY, "no memory to resume");
}

bool resume_read(struct resume *resume, const char *path, struct error *error)
{
    struct record_handlers handlers = {.context = resume, .run = on_run, .cell = on_cell};
    struct record_read_result result;
    *resume = (struct resume){.slots = NULL};
    if (record_read_file(path, &handlers, &result, error))
        return true;
    resume_free(resume);
    return false;
}

void resume_free(struct resume *resume)
{
    free(resume->slots);
    arena_free(&resume->arena);
    *resume = (struct resume){.slots = NULL};
}

bool resume_holds(const struct resume *resume, const struct cell *cell, struct error *error)
{
    char scratch[32];
    struct buffer key;
    buffer_init(&key, KEY_BYTES);
    cell_key(cell, &key);
    const struct resume_entry *entry = key.failed ? NULL : find(resume, buffer_text(&key));
    buffer_free(&key);
    if (entry == NULL)
        return false;
    const char *version = attributes_text(&cell->implementation, "version", scratch);
    if (entry->version == NULL || version == NULL || strcmp(entry->version, version) == 0)
        return true;
    return error_set(error, ERROR_USAGE,
                     "the file holds figures of version %s, and version %s would go on; use a new "
                     "file",
                     entry->version, version);
}

bool resume_check_machine(const struct resume *resume, const char *identity, const char *path,
                          struct error *error)
{
    bool other = resume->machine != NULL && strcmp(resume->machine, identity) != 0;
    if (!other && !resume->machines_differ)
        return true;
    return error_set(error, ERROR_USAGE, "%s was measured on another machine (%s); use a new file",
                     path, resume->machine);
}
