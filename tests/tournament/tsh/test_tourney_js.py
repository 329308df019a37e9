"""`tourney.js`: the same event as in the lines, or faults with the line of the player."""

import json
from datetime import date
from pathlib import Path

import pytest

from tests.tournament.tsh.tsh_examples import TRIO, Make, codes, wrong
from tournament.tsh.reading import read_tsh_event


def script(**config: object) -> str:
    """A `tourney.js` of the trio, as tsh writes it."""
    return (
        f"/* made by tsh */\nnewt={{'config': {json.dumps(config)}, divisions: [{{name:'A', players:[undefined,\n"
        '{"name":"Adam, Al","rating":"1500+3","scores":[400,410,50],"pairings":[2,3,0],'
        '"etc":{"p12":[1,2,0],"board":[4,2,0],"lifeg":[12],"team":["SC","Fulda"],"off":undefined}},\n'
        '{"name":"Beta, Bo,","rating":1400,"scores":[390,"-50",350],"pairings":[1,0,3],"etc":{"p12":[2,0,1]}},\n'
        '{"name":"Cohn, Cy","rating":undefined,"scores":[0,300,420,null],"pairings":["0",1,2],"photo":null,'
        '"etc":{"p12":[0,1,2],"board":[0,2,1]},},\n]}]};\nvar more = function () {};\n'
    )


def test_script_gives_the_same_event_as_the_lines(make_tsh_folder: Make, tmp_path: Path) -> None:
    folder = make_tsh_folder("division a a.t\nconfig event_name = 'Trio'\nconfig max_rounds = 5", a=TRIO)
    (tmp_path / "tourney.js").write_text(script(event_name="Trio", max_rounds=5), encoding="utf-8")

    found = read_tsh_event(tmp_path / "tourney.js")

    # `off` without a value withdraws nobody.
    assert found.event == read_tsh_event(folder).event
    assert found.warnings == ()


def test_folder_with_nothing_but_a_script_is_read(tmp_path: Path) -> None:
    (tmp_path / "tourney.js").write_text(script(spread_cap=[100], max_div_rounds={"A": 4}), encoding="utf-8")

    event = read_tsh_event(tmp_path).event

    assert event.ranking.spread_cap == (100,)
    assert [part.last for part in event.divisions[0].plan] == [4]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("newt={'a': alert(1)};", "syntax", 1),
        ("newt={\n'a':", "cut_off", 2),
        ("newt={};", "tsh_no_division", None),
        ("[1]", "tsh_no_division", None),
        ("", "cut_off", 1),
        ('{"divisions":[{"players":[null,\n7]}]}', "tsh_line", 2),
        ('{"divisions":[{"players":[null,\n{"name":"A","pairings":[{}]}]}]}', "tsh_line", 2),
    ],
)
def test_script_that_is_none_is_refused(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    (tmp_path / "tourney.js").write_text(text, encoding="utf-8")

    found = wrong(tmp_path)

    assert [(fault.code.name.lower(), fault.place.line) for fault in found] == [(code, line)]


def test_contradiction_in_a_script_names_both_lines(tmp_path: Path) -> None:
    text = script().replace('"pairings":[1,0,3]', '"pairings":[3,0,3]')
    (tmp_path / "tourney.js").write_text(text, encoding="utf-8")

    found = wrong(tmp_path)

    assert {fault.place.line for fault in found} == {3, 4}
    assert set(codes(found)) == {"tsh_contradiction"}


CARDS = """newt={{"config":{{"event_name":"X","event_date":"February 28-March 2, 2025"}},
"divisions":[{{"name":"A","players":[undefined,
{{"id":1,"name":{name},"rating":1500.0,"scores":[{score}],"pairings":[{opponent}],"etc":{{}}}},
{{"id":2,"name":"Bea, B","rating":1400,"scores":[380],"pairings":[1],"etc":{{}}}}]}}]}};"""


@pytest.mark.parametrize(
    ("name", "score", "opponent", "named"),
    [
        ('"Anna, A"', "400.0", "2", "Anna, A"),
        ("4711", '"400"', "2.0", "4711"),
        ('"Anna, A"', '"400.0"', '"2"', "Anna, A"),
    ],
)
def test_numbers_and_names_are_read_however_they_are_written(
    tmp_path: Path, name: str, score: str, opponent: str, named: str
) -> None:
    file = tmp_path / "tourney.js"
    file.write_text(CARDS.format(name=name, score=score, opponent=opponent), encoding="utf-8")

    event = read_tsh_event(file).event

    assert ([(player.name, player.rating) for player in event.players]) == [(named, 1500), ("Bea, B", 1400)]
    (pairing,) = event.divisions[0].rounds[0].pairings
    assert {pairing.first_points, pairing.second_points} == {400, 380}
    assert (event.starts_on, event.ends_on) == (date(2025, 2, 28), date(2025, 3, 2))


@pytest.mark.parametrize(
    ("name", "score", "opponent"),
    [("null", "400", "2"), ("[]", "400", "2"), ('"Anna, A"', "400.5", "2"), ('"Anna, A"', "400", '"x"')],
)
def test_a_line_that_is_not_understood_is_told_once(tmp_path: Path, name: str, score: str, opponent: str) -> None:
    file = tmp_path / "tourney.js"
    file.write_text(CARDS.format(name=name, score=score, opponent=opponent), encoding="utf-8")

    faults = wrong(file)

    assert [(fault.code.name.lower(), fault.place.line) for fault in faults] == [("tsh_line", 3)]
