"""Photos of players."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models.event import Entry


class Portrait(models.Model):
    """A photo of a player for the ceremony of one event, kept in the data folder under a name that the program chose.

    Written by `operations.portraits`.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="portrait")
    name = models.CharField(_("file"), max_length=limits.FILE_NAME, unique=True)
    """The file's name in the uploads folder; never what the sender called it."""
    content_type = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("photo of a player")
        verbose_name_plural = _("photos of players")

    def __str__(self) -> str:
        return self.name
