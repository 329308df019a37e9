"""A session as pages, the command `duplicate` and screens show it: rows made of what was noted and what follows."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.board_picture import BoardPicture, make_board_picture
from games.models import DuplicateSlip, DuplicateTurn
from games.sessions.notices import list_notices
from games.sessions.seats import load_seats
from games.sessions.session_state import SessionState, find_duplicate_session, load_session_state
from games.sessions.words import describe_missing_list, describe_proposal, describe_session_end, describe_slip_fault
from scoring import board as boards
from scoring import duplicate
from scoring.duplicate import VOWEL_OR_CONSONANT, VOWELS, JudgedSlip, SessionTotal
from scoring.letters import BLANK
from tournament.basics.names import fold_text
from tournament.core.words.figures import format_percentage
from tournament.models import Division, Entry

DUTCH_SPELLING = (
    *("Amsterdam", "Brussel", "China", "Denemarken", "Egypte", "Frankrijk", "Griekenland", "Hongarije", "Italië"),
    *("Japan", "Kenia", "Luxemburg", "Marokko", "Nederland", "Oostenrijk", "Portugal", "Quebec", "Roemenië"),
    *("Spanje", "Tunesië", "Utrecht", "Venezuela", "Waterloo", "Xantippe", "Ypsilon", "Zweden"),
)
"""Duplicatescrabble, Codering 1."""

GERMAN_SPELLING = (
    *("Aachen", "Berlin", "Chemnitz", "Düsseldorf", "Essen", "Frankfurt", "Goslar", "Hamburg", "Ingelheim", "Jena"),
    *("Köln", "Leipzig", "München", "Nürnberg", "Offenbach", "Potsdam", "Quickborn", "Rostock", "Salzwedel"),
    *("Tübingen", "Unna", "Völklingen", "Wuppertal", "Xanten", "Ypsilon", "Zwickau"),
)
"""DIN 5009, table of towns."""

SPELLING_NAMES: Mapping[str, Mapping[str, str]] = {
    "nl": {name[0]: name for name in DUTCH_SPELLING} | {BLANK: "blanco"},
    "de": {name[0]: name for name in GERMAN_SPELLING}
    | {"Ä": "Umlaut Aachen", "Ö": "Umlaut Offenbach", "Ü": "Umlaut Unna", BLANK: "Blanko"},
}
"""The names by which drawn letters are called out in the hall, by letter set and letter; other sets have none."""


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A player's slip of a turn: what stands on it, what it scores, and why if that is nothing. `is_best` is false in
    an open turn: a row that is on the page already would not learn of a better one."""

    entry: Entry
    slip: DuplicateSlip | None
    judged: JudgedSlip
    fault: str
    is_best: bool
    corrected: str = ""

    @property
    def word(self) -> str:
        """The word as it counts, else as it is written."""
        return self.judged.play.word if self.judged.play and not self.judged.fault else self.slip_word or "–"

    @property
    def slip_word(self) -> str:
        return (self.slip.word or "") if self.slip else ""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of the table of a session, or of several clubs together, which also says where somebody `played`. `club` is
    the player's own, "" for none."""

    total: SessionTotal
    name: str
    club: str
    played: str = ""

    @property
    def percent(self) -> str:
        """The percentage with its two decimals, as the reader's language writes it."""
        return formats.number_format(self.total.percent, decimal_pos=2)

    @property
    def figures(self) -> tuple[str, str, str, str]:
        """Points, percentage, solos and zeroes, as a table on paper has them."""
        return str(self.total.points), self.percent, str(self.total.solos), str(self.total.zeroes)

    def __str__(self) -> str:
        """The row as a line of text: rank, points, percentage, solos, zeroes, name and where somebody played."""
        total = self.total
        percent = format_percentage(f"{total.percent:>6}")
        figures = f"{total.rank:>4}  {total.points:>5}  {percent}  {total.solos:>2}  {total.zeroes:>2}"
        return f"{figures}  {self.name} ({self.played})" if self.played else f"{figures}  {self.name}"

    def make_json(self) -> dict[str, Any]:
        """The row's figures as the commands print them."""
        # The percentage is a decimal, which JSON does not know.
        return {**asdict(self.total), "percent": float(self.total.percent)}


def list_slip_lines(state: SessionState, row: DuplicateTurn, *, everybody: bool = True) -> list[SlipLine]:
    """The slips of a turn in the order of the players' numbers; `everybody`: also who has handed in none."""
    result = state.result(row.number)
    by_entry = {slip.entry_id: slip for slip in state.slips.get(row.pk, ())}
    corrected = {correction.entry_id: correction.why for correction in state.corrections.get(row.pk, ())}
    value = state.value.turns[row.number - 1]
    slips = {slip.player: slip for slip in value.slips}
    return [
        SlipLine(
            entry=entry,
            slip=by_entry.get(entry.pk),
            judged=result.slips[key],
            fault=describe_slip_fault(result.slips[key], slips.get(key), result.before, value.draw),
            is_best=row.is_closed and 0 < result.slips[key].points == result.best,
            corrected=corrected.get(entry.pk, ""),
        )
        for key, entry in state.by_key.items()
        if everybody or entry.pk in by_entry
    ]


def make_session_table(state: SessionState, after: int | None = None) -> list[TableLine]:
    """The table after a turn, by default after the last one that is closed."""
    totals = state.value.totals(state.closed if after is None else after)
    entries = [state.by_key[total.player] for total in totals]
    clubs = [entry.club.name if entry.club else "" for entry in entries]
    return [TableLine(total, entry.name, club) for total, entry, club in zip(totals, entries, clubs, strict=True)]


def list_clubs(lines: Iterable[TableLine]) -> list[str]:
    """The clubs whose players stand in a table, by name."""
    return sorted({line.club for line in lines if line.club}, key=fold_text)


def spell_session_draw(state: SessionState, draw: str) -> list[dict[str, Any]]:
    """The tiles of a draw, their worth, and the names they are called out by: the letter itself where it has none."""
    names = SPELLING_NAMES.get(state.session.letters, {})
    values = {tile.letter: tile.value for tile in state.letters.tiles}
    return [{"tile": tile, "name": names.get(tile, tile), "value": values.get(tile, 0)} for tile in draw]


def count_tile_kinds(draw: str) -> Mapping[str, int]:
    """How many vowels, consonants, blanks and Y a draw has."""
    return {
        "blanks": draw.count(BLANK),
        # Less the blanks, which are among those that may be either and have a figure of their own.
        "either": sum(tile in VOWEL_OR_CONSONANT for tile in draw) - draw.count(BLANK),
        "vowels": sum(tile in VOWELS for tile in draw),
        "consonants": sum(tile not in VOWELS | VOWEL_OR_CONSONANT for tile in draw),
    }


def make_session_board_picture(state: SessionState, after: int) -> BoardPicture:
    """The board after so many turns, the tiles of the last one marked."""
    before = state.value.boards[after - 1] if after else None
    play = state.value.turns[after - 1].master if after else None
    new = [square for square, _letter in boards.new_tiles(before, play)] if before is not None and play else []
    return make_board_picture(state.value.boards[after], new)


def propose_master_word(state: SessionState, row: DuplicateTurn) -> dict[str, Any] | None:
    """The master word of an open turn so far, what it scores, and why; None if nobody has scored."""
    result = state.result(row.number)
    play = duplicate.find_master_word(result)
    if play is None:
        return None
    names = {key: entry.name for key, entry in state.by_key.items()}
    return {"play": play, "points": result.best, "why": describe_proposal(result, play, names)}


def describe_state(state: SessionState) -> str:
    """How far a session has come."""
    reason = describe_session_end(state.session.stopped, state.ended)
    message = (
        _("Ended after turn %(closed)s of %(most)s: %(why)s.") if reason else _("After turn %(closed)s of %(most)s.")
    )
    return message % {"closed": state.closed, "most": state.session.max_turns, "why": reason}


def get_missing_list_note(state: SessionState) -> str:
    """That the list of a session is not here; "" where it is, or where none was named."""
    return describe_missing_list(state.session.words) if state.session.words and state.allows is None else ""


def make_session_context(state: SessionState, after: int | None = None) -> dict[str, Any]:
    """What each page of a session shows: how far it has come, the turns, and table and board after a turn, by default
    after the last one that is closed."""
    turn_number = state.closed if after is None else after
    lines = []
    for row in state.turns:
        if row.is_closed:
            result = state.result(row.number)
            solo = next((entry.name for key, entry in state.by_key.items() if result.is_solo(key)), "")
            lines.append({"row": row, "best": result.best, "points": state.master_points(row.number), "solo": solo})
    return {
        "found": state,
        "session": state.session,
        "state": describe_state(state),
        "missing_list": get_missing_list_note(state),
        "turns": lines,
        "rows": make_session_table(state, turn_number),
        "board": make_session_board_picture(state, turn_number),
    }


def make_session_json(state: SessionState) -> dict[str, Any]:
    """`{"turns": […], "totals": […], "ended": …, "notices": […], "seats": …}`, players by their ids; an open turn as it
    stands."""
    seats = load_seats(state.session)
    return {
        "turns": [_make_turn_json(state, row) for row in state.turns],
        "totals": [
            {**line.make_json(), "player": state.by_key[line.total.player].key} for line in make_session_table(state)
        ],
        "ended": state.ended.value if state.ended else None,
        "stopped": state.session.stopped or None,
        "notices": [notice.make_json() for notice in list_notices(state)],
        "seats": {entry.key: seats[entry.pk].number for entry in state.entries if entry.pk in seats},
    }


def _make_turn_json(state: SessionState, row: DuplicateTurn) -> dict[str, Any]:
    result = state.result(row.number)
    slips = {
        # By the ids of the file: keys of rows are others in another installation.
        state.by_key[key].key: {
            "points": judged.points,
            "claimed": judged.claimed,
            "fault": judged.fault.value if judged.fault else None,
        }
        for key, judged in result.slips.items()
    }
    master = {
        "position": row.master_position,
        "word": row.master_word,
        "points": state.master_points(row.number),
        "reason": row.reason or None,
    }
    return {
        "number": row.number,
        "draw": row.draw,
        "best": result.best,
        "master": master if row.master_word else None,
        "slips": slips,
    }


def format_session_standings(division: Division) -> list[str]:
    """The table of a division's session as lines of plain text, with what has to be known of it."""
    session = find_duplicate_session(division)
    if session is None:
        return []
    state = load_session_state(session)
    lines = []
    for line in make_session_table(state):
        # Two of the same name are told apart by their clubs already.
        club = f" ({line.club})" if line.club and not line.name.endswith(f"({line.club})") else ""
        lines.append(f"{line.total.rank}. {line.name}{club} {format_session_points(line)}")
    if not lines:
        return [_("Nobody has been entered yet.")]
    return [*lines, "", *filter(None, (describe_state(state), get_missing_list_note(state)))]


def format_session_points(line: TableLine) -> str:
    points = ngettext("%(points)s point, %(percent)s%%", "%(points)s points, %(percent)s%%", line.total.points)
    return points % {"points": line.total.points, "percent": line.percent}
