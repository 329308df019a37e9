"""A session among all events: what runs today, and what a season counts."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from games.duplicate.operations.sessions import end_session
from games.models import DuplicateSession
from tests import factories
from tests.games.duplicate import steps
from tournament.events.operations import update_settings
from tournament.events.queries import group_public_tournaments
from tournament.models import Season
from tournament.seasons.operations import add_season_event, make_season
from tournament.seasons.season_table import EventState, SeasonTable, build_season_table

TODAY = date(2026, 11, 25)


def listed(session: DuplicateSession) -> list[str]:
    """Under which headings of the front page the event stands."""
    found = group_public_tournaments(TODAY)
    return [when for when, events in found.items() if session.division.tournament in events]


def test_event_without_days_runs_from_its_first_turn_on(session: DuplicateSession) -> None:
    before = listed(session)
    steps.opened(session)

    assert (before, listed(session)) == (["coming"], ["running"])
    update_settings(session.division.tournament, ends_on=date(2026, 11, 24), actor=factories.director())
    assert listed(session) == ["ended"]


@pytest.fixture
def season(session: DuplicateSession) -> Season:
    plan = Season(name="Pokal", points=[20, 17, 15], with_running=True, is_public=True)
    made = make_season(plan=plan, actor=factories.director())
    add_season_event(made, division=session.division, actor=factories.director())
    return made


def standing(found: SeasonTable) -> tuple[EventState, list[tuple[int, int]]]:
    return found.events[0].standing, [(line.row.rank, int(line.row.total)) for line in found.lines]


def test_season_of_places_counts_a_session(season: Season, session: DuplicateSession, client: Client) -> None:
    stands = [standing(build_season_table(season))]
    turn = steps.opened(session)
    steps.slip(turn, 2, "8G ZEST 18")
    stands.append(standing(build_season_table(season)))
    steps.closed(turn, "8G", "ZEST")
    stands.append(standing(build_season_table(season)))
    end_session(session, why="De zaal sluit", actor=factories.director())
    stands.append(standing(build_season_table(season)))

    ranked = [(1, 20), (2, 17), (2, 17), (2, 17)]
    assert stands == [
        (EventState.NOT_BEGUN, []),
        (EventState.NOT_BEGUN, []),
        (EventState.RUNNING, ranked),
        (EventState.OVER, ranked),
    ]
    page = client.get(reverse("public:season", args=["pokal"])).content.decode()
    assert steps.players(session)[1].name in page
