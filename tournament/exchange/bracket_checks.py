"""What the knock-out of a tournament file must be like to make sense, by itself and by the rules it is played by."""

from collections.abc import Iterator
from typing import Any

from scoring import knockout, rulesets
from scoring.awards import ALONE, Awards, Outcome
from scoring.knockout import Bracket, Fact, Fault, Form, Game, GameFacts, Key, Match, Place, Rules
from tournament.exchange import game_checks
from tournament.exchange.faults import Code, quoted
from tournament.exchange.game_checks import Problem
from tournament.exchange.json_text import Path
from tournament.exchange.values import DivisionData, EventData, GameData, KnockoutData, PlayerData
from tournament.models.play import SIDES
from tournament.words.clauses import bracketed

FOLLOWING = frozenset({Fault.NOT_READY, Fault.OTHER_PLAYERS, Fault.LOT_OF_OTHERS})
"""What may only follow from a fault in a match before."""

Stated = tuple[list[Key | None], Rules, dict[Place, list[Game]], dict[Place, Key], dict[Place, tuple[Fact, ...]]]
"""Seeds, rules, games, lots and what was not recorded, as `scoring.knockout` takes them."""


def stated(block: KnockoutData, figures: Awards) -> Stated:
    """The knock-out of a file as `scoring` takes it; every place is open while the seeds are not confirmed.

    Raises ValueError for a form and a `best_of` that do not go together.
    """
    seeds: list[Key | None] = list(block.seeds) or [None] * block.size
    rules = Rules(block.form, block.best_of, block.criteria, block.third_place, figures)
    games: dict[Place, list[Game]] = {}
    for match in block.matches:
        games.setdefault((match.stage, match.position), [game(each) for each in match.games])
    lots: dict[Place, Key] = {(lot.stage, lot.position): lot.winner for lot in block.lots}
    said = {(match.stage, match.position): match.not_recorded for match in block.matches if match.not_recorded}
    return seeds, rules, games, lots, said


def game(data: GameData) -> Game:
    """A game of a file as `scoring` takes it."""
    return Game(
        first=data.first,
        second=data.second or "",
        outcome=data.outcome,
        first_points=data.first_points,
        second_points=data.second_points,
        first_facts=GameFacts(data.first_bingos, data.first_moves, data.first_seconds),
        second_facts=GameFacts(data.second_bingos, data.second_moves, data.second_seconds),
    )


def problems(
    path: Path, block: KnockoutData, division: DivisionData, players: dict[str, PlayerData], event: EventData
) -> Iterator[Problem]:
    """Everything about a knock-out that does not fit together."""
    known = rulesets.RULESETS.get(event.ruleset)
    clause = bracketed(known.clauses.knockout.whole if known else "")
    announced = list(_announced(path, block, division, players, clause))
    stated_games = list(_matches(path, block))
    yield from announced
    yield from stated_games
    if not announced:
        played = _played(path, block, event.awards, {at for at, _code, _figures in stated_games})
        yield from ((at, code, {**figures, "clause": clause}) for at, code, figures in played)


def _announced(
    path: Path, block: KnockoutData, division: DivisionData, players: dict[str, PlayerData], clause: str
) -> Iterator[Problem]:
    """Form, size and seeds."""
    if block.form == Form.BEST_OF and (block.best_of is None or block.best_of % 2 == 0):
        yield (*path, "best_of"), Code.BEST_OF, {"value": quoted(block.best_of), "clause": clause}
    if block.form != Form.BEST_OF and block.best_of is not None:
        yield (*path, "best_of"), Code.NO_BEST_OF, {"value": quoted(block.form.value)}
    if block.seeds and len(block.seeds) != block.size:
        yield (*path, "seeds"), Code.SEEDS, {"value": len(block.seeds), "size": block.size}
    yield from game_checks.twice(((*path, "seeds", place), key) for place, key in enumerate(block.seeds))
    for place, key in enumerate(block.seeds):
        yield from game_checks.player((*path, "seeds", place), key, division, players)


def _matches(path: Path, block: KnockoutData) -> Iterator[Problem]:
    """Matches, games and lots, each by itself."""
    places = [(match.stage, match.position) for match in block.matches]
    yield from game_checks.twice(((*path, "matches", place), spot) for place, spot in enumerate(places))
    for place, match in enumerate(block.matches):
        for number, data in enumerate(match.games):
            at = (*path, "matches", place, "games", number)
            if data.outcome in ALONE:
                yield (*at, "outcome"), Code.NEEDS_OPPONENT, {"value": quoted(data.outcome.value)}
            for side, key in zip(SIDES, data.players, strict=False):
                if key not in block.seeds:
                    yield (*at, side), Code.NOT_SEEDED, {"value": quoted(key)}
            yield from game_checks.game(at, data)
    drawn = [(lot.stage, lot.position) for lot in block.lots]
    yield from game_checks.twice(((*path, "lots", place), spot) for place, spot in enumerate(drawn))
    for place, lot in enumerate(block.lots):
        if lot.winner not in block.seeds:
            yield (*path, "lots", place, "winner"), Code.NOT_SEEDED, {"value": quoted(lot.winner)}


def _played(path: Path, block: KnockoutData, figures: Awards, known: set[Path]) -> Iterator[Problem]:
    """That games and lots fit the bracket. What may only follow from a fault in an earlier match is not reported."""
    bracket, found = knockout.fitting(*stated(block, figures))
    told = _Telling(path, block, bracket, known)
    for problem in found:
        yield from told.problem(problem)
    for place, match in enumerate(block.matches):
        value = told.matches.get((match.stage, match.position))
        if value is None or value.place in told.faulty:
            continue
        for number, data in enumerate(match.games[len(value.games) :], start=len(value.games)):
            if data.outcome != Outcome.OPEN:
                yield (*path, "matches", place, "games", number), Code.AFTER_DECISION, {"value": number + 1}


class _Telling:
    """Turns faults of the bracket into faults of the file, from the first stage to the last."""

    def __init__(self, path: Path, block: KnockoutData, bracket: Bracket, known: set[Path]) -> None:
        self.block, self.known, self.rules = block, known, bracket.rules
        self.matches = {match.place: match for match in bracket.matches}
        self.stated: dict[Place, Path] = {}
        self.games: dict[Place, tuple[GameData, ...]] = {}
        for at, match in enumerate(block.matches):
            self.stated.setdefault((match.stage, match.position), (*path, "matches", at))
            self.games.setdefault((match.stage, match.position), match.games)
        self.drawn = {(lot.stage, lot.position): (*path, "lots", at) for at, lot in enumerate(block.lots)}
        self.faulty = {place for place, at in self.stated.items() if self._is_known(at)}
        self.told_not_ready: set[Path] = set()

    def _is_known(self, path: Path) -> bool:
        """Whether a fault there, or deeper, was reported already."""
        return any(each[: len(path)] == path for each in self.known)

    def _follows(self, match: Match) -> bool:
        """Whether an earlier match is faulty, so that the players of this one are uncertain."""
        before = [source.match for source in match.sources if source and source.match]
        return any(place in self.faulty or self._follows(self.matches[place]) for place in before)

    def problem(self, problem: knockout.Problem) -> Iterator[Problem]:
        """The faults of the file for one of the bracket; none for what was reported, or may follow from that."""
        place = problem.place or (0, 0)
        match = self.matches.get(place)
        if match is None:
            yield from self._no_such_match(place)
            return
        follows = problem.fault in FOLLOWING and self._follows(match)
        self.faulty.add(place)
        if follows:
            return
        if problem.fault == Fault.LOT_OF_OTHERS:
            yield from self._lot(match, problem)
        elif problem.fault == Fault.NOT_READY:
            yield from self._not_ready(match, self.stated[place])
        else:
            yield from self._game(match, problem)

    def _no_such_match(self, place: Place) -> Iterator[Problem]:
        figures = {"size": self.block.size, "stage": place[0], "position": place[1]}
        for listed in (self.stated, self.drawn):
            if place in listed:
                yield listed[place], Code.NO_SUCH_MATCH, figures

    def _not_ready(self, match: Match, at: Path) -> Iterator[Problem]:
        """A match that has a game or a lot before it has two players; reported once."""
        if at in self.told_not_ready or self._is_known(at):
            return
        self.told_not_ready.add(at)
        if any(match.nobody):
            yield at, Code.MATCH_WALKOVER, {}
            return
        sources = [source.match for side, source in enumerate(match.sources) if match.players[side] is None and source]
        for before in [place for place in sources if place][:1]:
            yield at, Code.MATCH_NOT_READY, {"stage": before[0], "position": before[1]}

    def _lot(self, match: Match, problem: knockout.Problem) -> Iterator[Problem]:
        at = self.drawn[match.place]
        if None in match.players:
            yield from self._not_ready(match, at)
        elif not self._is_known(at):
            yield (*at, "winner"), Code.OTHER_OPPONENT, self._named(match, problem.player)

    def _game(self, match: Match, problem: knockout.Problem) -> Iterator[Problem]:
        """A game between other players, or one too many; what is wrong with a game by itself was reported already."""
        number = (problem.game or 1) - 1
        at = (*self.stated[match.place], "games", number)
        if problem.fault == Fault.TOO_MANY_GAMES:
            yield at, Code.TOO_MANY_GAMES, {"value": problem.game, "limit": self.rules.most_games}
        elif problem.fault == Fault.OTHER_PLAYERS and not self._is_known(at):
            side = "first" if self.games[match.place][number].first == problem.player else "second"
            yield (*at, side), Code.OTHER_OPPONENT, self._named(match, problem.player)

    @staticmethod
    def _named(match: Match, stranger: Key | None) -> dict[str, Any]:
        first, second = match.players
        return {"value": quoted(stranger), "first": quoted(first), "second": quoted(second)}
