"""Official lists of ratings as an organiser, a federation say, has published them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.choices import (
    RATING_SYSTEM_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_constraint,
)
from tournament.models.organiser import Organiser


class PublishedRatingList(UnnamedRow):
    """A list of ratings as it was published; never worked out again. `day` is the date that it bears, `edition` tells
    apart those of one day, `events` is how many it counts. `rows` has an object a player, the highest rating first:
    `player` (their primary key then), `place`, `name`, `club`, `rating`, `games`, `events`. One that `is_withdrawn` is
    shown to nobody but its organiser. Written by `ratings.publishing`."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="rating_lists")
    day = models.DateField(_("day"))
    edition = models.PositiveSmallIntegerField(default=1)
    system = models.CharField(_("ratings by"), max_length=limits.WORD, choices=make_choices(RATING_SYSTEM_LABELS))
    events = models.PositiveIntegerField(_("events"))
    rows = models.JSONField(default=list)
    published_at = models.DateTimeField()
    is_withdrawn = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("published list of ratings")
        verbose_name_plural = _("published lists of ratings")
        constraints = [
            models.UniqueConstraint(fields=["organiser", "day", "edition"], name="rating_list_named_once"),
            models.CheckConstraint(
                condition=Q(system__in=list_choice_values(RATING_SYSTEM_LABELS)), name="rating_list_system_known"
            ),
            make_range_constraint("rating_list_edition_in_range", limits.RATING_LIST_EDITION, "edition"),
        ]

    @property
    def key(self) -> str:
        """What addresses and commands call the list: 2026-03-15, or 2026-03-15-2 for a second one of that day."""
        return self.day.isoformat() if self.edition == 1 else f"{self.day.isoformat()}-{self.edition}"
