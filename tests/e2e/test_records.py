#!/usr/bin/python3
"""Real records against docs/record.schema.json; docs/flags.md and docs/vocabulary.md against the program."""
import csv
import io
import json
import os
import re
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import SOURCE_DIR, crypto, lines_of, tlsmeter

SPEED_LOG = """\
OpenSSL 1.1.1
Doing aes-128-cbc for 3s on 16 size blocks: 30000000 aes-128-cbc's in 2.99s
Doing aes-128-cbc for 3s on 64 size blocks: 0 aes-128-cbc's in 0.00s
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes
aes-128-cbc     160535.12k        inf
"""


def page(name):
    with open(os.path.join(SOURCE_DIR, "docs", name), encoding="utf-8") as file:
        return file.read()


def rows_of(text):
    return [[cell.strip() for cell in line.strip("|\n").split("|")]
            for line in text.splitlines() if line.startswith("| ")]


@unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads(page("record.schema.json"))
        cls.kind = jsonschema.validators.validator_for(schema)
        cls.kind.check_schema(schema)
        cls.validator = cls.kind(schema)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.jsonl")
        self.log = os.path.join(folder.name, "speed.log")

    def valid(self):
        lines = lines_of(self.path)
        for line in lines:
            errors = [f"{error.json_path}: {error.message[:300]}"
                      for error in self.validator.iter_errors(line)]
            for error in list(self.validator.iter_errors(line)):
                errors += [f"{e.json_path}: {e.message[:300]}" for e in error.context or []]
            self.assertEqual(errors, [], line["record"])
        return lines

    def test_crypto(self):
        crypto("--algorithm", "aes-128-gcm,sha256,hkdf*,random,ecdsa-p256,ml-*,x509*,ed448",
               "--sizes", "16", "--output", self.path, "--max-time", "5ms",
               "--operation", "encrypt,digest,sign,verify,parse,encaps")
        crypto("--library", "openssl", "--algorithm", "rsa-2048,x25519", "--cpu", "0",
               "--cpu-features", "both", "--threads", "2", "--no-samples", "--output", self.path)
        crypto("--library", "openssl", "--algorithm", "sha256", "--sizes", "16", "--accounting",
               "--output", self.path)
        lines = self.valid()
        self.assertEqual({line.get("status") for line in lines}, {None, "ok", "unavailable"})

    def test_machine(self):
        tlsmeter("machine", "--output", self.path)
        self.assertEqual(self.valid()[0]["record"], "run")

    def test_import(self):
        with open(self.log, "w", encoding="utf-8") as file:
            file.write(SPEED_LOG)
        tlsmeter("import", self.log, "--output", self.path)
        self.assertIn("cell", {line["record"] for line in self.valid()})

    def test_schema_refuses(self):
        crypto("--library", "openssl", "--algorithm", "sha256", "--sizes", "16",
               "--output", self.path)
        run, cell = lines_of(self.path)
        for line, changes in ((run, {"started": "yesterday"}), (run, {"seed": 2 ** 53}),
                              (cell, {"status": "fine"}), (cell, {"run": "1"}),
                              (cell, {"status": "unavailable"}), (cell, {"surprise": 1}),
                              (cell, {"metrics": {"wall_ns": {"median": "1"}}}),
                              (cell, {"flags": ["noisy", "noisy"]}), (cell, {"schema": 2})):
            self.assertTrue(self.validator.is_valid(line))
            self.assertFalse(self.validator.is_valid({**line, **changes}), changes)


class Lists(unittest.TestCase):
    def test_flags(self):
        with open(os.path.join(SOURCE_DIR, "src", "record", "flag.c"), encoding="utf-8") as file:
            table = re.search(r"flags\[\] = \{(.*?)\n\};", file.read(), re.S).group(1)
        known = [re.findall(r'"((?:[^"\\]|\\.)*)"', row)
                 for row in re.findall(r"\{(.*?)\}", table, re.S)]
        self.assertGreater(len(known), 20)
        documented = [[row[0].strip("`"), *row[1:]] for row in rows_of(page("flags.md"))
                      if row[0].startswith("`")]
        self.assertEqual(documented, known)

    def test_every_flag_used_is_in_the_list(self):
        documented = {row[0].strip("`") for row in rows_of(page("flags.md"))}
        used = set()
        for folder, _, names in os.walk(os.path.join(SOURCE_DIR, "src")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    used |= set(re.findall(r'cell_flag\([^,]+, "([^"]+)"\)', file.read()))
        self.assertTrue(used)
        self.assertEqual(used - documented, set())

    def test_algorithms_and_operations(self):
        listed = {row["algorithm"]: set(row["operations"].split(", "))
                  for row in csv.DictReader(io.StringIO(tlsmeter("list", "--csv").stdout))}
        documented = {}
        for row in rows_of(page("vocabulary.md")):
            if len(row) == 2 and row[0].startswith("`"):
                for name in re.findall(r"`([^`]+)`", row[0]):
                    documented[name] = set(row[1].split(", "))
        self.assertEqual(documented, listed)

    def test_modes_and_paddings(self):
        values = {row[0]: set(re.findall(r"`([^`]+)`", row[1]))
                  for row in rows_of(page("vocabulary.md")) if not row[0].startswith("`")}
        for option, field in (("--mode", "mode"), ("--padding", "padding"),
                              ("--peer-key", "peer_key")):
            for value in values[field]:
                message = tlsmeter("crypto", option, value, "--algorithm", "nothing-of-this-name")
                self.assertIn("no algorithm", message.stderr, f"{option} {value}")


if __name__ == "__main__":
    unittest.main()
