"""A session noted: drawn, slips in, word laid, corrected; refused what cannot be, and every step taken back."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.test import Client

from games.duplicate.operations.sessions import (
    SessionPlan,
    end_session,
    open_turn,
    prepare_session,
    redraw_turn,
    resume_session,
    start_turn_clock,
)
from games.duplicate.operations.slips import refuse_word, remove_slip
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn
from games.sessions.session_state import load_session_state
from games.sessions.tables import list_slip_lines
from scoring import duplicate
from scoring.plays import Play
from tests import factories
from tests.games.duplicate import steps
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import take_snapshot
from tournament.core.records import OWNED_TABLES, list_tournament_rows
from tournament.core.words.journal import UNDOABLE_GAME_TITLES
from tournament.entries.operations.entries import remove_entry
from tournament.events.operations import update_settings
from tournament.journal.undoing import remove_revision, undo_journal_entry
from tournament.models import Division, JournalEntry
from tournament.registration.calling_off import call_off_tournament, let_tournament_take_place
from tournament.rounds.drafts import draft_round

OURS = factories.director


def refused(act: Callable[[], object]) -> list[str]:
    """The codes with which an act is refused."""
    with pytest.raises((Refusal, Refusals)) as caught:
        act()
    faults = caught.value.refusals if isinstance(caught.value, Refusals) else [caught.value]
    return [fault.code for fault in faults if isinstance(fault, Refusal)]


def test_no_turn_is_opened_in_an_event_that_is_called_off(session: DuplicateSession, client: Client) -> None:
    tournament = session.division.tournament
    call_off_tournament(tournament, actor=OURS())
    with refuses("called_off"):
        steps.opened(session)
    factories.sign_in(client)

    assert "Das Turnier ist abgesagt." in client.get(f"/director/{tournament.slug}/duplicate/").text
    let_tournament_take_place(tournament, actor=OURS())
    assert steps.opened(session).number == 1


def test_turn_is_drawn_from_the_seed_and_the_same_again(session: DuplicateSession) -> None:
    turn = steps.opened(session, None)

    drawn, put_back = duplicate.draw_tiles(load_session_state(session).value.bag, Random("7/1/0"))
    assert (turn.draw, turn.redrawn) == (drawn, list(put_back))
    assert not duplicate.lacking_kind(turn.draw)


@pytest.mark.parametrize(
    ("draw", "redrawn", "codes"),
    [
        ("AEENTZ", (), ["draw_count"]),
        ("AEENTZSS", (), ["draw_count"]),
        ("QQENTZS", (), ["not_in_bag"]),
        ("AEÜNTZS", (), ["not_in_bag"]),
        ("BBCDFGH", (), ["draw_needs_both"]),
        ("AEEIOUU", (), ["draw_needs_both"]),
        ("AEENTZS", ("AEENTZS",), ["draw_has_both"]),
        ("AEENTZS", ("BBCD",), ["draw_count"]),
        ("AEENTZS", ("BBCDFGH",) * 21, ["too_many_redrawn"]),
    ],
)
@pytest.mark.sampled(3)
def test_draw_by_hand_that_cannot_be(
    session: DuplicateSession, draw: str, redrawn: tuple[str, ...], codes: list[str]
) -> None:
    assert refused(lambda: open_turn(session, draw=draw, redrawn=redrawn, actor=OURS())) == codes
    assert not DuplicateTurn.objects.exists()


def test_draw_that_was_put_back_is_noted(session: DuplicateSession) -> None:
    turn = open_turn(session, draw="aeent zs", redrawn=["bbcdfgh"], actor=OURS())

    assert (turn.draw, turn.redrawn) == ("AEENTZS", ["BBCDFGH"])


def test_slips_score_and_the_master_word_grows_the_board(session: DuplicateSession) -> None:
    first = steps.opened(session)
    steps.slip(first, 1, "8G ZEST 46")
    steps.slip(first, 2, "8H ZES 10")
    steps.slip(first, 3, "late")
    steps.closed(first, "8h", "zes", "Zo blijft het bord open")
    second = steps.opened(session)
    steps.slip(second, 1, "8H ZEST 9")
    steps.closed(second, "8H", "ZEST")

    assert steps.points(session) == [[18, 14, 0, 0], [9, 0, 0, 0]]
    assert load_session_state(session).value.boards[-1].at(Play.parse("8K A").start) == "T"


def test_turn_is_listed_with_everybody_or_with_whose_slips_are_in(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 3, "8H ZES 32")
    steps.slip(turn, 1, "late")
    found = load_session_state(session)

    everybody = list_slip_lines(found, turn)
    handed_in = list_slip_lines(found, turn, everybody=False)

    assert [(line.entry.key, line.slip is not None) for line in everybody] == [
        ("P01", True), ("P02", False), ("P03", True), ("P04", False)
    ]  # fmt: skip
    assert [line.entry.key for line in handed_in] == ["P01", "P03"]


def test_blank_is_replaced_and_goes_back_to_the_bag(session: DuplicateSession) -> None:
    turn = steps.opened(session, "AEENTZ?")
    steps.slip(turn, 1, "8H ZES 10")
    steps.closed(turn, "8H", "ZES")

    found = load_session_state(session).value
    assert str(found.turns[0].master) == "8H ZEs"
    assert "".join(found.boards[1].tiles.values()) == "ZES"
    assert found.bag.count("?") == 2


@pytest.mark.parametrize(
    ("position", "word", "reason", "codes"),
    [
        ("8", "ZES", "", ["no_play"]),
        ("8H", "ZEEN", "", ["other_than_proposed"]),
        ("8A", "ZES", "", ["cannot_lie"]),
        ("8H", "QUA", "", ["cannot_lie"]),
        ("8H", "ZES", "x" * 201, ["too_long"]),
    ],
)
@pytest.mark.sampled(2)
def test_master_word_that_cannot_be(
    session: DuplicateSession, position: str, word: str, reason: str, codes: list[str]
) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")

    assert refused(lambda: steps.closed(turn, position, word, reason)) == codes
    assert not DuplicateTurn.objects.get().is_closed


def test_word_of_a_turn_without_points_needs_its_source(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    assert refused(lambda: steps.closed(turn, "8H", "ZES")) == ["nobody_scores"]

    steps.closed(turn, "8H", "ZES", "Beste woord van de spelleider")

    assert DuplicateTurn.objects.get().is_closed


def test_turn_in_which_nobody_scores_is_drawn_again(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    slip = steps.slip(turn, 1, "8H ZZZ 40")

    redraw_turn(turn, draw="AANNTZS", actor=OURS())

    turn.refresh_from_db()
    assert (turn.draw, turn.redrawn) == ("AANNTZS", ["AEENTZS"])
    assert not DuplicateSlip.objects.filter(pk=slip.pk).exists()
    steps.slip(turn, 1, "8H ZAT 12")
    assert refused(lambda: redraw_turn(turn, actor=OURS())) == ["somebody_scores"]


def test_next_turn_waits_for_the_master_word(session: DuplicateSession) -> None:
    steps.opened(session)

    assert refused(lambda: steps.opened(session)) == ["turn_is_open"]
    assert refused(lambda: end_session(session, why="Laat", actor=OURS())) == ["turn_is_open"]


def test_session_ends_after_its_turns_and_by_the_director(unprepared: Division) -> None:
    session = prepare_session(unprepared, plan=SessionPlan(max_turns=1), actor=OURS())
    turn = steps.opened(session)
    assert load_session_state(session).ended is None
    steps.slip(turn, 1, "8H ZES 14")
    steps.closed(turn, "8H", "ZES")

    assert load_session_state(session).ended is duplicate.SessionEnding.TURNS
    assert refused(lambda: steps.opened(session)) == ["session_over"]


def test_director_ends_a_session_and_goes_on(session: DuplicateSession) -> None:
    assert refused(lambda: end_session(session, why=" ", actor=OURS())) == ["reason_missing"]
    end_session(session, why="De zaal sluit", actor=OURS())
    session.refresh_from_db()
    assert refused(lambda: steps.opened(session)) == ["session_over"]

    resume_session(session, actor=OURS())

    assert steps.opened(session).number == 1


def test_same_slip_twice_is_one(session: DuplicateSession) -> None:
    turn = steps.opened(session)

    first, again = steps.slip(turn, 1, "8H ZES 14"), steps.slip(turn, 1, "8h zes 14")

    assert (again.pk, again.version) == (first.pk, 1)
    assert DuplicateSlip.objects.count() == 1


def test_other_slip_of_the_same_player_is_a_question(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")

    assert refused(lambda: steps.slip(turn, 1, "8H ZE 10")) == ["slip_there"]
    assert steps.slip(turn, 1, "8H ZE 10", version=1).version == 2
    assert refused(lambda: steps.slip(turn, 1, "8H ZEN 10", version=1)) == ["slip_changed"]
    assert DuplicateSlip.objects.get().word == "ZE"


def test_slip_that_cannot_be_kept(session: DuplicateSession) -> None:
    turn = steps.opened(session)

    assert refused(lambda: steps.slip(turn, 1, f"{'8' * 13} {'Z' * 41} 2001")) == [
        "too_long",
        "too_long",
        "out_of_range",
    ]


def test_slip_of_a_closed_turn_is_corrected_only(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    slip = steps.slip(turn, 1, "8H ZES 14")
    assert refused(lambda: steps.corrected(turn, 1, 20)) == ["turn_still_open"]
    steps.closed(turn, "8H", "ZES")

    assert refused(lambda: steps.slip(turn, 2, "8H ZE 10")) == ["turn_closed"]
    assert refused(lambda: remove_slip(slip, actor=OURS(), expected_version=1)) == ["turn_closed"]
    assert refused(lambda: steps.corrected(turn, 2, 3000, "")) == ["out_of_range", "reason_missing"]
    steps.corrected(turn, 2, 16)
    assert steps.points(session) == [[14, 16, 0, 0]]


def test_word_refused_by_the_jury_is_refused_for_all(unprepared: Division) -> None:
    turn = steps.opened(prepare_session(unprepared, plan=SessionPlan(), actor=OURS()))
    steps.slip(turn, 1, "8H ZET 14")
    steps.slip(turn, 2, "8G ZET 14")
    steps.slip(turn, 3, "8H ZE 10")

    assert refuse_word(turn, word="zet", refused=True, actor=OURS()) == 2
    steps.slip(turn, 4, "8F ZET 14")
    assert steps.points(turn.session) == [[0, 0, 10, 0]]
    refuse_word(turn, word="ZET", refused=False, actor=OURS())
    assert steps.points(turn.session) == [[14, 14, 10, 14]]
    assert refused(lambda: refuse_word(turn, word="X", refused=True, actor=OURS())) == ["not_handed_in"]


def test_session_is_prepared_by_its_rules_only(session: DuplicateSession) -> None:
    cup = factories.event("Herbst-Cup")
    wrong = SessionPlan(letters="xx", max_turns=23, seconds=5)

    assert refused(lambda: prepare_session(cup, plan=SessionPlan(), actor=OURS())) == ["no_duplicate_rules"]
    assert refused(lambda: prepare_session(session.division, plan=wrong, actor=OURS())) == [
        "out_of_range",
        "out_of_range",
        "letters_unknown",
    ]
    missing = SessionPlan(words="x")
    assert refused(lambda: prepare_session(session.division, plan=missing, actor=OURS())) == ["list_unknown"]
    steps.opened(session)
    assert refused(lambda: prepare_session(session.division, plan=SessionPlan(), actor=OURS())) == ["already_played"]


def test_nobody_is_paired_and_nothing_handed_in_gets_lost(session: DuplicateSession) -> None:
    division = session.division
    with refuses("nobody_paired", match="Duplicatescrabble"):
        draft_round(division, actor=OURS())
    steps.slip(steps.opened(session), 1, "8H ZES 14")

    assert refused(lambda: remove_entry(steps.players(session)[0], actor=OURS())) == ["written_down"]
    change_rules = {"ruleset": "tso-2017", "minutes": 30}
    assert refused(lambda: update_settings(division.tournament, actor=OURS(), **change_rules)) == ["rules_in_use"]


Act = Callable[[DuplicateSession], Iterator[None]]


def _prepare(session: DuplicateSession) -> Iterator[None]:
    yield
    prepare_session(session.division, plan=SessionPlan(max_turns=10, seed=3), actor=OURS())


def _end(session: DuplicateSession) -> Iterator[None]:
    yield
    end_session(session, why="De zaal sluit", actor=OURS())


def _resume(session: DuplicateSession) -> Iterator[None]:
    end_session(session, why="De zaal sluit", actor=OURS())
    yield
    resume_session(session, actor=OURS())


def _open(session: DuplicateSession) -> Iterator[None]:
    yield
    steps.opened(session)


def _again(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZZZ 14")
    yield
    redraw_turn(turn, actor=OURS())


def _clock(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    yield
    start_turn_clock(turn, actor=OURS())


def _close(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")
    yield
    steps.closed(turn, "8H", "ZES")


def _slip(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    yield
    steps.slip(turn, 1, "8H ZES 14")


def _remove(session: DuplicateSession) -> Iterator[None]:
    slip = steps.slip(steps.opened(session), 1, "8H ZES 14")
    yield
    remove_slip(slip, actor=OURS(), expected_version=1)


def _refuse(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")
    yield
    refuse_word(turn, word="ZES", refused=True, actor=OURS())


def _correct(session: DuplicateSession) -> Iterator[None]:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")
    steps.closed(turn, "8H", "ZES")
    yield
    steps.corrected(turn, 2, 20)


ACTS: dict[str, Act] = {
    "prepare_session": _prepare,
    "end_session": _end,
    "resume_session": _resume,
    "open_turn": _open,
    "draw_again": _again,
    "start_clock": _clock,
    "close_turn": _close,
    "save_slip": _slip,
    "remove_slip": _remove,
    "refuse_word": _refuse,
    "correct_slip": _correct,
}


def stored(session: DuplicateSession) -> dict[str, list[dict[str, object]]]:
    """All rows of the event."""
    tournament = session.division.tournament
    return {
        str(model): [remove_revision(take_snapshot(row)) for row in list_tournament_rows(model, tournament)]
        for model in OWNED_TABLES
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize("verb", ACTS)
def test_what_is_taken_back_leaves_nothing_and_comes_back(session: DuplicateSession, verb: str) -> None:
    act = ACTS[verb](session)
    next(act)
    before = stored(session)
    assert next(act, "done") == "done"
    after = stored(session)
    assert after != before

    for expected in (before, after, before):
        last = JournalEntry.objects.filter(tournament=session.division.tournament).order_by("-number")[0]
        undo_journal_entry(last, actor=OURS())
        assert stored(session) == expected
    assert find_journal_differences(session.division.tournament) == []
    assert verb in UNDOABLE_GAME_TITLES


def entry_of(verb: str) -> JournalEntry:
    return JournalEntry.objects.filter(verb=verb).order_by("-number")[0]


@pytest.mark.parametrize("verb", ["save_slip", "open_turn", "start_clock", "refuse_word", "prepare_session"])
@pytest.mark.sampled(2)
def test_nothing_of_a_closed_turn_is_taken_back(session: DuplicateSession, verb: str) -> None:
    turn = steps.opened(session)
    start_turn_clock(turn, actor=OURS())
    steps.slip(turn, 1, "8H ZES 14")
    steps.slip(turn, 2, "8H ZE 14")
    refuse_word(turn, word="ZE", refused=True, actor=OURS())
    steps.closed(turn, "8H", "ZES")

    assert refused(lambda: undo_journal_entry(entry_of(verb), actor=OURS())) == ["changed_since"]


def test_word_stays_once_the_next_turn_is_drawn(session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")
    steps.closed(turn, "8H", "ZES")
    steps.opened(session)

    assert refused(lambda: undo_journal_entry(entry_of("close_turn"), actor=OURS())) == ["changed_since"]


def test_turn_with_slips_is_not_taken_back(session: DuplicateSession) -> None:
    steps.slip(steps.opened(session), 1, "8H ZES 14")

    assert refused(lambda: undo_journal_entry(entry_of("open_turn"), actor=OURS())) == ["changed_since"]
    assert DuplicateSlip.objects.count() == 1
