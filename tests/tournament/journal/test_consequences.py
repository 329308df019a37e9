"""What a result would change: ranks now, and later rounds that were paired on the old figures."""

from typing import Any

import pytest
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from scoring.awards import AwardReason, Outcome
from scoring.knockout_values import DecidedBy, WaitsFor
from tests import factories
from tournament.core.reports import PlayerReport, Report
from tournament.journal.consequences import Consequences, find_consequences
from tournament.journal.words import MatchStand, RedrawnRound, RedrawOutcome
from tournament.models import Division, Pairing, Result, Round
from tournament.pairing.values import Method
from tournament.rounds.drafts import DrawWish, draft_round, set_pair_locked
from tournament.rounds.operations import publish_round, unpublish_round


def score(first: int, second: int) -> Report:
    return Report(Outcome.PLAYED, PlayerReport(first), PlayerReport(second))


def game(round: Round, table: int = 1) -> Pairing:
    found = Pairing.objects.select_related("round__division__tournament").with_players()
    return found.get(round=round, table=table)


def moves(found: Consequences) -> dict[str, tuple[int | None, int | None]]:
    return {move.entry.name: (move.before.rank, move.after.rank) for move in found.moves}


def paired(division: Division, **wish: Any) -> Round:
    """The next round, drawn by the program and published."""
    made = draft_round(division, actor=factories.director(), wish=DrawWish(seed=1, **wish))
    publish_round(made, actor=factories.director())
    return Round.objects.select_related("division__tournament").get(pk=made.pk)


def names(later: RedrawnRound) -> set[frozenset[str]]:
    assert later.redrawn == RedrawOutcome.OTHERWISE
    return {frozenset(pair) for pair in later.pairs}


def meetings(round: Round) -> set[frozenset[str]]:
    games = Pairing.objects.filter(round=round).with_players()
    return {frozenset(seat.entry.name for seat in each.seats.all()) for each in games}


@pytest.fixture(scope="module")
def first_of_module(*, shares_rows: bool) -> Round:
    return factories.played(factories.event(players=8), (450, 350), (440, 360), (430, 370), (420, 380))


@pytest.fixture
def first(first_of_module: Round, db: None) -> Round:
    """The first round of eight players, played."""
    return Round.objects.select_related("division__tournament").get(pk=first_of_module.pk)


@pytest.fixture
def division(first: Round) -> Division:
    return first.division


def test_of_a_correction_says_whose_rank_changes(first: Round) -> None:
    found = find_consequences(game(first, 4), score(480, 320))

    assert [move.entry.name for move in found.players] == [game(first, 4).first.name, game(first, 4).second.name]
    assert moves(found)[game(first, 4).first.name] == (4, 1)
    assert moves(found)[game(first, 1).first.name] == (1, 2)
    assert moves(found)[game(first, 4).second.name] == (5, 8)
    assert (found.after, found.later) == (1, ())


def test_of_a_correction_that_moves_nobody_says_so(first: Round) -> None:
    found = find_consequences(game(first), score(451, 350))

    assert found.moves == ()
    assert [(move.before.spread, move.after.spread) for move in found.players] == [(100, 101), (-100, -101)]


def test_of_an_award_uses_its_credit(first: Round) -> None:
    found = find_consequences(game(first), Report(Outcome.FIRST_FORFEITS, reason=AwardReason.NO_SHOW))

    by_name = {move.entry.name: move for move in found.players}
    loser, winner = by_name[game(first).first.name], by_name[game(first).second.name]
    assert (loser.after.half_wins, loser.after.spread, loser.after.points) == (0, -100, 0)
    assert (winner.after.half_wins, winner.after.spread, winner.after.points) == (2, 50, 400)


def test_of_a_withdrawal_takes_the_game_out(first: Round) -> None:
    found = find_consequences(game(first), None)

    assert [(move.before.games, move.after.games) for move in found.players] == [(1, 0), (1, 0)]


def test_of_a_first_result_puts_the_game_in(db: None) -> None:
    round = factories.published(factories.event(players=2))

    found = find_consequences(game(round), score(412, 398))

    assert [(move.before.games, move.after.games) for move in found.players] == [(0, 1), (0, 1)]


def test_who_was_announced_for_a_later_round_has_no_rank_before_their_first_result(first: Round) -> None:
    at = game(first, 4)
    Result.objects.filter(pairing=at).delete()
    division = at.round.division
    division.entries.filter(pk=at.first.pk).update(first_round=2)

    found = find_consequences(at, score(480, 320))

    assert moves(found)[at.first.name] == (None, 1)
    assert moves(found)[game(first, 1).first.name] == (1, 2)


def test_of_a_bye_takes_its_own_spread(db: None) -> None:
    round = factories.published(factories.event(players=3))
    alone = Pairing.objects.select_related("round__division__tournament").with_players().get(kind="bye", round=round)

    found = find_consequences(alone, Report(Outcome.BYE, spread=100))

    assert [(move.before.spread, move.after.spread) for move in found.players] == [(50, 100)]


def test_of_a_correction_repeats_the_later_draw_on_the_new_table(division: Division, first: Round) -> None:
    second = paired(division)

    found = find_consequences(game(first, 4), score(250, 550))

    (later,) = found.later
    assert (later.number, later.based_on) == (2, 1)
    would_be = names(later)
    assert would_be
    assert not would_be & meetings(second)


def test_of_a_correction_that_pairs_the_same_says_so(division: Division, first: Round) -> None:
    paired(division)

    found = find_consequences(game(first), score(451, 350))

    assert [later.redrawn for later in found.later] == [RedrawOutcome.SAME]


def test_what_would_have_been_is_what_the_draw_gives_after_correcting(division: Division, first: Round) -> None:
    second = paired(division)
    corrected = score(250, 550)
    found = find_consequences(game(first, 4), corrected)
    played = meetings(second)

    unpublish_round(second, actor=factories.director())
    factories.result(first, 4, 250, 550)
    anew = paired(division)

    assert names(found.later[0]) == meetings(anew) - played


def test_of_a_correction_leaves_out_rounds_on_an_earlier_table(division: Division, first: Round) -> None:
    paired(division, based_on=0)

    assert find_consequences(game(first), score(250, 550)).later == ()


def test_of_a_correction_cannot_say_what_was_paired_by_hand(division: Division, first: Round) -> None:
    second = paired(division)
    Round.objects.filter(pk=second.pk).update(method=Method.MANUAL)

    assert [later.redrawn for later in find_consequences(game(first), score(250, 550)).later] == [RedrawOutcome.BY_HAND]


def test_of_a_correction_keeps_locked_pairs(division: Division, first: Round) -> None:
    draft = draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    draft.division = division
    kept = game(draft)
    set_pair_locked(kept, locked=True, actor=factories.director())

    (later,) = find_consequences(game(first, 4), score(250, 550)).later

    seated = {kept.first.name, kept.second.name if kept.second else ""}
    assert later.is_draft
    assert later.keeps
    assert all(not seated & pair for pair in names(later))


def test_of_writes_nothing(division: Division, first: Round) -> None:
    paired(division)
    before = list(Result.objects.values_list("pk", "official", "first_points"))

    find_consequences(game(first), score(250, 550))

    assert list(Result.objects.values_list("pk", "official", "first_points")) == before


@pytest.mark.parametrize("players", [4, 12])
def test_of_takes_the_same_queries_for_any_field(
    db: None, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    round = factories.played(factories.event(players=players))
    pairing = game(round)

    with django_assert_num_queries(7):
        find_consequences(pairing, score(250, 550))


def test_of_correcting_back_says_that_the_later_round_has_these_pairs(division: Division, first: Round) -> None:
    paired(division)
    factories.result(first, 4, 250, 550)

    found = find_consequences(game(first, 4), score(420, 380))

    assert [later.redrawn for later in found.later] == [RedrawOutcome.SAME]


def test_of_another_correction_cannot_say_what_else_has_changed(division: Division, first: Round) -> None:
    paired(division)
    factories.result(first, 4, 250, 550)

    found = find_consequences(game(first, 3), score(250, 550))

    assert [later.redrawn for later in found.later] == [RedrawOutcome.UNKNOWN]


def test_of_a_game_that_both_lose_says_that_nobody_wins(db: None) -> None:
    division = factories.knockout(factories.event(players=4))
    games = Pairing.objects.select_related("round__division__tournament").with_players()
    semi_final = games.get(round__division=division, table=1)

    found = find_consequences(semi_final, Report(Outcome.BOTH_FORFEIT, reason=AwardReason.NO_SHOW)).knockout

    assert division.knockout.size == 4
    assert found is not None
    assert str(found.match) == "Halbfinale 1: offen → niemand gewinnt"


@pytest.mark.parametrize(
    ("stand", "said"),
    [
        (
            MatchStand(("Anna", "Jörg"), (380, 420), winner=1, decided_by=DecidedBy.POINTS),
            "Jörg wins 420 : 380, by points",
        ),
        (
            MatchStand(("Anna", "Jörg"), (1.5, 0.5), in_wins=True, waits_for=WaitsFor.GAMES),
            "Anna – Jörg 1½ : ½, still open",
        ),
        (
            MatchStand(("Anna", "Jörg"), (400, 400), waits_for=WaitsFor.LOT),
            "Anna – Jörg 400 : 400, level: a lot decides",
        ),
        (MatchStand(("Anna", ""), winner=0, decided_by=DecidedBy.WALKOVER), "Anna wins, without a game"),
        (MatchStand(("Anna", ""), waits_for=WaitsFor.PLAYERS), "open"),
    ],
)
def test_match_is_told_with_the_winners_figure_first(stand: MatchStand, said: str) -> None:
    with translation.override("en"):
        assert str(stand) == said


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (
            RedrawnRound(3, 2, True, RedrawOutcome.SAME),
            "Round 3 is a draft. By the new standings it would have the same pairs.",
        ),
        (
            RedrawnRound(3, 2, False, RedrawOutcome.OTHERWISE, (("Anna", "Jörg"), ("Linh",)), keeps=True),
            (
                "Round 3 was paired by the standings after round 2 and stays as it is. By the new standings the same "
                "draw would have given: Anna – Jörg; Linh: bye. Pairs that are locked or were made by hand are kept in "
                "this."
            ),
        ),
        (
            RedrawnRound(3, 2, True, RedrawOutcome.UNKNOWN),
            "Round 3 is a draft, paired by the standings after round 2. It changes only when it is paired again.",
        ),
        (RedrawnRound(3, 2, False, RedrawOutcome.BY_HAND), "Round 3 was paired by hand. It stays as it is."),
    ],
)
def test_later_round_is_told(later: RedrawnRound, said: str) -> None:
    with translation.override("en"):
        assert str(later) == said
