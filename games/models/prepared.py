"""A duplicate session that is fixed beforehand for several clubs, and what the clubs send back."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import limits
from tournament import limits as event_limits
from tournament.models import Division
from tournament.models.constraints import within


class PreparedSession(models.Model):
    """A session as its organiser fixes it. Written by `games.sealed.operations`.

    `turns` is a line a turn: the draw, and the master word where `masters` are fixed. Once it is sealed, `envelope`
    (`scoring.sealed.Envelope` as an object) is what the clubs are sent, and `code` opens it.
    """

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="prepared")
    name = models.CharField(_("name"), max_length=event_limits.SEALED_NAME)
    letters = models.CharField(_("letter set"), max_length=2)
    max_turns = models.PositiveSmallIntegerField(_("turns at most"))
    seconds = models.PositiveSmallIntegerField(_("seconds a turn"))
    words = models.CharField(_("word list"), max_length=limits.LIST_TITLE, blank=True)
    seed = models.PositiveIntegerField(_("seed"), default=0)
    masters = models.BooleanField(_("master words fixed"), default=True)
    turns = models.TextField(_("turns"), blank=True)
    envelope = models.JSONField(_("sealed"), null=True, blank=True, encoder=DjangoJSONEncoder)
    code = models.CharField(_("opening code"), max_length=event_limits.CODE, blank=True)

    class Meta:
        verbose_name = _("prepared session")
        verbose_name_plural = _("prepared sessions")
        constraints = [
            models.CheckConstraint(
                condition=within(event_limits.DUPLICATE_TURNS, "max_turns")
                & within(event_limits.TURN_SECONDS, "seconds"),
                name="prepared_figures_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.name}"


class JoinedClub(models.Model):
    """What a club has sent back: its tournament file, as `text`. `hash` is that of the file's content."""

    prepared = models.ForeignKey(PreparedSession, on_delete=models.CASCADE, related_name="clubs")
    name = models.CharField(_("club"), max_length=limits.CLUB_NAME)
    hash = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        verbose_name = _("club of a prepared session")
        verbose_name_plural = _("clubs of prepared sessions")
        constraints = [models.UniqueConstraint(fields=["prepared", "name"], name="joined_club_once")]

    def __str__(self) -> str:
        return f"{self.prepared_id} – {self.name}"


class Ruling(models.Model):
    """What the same slip scores in every club where they have judged it differently, and why."""

    prepared = models.ForeignKey(PreparedSession, on_delete=models.CASCADE, related_name="rulings")
    turn = models.PositiveSmallIntegerField(_("turn"))
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD)
    points = models.PositiveSmallIntegerField(_("points"))
    why = models.CharField(_("reason"), max_length=limits.WHY)

    class Meta:
        verbose_name = _("ruling for all clubs")
        verbose_name_plural = _("rulings for all clubs")
        constraints = [
            models.UniqueConstraint(fields=["prepared", "turn", "position", "word"], name="ruling_once"),
            models.CheckConstraint(condition=within(event_limits.DUPLICATE_TURNS, "turn"), name="ruling_turn_in_range"),
            models.CheckConstraint(condition=within(event_limits.SLIP_POINTS, "points"), name="ruling_points_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.prepared_id} – {self.turn}: {self.word}"
