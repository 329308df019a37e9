"""Browsers that are told of an event's news by their maker's push service."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.choices import UnnamedRow
from tournament.models.event import Tournament


class PushSubscription(UnnamedRow):
    """A browser that wants to be told of players at one event, without an account. Written by `push.operations`, past
    the journal: it is nobody's record, and must go when its owner says so. `follows` names players and clubs as an
    address has them; `told` are the keys of the news that it knows, `seen` the public state for which all was told.
    `due_at`: when a message that could not be sent is tried again. `origin` is the same for all browsers behind one
    address, and says nothing of it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=limits.PUSH_ENDPOINT)
    p256dh = models.CharField(max_length=limits.PUSH_KEY)
    auth = models.CharField(max_length=limits.PUSH_KEY)
    language = models.CharField(max_length=limits.LANGUAGE_CODE)
    follows = models.JSONField(default=list)
    told = models.JSONField(default=list, blank=True)
    seen = models.CharField(max_length=limits.WORD, blank=True)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    origin = models.CharField(max_length=limits.ORIGIN, blank=True)

    class Meta:
        verbose_name = _("browser that is told of news")
        verbose_name_plural = _("browsers that are told of news")
        constraints = [models.UniqueConstraint(fields=["tournament", "endpoint"], name="push_subscription_once")]
