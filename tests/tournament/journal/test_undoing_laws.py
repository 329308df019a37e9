"""Everything that is told of taking an entry back is so, and nothing else happens: each is really taken back, and every
row compared with what it was."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.db import models

from tests.laws import TIMES
from tests.tournament.journal import errands, test_laws
from tests.tournament.journal.books import Books, rows, trial
from tests.tournament.journal.evenings import Evening
from tournament.basics.refusals import Refusal
from tournament.core.records import get_journal_model
from tournament.core.reports import Report
from tournament.core.words.journal import UNDOABLE_VERBS
from tournament.journal.consequences import UndoEffects, find_undo_effects
from tournament.journal.undoing import undo_journal_entry
from tournament.journal.words import ResultChange, RowsChange, ValueChange
from tournament.models import JournalEntry, Pairing
from tournament.models.choices import PRIZE_LABELS
from tournament.results.league_games import OpenRound

EVENINGS = 3 * TIMES
SILENT = {"revision", "published_at", "closed_at", "kind", "flags", "why", "notes", "groups", "by_id", "at"}
SILENT |= {"sort_name", "search_name"}
Stored = Mapping[tuple[str, int], dict[str, Any]]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", range(3))
def test_what_an_undo_changes_is_what_it_changes_when_it_is_done(part: int, db: None) -> None:
    for seed in range(part, EVENINGS, 3):
        with trial():
            ask(Evening(seed))


def ask(evening: Evening) -> None:
    """Play an evening, and ask again and again what taking something back would change; some of it really is."""
    for _what in evening.looks():
        errands.run(evening)
        undoable = JournalEntry.objects.filter(tournament=evening.division.tournament, verb__in=UNDOABLE_VERBS)
        found = list(undoable.order_by("number"))
        if found:
            check(evening, chosen(evening, found))
        if found and evening.rng.random() < 0.3:
            take_back(evening, chosen(evening, found))
        errands.go_on(evening)


def chosen(evening: Evening, found: list[JournalEntry]) -> JournalEntry:
    """One of the newest entries, which can mostly be taken back, or one of any kind."""
    verb = evening.rng.choice(sorted({entry.verb for entry in found}))
    of_a_kind = [entry for entry in found if entry.verb == verb]
    return evening.rng.choice(evening.rng.choice((found[-5:], of_a_kind)))


def take_back(evening: Evening, entry: JournalEntry) -> Refusal | None:
    """Really take an entry back; why not, if it is refused."""
    try:
        undo_journal_entry(entry, actor=evening.doris)
    except Refusal as refusal:
        return refusal
    return None


def check(evening: Evening, entry: JournalEntry) -> None:
    tournament = evening.fresh().tournament
    now, stored = Books(evening.division), rows()
    told = find_undo_effects(entry, tournament, actor=evening.doris)
    with trial():
        refused = take_back(evening, entry)
        then, stored_then = Books(evening.division), rows()
    assert str(told.refusal) == str(refused)
    if refused is not None:
        return
    assert told.open_again == open_again(now, then)
    results = {pk for pk in {*now.pairings, *then.pairings} if outcome(now, pk) != outcome(then, pk)}
    check_results(told, results, now, then, lambda: take_back(evening, entry))
    stay = {pk for pk, round in then.rounds.items() if round.state != "draft"} if not results else set()
    since = {pk for pk in stay & now.rounds.keys() if (at := now.rounds[pk].published_at) and at > entry.at}
    assert {round.pk for round in told.since} == since
    check_rows(told, results, changes(stored, stored_then), now, then)


def outcome(books: Books, pairing: int) -> tuple[Any, ...] | None:
    """A pairing's official result as it is told."""
    found = books.official.get(pairing)
    if found is None:
        return None
    return tuple(value for name, value in vars(found).items() if name.split("_")[0] in RESULT)


RESULT = {"outcome", "reason", "second", "first", "spread", "penalty", "note"}


def open_again(now: Books, then: Books) -> tuple[OpenRound, ...]:
    """The rounds that lack other results then."""
    shown = [
        {number: (tuple(sorted(tables)), any(tables.values())) for number, tables in books.open_tables().items()}
        for books in (now, then)
    ]
    return tuple(
        OpenRound(number, *shown[1][number]) for number in sorted(shown[1]) if shown[1][number] != shown[0].get(number)
    )


def check_results(
    told: UndoEffects, results: set[int], now: Books, then: Books, taking_back: Callable[[], object]
) -> None:
    """The ranks, matches and later rounds that other results mean."""
    if len(results) == 1 and (pk := next(iter(results))) in now.pairings:
        at = Pairing.objects.select_related("round").get(pk=pk)
        assert told.consequences is not None
        if told.consequences.knockout:
            test_laws.check_knockout(told.consequences.knockout, at, now, then)
        else:
            test_laws.check_table(told.consequences, at, now, then)
            test_laws.check_seeding(told.consequences.seeding, now, then)
            test_laws.check_all_later(told.consequences.later, now, at, taking_back)
        return
    before, after = now.table(now.last()), then.table(then.last())
    moved = {key: (before[key].rank, after[key].rank) for key in before.keys() & after.keys()}
    moved = {key: both for key, both in moved.items() if both[0] != both[1]}
    moves = told.consequences.moves if told.consequences else ()
    assert {move.entry.pk: (move.before.rank, move.after.rank) for move in moves} == moved


Change = tuple[type[models.Model], dict[str, Any] | None, dict[str, Any] | None]


def changes(before: Stored, after: Stored) -> list[Change]:
    """The rows that differ."""
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return [(get_journal_model(key[0]), before.get(key), after.get(key)) for key in keys]


def check_rows(told: UndoEffects, results: set[int], changed: list[Change], now: Books, then: Books) -> None:
    """Every row that changes is told, with its figures; results only where there are several."""
    pairs = pair_changes(now, then)
    fields = [field for change in changed for field in field_changes(*change, then)]
    counted = come_and_go(changed, now, then)
    several = results if len(results) > 1 else set()
    if told.more:
        assert len(told.rows) + told.more == len(pairs) + len(several) + len(fields) + len(counted)
        return
    told_values = [row for row in told.rows if isinstance(row, ValueChange)]
    assert sorted(told_values, key=repr) == sorted([*pairs, *fields], key=repr)
    told_rows = [replace(row, names=tuple(sorted(row.names))) for row in told.rows if isinstance(row, RowsChange)]
    assert sorted(told_rows, key=repr) == sorted(counted, key=repr)
    check_result_changes([row for row in told.rows if isinstance(row, ResultChange)], several, now, then)


def come_and_go(changed: list[Change], now: Books, then: Books) -> list[RowsChange]:
    """The rows that come or go, by their tables: what they are, how many, whose, and whether they come."""
    found: dict[tuple[type[models.Model], bool], list[str]] = {}
    for model, before, after in changed:
        if (before is None) != (after is None) and model._meta.model_name not in ("result", "seat"):
            row, books = (before, now) if before else (after or {}, then)
            found.setdefault((model, after is not None), []).append(called(model, row, books))
    if drafts(now) or drafts(then):
        found = {key: names for key, names in found.items() if key[0] is not Pairing}
    return [
        RowsChange(
            str(model._meta.verbose_name if len(names) == 1 else model._meta.verbose_name_plural),
            len(names),
            tuple(sorted(filter(None, names))),
            comes,
        )
        for (model, comes), names in found.items()
    ]


def called(model: type[models.Model], row: dict[str, Any], books: Books) -> str:
    """What a row is called on a German page; an empty text for what has no name."""
    person = books.name
    name: Callable[[], str] | None = {
        "entry": lambda: person[row["id"]],
        "keptapart": lambda: f"{person[row['one_id']]} – {person[row['other_id']]}",
        "absence": lambda: f"{person[row['entry_id']]}, Runde {row['number']}",
        "lot": lambda: f"nach Runde {row['after']}",
        "round": lambda: books.round_name(row["id"]),
        "pairing": lambda: " – ".join(books.names(row["id"])),
        "player": lambda: str(row["name"]),
        "division": lambda: str(row["name"]),
        "prize": lambda: row["title"] or f"{PRIZE_LABELS[row['kind']]}" + (f": {row['place']}" if row["place"] else ""),
    }.get(model._meta.model_name or "")
    return name() if name else ""


def check_result_changes(told: list[ResultChange], results: set[int], now: Books, then: Books) -> None:
    """The games that have another result then, each with both."""
    found = []
    for pk in results:
        books = now if pk in now.pairings else then
        both = [result_of(each, pk) for each in (now, then)]
        assert both[0] != both[1] or outcome(now, pk) != outcome(then, pk)
        found.append((books.game_name(pk), *books.names(pk), *both))
    said = [(row.game.place, *row.game.players, told_result(row.before), told_result(row.after)) for row in told]
    assert all(row.before != row.after for row in told)
    assert sorted(said, key=str) == sorted(found, key=str)


def result_of(books: Books, pairing: int) -> object:
    found = books.official.get(pairing)
    return found and (found.outcome, found.first_points, found.second_points)


def told_result(report: Report | None) -> object:
    return report and (report.outcome, report.first.points, report.second.points)


def field_changes(
    model: type[models.Model], before: dict[str, Any] | None, after: dict[str, Any] | None, then: Books
) -> list[ValueChange]:
    """The columns of a row that change, with what they hold."""
    if before is None or after is None or model._meta.model_name in ("result", "seat"):
        return []
    found = []
    for column in model._meta.concrete_fields:
        if column.attname in SILENT or before[column.attname] == after[column.attname]:
            continue
        values = before[column.attname], after[column.attname]
        shown = ["", ""] if isinstance(column, models.JSONField) else [told_as(column, value) for value in values]
        found.append(ValueChange(called(model, after, then), str(column.verbose_name), *shown))
    return found


def told_as(column: "models.Field[Any, Any]", value: Any) -> str:
    """A stored value as a German page shows it."""
    if column.choices:
        return str(dict(column.flatchoices)[value])
    if value is None or value == "":
        return "–"
    if isinstance(column, models.ForeignKey):
        return str(getattr(column.related_model._default_manager.get(pk=value), "name"))  # noqa: B009  # any table's
    return str(value) if not isinstance(value, bool) else ("nein", "ja")[value]


def drafts(books: Books) -> dict[int, dict[str, str]]:
    """The pairs of drafts in words, by round and place."""
    found: dict[int, dict[str, str]] = {}
    for pk, pairing in books.pairings.items():
        if books.rounds[pairing.round_id].state == "draft":
            place = f"Tisch {pairing.table}" if pairing.table else pairing.get_kind_display()
            told = found.setdefault(pairing.round_id, {})
            told[place] = "; ".join([*filter(None, [told.get(place)]), " – ".join(books.names(pk))])
    return found


def pair_changes(now: Books, then: Books) -> list[ValueChange]:
    before, after = drafts(now), drafts(then)
    found = []
    for round in before.keys() & after.keys():
        for place in before[round].keys() | after[round].keys():
            both = before[round].get(place, "–"), after[round].get(place, "–")
            found += [ValueChange("", place, *both)] if both[0] != both[1] else []
    return found
