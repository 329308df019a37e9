"""Bounds of ranks: against the worked cases, against a second program that tries every completion of tiny fields, and
against completions by chance of larger ones."""

import dataclasses
import json
import random
from pathlib import Path

import pytest

from scoring import standings
from scoring.awards import AWARDED_OUTCOMES, Outcome
from scoring.chances import Prospect, find_prospects
from scoring.completions import Event
from scoring.needs import Need, NeedKind, list_needs
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame, WithdrawnPlacement
from tests.laws import seeds
from tests.scoring import naive_chances
from tests.scoring.test_cases import game

CASES = sorted((Path(__file__).parent / "chances").glob("*.json"))
NAMED = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)


def read_event(file):
    (division,) = file["divisions"]
    rounds = division["rounds"]
    return Event(
        tuple(Contestant(player["id"], "withdrawn_after" in player) for player in file["players"]),
        tuple(game(round, pairing) for round in rounds for pairing in round["pairings"]),
        tuple(range(rounds[-1]["number"] + 1, division["plan"][-1]["rounds"][1] + 1)),
        Ranking(RankingBasis(file["ranking"]["basis"]), tuple(map(Criterion, file["ranking"]["order"]))),
        TSO_AWARDS,
    )


def halve(half_wins):
    return None if half_wins is None else half_wins / 2


def test_cases_are_all_there():
    assert [path.stem for path in CASES] == [f"case-{number}" for number in range(1, 9)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_case(path):
    case = json.loads(path.read_text(encoding="utf-8"))

    found = find_prospects(read_event(case["event"]))

    told = {
        player: {
            "best": found[player].best,
            "worst": found[player].worst,
            "possible_with": {place: halve(found[player].possible_with(int(place))) for place in want["possible_with"]},
            "certain_with": {place: halve(found[player].certain_with(int(place))) for place in want["certain_with"]},
        }
        for player, want in case["want"].items()
    }
    assert told == case["want"]
    assert all(prospect.is_exact for prospect in found.values())


def make_event(rng, players, played, opened, to_come, **rules):
    """An event by chance, with few scores, so that players are often level."""
    names = [f"P{number}" for number in range(players)]
    games = []
    for number in range(1, played + 1):
        seated = rng.sample(names, players)
        for first, second in zip(seated[::2], seated[1::2], strict=False):
            outcome = rng.choice([Outcome.PLAYED] * 15 + sorted(AWARDED_OUTCOMES)[:1])
            points = [rng.choice((398, 400, 402)) if outcome is Outcome.PLAYED else None for _ in range(2)]
            games.append(TableGame(number, first, second, outcome, *points))
        if players % 2:
            games.append(TableGame(number, seated[-1], None, Outcome.BYE))
    paired = [place for place, each in enumerate(games) if each.second is not None]
    for place in rng.sample(paired, min(opened, len(paired))):
        games[place] = TableGame(games[place].round, games[place].first, games[place].second, Outcome.OPEN)
    away = rng.choice(names) if rng.random() < 0.2 else None
    level = rng.random() < 0.1
    chosen = {
        "basis": rng.choice([RankingBasis.WINS] * 5 + [RankingBasis.POINTS]),
        "order": tuple(rng.sample(NAMED, rng.randint(0, 3))),
        "spread_cap": rng.choice([(), (), (), (2,), (1, 3)]),
        "shared_ties": level,
        "losses_count": level,
        "withdrawn": rng.choice(list(WithdrawnPlacement)),
    }
    contestants = tuple(Contestant(name, name == away) for name in names)
    rounds = tuple(range(played + 1, played + to_come + 1))
    return Event(contestants, tuple(games), rounds, Ranking(**chosen | rules), TSO_AWARDS)


def describe_plainly(event):
    """The event as the second program reads it."""
    rules = {
        "basis": event.ranking.basis.value,
        "order": [criterion.value for criterion in event.ranking.order],
        "shared_ties": event.ranking.shared_ties,
        "losses_count": event.ranking.losses_count,
        "caps": list(event.ranking.spread_cap),
        "unranked": event.ranking.withdrawn is WithdrawnPlacement.UNRANKED,
    }
    games = [
        naive_chances.game_of(
            each.round, each.first, each.second, each.outcome.value, each.first_points, each.second_points
        )
        for each in event.games
    ]
    return [(each.key, each.withdrawn) for each in event.contestants], games, event.rounds, rules


def compare_with_trying(event, **figures):
    """Faults of the bounds by what was tried: none may be narrower, and of whole fields few may be wider. In fields so
    small all of them are exact."""
    found, tried = find_prospects(event), naive_chances.prospects(*describe_plainly(event), **figures)
    assert set(found) == set(tried)
    assert all(each.is_exact for each in found.values())
    wider = 0
    for player, by_wins in tried.items():
        for own, (best, worst) in by_wins.items():
            assert found[player].best_with[own] <= best, (player, own)
            assert found[player].worst_with[own] >= worst, (player, own)
            wider += (found[player].best_with[own], found[player].worst_with[own]) != (best, worst)
    return wider


FEW = {"margins": (1, 3, 500), "floors": (-50000, 400, 50000)}
SHAPES = {
    "two open games": ((2, 6), 2, 0, {"margins": (1, 2, 4, 50, 500), "floors": (-50000, 398, 400, 402, 50000)}),
    "three open games": ((5, 7), 3, 0, {"margins": (1, 60), "floors": (-50000, 50000)}),
    "a round to come": ((2, 4), 0, 1, FEW),
    "an open game and a round to come": ((2, 4), 1, 1, {"margins": (1, 500), "floors": (-50000, 50000)}),
    "two rounds to come": ((2, 3), 0, 2, {"margins": (1, 500), "floors": (-50000, 400, 50000)}),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_hold_what_can_be_tried(shape):
    (least, most), opened, to_come, figures = SHAPES[shape]
    wider = 0

    for seed in seeds(4):
        rng = random.Random(f"{shape} {seed}")
        event = make_event(rng, rng.randint(least, most), rng.randint(1, 4), opened, to_come)
        wider += compare_with_trying(event, **figures)

    assert wider <= len(seeds(4))  # what needs a margin that was not tried


def complete(rng, event, *, one_by_one=False):
    """A completion by chance. `one_by_one`: the event after each result as well."""
    scores = (0, 398, 400, 402, 451, 900)
    active = [each.key for each in event.contestants if not each.withdrawn]
    steps = [event]

    def step(games, rounds):
        steps.append(dataclasses.replace(steps[-1], games=tuple(games), rounds=rounds))

    while steps[-1].rounds or steps[-1].open_games:
        now = steps[-1]
        if now.open_games:
            place = next(place for place, each in enumerate(now.games) if each in now.open_games)
            each = now.games[place]
            played = TableGame(each.round, each.first, each.second, Outcome.PLAYED, *rng.choices(scores, k=2))
            step([*now.games[:place], played, *now.games[place + 1 :]], now.rounds)
        else:
            number, *later = now.rounds
            seated = rng.sample(active, len(active))
            drawn = [
                TableGame(number, first, second, Outcome.OPEN)
                for first, second in zip(seated[::2], seated[1::2], strict=False)
            ]
            drawn += [TableGame(number, seated[-1], None, Outcome.BYE)] * (len(active) % 2)
            step([*now.games, *drawn], tuple(later))
    return steps if one_by_one else steps[-1:]


@pytest.mark.parametrize(
    ("players", "played", "opened", "to_come"),
    [(12, 4, 9, 0), pytest.param(11, 3, 3, 1, marks=pytest.mark.long), (9, 2, 2, 3), (14, 3, 21, 1)],
)
def test_completion_ends_within_the_bounds(players, played, opened, to_come):
    for seed in seeds(2):
        rng = random.Random(seed)
        event = make_event(rng, players, played, opened, to_come)
        found = find_prospects(event)

        for _ in range(10):
            (end,) = complete(rng, event)
            for row in end.rank():
                if row.rank is not None:
                    assert found[row.player].best <= row.rank <= found[row.player].worst
                    own = count_own_half_wins(end, event, row.player)
                    for need in list_needs(found[row.player], (1, 2, 3)):
                        assert need.holds(row.rank, own), need


def count_own_half_wins(end, event, player):
    """What the player's own games brought that the event had not seen."""
    known = {(each.round, each.first) for each in event.games if each.outcome is not Outcome.OPEN}
    return sum(
        credit.half_wins
        for each in end.games
        if (each.round, each.first) not in known and each.second is not None
        for key, credit in standings.game_credits(each, TSO_AWARDS)
        if key == player
    )


@pytest.mark.parametrize("to_come", [0, 1, 2])
def test_bounds_never_widen(to_come):
    for seed in seeds(2):
        rng = random.Random(seed)
        known = None
        opened = 5 if to_come == 0 else 2
        for event in complete(
            rng, make_event(rng, rng.randint(4, 5) if to_come < 2 else 4, 3, opened, to_come), one_by_one=True
        ):
            found = find_prospects(event)
            for player, prospect in found.items():
                if known is not None:
                    assert known[player].best <= prospect.best
                    assert known[player].worst >= prospect.worst
            known = found

        assert known is not None
        assert all(each.best == each.worst == each.rank and each.is_exact for each in known.values())


@pytest.mark.parametrize(
    ("best", "worst", "told"),
    [
        ({0: 1}, {0: 1}, [Need(NeedKind.CERTAIN, 1)]),
        ({0: 5}, {0: 8}, [Need(NeedKind.OUT_OF_REACH, 4)]),
        ({0: 4, 2: 2}, {0: 9, 2: 6}, [Need(NeedKind.OUT_OF_REACH, 1), Need(NeedKind.AT_LEAST, 2, 2, True)]),
        ({0: 1, 2: 1}, {0: 5, 2: 3}, [Need(NeedKind.OPEN, 1), Need(NeedKind.ENOUGH, 3, 2, True)]),
        ({0: 2, 1: 1, 2: 1}, {0: 3, 1: 2, 2: 1}, [
            Need(NeedKind.CERTAIN, 3), Need(NeedKind.AT_LEAST, 1, 1, True), Need(NeedKind.ENOUGH, 1, 2, True),
            Need(NeedKind.ENOUGH, 2, 1, True),
        ]),
        ({0: 4, 2: 1}, {0: 9, 2: 1}, [Need(NeedKind.ENOUGH, 1, 2, True)]),
        ({0: 4, 4: 1}, {0: 9, 4: 1}, [Need(NeedKind.ENOUGH, 1, 4)]),
    ],
)  # fmt: skip
def test_needs_say_what_the_bounds_say(best, worst, told):
    assert list_needs(Prospect(1, best, worst), (1, 2, 3)) == told


def test_needs_do_not_claim_what_is_not_proven():
    assert list_needs(Prospect(1, {0: 1}, {0: 5}, is_exact=False), (1, 2, 3)) == []


def test_need_holds_of_the_completions_that_it_allows():
    enough, at_least = Need(NeedKind.ENOUGH, 2, 2), Need(NeedKind.AT_LEAST, 2, 2)

    assert [enough.holds(*end) for end in ((2, 2), (3, 1), (3, 2))] == [True, True, False]
    assert [at_least.holds(*end) for end in ((3, 0), (2, 2), (2, 1))] == [True, True, False]
    assert [Need(NeedKind.CERTAIN, 2).holds(rank, 0) for rank in (2, 3)] == [True, False]
    assert [Need(NeedKind.OUT_OF_REACH, 2).holds(rank, 0) for rank in (2, 3)] == [False, True]
    assert Need(NeedKind.OPEN, 2).holds(9, 0)
    by_20 = Need(NeedKind.MARGIN_ENOUGH, 2, 2, True, 20), Need(NeedKind.MARGIN_AT_LEAST, 2, 2, True, 20)
    assert [[need.holds(rank, 2, margin) for need in by_20] for rank, margin in ((3, 20), (2, 19))] == [
        [False, True],
        [True, False],
    ]
    without = Need(NeedKind.ENOUGH_WITHOUT, 2, 2, other="A"), Need(NeedKind.ONLY_WITHOUT, 2, other="A")
    assert [without[0].holds(3, 2, 9, winners) for winners in ("A", "B")] == [True, False]
    assert [without[1].holds(2, 0, 9, winners) for winners in ("A", "B")] == [False, True]


TSO = {"ranking": Ranking(), "awards": TSO_AWARDS}


def field_of(players, *withdrawn):
    return tuple(Contestant(player, player in withdrawn) for player in players)


def won(round, first, second, first_points=400, second_points=300):
    return TableGame(round, first, second, Outcome.PLAYED, first_points, second_points)


def open_game(round, first, second):
    return TableGame(round, first, second, Outcome.OPEN)


def bounds(event):
    return {player: (each.best, each.worst) for player, each in find_prospects(event).items()}


def test_margins_are_shared_between_opponents():
    """C and D end level with A in wins. One of them comes before A: what D loses, C wins."""
    games = (won(1, "A", "C", 350, 340), won(1, "B", "D", 500, 300), won(1, "E", "F", 400, 399), open_game(2, "C", "D"))

    found = bounds(Event(field_of("ABCDEF"), games, (), **TSO))

    assert found["A"] == (2, 3)
    assert found["C"] == (1, 6)


def test_many_linked_games_leave_the_bounds_sound_and_not_exact():
    """All rounds of an all-play-all are published and none is played: nobody is out, and nothing is certain."""
    players = "ABCDEFGHIJKL"
    order, games = list(players), []
    for number in range(1, 12):
        games += [open_game(number, order[place], order[11 - place]) for place in range(6)]
        order = [order[0], order[-1], *order[1:-1]]

    found = find_prospects(Event(field_of(players), tuple(games), (), **TSO))

    assert {(each.best, each.worst, each.is_exact) for each in found.values()} == {(1, 12, False)}


def test_ring_of_open_games_is_followed_by_wins():
    """Two rounds of open games make one ring of 14 players: too many to play out, few to follow."""
    players = "ABCDEFGHIJKLMN"
    games = [won(1, players[place], players[place + 1]) for place in range(0, 14, 2)]
    games += [open_game(2, players[place], players[place + 1]) for place in range(0, 14, 2)]
    games += [open_game(3, players[place], players[place - 1]) for place in range(0, 14, 2)]

    found = find_prospects(Event(field_of(players), tuple(games), (), **TSO))

    assert {(each.best, each.worst) for each in found.values()} == {(1, 14)}


MEETING_FIRST = (Criterion.HEAD_TO_HEAD,)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("players", "opened", "to_come", "order", "cap"),
    [
        (8, 0, 2, (), ()),
        (6, 2, 2, MEETING_FIRST, ()),
        (6, 1, 2, (Criterion.SPREAD, Criterion.HEAD_TO_HEAD), (150,)),
        (12, 10, 0, MEETING_FIRST, ()),
        (12, 10, 0, (Criterion.SPREAD, Criterion.HEAD_TO_HEAD), (150,)),
    ],
)
def test_bounds_are_exact_where_they_are_to_be(players, opened, to_come, order, cap):
    for seed in seeds(1):
        rng = random.Random(f"{players} {seed}")
        event = make_event(
            rng, players, 3, opened, to_come, basis=RankingBasis.WINS, order=order, spread_cap=cap, losses_count=False
        )
        found = find_prospects(event)
        assert all(each.is_exact for each in found.values())
        for _ in range(20):
            (end,) = complete(rng, event)
            assert all(found[row.player].best <= row.rank <= found[row.player].worst for row in end.rank() if row.rank)


def test_long_chain_is_played_out_where_the_meeting_comes_first():
    """Ten open games hang together: who is level with whom decides whether meetings count."""
    players = "ABCDEFGHIJK"
    games = [won(1, players[place], players[place + 1], 410, 400) for place in range(0, 10, 2)]
    games += [open_game(2, players[place], players[place + 1]) for place in range(1, 10, 2)]
    games += [open_game(3, players[place], players[place + 1]) for place in range(0, 10, 2)]
    ranking = Ranking(order=(Criterion.HEAD_TO_HEAD,))

    found = find_prospects(Event(field_of(players), tuple(games), (), ranking, TSO_AWARDS))

    assert all(each.is_exact for each in found.values())


def test_third_player_may_be_made_level_so_that_the_meeting_does_not_count():
    """A and B end level in spread; B has beaten A, and A has the higher points. C, who plays on, can be made level."""
    games = (won(1, "B", "A", 410, 400), won(2, "A", "D", 500, 490), won(2, "C", "B", 310, 300), open_game(3, "C", "D"))
    ranking = Ranking(order=(Criterion.SPREAD, Criterion.HEAD_TO_HEAD))

    found = find_prospects(Event(field_of("ABCD"), games, (), ranking, TSO_AWARDS))

    assert found["A"].best == 1
    assert found["A"].is_exact


def test_scores_may_be_chosen_so_that_a_third_player_is_level():
    """A and B end level in points; B has beaten A, and A has the better spread. C loses and can have as many points."""
    games = (won(1, "B", "A", 410, 400), won(1, "D", "E"), won(2, "A", "D", 510, 400), won(2, "C", "B", 510, 500))
    ranking = Ranking(order=(Criterion.POINTS, Criterion.HEAD_TO_HEAD))

    found = find_prospects(Event(field_of("ABCDE"), (*games, open_game(3, "C", "D")), (), ranking, TSO_AWARDS))

    assert (found["A"].best, found["A"].is_exact) == (2, True)


def test_own_scores_may_make_a_third_player_level():
    """If A and B draw they are level in points; by scores that bring both level with C the meeting does not count."""
    games = (won(1, "B", "A", 410, 400), won(1, "C", "D"), won(2, "A", "D", 510, 400), won(2, "E", "B", 510, 500))
    games += (won(2, "C", "F", 400, 400), open_game(3, "A", "B"))
    ranking = Ranking(order=(Criterion.POINTS, Criterion.HEAD_TO_HEAD))

    found = find_prospects(Event(field_of("ABCDEF"), games, (), ranking, TSO_AWARDS))

    assert found["A"].best_with == {0: 3, 1: 1, 2: 1}


def test_lone_player_has_byes_to_come():
    games = (won(1, "A", "B"),)

    found = find_prospects(Event(field_of("AB", "A"), games, (2, 3), **TSO))

    assert (found["B"].best, found["B"].worst) == (1, 1)
    assert set(found["B"].best_with) == {0}


def test_lot_between_two_who_are_level_counts():
    games = (won(1, "A", "B", 400, 400), open_game(2, "C", "D"))

    found = bounds(Event(field_of("ABCD"), games, (), lots=(("B", "A"),), **TSO))

    assert found["A"][1] >= 3


def test_groups_that_take_little_until_two_are_given_up_keep_the_bounds():
    rng = random.Random(1)
    event = make_event(rng, 8, 3, 4, 1, basis=RankingBasis.WINS, order=(), spread_cap=(), shared_ties=False)
    found = find_prospects(event)

    for _ in range(20):
        (end,) = complete(rng, event)
        assert all(found[row.player].best <= row.rank <= found[row.player].worst for row in end.rank() if row.rank)


def test_third_level_player_takes_the_direct_meeting_away():
    games = (won(1, "A", "B", 410, 400), won(2, "B", "C", 410, 400), won(3, "C", "A", 410, 400), open_game(4, "D", "E"))

    found = bounds(Event(field_of("ABCDE"), games, (), **TSO))

    assert found["A"] == found["B"] == found["C"]


def test_table_by_points_may_name_wins_next():
    ranking = Ranking(RankingBasis.POINTS, (Criterion.WINS,))
    games = (won(1, "A", "C", 400, 300), won(1, "D", "B", 500, 400), open_game(2, "E", "F"))

    found = bounds(Event(field_of("ABCDEF"), games, (), ranking, TSO_AWARDS))

    assert found["A"] == (2, 4)
    assert found["B"] == (3, 5)


def test_who_is_unranked_takes_wins_and_no_place():
    ranking = Ranking(withdrawn=WithdrawnPlacement.UNRANKED)
    games = (won(1, "A", "B"), won(1, "C", "D"), open_game(2, "D", "A"))

    found = bounds(Event(field_of("ABCD", "D"), games, (3,), ranking, TSO_AWARDS))

    assert found == {"A": (1, 3), "B": (2, 3), "C": (1, 3)}


def make_small_field(seed, least):
    rng = random.Random(seed)
    return make_event(rng, rng.randint(least, 8), rng.randint(1, 5), rng.randint(0, 4), 2)


@pytest.mark.parametrize("seed", ["small830", "small836"])
def test_some_pairings_prove_the_bounds_of_small_fields_with_open_games(seed):
    event = make_small_field(seed, 7)

    assert event.open_games
    assert all(prospect.is_exact for prospect in find_prospects(event).values())


def test_bounds_that_no_pairing_tried_proves_are_not_exact():
    found = find_prospects(make_small_field("small51", 4))

    assert [player for player, prospect in found.items() if not prospect.is_exact] == ["P3"]
