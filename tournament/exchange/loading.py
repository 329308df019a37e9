"""From rows to an event as a plain value, which every export is written from. The same queries whatever the size."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring import knockout
from scoring.awards import Awards, Outcome
from scoring.knockout_values import FactKind, Match, MatchCriterion, MatchFormat, MatchPlace, UnrecordedFacts
from scoring.prizes import PrizeKind
from scoring.rulesets.values import BoardTurning
from tournament.basics.languages import PageLanguage
from tournament.basics.showing import ShowingRule
from tournament.core.reports import SIDE_FIELDS, Report
from tournament.ending.plan import CertificateText
from tournament.exchange.game_checks import make_bracket_input
from tournament.exchange.sessions import load_duplicate_data
from tournament.exchange.shapes import clean_text, clean_text_lines
from tournament.exchange.storing import ENTRY_COLUMNS, EVENT_COLUMNS, EVENT_TEXTS, GamesByMatch
from tournament.exchange.values import (
    AbsenceData,
    DivisionData,
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
    Entry,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Pairing,
    Prize,
    Round,
    RoundState,
    Seat,
    Seed,
    Tournament,
)
from tournament.pairing.codes import rename_figure_players
from tournament.pairing.values import ByePolicy, ClaimCondition, Method, NoteCode, StartPolicy

PlayerIds = Mapping[int, str]
"""The players' ids in the file by the primary keys of their entries."""


def _load_knockouts(tournament: Tournament, keys: PlayerIds, matches: GamesByMatch) -> dict[int, KnockoutData]:
    """The knock-outs by division. Four queries."""
    announced = list(Knockout.objects.filter(division__tournament=tournament).order_by("pk"))
    seeds, lots = defaultdict(list), defaultdict(list)
    said: dict[int, dict[MatchPlace, set[FactKind]]] = defaultdict(lambda: defaultdict(set))
    if announced:
        for row in NotRecorded.objects.filter(knockout__in=announced):
            said[row.knockout_id][row.stage, row.position].add(FactKind(row.fact))
        for seed in Seed.objects.filter(knockout__in=announced).order_by("number"):
            seeds[seed.knockout_id].append(keys[seed.entry_id])
        for lot in MatchLot.objects.filter(knockout__in=announced).order_by("stage", "position"):
            drawn = MatchLotData(stage=lot.stage, position=lot.position, winner=keys[lot.winner_id])
            lots[lot.knockout_id].append(drawn)
    found = {}
    for stored in announced:
        block = KnockoutData(
            size=stored.size,
            form=MatchFormat(stored.form),
            best_of=stored.best_of,
            criteria=tuple(MatchCriterion(name) for name in stored.criteria),
            third_place=stored.third_place,
            seeds=tuple(seeds[stored.pk]),
            matches=_make_matches(matches.get(stored.division_id, {}), said[stored.pk]),
            lots=tuple(lots[stored.pk]),
        )
        found[stored.division_id] = _remove_implied_games(block, tournament.awards)
    return found


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

    Operations leave none of the first two behind, but a file must be readable in any case.
    """
    bracket, problems = knockout.fit_bracket(*make_bracket_input(block, figures))
    wrong = {(problem.place, problem.game) for problem in problems}
    matches = {match.place: match for match in bracket.matches}
    kept: dict[MatchPlace, list[GameData]] = {}
    for match in block.matches:
        place = (match.stage, match.position)
        if place in matches:
            fitting = [game for number, game in enumerate(match.games, 1) if (place, number) not in wrong]
            kept[place] = fitting[: _count_stated_games(matches[place], fitting)]
    lots = tuple(lot for lot in block.lots if ((lot.stage, lot.position), None) not in wrong)
    said = {(match.stage, match.position): match.not_recorded for match in block.matches}
    return replace(block, matches=_make_matches(kept, said), lots=lots)


def _count_stated_games(match: Match, games: Sequence[GameData]) -> int:
    """How many of a match's games a file states: up to the last result that counts, or the last start out of turn."""
    last, starts = 0, match.players[0]
    for number, game in enumerate(games[: min(len(match.games), len(match.needed))], 1):
        if game.outcome != Outcome.OPEN or game.first != starts:
            last = number
        starts = game.second
    return last


def _load_prizes(tournament: Tournament, keys: PlayerIds) -> dict[int, list[PrizeData]]:
    """The prizes by division, in their order. One query."""
    found = defaultdict(list)
    for prize in Prize.objects.filter(division__tournament=tournament).select_related("club").in_order():
        found[prize.division_id].append(
            PrizeData(
                kind=PrizeKind(prize.kind),
                place=prize.place,
                club=prize.club.name if prize.club else "",
                lowest_rating=prize.lowest_rating,
                highest_rating=prize.highest_rating,
                title=clean_text(prize.title),
                award=clean_text(prize.award),
                winner=None if prize.winner_id is None else keys[prize.winner_id],
            )
        )
    return found


def load_event_data(tournament: Tournament) -> EventData:
    """A stored tournament as the value that files are written from, with its texts tidied. Fourteen queries at most."""
    entries = list(Entry.objects.filter(tournament=tournament).with_names().in_order())
    keys = {entry.pk: entry.key for entry in entries}
    divisions = list(tournament.divisions.order_by("position", "pk"))
    names = {division.pk: division.name for division in divisions}
    absences, apart, lots = defaultdict(list), defaultdict(list), defaultdict(list)
    for absence in Absence.objects.filter(entry__tournament=tournament).order_by("number"):
        absences[absence.entry_id].append(AbsenceData(round=absence.number, loss=absence.counts_as_loss))
    rounds, matches = _load_rounds(tournament, keys)
    knockouts = _load_knockouts(tournament, keys, matches)
    pairs = KeptApart.objects.filter(one__tournament=tournament).select_related("one")
    for pair in pairs.order_by("one_id", "other_id"):
        apart[pair.one.division_id].append((keys[pair.one_id], keys[pair.other_id]))
    prizes, sessions = _load_prizes(tournament, keys), load_duplicate_data(tournament, keys)
    for lot in Lot.objects.filter(division__tournament=tournament).order_by("pk"):
        lots[lot.division_id].append(LotData(after=lot.after, order=tuple(keys[pk] for pk in lot.order)))
    return EventData(
        **_make_event_fields(tournament),
        players=tuple(
            _make_player_data(entry, names[entry.division_id], tuple(absences[entry.pk])) for entry in entries
        ),
        divisions=tuple(
            DivisionData(
                name=division.name,
                plan=tuple(sorted((_make_segment_data(each) for each in division.plan), key=lambda part: part.first)),
                rounds=tuple(rounds[division.pk]),
                kept_apart=tuple(apart[division.pk]),
                knockout=knockouts.get(division.pk),
                duplicate=sessions.get(division.pk),
                lots=tuple(lots[division.pk]),
                prizes=tuple(prizes[division.pk]),
                prizes_public=division.prizes_public,
                tells_turning_point=division.tells_turning_point,
            )
            for division in divisions
        ),
    )


def _make_event_fields(tournament: Tournament) -> dict[str, Any]:
    return {
        **{name: getattr(tournament, name) for name in EVENT_COLUMNS},
        **{name: clean_text(getattr(tournament, name)) for name in EVENT_TEXTS},
        "ranking": tournament.ranking,
        "starts": StartPolicy(tournament.starts),
        "awards": tournament.awards,
        "bye_policy": ByePolicy(tournament.bye_policy),
        "public": tournament.is_public,
        "shown": ShowingRule.of(tournament),
        "ended": tournament.is_ended,
        "announcement": clean_text_lines(tournament.announcement),
        "language": PageLanguage(tournament.language),
        "turning": BoardTurning(tournament.turning),
        "certificate": CertificateText.read(tournament.certificate),
    }


def _make_player_data(entry: Entry, division: str, absences: tuple[AbsenceData, ...]) -> PlayerData:
    return PlayerData(
        **{name: getattr(entry, name) for name in ENTRY_COLUMNS},
        id=entry.key,
        name=entry.player.name,
        club=entry.club.name if entry.club else None,
        division=division,
        absences=absences,
        exception=clean_text(entry.exception),
    )


def _make_segment_data(stored: Mapping[str, Any]) -> SegmentData:
    (first, last), more = (
        stored["rounds"],
        {name: stored[name] for name in ("repeats", "factor", "behind") if name in stored},
    )
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
    return RoundData(
        number=round.number,
        method=Method(round.method),
        state=RoundState(round.state),
        seed=round.seed,
        based_on=round.based_on,
        repeats=round.repeats,
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
            PairingData(
                **_make_game_fields(pairing, keys),
                table=pairing.table,
                locked=pairing.locked,
                flags=tuple(pairing.flags),
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
