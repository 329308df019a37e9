"""Results typed a second time by somebody else, who has not seen the first figures."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.limits import BY_NAME, POINTS
from tournament.models import Pairing
from tournament.models.constraints import within


class SecondEntry(models.Model):
    """The two scores of a table as somebody else has read them. Written by `games.entry.second_operations`.

    Where they differ from the official result, somebody settles it from the paper: both say the same then.
    """

    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="second_entry")
    first_points = models.SmallIntegerField(_("points of the first player"))
    second_points = models.SmallIntegerField(_("points of the second player"))
    is_settled = models.BooleanField(_("settled from the paper"), default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=BY_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("second entry of a result")
        verbose_name_plural = _("second entries of results")
        constraints = [
            models.CheckConstraint(
                condition=within(POINTS, "first_points", "second_points"), name="second_entry_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}: {self.first_points} : {self.second_points}"
