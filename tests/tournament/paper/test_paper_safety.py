"""Names are printed as they are typed: nothing in them is markup, and nothing is fetched."""

import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

import tournament
from scoring.standings import Standing
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, RULES, Drawn
from tournament.events.paper import AnnouncementSection, render_announcement
from tournament.paper.documents import render_notice
from tournament.paper.sheet import PaperHeader
from tournament.rounds.paper import (
    draw_pairings_by_name,
    draw_pairings_by_table,
    draw_result_slips,
)
from tournament.rounds.scoresheets import draw_scoresheets
from tournament.table.paper import CrossSheet, draw_cross_table, draw_standings

pytestmark = pytest.mark.usefixtures("english")


HOSTILE = ('<img src="http://127.0.0.1:9/x.png"/>', "<b>&amp;</b>", "(Tj) ET \\", "<para>%s {{ x }}")
DOCUMENTS: dict[str, Callable[[PaperHeader, str], bytes]] = {
    "pairings": lambda header, name: draw_pairings_by_table(header, samples.pairings([name] * 3)),
    "pairings-by-name": lambda header, name: draw_pairings_by_name(header, samples.pairings([name] * 3)),
    "standings": lambda header, name: draw_standings(
        header, samples.public_table(0, lines=(samples.table_row(Standing(1, 1), name, name),)), (name,)
    ),
    "crosstable": lambda header, name: draw_cross_table(
        header, CrossSheet(1, [samples.cross_row(Standing(1, 1), name)])
    ),
    "result-slips": lambda header, name: draw_result_slips(header, samples.pairings([name] * 3), RULES),
    "scoresheets": lambda header, name: draw_scoresheets(header, samples.pairings([name] * 3), RULES),
    "announcement": lambda header, name: render_announcement(header, (AnnouncementSection(name, ((name, name),)),)),
    "notice": lambda header, name: render_notice(header, name, name),
}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: Any, **_options: Any) -> NoReturn:
        raise AssertionError("a document reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.sampled(11)
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_hostile_name_is_printed_letter_by_letter(document: str, name: str, drawn: list[Drawn]) -> None:
    pdf = DOCUMENTS[document](replace(HEADER, event=name, place=name), name)

    shown = "".join(each.text for each in drawn).replace(" ", "")
    assert shown.count(name.replace(" ", "")) >= 2
    assert b"/URI" not in pdf
    assert b"/Subtype /Image" not in pdf


IMPORT = re.compile(r"^ *(?:from|import) (?:[^(\n]+\([^)]*\)|[^\n]+)", re.MULTILINE)
"""A statement, with the names that it lists over several lines."""


def test_no_module_imports_what_reads_text_as_markup() -> None:
    folder = Path(tournament.__file__).parents[1]
    imported = {
        name
        for path in [*(folder / "tournament").rglob("*.py"), *(folder / "games").rglob("*.py")]
        for statement in IMPORT.findall(path.read_text(encoding="utf-8"))
        for name in re.findall(r"[\w.]+", statement)
    }

    assert any(name.startswith("reportlab.pdfgen") for name in imported)
    assert not [name for name in imported if "platypus" in name or "paraparser" in name or name == "Paragraph"]
