"""What is in a database as a whole."""

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tournament.backup.database import (
    find_broken_references,
    find_database_damage,
    find_schema_faults,
    find_unknown_migrations,
    list_applied_migrations,
    list_tournament_summaries,
)
from tournament.backup.places import EventFigures
from tournament.models import Tournament


@pytest.mark.django_db
def test_summaries_count_what_counts() -> None:
    division = factories.event("Herbst-Cup", players=5)
    factories.season(division, 2)
    factories.draft(division)
    factories.event("Anderer Cup", players=2)

    found = list_tournament_summaries()

    revisions = dict(Tournament.objects.values_list("slug", "revision"))
    assert found == [
        EventFigures("anderer-cup", "Anderer Cup", revisions["anderer-cup"], entries=2, rounds=0, results=0),
        EventFigures("herbst-cup", "Herbst-Cup", revisions["herbst-cup"], entries=5, rounds=2, results=6),
    ]


@pytest.mark.django_db
def test_summaries_take_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        factories.event(f"Cup {number}", players=2)

    with django_assert_num_queries(1):
        list_tournament_summaries()


@pytest.mark.django_db
def test_database_of_this_version_fits() -> None:
    assert find_schema_faults() == []
    assert find_unknown_migrations(list_applied_migrations()) == []
    assert find_database_damage() == []
    assert find_broken_references() == []


@pytest.mark.django_db
def test_columns_and_tables_that_are_missing_are_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournament_prize RENAME COLUMN title TO other")
        cursor.execute("ALTER TABLE games_question RENAME TO games_other")

    assert sorted(find_schema_faults()) == ["games_question", "tournament_prize.title"]


def test_migrations_of_a_newer_program_are_named() -> None:
    names = ["0001_initial", "0001_squashed_0099_later", "0099_later"]
    applied = {"tournament": names, "elsewhere": ["0001_initial"]}

    assert find_unknown_migrations(applied) == ["tournament.0099_later"]
