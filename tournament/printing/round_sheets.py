"""A round from its rows: its pairings, byes and absences as they are printed."""

from collections.abc import Mapping

from scoring import awards
from scoring.awards import Outcome
from tournament.models import Division, Pairing, Round, Tournament
from tournament.pairing.values import ReasonCode, Starts
from tournament.printing import values
from tournament.queries import league
from tournament.words import namesakes, outcomes, round_names
from tournament.words.clauses import before_stop


def latest(division: Division) -> Round | None:
    """The last published round; the draft if nothing is published yet."""
    rounds = Round.objects.league().filter(division=division)
    return rounds.public().order_by("-number").first() or rounds.order_by("-number").first()


def round_sheet(division: Division, round: Round | None) -> values.RoundSheet | None:
    """A round's pairings, by default the latest round's; None if there are none. Four queries."""
    found = round or latest(division)
    pairings = league.pairings(found) if found else []
    if found is None or not pairings:
        return None
    called = namesakes.of_round(pairings)
    tournament = division.tournament
    return values.RoundSheet(
        number=found.number,
        lines=tuple(_line(pairing, division.tournament, found, called) for pairing in pairings),
        balanced=tournament.starts == Starts.BALANCED,
        drawn_clause=tournament.rules.clauses.drawn_starts,
        draft=found.is_draft,
        minutes=tournament.minutes,
        shared_minutes=tournament.shared_minutes,
        title=round_names.round_name(found) if found.is_knockout else "",
    )


def _line(pairing: Pairing, tournament: Tournament, round: Round, called: Mapping[int, str]) -> values.PairingLine:
    second, ranks = pairing.second, pairing.reason(ReasonCode.RANKS) or {}
    place = round_names.place_of(round, pairing.table)
    return values.PairingLine(
        table=pairing.table,
        first=values.PairedPlayer(called[pairing.first.pk], ranks.get("first")),
        second=values.PairedPlayer(called[second.pk], ranks.get("second")) if second else None,
        note="" if second else _without_opponent(pairing, tournament),
        title=str(place or ""),
    )


def _without_opponent(pairing: Pairing, tournament: Tournament) -> str:
    """What a bye or an absence credits; the result may have another spread than the rule."""
    result = pairing.result
    outcome = Outcome(pairing.kind)
    credit, _nobody = awards.credit(outcome, None, None, tournament.awards, spread=result.spread if result else None)
    assert credit is not None, pairing
    return before_stop(outcomes.announced(outcome, credit), credit.clause)
