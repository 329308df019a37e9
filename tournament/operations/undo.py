"""Undo: take one change back, as a change of its own. The journal keeps both."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, connection, models
from django.utils.translation import gettext_lazy as _

from tournament import records
from tournament.models import (
    Club,
    Entry,
    JournalEntry,
    Knockout,
    Pairing,
    Player,
    Result,
    Round,
    Seat,
    Tournament,
)
from tournament.operations import knockout_games, reopening
from tournament.operations.change import Actor, Change, change, completed, snapshot
from tournament.queries import league
from tournament.refusals import Refusal

UNDOABLE = set(
    {
        "record_result",
        "withdraw_result",
        "close_round",
        "reopen_round",
        "swap",
        "pair_by_hand",
        "turn",
        "lock",
        "unlock",
        "pair_rest_anew",
        "discard_draft",
        "withdraw",
        "withdraw_absentees",
        "bring_back",
        "set_absence",
        "remove_absence",
        "leave_out_absentees",
        "settle_absentees",
        "check_in",
        "mark_fees",
        "edit_entry",
        "remove_entry",
        "move_entry",
        "keep_apart",
        "allow_to_meet",
        "settle_by_lot",
        "discard_lot",
        "announce_knockout",
        "cancel_knockout",
        "confirm_seeds",
        "take_back_seeds",
        "say_not_recorded",
        "take_back_not_recorded",
        "draw_match_lot",
        "discard_match_lot",
        "update_settings",
        "set_plan",
        "add_prize",
        "add_usual_prizes",
        "edit_prize",
        "remove_prize",
        "move_prize_up",
        "publish_prizes",
        "set_certificate",
        "tell_turning_point",
        "end_tournament",
        "reopen_tournament",
        "add_screen",
        "set_up_screen",
        "remove_screen",
        "say_to_hall",
        "stream_table",
        "end_stream",
        "show_round",
        "hold_back",
        "show_as_usual",
        "undo",
        "redo",
    }
)
"""The verbs that can be taken back. A round that was published is taken back by `rounds.unpublish_round`."""

STATES = frozenset({"close_round", "reopen_round"})
"""Verbs about nothing but the state of a round."""

STILL_FITS: dict[str, Callable[[JournalEntry], bool]] = {}
"""Whether an entry can still be taken back although the rows are as it left them, by the verb it is about in the end.
An app above adds its own."""

DRAFT_EDITS = frozenset({"swap", "pair_by_hand", "turn", "lock", "unlock", "pair_rest_anew"})
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


def undo(entry: JournalEntry, *, actor: Actor) -> None:
    """Restore the rows as they were before a journal entry, if nothing has changed them since.

    What was taken back is restored by taking its own entry back (`redo`). A result stays on record but is no longer
    official, unless its pairing is deleted too; a closed round that lacks it then is open again; players and clubs stay
    in the register. Raises `NotUndoable`, `ChangedSince` (also if later rounds or rows contradict the old state),
    `GamesOpen` for a round that cannot be closed again, or `UndoDisturbs` if games of the knock-out played since would
    no longer count.
    """
    if entry.tournament is None or entry.verb not in UNDOABLE:
        raise NotUndoable(verb=entry.verb)
    about = {"number": entry.number, "undone": entry.verb, "root": root_verb(entry)}
    try:
        with change(entry.tournament, actor=actor, verb=verb_of_taking_back(entry), **about) as log:
            if root_verb(entry) in DRAFT_EDITS and _is_published(entry):
                raise ChangedSince(number=entry.number)
            if not STILL_FITS.get(root_verb(entry), _always)(entry):
                raise ChangedSince(number=entry.number)
            for table, pk, before, after in reversed(entry.rows):
                _put_back(log, entry, records.model_of(table), pk, before, after)
            _require_what_rows_refer_to(entry)
            knockout_games.settle_all(log, log.tournament)
            if root_verb(entry) in STATES:
                reopening.require_complete(log)
            reopening.reopen_incomplete(log)
    except knockout_games.DisturbsLater as disturbs:
        raise UndoDisturbs(number=entry.number, games=disturbs.figures["games"]) from disturbs
    except IntegrityError as error:  # Another row has taken its place since: a new draft, a new official result.
        raise ChangedSince(number=entry.number) from error


def _always(_entry: JournalEntry) -> bool:
    return True


def _require_what_rows_refer_to(entry: JournalEntry) -> None:
    """Raise IntegrityError at once if a restored row refers to one that is gone: a seed without its knock-out.

    The database itself looks only when the change is kept, and so never where it is merely tried.
    """
    tables = {records.model_of(table)._meta.db_table for table, _pk, _before, _after in entry.rows}
    connection.check_constraints(table_names=sorted(tables))


def verb_of_taking_back(entry: JournalEntry) -> str:
    """The verb under which an entry is taken back: `redo` for one that has taken another back, as that restores it."""
    return "redo" if entry.verb == "undo" else "undo"


def root_verb(entry: JournalEntry) -> str:
    """The verb that an entry is about in the end: that of the first one in a row of undoing and redoing."""
    return str(entry.details.get("root", entry.verb))


def taken_back(tournament: Tournament) -> dict[int, int]:
    """The entries that are taken back at present, each with the number of the entry that did it. One query."""
    found = JournalEntry.objects.filter(tournament=tournament, verb__in=("undo", "redo")).order_by("-number")
    standing: dict[int, int] = {}
    for number, details in found.values_list("number", "details"):
        if number not in standing:
            standing.setdefault(details["number"], number)
    return standing


def _is_published(entry: JournalEntry) -> bool:
    """Whether the round of the pairings that an entry wrote is no longer a draft."""
    rounds = {(before or after)["round_id"] for table, _pk, before, after in entry.rows if table == "pairing"}
    return Round.objects.filter(pk__in=rounds).public().exists()


def _put_back(
    log: Change,
    entry: JournalEntry,
    model: type[models.Model],
    pk: int,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    row = model._default_manager.filter(pk=pk).first()
    stands, expected = (
        (None if row is None else comparable(snapshot(row))),
        (None if after is None else comparable(completed(model, after))),
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
        made = log.create(restored(model, before))
        if isinstance(made, Round) and not made.is_knockout and _out_of_order(made):
            raise ChangedSince(number=entry.number)
    elif row is not None and before is not None:
        log.save(row, **{name: value for name, value in parsed(model, before).items() if name not in UNTOUCHED})
    if isinstance(row, Entry) and before is not None and _contradicted(row):
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
    knockout_games.clear_pairings(log, [pairing])


def _out_of_order(round: Round) -> bool:
    """Whether a restored round would not be the next one, or would come after the seeding of a knock-out."""
    seeded = Knockout.objects.filter(division=round.division_id, seeds__isnull=False).exists()
    return seeded or round.number != league.last_round(round.division) + 1


def _contradicted(entry: Entry) -> bool:
    """Whether a restored entry is seated in another division's round, or in one after it was withdrawn."""
    seats = Seat.objects.filter(entry=entry)
    if seats.exclude(round__division=entry.division_id).exists():
        return True
    after = entry.withdrawn_after
    later = seats.filter(round__stage=None).exclude(round__state=Round.State.DRAFT)
    later = later.exclude(pairing__kind=Pairing.Kind.ABSENT)
    return after is not None and later.filter(round__number__gt=after).exists()


UNTOUCHED = ("id", "revision")
"""Columns that undo leaves alone: they do not say what somebody decided."""


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    """A row's snapshot without the figures that every change raises."""
    return {name: value for name, value in row.items() if name != "revision"}


def parsed(model: type[models.Model], row: dict[str, Any]) -> dict[str, Any]:
    """A snapshot's JSON values as the model's fields hold them."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in row.items() if name in fields}


def restored(model: type[models.Model], row: dict[str, Any]) -> models.Model:
    """A deleted row as it was, under its old key; columns that the table has got since are at their defaults."""
    fields, values = model._meta.concrete_fields, completed(model, row)
    return model(*[field.to_python(values[field.attname]) for field in fields])  # in order: Django is quicker with that
