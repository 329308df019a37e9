"""Pairings for the wall, by table, to be read from two metres, and by name; and result slips."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import awards
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics.names import fold_text
from tournament.core.words.figures import NO_FIGURE, format_overtime_step, insert_clause, name_round_players
from tournament.core.words.outcomes import describe_announced_credit
from tournament.core.words.rounds import format_round_name, get_knockout_place
from tournament.models import Division, Pairing, Round, Tournament
from tournament.pairing.values import ReasonCode, StartPolicy
from tournament.paper.boxes import Box
from tournament.paper.documents import CutLayout, render_no_round
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.paper.lettering import find_common_size
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, format_event_line, format_print_time, split_into_pages
from tournament.rounds.bag import list_tile_notes
from tournament.table.league import list_round_pairings


@dataclass(frozen=True, slots=True)
class PairedPlayer:
    """A player as named in the pairings."""

    name: str
    rank: int | None = None  # the one that the round was paired on


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


TABLES_A_PAGE = 26
NAMES_A_COLUMN = 26
TALLEST_ROW = 22 * MM
TALLEST_NAME = 20 * MM
LETTER_SCALE = 0.56  # the size of the letters in parts of a row's height
NAMES_HEAD = 7 * MM  # the heading of a column of names
NAME_SHARE = 0.62  # the part of its line that a name has; the rest says what its player does


def draw_pairings_by_table(header: PaperHeader, sheet: RoundSheet) -> bytes:
    """The round in order of tables; byes and absences at the end, with what they credit."""
    ranks = any(line.first.rank for line in sheet.lines)
    paper = Paper(header, _format_title(sheet, _("Pairings by table")), notes=_list_page_notes(sheet, ranks=ranks))
    rows = [_build_cells(line) for line in sheet.lines]
    pages = split_into_pages(rows, TABLES_A_PAGE)
    height = min(TALLEST_ROW, (paper.content.height - 9 * MM) / len(pages[0]))
    first, second = (_("Starter"), _("Opponent")) if sheet.balanced else (_("First player"), _("Second player"))
    table = 24 * MM
    half = (paper.content.width - table) / 2
    columns = (
        PrintedColumn(_("Table"), table, Align.CENTRE, bold=True, scale=1.15),
        PrintedColumn(first, half, bold=sheet.balanced, group="names"),
        PrintedColumn(second, half, group="names"),
    )
    grid = PrintedTable(columns, height, height * LETTER_SCALE, head_height=9 * MM, head_size=12)
    return grid.even(rows).document(paper, pages)


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
        return table, PrintedCell(line.first.name), PrintedCell(line.note, scale=0.6)
    both = (line.first, line.second)
    return table, *(PrintedCell(player.name, f"({player.rank})" if player.rank else "") for player in both)


@dataclass(frozen=True, slots=True)
class _NameLine:
    """Where one player finds their game."""

    name: str
    table: str
    what: str


def draw_pairings_by_name(header: PaperHeader, sheet: RoundSheet) -> bytes:
    """The round in the order of names, umlauts as their plain letters (DIN 5007-1), two columns a page."""
    paper = Paper(header, _format_title(sheet, _("Pairings by name")), notes=_list_page_notes(sheet))
    places = _list_name_lines(sheet)
    pages = split_into_pages(places, 2 * NAMES_A_COLUMN)
    columns = paper.content.columns(1, 1, gap=8 * MM)
    rows = -(-len(pages[0]) // 2)
    # One size for all names, and one for all that stands below them.
    height = min(TALLEST_NAME, (columns[0].height - NAMES_HEAD) / rows)
    upper, lower, _table = _split_name_line(Box(0, 0, columns[0].width, height))
    above = [(place.name, True, upper.width) for place in places]
    below = [(place.what, False, lower.width) for place in places]
    name_size = find_common_size(above, height=upper.height, size=height * 0.48)
    what_size = find_common_size(below, height=lower.height, size=height * 0.3)
    for page in paper.pages(pages):
        for box, lines in zip(columns, (page[:rows], page[rows:]), strict=True):
            if lines:
                _draw_name_column(paper, box, lines, height, name_size, what_size)
    return paper.done()


def _list_name_lines(sheet: RoundSheet) -> list[_NameLine]:
    """Both players of each line, in order of names."""
    places = []
    for line in sheet.lines:
        if line.second is None:
            places.append(_NameLine(line.first.name, NO_FIGURE, line.note))
            continue
        starts, replies = _("starts against %(name)s"), _("replies to %(name)s")
        if not sheet.balanced:
            starts = replies = _("against %(name)s")
        places.append(_NameLine(line.first.name, str(line.table), starts % {"name": line.second.name}))
        places.append(_NameLine(line.second.name, str(line.table), replies % {"name": line.first.name}))
    return sorted(places, key=lambda place: (fold_text(place.name), place.name))


def _split_name_line(line: Box) -> tuple[Box, Box, Box]:
    """Of a line the room of the name, of what stands below it, and of the table."""
    left, right = line.inset(1.5 * MM, 0.6 * MM).columns(5.2, 1)
    upper = Box(left.x, left.y, left.width, left.height * NAME_SHARE)
    return upper, upper.below(left.height - upper.height), right


def _draw_name_column(
    paper: Paper, box: Box, places: Sequence[_NameLine], height: float, name_size: float, what_size: float
) -> None:
    """One column of names: each with the table at the right and the opponent below."""
    head = Box(box.x, box.y, box.width, NAMES_HEAD)
    paper.fill(head)
    paper.write(head.inset(1.5 * MM), _("Name"), size=10, bold=True)
    paper.write(head.inset(1.5 * MM), _("Table"), size=10, bold=True, align=Align.RIGHT)
    line = head.below(height)
    for place in places:
        upper, lower, table = _split_name_line(line)
        paper.write_at(upper, place.name, size=name_size, bold=True)
        paper.write_at(lower, place.what, size=what_size)
        paper.write(table, place.table, size=height * 0.6, bold=True, align=Align.RIGHT)
        paper.rule(line.x, line.bottom, line.right, line.bottom, shade=0.45)
        line = line.below(height)


def find_latest_round(division: Division) -> Round | None:
    """The last published round; the draft if nothing is published yet."""
    rounds = Round.objects.league().filter(division=division)
    return rounds.public().order_by("-number").first() or rounds.order_by("-number").first()


def build_round_sheet(division: Division, round: Round | None) -> RoundSheet | None:
    """A round's pairings, by default the latest round's; None if there are none. Four queries."""
    found = round or find_latest_round(division)
    pairings = list_round_pairings(found) if found else []
    if found is None or not pairings:
        return None
    called = name_round_players(pairings)
    tournament = division.tournament
    return RoundSheet(
        number=found.number,
        lines=tuple(_build_pairing_line(pairing, tournament, found, called) for pairing in pairings),
        balanced=tournament.starts == StartPolicy.BALANCED,
        drawn_clause=tournament.rules.clauses.drawn_starts,
        draft=found.is_draft,
        minutes=tournament.minutes,
        shared_minutes=tournament.shared_minutes,
        title=format_round_name(found) if found.is_knockout else "",
        lot=tuple(list_tile_notes(found)),
    )


def _build_pairing_line(
    pairing: Pairing, tournament: Tournament, round: Round, called: Mapping[int, str]
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
        first=PairedPlayer(called[pairing.first.pk], ranks.get("first")),
        second=PairedPlayer(called[second.pk], ranks.get("second")) if second else None,
        note=note,
        title=str(get_knockout_place(round, pairing.table) or ""),
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
    head = Box(box.x, box.y, box.width, 5 * MM)
    paper.write(head, format_event_line(paper.header), size=8)
    numbers = head.below(10 * MM)
    _draw_slip_numbers(paper, numbers, sheet, slip)
    balanced = bool(sheet and sheet.balanced and slip)
    first = numbers.below(26 * MM, 1 * MM)
    second = first.below(26 * MM, 1 * MM)
    parts = _list_slip_fields(rules)
    _draw_slip_player(paper, first, slip.first if slip else None, _("starts") if balanced else None, parts)
    _draw_slip_player(paper, second, slip.second if slip else None, _("replies") if balanced else None, parts)
    winner = second.below(8 * MM, 1.5 * MM)
    label, one, other, tied = winner.columns(12, 25, 25, 23, gap=1.5 * MM)
    paper.write(label, _("Winner:"), size=9, bold=True)
    draw_tick_box(paper, one, slip.first.name if slip else _("upper player"))
    draw_tick_box(paper, other, slip.second.name if slip and slip.second else _("lower player"))
    draw_tick_box(paper, tied, _("draw"), size=6.5)
    _draw_slip_hints(paper, winner.below(8 * MM, 0.5 * MM), rules)


def _draw_slip_numbers(paper: Paper, box: Box, sheet: RoundSheet | None, slip: SlipGame) -> None:
    """Round and table, or the game's place in the knock-out."""
    if slip is not None and slip.title:
        paper.write(box, slip.title, size=19, bold=True)
        return
    round_box, table_box = box.columns(1, 1)
    filled = slip is not None and sheet is not None
    number = sheet.number if sheet and slip else "____"
    table = slip.table if slip else "____"
    paper.write(round_box, _("Round %(number)s") % {"number": number}, size=15, bold=filled)
    paper.write(table_box, _("Table %(number)s") % {"number": table}, size=19, bold=filled, align=Align.RIGHT)


def _list_slip_fields(rules: Ruleset) -> dict[str, float]:
    """What a player's boxes are for, each with its width: what the book has."""
    parts = {_("Final score"): 20.0}
    if rules.overtime_points:
        parts[_("Overtime (min:s)")] = 19.0
    parts[_("Penalty points")] = 19.0
    if rules.clauses.signing:
        parts[_("Signature")] = 33.0
    return parts


def _draw_slip_player(
    paper: Paper, box: Box, person: PairedPlayer | None, role: str | None, parts: Mapping[str, float]
) -> None:
    """One player's half: who, whether they start, and the boxes to fill in."""
    paper.rule(box.x, box.y, box.right, box.y, weight=0.8)
    line = Box(box.x, box.y + 0.5 * MM, box.width, 9 * MM)
    name, start = line.columns(4, 1, gap=2 * MM)
    if person:
        paper.write(name, person.name, size=13, bold=True)
    else:
        paper.rule(name.x, name.bottom - 1.5 * MM, name.right, name.bottom - 1.5 * MM)
    if role is not None:
        paper.write(start, role, size=9.5, bold=True, align=Align.RIGHT)
    else:
        draw_tick_box(paper, start, _("starts"))
    boxes = line.below(16 * MM).columns(*parts.values(), gap=1.5 * MM)
    for number, (label, field) in enumerate(zip(parts, boxes, strict=True)):
        paper.write(Box(field.x, field.y, field.width, 4 * MM), label, size=6.5)
        paper.frame(Box(field.x, field.y + 4 * MM, field.width, 11 * MM), weight=0.6 if number else 1.2)


def draw_tick_box(paper: Paper, box: Box, label: str, *, size: float = 8.5) -> None:
    """A square to tick, followed by its label."""
    side = 3.6 * MM
    paper.frame(Box(box.x, box.y + (box.height - side) / 2, side, side), weight=0.8)
    paper.write(Box(box.x + side + 1.2 * MM, box.y, box.width - side - 1.2 * MM, box.height), label, size=size)


def _draw_slip_hints(paper: Paper, box: Box, rules: Ruleset) -> None:
    upper = Box(box.x, box.y, box.width, 4 * MM)
    parts = [_("Final score: all penalties are taken off already.")]
    if rules.overtime_points:
        words = {"points": rules.overtime_points, "step": format_overtime_step(rules.overtime_step)}
        parts.append(_("Overtime: %(points)s points per %(step)s.") % words)
    paper.write(upper, " ".join(parts), size=6.5)
    sign, printed_at = upper.below(4 * MM).columns(3, 2, gap=2 * MM)
    if rules.clauses.signing:
        paper.write(sign, insert_clause(_("Both sign; the winner hands it in."), rules.clauses.signing), size=6.5)
    paper.write(printed_at, format_print_time(paper.header), size=5.5, align=Align.RIGHT, shade=0.3)


def render_pairings_by_table(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    sheet = build_round_sheet(division, round)
    return draw_pairings_by_table(header, sheet) if sheet else render_no_round(header, _("Pairings by table"))


def render_pairings_by_name(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    sheet = build_round_sheet(division, round)
    return draw_pairings_by_name(header, sheet) if sheet else render_no_round(header, _("Pairings by name"))


def render_result_slips(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_result_slips(header, build_round_sheet(division, round), get_printed_rules(division.tournament))


def render_blank_result_slips(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return draw_result_slips(header, None, get_printed_rules(division.tournament))
