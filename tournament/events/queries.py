"""Which tournaments and divisions pages list: for everybody on the front page, for their directors, by organiser."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Case, Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from tournament.core.public_view import list_unseen_rounds
from tournament.core.sessions import BEGUN_SESSION_FINDERS
from tournament.models import Division, Entry, JournalEntry, Organiser, Player, Round, Tournament
from tournament.table.league import count_planned_rounds


def list_tournaments(organiser: Organiser) -> QuerySet[Tournament]:
    """The tournaments of an organiser, newest first, with `entered` players."""
    entered = Count("entries", filter=Q(entries__withdrawn_after=None))
    return Tournament.objects.filter(organiser=organiser).annotate(entered=entered).newest_first()


def list_counted_divisions(tournament: Tournament) -> list[Division]:
    """The divisions in order, each with how many players are `entered`. One query."""
    return list(tournament.divisions.annotate(entered=Count("entries")).order_by("position", "pk"))


def group_public_tournaments(today: date, organiser: Organiser | None = None) -> dict[str, list[Tournament]]:
    """Public tournaments, of one organiser or all, "running", "coming" and "ended"; empty groups are left out. The
    director's word or the last day ends one; one without days runs once a round is public or a turn is drawn. Each has
    its `entered` players and the last public round `played`. Two queries."""
    public = Tournament.objects.public()
    entries = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_after=None).order_by()
    rounds = Round.objects.league().public().filter(division__tournament=OuterRef("pk")).order_by()
    rounds = rounds.exclude(pk__in=list_unseen_rounds())
    in_session = Q(pk__in=[])
    for find in BEGUN_SESSION_FINDERS:
        in_session |= Q(pk__in=find())
    found = (
        (public if organiser is None else public.filter(organiser=organiser))
        .select_related("organiser")
        .annotate(
            # Each counted by itself: joined, every entry would meet every round.
            entered=Coalesce(Subquery(entries.values("tournament").annotate(count=Count("pk")).values("count")), 0),
            played=Subquery(rounds.values("division__tournament").annotate(last=Max("number")).values("last")),
            in_session=Case(When(in_session, then=True), default=False),
            last_day=Coalesce("ends_on", "starts_on"),
        )
        .newest_first()
    )
    groups: dict[str, list[Tournament]] = {"running": [], "coming": [], "ended": []}
    for tournament in found:
        groups[_classify_tournament(tournament, today)].append(tournament)
    groups["coming"].sort(key=lambda tournament: (tournament.starts_on is None, tournament.starts_on or today))
    return {when: listed for when, listed in groups.items() if listed}


def _classify_tournament(tournament: Tournament, today: date) -> str:
    if tournament.is_ended:
        return "ended"
    if tournament.starts_on is None:
        over = tournament.ends_on is not None and tournament.ends_on < today
        begun = tournament.played or tournament.in_session  # type: ignore[attr-defined]  # as below
        return "ended" if over else "running" if begun else "coming"
    if tournament.starts_on > today:
        return "coming"
    return "ended" if tournament.last_day < today else "running"  # type: ignore[attr-defined]  # annotated above


def list_public_organisers() -> list[Organiser]:
    """The organisers that have anything public, by name, if there is more than one. One query."""
    listed = list(Organiser.objects.filter(tournaments__is_public=True).distinct().order_by("name", "pk"))
    return listed if len(listed) > 1 else []


@dataclass(frozen=True, slots=True)
class DivisionState:
    """Where a division is: its last round (0: none yet), whether that is a draft, the rounds planned, and whether a
    knock-out is on."""

    division: Division
    number: int
    is_draft: bool
    planned: int
    in_knockout: bool


@dataclass(frozen=True, slots=True)
class BarFacts:
    """What the bar of a tournament's working pages says: where a division is (`several`: one of them), when something
    was done last, and how many the register has."""

    state: DivisionState
    several: bool
    last_act: datetime | None
    registered: int


def _annotate_states(divisions: QuerySet[Division]) -> QuerySet[Division]:
    rounds = Round.objects.filter(division=OuterRef("pk"))
    newest = rounds.league().order_by("-number")
    return divisions.annotate(
        last_number=Subquery(newest.values("number")[:1]),
        last_state=Subquery(newest.values("state")[:1]),
        in_knockout=Exists(rounds.exclude(stage=None)),
    ).order_by("position", "pk")


def _read_state(division: Any) -> DivisionState:
    is_draft = division.last_state == Round.State.DRAFT
    planned = count_planned_rounds(division)
    return DivisionState(division, division.last_number or 0, is_draft, planned, division.in_knockout)


def load_division_states(tournaments: Iterable[Tournament]) -> dict[int, list[DivisionState]]:
    """Where the divisions of each tournament are, in order, by the tournament's primary key. One query."""
    by_key = {tournament.pk: tournament for tournament in tournaments}
    found: dict[int, list[DivisionState]] = {}
    for division in _annotate_states(Division.objects.filter(tournament__in=by_key)):
        division.tournament = by_key[division.tournament_id]
        found.setdefault(division.tournament_id, []).append(_read_state(division))
    return found


def load_bar_facts(tournament: Tournament, division: Division | None) -> BarFacts | None:
    """The facts for the bar, of this division or the first; None while there is none. One query."""
    mine = Division.objects.filter(tournament=tournament)
    acts = JournalEntry.objects.filter(tournament=tournament).order_by("-number")
    players = Player.objects.filter(organiser=tournament.organiser_id).values("organiser").annotate(count=Count("pk"))
    found: Any = (
        _annotate_states(mine if division is None else mine.filter(pk=division.pk))
        .annotate(
            several=Exists(mine.exclude(pk=OuterRef("pk"))),
            last_act=Subquery(acts.values("at")[:1]),
            registered=Coalesce(Subquery(players.values("count")), 0),
        )
        .first()
    )
    if found is None:
        return None
    found.tournament = tournament
    return BarFacts(_read_state(found), found.several, found.last_act, found.registered)
