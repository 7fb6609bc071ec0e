#include "tls/pki.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/buffer.h"
#include "tls/openssl_pki.h"

enum { MOST_FILE_BYTES = 1 << 20, PATH_BYTES = 4096 };

static const char *const flaw_names[] = {[PKI_SOUND] = "sound",
                                         [PKI_EXPIRED] = "expired",
                                         [PKI_NOT_YET_VALID] = "not-yet-valid",
                                         [PKI_WRONG_NAME] = "wrong-name",
                                         [PKI_OTHER_ROOT] = "other-root"};

struct piece_file {
    const char *name;
    size_t offset; /* of the text in struct pki_pieces */
};

static const struct piece_file piece_files[] = {
    {"server.pem", offsetof(struct pki_pieces, server_chain)},
    {"server.key", offsetof(struct pki_pieces, server_key)},
    {"client.pem", offsetof(struct pki_pieces, client_chain)},
    {"client.key", offsetof(struct pki_pieces, client_key)},
    {"root.pem", offsetof(struct pki_pieces, root)},
};

static const char **piece(struct pki_pieces *pieces, const struct piece_file *file)
{
    return (const char **)((char *)pieces + file->offset);
}

const char *const *pki_key_names(void)
{
    static const char *const names[] = {"rsa-2048",
                                        "rsa-3072",
                                        "rsa-4096",
                                        "ecdsa-p256",
                                        "ecdsa-p384",
                                        "ecdsa-p521",
                                        "ecdsa-brainpoolp256r1",
                                        "ecdsa-brainpoolp384r1",
                                        "ecdsa-brainpoolp512r1",
                                        "ed25519",
                                        "ed448",
                                        NULL};
    return names;
}

/* The whole file as text in the arena. */
static const char *read_text(const char *path, struct arena *arena, struct error *error)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        (void)error_set_errno(error, errno, "cannot read %s", path);
        return NULL;
    }
    struct buffer text;
    buffer_init(&text, MOST_FILE_BYTES);
    char part[4096];
    size_t length;
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        buffer_append(&text, part, length);
    const char *copy = NULL;
    if (ferror(file) != 0)
        (void)error_set_errno(error, errno, "cannot read %s", path);
    else if (text.failed)
        (void)error_set(error, ERROR_INPUT, "%s is longer than 1 MiB: not a certificate or key",
                        path);
    else if ((copy = arena_copy(arena, buffer_text(&text), text.length)) == NULL)
        (void)error_set(error, ERROR_MEMORY, "no memory for %s", path);
    explicit_bzero(part, sizeof part);
    buffer_free(&text);
    (void)fclose(file);
    return copy;
}

static bool write_text(const char *path, const char *text, struct error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_set_errno(error, errno, "cannot write %s", path);
    size_t length = strlen(text);
    bool written = write(fd, text, length) == (ssize_t)length;
    int write_errno = errno;
    if (close(fd) != 0 && written) {
        written = false;
        write_errno = errno;
    }
    return written ? true : error_set_errno(error, write_errno, "cannot write %s", path);
}

static struct tls_bytes bytes_of(const char *text)
{
    if (text == NULL)
        return (struct tls_bytes){NULL, 0};
    return (struct tls_bytes){(const unsigned char *)text, strlen(text) + 1};
}

static void fill_set(struct pki_set *set, const struct pki_pieces *pieces)
{
    set->server =
        (struct tls_credentials){bytes_of(pieces->server_chain), bytes_of(pieces->server_key)};
    set->client =
        (struct tls_credentials){bytes_of(pieces->client_chain), bytes_of(pieces->client_key)};
    set->root = bytes_of(pieces->root);
}

static bool user_cache(char path[PATH_BYTES])
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(path, PATH_BYTES, "%s/tlsmeter", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, PATH_BYTES, "%s/.cache/tlsmeter", home);
    return length > 0 && length < PATH_BYTES / 2;
}

/* Makes every folder of an absolute or relative path that is missing, for the owner only. */
static bool make_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        int mkdir_errno = errno;
        if (slash != NULL)
            *slash = '/';
        if (!made)
            return error_set_errno(error, mkdir_errno, "cannot make the folder %s", path);
        if (slash == NULL)
            return true;
    }
}

static bool load_cached(const char *folder, struct arena *arena, struct pki_pieces *pieces)
{
    for (size_t i = 0; i < COUNT_OF(piece_files); i++) {
        char path[PATH_BYTES];
        if (snprintf(path, sizeof path, "%s/%s", folder, piece_files[i].name) >= (int)sizeof path)
            return false;
        *piece(pieces, &piece_files[i]) = read_text(path, arena, NULL);
        if (*piece(pieces, &piece_files[i]) == NULL)
            return false;
    }
    return openssl_pki_check_pair(pieces->server_chain, pieces->server_key, NULL) &&
           openssl_pki_check_pair(pieces->client_chain, pieces->client_key, NULL);
}

static void remove_folder(const char *folder)
{
    for (size_t i = 0; i < COUNT_OF(piece_files); i++) {
        char path[PATH_BYTES];
        if (snprintf(path, sizeof path, "%s/%s", folder, piece_files[i].name) < (int)sizeof path)
            (void)unlink(path);
    }
    (void)rmdir(folder);
}

/* Writes beside the place and renames, so that two programs at once never see half a set. */
static bool store(const char *folder, struct pki_pieces *pieces, struct error *error)
{
    char scratch[PATH_BYTES];
    if (snprintf(scratch, sizeof scratch, "%s.XXXXXX", folder) >= (int)sizeof scratch ||
        mkdtemp(scratch) == NULL)
        return error_set_errno(error, errno, "cannot make a folder beside %s", folder);
    bool stored = true;
    for (size_t i = 0; stored && i < COUNT_OF(piece_files); i++) {
        char path[PATH_BYTES];
        stored =
            snprintf(path, sizeof path, "%s/%s", scratch, piece_files[i].name) < (int)sizeof path &&
            write_text(path, *piece(pieces, &piece_files[i]), error);
    }
    if (stored) {
        remove_folder(folder); /* a damaged set, if any; another program's sound one wins below */
        (void)rename(scratch, folder);
    }
    remove_folder(scratch);
    return stored;
}

/* Where a set lies in the cache; false when the path is too long. */
static bool set_folder(const struct pki_request *request, enum pki_flaw flaw, const char *cache,
                       char folder[PATH_BYTES])
{
    return snprintf(folder, PATH_BYTES, "%s/pki-2-%s-%u-%s", cache, request->key,
                    request->chain_length, flaw_names[flaw]) < PATH_BYTES;
}

bool pki_root_path(const struct pki_request *request, char path[PKI_PATH_BYTES])
{
    char cache[PATH_BYTES];
    char folder[PATH_BYTES];
    return user_cache(cache) && set_folder(request, PKI_SOUND, cache, folder) &&
           snprintf(path, PKI_PATH_BYTES, "%s/root.pem", folder) < PKI_PATH_BYTES &&
           access(path, R_OK) == 0;
}

static bool make_cached(const struct pki_request *request, enum pki_flaw flaw, char *cache,
                        struct arena *arena, struct pki_pieces *pieces, struct error *error)
{
    if (!make_folders(cache, error))
        return false;
    char folder[PATH_BYTES];
    if (!set_folder(request, flaw, cache, folder))
        return error_set(error, ERROR_USAGE, "the cache folder's path is too long: %s", cache);
    if (load_cached(folder, arena, pieces))
        return true;
    return openssl_pki_generate(request, flaw, arena, pieces, error) &&
           store(folder, pieces, error);
}

bool pki_make(const struct pki_request *request, enum pki_flaw flaw, const char *cache_folder,
              struct pki_set *set, struct error *error)
{
    *set = (struct pki_set){.memory = calloc(1, sizeof(struct arena))};
    if (set->memory == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for certificates");
    struct pki_pieces pieces = {NULL, NULL, NULL, NULL, NULL};
    char cache[PATH_BYTES] = "";
    if (cache_folder != NULL)
        (void)snprintf(cache, sizeof cache, "%s", cache_folder);
    else if (!user_cache(cache))
        cache[0] = '\0'; /* no home: make them anew each time */
    bool made = cache[0] == '\0' ? openssl_pki_generate(request, flaw, set->memory, &pieces, error)
                                 : make_cached(request, flaw, cache, set->memory, &pieces, error);
    if (!made) {
        pki_free(set);
        return false;
    }
    fill_set(set, &pieces);
    return true;
}

bool pki_load(const char *certificate_path, const char *key_path, const char *ca_path,
              struct pki_set *set, struct error *error)
{
    *set = (struct pki_set){.memory = calloc(1, sizeof(struct arena))};
    if (set->memory == NULL)
        return error_set(error, ERROR_MEMORY, "no memory for certificates");
    struct pki_pieces pieces = {NULL, NULL, NULL, NULL, NULL};
    bool loaded = true;
    if (certificate_path != NULL || key_path != NULL) {
        loaded = certificate_path != NULL && key_path != NULL;
        if (!loaded)
            (void)error_set(error, ERROR_USAGE, "a certificate and its key are needed together");
        loaded = loaded &&
                 (pieces.server_chain = read_text(certificate_path, set->memory, error)) != NULL &&
                 (pieces.server_key = read_text(key_path, set->memory, error)) != NULL;
        if (loaded && !openssl_pki_check_pair(pieces.server_chain, pieces.server_key, error))
            loaded = error_prefix(error, "%s and %s", certificate_path, key_path);
    }
    if (loaded && ca_path != NULL)
        loaded = (pieces.root = read_text(ca_path, set->memory, error)) != NULL;
    if (!loaded) {
        pki_free(set);
        return false;
    }
    pieces.client_chain = pieces.server_chain;
    pieces.client_key = pieces.server_key;
    fill_set(set, &pieces);
    return true;
}

void pki_free(struct pki_set *set)
{
    if (set->memory != NULL)
        arena_free(set->memory);
    free(set->memory);
    *set = (struct pki_set){.memory = NULL};
}
