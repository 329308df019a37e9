"""A tsh event as one plain value: its files found, decoded and joined. Each pairing is stated on two cards. The files
are a `.t` file, a folder with `config.tsh`, or a `tourney.js`."""

import codecs
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring import rulesets
from scoring.awards import Awards, Outcome
from scoring.standings import Criterion, Ranking, RankingBasis, WithdrawnPlacement
from tournament.basics import limits
from tournament.basics.names import clean_text
from tournament.core.division_tables import TableRange, find_shared_table
from tournament.exchange.checks import find_event_data_problems
from tournament.exchange.faults import (
    FaultCode,
    FileFault,
    FileFaults,
    FilePlace,
    make_single_fault,
    quote_path,
    quote_value,
)
from tournament.exchange.json_text import format_json_path, make_size_fault
from tournament.exchange.tournament_file import DEFAULT_RULESET, check_game_count, get_usual_minutes
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, RoundData, SegmentData
from tournament.models import RoundState
from tournament.pairing.values import Method, StartPolicy
from tournament.tsh.cards import (
    REPLIED,
    STARTED,
    DeclaredDivision,
    DivisionFile,
    ImportRemarks,
    PlayerLine,
    TshConfig,
    TshFolder,
    parse_leading_number,
    read_joined_lines,
    read_player_lines,
    read_tsh_config,
    renumber_tables,
)
from tournament.tsh.days import parse_days
from tournament.tsh.tourney_js import read_tourney_js

BYE_SPREAD, LOSS_SPREAD, BYE_POINTS = 50, -50, 0
"""What tsh credits unless the configuration says otherwise; it counts no points for a bye."""

REALM_PRESETS: dict[str, dict[str, Any]] = {
    "absp": {"bye_spread": 100, "assign_firsts": 1},
    "deu": {"assign_firsts": 0},
    "ken": {"bye_spread": 100, "assign_firsts": 1},
    "pol": {"bye_spread": 300, "assign_firsts": 1, "sum_before_spread": 1, "all_byes_tie": 1},
}
"""What a `realm` presets, as far as it matters here."""

UNSUPPORTED_SETTINGS = ("all_byes_tie", "zero_byes_tie", "oppless_spread", "spread_bad")
"""Settings that change how tsh ranks and have no counterpart here."""

TSO_ORDER = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
"""What ranks an event the TSO's way where nothing else was announced (TSO 6.1 a, b, c)."""

LONGEST_PREFIX = 30  # characters of a division's name before its players' numbers


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """The event, and what was left out of it."""

    event: EventData
    warnings: tuple[FileFault, ...]


def read_tsh_event(
    path: Path, *, slug: str | None = None, order: tuple[Criterion, ...] | None = None, most_games: int | None = None
) -> ImportedEvent:
    """The event of a `.t` file (of several divisions, where lines `#division NAME` begin them), a folder with
    `config.tsh`, or a `tourney.js`. Without `order` the table is ranked as
    tsh does it: by wins and spread alone; level players share a rank. With it, the announced criteria follow as in the
    TSO. Raises `FileFaults` with everything that is wrong; or at once, where there are more than `most_games`."""
    remarks = ImportRemarks()
    folder = read_tsh_files(path, remarks)
    # Faults of single lines, before anything is joined: what follows from them is taken out of the list at the end.
    not_understood = list(remarks.faults)
    if len(folder.divisions) > limits.DIVISIONS:
        raise make_single_fault(FaultCode.TOO_MANY, folder.place, value=len(folder.divisions), limit=limits.DIVISIONS)
    if most_games is not None:
        # Each game stands on two cards; that a bye counts as half of one does no harm to such a limit.
        seats = sum(len(card.opponents) for field in folder.divisions for card in field.cards)
        check_game_count(seats // 2, most_games)
    players: list[PlayerData] = []
    divisions: list[DivisionData] = []
    for number, field in enumerate(folder.divisions):
        prefix = "P" if len(folder.divisions) == 1 else f"{field.name[:LONGEST_PREFIX]}-"
        planned = _read_planned_rounds(folder.config, field.name, remarks)
        _check_division(folder, number, remarks)
        division, entered = join_division(field, prefix=prefix, planned=planned, remarks=remarks)
        divisions.append(_seat_at_tables(division, divisions, folder.config, remarks))
        players += entered
    head = _read_event_fields(folder, slug, order, remarks)
    if remarks.faults:
        raise FileFaults(_remove_consequences(remarks.faults, not_understood))
    event = EventData(**head, players=tuple(players), divisions=tuple(divisions))
    problems = find_event_data_problems(event)
    if faults := [FileFault(code, FilePlace(path=format_json_path(path)), figures) for path, code, figures in problems]:
        raise FileFaults(faults)
    return ImportedEvent(event, tuple(remarks.warnings))


LINE_FAULTS = frozenset({FaultCode.TSH_SCORE_ALONE, FaultCode.OUT_OF_RANGE, FaultCode.TSH_OPPONENT})
"""What is wrong with a player's line, whatever stands in another's."""


def _remove_consequences(faults: Sequence[FileFault], not_understood: Sequence[FileFault]) -> list[FileFault]:
    """The faults without those that follow from lines that were not understood: a player without a name or a score
    seemed to contradict everybody whom they had met."""
    broken = {fault.place for fault in not_understood}
    if not broken:
        return list(faults)
    games = (FaultCode.TSH_CONTRADICTION, FaultCode.TSH_ONE_SCORE, FaultCode.AGAINST_ONESELF)
    # An opponent's number that is too high is told as well: a line that was not understood has a number all the same.
    return [
        fault
        for fault in faults
        if fault in not_understood or not (fault.code in games or (fault.code in LINE_FAULTS and fault.place in broken))
    ]


def _check_division(folder: TshFolder, number: int, remarks: ImportRemarks) -> None:
    """Note what is wrong with a division's name, and whether it is empty."""
    field = folder.divisions[number]
    if len(field.name) > limits.DIVISION or clean_text(field.name) != field.name:
        remarks.fault(FaultCode.TOO_LONG, folder.place, value=quote_value(field.name), limit=limits.DIVISION)
    if any(field.name.casefold() == other.name.casefold() for other in folder.divisions[:number]):
        remarks.fault(FaultCode.TWICE, folder.place, value=quote_value(field.name))
    # With a fault the file may not have been found or read, which is told already.
    if not field.cards and not remarks.faults:
        remarks.fault(FaultCode.NO_PLAYERS, FilePlace(file=folder.place.file))


def _read_event_fields(
    folder: TshFolder, slug: str | None, order: tuple[Criterion, ...] | None, remarks: ImportRemarks
) -> dict[str, Any]:
    config = folder.config
    name = clean_text(str(config.value("event_name") or "")) or clean_text(folder.title) or "tsh"
    for key in UNSUPPORTED_SETTINGS:
        if setting := config.get(key):
            if setting.value:
                remarks.warn(FaultCode.TSH_RANKING, setting.place, key=key)
        elif _get_preset(config, key):
            remarks.warn(FaultCode.TSH_RANKING, folder.place, key=key)
    if len(name) > limits.NAME:
        remarks.warn(FaultCode.TSH_SHORTENED, folder.place, value=quote_value(name))
    starts_on, ends_on = _read_days(config, remarks)
    return {
        "slug": slug or slugify(name)[: limits.SLUG].strip("-") or "tsh",
        "name": name[: limits.NAME].rstrip(),
        "starts_on": starts_on,
        "ends_on": ends_on,
        "ruleset": DEFAULT_RULESET,
        "minutes": get_usual_minutes(DEFAULT_RULESET),
        "ranking": _read_ranking(config, order, remarks),
        "starts": StartPolicy.DRAWN if _read_number(config, "assign_firsts", remarks) == 0 else StartPolicy.BALANCED,
        "awards": _read_awards(config, order, remarks),
    }


def _get_preset(config: TshConfig, key: str) -> Any:
    return REALM_PRESETS.get(str(config.value("realm")).casefold(), {}).get(key)


def _read_number(config: TshConfig, key: str, remarks: ImportRemarks, part: str = "") -> int | None:
    """A setting that is a whole number; None, with a warning, if it is something else."""
    setting = config.get(key, part)
    if setting is None:
        return None if part else _get_preset(config, key)
    value = setting.value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value, re.ASCII):
        value = int(value)
    # `true` in a tourney.js is an int to Python, and would be read as a spread of 1.
    if isinstance(value, bool) or not isinstance(value, int):
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key=key, value=quote_value(setting.value))
        return None
    return value


def _read_planned_rounds(config: TshConfig, division: str, remarks: ImportRemarks) -> int:
    """How many rounds the configuration plans for a division; 0 if it does not say."""
    own = _read_number(config, "max_div_rounds", remarks, part=division)
    planned = own or _read_number(config, "max_rounds", remarks) or 0
    return planned if 0 < planned <= limits.ROUND.high else 0


def _seat_at_tables(
    division: DivisionData, others: Sequence[DivisionData], config: TshConfig, remarks: ImportRemarks
) -> DivisionData:
    """The division at the tables that `config tables{…}` names, that of board 1 first. Names that are no numbers of
    tables, each once, are left out with a warning, and so are tables of another division."""
    if (setting := config.get("tables", division.name)) is None:
        return division
    listed = setting.value if isinstance(setting.value, list) else [setting.value]
    texts = [str(value).strip() for value in listed]
    numbers = [int(text) for text in texts if re.fullmatch(r"[0-9]{1,4}", text)]
    ranges: list[TableRange] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    is_taken = any(find_shared_table(ranges, other.tables) is not None for other in others)
    are_tables = len(numbers) == len(listed) == len(set(numbers)) and all(map(limits.TABLE.holds, numbers))
    if not are_tables or is_taken or len(ranges) > limits.TABLE_RANGES:
        quoted = quote_value(", ".join(texts))
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key=f"tables{{{division.name}}}", value=quoted)
        return division
    # Boards above the list are played all the same: they get the lowest tables that the list leaves free, so that none
    # of them falls together with a table of the list.
    beyond = (table for table in limits.TABLE.numbers if table not in numbers)
    last = max((pairing.table or 0 for round in division.rounds for pairing in round.pairings), default=0)
    tables = dict(enumerate([*numbers, *itertools.islice(beyond, max(0, last - len(numbers)))], 1))
    return replace(renumber_tables(division, tables), tables=tuple(ranges))


def _read_ranking(config: TshConfig, order: tuple[Criterion, ...] | None, remarks: ImportRemarks) -> Ranking:
    """As tsh ranks, or by the given order of criteria."""
    usual: tuple[Criterion, ...] = (Criterion.SPREAD,)
    if _read_number(config, "sum_before_spread", remarks):
        usual = (Criterion.POINTS, Criterion.SPREAD)
    return Ranking(
        basis=RankingBasis.WINS,
        order=usual if order is None else order,
        shared_ties=order is None,
        losses_count=order is None,
        withdrawn=WithdrawnPlacement.UNRANKED,
        spread_cap=_read_spread_cap(config, remarks),
    )


def _read_spread_cap(config: TshConfig, remarks: ImportRemarks) -> tuple[int, ...]:
    """The most that one game's spread counts, by round; the last one repeats."""
    settings_found = [config.get(key) for key in ("spread_cap", "standings_spread_cap")]
    setting = next(
        (cap_setting for cap_setting in settings_found if cap_setting is not None and cap_setting.value), None
    )
    if setting is None:
        return ()
    caps = setting.value if isinstance(setting.value, list) else [setting.value]
    if all(type(cap) is int and limits.SPREAD_CAP.holds(cap) for cap in caps):
        return tuple(caps)
    remarks.warn(FaultCode.TSH_SETTING, setting.place, key=setting.key, value=quote_value(str(setting.value)))
    return ()


def _read_awards(config: TshConfig, order: tuple[Criterion, ...] | None, remarks: ImportRemarks) -> Awards:
    """What a bye or an absence credits; under the TSO's criteria a bye has the TSO's points."""
    spread = _read_number(config, "bye_spread", remarks)
    if spread is None or not limits.SPREAD.holds(spread):
        spread = BYE_SPREAD
    usual = rulesets.get(DEFAULT_RULESET).awards
    if order is not None:
        return usual.announced(bye_spread=spread, loss_spread=LOSS_SPREAD)
    points = spread if _read_number(config, "sum_before_spread", remarks) else BYE_POINTS
    return usual.announced(bye_spread=spread, bye_points=max(points, 0), loss_spread=LOSS_SPREAD)


def _read_days(config: TshConfig, remarks: ImportRemarks) -> tuple[date | None, date | None]:
    """First and last day, from a date as people write it, or one like 2025-04-05 among other words."""
    setting = config.get("event_date")
    if setting is None or setting.value in ("", None):
        return None, None
    text = str(setting.value)
    days = parse_days(text) or parse_days(" - ".join(re.findall(r"\d{4}-\d{2}-\d{2}", text, re.ASCII)[:2]))
    if days is None:
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key="event_date", value=quote_value(text))
        return None, None
    return days


TSH_CONFIG_NAMES = ("config.tsh", "tsh.config")
TOURNEY_JS_NAME = "tourney.js"

DEFAULT_TSH_ENCODING = "iso-8859-1"

TSH_ENCODINGS = {
    **{name: name for name in ("iso-8859-1", "iso-8859-2", "iso-8859-15", "cp1250", "cp1252", "utf-8")},
    "isolatin1": "iso-8859-1",
    "latin1": "iso-8859-1",
    "windows-1252": "cp1252",
    "utf8": "utf-8",
}
"""The encodings that a configuration may name, by the names that Perl knows them by."""


def read_tsh_files(path: Path, remarks: ImportRemarks) -> TshFolder:
    """What the files at a path say. Raises `FileFaults` if there is nothing to read."""
    if path.is_dir():
        for name in TSH_CONFIG_NAMES:
            if (path / name).is_file():
                return _read_folder(path, path / name, remarks)
        if (path / TOURNEY_JS_NAME).is_file():
            return _read_script(path / TOURNEY_JS_NAME, path.resolve().name, remarks)
        raise make_single_fault(FaultCode.TSH_NO_CONFIG, value=quote_path(str(path)))
    if not path.is_file():
        raise make_single_fault(FaultCode.NO_SUCH_FILE, value=quote_path(str(path)))
    if path.suffix.casefold() in (".js", ".json"):
        return _read_script(path, path.stem, remarks)
    if path.name.casefold() in TSH_CONFIG_NAMES or path.suffix.casefold() == ".tsh":
        return _read_folder(path.parent, path, remarks)
    text = decode_tsh_text(read_file_bytes(path), path.name, None, remarks)
    divisions = tuple(
        DivisionFile(format_tsh_division_name(name or path.stem), cards)
        for name, cards in read_joined_lines(text, path.name, remarks)
    )
    return TshFolder(path.stem, FilePlace(file=path.name), TshConfig(), divisions)


def read_file_bytes(path: Path) -> bytes:
    """A file's bytes. Raises `FileFaults` if it is too large or cannot be read; the size is looked at first."""
    try:
        size = path.stat().st_size
        if size > limits.TSH_BYTES:
            raise make_size_fault(size, limits.TSH_BYTES)
        return path.read_bytes()
    except OSError as error:
        raise make_single_fault(
            FaultCode.NOT_READABLE, value=quote_path(str(path)), why=error.strerror or "?"
        ) from error


def decode_tsh_text(data: bytes, file: str, encoding: str | None, remarks: ImportRemarks) -> str:
    """The text of a file: as the configuration says, else Latin-1, unless it shows that it is UTF-8."""
    if data.startswith(codecs.BOM_UTF8):
        data, encoding = data.removeprefix(codecs.BOM_UTF8), "utf-8"
    if encoding is None and not data.isascii():
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return _decode_latin1(data)
        remarks.warn(FaultCode.TSH_ENCODING, FilePlace(file=file), encoding="UTF-8")
        return text
    try:
        return data.decode(encoding or DEFAULT_TSH_ENCODING)
    except UnicodeDecodeError as error:
        place = FilePlace(file=file, line=data.count(b"\n", 0, error.start) + 1)
        figures = {"encoding": encoding or DEFAULT_TSH_ENCODING, "value": f"{data[error.start]:#04x}"}
        raise make_single_fault(FaultCode.NOT_TEXT, place, **figures) from error


def _decode_latin1(data: bytes) -> str:
    """Latin-1, or what Windows writes in its place, with typographic marks where Latin-1 has control characters."""
    # Latin-1 decodes everything. Its control characters are in no name, but Windows has „“ and – in their place.
    text = data.decode(DEFAULT_TSH_ENCODING)
    if not any("\x80" <= letter < "\xa0" for letter in text):
        return text
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return text


def format_tsh_division_name(name: str) -> str:
    """A division's name as tsh shows it: a single letter is a capital."""
    return name.upper() if len(name) == 1 else name


def _read_script(path: Path, title: str, remarks: ImportRemarks) -> TshFolder:
    text = decode_tsh_text(read_file_bytes(path), path.name, "utf-8", remarks)
    return read_tourney_js(text, path.name, title, remarks)


def _read_folder(folder: Path, path: Path, remarks: ImportRemarks) -> TshFolder:
    """The event in a folder: its configuration, and the divisions that this declares."""
    config = read_tsh_config(decode_tsh_text(read_file_bytes(path), path.name, None, remarks), path.name, remarks)
    if not config.divisions:
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=path.name))
    encoding = _find_encoding(config, remarks)
    fields = []
    for declared in config.divisions:
        text = _read_division_text(folder, declared, config, encoding, remarks)
        cards = read_player_lines(text, declared.file, remarks) if text is not None else ()
        fields.append(DivisionFile(format_tsh_division_name(declared.name), cards))
    return TshFolder(folder.resolve().name, FilePlace(file=path.name), config, tuple(fields))


def _find_encoding(config: TshConfig, remarks: ImportRemarks) -> str | None:
    """The encoding that the configuration names for `.t` files; None if it names none that we know."""
    setting = config.get("tfile_encoding")
    if setting is None:
        return "utf-8" if config.value("realm") == "pol" else None
    encoding = TSH_ENCODINGS.get(str(setting.value).casefold())
    if encoding is None:
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key=setting.key, value=quote_value(setting.value))
    return encoding


def _read_division_text(
    folder: Path, declared: DeclaredDivision, config: TshConfig, encoding: str | None, remarks: ImportRemarks
) -> str | None:
    """The text of a division's file, or None with a fault. Nothing outside the folder is read."""
    if declared.file.casefold() in config.attached:
        return config.attached[declared.file.casefold()]
    # Resolved, since `sub/../../other` and a link lead outside as well. A zero byte would be an error of the system's.
    path = folder / declared.file.replace("\0", "")
    if not path.resolve().is_relative_to(folder.resolve()):
        remarks.fault(FaultCode.TSH_OUTSIDE, declared.place, value=quote_value(declared.file))
        return None
    # Written on Windows, where `A.T` is `a.t`; on Linux the two are not the same file.
    if not path.is_file():
        same = [path for path in folder.iterdir() if path.name.casefold() == declared.file.casefold()]
        if not same:
            remarks.fault(FaultCode.NO_SUCH_FILE, declared.place, value=quote_value(declared.file))
            return None
        path = same[0]
    return decode_tsh_text(read_file_bytes(path), declared.file, encoding, remarks)


def join_division(
    field: DivisionFile, *, prefix: str, planned: int, remarks: ImportRemarks
) -> tuple[DivisionData, tuple[PlayerData, ...]]:
    """The division that the cards make up, and its players. Two cards that contradict each other are a fault."""
    # With zeros in front, so that ids sort as the players do: P02 before P10.
    keys = {card.number: f"{prefix}{card.number:0{max(2, len(str(len(field.cards))))}}" for card in field.cards}
    last = 0
    for card in field.cards:
        length = max(len(card.opponents), len(card.scores))
        if length > limits.ROUND.high:
            remarks.fault(FaultCode.OUT_OF_RANGE, card.place, value=length, **limits.ROUND.ends)
        last = max(last, length)
    numbers = range(1, min(last, limits.ROUND.high) + 1)
    rounds = [_make_round(number, field.cards, keys, remarks) for number in numbers]
    while rounds and not rounds[-1].pairings:
        rounds.pop()
    last = min(max(planned, len(rounds)), limits.ROUND.high)
    plan = (SegmentData(first=1, last=last, method=Method.SWISS),) if planned and last else ()
    division = DivisionData(name=field.name, plan=plan, rounds=tuple(rounds))
    players = tuple(_make_player(card, keys[card.number], field.name, remarks) for card in field.cards)
    return division, players


def _make_player(card: PlayerLine, key: str, division: str, remarks: ImportRemarks) -> PlayerData:
    rating, games = parse_leading_number(card.rating), parse_leading_number(card.fields.get("lifeg", ("0",))[0])
    for value, allowed in ((rating, limits.RATING), (games, limits.GAMES)):
        if not allowed.holds(value):
            remarks.warn(FaultCode.OUT_OF_RANGE, card.place, value=value, **allowed.ends)
    # `off` does not say since when: it is taken as since the last game.
    met = [round for round, opponent in enumerate(card.opponents, 1) if opponent]
    return PlayerData(
        id=key,
        name=card.name,
        club=clean_text(" ".join(card.fields.get("team", ())))[: limits.CLUB].strip() or None,
        rating=rating if 0 < rating <= limits.RATING.high else None,
        games=games if limits.GAMES.holds(games) else 0,
        division=division,
        withdrawn_after=max(met, default=0) if "off" in card.fields else None,
    )


def _make_round(number: int, cards: tuple[PlayerLine, ...], keys: dict[int, str], remarks: ImportRemarks) -> RoundData:
    pairings = []
    for card in cards:
        opponent, score = card.opponent(number), card.score(number)
        if opponent is None:
            if score:
                remarks.fault(FaultCode.TSH_SCORE_ALONE, card.place, round=number, value=score)
        elif opponent == 0:
            # tsh has one kind of round without an opponent, and only the sign of the score tells a bye from an
            # absence. Without a score nothing counts: the player had not come yet, or had gone.
            if score:
                outcome = Outcome.BYE if score > 0 else Outcome.ABSENT
                spread = limits.SPREAD.nearest(score + card.figure("penalty", number))
                pairings.append(PairingData(first=keys[card.number], outcome=outcome, spread=spread))
        elif opponent > len(cards):
            remarks.fault(FaultCode.TSH_OPPONENT, card.place, round=number, value=opponent)
        elif opponent == card.number:
            remarks.fault(FaultCode.AGAINST_ONESELF, card.place, value=quote_value(card.name))
        # Asked of both cards, so that each contradiction is told at either line; the game is made once.
        elif _do_cards_agree(card, cards[opponent - 1], cards, number, remarks) and card.number < opponent:
            pairings.append(_make_game(card, cards[opponent - 1], number, keys, remarks))
    seated = _assign_tables(pairings, number, cards, remarks)
    state = RoundState.PUBLISHED if any(score.outcome == Outcome.OPEN for score in seated) else RoundState.CLOSED
    return RoundData(number=number, state=state, pairings=seated)


def _do_cards_agree(
    card: PlayerLine, other: PlayerLine, cards: tuple[PlayerLine, ...], number: int, remarks: ImportRemarks
) -> bool:
    """Whether the opponent's card says the same, and both have a score or neither has."""
    back = other.opponent(number)
    names = {"name": quote_value(card.name), "opponent": quote_value(other.name)}
    figures = {"round": number, "line": card.place, "other_line": other.place, **names}
    if back != card.number:
        third = cards[back - 1].name if back and back <= len(cards) else ""
        named = quote_value(third) if third else _("nobody")
        remarks.fault(FaultCode.TSH_CONTRADICTION, card.place, third=named, **figures)
        return False
    # Told at the card that has the score, or it would be told twice: both cards come here.
    if card.score(number) is not None and other.score(number) is None:
        remarks.fault(FaultCode.TSH_ONE_SCORE, card.place, value=card.score(number), **figures)
    return (card.score(number) is None) == (other.score(number) is None)


def _make_game(
    card: PlayerLine, other: PlayerLine, number: int, keys: dict[int, str], remarks: ImportRemarks
) -> PairingData:
    """The game of two cards that agree. The starter is listed first; if that is not known, the lower number."""
    first, second = card, other
    starts = (card.figure("p12", number), other.figure("p12", number))
    if starts in ((STARTED, STARTED), (REPLIED, REPLIED)):
        names = {"name": quote_value(card.name), "opponent": quote_value(other.name)}
        remarks.warn(FaultCode.TSH_STARTS, card.place, round=number, **names)
    elif starts[0] == REPLIED or starts[1] == STARTED:
        first, second = other, card
    for own_card in (card, other):
        if penalty := own_card.figure("penalty", number):
            remarks.warn(FaultCode.TSH_PENALTY, own_card.place, round=number, value=penalty)
        score = own_card.score(number)
        if score is not None and not limits.POINTS.holds(score):
            remarks.fault(FaultCode.OUT_OF_RANGE, own_card.place, value=score, **limits.POINTS.ends)
    # Either card may lack it.
    table = max(card.figure("board", number), other.figure("board", number))
    return PairingData(
        first=keys[first.number],
        second=keys[second.number],
        table=table if limits.TABLE.holds(table) else None,
        outcome=Outcome.OPEN if card.score(number) is None else Outcome.PLAYED,
        first_points=first.score(number),
        second_points=second.score(number),
    )


def _assign_tables(
    pairings: list[PairingData], number: int, cards: tuple[PlayerLine, ...], remarks: ImportRemarks
) -> tuple[PairingData, ...]:
    """The pairings in order of tables, each game at a table of its own."""
    tables_in_use: set[int] = set()
    seated: list[PairingData] = []
    unseated: list[PairingData] = []
    for pairing in pairings:
        if pairing.second is None or pairing.table is None or pairing.table in tables_in_use:
            if pairing.table is not None:
                place = FilePlace(file=cards[0].place.file)
                remarks.warn(FaultCode.TSH_TABLE, place, round=number, value=pairing.table)
            unseated.append(pairing)
        else:
            tables_in_use.add(pairing.table)
            seated.append(pairing)
    free = (table for table in limits.TABLE.numbers if table not in tables_in_use)
    seated += [replace(pairing, table=next(free)) for pairing in unseated if pairing.second is not None]
    seated.sort(key=lambda pairing: pairing.table or 0)
    return (*seated, *(pairing for pairing in unseated if pairing.second is None))
