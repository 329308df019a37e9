"""The second correction: typed by somebody else, blind; what differs is listed and settled from the paper."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from games.duplicate.operations.sessions import redraw_turn
from games.duplicate.operations.slips import (
    SlipReading,
    load_second_progress,
    record_second_reading,
    refuse_word,
    save_slip,
    settle_slip,
    switch_second_correction,
)
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from games.sessions.session_state import load_session_state
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tests.games.duplicate.test_operations import refused
from tests.games.duplicate.test_views import open_page
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry, Role

OURS = factories.director


@pytest.fixture
def turn(session: DuplicateSession) -> DuplicateTurn:
    """Doris has typed three slips; slips are typed twice."""
    switch_second_correction(session, on=True, actor=OURS())
    opened = steps.opened(session)
    steps.slip(opened, 1, "8G ZEST 18")
    steps.slip(opened, 2, "8H ZES 14")
    steps.slip(opened, 3, "8H ZE 10")
    return opened


@pytest.fixture
def eva(db: None) -> Actor:
    return Actor(user=factories.member(factories.user("eva"), Role.HELPER).user)


@pytest.fixture
def bert(db: None) -> Actor:
    return Actor(user=factories.member(factories.user("bert"), Role.HELPER).user)


def again(turn: DuplicateTurn, player: int, text: str, by: Actor) -> SecondReading:
    read = SlipReading(missing=True) if text == "none" else SlipReading(steps.written(text))
    return record_second_reading(turn, entry=steps.players(turn.session)[player - 1], read=read, actor=by)


def settled(turn: DuplicateTurn, player: int, text: str, by: Actor) -> None:
    read = SlipReading(missing=True) if text == "none" else SlipReading(steps.written(text))
    entry = steps.players(turn.session)[player - 1]
    settle_slip(turn, entry=entry, read=read, today=date(2026, 11, 25), actor=by)


def seen(turn: DuplicateTurn) -> dict[str, Any]:
    session = DuplicateSession.objects.select_related("division__tournament").get(pk=turn.session_id)
    return load_second_progress(load_session_state(session), turn, None)


def test_devices_with_codes_are_told_apart_by_their_names(session: DuplicateSession) -> None:
    one, other, third = (Actor(name=f"Code {name}") for name in ("Anna", "Bert", "Cem"))
    switch_second_correction(session, on=True, actor=OURS())
    turn = steps.opened(session)
    entry = steps.players(session)[0]
    save_slip(turn, entry=entry, written=steps.written("8G ZEST 18"), actor=one)

    assert refused(lambda: again(turn, 1, "8G ZEST 81", one)) == ["own_slip"]
    again(turn, 1, "8G ZEST 81", other)
    assert refused(lambda: again(turn, 1, "8G ZEST 18", third)) == ["second_there"]
    assert refused(lambda: settled(turn, 1, "8G ZEST 18", other)) == ["typed_last"]
    settled(turn, 1, "8G ZEST 18", third)

    state = load_session_state(DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk))
    assert [len(load_second_progress(state, turn, actor)["own"]) for actor in (one, other, third)] == [0, 1, 0]


def test_what_differs_is_found(turn: DuplicateTurn, eva: Actor) -> None:
    again(turn, 1, "8g zest 18", eva)
    again(turn, 2, "8H ZES 41", eva)
    again(turn, 3, "none", eva)
    again(turn, 4, "8H ES 4", eva)

    found = seen(turn)

    assert (found["readings"], found["expected"], found["missing"]) == (4, 4, ())
    assert [(each["entry"].position, str(each["first"]), str(each["second"])) for each in found["differing"]] == [
        (2, "8H ZES 14", "8H ZES 41"),
        (3, "8H ZE 10", "kein Zettel"),
        (4, "kein Zettel", "8H ES 4"),
    ]


def test_somebody_else_reads_again(turn: DuplicateTurn, eva: Actor, bert: Actor) -> None:
    assert refused(lambda: again(turn, 1, "8G ZEST 18", OURS())) == ["own_slip"]
    again(turn, 1, "8G ZES 18", eva)
    assert refused(lambda: again(turn, 1, "8G ZEST 18", bert)) == ["second_there"]
    again(turn, 1, "8G ZEST 18", eva)
    assert seen(turn)["differing"] == []


def test_slips_are_typed_once_unless_it_is_switched_on(session: DuplicateSession, eva: Actor) -> None:
    assert refused(lambda: again(steps.opened(session), 1, "8G ZEST 18", eva)) == ["not_twice"]


def test_difference_is_settled_by_neither_typing_but_from_the_paper(
    turn: DuplicateTurn, eva: Actor, bert: Actor
) -> None:
    again(turn, 1, "8G ZES 18", eva)

    assert refused(lambda: settled(turn, 1, "8G ZES 18", eva)) == ["typed_last"]
    settled(turn, 1, "8H TEST 12", bert)

    assert DuplicateSlip.objects.get(turn=turn, entry__position=1).word == "TEST"
    assert seen(turn)["differing"] == []
    assert refused(lambda: settled(turn, 1, "8H TEST 12", bert)) == ["no_difference"]
    tournament = turn.session.division.tournament
    assert find_journal_differences(tournament) == []
    undo_journal_entry(JournalEntry.objects.get(tournament=tournament, verb="settle_slip"), actor=OURS())
    assert len(seen(turn)["differing"]) == 1


def test_slip_that_is_there_or_not(turn: DuplicateTurn, eva: Actor, bert: Actor) -> None:
    again(turn, 3, "none", eva)
    again(turn, 4, "8H ES 4", eva)

    settled(turn, 3, "none", bert)
    settled(turn, 4, "8H ES 4", bert)

    assert steps.points(turn.session)[0] == [
        18,
        14,
        0,
        load_session_state(turn.session).result(1).slips[_key(turn, 4)].points,
    ]
    assert not DuplicateSlip.objects.filter(turn=turn, entry__position=3).exists()


@pytest.mark.parametrize(
    ("first", "other", "paper", "points"),
    [("8G ZEST 18", "8H ZES 14", "8H ZES 14", [0, 0]), ("8H ZES 14", "8G ZEST 18", "8G ZEST 18", [0, 18])],
)
def test_word_settled_from_the_paper_is_refused_as_the_same_word_of_others(
    session: DuplicateSession, eva: Actor, bert: Actor, first: str, other: str, paper: str, points: list[int]
) -> None:
    switch_second_correction(session, on=True, actor=OURS())
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")
    steps.slip(turn, 2, first)
    refuse_word(turn, word="ZES", refused=True, actor=OURS())
    again(turn, 2, other, eva)

    settled(turn, 2, paper, bert)

    assert steps.points(session)[0][:2] == points
    file = format_tournament_file(load_event_data(session.division.tournament))
    assert read_tournament_file(file, slug="kopie")


def test_slip_found_on_paper_has_its_word_refused(turn: DuplicateTurn, eva: Actor, bert: Actor) -> None:
    refuse_word(turn, word="ZES", refused=True, actor=OURS())
    again(turn, 4, "8H zES 14", eva)

    settled(turn, 4, "8H zES 14", bert)

    assert DuplicateSlip.objects.get(turn=turn, entry__position=4).refused


def test_drawn_again_nothing_read_a_second_time_is_left(session: DuplicateSession, eva: Actor, bert: Actor) -> None:
    switch_second_correction(session, on=True, actor=OURS())
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZZZ 40")
    again(turn, 1, "8H ZZ 40", eva)
    tournament = session.division.tournament

    redraw_turn(turn, draw="AANNTZS", actor=OURS())

    assert (seen(turn)["readings"], seen(turn)["differing"]) == (0, [])
    undo_journal_entry(tournament.journal.get(verb="draw_again"), actor=OURS())
    assert len(seen(turn)["differing"]) == 1
    redraw_turn(turn, draw="AANNTZS", actor=OURS())
    again(turn, 1, "8H ZAT 12", bert)
    assert find_journal_differences(tournament) == []
    with refuses("changed_since"):
        undo_journal_entry(tournament.journal.filter(verb="draw_again").latest("pk"), actor=OURS())


def _key(turn: DuplicateTurn, player: int) -> str:
    return str(steps.players(turn.session)[player - 1].pk)


def test_closed_turn_is_corrected_in_public(turn: DuplicateTurn, eva: Actor, bert: Actor) -> None:
    steps.closed(turn, "8G", "ZEST")
    again(turn, 2, "8G ZEST 18", eva)

    settled(turn, 2, "8G ZEST 18", bert)

    found = DuplicateCorrection.objects.get()
    assert (found.points, found.alone, found.why) == (18, True, "Tweede correctie, van het papieren briefje gelezen")
    assert steps.points(turn.session)[0][1] == 18


def test_file_keeps_second_readings(turn: DuplicateTurn, eva: Actor) -> None:
    again(turn, 2, "8H ZES 41", eva)
    again(turn, 3, "none", eva)
    ours = turn.session.division.tournament
    file = format_tournament_file(load_event_data(ours))

    copy = store_event_data(read_tournament_file(file, slug="kopie"), actor=OURS())

    assert format_tournament_file(load_event_data(copy)).replace('"kopie"', f'"{ours.slug}"') == file


@pytest.fixture
def helper(eva: Actor) -> Client:
    assert eva.user is not None
    return browser(eva.user)


def test_second_page_shows_nothing_of_the_first(turn: DuplicateTurn, helper: Client) -> None:
    base = f"/director/{turn.session.division.tournament.slug}/duplicate/second/1/"

    page = open_page(helper, base)
    typed = open_page(helper, base, player="1", position="8G", word="ZES", claimed="18")

    assert "0 of 3 slips typed a second time" in page
    assert "ZEST" not in page
    assert "ZEST" not in typed
    assert "1 of 3 slips typed a second time" in typed
    assert "1 difference" in typed
    assert "Nobody here has the number" in open_page(helper, base, player="77", word="X")


def test_differences_are_settled_on_their_page(
    turn: DuplicateTurn, helper: Client, eva: Actor, bert: Actor, django_assert_max_num_queries: Any
) -> None:
    again(turn, 1, "8G ZES 18", eva)
    again(turn, 2, "8H ZES 41", eva)
    base = f"/director/{turn.session.division.tournament.slug}/duplicate/second/1/settle/"
    assert bert.user is not None
    other = browser(bert.user)

    with django_assert_max_num_queries(20):
        page = open_page(other, base)
    assert "8G ZEST 18" in page
    assert "was last typed from this account" in open_page(helper, base, **{"player": "1", "as": "first"})
    assert "is settled" in open_page(other, base, **{"player": "1", "as": "first"})
    assert "is settled" in open_page(other, base, player="2", position="8H", word="ZES", claimed="12")

    assert DuplicateSlip.objects.get(turn=turn, entry__position=1).word == "ZEST"
    assert DuplicateSlip.objects.get(turn=turn, entry__position=2).claimed == 12


def test_director_switches_it(turn: DuplicateTurn, helper: Client) -> None:
    address = f"/director/{turn.session.division.tournament.slug}/duplicate/twice/"

    assert helper.post(address).status_code == 403
    open_page(browser(OURS().user), address, off="1")

    assert not DuplicateSession.objects.get().twice
