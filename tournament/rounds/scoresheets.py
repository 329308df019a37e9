"""Score sheets (TSO 3.4, 5.4): one page a game, or a blank one for reserve."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from itertools import repeat

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.letters import BLANK, LETTER_SETS, Tile
from scoring.rulesets.values import LeftoversRule, PenaltyUnit, Ruleset
from tournament.core.words.figures import format_overtime_step, insert_clause
from tournament.core.words.rounds import format_round_name
from tournament.models import Division, Entry, Pairing, Round
from tournament.paper.boxes import Box
from tournament.paper.documents import join_documents, render_no_round
from tournament.paper.lettering import SMALLEST_SIZE
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.rounds.paper import (
    are_starts_balanced,
    draw_pairings_by_name,
    draw_pairings_by_table,
    draw_result_slips,
    draw_tick_box,
    find_latest_round,
    get_match_title,
    get_printed_rules,
    list_printed_pairings,
)
from tournament.table.paper import render_standings


class SheetColumn(Enum):
    """What is written down for a turn, in the order of the sheet."""

    NUMBER = auto()
    LETTERS = auto()
    POSITION = auto()
    WORD = auto()
    POINTS = auto()
    TOTAL = auto()


ColumnWidths = Mapping[SheetColumn, float]
TURN_ROWS = 22
TILE_WIDTH, TILE_HEIGHT = 4.95 * MM, 6.3 * MM
TILE_GAP, TILE_ROWS_GAP = 1.5 * MM, 1.3 * MM
NAME_HEIGHT, HEAD_HEIGHT, SUM_HEIGHT = 10 * MM, 6.6 * MM, 6 * MM
FINAL_HEIGHT, SIGNATURE_HEIGHT, BLANKS_HEIGHT = 8.5 * MM, 11 * MM, 9 * MM
NUMBERS_WIDTH = 62 * MM  # of the boxes for round and table

# In parts of a player's half.
TURN_COLUMNS = {SheetColumn.NUMBER: 7, SheetColumn.WORD: 48, SheetColumn.POINTS: 16, SheetColumn.TOTAL: 20}
SUM_COLUMNS = (71, 20)  # words and figure below the turns


def draw_scoresheets(header: PaperHeader, pairings: Iterable[Pairing], rules: Ruleset) -> bytes:
    """A score sheet for each game, or a blank one. Each player keeps one (TSO 3.4 a): print two copies."""
    paper = Paper(header, _("Score sheet"), aside=NUMBERS_WIDTH + 4 * MM)
    for game in paper.pages(_list_games(pairings)):
        _draw_scoresheet(paper, game, rules)
    return paper.done()


def _list_games(pairings: Iterable[Pairing]) -> Sequence[Pairing | None]:
    """The games among these; without one a blank."""
    return [pairing for pairing in pairings if pairing.second is not None] or [None]


def _draw_scoresheet(paper: Paper, game: Pairing | None, rules: Ruleset) -> None:
    """What differs from sheet to sheet is written in addition to the form, which is the same on all."""
    halves = paper.content.columns(1, 1, gap=6 * MM)
    form = [(Box(half.x, half.y + NAME_HEIGHT, half.width, half.height - NAME_HEIGHT), TURN_COLUMNS) for half in halves]
    # Drawn on the first page and put on all others as it is: nothing in it may depend on the game.
    paper.stamp(lambda: _draw_turns_and_sums(paper, form, rules))
    _draw_sheet_numbers(paper, game)
    players = (game.first, game.second) if game else (None, None)
    roles = (_("starts"), _("replies")) if game and are_starts_balanced(game.round) else (None, None)
    for half, entry, role in zip(halves, players, roles, strict=True):
        _draw_player(paper, replace(half, height=NAME_HEIGHT), entry, role)


def _draw_turns_and_sums(paper: Paper, halves: Sequence[tuple[Box, ColumnWidths]], rules: Ruleset) -> None:
    """Each player's turns with these columns, what comes below them, and at the foot of the page, to which the halves
    reach, all tiles of the set."""
    box = paper.content
    strip = _split_into_tile_rows(LETTER_SETS[rules.letters].tiles, box.width)
    below = BLANKS_HEIGHT + len(strip) * (TILE_HEIGHT + TILE_ROWS_GAP)
    sums = list(_list_sum_labels(rules))
    signature = SIGNATURE_HEIGHT if rules.clauses.signing else 0
    for half, columns in halves:
        height = (half.height - below - HEAD_HEIGHT - len(sums) * SUM_HEIGHT - FINAL_HEIGHT - signature) / TURN_ROWS
        foot = _draw_turns(paper, Box(half.x, half.y, half.width, HEAD_HEIGHT), height, columns, rules)
        foot = _draw_summary(paper, Box(half.x, foot, half.width, SUM_HEIGHT), sums)
        if signature:
            label, line = Box(half.x, foot, half.width, signature).columns(2, 7)
            paper.write(Box(label.x, label.y + 4 * MM, label.width, label.height - 4 * MM), _("Signature:"), size=8)
            paper.rule(line.x, line.bottom - 1.5 * MM, line.right, line.bottom - 1.5 * MM, weight=0.6)
    _draw_blanks(paper, Box(box.x, box.bottom - below, box.width, BLANKS_HEIGHT), rules)
    _draw_tile_strip(paper, box.x, box.bottom - below + BLANKS_HEIGHT, strip)


def _draw_sheet_numbers(paper: Paper, game: Pairing | None) -> None:
    """Round and table, or the game's place in the knock-out and the table, at the right of the header."""
    round_number, table = (str(game.round.number), str(game.table)) if game else ("", "")
    labels = (_("Round"), round_number), (_("Table"), table)
    right = Box(paper.content.right - NUMBERS_WIDTH, 8 * MM, NUMBERS_WIDTH, 15 * MM)
    boxes = right.columns(1, 1, gap=4 * MM)
    if title := get_match_title(game) if game else "":
        boxes = right.columns(2, 1, gap=2 * MM)
        paper.frame(boxes[0], weight=1)
        paper.write(boxes[0].inset(1.5 * MM, 3 * MM), title, size=16, bold=True, align=Align.CENTRE)
    for (label, number), box in list(zip(labels, boxes, strict=True))[bool(title) :]:
        paper.frame(box, weight=1)
        paper.write(Box(box.x, box.y, box.width, 4.5 * MM).inset(1.2 * MM), label, size=7.5)
        paper.write(
            Box(box.x, box.y + 3.5 * MM, box.width, 11 * MM), number, size=22, bold=bool(game), align=Align.CENTRE
        )


def _draw_player(paper: Paper, box: Box, entry: Entry | None, role: str | None) -> None:
    name, start = box.columns(4, 1, gap=2 * MM)
    if entry:
        paper.write(name, entry.name, size=14, bold=True)
    else:
        paper.write(Box(name.x, name.y, 12 * MM, name.height), _("Name:"), size=8)
        paper.rule(name.x + 12 * MM, name.bottom - 2 * MM, name.right, name.bottom - 2 * MM)
    if role is not None:
        paper.write(start, role, size=10, bold=True, align=Align.RIGHT)
    else:
        draw_tick_box(paper, start, _("starts"))


def _draw_turns(paper: Paper, head: Box, height: float, columns: ColumnWidths, rules: Ruleset) -> float:
    """The rows for a player's turns, each with marks to circle for what is no play; return where they end."""
    labels = {
        SheetColumn.NUMBER: _("No."),
        SheetColumn.LETTERS: _("Letters drawn"),
        SheetColumn.POSITION: _("Position"),
        SheetColumn.WORD: _("Word"),
        SheetColumn.POINTS: _("Points"),
        SheetColumn.TOTAL: _("Total"),
    }
    boxes = dict(zip(columns, head.columns(*columns.values()), strict=True))
    number, word = boxes[SheetColumn.NUMBER], boxes[SheetColumn.WORD]
    paper.fill(head)
    for column, box in boxes.items():
        paper.write(box.inset(0.5 * MM, 0.05 * MM), labels[column], size=7.5, bold=True, align=Align.CENTRE)
    row = head.below(height)
    for turn in range(1, TURN_ROWS + 1):
        paper.write(Box(number.x, row.y, number.width, row.height), str(turn), size=7, align=Align.CENTRE, shade=0.35)
        # Circled in a turn that is no play: an exchange, a pass; and that the jury was asked.
        marks = [pgettext("exchange", "E")]
        if rules.passes_to_end is not None:
            marks.append(pgettext("pass", "P"))
        if rules.exchanges and rules.exchanges.by_consent:
            marks.append(pgettext("jury", "J"))
        for place, mark in enumerate(reversed(marks), 1):
            circle = Box(word.right - place * 4.5 * MM, row.y, 4 * MM, row.height)
            paper.write(circle, mark, size=SMALLEST_SIZE, align=Align.CENTRE, shade=0.45)
        paper.rule(head.x, row.bottom, head.right, row.bottom, shade=0.3)
        row = row.below(row.height)
    for box in list(boxes.values())[:-1]:
        paper.rule(box.right, head.y, box.right, row.y, shade=0.3)
    paper.frame(Box(head.x, head.y, head.width, row.y - head.y), weight=0.9)
    return row.y


def _draw_summary(paper: Paper, row: Box, sums: list[str]) -> float:
    """From the plays to the final score; return where it ends."""
    for label in sums:
        words, cell = row.columns(*SUM_COLUMNS)
        paper.write(words.inset(1 * MM), label, size=7.5)
        paper.frame(cell)
        row = row.below(row.height)
    final = Box(row.x, row.y, row.width, FINAL_HEIGHT)
    words, cell = final.columns(*SUM_COLUMNS)
    paper.write(words.inset(1 * MM), _("Final score"), size=11, bold=True)
    paper.frame(cell, weight=1.6)
    return final.bottom


def _list_sum_labels(rules: Ruleset) -> Iterator[str]:
    """What comes between the plays and the final score under these rules."""
    yield _("Sum of the plays")
    if rules.leftovers is not None:
        yield _("− leftover tiles") if rules.leftovers == LeftoversRule.EACH_LOSES_OWN else _("+ or − leftover tiles")
    if rules.challenges is not None and (failed := rules.challenges.failed_penalty):
        if rules.challenges.upheld_penalty == failed:
            words = _("− challenges that failed or hit a word of one's own (%(points)s each)")
        elif rules.challenges.per == PenaltyUnit.WORD:
            words = _("− failed challenges (%(points)s for each word)")
        else:
            words = _("− failed challenges (%(points)s each)")
        yield words % {"points": failed}
    if rules.declined_penalty:
        yield _("− turns lost by the jury's word (%(points)s each)") % {"points": rules.declined_penalty}
    if rules.wrong_word_penalty is not None:
        yield _("− wrong words (the turn's points and %(points)s)") % {"points": rules.wrong_word_penalty}
    yield _("− other penalty points, reason:")
    if rules.overtime_points:
        step = format_overtime_step(rules.overtime_step)
        words = _("− time penalty (%(points)s per %(step)s); overtime ___:___")
        yield words % {"points": rules.overtime_points, "step": step}


def _draw_blanks(paper: Paper, box: Box, rules: Ruleset) -> None:
    """A square for the letter of each blank (TSO 3.7 b), and what the marks mean."""
    left_box, right = box.columns(60, 130, gap=5 * MM)
    count = next((tile.count for tile in LETTER_SETS[rules.letters].tiles if tile.letter == BLANK), 2)
    side = 6 * MM
    squares = count * (side + 2 * MM)
    paper.write(
        Box(left_box.x, left_box.y, left_box.width - squares, left_box.height), _("The blanks stand for:"), size=8
    )
    for index in range(count):
        x = left_box.right - squares + 2 * MM + index * (side + 2 * MM)
        paper.frame(Box(x, left_box.y + (left_box.height - side) / 2, side, side), weight=0.8)
    parts = [_describe_exchange(rules)]
    if rules.passes_to_end is not None:
        parts.append(_("P: pass, 0 points."))
    if rules.exchanges and rules.exchanges.by_consent:
        parts.append(_("J: the jury was asked for an exchange."))
    if rules.shared_minutes:
        parts.append(_("%(count)s minutes for the whole game.") % {"count": rules.shared_minutes})
    if rules.clauses.signing:
        parts.append(insert_clause(_("Both sign; the winner hands the sheet in."), rules.clauses.signing))
    paper.write(right, " ".join(parts), size=8)


def _describe_exchange(rules: Ruleset) -> str:
    """What an exchange scores, and when there can be one."""
    exchanges = rules.exchanges
    if exchanges is None:
        return _("E: exchange, 0 points.")
    times = exchanges.before_first_word
    words = {"count": exchanges.in_bag, "first": times}
    if not exchanges.after_a_play:
        return _("E: exchange, 0 points, with %(count)s tiles or more in the bag.") % words
    message = (
        _("E: exchange, 0 points, with %(count)s tiles or more in the bag, after a turn that laid a tile.") % words
    )
    if times is None:
        return message
    first = ngettext("Before the first word: once.", "Before the first word: up to %(first)s times in a row.", times)
    return f"{message} {first % words}"


def _split_into_tile_rows(tiles: tuple[Tile, ...], width: float) -> list[list[Tile]]:
    """The letters of the set on lines of this width; a letter's tiles stay together."""
    rows: list[list[Tile]] = []
    room = 0.0
    for tile in tiles:
        if not rows or tile.count * TILE_WIDTH > room:
            rows.append([])
            room = width
        rows[-1].append(tile)
        room -= tile.count * TILE_WIDTH + TILE_GAP
    return rows


def _draw_tile_strip(paper: Paper, x: float, y: float, rows: list[list[Tile]]) -> None:
    """All tiles of the set to cross off, each with its value as on the tile; blanks are empty."""
    for row in rows:
        square = Box(x, y, TILE_WIDTH, TILE_HEIGHT)
        for tile in row:
            for _tile in repeat(None, tile.count):
                paper.frame(square, weight=0.5)
                if tile.letter != BLANK:
                    letter, value = square.inset(0.5 * MM, 0.1 * MM).stack(8.5, SMALLEST_SIZE)
                    paper.write(letter, tile.letter, size=8.5)
                    paper.write(value, str(tile.value), size=SMALLEST_SIZE, align=Align.RIGHT)
                square = replace(square, x=square.right)
            square = replace(square, x=square.x + TILE_GAP)
        y += TILE_HEIGHT + TILE_ROWS_GAP


# Score sheets that each player keeps for themselves: a page for the starter, a marked one for the other player.
# The starter's is white, the other's coloured (Wedstrijdscrabble IV). Both come on white paper; hatching marks the
# other one, which is seen without colours, too.

# What a player writes of their own turns and of the opponent's, in parts of the halves.
OWN_COLUMNS = {
    SheetColumn.NUMBER: 6,
    SheetColumn.LETTERS: 23,
    SheetColumn.POSITION: 14,
    SheetColumn.WORD: 33,
    SheetColumn.POINTS: 12,
    SheetColumn.TOTAL: 13,
}
OPPONENT_COLUMNS = {
    SheetColumn.NUMBER: 6,
    SheetColumn.POSITION: 13,
    SheetColumn.WORD: 36,
    SheetColumn.POINTS: 13,
    SheetColumn.TOTAL: 14,
}

ROLE_HEIGHT, OWN_NAME_HEIGHT = 8 * MM, 9 * MM  # of the band that says whose sheet it is, and of the names
HATCHING_GAP = 2.2 * MM  # the distance of its lines


def draw_own_sheets(header: PaperHeader, pairings: Iterable[Pairing], rules: Ruleset) -> bytes:
    """Two pages for each game of the round, the starter's first; without a round one blank pair."""
    paper = Paper(header, _("Score sheet"), aside=NUMBERS_WIDTH + 4 * MM)
    games = _list_games(pairings)
    band = replace(paper.content, height=ROLE_HEIGHT)
    # A player's own turns have more columns than the opponent's.
    halves = band.below(paper.content.height - ROLE_HEIGHT).columns(11, 9, gap=5 * MM)
    rooms = [Box(half.x, half.y + OWN_NAME_HEIGHT, half.width, half.height - OWN_NAME_HEIGHT) for half in halves]
    form = list(zip(rooms, (OWN_COLUMNS, OPPONENT_COLUMNS), strict=True))
    for game, is_starter in paper.pages([(game, is_starter) for game in games for is_starter in (True, False)]):
        paper.stamp(lambda: _draw_turns_and_sums(paper, form, rules))
        _draw_sheet_numbers(paper, game)
        _draw_role(paper, band, is_starter=is_starter)
        # Where starts are drawn at the table nobody knows yet whose sheet is the white one.
        players = (game.first, game.second) if game and are_starts_balanced(game.round) else (None, None)
        ordered = players if is_starter else players[::-1]
        for half, entry, label in zip(halves, ordered, (_("Name:"), _("Opponent:")), strict=True):
            _draw_own_name(paper, replace(half, height=OWN_NAME_HEIGHT), entry, label)
    return paper.done()


def _draw_role(paper: Paper, box: Box, *, is_starter: bool) -> None:
    """Whose page it is: a white band for the starter, a hatched one for the other player."""
    label = _("White sheet: starts") if is_starter else _("Marked sheet: replies")
    room = Box(box.x + box.width / 2 - 35 * MM, box.y, 70 * MM, box.height)
    if not is_starter:
        x = box.x
        while x + box.height <= box.right:
            paper.rule(x, box.bottom, x + box.height, box.y, weight=1.4)
            x += HATCHING_GAP
        paper.fill(room, shade=1)
    paper.frame(box, weight=0.9)
    paper.write(room, label, size=11, bold=True, align=Align.CENTRE)


def _draw_own_name(paper: Paper, box: Box, entry: Entry | None, label: str) -> None:
    """A player's name, or a line for it."""
    words = Box(box.x, box.y, 17 * MM, box.height)
    paper.write(words, label, size=8)
    name = Box(words.right, box.y, box.width - words.width, box.height)
    if entry is None:
        paper.rule(name.x, name.bottom - 2 * MM, name.right, name.bottom - 2 * MM)
    else:
        paper.write(name, entry.name, size=13, bold=True)


def render_scoresheets(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return _render_sheets(header, list_printed_pairings(division, round), get_printed_rules(division.tournament))


def render_whole_round(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """What hangs on the wall and lies on the tables in a round: pairings, the table before it, slips."""
    shown_round = round or find_latest_round(division)
    if shown_round is None:
        return render_no_round(header, _("Everything for a round"))
    # Before round 1 there is no table, and a knock-out is not paired by one.
    before = (
        None
        if shown_round.is_knockout
        else Round.objects.league().filter(division=division, number=shown_round.number - 1)
    )
    pairings = list_printed_pairings(division, shown_round)
    parts = [
        draw_pairings_by_table(header, pairings),
        draw_pairings_by_name(header, pairings),
        *(render_standings(header, division, table) for table in before or ()),
        draw_result_slips(header, pairings, get_printed_rules(division.tournament)),
    ]
    return join_documents(parts, f"{format_round_name(shown_round)} – {header.event}")


def render_blank_scoresheet(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return _render_sheets(header, (), get_printed_rules(division.tournament))


def _render_sheets(header: PaperHeader, pairings: Iterable[Pairing], rules: Ruleset) -> bytes:
    """One sheet a game, or one for each player where the rules have it so."""
    return (draw_own_sheets if rules.own_sheets else draw_scoresheets)(header, pairings, rules)
