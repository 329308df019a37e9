"""Results typed a second time, blind, and a difference settled from the paper."""

import pytest
from django.test import Client

from games.core.pages import format_seen_state
from games.entry.second_entry import (
    NoResultToRetype,
    ResultsTypedOnce,
    record_second_entry,
    settle_result,
)
from games.models import SecondEntry
from games.reports.game_reports import ReportState
from games.reports.operations import hand_in_report
from scoring.awards import Outcome
from tests import factories
from tests.markup import read_main
from tests.refusals import refuses
from tournament.access.codes import make_personal_link
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.core.second_entries import SecondEntryState, count_unsettled_results, get_second_entry_state
from tournament.events.operations import update_settings
from tournament.models import Division, Pairing, Result, Role, Round
from tournament.rounds.operations import ResultsNotSettled, close_round

pytestmark = pytest.mark.django_db
GRID = "/director/herbst-cup/results/1/"


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    """Two tables with results that Doris has typed."""
    division = factories.event(players=4, results_twice=True)
    factories.played(division, (431, 388), (402, 371))
    return division


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


@pytest.fixture
def hannes() -> Actor:
    """A helper with an account of his own."""
    return factories.member(factories.user("hannes"), Role.HELPER)


@pytest.fixture
def helper(hannes: Actor) -> Client:
    client = Client()
    factories.sign_in(client, hannes)
    return client


@pytest.fixture
def doris_client() -> Client:
    client = Client()
    factories.sign_in(client)
    return client


def game(table: int) -> Pairing:
    found = Pairing.objects.select_related("round__division__tournament").with_players().with_results()
    return found.get(table=table, round__stage=None)


def official(table: int) -> Result:
    found = game(table).result
    assert found is not None
    return found


def kind_of(table: int) -> SecondEntryState:
    return get_second_entry_state(official(table), SecondEntry.objects.filter(pairing=game(table)).first())


def typed(**tables: tuple[int, int]) -> dict[str, str]:
    """What is typed for tables `t1`, `t2`."""
    fields: dict[str, str] = {}
    for name, points in tables.items():
        prefix = f"p{game(int(name[1:])).pk}"
        fields |= {f"{prefix}-first_points": str(points[0]), f"{prefix}-second_points": str(points[1])}
    return fields


def test_first_figures_are_not_on_the_page(cup: Division, helper: Client) -> None:
    page = helper.get(GRID).content.decode().partition("<main")[2]

    assert [figure in page for figure in ("431", "388", "402", "371", "winner", "Time, penalty")] == [False] * 6
    assert page.count('inputmode="numeric"') == 5


def test_equal_figures_are_checked_and_others_wait_for_the_paper(
    cup: Division, helper: Client, doris_client: Client
) -> None:
    helper.post(GRID, typed(t1=(431, 388), t2=(402, 317)))
    page = read_main(helper, GRID)

    assert (kind_of(1), kind_of(2)) == (SecondEntryState.CHECKED, SecondEntryState.DIFFERS)
    assert ("zweimal gleich erfasst" in page, "am Papier zu klären" in page) == (True, True)
    assert "402" not in page
    assert "zweimal erfasst, nicht gleich" in read_main(doris_client, "/director/herbst-cup/")
    assert official(2).second_points == 371


def test_who_typed_first_sees_it_and_is_not_asked_again(cup: Division, doris_client: Client) -> None:
    page = read_main(doris_client, GRID)
    doris_client.post(GRID, {**typed(t1=(431, 388)), f"p{game(1).pk}-seen": _seen(1)})

    assert ("431" in page, "nicht ein zweites Mal erfasst" in page) == (True, True)
    assert not SecondEntry.objects.exists()


def test_two_who_type_at_once_are_first_and_second(cup: Division, helper: Client, doris_client: Client) -> None:
    """Neither page showed a result, and neither is told the other's figures."""
    round = factories.published(cup)
    address = GRID.replace("/1/", "/2/")
    fields = {f"p{each.pk}-{side}_points": "400" for each in round.pairings.all() for side in ("first", "second")}
    seen = {f"p{each.pk}-seen": format_seen_state(each) for each in round.pairings.with_results().with_players()}
    first = doris_client.post(address, fields | seen)
    second = helper.post(address, fields | seen)

    assert (first.status_code, second.status_code) == (302, 302)
    assert SecondEntry.objects.filter(pairing__round=round).count() == 2


@pytest.mark.parametrize("page", ["", "preview/", "withdraw/"])
@pytest.mark.sampled(1)
def test_table_of_its_own_is_shut_to_a_helper_until_both_are_there(cup: Division, helper: Client, page: str) -> None:
    address = f"/director/herbst-cup/result/{game(1).pk}/{page}"
    ask = helper.post if page == "preview/" else helper.get
    before = ask(address)
    helper.post(GRID, typed(t1=(431, 388)))

    assert (before.status_code in (302, 403), ask(address).status_code) == (True, 200)


def test_third_is_told_that_it_was_typed_twice(cup: Division, hannes: Actor, doris_client: Client) -> None:
    record_second_entry(game(2), points=(402, 317), actor=hannes)
    answer = doris_client.post(GRID, typed(t2=(402, 317))).content.decode().partition("<main")[2]

    assert "schon ein zweites Mal erfasst" in answer
    assert "371" not in answer


def test_nobody_types_until_it_fits(cup: Division, hannes: Actor) -> None:
    record_second_entry(game(2), points=(1, 2), actor=hannes)

    with refuses("already_twice"):
        record_second_entry(game(2), points=(402, 371), actor=hannes)


def test_paper_settles_it_and_not_whoever_typed_last(cup: Division, helper: Client, doris_client: Client) -> None:
    helper.post(GRID, typed(t2=(402, 317)))
    address = f"/director/herbst-cup/result/{game(2).pk}/settle/"
    shown = read_main(doris_client, address)
    helper.post(address, {**typed(t2=(402, 317)), f"p{game(2).pk}-seen": _seen(2)})
    after_helper = kind_of(2)
    answer = doris_client.post(address, {**typed(t2=(402, 317)), f"p{game(2).pk}-seen": _seen(2)})

    assert ("402 : 371" in shown.replace("\xa0", " "), "402 : 317" in shown.replace("\xa0", " ")) == (True, True)
    assert (after_helper, answer.status_code, kind_of(2)) == (SecondEntryState.DIFFERS, 302, SecondEntryState.SETTLED)
    assert (official(2).second_points, official(2).version, official(2).why) == (317, 2, "am Papier geklärt")


def test_first_figures_may_be_right(cup: Division, hannes: Actor) -> None:
    record_second_entry(game(2), points=(402, 317), actor=hannes)
    settle_result(game(2), points=(402, 371), actor=factories.director(), expected_version=1)

    assert kind_of(2) == SecondEntryState.SETTLED
    assert Result.objects.filter(pairing=game(2)).count() == 1


def test_correction_after_the_check_waits_for_the_paper_again(cup: Division, hannes: Actor) -> None:
    record_second_entry(game(1), points=(431, 388), actor=hannes)
    factories.result(Round.objects.get(), 1, 430, 388)

    assert kind_of(1) == SecondEntryState.DIFFERS


def test_award_and_two_players_who_agree_are_not_typed_again(cup: Division, hannes: Actor) -> None:
    factories.result(Round.objects.get(), 1, None, None, Outcome.SECOND_FORFEITS)
    Result.objects.filter(pairing=game(2), official=True).update(how=Result.How.PHONES)

    assert (kind_of(1), kind_of(2)) == (SecondEntryState.ALONE, SecondEntryState.ALONE)
    with pytest.raises(NoResultToRetype):
        record_second_entry(game(1), points=(1, 2), actor=hannes)


def test_helper_with_a_code_is_somebody_of_its_own(cup: Division) -> None:
    one, other = Actor(name="Tablet 1"), Actor(name="Tablet 2")
    Result.objects.filter(pairing=game(1)).update(by=None, by_name="Tablet 1")

    with refuses("own_figures"):
        record_second_entry(game(1), points=(431, 388), actor=one)
    assert record_second_entry(game(1), points=(431, 388), actor=other) == SecondEntryState.CHECKED


def test_round_is_closed_only_when_somebody_says_so(cup: Division, doris_client: Client) -> None:
    round = Round.objects.select_related("division__tournament").get()
    with pytest.raises(ResultsNotSettled):
        close_round(round, actor=factories.director())
    page = read_main(doris_client, "/director/herbst-cup/rounds/1/")
    doris_client.post("/director/herbst-cup/rounds/1/close/", {"accept": "yes"})
    round.refresh_from_db()

    assert "2 Ergebnisse dieser Runde sind nicht ein zweites Mal erfasst" in page
    assert round.state == Round.State.CLOSED


def test_next_round_leaves_open_what_is_not_settled(cup: Division) -> None:
    factories.published(cup)

    assert Round.objects.get(number=1).state == Round.State.PUBLISHED


def test_results_that_are_typed_once_have_no_second_entry(cup: Division, helper: Client, hannes: Actor) -> None:
    update_settings(cup.tournament, actor=factories.director(), results_twice=False)

    assert "431" in read_main(helper, GRID)
    assert count_unsettled_results(game(1).round) == 0
    with pytest.raises(ResultsTypedOnce):
        record_second_entry(game(1), points=(431, 388), actor=hannes)


def test_fault_keeps_what_was_typed(cup: Division, helper: Client) -> None:
    prefix = f"p{game(1).pk}"
    page = helper.post(GRID, {f"{prefix}-first_points": "43x", f"{prefix}-second_points": "388"}).content.decode()

    assert 'value="43x"' in page
    assert 'aria-invalid="true"' in page
    assert not SecondEntry.objects.exists()


ROUND, TABLE = "/t/herbst-cup/rounds/1/", "/t/herbst-cup/table/"


def test_public_sees_a_result_once_both_typings_are_there(cup: Division, helper: Client) -> None:
    before = read_main(Client(), ROUND), read_main(Client(), TABLE)
    helper.post(GRID, typed(t1=(431, 388), t2=(402, 317)))
    after = read_main(Client(), ROUND), read_main(Client(), TABLE)
    settle_result(game(2), points=(402, 371), actor=factories.director(), expected_version=1)
    settled = read_main(Client(), ROUND), read_main(Client(), TABLE)

    assert [["431" in page, "402" in page] for page in (before[0], after[0], settled[0])] == [
        [False, False],
        [True, False],
        [True, True],
    ]
    waits = "Die Tabelle nach Runde 1 ist hier zu sehen, sobald alle ihre Ergebnisse zweimal erfasst sind."
    assert [waits in pages[1] for pages in (before, after, settled)] == [True, True, False]


def test_public_sees_what_the_director_closes(cup: Division, doris_client: Client) -> None:
    doris_client.post("/director/herbst-cup/rounds/1/close/", {"accept": "yes"})

    assert "431" in read_main(Client(), ROUND)


def test_player_who_reports_is_not_told_what_was_typed_once(cup: Division) -> None:
    entry = game(1).first
    sheet = Report(Outcome.PLAYED, PlayerReport(1), PlayerReport(2))
    found = hand_in_report(entry, game(1), sheet=sheet, key="0123456789")

    assert (found.kind, found.official) == (ReportState.WAITS, None)
    assert "431" not in read_main(Client(), f"/me/{make_personal_link(entry)}/")


def test_director_reads_what_the_public_sees(cup: Division, doris_client: Client) -> None:
    page = read_main(doris_client, "/director/herbst-cup/rounds/1/")

    assert "Zweimal erfasste Ergebnisse" in page
    assert "sobald alle ihre Ergebnisse zweimal erfasst sind" in page


def test_script_gets_the_rows(cup: Division, helper: Client) -> None:
    answer = helper.post(GRID, typed(t1=(431, 388)), headers={"HX-Request": "true"}).content.decode()

    assert f'id="row-{game(1).pk}"' in answer
    assert "zweimal gleich erfasst" in answer
    assert 'data-revision="' in answer


def _seen(table: int) -> str:
    return format_seen_state(game(table))
