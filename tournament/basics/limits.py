"""The limits of every number and text, for database constraints, operations, forms and files alike."""

from dataclasses import dataclass

from scoring.extents import LARGEST, LONGEST_SERIES, MAX_TURNS, SMALLEST


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
        """The allowed numbers in ascending order."""
        return range(self.low, self.high + 1)

    @property
    def ends(self) -> dict[str, int]:
        """Both ends, named as in messages."""
        return {"low": self.low, "high": self.high}


# A game and its result.
POINTS = Range(-999, 9999)  # a final score
SPREAD = Range(-999, 999)  # credited for a bye or an absence
BYE_POINTS = Range(0, 9999)
PENALTY = Range(0, 999)
OVERTIME = Range(0, 7200)  # in seconds; more than any clock shows
SECONDS = Range(0, 86400)  # used by a player
BINGOS = Range(0, 20)
MOVE = Range(0, 2000)  # points of one play
MOVES, MOVES_TYPED = 100, 30  # best plays that a file and a form may list

# An event and its players.
MINUTES = Range(1, 180)
SPREAD_CAP = Range(1, 9999)
CLUBS_APART = Range(0, 100)
TEAM_BEST = Range(1, 20)  # players of a team who count, boards of a match
BOARD = Range(1, 99)  # a place in the order of a team
RATING = Range(0, 9999)
GAMES = Range(0, 99_999)
TABLE = Range(1, 2000)
TABLE_RANGES = 20  # of one division

# Rounds and their plan.
ROUND = Range(1, 200)
AFTER_ROUND = Range(0, 200)  # 0 is before the first round
DRAW_SEED = Range(-(2**63), 2**63 - 1)
REASON_SHARE = Range(0, 1)  # there: of simulated endings
REASON_FIGURE = Range(0, 99_999)  # in the reason for a pairing: a rank, a number of players, half wins …
FACTOR = Range(1, 1000)
ROUNDS_BEHIND = Range(0, 20)
REPEATS_AFTER = Range(0, 50)
DIVISION_MOVES = Range(0, 50)  # players who go up, or down, a division
REMIND_DAYS = Range(1, 30)  # before a game's last day, when its players are reminded
DAYS_BETWEEN = Range(1, 99)  # from one round's last day to the next one's

# A knock-out.
KNOCKOUT_SIZE = Range(SMALLEST, LARGEST)
KNOCKOUT_SEED = Range(1, LARGEST)
BEST_OF = Range(1, LONGEST_SERIES)
STAGE = Range(1, 11)  # of a double elimination of 32 players
POSITION = Range(1, 32)

# A prize.
PRIZE_PLACE = Range(1, 999)
PRIZES = Range(0, 100)  # of a division

# A season.
SEASON_EVENTS = Range(0, 30)  # as many columns as fit on paper
SEASON_BEST = Range(1, 30)
RATING_LIST_EDITION = Range(1, 99)  # published lists of ratings that bear one date
SEASON_POINTS = Range(0, 9999)  # for a place
SEASON_PLACES = 200  # places that may give points
SEASON_LEAST = Range(0, 30)  # events that a player must have played
SEASON_PERCENT = Range(0, 100)
SEASON_DIRECT = Range(0, 99)  # first places of an event that qualify directly
QUALIFYING_FIGURE = Range(0, 9999)  # players, seats, games
QUALIFYING_PLACES = 20  # places of an event, or divisions, that may count

# A duplicate session.
DUPLICATE_TURNS = Range(1, MAX_TURNS)
TURN_SECONDS = Range(10, 3600)  # for one turn
DUPLICATE_SEED = Range(0, 2**31 - 1)
CLAIMED_POINTS = Range(-999, 2000)  # as claimed on a slip, however wrong
SLIP_POINTS = Range(0, 2000)  # of a corrected slip
NOTICE = Range(1, 999)  # of the corrections of a session
SEAT = Range(1, 999)  # the number of a seat
SEATS = Range(0, 999)  # numbered seats; 0: nobody has one
SEAT_ROW = Range(1, 99)  # seats beside each other
REDRAWS = 20  # draws of one turn that may be put back
SLIP_POSITION, SLIP_TEXT = 12, 40  # characters, whether they can be read or not
SEALED_BYTES, SEALED_NAME, SEALED_TURN, HASH = 1_000_000, 80, 4_000, 64
"""Of a sealed session: bytes of its file, characters of its name, of a turn's text, and of a hash or code."""
CORRECTIONS = 1000  # of one turn

# The hall.
SCREEN = Range(1, 20)  # its number, and so how many there may be
PAGE_SECONDS = Range(3, 600)  # for which a page stays on a screen
CLOCK = Range(60, 18_000)  # seconds of a round
CLOCK_LEFT = Range(0, 18_000)
TURNS_SHOWN = Range(1, 12)  # what one screen may show in turn
SLIDE = Range(0, 2000)  # a slide of the ceremony
SLIDE_KEY = 16  # characters of what tells it from the others
SCREEN_NAME, MESSAGE = 40, 200
STREAM_DELAY = Range(0, 60)  # minutes by which boards of games in progress are shown later
HALL_DEPTH = Range(2, 200)  # metres from the glass to the last row
GLASS_HEIGHT = Range(100, 10_000)  # millimetres of a screen's picture

# The laboratory.
STUDY_PLANS = Range(1, 6)
STUDY_PLAYERS = Range(4, 120)
STUDY_ROUNDS = Range(1, 40)
STUDY_EVENTS = Range(2, 10_000)
STUDY_PRIZES = Range(1, 10)
STUDY_POINTS = Range(0, 1000)  # of margin: how far strengths differ, and games
STUDY_BYTES = 100_000
STUDY_SEATS = (
    15_000_000  # players × rounds × events of all plans, through a page: some minutes for 1,000 events of 100 × 13
)

# A day that runs by itself.
STEP_SECONDS = Range(10, 1800)  # before each step
STEP_KEY, STEP_WHY = 20, 300  # characters: which step waits, and why

# What the public sees when.
SHOWN_MINUTES = Range(0, 1440)  # of waiting after a round is published or closed
SHOWN_TEXT = 20

# Online entry.
PLACES = Range(1, 2000)
CLUB_WORD = 600  # characters: what a club says of itself on its page
FEE, ENTRY_NOTE = 400, 2000  # characters: what to pay and how; what else to know
SUBJECT, FAULT = 200, 200  # of a letter; the fault is why it could not be sent
REQUESTS = 1000  # unconfirmed registrations of a tournament; beyond that, the address that has most gives way

# Fees.
FEE_CENTS = Range(0, 1_000_000)  # of one player
FEE_KINDS, FEE_KIND, CURRENCY = 8, 40, 5  # kinds of an event; characters of a kind's name, and of € or CHF

# Characters of a text.
SLUG, NAME, PLACE, ANNOUNCEMENT = 80, 120, 120, 20_000
WORD_LIST, WORD_LIST_AT = 120, 200
PLAYER_NAME, CLUB, EMAIL, PHONE, PLAYER_ID = 80, 80, 254, 30, 40
NUMBER_SYSTEM, PLAYER_NUMBER = 20, 30
CODE = 20
WIFI_NAME, WIFI_PASSWORD = 32, 63  # bytes of the name, characters of the password (IEEE 802.11)
LINKS = 30_000  # personal links of a player; then the count starts again at one
DEVIATION_REASONS, OPEN_QUESTIONS = 2_000, 8_000  # told to a federation
DIVISION = 40
EXCEPTION = 200
NOTE, PENALTY_REASON, WHY = 400, 200, 200
PRIZE_TITLE, PRIZE_AWARD = 80, 120
OWN_CRITERION = 80
CERTIFICATE_HEADING, CERTIFICATE_LINE, CERTIFICATE_SIGNED = 24, 160, 60
WORD = 40  # a code or a key: a ruleset's, a verb's, a flag's
AUTHOR_NAME = 80  # as the journal names whoever did something

SEARCH = 80  # typed to search a list
QUOTED_TEXT = 60  # quoted from a refused input
FILE_NAME = 80  # chosen by the program for a picture or a word list

# A picture that somebody sends.
PHOTO_BYTES = 10 * 1024**2
PHOTO_PIXELS = {"JPEG": 64_000_000, "progressive JPEG": 16_000_000, "PNG": 13_000_000, "WEBP": 10_000_000}
"""By the memory that decoding takes: an ordinary JPEG shrinks row by row; others are held whole, some several times."""
PHOTO_DECODED = 16_000_000  # pixels; a larger JPEG is decoded at half its size
PHOTO_SIDE = 16_384  # pixels; each row takes memory of its own, and a picture one pixel wide would have millions
PHOTO_SCANS = 40  # of a JPEG: a progressive one has about ten, and one more for each small copy inside

# A file.
FILE_BYTES = 20_000_000  # 3,000 players and 20 rounds take 4 MB
FILES = 500  # in one archive
ELEMENTS = 20_000  # in one list: more players than any tournament has
DIVISIONS = 50  # of an event; each has its pages
CEREMONY_PLACE = Range(1, DIVISIONS)
REASONS, NOTES = 30, 50  # of one pairing, and on one round
CONTAINERS = 300_000  # objects and lists; 3,000 players and 20 rounds take 40,000, and millions would fill the memory
VALUES = 1_000_000  # of one file, counted by its commas
KEYS = 25_000  # of one object; the list of an archive's files has up to 20,000
GAMES_SENT = 2000  # in a file sent through the browser: storing more would keep everybody else from saving

# A file of tsh.
TSH_BYTES = 4_000_000  # all files of an event; 3,000 players and 20 rounds take 1 MB
LINES = 20_000
LINE = 20_000  # characters; 200 rounds with every field that tsh writes take 10,000
SCRIPT_VALUES = 120_000  # of a tourney.js, counted by its commas; 1,500 players and 20 rounds take 100,000. Of a
# config.tsh as well, with the numbers that its spans (1..8) stand for.

# A list of players.
LIST_BYTES = 5_000_000
UNPACKED_BYTES = 12_000_000  # of a workbook, which is a zip file
PARTS = 500
SHEET_TAGS, SHEET_STRINGS, OTHER_TAGS = 180_000, 40_000, 20_000
"""In a workbook: tags in sheets and texts, texts, other tags. 5,000 rows of six columns fit."""
ROWS, COLUMNS, CELL = 5000, 60, 1000  # characters of a cell; further columns and characters are not read
HEADINGS = 10_000  # characters of the first line in which a separator is looked for
REMEMBERED_COLUMNS = 50  # lists of which an organiser has said what their columns are
PASTED_TEXT = 500_000  # characters
FAULTS = 50_000  # of one file; millions would take minutes and gigabytes

PORTRAITS_BYTES = 200_000_000  # of one request: a hundred photos of players

# An archive of an event.
ARCHIVE_BYTES = 250_000_000  # unpacked: over two hundred photos; also the most that the browser may send
ARCHIVE_TEXT_BYTES = 100_000_000  # of a journal; an entry takes about 1 kB, a score sheet 40
ARCHIVE_LINE_BYTES = 16_000_000  # of one entry, which may be the import of an event of 500 players
ARCHIVE_ROWS = 200_000  # of a journal
ARCHIVE_ROWS_SENT = 40_000  # through a page; 500 players and 13 rounds take 14,000: ten seconds on a busy machine
ARCHIVE_PHOTO_BYTES = 10 * 1024**2
ARCHIVE_MEMBERS = 20_000
MANIFEST_BYTES = 5_000_000

# An event shown elsewhere.
PUSH_ENDPOINT, PUSH_KEY, LANGUAGE_CODE = 1000, 100, 10  # a browser's address at its maker's service, and its keys
PUSH_SUBSCRIPTIONS = 5_000  # of one event
ORIGIN = 32  # a digest of where a browser is
MIRROR_NONCE, MIRROR_SECRET, MIRROR_ADDRESS, FOLDER_PATH = 32, 64, 300, 500
HAND_IN_KEY, HAND_IN_QUESTION = 40, 1_000
HAND_IN_LINES, HAND_IN_LINE = 2_000, 2_500  # of a report that is handed in: sentences in a list, and each of them
MIRROR_PACKED_BYTES = 2_000_000  # of one message; 3,000 players and 20 rounds take 500 kB
MOMENT_YEAR = Range(1900, 2999)  # of moments that another program has written
MIRROR_ANSWER_BYTES = 64_000
CLOCK_STARTS = 100  # of the clock of the round, the latest of which are told
MIRROR_PHOTOS = 200  # of one event; a ceremony shows those of the first ten places and of prizes


def folded_length(longest: int) -> int:
    """The length of a sort column for such a name: one character can fold into two letters."""
    return 2 * longest


def search_length(longest: int) -> int:
    """The length of a search column for such a name: folded, and again with umlauts written out."""
    return 4 * longest
