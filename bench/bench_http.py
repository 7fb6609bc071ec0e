#!/usr/bin/python3
"""What the HTTP instrument reaches: our client against wrk, our server against nginx, layers against curl,
memory. See benching.py for how they are compared."""
import argparse
import os
import re
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading

from benching import TLSMETER, Bench, measure

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "e2e"))
os.environ["TLSMETER"] = TLSMETER
os.environ.setdefault("SOURCE_DIR", os.path.join(HERE, ".."))
from servers import Serve, free_port, make_certificate, nginx  # noqa: E402 pylint: disable=C0413

CLIENT_CPU, SERVER_CPU = 0, 1
KEPT = 1000000  # requests on a connection


def pinned(command):
    """What a program pinned to the client's CPU printed, and its CPU seconds."""
    before = os.times()
    text = subprocess.run(["taskset", "-c", str(CLIENT_CPU), *command], check=True, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    after = os.times()
    return text, (after.children_user - before.children_user + after.children_system -
                  before.children_system)


def wrk(url, connections=16, seconds=1):
    """Requests and bytes a second, CPU per request."""
    text, cpu = pinned(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", url])
    if re.search(r"Non-2xx|Socket errors", text):
        raise RuntimeError(text)
    requests = int(re.search(r"(\d+) requests in", text).group(1))
    moved = re.search(r"Transfer/sec:\s+([\d.]+)([KMG]?)B", text).groups()
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
            float(moved[0]) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[moved[1]], cpu / requests)


def ours(url, connections=16):
    cells, _ = measure("http", url, "--no-verify", "--protocol", "tls1.3", "--connection", "kept",
                       "--connections", str(connections), "--duration", "1s", "--cpu", str(CLIENT_CPU))
    metrics = cells[0]["metrics"]
    return metrics["requests_per_s"]["median"], metrics["cpu_ns"]["median"] / 1e9


def nginx_lines(folder, port, tls_port):
    certificate, key = make_certificate(folder, "nginx")
    for name, size in (("small", 1024), ("medium", 100000), ("large", 1 << 20)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(os.urandom(size))
    return (f"listen 127.0.0.1:{port}; listen 127.0.0.1:{tls_port} ssl; ssl_certificate {certificate}; "
            f"ssl_certificate_key {key}; ssl_protocols TLSv1.3; ssl_ciphers HIGH; "
            "ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256; "
            f"root {folder}; keepalive_requests {KEPT};")


def client(bench, url, name, rounds):
    rates, cpus = [], []
    for _ in range(rounds):
        rate, _, cpu = wrk(url)
        own_rate, own_cpu = ours(url)
        rates.append(own_rate / rate)
        cpus.append(own_cpu / cpu)
    rate, cpu = statistics.median(rates), statistics.median(cpus)
    bench.row(f"client, {name}, 1 kB kept, 16 connections: requests/s / wrk, {rounds} pairs",
              f"{rate:.2f} ({min(rates):.2f}-{max(rates):.2f})", ">= 0.95", rate >= 0.95)
    bench.row(f"client, {name}: CPU per request / wrk", f"{cpu:.2f} ({min(cpus):.2f}-{max(cpus):.2f})",
              "<= 1.1", cpu <= 1.1)


def server(bench, theirs, own, what, rounds, connections, moved=False):
    ratios = []
    for _ in range(rounds):
        pair = [wrk(url, connections)[1 if moved else 0] for url in (own, theirs)]
        ratios.append(pair[0] / pair[1])
    ratio = statistics.median(ratios)
    bench.row(f"server, {what} / nginx, {rounds} pairs", f"{ratio:.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
              ">= 0.9", ratio >= 0.9)


def agree(bench, what, own, theirs, peer):
    """Within 5 % or 50 us, whichever is larger."""
    bench.row(what, f"{own:.0f} us, {peer} {theirs:.0f} us", "within 50 us or 5 %",
              abs(own - theirs) <= max(50, 0.05 * theirs))


def layers_of_curl(bench, plain, tls, rounds):
    """curl's phases beside ours, in turn. curl's TLS phase also makes a context and loads roots each time,
    and is shown only."""
    found = {name: ([], []) for name in ("connect", "first byte", "TLS")}
    for _ in range(rounds):
        for url, names in ((plain, ("connect", "first byte")), (tls, ("TLS",))):
            text = subprocess.run(["curl", "--silent", "--output", "/dev/null", "--insecure",
                                   "--write-out", "%{time_namelookup} %{time_connect} %{time_appconnect} "
                                   "%{time_pretransfer} %{time_starttransfer}", url], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            looked_up, connected, shaken, ready, first = map(float, text.split())
            cells, _ = measure("http", url, "--no-verify", "--protocol", "tls1.3", "--connection", "new",
                               "--quick", "--max-time", "50ms")
            metrics = cells[0]["metrics"]
            for name, theirs, own in (("connect", connected - looked_up, ["connect_ns"]),
                                      ("first byte", first - ready, ["request_ns", "first_byte_ns"]),
                                      ("TLS", shaken - connected, ["tls_ns"])):
                if name in names:
                    found[name][0].append(theirs * 1e6)
                    found[name][1].append(sum(metrics[metric]["median"] for metric in own) / 1e3)
    for name in ("connect", "first byte"):
        agree(bench, f"layer '{name}', {rounds} pairs", statistics.median(found[name][1]),
              statistics.median(found[name][0]), "curl")
    print(f"  TLS: ours {statistics.median(found['TLS'][1]):.0f} us, curl "
          f"{statistics.median(found['TLS'][0]):.0f} us (with a new context each time)", file=sys.stderr)


class Capture:
    """Times of TCP segments on the loopback to and from a port, as the kernel stamps them."""

    SO_TIMESTAMPNS = 35

    def __init__(self, port):
        self.port, self.flows, self.stop = port, {}, False
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
        self.socket.setsockopt(socket.SOL_SOCKET, self.SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
        self.socket.bind(("lo", 0))
        self.socket.settimeout(0.2)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.stop:
            try:
                frame, ancillary, _, address = self.socket.recvmsg(100, 64)
            except TimeoutError:
                continue
            if address[2] != 4 and frame[23] == 6:  # each is seen leaving and coming: one is enough
                seconds, ns = struct.unpack("qq", ancillary[0][2])
                self.take(seconds * 1e6 + ns / 1e3, frame[14:])

    def take(self, at_us, packet):
        header = 4 * (packet[0] & 15)
        length = struct.unpack("!H", packet[2:4])[0]
        source, target = struct.unpack("!HH", packet[header:header + 4])
        payload = length - header - 4 * (packet[header + 12] >> 4)
        flags = packet[header + 13]
        if self.port not in (source, target):
            return
        ours = target == self.port
        flow = self.flows.setdefault(source if ours else target, {})
        if flags & 2:
            flow["syn" if ours else "syn_ack"] = at_us
        elif payload > 0:
            flow.setdefault("request" if ours else "first", at_us)
            if not ours:
                flow["last"] = at_us

    def end(self):
        self.stop = True
        self.thread.join()
        self.socket.close()
        return [flow for flow in self.flows.values()
                if {"syn", "syn_ack", "request", "first", "last"} <= set(flow)]


def layers_of_a_capture(bench, url, port):
    """The same requests as the kernel saw their segments."""
    try:
        capture = Capture(port)
    except PermissionError:
        print("  no capture: it needs root", file=sys.stderr)
        return
    cells, _ = measure("http", url, "--connection", "new", "--max-time", "1s", "--target", "0.1%")
    flows = capture.end()
    metrics = cells[0]["metrics"]
    for name, begin, end in (("connect", "syn", "syn_ack"), ("first byte", "request", "first"),
                             ("body", "first", "last")):
        key = {"connect": "connect_ns", "first byte": "first_byte_ns", "body": "body_ns"}[name]
        agree(bench, f"layer '{name}' of {len(flows)} requests of 100 kB", metrics[key]["median"] / 1e3,
              statistics.median(flow[end] - flow[begin] for flow in flows), "capture")


def memory(bench, url):
    process = subprocess.Popen([TLSMETER, "http", url, "--connection", "kept", "--connections", "16",
                                "--duration", "3s", "--csv", "--quiet"], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    header, row = text.splitlines()[:2]
    rate = float(row.split(",")[header.split(",").index("requests_per_s")])
    megabytes = usage.ru_maxrss * 1024 / 1e6
    bench.row(f"memory of {3 * rate / 1000:.0f} thousand requests with all percentiles",
              f"{megabytes:.0f} MB", "< 50 MB, 100 thousand", megabytes < 50 and 3 * rate >= 100000)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs")
    rounds = 3 if parser.parse_args().quick else 9
    bench = Bench()
    if shutil.which("wrk") is None:
        print("  wrk is not installed: nothing to compare with", file=sys.stderr)
        return 0
    port, tls_port = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder, nginx(folder, nginx_lines(folder, port, tls_port),
                                                        port) as peer:
        os.sched_setaffinity(peer.pid, {SERVER_CPU})
        plain, tls = f"http://127.0.0.1:{port}", f"https://localhost:{tls_port}"
        client(bench, f"{plain}/small", "HTTP", rounds)
        client(bench, f"{tls}/small", "HTTPS", rounds)
        with Serve(service="http") as own, Serve(service="https") as own_tls:
            for process in (own.process, own_tls.process):
                os.sched_setaffinity(process.pid, {SERVER_CPU})
            server(bench, f"{plain}/small", f"http://127.0.0.1:{own.port}/bytes/1024",
                   "HTTP, 1 kB kept, 16 connections: requests/s", rounds, 16)
            server(bench, f"{tls}/small", f"https://127.0.0.1:{own_tls.port}/bytes/1024",
                   "HTTPS, 1 kB kept, 16 connections: requests/s", rounds, 16)
            server(bench, f"{tls}/large", f"https://127.0.0.1:{own_tls.port}/bytes/1048576",
                   "HTTPS, 1 MiB: bytes/s", rounds, 4, moved=True)
            memory(bench, f"http://127.0.0.1:{own.port}/bytes/1024")
        layers_of_a_capture(bench, f"{plain}/medium", port)
        layers_of_curl(bench, f"{plain}/small", f"https://127.0.0.1:{tls_port}/small", 3 * rounds)
    bench.print()
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
