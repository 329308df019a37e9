"""The journal: what was done, by whom, and the rows before and after."""

from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.event import Tournament
from tournament.models.organiser import Organiser


class JournalEntry(models.Model):
    """One operation. Append-only; written by `core.change` alone.

    `details` is what the director reads (table, round, scores …); `rows` are all rows written, as
    `[table, primary key, before, after]`, with before None for a new row and after None for a deleted one.

    An entry belongs to a tournament or, if it changed the register, to an organiser; each numbers its own without gaps.
    The entries of a deleted tournament belong to neither.
    """

    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="journal")
    deleted_tournament = models.PositiveBigIntegerField(null=True, editable=False, db_index=True)
    """The primary key of its tournament, once that is deleted."""
    organiser = models.ForeignKey(Organiser, null=True, on_delete=models.PROTECT, related_name="journal")
    number = models.PositiveIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="journal_entries"
    )
    by_name = models.CharField(_("who"), max_length=limits.AUTHOR_NAME)
    verb = models.CharField(_("what"), max_length=limits.WORD)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    rows = models.JSONField(default=list, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="journal_number_once"),
            models.UniqueConstraint(fields=["organiser", "number"], name="journal_register_number_once"),
            models.CheckConstraint(
                condition=Q(tournament__isnull=True) | Q(organiser__isnull=True), name="journal_of_one_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.verb}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise RuntimeError("The journal is never rewritten.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise RuntimeError("The journal never loses a line.")
