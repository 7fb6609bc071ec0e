#!/usr/bin/python3
"""tlsmeter http --link: the kernel's TCP over an emulated link. Round trips and rates are physics: nothing is
faster than they allow; that it is not much slower depends on the machine, and is looked at generously."""
import os
import subprocess
import sys
import tempfile
import unittest

from program import cells_of, tlsmeter

DELAY = """rate_bit_per_s = 1000000000
rate_bit_per_s_source = made up
delay_us = 20000
delay_us_source = made up
"""
RATE = """rate_bit_per_s = 2000000
rate_bit_per_s_source = made up
frame_overhead_bytes = 0
frame_overhead_bytes_source = made up
"""


def can_emulate():
    result = tlsmeter("http", "--link", "100base-t1", "--quick", "--max-time", "1ms", "--protocol", "tls1.3",
                      "--connection", "new")
    return "an emulated link needs" not in result.stderr


class Link(unittest.TestCase):
    def measure(self, network, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "network.ini")
            with open(path, "w", encoding="ascii") as file:
                file.write(network)
            output = os.path.join(folder, "out.jsonl")
            result = tlsmeter("http", "--link", path, "--quick", "--max-time", "300ms", "--output", output,
                              *arguments)
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
            return [cell for cell in cells_of(output) if cell["side"] == "client"]

    def test_round_trips(self):
        cells = self.measure(DELAY, "--protocol", "tls1.2,tls1.3", "--resumption", "none,ticket")
        trip = 40e6  # ns
        for cell in cells:
            subject, wall = cell["subject"], cell["metrics"]["wall_ns"]["median"]
            trips = 1 if subject["connection"] == "kept" else 2  # connecting, the request
            if subject["connection"] == "new" and subject["scheme"] == "https":
                full = subject["resumption"] == "none"
                trips += 2 if subject["protocol"] == "tls1.2" and full else 1
            self.assertGreaterEqual(wall, trips * trip, subject)
            self.assertLess(wall, trips * trip + 30e6, subject)
            self.assertEqual(subject["over"], "emulated link")

    def test_rate(self):
        cells = self.measure(RATE, "--protocol", "tls1.3", "--payload", "100000", "--connection", "kept")
        for cell in cells:
            self.assertGreater(cell["metrics"]["wall_ns"]["median"], 0.95 * 100000 * 8 / 2e6 * 1e9)
            self.assertLess(cell["metrics"]["wall_ns"]["median"], 1.5 * 100000 * 8 / 2e6 * 1e9)

    def test_nothing_is_left_behind(self):
        before = subprocess.run(["ip", "link"], capture_output=True, text=True, check=False).stdout
        self.measure(DELAY, "--protocol", "tls1.3", "--connection", "new")
        after = subprocess.run(["ip", "link"], capture_output=True, text=True, check=False).stdout
        self.assertEqual(before, after)

    def test_wrong_use(self):
        for arguments, text in ((("--link", "moon"), "there is no network 'moon': 100base-t1"),
                                (("--link", "/nonexistent.ini"), "nonexistent.ini"),
                                (("--link", "lte", "http://localhost/"), "our own client and server")):
            result = tlsmeter("http", *arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertIn(text, result.stderr)


if __name__ == "__main__":
    if not can_emulate():
        print("skipped: no network namespaces or no /dev/net/tun for this user")
        sys.exit(77)
    unittest.main()
