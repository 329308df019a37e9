"""Whatever comes in: a value or faults, and what is accepted can be stored and comes back."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.tournament.exchange import examples
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.players import PlayerList, read_player_list
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import EventData
from tournament.tsh.cards import (
    DivisionFile,
    ImportRemarks,
    PerlNotUnderstood,
    parse_perl_literal,
    read_player_lines,
    read_tsh_config,
)
from tournament.tsh.reading import join_division
from tournament.tsh.tourney_js import ScriptNotUnderstood, parse_script_literal, read_tourney_js

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=100),
    st.sampled_from(
        ["P01", "A", "played", "bye", "open", "absent", "both_forfeit", "draft", "swiss", "", "\x00", "😀"]
    ),
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all values of a JSON text."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, one in inner for each in places(one, (*path, key)))]


PLACES = [path for path in places(json.loads(examples.EXAMPLE)) if len(path) > 1]


@st.composite
def altered(draw: st.DrawFn) -> str:
    """The example with a few values replaced, removed or doubled."""
    values = json.loads(examples.EXAMPLE)
    for path in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4)):
        _alter(values, path, draw(st.sampled_from(["replace", "remove", "add"])), draw(JSON))
    return json.dumps(values)


def _alter(values: Any, path: tuple[str | int, ...], how: str, value: Any) -> None:
    holder = values
    for step in path[:-1]:
        try:
            holder = holder[step]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(holder, list) and how == "add":
        holder.append(value)
    elif isinstance(holder, dict) and how == "remove":
        holder.pop(path[-1], None)
    elif isinstance(holder, dict):
        holder[path[-1]] = value


def found(read: Callable[[], Any]) -> Any:
    """What a reader finds, or the faults, each of which makes a sentence."""
    try:
        return read()
    except FileFaults as wrong:
        return [str(fault) for fault in wrong.faults]


def event_in(content: str | bytes) -> EventData | None:
    event = found(lambda: read_tournament_file(content))
    return event if isinstance(event, EventData) else None


@given(st.text() | st.binary() | JSON.map(json.dumps))
def test_anything_is_a_tournament_file_or_faulty(content: str | bytes) -> None:
    assert event_in(content) is None


@given(altered())
def test_altered_file_is_read_or_faulty(text: str) -> None:
    event = event_in(text)

    assert event is None or read_tournament_file(format_tournament_file(event)) == event


class AlteredFiles(TestCase):
    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
    @given(altered())
    def test_altered_file_that_is_accepted_can_be_stored(self, text: str) -> None:
        event = event_in(text)

        if event is not None:
            stored = load_event_data(store_event_data(event, actor=TERMINAL_ACTOR))
            assert len(stored.players) == len(event.players)
            assert event_in(format_tournament_file(stored)) == stored


@given(st.text())
@example("q")
@example('"\\')
@example("qw")
def test_any_perl_text_is_a_literal_or_not_understood(text: str) -> None:
    try:
        parse_perl_literal(text)
    except PerlNotUnderstood:
        return


@given(st.text())
@example('"\\u')
@example("{a")
@example("'\\")
def test_any_javascript_text_is_a_literal_or_not_understood(text: str) -> None:
    position = 0
    try:
        parse_script_literal(text)
    except ScriptNotUnderstood as error:
        position = error.position

    assert 0 <= position <= len(text)


LINES = st.lists(
    st.text()
    | st.from_regex(r"[A-Z][a-z]+( [0-5]| 00){1,6};( -?\d{1,4}| 00){0,5}(; (p12|board|off|penalty)( \d){0,5})*"),
    max_size=5,
).map("\n".join)


@given(LINES)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_division_file_is_joined_or_faulty(text: str) -> None:
    remarks = ImportRemarks()

    cards = read_player_lines(text, "a.t", remarks)
    _division, players = join_division(DivisionFile("A", cards), prefix="P", planned=3, remarks=remarks)

    assert len(players) == len(cards)
    assert all(str(each) for each in (*remarks.faults, *remarks.warnings))


@given(st.text())
def test_any_configuration_is_read(text: str) -> None:
    remarks = ImportRemarks()

    read_tsh_config(text, "config.tsh", remarks)

    assert not remarks.faults


@given(JSON)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_script_is_read_or_faulty(value: Any) -> None:
    text = json.dumps({"config": value, "divisions": [{"name": value, "players": [None, {"name": "A", "etc": value}]}]})
    remarks = ImportRemarks()

    folder = found(lambda: read_tourney_js(text, "tourney.js", "x", remarks))
    _division, players = join_division(folder.divisions[0], prefix="P", planned=0, remarks=remarks)

    assert [player.name for player in players] == ["A"]


@given(st.binary() | st.text().map(str.encode) | st.text(alphabet='Name;,\t\n" ÄÖ12@', max_size=60).map(str.encode))
def test_any_list_of_players_is_read_or_faulty(content: bytes) -> None:
    sheet = found(lambda: read_player_list(content))

    assert not isinstance(sheet, PlayerList) or all(row.person.name or row.faults for row in sheet.rows)
