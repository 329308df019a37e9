"""`bracket SLUG --format svg`."""

import io
from xml.etree import ElementTree as ET

import pytest
from django.core.management import call_command

from tests import factories


@pytest.mark.django_db
def test_bracket_as_svg_is_one_document_with_every_player() -> None:
    division = factories.knockout(factories.event(players=12), 12, third_place=True)
    factories.knockout_games(division, 3)
    out = io.StringIO()

    call_command("show", "herbst-cup", "bracket", "--format", "svg", stdout=out)

    root = ET.fromstring(out.getvalue().encode())
    shown = "".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    names = [entry.name.replace(" ", "") for entry in factories.enter(division, 0)]
    assert [name for name in names if name not in shown.replace(" ", "")] == []
    assert "Herbst-Cup" in shown
