"""Files of other programs written from a plain value: a tsh event, as files and as `tourney.js`, and the `.tou` file
that WESPA's officers read.

A tsh event is `config.tsh` and one `.t` file for each division. tsh has games, byes and absences, and for the last two
only a spread. A forfeit becomes a bye for one player and an absence for the other, each with what the rules credit, so
that wins and spread stay the same; an award that gives half a win to both becomes a drawn game.

`tourney.js` is JavaScript that others poll while the event runs; players are numbered from 1, so a list of players
begins with `undefined`.

A `.tou` file has one division after the other, CR LF, ASCII only.
"""

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import awards
from scoring.awards import Credit, Outcome
from tournament.core.division_tables import list_table_numbers
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, RoundData
from tournament.models import RoundState
from tournament.pairing.values import StartPolicy
from tournament.tsh.cards import REPLIED, STARTED, UNDEFINED_SCORE, renumber_tables, strip_undefined

UNKNOWN, BYE = 4, 0  # what `p12` says where nobody knows who started, and where nobody did


@dataclass(frozen=True, slots=True)
class WrittenRound:
    opponent: int = 0
    score: int | None = 0
    started: int = BYE
    table: int = 0


def make_tsh_files(event: EventData) -> dict[str, bytes]:
    """The files of the event by name, without drafts, which nobody has seen, and divisions without players."""
    fields = _list_fields(event)
    words = make_division_words([division.name for division, _players in fields])
    boards = {division.name: _number_boards(division, len(players)) for division, players in fields}
    texts = {
        # In small letters, as the words differ whatever their case: on Windows A.t and a.t are one file.
        f"{words[division.name].lower()}.t": _format_division(players, boards[division.name][0], event)
        for division, players in fields
    }
    encoding = _choose_encoding(texts.values())
    files = {name: text.encode(encoding) for name, text in texts.items()}
    settings = _list_settings(event) | ({"tfile_encoding": "utf8"} if encoding == "utf-8" else {})
    divisions = [f"division {word} {word.lower()}.t" for word in words.values()]
    settings |= {f"tables{{'{words[name]}'}}": tables for name, (_division, tables) in boards.items() if tables}
    lines = [f"config {key} = {_format_for_perl(value)}" for key, value in settings.items()]
    # In ASCII, whatever is in the names: other letters are written as Perl's escapes, and need no encoding.
    return {"config.tsh": ("\n".join([*divisions, *lines]) + "\n").encode("ascii"), **files}


def make_joined_t_file(event: EventData) -> bytes:
    """The divisions of the event in one `.t` file, each after a line `#division NAME` and with numbers of its own, as
    ratings officers take it."""
    fields = _list_fields(event)
    words = make_division_words([division.name for division, _players in fields])
    parts = (
        f"#division {words[division.name]}\n{_format_division(players, division, event)}"
        for division, players in fields
    )
    text = "".join(parts)
    return text.encode(_choose_encoding([text]))


def _number_boards(division: DivisionData, players: int) -> tuple[DivisionData, list[int]]:
    """The division with boards that count from 1, as tsh pairs them, and the tables that these are, the division's own
    first; without any of its own it stays as it is, and tsh counts its tables."""
    if not division.tables:
        return division, []
    used = {pairing.table for round in division.rounds for pairing in round.pairings if pairing.table}
    # As many boards as tsh may ever ask for, also those at whose tables nobody has sat yet: tsh goes on pairing with
    # this list.
    tables = list(itertools.islice(list_table_numbers(division.tables), max(players // 2, len(used))))
    tables += sorted(used.difference(tables))
    boards = {table: board for board, table in enumerate(tables, 1)}
    return renumber_tables(division, boards), tables


def _list_fields(event: EventData) -> list[tuple[DivisionData, list[PlayerData]]]:
    """The divisions that have players, each with them."""
    fields = (
        (division, [player for player in event.players if player.division == division.name])
        for division in event.divisions
    )
    return [(division, players) for division, players in fields if players]


def _choose_encoding(texts: Iterable[str]) -> str:
    return "iso-8859-1" if all(map(_can_use_latin1, texts)) else "utf-8"


def _can_use_latin1(text: str) -> bool:
    """Whether Latin-1 can hold a text, and nobody would then take it for UTF-8."""
    try:
        content = text.encode("iso-8859-1")
    except UnicodeEncodeError:
        return False
    # `Ã¼` in Latin-1 is `ü` in UTF-8, byte for byte, and `decode_tsh_text` would take it for that.
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return content.isascii()


def make_division_words(names: Sequence[str]) -> dict[str, str]:
    """A word of plain letters for each division's name, none of them twice, whatever the case."""
    words: dict[str, str] = {}
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        stem = re.sub(r"\W+", "_", plain).strip("_") or "division"
        words_in_use = {word.casefold() for word in words.values()}
        candidates = itertools.chain([stem], (f"{stem}_{number}" for number in itertools.count(2)))
        words[name] = next(word for word in candidates if word.casefold() not in words_in_use)
    return words


def _list_settings(event: EventData) -> dict[str, str | int | list[int]]:
    """What tsh must know to show the event, and to count as it was counted."""
    rounds = [_count_rounds(division) for division in event.divisions]
    days = [day.isoformat() for day in dict.fromkeys((event.starts_on, event.ends_on)) if day]
    return {
        "event_name": event.name,
        **({"event_date": " - ".join(days)} if days else {}),
        "max_rounds": max(rounds, default=0),
        "bye_spread": event.awards.bye_spread,
        "assign_firsts": int(event.starts == StartPolicy.BALANCED),
        "track_firsts": 1,
        **({"spread_cap": list(event.ranking.spread_cap)} if event.ranking.spread_cap else {}),
    }


def _count_rounds(division: DivisionData) -> int:
    """How many rounds are planned or told."""
    return max([*(segment.last for segment in division.plan), len(_list_told_rounds(division))], default=0)


def _list_told_rounds(division: DivisionData) -> list[RoundData]:
    """The rounds up to the last one of which something may be told: neither a draft nor a round whose pairings are held
    back."""
    # Only at the end do rounds without pairings go: one left out in the middle would move all behind it up by one.
    rounds = [round for round in division.rounds if round.state != RoundState.DRAFT]
    while rounds and not rounds[-1].pairings:
        rounds.pop()
    return rounds


def _format_for_perl(value: str | int | list[int]) -> str:
    if isinstance(value, str):
        letters = [f"\\{letter}" if letter in '"\\$@' else letter for letter in value]
        return '"' + "".join(letter if letter.isascii() else f"\\x{{{ord(letter):x}}}" for letter in letters) + '"'
    return str(value)  # a list of numbers is written alike in Perl


def _format_division(players: list[PlayerData], division: DivisionData, event: EventData) -> str:
    rows = _list_written_rounds(players, division, event)
    return "".join(_format_player_line(player, rows[player.id], event) for player in players)


def _list_written_rounds(
    players: list[PlayerData], division: DivisionData, event: EventData
) -> dict[str, list[WrittenRound]]:
    """The rounds of each player, as far as they are told."""
    numbers = {player.id: number for number, player in enumerate(players, 1)}
    rows: dict[str, list[WrittenRound]] = {player.id: [] for player in players}
    for round in _list_told_rounds(division):
        rounds_by_player = _make_written_rounds(round, numbers, event)
        for player in players:
            rows[player.id].append(rounds_by_player.get(player.id, WrittenRound()))
    return rows


def _make_written_rounds(round: RoundData, numbers: dict[str, int], event: EventData) -> dict[str, WrittenRound]:
    # Where starts are drawn at the table nobody wrote down who began: the order of the two says nothing then.
    is_known = event.starts == StartPolicy.BALANCED
    rounds: dict[str, WrittenRound] = {}
    for pairing in round.pairings:
        credits = awards.credit(
            pairing.outcome, pairing.first_points, pairing.second_points, event.awards, spread=pairing.spread
        )
        scores = _find_game_scores(pairing, credits)
        if pairing.second is not None and scores is not None:
            seats = ((pairing.first, pairing.second, STARTED), (pairing.second, pairing.first, REPLIED))
            for (key, other, started), score in zip(seats, scores, strict=True):
                rounds[key] = WrittenRound(numbers[other], score, started if is_known else UNKNOWN, pairing.table or 0)
            continue
        for key, credit in zip(pairing.players, credits, strict=False):
            if credit is not None:
                # tsh tells wins from losses by the sign and counts nothing for 0.
                spread = max(credit.spread, 1) if credit.half_wins else min(credit.spread, -1)
                rounds[key] = WrittenRound(score=spread)
    return rounds


def _find_game_scores(
    pairing: PairingData, credits: tuple[Credit | None, Credit | None]
) -> tuple[int | None, int | None] | None:
    """The scores of what tsh can hold as a game: one played or open, or half a win for both, which is a drawn game."""
    if pairing.outcome in (Outcome.PLAYED, Outcome.OPEN):
        return pairing.first_points, pairing.second_points
    first, second = credits
    if first is not None and second is not None and first.half_wins == second.half_wins == 1:
        # tsh cannot credit half a win to both in another way: a bye each would make two winners.
        points = min(first.points, second.points)  # equal scores, none above what was credited
        return points, points
    return None


def _list_player_fields(player: PlayerData, rounds: list[WrittenRound], event: EventData) -> dict[str, Sequence[Any]]:
    """What stands behind the scores, by tsh's names and in their order, each as a list of words."""
    return {
        "board": [round.table for round in rounds],
        "lifeg": [player.games] if player.games else [],
        "off": [event.awards.loss_spread] if player.withdrawn_after is not None else [],
        "p12": [round.started for round in rounds],
        "team": player.club.split() if player.club else [],
    }


def _format_player_line(player: PlayerData, rounds: list[WrittenRound], event: EventData) -> str:
    """A player's line. A name that ends in a digit needs a comma, since the rating follows."""
    # With a hash at its start the line is a comment, and at a semicolon the name ends: the player would be missing, and
    # all numbers behind would be another's.
    name = re.sub(r"^[#\s]+|[,\s]+$", "", player.name.replace(";", " ")) or "?"
    name += "," if name[-1].isdigit() else ""
    opponents = " ".join(str(round.opponent) for round in rounds)
    # tsh reads 9999 as no score at all, and 0 as a score: what is not known yet is 00.
    scores = " ".join("00" if round.score is None else str(min(round.score, UNDEFINED_SCORE - 1)) for round in rounds)
    texts = {
        # A semicolon would begin the next field, and a backslash changes the letter behind it.
        key: " ".join(map(str, values)).replace(";", " ").replace("\\", "/")
        for key, values in _list_player_fields(player, rounds, event).items()
    }
    more = "".join(f"; {key} {text}" for key, text in texts.items() if text)
    return f"{name:<22} {player.rating or 0:>5} {opponents}; {scores}{more}\n"


def make_tourney_js(
    event: EventData, ranks: Mapping[str, Sequence[int | None]], ratings: Mapping[str, int | None]
) -> bytes:
    """The event as tsh publishes it, in ASCII, without drafts and divisions without players. `ranks`: each player's
    ranks after the rounds whose table may be seen, by id; `ratings`: their new ratings, of those who have one. Rounds
    are counted from 0 in `maxp`, the last one paired, and `maxr`, the last one planned."""
    divisions = []
    for division, players in _list_fields(event):
        rows = _list_written_rounds(players, division, event)
        cards = [
            _make_script_card(number, player, rows[player.id], event, ranks.get(player.id, ()), ratings.get(player.id))
            for number, player in enumerate(players, 1)
        ]
        paired = len(rows[players[0].id])
        head = {"name": division.name, "maxr": _count_rounds(division) - 1, "maxp": paired - 1}
        divisions.append({**head, "players": [None, *cards]})
    config = {"tournament_id": event.slug, **_list_settings(event)}
    return f"newt={_format_script_value({'config': config, 'divisions': divisions})};\n".encode("ascii")


def _make_script_card(
    number: int,
    player: PlayerData,
    rounds: list[WrittenRound],
    event: EventData,
    ranks: Sequence[int | None],
    new_rating: int | None,
) -> dict[str, Any]:
    """A player. Scores end with the last one known."""
    fields = _list_player_fields(player, rounds, event) | {"rank_history": list(ranks)}
    return {
        "id": number,
        "name": player.name,
        "rating": player.rating or 0,
        "newr": new_rating,
        "pairings": [round.opponent for round in rounds],
        "scores": strip_undefined(round.score for round in rounds),
        "etc": {key: values for key, values in fields.items() if values},
    }


def _format_script_value(value: Any) -> str:
    """A value as JavaScript, in ASCII; what is not known is `undefined`."""
    if value is None:
        return "undefined"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{_format_script_value(element)}' for key, element in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_format_script_value, value))}]"
    return json.dumps(value)


NAME_WIDTH = 20

RESULT_MARKS = (" ", "1", "2")  # the mark of a result, by half wins
LAST_LINE = "*** END OF FILE ***"

_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae"}
    | {"œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
    | dict(zip("øØłŁđĐðı", "oOlLdDdi", strict=True))
    | dict.fromkeys("„“”«»", '"')
    | dict.fromkeys("‚‘’‹›", "'")
    | dict.fromkeys("–—−", "-")
)


BYE_SCORE, FORFEIT_WIN, FORFEIT_LOSS = 50, 150, 100
"""What stands for a game that does not count for ratings, against oneself."""


@dataclass(frozen=True, slots=True)
class TouRound:
    """A round of one player: the opponent's number (their own where nothing counts for ratings), whether they started,
    half wins and the score."""

    opponent: int
    started: bool = False
    half_wins: int = 0
    score: int = 0

    def format_cell(self, width: int) -> str:
        """The cell, with so many columns for the opponent. Whoever splits a line at blanks finds pairs of figures, so
        no blank parts the mark from its score."""
        opponent = f"+{self.opponent}" if self.started else str(self.opponent)
        # Three columns, in which the mark of a result stands before zeros: 2 and 45 are `2045`, and a minus between
        # them would be read as another number. Only a loss, whose mark is a blank, has room for it.
        score = max(0 if self.half_wins else -99, min(self.score, 999))
        marked = f"{RESULT_MARKS[self.half_wins]}{score:03}" if self.half_wins else f" {score:>3}"
        return f" {marked}{opponent:>{width}}"


def make_tou_file(event: EventData) -> bytes:
    """The file. Drafts are left out; byes, forfeits and absences stand in it, but count for no rating."""
    day = event.ends_on or event.starts_on
    lines = [f"*M{day.strftime('%d.%m.%Y') if day else '00.00.0000'} {convert_to_ascii(event.name)}"]
    for division in event.divisions:
        players = [player for player in event.players if player.division == division.name]
        lines += [f"*{convert_to_ascii(division.name)}", " " * 38 + "0"]
        numbers = {player.id: number for number, player in enumerate(players, 1)}
        cells: dict[str, list[TouRound]] = {player.id: [] for player in players}
        for round in division.rounds:
            if round.state == RoundState.DRAFT:
                continue
            played = (
                _make_tou_rounds(pairing, numbers, known=(event.starts == StartPolicy.BALANCED))
                for pairing in round.pairings
            )
            rounds_by_player = dict(itertools.chain.from_iterable(played))
            for player in players:
                cells[player.id].append(rounds_by_player.get(player.id, TouRound(numbers[player.id])))
        # `+100` fills four columns and would touch the score before it: readers split the line at blanks.
        width = 5 if len(players) > 99 else 4
        lines += [
            f"{_make_tou_name(player.name, numbers[player.id]):<{NAME_WIDTH}}"
            + "".join(cell.format_cell(width) for cell in cells[player.id])
            for player in players
        ]
    return "".join(f"{line}\r\n" for line in [*lines, LAST_LINE]).encode("ascii")


def convert_to_ascii(text: str) -> str:
    """A text without accents, umlauts, line breaks and the asterisk that begins a heading."""
    plain = unicodedata.normalize("NFKD", text.translate(_WRITTEN_OUT))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(plain.encode("ascii", "replace").decode().replace("*", " ").split())


def _make_tou_name(name: str, number: int) -> str:
    """A name that begins with a letter and holds no figure, so that readers know where it ends; where the name has no
    Latin letter, the player's number in letters."""
    plain = re.sub(r"^[^A-Za-z]+|[\d?]", "", convert_to_ascii(name))[:NAME_WIDTH].strip()
    return plain or "Player " + "".join(chr(ord("A") + int(digit)) for digit in str(number))


def _make_tou_rounds(pairing: PairingData, numbers: dict[str, int], *, known: bool) -> list[tuple[str, TouRound]]:
    """What a pairing gives each of its players: a game played to its end, or one against oneself."""
    first, second = pairing.first_points, pairing.second_points
    credits = awards.credit(pairing.outcome, first, second, awards.Awards())  # only wins count here
    if pairing.outcome == Outcome.PLAYED and pairing.second is not None and first is not None and second is not None:
        won, other = (credit.half_wins if credit else 0 for credit in credits)
        return [
            (pairing.first, TouRound(numbers[pairing.second], known, won, first)),
            (pairing.second, TouRound(numbers[pairing.first], False, other, second)),
        ]
    rounds = []
    for key, credit in zip(pairing.players, credits, strict=False):
        half_wins = credit.half_wins if credit and pairing.outcome != Outcome.BYE else 0
        score = BYE_SCORE if pairing.outcome == Outcome.BYE else FORFEIT_WIN if half_wins else FORFEIT_LOSS
        rounds.append((key, TouRound(numbers[key], half_wins=half_wins, score=score if credit else 0)))
    return rounds
