"""The play of the round: a position that everybody may think about."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models.sheets import Scoresheet
from tournament.models import Division
from tournament.models.constraints import within


class RoundPlay(models.Model):
    """The position before a turn of a sheet, shown to all with the rack until `is_solved` shows the best play too.

    A division has one at a time. Written by `games.round_play.operations`; whether it may be seen is asked of the sheet
    each time, since games can be taken off the public pages. `sheets.operations.delete_sheet` takes it away.
    """

    division = models.OneToOneField(Division, on_delete=models.PROTECT, related_name="round_play")
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="round_plays")
    turn = models.PositiveSmallIntegerField(_("turn"))
    is_solved = models.BooleanField(_("the best play is shown"), default=False)

    class Meta:
        verbose_name = _("play of the round")
        verbose_name_plural = _("plays of the round")
        constraints = [models.CheckConstraint(condition=within(limits.LINES, "turn"), name="round_play_turn_in_range")]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.turn}"
