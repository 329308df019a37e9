"""An event as one plain value: what every file is read into and every file is written from.

Nothing here knows the database. Ids of players are those of the file. A value may still be wrong in itself (a player
twice in a round …); `checks.problems` tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from scoring.awards import AwardReason, Awards, Outcome
from scoring.knockout_values import FactKind, MatchCriterion, MatchFormat
from scoring.prizes import PrizeKind
from scoring.rulesets.values import BoardTurning
from scoring.sealed import Envelope
from scoring.standings import Ranking
from tournament.basics.languages import PageLanguage
from tournament.basics.showing import ALL_SHOWN_AT_ONCE, ShowingRule
from tournament.ending.plan import USUAL_CERTIFICATE_TEXT, CertificateText
from tournament.models import RoundState
from tournament.pairing.values import ByePolicy, ClaimCondition, Method, NoteCode, StartPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class GameData:
    """A game and its result. Points are final scores; with a forfeit, the score when the game stopped."""

    first: str
    second: str | None = None
    outcome: Outcome = Outcome.OPEN
    reason: AwardReason | None = None
    second_reason: AwardReason | None = None
    first_points: int | None = None
    second_points: int | None = None
    first_penalty: int = 0
    second_penalty: int = 0
    penalty_reason: str = ""
    first_overtime: int | None = None
    second_overtime: int | None = None
    first_bingos: int | None = None
    second_bingos: int | None = None
    first_moves: tuple[int, ...] = ()
    second_moves: tuple[int, ...] = ()
    first_seconds: int | None = None
    second_seconds: int | None = None
    note: str = ""

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingData(GameData):
    """A pairing of a round. `spread` is credited for a bye or an absence instead of the rule's figure.

    `why` holds its reasons: a code each, and the figures that `pairing.codes` says.
    """

    table: int | None = None
    spread: int | None = None
    locked: bool = False
    flags: tuple[str, ...] = ()
    why: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteData:
    """What the draw of a round had to tell the director, about these players."""

    code: NoteCode
    players: tuple[str, ...] = ()
    figure: int | None = None
    unless: tuple[ClaimCondition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundData:
    """A round; `based_on` is the round whose table it was paired on, `shown` from when the public sees what of it."""

    number: int
    method: Method = Method.MANUAL
    state: RoundState = RoundState.PUBLISHED
    seed: int = 0
    based_on: int | None = None
    repeats: bool = False
    groups: tuple[tuple[str, ...], ...] = ()
    notes: tuple[NoteData, ...] = ()
    shown: ShowingRule = ALL_SHOWN_AT_ONCE
    pairings: tuple[PairingData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentData:
    """A part of the plan: rounds `first` to `last` are paired by one method, on a table `behind` rounds older."""

    first: int
    last: int
    method: Method
    repeats: bool = False
    factor: int | None = None
    behind: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LotData:
    """The order in which lots were drawn among players still level after a round."""

    after: int
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchData:
    """A match of the knock-out: stage 1 is played first, position 1 is the top one.

    `not_recorded`: what nobody wrote down of it, as the director said.
    """

    stage: int
    position: int
    games: tuple[GameData, ...] = ()
    not_recorded: tuple[FactKind, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLotData:
    """A match that lots decided."""

    stage: int
    position: int
    winner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutData:
    """A knock-out as far as it was decided; who meets whom follows from seeds and games."""

    size: int
    form: MatchFormat
    best_of: int | None = None
    criteria: tuple[MatchCriterion, ...] = ()
    third_place: bool = False
    seeds: tuple[str, ...] = ()
    matches: tuple[MatchData, ...] = ()
    lots: tuple[MatchLotData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeData:
    """A prize as announced; `winner` is whom the director gives one of the organiser's own."""

    kind: PrizeKind
    place: int | None = None
    club: str = ""
    lowest_rating: int | None = None
    highest_rating: int | None = None
    title: str = ""
    award: str = ""
    winner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipData:
    """What a player handed in for a turn of a duplicate session; None for what does not stand on it."""

    player: str
    position: str | None = None
    word: str | None = None
    claimed: int | None = None
    late: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterData:
    """The word that was laid on every board, and why if it is not the one that the rules propose."""

    position: str
    word: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionData:
    """What the slip of a player scores after it was judged anew."""

    slip: str
    points: int
    why: str
    at: date
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondSlipData:
    """A slip as somebody else has typed it once more; `missing`: there is none."""

    player: str
    position: str | None = None
    word: str | None = None
    claimed: int | None = None
    late: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnData:
    """A turn of a duplicate session. Without a master word the last one is still being played. `code` opened one that
    was sealed."""

    number: int
    draw: str
    redrawn: tuple[str, ...] = ()
    slips: tuple[SlipData, ...] = ()
    master: MasterData | None = None
    corrections: tuple[CorrectionData, ...] = ()
    second: tuple[SecondSlipData, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateData:
    """A duplicate session as it was noted. `words`: the title of a list. `stopped`: why the director ended it.
    `sealed`: as it was fixed beforehand. `twice`: slips are typed a second time."""

    letters: str
    max_turns: int
    seconds: int
    words: str | None = None
    seed: int = 0
    stopped: str = ""
    twice: bool = False
    sealed: Envelope | None = None
    turns: tuple[TurnData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionData:
    """A field of players with its own rounds."""

    name: str
    plan: tuple[SegmentData, ...] = ()
    rounds: tuple[RoundData, ...] = ()
    kept_apart: tuple[tuple[str, str], ...] = ()
    knockout: KnockoutData | None = None
    duplicate: DuplicateData | None = None
    lots: tuple[LotData, ...] = ()
    prizes: tuple[PrizeData, ...] = ()
    prizes_public: bool = False
    tells_turning_point: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceData:
    """A round that a player will miss, announced in advance."""

    round: int
    loss: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerData:
    """A player as entered in the event."""

    id: str
    name: str
    club: str | None = None
    rating: int | None = None
    games: int = 0
    division: str = ""
    first_round: int = 1
    withdrawn_after: int | None = None
    absences: tuple[AbsenceData, ...] = ()
    guest: bool = False
    fee_paid: bool = False
    present: bool = False
    expected: bool = False
    fixed_table: int | None = None
    exception: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventData:
    """A whole tournament."""

    slug: str
    name: str
    place: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    ruleset: str
    minutes: int | None = None
    ranking: Ranking
    starts: StartPolicy = StartPolicy.BALANCED
    awards: Awards
    bye_policy: ByePolicy = ByePolicy.LOWEST
    clubs_apart: int
    public: bool = True
    public_reasons: bool = True
    results_twice: bool = False
    shown: ShowingRule = ALL_SHOWN_AT_ONCE
    ended: bool = False
    announcement: str = ""
    word_list: str = ""
    word_list_at: str = ""
    turning: BoardTurning = BoardTurning.AGREED
    language: PageLanguage = PageLanguage.GERMAN
    certificate: CertificateText = USUAL_CERTIFICATE_TEXT
    players: tuple[PlayerData, ...] = ()
    divisions: tuple[DivisionData, ...] = ()
