"""The public state of an event: the tournament file's value with only what a stranger may see at this moment, and what
public pages show beside it. Whatever leaves the hall by itself (mirror, interfaces for programs) is made of it. What is
seen of a round is asked of `core.public_view`, as pages do; fields are taken one by one, so that a new one stays here
until somebody lets it out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

from django.db.models import Max

from games.replay.streamed_board import load_public_boards
from games.round_play.public_games import load_public_games
from scoring.awards import OUTCOMES_WITHOUT_OPPONENT, Outcome
from tournament.basics.showing import SHOWING_STEPS, ShowingRule, ShowingTime, ShowingTrigger
from tournament.core.fees import NO_FEES
from tournament.core.public_view import NOTHING, PublicView, RoundSight, get_public_view
from tournament.ending.certificate_codes import load_mirrored_key
from tournament.ending.plan import USUAL_CERTIFICATE_TEXT
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import make_event_json
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    MatchData,
    PairingData,
    PlayerData,
    RoundData,
    SeatData,
    TurnData,
)
from tournament.hall.public_hall import load_public_hall
from tournament.hall.queries import get_hall
from tournament.models import Pairing, Result, Round, RoundState, Tournament

MOST_TRIES = 20  # an event of 80 players is read in a fifth of a second

PUBLIC_PART_LOADERS: Mapping[str, Callable[[Tournament, PublicView], Any]] = {
    "hall": load_public_hall,
    "games": load_public_games,
    "boards": load_public_boards,
    "certificates": load_mirrored_key,
}
"""What public pages show or look up beside the tournament file, as JSON values by name. Called while the view is
open."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """All that the public sees of an event, announced at `created_at`, at the moment `at`. `state` is a text that
    changes whenever there is more to see; `rounds`, `clock` (once somebody has started it) and `parts`, those of
    `PUBLIC_PART_LOADERS`, are JSON values as they are sent."""

    event: EventData
    created_at: datetime
    at: datetime
    state: str
    rounds: tuple[Mapping[str, Any], ...]
    clock: Mapping[str, Any] | None
    parts: Mapping[str, Any]


def load_public_state(tournament: Tournament, at: datetime | None = None) -> PublicState | None:
    """What the public sees of a stored tournament at a moment, by default now; None if the director has hidden it.
    Some twenty queries, whatever its size."""
    for _try in range(MOST_TRIES):
        stored = Tournament.objects.get(pk=tournament.pk)
        if not stored.is_public:
            return None
        state = _load_state(stored, at)
        # Read without a lock, so that no result waits for twenty queries: what was read on both sides of a change is
        # thrown away.
        if Tournament.objects.filter(pk=stored.pk, revision=stored.revision).exists():
            return state
    raise RuntimeError("the event changes faster than it can be read")


def _load_state(tournament: Tournament, at: datetime | None) -> PublicState:
    """The state, if nobody writes meanwhile: what is seen was asked before the rest was read."""
    view = get_public_view(tournament, at)
    rounds = Round.objects.filter(division__tournament=tournament).public().select_related("division").in_order()
    latest = _find_latest_results(tournament, view)
    hall = get_hall(tournament)
    return PublicState(
        event=load_public_event(tournament, view),
        created_at=tournament.created_at,
        at=view.at,
        state=view.state,
        rounds=tuple(
            _make_round_json(round, view.sight(round.pk), latest.get(round.pk))
            for round in rounds
            if view.sight(round.pk).pairings
        ),
        clock={"seconds": hall.clock_seconds, "left": hall.clock_left, "ends": _format_moment(hall.clock_ends)}
        if hall.clock_is_begun
        else None,
        parts={name: load(tournament, view) for name, load in PUBLIC_PART_LOADERS.items()},
    )


def load_public_event(tournament: Tournament, view: PublicView) -> EventData:
    """A stored tournament as the tournament file has it, as far as it is seen in this view. Sixteen queries at most."""
    rounds = Round.objects.filter(division__tournament=tournament).public().select_related("division")
    sights = {(round.division.name, round.number): view.sight(round.pk) for round in rounds}
    hidden = Pairing.objects.filter(pk__in=view.unconfirmed or ()).select_related("round__division")
    # A game of the knock-out by its match: that is how the file knows it, whatever table it is played at.
    unconfirmed = {
        (
            hidden_game.round.division.name,
            hidden_game.round.number,
            hidden_game.match_position if hidden_game.round.is_knockout else hidden_game.table,
        )
        for hidden_game in hidden
    }
    filtering = _PublicFilter(sights, frozenset(unconfirmed), reasons=tournament.public_reasons)
    return filtering.filter_event(load_event_data(tournament))


def _find_latest_results(tournament: Tournament, view: PublicView) -> dict[int, datetime]:
    """When the latest result of each round came, of those that are seen. One query."""
    official = Result.objects.filter(official=True, pairing__round__division__tournament=tournament)
    games = official.filter(pairing__kind=Pairing.Kind.GAME).exclude(pairing__in=view.unconfirmed or ())
    # Without an order: its columns would be grouped by as well, and each result be a group of its own.
    return dict(games.order_by().values_list("pairing__round").annotate(latest=Max("at")))


def _make_round_json(round: Round, sight: RoundSight, latest: datetime | None) -> dict[str, Any]:
    """When a round that is seen was published and closed, when the latest of the results that are seen came, and from
    when what is seen of it. `number` is the stored one: above 1000 in the knock-out."""
    rule = ShowingRule.of(round)
    return {
        "division": round.division.name,
        "number": round.number,
        "published_at": _format_moment(round.published_at),
        "closed_at": _format_moment(round.closed_at) if _is_end_told(rule, sight) else None,
        # The moment tells something, too: that the last result is in, while results are held back.
        "results_at": _format_moment(latest) if sight.results else None,
        "shown": rule.columns,
    }


def _is_end_told(shown: ShowingRule, sight: RoundSight) -> bool:
    """Whether the public knows that a round is closed: by its results, or since something is shown a while later."""
    # The state once told that a round was closed while its results were still held back.
    return sight.results or ShowingTrigger.CLOSED in (shown.results.since, shown.table.since)


GAME_FIELDS = ("first", "second", "outcome", "reason", "second_reason", "first_points", "second_points")
FACT_FIELDS = ("first_bingos", "second_bingos", "first_moves", "second_moves")
"""What statistics are made of."""
DECIDING_FIELDS = ("first_seconds", "second_seconds")
"""What may decide a match of the knock-out, beside the facts."""
PLAYER_FIELDS = (
    "id",
    "name",
    "club",
    "rating",
    "games",
    "division",
    "first_round",
    "withdrawn_after",
    "disqualified",
    "guest",
    "team",
    "board",
)


SHOWN_NEVER = ShowingRule(*[ShowingTime(ShowingTrigger.HAND)] * len(SHOWING_STEPS))


def _pick(value: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


@dataclass(frozen=True, slots=True)
class _PublicFilter:
    """Takes from an event what the public sees. `sights` has the public rounds by division and stored number,
    `unconfirmed` the tables whose result is to be typed once more."""

    sights: Mapping[tuple[str, int], RoundSight]
    unconfirmed: frozenset[tuple[str, int, int | None]]
    reasons: bool

    def filter_event(self, event: EventData) -> EventData:
        return replace(
            event,
            certificate=USUAL_CERTIFICATE_TEXT,
            fees=NO_FEES,
            step_seconds=None,  # what is done by itself is done in the hall alone
            deviation_reasons="",
            open_questions="",
            players=tuple(PlayerData(**_pick(player, *PLAYER_FIELDS, "exception")) for player in event.players),
            divisions=tuple(map(self._filter_division, event.divisions)),
        )

    def _filter_division(self, division: DivisionData) -> DivisionData:
        name = division.name
        rounds = [round for round in division.rounds if round.state != RoundState.DRAFT]
        seen = [self._sight(name, round.number) for round in rounds]
        # Up to the first table that is held back: a lot or a seeding behind it would tell how that one stands.
        last = sum(1 for _each in takewhile(lambda sight: sight.table, seen))
        # Up to the last round of which anything is seen: one before it that is still hidden would leave a gap in the
        # numbers.
        last_visible = max((place for place, sight in enumerate(seen, 1) if sight.pairings), default=0)
        return DivisionData(
            name=name,
            plan=division.plan,
            rounds=tuple(self._filter_round(name, round) for round in rounds[:last_visible]),
            lots=tuple(lot for lot in division.lots if lot.after <= last),
            knockout=division.knockout and self._filter_knockout(name, division.knockout, is_seeded=last == len(seen)),
            duplicate=division.duplicate and _filter_session(division.duplicate),
            prizes=division.prizes if division.prizes_public else (),
            prizes_public=division.prizes_public,
            tells_turning_point=division.tells_turning_point,
            up=division.up,
            down=division.down,
        )

    def _sight(self, division: str, number: int) -> RoundSight:
        return self.sights.get((division, number), NOTHING)

    def _filter_round(self, division: str, round: RoundData) -> RoundData:
        """A round; one whose pairings are not seen yet, before others that are, is told by its number alone."""
        sight = self._sight(division, round.number)
        if not sight.pairings:
            return RoundData(number=round.number, shown=SHOWN_NEVER)
        tells_why = self.reasons and sight.reasons
        return RoundData(
            **_pick(round, "number", "method", "shown", "due_on", "repeats", "repeats_after"),
            state=round.state if _is_end_told(round.shown, sight) else RoundState.PUBLISHED,
            **(_pick(round, "seed", "tiles") if round.tiles else {}),
            groups=round.groups if tells_why else (),
            based_on=round.based_on if tells_why else None,
            pairings=tuple(
                self._filter_pairing(division, round.number, pairing, sight, tells_why=tells_why)
                for pairing in round.pairings
            ),
        )

    def _filter_pairing(
        self, division: str, number: int, pairing: PairingData, sight: RoundSight, *, tells_why: bool
    ) -> PairingData:
        # A bye is no result that could be held back: who has it is seen with the pairings.
        is_alone = pairing.outcome in OUTCOMES_WITHOUT_OPPONENT
        is_seen = is_alone or (sight.results and (division, number, pairing.table) not in self.unconfirmed)
        return PairingData(
            **_filter_game(pairing, *FACT_FIELDS, is_seen=is_seen),
            table=pairing.table,
            due_on=pairing.due_on,
            spread=pairing.spread if is_seen else None,
            flags=pairing.flags if tells_why else (),
            why=pairing.why if tells_why else (),
        )

    def _filter_knockout(self, division: str, block: KnockoutData, *, is_seeded: bool) -> KnockoutData:
        """The knock-out as announced; who is seeded shows with the last table, and each game with its round."""
        seen = {match.place: self._filter_match(division, match) for match in block.matches if is_seeded}
        stages = {stage for stage in {place[0] for place in seen} if self._is_stage_seen(division, stage)}
        return replace(
            block,
            seeds=block.seeds if is_seeded else (),
            matches=tuple(
                replace(match, not_recorded=match.not_recorded if match.stage in stages else ())
                for match in seen.values()
                if match.games
            ),
            lots=tuple(lot for lot in block.lots if is_seeded and self._is_stage_seen(division, lot.stage)),
            tables=tuple(
                table
                for table in block.tables
                if is_seeded and self._sight(division, Round.knockout_number(table.stage, 1)).pairings
            ),
        )

    def _is_stage_seen(self, division: str, stage: int) -> bool:
        begin = Round.knockout_number(stage, 0)
        return all(
            sight.results
            for (name, number), sight in self.sights.items()
            if name == division and begin < number < Round.knockout_number(stage + 1, 0)
        )

    def _filter_match(self, division: str, match: MatchData) -> MatchData:
        numbers = (Round.knockout_number(match.stage, game) for game, _each in enumerate(match.games, 1))
        games = zip(numbers, match.games, strict=True)
        # Up to the first game that is held back: that there is a third one tells who won the two before.
        visible_games = takewhile(lambda numbered: self._sight(division, numbered[0]).results, games)
        return replace(
            match, games=tuple(self._filter_match_game(division, match, *numbered) for numbered in visible_games)
        )

    def _filter_match_game(self, division: str, match: MatchData, number: int, game: GameData) -> GameData:
        is_seen = (division, number, match.position) not in self.unconfirmed
        return GameData(**_filter_game(game, *FACT_FIELDS, *DECIDING_FIELDS, is_seen=is_seen))


def _filter_game(game: GameData, *facts: str, is_seen: bool) -> dict[str, Any]:
    if not is_seen:
        return {**_pick(game, "first", "second"), "outcome": Outcome.OPEN}
    return _pick(game, *GAME_FIELDS, *facts)


def _filter_session(session: DuplicateData) -> DuplicateData:
    """A duplicate session with what was handed in for closed turns, and the draw of the one that runs."""
    columns = _pick(session, "letters", "max_turns", "seconds", "words", "stopped")
    if session.seats_public:
        columns |= _pick(session, "seat_count", "seat_row", "seats_public")
        columns["seats"] = tuple(SeatData(player=seat.player, number=seat.number) for seat in session.seats)
    return DuplicateData(**columns, turns=tuple(_filter_turns(session.turns)))


def _filter_turns(turns: Iterable[TurnData]) -> Iterable[TurnData]:
    listed = list(turns)
    for turn in listed:
        # Of the turn that is being played the draw alone: slips would tell what others have laid.
        is_open = turn.master is None and turn is listed[-1]
        yield TurnData(
            **_pick(turn, "number", "draw", "redrawn", "master"),
            slips=() if is_open else turn.slips,
            corrections=() if is_open else turn.corrections,
        )


def make_public_state_json(state: PublicState) -> dict[str, Any]:
    """The state as a JSON object: the tournament file's under `event`, beside it what the file does not hold. Two
    states that show the same give the same but for `at`."""
    return {
        "created_at": state.created_at.isoformat(),
        "at": state.at.isoformat(),
        "state": state.state,
        "event": make_event_json(state.event),
        "rounds": list(state.rounds),
        "clock": state.clock,
        "parts": dict(state.parts),
    }


def _format_moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
