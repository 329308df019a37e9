"""Matches and brackets by TSO 6.2, case by case."""

import csv
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from scoring import knockout, knockout_forms, knockout_matches, standings
from scoring.awards import Outcome
from scoring.extents import LARGEST
from scoring.knockout_matches import OrientedGame
from scoring.knockout_values import (
    DueGame,
    FactKind,
    GameFacts,
    InvalidKnockout,
    KnockoutFault,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    MatchCriterion,
    MatchFormat,
    MissingFact,
    PlayerSource,
    SourceKind,
    WaitsFor,
)
from scoring.rulesets.tso import TSO_2017

REPORTED = Path(__file__).parents[3] / "shared" / "data" / "knockout_german.csv"

tso = partial(KnockoutRules, awards=TSO_2017.awards, clauses=TSO_2017.clauses.knockout)
SINGLE, DOUBLE = tso(MatchFormat.SINGLE), tso(MatchFormat.DOUBLE)
PAIR, PLACES = ("A", "B"), {"A": 1, "B": 2}


def best_of(number, *criteria):
    return tso(MatchFormat.BEST_OF, number, criteria)


def make_game(own, other, upper=None, lower=None):
    """A game of A (who starts) against B."""
    return KnockoutGame("A", "B", Outcome.PLAYED, own, other, upper or GameFacts(), lower or GameFacts())


def lost(by, own=None, other=None, *facts):
    """A game that A, B or both ("AB") forfeit, with the score when it stopped."""
    outcome = {"A": Outcome.FIRST_FORFEITS, "B": Outcome.SECOND_FORFEITS, "AB": Outcome.BOTH_FORFEIT}[by]
    return KnockoutGame("A", "B", outcome, own, other, *facts)


WON, LOST, DRAWN = make_game(401, 400), make_game(400, 401), make_game(400, 400)


def match(rules, *games, lot=None, not_recorded=(), by_own_criterion=(), places=PLACES):
    """The only match of a knock-out of A and B."""
    lots = {(1, 1): lot} if lot else {}
    return knockout.bracket(PAIR, rules, {(1, 1): games}, lots, {(1, 1): not_recorded}, by_own_criterion, places).final


DECIDED = {
    "TSO 6.2.1: more points": (SINGLE, [make_game(401, 400)], (401, 400), "A", "points"),
    "TSO 6.2.2: more points in the two together": (
        DOUBLE,
        [make_game(420, 400), KnockoutGame("B", "A", Outcome.PLAYED, 399, 380)],
        (800, 799),
        "A",
        "points",
    ),
    "TSO 6.2.2: wins do not matter": (DOUBLE, [make_game(300, 500), make_game(499, 300)], (799, 800), "B", "points"),
    "TSO 6.2.3: 2:0 of 3": (best_of(3), [WON, WON], (2, 0), "A", "wins"),
    "TSO 6.2.3: 2:1 of 3": (best_of(3), [WON, LOST, LOST], (1, 2), "B", "wins"),
    "TSO 6.2.3: 1½:½ of 3, then a draw": (best_of(3), [WON, DRAWN, DRAWN], (2, 1), "A", "wins"),
    "TSO 6.2.3: 2½:½ of 5": (best_of(5), [WON, DRAWN, WON, WON], (3.5, 0.5), "A", "wins"),
    "TSO 6.2.3: neither wins a game that both forfeit": (best_of(3), [lost("AB"), WON, DRAWN], (1.5, 0.5), "A", "wins"),
    "TSO 6.2.3: best of 1": (best_of(1), [LOST], (0, 1), "B", "wins"),
    "TSO 6.2.5: forfeits the only game": (SINGLE, [lost("A", 500, 200)], (0, 400), "B", "forfeit"),
    "TSO 6.2.5: leads and forfeits the second of two": (
        DOUBLE,
        [make_game(500, 300), lost("A")],
        (500, 700),
        "B",
        "forfeit",
    ),
    "TSO 6.2.5: leads by 500 and forfeits the second of two": (
        DOUBLE,
        [make_game(900, 100), lost("A")],
        (900, 500),
        "B",
        "forfeit",
    ),
    "TSO 6.2.5: forfeits the first of two, then wins by points": (
        DOUBLE,
        [lost("A"), make_game(700, 299)],
        (700, 699),
        "A",
        "points",
    ),
    "TSO 6.1.1: over 400 counts for the innocent": (
        DOUBLE,
        [lost("B", 451, 401), make_game(349, 799)],
        (800, 799),
        "A",
        "points",
    ),
    "TSO 6.2.5: leads 1½:½ and forfeits the third of three": (
        best_of(3),
        [WON, DRAWN, lost("A")],
        (1.5, 1.5),
        "B",
        "forfeit",
    ),
    "TSO 6.2.5: at 2:0 the third was never to be played": (best_of(3), [WON, WON, lost("A")], (2, 0), "A", "wins"),
    "TSO 6.2.5: a forfeit before the last is a game lost": (best_of(3), [lost("A"), WON, WON], (2, 1), "A", "wins"),
}


@pytest.mark.parametrize(("rules", "games", "score", "winner", "by"), DECIDED.values(), ids=DECIDED.keys())
def test_match_is_decided(rules, games, score, winner, by):
    found = match(rules, *games)

    assert (found.score, found.winner, found.decided_by) == (score, winner, by)
    assert found.loser == ({"A", "B"} - {winner}).pop()
    assert found.is_over


def test_score_in_wins_is_whole_where_it_can_be():
    whole, half = match(best_of(3), DRAWN, DRAWN, WON), match(best_of(3), WON, DRAWN)

    assert list(map(type, whole.score)) == [int, int]
    assert half.score == (1.5, 0.5)


@pytest.mark.parametrize(
    "rules", [SINGLE, DOUBLE, best_of(3), tso(MatchFormat.SINGLE, None, (MatchCriterion.DECIDER_GAME,))]
)
def test_nobody_advances_when_both_forfeit_the_last_game(rules):
    before = [DRAWN] * (rules.most_games - 1)

    found = match(rules, *before, lost("AB"))

    assert (found.winner, found.loser, found.decided_by, found.clause) == (None, None, "forfeit", "TSO 6.2.5")
    assert found.is_over


@pytest.mark.parametrize(("rules", "clause"), [(SINGLE, "TSO 6.2.1"), (DOUBLE, "TSO 6.2.2"), (best_of(3), "TSO 6.2.3")])
def test_decision_names_its_clause(rules, clause):
    assert match(rules, WON, *[WON] * (rules.scheduled > 1)).clause == clause


def facts(bingos=None, moves=(), seconds=None):
    return GameFacts(bingos, moves, seconds)


BINGOS, RANK, TIME, DECIDER, OWN = MatchCriterion
LEVEL = {
    "TSO 6.2.4: more plays of seven": (
        [BINGOS],
        [make_game(400, 400, facts(1), facts(2))],
        ("B", "most_bingos", (1, 2)),
    ),
    "TSO 6.2.4: better place before": ([RANK], [DRAWN], ("A", "preliminary_rank", (1, 2))),
    "TSO 6.2.4: less time": (
        [TIME],
        [make_game(400, 400, facts(seconds=1501), facts(seconds=1500))],
        ("B", "playing_time", (1501, 1500)),
    ),
    "TSO 6.2.4: one more game": ([DECIDER], [DRAWN, LOST], ("B", "decider_game", (400, 401))),
    "TSO 6.2.4: as announced, in order": (
        [TIME, BINGOS],
        [make_game(400, 400, facts(3, (), 1500), facts(1, (), 1499))],
        ("B", "playing_time", (1500, 1499)),
    ),
    "TSO 6.2.4: level in the first, the second decides": (
        [BINGOS, TIME],
        [make_game(400, 400, facts(1, (), 1498), facts(1, (), 1499))],
        ("A", "playing_time", (1498, 1499)),
    ),
    "TSO 6.2.4: level in the deciding game, on with the next": ([DECIDER, RANK], [DRAWN, DRAWN], ("A", RANK, (1, 2))),
    "TSO 6.2.4: the deciding game counts for what is behind it": (
        [DECIDER, BINGOS],
        [make_game(400, 400, facts(1), facts(0)), make_game(400, 400, facts(0), facts(2))],
        ("B", "most_bingos", (1, 2)),
    ),
    "TSO 6.2.4: the deciding game does not count for what is before it": (
        [BINGOS, DECIDER],
        [make_game(400, 400, facts(1), facts(0)), make_game(400, 400, facts(0), facts(2))],
        ("A", "most_bingos", (1, 0)),
    ),
    "TSO 6.2.5: the deciding game is forfeited": ([DECIDER], [DRAWN, lost("A", 500, 100)], ("B", "forfeit", None)),
    "TSO 6.2.4: highest move": (
        [],
        [make_game(400, 400, facts(moves=(90, 80)), facts(moves=(90, 81)))],
        ("B", "highest_move", (80, 81)),
    ),
    "TSO 6.2.4: highest move, in any order": (
        [],
        [make_game(400, 400, facts(moves=(60, 91)), facts(moves=(90, 61)))],
        ("A", "highest_move", (91, 90)),
    ),
}


@pytest.mark.parametrize(("criteria", "games", "decision"), LEVEL.values(), ids=LEVEL.keys())
def test_level_match_is_decided(criteria, games, decision):
    found = match(tso(MatchFormat.SINGLE, None, tuple(criteria)), *games)

    assert (found.winner, found.decided_by, found.compared) == decision
    assert (found.clause, found.unrecorded) == ("TSO 6.2.5" if decision[1] == "forfeit" else "TSO 6.2.4", ())


ENTERED = {"lot": "B", "by_own_criterion": [(1, 1)]}
PASSED_OVER = {"not_recorded": [FactKind.OWN]}
KNOWN = make_game(400, 400, facts(2), facts(1))
LOT_OF_B = {"lot": "B", "not_recorded": [FactKind.OWN, FactKind.HIGHEST_MOVE]}
PLACES_BEFORE = {
    "seeded as they stood": ({"A": 1, "B": 2}, ("A", RANK, (1, 2))),
    "seeded the other way round": ({"A": 2, "B": 1}, ("B", RANK, (2, 1))),
    "places further down": ({"A": 7, "B": 5}, ("B", RANK, (7, 5))),
    "one place shared": ({"A": 1, "B": 1}, ("B", "most_bingos", (1, 2))),
    "one came later and is not in the table": ({"A": 1}, ("B", "most_bingos", (1, 2))),
    "no table": ({}, ("B", "most_bingos", (1, 2))),
}


@pytest.mark.parametrize(("places", "decision"), PLACES_BEFORE.values(), ids=PLACES_BEFORE.keys())
def test_places_before_the_knockout_are_those_of_the_table(places, decision):
    level = make_game(400, 400, facts(1), facts(2))

    found = match(tso(MatchFormat.SINGLE, None, (RANK, BINGOS)), level, places=places)

    assert (found.winner, found.decided_by, found.compared) == decision


def test_whoever_withdraws_later_keeps_the_place():
    ranking = standings.Ranking(withdrawn=standings.WithdrawnPlacement.UNRANKED)
    field = [standings.Contestant(key, withdrawn=key in "AC") for key in "ABCD"]
    games = [standings.TableGame(1, "A", "B", Outcome.PLAYED, 500, 300)]
    games.append(standings.TableGame(1, "C", "D", Outcome.PLAYED, 400, 400))

    places = knockout.find_places_before("AB", field, games, ranking, SINGLE.awards, [])

    assert places == {"A": 1, "B": 3}


OWN_CASES = {
    "waits for its winner": ([OWN], DRAWN, {}, (None, None, "own", ())),
    "its winner": ([OWN], DRAWN, ENTERED, ("B", "own", None, ())),
    "before the others": ([OWN, BINGOS], KNOWN, ENTERED, ("B", "own", None, ())),
    "a criterion before it decides": ([BINGOS, OWN], KNOWN, ENTERED, ("A", "most_bingos", None, ())),
    "a criterion before it lacks facts": ([BINGOS, OWN], DRAWN, ENTERED, (None, None, "facts", ())),
    "a criterion before it is level": (
        [BINGOS, OWN],
        make_game(400, 400, facts(1), facts(1)),
        {},
        (None, None, "own", ()),
    ),
    "more points": ([OWN], WON, ENTERED, ("A", "points", None, ())),
    "does not decide, the next one does": ([OWN, RANK], DRAWN, PASSED_OVER, ("A", "preliminary_rank", None, ("own",))),
    "does not decide: the winner entered is passed over": (
        [OWN, RANK],
        DRAWN,
        {**ENTERED, **PASSED_OVER},
        ("A", "preliminary_rank", None, ("own",)),
    ),
    "does not decide, the lot does": ([OWN], DRAWN, LOT_OF_B, ("B", "lot", None, ("own", "highest_move"))),
    "a lot is no winner by it": ([OWN], DRAWN, {"lot": "B"}, (None, None, "own", ())),
    "a winner by it is no lot": (
        [OWN],
        DRAWN,
        {**LOT_OF_B, "by_own_criterion": [(1, 1)]},
        (None, None, "lot", ("own", "highest_move")),
    ),
}


@pytest.mark.parametrize(("criteria", "game", "entered", "expected"), OWN_CASES.values(), ids=OWN_CASES.keys())
def test_the_announcements_own_criterion_decides_in_its_place(criteria, game, entered, expected):
    found = match(tso(MatchFormat.SINGLE, None, tuple(criteria)), game, **entered)

    assert (found.winner, found.decided_by, found.waits_for, found.unrecorded) == expected
    awaited = {WaitsFor.OWN: FactKind.OWN, WaitsFor.FACTS: FactKind.MOST_BINGOS}
    assert found.awaited_fact == awaited.get(found.waits_for)
    assert found.compared is None or found.decided_by != "own"
    assert found.clause == (
        "TSO 6.2.4" if found.decided_by in {"own", *criteria} else "TSO 6.2.1" if game == WON else ""
    )


def test_highest_game_decides_after_the_criteria():
    found = match(DOUBLE, make_game(400, 410), make_game(410, 400), lot="B")
    best = match(best_of(3), make_game(450, 400), make_game(400, 440), make_game(390, 390))

    assert (found.winner, found.decided_by) == ("B", "lot")
    assert (best.winner, best.decided_by, best.compared) == ("A", "highest_game", (450, 440))


def test_second_highest_game_decides_where_the_highest_is_level():
    games = [make_game(450, 400), make_game(401, 450), make_game(390, 390)]

    found = match(best_of(3), *games)

    assert (found.winner, found.decided_by, found.compared) == ("A", "highest_game", (401, 400))


def test_credited_points_are_no_highest_game():
    """A won a game that B did not come to: 400 points, and no score; B's list is as short (TSO 6.1.1)."""
    absent = match(DOUBLE, lost("B"), make_game(0, 400), lot="B")
    broken_off = match(DOUBLE, lost("B", 300, 200), make_game(0, 400), lot="B")

    assert (absent.score, absent.winner, absent.decided_by, absent.compared) == (
        (400, 400),
        "B",
        "highest_game",
        (0, 400),
    )
    assert (broken_off.decided_by, broken_off.compared) == ("highest_game", (300, 400))


def test_score_that_the_innocent_really_reached_is_one_and_that_of_the_player_at_fault_is_none():
    found = match(DOUBLE, lost("B", 300, 200), make_game(300, 700))
    longer = match(best_of(3), lost("B", 410, 300), make_game(400, 410), DRAWN)

    assert (found.score, found.winner, found.compared) == ((700, 700), "B", (300, 700))
    assert (longer.score, longer.winner, longer.compared) == ((1.5, 1.5), "A", (400, None))


class TestFacts:
    """Facts that were written down for some only, for nobody, or that there never were."""

    def test_none_recorded_waits_and_is_not_passed_over(self):
        found = match(tso(MatchFormat.SINGLE, None, (BINGOS, TIME, RANK)), DRAWN)

        assert (found.winner, found.decided_by, found.waits_for) == (None, None, WaitsFor.FACTS)
        assert found.missing == (MissingFact(FactKind.MOST_BINGOS, 1, "A"), MissingFact(FactKind.MOST_BINGOS, 1, "B"))

    def test_what_the_director_calls_not_recorded_is_passed_over(self):
        rules = tso(MatchFormat.SINGLE, None, (BINGOS, TIME, RANK))

        one = match(rules, DRAWN, not_recorded=[FactKind.MOST_BINGOS])
        both = match(rules, DRAWN, not_recorded=[FactKind.MOST_BINGOS, FactKind.PLAYING_TIME])

        assert {missing.criterion for missing in one.missing} == {FactKind.PLAYING_TIME}
        assert (both.winner, both.decided_by) == ("A", "preliminary_rank")
        assert both.unrecorded == (FactKind.MOST_BINGOS, FactKind.PLAYING_TIME)

    def test_what_is_recorded_counts_though_it_was_called_not_recorded(self):
        known = make_game(400, 400, facts(1), facts(2))

        found = match(tso(MatchFormat.SINGLE, None, (BINGOS,)), known, not_recorded=[FactKind.MOST_BINGOS])

        assert (found.winner, found.decided_by, found.unrecorded) == ("B", "most_bingos", ())

    def test_one_player_only_waits_for_the_other(self):
        found = match(tso(MatchFormat.SINGLE, None, (BINGOS, RANK)), make_game(400, 400, facts(1)))

        assert (found.waits_for, found.missing) == (WaitsFor.FACTS, (MissingFact(FactKind.MOST_BINGOS, 1, "B"),))
        assert (found.winner, found.decided_by, found.score) == (None, None, (400, 400))

    def test_one_of_two_games_waits_for_the_other(self):
        level = make_game(400, 400, facts(seconds=1000), facts(seconds=1001))

        found = match(tso(MatchFormat.DOUBLE, None, (TIME,)), level, KnockoutGame("B", "A", Outcome.PLAYED, 400, 400))

        assert found.missing == (MissingFact(FactKind.PLAYING_TIME, 2, "A"), MissingFact(FactKind.PLAYING_TIME, 2, "B"))

    def test_awarded_game_needs_none_but_what_is_recorded_counts(self):
        level = make_game(0, 400, facts(1), facts(1))
        rules = tso(MatchFormat.DOUBLE, None, (BINGOS,))

        without = match(rules, lost("B"), level)
        recorded = match(rules, lost("B", 300, 200, facts(0), facts(2)), level)

        assert (without.decided_by, without.unrecorded) == ("highest_game", ())
        assert (recorded.winner, recorded.decided_by, recorded.compared) == ("B", "most_bingos", (1, 3))

    def test_facts_of_a_decision_at_another_place_are_not_asked_for(self):
        assert match(tso(MatchFormat.SINGLE, None, (RANK, BINGOS)), make_game(400, 400, facts(1))).decided_by == RANK

    def test_moves_of_one_player_only_wait_for_the_other(self):
        known = make_game(400, 400, facts(moves=(70,)))

        found = match(SINGLE, known)
        said = match(SINGLE, known, not_recorded=[FactKind.HIGHEST_MOVE])

        assert found.missing == (MissingFact(FactKind.HIGHEST_MOVE, 1, "B"),)
        assert (said.waits_for, said.unrecorded) == (WaitsFor.LOT, (FactKind.HIGHEST_MOVE,))

    @pytest.mark.parametrize("moves", [((90,), (90, 7)), ((90, 80), (90,)), ((90, 7), (90, 7))])
    def test_moves_decide_only_where_both_lists_say_something(self, moves):
        found = match(SINGLE, make_game(400, 400, facts(moves=moves[0]), facts(moves=moves[1])))

        assert (found.waits_for, found.unrecorded) == (WaitsFor.LOT, ())

    def test_nothing_is_unrecorded_where_nothing_was_played(self):
        rules = tso(MatchFormat.BEST_OF, 3, (BINGOS,))

        found = match(rules, lost("A"), lost("B"), lost("AB"))
        level = match(tso(MatchFormat.SINGLE, None, (DECIDER,)), DRAWN, DRAWN)

        assert (found.decided_by, found.unrecorded) == ("forfeit", ())
        assert [(missing.criterion, missing.game) for missing in level.missing] == [
            (FactKind.HIGHEST_MOVE, 1),
            (FactKind.HIGHEST_MOVE, 1),
            (FactKind.HIGHEST_MOVE, 2),
            (FactKind.HIGHEST_MOVE, 2),
        ]

    def test_deciding_game_that_was_played_stays_needed_while_facts_are_missing(self):
        found = match(tso(MatchFormat.SINGLE, None, (BINGOS, DECIDER)), make_game(400, 400, facts(1)), WON)

        assert found.waits_for == WaitsFor.FACTS
        assert [due.number for due in found.needed] == [1, 2]
        assert len(found.games) == 2


class TestLots:
    def test_level_match_waits_for_the_lot(self):
        found = match(SINGLE, DRAWN, not_recorded=[FactKind.HIGHEST_MOVE])

        assert (found.waits_for, found.winner, found.score) == (WaitsFor.LOT, None, (400, 400))

    def test_lot_decides_what_is_really_level(self):
        found = match(SINGLE, DRAWN, lot="B")

        assert (found.winner, found.loser, found.decided_by, found.compared) == ("B", "A", "lot", None)
        assert (found.clause, found.unrecorded) == ("", (FactKind.HIGHEST_MOVE,))

    def test_lot_changes_nothing_where_none_is_needed(self):
        assert match(SINGLE, WON, lot="B") == match(SINGLE, WON)
        assert match(DOUBLE, WON, lot="B") == match(DOUBLE, WON)


def upper(number, *, is_open=True):
    return DueGame(number, "A", "B", is_open)


def lower(number, *, is_open=True):
    return DueGame(number, "B", "A", is_open)


NEEDED = {
    "single": (SINGLE, [], [upper(1)]),
    "double": (DOUBLE, [], [upper(1), lower(2)]),
    "double, one played": (DOUBLE, [WON], [upper(1, is_open=False), lower(2)]),
    "best of 3": (best_of(3), [], [upper(1), lower(2)]),
    "best of 3 at 1:0": (best_of(3), [WON], [upper(1, is_open=False), lower(2)]),
    "best of 3 at 2:0": (best_of(3), [WON, WON], [upper(1, is_open=False), upper(2, is_open=False)]),
    "best of 5": (best_of(5), [], [upper(1), lower(2), upper(3)]),
    "best of 1": (best_of(1), [], [upper(1)]),
}


@pytest.mark.parametrize(("rules", "games", "needed"), NEEDED.values(), ids=NEEDED.keys())
def test_only_games_that_are_certain_are_needed(rules, games, needed):
    assert list(match(rules, *games).needed) == needed


SERIES = {
    "of 3: 1:1": (3, [WON, LOST], 3),
    "of 3: 1½:½": (3, [WON, DRAWN], 3),
    "of 3: ½:½": (3, [DRAWN], 3),
    "of 3: 0:0 after one that both forfeit": (3, [lost("AB")], 3),
    "of 5: 1:0": (5, [WON], 3),
    "of 5: 1:1": (5, [WON, LOST], 4),
    "of 5: 2:0": (5, [WON, WON], 3),
    "of 5: 2:1": (5, [WON, WON, LOST], 4),
    "of 5: 2½:½": (5, [WON, WON, DRAWN], 4),
    "of 5: 2:2": (5, [WON, WON, LOST, LOST], 5),
    "of 5: 3:1": (5, [WON, WON, LOST, WON], 4),
    "of 5: 0:0 after three that both forfeit": (5, [lost("AB")] * 3, 5),
    "of 97": (97, [], 49),
}


@pytest.mark.parametrize(("number", "games", "needed"), SERIES.values(), ids=SERIES.keys())
def test_series_needs_the_games_until_the_leader_could_win(number, games, needed):
    assert [due.number for due in match(best_of(number), *games).needed] == list(range(1, needed + 1))


def test_third_game_is_back_after_a_correction():
    before, after = match(best_of(3), WON, WON), match(best_of(3), WON, LOST)

    assert (len(before.needed), before.winner) == (2, "A")
    assert (len(after.needed), after.winner, after.waits_for) == (3, None, WaitsFor.GAMES)


def test_decider_is_needed_only_when_the_criteria_before_it_leave_the_match_level():
    rules = tso(MatchFormat.SINGLE, None, (BINGOS, DECIDER))

    open_match, level, decided, missing = (
        match(rules, *games)
        for games in (
            [],
            [make_game(400, 400, facts(1), facts(1))],
            [make_game(400, 400, facts(1), facts(0))],
            [make_game(400, 400, facts(1))],
        )
    )

    assert [len(each.needed) for each in (open_match, level, decided, missing)] == [1, 2, 1, 1]
    assert level.needed[1] == lower(2)
    assert (level.waits_for, level.decided_by) == (WaitsFor.GAMES, None)


def test_game_that_is_there_keeps_who_starts_and_the_next_one_alternates():
    turned = KnockoutGame("B", "A", Outcome.PLAYED, 400, 401)

    assert match(best_of(3), turned, WON).needed == (lower(1, is_open=False), upper(2, is_open=False))
    assert match(best_of(3), turned, LOST).needed[2] == lower(3)


def test_open_game_before_played_ones_leaves_room_for_it():
    """The result of game 1 was withdrawn: what was won without it still counts."""
    not_yet = KnockoutGame("A", "B")

    assert match(best_of(3), not_yet, WON).waits_for == WaitsFor.GAMES
    assert match(best_of(3), not_yet, WON, WON).winner == "A"
    assert [due.is_open for due in match(best_of(5), not_yet, not_yet, not_yet, WON).needed] == [True] * 3 + [False]
    assert match(DOUBLE, not_yet, WON).waits_for == WaitsFor.GAMES
    assert match(DOUBLE, not_yet, lost("A")).winner == "B"


def test_games_after_the_decision_are_counted_and_change_nothing():
    found = match(best_of(3), WON, WON, LOST)

    assert (found.winner, found.score, found.surplus, found.games) == ("A", (2, 0), 1, (WON, WON))


ORDERS = {2: (1, 2), 3: (1, 4, 2, 3), 4: (1, 4, 2, 3), 5: (1, 8, 4, 5, 2, 7, 3, 6), 8: (1, 8, 4, 5, 2, 7, 3, 6)}


@pytest.mark.parametrize(("size", "order"), ORDERS.items())
def test_seeds_meet_as_late_as_they_can(size, order):
    assert knockout_forms.seed_order(size) == order


def test_places_are_numbered_and_say_where_their_players_come_from():
    found = knockout.bracket([1, 2, 3, 4, 5, 6], tso(MatchFormat.SINGLE, third_place=True))

    assert [(match.place, match.number) for match in found.matches] == [
        ((1, 1), None),
        ((1, 2), 1),
        ((1, 3), None),
        ((1, 4), 2),
        ((2, 1), 3),
        ((2, 2), 4),
        ((3, 1), 5),
        ((3, 2), 6),
    ]
    assert found.match(2, 1).sources == (
        PlayerSource(SourceKind.SEED, 1, (1, 1)),
        PlayerSource(SourceKind.WINNER, 1, (1, 2)),
    )
    assert found.third_place.sources == (
        PlayerSource(SourceKind.LOSER, 3, (2, 1)),
        PlayerSource(SourceKind.LOSER, 4, (2, 2)),
    )
    assert found.match(1, 1).sources == (PlayerSource(SourceKind.SEED, 1), None)


def test_bye_is_a_match_with_one_player_who_has_won():
    found = knockout.bracket(["A", "B", "C"], SINGLE)
    bye, match, final = found.matches

    assert (bye.players, bye.nobody, bye.winner, bye.decided_by, bye.is_bye) == (
        ("A", None),
        (False, True),
        "A",
        "walkover",
        True,
    )
    assert (bye.score, bye.needed, bye.clause) == (None, (), "TSO 6.1.1")
    assert (match.waits_for, final.waits_for, final.players) == (WaitsFor.GAMES, WaitsFor.PLAYERS, ("A", None))


def both_forfeit(first, second):
    return KnockoutGame(first, second, Outcome.BOTH_FORFEIT)


def won(winner, loser):
    return KnockoutGame(winner, loser, Outcome.PLAYED, 401, 400)


def test_opponent_of_nobody_has_a_walkover():
    games = {(1, 1): [both_forfeit("A", "D")], (1, 2): [won("B", "C")]}

    found = knockout.bracket("ABCD", tso(MatchFormat.SINGLE, third_place=True), games)

    assert (found.final.players, found.final.nobody) == ((None, "B"), (True, False))
    assert (found.champion, found.final.decided_by, found.final.is_bye) == ("B", "walkover", False)
    assert (found.third_place.winner, found.third_place.decided_by, found.is_over) == ("C", "walkover", True)


def test_nobody_comes_where_two_matches_gave_nobody():
    games = {(1, 1): [both_forfeit("A", "D")], (1, 2): [both_forfeit("B", "C")]}

    found = knockout.bracket("ABCD", tso(MatchFormat.SINGLE, third_place=True), games)

    assert (found.final.players, found.final.nobody, found.final.decided_by) == ((None, None), (True, True), None)
    assert (found.champion, found.is_over, found.third_place.winner) == (None, True, None)


def test_walkover_waits_until_the_other_player_is_known():
    found = knockout.bracket("ABCD", SINGLE, {(1, 1): [both_forfeit("A", "D")]})

    assert (found.final.waits_for, found.final.nobody) == (WaitsFor.PLAYERS, (True, False))
    assert not found.is_over


def test_third_place_is_played_by_the_losers_of_the_semi_finals():
    games = {(1, 1): [won("A", "D")], (1, 2): [won("C", "B")], (2, 2): [won("B", "D")]}

    found = knockout.bracket("ABCD", tso(MatchFormat.SINGLE, third_place=True), games)

    assert found.final.players == ("A", "C")
    assert (found.third_place.players, found.third_place.winner) == (("D", "B"), "B")


def test_of_three_the_loser_of_the_only_semi_final_is_third():
    found = knockout.bracket("ABC", tso(MatchFormat.SINGLE, third_place=True), {(1, 2): [won("C", "B")]})

    assert (found.third_place.players, found.third_place.winner) == ((None, "B"), "B")
    assert (found.third_place.decided_by, found.third_place.number) == ("walkover", None)


def test_two_do_not_play_for_third_place():
    assert knockout.bracket("AB", tso(MatchFormat.SINGLE, third_place=True)).third_place is None


def test_seeds_that_are_not_confirmed_are_places_only():
    found = knockout.bracket([None] * 3, SINGLE)

    assert [match.waits_for for match in found.matches] == [WaitsFor.PLAYERS] * 3
    assert found.match(1, 1).nobody == (False, True)
    assert found.final.sources[0] == PlayerSource(SourceKind.SEED, 1, (1, 1))


def test_bracket_has_no_match_at_a_place_outside():
    with pytest.raises(KeyError, match=r"\(2, 1\)"):
        knockout.bracket("AB", SINGLE).match(2, 1)


FAULTS = {
    "too few": ("A", SINGLE, {}, {}, [KnockoutProblem(KnockoutFault.SIZE)]),
    "too many": (range(65), SINGLE, {}, {}, [KnockoutProblem(KnockoutFault.SIZE)]),
    "twice": ("ABA", SINGLE, {}, {}, [KnockoutProblem(KnockoutFault.SEEDED_TWICE, player="A")]),
    "no such match": (
        "AB",
        SINGLE,
        {(2, 1): []},
        {(1, 2): "A"},
        [KnockoutProblem(KnockoutFault.NO_SUCH_MATCH, (1, 2)), KnockoutProblem(KnockoutFault.NO_SUCH_MATCH, (2, 1))],
    ),
    "not ready": ("ABCD", SINGLE, {(2, 1): [won("A", "B")]}, {}, [KnockoutProblem(KnockoutFault.NOT_READY, (2, 1), 1)]),
    "a bye's game": (
        "ABC",
        SINGLE,
        {(1, 1): [won("A", "B")]},
        {},
        [KnockoutProblem(KnockoutFault.NOT_READY, (1, 1), 1)],
    ),
    "a stranger": (
        "ABCD",
        SINGLE,
        {(1, 1): [won("A", "B")]},
        {},
        [KnockoutProblem(KnockoutFault.OTHER_PLAYERS, (1, 1), 1, "B")],
    ),
    "against oneself": (
        "AB",
        SINGLE,
        {(1, 1): [won("A", "A")]},
        {},
        [KnockoutProblem(KnockoutFault.OTHER_PLAYERS, (1, 1), 1, "A")],
    ),
    "a third game of two": (
        "AB",
        DOUBLE,
        {(1, 1): [WON] * 3},
        {},
        [KnockoutProblem(KnockoutFault.TOO_MANY_GAMES, (1, 1), 3)],
    ),
    "a bye within a match": (
        "AB",
        SINGLE,
        {(1, 1): [KnockoutGame("A", "B", Outcome.BYE)]},
        {},
        [KnockoutProblem(KnockoutFault.NO_OPPONENT, (1, 1), 1)],
    ),
    "half a score": (
        "AB",
        SINGLE,
        {(1, 1): [KnockoutGame("A", "B", Outcome.PLAYED, 400)]},
        {},
        [KnockoutProblem(KnockoutFault.POINTS_MISSING, (1, 1), 1)],
    ),
    "a lot of others": (
        "ABCD",
        SINGLE,
        {},
        {(1, 1): "B"},
        [KnockoutProblem(KnockoutFault.LOT_OF_OTHERS, (1, 1), player="B")],
    ),
    "several": (
        "AB",
        SINGLE,
        {(1, 1): [won("A", "C"), WON]},
        {},
        [
            KnockoutProblem(KnockoutFault.OTHER_PLAYERS, (1, 1), 1, "C"),
            KnockoutProblem(KnockoutFault.TOO_MANY_GAMES, (1, 1), 2),
        ],
    ),
}


@pytest.mark.parametrize(("seeds", "rules", "games", "lots", "problems"), FAULTS.values(), ids=FAULTS.keys())
def test_what_cannot_be_is_named(seeds, rules, games, lots, problems):
    with pytest.raises(InvalidKnockout) as wrong:
        knockout.bracket(seeds, rules, games, lots)
    assert list(wrong.value.problems) == problems


def test_correction_that_changes_who_advanced_names_the_later_match():
    games = {(1, 1): [won("A", "D")], (1, 2): [won("B", "C")], (2, 1): [won("A", "B")]}
    corrected = {**games, (1, 1): [won("D", "A")]}

    found, problems = knockout.fit_bracket("ABCD", SINGLE, corrected)

    assert problems == (KnockoutProblem(KnockoutFault.OTHER_PLAYERS, (2, 1), 1, "A"),)
    assert (found.final.players, found.final.games) == (("D", "B"), ())
    assert found.final.needed == (DueGame(1, "D", "B"),)
    assert str(problems[0]) == "other_players: match (2, 1), game 1, player A"


@pytest.mark.parametrize(
    ("form", "number", "criteria"),
    [
        (MatchFormat.BEST_OF, None, ()),
        (MatchFormat.BEST_OF, 4, ()),
        (MatchFormat.BEST_OF, -1, ()),
        (MatchFormat.BEST_OF, 99, ()),
        (MatchFormat.SINGLE, 1, ()),
        (MatchFormat.DOUBLE, None, (RANK, RANK)),
    ],
)
def test_rules_that_cannot_be_are_refused(form, number, criteria):
    with pytest.raises(ValueError, match=r"odd|is no|twice"):
        tso(form, number, criteria)


@pytest.mark.parametrize("players", [(None, None), ("A", None), (None, "B")])
def test_match_without_two_players_cannot_be_settled(players):
    open_match = replace(knockout.bracket([None, None], SINGLE).final, players=players)

    with pytest.raises(ValueError, match="without two players"):
        knockout_matches.settle_match(open_match, [], SINGLE, (1, 2), None)


@pytest.mark.skipif(not REPORTED.exists(), reason="the reported matches are not part of the product")
def test_matches_reported_in_public_come_out():
    with REPORTED.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))

    for row in rows:
        pairs = [(row[f"g{number}_a"], row[f"g{number}_b"]) for number in (1, 2) if row[f"g{number}_a"]]
        found = match(DOUBLE if len(pairs) > 1 else SINGLE, *(make_game(int(one), int(other)) for one, other in pairs))

        assert found.score == (int(row["total_a"]), int(row["total_b"])), row
        assert (found.winner, found.decided_by) == (row["winner"].upper(), "points"), row
    assert len(rows) >= 5


def test_open_game_of_a_match_has_brought_nothing_yet() -> None:
    game = OrientedGame(Outcome.OPEN, None, (GameFacts(), GameFacts()))

    assert (game.half_wins, game.points) == ((0, 0), (0, 0))


def test_largest_bracket_can_be_made() -> None:
    assert knockout.fit_bracket(range(LARGEST), SINGLE)[1] == ()
    with pytest.raises(InvalidKnockout) as wrong:
        knockout.bracket(range(2 * LARGEST), SINGLE)
    assert [each.fault for each in wrong.value.problems] == [KnockoutFault.SIZE]
