"""A bracket laid out: nothing over anything else, nothing beyond the edge, every line from a match to the next."""

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.knockout_forms import SYSTEM_SIZES
from scoring.knockout_values import KnockoutRules, KnockoutSystem, MatchFormat
from tests.laws import tried_on
from tests.tournament import brackets
from tournament.knockout.layout import (
    SCREEN_MEASURES,
    BracketColumn,
    BracketLayout,
    BracketPicture,
    PlacedMatch,
    drop_decided_stages,
    lay_out_bracket,
    split_bracket,
)
from tournament.knockout.words import build_bracket_picture
from tournament.paper.boxes import Box

SLACK = 0.001


@st.composite
def pictures(draw: st.DrawFn) -> BracketPicture:
    """A knock-out of any system and size, played so far, with and without a match for third place."""
    system = draw(st.sampled_from(KnockoutSystem))
    sizes = SYSTEM_SIZES[system]
    size = draw(st.integers(sizes[0], sizes[-1]))
    third_place = system == KnockoutSystem.SINGLE and draw(st.booleans()) and size > 2
    rules = KnockoutRules(MatchFormat.SINGLE, third_place=third_place, system=system)
    stands = brackets.play_bracket(size, rules, games=draw(st.integers(0, size)), seed=draw(st.integers(0, 99)))
    return build_bracket_picture(stands, brackets.names(size))


def boxes(layout: BracketLayout) -> Iterator[Box]:
    """Everything that takes room of its own."""
    for match in layout.matches:
        yield match.box
        yield match.caption
    yield from (heading.box for heading in layout.headings)
    yield from (label.box for label in (layout.champion_title, layout.champion) if label)


def overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across > SLACK and down > SLACK


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - SLACK
        and inner.y >= outer.y - SLACK
        and inner.right <= outer.right + SLACK
        and inner.bottom <= outer.bottom + SLACK
    )


@tried_on(10)
@given(pictures())
def test_nothing_stands_over_anything_else_or_beyond_the_edge(picture: BracketPicture) -> None:
    layout = lay_out_bracket(picture, SCREEN_MEASURES)
    page = Box(0, 0, layout.width, layout.height)

    assert [pair for pair in combinations(boxes(layout), 2) if overlap(*pair)] == []
    assert [box for box in boxes(layout) if not within(box, page)] == []


@tried_on(10)
@given(pictures())
def test_connectors_lead_from_each_match_to_the_row_that_its_winner_takes(picture: BracketPicture) -> None:
    layout = lay_out_bracket(picture, SCREEN_MEASURES)
    placed = {(match.card.stage, match.card.position): match for match in layout.matches}
    parts = [picture] if picture.below is None else [picture, picture.below]
    tree = [
        card
        for part in parts
        for column in part.columns[:-1]
        for card in column.cards
        if not card.is_void
        # Not to the part of those who have lost, nor from it to the final; the first two winners are both in the final.
        and any((card.stage, card.position) in to.fed_by for other in part.columns for to in other.cards)
    ]

    for card, (points, is_taken) in zip(tree, layout.connectors, strict=True):
        place = (card.stage, card.position)
        source = placed[place]
        ends = {(to.box.x, row.box.middle): (to, row) for to in layout.matches for row in to.rows}
        target, row = ends[points[-1]]
        assert row == target.rows[target.card.fed_by.index(place)]
        if picture.below is None and len(picture.columns[0].cards) == 2 ** (len(picture.columns) - 1):
            assert (target.card.stage, target.card.position) == (card.stage + 1, (card.position + 1) // 2)
        assert points[0] == (source.box.right, source.box.middle)
        assert all(before[0] == after[0] or before[1] == after[1] for before, after in pairwise(points))
        assert not any(crosses(part, match) for part in pairwise(points) for match in layout.matches)
        assert is_taken == source.card.has_winner


def crosses(part: tuple[tuple[float, float], tuple[float, float]], match: PlacedMatch) -> bool:
    """Whether a piece of a connector runs through a match."""
    (x, y), (to_x, to_y) = part
    return overlap(Box(min(x, to_x), min(y, to_y), max(abs(to_x - x), 0.01), max(abs(to_y - y), 0.01)), match.box)


@tried_on(6)
@given(pictures())
def test_parts_of_a_row_stand_side_by_side_in_it(picture: BracketPicture) -> None:
    rows = [row for match in lay_out_bracket(picture, SCREEN_MEASURES).matches for row in match.rows]
    parts = [(row, (row.seed, row.mark, row.name, row.score)) for row in rows]

    assert all(within(part, row.box) for row, inner in parts for part in inner)
    assert not any(overlap(one, other) for _row, inner in parts for one, other in combinations(inner, 2))
    assert all(row.name.width > row.box.width / 2 for row in rows)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 12, 16, 31, 32, 33, 64])
def test_every_match_is_drawn_once(size: int) -> None:
    stands = brackets.open_bracket(size, KnockoutRules(MatchFormat.SINGLE, third_place=size > 3))
    layout = lay_out_bracket(build_bracket_picture(stands, brackets.names(size)), SCREEN_MEASURES)

    drawn = [(match.card.stage, match.card.position) for match in layout.matches]
    assert sorted(drawn) == sorted(match.place for match in stands.matches)


@pytest.mark.parametrize("size", [33, 48, 64])
@pytest.mark.sampled(1)
def test_halves_and_end_hold_every_match(size: int) -> None:
    picture = build_bracket_picture(
        brackets.play_bracket(size, KnockoutRules(MatchFormat.SINGLE, third_place=True)), brackets.names(size)
    )

    upper, lower, end = split_bracket(picture)

    shown = [[card for column in part.columns for card in column.cards] for part in (upper, lower)]
    early = {card for column in picture.columns[:-1] for card in column.cards}
    assert len(shown[0]) == len(shown[1]) == 31
    assert {*shown[0], *shown[1]} == early
    assert [len(column.cards) for column in end.columns] == [4, 2, 1]
    assert (end.third, end.champion) == (picture.third, picture.champion)


@pytest.mark.parametrize(("games", "stages"), [(7, 4), (8, 3), (15, 3)])
def test_stages_that_are_decided_are_dropped_down_to_the_quarter_finals(games: int, stages: int) -> None:
    rules = KnockoutRules(MatchFormat.SINGLE)
    picture = build_bracket_picture(brackets.play_bracket(16, rules, games=games), brackets.names(16))

    assert drop_decided_stages(picture).columns == picture.columns[-stages:]


def test_champion_stands_above_the_final_and_third_place_under_it() -> None:
    picture = build_bracket_picture(
        brackets.play_bracket(4, KnockoutRules(MatchFormat.SINGLE, third_place=True)), brackets.names(4)
    )

    layout = lay_out_bracket(picture, SCREEN_MEASURES)

    *_semi_finals, final, third = layout.matches
    assert layout.champion is not None
    assert layout.champion.text == picture.champion
    assert layout.champion.box.bottom <= final.caption.y
    assert third.caption.y >= final.box.bottom
    assert layout.headings[-1].box.bottom == third.caption.y


@pytest.mark.parametrize("columns", [(), (BracketColumn("", ()),)])
def test_stages_without_matches_are_refused(columns: tuple[BracketColumn, ...]) -> None:
    with pytest.raises(ValueError, match="make no bracket"):
        lay_out_bracket(BracketPicture(columns), SCREEN_MEASURES)


@pytest.mark.parametrize(
    ("system", "size"),
    [(KnockoutSystem.DOUBLE, size) for size in (3, 5, 9, 16, 32)]
    + [(KnockoutSystem.PAGE, 4), (KnockoutSystem.PLACES_TO_EIGHT, 6), (KnockoutSystem.PLACES_TO_EIGHT, 16)],
)
def test_every_match_of_other_systems_is_drawn_once(system: KnockoutSystem, size: int) -> None:
    stands = brackets.open_bracket(size, KnockoutRules(MatchFormat.SINGLE, system=system))
    layout = lay_out_bracket(build_bracket_picture(stands, brackets.names(size)), SCREEN_MEASURES)

    drawn = [(match.card.stage, match.card.position) for match in layout.matches]
    assert sorted(drawn) == sorted(match.place for match in stands.matches if not match.is_void)
