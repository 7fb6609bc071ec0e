#!/usr/bin/python3
"""tlsmeter crypto: what it refuses and how it says so, what it measures and what stands in the records."""
import csv
import io
import os
import subprocess
import tempfile
import unittest

from program import SHORT, TLSMETER, cells_of, crypto, environment, lines_of, tlsmeter

SHA256 = ("--library", "openssl", "--algorithm", "sha256", "--sizes", "16")


class Refusals(unittest.TestCase):
    """Wrong use: one line on standard error, exit 2, nothing measured."""

    def refused(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.jsonl")
            result = crypto("--output", path, *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertFalse(os.path.exists(path), "wrong use must not leave a file")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("tlsmeter crypto: "), result.stderr)
        return result.stderr

    def test_unknown_algorithm_names_the_nearest(self):
        line = self.refused("--algorithm", "aes-128-gmc")
        self.assertIn('no algorithm is called "aes-128-gmc"', line)
        self.assertIn("aes-128-gcm", line)
        self.assertIn("chacha20-poly1305", self.refused("--algorithm", "chacha20poly1305"))

    def test_pattern_that_matches_nothing(self):
        line = self.refused("--algorithm", "camellia-*")
        self.assertIn('"camellia-*"', line)
        self.assertIn("tlsmeter list", line)

    def test_unknown_names_of_other_kinds(self):
        self.assertIn("openssl", self.refused("--library", "opensll"))
        self.assertIn("encrypt", self.refused("--operation", "encrpyt"))
        self.assertIn("record", self.refused("--mode", "recrod"))
        self.assertIn("oaep", self.refused("--padding", "oeap"))
        self.assertIn("fresh", self.refused("--peer-key", "frehs"))

    def test_size_that_an_algorithm_cannot_take(self):
        line = self.refused("--algorithm", "aes-128-gcm,aes-128-cbc", "--sizes", "16,5")
        self.assertIn("size 5: aes-128-cbc takes", line)

    def test_selection_without_a_cell(self):
        self.assertIn("no cell", self.refused("--algorithm", "sha256", "--operation", "sign"))

    def test_options(self):
        self.refused("--csv", "--markdown")
        self.refused("--cpu", "4000", *SHA256)
        self.refused("--cpu", "first", *SHA256)
        self.refused("--threads", "0")
        self.refused("--cpu-features", "none")
        self.refused("--target", "0%")
        self.refused("--resume", "/nowhere/x.jsonl")

    def test_operand(self):
        result = crypto("sha256")
        self.assertEqual((result.returncode, result.stdout), (2, ""))


class Output(unittest.TestCase):
    """What cannot be written is an error with exit 1, and never a silent short file."""

    def test_unwritable_output_is_found_before_measuring(self):
        # An hour of measured time per cell would not end in the time that this test is given.
        result = tlsmeter("crypto", *SHA256, "--max-time", "3600s", "--target", "0.001%",
                          "--output", "/nowhere/x.jsonl")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("/nowhere/x.jsonl", result.stderr)
        self.assertIn("No such file or directory", result.stderr)

    def test_full_disk(self):
        result = crypto(*SHA256, "--output", "/dev/full")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/dev/full: No space left on device", result.stderr)

    def test_full_standard_output(self):
        with open("/dev/full", "w") as full:
            result = crypto(*SHA256, stdout=full)
        self.assertEqual(result.returncode, 1)
        self.assertIn("No space left on device", result.stderr)

    def test_closed_pipe(self):
        for selection in (SHA256, (*SHA256, "--output", "-")):
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer, "w") as closed:
                result = crypto(*selection, stdout=closed)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("Broken pipe", result.stderr)

    def test_appends(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.jsonl")
            for _ in range(2):
                self.assertEqual(crypto(*SHA256, "--output", path).returncode, 0)
            self.assertEqual([line["record"] for line in lines_of(path)], ["run", "cell"] * 2)
            self.assertEqual(tlsmeter("show", path).returncode, 0)

    def test_results_and_messages_do_not_mix(self):
        result = crypto(*SHA256, "--csv")
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual([(row["algorithm"], row["size_bytes"]) for row in rows], [("sha256", "16")])
        self.assertTrue(result.stderr)
        self.assertEqual(crypto(*SHA256, "--quiet").stderr, "")
        self.assertIn("| sha256 digest |", crypto(*SHA256, "--markdown").stdout)


class Measuring(unittest.TestCase):
    def measured(self, *arguments, code=0):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.jsonl")
            result = crypto("--output", path, *arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            return cells_of(path)

    def test_cell(self):
        cell, = self.measured(*SHA256)
        self.assertEqual(cell["subject"], {"algorithm": "sha256", "operation": "digest",
                                           "mode": "record", "size_bytes": 16, "threads": 1})
        self.assertEqual(cell["implementation"]["library"], "openssl")
        self.assertRegex(cell["implementation"]["version"], r"^\d+\.\d+\.\d+")
        self.assertEqual(cell["checks"]["known_answer"], "passed")
        self.assertEqual(cell["status"], "ok")
        for name in ("wall_ns", "cpu_ns"):
            metric = cell["metrics"][name]
            self.assertLessEqual(metric["min"], metric["median"])
            self.assertLessEqual(metric["median"], metric["max"])
            self.assertGreater(metric["min"], 0)
            self.assertEqual(len(metric["samples"]), min(200, metric["n"]))

    def test_no_samples(self):
        cell, = self.measured(*SHA256, "--no-samples")
        self.assertNotIn("samples", cell["metrics"]["wall_ns"])

    def test_selection(self):
        cells = self.measured("--library", "openssl", "--algorithm", "aes-*-gcm,sha256",
                              "--sizes", "16,1KiB", "--mode", "record,message")
        found = {(c["subject"]["algorithm"], c["subject"]["operation"], c["subject"]["mode"],
                  c["subject"]["size_bytes"]) for c in cells}
        expected = {("sha256", "digest", mode, size)
                    for mode in ("record", "message") for size in (16, 1024)}
        expected |= {(f"aes-{bits}-gcm", operation, mode, size)
                     for bits in (128, 192, 256) for operation in ("encrypt", "decrypt")
                     for mode in ("record", "message") for size in (16, 1024)}
        self.assertEqual(found, expected)
        self.assertEqual(len(cells), len(expected))

    def test_asymmetric(self):
        cells = self.measured("--library", "openssl", "--algorithm", "ecdsa-p256,x25519",
                              "--operation", "verify,derive")
        found = {(c["subject"]["algorithm"], c["subject"]["peer_key"]) for c in cells}
        self.assertEqual(found, {(name, key) for name in ("ecdsa-p256", "x25519")
                                 for key in ("fresh", "known")})
        for cell in cells:
            self.assertNotIn("size_bytes", cell["subject"])

    def test_padding(self):
        cells = self.measured("--library", "openssl", "--algorithm", "rsa-2048",
                              "--operation", "sign", "--padding", "pss")
        self.assertEqual([c["subject"]["padding"] for c in cells], ["pss"])

    def test_null_library_measures_the_harness(self):
        cell, = self.measured("--library", "null", "--algorithm", "sha256", "--sizes", "16")
        self.assertEqual((cell["implementation"]["library"], cell["status"]), ("null", "ok"))
        everything = self.measured("--library", "*", "--algorithm", "sha256", "--sizes", "16")
        self.assertNotIn("null", [c["implementation"]["library"] for c in everything])

    def test_threads(self):
        cell, = self.measured(*SHA256, "--threads", "2")
        self.assertEqual((cell["subject"]["threads"], cell["status"]), (2, "ok"))
        own = cell["metrics"]["thread_wall_ns"]  # of each thread by itself
        self.assertEqual(own["n"], 2)
        self.assertLessEqual(own["min"], own["max"])

    def test_pinned(self):
        cpu = min(os.sched_getaffinity(0))
        cell, = self.measured(*SHA256, "--cpu", str(cpu))
        self.assertEqual((cell["subject"]["cpu"], cell["implementation"]["cpu"]), (cpu, cpu))
        cells = self.measured(*SHA256, "--cpu", "each-cluster")
        self.assertTrue(cells)
        for cell in cells:
            self.assertEqual(cell["subject"]["cpu"], cell["implementation"]["cpu"])

    def test_accounting(self):
        cell, = self.measured(*SHA256, "--accounting")
        for name in ("cpu_user_ns", "cpu_system_ns", "machine_cpu_ns", "machine_cpu_percent"):
            self.assertGreaterEqual(cell["metrics"][name]["median"], 0)
        cell, = self.measured(*SHA256)
        self.assertFalse({"cpu_user_ns", "cpu_system_ns"} & set(cell["metrics"]))

    def test_with_and_without_cpu_features(self):
        both = self.measured(*SHA256, "--cpu-features", "both")
        off = self.measured(*SHA256, "--cpu-features", "off")
        self.assertEqual((len(both), len(off)), (2, 1))
        features = [c["implementation"]["cpu_features"] for c in both]
        self.assertEqual(off[0]["implementation"]["cpu_features"], features[1])
        self.assertFalse({"aes", "sha", "pclmul"} & set(features[1].split(",")), features)
        # One run: the child's cells belong to the run line of the file.
        self.assertEqual(both[0]["run"], both[1]["run"])
        with open("/proc/cpuinfo") as file:
            if "sha_ni" in file.read():
                self.assertNotEqual(features[0], features[1])

    def test_seed_is_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.jsonl")
            crypto(*SHA256, "--output", path, "--seed", "7")
            crypto(*SHA256, "--output", path)
            crypto(*SHA256, "--output", path)
            seeds = [line["seed"] for line in lines_of(path) if line["record"] == "run"]
        self.assertEqual(seeds[0], 7)
        self.assertEqual(len(set(seeds)), 3)
        for seed in seeds:
            self.assertLess(seed, 2 ** 63)


class Unavailable(unittest.TestCase):
    """What a library does not have is a result, and an error only when it was named exactly."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.jsonl")
            cls.by_pattern = crypto("--algorithm", "ml-kem-*,sha256,ed*", "--sizes", "16",
                                    "--output", path)
            cls.cells = [c for c in cells_of(path) if c["status"] == "unavailable"]

    def test_by_pattern_is_no_error(self):
        self.assertEqual(self.by_pattern.returncode, 0, self.by_pattern.stderr)
        self.assertTrue(self.cells, "every library has everything: this test needs another cell")

    def test_carries_a_reason(self):
        for cell in self.cells:
            self.assertTrue(cell["reason"]["text"])
            self.assertEqual(cell["metrics"], {})
            self.assertNotIn("ended", cell)
        self.assertIn(f"unavailable: {self.cells[0]['reason']['text'][:20]}", self.by_pattern.stdout)

    def test_named_exactly_is_an_error(self):
        cell = self.cells[0]
        exact = ("--library", cell["implementation"]["library"],
                 "--algorithm", cell["subject"]["algorithm"])
        result = crypto(*exact)
        self.assertEqual(result.returncode, 1)
        self.assertIn("unavailable", result.stdout)
        pattern = ("--library", exact[1], "--algorithm", exact[3][:-1] + "?")
        self.assertEqual(crypto(*pattern).returncode, 0)


    def test_without_cpu_features(self):
        # null has none to do without: a stand-in for a library that cannot be told.
        exact = ("--algorithm", "sha256", "--sizes", "16", "--cpu-features", "off")
        result = crypto("--library", "null", *exact, "--quiet")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("null without CPU features: unavailable, because", result.stderr)
        self.assertEqual(crypto("--library", "nul?,openssl", *exact).returncode, 0)


class Progress(unittest.TestCase):
    def test_no_progress_bar_without_a_terminal(self):
        result = crypto("--library", "openssl", "--algorithm", "sha*", "--sizes", "16,64")
        self.assertNotIn("\r", result.stderr)
        self.assertNotIn("\x1b", result.stderr + result.stdout)

    def test_default_is_said_and_selects(self):
        result = subprocess.run([TLSMETER, "crypto", *SHORT, "--seed", "1"], capture_output=True,
                                text=True, timeout=240, env=environment(), check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("aes-128-gcm encrypt", result.stdout)
        self.assertIn("Operations per second", result.stdout)


if __name__ == "__main__":
    unittest.main()
