"""The play of the round: chosen, solved, taken away."""

from django.utils.translation import gettext_lazy as _

from games.models import RoundPlay, Scoresheet
from games.round_play import positions
from tournament.models import Division
from tournament.operations.change import Actor, change
from tournament.refusals import Refusal
from tournament.words import round_names


class NotPublic(Refusal):
    code = "round_play_not_public"
    message = _("Only a position of a public game that is over can be shown.")


class NoPosition(Refusal):
    code = "round_play_no_position"
    message = _("At turn %(turn)s nothing can be shown: it needs a play and the rack that it was made from.")


class NothingChosen(Refusal):
    code = "round_play_nothing"
    message = _("No play of the round is shown at the moment.")


def choose(division: Division, *, scoresheet: Scoresheet, turn: int, actor: Actor) -> RoundPlay:
    """Show the position before a turn to everybody, in the place of an earlier one. Raises `NotPublic` or
    `NoPosition`."""
    pairing = scoresheet.pairing
    with change(division.tournament, actor=actor, verb="choose_round_play", **round_names.where(pairing)) as log:
        log.rely_on(("scoresheet", scoresheet.pk, "is_public"), ("scoresheet", scoresheet.pk, "version"))
        sheet = positions.sheets(division).filter(pk=scoresheet.pk).first()
        if sheet is None:
            raise NotPublic
        if not positions.can_be_shown(sheet, turn):
            raise NoPosition(turn=turn)
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            return log.create(RoundPlay(division=division, scoresheet=sheet, turn=turn))
        log.save(stored, scoresheet=sheet, turn=turn, is_solved=False)
        return stored


def solve(division: Division, *, actor: Actor) -> None:
    """Show the best play as well. Raises `NothingChosen`."""
    with change(division.tournament, actor=actor, verb="solve_round_play", division=division.name) as log:
        stored = RoundPlay.objects.filter(division=division).first()
        if stored is None:
            raise NothingChosen
        log.save(stored, is_solved=True)


def take_away(division: Division, *, actor: Actor) -> None:
    """Show nothing any more."""
    with change(division.tournament, actor=actor, verb="take_round_play_away", division=division.name) as log:
        log.delete_all(list(RoundPlay.objects.filter(division=division)))
