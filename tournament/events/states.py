"""How far events are: their last rounds and plans, for lists and for the bar at the head of their pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.timezone import localdate

from tournament.models import Division, JournalEntry, Pairing, Player, Result, Round, Tournament
from tournament.models.play import RoundQuerySet
from tournament.table.league import FIXED_METHODS, count_planned_rounds


@dataclass(frozen=True, slots=True)
class DivisionState:
    """How far a division is: its last round, in a league over weeks the one played now (0: none yet), whether that is
    a draft, how many rounds are planned, and whether there is a knock-out."""

    division: Division
    number: int
    is_draft: bool
    planned: int
    in_knockout: bool


@dataclass(frozen=True, slots=True)
class BarFacts:
    """What the bar of a tournament's working pages says: where a division is (`several`: one of them), when something
    was done last, how many the register has, and the key of the preset that the event was made from, if any."""

    state: DivisionState
    several: bool
    last_act: datetime | None
    registered: int
    preset: str


@lru_cache(maxsize=2)
def _make_query_of_states(today: date) -> QuerySet[Division]:
    """All divisions with how far they are on a day: the query, never its rows. It is made once, since making it took
    longer than asking."""
    rounds = Round.objects.filter(division=OuterRef("pk"))
    newest = rounds.league().order_by("-number")
    return Division.objects.annotate(
        last_number=Subquery(newest.values("number")[:1]),
        last_state=Subquery(newest.values("state")[:1]),
        due_number=Subquery(rounds.league().public().filter(due_on__gte=today).order_by("number").values("number")[:1]),
        begun_number=Subquery(_select_scheduled_now(rounds)),
        in_knockout=Exists(rounds.exclude(stage=None)),
    ).order_by("position", "pk")


@lru_cache(maxsize=2)
def _make_query_of_bar_facts(today: date) -> QuerySet[Division]:
    """All divisions with what the bar says: the query, never its rows."""
    divisions = Division.objects.filter(tournament=OuterRef("tournament"))
    acts = JournalEntry.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    players_known = Player.objects.current().filter(organiser=OuterRef("tournament__organiser"))
    players = players_known.values("organiser").annotate(count=Count("pk"))
    # All by one query, since every working page of an event has the bar; the preset stands in the journal's first
    # entry.
    return _make_query_of_states(today).annotate(
        several=Exists(divisions.exclude(pk=OuterRef("pk"))),
        last_act=Subquery(acts.values("at")[:1]),
        made_by=Subquery(acts.filter(number=1).values("details")[:1]),
        # Of no rows a grouped count is no row, and so None.
        registered=Coalesce(Subquery(players.values("count")), 0),
    )


def _select_scheduled_now(rounds: RoundQuerySet) -> QuerySet[Round, Any]:
    """The number of the round that is played now of a schedule published in one act without days, as
    `find_round_of_day` finds it; empty where there is none."""
    official = Result.objects.filter(official=True, pairing__kind=Pairing.Kind.GAME)
    later = {"division": OuterRef("division"), "stage": None, "number__gt": OuterRef("number")}
    later_results = official.filter(**{f"pairing__round__{name}": value for name, value in later.items()})
    open_games = Pairing.objects.filter(round=OuterRef("pk"), kind=Pairing.Kind.GAME)
    open_games = open_games.exclude(Exists(official.filter(pairing=OuterRef("pk"))))
    newest = Round.objects.filter(division=OuterRef("division")).league().public().order_by("-number")
    last, last_but_one = (Subquery(newest.values("published_at")[place : place + 1]) for place in (0, 1))
    scheduled = rounds.league().public().filter(due_on=None, method__in=FIXED_METHODS)
    # Two rounds published at one moment were published in one act: those of a day are published one after the other.
    scheduled = scheduled.alias(last=last, last_but_one=last_but_one).filter(last=F("last_but_one"))
    return scheduled.filter(Exists(open_games), ~Exists(later_results)).order_by("number").values("number")[:1]


def _read_state(division: Any) -> DivisionState:
    is_draft = division.last_state == Round.State.DRAFT
    planned = count_planned_rounds(division)
    # While there is a draft it is what the director works on, also in a league in which an earlier round is being
    # played.
    number = (not is_draft and (division.due_number or division.begun_number)) or division.last_number or 0
    return DivisionState(division, number, is_draft, planned, division.in_knockout)


def load_division_states(tournaments: Iterable[Tournament]) -> dict[int, list[DivisionState]]:
    """How far the divisions of each tournament are, in order, by the tournament's primary key. One query."""
    by_key = {tournament.pk: tournament for tournament in tournaments}
    states: dict[int, list[DivisionState]] = {}
    for division in _make_query_of_states(localdate()).filter(tournament__in=by_key):
        division.tournament = by_key[division.tournament_id]
        states.setdefault(division.tournament_id, []).append(_read_state(division))
    return states


def load_bar_facts(tournament: Tournament, division: Division | None) -> BarFacts | None:
    """The facts for the bar, of this division or the first; None while there is none. One query."""
    divisions = _make_query_of_bar_facts(localdate()).filter(tournament=tournament)
    facts: Any = (divisions if division is None else divisions.filter(pk=division.pk)).first()
    if facts is None:
        return None
    facts.tournament = tournament
    preset = (facts.made_by or {}).get("preset", "")
    return BarFacts(_read_state(facts), facts.several, facts.last_act, facts.registered, preset)
