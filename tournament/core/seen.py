"""An act from a page that showed an older state of what it would change is refused. Each director's page says which
revision it showed, and the journal holds what was written since. The refusal has a sentence for each entry that the act
would overwrite. Acts on different things do not get in each other's way."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.words.journal import describe_entry
from tournament.models import Division, Entry, JournalEntry, Round

JournalRowValues = Sequence[Any]
"""`[table, primary key, before, after]`: before is None for a new row, after for a deleted one."""

SeenThing = tuple[str, int, str]
"""Something that two acts may both write: table, primary key and field, or one of the wholes below."""

RESULTS_THING = "results"  # all results of a division, by its name; whatever follows from its table rests on them

WHOLE_TABLES = {
    "seat": ("draw", "round_id"),
    "duplicateseat": ("seats", "session_id"),
    "pairing": ("draw", "round_id"),
    "seed": ("seeding", "knockout_id"),
    "knockout": ("announced", "division_id"),
}
"""Tables whose rows are seen as one thing (a draft shows all its pairs): the thing's name and the column of its key."""

ONCE_ONLY_VERBS = frozenset(
    {"draft_round", "pair_rest_anew", "swap", "turn", "add_prize", "add_usual_prizes", "move_prize_up"}
)
"""Verbs that would do something else the second time, so a button pressed twice must be noticed."""

MAX_TOLD_ENTRIES = 5  # entries that are listed one by one


class ChangedMeanwhile(Refusal, code="changed_meanwhile"):
    message = _("Nothing was done, because this page was out of date. In the meantime: %(what)s. Check, then decide.")

    def __init__(self, entries: Sequence[JournalEntry]) -> None:
        sentences = [
            f"{timezone.localtime(entry.at).strftime('%H:%M')} {entry.by_name}: {describe_entry(entry)}"
            for entry in entries[-MAX_TOLD_ENTRIES:]
        ]
        super().__init__(what=" – ".join(["…", *sentences] if len(entries) > MAX_TOLD_ENTRIES else sentences))
        self.entries = entries


class SentTwice(Refusal, code="sent_twice"):
    message = _("This was already done at %(at)s; it was not done again.")


def refuse_unseen(
    since: QuerySet[JournalEntry],
    rows: Sequence[JournalRowValues],
    *,
    relied_on: Iterable[SeenThing] = (),
    by: tuple[int | None, str],
    verb: str,
    details: dict[str, Any],
) -> None:
    """Refuse an act if the entries `since` its page changed what it writes (`rows`) or rests on (`relied_on`). `by` is
    the user's primary key, None without an account, and the name shown. Raises `SentTwice` if the same person sent the
    same act before, else `ChangedMeanwhile`. One query."""
    # By way of JSON, as the stored details were: a tuple or a lazy text would differ from what it was written as.
    request_act = (*by, verb, json.loads(json.dumps(details, cls=DjangoJSONEncoder)))
    things = {*find_things_in_rows(rows), *relied_on}
    meanwhile = []
    for entry in since.order_by("number"):
        # A double click, or a phone that tries again after it has lost the answer: the second swap would undo the
        # first, and the second draw would replace a round that somebody has seen.
        if verb in ONCE_ONLY_VERBS and (entry.by_id, entry.by_name, entry.verb, entry.details) == request_act:
            raise SentTwice(at=timezone.localtime(entry.at).strftime("%H:%M:%S"))
        if not things.isdisjoint(find_changed_things(entry)):
            meanwhile.append(entry)
    if meanwhile:
        raise ChangedMeanwhile(meanwhile)


ENTRIES_THING: SeenThing = ("entered", 0, "")
"""Who has entered a tournament: an imported list is compared with them before it is taken over."""


def list_results_things(division: Division) -> tuple[SeenThing, SeenThing]:
    """All results of a division, and also those written by an undo, whose journal entry names no division."""
    return (RESULTS_THING, 0, division.name), (RESULTS_THING, 0, "")


def get_rounds_thing(division: Division) -> SeenThing:
    """Which rounds a division has, and their states."""
    return "rounds", division.pk, ""


def list_draw_things(rounds: QuerySet[Round]) -> list[SeenThing]:
    """Who plays whom in these rounds. One query."""
    return [("draw", pk, "") for pk in rounds.values_list("pk", flat=True)]


def list_presence_things(division: Division) -> list[SeenThing]:
    """Who in a division is checked in. One query."""
    return [("entry", pk, "present") for pk in Entry.objects.filter(division=division).values_list("pk", flat=True)]


def find_changed_things(entry: JournalEntry) -> Iterator[SeenThing]:
    """The things that a journal entry changed."""
    if any(table == "result" for table, *_rest in entry.rows):
        yield RESULTS_THING, 0, str(entry.details.get("division", ""))
    # Only who comes or goes: a club corrected meanwhile does not make an imported list out of date.
    if any(table == "entry" and (before is None or after is None) for table, _pk, before, after in entry.rows):
        yield ENTRIES_THING
    yield from find_things_in_rows(entry.rows)


def find_things_in_rows(rows: Sequence[JournalRowValues]) -> Iterator[SeenThing]:
    """The things that these journal rows are about."""
    for table, pk, before, after in rows:
        stored = after or before or {}
        # By their whole, not by their keys: a draft drawn anew has new rows, and a swap on the old ones would touch
        # none of them.
        if table in WHOLE_TABLES:
            whole_table, column = WHOLE_TABLES[table]
            yield whole_table, stored[column], ""
        elif table == "round":  # its draw; and its division's rounds, if it comes, goes or changes its state
            yield "draw", pk, ""
            if stored["stage"] is None and "state" in _find_changed_fields(before, after):
                yield "rounds", stored["division_id"], ""
        else:
            yield from ((table, pk, field) for field in _find_changed_fields(before, after))


def _find_changed_fields(before: dict[str, Any] | None, after: dict[str, Any] | None) -> set[str]:
    """The fields that differ; all fields of a new or deleted row."""
    return {field for field in (after or before or {}) if (before or {}).get(field) != (after or {}).get(field)}
