"""Pairings for the wall, by table, to be read from two metres, and by name; and result slips."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import awards
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics.names import make_sort_key
from tournament.core.bag import list_tile_notes
from tournament.core.words.figures import (
    NO_FIGURE,
    format_overtime_step,
    format_with_team,
    insert_clause,
    name_round_players,
    name_round_teams,
)
from tournament.core.words.outcomes import describe_announced_credit
from tournament.core.words.rounds import format_round_name, get_knockout_place
from tournament.models import Division, Pairing, Round, Tournament
from tournament.pairing.values import ReasonCode, StartPolicy
from tournament.paper.boxes import Box
from tournament.paper.documents import CutLayout, render_no_round
from tournament.paper.grid import BELOW_SCALE, LEAST_SIZE, PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.lettering import SMALLEST_SIZE
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, format_event_line, format_print_time
from tournament.table.league import find_round_of_day, list_league_rounds, list_round_pairings


@dataclass(frozen=True, slots=True)
class PairedPlayer:
    """A player as named in the pairings."""

    name: str
    rank: int | None = None  # the one that the round was paired on
    team: str = ""  # where teams meet

    @property
    def name_with_team(self) -> str:
        return format_with_team(self.name, self.team)


@dataclass(frozen=True, slots=True)
class PairingLine:
    """Two players at a table, or one without an opponent."""

    table: int | None
    first: PairedPlayer
    second: PairedPlayer | None = None
    note: str = ""  # what it credits to have no opponent
    title: str = ""  # of the knock-out, in place of round and table: Semi-final 2, game 1


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round's pairings, byes and absences last."""

    number: int
    lines: tuple[PairingLine, ...]
    balanced: bool = True  # the first player starts; else it is drawn
    drawn_clause: str = ""
    draft: bool = False
    minutes: int | None = None
    shared_minutes: int | None = None
    title: str = ""  # of the knock-out: Semi-final, game 1
    lot: tuple[str, ...] = ()  # the tiles that it was drawn by, and how to repeat that

    @property
    def games(self) -> tuple[PairingLine, ...]:
        """The lines that are played at a table."""
        return tuple(line for line in self.lines if line.second is not None)


LOWEST_PAIRING, TALLEST_PAIRING = 8.5 * MM, 22 * MM
LEAST_PAIRING, LARGEST_PAIRING = 14, 36  # the size of letters in points
TALLEST_NAME = 20 * MM
LEAST_NAME, LARGEST_NAME = LEAST_SIZE / BELOW_SCALE, 34  # so that opponents are named in letters of the least size
NAMES_IN_ONE_COLUMN = 26  # more stand in two columns
COLUMN_GAP = 8 * MM


def draw_pairings_by_table(header: PaperHeader, sheet: RoundSheet | None) -> bytes:
    """The round in order of tables; byes and absences at the end, with what they credit."""
    if sheet is None:
        return render_no_round(header, _("Pairings by table"))
    ranks = any(line.first.rank for line in sheet.lines)
    paper = Paper(header, _format_title(sheet, _("Pairings by table")), notes=_list_page_notes(sheet, ranks=ranks))
    rows = [_build_cells(line) for line in sheet.lines]
    first, second = (_("Starter"), _("Opponent")) if sheet.balanced else (_("First player"), _("Second player"))
    table = 24 * MM
    half = (paper.content.width - table) / 2
    columns = (
        PrintedColumn(_("Table"), table, Align.CENTRE, bold=True, scale=1.15),
        PrintedColumn(first, half, bold=sheet.balanced, wraps=True),
        PrintedColumn(second, half, wraps=True),
    )
    return draw_wall_list(paper, columns, rows)


def draw_wall_list(paper: Paper, columns: Sequence[PrintedColumn], rows: Sequence[PrintedRow]) -> bytes:
    """A list to be read from two metres."""
    grid = PrintedTable(
        tuple(columns),
        LARGEST_PAIRING,
        LOWEST_PAIRING,
        TALLEST_PAIRING,
        LEAST_PAIRING,
        head_height=9 * MM,
        head_size=12,
    )
    return grid.compose(rows, paper.content.height).document(paper)


def _format_title(sheet: RoundSheet, what: str) -> str:
    if sheet.title:
        return _("%(round)s: %(what)s") % {"round": sheet.title, "what": what}
    return _("Round %(number)s: %(what)s") % {"number": sheet.number, "what": what}


def _list_page_notes(sheet: RoundSheet, *, ranks: bool = False) -> list[str]:
    """What the reader has to know: whether the round is a draft, who starts, how much time each player has."""
    starts = (
        _("The starter has the first move.")
        if sheet.balanced
        else insert_clause(_("Who starts is drawn at the table."), sheet.drawn_clause)
    )
    minutes = ""
    if sheet.minutes:
        minutes = ngettext("%(count)s minute for each player.", "%(count)s minutes for each player.", sheet.minutes)
    elif sheet.shared_minutes:
        minutes = _("%(count)s minutes for the whole game.")
    minutes %= {"count": sheet.minutes or sheet.shared_minutes}
    draft = _("DRAFT: this round is not published yet and may change.") if sheet.draft else ""
    brackets = _("In brackets: the rank before this round.") if ranks else ""
    return [draft, " ".join(part for part in (starts, minutes, brackets) if part), *sheet.lot]


def _build_cells(line: PairingLine) -> tuple[PrintedCell | str, ...]:
    table = NO_FIGURE if line.table is None else str(line.table)
    if line.second is None:
        return table, PrintedCell(line.first.name, below=line.first.team), PrintedCell(line.note, scale=0.6)
    both = (line.first, line.second)
    ranks = [f"({player.rank})" if player.rank else "" for player in both]
    return table, *(PrintedCell(player.name, rank, below=player.team) for player, rank in zip(both, ranks, strict=True))


def draw_pairings_by_name(header: PaperHeader, sheet: RoundSheet | None) -> bytes:
    """The round in the order of names, umlauts as their plain letters (DIN 5007-1): in one column, so that it is read
    from afar, or in two, where there are many."""
    if sheet is None:
        return render_no_round(header, _("Pairings by name"))
    paper = Paper(header, _format_title(sheet, _("Pairings by name")), notes=_list_page_notes(sheet))
    name_rows = _list_name_rows(sheet)
    rows: list[PrintedRow] = [*name_rows]
    count = 1 if len(rows) <= NAMES_IN_ONE_COLUMN else 2
    places = paper.content.columns(*[1] * count, gap=COLUMN_GAP)
    name, what, table = places[0].columns(*((56, 34, 10) if count == 1 else (52, 32, 16)))
    columns = [
        PrintedColumn(_("Name"), name.width, bold=True, wraps=True),
        PrintedColumn("", what.width, scale=BELOW_SCALE, wraps=True),
        PrintedColumn(_("Table"), table.width, Align.RIGHT, bold=True),
    ]
    if count > 1:  # whom a player meets stands below the name
        columns[:2] = [replace(columns[0], width=name.width + what.width)]
        rows = [(PrintedCell(name, below=what), table) for name, what, table in name_rows]
    grid = PrintedTable(tuple(columns), LARGEST_NAME, 0, TALLEST_NAME, LEAST_NAME, air=0.2, head_size=10)
    composed = grid.compose(rows, paper.content.height, side_by_side=count)
    for first in paper.pages(range(0, len(composed.pages), count)):
        for place, part in zip(places, composed.pages[first : first + count], strict=False):
            composed.draw(paper, part, x=place.x)
    return paper.done()


def _list_name_rows(sheet: RoundSheet) -> list[tuple[str, str, str]]:
    """Each player's name, whom they meet and the table, in order of names."""
    rows = []
    for line in sheet.lines:
        if line.second is None:
            rows.append((line.first.name_with_team, line.note, NO_FIGURE))
            continue
        starts, replies = _("starts against %(name)s"), _("replies to %(name)s")
        if not sheet.balanced:
            starts = replies = _("against %(name)s")
        first, second = line.first.name_with_team, line.second.name_with_team
        rows.append((first, starts % {"name": second}, str(line.table)))
        rows.append((second, replies % {"name": first}, str(line.table)))
    # Names that sort alike, such as Müller and Muller, by their letters: their order must not depend on the tables.
    return sorted(rows, key=lambda row: (make_sort_key(row[0]), row[0]))


def find_latest_round(division: Division) -> Round | None:
    """The published round that is played now; the draft if nothing is published yet."""
    # Not the last one published: of a league with all its rounds out the print room offered the season's last.
    progress = list_league_rounds(division, drafts=True)
    of_day = find_round_of_day(progress, localdate())
    return of_day.round if of_day else progress[-1].round if progress else None


def build_round_sheet(division: Division, round: Round | None) -> RoundSheet | None:
    """A round's pairings, by default the latest round's; None if there are none. Four queries."""
    shown_round = round or find_latest_round(division)
    pairings = list_round_pairings(shown_round) if shown_round else []
    if shown_round is None or not pairings:
        return None
    called, teams = name_round_players(pairings), name_round_teams(pairings)
    tournament = division.tournament
    return RoundSheet(
        number=shown_round.number,
        lines=tuple(_build_pairing_line(pairing, tournament, shown_round, called, teams) for pairing in pairings),
        balanced=tournament.starts == StartPolicy.BALANCED,
        drawn_clause=tournament.rules.clauses.drawn_starts,
        draft=shown_round.is_draft,
        minutes=tournament.minutes,
        shared_minutes=tournament.shared_minutes,
        title=format_round_name(shown_round) if shown_round.is_knockout else "",
        lot=tuple(list_tile_notes(shown_round)),
    )


def _build_pairing_line(
    pairing: Pairing, tournament: Tournament, round: Round, called: Mapping[int, str], teams: Mapping[int, str]
) -> PairingLine:
    second, ranks = pairing.second, pairing.reason(ReasonCode.RANKS) or {}
    note = ""
    if second is None:
        # What a bye or an absence credits; the result may have another spread than the rule.
        outcome, result = Outcome(pairing.kind), pairing.result
        spread = result.spread if result else None
        credit, _nobody = awards.credit(outcome, None, None, tournament.awards, spread=spread)
        assert credit is not None, pairing
        note = insert_clause(describe_announced_credit(outcome, credit), credit.clause)
    return PairingLine(
        table=pairing.table,
        first=PairedPlayer(called[pairing.first.pk], ranks.get("first"), teams.get(pairing.first.pk, "")),
        second=PairedPlayer(called[second.pk], ranks.get("second"), teams.get(second.pk, "")) if second else None,
        note=note,
        title=str(get_knockout_place(round, pairing.match_position) or ""),
    )


def get_printed_rules(tournament: Tournament) -> Ruleset:
    """The tournament's rules as its forms state them: with the minutes of the whole game only where they are kept."""
    return replace(tournament.rules, shared_minutes=tournament.shared_minutes)


# Result slips: six on a page with cut lines, one a game, or blank ones for reserve.

RESULT_SLIP_CUT = CutLayout(2, 3)

SlipGame = PairingLine | None  # the game of a slip; None for a blank one


def draw_result_slips(header: PaperHeader, sheet: RoundSheet | None, rules: Ruleset) -> bytes:
    """A slip for each game of the round, the last page filled up with blank ones; without a round a blank page."""
    paper = Paper(header, _("Result slips"))
    games: tuple[PairingLine, ...] = sheet.games if sheet else ()
    for page in paper.bare_pages(RESULT_SLIP_CUT.heaps(games)):
        RESULT_SLIP_CUT.lines(paper)
        for place, slip in enumerate(page):
            _draw_slip(paper, RESULT_SLIP_CUT.part(paper, place).inset(8 * MM, 6 * MM), sheet, slip, rules)
    return paper.done()


def _draw_slip(paper: Paper, box: Box, sheet: RoundSheet | None, slip: SlipGame, rules: Ruleset) -> None:
    head = Box(box.x, box.y, box.width, 6 * MM)
    paper.write(head, format_event_line(paper.header), size=8)
    numbers = head.below(9 * MM)
    _draw_slip_numbers(paper, numbers, sheet, slip)
    # On a blank slip nobody starts yet: the two tick it themselves.
    balanced = bool(sheet and sheet.balanced and slip)
    first = numbers.below(27 * MM, 1 * MM)
    second = first.below(27 * MM, 1 * MM)
    parts = {_("Final score"): 20.0}
    if rules.overtime_points:
        parts[_("Overtime (min:s)")] = 19.0
    parts[_("Penalty points")] = 19.0
    if rules.clauses.signing:
        parts[_("Signature")] = 33.0
    _draw_slip_player(paper, first, slip.first if slip else None, _("starts") if balanced else None, parts)
    _draw_slip_player(paper, second, slip.second if slip else None, _("replies") if balanced else None, parts)
    tied, printed_at = second.below(6 * MM, 0.5 * MM).columns(2, 3)
    draw_tick_box(paper, tied, _("draw"))
    paper.write(printed_at, format_print_time(paper.header), size=SMALLEST_SIZE, align=Align.RIGHT, shade=0.3)
    hints = Box(box.x, tied.bottom, box.width, 9 * MM)
    paper.write(hints, " ".join(_list_slip_hints(rules)), size=SMALLEST_SIZE)


def _draw_slip_numbers(paper: Paper, box: Box, sheet: RoundSheet | None, slip: SlipGame) -> None:
    """Round and table; in the knock-out the game's place in it and the table."""
    is_match = slip is not None and bool(slip.title)
    round_box, table_box = box.columns(2, 1) if is_match else box.columns(1, 1)
    filled = slip is not None and sheet is not None
    number = sheet.number if sheet and slip else "____"
    table = slip.table if slip else "____"
    round_name = slip.title if slip and slip.title else _("Round %(number)s") % {"number": number}
    paper.write(round_box, round_name, size=15, bold=filled)
    paper.write(table_box, _("Table %(number)s") % {"number": table}, size=19, bold=filled, align=Align.RIGHT)


def _draw_slip_player(
    paper: Paper, box: Box, person: PairedPlayer | None, role: str | None, parts: Mapping[str, float]
) -> None:
    """One player's half: who, whether they start, and the boxes to fill in."""
    paper.rule(box.x, box.y, box.right, box.y, weight=0.8)
    line = Box(box.x, box.y + 0.5 * MM, box.width, 9 * MM)
    name, beside = line.columns(66, 23, gap=1.5 * MM)
    start, won = beside.stack(1, 1)
    if person:
        paper.write(name, person.name_with_team, size=13, bold=True)
    else:
        paper.rule(name.x, name.bottom - 1.5 * MM, name.right, name.bottom - 1.5 * MM)
    if role is not None:
        paper.write(start, role, size=9.5, bold=True)
    else:
        draw_tick_box(paper, start, _("starts"))
    draw_tick_box(paper, won, _("won"))
    boxes = line.below(17 * MM).columns(*parts.values(), gap=1.5 * MM)
    for number, (label, field) in enumerate(zip(parts, boxes, strict=True)):
        paper.write(Box(field.x, field.y, field.width, 6 * MM), label, size=SMALLEST_SIZE)
        paper.frame(Box(field.x, field.y + 6 * MM, field.width, 10.5 * MM), weight=0.6 if number else 1.2)


def draw_tick_box(paper: Paper, box: Box, label: str, *, size: float = 8.5) -> None:
    """A square to tick, followed by its label."""
    side = 3.6 * MM
    paper.frame(Box(box.x, box.y + (box.height - side) / 2, side, side), weight=0.8)
    paper.write(Box(box.x + side + 1.2 * MM, box.y, box.width - side - 1.2 * MM, box.height), label, size=size)


def _list_slip_hints(rules: Ruleset) -> Iterator[str]:
    yield _("Final score: all penalties are taken off already.")
    if rules.overtime_points:
        words = {"points": rules.overtime_points, "step": format_overtime_step(rules.overtime_step)}
        yield _("Overtime: %(points)s points per %(step)s.") % words
    if rules.clauses.signing:
        yield insert_clause(_("Both sign; the winner hands it in."), rules.clauses.signing)


def render_pairings_by_table(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_pairings_by_table(header, build_round_sheet(division, round))


def render_pairings_by_name(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_pairings_by_name(header, build_round_sheet(division, round))


def render_result_slips(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_result_slips(header, build_round_sheet(division, round), get_printed_rules(division.tournament))


def render_blank_result_slips(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return draw_result_slips(header, None, get_printed_rules(division.tournament))
