"""The next season of a league: a copy of an event that is ended, in which players go up and down a division."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, RowDeleted, change
from tournament.core.records import list_divisions
from tournament.entries.operations.entries import copy_entries
from tournament.events.operations import copy_event_setup, make_event_copy, save_under_free_slug
from tournament.events.queries import find_preset_key
from tournament.models import Division, Entry, Tournament
from tournament.pairing.schedules import count_leg_rounds
from tournament.pairing.values import Method
from tournament.rounds.plan import read_round_plan, save_round_plan
from tournament.table.league import load_table


class SeasonMove(StrEnum):
    """What is proposed for a player in the next season."""

    UP = "up"
    DOWN = "down"
    STAYS = "stays"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class ProposedPlace:
    """A player of a division with the `rank` in its table, and where they are to play in the next season (None:
    nowhere). `is_level`: who shares the rank with them is proposed another way, so that somebody has to decide."""

    entry: Entry
    rank: int | None
    move: SeasonMove
    division: Division | None
    is_level: bool = False


def name_next_season(name: str) -> str:
    """The name of an event with its years one later: “Liga 2026/27” becomes “Liga 2027/28”."""

    def move(years: re.Match[str]) -> str:
        short = years["short"]
        # The short year goes round at the end of a century: “2098/99” becomes “2099/00”.
        return str(int(years["long"]) + 1) + (f"/{(int(short) + 1) % 100:02}" if short else "")

    # Not within a longer number: of “20261” no part is a year.
    return re.sub(r"(?<!\d)(?P<long>(?:19|20)\d\d)(?:/(?P<short>\d\d))?(?!\d)", move, name)


def propose_next_season(tournament: Tournament) -> list[tuple[Division, list[ProposedPlace]]]:
    """Who plays in which division in the next season, division by division in the order of the tables: the first `up`
    of a table in the division before, the last `down` in the one after, the others where they are. Whoever has left, or
    is disqualified, plays nowhere, and takes nobody's place. Six queries for each division."""
    divisions = list_divisions(tournament)
    proposals = []
    for at, division in enumerate(divisions):
        division.tournament = tournament
        above = divisions[at - 1] if at else None
        below = divisions[at + 1] if at + 1 < len(divisions) else None
        proposals.append((division, list(_propose_moves(division, above, below))))
    return proposals


def _propose_moves(division: Division, above: Division | None, below: Division | None) -> Iterator[ProposedPlace]:
    rows = load_table(division).rows
    playing = [row for row in rows if not row.entry.is_withdrawn]
    # In a small division nobody goes both ways: who goes up is counted first.
    up = min(division.up, len(playing)) if above else 0
    down = min(division.down, len(playing) - up) if below else 0
    moves = [SeasonMove.UP] * up + [SeasonMove.STAYS] * (len(playing) - up - down) + [SeasonMove.DOWN] * down
    move_by_entry = {row.entry.pk: move for row, move in zip(playing, moves, strict=True)}
    moves_by_rank: dict[int | None, set[SeasonMove]] = {}
    for row in playing:
        moves_by_rank.setdefault(row.standing.rank, set()).add(move_by_entry[row.entry.pk])
    targets = {SeasonMove.UP: above, SeasonMove.DOWN: below, SeasonMove.STAYS: division, SeasonMove.LEAVES: None}
    for row in rows:
        move, rank = move_by_entry.get(row.entry.pk, SeasonMove.LEAVES), row.standing.rank
        is_level = move is not SeasonMove.LEAVES and rank is not None and len(moves_by_rank[rank]) > 1
        yield ProposedPlace(row.entry, rank, move, targets[move], is_level)
    proposed = {row.entry.pk for row in rows}
    for entry in division.entries.with_names().exclude(pk__in=proposed).in_order():  # was to enter in a later round
        move = SeasonMove.LEAVES if entry.is_withdrawn else SeasonMove.STAYS
        yield ProposedPlace(entry, None, move, targets[move])


def start_next_season(
    tournament: Tournament,
    *,
    name: str,
    moves: Mapping[int, int | None],
    actor: Actor,
    starts_on: date | None = None,
    ends_on: date | None = None,
) -> Tournament:
    """Create the next season of a tournament that is ended, hidden as every copy, and enter players: by their old
    entries the divisions (of the old event) to whose copies they go; None or not named: nowhere. A round robin gets as
    many rounds as its players take. One entry of the new event's journal; the old one stays as it is. Raises
    `not_ended`, or `Refusals` with all faults."""
    if not tournament.is_ended:
        raise Refusal("not_ended", _("The next season begins once the tournament is ended."))
    season = make_event_copy(tournament, name=name, starts_on=starts_on, ends_on=ends_on)
    with transaction.atomic():
        save_under_free_slug(season)
        about = {"name": season.name, "source": tournament.slug, "preset": find_preset_key(tournament)}
        with change(season, actor=actor, verb="start_next_season", **about) as log:
            divisions = copy_event_setup(log, tournament)
            targets = {entry: target for entry, target in moves.items() if target is not None}
            # A division that was removed since the page was shown: its players would be entered nowhere, without a
            # word.
            if targets.values() - divisions.keys():
                raise RowDeleted
            copy_entries(log, tournament, {entry: divisions[target] for entry, target in targets.items()}, actor=actor)
            log.tell(count=season.entries.count())
            for old, division in divisions.items():
                _fit_round_robin(log, old, division)
    return season


def _fit_round_robin(log: Change, old: int, division: Division) -> None:
    """Plan as many legs of a round robin for the division's players as its original `old` had."""
    segments = read_round_plan(division.plan)
    # With those who left during the season: a round robin keeps their place, and with it its number of rounds.
    entered, before = division.entries.count(), Entry.objects.filter(division=old).count()
    if [segment.method for segment in segments] != [Method.ROUND_ROBIN] or entered < 2:
        return
    legs, rest = divmod(segments[0].last, count_leg_rounds(before))
    last = legs * count_leg_rounds(entered)
    # A plan that was no whole number of legs was somebody's own choice, and stays.
    if legs and not rest and last != segments[0].last:
        save_round_plan(log, division, [replace(segments[0], last=last)])
