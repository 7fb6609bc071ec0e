#include "net/namespace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOME = 2 };

static const char *const addresses[] = {"198.18.0.1", "198.18.0.2"};
static const char netmask[] = "255.255.255.0";

const char *net_namespaces_address(unsigned end)
{
    return addresses[end];
}

static void put_address(struct sockaddr *place, const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    (void)inet_pton(AF_INET, text, &address.sin_addr);
    memcpy(place, &address, sizeof address);
}

static bool set_up(int fd, const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
    memcpy(request.ifr_name, name, strlen(name) + 1);
    return ioctl(fd, SIOCSIFFLAGS, &request) == 0;
}

static bool configure(const char *name, const char *address, unsigned mtu_bytes)
{
    struct ifreq request;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    memset(&request, 0, sizeof request);
    memcpy(request.ifr_name, name, strlen(name) + 1);
    put_address(&request.ifr_addr, address);
    bool good = ioctl(fd, SIOCSIFADDR, &request) == 0;
    put_address(&request.ifr_netmask, netmask);
    good = good && ioctl(fd, SIOCSIFNETMASK, &request) == 0;
    request.ifr_mtu = (int)mtu_bytes;
    good = good && ioctl(fd, SIOCSIFMTU, &request) == 0 && set_up(fd, name) && set_up(fd, "lo");
    int configure_errno = errno;
    (void)close(fd);
    errno = configure_errno;
    return good;
}

static int open_tunnel(const char *name)
{
    struct ifreq request;
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    memset(&request, 0, sizeof request);
    memcpy(request.ifr_name, name, strlen(name) + 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(fd, TUNSETIFF, &request) == 0)
        return fd;
    int tunnel_errno = errno;
    (void)close(fd);
    errno = tunnel_errno;
    return -1;
}

static bool open_end(struct net_namespaces *namespaces, unsigned end, unsigned mtu_bytes,
                     struct error *error)
{
    static const char name[] = "link";
    if (unshare(CLONE_NEWNET) != 0)
        return error_set_errno(error, errno, "an emulated link needs root: a network namespace");
    namespaces->fds[end] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    namespaces->tunnels[end] = open_tunnel(name);
    if (namespaces->tunnels[end] < 0)
        return error_set_errno(error, errno,
                               "an emulated link needs /dev/net/tun (kernel module tun)");
    if (namespaces->fds[end] < 0 || !configure(name, addresses[end], mtu_bytes))
        return error_set_errno(error, errno, "an emulated link's interface");
    return true;
}

bool net_namespaces_open(struct net_namespaces *namespaces, unsigned mtu_bytes, struct error *error)
{
    *namespaces = (struct net_namespaces){-1, {-1, -1}, {-1, -1}};
    namespaces->home_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (namespaces->home_fd < 0)
        return error_set_errno(error, errno, "/proc/self/ns/net");
    bool good = open_end(namespaces, 0, mtu_bytes, error) &&
                open_end(namespaces, 1, mtu_bytes, error) &&
                net_namespaces_enter(namespaces, HOME, error);
    if (!good)
        net_namespaces_close(namespaces);
    return good;
}

bool net_namespaces_enter(const struct net_namespaces *namespaces, unsigned end,
                          struct error *error)
{
    int fd = end == HOME ? namespaces->home_fd : namespaces->fds[end];
    return setns(fd, CLONE_NEWNET) == 0 ||
           error_set_errno(error, errno, "a network namespace cannot be entered");
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

void net_namespaces_close(struct net_namespaces *namespaces)
{
    if (namespaces->home_fd >= 0)
        (void)setns(namespaces->home_fd, CLONE_NEWNET);
    for (int end = 0; end < 2; end++) {
        close_fd(&namespaces->tunnels[end]);
        close_fd(&namespaces->fds[end]);
    }
    close_fd(&namespaces->home_fd);
}
