"""From rows to an event as a plain value, which every export is written from. The same queries whatever the size."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from scoring.awards import Outcome
from scoring.rulesets import Turning
from tournament.exchange import brackets, duplicate_sessions, prizes
from tournament.exchange.shapes import cleaned, cleaned_lines
from tournament.exchange.values import (
    AbsenceData,
    DivisionData,
    EventData,
    GameData,
    LotData,
    NoteData,
    PairingData,
    PlayerData,
    RoundData,
    SegmentData,
)
from tournament.languages import PageLanguage
from tournament.models import Absence, Entry, KeptApart, Lot, Pairing, Result, Round, RoundState, Seat, Tournament
from tournament.pairing import codes
from tournament.pairing.values import ByePolicy, Method, NoteCode, Starts, Unless
from tournament.plan.certificate import CertificateText
from tournament.reports import SIDE_FIELDS, Report
from tournament.showing import Showing

Keys = Mapping[int, str]
"""The players' ids in the file by the primary keys of their entries."""


def load(tournament: Tournament) -> EventData:
    """A stored tournament as the value that files are written from, with its texts tidied. Fourteen queries at most."""
    entries = list(Entry.objects.filter(tournament=tournament).with_names().in_order())
    keys = {entry.pk: entry.key for entry in entries}
    divisions = list(tournament.divisions.order_by("position", "pk"))
    names = {division.pk: division.name for division in divisions}
    absences = defaultdict(list)
    for absence in Absence.objects.filter(entry__tournament=tournament).order_by("number"):
        absences[absence.entry_id].append(AbsenceData(round=absence.number, loss=absence.counts_as_loss))
    rounds, matches = _rounds(tournament, keys)
    knockouts = brackets.load(tournament, keys, matches)
    apart = defaultdict(list)
    for pair in (
        KeptApart.objects.filter(one__tournament=tournament).select_related("one").order_by("one_id", "other_id")
    ):
        apart[pair.one.division_id].append((keys[pair.one_id], keys[pair.other_id]))
    awarded, sessions = prizes.load(tournament, keys), duplicate_sessions.load(tournament, keys)
    lots = defaultdict(list)
    for lot in Lot.objects.filter(division__tournament=tournament).order_by("pk"):
        lots[lot.division_id].append(LotData(after=lot.after, order=tuple(keys[pk] for pk in lot.order)))
    return EventData(
        **_head(tournament),
        players=tuple(_player(entry, names[entry.division_id], tuple(absences[entry.pk])) for entry in entries),
        divisions=tuple(
            DivisionData(
                name=division.name,
                plan=tuple(sorted((_segment(each) for each in division.plan), key=lambda part: part.first)),
                rounds=tuple(rounds[division.pk]),
                kept_apart=tuple(apart[division.pk]),
                knockout=knockouts.get(division.pk),
                duplicate=sessions.get(division.pk),
                lots=tuple(lots[division.pk]),
                prizes=tuple(awarded[division.pk]),
                prizes_public=division.prizes_public,
                tells_turning_point=division.tells_turning_point,
            )
            for division in divisions
        ),
    )


def _head(tournament: Tournament) -> dict[str, Any]:
    return {
        "slug": tournament.slug,
        "name": cleaned(tournament.name),
        "place": cleaned(tournament.place),
        "starts_on": tournament.starts_on,
        "ends_on": tournament.ends_on,
        "ruleset": tournament.ruleset,
        "minutes": tournament.minutes,
        "ranking": tournament.ranking,
        "starts": Starts(tournament.starts),
        "awards": tournament.awards,
        "bye_policy": ByePolicy(tournament.bye_policy),
        "clubs_apart": tournament.clubs_apart,
        "public": tournament.is_public,
        "public_reasons": tournament.public_reasons,
        "results_twice": tournament.results_twice,
        "shown": Showing.of(tournament),
        "ended": tournament.is_ended,
        "announcement": cleaned_lines(tournament.announcement),
        "word_list": cleaned(tournament.word_list),
        "word_list_at": cleaned(tournament.word_list_at),
        "language": PageLanguage(tournament.language),
        "turning": Turning(tournament.turning),
        "certificate": CertificateText.read(tournament.certificate),
    }


def _player(entry: Entry, division: str, absences: tuple[AbsenceData, ...]) -> PlayerData:
    return PlayerData(
        id=entry.key,
        name=entry.player.name,
        club=entry.club.name if entry.club else None,
        rating=entry.rating,
        games=entry.games,
        division=division,
        first_round=entry.first_round,
        withdrawn_after=entry.withdrawn_after,
        absences=absences,
        guest=entry.guest,
        fee_paid=entry.fee_paid,
        present=entry.present,
        expected=entry.expected,
        fixed_table=entry.fixed_table,
        exception=cleaned(entry.exception),
    )


def _segment(stored: Mapping[str, Any]) -> SegmentData:
    first, last = stored["rounds"]
    return SegmentData(
        first=first,
        last=last,
        method=Method(stored["method"]),
        repeats=stored.get("repeats", False),
        factor=stored.get("factor"),
        behind=stored.get("behind", 0),
    )


def _rounds(tournament: Tournament, keys: Keys) -> tuple[dict[int, list[RoundData]], brackets.Matches]:
    """The rounds of each division with their pairings by table, and the games of each match. Four queries."""
    pairings = defaultdict(list)
    found = Pairing.objects.filter(round__division__tournament=tournament).with_results().by_table()
    for pairing in found.prefetch_related("seats"):
        pairings[pairing.round_id].append(pairing)
    rounds: dict[int, list[RoundData]] = defaultdict(list)
    matches: brackets.Matches = defaultdict(dict)
    for round in Round.objects.filter(division__tournament=tournament).in_order():
        if round.stage is None:
            listed = tuple(_pairing(pairing, keys) for pairing in pairings[round.pk])
            rounds[round.division_id].append(_round(round, listed, keys))
        for pairing in pairings[round.pk] if round.stage is not None else ():
            place = (round.stage or 0, pairing.table or 0)
            matches[round.division_id].setdefault(place, []).append(_game(pairing, keys))
    return rounds, matches


def _round(round: Round, pairings: tuple[PairingData, ...], keys: Keys) -> RoundData:
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
                unless=tuple(Unless(each) for each in note["unless"]),
            )
            for note in round.notes
        ),
        shown=Showing.of(round),
        pairings=pairings,
    )


def _pairing(pairing: Pairing, keys: Keys) -> PairingData:
    return PairingData(
        **_seated(pairing, keys),
        table=pairing.table,
        locked=pairing.locked,
        flags=tuple(pairing.flags),
        why=tuple(codes.renamed(reason, keys) for reason in pairing.why),
        spread=pairing.result.spread if pairing.result else None,
        **_result(pairing.kind, pairing.result),
    )


def _game(pairing: Pairing, keys: Keys) -> GameData:
    """A game of the knock-out."""
    return GameData(**_seated(pairing, keys), **_result(pairing.kind, pairing.result))


def _seated(pairing: Pairing, keys: Keys) -> dict[str, Any]:
    """Who sits where; the seats' entries are not fetched, their keys are enough."""
    players = {seat.side: keys[seat.entry_id] for seat in pairing.seats.all()}
    return {"first": players[Seat.FIRST], "second": players.get(Seat.SECOND)}


def _result(kind: str, result: Result | None) -> dict[str, Any]:
    """The outcome; a bye and an absence have theirs even before the round is published."""
    if result is None:
        return {"outcome": Outcome.OPEN if kind == Pairing.Kind.GAME else Outcome(kind)}
    report = Report.of(result)
    facts = {f"{side}_{name}": getattr(half, name) for side, half in report.sides for name in SIDE_FIELDS}
    return {
        "outcome": report.outcome,
        "reason": report.reason,
        "second_reason": report.second_reason,
        "penalty_reason": cleaned(report.penalty_reason),
        "note": cleaned(report.note),
        **facts,
    }
