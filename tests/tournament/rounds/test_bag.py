"""The lot from the bag: seven tiles that seed a draw, and what is told of them."""

import io
import itertools
import json
import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.letters import LETTER_SETS
from tests import factories
from tests.refusals import refuses
from tests.tournament.paper import samples
from tournament.archive.replaying import find_journal_differences
from tournament.core.bag import read_draw_seed
from tournament.core.words.journal import describe_entry
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.files.print_room import render_document
from tournament.models import Division, Round
from tournament.pairing.lots import SEED_LETTERS, find_seed_tiles, make_tile_seed
from tournament.rounds.drafts import pair_rest_anew
from tournament.rounds.operations import publish_round

GERMAN, DUTCH = LETTER_SETS["de"], LETTER_SETS["nl"]
ENRSTAI = 1_105_369_616_425


@given(st.text(SEED_LETTERS, min_size=7, max_size=7))
def test_each_seven_tiles_have_a_seed_of_their_own(tiles: str) -> None:
    assert find_seed_tiles(make_tile_seed(tiles)) == tiles


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_seed_without_tiles_names_none(seed: int) -> None:
    tiles = find_seed_tiles(seed)

    assert tiles == "" or make_tile_seed(tiles) == seed
    assert find_seed_tiles(seed % 2**31) == ""


@pytest.mark.parametrize("tiles", ["ENRSTA", "ENRSTAIX", "enrstai", "ENRSTA1"])
def test_only_seven_letters_make_a_seed(tiles: str) -> None:
    with pytest.raises(ValueError, match=r"ENRSTA|substring"):
        make_tile_seed(tiles)


def test_every_letter_of_every_set_can_be_drawn() -> None:
    assert {tile.letter for letters in LETTER_SETS.values() for tile in letters.tiles} <= set(SEED_LETTERS)


@pytest.mark.parametrize(
    "typed", ["ENRSTAI", "enrstai", " E N R S T A I ", "E-N-R-S-T-A-I", "e, n, r, s, t, a, i", str(ENRSTAI)]
)
def test_tiles_are_read_as_they_are_typed(typed: str) -> None:
    assert (
        read_draw_seed(typed, GERMAN)
        == ENRSTAI
        == 2**40
        + sum(place << shift for place, shift in zip((5, 14, 18, 19, 20, 1, 9), range(30, -1, -5), strict=True))
    )


def test_umlauts_and_blanks_are_tiles_and_their_order_counts() -> None:
    assert find_seed_tiles(read_draw_seed("a\u0308?öüjq?", GERMAN)) == "Ä?ÖÜJQ?"
    orders = {read_draw_seed("".join(order) + "STA", GERMAN) for order in itertools.permutations("ENR?")}
    assert len(orders) == 24


@pytest.mark.parametrize("typed", ["0", "-1", "ENRSTA", "ENRSTAIN", "ENRST4I", "1.5", "x", str(2**63), "٣٣"])
def test_anything_else_is_refused_with_what_is_allowed(typed: str) -> None:
    with refuses("no_draw_seed") as refused:
        read_draw_seed(typed, GERMAN)

    with translation.override("en"):
        said = str(refused.value)
    assert said.startswith(f"“{typed[:20]}” is no draw number: a whole number from 1 is allowed, or the seven")


@pytest.mark.parametrize(
    ("typed", "letters", "letter", "held"),
    [("QQENRST", GERMAN, "Q", 1), ("???ENRS", GERMAN, "?", 2), ("ÄENRSTA", DUTCH, "Ä", 0), ("ÉENRSTA", GERMAN, "É", 0)],
)
def test_no_more_of_a_letter_than_the_bag_holds(typed: str, letters: object, letter: str, held: int) -> None:
    with refuses("tiles_not_in_bag") as refused:
        read_draw_seed(typed, letters)  # type: ignore[arg-type]

    with translation.override("en"):
        said = str(refused.value)
    assert said == f"“{typed}”: the bag holds tiles with “{letter}”: {held}; at most so many are allowed."


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=9, rounds=5)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def pair(division: Division, seed: str) -> dict[str, object]:
    out = io.StringIO()
    call_command("pair", division.tournament.slug, "--seed", seed, "--format", "json", stdout=out)
    found: dict[str, object] = json.loads(out.getvalue())
    return found


def test_the_same_tiles_repeat_the_draw(division: Division) -> None:
    first, again = pair(division, "ENRSTAI"), pair(division, "e n r s t a i")

    assert (first["seed"], first["tiles"]) == (ENRSTAI, "ENRSTAI")
    assert first == again
    assert pair(division, str(ENRSTAI)) == first
    assert pair(division, "IATSRNE")["pairings"] != first["pairings"]
    assert "tiles" not in pair(division, "7")


def test_command_refuses_tiles_that_the_bag_does_not_hold(division: Division) -> None:
    with pytest.raises(SystemExit):
        pair(division, "QQQQQQQ")

    assert not Round.objects.exists()


def drawn(division: Division) -> Round:
    pair(division, "ENRSTAI")
    return Round.objects.select_related("division__tournament").get()


def test_form_takes_tiles_and_every_page_shows_them(director_client: Client, division: Division) -> None:
    slug = division.tournament.slug
    typed = {"method": "random", "seed": "E N R S T A I"}
    draft = director_client.post(f"/director/{slug}/rounds/draw/", typed, follow=True).content.decode()
    round = Round.objects.select_related("division__tournament").get()
    publish_round(round, actor=factories.director())
    pages = [
        director_client.get(address).content.decode()
        for address in (f"/t/{slug}/rounds/1/", f"/director/{slug}/rounds/1/")
    ]
    [sheet] = samples.pages(render_document("pairings", division, round))

    assert round.seed == ENRSTAI
    for page in (re.sub(r"\s+", " ", shown) for shown in (draft, *pages, sheet)):
        assert "E N R S T A I" in page
        assert "pair --seed ENRSTAI" in page


def test_form_quotes_what_are_no_tiles(director_client: Client, division: Division) -> None:
    page = director_client.post(
        f"/director/{division.tournament.slug}/rounds/draw/", {"method": "random", "seed": "QQQQQQQ"}
    ).content.decode()

    assert "„QQQQQQQ“: Im Säckchen sind Steine mit „Q“: 1; höchstens so viele sind möglich." in page
    assert not Round.objects.exists()


def test_a_draw_anew_is_no_more_by_the_tiles(director_client: Client, division: Division) -> None:
    round = drawn(division)
    pair_rest_anew(round, actor=factories.director())

    page = director_client.get(f"/director/{division.tournament.slug}/rounds/1/").content.decode()
    assert "ENRSTAI" not in re.sub(r'(?s)<div class="why" id="last-act">.*?</div>', "", page)


def test_journal_and_tournament_file_carry_the_tiles(division: Division) -> None:
    drawn(division)
    entry = division.tournament.journal.get(verb="draft_round")
    text = format_tournament_file(load_event_data(division.tournament))
    copied = store_event_data(
        read_tournament_file(text.replace(division.tournament.slug, "copy")), actor=factories.director()
    )

    assert "ENRSTAI" in describe_entry(entry)
    assert [found for found in find_journal_differences(division.tournament) if ".plan" not in found] == []
    assert json.loads(text)["divisions"][0]["rounds"][0]["tiles"] == "ENRSTAI"
    assert Round.objects.get(division__tournament=copied).tiles == "ENRSTAI"


def test_file_whose_tiles_are_not_those_of_its_seed_is_refused(division: Division) -> None:
    drawn(division)
    text = format_tournament_file(load_event_data(division.tournament)).replace("ENRSTAI", "ENRSTAN")

    with pytest.raises(FileFaults) as found:
        read_tournament_file(text)

    assert [fault.code.name for fault in found.value.faults] == ["SEED_TILES"]
