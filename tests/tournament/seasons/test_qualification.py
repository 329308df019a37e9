"""Who qualifies by a season: from results to page, files and command."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.models import DuplicateSession
from scoring.season import QualifyingRules, SeasonRule
from tests import factories
from tests.games.duplicate.steps import closed, opened, slip
from tests.tournament.exchange import examples
from tests.tournament.exchange.terminal import run
from tests.tournament.paper.samples import pages
from tests.tournament.seasons.steps import ANNA, BERT, CORA, DORA, event, season
from tournament.basics.refusals import Refusals
from tournament.core.change import TERMINAL_ACTOR
from tournament.ending.operations import end_tournament
from tournament.events.operations import add_division
from tournament.models import Division, Player, Season, SeasonEvent
from tournament.seasons.files import build_season_json, render_season_pdf
from tournament.seasons.operations import add_season_event, decide_same_person, edit_season
from tournament.seasons.season_table import SeasonTable, build_season_table
from tournament.seasons.tables import SeasonRows
from tournament.seasons.words import describe_qualification, describe_season_rules

pytestmark = pytest.mark.django_db

SMALL = {"tiers": [4, 4, 6], "division_places": [2, 1], "division_players": 2, "least_games": 10, "least_events": 2}
"""The criteria of the Liga der Champions, for fields that a test can play."""

TOURNAMENTS = sorted((examples.DATA / "tournaments").glob("*")) if examples.DATA.is_dir() else []

FOUR = (ANNA, BERT, CORA, DORA)


def qualifying(*events: Division, size: int = 4, direct: int = 0, **stated: Any) -> Season:
    """A season by whose places one qualifies; of the first event so many first places do so directly."""
    found = season(rule="qualifying", qualifying={**SMALL, "size": size}, **stated)
    for number, each in enumerate(events):
        add_season_event(found, division=each, actor=factories.director(), direct=0 if number else direct)
    return Season.objects.select_related("organiser").get(pk=found.pk)


def rate(**ratings: tuple[int | None, int]) -> None:
    for name, (rating, games) in ratings.items():
        Player.objects.filter(name__contains=name).update(rating=rating, games=games)


def listed(found: SeasonTable) -> list[tuple[str, str]]:
    return [(found.players[each.row.player].name, each.by.value) for each in found.qualified]


@pytest.fixture(scope="module")
def three_events_of_module(*, shares_rows: bool) -> list[Division]:
    return [event("Meisterschaft", *FOUR), event("Sommer", BERT, ANNA, DORA, CORA), event("Klein", CORA, ANNA, BERT)]


@pytest.fixture
def three_events(three_events_of_module: list[Division], db: None) -> list[Division]:
    """A championship of four, an event of four and one of three, which is too small. Winners beat their neighbours."""
    return [factories.fresh(division) for division in three_events_of_module]


def test_direct_then_places_then_rating(three_events: list[Division]) -> None:
    """The championship is won by Anna before Cora, Bert, Dora; the summer by Bert before Dora, Anna, Cora."""
    rate(Anna=(1500, 50), Bert=(1400, 50), Cora=(1600, 50), Dora=(1300, 50))

    found = build_season_table(qualifying(*three_events, direct=1))

    assert listed(found) == [(ANNA, "direct"), (BERT, "places"), (CORA, "places"), (DORA, "places")]
    with translation.override("en"):
        assert [describe_qualification(each, found) for each in found.qualified] == [
            "Place 1, Meisterschaft: the first qualifies directly.",
            "1 place that counts: 1 × place 1.",
            "1 place that counts: 1 × place 2.",
            "1 place that counts: 1 × place 2.",
        ]


def test_rating_fills_up_with_whoever_has_played_enough() -> None:
    first = event("Eins", *FOUR)
    second = event("Zwei", *FOUR, "Spät, Emil", "Zuletzt, Fred")
    rate(Emil=(2000, 500), Fred=(None, 0), Dora=(1300, 10), Bert=(1400, 9))

    found = build_season_table(qualifying(first, second, size=6))

    assert listed(found)[-1] == (DORA, "rating")
    with translation.override("en"):
        assert describe_qualification(found.qualified[-1], found) == (
            "Rating 1300; games in all: 10; events of the season: 2."
        )


def test_level_players_for_the_last_place_are_not_decided() -> None:
    found = build_season_table(qualifying(event("Eins", *FOUR), event("Zwei", *FOUR[::-1]), size=1))

    assert {each.is_open for each in found.qualified} == {True}
    with translation.override("en"):
        assert describe_qualification(found.qualified[0], found).endswith("can qualify: not decided.")


def test_divisions_count_by_their_order_and_size() -> None:
    top = event("Gruppen", ANNA, BERT, over=False)
    second = add_division(top.tournament, name="B", actor=factories.director())
    for name in (CORA, DORA):
        factories.entry(second, name)
    factories.played(second, (400, 300))
    end_tournament(top.tournament, accept_open=True, actor=factories.director())

    found = build_season_table(qualifying(top, Division.objects.get(name="B")))

    assert [(line.player.name, int(line.row.total)) for line in found.lines] == [
        (ANNA, 1), (CORA, 1), (BERT, 1), (DORA, 0),
    ]  # fmt: skip


def test_who_never_played_makes_no_field_larger() -> None:
    first = event("Eins", ANNA, BERT, CORA)
    factories.entry(first, DORA)

    assert listed(build_season_table(qualifying(first))) == []


def test_one_person_under_two_names_has_the_row_with_more_games() -> None:
    made = qualifying(event("Eins", ANNA, BERT), event("Zwei", "Anna Beispiel", BERT))
    rate(Anna=(1500, 5))
    one, other = Player.objects.get(name=ANNA), Player.objects.get(name="Anna Beispiel")
    Player.objects.filter(pk=other.pk).update(rating=1700, games=80)
    decide_same_person(made, one=one, other=other, is_same=True, actor=factories.director())

    (qualified,) = build_season_table(made).qualified

    assert (qualified.candidate.rating, qualified.candidate.games) == (1700, 80)


def test_files_say_who_qualifies_and_why(three_events: list[Division]) -> None:
    made = qualifying(*three_events, direct=1)

    with translation.override("en"):
        found = build_season_table(made)
        told = build_season_json(found)
        heads, first, *_more = csv.reader(io.StringIO(SeasonRows(found).build_csv().decode("utf-8-sig")))
        paper = pages(render_season_pdf(found))

    assert told["qualified"][0] == {
        "name": ANNA,
        "by": "direct",
        "open": False,
        "direct": {"event": 0, "place": 1},
        "places": [],
        "rating": None,
        "games": 0,
        "events": 3,
        "sentence": "Place 1, Meisterschaft: the first qualifies directly.",
    }
    assert (heads[0], heads[-1], first[-1]) == ("Rank", "Qualifies by", "1 place that counts: 1 × place 1.")
    assert "Who qualifies" in paper[0]
    assert "Standings of the season" in paper[1]
    out = run("season", made.slug, "--language", "en")[1]
    assert out.splitlines()[-4].split()[:3] == ["1", *ANNA.split()]


def test_other_seasons_qualify_nobody() -> None:
    found = build_season_table(season(event("Eins", *FOUR)))

    assert found.qualified == ()
    assert "qualified" not in build_season_json(found)


def test_page_shows_places_and_strikes_out_those_that_do_not_count(
    three_events: list[Division], reader: Client
) -> None:
    made = qualifying(*three_events, direct=1)

    page = reader.get(f"/seasons/{made.slug}/").content.decode()

    assert "Who qualifies" in page
    assert "the first qualifies directly" in page
    assert "place 1 from 4 players, place 2 from 4 players, place 3 from 6 players" in page
    assert '<s class="muted">3<span' in page


@pytest.mark.parametrize("events", [1, 3])
def test_table_asks_as_often_for_each_event(events: int, django_assert_max_num_queries: Any) -> None:
    made = qualifying(*[event(f"Abend {number}", *FOUR) for number in range(events)])

    with django_assert_max_num_queries(8 + 10 * events):
        build_season_table(made)


# Per cent of the median.


def test_points_are_measured_by_the_median_of_each_event() -> None:
    """Each event has a game at table 1 of 500 : 400 and one at table 2 of 490 : 400: medians 445."""
    made = season(event("Eins", *FOUR), event("Zwei", *FOUR), event("Drei", ANNA, BERT), rule="median", least_events=3)

    found = build_season_table(made)

    assert [line.player.name for line in found.lines] == [ANNA, BERT]
    with translation.override("en"):
        rows = build_season_json(found)["rows"]
    assert [score["value"] for score in rows[0]["scores"]] == [112.3596, 112.3596, 111.1111]
    assert rows[0]["total"] == 111.9434


def test_session_counts_by_its_points() -> None:
    division = factories.event("Avond", players=3, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    prepare_session(division, plan=SessionPlan(), actor=factories.director())
    turn = opened(DuplicateSession.objects.select_related("division__tournament").get())
    slip(turn, 1, "8H ZES 14")
    closed(turn, "8H", "ZES")
    end_tournament(division.tournament, actor=factories.director(), accept_open=True)

    found = build_season_table(season(factories.fresh(division), rule="median"))

    assert [float(line.row.total) for line in found.lines] == [100, 0, 0]


# What the director states.


def test_preset_makes_the_season_of_the_liga_der_champions(client: Client) -> None:
    factories.sign_in(client)
    typed = {"name": "LdC", "preset": "ldc-2026", "rule": "places", "points": "20", "shared": "each"}

    client.post("/director/register/seasons/", typed)

    made = Season.objects.get()
    assert made.rule == SeasonRule.QUALIFYING
    assert made.qualifying_rules == QualifyingRules((16, 16, 48), (2, 1), 11, 24, 100, 2)


def test_preset_makes_the_club_year_of_the_ntsv(client: Client) -> None:
    factories.sign_in(client)

    client.post("/director/register/seasons/", {"name": "N", "preset": "ntsv", "rule": "wins", "shared": "each"})

    made = Season.objects.get()
    assert (made.rule, made.least_events, made.least_percent) == (SeasonRule.MEDIAN, 3, 33)


def test_director_states_who_qualifies_and_which_event_qualifies_directly(client: Client) -> None:
    factories.sign_in(client)
    made, first = qualifying(), event("Eins", *FOUR)
    page = f"/director/register/seasons/{made.pk}/"
    figures = {"tiers": "8, 8", "division_places": "", "division_players": "", "size": "12", "least_games": "50"}

    client.post(page, {"name": "Neu", "rule": "qualifying", **figures, "rating_events": "1"})
    client.post(f"{page}choose/", {"division": first.pk, f"direct-{first.pk}": "3"})

    assert Season.objects.get().qualifying_rules == QualifyingRules((8, 8), (), 0, 12, 50, 1)
    assert SeasonEvent.objects.get().direct == 3
    assert 'name="points"' not in client.get(page).content.decode()


def test_figures_that_are_none_are_refused_where_they_were_typed(client: Client) -> None:
    factories.sign_in(client)
    made = qualifying()

    answer = client.post(
        f"/director/register/seasons/{made.pk}/",
        {"name": "Neu", "rule": "qualifying", "tiers": "8, viele", "size": "-1", "rating_events": "99999"},
    )

    assert set(answer.context["form"].errors) == {"tiers", "size", "rating_events"}


def test_too_many_figures_are_refused() -> None:
    made = qualifying()
    plan = Season.objects.get()
    plan.qualifying = {"tiers": [1] * 21, "size": 10_000}

    with pytest.raises(Refusals) as refused:
        edit_season(made, plan=plan, actor=factories.director())

    assert [each.field for each in refused.value.refusals] == ["tiers", "size"]


def test_direct_places_out_of_range_are_refused() -> None:
    with pytest.raises(Refusals):
        add_season_event(qualifying(), division=event("Eins", ANNA, BERT), actor=factories.director(), direct=100)


@pytest.mark.parametrize(
    ("stated", "said"),
    [({"tiers": []}, "Of an event count:"), ({"division_places": []}, "Of an event with several divisions,")],
)
def test_rules_tell_only_what_there_is(stated: dict[str, Any], said: str) -> None:
    with translation.override("en"):
        all_facts, facts = (
            describe_season_rules(Season(rule="qualifying", qualifying=each).counting, with_running=False)
            for each in ({}, stated)
        )

    assert [fact.startswith(said) for fact in all_facts].count(True) == 1
    assert not any(fact.startswith(said) for fact in facts)


def test_least_events_are_told() -> None:
    plan = Season(rule="median", least_events=3, least_percent=33)

    with translation.override("en"):
        facts = describe_season_rules(plan.counting, with_running=True)

    assert facts[2] == (
        "Listed is whoever has played: at least 3 events, as soon as there are so many; at least 33% of the events."
    )


@pytest.mark.long
@pytest.mark.skipif(not TOURNAMENTS, reason="no real tournaments beside the program's folder")
def test_real_tournaments_as_a_season_qualify_by_their_published_places() -> None:
    """Nine real divisions as open events of their own, by the criteria of the Liga der Champions as they are."""
    made = season(rule="qualifying", qualifying={"size": 6}, with_running=True)
    places: dict[str, list[int]] = {}
    for number, folder in enumerate(TOURNAMENTS):
        assert run("import_tsh", str(folder), "--slug", f"echt-{number}")[0] == 0
        add_season_event(made, division=Division.objects.get(tournament__slug=f"echt-{number}"), actor=TERMINAL_ACTOR)
        with (folder / "table.csv").open(encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        counted = 3 if len(table) >= 48 else 2 if len(table) >= 16 else 0
        for row in table:
            if row["rank"] and int(row["rank"]) <= counted:
                places.setdefault(row["player"], []).append(int(row["rank"]))

    found = build_season_table(made)

    def order(name: str) -> tuple[int, ...]:
        return (-len(places[name]), *(-places[name].count(place) for place in (1, 2, 3)))

    assert {line.player.name: int(line.row.total) for line in found.lines if line.row.total} == {
        name: len(reached) for name, reached in places.items()
    }
    ranked = [line.player.name for line in found.lines if line.row.total]
    assert [order(name) for name in ranked] == sorted(map(order, places))
    assert {each.by.value for each in found.qualified} == {"places"}
