"""What is stored of what happens at a table: score sheets, referee's log, photos, word lists and their questions."""

from games.models.referee import Challenge, Incident
from games.models.sheets import Line, Photo, Scoresheet
from games.models.words import Question, WordList

__all__ = ["Challenge", "Incident", "Line", "Photo", "Question", "Scoresheet", "WordList"]
