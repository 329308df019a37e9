"""Two entries of the register that are one person: merged, and parted again. The row that goes is kept, out of sight:
journals name it, and its spelling of the name still finds the person. What a merge did is read from the journals, so
that it can be taken back after an event was rebuilt, too."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import (
    Actor,
    ChangeLog,
    change,
    complete_snapshot,
    lock_tournaments,
    open_register_change,
    take_snapshot,
)
from tournament.core.records import get_journal_model
from tournament.entries.operations.register import build_name_columns, delete_player, note_other_people
from tournament.models import Entry, JournalEntry, Organiser, Player, PlayerNumber, SamePerson, Tournament

MERGED_FIELDS = ("name", "club", "rating", "games", "email", "phone")
"""What two entries of the register can say differently of one person."""


class BothEntered(Refusal, code="both_entered"):
    message = _(
        "%(one)s and %(other)s are both entered in %(event)s, so they are two people. If one of the two entries there "
        "is a mistake, take it back first."
    )


def find_merge_problem(kept: Player, other: Player) -> Refusal | None:
    """Why two players cannot be one person; None if they can. Two queries."""
    both = (kept, other)
    if kept.pk == other.pk or kept.organiser_id != other.organiser_id or any(player.merged_into_id for player in both):
        return Refusal("not_two_players", _("Choose two different players of one register."), field="other")
    names = {"one": kept.called, "other": other.called}
    # Two filters, not one: each joins the entries anew. In one, a single entry would have to be of both players, and no
    # event would ever be found.
    shared = Tournament.objects.filter(entries__player=kept).filter(entries__player=other).order_by("pk").first()
    if shared is not None:
        return BothEntered(**names, event=shared.name)
    apart = list_decisions_of_both(kept, other).filter(is_same=False).exclude(season=None)
    decision = apart.select_related("season").order_by("pk").first()
    return (
        Refusal(
            "said_to_be_two",
            _(
                "In the season %(season)s it was decided that %(one)s and %(other)s are two people. Take that "
                "back there first."
            ),
            **names,
            season=decision.season.name,
        )
        if decision and decision.season
        else None
    )


def list_decisions_of_both(one: Player, other: Player) -> models.QuerySet[SamePerson]:
    """What was decided of whether two players are one person, in seasons and (without one) in the register."""
    return SamePerson.objects.filter(Q(one=one, other=other) | Q(one=other, other=one)).order_by("pk")


def merge_players(kept: Player, *, other: Player, taken: Collection[str] = (), actor: Actor) -> Player:
    """Make two players one: entries of `other` become those of `kept`, who gets the fields named in `taken` from
    `other`, and whatever is stated there alone. Returns the player that is left. Nothing happens the second time.
    Raises `BothEntered`, `said_to_be_two` or `not_two_players`."""
    with transaction.atomic():
        # The number that the register's own entry will have: what the events note of the merge names it, so that all of
        # it is found when it is taken back.
        number = _lock(kept) + 1
        kept, other = _load(kept), _load(other)
        if other.merged_into_id == kept.pk:
            return kept
        if problem := find_merge_problem(kept, other):
            raise problem
        values = choose_values(kept, other, taken)
        if other.hides_profile and not kept.hides_profile:
            values["hides_profile"] = True  # whoever objects does so under each spelling
        name = values.get("name", kept.name)
        names = {"names": [other.name, name]}
        values |= build_name_columns(name)
        # Before the entries are moved: so each event is changed once, by the new name or by the new player.
        _rename(kept, values, actor=actor)
        for entry in _list_entries(other):
            with change(entry.tournament, actor=actor, verb="merge_players", merge=number, **names) as log:
                log.save(entry, player=kept)
        about = {**names, "kept": kept.pk, "joined": other.pk}
        with open_register_change(kept.organiser, actor=actor, verb="merge_players", **about) as log:
            # Whoever was merged into the other one before goes along, so that every row names the player of today in
            # one step.
            for row in (other, *Player.objects.filter(merged_into=other).order_by("pk")):
                log.save(row, merged_into=kept)
            log.save(kept, **values)
            log.delete_all(list(list_decisions_of_both(kept, other).filter(season=None)))  # the latest word counts
            _move_decisions(log, kept, other)
            _move_numbers(log, kept, other)
    return kept


def part_players(other: Player, *, actor: Actor) -> Player:
    """Take a merge back: `other` is a player again, with the entries they brought along; the other player's figures
    are as before where nobody has changed them since, and the two are remembered as two people. A spelling that was
    merely noted is gone; the player whose it was is returned. Nothing happens the second time. Raises `merged_further`
    if what they were merged into was itself merged."""
    with transaction.atomic():
        if (survivor := other.merged_into) is None:
            return other
        _lock(survivor)
        other = _load(other)
        # Asked again under the lock: somebody may have parted the two meanwhile.
        if (survivor := other.merged_into) is None:
            return other
        merges = JournalEntry.objects.filter(
            organiser=other.organiser_id, verb="merge_players", details__joined=other.pk
        )
        merge = merges.order_by("-number").first()
        if merge is None:  # no player of the register ever, but a spelling that was noted
            about = {"names": [other.name, survivor.name]}
            with open_register_change(survivor.organiser, actor=actor, verb="part_players", **about) as log:
                delete_player(other, log=log)
            return survivor
        if merge.details["kept"] != survivor.pk:
            into = Player.objects.get(pk=merge.details["kept"])
            raise Refusal(
                "merged_further",
                _("%(name)s has been merged with %(other)s since. Take that back first."),
                name=into.name,
                other=survivor.name,
            )
        names = {"names": [other.name, survivor.name]}
        for entry in Entry.objects.filter(pk__in=_list_moved_entries(merge), player=survivor).order_by(
            "tournament", "pk"
        ):
            with change(entry.tournament, actor=actor, verb="part_players", **names) as log:
                log.save(entry, player=other)
        for table, pk, before, after in merge.rows:
            # Only if the name is still that of the merge: one that was typed since stays.
            if (table, pk) == ("player", survivor.pk) and survivor.name == after["name"]:
                _rename(survivor, build_name_columns(before["name"]), actor=actor)
        with open_register_change(survivor.organiser, actor=actor, verb="part_players", **names) as log:
            for table, pk, before, after in reversed(merge.rows):
                _restore(log, get_journal_model(table), pk, before, after)
            note_other_people(_load(other), [survivor], log=log)
    return _load(other)


def choose_values(kept: Player, other: Player, taken: Collection[str] = ()) -> dict[str, Any]:
    """The columns of `kept` that a merge changes: those of `taken`, and what only `other` states."""
    values = {}
    for name in MERGED_FIELDS:
        own, others = getattr(kept, name), getattr(other, name)
        # No rating and no games so far are nothing stated: a 0 must not win over a figure, even where that row is
        # taken.
        if own != others and others not in (None, "", 0) and (name in taken or own in (None, "", 0)):
            values[name] = others
    return values


def _lock(kept: Player) -> int:
    """Lock all events, so that nobody enters the other one meanwhile, then the register; return its revision."""
    lock_tournaments(Tournament.objects.filter(organiser=kept.organiser_id))
    # `no_key`: otherwise PostgreSQL lets nobody insert a row that refers to the organiser meanwhile.
    return Organiser.objects.select_for_update(no_key=True).get(pk=kept.organiser_id).revision


def _load(player: Player) -> Player:
    return Player.objects.select_related("club", "organiser", "merged_into").get(pk=player.pk)


def _list_entries(player: Player) -> models.QuerySet[Entry]:
    return Entry.objects.filter(player=player).select_related("tournament").order_by("tournament", "pk")


def _list_moved_entries(merge: JournalEntry) -> list[int]:
    """The entries that a merge moved, under the keys that they have now."""
    journal_entries = JournalEntry.objects.filter(tournament__organiser=merge.organiser, verb="merge_players")
    joined = merge.details["joined"]
    return [
        pk
        for rows in journal_entries.filter(details__merge=merge.number).values_list("rows", flat=True)
        for table, pk, before, _after in rows
        if table == "entry" and before and before["player_id"] == joined
    ]


def _rename(kept: Player, values: Mapping[str, Any], *, actor: Actor) -> None:
    """Write a new name through every event that shows it, so that each has a new revision. `values` are all that is
    written: each journal has the same row before and after, the register's too. When only the name went through the
    events, the register's entry did not find the row that theirs had left, and all journals seemed to be broken."""
    name = values["name"]
    entries = list(_list_entries(kept)) if name != kept.name else []
    # An object for each event: `save` notes a row before and after, and in one that has the new name already nothing
    # changes.
    copies = [_load(kept) for _ in entries]
    for entry, copy in zip(entries, copies, strict=True):
        with change(entry.tournament, actor=actor, verb="rename_player", name=name, was=kept.name) as log:
            log.save(copy, **values)


def _move_decisions(log: ChangeLog, kept: Player, other: Player) -> None:
    """Who is one person in a season: what was decided of `other` holds for `kept`, where nothing is decided yet. The
    rest stays, and counts again if the merge is taken back."""
    for decision in SamePerson.objects.filter(Q(one=other) | Q(other=other)).order_by("pk"):
        third = decision.other_id if decision.one_id == other.pk else decision.one_id
        one, second = sorted((kept.pk, third))
        decisions = SamePerson.objects.filter(season=decision.season_id, one=one, other=second)
        if third != kept.pk and not decisions.exists():
            log.save(decision, one_id=one, other_id=second)


def _move_numbers(log: ChangeLog, kept: Player, other: Player) -> None:
    """A federation's number that only `other` has becomes that of `kept`, and so does a true one instead of a
    provisional one; any further number stays with the row that goes, and still finds the person."""
    own = {number.key[0]: number for number in PlayerNumber.objects.filter(player=kept)}
    for number in PlayerNumber.objects.filter(player=other).order_by("pk"):
        own_number = own.get(number.key[0])
        if own_number is not None and own_number.is_provisional and not number.is_provisional:
            # Exchanged, not deleted: when the merge is taken back both go where they were.
            log.save(own_number, player=other)
            own_number = None
        if own_number is None:
            log.save(number, player=kept)


def _restore(log: ChangeLog, model: type[models.Model], pk: int, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Put one row back as it was before the merge: a player column by column, any other row only as a whole."""
    row = model._default_manager.filter(pk=pk).first()
    # A decision that the merge deleted stays gone: the two are noted as two people all the same.
    if row is None:
        return
    stands, state_after = take_snapshot(row), complete_snapshot(model, after)
    if isinstance(row, Player) or stands == state_after:
        fields = {field.attname: field for field in model._meta.concrete_fields}
        # A column goes back where the merge changed it and nobody has since: `before` is not what the merge left, and
        # that still stands.
        changed = [name for name, value in before.items() if value != state_after[name] == stands[name]]
        log.save(row, **{name: fields[name].to_python(before[name]) for name in changed})
