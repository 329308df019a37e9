"""`tourney.js` written: what tsh knows comes back, whatever is real or made up."""

import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.tournament.exchange import examples
from tests.tournament.tsh.test_writing import as_tsh_can_say, figures
from tournament.exchange.values import EventData, RoundData
from tournament.models import RoundState
from tournament.tsh.cards import ImportRemarks, PlayerLine, read_player_lines
from tournament.tsh.reading import read_tsh_event
from tournament.tsh.writing import make_tourney_js

TOURNAMENTS = sorted((examples.DATA / "tournaments").glob("*/config.tsh"))
"""Real tournaments, where they are at hand."""


TO_BE_DRAWN = 3
"""What `p12` says from here on: it is to be drawn, or not known."""


def read(content: bytes) -> dict[str, Any]:
    """The object as other programs read it: `undefined` for null, outside of texts, then JSON."""
    text = content.decode("ascii")
    assert (text[: len("newt={")], text[-len("};\n") :]) == ("newt={", "};\n")
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text[len("newt=") : -len(";\n")])
    parts[::2] = [re.sub(r"\bundefined\b", "null", part) for part in parts[::2]]
    return dict(json.loads("".join(parts)))


def back(event: EventData) -> EventData:
    """The event after a journey to `tourney.js` and back."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tourney.js")
        path.write_bytes(make_tourney_js(event, {}, {}))
        return read_tsh_event(path).event


@given(examples.events())
def test_table_stays_the_same(event: EventData) -> None:
    event = as_tsh_can_say(event)
    if not event.divisions:
        return

    assert figures(back(event)) == figures(event)


@pytest.mark.skipif(not TOURNAMENTS, reason="the real tournaments are not here")
@pytest.mark.sampled(3)
@pytest.mark.parametrize("config", TOURNAMENTS, ids=lambda path: path.parent.name)
def test_real_tournament_comes_back_equal(config: Path) -> None:
    event = read_tsh_event(config).event

    assert back(event) == event
    lines = read_player_lines((config.parent / "a.t").read_text("iso-8859-1"), "a.t", ImportRemarks())
    [division] = read(make_tourney_js(event, {}, {}))["divisions"]
    written = division["players"][1:]
    assert [(each["id"], each["name"], each["rating"]) for each in written] == [
        (line.number, line.name, int(line.rating)) for line in lines
    ]
    assert [each["pairings"] for each in written] == [list(line.opponents) for line in lines]
    assert [each["scores"] for each in written] == [list(line.scores) for line in lines]
    assert [each["etc"]["board"] for each in written if "board" in each["etc"]] == list_stated(lines, "board")
    # Where a file does not know who started, the first player of the pairing is said to have.
    starts = zip((each["etc"]["p12"] for each in written), list_stated(lines, "p12"), strict=True)
    pairs = [pair for card in starts for pair in zip(*card, strict=True)]
    assert [own for own, said in pairs if said < TO_BE_DRAWN] == [said for _own, said in pairs if said < TO_BE_DRAWN]


def list_stated(lines: tuple[PlayerLine, ...], key: str) -> list[list[int]]:
    return [[int(word) for word in line.fields[key]] for line in lines if key in line.fields]


def test_what_is_not_known_is_undefined_and_names_stay_names() -> None:
    full = examples.full_event()
    players = tuple(replace(each, name=f"null, </script> {each.id} ü") for each in full.players)

    content = make_tourney_js(replace(full, players=players), {full.players[0].id: [1, None, 2]}, {})

    assert b'"newr":undefined' in content
    assert b'"rank_history":[1,undefined,2]' in content
    assert read(content)["divisions"][0]["players"][1]["name"] == f"null, </script> {full.players[0].id} ü"


def test_rounds_that_are_not_told_are_not_there() -> None:
    full = examples.full_event()
    division = next(each for each in full.divisions if each.rounds)
    told = [each for each in division.rounds if each.state != RoundState.DRAFT]
    assert len(told) < len(division.rounds)
    unseen = RoundData(number=len(told) + 1, state=RoundState.PUBLISHED)
    plain = replace(division, plan=(), rounds=(*told, unseen))

    [written] = read(make_tourney_js(replace(full, divisions=(plain,)), {}, {}))["divisions"]

    assert (written["maxr"], written["maxp"]) == (len(told) - 1, len(told) - 1)
    assert {len(each["pairings"]) for each in written["players"][1:]} == {len(told)}
