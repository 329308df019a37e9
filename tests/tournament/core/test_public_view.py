"""What the public sees of a round at a moment."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests import factories
from tournament.access.codes import make_personal_link
from tournament.access.rules import get_public_tournament
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import get_public_view, get_sight, open_full_view, open_public_view
from tournament.ending.final_ranking import load_final_ranking
from tournament.events.operations import update_settings
from tournament.models import Division, Round, Screen, Season, SeasonEvent
from tournament.results.knockout_state import load_knockout_state
from tournament.results.league_games import list_league_games
from tournament.rounds.operations import (
    close_round,
    hold_back_round_step,
    reopen_round,
    show_round_as_usual,
    show_round_step,
)
from tournament.seasons.season_table import build_season_table
from tournament.table.league import list_league_rounds, list_round_pairings, load_table

pytestmark = pytest.mark.django_db

DORIS = factories.director
AT_TWO = "2026-10-03 14:00 +0200"


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4, rounds=3)


@pytest.fixture
def cup(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def held(cup: Division, *texts: str) -> None:
    """Let pairings, results and table of the rounds to come be seen like this."""
    columns = dict(zip((step.column for step in ShowingStep), texts, strict=True))
    update_settings(cup.tournament, actor=DORIS(), **columns)
    cup.tournament.refresh_from_db()


def seen(round: Round) -> str:
    """The steps that are seen of a round now."""
    with open_public_view(round.division.tournament):
        sight = get_sight(round)
    return " ".join(step for step in ShowingStep if getattr(sight, step))


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        (("published", "published", "published"), ["pairings results table"] * 3),
        (("hand", "published", "published"), ["", "", ""]),
        (("published", "hand", "published"), ["pairings"] * 3),
        (("published", "closed", "closed"), ["pairings", "pairings", "pairings results table"]),
        (("published", "published", "closed+10"), ["pairings results"] * 3),
    ],
)
@pytest.mark.sampled(2)
def test_rule_says_what_is_seen(cup: Division, rule: tuple[str, ...], after: list[str]) -> None:
    held(cup, *rule)
    round = factories.published(cup)
    found = [seen(round)]
    factories.result(round, 1, 420, 380)
    factories.result(round, 2, 420, 380)
    found.append(seen(round))
    close_round(round, actor=DORIS())
    found.append(seen(round))

    assert found == after


def test_round_published_while_a_page_is_read_is_not_seen_by_it_if_it_is_held(cup: Division) -> None:
    """The page has asked whether anything is held back, and reads the rounds a moment later."""
    factories.played(cup)
    with open_public_view(get_public_tournament(cup.tournament.slug)):
        with open_full_view():  # at another desk
            held(cup, "hand", "hand", "hand")
            round = factories.published(cup)
            factories.result(round, 1, 420, 380)

        assert [each.round.number for each in list_league_rounds(cup)] == [1]
        assert list(list_round_pairings(round)) == []
        assert {game.round for game in list_league_games(cup)} == {1}


def test_moment_comes_by_itself_and_is_news_to_everybody(cup: Division) -> None:
    with time_machine.travel(AT_TWO, tick=False) as clock:
        held(cup, "published+20", "published+20", "published+40")
        round = factories.published(cup)
        player = cup.entries.order_by("pk")[0]
        link = make_personal_link(player)
        asked = (
            f"/t/{cup.tournament.slug}/news/",
            f"/t/{cup.tournament.slug}/screen/news/",
            f"/me/{link}/news/",
            "/news/",
        )
        states, steps = [], []
        for _moment in range(3):
            states.append([Client().get(address).json()["state"] for address in asked])
            steps.append(seen(round))
            clock.shift(timedelta(minutes=20))

    assert steps == ["", "pairings results", "pairings results table"]
    assert all(before != now for before, now in zip(states[0], states[1], strict=True))
    assert [before != now for before, now in zip(states[1], states[2], strict=True)] == [True, True, True, False]


def test_kept_page_goes_with_the_moment(cup: Division) -> None:
    with time_machine.travel(AT_TWO, tick=False) as clock:
        held(cup, "published", "published+20", "published+20")
        round = factories.published(cup)
        factories.result(round, 1, 431, 388)
        address = f"/t/{cup.tournament.slug}/rounds/1/"
        before = [Client().get(address).content.decode() for _visitor in range(2)]
        clock.shift(timedelta(minutes=20))
        after = Client().get(address).content.decode()

    assert [("431" in page, "14:20" in page) for page in before] == [(False, True)] * 2
    assert ("431" in after, "14:20" in after) == (True, False)


def test_clock_that_is_set_back_hides_nothing_that_is_seen_at_once(cup: Division) -> None:
    with time_machine.travel(AT_TWO, tick=False):
        held(cup, "published", "closed", "closed")
        round = factories.played(cup)
        close_round(round, actor=DORIS())
        round.refresh_from_db()
    with time_machine.travel("2026-10-02 14:00 +0200", tick=False):
        assert seen(round) == "pairings results table"


def test_table_waits_for_the_tables_before_it(cup: Division) -> None:
    first, second = factories.played(cup), factories.played(cup)
    hold_back_round_step(first, ShowingStep.TABLE, actor=DORIS())
    held_back = seen(second)
    show_round_step(first, ShowingStep.TABLE, actor=DORIS())

    assert (held_back, seen(second)) == ("pairings results", "pairings results table")


def test_holding_back_hides_all_behind_it_and_showing_all_before(cup: Division) -> None:
    round = factories.played(cup)
    hold_back_round_step(round, ShowingStep.PAIRINGS, actor=DORIS())
    nothing = seen(round)
    show_round_step(round, ShowingStep.RESULTS, actor=DORIS())
    some = seen(round)
    show_round_as_usual(round, actor=DORIS())

    assert (nothing, some, seen(round)) == ("", "pairings results", "pairings results table")


def test_rule_that_changes_leaves_published_rounds_alone(cup: Division) -> None:
    before = factories.played(cup)
    held(cup, "hand", "hand", "hand")
    after = factories.published(cup)

    assert (seen(before), seen(after)) == ("pairings results table", "")


def test_reopened_round_hides_nothing_that_was_seen(cup: Division) -> None:
    held(cup, "published", "closed", "hand")
    round = factories.played(cup)
    close_round(round, actor=DORIS())
    reopen_round(round, actor=DORIS())

    assert seen(round) == "pairings results"


def test_director_sees_everything_and_the_public_the_last_table_shown(cup: Division) -> None:
    factories.played(cup)
    second = factories.played(cup, (300, 500), (310, 510))
    hold_back_round_step(second, ShowingStep.TABLE, actor=DORIS())
    division = factories.fresh(cup)
    whole = load_table(division)
    with open_public_view(division.tournament):
        public = load_table(division)
        ranking = load_final_ranking(division)

    assert (whole.after, public.after) == (2, 1)
    assert [row.standing for row in public.rows] == [row.standing for row in load_table(division, after=1).rows]
    assert (ranking.is_held, ranking.is_final) == (True, False)


def test_knockout_is_seen_after_the_last_table_and_the_games_before(cup: Division) -> None:
    league_round = factories.played(cup)
    knockout = factories.knockout(cup, 4)
    factories.knockout_game(knockout, (1, 1, 1), 420, 380)
    factories.knockout_game(knockout, (1, 2, 1), 420, 380)
    stage, final_game = Round.objects.filter(division=cup, stage__isnull=False).order_by("number")
    hold_back_round_step(stage, ShowingStep.RESULTS, actor=DORIS())
    after_semi_finals = seen(final_game)
    hold_back_round_step(league_round, ShowingStep.TABLE, actor=DORIS())
    with open_public_view(cup.tournament):
        state = load_knockout_state(knockout)

    assert (after_semi_finals, seen(stage)) == ("", "")
    assert state is not None
    assert not state.entries


def test_stage_of_the_knockout_is_closed_when_its_last_result_is_in(cup: Division) -> None:
    held(cup, "published", "closed", "closed")
    knockout = factories.knockout(cup, 4)
    stage = Round.objects.get(division=cup, stage=1)
    found = [seen(stage)]
    for position in (1, 2):
        factories.knockout_game(knockout, (1, position, 1), 420, 380)
        found.append(seen(stage))

    assert found == ["pairings", "pairings", "pairings results table"]


def test_no_operation_is_begun_as_the_public_sees_it(cup: Division) -> None:
    round = factories.played(cup)
    with open_public_view(cup.tournament), pytest.raises(RuntimeError):
        close_round(round, actor=DORIS())


def test_moments_are_counted_from_what_is_stored(cup: Division) -> None:
    held(cup, "published", "published+30", "hand")
    round = factories.published(cup)
    now = timezone.now()
    states = [get_public_view(cup.tournament, now + timedelta(minutes=minutes)).state for minutes in (0, 29, 31)]

    assert round.published_at is not None
    assert states[0] == states[1] != states[2]


def test_ceremony_tells_what_is_held_back_until_then() -> None:
    cup = factories.event(players=4, rounds=1)
    round = factories.played(cup)
    hold_back_round_step(round, ShowingStep.RESULTS, actor=DORIS())
    division = factories.fresh(cup)
    Screen.objects.create(tournament=division.tournament, number=1, shows=Screen.Shows.CEREMONY)
    ceremony = Client().get(f"/t/{division.tournament.slug}/screen/1/").content.decode()
    front = Client().get(f"/t/{division.tournament.slug}/").content.decode()

    assert ("screen-slide" in ceremony or 'data-kind="slide"' in ceremony, "Sieger" in front) == (True, False)


def test_season_counts_what_the_public_sees(cup: Division) -> None:
    round = factories.played(cup)
    season = Season.objects.create(organiser=cup.tournament.organiser, name="Liga", slug="liga", with_running=True)
    SeasonEvent.objects.create(season=season, division=cup)
    before = len(build_season_table(season).lines)
    hold_back_round_step(round, ShowingStep.TABLE, actor=DORIS())

    assert (before, len(build_season_table(season).lines)) == (4, 0)
