/* File trees of four machines, written by hand in the form of the kernel's documentation. */
#ifndef TESTS_MACHINE_FIXTURES_H
#define TESTS_MACHINE_FIXTURES_H

#include <stddef.h>

struct fixture_file {
    const char *path, *text; /* text NULL ends the tree */
};

#define CPU "sys/devices/system/cpu/"

#define PI_CPU(n)                                                                                  \
    {CPU "cpu" #n "/cpufreq/scaling_governor", "ondemand\n"},                                      \
        {CPU "cpu" #n "/cpufreq/scaling_cur_freq", "600000\n"},                                    \
        {CPU "cpu" #n "/cpufreq/scaling_driver", "cpufreq-dt\n"},                                  \
        {CPU "cpu" #n "/cpufreq/cpuinfo_max_freq", "1800000\n"},                                   \
        {CPU "cpu" #n "/cpufreq/scaling_max_freq", "1800000\n"},                                   \
        {CPU "cpu" #n "/cpu_capacity", "1024\n"},                                                  \
        {CPU "cpu" #n "/topology/thread_siblings_list", #n "\n"},                                  \
    {                                                                                              \
        CPU "cpu" #n "/regs/identification/midr_el1", "0x00000000410fd083\n"                       \
    }

#define PI_CPUINFO(n)                                                                              \
    "processor\t: " #n "\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm crc32 cpuid\n"          \
    "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd08\n"        \
    "CPU revision\t: 3\n\n"

/* A board without AES instructions, throttled now for heat, and for under-voltage before. */
static const struct fixture_file raspberry_pi_4[] = {
    {"proc/cpuinfo",
     PI_CPUINFO(0) PI_CPUINFO(1) PI_CPUINFO(2) PI_CPUINFO(
         3) "Hardware\t: BCM2835\nRevision\t: c03114\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n"},
    {"proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4"},
    {"proc/meminfo",
     "MemTotal:        3885396 kB\nMemFree:  100 kB\nMemAvailable:    3000000 kB\n"},
    {"proc/loadavg", "0.10 0.05 0.01 1/150 999\n"},
    {"proc/stat", "cpu  100 0 50 9850 0 0 0 0 0 0\n"},
    {"proc/sys/kernel/osrelease", "6.1.21-v8+\n"},
    {"proc/crypto",
     "name         : gcm(aes)\ndriver       : gcm_base(ctr(aes-generic),ghash-generic)\n"
     "priority     : 100\ntype         : aead\nasync        : no\ninternal     : no\n\n"
     "name         : gcm(aes)\ndriver       : gcm-aes-neon-x\npriority     : 90\n"
     "async        : no\ninternal     : no\n"},
    {"etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"},
    {CPU "online", "0-3\n"},
    {"sys/devices/platform/soc/soc:firmware/get_throttled", "10006\n"},
    {"sys/class/thermal/thermal_zone0/temp", "82764\n"},
    PI_CPU(0),
    PI_CPU(1),
    PI_CPU(2),
    PI_CPU(3),
    {NULL, NULL},
};

#define J7_CPU(n, part, capacity)                                                                  \
    {CPU "cpu" #n "/cpu_capacity", capacity "\n"},                                                 \
        {CPU "cpu" #n "/topology/thread_siblings_list", #n "\n"},                                  \
    {                                                                                              \
        CPU "cpu" #n "/regs/identification/midr_el1", "0x00000000410f" part "\n"                   \
    }

#define J7_CPUINFO(n, part)                                                                        \
    "processor\t: " #n "\nFeatures\t: fp asimd aes pmull sha1 sha2 crc32\n"                        \
    "CPU implementer\t: 0x41\nCPU part\t: " part "\nCPU revision\t: 0\n\n"

/* An automotive processor with two kinds of cores and a crypto accelerator in the kernel. */
static const struct fixture_file gateway[] = {
    {"proc/cpuinfo",
     J7_CPUINFO(0, "0xd03") J7_CPUINFO(1, "0xd03") J7_CPUINFO(2, "0xd08") J7_CPUINFO(3, "0xd08")},
    {"proc/device-tree/model", "Example J7 Gateway"},
    {"proc/meminfo", "MemTotal:        2000000 kB\n"},
    {"proc/loadavg", "0.00 0.00 0.00 1/90 400\n"},
    {"proc/stat", "cpu  100 0 50 9850 0 0 0 0 0 0\n"},
    {"proc/sys/kernel/osrelease", "5.10.120-ti\n"},
    {"proc/crypto", "name         : cbc(aes)\ndriver       : cbc-aes-sa2ul\npriority     : 30000\n"
                    "async        : yes\ninternal     : no\ntype         : skcipher\n\n"
                    "name         : cbc(aes)\ndriver       : cbc-aes-ce\npriority     : 300\n"
                    "async        : yes\ninternal     : no\ntype         : skcipher\n\n"
                    "name         : __cbc(aes)\ndriver       : cryptd(__cbc-aes-ce)\n"
                    "priority     : 350\nasync        : yes\ninternal     : yes\n\n"
                    "name         : sha256\ndriver       : sha256-sa2ul\npriority     : 400\n"
                    "async        : yes\ninternal     : no\ntype         : ahash\n"},
    {"dev/crypto", ""},
    {CPU "online", "0-3\n"},
    {"sys/class/thermal/cooling_device0/type", "thermal-cpufreq-0\n"},
    {"sys/class/thermal/cooling_device0/cur_state", "2\n"},
    {"sys/class/thermal/cooling_device1/type", "Fan\n"},
    {"sys/class/thermal/cooling_device1/cur_state", "9\n"},
    J7_CPU(0, "d034", "446"),
    J7_CPU(1, "d034", "446"),
    J7_CPU(2, "d080", "1024"),
    J7_CPU(3, "d080", "1024"),
    {NULL, NULL},
};

#define LAPTOP_CPU(n, siblings, max)                                                               \
    {CPU "cpu" #n "/cpufreq/scaling_governor", "powersave\n"},                                     \
        {CPU "cpu" #n "/cpufreq/scaling_driver", "acpi-cpufreq\n"},                                \
        {CPU "cpu" #n "/cpufreq/scaling_cur_freq", "800000\n"},                                    \
        {CPU "cpu" #n "/cpufreq/cpuinfo_max_freq", max "\n"},                                      \
        {CPU "cpu" #n "/cpufreq/scaling_max_freq", "2400000\n"},                                   \
        {CPU "cpu" #n "/topology/thread_siblings_list", siblings "\n"},                            \
    {                                                                                              \
        CPU "cpu" #n "/thermal_throttle/core_throttle_count", "3\n"                                \
    }

/* On battery, in powersave, limited, with favoured cores that turbo 5 % higher: one cluster. */
static const struct fixture_file laptop[] = {
    {"proc/cpuinfo",
     "processor\t: 0\nmodel name\t: Example Core 5\ncpu MHz\t\t: 800.000\n"
     "flags\t\t: fpu sse2 ssse3 aes pclmulqdq avx avx2 sha_ni rdrand\n\n"
     "processor\t: 1\nmodel name\t: Example Core 5\nflags\t\t: fpu sse2 ssse3 aes pclmulqdq avx\n\n"
     "processor\t: 2\nmodel name\t: Example Core 5\n\nprocessor\t: 3\nmodel name\t: Example Core "
     "5\n"},
    {"proc/meminfo", "MemTotal:       16100000 kB\nMemAvailable:   12000000 kB\n"},
    {"proc/loadavg", "3.50 1.00 0.50 2/900 4000\n"},
    {"proc/stat", "cpu  100 0 50 9850 0 0 0 0 0 0\n"},
    {"sys/class/dmi/id/sys_vendor", "Example Inc.\n"},
    {"sys/class/dmi/id/product_name", "Default string\n"},
    {"sys/class/power_supply/AC/online", "0\n"},
    {CPU "online", "0-3\n"},
    {CPU "cpufreq/boost", "1\n"},
    LAPTOP_CPU(0, "0-1", "4000000"),
    LAPTOP_CPU(1, "0-1", "4000000"),
    LAPTOP_CPU(2, "2-3", "4200000"),
    LAPTOP_CPU(3, "2-3", "4200000"),
    {NULL, NULL},
};

/* A busy host takes 4 % of the time; a container limits the CPU time. */
static const struct fixture_file virtual_machine[] = {
    {"proc/cpuinfo", "processor\t: 0\nmodel name\t: Example Server CPU\ncpu MHz\t\t: 2500.000\n"
                     "flags\t\t: fpu aes pclmulqdq hypervisor\n\nprocessor\t: 1\n"},
    {"proc/meminfo", "MemTotal:        4000000 kB\n"},
    {"proc/loadavg", "0.01 0.01 0.01 1/90 400\n"},
    {"proc/stat", "cpu  4000 0 1000 4600 0 0 0 400 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"},
    {"sys/class/dmi/id/sys_vendor", "QEMU\n"},
    {"sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009)\n"},
    {"sys/fs/cgroup/cpu.max", "150000 100000\n"},
    {"run/systemd/container", "lxc\n"},
    {NULL, NULL},
};

#undef CPU

#endif
