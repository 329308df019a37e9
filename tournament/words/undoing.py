"""What taking an entry of the journal back would put back, row by row, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import models
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.prizes import PrizeKind
from tournament.models import Absence, Club, Division, Entry, Lot, Pairing, Prize, Round
from tournament.models.choices import PRIZES
from tournament.reports import Report, in_short
from tournament.words.consequences import PlacedGame

Row = tuple[type[models.Model], int, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""A row that is written: its table, its key, what stands in it before and after (None: nothing)."""

TOLD_ELSEWHERE = ("result", "seat")
"""Tables whose rows are told as consequences or as pairs."""

SILENT = (
    *("revision", "published_at", "closed_at", "by", "at", "tournament"),
    *("flags", "why", "kind", "figures", "notes", "groups", "sort_name", "search_name"),
)
"""Columns that do not say what somebody decided, or that are told with another column or with a result."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What rows are called, by their keys."""

    entries: Mapping[int, str] = field(default_factory=dict)
    rounds: Mapping[int, str] = field(default_factory=dict)
    pairings: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)

    def of(self, model: object) -> Mapping[int, str]:
        """What the rows are called that a figure of another row may be."""
        return {Club: self.clubs, Division: self.divisions, Entry: self.entries}[model]  # type: ignore[index]  # a model

    def or_else(self, other: "Labels") -> "Labels":
        """These, and the other's of rows that are not among them: some are there only before, some only after."""
        return Labels(
            {**other.entries, **self.entries},
            {**other.rounds, **self.rounds},
            {**other.pairings, **self.pairings},
            {**other.clubs, **self.clubs},
            {**other.divisions, **self.divisions},
        )


def pair(pairing: Pairing) -> str:
    """Who meets whom: Anna – Jörg; a bye by its player: Linh."""
    return " – ".join(seat.entry.name for seat in pairing.seats.all())


def place(pairing: Pairing) -> str:
    """Where a pair of a draft sits: its table, or what it is instead of a game."""
    return _("table %(number)s") % {"number": pairing.table} if pairing.table else str(pairing.get_kind_display())


@dataclass(frozen=True, slots=True)
class PairChange:
    """That another pair would sit at a place of a draft; an empty text: nobody."""

    place: str
    before: str
    after: str

    def __str__(self) -> str:
        words = {"place": self.place, "before": self.before or "–", "after": self.after or "–"}
        return _("%(place)s: %(before)s → %(after)s") % words


@dataclass(frozen=True, slots=True)
class ResultChange:
    """That a game would have another result, or none."""

    game: PlacedGame
    before: Report | None
    after: Report | None

    def __str__(self) -> str:
        before, after = (in_short(each) if each else _("no result") for each in (self.before, self.after))
        words = {"game": str(replace(self.game, report=None)), "before": before, "after": after}
        return _("%(game)s: %(before)s → %(after)s") % words


@dataclass(frozen=True, slots=True)
class FieldChange:
    """That a figure of somebody or something (`who`; empty: the tournament) would be another one.

    Without `before` and `after` it is too long to be told, and is put back as it was.
    """

    who: str
    what: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        words = {"who": self.who, "what": self.what, "before": self.before, "after": self.after}
        if not self.before and not self.after:
            text = _("%(who)s, %(what)s: as before") if self.who else _("%(what)s: as before")
        elif self.who:
            text = _("%(who)s, %(what)s: %(before)s → %(after)s")
        else:
            text = _("%(what)s: %(before)s → %(after)s")
        return text % words


@dataclass(frozen=True, slots=True)
class RowsChange:
    """That so many rows of a table would come back or go, those that have a name by name."""

    what: str
    count: int
    names: tuple[str, ...]
    comes: bool

    def __str__(self) -> str:
        words = {"what": self.what, "count": self.count, "names": "; ".join(self.names)}
        if self.comes:
            text = _("Put back: %(what)s (%(names)s)") if self.names else _("Put back: %(what)s (%(count)s)")
        else:
            text = _("Removed: %(what)s (%(names)s)") if self.names else _("Removed: %(what)s (%(count)s)")
        return text % words


@dataclass(frozen=True, slots=True)
class MoreChanges:
    """That further changes are not told one by one."""

    count: int

    def __str__(self) -> str:
        text = ngettext("and %(count)s more change", "and %(count)s more changes", self.count)
        return text % {"count": self.count}


Told = PairChange | ResultChange | FieldChange | RowsChange | MoreChanges
"""Something that would be put back, with its words."""


def put_back(rows: Iterable[Row], labels: Labels) -> list[Told]:
    """What becomes of the rows: each figure that changes; rows that come and go, counted by their table."""
    told: list[Told] = []
    counts: dict[tuple[type[models.Model], bool], list[str]] = {}
    for model, pk, before, after in rows:
        if model._meta.model_name in TOLD_ELSEWHERE:
            continue
        if before is not None and after is not None:
            told += _field_changes(model, pk, before, after, labels)
        else:
            counts.setdefault((model, after is not None), []).append(_label(model, pk, before or after or {}, labels))
    return told + [_come_and_go(model, found, comes=comes) for (model, comes), found in counts.items()]


def _come_and_go(model: type[models.Model], found: list[str], *, comes: bool) -> RowsChange:
    what = model._meta.verbose_name if len(found) == 1 else model._meta.verbose_name_plural
    return RowsChange(str(what), len(found), tuple(filter(None, found)), comes)


def _field_changes(
    model: type[models.Model], pk: int, before: Mapping[str, Any], after: Mapping[str, Any], labels: Labels
) -> list[FieldChange]:
    who = _label(model, pk, after, labels)
    found = []
    for column in model._meta.concrete_fields:
        name = column.attname
        if column.name in SILENT or before.get(name) == after.get(name):
            continue
        what = str(column.verbose_name)
        if isinstance(column, models.JSONField):
            found.append(FieldChange(who, what))
        else:
            was, will = (shown(column, row.get(name), labels) for row in (before, after))
            found.append(FieldChange(who, what, was, will))
    return found


def shown(column: "models.Field[Any, Any]", stored: Any, labels: Labels) -> str:
    """A column's value as pages show it."""
    value = column.to_python(stored)
    if isinstance(column, models.ForeignKey):
        return labels.of(column.related_model).get(value, "–")
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
        "player": str(row.get("name", "")),
    }.get(model._meta.model_name or "", "")
    if model is Round:
        label = labels.rounds.get(pk, "")
    elif model is Absence:
        words = {"name": labels.entries.get(row["entry_id"], ""), "number": row["number"]}
        label = _("%(name)s, round %(number)s") % words
    elif model is Lot:
        label = _("after round %(number)s") % {"number": row["after"]}
    elif model is Prize:
        label = _prize(row)
    return label


def _prize(row: Mapping[str, Any]) -> str:
    """A prize by its own name, else by its kind."""
    kind = str(PRIZES[PrizeKind(row["kind"])])
    return str(row["title"]) or (kind if row["place"] is None else f"{kind}: {row['place']}")


def since(rounds: list[str]) -> str:
    """That rounds have been published since, by name."""
    text = ngettext(
        "Since then %(rounds)s was published. It stays as it is.",
        "Since then %(rounds)s were published. They stay as they are.",
        len(rounds),
    )
    return text % {"rounds": ", ".join(rounds)}
