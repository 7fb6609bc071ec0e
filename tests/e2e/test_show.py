#!/usr/bin/python3
"""tlsmeter show: the tables of a small record file whose figures are computed by hand
(16 bytes in 800 ns are 20.0 MB/s, 1024 in 1024 ns are 1000, 125 µs are 8000 per second), and what
becomes of files that are torn, wrong or not there."""
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

TLSMETER = os.environ["TLSMETER"]
RECORDS = os.path.join(os.environ["SOURCE_DIR"], "tests", "golden", "show.jsonl")

TABLES = """\
Example Cortex-A53, 4 cores, governor performance, Linux 6.1.0; tlsmeter 0.1.0

MB/s, record mode: as TLS, one key, a new nonce and a tag for each message
                  16 B   1 KiB        ±
aes-128-gcm encrypt
  mbedtls 2.28.3  12.5¹    125   0.50 %
  openssl 3.0.22  20.0    1000*  0.25 %

Operations per second
                  operations  time each  99 % within       ±
ecdsa-p256 sign
  mbedtls 2.28.3  unavailable: this build has no curve P-256
  openssl 3.0.22    8.00 k/s     125 µs       140 µs  0.50 %

"""


def show(*arguments, stdin="", columns="80"):
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    env["COLUMNS"] = columns
    return subprocess.run([TLSMETER, "show", *arguments], input=stdin, capture_output=True,
                          text=True, env=env, timeout=60, check=False)


class Tables(unittest.TestCase):
    def test_golden(self):
        result = show(RECORDS)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith(TABLES), result.stdout)
        below = result.stdout[len(TABLES):]
        self.assertRegex(below, r"^¹ noisy: .+; .+")
        self.assertIn("*: the best", below)

    def test_the_machine_is_the_one_that_machine_records(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "m.jsonl")
            subprocess.run([TLSMETER, "machine", "--quiet", "--output", path], check=True,
                           stdout=subprocess.DEVNULL)
            with open(path) as file:
                run = json.loads(file.readline())["run"]
            with open(RECORDS) as file:
                cells = [line.replace('"01a"', json.dumps(run)) for line in file][1:]
            with open(path, "a") as file:
                file.writelines(cells)
            line = show(path, columns="500").stdout.splitlines()[0]
            self.assertIn("Linux " + os.uname().release, line)
            self.assertRegex(line, r"\d+ cores")

    def test_quiet_is_tables_and_marks(self):
        tables = TABLES.split("\n\n", 1)[1]
        self.assertEqual(show("--quiet", RECORDS).stdout, tables + "¹ noisy\n")

    def test_widths(self):
        for columns in (60, 80, 120):
            for line in show(RECORDS, columns=str(columns)).stdout.splitlines():
                self.assertLessEqual(len(line), columns, line)

    def test_standard_input_and_several_files(self):
        with open(RECORDS) as file:
            text = file.read()
        self.assertEqual(show("-", stdin=text).stdout, show(RECORDS).stdout)
        # The same machine twice is one machine; the same cells twice are all kept.
        twice = show(RECORDS, RECORDS).stdout
        self.assertEqual(twice.count("Cortex-A53"), 1)
        self.assertEqual(twice.count("20.0"), 2)

    def test_selection(self):
        only = show("--algorithm", "aes-*", "--library", "openssl", RECORDS).stdout
        self.assertIn("openssl 3.0.22", only)
        self.assertNotIn("mbedtls", only)
        self.assertNotIn("ecdsa", only)
        none = show("--algorithm", "sha256", RECORDS)
        self.assertEqual((none.returncode, none.stdout), (1, ""))
        self.assertIn("none of the 6 cells is selected", none.stderr)


class Formats(unittest.TestCase):
    def test_csv(self):
        result = show("--csv", RECORDS)
        self.assertEqual(result.returncode, 0)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual(len(rows), 6)
        found = {(r["algorithm"], r["size_bytes"], r["library"]): r for r in rows}
        openssl = found["aes-128-gcm", "16", "openssl"]
        self.assertEqual(float(openssl["bytes_per_s"]), 20e6)
        self.assertEqual(float(openssl["operations_per_s"]), 1.25e6)
        self.assertEqual((openssl["metric"], openssl["value"]), ("wall_ns", "800"))
        self.assertEqual((openssl["ci95_low"], openssl["ci95_high"]), ("798", "802"))
        self.assertEqual(found["aes-128-gcm", "16", "mbedtls"]["flags"], "noisy")
        absent = found["ecdsa-p256", "", "mbedtls"]
        self.assertEqual(absent["status"], "unavailable")
        self.assertEqual(absent["reason"], "this build has no curve P-256")
        self.assertEqual(absent["value"] + absent["operations_per_s"], "")

    def test_documentation_names_the_columns(self):
        header = show("--csv", RECORDS).stdout.splitlines()[0].split(",")
        with open(os.path.join(os.environ["SOURCE_DIR"], "docs", "reading-results.md")) as file:
            rows = [line.split("|")[1] for line in file if line.startswith("| ")][1:]
        documented = [name.strip() for row in rows for name in row.split(",")]
        self.assertEqual(documented, header)

    def test_markdown(self):
        text = show("--markdown", RECORDS).stdout
        self.assertIn("| | 16 B | 1 KiB | ± |\n|:---|---:|---:|---:|\n"
                      "| **aes-128-gcm encrypt** | | | |\n"
                      "| mbedtls 2.28.3 | 12.5¹ | 125 | 0.50 % |\n"
                      "| openssl 3.0.22 | 20.0 | **1000** | 0.25 % |\n", text)

    def test_not_both(self):
        result = show("--csv", "--markdown", RECORDS)
        self.assertEqual((result.returncode, result.stdout), (2, ""))


class Damage(unittest.TestCase):
    def test_torn_last_line(self):
        with open(RECORDS) as file:
            text = file.read()
        result = show("-", stdin=text + text.splitlines()[1][:100])
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.startswith(TABLES))
        self.assertIn("torn lines, left out: 1", result.stderr)

    def test_a_line_that_is_no_record(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write('{"record":"other"}\nnonsense\n{"record":"other"}\n')
            file.flush()
            result = show(file.name)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(file.name + ":2", result.stderr)

    def test_nothing_to_show(self):
        result = show("/nowhere/x.jsonl")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/x.jsonl: No such file or directory", result.stderr)
        result = show("-", stdin="")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no measurement in these files", result.stderr)


if __name__ == "__main__":
    unittest.main()
