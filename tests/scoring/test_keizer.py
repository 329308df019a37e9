"""Points by Keizer: worked cases, and what holds of every evening."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import standings
from scoring.awards import AwardReason, Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.keizer import KeizerCard, reckon_points
from scoring.needs import find_needs
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame, WithdrawnPlacement
from scoring.turning_points import FirstPlacesQuestion, PlayedTable, find_table_turning_points
from tests.laws import tried_on

laws = tried_on(25)
PLAYED, BYE, ABSENT, OPEN = Outcome.PLAYED, Outcome.BYE, Outcome.ABSENT, Outcome.OPEN


def make_cards(players, *games):
    """Cards of so many players. A game is two places and the first one's half wins; or a place and what it had."""
    cards = [KeizerCard({}) for _ in range(players)]
    for game in games:
        if len(game) == 2:
            player, what = game
            setattr(cards[player], what, getattr(cards[player], what) + 1)
            continue
        first, second, won = game
        for one, other, half_wins in ((first, second, won), (second, first, 2 - won)):
            cards[one].half_wins[other] = cards[one].half_wins.get(other, 0) + half_wins
    return cards


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param([], [], id="nobody"),
        pytest.param(make_cards(1), [(1, "1")], id="alone"),
        pytest.param(make_cards(6), [(9, "9"), (8, "8"), (7, "7"), (6, "6"), (5, "5"), (4, "4")], id="before a round"),
        # 6, 11, 5½, 5 → 5, 11, 5½, 5 → 4, 10, 6½, 5½ → 3, 9, 7, 6½, and the order is the same
        pytest.param(
            make_cards(4, (0, 1, 0), (2, 3, 1)), [(3, "3"), (6, "9"), (5, "7"), (4, "13/2")], id="win and draw"
        ),
        # 7, 3, 3⅓ → 6, 2, 5, and the order is the same
        pytest.param(make_cards(3, (0, 1, 2), (2, "byes")), [(4, "6"), (2, "2"), (3, "5")], id="bye: two thirds"),
        pytest.param(make_cards(3, (0, 1, 2), (2, "missed")), [(4, "7"), (3, "3"), (2, "8/3")], id="missed: one third"),
        pytest.param(
            make_cards(3, (0, 1, 1), (0, 1, 1), (2, "missed"), (2, "byes")),
            [(4, "7"), (3, "7"), (2, "4")],
            id="met twice, missed once, had a bye",
        ),
        # whoever is second in the order has more points than the first, whichever of the two that is
        pytest.param(
            make_cards(2, (0, 1, 0), (0, 1, 1), (0, 1, 2)), [(3, "6"), (2, "13/2")], id="a circle of two orders"
        ),
        pytest.param(
            [KeizerCard({1: 2}, apart=1), KeizerCard({0: 0}, missed=1)],
            [(2, "5"), (3, "4")],
            id="apart: the lowest value",
        ),
    ],
)
def test_worked_case(cards, expected):
    reckoned = reckon_points(cards)

    assert [(figures.value, Fraction(figures.sixths, 6)) for figures in reckoned] == [
        (value, Fraction(points)) for value, points in expected
    ]


def test_circle_into_which_the_first_order_does_not_belong():
    """0213, 2013, 2103 … after the start: the orders go round for ever, and the one that comes again first counts."""
    cards = make_cards(4, (3, 0, 0), (2, 1, 0), (1, 3, 0), (0, 2, 0))

    assert [(figures.value, figures.sixths) for figures in reckon_points(cards)] == [
        (5, 48),
        (4, 60),
        (6, 66),
        (3, 42),
    ]


@st.composite
def evenings(draw):
    """Cards of up to nine players, after up to six rounds."""
    players = draw(st.integers(1, 9))
    games = []
    for _ in range(draw(st.integers(0, 6))):
        order = draw(st.permutations(range(players)))
        there = order[: draw(st.integers(0, players))]
        games += [(player, "missed") for player in order[len(there) :]]
        games += [(*pair, draw(st.sampled_from([0, 1, 2]))) for pair in zip(there[::2], there[1::2], strict=False)]
        games += [(there[-1], "byes")] if len(there) % 2 else []
    return make_cards(players, *games)


@laws
@given(evenings())
def test_values_go_down_by_one_from_half_as_many_again(cards):
    values = sorted((figures.value for figures in reckon_points(cards)), reverse=True)

    assert values == list(range(len(cards) * 3 // 2, len(cards) // 2, -1))


@laws
@given(evenings())
def test_points_are_what_the_values_make_of_the_cards(cards):
    reckoned = reckon_points(cards)

    for card, figures in zip(cards, reckoned, strict=True):
        own = Fraction(figures.value) * (1 + Fraction(2 * card.byes + card.missed, 3))
        won = sum(Fraction(half_wins * reckoned[other].value, 2) for other, half_wins in card.half_wins.items())
        assert Fraction(figures.sixths, 6) == own + won


@laws
@given(evenings())
def test_order_is_still_or_goes_round(cards):
    """From the order that counts, the points lead back to it, at once or after some others."""
    reckoned = reckon_points(cards)
    counted = sorted(range(len(cards)), key=lambda player: -reckoned[player].value)

    def go_on(order):
        value = {player: len(cards) * 3 // 2 - place for place, player in enumerate(order)}
        points = [
            value[player] * (6 + 4 * card.byes + 2 * card.missed)
            + 3 * sum(won * value[other] for other, won in card.half_wins.items())
            for player, card in enumerate(cards)
        ]
        return sorted(value, key=lambda player: (-points[player], player))

    order, steps = go_on(counted), 1
    while order != counted:
        order, steps = go_on(order), steps + 1
        assert steps < 1000


def rank(contestants, games, ranking=None, **options):
    return standings.rank(contestants, games, ranking or Ranking(RankingBasis.KEIZER), TSO_AWARDS, **options)


def make_game(round, first, first_points, second_points, second):
    return TableGame(round, first, second, PLAYED, first_points, second_points)


THREE = [
    Contestant("Dora", seeding=(-1000,)),
    Contestant("Carla", seeding=(-1200,)),
    Contestant("Anna", seeding=(-1500,)),
]


def figures(rows):
    return [(row.rank, row.player, row.value, Fraction(row.keizer, 6), row.decided_by) for row in rows]


def test_keizer_table():
    """The first order is that of the seeding: Anna, Carla, Dora; an open game counts nothing yet."""
    rows = rank(THREE, [make_game(1, "Carla", 400, 350, "Dora"), TableGame(1, "Anna", None, BYE)])

    assert figures(rows) == [
        (1, "Anna", 4, Fraction(20, 3), None),
        (2, "Carla", 3, 5, Criterion.KEIZER),
        (3, "Dora", 2, 2, Criterion.KEIZER),
    ]
    opened = rank(THREE, [TableGame(1, "Carla", "Dora", OPEN), TableGame(1, "Anna", None, ABSENT)])
    assert [(row.player, row.keizer) for row in opened] == [("Anna", 32), ("Carla", 18), ("Dora", 12)]


def test_level_players_share_the_rank_unless_another_criterion_parts_them():
    """Anna and Carla have 7 points each, whatever their values."""
    games = [make_game(1, "Anna", 400, 400, "Carla"), make_game(2, "Carla", 400, 400, "Anna")]
    alone = [TableGame(1, "Dora", None, ABSENT), TableGame(2, "Dora", None, BYE)]

    rows = rank(THREE, [*games, *alone], Ranking(RankingBasis.KEIZER, (Criterion.POINTS,)))

    assert figures(rows) == [
        (1, "Anna", 4, 7, None),
        (1, "Carla", 3, 7, None),
        (3, "Dora", 2, 4, Criterion.KEIZER),
    ]
    games += [make_game(3, "Anna", 400, 350, "Dora"), make_game(4, "Carla", 450, 350, "Dora")]
    assert figures(rank(THREE, games)) == [
        (1, "Carla", 3, 9, None),
        (2, "Anna", 4, 9, Criterion.SPREAD),
        (3, "Dora", 2, 2, Criterion.KEIZER),
    ]


@pytest.mark.parametrize(
    ("game", "anna", "carla"),
    [
        pytest.param(
            TableGame(1, "Anna", "Carla", Outcome.SECOND_FORFEITS, reason=AwardReason.NO_SHOW), 5, 2, id="won"
        ),
        pytest.param(TableGame(1, "Anna", "Carla", Outcome.BOTH_FORFEIT), 3, 2, id="both at fault"),
    ],
)
def test_awarded_win_counts_the_value_of_whoever_was_at_fault(game, anna, carla):
    rows = rank([Contestant("Anna"), Contestant("Carla")], [game])

    assert [(row.player, row.keizer) for row in rows] == [("Anna", 6 * anna), ("Carla", 6 * carla)]


def test_who_joins_later_has_no_value_until_the_first_game():
    later = [*THREE, Contestant("Berta", seeding=(-1900,), joins_later=True)]
    games = [make_game(1, "Anna", 400, 350, "Carla")]

    assert figures(rank(later, games))[-1] == (4, "Berta", 0, 0, Criterion.KEIZER)
    assert [row for row in rank(later, games) if row.player != "Berta"] == list(rank(THREE, games))
    # paired all the same, with the highest value of four from the start
    games.append(TableGame(2, "Berta", "Dora", OPEN))
    assert {row.player: row.value for row in rank(later, games)} == {"Anna": 6, "Berta": 5, "Carla": 4, "Dora": 3}


@pytest.mark.parametrize(
    ("gone", "listed"),
    [
        (Contestant("Anna", disqualified=True), WithdrawnPlacement.RANKED),
        (Contestant("Anna", withdrawn=True), WithdrawnPlacement.UNRANKED),
    ],
)
def test_who_has_no_rank_has_the_lowest_value(gone, listed):
    games = [make_game(1, "Anna", 400, 350, "Carla"), make_game(2, "Anna", 400, 350, "Dora")]

    rows = rank([gone, *THREE[:2]], games, Ranking(RankingBasis.KEIZER, withdrawn=listed))

    assert [(row.rank, row.player, row.value) for row in rows][-1] == (None, "Anna", 2)
    assert rows[-1].keizer > rows[0].keizer


def test_withdrawn_player_keeps_place_and_value():
    games = [make_game(1, "Anna", 400, 350, "Carla")]

    rows = rank([Contestant("Anna", withdrawn=True), Contestant("Carla")], games)

    assert [(row.rank, row.player, row.value) for row in rows] == [(1, "Anna", 3), (2, "Carla", 2)]


def test_other_tables_have_no_keizer_points():
    rows = rank(THREE, [make_game(1, "Anna", 400, 350, "Carla")], Ranking())

    assert {(row.keizer, row.value) for row in rows} == {(0, 0)}


def test_order_of_criteria_does_not_name_keizer():
    assert Ranking(RankingBasis.KEIZER).criteria[0] is Criterion.KEIZER
    with pytest.raises(ValueError, match="not an order of criteria"):
        Ranking(order=(Criterion.KEIZER,))


@laws
@given(st.permutations(range(1, 7)), st.randoms(use_true_random=False))
def test_points_rank_the_table(keys, rng):
    contestants = [Contestant(key) for key in keys]
    games = [
        make_game(round, one, rng.choice([390, 400, 410]), 400, other)
        for round in (1, 2, 3)
        for order in [rng.sample(keys, 6)]
        for one, other in zip(order[::2], order[1::2], strict=True)
    ]

    rows = rank(contestants, games)

    assert all(above.keizer >= row.keizer for above, row in pairwise(rows))
    assert rows == rank(rng.sample(contestants, 6), rng.sample(games, 9))


def test_nothing_is_foreseen_and_nothing_hung_on_a_point():
    """Each result moves the values of everybody, so that no bound is proven; once all is played the ranks stand."""
    contestants = tuple(THREE)
    games = (make_game(1, "Anna", 400, 399, "Carla"), TableGame(2, "Carla", "Dora", OPEN))
    event = Event(contestants, games, (3,), Ranking(RankingBasis.KEIZER), TSO_AWARDS)

    assert find_prospects(event) == {}
    assert find_needs(event, {}, (1, 2)) == {}
    over = replace(event, games=games[:1], rounds=())
    assert {player: prospect.best for player, prospect in find_prospects(over).items()} == {
        row.player: row.rank for row in over.rank()
    }
    played = PlayedTable(contestants, games[:1], Ranking(RankingBasis.KEIZER), TSO_AWARDS)
    assert find_table_turning_points(played, [FirstPlacesQuestion(1), FirstPlacesQuestion(2)]) == [None, None]
