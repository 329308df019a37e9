"""The referee's log of a game: challenges and their verdicts, incidents and their consequences."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from tournament.basics.limits import AUTHOR_NAME, WORD
from tournament.models import Pairing
from tournament.models.play import SIDE_CHOICES


class Challenge(models.Model):
    """A challenged play: who challenged, which words, which of them are bad. Written by `games.referee.operations`.

    `words` is a list of `[word, stands]`. `penalty` is what the challenger loses, as the rules say or as the referee
    decided with `reason`; None: as the rules say. No line is ever deleted; one that was withdrawn says why.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.PositiveSmallIntegerField(_("challenger"), choices=SIDE_CHOICES)
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    words = models.JSONField(_("words"), default=list, encoder=DjangoJSONEncoder)
    penalty = models.PositiveSmallIntegerField(_("penalty"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=limits.REASON, blank=True)
    is_withdrawn = models.BooleanField(_("withdrawn"), default=False)
    why_withdrawn = models.CharField(_("withdrawn because"), max_length=limits.WHY, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="challenges"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints = [models.CheckConstraint(condition=Q(challenger__in=[1, 2]), name="challenge_side_known")]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.turn or ''}"


class Incident(models.Model):
    """Something that happened at a table, the clause that applies, and what the referee decided.

    `kind` is a key of `games.referee.catalogue`; `figures` what the kind needs (seconds late, tiles drawn too many …);
    `consequence` what was decided, `points` the penalty points it came to (for each player concerned). No line is ever
    deleted; one that was withdrawn says why. Written by `games.referee.operations`.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="incidents")
    side = models.PositiveSmallIntegerField(_("player"), choices=SIDE_CHOICES, null=True, blank=True)
    """The player it is about; None: both."""
    kind = models.CharField(_("incident"), max_length=30)
    figures = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    clause = models.CharField(_("clause"), max_length=WORD, blank=True)
    consequence = models.CharField(_("consequence"), max_length=30, blank=True)
    points = models.PositiveSmallIntegerField(_("penalty points"), default=0)
    version = models.PositiveSmallIntegerField(_("version of the result"), null=True, blank=True)
    """The version of the result that it made official; None: it has changed no result."""
    note = models.CharField(_("note"), max_length=limits.INCIDENT_NOTE, blank=True)
    is_withdrawn = models.BooleanField(_("withdrawn"), default=False)
    why_withdrawn = models.CharField(_("withdrawn because"), max_length=limits.WHY, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="incidents"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        constraints = [
            models.CheckConstraint(condition=Q(side__isnull=True) | Q(side__in=[1, 2]), name="incident_side_known")
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.kind}"
