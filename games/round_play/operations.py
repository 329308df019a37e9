"""Choose the play of the round, show its solution, take it away."""

from django.utils.translation import gettext_lazy as _

from games.models import RoundPlay, Scoresheet
from games.round_play.queries import can_show_position, filter_finished_public_sheets
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.words.rounds import make_place_details
from tournament.models import Division


class GameNotPublic(Refusal, code="round_play_not_public"):
    message = _("Only positions of finished public games can be shown.")


class NoPositionToShow(Refusal, code="round_play_no_position"):
    message = _("Turn %(turn)s cannot be shown: it needs a play and the rack it was made from.")


class NoRoundPlayChosen(Refusal, code="round_play_nothing"):
    message = _("No play of the round is shown at the moment.")


def choose_round_play(division: Division, *, scoresheet: Scoresheet, turn: int, actor: Actor) -> RoundPlay:
    """Show everybody the position before a turn, replacing any. Raises `GameNotPublic`, `NoPositionToShow`."""
    pairing = scoresheet.pairing
    with change(division.tournament, actor=actor, verb="choose_round_play", **make_place_details(pairing)) as log:
        log.rely_on(("scoresheet", scoresheet.pk, "is_public"), ("scoresheet", scoresheet.pk, "version"))
        sheet = filter_finished_public_sheets(division).filter(pk=scoresheet.pk).first()
        if sheet is None:
            raise GameNotPublic
        if not can_show_position(sheet, turn):
            raise NoPositionToShow(turn=turn)
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            return log.create(RoundPlay(division=division, scoresheet=sheet, turn=turn))
        log.save(stored, scoresheet=sheet, turn=turn, is_solved=False)
        return stored


def solve_round_play(division: Division, *, actor: Actor) -> None:
    """Show the best play as well. Raises `NoRoundPlayChosen`."""
    with change(division.tournament, actor=actor, verb="solve_round_play", division=division.name) as log:
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            raise NoRoundPlayChosen
        log.save(stored, is_solved=True)


def remove_round_play(division: Division, *, actor: Actor) -> None:
    """Show nothing any more."""
    with change(division.tournament, actor=actor, verb="take_round_play_away", division=division.name) as log:
        log.delete_all(list(RoundPlay.objects.filter(division=division)))
