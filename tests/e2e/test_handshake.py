#!/usr/bin/python3
"""tlsmeter handshake in ordinary use: over memory, over the loopback, against tlsmeter serve, nginx and
openssl; and other clients against tlsmeter serve."""
import csv
import importlib.util
import io
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from program import SANITIZED, SOURCE_DIR, TLSMETER, cells_of, environment, faults_of, key_of, tlsmeter
from servers import Serve, free_port, make_certificate, nginx, program

QUICK = ("--quick", "--max-time", "10ms")
LIBRARIES = ("mbedtls", "openssl", "wolfssl")


class Handshake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec("jsonschema") is None:
            print("\nrecords are not validated: python3-jsonschema is not installed", flush=True)

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "out.jsonl")

    def measure(self, *arguments, code=0):
        """The cells of a run."""
        if os.path.exists(self.path):
            os.remove(self.path)
        result = tlsmeter("handshake", *QUICK, "--output", self.path, *arguments)
        self.assertEqual(result.returncode, code, (arguments, result.stderr, result.stdout))
        self.assertIn(faults_of(self.path), (None, []))
        return cells_of(self.path)

    def good(self, cells):
        for cell in cells:
            self.assertEqual(cell["status"], "ok", cell.get("reason"))
        return cells


class Memory(Handshake):
    def test_a_matrix_has_every_combination_on_both_sides(self):
        cells = self.good(self.measure("--library", "openssl,wolfssl", "--protocol", "tls1.2,tls1.3",
                                       "--key", "ecdsa-p256,ecdsa-p384", "--resumption", "none,ticket"))
        self.assertEqual(len({key_of(cell) for cell in cells}), 2 * 2 * 2 * 2 * 2)
        self.assertEqual(len(cells), 32)
        for cell in cells:
            for metric in ("cpu_ns", "bytes_sent", "bytes_received", "heap_peak_bytes",
                           "heap_allocations", "heap_idle_bytes", "flights", "round_trips"):
                if "heap" not in metric or "heap" not in cell["checks"]:
                    self.assertGreater(cell["metrics"][metric]["median"], 0, metric)
            self.assertEqual(cell["checks"]["resumed"], cell["subject"]["resumption"] == "ticket")

    def test_what_one_side_sends_the_other_receives(self):
        sides = {cell["side"]: cell["metrics"] for cell in
                 self.good(self.measure("--library", "openssl", "--protocol", "tls1.2", "--key",
                                        "rsa-2048"))}
        self.assertEqual(sides["client"]["bytes_sent"]["median"],
                         sides["server"]["bytes_received"]["median"])
        self.assertEqual(sides["server"]["bytes_sent"]["median"],
                         sides["client"]["bytes_received"]["median"])

    def test_libraries_are_crossed(self):
        cells = self.good(self.measure("--client-library", "openssl", "--server-library", "*",
                                       "--protocol", "tls1.2"))
        peers = {cell["subject"].get("peer_library", cell["implementation"]["library"])
                 for cell in cells if cell["side"] == "client"}
        self.assertEqual(peers, set(LIBRARIES))

    def test_what_cannot_exist_is_refused_with_the_reason(self):
        result = tlsmeter("handshake", "--protocol", "tls1.3", "--kx", "rsa")
        self.assertEqual(result.returncode, 2)
        self.assertIn("TLS 1.3 has no such key exchange", result.stderr)
        result = tlsmeter("handshake", "--protocol", "tls1.2", "--suite", "TLS_AES_128_GCM_SHA256")
        self.assertEqual(result.returncode, 2)
        result = tlsmeter("handshake", "--suite", "TLS_ROT13")
        self.assertEqual(result.returncode, 2)
        self.assertIn("TLS_ROT13", result.stderr)

    def test_what_a_library_lacks_is_unavailable(self):
        cells = self.measure("--library", "mbedtls", "--key", "ed25519", "--protocol", "tls1.2", code=1)
        self.assertEqual({cell["status"] for cell in cells}, {"unavailable"})
        self.assertIn("Ed25519", cells[0]["reason"]["text"])

    def test_a_trace_explains_a_side(self):
        # The wall times of a run are scattered; counts and names are not.
        cells = self.good(self.measure("--library", ",".join(LIBRARIES), "--protocol", "tls1.2",
                                       "--trace"))
        for cell in cells:
            if "trace" in cell["checks"]:
                continue  # a sanitizer or a static build has none, and says so
            signs = sum(value["median"] for name, value in cell["metrics"].items()
                        if name.startswith("count/") and name.endswith("ecdsa-p256 sign"))
            self.assertAlmostEqual(signs, 1 if cell["side"] == "server" else 0)
            named = sum(value["median"] for name, value in cell["metrics"].items()
                        if name.startswith("self_ns/"))
            whole = cell["metrics"]["traced_ns"]["median"]
            self.assertAlmostEqual(named + cell["metrics"]["unattributed_ns"]["median"], whole,
                                   delta=1e-6 * whole)

    def test_forms(self):
        arguments = ("handshake", *QUICK, "--library", ",".join(LIBRARIES), "--protocol", "tls1.2")
        for columns in (80, 120):
            variables = dict(environment(), COLUMNS=str(columns))
            text = tlsmeter(*arguments, env=variables).stdout
            self.assertLessEqual(max(len(line) for line in text.splitlines()), columns)
            self.assertIn("per core", text)
            self.assertNotIn("\x1b", text)
            for library in LIBRARIES:
                self.assertRegex(text, rf"(?m)^ +{library} \d")
        rows = list(csv.DictReader(io.StringIO(tlsmeter(*arguments, "--csv").stdout)))
        self.assertEqual([row["side"] for row in rows], ["client", "server"] * 3)
        self.assertRegex(tlsmeter(*arguments, "--markdown").stdout, r"(?m)^\| +openssl .*\|$")

    def test_early_data_is_accepted(self):
        cells = self.good(self.measure("--library", "openssl", "--protocol", "tls1.3", "--resumption",
                                       "ticket", "--early-data", "500"))
        for cell in cells:
            self.assertIn("replayable", cell["flags"])
            self.assertEqual(cell["subject"]["early_data_bytes"], 500)


class Network(Handshake):
    def test_over_the_loopback(self):
        cells = self.measure("--over", "loopback", "--library", ",".join(LIBRARIES), "--protocol",
                             "tls1.2,dtls1.2", "--resumption", "none,ticket")
        for cell in self.good(cells):
            self.assertEqual(cell["subject"]["over"], "loopback")
            if cell["side"] == "client":
                parts = [cell["metrics"][name]["median"] for name in ("compute_ns", "wait_ns")]
                self.assertTrue(all(part > 0 for part in parts))
            self.assertEqual(cell["checks"]["resumed"], cell["subject"]["resumption"] == "ticket")
        self.assertEqual(len(cells), 3 * 2 * 2 * 2)

    def test_against_serve(self):
        for library in LIBRARIES:
            with Serve("--library", library, "--protocol", "tls1.2") as server:
                cells = self.good(self.measure(f"localhost:{server.port}", "--ca", server.root,
                                               "--library", ",".join(LIBRARIES), "--protocol",
                                               "tls1.2", "--resumption", "none,ticket"))
                self.assertEqual(len(cells), 6)
                code, figures = server.end()
                self.assertEqual(code, 0)
                # That sessions were resumed is what the server says, too.
                counted = json.loads(figures)
                self.assertEqual(counted["failures"], {})
                self.assertGreaterEqual(counted["resumed"], 3)
                self.assertGreaterEqual(counted["handshakes"] - counted["resumed"], 3)

    def test_datagrams_against_serve(self):
        for library in LIBRARIES:
            with Serve("--library", library, "--protocol", "dtls1.2", service="dtls") as server:
                cells = self.measure(f"localhost:{server.port}", "--ca", server.root, "--library",
                                     ",".join(LIBRARIES), "--protocol", "dtls1.2")
                self.assertEqual(len(self.good(cells)), 3)
                code, figures = server.end()
                self.assertEqual(code, 0)
                self.assertGreaterEqual(json.loads(figures)["handshakes"], 3)

    def test_mutual_with_files(self):
        certificate, key = make_certificate(self.folder, "both")
        with Serve("--protocol", "tls1.3", "--auth", "mutual", "--cert", certificate, "--key-file",
                   key, "--ca", certificate) as server:
            address = f"localhost:{server.port}"
            self.good(self.measure(address, "--ca", certificate, "--cert", certificate, "--key-file",
                                   key, "--library", "openssl", "--protocol", "tls1.3"))

    def test_against_nginx(self):
        certificate, key = make_certificate(self.folder, "nginx")
        port = free_port()
        lines = (f"listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; "
                 f"ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:s:1m;")
        with nginx(self.folder, lines, port):
            address = f"localhost:{port}"
            cells = self.measure(address, "--ca", certificate, "--library", ",".join(LIBRARIES),
                                 "--protocol", "tls1.2", "--resumption", "none,ticket,session-id")
            self.assertEqual(len(self.good(cells)), 9)
            self.good(self.measure(address, "--ca", certificate, "--library", "openssl,wolfssl",
                                   "--protocol", "tls1.3", "--resumption", "none,ticket"))
            load = self.good(self.measure(address, "--ca", certificate, "--library", "openssl",
                                          "--protocol", "tls1.3", "--connections", "4", "--duration",
                                          "200ms", "--get", "/"))
            self.assertGreater(load[0]["metrics"]["handshakes_per_s"]["median"], 1)
            self.assertEqual(load[0]["checks"].get("failed", 0), 0)

    def test_against_openssl(self):
        certificate, key = make_certificate(self.folder, "s_server")
        for option, protocol in (("-tls1_2", "tls1.2"), ("-tls1_3", "tls1.3")):
            port = free_port()
            with program("openssl", "s_server", "-accept", str(port), "-cert", certificate, "-key", key,
                         option, "-quiet", port=port):
                libraries = LIBRARIES if protocol == "tls1.2" else ("openssl", "wolfssl")
                cells = self.measure(f"localhost:{port}", "--ca", certificate, "--library",
                                     ",".join(libraries), "--protocol", protocol)
                self.assertEqual(len(self.good(cells)), len(libraries))
                for cell in cells:
                    self.assertEqual(cell["checks"]["negotiated_protocol"], protocol)

    def test_openssl_against_serve(self):
        for library in LIBRARIES:
            with Serve("--library", library, "--protocol", "tls1.2") as server:
                result = subprocess.run(
                    ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile",
                     server.root, "-verify_return_error", "-servername", "localhost"],
                    input="Q\n", text=True, capture_output=True, timeout=30, check=False)
                self.assertIn("Verify return code: 0 (ok)", result.stdout)
                self.assertIn("TLSv1.2", result.stdout)


class Valgrind(unittest.TestCase):
    def test_one_handshake_of_each_library(self):
        missing = "AddressSanitizer and valgrind exclude each other" if SANITIZED else \
            "valgrind is not installed" if shutil.which("valgrind") is None else None
        if missing is not None:
            print(f"\nnot under valgrind: {missing}", flush=True)
            self.skipTest(missing)
        # The program's own malloc forwards to the C library's: valgrind shall replace neither.
        running = [subprocess.Popen(
            ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full",
             f"--suppressions={SOURCE_DIR}/tests/e2e/valgrind.supp", "--soname-synonyms=somalloc=NONE",
             TLSMETER, "handshake", "--library", library, "--protocol", "tls1.2", "--quick", "--max-time",
             "1ms", "--quiet"],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=environment()) for library in LIBRARIES]
        for library, process in zip(LIBRARIES, running):
            with self.subTest(library=library):
                said = process.communicate(timeout=300)[1]
                self.assertEqual(process.returncode, 0, said)


if __name__ == "__main__":
    unittest.main()
