#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/machine_internal.h"

enum { PATH_BYTES = 512, CHUNK_BYTES = 4096, CPUS_TEXT_BYTES = 8192 };
static const size_t file_bytes_maximum = 2u << 20;

static const char *read_path(const struct probe *probe, const char *path)
{
    char chunk[CHUNK_BYTES];
    struct buffer text;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    buffer_init(&text, file_bytes_maximum);
    ssize_t length;
    while ((length = read(fd, chunk, sizeof chunk)) > 0 && !text.failed)
        buffer_append(&text, chunk, (size_t)length);
    (void)close(fd);
    if (length < 0 && text.length == 0) {
        buffer_free(&text);
        return NULL;
    }
    while (text.length > 0 && (isspace((unsigned char)text.data[text.length - 1]) ||
                               text.data[text.length - 1] == '\0'))
        text.data[--text.length] = '\0';
    return probe_take(probe, &text);
}

/* False when the path does not fit. */
static bool make_path(const struct probe *probe, char path[PATH_BYTES], const char *format,
                      va_list arguments) PRINTF_LIKE(3, 0);

static bool make_path(const struct probe *probe, char path[PATH_BYTES], const char *format,
                      va_list arguments)
{
    int root = snprintf(path, PATH_BYTES, "%s/", probe->view->root);
    if (root < 0 || root >= PATH_BYTES)
        return false;
    int rest = vsnprintf(path + root, (size_t)(PATH_BYTES - root), format, arguments);
    return rest >= 0 && root + rest < PATH_BYTES;
}

const char *probe_read(const struct probe *probe, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list arguments;
    va_start(arguments, format);
    bool fits = make_path(probe, path, format, arguments);
    va_end(arguments);
    return fits ? read_path(probe, path) : NULL;
}

bool probe_number(const struct probe *probe, int64_t *number, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list arguments;
    va_start(arguments, format);
    bool fits = make_path(probe, path, format, arguments);
    va_end(arguments);
    const char *text = fits ? read_path(probe, path) : NULL;
    if (text == NULL)
        return false;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 0);
    if (end == text || *end != '\0' || errno != 0)
        return false;
    *number = value;
    return true;
}

bool probe_exists(const struct probe *probe, const char *path)
{
    char whole[PATH_BYTES];
    int length = snprintf(whole, sizeof whole, "%s/%s", probe->view->root, path);
    return length > 0 && length < PATH_BYTES && access(whole, F_OK) == 0;
}

const char *probe_field(const struct probe *probe, const char **at, const char *key)
{
    size_t key_length = strlen(key);
    for (const char *line = *at; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        size_t length = end == NULL ? strlen(line) : (size_t)(end - line);
        const char *value = line + key_length;
        const char *next = end == NULL ? line + length : end + 1;
        if (length > key_length && memcmp(line, key, key_length) == 0) {
            const char *stop = line + length;
            while (value < stop && (*value == ' ' || *value == '\t'))
                value++;
            if (value < stop && *value == ':') {
                value++;
                while (value < stop && *value == ' ')
                    value++;
                *at = next;
                return arena_copy(&probe->machine->arena, value, (size_t)(stop - value));
            }
        }
        line = next;
    }
    return NULL;
}

bool probe_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (list != NULL && *list != '\0') {
        list += strspn(list, " \t\n");
        size_t here = strcspn(list, " \t\n");
        if (here == length && memcmp(list, word, length) == 0)
            return true;
        list += here;
    }
    return false;
}

unsigned machine_parse_cpus(const char *text, uint64_t mask[MACHINE_MOST_CPUS / 64])
{
    unsigned count = 0;
    memset(mask, 0, MACHINE_MOST_CPUS / 8);
    while (text != NULL && isdigit((unsigned char)*text)) {
        char *end;
        unsigned long first = strtoul(text, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long cpu = first; cpu <= last && cpu < MACHINE_MOST_CPUS; cpu++) {
            count += (mask[cpu / 64] >> (cpu % 64) & 1) == 0;
            mask[cpu / 64] |= UINT64_C(1) << (cpu % 64);
        }
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

bool probe_online(const struct probe *probe, int cpu)
{
    return (probe->online[cpu / 64] >> (cpu % 64) & 1) != 0;
}

const char *probe_cpus_text(const struct probe *probe, const uint64_t *mask)
{
    struct buffer text;
    buffer_init(&text, CPUS_TEXT_BYTES);
    for (int cpu = 0; cpu < MACHINE_MOST_CPUS; cpu++) {
        int first = cpu;
        while (cpu < MACHINE_MOST_CPUS && (mask[cpu / 64] >> (cpu % 64) & 1) != 0)
            cpu++;
        if (cpu == first)
            continue;
        buffer_printf(&text, text.length > 0 ? ",%d" : "%d", first);
        if (cpu - first > 1)
            buffer_printf(&text, "-%d", cpu - 1);
    }
    return probe_take(probe, &text);
}

const char *probe_take(const struct probe *probe, struct buffer *buffer)
{
    const char *text = arena_text(&probe->machine->arena, buffer_text(buffer));
    if (text == NULL || buffer->failed)
        probe->machine->failed = true;
    buffer_free(buffer);
    return text == NULL ? "" : text;
}
