#include "handshake/server_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int child_stop;

static void on_term(int number)
{
    (void)number;
    child_stop = 1;
}

/* What the child says first, and at its end. */
struct report {
    struct error error; /* ERROR_NONE: it serves */
    struct server_stats stats;
};

static void send_report(int fd, const struct report *report)
{
    const char *bytes = (const char *)report;
    for (size_t sent = 0; sent < sizeof *report;) {
        ssize_t step = write(fd, bytes + sent, sizeof *report - sent);
        if (step <= 0)
            return;
        sent += (size_t)step;
    }
}

static bool receive_report(int fd, struct report *report)
{
    char *bytes = (char *)report;
    for (size_t got = 0; got < sizeof *report;) {
        ssize_t step = read(fd, bytes + got, sizeof *report - got);
        if (step < 0 && errno == EINTR)
            continue;
        if (step <= 0)
            return false;
        got += (size_t)step;
    }
    return true;
}

/* A keyboard's SIGINT reaches the whole group: the parent ends the child when it is done with it.
 */
static void prepare_child(int cpu)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_term;
    (void)sigaction(SIGTERM, &action, NULL);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (cpu < 0)
        return;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((size_t)cpu, &only);
    (void)sched_setaffinity(0, sizeof only, &only);
}

struct listening {
    const struct server_port *ports;
    size_t count;
    int fds[SERVER_SERVICES]; /* -1: none */
};

static bool add_ports(struct server *server, const struct listening *listening, struct error *error)
{
    for (size_t i = 0; i < listening->count; i++)
        if (!server_add(server, listening->fds[i], &listening->ports[i], error))
            return false;
    return true;
}

static void serve(const struct listening *listening, int report_fd)
{
    static struct server server; /* large, and the process's only one */
    struct server_settings settings = {.stop = &child_stop};
    struct report report;
    memset(&report, 0, sizeof report);
    (void)net_allow_files(65536);
    bool serves = server_open(&server, &settings, &report.error) &&
                  add_ports(&server, listening, &report.error);
    send_report(report_fd, &report);
    if (!serves)
        return;
    if (!server_run(&server, &report.error))
        failures_add(&server.stats.failures, &report.error);
    server_figures(&server, &report.stats);
    send_report(report_fd, &report);
    server_close(&server);
}

static bool fork_server(struct server_process *process, const struct listening *listening,
                        int ends[2], int cpu, struct error *error)
{
    pid_t parent = getpid();
    process->pid = fork();
    if (process->pid < 0) {
        process->pid = 0;
        return error_set_errno(error, errno, "no process for a server");
    }
    if (process->pid > 0)
        return true;
    (void)close(ends[0]);
    prepare_child(cpu);
    if (getppid() == parent)
        serve(listening, ends[1]);
    _exit(0);
}

static void close_all(const struct listening *listening)
{
    for (size_t i = 0; i < listening->count; i++)
        if (listening->fds[i] >= 0)
            (void)close(listening->fds[i]);
}

static bool listen_all(struct server_process *process, struct listening *listening,
                       const char *host, struct error *error)
{
    for (size_t i = 0; i < listening->count; i++)
        listening->fds[i] = -1;
    for (size_t i = 0; i < listening->count; i++) {
        const struct handshake_config *config = listening->ports[i].config;
        bool datagram = config != NULL && tls_protocol_is_datagram(config->protocol);
        listening->fds[i] = net_listen(host == NULL ? "127.0.0.1" : host, 0, datagram, error);
        if (listening->fds[i] < 0 || !net_local(listening->fds[i], &process->addresses[i], error)) {
            close_all(listening);
            return false;
        }
    }
    return true;
}

/* Whether the child serves. */
static bool hear(struct server_process *process, struct error *error)
{
    struct report report;
    if (!receive_report(process->report_fd, &report))
        return error_set(error, ERROR_SYSTEM, "the server process ended at once");
    if (report.error.code != ERROR_NONE) {
        *error = report.error;
        return false;
    }
    return clock_getcpuclockid(process->pid, &process->cpu_clock) == 0 ||
           error_set(error, ERROR_SYSTEM, "the server's CPU time cannot be read");
}

bool server_process_start(struct server_process *process, const struct server_port *ports,
                          size_t port_count, const char *host, int cpu, struct error *error)
{
    struct listening listening = {.ports = ports, .count = port_count};
    int ends[2];
    memset(process, 0, sizeof *process);
    if (!listen_all(process, &listening, host, error))
        return false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        int pipe_errno = errno;
        close_all(&listening);
        return error_set_errno(error, pipe_errno, "no pipe to a server");
    }
    bool forked = fork_server(process, &listening, ends, cpu, error);
    close_all(&listening);
    (void)close(ends[1]);
    process->report_fd = ends[0];
    if (forked && hear(process, error))
        return true;
    (void)server_process_stop(process, NULL);
    return false;
}

uint64_t server_process_cpu_ns(const struct server_process *process)
{
    struct timespec time;
    if (clock_gettime(process->cpu_clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

bool server_process_stop(struct server_process *process, struct server_stats *stats)
{
    struct report report;
    if (process->pid > 0)
        (void)kill(process->pid, SIGTERM);
    bool reported = process->pid > 0 && receive_report(process->report_fd, &report);
    if (reported && stats != NULL)
        *stats = report.stats;
    (void)close(process->report_fd);
    while (process->pid > 0 && waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    process->pid = 0;
    return reported;
}
