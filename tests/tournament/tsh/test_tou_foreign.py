"""The file for ratings officers read by a reader of its own, written by the description of the format alone: by columns
and by blanks, of real tournaments and of the worked cases; what it finds is what was played."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scoring.awards import Outcome
from tests.tournament.exchange import examples
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import DivisionData, EventData, PairingData
from tournament.models import RoundState
from tournament.tsh.reading import read_tsh_event
from tournament.tsh.writing import make_tou_file

REAL = sorted((examples.DATA / "tournaments").glob("*/config.tsh")) if examples.DATA.is_dir() else []
CASES = sorted((Path(__file__).parents[2] / "scoring" / "cases").glob("*.json"))
NAME = 20


@dataclass(frozen=True)
class Cell:
    """A round of a player: the mark (2 win, 1 draw, "" loss), the score, the opponent, and whether the player began."""

    mark: str
    score: int
    opponent: int
    began: bool = False


def read_by_columns(content: bytes) -> dict[str, list[list[Cell]]]:
    """The players' rounds by division: 20 columns of name, then a blank, the mark, three of the score, and four of the
    opponent, five in a division of more than 99."""
    found = {}
    for name, lines in split_divisions(content):
        width = 5 if len(lines) > 99 else 4
        found[name] = [
            [read_cell(line[at : at + 5 + width]) for at in range(NAME, len(line), 5 + width)] for line in lines
        ]
    return found


def split_divisions(content: bytes) -> Iterator[tuple[str, list[str]]]:
    lines = content.decode("ascii").split("\r\n")
    assert lines[0].startswith("*M")
    assert lines[0][2] != " "
    assert lines[-2:] == ["*** END OF FILE ***", ""]
    heads = [number for number, line in enumerate(lines) if line.startswith("*")]
    for begin, end in itertools.pairwise(heads[1:]):
        assert lines[begin + 1] == " " * 38 + "0"
        yield lines[begin][1:], lines[begin + 2 : end]


def read_cell(text: str) -> Cell:
    assert text[0] == " "
    opponent = text[5:].strip()
    return Cell(text[1].strip(), int(text[2:5]), int(opponent.removeprefix("+")), opponent.startswith("+"))


def read_by_blanks(content: bytes) -> dict[str, list[list[Cell]]]:
    """The same for a reader that splits at blanks and takes the first three of four figures for mark and score."""
    found = {}
    for name, lines in split_divisions(content):
        rows = []
        for line in lines:
            words = line.split()
            first = next((at for at, word in enumerate(words) if not word[0].isalpha() and at > 0), len(words))
            pairs = zip(words[first::2], words[first + 1 :: 2], strict=True)
            rows.append([read_pair(*pair) for pair in pairs])
        found[name] = rows
    return found


def read_pair(figures: str, opponent: str) -> Cell:
    mark, score = (figures[0], figures[1:]) if len(figures) == 4 else ("", figures)
    return Cell(mark, int(score), int(opponent.removeprefix("+")), opponent.startswith("+"))


def list_played(event: EventData, division: DivisionData) -> list[list[Cell]]:
    """What was played, as the description wants it told."""
    players = [each.id for each in event.players if each.division == division.name]
    knows_starts = event.starts == "balanced"
    rounds = [each for each in division.rounds if each.state != RoundState.DRAFT]
    rows = []
    for number, key in enumerate(players, 1):
        pairings = [next((each for each in round.pairings if key in each.players), None) for round in rounds]
        rows.append([tell(pairing, key, number, players, knows_starts) for pairing in pairings])
    return rows


def tell(pairing: PairingData | None, key: str, own: int, players: list[str], knows_starts: bool) -> Cell:
    if pairing is None or pairing.outcome == Outcome.OPEN:
        return Cell("", 0, own)
    if pairing.outcome == Outcome.BYE:
        return Cell("", 50, own)
    is_first = key == pairing.first
    if pairing.outcome != Outcome.PLAYED:
        loses = {Outcome.FIRST_FORFEITS: is_first, Outcome.SECOND_FORFEITS: not is_first}.get(pairing.outcome, True)
        return Cell("", 100, own) if loses else Cell("2", 150, own)
    points = (pairing.first_points, pairing.second_points)
    mine, other = points if is_first else points[::-1]
    assert mine is not None
    assert other is not None
    opponent = players.index(str(pairing.second if is_first else pairing.first)) + 1
    mark = "2" if mine > other else "1" if mine == other else ""
    return Cell(mark, min(mine, 999), opponent, is_first and knows_starts)


def require_read_whole(event: EventData) -> None:
    content = make_tou_file(event)
    by_columns = read_by_columns(content)

    assert list(by_columns.values()) == [list_played(event, division) for division in event.divisions]
    assert read_by_blanks(content) == by_columns
    for _name, lines in split_divisions(content):
        assert all(line[0].isalpha() and not any(letter.isdigit() for letter in line[:NAME]) for line in lines)


@pytest.mark.skipif(not REAL, reason="the real tournaments are not here")
@pytest.mark.parametrize("config", REAL, ids=lambda path: path.parent.name)
@pytest.mark.sampled(3)
def test_real_tournament_is_read_whole(config: Path) -> None:
    require_read_whole(read_tsh_event(config).event)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.sampled(8)
def test_worked_case_is_read_whole(path: Path) -> None:
    require_read_whole(read_tournament_file(json.dumps(json.loads(path.read_text(encoding="utf-8"))["event"])))


def test_example_is_read_whole() -> None:
    require_read_whole(read_tournament_file(examples.EXAMPLE))
