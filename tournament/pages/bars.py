"""The bar at the head of a tournament's pages: its name, where it is at, and the ways about for each kind of reader."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.access.rules import identify_worker
from tournament.core.words.figures import format_event_days
from tournament.models import Organiser, Role, Season, Tournament
from tournament.pages.manual import make_help_address
from tournament.pages.shortcuts import assign_letters

WORK = {Role.HELPER: "games:current", Role.REFEREE: "games:referee_overview"}
"""Where those who do not direct are at work."""


class BarIcon(StrEnum):
    """The shapes of `components/icon.html`."""

    HOME = "home"
    ROUNDS = "rounds"
    TABLE = "table"
    HALL = "hall"
    PEOPLE = "people"
    PRINT = "print"
    JUDGE = "judge"
    NOW = "now"
    PAGE = "page"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class BarEntry:
    """A way in the bar. `areas`: the pages on which it is the current one; `value`: what is there now; `icon`: its
    shape in the bar at the foot of phones, where entries without one are under “More”; `short`: a shorter word there;
    `is_first`: a line above it; `is_help`: it opens beside the page, which may hold what is not saved; `letter`: the
    one that leads there after `g`."""

    label: str
    url: str
    areas: tuple[str, ...] = ()
    value: str = ""
    icon: BarIcon | None = None
    short: str = ""
    is_first: bool = False
    is_help: bool = False
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """What `components/bar.html` shows. `mark` is where the tiles or the `logo` lead, `above` whose event it is,
    `leave` how to sign out."""

    name: str
    url: str
    line: str
    area: str
    entries: list[BarEntry]
    mark: BarEntry
    logo: str = ""
    above: tuple[BarEntry, ...] = ()
    menu: list[BarEntry] = field(default_factory=list)
    leave: BarEntry | None = None

    @property
    def is_in_menu(self) -> bool:
        """Whether the page is one of those under “More”."""
        return any(self.area in entry.areas for entry in self.menu)

    @property
    def folded(self) -> list[BarEntry]:
        """What is under “More” on phones only."""
        return [entry for entry in self.entries if not entry.icon]

    @property
    def is_folded(self) -> bool:
        """Whether the page is under “More” on phones."""
        return self.is_in_menu or any(self.area in entry.areas for entry in self.folded)

    @property
    def has_letters(self) -> bool:
        """Whether letters lead to its pages: it is the bar of those who work."""
        return any(entry.letter for entry in self.entries)


def get_role(tournament: Tournament) -> str:
    """The reader's role; pages about a single row load their tournament without it, and only directors get there."""
    return tournament.role or Role.DIRECTOR


def get_work_address(tournament: Tournament, role: str, query: str = "") -> str:
    """Where somebody with this role is at work at a tournament."""
    return reverse(WORK.get(Role(role), "director:console"), args=[tournament.slug]) + query


def list_work_entries(tournament: Tournament, query: str) -> list[BarEntry]:
    """The ways of those who work at a tournament, by their role: at most seven."""

    def lead(page: str) -> str:
        return reverse(page, args=[tournament.slug]) + query

    paired = tournament.rules.is_paired
    role = get_role(tournament)
    if role == Role.REFEREE:
        return [
            BarEntry(_("Tables"), lead("games:referee_overview"), ("results",), icon=BarIcon.ROUNDS),
            BarEntry(
                _("Jury") if tournament.rules.questions else _("Word judge"),
                reverse("games:judge", args=[tournament.slug]),
                ("judge",),
                icon=BarIcon.JUDGE,
            ),
        ]
    results = BarEntry(_("Results"), lead("games:current"), ("results", "rounds"), icon=BarIcon.ROUNDS)
    session = BarEntry(_("Slips"), lead("games:duplicate"), ("duplicate",), icon=BarIcon.ROUNDS)
    if role == Role.HELPER:
        check_in = BarEntry(_("Check-in"), lead("director:check_in"), ("entries",), icon=BarIcon.PEOPLE)
        return [results if paired else session, check_in]
    entries = BarEntry(_("Entries"), lead("director:entries"), ("entries",), icon=None if paired else BarIcon.PEOPLE)
    prints = BarEntry(_("Print"), lead("director:print_room"), ("prints",), icon=None if paired else BarIcon.PRINT)
    hall = BarEntry(_("Hall"), lead("director:hall"), ("hall",), icon=BarIcon.HALL)
    if not paired:
        session = BarEntry(
            pgettext("bar", "Session"), lead("games:duplicate"), ("duplicate", "console"), icon=BarIcon.HOME
        )
        return [session, entries, prints, hall]
    return [
        BarEntry(_("Overview"), lead("director:console"), ("console",), icon=BarIcon.HOME),
        entries,
        BarEntry(_("Rounds"), lead("director:rounds"), ("rounds", "results", "knockout"), icon=BarIcon.ROUNDS),
        BarEntry(_("Standings"), lead("director:table"), ("table",), icon=BarIcon.TABLE),
        BarEntry(pgettext("bar", "Finish"), lead("director:end"), ("end",)),
        prints,
        hall,
    ]


def build_work_bar(
    request: HttpRequest, tournament: Tournament, *, area: str, query: str, line: str, menu: Iterable[BarEntry]
) -> Bar:
    """The bar of those who work at a tournament. `line` is where it is at, `menu` what else a director may go to."""
    role = get_role(tournament)
    code, public = tournament.access_code, reverse("public:tournament", args=[tournament.slug])
    ways = list(menu)
    if tournament.is_public:
        ways.append(BarEntry(_("See the public page"), public, value="↗", is_first=bool(ways)))
    else:
        settings_address = reverse("director:settings", args=[tournament.slug])
        # Only a director can change that: to the others the line says it and leads nowhere.
        hidden = settings_address if role not in WORK else ""
        ways.append(BarEntry(_("Public page"), hidden, value=_("not public"), is_first=True))
    if not code:
        ways.append(BarEntry(_("All tournaments"), reverse("director:home")))
    # Last, and beside the page: what is typed there stays.
    ways.append(BarEntry(_("Help"), make_help_address(request), is_help=True))
    entries = list_work_entries(tournament, query)
    # Both together: a letter leads to one page, wherever in the bar this stands.
    lettered = assign_entry_letters([*entries, *ways])
    return Bar(
        name=tournament.name,
        url=get_work_address(tournament, role, query),
        line=line,
        area=area,
        entries=lettered[: len(entries)],
        mark=make_mark(code is None),
        menu=lettered[len(entries) :],
        leave=BarEntry(
            _("Leave") if code else _("Sign out"),
            reverse("leave_access_code" if code else "logout"),
            value=identify_worker(request)[1],
        ),
    )


def assign_entry_letters(entries: Sequence[BarEntry]) -> list[BarEntry]:
    """The ways, each with the letter that leads there; those that lead nowhere, or beside the page, have none."""
    pages = [entry for entry in entries if entry.url and not entry.is_help]
    # By the objects: not each way in the list has a letter, and two of them may be equal.
    letters = dict(zip(map(id, pages), assign_letters([entry.label for entry in pages]), strict=True))
    return [replace(entry, letter=letters.get(id(entry), "")) for entry in entries]


def list_account_entries() -> list[BarEntry]:
    """The ways of who has signed in, on pages of no tournament."""
    return assign_entry_letters(
        [
            BarEntry(_("My tournaments"), reverse("director:home"), ("home",)),
            BarEntry(_("My account"), reverse("account:own"), ("account",)),
        ]
    )


def make_mark(is_signed_in: bool) -> BarEntry:
    """Where the tiles at the head of a page lead."""
    if is_signed_in:
        return BarEntry(_("TSO: my tournaments"), reverse("director:home"))
    return BarEntry(_("TSO: all tournaments"), reverse("public:home"))


def build_public_bar(tournament: Tournament, area: str, query: str) -> Bar:
    """The bar of a tournament's public pages: five ways at most, and when and where it is."""

    def lead(page: str) -> str:
        return reverse(page, args=[tournament.slug]) + query

    def way(label: str, page: str, *areas: str, icon: BarIcon, short: str = "") -> BarEntry:
        return BarEntry(label, lead(page), areas, icon=icon, short=short)

    now = way(pgettext("bar", "Now"), "public:tournament", "tournament", icon=BarIcon.NOW)
    players, about = pgettext("bar", "Players"), pgettext("bar", "About")
    entries = way(_("Entries"), "public:entries", "entries", icon=BarIcon.PEOPLE, short=players)
    announcement = way(
        _("Announcement"), "public:announcement", "announcement", "register", icon=BarIcon.PAGE, short=about
    )
    if tournament.rules.is_paired:
        table = way(_("Standings"), "public:table", *TABLE_AREAS, icon=BarIcon.TABLE)
        rounds = way(_("Rounds"), "public:rounds", "rounds", icon=BarIcon.ROUNDS)
        ways = [now, table, rounds, entries, announcement]
    else:
        board, short = _("Board and standings"), pgettext("bar", "Board")
        session = way(board, "games:duplicate_public", "duplicate", icon=BarIcon.TABLE, short=short)
        ways = [now, session, entries, announcement]
    when = " · ".join(filter(None, (format_event_days(tournament), tournament.place)))
    club, logo = _make_club_mark(tournament.organiser, tournament.logo)
    above = [club]
    if tournament.season:
        slug, name = tournament.season
        above.append(BarEntry(name, reverse("public:season", args=[slug])))
    mark = club if logo else make_mark(is_signed_in=False)
    url = lead("public:tournament")
    return Bar(tournament.name, url, when, area, ways, mark=mark, logo=logo, above=tuple(above))


def _make_club_mark(organiser: Organiser, logo: int | None) -> tuple[BarEntry, str]:
    """The way to a club's front page, and the address of its logo, "" without one."""
    picture = reverse("public:club_picture", args=[organiser.slug, logo]) if logo else ""
    return BarEntry(organiser.name, reverse("public:organiser", args=[organiser.slug])), picture


def build_club_bar(organiser: Organiser, season: Season | None, logo: int | None, area: str) -> Bar:
    """The bar of a club's own pages: its events and, if there is one, its season."""
    club, picture = _make_club_mark(organiser, logo)
    ways = [BarEntry(_("Tournaments"), club.url, ("club",), icon=BarIcon.NOW)]
    if season is not None:
        counted = reverse("public:season", args=[season.slug])
        ways.append(BarEntry(_("Season"), counted, ("season",), icon=BarIcon.TABLE))
    mark = club if picture else make_mark(is_signed_in=False)
    return Bar(organiser.name, club.url, _("Tournaments, results, standings"), area, ways, mark=mark, logo=picture)


TABLE_AREAS = ("table", "crosstable", "bracket", "statistics", "chances", "ratings", "teams")
"""The public pages that are reached from the table."""
