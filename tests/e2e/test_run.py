#!/usr/bin/python3
"""tlsmeter run: the default plan, plans of one's own, and what is wrong with a plan."""
import json
import os
import re
import tempfile
import unittest

from program import SOURCE_DIR, cells_of, lines_of, tlsmeter

PLAN = """\
; two jobs
[global]
max-time = 20ms
quick = true
seed = 5

[hashes]
instrument = crypto
algorithm = sha256, sha384
library = openssl
sizes = 16, 1KiB

[signatures]
instrument = crypto
algorithm = ed25519
library = openssl
operation = sign
"""


class Plans(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_plan(self, text, *arguments):
        with open(os.path.join(self.folder, "my.ini"), "w", encoding="utf-8") as file:
            file.write(text)
        return tlsmeter("run", "my.ini", *arguments, cwd=self.folder)

    def records(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".jsonl"))

    def test_own_plan(self):
        result = self.run_plan(PLAN, "--output", "a.jsonl")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("records go to a.jsonl", result.stderr)
        cells = cells_of(os.path.join(self.folder, "a.jsonl"))
        found = sorted((c["subject"]["algorithm"], c["subject"].get("size_bytes", 0)) for c in cells)
        self.assertEqual(found, [("ed25519", 0), ("sha256", 16), ("sha256", 1024), ("sha384", 16),
                                 ("sha384", 1024)])
        self.assertIn("sha384 digest", result.stdout)
        self.assertIn("ed25519 sign", result.stdout)

    def test_file_named_after_host_and_time(self):
        result = self.run_plan(PLAN)
        self.assertEqual(result.returncode, 0, result.stderr)
        name, = self.records()
        self.assertRegex(name, r"^tlsmeter-.+-\d{8}T\d{6}Z\.jsonl$")
        self.assertIn(os.uname().nodename, name)
        self.assertIn("records go to " + name, result.stderr)
        run = lines_of(os.path.join(self.folder, name))[0]
        stamp = re.search(r"(\d{8}T\d{6}Z)", name).group(1)
        self.assertEqual(re.sub(r"[-:]", "", run["started"])[:8], stamp[:8])

    def test_resume(self):
        self.run_plan(PLAN, "--output", "a.jsonl")
        path = os.path.join(self.folder, "a.jsonl")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines[:2] + lines[4:])
        result = self.run_plan(PLAN, "--resume", "a.jsonl")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(lines_of(path)), len(lines) + 1)
        self.assertEqual(self.records(), ["a.jsonl"])

    def test_printed_plan_is_a_plan(self):
        printed = tlsmeter("run", "--print-plan")
        self.assertEqual((printed.returncode, printed.stderr), (0, ""))
        with open(os.path.join(SOURCE_DIR, "data", "plans", "default.ini")) as file:
            self.assertEqual(printed.stdout, file.read())
        shorter, changes = re.subn(r"max-time = \S+", "max-time = 1ms", printed.stdout)
        self.assertEqual(changes, 1)
        result = self.run_plan(shorter, "--output", "a.jsonl")
        self.assertEqual(result.returncode, 0, result.stderr)
        cells = cells_of(os.path.join(self.folder, "a.jsonl"))
        crypto = [c for c in cells if c["instrument"] == "crypto"]
        self.assertLessEqual(len(crypto), 110)
        self.assertIn("x509-ecdsa-p256", {c["subject"]["algorithm"] for c in crypto})
        handshakes = [c for c in cells if c["instrument"] == "handshake"]
        self.assertEqual({c["side"] for c in handshakes}, {"client", "server"})
        configurations = {json.dumps(c["subject"], sort_keys=True) for c in handshakes}
        self.assertEqual(len(configurations), 12)

    def refused(self, text, message):
        result = self.run_plan(text)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(self.records(), [], "nothing is written for a wrong plan")

    def test_unknown_key(self):
        self.refused(PLAN.replace("sizes =", "size ="), "my.ini:11: unknown key size")

    def test_unknown_value(self):
        self.refused(PLAN.replace("1KiB", "1k"), "my.ini:11: sizes:")

    def test_unknown_algorithm_is_found_before_the_first_job_runs(self):
        self.refused(PLAN.replace("ed25519", "ed25591"), "my.ini:13: [signatures]: no algorithm")

    def test_unknown_instrument(self):
        self.refused("[a]\ninstrument = show\n", "my.ini:2: ")

    def test_where_results_go_is_no_part_of_a_plan(self):
        for key in ("output = a.jsonl", "resume = a.jsonl", "csv = true", "markdown = true",
                    "quiet = true", "samples = false"):
            self.refused(PLAN.replace("seed = 5", key), "my.ini:5: " + key.split()[0])
            self.refused(PLAN + key + "\n", "my.ini:18: " + key.split()[0])

    def test_sizes_of_a_plan_that_do_not_fit_are_left_out(self):
        plan = PLAN.replace("sha256, sha384", "sha256, aes-128-cbc").replace("1KiB", "5")
        result = self.run_plan(plan, "--output", "a.jsonl")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("left out", result.stderr)
        cells = cells_of(os.path.join(self.folder, "a.jsonl"))
        self.assertIn(("sha256", 5), {(c["subject"]["algorithm"], c["subject"].get("size_bytes"))
                                      for c in cells})

    def test_sizes_left_out_also_without_cpu_features(self):
        plan = PLAN.replace("sha256, sha384", "sha256, aes-128-cbc").replace("1KiB", "5")
        result = self.run_plan(plan.replace("seed = 5", "cpu-features = off"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_a_plan_names_may_be_unavailable(self):
        result = self.run_plan("[a]\ninstrument = crypto\nlibrary = openssl, mbedtls\n"
                               "algorithm = ed448, ml-kem-768\nmax-time = 20ms\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("unavailable: ", result.stdout)

    def test_unwritable_output(self):
        result = self.run_plan(PLAN, "--output", "/nowhere/a.jsonl")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("/nowhere/a.jsonl", result.stderr)

    def test_no_such_plan(self):
        result = tlsmeter("run", "nowhere.ini")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("nowhere.ini: No such file or directory", result.stderr)


if __name__ == "__main__":
    unittest.main()
