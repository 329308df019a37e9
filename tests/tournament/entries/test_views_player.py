"""A player's card."""

import pytest
from django.core.cache import cache
from django.test import Client

from scoring.awards import Outcome
from tests import factories
from tests.markup import tidy
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Entry
from tournament.table.lots import settle_tie_by_lot


def card(client: Client, key: str, slug: str = "herbst-cup") -> list[tuple[int, int | None, int, int]]:
    """Round, running rank, half wins and spread after it."""
    steps = client.get(f"/t/{slug}/players/{key}/").context["card"]["steps"]
    return [(step.round, step.standing.rank, step.standing.half_wins, step.standing.spread) for step in steps]


def test_card_has_the_running_rank_after_each_round(public_cup: Division, reader: Client) -> None:
    assert card(reader, "P01") == [(1, 1, 2, 40), (2, 1, 3, 40), (3, 1, 5, 140)]
    assert card(reader, "P02") == [(1, 4, 0, -40), (2, 2, 2, 160), (3, 2, 2, 160)]


@pytest.mark.long
def test_card_of_each_player_agrees_with_the_table_after_each_round(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 321, 432)

    for after in (1, 2, 3):
        table = reader.get(f"/t/herbst-cup/table/{after}/").context["shown"]
        expected = {line.entry.key: line.standing for line in table.lines}
        for key, standing in expected.items():
            cache.clear()
            steps = reader.get(f"/t/herbst-cup/players/{key}/").context["card"]["steps"]
            assert steps[after - 1].standing == standing


def test_card_shows_an_open_game_without_a_rank(public_cup: Division, reader: Client) -> None:
    page = reader.get("/t/herbst-cup/players/P02/")
    last = list(page.context["table"].rows)[-1]

    assert [last.get_cell(name) for name in ("result", "spread", "rank")] == ["–", "–", "–"]


def test_card_counts_only_published_rounds(public_cup: Division, reader: Client) -> None:
    factories.draft(public_cup)

    assert [step[0] for step in card(reader, "P01")] == [1, 2, 3]


def test_card_says_of_nobody_that_they_started_a_game_that_never_began(public_cup: Division, reader: Client) -> None:
    last = public_cup.rounds.get(number=3)
    factories.result(last, 2, None, None, Outcome.SECOND_FORFEITS)
    keys = [seat.entry.key for seat in last.pairings.get(table=2).seats.select_related("entry")]

    shown = [[*reader.get(f"/t/herbst-cup/players/{key}/").context["table"].rows][-1] for key in keys]

    assert [row.get_cell("starts") for row in shown] == ["–", "–"]


def test_card_says_who_started_unless_that_is_drawn(public_cup: Division, reader: Client) -> None:
    factories.played(factories.event("Ausgelost", starts="drawn"))

    fixed = reader.get("/t/herbst-cup/players/P01/").context["table"]
    drawn = reader.get("/t/ausgelost/players/P01/").context["table"]

    assert [row.get_cell("starts") for row in fixed.rows] == ["yes", "yes", "no"]
    assert "starts" not in drawn.columns.names()


def test_card_tells_forfeits_from_games(reader: Client) -> None:
    division = factories.event("Klein", players=3)
    first = factories.published(division)
    factories.result(first, 1, None, None, Outcome.FIRST_FORFEITS)

    pages = {key: reader.get(f"/t/klein/players/{key}/").content.decode() for key in ("P01", "P02", "P03")}

    assert "lost by forfeit" in pages["P01"]
    assert "won by forfeit" in pages["P02"]
    assert '<span class="chip">Bye</span>' in pages["P03"]


def test_card_of_a_late_player_is_ranked_from_their_first_round(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    late = enter_player(public_cup, person=Person("Später, Susi"), actor=factories.director())
    anna, bert, cora, dora = Entry.objects.filter(division=public_cup).exclude(pk=late.pk).with_names().in_order()
    factories.played(public_cup, pairs=[(anna, late), (bert, cora), (dora, None)])

    page = reader.get(f"/t/herbst-cup/players/{late.key}/")
    early = reader.get("/t/herbst-cup/players/P01/")

    reasons = ["not playing yet" in row.get_cell("opponent") for row in page.context["table"].rows]
    ranked = [step.standing is not None for step in page.context["card"]["steps"]]
    assert list(zip(reasons, ranked, strict=True)) == [(True, False)] * 3 + [(False, True)]
    assert page.context["card"]["field"] == 5
    assert early.context["card"]["steps"][2].standing.rank == 1


def test_card_of_a_late_player_charged_with_the_missed_rounds(public_cup: Division, reader: Client) -> None:
    late = enter_player(
        public_cup,
        person=Person("Später, Susi"),
        actor=factories.director(),
        late=LateEntry(first_round=4, missed_are_losses=True),
    )

    assert [(step[0], step[3]) for step in card(reader, late.key)] == [(1, -100), (2, -200), (3, -300)]


def test_card_of_somebody_withdrawn_says_so(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    anna, bert, cora, dora = factories.enter(public_cup, 0)
    withdraw_entry(anna, actor=factories.director())
    factories.played(public_cup, (400, 390), pairs=[(bert, cora), (dora, None)])

    page = reader.get("/t/herbst-cup/players/P01/")

    last = list(page.context["table"].rows)[-1]
    assert "Withdrawn after round 3." in page.content.decode()
    assert "withdrawn after round 3" in last.get_cell("opponent")
    assert [last.get_cell(name) for name in ("starts", "result", "spread", "wins")] == ["–", "–", "–", "2½"]
    assert page.context["curves"]["rank"].points[-1][2] == 3


def test_card_of_a_player_yet_to_come_tells_of_the_rounds_without_them(public_cup: Division, reader: Client) -> None:
    late = LateEntry(first_round=5)
    entered = enter_player(public_cup, person=Person("Später, Susi"), actor=factories.director(), late=late)

    page = reader.get(f"/t/herbst-cup/players/{entered.key}/")

    cells = [[row.get_cell(name) for name in ("rank", "wins", "sum")] for row in page.context["table"].rows]
    assert cells == [["–", "–", "–"]] * 3
    assert page.context["card"]["last"] is None
    assert "No game yet" not in page.content.decode()


def test_card_before_the_first_round_says_so(reader: Client) -> None:
    factories.event("Klein", players=1)

    assert "No game yet" in reader.get("/t/klein/players/P01/").content.decode()


def test_card_knows_of_lots(reader: Client) -> None:
    division = factories.event("Klein", players=2)
    anna, bert = factories.enter(division, 0)
    factories.played(division, (400, 400))
    before = [card(reader, key, "klein")[0][1] for key in ("P01", "P02")]

    settle_tie_by_lot(division, after=1, order=[bert, anna], actor=factories.director())

    assert (before, [card(reader, key, "klein")[0][1] for key in ("P01", "P02")]) == ([1, 1], [2, 1])


def test_card_draws_two_curves_with_their_figures_in_words(public_cup: Division, reader: Client) -> None:
    page = tidy(reader.get("/t/herbst-cup/players/P01/").content.decode())

    assert page.count('<polyline class="curve-line"') == 2
    assert "Round 1: +40; Round 2: +40" in page
    assert "Round 3: +140" not in page  # a game of it is open


def test_card_of_a_player_with_an_odd_number_is_found(reader: Client) -> None:
    division = factories.event("Klein", players=1)
    Entry.objects.filter(division=division).update(key="7/ä b?")
    link = "/t/klein/players/7%2F%C3%A4%20b%3F/"

    assert f'href="{link}"' in reader.get("/t/klein/entries/").content.decode()
    assert reader.get(link).status_code == 200


def test_card_of_another_tournament_is_not_found(public_cup: Division, reader: Client) -> None:
    factories.event("Anderer Cup", players=9)

    assert reader.get("/t/herbst-cup/players/P09/").status_code == 404
