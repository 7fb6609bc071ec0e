#!/usr/bin/python3
"""tlsmeter http in ordinary use and against servers that fail it in every phase."""
import csv
import io
import os
import shutil
import socket
import socketserver
import tempfile
import threading
import unittest

from program import cells_of, environment, key_of, tlsmeter
from servers import Serve, free_port, make_certificate, nginx

QUICK = ("--quick", "--max-time", "10ms")


class Http(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "out.jsonl")

    def measure(self, *arguments, code=0):
        if os.path.exists(self.path):
            os.remove(self.path)
        result = tlsmeter("http", *QUICK, "--output", self.path, *arguments)
        self.assertEqual(result.returncode, code, (arguments, result.stderr, result.stdout))
        return cells_of(self.path)

    def good(self, cells):
        for cell in cells:
            self.assertEqual(cell["status"], "ok", cell.get("reason"))
        return cells


class OwnServer(Http):
    def test_every_journey_beside_plain_http(self):
        cells = self.good(self.measure("--library", "openssl,wolfssl", "--protocol", "tls1.2,tls1.3",
                                       "--resumption", "none,ticket", "--payload", "0,1KiB,20000"))
        self.assertEqual(len({key_of(cell) for cell in cells}), len(cells))
        # new: plain, 2 libraries x 2 versions x full and resumed; kept: without resumed ones
        self.assertEqual(len(cells), 2 * 3 * ((1 + 8) + (1 + 4)))
        for cell in cells:
            metrics, subject = cell["metrics"], cell["subject"]
            self.assertEqual(cell["checks"]["status"], 200)
            self.assertEqual("connect_ns" in metrics,
                             subject["connection"] == "new" and cell["side"] == "client")
            if cell["side"] == "client":
                self.assertEqual("tls_bytes" in metrics, subject["scheme"] == "https")
                self.assertGreaterEqual(metrics["bytes_received"]["median"], subject["payload_bytes"])

    def test_layers_add_up(self):
        for cell in self.good(self.measure("--protocol", "tls1.3", "--connection", "new")):
            if cell["side"] == "server":
                continue
            layers = ("connect_ns", "tls_ns", "request_ns", "first_byte_ns", "body_ns")
            metrics = cell["metrics"]
            whole = sum(metrics["wall_ns"]["samples"])
            parts = sum(sum(metrics[name]["samples"]) for name in layers if name in metrics)
            self.assertLessEqual(parts, whole * (1 + 1e-9))
            self.assertGreater(parts, 0.9 * whole)

    def test_uploads_and_requests_per_connection(self):
        cells = self.good(self.measure("--protocol", "tls1.3", "--direction", "upload", "--payload",
                                       "100000", "--connection", "new", "--requests", "1,3"))
        self.assertEqual({cell["subject"]["requests"] for cell in cells}, {1, 3})
        for cell in cells:
            if cell["side"] == "client":
                self.assertGreater(cell["metrics"]["bytes_sent"]["median"], 100000)

    def test_what_a_library_lacks_is_unavailable(self):
        cells = self.measure("--library", "mbedtls", "--protocol", "tls1.2", "--key", "ed25519", code=1)
        self.assertEqual({cell["status"] for cell in cells}, {"ok", "unavailable"})

    def test_forms(self):
        arguments = ("http", *QUICK, "--protocol", "tls1.3", "--payload", "0,1KiB,10KiB")
        for columns in (80, 120):
            text = tlsmeter(*arguments, env=dict(environment(), COLUMNS=str(columns))).stdout
            self.assertLessEqual(max(len(line) for line in text.splitlines()), columns)
            for part in ("a new connection for each request, 1 KiB down", "Layer by layer",
                         "Response time = fixed + per byte"):
                self.assertIn(part, text)
        rows = list(csv.DictReader(io.StringIO(tlsmeter(*arguments, "--csv").stdout)))
        self.assertEqual(len(rows), 3 * 2 * 2 * 2)
        self.assertIn("| a request on a kept", tlsmeter(*arguments, "--markdown").stdout.replace("**", ""))

    def test_wrong_use(self):
        for arguments, text in ((("nonsense",), "no URL"), (("ftp://a/",), "no URL"), (("http://",), "host"),
                                (("http://a b/",), "spaces"), (("http://u:p@a/",), "passwords"),
                                (("--protocol", "dtls1.2"), "DTLS"), (("--requests", "0"), "--requests"),
                                (("--payload", "2GiB"), "1 GiB"), (("--connection", "old"), "old"),
                                (("http://localhost/", "--payload", "1"), "--payload")):
            result = tlsmeter("http", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(text, result.stderr)


class RealServer(Http):
    def test_nginx(self):
        certificate, key = make_certificate(self.folder, "nginx")
        port, tls_port = free_port(), free_port()
        with open(os.path.join(self.folder, "page"), "w", encoding="ascii") as file:
            file.write(1000 * "0123456789")
        lines = (f"listen 127.0.0.1:{port}; listen 127.0.0.1:{tls_port} ssl; ssl_certificate {certificate}; "
                 f"ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3; root {self.folder}; "
                 "keepalive_requests 5; location /moved { return 302 /page; } "
                 "location /missing { return 404; }")
        with nginx(self.folder, lines, port):
            plain, tls = f"http://localhost:{port}", f"https://localhost:{tls_port}"
            cells = self.good(self.measure(f"{tls}/page", "--ca", certificate, "--library",
                                           "openssl,mbedtls,wolfssl", "--protocol", "tls1.2",
                                           "--resumption", "none,ticket"))
            self.assertEqual(len(cells), 3 * 2 + 3)  # kept connections are renewed after five requests
            self.good(self.measure(f"{plain}/page"))
            cells = self.good(self.measure(f"{plain}/missing", "--connection", "new"))
            self.assertEqual((cells[0]["checks"]["status"], cells[0]["flags"].count("http-error")), (404, 1))
            cells = self.good(self.measure(f"{plain}/moved", "--connection", "new"))
            self.assertEqual(cells[0]["checks"]["status"], 302)
            self.assertTrue(cells[0]["checks"]["location"].endswith("/page"))
            cells = self.good(self.measure(f"{plain}/moved", "--follow", "--connection", "new"))
            self.assertEqual(cells[0]["checks"]["status"], 200)
            self.assertEqual(cells[0]["subject"]["target"], "/page")


class Script(socketserver.ThreadingTCPServer):
    """Answers each request with a prepared text, then closes, or resets when the text is None."""
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, answer, read=True):
        self.answer, self.read = answer, read
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        if self.server.read:
            self.request.recv(65536)
        if self.server.answer is None:
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            return
        self.request.sendall(self.server.answer)


class Faults(Http):
    def reason(self, url, *arguments):
        cells = self.measure(url, "--connection", "new", "--time-out", "300ms", *arguments, code=1)
        self.assertEqual([cell["status"] for cell in cells], ["failed"])
        return cells[0]["reason"]["text"]

    def answered(self, answer, expected, **keywords):
        with Script(answer, **keywords) as server:
            self.assertRegex(self.reason(f"http://localhost:{server.port}/"), expected)
            server.shutdown()

    def test_bodies_in_every_form_are_read(self):
        for answer in (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
                       b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                       b"HTTP/1.1 200 OK\r\n\r\nends with the connection",
                       b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
                       b"HTTP/1.0 200 OK\r\n\r\n"):
            with Script(answer) as server:
                self.good(self.measure(f"http://localhost:{server.port}/", "--connection", "new"))
                server.shutdown()

    def test_broken_answers(self):
        self.answered(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "cut: 3 of 10 bytes")
        self.answered(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "ended within a message")
        self.answered(b"HTTP/1.1 200 OK\r\nX:", "ended within a message")
        self.answered(b"", "closed the connection without an answer")
        self.answered(b"SSH-2.0-OpenSSH\r\n", "no HTTP")
        self.answered(b"HTTP/1.1 200 OK\r\n" + 100 * (b"X: " + 1000 * b"y" + b"\r\n") + b"\r\n", "too large")

    def test_resets(self):
        self.answered(None, "reset|closed")
        self.answered(None, "reset|closed|cannot connect", read=False)

    def test_a_server_that_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://localhost:{silent.getsockname()[1]}/"
            self.assertRegex(self.reason(url), "did not begin to answer within 0.3 s")

    def test_refused_and_unknown(self):
        self.assertRegex(self.reason(f"http://localhost:{free_port()}/"), "refused")
        result = tlsmeter("http", "http://no-such-host.invalid/")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no-such-host.invalid", result.stderr)

    def test_the_wrong_scheme(self):
        with Serve(service="http") as plain, Serve(service="https") as tls:
            self.assertRegex(self.reason(f"https://localhost:{plain.port}/", "--no-verify", "--protocol",
                                         "tls1.3"), "(?i)TLS|HTTP|version|record")
            self.assertRegex(self.reason(f"http://localhost:{tls.port}/"), "no HTTP|closed|reset")

    def test_a_session_that_is_not_resumed(self):
        with Serve("--resumption", "none", "--protocol", "tls1.2", service="https") as server:
            text = self.reason(f"https://localhost:{server.port}/bytes/1", "--ca", server.root, "--protocol",
                               "tls1.2", "--resumption", "ticket")
            self.assertRegex(text, "session|resumed")


if __name__ == "__main__":
    unittest.main()
