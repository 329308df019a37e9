"""From rows to an event as a plain value, which every export is written from. The same queries whatever the size."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Prefetch

from scoring import knockout
from scoring.awards import Awards, Outcome
from scoring.knockout_values import FactKind, Match, MatchPlace, UnrecordedFacts
from tournament.basics.showing import ShowingRule
from tournament.core.reports import SIDE_FIELDS, Report
from tournament.ending.plan import CertificateText
from tournament.exchange.checks import make_bracket_input
from tournament.exchange.objects import read_row
from tournament.exchange.shapes import clean_text
from tournament.exchange.storing import GamesByMatch
from tournament.exchange.values import (
    AbsenceData,
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    LotData,
    MatchData,
    MatchLotData,
    NoteData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
)
from tournament.models import (
    Absence,
    Division,
    Entry,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    Pairing,
    Prize,
    Round,
    Seat,
    Seed,
    Tournament,
)
from tournament.pairing.values import ClaimCondition, Method, NoteCode, rename_figure_players

SESSION_LOADERS: list[Callable[[Tournament, Mapping[int, str]], dict[int, DuplicateData]]] = []
"""All sessions of a tournament by division, in five queries; filled by the app above (`games.registers`)."""

PlayerIds = Mapping[int, str]  # the players' ids in the file by the primary keys of their entries


def _read_knockout(stored: Knockout, keys: PlayerIds, games: Mapping[MatchPlace, list[GameData]]) -> KnockoutData:
    said: dict[MatchPlace, set[FactKind]] = defaultdict(set)
    for row in stored.not_recorded.all():
        said[row.stage, row.position].add(FactKind(row.fact))
    block = read_row(
        stored,
        KnockoutData,
        seeds=tuple(keys[seed.entry_id] for seed in stored.seeds.all()),
        matches=_make_matches(games, said),
        lots=tuple(read_row(lot, MatchLotData, winner=keys[lot.winner_id]) for lot in stored.lots.all()),
    )
    return _remove_implied_games(block, stored.division.tournament.awards)


def _make_matches(games: Mapping[MatchPlace, list[GameData]], said: UnrecordedFacts) -> tuple[MatchData, ...]:
    """The matches that have games, each with what was `said` not to be recorded of it."""
    return tuple(
        MatchData(
            stage=place[0],
            position=place[1],
            games=tuple(games[place]),
            not_recorded=tuple(fact for fact in FactKind if fact in said.get(place, ())),
        )
        for place in sorted(games)
        if games[place]
    )


def _remove_implied_games(block: KnockoutData, figures: Awards) -> KnockoutData:
    """The block without superfluous games, lots for other players, and open games that follow from the rules.
    Operations leave none of the first two behind, but a file must be readable in any case."""
    bracket, problems = knockout.fit_bracket(*make_bracket_input(block, figures))
    wrong = {(problem.place, problem.game) for problem in problems}
    matches = {match.place: match for match in bracket.matches}
    kept: dict[MatchPlace, list[GameData]] = {}
    for match in block.matches:
        place = match.place
        if place in matches:
            fitting = [game for number, game in enumerate(match.games, 1) if (place, number) not in wrong]
            kept[place] = fitting[: _count_stated_games(matches[place], fitting)]
    lots = tuple(lot for lot in block.lots if (lot.place, None) not in wrong)
    said = {match.place: match.not_recorded for match in block.matches}
    return replace(block, matches=_make_matches(kept, said), lots=lots)


def _count_stated_games(match: Match, games: Sequence[GameData]) -> int:
    """How many of a match's games a file states: up to the last result that counts, or the last start out of turn."""
    last, starts = 0, match.players[0]
    for number, game in enumerate(games[: min(len(match.games), len(match.needed))], 1):
        if game.outcome != Outcome.OPEN or game.first != starts:
            last = number
        starts = game.second
    return last


def load_event_data(tournament: Tournament) -> EventData:
    """A stored tournament as the value that files are written from, with its texts tidied. Fourteen queries at most."""
    absences = Prefetch("absences", Absence.objects.order_by("number"))
    entries = list(tournament.entries.with_names().in_order().prefetch_related(absences))
    keys = {entry.pk: entry.key for entry in entries}
    divisions = tournament.divisions.order_by("position", "pk").prefetch_related(
        Prefetch("lots", Lot.objects.order_by("pk")),
        Prefetch("prizes", Prize.objects.select_related("club").in_order()),
        Prefetch("knockout__seeds", Seed.objects.order_by("number")),
        Prefetch("knockout__lots", MatchLot.objects.order_by("stage", "position")),
        "knockout__not_recorded",
    )
    names = {division.pk: division.name for division in divisions}
    rounds, matches = _load_rounds(tournament, keys)
    apart = _load_kept_apart(tournament, keys)
    loaders = [] if tournament.rules.is_paired else SESSION_LOADERS
    sessions = {pk: session for load in loaders for pk, session in load(tournament, keys).items()}
    return read_row(
        tournament,
        EventData,
        ranking=tournament.ranking,
        awards=tournament.awards,
        public=tournament.is_public,
        shown=ShowingRule.of(tournament),
        ended=tournament.is_ended,
        certificate=CertificateText.read(tournament.certificate),
        players=tuple(_make_player_data(entry, names[entry.division_id]) for entry in entries),
        divisions=tuple(
            _make_division_data(
                division,
                keys,
                matches.get(division.pk, {}),
                rounds=tuple(rounds[division.pk]),
                kept_apart=tuple(apart[division.pk]),
                duplicate=sessions.get(division.pk),
            )
            for division in divisions
        ),
    )


def _load_kept_apart(tournament: Tournament, keys: PlayerIds) -> dict[int, list[tuple[str, str]]]:
    """The pairs of players by division. One query."""
    found = defaultdict(list)
    pairs = KeptApart.objects.filter(one__tournament=tournament).select_related("one")
    for pair in pairs.order_by("one_id", "other_id"):
        found[pair.one.division_id].append((keys[pair.one_id], keys[pair.other_id]))
    return found


def _make_division_data(
    division: Division, keys: PlayerIds, games: Mapping[MatchPlace, list[GameData]], **given: Any
) -> DivisionData:
    """The division with what is `given`, and with its knock-out, whose `games` these are."""
    plan = [_make_segment_data(each) for each in division.plan]
    lots = [LotData(after=lot.after, order=tuple(keys[pk] for pk in lot.order)) for lot in division.lots.all()]
    return read_row(
        division,
        DivisionData,
        plan=tuple(sorted(plan, key=lambda part: part.first)),
        knockout=_read_knockout(division.knockout, keys, games) if hasattr(division, "knockout") else None,
        lots=tuple(lots),
        prizes=tuple(_read_prize(prize, keys) for prize in division.prizes.all()),
        **given,
    )


def _read_prize(prize: Prize, keys: PlayerIds) -> PrizeData:
    club, winner = prize.club.name if prize.club else "", prize.winner_id
    return read_row(prize, PrizeData, club=club, winner=None if winner is None else keys[winner])


def _make_player_data(entry: Entry, division: str) -> PlayerData:
    return read_row(
        entry,
        PlayerData,
        id=entry.key,
        name=entry.player.name,
        club=entry.club.name if entry.club else None,
        division=division,
        absences=tuple(
            AbsenceData(round=absence.number, loss=absence.counts_as_loss) for absence in entry.absences.all()
        ),
    )


def _make_segment_data(stored: Mapping[str, Any]) -> SegmentData:
    first, last = stored["rounds"]
    more = {name: stored[name] for name in ("repeats", "factor", "behind") if name in stored}
    return SegmentData(first=first, last=last, method=Method(stored["method"]), **more)


def _load_rounds(tournament: Tournament, keys: PlayerIds) -> tuple[dict[int, list[RoundData]], GamesByMatch]:
    """The rounds of each division with their pairings by table, and the games of each match. Four queries."""
    pairings = defaultdict(list)
    found = Pairing.objects.filter(round__division__tournament=tournament).with_results().by_table()
    for pairing in found.prefetch_related("seats"):
        pairings[pairing.round_id].append(pairing)
    rounds: dict[int, list[RoundData]] = defaultdict(list)
    matches: GamesByMatch = defaultdict(dict)
    for round in Round.objects.filter(division__tournament=tournament).in_order():
        if round.stage is None:
            rounds[round.division_id].append(_make_round_data(round, pairings[round.pk], keys))
            continue
        for pairing in pairings[round.pk]:
            game = GameData(**_make_game_fields(pairing, keys))
            matches[round.division_id].setdefault((round.stage, pairing.table or 0), []).append(game)
    return rounds, matches


def _make_round_data(round: Round, pairings: Sequence[Pairing], keys: PlayerIds) -> RoundData:
    return read_row(
        round,
        RoundData,
        tiles=round.tiles,
        groups=tuple(tuple(keys[pk] for pk in group if pk in keys) for group in round.groups),
        notes=tuple(
            NoteData(
                code=NoteCode(note["code"]),
                players=tuple(keys[pk] for pk in note["keys"] if pk in keys),
                figure=note["figure"],
                unless=tuple(ClaimCondition(each) for each in note["unless"]),
            )
            for note in round.notes
        ),
        shown=ShowingRule.of(round),
        pairings=tuple(
            read_row(
                pairing,
                PairingData,
                **_make_game_fields(pairing, keys),
                why=tuple(rename_figure_players(reason, keys) for reason in pairing.why),
                spread=pairing.result.spread if pairing.result else None,
            )
            for pairing in pairings
        ),
    )


def _make_game_fields(pairing: Pairing, keys: PlayerIds) -> dict[str, Any]:
    """Who sits where, and the result; a bye and an absence have their outcome even before the round is published."""
    players = {seat.side: keys[seat.entry_id] for seat in pairing.seats.all()}  # the entries themselves are not fetched
    seats = {"first": players[Seat.FIRST], "second": players.get(Seat.SECOND)}
    if pairing.result is None:
        return {**seats, "outcome": Outcome.OPEN if pairing.kind == Pairing.Kind.GAME else Outcome(pairing.kind)}
    report = Report.of(pairing.result)
    return {
        **seats,
        "outcome": report.outcome,
        "reason": report.reason,
        "second_reason": report.second_reason,
        "penalty_reason": clean_text(report.penalty_reason),
        "note": clean_text(report.note),
        **{f"{side}_{name}": getattr(half, name) for side, half in report.sides for name in SIDE_FIELDS},
    }
