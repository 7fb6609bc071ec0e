#!/usr/bin/python3
"""What the crypto instrument reaches, against its targets and against openssl speed on the same machine in
the same minutes. A table: what, measured, target, verdict.

See benching.py for how they are compared."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from benching import TLSMETER, Bench, measure, spreads_of

PAIRED = (("aes-128-cbc", "encrypt"), ("aes-128-gcm", "encrypt"), ("sha256", "digest"),
          ("chacha20-poly1305", "encrypt"))
SIZES = (16, 64, 256, 1024, 8192, 16384)


def openssl_rate(algorithm, size, clock):
    """Operations per second of a clock (elapsed or CPU) that ticks every 10 ms, in a run of a second."""
    text = subprocess.run(["openssl", "speed", "-mr", *clock, "-seconds", "1", "-bytes", str(size),
                           "-evp", algorithm], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout
    count, elapsed = re.search(r"^\+R:(\d+):[^:]+:([\d.]+)", text, re.M).groups()
    return int(count) / float(elapsed)


def against_openssl(bench, pairs):
    for algorithm, operation in PAIRED:
        for size in (16, 16384):
            ratios, means, in_cpu_time, spreads = [], [], [], []
            for _ in range(pairs):
                theirs = openssl_rate(algorithm, size, ("-elapsed",))
                cells, _ = measure("crypto", "--library", "openssl", "--algorithm", algorithm,
                                   "--operation", operation, "--mode", "openssl-speed", "--sizes",
                                   str(size), "--target", "0.2%", "--max-time", "1s")
                wall = cells[0]["metrics"]["wall_ns"]
                ratios.append(1e9 / wall["median"] / theirs)
                means.append(1e9 / statistics.fmean(wall["samples"]) / theirs)
                in_cpu_time.append(1e9 / cells[0]["metrics"]["cpu_ns"]["median"] /
                                   openssl_rate(algorithm, size, ()))
                spreads += spreads_of(cells)
            ratio, mean = statistics.median(ratios), statistics.median(means)
            bench.row(f"rate of {algorithm} at {size} bytes / openssl speed, {pairs} pairs",
                      f"{ratio:.3f} ({min(ratios):.3f}-{max(ratios):.3f}; by our mean {mean:.3f}; "
                      f"in CPU time {statistics.median(in_cpu_time):.3f})",
                      ">= 0.99", ratio >= 0.99, [statistics.median(spreads)] if spreads else [])


def null_library(bench):
    cells, _ = measure("crypto", "--library", "null", "--algorithm", "aes-128-gcm,sha256,chacha20*",
                       "--sizes", "16")
    cost = max(cell["metrics"]["wall_ns"]["median"] for cell in cells)
    bench.row("null library, time per operation", f"{cost:.2f} ns", "< 2 ns", cost < 2)


def default_seconds(*arguments):
    """The seconds that openssl speed says it will take for a row when not told otherwise."""
    process = subprocess.Popen(["openssl", "speed", "-elapsed", *arguments], text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        text = ""
        while not re.search(r"for \d+s", text):
            piece = process.stderr.read(1)
            if not piece:
                raise RuntimeError("openssl speed says nothing of its time: " + text)
            text += piece
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
    return int(re.search(r"for (\d+)s", text).group(1))


def time_to_an_answer(bench):
    per_size = default_seconds("-evp", "sha256")
    per_key = {default_seconds("ecdsap256"), default_seconds("rsa2048")}
    theirs = 3 * len(SIZES) * per_size + 4 * max(per_key)
    first, seconds = measure("crypto", "--library", "openssl", "--algorithm",
                             "aes-128-gcm,sha256,chacha20-poly1305", "--operation", "encrypt,digest",
                             "--sizes", ",".join(map(str, SIZES)), "--max-time", "3s")
    second, more = measure("crypto", "--library", "openssl", "--algorithm", "ecdsa-p256,rsa-2048",
                           "--operation", "sign,verify", "--padding", "pkcs1", "--peer-key", "known",
                           "--max-time", "3s")
    cells = first + second
    within = sum(cell["ended"] == "target" for cell in cells)
    ours = seconds + more
    bench.row(f"time until {within} of {len(cells)} cells are within 1 % / openssl speed ({theirs} s)",
              f"{ours:.1f} s, {ours / theirs:.3f}", "<= 0.1, all cells",
              ours <= theirs / 10 and within == len(cells) == 22, spreads_of(cells))


def resources(*arguments):
    """Elapsed seconds, CPU seconds and peak memory in MB of one run."""
    started = time.monotonic()
    process = subprocess.Popen([TLSMETER, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    return (time.monotonic() - started, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024 / 1e6)


def listing(bench):
    seconds = statistics.median(resources("list")[0] for _ in range(5))
    bench.row("tlsmeter list", f"{1000 * seconds:.0f} ms", "<= 100 ms", seconds <= 0.1)


def showing(bench, options, what):
    """100,000 cells made of real ones under other run ids, as of many appended runs."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = os.path.join(folder, "small.jsonl"), os.path.join(folder, "large.jsonl")
        measure("crypto", "--library", "openssl", "--algorithm", "aes-*,sha*,chacha20*", "--quick",
                "--max-time", "100ms", *options, path=small)
        with open(small, encoding="utf-8") as file:
            lines = file.readlines()
        run = json.loads(lines[0])["run"]
        written, block = 0, 0
        with open(large, "w", encoding="utf-8") as file:
            while written < 100000:
                own = f"{block:08x}" + run[8:]
                block += 1
                file.write(lines[0].replace(run, own))
                for line in lines[1:1 + 100000 - written]:
                    file.write(line.replace(run, own))
                written += len(lines) - 1
        megabytes = os.path.getsize(large) / 1e6
        seconds, cpu, memory = resources("show", large)
    bench.row(f"tlsmeter show of 100,000 cells {what} ({megabytes:.0f} MB)",
              f"{seconds:.2f} s (CPU {cpu:.2f} s), {memory:.0f} MB", "<= 4 s, < 200 MB", seconds <= 4 and memory < 200)


def same_twice(bench):
    """A/A: the same cells twice must agree within their own intervals."""
    found, spreads = [], []
    for _ in range(2):
        cells, _ = measure("crypto", "--library", "openssl", "--algorithm",
                           "aes-128-gcm,sha256,chacha20-poly1305,hmac-sha256,ecdsa-p256,x25519,ed25519",
                           "--operation", "encrypt,digest,mac,sign,verify,derive", "--sizes",
                           "16,1024,16384")
        spreads += spreads_of(cells)
        found.append({json.dumps(cell["subject"], sort_keys=True):
                      cell["metrics"]["wall_ns"].get("ci95") for cell in cells})
    pairs = [(found[0][key], found[1][key]) for key in found[0] if found[0][key] and found[1].get(key)]
    overlapping = sum(a[0] <= b[1] and b[0] <= a[1] for a, b in pairs)
    bench.row(f"A/A: cells of {len(pairs)} whose intervals overlap in two runs",
              f"{100 * overlapping / len(pairs):.0f} %", ">= 90 %", overlapping >= 0.9 * len(pairs), spreads)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs")
    arguments = parser.parse_args()
    bench = Bench()
    null_library(bench)
    listing(bench)
    time_to_an_answer(bench)
    same_twice(bench)
    against_openssl(bench, 1 if arguments.quick else 5)
    showing(bench, ("--no-samples",), "without samples")
    showing(bench, (), "with samples")
    print(f"openssl {subprocess.run(['openssl', 'version'], capture_output=True, text=True).stdout.split()[1]}"
          f", load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
    bench.print()
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
