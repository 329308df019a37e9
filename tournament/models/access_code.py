"""Codes that let somebody without an account work at one tournament, and the device that each was opened on."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models.event import Tournament
from tournament.models.organiser import Role

BY_CODE = (Role.HELPER, Role.REFEREE)
"""The roles that a code can give."""


class AccessCode(models.Model):
    """Lets one device work at a tournament until it ends. Written by `operations.access_codes`.

    The code itself is shown once and not stored: `digest` is what the installation's key makes of it. `tables` are
    pairs of a first and a last table, both included; an empty list is every table. An event read in twice has its codes
    twice: the newest counts.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="access_codes")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    name = models.CharField(_("for whom"), max_length=limits.BY_NAME)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    digest = models.CharField(max_length=64, db_index=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("access code")
        verbose_name_plural = _("access codes")
        constraints = [
            models.CheckConstraint(condition=Q(role__in=[role.value for role in BY_CODE]), name="access_code_role"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(digest=""), name="access_code_has_name"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.name}"

    def holds(self, table: int | None) -> bool:
        """Whether the code is for this table; a code for some tables is for no pairing without one."""
        if not self.tables:
            return True
        return table is not None and any(first <= table <= last for first, last in self.tables)


class CodeDevice(models.Model):
    """The one browser that a code was opened in. No part of the journal: like a session, it is nobody's record."""

    code = models.OneToOneField(AccessCode, on_delete=models.CASCADE, related_name="device")
    digest = models.CharField(max_length=64)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("device of an access code")
        verbose_name_plural = _("devices of access codes")

    def __str__(self) -> str:
        return f"{self.code_id}"
