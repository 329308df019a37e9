"""Two who write on one score sheet in the same moment."""

import pytest

from games.models import Scoresheet
from games.sheets import operations as sheets
from tests import factories
from tests.games.sheets import steps
from tests.threads import at_once


@pytest.mark.django_db(transaction=True)
def test_two_at_once_lose_nothing(paper: Scoresheet) -> None:
    doris = factories.director()
    results = at_once(
        lambda: sheets.write_line(paper, line=steps.line("10"), actor=doris, expected_version=1),
        lambda: sheets.write_line(paper, line=steps.line("20"), actor=doris, expected_version=1),
    )

    assert sorted(type(result).__name__ for result in results) == ["Line", "SheetChanged"]
    assert len(steps.lines(paper)) == 1
