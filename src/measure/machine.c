#include "measure/machine.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/text.h"
#include "measure/counters.h"
#include "measure/machine_internal.h"

enum { IDENTITY_BYTES = 1024 };

static const char *real_environment(const char *name)
{
    return getenv(name);
}

static bool real_af_alg(struct error *error)
{
    int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        return close(fd) == 0;
    if (errno == EAFNOSUPPORT)
        return error_set(error, ERROR_UNAVAILABLE,
                         "this kernel has no user-space crypto interface "
                         "(CONFIG_CRYPTO_USER_API, module af_alg)");
    return error_set_errno(error, errno, "the kernel refuses the socket");
}

static bool real_counters(struct error *error)
{
    struct counters counters;
    if (!counters_open(&counters, error))
        return false;
    counters_close(&counters);
    return true;
}

const struct machine_view *machine_view_real(void)
{
    static struct utsname name;
    static struct machine_view view = {.root = "",
                                       .architecture = "unknown",
                                       .environment = real_environment,
                                       .af_alg = real_af_alg,
                                       .counters = real_counters};
    if (uname(&name) == 0)
        view.architecture = name.machine;
    return &view;
}

static struct machine_fact *add_fact(const struct probe *probe, const char *name,
                                     enum fact_kind kind)
{
    struct machine *machine = probe->machine;
    struct machine_fact *fact = arena_take(&machine->arena, sizeof *fact);
    if (fact == NULL) {
        machine->failed = true;
        return NULL;
    }
    fact->name = name;
    fact->kind = kind;
    if (machine->last_fact == NULL)
        machine->facts = fact;
    else
        machine->last_fact->next = fact;
    machine->last_fact = fact;
    return fact;
}

static const char *keep(const struct probe *probe, const char *text)
{
    const char *copy = arena_text(&probe->machine->arena, text);
    if (copy == NULL)
        probe->machine->failed = true;
    return copy == NULL ? "" : copy;
}

void fact_text(const struct probe *probe, const char *name, const char *text)
{
    struct machine_fact *fact = add_fact(probe, name, FACT_TEXT);
    if (fact != NULL)
        fact->text = keep(probe, text);
}

void fact_text_or(const struct probe *probe, const char *name, const char *text,
                  const char *unavailable)
{
    if (text != NULL)
        fact_text(probe, name, text);
    else
        fact_unavailable(probe, name, unavailable);
}

void fact_integer(const struct probe *probe, const char *name, int64_t value)
{
    struct machine_fact *fact = add_fact(probe, name, FACT_INTEGER);
    if (fact != NULL)
        fact->integer = value;
}

void fact_real(const struct probe *probe, const char *name, double value)
{
    struct machine_fact *fact = add_fact(probe, name, FACT_REAL);
    if (fact != NULL)
        fact->real = value;
}

void fact_boolean(const struct probe *probe, const char *name, bool value)
{
    struct machine_fact *fact = add_fact(probe, name, FACT_BOOLEAN);
    if (fact != NULL)
        fact->boolean = value;
}

void fact_unavailable(const struct probe *probe, const char *name, const char *reason)
{
    struct machine_fact *fact = add_fact(probe, name, FACT_TEXT);
    if (fact != NULL)
        fact->unavailable = keep(probe, reason);
}

const struct machine_fact *machine_find(const struct machine *machine, const char *name)
{
    const struct machine_fact *fact = machine->facts;
    while (fact != NULL && strcmp(fact->name, name) != 0)
        fact = fact->next;
    return fact;
}

const char *machine_text(const struct machine *machine, const char *name)
{
    const struct machine_fact *fact = machine_find(machine, name);
    return fact == NULL || fact->unavailable != NULL || fact->kind != FACT_TEXT ? NULL : fact->text;
}

const struct machine_advice *machine_find_advice(const struct machine *machine, const char *code)
{
    const struct machine_advice *advice = machine->advice;
    while (advice != NULL && strcmp(advice->code, code) != 0)
        advice = advice->next;
    return advice;
}

/* Of facts that stay the same over reboots and on equal machines only. */
static void identify(struct probe *probe)
{
    struct machine *machine = probe->machine;
    struct buffer text;
    const char *model = machine_text(machine, "cpu.model");
    const char *board = machine_text(machine, "board.model");
    const char *hypervisor = machine_text(machine, "virtualisation");
    const struct machine_fact *memory = machine_find(machine, "memory.total_bytes");
    buffer_init(&text, IDENTITY_BYTES);
    buffer_printf(&text, "%s, %u CPUs, %s", model == NULL ? "unknown CPU" : model,
                  probe->online_count, probe->view->architecture);
    if (machine->cluster_count > 1)
        buffer_printf(&text, " in %zu clusters", machine->cluster_count);
    if (memory != NULL && memory->unavailable == NULL)
        buffer_printf(&text, ", %.0f GiB", (double)memory->integer / 1073741824.0 + 0.45);
    if (board != NULL)
        buffer_printf(&text, ", %s", board);
    if (hypervisor != NULL && strncmp(hypervisor, "no ", 3) != 0)
        buffer_printf(&text, ", under %s", hypervisor);
    machine->identity = probe_take(probe, &text);
    fact_text(probe, "identity", machine->identity);
}

void machine_probe(struct machine *machine, const struct machine_view *view)
{
    *machine = (struct machine){.identity = ""};
    struct probe probe = {.machine = machine, .view = view};
    probe.cpuinfo = probe_read(&probe, "proc/cpuinfo");
    if (probe.cpuinfo == NULL)
        probe.cpuinfo = "";
    probe_cpu(&probe);
    probe_clusters(&probe);
    probe_pace(&probe);
    probe_system(&probe);
    probe_crypto(&probe);
    probe_build(&probe);
    identify(&probe);
    probe_advise(&probe);
}

void machine_free(struct machine *machine)
{
    arena_free(&machine->arena);
    *machine = (struct machine){.identity = ""};
}
