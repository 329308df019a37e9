"""The event: a tournament, its divisions, who entered them, the prizes as announced, and the journal."""

from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import rulesets, standings
from scoring.awards import Awards
from scoring.prizes import PrizeKind
from scoring.ratings import RatingSystem
from scoring.standings import Contestant, RankingBasis, TieRule, WithdrawnPlacement
from scoring.team_matches import LeaverMatches, TeamFormat, TeamPairing
from scoring.teams import TeamRule
from tournament.basics import limits
from tournament.basics.languages import PageLanguage
from tournament.basics.showing import SHOWN_AT_ONCE
from tournament.models.choices import (
    BASIS_LABELS,
    BYE_POLICY_LABELS,
    PAGE_LANGUAGE_LABELS,
    PRIZE_LABELS,
    RATING_SYSTEM_LABELS,
    STARTS_LABELS,
    TEAM_FORMAT_LABELS,
    TEAM_LEAVERS_LABELS,
    TEAM_PAIRING_LABELS,
    TEAM_RULE_LABELS,
    TIE_LABELS,
    TURNING_LABELS,
    WITHDRAWN_LABELS,
    UnnamedRow,
    list_choice_values,
    make_choices,
    make_range_condition,
    make_range_constraint,
)
from tournament.models.organiser import (
    Club,
    Member,
    Organiser,
    Player,
    Role,
    append_mark,
    find_namesakes,
    make_namesake_mark,
)
from tournament.pairing.lots import TILES_OF_A_SEED
from tournament.pairing.values import ByePolicy, StartPolicy

if TYPE_CHECKING:
    from tournament.models.mirror import MirrorLink


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def public(self) -> Self:
        return self.filter(is_public=True)

    def with_role_of(self, user: int) -> Self:
        """With the `role` of the user with this key for each tournament's organiser; None if they have none."""
        member = Member.objects.filter(user=user, organiser=OuterRef("organiser"))
        return self.annotate(role=Subquery(member.values("role")))

    def newest_first(self) -> Self:
        # Said for both databases: without a day SQLite puts an event last and PostgreSQL first.
        return self.order_by(F("starts_on").desc(nulls_last=True), "-pk")


class Tournament(models.Model):
    """An event and its rules. Written by `events.operations`; every operation raises `revision` by one.
    `ending.operations` writes `certificate` and `is_ended`, `registration.calling_off` `called_off_on`,
    `tournament.fees` `fees`, `federation.operations` `deviation_reasons` and `open_questions`; results may still
    be corrected after the end."""

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
    called_off_on = models.DateField(_("called off"), null=True, blank=True)
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
    # Null means as the ruleset says.
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
    deviation_reasons = models.TextField(_("reasons for deviations from the rules"), blank=True, default="")
    open_questions = models.TextField(_("what the rules do not settle"), blank=True, default="")
    certificate = models.JSONField(_("text of the certificates"), default=dict, blank=True)
    fees = models.JSONField(_("fees"), default=dict, blank=True)
    remind_days = models.PositiveSmallIntegerField(_("days before a game is reminded of"), null=True, blank=True)
    results_twice = models.BooleanField(_("results are typed twice"), default=False)
    national = models.BooleanField(_("national tournament"), default=False)
    rated = models.BooleanField(_("games are rated"), default=True)
    knockout_rated = models.BooleanField(_("games of the knock-out are rated"), default=True)
    rating_system = models.CharField(
        _("ratings by"),
        max_length=limits.WORD,
        choices=make_choices(RATING_SYSTEM_LABELS),
        default=RatingSystem.TSH_DEU.value,
    )
    ratings_public = models.BooleanField(_("everybody sees the preview of ratings"), default=False)
    team_rule = models.CharField(
        _("table of teams"),
        max_length=limits.WORD,
        choices=make_choices(TEAM_RULE_LABELS),
        default=TeamRule.NONE.value,
    )
    team_best = models.PositiveSmallIntegerField(
        _("players of a team who count"),
        default=4,
        validators=[MinValueValidator(limits.TEAM_BEST.low), MaxValueValidator(limits.TEAM_BEST.high)],
    )
    team_format = models.CharField(
        _("who meets in a match"),
        max_length=limits.WORD,
        choices=make_choices(TEAM_FORMAT_LABELS),
        default=TeamFormat.BOARDS.value,
    )
    team_pairing = models.CharField(
        _("which teams meet"),
        max_length=limits.WORD,
        choices=make_choices(TEAM_PAIRING_LABELS),
        default=TeamPairing.SWISS.value,
    )
    team_leavers = models.CharField(
        _("matches of a team that leaves"),
        max_length=limits.WORD,
        choices=make_choices(TEAM_LEAVERS_LABELS),
        default=LeaverMatches.KEPT.value,
    )
    step_seconds = models.PositiveSmallIntegerField(
        _("seconds before each step that is done by itself"), null=True, blank=True, default=None
    )
    # The rule that new rounds get (`showing`).
    pairings_shown = models.CharField(_("pairings are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    results_shown = models.CharField(_("results are seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)
    table_shown = models.CharField(_("the table is seen"), max_length=limits.SHOWN_TEXT, default=SHOWN_AT_ONCE)

    holds_back: bool = True
    """Whether some round may hide something from the public; set by `core.public_view` for busy pages."""
    stream_delay: int | None = None
    """By how many minutes typed lines of games in progress are public later; None: not asked yet. Set there, too."""

    role: str | None = None
    """The reader's role with the organiser, or by an access code; set by `with_role_of` or `access`."""

    mirror: "MirrorLink | None" = None
    """The link by which the event comes from a laptop; None if it is run here. Set by `access.rules`."""

    logo: int | None = None
    """The primary key of the organiser's logo; set by `access.rules` for public pages."""

    season: tuple[str, str] | None = None
    """Address and name of the newest public season in which it counts; set there too."""

    access_code: "AccessCode | None" = None  # the code by which the reader came in

    revision = models.PositiveIntegerField(default=0, editable=False)
    # More than a date: what was signed or handed out for an event covers this moment, since a restored backup gives
    # primary keys again.
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
            make_range_constraint("tournament_minutes_in_range", limits.MINUTES, "minutes"),
            make_range_constraint("tournament_step_seconds_in_range", limits.STEP_SECONDS, "step_seconds"),
            make_range_constraint("tournament_team_best_in_range", limits.TEAM_BEST, "team_best"),
            make_range_constraint("tournament_remind_days_in_range", limits.REMIND_DAYS, "remind_days"),
            models.CheckConstraint(
                condition=make_range_condition(limits.SPREAD, "bye_spread", "loss_spread")
                & make_range_condition(limits.BYE_POINTS, "bye_points"),
                name="tournament_awards_in_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def teams_play_all(self) -> bool:
        """Whether teams meet by a schedule in which all play all."""
        return self.team_pairing == TeamPairing.ALL_PLAY_ALL

    @property
    def first_day(self) -> date:
        """The day by which the event is put in order: where none is announced, the one when it was made."""
        return self.starts_on or timezone.localdate(self.created_at)

    @property
    def is_directed(self) -> bool:
        """Whether the reader directs the tournament."""
        return self.role in (Role.DIRECTOR, Role.OWNER)

    @property
    def rules(self) -> rulesets.Ruleset:
        """The ruleset that this tournament is played by, without a clock if no minutes are announced."""
        rulebook = rulesets.get(self.ruleset)
        return rulebook.without_clock if self.minutes is None and rulebook.minutes else rulebook

    @property
    def shared_minutes(self) -> int | None:
        """The minutes that both players share in a game; None with chess clocks, or if the rules name none."""
        return self.rules.shared_minutes if self.minutes is None else None

    @property
    def question_limit(self) -> int | None:
        """Words each player may show to the jury in a game (None: any number); the book limits national tournaments
        only."""
        return self.rules.questions if self.national else None

    @property
    def awards(self) -> Awards:
        """What a bye, a no-show and a forfeit credit: the organiser's figures, else the ruleset's."""
        return self.rules.awards.announced(
            bye_spread=self.bye_spread, bye_points=self.bye_points, loss_spread=self.loss_spread
        )

    @property
    def ranking(self) -> standings.Ranking:
        """How the table is ranked."""
        # Three forms in one column: nothing, one number, or one for each round.
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
    """A field of players with rounds and table. Written by `events.operations`, `rounds.plan`, `rounds.outlook`,
    `ending.operations` and `by_itself.operations`. `announced`: the round, its seed, and pairs by the players' keys.
    `tables`: pairs of a first and a last table of the hall; none means that it goes on where the division before ends.
    `ceremony_place`: when it is honoured; None: the first division last. The first `up` of its table go up a division
    after the season, the last `down` go down. `step_held`: the step of a day by itself that waits, `step_why` for what
    reason; `step_from`: from when on the next one counts, at the earliest."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=limits.DIVISION)
    position = models.PositiveSmallIntegerField(default=1)
    plan = models.JSONField(_("plan of rounds"), default=list, blank=True)
    prizes_public = models.BooleanField(_("prizes are public"), default=False)
    tells_turning_point = models.BooleanField(_("the ceremony tells what it hung on"), default=True)
    announced = models.JSONField(_("pairs announced before the last result"), default=dict, blank=True)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    work: object = None  # what waits in it, of several; set by the director's tabs

    ceremony_place = models.PositiveSmallIntegerField(_("place in the ceremony"), null=True, blank=True)
    up = models.PositiveSmallIntegerField(_("go up"), default=0)
    down = models.PositiveSmallIntegerField(_("go down"), default=0)

    step_held = models.CharField(_("step that waits"), max_length=limits.STEP_KEY, blank=True, default="")
    step_why = models.CharField(_("why a step waits"), max_length=limits.STEP_WHY, blank=True, default="")
    step_from = models.DateTimeField(_("steps count from"), null=True, blank=True)

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name"], name="division_named_once"),
            models.CheckConstraint(condition=~Q(name=""), name="division_has_name"),
            make_range_constraint("division_ceremony_place_in_range", limits.CEREMONY_PLACE, "ceremony_place"),
            make_range_constraint("division_moves_in_range", limits.DIVISION_MOVES, "up", "down"),
        ]

    def __str__(self) -> str:
        return self.name


@cache
def make_entry_mark() -> Case:
    """`make_namesake_mark` of an entry, made once: that was a quarter of making a query of entries."""
    return make_namesake_mark(find_namesakes(Entry.objects.all(), "tournament", "player__sort_name"), F("key"))


@cache
def _make_named_entries() -> "EntryQuerySet":
    return Entry.objects.with_names()


NO_TEAM = "–"  # the team of somebody who plays for none, not even for the club


class EntryQuerySet(models.QuerySet["Entry"]):
    def with_names(self) -> Self:
        """With players and clubs, and what `Entry.name` reads."""
        return self.select_related("player", "club").annotate(mark=make_entry_mark())

    def with_phones(self) -> Self:
        """With `Entry.phone`: the register's number, else that of the online entry."""
        # An empty text is no number: as it is, COALESCE would take it and never look at the registration.
        phones = NullIf("player__phone", Value("")), "registration__contact__phone", Value("")
        return self.annotate(phone=Coalesce(*phones, output_field=models.CharField()))

    def with_emails(self) -> Self:
        """With `Entry.email`: that of the online entry, else the register's."""
        # Without `NullIf`, unlike phones: nobody registers without an address, so that this one is never empty.
        emails = "registration__contact__email", "player__email", Value("")
        return self.annotate(email=Coalesce(*emails, output_field=models.CharField()))

    def by_name(self) -> Self:
        return self.order_by("player__sort_name", "pk")

    def in_order(self) -> Self:
        return self.order_by("position", "pk")


def list_named_entries() -> EntryQuerySet:
    """All entries `with_names`, to be narrowed down: whoever narrows first and names then has the mark of namesakes
    worked into the query anew, which takes half as long again."""
    # By `all`, which is a query of its own: the kept one would keep the rows of the first who asks, for everybody
    # after.
    return _make_named_entries().all()


def prefetch_entries(way: str) -> "models.Prefetch[str]":
    """A prefetch of entries by the lookup `way`, `with_names`."""
    return models.Prefetch(way, queryset=list_named_entries())


class Entry(models.Model):
    """A player in a tournament, with club, rating and games as on the day of entry. Written by `entries.operations`.
    What is owed follows from `core.fees`: `fee_paid` without `paid_cents` is a tick from before there were amounts.
    Who is `expected` is paired though not seen: not `present` yet, or not there for the last game and said to play the
    next. `link` is the number of the player's personal link; earlier links are void. Without a `team` of their own
    somebody plays for the club; who `shares_contact` lets opponents see phone and e-mail; `board` is the place in the
    team's order. `letter_at`: when the letter before the day was last posted; `name_checked_at`: when the player said
    whether the name is right, `name_wish` how it should be."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    division = models.ForeignKey(Division, verbose_name=_("division"), on_delete=models.PROTECT, related_name="entries")
    # Whoever has been entered somewhere stays in the register: results without a player would be nobody's.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(_("number"), max_length=limits.PLAYER_ID)
    position = models.PositiveIntegerField()
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    team = models.CharField(_("team"), max_length=limits.CLUB, blank=True, default="")
    board = models.PositiveSmallIntegerField(
        _("board"),
        null=True,
        blank=True,
        validators=[MinValueValidator(limits.BOARD.low), MaxValueValidator(limits.BOARD.high)],
    )
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    games = models.PositiveIntegerField(_("lifetime games"), default=0)
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    withdrawn_after = models.PositiveSmallIntegerField(_("withdrawn after round"), null=True, blank=True)
    disqualified = models.BooleanField(_("disqualified from the event"), default=False)
    guest = models.BooleanField(_("guest"), default=False)
    link = models.PositiveSmallIntegerField(default=1, editable=False)
    fee_paid = models.BooleanField(_("fee paid"), default=False)
    fee_kind = models.CharField(_("kind of fee"), max_length=limits.WORD, blank=True, default="")
    paid_cents = models.PositiveIntegerField(_("amount paid"), null=True, blank=True)
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    fee_waived = models.BooleanField(_("the rest is waived"), default=False)
    present = models.BooleanField(_("checked in"), default=False)
    expected = models.BooleanField(_("still expected"), default=False)
    fixed_table = models.PositiveSmallIntegerField(
        _("fixed table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(limits.TABLE.low), MaxValueValidator(limits.TABLE.high)],
    )
    exception = models.CharField(_("approved exception"), max_length=limits.EXCEPTION, blank=True)
    letter_at = models.DateTimeField(_("letter before the day"), null=True, blank=True)
    certificate_at = models.DateTimeField(_("certificate by e-mail"), null=True, blank=True)
    name_checked_at = models.DateTimeField(_("name looked at by the player"), null=True, blank=True)
    name_wish = models.CharField(
        _("how the player writes the name"), max_length=limits.PLAYER_NAME, blank=True, default=""
    )

    shares_contact = models.BooleanField(_("opponents see phone and e-mail"), default=False)

    is_settled = False  # whether nothing is owed any more; set by pages with ticks
    mark: str | None = None  # what tells the entry from namesakes; set by `with_names`
    phone = ""  # where to call, for the director and whom the player lets see it; set by `with_phones`
    email = ""  # where letters go, for the same; set by `with_emails`

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
                condition=Q(disqualified=False) | Q(withdrawn_after__isnull=False), name="entry_disqualified_is_out"
            ),
            make_range_constraint("entry_rating_in_range", limits.RATING, "rating"),
            make_range_constraint("entry_fixed_table_in_range", limits.TABLE, "fixed_table"),
            make_range_constraint("entry_board_in_range", limits.BOARD, "board"),
            make_range_constraint("entry_paid_cents_in_range", limits.FEE_CENTS, "paid_cents"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.player.name}"

    @property
    def name(self) -> str:
        """The name as printed: with club or number where there is a namesake. Without `with_names`, each asks by
        itself."""
        if self.mark is None:
            # Asked once and kept: a page that forgot `with_names` is slow, and shows the right names all the same.
            stored = Entry.objects.with_names().filter(pk=self.pk).first()
            self.mark = (stored and stored.mark) or ""
        return append_mark(self.player.name, self.mark)

    @property
    def name_beside_club(self) -> str:
        """The name as printed where the club stands beside it, which is told once then. Reads the club."""
        name = self.name
        # Only where the club is what tells the namesakes apart; a number has to stay beside a club that both have.
        return self.player.name if self.club and self.mark == self.club.name else name

    @property
    def team_name(self) -> str:
        """The team given by the director, else the club; "" for somebody who plays for none. Reads the club."""
        if self.team:
            return "" if self.team == NO_TEAM else self.team
        return self.club.name if self.club else ""

    @property
    def listed_team(self) -> str:
        """The team as lists say it, which an import reads back: a dash for somebody of a club who plays for none."""
        return self.team_name or (NO_TEAM if self.club else "")

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_after is not None

    @property
    def is_certified(self) -> bool:
        """Whether there is a certificate for this player: not for who was disqualified, or left before the first round
        that they would have played."""
        # By the first round of their own: somebody who was to join in round 4 and withdrew after round 2 has played
        # nothing.
        took_part = self.withdrawn_after is None or self.withdrawn_after >= self.first_round
        return took_part and not self.disqualified

    def plays_in(self, number: int) -> bool:
        """Whether the entry takes part in round `number`, absences aside."""
        return self.first_round <= number and (self.withdrawn_after is None or number <= self.withdrawn_after)

    def as_contestant(self, after: int) -> Contestant:
        """The entry as the table after round `after` ranks it. Before the round in which somebody was disqualified they
        keep their place: the pairings that were made from that table are still explained by it."""
        is_out = self.disqualified and self.withdrawn_after is not None and self.withdrawn_after <= after
        return Contestant(
            self.pk,
            withdrawn=self.is_withdrawn,
            disqualified=is_out,
            seeding=(-(self.rating or 0), self.position),
            # Before the first round everybody who plays in it is in the table; who joins later is not, until then.
            joins_later=self.first_round > max(after, 1),
        )


class Absence(UnnamedRow):
    """A round that an entry will miss, announced in advance. Written by `entries.operations.attendance`."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absences")
    number = models.PositiveSmallIntegerField(_("round"))
    counts_as_loss = models.BooleanField(_("counts as a loss by absence"), default=True)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="absence_once_a_round")]


class KeptApart(UnnamedRow):
    """Two entries that should not meet if avoidable (family, same car). Written by `entries.operations`."""

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("pairs kept apart")
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="kept_apart_once"),
            # In one order: the pair written the other way round would be a second one, which the unique constraint does
            # not see.
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_in_order"),
        ]


class Lot(UnnamedRow):
    """The order drawn by lot for players level after a round. `tiles`: those from the bag that it was drawn by, or "".
    Written by `table.lots`."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="lots")
    after = models.PositiveSmallIntegerField(_("after round"))
    order = models.JSONField(_("order drawn"), encoder=DjangoJSONEncoder)
    tiles = models.CharField(_("tiles from the bag"), max_length=TILES_OF_A_SEED, blank=True, default="")

    class Meta:
        verbose_name = _("lot")
        verbose_name_plural = _("lots")


# Codes that let somebody without an account work at one tournament, each on one device.

CODE_ROLES = (Role.HELPER, Role.REFEREE)  # a code can give these


class AccessCode(models.Model):
    """Lets one device work at a tournament until it ends. Written by `access.codes`. Only its `digest` with the
    installation's key is stored. `tables` are pairs of a first and a last table; none means every table. An event read
    in twice has its codes twice: the newest counts."""

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
        """Whether the code is for this table; None, a pairing without a table, needs a code for all tables."""
        if not self.tables:
            return True
        # A bye has no table: a device for some tables does not write what belongs to none of them.
        return table is not None and any(first <= table <= last for first, last in self.tables)


class CodeDevice(UnnamedRow):
    """The one browser that a code was opened in. Not in the journal: like a session, it is no record."""

    code = models.OneToOneField(AccessCode, on_delete=models.CASCADE, related_name="device")
    digest = models.CharField(max_length=64)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("device of an access code")
        verbose_name_plural = _("devices of access codes")


class Portrait(models.Model):
    """A photo of a player for one event's ceremony; `name` is its drawn file name. Written by
    `entries.operations.entries`."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="portrait")
    name = models.CharField(_("file"), max_length=limits.FILE_NAME, unique=True)
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


class JournalEntry(models.Model):
    """One operation. Append-only; written by `core.change` alone. `details` is what the director reads; `rows` are all
    rows written, as `[table, primary key, before, after]`, None where there is none. An entry belongs to a tournament
    or, if it changed the register, to an organiser, each numbered without gaps; those of a deleted tournament to
    neither."""

    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="journal")
    # A number and no foreign key: the row that it names is gone, and the event can be made anew from the entries.
    deleted_tournament = models.PositiveBigIntegerField(null=True, editable=False, db_index=True)
    """The primary key of its tournament, once that is deleted."""
    organiser = models.ForeignKey(Organiser, null=True, on_delete=models.PROTECT, related_name="journal")
    number = models.PositiveIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="journal_entries"
    )
    # Beside the account, which may be deleted: the journal still says who it was. A code has a name and no account.
    by_name = models.CharField(_("who"), max_length=limits.AUTHOR_NAME)
    verb = models.CharField(_("what"), max_length=limits.WORD)
    # With an encoder, since rows have days and moments, of which plain JSON knows nothing.
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    rows = models.JSONField(default=list, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal entries")
        constraints = [
            # Entries of deleted tournaments have neither owner: no empty value equals another, so that their numbers
            # may meet.
            models.UniqueConstraint(fields=["tournament", "number"], name="journal_number_once"),
            models.UniqueConstraint(fields=["organiser", "number"], name="journal_register_number_once"),
            models.CheckConstraint(
                condition=Q(tournament__isnull=True) | Q(organiser__isnull=True), name="journal_of_one_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.verb}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        # `bulk_create` goes past this, as it only adds.
        if not self._state.adding:
            raise RuntimeError("The journal is never rewritten.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        # Through a row alone: a deleted tournament's entries are kept by an update, and forgetting somebody rewrites
        # past the model.
        raise RuntimeError("The journal never loses a line.")


class PrizeQuerySet(models.QuerySet["Prize"]):
    def in_order(self) -> Self:
        return self.order_by("position", "pk")


class Prize(UnnamedRow):
    """One prize, with its own name `title`, and `award`, what there is to win. Written by `ending.operations`. The
    director chooses the `winner` of a prize of the organiser's own; all others follow from results."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="prizes")
    position = models.PositiveSmallIntegerField(_("place in the list"), default=1)
    kind = models.CharField(_("for"), max_length=30, choices=make_choices(PRIZE_LABELS))
    place = models.PositiveSmallIntegerField(
        _("place"),
        null=True,
        blank=True,
        validators=[MinValueValidator(limits.PRIZE_PLACE.low), MaxValueValidator(limits.PRIZE_PLACE.high)],
    )
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )
    lowest_rating = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("rating up to"), null=True, blank=True)
    title = models.CharField(_("name of the prize"), max_length=limits.PRIZE_TITLE, blank=True)
    award = models.CharField(_("what there is to win"), max_length=limits.PRIZE_AWARD, blank=True)
    winner = models.ForeignKey(
        Entry, verbose_name=_("winner"), null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )

    objects = PrizeQuerySet.as_manager()

    class Meta:
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=list_choice_values(PRIZE_LABELS)), name="prize_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=PrizeKind.PLACE.value, place__isnull=False)
                & make_range_condition(limits.PRIZE_PLACE, "place")
                | ~Q(kind=PrizeKind.PLACE.value) & Q(place__isnull=True),
                name="prize_place_where_it_is_one",
            ),
            make_range_constraint("prize_ratings_in_range", limits.RATING, "lowest_rating", "highest_rating"),
            models.CheckConstraint(
                condition=~Q(kind=PrizeKind.OWN.value) & Q(winner__isnull=True)
                | Q(kind=PrizeKind.OWN.value) & ~Q(title=""),
                name="prize_of_our_own_has_title",
            ),
        ]
