/* Board, operating system, memory, virtualisation, and how tlsmeter was built. */
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "measure/machine_internal.h"

enum { TEXT_BYTES = 512 };

/* Set by the build for this file. */
#ifndef TLSMETER_C_FLAGS
#define TLSMETER_C_FLAGS ""
#endif

/* SMBIOS strings that say nothing. */
static const char *meaningful(const char *text)
{
    static const char *const empty[] = {"",
                                        "To Be Filled By O.E.M.",
                                        "Default string",
                                        "System Product Name",
                                        "System manufacturer",
                                        "None"};
    for (size_t i = 0; text != NULL && i < COUNT_OF(empty); i++)
        if (strcmp(text, empty[i]) == 0)
            return NULL;
    return text;
}

static void board(const struct probe *probe)
{
    const char *model = probe_read(probe, "proc/device-tree/model");
    if (model == NULL)
        model = probe_read(probe, "sys/firmware/devicetree/base/model");
    if (model != NULL) {
        fact_text(probe, "board.model", model);
        return;
    }
    const char *vendor = meaningful(probe_read(probe, "sys/class/dmi/id/sys_vendor"));
    const char *product = meaningful(probe_read(probe, "sys/class/dmi/id/product_name"));
    if (vendor == NULL && product == NULL) {
        fact_unavailable(probe, "board.model", "neither device tree nor SMBIOS names it");
        return;
    }
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    buffer_printf(&text, "%s%s%s", vendor == NULL ? "" : vendor,
                  vendor != NULL && product != NULL ? " " : "", product == NULL ? "" : product);
    fact_text(probe, "board.model", probe_take(probe, &text));
}

static void operating_system(const struct probe *probe)
{
    const char *release = probe_read(probe, "etc/os-release");
    const char *line = release == NULL ? NULL : strstr(release, "PRETTY_NAME=");
    if (line == NULL) {
        fact_unavailable(probe, "os.name", "/etc/os-release names none");
    } else {
        line += strlen("PRETTY_NAME=");
        line += *line == '"' || *line == '\'';
        fact_text_or(probe, "os.name",
                     arena_copy(&probe->machine->arena, line, strcspn(line, "\"'\n")),
                     "memory ran out");
    }
    fact_text_or(probe, "kernel", probe_read(probe, "proc/sys/kernel/osrelease"),
                 "/proc cannot be read");
    fact_text_or(
        probe, "clock.source",
        probe_read(probe, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "the kernel does not tell");
}

static void memory(const struct probe *probe)
{
    static const struct {
        const char *key, *name;
    } rows[] = {{"MemTotal", "memory.total_bytes"}, {"MemAvailable", "memory.available_bytes"}};
    const char *text = probe_read(probe, "proc/meminfo");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *at = text;
        const char *value = at == NULL ? NULL : probe_field(probe, &at, rows[i].key);
        if (value != NULL)
            fact_integer(probe, rows[i].name, strtoll(value, NULL, 10) * 1024);
        else
            fact_unavailable(probe, rows[i].name, "/proc/meminfo does not tell");
    }
}

/* What makers of hypervisors write into SMBIOS. */
static const struct {
    const char *text, *kind;
} vendors[] = {
    {"QEMU", "qemu/kvm"},
    {"KVM", "kvm"},
    {"Amazon EC2", "amazon ec2"},
    {"Google", "google cloud"},
    {"VMware", "vmware"},
    {"innotek", "virtualbox"},
    {"Xen", "xen"},
    {"Microsoft Corporation Virtual Machine", "hyper-v"},
    {"Bochs", "bochs"},
    {"Parallels", "parallels"},
};

static const char *vendor_kind(const struct probe *probe)
{
    const char *board_model = machine_text(probe->machine, "board.model");
    for (size_t i = 0; board_model != NULL && i < COUNT_OF(vendors); i++)
        if (strstr(board_model, vendors[i].text) != NULL)
            return vendors[i].kind;
    return NULL;
}

static void virtualisation(const struct probe *probe)
{
    const char *kind = probe_read(probe, "sys/hypervisor/type");
    const char *at = probe->cpuinfo;
    bool told = probe_has_word(probe_field(probe, &at, "flags"), "hypervisor") ||
                probe_exists(probe, "proc/device-tree/hypervisor");
    if (kind == NULL)
        kind = vendor_kind(probe);
    /* Some clouds also rent whole machines under the same vendor name: x86 says for sure. */
    if (!told && kind != NULL && strncmp(probe->view->architecture, "x86", 3) == 0)
        kind = NULL;
    if (kind == NULL)
        kind = told ? "a hypervisor" : "no hypervisor seen";
    fact_text(probe, "virtualisation", kind);
    const char *container = probe_read(probe, "run/systemd/container");
    if (container == NULL && probe_exists(probe, ".dockerenv"))
        container = "docker";
    if (container == NULL && probe_exists(probe, "run/.containerenv"))
        container = "podman";
    fact_text(probe, "container", container == NULL ? "none" : container);
}

void probe_system(struct probe *probe)
{
    board(probe);
    operating_system(probe);
    memory(probe);
    virtualisation(probe);
    struct error error;
    if (probe->view->counters(&error))
        fact_text(probe, "counters.cycles", "cycles and instructions, user space");
    else
        fact_unavailable(probe, "counters.cycles", error.text);
}

void probe_build(struct probe *probe)
{
#if defined(__clang__)
    fact_text(probe, "build.compiler", "clang " __clang_version__);
#else
    fact_text(probe, "build.compiler", "gcc " __VERSION__);
#endif
    fact_text_or(probe, "build.flags", TLSMETER_C_FLAGS[0] == '\0' ? NULL : TLSMETER_C_FLAGS,
                 "the build did not tell");
}
