"""The limits of what is written at a table besides its result, whose own are in `tournament.basics.limits`."""

from scoring.challenges import MAX_CHALLENGED_WORDS
from tournament.basics.limits import Range

# A score sheet.
LINES = Range(1, 200)  # more than any game has: 102 tiles, with challenges and penalties in between
LINE_POINTS = Range(-999, 2000)  # no play comes near these
GOOD_WORDS = Range(0, 20)  # the words of one failed challenge

# The referee's log and the word judge.
TURN = Range(1, 200)
CHALLENGED_WORDS = Range(1, MAX_CHALLENGED_WORDS)
WORD_LENGTH = Range(2, 15)  # letters of a word on the board
TILES = Range(1, 20)  # tiles that an incident is about

# Reports of players.
REPORT_KEY = 36
REPORTS = 20  # of one player and game; beyond that somebody is playing with the phone

# Characters of a text.
POSITION, LINE_WORD, RACK, LINE_NOTE, SHEET_NOTE = 3, 40, 20, 200, 400
CHALLENGED_WORD, REASON, INCIDENT_NOTE, WHY = 40, 200, 400, 200
QUESTION = 400  # what somebody asks the word judge at once
LIST_TITLE = 120
CLUB_NAME = 120

# Files.
PHOTOS = 10  # photos of one game
OWN_PHOTOS = 3  # those of them that one player may send
GCG_BYTES, GCG_LINES = 1_000_000, 10_000
BOARD_BYTES = 10_000
WORD_LIST_BYTES, WORD_LIST_LINES = 64 * 1024**2, 1_000_000
"""In the browser `UPLOAD_LIMIT` applies first, and a file may have so many lines; more would take longer than others
should wait."""
