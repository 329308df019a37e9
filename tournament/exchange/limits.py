"""The limits of what a file may hold: those of the database, stated once for every format."""

from scoring import knockout

FILE_BYTES = 20_000_000
"""A tournament file of 3,000 players and 20 rounds has 4 MB."""

ELEMENTS = 20_000
"""Of one list: more than any tournament has players."""

FAULTS = 50_000
"""Of one file. Millions of them would take minutes and gigabytes."""

SLUG, NAME, PLACE, CLUB, DIVISION, PLAYER_NAME, PLAYER_ID = 80, 120, 120, 80, 40, 80, 40
NOTE, EXCEPTION, PENALTY_REASON, WORD, ANNOUNCEMENT = 400, 200, 200, 40, 20_000
"""Characters."""

POINTS = (-999, 9999)
SPREAD = (-999, 999)
BYE_POINTS = (0, 9999)
PENALTY = (0, 999)
OVERTIME = (0, 7200)
BINGOS = (0, 20)
SECONDS = (0, 86400)
MOVE = (0, 2000)
MOVES = 100
RATING = (0, 9999)
GAMES = (0, 99_999)
ROUND = (1, 200)
AFTER = (0, 200)
TABLE = (1, 2000)
MINUTES = (1, 180)
CAP = (1, 9999)
CLUBS_APART = (0, 100)
SEED = (-(2**63), 2**63 - 1)
FACTOR = (1, 1000)
BEHIND = (0, 20)
KNOCKOUT_SIZE = (knockout.SMALLEST, knockout.LARGEST)
BEST_OF = (1, knockout.LONGEST_SERIES)
STAGE = (1, 6)
POSITION = (1, 32)
"""The lowest and the highest figure allowed."""
