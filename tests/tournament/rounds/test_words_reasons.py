"""Pairings in words."""

import itertools
import random
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring import rulesets
from tests import factories
from tests.laws import tried_on
from tests.tournament.pairing import events
from tests.tournament.readings import LANGUAGES, Meaning, mean_comparison, mean_note, read, read_comparison
from tournament.basics.names import format_spoken_name
from tournament.core.change import Actor
from tournament.core.words.figures import name_round_players
from tournament.models import Division, Entry
from tournament.pairing.drafting import draw_round
from tournament.pairing.values import (
    ByeReason,
    ChosenPair,
    ClaimCondition,
    FloatReason,
    Method,
    NoteCode,
    PairFlag,
    ReasonCode,
    StarterReason,
    get_reason_shape,
)
from tournament.pairing.why_not import COMPARED_COMPONENTS, CostComparison, CostDifference, compare_pairings
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.reason_words import describe_pairing, describe_reasons, list_pairing_reasons
from tournament.rounds.why_not_words import METHOD_DIFFERENCES, describe_comparison
from tournament.rounds.words import describe_draw_note, get_flag_name
from tournament.table.league import list_round_pairings

DRAWN = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)


@pytest.fixture(autouse=True)
def english() -> object:
    with translation.override("en"):
        yield


def test_sentence_of_a_drafted_pair(division: Division, four: list[Entry], doris: Actor) -> None:
    round = draft_round(division, actor=doris, wish=DrawWish(seed=1))

    pairings = list_round_pairings(round)
    sentence = describe_pairing(pairings[0], name_round_players(pairings), rulesets.TSO_2017)

    assert sentence == (
        "Number 1 meets number 4 by rating, then by entry. Upper half against lower half (numbers 1 and 4 of 4). "
        "Linh Nguyễn starts by lot: level on starts."
    )


@pytest.mark.parametrize("flag", list(PairFlag))
def test_every_flag_has_a_name(flag: PairFlag) -> None:
    assert get_flag_name(flag).replace(" ", "").isalpha()


SAMPLES: list[dict[str, Any]] = [
    {"code": "hand"},
    {"code": "locked"},
    {"code": "ranks", "first": 13, "second": 27},
    {"code": "ranks", "first": None, "second": 27},
    {"code": "ranks", "first": None, "second": None},
    *(
        {"code": "seeding", "first": 13, "second": second, "by": by}
        for second in (27, None)
        for by in ("rating", "entry")
    ),
    *({"code": "score_group", "half_wins": wins} for wins in (0, 1, 2, 26)),
    {"code": "halves", "places": [13, 27], "of": 31},
    {"code": "places", "places": [13, 27], "of": 31},
    *({"code": "neighbours", "between": between} for between in (0, 1, 13)),
    {"code": "ranks_apart", "apart": 13, "wanted": 13},
    {"code": "ranks_apart", "apart": 13, "wanted": 27},
    {"code": "drawn"},
    {"code": "schedule"},
    {"code": "group", "group": 13},
    *(
        {"code": code, "place": 2, "leader": 1, "player": 3, "share": 0.0583, "runs": 4000, "threshold": 0.05}
        for code in ("hopeful", "contender")
    ),
    {"code": "prize_places", "places": [4, 3]},
    {"code": "safe", "player": 3, "place": 2},
    *({"code": "float", "half_wins": [26, 54], "because": because} for because in FloatReason),
    {"code": "passed_over", "player": 1, "who": [2, 3], "because": "met"},
    {"code": "passed_over", "player": 1, "who": [2], "because": "kept_apart"},
    {"code": "repeat", "rounds": [13]},
    {"code": "repeat", "rounds": [13, 27]},
    {"code": "same_club"},
    {"code": "kept_apart"},
    *({"code": "bye", "had": had, "fewest": 13, "by": by} for had in (0, 13, 27) for by in ByeReason),
    *({"code": "starter", "by": by, "starts": [13, 27], "replies": [31, 44]} for by in StarterReason),
    {"code": "third_start", "row": 13},
]
MORE = {"from": 62, "players": 47, "above": True, "left_over": 58, "bye": True, "who": [2], "from_bottom": 47}
MORE |= {"rounds_left": 58}
PEOPLE = {1: "Beispiel, Anna", 2: "Muster, Jörg", 3: "Nguyễn, Linh"}
SPOKEN = {key: format_spoken_name(name) for key, name in PEOPLE.items()}


def complete(reason: dict[str, Any], **others: Any) -> dict[str, Any]:
    """The sample with every figure that its code asks for."""
    wanted = get_reason_shape(ReasonCode(reason["code"]), reason)
    return reason | {name: (MORE | others)[name] for name in wanted if name not in reason}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", SAMPLES, ids=lambda reason: "-".join(str(figure) for figure in reason.values()))
@pytest.mark.sampled(77)
def test_sentence_read_back_claims_what_its_figures_say(reason: dict[str, Any], language: str) -> None:
    for others in ({}, {"above": False, "bye": False, "players": 1, "from_bottom": 58}, {"rounds_left": 1}):
        whole = complete(reason, **others)
        with translation.override(language):
            said = describe_reasons([whole], "Beispiel, Anna", PEOPLE)

        assert (read(language, said, "reasons") if said else []) == Meaning([whole], "Anna Beispiel", SPOKEN).claims()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", list(NoteCode))
@pytest.mark.sampled(14)
def test_note_read_back_claims_what_its_figures_say(code: NoteCode, language: str) -> None:
    for unless in ([], *itertools.permutations(ClaimCondition, 1), list(ClaimCondition)):
        note = {"code": code.value, "keys": [2, 1], "figure": 13, "unless": [each.value for each in unless]}
        with translation.override(language):
            said = describe_draw_note(note, PEOPLE)

        assert read(language, said, "notes", between="\n") == [mean_note(note, SPOKEN)]


def test_every_method_that_chooses_pairs_says_what_becomes_of_its_wish() -> None:
    assert set(METHOD_DIFFERENCES) == set(Method) - {Method.MANUAL}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("method", [method for method in Method if method is not Method.MANUAL])
@pytest.mark.parametrize("by", [-2, 2])
@pytest.mark.sampled(18)
def test_every_difference_is_told_by_what_it_is(by: int, method: Method, language: str) -> None:
    for component in COMPARED_COMPONENTS:
        if by > 0 or component not in ("schedule", "contest"):
            who = tuple((2, 3) for _ in range(6))
            differs = (CostDifference(component, by, who), CostDifference("starts", -by, ()))
            with translation.override(language):
                said = describe_comparison(CostComparison((), (), differs), 1, 2, PEOPLE, method)

            told = mean_comparison([(each.component, each.by, each.who) for each in differs], SPOKEN)
            assert read_comparison(language, said) == (("Anna Beispiel", "Jörg Muster"), told)


@tried_on(20)
@given(st.integers(4, 9), st.integers(0, 5), st.integers(0, 2**20), st.sampled_from(list(DRAWN)), st.booleans())
def test_why_not_says_what_would_be_worse_or_better(
    players: int, rounds: int, seed: int, method: Method, shuffled: bool
) -> None:
    """Of rounds as they are drawn, and of others, which are nobody's cheapest."""
    request = events.play_event(players, rounds, seed).request(method=method, seed=seed, clubs_apart=True)
    drawn = list(draw_round(request).pairs)
    pairs = [ChosenPair(pair.first, pair.second, None) for pair in drawn]
    if shuffled:
        keys: list[int | None] = [*random.Random(seed).sample(range(1, players + 1), players), None]
        pairs = [ChosenPair(keys[at] or 0, keys[at + 1], None) for at in range(0, players, 2)]
    one, other = pairs[0].first, pairs[1].first
    names = {key: f"Muster, Person{key}" for key in range(1, players + 1)}
    spoken = {key: format_spoken_name(name) for key, name in names.items()}

    comparison = compare_pairings(request, pairs, one, other)

    assert comparison.paired != comparison.held or not comparison.differs
    for language in LANGUAGES:
        with translation.override(language):
            said = describe_comparison(comparison, one, other, names, method)
        told = mean_comparison([(each.component, each.by, each.who) for each in comparison.differs], spoken)
        assert read_comparison(language, said) == ((spoken[one], spoken[other]), told)


def test_every_code_has_a_sample() -> None:
    assert {sample["code"] for sample in SAMPLES} == set(ReasonCode)


def test_names_are_said_with_the_given_name_first() -> None:
    said = describe_reasons(
        [complete({"code": "passed_over", "player": 1, "who": [2, 3], "because": "met"})], "", PEOPLE
    )

    assert said == "Anna Beispiel has already played Jörg Muster and Linh Nguyễn."


def test_event_of_a_file_without_reasons_says_nothing(division: Division, four: list[Entry]) -> None:
    pairings = list_round_pairings(factories.draft(division))

    assert list_pairing_reasons(pairings, name_round_players(pairings), rulesets.TSO_2017) == []
