"""Labels: every word of a vocabulary that a column may hold has one, and no list of the words stands twice."""

from collections.abc import Mapping
from enum import StrEnum

import pytest
from django.utils.functional import Promise

from scoring.awards import OUTCOMES_WITHOUT_OPPONENT, AwardReason, Outcome
from scoring.knockout_values import MatchFormat
from scoring.standings import RankingBasis, TieRule, WithdrawnPlacement
from tournament.models import PairingKind, Round, Tournament
from tournament.models.choices import (
    AWARD_REASON_LABELS,
    BASIS_LABELS,
    BYE_POLICY_LABELS,
    MATCH_FORMAT_LABELS,
    METHOD_LABELS,
    OUTCOME_LABELS,
    STARTS_LABELS,
    TIE_LABELS,
    WITHDRAWN_LABELS,
    list_choice_values,
    make_choices,
)
from tournament.models.knockout import Knockout
from tournament.models.play import Result
from tournament.pairing.values import ByePolicy, Method, StartPolicy


@pytest.mark.parametrize(
    ("labels", "members"),
    [
        (BASIS_LABELS, list(RankingBasis)),
        (TIE_LABELS, list(TieRule)),
        (WITHDRAWN_LABELS, list(WithdrawnPlacement)),
        (STARTS_LABELS, list(StartPolicy)),
        (BYE_POLICY_LABELS, list(ByePolicy)),
        (METHOD_LABELS, list(Method)),
        (OUTCOME_LABELS, [outcome for outcome in Outcome if outcome != Outcome.OPEN]),
        (AWARD_REASON_LABELS, list(AwardReason)),
        (MATCH_FORMAT_LABELS, list(MatchFormat)),
    ],
)
def test_every_word_has_a_label(labels: Mapping[StrEnum, Promise], members: list[StrEnum]) -> None:
    assert set(labels) == set(members)
    assert [value for value, _label in make_choices(labels)] == list_choice_values(labels)


def test_columns_offer_the_words_of_the_rules() -> None:
    columns = {
        (Tournament, "basis"): RankingBasis,
        (Tournament, "bye_policy"): ByePolicy,
        (Round, "method"): Method,
        (Result, "reason"): AwardReason,
        (Knockout, "form"): MatchFormat,
    }

    for (model, name), members in columns.items():
        assert [value for value, _label in model._meta.get_field(name).choices] == [each.value for each in members]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.OPEN])
def test_kind_of_a_pairing_follows_from_its_outcome(outcome: Outcome) -> None:
    kind = PairingKind.of(outcome)

    assert (kind.value == outcome.value) == (outcome in OUTCOMES_WITHOUT_OPPONENT)
    assert kind == PairingKind.GAME or outcome in OUTCOMES_WITHOUT_OPPONENT
