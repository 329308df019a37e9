"""Every figure, name and count that is told of a result or of an undo is so: each is really done, and undone again.

What stands before and after is read row by row and counted by other programs (`books`); the sentences are held against
that on evenings by chance.
"""

from collections.abc import Callable

import pytest
from django.utils import translation

from tests.laws import TIMES
from tests.tournament.journal.books import Books, Pairs, Row, drawn_again, trial
from tests.tournament.journal.evenings import Evening
from tests.tournament.readings import LANGUAGES, read
from tournament.core.reports import Report
from tournament.journal.consequences import Consequences, KnockoutChange, find_consequences
from tournament.journal.words import MatchStand, RedrawnRound, RedrawOutcome, SeedChanges, describe_kept_seeding
from tournament.models import Pairing, Round
from tournament.results.knockout_games import PlacedGame

EVENINGS = 3 * TIMES


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", range(3))
def test_what_a_result_changes_is_what_it_changes_when_it_is_recorded(part: int, db: None) -> None:
    for seed in range(part, EVENINGS, 3):
        with trial():
            ask(Evening(seed))


def ask(evening: Evening) -> None:
    """Play an evening, and ask again and again what a result would change."""
    for what in evening.looks():
        for at, report in list(evening.questions(1, round__stage__isnull=what != "knockout")):
            check(evening, at, report)


def check(evening: Evening, at: Pairing, report: Report | None) -> None:
    """Hold what is told of one result against what it does."""
    now = Books(evening.fresh())
    told = find_consequences(at, report)
    with trial():
        evening.record(at, report)
        then = Books(evening.division)
    if told.knockout:
        check_knockout(told.knockout, at, now, then)
        return
    check_table(told, at, now, then)
    check_seeding(told.seeding, now, then)
    check_all_later(told.later, now, at, lambda: evening.record(at, report))


def check_all_later(told: tuple[RedrawnRound, ...], now: Books, at: Pairing, act: Callable[[], object]) -> None:
    """Every later round that was drawn on a table with the pairing's result in it; `act` is what is asked about."""
    wanted = [
        round
        for round in sorted(now.rounds.values(), key=lambda round: round.number)
        if round.stage is None and round.number > at.round.number <= (round.based_on or 0)
    ]
    for later, round in zip(told, wanted, strict=True):
        check_later(later, round, now, act)


def check_table(told: Consequences, at: Pairing, now: Books, then: Books) -> None:
    """The figures of those at the table, and everybody's rank."""
    after = max(now.last(), then.last())
    tables = now.table(after), then.table(after)
    assert told.after == after
    assert {move.entry.pk for move in told.players} == set(now.seats[at.pk].values())
    for move in told.players:
        for said, table in zip((move.before, move.after), tables, strict=True):
            row = table.get(move.entry.pk) or Row(None, 0, 0, 0)
            assert (said.rank, said.half_wins, said.spread, said.points) == (
                row.rank,
                row.half_wins,
                row.spread,
                row.points,
            )
    ranks = [{key: row.rank for key, row in table.items()} for table in tables]
    both = {key: (ranks[0].get(key), ranks[1].get(key)) for key in ranks[0].keys() | ranks[1].keys()}
    moved = {key: pair for key, pair in both.items() if pair[0] != pair[1]}
    assert ranks[0].keys() ^ ranks[1].keys() <= set(now.seats[at.pk].values())
    assert {move.entry.pk: (move.before.rank, move.after.rank) for move in told.moves} == moved


def check_seeding(told: SeedChanges | None, now: Books, then: Books) -> None:
    """Whose number in the seeding would be another one."""
    seeds = now.seeds
    proposed, anew = now.proposed(len(seeds)), then.proposed(len(seeds))
    assert then.seeds == seeds
    assert (told is None) == (proposed == anew)
    if not told:
        assert told is None or proposed != seeds
        for language in LANGUAGES if told is not None else ():
            with translation.override(language):
                assert read(language, describe_kept_seeding(told or ()), "seeding", between="\n") == [("stays", {})]
        return
    changes = tuple(sorted(told))
    for language in LANGUAGES:
        with translation.override(language):
            ((claim, figures),) = read(language, describe_kept_seeding(told), "seeding", between="\n")
            assert (claim, tuple(sorted(figures["seeds"]))) == ("would be different", changes)
    names = now.name
    places = [{names[key]: number for number, key in enumerate(order, 1)} for order in (seeds, anew)]
    found = {name: tuple(place.get(name) for place in places) for place in places for name in place}
    changed = {name: both for name, both in found.items() if both[0] != both[1]}
    assert proposed == seeds
    assert {name: (before, after) for name, before, after in told} == changed


def read_back(told: RedrawnRound) -> None:
    """What is told of a later round in each language is what its figures say."""
    otherwise, unknown = (told.redrawn == each for each in (RedrawOutcome.OTHERWISE, RedrawOutcome.UNKNOWN))
    figures: dict[str, object] = {"number": told.number}
    figures |= {"based_on": told.based_on} if otherwise or unknown else {}
    figures |= {"drawn": told.pairs} if otherwise else {}
    claims = [(f"{'draft' if told.is_draft else 'public'}, {told.redrawn}", figures)]
    claims += [("keeps", {})] if otherwise and told.keeps else []
    claims += [("changes only anew", {})] if told.is_draft and (otherwise or unknown) else []
    for language in LANGUAGES:
        with translation.override(language):
            assert read(language, str(told), "later") == claims


def check_later(told: RedrawnRound, round: Round, now: Books, act: Callable[[], object]) -> None:
    """What the draw of a later round gives, drawn again after the act has really been done."""
    read_back(told)
    assert (told.number, told.based_on) == (round.number, round.based_on)
    assert told.is_draft == (round.state == Round.State.DRAFT)
    assert (told.redrawn == RedrawOutcome.BY_HAND) == (round.method == "manual")
    assert (told.redrawn == RedrawOutcome.TEAMS) == (round.method == "teams")
    if told.redrawn in (RedrawOutcome.BY_HAND, RedrawOutcome.TEAMS):
        return
    has = now.pairs(round.pk)
    with trial():
        act()
        after = drawn_again(round)
    assert (told.redrawn == RedrawOutcome.SAME) == (after == has)
    if told.redrawn == RedrawOutcome.SAME:
        return
    with trial():
        before = drawn_again(round)
    if told.redrawn == RedrawOutcome.UNKNOWN:
        assert after is None or before != has
    if told.redrawn == RedrawOutcome.OTHERWISE:
        assert before == has
        assert after is not None
        assert {frozenset(names) for names in told.pairs} == named(after - has, now)
        assert told.keeps == any(kept(each) for each in now.pairings.values() if each.round_id == round.pk)


def kept(pairing: Pairing) -> bool:
    """Whether a pair stays when its round is drawn again."""
    return pairing.kind != "absent" and (pairing.locked or "manual" in pairing.flags)


def named(pairs: Pairs, books: Books) -> set[frozenset[str]]:
    return {frozenset(books.name[key] for key in pair) for pair in pairs}


def check_knockout(told: KnockoutChange, at: Pairing, now: Books, then: Books) -> None:
    """The matches that are decided otherwise, and the games that come and go."""
    place = (at.round.stage or 0, at.table or 0)
    matches = now.matches(), then.matches()
    changed = [each for each in matches[0] if each != place and matches[0][each][1] != matches[1][each][1]]
    for change, where in zip((told.match, *told.others), (place, *changed), strict=True):
        assert change.name == now.match_name(*where)
        for said, found in zip((change.before, change.after), matches, strict=True):
            check_stand(said, found[where], now)
    gone = {pk for pk in now.places().values() if pk in now.official and pk not in then.official and pk != at.pk}
    assert set(told.results) == {now.official[pk].pk for pk in gone}
    assert games(told.disturbed) == games_of(gone, now, with_result=True)
    still_open = {pk for pk in then.places().values() if pk not in then.official and pk != at.pk}
    was_open = {pk for pk in now.places().values() if pk not in now.official and pk != at.pk}
    assert games(told.dropped) == games_of(was_open - still_open, now, with_result=False)
    assert games(told.opened) == games_of(still_open - was_open, then, with_result=False)
    void = now.match_lots.keys() - then.match_lots.keys()
    names = {(now.match_name(*each), now.name[now.match_lots[each]]) for each in void}
    assert {(lot.match, lot.winner) for lot in told.lots} == names


def games(told: tuple[PlacedGame, ...]) -> list[tuple[object, ...]]:
    return sorted(((each.place, *each.players, score(each.report)) for each in told), key=str)


def score(report: Report | None) -> object:
    return report and (report.first.points, report.second.points)


def games_of(pairings: set[int], books: Books, *, with_result: bool) -> list[tuple[object, ...]]:
    found = []
    for pk in pairings:
        result = books.official[pk] if with_result else None
        points = result and (result.first_points, result.second_points)
        found.append((books.game_name(pk), *books.names(pk), points))
    return sorted(found, key=str)


def read_stand(said: MatchStand) -> None:
    """A match's stand claims in each language what its figures say."""
    score = None if said.score is None else tuple(round(2 * figure) for figure in said.score)
    for language in LANGUAGES:
        with translation.override(language):
            told = read(language, str(said), "stands", between="\n")
        if said.winner is not None:
            own = {"criterion": said.own_criterion} if said.decided_by == "own" else {}
            figures: dict[str, object] = {"name": said.players[said.winner], "by": [(str(said.decided_by), own)]}
            if score is None:
                assert told == [("wins without a score", figures)]
            else:
                order = score if said.winner == 0 else score[::-1]
                assert told == [("wins", {**figures, "mine": order[0], "theirs": order[1]})]
        elif said.is_over or score is None:
            assert told == [("nobody" if said.is_over else "open", {})]
        else:
            upper, lower = said.players
            figures = {"name": upper, "opponent": lower, "mine": score[0], "theirs": score[1]}
            figures |= {"criterion": said.own_criterion} if said.waits_for == "own" else {}
            assert told == [(str(said.waits_for), figures)]


def check_stand(said: MatchStand, found: tuple[object, ...], books: Books) -> None:
    """A match: who has won, with which score, by what; or what it waits for."""
    read_stand(said)
    players, winner, score, by = found
    assert isinstance(players, tuple)
    names = tuple(books.name[key] if isinstance(key, int) else "" for key in players)
    assert said.players == names
    assert said.in_wins == (books.knockout is not None and books.knockout.form == "best_of")
    assert (said.score and tuple(said.score)) == (score and tuple(score))  # type: ignore[arg-type]  # two figures
    assert (said.winner is None) == (winner in (None, "bye"))
    assert said.is_over == (winner is not None)
    if said.winner is not None:
        assert players[said.winner] == winner
    assert (said.waits_for if winner is None else said.decided_by) == by
