"""What taking an entry of the journal back would change.

It is tried within a transaction that is rolled back, so that what is told is what would happen; nothing stays of it.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from django.db import transaction

from scoring import standings
from tournament import records
from tournament.models import Club, Division, Entry, JournalEntry, Pairing, Round, Tournament
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
from tournament.words.consequences import PlacedGame

SHOWN = 15
"""So many changed rows are told one by one."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What taking an entry back would do, or the `refusal` that says why it cannot be.

    `consequences` are those of one result for ranks, later rounds and the knock-out, or the ranks alone (None: nobody's
    changes), `open_again` the rounds that would lack a result then, `rows` everything else, each with its words.
    `since` are rounds published after the entry, which stay as they are.
    """

    refusal: Refusal | None = None
    consequences: Consequences | None = None
    open_again: tuple[OpenRound, ...] = ()
    rows: tuple[words.Told, ...] = ()
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
    """What stands at one moment: tables, open rounds, pairs of drafts, some games with their official results, and the
    published rounds.

    `rows` are those that the last entry of the journal wrote, `labels` what they are called where some of them are new.
    """

    tables: dict[int, league.Table]
    open: tuple[OpenRound, ...]
    pairs: Pairs
    games: dict[int, PlacedGame]
    published: frozenset[int]
    rows: tuple[JournalRow, ...] = ()
    labels: words.Labels = field(default_factory=words.Labels)

    def report(self, pairing: int) -> Report | None:
        """The official result of a pairing; None while it is open or where there is no such pairing."""
        game = self.games.get(pairing)
        return game.report if game else None


def of(entry: JournalEntry, tournament: Tournament, *, actor: Actor) -> Effects:
    """What would happen if `entry` of `tournament` were taken back now. The queries do not grow with the field."""
    pairings = {(after or before)["pairing_id"] for table, _pk, before, after in entry.rows if table == "result"}
    now = _picture(tournament, pairings)
    try:
        then = _tried(entry, tournament, pairings, actor)
    except Refusal as refusal:
        return Effects(refusal=refusal)
    changed = [pk for pk in sorted(pairings) if now.report(pk) != then.report(pk)]
    return Effects(
        consequences=_consequences(tournament, now, then, changed),
        open_again=tuple(each for each in then.open if each not in now.open),
        rows=_told(tournament, now, then, changed if len(changed) > 1 else ()),
        since=() if changed else _since(entry, tournament, then),
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
    games = Pairing.objects.filter(pk__in=pairings).select_related("round__division__knockout")
    several = len(divisions) > 1
    return _Picture(
        tables={each.pk: league.table(each) for each in divisions},
        open=tuple(
            replace(found, division=each.name if several else "")
            for each in divisions
            for found in open_rounds.open_rounds(each)
        ),
        pairs={pair: text for each in divisions for pair, text in _draft(each).items()},
        games={each.pk: PlacedGame.of(each) for each in games.with_players().with_results()},
        published=frozenset(
            Round.objects.public().filter(division__tournament=tournament).values_list("pk", flat=True)
        ),
        rows=rows,
        labels=_labels(tournament, rows) if any(before is None for _t, _pk, before, _a in rows) else words.Labels(),
    )


def _draft(division: Division) -> Pairs:
    """The pairs of a division's draft, if it has one; those with a bye or absent together."""
    found: Pairs = {}
    for round in Round.objects.league().filter(division=division, state=Round.State.DRAFT):
        for pairing in league.pairings(round):
            place = round.pk, words.place(pairing)
            found[place] = "; ".join(filter(None, (found.get(place), words.pair(pairing))))
    return found


def _consequences(tournament: Tournament, now: _Picture, then: _Picture, changed: list[int]) -> Consequences | None:
    """What one changed result means for ranks, later rounds and the knock-out; of several changes, the ranks."""
    if len(changed) == 1:
        found = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
        at = found.with_players().with_results().filter(pk=changed[0]).first()
        if at is not None:
            return consequences.of(at, then.report(at.pk))
    moves = _moves(tournament, now, then)
    return Consequences(moves=moves) if moves else None


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


def _since(entry: JournalEntry, tournament: Tournament, then: _Picture) -> tuple[Round, ...]:
    """The rounds published after an entry that are so then, too. One query."""
    found = Round.objects.filter(pk__in=then.published, division__tournament=tournament, published_at__gt=entry.at)
    return tuple(found.select_related("division__knockout").order_by("number", "division__position", "pk"))


def _told(tournament: Tournament, now: _Picture, then: _Picture, changed: Collection[int]) -> tuple[words.Told, ...]:
    """Pairs of drafts, the results of `changed` games and everything else that is put back."""
    labels = then.labels.or_else(_labels(tournament, then.rows))
    told: list[words.Told] = [*_pairs_told(now.pairs, then.pairs)]
    told += [words.ResultChange(now.games.get(pk) or then.games[pk], now.report(pk), then.report(pk)) for pk in changed]
    rows = [(records.model_of(table), pk, before, after) for table, pk, before, after in then.rows]
    if now.pairs or then.pairs:
        rows = [row for row in rows if row[0] is not Pairing or (row[2] and row[3])]
    told += words.put_back(rows, labels)
    rest = len(told) - SHOWN
    return tuple([*told[:SHOWN], words.MoreChanges(rest)] if rest > 0 else told)


def _labels(tournament: Tournament, rows: Iterable[JournalRow]) -> words.Labels:
    """What the rows that are there at the moment are called. Five queries."""
    rounds = Round.objects.filter(division__tournament=tournament).select_related("division__knockout")
    written = Pairing.objects.filter(pk__in=[pk for table, pk, _before, _after in rows if table == "pairing"])
    return words.Labels(
        entries=dict(Entry.objects.filter(tournament=tournament).values_list("pk", "player__name")),
        rounds={round.pk: round_names.round_phrase(round) for round in rounds},
        pairings={each.pk: words.pair(each) for each in written.with_players()},
        clubs=dict(Club.objects.filter(pk__in=_clubs(rows)).values_list("pk", "name")),
        divisions=dict(tournament.divisions.values_list("pk", "name")),
    )


def _clubs(rows: Iterable[JournalRow]) -> set[int]:
    """The clubs that rows name, before or after."""
    states = (state for _table, _pk, before, after in rows for state in (before, after) if state)
    return {state["club_id"] for state in states if state.get("club_id")}


def _pairs_told(now: Pairs, then: Pairs) -> list[words.PairChange]:
    """What changes in drafts that stay."""
    stay = {round for round, _place in now} & {round for round, _place in then}
    places = sorted({place for place in (*now, *then) if place[0] in stay})
    return [
        words.PairChange(place, now.get((round, place), ""), then.get((round, place), ""))
        for round, place in places
        if now.get((round, place)) != then.get((round, place))
    ]
