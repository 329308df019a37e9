"""The page that compares and agrees: every difference in words, lines taken over, before and after."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.compare.comparison_page import ComparisonPage
from games.models import Scoresheet
from games.referee.catalogue import IncidentEffect
from games.referee.operations import log_challenge
from games.sheets.lines import WrittenLine
from games.sheets.operations import change_line
from tests import factories
from tests.games import steps
from tests.games.compare.typed import FIRST, GAME, OTHER, SECOND, K, passed, sheet
from tests.games.referee.steps import log
from tournament.models import Pairing, Round, Tournament

OTHERWISE = passed(
    WrittenLine(1, word="ABER", position="8H", points=14),
    WrittenLine(2, points=70),
    WrittenLine(1, K.CHALLENGE, words=1, points=-10),
    WrittenLine(2, points=24),
    WrittenLine(1, K.EXCHANGE, tiles="3"),
    WrittenLine(2, points=18),
)
"""The same game with 14 for 12, and a turn missing."""


def address(pairing: Pairing, chosen: Scoresheet | None = None) -> str:
    query = f"?sheet={chosen.pk}" if chosen else ""
    return reverse("games:compare", args=["herbst-cup", pairing.pk]) + query


def agreeing(client: Client, pairing: Pairing, chosen: Scoresheet, **more: str) -> str:
    """Post the form that the page has for a sheet; what the page says then."""
    page = ComparisonPage(steps.fresh(pairing), chosen.pk)
    assert page.chosen
    fields = {"sheet": str(chosen.pk), "version": str(page.chosen.scoresheet.version), "seen": page.offer.seen}
    return posted(client, pairing, {**fields, **more})


def posted(client: Client, pairing: Pairing, fields: dict[str, str]) -> str:
    response = client.post(reverse("games:compare_agree", args=["herbst-cup", pairing.pk]), fields, follow=True)
    return response.content.decode()


def test_no_sheet_yet(doris_client: Client, tables: list[Pairing]) -> None:
    text = doris_client.get(address(tables[0])).content.decode()

    assert "No score sheet yet" in text
    assert "No photo yet" in text


def test_one_sheet_has_the_worked_out_points_as_judge(doris_client: Client, tables: list[Pairing]) -> None:
    sheet(tables[0], OTHERWISE)

    text = doris_client.get(address(tables[0])).content.decode()

    assert "There is only this sheet so far" in text
    assert "The sheet says 14, worked out 12" in text


def test_same_sheets(doris_client: Client, tables: list[Pairing]) -> None:
    sheet(tables[0], keeper=FIRST)
    sheet(tables[0], keeper=SECOND)

    assert "The sheets say the same" in doris_client.get(address(tables[0])).content.decode()


def test_every_difference_is_said_and_marked(doris_client: Client, tables: list[Pairing]) -> None:
    sheet(tables[0], keeper=FIRST, final=(37, 111))
    sheet(tables[0], OTHERWISE, keeper=SECOND, final=(4, 111))

    response = doris_client.get(address(tables[0]))

    assert [number for number, _sentence in response.context["page"].differences] == [1, 3, None, None]
    text = response.content.decode()
    first, second = "Sheet of Aumann, Klara", "Sheet of Dvořák, Jana"
    assert f"Line 1, Aumann, points: 12 ({first}), 14 ({second}); worked out 12." in text
    assert f"Line 3, Aumann: 35 is missing ({second})." in text
    assert f"Aumann, final score: 37 ({first}), 4 ({second})." in text
    assert f"36 : 111 ({first})" in text
    assert text.count('<mark class="differs">') == 5


def test_third_sheet_stands_beside(doris_client: Client, tables: list[Pairing]) -> None:
    for keeper in (FIRST, SECOND, OTHER):
        sheet(tables[0], keeper=keeper)

    page = ComparisonPage(steps.fresh(tables[0]))

    assert {len(row["cells"]) for row in page.rows} == {3}


def test_line_is_taken_over_by_its_button(doris_client: Client, tables: list[Pairing]) -> None:
    first = sheet(tables[0], keeper=FIRST)
    second = sheet(tables[0], OTHERWISE, keeper=SECOND)
    take = reverse("games:compare_take", args=["herbst-cup", tables[0].pk])

    for _line in range(2):
        page = ComparisonPage(steps.fresh(tables[0]), second.pk)
        fields = next(cell["take"] for row in page.rows for cell in row["cells"] if cell["take"])
        doris_client.post(take, fields)

    assert list(second.lines.order_by("number").values_list("points", flat=True))[:3] == [12, 70, 35]
    page = doris_client.get(address(tables[0], second)).context["page"]
    assert page.differences == []
    doris_client.post(take, fields)
    assert first.lines.count() == second.lines.count()


def test_line_is_not_taken_over_from_a_sheet_that_was_changed(doris_client: Client, tables: list[Pairing]) -> None:
    first = sheet(tables[0], keeper=FIRST)
    second = sheet(tables[0], OTHERWISE, keeper=SECOND)
    page = ComparisonPage(steps.fresh(tables[0]), second.pk)
    fields = next(cell["take"] for row in page.rows for cell in row["cells"] if cell["take"])
    change_line(
        first, number=1, line=WrittenLine(1, points=99), actor=factories.director(), expected_version=first.version
    )

    response = doris_client.post(reverse("games:compare_take", args=["herbst-cup", tables[0].pk]), fields, follow=True)

    assert "Somebody has changed this sheet in the meantime" in response.content.decode()
    assert second.lines.get(number=1).points == 14


def test_agreed_sheet_becomes_official(doris_client: Client, tables: list[Pairing]) -> None:
    made = sheet(tables[0])

    text = agreeing(doris_client, tables[0], made)

    assert steps.official(tables[0]).how == "sheet"
    assert "Agreed and official: 36 : 111." in text
    assert "matches the official result" in text


def test_official_result_that_differs_is_shown_and_asked_about(
    doris_client: Client, tables: list[Pairing], round: Round
) -> None:
    factories.result(round, 1, 420, 380)
    made = sheet(tables[0])

    response = doris_client.get(address(tables[0]))
    text = response.content.decode()
    assert "The official result says something else" in text
    assert "420 : 380" in text
    assert response.context["page"].offer.consequences.players
    assert steps.versions(tables[0]) == [(1, True, 420, 380)]

    agreeing(doris_client, tables[0], made, why="verglichen")

    assert steps.official(tables[0]).why == "verglichen"
    assert steps.versions(tables[0])[-1] == (2, True, 36, 111)


def test_equal_result_is_completed(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 36, 111)
    made = sheet(tables[0])
    assert "are added to it" in doris_client.get(address(tables[0])).content.decode()

    agreeing(doris_client, tables[0], made)

    assert steps.official(tables[0]).first_moves == [35, 12]


def test_form_sent_twice_agrees_once(doris_client: Client, tables: list[Pairing]) -> None:
    made = sheet(tables[0])
    page = ComparisonPage(steps.fresh(tables[0]))
    fields = {"sheet": str(made.pk), "version": str(made.version), "seen": page.offer.seen}

    for _sending in range(2):
        posted(doris_client, tables[0], fields)

    assert len(steps.versions(tables[0])) == 1


def test_result_that_came_meanwhile(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    made = sheet(tables[0])
    fields = {
        "sheet": str(made.pk),
        "version": str(made.version),
        "seen": ComparisonPage(steps.fresh(tables[0])).offer.seen,
    }
    factories.result(round, 1, 420, 380)

    text = posted(doris_client, tables[0], fields)

    assert "In the meantime doris has entered 420 : 380" in text
    assert not Scoresheet.objects.filter(agreed=True).exists()


def test_changed_sheet_offers_agreement_anew(doris_client: Client, tables: list[Pairing]) -> None:
    made = sheet(tables[0])
    agreeing(doris_client, tables[0], made)
    change_line(
        made, number=2, line=WrittenLine(2, points=72), actor=factories.director(), expected_version=made.version
    )

    text = doris_client.get(address(tables[0])).content.decode()

    assert "That sheet has been changed or deleted since" in text
    assert "Agree and replace the official result" in text


def test_sheet_that_goes_on_cannot_be_agreed(doris_client: Client, tables: list[Pairing]) -> None:
    made = sheet(tables[0], GAME, is_finished=False, left=(None, None))

    text = doris_client.get(address(tables[0])).content.decode()

    assert "This sheet does not give a final score yet" in text
    fields = {"sheet": str(made.pk), "version": str(made.version), "seen": ""}
    assert "does not give a final score yet" in posted(doris_client, tables[0], fields)
    assert not Scoresheet.objects.filter(agreed=True).exists()


def test_faults_are_shown_and_do_not_forbid(doris_client: Client, tables: list[Pairing]) -> None:
    sheet(tables[0], OTHERWISE)

    text = doris_client.get(address(tables[0])).content.decode()

    assert "You can still agree on the sheet" in text
    assert "Agree and make it official" in text


def test_referees_log_and_sheet_differ(doris_client: Client, tables: list[Pairing]) -> None:
    sheet(tables[0])
    log(tables[0], IncidentEffect.POINTS, 2, points=20)
    for words in ([("ABER", True), ("DIE", True)], [("QXY", False)]):
        log_challenge(tables[0], challenger=1, words=words, actor=factories.director())

    text = doris_client.get(address(tables[0])).content.decode()

    assert "points that Aumann loses by challenges: 10; in the referee&#x27;s log: 20." in text
    assert "withdrawn plays of Dvořák: 0; in the referee&#x27;s log: 1." in text
    assert "penalty points on the sheet 0, in the referee's log 20. 20 are taken off." in text


def test_log_that_agrees_says_nothing(tables: list[Pairing]) -> None:
    sheet(tables[0])
    log_challenge(tables[0], challenger=1, words=[("DIE", True)], actor=factories.director())

    assert ComparisonPage(steps.fresh(tables[0])).differences == []


@pytest.mark.parametrize("name", ["compare", "compare_take", "compare_agree"])
@pytest.mark.sampled(1)
def test_only_directors_of_the_tournament(
    name: str, tables: list[Pairing], otto: Client, anybody: Client, doris_client: Client, cup: Tournament
) -> None:
    where = reverse(f"games:{name}", args=[cup.slug, tables[0].pk])
    method = "get" if name == "compare" else "post"
    elsewhere = sheet(tables[1])

    assert getattr(otto, method)(where).status_code == 404
    assert getattr(anybody, method)(where).status_code == 302
    fields = {"sheet": str(elsewhere.pk), "target": str(elsewhere.pk), "source": str(elsewhere.pk)}
    if name == "compare_take":
        assert doris_client.post(where, fields).status_code == 404
    if name == "compare_agree":  # as a sheet deleted meanwhile: what was typed is shown again
        assert "Somebody has changed this sheet in the meantime" in doris_client.post(where, fields).content.decode()
        assert not Scoresheet.objects.filter(agreed=True).exists()


def test_page_asks_as_often_for_few_lines_as_for_many(doris_client: Client, tables: list[Pairing]) -> None:
    def asked(pairing: Pairing) -> int:
        with CaptureQueriesContext(connection) as queries:
            doris_client.get(address(pairing))
        return len(queries)

    for keeper in (FIRST, SECOND):
        sheet(tables[0], passed(GAME[0]), keeper=keeper)
        sheet(tables[1], passed(*GAME, *(WrittenLine(side, points=9) for side in (1, 2) * 5)), keeper=keeper)

    assert asked(tables[0]) == asked(tables[1])
