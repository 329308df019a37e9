"""“My table” on the front page, and the running game on a player's card."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tests import factories
from tournament.models import Division, Tournament
from tournament.pairing.values import StartPolicy

AT = "/t/herbst-cup/"


def text(reader: Client, address: str) -> str:
    """What a page says, without its markup."""
    return " ".join(strip_tags(reader.get(address).content.decode()).split())


def test_card_begins_with_the_running_game(public_cup: Division, reader: Client) -> None:
    page = text(reader, f"{AT}players/P02/")

    assert "Now Round 3 · table 2 against Müller-Lüdenscheidt, Ann-Kathrin" in page


def test_card_of_a_finished_game_has_no_now(public_cup: Division, reader: Client) -> None:
    assert "table 1 against" not in text(reader, f"{AT}players/P01/")


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("P02", "Round 3 · table 2 against Müller-Lüdenscheidt, Ann-Kathrin · Müller-Lüdenscheidt, Ann-Kathrin starts"),
        ("P01", "Round 3 · table 1 against Öztürk, Cem · 450 : 350"),
    ],
)
def test_front_page_gets_where_a_player_sits(key: str, said: str, public_cup: Division, reader: Client) -> None:
    assert said in text(reader, f"{AT}playing/{key}/")


def test_nobody_is_said_to_start_where_that_is_drawn(public_cup: Division, reader: Client) -> None:
    Tournament.objects.update(starts=StartPolicy.DRAWN)

    assert "starts" not in text(reader, f"{AT}playing/P02/")


def test_name_picked_leads_to_the_card(public_cup: Division, reader: Client) -> None:
    assert reader.get(f"{AT}mine/?player=P02").headers["Location"] == f"{AT}players/P02/"
    assert reader.get(f"{AT}mine/?player=P99").headers["Location"] == AT
    assert 'value="P02"' in reader.get(AT).content.decode()


def test_director_keeps_the_menu_on_public_pages(public_cup: Division, reader: Client) -> None:
    doris = Client()
    factories.sign_in(doris)

    seen = [client.get(f"{AT}table/").content.decode() for client in (doris, reader)]

    assert ["/director/herbst-cup/print/" in page for page in seen] == [True, False]
