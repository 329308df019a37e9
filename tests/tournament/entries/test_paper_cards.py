"""What is cut for the hall: players' cards, numbers for the tables, badges."""

from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.access.codes import find_entry_by_link, make_personal_link
from tournament.accounts.operations import save_wifi
from tournament.accounts.views import way_in
from tournament.basics.addresses import NetworkReach, note_reach
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.paper import FOUR, TWO, draw_badges, draw_player_cards, draw_table_cards
from tournament.files.print_room import render_document
from tournament.paper.boxes import Box
from tournament.paper.documents import CutLayout
from tournament.paper.sheet import Paper

pytestmark = pytest.mark.usefixtures("english")


ADDRESS = "http://192.168.178.34:8000/"


def player_cards(count: int) -> list[tuple[str, str, str]]:
    return [
        (samples.name(number), samples.SIXTY, f"{ADDRESS}me/{number + 1}-abcdefghjkmnpqrs/") for number in range(count)
    ]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("count", "pages"), [(1, 1), (8, 1), (9, 2), (80, 10)])
def test_cards_are_eight_on_a_page_and_nothing_is_printed_over_anything(
    count: int, pages: int, drawn: list[Drawn]
) -> None:
    made = draw_player_cards(HEADER, player_cards(count), paired=True, wifi="Gemeindehaus")

    assert len(samples.pages(made)) == pages
    assert list(samples.overlapping(drawn)) == []


def test_card_says_whose_it_is_where_it_leads_and_which_network() -> None:
    [page] = samples.pages(draw_player_cards(HEADER, player_cards(1), paired=True, wifi="Gemeindehaus"))

    for words in (samples.name(0), "Herbst-Cup 2026", f"{ADDRESS}me/1-abcdefghjkmnpqrs/", "Wi-Fi Gemeindehaus"):
        assert words in page


def test_code_is_drawn_to_the_edge_of_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(HEADER, "Code")
    bars: list[tuple[float, ...]] = []
    monkeypatch.setattr(paper.canvas, "rect", lambda *where, **_options: bars.append(where[:4]))

    paper.modules(Box(10, 20, 30, 30), [[True, True, False], [False, True, False], [False, True, True]])

    top = paper.height - 20
    assert bars == [(10, top - 10, 20, 10), (20, top - 20, 10, 10), (20, top - 30, 20, 10)]


@pytest.mark.parametrize(("cut", "most"), [(TWO, 2), (FOUR, 4)])
def test_every_table_has_its_number_as_large_as_it_goes(cut: CutLayout, most: int, drawn: list[Drawn]) -> None:
    made = draw_table_cards(HEADER, range(1, 41), cut=cut)

    numbers = {int(each.text): each.size for each in drawn if each.text.isdecimal()}
    assert set(numbers) == set(range(1, 41))
    assert min(numbers.values()) > 200 * 2 / most
    assert len(samples.pages(made)) == 40 // most
    assert list(samples.overlapping(drawn)) == []


def test_badge_has_name_club_and_event(drawn: list[Drawn]) -> None:
    people = [(samples.name(number), samples.SIXTY) for number in range(9)]

    first, _second = samples.pages(draw_badges(HEADER, people))

    assert samples.name(0) in first
    assert "Herbst-Cup 2026 · A" in first
    assert list(samples.overlapping(drawn)) == []


@pytest.mark.django_db
def test_cards_lead_whoever_has_them_to_their_own_page() -> None:
    division = factories.event(players=3)
    gone = division.entries.get(position=3)
    withdraw_entry(gone, after=0, actor=factories.director())
    save_wifi(division.tournament.organiser, name="Gemeindehaus", password="geheim123")

    [page] = samples.pages(render_document("player-cards", division, address=ADDRESS))

    stay = [division.entries.get(position=position) for position in (1, 2)]
    for entry in stay:
        link = make_personal_link(entry)
        assert f"{ADDRESS}me/{link}/" in page
        assert find_entry_by_link(link) == entry
    assert gone.player.name not in page
    assert "Gemeindehaus" in page
    assert "geheim123" not in page


@pytest.mark.django_db
def test_one_players_card_is_printed_alone(director_client: Client, network_address: str, settings: Any) -> None:
    settings.HOSTED = False
    division = factories.event(players=4)
    entry = division.entries.get(position=2)

    answer = director_client.get(f"/director/{division.tournament.slug}/entries/{entry.pk}/card.pdf")

    [page] = samples.pages(answer.content)
    assert page.count("/me/") == 1
    assert f"http://{network_address}/me/{make_personal_link(entry)}/" in page


@pytest.mark.django_db
def test_cards_without_a_network_say_why_there_are_none() -> None:
    [page] = samples.pages(render_document("player-cards", factories.event(players=4)))

    assert "This machine is not on a network" in page


@pytest.mark.django_db
def test_tables_are_numbered_up_to_the_last_that_is_needed(drawn: list[Drawn]) -> None:
    division = factories.event(players=5)
    factories.played(division)
    division.entries.filter(position=1).update(fixed_table=4)

    render_document("table-cards", factories.fresh(division))

    assert [each.text for each in drawn if each.text.isdecimal()] == ["1", "3", "2", "4"]


def test_cards_name_no_address_that_nobody_else_can_open(
    director_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOSTED = False
    monkeypatch.setattr(way_in, "find_network_addresses", lambda: ["192.168.1.20"])
    division = factories.event(players=4)
    event = f"/director/{division.tournament.slug}"
    entry = f"{event}/entries/{division.entries.order_by('pk')[0].pk}/"
    note_reach(NetworkReach.THIS_MACHINE)

    for card in (f"{event}/print/player-cards.pdf", f"{entry}card.pdf"):
        [page] = samples.pages(director_client.get(card).content)
        assert "--lan" in page
        assert "http" not in page
    shown = director_client.get(entry).content.decode()
    assert "192.168.1.20" not in shown
    assert "--lan" in shown
