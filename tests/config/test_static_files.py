"""Style and scripts: under names that say their content, compressed, kept for good; Bootstrap only what is used."""

import gzip
import re
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import Client

from config.static_files import squeeze_css
from tests import factories

CUT = settings.BASE_DIR / "docs/bootstrap/cut.py"
FIRST_TABLE = 60 * 1024  # bytes that a phone loads for its first public table


def answer(path: str, encoding: str = "gzip") -> Any:
    return Client().get(path, headers={"accept-encoding": encoding})


def test_style_is_compressed_and_kept_for_good() -> None:
    written = (settings.BASE_DIR / "static/tso.css").read_bytes()
    plain = squeeze_css(written)
    address = static("tso.css")

    packed, unpacked = answer(address), answer(address, "identity")

    assert re.fullmatch(r"/static/tso\.[0-9a-f]{12}\.css", address)
    assert (packed.headers["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain)
    assert unpacked.content == plain
    assert plain.count(b"}") == written.count(b"}") > 100
    assert b"/*" not in plain
    assert len(plain) < len(written)
    assert {each.headers["Cache-Control"] for each in (packed, unpacked)} == {"public, max-age=31536000, immutable"}
    assert Client().head(address).headers["Content-Length"] == str(len(plain))


def test_content_that_is_gone_is_answered_anew_and_not_kept() -> None:
    old, missing = answer("/static/tso.0123456789ab.css"), answer("/static/nothing.0123456789ab.css")

    assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")
    assert missing.status_code == 404


@pytest.mark.long
@pytest.mark.django_db
def test_first_table_is_small() -> None:
    division = factories.event(players=80)
    factories.played(division)
    page = answer(f"/t/{division.tournament.slug}/table/")
    text = gzip.decompress(page.content).decode()
    files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', text))

    sizes = [len(page.content), *(len(answer(file).content) for file in files)]

    assert len(files) >= 4
    assert sum(sizes) < FIRST_TABLE


def test_bootstrap_is_what_is_used() -> None:
    spec = spec_from_file_location("cut_bootstrap", CUT)
    assert spec is not None
    assert spec.loader is not None
    cut = module_from_spec(spec)
    spec.loader.exec_module(cut)

    assert cut.TARGET.read_text() == cut.cut_bootstrap(), "run python docs/bootstrap/cut.py"
