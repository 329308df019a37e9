"""One table for a duplicate session that several clubs played from the same draws (Duplicatescrabble, Spelregels).
Slips are compared if they answer the same question: the same turn on the same board with the same tiles. Then the same
word at the same place scores the same in every club, and a solo is one that nobody in any other club has either."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from scoring.duplicate import JudgedSlip, SessionRecord, SessionTotal, Slip, percentage

WordKey = tuple[int, str, str]  # the turn, place and word of a slip, in capitals

SlipQuestion = tuple[int, Hashable]  # what slips answer: a turn, with its board and tiles

ClubPlayer = tuple[str, str]  # A club and one of its players


@dataclass(frozen=True, slots=True)
class SlipCorrection:
    """What a slip scores after its club judged it again. `alone`: the slip was misread, so no other is affected."""

    turn: int
    player: str
    points: int
    on: date
    alone: bool = False


@dataclass(frozen=True, slots=True)
class ClubSession:
    """What a club played: the session as it was first judged, and its corrections in order."""

    club: str
    session: SessionRecord
    corrections: tuple[SlipCorrection, ...] = ()


@dataclass(frozen=True, slots=True)
class ClubVerdict:
    """What a club gave for a word: its points, whether its jury refused it, and when it was corrected, if it was."""

    club: str
    points: int
    refused: bool
    on: date | None


@dataclass(frozen=True, slots=True)
class DisputedWord:
    """A word judged differently. `points`: what counts in every club now; `ruled`: the organiser has decided."""

    word: WordKey
    verdicts: tuple[ClubVerdict, ...]
    points: int
    ruled: bool


@dataclass(frozen=True, slots=True)
class ComparedSlip:
    """A player's slip: the question it answers, the word it is compared by, and what the club gave for it."""

    question: SlipQuestion
    key: ClubPlayer
    word: WordKey | None
    verdict: ClubVerdict


@dataclass(frozen=True)
class JoinedSessions:
    """The sessions of several clubs. `rulings`: what a word scores everywhere, as the organiser decided."""

    clubs: tuple[ClubSession, ...]
    rulings: Mapping[WordKey, int] = field(default_factory=dict)

    @cached_property
    def turns(self) -> int:
        """The most turns that a club played."""
        return max((len(club.session.turns) for club in self.clubs), default=0)

    @cached_property
    def _answers(self) -> list[ComparedSlip]:
        return [answer for club in self.clubs for answer in _compare_slips(club)]

    @cached_property
    def _verdicts(self) -> dict[tuple[SlipQuestion, WordKey], list[ClubVerdict]]:
        verdicts: dict[tuple[SlipQuestion, WordKey], list[ClubVerdict]] = defaultdict(list)
        for answer in self._answers:
            if answer.word is not None:
                verdicts[answer.question, answer.word].append(answer.verdict)
        return verdicts

    @cached_property
    def _counted(self) -> dict[tuple[SlipQuestion, WordKey], int]:
        return {
            # A ruling names a turn, a place and a word: it holds on whatever board a club had there.
            key: self.rulings.get(key[1], _settle_points(club_verdicts))
            for key, club_verdicts in self._verdicts.items()
        }

    @property
    def differences(self) -> list[DisputedWord]:
        """The words that scored differently in different clubs, turn by turn."""
        # Each verdict once: in a large club dozens hand in the same word.
        return [
            DisputedWord(key[1], tuple(dict.fromkeys(club_verdicts)), self._counted[key], key[1] in self.rulings)
            for key, club_verdicts in sorted(self._verdicts.items(), key=lambda pair: pair[0][1])
            if len({verdict.points for verdict in club_verdicts}) > 1
        ]

    @cached_property
    def scores(self) -> dict[ClubPlayer, dict[int, tuple[SlipQuestion, int]]]:
        """What everybody scores in each turn, with the question answered."""
        scores_by_player: dict[ClubPlayer, dict[int, tuple[SlipQuestion, int]]] = {
            (club.club, player): {} for club in self.clubs for player in club.session.players
        }
        for answer in self._answers:
            points = answer.verdict.points if answer.word is None else self._counted[answer.question, answer.word]
            scores_by_player[answer.key][answer.question[0]] = answer.question, points
        return scores_by_player

    @cached_property
    def _given(self) -> dict[SlipQuestion, list[int]]:
        """All scores for each question, in all clubs."""
        points_by_question: dict[SlipQuestion, list[int]] = defaultdict(list)
        for turns in self.scores.values():
            for question, points in turns.values():
                points_by_question[question].append(points)
        return points_by_question

    def totals(self) -> list[SessionTotal]:
        """The table by points; level players share the rank, by club and in its order of entry. A turn that a club did
        not play scores nothing for its players. It counts in their percentage if all others had the same question."""
        points = {key: sum(points for _question, points in turns.values()) for key, turns in self.scores.items()}
        return sorted((self._total(key, points) for key in self.scores), key=lambda row: row.rank)

    def _total(self, key: ClubPlayer, points: Mapping[ClubPlayer, int]) -> SessionTotal:
        turns = self.scores[key]
        answers = [(own, self._given[question]) for question, own in turns.values()]
        best = sum(max(self._given[question]) for question in self._asked(turns))
        return SessionTotal(
            rank=1 + sum(other > points[key] for other in points.values()),
            club=key[0],
            player=key[1],
            points=points[key],
            percent=percentage(points[key], best),
            solos=sum(
                0 < own == max(points_of_all) and points_of_all.count(own) == 1 for own, points_of_all in answers
            ),
            zeroes=sum(not own for own, _given in answers) + self.turns - len(turns),
        )

    def _asked(self, turns: Mapping[int, tuple[SlipQuestion, int]]) -> Iterator[SlipQuestion]:
        """The questions of a player's turns; for a turn not played, the one that all others had."""
        for number in range(1, self.turns + 1):
            others = [question for question in self._given if question[0] == number]
            if number in turns:
                yield turns[number][0]
            elif len(others) == 1:
                yield others[0]


def _compare_slips(club: ClubSession) -> Iterator[ComparedSlip]:
    # Corrections come in order, so that a slip judged a third time has its last verdict.
    corrected = {(one.turn, one.player): one for one in club.corrections}
    for number, (turn, result) in enumerate(zip(club.session.turns, club.session.results, strict=True), 1):
        # The draw sorted: clubs may have noted the same seven tiles in another order.
        question = number, (frozenset(result.before.tiles.items()), "".join(sorted(turn.draw)))
        slips = {slip.player: slip for slip in turn.slips}
        for player, judged in result.slips.items():
            later, slip = corrected.get((number, player)), slips.get(player)
            word = None if later and later.alone else _find_word_key(number, slip, judged)
            points, on = (later.points, later.on) if later else (judged.points, None)
            yield ComparedSlip(
                question, (club.club, player), word, ClubVerdict(club.club, points, bool(slip and slip.refused), on)
            )


def _find_word_key(number: int, slip: Slip | None, judged: JudgedSlip) -> WordKey | None:
    """What a slip is compared by; None if it is late, or lacks its place or word."""
    if slip is None or slip.late or not slip.position or not slip.word:
        return None
    # By the play where there is one: 08H and 8H are the same place.
    if judged.play is not None:
        return number, judged.play.position, judged.play.word.upper()
    return number, slip.position.upper(), slip.word.upper()


def _settle_points(verdicts: Sequence[ClubVerdict]) -> int:
    """What a word scores without a ruling: as last corrected, else the least given, so nothing if a jury refused it."""
    corrected = [(verdict.on, verdict.points) for verdict in verdicts if verdict.on is not None]
    # Files tell the days of corrections only: of two on the same day the higher figure counts.
    return max(corrected)[1] if corrected else min(verdict.points for verdict in verdicts)
