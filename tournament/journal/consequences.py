"""What a result would change, or taking back an entry of the journal: ranks, later rounds, the knock-out. Reads only. A
correction never touches what has been played; this says how it would have been otherwise."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction

from scoring import standings
from scoring.knockout_values import Match, MatchFormat
from scoring.standings import PlayerKey
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, JournalRow
from tournament.core.fees import FeeTerms
from tournament.core.records import get_journal_model, list_divisions
from tournament.core.reports import Report
from tournament.core.words.figures import name_entries
from tournament.core.words.rounds import format_game_name, format_match_name, format_round_phrase
from tournament.journal.undoing import undo_journal_entry
from tournament.journal.words import (
    LostLot,
    MatchStand,
    MatchStandChange,
    RedrawnRound,
    RedrawOutcome,
    ResultChange,
    RowLabels,
    SeedChanges,
    ToldChange,
    ValueChange,
    describe_kept_seeding,
    format_draft_place,
    format_pairing_players,
    list_row_changes,
)
from tournament.models import Club, Division, Entry, JournalEntry, Pairing, Result, Round, Seed, Tournament
from tournament.pairing.drafting import draw_round
from tournament.pairing.values import UNCHOSEN_METHODS, ChosenPair, Method, PairFlag, RequestImpossible
from tournament.results.knockout_games import PlacedGame, find_knockout_game_changes, format_result_ids, list_result_ids
from tournament.results.knockout_state import KnockoutState, load_knockout_state
from tournament.results.league_games import (
    OpenRound,
    list_division_entries,
    list_league_games,
    list_open_rounds,
    select_table_entries,
)
from tournament.rounds.draw_request import WhatIfResults, build_chosen_pair, rebuild_draw_request
from tournament.table.league import list_round_pairings, load_table, rank_entries

# The knock-out: the game's own match, who plays on, and games that would no longer count.


@dataclass(frozen=True, slots=True)
class KnockoutChange:
    """What a result would change in the knock-out."""

    match: MatchStandChange  # the match that the game belongs to
    others: tuple[MatchStandChange, ...]  # matches that it would decide differently
    disturbed: tuple[PlacedGame, ...]  # games with results that would no longer count
    results: tuple[int, ...]  # the ids of these results
    opened: tuple[PlacedGame, ...]  # open games that would be added
    dropped: tuple[PlacedGame, ...]  # open games that would be removed
    lots: tuple[LostLot, ...] = ()  # lots that would be void

    @property
    def agreed(self) -> str:
        """What a page sends back once it has asked about the disturbed games."""
        return format_result_ids(self.results)


def find_knockout_change(at: Pairing, report: Report | None) -> KnockoutChange:
    """What would change if `report` became the official result of a game of the knock-out, or if that were withdrawn.
    `at` has its players fetched. Fourteen queries, whatever the number of players."""
    division = at.round.division
    # Both are worked out from the rows as they stand, with the report in place of the stored one: nothing is written,
    # so that a page may ask as often as somebody types.
    now, then = load_knockout_state(division), load_knockout_state(division, instead={at.pk: report})
    assert now is not None  # a game of the knock-out always has one
    assert then is not None
    settled = find_knockout_game_changes(then)
    place = (at.round.stage, at.match_position)
    changes = {}
    for before, after in zip(now.bracket.matches, then.bracket.matches, strict=True):
        is_decided_alike = before.winner == after.winner and before.is_over == after.is_over
        if before.place == place or not is_decided_alike:
            name = format_match_name(now.knockout, *before.place)
            stands = build_match_stand(now, before), build_match_stand(then, after)
            changes[before.place] = MatchStandChange(name, *stands)
    opened = []
    for (stage, position, game), due in settled.missing:
        players = then.entries[due.first].name, then.entries[due.second].name
        opened.append(PlacedGame(format_game_name(then.knockout, stage, position, game), players))
    return KnockoutChange(
        match=next(change for where, change in changes.items() if where == place),
        others=tuple(change for where, change in changes.items() if where != place),
        disturbed=tuple(PlacedGame.of(pairing) for pairing in settled.disturbed),
        results=list_result_ids(settled.disturbed),
        opened=tuple(opened),
        dropped=tuple(PlacedGame.of(pairing) for pairing in settled.gone if pairing.result is None),
        lots=tuple(
            LostLot(
                format_match_name(now.knockout, lot.stage, lot.position),
                now.entries[lot.winner_id].name,
                now.knockout.own_criterion if lot.by_own_criterion else "",
            )
            for lot in settled.lots
        ),
    )


def build_match_stand(state: KnockoutState, match: Match) -> MatchStand:
    """How a match stands, its players by name."""
    upper, lower = ("" if key is None else state.entries[key].name for key in match.players)
    return MatchStand(
        players=(upper, lower),
        score=match.score,
        in_wins=state.bracket.rules.form == MatchFormat.BEST_OF,
        winner=None if match.winner is None else match.players.index(match.winner),
        decided_by=match.decided_by,
        waits_for=match.waits_for,
        own_criterion=match.own_criterion,
    )


def find_seeding_change(division: Division, now: Sequence[Entry], then: Sequence[Entry]) -> SeedChanges | None:
    """What becomes of a confirmed seeding, given everybody who can be seeded in the order of the table now and then;
    None if no seeding is confirmed, or if it follows the table before and after. One query."""
    seeds = list(Seed.objects.filter(knockout__division=division).order_by("number").values_list("entry_id", flat=True))
    proposed, new_order = ([entry.pk for entry in order[: len(seeds)]] for order in (now, then))
    if not seeds or proposed == new_order:
        return None
    if proposed != seeds:
        return ()
    before, after = ({key: number for number, key in enumerate(order, 1)} for order in (seeds, new_order))
    changes = ((entry.name, before.get(entry.pk), after.get(entry.pk)) for entry in then)
    return tuple((name, was, would_be) for name, was, would_be in changes if was != would_be)


# Later rounds: what their draws would give on a table with another result in it.


def find_redrawn_rounds(
    at: Pairing, report: Report | None, now: list[standings.TableGame], then: list[standings.TableGame]
) -> Iterator[RedrawnRound]:
    """The later rounds that were paired on a table with the pairing's result in it, `now` and `then` the games."""
    later = Round.objects.league().filter(division=at.round.division, number__gt=at.round.number)
    for round in later.filter(based_on__gte=at.round.number).in_order():
        round.division = at.round.division
        based_on = round.number - 1 if round.based_on is None else round.based_on
        unchosen = RedrawOutcome.TEAMS if round.method == Method.TEAMS else RedrawOutcome.BY_HAND
        redrawn = RedrawnRound(round.number, based_on, round.is_draft, unchosen)
        if round.method not in UNCHOSEN_METHODS:
            redrawn = _compare_redraw(redrawn, round, WhatIfResults(now, {}), WhatIfResults(then, {at.pk: report}))
        yield redrawn


def _compare_redraw(redrawn: RedrawnRound, round: Round, now: WhatIfResults, then: WhatIfResults) -> RedrawnRound:
    """What the round's own draw gives on the new table, beside the pairs that it has. If it does not give these on the
    table as it stands, something else has changed: the result's effect is known only if it brings them back."""
    pairings = [pairing for pairing in list_round_pairings(round) if pairing.kind != Pairing.Kind.ABSENT]
    players = {seat.entry_id: seat.entry for pairing in pairings for seat in pairing.seats.all()}
    fixed_pairs = [
        build_chosen_pair(pairing) for pairing in pairings if pairing.locked or PairFlag.MANUAL in pairing.flags
    ]
    has = [frozenset((pairing.first.pk, pairing.second.pk if pairing.second else None)) for pairing in pairings]
    new_pairs = _redraw_pairs(round, list(players.values()), fixed_pairs, then)
    if new_pairs is not None and set(new_pairs) == set(has):
        return replace(redrawn, redrawn=RedrawOutcome.SAME)
    as_it_stands = _redraw_pairs(round, list(players.values()), fixed_pairs, now)
    if new_pairs is None or as_it_stands is None or set(as_it_stands) != set(has):
        return replace(redrawn, redrawn=RedrawOutcome.UNKNOWN)
    names: dict[int | None, str] = {None: ""} | {key: entry.name for key, entry in players.items()}
    otherwise = [tuple(sorted(filter(None, (names[key] for key in pair)))) for pair in new_pairs if pair not in has]
    return replace(redrawn, redrawn=RedrawOutcome.OTHERWISE, pairs=tuple(otherwise), keeps=bool(fixed_pairs))


def _redraw_pairs(
    round: Round, players: Sequence[Entry], kept: Sequence[ChosenPair], results: WhatIfResults
) -> list[frozenset[int | None]] | None:
    """The pairs that the round's draw gives on these results, a bye with None; None if none is possible."""
    request = rebuild_draw_request(round, players, kept, what_if=results)
    try:
        return [frozenset((pair.first, pair.second)) for pair in draw_round(request).pairs]
    except RequestImpossible:
        return None


# All of it, for one result.


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player's row in the table as it is and as it would be."""

    entry: Entry
    before: standings.Standing
    after: standings.Standing

    @property
    def changes_rank(self) -> bool:
        return self.before.rank != self.after.rank


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a result would change. A game of the knock-out has only `knockout`, one of the league all but that."""

    after: int | None = None  # the round whose table it is; None for the table as it stands
    players: tuple[RankChange, ...] = ()  # those at the table
    moves: tuple[RankChange, ...] = ()  # everybody whose rank changes
    later: tuple[RedrawnRound, ...] = ()  # rounds that were paired on the result
    seeding: SeedChanges | None = None  # of a knock-out that is seeded already
    knockout: KnockoutChange | None = None

    @property
    def seeding_sentence(self) -> str:
        return "" if self.seeding is None else describe_kept_seeding(self.seeding)


def find_consequences(at: Pairing, report: Report | None) -> Consequences:
    """What would change if `report` became the official result of a pairing, or (None) if its result were withdrawn.
    `at` has its players fetched. The number of queries depends only on the number of later league rounds."""
    if at.round.is_knockout:
        return Consequences(knockout=find_knockout_change(at, report))
    division = at.round.division
    everybody = list_division_entries(division)
    now = list_league_games(division)
    then = _replace_game(now, at, report)
    last = max((game.round for game in (*now, *then)), default=0)
    tables: list[dict[PlayerKey, standings.Standing]] = []
    for played in (now, then):
        ranked = rank_entries(division, select_table_entries(everybody, played, last), played, after=last)
        tables.append({row.player: row for row in ranked})
    everybody = select_table_entries(everybody, [*now, *then], last)
    changes = (
        RankChange(entry, *(table.get(entry.pk) or _build_empty_standing(entry) for table in tables))
        for entry in everybody
    )
    moves = tuple(sorted(changes, key=lambda move: (move.after.rank or len(everybody), move.entry.position)))
    seated = {seat.entry_id for seat in at.seats.all()}
    by_key: dict[PlayerKey, Entry] = {entry.pk: entry for entry in everybody}
    seedable = ([by_key[key] for key in table if not by_key[key].is_withdrawn] for table in tables)
    return Consequences(
        after=last,
        players=tuple(move for move in moves if move.entry.pk in seated),
        moves=tuple(move for move in moves if move.changes_rank),
        later=tuple(find_redrawn_rounds(at, report, now, then)),
        seeding=find_seeding_change(division, *seedable),
    )


def _build_empty_standing(entry: Entry) -> standings.Standing:
    """For somebody who is not in the table: announced for a later round, and without a result so far."""
    return standings.Standing(None, entry.pk, half_wins=0, spread=0, points=0, games=0, highest_game=None)


def _replace_game(
    games: Sequence[standings.TableGame], at: Pairing, report: Report | None
) -> list[standings.TableGame]:
    """The games with `report` instead of the pairing's own."""
    number, first, second = at.round.number, at.first.pk, at.second
    # A game of the table has no key of its own, but nobody has two in one round.
    others = [game for game in games if (game.round, game.first) != (number, first)]
    if report is None:
        return others
    return [*others, Result(**report.fields()).game(number, first, second.pk if second else None)]


# Undo. It is tried within a transaction that is rolled back, so that what is told is what would happen.

MOST_ROWS_TOLD = 15  # how many changed rows are told one by one


@dataclass(frozen=True, slots=True)
class UndoEffects:
    """What taking an entry back would do, or the `refusal` that says why it cannot be."""

    refusal: Refusal | None = None
    consequences: Consequences | None = None  # of one result; of several only the ranks, None if none changes
    open_again: tuple[OpenRound, ...] = ()  # rounds that would lack a result
    rows: tuple[ToldChange, ...] = ()  # everything else, as far as it is told one by one
    more: int = 0  # how many changes there are besides
    since: tuple[Round, ...] = ()  # rounds published after the entry, which stay as they are

    @property
    def seen(self) -> str:
        """A short text that stands for what the page shows: if it would show something else, it asks again."""
        # By what is shown and not by the revision: a result that is typed meanwhile and changes nothing of it asks
        # nobody anew.
        since = [entry.pk for entry in self.since]
        parts = (str(self.refusal), repr(self.consequences), self.open_again, self.rows, self.more, since)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


DraftPairs = dict[tuple[int, str], str]  # the pairs of drafts in words, by the round's id and the place in it


@dataclass(frozen=True, slots=True)
class _TournamentState:
    """What stands at one moment."""

    standing_by_entry: dict[int, standings.Standing]  # by the entry's id
    open: tuple[OpenRound, ...]
    pairs: DraftPairs
    games: dict[int, PlacedGame]  # some games with their official results
    published: frozenset[int]
    rows: tuple[JournalRow, ...] = ()  # what the last entry of the journal wrote
    labels: RowLabels = field(default_factory=RowLabels)  # what these are called if some of them are new

    def report(self, pairing: int) -> Report | None:
        """The official result of a pairing; None while it is open, or if there is no such pairing."""
        game = self.games.get(pairing)
        return game.report if game else None


def find_undo_effects(entry: JournalEntry, tournament: Tournament, *, actor: Actor) -> UndoEffects:
    """What would happen if `entry` of `tournament` were taken back now. The queries do not grow with the field."""
    pairings = {(after or before)["pairing_id"] for table, _pk, before, after in entry.rows if table == "result"}
    now = _load_tournament_state(tournament, pairings)
    try:
        # Really undone, and rolled back: so it refuses exactly what an undo refuses, and nothing that waits for the
        # commit (the phones, the screens) is told.
        with transaction.atomic():
            undo_journal_entry(entry, actor=actor)
            rows = JournalEntry.objects.filter(tournament=tournament).order_by("-number").values_list("rows", flat=True)
            # Read anew, within the trial: the row in hand is from before it, and still has the settings that the undo
            # puts back.
            then = _load_tournament_state(Tournament.objects.get(pk=tournament.pk), pairings, tuple(rows.first() or ()))
            transaction.set_rollback(True)
    except Refusal as refusal:
        return UndoEffects(refusal=refusal)
    changed = [pk for pk in sorted(pairings) if now.report(pk) != then.report(pk)]
    published = Round.objects.filter(pk__in=then.published, division__tournament=tournament, published_at__gt=entry.at)
    published = published.select_related("division__knockout").order_by("number", "division__position", "pk")
    changes = _list_told_changes(tournament, now, then, changed if len(changed) > 1 else ())
    return UndoEffects(
        consequences=_find_undo_consequences(tournament, now, then, changed),
        open_again=tuple(open_round for open_round in then.open if open_round not in now.open),
        rows=tuple(changes[:MOST_ROWS_TOLD]),
        more=max(0, len(changes) - MOST_ROWS_TOLD),
        # Of a changed result the later rounds are told with what their draw would give; the bare list is for acts that
        # have no such effect.
        since=() if changed else tuple(published),
    )


def _load_tournament_state(
    tournament: Tournament, pairings: set[int], rows: tuple[JournalRow, ...] = ()
) -> _TournamentState:
    divisions = list_divisions(tournament)
    for division in divisions:
        division.tournament = tournament
    games = Pairing.objects.filter(pk__in=pairings).select_related("round__division__knockout")
    # Only for rows that come back: once the trial is rolled back, nobody can say any more what they are called.
    has_new_rows = any(before is None for _table, _pk, before, _after in rows)
    published = Round.objects.public().filter(division__tournament=tournament)
    return _TournamentState(
        standing_by_entry={row.entry.pk: row.standing for division in divisions for row in load_table(division).rows},
        open=tuple(
            replace(open_round, division=division.name if len(divisions) > 1 else "")
            for division in divisions
            for open_round in list_open_rounds(division)
        ),
        pairs={pair: text for division in divisions for pair, text in _list_draft_pairs(division).items()},
        games={game.pk: PlacedGame.of(game) for game in games.with_players().with_results()},
        published=frozenset(published.values_list("pk", flat=True)),
        rows=rows,
        labels=_load_row_labels(tournament, rows) if has_new_rows else RowLabels(),
    )


def _list_draft_pairs(division: Division) -> DraftPairs:
    """The pairs of a division's draft, if it has one; those with a bye or absent together."""
    pairs: DraftPairs = {}
    for round in Round.objects.league().filter(division=division, state=Round.State.DRAFT):
        for pairing in list_round_pairings(round):
            place = round.pk, format_draft_place(pairing)
            pairs[place] = "; ".join(filter(None, (pairs.get(place), format_pairing_players(pairing))))
    return pairs


def _find_undo_consequences(
    tournament: Tournament, now: _TournamentState, then: _TournamentState, changed: list[int]
) -> Consequences | None:
    """What one changed result means for ranks, later rounds and the knock-out; of several changes, the ranks of
    everybody in the order they were entered."""
    if len(changed) == 1:
        pairings = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
        if (at := pairings.with_players().with_results().filter(pk=changed[0]).first()) is not None:
            return find_consequences(at, then.report(at.pk))
    moves = [
        RankChange(entry, now.standing_by_entry[entry.pk], then.standing_by_entry[entry.pk])
        for entry in Entry.objects.filter(tournament=tournament).with_names().in_order()
        if entry.pk in now.standing_by_entry and entry.pk in then.standing_by_entry
    ]
    moves = [move for move in moves if move.changes_rank]
    return Consequences(moves=tuple(moves)) if moves else None


def _list_told_changes(
    tournament: Tournament, now: _TournamentState, then: _TournamentState, changed: Collection[int]
) -> list[ToldChange]:
    """Pairs of drafts, the results of `changed` games and everything else that is put back."""
    labels = then.labels.or_else(_load_row_labels(tournament, then.rows))
    changes: list[ToldChange] = [*_list_pair_changes(now.pairs, then.pairs)]
    changes += [ResultChange(now.games.get(pk) or then.games[pk], now.report(pk), then.report(pk)) for pk in changed]
    rows = [(get_journal_model(table), pk, before, after) for table, pk, before, after in then.rows]
    if now.pairs or then.pairs:
        # Pairs of a draft that come and go are told by their names above; as rows they would be told once more, by
        # their number.
        rows = [row for row in rows if row[0] is not Pairing or (row[2] and row[3])]
    return changes + list_row_changes(rows, labels)


def _load_row_labels(tournament: Tournament, rows: Iterable[JournalRow]) -> RowLabels:
    """What the rows that exist at the moment are called. Five queries."""
    rounds = Round.objects.filter(division__tournament=tournament).select_related("division__knockout")
    written = Pairing.objects.filter(pk__in=[pk for table, pk, _before, _after in rows if table == "pairing"])
    states = (state for _table, _pk, before, after in rows for state in (before, after) if state)
    clubs, terms = {state["club_id"] for state in states if state.get("club_id")}, FeeTerms.of(tournament)
    return RowLabels(
        entries=name_entries(Entry.objects.filter(tournament=tournament).with_names()),
        rounds={round.pk: format_round_phrase(round) for round in rounds},
        pairings={pairing.pk: format_pairing_players(pairing) for pairing in written.with_players()},
        clubs=dict(Club.objects.filter(pk__in=clubs).values_list("pk", "name")),
        divisions=dict(tournament.divisions.values_list("pk", "name")),
        fees={key: kind.name for key in ("", *(kind.key for kind in terms.kinds)) if (kind := terms.find(key))},
    )


def _sort_by_table(place: tuple[int, str]) -> tuple[int, bool, int, str]:
    """Tables of a round by their numbers, and what has none after them."""
    # By the number in it: as texts, table 10 comes before table 2.
    table = re.search(r"\d+", place[1])
    return place[0], table is None, int(table[0]) if table else 0, place[1]


def _list_pair_changes(now: DraftPairs, then: DraftPairs) -> list[ValueChange]:
    """What changes in drafts that stay."""
    stay = {round for round, _place in now} & {round for round, _place in then}
    return [
        ValueChange("", place[1], now.get(place, "–"), then.get(place, "–"))
        for place in sorted({*now, *then}, key=_sort_by_table)
        if place[0] in stay and now.get(place) != then.get(place)
    ]
