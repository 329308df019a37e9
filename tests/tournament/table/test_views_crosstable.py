"""The cross table."""

import pytest
from django.test import Client

from scoring.awards import Outcome
from tests import factories
from tournament.entries.operations.attendance import set_absence
from tournament.models import Division
from tournament.rounds.operations import publish_round

CROSS = "/t/herbst-cup/crosstable/"


@pytest.fixture
def public_cup(db: None) -> Division:
    """As usual, but a test's own: others here make an event of the same name."""
    return factories.public_cup()


def texts(client: Client, path: str) -> list[list[str]]:
    """The cells of the meetings, without their markup."""
    table = client.get(path).context["table"]
    return [[plain(str(row.get_cell(name))) for name in table.columns.names()[4:]] for row in table.rows]


def plain(markup: str) -> str:
    return (
        markup.replace('<span class="visually-hidden">draw </span>', "")
        .replace('<span class="winner">', "▸")
        .replace('<span class="drawn">', "=")
        .replace('<span class="cross-score drawn">', "=")
        .replace('<span class="cross-score winner">', "▸")
        .replace('<span class="cross-score">', "")
        .replace('<span class="cell-note ">', " ")
        .replace("</span>", "")
    )


def test_crosstable_names_opponents_by_rank(public_cup: Division, reader: Client) -> None:
    assert texts(reader, CROSS) == [
        ["▸2 420:380", "=4 400:400", "▸3 450:350"],
        ["1 380:420", "▸3 500:300", "4 –"],
        ["▸4 410:390", "2 300:500", "1 350:450"],
        ["3 390:410", "=1 400:400", "2 –"],
    ]


def test_crosstable_by_opponent_gives_both_sides(public_cup: Division, reader: Client) -> None:
    assert texts(reader, CROSS + "?by=opponent") == [
        ["×", "▸420:380", "▸450:350", "=400:400"],
        ["380:420", "×", "▸500:300", "–"],
        ["350:450", "300:500", "×", "▸410:390"],
        ["=400:400", "–", "390:410", "×"],
    ]


def test_opponents_who_are_level_stand_above_each_other_by_the_rank_that_they_share(reader: Client) -> None:
    division = factories.event(players=4)
    first = factories.published(division)
    factories.result(first, 1, 400, 300)
    factories.result(first, 2, 400, 300)

    table = reader.get(CROSS + "?by=opponent").context["table"]

    assert [column.header for column in table.columns][4:] == ["1", "1", "3", "3"]


def test_crosstable_shows_byes_absences_and_forfeits(reader: Client) -> None:
    division = factories.event(players=3)
    first = factories.published(division)
    factories.result(first, 1, None, None, Outcome.SECOND_FORFEITS)
    anna, bert, cora = factories.enter(division, 0)
    set_absence(bert, number=2, actor=factories.director())
    second = factories.draft(division, pairs=[(anna, cora), (bert, None)])
    second.pairings.filter(kind="bye").update(kind="absent")
    publish_round(second, actor=factories.director())
    factories.result(second, 1, 400, 300)

    assert texts(reader, CROSS) == [["▸3 forfeit", "▸2 400:300"], ["bye", "1 300:400"], ["1 forfeit", "absent"]]
    assert texts(reader, CROSS + "?by=opponent") == [
        ["×", "▸400:300", "▸forfeit"],
        ["300:400", "bye", ""],
        ["forfeit", "", "absent"],
    ]


def test_crosstable_leaves_out_a_round_without_results(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    factories.published(public_cup)

    assert [len(row) for row in texts(reader, CROSS)] == [3, 3, 3, 3]


def test_crosstable_by_opponent_is_offered_to_small_fields_only(reader: Client) -> None:
    division = factories.event(players=25)
    factories.season(division, 1)

    page = reader.get(CROSS + "?by=opponent")

    assert (page.context["offered"], page.context["by_opponent"]) == (False, False)
    assert "By opponent" not in page.content.decode()
