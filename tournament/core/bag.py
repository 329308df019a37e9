"""The lot from the bag: seven tiles drawn in public seed the draw of a round, so that anybody can repeat it."""

import re
import unicodedata

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.letters import LetterSet
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.models import Round
from tournament.pairing.lots import TILES_OF_A_SEED, find_seed_tiles, make_tile_seed
from tournament.pairing.values import Method


def read_draw_seed(text: str, letters: LetterSet, *, lowest: int = 1) -> int:
    """The seed that a number or seven tiles of the letter set stand for. Raises `no_draw_seed` or
    `tiles_not_in_bag`."""
    # A Mac may send Ä as A and two dots, which is eight letters instead of seven tiles.
    seed_text = unicodedata.normalize("NFC", text).strip()
    # Nineteen digits are as many as the column holds; of more than 4,300 Python refuses to make a number, which would
    # be an error page.
    if re.fullmatch(r"-?[0-9]{1,19}", seed_text) and lowest <= int(seed_text) <= limits.DRAW_SEED.high:
        seed = int(seed_text)
        # The number may stand for tiles: they are looked for in this bag as if they had been typed, since another
        # letter set may lack them.
        tiles = find_seed_tiles(seed)
    else:
        tiles = re.sub(r"[\s,;.-]", "", seed_text).upper()
        if len(tiles) != TILES_OF_A_SEED or not all(tile.isalpha() or tile == "?" for tile in tiles):
            raise Refusal(
                "no_draw_seed",
                gettext_lazy(
                    "“%(text)s” is no draw number: a whole number from 1 is allowed, or the seven tiles "
                    "drawn from the bag, such as ENRSTAI, with ? for a blank."
                ),
                field="seed",
                text=text[:20],
            )
    held = {tile.letter: tile.count for tile in letters.tiles}
    for letter in tiles:
        if tiles.count(letter) > held.get(letter, 0):
            raise Refusal(
                "tiles_not_in_bag",
                gettext_lazy(
                    "“%(text)s”: the bag holds tiles with “%(letter)s”: %(held)s; at most so many are allowed."
                ),
                field="seed",
                text=text[:20],
                letter=letter,
                held=held.get(letter, 0),
            )
    return make_tile_seed(tiles) if tiles else seed


def list_tile_notes(round: Round) -> list[str]:
    """Which tiles the round was drawn by, and how to repeat it; nothing if it was not drawn from the bag."""
    if not round.tiles or round.method == Method.MANUAL:
        return []
    repeats = _(
        "Whoever enters %(tiles)s as the draw number (pair --seed %(tiles)s) gets the same draw again, all else being "
        "equal."
    )
    drawn = _("Drawn from the bag: %(tiles)s.") % {"tiles": "\N{NO-BREAK SPACE}".join(round.tiles)}
    return [drawn, repeats % {"tiles": round.tiles}]
