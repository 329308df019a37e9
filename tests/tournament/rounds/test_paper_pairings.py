"""Pairings on the wall."""

import pytest

from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.pairing.values import StartPolicy
from tournament.paper.grid import LEAST_SIZE
from tournament.paper.lettering import CAP_HEIGHT
from tournament.paper.sheet import MM
from tournament.rounds.paper import draw_pairings_by_name, draw_pairings_by_table

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("players", "count"), [(4, 1), (47, 1), (54, 2), (100, 2), (300, 6)])
def test_by_table_takes_the_pages_it_needs(players: int, count: int) -> None:
    pages = samples.pages(draw_pairings_by_table(HEADER, samples.round_pairings(players)))

    assert len(pages) == count
    assert all("Round 5: Pairings by table" in page and "Table Starter Opponent" in page for page in pages)


@pytest.mark.parametrize("players", [4, 47, 100, 300])
def test_by_table_names_everybody_and_every_table(players: int, drawn: list[Drawn]) -> None:
    draw_pairings_by_table(HEADER, samples.round_pairings(players))

    text = "".join(each.text for each in drawn).replace(" ", "")
    people = {samples.name(number) for number in range(players)} - {samples.SIXTY}
    assert [name for name in people if name.replace(" ", "") not in text] == []
    assert {str(table) for table in range(1, players // 2 + 1)} <= {each.text for each in drawn}


def test_by_table_can_be_read_from_two_metres(drawn: list[Drawn]) -> None:
    draw_pairings_by_table(HEADER, samples.round_pairings(100))

    usual = next(each for each in drawn if each.text == samples.name(20))
    table = next(each for each in drawn if each.text == "26")
    assert usual.size >= 14
    assert table.size >= 16


def test_by_table_sets_all_names_in_one_size(drawn: list[Drawn]) -> None:
    draw_pairings_by_table(HEADER, samples.round_pairings(24))

    assert len({each.size for each in drawn if each.text.startswith(("Beispiel", "Ann-Kathrin"))}) == 1


def test_by_name_names_opponents_in_letters_that_can_be_read(drawn: list[Drawn]) -> None:
    draw_pairings_by_name(HEADER, samples.round_pairings(80))

    assert (
        min(each.size for each in drawn if "against Beispiel" in each.text or "replies to Beispiel" in each.text)
        >= LEAST_SIZE
    )


def test_by_name_can_be_read_from_three_metres_where_there_is_room(drawn: list[Drawn]) -> None:
    names = [f"Beispiel, Anna {letter}." for letter in "ABCDEFGHIJKLMN"]

    draw_pairings_by_name(HEADER, samples.pairings(names))

    name = next(each for each in drawn if each.text == names[0])
    assert name.size * CAP_HEIGHT / MM * 0.4 >= 3  # metres for each millimetre of a capital


def test_by_table_has_byes_last_with_what_they_credit() -> None:
    [page] = samples.pages(draw_pairings_by_table(HEADER, samples.round_pairings(5)))

    assert page.index("Παπαδόπουλος") > page.index("Иванова")
    assert "Bye: counts as a win with +50 and 400 points (TSO 6.1.1)." in page


def test_by_table_says_that_the_start_is_drawn() -> None:
    [page] = samples.pages(draw_pairings_by_table(HEADER, samples.round_pairings(4, starts=StartPolicy.DRAWN)))

    assert "First player Second player" in page
    assert "Who starts is drawn at the table (TSO 2.2 b)." in page
    assert "Starter" not in page


def test_by_table_sets_the_starter_apart_without_colour() -> None:
    found = samples.reader(draw_pairings_by_table(HEADER, samples.round_pairings(2)))
    bold: list[str] = []
    found.pages[0].extract_text(
        visitor_text=lambda text, _cm, _tm, font, _size: (
            bold.append(text) if font and "Bold" in font["/BaseFont"] else None
        )
    )

    text = "".join(bold)
    assert "Müller-Lüdenscheidt" in text
    assert "Żółkiewska" not in text


def test_by_table_marks_a_draft() -> None:
    published, draft = (
        samples.pages(draw_pairings_by_table(HEADER, samples.round_pairings(4, draft=draft)))[0]
        for draft in (False, True)
    )

    assert "DRAFT" in draft
    assert "DRAFT" not in published


def test_by_name_is_in_order_of_names_and_says_who_starts(drawn: list[Drawn]) -> None:
    people = ("Zorn, Jo", "Ärz, Cem", "Apfel, Ida", "Öhr, Jo", "Ost, Max")

    [page] = samples.pages(draw_pairings_by_name(HEADER, samples.pairings(people)))

    size = max(each.size for each in drawn if each.text in people)
    in_order = [each.text for each in drawn if each.text in people and each.size == size]
    assert in_order == ["Apfel, Ida", "Ärz, Cem", "Öhr, Jo", "Ost, Max", "Zorn, Jo"]
    assert "replies to Zorn, Jo 1" in page
    assert "starts against Öhr, Jo 2" in page
    assert "Bye: counts as a win with +50 and 400 points (TSO 6.1.1)." in page


def test_by_name_says_only_against_whom_where_the_start_is_drawn() -> None:
    [page] = samples.pages(draw_pairings_by_name(HEADER, samples.round_pairings(2, starts=StartPolicy.DRAWN)))

    assert "against Żółkiewska, Łucja" in page
    assert "starts against" not in page


@pytest.mark.parametrize(("players", "count"), [(1, 1), (4, 1), (36, 1), (100, 3), (300, 8)])
@pytest.mark.sampled(1)
def test_by_name_has_everybody_once_with_a_table(players: int, count: int, drawn: list[Drawn]) -> None:
    pages = samples.pages(draw_pairings_by_name(HEADER, samples.round_pairings(players)))

    own_lines = [each.text for each in drawn]
    assert len(pages) == count
    assert all("Name Table" in page for page in pages)
    assert all(own_lines.count(samples.name(number)) == 1 for number in range(len(samples.NAMES), players))


@pytest.mark.parametrize(
    ("ruleset", "minutes", "said"),
    [
        ("tso-2017", 35, "35 minutes for each player."),
        ("sbnl-wedstrijd", None, "70 minutes for the whole game."),
        ("tso-2017", None, ""),
    ],
)
def test_time_is_stated_as_the_event_has_it(ruleset: str, minutes: int | None, said: str) -> None:
    [page] = samples.pages(draw_pairings_by_table(HEADER, samples.round_pairings(4, ruleset=ruleset, minutes=minutes)))

    assert ("minute" in page, said in page) == (bool(said), True)
