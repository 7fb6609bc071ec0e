#!/usr/bin/python3
"""tlsmeter list: what can be measured here, and what cannot, because ..."""
import csv
import io
import os
import re
import tempfile
import unittest

from program import cells_of, crypto, tlsmeter


def suite_has(suite, cipher):
    """TLS_..._AES_128_CCM_8 has aes-128-ccm-8, and not aes-128-ccm."""
    words = suite.lower().replace("_", "-")
    ending = words.split("with-")[-1].removeprefix("tls-")
    ending = ending.removesuffix("-sha384")
    if not cipher.endswith("sha256"):
        ending = ending.removesuffix("-sha256")
    return ending == cipher


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

    def test_tls_is_true(self):
        """Every yes and no of the TLS part against a handshake that is really tried."""
        rows = list(csv.DictReader(io.StringIO(listed("tls", "--csv").stdout)))
        said = {(row["kind"], row["TLS"], library): row[library].split()
                for row in rows for library in ("openssl", "mbedtls", "wolfssl")}
        marks = {"tls1.2": "1.2", "tls1.3": "1.3", "dtls1.2": "d1.2"}
        options = {"cipher": ("suite", []), "group": ("group", []), "key": ("key", [])}
        for section, (option, names) in options.items():
            names += [name for part, name, library in said if part == section and library == "openssl"]
            slow = re.compile("rsa-[34]|ffdhe[34]|p?384|512r1|521")  # and alike for every library
            names[:] = [name for name in names if not slow.search(name)]
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "out.jsonl")
                tlsmeter("handshake", "--protocol", ",".join(marks), f"--{option}",
                         ",".join(names), "--max-time", "1ms", "--quiet", "--output", path)
                cells = cells_of(path)
            seen = {}
            for cell in cells:
                subject = cell["subject"]
                name = subject[option]
                if option == "suite":
                    name = next(cipher for cipher in names if suite_has(subject["suite"], cipher))
                key = (section, name, cell["implementation"]["library"], subject["protocol"])
                self.assertIn(cell["status"], ("ok", "unavailable"), cell)
                seen[key] = seen.get(key, False) or cell["status"] == "ok"
            self.assertGreater(len(seen), 3 * len(names) * 3 // 2)
            for (part, name, library, protocol), good in seen.items():
                self.assertEqual(good, marks[protocol] in said[part, name, library],
                                 (part, name, library, protocol))

    def test_forms(self):
        self.assertIn("| aes-128-gcm", listed("--markdown").stdout)
        self.assertEqual(listed("--csv", "--markdown").returncode, 2)
        self.assertEqual(listed("nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
