"""An event as a website in a zip: whole, closed in itself, without scripts and forms, of what is public alone."""

import io
import posixpath
import zipfile
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.gcg.operations import publish_game
from tests import factories
from tests.games.duplicate.steps import evening
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tests.refusals import refuses
from tournament.events.operations import update_settings
from tournament.files.website import rewrite_page, write_website
from tournament.models import Division, Pairing, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def full_of_module(*, shares_rows: bool) -> Tournament:
    """A round played and one running, a knock-out, a game to step through; a second division with a draft."""
    division = factories.event(players=4, ruleset="tso-2017")
    factories.played(division)
    factories.published(division)
    table = Pairing.objects.select_related("round__division__tournament").with_players().by_table()[0]
    publish_game(sheet_with(table, games.GERMAN), actor=factories.director())
    factories.knockout_game(factories.knockout(division), (1, 1, 1), 420, 380)
    other = Division.objects.create(tournament=division.tournament, name="B", position=2)
    factories.enter(other, 2)
    factories.draft(other)
    return division.tournament


@pytest.fixture
def full(full_of_module: Tournament) -> Tournament:
    return Tournament.objects.get(pk=full_of_module.pk)


def site(tournament: Tournament) -> dict[str, bytes]:
    """The files of the event's website by their names in its folder."""
    out = io.BytesIO()
    write_website(tournament, out)
    with zipfile.ZipFile(out) as parts:
        assert len(set(parts.namelist())) == len(parts.namelist())
        assert {each.external_attr >> 16 for each in parts.infolist()} == {0o100644}
        return {name.removeprefix(f"{tournament.slug}/"): parts.read(name) for name in parts.namelist()}


@pytest.fixture(scope="module")
def many_files(full_of_module: Tournament) -> Mapping[str, bytes]:
    """The website of a full event, made once for all who only read it."""
    return site(full_of_module)


@pytest.fixture(scope="module")
def few_files(*, shares_rows: bool) -> Mapping[str, bytes]:
    """The website of an event with one game and the draft of another division."""
    division = factories.event("Klein", players=2)
    factories.played(division)
    other = Division.objects.create(tournament=division.tournament, name="B", position=2)
    factories.enter(other, 2)
    factories.draft(other)
    return site(division.tournament)


@pytest.fixture(scope="module")
def files(request: pytest.FixtureRequest) -> Mapping[str, bytes]:
    """The website that a test names; made before its own transaction begins."""
    website: Mapping[str, bytes] = request.getfixturevalue(f"{request.param}_files")
    return website


class Reader(HTMLParser):
    """Notes the elements of a page, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.names.add(name)
            if name == "id":
                self.ids.add(value or "")
            if name in ("href", "src", "action", "srcset", "xlink:href"):
                self.links.append(value or "")


def read(page: bytes) -> Reader:
    found = Reader()
    found.feed(page.decode())
    return found


def dead_links(files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """The links of all pages that lead to no file, and to no place on a page."""
    pages = {name: read(content) for name, content in files.items() if name.endswith(".html")}
    dead = []
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            goal = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            )
            on_it = not parts.fragment or goal not in pages or parts.fragment in pages[goal].ids
            if parts.scheme or parts.query or goal not in files or not on_it:
                dead.append((name, link))
    return dead


@pytest.mark.long
def test_every_link_leads_to_a_file_of_the_zip(full: Tournament, many_files: Mapping[str, bytes]) -> None:
    files = many_files
    assert dead_links(files) == []
    assert {"index.html", "style/tso.css", "pages/rounds-1.html", "pages/crosstable.html"} <= set(files)
    assert {"pages/bracket.html", "pages/statistics.html", "pages/table-1.html"} <= set(files)
    entries = full.entries.filter(division__position=1)
    assert {f"pages/players-{entry.key.lower()}.html" for entry in entries} <= set(files)
    assert [name for name in files if name.startswith("files/table") and name.endswith(".pdf")]
    steps = [name for name in files if "-turn-" in name]
    assert len(steps) > 3


@pytest.mark.sampled(1)
@pytest.mark.parametrize("files", ["few", "many"], indirect=True)
def test_no_page_needs_a_script_or_a_server(files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        if name.endswith(".html"):
            page = read(content)
            assert page.tags & {"script", "form", "button", "iframe"} == set(), name
            assert {each for each in page.names if each.startswith(("hx-", "data-", "on"))} <= {"data-label"}, name
            assert content.startswith(b"<!doctype html>"), name
            policy = b'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            assert content.partition(b"<head>")[2].startswith(policy), name


@pytest.mark.sampled(1)
@pytest.mark.parametrize("files", ["few", "many"], indirect=True)
def test_draft_and_other_addresses_are_no_part_of_it(files: Mapping[str, bytes]) -> None:
    assert [name for name in files if name.startswith("pages/rounds-1-division-b")] == []
    text = b"".join(content for name, content in files.items() if name.endswith(".html"))
    assert b"/login/" not in text
    assert b"/director/" not in text


@pytest.mark.long
def test_same_event_gives_the_same_website(full: Tournament) -> None:
    once, again = site(full), site(full)

    assert [name for name in once if once[name] != again.get(name)] == []


@pytest.mark.long
def test_pages_speak_the_language_of_the_event(full: Tournament) -> None:
    update_settings(full, actor=factories.director(), language="nl")

    page = site(Tournament.objects.get(pk=full.pk))["index.html"].decode()

    assert '<html lang="nl">' in page


def test_session_is_stepped_through_turn_by_turn() -> None:
    session, _slip = evening("Avond", factories.director())

    files = site(session.division.tournament)

    assert dead_links(files) == []
    assert "pages/duplicate.html" in files
    assert [name for name in files if name.startswith("pages/duplicate-turn-")]


def test_hidden_event_has_no_website(full: Tournament, director_client: Client) -> None:
    Tournament.objects.filter(pk=full.pk).update(is_public=False)

    with refuses("website_not_public") as refused:
        write_website(Tournament.objects.get(pk=full.pk), io.BytesIO())
    answer = director_client.get(reverse("director:website", args=[full.slug]), follow=True)
    assert str(refused.value) in answer.content.decode()


@pytest.mark.long
def test_director_saves_it_and_the_command_writes_the_same(
    full: Tournament, director_client: Client, tmp_path: Path
) -> None:
    answer = director_client.get(reverse("director:website", args=[full.slug]))
    call_command("export_website", full.slug, "-o", str(tmp_path / "site.zip"))

    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as saved, zipfile.ZipFile(tmp_path / "site.zip") as written:
        assert saved.namelist() == written.namelist()
        assert f"{full.slug}/index.html" in saved.namelist()


@pytest.mark.parametrize(
    ("page", "written"),
    [
        ('<p title="a &amp; b">ä &lt; &#8211; b</p>', '<p title="a &amp; b">ä &lt; &#8211; b</p>'),
        ('<a class="x" href="/gone/" aria-current="page">A <b>B</b></a>', '<span class="x">A <b>B</b></span>'),
        ('<a href="/here/">A</a>', '<a href="here.html">A</a>'),
        ("<form><p>x</p></form>z", "z"),
        ("<div class='account-ways'><div>x</div></div>y", "y"),
        ('<script>"</p>"</script>x<img src="/gone/" alt="">', 'x<img alt="">'),
        ('<td data-label="Siege">7', '<td data-label="Siege">7'),
        ('<p data-live="x" hx-get="y" onclick="z" id="a">', '<p id="a">'),
    ],
)
def test_page_is_written_out_again(page: str, written: str) -> None:
    assert rewrite_page(page, {"/here/": "here.html"}.get) == written
