"""“Why not …?” asked of stored rounds."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.awards import Outcome
from tests import factories
from tests.refusals import refuses
from tournament.core.change import Actor
from tournament.entries.operations.attendance import withdraw_entry
from tournament.models import Division, Entry, Pairing, Round
from tournament.pairing.values import Method
from tournament.pairing.why_not import CostComparison
from tournament.rounds import why_not
from tournament.rounds.drafts import DrawWish, draft_round, pair_by_hand
from tournament.rounds.operations import publish_round
from tournament.rounds.why_not import answer_why_not
from tournament.table.league import get_last_round_number, list_round_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=6)


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


@pytest.fixture
def director(cup: Division) -> Actor:
    return factories.director()


def drawn(division: Division, actor: Actor, *, seed: int = 1) -> Round:
    """The next round, drawn by Swiss and published."""
    round = draft_round(factories.fresh(division), actor=actor, wish=DrawWish(method=Method.SWISS, seed=seed))
    publish_round(round, actor=actor)
    return Round.objects.select_related("division__tournament").get(pk=round.pk)


def play_next_round(division: Division, actor: Actor) -> Round:
    round = drawn(division, actor)
    for table in (1, 2, 3):
        factories.result(round, table, 400 + 10 * table, 380)
    return round


def ask(round: Round, one: Entry, other: Entry) -> CostComparison:
    return answer_why_not(round, list_round_pairings(round), one, other)


def strangers(round: Round) -> tuple[Entry, Entry]:
    """Two who play at different tables."""
    first, second, *_ = list_round_pairings(round)
    return first.first, second.first


def test_draft_can_be_asked(cup: Division, director: Actor) -> None:
    draft = draft_round(cup, actor=director, wish=DrawWish(seed=1))

    assert ask(draft, *strangers(draft)).differs


def test_whoever_waited_for_the_same_question_gets_the_answer_of_the_first(
    cup: Division, director: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = draft_round(cup, actor=director, wish=DrawWish(seed=1))
    answers: list[CostComparison] = []

    class AnsweredMeanwhile:
        """The lock as somebody finds it who has waited while the same question was answered."""

        is_first = True

        def __enter__(self) -> None:
            if self.is_first:
                self.is_first = False
                answers.append(answer_why_not(draft, pairings, one, other))

        def __exit__(self, *_fault: object) -> None:
            pass

    pairings, (one, other) = list_round_pairings(draft), strangers(draft)
    with CaptureQueriesContext(connection) as alone:
        answer_why_not(draft, pairings, one, other)
    cache.clear()
    monkeypatch.setattr(why_not, "_DRAW_LOCK", AnsweredMeanwhile())
    with CaptureQueriesContext(connection) as both:
        answers.append(answer_why_not(draft, pairings, one, other))

    assert answers[0] == answers[1]
    assert len(both) == len(alone) > 0


def test_older_round_is_asked_by_its_own_facts(cup: Division, director: Actor) -> None:
    first = play_next_round(cup, director)
    one, other = strangers(first)
    before = ask(first, one, other)
    play_next_round(cup, director)
    play_next_round(cup, director)
    withdraw_entry(one, actor=director)
    division = factories.fresh(cup)

    after = ask(Round.objects.select_related("division__tournament").get(pk=first.pk), one, other)

    assert after == before
    assert get_last_round_number(division) == 3


def test_forfeit_that_never_began_is_no_meeting(cup: Division, director: Actor) -> None:
    field = list(Entry.objects.filter(division=cup).in_order())
    published = factories.published(cup)
    factories.result(published, 1, None, None, Outcome.SECOND_FORFEITS)
    for table in (2, 3):
        factories.result(published, table, 420, 380)
    wish = DrawWish(method=Method.SWISS, seed=1)
    draft = draft_round(factories.fresh(cup), actor=director, wish=wish)

    pair_by_hand(draft, one=field[0], other=field[1], actor=director)
    pair_by_hand(draft, one=field[2], other=field[3], actor=director)

    said = {each.first.pk: each.reason("repeat") for each in list_round_pairings(draft)}
    assert [reason["rounds"] for key, reason in said.items() if reason and key in (field[2].pk, field[3].pk)] == [[1]]
    assert [reason for key, reason in said.items() if reason and key in (field[0].pk, field[1].pk)] == []


def test_who_meets_or_is_not_there_or_was_not_chosen_is_refused(cup: Division, director: Actor) -> None:
    round = drawn(cup, director)
    pairings = list_round_pairings(round)
    table = pairings[0]
    stranger = factories.entry(cup, "Nachzügler, Nina")
    by_hand = factories.published(cup)

    assert table.second is not None
    for one, other, code in (
        (table.first, table.first, "one_player"),
        (table.first, table.second, "they_meet"),
        (table.first, stranger, "not_there"),
    ):
        with refuses(code):
            answer_why_not(round, pairings, one, other)
    with refuses("not_chosen"):
        answer_why_not(by_hand, list_round_pairings(by_hand), *strangers(by_hand))


def test_answer_is_kept_until_something_changes(cup: Division, director: Actor, django_assert_num_queries: Any) -> None:
    round = drawn(cup, director)
    one, other = strangers(round)
    first = ask(round, one, other)
    pairings = list_round_pairings(round)
    with django_assert_num_queries(0):
        second = answer_why_not(round, pairings, one, other)
    factories.result(round, 1, 400, 380)
    changed = Round.objects.select_related("division__tournament").get(pk=round.pk)
    with CaptureQueriesContext(connection) as asked:
        answer_why_not(changed, pairings, one, other)

    assert second == first
    assert len(asked) > 0
    assert Pairing.objects.filter(round=round).count() == 3
