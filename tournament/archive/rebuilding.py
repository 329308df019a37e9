"""An event made anew from its journal alone: every row it ever had under a new key, and the journal with it. Rows are
written as the journal has them, past the operations that once made them: these have checked them, and their entries
come along. Rows from elsewhere are checked to be such that every page can show them. What stands here for rows outside
of the event, and the files that rows name, are found first."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, connection, models, transaction
from django.utils.translation import gettext_lazy as _

from tournament.archive.game_rows import GAME_ROW_CHECKS
from tournament.archive.replaying import (
    BROKEN_JOURNAL_ERRORS,
    EventJournal,
    JournalSurvey,
    find_journal_differences,
    get_event_journal,
    list_journal_rows,
)
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.pictures import get_upload_path, make_file_name, remove_upload, store_foreign_picture
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, JournalRow, change, take_snapshot
from tournament.core.records import DETAIL_TABLES, OWNED_TABLES, PICTURE_TABLES, REGISTER_TABLES, list_tournament_rows
from tournament.events.operations import set_tournament_aside
from tournament.exchange.event_rows import get_or_create_clubs, get_or_create_players
from tournament.exchange.values import PlayerData
from tournament.journal.undoing import rebuild_row
from tournament.models import Club, Division, Entry, JournalEntry, Lot, Pairing, Player, Round, Tournament
from tournament.pairing.values import (
    ClaimCondition,
    NoteCode,
    PairFlag,
    ReasonCode,
    get_reason_shape,
    rename_figure_players,
)
from tournament.rounds.plan import read_round_plan


def list_archive_rows(tournament: Tournament, tables: tuple[type[models.Model], ...]) -> list[dict[str, Any]]:
    """The rows of these tables without primary keys, each with the table it is of and where its game was played."""
    pairings = Pairing.objects.filter(round__division__tournament=tournament)
    columns = pairings.values_list("pk", "round__division__name", "round__number", "table")
    games = {pk: {"division": division, "round": round, "table": table} for pk, division, round, table in columns}
    return [
        {"row": model._meta.model_name, **_find_game_place(row, games), **_select_columns(model, row)}
        for model in tables
        for row in list_tournament_rows(model, tournament)
    ]


def _find_game_place(row: models.Model, games: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Where a row's game was played; a line has its place from its sheet."""
    if (sheet := getattr(row, "scoresheet", None)) is not None:
        # By division, round and table: keys are others where the archive is read, and a person who reads the list knows
        # none of them.
        return {**games.get(sheet.pairing_id, {}), "keeper": sheet.keeper}
    return games.get(getattr(row, "pairing_id", 0), {})


def _select_columns(model: type[models.Model], row: models.Model) -> dict[str, Any]:
    """A row's columns, without keys and names of files."""
    left_out = {field.attname for field in model._meta.concrete_fields if field.primary_key or field.is_relation}
    if model in PICTURE_TABLES:
        # Each installation draws its own names for files: the list would differ for a picture that is the same.
        left_out.add("name")
    return {name: value for name, value in take_snapshot(row).items() if name not in left_out}


def _check_round(row: Round) -> None:
    """The notes on its draw have to be ones that have words."""
    for note in row.notes:
        # Made and thrown away: each of them raises ValueError for what no page has words for.
        _values = (NoteCode(note["code"]), note["figure"], [ClaimCondition(condition) for condition in note["unless"]])


def _check_pairing(row: Pairing) -> None:
    """Flags and reasons have to be ones that have words, with all their figures."""
    _flags = [PairFlag(flag) for flag in row.flags]
    for reason in row.why:
        if get_reason_shape(ReasonCode(reason["code"]), reason).keys() - reason.keys():
            raise ValueError("figures of a reason")


ROW_CHECKS: Mapping[type[models.Model], Callable[[Any], object]] = {
    Tournament: lambda row: (row.rules, row.awards, row.ranking),  # have to be known ones
    Division: lambda row: read_round_plan(row.plan),
    Round: _check_round,
    Pairing: _check_pairing,
}


FileReader = Callable[[str], bytes | None]
"""The content of the file that a table's row names; None where it is not to be had."""


class KeptFiles:
    """The files of a journal, each kept under a new name; `gone` are the new names of those that are not to be had.
    Files are written before the rows that name them: a crash in between never leaves a row without its picture."""

    def __init__(self) -> None:
        self.names: dict[type[models.Model], dict[str, str]] = {}
        self.gone: dict[type[models.Model], set[str]] = {}
        self.written: list[str] = []

    def keep(self, model: type[models.Model], states: Mapping[str, Mapping[str, Any]], read: FileReader) -> None:
        """Keep the files of a table, by the states of the rows that name them."""
        names, gone = self.names.setdefault(model, {}), self.gone.setdefault(model, set())
        for name, state in states.items():
            content = read(name)
            # A photo that is gone gets a new name all the same: the journal names it, and its row goes in a change that
            # the journal tells.
            if content is None or hashlib.sha256(content).hexdigest() != state["sha256"]:
                names[name] = make_file_name()
                gone.add(names[name])
                continue
            names[name] = store_foreign_picture(state, content)
            self.written.append(names[name])

    @property
    def count_gone(self) -> int:
        return sum(len(names) for names in self.gone.values())


@contextmanager
def keep_files(survey: JournalSurvey, read: FileReader) -> Iterator[KeptFiles]:
    """Keep a journal's files; if what is done with them fails, those that were written are removed."""
    files = KeptFiles()
    try:
        for model, file_names in survey.files.items():
            files.keep(model, file_names, read)
        yield files
    except BaseException:
        for name in files.written:
            remove_upload(name)
        raise


def read_stored_file(name: str) -> bytes | None:
    """A file of this program's own data folder."""
    try:
        return get_upload_path(name).read_bytes()
    except (OSError, ValueError):
        return None


NewKeys = Mapping[int, int]  # new primary keys by the old ones

OutsideKeys = dict[type[models.Model], NewKeys]
"""The rows here that stand for those outside of the event that its own refer to: the register, accounts, word lists."""

KEY_LIST_COLUMNS: Mapping[type[models.Model], Mapping[str, Callable[[Any, NewKeys], Any]]] = {
    Lot: {"order": lambda order, keys: [keys[pk] for pk in order]},
    Round: {
        "groups": lambda groups, keys: [[keys[pk] for pk in group] for group in groups],
        "notes": lambda notes, keys: [{**note, "keys": [keys[pk] for pk in note["keys"]]} for note in notes],
    },
    Pairing: {"why": lambda reasons, keys: [rename_figure_players(reason, keys) for reason in reasons]},
}
"""The columns that name entries inside of a list."""


def reserve_keys(model: type[models.Model], count: int) -> list[int]:
    """That many primary keys, ascending, that no row of the table has, had or will get by itself. Rows that are gone
    need theirs as well: an undo restores a row under its old key."""
    table, column = model._meta.db_table, model._meta.pk.column if model._meta.pk else "id"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            cursor.execute(sequence, [table, column, count])
            return sorted(number for (number,) in cursor.fetchall())
        # SQLite remembers the highest key that it has given: above it no key was ever used, not even of a deleted row.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        # A table without a row there has never had one: SQLite writes it with the first.
        if (row := cursor.fetchone()) is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, 0)", [table])
        last = row[0] if row else 0
        cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last + count, table])
        return list(range(last + 1, last + count + 1))


class Renumbering:
    """A journal's rows under new primary keys, which keep the order of the old ones: lots and lists follow it.
    `outside` gives the rows that stand for those of other tables, by table; what it does not know is left empty.
    `files` are the new names of files. Every state of the tournament gets `slug`, so that an undo finds it unchanged.
    `is_checked`: the rows come from elsewhere, and each has to be one that pages can show."""

    def __init__(
        self,
        keys: Mapping[type[models.Model], Collection[int]],
        *,
        outside: OutsideKeys,
        files: Mapping[type[models.Model], Mapping[str, str]],
        slug: str,
        is_checked: bool = False,
    ) -> None:
        # In the order of the old keys: a draw numbers players by them, and the next one is to come out as it would
        # have there.
        self.keys: dict[type[models.Model], NewKeys] = {
            model: dict(zip(sorted(old), reserve_keys(model, len(old)), strict=True)) for model, old in keys.items()
        }
        self.outside, self._files, self._slug, self._is_checked = outside, files, slug, is_checked

    def rows(self, written: JournalEntry) -> list[JournalRow]:
        """An entry's rows under their new keys, without those of the register: that is not the event's to change."""
        return [
            (table, self.keys[model][pk], self.state(model, before), self.state(model, after))
            for model, (table, pk, before, after) in list_journal_rows(written)
            if model not in REGISTER_TABLES
        ]

    def details(self, written: JournalEntry) -> dict[str, Any]:
        """An entry's details; a row that they name gets its new key."""
        renamed = {
            name: self.keys.get(model, {}).get(written.details[name])
            for name, model in DETAIL_TABLES.items()
            if name in written.details
        }
        return {**written.details, **renamed}

    def state(self, model: type[models.Model], state: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A row's state with new keys, in the columns that its table has today."""
        if state is None:
            return None
        row = rebuild_row(model, {name: self._value(model, name, value) for name, value in state.items()})
        if self._is_checked:
            # Too long a text, an unknown choice, a list of odd things raise one of `BROKEN_JOURNAL_ERRORS`. What refers
            # to other rows, and what rows come to together, is for the database and the tournament file to say.
            left_out = {
                field.name
                for field in row._meta.concrete_fields
                if field.is_relation or getattr(row, field.attname) in field.empty_values
            }
            row.clean_fields(exclude=left_out)
            for check in (ROW_CHECKS.get(type(row)), GAME_ROW_CHECKS.get(type(row))):
                if check is not None:
                    check(row)
        return take_snapshot(row)

    def _value(self, model: type[models.Model], name: str, value: Any) -> Any:
        # In every state: an undo of an old entry looks for the row as that entry left it, under the address of today.
        if model is Tournament and name == "slug":
            return self._slug
        if value is None:
            return None
        if name in KEY_LIST_COLUMNS.get(model, {}):
            return KEY_LIST_COLUMNS[model][name](value, self.keys.get(Entry, {}))
        if model in self._files and name == "name":
            return self._files[model][value]
        if (target := _find_key_targets(model).get(name)) is None:
            return value
        # A key of the event's own that the journal never made is a KeyError, and with it a journal that contradicts
        # itself; of what is outside of the event much does not come along, and is left empty.
        return self.keys[target][value] if target in OWNED_TABLES else self.outside.get(target, {}).get(value)


@cache
def _find_key_targets(model: type[models.Model]) -> Mapping[str, type[models.Model]]:
    """The columns of a table that hold keys, each with the table that they are keys of."""
    targets = {}
    for field in model._meta.concrete_fields:
        if field.primary_key:
            targets[field.attname] = model
        elif isinstance(field.related_model, type):
            targets[field.attname] = field.related_model
    return targets


def find_lost_players(survey: JournalSurvey, here: OutsideKeys) -> dict[int, PlayerData]:
    """Players that the register no longer has, as any journal last saw them."""
    missing = survey.outside[Player] - here.get(Player, {}).keys()
    if not missing:
        return {}
    clubs: dict[int, str] = {}
    rows_by_pk: dict[int, Mapping[str, Any]] = {}
    # All journals, to the end: a player's last name may stand in another event's, and the last one counts.
    for rows in JournalEntry.objects.order_by("pk").values_list("rows", flat=True).iterator():
        for table, pk, before, after in rows:
            if table == "club":
                clubs[pk] = (after or before)["name"]
            if table == "player" and pk in missing:
                rows_by_pk[pk] = after or before
    # Over what the journals say: a club that was renamed since has its name of today.
    clubs |= dict(Club.objects.values_list("pk", "name"))
    return {
        pk: PlayerData(
            id=str(pk), name=row["name"], club=clubs.get(row["club_id"]), rating=row["rating"], games=row["games"]
        )
        for pk, row in rows_by_pk.items()
    }


def get_or_create_register_rows(log: Change, wanted: Mapping[int, PlayerData], clubs: Mapping[int, str]) -> OutsideKeys:
    """Players and clubs of this register under the names given, made where there are none; by their keys elsewhere."""
    named = get_or_create_clubs(log, {*clubs.values(), *(player.club for player in wanted.values() if player.club)})
    players = get_or_create_players(log, list(wanted.values()), named)
    return {
        Player: {pk: players[player.id].pk for pk, player in wanted.items()},
        Club: {pk: club.pk for pk, name in clubs.items() if (club := named[name]) is not None},
    }


BATCH, BATCH_ROWS = 200, 5000  # how many rows, and entries with how many rows, are written at once

RowStates = dict[str, dict[int, tuple[Any, ...]]]
"""Rows as a journal leaves them, by table and new primary key: the values of their columns."""


class JournalContradiction(Refusal, code="journal_contradiction"):
    message = _("The journal of “%(slug)s” is damaged or contradicts itself, so nothing was rebuilt from it (%(why)s).")


@dataclass(frozen=True, slots=True)
class CarriedEvent:
    """An event made from a journal or an archive: of how many entries, how many of its files came along or are gone.
    `set_aside` is the new address of rows that were not what the journal says; `lists_missing`: word lists not here."""

    tournament: Tournament
    entries: int
    files: int
    files_gone: int
    set_aside: str = ""
    lists_missing: tuple[str, ...] = ()


def rebuild_event(slug: str, new_slug: str, *, actor: Actor) -> CarriedEvent:
    """Make the event at `slug`, or the one last deleted from there, anew at `new_slug`, from its journal alone.
    `new_slug` may be its own if it was deleted, or if its rows are not what its journal says: these are then moved
    aside under another address. Raises `no_journal`, a refusal of `JournalSurvey`, `address_taken`, or
    `JournalContradiction` if the journal is at odds with itself; then nothing has changed."""
    entries = get_event_journal(slug)
    survey = JournalSurvey(entries)
    with keep_files(survey, read_stored_file) as files, transaction.atomic():
        # Within the same transaction as the rebuilding: if that fails, the damaged rows have their address again.
        aside = _free_address(new_slug, own=slug == new_slug, actor=actor)
        here: OutsideKeys = {  # what this database still has, each row standing for itself
            model: {pk: pk for pk in model._default_manager.filter(pk__in=keys).values_list("pk", flat=True)}
            for model, keys in survey.outside.items()
        }
        lost = find_lost_players(survey, here)
        tournament = create_event_from_journal(
            entries,
            survey,
            slug=new_slug,
            kept=files,
            outside=here,
            register=lambda log: get_or_create_register_rows(log, lost, {}),
            opened=lambda row: change(row, actor=actor, verb="rebuild_tournament", name=slug, count=survey.count),
        )
    return CarriedEvent(tournament, survey.count, len(files.written), files.count_gone, aside)


def _free_address(slug: str, *, own: bool, actor: Actor) -> str:
    """Move the `own` event's damaged rows off the address; their new one, or "" if none are. Raises `address_taken`."""
    if (there := Tournament.objects.filter(slug=slug).first()) is None:
        return ""
    if not own or not find_journal_differences(there):
        raise Refusal(
            "address_taken",
            _("There is already a tournament with the address “%(slug)s”. Choose another one."),
            slug=slug,
        )
    return set_tournament_aside(there, actor=actor).slug


def create_event_from_journal(
    history: EventJournal,
    survey: JournalSurvey,
    *,
    slug: str,
    kept: KeptFiles,
    outside: OutsideKeys,
    register: Callable[[Change], OutsideKeys],
    opened: Callable[[Tournament], AbstractContextManager[Change]],
    is_checked: bool = False,
) -> Tournament:
    """Make an event and its journal from a history that was surveyed, within a transaction that is open. `outside` are
    the rows here for those that the history refers to; `register` adds players and clubs, within the change that
    `opened` opens and that ends the journal. `is_checked`: it is from elsewhere. Raises `JournalContradiction`."""
    with refuse_broken_rows(history.slug):
        numbers = Renumbering(survey.keys, outside=dict(outside), files=kept.names, slug=slug, is_checked=is_checked)
        # The row as it was first, so that there is something to lock; its revision counts the journal.
        tournament = rebuild_row(
            Tournament, {**(numbers.state(Tournament, survey.first) or {}), "revision": survey.count}
        )
        assert isinstance(tournament, Tournament)
        tournament.save_base(raw=True, force_insert=True)  # raw: the day it was made on stays
        with opened(tournament) as log:
            for model, keys in register(log).items():
                numbers.outside[model] = {**numbers.outside.get(model, {}), **keys}
            _write_rows(_write_journal(history, numbers, tournament))
            # The event may go on elsewhere as well: two that remind by themselves would write to each player twice.
            Tournament.objects.filter(pk=tournament.pk).update(remind_days=None)
            log.created(Tournament.objects.get(pk=tournament.pk))
            for model, names in kept.gone.items():
                log.delete_all(list(model._default_manager.filter(name__in=names).order_by("pk")))
    if differences := find_journal_differences(tournament):
        raise JournalContradiction(slug=history.slug, why=differences[0])
    return Tournament.objects.get(pk=tournament.pk)


def _write_journal(history: EventJournal, numbers: Renumbering, made: Tournament) -> RowStates:
    """Write the journal's entries under their own numbers; return every row as they leave it."""
    states: RowStates = defaultdict(dict)
    batch: list[JournalEntry] = []
    for written in history.entries():
        rows = numbers.rows(written)
        for table, pk, _before, after in rows:
            states[table].pop(pk, None)
            if after is not None:
                states[table][pk] = tuple(after.values())
        batch.append(
            JournalEntry(
                tournament=made,
                number=written.number,
                at=written.at,
                by_id=numbers.outside.get(User, {}).get(written.by_id or 0),
                by_name=written.by_name,
                verb=written.verb,
                details=numbers.details(written),
                rows=rows,
            )
        )
        # By rows as well: one entry can hold hundreds, and a batch of such entries would fill the memory.
        if len(batch) == BATCH or sum(len(entry.rows) for entry in batch) > BATCH_ROWS:
            JournalEntry.objects.bulk_create(batch)
            batch.clear()
    JournalEntry.objects.bulk_create(batch)
    return states


def _write_rows(states: RowStates) -> None:
    """Write every row that the journal leaves, those that others refer to first."""
    for model in OWNED_TABLES:
        columns = [field.attname for field in model._meta.concrete_fields]
        states_by_pk = states.get(model._meta.model_name or "", {})
        rows = [rebuild_row(model, dict(zip(columns, states_by_pk[pk], strict=True))) for pk in sorted(states_by_pk)]
        if model is not Tournament:
            model._default_manager.bulk_create(rows, batch_size=BATCH)
        elif rows:
            # Updated, not made: it was made first, to be locked. Its revision counts the change that is still open.
            rows[0].save_base(raw=True, update_fields=[name for name in columns if name not in ("id", "revision")])


@contextmanager
def refuse_broken_rows(slug: str) -> Iterator[None]:
    """Turn what broken rows lead to into a refusal."""
    try:
        yield
    except OperationalError:  # a full disk, a database that is away: the rows are not to blame
        raise
    except BROKEN_JOURNAL_ERRORS as fault:
        why = str(fault) if isinstance(fault, DatabaseError) else f"{type(fault).__name__}: {fault}"
        raise JournalContradiction(slug=slug, why=why[:QUOTED_TEXT]) from fault
