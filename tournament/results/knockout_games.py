"""The games of the knock-out: after every result exactly those exist that are certain to be needed (TSO 6.2)."""

import itertools
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.knockout_values import DueGame, KnockoutSystem, MatchPlace
from scoring.standings import PlayerKey
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.basics.showing import ShowingRule
from tournament.core.change import Change, ChangeLog
from tournament.core.division_tables import find_free_tables, list_table_numbers
from tournament.core.records import OWNED_TABLES
from tournament.core.reports import Report
from tournament.core.words.figures import format_clause
from tournament.core.words.outcomes import format_short_report
from tournament.core.words.rounds import format_table_name
from tournament.models import Entry, Knockout, MatchLot, NotRecorded, Pairing, Round, Seat, Tournament
from tournament.pairing.seating import TableWish, assign_tables
from tournament.pairing.values import Method
from tournament.results.knockout_state import KnockoutState, compares_places, load_knockout_state


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A game by its place, with its players (starter first) and its result, if it has one."""

    place: str
    players: tuple[str, ...]
    report: Report | None = None

    @classmethod
    def of(cls, pairing: Pairing) -> "PlacedGame":
        """A stored game; its round, players and official result are fetched."""
        report = None if pairing.result is None else Report.of(pairing.result)
        return cls(format_table_name(pairing), tuple(seat.entry.name for seat in pairing.seats.all()), report)

    def __str__(self) -> str:
        """Final, game 1: Anna – Jörg 431 : 388."""
        words = {"game": self.place, "names": " – ".join(self.players)}
        if self.report is None:
            return _("%(game)s: %(names)s") % words
        return _("%(game)s: %(names)s %(result)s") % {**words, "result": format_short_report(self.report, self.players)}


RESULT_ID_PATTERN = re.compile(r"[0-9]{1,18}")
"""A row's number as a page of ours writes it; a longer one is no row's in any database."""

GameSpot = tuple[int, int, int]  # where a game stands: stage, position of its match, number of the game in its match


@dataclass(frozen=True, slots=True)
class KnockoutGameChanges:
    """What has to happen to the stored games of a knock-out: `missing` ones are to be laid out, `gone` pairings no game
    needs any more, `lots` were drawn for somebody who no longer plays that match. Pairings have their round, players
    and official results fetched."""

    missing: tuple[tuple[GameSpot, DueGame], ...]
    gone: tuple[Pairing, ...]
    lots: tuple[MatchLot, ...]

    @property
    def disturbed(self) -> tuple[Pairing, ...]:
        """The pairings in `gone` that have been played."""
        return tuple(pairing for pairing in self.gone if pairing.result is not None)


class LaterGamesDisturbed(Refusal, code="disturbs_later"):
    """A question: games that have been played would no longer count. `results` are their ids, to be confirmed."""

    message = gettext_lazy(
        "This changes how a match of the knock-out is decided%(clause)s, so that games played after it would no longer "
        "count: %(games)s."
    )

    def __init__(self, played: Collection[Pairing], clause: str) -> None:
        super().__init__(
            games="; ".join(str(PlacedGame.of(pairing)) for pairing in played), clause=format_clause(clause)
        )
        self.results = list_result_ids(played)

    @property
    def agreed(self) -> str:
        """What a page sends back once it has asked."""
        return format_result_ids(self.results)


def format_result_ids(results: Iterable[int]) -> str:
    """Ids of results as a page sends them back once it has asked about them: 12-15."""
    return "-".join(map(str, results))


def parse_result_ids(text: str) -> tuple[int, ...]:
    """The ids that a page sends back; anything else is ignored."""
    # Ignoring is safe: an id that is missing here was not agreed to, and the page asks about its game once more.
    return tuple(int(part) for part in text.split("-") if RESULT_ID_PATTERN.fullmatch(part))


def list_result_ids(played: Iterable[Pairing]) -> tuple[int, ...]:
    """The ids of the official results of these pairings, in order."""
    return tuple(sorted(pairing.result.pk for pairing in played if pairing.result is not None))


def load_knockout_games(knockout: Knockout) -> list[Pairing]:
    """The stored games of a knock-out with round, players and official results, in order. Three queries."""
    pairings = Pairing.objects.filter(round__division=knockout.division_id, round__stage__isnull=False)
    listed = list(
        pairings.select_related("round").with_players().with_results().order_by("round__stage", "table", "round__game")
    )
    for pairing in listed:
        # Set by hand: the name of a game's place asks for its knock-out by the division, which would be fetched for
        # each game.
        pairing.round.division = knockout.division
    return listed


def find_knockout_game_changes(state: KnockoutState) -> KnockoutGameChanges:
    """What has to happen so that the stored games are those that a knock-out needs. Four queries."""
    knockout = state.knockout
    needed = {(match.stage, match.position, due.number): due for match in state.bracket.matches for due in match.needed}
    spots_kept: set[GameSpot] = set()
    gone: list[Pairing] = []
    for pairing in load_knockout_games(knockout):
        spot = (pairing.round.stage or 0, pairing.match_position or 0, pairing.round.game or 0)
        if spot in needed and _seats_same_players(pairing, needed[spot]):
            spots_kept.add(spot)
        else:
            gone.append(pairing)
    players = {match.place: match.players for match in state.bracket.matches}
    drawn = MatchLot.objects.filter(knockout=knockout).order_by("pk")
    return KnockoutGameChanges(
        missing=tuple((spot, due) for spot, due in sorted(needed.items()) if spot not in spots_kept),
        gone=tuple(gone),
        # A lot for somebody whom a correction has put out of the match: kept, it would decide the match, unseen, as
        # soon as a further correction brought them back.
        lots=tuple(lot for lot in drawn if lot.winner_id not in players.get((lot.stage, lot.position), ())),
    )


def _seats_same_players(pairing: Pairing, due: DueGame) -> bool:
    """Whether a stored game is the one that is due; who starts matters only while it is open."""
    seated: list[PlayerKey] = [seat.entry_id for seat in pairing.seats.all()]
    players_due = [due.first, due.second]
    return seated == players_due or (
        pairing.result is not None and sorted(map(str, seated)) == sorted(map(str, players_due))
    )


def update_knockout_games(log: Change, knockout: Knockout, *, disturb: Collection[int] = ()) -> None:
    """Make the stored games those that are needed now, within an open change. Open games come and go without asking;
    raises `LaterGamesDisturbed` if games with results would be removed, unless `disturb` names all of these results."""
    # The locked row: other credits for forfeits may have been set since the caller read the event, and they decide
    # matches.
    knockout.division.tournament = log.tournament
    state = load_knockout_state(knockout.division)
    if state is None:
        return
    changes = find_knockout_game_changes(state)
    # By the ids of results, not by a yes: what somebody has agreed to is what they were shown, and a game that was
    # played since is asked about anew.
    if not set(list_result_ids(changes.disturbed)) <= set(disturb):
        raise LaterGamesDisturbed(changes.disturbed, log.tournament.rules.clauses.knockout.whole)
    if changes.disturbed:
        log.tell(disturbed=[str(PlacedGame.of(pairing)) for pairing in changes.disturbed])
    log.delete_all(changes.lots)
    # What was said to be recorded nowhere was said of games that go now.
    matches = {(pairing.round.stage, pairing.match_position) for pairing in changes.disturbed}
    facts = NotRecorded.objects.filter(knockout=knockout).order_by("pk") if matches else ()
    log.delete_all([row for row in facts if (row.stage, row.position) in matches])
    refilled = {(stage, game) for (stage, _position, game), _due in changes.missing}
    _delete_games(log, knockout, changes.gone, refilled=refilled)
    _lay_out_games(log, knockout, changes.missing)


def update_all_knockouts(log: Change, tournament: Tournament) -> None:
    """`update_knockout_games` for every seeded knock-out of a tournament. Raises `LaterGamesDisturbed`."""
    # `distinct`, since each seed joins a row: the bracket of sixteen would be worked out sixteen times.
    seeded = Knockout.objects.filter(division__tournament=tournament, seeds__isnull=False).distinct()
    for knockout in seeded.select_related("division__tournament").order_by("pk"):
        update_knockout_games(log, knockout)


def update_knockout_of_round(log: Change, round: Round, *, disturb: Collection[int] = ()) -> None:
    """`update_knockout_games` for the knock-out that a round belongs to or, if it is one of the league, for the one
    whose level matches are decided by the places in its table."""
    knockouts = Knockout.objects.filter(division=round.division_id)
    # Most events have none: a few bytes are asked for at each result of theirs, not a row of both tables.
    if round.stage is None and not knockouts.exists():
        return
    knockout = knockouts.select_related("division").get()
    # A result of the league moves the bracket too, where level matches go by the places in its table: a match that was
    # over would change its winner without a word.
    if round.stage is not None or (compares_places(knockout) and knockout.seeds.exists()):
        update_knockout_games(log, knockout, disturb=disturb)


def delete_knockout_games(log: Change, knockout: Knockout) -> None:
    """Delete all games of a knock-out within an open change, with whatever belongs to them."""
    _delete_games(log, knockout, load_knockout_games(knockout))


def _delete_games(
    log: Change, knockout: Knockout, gone: Collection[Pairing], *, refilled: Collection[tuple[int, int]] = ()
) -> None:
    """Delete pairings with everything that belongs to them, and rounds that are then empty and not `refilled`."""
    if not gone:
        return
    delete_rows_of_pairings(log, gone)
    # Each table by name, and before those that it refers to: what the database would delete along stands in no journal,
    # and an undo could not bring it back.
    log.delete_all(list(Seat.objects.filter(pairing__in=gone).order_by("pk")))
    log.delete_all(list(gone))
    empty = Round.objects.filter(division=knockout.division_id, stage__isnull=False, pairings=None).order_by("pk")
    # A round that gets games again in the same change stays: made anew, it would have another key and another moment of
    # publishing.
    log.delete_all([round for round in empty if (round.stage, round.game) not in refilled])


def delete_rows_of_pairings(log: ChangeLog, pairings: Collection[Pairing]) -> None:
    """Delete what belongs to pairings except their seats: results, and what the apps above keep of a game."""
    behind = f"__{OWNED_TABLES[Pairing]}"  # what leads from a pairing to its tournament
    # Backwards: in the register of tables whatever refers to another one stands after it.
    for model, way in reversed(OWNED_TABLES.items()):
        if way.endswith(f"pairing{behind}"):
            rows = model._default_manager.filter(**{f"{way.removesuffix(behind)}__in": pairings})
            log.delete_all(list(rows.order_by("pk")))


def _lay_out_games(log: Change, knockout: Knockout, missing: Collection[tuple[GameSpot, DueGame]]) -> None:
    # Rounds are shared by the matches of a stage, which come one by one: the first semi-final has laid out the round in
    # which the second is played.
    rounds = {
        (round.stage, round.game): round
        for round in Round.objects.filter(division=knockout.division_id, stage__isnull=False)
    }
    for stage, game in sorted({(stage, game) for (stage, _position, game), _due in missing} - rounds.keys()):
        rounds[stage, game] = log.create(
            Round(
                division=knockout.division,
                number=Round.knockout_number(stage, game),
                stage=stage,
                game=game,
                method=Method.MANUAL,
                state=Round.State.PUBLISHED,
                published_at=log.now,
                **ShowingRule.of(log.tournament).columns,
            )
        )
    tables = _choose_match_tables(knockout, missing)
    pairings = log.create_all(
        Pairing(
            round=rounds[stage, game],
            kind=Pairing.Kind.GAME,
            table=tables.get((stage, position), position),
            position=position if (stage, position) in tables else None,
        )
        for (stage, position, game), _due in missing
    )
    log.create_all(
        Seat(pairing=pairing, round=pairing.round, entry_id=entry, side=side)
        for pairing, (_spot, due) in zip(pairings, missing, strict=True)
        for side, entry in ((Seat.FIRST, due.first), (Seat.SECOND, due.second))
    )


def _choose_match_tables(knockout: Knockout, missing: Collection[tuple[GameSpot, DueGame]]) -> dict[MatchPlace, int]:
    """The tables of the division's own at which these games are played: that of earlier games of the match, one that is
    kept for a player of it, or the one with the number of its position among them, else the next that is free. Empty
    where tables count from 1, by position, and the stages follow each other. Six queries at most."""
    # Asked only where games are laid out: this runs with every result of the knock-out, and most of them bring none.
    own, tables_of_others = find_free_tables(knockout.division) if missing else ((), frozenset())
    if not own and missing and knockout.system != KnockoutSystem.SINGLE:
        # The winners play their next round while the losers are at theirs: both would sit at tables 1, 2, 3.
        own = ((limits.TABLE.low, limits.TABLE.high),)
    if not own:
        return {}
    stages = {stage for (stage, _position, _game), _due in missing}
    games = Pairing.objects.filter(round__division=knockout.division_id, kind=Pairing.Kind.GAME)
    # Games of these stages, and those of others that are still to be played: their tables are not free.
    games = games.filter(Q(round__stage__in=stages) | ~Q(results__official=True)).select_related("round")
    tables: dict[MatchPlace, int] = {}
    occupied = set(tables_of_others)
    for game in games:
        occupied.add(game.table or 0)
        tables[game.round.stage or 0, game.match_position or 0] = game.table or 0
    players = {(stage, position): (int(due.first), int(due.second)) for (stage, position, _game), due in missing}
    fixed = Entry.objects.filter(pk__in=itertools.chain(*players.values())).exclude(fixed_table=None)
    fixed_tables = dict(fixed.values_list("pk", "fixed_table"))
    wishes: dict[MatchPlace, TableWish] = {}
    # In the order of the bracket: a set has none, and the same seeds are to give the same tables again.
    for place in sorted(players.keys() - tables.keys()):
        usual = itertools.islice(list_table_numbers(own), place[1] - 1, place[1])
        wished = [*(fixed_tables[player] for player in players[place] if player in fixed_tables), *usual]
        wishes[place] = tuple(table for table in wished if table and table not in occupied), players[place]
    chosen, _notes = assign_tables([*wishes.values()], own, frozenset(occupied))
    return {place: tables[place] for place in players if place in tables} | dict(zip(wishes, chosen, strict=True))
