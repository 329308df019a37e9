"""Undo: take one change back, as a change of its own. The journal keeps both."""

from typing import Any

from django.db import IntegrityError, connection, models
from django.utils.translation import gettext_lazy as _

from games.sessions.undoing import SESSION_UNDO_CHECKS
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change, complete_snapshot, take_snapshot
from tournament.core.records import get_journal_model, has_game_records
from tournament.core.words.journal import UNDOABLE_VERBS
from tournament.entries.operations.attendance import find_earliest_leave
from tournament.models import Club, Entry, JournalEntry, Knockout, Pairing, Player, Result, Round, Seat, Tournament
from tournament.results.knockout_games import LaterGamesDisturbed, delete_rows_of_pairings, update_all_knockouts
from tournament.results.operations import check_rounds_complete, reopen_incomplete_rounds
from tournament.table.league import get_last_round_number

ROUND_STATE_VERBS = frozenset({"close_round", "reopen_round"})  # verbs about nothing but the state of a round
UNTOUCHED_COLUMNS = ("id", "revision")  # columns that undo leaves alone: they do not hold what somebody decided

DRAFT_EDIT_VERBS = frozenset({"swap", "pair_by_hand", "turn", "lock", "unlock", "pair_rest_anew"})
"""Verbs that are taken back only while their round is a draft: what players have read stays."""


class NotUndoable(Refusal, code="not_undoable"):
    message = _("This entry cannot be taken back.")


class ChangedSince(Refusal, code="changed_since"):
    message = _("Entry %(number)s cannot be taken back: its data have been changed since.")


class UndoDisturbs(Refusal, code="undo_disturbs"):
    message = _(
        "Entry %(number)s cannot be taken back, because games of the knock-out would no longer count: %(games)s. "
        "Correct the result itself if that is what you want."
    )


def undo_journal_entry(entry: JournalEntry, *, actor: Actor) -> None:
    """Restore the rows as they were before a journal entry, if nothing has changed them since. What was taken back is
    restored by taking back the entry that did it (`redo`). A result stays on record but is no longer official, unless
    its pairing is deleted too; a closed round that then lacks it is open again; players and clubs stay in the register.
    Raises `NotUndoable`, `ChangedSince` (also if later rounds or rows contradict the old state), `GamesOpen` for a
    round that cannot be closed again, or `UndoDisturbs` if games of the knock-out would no longer count."""
    if entry.tournament is None or entry.verb not in UNDOABLE_VERBS:
        raise NotUndoable(verb=entry.verb)
    # Of an undo that is taken back the verb says nothing: what may be done depends on the act at the beginning of the
    # chain, which each entry carries on.
    root = str(entry.details.get("root", entry.verb))  # the verb of the first entry in a chain of undo and redo
    about = {"number": entry.number, "undone": entry.verb, "root": root}
    verb = "redo" if entry.verb == "undo" else "undo"
    try:
        with change(entry.tournament, actor=actor, verb=verb, **about) as log:
            is_published = root in DRAFT_EDIT_VERBS and _is_round_published(entry)
            if is_published or (root in SESSION_UNDO_CHECKS and not SESSION_UNDO_CHECKS[root](entry)):
                raise ChangedSince(number=entry.number)
            # Backwards: a pairing cannot go while its seats refer to it, and comes back before them.
            for table, pk, before, after in reversed(entry.rows):
                _restore_row(log, entry, get_journal_model(table), pk, before, after)
            # The database looks for rows that are referred to (a seed's knock-out) only when the change is committed,
            # and so never if it is merely tried. This raises IntegrityError at once.
            tables = {get_journal_model(table)._meta.db_table for table, _pk, _before, _after in entry.rows}
            connection.check_constraints(table_names=sorted(tables))
            update_all_knockouts(log, log.tournament)
            if root in ROUND_STATE_VERBS:
                check_rounds_complete(log)
            reopen_incomplete_rounds(log)
    except LaterGamesDisturbed as disturbs:
        raise UndoDisturbs(number=entry.number, games=disturbs.figures["games"]) from disturbs
    except IntegrityError as error:  # Another row has taken its place since: a new draft, a new official result.
        raise ChangedSince(number=entry.number) from error


def find_undone_entries(tournament: Tournament) -> dict[int, int]:
    """The entries that are taken back at present, each with the number of the entry that did it. One query."""
    journal_entries = JournalEntry.objects.filter(tournament=tournament, verb__in=("undo", "redo")).order_by("-number")
    undone: dict[int, int] = {}
    for number, details in journal_entries.values_list("number", "details"):
        if number not in undone:  # newest first: an undo that was itself taken back does not count
            undone.setdefault(details["number"], number)
    return undone


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
    """Put one row back. Raises `ChangedSince` if it is not as the entry left it."""
    row = model._default_manager.filter(pk=pk).first()
    stands = None if row is None else remove_revision(take_snapshot(row))
    expected = None if after is None else remove_revision(complete_snapshot(model, after))
    # Once seeded, a knock-out is played by what was announced of it: the seeding has to be taken back first.
    if stands != expected or (isinstance(row, Knockout) and row.seeds.exists()):
        raise ChangedSince(number=entry.number)
    # A version that somebody has seen stays: the slip that says 412 and the journal that says 421 are both asked for
    # later.
    if before is None and isinstance(row, Result):
        log.save(row, official=False)
    elif before is None and row is not None:
        _delete_row(log, entry, row)
    elif row is None and before is not None:
        restored_row = log.create(rebuild_row(model, before))
        if isinstance(restored_row, Round) and not restored_row.is_knockout and _is_out_of_order(restored_row):
            raise ChangedSince(number=entry.number)
        # Two rows of the register have become one person since. The entry brought back would belong to the one that
        # nobody sees.
        if isinstance(restored_row, Entry) and restored_row.player.merged_into_id is not None:
            raise ChangedSince(number=entry.number)
    elif row is not None and before is not None:
        fields = {field.attname: field for field in model._meta.concrete_fields if field.attname in before}
        columns = {name: field.to_python(before[name]) for name, field in fields.items()}
        log.save(row, **{name: value for name, value in columns.items() if name not in UNTOUCHED_COLUMNS})
    if isinstance(row, Entry) and before is not None and _is_contradicted(row):
        raise ChangedSince(number=entry.number)


def _delete_row(log: Change, entry: JournalEntry, row: models.Model) -> None:
    """Delete a row that the entry made, unless others may refer to it by now: the register keeps everybody it knows,
    and a round of the knock-out the games of other matches."""
    if isinstance(row, Club | Player) or (isinstance(row, Round) and row.is_knockout and row.pairings.exists()):
        return
    if isinstance(row, Entry) and _has_rows(row):
        raise ChangedSince(number=entry.number)
    if isinstance(row, Pairing):
        if row.round.is_knockout and row.results.filter(official=True).exists():  # played since
            raise ChangedSince(number=entry.number)
        # Rounds that were published all at once go as drafts do: not with what was written of their games since.
        if has_game_records(row.round) or row.results.exclude(how=Result.How.PAIRING).exists():
            raise ChangedSince(number=entry.number)
        delete_rows_of_pairings(log, [row])
    log.delete(row)


def _has_rows(entry: Entry) -> bool:
    """Whether any row refers to an entry: it plays, misses a round, is kept apart, registered online, wins a prize."""
    # Hidden ones as well: a relation without a name on this side still refers to the entry.
    fields = entry._meta.get_fields(include_hidden=True)
    referring = [field.field for field in fields if isinstance(field, models.ForeignObjectRel)]
    return any(relation.model._default_manager.filter(**{relation.name: entry.pk}).exists() for relation in referring)


def _is_out_of_order(round: Round) -> bool:
    """Whether a restored round would not be the next one, or would follow the seeding of a knock-out."""
    seeded = Knockout.objects.filter(division=round.division_id, seeds__isnull=False).exists()
    return seeded or round.number != get_last_round_number(round.division) + 1


def _is_contradicted(entry: Entry) -> bool:
    """Whether a restored entry is seated in another division's round, or plays in one after it was withdrawn."""
    if Seat.objects.filter(entry=entry).exclude(round__division=entry.division_id).exists():
        return True
    # That somebody who has left sits in a later round is no contradiction by itself: a league publishes all rounds at
    # once, and those games count for the opponents. Only one that they still play is.
    return entry.withdrawn_after is not None and find_earliest_leave(entry) > entry.withdrawn_after


def remove_revision(row: dict[str, Any]) -> dict[str, Any]:
    """A row's snapshot without the number that every change raises."""
    return {name: value for name, value in row.items() if name != "revision"}


def rebuild_row(model: type[models.Model], row: dict[str, Any]) -> models.Model:
    """A deleted row as it was, under its old key; columns that the table has got since are at their defaults."""
    fields, values = model._meta.concrete_fields, complete_snapshot(model, row)
    return model(*[field.to_python(values[field.attname]) for field in fields])  # in order: Django is quicker with that
