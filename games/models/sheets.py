"""Score sheets as they were written: each player's own, or one that somebody kept for both."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from scoring.sheet_values import LineKind
from tournament.basics.limits import AUTHOR_NAME, FILE_NAME, OVERTIME
from tournament.models import Pairing
from tournament.models.choices import make_range_condition
from tournament.models.play import SIDE_CHOICES


class Scoresheet(models.Model):
    """One written record of a game. Written by `games.sheets.operations`; points are derived from its lines.

    None in a figure means: not written down. `*_left` are the tiles a player held at the end ("" none, None unknown),
    `*_settlement` what the sheet says they came to, `*_final` the final score that the sheet claims. `agreed`: the
    players settled on this one, and its result is official. `is_public`: anyone may step through the game,
    and with `shows_best` they see what could have been laid, too.
    """

    class Keeper(models.TextChoices):
        FIRST = "first", _("First player")
        SECOND = "second", _("Second player")
        OTHER = "other", _("Somebody else")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="scoresheets")
    keeper = models.CharField(_("kept by"), max_length=10, choices=Keeper.choices)
    version = models.PositiveIntegerField(default=1)
    """Raised by every change, so that two people who write on one sheet notice each other."""
    first_drawn = models.CharField(max_length=1, blank=True)
    second_drawn = models.CharField(max_length=1, blank=True)
    """The letters drawn for the start, `?` for a blank; both or neither are written down."""
    first_left = models.CharField(max_length=limits.RACK, null=True, blank=True)
    second_left = models.CharField(max_length=limits.RACK, null=True, blank=True)
    first_settlement = models.SmallIntegerField(null=True, blank=True)
    second_settlement = models.SmallIntegerField(null=True, blank=True)
    first_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    second_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    first_seconds = models.PositiveIntegerField(null=True, blank=True)
    second_seconds = models.PositiveIntegerField(null=True, blank=True)
    first_final = models.SmallIntegerField(null=True, blank=True)
    second_final = models.SmallIntegerField(null=True, blank=True)
    is_finished = models.BooleanField(_("the game is over"), default=False)
    agreed = models.BooleanField(_("agreed"), default=False)
    is_public = models.BooleanField(_("public"), default=False)
    shows_best = models.BooleanField(_("best plays are shown"), default=False)
    note = models.CharField(_("note"), max_length=limits.SHEET_NOTE, blank=True)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "keeper"], name="scoresheet_keeper_once"),
            models.UniqueConstraint(fields=["pairing"], condition=Q(agreed=True), name="scoresheet_one_agreed"),
            models.CheckConstraint(
                condition=make_range_condition(OVERTIME, "first_overtime", "second_overtime"),
                name="scoresheet_overtime_in_range",
            ),
            models.CheckConstraint(
                condition=Q(first_drawn="", second_drawn="") | ~Q(first_drawn="") & ~Q(second_drawn=""),
                name="scoresheet_both_drew",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.keeper}"


class Line(models.Model):
    """One line of a score sheet, in order of `number`: a turn, or penalty points between two turns.

    `position` and `word` are one play in `scoring.board`'s text form (“8H”, “ABeR”); `rack` and `tiles` (exchanged)
    are letters, “?” for a blank. `points` is what the sheet says, None where nothing is written.
    """

    class Kind(models.TextChoices):
        PLAY = LineKind.PLAY.value, _("Play")
        EXCHANGE = LineKind.EXCHANGE.value, _("Exchange")
        PASS = LineKind.PASS.value, _("Pass")
        WITHDRAWN = LineKind.WITHDRAWN.value, _("Play withdrawn")
        CHALLENGE = LineKind.CHALLENGE.value, _("Failed challenge")
        PENALTY = LineKind.PENALTY.value, _("Penalty points")

    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=SIDE_CHOICES)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    position = models.CharField(max_length=limits.POSITION, blank=True)
    word = models.CharField(max_length=limits.LINE_WORD, blank=True)
    rack = models.CharField(max_length=limits.RACK, blank=True)
    tiles = models.CharField(max_length=limits.RACK, blank=True)
    words = models.PositiveSmallIntegerField(default=0)
    """How many challenged words were good (a failed challenge), else 0."""
    jury = models.BooleanField(_("the jury was asked"), default=False)
    """Before this turn, because the player saw no word: it let an exchange be made, or refused one (SBNL)."""
    points = models.SmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=limits.LINE_NOTE, blank=True)

    class Meta:
        verbose_name = _("line of a score sheet")
        verbose_name_plural = _("lines of score sheets")
        constraints = [
            models.UniqueConstraint(fields=["scoresheet", "number"], name="line_number_once"),
            models.CheckConstraint(condition=make_range_condition(limits.LINES, "number"), name="line_number_in_range"),
            models.CheckConstraint(condition=Q(side__in=[1, 2]), name="line_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.scoresheet_id} – {self.number}"


class Photo(models.Model):
    """A picture of the paper sheets of a game, kept in the data folder under a name that the program chose."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="photos")
    name = models.CharField(_("file"), max_length=FILE_NAME, unique=True)
    """The file's name in the uploads folder; never what the sender called it."""
    content_type = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="photos"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("photo")
        verbose_name_plural = _("photos")

    def __str__(self) -> str:
        return self.name
