"""Letter sets add up, and sort as they are drawn."""

import csv
import dataclasses
import random
from pathlib import Path

import pytest

from scoring import letters
from scoring.letters import LETTER_SETS, Tile

FIGURES = Path(__file__).parents[3] / "shared" / "data" / "letters.csv"


@pytest.mark.parametrize(
    ("key", "size", "points", "alphabet"),
    [
        ("de", 102, 202, "?AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ"),
        ("nl", 102, 230, "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("en", 100, 187, "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ],
)
def test_letter_set_adds_up(key, size, points, alphabet):
    tiles = LETTER_SETS[key].tiles

    assert sum(tile.count for tile in tiles) == size
    assert sum(tile.count * tile.value for tile in tiles) == points
    assert "".join(tile.letter for tile in tiles) == alphabet


@pytest.mark.skipif(not FIGURES.exists(), reason=f"{FIGURES.name} is not there")
def test_letter_sets_have_the_published_figures():
    with FIGURES.open(encoding="utf-8") as file:
        published = {
            (row["set"], row["letter"]): (int(row["count"]), int(row["value"])) for row in csv.DictReader(file)
        }

    assert published == {
        (letter_set.key, tile.letter): (tile.count, tile.value)
        for letter_set in LETTER_SETS.values()
        for tile in letter_set.tiles
    }


@pytest.mark.parametrize(
    ("key", "tile"),
    [
        ("de", Tile("E", 15, 1)),
        ("de", Tile("Ö", 1, 8)),
        ("de", Tile("?", 2, 0)),
        ("nl", Tile("E", 18, 1)),
        ("nl", Tile("C", 2, 5)),
        ("en", Tile("K", 1, 5)),
    ],
)
def test_letter_set_tile(key, tile):
    assert LETTER_SETS[key].tile(tile.letter) == tile


def test_letter_set_without_the_letter():
    with pytest.raises(KeyError, match="ß"):
        LETTER_SETS["de"].tile("ß")


@pytest.mark.parametrize("wrong", [{"size": 100}, {"points": 200}, {"tiles": letters.GERMAN_LETTERS.tiles[::-1]}])
def test_letter_set_that_does_not_add_up_is_refused(wrong):
    with pytest.raises(ValueError, match="letter set de"):
        dataclasses.replace(letters.GERMAN_LETTERS, **wrong)


def test_place_puts_the_blank_first_and_umlauts_after_their_letters():
    drawn = list("?AÄBNOÖPTUÜVZ")
    random.Random(1).shuffle(drawn)

    assert "".join(sorted(drawn, key=letters.sort_key)) == "?AÄBNOÖPTUÜVZ"


def test_accents_are_left_out_but_tiles_keep_their_marks():
    assert LETTER_SETS["de"].unaccented("Café, Señor à Çö ÄÖÜ ß?") == "Cafe, Senor a Cö ÄÖÜ ß?"
    assert LETTER_SETS["nl"].unaccented("ideeën") == "ideeen"
