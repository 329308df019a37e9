"""A new database is made in one step, and is the one that the migrations make one by one."""

import pytest
from django.db.migrations.loader import MigrationLoader

from tests.releases.squash import APPS
from tournament.backup.database import SQUASHED_MARK


@pytest.mark.parametrize("app", APPS)
def test_a_new_database_takes_the_squashed_migration(app: str) -> None:
    loader = MigrationLoader(None)

    plan = loader.graph.forwards_plan(loader.graph.leaf_nodes(app)[0])

    assert SQUASHED_MARK in next(name for label, name in plan if label == app)


def test_squashed_migrations_make_the_same_tables() -> None:
    at_once = MigrationLoader(None).project_state().models
    apart = MigrationLoader(None, replace_migrations=False)
    last = [key for key in apart.graph.leaf_nodes() if SQUASHED_MARK not in key[1]]
    one_by_one = apart.project_state(last).models

    assert at_once.keys() == one_by_one.keys()
    assert [key for key, model in at_once.items() if model != one_by_one[key]] == []
    assert [key for key, model in at_once.items() if list(model.fields) != list(one_by_one[key].fields)] == []
