#!/usr/bin/python3
"""What the handshake instrument reaches: over memory against a bare loop over OpenSSL, as a client under
load against h2load, and how much of the time the trace explains. See benching.py for how they are
compared."""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from benching import TLSMETER, Bench, measure, spreads_of

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "e2e"))
os.environ.setdefault("SOURCE_DIR", os.path.join(HERE, ".."))
from servers import free_port, make_certificate, nginx  # noqa: E402 pylint: disable=C0413

CLIENT_CPU, SERVER_CPU = 0, 1
CONNECTIONS = 8


def over_memory(bench, folder, rounds):
    program = os.path.join(folder, "bare_handshake")
    subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "bare_handshake.c"), "-lssl",
                    "-lcrypto"], check=True)
    os.environ["XDG_CACHE_HOME"] = folder  # where tlsmeter then keeps the certificates that both use
    measure("handshake", "--library", "openssl", "--quick", "--max-time", "1ms")
    own = glob.glob(os.path.join(folder, "tlsmeter", "pki-*-ecdsa-p256-1-sound"))[0]
    certificate, key, root = (os.path.join(own, name)
                              for name in ("server.pem", "server.key", "root.pem"))
    for protocol in ("tls1.2", "tls1.3"):
        ratios, spreads = [], []
        for _ in range(rounds):
            text = subprocess.run([program, protocol, certificate, key, root, "1"], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            bare = statistics.median(map(float, text.split()))
            cells, _ = measure("handshake", "--library", "openssl", "--protocol", protocol,
                               "--max-time", "1s", "--target", "0.1%")
            ratios.append(cells[0]["metrics"]["wall_ns"]["median"] / bare)
            spreads += spreads_of(cells)
        ratio = statistics.median(ratios)
        bench.row(f"{protocol} handshake over memory / bare loop over OpenSSL, {rounds} pairs",
                  f"{ratio:.3f} ({min(ratios):.3f}-{max(ratios):.3f})", "<= 1.03", ratio <= 1.03,
                  [statistics.median(s for s in spreads if s is not None)])


def user_and_system(command):
    """CPU seconds of a program, pinned; what it printed."""
    before = os.times()
    text = subprocess.run(["taskset", "-c", str(CLIENT_CPU), *command], check=True, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    after = os.times()
    return (after.children_user - before.children_user + after.children_system -
            before.children_system), text


def h2load(port, count, options):
    cpu, text = user_and_system(["h2load", "--h1", "-H", "Connection: close", "-n", str(count), "-c",
                                 str(CONNECTIONS), "-t1", *options, f"https://127.0.0.1:{port}/"])
    failed = int(re.search(r"(\d+) failed", text).group(1))
    if failed:
        raise RuntimeError(f"h2load: {failed} requests failed")
    return cpu / count, float(re.search(r"([\d.]+) req/s", text).group(1))


def ours(port, protocol, options):
    """CPU and rate of the load alone: what the program does before and after is not the client's."""
    cells, _ = measure("handshake", f"localhost:{port}", "--no-verify", "--library", "openssl",
                       "--protocol", protocol, "--connections", str(CONNECTIONS), "--get", "/",
                       "--duration", "1s", "--cpu", str(CLIENT_CPU), *options)
    metrics = cells[0]["metrics"]
    return metrics["cpu_ns"]["median"] / 1e9, metrics["handshakes_per_s"]["median"]


def under_load(bench, folder, rounds):
    certificate, key = make_certificate(folder, "nginx")
    for protocol, target in (("tls1.3", 0.80), ("tls1.2", 0.92)):
        port = free_port()
        lines = (f"listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; ssl_certificate_key {key}; "
                 f"ssl_protocols TLSv{protocol[3:]}; ssl_session_cache off; ssl_session_tickets off; "
                 "ssl_ecdh_curve prime256v1; location / { return 200 'hello'; }")
        with nginx(folder, lines, port) as server:
            os.sched_setaffinity(server.pid, {SERVER_CPU})
            for name, options, own in (("the first key share fits", ["--groups", "P-256"],
                                        ["--group", "secp256r1"]),
                                       ("its own groups", [], ["--group", "secp256r1"])):
                cpus, rates = [], []
                for _ in range(rounds):
                    cpu, rate = h2load(port, 1500, options)
                    own_cpu, own_rate = ours(port, protocol, own)
                    cpus.append(own_cpu / cpu)
                    rates.append(own_rate / rate)
                cpu, rate = statistics.median(cpus), statistics.median(rates)
                bench.row(f"{protocol}, CPU per handshake / h2load ({name}), {rounds} pairs",
                          f"{cpu:.2f} ({min(cpus):.2f}-{max(cpus):.2f})", f"<= {target}", cpu <= target)
                bench.row(f"{protocol}, handshakes per second / h2load ({name})",
                          f"{rate:.2f} ({min(rates):.2f}-{max(rates):.2f})", ">= 1", rate >= 1)


def attribution(bench):
    for library, target in (("openssl", 0.10), ("mbedtls", 0.05), ("wolfssl", 0.05)):
        protocols = "tls1.2" if library == "mbedtls" else "tls1.2,tls1.3"
        cells, _ = measure("handshake", "--library", library, "--protocol", protocols, "--trace",
                           "--quick")
        for side in ("client", "server"):
            own = [cell["metrics"] for cell in cells if cell["side"] == side]
            left = max(m["unattributed_ns"]["median"] / m["traced_ns"]["median"] for m in own)
            off = max((m["traced_ns"]["median"] / m["untraced_ns"]["median"] - 1 for m in own), key=abs)
            bench.row(f"{library} {side}: time in no named operation (traced {100 * off:+.0f} % of untraced)",
                      f"{100 * left:.1f} %", f"<= {100 * target:.0f} %", left <= target)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs")
    rounds = 3 if parser.parse_args().quick else 9
    bench = Bench()
    with tempfile.TemporaryDirectory() as folder:
        over_memory(bench, folder, rounds)
        attribution(bench)
        if shutil.which("h2load") is None:
            print("  h2load is not installed (nghttp2-client): no comparison under load", file=sys.stderr)
        else:
            under_load(bench, folder, rounds)
    bench.print()
    return 1 if bench.missed else 0


if __name__ == "__main__":
    os.environ["TLSMETER"] = TLSMETER
    sys.exit(main())
