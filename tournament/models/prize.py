"""The prizes of a division as announced. Who wins them follows from results."""

from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.prizes import PrizeKind
from tournament.basics import limits
from tournament.models.choices import (
    PRIZE_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_condition,
    make_range_constraint,
)
from tournament.models.event import Division, Entry
from tournament.models.player import Club


class PrizeQuerySet(models.QuerySet["Prize"]):
    def in_order(self) -> Self:
        return self.order_by("position", "pk")


class Prize(UnnamedRow):
    """One prize. Written by `ending.operations`.

    `title` is a name of its own, `award` what there is to win; the director chooses the `winner` of a prize of
    the organiser's own; all others follow from results.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="prizes")
    position = models.PositiveSmallIntegerField(_("place in the list"), default=1)
    kind = models.CharField(_("for"), max_length=30, choices=make_choices(PRIZE_LABELS))
    place = models.PositiveSmallIntegerField(
        _("place"),
        null=True,
        blank=True,
        validators=[MinValueValidator(limits.PRIZE_PLACE.low), MaxValueValidator(limits.PRIZE_PLACE.high)],
    )
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )
    lowest_rating = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("rating up to"), null=True, blank=True)
    title = models.CharField(_("name of the prize"), max_length=limits.PRIZE_TITLE, blank=True)
    award = models.CharField(_("what there is to win"), max_length=limits.PRIZE_AWARD, blank=True)
    winner = models.ForeignKey(
        Entry, verbose_name=_("winner"), null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )

    objects = PrizeQuerySet.as_manager()

    class Meta:
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=list_choice_values(PRIZE_LABELS)), name="prize_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=PrizeKind.PLACE.value, place__isnull=False)
                & make_range_condition(limits.PRIZE_PLACE, "place")
                | ~Q(kind=PrizeKind.PLACE.value) & Q(place__isnull=True),
                name="prize_place_where_it_is_one",
            ),
            make_range_constraint("prize_ratings_in_range", limits.RATING, "lowest_rating", "highest_rating"),
            models.CheckConstraint(
                condition=~Q(kind=PrizeKind.OWN.value) & Q(winner__isnull=True)
                | Q(kind=PrizeKind.OWN.value) & ~Q(title=""),
                name="prize_of_our_own_has_title",
            ),
        ]
