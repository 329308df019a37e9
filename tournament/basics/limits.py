"""The limits of every figure and text; database constraints, operations, forms and files all use them."""

from dataclasses import dataclass

from scoring import knockout_values
from scoring.duplicate import MAX_TURNS


@dataclass(frozen=True, slots=True)
class Range:
    """The whole numbers from `low` to `high`, both ends included."""

    low: int
    high: int

    def holds(self, value: int) -> bool:
        """Whether a number is allowed."""
        return self.low <= value <= self.high

    def nearest(self, value: int) -> int:
        """The nearest allowed number."""
        return max(self.low, min(value, self.high))

    @property
    def numbers(self) -> range:
        """All of them, from the lowest up."""
        return range(self.low, self.high + 1)

    @property
    def ends(self) -> dict[str, int]:
        """Both ends, under the names that messages use for them."""
        return {"low": self.low, "high": self.high}


# A game and its result.
POINTS = Range(-999, 9999)
"""A final score."""
SPREAD = Range(-999, 999)
"""What a bye or an absence is credited."""
BYE_POINTS = Range(0, 9999)
PENALTY = Range(0, 999)
OVERTIME = Range(0, 7200)
"""Seconds; more than any clock shows."""
SECONDS = Range(0, 86400)
"""The time that a player used."""
BINGOS = Range(0, 20)
MOVE = Range(0, 2000)
"""The points of one play."""
MOVES, MOVES_TYPED = 100, 30
"""How many best plays a file, and a form, may list."""

# An event and its players.
MINUTES = Range(1, 180)
SPREAD_CAP = Range(1, 9999)
CLUBS_APART = Range(0, 100)
RATING = Range(0, 9999)
GAMES = Range(0, 99_999)
TABLE = Range(1, 2000)

# Rounds and their plan.
ROUND = Range(1, 200)
AFTER_ROUND = Range(0, 200)
"""A round after which something holds; 0 is before the first."""
DRAW_SEED = Range(-(2**63), 2**63 - 1)
REASON_FIGURE = Range(0, 99_999)
"""A figure of a reason: a rank, a number of players, half wins …"""
FACTOR = Range(1, 1000)
ROUNDS_BEHIND = Range(0, 20)

# A knock-out.
KNOCKOUT_SIZE = Range(knockout_values.SMALLEST, knockout_values.LARGEST)
KNOCKOUT_SEED = Range(1, knockout_values.LARGEST)
BEST_OF = Range(1, knockout_values.LONGEST_SERIES)
STAGE = Range(1, 6)
POSITION = Range(1, 32)

# A prize.
PRIZE_PLACE = Range(1, 999)
PRIZES = Range(0, 100)
"""How many a division may have."""

# A season.
SEASON_EVENTS = Range(0, 30)
"""How many events it may count; so many columns fit on its paper."""
SEASON_BEST = Range(1, 30)
SEASON_POINTS = Range(0, 9999)
"""What a place is worth."""
SEASON_PLACES = 200
"""How many places may give points."""

# A duplicate session.
DUPLICATE_TURNS = Range(1, MAX_TURNS)
TURN_SECONDS = Range(10, 3600)
"""The time of a turn."""
DUPLICATE_SEED = Range(0, 2**31 - 1)
CLAIMED_POINTS = Range(-999, 2000)
"""What somebody claims for a word, whatever it is."""
SLIP_POINTS = Range(0, 2000)
"""What a slip scores after a correction."""
REDRAWS = 20
"""How often the draw of one turn may be put back."""
SLIP_POSITION, SLIP_TEXT = 12, 40
"""Characters of a place and of a word on a slip, even where nobody can read them."""
SEALED_BYTES, SEALED_NAME, SEALED_TURN, HASH = 1_000_000, 80, 4_000, 64
"""A sealed session: its file, its name, the text of a turn, a hash, a code."""
CORRECTIONS = 1000
"""Of one turn."""

# The hall.
SCREEN = Range(1, 20)
"""A screen's number, and so how many there may be."""
PAGE_SECONDS = Range(3, 600)
"""How long a page stays on a screen."""
CLOCK = Range(60, 18_000)
"""The time of a round in seconds."""
CLOCK_LEFT = Range(0, 18_000)
TURNS_SHOWN = Range(1, 12)
"""How much a screen shows in turn."""
SLIDE = Range(0, 2000)
"""A slide of the ceremony."""
SCREEN_NAME, MESSAGE = 40, 200

# What the public sees when.
SHOWN_MINUTES = Range(0, 1440)
"""How long something waits until it is seen."""
SHOWN_TEXT = 20

# Online entry.
PLACES = Range(1, 2000)
FEE, ENTRY_NOTE = 400, 2000
"""What there is to pay and how; what else those who register should know."""
SUBJECT, FAULT = 200, 200
"""Of a letter: its subject, and why it could not be sent."""
REQUESTS = 1000
"""Registrations of a tournament whose address is not confirmed; beyond that somebody is playing with the form."""

# Characters of a text.
SLUG, NAME, PLACE, ANNOUNCEMENT = 80, 120, 120, 20_000
WORD_LIST, WORD_LIST_AT = 120, 200
PLAYER_NAME, CLUB, EMAIL, PLAYER_ID = 80, 80, 254, 40
CODE = 20
WIFI_NAME, WIFI_PASSWORD = 32, 63
"""Bytes of a wireless network's name, characters of its password (IEEE 802.11)."""
LINKS = 30_000
"""Personal links of a player, after which they are counted from one again."""
DIVISION = 40
EXCEPTION = 200
NOTE, PENALTY_REASON, WHY = 400, 200, 200
PRIZE_TITLE, PRIZE_AWARD = 80, 120
"""What a prize is called, and what there is to win."""
CERTIFICATE_HEADING, CERTIFICATE_LINE, CERTIFICATE_SIGNED = 24, 160, 60
"""A certificate's title, its sentence, and what stands at the lines to sign on."""
WORD = 40
"""A code or a key: a ruleset's, a verb's, a flag's."""
AUTHOR_NAME = 80
"""Who wrote something, as the journal says it."""

SEARCH = 80
"""What somebody looks for in a list."""
QUOTED_TEXT = 60
"""So many of an input that is refused are quoted."""
FILE_NAME = 80
"""A name that the program chose for a picture or a word list."""

# A picture that is sent.
PHOTO_BYTES = 10 * 1024**2
PHOTO_PIXELS = {"JPEG": 64_000_000, "progressive JPEG": 16_000_000, "PNG": 13_000_000, "WEBP": 10_000_000}
"""By what decoding one costs: an ordinary JPEG is made smaller row by row, the others are held in memory whole, some
several times."""
PHOTO_DECODED = 16_000_000
"""Pixels beyond which a JPEG is decoded at half its size."""
PHOTO_SIDE = 16_384
"""Pixels; each row costs memory of its own, and a picture one pixel wide has millions."""
PHOTO_SCANS = 40
"""How often a JPEG may go over its pixels: some ten times if it is progressive, and once for each small copy inside."""

# A file.
FILE_BYTES = 20_000_000
"""A tournament file of 3,000 players and 20 rounds has 4 MB."""
FILES = 500
"""In one archive."""
ELEMENTS = 20_000
"""Of one list: more than any tournament has players."""
DIVISIONS = 50
"""Of an event; each has its pages."""
REASONS, NOTES = 30, 50
"""Of one pairing, and on one round."""
CONTAINERS = 300_000
"""Objects and lists of one file. A tournament of 3,000 players and 20 rounds has 40,000; millions fill the memory."""
VALUES = 1_000_000
"""Of one file, as many as it has commas."""
KEYS = 25_000
"""Of one object; the list of an archive's files has up to 20,000."""
GAMES_SENT = 2000
"""Games of a file that comes through the browser. While more are stored, nobody else could save anything."""

# A file of tsh.
TSH_BYTES = 4_000_000
"""All files of an event; 3,000 players and 20 rounds have 1 MB."""
LINES = 20_000
LINE = 20_000
"""Characters of one line: 200 rounds with every field that tsh writes have 10,000."""
SCRIPT_VALUES = 120_000
"""Of a tourney.js, as many as it has commas; 1,500 players and 20 rounds have 100,000."""

# A list of players.
LIST_BYTES = 5_000_000
UNPACKED_BYTES = 12_000_000
"""What a workbook, which is a zip of texts, may unpack to."""
PARTS = 500
SHEET_TAGS, SHEET_STRINGS, OTHER_TAGS = 180_000, 40_000, 20_000
"""Of the sheets and their texts together, the texts, and all else of a workbook: 5,000 rows of six columns fit."""
ROWS, COLUMNS, CELL = 5000, 60, 1000
"""Of a list, and characters of a cell; columns and characters beyond are not read."""
HEADINGS = 10_000
"""Characters of a first line that are looked at for a separator."""
PASTED_TEXT = 500_000
"""Characters of a list that is pasted."""
FAULTS = 50_000
"""Of one file. Millions of them would take minutes and gigabytes."""

# An archive of an event.
ARCHIVE_BYTES = 250_000_000
"""All members together, unpacked: two hundred photos and more. Also the most that may be sent through the browser."""
ARCHIVE_TEXT_BYTES = 100_000_000
"""A journal; one entry takes about a kilobyte, and a score sheet forty of them."""
ARCHIVE_LINE_BYTES = 16_000_000
"""One entry: the import of a whole event of 500 players is one."""
ARCHIVE_ROWS = 200_000
"""All rows of a journal."""
ARCHIVE_ROWS_SENT = 40_000
"""Of one that comes through a page. An event of 500 players and 13 rounds has 14,000: ten seconds on a busy machine."""
ARCHIVE_PHOTO_BYTES = 10 * 1024**2
ARCHIVE_MEMBERS = 20_000
MANIFEST_BYTES = 5_000_000


def folded_length(longest: int) -> int:
    """The room that such a name needs in a column to sort by: one character can fold into two letters."""
    return 2 * longest


def search_length(longest: int) -> int:
    """The room that such a name needs in a column to search in: folded, and again with umlauts written out."""
    return 4 * longest
