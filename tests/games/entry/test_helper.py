"""What a helper may do with results, and what their pages lead to."""

import re
from http import HTTPStatus

from django.test import Client
from django.urls import reverse

from tests import factories
from tests.games import steps
from tournament.models import Division, Pairing, Round
from tournament.rounds.operations import close_round


def address(round: Round) -> str:
    return reverse("games:grid", args=[round.division.tournament.slug, round.number])


def test_helper_enters_results_and_is_offered_nothing_else(helper: Client, round: Round, tables: list[Pairing]) -> None:
    page = helper.get(address(round)).content.decode()
    helper.post(address(round), steps.row(tables[0], "412", "398"))

    assert steps.versions(tables[0]) == [(1, True, 412, 398)]
    links = {*re.findall(r'href="(/director/[^"]*)"', page)}
    assert {link for link in links if helper.get(link.replace("&amp;", "&")).status_code != HTTPStatus.OK} <= {
        "/director/herbst-cup/results/"  # leads on to the round's own page
    }
    assert 'href="/director/herbst-cup/entries/check-in/"' in page


def test_helper_leaves_a_closed_round_alone(helper: Client, division: Division) -> None:
    round = factories.played(division)
    close_round(round, actor=factories.director())
    table = Pairing.objects.with_players().filter(round=round).by_table()[0]
    result = reverse("games:result", args=["herbst-cup", table.pk])

    statuses = [
        helper.get(address(round)).status_code,
        helper.post(address(round), steps.row(table, "1", "2")).status_code,
        *(helper.get(each).status_code for each in (result, f"{result}withdraw/")),
        *(helper.post(each).status_code for each in (result, f"{result}preview/", f"{result}withdraw/")),
    ]

    assert statuses == [200, *[403] * 6]
    assert result not in helper.get(address(round)).content.decode()
    assert steps.versions(table) == [(1, True, 420, 380)]


def test_helper_sees_no_draft(helper: Client) -> None:
    draft = factories.draft(factories.event("Winter-Cup"))
    way_on = helper.get("/director/winter-cup/results/").headers["Location"]

    assert helper.get(address(draft)).status_code == HTTPStatus.FORBIDDEN
    assert way_on.startswith("/director/winter-cup/entries/check-in/")
