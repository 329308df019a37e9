"""What taking an entry of the journal back would change.

It is tried within a transaction that is rolled back, so that what is told is what would happen; nothing stays of it.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from scoring import standings
from tournament import records
from tournament.models import Club, Division, Entry, JournalEntry, Pairing, Result, Round, Tournament
from tournament.operations import undo as undoing
from tournament.operations.change import Actor, JournalRow
from tournament.queries import league, open_rounds
from tournament.queries.open_rounds import OpenRound
from tournament.refusals import Refusal
from tournament.reports import Report
from tournament.whatif import consequences
from tournament.whatif.consequences import Consequences, RankChange
from tournament.words import round_names
from tournament.words import undoing as words

SHOWN = 15
"""So many changed rows are told one by one."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What taking an entry back would do, or the `refusal` that says why it cannot be.

    `consequences` are those of its results for ranks, later rounds and the knock-out (None: no rank changes by it),
    `open_again` the rounds that would lack a result then, `rows` sentences about everything else. `since` are rounds
    published after the entry, which stay as they are.
    """

    refusal: Refusal | None = None
    consequences: Consequences | None = None
    open_again: tuple[OpenRound, ...] = ()
    rows: tuple[str, ...] = ()
    since: tuple[Round, ...] = ()

    @property
    def seen(self) -> str:
        """A short text that stands for what the page shows: if it would show something else, it asks again."""
        shown = (
            str(self.refusal),
            repr(self.consequences),
            self.open_again,
            self.rows,
            [each.pk for each in self.since],
        )
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


Pairs = dict[tuple[int, str], str]
"""The pairs of drafts in words, by the round's id and the place in it."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """What stands at one moment: tables, open rounds, pairs of drafts, and the official results of some pairings.

    `rows` are those that the last entry of the journal wrote.
    """

    tables: dict[int, league.Table]
    open: tuple[OpenRound, ...]
    pairs: Pairs
    official: dict[int, Report | None]
    rows: tuple[JournalRow, ...] = ()


def of(entry: JournalEntry, tournament: Tournament, *, actor: Actor) -> Effects:
    """What would happen if `entry` of `tournament` were taken back now. The queries do not grow with the field."""
    pairings = {(after or before)["pairing_id"] for table, _pk, before, after in entry.rows if table == "result"}
    now = _picture(tournament, pairings)
    try:
        then = _tried(entry, tournament, pairings, actor)
    except Refusal as refusal:
        return Effects(refusal=refusal)
    changed = [pk for pk in sorted(pairings) if now.official[pk] != then.official.get(pk)]
    return Effects(
        consequences=_consequences(tournament, now, then, changed),
        open_again=tuple(each for each in then.open if each not in now.open),
        rows=_told(tournament, now, then),
        since=() if changed else _since(entry, tournament),
    )


def _tried(entry: JournalEntry, tournament: Tournament, pairings: set[int], actor: Actor) -> _Picture:
    """What would stand then. Raises what undo refuses."""
    with transaction.atomic():
        undoing.undo(entry, actor=actor)
        rows = JournalEntry.objects.filter(tournament=tournament).order_by("-number").values_list("rows", flat=True)
        then = _picture(Tournament.objects.get(pk=tournament.pk), pairings, tuple(rows.first() or ()))
        transaction.set_rollback(True)
    return then


def _picture(tournament: Tournament, pairings: set[int], rows: tuple[JournalRow, ...] = ()) -> _Picture:
    divisions = league.divisions(tournament)
    for division in divisions:
        division.tournament = tournament
    official = Result.objects.filter(pairing__in=pairings, official=True)
    return _Picture(
        tables={each.pk: league.table(each) for each in divisions},
        open=tuple(found for each in divisions for found in open_rounds.open_rounds(each)),
        pairs={pair: text for each in divisions for pair, text in _draft(each).items()},
        official=dict.fromkeys(pairings) | {each.pairing_id: Report.of(each) for each in official},
        rows=rows,
    )


def _draft(division: Division) -> Pairs:
    """The pairs of a division's draft, if it has one."""
    drafts = Round.objects.league().filter(division=division, state=Round.State.DRAFT)
    return {
        (round.pk, words.place(pairing)): words.pair(pairing) for round in drafts for pairing in league.pairings(round)
    }


def _consequences(tournament: Tournament, now: _Picture, then: _Picture, changed: list[int]) -> Consequences | None:
    """What one changed result means for ranks, later rounds and the knock-out; of several changes, the ranks."""
    if len(changed) == 1:
        found = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
        at = found.with_players().with_results().filter(pk=changed[0]).first()
        if at is not None:
            return consequences.of(at, then.official.get(at.pk))
    moves = _moves(tournament, now, then)
    after = max((table.after for table in then.tables.values()), default=0)
    return Consequences(after=after, moves=moves) if moves else None


def _moves(tournament: Tournament, now: _Picture, then: _Picture) -> tuple[RankChange, ...]:
    """Everybody whose rank changes, in the order they were entered."""
    before, after = _by_entry(now), _by_entry(then)
    found = []
    for entry in Entry.objects.filter(tournament=tournament).with_names().in_order():
        old, new = before.get(entry.pk), after.get(entry.pk)
        if old is not None and new is not None and old.rank != new.rank:
            found.append(RankChange(entry, old, new))
    return tuple(found)


def _by_entry(picture: _Picture) -> dict[int, standings.Standing]:
    return {row.entry.pk: row.standing for table in picture.tables.values() for row in table.rows}


def _since(entry: JournalEntry, tournament: Tournament) -> tuple[Round, ...]:
    """The rounds published after an entry. One query."""
    found = Round.objects.filter(division__tournament=tournament, published_at__gt=entry.at)
    return tuple(found.select_related("division__knockout").order_by("number", "division__position", "pk"))


def _told(tournament: Tournament, now: _Picture, then: _Picture) -> tuple[str, ...]:
    """Sentences about pairs of drafts and everything else that is put back, except results."""
    rounds = Round.objects.filter(division__tournament=tournament).select_related("division__knockout")
    labels = words.Labels(
        entries=dict(Entry.objects.filter(tournament=tournament).values_list("pk", "player__name")),
        rounds={round.pk: round_names.round_phrase(round) for round in rounds},
        clubs=dict(Club.objects.filter(pk__in=_clubs(then.rows)).values_list("pk", "name")),
    )
    told = _pairs_told(now.pairs, then.pairs)
    rows = [(records.model_of(table), pk, before, after) for table, pk, before, after in then.rows]
    if now.pairs or then.pairs:
        rows = [row for row in rows if row[0] is not Pairing or (row[2] and row[3])]
    told += words.sentences(rows, labels)
    rest = len(told) - SHOWN
    return tuple([*told[:SHOWN], words.more(rest)] if rest > 0 else told)


def _clubs(rows: Iterable[JournalRow]) -> set[int]:
    """The clubs that rows name, before or after."""
    states = (state for _table, _pk, before, after in rows for state in (before, after) if state)
    return {state["club_id"] for state in states if state.get("club_id")}


def _pairs_told(now: Pairs, then: Pairs) -> list[str]:
    """What changes in drafts that stay."""
    stay = {round for round, _place in now} & {round for round, _place in then}
    places = sorted({place for place in (*now, *then) if place[0] in stay})
    return [
        words.pair_change(place, now.get((round, place), ""), then.get((round, place), ""))
        for round, place in places
        if now.get((round, place)) != then.get((round, place))
    ]
