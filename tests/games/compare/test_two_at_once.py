"""Two who agree, note or attach in the same moment."""

import pytest

from games.compare.agreement import agree_sheet
from games.models import Incident, Photo, Scoresheet
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.referee.operations import apply_incident, log_incident
from tests import factories
from tests.games import steps
from tests.games.compare.typed import FIRST, SECOND, sheet
from tests.games.photos import samples
from tests.games.referee.steps import log, noted
from tests.threads import at_once
from tournament.models import Pairing, Result
from tournament.results.operations import ResultChanged

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table() -> Pairing:
    round = factories.published(factories.event(players=4, ruleset="tso-2017"))
    return steps.fresh(round.pairings.get(table=1))


def test_two_sheets_one_is_agreed(table: Pairing) -> None:
    sheets = [sheet(table, keeper=FIRST), sheet(table, keeper=SECOND, overtime=(61, None))]
    actor = factories.director()

    answers = at_once(
        *(
            lambda each=each: agree_sheet(each, actor=actor, expected_version=0, expected_sheet=each.version)
            for each in sheets
        )
    )

    assert [type(answer) for answer in answers if not isinstance(answer, Result)] == [ResultChanged]
    agreed = Scoresheet.objects.get(agreed=True)
    assert steps.official(table).first_points == (36 if agreed.keeper == FIRST else 16)


def test_waiting_points_are_taken_off_once(table: Pairing) -> None:
    made = log(table, IncidentEffect.POINTS, 1, points=20)
    factories.result(table.round, 1, 430, 340)
    actor = factories.director()

    def apply() -> None:
        apply_incident(Incident.objects.get(pk=made.pk), actor=actor, expected_version=None, words="Telefon")

    answers = at_once(apply, apply)

    assert sum(answer is None for answer in answers) == 1
    assert steps.official(table).first_points == 410


def test_two_incidents_on_one_result_the_second_looks_again(table: Pairing) -> None:
    factories.result(table.round, 1, 430, 340)
    actor = factories.director()

    def note() -> Incident:
        return log_incident(table, noted=noted(IncidentEffect.POINTS, 1, points=10), actor=actor, expected_version=1)

    answers = at_once(note, note)

    assert [type(answer) for answer in answers if not isinstance(answer, Incident)] == [ResultChanged]
    assert steps.official(table).first_points == 420


def test_same_photo_twice(table: Pairing) -> None:
    sent, actor = [samples.sent("a.jpg")], factories.director()

    at_once(lambda: attach_photos(table, sent=sent, actor=actor), lambda: attach_photos(table, sent=sent, actor=actor))

    assert Photo.objects.count() == 1
