"""Results of the knock-out: the grid, a game's own page, withdrawing, and the question before played games go."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.entry.results_grid import load_results_grid
from games.models import Line, Scoresheet
from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tests.markup import tidy
from tests.tournament.knockout import knockouts
from tournament.core.change import change
from tournament.entries.operations.attendance import withdraw_entry
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.operations import confirm_seeds
from tournament.models import Division, JournalEntry, Pairing, Result
from tournament.results.operations import record_result, withdraw_result


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Four players in single games with a match for third place; nothing of the knock-out is played."""
    return knockouts.seeded(third_place=True)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def final(division: Division) -> Result:
    """The official result of the final, 431 : 388, after both semi-finals."""
    knockouts.semis(division)
    return knockouts.play(division, 2, 1, 1, 431, 388)


@pytest.fixture
def doris_client(division: Division) -> Client:
    return browser(factories.director().user)


def grid(division: Division, number: int) -> str:
    return reverse("games:grid", args=[division.tournament.slug, number])


def page(pairing: Pairing, name: str = "result") -> str:
    return reverse(f"games:{name}", args=[pairing.round.division.tournament.slug, pairing.pk])


def test_grid_is_called_by_stage_and_game(doris_client: Client, division: Division) -> None:
    response = doris_client.get(grid(division, 1101))

    shown = tidy(response.content.decode())
    assert "Semi-final</h1>" in shown
    assert "1101</h1>" not in shown


def test_grid_of_several_games_names_the_game(doris_client: Client, db: None) -> None:
    division = knockouts.seeded(form="double")

    response = browser(factories.director().user).get(grid(division, 1102))

    assert "Semi-final, game 2</h1>" in tidy(response.content.decode())


def test_open_match_is_told_in_the_order_of_the_names_beside_it(db: None) -> None:
    """The second game is begun by the other player, so the same two wins stand the other way round."""
    division = knockouts.seeded(form="best_of", best_of=5)
    knockouts.play(division, 1, 1, 1, 431, 388)
    other = knockouts.game(division, 1, 1, 2)
    knockouts.play(division, 1, 1, 2, 380, 401)

    rows = load_results_grid(other.round, factories.director()).rows

    assert [row.state for row in rows if row.pairing == other] == ["offen 0 : 2"]


def test_grid_saves_and_the_final_is_there(doris_client: Client, division: Division) -> None:
    for position in (1, 2):
        doris_client.post(grid(division, 1101), steps.row(knockouts.game(division, 1, position), "420", "380"))

    assertContains(doris_client.get(grid(division, 1201)), knockouts.field(division)[1].name)


def test_results_lead_to_the_round_of_the_knockout_that_is_open(doris_client: Client, division: Division) -> None:
    knockouts.semis(division)

    response = doris_client.get(reverse("games:current", args=[division.tournament.slug]))

    assertRedirects(response, f"{grid(division, 1201)}?division=A")


def test_grid_asks_before_played_games_go_and_a_second_press_confirms(doris_client: Client, db: None) -> None:
    division = knockouts.seeded(2, form="best_of", best_of=3)
    knockouts.play(division, 1, 1, 1, 420, 380)
    knockouts.play(division, 1, 1, 2, 420, 380)
    third = knockouts.play(division, 1, 1, 3, 420, 380)
    first = knockouts.game(division, 1)
    withdraw_result(first, actor=factories.director())
    typed = steps.row(first, "333", "444")

    asked = doris_client.post(grid(division, 1101), typed)

    row = asked.context["grid"].rows[0]
    assertContains(asked, 'value="333"')
    assertContains(asked, "420 : 380")
    assert Result.objects.filter(pk=third.pk).exists()

    by_script = doris_client.post(grid(division, 1101), typed, headers={"HX-Request": "true"})
    assertContains(by_script, f'name="p{first.pk}-disturbs" value="{third.pk}"')

    again = {f"p{first.pk}-asked": row.asked, f"p{first.pk}-disturbs": row.disturbs}
    other = doris_client.post(grid(division, 1101), {**typed, **again, f"p{first.pk}-first_points": "334"})
    assertContains(other, "420 : 380")
    doris_client.post(grid(division, 1101), {**typed, **again})

    assert not Result.objects.filter(pk=third.pk).exists()
    assert steps.official(first).first_points == 333


def test_page_is_called_by_match_and_game(doris_client: Client, division: Division) -> None:
    response = doris_client.get(page(knockouts.game(division, 1, 2)))

    assertContains(response, "Semi-final 2")
    assertContains(response, reverse("director:knockout", args=[division.tournament.slug]))


def test_correction_names_before_saving_what_it_decides_and_disturbs(
    doris_client: Client, division: Division, final: Result
) -> None:
    semi = knockouts.game(division, 1)
    first, second, _third, fourth, *_rest = knockouts.field(division)

    response = doris_client.post(page(semi), steps.page(semi, "380", "420"))

    assertContains(response, f"{first.name} wins 420 : 380, by points → {fourth.name} wins 420 : 380, by points")
    assertContains(response, f"Final: {first.name} – {second.name} 431 : 388")
    assertContains(response, f"To be played: Final: {fourth.name} – {second.name}")
    assertContains(response, f'name="disturbs" value="{final.pk}"')
    assertContains(response, 'value="380"')
    assertNotContains(response, "Somebody was faster")
    assertNotContains(response, "Ranks in the table")
    assert steps.official(semi).first_points == 420


def test_correction_is_saved_at_the_second_press(doris_client: Client, division: Division, final: Result) -> None:
    semi = knockouts.game(division, 1)
    asked = doris_client.post(page(semi), steps.page(semi, "380", "420")).context["review"]

    confirmed = {"asked": asked["asked"], "disturbs": asked["consequences"].knockout.agreed}
    doris_client.post(page(semi), steps.page(semi, "380", "420", **confirmed))

    assert steps.official(semi).first_points == 380
    assert not Result.objects.filter(pk=final.pk).exists()
    assert knockouts.games(division)[2, 1, 1] == ("P04", "P02")


@pytest.mark.long
def test_correction_asks_again_when_more_was_played_meanwhile(
    doris_client: Client, division: Division, final: Result
) -> None:
    semi = knockouts.game(division, 1)
    asked = doris_client.post(page(semi), steps.page(semi, "380", "420")).context["review"]
    third = knockouts.play(division, 2, 2, 1, 300, 310)

    confirmed = {"asked": asked["asked"], "disturbs": asked["consequences"].knockout.agreed}
    response = doris_client.post(page(semi), steps.page(semi, "380", "420", **confirmed))

    assertContains(response, "300 : 310")
    assertContains(response, f'name="disturbs" value="{final.pk}-{third.pk}"')
    assert steps.official(semi).first_points == 420


def test_correction_that_decides_nothing_otherwise_says_so(
    doris_client: Client, division: Division, final: Result
) -> None:
    semi = knockouts.game(division, 1)

    response = doris_client.post(page(semi), steps.page(semi, "421", "380"))

    assert response.context["review"]["consequences"].knockout.disturbed == ()
    assertContains(response, "wins 421 : 380")


def test_forfeit_in_a_game_of_the_knockout(doris_client: Client, division: Division) -> None:
    semi = knockouts.game(division, 1)
    award = {"outcome": "first_forfeits", "reason": "no_show"}
    asked = doris_client.post(page(semi), steps.page(semi, **award)).context["review"]

    doris_client.post(page(semi), steps.page(semi, **award, asked=asked["asked"]))

    assert knockouts.match(division, 1).decided_by == "forfeit"


@pytest.mark.long
def test_withdrawing_names_what_it_disturbs_and_takes_it_along(
    doris_client: Client, division: Division, final: Result
) -> None:
    semi = knockouts.game(division, 1)

    asked = doris_client.get(page(semi, "withdraw"))
    assertContains(asked, "431 : 388")
    doris_client.post(page(semi, "withdraw"), {"seen": asked.context["seen"], "disturbs": str(final.pk)})

    assert not Result.objects.filter(pk=final.pk).exists()
    assert not Pairing.objects.filter(round__stage=2).exists()


def test_withdrawing_without_having_asked_is_refused(doris_client: Client, division: Division, final: Result) -> None:
    semi = knockouts.game(division, 1)
    seen = doris_client.get(page(semi, "withdraw")).context["seen"]

    response = doris_client.post(page(semi, "withdraw"), {"seen": seen}, follow=True)

    assertContains(response, "431 : 388")
    assert Result.objects.filter(pk=final.pk).exists()


def test_correction_in_the_league_says_what_it_does_to_the_seeding(doris_client: Client, db: None) -> None:
    division = factories.event(players=4, rounds=1)
    round = factories.played(division, (450, 350), (440, 360))
    knockouts.announce(division, 2)
    confirm_seeds(division, actor=factories.director())
    pairing = Pairing.objects.select_related("round__division__tournament").with_players().get(round=round, table=2)

    response = doris_client.post(page(pairing), steps.page(pairing, "360", "440"))

    first, _second, third, fourth = knockouts.field(division)
    changes = response.context["review"]["consequences"].seeding
    assert list(changes) == [(fourth.name, None, 2), (third.name, 2, None)]
    assertContains(response, "its seeding would be different")
    assert first.name not in {name for name, _before, _after in changes}


def test_what_hangs_on_a_disturbed_game_goes_and_comes_back_with_it(division: Division, final: Result) -> None:
    pairing = knockouts.game(division, 2)
    with change(division.tournament, actor=factories.director(), verb="begin_sheet") as log:
        sheet = log.create(Scoresheet(pairing=pairing, keeper=Scoresheet.Keeper.OTHER))
        line = log.create(Line(scoresheet=sheet, number=1, side=1, kind=Line.Kind.PLAY, points=20))

    knockouts.play(division, 1, 1, 1, 380, 420, disturb=[final.pk])
    gone = (Scoresheet.objects.exists(), Line.objects.exists())
    undo_journal_entry(JournalEntry.objects.latest("number"), actor=factories.director())

    assert gone == (False, False)
    assert Line.objects.get().pk == line.pk
    assert Scoresheet.objects.get().pairing_id == pairing.pk
    assert knockouts.replayed(division) == []


@pytest.mark.parametrize(("size", "players"), [(4, 6), (8, 10)])
def test_saving_takes_the_same_queries_for_any_size(
    size: int, players: int, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    division = knockouts.seeded(size, players=players)
    pairing = knockouts.game(division, 1)
    report, doris = knockouts.report(420, 380), factories.director()

    with django_assert_num_queries(23):
        record_result(pairing, report=report, actor=doris, expected_version=0)


def test_score_of_somebody_who_has_withdrawn_is_asked_about_once(doris_client: Client, division: Division) -> None:
    knockouts.play(division, 1, 1, 1, 431, 388)
    winner = knockouts.game(division, 1, 1, 1).first
    assert winner is not None
    withdraw_entry(winner, actor=factories.director())
    knockouts.play(division, 1, 2, 1, 431, 388)
    final = knockouts.game(division, 2, 1, 1)
    address, question = grid(division, final.round.number), f"{winner.name} has withdrawn. Was this game played"

    asked = doris_client.post(address, steps.row(final, "431", "388"))

    assertContains(asked, question)
    assert steps.versions(final) == []
    looked = doris_client.post(page(final), {"outcome": "played", "first_points": "431", "second_points": "388"})
    assertContains(looked, question)
    again = re.search(r'name="p\d+-asked" value="(\w+)"', asked.content.decode())
    assert again is not None
    doris_client.post(address, steps.row(final, "431", "388", asked=again[1]))
    assert steps.versions(final) == [(1, True, 431, 388)]
