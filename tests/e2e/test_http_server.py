#!/usr/bin/python3
"""The HTTP server of tlsmeter serve: every payload byte for byte, uploads, pipelining, limits, and clients
that mean no good; with curl and with raw sockets, plain and over TLS."""
import contextlib
import json
import re
import socket
import subprocess
import tempfile
import time
import unittest

from program import cells_of, tlsmeter
from servers import Serve
from test_serve import allow_files, resident_kib

SIZES = (0, 1, 100, 1024, 10240, 16383, 16384, 16385, 65521, 102400, 1048576)
LIBRARIES = (("openssl", "tls1.3"), ("openssl", "tls1.2"), ("mbedtls", "tls1.2"), ("wolfssl", "tls1.3"),
             ("wolfssl", "tls1.2"))


def content(size, offset=0):
    """docs/http.md: byte i is ((i mod 65521) * 167 >> 3) mod 256."""
    period = bytes((i * 167 >> 3) & 255 for i in range(65521))
    start = offset % 65521
    whole = period * ((start + size) // 65521 + 1)
    return whole[start:start + size]


class Http(unittest.TestCase):
    def curl(self, *arguments, server=None, **keywords):
        root = ["--cacert", server.root] if server and server.root else []
        result = subprocess.run(["curl", "--silent", "--show-error", "--max-time", "30", *root, *arguments],
                                check=False, capture_output=True, **keywords)
        self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        return result.stdout

    def raw(self, server, text, wait=10):
        """What a plain server answers to these bytes until it ends the connection."""
        with socket.create_connection(("127.0.0.1", server.port), wait) as connection:
            connection.sendall(text)
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(65536):
                    answer += piece
            return answer

    def check_service(self, url, server):
        with tempfile.NamedTemporaryFile() as upload:
            for size in SIZES:
                self.assertEqual(self.curl(f"{url}/bytes/{size}", server=server), content(size), size)
                upload.seek(0)
                upload.truncate()
                upload.write(content(size, 7))
                upload.flush()
                sent = f"@{upload.name}"
                self.assertEqual(self.curl("--data-binary", sent, f"{url}/discard", server=server),
                                 f"{size}\n".encode())
                self.assertEqual(self.curl("--data-binary", sent, f"{url}/echo", server=server),
                                 content(size, 7))
            chunked = ("--header", "Transfer-Encoding: chunked", "--data-binary", sent)
            self.assertEqual(self.curl(*chunked, f"{url}/echo", server=server), content(size, 7))
        self.assertIn(b"Content-Length: 77\r\n", self.curl("--head", f"{url}/bytes/77", server=server))
        start = time.monotonic()
        self.curl(f"{url}/delay/100", server=server)
        self.assertGreaterEqual(time.monotonic() - start, 0.1)


class Service(Http):
    def test_plain(self):
        with Serve(service="http") as server:
            self.check_service(f"http://localhost:{server.port}", server)
            figures = json.loads(self.curl(f"http://localhost:{server.port}/tlsmeter/figures"))
            self.assertGreater(figures["requests"], 3 * len(SIZES))
            self.assertEqual(server.end()[0], 0)

    def test_over_tls(self):
        for library, protocol in LIBRARIES:
            with self.subTest(library=library, protocol=protocol), \
                    Serve("--library", library, "--protocol", protocol, service="https") as server:
                self.check_service(f"https://localhost:{server.port}", server)
                self.assertEqual(server.end()[0], 0)

    def test_pipelined_requests_are_answered_in_order(self):
        requests = (b"GET /bytes/5 HTTP/1.1\r\n\r\n" b"GET /delay/50 HTTP/1.1\r\n\r\n"
                    b"POST /echo HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd" b"HEAD /bytes/9 HTTP/1.1\r\n\r\n"
                    b"POST /discard HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n0\r\n\r\n"
                    b"GET /bytes/1 HTTP/1.1\r\nConnection: close\r\n\r\n")
        bodies = (content(5), b"", b"abcd", b"", b"3\n", content(1))
        with Serve(service="http") as server:
            for step in (len(requests), 7):
                with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
                    for at in range(0, len(requests), step):
                        connection.sendall(requests[at:at + step])
                    answer = b"".join(iter(lambda: connection.recv(4096), b""))
                seen = re.split(rb"HTTP/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)+\r\n", answer)
                self.assertEqual(tuple(seen[1:]), bodies)

    def test_methods_and_targets(self):
        with Serve(service="http") as server:
            url = f"http://localhost:{server.port}"
            for arguments, status in ((("/nothing",), 404), (("/bytes/x",), 400), (("/bytes/1073741825",), 400),
                                      (("/delay/60001",), 400), (("/echo",), 405),
                                      (("/bytes/1", "--request", "DELETE"), 501),
                                      (("/bytes/1", "--data", "x"), 405), (("/bytes/1",), 200)):
                answer = self.curl("--output", "/dev/null", "--write-out", "%{http_code}",
                                   f"{url}{arguments[0]}", *arguments[1:])
                self.assertEqual(int(answer), status, arguments)

    def test_what_is_no_http_or_too_large_is_refused(self):
        with Serve(service="http") as server:
            for text, status in ((b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03 a TLS client", 400),
                                 (b"nonsense\r\n\r\n", 400),
                                 (b"GET /" + 3000 * b"a" + b" HTTP/1.1\r\n\r\n", 414),
                                 (b"GET / HTTP/1.1\r\nX: " + 9000 * b"a" + b"\r\n\r\n", 431),
                                 (b"GET / HTTP/1.1\r\n" + 200 * b"X: y\r\n" + b"\r\n", 431),
                                 (b"POST /discard HTTP/1.1\r\nContent-Length: 2000000000\r\n\r\n", 413),
                                 (b"POST /echo HTTP/1.1\r\nContent-Length: 3\r\n"
                                  b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400)):
                answer = self.raw(server, text)
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()), (text[:40], answer[:80]))
                self.assertIn(b"Connection: close", answer)
            self.assertEqual(self.curl(f"http://localhost:{server.port}/bytes/3"), content(3))

    def test_plain_http_on_the_tls_port(self):
        with Serve(service="https") as server:
            self.raw(server, b"GET / HTTP/1.1\r\n\r\n")
            self.assertEqual(self.curl(f"https://localhost:{server.port}/bytes/3", server=server), content(3))

    def test_a_large_body_is_not_held(self):
        with Serve(service="https") as server:
            before = resident_kib(server.process)
            size = 200 * 1024 * 1024
            with subprocess.Popen(["curl", "--silent", "--cacert", server.root,
                                   f"https://localhost:{server.port}/bytes/{size}"],
                                  stdout=subprocess.PIPE) as curl:
                got = 0
                while piece := curl.stdout.read(1 << 20):
                    got += len(piece)
            self.assertEqual(got, size)
            self.assertLess(resident_kib(server.process) - before, 4096)


class Hostile(Http):
    def test_slow_headers_are_ended(self):
        with Serve("--handshake-time-out", "300ms", service="http") as server:
            with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
                start = time.monotonic()
                with contextlib.suppress(OSError):
                    for byte in b"GET /bytes/1 HTTP/1.1\r\nX: " + 400 * b"y":
                        connection.send(bytes([byte]))
                        time.sleep(0.02)
                self.assertLess(time.monotonic() - start, 6)
            self.assertEqual(self.curl(f"http://localhost:{server.port}/bytes/3"), content(3))

    def test_idle_connections_are_ended(self):
        with Serve("--idle-time-out", "200ms", service="http") as server:
            with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
                connection.sendall(b"GET /bytes/1 HTTP/1.1\r\n\r\n")
                self.assertIn(b"200 OK", connection.recv(4096))
                self.assertEqual(connection.recv(4096), b"")

    def test_a_client_that_does_not_read(self):
        with Serve("--idle-time-out", "300ms", service="http") as server:
            before = resident_kib(server.process)
            deaf = [socket.create_connection(("127.0.0.1", server.port), 20) for _ in range(20)]
            for connection in deaf:
                connection.sendall(b"GET /bytes/1073741824 HTTP/1.1\r\n\r\n")
            self.assertEqual(self.curl(f"http://localhost:{server.port}/bytes/3"), content(3))
            time.sleep(1)
            self.assertLess(resident_kib(server.process) - before, 8192)
            for connection in deaf:
                connection.close()
            self.assertEqual(server.end()[0], 0)

    def test_ten_thousand_connections(self):
        count = min(10000, allow_files(10200) - 100)
        with Serve("--max-connections", "20000", "--handshake-time-out", "60s", service="http") as server:
            connections = [socket.create_connection(("127.0.0.1", server.port), 30) for _ in range(count)]
            self.assertEqual(self.curl(f"http://localhost:{server.port}/bytes/3"), content(3))
            for connection in connections:
                connection.close()
            code, figures = server.end()
            self.assertEqual(code, 0)
            self.assertGreaterEqual(json.loads(figures)["accepted"], count)


class Early(Http):
    def test_a_request_as_early_data(self):
        with Serve("--early-data", service="https") as server, tempfile.TemporaryDirectory() as folder:
            result = tlsmeter("http", f"https://localhost:{server.port}/bytes/100", "--ca", server.root,
                              "--protocol", "tls1.3", "--resumption", "ticket", "--early-data", "1",
                              "--group", "secp256r1", "--connection", "new", "--quick", "--max-time", "20ms", "--output",
                              f"{folder}/a.jsonl")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            cell, = cells_of(f"{folder}/a.jsonl")
            self.assertEqual((cell["status"], cell["checks"]["status"]), ("ok", 200))
            self.assertIn("replayable", cell["flags"])


if __name__ == "__main__":
    unittest.main()
