"""What an event must be like to make sense, whatever file it came from: its games, knock-outs and sessions as well.
Everything that is wrong is reported, each with the path of the value as in the tournament file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.core.validators import slug_re

from scoring import board as boards
from scoring import duplicate, knockout, rulesets
from scoring.awards import AWARDED_OUTCOMES, OUTCOMES_WITHOUT_OPPONENT, Outcome
from scoring.board import RACK_SIZE, Board, PlayFault
from scoring.knockout_forms import SYSTEM_SIZES
from scoring.knockout_values import (
    Bracket,
    KnockoutFault,
    KnockoutProblem,
    KnockoutSystem,
    Match,
    MatchCriterion,
    MatchFormat,
    MatchPlace,
)
from scoring.letters import LETTER_SETS
from scoring.plays import BadPlay, Play
from scoring.prizes import PrizeKind
from scoring.standings import PlayerKey
from tournament.basics import limits
from tournament.basics.names import fold_text, make_search_key
from tournament.core.division_tables import TableRange, find_shared_table
from tournament.core.words.figures import format_clause
from tournament.core.words.rounds import format_system_sizes
from tournament.exchange.bracket_input import BracketInput, make_bracket_input, rank_before_knockout
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, quote_value
from tournament.exchange.json_text import JsonPath
from tournament.exchange.objects import list_stated_fields
from tournament.exchange.shapes import PAIR_KIND
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    PairingData,
    PlayerData,
    RoundData,
    StatedSlip,
    TurnData,
)
from tournament.models import RoundState
from tournament.models.play import SIDES
from tournament.pairing.lots import find_seed_tiles
from tournament.pairing.values import Method, list_figure_players

FileProblem = tuple[JsonPath, FaultCode, dict[str, Any]]

RESULT_FACTS = (
    *(f"{side}_{fact}" for fact in ("penalty", "overtime", "bingos", "moves", "seconds") for side in SIDES),
    "penalty_reason",
    "note",
)
"""What belongs to a result beside outcome, reason and points."""


def _find_repeated_values(values: Iterable[tuple[JsonPath, Any]]) -> Iterator[FileProblem]:
    """A problem for each value that occurred before."""
    seen = set()
    for path, value in values:
        if value in seen:
            yield path, FaultCode.TWICE, {"value": quote_value(value)}
        seen.add(value)


@dataclass(frozen=True, slots=True)
class DivisionPlayers:
    """Whom a division may name. `players` are those of the whole event, by their ids."""

    division: str
    players: Mapping[str, PlayerData]

    def find_id_problems(self, path: JsonPath, key: str) -> Iterator[FileProblem]:
        """That an id is a player's, and one of this division."""
        player = self.players.get(key)
        if player is None:
            yield path, FaultCode.UNKNOWN_PLAYER, {"value": quote_value(key)}
        elif player.division != self.division:
            yield path, FaultCode.OTHER_DIVISION, {"value": quote_value(key), "division": quote_value(player.division)}

    def find_list_problems(self, path: JsonPath, keys: Iterable[str]) -> Iterator[FileProblem]:
        """The same for each id in a list."""
        for place, key in enumerate(keys):
            yield from self.find_id_problems((*path, place), key)


def _find_game_data_problems(path: JsonPath, game: GameData) -> Iterator[FileProblem]:
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


def _find_knockout_data_problems(
    path: JsonPath, division: DivisionData, block: KnockoutData, field: DivisionPlayers, event: EventData
) -> Iterator[FileProblem]:
    rules = rulesets.RULESETS.get(event.ruleset)
    clause = format_clause(rules.clauses.knockout.whole if rules else "")
    announced = list(_find_announced_problems(path, block, field, clause))
    stated_games = list(_find_match_problems(path, block))
    yield from announced
    yield from stated_games
    # Only for a sound announcement: no bracket can be made of seeds that are wrong, and its faults would all follow
    # from theirs.
    if not announced:
        bracket_input = make_bracket_input(block, event.awards, rank_before_knockout(event, division))
        played = _find_played_problems(path, block, bracket_input, {at for at, _code, _figures in stated_games})
        yield from ((at, code, {**figures, "clause": clause}) for at, code, figures in played)


def _find_announced_problems(
    path: JsonPath, block: KnockoutData, field: DivisionPlayers, clause: str
) -> Iterator[FileProblem]:
    """Form, size and seeds."""
    if block.form == MatchFormat.BEST_OF and (block.best_of is None or block.best_of % 2 == 0):
        yield (*path, "best_of"), FaultCode.BEST_OF, {"value": quote_value(block.best_of), "clause": clause}
    if block.form != MatchFormat.BEST_OF and block.best_of is not None:
        yield (*path, "best_of"), FaultCode.NO_BEST_OF, {"value": quote_value(block.form.value)}
    if (MatchCriterion.OWN in block.criteria) != bool(block.own_criterion):
        yield (*path, "own_criterion"), FaultCode.OWN_CRITERION, {"value": quote_value(block.own_criterion)}
    if block.size not in SYSTEM_SIZES[block.system]:
        figures = {"size": block.size, "sizes": format_system_sizes(block.system)}
        yield (*path, "size"), FaultCode.SYSTEM_SIZE, {"value": quote_value(block.system.value), **figures}
    if block.third_place and block.system != KnockoutSystem.SINGLE:
        yield (*path, "third_place"), FaultCode.NO_THIRD_PLACE, {"value": quote_value(block.system.value)}
    if block.seeds and len(block.seeds) != block.size:
        yield (*path, "seeds"), FaultCode.SEEDS, {"value": len(block.seeds), "size": block.size}
    yield from _find_repeated_values(((*path, "seeds", place), key) for place, key in enumerate(block.seeds))
    yield from field.find_list_problems((*path, "seeds"), block.seeds)


def _find_match_problems(path: JsonPath, block: KnockoutData) -> Iterator[FileProblem]:
    """Matches, games and lots, each by itself."""
    places = [match.place for match in block.matches]
    yield from _find_repeated_values(((*path, "matches", place), spot) for place, spot in enumerate(places))
    for place, match in enumerate(block.matches):
        for number, data in enumerate(match.games):
            at = (*path, "matches", place, "games", number)
            if data.outcome in OUTCOMES_WITHOUT_OPPONENT:
                yield (*at, "outcome"), FaultCode.NEEDS_OPPONENT, {"value": quote_value(data.outcome.value)}
            # Not `strict`: a game without an opponent has one player, and is told as that above.
            for side, key in zip(SIDES, data.players, strict=False):
                if key not in block.seeds:
                    yield (*at, side), FaultCode.NOT_SEEDED, {"value": quote_value(key)}
            yield from _find_game_data_problems(at, data)
    drawn = [lot.place for lot in block.lots]
    yield from _find_repeated_values(((*path, "lots", place), spot) for place, spot in enumerate(drawn))
    for place, lot in enumerate(block.lots):
        if lot.winner not in block.seeds:
            yield (*path, "lots", place, "winner"), FaultCode.NOT_SEEDED, {"value": quote_value(lot.winner)}


def _find_played_problems(
    path: JsonPath, block: KnockoutData, bracket_input: BracketInput, known: set[JsonPath]
) -> Iterator[FileProblem]:
    """That games and lots fit the bracket. What may only follow from a fault in an earlier match is not reported."""
    bracket, wrong_games = knockout.fit_bracket(*bracket_input)
    translator = _BracketFaultTranslator(path, block, bracket, known)
    for problem in wrong_games:
        yield from translator.translate(problem)
    for place, match in enumerate(block.matches):
        value = translator.matches.get(match.place)
        if value is None or value.place in translator.faulty:
            continue
        for number, data in enumerate(match.games[len(value.games) :], start=len(value.games)):
            # An open game behind the decision does no harm: only those that are needed are stored.
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
            # Of two matches at one place the first: that there are two is reported already.
            self.stated.setdefault(match.place, (*path, "matches", at))
            self.games.setdefault(match.place, match.games)
        self.drawn = {lot.place: (*path, "lots", at) for at, lot in enumerate(block.lots)}
        self.faulty = {place for place, at in self.stated.items() if self._is_known(at)}
        self.not_ready: set[JsonPath] = set()

    def _is_known(self, path: JsonPath) -> bool:
        """Whether a fault there, or deeper, was reported already."""
        return any(known_path[: len(path)] == path for known_path in self.known)

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
        # Faulty even where nothing is told of it: in the matches behind it everything may follow from this one, too.
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


def _find_duplicate_data_problems(
    path: JsonPath, division: DivisionData, field: DivisionPlayers, event: EventData
) -> Iterator[FileProblem]:
    """What is wrong with a division's session, or with having one, or none, under these rules."""
    ruleset = rulesets.RULESETS.get(event.ruleset)
    # That it is unknown is told among the settings, once and not for each division.
    if ruleset is None:
        return
    if ruleset.is_paired and division.duplicate is not None:
        yield (*path, "duplicate"), FaultCode.NO_SESSION, {"ruleset": ruleset.name}
    for key in ("rounds", "knockout"):
        if not ruleset.is_paired and getattr(division, key):
            yield (*path, key), FaultCode.NOBODY_PAIRED, {"ruleset": ruleset.name, "key": key}
    if division.duplicate is not None and division.duplicate.letters in LETTER_SETS:
        yield from _find_session_problems((*path, "duplicate"), division.duplicate, field)


def _find_session_problems(path: JsonPath, session: DuplicateData, field: DivisionPlayers) -> Iterator[FileProblem]:
    """The turns in their order; once a draw or a word is wrong the later boards are not known and not looked at."""
    if len(session.turns) > session.max_turns:
        yield (*path, "turns"), FaultCode.TOO_MANY, {"value": len(session.turns), "limit": session.max_turns}
    seated = [((*path, "seats", place, "player"), seat.player) for place, seat in enumerate(session.seats)]
    for at, player in seated:
        yield from field.find_id_problems(at, player)
    yield from _find_repeated_values(seated)
    numbers = [((*path, "seats", place, "number"), seat.number) for place, seat in enumerate(session.seats)]
    yield from _find_repeated_values(numbers)
    for at, number in numbers:
        if number > session.seat_count:
            yield at, FaultCode.NO_SUCH_SEAT, {"value": number, "limit": session.seat_count}
    # A word that cannot be laid leaves a board that nobody knows: all that is said of later turns would only follow
    # from it. Slips and corrections stand for themselves, and are looked at to the end.
    board = Board(LETTER_SETS[session.letters])
    is_known = True
    for place, turn in enumerate(session.turns):
        at = (*path, "turns", place)
        if turn.number != place + 1:
            yield (*at, "number"), FaultCode.TURN_NUMBER, {"value": turn.number, "expected": place + 1}
        yield from _find_slip_problems(at, turn, field)
        # The last turn without a master word is still open: its slips come in, and there is nothing to correct yet.
        is_last = place + 1 == len(session.turns)
        if is_last and turn.master is None and turn.corrections:
            yield (*at, "corrections"), FaultCode.CORRECTED_OPEN, {"number": turn.number}
        board_problems = list(_find_board_problems(at, turn, board)) if is_known else []
        yield from board_problems
        is_known = is_known and not board_problems
        if is_known and turn.master is not None:
            board = duplicate.lay_master_word(board, Play.parse(turn.master.position, turn.master.word))


def _find_slip_problems(path: JsonPath, turn: TurnData, field: DivisionPlayers) -> Iterator[FileProblem]:
    """That slips and corrections are of players of the division, one slip each, and a word is refused for all."""
    refused: dict[str, bool] = {}
    for place, slip in enumerate(turn.slips):
        # In capitals: a small letter is a blank, and what the jury refuses is the word, whatever tiles it is laid with.
        word = (slip.word or "").upper()
        if word and refused.setdefault(word, slip.refused) != slip.refused:
            figures = {"value": quote_value(word), "number": turn.number}
            yield (*path, "slips", place, "refused"), FaultCode.REFUSED_AND_NOT, figures
    slips_by_key: Mapping[str, Sequence[StatedSlip]] = {"slips": turn.slips, "second": turn.second}
    for key, slips in slips_by_key.items():
        handed_in = [((*path, key, place, "player"), slip.player) for place, slip in enumerate(slips)]
        for at, player in handed_in:
            yield from field.find_id_problems(at, player)
        yield from _find_repeated_values(handed_in)
    for place, correction in enumerate(turn.corrections):
        yield from field.find_id_problems((*path, "corrections", place, "slip"), correction.slip)
        parts = (correction.notice, correction.noticed, correction.before)
        if (correction.notice is not None and None in parts) or (correction.notice is None and correction.noticed):
            figures = {"value": correction.notice or "null", "number": turn.number}
            yield (*path, "corrections", place, "notice"), FaultCode.NOTICE_NOT_WHOLE, figures


def _find_board_problems(path: JsonPath, turn: TurnData, board: Board) -> Iterator[FileProblem]:
    """That the tiles can have been drawn from the bag, and that the master word can be laid with them."""
    # Tiles that were drawn anew had gone back first, so each draw is taken from the bag as it was before the turn.
    for place, draw in enumerate(turn.redrawn):
        yield from _find_tile_draw_problems((*path, "redrawn", place), draw, board)
    draw_problems = list(_find_tile_draw_problems((*path, "draw"), turn.draw, board))
    yield from draw_problems
    # No word is tried with tiles that cannot have been drawn: each wrong draw would be told a second time, as letters
    # that the word lacks.
    if turn.master is None or draw_problems:
        return
    value = quote_value(f"{turn.master.position} {turn.master.word}")
    try:
        play = Play.parse(turn.master.position, turn.master.word)
    except BadPlay:
        yield (*path, "master"), FaultCode.MASTER_UNREADABLE, {"value": value}
        return
    found_problems = boards.problems(board, play, rack=turn.draw)
    lacking = [problem.letter for problem in found_problems if problem.fault is PlayFault.NOT_ON_RACK]
    # Which letters a word needs depends on the squares: at a wrong place the missing ones say nothing. And a word that
    # goes on in tiles that lie there already is another, longer one, although nothing stands against it.
    if len(lacking) < len(found_problems) or (not found_problems and boards.score(board, play).is_longer):
        yield (*path, "master"), FaultCode.MASTER_PLACE, {"value": value}
    elif lacking:
        figures = {"value": value, "draw": quote_value(turn.draw), "letters": ", ".join(lacking)}
        yield (*path, "master"), FaultCode.MASTER_LETTERS, figures


def _find_tile_draw_problems(path: JsonPath, draw: str, board: Board) -> Iterator[FileProblem]:
    """That these are seven tiles of the set that the bag held."""
    tile_counts: Mapping[str, int] = {tile.letter: tile.count for tile in board.letters.tiles}
    for tile in dict.fromkeys(draw):
        if tile not in tile_counts:
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


NEEDED_PRIZE_KEYS: Mapping[PrizeKind, tuple[str, ...]] = {
    PrizeKind.PLACE: ("place",),
    PrizeKind.CLUB: ("club",),
    PrizeKind.RATING_CLASS: ("lowest_rating", "highest_rating"),
    PrizeKind.OWN: ("title",),
}
"""The keys of which a kind needs one; only prizes of this kind have them, but each may have a title."""


def check_slug(slug: str) -> None:
    """Raise `FileFaults` for what cannot be a tournament's address."""
    if faults := [FileFault(code, figures=figures) for _where, code, figures in _find_slug_problems(slug)]:
        raise FileFaults(faults)


def find_event_data_problems(event: EventData) -> Iterator[FileProblem]:
    """Everything about an event that does not fit together."""
    yield from _find_slug_problems(event.slug)
    if event.starts_on and event.ends_on and event.ends_on < event.starts_on:
        yield ("ends_on",), FaultCode.DAYS_REVERSED, {"first": event.starts_on, "last": event.ends_on}
    ruleset = rulesets.RULESETS.get(event.ruleset)
    if ruleset is None:
        rulesets_known = ", ".join(rulesets.RULESETS)
        yield ("ruleset",), FaultCode.UNKNOWN_RULESET, {"value": quote_value(event.ruleset), "allowed": rulesets_known}
    elif event.minutes is not None and not ruleset.minutes:
        yield ("minutes",), FaultCode.NO_CLOCK, {"value": event.minutes, "ruleset": ruleset.name}
    yield from _find_repeated_values(
        (("players", place, "id"), player.id) for place, player in enumerate(event.players)
    )
    names = [division.name for division in event.divisions]
    yield from _find_repeated_values((("divisions", place, "name"), name) for place, name in enumerate(names))
    for place, player in enumerate(event.players):
        path = ("players", place)
        yield from _find_length_problems((*path, "name"), player.name, limits.PLAYER_NAME)
        yield from _find_length_problems((*path, "club"), player.club or "", limits.CLUB)
        if player.disqualified and player.withdrawn_after is None:
            yield path, FaultCode.MISSING_KEY, {"key": "withdrawn_after"}
        if player.division not in names:
            yield (*path, "division"), FaultCode.UNKNOWN_DIVISION, {"value": quote_value(player.division)}
        yield from _find_repeated_values(
            ((*path, "absences", at, "round"), absence.round) for at, absence in enumerate(player.absences)
        )
    yield from _find_tables_problems(event.divisions)
    players = {player.id: player for player in event.players}
    for place, division in enumerate(event.divisions):
        yield from _find_division_problems(
            ("divisions", place), division, DivisionPlayers(division.name, players), event
        )


def _find_slug_problems(slug: str) -> Iterator[FileProblem]:
    if slug and not slug_re.match(slug):
        yield ("slug",), FaultCode.BAD_SLUG, {"value": quote_value(slug)}
    if len(slug) > limits.SLUG:
        yield ("slug",), FaultCode.TOO_LONG, {"value": quote_value(slug), "limit": limits.SLUG}


def _find_length_problems(path: JsonPath, text: str, limit: int) -> Iterator[FileProblem]:
    """That a name fits the columns to search in and sort by; one character can fold into many letters."""
    if len(fold_text(text)) > limits.folded_length(limit) or len(make_search_key(text)) > limits.search_length(limit):
        yield path, FaultCode.TOO_LONG, {"value": quote_value(text), "limit": limit}


def _find_division_problems(
    path: JsonPath, division: DivisionData, field: DivisionPlayers, event: EventData
) -> Iterator[FileProblem]:
    yield from _find_plan_problems(path, division)
    for place, round in enumerate(division.rounds):
        at = (*path, "rounds", place)
        if round.number != place + 1:
            yield (*at, "number"), FaultCode.ROUND_NUMBER, {"value": round.number, "expected": place + 1}
        if round.tiles and round.tiles != find_seed_tiles(round.seed):
            yield (*at, "tiles"), FaultCode.SEED_TILES, {"value": quote_value(round.tiles), "seed": round.seed}
        if round.state == RoundState.DRAFT and place + 1 < len(division.rounds):
            yield (*at, "state"), FaultCode.SECOND_DRAFT, {"value": round.number}
        yield from _find_round_problems(at, round, field)
    for place, lot in enumerate(division.lots):
        at = (*path, "lots", place, "order")
        yield from _find_repeated_values(((*at, position), key) for position, key in enumerate(lot.order))
        yield from field.find_list_problems(at, lot.order)
    for place, pair in enumerate(division.kept_apart):
        yield from field.find_list_problems((*path, "kept_apart", place), pair)
        if pair[0] == pair[1]:
            yield (*path, "kept_apart", place), FaultCode.AGAINST_ONESELF, {"value": quote_value(pair[0])}
    if division.announced is not None:
        yield from _find_announced_pair_problems((*path, "announced", "pairs"), division.announced.pairs, field)
    yield from _find_duplicate_data_problems(path, division, field, event)
    yield from _find_prizes_problems(path, division, field)
    if division.knockout is not None:
        yield from _find_knockout_data_problems((*path, "knockout"), division, division.knockout, field, event)


def _find_tables_problems(divisions: Sequence[DivisionData]) -> Iterator[FileProblem]:
    """That each table is one division's, and ranges run upwards."""
    ranges_before: list[TableRange] = []
    for place, division in enumerate(divisions):
        for at, (first, last) in enumerate(division.tables):
            if first > last or find_shared_table([(first, last)], ranges_before) is not None:
                figures = {"value": f"{first}–{last}"}
                yield ("divisions", place, "tables", at), FaultCode.TABLES_TWICE, figures
            # Also of a range that is wrong: the next division that names its tables is told as well.
            ranges_before.append((first, last))


def _find_announced_pair_problems(
    path: JsonPath, pairs: Sequence[Sequence[str]], field: DivisionPlayers
) -> Iterator[FileProblem]:
    """That each is two players or one, and nobody is in two."""
    for place, pair in enumerate(pairs):
        yield from field.find_list_problems((*path, place), pair)
        if len(pair) not in (1, 2):
            yield (*path, place), FaultCode.WRONG_KIND, {"value": "[…]", "kind": PAIR_KIND}
    yield from _find_repeated_values(
        ((*path, place, at), key) for place, pair in enumerate(pairs) for at, key in enumerate(pair)
    )


def _find_plan_problems(path: JsonPath, division: DivisionData) -> Iterator[FileProblem]:
    last = 0
    for place, segment in enumerate(division.plan):
        at = (*path, "plan", place)
        if segment.first <= last or segment.last < segment.first:
            yield (*at, "rounds"), FaultCode.PLAN_ORDER, {"value": f"{segment.first}–{segment.last}"}
        if segment.factor is not None and segment.method != Method.FACTOR:
            yield (*at, "factor"), FaultCode.PLAN_FACTOR, {}
        # A segment that runs backwards (7–3) must not let the next one begin within those before it.
        last = max(last, segment.last)


def _find_round_problems(path: JsonPath, round: RoundData, field: DivisionPlayers) -> Iterator[FileProblem]:
    for place, group in enumerate(round.groups):
        yield from field.find_list_problems((*path, "groups", place), group)
    for place, note in enumerate(round.notes):
        yield from field.find_list_problems((*path, "notes", place, "players"), note.players)
    seen: set[str] = set()
    tables: set[int | None] = set()
    for place, pairing in enumerate(round.pairings):
        at = (*path, "pairings", place)
        # Not `strict`: a bye has one player.
        for side, key in zip(SIDES, pairing.players, strict=False):
            yield from field.find_id_problems((*at, side), key)
            # Not of an id that nobody has: that is told already, and goes away with it.
            if key in seen and key in field.players:
                yield (*at, side), FaultCode.PLAYER_TWICE, {"value": quote_value(key), "round": round.number}
        # Only after both sides: somebody who sits against themselves is told below as just that.
        seen.update(pairing.players)
        if pairing.table is not None and pairing.table in tables:
            yield (*at, "table"), FaultCode.TWICE, {"value": pairing.table}
        tables.add(pairing.table)
        yield from _find_pairing_problems(at, pairing)
        for reason, why in enumerate(pairing.why):
            for name, key in list_figure_players(why):
                yield from field.find_id_problems((*at, "why", reason, name), key)
        if round.state == RoundState.DRAFT:
            yield from _find_draft_problems(at, pairing, round.number)


def _find_pairing_problems(path: JsonPath, pairing: PairingData) -> Iterator[FileProblem]:
    outcome = quote_value(pairing.outcome.value)
    if pairing.outcome in OUTCOMES_WITHOUT_OPPONENT:
        if pairing.second is not None:
            yield (*path, "second"), FaultCode.NO_OPPONENT, {"value": outcome, "second": quote_value(pairing.second)}
        if pairing.table is not None:
            yield (*path, "table"), FaultCode.NO_TABLE, {"value": outcome, "table": pairing.table}
    elif pairing.spread is not None:
        yield (*path, "spread"), FaultCode.SPREAD_ONLY_ALONE, {"value": outcome}
    yield from _find_game_data_problems(path, pairing)


def _find_draft_problems(path: JsonPath, pairing: PairingData, number: int) -> Iterator[FileProblem]:
    """That a pairing of a draft has no result: nobody has seen it yet."""
    # The outcome of a bye stands in a draft, too, because it says what kind of pairing it is; the rest is a result.
    if pairing.outcome in OUTCOMES_WITHOUT_OPPONENT:
        for key in list_stated_fields(pairing, "spread", *RESULT_FACTS):
            yield (*path, key), FaultCode.RESULT_IN_DRAFT, {"value": quote_value(key), "round": number}
    elif pairing.outcome != Outcome.OPEN:
        value = quote_value(pairing.outcome.value)
        yield (*path, "outcome"), FaultCode.RESULT_IN_DRAFT, {"value": value, "round": number}


def _find_prizes_problems(path: JsonPath, division: DivisionData, field: DivisionPlayers) -> Iterator[FileProblem]:
    kind_by_key = {key: kind for kind, keys in NEEDED_PRIZE_KEYS.items() for key in keys} | {"winner": PrizeKind.OWN}
    count, most = len(division.prizes), limits.PRIZES.high
    if count > most:
        yield (*path, "prizes"), FaultCode.TOO_MANY_PRIZES, {"value": count, "limit": most}
    for place, prize in enumerate(division.prizes):
        at = (*path, "prizes", place)
        stated = list_stated_fields(prize, *kind_by_key)
        needed = NEEDED_PRIZE_KEYS.get(prize.kind, ())
        kind = quote_value(prize.kind.value)
        if needed and not any(key in stated for key in needed):
            yield at, FaultCode.PRIZE_NEEDS, {"value": kind, "key": needed[0]}
        for key in stated:
            if key != "title" and kind_by_key[key] != prize.kind:
                yield (*at, key), FaultCode.PRIZE_WITHOUT, {"value": kind, "key": key}
        lowest, highest = prize.lowest_rating, prize.highest_rating
        if lowest is not None and highest is not None and lowest > highest:
            yield (*at, "lowest_rating"), FaultCode.PRIZE_RATINGS, {"lowest": lowest, "highest": highest}
        # Only prizes of the organiser's own have a chosen winner; of others the key itself is reported above.
        if prize.winner is not None:
            yield from field.find_id_problems((*at, "winner"), prize.winner)
        yield from _find_length_problems((*at, "club"), prize.club, limits.CLUB)
