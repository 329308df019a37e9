"""Play: rounds, who meets whom, and the versions of each result."""

from datetime import date
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring import awards, standings
from scoring.awards import AwardReason, Outcome
from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, ShowingStep, ShowingTime, parse_showing_time
from tournament.models.choices import (
    AWARD_REASON_LABELS,
    METHOD_LABELS,
    OUTCOME_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_condition,
    make_range_constraint,
)
from tournament.models.event import Division, Entry, prefetch_entries
from tournament.pairing.lots import find_seed_tiles
from tournament.pairing.values import Method

KNOCKOUT_FROM, KNOCKOUT_STEP = 1000, 100  # rounds of the knock-out are numbered 1101, 1102 … 1201 …: stage and game


class RoundState(models.TextChoices):
    """How far a round has come."""

    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")
    CLOSED = "closed", _("closed")


class PairingKind(models.TextChoices):
    """A game, or what a player without an opponent has instead."""

    GAME = "game", _("Game")
    BYE = Outcome.BYE.value, _("Bye")
    ABSENT = Outcome.ABSENT.value, _("Absent")

    @classmethod
    def of(cls, outcome: Outcome) -> "PairingKind":
        """The kind of pairing that has this outcome."""
        return cls(outcome.value) if outcome in awards.OUTCOMES_WITHOUT_OPPONENT else cls.GAME


KINDS_WITHOUT_OPPONENT = [kind.value for kind in PairingKind if kind != PairingKind.GAME]


SIDES = ("first", "second")
"""The players of a pairing as columns, form fields and files name them; the starter comes first."""

SIDE_CHOICES = [(1, _("first")), (2, _("second"))]


class RoundQuerySet(models.QuerySet["Round"]):
    def public(self) -> Self:
        """Published and closed rounds."""
        return self.exclude(state=Round.State.DRAFT)

    def league(self) -> Self:
        """The rounds that the table counts: not those of the knock-out."""
        return self.filter(stage=None)

    def holding_back(self) -> Self:
        """The public rounds that do not show everything at once."""
        # In one `exclude`: it leaves out rounds in which all three are seen at once. One after the other would leave
        # out those in which any is.
        return self.public().exclude(**{step.column: SHOWN_AT_ONCE for step in SHOWING_STEPS})

    def in_order(self) -> Self:
        return self.order_by("number", "pk")


class Round(UnnamedRow):
    """A round of a division. Drafted by `rounds.drafts`, published and closed by `rounds.operations`. A knock-out
    round, written by `knockout.operations` alone and counted by no table, has a `stage` (1 is played first) and a
    `game` (its number within each match), from which its number follows.
    By `due_on` its games are played, in a league over weeks (`rounds.due_days`).
    `showing` is the tournament's rule at publication, unless `rounds.operations` changed it since
    (`core.public_view`)."""

    State = RoundState

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    stage = models.PositiveSmallIntegerField(_("stage"), null=True, blank=True)
    game = models.PositiveSmallIntegerField(_("game"), null=True, blank=True)
    method = models.CharField(
        _("method"), max_length=20, choices=make_choices(METHOD_LABELS), default=Method.MANUAL.value
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    # Signed and of 64 bits: seven tiles of the bag are stored as a number, too.
    seed = models.BigIntegerField(_("seed"), default=0)
    based_on = models.PositiveSmallIntegerField(_("on the table after round"), null=True, blank=True)
    repeats = models.BooleanField(_("repeats allowed"), default=False)
    repeats_after = models.PositiveSmallIntegerField(_("rounds between repeats"), default=0)
    groups = models.JSONField(default=list, blank=True)
    notes = models.JSONField(default=list, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    due_on = models.DateField(_("to be played by"), null=True, blank=True)
    pairings_shown = models.CharField(_("pairings are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    results_shown = models.CharField(_("results are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    table_shown = models.CharField(_("the table is seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)

    objects = RoundQuerySet.as_manager()

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.UniqueConstraint(fields=["division", "number"], name="round_number_once"),
            # Binds the knock-out alone: the league has neither stage nor game, and to the database no empty value
            # equals another.
            models.UniqueConstraint(fields=["division", "stage", "game"], name="round_stage_and_game_once"),
            models.UniqueConstraint(
                fields=["division"], condition=Q(state=RoundState.DRAFT.value), name="round_one_draft"
            ),
            models.CheckConstraint(
                condition=Q(stage__isnull=True, game__isnull=True) & make_range_condition(limits.ROUND, "number")
                # From the hundredth game of a match the numbers of a stage would run into those of the next one.
                | Q(stage__gte=1, game__gte=1, game__lt=KNOCKOUT_STEP, number__gt=KNOCKOUT_FROM),
                name="round_number_in_range",
            ),
            models.CheckConstraint(condition=Q(state__in=RoundState.values), name="round_state_known"),
        ]

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_knockout(self) -> bool:
        return self.stage is not None

    @property
    def tiles(self) -> str:
        """The tiles from the bag that the round was drawn by; "" if it was drawn otherwise."""
        return find_seed_tiles(self.seed)

    def shown(self, step: ShowingStep) -> ShowingTime:
        """When the public first sees this step of the round."""
        return parse_showing_time(getattr(self, step.column))

    @staticmethod
    def knockout_number(stage: int, game: int) -> int:
        """The number of the round that holds game `game` of every match of a stage."""
        return KNOCKOUT_FROM + KNOCKOUT_STEP * stage + game


def prefetch_seats(way: str) -> "models.Prefetch[str]":
    """A prefetch of both seats by the lookup `way`, with entries, names and clubs. Two queries."""
    return models.Prefetch(way, queryset=Seat.objects.prefetch_related(prefetch_entries("entry")).order_by("side"))


ANY_RESULT = Q()


def prefetch_official_results(way: str, seen: Q = ANY_RESULT) -> "models.Prefetch[str]":
    """A prefetch of the official results by the lookup `way` that meet `seen`, for `Pairing.result`."""
    return models.Prefetch(way, queryset=Result.objects.filter(seen, official=True), to_attr="official_results")


class PairingQuerySet(models.QuerySet["Pairing"]):
    def public(self) -> Self:
        """Of published and closed rounds."""
        return self.exclude(round__state=RoundState.DRAFT)

    def with_players(self) -> Self:
        """With both seats, their entries, names and clubs. Two more queries."""
        return self.prefetch_related(prefetch_seats("seats"))

    def with_results(self, seen: Q = ANY_RESULT) -> Self:
        """With the official result, if any, of those that meet `seen`, for `Pairing.result`. One more query."""
        return self.prefetch_related(prefetch_official_results("results", seen))

    def by_table(self) -> Self:
        """By table; byes and absences last."""
        # Said for both databases: SQLite has rows without a table first, PostgreSQL last.
        return self.order_by(models.F("table").asc(nulls_last=True), "pk")


class Pairing(UnnamedRow):
    """Two players at a table, or one without an opponent (bye, absence). Written by `rounds.drafts`. `position` is that
    of a game's match in the bracket, where the match is played at a table with another number. A game of a league may
    be postponed to a day of its own (`due_on`, by `rounds.overdue`); `reminded_at`: when letters about it were last
    posted."""

    Kind = PairingKind

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.GAME)
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    position = models.PositiveSmallIntegerField(_("position"), null=True, blank=True)
    locked = models.BooleanField(_("locked"), default=False)
    due_on = models.DateField(_("postponed to"), null=True, blank=True)
    reminded_at = models.DateTimeField(_("reminded"), null=True, blank=True)
    flags = models.JSONField(default=list, blank=True)
    why = models.JSONField(default=list, blank=True)

    _seated: tuple[Entry, Entry | None] | None = None  # set by `seat_entries`
    is_rated = False  # whether it counts for ratings; set by the report to a federation

    objects = PairingQuerySet.as_manager()

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        constraints = [
            # Of games: byes and absences have no table, and no empty value equals another.
            models.UniqueConstraint(fields=["round", "table"], name="pairing_table_once_a_round"),
            models.CheckConstraint(
                condition=Q(kind=PairingKind.GAME.value, table__gte=1)
                | Q(kind__in=KINDS_WITHOUT_OPPONENT, table__isnull=True),
                name="pairing_game_has_table",
            ),
        ]

    @property
    def match_position(self) -> int | None:
        """Which match of its stage a game of the knock-out belongs to."""
        return self.position or self.table

    @property
    def due_day(self) -> date | None:
        """By when the game is played: its own day, else its round's; None for any time. Fetch `round`."""
        return self.due_on or self.round.due_on

    def seat_entries(self, first: Entry, second: Entry | None) -> None:
        """Say who sits here, from entries read already, instead of `with_players`, which makes a seat and an entry of
        every row."""
        self._seated = first, second

    @property
    def players(self) -> tuple[Entry, ...]:
        """Who sits here, the starter first. Reads the prefetched seats."""
        if self._seated is not None:
            return tuple(entry for entry in self._seated if entry is not None)
        return tuple(seat.entry for seat in self.seats.all())

    @property
    def first(self) -> Entry:
        """The player who starts, or is listed first if the start is drawn. Reads the prefetched seats."""
        if self._seated is not None:
            return self._seated[0]
        return next(seat.entry for seat in self.seats.all() if seat.side == Seat.FIRST)

    @property
    def second(self) -> Entry | None:
        """The opponent; None for a bye or an absence. Reads the prefetched seats."""
        if self._seated is not None:
            return self._seated[1]
        # By the side and not by the place in the list: seats come in order only where somebody has asked for it.
        return next((seat.entry for seat in self.seats.all() if seat.side == Seat.SECOND), None)

    def reason(self, code: str) -> dict[str, Any] | None:
        """The pairing's reason with this code, if it has one."""
        return next((reason for reason in self.why if reason["code"] == code), None)

    @property
    def result(self) -> "Result | None":
        """The official result (fetch `with_results`); None while the game is open."""
        # Raises where nobody has fetched it: with a query here, a page of forty games would make forty.
        results: list[Result] = self.official_results  # type: ignore[attr-defined]  # set by with_results
        return results[0] if results else None


class Seat(UnnamedRow):
    """One player's place in a pairing. It repeats the round, so that the database refuses a player twice."""

    FIRST, SECOND = 1, 2

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    side = models.PositiveSmallIntegerField(choices=SIDE_CHOICES)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="seat_player_once_a_round"),
            models.UniqueConstraint(fields=["pairing", "side"], name="seat_side_once"),
            models.CheckConstraint(condition=Q(side__in=[1, 2]), name="seat_side_known"),
        ]


def _make_side_constraint(name: str, allowed: Range) -> models.CheckConstraint:
    """A constraint that keeps `first_<name>` and `second_<name>` in the range."""
    return make_range_constraint(f"result_{name}_in_range", allowed, *(f"{side}_{name}" for side in SIDES))


class Result(UnnamedRow):
    """One version of a pairing's result, never overwritten: `results.operations` adds one and moves `official`."""

    class How(models.TextChoices):
        TYPED = "typed", _("typed")
        TERMINAL = "terminal", _("terminal")
        SHEET = "sheet", _("score sheet")
        PHONES = "phones", _("phones")
        IMPORT = "import", _("import")
        PAIRING = "pairing", _("with the pairing")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="results")
    version = models.PositiveSmallIntegerField()
    official = models.BooleanField(default=True)
    outcome = models.CharField(max_length=20, choices=make_choices(OUTCOME_LABELS))
    reason = models.CharField(max_length=20, choices=make_choices(AWARD_REASON_LABELS), blank=True)
    second_reason = models.CharField(max_length=20, choices=make_choices(AWARD_REASON_LABELS), blank=True)
    first_points = models.SmallIntegerField(null=True, blank=True)
    second_points = models.SmallIntegerField(null=True, blank=True)
    first_penalty = models.SmallIntegerField(default=0)
    second_penalty = models.SmallIntegerField(default=0)
    penalty_reason = models.CharField(max_length=limits.PENALTY_REASON, blank=True)
    first_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    second_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    first_bingos = models.PositiveSmallIntegerField(null=True, blank=True)
    second_bingos = models.PositiveSmallIntegerField(null=True, blank=True)
    first_moves = models.JSONField(default=list, blank=True)
    second_moves = models.JSONField(default=list, blank=True)
    first_seconds = models.PositiveIntegerField(null=True, blank=True)
    second_seconds = models.PositiveIntegerField(null=True, blank=True)
    spread = models.SmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=limits.NOTE, blank=True)
    how = models.CharField(max_length=10, choices=How.choices, default=How.TYPED)
    why = models.CharField(max_length=limits.WHY, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="results"
    )
    by_name = models.CharField(max_length=limits.AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [
            # Two who save at the same moment: the database lets one through, and the other is asked what is right.
            models.UniqueConstraint(fields=["pairing"], condition=Q(official=True), name="result_one_official"),
            models.UniqueConstraint(fields=["pairing", "version"], name="result_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="result_version_in_range"),
            models.CheckConstraint(
                condition=Q(outcome__in=list_choice_values(OUTCOME_LABELS)), name="result_outcome_known"
            ),
            models.CheckConstraint(
                condition=~Q(outcome=Outcome.PLAYED.value) | Q(first_points__isnull=False, second_points__isnull=False),
                name="result_played_has_points",
            ),
            models.CheckConstraint(
                condition=Q(spread__isnull=True)
                | Q(outcome__in=KINDS_WITHOUT_OPPONENT) & make_range_condition(limits.SPREAD, "spread"),
                name="result_spread_only_without_opponent",
            ),
            _make_side_constraint("points", limits.POINTS),
            _make_side_constraint("penalty", limits.PENALTY),
            _make_side_constraint("overtime", limits.OVERTIME),
            _make_side_constraint("bingos", limits.BINGOS),
            _make_side_constraint("seconds", limits.SECONDS),
        ]

    def game(self, number: int, first: standings.PlayerKey, second: standings.PlayerKey | None) -> standings.TableGame:
        """This result as a value for `scoring.standings`."""
        return build_table_game(number, first, second, *(getattr(self, column) for column in GAME_COLUMNS))


GAME_COLUMNS = ("outcome", "first_points", "second_points", "spread", "reason")
"""The columns of `Result` that `build_table_game` takes."""


def build_table_game(
    number: int,
    first: standings.PlayerKey,
    second: standings.PlayerKey | None,
    outcome: str,
    first_points: int | None,
    second_points: int | None,
    spread: int | None,
    reason: str,
) -> standings.TableGame:
    """The game of round `number` as a value for `scoring.standings`."""
    # The column holds an empty text where there is none.
    why = AwardReason(reason) if reason else None
    return standings.TableGame(number, first, second, Outcome(outcome), first_points, second_points, spread, why)
