"""This app's part of an event's archive: its lists, what its rows have to be, and the word lists that were asked."""

import json
from collections.abc import Callable
from typing import Any

from django.db import models

from games.judge import words as judge_words
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
from games.referee.kinds import Effect
from games.sheets import legible
from games.sheets.written import WrittenEnding, WrittenLine
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from tournament.exchange import faults, sealed_file, tournament_file
from tournament.models import Organiser, Tournament

LISTS: dict[str, tuple[type[models.Model], ...]] = {
    "sheets.json": (Scoresheet, Line),
    "log.json": (Challenge, Incident, JuryQuestion, Question),
}


def _scoresheet(row: Scoresheet) -> None:
    if legible.ending_problems(WrittenEnding.of(row)):
        raise ValueError("end of a sheet")


def _line(row: Line) -> None:
    if legible.line_problems(WrittenLine.of(row)):
        raise ValueError("line of a sheet")


def _challenge(row: Challenge) -> None:
    _require_words([word for word, _stands in row.words], [stands for _word, stands in row.words])


def _question(row: Question) -> None:
    _require_words(row.words, row.verdicts)


def _jury_question(row: JuryQuestion) -> None:
    _require_words([row.word], [row.stands])


def _require_words(words: list[Any], verdicts: list[Any]) -> None:
    """Raise ValueError unless these are words and as many verdicts."""
    if len(words) != len(verdicts) or not all(type(stands) is bool for stands in verdicts):
        raise ValueError("verdicts")
    if not all(isinstance(word, str) and word.isprintable() for word in words):
        raise ValueError("words")


def _incident(row: Incident) -> None:
    others = [row.figures[name] for name in ("tiles", "gone", "line", "turn_points") if name in row.figures]
    if not all(type(figure) is int for figure in [*row.figures.get("seconds", []), *others]):
        raise ValueError("figures of an incident")
    _require_words([row.figures.get("word", "")], [True])
    Effect(row.consequence)


def _session(row: DuplicateSession) -> None:
    if row.letters not in LETTER_SETS:
        raise ValueError("letters of a session")
    _require_envelope(row.sealed)


def _prepared(row: PreparedSession) -> None:
    if row.letters not in LETTER_SETS or not all(line.isprintable() for line in row.turns.splitlines()):
        raise ValueError("a prepared session")
    _require_envelope(row.envelope)


def _require_envelope(value: Any) -> None:
    """Raise ValueError unless this is a sealed session, or none."""
    if value is None:
        return
    try:
        sealed_file.read(json.dumps({"format": sealed_file.FORMAT, "version": sealed_file.VERSION, **value}))
    except (TypeError, faults.Faults) as fault:
        raise ValueError("a sealed session") from fault


def _club(row: JoinedClub) -> None:
    try:
        tournament_file.read(row.text)
    except faults.Faults as fault:
        raise ValueError("file of a club") from fault


def _ruling(row: Ruling) -> None:
    if not (row.position.isprintable() and row.word.isprintable()):
        raise ValueError("word of a ruling")


def _turn(row: DuplicateTurn) -> None:
    if row.master_word:
        Play.parse(row.master_position, row.master_word)
    if not all(isinstance(draw, str) and draw.isprintable() for draw in [row.draw, *row.redrawn]):
        raise ValueError("draws of a turn")


CHECKS: dict[type[models.Model], Callable[[Any], None]] = {
    Scoresheet: _scoresheet,
    Line: _line,
    Challenge: _challenge,
    Question: _question,
    JuryQuestion: _jury_question,
    Incident: _incident,
    DuplicateSession: _session,
    DuplicateTurn: _turn,
    PreparedSession: _prepared,
    JoinedClub: _club,
    Ruling: _ruling,
}


def lists_asked(tournament: Tournament) -> list[dict[str, Any]]:
    """The word lists that the judge would ask, or has asked, for a tournament: lists are not free, names are."""
    asked = WordList.objects.filter(questions__tournament=tournament)
    own = WordList.objects.filter(organiser=tournament.organiser_id)
    used = own.filter(letters=tournament.rules.letters, in_use=True)
    found = (asked | used).distinct().order_by("title", "pk")
    return [{"title": each.title, "letters": each.letters, "sha256": each.sha256} for each in found]


def lists_missing(organiser: Organiser, lists: list[dict[str, Any]]) -> list[str]:
    """What to say of the lists among these that the organiser has not loaded here."""
    here = set(WordList.objects.filter(organiser=organiser).values_list("sha256", flat=True))
    return [judge_words.needed(each["title"]) for each in lists if each["sha256"] not in here]
