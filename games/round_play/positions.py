"""Positions of public games: which can be shown as the play of the round, the one that is, and what chooses, solves
and removes it."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games.core.board_picture import make_board_picture
from games.judge.lists import get_word_list_in_use
from games.models import Line, RoundPlay, Scoresheet
from games.plays import find_best_plays
from games.replay.replays import Replay, ReplayPosition, filter_public_sheets, load_replay
from games.sheets.sheet_page import get_short_names
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.words.rounds import make_place_details
from tournament.models import Division, Tournament

MAX_SUGGESTIONS = 12


def filter_finished_public_sheets(division: Division) -> QuerySet[Scoresheet]:
    """The public sheets of a division whose games are over."""
    over = filter_public_sheets().filter(pairing__round__division=division, pairing__results__official=True)
    return over.order_by("-pairing__round__number", "pairing__table", "pk")


def list_suggested_plays(division: Division) -> list[dict[str, Any]]:
    """The highest plays with a noted rack in the last round that has a public game. Five queries."""
    sheets = list(filter_finished_public_sheets(division))
    # Where there are no sheets the condition, which looks at the first of them, is never asked.
    latest = [sheet for sheet in sheets if sheet.pairing.round_id == sheets[0].pairing.round_id]
    # By sheet before all else: `groupby` takes together only what stands together.
    lines = Line.objects.filter(scoresheet__in=latest).order_by("scoresheet", "number")
    by_sheet = {pk: list(group) for pk, group in groupby(lines, key=lambda line: line.scoresheet_id)}
    offered = [play for sheet in latest for play in _list_plays(sheet, by_sheet.get(sheet.pk, []))]
    return sorted(offered, key=lambda play: (-play["points"], play["sheet"].pk, play["turn"]))[:MAX_SUGGESTIONS]


def _list_plays(sheet: Scoresheet, lines: Iterable[Line]) -> Iterator[dict[str, Any]]:
    replay = Replay(sheet, list(lines), get_short_names(sheet), sheet.pairing.round.division.tournament.rules)
    # Not strict: the end with settlement and time is one turn more, and no line.
    for turn, counted in zip(replay.turns, replay.count.lines, strict=False):
        position = replay.find_position(turn.turn)
        if position is not None and position.laid:
            laid = {"turn": turn.turn, "name": turn.name, "text": turn.text, "is_bingo": turn.is_bingo}
            yield {"sheet": sheet, "points": counted.points, **laid}


def can_show_position(sheet: Scoresheet, turn: int) -> bool:
    """Whether there is a play with a noted rack at this turn of a sheet."""
    position = load_replay(sheet).find_position(turn)
    return position is not None and bool(position.laid)


def load_shown_position(division: Division) -> dict[str, Any] | None:
    """The play of the round as everybody sees it now, the rack in alphabetical order; None if nothing is chosen, the
    game is not public any more, or the sheet has changed. `best` and what was `laid` are empty until the director shows
    them, `best` also where there is no word list. Five queries; one more, and a look for the best plays, once it is
    solved."""
    chosen = RoundPlay.objects.filter(division=division).first()
    sheet = filter_finished_public_sheets(division).filter(pk=chosen.scoresheet_id).first() if chosen else None
    if chosen is None or sheet is None:
        return None
    replay = load_replay(sheet)
    position = replay.find_position(chosen.turn)
    if position is None or (chosen.is_solved and not position.laid):
        return None
    rack = "".join(sorted(position.rack))  # sorted, because on the sheet it may begin with what was laid
    about = {"chosen": chosen, "round": sheet.pairing.round, "rack": rack}
    if not chosen.is_solved:
        unsolved = {"name": "", "laid": "", "points": 0, "best": None}
        return {**about, "board": make_board_picture(position.board), **unsolved}
    turn, counted = replay.turns[chosen.turn - 1], replay.count.lines[chosen.turn - 1]
    solved = {"name": turn.name, "laid": position.laid, "points": counted.points}
    best = _load_best_plays(sheet.pairing.round.division.tournament, position)
    return {**about, "board": replay.make_picture(chosen.turn), **solved, "best": best}


def _load_best_plays(tournament: Tournament, position: ReplayPosition) -> dict[str, Any] | None:
    """The best plays by the organiser's word list; None without one, or with one that cannot be read."""
    word_list = get_word_list_in_use(tournament.organiser_id, letters=tournament.rules.letters)
    try:
        return find_best_plays(position.board, position.rack, word_list) if word_list else None
    except Refusal:
        return None


def choose_round_play(division: Division, *, scoresheet: Scoresheet, turn: int, actor: Actor) -> RoundPlay:
    """Show everybody the position before a turn, replacing any. Raises `round_play_not_public` or
    `round_play_no_position`."""
    pairing = scoresheet.pairing
    with change(division.tournament, actor=actor, verb="choose_round_play", **make_place_details(pairing)) as log:
        # Writes nothing of the sheet but rests on it: written on since the page was shown, it may have another play at
        # this turn.
        log.rely_on(("scoresheet", scoresheet.pk, "is_public"), ("scoresheet", scoresheet.pk, "version"))
        sheet = filter_finished_public_sheets(division).filter(pk=scoresheet.pk).first()
        if sheet is None:
            raise Refusal("round_play_not_public", _("Only positions of finished public games can be shown."))
        if not can_show_position(sheet, turn):
            raise Refusal(
                "round_play_no_position",
                _("Turn %(turn)s cannot be shown: it needs a play and the rack it was made from."),
                turn=turn,
            )
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            return log.create(RoundPlay(division=division, scoresheet=sheet, turn=turn))
        log.save(stored, scoresheet=sheet, turn=turn, is_solved=False)
        return stored


def solve_round_play(division: Division, *, actor: Actor) -> None:
    """Show the best play as well. Raises `round_play_nothing`."""
    with change(division.tournament, actor=actor, verb="solve_round_play", division=division.name) as log:
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            raise Refusal("round_play_nothing", _("No play of the round is shown at the moment."))
        log.save(stored, is_solved=True)


def remove_round_play(division: Division, *, actor: Actor) -> None:
    """Show nothing any more."""
    with change(division.tournament, actor=actor, verb="take_round_play_away", division=division.name) as log:
        log.delete_all(list(RoundPlay.objects.filter(division=division)))
