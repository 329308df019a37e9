"""Positions of public games: which can be shown, and the one that is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from games.analysis.best import BestPlays, plays
from games.judge import lists
from games.models import Line, RoundPlay, Scoresheet
from games.replay import published
from games.replay.steps import Replay
from games.shared.board_picture import BoardPicture, picture
from games.sheets.page import names_of
from tournament.models import Division, Round
from tournament.refusals import Refusal

SUGGESTED = 12


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A play of a public game with its points; `turn` is its number on the sheet."""

    sheet: Scoresheet
    turn: int
    name: str
    text: str
    points: int
    is_bingo: bool


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """The play of the round as everybody may see it: the board before the turn and the rack in alphabetical order.

    `best` and `laid` (what the player laid, with its points) are empty until the director shows them; `best` is None
    as well where the organiser has no word list.
    """

    chosen: RoundPlay
    round: Round
    board: BoardPicture
    rack: str
    name: str = ""
    laid: str = ""
    points: int = 0
    best: BestPlays | None = None


def sheets(division: Division) -> QuerySet[Scoresheet]:
    """The public sheets of a division whose games are over."""
    over = published.sheets().filter(pairing__round__division=division, pairing__results__official=True)
    return over.order_by("-pairing__round__number", "pairing__table", "pk")


def suggested(division: Division) -> list[Suggestion]:
    """The highest plays with a noted rack in the last round that has a public game. Five queries."""
    found = list(sheets(division))
    latest = [sheet for sheet in found if sheet.pairing.round_id == found[0].pairing.round_id]
    lines = Line.objects.filter(scoresheet__in=latest).order_by("scoresheet", "number")
    by_sheet = {pk: list(each) for pk, each in groupby(lines, key=lambda line: line.scoresheet_id)}
    offered = [play for sheet in latest for play in _plays(sheet, by_sheet.get(sheet.pk, []))]
    return sorted(offered, key=lambda play: (-play.points, play.sheet.pk, play.turn))[:SUGGESTED]


def _plays(sheet: Scoresheet, lines: Iterable[Line]) -> Iterator[Suggestion]:
    replay = _replay(sheet, list(lines))
    for turn, counted in zip(replay.turns, replay.count.lines, strict=False):
        position = replay.position(turn.turn)
        if position is not None and position.laid:
            yield Suggestion(sheet, turn.turn, turn.name, turn.text, counted.points, turn.is_bingo)


def _replay(sheet: Scoresheet, lines: list[Line]) -> Replay:
    return Replay(sheet, lines, names_of(sheet), sheet.pairing.round.division.tournament.rules)


def can_be_shown(sheet: Scoresheet, turn: int) -> bool:
    """Whether there is a play with a noted rack at this turn of a sheet."""
    position = _replay(sheet, list(Line.objects.filter(scoresheet=sheet).order_by("number"))).position(turn)
    return position is not None and bool(position.laid)


def shown(division: Division) -> ShownPosition | None:
    """What everybody sees now; None if nothing is chosen, the game is not public any more, or the sheet has changed.

    Five queries; one more, and a look for the best plays, once it is solved.
    """
    chosen = RoundPlay.objects.filter(division=division).first()
    sheet = sheets(division).filter(pk=chosen.scoresheet_id).first() if chosen else None
    if chosen is None or sheet is None:
        return None
    replay = _replay(sheet, list(Line.objects.filter(scoresheet=sheet).order_by("number")))
    position = replay.position(chosen.turn)
    if position is None or not position.laid:
        return None
    rack = "".join(sorted(position.rack))  # on the sheet it may begin with what was laid
    if not chosen.is_solved:
        return ShownPosition(chosen, sheet.pairing.round, picture(position.board), rack)
    turn, counted = replay.turns[chosen.turn - 1], replay.count.lines[chosen.turn - 1]
    found = _best(sheet, chosen.turn, replay)
    drawn = replay.picture(chosen.turn)
    told = (turn.name, position.laid, counted.points)
    return ShownPosition(chosen, sheet.pairing.round, drawn, rack, *told, best=found)


def _best(sheet: Scoresheet, turn: int, replay: Replay) -> BestPlays | None:
    """The best plays by the organiser's word list; None without one, or with one that cannot be read."""
    tournament, position = sheet.pairing.round.division.tournament, replay.position(turn)
    word_list = lists.in_use(tournament.organiser_id, letters=tournament.rules.letters)
    if word_list is None or position is None:
        return None
    try:
        return plays(position.board, position.rack, word_list)
    except Refusal:
        return None
