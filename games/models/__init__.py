"""What is stored of what happens at a table: score sheets, duplicate sessions, referee's log, photos, word lists."""

from games.models.duplicate import (
    DuplicateCorrection,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    JoinedClub,
    PreparedSession,
    Ruling,
    SecondReading,
)
from games.models.referee import Challenge, Incident
from games.models.rounds import GameReport, RoundPlay, SecondEntry
from games.models.sheets import Line, Photo, Scoresheet
from games.models.words import JuryQuestion, Question, WordList

__all__ = [
    "Challenge",
    "DuplicateCorrection",
    "DuplicateSession",
    "DuplicateSlip",
    "DuplicateTurn",
    "GameReport",
    "Incident",
    "JoinedClub",
    "JuryQuestion",
    "Line",
    "Photo",
    "PreparedSession",
    "Question",
    "RoundPlay",
    "Ruling",
    "Scoresheet",
    "SecondEntry",
    "SecondReading",
    "WordList",
]
