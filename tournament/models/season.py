"""A season: several events of an organiser counted together. Its standings follow from their results."""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.season import QualifyingRules, SeasonCounting, SeasonRule, SharedPlaces
from tournament.basics import limits
from tournament.models.choices import (
    SEASON_RULE_LABELS,
    SHARED_PLACES_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_constraint,
)
from tournament.models.event import Division
from tournament.models.organiser import Organiser, Player


class Season(models.Model):
    """How events are counted together. Written by `seasons.operations`. `best` is how many of a player's events count,
    None for all; `least_events` and `least_percent` of the events a player must have played to be listed.
    `with_running`: running events count as they stand. `qualifying`: what differs from `QualifyingRules()`."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="seasons")
    slug = models.SlugField(_("address"), max_length=limits.SLUG, unique=True)
    name = models.CharField(_("name"), max_length=limits.NAME)
    is_public = models.BooleanField(_("public"), default=False)
    with_running = models.BooleanField(_("running events count as they stand"), default=False)
    rule = models.CharField(
        _("what counts"), max_length=10, choices=make_choices(SEASON_RULE_LABELS), default=SeasonRule.PLACES.value
    )
    points = models.JSONField(_("points by place"), default=list, blank=True)
    shared = models.CharField(
        _("shared places"), max_length=10, choices=make_choices(SHARED_PLACES_LABELS), default=SharedPlaces.EACH.value
    )
    best = models.PositiveSmallIntegerField(_("best events that count"), null=True, blank=True)
    least_events = models.PositiveSmallIntegerField(_("events to be listed"), default=0)
    least_percent = models.PositiveSmallIntegerField(_("per cent of the events to be listed"), default=0)
    qualifying = models.JSONField(_("who qualifies"), default=dict, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="season_has_name"),
            models.CheckConstraint(
                condition=Q(rule__in=list_choice_values(SEASON_RULE_LABELS))
                & Q(shared__in=list_choice_values(SHARED_PLACES_LABELS)),
                name="season_rule_known",
            ),
            make_range_constraint("season_best_in_range", limits.SEASON_BEST, "best"),
            make_range_constraint("season_least_in_range", limits.SEASON_LEAST, "least_events"),
            make_range_constraint("season_percent_in_range", limits.SEASON_PERCENT, "least_percent"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def counting(self) -> SeasonCounting:
        """The rule as a value for `scoring.season`."""
        least = self.least_events, self.least_percent
        shared = SharedPlaces(self.shared)
        return SeasonCounting(
            SeasonRule(self.rule), tuple(self.points), shared, self.best, *least, self.qualifying_rules
        )

    @property
    def qualifying_rules(self) -> QualifyingRules:
        """Which places count, and who qualifies by them."""
        stored: dict[str, Any] = {
            # JSON has lists alone, and the rule is a frozen value whose equality is asked.
            name: tuple(value) if isinstance(value, list) else value
            for name, value in self.qualifying.items()
        }
        return QualifyingRules(**stored)


class SeasonEvent(UnnamedRow):
    """A division that counts. Whoever comes to one of its `direct` first places qualifies by that alone. Written by
    `seasons.operations`; deleted with its tournament."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="season_events")
    direct = models.PositiveSmallIntegerField(_("first places that qualify directly"), default=0)

    class Meta:
        verbose_name = _("event of a season")
        verbose_name_plural = _("events of a season")
        constraints = [
            models.UniqueConstraint(fields=["season", "division"], name="season_event_once"),
            make_range_constraint("season_event_direct_in_range", limits.SEASON_DIRECT, "direct"),
        ]


class SamePerson(UnnamedRow):
    """The director's word whether two players are one person in a season, or, without a season, that they are two
    people. Written by `seasons.operations`, and by `entries.operations.register` without a season."""

    season = models.ForeignKey(Season, null=True, on_delete=models.CASCADE, related_name="decisions")
    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    is_same = models.BooleanField(_("the same person"))

    class Meta:
        verbose_name = _("same person or not")
        verbose_name_plural = _("same person or not")
        constraints = [
            models.UniqueConstraint(fields=["season", "one", "other"], name="same_person_decided_once"),
            # A second constraint: to the database no empty season equals another, so the first one would let the pair
            # in twice.
            models.UniqueConstraint(fields=["one", "other"], condition=Q(season=None), name="two_people_decided_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="same_person_in_order"),
            models.CheckConstraint(condition=Q(season__isnull=False) | Q(is_same=False), name="same_person_in_season"),
        ]
