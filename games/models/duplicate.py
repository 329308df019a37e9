"""A duplicate session as it was noted: turns, slips, master words, later corrections. All else follows from these."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from scoring import rulesets
from scoring.board import RACK_SIZE
from tournament.basics import limits as event_limits
from tournament.basics.limits import AUTHOR_NAME
from tournament.models import Division, Entry
from tournament.models.choices import make_range_condition


class DuplicateSession(models.Model):
    """All play alone against the same draws. Written by `games.duplicate.operations`; points are derived.

    `words` is the title of the list that slips are judged by; without one every word stands unless the jury refuses it.
    `seed` is what the program draws from. `stopped` says why the director ended it before the rules did. `sealed`: the
    draws were fixed beforehand (`Envelope` as an object); `code` opens all of it, "" where each turn is
    opened by its own. `twice`: slips are typed a second time by somebody else.
    """

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="duplicate")
    letters = models.CharField(_("letter set"), max_length=2)
    max_turns = models.PositiveSmallIntegerField(_("turns at most"))
    seconds = models.PositiveSmallIntegerField(_("seconds a turn"))
    words = models.CharField(_("word list"), max_length=limits.LIST_TITLE, blank=True)
    seed = models.PositiveIntegerField(_("seed"), default=0)
    stopped = models.CharField(_("ended because"), max_length=limits.WHY, blank=True)
    sealed = models.JSONField(_("fixed beforehand"), null=True, blank=True, encoder=DjangoJSONEncoder)
    code = models.CharField(_("opening code"), max_length=event_limits.CODE, blank=True)
    twice = models.BooleanField(_("slips are typed twice"), default=False)

    class Meta:
        verbose_name = _("duplicate session")
        verbose_name_plural = _("duplicate sessions")
        constraints = [
            models.CheckConstraint(
                condition=make_range_condition(event_limits.DUPLICATE_TURNS, "max_turns")
                & make_range_condition(event_limits.TURN_SECONDS, "seconds"),
                name="duplicate_figures_in_range",
            )
        ]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.letters}"

    @property
    def writing_seconds(self) -> int:
        """Seconds before the end of a turn at which its signal sounds (reads `division__tournament`)."""
        return (self.division.tournament.rules.duplicate or rulesets.DuplicateRules()).writing_seconds


class DuplicateTurn(models.Model):
    """A turn of a session. `redrawn` are draws that were put back before `draw`, in their order.

    `master_word` is what was laid on every board, "" if nothing was; `reason` says why it is another word than the
    rules propose. `started_at`: when the clock was started, None while it stands. `code` opened a turn that was sealed.
    """

    session = models.ForeignKey(DuplicateSession, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField(_("turn"))
    draw = models.CharField(_("draw"), max_length=RACK_SIZE)
    redrawn = models.JSONField(_("put back"), default=list, blank=True, encoder=DjangoJSONEncoder)
    started_at = models.DateTimeField(_("clock started at"), null=True, blank=True)
    is_closed = models.BooleanField(_("closed"), default=False)
    master_position = models.CharField(_("position"), max_length=limits.POSITION, blank=True)
    master_word = models.CharField(_("word"), max_length=limits.LINE_WORD, blank=True)
    reason = models.CharField(_("reason"), max_length=limits.REASON, blank=True)
    code = models.CharField(_("code"), max_length=event_limits.CODE, blank=True)

    class Meta:
        verbose_name = _("turn of a session")
        verbose_name_plural = _("turns of sessions")
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="duplicate_turn_once"),
            models.UniqueConstraint(fields=["session"], condition=Q(is_closed=False), name="duplicate_one_turn_open"),
            models.CheckConstraint(
                condition=make_range_condition(event_limits.DUPLICATE_TURNS, "number"), name="duplicate_turn_in_range"
            ),
            models.CheckConstraint(
                condition=Q(is_closed=True) | Q(master_position="", master_word=""), name="duplicate_master_closes"
            ),
            models.CheckConstraint(
                condition=Q(master_position="", master_word="") | ~Q(master_position="") & ~Q(master_word=""),
                name="duplicate_master_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} – {self.number}"


class DuplicateSlip(models.Model):
    """What a player handed in for a turn, as it is written; None for what is not. `refused`: the jury refuses the word.

    `version` is raised by every change, so that two helpers who type the same player's slip notice each other. `by`
    typed it last.
    """

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="slips")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="duplicate_slips")
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION, null=True, blank=True)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD, null=True, blank=True)
    claimed = models.SmallIntegerField(_("points claimed"), null=True, blank=True)
    late = models.BooleanField(_("late"), default=False)
    refused = models.BooleanField(_("refused by the jury"), default=False)
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("slip")
        verbose_name_plural = _("slips")
        constraints = [
            models.UniqueConstraint(fields=["turn", "entry"], name="duplicate_slip_once"),
            models.CheckConstraint(
                condition=make_range_condition(event_limits.CLAIMED_POINTS, "claimed"), name="duplicate_claim_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}"


class SecondReading(models.Model):
    """The same slip typed once more by somebody else, who has not seen the first. Where the two differ, somebody
    settles it from the paper: the slip says so then, and so does this. `by` typed it."""

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="second_readings")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="second_readings")
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION, null=True, blank=True)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD, null=True, blank=True)
    claimed = models.SmallIntegerField(_("points claimed"), null=True, blank=True)
    late = models.BooleanField(_("late"), default=False)
    missing = models.BooleanField(_("no slip there"), default=False)
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("second reading of a slip")
        verbose_name_plural = _("second readings of slips")
        constraints = [
            models.UniqueConstraint(fields=["turn", "entry"], name="second_reading_once"),
            models.CheckConstraint(
                condition=make_range_condition(event_limits.CLAIMED_POINTS, "claimed"),
                name="second_reading_claim_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}"


class DuplicateCorrection(models.Model):
    """What a player's slip scores after it was judged anew, and why; of several the last one counts. It is public.

    `alone`: it is about this piece of paper (it was typed wrongly), not about the word, so others with the same word
    keep theirs.
    """

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="corrections")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="duplicate_corrections")
    points = models.PositiveSmallIntegerField(_("points"))
    why = models.CharField(_("reason"), max_length=limits.WHY)
    on = models.DateField(_("day"))
    alone = models.BooleanField(_("this slip alone"), default=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="duplicate_corrections"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)

    class Meta:
        verbose_name = _("correction of a slip")
        verbose_name_plural = _("corrections of slips")
        constraints = [
            models.CheckConstraint(
                condition=make_range_condition(event_limits.SLIP_POINTS, "points"), name="duplicate_correction_in_range"
            )
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}: {self.points}"


# A duplicate session that is fixed beforehand for several clubs, and what the clubs send back.


class PreparedSession(models.Model):
    """A session as its organiser fixes it. Written by `games.sealed.operations`.

    `turns` is a line a turn: the draw, and the master word where `masters` are fixed. Once it is sealed, `envelope`
    (`Envelope` as an object) is what the clubs are sent, and `code` opens it.
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
                condition=make_range_condition(event_limits.DUPLICATE_TURNS, "max_turns")
                & make_range_condition(event_limits.TURN_SECONDS, "seconds"),
                name="prepared_figures_in_range",
            )
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
            models.CheckConstraint(
                condition=make_range_condition(event_limits.DUPLICATE_TURNS, "turn"), name="ruling_turn_in_range"
            ),
            models.CheckConstraint(
                condition=make_range_condition(event_limits.SLIP_POINTS, "points"), name="ruling_points_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prepared_id} – {self.turn}: {self.word}"
