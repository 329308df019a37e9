"""The cross table, by rounds and as a matrix."""

from dataclasses import replace

import pytest

from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.table.paper import CrossGame, CrossLine, CrossMark, CrossSheet, draw_cross_table

pytestmark = pytest.mark.usefixtures("english")


ROUNDS_BESIDE_SIXTY = 15  # on a page with a name of sixty letters on two lines
DEAR_TABLES = (47, 13, 2), (100, 13, 4)

ANNA = "Beispiel, Anna"
EMPTY = CrossLine(2, "Muster, Jörg", 0, 0)


def anna(game: CrossGame) -> CrossSheet:
    """A cross table in which only Anna has played."""
    return CrossSheet(after=1, lines=(CrossLine(1, ANNA, 2, 43, (game,)), EMPTY))


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        (CrossGame(1, CrossMark.WON, 1, (431, 388), started=True), ["+2 •", "431:388"]),
        (CrossGame(1, CrossMark.LOST, 1, (388, 431)), ["−2", "388:431"]),
        (CrossGame(1, CrossMark.DRAWN, 1, (400, 400)), ["=2", "400:400"]),
        (CrossGame(1, CrossMark.OPEN, 1), ["2", "open"]),
        (CrossGame(1, CrossMark.WON, spread=50, alone="bye"), ["bye", "+50"]),
        (CrossGame(1, CrossMark.LOST, spread=-100, alone="abs."), ["abs.", "−100"]),
        (CrossGame(1, CrossMark.WON, 1, spread=50, awarded=True), ["(+2)", "+50"]),
        (CrossGame(1, CrossMark.LOST, 1, (340, 430), awarded=True), ["(−2)", "340:430"]),
    ],
)
def test_game_is_shown_by_sign_opponent_and_score(game: CrossGame, shown: list[str], drawn: list[Drawn]) -> None:
    draw_cross_table(HEADER, anna(game))

    texts = [each.text for each in drawn]
    place = texts.index(shown[0], texts.index(ANNA) + 1)
    assert texts[place : place + 2] == shown


def test_numbers_stand_beside_ranks_that_are_shared() -> None:
    game = CrossGame(1, CrossMark.WON, 1, (431, 388))
    distinct = anna(game)
    shared = replace(distinct, lines=(distinct.lines[0], replace(EMPTY, rank=1)))

    [by_rank], [by_number] = (samples.pages(draw_cross_table(HEADER, sheet)) for sheet in (distinct, shared))

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
    bye = CrossGame(2, CrossMark.WON, spread=50, alone="bye")
    lines = (
        CrossLine(1, ANNA, 2, 43, (CrossGame(1, CrossMark.WON, 1, (431, 388)), bye)),
        CrossLine(2, "Muster, Jörg", 0, -43, (CrossGame(1, CrossMark.LOST, 0, (388, 431)),)),
    )

    [page] = samples.pages(draw_cross_table(HEADER, CrossSheet(2, lines, matrix=True)))

    texts = [each.text for each in drawn]
    assert "Rank Name Wins Spread 1 2" in page
    assert texts[texts.index(ANNA) + 3 :][:4] == ["bye", "+50", "+431", "388"]
    assert "×" in texts[texts.index("Muster, Jörg") :]


def test_matrix_has_room_for_two_games_against_each_other(drawn: list[Drawn]) -> None:
    games = (CrossGame(1, CrossMark.WON, 1, (431, 388)), CrossGame(2, CrossMark.LOST, 1, (300, 310)))
    back = (CrossGame(1, CrossMark.LOST, 0, (388, 431)), CrossGame(2, CrossMark.WON, 0, (310, 300)))
    sheet = CrossSheet(2, (CrossLine(1, ANNA, 2, 33, games), replace(EMPTY, games=back)), matrix=True)

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
    told = tuple(f"{samples.name(place)}: withdrawn after round 3 (R4, R5)" for place in range(6))
    by_rounds = replace(samples.cross_sheet(24, 5), without_game=told)

    matrix = samples.pages(draw_cross_table(HEADER, replace(by_rounds, matrix=True)))

    assert len(matrix) > 1
    assert all(page.count("withdrawn after round 3 (R4, R5)") == 6 for page in matrix)
    assert list(samples.overlapping(drawn)) == []
    assert "Rounds without a pairing" not in samples.pages(draw_cross_table(HEADER, by_rounds))[0]
