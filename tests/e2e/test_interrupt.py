#!/usr/bin/python3
"""A measurement that is interrupted or killed leaves a file with everything measured so far."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

from program import TLSMETER, environment, tlsmeter

# Some thousand cells: far from done when the first of them are on disk.
SELECTION = ("--algorithm", "*", "--mode", "*", "--max-time", "20ms", "--seed", "1")
PATIENCE_S = 60


class Interrupted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.jsonl")

    def stop_after_cells(self, number, *arguments):
        """Starts, waits until cells are on disk, sends the signal. Returns exit code, out, err."""
        process = subprocess.Popen(
            [TLSMETER, "crypto", *SELECTION, "--output", self.path, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment())
        try:
            self.wait_for_cells(process)
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
            process.wait()
        return process.returncode, out, err

    def wait_for_cells(self, process):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.assertIsNone(process.poll(), "ended before it could be interrupted")
            if os.path.exists(self.path):
                with open(self.path, encoding="utf-8") as file:
                    if sum('"wall_ns"' in line for line in file) >= 3:
                        return
            time.sleep(0.02)
        self.fail("no cell came")

    def whole_lines(self):
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        return [json.loads(line) for line in text.splitlines()]

    def ended_cleanly(self, number, *arguments):
        code, out, err = self.stop_after_cells(number, *arguments)
        self.assertEqual(code, 130, err)
        self.assertIn("interrupted", err)
        records = self.whole_lines()
        self.assertEqual(records[0]["record"], "run")
        self.assertGreaterEqual(sum("wall_ns" in r.get("metrics", {}) for r in records), 3)
        # The tables of what was measured are printed all the same.
        self.assertIn("MB/s", out)
        shown = tlsmeter("show", self.path)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(shown.stderr, "")

    def test_interrupt(self):
        self.ended_cleanly(signal.SIGINT)

    def test_terminate(self):
        self.ended_cleanly(signal.SIGTERM)

    def test_interrupt_of_the_child_without_cpu_features(self):
        self.ended_cleanly(signal.SIGINT, "--library", "openssl", "--cpu-features", "off")

    def test_kill(self):
        code, _, _ = self.stop_after_cells(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        shown = tlsmeter("show", self.path)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        with open(self.path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines[:-1]:
            json.loads(line)  # only the last may be torn

    def test_resume_after_kill_loses_nothing(self):
        self.stop_after_cells(signal.SIGKILL)
        with open(self.path, "rb+") as file:
            file.truncate(os.path.getsize(self.path) - 100)
        with open(self.path, encoding="utf-8") as file:
            before = file.read().splitlines()
        algorithm = json.loads(before[1])["subject"]["algorithm"]
        result = tlsmeter("crypto", "--algorithm", algorithm, "--mode", "*", "--quick",
                          "--max-time", "20ms", "--resume", self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path, encoding="utf-8") as file:
            after = file.read().splitlines()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(json.loads(after[len(before)])["record"], "run")


if __name__ == "__main__":
    unittest.main()
