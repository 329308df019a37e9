"""A table's own page: time, penalties, awards, facts, corrections, and two people on one result."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tournament.basics.names import format_spoken_name
from tournament.core.reports import PlayerReport, Report
from tournament.models import Division, JournalEntry, Pairing, Result, Round
from tournament.results.operations import withdraw_result


def address(pairing: Pairing) -> str:
    return reverse("games:result", args=[pairing.round.division.tournament.slug, pairing.pk])


def grid(pairing: Pairing) -> str:
    return reverse("games:grid", args=[pairing.round.division.tournament.slug, pairing.round.number])


def asked(html: bytes) -> str:
    """What the page remembers of its question."""
    found = re.search(r'name="asked" value="(\w+)"', html.decode())
    assert found is not None
    return found[1]


def save(client: Client, pairing: Pairing, values: dict[str, str]) -> None:
    """Send a table's page, look at what it asks, and send it again."""
    looked = client.post(address(pairing), values)
    again = client.post(address(pairing), {**values, "asked": asked(looked.content)})
    assert again.status_code == 302


@pytest.fixture
def table(tables: list[Pairing]) -> Pairing:
    return tables[0]


def test_page_of_an_open_table_offers_a_played_game(doris_client: Client, table: Pairing) -> None:
    response = doris_client.get(address(table))

    assertContains(response, "Table 1, round 1")
    assertContains(response, f'<legend translate="no">{table.first.name}</legend>')
    assertContains(response, f"{table.second.name} loses by award")
    assertNotContains(response, "Withdraw the result")


def test_page_is_a_directors_own(
    anybody: Client, otto: Client, stranger_client: Client, doris_client: Client, table: Pairing
) -> None:
    assertRedirects(anybody.get(address(table)), f"{reverse('login')}?next={address(table)}")
    assert otto.get(address(table)).status_code == 404
    assert stranger_client.get(address(table)).status_code == 404
    assert doris_client.put(address(table)).status_code == 405


def test_page_of_another_events_table_is_not_found(doris_client: Client, table: Pairing) -> None:
    other = Pairing.objects.filter(round=factories.published(factories.event("Zweiter Cup")))[0]

    assert (
        doris_client.get(reverse("games:result", args=[table.round.division.tournament.slug, other.pk])).status_code
        == 404
    )
    assert (
        doris_client.get(reverse("games:result", args=[table.round.division.tournament.slug, 10**9])).status_code == 404
    )


def test_page_of_a_draft_says_so(doris_client: Client, division: Division) -> None:
    pairing = Pairing.objects.filter(round=factories.draft(division)).select_related("round__division__tournament")[0]

    assertContains(doris_client.get(address(pairing)), "Round 2 is still a draft")


def test_save_of_a_plain_result_asks_nothing(doris_client: Client, table: Pairing) -> None:
    response = doris_client.post(address(table), steps.page(table, "412", "398", note="Brett 7"))

    assertRedirects(response, f"{grid(table)}?division=A&after=1")
    assert Report.of(steps.official(table)) == Report(
        Outcome.PLAYED, PlayerReport(points=412), PlayerReport(points=398), note="Brett 7"
    )


@pytest.mark.parametrize(
    ("overtime", "final"),
    [("0:00", 412), ("0:01", 402), ("1:00", 402), ("1:01", 392), ("5:00", 362)],
    ids=["TSO 5.2 b: 0 s", "TSO 5.2 b: 1 s", "TSO 5.2 b: 60 s", "TSO 5.2 b: 61 s", "TSO 5.2 c: 300 s"],
)
@pytest.mark.sampled(2)
def test_save_takes_the_time_penalty_off(doris_client: Client, table: Pairing, overtime: str, final: int) -> None:
    doris_client.post(address(table), steps.page(table, "412", "398", first_overtime=overtime))

    saved = steps.official(table)
    assert (saved.outcome, saved.first_points, saved.second_points) == (Outcome.PLAYED, final, 398)


def test_save_awards_the_game_beyond_the_limit(doris_client: Client, table: Pairing) -> None:
    values = steps.page(table, "430", "340", first_overtime="5:01")

    looked = doris_client.post(address(table), values)

    assertContains(looked, f"{table.first.name}: 5:01 over, more than 5:00. The game is lost (TSO 5.2 c, TSO 5.3 c).")
    assertContains(looked, f"{table.first.name} −100 and 0 points; {table.second.name} +50 and 400 points")
    assert steps.versions(table) == []

    save(doris_client, table, values)
    saved = steps.official(table)
    assert (saved.outcome, saved.reason, saved.first_overtime) == (Outcome.FIRST_FORFEITS, AwardReason.OVERTIME, 301)
    assert (saved.first_points, saved.second_points) == (430, 340)


def test_save_takes_penalty_points_off_with_their_reason(doris_client: Client, table: Pairing) -> None:
    doris_client.post(
        address(table), steps.page(table, "412", "398", second_penalty="20", penalty_reason="Handy im Spiel")
    )

    saved = steps.official(table)
    assert (saved.second_points, saved.second_penalty, saved.penalty_reason) == (378, 20, "Handy im Spiel")


def test_save_of_penalty_points_without_a_reason_is_refused(doris_client: Client, table: Pairing) -> None:
    response = doris_client.post(address(table), steps.page(table, "412", "398", second_penalty="20"))

    assertContains(response, "Penalty points (20) need a reason.")
    assertContains(response, 'value="412"')
    assert steps.versions(table) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("outcome", "reason", "first", "second", "credited"),
    [
        ("second_forfeits", "no_show", "", "", ("+50 and 400", "−100 and 0")),
        ("first_forfeits", "late", "", "", ("−100 and 0", "+50 and 400")),
        ("second_forfeits", "disqualified", "430", "340", ("+90 and 430", "−140 and 0")),
        ("second_forfeits", "other", "451", "401", ("+50 and 451", "−100 and 0")),
        ("second_forfeits", "overtime", "380", "300", ("+80 and 400", "−130 and 0")),
        ("both_forfeit", "other", "300", "400", ("−150 and 0", "−100 and 0")),
        ("both_forfeit", "no_show", "", "", ("−100 and 0", "−100 and 0")),
    ],
)
def test_save_of_an_award_shows_its_credit_first(
    doris_client: Client, table: Pairing, outcome: str, reason: str, first: str, second: str, credited: tuple[str, str]
) -> None:
    values = steps.page(table, first, second, outcome=outcome, reason=reason)

    looked = doris_client.post(address(table), values)

    assertContains(
        looked, f"{table.first.name} {credited[0]} points; {table.second.name} {credited[1]} points", msg_prefix=reason
    )
    assertContains(looked, "Save award")
    assert steps.versions(table) == []

    save(doris_client, table, values)
    saved = steps.official(table)
    assert (saved.outcome, saved.reason) == (outcome, reason)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"outcome": "first_forfeits"}, "An award needs its reason (TSO 5.3)."),
        ({"reason": "no_show", "first_points": "412", "second_points": "398"}, "is a reason for an award (TSO 5.3)"),
        (
            {"outcome": "first_forfeits", "reason": "no_show", "first_points": "12"},
            "A game that was not played has no points (12)",
        ),
        ({"outcome": "first_forfeits", "reason": "other", "first_points": "12"}, "or none if it never began"),
        ({"first_points": "412"}, "A played game needs the final scores of both players."),
        ({"first_points": "4l2", "second_points": "398"}, "“4l2” is not valid"),
        ({"first_points": "412", "second_points": "398", "first_overtime": "1:75"}, "“1:75” is not a time"),
        ({"first_points": "-999", "second_points": "398", "first_overtime": "1:00"}, "-1009 is out of range"),
        ({"first_points": "412", "second_points": "398", "first_bingos": "21"}, "“21” is not valid"),
        ({"first_points": "412", "second_points": "398", "first_moves": "92 x"}, "“92 x” is not valid"),
        ({"first_points": "412", "second_points": "398", "note": "x" * 401}, "400"),
        ({"outcome": "bye", "first_points": "412", "second_points": "398"}, "bye"),
    ],
)
def test_save_of_faulty_values_is_refused_and_keeps_them(
    doris_client: Client, table: Pairing, values: dict[str, str], said: str
) -> None:
    response = doris_client.post(address(table), steps.page(table, **{"outcome": "played", **values}))

    assertContains(response, said)
    assertContains(response, 'aria-invalid="true"')
    for name in set(values) - {"outcome", "reason"}:
        assertContains(response, f'value="{values[name]}"')
    assert steps.versions(table) == []


def test_save_asks_about_odd_figures(doris_client: Client, table: Pairing) -> None:
    values = steps.page(table, "412", "1389")

    looked = doris_client.post(address(table), values)

    assertContains(looked, "1389 is unusually high (200 to 600 is usual).")
    assert steps.versions(table) == []
    save(doris_client, table, values)
    assert steps.versions(table) == [(1, True, 412, 1389)]


def test_save_keeps_the_facts_for_close_decisions(doris_client: Client, table: Pairing) -> None:
    facts = {"first_bingos": "2", "first_moves": "70 92", "second_bingos": "0", "second_seconds": "24:30"}

    doris_client.post(address(table), steps.page(table, "412", "398", **facts))

    saved = Report.of(steps.official(table))
    assert saved.first == PlayerReport(points=412, bingos=2, moves=(92, 70))
    assert saved.second == PlayerReport(points=398, bingos=0, seconds=1470)
    page = doris_client.get(address(table))
    for shown in ("92 70", "24:30"):
        assertContains(page, f'value="{shown}"')


def test_page_of_an_official_result_shows_it_as_it_was_typed(doris_client: Client, table: Pairing) -> None:
    values = {"first_overtime": "1:12", "second_penalty": "10", "penalty_reason": "zu laut"}
    doris_client.post(address(table), steps.page(table, "412", "398", **values))

    page = doris_client.get(address(table))

    assertContains(page, "392 : 388")
    for shown in ("412", "398", "1:12", "10", "zu laut"):
        assertContains(page, f'value="{shown}"')
    assertContains(page, "doris")


def test_page_shows_an_award_by_the_clock_as_it_was_typed(doris_client: Client, table: Pairing) -> None:
    save(doris_client, table, steps.page(table, "430", "340", first_overtime="6:00"))

    page = doris_client.get(address(table))

    assertContains(page, '<input type="radio" name="outcome" value="played"', html=False)
    assert re.search(r'value="played"[^>]*checked', page.content.decode())
    assertContains(page, 'value="6:00"')


def test_correction_shows_first_what_it_changes(doris_client: Client, division: Division, table: Pairing) -> None:
    for number, scores in enumerate([(450, 350), (440, 360), (430, 370), (420, 380)], 1):
        factories.result(table.round, number, *scores)
    values = steps.page(table, "350", "450")

    looked = doris_client.post(address(table), values)

    first, second = table.first.name, table.second.name
    assertContains(looked, f"{first}: wins 1 → 0, spread +100 → −100, points 450 → 350")
    assertContains(looked, f"{second}: wins 0 → 1, spread −100 → +100, points 350 → 450")
    assertContains(looked, "Ranks in the table after round 1:")
    assertContains(looked, "1 → 8")
    assertContains(looked, "Save correction")
    assert steps.versions(table) == [(1, True, 450, 350)]


def test_correction_is_a_new_version_with_who_and_why(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)

    save(doris_client, table, steps.page(table, "350", "450", why="Zettel verwechselt"))

    assert steps.versions(table) == [(1, False, 450, 350), (2, True, 350, 450)]
    saved = steps.official(table)
    assert (saved.why, saved.by_name) == ("Zettel verwechselt", "doris")
    page = doris_client.get(address(table))
    assertContains(page, "Zettel verwechselt")
    assertContains(page, "450 : 350")
    assert JournalEntry.objects.latest("number").details["why"] == "Zettel verwechselt"


def test_correction_with_changed_values_is_looked_at_anew(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)
    looked = doris_client.post(address(table), steps.page(table, "350", "450"))

    other = doris_client.post(address(table), steps.page(table, "351", "450", asked=asked(looked.content)))

    assertContains(other, "Save correction")
    assert steps.versions(table) == [(1, True, 450, 350)]


def test_correction_to_the_same_values_is_no_version(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)

    response = doris_client.post(address(table), steps.page(table, "450", "350"))

    assert response.status_code == 302
    assert steps.versions(table) == [(1, True, 450, 350)]


def test_correction_twice_is_one_version(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)
    values = steps.page(table, "350", "450")
    sure = {**values, "asked": asked(doris_client.post(address(table), values).content)}

    statuses = [doris_client.post(address(table), sure).status_code for _ in range(2)]

    assert statuses == [302, 302]
    assert steps.versions(table) == [(1, False, 450, 350), (2, True, 350, 450)]


def test_correction_after_somebody_else_shows_both_and_lets_one_decide(
    doris_client: Client, helper: Client, table: Pairing
) -> None:
    factories.result(table.round, 1, 450, 350)
    mine = steps.page(table, "405", "350")
    sure = {**mine, "asked": asked(doris_client.post(address(table), mine).content)}
    save(helper, table, steps.page(table, "455", "350"))

    overtaken = doris_client.post(address(table), sure)

    assertContains(overtaken, "In the meantime eva has entered 455 : 350 for this table. You typed 405 : 350.")
    assertContains(overtaken, "Official now")
    assertContains(overtaken, 'value="405"')
    assertContains(overtaken, "Keep what is entered")
    assert steps.versions(table)[-1] == (2, True, 455, 350)

    seen = re.search(r'name="seen" value="([^"]*)"', overtaken.content.decode())
    assert seen is not None
    doris_client.post(address(table), {**mine, "seen": seen[1], "asked": asked(overtaken.content)})
    assert steps.versions(table)[-1] == (3, True, 405, 350)


def test_first_entry_after_somebody_else_shows_both(doris_client: Client, helper: Client, table: Pairing) -> None:
    mine = steps.page(table, "421", "389")
    helper.post(address(table), steps.page(table, "412", "389"))

    response = doris_client.post(address(table), mine)

    assertContains(response, "In the meantime eva has entered 412 : 389 for this table. You typed 421 : 389.")
    assert steps.versions(table) == [(1, True, 412, 389)]


def test_correction_of_a_withdrawn_result_says_so(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)
    mine = steps.page(table, "405", "350")
    withdraw_result(table, actor=factories.director())

    response = doris_client.post(address(table), mine)

    assertContains(response, "The result of this table has been withdrawn in the meantime. You typed 405 : 350.")
    assert steps.versions(table) == [(1, False, 450, 350)]


def test_typed_result_survives_signing_in_again(anybody: Client, table: Pairing) -> None:
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")

    away = anybody.post(address(table), steps.page(table, "412", "398", first_overtime="1:12"))
    back = anybody.post(away["Location"], {"username": "doris", "password": "doris"}, follow=True)

    assertContains(back, "but not saved yet")
    assertContains(back, 'value="1:12"')
    assert not Result.objects.exists()


def test_preview_says_what_the_figures_come_to(doris_client: Client, table: Pairing) -> None:
    preview = reverse("games:preview", args=[table.round.division.tournament.slug, table.pk])

    part = doris_client.post(preview, steps.page(table, "412", "398", first_overtime="1:12"))

    assertContains(part, f"{table.first.name}: 1:12 over, 20 points off (TSO 5.2 b).")
    assert table.second is not None
    assertContains(part, f"{format_spoken_name(table.second.name)} wins by 6.")
    assert steps.versions(table) == []


def test_figure_after_time_and_penalties_is_not_taken_off_again(doris_client: Client, table: Pairing) -> None:
    values = steps.page(table, "412", "398", first_overtime="1:12", figure="net")

    doris_client.post(address(table), values)

    saved = steps.official(table)
    assert (saved.first_points, saved.second_points, saved.first_overtime) == (412, 398, 72)


def test_figure_is_asked_for_where_something_is_taken_off(doris_client: Client, table: Pairing) -> None:
    both = {"second_penalty": "10", "penalty_reason": "Verspätung"}
    values = steps.page(table, "412", "398", first_overtime="1:12", figure="", **both)

    asked = doris_client.post(address(table), values)

    for figure, score, text in (
        ("gross", "392 : 388", "before time and penalties: take them off"),
        ("net", "412 : 398", "after time and penalties: they are taken off"),
    ):
        assert f'name="figure" value="{figure}"' in asked.content.decode()
        assertContains(asked, f"<b>{score}</b> <span>{text}</span>", html=False)
    assertNotContains(asked, "Not saved. Please look at this again")
    assert steps.versions(table) == []


def test_figure_is_not_asked_for_where_nothing_is_taken_off(doris_client: Client, table: Pairing) -> None:
    doris_client.post(address(table), steps.page(table, "412", "398", figure=""))

    assert steps.versions(table) == [(1, True, 412, 398)]


def test_scores_typed_in_the_grid_are_not_taken_off_twice(doris_client: Client, round: Round, table: Pairing) -> None:
    doris_client.post(f"/director/herbst-cup/results/{round.number}/", steps.row(table, "392", "398"))
    opened = doris_client.get(address(table)).context["form"]
    values = steps.page(table, "392", "398", first_overtime="1:12", figure="")

    asked = doris_client.post(address(table), values)
    values["figure"] = "net"
    save(doris_client, table, values)

    assert opened["figure"].value() is None
    assertContains(asked, "<b>372 : 398</b>")
    assertContains(asked, "<b>392 : 398</b>")
    assert steps.versions(table)[-1] == (2, True, 392, 398)


def test_correction_shows_the_figures_before_what_was_taken_off(doris_client: Client, table: Pairing) -> None:
    doris_client.post(address(table), steps.page(table, "392", "398", first_overtime="1:12", figure="net"))

    form = doris_client.get(address(table)).context["form"]

    assert (form["figure"].value(), form["first_points"].value()) == ("gross", 412)


def test_preview_shows_both_figures(doris_client: Client, table: Pairing) -> None:
    preview = reverse("games:preview", args=[table.round.division.tournament.slug, table.pk])
    values = steps.page(table, "412", "398", first_overtime="1:12")

    parts = [doris_client.post(preview, {**values, "figure": figure}) for figure in ("gross", "net", "")]

    assertContains(parts[0], f"{table.first.name}: 412 before, 20 off, 392 count.")
    assertContains(parts[1], f"{table.first.name}: 432 before, 20 off, 412 count.")
    for part, pressed in zip(parts, ("gross", "net", None), strict=True):
        found = re.findall(r'name="figure" value="(gross|net)" aria-pressed="(true|false)"', part.content.decode())
        buttons = dict(found)
        assert buttons == {figure: str(figure == pressed).lower() for figure in ("gross", "net")}


def test_typing_takes_back_what_was_looked_at(doris_client: Client, table: Pairing) -> None:
    """Else a button that says “look” would save what happens to be typed again as it was."""
    preview = reverse("games:preview", args=[table.round.division.tournament.slug, table.pk])

    for values in (steps.page(table, "412", "398"), steps.page(table, "x", "398")):
        assertContains(
            doris_client.post(preview, values),
            '<input type="hidden" name="asked" value="" id="asked" hx-swap-oob="true">',
        )


def test_event_without_a_clock_says_nothing_of_time(db: None) -> None:
    division = factories.event("Ohne Uhr", players=4, minutes=None)
    table = Pairing.objects.get(round=factories.published(division), table=1)
    doris = browser(factories.director().user)

    pages = [doris.get(f"/director/ohne-uhr/{place}/") for place in (f"result/{table.pk}", "results/1")]

    for page in pages:
        for word in ("Overtime", "Time used", "Time, penalty", "time and penalties", "over costs"):
            assertNotContains(page, word)
    asked = doris.post(
        f"/director/ohne-uhr/result/{table.pk}/",
        steps.page(table, "412", "398", figure="", first_penalty="10", penalty_reason="Verspätung"),
    )
    assertContains(asked, "<b>402 : 398</b> <span>before penalties: take them off</span>")


def test_answer_about_the_slip_is_kept_while_something_else_is_faulty(doris_client: Client, table: Pairing) -> None:
    asked = doris_client.post(address(table), steps.page(table, "412", "x", first_overtime="1:12", figure="net"))

    assertContains(asked, '<input type="hidden" name="figure" value="net">')


def test_lines_without_anything_in_them_stay_folded(doris_client: Client, table: Pairing) -> None:
    asked = doris_client.post(address(table), steps.page(table, "412", "x", figure=""))

    assert asked.context["opened"] == set()


def test_preview_is_quiet_while_figures_are_faulty(doris_client: Client, table: Pairing) -> None:
    preview = reverse("games:preview", args=[table.round.division.tournament.slug, table.pk])

    part = doris_client.post(preview, steps.page(table, "4", ""))

    assertNotContains(part, "points off")
    assertContains(part, "Save")


def test_preview_is_a_directors_own(anybody: Client, otto: Client, doris_client: Client, table: Pairing) -> None:
    preview = reverse("games:preview", args=[table.round.division.tournament.slug, table.pk])

    assert anybody.post(preview).status_code == 302
    assert otto.post(preview).status_code == 404
    assert doris_client.get(preview).status_code == 405


@pytest.fixture
def bye(division: Division) -> Pairing:
    factories.entry(division, "Solo, Sina")
    round = factories.published(division)
    found = Pairing.objects.select_related("round__division__tournament").with_players()
    return found.get(round=round, kind=Pairing.Kind.BYE)


def test_bye_becomes_an_absence(doris_client: Client, bye: Pairing) -> None:
    values = steps.page(bye, outcome="absent")

    looked = doris_client.post(address(bye), values)

    assertContains(looked, "Credited: −100 and 0 points.")
    save(doris_client, bye, values)
    bye.refresh_from_db()
    assert (steps.official(bye).outcome, bye.kind) == (Outcome.ABSENT, Pairing.Kind.ABSENT)


def test_bye_takes_a_spread_of_its_own(doris_client: Client, bye: Pairing) -> None:
    save(doris_client, bye, steps.page(bye, outcome="bye", spread="100"))

    assert steps.official(bye).spread == 100


@pytest.mark.parametrize("values", [{"outcome": "bye", "spread": "1000"}, {"outcome": "played"}, {"outcome": ""}])
@pytest.mark.sampled(1)
def test_bye_refuses_what_is_not_possible(doris_client: Client, bye: Pairing, values: dict[str, str]) -> None:
    response = doris_client.post(address(bye), steps.page(bye, **values))

    assertContains(response, "Not saved. Please look at this again:")
    assert len(steps.versions(bye)) == 1


def test_withdraw_shows_first_what_it_changes(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)

    page = doris_client.get(reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk]))

    assertContains(page, "450 : 350")
    assertContains(page, f"{table.first.name}: wins 1 → 0")
    assert steps.versions(table) == [(1, True, 450, 350)]


def test_withdraw_says_what_is_open_again(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)

    page = doris_client.get(reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk]))

    assertContains(page, "The table is open again then.")
    assertContains(page, "This also reopens round 1, which is closed.")


def test_withdraw_of_a_bye_is_neither_offered_nor_done(doris_client: Client, bye: Pairing) -> None:
    withdraw = reverse("games:withdraw", args=[bye.round.division.tournament.slug, bye.pk])

    assertNotContains(
        doris_client.get(reverse("games:result", args=[bye.round.division.tournament.slug, bye.pk])), withdraw
    )
    assertContains(doris_client.get(withdraw), "Without an opponent there is no game to be open again.")
    assertContains(
        doris_client.post(withdraw, {**steps.page(bye), "why": "falscher Tisch"}),
        "Without an opponent there is no game to be open again.",
    )
    assert Result.objects.get(pairing=bye, official=True).outcome == Outcome.BYE


def test_withdraw_opens_the_table_and_keeps_the_version(doris_client: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 450, 350)
    withdraw = reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk])

    response = doris_client.post(withdraw, {**steps.page(table), "why": "falscher Tisch"}, follow=True)

    assertContains(response, "0 of 4 results are in")
    assert steps.versions(table) == [(1, False, 450, 350)]
    assert JournalEntry.objects.latest("number").details["why"] == "falscher Tisch"


def test_withdraw_of_what_somebody_has_just_corrected_is_refused(
    doris_client: Client, helper: Client, table: Pairing
) -> None:
    factories.result(table.round, 1, 450, 350)
    withdraw = reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk])
    values = steps.page(table)
    save(helper, table, steps.page(table, "405", "350"))

    response = doris_client.post(withdraw, values, follow=True)

    assertContains(response, "In the meantime eva has entered 405 : 350 for this table. Nothing was withdrawn.")
    assert steps.versions(table)[-1] == (2, True, 405, 350)


@pytest.mark.parametrize("why", ["x" * 201, "a\x00b"])
def test_withdraw_with_a_faulty_why_is_refused(doris_client: Client, table: Pairing, why: str) -> None:
    factories.result(table.round, 1, 450, 350)
    withdraw = reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk])

    response = doris_client.post(withdraw, {**steps.page(table), "why": why})

    assertContains(response, "Not saved. Please look at this again:")
    assert steps.versions(table) == [(1, True, 450, 350)]


def test_withdraw_of_an_open_table_has_nothing_to_do(doris_client: Client, table: Pairing) -> None:
    withdraw = reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk])

    assertContains(doris_client.get(withdraw), "Nothing to withdraw")
    assertContains(doris_client.post(withdraw, steps.page(table), follow=True), "This table has no official result.")


def test_withdraw_is_a_directors_own(anybody: Client, otto: Client, doris_client: Client, table: Pairing) -> None:
    withdraw = reverse("games:withdraw", args=[table.round.division.tournament.slug, table.pk])

    assert anybody.post(withdraw).status_code == 302
    assert otto.post(withdraw).status_code == 404
    assert doris_client.delete(withdraw).status_code == 405


def test_page_of_a_late_result_in_a_closed_round_saves(
    doris_client: Client, round: Round, tables: list[Pairing]
) -> None:
    for number in range(1, 5):
        factories.result(round, number, 420, 380)
    factories.published(factories.fresh(round.division))

    save(doris_client, tables[2], steps.page(tables[2], "401", "399"))

    assert steps.versions(tables[2])[-1] == (2, True, 401, 399)


def test_correction_names_ranks_of_one_table_only(db: None) -> None:
    """Beside what a correction changes in the newest table, the ranks before the round were a second kind of place."""
    division = factories.event(players=4, rounds=3)
    factories.played(division)
    round = factories.published(factories.fresh(division))
    doris = browser(factories.director().user)
    (table, *_others) = Pairing.objects.filter(round=round).by_table()
    page = reverse("games:result", args=[division.tournament.slug, table.pk])

    assert "Rank 1 · wins: 1" in doris.get(page).text
    factories.result(round, table.table or 0, 400, 380)
    assert "· wins:" not in doris.get(page).text
