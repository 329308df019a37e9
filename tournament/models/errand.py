"""What is still to be done beside the database because of something that was committed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.choices import UnnamedRow


class Errand(UnnamedRow):
    """Written by `core.errands` in the same transaction as what it follows on, past the journal, and deleted when it is
    done: a crash in between is only a delay. `details` never name a person, since backups keep them."""

    kind = models.CharField(max_length=limits.WORD)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("errand")
        verbose_name_plural = _("errands")
