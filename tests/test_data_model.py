"""`docs/data-model.md` is a picture of the tables as they are.

`TSO_WRITE_DOCS=1 pytest tests/test_data_model.py` writes it anew."""

import os
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from django.apps import apps
from django.db import models

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "data-model.md"
APPS = ("tournament", "games")
HEAD = """# The data model

Every table with its columns, and what refers to what, by the module that defines it. A column in *italics* may be
empty (null). Along a line that is drawn through, deleting a row takes the rows that refer to it along; along a dotted
one it cuts them off or is forbidden. Why journals and versions look as they do, the [decisions](decisions/README.md)
tell.

`TSO_WRITE_DOCS=1 pytest tests/test_data_model.py` writes this page anew.
"""


def list_own_fields(model: type[models.Model]) -> Iterator[models.Field]:  # type: ignore[type-arg]
    return (field for field in model._meta.concrete_fields if not field.primary_key or field.is_relation)


def draw_relation(model: type[models.Model], field: models.ForeignKey) -> str:  # type: ignore[type-arg]
    """One line of a diagram: the table referred to, how many rows on each side, the table that refers."""
    one = "|o" if field.null else "||"
    many = "o|" if field.one_to_one else "o{"
    line = "--" if field.remote_field.on_delete is models.CASCADE else ".."
    return f"    {field.related_model.__name__} {one}{line}{many} {model.__name__} : {field.name}"


def describe_table(model: type[models.Model]) -> str:
    """A row of the page's tables: the name, its columns, what its docstring says first."""
    columns = [f"*{field.name}*" if field.null else field.name for field in list_own_fields(model)]
    summary = " ".join((model.__doc__ or "").split()).partition(". ")[0].rstrip(".")
    summary = "" if summary.startswith(f"{model.__name__}(") else summary.replace("|", "\\|")
    return f"| {model.__name__} | {', '.join(columns)} | {summary} |"


def draw_document() -> str:
    tables = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    parts = [HEAD]
    for module, members in groupby(
        sorted(tables, key=lambda model: model.__module__), key=lambda model: model.__module__
    ):
        of_module = list(members)
        relations = [
            draw_relation(model, field)
            for model in of_module
            for field in list_own_fields(model)
            if isinstance(field, models.ForeignKey)
        ]
        path = Path(sys.modules[module].__file__ or "").relative_to(ROOT).as_posix()
        picture = ["```mermaid", "erDiagram", *relations, "```", ""] if relations else []
        rows = ["| table | columns | |", "|---|---|---|", *map(describe_table, of_module)]
        parts.append("\n".join([f"\n## `{path}`\n", *picture, *rows, ""]))
    return "".join(parts)


def test_picture_shows_every_table_as_it_is() -> None:
    drawn = draw_document()
    if os.environ.get("TSO_WRITE_DOCS"):
        DOCUMENT.write_text(drawn, encoding="utf-8")

    assert DOCUMENT.read_text(encoding="utf-8") == drawn
