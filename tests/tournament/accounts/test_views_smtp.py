"""Letters over a real connection: a server with a certificate and a name to sign in with, and servers that do not."""

from __future__ import annotations

import logging
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from config.mail import MailServer
from tournament.basics.mailing import notify_account_owner

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

controller = pytest.importorskip("aiosmtpd.controller", reason="aiosmtpd is in requirements-dev.txt")
smtp = pytest.importorskip("aiosmtpd.smtp")

BACKEND = "django.core.mail.backends.smtp.EmailBackend"
NAME, PASSWORD = "tso", "geheim"
ASK = "/password/"
TIMEOUT = 2
"""Seconds that a server has to answer; a page never waits for them."""

pytestmark = [
    pytest.mark.usefixtures("fresh_counts"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("doris_user"),
]


class Box:
    """Keeps what it is sent, but for whom it does not know."""

    def __init__(self) -> None:
        self.letters: list[Message] = []

    async def handle_RCPT(  # noqa: N802  # the name that aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address != "doris@example.org":
            return "550 nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # as above
        assert session.ssl
        assert session.authenticated
        assert isinstance(envelope.content, bytes)
        self.letters.append(message_from_bytes(envelope.content))
        return "250 OK"


def _checked(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: LoginPassword) -> AuthResult:
    is_right = (data.login, data.password) == (NAME.encode(), PASSWORD.encode())
    result: AuthResult = smtp.AuthResult(success=is_right)
    return result


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For `localhost`, with its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    path = tmp_path_factory.mktemp("smtp") / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", *subject]
    subprocess.run(["openssl", "req", *made, "-keyout", path, "-out", f"{path}.crt"], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


@pytest.fixture
def box(certificate: Path) -> Iterator[tuple[Box, int]]:
    """A server that wants STARTTLS and a password, and its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    kept, port = Box(), _free_port()
    wanted: dict[str, Any] = {"require_starttls": True, "auth_required": True, "authenticator": _checked}
    server = controller.Controller(kept, hostname="localhost", port=port, tls_context=context, **wanted)
    server.start()
    yield kept, port
    server.stop()


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("localhost", 0))
        return int(asked.getsockname()[1])


@contextmanager
def sending(port: int, *, password: str = PASSWORD) -> Iterator[None]:
    """As `EMAIL_URL=smtp+tls://…@localhost:port`."""
    server = MailServer("smtp+tls", "localhost", port, NAME, password, "TSO <tso@example.org>")
    with override_settings(
        MAIL=server,
        EMAIL_BACKEND=BACKEND,
        EMAIL_HOST=server.host,
        EMAIL_PORT=port,
        EMAIL_HOST_USER=server.user,
        EMAIL_HOST_PASSWORD=server.password,
        EMAIL_USE_TLS=True,
        EMAIL_TIMEOUT=TIMEOUT,
        DEFAULT_FROM_EMAIL=server.sender,
    ):
        yield
        _wait()


def _wait() -> None:
    for thread in threading.enumerate():
        if thread.name == "letter":
            thread.join()


def ask(address: str = "doris@example.org") -> tuple[str, float]:
    """What somebody sees who has lost their password, and after how many seconds."""
    started = time.monotonic()
    answer = Client().post(ASK, {"email": address})
    seconds = time.monotonic() - started
    return Client().get(answer["Location"]).content.decode(), seconds


def test_letter_arrives_encrypted_and_signed_in(
    box: tuple[Box, int], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with sending(box[1]):
        ask()

    [letter] = box[0].letters
    assert (letter["To"], letter["From"]) == ("doris@example.org", "TSO <tso@example.org>")
    content = letter.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert "http://testserver/password/" in content.decode()


@contextmanager
def _mute() -> Iterator[int]:
    """A server that takes connections and says nothing."""
    with socket.create_server(("localhost", 0)) as waiting:
        yield int(waiting.getsockname()[1])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fault", ["certificate", "password", "recipient", "closed", "mute"])
def test_letter_that_cannot_be_sent_is_told_in_the_log_and_stops_nobody(
    box: tuple[Box, int],
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    doris_user: User,
    fault: str,
) -> None:
    if fault != "certificate":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    if fault == "recipient":
        doris_user.email = "gone@example.org"
        doris_user.save()
    with _mute() as mute, caplog.at_level(logging.WARNING):
        port = {"closed": _free_port(), "mute": mute}.get(fault, box[1])
        with sending(port, password="wrong" if fault == "password" else PASSWORD):
            page, seconds = ask(doris_user.email)

    assert "unterwegs" in page
    assert seconds < TIMEOUT
    assert warned(caplog) == [f"Failed to send password reset email to {doris_user.pk}"]
    assert PASSWORD not in caplog.text
    assert not box[0].letters


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What this program has to say."""
    return [record.getMessage() for record in caplog.records if record.name != "mail.log"]


def test_whoever_cannot_be_told_of_a_change_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with sending(_free_port()):
        notify_account_owner("doris", "doris@example.org", "testserver", "Es hat ein anderes Passwort.")

    [said] = warned(caplog)
    assert said.startswith("A letter could not be sent: ")
