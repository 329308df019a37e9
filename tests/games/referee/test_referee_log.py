"""What a challenge comes to, in the words of the referee's log: held against the clauses, counted a second time."""

import re

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.referee.referee_log import describe_verdict
from scoring import challenges, rulesets
from scoring.rulesets.values import PenaltyUnit, Ruleset
from tests.laws import tried_on

CHALLENGED = [found for found in map(rulesets.get, rulesets.RULESETS) if found.challenges is not None]
WORDS = st.lists(st.tuples(st.sampled_from(["ABER", "QI", "XU"]), st.booleans()), min_size=1, max_size=4)


@tried_on(60)
@given(st.sampled_from(CHALLENGED), WORDS, st.none() | st.integers(0, 20))
def test_every_sentence_of_a_verdict_is_true(
    rules: Ruleset, words: list[tuple[str, bool]], decided: int | None
) -> None:
    assert rules.challenges is not None
    found = challenges.verdict(rules.challenges, words, decided)

    with translation.override("en"):
        said = describe_verdict(found, is_decided=decided is not None)

    stands = not [word for word, is_good in words if not is_good]
    good = sum(is_good for _word, is_good in words)
    failed = rules.challenges.failed_penalty * (good if rules.challenges.per is PenaltyUnit.WORD else int(stands))
    loses = failed if decided is None else decided
    assert ("The play stands." in said, "The play is withdrawn, 0 points." in said) == (stands, not stands)
    assert figure("The challenger loses", said) == (loses or None)
    assert figure("The referee decided this; the rules give", said) == (failed if loses != failed else None)
    assert figure("The player loses", said) == (None if stands else rules.challenges.upheld_penalty or None)


def figure(begins: str, said: str) -> int | None:
    """The points in the sentence that begins like this; None if it is not said."""
    found = re.search(rf"{re.escape(begins)} (\d+)", said)
    return int(found[1]) if found else None


def test_decision_that_equals_the_rule_is_not_told_as_one() -> None:
    rules = rulesets.get("tso-2017").challenges
    assert rules is not None
    found = challenges.verdict(rules, [("ABER", True)], rules.failed_penalty)

    assert "nach den Regeln" not in describe_verdict(found, is_decided=True)
