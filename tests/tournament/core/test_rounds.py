"""What rounds and tables are called."""

import pytest
from django.urls import reverse
from django.utils import translation
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import factories
from tests.games.conftest import browser
from tests.markup import tidy
from tests.tournament.knockout import knockouts
from tests.tournament.paper import samples
from tournament.core.words.rounds import KnockoutPlace, format_round_name, format_round_phrase
from tournament.files.print_room import render_document
from tournament.models import Division, Round


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (KnockoutPlace(1, 2, 1, single=True), "Semi-final"),
        (KnockoutPlace(1, 2, 1), "Semi-final, game 1"),
        (KnockoutPlace(1, 2, 1, 2), "Semi-final 2, game 1"),
        (KnockoutPlace(1, 2, 2, 2, single=True), "Semi-final 2, game 2"),
        (KnockoutPlace(2, 2, 1, 1), "Final, game 1"),
        (KnockoutPlace(2, 2, 3, 2), "Match for third place, game 3"),
        (KnockoutPlace(1, 4, 1, 8), "Round of 16, no. 8, game 1"),
        (KnockoutPlace(1, 3, None, 4), "Quarter-final 4"),
    ],
    ids=str,
)
def test_places_are_named(place: KnockoutPlace, expected: str) -> None:
    with translation.override("en"):
        assert str(place) == expected
        assert str(KnockoutPlace.read(place.stored())) == expected


@pytest.fixture(scope="module")
def seeded_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded()


@pytest.fixture
def semifinals(seeded_of_module: Division, db: None) -> Division:
    """Seeded for two semi-finals of single games."""
    return factories.fresh(seeded_of_module)


@pytest.fixture(scope="module")
def double_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded(form="double")


@pytest.fixture
def double_games(double_of_module: Division, db: None) -> Division:
    """Seeded for two semi-finals of two games each."""
    return factories.fresh(double_of_module)


def test_a_round_of_the_league_has_its_number(db: None) -> None:
    round = factories.published(factories.event())

    with translation.override("en"):
        assert format_round_name(round) == "Round 1"
        assert format_round_phrase(round) == "round 1"


def test_slips_sheets_and_pairings_of_the_knockout_name_the_match(double_games: Division) -> None:
    round = Round.objects.get(division=double_games, number=1102)
    round.division = double_games

    with translation.override("en"):
        printed = {
            name: " ".join(samples.pages(render_document(name, double_games, round)))
            for name in ("result-slips", "scoresheets", "pairings")
        }

    assert "Semi-final 2, game 2" in printed["result-slips"]
    assert "Semi-final 2, game 2" in printed["scoresheets"]
    assert "Semi-final, game 2" in printed["pairings"]
    assert not any("1102" in text for text in printed.values())


def test_the_print_room_offers_the_rounds_of_the_knockout(double_games: Division) -> None:
    doris = browser(factories.director().user)
    room = reverse("director:print_room", args=[double_games.tournament.slug])

    response = doris.get(f"{room}?round=1102")
    slips = doris.get(reverse("director:document", args=[double_games.tournament.slug, "result-slips"]) + "?round=1102")

    assert "Semi-final, game 2</h2>" in tidy(response.content.decode())
    assertContains(response, "round=1101")
    assert slips["Content-Type"] == "application/pdf"


def test_public_rounds_of_the_knockout_lead_to_the_bracket(semifinals: Division) -> None:
    slug = semifinals.tournament.slug
    anybody = browser(factories.user("gast"))

    response = anybody.get(reverse("public:round", args=[slug, 1101]))

    assertRedirects(response, reverse("public:bracket", args=[slug]))
    assert anybody.get(reverse("public:round", args=[slug, 1201])).status_code == 404
    for name in ("rounds", "table", "tournament", "crosstable"):
        assertNotContains(anybody.get(reverse(f"public:{name}", args=[slug])), "1101")
    assert anybody.get(reverse("public:table_after", args=[slug, 1101])).status_code == 404


def test_no_page_of_the_rounds_changes_one_of_the_knockout(semifinals: Division) -> None:
    doris = browser(factories.director().user)

    for name in ("round", "close", "unpublish", "reopen"):
        address = reverse(f"director:{name}", args=[semifinals.tournament.slug, 1101])
        assert doris.post(address).status_code in (404, 405)
        assert doris.get(address).status_code in (404, 405)


@pytest.mark.usefixtures("semifinals")
def test_lists_of_tournaments_count_rounds_of_the_league_only() -> None:
    doris = browser(factories.director().user)

    for name in ("public:home", "director:home"):
        assertNotContains(doris.get(reverse(name)), "1101")


def test_the_announcement_states_the_knockout(db: None) -> None:
    division = factories.event(rounds=1)
    knockouts.announce(division, 8, form="best_of", best_of=3, criteria=("playing_time",), third_place=True)
    anybody = browser(factories.user("gast"))

    response = anybody.get(reverse("public:announcement", args=[division.tournament.slug]))
    with translation.override("en"):
        paper = " ".join(samples.pages(render_document("announcement", division)))

    for text in (
        "The first 8 of the table",
        "best of 3 games (TSO 6.2.3)",
        "less time used, highest game, highest move",
    ):
        assertContains(response, text)
        assert text in " ".join(paper.split())
