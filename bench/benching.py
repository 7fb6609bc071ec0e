"""What the programs of bench/ share: the table of targets, and runs of tlsmeter.

Compared programs run in turn, so that a slow phase of the machine hits both; ratios are medians of pairs.
Where the reference loop of tlsmeter scattered by more than 1 %, or other programs took more than a tenth
of a CPU, the verdict says `not calm`: figures of 1 % mean nothing then. A program ends with 1 if a target
was missed although the machine was calm."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

TLSMETER = os.path.abspath(os.environ["TLSMETER"])
CALM_SPREAD = 0.01
CALM_CPUS = 0.1  # used by other programs


def busy_seconds():
    """CPU seconds of the whole machine, and those of this program and its ended children."""
    with open("/proc/stat", encoding="ascii") as file:
        fields = [int(field) for field in file.readline().split()[1:8]]
    whole = sum(fields) - fields[3] - fields[4]  # without idle and waiting for I/O
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return whole / os.sysconf("SC_CLK_TCK"), sum(u.ru_utime + u.ru_stime for u in usages)


class Bench:
    def __init__(self):
        self.rows = []
        self.missed = False
        self.before = (time.monotonic(), *busy_seconds())

    def others(self):
        """CPUs that other programs used since the last row."""
        now = (time.monotonic(), *busy_seconds())
        elapsed, whole, own = (b - a for a, b in zip(self.before, now))
        self.before = now
        return max(0, whole - own) / elapsed

    def row(self, what, measured, target, reached, spreads=()):
        spreads = [s for s in spreads if s is not None]
        others = self.others()
        calm = others <= CALM_CPUS and all(s <= CALM_SPREAD for s in spreads)
        verdict = "reached" if reached else "missed"
        if not calm:
            verdict += f", not calm (other programs: {others:.1f} CPUs"
            verdict += f"; reference loop: {100 * max(spreads):.1f} %)" if spreads else ")"
        self.missed = self.missed or (calm and not reached)
        self.rows.append((what, measured, target, verdict))
        print(f"  {what}: {measured} ({target}): {verdict}", file=sys.stderr, flush=True)

    def print(self):
        rows = [("what", "measured", "target", "verdict"), *self.rows]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def measure(command, *arguments, path=None):
    """Runs tlsmeter; returns its ok cells and the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = path or os.path.join(folder, "a.jsonl")
        started = time.monotonic()
        subprocess.run([TLSMETER, command, *arguments, "--quiet", "--output", path], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - started
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    return [line for line in lines if line["record"] == "cell" and line["status"] == "ok"], seconds


def spreads_of(cells):
    return [cell["checks"].get("reference_spread") for cell in cells]
