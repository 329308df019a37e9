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
from scoring.standings import Basis, Criterion, Ranking, Withdrawn
from tournament import limits
from tournament.exchange import checks, faults
from tournament.exchange.faults import Code, Fault, Place, quoted
from tournament.exchange.file_reading import DEFAULT_CLUBS_APART, DEFAULT_RULESET, usual_minutes
from tournament.exchange.json_text import shown
from tournament.exchange.shapes import cleaned
from tournament.exchange.tournament_file import check_games
from tournament.exchange.tsh import files, joining
from tournament.exchange.tsh.cards import Folder, Remarks, Settings
from tournament.exchange.values import DivisionData, EventData, PlayerData
from tournament.pairing.values import Starts

BYE_SPREAD, LOSS_SPREAD, BYE_POINTS = 50, -50, 0
"""What tsh credits unless the configuration says otherwise; it counts no points for a bye."""

REALMS: dict[str, dict[str, Any]] = {
    "absp": {"bye_spread": 100, "assign_firsts": 1},
    "deu": {"assign_firsts": 0},
    "ken": {"bye_spread": 100, "assign_firsts": 1},
    "pol": {"bye_spread": 300, "assign_firsts": 1, "sum_before_spread": 1, "all_byes_tie": 1},
}
"""What a `realm` presets, as far as it matters here."""

UNLIKE = ("all_byes_tie", "zero_byes_tie", "oppless_spread", "spread_bad")
"""Settings that change how tsh ranks and have no counterpart here."""

TSO_ORDER = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
"""What ranks an event the TSO's way where nothing else was announced (TSO 6.1 a, b, c)."""

LONGEST_PREFIX = 30
"""Characters of a division's name before its players' numbers."""


@dataclass(frozen=True, slots=True)
class Read:
    """The event, and what was left out of it."""

    event: EventData
    warnings: tuple[Fault, ...]


def read(
    path: Path,
    *,
    slug: str | None = None,
    order: tuple[Criterion, ...] | None = None,
    most_games: int | None = None,
) -> Read:
    """The event of a `.t` file, a folder with `config.tsh`, or a `tourney.js`.

    Without `order` the table is ranked as tsh does it: by wins and spread alone; level players share a rank. With it,
    the announced criteria follow as in the TSO. Raises `Faults` with everything that is wrong; or at once, where there
    are more than `most_games`.
    """
    remarks = Remarks()
    folder = files.find(path, remarks)
    if len(folder.divisions) > limits.DIVISIONS:
        raise faults.one(Code.TOO_MANY, folder.place, value=len(folder.divisions), limit=limits.DIVISIONS)
    if most_games is not None:
        seats = sum(len(card.opponents) for field in folder.divisions for card in field.cards)
        check_games(seats // 2, most_games)
    players: list[PlayerData] = []
    divisions: list[DivisionData] = []
    for number, field in enumerate(folder.divisions):
        prefix = "P" if len(folder.divisions) == 1 else f"{field.name[:LONGEST_PREFIX]}-"
        planned = _planned(folder.settings, field.name, remarks)
        _check_division(folder, number, remarks)
        joined = joining.join(field, prefix=prefix, planned=planned, remarks=remarks)
        divisions.append(joined.division)
        players += joined.players
    head = _head(folder, slug, order, remarks)
    if remarks.faults:
        raise faults.Faults(remarks.faults)
    event = EventData(**head, players=tuple(players), divisions=tuple(divisions))
    left = [Fault(code, Place(path=shown(path)), figures) for path, code, figures in checks.problems(event)]
    if left:
        raise faults.Faults(left)
    return Read(event, tuple(remarks.warnings))


def _check_division(folder: Folder, number: int, remarks: Remarks) -> None:
    """Note what is wrong with a division's name, and whether it is empty."""
    field = folder.divisions[number]
    if len(field.name) > limits.DIVISION or cleaned(field.name) != field.name:
        remarks.fault(Code.TOO_LONG, folder.place, value=quoted(field.name), limit=limits.DIVISION)
    if any(field.name.casefold() == other.name.casefold() for other in folder.divisions[:number]):
        remarks.fault(Code.TWICE, folder.place, value=quoted(field.name))
    if not field.cards and not remarks.faults:
        remarks.fault(Code.NO_PLAYERS, Place(file=folder.place.file))


def _head(folder: Folder, slug: str | None, order: tuple[Criterion, ...] | None, remarks: Remarks) -> dict[str, Any]:
    """Everything about the event but its players and rounds."""
    settings = folder.settings
    name = cleaned(str(settings.value("event_name") or "")) or cleaned(folder.title) or "tsh"
    for key in UNLIKE:
        if setting := settings.get(key):
            if setting.value:
                remarks.warn(Code.TSH_RANKING, setting.place, key=key)
        elif _preset(settings, key):
            remarks.warn(Code.TSH_RANKING, folder.place, key=key)
    if len(name) > limits.NAME:
        remarks.warn(Code.TSH_SHORTENED, folder.place, value=quoted(name))
    starts_on, ends_on = _days(settings, remarks)
    return {
        "slug": slug or slugify(name)[: limits.SLUG].strip("-") or "tsh",
        "name": name[: limits.NAME].rstrip(),
        "starts_on": starts_on,
        "ends_on": ends_on,
        "ruleset": DEFAULT_RULESET,
        "minutes": usual_minutes(DEFAULT_RULESET),
        "ranking": _ranking(settings, order, remarks),
        "starts": Starts.DRAWN if _number(settings, "assign_firsts", remarks) == 0 else Starts.BALANCED,
        "awards": _awards(settings, order, remarks),
        "clubs_apart": DEFAULT_CLUBS_APART,
    }


def _preset(settings: Settings, key: str) -> Any:
    """What the event's realm sets by default for a key, or None."""
    return REALMS.get(str(settings.value("realm")).casefold(), {}).get(key)


def _number(settings: Settings, key: str, remarks: Remarks, part: str = "") -> int | None:
    """A setting that is a whole number; None, with a warning, if it is something else."""
    setting = settings.get(key, part)
    if setting is None:
        return None if part else _preset(settings, key)
    value = setting.value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value, re.ASCII):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        remarks.warn(Code.TSH_SETTING, setting.place, key=key, value=quoted(setting.value))
        return None
    return value


def _planned(settings: Settings, division: str, remarks: Remarks) -> int:
    """How many rounds the configuration plans for a division; 0 if it does not say."""
    own = _number(settings, "max_div_rounds", remarks, part=division)
    planned = own or _number(settings, "max_rounds", remarks) or 0
    return planned if 0 < planned <= limits.ROUND.high else 0


def _ranking(settings: Settings, order: tuple[Criterion, ...] | None, remarks: Remarks) -> Ranking:
    """As tsh ranks, or by the given order of criteria."""
    usual: tuple[Criterion, ...] = (Criterion.SPREAD,)
    if _number(settings, "sum_before_spread", remarks):
        usual = (Criterion.POINTS, Criterion.SPREAD)
    return Ranking(
        basis=Basis.WINS,
        order=usual if order is None else order,
        shared_ties=order is None,
        losses_count=order is None,
        withdrawn=Withdrawn.UNRANKED,
        spread_cap=_spread_cap(settings, remarks),
    )


def _spread_cap(settings: Settings, remarks: Remarks) -> tuple[int, ...]:
    """The most that one game's spread counts, by round; the last one repeats."""
    found = [settings.get(key) for key in ("spread_cap", "standings_spread_cap")]
    setting = next((each for each in found if each is not None and each.value), None)
    if setting is None:
        return ()
    caps = setting.value if isinstance(setting.value, list) else [setting.value]
    if all(type(cap) is int and limits.CAP.holds(cap) for cap in caps):
        return tuple(caps)
    remarks.warn(Code.TSH_SETTING, setting.place, key=setting.key, value=quoted(str(setting.value)))
    return ()


def _awards(settings: Settings, order: tuple[Criterion, ...] | None, remarks: Remarks) -> Awards:
    """What a bye or an absence credits; under the TSO's criteria a bye has the TSO's points."""
    spread = _number(settings, "bye_spread", remarks)
    if spread is None or not limits.SPREAD.holds(spread):
        spread = BYE_SPREAD
    usual = rulesets.get(DEFAULT_RULESET).awards
    if order is not None:
        return usual.announced(bye_spread=spread, loss_spread=LOSS_SPREAD)
    points = spread if _number(settings, "sum_before_spread", remarks) else BYE_POINTS
    return usual.announced(bye_spread=spread, bye_points=max(points, 0), loss_spread=LOSS_SPREAD)


def _days(settings: Settings, remarks: Remarks) -> tuple[date | None, date | None]:
    """First and last day, from a date like 2025-04-05 or two of them."""
    setting = settings.get("event_date")
    if setting is None or setting.value in ("", None):
        return None, None
    found = []
    for text in re.findall(r"\d{4}-\d{2}-\d{2}", str(setting.value), re.ASCII)[:2]:
        with contextlib.suppress(ValueError):
            found.append(date.fromisoformat(text))
    if not found:
        remarks.warn(Code.TSH_SETTING, setting.place, key="event_date", value=quoted(str(setting.value)))
        return None, None
    return min(found), max(found)
