"""Small studies for tests."""

from typing import Any

from tournament.laboratory.values import Study, StudyPlan


def plan(*parts: tuple[int, int, str], name: str = "", **more: Any) -> StudyPlan:
    """A plan of parts, such as `(1, 5, "swiss")`; `more` holds for the last one."""
    stored: list[dict[str, Any]] = [{"rounds": [first, last], "method": method} for first, last, method in parts]
    stored[-1] |= more
    return StudyPlan(name or parts[0][2], tuple(stored))


SWISS = plan((1, 5, "swiss"))
HILL = plan((1, 5, "king_of_the_hill"))


def study(*plans: StudyPlan, players: int = 8, **more: Any) -> Study:
    """A study of these plans, by default Swiss and king of the hill."""
    return Study(plans or (SWISS, HILL), players, **{"events": 12, "seed": 3, **more})
