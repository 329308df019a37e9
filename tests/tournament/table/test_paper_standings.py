"""The table of standings on paper."""

import pytest

from scoring.standings import Criterion, Ranking, RankingBasis, Standing
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.table.paper import draw_standings

pytestmark = pytest.mark.usefixtures("english")

NOTES = ("Ranked by wins.",)


def test_row_holds_all_figures() -> None:
    standing = Standing(3, 1, 11, -12, 2901, 7, 512, Criterion.SPREAD)
    line = samples.table_row(standing, "Beispiel, Anna", "SC Fulda", above=Standing(2, 2, 11, 30))

    [page] = samples.pages(draw_standings(HEADER, samples.public_table(0, lines=(line,)), NOTES))

    assert "Standings after round 7" in page
    assert "Ranked by wins." in page
    assert "3 Beispiel, Anna SC Fulda 5½ −12 2,901 512 spread −12 against +30" in page


def test_row_shows_what_is_missing_as_a_dash() -> None:
    line = samples.table_row(Standing(None, 1), "Beispiel, Anna")

    [page] = samples.pages(draw_standings(HEADER, samples.public_table(0, lines=(line,)), NOTES))

    assert "– Beispiel, Anna 0 0 0 –" in page


def test_points_come_first_where_they_rank_first() -> None:
    line = samples.table_row(Standing(1, 1, 8, 40, 2901, 7, 512), "Beispiel, Anna")

    [page] = samples.pages(
        draw_standings(
            HEADER, samples.public_table(0, lines=(line,), ranking=Ranking(basis=RankingBasis.POINTS)), NOTES
        )
    )

    assert "Rank Name Club Points Wins Spread" in page
    assert "1 Beispiel, Anna 2,901 4 +40 512" in page


def test_withdrawn_player_is_marked_in_words() -> None:
    [page] = samples.pages(draw_standings(HEADER, samples.public_table(3), NOTES))

    assert "withdrawn after round 3" in page


@pytest.mark.parametrize(("players", "count"), [(1, 1), (30, 1), (37, 2), pytest.param(300, 9, marks=pytest.mark.long)])
def test_head_is_repeated_over_rows_on_every_page(players: int, count: int, drawn: list[Drawn]) -> None:
    pages = samples.pages(draw_standings(HEADER, samples.public_table(players), NOTES))

    ranks = [{each.text for each in drawn if each.page == number} for number in range(1, count + 1)]
    assert len(pages) == count
    assert all("Rank Name Club Wins Spread Points" in page for page in pages)
    assert all(texts & {str(rank) for rank in range(1, players + 1)} for texts in ranks)


def test_table_before_the_first_round_says_so() -> None:
    [page] = samples.pages(draw_standings(HEADER, samples.public_table(2, after=0), NOTES))

    assert "Standings before round 1" in page
