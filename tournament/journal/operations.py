"""Undo: take one change back, as a change of its own. The journal keeps both."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, connection, models
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change, complete_snapshot, take_snapshot
from tournament.core.records import get_journal_model
from tournament.core.words.journal import UNDOABLE_VERBS
from tournament.models import Club, Entry, JournalEntry, Knockout, Pairing, Player, Result, Round, Seat, Tournament
from tournament.results.knockout_games import LaterGamesDisturbed, delete_rows_of_pairings, update_all_knockouts
from tournament.results.operations import check_rounds_complete, reopen_incomplete_rounds
from tournament.table.league import get_last_round_number

ROUND_STATE_VERBS = frozenset({"close_round", "reopen_round"})
"""Verbs about nothing but the state of a round."""

UNDO_CHECKS: dict[str, Callable[[JournalEntry], bool]] = {}
"""Whether an entry can still be taken back although the rows are as it left them, by the verb it is about in the end.
An app above adds its own."""

DRAFT_EDIT_VERBS = frozenset({"swap", "pair_by_hand", "turn", "lock", "unlock", "pair_rest_anew"})
"""Verbs that are taken back only as long as their round is a draft: what players have read stays."""


class NotUndoable(Refusal):
    code = "not_undoable"
    message = _("“%(verb)s” cannot be taken back.")


class ChangedSince(Refusal):
    code = "changed_since"
    message = _("Entry %(number)s cannot be taken back: what it wrote has been changed since.")


class UndoDisturbs(Refusal):
    code = "undo_disturbs"
    message = _(
        "Entry %(number)s cannot be taken back, since games of the knock-out would no longer count: %(games)s. "
        "Correct the result itself if that is meant."
    )


def undo_journal_entry(entry: JournalEntry, *, actor: Actor) -> None:
    """Restore the rows as they were before a journal entry, if nothing has changed them since.

    What was taken back is restored by taking its own entry back (`redo`). A result stays on record but is no longer
    official, unless its pairing is deleted too; a closed round that lacks it then is open again; players and clubs stay
    in the register. Raises `NotUndoable`, `ChangedSince` (also if later rounds or rows contradict the old state),
    `GamesOpen` for a round that cannot be closed again, or `UndoDisturbs` if games of the knock-out played since would
    no longer count.
    """
    if entry.tournament is None or entry.verb not in UNDOABLE_VERBS:
        raise NotUndoable(verb=entry.verb)
    about = {"number": entry.number, "undone": entry.verb, "root": get_root_verb(entry)}
    try:
        with change(entry.tournament, actor=actor, verb=get_undo_verb(entry), **about) as log:
            if get_root_verb(entry) in DRAFT_EDIT_VERBS and _is_round_published(entry):
                raise ChangedSince(number=entry.number)
            if not UNDO_CHECKS.get(get_root_verb(entry), _is_always_undoable)(entry):
                raise ChangedSince(number=entry.number)
            for table, pk, before, after in reversed(entry.rows):
                _restore_row(log, entry, get_journal_model(table), pk, before, after)
            _require_referenced_rows(entry)
            update_all_knockouts(log, log.tournament)
            if get_root_verb(entry) in ROUND_STATE_VERBS:
                check_rounds_complete(log)
            reopen_incomplete_rounds(log)
    except LaterGamesDisturbed as disturbs:
        raise UndoDisturbs(number=entry.number, games=disturbs.figures["games"]) from disturbs
    except IntegrityError as error:  # Another row has taken its place since: a new draft, a new official result.
        raise ChangedSince(number=entry.number) from error


def _is_always_undoable(_entry: JournalEntry) -> bool:
    return True


def _require_referenced_rows(entry: JournalEntry) -> None:
    """Raise IntegrityError at once if a restored row refers to one that is gone: a seed without its knock-out.

    The database itself looks only when the change is kept, and so never where it is merely tried.
    """
    tables = {get_journal_model(table)._meta.db_table for table, _pk, _before, _after in entry.rows}
    connection.check_constraints(table_names=sorted(tables))


def get_undo_verb(entry: JournalEntry) -> str:
    """The verb under which an entry is taken back: `redo` for one that has taken another back, as that restores it."""
    return "redo" if entry.verb == "undo" else "undo"


def get_root_verb(entry: JournalEntry) -> str:
    """The verb that an entry is about in the end: that of the first one in a row of undoing and redoing."""
    return str(entry.details.get("root", entry.verb))


def find_undone_entries(tournament: Tournament) -> dict[int, int]:
    """The entries that are taken back at present, each with the number of the entry that did it. One query."""
    found = JournalEntry.objects.filter(tournament=tournament, verb__in=("undo", "redo")).order_by("-number")
    standing: dict[int, int] = {}
    for number, details in found.values_list("number", "details"):
        if number not in standing:
            standing.setdefault(details["number"], number)
    return standing


def _is_round_published(entry: JournalEntry) -> bool:
    """Whether the round of the pairings that an entry wrote is no longer a draft."""
    rounds = {(before or after)["round_id"] for table, _pk, before, after in entry.rows if table == "pairing"}
    return Round.objects.filter(pk__in=rounds).public().exists()


def _restore_row(
    log: Change,
    entry: JournalEntry,
    model: type[models.Model],
    pk: int,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    row = model._default_manager.filter(pk=pk).first()
    stands, expected = (
        (None if row is None else remove_revision(take_snapshot(row))),
        (None if after is None else remove_revision(complete_snapshot(model, after))),
    )
    if stands != expected or (isinstance(row, Knockout) and row.seeds.exists()):
        raise ChangedSince(number=entry.number)
    if before is None and isinstance(row, Result):
        log.save(row, official=False)
    elif before is None and row is not None and _serves_others(row):
        return
    elif before is None and row is not None:
        if isinstance(row, Pairing):
            _clear_pairing(log, entry, row)
        log.delete(row)
    elif row is None and before is not None:
        made = log.create(rebuild_row(model, before))
        if isinstance(made, Round) and not made.is_knockout and _is_out_of_order(made):
            raise ChangedSince(number=entry.number)
    elif row is not None and before is not None:
        log.save(
            row,
            **{name: value for name, value in parse_snapshot(model, before).items() if name not in UNTOUCHED_COLUMNS},
        )
    if isinstance(row, Entry) and before is not None and _is_contradicted(row):
        raise ChangedSince(number=entry.number)


def _serves_others(row: models.Model) -> bool:
    """Whether a row stays although the entry that made it is undone, since others may refer to it by now.

    The register keeps everybody it knows, and a round of the knock-out the games of other matches.
    """
    return isinstance(row, Club | Player) or (isinstance(row, Round) and row.is_knockout and row.pairings.exists())


def _clear_pairing(log: Change, entry: JournalEntry, pairing: Pairing) -> None:
    """Delete what belongs to a pairing that is to be deleted; refuse if its game has been played since."""
    if pairing.round.is_knockout and pairing.results.filter(official=True).exists():
        raise ChangedSince(number=entry.number)
    delete_rows_of_pairings(log, [pairing])


def _is_out_of_order(round: Round) -> bool:
    """Whether a restored round would not be the next one, or would come after the seeding of a knock-out."""
    seeded = Knockout.objects.filter(division=round.division_id, seeds__isnull=False).exists()
    return seeded or round.number != get_last_round_number(round.division) + 1


def _is_contradicted(entry: Entry) -> bool:
    """Whether a restored entry is seated in another division's round, or in one after it was withdrawn."""
    seats = Seat.objects.filter(entry=entry)
    if seats.exclude(round__division=entry.division_id).exists():
        return True
    after = entry.withdrawn_after
    later = seats.filter(round__stage=None).exclude(round__state=Round.State.DRAFT)
    later = later.exclude(pairing__kind=Pairing.Kind.ABSENT)
    return after is not None and later.filter(round__number__gt=after).exists()


UNTOUCHED_COLUMNS = ("id", "revision")
"""Columns that undo leaves alone: they do not say what somebody decided."""


def remove_revision(row: dict[str, Any]) -> dict[str, Any]:
    """A row's snapshot without the figures that every change raises."""
    return {name: value for name, value in row.items() if name != "revision"}


def parse_snapshot(model: type[models.Model], row: dict[str, Any]) -> dict[str, Any]:
    """A snapshot's JSON values as the model's fields hold them."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in row.items() if name in fields}


def rebuild_row(model: type[models.Model], row: dict[str, Any]) -> models.Model:
    """A deleted row as it was, under its old key; columns that the table has got since are at their defaults."""
    fields, values = model._meta.concrete_fields, complete_snapshot(model, row)
    return model(*[field.to_python(values[field.attname]) for field in fields])  # in order: Django is quicker with that
