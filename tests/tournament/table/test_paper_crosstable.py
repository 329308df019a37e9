"""The cross table, by rounds and as a matrix."""

from dataclasses import replace

import pytest

from scoring.awards import Outcome
from scoring.standings import Standing
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn, cross_row, meeting
from tournament.table.paper import CrossSheet, draw_cross_table
from tournament.table.public_table import CrossRow
from tournament.table.published_games import PlayerRound

pytestmark = pytest.mark.usefixtures("english")


ROUNDS_BESIDE_SIXTY = 15  # on a page with a name of sixty letters on two lines
DEAR_TABLES = (47, 13, 2), (100, 13, 4)

ANNA = "Beispiel, Anna"
EMPTY = cross_row(Standing(2, 1), "Muster, Jörg")


def anna(*meetings: PlayerRound) -> CrossRow:
    return cross_row(Standing(1, 0, 2, 43), ANNA, meetings)


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        (meeting(1, (0, 1), (431, 388), first=True), ["+2 •", "431:388"]),
        (meeting(1, (0, 1), (388, 431)), ["−2", "388:431"]),
        (meeting(1, (0, 1), (400, 400)), ["=2", "400:400"]),
        (meeting(1, (0, 1), outcome=Outcome.OPEN), ["2", "open"]),
        (meeting(1, (0, None), outcome=Outcome.BYE, first=True), ["bye", "+50"]),
        (meeting(1, (0, None), outcome=Outcome.ABSENT, spread=-100, first=True), ["abs.", "−100"]),
        (meeting(1, (0, 1), outcome=Outcome.FIRST_FORFEITS), ["(+2)", "+50"]),
        (meeting(1, (0, 1), (340, 430), Outcome.SECOND_FORFEITS), ["(−2)", "340:430"]),
    ],
)
def test_game_is_shown_by_sign_opponent_and_score(game: PlayerRound, shown: list[str], drawn: list[Drawn]) -> None:
    draw_cross_table(HEADER, CrossSheet(1, [anna(game), EMPTY]))

    texts = [each.text for each in drawn]
    place = texts.index(shown[0], texts.index(ANNA) + 1)
    assert texts[place : place + 2] == shown


def test_numbers_stand_beside_ranks_that_are_shared() -> None:
    game = meeting(1, (0, 1), (431, 388))
    shared = cross_row(Standing(1, 1), "Muster, Jörg")

    [by_rank], [by_number] = (
        samples.pages(draw_cross_table(HEADER, CrossSheet(1, [anna(game), other]))) for other in (EMPTY, shared)
    )

    assert "Rank Name Wins Spread R1" in by_rank
    assert "No. Rank Name Wins Spread R1" in by_number


@pytest.mark.parametrize(
    ("players", "rounds", "count"),
    [(4, 3, 1), (24, 13, 1), (24, 32, 3), *(pytest.param(*case, marks=pytest.mark.long) for case in DEAR_TABLES)],
)
def test_rounds_go_on_on_pages_that_repeat_the_names(players: int, rounds: int, count: int, drawn: list[Drawn]) -> None:
    pages = samples.pages(draw_cross_table(HEADER, samples.cross_sheet(players, rounds)))

    texts = [each.text for each in drawn]
    last = samples.name(players - 1)
    assert len(pages) == count
    assert all("Rank Name Wins Spread R" in page for page in pages)
    assert texts.count(last) == -(-rounds // ROUNDS_BESIDE_SIXTY)
    assert {f"R{number}" for number in range(1, rounds + 1)} <= set(texts)


def test_matrix_shows_games_with_the_byes_on_its_diagonal(drawn: list[Drawn]) -> None:
    bye = meeting(2, (0, None), outcome=Outcome.BYE, first=True)
    other = cross_row(Standing(2, 1, 0, -43), "Muster, Jörg", [meeting(1, (1, 0), (388, 431))])
    rows = [anna(meeting(1, (0, 1), (431, 388)), bye), other]

    [page] = samples.pages(draw_cross_table(HEADER, CrossSheet(2, rows, matrix=True)))

    texts = [each.text for each in drawn]
    assert "Rank Name Wins Spread 1 2" in page
    assert texts[texts.index(ANNA) + 3 :][:4] == ["bye", "+50", "+431", "388"]
    assert "×" in texts[texts.index("Muster, Jörg") :]


def test_matrix_has_room_for_two_games_against_each_other(drawn: list[Drawn]) -> None:
    games = meeting(1, (0, 1), (431, 388)), meeting(2, (0, 1), (300, 310))
    back = cross_row(Standing(2, 1), "Muster, Jörg", [meeting(1, (1, 0), (388, 431)), meeting(2, (1, 0), (310, 300))])
    sheet = CrossSheet(2, [anna(*games), back], matrix=True)

    draw_cross_table(HEADER, sheet)

    assert {"+431", "388", "−300", "310", "−388", "431", "+310", "300"} <= {each.text for each in drawn}
    assert list(samples.overlapping(drawn)) == []


def test_starts_are_not_explained_where_they_are_drawn() -> None:
    known, unknown = (
        samples.pages(draw_cross_table(HEADER, samples.cross_sheet(4, 3, starts_known=known)))[0]
        for known in (True, False)
    )

    assert "had the first move" in known
    assert "had the first move" not in unknown


def test_matrix_tells_of_rounds_without_a_game_on_every_page(drawn: list[Drawn]) -> None:
    by_rounds = samples.cross_sheet(24, 5)
    for place, row in enumerate(by_rounds.rows[:6]):
        row.line.entry.withdrawn_after = 3
        by_rounds.rows[place] = replace(row, missed=(4, 5))  # type: ignore[index]  # a list

    matrix = samples.pages(draw_cross_table(HEADER, replace(by_rounds, matrix=True)))

    assert len(matrix) > 1
    assert all(page.count("withdrawn after round 3 (R4, R5)") == 6 for page in matrix)
    assert list(samples.overlapping(drawn)) == []
    assert "Rounds without a pairing" not in samples.pages(draw_cross_table(HEADER, by_rounds))[0]
