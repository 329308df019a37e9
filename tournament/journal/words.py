"""What a result, or taking back an entry of the journal, would change: values that write themselves as sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any

from django.db import models
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.knockout_values import DecidedBy, WaitsFor
from scoring.prizes import PrizeKind
from tournament.core.reports import Report
from tournament.core.words.figures import NO_FIGURE, format_amount, format_points, format_wins
from tournament.core.words.outcomes import format_short_report
from tournament.knockout.words import describe_awaited_decision, describe_match_decision
from tournament.models import Absence, Club, Division, Entry, Lot, Pairing, Prize, Round
from tournament.models.choices import PRIZE_LABELS
from tournament.results.knockout_games import PlacedGame

# Matches, later rounds, and the seeding.


@dataclass(frozen=True, slots=True)
class MatchStand:
    """How a match stands, the upper player first."""

    players: tuple[str, str]
    score: tuple[float, float] | None = None  # points or wins; None before the first result
    in_wins: bool = False
    winner: int | None = None  # a side: 0 or 1
    decided_by: DecidedBy | None = None
    waits_for: WaitsFor | None = None
    own_criterion: str = ""

    @property
    def is_over(self) -> bool:
        return self.waits_for is None

    def __str__(self) -> str:
        """One phrase: open, with its score, or who won it and by what."""
        if self.winner is not None:
            words = {
                "name": self.players[self.winner],
                "by": describe_match_decision(self.decided_by, self.own_criterion),
            }
            if self.score is None:
                return _("%(name)s wins, %(by)s") % words
            score = self._figures(self.score[self.winner], self.score[1 - self.winner])
            return _("%(name)s wins %(score)s, %(by)s") % {**words, "score": score}
        if self.is_over:
            return pgettext("knock-out match", "nobody wins")
        if self.score is None:
            return pgettext("knock-out match", "open")
        words = {"upper": self.players[0], "lower": self.players[1], "score": self._figures(*self.score)}
        if why := describe_awaited_decision(self.waits_for, self.own_criterion):
            return _("%(upper)s – %(lower)s %(score)s, %(why)s") % {**words, "why": why}
        return _("%(upper)s – %(lower)s %(score)s, still open") % words

    def beside_names(self) -> str:
        """The same for a place where both names stand beside it."""
        if self.winner is not None or self.is_over or self.score is None:
            return str(self)
        sentence = describe_awaited_decision(self.waits_for, self.own_criterion)
        return sentence or _("open %(score)s") % {"score": self._figures(*self.score)}

    def turned(self) -> "MatchStand":
        """The same seen from the lower player."""
        winner = None if self.winner is None else 1 - self.winner
        return replace(self, players=self.players[::-1], score=self.score and self.score[::-1], winner=winner)

    def _figures(self, *values: float) -> str:
        return " : ".join(format_wins(value) if self.in_wins else format_points(int(value)) for value in values)


@dataclass(frozen=True, slots=True)
class MatchStandChange:
    """A match as it stands and as it would stand."""

    name: str
    before: MatchStand
    after: MatchStand

    def __str__(self) -> str:
        before, after = str(self.before), str(self.after)
        if before == after:
            return _("%(name)s: %(state)s (as before)") % {"name": self.name, "state": after}
        return _("%(name)s: %(before)s → %(after)s") % {"name": self.name, "before": before, "after": after}


@dataclass(frozen=True, slots=True)
class LostLot:
    """A lot that was drawn for a match, or a winner entered by the `own` criterion, that would no longer count."""

    match: str
    winner: str
    own: str = ""

    def __str__(self) -> str:
        words = {"match": self.match, "winner": self.winner, "own": self.own}
        if self.own:
            return _("%(match)s: that %(winner)s won by the criterion “%(own)s” no longer counts") % words
        return _("%(match)s: the lot drawn for %(winner)s no longer counts") % words


class RedrawOutcome(StrEnum):
    """What the same draw of a later round gives on the new table."""

    SAME = "same"
    OTHERWISE = "otherwise"
    UNKNOWN = "unknown"  # the draw does not give the round's own pairs any more: something else has changed too
    BY_HAND = "by_hand"  # drawn on no table
    TEAMS = "teams"  # of teams, whose line-ups say who plays whom


@dataclass(frozen=True, slots=True)
class RedrawnRound:
    """A later round that was paired on a table with the result in it, and what its draw would give on the new one."""

    number: int
    based_on: int
    is_draft: bool
    redrawn: RedrawOutcome
    pairs: tuple[tuple[str, ...], ...] = ()  # what it would give and the round does not have; one name has a bye
    keeps: bool = False  # some of the round's pairs were locked or made by hand

    def __str__(self) -> str:
        outcome, is_draft = self.redrawn, self.is_draft
        if outcome == RedrawOutcome.SAME:
            draft = _("Round %(number)s is a draft. By the new standings it would have the same pairs.")
            published = _("Round %(number)s would have the same pairs by the new standings.")
        elif outcome == RedrawOutcome.OTHERWISE:
            draft = _(
                "Round %(number)s is a draft, paired by the standings after round %(based_on)s. By the new standings "
                "the same draw would give: %(pairs)s."
            )
            published = _(
                "Round %(number)s was paired by the standings after round %(based_on)s and stays as it is. By the new "
                "standings the same draw would have given: %(pairs)s."
            )
        elif outcome == RedrawOutcome.UNKNOWN:
            draft = _("Round %(number)s is a draft, paired by the standings after round %(based_on)s.")
            published = _("Round %(number)s was paired by the standings after round %(based_on)s. It stays as it is.")
        elif outcome == RedrawOutcome.TEAMS:
            draft = _("Round %(number)s is a draft in which teams meet. It stays as it is.")
            published = _("In round %(number)s teams meet. It stays as it is.")
        else:
            draft = _("Round %(number)s is a draft that is paired by hand. It stays as it is.")
            published = _("Round %(number)s was paired by hand. It stays as it is.")
        pairs = [
            " – ".join(names) if len(names) > 1 else _("%(name)s: bye") % {"name": names[0]} for names in self.pairs
        ]
        words = {"number": self.number, "based_on": self.based_on, "pairs": "; ".join(pairs)}
        sentences = [(draft if is_draft else published) % words]
        if outcome == RedrawOutcome.OTHERWISE and self.keeps:
            sentences.append(_("Pairs that are locked or were made by hand are kept in this."))
        if outcome in (RedrawOutcome.OTHERWISE, RedrawOutcome.UNKNOWN) and is_draft:
            sentences.append(_("It changes only when it is paired again."))
        return " ".join(sentences)


SeedChanges = tuple[tuple[str, int | None, int | None], ...]
"""Players with their seeds now and by the new table (None: not seeded), of a seeding that stays although the table
changes; nobody if the seeding does not follow the table now, since there is nothing to compare."""


def describe_kept_seeding(changes: SeedChanges) -> str:
    if not changes:
        return _("The knock-out is seeded, and its seeding stays as it is.")
    seeds = "; ".join(f"{name} {was or NO_FIGURE} → {will or NO_FIGURE}" for name, was, will in changes)
    return _(
        "The knock-out is seeded and stays as it is. By the new standings its seeding would be different: %(seeds)s."
    ) % {"seeds": seeds}


# Rows that undo puts back.

ChangedRow = tuple[type[models.Model], int, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""A row that is written: its table, its key, and what is in it before and after (None: nothing)."""

TABLES_TOLD_ELSEWHERE = ("result", "seat")  # tables whose rows are told as consequences or as pairs

SILENT_COLUMNS = (
    *("revision", "published_at", "closed_at", "by", "at", "tournament"),
    *("flags", "why", "kind", "figures", "notes", "groups", "sort_name", "search_name"),
)
"""Columns that do not hold what somebody decided, or that are told with another column or with a result."""


@dataclass(frozen=True, slots=True)
class RowLabels:
    """What rows are called, by their keys."""

    entries: Mapping[int, str] = field(default_factory=dict)
    rounds: Mapping[int, str] = field(default_factory=dict)
    pairings: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)
    fees: Mapping[str, str] = field(default_factory=dict)  # kinds of fees; the usual one also stands under ""

    def of(self, model: object) -> Mapping[int, str]:
        """The labels of the rows to which a column of another row may refer."""
        return {Club: self.clubs, Division: self.divisions, Entry: self.entries}[model]  # type: ignore[index]  # a model

    def or_else(self, other: "RowLabels") -> "RowLabels":
        """These, and the other's for rows that are missing here: some exist only before, some only after."""
        return RowLabels(*({**getattr(other, label.name), **getattr(self, label.name)} for label in fields(self)))


def format_pairing_players(pairing: Pairing) -> str:
    """Who meets whom: Anna – Jörg; a bye by its player: Linh."""
    return " – ".join(seat.entry.name for seat in pairing.seats.all())


def format_draft_place(pairing: Pairing) -> str:
    """Where a pair of a draft sits: its table, or what it has instead of a game."""
    return _("table %(number)s") % {"number": pairing.table} if pairing.table else str(pairing.get_kind_display())


@dataclass(frozen=True, slots=True)
class ResultChange:
    """A game would have another result, or none."""

    game: PlacedGame
    before: Report | None
    after: Report | None

    def __str__(self) -> str:
        before, after = (
            format_short_report(report, self.game.players) if report else _("no result")
            for report in (self.before, self.after)
        )
        words = {"game": str(replace(self.game, report=None)), "before": before, "after": after}
        return _("%(game)s: %(before)s → %(after)s") % words


@dataclass(frozen=True, slots=True)
class ValueChange:
    """What a column of `who` holds would change, or (without `who`) one of the tournament, or the pair that sits at a
    place of a draft; without `before` and `after` it is too long to be told."""

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
    """Rows of a table would come back or go, those that have a name by name."""

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


ToldChange = ResultChange | ValueChange | RowsChange
"""Something that would be put back, with its words."""


def list_row_changes(rows: Iterable[ChangedRow], labels: RowLabels) -> list[ToldChange]:
    """What becomes of the rows: each value that changes; rows that come and go, counted by their table."""
    changes: list[ToldChange] = []
    names: dict[tuple[type[models.Model], bool], list[str]] = {}
    for model, pk, before, after in rows:
        if model._meta.model_name in TABLES_TOLD_ELSEWHERE:
            continue
        if before is not None and after is not None:
            changes += _list_value_changes(model, pk, before, after, labels)
        else:
            name = _get_row_label(model, pk, before or after or {}, labels)
            names.setdefault((model, after is not None), []).append(name)
    for (model, comes), changed_rows in names.items():
        what = model._meta.verbose_name if len(changed_rows) == 1 else model._meta.verbose_name_plural
        changes.append(RowsChange(str(what), len(changed_rows), tuple(filter(None, changed_rows)), comes))
    return changes


def _list_value_changes(
    model: type[models.Model], pk: int, before: Mapping[str, Any], after: Mapping[str, Any], labels: RowLabels
) -> list[ValueChange]:
    who = _get_row_label(model, pk, after, labels)
    changes = []
    for column in model._meta.concrete_fields:
        name = column.attname
        if column.name in SILENT_COLUMNS or before.get(name) == after.get(name):
            continue
        what = str(column.verbose_name)
        if isinstance(column, models.JSONField):
            changes.append(ValueChange(who, what))
        else:
            was, will = (format_column_value(column, row.get(name), labels) for row in (before, after))
            changes.append(ValueChange(who, what, was, will))
    return changes


def format_column_value(column: "models.Field[Any, Any]", stored: Any, labels: RowLabels) -> str:
    """A column's value as pages show it."""
    # A journal holds JSON: days and moments are texts there until their column has read them.
    value = column.to_python(stored)
    if isinstance(column, models.ForeignKey):
        return labels.of(column.related_model).get(value, "–")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return formats.date_format(value, "SHORT_DATE_FORMAT")
    # Kinds of fees are the event's own, and no choices of their column.
    if named := labels.fees if column.name == "fee_kind" else dict(column.flatchoices):
        return str(named.get(value, value) or "–")
    if column.name == "paid_cents" and value is not None:
        return format_amount(value)
    return "–" if value in (None, "") else str(value)


def _get_row_label(model: type[models.Model], pk: int, row: Mapping[str, Any], labels: RowLabels) -> str:
    """What a director would call a row; empty if they would not name it."""
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
        kind = str(PRIZE_LABELS[PrizeKind(row["kind"])])
        label = str(row["title"]) or (kind if row["place"] is None else f"{kind}: {row['place']}")
    return label


def describe_rounds_since(rounds: list[str]) -> str:
    """Say by name which rounds have been published since."""
    return ngettext(
        "Since then %(rounds)s was published. It stays as it is.",
        "Since then %(rounds)s were published. They stay as they are.",
        len(rounds),
    ) % {"rounds": ", ".join(rounds)}
