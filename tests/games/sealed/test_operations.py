"""A session prepared, sealed, played in clubs that cannot read ahead or change it, and joined into one table."""

import json
from collections.abc import Callable
from datetime import date

import pytest
from django.utils import translation

from games.duplicate.operations.sessions import (
    SessionPlan,
    close_turn,
    import_sealed_session,
    open_turn,
    prepare_session,
    redraw_turn,
)
from games.duplicate.operations.slips import correct_slip
from games.models import DuplicateSession, DuplicateTurn, JoinedClub, PreparedSession, Ruling
from games.sealed.operations import (
    SealedPlan,
    fill_in_turns,
    get_sealed_plan,
    parse_fixed_turns,
    remove_club,
    rule_on_word,
    save_prepared_session,
)
from games.sealed.tables import JoinedResults, load_joined_results
from games.sessions.session_state import load_session_state
from scoring import sealed
from scoring.letters import LETTER_SETS
from tests import factories
from tests.games.duplicate import steps as evening
from tests.games.duplicate.test_operations import refused
from tests.games.sealed import steps
from tournament.archive.game_rows import GAME_ROW_CHECKS
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import (
    format_sealed_file,
    format_tournament_file,
    read_sealed_file,
    read_tournament_file,
)
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, JournalEntry

OURS = factories.director


@pytest.fixture
def row(division: Division, listed: None) -> PreparedSession:
    return steps.prepared(division)


@pytest.mark.parametrize(
    ("typed", "codes", "said"),
    [
        ("AEENTZ", ["turn_at_fault"], "AEENTZ"),
        ("AEENTZS", ["turn_at_fault"], "master word is missing"),
        ("AEENTZS 8G", ["turn_at_fault"], "is not a word with its position"),
        ("AEENTZS 8G ZEN\nQQ", ["turn_at_fault"], "Turn 2"),
        ("AEENTZS 8A ZES", ["turn_at_fault"], "cannot be laid"),
        ("BBCDFGH 8G ZES", ["turn_at_fault"], "has no vowel"),
        ("A\nB\nC", ["too_many_lines"], "3 turns are more than 2"),
    ],
)
@pytest.mark.sampled(2)
def test_line_that_cannot_be(division: Division, listed: None, typed: str, codes: list[str], said: str) -> None:
    assert refused(lambda: steps.prepared(division, turns=typed)) == codes
    with translation.override("en"), pytest.raises(Refusals, match=said):
        steps.prepared(division, turns=typed)


def test_every_line_at_fault_is_told_where_boards_do_not_follow(division: Division) -> None:
    def act() -> object:
        return steps.prepared(division, masters=False, words="", turns="AE\nAEENTZS 8G ZES")

    assert refused(act) == ["turn_at_fault", "turn_at_fault"]


def test_plan_that_cannot_be(division: Division) -> None:
    def save(wanted: SealedPlan) -> object:
        return save_prepared_session(division, plan=wanted, actor=OURS())

    assert refused(lambda: save(SealedPlan(name="", max_turns=99, seconds=1))) == [
        "name_missing",
        "out_of_range",
        "out_of_range",
    ]
    assert refused(lambda: save(SealedPlan(name="x" * 81, words="Weg"))) == ["too_long", "list_unknown"]
    assert refused(lambda: save(SealedPlan(name="Naam\0", letters="xx"))) == ["not_printable", "letters_unknown"]
    assert refused(lambda: fill_in_turns(SealedPlan(name="Naam"), division)) == ["needs_list"]


def test_program_draws_and_proposes_the_same_again(division: Division, listed: None) -> None:
    row = steps.filled(division)

    assert len(row.turns.splitlines()) == 4
    assert row.turns == steps.filled(division).turns
    assert all(turn.master for turn in parse_fixed_turns(get_sealed_plan(row)))


def test_what_is_typed_stays_when_the_rest_is_filled_in(division: Division, listed: None) -> None:
    wanted = SealedPlan(name="Naam", max_turns=3, words="lijst", turns="aeentzs 8g zes")
    lines = fill_in_turns(wanted, division).splitlines()

    assert lines[0] == "AEENTZS 8G ZES"
    assert len(lines) == 3


def test_draws_without_masters_are_filled_in_without_a_list(division: Division) -> None:
    lines = fill_in_turns(SealedPlan(name="Naam", max_turns=3, masters=False, seed=5), division).splitlines()

    assert [len(line) for line in lines] == [7, 7, 7]


def test_sealed_session_cannot_be_changed_or_sealed_again(row: PreparedSession) -> None:
    steps.sealed(row)

    assert refused(lambda: steps.prepared(row.division)) == ["already_sealed"]
    assert refused(lambda: steps.sealed(row)) == ["already_sealed"]


def test_session_without_turns_is_not_sealed(division: Division, listed: None) -> None:
    assert refused(lambda: steps.sealed(steps.prepared(division, turns=""))) == ["no_turns"]


def test_file_gives_the_same_session_and_tells_no_tile(row: PreparedSession) -> None:
    envelope = steps.sealed(row)
    text = format_sealed_file(envelope)

    assert read_sealed_file(text) == envelope
    assert "ZEST" not in text
    assert "AEENTZS" not in text
    assert steps.code_of(row).replace("-", "") not in text


def test_club_opens_its_turns_one_by_one(row: PreparedSession) -> None:
    envelope = steps.sealed(row)
    session = steps.club("Utrecht", envelope)
    first, second = (sealed.derive_turn_code(envelope.salt, steps.code_of(row), number) for number in (1, 2))

    assert refused(lambda: open_turn(session, actor=OURS())) == ["code_missing"]
    assert refused(lambda: open_turn(session, code=second, actor=OURS())) == ["code_wrong"]
    turn = open_turn(session, code=first, actor=OURS())
    assert (turn.draw, turn.number) == ("AEENTZS", 1)
    close_turn(turn, actor=OURS())
    assert open_turn(session, code=second.lower(), actor=OURS()).draw == "AAEENNT"


def test_opening_code_is_given_once(row: PreparedSession) -> None:
    session = steps.club("Utrecht", steps.sealed(row))

    steps.play_turns(session, steps.code_of(row), ("8G ZEST", "8H ZES"))
    steps.play_turns(session, "", ("", ""))

    assert load_session_state(DuplicateSession.objects.get(pk=session.pk)).is_over


def test_clubs_rows_tell_nothing_of_a_turn_before_it_is_opened(row: PreparedSession) -> None:
    session = steps.club("Utrecht", steps.sealed(row))
    open_turn(session, code=steps.code_of(row), actor=OURS())
    tournament = session.division.tournament

    noted = json.dumps([entry.rows for entry in JournalEntry.objects.filter(tournament=tournament)])

    assert "AEENTZS" in noted
    assert "AAEENNT" not in noted
    assert "ZEST" not in noted
    assert "AAEENNT" not in steps.saved(session)


def test_fixed_master_is_laid_and_its_reason_says_so(row: PreparedSession) -> None:
    session = steps.club("Utrecht", steps.sealed(row))
    turn = open_turn(session, code=steps.code_of(row), actor=OURS())
    evening.slip(turn, 1, "8H ZES 14")

    assert refused(lambda: evening.closed(turn, "8H", "ZES")) == ["master_fixed"]
    close_turn(turn, actor=OURS())

    turn.refresh_from_db()
    assert (turn.master_position, turn.master_word) == ("8G", "ZEST")
    assert turn.reason == "Vooraf vastgelegd in “Simultaan 2026”"


def test_club_cannot_change_what_was_fixed(row: PreparedSession) -> None:
    session = steps.club("Utrecht", steps.sealed(row))

    def act() -> object:
        return prepare_session(session.division, plan=SessionPlan(), actor=OURS())

    assert refused(act) == ["session_fixed"]
    assert refused(lambda: open_turn(session, draw="AEENTZS", actor=OURS())) == ["session_fixed"]
    turn = open_turn(session, code=steps.code_of(row), actor=OURS())
    assert refused(lambda: redraw_turn(turn, actor=OURS())) == ["session_fixed"]


def test_session_is_read_in_before_the_first_turn_only(row: PreparedSession, division: Division) -> None:
    envelope = steps.sealed(row)
    session = steps.club("Utrecht", envelope)
    open_turn(session, code=steps.code_of(row), actor=OURS())

    assert refused(lambda: import_sealed_session(session.division, envelope=envelope, actor=OURS())) == [
        "already_played"
    ]
    paired = factories.event("Beker")
    assert refused(lambda: import_sealed_session(paired, envelope=envelope, actor=OURS())) == ["no_duplicate_rules"]


def test_draws_without_masters_follow_the_clubs_bag(division: Division) -> None:
    row = steps.prepared(division, masters=False, words="", turns="AEENTZS\nAEQNTZS")
    session = steps.club("Utrecht", steps.sealed(row))
    steps.play_turns(session, steps.code_of(row), ("8G ZEST", "8H ZES"))

    turn = open_turn(session, actor=OURS())

    bag = load_session_state(session).value.boards[1].unseen()
    assert turn.draw == sealed.due_draw(parse_fixed_turns(get_sealed_plan(row))[1], bag)[0]
    assert set(turn.draw) <= set("".join(tile.letter for tile in LETTER_SETS["nl"].tiles))


@pytest.fixture
def envelope(row: PreparedSession) -> sealed.Envelope:
    return steps.sealed(row)


def test_clubs_are_joined_into_one_table(row: PreparedSession, envelope: sealed.Envelope) -> None:
    utrecht, gent = steps.club("Utrecht", envelope), steps.club("Gent", envelope, people=3)
    steps.play_turns(utrecht, steps.code_of(row), ("8G ZEST", "8H ZES"), ("7H TEEN", ""))
    steps.play_turns(gent, steps.code_of(row), ("8G ZEST", "", "8H ZE"), ("7H EEN", "", ""))

    steps.joined(row, envelope, utrecht, gent)

    found = load_joined_results(PreparedSession.objects.select_related("division__tournament").get(pk=row.pk))
    assert found is not None
    first = found.rows[0]
    assert (first.total.rank, first.total.club, first.total.solos) == (1, "Utrecht", 1)
    assert len(found.rows) == 5
    assert found.differences == []


def test_same_file_is_joined_once(row: PreparedSession, envelope: sealed.Envelope) -> None:
    utrecht = steps.club("Utrecht", envelope)
    steps.play_turns(utrecht, steps.code_of(row), ("8G ZEST", ""), ("", ""))
    steps.joined(row, envelope, utrecht)

    assert refused(lambda: steps.joined(row, envelope, utrecht)) == ["joined_already"]
    remove_club(JoinedClub.objects.select_related("prepared__division__tournament").get(), actor=OURS())
    steps.joined(row, envelope, utrecht)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (
            lambda turns: turns[0].update(draw="AEENTZN", master={"position": "8G", "word": "ZEN"}),
            "other_draw",
            "turn 1",
        ),
        (lambda turns: turns[1].update(master={"position": "7H", "word": "EEN"}), "other_master", "turn 2"),
        (lambda turns: turns[1].update(code="AAAA-AAAA-AAAA"), "not_opened", "turn 2"),
        (lambda turns: turns.pop(), "not_over", "turn 2"),
        (lambda turns: turns[1].update(master=None), "not_over", "turn 2"),
    ],
    ids=["draw", "master", "code", "not over", "open"],
)
def test_file_of_other_turns_is_refused_by_its_turn(
    row: PreparedSession,
    envelope: sealed.Envelope,
    change: Callable[[list[dict[str, object]]], object],
    code: str,
    said: str,
) -> None:
    session = steps.club("Utrecht", envelope)
    steps.play_turns(session, steps.code_of(row), ("8G ZEST", ""), ("", ""))
    value = json.loads(steps.saved(session))
    change(value["divisions"][0]["duplicate"]["turns"])

    with translation.override("en"), pytest.raises(Refusals, match=said) as caught:
        steps.read(json.dumps(value), envelope)
    assert [refusal.code for refusal in caught.value.refusals] == [code]


def test_file_of_another_session_is_refused(
    row: PreparedSession, envelope: sealed.Envelope, division: Division
) -> None:
    session = steps.club("Utrecht", envelope)
    value = json.loads(steps.saved(session))
    duplicate = value["divisions"][0]["duplicate"]

    assert refused(lambda: steps.read(json.dumps({**value, "divisions": [{"name": "A"}]}), envelope)) == [
        "no_session_there"
    ]
    duplicate["words"] = "Andere"
    assert refused(lambda: steps.read(json.dumps(value), envelope)) == ["other_head", "not_over"]
    duplicate["sealed"]["name"] = "Ander"
    assert refused(lambda: steps.read(json.dumps(value), envelope)) == ["other_session"]


def test_ruling_counts_in_every_club(row: PreparedSession, envelope: sealed.Envelope) -> None:
    utrecht, gent = steps.club("Utrecht", envelope), steps.club("Gent", envelope)
    for session in (utrecht, gent):
        steps.play_turns(session, steps.code_of(row), ("8G ZEST", "8H ZES"), ("", ""))
    turn = DuplicateTurn.objects.select_related("session__division__tournament").get(session=utrecht, number=1)
    evening.corrected(turn, 2, 0)
    steps.joined(row, envelope, utrecht, gent)

    (line,) = _results(row).differences
    rule_on_word(row, word=line.difference.word, points=20, why="Staat in Van Dale", actor=OURS())

    assert line.said == "Gent: 14 · Utrecht: 0"
    assert sorted(each.total.points for each in _results(row).rows) == [18, 18, 20, 20]
    assert refused(lambda: rule_on_word(row, word=line.difference.word, points=-1, why="x", actor=OURS())) == [
        "out_of_range"
    ]


def _results(row: PreparedSession) -> JoinedResults:
    found = load_joined_results(PreparedSession.objects.select_related("division__tournament").get(pk=row.pk))
    assert found is not None
    return found


def test_file_journal_and_undo_hold_a_sealed_session(row: PreparedSession, envelope: sealed.Envelope) -> None:
    session = steps.club("Utrecht", envelope)
    steps.play_turns(session, steps.code_of(row), ("8G ZEST", ""))
    ours = session.division.tournament

    copy = store_event_data(read_tournament_file(steps.saved(session), slug="kopie"), actor=OURS())

    assert format_tournament_file(load_event_data(copy)).replace('"kopie"', f'"{ours.slug}"') == steps.saved(session)
    assert find_journal_differences(ours) == []
    assert find_journal_differences(row.division.tournament) == []
    rebuilt = rebuild_event(ours.slug, "opnieuw", actor=OURS()).tournament
    assert format_tournament_file(load_event_data(rebuilt)).replace('"opnieuw"', f'"{ours.slug}"') == steps.saved(
        session
    )
    undo_journal_entry(JournalEntry.objects.filter(tournament=ours, verb="close_turn").latest("number"), actor=OURS())
    assert not DuplicateTurn.objects.get(session=session).is_closed


def test_correction_is_of_the_word_or_of_the_paper(row: PreparedSession, envelope: sealed.Envelope) -> None:
    session = steps.club("Utrecht", envelope, people=3)
    steps.play_turns(session, steps.code_of(row), ("8G ZEST", "8g zest", "8H ZES"))
    turn = DuplicateTurn.objects.select_related("session__division__tournament").get(session=session)

    evening.corrected(turn, 1, 5)
    assert evening.points(session)[0] == [5, 5, 14]
    correct_slip(
        turn,
        entry=evening.players(session)[0],
        points=7,
        why="Verkeerd getypt",
        today=date(2026, 11, 26),
        alone=True,
        actor=OURS(),
    )
    assert evening.points(session)[0] == [7, 5, 14]


def test_archive_refuses_rows_that_no_operation_writes(row: PreparedSession, envelope: sealed.Envelope) -> None:
    session = steps.club("Utrecht", envelope)
    steps.play_turns(session, steps.code_of(row), ("8G ZEST", ""), ("", ""))
    steps.joined(row, envelope, session)
    row, session = PreparedSession.objects.get(), DuplicateSession.objects.get()
    club, ruling = JoinedClub.objects.get(), Ruling(position="8G", word="ZEST")
    for good in (row, session, club, ruling):
        GAME_ROW_CHECKS[type(good)](good)

    session.sealed, row.envelope, club.text, ruling.position = {"turns": 3}, [1], "{}", "8\0"

    for bad in (row, session, club, ruling):
        with pytest.raises(ValueError, match=r"."):
            GAME_ROW_CHECKS[type(bad)](bad)
