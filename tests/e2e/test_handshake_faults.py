#!/usr/bin/python3
"""What goes wrong between a client and a server: each fault has its cause in the user's words, keeps the
code of whoever found it, fails the cell, and never hangs or crashes."""
import concurrent.futures
import contextlib
import itertools
import json
import os
import shutil
import socket
import tempfile
import threading
import unittest

from program import cells_of, tlsmeter
from servers import Meddler, Serve, free_port, make_certificate

LIBRARIES = ("mbedtls", "openssl", "wolfssl")
# Flights of a server as a client's library gets them (0: none). In TLS 1.3 OpenSSL offers a key share
# of another group than the server's: its flight 2 is a HelloRetryRequest. wolfSSL's is the server's.
SERVER_FLIGHTS = {
    "tls1.2": {(library, flight) for library in LIBRARIES for flight in (0, 2, 4)},
    "tls1.3": {("openssl", 0), ("openssl", 2), ("openssl", 4), ("wolfssl", 0), ("wolfssl", 2)},
}


def side_by_side(function, cases):
    """Most of these cases wait: they do so together. Each case, and what gives its result or raises."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for case, future in [(case, pool.submit(function, case)) for case in cases]:
            yield case, future.result


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        os.chmod(cls.folder, 0o755)  # a test reads here as another user
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.sound = make_certificate(cls.folder, "sound")
        cls.other = make_certificate(cls.folder, "other")
        cls.expired = make_certificate(cls.folder, "expired", issuer=cls.sound,
                                       last_day="20250201000000Z")
        cls.not_yet = make_certificate(cls.folder, "not_yet", issuer=cls.sound,
                                       first_day="20440101000000Z")

    def reason(self, address, *arguments, library="openssl", protocol="tls1.2", code=1):
        """Of the failed cell; what is printed shows it too."""
        path = os.path.join(tempfile.mkdtemp(dir=self.folder), "out.jsonl")
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
        def reason_of(library):
            return self.reason(address, *arguments, library=library, protocol=protocol)

        # Debian 12's Mbed TLS has no TLS 1.3.
        libraries = [library for library in LIBRARIES if (library, protocol) != ("mbedtls", "tls1.3")]
        for library, find in side_by_side(reason_of, libraries):
            with self.subTest(library=library, address=address):
                reason = find()
                self.assertRegex(reason["text"], expected)
                self.assertIn(reason["origin"], origins or (library,), reason)
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

    def mutual(self, protocol, *arguments, expected):
        """The server judges the client: not one handshake counts on its side."""
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--auth", "mutual", "--ca",
                   self.sound[0], "--protocol", protocol) as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0], *arguments,
                              expected=expected, origins=("peer",), protocol=protocol)
            code, figures = server.end()
            self.assertEqual(code, 0)
            self.assertEqual(json.loads(figures)["handshakes"], 0, figures)

    def test_a_client_certificate_is_demanded(self):
        self.mutual("tls1.2", expected=r"alert 40, handshake_failure: .* misses a certificate")
        self.mutual("tls1.3", expected="refused after the handshake.*alert 116, certificate_required")

    def test_a_client_certificate_is_refused(self):
        for protocol in ("tls1.2", "tls1.3"):
            self.mutual(protocol, "--cert", self.other[0], "--key-file", self.other[1],
                        expected="alert 48, unknown_ca: it does not trust who signed our certificate")


class Files(Faults):
    def refused(self, *arguments, expected, command="serve", **keywords):
        target = ("--tls", str(free_port())) if command == "serve" else ("localhost:1",)
        result = tlsmeter(command, *target, *arguments, **keywords)
        self.assertIn(result.returncode, (1, 2))
        self.assertRegex(result.stderr, expected)
        self.assertEqual(result.stdout, "")

    def test_a_key_of_another_certificate(self):
        self.refused("--cert", self.sound[0], "--key-file", self.expired[1],
                     expected="sound.pem and .*expired.key: key and certificate do not belong together: .+")

    def test_files_that_cannot_be_read(self):
        for missing in (self.sound[0] + ".none", self.folder):
            self.refused("--cert", self.sound[0], "--key-file", missing, expected=missing)
            self.refused("--ca", missing, expected=missing, command="handshake")

    def test_a_key_that_only_another_user_may_read(self):
        locked = os.path.join(self.folder, "locked.key")
        shutil.copy(self.sound[1], locked)
        os.chmod(locked, 0)
        # To the superuser every file is readable.
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            tlsmeter("--version", **other)
        except PermissionError:
            print("\nnot tested: no other user may run the program where it is", flush=True)
            return
        self.refused("--cert", self.sound[0], "--key-file", locked,
                     expected="locked.key: Permission denied", **other)

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
                              expected="alert 70, protocol_version: it does not speak this version",
                              origins=("peer",))

    def test_no_common_version_the_other_way_round(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                   "tls1.2") as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0], protocol="tls1.3",
                              expected="alert 70, protocol_version", origins=("peer",))

    def test_no_common_suite(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", "tls1.2",
                   "--suite", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384") as server:
            self.each_library(f"localhost:{server.port}", "--ca", self.sound[0], "--suite",
                              "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                              expected="alert 40, handshake_failure: it accepts no suite, group",
                              origins=("peer",))

    def test_a_server_without_sessions(self):
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", "tls1.2",
                   "--resumption", "none") as server:
            for library in LIBRARIES:
                reason = self.reason(f"localhost:{server.port}", "--ca", self.sound[0], "--resumption",
                                     "ticket", library=library)
                self.assertRegex(reason["text"], "gave no session to resume|was not resumed")
                self.assertEqual((reason["origin"], reason["code"]), ("tlsmeter", "peer"))


class Breaking(Faults):
    """A peer that closes, talks nonsense or falls silent at each flight."""

    def each_flight(self, action, expected, also, *arguments):
        """`expected`: in the words, by flight. `also`: who may have noticed beside the library."""
        for protocol in ("tls1.2", "tls1.3"):
            with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                       protocol) as server:

                def reason_of(case):
                    with Meddler(server.port, case[1], action) as peer:
                        return self.reason(f"localhost:{peer.port}", "--ca", self.sound[0], *arguments,
                                           library=case[0], protocol=protocol)

                cases = sorted(case for case in SERVER_FLIGHTS[protocol] if case[1] in expected)
                for (library, flight), find in side_by_side(reason_of, cases):
                    with self.subTest(action=action, protocol=protocol, flight=flight,
                                      library=library):
                        reason = find()
                        self.assertRegex(reason["text"], expected[flight])
                        self.assertIn(reason["origin"], (library, *also), reason)
                        self.assertNotIn(reason["code"], ("", "0"), reason)
                self.assertIsNone(server.process.poll())

    def test_closes(self):
        words = "the peer (closed|reset) the connection"
        self.each_flight("close", {0: words, 2: words, 4: words}, ("kernel",))

    def test_closes_on_one_who_does_not_verify(self):
        # OpenSSL keeps its verdict on the certificate, which is not what ended the handshake.
        with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol",
                   "tls1.2") as server, Meddler(server.port, 4, "close") as peer:
            self.each_library(f"localhost:{peer.port}", "--no-verify",
                              expected="^the peer (closed|reset) the connection",
                              origins=(*LIBRARIES, "kernel"))

    def test_garbage(self):
        # The library's verdict stands even when its alert meets a closed connection.
        stranger = "does not speak TLS, its answer begins 03 0a 11 00 .*: .* is no TLS record \\(.+\\)"
        # After a HelloRetryRequest OpenSSL 3.5 judges a record's type before its version.
        later = "^what .* is no TLS record \\(.+\\)|^TLS failed: unexpected message"
        self.each_flight("garbage", {0: stranger, 2: stranger, 4: later}, ())

    def test_silence(self):
        unanswered = "the server never answered the ClientHello within 0.2 s"
        self.each_flight("silence", {0: unanswered, 2: unanswered}, ("tlsmeter",), "--time-out", "200ms")
        # Time enough for the flights before on a machine that is busy.
        self.each_flight("silence", {4: "the handshake did not get on within 1 s"}, ("tlsmeter",),
                         "--time-out", "1s")

    def test_a_client_that_breaks_off(self):
        """What a server counts of one that closes or talks nonsense at any of its flights."""
        for protocol, flights in (("tls1.2", (1, 3)), ("tls1.3", (1, 3, 5))):
            for library in LIBRARIES:
                if (library, protocol) == ("mbedtls", "tls1.3"):
                    continue
                with Serve("--cert", self.sound[0], "--key-file", self.sound[1], "--protocol", protocol,
                           "--library", library) as server:
                    for flight, action in itertools.product(flights, ("garbage", "close")):
                        with self.subTest(protocol=protocol, library=library, flight=flight,
                                          action=action), \
                                Meddler(server.port, flight, action) as peer:
                            result = tlsmeter("handshake", f"localhost:{peer.port}", "--ca",
                                              self.sound[0], "--library", "openssl", "--protocol",
                                              protocol, "--resumption", "none", "--quick", "--max-time",
                                              "1ms", "--time-out", "2s")
                            # In TLS 1.3 the client is done before its last flight is lost.
                            self.assertEqual(result.returncode, 0 if (protocol, flight) ==
                                             ("tls1.3", 5) else 1, result.stdout)
                    server.settle()
                    code, figures = server.end()
                    self.assertEqual(code, 0)
                    counted = json.loads(figures)
                    self.assertEqual(counted["handshakes"], 0, figures)
                    self.assertEqual(counted["open"], 0, figures)
                    self.assertGreaterEqual(sum(counted["failures"].values()), 2 * len(flights) + 1,
                                            figures)
                    self.assertIn("protocol", counted["failures"], figures)

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

    def test_nonsense_in_datagrams(self):
        """DTLS drops what is none of it (RFC 6347 section 4.1.2.7), so that the end is a time-out."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
            peer.bind(("127.0.0.1", 0))

            def answer():
                with contextlib.suppress(OSError):
                    while True:
                        _, sender = peer.recvfrom(4096)
                        for text in (b"", Meddler.GARBAGE, b"\x16\xfe\xfd", b"HTTP/1.1 400 Bad Request"):
                            peer.sendto(text, sender)
            threading.Thread(target=answer, daemon=True).start()
            self.each_library(f"localhost:{peer.getsockname()[1]}", "--no-verify", "--time-out", "1s",
                              protocol="dtls1.2", origins=("tlsmeter",),
                              expected="the handshake did not get on within 1 s")


class Addresses(Faults):
    def test_a_closed_port(self):
        for protocol in ("tls1.2", "dtls1.2"):
            port = free_port(socket.SOCK_DGRAM if protocol == "dtls1.2" else socket.SOCK_STREAM)
            reason = self.reason(f"localhost:{port}", "--no-verify", protocol=protocol)
            self.assertRegex(reason["text"], "cannot connect to 127.0.0.1|nobody listens at the peer's port")
            self.assertRegex(reason["text"], "Connection refused$")
            self.assertEqual((reason["origin"], reason["code"]), ("kernel", "111"))

    def test_no_such_host(self):
        result = tlsmeter("handshake", "no-such-host.invalid:443")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the host no-such-host.invalid cannot be found", result.stderr)

    def test_no_address(self):
        port = "is not a whole number from 1 to 65535"
        for text, expected in (("localhost:0x", port), ("localhost:70000", port), ("localhost:0", port),
                               (":443", "names no host"), ("[::1", "the ] is missing")):
            result = tlsmeter("handshake", text)
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(expected, result.stderr)

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
            self.each_library(f"localhost:{plain.getsockname()[1]}", "--no-verify",
                              expected='does not speak TLS, its answer begins "HTTP/1.1 400 Bad": .*\\(.+\\)')


if __name__ == "__main__":
    unittest.main()
