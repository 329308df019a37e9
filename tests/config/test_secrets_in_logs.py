"""No log holds what opens a page to whoever has it: every address with a secret part is asked, then fails."""

import io
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import PathConverter, StringConverter

from config.logs import FileLine, Json, OneLine, build_logging_settings
from tests import factories

SECRET = "Zk3Wq9Geheim7141xyz"
SECRET_ARGUMENTS = {"link", "token", "uidb64", "mirror key", "hand_in key"}
OPEN_ARGUMENTS = {"public:player key", "fmt", "name", "preset", "slug", "word", "path"}
OPEN_ARGUMENTS |= {"public:rating_list_of_day key", "public:rating_list_file key"}  # days
"""Arguments of addresses that open nothing: names, kinds of files."""


def list_patterns(found: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for each in (found or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from list_patterns(each, f"{before}{each.namespace}:" if each.namespace else before)
        else:
            yield f"{before}{each.name}", each


def list_texts(name: str, pattern: URLPattern) -> set[str]:
    """The arguments of an address that may be any text, by their names or those of address and argument."""
    converters = pattern.pattern.converters
    texts = {key for key, kind in converters.items() if type(kind) in (StringConverter, PathConverter)}
    return {key if key in SECRET_ARGUMENTS | OPEN_ARGUMENTS else f"{name} {key}" for key in texts}


PATTERNS = {name: pattern for name, pattern in list_patterns() if pattern.name}
SECRET_ADDRESSES = [name for name, pattern in PATTERNS.items() if list_texts(name, pattern) & SECRET_ARGUMENTS]


def make_path(name: str) -> str:
    kinds = PATTERNS[name].pattern.converters
    values = {"slug": "herbst-cup", "pk": 1, "number": 1, "seat": 1}
    arguments = {key: SECRET if type(kind) is StringConverter else values.get(key, 1) for key, kind in kinds.items()}
    return reverse(name, kwargs=arguments)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged, in each of the three forms."""
    stream = io.StringIO()
    formatters = (Json(), OneLine(Path("tso.log")), FileLine("{asctime} {levelname} {name} {message}", style="{"))
    handlers = [logging.StreamHandler(stream) for _formatter in formatters]
    root, level = logging.getLogger(), logging.getLogger().level
    for handler, formatter in zip(handlers, formatters, strict=True):
        handler.setFormatter(formatter)
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.setLevel(level)
    for handler in handlers:
        root.removeHandler(handler)


def test_every_text_in_an_address_is_known_to_be_secret_or_not() -> None:
    arguments = set().union(*(list_texts(name, pattern) for name, pattern in PATTERNS.items()))

    assert arguments - SECRET_ARGUMENTS - OPEN_ARGUMENTS == set()
    assert len(SECRET_ADDRESSES) >= 12


@pytest.mark.django_db
def test_log_of_requests_holds_no_secret(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.event()
    logging.getLogger("config.request_ids").setLevel(logging.INFO)
    for name in SECRET_ADDRESSES:
        path = make_path(name)
        for asked in (path, path.rstrip("/"), path + "x/", f"/x{path}", path.upper()):
            Client().get(asked, headers={"Referer": f"http://testserver{path}"})
            Client().post(asked, {"code": SECRET, "password": SECRET})
    for name in ("login", "access_code"):
        Client().post(reverse(name), {"username": SECRET, "password": SECRET, "code": SECRET})
        Client().get(f"{reverse(name)}?next=/me/{SECRET}/")

    assert lines.getvalue().count("GET") >= len(SECRET_ADDRESSES)
    assert SECRET not in lines.getvalue()


def failing(_get_response: Any) -> Any:
    """Middleware under which every page fails."""

    def fail(request: HttpRequest) -> HttpResponse:
        raise RuntimeError(f"at {request.build_absolute_uri()}")

    return fail


@pytest.mark.django_db
def test_failing_page_with_a_secret_address_is_logged_without_it(lines: io.StringIO, settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.failing"]
    client = Client(raise_request_exception=False)
    for name in SECRET_ADDRESSES:
        assert client.get(make_path(name)).status_code == 500

    assert lines.getvalue().count("Internal Server Error") == 3 * len(SECRET_ADDRESSES)
    assert SECRET not in lines.getvalue()


@pytest.mark.parametrize("name", SECRET_ADDRESSES)
@pytest.mark.parametrize("logger", ["django.request", "waitress", "gunicorn.error", "tournament"])
@pytest.mark.sampled(20)
def test_any_logger_that_names_a_secret_address_cuts_it(name: str, logger: str, lines: io.StringIO) -> None:
    path = make_path(name)
    try:
        int(f"GET {path}?x=1 HTTP/1.1")
    except ValueError:
        record = logging.LogRecord(logger, logging.ERROR, "x.py", 1, "of %s: %r", (path, path), sys.exc_info())
    for handler in logging.getLogger().handlers:
        handler.handle(record)

    assert lines.getvalue().count("…") >= 3
    assert SECRET not in lines.getvalue()


def test_servers_log_through_the_program_or_not_at_all() -> None:
    for form in ("json", "files"):
        loggers = build_logging_settings(Path("data"), form=form)["loggers"]
        assert loggers["gunicorn.error"]["propagate"] is True
    settings_of_nginx = (settings.BASE_DIR / "config" / "hosting" / "nginx.conf").read_text(encoding="utf-8")
    assert "access_log off;" in settings_of_nginx
    assert "error_log stderr emerg;" in settings_of_nginx
    assert json.loads(Json().format(logging.LogRecord("x", 20, "x", 1, "/me/abc/", (), None)))["message"] == "/me/…/"
