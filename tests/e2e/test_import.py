#!/usr/bin/python3
"""tlsmeter import and check from outside: exit codes, CSV, records, and published logs where they are.

The published logs stand in SHARED_INPUTS or beside the checkout in ../shared/inputs; they are not part
of the project. expected.csv there says what has to be read from them, within 0.1 %.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

TLSMETER = os.environ["TLSMETER"]
SOURCE = os.environ["SOURCE_DIR"]
LOGS = os.path.join(SOURCE, "tests", "import")
INPUTS = os.environ.get("SHARED_INPUTS", os.path.join(SOURCE, "..", "shared", "inputs"))
COLUMNS = ["file", "run", "algorithm", "operation", "size_bytes", "variant", "metric", "printed",
           "value", "status", "flags", "line"]


def run(*arguments, stdin=None):
    return subprocess.run([TLSMETER, *arguments], input=stdin, capture_output=True, text=True,
                          check=False)


def rows(path):
    result = run("import", "--csv", "--quiet", path)
    return list(csv.DictReader(result.stdout.splitlines()))


def near(text, wanted):
    if text == wanted:
        return True
    try:
        return abs(float(text) - float(wanted)) <= 1e-3 * abs(float(wanted))
    except ValueError:
        return False


class Import(unittest.TestCase):
    def test_csv(self):
        result = run("import", "--csv", os.path.join(LOGS, "openssl-1.1.1-software.log"))
        self.assertEqual(result.returncode, 0)
        table = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual(list(table[0]), COLUMNS)
        self.assertEqual({row["status"] for row in table}, {"ok"})
        self.assertIn("run 1: openssl speed OpenSSL 1.1.1k", result.stderr)

    def test_records(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "records.jsonl")
            log = os.path.join(LOGS, "openssl-1.1.1-devcrypto-cpu-time.log")
            result = run("import", "--quiet", "--platform", "board-7", "--output", path, log)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            with open(path, encoding="utf-8") as lines:
                records = [json.loads(line) for line in lines]
        cells = [record for record in records if record["record"] == "cell"]
        self.assertEqual(len(cells), 6)
        self.assertEqual(cells[0]["status"], "salvaged")
        self.assertEqual(cells[0]["flags"], ["cpu-time"])
        self.assertEqual(cells[0]["source"]["line"], 15)
        self.assertEqual(cells[0]["implementation"]["engine"], "devcrypto")
        self.assertEqual(records[0]["machine"]["platform"], "board-7")

    def test_standard_input_and_table(self):
        result = run("import", stdin="type             16 bytes\nmd5              14319.70k\n")
        self.assertEqual(result.returncode, 0)
        self.assertIn("14.3 MB/s", result.stdout)

    def test_unaccounted_numbers(self):
        self.assertEqual(run("import", "--csv", "-", stdin="nothing\n").returncode, 1)
        result = run("import", "--csv", "-", stdin="version: 3.0.9\nmd5 14319.70k 35354.97k 1.00k\n")
        self.assertEqual(result.returncode, 1)

    def test_missing_file(self):
        result = run("import", "--csv", os.path.join(LOGS, "none.log"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("none.log", result.stderr)


class Check(unittest.TestCase):
    def check(self, *arguments):
        return run("check", *[os.path.join(LOGS, a) if a.endswith(".log") else a for a in arguments])

    def test_trust(self):
        result = self.check("openssl-1.0.2-plain.log")
        self.assertEqual(result.returncode, 0)
        self.assertIn("verdict: trust\n", result.stdout)

    def test_care(self):
        result = self.check("openssl-3.0-mr-multi.log")
        self.assertEqual(result.returncode, 0)
        self.assertIn("verdict: trust with care", result.stdout)
        self.assertEqual(self.check("--strict", "openssl-3.0-mr-multi.log").returncode, 3)

    def test_do_not_use(self):
        result = self.check("openssl-1.1.1-devcrypto-cpu-time.log")
        self.assertEqual(result.returncode, 3)
        self.assertIn("verdict: do not use", result.stdout)
        self.assertIn("run instead: openssl speed -elapsed -evp aes-256-cbc", result.stdout)
        self.assertLessEqual(max(len(line) for line in result.stdout.splitlines()), 80)

    def test_no_log(self):
        result = run("check", "-", stdin="hello\n")
        self.assertEqual(result.returncode, 2)
        self.assertIn("openssl speed", result.stderr)

    def test_two_logs(self):
        result = self.check("--software", "openssl-1.1.1-software.log",
                            "--accelerated", "openssl-1.1.1-devcrypto-cpu-time.log")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("Is the hardware used? yes", result.stdout)
        self.assertIn("(between 1024 and 8192)", result.stdout)
        result = self.check("--software", "openssl-1.1.1-software.log",
                            "--accelerated", "openssl-1.1.1-software.log")
        self.assertEqual(result.returncode, 3)
        self.assertIn("Is the hardware used? no", result.stdout)
        self.assertEqual(self.check("--software", "openssl-1.1.1-software.log").returncode, 2)


@unittest.skipUnless(os.path.exists(os.path.join(INPUTS, "expected.csv")), "no published logs here")
class Published(unittest.TestCase):
    def test_expected(self):
        with open(os.path.join(INPUTS, "expected.csv"), encoding="utf-8") as lines:
            expected = list(csv.DictReader(lines))
        read = {}
        for want in expected:
            name = want["file"]
            if name not in read:
                read[name] = rows(os.path.join(INPUTS, name))
            keys = ("algorithm", "operation", "size_bytes", "metric", "status", "flags")
            found = [row for row in read[name] if all(row[key] == want[key] for key in keys)
                     and near(row["printed"], want["printed"]) and near(row["value"], want["value"])]
            self.assertTrue(found, want)

    def test_crossover(self):
        names = os.listdir(INPUTS)
        software = next(name for name in names if name.startswith("22-"))
        accelerated = next(name for name in names if name.startswith("21-"))
        result = run("check", "--software", os.path.join(INPUTS, software),
                     "--accelerated", os.path.join(INPUTS, accelerated))
        self.assertEqual(result.returncode, 0)
        self.assertIn("(between 1024 and 8192)", result.stdout)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)
