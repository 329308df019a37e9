"""The grid of a round: what each post does to its rows, and that nothing typed is lost."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects, assertTemplateUsed

from config.services import CACHED_STATEMENTS
from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tests.markup import tidy
from tournament.models import Division, JournalEntry, Pairing, Result, Round, Seat
from tournament.results.operations import withdraw_result
from tournament.rounds.operations import close_round, unpublish_round


def address(round: Round) -> str:
    return reverse("games:grid", args=[round.division.tournament.slug, round.number])


def by_script(client: Client, round: Round, data: dict[str, str]) -> str:
    """Post as `static/grid.js` does; the part of the page that comes back."""
    response = client.post(address(round), data, headers={"HX-Request": "true"})
    assert response.status_code == 200
    assertTemplateUsed(response, "games/entry/_saved.html")
    return response.content.decode()


def cursor(html: str) -> str:
    """What the page opens with the cursor in: a field's label, or a link's text."""
    found = re.search(r"<(?:input|a)\b[^>]*\bautofocus[^>]*>", html)
    assert found is not None
    label = re.search(r'aria-label="([^"]*)"', found[0])
    if label:
        return label[1]
    return " ".join(re.sub(r"<[^>]*>", "", html[found.end() :].split("</a>", maxsplit=1)[0]).split())


def test_grid_shows_every_table_and_the_first_open_one_first(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    factories.result(round, 1, 478, 402)

    response = doris_client.get(address(round))

    assertContains(response, "1 of 4 results are in")
    for pairing in tables:
        assertContains(response, pairing.first.name)
    assert cursor(response.content.decode()) == f"Points of {tables[1].first.name}, table 2"


@pytest.mark.parametrize(("query", "table"), [("?after=2", 3), ("?after=4", 1), ("?table=4", 4), ("?table=%2004", 4)])
@pytest.mark.sampled(1)
def test_grid_opens_at_the_table_asked_for(
    doris_client: Client, round: Round, tables: list[Pairing], query: str, table: int
) -> None:
    response = doris_client.get(address(round) + query)

    assert cursor(response.content.decode()) == f"Points of {tables[table - 1].first.name}, table {table}"


def test_grid_opens_at_the_correction_of_a_table_that_is_done(doris_client: Client, round: Round) -> None:
    factories.result(round, 2, 478, 402)

    response = doris_client.get(address(round) + "?table=2")

    assert cursor(response.content.decode()) == "Correct table 2"


def test_grid_says_that_a_table_does_not_exist(doris_client: Client, round: Round) -> None:
    response = doris_client.get(address(round) + "?table=99")

    assertContains(response, "There is no table 99 in this round.")
    assertContains(response, 'value="99"')


def test_grid_of_a_round_with_all_results_leads_on(doris_client: Client) -> None:
    round = factories.played(factories.event("Winter-Cup"))

    response = doris_client.get(address(round))

    assertContains(response, "All games of round 1 are finished.")
    assertNotContains(response, "Time, penalty, award …")
    assertContains(response, "Pair round 2")


def test_grid_of_a_draft_says_so_and_leads_to_it(doris_client: Client, division: Division) -> None:
    draft = factories.draft(division)

    response = doris_client.get(address(draft))

    assertContains(response, "Round 2 is still a draft")
    assertContains(response, reverse("director:round", args=[division.tournament.slug, 2]))


def test_grid_shows_byes_with_their_credit(doris_client: Client, division: Division) -> None:
    factories.entry(division, "Solo, Sina")
    round = factories.published(division)

    response = doris_client.get(address(round))

    assertContains(response, "Without an opponent")
    assertContains(response, "Solo, Sina")
    assertContains(response, "Credited: +50 and 400 points.")


def test_grid_is_a_directors_own(anybody: Client, otto: Client, stranger_client: Client, round: Round) -> None:
    assertRedirects(anybody.get(address(round)), f"{reverse('login')}?next={address(round)}")
    assert otto.get(address(round)).status_code == 404
    assert stranger_client.get(address(round)).status_code == 404


def test_grid_of_an_unknown_event_division_or_round_is_not_found(doris_client: Client, round: Round) -> None:
    assert doris_client.get(reverse("games:grid", args=["anderswo", 1])).status_code == 404
    assert doris_client.get(address(round) + "?division=Z").status_code == 404
    assert doris_client.get(reverse("games:grid", args=[round.division.tournament.slug, 2])).status_code == 404


def test_grid_refuses_other_methods(doris_client: Client, round: Round) -> None:
    assert doris_client.put(address(round)).status_code == 405
    assert doris_client.delete(address(round)).status_code == 405


def test_current_leads_to_the_last_published_round(doris_client: Client, division: Division) -> None:
    last = factories.published(division)

    response = doris_client.get(reverse("games:current", args=[division.tournament.slug]))

    assertRedirects(response, f"{address(last)}?division=A")


def test_current_without_a_round_leads_to_the_rounds(doris_client: Client) -> None:
    slug = factories.event("Winter-Cup").tournament.slug

    response = doris_client.get(reverse("games:current", args=[slug]))

    assertRedirects(response, f"{reverse('director:rounds', args=[slug])}?division=A", fetch_redirect_response=False)


def test_save_makes_a_row_official_and_goes_on(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    response = doris_client.post(address(round), steps.row(tables[1], "412", " 398 "))

    assertRedirects(response, f"{address(round)}?division=A&after=2")
    saved = steps.official(tables[1])
    assert (saved.outcome, saved.first_points, saved.second_points) == (Outcome.PLAYED, 412, 398)
    assert (saved.by_name, saved.how) == ("doris", Result.How.TYPED)
    assert cursor(doris_client.get(response["Location"]).content.decode()).endswith("table 3")


def test_save_takes_all_rows_that_are_filled(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = {**steps.row(tables[0], "412", "398"), **steps.row(tables[1], "", ""), **steps.row(tables[3], "377", "377")}

    doris_client.post(address(round), data)

    assert [steps.versions(pairing) for pairing in tables] == [[(1, True, 412, 398)], [], [], [(1, True, 377, 377)]]


def test_save_of_nothing_changes_nothing(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    response = doris_client.post(address(round), steps.row(tables[0], "", "  "))

    assertRedirects(response, f"{address(round)}?division=A&after=0")
    assert not Result.objects.exists()


def test_save_goes_to_the_table_typed(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    response = doris_client.post(address(round), {**steps.row(tables[0], "412", "398"), "table": "4"})

    assertRedirects(response, f"{address(round)}?division=A&table=4")
    assert steps.official(tables[0]).first_points == 412


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("4l2", "398", "“4l2” is not valid: enter a whole number from −999 to 9999."),
        ("412", "12.5", "“12.5” is not valid: enter a whole number from −999 to 9999."),
        ("1e3", "398", "“1e3” is not valid: enter a whole number from −999 to 9999."),
        ("٤٠٠", "398", "“٤٠٠” is not valid: enter a whole number from −999 to 9999."),
        ("412", "10000", "“10000” is not valid: enter a whole number from −999 to 9999."),
    ],
)
def test_save_of_a_faulty_row_keeps_it_and_every_other_row(
    doris_client: Client, round: Round, tables: list[Pairing], first: str, second: str, said: str
) -> None:
    data = {
        **steps.row(tables[0], first, second),
        **steps.row(tables[1], "401", ""),
        **steps.row(tables[2], "433", "371"),
    }

    response = doris_client.post(address(round), data)

    assertContains(response, said)
    assertContains(response, f"The points of {tables[1].second.name} are missing.")
    for typed in (first, second, "401"):
        assertContains(response, f'value="{typed}"')
    assert [len(steps.versions(pairing)) for pairing in tables] == [0, 0, 1, 0]
    assert cursor(response.content.decode()).endswith("table 1")


def test_save_marks_the_faulty_field_for_screen_readers(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    response = doris_client.post(address(round), steps.row(tables[0], "412", "x"))

    field = re.search(rf'<input id="p{tables[0].pk}-second_points"[^>]*>', response.content.decode())
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert f'aria-describedby="note-{tables[0].pk}"' in field[0]
    assertContains(response, f'id="note-{tables[0].pk}"')


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("187", "398", ["187 is unusually low (200 to 600 is usual)."]),
        ("412", "601", ["601 is unusually high (200 to 600 is usual)."]),
        ("599", "201", ["A spread of 398 is unusually large (at most 350 is usual)."]),
        ("-5", "398", ["−5 is unusually low", "A spread of 403 is unusually large"]),
        ("412", "1389", ["1389 is unusually high", "A spread of 977 is unusually large"]),
    ],
)
def test_save_asks_once_about_odd_figures(
    doris_client: Client, round: Round, tables: list[Pairing], first: str, second: str, said: list[str]
) -> None:
    asked = doris_client.post(address(round), steps.row(tables[0], first, second))

    for sentence in said:
        assertContains(asked, sentence)
    assert steps.versions(tables[0]) == []

    again = re.search(r'name="p\d+-asked" value="(\w+)"', asked.content.decode())
    assert again is not None
    doris_client.post(address(round), steps.row(tables[0], first, second, asked=again[1]))
    assert steps.versions(tables[0]) == [(1, True, int(first), int(second))]


def test_save_judges_changed_odd_figures_anew(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    asked = doris_client.post(address(round), steps.row(tables[0], "412", "1389"))
    again = re.search(r'name="p\d+-asked" value="(\w+)"', asked.content.decode())
    assert again is not None

    other = doris_client.post(address(round), steps.row(tables[0], "412", "1398", asked=again[1]))

    assertContains(other, "1398 is unusually high")
    assert steps.versions(tables[0]) == []


@pytest.mark.parametrize(("first", "second"), [("200", "550"), ("600", "250"), ("200", "200")])
@pytest.mark.sampled(1)
def test_save_does_not_ask_at_the_border(
    doris_client: Client, round: Round, tables: list[Pairing], first: str, second: str
) -> None:
    doris_client.post(address(round), steps.row(tables[0], first, second))

    assert steps.versions(tables[0]) == [(1, True, int(first), int(second))]


def test_save_twice_is_one_version(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = steps.row(tables[0], "412", "398")

    first, second = doris_client.post(address(round), data), doris_client.post(address(round), data)

    assert (first.status_code, second.status_code) == (302, 302)
    assert steps.versions(tables[0]) == [(1, True, 412, 398)]
    assert JournalEntry.objects.filter(verb="record_result").count() == 1


def test_save_after_somebody_else_shows_both_and_loses_neither(
    doris_client: Client, helper: Client, round: Round, tables: list[Pairing]
) -> None:
    data = steps.row(tables[0], "421", "389")
    helper.post(address(round), steps.row(tables[0], "412", "389"))

    response = doris_client.post(address(round), {**data, **steps.row(tables[1], "500", "400")})

    assertContains(response, "In the meantime eva has entered 412 : 389 for this table. You typed 421 : 389.")
    assertContains(response, 'value="421"')
    assert steps.versions(tables[0]) == [(1, True, 412, 389)]
    assert steps.versions(tables[1]) == [(1, True, 500, 400)]


def test_save_after_somebody_else_stays_refused_until_decided(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    data = steps.row(tables[0], "421", "389")
    factories.result(round, 1, 412, 389)

    for _ in range(2):
        assertContains(doris_client.post(address(round), data), "You typed 421 : 389.")

    assert steps.versions(tables[0]) == [(1, True, 412, 389)]


def test_save_after_a_question_notices_somebody_else(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    asked = doris_client.post(address(round), steps.row(tables[0], "190", "389"))
    values = dict(re.findall(rf'name="(p{tables[0].pk}-(?:seen|asked))" value="([^"]*)"', asked.content.decode()))
    factories.result(round, 1, 412, 389)

    prefix = f"p{tables[0].pk}"
    again = {**values, f"{prefix}-first_points": "190", f"{prefix}-second_points": "389"}
    response = doris_client.post(address(round), again)

    assertContains(response, "You typed 190 : 389.")
    assert steps.versions(tables[0]) == [(1, True, 412, 389)]


def test_keep_leaves_what_is_entered_and_saves_the_rest(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    mine = steps.row(tables[0], "421", "389")
    factories.result(round, 1, 412, 389)

    response = doris_client.post(
        address(round), {**mine, **steps.row(tables[1], "500", "400"), "keep": str(tables[0].pk)}
    )

    assert response.status_code == 302
    assert steps.versions(tables[0]) == [(1, True, 412, 389)]
    assert steps.versions(tables[1]) == [(1, True, 500, 400)]


def test_more_takes_the_scores_to_the_tables_own_page(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    response = doris_client.post(address(round), {**steps.row(tables[0], "4l2", "389"), "more": str(tables[0].pk)})

    own = reverse("games:result", args=[round.division.tournament.slug, tables[0].pk])
    assertRedirects(response, f"{own}?first_points=4l2&second_points=389")
    assertContains(doris_client.get(response["Location"]), 'value="4l2"')


def test_more_saves_the_other_rows_first(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = {**steps.row(tables[0], "", ""), **steps.row(tables[1], "500", "400"), "more": str(tables[0].pk)}

    response = doris_client.post(address(round), data)

    assert response.status_code == 302
    assert steps.versions(tables[1]) == [(1, True, 500, 400)]


def test_more_stays_while_another_row_is_faulty(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = {**steps.row(tables[0], "412", ""), **steps.row(tables[1], "x", "400"), "more": str(tables[0].pk)}

    response = doris_client.post(address(round), data)

    assertContains(response, "“x” is not valid")
    assertContains(response, 'value="412"')


def test_save_says_when_the_round_was_paired_anew(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = steps.row(tables[3], "412", "398")
    Seat.objects.filter(pairing=tables[3]).delete()
    tables[3].delete()

    response = doris_client.post(address(round), data)

    assertContains(response, "You typed 412 : 398 for a table that no longer exists.")


def test_save_says_when_the_players_have_changed(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    data = steps.row(tables[0], "412", "398")
    first, second = Seat.objects.filter(pairing=tables[0]).order_by("side")
    entries = (first.entry_id, second.entry_id)
    second.delete()
    Seat.objects.filter(pk=first.pk).update(entry_id=entries[1])
    Seat.objects.create(pairing=tables[0], round=round, entry_id=entries[0], side=Seat.SECOND)

    response = doris_client.post(address(round), data)

    assertContains(response, "Table 1 has been paired again in the meantime.")
    assertContains(response, 'value="412"')
    assert steps.versions(tables[0]) == []


def test_save_into_a_round_taken_back_keeps_what_was_typed(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    data = steps.row(tables[0], "412", "398")
    unpublish_round(round, actor=factories.director())

    response = doris_client.post(address(round), data)

    assertContains(response, "Round 1 is still a draft. Publish it first, then results can come.")
    assertContains(response, 'value="412"')
    assert steps.versions(tables[0]) == []


def test_save_into_a_closed_round_is_the_directors_to_do(doris_client: Client, division: Division) -> None:
    round = factories.played(division)
    close_round(round, actor=factories.director())
    late = Pairing.objects.filter(round=round).with_players().by_table()[0]
    late.round = round
    withdraw_result(late, actor=factories.director())

    doris_client.post(address(round), steps.row(late, "412", "398"))

    assert steps.versions(late)[-1] == (2, True, 412, 398)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seen", ["", "x", "0", "0-1-2-3", "-", "99999999999999999999-1-2", "0-1-x"])
def test_save_with_a_meddled_page_is_refused(
    doris_client: Client, round: Round, tables: list[Pairing], seen: str
) -> None:
    response = doris_client.post(address(round), steps.row(tables[0], "412", "398", seen=seen))

    assertContains(response, "has been paired again")
    assert steps.versions(tables[0]) == []


@pytest.mark.parametrize("seen", ["0-" * 60, "0-1-2\x00"])
def test_save_with_an_impossible_page_says_what_is_wrong(
    doris_client: Client, round: Round, tables: list[Pairing], seen: str
) -> None:
    response = doris_client.post(address(round), steps.row(tables[0], "412", "398", seen=seen))

    assertContains(response, 'class="note note-bad"')
    assertContains(response, 'value="412"')
    assert steps.versions(tables[0]) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "query", ["?after=" + "9" * 5000, "?after=-1", "?after=x", "?table=" + "9" * 5000, "?table=%00"]
)
def test_grid_opens_whatever_the_address_says(doris_client: Client, round: Round, query: str) -> None:
    assert doris_client.get(address(round) + query).status_code == 200


@pytest.mark.parametrize(
    "name", ["p-first_points", "px-first_points", "p99999999999999999999-first_points", "pٖ-first_points"]
)
def test_save_ignores_fields_that_no_page_has(doris_client: Client, round: Round, name: str) -> None:
    response = doris_client.post(address(round), {name: "412"})

    assert response.status_code == 302


def test_save_of_another_divisions_table_is_not_possible(doris_client: Client, round: Round) -> None:
    other = factories.published(factories.event("Zweiter Cup"))
    pairing = Pairing.objects.filter(round=other).with_players().by_table()[0]

    response = doris_client.post(address(round), steps.row(pairing, "412", "398"))

    assertContains(response, "for a table that no longer exists")
    assert not Result.objects.exists()


def test_save_without_rights_changes_nothing(
    anybody: Client, otto: Client, stranger_client: Client, round: Round, tables: list[Pairing]
) -> None:
    data = steps.row(tables[0], "412", "398")

    statuses = [client.post(address(round), data).status_code for client in (anybody, otto, stranger_client)]

    assert statuses == [302, 404, 404]
    assert not Result.objects.exists()


def test_script_gets_the_row_and_the_progress(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    part = by_script(doris_client, round, steps.row(tables[0], "412", "398"))

    assert f'id="row-{tables[0].pk}"' in part
    assert f'id="row-{tables[1].pk}"' not in part
    assert "1 of 4 results are in" in part
    assert "Table 1 is saved." in part
    keys = [str(pairing.pk) for pairing in tables]
    assert f'data-rows="{" ".join(keys)}" data-open="{" ".join(keys[1:])}"' in part


def test_script_gets_a_refused_row_with_what_was_typed(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    part = by_script(doris_client, round, steps.row(tables[0], "4l2", "398"))

    assert 'value="4l2"' in part
    assert "Table 1 is not saved." in part
    assert "0 of 4 results are in" in part


def test_script_keeps_what_is_entered(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    mine = steps.row(tables[0], "421", "389")
    factories.result(round, 1, 412, 389)

    part = by_script(doris_client, round, {**mine, "keep": str(tables[0].pk)})

    assert ">412<" in tidy(part)
    assert "421" not in re.findall(r"\d+", part)  # a row's key may hold these figures


def test_script_is_told_that_the_session_is_over(anybody: Client, round: Round, tables: list[Pairing]) -> None:
    response = anybody.post(address(round), steps.row(tables[0], "412", "398"), headers={"HX-Request": "true"})

    assert response.status_code == 401


def test_typed_rows_survive_signing_in_again(round: Round, tables: list[Pairing], anybody: Client) -> None:
    data = {**steps.row(tables[0], "412", "398"), **steps.row(tables[2], "4l2", "")}
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")

    away = anybody.post(address(round), data)
    back = anybody.post(away["Location"], {"username": "doris", "password": "doris"}, follow=True)

    assertContains(back, "What you typed is still here, but not saved yet.")
    for typed in ("412", "398", "4l2"):
        assertContains(back, f'value="{typed}"')
    assert not Result.objects.exists()
    assertNotContains(anybody.get(address(round)), 'value="412"')


def test_typed_rows_are_not_shown_to_another_director(round: Round, tables: list[Pairing], anybody: Client) -> None:
    factories.event("Anderer Cup", by=factories.director("otto", factories.organiser("SC Anderswo")))
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")

    away = anybody.post(address(round), steps.row(tables[0], "412", "398"))
    back = anybody.post(away["Location"], {"username": "otto", "password": "otto"}, follow=True)

    assert back.status_code == 404


def test_a_flood_without_a_session_is_not_kept(round: Round, anybody: Client) -> None:
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")

    anybody.post(address(round), {"p1-first_points": "1" * 200_000})

    assert "typed_before_sign_in" not in anybody.session


@pytest.mark.parametrize("players", [2, 12])
def test_grid_takes_the_same_queries_for_any_number_of_tables(
    db: None, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    division = factories.event(players=players)
    round = factories.published(division)
    if players > 2:
        for table in range(1, players // 2, 2):
            factories.result(round, table, 400 + table, 390)
    doris = browser(factories.director().user)

    with django_assert_num_queries(14):
        response = doris.get(address(round))

    assertContains(response, f"of {players // 2} result")


@pytest.mark.parametrize("players", [4, 12])
def test_script_takes_the_same_queries_for_any_number_of_tables(
    db: None, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    division = factories.event(players=players)
    round = factories.published(division)
    pairing = Pairing.objects.filter(round=round).with_players().by_table()[0]
    data = steps.row(pairing, "412", "398")
    doris = browser(factories.director().user)

    with django_assert_num_queries(21) as queries:
        by_script(doris, round, data)
    # With fewer kept than a result takes, each was compiled anew at each result.
    assert len(queries) < CACHED_STATEMENTS


def test_nothing_filled_into_a_row_is_read_as_markup(doris_client: Client, division: Division, round: Round) -> None:
    factories.entry(division, "<b>Bold</b>, {key} & %s")
    factories.entry(division, "Zoe, Z")
    late = factories.published(division)

    response = doris_client.post(
        address(late), steps.row(Pairing.objects.filter(round=late).by_table()[0], '4"><i>', "x")
    )

    assertContains(response, "&lt;b&gt;Bold&lt;/b&gt;, {key} &amp; %s")
    assertContains(response, 'value="4&quot;&gt;&lt;i&gt;"')
    assertNotContains(response, "<b>Bold")


def absent(table: Pairing, outcome: str) -> dict[str, str]:
    return {"absent": f"{table.pk}-{outcome}"}


def test_who_did_not_show_is_noted_in_the_row(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    answer = doris_client.post(
        address(round),
        {**steps.row(tables[0], "412", "398"), **steps.row(tables[1], "", ""), **absent(tables[1], "second_forfeits")},
    )

    assertRedirects(answer, address(round) + "?division=A&after=2")
    found = steps.official(tables[1])
    assert (found.outcome, found.reason, found.version) == (Outcome.SECOND_FORFEITS, AwardReason.NO_SHOW, 1)
    assert steps.versions(tables[0]) == [(1, True, 412, 398)]


def test_who_did_not_show_has_no_points(doris_client: Client, round: Round, tables: list[Pairing]) -> None:
    said = by_script(doris_client, round, {**steps.row(tables[0], "412", ""), **absent(tables[0], "first_forfeits")})

    assert "A game that was not played has no points (412): the reason given is “Did not show (TSO 5.3 a)”." in said
    assert 'value="412"' in said
    assert steps.versions(tables[0]) == []


def test_who_did_not_show_does_not_overrule_somebody_faster(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    typed = {**steps.row(tables[0], "", ""), **absent(tables[0], "both_forfeit")}
    factories.result(round, 1, 412, 398)

    said = by_script(doris_client, round, typed)

    assert "has entered 412 : 398 for this table" in said
    assert steps.versions(tables[0]) == [(1, True, 412, 398)]


@pytest.mark.parametrize("outcome", ["played", "bye", ""])
def test_row_notes_nobody_as_missing_by_another_outcome(
    doris_client: Client, round: Round, tables: list[Pairing], outcome: str
) -> None:
    doris_client.post(address(round), absent(tables[0], outcome))

    assert not Result.objects.exists()
