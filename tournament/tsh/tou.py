"""The `.tou` file that WESPA's ratings officers read: one division after the other, CR LF, ASCII only."""

import unicodedata
from dataclasses import dataclass
from itertools import chain

from scoring import awards
from scoring.awards import Outcome
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData
from tournament.models import RoundState
from tournament.pairing.values import StartPolicy

NAME_WIDTH = 20

RESULT_MARKS = (" ", "1", "2")
"""The mark of a result, by half wins."""
LAST_LINE = "*** END OF FILE ***"

_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae"}
    | {"œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
    | dict(zip("øØłŁđĐðı", "oOlLdDdi", strict=True))
    | dict.fromkeys("„“”«»", '"')
    | dict.fromkeys("‚‘’‹›", "'")
    | dict.fromkeys("–—−", "-")
)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of one player: the opponent's number (their own for a bye), whether they started, and the score."""

    opponent: int
    started: bool = False
    result: str = " "
    score: int = 0

    def __str__(self) -> str:
        opponent = f"+{self.opponent}" if self.started else str(self.opponent)
        score = max(-99, min(self.score, 999))  # there are three columns
        return f" {self.result}{score:>3}{opponent:>4}"


def make_tou_file(event: EventData) -> bytes:
    """The file. Games without a result and drafts are left out; a forfeit counts with its score, if it has one."""
    day = event.ends_on or event.starts_on
    lines = [f"*M {day.strftime('%d.%m.%Y') if day else '00.00.0000'} {convert_to_ascii(event.name)}"]
    for division in event.divisions:
        players = [player for player in event.players if player.division == division.name]
        lines += [f"*{convert_to_ascii(division.name)}", " " * 38 + "0"]
        lines += _format_player_lines(players, division, known=event.starts == StartPolicy.BALANCED)
    return "".join(f"{line}\r\n" for line in [*lines, LAST_LINE]).encode("ascii")


def convert_to_ascii(text: str) -> str:
    """A text without accents, umlauts, line breaks and the asterisk that begins a heading."""
    plain = unicodedata.normalize("NFKD", text.translate(_WRITTEN_OUT))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(plain.encode("ascii", "replace").decode().replace("*", " ").split())


def _format_player_lines(players: list[PlayerData], division: DivisionData, *, known: bool) -> list[str]:
    numbers = {player.id: number for number, player in enumerate(players, 1)}
    cells: dict[str, list[PlayedRound]] = {player.id: [] for player in players}
    for round in division.rounds:
        if round.state == RoundState.DRAFT:
            continue
        played = (_make_played_rounds(pairing, numbers, known=known) for pairing in round.pairings)
        found = dict(chain.from_iterable(played))
        for player in players:
            cells[player.id].append(found.get(player.id, PlayedRound(numbers[player.id])))
    return [
        f"{convert_to_ascii(player.name)[:NAME_WIDTH]:<{NAME_WIDTH}}" + "".join(map(str, cells[player.id]))
        for player in players
    ]


def _make_played_rounds(pairing: PairingData, numbers: dict[str, int], *, known: bool) -> list[tuple[str, PlayedRound]]:
    """What a pairing gives each of its players; without an opponent or a score, a game against oneself."""
    first, second = pairing.first_points, pairing.second_points
    credits = awards.credit(pairing.outcome, first, second, awards.Awards())  # only wins count here
    results = [" " if credit is None else RESULT_MARKS[credit.half_wins] for credit in credits]
    if pairing.second is None or first is None or second is None or pairing.outcome == Outcome.OPEN:
        listed = zip(pairing.players, results, strict=False)
        return [(key, PlayedRound(numbers[key], result=result)) for key, result in listed]
    return [
        (pairing.first, PlayedRound(numbers[pairing.second], known, results[0], first)),
        (pairing.second, PlayedRound(numbers[pairing.first], False, results[1], second)),
    ]
