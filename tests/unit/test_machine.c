/* The probe on fixture trees: every expectation can be read off the fixture by eye. */
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/attributes.h"
#include "machine_fixtures.h"
#include "measure/machine.h"

static char root[] = "/tmp/tlsmeter-machine-XXXXXX";
static const char *environment_name, *environment_value;

static const char *environment(const char *name)
{
    return environment_name != NULL && strcmp(environment_name, name) == 0 ? environment_value
                                                                           : NULL;
}

static bool yes(struct error *error)
{
    (void)error;
    return true;
}

static bool no_counters(struct error *error)
{
    return error_set(error, ERROR_UNAVAILABLE,
                     "the kernel refuses (sysctl kernel.perf_event_paranoid must be 2 or less)");
}

static bool no_af_alg(struct error *error)
{
    return error_set(error, ERROR_UNAVAILABLE, "no such socket");
}

static struct machine_view view(const char *architecture)
{
    return (struct machine_view){root, architecture, environment, no_af_alg, yes};
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static void make_folders(char *path)
{
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

static void build(const struct fixture_file *files)
{
    memcpy(root + sizeof root - 7, "XXXXXX", 6);
    assert_non_null(mkdtemp(root));
    for (; files->path != NULL; files++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", root, files->path);
        make_folders(path);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(files->text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void probe(struct machine *machine, const struct fixture_file *files,
                  const struct machine_view *surroundings)
{
    build(files);
    machine_probe(machine, surroundings);
    assert_false(machine->failed);
    assert_int_equal(nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void has_text(const struct machine *machine, const char *name, const char *expected)
{
    const char *text = machine_text(machine, name);
    if (text == NULL)
        fail_msg("%s is not available", name);
    assert_string_equal(text, expected);
}

static void has_integer(const struct machine *machine, const char *name, int64_t expected)
{
    const struct machine_fact *fact = machine_find(machine, name);
    assert_non_null(fact);
    assert_int_equal(fact->kind, FACT_INTEGER);
    assert_int_equal(fact->integer, expected);
}

static void has_real(const struct machine *machine, const char *name, double expected)
{
    const struct machine_fact *fact = machine_find(machine, name);
    assert_non_null(fact);
    assert_int_equal(fact->kind, FACT_REAL);
    assert_true(fabs(fact->real - expected) < 1e-9);
}

static void is_unavailable(const struct machine *machine, const char *name, const char *reason)
{
    const struct machine_fact *fact = machine_find(machine, name);
    assert_non_null(fact);
    assert_non_null(fact->unavailable);
    assert_non_null(strstr(fact->unavailable, reason));
}

/* Exactly these codes, in this order. */
static void has_advice(const struct machine *machine, const char *const *codes)
{
    const struct machine_advice *advice = machine->advice;
    for (; *codes != NULL; codes++, advice = advice->next) {
        if (advice == NULL)
            fail_msg("no advice %s", *codes);
        assert_string_equal(advice->code, *codes);
        assert_true(strlen(advice->finding) > 0 && strlen(advice->advice) > 0);
    }
    if (advice != NULL)
        fail_msg("advice %s was not expected", advice->code);
}

static void test_raspberry_pi(void **state)
{
    (void)state;
    struct machine machine;
    struct machine_view surroundings = view("aarch64");
    probe(&machine, raspberry_pi_4, &surroundings);
    has_text(&machine, "cpu.model", "Cortex-A72");
    has_text(&machine, "board.model", "Raspberry Pi 4 Model B Rev 1.4");
    has_text(&machine, "cpu.features", "asimd");
    has_text(&machine, "cpu.governor", "ondemand");
    has_text(&machine, "os.name", "Debian GNU/Linux 12 (bookworm)");
    has_text(&machine, "kernel", "6.1.21-v8+");
    has_text(&machine, "throttling.board",
             "under-voltage since boot, frequency capped now, throttled now");
    has_text(&machine, "kernel_crypto.drivers",
             "gcm(aes) by gcm_base(ctr(aes-generic),ghash-generic)");
    has_text(&machine, "kernel_crypto.accelerators", "none in /proc/crypto");
    has_integer(&machine, "kernel_crypto.driver_count", 2);
    has_integer(&machine, "cpu.online", 4);
    has_integer(&machine, "cpu.cores", 4);
    has_integer(&machine, "cpu.clusters", 1);
    has_integer(&machine, "memory.total_bytes", INT64_C(3885396) * 1024);
    has_real(&machine, "cpu.frequency_mhz", 600);
    has_real(&machine, "cpu.frequency_max_mhz", 1800);
    has_real(&machine, "thermal.hottest_celsius", 82.764);
    is_unavailable(&machine, "kernel_crypto.af_alg", "no such socket");
    is_unavailable(&machine, "kernel_crypto.dev_crypto", "/dev/crypto");
    assert_string_equal(machine.identity, "Cortex-A72, 4 CPUs, aarch64, 4 GiB, Raspberry Pi 4 "
                                          "Model B Rev 1.4");
    static const char *const advice[] = {"governor-scales", "throttled", "hot",
                                         "no-aes-instructions", NULL};
    has_advice(&machine, advice);
    machine_free(&machine);
}

static void test_unequal_cores(void **state)
{
    (void)state;
    struct machine machine;
    struct machine_view surroundings = view("aarch64");
    surroundings.af_alg = yes;
    surroundings.counters = no_counters;
    probe(&machine, gateway, &surroundings);
    assert_int_equal(machine.cluster_count, 2);
    assert_string_equal(machine.clusters[0].core, "Cortex-A53");
    assert_string_equal(machine.clusters[0].cpus, "0-1");
    assert_int_equal(machine.clusters[0].capacity, 446);
    assert_string_equal(machine.clusters[1].core, "Cortex-A72");
    assert_string_equal(machine.clusters[1].cpus, "2-3");
    assert_int_equal(machine.clusters[1].first_cpu, 2);
    assert_int_equal(machine.clusters[1].cpu_count, 2);
    has_text(&machine, "cpu.model", "Cortex-A53 + Cortex-A72");
    has_text(&machine, "cpu.unequal_cores",
             "CPUs 0-1: 2 x Cortex-A53, capacity 446; CPUs 2-3: 2 "
             "x Cortex-A72, capacity 1024");
    has_text(&machine, "cpu.features", "aes asimd pmull sha1 sha2");
    has_text(&machine, "kernel_crypto.drivers",
             "cbc(aes) by cbc-aes-sa2ul, sha256 by sha256-sa2ul");
    has_text(&machine, "kernel_crypto.accelerators",
             "cbc(aes) by cbc-aes-sa2ul, sha256 by sha256-sa2ul");
    has_text(&machine, "kernel_crypto.af_alg", "usable");
    has_text(&machine, "kernel_crypto.dev_crypto", "present");
    has_integer(&machine, "throttling.cooling_level", 2);
    is_unavailable(&machine, "cpu.governor", "cpufreq");
    is_unavailable(&machine, "counters.cycles", "perf_event_paranoid");
    static const char *const advice[] = {"throttled", "unequal-cores", "counters-forbidden", NULL};
    has_advice(&machine, advice);
    machine_free(&machine);
}

static void test_laptop(void **state)
{
    (void)state;
    struct machine machine;
    struct machine_view surroundings = view("x86_64");
    environment_name = "OPENSSL_ia32cap";
    environment_value = "~0x200000200000000";
    probe(&machine, laptop, &surroundings);
    environment_name = NULL;
    has_text(&machine, "cpu.model", "Example Core 5");
    has_text(&machine, "cpu.features", "aes pclmulqdq sha_ni ssse3 avx avx2 rdrand");
    has_text(&machine, "board.model", "Example Inc.");
    has_text(&machine, "environment.openssl_ia32cap", "~0x200000200000000");
    has_text(&machine, "virtualisation", "no hypervisor seen");
    has_integer(&machine, "cpu.cores", 2);
    has_integer(&machine, "cpu.clusters", 1);
    has_integer(&machine, "throttling.events", 12);
    has_real(&machine, "cpu.frequency_limit_mhz", 2400);
    has_real(&machine, "load.average_1min", 3.5);
    static const char *const advice[] = {"governor-powersave",
                                         "frequency-limited",
                                         "boost",
                                         "throttled-before",
                                         "on-battery",
                                         "busy",
                                         "environment",
                                         NULL};
    has_advice(&machine, advice);
    assert_true(machine_find_advice(&machine, "governor-powersave")->warning);
    assert_non_null(
        strstr(machine_find_advice(&machine, "environment")->finding, "OPENSSL_ia32cap is set"));
    assert_null(machine_find_advice(&machine, "steal"));
    machine_free(&machine);
}

static void test_virtual_machine(void **state)
{
    (void)state;
    struct machine machine;
    struct machine_view surroundings = view("x86_64");
    environment_name = "OPENSSL_CONF";
    environment_value = "/opt/example/openssl.cnf";
    probe(&machine, virtual_machine, &surroundings);
    environment_name = NULL;
    has_text(&machine, "virtualisation", "qemu/kvm");
    has_text(&machine, "container", "lxc");
    has_text(&machine, "environment.openssl_conf", "set");
    has_integer(&machine, "cpu.online", 2); /* counted in cpuinfo */
    has_real(&machine, "load.steal_percent", 4);
    has_real(&machine, "cpu.quota_percent", 150);
    has_real(&machine, "cpu.frequency_mhz", 2500);
    is_unavailable(&machine, "cpu.cores", "topology");
    assert_string_equal(machine.identity, "Example Server CPU, 2 CPUs, x86_64, 4 GiB, QEMU "
                                          "Standard PC (Q35 + ICH9, 2009), under qemu/kvm");
    static const char *const advice[] = {"steal", "quota", "environment", NULL};
    has_advice(&machine, advice);
    machine_free(&machine);
}

/* intel_pstate calls "powersave" what scales with the load: no warning. */
static void test_powersave_that_scales(void **state)
{
    (void)state;
    static const struct fixture_file files[] = {
        {"sys/devices/system/cpu/online", "0\n"},
        {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
        {"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n"},
        {"sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"},
        {NULL, NULL}};
    struct machine machine;
    struct machine_view surroundings = view("x86_64");
    probe(&machine, files, &surroundings);
    static const char *const advice[] = {"governor-scales", NULL};
    has_advice(&machine, advice);
    assert_false(machine.advice->warning);
    assert_false(machine_find(&machine, "cpu.boost")->boolean);
    machine_free(&machine);
}

/* Favoured cores are one kind; a hybrid's two types are two, whatever their clocks. */
static void test_hybrid(void **state)
{
    (void)state;
    static const struct fixture_file files[] = {
        {"sys/devices/system/cpu/online", "0-3\n"},
        {"sys/devices/cpu_core/cpus", "0-1\n"},
        {"sys/devices/cpu_atom/cpus", "2-3\n"},
        {"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4000000\n"},
        {"sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4200000\n"},
        {"sys/devices/system/cpu/cpu2/cpufreq/cpuinfo_max_freq", "4000000\n"},
        {"sys/devices/system/cpu/cpu3/cpufreq/cpuinfo_max_freq", "4000000\n"},
        {NULL, NULL}};
    struct machine machine;
    struct machine_view surroundings = view("x86_64");
    probe(&machine, files, &surroundings);
    assert_int_equal(machine.cluster_count, 2);
    assert_string_equal(machine.clusters[0].core, "performance core");
    assert_string_equal(machine.clusters[1].cpus, "2-3");
    assert_int_equal(machine.clusters[0].max_frequency_khz, 4200000);
    machine_free(&machine);
}

/* Nothing can be read: every fact says why, and nothing breaks. */
static void test_empty_tree(void **state)
{
    (void)state;
    static const struct fixture_file nothing[] = {{NULL, NULL}};
    struct machine machine;
    struct machine_view surroundings = view("riscv64");
    probe(&machine, nothing, &surroundings);
    is_unavailable(&machine, "cpu.model", "/proc/cpuinfo");
    is_unavailable(&machine, "memory.total_bytes", "/proc/meminfo");
    is_unavailable(&machine, "kernel_crypto.drivers", "/proc/crypto");
    is_unavailable(&machine, "load.steal_percent", "/proc/stat");
    has_integer(&machine, "cpu.online", 1);
    assert_int_equal(machine.cluster_count, 1);
    assert_string_equal(machine.clusters[0].cpus, "0");
    assert_string_equal(machine.identity, "unknown CPU, 1 CPUs, riscv64");
    assert_null(machine.advice);
    machine_free(&machine);
}

static void test_parse_cpus(void **state)
{
    (void)state;
    uint64_t mask[MACHINE_MOST_CPUS / 64];
    assert_int_equal(machine_parse_cpus("0-3,5,64-65", mask), 7);
    assert_true(mask[0] == 0x2f && mask[1] == 3);
    assert_int_equal(machine_parse_cpus("0,0-1,1", mask), 2);
    assert_int_equal(machine_parse_cpus("", mask), 0);
    assert_int_equal(machine_parse_cpus(NULL, mask), 0);
    assert_int_equal(machine_parse_cpus("x", mask), 0);
    assert_int_equal(machine_parse_cpus("3-1", mask), 0);
    assert_int_equal(machine_parse_cpus("1022-99999999999", mask), 2);
}

/* The machine that runs the test: it has a CPU, a kernel and an identity without its name. */
static void test_this_machine(void **state)
{
    (void)state;
    struct machine machine;
    char name[256] = "";
    machine_probe(&machine, machine_view_real());
    assert_false(machine.failed);
    assert_non_null(machine_text(&machine, "kernel"));
    assert_true(machine_find(&machine, "cpu.online")->integer >= 1);
    assert_int_equal(gethostname(name, sizeof name - 1), 0);
    for (const struct machine_fact *fact = machine.facts; fact != NULL; fact = fact->next)
        if (strlen(name) > 8 && fact->kind == FACT_TEXT && fact->text != NULL)
            assert_null(strstr(fact->text, name));
    machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raspberry_pi),
        cmocka_unit_test(test_unequal_cores),
        cmocka_unit_test(test_laptop),
        cmocka_unit_test(test_virtual_machine),
        cmocka_unit_test(test_powersave_that_scales),
        cmocka_unit_test(test_hybrid),
        cmocka_unit_test(test_empty_tree),
        cmocka_unit_test(test_parse_cpus),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
