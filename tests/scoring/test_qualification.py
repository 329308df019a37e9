"""Who qualifies: directly, by places, by rating; the criteria are those of the Liga der Champions 2026."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import season
from scoring.qualification import Candidate, QualifiedBy, find_direct_place, qualify
from scoring.season import EventField, EventPerformance, QualifyingRules, SeasonCounting, SeasonRule

OPEN, CHAMPIONSHIP = EventField((48,)), EventField((60,), direct=3)
DIRECT, PLACES, RATING = QualifiedBy.DIRECT, QualifiedBy.PLACES, QualifiedBy.RATING


def reached(event, player, place, field=OPEN, games=10):
    return EventPerformance(event, player, place, 0, 0, games=games, field=field)


def qualified(showings, candidates=None, **figures):
    """Who qualifies by what; what is open is marked."""
    rules = QualifyingRules(**figures)
    rows = season.table(showings, SeasonCounting(SeasonRule.QUALIFYING, qualifying=rules))
    found = qualify(rows, candidates or {}, rules)
    return [(each.row.player, each.by) + (("open",) if each.is_open else ()) for each in found]


def rated(**known):
    return {player: Candidate(*figures) for player, figures in known.items()}


TWO_EVENTS = [
    *(reached(1, player, place, CHAMPIONSHIP) for place, player in enumerate("ABCDEF", 1)),
    *(reached(2, player, place) for place, player in enumerate("EAFBCDG", 1)),
]


def test_direct_places_come_first_then_places_then_ratings():
    candidates = rated(D=(1500, 100), F=(1900, 99), G=(2000, 500))

    # A to C are first of the championship; E and F are first and third of an event of 48; A was second there. F is
    # in by the place; G played one event only.
    assert qualified(TWO_EVENTS, candidates) == [
        ("A", DIRECT),
        ("B", DIRECT),
        ("C", DIRECT),
        ("E", PLACES),
        ("F", PLACES),
        ("D", RATING),
    ]


@pytest.mark.parametrize(
    ("size", "last"),
    [(6, ("D", RATING)), (5, ("F", PLACES)), (4, ("E", PLACES)), (3, ("C", DIRECT)), (0, ("C", DIRECT))],
)
def test_others_follow_in_order_and_direct_ones_are_never_too_few(size, last):
    assert qualified(TWO_EVENTS, rated(D=(1500, 100)), size=size)[-1] == last


@pytest.mark.parametrize(
    ("rating", "games", "events", "qualifies"),
    [
        pytest.param(1500, 100, 2, True, id="100 games, 2 events"),
        pytest.param(1500, 99, 2, False, id="99 games"),
        pytest.param(1500, 100, 1, False, id="1 event"),
        pytest.param(None, 100, 2, False, id="no rating"),
    ],
)
def test_rating_brings_in_those_who_have_played_enough(rating, games, events, qualifies):
    showings = [reached(event, "A", 20) for event in range(events)]

    assert qualified(showings, {"A": Candidate(rating, games)}) == ([("A", RATING)] if qualifies else [])


def test_nobody_unknown_qualifies_by_rating():
    assert qualified([reached(1, "A", 20), reached(2, "A", 20)]) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param((1600, 100, 9), (1599, 900, 99), id="rating"),
        pytest.param((1600, 101, 9), (1600, 100, 99), id="more games in all"),
        pytest.param((1600, 100, 20), (1600, 100, 19), id="more games in the season"),
    ],
)
def test_last_one_by_rating_is(first, second):
    showings = []
    for player, (_rating, _games, played) in (("B", second), ("A", first)):
        showings += [reached(1, player, 20, games=played), reached(2, player, 20, games=0)]
    candidates = {"A": Candidate(*first[:2]), "B": Candidate(*second[:2])}

    assert qualified(showings, candidates, size=1) == [("A", RATING)]


def test_level_players_who_are_too_many_are_all_named_and_open():
    showings = [reached(event, player, 20) for player in "ABC" for event in (1, 2)]
    candidates = rated(A=(1700, 100), B=(1600, 100), C=(1600, 100))

    assert qualified(showings, candidates, size=2) == [("A", RATING), ("B", RATING, "open"), ("C", RATING, "open")]
    assert qualified(showings, candidates, size=3) == [("A", RATING), ("B", RATING), ("C", RATING)]


def test_level_places_are_separated_by_rating():
    showings = [reached(1, "A", 1), reached(2, "B", 1)]

    assert qualified(showings, rated(B=(1500, 3)), size=1) == [("B", PLACES)]
    assert qualified(showings, size=1) == [("A", PLACES, "open"), ("B", PLACES, "open")]


def test_best_direct_place_is_named():
    rules = SeasonCounting(SeasonRule.QUALIFYING)
    (row,) = season.table([reached(1, "A", 3, CHAMPIONSHIP), reached(2, "A", 2, CHAMPIONSHIP)], rules)

    found = find_direct_place(row)

    assert (found.event, found.place) == (2, 2)


players = st.sampled_from("ABCDEFGH")
fields = st.builds(
    EventField,
    st.lists(st.integers(1, 60), min_size=1, max_size=3).map(tuple),
    st.just(0),
    st.sampled_from([0, 0, 3]),
)


@st.composite
def seasons(draw):
    """Some events, each with a field of its own and its players on the first places."""
    showings = []
    for event in range(draw(st.integers(0, 5))):
        field = draw(fields)
        for place, player in enumerate(draw(st.lists(players, unique=True, max_size=8)), 1):
            showings.append(reached(event, player, place, field))
    return showings


@given(
    seasons(),
    st.dictionaries(players, st.builds(Candidate, st.none() | st.integers(1, 4), st.integers(0, 3))),
    st.integers(0, 9),
)
def test_what_is_said_of_everybody_qualified_holds(showings, candidates, size):
    """Each reason by its own words, worked out anew: nobody left out has a better claim than somebody who is in."""
    rules = QualifyingRules(size=size, least_games=1, least_events=2)
    rows = season.table(showings, SeasonCounting(SeasonRule.QUALIFYING, qualifying=rules))
    found = qualify(rows, candidates, rules)
    by = {each.row.player: each.by for each in found}
    left = [row for row in rows if row.player not in by]

    assert len(by) == len(found)
    for each in found:
        own = [show for show in showings if show.player == each.row.player]
        firsts = [show for show in own if show.place <= show.field.direct]
        assert (each.by == DIRECT) == bool(firsts)
        if each.by == DIRECT:
            assert each.direct.place == min(show.place for show in firsts)
        if each.by == PLACES:
            assert each.row.total == sum(season.is_qualifying_place(s.place, s.field, rules) for s in own) > 0
            assert all(each.row.rank <= row.rank for row in left if row.total)
        if each.by == RATING:
            assert each.candidate.games >= 1
            assert len(own) >= 2
            for row in left:
                other = candidates.get(row.player, Candidate())
                if len(row.scores) >= 2 and other.games >= 1 and other.rating is not None:
                    assert other.rating <= each.candidate.rating
    taken = [each for each in found if not each.is_open and each.by != DIRECT]
    assert len(taken) <= max(size, 0)
    if left and any(row.total for row in left):
        assert len(found) >= size
