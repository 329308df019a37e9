"""Pairings for the wall, by table, to be read from two metres, and by name; and result slips."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

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
)
from tournament.core.words.outcomes import describe_announced_credit
from tournament.core.words.rounds import format_round_name, get_knockout_place
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.pairing.values import Method, ReasonCode, StartPolicy
from tournament.paper.boxes import Box
from tournament.paper.documents import CutLayout, render_no_round
from tournament.paper.grid import BELOW_SCALE, LEAST_SIZE, PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.lettering import SMALLEST_SIZE
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, format_event_line, format_print_time
from tournament.table.league import find_round_of_day, list_league_rounds, list_round_pairings

LOWEST_PAIRING, TALLEST_PAIRING = 8.5 * MM, 22 * MM
LEAST_PAIRING, LARGEST_PAIRING = 14, 36  # the size of letters in points
TALLEST_NAME = 20 * MM
LEAST_NAME, LARGEST_NAME = LEAST_SIZE / BELOW_SCALE, 34  # so that opponents are named in letters of the least size
NAMES_IN_ONE_COLUMN = 26  # more stand in two columns
COLUMN_GAP = 8 * MM


def draw_pairings_by_table(header: PaperHeader, pairings: Sequence[Pairing]) -> bytes:
    """A round in order of tables; byes and absences at the end, with what they credit."""
    if not pairings:
        return render_no_round(header, _("Pairings by table"))
    round = pairings[0].round
    ranks = any((pairing.reason(ReasonCode.RANKS) or {}).get("first") for pairing in pairings)
    paper = Paper(header, _format_title(round, _("Pairings by table")), notes=_list_page_notes(round, ranks=ranks))
    rows = [_build_cells(pairing) for pairing in pairings]
    is_balanced = are_starts_balanced(round)
    first, second = (_("Starter"), _("Opponent")) if is_balanced else (_("First player"), _("Second player"))
    table = 24 * MM
    half = (paper.content.width - table) / 2
    columns = (
        PrintedColumn(_("Table"), table, Align.CENTRE, bold=True, scale=1.15),
        PrintedColumn(first, half, bold=is_balanced, wraps=True),
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


def are_starts_balanced(round: Round) -> bool:
    """Whether the first player of a pair starts; else that is drawn at the table."""
    return round.division.tournament.starts == StartPolicy.BALANCED


def _format_title(round: Round, what: str) -> str:
    if round.is_knockout:
        return _("%(round)s: %(what)s") % {"round": format_round_name(round), "what": what}
    return _("Round %(number)s: %(what)s") % {"number": round.number, "what": what}


def _list_page_notes(round: Round, *, ranks: bool = False) -> list[str]:
    """What the reader has to know: whether the round is a draft, who starts, how much time each player has, and the
    tiles that it was drawn by."""
    tournament = round.division.tournament
    starts = (
        _("The starter has the first move.")
        if are_starts_balanced(round)
        else insert_clause(_("Who starts is drawn at the table."), tournament.rules.clauses.drawn_starts)
    )
    minutes = ""
    if tournament.minutes:
        minutes = ngettext(
            "%(count)s minute for each player.", "%(count)s minutes for each player.", tournament.minutes
        )
    elif tournament.shared_minutes:
        minutes = _("%(count)s minutes for the whole game.")
    minutes %= {"count": tournament.minutes or tournament.shared_minutes}
    draft = _("DRAFT: this round is not published yet and may change.") if round.is_draft else ""
    brackets = _("In brackets: the rank before this round.") if ranks else ""
    return [draft, " ".join(part for part in (starts, minutes, brackets) if part), *list_tile_notes(round)]


def _get_team(entry: Entry, round: Round) -> str:
    """For which team somebody plays in a round in which teams meet."""
    return entry.team_name if round.method == Method.TEAMS else ""


def name_with_team(entry: Entry, round: Round) -> str:
    """A player as papers of a round name them."""
    return format_with_team(entry.name, _get_team(entry, round))


def _build_cells(pairing: Pairing) -> tuple[PrintedCell | str, ...]:
    first, second, round = pairing.first, pairing.second, pairing.round
    table = NO_FIGURE if pairing.table is None else str(pairing.table)
    if second is None:
        credit = PrintedCell(_describe_lone_pairing(pairing), scale=0.6)
        return table, PrintedCell(first.name, below=_get_team(first, round)), credit
    ranks = pairing.reason(ReasonCode.RANKS) or {}
    cells = [
        PrintedCell(entry.name, f"({rank})" if rank else "", below=_get_team(entry, round))
        for entry, rank in ((first, ranks.get("first")), (second, ranks.get("second")))
    ]
    return table, *cells


def draw_pairings_by_name(header: PaperHeader, pairings: Sequence[Pairing]) -> bytes:
    """A round in the order of names, umlauts as their plain letters (DIN 5007-1): in one column, so that it is read
    from afar, or in two, where there are many."""
    if not pairings:
        return render_no_round(header, _("Pairings by name"))
    round = pairings[0].round
    paper = Paper(header, _format_title(round, _("Pairings by name")), notes=_list_page_notes(round))
    name_rows = _list_name_rows(pairings)
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


def _list_name_rows(pairings: Iterable[Pairing]) -> list[tuple[str, str, str]]:
    """Each player's name, whom they meet and the table, in order of names."""
    rows = []
    for pairing in pairings:
        round = pairing.round
        first = name_with_team(pairing.first, round)
        if pairing.second is None:
            rows.append((first, _describe_lone_pairing(pairing), NO_FIGURE))
            continue
        starts, replies = _("starts against %(name)s"), _("replies to %(name)s")
        if not are_starts_balanced(round):
            starts = replies = _("against %(name)s")
        second = name_with_team(pairing.second, round)
        rows.append((first, starts % {"name": second}, str(pairing.table)))
        rows.append((second, replies % {"name": first}, str(pairing.table)))
    # Names that sort alike, such as Müller and Muller, by their letters: their order must not depend on the tables.
    return sorted(rows, key=lambda row: (make_sort_key(row[0]), row[0]))


def find_latest_round(division: Division) -> Round | None:
    """The published round that is played now; the draft if nothing is published yet."""
    # Not the last one published: of a league with all its rounds out the print room offered the season's last.
    progress = list_league_rounds(division, drafts=True)
    of_day = find_round_of_day(progress, localdate())
    return of_day.round if of_day else progress[-1].round if progress else None


def list_printed_pairings(division: Division, round: Round | None) -> list[Pairing]:
    """A round's pairings, byes and absences last, by default the latest round's. Four queries."""
    shown_round = round or find_latest_round(division)
    if shown_round is None:
        return []
    shown_round.division = division
    return list_round_pairings(shown_round)


def _describe_lone_pairing(pairing: Pairing) -> str:
    """What a bye or an absence credits; the result may have another spread than the rule."""
    outcome, result = Outcome(pairing.kind), pairing.result
    spread = result.spread if result else None
    credit, _nobody = awards.credit(outcome, None, None, pairing.round.division.tournament.awards, spread=spread)
    assert credit is not None, pairing
    return insert_clause(describe_announced_credit(outcome, credit), credit.clause)


def get_match_title(pairing: Pairing) -> str:
    """What stands on the form of a game of the knock-out in place of its round: Semi-final 2, game 1."""
    return str(get_knockout_place(pairing.round, pairing.match_position) or "")


def get_printed_rules(tournament: Tournament) -> Ruleset:
    """The tournament's rules as its forms state them: with the minutes of the whole game only where they are kept."""
    return replace(tournament.rules, shared_minutes=tournament.shared_minutes)


# Result slips: six on a page with cut lines, one a game, or blank ones for reserve.

RESULT_SLIP_CUT = CutLayout(2, 3)


def draw_result_slips(header: PaperHeader, pairings: Iterable[Pairing], rules: Ruleset) -> bytes:
    """A slip for each game of a round, the last page filled up with blank ones; without a round a blank page."""
    paper = Paper(header, _("Result slips"))
    games = tuple(pairing for pairing in pairings if pairing.second is not None)
    for page in paper.bare_pages(RESULT_SLIP_CUT.heaps(games)):
        RESULT_SLIP_CUT.lines(paper)
        for place, game in enumerate(page):
            _draw_slip(paper, RESULT_SLIP_CUT.part(paper, place).inset(8 * MM, 6 * MM), game, rules)
    return paper.done()


def _draw_slip(paper: Paper, box: Box, game: Pairing | None, rules: Ruleset) -> None:
    """The slip of a game, or a blank one."""
    head = Box(box.x, box.y, box.width, 6 * MM)
    paper.write(head, format_event_line(paper.header), size=8)
    numbers = head.below(9 * MM)
    _draw_slip_numbers(paper, numbers, game)
    # On a blank slip nobody starts yet: the two tick it themselves.
    balanced = game is not None and are_starts_balanced(game.round)
    first = numbers.below(27 * MM, 1 * MM)
    second = first.below(27 * MM, 1 * MM)
    parts = {_("Final score"): 20.0}
    if rules.overtime_points:
        parts[_("Overtime (min:s)")] = 19.0
    parts[_("Penalty points")] = 19.0
    if rules.clauses.signing:
        parts[_("Signature")] = 33.0
    players = (game.first, game.second) if game else (None, None)
    names = [name_with_team(entry, game.round) if game and entry else "" for entry in players]
    for half, name, role in zip((first, second), names, (_("starts"), _("replies")), strict=True):
        _draw_slip_player(paper, half, name, role if balanced else "", parts)
    tied, printed_at = second.below(6 * MM, 0.5 * MM).columns(2, 3)
    draw_tick_box(paper, tied, _("draw"))
    paper.write(printed_at, format_print_time(paper.header), size=SMALLEST_SIZE, align=Align.RIGHT, shade=0.3)
    hints = Box(box.x, tied.bottom, box.width, 9 * MM)
    paper.write(hints, " ".join(_list_slip_hints(rules)), size=SMALLEST_SIZE)


def _draw_slip_numbers(paper: Paper, box: Box, game: Pairing | None) -> None:
    """Round and table; in the knock-out the game's place in it and the table."""
    title = get_match_title(game) if game else ""
    round_box, table_box = box.columns(2, 1) if title else box.columns(1, 1)
    number, table = (game.round.number, game.table) if game else ("____", "____")
    round_name = title or _("Round %(number)s") % {"number": number}
    paper.write(round_box, round_name, size=15, bold=game is not None)
    table_name = _("Table %(number)s") % {"number": table}
    paper.write(table_box, table_name, size=19, bold=game is not None, align=Align.RIGHT)


def _draw_slip_player(paper: Paper, box: Box, name: str, role: str, parts: Mapping[str, float]) -> None:
    """One player's half: who, whether they start, and the boxes to fill in."""
    paper.rule(box.x, box.y, box.right, box.y, weight=0.8)
    line = Box(box.x, box.y + 0.5 * MM, box.width, 9 * MM)
    name_box, beside = line.columns(66, 23, gap=1.5 * MM)
    start, won = beside.stack(1, 1)
    if name:
        paper.write(name_box, name, size=13, bold=True)
    else:
        paper.rule(name_box.x, name_box.bottom - 1.5 * MM, name_box.right, name_box.bottom - 1.5 * MM)
    if role:
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
    return draw_pairings_by_table(header, list_printed_pairings(division, round))


def render_pairings_by_name(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_pairings_by_name(header, list_printed_pairings(division, round))


def render_result_slips(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_result_slips(header, list_printed_pairings(division, round), get_printed_rules(division.tournament))


def render_blank_result_slips(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return draw_result_slips(header, (), get_printed_rules(division.tournament))
