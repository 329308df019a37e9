"""Who organises events: clubs and federations, their members, their register of players, and their hall's network."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.colours import USUAL_CLUB_COLOUR
from tournament.basics.names import fold_text, make_search_key, make_sort_key
from tournament.models.choices import UnnamedRow, make_range_constraint


class Role(models.TextChoices):
    """What a member may do for the organiser; `tournament.access.acts` says what exactly."""

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    REFEREE = "referee", _("Referee")
    HELPER = "helper", _("Helper")


class Organiser(models.Model):
    """Owns players, clubs, word lists and tournaments, which no other sees. Written by `accounts.operations`. A laptop
    has one, made at the first start. `revision` is the number of its last journal entry."""

    slug = models.SlugField(_("address"), max_length=limits.SLUG, unique=True)
    name = models.CharField(_("name"), max_length=limits.NAME)
    # As #rrggbb, dark enough for `CLUB_INK`.
    colour = models.CharField(_("colour"), max_length=7, default=USUAL_CLUB_COLOUR)
    word = models.TextField(_("a word of its own"), max_length=limits.CLUB_WORD, blank=True)
    profiles_public = models.BooleanField(_("profiles of players are public"), default=False)
    # By heading lines, what the columns of lists under them are; written by `exchange.columns`.
    list_columns = models.JSONField(_("columns of lists"), default=dict, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("organiser")
        verbose_name_plural = _("organisers")
        constraints = [models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="organiser_has_name")]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def logo(self) -> "ClubPicture | None":
        """The logo, if there is one. One query, once."""
        return ClubPicture.objects.filter(organiser=self, use=ClubPictureUse.LOGO).first()


class ClubPictureUse(models.TextChoices):
    """Where a club's picture is shown."""

    LOGO = "logo", _("logo of the club")
    PHOTO = "photo", _("picture of the club")


class ClubPicture(models.Model):
    """The logo of an organiser, or the picture on its page; `name` is its drawn file name. Written by
    `accounts.operations`. In no archive of an event: a laptop has its own club."""

    Use = ClubPictureUse

    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="pictures")
    use = models.CharField(max_length=10, choices=ClubPictureUse.choices)
    name = models.CharField(_("file"), max_length=limits.FILE_NAME, unique=True)
    content_type = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("picture of a club")
        verbose_name_plural = _("pictures of clubs")
        constraints = [
            models.UniqueConstraint(fields=["organiser", "use"], name="club_picture_once"),
            models.CheckConstraint(condition=Q(use__in=ClubPictureUse.values), name="club_picture_use_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Member(UnnamedRow):
    """An account that works for an organiser. Written by `accounts.members`."""

    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["organiser", "user"], name="member_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="member_role_known"),
        ]


class Invitation(UnnamedRow):
    """A link by which one person becomes a member. Written by `accounts.members`, which makes and signs the link."""

    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    note = models.CharField(_("for whom"), max_length=limits.PLAYER_NAME, blank=True)
    by_name = models.CharField(_("invited by"), max_length=limits.AUTHOR_NAME, blank=True)
    at = models.DateTimeField(_("at"))
    expires_at = models.DateTimeField(_("valid until"))
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(used_at__isnull=True), name="invitation_used_or_revoked"
            ),
        ]


class Wifi(models.Model):
    """The wireless network of an organiser's hall. Written by `accounts.operations`. Not in the journal, which would
    keep old passwords for ever and put them into every archive."""

    organiser = models.OneToOneField(Organiser, on_delete=models.CASCADE, related_name="wifi")
    name = models.CharField(_("name of the network"), max_length=limits.WIFI_NAME)
    password = models.CharField(_("password"), max_length=limits.WIFI_PASSWORD, blank=True)

    class Meta:
        verbose_name = _("wireless network")
        verbose_name_plural = _("wireless networks")

    def __str__(self) -> str:
        return self.name


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
        # Columns and no function of the database: SQLite and PostgreSQL fold and sort umlauts each in its own way.
        self.sort_name = fold_text(self.name)
        self.search_name = make_search_key(self.name)
        super().save(*args, **kwargs)


def find_namesakes(rows: models.QuerySet[Any], within: str, sort_name: str) -> models.QuerySet[Any]:
    """The rows of the same name (column `sort_name`) within the same organiser or tournament, by outer references."""
    # SQLite would search everybody there for each row: cast, the column cannot be searched by, and the names are.
    there = rows.alias(there=Cast(within, models.BigIntegerField()))
    namesakes: models.QuerySet[Any] = there.filter(**{"there": OuterRef(within), sort_name: OuterRef(sort_name)})
    return namesakes


def make_namesake_mark(namesakes: models.QuerySet[Any], number: Combinable) -> Case:
    """What tells a row from its `namesakes` (by outer references, itself among them): "", its own club, or its
    number."""
    others = namesakes.exclude(pk=OuterRef("pk"))
    return Case(
        When(~Exists(others), then=Value("")),
        When(Q(club=None) | Exists(others.filter(club=OuterRef("club"))), then=number),
        default=F("club__name"),
        output_field=models.CharField(),
    )


def append_mark(name: str, mark: str) -> str:
    """A name with what tells it from its namesakes: Aal, Udo (SC Köln)."""
    return f"{name} ({mark})" if mark else name


class PlayerQuerySet(models.QuerySet["Player"]):
    def current(self) -> Self:
        """Without the rows that were merged into others."""
        return self.filter(merged_into=None)

    def with_names(self) -> Self:
        """With the clubs, and what `Player.called` reads."""
        # Among current rows alone: one that was merged into another has its name still, and is nobody's namesake.
        namesakes = find_namesakes(Player.objects.current(), "organiser", "sort_name")
        return self.select_related("club").annotate(mark=make_namesake_mark(namesakes, Cast("pk", models.CharField())))

    def search(self, text: str) -> Self:
        """Players whose name or club contains each word of `text`, or one of whose numbers it is; umlauts and case do
        not matter."""
        players = self
        # Folded as the columns are: the database compares letters, and knows nothing of umlauts.
        for word in fold_text(text).split():
            # Each word by itself: “müller köln” finds the Müllers of Köln, and a number is found beside a name.
            numbered = PlayerNumber.objects.filter(number__iexact=word).values("player")
            players = players.filter(
                Q(search_name__contains=word) | Q(club__search_name__contains=word) | Q(pk__in=numbered)
            )
        return players

    def by_name(self) -> Self:
        return self.order_by("sort_name", "pk")


def prefetch_players(way: str) -> "models.Prefetch[str]":
    """A prefetch of players by the lookup `way`, `with_names`."""
    return models.Prefetch(way, queryset=Player.objects.with_names())


class Player(models.Model):
    """A person in the register, in no tournament yet. Written by `entries.operations.register`. A row that was
    `merged_into` another by `people.merging` stays for the journals that name it, and for its spelling of the name; it
    is entered nowhere, and what it was merged into is itself current."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(_("name"), max_length=limits.PLAYER_NAME, help_text=_("Surname, given name"))
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.SET_NULL, related_name="players"
    )
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    games = models.PositiveIntegerField(_("lifetime games"), default=0)
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("phone"), max_length=limits.PHONE, blank=True, default="")
    hides_profile = models.BooleanField(_("no public profile"), default=False)
    # Protected: rows that were merged into somebody are deleted one by one before them, so that the journal has each.
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged", editable=False
    )
    sort_name = models.CharField(max_length=limits.folded_length(limits.PLAYER_NAME), editable=False, db_index=True)
    search_name = models.CharField(max_length=limits.search_length(limits.PLAYER_NAME), editable=False)

    mark: str | None = None  # what tells the player from namesakes; set by `with_names`

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
        # With `update_fields` the database gets only the columns named there: whoever writes a name names these, too
        # (`build_name_columns`).
        for column, value in self.derive_columns({"name": self.name}).items():
            setattr(self, column, value)
        super().save(*args, **kwargs)

    @staticmethod
    def derive_columns(state: Mapping[str, Any]) -> dict[str, str]:
        """The columns that follow from the name, as this version makes them."""
        return {"sort_name": make_sort_key(state["name"]), "search_name": make_search_key(state["name"])}

    @property
    def current(self) -> "Player":
        """The row that stands for the person now."""
        return self.merged_into or self

    @property
    def called(self) -> str:
        """The name as printed: with club or number where there is a namesake. Without `with_names`, each asks by
        itself."""
        if self.mark is None:
            stored = Player.objects.with_names().filter(pk=self.pk).first()
            self.mark = (stored and stored.mark) or ""
        return append_mark(self.name, self.mark)

    @property
    def called_beside_club(self) -> str:
        """The name as printed where the club stands beside it, which is told once then. Reads the club."""
        called = self.called
        return self.name if self.club and self.mark == self.club.name else called


class PlayerNumber(models.Model):
    """The number of a player in a federation's `system`. Written by `entries.operations.numbers`. Two systems whose
    names differ by case or accents alone are one. `is_provisional`: until the true one is known."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="player_numbers")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="numbers")
    system = models.CharField(_("federation"), max_length=limits.NUMBER_SYSTEM)
    number = models.CharField(_("number"), max_length=limits.PLAYER_NUMBER)
    is_provisional = models.BooleanField(_("provisional"), default=False)

    class Meta:
        verbose_name = _("number of a player")
        verbose_name_plural = _("numbers of players")
        constraints = [
            # To the database “SDeV” and “sdev” are two systems: that they are one is for `write_number` to see.
            models.UniqueConstraint(fields=["organiser", "system", "number"], name="player_number_once"),
            models.CheckConstraint(condition=~Q(system="") & ~Q(number=""), name="player_number_stated"),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.number}"

    @property
    def key(self) -> tuple[str, str]:
        """What two writings of one number have in common."""
        return fold_text(self.system), fold_text(self.number)
