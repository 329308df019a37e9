"""The public rounds."""

from django.test import Client

from scoring.awards import Outcome
from tests import factories
from tournament.events.operations import add_division
from tournament.models import Division

ROUNDS = "/t/herbst-cup/rounds/"
WINTER_ROUNDS = "/t/winter-cup/rounds/"
"""Of the events that tests make besides the one they share."""


def test_rounds_are_listed_latest_first(public_cup: Division, reader: Client) -> None:
    table = reader.get(ROUNDS).context["table"]

    assert [row.record.round.number for row in table.rows] == [3, 2, 1]


def test_rounds_say_how_far_they_are(public_cup: Division, reader: Client) -> None:
    page = reader.get(ROUNDS).content.decode()

    assert '1 of 2 <span class="chip chip-now">being played</span>' in page
    assert page.count(">complete<") == 2
    assert "3 of 7 planned rounds published" in page


def test_rounds_before_the_first_say_so(reader: Client) -> None:
    factories.draft(factories.event("Winter-Cup", players=2))

    assert "No round is published yet" in reader.get(WINTER_ROUNDS).content.decode()


def test_round_marks_the_winner_in_words_too(public_cup: Division, reader: Client) -> None:
    page = reader.get(ROUNDS + "1/").content.decode()

    assert (
        '<span class="winner"><span class="visually-hidden">Winner: </span>'
        '<a href="/t/herbst-cup/players/P01/">Aumann, Klara</a></span>'
    ) in page
    assert page.count('class="winner"') == 2
    assert "420 : 380" in page


def test_round_of_a_draw_has_no_winner(public_cup: Division, reader: Client) -> None:
    page = reader.get(ROUNDS + "2/").content.decode()

    assert page.count('class="winner"') == 1


def test_round_under_way_shows_dashes(public_cup: Division, reader: Client) -> None:
    page = reader.get(ROUNDS + "3/")

    assert [board.result is None for board in page.context["table"].data] == [False, True]
    assert "350 : 450" in page.content.decode()


def test_round_heads_columns_by_who_starts(public_cup: Division, reader: Client) -> None:
    balanced = [str(column.header) for column in reader.get(ROUNDS + "1/").context["table"].columns]
    factories.played(factories.event("Ausgelost", starts="drawn"))

    drawn = reader.get("/t/ausgelost/rounds/1/")

    assert balanced[1:4] == ["Starter", "Result", "Opponent"]
    assert [str(column.header) for column in drawn.context["table"].columns][1:4] == [
        "First player",
        "Result",
        "Second player",
    ]
    assert "Who starts is drawn at the table." in drawn.content.decode()


def test_round_says_award_in_words(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=2)
    made = factories.published(division)
    factories.result(made, 1, 430, 340, Outcome.SECOND_FORFEITS)

    page = reader.get(WINTER_ROUNDS + "1/").content.decode()

    assert '<span class="chip chip-warn">forfeit</span>' in page
    assert (
        "Dvořák, Jana: overtime beyond the limit (TSO 5.3 c). "
        "Credited: Aumann, Klara +90 and 430 points; Dvořák, Jana −140 and 0 points."
    ) in page


def test_round_shows_byes_last(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=3)
    factories.played(division)

    page = reader.get(WINTER_ROUNDS + "1/")
    last = list(page.context["table"].data)[-1]

    assert (last.second, last.first.name) == (None, "Müller-Lüdenscheidt, Ann-Kathrin")
    assert "Credited: +50 and 400 points." in page.content.decode()


def test_round_by_name_seats_everybody_once(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=5)
    factories.played(division)

    page = reader.get(WINTER_ROUNDS + "1/?by=name")

    assert [seat.entry.name for seat in page.context["table"].data] == [
        "Aumann, Klara",
        "Dvořák, Jana",
        "Fuchs, Emil",
        "Müller-Lüdenscheidt, Ann-Kathrin",
        "Öztürk, Cem",
    ]
    assert page.content.decode().count('<span class="chip">starts</span>') == 2


def test_round_by_name_shows_the_score_from_each_side(public_cup: Division, reader: Client) -> None:
    page = reader.get(ROUNDS + "1/?by=name")

    assert [(seat.own, seat.other, seat.won) for seat in page.context["table"].data] == [
        (420, 380, True),
        (380, 420, False),
        (390, 410, False),
        (410, 390, True),
    ]


def test_round_keeps_the_division_in_its_links(public_cup: Division, reader: Client) -> None:
    add_division(public_cup.tournament, name="B", actor=factories.director())

    page = reader.get(ROUNDS + "1/?division=A").content.decode()

    assert 'href="/t/herbst-cup/rounds/2/?division=A"' in page
    assert 'href="/t/herbst-cup/rounds/1/?division=A&amp;by=name"' in page
    answer = reader.get(ROUNDS + "1/?division=B")
    assert (answer.status_code, answer["Location"]) == (302, f"{ROUNDS}?division=B")
