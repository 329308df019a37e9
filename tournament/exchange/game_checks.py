"""What games, a knock-out and a duplicate session must be like to make sense.

A file may hold anything; what is wrong is reported with its path as in the tournament file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from scoring import board as boards
from scoring import duplicate, knockout, rulesets
from scoring.awards import AWARDED_OUTCOMES, OUTCOMES_WITHOUT_OPPONENT, Awards, Outcome
from scoring.board import RACK_SIZE, Board, PlayFault
from scoring.knockout_values import (
    Bracket,
    FactKind,
    GameFacts,
    KnockoutFault,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    Match,
    MatchFormat,
    MatchPlace,
)
from scoring.letters import LETTER_SETS
from scoring.plays import BadPlay, Play
from scoring.standings import PlayerKey
from tournament.core.words.figures import format_clause
from tournament.exchange.faults import FaultCode, quote_value
from tournament.exchange.json_text import JsonPath
from tournament.exchange.objects import list_stated_fields
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    PlayerData,
    StatedSlip,
    TurnData,
)
from tournament.models.play import SIDES

FileProblem = tuple[JsonPath, FaultCode, dict[str, Any]]

RESULT_FACTS = (
    *(f"{side}_{fact}" for fact in ("penalty", "overtime", "bingos", "moves", "seconds") for side in SIDES),
    "penalty_reason",
    "note",
)
"""What belongs to a result beside outcome, reason and points."""


def find_repeated_values(values: Iterable[tuple[JsonPath, Any]]) -> Iterator[FileProblem]:
    """A problem for each value that occurred before."""
    seen = set()
    for path, value in values:
        if value in seen:
            yield path, FaultCode.TWICE, {"value": quote_value(value)}
        seen.add(value)


def find_player_id_problems(
    path: JsonPath, key: str, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    """That an id is a player's, and one of this division."""
    player = players.get(key)
    if player is None:
        yield path, FaultCode.UNKNOWN_PLAYER, {"value": quote_value(key)}
    elif player.division != division.name:
        yield path, FaultCode.OTHER_DIVISION, {"value": quote_value(key), "division": quote_value(player.division)}


def find_player_ids_problems(
    path: JsonPath, keys: Iterable[str], division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    """The same for each id in a list."""
    for place, key in enumerate(keys):
        yield from find_player_id_problems((*path, place), key, division, players)


def find_game_data_problems(path: JsonPath, game: GameData) -> Iterator[FileProblem]:
    """That the outcome fits the players, and everything else about the game."""
    outcome = {"value": quote_value(game.outcome.value)}
    if game.second is None and game.outcome not in OUTCOMES_WITHOUT_OPPONENT:
        yield path, FaultCode.NEEDS_OPPONENT, outcome
    if game.second == game.first:
        yield (*path, "second"), FaultCode.AGAINST_ONESELF, {"value": quote_value(game.first)}
    for side, moves in (("first_moves", game.first_moves), ("second_moves", game.second_moves)):
        if any(earlier < later for earlier, later in pairwise(moves)):
            yield (*path, side), FaultCode.MOVES_ORDER, {}
    yield from _find_result_problems(path, game, outcome)


def _find_result_problems(path: JsonPath, game: GameData, outcome: dict[str, str]) -> Iterator[FileProblem]:
    """That the outcome fits the points, the reason and what else is written down."""
    points = (game.first_points, game.second_points)
    if game.outcome == Outcome.PLAYED and None in points:
        yield path, FaultCode.NEEDS_POINTS, {}
    if game.outcome in AWARDED_OUTCOMES and (points[0] is None) != (points[1] is None):
        yield path, FaultCode.BOTH_POINTS, {}
    if game.outcome in OUTCOMES_WITHOUT_OPPONENT | {Outcome.OPEN} and points != (None, None):
        yield (*path, "first_points" if points[0] is not None else "second_points"), FaultCode.NO_POINTS, outcome
    if game.outcome == Outcome.OPEN:
        for key in list_stated_fields(game, *RESULT_FACTS):
            yield (*path, key), FaultCode.NOT_YET, {"key": key}
    if game.reason is not None and game.outcome not in AWARDED_OUTCOMES | {Outcome.ABSENT}:
        yield (*path, "reason"), FaultCode.NO_REASON, outcome
    if game.second_reason is not None and (game.outcome != Outcome.BOTH_FORFEIT or game.reason is None):
        yield (*path, "second_reason"), FaultCode.NO_SECOND_REASON, outcome


FOLLOWING_FAULTS = frozenset({KnockoutFault.NOT_READY, KnockoutFault.OTHER_PLAYERS, KnockoutFault.LOT_OF_OTHERS})
"""What may only follow from a fault in a match before."""

BracketInput = tuple[
    list[PlayerKey | None],
    KnockoutRules,
    dict[MatchPlace, list[KnockoutGame]],
    dict[MatchPlace, PlayerKey],
    dict[MatchPlace, tuple[FactKind, ...]],
]
"""Seeds, rules, games, lots and what was not recorded, as `scoring.knockout` takes them."""


def make_bracket_input(block: KnockoutData, figures: Awards) -> BracketInput:
    """The knock-out of a file as `scoring` takes it; every place is open while the seeds are not confirmed.

    Raises ValueError for a form and a `best_of` that do not go together.
    """
    seeds: list[PlayerKey | None] = list(block.seeds) or [None] * block.size
    rules = KnockoutRules(block.form, block.best_of, block.criteria, block.third_place, figures)
    games: dict[MatchPlace, list[KnockoutGame]] = {}
    for match in block.matches:
        played = [
            KnockoutGame(
                first=each.first,
                second=each.second or "",
                outcome=each.outcome,
                first_points=each.first_points,
                second_points=each.second_points,
                first_facts=GameFacts(each.first_bingos, each.first_moves, each.first_seconds),
                second_facts=GameFacts(each.second_bingos, each.second_moves, each.second_seconds),
            )
            for each in match.games
        ]
        games.setdefault((match.stage, match.position), played)
    lots: dict[MatchPlace, PlayerKey] = {(lot.stage, lot.position): lot.winner for lot in block.lots}
    said = {(match.stage, match.position): match.not_recorded for match in block.matches if match.not_recorded}
    return seeds, rules, games, lots, said


def find_knockout_data_problems(
    path: JsonPath, block: KnockoutData, division: DivisionData, players: dict[str, PlayerData], event: EventData
) -> Iterator[FileProblem]:
    """Everything about a knock-out that does not fit together."""
    known = rulesets.RULESETS.get(event.ruleset)
    clause = format_clause(known.clauses.knockout.whole if known else "")
    announced = list(_find_announced_problems(path, block, division, players, clause))
    stated_games = list(_find_match_problems(path, block))
    yield from announced
    yield from stated_games
    if not announced:
        played = _find_played_problems(path, block, event.awards, {at for at, _code, _figures in stated_games})
        yield from ((at, code, {**figures, "clause": clause}) for at, code, figures in played)


def _find_announced_problems(
    path: JsonPath, block: KnockoutData, division: DivisionData, players: dict[str, PlayerData], clause: str
) -> Iterator[FileProblem]:
    """Form, size and seeds."""
    if block.form == MatchFormat.BEST_OF and (block.best_of is None or block.best_of % 2 == 0):
        yield (*path, "best_of"), FaultCode.BEST_OF, {"value": quote_value(block.best_of), "clause": clause}
    if block.form != MatchFormat.BEST_OF and block.best_of is not None:
        yield (*path, "best_of"), FaultCode.NO_BEST_OF, {"value": quote_value(block.form.value)}
    if block.seeds and len(block.seeds) != block.size:
        yield (*path, "seeds"), FaultCode.SEEDS, {"value": len(block.seeds), "size": block.size}
    yield from find_repeated_values(((*path, "seeds", place), key) for place, key in enumerate(block.seeds))
    yield from find_player_ids_problems((*path, "seeds"), block.seeds, division, players)


def _find_match_problems(path: JsonPath, block: KnockoutData) -> Iterator[FileProblem]:
    """Matches, games and lots, each by itself."""
    places = [(match.stage, match.position) for match in block.matches]
    yield from find_repeated_values(((*path, "matches", place), spot) for place, spot in enumerate(places))
    for place, match in enumerate(block.matches):
        for number, data in enumerate(match.games):
            at = (*path, "matches", place, "games", number)
            if data.outcome in OUTCOMES_WITHOUT_OPPONENT:
                yield (*at, "outcome"), FaultCode.NEEDS_OPPONENT, {"value": quote_value(data.outcome.value)}
            for side, key in zip(SIDES, data.players, strict=False):
                if key not in block.seeds:
                    yield (*at, side), FaultCode.NOT_SEEDED, {"value": quote_value(key)}
            yield from find_game_data_problems(at, data)
    drawn = [(lot.stage, lot.position) for lot in block.lots]
    yield from find_repeated_values(((*path, "lots", place), spot) for place, spot in enumerate(drawn))
    for place, lot in enumerate(block.lots):
        if lot.winner not in block.seeds:
            yield (*path, "lots", place, "winner"), FaultCode.NOT_SEEDED, {"value": quote_value(lot.winner)}


def _find_played_problems(
    path: JsonPath, block: KnockoutData, figures: Awards, known: set[JsonPath]
) -> Iterator[FileProblem]:
    """That games and lots fit the bracket. What may only follow from a fault in an earlier match is not reported."""
    bracket, found = knockout.fit_bracket(*make_bracket_input(block, figures))
    translator = _BracketFaultTranslator(path, block, bracket, known)
    for problem in found:
        yield from translator.translate(problem)
    for place, match in enumerate(block.matches):
        value = translator.matches.get((match.stage, match.position))
        if value is None or value.place in translator.faulty:
            continue
        for number, data in enumerate(match.games[len(value.games) :], start=len(value.games)):
            if data.outcome != Outcome.OPEN:
                yield (*path, "matches", place, "games", number), FaultCode.AFTER_DECISION, {"value": number + 1}


class _BracketFaultTranslator:
    """Turns faults of the bracket into faults of the file, from the first stage to the last."""

    def __init__(self, path: JsonPath, block: KnockoutData, bracket: Bracket, known: set[JsonPath]) -> None:
        self.block, self.known, self.rules = block, known, bracket.rules
        self.matches = {match.place: match for match in bracket.matches}
        self.stated: dict[MatchPlace, JsonPath] = {}
        self.games: dict[MatchPlace, tuple[GameData, ...]] = {}
        for at, match in enumerate(block.matches):
            self.stated.setdefault((match.stage, match.position), (*path, "matches", at))
            self.games.setdefault((match.stage, match.position), match.games)
        self.drawn = {(lot.stage, lot.position): (*path, "lots", at) for at, lot in enumerate(block.lots)}
        self.faulty = {place for place, at in self.stated.items() if self._is_known(at)}
        self.not_ready: set[JsonPath] = set()

    def _is_known(self, path: JsonPath) -> bool:
        """Whether a fault there, or deeper, was reported already."""
        return any(each[: len(path)] == path for each in self.known)

    def _may_follow(self, match: Match) -> bool:
        """Whether an earlier match is faulty, so that the players of this one are uncertain."""
        before = [source.match for source in match.sources if source and source.match]
        return any(place in self.faulty or self._may_follow(self.matches[place]) for place in before)

    def translate(self, problem: KnockoutProblem) -> Iterator[FileProblem]:
        """The faults of the file for one of the bracket; none for what was reported, or may follow from that."""
        place = problem.place or (0, 0)
        match = self.matches.get(place)
        if match is None:
            figures = {"size": self.block.size, "stage": place[0], "position": place[1]}
            for listed in (self.stated, self.drawn):
                if place in listed:
                    yield listed[place], FaultCode.NO_SUCH_MATCH, figures
            return
        may_follow = problem.fault in FOLLOWING_FAULTS and self._may_follow(match)
        self.faulty.add(place)
        if may_follow:
            return
        if problem.fault == KnockoutFault.NOT_READY:
            yield from self._report_not_ready(match, self.stated[place])
        elif problem.fault != KnockoutFault.LOT_OF_OTHERS:
            yield from self._report_game(match, problem)
        elif None in match.players:
            yield from self._report_not_ready(match, self.drawn[place])
        elif not self._is_known(self.drawn[place]):
            yield (*self.drawn[place], "winner"), FaultCode.OTHER_OPPONENT, _quote_players(match, problem.player)

    def _report_not_ready(self, match: Match, at: JsonPath) -> Iterator[FileProblem]:
        """A match that has a game or a lot before it has two players; reported once."""
        if at in self.not_ready or self._is_known(at):
            return
        self.not_ready.add(at)
        if any(match.nobody):
            yield at, FaultCode.MATCH_WALKOVER, {}
            return
        sources = [source.match for side, source in enumerate(match.sources) if match.players[side] is None and source]
        for before in [place for place in sources if place][:1]:
            yield at, FaultCode.MATCH_NOT_READY, {"stage": before[0], "position": before[1]}

    def _report_game(self, match: Match, problem: KnockoutProblem) -> Iterator[FileProblem]:
        """A game between other players, or one too many; what is wrong with a game by itself was reported already."""
        number = (problem.game or 1) - 1
        at = (*self.stated[match.place], "games", number)
        if problem.fault == KnockoutFault.TOO_MANY_GAMES:
            yield at, FaultCode.TOO_MANY_GAMES, {"value": problem.game, "limit": self.rules.most_games}
        elif problem.fault == KnockoutFault.OTHER_PLAYERS and not self._is_known(at):
            side = "first" if self.games[match.place][number].first == problem.player else "second"
            yield (*at, side), FaultCode.OTHER_OPPONENT, _quote_players(match, problem.player)


def _quote_players(match: Match, stranger: PlayerKey | None) -> dict[str, Any]:
    first, second = match.players
    return {"value": quote_value(stranger), "first": quote_value(first), "second": quote_value(second)}


def find_duplicate_data_problems(
    path: JsonPath, division: DivisionData, players: dict[str, PlayerData], event: EventData
) -> Iterator[FileProblem]:
    """What is wrong with a division's session, or with having one, or none, under these rules."""
    ruleset = rulesets.RULESETS.get(event.ruleset)
    if ruleset is None:
        return
    if ruleset.is_paired and division.duplicate is not None:
        yield (*path, "duplicate"), FaultCode.NO_SESSION, {"ruleset": ruleset.name}
    for key in ("rounds", "knockout"):
        if not ruleset.is_paired and getattr(division, key):
            yield (*path, key), FaultCode.NOBODY_PAIRED, {"ruleset": ruleset.name, "key": key}
    if division.duplicate is not None and division.duplicate.letters in LETTER_SETS:
        yield from _find_session_problems((*path, "duplicate"), division.duplicate, division, players)


def _find_session_problems(
    path: JsonPath, session: DuplicateData, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    """The turns in their order; once a draw or a word is wrong the later boards are not known and not looked at."""
    if len(session.turns) > session.max_turns:
        yield (*path, "turns"), FaultCode.TOO_MANY, {"value": len(session.turns), "limit": session.max_turns}
    board = Board(LETTER_SETS[session.letters])
    is_known = True
    for place, turn in enumerate(session.turns):
        at = (*path, "turns", place)
        if turn.number != place + 1:
            yield (*at, "number"), FaultCode.TURN_NUMBER, {"value": turn.number, "expected": place + 1}
        yield from _find_slip_problems(at, turn, division, players)
        is_last = place + 1 == len(session.turns)
        if is_last and turn.master is None and turn.corrections:
            yield (*at, "corrections"), FaultCode.CORRECTED_OPEN, {"number": turn.number}
        found = list(_find_board_problems(at, turn, board)) if is_known else []
        yield from found
        is_known = is_known and not found
        if is_known and turn.master is not None:
            board = duplicate.lay_master_word(board, Play.parse(turn.master.position, turn.master.word))


def _find_slip_problems(
    path: JsonPath, turn: TurnData, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    """That slips and corrections are of players of the division, one slip each, and a word is refused for all."""
    refused: dict[str, bool] = {}
    for place, slip in enumerate(turn.slips):
        word = (slip.word or "").upper()
        if word and refused.setdefault(word, slip.refused) != slip.refused:
            shown = {"value": quote_value(word), "number": turn.number}
            yield (*path, "slips", place, "refused"), FaultCode.REFUSED_AND_NOT, shown
    typed: Mapping[str, Sequence[StatedSlip]] = {"slips": turn.slips, "second": turn.second}
    for key, slips in typed.items():
        handed_in = [((*path, key, place, "player"), slip.player) for place, slip in enumerate(slips)]
        for at, player in handed_in:
            yield from find_player_id_problems(at, player, division, players)
        yield from find_repeated_values(handed_in)
    for place, correction in enumerate(turn.corrections):
        yield from find_player_id_problems((*path, "corrections", place, "slip"), correction.slip, division, players)


def _find_board_problems(path: JsonPath, turn: TurnData, board: Board) -> Iterator[FileProblem]:
    """That the tiles can have been drawn from the bag, and that the master word can be laid with them."""
    for place, draw in enumerate(turn.redrawn):
        yield from _find_tile_draw_problems((*path, "redrawn", place), draw, board)
    found = list(_find_tile_draw_problems((*path, "draw"), turn.draw, board))
    yield from found
    if turn.master is None or found:
        return
    value = quote_value(f"{turn.master.position} {turn.master.word}")
    try:
        play = Play.parse(turn.master.position, turn.master.word)
    except BadPlay:
        yield (*path, "master"), FaultCode.MASTER_UNREADABLE, {"value": value}
        return
    found_problems = boards.problems(board, play, rack=turn.draw)
    lacking = [problem.letter for problem in found_problems if problem.fault is PlayFault.NOT_ON_RACK]
    if len(lacking) < len(found_problems) or (not found_problems and boards.score(board, play).is_longer):
        yield (*path, "master"), FaultCode.MASTER_PLACE, {"value": value}
    elif lacking:
        shown = {"value": value, "draw": quote_value(turn.draw), "letters": ", ".join(lacking)}
        yield (*path, "master"), FaultCode.MASTER_LETTERS, shown


def _find_tile_draw_problems(path: JsonPath, draw: str, board: Board) -> Iterator[FileProblem]:
    """That these are seven tiles of the set that the bag held."""
    known: Mapping[str, int] = {tile.letter: tile.count for tile in board.letters.tiles}
    for tile in dict.fromkeys(draw):
        if tile not in known:
            yield path, FaultCode.NO_SUCH_TILE, {"tile": tile, "value": quote_value(draw), "letters": board.letters.key}
            return
    if len(draw) != RACK_SIZE:
        yield path, FaultCode.DRAW_COUNT, {"value": quote_value(draw), "found": len(draw), "needed": RACK_SIZE}
        return
    bag = Counter(board.unseen())
    for tile, count in Counter(draw).items():
        if count > bag[tile]:
            yield path, FaultCode.NOT_IN_BAG, {"value": quote_value(draw), "tile": tile, "found": bag[tile]}
            return
