"""What is wrong with a file: where, what was there, and a sentence for the reader. A reader collects every fault and
raises them together; a file with a single fault is not stored at all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.basics.limits import QUOTED_TEXT


class FaultCode(StrEnum):
    """The kinds of faults, the same for every format: each is its sentence, with places for its figures."""

    # Marked for translation only: when this is read nobody knows in which language somebody will be told.
    TOO_LARGE = _("The file is %(size)s MB; at most %(limit)s MB are read.")
    UNPACKED_TOO_LARGE = _("Unpacked, the file has %(size)s MB; at most %(limit)s MB are read.")
    NO_SUCH_FILE = _("There is no file %(value)s.")
    NOT_READABLE = _("%(value)s cannot be read: %(why)s.")
    NOT_WRITABLE = _("%(value)s cannot be written: %(why)s.")
    NOT_TEXT = _("The file is not text in %(encoding)s (byte %(value)s).")
    SYNTAX = _("The file cannot be read from here on: %(value)s.")
    CUT_OFF = _("The file ends too early.")
    TOO_DEEP = _("The file is nested too deeply.")
    NO_TOURNAMENT_FILE = _("This is not a tournament file: “format” must be “tso-tournament”, not %(value)s.")
    NO_SEALED_FILE = _("This is not a sealed session: “format” must be “tso-sealed-session”, not %(value)s.")
    VERSION = _("Version %(value)s of the tournament file is unknown; this program reads version 1.")
    WRONG_KIND = _("%(value)s is not %(kind)s.")
    MISSING_KEY = _("The key “%(key)s” is missing.")
    UNKNOWN_KEY = _("The key “%(key)s” is not known here.")
    UNKNOWN_KEY_MEANT = _("The key “%(key)s” is unknown. Did you mean “%(meant)s”?")
    KEY_TWICE = _("The key “%(key)s” is here twice.")
    NOT_ALLOWED = _("%(value)s is not allowed; one of these is: %(allowed)s.")
    OUT_OF_RANGE = _("%(value)s is out of range: whole numbers from %(low)s to %(high)s are allowed.")
    EMPTY = _("This must not be empty.")
    TOO_LONG = _("%(value)s is too long: at most %(limit)s characters are allowed.")
    CONTROL_CHARACTER = _("%(value)s contains a character that cannot be shown.")
    BAD_SLUG = _(
        "%(value)s is not a valid address: letters without umlauts, digits, hyphens and underscores are allowed."
    )
    SLUG_TAKEN = _("There is already a tournament with the address %(value)s. Choose another one with --slug.")
    BAD_DATE = _("%(value)s is not a date; write it like 2026-10-03.")
    DAYS_REVERSED = _("The last day %(last)s lies before the first day %(first)s.")
    UNKNOWN_RULESET = _("The ruleset %(value)s is not known; one of these is: %(allowed)s.")
    NO_CLOCK = _("%(ruleset)s is played without a clock; leave the minutes (%(value)s) out.")
    TOO_MANY = _("There are %(value)s of these; at most %(limit)s are allowed.")
    TOO_MANY_KEYS = _("An object of this file has %(value)s keys; at most %(limit)s are read.")
    TOO_MANY_GAMES_SENT = _(
        "The event has %(value)s games. Through the browser at most %(limit)s are imported, because nobody else can "
        "save anything during that time; the command import_tournament imports it when nobody is playing."
    )
    TWICE = _("%(value)s is here twice.")
    UNKNOWN_PLAYER = _("No player has the id %(value)s.")
    UNKNOWN_DIVISION = _("There is no division %(value)s.")
    OTHER_DIVISION = _("%(value)s plays in division %(division)s, not here.")
    PLAYER_TWICE = _("%(value)s has two pairings in round %(round)s.")
    AGAINST_ONESELF = _("%(value)s cannot play against themselves.")
    ROUND_NUMBER = _("Round %(value)s is here; round %(expected)s must come next.")
    SEED_TILES = _("The tiles %(value)s are not those of the seed %(seed)s.")
    SECOND_DRAFT = _("Round %(value)s is a draft; only the last round can be one.")
    RESULT_IN_DRAFT = _("There is a result (%(value)s) in round %(round)s, which is still a draft.")
    NEEDS_OPPONENT = _("The outcome %(value)s needs two players.")
    NO_OPPONENT = _("The outcome %(value)s has no opponent, but %(second)s is given.")
    NO_TABLE = _("The outcome %(value)s has no table, but table %(table)s is given.")
    NEEDS_POINTS = _("A played game needs the final scores of both players.")
    BOTH_POINTS = _("The score when the game stopped needs the points of both players, or of none.")
    NO_POINTS = _("The outcome %(value)s has no points of its own.")
    NO_REASON = _("The outcome %(value)s has no reason; only a forfeit or an absence has one.")
    NO_SECOND_REASON = _(
        "A second player's reason beside “reason” is for a double forfeit, not for the outcome %(value)s."
    )
    NOT_YET = _("A game without a result cannot have “%(key)s” yet.")
    SPREAD_ONLY_ALONE = _("Only a bye or an absence is credited a spread, not the outcome %(value)s.")
    MOVES_ORDER = _("The best moves must stand in descending order.")
    TABLES_TWICE = _("The tables %(value)s run backwards, or stand there a second time.")
    PLAN_ORDER = _("The plan's rounds %(value)s overlap with those before, or run backwards.")
    PLAN_FACTOR = _("Only the method “factor” has a factor.")
    PRIZE_NEEDS = _("A prize of the kind %(value)s needs “%(key)s”.")
    PRIZE_WITHOUT = _("“%(key)s” does not belong to a prize of the kind %(value)s.")
    PRIZE_RATINGS = _("The lowest rating %(lowest)s is above the highest %(highest)s.")
    TOO_MANY_PRIZES = _("A division may have %(limit)s prizes; here are %(value)s.")
    BEST_OF = _("“best_of” must be an odd number, not %(value)s%(clause)s.")
    NO_BEST_OF = _("“best_of” belongs to the form “best_of” only, not to %(value)s.")
    OWN_CRITERION = _("“own” in “criteria” and the words in “own_criterion” (%(value)s) belong together.")
    SYSTEM_SIZE = _("%(value)s is not played by %(size)s: it is for %(sizes)s players.")
    NO_THIRD_PLACE = _("%(value)s settles third place itself; “third_place” is for “single_elimination”.")
    SEEDS = _("Names in the seeding: %(value)s, but the size is %(size)s.")
    NOT_SEEDED = _("%(value)s is not among the seeds.")
    NO_SUCH_MATCH = _("A knock-out of %(size)s has no match at stage %(stage)s, position %(position)s.")
    OTHER_OPPONENT = _("%(value)s does not play this match; %(first)s and %(second)s do.")
    MATCH_NOT_READY = _(
        "The players of this match are not known yet: at stage %(stage)s, position %(position)s nobody has won so far."
    )
    MATCH_WALKOVER = _("This match is a walkover, since somebody has no opponent in it; it has no games.")
    TOO_MANY_GAMES = _("This would be game %(value)s of a match, which has at most %(limit)s in this knock-out.")
    AFTER_DECISION = _(
        "The match was decided before its game %(value)s%(clause)s; leave out what was played after that."
    )
    NO_SESSION = _(
        "Under the ruleset %(ruleset)s two players meet; a duplicate session needs the ruleset sbnl-duplicate."
    )
    NOBODY_PAIRED = _("Under the ruleset %(ruleset)s nobody is paired; leave “%(key)s” out, or choose another ruleset.")
    NO_SUCH_SEAT = _("There is no seat %(value)s: “seat_count” is %(limit)s.")
    TURN_NUMBER = _("Turn %(value)s is here; turn %(expected)s must come next.")
    DRAW_COUNT = _("%(value)s has %(found)s instead of %(needed)s tiles.")
    NO_SUCH_TILE = _(
        "“%(tile)s” in %(value)s is not a tile of the letter set %(letters)s; capitals and ? for a blank are allowed."
    )
    NOT_IN_BAG = _("%(value)s cannot be drawn: of “%(tile)s” the bag holds %(found)s.")
    MASTER_UNREADABLE = _("%(value)s is not a word with its position, like 8H ABER across or H8 ABER down.")
    MASTER_LETTERS = _("%(value)s needs letters that the draw %(draw)s does not have: %(letters)s.")
    MASTER_PLACE = _(
        "%(value)s does not fit on the board there: it runs off, meets other letters, touches nothing, or is "
        "part of a longer word."
    )
    CORRECTED_OPEN = _("Turn %(number)s has no master word yet, so there is nothing to correct in it.")
    NOTICE_NOT_WHOLE = _(
        "Notice %(value)s of a correction in turn %(number)s: “notice”, “noticed” and “before” belong together."
    )
    REFUSED_AND_NOT = _(
        "%(value)s is refused on one slip of turn %(number)s but not on another; the same word counts for all or for "
        "nobody."
    )
    TSH_LINE = _("This is not a player's line: %(value)s.")
    TSH_OPPONENT = _("Round %(round)s: there is no player number %(value)s.")
    TSH_CONTRADICTION = _(
        "Round %(round)s: %(name)s (%(line)s) is to meet %(opponent)s (%(other_line)s), who is to meet %(third)s."
    )
    TSH_ONE_SCORE = _(
        "Round %(round)s: %(name)s (%(line)s) has the score %(value)s, but the opponent %(opponent)s "
        "(%(other_line)s) has none."
    )
    TSH_SCORE_ALONE = _("Round %(round)s: there is a score (%(value)s), but no opponent.")
    TSH_NO_CONFIG = _("There is neither config.tsh nor tourney.js in %(value)s.")
    TSH_NO_DIVISION = _("No division is declared here.")
    TSH_OUTSIDE = _("The division file %(value)s lies outside of the folder; it is not read.")
    TSH_SETTING = _("The value of “%(key)s” is not understood and was left out: %(value)s.")
    TSH_PERL = _("Perl is never run; this line was left out: %(value)s.")
    TSH_IGNORED = _("This line is not understood and was left out: %(value)s.")
    TSH_RANKING = _("The setting “%(key)s” changes how tsh ranks; it has no effect here.")
    TSH_ENCODING = _("The file was read as %(encoding)s, since its text shows that it is written so.")
    TSH_STARTS = _(
        "Round %(round)s: who started is not clear between %(name)s and %(opponent)s; %(name)s is listed first."
    )
    TSH_TABLE = _("Round %(round)s: table %(value)s is taken twice; one game was given another table.")
    TSH_PENALTY = _(
        "Round %(round)s: a spread penalty of %(value)s beside a played game cannot be kept; the spread is that "
        "of the scores."
    )
    TSH_SHORTENED = _("%(value)s is too long and was shortened.")
    TSH_FIELD_TWICE = _("The field “%(value)s” is here twice; the last one counts.")
    NO_PLAYERS = _("There are no players in this file.")
    TOO_MANY_ROWS = _("There are more than %(limit)s rows.")
    TOO_MANY_FILES = _("There are %(value)s files in this archive; at most %(limit)s are read.")
    NO_EVENT_ARCHIVE = _(
        "This is not an archived event: such a zip is written by “export_event”, or by “Take the event along” on the "
        "page of files."
    )
    ARCHIVE_VERSION = _(
        "The archive has version %(value)s and was written by program %(program)s; this program reads version 1. "
        "Update this program first."
    )
    ARCHIVE_BROKEN = _(
        "The archive is damaged or was changed (%(why)s does not match the rest). Nothing was imported; write the "
        "archive again where the event is."
    )
    WORKBOOK_TOO_LARGE = _(
        "The workbook contains more than a list of players: %(value)s entries in its parts, of which at most "
        "%(limit)s are read. Save just the list, as a separate workbook or as CSV."
    )
    NO_NAME_COLUMN = _("No column holds the names; the headings are: %(value)s.")
    OPEN_QUOTE = _("The quotation mark before %(value)s is not closed; it would take the rows behind it along.")
    WEB_PAGE = _("This is a web page, whatever its name. Open it in a spreadsheet program and save it as XLSX or CSV.")
    LIST_ENCODING = _(
        "The file was read as %(encoding)s, since its text shows that it is written so. If letters are wrong, save it "
        "as CSV in UTF-8."
    )
    WRONG_ENCODING = _("%(value)s has lost its letters on the way. Save the list as CSV in UTF-8.")
    COLUMNS_UNCLEAR = _(
        "It is not certain which column is what (%(value)s). Say it: --columns number,name,club,rating, with “-” for "
        "what is not used."
    )
    WHOLE_EVENT = _("This is a whole event, not a list of players. It is read under “Import a tournament from files”.")
    PLAYER_LIST = _(
        "This is a list of players, not a whole event. It is read into the register, or under an event’s “Paste or "
        "upload a list”."
    )
    ONE_SHEET = _("Of several sheets, %(value)s was read.")
    OLD_EXCEL = _("This workbook comes from an old version of Excel (.xls). Save it as .xlsx or as CSV.")
    NO_WORKBOOK = _("This workbook cannot be read (%(value)s). Save it as .xlsx or as CSV.")
    REFUSED = "%(why)s"


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where in a file: its name, the line or the row, the path of a value. Unknown parts are left out."""

    file: str = ""
    line: int | None = None
    column: int | None = None
    row: int | None = None
    path: str = ""

    def __str__(self) -> str:
        parts = [self.file] if self.file else []
        if self.line is not None and self.column is not None:
            parts.append(gettext("line %(line)s, column %(column)s") % {"line": self.line, "column": self.column})
        elif self.line is not None:
            parts.append(gettext("line %(line)s") % {"line": self.line})
        if self.row is not None:
            parts.append(gettext("row %(row)s") % {"row": self.row})
        if self.path:
            parts.append(self.path)
        return ", ".join(parts)


WHOLE_FILE = FilePlace()  # the place of a fault of the file as a whole


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing that is wrong or, as a warning, was left out. `str` gives the place and the sentence."""

    code: FaultCode
    place: FilePlace = WHOLE_FILE
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        return gettext(self.code) % self.figures

    def __str__(self) -> str:
        place = str(self.place)
        return f"{place}: {self.sentence}" if place else self.sentence


class FileFaults(Exception):
    """Everything that is wrong with a file. Nothing was stored."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


def make_single_fault(code: FaultCode, place: FilePlace = WHOLE_FILE, **figures: Any) -> FileFaults:
    """The exception for a single fault that ends the reading."""
    return FileFaults([FileFault(code, place, figures)])


def quote_path(path: str) -> str:
    """A file's name in full, so that it can be found, in the reader's quotation marks."""
    return gettext("“%(text)s”") % {"text": path}


def quote_value(value: object) -> str:
    """A value of the input as a message shows it: in quotation marks if it is text, and not too long."""
    if isinstance(value, str):
        # Cut before each letter is looked at: the text may have megabytes.
        excerpt = "".join(letter if letter.isprintable() else "�" for letter in value[: QUOTED_TEXT + 1])
        return quote_path(f"{excerpt[:QUOTED_TEXT]}…" if len(value) > QUOTED_TEXT else excerpt)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    excerpt = str(value)
    return f"{excerpt[:QUOTED_TEXT]}…" if len(excerpt) > QUOTED_TEXT else excerpt
