"""What a challenge comes to: the verdict on the play and who loses how many points, with the clause."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rulesets import Challenges, Per

MOST_WORDS = 8
"""A play of seven tiles makes no more words than that."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules make of a challenge. Points are those taken off, never below zero."""

    play_stands: bool
    good_words: int
    challenger_loses: int
    player_loses: int
    clause: str


def verdict(rules: Challenges, words: Sequence[tuple[str, bool]]) -> Verdict:
    """The verdict on challenged words, each with whether it stands.

    One bad word withdraws the play. Where the penalty is counted by words, every good one costs the challenger, also
    beside a bad one (TSO 3.1.4); where it is counted by challenges, only a challenge that failed as a whole does.
    """
    good = sum(1 for _word, stands in words if stands)
    play_stands = good == len(words)
    failed = good if rules.per == Per.WORD else int(play_stands)
    return Verdict(
        play_stands=play_stands,
        good_words=good,
        challenger_loses=failed * rules.failed_penalty,
        player_loses=0 if play_stands else rules.upheld_penalty,
        clause=rules.clause,
    )
