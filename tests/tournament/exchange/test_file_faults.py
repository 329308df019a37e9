"""Players, pairings, divisions and knock-outs that make no sense: each is named at its path."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import translation

from tests.tournament.exchange.examples import changed, found
from tournament.basics import limits
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import read_tournament_file
from tournament.pairing.values import Method

ANNOUNCED = {"round": 2, "seed": 1}


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"id": "P02"}, "players[1].id", "twice"),
        ({"id": ""}, "players[0].id", "empty"),
        ({"name": "x" * 81}, "players[0].name", "too_long"),
        ({"name": "\ufdfa" * 20}, "players[0].name", "too_long"),
        ({"club": "\ufdfa" * 20}, "players[0].club", "too_long"),
        ({"rating": -1}, "players[0].rating", "out_of_range"),
        ({"rating": 10_000}, "players[0].rating", "out_of_range"),
        ({"rating": "1512"}, "players[0].rating", "wrong_kind"),
        ({"games": 1.5}, "players[0].games", "wrong_kind"),
        ({"division": "B"}, "players[0].division", "unknown_division"),
        ({"withdrawn_after": -1}, "players[0].withdrawn_after", "out_of_range"),
        ({"withdrawn": 5}, "players[0].withdrawn", "unknown_key_meant"),
        ({"disqualified": True}, "players[0]", "missing_key"),
        ({"guest": "yes"}, "players[0].guest", "wrong_kind"),
        ({"absences": [{"round": 2}, {"round": 2}]}, "players[0].absences[1].round", "twice"),
        ({"absences": [{}]}, "players[0].absences[0]", "missing_key"),
        ({"fixed_table": 0}, "players[0].fixed_table", "out_of_range"),
    ],
)
def test_player_with_a_wrong_value_is_refused(change: dict[str, Any], path: str, code: str) -> None:
    assert (path, code) in found(changed(lambda file: file["players"][0].update(change)))


@pytest.mark.parametrize(
    ("change", "key", "code"),
    [
        ({"first": "P99"}, ".first", "unknown_player"),
        ({"first": None}, ".first", "empty"),
        ({"second": "P01"}, ".second", "against_oneself"),
        ({"second": "P05"}, ".first", "player_twice"),
        ({"second": None}, "", "needs_opponent"),
        ({"table": 2}, ".table", "twice"),
        ({"table": 0}, ".table", "out_of_range"),
        ({"outcome": "won"}, ".outcome", "not_allowed"),
        ({"outcome": "bye"}, ".second", "no_opponent"),
        ({"outcome": "bye"}, ".table", "no_table"),
        ({"outcome": "open"}, ".first_points", "no_points"),
        ({"outcome": "both_forfeit", "first_points": None}, "", "both_points"),
        ({"first_points": None}, "", "needs_points"),
        ({"first_points": 10_000}, ".first_points", "out_of_range"),
        ({"first_points": -1000}, ".first_points", "out_of_range"),
        ({"first_points": 431.5}, ".first_points", "wrong_kind"),
        ({"first_points": "431"}, ".first_points", "wrong_kind"),
        ({"reason": "overtime"}, ".reason", "no_reason"),
        ({"reason": "tired"}, ".reason", "not_allowed"),
        ({"spread": 50}, ".spread", "spread_only_alone"),
        ({"first_overtime": -1}, ".first_overtime", "out_of_range"),
        ({"first_moves": [10, 20]}, ".first_moves", "moves_order"),
        ({"first_moves": ["10"]}, ".first_moves[0]", "wrong_kind"),
        ({"first_point": 431}, ".first_point", "unknown_key_meant"),
        ({"flags": "repeat"}, ".flags", "wrong_kind"),
        ({"why": {"code": "drawn"}}, ".why", "wrong_kind"),
        ({"why": [{"code": "because"}]}, ".why[0].code", "not_allowed"),
        ({"why": [{"code": "ranks", "first": "1"}]}, ".why[0].first", "wrong_kind"),
        ({"why": [{"code": "drawn", "by": "lot"}]}, ".why[0].by", "unknown_key"),
        ({"why": [{"code": "bye", "had": 0, "fewest": 0, "by": "luck"}]}, ".why[0].by", "not_allowed"),
        ({"why": [{"code": "places", "places": [1], "of": 2}]}, ".why[0].places", "empty"),
        ({"why": [{"code": "repeat"}]}, ".why[0]", "missing_key"),
        (
            {"why": [{"code": "passed_over", "player": "P9", "who": ["P1"], "because": "met"}]},
            ".why[0].player",
            "unknown_player",
        ),
        ({"first_moves": [0] * 101}, ".first_moves", "too_many"),
    ],
)
@pytest.mark.sampled(11)
def test_pairing_with_a_wrong_value_is_refused(change: dict[str, Any], key: str, code: str) -> None:
    def apply(file: dict[str, Any]) -> None:
        file["divisions"][0]["rounds"][0]["pairings"][0].update(change)

    faulty = [(path.removeprefix("divisions[0].rounds[0].pairings"), code) for path, code in found(changed(apply))]

    # What stands there twice is noted at the second place.
    assert any((f"[{place}]{key}", code) in faulty for place in range(3))


@pytest.mark.parametrize("key", ["first_penalty", "first_overtime", "first_bingos", "first_seconds", "note"])
def test_open_game_with_facts_is_refused(key: str) -> None:
    def apply(file: dict[str, Any]) -> None:
        file["divisions"][0]["rounds"][0]["pairings"][0] = {"first": "P01", "second": "P02", "table": 1}
        file["divisions"][0]["rounds"][0]["pairings"][0][key] = "n" if key == "note" else 7

    assert found(changed(apply)) == [(f"divisions[0].rounds[0].pairings[0].{key}", "not_yet")]


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        (lambda division: division["rounds"][0].update(number=2), ".rounds[0].number", "round_number"),
        (lambda division: division["rounds"].append({"number": 1}), ".rounds[1].number", "round_number"),
        (lambda division: division["rounds"][0].update(number=201), ".rounds[0].number", "out_of_range"),
        (
            lambda division: division["rounds"][0].update(state="draft"),
            ".rounds[0].pairings[0].outcome",
            "result_in_draft",
        ),
        (
            lambda division: division["rounds"].extend([{"number": 2, "state": "draft"}, {"number": 3}]),
            ".rounds[1].state",
            "second_draft",
        ),
        (lambda division: division["rounds"].append(3), ".rounds[1]", "wrong_kind"),
        (lambda division: division["plan"][1].update(rounds=[3, 12]), ".plan[1].rounds", "plan_order"),
        (lambda division: division["plan"][0].update(rounds=[3, 1]), ".plan[0].rounds", "plan_order"),
        (lambda division: division["plan"][0].update(rounds=[1]), ".plan[0].rounds", "wrong_kind"),
        (lambda division: division["plan"][0].update(factor=2), ".plan[0].factor", "plan_factor"),
        (lambda division: division["plan"][0].update(method="chess"), ".plan[0].method", "not_allowed"),
        (lambda division: division.update(kept_apart=[["P01", "P01"]]), ".kept_apart[0]", "against_oneself"),
        (lambda division: division.update(kept_apart=[["P01"]]), ".kept_apart[0]", "wrong_kind"),
        (lambda division: division.update(announced=ANNOUNCED | {"pairs": [[]]}), ".announced.pairs[0]", "wrong_kind"),
        (
            lambda division: division.update(announced=ANNOUNCED | {"pairs": [["P01", "P99"]]}),
            ".announced.pairs[0][1]",
            "unknown_player",
        ),
        (
            lambda division: division.update(announced=ANNOUNCED | {"pairs": [["P01", "P02"], ["P01"]]}),
            ".announced.pairs[1][0]",
            "twice",
        ),
        (lambda division: division.update(announced=ANNOUNCED | {"tables": []}), ".announced.tables", "unknown_key"),
        (lambda division: division.update(announced={"round": 2}), ".announced", "missing_key"),
        (lambda division: division.update(prizes=[{}]), ".prizes[0]", "missing_key"),
        (lambda division: division.update(prizes=[{"kind": "beauty"}]), ".prizes[0].kind", "not_allowed"),
        (lambda division: division.update(prizes=[{"kind": "place"}]), ".prizes[0]", "prize_needs"),
        (lambda division: division.update(prizes=[{"kind": "own"}]), ".prizes[0]", "prize_needs"),
        (lambda division: division.update(prizes=[{"kind": "rating_class"}]), ".prizes[0]", "prize_needs"),
        (
            lambda division: division.update(prizes=[{"kind": "highest_game", "place": 1}]),
            ".prizes[0].place",
            "prize_without",
        ),
        (
            lambda division: division.update(
                prizes=[{"kind": "rating_class", "lowest_rating": 2, "highest_rating": 1}]
            ),
            ".prizes[0].lowest_rating",
            "prize_ratings",
        ),
        (
            lambda division: division.update(prizes=[{"kind": "own", "title": "Wort", "winner": "P99"}]),
            ".prizes[0].winner",
            "unknown_player",
        ),
        (
            lambda division: division.update(prizes=[{"kind": "club", "club": "\ufdfa" * 20}]),
            ".prizes[0].club",
            "too_long",
        ),
        (
            lambda division: division.update(prizes=[{"kind": "highest_game"}] * 101),
            ".prizes",
            "too_many_prizes",
        ),
        (lambda division: division.update(lots=[{"after": 1, "order": ["P01", "P01"]}]), ".lots[0].order[1]", "twice"),
        (lambda division: division.update(lots=[{"after": 1, "order": ["P9"]}]), ".lots[0].order[0]", "unknown_player"),
        (lambda division: division.update(name=""), ".name", "empty"),
        (lambda division: division["knockout"].update(size=65), ".knockout.size", "out_of_range"),
        (lambda division: division["knockout"].update(size=5), ".knockout.seeds", "seeds"),
        (lambda division: division["knockout"].update(best_of=3), ".knockout.best_of", "no_best_of"),
        (lambda division: division["knockout"].update(form="best_of", best_of=2), ".knockout.best_of", "best_of"),
        (lambda division: division["knockout"].update(form="best_of"), ".knockout.best_of", "best_of"),
        (lambda division: division["knockout"].update(criteria=["lot"]), ".knockout.criteria[0]", "not_allowed"),
        (lambda division: division["knockout"]["seeds"].__setitem__(1, "P01"), ".knockout.seeds[1]", "twice"),
        (
            lambda division: division["knockout"]["matches"][0].update(position=3),
            ".knockout.matches[0]",
            "no_such_match",
        ),
        (
            lambda division: division["knockout"]["matches"][0]["games"][1].update(first="P02"),
            ".knockout.matches[0].games[1].first",
            "other_opponent",
        ),
        (
            lambda division: division["knockout"]["matches"][0]["games"][1].update(first="P05"),
            ".knockout.matches[0].games[1].first",
            "not_seeded",
        ),
        (
            lambda division: division["knockout"].update(lots=[{"stage": 1, "position": 2, "winner": "P05"}]),
            ".knockout.lots[0].winner",
            "not_seeded",
        ),
    ],
)
@pytest.mark.sampled(14)
def test_division_that_makes_no_sense_is_refused(
    change: Callable[[dict[str, Any]], object], path: str, code: str
) -> None:
    assert (f"divisions[0]{path}", code) in found(changed(lambda file: change(file["divisions"][0])))


def test_player_of_another_division_cannot_be_paired_here() -> None:
    def move(file: dict[str, Any]) -> None:
        file["divisions"].append({"name": "B"})
        file["players"][4]["division"] = "B"

    assert found(changed(move)) == [("divisions[0].rounds[0].pairings[2].first", "other_division")]


@pytest.mark.parametrize("key", ["plan", "rounds"])
def test_method_that_does_not_exist_is_refused_by_name(key: str) -> None:
    text = changed(lambda file: file["divisions"][0][key][0].update(method="contest"))

    with translation.override("en"), pytest.raises(FileFaults) as refused:
        read_tournament_file(text)

    (fault,) = refused.value.faults
    with translation.override("en"):
        assert fault.sentence == f"“contest” is not allowed; one of these is: {', '.join(Method)}."


def test_parts_that_contradict_each_other_are_told_up_to_the_same_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FAULTS", 2)

    def contradict(file: dict[str, Any]) -> None:
        file["players"][0]["rating"] = -1
        for player in file["players"][1:]:
            player["division"] = "B"

    faults = found(changed(contradict))

    assert faults == [("players[0].rating", "out_of_range"), ("players[1].division", "unknown_division")]
