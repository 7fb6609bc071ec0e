#!/usr/bin/python3
"""--resume measures what a file does not hold yet, and only with the same library on the same machine."""
import json
import os
import shutil
import tempfile
import unittest

from program import cells_of, crypto, key_of, lines_of, tlsmeter

SELECTION = ("--algorithm", "sha*,aes-128-gcm,ml-kem-512", "--sizes", "16,1024")


class Resume(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.whole = os.path.join(cls.folder.name, "whole.jsonl")
        crypto(*SELECTION, "--output", cls.whole)
        with open(cls.whole, encoding="utf-8") as file:
            cls.lines = file.readlines()
        assert len(cls.lines) > 10, "too few cells for this test"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def write(self, lines):
        path = os.path.join(self.folder.name, self.id() + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        return path

    def keys(self, cells):
        return sorted(key_of(cell) for cell in cells)

    def resumed(self, path, *selection):
        result = crypto(*(selection or SELECTION), "--resume", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_only_what_is_missing(self):
        path = self.write(self.lines[:3] + self.lines[6:])
        self.resumed(path)
        added = lines_of(path)[len(self.lines) - 3:]
        self.assertEqual([line["record"] for line in added], ["run", "cell", "cell", "cell"])
        self.assertEqual(self.keys(added[1:]),
                         self.keys([json.loads(line) for line in self.lines[3:6]]))
        self.assertEqual({cell["run"] for cell in added[1:]}, {added[0]["run"]})
        self.assertEqual(self.keys(cells_of(path)), self.keys(cells_of(self.whole)))

    def test_nothing_is_missing(self):
        path = self.write(self.lines)
        result = self.resumed(path)
        self.assertEqual(self.keys(cells_of(path)), self.keys(cells_of(self.whole)))
        self.assertIn("nothing", result.stderr)

    def test_torn_last_line_is_measured_again(self):
        path = self.write(self.lines[:-1] + [self.lines[-1][:200]])
        self.resumed(path)
        with open(path, encoding="utf-8") as file:
            text = file.read().splitlines()
        torn = text.pop(len(self.lines) - 1)
        self.assertEqual(torn, self.lines[-1][:200])
        cells = [line for line in map(json.loads, text) if line["record"] == "cell"]
        self.assertEqual(self.keys(cells), self.keys(cells_of(self.whole)))
        self.assertEqual(tlsmeter("show", path).returncode, 0)

    def test_interrupted_cells_are_measured_again(self):
        line = json.loads(next(line for line in self.lines if '"ended"' in line))
        changed = dict(line, ended="interrupted")
        path = self.write([self.lines[0], json.dumps(changed) + "\n"] +
                          [x for x in self.lines[1:] if json.loads(x) != line])
        self.resumed(path)
        self.assertEqual(len(cells_of(path)), len(self.lines))
        self.assertEqual(key_of(cells_of(path)[-1]), key_of(line))

    def test_more_than_the_file_was_made_for(self):
        path = self.write(self.lines)
        self.resumed(path, "--algorithm", "sha256", "--sizes", "16,64")
        added = cells_of(path)[len(self.lines) - 1:]
        self.assertTrue(added)
        self.assertEqual({(c["subject"]["algorithm"], c["subject"]["size_bytes"]) for c in added},
                         {("sha256", 64)})

    def refused(self, lines):
        path = self.write(lines)
        before = shutil.copy(path, path + ".before")
        result = crypto(*SELECTION, "--resume", path)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        with open(path) as now, open(before) as then:
            self.assertEqual(now.read(), then.read(), "a refused file must stay as it is")
        return result.stderr

    def changed(self, change):
        """The first half of the lines, changed as objects."""
        lines = [json.loads(line) for line in self.lines[:len(self.lines) // 2]]
        for line in lines:
            change(line)
        return [json.dumps(line) + "\n" for line in lines]

    def test_other_library_version(self):
        def change(line):
            if line.get("implementation", {}).get("version"):
                line["implementation"]["version"] = "1.0.99"
        self.assertIn("version 1.0.99", self.refused(self.changed(change)))

    def test_other_machine(self):
        def change(line):
            if "machine" in line:
                line["machine"]["identity"] = "another board"
        self.assertIn("another board", self.refused(self.changed(change)))

    def test_no_record_file(self):
        path = self.write(["key = value\n", "key = value\n", "key = value\n"])
        result = crypto(*SELECTION, "--resume", path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(path + ":1", result.stderr)


if __name__ == "__main__":
    unittest.main()
