"""What this app adds to the registers of the app below: its tables and verbs, its addresses, its parts of files,
screens and paper."""

import json
from collections.abc import Callable
from typing import Any

from django.db import models
from django.db.models import signals

from games.core.journal import (
    GAME_ADDRESSES,
    GAME_DETAILS,
    GAME_QUIET_VERBS,
    GAME_TABLES,
    GAME_UNDOABLE_VERBS,
    GAME_VERBS,
)
from games.duplicate.demo import create_duplicate_example
from games.duplicate.files import load_duplicate_sessions, store_duplicate_session
from games.duplicate.operations.undoing import DUPLICATE_UNDO_CHECKS
from games.duplicate.paper import SESSION_DOCUMENTS, format_session_standings, make_session_renderer
from games.duplicate.views import make_session_screen_part
from games.entry.operations import count_unsettled_results
from games.judge.words import describe_needed_list
from games.models import (
    Challenge,
    DuplicateSession,
    DuplicateTurn,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    Photo,
    PreparedSession,
    Question,
    Ruling,
    Scoresheet,
    WordList,
)
from games.photos.operations import remove_photo_file
from games.referee.catalogue import IncidentEffect
from games.round_play.views import make_round_play_screen_part
from games.sheets.lines import WrittenEnding, WrittenLine, find_ending_problems, find_line_problems
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from tournament.access.acts import add_addresses
from tournament.archive.additions import ARCHIVE_LISTS, MISSING_WORD_LIST_FINDERS, ROW_CHECKS, WORD_LIST_FINDERS
from tournament.core.records import (
    DETAIL_TABLES,
    OWNED_TABLES,
    PICTURE_TABLES,
    UNARCHIVED_TABLES,
    UNSETTLED_COUNTERS,
)
from tournament.core.words.journal import QUIET_VERBS, UNDOABLE_VERBS, VERB_TITLES
from tournament.ending.files import SESSION_TABLE_WRITERS
from tournament.events.demo import DEMO_KINDS
from tournament.exchange.faults import FileFaults
from tournament.exchange.sessions import SEALED_FORMAT, SEALED_VERSION, SESSION_STORES, SessionStore, read_sealed_file
from tournament.exchange.tournament_file import read_tournament_file
from tournament.files.print_room import EXTRA_DOCUMENTS
from tournament.hall.views.contents import PART_MAKERS
from tournament.journal.operations import UNDO_CHECKS
from tournament.models import Organiser, Screen, Tournament

# This app's part of an event's archive: its lists, what its rows have to be, and the word lists that were asked.


GAME_ARCHIVE_LISTS: dict[str, tuple[type[models.Model], ...]] = {
    "sheets.json": (Scoresheet, Line),
    "log.json": (Challenge, Incident, JuryQuestion, Question),
}


def _check_scoresheet(row: Scoresheet) -> None:
    if find_ending_problems(WrittenEnding.of(row)):
        raise ValueError("end of a sheet")


def _check_line(row: Line) -> None:
    if find_line_problems(WrittenLine.of(row)):
        raise ValueError("line of a sheet")


def _check_challenge(row: Challenge) -> None:
    _check_words([word for word, _stands in row.words], [stands for _word, stands in row.words])


def _check_question(row: Question) -> None:
    _check_words(row.words, row.verdicts)


def _check_jury_question(row: JuryQuestion) -> None:
    _check_words([row.word], [row.stands])


def _check_words(words: list[Any], verdicts: list[Any]) -> None:
    """Raise ValueError unless these are words and as many verdicts."""
    if len(words) != len(verdicts) or not all(type(stands) is bool for stands in verdicts):
        raise ValueError("verdicts")
    if not all(isinstance(word, str) and word.isprintable() for word in words):
        raise ValueError("words")


def _check_incident(row: Incident) -> None:
    others = [row.figures[name] for name in ("tiles", "gone", "line", "turn_points") if name in row.figures]
    if not all(type(figure) is int for figure in [*row.figures.get("seconds", []), *others]):
        raise ValueError("figures of an incident")
    _check_words([row.figures.get("word", "")], [True])
    IncidentEffect(row.consequence)


def _check_session(row: DuplicateSession) -> None:
    if row.letters not in LETTER_SETS:
        raise ValueError("letters of a session")
    _check_envelope(row.sealed)


def _check_prepared_session(row: PreparedSession) -> None:
    if row.letters not in LETTER_SETS or not all(line.isprintable() for line in row.turns.splitlines()):
        raise ValueError("a prepared session")
    _check_envelope(row.envelope)


def _check_envelope(value: Any) -> None:
    """Raise ValueError unless this is a sealed session, or none."""
    if value is None:
        return
    try:
        read_sealed_file(json.dumps({"format": SEALED_FORMAT, "version": SEALED_VERSION, **value}))
    except (TypeError, FileFaults) as fault:
        raise ValueError("a sealed session") from fault


def _check_joined_club(row: JoinedClub) -> None:
    try:
        read_tournament_file(row.text)
    except FileFaults as fault:
        raise ValueError("file of a club") from fault


def _check_ruling(row: Ruling) -> None:
    if not (row.position.isprintable() and row.word.isprintable()):
        raise ValueError("word of a ruling")


def _check_turn(row: DuplicateTurn) -> None:
    if row.master_word:
        Play.parse(row.master_position, row.master_word)
    if not all(isinstance(draw, str) and draw.isprintable() for draw in [row.draw, *row.redrawn]):
        raise ValueError("draws of a turn")


GAME_ROW_CHECKS: dict[type[models.Model], Callable[[Any], None]] = {
    Scoresheet: _check_scoresheet,
    Line: _check_line,
    Challenge: _check_challenge,
    Question: _check_question,
    JuryQuestion: _check_jury_question,
    Incident: _check_incident,
    DuplicateSession: _check_session,
    DuplicateTurn: _check_turn,
    PreparedSession: _check_prepared_session,
    JoinedClub: _check_joined_club,
    Ruling: _check_ruling,
}


def list_asked_word_lists(tournament: Tournament) -> list[dict[str, Any]]:
    """The word lists that the judge would ask, or has asked, for a tournament: lists are not free, names are."""
    asked = WordList.objects.filter(questions__tournament=tournament)
    own = WordList.objects.filter(organiser=tournament.organiser_id)
    used = own.filter(letters=tournament.rules.letters, in_use=True)
    found = (asked | used).distinct().order_by("title", "pk")
    return [{"title": each.title, "letters": each.letters, "sha256": each.sha256} for each in found]


def describe_missing_word_lists(organiser: Organiser, lists: list[dict[str, Any]]) -> list[str]:
    """What to say of the lists among these that the organiser has not loaded here."""
    here = set(WordList.objects.filter(organiser=organiser).values_list("sha256", flat=True))
    return [describe_needed_list(each["title"]) for each in lists if each["sha256"] not in here]


def fill_game_registers() -> None:
    """Make everything known; once, when the program starts."""
    add_addresses(GAME_ADDRESSES)
    _register_journal()
    _register_files()
    DEMO_KINDS["duplicate"] = create_duplicate_example
    PART_MAKERS[Screen.Shows.DUPLICATE] = make_session_screen_part
    PART_MAKERS[Screen.Shows.ROUND_PLAY] = make_round_play_screen_part
    EXTRA_DOCUMENTS.update({f"session-{name}": make_session_renderer(name) for name in SESSION_DOCUMENTS})
    SESSION_TABLE_WRITERS.append(format_session_standings)
    signals.post_delete.connect(remove_photo_file, sender=Photo)


def _register_journal() -> None:
    """For the journal, undo, and deleting a tournament."""
    OWNED_TABLES.update(GAME_TABLES)
    UNARCHIVED_TABLES.append(WordList)
    UNSETTLED_COUNTERS.append(count_unsettled_results)
    DETAIL_TABLES.update(GAME_DETAILS)
    PICTURE_TABLES[Photo] = "pairing__seats__entry"
    VERB_TITLES.update(GAME_VERBS)
    QUIET_VERBS.update(GAME_QUIET_VERBS)
    UNDOABLE_VERBS.update(GAME_UNDOABLE_VERBS)
    UNDO_CHECKS.update(DUPLICATE_UNDO_CHECKS)


def _register_files() -> None:
    """For tournament files and archives."""
    SESSION_STORES.append(SessionStore(store_duplicate_session, load_duplicate_sessions))
    ARCHIVE_LISTS.update(GAME_ARCHIVE_LISTS)
    ROW_CHECKS.update(GAME_ROW_CHECKS)
    WORD_LIST_FINDERS.append(list_asked_word_lists)
    MISSING_WORD_LIST_FINDERS.append(describe_missing_word_lists)
