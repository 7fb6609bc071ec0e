/* The test PKI: what is cached is private and sound, and the user's own files are checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tls/pki.h"

enum { PATH_BYTES = 512 };

static char folder[] = "/tmp/tlsmeter-pki-XXXXXX";

static const char *in_folder(const char *name, char path[PATH_BYTES])
{
    (void)snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        (void)execlp("rm", "rm", "-rf", folder, (char *)NULL);
        _exit(1);
    }
    return child < 0;
}

static void check_mode(const char *name, unsigned mode)
{
    struct stat info;
    char path[PATH_BYTES];
    assert_int_equal(stat(in_folder(name, path), &info), 0);
    assert_int_equal(info.st_mode & 0777, mode);
}

static size_t count_certificates(const struct tls_bytes *pem)
{
    size_t count = 0;
    const char *text = (const char *)pem->data;
    for (; (text = strstr(text, "BEGIN CERTIFICATE")) != NULL; text++)
        count++;
    return count;
}

static void test_cache(void **state)
{
    (void)state;
    struct pki_request request = {"ecdsa-p256", 2};
    struct pki_set first;
    struct pki_set second;
    struct error error;
    char path[PATH_BYTES];
    assert_true(pki_make(&request, PKI_SOUND, folder, &first, &error));
    assert_int_equal(count_certificates(&first.server.chain), 2);
    assert_int_equal(count_certificates(&first.root), 1);
    check_mode("pki-2-ecdsa-p256-2-sound", 0700);
    check_mode("pki-2-ecdsa-p256-2-sound/server.key", 0600);
    check_mode("pki-2-ecdsa-p256-2-sound/client.key", 0600);
    assert_true(pki_make(&request, PKI_SOUND, folder, &second, &error));
    assert_string_equal((const char *)first.server.key.data, (const char *)second.server.key.data);
    pki_free(&second);

    /* A damaged set is made anew, not used. */
    assert_int_equal(truncate(in_folder("pki-2-ecdsa-p256-2-sound/server.key", path), 40), 0);
    assert_true(pki_make(&request, PKI_SOUND, folder, &second, &error));
    assert_string_not_equal((const char *)first.server.key.data,
                            (const char *)second.server.key.data);
    pki_free(&second);
    pki_free(&first);
}

static void test_requests_refused(void **state)
{
    (void)state;
    struct pki_set set;
    struct error error;
    assert_false(pki_make(&(struct pki_request){"ecdsa-p255", 1}, PKI_SOUND, "", &set, &error));
    assert_non_null(strstr(error.text, "ecdsa-p255"));
    assert_false(pki_make(&(struct pki_request){"ecdsa-p256", 4}, PKI_SOUND, "", &set, &error));
    assert_non_null(strstr(error.text, "1 to 3"));
}

static void test_every_key_can_be_made(void **state)
{
    (void)state;
    struct error error;
    for (const char *const *name = pki_key_names(); *name != NULL; name++) {
        struct pki_set set;
        if (strncmp(*name, "rsa-4", 5) == 0 || strncmp(*name, "rsa-3", 5) == 0)
            continue; /* seconds each; the sizes differ from rsa-2048 by a number only */
        if (!pki_make(&(struct pki_request){*name, 1}, PKI_SOUND, "", &set, &error))
            fail_msg("%s: %s", *name, error.text);
        pki_free(&set);
    }
}

static void write_file(const char *path, const struct tls_bytes *pem)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs((const char *)pem->data, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_own_files(void **state)
{
    (void)state;
    struct pki_set one;
    struct pki_set other;
    struct pki_set loaded;
    struct error error;
    struct pki_request request = {"ecdsa-p256", 1};
    char certificate[PATH_BYTES];
    char key[PATH_BYTES];
    char other_key[PATH_BYTES];
    char none[PATH_BYTES];
    assert_true(pki_make(&request, PKI_SOUND, "", &one, &error));
    assert_true(pki_make(&request, PKI_SOUND, "", &other, &error));
    write_file(in_folder("own.pem", certificate), &one.server.chain);
    write_file(in_folder("own.key", key), &one.server.key);
    write_file(in_folder("other.key", other_key), &other.server.key);
    assert_true(pki_load(certificate, key, certificate, &loaded, &error));
    assert_string_equal((const char *)loaded.server.key.data, (const char *)one.server.key.data);
    pki_free(&loaded);
    assert_false(pki_load(certificate, other_key, NULL, &loaded, &error));
    assert_non_null(strstr(error.text, "do not belong together"));
    assert_non_null(strstr(error.text, "other.key"));
    assert_false(pki_load(certificate, in_folder("none.key", none), NULL, &loaded, &error));
    assert_int_equal(error.origin, ORIGIN_KERNEL);
    assert_non_null(strstr(error.text, "none.key"));
    assert_false(pki_load(certificate, NULL, NULL, &loaded, &error));
    assert_int_equal(error.code, ERROR_USAGE);
    pki_free(&one);
    pki_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_requests_refused),
        cmocka_unit_test(test_every_key_can_be_made),
        cmocka_unit_test(test_own_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
