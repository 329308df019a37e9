"""Two players of one name find the right table on every list of a round."""

import re
from datetime import date
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from tests import factories
from tests.tournament.paper import samples
from tests.tournament.seasons.steps import season
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import name_divisions
from tournament.entries.forms import KeepApartForm
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.files.print_room import render_document
from tournament.hall.contents import make_standings_part
from tournament.models import Division, Entry, Player, Round
from tournament.pairing.values import Method
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.seasons.season_table import list_possible_events

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=0)
    clubs = ("SC Köln", "SC Bonn")
    people = [("Aal, Udo", club) for club in clubs] + [("Bär, Eva", club) for club in (*clubs, clubs[1])]
    for name, club in [*people, ("Cox, Ida", "SC Köln")]:
        enter_player(division, person=Person(name, club=club), actor=factories.director(), anyway=True)
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    """Two of one name in two clubs, three of another of whom two share a club; one more alone with hers."""
    return factories.fresh(division_of_module)


EXPECTED = [
    *["Aal, Udo (SC Köln)", "Aal, Udo (SC Bonn)"],
    *["Bär, Eva (SC Köln)", "Bär, Eva (P04)", "Bär, Eva (P05)", "Cox, Ida"],
]


def test_club_tells_namesakes_apart_or_else_the_number(division: Division) -> None:
    found = Entry.objects.filter(division=division).in_order()

    assert [entry.name for entry in found.with_names()] == [entry.name for entry in found] == EXPECTED


@pytest.mark.parametrize("path", ["rounds/1/", "rounds/1/?by=name", "screen/1/"])
@pytest.mark.sampled(1)
def test_lists_of_a_round_tell_them_apart(division: Division, client: Client, path: str) -> None:
    factories.published(division)

    page = client.get(f"/t/{division.tournament.slug}/{path}").content.decode()

    assert all(name in page for name in EXPECTED)
    assert not re.search(r"(Aal, Udo|Bär, Eva)<", page.partition("<table")[2].partition("</table")[0])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["pairings", "pairings-by-name", "result-slips"])
def test_paper_of_a_round_tells_them_apart(division: Division, name: str) -> None:
    factories.published(division)

    with translation.override("de"):
        text = " ".join(" ".join(samples.pages(render_document(name, division))).split())

    assert all(name in text for name in EXPECTED)


def test_badges_and_certificates_say_the_name_as_it_is_said(division: Division) -> None:
    factories.published(division)

    with translation.override("de"):
        badges, certificates = (
            [" ".join(page.split()) for page in samples.pages(render_document(name, division))]
            for name in ("badges", "certificates")
        )

    assert all(text in badges[0] for text in ("Udo Aal SC Köln", "Udo Aal SC Bonn", "Eva Bär SC Bonn · P04"))
    assert sum("Udo Aal SC Köln" in page for page in certificates) == 1


def test_form_offers_namesakes_by_what_tells_them_apart(division: Division) -> None:
    first = Entry.objects.filter(division=division).with_names().in_order()[0]

    form = KeepApartForm(entry=first)

    field: Any = form.fields["other"]
    offered = [label for _value, label in field.choices][1:]
    assert sorted(offered) == sorted(EXPECTED[1:])


@pytest.mark.parametrize(
    ("path", "option"),
    [("", r'<option value="([^"]*)" data-key="P'), ("rounds/1/", r'<option value="P\d+">(.*?)</option>')],
)
def test_whoever_chooses_a_name_can_tell_them_apart(division: Division, client: Client, path: str, option: str) -> None:
    factories.published(division)
    Round.objects.update(method=Method.SWISS)  # of one set by hand nobody asks why

    page = client.get(f"/t/{division.tournament.slug}/{path}").content.decode()

    assert set(re.findall(option, page)) == set(EXPECTED)


def test_draw_and_its_reasons_tell_them_apart(division: Division, client: Client) -> None:
    factories.sign_in(client)
    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(method=Method.RANDOM, seed=1))
    slug = division.tournament.slug
    pages = [client.get(f"/director/{slug}/rounds/1/").content.decode()]
    publish_round(drawn, actor=factories.director())
    pages += [client.get(path).content.decode() for path in (f"/director/{slug}/rounds/1/", f"/t/{slug}/rounds/1/")]

    for page in pages:
        assert all(name in page for name in EXPECTED)
        assert not re.search(r"(Aal, Udo|Bär, Eva)(?! \()", page)
        assert set(re.findall(r"(?:Udo Aal|Eva Bär)(?: \(.*?\))?", page)) <= set(map(format_spoken_name, EXPECTED))


def test_events_of_one_name_are_told_apart_by_day_or_address() -> None:
    divisions_before = list(Division.objects.values_list("pk", flat=True))
    days = (date(2026, 1, 17), date(2026, 2, 21), date(2026, 2, 21))
    made = [factories.event("Vereinsabend", players=2).tournament for _day in days]
    for tournament, day in zip(made, days, strict=True):
        tournament.starts_on = day
        tournament.save()
    factories.event("Stadtmeisterschaft", players=2)
    found = season(factories.event("Januar", players=2))

    with translation.override("de"):
        names = list(name_divisions(list_possible_events(found).exclude(pk__in=divisions_before)).values())

    assert sorted(names) == [
        "Stadtmeisterschaft",
        "Vereinsabend (17.01.2026)",
        f"Vereinsabend ({made[1].slug})",
        f"Vereinsabend ({made[2].slug})",
    ]


def test_duplicate_session_is_not_offered_to_a_season() -> None:
    """A season of places alone takes one."""
    divisions_before = list(Division.objects.values_list("pk", flat=True))
    wins = season(factories.event("Januar", players=2), name="Siege", rule="wins")
    places = season(wins.events.get().division, name="Plätze")
    session = factories.event("Duplicate", players=2, ruleset="sbnl-duplicate", rounds=0)

    assert list(list_possible_events(wins).exclude(pk__in=divisions_before)) == []
    assert list(list_possible_events(places).exclude(pk__in=divisions_before)) == [session]


def test_namesakes_of_the_register_are_told_apart(division: Division) -> None:
    found = Player.objects.by_name()
    number = {entry.key: entry.player_id for entry in Entry.objects.filter(division=division)}

    expected = [*EXPECTED[:3], f"Bär, Eva ({number['P04']})", f"Bär, Eva ({number['P05']})", "Cox, Ida"]
    assert [player.called for player in found.with_names()] == [player.called for player in found]
    assert sorted(player.called for player in found) == sorted(expected)


@pytest.mark.parametrize(
    "path",
    [
        "/t/herbst-cup/entries/",
        "/t/herbst-cup/table/",
        "/t/herbst-cup/table.csv",
        "/director/herbst-cup/entries/",
        "/director/herbst-cup/table/",
        "/director/herbst-cup/ratings.csv",
        "/director/register/players/",
    ],
)
@pytest.mark.sampled(2)
def test_club_that_stands_beside_a_name_is_not_behind_it_too(division: Division, client: Client, path: str) -> None:
    factories.sign_in(client)
    factories.played(division, (431, 388), (400, 380), (350, 340))

    answer = client.get(path)

    page = re.sub(r'<(span|b) class="(?:only-s|if-spared)">.*?</\1>', "", answer.content.decode())
    assert (answer.status_code, "SC Köln)" in page) == (200, False)
    assert page.count("SC Köln") >= 1


def test_screen_has_the_club_behind_a_name_only_where_its_column_is_left_out(division: Division) -> None:
    """A glass without room leaves columns out that can be spared; two of one name then need it again."""
    factories.played(division, (431, 388), (400, 380), (350, 340))
    division = factories.fresh(division)

    page = render_to_string("tournament/hall/_part.html", {"part": make_standings_part(division)})

    assert 'Aal, Udo<b class="if-spared"> (SC Köln)</b>' in page
    assert page.count('<b class="if-spared">') == 3
    assert page.count("SC Köln") == 5
    assert "Bär, Eva (P04)</span>" in page


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["entries", "check-in", "standings", "final"])
def test_club_beside_a_name_is_on_paper_once(division: Division, name: str) -> None:
    factories.played(division, (431, 388), (400, 380), (350, 340))

    with translation.override("de"):
        text = " ".join(" ".join(samples.pages(render_document(name, division))).split())

    assert (text.count("(SC Köln)"), text.count("(SC Bonn)"), text.count("SC Köln")) == (0, 0, 3)
    assert "Bär, Eva (P04)" in text
