"""The knock-out of a division as announced and confirmed. Who meets whom and who won follows from results."""

import operator
from functools import reduce

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.knockout_forms import SYSTEM_SIZES
from scoring.knockout_values import DecidedBy, KnockoutSystem, Match, MatchFormat
from tournament.basics import limits
from tournament.models.choices import (
    FACT_LABELS,
    KNOCKOUT_SYSTEM_LABELS,
    MATCH_FORMAT_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_condition,
    make_range_constraint,
)
from tournament.models.event import Division, Entry

SYSTEM_AND_SIZE = reduce(
    operator.or_,
    # Which sizes a system has is a matter of the rules, and stands there: the constraint follows them.
    (Q(system=system.value, size__gte=sizes[0], size__lte=sizes[-1]) for system, sizes in SYSTEM_SIZES.items()),
)


class Knockout(UnnamedRow):
    """A division's knock-out, announced before its seeds are confirmed. Written by `knockout.operations`."""

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="knockout")
    size = models.PositiveSmallIntegerField(_("players"))
    system = models.CharField(
        _("system"),
        max_length=20,
        choices=make_choices(KNOCKOUT_SYSTEM_LABELS),
        default=KnockoutSystem.SINGLE.value,
    )
    form = models.CharField(
        _("form"), max_length=10, choices=make_choices(MATCH_FORMAT_LABELS), default=MatchFormat.SINGLE.value
    )
    best_of = models.PositiveSmallIntegerField(_("best of"), null=True, blank=True)
    criteria = models.JSONField(_("criteria"), default=list, blank=True)
    own_criterion = models.CharField(_("own criterion"), max_length=limits.OWN_CRITERION, blank=True)
    third_place = models.BooleanField(_("match for third place"), default=False)

    class Meta:
        verbose_name = _("knock-out")
        verbose_name_plural = _("knock-outs")
        constraints = [
            make_range_constraint("knockout_size_in_range", limits.KNOCKOUT_SIZE, "size"),
            models.CheckConstraint(condition=SYSTEM_AND_SIZE, name="knockout_system_has_size"),
            models.CheckConstraint(
                condition=Q(form=MatchFormat.BEST_OF.value) & make_range_condition(limits.BEST_OF, "best_of")
                | Q(
                    form__in=[form for form in list_choice_values(MATCH_FORMAT_LABELS) if form != MatchFormat.BEST_OF],
                    best_of__isnull=True,
                ),
                name="knockout_form_known",
            ),
        ]


class Seed(UnnamedRow):
    """A confirmed place in the seeding: number 1 is the best."""

    knockout = models.ForeignKey(Knockout, on_delete=models.CASCADE, related_name="seeds")
    number = models.PositiveSmallIntegerField(pgettext_lazy("knock-out", "seed"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="knockout_seeds")

    class Meta:
        verbose_name = pgettext_lazy("knock-out", "seed")
        verbose_name_plural = pgettext_lazy("knock-out", "seeds")
        constraints = [
            models.UniqueConstraint(fields=["knockout", "number"], name="seed_number_once"),
            models.UniqueConstraint(fields=["knockout", "entry"], name="seed_player_once"),
            make_range_constraint("seed_number_in_range", limits.KNOCKOUT_SEED, "number"),
        ]


class NotRecorded(UnnamedRow):
    """The director's word that a match lacks a record or is level in it, so the next criterion decides. Written by
    `knockout.operations`."""

    knockout = models.ForeignKey(Knockout, on_delete=models.CASCADE, related_name="not_recorded")
    stage = models.PositiveSmallIntegerField(_("stage"))
    position = models.PositiveSmallIntegerField(_("position"))
    fact = models.CharField(_("what was not recorded"), max_length=20, choices=make_choices(FACT_LABELS))

    class Meta:
        verbose_name = _("missing record of a match")
        verbose_name_plural = _("missing records of matches")
        constraints = [
            models.UniqueConstraint(fields=["knockout", "stage", "position", "fact"], name="not_recorded_once"),
            models.CheckConstraint(
                condition=Q(fact__in=list_choice_values(FACT_LABELS)), name="not_recorded_fact_known"
            ),
        ]


class MatchLot(UnnamedRow):
    """The lot that decided a match still level after every criterion (TSO 6.2), or the winner that the director entered
    by the announcement's own criterion (TSO 6.2.4)."""

    knockout = models.ForeignKey(Knockout, on_delete=models.CASCADE, related_name="lots")
    stage = models.PositiveSmallIntegerField(_("stage"))
    position = models.PositiveSmallIntegerField(_("position"))
    winner = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="match_lots")
    by_own_criterion = models.BooleanField(_("by the announcement’s own criterion"), default=False)

    class Meta:
        verbose_name = _("lot of a match")
        verbose_name_plural = _("lots of matches")
        constraints = [models.UniqueConstraint(fields=["knockout", "stage", "position"], name="match_lot_once")]

    def counts_in(self, match: Match) -> bool:
        """Whether it is what decides its match as it stands."""
        return match.decided_by == (DecidedBy.OWN if self.by_own_criterion else DecidedBy.LOT)
