"""What players report of their games from their phones."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models.sheets import Scoresheet
from tournament.basics.limits import AUTHOR_NAME, OVERTIME, PENALTY, PENALTY_REASON, POINTS
from tournament.models import Division, Entry, Pairing
from tournament.models.choices import make_range_condition


class GameReport(models.Model):
    """One player's word about a game: the points as they stand on the sheet, before time and penalties, and these.

    Written by `games.reports.operations`. `key` is the phone's own: what is sent twice is stored once. The last report
    of each player counts; none is deleted.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="game_reports")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="game_reports")
    key = models.CharField(max_length=limits.REPORT_KEY)
    first_points = models.SmallIntegerField(_("points of the first player"))
    second_points = models.SmallIntegerField(_("points of the second player"))
    first_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    second_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    first_penalty = models.PositiveSmallIntegerField(default=0)
    second_penalty = models.PositiveSmallIntegerField(default=0)
    penalty_reason = models.CharField(max_length=PENALTY_REASON, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("report of a game")
        verbose_name_plural = _("reports of games")
        constraints = [
            models.UniqueConstraint(fields=["entry", "key"], name="game_report_once"),
            models.CheckConstraint(condition=~Q(key=""), name="game_report_has_key"),
            models.CheckConstraint(
                condition=make_range_condition(POINTS, "first_points", "second_points")
                & make_range_condition(OVERTIME, "first_overtime", "second_overtime")
                & make_range_condition(PENALTY, "first_penalty", "second_penalty"),
                name="game_report_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.first_points} : {self.second_points}"


# The play of the round: a position that everybody may think about.


class RoundPlay(models.Model):
    """The position before a turn of a sheet, shown to all with the rack until `is_solved` shows the best play too.

    A division has one at a time. Written by `games.round_play.operations`; whether it may be seen is asked of the sheet
    each time, since games can be taken off the public pages. `delete_sheet` takes it away.
    """

    division = models.OneToOneField(Division, on_delete=models.PROTECT, related_name="round_play")
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="round_plays")
    turn = models.PositiveSmallIntegerField(_("turn"))
    is_solved = models.BooleanField(_("the best play is shown"), default=False)

    class Meta:
        verbose_name = _("play of the round")
        verbose_name_plural = _("plays of the round")
        constraints = [
            models.CheckConstraint(
                condition=make_range_condition(limits.LINES, "turn"), name="round_play_turn_in_range"
            )
        ]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.turn}"


# Results typed a second time by somebody else, who has not seen the first figures.


class SecondEntry(models.Model):
    """The two scores of a table as somebody else has read them. Written by `games.entry.operations`.

    Where they differ from the official result, somebody settles it from the paper: both say the same then.
    """

    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="second_entry")
    first_points = models.SmallIntegerField(_("points of the first player"))
    second_points = models.SmallIntegerField(_("points of the second player"))
    is_settled = models.BooleanField(_("settled from the paper"), default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("second entry of a result")
        verbose_name_plural = _("second entries of results")
        constraints = [
            models.CheckConstraint(
                condition=make_range_condition(POINTS, "first_points", "second_points"), name="second_entry_in_range"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}: {self.first_points} : {self.second_points}"
