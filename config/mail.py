"""The mail server that the environment names; a laptop has none."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from os import environ as environment_of_process
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config import environment
from config.environment import BadSetting

MAIL_PORTS = {"smtp+tls": 587, "smtps": 465, "smtp": 25}
"""Each scheme with its usual port: STARTTLS, TLS from the first byte, or no encryption."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """How to reach the server, and whose name stands on every letter."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    sender: str


def read_mail_server(hosts: list[str], environ: Mapping[str, str] = environment_of_process) -> MailServer | None:
    """The server of `EMAIL_URL` and `TSO_MAIL_FROM`, or None. Raises `BadSetting`. Letters hold links to this
    installation, so `hosts`, of `TSO_ADDRESS` or `TSO_HOSTS`, must be certain."""
    address = environment.read_url_setting("EMAIL_URL", tuple(MAIL_PORTS), environ)
    if not address:
        return None
    if not hosts or any(host.startswith(("*", ".")) for host in hosts):
        raise BadSetting("EMAIL_URL needs TSO_ADDRESS, or TSO_HOSTS with whole names and no “*”: letters hold links.")
    parts = urlsplit(address)
    text = environment.read_setting("TSO_MAIL_FROM", environ)
    try:
        validate_email(parseaddr(text)[1])
    except ValidationError as fault:
        raise BadSetting(f"TSO_MAIL_FROM={text!r}: write who sends letters, as TSO <tso@example.org>.") from fault
    return MailServer(
        scheme=parts.scheme,
        host=parts.hostname or "",
        port=parts.port or MAIL_PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        sender=text,
    )
