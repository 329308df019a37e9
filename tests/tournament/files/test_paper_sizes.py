"""Nothing on paper is too small to be read: the sizes of letters in every document of the print room, for small events,
large ones, and those in which everything has a long name."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from tests import factories
from tests.games.duplicate.steps import evening
from tests.tournament.paper import samples
from tests.tournament.paper.samples import Drawn
from tournament.files.print_room import DOCUMENTS, EXTRA_DOCUMENTS, render_document
from tournament.models import Club, Division, Player
from tournament.paper.grid import EASY_SIZE
from tournament.paper.lettering import ELLIPSIS, SMALLEST_SIZE
from tournament.paper.sheet import FOOT_SIZE

pytestmark = pytest.mark.django_db
AT = datetime(2026, 10, 3, 12, 5, tzinfo=UTC)
WRITTEN = re.compile(rb"/F\S+ ([\d.]+) Tf (?:[\d.]+ TL )?\(")  # a line of text in a page's content
LONG_NAMES = (
    "Papadopoulou-Wittelsbacher-Schnepfenthal, Maximiliane Theres",
    "Müller-Lüdenscheidt, Ann-Kathrin",
    "von und zu Hohenlohe-Waldenburg-Schillingsfürst, Friedrich-Wilhelm",
    "Nguyễn, Thị Hương",
    "Donaudampfschifffahrtsgesellschaftskapitän, Otto",
    "Sa, Li",
)
LONG_EVENT = "Internationale offene deutsche Meisterschaft im Scrabble der Vereine und Verbände 2026"
TABLES = ("standings", "final", "crosstable", "entries", "check-in", "teams", "ratings", "chances")


def play(players: int, *, rounds: int, knockout: int, **details: Any) -> Division:
    """An event with teams, so many rounds played and one published, and a knock-out that has begun."""
    rules: dict[str, Any] = {"ruleset": "tso-2017", "team_rule": "places", "ratings_public": True, "minutes": 30}
    division = factories.event(players=players, rounds=rounds + 1, **(rules | details))
    factories.season(division, rounds)
    factories.published(factories.fresh(division))
    return factories.knockout(factories.fresh(division), knockout)


def build_small() -> Division:
    return play(5, rounds=4, knockout=4)


def build_large() -> Division:
    return play(60, rounds=14, knockout=32)


def build_long_named() -> Division:
    """Everybody, every club, the event and its place have long names."""
    division = play(18, rounds=8, knockout=16, name=LONG_EVENT, place="Stadthalle Oberhausen-Sterkrade, Kleiner Saal")
    for number, entry in enumerate(division.entries.in_order()):
        name = LONG_NAMES[number % len(LONG_NAMES)] + ("" if number < len(LONG_NAMES) else f" {number}")
        Player.objects.filter(pk=entry.player_id).update(name=name)
    for number, club in enumerate(Club.objects.all()):
        Club.objects.filter(pk=club.pk).update(name=f"Scrabblefreunde Nordrhein-Westfalen und Umgebung {number}")
    return factories.fresh(division)


def build_own_sheets() -> Division:
    """Rules by which each player keeps a sheet of their own."""
    division = factories.event(players=4, ruleset="sbnl-wedstrijd")
    factories.published(division)
    return factories.fresh(division)


def build_session() -> Division:
    session, _slip = evening("Simultaan", factories.director())
    return session.division


def list_sizes(document: bytes) -> Iterator[float]:
    """The size of every line of text in the file, what is stamped on all pages included."""
    for page in samples.reader(document).pages:
        forms = (form.get_object() for form in page["/Resources"].get("/XObject", {}).values())
        for content in (page.get_contents(), *forms):
            yield from (float(size) for size in WRITTEN.findall(content.get_data()))


def find_too_small(division: Division, names: list[str]) -> dict[str, float]:
    """The documents with letters below the smallest size, and the size of these."""
    sizes = {name: list(list_sizes(render_document(name, division, printed_at=AT))) for name in names}
    assert all(sizes.values())
    return {name: min(found) for name, found in sizes.items() if min(found) < SMALLEST_SIZE}


PAPERS = list(DOCUMENTS)


@pytest.mark.parametrize(
    ("build", "names"),
    [
        pytest.param(build_small, PAPERS, id="a small event", marks=pytest.mark.long),
        pytest.param(build_large, PAPERS, id="a large event", marks=pytest.mark.long),
        pytest.param(build_long_named, PAPERS, id="long names", marks=pytest.mark.long),
        pytest.param(build_long_named, ["result-slips", "standings", "bracket"], id="long names, some papers"),
        (build_own_sheets, ["scoresheets", "blank-scoresheet", "result-slips"]),
        (build_session, list(EXTRA_DOCUMENTS)),
    ],
)
@pytest.mark.parametrize("language", ["de"])
def test_no_letter_is_smaller_than_seven_points(build: Callable[[], Division], names: list[str], language: str) -> None:
    with translation.override(language):
        assert find_too_small(build(), names) == {}


@pytest.mark.long
def test_no_long_name_is_cut(drawn: list[Drawn]) -> None:
    division = build_long_named()
    with translation.override("de"):
        for name in PAPERS:
            render_document(name, division, printed_at=AT)

    assert {each.text for each in drawn if each.text.endswith(ELLIPSIS)} == set()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.sampled(2)
def test_table_with_room_is_read_with_ease(name: str, drawn: list[Drawn]) -> None:
    division = build_small()
    with translation.override("de"):
        render_document(name, division, printed_at=AT)

    rows = [each for each in drawn if each.size != FOOT_SIZE and 40 < each.y < 740]
    assert {each.text: each.size for each in rows if each.size < EASY_SIZE - 0.5} == {}
