"""An event shown elsewhere: links by which a hosted installation takes one, and where a laptop sends its own."""

import json
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.event import Tournament
from tournament.models.organiser import Organiser

SILENT_AFTER = timedelta(seconds=60)
"""How long a hall may be silent before the mirror says so; a laptop sends a sign of life three times as often."""


class MirrorLink(models.Model):
    """A link by which one event may be sent here from a laptop. Written past the journal: what is sent has its journal
    in the hall. Only `mirror.receiving` does so, and `registration.forgetting`. The secret follows from `nonce` and the
    installation's key. `sender` is the laptop's installation, `revision` the number of its last message, `state` the
    last public state, compressed. `stand_at` is its moment in the hall; `players` are the people in the register whom
    nobody but the mirror made."""

    SECRET_SALT = "tournament.mirror"

    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="mirror_links")
    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="mirror_link"
    )
    name = models.CharField(_("for which event"), max_length=limits.NAME)
    nonce = models.CharField(max_length=limits.MIRROR_NONCE, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    sender = models.CharField(max_length=limits.MIRROR_NONCE, blank=True)
    revision = models.BigIntegerField(default=0)
    heard_at = models.DateTimeField(null=True, blank=True)
    stand_at = models.DateTimeField(null=True, blank=True)
    rival_at = models.DateTimeField(null=True, blank=True)
    runs = models.BooleanField(default=False)
    state = models.BinaryField(default=bytes)
    players = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("link of a mirror")
        verbose_name_plural = _("links of mirrors")

    def __str__(self) -> str:
        return self.name

    def load_part(self, name: str) -> Any:
        """A part of the last public state; {} if it has none. One query where `state` is deferred."""
        # Not within a limit as what comes in is: this state was unpacked once when it was taken.
        return json.loads(zlib.decompress(self.state))["parts"].get(name, {}) if self.state else {}

    def rewrite_state(self, rewrite: Callable[[Any], Any]) -> None:
        """Save the last public state as `rewrite` makes it."""
        state = json.loads(zlib.decompress(self.state))
        # Not saved where nothing changes: whoever is forgotten may be in one of fifty mirrored events.
        if (rewritten := rewrite(state)) != state:
            self.state = zlib.compress(json.dumps(rewritten, ensure_ascii=False).encode())
            self.save(update_fields=["state"])

    def is_silent(self, now: datetime | None = None) -> bool:
        """Whether the laptop should have said something by now and has not."""
        # A laptop that rests has said so before: only one that runs is missed.
        return self.runs and self.heard_at is not None and (now or timezone.now()) - self.heard_at > SILENT_AFTER


class MirrorTarget(models.Model):
    """Where a laptop sends an event. Written by `mirror.operations`, past the journal, which would keep the secret and
    put it into every archive. `key` names the link there. `name` outlives the tournament, so that its deletion can
    still be sent. `takes_over`: the director has decided that this laptop sends, not another one."""

    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="mirror_target"
    )
    name = models.CharField(max_length=limits.NAME)
    address = models.URLField(_("address of the mirror"), max_length=limits.MIRROR_ADDRESS)
    key = models.CharField(max_length=limits.MIRROR_NONCE)
    secret = models.CharField(max_length=limits.MIRROR_SECRET)
    is_paused = models.BooleanField(default=False)
    is_forgotten = models.BooleanField(default=False)
    takes_over = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("mirror of an event")
        verbose_name_plural = _("mirrors of events")

    def __str__(self) -> str:
        return f"{self.name}: {self.address}"


class WebsiteFolder(models.Model):
    """The folder in which the website of an event is kept up to date. Written by `mirror.operations`, past the journal:
    a path belongs to this machine alone."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="website_folder")
    path = models.CharField(_("folder"), max_length=limits.FOLDER_PATH)
    is_paused = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("folder of a website")
        verbose_name_plural = _("folders of websites")

    def __str__(self) -> str:
        return self.path
