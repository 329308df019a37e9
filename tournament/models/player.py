"""An organiser's register: players and their clubs."""

from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text, make_search_key
from tournament.models.choices import make_range_constraint
from tournament.models.organiser import Organiser


class Club(models.Model):
    """A player's home club. Made by `entries.operations.register`."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="clubs")
    name = models.CharField(_("name"), max_length=limits.CLUB)
    sort_name = models.CharField(max_length=limits.folded_length(limits.CLUB), editable=False, db_index=True)
    search_name = models.CharField(max_length=limits.search_length(limits.CLUB), editable=False)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints = [models.UniqueConstraint(fields=["organiser", "name"], name="club_named_once")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.sort_name = fold_text(self.name)
        self.search_name = make_search_key(self.name)
        super().save(*args, **kwargs)


class PlayerQuerySet(models.QuerySet["Player"]):
    def search(self, text: str) -> Self:
        """Players whose name or club contains each word of `text`; umlauts and case do not matter."""
        found = self
        for word in fold_text(text).split():
            found = found.filter(Q(search_name__contains=word) | Q(club__search_name__contains=word))
        return found

    def by_name(self) -> Self:
        return self.order_by("sort_name", "pk")


class Player(models.Model):
    """A person in the register, in no tournament yet. Written by `entries.operations.register`."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(_("name"), max_length=limits.PLAYER_NAME, help_text=_("Surname, given name"))
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.SET_NULL, related_name="players"
    )
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    games = models.PositiveIntegerField(_("lifetime games"), default=0)
    email = models.EmailField(_("e-mail"), blank=True)
    sort_name = models.CharField(max_length=limits.folded_length(limits.PLAYER_NAME), editable=False, db_index=True)
    search_name = models.CharField(max_length=limits.search_length(limits.PLAYER_NAME), editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="player_has_name"),
            make_range_constraint("player_rating_in_range", limits.RATING, "rating"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.sort_name = fold_text(self.name)
        self.search_name = make_search_key(self.name)
        super().save(*args, **kwargs)
