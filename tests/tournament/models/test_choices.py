"""Labels: every word of a vocabulary that a column may hold has one, and no list of the words stands twice."""

from collections.abc import Mapping
from enum import StrEnum

import pytest
from django.utils.functional import Promise

from scoring.awards import ALONE, AwardReason, Outcome
from scoring.knockout import Form
from scoring.standings import Basis, Ties, Withdrawn
from tournament.models import PairingKind, Round, Tournament, choices
from tournament.models import knockout as stored_knockout
from tournament.models.play import Result
from tournament.pairing.values import ByePolicy, Method, Starts


@pytest.mark.parametrize(
    ("labels", "members"),
    [
        (choices.BASES, list(Basis)),
        (choices.TIES, list(Ties)),
        (choices.WITHDRAWN, list(Withdrawn)),
        (choices.STARTS, list(Starts)),
        (choices.BYE_POLICIES, list(ByePolicy)),
        (choices.METHODS, list(Method)),
        (choices.OUTCOMES, [outcome for outcome in Outcome if outcome != Outcome.OPEN]),
        (choices.REASONS, list(AwardReason)),
        (choices.FORMS, list(Form)),
    ],
)
def test_every_word_has_a_label(labels: Mapping[StrEnum, Promise], members: list[StrEnum]) -> None:
    assert set(labels) == set(members)
    assert [value for value, _label in choices.choices(labels)] == choices.values(labels)


def test_columns_offer_the_words_of_the_rules() -> None:
    columns = {
        (Tournament, "basis"): Basis,
        (Tournament, "bye_policy"): ByePolicy,
        (Round, "method"): Method,
        (Result, "reason"): AwardReason,
        (stored_knockout.Knockout, "form"): Form,
    }

    for (model, name), members in columns.items():
        assert [value for value, _label in model._meta.get_field(name).choices] == [each.value for each in members]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.OPEN])
def test_kind_of_a_pairing_follows_from_its_outcome(outcome: Outcome) -> None:
    kind = PairingKind.of(outcome)

    assert (kind.value == outcome.value) == (outcome in ALONE)
    assert kind == PairingKind.GAME or outcome in ALONE
