"""What a challenge comes to: the verdict on the play and who loses how many points, with the clause."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rulesets.values import ChallengeRules, PenaltyUnit

MAX_CHALLENGED_WORDS = 8
"""A play of seven tiles makes no more words than this."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules make of a challenge. Points are those taken off, never below zero.

    `by_the_rules`: what the challenger loses unless the referee decides otherwise.
    """

    play_stands: bool
    good_words: int
    by_the_rules: int
    challenger_loses: int
    player_loses: int
    clause: str


def verdict(rules: ChallengeRules, words: Sequence[tuple[str, bool]], decided: int | None = None) -> Verdict:
    """The verdict on challenged words, each with whether it stands. One bad word withdraws the play.

    `decided`: what the challenger loses by the referee's own decision.
    """
    good = sum(stands for _word, stands in words)
    play_stands = good == len(words)
    failed = failed_penalty(rules, good, play_stands=play_stands)
    challenger_loses = failed if decided is None else decided
    player_loses = 0 if play_stands else rules.upheld_penalty
    return Verdict(play_stands, good, failed, challenger_loses, player_loses, rules.clause)


def failed_penalty(rules: ChallengeRules, good_words: int, *, play_stands: bool = True) -> int:
    """What the challenger of `good_words` good words loses.

    Where the penalty is counted by words, every good one costs, even next to a bad one (TSO 3.1.4); where it is
    counted by challenges, only a challenge that failed as a whole does.
    """
    failed = good_words if rules.per == PenaltyUnit.WORD else int(play_stands)
    return failed * rules.failed_penalty


def count_good_words(rules: ChallengeRules, penalty: int) -> int:
    """How many good words cost the challenger that much; one where challenges are counted, not words."""
    if rules.per != PenaltyUnit.WORD or not rules.failed_penalty:
        return 1
    return max(1, penalty // rules.failed_penalty)
