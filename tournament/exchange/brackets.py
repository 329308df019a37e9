"""The knock-out of a tournament file, to and from rows.

A file has what was announced, decided and played. Which games are still open follows from that, so a file states an
open game only if another player starts it than would by the rules.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring import knockout
from scoring.awards import Awards, Outcome
from scoring.knockout import Fact, Form, Match, MatchCriterion, Place
from tournament.exchange import bracket_checks, game_rows
from tournament.exchange.values import GameData, KnockoutData, MatchData, MatchLotData
from tournament.models import Division, Entry, Knockout, MatchLot, NotRecorded, Pairing, Round, Seed, Tournament
from tournament.operations.change import Actor, Change
from tournament.pairing.values import Method
from tournament.showing import Showing

Matches = dict[int, dict[Place, list[GameData]]]
"""The games of each match in order, by division."""


def store(log: Change, division: Division, block: KnockoutData, entries: Mapping[str, Entry], actor: Actor) -> None:
    """Store a checked knock-out, and lay out the games that are needed now."""
    stored = log.create(
        Knockout(
            division=division,
            size=block.size,
            form=block.form.value,
            best_of=block.best_of,
            criteria=[criterion.value for criterion in block.criteria],
            third_place=block.third_place,
        )
    )
    log.create_all(
        Seed(knockout=stored, number=number, entry=entries[key]) for number, key in enumerate(block.seeds, 1)
    )
    log.create_all(
        MatchLot(knockout=stored, stage=lot.stage, position=lot.position, winner=entries[lot.winner])
        for lot in block.lots
    )
    log.create_all(
        NotRecorded(knockout=stored, stage=match.stage, position=match.position, fact=fact.value)
        for match in block.matches
        for fact in match.not_recorded
    )
    games = _needed(block, division.tournament.awards)
    spots = sorted({(stage, number) for stage, number, _position in games})
    rounds = dict(zip(spots, log.create_all(_round(log, division, *spot) for spot in spots), strict=True))
    pairings = log.create_all(
        Pairing(round=rounds[stage, number], kind=Pairing.Kind.GAME, table=position)
        for stage, number, position in sorted(games)
    )
    game_rows.write(log, zip(pairings, (games[spot] for spot in sorted(games)), strict=True), entries, actor)


def _needed(block: KnockoutData, figures: Awards) -> dict[tuple[int, int, int], GameData]:
    """The games that must exist, by stage, number and position: those stated, and the open ones."""
    bracket = knockout.bracket(*bracket_checks.stated(block, figures))
    stated = {(match.stage, match.position): match.games for match in block.matches}
    found = {}
    for match in bracket.matches:
        games = stated.get(match.place, ())
        for due in match.needed:
            game = GameData(first=str(due.first), second=str(due.second))
            found[match.stage, due.number, match.position] = games[due.number - 1] if due.number <= len(games) else game
    return found


def _round(log: Change, division: Division, stage: int, game: int) -> Round:
    return Round(
        division=division,
        number=Round.knockout_number(stage, game),
        stage=stage,
        game=game,
        method=Method.MANUAL,
        state=Round.State.PUBLISHED,
        published_at=log.now,
        **Showing.of(division.tournament).columns,
    )


def load(tournament: Tournament, keys: Mapping[int, str], matches: Matches) -> dict[int, KnockoutData]:
    """The knock-outs by division; `keys` maps the entries' keys to the players' ids in the file. Four queries."""
    announced = list(Knockout.objects.filter(division__tournament=tournament).order_by("pk"))
    seeds = defaultdict(list)
    lots = defaultdict(list)
    said: dict[int, dict[Place, set[Fact]]] = defaultdict(lambda: defaultdict(set))
    if announced:
        for row in NotRecorded.objects.filter(knockout__in=announced):
            said[row.knockout_id][row.stage, row.position].add(Fact(row.fact))
        for seed in Seed.objects.filter(knockout__in=announced).order_by("number"):
            seeds[seed.knockout_id].append(keys[seed.entry_id])
        for lot in MatchLot.objects.filter(knockout__in=announced).order_by("stage", "position"):
            lots[lot.knockout_id].append(
                MatchLotData(stage=lot.stage, position=lot.position, winner=keys[lot.winner_id])
            )
    return {
        stored.division_id: _without_what_follows(
            KnockoutData(
                size=stored.size,
                form=Form(stored.form),
                best_of=stored.best_of,
                criteria=tuple(MatchCriterion(name) for name in stored.criteria),
                third_place=stored.third_place,
                seeds=tuple(seeds[stored.pk]),
                matches=_listed(matches.get(stored.division_id, {}), said[stored.pk]),
                lots=tuple(lots[stored.pk]),
            ),
            tournament.awards,
        )
        for stored in announced
    }


def _listed(games: Mapping[Place, list[GameData]], said: knockout.NotRecorded) -> tuple[MatchData, ...]:
    """The matches that have games, each with what was `said` not to be recorded of it."""
    return tuple(
        MatchData(
            stage=place[0],
            position=place[1],
            games=tuple(games[place]),
            not_recorded=tuple(fact for fact in Fact if fact in said.get(place, ())),
        )
        for place in sorted(games)
        if games[place]
    )


def _without_what_follows(block: KnockoutData, figures: Awards) -> KnockoutData:
    """The block without superfluous games, lots for other players, and open games that follow from the rules.

    Operations leave none of the first two behind, but a file must be readable in any case.
    """
    bracket, problems = knockout.fitting(*bracket_checks.stated(block, figures))
    wrong = {(problem.place, problem.game) for problem in problems}
    matches = {match.place: match for match in bracket.matches}
    kept: dict[Place, list[GameData]] = {}
    for match in block.matches:
        place = (match.stage, match.position)
        if place in matches:
            fitting = [game for number, game in enumerate(match.games, 1) if (place, number) not in wrong]
            kept[place] = fitting[: _last_stated(matches[place], fitting)]
    lots = tuple(lot for lot in block.lots if ((lot.stage, lot.position), None) not in wrong)
    said = {(match.stage, match.position): match.not_recorded for match in block.matches}
    return replace(block, matches=_listed(kept, said), lots=lots)


def _last_stated(match: Match, games: Sequence[GameData]) -> int:
    """How many of a match's games a file states: up to the last result that counts, or the last start out of turn."""
    last, starts = 0, match.players[0]
    for number, game in enumerate(games[: min(len(match.games), len(match.needed))], 1):
        if game.outcome != Outcome.OPEN or game.first != starts:
            last = number
        starts = game.second
    return last
