"""The director's page of the knock-out."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from scoring.awards import Outcome
from scoring.knockout_values import FactKind, MatchCriterion
from tests import factories
from tests.games.conftest import browser
from tests.tournament.knockout import knockouts
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import withdraw_entry
from tournament.knockout.operations import draw_match_lot
from tournament.models import Division, Knockout, MatchLot, NotRecorded, Seed
from tournament.results.operations import record_result
from tournament.table.league import load_table


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return knockouts.league()


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    return factories.fresh(league_of_module)


@pytest.fixture(scope="module")
def seeded_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded()


@pytest.fixture
def semifinals(seeded_of_module: Division, db: None) -> Division:
    """Seeded for two semi-finals of single games."""
    return factories.fresh(seeded_of_module)


@pytest.fixture
def doris_client(db: None) -> Client:
    return browser(factories.director().user)


def page(division: Division, name: str = "knockout", *args: object) -> str:
    return reverse(f"director:{name}", args=[division.tournament.slug, *args])


def seeds(*keys: int) -> dict[str, str]:
    """The form with these entries, best first."""
    return {f"seed_{number}": str(key) for number, key in enumerate(keys, 1)}


ANNOUNCED = {"size": "4", "form": "best_of", "best_of": "3", "first_criterion": "playing_time", "third_place": "on"}


def test_nothing_announced_offers_to_announce(doris_client: Client, league: Division) -> None:
    response = doris_client.get(page(league))

    assertContains(response, page(league, "announce_knockout"))


def test_announcing(doris_client: Client, league: Division) -> None:
    assert doris_client.get(page(league, "announce_knockout")).status_code == 200
    response = doris_client.post(page(league, "announce_knockout"), ANNOUNCED, follow=True)

    bracket = Knockout.objects.get(division=league)
    assert (bracket.size, bracket.best_of, bracket.criteria, bracket.third_place) == (4, 3, ["playing_time"], True)
    assertContains(response, "best of 3 games (TSO 6.2.3)")
    assertNotContains(response, "are entered")


def test_announcing_for_more_players_than_are_entered_is_told(doris_client: Client, league: Division) -> None:
    entered = league.entries.filter(withdrawn_after=None).count()

    response = doris_client.post(
        page(league, "announce_knockout"), {**ANNOUNCED, "size": str(entered + 2)}, follow=True
    )

    assertContains(response, f"only {entered} are entered")


def test_announcing_badly_keeps_what_was_typed(doris_client: Client, league: Division) -> None:
    response = doris_client.post(page(league, "announce_knockout"), {**ANNOUNCED, "size": "99", "best_of": "4"})

    assertContains(response, 'value="99"')
    assertContains(response, 'value="4"')
    assertContains(response, "“99” is not valid")
    assertContains(response, "Best of 4 is not possible")
    assert not Knockout.objects.filter(division=league).exists()


def names(response: Any) -> list[list[str]]:
    """Who plays in each match of the bracket shown, stage by stage."""
    stages = response.context["stages"]
    return [[line.text for card in stage.matches for line, _name in card.sides] for stage in stages]


def test_the_bracket_beside_the_form_has_the_names_of_the_table(doris_client: Client, league: Division) -> None:
    first, second, third, fourth = [row.entry.name for row in load_table(league).rows][:4]

    offered = doris_client.get(page(league, "announce_knockout"))
    shown = doris_client.post(
        page(league, "announce_knockout"), {**ANNOUNCED, "size": "3", "third_place": "", "show": "on"}
    )

    assert names(offered) == [[first, fourth, second, third], ["winner of Semi-final 1", "winner of Semi-final 2"]]
    assert names(shown) == [[first, "bye", second, third], [first, "winner of Semi-final 2"]]
    assertContains(shown, "3 players, best of 3 games (TSO 6.2.3)")
    assert not Knockout.objects.filter(division=league).exists()


def test_before_the_first_round_the_bracket_shows_seeds(doris_client: Client) -> None:
    division = factories.event(players=6, rounds=1)

    shown = doris_client.post(page(division, "announce_knockout"), {"size": "8", "form": "single", "show": "on"})

    assert names(shown)[0][:4] == ["seed 1", "seed 8", "seed 4", "seed 5"]
    assertContains(shown, "only 6 are entered. The seeding needs all 8.")


def test_with_fewer_players_than_places_the_names_there_are_shown(doris_client: Client, league: Division) -> None:
    entered = league.entries.count()

    shown = doris_client.post(page(league, "announce_knockout"), {"size": "64", "form": "single", "show": "on"})

    assert sum(not name.startswith("seed ") for name in names(shown)[0]) == entered
    assert [len(stage) for stage in names(shown)] == [64, 32, 16, 8, 4, 2]


def test_what_cannot_be_announced_is_told_beside_the_form_and_blamed_when_sent(
    doris_client: Client, league: Division
) -> None:
    typed = {"size": "2", "form": "single", "third_place": "on"}

    asked = doris_client.post(page(league, "announce_knockout"), {**typed, "show": "on"})
    sent = doris_client.post(page(league, "announce_knockout"), typed)

    assertContains(asked, "needs 4 players in the knock-out")
    assertNotContains(asked, "Not saved.")
    assertContains(sent, "Not saved.")


@pytest.mark.parametrize(
    ("move", "order"),
    [
        ("add own", ["decider_game", "playing_time", "own"]),
        ("add playing_time", ["decider_game", "playing_time"]),
        ("drop decider_game", ["playing_time"]),
        ("earlier playing_time", ["playing_time", "decider_game"]),
        ("earlier decider_game", ["decider_game", "playing_time"]),
        ("later decider_game", ["playing_time", "decider_game"]),
        ("later playing_time", ["decider_game", "playing_time"]),
        ("drop own", ["decider_game", "playing_time"]),
        ("what", ["decider_game", "playing_time"]),
    ],
)
@pytest.mark.sampled(3)
def test_a_chip_moves_in_the_order_and_nothing_typed_is_lost(
    doris_client: Client, league: Division, move: str, order: list[str]
) -> None:
    typed = {
        **ANNOUNCED,
        "best_of": "9",
        "size": "6",
        "first_criterion": "decider_game",
        "second_criterion": "playing_time",
        "own_criterion": "who laid the longest word",
    }

    shown = doris_client.post(page(league, "announce_knockout"), {**typed, "move": move})

    form = shown.context["form"]
    assert [criterion for criterion, _name in form.order] == order
    assert {criterion for criterion, _name in form.criteria_left} == set(map(str, MatchCriterion)) - set(order)
    assert (form["size"].value(), form["best_of"].value(), form["third_place"].value()) == ("6", "9", True)
    assertContains(shown, 'value="who laid the longest word"')
    assert not Knockout.objects.filter(division=league).exists()


@pytest.mark.parametrize(("sent", "size"), [(["8", ""], 8), (["8", "12"], 8), (["", "12"], 12), (["12"], 12)])
@pytest.mark.sampled(1)
def test_a_step_or_any_other_number(doris_client: Client, league: Division, sent: list[str], size: int) -> None:
    doris_client.post(page(league, "announce_knockout"), {"size": sent, "form": "single", "best_of": ["3", ""]})

    bracket = Knockout.objects.get(division=league)
    assert (bracket.size, bracket.best_of) == (size, None)


def test_announcing_what_somebody_has_changed_meanwhile_shows_theirs(doris_client: Client, league: Division) -> None:
    shown = league.tournament.revision
    knockouts.announce(league, 8, form="double")

    response = doris_client.post(page(league, "announce_knockout"), {**ANNOUNCED, "revision": shown})

    assertContains(response, "Knock-out announced: 8 players")
    assert Knockout.objects.get(division=league).size == 8


@pytest.mark.parametrize("rounds", [0, 1])
def test_the_seeding_is_offered_after_the_last_round_only(rounds: int, doris_client: Client) -> None:
    division = factories.event(players=4, rounds=2)
    for _round in range(rounds):
        factories.played(division)
    knockouts.announce(division, 4)

    waiting = doris_client.get(page(division))
    early = doris_client.get(f"{page(division)}?early=1")
    for _round in range(2 - rounds):
        factories.played(division)
    ready = doris_client.get(page(division))

    assert "form" not in waiting.context
    assertContains(waiting, f"{rounds} of 2 planned rounds are published.")
    assert "accept_missing" in early.context["form"].fields
    assert "accept_missing" not in ready.context["form"].fields


def test_the_seeding_waits_for_open_results(doris_client: Client) -> None:
    division = factories.event(players=4, rounds=1)
    made = factories.published(division)
    factories.result(made, 1, 420, 380)
    knockouts.announce(division, 4)

    waiting = doris_client.get(page(division))

    assert "form" not in waiting.context
    assertContains(waiting, "1 result is missing.")


def test_without_a_plan_the_seeding_is_offered_beside_the_next_round(doris_client: Client) -> None:
    division = factories.event(players=4, rounds=0)
    knockouts.announce(division, 4)
    before = doris_client.get(page(division))
    factories.played(division)

    assertContains(before, "Nothing is played yet: the highest rating comes first.")
    assertContains(doris_client.get(page(division, "console")), page(division))
    assert "form" in doris_client.get(page(division)).context


def test_the_seeding_shows_the_table(doris_client: Client, league: Division) -> None:
    knockouts.announce(league, 4)
    field = knockouts.field(league)
    withdraw_entry(field[0], actor=factories.director())

    response = doris_client.get(page(league))

    assertNotContains(response, f"1 · {field[0].name}")
    assertContains(response, field[2].name)


def test_confirming_the_seeding(doris_client: Client, league: Division) -> None:
    knockouts.announce(league, 2)
    field = knockouts.field(league)

    response = doris_client.post(page(league), seeds(field[3].pk, field[0].pk), follow=True)

    assert [seed.entry for seed in Seed.objects.filter(knockout__division=league).order_by("number")] == [
        field[3],
        field[0],
    ]
    assertContains(response, "starts")


def test_confirming_the_same_player_twice_keeps_what_was_chosen(doris_client: Client, league: Division) -> None:
    knockouts.announce(league, 2)
    field = knockouts.field(league)

    response = doris_client.post(page(league), seeds(field[3].pk, field[3].pk))

    assertContains(response, "is in the seeding twice")
    assertContains(response, f'<option value="{field[3].pk}" selected', 2)


def test_confirming_too_few_says_so(doris_client: Client, league: Division) -> None:
    knockouts.announce(league, 2)

    response = doris_client.post(page(league), seeds(knockouts.field(league)[3].pk))

    assertContains(response, "The knock-out is for 2 players; 1 are seeded.")


def test_confirming_while_results_are_missing_asks(doris_client: Client, league: Division) -> None:
    Division.objects.filter(pk=league.pk).update(plan=[{"rounds": [1, 2], "method": "swiss"}])
    factories.published(factories.fresh(league))
    knockouts.announce(league, 2)
    chosen = seeds(*(entry.pk for entry in knockouts.field(league)[:2]))

    asked = doris_client.post(page(league), chosen)
    doris_client.post(page(league), {**chosen, "accept_missing": "on"})

    assertContains(asked, "results missing: 3")
    assert Seed.objects.filter(knockout__division=league).count() == 2


def test_confirming_what_somebody_has_confirmed_shows_theirs(doris_client: Client, semifinals: Division) -> None:
    before = list(Seed.objects.filter(knockout__division=semifinals).values_list("entry", flat=True))

    response = doris_client.post(
        page(semifinals), seeds(*(entry.pk for entry in knockouts.field(semifinals)[2:])), follow=True
    )

    assertContains(response, "The seeding of the knock-out is confirmed.")
    assert list(Seed.objects.filter(knockout__division=semifinals).values_list("entry", flat=True)) == before


def test_level_across_the_last_place_is_said(doris_client: Client, db: None) -> None:
    division = factories.event(players=4, rounds=1)
    factories.played(division, (400, 380), (400, 380))
    knockouts.announce(division, 3)

    response = doris_client.get(page(division))

    assertContains(response, "Tied for the last place")


def test_the_bracket_shows_matches_games_and_who_starts(doris_client: Client) -> None:
    division = knockouts.seeded(form="double", third_place=True)
    knockouts.play(division, 1, 1, 1, 420, 380)
    first, _second, _third, fourth, *_rest = knockouts.field(division)

    response = doris_client.get(page(division))

    assertContains(response, "Semi-final 1")
    assertContains(response, "Match for third place")
    assertContains(response, "420 : 380")
    assertContains(response, f'{fourth.name} <span class="why">starts</span>')
    assertContains(response, "winner of Semi-final 2")
    assertContains(response, reverse("games:result", args=[division.tournament.slug, knockouts.game(division, 1).pk]))
    assertContains(response, first.name)
    assertContains(response, "Enter 3 open results")


def test_lots_are_offered_when_they_are_due(doris_client: Client, semifinals: Division) -> None:
    knockouts.level(semifinals)

    offered = doris_client.get(page(semifinals))
    drawn = doris_client.post(page(semifinals, "match_lot", 1, 1), {"winner": "P04"}, follow=True)

    assertContains(offered, page(semifinals, "match_lot", 1, 1))
    assertContains(drawn, "by lot")
    assert MatchLot.objects.get().winner.key == "P04"


def test_the_program_draws_a_lot(doris_client: Client, semifinals: Division) -> None:
    knockouts.level(semifinals)

    doris_client.post(page(semifinals, "match_lot", 1, 1))

    assert MatchLot.objects.get().winner.key in ("P01", "P04")


@pytest.mark.parametrize("again", [{}, {"winner": "P04"}], ids=["drawn", "named"])
@pytest.mark.sampled(1)
def test_a_second_press_finds_the_lot_that_was_drawn(
    doris_client: Client, again: dict[str, str], semifinals: Division
) -> None:
    knockouts.level(semifinals)
    doris_client.post(page(semifinals, "match_lot", 1, 1), {"winner": "P04"}, follow=True)

    response = doris_client.post(page(semifinals, "match_lot", 1, 1), again, follow=True)

    assertNotContains(response, "does not need lots")
    assertContains(response, f"The lot decides for {MatchLot.objects.get().winner.name}")


@pytest.mark.long
def test_a_lot_for_somebody_else_after_it_was_drawn_is_refused(doris_client: Client, semifinals: Division) -> None:
    knockouts.level(semifinals)
    doris_client.post(page(semifinals, "match_lot", 1, 1), {"winner": "P04"}, follow=True)

    response = doris_client.post(page(semifinals, "match_lot", 1, 1), {"winner": "P01"}, follow=True)

    assertContains(response, "does not need lots")
    assert MatchLot.objects.get().winner.key == "P04"


def test_a_lot_that_is_not_due_is_refused_in_words(doris_client: Client, semifinals: Division) -> None:
    response = doris_client.post(page(semifinals, "match_lot", 1, 1), follow=True)

    assertContains(response, "does not need lots")


@pytest.mark.long
def test_taking_a_lot_back_under_a_played_final_asks(doris_client: Client, semifinals: Division) -> None:
    knockouts.level(semifinals)
    knockouts.play(semifinals, 1, 2, 1, 420, 380)
    lot = draw_match_lot(
        semifinals, stage=1, position=1, winner=knockouts.field(semifinals)[3], actor=factories.director()
    )
    final = knockouts.play(semifinals, 2, 1, 1, 431, 388)

    asked = doris_client.post(page(semifinals, "discard_match_lot", lot.pk))
    assertContains(asked, "431 : 388")
    assert MatchLot.objects.exists()
    doris_client.post(page(semifinals, "discard_match_lot", lot.pk), {"disturbs": str(final.pk)})

    assert not MatchLot.objects.exists()


def test_missing_facts_lead_to_their_game(doris_client: Client) -> None:
    division = knockouts.seeded(2, criteria=("playing_time",))
    timed = Report(Outcome.PLAYED, PlayerReport(points=400, seconds=1500), PlayerReport(points=400))
    pairing = knockouts.game(division, 1)
    record_result(pairing, report=timed, actor=factories.director(), expected_version=0)

    response = doris_client.get(page(division))

    assertContains(response, f"{knockouts.field(division)[1].name}, game 1: time used", 1)


def test_a_criterion_of_which_nothing_is_written_down_waits_for_the_director(doris_client: Client) -> None:
    division = knockouts.seeded(2, criteria=("playing_time", "preliminary_rank"))
    knockouts.play(division, 1, 1, 1, 400, 400)

    asked = doris_client.get(page(division))
    said = doris_client.post(page(division, "not_recorded", 1, 1), {"fact": "playing_time"}, follow=True)

    assertContains(asked, "Not recorded: time used")
    assertContains(said, "Noted by the director as not recorded: time used")
    assertContains(said, "better preliminary place")
    assert knockouts.match(division, 1).decided_by == "preliminary_rank"


def test_what_was_called_not_recorded_is_taken_back(doris_client: Client) -> None:
    division = knockouts.seeded(2)
    knockouts.level(division)
    said = NotRecorded.objects.get()

    response = doris_client.post(page(division, "recorded_again", said.pk), follow=True)

    assertContains(response, "The match waits again.")
    assert [each.criterion for each in knockouts.match(division, 1).missing] == ["highest_move"] * 2


def test_taking_it_back_under_a_played_final_asks(doris_client: Client) -> None:
    division = knockouts.seeded(criteria=("playing_time", "preliminary_rank"))
    knockouts.play(division, 1, 1, 1, 400, 400)
    said = knockouts.not_recorded(division, fact=FactKind.PLAYING_TIME)
    knockouts.play(division, 1, 2, 1, 420, 380)
    final = knockouts.play(division, 2, 1, 1, 431, 388)

    asked = doris_client.post(page(division, "recorded_again", said.pk))
    assertContains(asked, "431 : 388")
    assert NotRecorded.objects.exists()
    doris_client.post(page(division, "recorded_again", said.pk), {"disturbs": str(final.pk)})

    assert not NotRecorded.objects.exists()


def test_what_no_match_waits_for_is_refused(doris_client: Client) -> None:
    division = knockouts.seeded(2)

    unknown = doris_client.post(page(division, "not_recorded", 1, 1), {"fact": "wins"})
    not_due = doris_client.post(page(division, "not_recorded", 1, 1), {"fact": "highest_move"}, follow=True)

    assert unknown.status_code == 404
    assertContains(not_due, "does not wait for this: best plays.")


def test_who_has_withdrawn_and_is_to_play_is_named(doris_client: Client) -> None:
    division = knockouts.seeded(3)
    withdraw_entry(knockouts.field(division)[0], actor=factories.director())
    knockouts.play(division, 1, 2, 1, 420, 380)

    response = doris_client.get(page(division))

    assertContains(response, f"{knockouts.field(division)[0].name} has withdrawn. Enter their game as a forfeit", 1)


def test_taking_the_seeding_back(doris_client: Client, semifinals: Division) -> None:
    doris_client.post(page(semifinals, "take_back_knockout"))
    assert not Seed.objects.filter(knockout__division=semifinals).exists()
    doris_client.post(page(semifinals, "take_back_knockout"), {"all": "on"})

    assert not Knockout.objects.filter(division=semifinals).exists()


def test_taking_back_what_is_played_is_refused_in_words(doris_client: Client, semifinals: Division) -> None:
    knockouts.play(semifinals, 1, 1, 1, 420, 380)

    response = doris_client.post(page(semifinals, "take_back_knockout"), follow=True)

    assertContains(response, "already has results (1)")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("knockout", ()),
        ("announce_knockout", ()),
        ("take_back_knockout", ()),
        ("match_lot", (1, 1)),
        ("discard_match_lot", (1,)),
        ("not_recorded", (1, 1)),
        ("recorded_again", (1,)),
    ],
)
def test_only_its_director_gets_in(name: str, args: tuple[int, ...], league: Division) -> None:
    otto = browser(factories.director("otto", of=factories.organiser("Anderer Verein")).user)

    assert otto.post(page(league, name, *args)).status_code == 404
    assert Client().post(page(league, name, *args)).status_code == 302


@pytest.mark.parametrize(("size", "players"), [(4, 6), (8, 10)])
def test_page_takes_the_same_queries_for_any_size(
    size: int, players: int, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    division = knockouts.seeded(size, players=players, form="double")
    doris_client.get(page(division))

    with django_assert_num_queries(22):
        doris_client.get(page(division))


@pytest.mark.parametrize(("size", "players"), [(4, 6), (8, 10)])
def test_seeding_takes_the_same_queries_for_any_size(
    size: int, players: int, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    division = factories.event(players=players, rounds=1)
    factories.played(division)
    knockouts.announce(division, size)

    with django_assert_num_queries(15):
        doris_client.get(page(division))
