"""A service of the internet on this machine: its name, a public address and a certificate for it, all made up."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="comes with requirements-hosted.txt")

from cryptography import x509  # only where it is installed
from cryptography.hazmat.primitives.asymmetric import ec  # only where it is installed
from cryptography.hazmat.primitives.hashes import SHA256  # only where it is installed
from cryptography.hazmat.primitives.serialization import (  # only where it is installed
    Encoding,
    NoEncryption,
    PrivateFormat,
)

PUBLIC = "17.253.144.10"  # nobody is asked there: the connection is led to this machine


@contextmanager
def serve_as(
    host: str, answer: type[BaseHTTPRequestHandler], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Answer as this host. The system's name server and its network are led here; all else is the program's own way."""
    certificate = make_certificate(host, folder)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with ThreadingHTTPServer(("127.0.0.1", 0), answer) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        lead_here(monkeypatch, host, server.server_port)
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


def lead_here(monkeypatch: pytest.MonkeyPatch, host: str, port: int) -> None:
    find, connect = socket.getaddrinfo, socket.socket.connect

    def find_public(name: Any, *given: Any, **named: Any) -> Any:
        return find(PUBLIC if name == host else name, *given, **named)

    def connect_here(line: socket.socket, place: Any) -> None:
        connect(line, ("127.0.0.1", port) if place == (PUBLIC, 443) else place)

    monkeypatch.setattr(socket, "getaddrinfo", find_public)
    monkeypatch.setattr(socket.socket, "connect", connect_here)


def make_certificate(host: str, folder: Path) -> Path:
    """A file with a certificate for this host, signed by itself, and its key."""

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    # Good at any time: the library of TLS reads the machine's clock, whatever day the tests set themselves on.
    begins = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins.replace(year=2099))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, SHA256())
    )
    file = folder / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.public_bytes(Encoding.PEM) + private)
    return file
