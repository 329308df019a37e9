"""The bracket as SVG: well-formed whatever the names, complete, and with a sentence for each match."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from scoring.knockout_values import KnockoutRules, MatchFormat
from scoring.standings import PlayerKey
from tests.tournament import brackets
from tests.tournament.paper import samples
from tournament.knockout.layout import SCREEN_MEASURES, WINNER, BracketPicture
from tournament.knockout.svg import build_bracket_svg, fit_svg_text, render_bracket_svg
from tournament.knockout.words import build_bracket_picture
from tournament.paper.boxes import Box

pytestmark = pytest.mark.usefixtures("english")


SVG = "{http://www.w3.org/2000/svg}"
WILD: dict[PlayerKey, str] = {
    1: "<script>alert(1)</script>",
    2: "A \"quoted\" & 'odd' one",
    3: "山田, 花子",
    4: "—]]>—",
}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def picture(size: int, games: int = 1000) -> BracketPicture:
    rules = KnockoutRules(MatchFormat.DOUBLE, third_place=size > 3)
    return build_bracket_picture(brackets.play_bracket(size, rules, games=games), brackets.names(size))


def texts(svg: str) -> list[str]:
    """Every line of text that the picture shows."""
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "games"), [(2, 0), (3, 3), (5, 1000), (8, 3), (33, 1000), (64, 1000)])
def test_file_is_well_formed_and_needs_nothing_else(size: int, games: int) -> None:
    svg = render_bracket_svg(picture(size, games), title="Knock-out")

    root = ET.fromstring(svg)
    frames = [element for element in root.iter(f"{SVG}rect") if element.get("class") == "bracket-frame"]
    assert root.tag == f"{SVG}svg"
    assert len(frames) == sum(len(column.cards) for column in picture(size).columns) + (size > 3)
    assert not re.search(r"<a\b|href=|url\(|@import", svg)


def test_names_are_escaped_and_nothing_is_cut() -> None:
    drawn = build_bracket_picture(brackets.play_bracket(4), WILD)

    svg = render_bracket_svg(drawn, title="<b>")

    shown = " ".join(texts(svg))
    assert "<script" not in svg
    assert [name for name in WILD.values() if name not in shown] == []


@pytest.mark.parametrize("size", [8, 64])
def test_long_names_are_shown_whole_within_their_boxes(size: int) -> None:
    drawn = picture(size)

    made = build_bracket_svg(drawn, title="Knock-out")

    shown = "".join(text["text"] for match in made["matches"] for text in match["texts"]).replace(" ", "")
    assert [name for name in brackets.names(size).values() if name.replace(" ", "") not in shown] == []


@pytest.mark.parametrize("text", [samples.SIXTY, "山" * 70, "Aumann, Klara", "X"])
def test_text_fits_its_box(text: str) -> None:
    box = Box(0, 0, SCREEN_MEASURES.name, SCREEN_MEASURES.row)

    fitted = fit_svg_text(text, box, size=SCREEN_MEASURES.size, bold=True)

    assert len(fitted.lines) * fitted.size <= box.height
    assert fitted.size <= SCREEN_MEASURES.size
    assert "".join(fitted.lines).replace(" ", "") == text.replace(" ", "")


def test_picture_is_named_and_described_and_each_match_is_told() -> None:
    played = picture(4)
    made = build_bracket_svg(played, title="Knock-out")

    svg = render_to_string("components/bracket.svg.html", {"picture": made, "key": "it"})

    root = ET.fromstring(svg)
    matches = root.findall(f"{SVG}g")
    assert [root.get(name) for name in ("role", "aria-labelledby", "aria-describedby")] == [
        "group", "it-title", "it-summary",
    ]  # fmt: skip
    assert root.findtext(f"{SVG}title") == "Knock-out"
    assert root.findtext(f"{SVG}desc") == f"4 of 4 matches are decided. Winner of the knock-out: {played.champion}."
    assert [match.get("role") for match in matches] == ["img"] * 4
    assert [match.get("aria-label") for match in matches] == [match["card"].told for match in made["matches"]]


def test_winner_is_marked_and_bold() -> None:
    won = [
        [text["text"] for text in match["texts"] if "bracket-won" in text["classes"]]
        for match in build_bracket_svg(picture(2), title="")["matches"]
    ]
    marks = texts(render_bracket_svg(picture(2), title=""))

    assert len(won[0]) >= 2
    assert marks.count(WINNER) == 1
