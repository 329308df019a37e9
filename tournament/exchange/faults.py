"""What is wrong with a file: where, what was there, and a sentence for the reader.

A reader collects every fault and raises them together; a file with a single fault is not stored at all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics.limits import QUOTED_TEXT


class FaultCode(StrEnum):
    """The kinds of faults, the same for every format."""

    TOO_LARGE = "too_large"
    UNPACKED_TOO_LARGE = "unpacked_too_large"
    NO_SUCH_FILE = "no_such_file"
    NOT_READABLE = "not_readable"
    NOT_WRITABLE = "not_writable"
    NOT_TEXT = "not_text"
    SYNTAX = "syntax"
    CUT_OFF = "cut_off"
    TOO_DEEP = "too_deep"
    NO_TOURNAMENT_FILE = "no_tournament_file"
    NO_SEALED_FILE = "no_sealed_file"
    VERSION = "version"
    WRONG_KIND = "wrong_kind"
    MISSING_KEY = "missing_key"
    UNKNOWN_KEY = "unknown_key"
    UNKNOWN_KEY_MEANT = "unknown_key_meant"
    KEY_TWICE = "key_twice"
    NOT_ALLOWED = "not_allowed"
    OUT_OF_RANGE = "out_of_range"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    CONTROL_CHARACTER = "control_character"
    BAD_SLUG = "bad_slug"
    SLUG_TAKEN = "slug_taken"
    BAD_DATE = "bad_date"
    DAYS_REVERSED = "days_reversed"
    UNKNOWN_RULESET = "unknown_ruleset"
    MINUTES = "minutes"
    NO_CLOCK = "no_clock"
    TOO_MANY = "too_many"
    TOO_MANY_KEYS = "too_many_keys"
    TOO_MANY_GAMES_SENT = "too_many_games_sent"
    TWICE = "twice"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_DIVISION = "unknown_division"
    OTHER_DIVISION = "other_division"
    PLAYER_TWICE = "player_twice"
    AGAINST_ONESELF = "against_oneself"
    ROUND_NUMBER = "round_number"
    SECOND_DRAFT = "second_draft"
    RESULT_IN_DRAFT = "result_in_draft"
    NEEDS_OPPONENT = "needs_opponent"
    NO_OPPONENT = "no_opponent"
    NO_TABLE = "no_table"
    NEEDS_POINTS = "needs_points"
    BOTH_POINTS = "both_points"
    NO_POINTS = "no_points"
    NO_REASON = "no_reason"
    NO_SECOND_REASON = "no_second_reason"
    NOT_YET = "not_yet"
    SPREAD_ONLY_ALONE = "spread_only_alone"
    MOVES_ORDER = "moves_order"
    PLAN_ORDER = "plan_order"
    PLAN_FACTOR = "plan_factor"
    PRIZE_NEEDS = "prize_needs"
    PRIZE_WITHOUT = "prize_without"
    PRIZE_RATINGS = "prize_ratings"
    TOO_MANY_PRIZES = "too_many_prizes"
    BEST_OF = "best_of"
    NO_BEST_OF = "no_best_of"
    SEEDS = "seeds"
    NOT_SEEDED = "not_seeded"
    NO_SUCH_MATCH = "no_such_match"
    OTHER_OPPONENT = "other_opponent"
    MATCH_NOT_READY = "match_not_ready"
    MATCH_WALKOVER = "match_walkover"
    TOO_MANY_GAMES = "too_many_games"
    AFTER_DECISION = "after_decision"
    NO_SESSION = "no_session"
    NOBODY_PAIRED = "nobody_paired"
    TURN_NUMBER = "turn_number"
    DRAW_COUNT = "draw_count"
    NO_SUCH_TILE = "no_such_tile"
    NOT_IN_BAG = "not_in_bag"
    MASTER_UNREADABLE = "master_unreadable"
    MASTER_LETTERS = "master_letters"
    MASTER_PLACE = "master_place"
    CORRECTED_OPEN = "corrected_open"
    REFUSED_AND_NOT = "refused_and_not"
    TSH_LINE = "tsh_line"
    TSH_OPPONENT = "tsh_opponent"
    TSH_CONTRADICTION = "tsh_contradiction"
    TSH_ONE_SCORE = "tsh_one_score"
    TSH_SCORE_ALONE = "tsh_score_alone"
    TSH_NO_CONFIG = "tsh_no_config"
    TSH_NO_DIVISION = "tsh_no_division"
    TSH_OUTSIDE = "tsh_outside"
    TSH_SETTING = "tsh_setting"
    TSH_PERL = "tsh_perl"
    TSH_IGNORED = "tsh_ignored"
    TSH_RANKING = "tsh_ranking"
    TSH_ENCODING = "tsh_encoding"
    TSH_STARTS = "tsh_starts"
    TSH_TABLE = "tsh_table"
    TSH_PENALTY = "tsh_penalty"
    TSH_SHORTENED = "tsh_shortened"
    TSH_FIELD_TWICE = "tsh_field_twice"
    NO_PLAYERS = "no_players"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_FILES = "too_many_files"
    NO_EVENT_ARCHIVE = "no_event_archive"
    ARCHIVE_VERSION = "archive_version"
    ARCHIVE_BROKEN = "archive_broken"
    WORKBOOK_TOO_LARGE = "workbook_too_large"
    NO_NAME_COLUMN = "no_name_column"
    OLD_EXCEL = "old_excel"
    NO_WORKBOOK = "no_workbook"
    REFUSED = "refused"


FAULT_MESSAGES: Mapping[FaultCode, Promise | str] = {
    FaultCode.TOO_LARGE: gettext_lazy("The file is %(size)s MB; at most %(limit)s MB are read."),
    FaultCode.UNPACKED_TOO_LARGE: gettext_lazy("Unpacked, the file has %(size)s MB; at most %(limit)s MB are read."),
    FaultCode.NO_SUCH_FILE: gettext_lazy("There is no file %(value)s."),
    FaultCode.NOT_READABLE: gettext_lazy("%(value)s cannot be read: %(why)s."),
    FaultCode.NOT_WRITABLE: gettext_lazy("%(value)s cannot be written: %(why)s."),
    FaultCode.NOT_TEXT: gettext_lazy("The file is not text in %(encoding)s (byte %(value)s)."),
    FaultCode.SYNTAX: gettext_lazy("The file cannot be understood from here on: %(value)s."),
    FaultCode.CUT_OFF: gettext_lazy("The file ends too early."),
    FaultCode.TOO_DEEP: gettext_lazy("The file is nested too deeply."),
    FaultCode.NO_SEALED_FILE: gettext_lazy(
        "This is no sealed session: “format” must be “tso-sealed-session”, not %(value)s."
    ),
    FaultCode.NO_TOURNAMENT_FILE: gettext_lazy(
        "This is no tournament file: “format” must be “tso-tournament”, not %(value)s."
    ),
    FaultCode.VERSION: gettext_lazy("Version %(value)s of the tournament file is not known here; version 1 is."),
    FaultCode.WRONG_KIND: gettext_lazy("%(value)s is not %(kind)s."),
    FaultCode.MISSING_KEY: gettext_lazy("The key “%(key)s” is missing."),
    FaultCode.UNKNOWN_KEY: gettext_lazy("The key “%(key)s” is not known here."),
    FaultCode.UNKNOWN_KEY_MEANT: gettext_lazy("The key “%(key)s” is not known here. Was “%(meant)s” meant?"),
    FaultCode.KEY_TWICE: gettext_lazy("The key “%(key)s” is here twice."),
    FaultCode.NOT_ALLOWED: gettext_lazy("%(value)s is not allowed; one of these is: %(allowed)s."),
    FaultCode.OUT_OF_RANGE: gettext_lazy(
        "%(value)s is out of range: whole numbers from %(low)s to %(high)s are allowed."
    ),
    FaultCode.EMPTY: gettext_lazy("This must not be empty."),
    FaultCode.TOO_LONG: gettext_lazy("%(value)s is too long: at most %(limit)s characters are allowed."),
    FaultCode.CONTROL_CHARACTER: gettext_lazy("%(value)s contains a character that cannot be shown."),
    FaultCode.BAD_SLUG: gettext_lazy(
        "%(value)s is not a possible address: letters without umlauts, digits, hyphens and underscores are allowed."
    ),
    FaultCode.SLUG_TAKEN: gettext_lazy(
        "There is already a tournament with the address %(value)s. Choose another one with --slug."
    ),
    FaultCode.BAD_DATE: gettext_lazy("%(value)s is not a date; write it like 2026-10-03."),
    FaultCode.DAYS_REVERSED: gettext_lazy("The last day %(last)s lies before the first day %(first)s."),
    FaultCode.UNKNOWN_RULESET: gettext_lazy("The ruleset %(value)s is not known; one of these is: %(allowed)s."),
    FaultCode.MINUTES: gettext_lazy(
        "%(value)s minutes per player are not possible under %(ruleset)s; allowed: %(allowed)s."
    ),
    FaultCode.NO_CLOCK: gettext_lazy("%(ruleset)s is played without a clock; leave the minutes (%(value)s) out."),
    FaultCode.TOO_MANY: gettext_lazy("There are %(value)s of them; at most %(limit)s are allowed."),
    FaultCode.TOO_MANY_KEYS: gettext_lazy("An object of this file has %(value)s keys; at most %(limit)s are read."),
    FaultCode.TOO_MANY_GAMES_SENT: gettext_lazy(
        "The event has %(value)s games. Through the browser at most %(limit)s are read, because nobody else can save "
        "anything meanwhile; the command import_tournament reads it when nobody is playing."
    ),
    FaultCode.TWICE: gettext_lazy("%(value)s is here twice."),
    FaultCode.UNKNOWN_PLAYER: gettext_lazy("No player has the id %(value)s."),
    FaultCode.UNKNOWN_DIVISION: gettext_lazy("There is no division %(value)s."),
    FaultCode.OTHER_DIVISION: gettext_lazy("%(value)s plays in division %(division)s, not here."),
    FaultCode.PLAYER_TWICE: gettext_lazy("%(value)s has two pairings in round %(round)s."),
    FaultCode.AGAINST_ONESELF: gettext_lazy("%(value)s cannot play against themselves."),
    FaultCode.PRIZE_NEEDS: gettext_lazy("A prize of the kind %(value)s needs “%(key)s”."),
    FaultCode.PRIZE_WITHOUT: gettext_lazy("“%(key)s” does not belong to a prize of the kind %(value)s."),
    FaultCode.PRIZE_RATINGS: gettext_lazy("The lowest rating %(lowest)s is above the highest %(highest)s."),
    FaultCode.TOO_MANY_PRIZES: gettext_lazy("A division may have %(limit)s prizes; here are %(value)s."),
    FaultCode.ROUND_NUMBER: gettext_lazy("Round %(value)s is here; round %(expected)s must come next."),
    FaultCode.SECOND_DRAFT: gettext_lazy("Round %(value)s is a draft; only the last round can be one."),
    FaultCode.RESULT_IN_DRAFT: gettext_lazy(
        "There is a result (%(value)s) in round %(round)s, which is still a draft."
    ),
    FaultCode.NEEDS_OPPONENT: gettext_lazy("The outcome %(value)s needs two players."),
    FaultCode.NO_OPPONENT: gettext_lazy("The outcome %(value)s has no opponent, but %(second)s is given."),
    FaultCode.NO_TABLE: gettext_lazy("The outcome %(value)s has no table, but table %(table)s is given."),
    FaultCode.NEEDS_POINTS: gettext_lazy("A played game needs the final scores of both players."),
    FaultCode.BOTH_POINTS: gettext_lazy(
        "The score when the game stopped needs the points of both players, or of none."
    ),
    FaultCode.NO_POINTS: gettext_lazy("The outcome %(value)s has no points of its own."),
    FaultCode.NO_REASON: gettext_lazy("The outcome %(value)s has no reason; only a forfeit or an absence has one."),
    FaultCode.NO_SECOND_REASON: gettext_lazy(
        "A second player's reason beside “reason” is for a double forfeit, not for the outcome %(value)s."
    ),
    FaultCode.NOT_YET: gettext_lazy("A game without a result cannot have “%(key)s” yet."),
    FaultCode.SPREAD_ONLY_ALONE: gettext_lazy(
        "Only a bye or an absence is credited a spread, not the outcome %(value)s."
    ),
    FaultCode.MOVES_ORDER: gettext_lazy("The best moves must stand in descending order."),
    FaultCode.PLAN_ORDER: gettext_lazy("The plan's rounds %(value)s overlap with those before, or run backwards."),
    FaultCode.PLAN_FACTOR: gettext_lazy("Only the method “factor” has a factor."),
    FaultCode.BEST_OF: gettext_lazy("“best_of” must be an odd number, not %(value)s%(clause)s."),
    FaultCode.NO_BEST_OF: gettext_lazy("“best_of” belongs to the form “best_of” only, not to %(value)s."),
    FaultCode.SEEDS: gettext_lazy("There are %(value)s seeds, but the size is %(size)s."),
    FaultCode.NOT_SEEDED: gettext_lazy("%(value)s is not among the seeds."),
    FaultCode.NO_SUCH_MATCH: gettext_lazy(
        "A knock-out of %(size)s has no match at stage %(stage)s, position %(position)s."
    ),
    FaultCode.OTHER_OPPONENT: gettext_lazy("%(value)s does not play this match; %(first)s and %(second)s do."),
    FaultCode.MATCH_NOT_READY: gettext_lazy(
        "The players of this match are not known yet: at stage %(stage)s, position %(position)s nobody has won so far."
    ),
    FaultCode.MATCH_WALKOVER: gettext_lazy(
        "This match is a walkover, since somebody has no opponent in it; it has no games."
    ),
    FaultCode.TOO_MANY_GAMES: gettext_lazy(
        "A match of this knock-out has %(limit)s game(s) at most; this is number %(value)s."
    ),
    FaultCode.AFTER_DECISION: gettext_lazy(
        "The match was decided before its game %(value)s%(clause)s; leave out what was played after that."
    ),
    FaultCode.NO_SESSION: gettext_lazy(
        "By the ruleset %(ruleset)s two players meet; a duplicate session needs the ruleset sbnl-duplicate."
    ),
    FaultCode.NOBODY_PAIRED: gettext_lazy(
        "By the ruleset %(ruleset)s nobody is paired; leave “%(key)s” out, or choose another ruleset."
    ),
    FaultCode.TURN_NUMBER: gettext_lazy("Turn %(value)s is here; turn %(expected)s must come next."),
    FaultCode.DRAW_COUNT: gettext_lazy("%(value)s are %(found)s tiles; a draw has %(needed)s."),
    FaultCode.NO_SUCH_TILE: gettext_lazy(
        "“%(tile)s” in %(value)s is no tile of the letter set %(letters)s; capitals and ? for a blank are allowed."
    ),
    FaultCode.NOT_IN_BAG: gettext_lazy("%(value)s cannot be drawn: of “%(tile)s” the bag holds %(found)s."),
    FaultCode.MASTER_UNREADABLE: gettext_lazy("%(value)s is no word at a place, like 8H ABER across or H8 ABER down."),
    FaultCode.MASTER_LETTERS: gettext_lazy(
        "%(value)s needs letters that the draw %(draw)s does not have: %(letters)s."
    ),
    FaultCode.MASTER_PLACE: gettext_lazy(
        "%(value)s does not fit on the board there: it runs off, meets other letters, touches nothing, or is part of a "
        "longer word."
    ),
    FaultCode.CORRECTED_OPEN: gettext_lazy(
        "Turn %(number)s has no master word yet, so there is nothing to correct in it."
    ),
    FaultCode.REFUSED_AND_NOT: gettext_lazy(
        "%(value)s is refused on one slip of turn %(number)s and not on another; the same word counts for "
        "all or for nobody."
    ),
    FaultCode.TSH_LINE: gettext_lazy("This is no player's line: %(value)s."),
    FaultCode.TSH_OPPONENT: gettext_lazy("Round %(round)s: there is no player number %(value)s."),
    FaultCode.TSH_CONTRADICTION: gettext_lazy(
        "Round %(round)s: %(name)s (%(line)s) is to meet %(opponent)s (%(other_line)s), who is to meet %(third)s."
    ),
    FaultCode.TSH_ONE_SCORE: gettext_lazy(
        "Round %(round)s: %(name)s (%(line)s) has the score %(value)s, but the opponent %(opponent)s (%(other_line)s) "
        "has none."
    ),
    FaultCode.TSH_SCORE_ALONE: gettext_lazy("Round %(round)s: there is a score (%(value)s), but no opponent."),
    FaultCode.TSH_NO_CONFIG: gettext_lazy("There is neither config.tsh nor tourney.js in %(value)s."),
    FaultCode.TSH_NO_DIVISION: gettext_lazy("No division is declared here."),
    FaultCode.TSH_OUTSIDE: gettext_lazy("The division file %(value)s lies outside of the folder; it is not read."),
    FaultCode.TSH_SETTING: gettext_lazy("The value of “%(key)s” is not understood and was left out: %(value)s."),
    FaultCode.TSH_PERL: gettext_lazy("Perl is never run; this line was left out: %(value)s."),
    FaultCode.TSH_IGNORED: gettext_lazy("This line is not understood and was left out: %(value)s."),
    FaultCode.TSH_RANKING: gettext_lazy("The setting “%(key)s” changes how tsh ranks; it has no effect here."),
    FaultCode.TSH_ENCODING: gettext_lazy(
        "The file was read as %(encoding)s, since its text shows that it is written so."
    ),
    FaultCode.TSH_STARTS: gettext_lazy(
        "Round %(round)s: who started is not clear between %(name)s and %(opponent)s; %(name)s is listed first."
    ),
    FaultCode.TSH_TABLE: gettext_lazy(
        "Round %(round)s: table %(value)s is taken twice; one game was given another table."
    ),
    FaultCode.TSH_PENALTY: gettext_lazy(
        "Round %(round)s: a spread penalty of %(value)s beside a played game cannot be kept; the spread is that of the "
        "scores."
    ),
    FaultCode.TSH_SHORTENED: gettext_lazy("%(value)s is too long and was shortened."),
    FaultCode.TSH_FIELD_TWICE: gettext_lazy("The field “%(value)s” is here twice; the last one counts."),
    FaultCode.NO_PLAYERS: gettext_lazy("There are no players in this file."),
    FaultCode.TOO_MANY_ROWS: gettext_lazy("There are more than %(limit)s rows."),
    FaultCode.NO_EVENT_ARCHIVE: gettext_lazy(
        "This is no event as an archive: a zip as “export_event”, or “Take the event along” on the page of files, "
        "writes it is one."
    ),
    FaultCode.ARCHIVE_VERSION: gettext_lazy(
        "The archive has version %(value)s and was written by program %(program)s; this one reads version 1. "
        "Bring this program up to date first."
    ),
    FaultCode.ARCHIVE_BROKEN: gettext_lazy(
        "The archive is damaged or was changed (%(why)s is not what the rest says). Nothing was read in; write the "
        "archive anew where the event is."
    ),
    FaultCode.TOO_MANY_FILES: gettext_lazy("There are %(value)s files in this archive; at most %(limit)s are read."),
    FaultCode.WORKBOOK_TOO_LARGE: gettext_lazy(
        "The workbook holds more than a list of players: %(value)s entries in its parts, of which at most %(limit)s "
        "are read. Save the list alone, as a workbook of its own or as CSV."
    ),
    FaultCode.NO_NAME_COLUMN: gettext_lazy("No column holds the names; the headings are: %(value)s."),
    FaultCode.OLD_EXCEL: gettext_lazy(
        "This is a workbook from an old version of Excel (.xls). Save it as .xlsx or as CSV."
    ),
    FaultCode.NO_WORKBOOK: gettext_lazy(
        "This is no workbook that can be read (%(value)s). Save it as .xlsx or as CSV."
    ),
    FaultCode.REFUSED: "%(why)s",
}
"""One sentence for each kind of fault, with named places for the figures."""


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
            parts.append(_("line %(line)s, column %(column)s") % {"line": self.line, "column": self.column})
        elif self.line is not None:
            parts.append(_("line %(line)s") % {"line": self.line})
        if self.row is not None:
            parts.append(_("row %(row)s") % {"row": self.row})
        if self.path:
            parts.append(self.path)
        return ", ".join(parts)


WHOLE_FILE = FilePlace()
"""The place of a fault of the file as a whole."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing that is wrong or, as a warning, was left out. `str` gives the place and the sentence."""

    code: FaultCode
    place: FilePlace = WHOLE_FILE
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        return str(FAULT_MESSAGES[self.code]) % self.figures

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
    """A file's name in full, so that it can be found."""
    return _add_quotation_marks(path)


def quote_value(value: object) -> str:
    """A value of the input as a message shows it: in quotation marks if it is text, and not too long."""
    if isinstance(value, str):
        shown = "".join(letter if letter.isprintable() else "�" for letter in value[: QUOTED_TEXT + 1])
        return _add_quotation_marks(f"{shown[:QUOTED_TEXT]}…" if len(value) > QUOTED_TEXT else shown)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    shown = str(value)
    return f"{shown[:QUOTED_TEXT]}…" if len(shown) > QUOTED_TEXT else shown


def _add_quotation_marks(text: str) -> str:
    """The reader's language decides how quotation marks look."""
    return _("“%(text)s”") % {"text": text}
