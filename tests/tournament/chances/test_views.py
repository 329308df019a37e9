"""What can still happen, on the pages of the public and the director, on the glass, and in three languages."""

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django.asserts import assertContains, assertNotContains

from scoring.needs import NeedKind
from tests import factories
from tests.games.conftest import browser
from tests.tournament.paper import samples
from tournament.access.codes import make_personal_link
from tournament.basics.showing import ShowingTrigger
from tournament.chances.files import build_chances_json
from tournament.chances.queries import find_reach, load_chances, simulate_shares
from tournament.chances.tables import list_chance_rows
from tournament.chances.words import describe_needs, describe_share, describe_what_is_left, format_share
from tournament.core.public_view import open_public_view
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.files.print_room import render_document
from tournament.hall.contents import make_standings_part
from tournament.models import Division, Round
from tournament.pages.tables import TournamentLinks
from tournament.rounds.plan import PlanSegment
from tournament.table.league import load_table

pytestmark = pytest.mark.django_db

PLAYERS = 8


def play(players: int = PLAYERS, rounds: int = 4, *, to_come: int = 1, missing: int = 2) -> Division:
    """An event with some rounds to come, and at the last tables of the last round no result; written past the
    operations for speed."""
    chance = random.Random(3)
    division = factories.event(players=players, rounds=0)
    division.plan = [PlanSegment(1, rounds + to_come, "swiss").stored()]
    division.save()
    for number in range(1, rounds + 1):
        round = factories.published(factories.fresh(division))
        tables = players // 2 - (missing if number == rounds else 0)
        factories.write_scores(round, *((500 - 10 * table, chance.randint(330, 400)) for table in range(1, tables + 1)))
    return factories.fresh(division)


@pytest.fixture(scope="module")
def running_of_module(*, shares_rows: bool) -> Division:
    return play()


@pytest.fixture
def running(running_of_module: Division, db: None) -> Division:
    """Two games of the fourth round are open, and one round is to come."""
    return factories.fresh(running_of_module)


def test_page_has_bounds_at_once_and_shares_when_asked(client: Client, running: Division) -> None:
    slug = running.tournament.slug

    at_once = client.get(reverse("public:chances", args=[slug]))
    later = client.get(reverse("public:chances_shares", args=[slug]))

    found = load_chances(running)
    assertContains(at_once, 'hx-trigger="load"')
    assertNotContains(at_once, "share-bar")
    for player, prospect in found.prospects.items():
        assertContains(later, found.entries[player].name)
        if prospect.best > found.places[-1]:
            continue
        assertContains(
            at_once, f"{prospect.best}–{prospect.worst}" if prospect.best < prospect.worst else prospect.best
        )
    out = sorted(found.entries[key].name for key, each in found.prospects.items() if each.best > found.places[-1])
    [line] = re.findall(r'chances-out">Die Plätze 1 bis 3 sind nicht mehr zu erreichen für: (.+?)\.</p>', later.text)
    assert sorted(line.split("; ")) == out
    assertContains(later, "share-bar")
    assertContains(later, "20.000")
    assertNotContains(later, "hx-trigger")


@pytest.mark.long
def test_late_entry_has_no_rank_before_the_table_has_them_and_moves_nobody(client: Client) -> None:
    division = play(missing=0)
    before = load_chances(division)
    late = enter_player(division, person=Person("Spät, Sina"), late=LateEntry(5), actor=factories.director())

    found = load_chances(factories.fresh(division))

    rows = list_chance_rows(found, None, TournamentLinks(division.tournament))
    assert [(row.rank, row.entry.pk) for row in rows[:-1]] == [(each.rank, each.player) for each in before.rows]
    assert (rows[-1].rank, rows[-1].entry) == (None, late)
    assert {row.entry.pk: row.standing.rank for row in load_table(division).rows} == {
        player: rank for player, rank in found.ranks.items() if player != late.pk
    }
    told = {each["player"]: each["rank"] for each in build_chances_json(found, None, {})["players"]}
    assert told == {found.entries[each.player].key: each.rank for each in before.rows}
    assertContains(client.get(reverse("public:chances", args=[division.tournament.slug])), "Spät, Sina")


@pytest.mark.parametrize(
    ("share", "low", "high", "said"),
    [
        (0.45, 0.43, 0.47, "Platz 3 oder besser: 45 %, zwischen 43 und 47 %"),
        (0.05, 0.047, 0.053, "Platz 3 oder besser: 5 %"),
    ],
)
def test_interval_is_said_where_it_has_two_ends(share: float, low: float, high: float, said: str) -> None:
    assert describe_share(3, share, low, high).replace("\N{NO-BREAK SPACE}", " ") == said


def test_director_sees_what_is_held_back_and_the_public_does_not() -> None:
    division = play(missing=0)
    Round.objects.filter(division=division, number=4).update(table_shown=ShowingTrigger.HAND.value)
    division = factories.fresh(division)

    whole = load_chances(division)
    with open_public_view(division.tournament):
        public = load_chances(division)

    assert (whole.after, whole.open_games) == (4, 0)
    assert (public.after, public.open_games) == (4, 4)
    for player, prospect in whole.prospects.items():
        assert public.prospects[player].best <= prospect.best
        assert public.prospects[player].worst >= prospect.worst
    answer = browser(factories.director().user).get(reverse("director:chances", args=[division.tournament.slug]))
    assertContains(answer, "Proven: the places left, and what it takes")


@pytest.mark.long
def test_players_page_says_what_is_needed_in_the_last_rounds(client: Client, running: Division) -> None:
    found = load_chances(running)

    for row in found.rows:
        entry = found.entries[row.player]
        page = client.get(reverse("public:player", args=[running.tournament.slug, entry.key]))
        assertContains(page, "Was brauche ich?")
        with translation.override("de"):
            for sentence in describe_needs(found.list_needs(row.player), found.names):
                assertContains(page, sentence)


def test_own_page_says_what_stays_true(client: Client, django_assert_max_num_queries: Any) -> None:
    division = play(rounds=5)
    lasting = {}
    for row in load_chances(division).rows:
        needs = load_chances(division).list_needs(row.player)
        lasting[row.player] = [need for need in needs if need.kind is not NeedKind.OPEN]
    assert any(lasting.values())

    for entry in division.entries.all():
        with translation.override("de"):
            said = describe_needs(lasting[entry.pk], load_chances(division).names)
        client.get(reverse("games:me", args=[make_personal_link(entry)]))
        with django_assert_max_num_queries(6):
            page = client.get(reverse("games:me", args=[make_personal_link(entry)]))
        assert ("Was brauche ich?" in page.text) is bool(said)
        for sentence in said:
            assertContains(page, sentence)


@pytest.mark.long
def test_nothing_is_said_early_or_at_the_end(client: Client) -> None:
    for division in (play(to_come=9), play(to_come=0, missing=0)):
        key = division.entries.first().key
        page = client.get(reverse("public:player", args=[division.tournament.slug, key]))
        assertNotContains(page, "Was brauche ich?")
        assertNotContains(client.get(reverse("public:table", args=[division.tournament.slug])), "✓ ")


def test_table_marks_who_is_safe_and_who_is_out(client: Client) -> None:
    division = play(rounds=6, to_come=0, missing=1)
    found = load_chances(division)
    last = found.places[-1]

    page = client.get(reverse("public:table", args=[division.tournament.slug]))

    safe = [prospect for prospect in found.prospects.values() if prospect.worst <= last]
    out = [prospect for prospect in found.prospects.values() if prospect.best > last]
    assert safe
    assert out
    assertContains(page, "sicher</span>✓ ", count=len(safe))
    assertContains(page, "nicht mehr möglich</span>–", count=len(out))
    assertContains(page, "✓ sicher · – keiner der ersten Plätze mehr möglich", count=1)


def test_glass_shows_the_places_left(running: Division) -> None:

    part = make_standings_part(running)

    assert part.headings[-1].text == "noch möglich"
    found = load_chances(running)
    told = [
        f"{each.best}–{each.worst}" if each.best < each.worst else f"{each.best}" for each in found.prospects.values()
    ]
    assert [row.cells[-1] for row in part.rows] == told


@pytest.mark.long
def test_sheet_for_the_wall_says_what_the_public_may_know() -> None:
    division = play(missing=0)
    Round.objects.filter(division=division, number=4).update(table_shown=ShowingTrigger.HAND.value)
    division = factories.fresh(division)
    with open_public_view(division.tournament):
        public = load_chances(division)

    with translation.override("de"):
        text = " ".join("\n".join(samples.pages(render_document("chances", division))).split())

    assert "Wer kann noch was werden" in text
    assert "4 Partien offen" in text
    assert text.count("nicht mehr zu erreichen") == 1  # in the line at the foot
    for player, prospect in public.prospects.items():
        assert public.entries[player].name in text
        assert f"{prospect.best}–{prospect.worst}" in text or prospect.best > public.places[-1]
    over = factories.fresh(play(to_come=0, missing=0))
    with translation.override("de"):
        assert "Alle Partien sind gespielt." in samples.pages(render_document("chances", over))[0]


def test_shares_keep_to_the_bounds_and_to_the_seed(running: Division) -> None:
    found = load_chances(running)

    shares, again = (simulate_shares(found, runs=2500, seed=7) for _ in range(2))
    other = simulate_shares(found, runs=2500, seed=8)

    assert shares == again != other
    assert shares is not None
    for player, prospect in found.prospects.items():
        reach = [find_reach(found, shares, player, place) or 0.0 for place in found.places]
        assert reach == sorted(reach)
        for place, share in zip(found.places, reach, strict=True):
            assert (
                (share == 0) if prospect.best > place else (share == 1) if prospect.worst <= place else 0 <= share <= 1
            )
            if prospect.best > place:
                assert shares.counted[player][place] == 0
            if prospect.worst <= place:
                assert shares.counted[player][place] == shares.runs
    assert sum(shares.counted[player][1] for player in shares.counted) == shares.runs


def test_table_by_points_has_no_shares(running: Division) -> None:
    running.tournament.basis = "points"
    running.tournament.save()

    found = load_chances(factories.fresh(running))

    assert simulate_shares(found) is None
    assert {find_reach(found, None, player, 1) for player in found.prospects} == {None}


def test_shares_in_figures_and_words() -> None:
    with translation.override("en"):
        assert [format_share(share) for share in (None, 0.0, 0.004, 0.125, 0.996)] == [
            "…",
            "< 1%",
            "< 1%",
            "12%",
            "> 99%",
        ]
        assert [format_share(share, is_proven=True) for share in (0.0, 1.0)] == ["out of reach", "certain"]
        assert [describe_what_is_left(*left) for left in ((1, 0), (2, 1), (0, 3), (0, 0))] == [
            "1 round to come",
            "2 rounds to come · 1 game open",
            "3 games open",
            "All games are played.",
        ]


def test_by_keizer_the_page_says_why_it_is_empty_and_nothing_else(client: Client) -> None:
    division = factories.event(players=4, basis="keizer")
    factories.played(division)

    page = client.get(reverse("public:chances", args=[division.tournament.slug])).content.decode()

    assert "Nach Keizer wird nichts vorhergesagt" in page
    assert "Noch keine Einträge." not in page
    assert "<details" not in page.partition('id="chances"')[2].partition("</div>")[0]
