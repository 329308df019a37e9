"""What this app adds to the registers of the app below: tables, verbs, addresses, parts of files, screens and paper."""

import json
from collections.abc import Callable
from typing import Any

from django.db import models
from django.db.models import signals
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.duplicate.demo import create_duplicate_example
from games.duplicate.paper import SESSION_DOCUMENTS, make_session_renderer
from games.duplicate.views import make_session_screen_part
from games.entry.operations import count_unsettled_results, find_unconfirmed_pairings
from games.judge.operations import REMOVE_WORD_LIST
from games.judge.store import remove_list_file
from games.judge.words import describe_needed_list
from games.models import (
    Challenge,
    DuplicateCorrection,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    GameReport,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    Photo,
    PreparedSession,
    Question,
    RoundPlay,
    Ruling,
    Scoresheet,
    SecondEntry,
    SecondReading,
    WordList,
)
from games.photos.operations import remove_photo_file
from games.referee.catalogue import IncidentEffect
from games.referee.queries import find_record_gaps, list_noted_incidents
from games.replay.queries import check_public_boards, load_public_boards
from games.round_play.demo import write_example_games
from games.round_play.public_games import load_public_games, store_public_games
from games.round_play.views import make_round_play_screen_part
from games.sheets.lines import WrittenEnding, WrittenLine, find_ending_problems, find_line_problems
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from tournament.access.acts import Act, add_addresses
from tournament.archive.rebuilding import ARCHIVE_LISTS, MISSING_WORD_LIST_FINDERS, ROW_CHECKS, WORD_LIST_FINDERS
from tournament.core.errands import ERRAND_RUNNERS
from tournament.core.public_view import UNCONFIRMED_FINDERS
from tournament.core.records import DETAIL_TABLES, OWNED_TABLES, PICTURE_TABLES, UNARCHIVED_TABLES, UNSETTLED_COUNTERS
from tournament.core.words.journal import QUIET_VERBS, UNDOABLE_VERBS, VERB_TITLES
from tournament.events.demo import DEMO_GAME_WRITERS, DEMO_KINDS
from tournament.exchange.faults import FileFaults
from tournament.exchange.public_state import PUBLIC_PART_LOADERS
from tournament.exchange.tournament_file import SEALED_FORMAT, SEALED_VERSION, read_sealed_file, read_tournament_file
from tournament.federation.queries import GAP_FINDERS, REFEREE_LOG_READERS
from tournament.files.print_room import EXTRA_DOCUMENTS
from tournament.hall.contents import PART_MAKERS
from tournament.mirror.storing import PUBLIC_PART_STORERS
from tournament.models import Organiser, Screen, Tournament

GAME_ADDRESSES: dict[Act, str] = {
    Act.READ: """
        games:replay games:replay_file games:stream games:stream_board games:duplicate_public games:duplicate_hall
        games:round_play_public
    """,
    Act.RESULTS: """
        games:current games:grid games:result games:preview games:withdraw
        games:settle_result
        games:duplicate games:duplicate_news games:duplicate_slip games:duplicate_slip_remove games:duplicate_second
        games:duplicate_settle
    """,
    Act.OWN_GAMES: "games:me games:me_news games:me_report games:me_here games:me_photo",
    Act.DUPLICATE: """
        games:duplicate_prepare games:duplicate_draw games:duplicate_again games:duplicate_clock games:duplicate_refuse
        games:duplicate_master games:duplicate_best games:duplicate_turn games:duplicate_end games:duplicate_resume
        games:duplicate_take games:duplicate_twice games:duplicate_sealed games:duplicate_seal
        games:duplicate_sealed_file games:duplicate_join games:duplicate_club_remove games:duplicate_rule
        games:duplicate_joined_csv
    """,
    Act.PRINT: "games:duplicate_document games:duplicate_sealed_document",
    Act.SHEETS: """
        games:sheets games:sheet games:sheet_preview games:sheet_draw games:sheet_ending games:sheet_line_delete
        games:sheet_line_swap games:sheet_delete games:compare games:compare_take games:compare_agree games:gcg
        games:gcg_file games:gcg_publish games:best_plays games:photos games:photo games:photo_delete
    """,
    Act.HALL: "games:round_play games:round_play_choose games:round_play_solve games:round_play_away",
    Act.REFEREE: """
        games:judge games:judge_answer games:judge_log games:referee_overview games:referee games:challenge
        games:incident games:incident_apply games:incident_strike games:challenge_strike
    """,
    Act.WORD_LISTS: "games:word_lists games:use_words games:delete_words",
}

GAME_TABLES: dict[type[models.Model], str] = {
    **dict.fromkeys(
        (Scoresheet, Photo, Challenge, Incident, JuryQuestion, GameReport, SecondEntry),
        "pairing__round__division__tournament",
    ),
    Line: "scoresheet__pairing__round__division__tournament",
    RoundPlay: "scoresheet__pairing__round__division__tournament",
    Question: "tournament",
    DuplicateSession: "division__tournament",
    DuplicateTurn: "session__division__tournament",
    DuplicateSlip: "turn__session__division__tournament",
    SecondReading: "turn__session__division__tournament",
    DuplicateCorrection: "turn__session__division__tournament",
    PreparedSession: "division__tournament",
    JoinedClub: "prepared__division__tournament",
    Ruling: "prepared__division__tournament",
}

GAME_VERBS: dict[str, str | Promise] = {
    "report_game": _("Reported by a player"),
    "confirm_result": _("Result looked at and confirmed"),
    "type_again": _("Result typed a second time"),
    "settle_result": _("Result settled from the paper"),
    "ask_judge": _("Word judge asked"),
    "ask_jury": _("Jury asked about a word"),
    "delete_word_list": _("Word list deleted"),
    "attach_photos": _("Photos attached"),
    "delete_photo": _("Photo deleted"),
    "log_challenge": _("Challenge noted"),
    "withdraw_challenge": _("Challenge struck from the log"),
    "log_incident": _("Incident noted"),
    "withdraw_incident": _("Incident struck from the log"),
    "revert_incident": _("Incident struck from the log, its consequence withdrawn"),
    "apply_incident": _("Consequence put into the result"),
    "agree_sheet": _("Score sheet agreed"),
    "open_sheet": _("Score sheet begun"),
    "write_line": _("Line written"),
    "change_line": _("Line changed"),
    "insert_line": _("Line inserted"),
    "delete_line": _("Line deleted"),
    "swap_sides": _("Players swapped on a score sheet"),
    "note_draw": _("Draw for the start noted on a score sheet"),
    "finish_sheet": _("End of a score sheet written"),
    "delete_sheet": _("Score sheet deleted"),
    "import_sheet": _("Score sheet read from a GCG file"),
    "publish_game": _("Game published to step through"),
    "unpublish_game": _("Game taken off the public pages"),
    "choose_round_play": _("Play of the round shown"),
    "solve_round_play": _("Best play of the play of the round shown"),
    "take_round_play_away": _("Play of the round taken away"),
    "prepare_session": _("Duplicate session prepared"),
    "end_session": _("Duplicate session ended"),
    "resume_session": _("Duplicate session goes on"),
    "open_turn": _("Turn drawn"),
    "draw_again": _("Turn drawn again"),
    "start_clock": _("Clock of a turn started"),
    "close_turn": _("Master word laid"),
    "save_slip": _("Slip"),
    "remove_slip": _("Slip removed"),
    "refuse_word": _("Word judged by the jury"),
    "correct_slip": _("Slip corrected afterwards"),
    "type_twice": _("Second correction switched on or off"),
    "read_again": _("Slip typed a second time"),
    "settle_slip": _("Difference settled from the paper slip"),
    "take_sealed": _("Sealed session read in"),
    "save_prepared": _("Session prepared for several clubs"),
    "seal_session": _("Session sealed"),
    "join_clubs": _("Club’s file joined"),
    "remove_club": _("Club’s file removed"),
    "rule_slip": _("Ruled for all clubs"),
}

GAME_QUIET_VERBS = frozenset({"ask_judge", "report_game"})  # those of this app's verbs that have a log of their own

UNDOABLE = """
    confirm_result ask_jury withdraw_challenge withdraw_incident open_sheet write_line change_line insert_line
    delete_line swap_sides note_draw finish_sheet delete_sheet import_sheet publish_game unpublish_game
    choose_round_play solve_round_play take_round_play_away prepare_session end_session resume_session open_turn
    draw_again start_clock close_turn save_slip remove_slip refuse_word correct_slip type_twice read_again
    settle_slip take_sealed save_prepared seal_session join_clubs remove_club rule_slip
"""
GAME_UNDOABLE_VERBS = frozenset(UNDOABLE.split())  # those of this app's verbs that can be taken back

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
    Challenge: lambda row: _check_words([word for word, _said in row.words], [stands for _word, stands in row.words]),
    Question: lambda row: _check_words(row.words, row.verdicts),
    JuryQuestion: lambda row: _check_words([row.word], [row.stands]),
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
    # For the journal, undo, and deleting a tournament.
    OWNED_TABLES.update(GAME_TABLES)
    UNARCHIVED_TABLES.append(WordList)
    UNSETTLED_COUNTERS.append(count_unsettled_results)
    UNCONFIRMED_FINDERS.append(find_unconfirmed_pairings)
    DETAIL_TABLES["sheet"] = Scoresheet
    ERRAND_RUNNERS[REMOVE_WORD_LIST] = lambda details: remove_list_file(details["name"])
    PICTURE_TABLES[Photo] = "pairing__seats__entry"
    VERB_TITLES.update(GAME_VERBS)
    QUIET_VERBS.update(GAME_QUIET_VERBS)
    UNDOABLE_VERBS.update(GAME_UNDOABLE_VERBS)
    # For tournament files and archives.
    PUBLIC_PART_LOADERS["games"] = load_public_games
    PUBLIC_PART_STORERS["games"] = store_public_games
    PUBLIC_PART_LOADERS["boards"] = load_public_boards
    PUBLIC_PART_STORERS["boards"] = check_public_boards
    ARCHIVE_LISTS.update(GAME_ARCHIVE_LISTS)
    ROW_CHECKS.update(GAME_ROW_CHECKS)
    WORD_LIST_FINDERS.append(list_asked_word_lists)
    MISSING_WORD_LIST_FINDERS.append(describe_missing_word_lists)
    DEMO_KINDS["duplicate"] = create_duplicate_example
    DEMO_GAME_WRITERS.append(write_example_games)
    PART_MAKERS[Screen.Shows.DUPLICATE] = make_session_screen_part
    PART_MAKERS[Screen.Shows.ROUND_PLAY] = make_round_play_screen_part
    EXTRA_DOCUMENTS.update({f"session-{name}": make_session_renderer(name) for name in SESSION_DOCUMENTS})
    REFEREE_LOG_READERS.append(list_noted_incidents)
    GAP_FINDERS.append(find_record_gaps)
    signals.post_delete.connect(remove_photo_file, sender=Photo)
