"""Scoring one play, and counting and checking a score sheet, from a game that was played."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.timing import median_ms
from scoring import board, sheet_count, sheet_faults
from scoring.letters import GERMAN_LETTERS
from scoring.plays import Play
from scoring.rulesets.tso import TSO_2010
from scoring.sheet_values import LineKind, ScoreSheetLine, Sheet, Side

GAME = (
    "H4 DIENERN,7F ZON,10F FON,G6 JO,-,I7 EH,F7 ZU,11H SEMS,K4 SCHIERES,4A NUMMERND,A3 ANDREHTE,4J ÖSI,E3 VENN,"
    "M2 LOSGEhT,N1 DAS,10J HENRY,C2 KAMM,8M TÄT,O1 ABTS,F10 FEG,B9 IX,11A TENÜ,13C CENT,D9 KRÜGE,7A ELF,6J UH,O6 WUT,"
    "-,J3 BÖ,N10 YEtI,M13 PUD,14L LUS,G1 AUEN"
)
"""The game's 33 turns; a dash is a turn that lays no tiles."""


def turns() -> tuple[ScoreSheetLine, ...]:
    """The lines of the sheet, both sides in turn."""
    lines = []
    for number, text in enumerate(GAME.split(",")):
        side = Side(1 + number % 2)
        play = None if text == "-" else Play.parse(text)
        lines.append(ScoreSheetLine(side, LineKind.PLAY if play else LineKind.EXCHANGE, play))
    return tuple(lines)


def measure() -> dict[str, Any]:
    """Milliseconds by what is done."""
    written = Sheet(turns())
    whole = sheet_count.count(written, TSO_2010)
    position = board.Board(GERMAN_LETTERS)
    for line in written.lines[:16]:
        position = position if line.play is None else position.after(line.play)
    play = Play.parse("C2 KAMM")
    return {
        "reading a play": median_ms(partial(Play.parse, "12B (AB)eR.."), repeat=200),
        "faults of a play": median_ms(partial(board.problems, position, play, rack="AKM"), repeat=200),
        "scoring a play": median_ms(partial(board.score, position, play), repeat=200),
        "counting a sheet of 33 turns": median_ms(partial(sheet_count.count, written, TSO_2010), repeat=50),
        "its faults, counted already": median_ms(partial(sheet_faults.problems, written, TSO_2010, whole), repeat=50),
    }
