"""A stage written back is the one that was built: the same rows, and objects that hold the same."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction

from tests import factories, stages
from tests.stages import kept
from tournament.models import Division, Entry, Round, Tournament

pytestmark = pytest.mark.django_db

WORK: list[str] = []
"""The work that `entered` has done."""


@pytest.fixture
def begun(db: None) -> stages.Stage | None:
    """The stage on which a test stands when it begins."""
    return stages.standing()


@pytest.fixture(autouse=True)
def _nothing_kept(begun: stages.Stage | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests build their stages themselves."""
    monkeypatch.setattr(stages, "EMPTY", stages.Stage({}))
    stages.begin(alone=True)
    WORK.clear()


@kept
def entered(division: Division, name: str) -> Entry:
    """One more entry; says that it was asked."""
    WORK.append(name)
    return factories.entry(division, name)


def everything() -> dict[str, list[dict[str, object]]]:
    """All rows of the program's own tables."""
    tables = [*apps.get_app_config("tournament").get_models(), *apps.get_app_config("auth").get_models()]
    kinds: list[type[models.Model]] = [*tables, *apps.get_app_config("games").get_models()]
    return {kind.__name__: list(kind._default_manager.order_by("pk").values()) for kind in kinds}


def both_times(act: Callable[[], Any]) -> tuple[list[Any], list[Any]]:
    """What the act says, and all rows afterwards: when its stages are built, and when they are written back."""
    answers, rows = [], []
    for _time in range(2):
        stages.begin(alone=True)
        with transaction.atomic():
            answers.append(act())
            rows.append(everything())
            transaction.set_rollback(True)
    return answers, rows


def test_rows_written_back_are_those_that_were_built() -> None:
    def evening() -> None:
        division = factories.event(players=5)
        factories.played(division, (400, 400), (500, 300))
        factories.result(factories.published(division), 1, 350, 450)

    _answers, (built, written_back) = both_times(evening)
    assert built == written_back


def test_rows_of_a_knockout_written_back_are_those_that_were_built() -> None:
    def final() -> int:
        return factories.knockout_games(factories.knockout(factories.event(players=4), 4), 3)

    answers, (built, written_back) = both_times(final)
    assert answers == [3, 3]
    assert built == written_back


def test_work_is_done_once_for_each_stage_and_argument() -> None:
    def two() -> None:
        division = factories.event(players=0)
        entered(division, "Anna")
        entered(division, "Bert")

    both_times(two)
    assert WORK == ["Anna", "Bert"]


def test_objects_given_are_brought_up_to_date() -> None:
    def revisions() -> list[int]:
        division = factories.event(players=4)
        tournament = division.tournament
        before = tournament.revision
        factories.published(division)
        return [tournament.revision - before, Tournament.objects.get().revision - before]

    answers, _rows = both_times(revisions)
    assert answers == [[2, 2], [2, 2]]


def test_answer_holds_the_object_given() -> None:
    def same() -> bool:
        division = factories.event(players=0)
        return entered(division, "Anna").tournament is division.tournament

    (built, written_back), _rows = both_times(same)
    assert built is written_back


def test_answers_are_copies() -> None:
    for _time in range(2):
        stages.begin(alone=True)
        with transaction.atomic():
            division = factories.event(players=0)
            assert division.name != "spoilt"
            division.name = "spoilt"
            transaction.set_rollback(True)


def spoil_rows() -> None:
    Tournament.objects.update(name="Another")


def roll_back() -> None:
    with transaction.atomic():
        Tournament.objects.get()
        transaction.set_rollback(True)


@pytest.mark.parametrize("act", [spoil_rows, roll_back])
def test_work_is_done_again_after_other_writing(act: Callable[[], None]) -> None:
    def one() -> str:
        division = factories.event(players=0)
        act()
        return entered(division, "Anna").tournament.name

    both_times(one)
    assert WORK == ["Anna", "Anna"]


def test_work_is_done_each_time_where_others_share_the_database() -> None:
    stages.begin(alone=False)
    for name in ("Anna", "Anna"):
        entered(factories.event(f"Cup of {len(WORK)}", players=0), name)
    assert WORK == ["Anna", "Anna"]


def test_what_failed_is_not_kept() -> None:
    @kept
    def failing() -> Round:
        factories.event(players=0)
        WORK.append("failed")
        raise ValueError

    for _time in range(2):
        stages.begin(alone=True)
        with pytest.raises(ValueError), transaction.atomic():  # noqa: PT011  # it has no text
            failing()
    assert WORK == ["failed", "failed"]


def test_argument_of_an_unknown_kind_is_not_compared() -> None:
    @kept
    def asked(_question: object) -> None:
        WORK.append("asked")

    question = object()
    asked(question)
    asked(question)
    assert WORK == ["asked", "asked"]


def test_rows_fetched_before_are_compared() -> None:
    """A function that reads them from its argument gives what they say."""

    @kept
    def counted(division: Division) -> int:
        return len(division.entries.all())

    division = factories.event(players=2)
    stale = Division.objects.prefetch_related("entries").get()
    assert len(stale.entries.all()) == 2
    factories.enter(division, 1)
    assert (counted(stale), counted(division), counted(stale)) == (2, 3, 2)


def test_asking_which_tables_there_are_leads_off_no_stage() -> None:
    """Every command asks; Django's statement begins with an empty line."""
    factories.event(players=0)

    assert connection.introspection.table_names()
    assert stages.standing() is not None


def test_a_test_begins_on_the_empty_stage(begun: stages.Stage | None) -> None:
    """Opening the transaction in which a test runs, which SQLite does by a statement, leads off no stage."""
    assert begun is not None
    assert begun.rows == {}
