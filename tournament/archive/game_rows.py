"""What an archive holds of the tables: lists for people to read, what its rows have to be, word lists by name."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from games.judge.words import describe_needed_list
from games.models import (
    Challenge,
    DuplicateSession,
    DuplicateTurn,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    PreparedSession,
    Question,
    Ruling,
    Scoresheet,
    WordList,
)
from games.referee.catalogue import IncidentEffect
from games.sheets.lines import WrittenEnding, WrittenLine, find_ending_problems, find_line_problems
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import SEALED_FORMAT, SEALED_VERSION, read_sealed_file, read_tournament_file
from tournament.models import Organiser, Tournament

ARCHIVE_LISTS: Mapping[str, tuple[type[models.Model], ...]] = {
    "sheets.json": (Scoresheet, Line),
    "log.json": (Challenge, Incident, JuryQuestion, Question),
}
"""The members of an archive that list rows for people and programs to read, each with the tables it shows."""


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
    # By the type itself: to Python `true` is an int as well, of value 1.
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


GAME_ROW_CHECKS: Mapping[type[models.Model], Callable[[Any], None]] = {
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
    asked_lists = WordList.objects.filter(questions__tournament=tournament)
    own = WordList.objects.filter(organiser=tournament.organiser_id)
    used = own.filter(letters=tournament.rules.letters, in_use=True)
    word_lists = (asked_lists | used).distinct().order_by("title", "pk")
    return [
        {"title": word_list.title, "letters": word_list.letters, "sha256": word_list.sha256} for word_list in word_lists
    ]


def describe_missing_word_lists(organiser: Organiser, lists: list[dict[str, Any]]) -> list[str]:
    """What to say of the lists among these that the organiser has not loaded here."""
    here = set(WordList.objects.filter(organiser=organiser).values_list("sha256", flat=True))
    return [describe_needed_list(word_list["title"]) for word_list in lists if word_list["sha256"] not in here]
