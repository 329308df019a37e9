"""Two helpers who type slips at the same moment."""

import pytest

from games.duplicate.operations.slips import save_slip
from games.models import DuplicateSession, DuplicateSlip
from tests import factories
from tests.games.duplicate import steps
from tests.threads import at_once
from tournament.archive.replaying import find_journal_differences


@pytest.mark.django_db(transaction=True)
def test_two_helpers_at_once_lose_no_slip(session: DuplicateSession) -> None:
    turn, doris = steps.opened(session), factories.director()
    field = steps.players(session)
    acts = [
        lambda entry=entry, text=text: save_slip(turn, entry=entry, written=steps.written(text), actor=doris)
        for entry, text in [*((each, "8H ZES 14") for each in field), (field[0], "8H ZE 10"), (field[1], "8H ZES 14")]
    ]

    found = at_once(*acts)

    assert DuplicateSlip.objects.count() == 4
    assert [getattr(answer, "code", None) for answer in found].count("slip_there") == 1
    assert find_journal_differences(session.division.tournament) == []
