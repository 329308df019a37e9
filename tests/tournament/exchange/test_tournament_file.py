"""The tournament file: what goes in comes out, and whatever is wrong is named with its line."""

import json
import time
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given

from scoring.awards import Outcome
from scoring.standings import Criterion, WithdrawnPlacement
from tests.laws import tried_on
from tests.tournament.exchange import examples
from tests.tournament.exchange.examples import changed, found
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import EventData
from tournament.models import RoundState
from tournament.pairing.values import Method


def test_example_of_the_contract_is_read() -> None:
    event = read_tournament_file(examples.EXAMPLE)

    assert (event.slug, event.name, event.place, event.minutes) == ("herbst-cup-2026", "Herbst-Cup 2026", "Fulda", 30)
    assert event.ranking.order == (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
    assert [player.id for player in event.players] == ["P01", "P02", "P03", "P04", "P05"]
    division = event.divisions[0]
    assert [(part.first, part.last, part.method.value) for part in division.plan] == [
        (1, 3, "groups"),
        (4, 12, "swiss"),
        (13, 13, "king_of_the_hill"),
    ]
    assert [pairing.outcome for pairing in division.rounds[0].pairings] == [
        Outcome.PLAYED,
        Outcome.SECOND_FORFEITS,
        Outcome.BYE,
    ]
    assert division.knockout is not None
    assert division.knockout.matches[0].games[1].second_points == 380


def test_bytes_with_a_mark_at_the_start_are_read() -> None:
    event = read_tournament_file(b"\xef\xbb\xbf" + examples.EXAMPLE.encode())

    assert event.players[1].name == "Muster, Jörg"


def test_slug_given_takes_the_place_of_the_files_own() -> None:
    event = read_tournament_file(changed(lambda file: file.pop("slug")), slug="anders")

    assert event.slug == "anders"


def test_missing_keys_have_their_defaults() -> None:
    event = read_tournament_file('{"format": "tso-tournament", "version": 1, "slug": "a", "name": "B"}')

    assert (event.ruleset, event.starts.value, event.public, event.clubs_apart) == ("tso-2017", "balanced", True, 2)
    assert event.minutes == 30
    assert (event.awards.bye_spread, event.awards.bye_points, event.awards.loss_spread) == (50, 400, -100)
    assert event.ranking.withdrawn == WithdrawnPlacement.RANKED
    assert (event.players, event.divisions) == ((), ())


@pytest.mark.parametrize(("key", "value"), [("format", "tsh"), ("version", 2)])
def test_another_format_is_named_with_its_line(key: str, value: Any) -> None:
    with pytest.raises(FileFaults) as refused:
        read_tournament_file(json.dumps({"slug": "a", "format": "tso-tournament", "version": 1, key: value}, indent=1))

    (fault,) = refused.value.faults
    assert (fault.place.line, fault.place.path) == ({"format": 3, "version": 4}[key], key)


def test_list_longer_than_any_tournament_is_one_fault() -> None:
    with pytest.raises(FileFaults) as refused:
        read_tournament_file(changed(lambda file: file.update(players=[{}] * 20_001)))

    assert [fault.code for fault in refused.value.faults if fault.place.path == "players"] == [FaultCode.TOO_MANY]


def test_more_objects_than_any_tournament_has_are_not_read() -> None:
    with pytest.raises(FileFaults) as refused:
        read_tournament_file("[" + "{}," * 500_000 + "{}]")

    assert [(fault.code, fault.place.line) for fault in refused.value.faults] == [(FaultCode.TOO_MANY, 1)]


def test_minutes_may_be_said_to_be_none() -> None:
    assert read_tournament_file(changed(lambda file: file.update(minutes=None))).minutes is None


def test_player_without_division_plays_in_the_only_one() -> None:
    event = read_tournament_file(changed(lambda file: file["players"][0].pop("division")))

    assert event.players[0].division == "A"


def test_round_without_method_and_state_is_manual_and_published() -> None:
    def strip(file: dict[str, Any]) -> None:
        del file["divisions"][0]["rounds"][0]["method"], file["divisions"][0]["rounds"][0]["state"]

    event = read_tournament_file(changed(strip))

    assert event.divisions[0].rounds[0].method == Method.MANUAL
    assert event.divisions[0].rounds[0].state == RoundState.PUBLISHED


def test_game_without_table_gets_the_first_free_one() -> None:
    event = read_tournament_file(changed(lambda file: file["divisions"][0]["rounds"][0]["pairings"][1].pop("table")))

    assert [pairing.table for pairing in event.divisions[0].rounds[0].pairings] == [1, 2, None]


def test_names_are_tidied() -> None:
    event = read_tournament_file(changed(lambda file: file["players"][0].update(name="  Beispiel,\u00a0  Jo\u0308rg ")))

    assert event.players[0].name == "Beispiel, Jörg"


def test_everything_that_can_be_said_comes_back() -> None:
    event = examples.full_event()

    text = format_tournament_file(event)

    assert read_tournament_file(text) == event
    assert format_tournament_file(read_tournament_file(text)) == text


@tried_on(2)
@given(examples.events())
def test_arbitrary_event_comes_back(event: EventData) -> None:
    require_way_back(event)


@pytest.mark.long
@tried_on(20)
@given(examples.events())
def test_any_of_many_arbitrary_events_comes_back(event: EventData) -> None:
    require_way_back(event)


def require_way_back(event: EventData) -> None:
    text = format_tournament_file(event)

    assert read_tournament_file(text) == event
    assert format_tournament_file(read_tournament_file(text)) == text


def test_text_has_a_game_on_each_line() -> None:
    lines = format_tournament_file(read_tournament_file(examples.EXAMPLE)).splitlines()

    assert lines[1] == ' "format": "tso-tournament",'
    played = (
        '{"table": 1, "first": "P01", "second": "P02", "outcome": "played", "first_points": 431, "second_points": 388},'
    )
    assert f"      {played}" in lines
    player = '{"id": "P03", "name": "Vorbild, Zoë", "club": null, "rating": null, "games": 0, "division": "A"},'
    assert f"  {player}" in lines


def test_defaults_are_left_out() -> None:
    values = json.loads(format_tournament_file(read_tournament_file(examples.EXAMPLE)))

    assert set(values["players"][0]) == {"id", "name", "club", "rating", "games", "division"}
    assert set(values["divisions"][0]["rounds"][0]["pairings"][2]) == {"table", "first", "second", "outcome"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "cut_off"),
        ("   \n", "cut_off"),
        ('{"format": "tso-tournament",', "cut_off"),
        ('{"format": "tso-tournament" "version": 1}', "syntax"),
        ("{'format': 1}", "syntax"),
        ('{"format": "tso-tournament", "version": 1,}', "syntax"),
        ('{"name": "a\tb"}', "syntax"),
        ("[" * 100_000, "too_deep"),
        ('{"a":' * 100_000, "too_deep"),
        ("[]", "wrong_kind"),
        ("null", "wrong_kind"),
        ("{}", "no_tournament_file"),
        ('{"format": "tso-tournament"}', "version"),
        ('{"format": "tso-tournament", "version": true}', "version"),
        ('{"format": "tso-tournament", "version": 2}', "version"),
        (b"\xff\xfe{\x00}\x00", "not_text"),
        (b'{"name": "J\xf6rg"}', "not_text"),
        ("x" * 20_000_001, "too_large"),
    ],
)
def test_file_that_is_none_is_refused(content: str | bytes, code: str) -> None:
    assert [code for _path, code in found(content)] == [code]


def test_syntax_fault_says_line_and_column() -> None:
    with pytest.raises(FileFaults) as wrong:
        read_tournament_file('{"format": "tso-tournament",\n  "version": 1;\n}')

    place = wrong.value.faults[0].place
    assert (place.line, place.column) == (2, 15)


def test_text_that_is_not_utf8_names_its_line() -> None:
    with pytest.raises(FileFaults) as wrong:
        read_tournament_file(b'{\n"name":\n"J\xf6rg"}')

    assert wrong.value.faults[0].place.line == 3


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("slug", "", "empty"),
        ("slug", None, "empty"),
        ("slug", "Herbst Cup", "bad_slug"),
        ("slug", "höher", "bad_slug"),
        ("slug", "x" * 81, "too_long"),
        ("name", "", "empty"),
        ("name", 7, "wrong_kind"),
        ("name", "x" * 121, "too_long"),
        ("name", "a\u0000b", "control_character"),
        ("name", "a\u202eb", "control_character"),
        ("name", "a\ud800b", "control_character"),
        ("place", ["Fulda"], "wrong_kind"),
        ("starts_on", "3.10.2026", "bad_date"),
        ("starts_on", "2026-02-30", "bad_date"),
        ("starts_on", 20261003, "bad_date"),
        ("starts_on", "20261003", "bad_date"),
        ("starts_on", "2026-W40-6", "bad_date"),
        ("ends_on", "2026-10-02", "days_reversed"),
        ("ruleset", "tso-1999", "unknown_ruleset"),
        ("minutes", "30", "wrong_kind"),
        ("minutes", 30.0, "wrong_kind"),
        ("minutes", True, "wrong_kind"),
        ("minutes", 10**30, "wrong_kind"),
        ("minutes", 0, "out_of_range"),
        ("starts", "white", "not_allowed"),
        ("spread_cap", 0, "out_of_range"),
        ("spread_cap", "100", "wrong_kind"),
        ("spread_cap", [100] * 201, "too_many"),
        ("ranking", [], "wrong_kind"),
        ("awards", 50, "wrong_kind"),
        ("bye_policy", "anybody", "not_allowed"),
        ("clubs_apart", -1, "out_of_range"),
        ("public", 1, "wrong_kind"),
        ("plaece", "Fulda", "unknown_key_meant"),
        ("zzz", 1, "unknown_key"),
    ],
)
@pytest.mark.sampled(11)
def test_head_with_a_wrong_value_is_refused(key: str, value: object, code: str) -> None:
    assert found(changed(lambda file: file.update({key: value}))) == [(key, code)]


def test_players_that_are_no_list_are_refused() -> None:
    assert found(changed(lambda file: file.update(players={})))[0] == ("players", "wrong_kind")


@pytest.mark.parametrize(
    ("ruleset", "basis", "starts"), [("tso-2010", "wins", "balanced"), ("sbnl-punten", "points", "drawn")]
)
def test_what_a_file_does_not_say_is_as_the_book_has_it(ruleset: str, basis: str, starts: str) -> None:
    def leave_out(file: dict[str, Any]) -> None:
        file.update(ruleset=ruleset, minutes=None)
        del file["ranking"], file["starts"]

    event = read_tournament_file(changed(leave_out))

    assert (event.ranking.basis, event.starts) == (basis, starts)


def test_minutes_under_a_ruleset_without_a_clock_are_refused() -> None:
    assert found(changed(lambda file: file.update(ruleset="general-de"))) == [("minutes", "no_clock")]


def test_key_that_stands_twice_is_refused() -> None:
    text = examples.EXAMPLE.replace('"minutes": 30,', '"minutes": 30, "minutes": 25,')

    assert found(text) == [("minutes", "key_twice")]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "1.0", "9" * 5000])
def test_number_that_is_none_is_refused(number: str) -> None:
    assert found(examples.EXAMPLE.replace("1512", number)) == [("players[0].rating", "wrong_kind")]


def test_all_faults_are_named_with_their_lines() -> None:
    text = (
        examples.EXAMPLE.replace('"place": "Fulda"', '"plece": "Fulda"')
        .replace('"rating": 1512', '"rating": "gut"')
        .replace('"first_points": 431', '"first_points": 43100')
        .replace('"best_of": null', '"best_of": 3')
    )

    with pytest.raises(FileFaults) as wrong, translation.override("en"):
        read_tournament_file(text)
    with translation.override("en"):
        lines = str(wrong.value).splitlines()

    assert lines == [
        "line 3, plece: The key “plece” is unknown. Did you mean “place”?",
        "line 11, players[0].rating: “gut” is not a whole number.",
        (
            "line 23, divisions[0].rounds[0].pairings[0].first_points: 43100 is out of range: "
            "whole numbers from -999 to 9999 are allowed."
        ),
        "line 29, divisions[0].knockout.best_of: “best_of” belongs to the form “best_of” only, not to “double”.",
    ]


def test_countless_faults_are_named_in_reasonable_time() -> None:
    text = changed(lambda file: file["players"].extend([{}] * 3_000))

    started = time.monotonic()
    faulty = found(text)

    assert len(faulty) == 6_000
    assert time.monotonic() - started < 6


def test_long_input_is_quoted_shortened() -> None:
    text = changed(lambda file: file.update(starts="x" * 10_000))

    with pytest.raises(FileFaults) as wrong:
        read_tournament_file(text)

    assert len(str(wrong.value)) < 300
