"""Events that clubs hand in to a federation: the federation's links and what came by them, and on a club's side where
events are handed in and how that stands."""

import json
import zlib
from collections.abc import Callable
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.event import Tournament
from tournament.models.organiser import Organiser


class HandInState(models.TextChoices):
    """How an event stands with the federation's officer."""

    OPEN = "open", _("to be looked at")
    ASKED = "asked", _("asked back")
    CONFIRMED = "confirmed", _("confirmed")


class HandInLink(models.Model):
    """A link by which one club may hand in its events to an organiser, the federation. Written by `hand_in.receiving`,
    past the journal, which would keep the nonce. The secret follows from `nonce` and the installation's key."""

    SECRET_SALT = "tournament.hand_in"

    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="hand_in_links")
    name = models.CharField(_("club"), max_length=limits.NAME)
    nonce = models.CharField(max_length=limits.MIRROR_NONCE, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("link of a club")
        verbose_name_plural = _("links of clubs")

    def __str__(self) -> str:
        return self.name


class HandedInEvent(models.Model):
    """An event as a club has handed it in, the last time. Written by `hand_in.receiving` past the journal: what was
    handed in has its journal in the club. `key` tells the club's events apart, `sender` is the club's installation,
    `number` that of the last message about the event, which only goes up; `content` is what it held, compressed.
    `question` is the officer's to the club. `tournament` is the federation's own event that was made of it when the
    officer confirmed it, `confirmed_names` what its players were called in the file then, by their keys."""

    link = models.ForeignKey(HandInLink, on_delete=models.CASCADE, related_name="events")
    # What a club has handed in outlives the event that was made of it: deleting that takes nothing away of it.
    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="handed_in"
    )
    confirmed_names = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=limits.HAND_IN_KEY)
    name = models.CharField(max_length=limits.NAME)
    sender = models.CharField(max_length=limits.MIRROR_NONCE)
    # Milliseconds since 1970 by the club's clock: more than 32 bits hold.
    number = models.BigIntegerField()
    times = models.PositiveIntegerField(_("how often it was handed in"), default=1)
    content = models.BinaryField()
    received_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=HandInState.choices, default=HandInState.OPEN)
    question = models.CharField(_("question"), max_length=limits.HAND_IN_QUESTION, blank=True)

    class Meta:
        verbose_name = _("event handed in")
        verbose_name_plural = _("events handed in")
        constraints = [
            models.UniqueConstraint(fields=["link", "key"], name="hand_in_once_a_club"),
            models.CheckConstraint(condition=Q(state__in=HandInState.values), name="hand_in_state_known"),
            models.CheckConstraint(condition=~Q(state=HandInState.ASKED) | ~Q(question=""), name="hand_in_asked_what"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_correction(self) -> bool:
        """Whether the officer has confirmed an earlier state of the event, and not yet this one."""
        return self.tournament_id is not None and self.state != HandInState.CONFIRMED

    def rewrite_content(self, rewrite: Callable[[Any], Any]) -> None:
        """Save what was handed in, and the names that were confirmed, as `rewrite` makes them."""
        content = json.loads(zlib.decompress(self.content))
        # As objects of the file: who is rewritten there by name has to be here, too.
        names = {key: rewrite({"name": name})["name"] for key, name in self.confirmed_names.items()}
        if (rewritten := rewrite(content)) != content or names != self.confirmed_names:
            self.content = zlib.compress(json.dumps(rewritten, ensure_ascii=False).encode())
            self.confirmed_names = names
            self.save(update_fields=["content", "confirmed_names"])


class HandInTarget(models.Model):
    """Where a club hands its events in. Written by `hand_in.operations`, past the journal, which would keep the secret
    and put it into every archive. `key` names the link there."""

    organiser = models.OneToOneField(Organiser, on_delete=models.CASCADE, related_name="hand_in_target")
    address = models.URLField(_("address of the federation"), max_length=limits.MIRROR_ADDRESS)
    key = models.CharField(max_length=limits.MIRROR_NONCE)
    secret = models.CharField(max_length=limits.MIRROR_SECRET)

    class Meta:
        verbose_name = _("federation to which events are handed in")
        verbose_name_plural = _("federations to which events are handed in")

    def __str__(self) -> str:
        return self.address


class HandIn(models.Model):
    """How a club's event stands with the federation, as this last said. Written by `hand_in.operations`, past the
    journal: it is the federation's word. `revision` is the tournament's when it was handed in."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hand_in")
    federation = models.CharField(max_length=limits.NAME)
    state = models.CharField(max_length=10, choices=HandInState.choices)
    question = models.CharField(_("question"), max_length=limits.HAND_IN_QUESTION, blank=True)
    revision = models.PositiveBigIntegerField()
    sent_at = models.DateTimeField()
    heard_at = models.DateTimeField()

    class Meta:
        verbose_name = _("event at the federation")
        verbose_name_plural = _("events at the federation")
        constraints = [
            models.CheckConstraint(condition=Q(state__in=HandInState.values), name="hand_in_answer_known"),
        ]

    def __str__(self) -> str:
        return self.federation
