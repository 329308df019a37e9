"""The front page of a club or of the installation: what runs, what comes, what was, and how a season stands. What costs
many queries is kept until the event or the season changes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Q
from django.utils.safestring import SafeString

from games.sessions.session_state import rank_session
from scoring.season import SeasonRule
from scoring.standings import RankingBasis
from tournament.core.public_view import open_public_view
from tournament.core.records import list_divisions
from tournament.core.words.figures import format_sixths
from tournament.ending.final_ranking import find_winners, may_be_final
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.models import Division, OnlineEntry, Registration, Season, Tournament
from tournament.pages.tables import render_movement
from tournament.seasons.season_table import build_season_table, get_season_state
from tournament.seasons.words import format_season_value
from tournament.table.league import list_league_rounds
from tournament.table.public_table import (
    DivisionProgress,
    find_current_round_number,
    get_division_progress,
    load_public_table,
)

FIRST_ROWS = 3  # of the table of an event that runs
MOST_BANNERS = 2  # events that run and are shown large; more are lines
SEASON_ROWS = 4
KEPT_SECONDS = 86400


@dataclass(frozen=True, slots=True)
class FirstRow:
    """A row of a running event's table: half wins, or points where the table is by points, those of Keizer written
    out."""

    rank: int
    name: str
    half_wins: int
    points: int | None
    keizer: str = ""

    @property
    def number_of_wins(self) -> int:
        """1 where the wins are spoken of as one: a half, too."""
        return 1 if 0 < self.half_wins <= 2 else 2


def load_running_event(tournament: Tournament) -> dict[str, Any]:
    """How an event that runs stands for the public: how far its first division is (`standing`), and who leads (`rows`)
    after round `after` (0: nobody yet). No query while it is kept, unless the event holds something back."""
    with open_public_view(tournament) as view:
        # By what the public sees now, not by the revision: what is held back appears with the clock, and nobody writes
        # then.
        key = f"front-running:{tournament.pk}:{view.state}"
        running_event = cache.get(key)
        if running_event is None:
            running_event = _read_running_event(tournament)
            cache.set(key, running_event, KEPT_SECONDS)
    standing, after, rows = running_event
    return {"tournament": tournament, "standing": standing, "after": after, "rows": rows}


def _read_running_event(tournament: Tournament) -> tuple[DivisionProgress | None, int, tuple[FirstRow, ...]]:
    if not tournament.rules.is_paired:
        return None, 0, ()
    division = list_divisions(tournament)[0]
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    lines = load_public_table(division, progress, after=after).lines[:FIRST_ROWS] if after else ()
    basis = tournament.ranking.basis
    # Whoever has left may stand in the table without a rank: they lead nobody.
    rows = tuple(
        FirstRow(
            line.standing.rank,
            line.entry.name,
            line.standing.half_wins,
            line.standing.points if basis is RankingBasis.POINTS else None,
            format_sixths(line.standing.keizer) if basis is RankingBasis.KEIZER else "",
        )
        for line in lines
        if line.standing.rank is not None
    )
    return get_division_progress(division, progress), after, rows


def list_winners(tournament: Tournament) -> list[tuple[str, str]]:
    """Who won each division of an event that is over: its name (empty for a single one) and theirs. No query while they
    are kept, unless the event holds something back."""
    with open_public_view(tournament) as view:
        key = f"front-winners:{tournament.pk}:{view.state}"
        winner_names: list[tuple[str, str]] | None = cache.get(key)
        # By None: a list without a winner is kept as well, and has another key once somebody has won.
        if winner_names is None:
            divisions = list_divisions(tournament)
            winners = ((division.name, "; ".join(_find_division_winners(division))) for division in divisions)
            winner_names = [(name if len(divisions) > 1 else "", names) for name, names in winners if names]
            cache.set(key, winner_names, KEPT_SECONDS)
    return winner_names


def _find_division_winners(division: Division) -> list[str]:
    """The first place of a division as the public knows it; nobody before it is final."""
    if not division.tournament.rules.is_paired:
        ranking = rank_session(division)
        is_final = ranking.is_over or division.tournament.is_ended
        return [entry.name for entry, place in ranking.ranks if place == 1 and is_final]
    if not may_be_final(division, list_league_rounds(division)):
        return []
    return find_winners([division])[division.pk]


def list_entry_offers(tournaments: Iterable[Tournament], now: datetime) -> dict[int, dict[str, Any]]:
    """The events that take registrations, or will, by primary key, with the places left (None without a limit);
    `entered` annotated. Two queries, none without letters."""
    listed = {tournament.pk: tournament for tournament in tournaments}
    if not listed or not is_online_entry_offered():
        return {}
    counted = Registration.objects.holding().filter(tournament__in=listed).values("tournament")
    holding = dict(counted.annotate(count=Count("pk")).values_list("tournament", "count"))
    open_to_come = Q(closes_at=None) | Q(closes_at__gt=now)
    offers = {}
    for online in OnlineEntry.objects.filter(open_to_come, tournament__in=listed, is_on=True):
        places_taken = listed[online.tournament_id].entered + holding.get(online.tournament_id, 0)  # type: ignore[attr-defined]  # annotated by `group_public_tournaments`
        # Never below none: the director may enter more players than the online entry has places.
        free = None if online.places is None else max(0, online.places - places_taken)
        offers[online.tournament_id] = {"is_open": online.has_opened(now), "opens_at": online.opens_at, "free": free}
    return offers


@dataclass(frozen=True, slots=True)
class SeasonTopRow:
    """A row of a season's table; `before` is the rank before the last event, None for players who had none."""

    rank: int
    before: int | None
    name: str
    worth: Fraction
    rule: SeasonRule

    @property
    def movement(self) -> SafeString:
        return render_movement(self.before, self.rank, is_new=self.before is None)

    @property
    def total(self) -> str:
        return format_season_value(self.worth, self.rule)


def load_season_top(seasons: Sequence[Season]) -> dict[str, Any] | None:
    """How the newest of these seasons stands: the first `rows` of its table after so many `events`; None without any.
    Two queries while it is kept."""
    if not seasons:
        return None
    season = max(seasons, key=lambda each: each.pk)
    key = f"front-season:{season.pk}:{get_season_state(season)}"
    season_top = cache.get(key)
    if season_top is None:
        table = build_season_table(season)
        rows = (
            SeasonTopRow(line.row.rank, line.before, line.player.called, line.row.total, season.counting.rule)
            for line in table.lines[:SEASON_ROWS]
        )
        # A tuple: a generator cannot be stored in the cache.
        season_top = len(table.counted), tuple(rows)
        cache.set(key, season_top, KEPT_SECONDS)
    events, first_rows = season_top
    return {"season": season, "events": events, "rows": first_rows}
