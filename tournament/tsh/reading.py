"""A tsh event as one plain value."""

import contextlib
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from django.utils.text import slugify

from scoring import rulesets
from scoring.awards import Awards
from scoring.standings import Criterion, Ranking, RankingBasis, WithdrawnPlacement
from tournament.basics import limits
from tournament.exchange.checks import find_event_data_problems
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import format_json_path
from tournament.exchange.reading import DEFAULT_CLUBS_APART, DEFAULT_RULESET, get_usual_minutes
from tournament.exchange.shapes import clean_text
from tournament.exchange.tournament_file import check_game_count
from tournament.exchange.values import DivisionData, EventData, PlayerData
from tournament.pairing.values import StartPolicy
from tournament.tsh.cards import ImportRemarks, TshFolder, TshSettings
from tournament.tsh.files import read_tsh_files
from tournament.tsh.joining import join_division

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

LONGEST_PREFIX = 30
"""Characters of a division's name before its players' numbers."""


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """The event, and what was left out of it."""

    event: EventData
    warnings: tuple[FileFault, ...]


def read_tsh_event(
    path: Path, *, slug: str | None = None, order: tuple[Criterion, ...] | None = None, most_games: int | None = None
) -> ImportedEvent:
    """The event of a `.t` file, a folder with `config.tsh`, or a `tourney.js`.

    Without `order` the table is ranked as tsh does it: by wins and spread alone; level players share a rank. With it,
    the announced criteria follow as in the TSO. Raises `FileFaults` with everything that is wrong; or at once, where
    there are more than `most_games`.
    """
    remarks = ImportRemarks()
    folder = read_tsh_files(path, remarks)
    if len(folder.divisions) > limits.DIVISIONS:
        raise make_single_fault(FaultCode.TOO_MANY, folder.place, value=len(folder.divisions), limit=limits.DIVISIONS)
    if most_games is not None:
        seats = sum(len(card.opponents) for field in folder.divisions for card in field.cards)
        check_game_count(seats // 2, most_games)
    players: list[PlayerData] = []
    divisions: list[DivisionData] = []
    for number, field in enumerate(folder.divisions):
        prefix = "P" if len(folder.divisions) == 1 else f"{field.name[:LONGEST_PREFIX]}-"
        planned = _read_planned_rounds(folder.settings, field.name, remarks)
        _check_division(folder, number, remarks)
        division, entered = join_division(field, prefix=prefix, planned=planned, remarks=remarks)
        divisions.append(division)
        players += entered
    head = _read_event_fields(folder, slug, order, remarks)
    if remarks.faults:
        raise FileFaults(remarks.faults)
    event = EventData(**head, players=tuple(players), divisions=tuple(divisions))
    problems = find_event_data_problems(event)
    if left := [FileFault(code, FilePlace(path=format_json_path(path)), shown) for path, code, shown in problems]:
        raise FileFaults(left)
    return ImportedEvent(event, tuple(remarks.warnings))


def _check_division(folder: TshFolder, number: int, remarks: ImportRemarks) -> None:
    """Note what is wrong with a division's name, and whether it is empty."""
    field = folder.divisions[number]
    if len(field.name) > limits.DIVISION or clean_text(field.name) != field.name:
        remarks.fault(FaultCode.TOO_LONG, folder.place, value=quote_value(field.name), limit=limits.DIVISION)
    if any(field.name.casefold() == other.name.casefold() for other in folder.divisions[:number]):
        remarks.fault(FaultCode.TWICE, folder.place, value=quote_value(field.name))
    if not field.cards and not remarks.faults:
        remarks.fault(FaultCode.NO_PLAYERS, FilePlace(file=folder.place.file))


def _read_event_fields(
    folder: TshFolder, slug: str | None, order: tuple[Criterion, ...] | None, remarks: ImportRemarks
) -> dict[str, Any]:
    """Everything about the event but its players and rounds."""
    settings = folder.settings
    name = clean_text(str(settings.value("event_name") or "")) or clean_text(folder.title) or "tsh"
    for key in UNSUPPORTED_SETTINGS:
        if setting := settings.get(key):
            if setting.value:
                remarks.warn(FaultCode.TSH_RANKING, setting.place, key=key)
        elif _get_preset(settings, key):
            remarks.warn(FaultCode.TSH_RANKING, folder.place, key=key)
    if len(name) > limits.NAME:
        remarks.warn(FaultCode.TSH_SHORTENED, folder.place, value=quote_value(name))
    starts_on, ends_on = _read_days(settings, remarks)
    return {
        "slug": slug or slugify(name)[: limits.SLUG].strip("-") or "tsh",
        "name": name[: limits.NAME].rstrip(),
        "starts_on": starts_on,
        "ends_on": ends_on,
        "ruleset": DEFAULT_RULESET,
        "minutes": get_usual_minutes(DEFAULT_RULESET),
        "ranking": _read_ranking(settings, order, remarks),
        "starts": StartPolicy.DRAWN if _read_number(settings, "assign_firsts", remarks) == 0 else StartPolicy.BALANCED,
        "awards": _read_awards(settings, order, remarks),
        "clubs_apart": DEFAULT_CLUBS_APART,
    }


def _get_preset(settings: TshSettings, key: str) -> Any:
    """What the event's realm sets by default for a key, or None."""
    return REALM_PRESETS.get(str(settings.value("realm")).casefold(), {}).get(key)


def _read_number(settings: TshSettings, key: str, remarks: ImportRemarks, part: str = "") -> int | None:
    """A setting that is a whole number; None, with a warning, if it is something else."""
    setting = settings.get(key, part)
    if setting is None:
        return None if part else _get_preset(settings, key)
    value = setting.value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value, re.ASCII):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key=key, value=quote_value(setting.value))
        return None
    return value


def _read_planned_rounds(settings: TshSettings, division: str, remarks: ImportRemarks) -> int:
    """How many rounds the configuration plans for a division; 0 if it does not say."""
    own = _read_number(settings, "max_div_rounds", remarks, part=division)
    planned = own or _read_number(settings, "max_rounds", remarks) or 0
    return planned if 0 < planned <= limits.ROUND.high else 0


def _read_ranking(settings: TshSettings, order: tuple[Criterion, ...] | None, remarks: ImportRemarks) -> Ranking:
    """As tsh ranks, or by the given order of criteria."""
    usual: tuple[Criterion, ...] = (Criterion.SPREAD,)
    if _read_number(settings, "sum_before_spread", remarks):
        usual = (Criterion.POINTS, Criterion.SPREAD)
    return Ranking(
        basis=RankingBasis.WINS,
        order=usual if order is None else order,
        shared_ties=order is None,
        losses_count=order is None,
        withdrawn=WithdrawnPlacement.UNRANKED,
        spread_cap=_read_spread_cap(settings, remarks),
    )


def _read_spread_cap(settings: TshSettings, remarks: ImportRemarks) -> tuple[int, ...]:
    """The most that one game's spread counts, by round; the last one repeats."""
    found = [settings.get(key) for key in ("spread_cap", "standings_spread_cap")]
    setting = next((each for each in found if each is not None and each.value), None)
    if setting is None:
        return ()
    caps = setting.value if isinstance(setting.value, list) else [setting.value]
    if all(type(cap) is int and limits.SPREAD_CAP.holds(cap) for cap in caps):
        return tuple(caps)
    remarks.warn(FaultCode.TSH_SETTING, setting.place, key=setting.key, value=quote_value(str(setting.value)))
    return ()


def _read_awards(settings: TshSettings, order: tuple[Criterion, ...] | None, remarks: ImportRemarks) -> Awards:
    """What a bye or an absence credits; under the TSO's criteria a bye has the TSO's points."""
    spread = _read_number(settings, "bye_spread", remarks)
    if spread is None or not limits.SPREAD.holds(spread):
        spread = BYE_SPREAD
    usual = rulesets.get(DEFAULT_RULESET).awards
    if order is not None:
        return usual.announced(bye_spread=spread, loss_spread=LOSS_SPREAD)
    points = spread if _read_number(settings, "sum_before_spread", remarks) else BYE_POINTS
    return usual.announced(bye_spread=spread, bye_points=max(points, 0), loss_spread=LOSS_SPREAD)


def _read_days(settings: TshSettings, remarks: ImportRemarks) -> tuple[date | None, date | None]:
    """First and last day, from a date like 2025-04-05 or two of them."""
    setting = settings.get("event_date")
    if setting is None or setting.value in ("", None):
        return None, None
    found = []
    for text in re.findall(r"\d{4}-\d{2}-\d{2}", str(setting.value), re.ASCII)[:2]:
        with contextlib.suppress(ValueError):
            found.append(date.fromisoformat(text))
    if not found:
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key="event_date", value=quote_value(str(setting.value)))
        return None, None
    return min(found), max(found)
