"""Typed values from the environment. A bad one raises `BadSetting`, whose one line quotes it."""

import ipaddress
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from tournament.backup.files import create_whole_file

YES_WORDS = frozenset({"1", "true", "yes", "on", "ja", "an", "aan"})
NO_WORDS = frozenset({"0", "false", "no", "off", "nein", "aus", "nee", "uit"})
HOST_NAME_PATTERN = re.compile(r"\.?(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
KEY_LENGTH = 50


class BadSetting(ImproperlyConfigured):
    """A value with which the program cannot start."""


def read_setting(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """The variable's stripped text; empty if it is not set."""
    return environ.get(name, "").strip()


def read_switch_setting(name: str, environ: Mapping[str, str] = os.environ) -> bool:
    """On or off, in one of the program's languages; off without the variable."""
    text = read_setting(name, environ).lower()
    if text and text not in YES_WORDS | NO_WORDS:
        raise BadSetting(f"{name}={text!r}: write 1 (on) or 0 (off).")
    return text in YES_WORDS


def read_number_setting(name: str, *, default: int, most: int, environ: Mapping[str, str] = os.environ) -> int:
    """A whole number from 0 to `most`; `default` without the variable."""
    text = read_setting(name, environ)
    if not text:
        return default
    # int() by itself would take 1_0, +5 and the figures of other scripts.
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) > most:
        raise BadSetting(f"{name}={text!r}: write a whole number from 0 to {most}.")
    return int(text)


def read_choice_setting(name: str, *known: str, environ: Mapping[str, str] = os.environ) -> str:
    """One of the words allowed; the first without the variable."""
    text = read_setting(name, environ).lower()
    if text and text not in known:
        raise BadSetting(f"{name}={text!r}: write {' or '.join(known)}.")
    return text or known[0]


def read_hosts_setting(name: str, default: list[str], environ: Mapping[str, str] = os.environ) -> list[str]:
    """Host names and addresses, separated by commas or blanks, without scheme, port and path."""
    hosts = read_setting(name, environ).replace(",", " ").split()
    for host in hosts:
        # Digits and dots are an address, maybe a mistyped one; the pattern would take them for a name.
        is_name = not host.replace(".", "").isdigit() and HOST_NAME_PATTERN.fullmatch(host.lower())
        if not (host == "*" or is_name or _is_address(host)):
            raise BadSetting(f"{name}: {host!r} is not a host name or address (without http://, port and path).")
    return [host.lower() for host in hosts] or default


def _is_address(text: str) -> bool:
    in_brackets = text.startswith("[") and text.endswith("]")
    try:
        return ipaddress.ip_address(text.strip("[]")).version == (6 if in_brackets else 4)
    except ValueError:
        return False


def read_url_setting(name: str, schemes: tuple[str, ...], environ: Mapping[str, str] = os.environ) -> str:
    """The URL of a service, with one of the schemes and a host; empty without the variable."""
    text = read_setting(name, environ)
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        complete = parts.scheme in schemes and bool(parts.hostname or parts.path.strip("/"))
        parts.port  # noqa: B018  # reading it is what checks it
    except ValueError:
        complete = False
    if not complete:
        raise BadSetting(f"{name}={hide_password(text)!r}: write an address that begins with {schemes[0]}://")
    return text


def read_address_setting(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """A site's address without a path, as `https://tso.example.org`; empty without the variable."""
    text = read_url_setting(name, ("https", "http"), environ).rstrip("/").lower()
    parts = urlsplit(text)
    if (text and text != f"{parts.scheme}://{parts.netloc}") or "@" in text:
        raise BadSetting(f"{name}={hide_password(text)!r}: write scheme, host and port only, https://tso.example.org")
    return text


def list_hosts(address: str) -> list[str]:
    """The host of an address, as a list of one or none."""
    host = urlsplit(address).hostname
    return [f"[{host}]" if ":" in host else host] if host else []


def hide_password(address: str) -> str:
    """The URL without its password, for messages."""
    return re.sub(r"(://[^:/@]*:)[^@]*@", r"\1***@", address)


def read_folder_setting(name: str, default: Path, base: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """A writable folder, made if necessary; a relative path starts at `base`."""
    text = read_setting(name, environ)
    path = base / Path(text).expanduser() if text else default
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Tried, not asked: permission bits say nothing of a disk that is mounted read-only.
        with tempfile.TemporaryFile(dir=path):
            pass
    except (OSError, ValueError, RuntimeError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        shown_path = repr(text or str(path))  # a director may see this one, so in every language
        raise BadSetting(
            f"{name}={shown_path}: In diesen Ordner lässt sich nicht schreiben. This folder cannot be written to. "
            f"In deze map kan niet worden geschreven ({reason})."
        ) from fault
    return path


def get_or_create_secret_key(path: Path) -> str:
    """The installation's key from its file, made on first start, readable by its owner only."""
    try:
        if not path.exists():
            create_whole_file(path, f"{secrets.token_urlsafe(KEY_LENGTH)}\n".encode("ascii"))
        # Read back, not taken from the making: another process may have been first.
        key = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as fault:
        raise BadSetting(f"The key file {str(path)!r} cannot be used ({fault}).") from fault
    if len(key) < KEY_LENGTH:
        raise BadSetting(f"The key file {str(path)!r} is damaged: delete it (everybody signs in again).")
    return key
