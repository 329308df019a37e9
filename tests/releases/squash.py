"""Squash an app's migrations, so that a new database is made in one step: `python -m tests.releases.squash`.

Writes `migrations/0001_squashed_<last>.py` of each of our apps in place of the squashed one that is there. It makes
every table as the last migration leaves it, columns in the same order, where Django's own `squashmigrations` keeps each
constraint as a step for which all tables around it are worked out anew. Data that an earlier version left go through
the migrations one by one, as before; what those do to rows has no place in a new database.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import django
from django.db import migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.writer import MigrationWriter

ROOT = Path(__file__).resolve().parents[2]
APPS = ("tournament", "games")
LISTS = ("indexes", "constraints")
"""Options that Django keeps as empty lists where a model has none."""


def main() -> None:
    """Write a squashed migration of each app."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    for app in APPS:
        for old in (ROOT / app / "migrations").glob("0001_squashed_*.py"):
            old.unlink()
    written = [write(app) for app in APPS]
    subprocess.run([sys.executable, "-m", "ruff", "format", *written], check=True)


def write(app: str) -> Path:
    """Write the migration in place of all of an app's migrations; its file."""
    loader = MigrationLoader(None, replace_migrations=False)
    [(_app, last)] = loader.graph.leaf_nodes(app)
    replaced = [key for key in loader.graph.forwards_plan((app, last)) if key[0] == app]
    needed = {key for each in replaced for key in loader.get_migration(*each).dependencies if key[0] != app}
    what = {
        "initial": True,
        "replaces": [tuple(key) for key in replaced],
        "dependencies": sorted(needed, key=str),
        "operations": list(operations(loader.project_state((app, last)), app)),
    }
    made = type("Migration", (migrations.Migration,), what)(f"0001_squashed_{last}", app)
    writer = MigrationWriter(made)
    path = ROOT / app / "migrations" / f"{made.name}.py"
    path.write_text(writer.as_string(), encoding="utf-8")
    return path


def operations(state: ProjectState, app: str) -> Iterator[migrations.CreateModel]:
    """Make every table of the app, each after those that it points to.

    Raises `CycleError` if two point to each other.
    """
    models = {name: model for (label, name), model in state.models.items() if label == app}
    pointing = {name: set(targets(model, app)) - {name} for name, model in models.items()}
    for name in TopologicalSorter(pointing).static_order():
        model = models[name]
        yield migrations.CreateModel(
            name=model.name,
            fields=list(model.fields.items()),
            options={key: value for key, value in model.options.items() if value or key not in LISTS},
            bases=model.bases,
            managers=model.managers,
        )


def targets(model: ModelState, app: str) -> Iterator[str]:
    """The names, in small letters, of the app's models to which a model's fields point."""
    for field in model.fields.values():
        if field.remote_field:
            label, _dot, name = str(field.remote_field.model).lower().partition(".")
            if label == app:
                yield name


if __name__ == "__main__":
    main()
