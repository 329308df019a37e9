"""The hall: its screens and what they show, the round clock, and messages to everybody."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models.choices import UnnamedRow, make_range_condition, make_range_constraint
from tournament.models.event import Division, Tournament


class Hall(UnnamedRow):
    """The clock, the messages and the ceremony of a hall, stored at the first change. Written by `hall.operations`. The
    clock runs until `clock_ends`, or stands with `clock_left` seconds; one of the two is None. What is typed of a game
    in progress is public only after `stream_delay` minutes."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hall")
    clock_seconds = models.PositiveSmallIntegerField(_("time of the round in seconds"), default=3600)
    clock_left = models.PositiveSmallIntegerField(_("seconds left"), null=True, blank=True, default=3600)
    clock_ends = models.DateTimeField(_("ends at"), null=True, blank=True)
    clock_sounds = models.BooleanField(_("with a sound"), default=False)
    message = models.CharField(_("announcement"), max_length=limits.MESSAGE, blank=True)
    message_covers = models.BooleanField(_("instead of everything else"), default=False)
    countdown_to = models.DateTimeField(_("counts down to"), null=True, blank=True)
    countdown_for = models.CharField(_("what begins then"), max_length=limits.MESSAGE, blank=True)
    ceremony_slide = models.PositiveSmallIntegerField(_("slide of the ceremony"), default=0)
    ceremony_key = models.CharField(_("what the slide is of"), max_length=limits.SLIDE_KEY, default="", blank=True)
    ceremony_runs = models.BooleanField(_("the slides follow by themselves"), default=False)
    ceremony_skipped = models.JSONField(_("slides left out"), default=list, blank=True)
    thanks = models.CharField(_("thanks at the end"), max_length=limits.MESSAGE, blank=True)
    stream_delay = models.PositiveSmallIntegerField(_("minutes by which streamed boards are late"), default=0)
    depth = models.PositiveSmallIntegerField(_("depth of the hall in metres"), null=True, blank=True)

    class Meta:
        verbose_name = _("hall")
        verbose_name_plural = _("halls")
        constraints = [
            make_range_constraint("hall_clock_in_range", limits.CLOCK, "clock_seconds"),
            make_range_constraint("hall_slide_in_range", limits.SLIDE, "ceremony_slide"),
            make_range_constraint("hall_stream_delay_in_range", limits.STREAM_DELAY, "stream_delay"),
            make_range_constraint("hall_depth_in_range", limits.HALL_DEPTH, "depth"),
            models.CheckConstraint(
                # One of the two, and never both: a clock that runs has no seconds left of its own, they follow from its
                # end.
                condition=Q(clock_left__isnull=True, clock_ends__isnull=False)
                | Q(clock_left__isnull=False, clock_ends__isnull=True)
                & make_range_condition(limits.CLOCK_LEFT, "clock_left"),
                name="hall_clock_runs_or_stands",
            ),
        ]

    def leaves_out(self, slide: int, *, is_pause: bool) -> bool:
        """Whether the ceremony passes over a slide; the pause before a slide goes with it."""
        # True is 1: a pause stands just before the slide that it belongs to.
        return slide + is_pause in self.ceremony_skipped

    @property
    def clock_runs(self) -> bool:
        """Whether the clock counts down, or has run out."""
        return self.clock_ends is not None

    @property
    def clock_is_begun(self) -> bool:
        """Whether the clock was started and not reset."""
        return self.clock_runs or self.clock_left != self.clock_seconds

    def left_at(self, now: datetime) -> int:
        """The seconds left at a moment; within the limits even if the machine's clock was put back."""
        if self.clock_ends is None:
            return self.clock_left or 0
        # After the machine's own clock was put back it held more seconds than it may, and the button answered 500.
        return limits.CLOCK_LEFT.nearest(round((self.clock_ends - now).total_seconds()))


class StreamedTable(UnnamedRow):
    """A table whose board everybody may see as it is typed, for a stream. Written by `hall.operations`."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="streamed_tables")
    table = models.PositiveSmallIntegerField(_("table"))

    class Meta:
        verbose_name = _("streamed table")
        verbose_name_plural = _("streamed tables")
        constraints = [
            models.UniqueConstraint(fields=["division", "table"], name="streamed_table_once"),
            make_range_constraint("streamed_table_in_range", limits.TABLE, "table"),
        ]


class ScreenQuerySet(models.QuerySet["Screen"]):
    def in_order(self) -> Self:
        return self.order_by("number", "pk")


class Screen(UnnamedRow):
    """A projector, television or tablet by its `number`. Written by `hall.operations`. `division` None: all in turn.
    `turns` are what it shows in turn, each with the seconds a page stays; `seconds` is the same for anything else. A
    tournament without rows has one screen (`list_screens`)."""

    class Shows(models.TextChoices):
        PAIRINGS = "pairings", _("Pairings")
        NAMES = "names", _("By name")
        TABLE = "table", _("Standings")
        BRACKET = "bracket", _("Knock-out")
        TEAMS = "teams", _("Teams")
        STATISTICS = "statistics", _("Statistics")
        DUPLICATE = "duplicate", _("Duplicate board")
        ROUND_PLAY = "round_play", _("Play of the round")
        CLOCK = "clock", _("Clock")
        COUNTDOWN = "countdown", _("Countdown")
        IN_TURN = "in_turn", _("Rotation")
        DAY = "day", _("Automatic")
        CEREMONY = "ceremony", _("Ceremony")
        NOTHING = "nothing", _("Black")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="screens")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=limits.SCREEN_NAME, blank=True)
    shows = models.CharField(_("shows"), max_length=20, choices=Shows.choices, default=Shows.PAIRINGS)
    division = models.ForeignKey(
        Division, verbose_name=_("division"), null=True, blank=True, on_delete=models.PROTECT, related_name="screens"
    )
    turns = models.JSONField(_("rotation"), default=list, blank=True)
    seconds = models.PositiveSmallIntegerField(_("seconds a page"), default=12)
    is_paused = models.BooleanField(_("pages stand"), default=False)
    is_light = models.BooleanField(_("dark letters on a light ground"), default=False)

    is_large = models.BooleanField(_("larger letters, more pages"), default=False)
    height = models.PositiveSmallIntegerField(_("height of the picture in millimetres"), null=True, blank=True)

    objects = ScreenQuerySet.as_manager()

    class Meta:
        verbose_name = _("screen")
        verbose_name_plural = _("screens")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="screen_number_once"),
            make_range_constraint("screen_number_in_range", limits.SCREEN, "number"),
            make_range_constraint("screen_seconds_in_range", limits.PAGE_SECONDS, "seconds"),
            make_range_constraint("screen_height_in_range", limits.GLASS_HEIGHT, "height"),
        ]

    @property
    def shown(self) -> "list[tuple[Screen.Shows, int]]":
        """What it shows in turn, each with the seconds a page stays."""
        if self.shows != self.Shows.IN_TURN:
            return [(self.Shows(self.shows), self.seconds)]
        return [(self.Shows(name), seconds) for name, seconds in self.turns]

    @property
    def shows_ceremony(self) -> bool:
        """Whether it shows the ceremony, perhaps among others."""
        return any(shows == self.Shows.CEREMONY for shows, _seconds in self.shown)
