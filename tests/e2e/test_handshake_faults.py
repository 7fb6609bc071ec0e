#!/usr/bin/python3
"""What goes wrong between a client and a server: each fault has its cause in the user's words, keeps the
code of whoever found it, fails the cell, and never hangs or crashes."""
import os
import shutil
import socket
import tempfile
import threading
import unittest

from program import cells_of, tlsmeter
from servers import Meddler, Serve, free_port, make_certificate

LIBRARIES = ("mbedtls", "openssl", "wolfssl")


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.sound = make_certificate(cls.folder, "sound")
        cls.other = make_certificate(cls.folder, "other")
        cls.expired = make_certificate(cls.folder, "expired", issuer=cls.sound,
                                       last_day="20250201000000Z")
        cls.not_yet = make_certificate(cls.folder, "not_yet", issuer=cls.sound,
                                       first_day="20440101000000Z")

    def reason(self, address, *arguments, library="openssl", protocol="tls1.2", code=1):
        """Of the failed cell; what is printed shows it too."""
        path = os.path.join(self.folder, "out.jsonl")
        if os.path.exists(path):
            os.remove(path)
        result = tlsmeter("handshake", address, "--library", library, "--protocol", protocol, "--quick",
                          "--max-time", "5ms", "--time-out", "2s", "--output", path, *arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        cells = cells_of(path)
        self.assertEqual([cell["status"] for cell in cells], ["failed"], cells)
        self.assertEqual(cells[0]["metrics"], {})
        reason = cells[0]["reason"]
        shown = " ".join((result.stdout + result.stderr).split())
        self.assertIn(reason["text"][:20], shown)
        return reason

    def each_library(self, address, *arguments, expected, origins=None, protocol="tls1.2"):
        for library in LIBRARIES:
            with self.subTest(library=library, address=address):
                reason = self.reason(address, *arguments, library=library, protocol=protocol)
                self.assertRegex(reason["text"], expected)
                self.assertIn(reason["origin"], origins or (library,), reason)
                if reason["origin"] != "tlsmeter":
                    self.assertNotIn(reason["code"], ("", "0"), reason)


class Certificates(Faults):
    def check(self, certificate, trusted, host, expected):
        with Serve("--cert", certificate[0], "--key-file", certificate[1], "--protocol",
                   "tls1.2") as server:
            self.each_library(f"{host}:{server.port}", "--ca", trusted[0], expected=expected)

    def test_expired(self):
        self.check(self.expired, self.sound, "localhost", r"certificate.*it has expired")

    def test_not_yet_valid(self):
        self.check(self.not_yet, self.sound, "localhost", r"certificate.*not yet valid")

    def test_unknown_root(self):
        self.check(self.sound, self.other, "localhost", r"certificate.*no trusted root")

    def test_another_name(self):
        self.check(self.sound, self.sound, "127.0.0.1", r"certificate.*it is for another name")

    def test_verification_can_be_switched_off(self):
        with Serve("--cert", *self.expired[:1], "--key-file", self.expired[1], "--protocol",
                   "tls1.2") as server:
            for library in LIBRARIES:
                result = tlsmeter("handshake", f"127.0.0.1:{server.port}", "--no-verify", "--library",
                                  library, "--protocol", "tls1.2", "--quick", "--max-time", "5ms")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_client_certificate_is_demanded(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--auth", "mutual", "--ca",
                   self.sound[0], "--protocol", "tls1.2") as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0],
                              expected=r"alert \d+, (handshake_failure|bad_certificate)|certificate",
                              origins=("peer",))


class Files(Faults):
    def refused(self, *arguments, expected, command="serve"):
        target = ("--tls", str(free_port())) if command == "serve" else ("localhost:1",)
        result = tlsmeter(command, *target, *arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, expected)
        self.assertEqual(result.stdout, "")

    def test_a_key_of_another_certificate(self):
        self.refused("--cert", self.sound[0], "--key-file", self.expired[1],
                     expected="(?s)sound.pem.*does not (belong|fit)|do not (belong|fit)")

    def test_files_that_cannot_be_read(self):
        for missing in (self.sound[0] + ".none", self.folder):
            self.refused("--cert", self.sound[0], "--key-file", missing, expected=missing)
            self.refused("--ca", missing, expected=missing, command="handshake")
        if os.geteuid() != 0:
            locked = os.path.join(self.folder, "locked.key")
            shutil.copy(self.sound[1], locked)
            os.chmod(locked, 0)
            self.refused("--cert", self.sound[0], "--key-file", locked, expected="Permission denied")

    def test_a_file_that_is_no_key(self):
        text = os.path.join(self.folder, "text")
        with open(text, "w", encoding="utf-8") as file:
            file.write("no PEM at all\n")
        self.refused("--cert", self.sound[0], "--key-file", text, expected="text")
        self.refused("--cert", text, "--key-file", self.sound[1], expected="text")

    def test_one_without_the_other(self):
        self.refused("--cert", self.sound[0], expected="--key-file|key")


class Negotiation(Faults):
    def test_no_common_version(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                   "tls1.3") as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0],
                              expected=r"alert 70, protocol_version|version", origins=("peer",))

    def test_no_common_suite(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", "tls1.2",
                   "--suite", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384") as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0], "--suite",
                              "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                              expected=r"alert 40, handshake_failure", origins=("peer",))

    def test_a_server_without_sessions(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", "tls1.2",
                   "--resumption", "none") as server:
            for library in LIBRARIES:
                reason = self.reason(f"localhost:{server.port}", "--ca", self.sound[0], "--resumption",
                                     "ticket", library=library)
                self.assertRegex(reason["text"], "session|resumed")


class Breaking(Faults):
    """A peer that closes, talks nonsense or falls silent at each flight."""

    def each_flight(self, action, expected):
        for protocol, flights in (("tls1.2", (0, 2, 4)), ("tls1.3", (0, 2))):
            with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                       protocol) as server:
                for flight in flights:
                    for library in LIBRARIES:
                        if (library, protocol) == ("mbedtls", "tls1.3"):
                            continue
                        with self.subTest(action=action, protocol=protocol, flight=flight,
                                          library=library), \
                                Meddler(server.port, flight, action) as peer:
                            reason = self.reason(f"localhost:{peer.port}", "--ca", self.sound[0],
                                                 library=library, protocol=protocol)
                            self.assertRegex(reason["text"], expected)
                self.assertIsNone(server.process.poll())

    def test_closes(self):
        self.each_flight("close", r"closed|reset")

    def test_garbage(self):
        self.each_flight("garbage", r"TLS|record|malformed|closed|reset|alert|message|version|protocol")

    def test_garbage_for_the_server(self):
        for protocol, flights in (("tls1.2", (1, 3)), ("tls1.3", (1, 3))):
            for library in LIBRARIES:
                if (library, protocol) == ("mbedtls", "tls1.3"):
                    continue
                with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", protocol,
                           "--library", library) as server:
                    for flight in flights:
                        with self.subTest(protocol=protocol, library=library, flight=flight), \
                                Meddler(server.port, flight, "garbage") as peer:
                            tlsmeter("handshake", f"localhost:{peer.port}", "--ca", self.sound[0],
                                     "--library", "openssl", "--protocol", protocol, "--quick",
                                     "--max-time", "1ms", "--time-out", "2s")
                    code, figures = server.end()
                    self.assertEqual(code, 0)
                    self.assertRegex(figures, r'"failures": ?\{"')

    def test_never_answers(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            for library in LIBRARIES:
                reason = self.reason(f"localhost:{silent.getsockname()[1]}", "--no-verify",
                                     "--time-out", "200ms", library=library)
                self.assertRegex(reason["text"], "never answered .* within 0.2 s")

    def test_never_answers_a_datagram(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            reason = self.reason(f"localhost:{silent.getsockname()[1]}", "--no-verify", "--time-out",
                                 "200ms", protocol="dtls1.2")
            self.assertRegex(reason["text"], "never answered .* within 0.2 s")

    def test_falls_silent(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                   "tls1.2") as server, Meddler(server.port, 4, "silence") as peer:
            reason = self.reason(f"localhost:{peer.port}", "--ca", self.sound[0], "--time-out", "300ms")
            self.assertRegex(reason["text"], "did not get on within 0.3 s")


class Addresses(Faults):
    def test_a_closed_port(self):
        for protocol in ("tls1.2", "dtls1.2"):
            port = free_port(socket.SOCK_DGRAM if protocol == "dtls1.2" else socket.SOCK_STREAM)
            reason = self.reason(f"localhost:{port}", "--no-verify", protocol=protocol)
            self.assertRegex(reason["text"], "refused")
            self.assertEqual((reason["origin"], reason["code"]), ("kernel", "111"))

    def test_no_such_host(self):
        result = tlsmeter("handshake", "no-such-host.invalid:443")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no-such-host.invalid", result.stderr)

    def test_no_address(self):
        for text in ("localhost:0x", "localhost:70000", "localhost:0", ":443", "[::1"):
            result = tlsmeter("handshake", text)
            self.assertIn(result.returncode, (1, 2), text)
            self.assertNotEqual(result.stderr, "")

    def test_a_server_that_is_none_of_tls(self):
        with socket.create_server(("127.0.0.1", 0)) as plain:
            def answer():
                try:
                    while True:
                        connection, _ = plain.accept()
                        connection.recv(4096)
                        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                        connection.close()
                except OSError:
                    pass
            threading.Thread(target=answer, daemon=True).start()
            for library in LIBRARIES:
                reason = self.reason(f"localhost:{plain.getsockname()[1]}", "--no-verify",
                                     library=library)
                self.assertRegex(reason["text"], "(?i)HTTP|TLS|record|version")


if __name__ == "__main__":
    unittest.main()
