"""Games of the example event: two on score sheets and public, one of them with the play of the round."""

from pathlib import Path

from games.compare.agreement import agree_sheet
from games.gcg.checking import check_game
from games.gcg.conversion import convert_game_to_sheet
from games.gcg.operations import import_sheet, publish_game
from games.gcg.reading import read_gcg_text
from games.models import Scoresheet
from games.round_play.positions import choose_round_play
from scoring.letters import GERMAN_LETTERS
from tournament.core.change import Actor
from tournament.models import Pairing

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.gcg"))
THOUGHT_ABOUT = 6
"""The turn of the last example that everybody may think about; their rack holds a bingo."""


def write_example_games(tables: list[Pairing], actor: Actor) -> None:
    """Write the example games on sheets of the first of these tables, make their results official, and show them."""
    # Not strict: a small example event has fewer tables than there are games.
    for pairing, example in zip(tables, EXAMPLES, strict=False):
        rules = pairing.round.division.tournament.rules
        checked = check_game(read_gcg_text(example.read_text(encoding="utf-8")), GERMAN_LETTERS)
        written = convert_game_to_sheet(checked, checked.game.nicks[0], rules).written
        sheet = import_sheet(pairing, keeper=Scoresheet.Keeper.OTHER, written=written, actor=actor, replaces=None)
        agree_sheet(sheet, actor=actor, expected_version=0, expected_sheet=sheet.version)
        publish_game(sheet, actor=actor)
        if example == EXAMPLES[-1]:
            choose_round_play(pairing.round.division, scoresheet=sheet, turn=THOUGHT_ABOUT, actor=actor)
