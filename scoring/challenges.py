"""What a challenge comes to, and what a word costs that is found wrong later, in the game or in a control."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rulesets.values import ChallengeRules, PenaltyUnit, Ruleset
from scoring.sheet_values import CountedLine, LineKind, SheetCount, Side

MAX_CHALLENGED_WORDS = 8  # A play of seven tiles makes no more words than this


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of a challenge. Points are those taken off, never below zero. `by_the_rules`: what the challenger
    loses unless the referee decides otherwise."""

    play_stands: bool
    good_words: int
    by_the_rules: int
    challenger_loses: int
    player_loses: int
    clause: str


def verdict(rules: ChallengeRules, words: Sequence[tuple[str, bool]], decided: int | None = None) -> Verdict:
    """The verdict on challenged words, each with whether it is valid. One bad word withdraws the play. `decided`: what
    the challenger loses by the referee's own decision."""
    good = sum(stands for _word, stands in words)
    play_stands = good == len(words)
    failed = failed_penalty(rules, good, play_stands=play_stands)
    challenger_loses = failed if decided is None else decided
    player_loses = 0 if play_stands else rules.upheld_penalty
    return Verdict(play_stands, good, failed, challenger_loses, player_loses, rules.clause)


def failed_penalty(rules: ChallengeRules, good_words: int, *, play_stands: bool = True) -> int:
    """What the challenger of `good_words` good words loses. If the penalty is for each word, every good one costs, even
    next to a bad one (TSO 3.1.4); if it is for each challenge, only one that failed as a whole does."""
    failed = good_words if rules.per == PenaltyUnit.WORD else int(play_stands)
    return failed * rules.failed_penalty


def count_good_words(rules: ChallengeRules, penalty: int) -> int:
    """How many good words cost the challenger that much; one if challenges are counted, not words."""
    if rules.per != PenaltyUnit.WORD or not rules.failed_penalty:
        return 1
    # A penalty below the price of one word is the referee's own figure; a word was challenged all the same.
    return max(1, penalty // rules.failed_penalty)


def wrong_word_cost(turn_points: int, ruleset: Ruleset) -> int | None:
    """What a wrong word costs whoever laid it: the points of its turn and those on top (Puntenscrabble III-12). The
    opponent loses nothing. None if the rules do not have this. Raises ValueError for points below zero."""
    if turn_points < 0:
        raise ValueError(f"a play scores nothing below zero, not {turn_points}")
    return None if ruleset.wrong_word_penalty is None else turn_points + ruleset.wrong_word_penalty


def word_turns(count: SheetCount, side: Side) -> tuple[CountedLine, ...]:
    """The turns in which a player laid a word that stands, in the order of the game."""
    return tuple(line for line in count.lines if line.line.side is side and line.line.kind is LineKind.PLAY)
