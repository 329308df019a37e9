"""The best plays of a position: found by the organiser's list, kept, and shown to those whom they are meant for."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.gcg.operations import publish_game
from games.judge.operations import delete_word_list, load_word_list
from games.judge.store import WordListMissing
from games.models import Scoresheet, WordList
from games.plays import PLAYS_SHOWN, _load_tables, find_best_plays, get_tables_folder, load_lexicon
from scoring.board import Board
from scoring.letters import GERMAN_LETTERS
from tests import factories
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tournament.models import Pairing, Tournament

WORDS = "WÖRTER\nTÖRE\nKÄSTE\nHEXE\nKINDE\nÄRA\n"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    _load_tables.cache_clear()


@pytest.fixture
def word_list(db: None) -> WordList:
    source = io.BytesIO(WORDS.encode())
    loaded = load_word_list(source, letters="de", title="Kleine Liste", use=True, actor=factories.director())
    return loaded.word_list


@pytest.fixture
def sheet(cup: Tournament, tables: list[Pairing]) -> Scoresheet:
    return sheet_with(tables[0], games.GERMAN)


def test_first_turn_of_a_game(word_list: WordList) -> None:
    found = find_best_plays(Board(GERMAN_LETTERS), "WÖRTERN", word_list)

    assert found is not None
    assert (found["words"], found["rack"], found["plays"][0]["points"]) == ("Kleine Liste", "WÖRTERN", 46)
    assert {play["text"].split()[1] for play in found["plays"]} <= {"WÖRTER", "TÖRE"}
    assert found["count"] > len(found["plays"]) == PLAYS_SHOWN


def test_second_time_nothing_is_looked_for(word_list: WordList, tmp_path: Path) -> None:
    first = find_best_plays(Board(GERMAN_LETTERS), "WÖRTERN", word_list)
    shutil.rmtree(tmp_path / "words")

    assert find_best_plays(Board(GERMAN_LETTERS), "WÖRTERN", word_list) == first
    with pytest.raises(WordListMissing):
        load_lexicon(word_list)


def test_rack_that_there_cannot_be(word_list: WordList) -> None:
    assert find_best_plays(Board(GERMAN_LETTERS), "ABCDEFGH", word_list) is None


def test_tables_of_a_list_that_is_gone_go_too(word_list: WordList) -> None:
    load_lexicon(word_list)
    (before,) = get_tables_folder().iterdir()
    delete_word_list(word_list, actor=factories.director())
    source = io.BytesIO(b"HEXE\n")
    later = load_word_list(source, letters="de", title="Andere", use=True, actor=factories.director()).word_list

    assert load_lexicon(later).holds("HEXE")
    assert [path.stem for path in get_tables_folder().iterdir()] == [Path(later.name).stem] != [before.stem]


def shown(client: Client, address: str, turn: int) -> Any:
    return client.get(address, {"turn": str(turn)})


def test_director_sees_them_once_the_game_is_over(client: Client, word_list: WordList, sheet: Scoresheet) -> None:
    factories.sign_in(client)
    address = f"/director/{sheet.pairing.round.division.tournament.slug}/sheet/{sheet.pk}/best/"

    early = client.get(address)
    Scoresheet.objects.filter(pk=sheet.pk).update(is_finished=True)
    page = shown(client, address, 1)

    assert early["Location"].endswith(f"/result/{sheet.pairing_id}/gcg/")
    assert page.context["laid"] == "8D WÖRTER"
    assert page.context["best"]["plays"][0]["points"] == 46
    assert "Mit WÖRTERN erlaubt die Liste „Kleine Liste“" in page.content.decode()


def test_way_there_stands_on_the_sheet_once_the_game_is_over(client: Client, sheet: Scoresheet) -> None:
    factories.sign_in(client)
    address = f"/director/{sheet.pairing.round.division.tournament.slug}/sheet/{sheet.pk}/"
    before = client.get(address).content.decode()
    Scoresheet.objects.filter(pk=sheet.pk).update(is_finished=True)

    assert f"{address}best/" not in before
    assert f"{address}best/?turn=1" in client.get(address).content.decode()


@pytest.mark.parametrize("turn", [0, 5])
def test_without_a_turn_or_a_rack_there_is_nothing_to_look_for(
    client: Client, word_list: WordList, sheet: Scoresheet, turn: int
) -> None:
    factories.sign_in(client)
    Scoresheet.objects.filter(pk=sheet.pk).update(is_finished=True)
    address = f"/director/{sheet.pairing.round.division.tournament.slug}/sheet/{sheet.pk}/best/"

    assert "best" not in shown(client, address, turn).context


def test_without_a_list_the_director_is_told(client: Client, sheet: Scoresheet) -> None:
    factories.sign_in(client)
    Scoresheet.objects.filter(pk=sheet.pk).update(is_finished=True)
    address = f"/director/{sheet.pairing.round.division.tournament.slug}/sheet/{sheet.pk}/best/"

    assert "Keine Wortliste ist in Gebrauch" in shown(client, address, 1).content.decode()


def test_everybody_sees_them_only_where_the_director_wants_it(word_list: WordList, sheet: Scoresheet) -> None:
    anybody, director = Client(), factories.director()
    address = f"/t/{sheet.pairing.round.division.tournament.slug}/game/{sheet.pairing_id}/"
    publish_game(sheet, actor=director)
    plain = shown(anybody, address, 1)
    publish_game(sheet, actor=director, best=True)
    still_played = shown(anybody, address, 1)
    factories.result(sheet.pairing.round, sheet.pairing.table or 1, 420, 380)
    with_best = shown(anybody, address, 1)
    publish_game(sheet, actor=director)

    assert "best" not in plain.context
    assert "best" not in still_played.context
    assert with_best.context["best"]["plays"][0]["points"] == 46
    assert "best" not in shown(anybody, address, 1).context
