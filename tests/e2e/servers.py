"""Servers and files that the end to end tests of handshakes stand against: tlsmeter serve, nginx,
openssl, one that breaks off or talks nonsense at a chosen flight, and certificates with a fault."""
import contextlib
import os
import re
import select
import shutil
import socket
import subprocess
import threading
import time

from program import TLSMETER, environment

CA_CONFIG = """[ca]
default_ca = own
[own]
database = {folder}/index.txt
new_certs_dir = {folder}
serial = {folder}/serial
policy = policy
default_md = sha256
x509_extensions = leaf
[policy]
commonName = supplied
[leaf]
subjectAltName = DNS:localhost
[root]
subjectAltName = DNS:localhost
basicConstraints = critical, CA:TRUE
[req]
distinguished_name = name
[name]
"""


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    """Until somebody listens on the port."""
    for _ in range(500):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise RuntimeError("nobody listens")


class Serve:
    """tlsmeter serve on a port of its own. `root`: what clients trust."""

    def __init__(self, *arguments, service="tls", **keywords):
        datagram = service == "dtls"
        self.port = free_port(socket.SOCK_DGRAM if datagram else socket.SOCK_STREAM)
        self.process = subprocess.Popen(
            [TLSMETER, "serve", f"--{service}", str(self.port), "--address",
             "127.0.0.1", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), **keywords)
        self.root, self.said = None, ""
        for line in self.process.stderr:
            self.said += line
            found = re.search(r"--ca (\S+)", line)
            if found:
                self.root = found.group(1)
            if found or (("--cert" in arguments or service == "http") and " on " in line):
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()

    def settle(self):
        """Until the server has seen all that was sent and closed before: it ends a later connection,
        which counts as one more failure."""
        with socket.create_connection(("127.0.0.1", self.port), 30) as last, \
                contextlib.suppress(ConnectionResetError):
            last.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while last.recv(4096):
                pass

    def end(self):
        """Interrupts it; returns exit code and what it printed."""
        self.process.terminate()
        out, _ = self.process.communicate(timeout=30)
        return self.process.returncode, out


@contextlib.contextmanager
def program(*command, port):
    """Another server for as long as the block runs."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port, process)
            yield process
        finally:
            process.terminate()
            process.wait(30)


@contextlib.contextmanager
def nginx(folder, server_lines, port):
    """nginx with one server block, in the foreground."""
    path = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    with open(os.path.join(folder, "nginx.conf"), "w", encoding="utf-8") as file:
        file.write(f"""daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
server {{ {server_lines} }} }}
""")
    with program(path, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log", port=port) as process:
        yield process


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_certificate(folder, name, issuer=None, first_day="20250101000000Z",
                     last_day="20450101000000Z"):
    """A P-256 certificate for localhost, signed by that of another such pair or by itself: paths of
    certificate and key."""
    key, certificate, request, config = (os.path.join(folder, f"{name}.{end}")
                                         for end in ("key", "pem", "csr", "cnf"))
    own = os.path.join(folder, f"{name}.ca")
    os.mkdir(own)
    with open(config, "w", encoding="utf-8") as file:
        file.write(CA_CONFIG.format(folder=own))
    with open(os.path.join(own, "index.txt"), "w", encoding="utf-8"):
        pass
    with open(os.path.join(own, "serial"), "w", encoding="utf-8") as file:
        file.write("01\n")
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            key, "-out", request, "-subj", "/CN=localhost", "-config", config)
    signer = ["-cert", issuer[0], "-keyfile", issuer[1]] if issuer else \
        ["-selfsign", "-keyfile", key, "-extensions", "root"]
    openssl("ca", "-batch", *signer, "-config", config, "-in", request, "-out", certificate,
            "-startdate", first_day, "-enddate", last_day, "-notext")
    return certificate, key


class Meddler:
    """Stands between a client and a server and, instead of passing on flight number `flight` (1 is the
    ClientHello; 0: nothing is ever passed on), does `action`: "close", "garbage" or "silence"."""

    # As a record's header: no type, no version, but a length that is there in full: OpenSSL 3.5 waits for
    # the rest of a longer one before it judges the header.
    GARBAGE = b"\x03\x0a\x11\x00\x40" + bytes((7 * i + 3) % 251 for i in range(5, 300))

    def __init__(self, server_port, flight, action):
        self.server_port, self.flight, self.action = server_port, flight, action
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.kept, self.threads = [], []
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.kept:
            connection.close()
        for thread in self.threads:
            thread.join(30)

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                self.threads.append(threading.Thread(target=self.serve, args=(client,), daemon=True))
                self.threads[-1].start()

    def act(self, receiver, *others):
        if self.action == "garbage":
            receiver.sendall(self.GARBAGE)
        if self.action == "silence":
            self.kept += [receiver, *others]
        else:
            for connection in (receiver, *others):
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()

    def serve(self, client):
        server = socket.create_connection(("127.0.0.1", self.server_port))
        if self.flight == 0:
            self.act(client, server)
            return
        flight, sender = 0, None
        client.setblocking(True)
        with contextlib.suppress(OSError):
            while True:
                readable = select.select([client, server], [], [], 30)[0]
                for source in readable:
                    target = server if source is client else client
                    data = source.recv(1 << 16)
                    if not data:
                        target.shutdown(socket.SHUT_WR)
                        return
                    if source is not sender:
                        flight, sender = flight + 1, source
                    if flight == self.flight:
                        self.act(target, source)
                        return
                    target.sendall(data)
