"""What taking an entry of the journal back would put back, row by row, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import models
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Absence, Lot, Pairing, Round

Row = tuple[type[models.Model], int, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""A row that is written: its table, its key, what stands in it before and after (None: nothing)."""

TOLD_ELSEWHERE = ("result", "seat", "player", "club")
"""Tables whose rows are told as consequences or as pairs, or stay in the register."""

SILENT = ("revision", "published_at", "closed_at", "flags", "figures", "notes", "groups", "by", "at", "tournament")
"""Columns that do not say what somebody decided, or say it in another column too."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What rows are called, by their keys."""

    entries: Mapping[int, str] = field(default_factory=dict)
    rounds: Mapping[int, str] = field(default_factory=dict)
    pairings: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)


def pair(pairing: Pairing) -> str:
    """Who meets whom: Anna – Jörg; Linh, bye."""
    if pairing.second is None:
        return _("%(name)s: %(kind)s") % {"name": pairing.first.name, "kind": pairing.get_kind_display()}
    return f"{pairing.first.name} – {pairing.second.name}"


def place(pairing: Pairing) -> str:
    """Where a pair of a draft sits: its table, or what it is instead of a game."""
    return _("table %(number)s") % {"number": pairing.table} if pairing.table else str(pairing.get_kind_display())


def pair_change(place: str, before: str, after: str) -> str:
    """That another pair would sit at a place of a draft."""
    words = {"place": place, "before": before or "–", "after": after or "–"}
    return _("%(place)s: %(before)s → %(after)s") % words


def sentences(rows: Iterable[Row], labels: Labels) -> list[str]:
    """What becomes of the rows: each figure that changes; rows that come and go, counted by their table."""
    told: list[str] = []
    counts: dict[tuple[type[models.Model], bool], list[str]] = {}
    for model, pk, before, after in rows:
        if model._meta.model_name in TOLD_ELSEWHERE:
            continue
        if before is not None and after is not None:
            told += _field_changes(model, pk, before, after, labels)
        else:
            counts.setdefault((model, after is not None), []).append(_label(model, pk, before or after or {}, labels))
    return told + [_come_and_go(model, found, comes=comes) for (model, comes), found in counts.items()]


def _come_and_go(model: type[models.Model], found: list[str], *, comes: bool) -> str:
    """How many rows of a table come back or go, by name where they have one."""
    names = "; ".join(filter(None, found))
    words = {"what": model._meta.verbose_name_plural, "count": len(found), "names": names}
    if len(found) == 1:
        words["what"] = model._meta.verbose_name
    if comes:
        text = _("Put back: %(what)s (%(names)s)") if names else _("Put back: %(what)s (%(count)s)")
    else:
        text = _("Removed: %(what)s (%(names)s)") if names else _("Removed: %(what)s (%(count)s)")
    return text % words


def _field_changes(
    model: type[models.Model], pk: int, before: Mapping[str, Any], after: Mapping[str, Any], labels: Labels
) -> list[str]:
    who = _label(model, pk, after, labels)
    found = []
    for column in model._meta.concrete_fields:
        name = column.attname
        if column.name in SILENT or before.get(name) == after.get(name):
            continue
        words = {"who": who, "what": column.verbose_name}
        if isinstance(column, models.JSONField):
            found.append((_("%(who)s, %(what)s: as before") if who else _("%(what)s: as before")) % words)
            continue
        words |= {key: shown(column, row.get(name), labels) for key, row in (("before", before), ("after", after))}
        text = _("%(who)s, %(what)s: %(before)s → %(after)s") if who else _("%(what)s: %(before)s → %(after)s")
        found.append(text % words)
    return found


def shown(column: "models.Field[Any, Any]", stored: Any, labels: Labels) -> str:
    """A column's value as pages show it."""
    value = column.to_python(stored)
    if isinstance(column, models.ForeignKey):
        return labels.clubs.get(value, "–")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return formats.date_format(value, "SHORT_DATE_FORMAT")
    if column.choices:
        return str(dict(column.flatchoices).get(value, value) or "–")
    return "–" if value in (None, "") else str(value)


def _label(model: type[models.Model], pk: int, row: Mapping[str, Any], labels: Labels) -> str:
    """What a row is called, as far as a director would name it."""
    label = {
        "entry": labels.entries.get(pk, ""),
        "pairing": labels.pairings.get(pk, ""),
        "keptapart": " – ".join(labels.entries.get(row.get(key, 0), "") for key in ("one_id", "other_id")),
        "division": str(row.get("name", "")),
    }.get(model._meta.model_name or "", "")
    if model is Round:
        label = labels.rounds.get(pk, "") or _("round %(number)s") % {"number": row["number"]}
    elif model is Absence:
        words = {"name": labels.entries.get(row["entry_id"], ""), "number": row["number"]}
        label = _("%(name)s, round %(number)s") % words
    elif model is Lot:
        label = _("after round %(number)s") % {"number": row["after"]}
    return label


def since(rounds: list[str]) -> str:
    """That rounds have been published since, by name."""
    text = ngettext(
        "Since then %(rounds)s was published. It stays as it is.",
        "Since then %(rounds)s were published. They stay as they are.",
        len(rounds),
    )
    return text % {"rounds": ", ".join(rounds)}


def more(count: int) -> str:
    """That further rows are not told one by one."""
    text = ngettext("and %(count)s more change", "and %(count)s more changes", count)
    return text % {"count": count}
