"""The line over the rounds."""

from tournament.entries.curve import TOP, lay_out_curve


def test_curve_spans_its_box() -> None:
    line = lay_out_curve([1, 2, 3], [0, 50, 100])

    assert line is not None
    assert [x for x, _y, _round, _value in line.points] == [line.left, (line.left + line.right) / 2, line.right]
    assert [y for _x, y, _round, _value in line.points] == [line.bottom, (TOP + line.bottom) / 2, TOP]


def test_curve_of_ranks_has_the_first_place_on_top() -> None:
    line = lay_out_curve([1, 2], [9, 1], best_low=True)

    assert line is not None
    assert [y for _x, y, _round, _value in line.points] == [line.bottom, TOP]


def test_curve_leaves_out_rounds_without_a_value() -> None:
    line = lay_out_curve([1, 2, 3, 4], [5, None, 7, 6])

    assert line is not None
    assert [(number, value) for _x, _y, number, value in line.points] == [(1, 5), (3, 7), (4, 6)]


def test_curve_of_equal_values_runs_through_the_middle() -> None:
    line = lay_out_curve([1, 2], [3, 3])

    assert line is not None
    assert {y for _x, y, _round, _value in line.points} == {(TOP + line.bottom) / 2}
    assert [value for _at, value in line.values] == [3]


def test_curve_marks_zero_where_it_lies_well_inside() -> None:
    inside, at_the_edge = lay_out_curve([1, 2], [-50, 100]), lay_out_curve([1, 2], [-1, 100])

    assert inside is not None
    assert at_the_edge is not None
    assert [value for _at, value in inside.values] == [-50, 0, 100]
    assert [value for _at, value in at_the_edge.values] == [-1, 100]


def test_curve_of_many_rounds_labels_some() -> None:
    line = lay_out_curve(range(1, 31), range(30))

    assert line is not None
    assert len(line.points) == 30
    assert [value for _at, value in line.rounds] == list(range(1, 31, 3))


def test_curve_of_one_point_is_none() -> None:
    assert lay_out_curve([1], [5]) is None
    assert lay_out_curve([1, 2], [5, None]) is None
