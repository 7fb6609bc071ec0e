#!/usr/bin/python3
"""tlsmeter list: what can be measured here, and what cannot, because ..."""
import csv
import io
import unittest

from program import crypto, tlsmeter


def listed(*arguments):
    return tlsmeter("list", *arguments)


class List(unittest.TestCase):
    def rows(self):
        result = listed("--csv")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def test_every_library_answers_for_every_algorithm(self):
        rows = self.rows()
        names = [row["algorithm"] for row in rows]
        self.assertEqual(len(names), len(set(names)))
        for name in ("aes-128-gcm", "aes-128-cmac", "ecdsa-brainpoolp256r1", "ml-kem-768"):
            self.assertIn(name, names)
        for row in rows:
            answers = {row[library] for library in ("openssl", "mbedtls", "wolfssl")}
            self.assertLessEqual(answers, {"yes", "-"}, row)

    def test_a_no_has_its_reason(self):
        text = listed().stdout
        for row in self.rows():
            for library in ("openssl", "mbedtls", "wolfssl"):
                if row[library] == "-":
                    self.assertTrue(f"- {library}: " in text or "built without" in text,
                                    (library, row["algorithm"]))

    def test_what_is_listed_can_be_measured(self):
        """One algorithm that a library has, and one that it has not."""
        for row in self.rows():
            if row["algorithm"] not in ("sha256", "ed25519"):
                continue
            for library in ("openssl", "mbedtls", "wolfssl"):
                result = crypto("--library", library, "--algorithm", row["algorithm"],
                                "--operation", "digest,sign", "--sizes", "16", "--quiet")
                self.assertEqual(result.returncode, 0 if row[library] == "yes" else 1,
                                 (library, row, result.stderr))

    def test_forms(self):
        self.assertIn("| aes-128-gcm", listed("--markdown").stdout)
        self.assertEqual(listed("--csv", "--markdown").returncode, 2)
        self.assertEqual(listed("nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
