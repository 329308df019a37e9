"""A journal read and replayed: whether it is whole, which rows it speaks of, whether the stored rows are what it says;
and noted entries brought into a backup that lacks them. An entry counts only if the rows are as it found them, so what
is done again is what was done. Entries that do not fit are left out and counted; whoever restores is told."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, OperationalError, connection, models, transaction
from django.db.models import Max, Model, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.places import NOTES_FOLDER
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.change import JournalRow, complete_snapshot, take_snapshot, take_snapshots
from tournament.core.records import (
    OWNED_TABLES,
    PICTURE_TABLES,
    REGISTER_TABLES,
    UNARCHIVED_TABLES,
    get_journal_model,
    list_tournament_rows,
)
from tournament.events.operations import keep_journal
from tournament.journal.undoing import rebuild_row, remove_revision
from tournament.models import JournalEntry, Member, MirrorLink, Organiser, Player, Tournament

NOTED_COLUMNS = ("number", "at", "by_name", "verb", "details", "rows")
"""The columns of an entry that never change: its owner goes with a deleted tournament, its author with an account."""
MAX_KNOWN_SLUGS = 20  # how many addresses are named to somebody who asks for one that is not there


@dataclass(frozen=True, slots=True)
class EventJournal:
    """The journal of one event. `entries` reads it from the beginning each time; those of an archive are not stored."""

    slug: str
    entries: Callable[[], Iterable[JournalEntry]]


def get_event_journal(slug: str) -> EventJournal:
    """The journal of the tournament at this address, or of the one last deleted from it. Raises `no_journal`."""
    if (living := Tournament.objects.filter(slug=slug).first()) is not None:
        return _make_event_journal(slug, JournalEntry.objects.filter(tournament=living.pk))
    # The last one deleted first: an address may have been used again after each deletion.
    for first in JournalEntry.objects.filter(number=1, deleted_tournament__isnull=False).order_by("-pk"):
        states = (after for table, _pk, _before, after in first.rows if table == "tournament" and after)
        if next((after["slug"] for after in states), None) == slug:
            return _make_event_journal(slug, JournalEntry.objects.filter(deleted_tournament=first.deleted_tournament))
    slugs = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)[:MAX_KNOWN_SLUGS]) or "–"
    raise Refusal(
        "no_journal",
        gettext_lazy("There is neither a tournament “%(slug)s” nor the journal of a deleted one. Known: %(known)s."),
        slug=slug,
        known=slugs,
    )


def _make_event_journal(slug: str, entries: "QuerySet[JournalEntry]") -> EventJournal:
    """The journal as it is now; what comes to it later does not count."""
    # A journal is read twice, to survey and to write; entries that come in between would not have been surveyed.
    last = entries.aggregate(last=Max("number"))["last"] or 0
    return EventJournal(slug, lambda: entries.filter(number__lte=last).order_by("number").iterator(chunk_size=200))


MAX_GAPS_SHOWN = 5  # how many missing stretches are named


class JournalSurvey:
    """What a journal speaks of. Raises a `Refusal` for one from which no event can be made, or for a very large one
    that `is_sent` through a page, since nobody is to wait for that. `keys` are the rows of the event's own tables,
    living and gone; `outside` those of other tables (register, accounts, the organiser) that its rows refer to; `files`
    the states of rows that name a file, by its name."""

    def __init__(self, history: EventJournal, *, is_sent: bool = False) -> None:
        most = limits.ARCHIVE_ROWS_SENT if is_sent else limits.ARCHIVE_ROWS
        self.first: Mapping[str, Any] = {}
        self.keys: dict[type[models.Model], set[int]] = defaultdict(set)
        self.outside: dict[type[models.Model], set[int]] = defaultdict(set)
        self.files: dict[type[models.Model], dict[str, Mapping[str, Any]]] = defaultdict(dict)
        numbers, rows = [], 0
        for written in history.entries():
            numbers.append(written.number)
            if len(numbers) == 1:
                self.first = _get_first_state(history.slug, written)
            rows += len(written.rows)
            # While it is read: of a journal of millions of rows the keys and states that are kept here would fill the
            # memory first.
            if rows > most:
                raise _make_size_refusal(history.slug, most)
            for model, row in list_journal_rows(written):
                self._note(model, row)
        _check_numbers(history.slug, numbers)
        self.count = len(numbers)

    def _note(self, model: type[models.Model], row: JournalRow) -> None:
        _table, pk, before, after = row
        if model in REGISTER_TABLES:
            return
        self.keys[model].add(pk)
        for state in (before, after):
            if state is None:
                continue
            for name, target in find_outside_references(model):
                if state.get(name) is not None:
                    self.outside[target].add(state[name])
            if model in PICTURE_TABLES:
                self.files[model][state["name"]] = state


def _make_size_refusal(slug: str, limit: int) -> Refusal:
    if limit == limits.ARCHIVE_ROWS:
        message = gettext_lazy("The journal of “%(slug)s” has more than %(limit)s rows; more are not read.")
        return Refusal("journal_rows", message, slug=slug, limit=limit)
    message = gettext_lazy(
        "The journal of “%(slug)s” has more than %(limit)s rows; importing it would take minutes. Use the command "
        "import_event instead."
    )
    return Refusal("journal_rows_page", message, slug=slug, limit=limit)


def list_journal_rows(written: JournalEntry) -> Iterator[tuple[type[models.Model], JournalRow]]:
    """An entry's rows with their tables. Raises `journal_table`."""
    for row in written.rows:
        try:
            yield get_journal_model(row[0]), row
        except KeyError as unknown:
            raise Refusal(
                "journal_table",
                gettext_lazy("Entry %(number)s of the journal writes “%(table)s”, which this program does not know."),
                number=written.number,
                table=row[0],
            ) from unknown


def find_outside_references(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """The columns of an event's table that refer to rows outside of the event, each with the table it refers to."""
    targets = ((field.attname, field.related_model) for field in model._meta.concrete_fields if field.is_relation)
    return [(name, target) for name, target in targets if isinstance(target, type) and target not in OWNED_TABLES]


def _get_first_state(slug: str, written: JournalEntry) -> Mapping[str, Any]:
    """The tournament as its first entry made it. Raises `journal_no_beginning`."""
    first_state = next((row for model, row in list_journal_rows(written) if model is Tournament), None)
    if written.number != 1 or first_state is None or first_state[2] is not None or first_state[3] is None:
        raise Refusal(
            "journal_no_beginning",
            gettext_lazy(
                "The journal of “%(slug)s” does not begin with the creation of the tournament, but with entry "
                "%(first)s."
            ),
            slug=slug,
            first=written.number,
        )
    return first_state[3]


def _check_numbers(slug: str, numbers: list[int]) -> None:
    """Raise `journal_empty` or `journal_gap` unless the entries are numbered from 1 without a gap."""
    if not numbers:
        raise Refusal(
            "journal_empty",
            gettext_lazy("The journal of “%(slug)s” is empty; nothing can be rebuilt from it."),
            slug=slug,
        )
    gaps = [
        f"{before + 1}–{number - 1}" if number - before > 2 else str(before + 1)
        for before, number in pairwise(numbers)
        if number != before + 1
    ]
    if gaps:
        gap_numbers = ", ".join(gaps[:MAX_GAPS_SHOWN])
        raise Refusal(
            "journal_gap",
            gettext_lazy("The journal of “%(slug)s” lacks entries: %(missing)s. Without them nothing can be rebuilt."),
            slug=slug,
            missing=f"{gap_numbers} …" if len(gaps) > MAX_GAPS_SHOWN else gap_numbers,
        )


def find_journal_differences(tournament: Tournament) -> list[str]:
    """Replay the journal: where an entry did not find what the one before it left, and where stored rows differ."""
    entries = JournalEntry.objects.filter(tournament=tournament).order_by("number")
    replayed, faults = _replay_rows(entries, list(OWNED_TABLES))
    for model in OWNED_TABLES:
        faults += _find_table_differences(model, list_tournament_rows(model, tournament), replayed)
    return faults


def find_register_differences() -> list[str]:
    """The same for what belongs to organisers (players, clubs, members, seasons, word lists), of which the journals of
    tournaments, deleted ones too, tell as well. Members of whom no journal tells are passed over, and people whom only
    a mirrored event has brought."""
    tables = [*REGISTER_TABLES, *UNARCHIVED_TABLES]
    replayed, faults = _replay_rows(JournalEntry.objects.order_by("pk"), tables)
    for model in tables:
        rows = model._default_manager.all()
        # Only those of whom a journal tells: a database from before members were noted has others, who are no fault.
        if model is Member:
            rows = rows.filter(pk__in=[pk for table, pk in replayed if table == "member"])
        if model is Player:
            # Nothing of a mirrored event is in a journal here, so neither are the people that came with it.
            player_lists = MirrorLink.objects.values_list("players", flat=True)
            rows = rows.exclude(pk__in=[pk for listed in player_lists for pk in listed])
        faults += _find_table_differences(model, rows, replayed)
    return faults


ReplayedRows = dict[tuple[str, int], Mapping[str, Any]]  # the rows that a journal leaves, by table and primary key


def _replay_rows(entries: QuerySet[JournalEntry], models_: list[type[Model]]) -> tuple[ReplayedRows, list[str]]:
    """The rows that these entries leave in some tables, and where an entry found another row than was left to it."""
    models_by_table = {model._meta.model_name or "": model for model in models_}
    replayed: ReplayedRows = {}
    faults = []
    for number, rows in entries.values_list("number", "rows").iterator():
        for table, pk, before, after in rows:
            if table not in models_by_table:
                continue
            state = replayed.pop((table, pk), None)
            if state is not None and before is not None and state != before:
                differences = _find_step_differences(models_by_table[table], pk, state, before, after)
                faults += [f"{fault} ({number})" for fault in differences]
            if after is not None:
                replayed[table, pk] = after
    return replayed, faults


def _find_table_differences(model: type[Model], rows: QuerySet[Any], replayed: ReplayedRows) -> list[str]:
    table = model._meta.model_name
    stored = take_snapshots(rows)
    expected = {pk: row for (name, pk), row in replayed.items() if name == table}
    faults = []
    for pk in sorted(stored.keys() | expected.keys()):
        have, want = stored.get(pk), expected.get(pk)
        if have is None or want is None:
            faults.append(f"{table} {pk}: " + (_("not in the journal") if want is None else _("not in the database")))
            continue
        faults += _find_row_differences(model, pk, want, have)
    return faults


def _find_step_differences(
    model: type[Model], pk: int, state: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any] | None
) -> list[str]:
    """Where an entry did not find what was left to it. What is left as the entry leaves it is done already: a player's
    new name stands in the entries of several tournaments. Of a row of the register that may be single columns: merges
    of earlier versions wrote the name through the events, and then all that they changed from the row before that."""
    changed = {} if after is None else complete_snapshot(model, after)
    if model in REGISTER_TABLES:
        snapshot = complete_snapshot(model, state)
        state = {
            **state,
            **{name: before.get(name) for name in before if name in changed and snapshot[name] == changed[name]},
        }
    elif changed and not any(_find_row_differences(model, pk, state, changed)):
        return []
    return list(_find_row_differences(model, pk, state, before))


def _find_row_differences(
    model: type[Model], pk: int, want: Mapping[str, Any], have: Mapping[str, Any]
) -> Iterator[str]:
    """Where a row is not what it should be, column by column; later columns are at their defaults in an older state."""
    if want == have:
        return
    wanted_state, had = complete_snapshot(model, want), complete_snapshot(model, have)
    for column in model._meta.concrete_fields:
        # An owner's revision counts its entries: it differs after each of them and says nothing of the row.
        if (name := column.attname) != "revision" and wanted_state[name] != had[name]:
            yield f"{model._meta.model_name} {pk}.{name}: {wanted_state[name]!r} ≠ {had[name]!r}"


BROKEN_JOURNAL_ERRORS = (
    *(ArithmeticError, AttributeError, DatabaseError, LookupError, TypeError, ValidationError, ValueError),
)
"""What a journal raises whose rows are not what this program writes."""

BROKEN_ENTRY_ERRORS = (*BROKEN_JOURNAL_ERRORS, ObjectDoesNotExist, RecursionError)
"""What an entry raises that is broken, or that belongs to another state."""


def describe_broken_entry(fault: Exception) -> str:
    return f"{type(fault).__name__}: {' '.join(str(fault).split())}"


RowValues = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReplayCounts:
    """How many entries were done again, up to when, how many were left out, and the accounts made anew for them."""

    entries: int = 0
    left_out: int = 0
    accounts: tuple[str, ...] = ()
    until: str = field(default="", compare=False)


def replay_noted_entries(noted: list[RowValues]) -> ReplayCounts:
    """Do again what was noted and is not in the database yet. Entries of other data than these are all left out, and so
    are all where the outcome would be at odds with a journal; otherwise those that do not fit, or refer to a row which
    is not there, and those of the same event after them. Raises `OperationalError` where the disk takes nothing."""
    last = JournalEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    new = [row for row in noted if row["id"] > last]
    if new and _is_continuation(noted, last):
        # First quickly: references are checked once, at the end. If one is broken the database does not say by which
        # entry, so all is done again with a check after each.
        for careful in (False, True):
            try:
                with transaction.atomic():
                    return _try_entries(new, careful=careful)
            except OperationalError:  # a full disk: no entry is to blame, and none is to be left out for it
                raise
            except BROKEN_ENTRY_ERRORS:
                continue
    return ReplayCounts(left_out=len(new))


def find_noted_differences(noted: list[RowValues]) -> list[str]:
    """Where entries of the journals are not what was noted of them when they were stored. No value is quoted: in one of
    the two somebody may stand who was forgotten in the other."""
    # Of a damaged line only the key is known; there is nothing to compare.
    noted_rows = {row["id"]: row for row in noted if "rows" in row}
    return [
        f"journal {entry.pk}.{name} ≠ {NOTES_FOLDER}"
        for entry in JournalEntry.objects.filter(pk__gte=min(noted_rows, default=0)).iterator()
        if entry.pk in noted_rows
        for name, stored in json.loads(json.dumps(take_snapshot(entry))).items()  # as it was noted: lists, no tuples
        if name in NOTED_COLUMNS and stored != noted_rows[entry.pk][name]
    ]


def _is_continuation(noted: list[RowValues], last: int) -> bool:
    """Whether the notes are of these data: what both have is the same, and nothing is missing between them."""
    moments = {row["id"]: row.get("at") for row in noted if row["id"] <= last}
    # The notes begin after the database's last entry: only the very next one can be a continuation.
    if not moments:
        return bool(noted[0]["id"] == last + 1)
    stored = dict(JournalEntry.objects.filter(pk__gte=min(moments)).values_list("pk", "at"))
    # Keys alone do not tell: another installation has an entry 17 as well, but not of the same microsecond.
    return all(key in stored and stored[key].isoformat() == at for key, at in moments.items() if at is not None)


def _try_entries(new: list[RowValues], *, careful: bool) -> ReplayCounts:
    """Do again what fits; references are checked at the end, if `careful` of each. Raises `BROKEN_ENTRY_ERRORS`."""
    # What was at odds before is no entry's fault: an event whose rows somebody has changed by hand would otherwise lose
    # all that was noted of it.
    faults_before = _find_journal_faults(new)
    lost: set[tuple[Any, Any]] = set()
    accounts: list[str] = []
    left_out, until = 0, ""
    for row in new:
        owner = (row.get("tournament_id"), row.get("organiser_id"))
        if owner in lost or not _try_entry(row, accounts, careful=careful):
            lost.add(owner)  # what came after it cannot fit, either
            left_out += 1
        else:
            until = max(until, str(row["at"]))
    connection.check_constraints()
    if odd := _find_journal_faults(new) - faults_before:
        raise ValueError(min(odd))
    return ReplayCounts(len(new) - left_out, left_out, tuple(accounts), until)


def _try_entry(entry: RowValues, accounts: list[str], *, careful: bool) -> bool:
    try:
        with transaction.atomic():
            # Before the rows: that of a new member refers to the account, which no journal has made.
            accounts_made = [name for pk, name in _list_accounts(entry) if _create_missing_account(pk, name)]
            for table, pk, before, after in entry["rows"]:
                _write_row(get_journal_model(table), pk, before, after)
            _advance_revision(Tournament, entry["tournament_id"], entry["number"])
            _advance_revision(Organiser, entry["organiser_id"], entry["number"])
            journal_entry = rebuild_row(JournalEntry, entry)
            assert isinstance(journal_entry, JournalEntry)
            if journal_entry.by_id is not None and not User.objects.filter(pk=journal_entry.by_id).exists():
                journal_entry.by_id = None  # an account that there is no more: the journal still has the name
            journal_entry.save_base(raw=True, force_insert=True)
            if careful:
                connection.check_constraints()
    except OperationalError:
        raise
    except BROKEN_ENTRY_ERRORS:
        return False
    accounts += accounts_made
    return True


def _list_accounts(entry: RowValues) -> Iterator[tuple[Any, Any]]:
    """The accounts that an entry tells of, each with its name: who made it, and who became a member."""
    yield entry["by_id"], entry["by_name"]
    for table, _pk, before, after in entry["rows"]:
        if table == "member" and before is None:
            yield after["user_id"], entry["details"]["name"]


def _create_missing_account(pk: Any, name: Any) -> bool:
    """Make an account that is missing, without a password and without any rights of its own; whether it was missing."""
    # The notes lie in a file that anybody at the machine can edit: what is no key or no name makes no account.
    if type(pk) is not int or not (isinstance(name, str) and name):
        return False
    # By either: the key may have been given to somebody else after the restore, and a name is taken only once.
    if User.objects.filter(Q(pk=pk) | Q(username=name)).exists():
        return False
    account = User(pk=pk, username=name)
    account.set_unusable_password()
    account.save(force_insert=True)
    return True


def _write_row(model: type[Model], pk: int, before: RowValues | None, after: RowValues | None) -> None:
    """One row as the entry leaves it. Raises `ValueError` unless it is as the entry found it, or leaves it
    already: a new name of a player stands in the entries of several tournaments."""
    there = model._default_manager.filter(pk=pk).first()
    present = None if there is None else remove_revision(take_snapshot(there))
    if present == _complete_row(model, after):
        return
    expected = _complete_row(model, before)
    if present != expected and (
        present is None or expected is None or _find_step_differences(model, pk, present, expected, after)
    ):
        raise ValueError(f"{model.__name__} {pk}")
    if after is None:
        # Its entries stay when it goes, as when it was deleted by hand: it can be made anew from them.
        if isinstance(there, Tournament):
            keep_journal(there)
        if there is not None:
            there.delete()
        return
    row = rebuild_row(model, after)
    # The row's own key in the snapshot could be another one, and would overwrite a row that this entry is not about.
    if row.pk != pk:
        raise ValueError(f"{model.__name__} {pk} ≠ {row.pk}")
    if there is not None and model in (Tournament, Organiser):
        # Entries are done one by one, and each raises the revision to its own number afterwards.
        row.revision = there.revision  # type: ignore[attr-defined]  # both count their entries
    row.save_base(raw=True, force_insert=there is None, force_update=there is not None)


def _complete_row(model: type[Model], row: RowValues | None) -> RowValues | None:
    return None if row is None else remove_revision(complete_snapshot(model, row))


def _advance_revision(model: type[Tournament | Organiser], pk: int | None, number: int) -> None:
    """Raise an owner's revision to the entry's number. Raises `ValueError` if entries before it are missing."""
    if pk is None:
        return
    owner = model._default_manager.get(pk=pk)
    if owner.revision != number - 1:
        raise ValueError(f"{model.__name__} {pk}: {owner.revision} → {number}")
    owner.revision = number
    owner.save(update_fields=["revision"])


def _find_journal_faults(new: list[RowValues]) -> set[str]:
    """Where the rows of the tournaments that the entries are about are not what their journals say."""
    touched = Tournament.objects.filter(pk__in={row["tournament_id"] for row in new if row.get("tournament_id")})
    return {fault for tournament in touched for fault in find_journal_differences(tournament)}
