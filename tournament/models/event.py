"""The event: a tournament, its divisions and who entered them."""

from typing import Self

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.utils.translation import gettext_lazy as _

from scoring import rulesets, standings
from scoring.awards import Awards
from scoring.standings import RankingBasis, TieRule, WithdrawnPlacement
from tournament.basics import limits
from tournament.basics.languages import PageLanguage
from tournament.basics.showing import SHOWN_AT_ONCE
from tournament.models.choices import (
    BASIS_LABELS,
    BYE_POLICY_LABELS,
    PAGE_LANGUAGE_LABELS,
    STARTS_LABELS,
    TIE_LABELS,
    TURNING_LABELS,
    WITHDRAWN_LABELS,
    make_choices,
    make_range_condition,
)
from tournament.models.organiser import Member, Organiser, Role
from tournament.models.player import Club, Player
from tournament.pairing.values import ByePolicy, StartPolicy


def list_ruleset_choices() -> list[tuple[str, str]]:
    """Key and name of every ruleset that an event can be played by, for the form field."""
    return [(ruleset.key, ruleset.name) for ruleset in rulesets.RULESETS.values()]


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def public(self) -> Self:
        return self.filter(is_public=True)

    def with_role_of(self, user: User) -> Self:
        """With the user's `role` for the organiser of each; None for somebody else's."""
        member = Member.objects.filter(user=user, organiser=OuterRef("organiser"))
        return self.annotate(role=Subquery(member.values("role")))

    def newest_first(self) -> Self:
        return self.order_by(F("starts_on").desc(nulls_last=True), "-pk")


class Tournament(models.Model):
    """An event and its rules. Written by `events.operations`; every operation raises `revision` by one.

    `certificate` holds the director's own texts (`ending.plan`), written by `ending.operations`.

    `is_ended` is the director's word, given by `ending.operations`; results may still be corrected after it.
    """

    organiser = models.ForeignKey(
        Organiser, verbose_name=_("organiser"), on_delete=models.PROTECT, related_name="tournaments"
    )
    slug = models.SlugField(_("address"), max_length=limits.SLUG, unique=True)
    name = models.CharField(_("name"), max_length=limits.NAME)
    place = models.CharField(_("place"), max_length=limits.PLACE, blank=True)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    is_public = models.BooleanField(_("public"), default=True)
    is_ended = models.BooleanField(_("ended"), default=False)
    announcement = models.TextField(_("announcement"), blank=True)
    word_list = models.CharField(_("word list"), max_length=limits.WORD_LIST, blank=True)
    word_list_at = models.CharField(_("where players see the word list"), max_length=limits.WORD_LIST_AT, blank=True)
    language = models.CharField(
        _("language of the public pages"),
        max_length=10,
        choices=make_choices(PAGE_LANGUAGE_LABELS),
        default=PageLanguage.GERMAN.value,
    )
    turning = models.CharField(
        _("turning of boards"),
        max_length=10,
        choices=make_choices(TURNING_LABELS),
        default=rulesets.BoardTurning.AGREED.value,
    )

    ruleset = models.CharField(_("ruleset"), max_length=limits.WORD, default="tso-2017")
    minutes = models.PositiveSmallIntegerField(_("minutes per player"), null=True, blank=True, default=30)
    basis = models.CharField(
        _("ranked by"), max_length=10, choices=make_choices(BASIS_LABELS), default=RankingBasis.WINS.value
    )
    order = models.JSONField(_("order of criteria"), default=list, blank=True)
    ties = models.CharField(_("ties"), max_length=10, choices=make_choices(TIE_LABELS), default=TieRule.TSO.value)
    withdrawn = models.CharField(
        _("withdrawn players"),
        max_length=10,
        choices=make_choices(WITHDRAWN_LABELS),
        default=WithdrawnPlacement.RANKED.value,
    )
    starts = models.CharField(
        _("who starts"), max_length=10, choices=make_choices(STARTS_LABELS), default=StartPolicy.BALANCED.value
    )
    spread_cap = models.JSONField(_("spread cap"), null=True, blank=True, default=None)
    # Null: as the ruleset says.
    bye_spread = models.SmallIntegerField(_("spread of a bye"), null=True, blank=True)
    bye_points = models.SmallIntegerField(_("points of a bye"), null=True, blank=True)
    loss_spread = models.SmallIntegerField(_("spread of an absence"), null=True, blank=True)
    bye_policy = models.CharField(
        _("who gets the bye"), max_length=10, choices=make_choices(BYE_POLICY_LABELS), default=ByePolicy.LOWEST.value
    )
    clubs_apart = models.PositiveSmallIntegerField(
        _("rounds that keep clubs apart"), default=2, validators=[MaxValueValidator(limits.CLUBS_APART.high)]
    )
    public_reasons = models.BooleanField(_("players see why pairs meet"), default=True)
    certificate = models.JSONField(_("text of the certificates"), default=dict, blank=True)
    results_twice = models.BooleanField(_("results are typed twice"), default=False)
    national = models.BooleanField(_("national tournament"), default=False)
    # How a round begins (`showing`).
    pairings_shown = models.CharField(_("pairings are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    results_shown = models.CharField(_("results are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    table_shown = models.CharField(_("the table is seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)

    holds_back: bool = True
    """Whether something of a round may be hidden from the public; filled by `core.public_view` where many ask."""

    role: str | None = None
    """What the reader is for the organiser, or by a code; filled by `with_role_of` or `access`, else None."""

    access_code: "AccessCode | None" = None
    """The code that has let the reader in."""

    revision = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        constraints = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="tournament_has_name"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(starts_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="tournament_days_in_order",
            ),
            models.CheckConstraint(
                condition=make_range_condition(limits.MINUTES, "minutes"), name="tournament_minutes_in_range"
            ),
            models.CheckConstraint(
                condition=make_range_condition(limits.SPREAD, "bye_spread", "loss_spread")
                & make_range_condition(limits.BYE_POINTS, "bye_points"),
                name="tournament_awards_in_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_directed(self) -> bool:
        """Whether the reader directs the tournament."""
        return self.role in (Role.DIRECTOR, Role.OWNER)

    @property
    def rules(self) -> rulesets.Ruleset:
        """The frozen ruleset that this tournament is played by; without its clock where no minutes are announced."""
        found = rulesets.get(self.ruleset)
        return found.without_clock if self.minutes is None and found.minutes else found

    @property
    def shared_minutes(self) -> int | None:
        """The minutes that both players share in a game; None with chess clocks, or where the rules name none."""
        return self.rules.shared_minutes if self.minutes is None else None

    @property
    def question_limit(self) -> int | None:
        """How many words each player may show to the jury in a game: the book limits them at national tournaments only.
        None: as many as they like."""
        return self.rules.questions if self.national else None

    @property
    def awards(self) -> Awards:
        """What a bye, a no-show and a forfeit credit: as the ruleset says, unless the organiser announced otherwise."""
        return self.rules.awards.announced(
            bye_spread=self.bye_spread, bye_points=self.bye_points, loss_spread=self.loss_spread
        )

    @property
    def ranking(self) -> standings.Ranking:
        """How the table is ranked: basis, criteria in the announced order, cap."""
        cap = self.spread_cap
        return standings.Ranking(
            basis=RankingBasis(self.basis),
            order=tuple(standings.Criterion(name) for name in self.order),
            shared_ties=self.ties == TieRule.SHARED,
            losses_count=self.ties == TieRule.SHARED,
            withdrawn=WithdrawnPlacement(self.withdrawn),
            spread_cap=() if cap is None else tuple(cap) if isinstance(cap, list) else (cap,),
        )


class Division(models.Model):
    """A field of players with its own rounds and table.

    Written by `events.operations`, `rounds.plan` and `ending.operations`.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=limits.DIVISION)
    position = models.PositiveSmallIntegerField(default=1)
    plan = models.JSONField(_("plan of rounds"), default=list, blank=True)
    prizes_public = models.BooleanField(_("prizes are public"), default=False)
    tells_turning_point = models.BooleanField(_("the ceremony tells what it hung on"), default=True)

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name"], name="division_named_once"),
            models.CheckConstraint(condition=~Q(name=""), name="division_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class EntryQuerySet(models.QuerySet["Entry"]):
    def with_names(self) -> Self:
        return self.select_related("player", "club")

    def by_name(self) -> Self:
        return self.order_by("player__sort_name", "pk")

    def in_order(self) -> Self:
        return self.order_by("position", "pk")


class Entry(models.Model):
    """A player in a tournament, with club, rating and games as on the day of entry. Written by `entries.operations`.

    `link` counts the personal links that the player was given: only the last one leads to their page.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    division = models.ForeignKey(Division, verbose_name=_("division"), on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(_("number"), max_length=limits.PLAYER_ID)
    position = models.PositiveIntegerField()
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    games = models.PositiveIntegerField(_("lifetime games"), default=0)
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    withdrawn_after = models.PositiveSmallIntegerField(_("withdrawn after round"), null=True, blank=True)
    guest = models.BooleanField(_("guest"), default=False)
    link = models.PositiveSmallIntegerField(default=1, editable=False)
    fee_paid = models.BooleanField(_("fee paid"), default=False)
    present = models.BooleanField(_("checked in"), default=False)
    expected = models.BooleanField(_("still expected"), default=False)
    fixed_table = models.PositiveSmallIntegerField(
        _("fixed table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(limits.TABLE.low), MaxValueValidator(limits.TABLE.high)],
    )
    exception = models.CharField(_("approved exception"), max_length=limits.EXCEPTION, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_player_once"),
            models.UniqueConstraint(fields=["tournament", "key"], name="entry_key_once"),
            models.CheckConstraint(condition=~Q(key=""), name="entry_has_key"),
            models.CheckConstraint(condition=Q(first_round__gte=limits.ROUND.low), name="entry_first_round_in_range"),
            models.CheckConstraint(
                condition=make_range_condition(limits.RATING, "rating"), name="entry_rating_in_range"
            ),
            models.CheckConstraint(
                condition=make_range_condition(limits.TABLE, "fixed_table"), name="entry_fixed_table_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.player.name}"

    @property
    def name(self) -> str:
        """The player's name (reads `player`: fetch entries `with_names`)."""
        return self.player.name

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_after is not None

    def plays_in(self, number: int) -> bool:
        """Whether the entry takes part in round `number`, absences aside."""
        return self.first_round <= number and (self.withdrawn_after is None or number <= self.withdrawn_after)


class Absence(models.Model):
    """A round that an entry will miss, announced in advance. Written by `entries.operations.attendance`."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absences")
    number = models.PositiveSmallIntegerField(_("round"))
    counts_as_loss = models.BooleanField(_("counts as a loss by absence"), default=True)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="absence_once_a_round")]

    def __str__(self) -> str:
        return f"{self.entry_id} – {self.number}"


class KeptApart(models.Model):
    """Two entries that should not meet if it can be avoided (family, same car). Written by `entries.operations`."""

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("pairs kept apart")
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="kept_apart_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} – {self.other_id}"


class Lot(models.Model):
    """The order that lots gave to players still level after a round. Written by `table.operations`."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="lots")
    after = models.PositiveSmallIntegerField(_("after round"))
    order = models.JSONField(_("order drawn"), encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("lot")
        verbose_name_plural = _("lots")

    def __str__(self) -> str:
        return f"{self.division_id} – {self.after}"


# Codes that let somebody without an account work at one tournament, and the device that each was opened on.


CODE_ROLES = (Role.HELPER, Role.REFEREE)
"""The roles that a code can give."""


class AccessCode(models.Model):
    """Lets one device work at a tournament until it ends. Written by `access.codes`.

    The code itself is shown once and not stored: `digest` is what the installation's key makes of it. `tables` are
    pairs of a first and a last table, both included; an empty list is every table. An event read in twice has its codes
    twice: the newest counts.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="access_codes")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    name = models.CharField(_("for whom"), max_length=limits.AUTHOR_NAME)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    digest = models.CharField(max_length=64, db_index=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("access code")
        verbose_name_plural = _("access codes")
        constraints = [
            models.CheckConstraint(condition=Q(role__in=[role.value for role in CODE_ROLES]), name="access_code_role"),
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


# Photos of players.


class Portrait(models.Model):
    """A photo of a player for the ceremony of one event, kept in the data folder under a name that the program chose.

    Written by `entries.operations.entries`.
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
