#include "sim/emulation.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PACKET_BYTES = 65536 };
#define LONGEST_WAIT_NS (SIM_NS_PER_S / 5)

struct carrying {
    int tunnels[2];
    struct link *link;
    struct kernel kernel;
    uint64_t start_ns;
};

static uint64_t now_ns(const struct carrying *carrying)
{
    return clock_wall_ns(clock_real()) - carrying->start_ns;
}

static void deliver(void *context, unsigned receiver, const uint8_t *bytes, size_t length)
{
    const struct carrying *carrying = context;
    /* What the other end does not take now is lost, as on a wire. */
    if (write(carrying->tunnels[receiver], bytes, length) < 0 && errno == EBADFD)
        _exit(0);
}

static void take(struct carrying *carrying, unsigned sender)
{
    uint8_t packet[PACKET_BYTES];
    ssize_t length;
    while ((length = read(carrying->tunnels[sender], packet, sizeof packet)) > 0)
        if (link_queued(carrying->link, sender) < EMULATION_QUEUE &&
            !link_send(carrying->link, sender, packet, (size_t)length))
            return; /* out of memory: kernel_run says so */
}

static void wait_for_packets(struct carrying *carrying)
{
    struct pollfd fds[2] = {{.fd = carrying->tunnels[0], .events = POLLIN},
                            {.fd = carrying->tunnels[1], .events = POLLIN}};
    uint64_t next_ns = kernel_next_ns(&carrying->kernel), now = now_ns(carrying);
    uint64_t wait_ns = next_ns <= now ? 0 : next_ns - now;
    wait_ns = wait_ns < LONGEST_WAIT_NS ? wait_ns : LONGEST_WAIT_NS;
    struct timespec wait = {.tv_nsec = (long)wait_ns};
    (void)ppoll(fds, 2, &wait, NULL);
}

static void carry(struct carrying *carrying)
{
    struct error error;
    while (getppid() != 1) {
        wait_for_packets(carrying);
        uint64_t now = now_ns(carrying);
        enum kernel_end end = kernel_run(&carrying->kernel, now, &error);
        if (end == KERNEL_FAILED)
            return;
        if (end == KERNEL_EMPTY) /* real time went on without an event */
            carrying->kernel.now_ns = now;
        for (unsigned sender = 0; sender < 2; sender++)
            take(carrying, sender);
    }
}

bool emulation_start(struct emulation *emulation, const int tunnels[2],
                     const struct link_settings *settings, uint64_t seed, struct error *error)
{
    struct carrying carrying = {.tunnels = {tunnels[0], tunnels[1]}};
    struct link_user user = {.context = &carrying, .deliver = deliver};
    if (!link_check(settings, error))
        return false;
    emulation->pid = fork();
    if (emulation->pid < 0) {
        emulation->pid = 0;
        return error_set_errno(error, errno, "no process for a link");
    }
    if (emulation->pid > 0)
        return true;
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    kernel_init(&carrying.kernel, seed);
    carrying.start_ns = clock_wall_ns(clock_real());
    carrying.link = link_open(&carrying.kernel, settings, "emulated", &user, error);
    if (carrying.link != NULL)
        carry(&carrying);
    _exit(0);
}

void emulation_stop(struct emulation *emulation)
{
    if (emulation->pid <= 0)
        return;
    (void)kill(emulation->pid, SIGTERM);
    while (waitpid(emulation->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    emulation->pid = 0;
}
