"""Result slips to cut."""

import pytest

from tests.tournament.paper import samples
from tests.tournament.paper.samples import BARE_RULES, HEADER, RULES, Drawn
from tournament.models import Tournament
from tournament.pairing.values import StartPolicy
from tournament.rounds.paper import RESULT_SLIP_CUT, draw_result_slips, get_printed_rules

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize(("players", "count"), [(2, 1), (12, 1), (13, 1), (14, 2), (100, 9)])
@pytest.mark.sampled(1)
def test_six_slips_stand_on_a_page(players: int, count: int) -> None:
    pages = samples.pages(draw_result_slips(HEADER, samples.round_pairings(players), RULES))

    assert len(pages) == count
    assert all(page.count("Final score Overtime (min:s) Penalty points Signature") == 12 for page in pages)
    assert all(page.count("✂") == 3 for page in pages)


def test_slip_states_the_game_and_who_starts(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, samples.round_pairings(14), RULES)

    texts = [each.text for each in drawn]
    place = texts.index("Table 2")
    slip = texts[place - 1 : texts.index("Table 1", place)] if "Table 1" in texts[place:] else texts[place - 1 :]
    assert slip[0] == "Round 5"
    assert slip[2:5] == ["Nguyễn, Thị Hương", "starts", "won"]
    second = slip.index("Иванова, Мария")
    assert slip[second : second + 3] == ["Иванова, Мария", "replies", "won"]


def test_no_name_on_a_slip_is_too_small_to_read(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, samples.round_pairings(40), RULES)

    people = " ".join({samples.name(number) for number in range(40)} - {samples.SIXTY})
    assert [each.text for each in drawn if each.size < 9 and len(each.text) > 5 and each.text in people] == []


def test_bye_gets_no_slip(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, samples.round_pairings(13), RULES)

    texts = [each.text for each in drawn]
    assert "Table 6" in texts
    assert samples.name(12) not in texts


def test_cut_heaps_are_in_order_of_tables(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, samples.round_pairings(40), RULES)

    tables = [(each.page, each.text) for each in drawn if each.text.startswith("Table ")]
    heaps = [tables[page * RESULT_SLIP_CUT.a_page : (page + 1) * RESULT_SLIP_CUT.a_page] for page in range(4)]
    in_order = [heaps[page][place][1] for place in range(RESULT_SLIP_CUT.a_page) for page in range(4)]
    assert in_order[:20] == [f"Table {number}" for number in range(1, 21)]
    assert in_order[20:] == ["Table ____"] * 4


def test_start_can_be_ticked_where_it_is_drawn(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, samples.round_pairings(12, starts=StartPolicy.DRAWN), RULES)

    texts = [each.text for each in drawn]
    assert texts.count("starts") == 12
    assert "replies" not in texts


def test_blank_slips_have_room_for_everything(drawn: list[Drawn]) -> None:
    draw_result_slips(HEADER, (), RULES)

    texts = [each.text for each in drawn]
    assert texts.count("Round ____") == RESULT_SLIP_CUT.a_page
    assert texts.count("won") == 2 * RESULT_SLIP_CUT.a_page


def test_slip_names_the_clause_and_the_price_of_overtime() -> None:
    [page] = samples.pages(draw_result_slips(HEADER, (), RULES))
    [without] = samples.pages(draw_result_slips(HEADER, (), BARE_RULES))

    assert "Both sign; the winner hands it in (TSO 5.4)." in page
    assert "Overtime: 10 points per minute begun." in page
    assert "per minute begun" not in without


def test_slip_asks_only_for_what_the_book_has(drawn: list[Drawn]) -> None:
    draw_result_slips(
        HEADER, samples.round_pairings(12), get_printed_rules(Tournament(ruleset="sbnl-punten", minutes=None))
    )

    texts = {each.text for each in drawn}
    assert {"Final score", "Penalty points", "won", "draw"} <= texts
    assert not {"Overtime (min:s)", "Signature"} & texts
    assert not [text for text in texts if "sign" in text]
