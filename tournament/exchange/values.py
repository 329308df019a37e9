"""An event as one plain value: what every file is read into and every file is written from. The classes say what is in
a tournament file: the keys in their order, their types and limits (`objects`). Ids of players are those of the file. A
value may still be wrong in itself (a player twice in a round …); `checks` tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from scoring.awards import AwardReason, Awards, Outcome
from scoring.duplicate import DEFAULT_DUPLICATE_RULES
from scoring.extents import MAX_TURNS
from scoring.knockout_values import FactKind, KnockoutSystem, MatchCriterion, MatchFormat, MatchPlace
from scoring.prizes import PrizeKind
from scoring.ratings import RatingSystem
from scoring.rulesets.values import BoardTurning
from scoring.sealed import Envelope, SealedTurn
from scoring.standings import Ranking
from scoring.team_matches import LeaverMatches, TeamFormat, TeamPairing
from scoring.teams import TeamRule
from tournament.basics import limits
from tournament.basics.languages import PageLanguage
from tournament.basics.showing import ALL_SHOWN_AT_ONCE, ShowingRule
from tournament.core.fees import NO_FEES, FeeKind, FeeTerms
from tournament.ending.plan import LONGEST_CERTIFICATE_TEXTS, USUAL_CERTIFICATE_TEXT, CertificateText
from tournament.exchange.objects import ALWAYS, LIMITS_BESIDE, Longest, Most
from tournament.models import RoundState
from tournament.pairing.lots import TILES_OF_A_SEED
from tournament.pairing.values import ByePolicy, ClaimCondition, Method, NoteCode, StartPolicy

PlayerId = Annotated[str, Longest(limits.PLAYER_ID)]
OtherPlayerId = Annotated[str | None, Longest(limits.PLAYER_ID)]
PlayerIds = Annotated[tuple[str, ...], Longest(limits.PLAYER_ID)]
RoundNumber = Annotated[int, limits.ROUND]
AfterRound = Annotated[int | None, limits.AFTER_ROUND]
Points = Annotated[int | None, limits.POINTS]
Penalty = Annotated[int, limits.PENALTY]
OvertimeSeconds = Annotated[int | None, limits.OVERTIME]
Bingos = Annotated[int | None, limits.BINGOS]
Moves = Annotated[tuple[int, ...], limits.MOVE, Most(limits.MOVES)]
Seconds = Annotated[int | None, limits.SECONDS]
Table = Annotated[int | None, limits.TABLE]
Rating = Annotated[int | None, limits.RATING]

# At the import of this module, before any of these classes is read: what their fields are is kept from the first
# question on.
LIMITS_BESIDE |= {
    FeeTerms: {"kinds": Most(limits.FEE_KINDS), "currency": Longest(limits.CURRENCY)},
    FeeKind: {"key": Longest(limits.WORD), "name": Longest(limits.FEE_KIND), "cents": limits.FEE_CENTS},
    CertificateText: {name: Longest(longest) for name, longest in LONGEST_CERTIFICATE_TEXTS.items()},
    SealedTurn: {"hash": Longest(limits.HASH), "content": Longest(limits.SEALED_TURN)},
    Envelope: {
        "name": Longest(limits.SEALED_NAME),
        "ruleset": Longest(limits.WORD),
        "max_turns": limits.DUPLICATE_TURNS,
        "seconds": limits.TURN_SECONDS,
        "salt": Longest(limits.HASH),
        "turns": Most(limits.DUPLICATE_TURNS.high),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameData:
    """A game and its result. Points are final scores; with a forfeit, the score when the game stopped."""

    first: PlayerId
    second: Annotated[OtherPlayerId, ALWAYS] = None
    outcome: Annotated[Outcome, ALWAYS] = Outcome.OPEN
    reason: AwardReason | None = None
    second_reason: AwardReason | None = None
    first_points: Points = None
    second_points: Points = None
    first_penalty: Penalty = 0
    second_penalty: Penalty = 0
    first_overtime: OvertimeSeconds = None
    second_overtime: OvertimeSeconds = None
    first_bingos: Bingos = None
    second_bingos: Bingos = None
    first_moves: Moves = ()
    second_moves: Moves = ()
    first_seconds: Seconds = None
    second_seconds: Seconds = None
    penalty_reason: Annotated[str, Longest(limits.PENALTY_REASON)] = ""
    note: Annotated[str, Longest(limits.NOTE)] = ""

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingData(GameData):
    """A pairing of a round; a league's game may be postponed to a day of its own (`due_on`). `spread` is credited for a
    bye or an absence instead of the rule's figure. `why` holds its reasons: a code each, and the figures that
    `tournament.pairing.values` says."""

    table: Annotated[Table, ALWAYS] = None
    spread: Annotated[int | None, limits.SPREAD] = None
    locked: bool = False
    due_on: date | None = None
    flags: tuple[str, ...] = ()
    why: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteData:
    """What the draw of a round had to tell the director, about these players."""

    code: NoteCode
    players: PlayerIds = ()
    figure: Annotated[int | None, limits.REASON_FIGURE] = None
    unless: tuple[ClaimCondition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundData:
    """A round; `based_on` is the round whose table it was paired on, `shown` from when the public sees what of it,
    `due_on` the last day on which its games are played."""

    number: RoundNumber
    method: Annotated[Method, ALWAYS] = Method.MANUAL
    state: Annotated[RoundState, ALWAYS] = RoundState.PUBLISHED
    due_on: date | None = None
    seed: Annotated[int, limits.DRAW_SEED] = 0
    tiles: Annotated[str, Longest(TILES_OF_A_SEED)] = ""
    based_on: AfterRound = None
    repeats: bool = False
    repeats_after: Annotated[int, limits.REPEATS_AFTER] = 0
    groups: Annotated[tuple[tuple[str, ...], ...], Longest(limits.PLAYER_ID)] = ()
    notes: Annotated[tuple[NoteData, ...], Most(limits.NOTES)] = ()
    shown: ShowingRule = ALL_SHOWN_AT_ONCE
    pairings: Annotated[tuple[PairingData, ...], ALWAYS] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentData:
    """A part of the plan: rounds `first` to `last` are paired by one method, on a table `behind` rounds older."""

    first: int
    last: int
    method: Method
    repeats: bool = False
    repeats_after: Annotated[int, limits.REPEATS_AFTER] = 0
    factor: Annotated[int | None, limits.FACTOR] = None
    behind: Annotated[int, limits.ROUNDS_BEHIND] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LotData:
    """The order in which lots were drawn among players still level after a round."""

    after: Annotated[int, limits.AFTER_ROUND]
    order: PlayerIds
    tiles: Annotated[str, Longest(TILES_OF_A_SEED)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedInBracket:
    """What belongs to a match of the knock-out: stage 1 is played first, position 1 is the top one."""

    stage: Annotated[int, limits.STAGE]
    position: Annotated[int, limits.POSITION]

    @property
    def place(self) -> MatchPlace:
        return self.stage, self.position


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchData(PlacedInBracket):
    """A match of the knock-out. `not_recorded`: what nobody wrote down of it, as the director said."""

    games: Annotated[tuple[GameData, ...], ALWAYS] = ()
    not_recorded: tuple[FactKind, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLotData(PlacedInBracket):
    """A match that lots decided, or the announcement's own criterion, by which the director entered the winner."""

    winner: PlayerId
    by_own_criterion: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTableData(PlacedInBracket):
    """At which table of the hall a match is played."""

    table: Annotated[int, limits.TABLE]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutData:
    """A knock-out as far as it was decided; who meets whom follows from seeds and games. A match is played at the
    table with the number of its position, unless `tables` says another."""

    size: Annotated[int, limits.KNOCKOUT_SIZE]
    form: MatchFormat
    best_of: Annotated[int | None, limits.BEST_OF, ALWAYS] = None
    criteria: Annotated[tuple[MatchCriterion, ...], ALWAYS] = ()
    third_place: Annotated[bool, ALWAYS] = False
    seeds: Annotated[PlayerIds, ALWAYS] = ()
    matches: Annotated[tuple[MatchData, ...], ALWAYS] = ()
    lots: tuple[MatchLotData, ...] = ()
    tables: tuple[MatchTableData, ...] = ()
    own_criterion: Annotated[str, Longest(limits.OWN_CRITERION)] = ""
    system: KnockoutSystem = KnockoutSystem.SINGLE


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeData:
    """A prize as announced; `winner` is whom the director gives one of the organiser's own."""

    kind: PrizeKind
    place: Annotated[int | None, limits.PRIZE_PLACE] = None
    club: Annotated[str, Longest(limits.CLUB)] = ""
    lowest_rating: Rating = None
    highest_rating: Rating = None
    title: Annotated[str, Longest(limits.PRIZE_TITLE)] = ""
    award: Annotated[str, Longest(limits.PRIZE_AWARD)] = ""
    winner: OtherPlayerId = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSlip:
    """What stands on a slip; None for what does not."""

    player: PlayerId
    position: Annotated[str | None, Longest(limits.SLIP_POSITION), ALWAYS] = None
    word: Annotated[str | None, Longest(limits.SLIP_TEXT), ALWAYS] = None
    claimed: Annotated[int | None, limits.CLAIMED_POINTS, ALWAYS] = None
    late: Annotated[bool, ALWAYS] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipData(StatedSlip):
    """What a player handed in for a turn of a duplicate session."""

    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondSlipData(StatedSlip):
    """A slip as somebody else has typed it once more; `missing`: there is none."""

    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterData:
    """The word that was laid on every board, and why if it is not the one that the rules propose."""

    position: Annotated[str, Longest(limits.SLIP_POSITION)]
    word: Annotated[str, Longest(limits.SLIP_TEXT)]
    reason: Annotated[str | None, Longest(limits.WHY), ALWAYS] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionData:
    """What the slip of a player scores after it was judged anew, and scored `before` once the session was over; the
    public was told by this `notice`, `noticed` the day."""

    slip: PlayerId
    points: Annotated[int, limits.SLIP_POINTS]
    why: Annotated[str, Longest(limits.WHY)]
    at: date
    alone: bool = False
    before: Annotated[int | None, limits.SLIP_POINTS] = None
    notice: Annotated[int | None, limits.NOTICE] = None
    noticed: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnData:
    """A turn of a duplicate session; it is still being played without a master word. `code` opened a sealed one."""

    number: Annotated[int, limits.DUPLICATE_TURNS]
    draw: Annotated[str, Longest(limits.SLIP_TEXT)]
    redrawn: Annotated[tuple[str, ...], Longest(limits.SLIP_TEXT), ALWAYS] = ()
    code: Annotated[str, Longest(limits.CODE)] = ""
    slips: Annotated[tuple[SlipData, ...], ALWAYS] = ()
    master: Annotated[MasterData | None, ALWAYS] = None
    corrections: Annotated[tuple[CorrectionData, ...], Most(limits.CORRECTIONS)] = ()
    second: tuple[SecondSlipData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatData:
    """Where a player of a duplicate session sits. `given`: by the director or at the desk, not drawn."""

    player: PlayerId
    number: Annotated[int, limits.SEAT]
    given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateData:
    """A duplicate session as it was noted. `words`: the title of a list. `stopped`: why the director ended it.
    `sealed`: as it was fixed beforehand. `twice`: slips are typed a second time. `seat_count` seats are numbered,
    `seat_row` in a row; `seat_seed` is that of the last draw."""

    letters: Annotated[str, Longest(limits.WORD)]
    max_turns: Annotated[int, limits.DUPLICATE_TURNS, ALWAYS] = MAX_TURNS
    seconds: Annotated[int, limits.TURN_SECONDS, ALWAYS] = DEFAULT_DUPLICATE_RULES.turn_seconds
    words: Annotated[str | None, Longest(limits.WORD_LIST), ALWAYS] = None
    seed: Annotated[int, limits.DUPLICATE_SEED] = 0
    stopped: Annotated[str, Longest(limits.WHY)] = ""
    twice: bool = False
    sealed: Envelope | None = None
    seat_count: Annotated[int, limits.SEATS] = 0
    seat_row: Annotated[int, limits.SEAT_ROW] = 10
    clubs_apart: bool = False
    seats_public: bool = False
    seat_seed: Annotated[int | None, limits.DUPLICATE_SEED] = None
    seats: Annotated[tuple[SeatData, ...], Most(limits.SEAT.high)] = ()
    turns: Annotated[tuple[TurnData, ...], Most(limits.DUPLICATE_TURNS.high), ALWAYS] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedData:
    """Pairs of a round that were announced before the last result, one player for a bye; the round has this seed."""

    round: RoundNumber
    seed: Annotated[int, limits.DRAW_SEED]
    pairs: Annotated[tuple[tuple[str, ...], ...], Longest(limits.PLAYER_ID), ALWAYS] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionData:
    """A field of players with its own rounds."""

    name: Annotated[str, Longest(limits.DIVISION)]
    plan: Annotated[tuple[SegmentData, ...], Most(limits.ROUND.high), ALWAYS] = ()
    rounds: Annotated[tuple[RoundData, ...], Most(limits.ROUND.high), ALWAYS] = ()
    kept_apart: tuple[tuple[str, str], ...] = ()
    tables: Annotated[tuple[tuple[int, int], ...], limits.TABLE, Most(limits.TABLE_RANGES)] = ()
    lots: Annotated[tuple[LotData, ...], Most(limits.ROUND.high)] = ()
    announced: AnnouncedData | None = None
    knockout: KnockoutData | None = None
    duplicate: DuplicateData | None = None
    prizes: tuple[PrizeData, ...] = ()
    prizes_public: bool = False
    tells_turning_point: bool = True
    ceremony_place: Annotated[int | None, limits.CEREMONY_PLACE] = None
    up: Annotated[int, limits.DIVISION_MOVES] = 0
    down: Annotated[int, limits.DIVISION_MOVES] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceData:
    """A round that a player will miss, announced in advance."""

    round: RoundNumber
    loss: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerData:
    """A player as entered in the event."""

    id: PlayerId
    name: Annotated[str, Longest(limits.PLAYER_NAME)]
    club: Annotated[str | None, Longest(limits.CLUB), ALWAYS] = None
    rating: Annotated[Rating, ALWAYS] = None
    games: Annotated[int, limits.GAMES, ALWAYS] = 0
    division: Annotated[str, Longest(limits.DIVISION), ALWAYS] = ""
    first_round: RoundNumber = 1
    withdrawn_after: AfterRound = None
    disqualified: bool = False
    absences: Annotated[tuple[AbsenceData, ...], Most(limits.ROUND.high)] = ()
    guest: bool = False
    fee_paid: bool = False
    fee_kind: Annotated[str, Longest(limits.WORD)] = ""
    paid_cents: Annotated[int | None, limits.FEE_CENTS] = None
    paid_on: date | None = None
    fee_waived: bool = False
    present: bool = False
    expected: bool = False
    fixed_table: Table = None
    team: Annotated[str, Longest(limits.CLUB)] = ""
    board: Annotated[int | None, limits.BOARD] = None
    exception: Annotated[str, Longest(limits.EXCEPTION)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventData:
    """A whole tournament."""

    slug: Annotated[str, Longest(limits.SLUG)]
    name: Annotated[str, Longest(limits.NAME)]
    place: Annotated[str, Longest(limits.PLACE), ALWAYS] = ""
    starts_on: Annotated[date | None, ALWAYS] = None
    ends_on: Annotated[date | None, ALWAYS] = None
    ruleset: Annotated[str, Longest(limits.WORD)]
    minutes: Annotated[int | None, limits.MINUTES, ALWAYS] = None
    ranking: Ranking
    starts: Annotated[StartPolicy, ALWAYS] = StartPolicy.BALANCED
    awards: Awards
    bye_policy: Annotated[ByePolicy, ALWAYS] = ByePolicy.LOWEST
    clubs_apart: Annotated[int, limits.CLUBS_APART, ALWAYS] = 2
    public: bool = True
    public_reasons: bool = True
    results_twice: bool = False
    step_seconds: Annotated[int | None, limits.STEP_SECONDS] = None
    national: bool = False
    rated: bool = True
    knockout_rated: bool = True
    rating_system: RatingSystem = RatingSystem.TSH_DEU
    ratings_public: bool = False
    team_rule: TeamRule = TeamRule.NONE
    team_best: Annotated[int, limits.TEAM_BEST] = 4
    team_format: TeamFormat = TeamFormat.BOARDS
    team_pairing: TeamPairing = TeamPairing.SWISS
    team_leavers: LeaverMatches = LeaverMatches.KEPT
    ended: bool = False
    called_off_on: date | None = None
    announcement: Annotated[str, Longest(limits.ANNOUNCEMENT, lines=True)] = ""
    word_list: Annotated[str, Longest(limits.WORD_LIST)] = ""
    word_list_at: Annotated[str, Longest(limits.WORD_LIST_AT)] = ""
    turning: BoardTurning = BoardTurning.AGREED
    shown: ShowingRule = ALL_SHOWN_AT_ONCE
    deviation_reasons: Annotated[str, Longest(limits.DEVIATION_REASONS, lines=True)] = ""
    open_questions: Annotated[str, Longest(limits.OPEN_QUESTIONS, lines=True)] = ""
    language: Annotated[PageLanguage, ALWAYS] = PageLanguage.GERMAN
    certificate: CertificateText = USUAL_CERTIFICATE_TEXT
    fees: FeeTerms = NO_FEES
    players: Annotated[tuple[PlayerData, ...], ALWAYS] = ()
    divisions: Annotated[tuple[DivisionData, ...], ALWAYS] = ()
