"""What players report of their games from their phones."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from tournament.limits import OVERTIME, PENALTY, PENALTY_REASON, POINTS
from tournament.models import Entry, Pairing
from tournament.models.constraints import within


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
                condition=within(POINTS, "first_points", "second_points")
                & within(OVERTIME, "first_overtime", "second_overtime")
                & within(PENALTY, "first_penalty", "second_penalty"),
                name="game_report_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.first_points} : {self.second_points}"
